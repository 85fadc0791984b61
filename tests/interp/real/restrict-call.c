/* undecided */
int x;
static void g(void) { x = 2; }
static int f(int *restrict p) { *p = 1; g(); return *p; }
int main(void) { return f(&x); }
