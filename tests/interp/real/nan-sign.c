/* undecided */
#include <string.h>
int main(void) { volatile double z = 0; double n = z / z; unsigned long long b; memcpy(&b, &n, 8); return b >> 63; }
