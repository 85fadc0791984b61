/* undefined: indeterminately-sequenced */
static int count;
static int f(void) { return count; }
static int g(void) { count++; return 1; }
int main(void) { return (f() + 0 * g()) * (g() + g()); }
