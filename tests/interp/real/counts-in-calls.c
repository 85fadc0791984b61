/* defined: main returned 9 */
struct { int n; unsigned char small; } counts[2];
static int *p = &counts[1].n;
static int g(void) { counts[1].n++; ++counts[0].small; for (int i = 0; i < 3; i++) counts[0].n--; return 1; }
static int h(void) { (*p)++; g(); return g() + g(); }
static int two(int a, int b) { return a + b; }
int main(void)
{
    int a[] = {g(), h()};
    int n = two(g() * (h() + g()), h()) - a[1];
    return n + counts[1].n - counts[0].small + (counts[0].n + 39);
}
