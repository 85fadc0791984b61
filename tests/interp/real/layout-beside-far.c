/* undecided */
#include <stdint.h>
int a, b, c, d, e, f;
int main(void)
{
    uintptr_t all = (uintptr_t)&a | (uintptr_t)&b | (uintptr_t)&c | (uintptr_t)&d | (uintptr_t)&e | (uintptr_t)&f;
    return (int)(all & 3) + ((uintptr_t)(&a + 1) == (uintptr_t)&f);
}
