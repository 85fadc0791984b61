/* clang 14.0.6 -O0 -fsanitize=address prints 0: it compares the addresses of two names of one object.
 * Found by smith, seed 451: `g_274 == &g_236[0]` in main. Right is 1 (C11 6.5.9p6). */
int printf(const char *, ...);
static long long a[8] = {1};
static long long *const p = &a[0];
int main(void)
{
    printf("%d\n", p == &a[0]);
    return a[0] != 1;
}
