/* defined: main returned 0 */
int printf(const char *, ...);
void *memcpy(void *, const void *, unsigned long);
struct s { char c; long double x; };
static long double third(int n) { return n / 3.0L; }
static long double sum(int n, ...)
{
  __builtin_va_list ap; long double t = 0;
  __builtin_va_start(ap, n);
  while (n--) t += __builtin_va_arg(ap, long double);
  __builtin_va_end(ap);
  return t;
}
int main(void)
{
  long double x = 0.1L, y = 1e4000L, a[2] = {1, 2};
  struct s s = {'a', 0x1.8p-3L}, t = s;
  unsigned long u = (unsigned long)18446744073709551615.0L;
  memcpy(&a[0], &x, sizeof x);
  printf("%.25Lf %.18Lg %Le %d %d\n", x, third(1), y * 10, (int)sizeof x, (int)_Alignof(struct s));
  printf("%.20Lg %lu %d %d\n", sum(3, 1.5L, x, -2.0L), u, a[0] == x, 0.1 == x);
  printf("%Lg %Lg %d %.17g\n", t.x, -a[1]++, !x || x < 0.1L, (double)(x * 3));
  x = 9223372036854775807LL; x += 1; x /= 2; x--;
  printf("%.0Lf %lld %d\n", x, (long long)x, x ? 1 : 0);
  return 0;
}
