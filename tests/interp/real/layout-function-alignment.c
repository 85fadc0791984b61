/* undecided */
#include <stdint.h>
static int f(void) { return 0; }
int main(void) { return f() + (int)((uintptr_t)f % 4); }
