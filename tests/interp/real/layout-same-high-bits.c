/* undecided */
#include <stdint.h>
int x, y;
int main(void) { return (uintptr_t)&x >> 32 == (uintptr_t)&y >> 32; }
