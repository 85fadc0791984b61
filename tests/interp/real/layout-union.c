/* undecided */
#include <stdint.h>
int x;
int main(void) { union { int *p; uintptr_t n; } u; u.p = &x; return u.n % 64 == 0; }
