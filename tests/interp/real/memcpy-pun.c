/* defined: main returned 0 */
#include <string.h>
int main(void) { double d = 1.0; unsigned long long b; memcpy(&b, &d, sizeof b); return b == 0x3ff0000000000000ull ? 0 : 1; }
