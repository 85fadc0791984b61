/* undecided */
#include <stdint.h>
#include <stdio.h>
int main(void) { int x = 1, y = 2; printf("%d\n", (uintptr_t)(&x + 1) == (uintptr_t)&y); return x + y - 3; }
