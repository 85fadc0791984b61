/* defined: main returned 0 */
#include <stdlib.h>
int main(void) { int *a = calloc(10, sizeof *a), i, s = 0; for (i = 0; i < 10; i++) a[i] += i; for (i = 0; i < 10; i++) s += a[i];
  a = realloc(a, 20 * sizeof *a); a[19] = 1; s += a[9] + a[19]; free(a); return s == 55 ? 0 : 1; }
