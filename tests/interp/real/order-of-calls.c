/* undefined: indeterminately-sequenced */
int n; static int f(void) { return ++n; } static int g(void) { return n *= 2; }
int main(void) { return f() + g(); }
