/* defined: main returned 0 */
#include <math.h>
int main(void) { volatile double z = 0; return copysign(1, fmin(z, -z) + 0.0) < 0 || fmax(-z, z) != 0; }
