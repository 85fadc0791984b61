/* Prints a long stream of every kind of choice. The golden file beside it is what every build must
 * print: gcc and clang, optimised or not, 64 and 32 bits. */
#include "base/choice.h"

int main(void)
{
    static const unsigned weights[] = {10, 1, 0, 4, 25};
    static const uint64_t seeds[] = {0, 1, 7, 0x123456789abcdef0};
    for (size_t s = 0; s < sizeof seeds / sizeof *seeds; s++) {
        struct choice c;
        choice_init_random(&c, seeds[s]);
        uint64_t sum = 0;
        for (int i = 0; i < 100000; i++) {
            uint64_t value = choose(&c, 1 + (uint64_t)i * 12345);
            value ^= choose_weighted(&c, weights, 5) << 20;
            value ^= (uint64_t)choose_flip(&c, (double)(i % 11) / 10) << 30;
            value ^= choose_bits(&c, (unsigned)i % 65);
            sum = sum * 31 + value;
            if (i < 8)
                printf("%016llx\n", (unsigned long long)value);
        }
        printf("sum %016llx\n", (unsigned long long)sum);
        choice_release(&c);
    }
    return 0;
}
