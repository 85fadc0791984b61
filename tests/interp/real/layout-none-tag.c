/* defined: main returned 0 */
#include <stdint.h>
int x = 3;
int main(void)
{
    uintptr_t tagged = (uintptr_t)&x | 1;
    return (tagged & 1) && *(int *)(tagged & ~(uintptr_t)1) == 3 ? 0 : 1;
}
