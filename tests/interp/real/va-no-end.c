/* undefined: argument-list */
#include <stdarg.h>
static int f(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); return x; }
int main(void) { return f(1, 0); }
