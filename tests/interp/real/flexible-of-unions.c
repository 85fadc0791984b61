/* defined: main returned 7 */
#include <stdlib.h>
union u { int n; char c; };
struct s { int n; union u a[]; };
int main(void)
{
    struct s *p = malloc(sizeof *p + 3 * sizeof *p->a);
    p->n = 3;
    p->a[1].n = 4;
    return p->n + p->a[1].n;
}
