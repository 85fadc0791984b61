/* undefined: no-return-value */
static int f(int a) { if (a) return 1; }
int main(void) { return f(0); }
