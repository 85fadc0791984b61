/* defined: main returned 0 */
#include <stdint.h>
int a[5];
struct { int x, y; } s;
int main(void)
{
    int *p = &a[1], *q = &a[4];
    int good = p < q && q - p == 3 && &a[1] - &a[0] == 1 && (uintptr_t)p < (uintptr_t)q &&
               (uintptr_t)q - (uintptr_t)p == 3 * sizeof *a && (uintptr_t)&s.x < (uintptr_t)&s.y && a + 5 > q;
    return !good;
}
