/* undefined: out-of-bounds */
#include <stdlib.h>
struct v { int n; short a[]; };
int main(void) { struct v *v = malloc(sizeof *v + 4 * sizeof(short)); v->a[4] = 1; return 0; }
