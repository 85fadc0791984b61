/* Recursion, searches and small worlds. */
#include <stdint.h>

static int place(unsigned columns, unsigned left, unsigned right, int row, int n)
{
    if (row == n)
        return 1;
    int found = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        found += place(columns | bit, (left | bit) << 1, (right | bit) >> 1, row + 1, n);
    }
    return found;
}

int queens(int n)
{
    return place(0, 0, 0, 0, n);
}

/* One step of Life on a torus of 4 by 4. */
uint16_t next_generation(uint16_t cells)
{
    unsigned out = 0;
    for (int at = 0; at < 16; at++) {
        int row = at >> 2, column = at & 3, near = 0;
        for (int dr = 3; dr <= 5; dr++)
            for (int dc = 3; dc <= 5; dc++)
                if (dr != 4 || dc != 4)
                    near += cells >> (((row + dr) & 3) << 2 | ((column + dc) & 3)) & 1;
        if (near == 3 || (near == 2 && (cells >> at & 1)))
            out |= 1u << at;
    }
    return (uint16_t)out;
}

struct random {
    uint32_t a, b;
    unsigned steps : 5;
    signed last : 11;
};

static uint32_t draw(struct random *r)
{
    r->a = 36969 * (r->a & 65535) + (r->a >> 16);
    r->b = 18000 * (r->b & 65535) + (r->b >> 16);
    r->steps++;
    r->last = (int)(r->a & 1023) - 512;
    return (r->a << 16) + r->b;
}

int64_t drawn(uint32_t seed, int n)
{
    struct random r = {seed | 1, seed * 2654435761u | 1, 0, 0};
    int64_t sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (int64_t)(draw(&r) % 1000) * (i & 1 ? -1 : 1);
        sum += r.last;
    }
    return sum + r.steps;
}

int best_load(const uint8_t *weights, const uint8_t *values, int room)
{
    unsigned short best[64] = {0};
    for (int i = 0; i < 16; i++)
        for (int w = room; w >= weights[i]; w--) {
            unsigned with = best[w - weights[i]] + values[i];
            if (with > best[w])
                best[w] = (unsigned short)with;
        }
    return best[room];
}

unsigned sieve(int n)
{
    _Bool crossed[64] = {0};
    unsigned sum = 0;
    for (int i = 2; i < n; i++) {
        if (crossed[i])
            continue;
        sum += (unsigned)i;
        for (int k = i * i; k < n; k += i)
            crossed[k] = 1;
    }
    return sum;
}

/* The way of a light: what comes after `state` when a button is pressed or time is up. */
int light(int state, int button, int ticks)
{
    while (ticks-- > 0)
        switch (state) {
        case 0:
            if (button)
                state = 1;
            break;
        case 1:
            state = 2 + (ticks & 1);
            /* fall through */
        case 2:
            if (ticks % 3 == 0)
                state = 3;
            break;
        case 3:
            button = 0;
            state = ticks > 4 ? 4 : 0;
            break;
        default:
            state = state * 5 % 7;
        }
    return state;
}
