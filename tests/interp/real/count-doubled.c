/* undefined: indeterminately-sequenced */
static int count;
static int g(void) { count++; return 1; }
static int down(void) { count *= 2; count++; return 1; }
int main(void) { return down() + g(); }
