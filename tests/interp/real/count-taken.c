/* undefined: indeterminately-sequenced */
static int count;
static int f(void) { return count++ >= 0; }
static int g(int a, int b) { return a + b; }
int main(void) { int a[2] = {f(), f()}; return g(f(), f()) + a[0] - a[1] + count - 4; }
