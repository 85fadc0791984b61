/* defined: main returned 0 */
#include <stdint.h>
char buffer[64];
int main(void) { char *p = (char *)(((uintptr_t)buffer + 15) & ~(uintptr_t)15); *p = 1; return ((uintptr_t)p & 15) == 0 ? 0 : 1; }
