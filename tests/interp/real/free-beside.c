/* undefined: indeterminately-sequenced */
#include <stdlib.h>
static int f(int *p) { free(p); return 1; }
static int g(int a, int b) { return a + b; }
int main(void) { int *a = malloc(4); *a = 1; return g(*a, f(a)); }
