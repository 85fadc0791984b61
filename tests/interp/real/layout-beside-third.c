/* undecided */
#include <stdint.h>
int x, y, z;
int main(void)
{
    uintptr_t a = (uintptr_t)(&x + 1), b = (uintptr_t)&z, c = (uintptr_t)&y;
    return a == c && b % sizeof(int) == 0;
}
