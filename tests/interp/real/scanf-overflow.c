/* undefined: signed-overflow */
#include <stdio.h>
int main(void) { int x = 0; sscanf("5000000000", "%d", &x); return 0; }
