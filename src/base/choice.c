/* Randomness. The generator is xoshiro256** by Blackman and Vigna, seeded with splitmix64 (both
 * public domain algorithms, written anew here). Why not a C library's: rand() differs between
 * systems, and a seed must mean the same program everywhere.
 *
 * A bounded number is drawn by masking to the next power of two and trying again (less than two
 * draws on average). It needs no 128-bit product, so it is the same on every data model. */
#include "base/choice.h"
#include "base/error.h"
#include "base/strbuf.h"

#include <errno.h>

static uint64_t splitmix64(uint64_t *x)
{
    uint64_t z = *x += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

static uint64_t next64(uint64_t s[4])
{
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* All bits of the result are at or below the highest bit of x. */
static uint64_t mask_of(uint64_t x)
{
    for (unsigned shift = 1; shift < 64; shift *= 2)
        x |= x >> shift;
    return x;
}

static uint64_t below(uint64_t s[4], uint64_t n)
{
    if (n == 0)
        return next64(s);
    uint64_t mask = mask_of(n - 1), value;
    do
        value = next64(s) & mask;
    while (value >= n);
    return value;
}

void choice_init_random(struct choice *c, uint64_t seed)
{
    *c = (struct choice){.kind = CHOICE_RANDOM, .seed = seed};
    for (int i = 0; i < 4; i++)
        c->state[i] = splitmix64(&seed);
}

void choice_init_replay(struct choice *c, const uint64_t *values, size_t n)
{
    *c = (struct choice){.kind = CHOICE_REPLAY};
    for (size_t i = 0; i < n; i++)
        vec_push(&c->given, values[i]);
}

void choice_init_exhaustive(struct choice *c)
{
    *c = (struct choice){.kind = CHOICE_EXHAUSTIVE};
}

void choice_release(struct choice *c)
{
    vec_release(&c->given);
    vec_release(&c->path);
}

bool choice_next_sequence(struct choice *c)
{
    REQUIRE(c->kind == CHOICE_EXHAUSTIVE);
    c->path.n = c->next; /* steps beyond the last run belong to an older path */
    c->next = 0;
    while (c->path.n) {
        struct choice_step *last = &c->path.at[c->path.n - 1];
        if (last->limit == 0 ? last->value < UINT64_MAX : last->value + 1 < last->limit) {
            last->value++;
            return true;
        }
        c->path.n--;
    }
    return false;
}

/* A value the way of the back end that is no draw: replay and exhaustive. */
static uint64_t given_value(struct choice *c, uint64_t limit)
{
    if (c->kind == CHOICE_REPLAY) {
        uint64_t value = c->next < c->given.n ? c->given.at[c->next] : 0;
        c->next++;
        return limit ? value % limit : value;
    }
    if (c->next == c->path.n)
        vec_push(&c->path, (struct choice_step){0, limit});
    struct choice_step *step = &c->path.at[c->next++];
    /* The same prefix must lead to the same question, or the generator is not deterministic. */
    REQUIRE(step->limit == limit);
    return step->value;
}

static void remember(struct choice *c, uint64_t value, uint64_t limit)
{
    if (c->record && c->kind != CHOICE_EXHAUSTIVE)
        vec_push(&c->path, (struct choice_step){value, limit});
}

uint64_t choose(struct choice *c, uint64_t n)
{
    REQUIRE(n >= 1);
    uint64_t value = c->kind == CHOICE_RANDOM ? below(c->state, n) : given_value(c, n);
    remember(c, value, n);
    return value;
}

size_t choose_weighted(struct choice *c, const unsigned *weights, size_t n)
{
    uint64_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += weights[i];
    REQUIRE(total > 0);
    size_t i = 0;
    if (c->kind == CHOICE_RANDOM) {
        uint64_t at = below(c->state, total);
        while (at >= weights[i])
            at -= weights[i++];
    } else {
        /* Number the possible outcomes 0, 1, ...: a recorded value never means an impossible one.
         */
        size_t possible = 0;
        for (size_t k = 0; k < n; k++)
            possible += weights[k] != 0;
        uint64_t rank = given_value(c, possible);
        while (weights[i] == 0 || rank-- > 0)
            i++;
    }
    uint64_t rank = 0, possible = 0;
    for (size_t k = 0; k < n; k++) {
        rank += k < i && weights[k] != 0;
        possible += weights[k] != 0;
    }
    remember(c, rank, possible);
    return i;
}

bool choose_flip(struct choice *c, double p)
{
    REQUIRE(p >= 0 && p <= 1);
    bool value;
    if (c->kind == CHOICE_RANDOM)
        /* 53 bits: exactly what a double between 0 and 1 can tell apart. */
        value = (double)(next64(c->state) >> 11) < p * 9007199254740992.0;
    else
        value = given_value(c, 2) != 0;
    if (c->kind == CHOICE_REPLAY && (p == 0 || p == 1))
        value = p == 1; /* a changed sequence may not do what the configuration rules out */
    remember(c, value, 2);
    return value;
}

uint64_t choose_bits(struct choice *c, unsigned n)
{
    REQUIRE(n <= 64);
    uint64_t limit = n == 64 ? 0 : (uint64_t)1 << n;
    uint64_t value =
        c->kind == CHOICE_RANDOM ? (n ? next64(c->state) >> (64 - n) : 0) : given_value(c, limit);
    remember(c, value, limit);
    return value;
}

bool choice_parse(const char *text, choice_values *out)
{
    size_t start = out->n;
    for (const char *p = text; *p;) {
        char *end;
        errno = 0;
        unsigned long long value = strtoull(p, &end, 10);
        bool number = *p >= '0' && *p <= '9' && errno == 0;
        if (!number || (*end && *end != ',') || (*end == ',' && !end[1])) {
            out->n = start;
            return false;
        }
        vec_push(out, value);
        p = *end ? end + 1 : end;
    }
    return true;
}
