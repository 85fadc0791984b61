/* defined: main returned 0 */
#include <string.h>
int x = 7;
int main(void) { int *p = &x, *q; char buf[sizeof p]; memcpy(buf, &p, sizeof p); memcpy(&q, buf, sizeof q); return *q == 7 ? 0 : 1; }
