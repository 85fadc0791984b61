/* undecided */
#include <string.h>
int x, y;
int main(void) { int *p = &x + 1, *q = &y; return memcmp(&p, &q, sizeof p) == 0; }
