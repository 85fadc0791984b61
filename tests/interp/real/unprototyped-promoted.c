/* defined: main returned 3 */
enum e { A, B };
static int f(x, c, p, e) float x; char c; char *p; enum e e; { return (int)x + c + (p != 0) + e; }
static int g(double x, int c, char *p, enum e e, long long l, unsigned u) { return (int)x + c + (p == 0) + e + (int)l + (int)u; }
int main(void)
{
    int (*p)(double, int, char *, enum e) = (int (*)(double, int, char *, enum e))f;
    int (*q)() = g;
    return p(1.0f, 1, "", B) + q(-1.0f, 'a' - 97, (char *)0, B, -2LL, 0u);
}
