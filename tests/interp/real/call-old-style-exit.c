/* defined: it exited with 3 */
#include <stdlib.h>
static int f(x, y) int x; char *y; { return x + (y == 0); }
static int stop(void) { exit(3); }
int main(void) { return f(1.0, stop()); }
