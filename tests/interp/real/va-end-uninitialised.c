/* undefined: argument-list */
#include <stdarg.h>
static int f(int n, ...) { va_list ap; va_end(ap); return n; }
int main(void) { return f(1, 0); }
