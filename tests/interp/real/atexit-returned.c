/* undefined: dangling-access */
#include <stdlib.h>
static int *seen, copy;
static void first(void) { copy = *seen; }
int main(void) { int x = 4; seen = &x; atexit(first); return 0; }
