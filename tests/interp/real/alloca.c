/* defined: main returned 0 */
static int f(int n) { int *p = __builtin_alloca(n * sizeof(int)), i, s = 0; for (i = 0; i < n; i++) p[i] = i; for (i = 0; i < n; i++) s += p[i]; return s; }
int main(void) { return f(5) == 10 ? 0 : 1; }
