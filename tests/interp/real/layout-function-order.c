/* undecided */
#include <stdint.h>
static int f(void) { return 0; }
static int g(void) { return 0; }
int main(void) { return (uintptr_t)f < (uintptr_t)g; }
