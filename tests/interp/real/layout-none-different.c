/* defined: main returned 0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
int x, y;
int main(void)
{
    int z, *p = &x, *q = &y, *h = malloc(4);
    int same = p == q || p == &z || h == p || (uintptr_t)p == (uintptr_t)q || (uintptr_t)h == (uintptr_t)&z ||
               memcmp(&p, &q, sizeof p) == 0;
    free(h);
    return same;
}
