/* undefined: uninitialised */
#include <stdlib.h>
int main(void) { int *p = malloc(8); p[0] = 1; return p[1]; }
