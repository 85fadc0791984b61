/* undefined: call-type */
#include <stdio.h>
int main(void) { long x = 0; sscanf("5", "%d", &x); return 0; }
