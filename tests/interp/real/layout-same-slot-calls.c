/* undecided */
#include <stdint.h>
static uintptr_t f(void) { int x = 0; return (uintptr_t)&x; }
int main(void) { return f() == f(); }
