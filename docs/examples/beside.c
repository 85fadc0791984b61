#include <stdint.h>
int x, y;

int main (void) { return (uintptr_t) (&x + 1) == (uintptr_t) &y; }
