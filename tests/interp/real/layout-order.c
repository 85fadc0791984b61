/* undecided */
#include <stdint.h>
int x, y;
int main(void) { return (uintptr_t)&x < (uintptr_t)&y; }
