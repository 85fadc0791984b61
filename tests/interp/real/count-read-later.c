/* undefined: indeterminately-sequenced */
static int count;
static int f(void) { count++; return count; }
static int g(void) { count++; return 1; }
int main(void) { return g() + f(); }
