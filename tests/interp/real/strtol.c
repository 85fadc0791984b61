/* defined: main returned 0 */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
  const char *text = " -0x1Fz"; char *end;
  long n = strtol(text, &end, 0);
  printf("%ld %d ", n, (int)(end - text));
  long long q = strtoll("99999999999999999999", &end, 10);
  printf("%lu %llu %lld %d ", strtoul("zz", NULL, 36), strtoull("-1", NULL, 10), q, *end);
  double d = strtod("1.25e2x", &end);
  printf("%g %c %g %ld %lld\n", d, *end, atof("-.5"), atol("12a"), atoll("-9"));
  return 0;
}
