/* defined: main returned 0 */
#include <stdint.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
int main(void)
{
    uintptr_t f = (uintptr_t)one, g = (uintptr_t)two;
    return f == g || ((int (*)(void))f)() != 1 || ((int (*)(void))g)() != 2;
}
