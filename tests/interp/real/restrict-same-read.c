/* undecided */
static int f(int *restrict p, const int *q) { *p = 1; return *q; }
int main(void) { int x; return f(&x, &x); }
