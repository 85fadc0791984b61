/* undecided */
#include <stdint.h>
int x;
int main(void) { return (uintptr_t)&x >> 32 != 0; }
