/* defined: main returned 0 */
#include <math.h>
#include <stdio.h>
int main(void)
{
  int e; double whole;
  printf("%.17g %.17g %.17g %.17g\n", pow(3, 20), pow(0.5, 40), pow(-2.5, 3), pow(2, -1022));
  printf("%.17g %.17g %.17g %.17g\n", pow(7, 0), exp(0), log(1), cos(0));
  printf("%.17g %.17g %.17g\n", round(-2.5), nearbyint(2.5), fma(0.1, 10, -1));
  printf("%.17g %ld %ld %.17g %.9g\n", ldexp(0.75, 5), lround(-2.5), lrint(2.5), nextafter(1, 2), (double)nextafterf(1, 0));
  double part = frexp(-20, &e);
  printf("%.17g %d ", part, e);
  part = modf(-3.25, &whole);
  printf("%.17g %.17g %.17g %.17g\n", part, whole, fdim(5, 3), remainder(7, 4));
  printf("%g %g %g %g ", (double)ceilf(1.5f), (double)truncf(-1.5f), (double)rintf(2.5f), (double)ldexpf(3, 4));
  printf("%g %g %g ", scalbn(3, -2), (double)scalbnf(3, 2), (double)fmodf(7, 4));
  printf("%g %g %lld %lld\n", (double)fminf(1, 2), (double)fmaxf(1, 2), llround(0.5), llrint(0.5));
  printf("%.9g %.9g %.9g\n", (double)floorf(-1.5f), (double)roundf(2.5f), (double)powf(3, 3));
  return 0;
}
