/* defined: main returned 2 */
static int f(int c) {
  if (c) goto behind;
  { _Complex double t = 2; c = (int)t; }
behind:
  return c + 1;
}
int main(void) { return f(1); }
