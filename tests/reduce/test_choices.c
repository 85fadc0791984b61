/* Sequences of choices: a toy generator, whose programs matter only if they say MAGIC with a number
 * that is large enough, wherever in the sequence that was chosen. */
#include "base/choice.h"
#include "reduce/fake.h"
#include "tap.h"

/* -- the toy generator ------------------------------------------------------------------------- */

struct toy {
    int64_t made;
    bool grows; /* the shorter the sequence, the longer the program */
};

static void add_list(struct choice *c, struct strbuf *out, int depth)
{
    uint64_t n = choose(c, 8);
    for (uint64_t i = 0; i < n; i++)
        switch (choose(c, depth < 3 ? 4 : 3)) {
        case 0:
            strbuf_adds(out, "a; ");
            break;
        case 1:
            strbuf_addf(out, "b = %llu; ", (unsigned long long)choose_bits(c, 16));
            break;
        case 2:
            strbuf_addf(out, "MAGIC(%llu); ", (unsigned long long)choose(c, 1000));
            break;
        default:
            strbuf_adds(out, "{ ");
            add_list(c, out, depth + 1);
            strbuf_adds(out, "} ");
        }
}

static int make_toy(void *of, const uint64_t *values, size_t n, struct arena *a,
                    struct program *out)
{
    struct toy *toy = of;
    struct choice c;
    struct strbuf text;
    toy->made++;
    if (n > 0 && values[0] == 777)
        return 1; /* no program */
    choice_init_replay(&c, values, n);
    strbuf_init(&text, 0);
    add_list(&c, &text, 0);
    for (size_t i = n; toy->grows && i < 4000; i++)
        strbuf_addc(&text, '.');
    struct program_file *file = arena_new(a, struct program_file);
    *out = fake_case(file, "toy", arena_strdup(a, text.s), "").program;
    strbuf_release(&text);
    choice_release(&c);
    return 0;
}

/* A recorded random sequence whose program is interesting. */
static uint64_t record(uint64_t seed, fake_predicate *interesting, struct arena *a,
                       struct reduce_choices *out, struct reduce_case *c)
{
    for (;; seed++) {
        struct choice random;
        struct strbuf text;
        choice_init_random(&random, seed);
        random.record = true;
        strbuf_init(&text, 0);
        add_list(&random, &text, 0);
        out->values.n = 0;
        for (size_t i = 0; i < random.path.n; i++)
            vec_push(&out->values, random.path.at[i].value);
        *c = fake_case(arena_new(a, struct program_file), "toy", arena_strdup(a, text.s), "-O2");
        strbuf_release(&text);
        choice_release(&random);
        if (out->values.n > 60 && interesting(c))
            return seed;
    }
}

static bool says_magic(const struct reduce_case *c)
{
    for (const char *at = fake_text(c); (at = strstr(at, "MAGIC(")); at++)
        if (atoi(at + 6) >= 137)
            return true;
    return false;
}

/* Only in third place or later. */
static bool says_magic_late(const struct reduce_case *c)
{
    const char *at = strstr(fake_text(c), "MAGIC(");
    return at && strchr(fake_text(c), ';') < at && strstr(fake_text(c), "{ ") &&
           strstr(fake_text(c), "{ ") < at;
}

static bool is_anything(const struct reduce_case *c)
{
    (void)c;
    return true;
}

static bool is_never(const struct reduce_case *c)
{
    (void)c;
    return false;
}

/* -- tests ------------------------------------------------------------------------------------- */

static void values_text(const struct reduce_choices *c, struct strbuf *out)
{
    strbuf_init(out, 0);
    for (size_t i = 0; i < c->values.n; i++)
        strbuf_addf(out, "%s%llu", i ? "," : "", (unsigned long long)c->values.at[i]);
}

static int64_t reduce_seed(uint64_t seed, int slots, enum fake_order order,
                           fake_predicate *interesting, struct arena *a, const char **text,
                           const char **values)
{
    struct toy toy = {0};
    struct reduce_choices choices = {.of = &toy, .make = make_toy};
    struct reduce_case c;
    struct fake f;
    struct reduction r;
    struct error e = {0};
    struct strbuf list;
    record(seed, interesting, a, &choices, &c);
    fake_init(&f, slots, order, interesting);
    reduction_init(&r, &f.test, &c);
    int kept = reduce_choices(&r, &choices, &e);
    ok(kept > 0 && kept == r.stats.kept, "seed %llu, %d slots, order %d: %d steps",
       (unsigned long long)seed, slots, order, kept);
    is_int(f.broken + f.wrong + f.busy, 0, "the contract was kept");
    struct program again;
    make_toy(&toy, choices.values.at, choices.values.n, a, &again);
    is_str(again.files[0].text, fake_text(&r.best), "the sequence makes the best");
    is_str(r.best.flags, "-O2", "flags are as they were");
    values_text(&choices, &list);
    *text = arena_strdup(a, fake_text(&r.best));
    *values = arena_strdup(a, list.s);
    strbuf_release(&list);
    vec_release(&choices.values);
    reduction_release(&r);
    fake_release(&f);
    return f.begun;
}

static void test_small(void)
{
    struct arena a;
    arena_init(&a);
    for (uint64_t seed = 1; seed < 400; seed += 50) {
        const char *text, *values;
        int64_t tests = reduce_seed(seed, 1, FAKE_FIRST, says_magic, &a, &text, &values);
        is_str(text, "MAGIC(137); ", "one statement, its number as low as can be");
        is_str(values, "1,2,137", "and the simplest sequence for it");
        ok(tests < 250, "%lld tests", (long long)tests);
    }
    arena_release(&a);
}

static void test_same_for_all(void)
{
    static const int slot_counts[] = {1, 2, 5};
    struct arena a;
    arena_init(&a);
    const char *first_text = NULL, *first_values = NULL;
    for (int i = 0; i < 3; i++)
        for (enum fake_order o = 0; o < FAKE_ORDERS; o++) {
            const char *text, *values;
            reduce_seed(9000, slot_counts[i], o, says_magic_late, &a, &text, &values);
            first_text = first_text ? first_text : text;
            first_values = first_values ? first_values : values;
            is_str(text, first_text, "the same program");
            is_str(values, first_values, "of the same sequence");
        }
    ok(strlen(first_text) <= 25, "a small one: %s", first_text);
    arena_release(&a);
}

/* The program that is all zero is interesting: it takes one test to find out. */
static void test_nothing_left(void)
{
    struct arena a;
    const char *text, *values;
    arena_init(&a);
    int64_t tests = reduce_seed(5, 1, FAKE_FIRST, is_anything, &a, &text, &values);
    is_str(text, "", "nothing is left");
    is_str(values, "", "nor of the sequence");
    is_int(tests, 1, "one test");
    arena_release(&a);
}

/* Candidates that are not smaller are not tested, and the search for others has an end. */
static void test_bounds(void)
{
    struct toy toy = {.grows = true};
    struct reduce_choices choices = {.of = &toy, .make = make_toy};
    struct program_file file;
    struct reduce_case c = fake_case(&file, "toy", "a; ", "");
    struct fake f;
    struct reduction r;
    for (uint64_t i = 0; i < 3000; i++)
        vec_push(&choices.values, 1 + i % 5);
    fake_init(&f, 2, FAKE_LAST, is_anything);
    reduction_init(&r, &f.test, &c);
    is_int(reduce_choices(&r, &choices, NULL), 0, "nothing smaller, nothing kept");
    is_int(f.begun, 0, "nothing tested");
    is_int(choices.values.n, 3000, "the sequence is as it was");
    ok(toy.made > 2000 && toy.made <= 6 * 2000, "%lld candidates were looked at",
       (long long)toy.made);
    reduction_release(&r);
    fake_release(&f);

    toy = (struct toy){0};
    fake_init(&f, 2, FAKE_LAST, is_never);
    static char dots[4001];
    memset(dots, '.', sizeof dots - 1);
    file = (struct program_file){"t", dots, sizeof dots - 1};
    reduction_init(&r, &f.test, &c);
    is_int(reduce_choices(&r, &choices, NULL), 0, "nothing interesting, nothing kept");
    ok(f.begun > 0 && toy.made <= 6 * 2000, "%lld candidates, %lld tests", (long long)toy.made,
       (long long)f.begun);
    is_int(f.begun, r.stats.tests, "tests are counted");
    vec_release(&choices.values);
    reduction_release(&r);
    fake_release(&f);
}

static void test_stop(void)
{
    int wrong = 0, stopped = 0;
    for (int64_t k = 1; k < 40; k += 3) {
        struct toy toy = {0};
        struct reduce_choices choices = {.of = &toy, .make = make_toy};
        struct reduce_case c;
        struct arena a;
        struct fake f;
        struct reduction r;
        struct error e = {0};
        struct program again;
        arena_init(&a);
        record(1, says_magic, &a, &choices, &c);
        fake_init(&f, 2, FAKE_LAST, says_magic);
        f.stop_after = k;
        reduction_init(&r, &f.test, &c);
        r.stop = &f.stop;
        stopped += reduce_choices(&r, &choices, &e) == -1;
        make_toy(&toy, choices.values.at, choices.values.n, &a, &again);
        wrong += e.kind || f.busy || f.broken || strcmp(again.files[0].text, fake_text(&r.best));
        r.stop = NULL;
        wrong += reduce_choices(&r, &choices, &e) < 0;
        wrong += strcmp(fake_text(&r.best), "MAGIC(137); ") != 0;
        reduction_release(&r);
        fake_release(&f);
        vec_release(&choices.values);
        arena_release(&a);
    }
    ok(stopped > 5, "%d reductions were stopped", stopped);
    is_int(wrong, 0, "sequence and best belong together, and both go on");
}

int main(void)
{
    test_small();
    test_same_for_all();
    test_nothing_left();
    test_bounds();
    test_stop();
    return tap_done();
}
