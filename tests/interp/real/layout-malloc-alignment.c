/* undecided */
#include <stdint.h>
#include <stdlib.h>
int main(void) { void *p = malloc(64); return (uintptr_t)p % 32 == 0; }
