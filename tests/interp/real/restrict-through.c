/* undecided */
static int f(int *restrict *p, int *q) { **p = 2; *q = 3; return **p; }
int main(void) { int x = 1, *y = &x; return f(&y, &x); }
