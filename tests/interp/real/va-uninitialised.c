/* undefined: uninitialised */
#include <stdarg.h>
static int f(int n, ...) { va_list ap; int x = va_arg(ap, int); va_end(ap); return x; }
int main(void) { return f(1, 0); }
