/* defined: main returned 0 */
#include <stdint.h>
#include <stdio.h>
int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += *(int *)(uintptr_t)&a[i] * 10 + *(int *)((uintptr_t)b + i * sizeof *b);
    printf("%d\n", sum);
    return 0;
}
