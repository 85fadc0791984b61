/* undecided */
#include <stdint.h>
char c;
int x;
int main(void) { return (uintptr_t)(&c + 1) == (uintptr_t)&x; }
