/* defined: it exited with 3 */
#include <stdlib.h>
static int (*p)(int);
static int stop(void) { exit(3); }
int main(void) { return p(stop()); }
