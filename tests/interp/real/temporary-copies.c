/* defined: main returned 8 */
struct s { int a[2]; };
static struct s f(int x) { struct s s = {{x, x + 1}}; s.a[0]++; return s; }
static int sum(struct s s) { s.a[0] = 0; return s.a[0] + s.a[1]; }
int main(void)
{
    struct s t = f(1);
    int n = f(2).a[0] + sum(f(1));
    t.a[1] = f(0).a[1];
    (&(struct s){{1, 2}})->a[0] = 3;
    struct s *p = &(struct s){{3, 4}};
    p->a[0] = 1;
    n += t.a[1] - p->a[0];
    return n + (t = f(2)).a[1];
}
