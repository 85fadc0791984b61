/* defined: main returned 0 */
#include <stdio.h>
#include <stdarg.h>
static int scan(const char *from, const char *format, ...)
{
  va_list ap; int n;
  va_start(ap, format); n = vsscanf(from, format, ap); va_end(ap);
  return n;
}
int main(void)
{
  int a = 0, b = 0, c = 0, n = 0; unsigned u = 0; short h = 0; signed char t = 0; long l = 0; long long q = 0;
  double d = 0; float f = 0; char s[10] = "", w[10] = "", x[4] = "...";
  printf("%d ", sscanf(" 12 -34:5", "%d%d:%d", &a, &b, &c)); printf("%d %d %d\n", a, b, c);
  printf("%d ", sscanf("0x1f 017 9", "%i %i %i", &a, &b, &c)); printf("%d %d %d\n", a, b, c);
  printf("%d ", sscanf("ff 77 -1", "%x%o%u", &u, (unsigned *)&a, (unsigned *)&b)); printf("%u %d %d\n", u, a, b);
  printf("%d ", sscanf("123456", "%2hd%1hhd%2ld%lld%n", &h, &t, &l, &q, &n)); printf("%d %d %ld %lld %d\n", h, t, l, q, n);
  printf("%d ", sscanf("1.5e3 -.25x", "%lf%f%2s", &d, &f, s)); printf("%g %g %s\n", d, (double)f, s);
  printf("%d ", sscanf("  word more", "%9s%*s%n", s, &n)); printf("%s %d\n", s, n);
  printf("%d ", sscanf("ab]c,rest", "%[^,],%3c", w, x)); printf("%s %c%c%c\n", w, x[0], x[1], x[2]);
  printf("%d ", sscanf("100%", "%d%%%n", &a, &n)); printf("%d %d\n", a, n);
  printf("%d %d %d %d ", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("5", "%d%d", &a, &b), sscanf("5x", "%*d%d", &a));
  printf("%d ", sscanf("abc-9]", "%[a-c-]%d", s, &a)); printf("%s %d\n", s, a);
  printf("%d\n", sscanf("ab", "abc"));
  printf("%d ", scan("7 eight", "%d %s", &a, s)); printf("%d %s\n", a, s);
  return 0;
}
