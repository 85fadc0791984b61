/* undecided */
static int f(int a[restrict], int *b) { a[0] = 1; *b = 2; return a[0]; }
int main(void) { int x; return f(&x, &x); }
