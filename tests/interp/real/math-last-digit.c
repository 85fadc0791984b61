/* undecided */
#include <math.h>
#include <stdio.h>
int main(void) { printf("%.17g\n", sin(1)); return 0; }
