/* defined: main returned 5 */
/* What is not supported does no harm where it is not reached: expressions, statements, functions. */
int printf(const char *, ...);
struct s { int x; _Complex double z; };
static _Complex double twice(_Complex double z) { return z * 2; }
static int f(int c, struct s *p) {
  if (c > 5) { _Complex double z = 3; p->z = z; return (int)twice(z); }
  switch (c) { case 7: { _Complex double q = 1; return (int)q; } case 0: c = 5; break; default: c = 9; }
  return c > 100 ? (int)(p->z + c) : c;
}
int main(void) { printf("%d\n", f(0, 0)); return f(0, 0); }
