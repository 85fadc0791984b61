/* undecided */
static int f(int *restrict p, int *q) { int *r = p; *r = 1; r = q; *r = 2; return *p; }
int main(void) { int x, y; return f(&x, &y); }
