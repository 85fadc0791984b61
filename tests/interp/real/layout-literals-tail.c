/* undecided */
#include <stdint.h>
int main(void) { return (uintptr_t)("xabc" + 1) == (uintptr_t)"abc"; }
