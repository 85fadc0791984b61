/* undefined: misaligned */
#include <stdlib.h>
int main(void) { char *p = malloc(16); short *q = (short *)(p + 3); return q == 0; }
