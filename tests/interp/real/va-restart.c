/* defined: main returned 2 */
#include <stdarg.h>
static int f(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); va_end(ap); va_start(ap, n); x += va_arg(ap, int); va_end(ap); return x; }
int main(void) { return f(1, 1); }
