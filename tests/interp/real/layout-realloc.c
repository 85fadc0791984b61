/* undecided */
#include <stdint.h>
#include <stdlib.h>
int main(void)
{
    int *p = malloc(4);
    uintptr_t a = (uintptr_t)p;
    p = realloc(p, 8);
    return a == (uintptr_t)p;
}
