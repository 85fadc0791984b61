/* undecided */
#include <stdint.h>
int a[4];
int main(void) { return (uintptr_t)a % 16 == 0; }
