/* defined: main returned 4 */
#include <stdlib.h>
#include <string.h>
struct __attribute__((packed)) s { char c; int i; };
struct __attribute__((packed)) one { int i; };
struct __attribute__((packed, aligned(4))) even { char c[4]; int i; };
struct list { int n; struct list *next; };
int main(void)
{
    struct s s = {0, 5}, *p = malloc(2 * sizeof *p);
    struct even e = {{0}, 1}, *f = malloc(sizeof *f);
    int *i = &e.i, x;
    memcpy(&x, &s.i, sizeof x);
    p[1].i = *i;
    p[1].c = 1;
    f->i = 4;
    int *g = &f->i;
    struct list l = {2, 0};
    struct list *m = (struct list *)((char *)&l.next - (sizeof l - sizeof l.next));
    char c[8] = {0};
    struct one *o = (struct one *)(c + 1);
    (void)o;
    return x + *(char *)&s.i + ((struct s *)(p + 1))->i + p[1].c + *g + m->n + s.i - 20 - (int)sizeof(int) + 5;
}
