/* undecided */
#include <stdint.h>
char a, b[3];
int main(void) { return (int)((uintptr_t)b & 1); }
