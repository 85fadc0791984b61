/* defined: it exited with 3 */
#include <stdlib.h>
static int f(x) int x; { return x; }
static int stop(void) { exit(3); }
int main(void) { return f(1, stop()); }
