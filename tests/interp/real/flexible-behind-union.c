/* defined: main returned 9 */
#include <stdlib.h>
struct s { union { int n; char c[4]; } u; int a[]; };
int main(void)
{
    struct s *p = malloc(sizeof *p + 3 * sizeof(int));
    p->u.n = 1;
    p->a[0] = 3;
    p->a[2] = 5;
    return p->a[0] + p->a[2] + p->u.c[0];
}
