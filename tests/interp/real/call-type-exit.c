/* defined: it exited with 3 */
#include <stdlib.h>
static int f(int x) { return x; }
static int stop(void) { exit(3); }
int main(void) { int (*p)(double, int) = (int (*)(double, int))f; return p(1.0, stop()); }
