/* undecided */
#include <math.h>
int main(void) { volatile double z = 0; return copysign(1, fmax(z, -z)) < 0; }
