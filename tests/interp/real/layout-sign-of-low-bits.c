/* undecided */
#include <stdint.h>
int x, y;
int main(void) { return (int)(uintptr_t)&x < 0; }
