/* undecided */
#include <stdint.h>
int main(void) { return (uintptr_t)"abc" == (uintptr_t)("xabc" + 1); }
