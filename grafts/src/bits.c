/* Tricks with bits. */
#include <stdint.h>

unsigned reversed(unsigned x)
{
    x = (x & 0x55555555) << 1 | (x >> 1 & 0x55555555);
    x = (x & 0x33333333) << 2 | (x >> 2 & 0x33333333);
    x = (x & 0x0F0F0F0F) << 4 | (x >> 4 & 0x0F0F0F0F);
    x = (x & 0x00FF00FF) << 8 | (x >> 8 & 0x00FF00FF);
    return x << 16 | x >> 16;
}

int ones(uint64_t x)
{
    int n = 0;
    for (; x; n++)
        x &= x - 1;
    return n;
}

uint32_t gray(uint32_t x)
{
    return x ^ x >> 1;
}

uint32_t ungray(uint32_t g)
{
    for (int shift = 1; shift < 32; shift <<= 1)
        g ^= g >> shift;
    return g;
}

/* The bits of x where the mask has ones, side by side. */
uint64_t gathered(uint64_t x, uint64_t mask)
{
    uint64_t out = 0;
    for (uint64_t to = 1; mask; to <<= 1) {
        if (x & mask & -mask)
            out |= to;
        mask &= mask - 1;
    }
    return out;
}

uint32_t interleaved(uint16_t x, uint16_t y)
{
    uint32_t out = 0;
    for (int i = 0; i < 16; i++)
        out |= (x & 1u << i) << i | (y & 1u << i) << (i + 1);
    return out;
}

int sign_extended(unsigned field, int width)
{
    unsigned top = 1u << (width - 1);
    field &= top * 2 - 1;
    return (int)(field ^ top) - (int)top;
}

int64_t average_down(int64_t a, int64_t b)
{
    return (a & b) + ((a ^ b) >> 1);
}

/* What a register of 16 bits with feedback holds after some steps. */
uint16_t shift_register(uint16_t state, unsigned steps)
{
    do {
        unsigned bit = (state ^ state >> 2 ^ state >> 3 ^ state >> 5) & 1;
        state = (uint16_t)(state >> 1 | bit << 15);
    } while (steps-- > 0);
    return state;
}
