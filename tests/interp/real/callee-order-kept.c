/* defined: main returned 6 */
static int a(int x) { return x + 1; }
static int b(int x) { return x + 2; }
static int (*h)(int) = a;
static int calls;
static int ch(void) { calls++; return 0; }
static int use(void) { return h(0); }
int main(void)
{
    int n = (*h)(ch());
    n += (h = b)(ch());
    int (*t[2])(int) = {a, b};
    n += t[calls > 5](use());
    return n;
}
