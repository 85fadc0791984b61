/* defined: main returned 0 */
#include <stdlib.h>
struct v { int n; short a[]; };
int main(void) { struct v *v = malloc(sizeof *v + 4 * sizeof(short)); int i, s = 0; v->n = 4;
  for (i = 0; i < v->n; i++) v->a[i] = (short)i; for (i = 0; i < v->n; i++) s += v->a[i]; free(v); return s == 6 ? 0 : 1; }
