/* undefined: pointer-arithmetic */
#include <stdlib.h>
int main(void) { int *p = malloc(8); p[3] = 1; return 0; }
