/* defined: main returned 0 */
#include <stdint.h>
#include <stdio.h>
static uintptr_t seen;
static int f(int depth)
{
    int x = depth, *p = (int *)(uintptr_t)&x;
    seen ^= (uintptr_t)p;
    return *p + (depth ? f(depth - 1) : 0);
}
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 20; i++)
        sum += f(i);
    printf("%d\n", sum);
    return 0;
}
