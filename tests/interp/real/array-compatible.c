/* defined: main returned 0 */
static int f(char (*p)[]) { return p == 0; }
static int g(char (*p)[15]) { return (*p)[3]; }
int main(void)
{
    char a[15] = {0};
    int (*h)(char (*)[15]) = f;
    int (*i)(char (*)[]) = g;
    char (*p)[] = &a, (**q)[] = &p;
    char (*(*r))[15] = (char (**)[15])q;
    return h(&a) + f(&a) + i(p) + (**r)[2];
}
