/* undecided */
static int f(int *restrict p, int **q) { *p = 1; **q = 2; return *p; }
int main(void) { int x, *y = &x; return f(&x, &y); }
