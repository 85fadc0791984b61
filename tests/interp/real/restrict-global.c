/* undecided */
int g;
static int f(int *restrict p) { *p = 1; g = 2; return *p; }
int main(void) { return f(&g); }
