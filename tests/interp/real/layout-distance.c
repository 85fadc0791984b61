/* undecided */
#include <stdint.h>
#include <stdio.h>
int x, y;
int main(void) { printf("%ld\n", (long)((uintptr_t)&y - (uintptr_t)&x)); return 0; }
