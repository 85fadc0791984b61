/* Loops over arrays: sorting, searching, sums, small matrices. */
#include <stdint.h>

void insertion_sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int v = a[i], k = i;
        for (; k > 0 && a[k - 1] > v; k--)
            a[k] = a[k - 1];
        a[k] = v;
    }
}

void shell_sort(short *a, unsigned n)
{
    for (unsigned gap = 7; gap > 0; gap /= 2)
        for (unsigned i = gap; i < n; i++) {
            short v = a[i];
            unsigned k = i;
            while (k >= gap && a[k - gap] > v) {
                a[k] = a[k - gap];
                k -= gap;
            }
            a[k] = v;
        }
}

static void order(unsigned *a, int i, int k)
{
    unsigned low = a[i] < a[k] ? a[i] : a[k], high = a[i] < a[k] ? a[k] : a[i];
    a[i] = low;
    a[k] = high;
}

/* The median of five by a network of seven comparisons. */
unsigned median_of_five(const unsigned *from)
{
    unsigned a[5];
    for (int i = 0; i < 5; i++)
        a[i] = from[i];
    order(a, 0, 1);
    order(a, 3, 4);
    order(a, 0, 3);
    order(a, 1, 4);
    order(a, 1, 2);
    order(a, 2, 3);
    order(a, 1, 2);
    return a[2];
}

int lower_bound(const unsigned char *sorted, int n, unsigned char wanted)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sorted[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void prefix_sums(uint32_t *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}

int64_t dot(const int16_t *a, const int16_t *b, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += (int32_t)a[i] * b[i];
    return sum;
}

unsigned distance(const uint8_t *a, const uint8_t *b)
{
    unsigned sum = 0;
    for (int i = 0; i < 16; i++)
        sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
    return sum;
}

void transpose(unsigned short *m)
{
    for (int row = 0; row < 4; row++)
        for (int column = row + 1; column < 4; column++) {
            unsigned short v = m[row * 4 + column];
            m[row * 4 + column] = m[column * 4 + row];
            m[column * 4 + row] = v;
        }
}

struct matrix {
    uint32_t at[2][2];
};

static struct matrix product(struct matrix a, struct matrix b)
{
    struct matrix out;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            out.at[i][k] = a.at[i][0] * b.at[0][k] + a.at[i][1] * b.at[1][k];
    return out;
}

uint32_t fibonacci(unsigned n)
{
    struct matrix power = {{{1, 0}, {0, 1}}}, step = {{{1, 1}, {1, 0}}};
    for (; n; n >>= 1) {
        if (n & 1)
            power = product(power, step);
        step = product(step, step);
    }
    return power.at[0][1];
}

void smooth(const uint8_t *from, uint8_t *to)
{
    to[0] = from[0];
    to[15] = from[15];
    for (int i = 1; i < 15; i++)
        to[i] = (uint8_t)((from[i - 1] + 2 * from[i] + from[i + 1] + 2) / 4);
}

int largest_sum(const short *a, int n)
{
    int best = 0, here = 0;
    for (int i = 0; i < n; i++) {
        here += a[i];
        if (here < 0)
            here = 0;
        if (here > best)
            best = here;
    }
    return best;
}

void move_up(long *a, int from, int n)
{
    for (int i = n - 1; i >= 0; i--)
        a[from + i + 1] = a[from + i];
}
