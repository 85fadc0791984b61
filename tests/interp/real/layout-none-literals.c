/* defined: main returned 0 */
#include <stdint.h>
int main(void)
{
    const char *p = "abc", *q = "xabc";
    return p == 0 || *(const char *)(uintptr_t)p != 'a' || *(const char *)((uintptr_t)q + 1) != 'a' ||
           (uintptr_t)"def" == (uintptr_t)p;
}
