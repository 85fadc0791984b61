/* defined: main returned 0 */
struct s { char c; int i; double d; int *p; };
int main(void) { int x = 3; struct s a = {1, 2, 3.5, &x}, b; unsigned i;
  for (i = 0; i < sizeof a; i++) if (i == 0 || i >= 4) ((char *)&b)[i] = ((char *)&a)[i];
  return b.c == 1 && b.i == 2 && b.d == 3.5 && *b.p == 3 ? 0 : 1; }
