/* The vectors were computed by an independent implementation; the first of seed 0 is the published
 * one of xoshiro256** seeded by splitmix64. They may never change: a seed is a program's name. */
#include "base/choice.h"
#include "base/strbuf.h"
#include "tap.h"

static void test_pinned(void)
{
    static const struct {
        uint64_t seed, bits[3];
        int below[10];
    } vectors[] = {
        {0,
         {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0},
         {52, 42, 96, 44, 89, 74, 24, 63, 49, 61}},
        {1,
         {0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514},
         {69, 20, 39, 34, 29, 33, 80, 81, 38, 53}},
        {0xdeadbeefcafef00d,
         {0x9e32cfb5bb93eebb, 0x16006bd9d4ac0014, 0x8ada5d6d34b6538e},
         {59, 20, 14, 56, 82, 4, 36, 21, 55, 44}},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        struct choice c;
        choice_init_random(&c, vectors[i].seed);
        bool same = true;
        for (int k = 0; k < 3; k++)
            same &= choose_bits(&c, 64) == vectors[i].bits[k];
        ok(same, "64 bits from seed %llu", (unsigned long long)vectors[i].seed);
        choice_release(&c);
        choice_init_random(&c, vectors[i].seed);
        same = true;
        for (int k = 0; k < 10; k++)
            same &= choose(&c, 100) == (uint64_t)vectors[i].below[k];
        ok(same, "numbers below 100 from seed %llu", (unsigned long long)vectors[i].seed);
        choice_release(&c);
    }
    static const unsigned weights[] = {5, 0, 1, 4};
    static const size_t picks[] = {3, 0, 0, 0, 3, 0, 3, 0, 2, 3, 0, 2, 0, 3, 3, 3, 0, 0, 0, 3};
    struct choice c;
    choice_init_random(&c, 42);
    bool same = true;
    for (size_t k = 0; k < 20; k++)
        same &= choose_weighted(&c, weights, 4) == picks[k];
    ok(same, "weighted picks from seed 42");
    choice_release(&c);
    choice_init_random(&c, 42);
    int flips = 0;
    for (int k = 0; k < 20; k++)
        flips = flips * 2 + choose_flip(&c, 0.25);
    is_int(flips, 1 << 19, "flips from seed 42: only the first is true");
    choice_release(&c);
}

static void test_distribution(void)
{
    struct choice c;
    choice_init_random(&c, 7);
    int counts[7] = {0};
    for (int i = 0; i < 70000; i++)
        counts[choose(&c, 7)]++;
    bool fair = true;
    for (int i = 0; i < 7; i++)
        fair &= counts[i] > 9600 && counts[i] < 10400;
    ok(fair, "below 7 is fair");
    int yes = 0;
    for (int i = 0; i < 10000; i++)
        yes += choose_flip(&c, 0.3);
    ok(yes > 2850 && yes < 3150, "a flip of 0.3 is true in %d of 10000", yes);
    ok(!choose_flip(&c, 0) && choose_flip(&c, 1), "never and always");
    is_int(choose(&c, 1), 0, "one possibility");
    is_int(choose_bits(&c, 0), 0, "no bits");
    choice_release(&c);
}

/* A little generator: a list of numbers whose length and values are chosen. */
static void make_list(struct choice *c, struct strbuf *out)
{
    static const unsigned weights[] = {1, 0, 2};
    size_t n = (size_t)choose(c, 4);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(out, "%llu%c", (unsigned long long)choose(c, 10),
                    "abc"[choose_weighted(c, weights, 3)]);
    if (choose_flip(c, 0.5))
        strbuf_addf(out, "!%llu", (unsigned long long)choose_bits(c, 3));
}

static void test_replay(void)
{
    bool same = true;
    struct strbuf first, second, text;
    strbuf_init(&first, 0);
    strbuf_init(&second, 0);
    strbuf_init(&text, 0);
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct choice a, b;
        choice_values values = {0};
        strbuf_clear(&first);
        strbuf_clear(&second);
        strbuf_clear(&text);
        choice_init_random(&a, seed);
        a.record = true;
        make_list(&a, &first);
        for (size_t i = 0; i < a.path.n; i++)
            strbuf_addf(&text, "%s%llu", i ? "," : "", (unsigned long long)a.path.at[i].value);
        same &= choice_parse(text.s, &values);
        choice_init_replay(&b, values.at, values.n);
        b.record = true;
        make_list(&b, &second);
        same &= !strcmp(first.s, second.s) && a.path.n == b.path.n;
        choice_release(&a);
        choice_release(&b);
        vec_release(&values);
    }
    ok(same, "what was recorded replays, through its text");

    struct choice c;
    choice_init_replay(&c, (uint64_t[]){13, 7}, 2);
    is_int(choose(&c, 10), 3, "a value out of range wraps");
    ok(choose_flip(&c, 0.5), "also in a flip");
    is_int(choose(&c, 10), 0, "after the end comes the simplest");
    is_int((long long)choose_weighted(&c, (unsigned[]){0, 0, 3, 1}, 4), 2,
           "which is the first that is possible");
    ok(!choose_flip(&c, 1.0 / 3), "and no flip");
    choice_release(&c);
    choice_init_replay(&c, (uint64_t[]){1, 0}, 2);
    ok(!choose_flip(&c, 0), "a replay does not do what never happens");
    ok(choose_flip(&c, 1), "nor leaves out what always does");
    choice_release(&c);

    choice_values values = {0};
    static const char *const wrong[] = {
        "x", "1,", ",1", "1,,2", "-1", "1 2", "99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        ok(!choice_parse(wrong[i], &values) && values.n == 0, "'%s' is no sequence", wrong[i]);
    ok(choice_parse("", &values) && values.n == 0, "the empty sequence is one");
    ok(choice_parse("18446744073709551615,0", &values) && values.n == 2 &&
           values.at[0] == UINT64_MAX,
       "the largest value");
    vec_release(&values);
    strbuf_release(&first);
    strbuf_release(&second);
    strbuf_release(&text);
}

static void test_exhaustive(void)
{
    struct choice c;
    int n = 0, sum = 0;
    choice_init_exhaustive(&c);
    do {
        n++;
        if (choose(&c, 2)) /* 3 ways on one side, 2 * 2 on the other */
            sum += (int)choose(&c, 3);
        else
            sum += 10 * (int)choose_flip(&c, 0.5) + 100 * (int)choose_bits(&c, 1);
    } while (choice_next_sequence(&c));
    is_int(n, 7, "all sequences of a small scope");
    is_int(sum, 0 + 1 + 2 + 10 + 10 + 100 + 100, "each once");
    choice_release(&c);

    choice_init_exhaustive(&c);
    n = 0;
    struct strbuf text, last;
    strbuf_init(&text, 0);
    strbuf_init(&last, 0);
    bool distinct = true;
    do {
        strbuf_clear(&text);
        make_list(&c, &text);
        distinct &= n == 0 || strcmp(text.s, last.s) != 0;
        strbuf_clear(&last);
        strbuf_adds(&last, text.s);
        n++;
    } while (choice_next_sequence(&c));
    /* (1 + 20 + 20^2 + 20^3) lists, times 9 endings */
    is_int(n, 9 * (1 + 20 + 400 + 8000), "all lists of the little generator");
    ok(distinct, "no list follows itself");
    strbuf_release(&text);
    strbuf_release(&last);
    choice_release(&c);
}

int main(void)
{
    test_pinned();
    test_distribution();
    test_replay();
    test_exhaustive();
    return tap_done();
}
