/* undecided */
#include <stdint.h>
int i, j;
char c;
int main(void)
{
    uintptr_t all = (uintptr_t)&i % 4 + (uintptr_t)&c % 1;
    return (int)all + ((uintptr_t)(&c + 1) == (uintptr_t)&j);
}
