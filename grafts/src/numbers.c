/* Arithmetic: fixed point, saturation, number theory, calendars. */
#include <stdint.h>

int saturated_sum(int a, int b)
{
    if (b > 0 && a > INT32_MAX - b)
        return INT32_MAX;
    if (b < 0 && a < INT32_MIN - b)
        return INT32_MIN;
    return a + b;
}

/* Q16.16 */
int32_t fixed_product(int32_t a, int32_t b)
{
    int64_t wide = (int64_t)a * b + 0x8000;
    return (int32_t)(wide >> 16);
}

int32_t fixed_quotient(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * 65536 / b);
}

uint32_t root(uint64_t n)
{
    uint64_t left = n, result = 0, bit = (uint64_t)1 << 62;
    while (bit > n)
        bit >>= 2;
    for (; bit; bit >>= 2) {
        if (left >= result + bit) {
            left -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
    }
    return (uint32_t)result;
}

unsigned divisor(unsigned a, unsigned b)
{
    return b ? divisor(b, a % b) : a;
}

uint32_t power_modulo(uint32_t base, uint32_t exponent, uint32_t m)
{
    uint64_t result = 1 % m, square = base % m;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1)
            result = result * square % m;
        square = square * square % m;
    }
    return (uint32_t)result;
}

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int day_of_year(int year, int month, int day)
{
    static const short before[12] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    return before[month - 1] + day + (month > 2 && is_leap(year));
}

int collatz(unsigned n, int most)
{
    int steps = 0;
    while (n > 1 && steps < most) {
        n = n & 1 ? n / 2 + n + 1 : n / 2;
        steps++;
    }
    return n > 1 ? -1 : steps;
}

static const int16_t quarter_wave[17] = {0,    98,   195,  290,  383,  473,  558,  639, 714,
                                         783,  846,  902,  951,  992,  1023, 1046, 1060};

/* Of an angle in 64ths of a turn; between entries of the table by their difference. */
int wave(int angle, int fraction)
{
    int quadrant = angle >> 4 & 3, at = angle & 15;
    int from = quadrant & 1 ? quarter_wave[16 - at] : quarter_wave[at];
    int to = quadrant & 1 ? quarter_wave[15 - at] : quarter_wave[at + 1];
    int value = from + (to - from) * (fraction & 255) / 256;
    return quadrant & 2 ? -value : value;
}

int clamped_blend(int a, int b, int weight)
{
    int mixed = (a * (256 - weight) + b * weight + 128) >> 8;
    return mixed < 0 ? 0 : mixed > 255 ? 255 : mixed;
}
