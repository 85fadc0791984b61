/* undefined: call-type */
#include <stdarg.h>
static int f(int n, ...) { va_list ap; va_start(ap, n); n = va_arg(ap, int); va_end(ap); return n; }
int main(void) { return f(1); }
