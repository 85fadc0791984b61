/* defined: main returned 0 */
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4), *q = malloc(4);
    uintptr_t a = (uintptr_t)p;
    *q = 5;
    free(p); /* q was there before */
    int same = a == (uintptr_t)q, five = *(int *)(uintptr_t)q;
    free(q);
    return same || five != 5;
}
