/* undecided */
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4), *q = malloc(4);
    uintptr_t a = (uintptr_t)p, b = (uintptr_t)q;
    free(p);
    free(q);
    int *r = malloc(4);
    return (uintptr_t)r == a && a != b;
}
