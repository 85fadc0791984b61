/* undecided */
#include <stdint.h>
int x, y;
int main(void) { return (uintptr_t)&y == (uintptr_t)(&x + 1); }
