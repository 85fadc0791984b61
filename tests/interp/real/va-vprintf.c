/* undefined: argument-list */
#include <stdarg.h>
#include <stdio.h>
static int f(const char *n, ...) { va_list ap; va_start(ap, n); vprintf(n, ap); vprintf(n, ap); va_end(ap); return 0; }
int main(void) { return f("%d\n", 1, 2); }
