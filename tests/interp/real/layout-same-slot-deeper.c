/* undecided */
#include <stdint.h>
static uintptr_t f(int depth)
{
    int x = depth;
    uintptr_t at = (uintptr_t)&x;
    return depth ? f(depth - 1) ^ (at & 0) : at;
}
int main(void) { return f(2) == f(1); }
