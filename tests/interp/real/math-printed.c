/* defined: main returned 0 */
/* What is not exact is off by a unit in the last place, which these do not show. */
#include <math.h>
#include <stdio.h>
int main(void)
{
  printf("%.6f %.6f %.6f %.6f\n", pow(2, 0.5), sin(1), exp(1), log(10));
  printf("%.5g %.5g %.5g\n", (double)sinf(1), atan2(1, 2), cbrt(10));
  printf("%.4f %.4f %.4f %.4f %.4f ", (double)expf(1), exp2(0.3), (double)exp2f(0.3f), (double)logf(3), log2(3));
  printf("%.4f %.4f %.4f %.4f %.4f ", (double)log2f(3), log10(2), (double)log10f(2), (double)cosf(1), (double)tanf(1));
  printf("%.4f %.4f %.4f %.4f %.4f ", asin(0.5), (double)asinf(0.5f), acos(0.5), (double)acosf(0.5f), atan(2));
  printf("%.4f %.4f %.4f %.4f %.4f ", (double)atanf(2), sinh(1), (double)sinhf(1), cosh(1), (double)coshf(1));
  printf("%.4f %.4f %.4f %.4f ", tanh(1), (double)tanhf(1), (double)cbrtf(2), (double)atan2f(-1, -2));
  printf("%.4f %.4f\n", hypot(1, 2), (double)hypotf(2, 3));
  return pow(10, 2.5) < 316 || tan(1) > 1.6;
}
