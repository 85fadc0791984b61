/* undecided */
/* Behind the declaration, in its scope. */
static int f(int c) {
  switch (c) { case 1: { _Complex double t = 2; case 2: c = (int)t; } }
  return c;
}
int main(void) { return f(2); }
