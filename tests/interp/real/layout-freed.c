/* undecided */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4);
    uintptr_t a = (uintptr_t)p;
    free(p);
    int *q = malloc(4);
    uintptr_t b = (uintptr_t)q;
    free(q);
    puts(a == b ? "again" : "elsewhere");
    return 0;
}
