/* undecided */
#include <stdint.h>
int main(void)
{
    uintptr_t a, b;
    { char x[8]; x[0] = 0; a = (uintptr_t)x; }
    { char y[40]; y[0] = 0; b = (uintptr_t)y; }
    return a == b;
}
