/* defined: main returned 0 */
#include <stdarg.h>
struct p { int x, y; };
static double sum(int n, ...) { va_list ap, again; double s = 0; int i; va_start(ap, n); va_copy(again, ap);
  for (i = 0; i < n; i++) s += va_arg(ap, int); s += va_arg(ap, double); s += va_arg(ap, struct p).y; s += *va_arg(ap, char *);
  s += va_arg(again, int); va_end(again); va_end(ap); return s; }
int main(void) { struct p p = {1, 2}; return sum(2, 10, 20, 0.5, p, "a") == 30 + 0.5 + 2 + 97 + 10 ? 0 : 1; }
