/* undecided */
static int f(int a[const /* at least */ static 3]) { return a[0]; }
int main(void) { int x[2] = {0, 1}; return f(x); }
