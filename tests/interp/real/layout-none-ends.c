/* defined: main returned 0 */
#include <stdint.h>
#include <stdio.h>
int a[3] = {1, 2, 3}, b[3] = {4, 5, 6}, c[3] = {7, 8, 9};
int main(void)
{
    uintptr_t from[] = {(uintptr_t)b, (uintptr_t)a, (uintptr_t)c};
    uintptr_t to[] = {(uintptr_t)(b + 3), (uintptr_t)(a + 3), (uintptr_t)(c + 3)};
    int sum = 0;
    for (int i = 0; i < 3; i++)
        for (int *p = (int *)from[i], *end = (int *)to[i]; p < end; p++)
            sum = sum * 3 + *p;
    printf("%d\n", sum);
    return 0;
}
