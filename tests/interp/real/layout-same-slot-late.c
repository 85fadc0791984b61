/* undecided */
#include <stdint.h>
static uintptr_t f(void) { int x = 0; return (uintptr_t)&x; }
int main(void)
{
    uintptr_t low = 0;
    for (int i = 0; i < 1000; i++)
        low |= f() % sizeof(int);
    return low ? 2 : f() == f();
}
