/* undefined: argument-list */
#include <stdarg.h>
static int f(register int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); va_end(ap); return x; }
int main(void) { return f(1, 0); }
