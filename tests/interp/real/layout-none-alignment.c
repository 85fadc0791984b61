/* defined: main returned 0 */
#include <stdint.h>
#include <stdlib.h>
char c;
short s;
int i;
double d;
struct { char a; long b; } r;
_Alignas(32) char wide[3];
int main(void)
{
    void *p = malloc(3);
    int bad = (uintptr_t)&c % _Alignof(char) || (uintptr_t)&s % _Alignof(short) || (uintptr_t)&i % _Alignof(int) ||
              (uintptr_t)&d % _Alignof(double) || (uintptr_t)&r % 8 || (uintptr_t)&r.b % 8 || (uintptr_t)wide % 32 ||
              (uintptr_t)p % 16;
    return bad;
}
