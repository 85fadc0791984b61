/* defined: main returned 0 */
#include <stdarg.h>
static int f(int n, ...) { va_list ap; va_start(ap, n); char (*p)[] = va_arg(ap, char (*)[]); va_end(ap); return p == 0; }
int main(void) { char a[15] = {0}; return f(1, &a); }
