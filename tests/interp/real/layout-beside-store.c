/* undecided */
#include <stdint.h>
#include <stdio.h>
int x = 1, y = 2;
int main(void)
{
    uintptr_t p = (uintptr_t)(&x + 1);
    if (p == (uintptr_t)&y)
        *(int *)p = 11;
    printf("%d %d\n", x, y);
    return 0;
}
