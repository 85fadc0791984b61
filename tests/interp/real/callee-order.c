/* undefined: indeterminately-sequenced */
#include <stdio.h>
static int a(int x) { return 1; }
static int b(int x) { return 2; }
static int (*h)(int) = a;
static int ch(void) { h = b; return 0; }
int main(void) { printf("%d\n", (*h)(ch())); return 0; }
