/* undecided */
static int f(int *restrict a, int *restrict b) { *a = 1; *b = 2; return *a; }
int main(void) { int x; return f(&x, &x); }
