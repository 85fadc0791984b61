/* The engine: the first candidate in order wins, whoever answers first; nothing is asked twice;
 * every slot is given back; an interrupted reduction ends where an uninterrupted one does. */
#include "reduce/fake.h"
#include "tap.h"

static const int slot_counts[] = {1, 2, 5};
enum { SLOT_COUNTS = 3 };

/* -- candidates that are numbers --------------------------------------------------------------- */

/* Candidate i is the text of the number i; multiples of 10 are refused. */
struct numbers {
    size_t n;
};

static enum reduce_made make_number(void *of, size_t i, struct arena *a, struct reduce_case *out)
{
    const struct numbers *s = of;
    if (i >= s->n)
        return REDUCE_END;
    struct program_file *file = arena_new(a, struct program_file);
    *out = fake_case(file, "none", arena_printf(a, "%zu", i), "");
    return i % 10 ? REDUCE_MADE : REDUCE_REFUSED;
}

static bool is_13_or_15(const struct reduce_case *c)
{
    return !strcmp(fake_text(c), "13") || !strcmp(fake_text(c), "15");
}

static bool is_never(const struct reduce_case *c)
{
    (void)c;
    return false;
}

static void test_first(int slots, enum fake_order order)
{
    struct fake f;
    struct program_file file;
    struct reduce_case c = fake_case(&file, "none", "start", "");
    struct reduction r;
    struct error e = {0};
    struct numbers numbers = {40};
    struct reduce_space space = {&numbers, make_number};
    size_t at = 2;
    fake_init(&f, slots, order, is_13_or_15);
    reduction_init(&r, &f.test, &c);
    r.pass = "numbers";
    is_int(reduction_first(&r, &space, &at, &e), 1, "%d slots, order %d: found", slots, order);
    is_int(at, 13, "the first in order");
    is_str(fake_text(&r.best), "13", "it is the best");
    at = 14;
    is_int(reduction_first(&r, &space, &at, &e), 1, "the next one too");
    is_int(at, 15, "it is 15");
    at = 16;
    is_int(reduction_first(&r, &space, &at, &e), 0, "there is no other");
    is_int(r.stats.kept, 2, "two were kept");
    ok(r.stats.refused >= 3, "multiples of ten were refused");
    int64_t tests = r.stats.tests;
    at = 16;
    is_int(reduction_first(&r, &space, &at, &e), 0, "still none");
    is_int(r.stats.tests, tests, "and no test was needed to know that");
    at = 99;
    is_int(reduction_first(&r, &space, &at, &e), 0, "behind the end there is nothing");
    is_int(f.begun, r.stats.tests, "tests are counted");
    is_int(f.bettered, 2, "each better case was told");
    is_int(f.broken + f.wrong + f.busy, 0, "the contract was kept");
    is_int(f.most_busy, slots, "all slots were used");
    reduction_release(&r);
    fake_release(&f);
}

/* What comes behind a success is dropped, not waited for. */
static void test_drop(void)
{
    struct fake f;
    struct program_file file;
    struct reduce_case c = fake_case(&file, "none", "start", "");
    struct reduction r;
    struct numbers numbers = {40};
    struct reduce_space space = {&numbers, make_number};
    size_t at = 13;
    fake_init(&f, 5, FAKE_FIRST, is_13_or_15);
    reduction_init(&r, &f.test, &c);
    r.pass = "numbers";
    is_int(reduction_first(&r, &space, &at, NULL), 1, "the first answer is the one");
    is_int(f.begun, 5, "five were begun");
    is_int(f.dropped, 4, "four of them were dropped");
    is_int(f.broken + f.wrong + f.busy, 0, "the contract was kept");
    reduction_release(&r);
    fake_release(&f);
}

static void test_failure(int slots)
{
    struct fake f;
    struct program_file file;
    struct reduce_case c = fake_case(&file, "none", "start", "");
    struct reduction r;
    struct error e = {0};
    struct numbers numbers = {40};
    struct reduce_space space = {&numbers, make_number};
    size_t at = 0;
    fake_init(&f, slots, FAKE_LAST, is_never);
    f.fail_at = 7;
    reduction_init(&r, &f.test, &c);
    is_int(reduction_first(&r, &space, &at, &e), -1, "%d slots: a test that cannot begin", slots);
    is_str(e.message, "no room on the device", "ends the search with its reason");
    is_str(fake_text(&r.best), "start", "the best is what it was");
    is_int(f.broken + f.busy, 0, "slots that were begun are given back, no others");
    reduction_release(&r);
    fake_release(&f);
}

/* -- atoms: letters of a text ------------------------------------------------------------------ */

struct letters {
    struct reduction *r;
    char text[128];
    size_t largest; /* group seen */
    size_t smallest;
};

static size_t count_letters(void *of)
{
    return strlen(((struct letters *)of)->text);
}

static enum reduce_made make_letters(void *of, size_t from, size_t n, struct arena *a,
                                     struct reduce_case *out)
{
    struct letters *l = of;
    l->largest = n > l->largest ? n : l->largest;
    l->smallest = n < l->smallest ? n : l->smallest;
    struct program_file *file = arena_new(a, struct program_file);
    *out = fake_case(file, "none",
                     arena_printf(a, "%.*s%s", (int)from, l->text, l->text + from + n), "");
    return REDUCE_MADE;
}

static void took_letters(void *of, size_t from, size_t n)
{
    char *text = ((struct letters *)of)->text;
    memmove(text + from, text + from + n, strlen(text + from + n) + 1);
}

static bool has_capitals(const struct reduce_case *c)
{
    return strchr(fake_text(c), 'A') && strchr(fake_text(c), 'B') && strchr(fake_text(c), 'C');
}

static const char alphabet[] = "abcdefgAhijklmnopqrstuvwxyz0123456789BabcdefghijklmnopqrstuvwxyzC";

static int reduce_letters(struct fake *f, const struct reduce_atoms *like, struct letters *l,
                          struct reduction *r, struct error *e)
{
    struct program_file file;
    struct reduce_case c = fake_case(&file, "none", alphabet, "");
    reduction_init(r, &f->test, &c);
    r->pass = "letters";
    r->stop = &f->stop;
    *l = (struct letters){.r = r, .smallest = SIZE_MAX};
    memcpy(l->text, alphabet, sizeof alphabet);
    struct reduce_atoms atoms = *like;
    atoms.of = l;
    atoms.count = count_letters;
    atoms.make = make_letters;
    atoms.took = took_letters;
    return reduction_atoms(r, &atoms, e);
}

static void test_atoms(int slots, enum fake_order order)
{
    struct fake f;
    struct reduction r;
    struct letters l;
    struct error e = {0};
    const struct reduce_atoms all = {0};
    fake_init(&f, slots, order, has_capitals);
    int kept = reduce_letters(&f, &all, &l, &r, &e);
    is_str(fake_text(&r.best), "ABC", "%d slots, order %d: three letters stay", slots, order);
    is_str(l.text, "ABC", "the caller knows");
    is_int(kept, r.stats.kept, "steps are counted");
    is_int(l.largest, sizeof alphabet - 1, "all at once was tried");
    ok(slots > 1 || f.begun <= 50, "%lld tests with one slot", (long long)f.begun);
    is_int(f.broken + f.wrong + f.busy, 0, "the contract was kept");
    reduction_release(&r);

    int64_t begun = f.begun;
    f.recalls = true;
    reduce_letters(&f, &all, &l, &r, &e);
    is_str(fake_text(&r.best), "ABC", "once more, with what is known: the same");
    ok(slots > 1 || f.begun == begun, "no test is run again");
    is_int(r.stats.tests, f.begun - begun, "tests of this run");
    ok(r.stats.remembered > 20, "answers were remembered (%lld)", (long long)r.stats.remembered);
    reduction_release(&r);
    fake_release(&f);
}

static void test_group_sizes(void)
{
    struct fake f;
    struct reduction r;
    struct letters l;
    const struct reduce_atoms some = {.least = 3, .most = 12};
    fake_init(&f, 1, FAKE_FIRST, has_capitals);
    reduce_letters(&f, &some, &l, &r, NULL);
    is_int(l.largest, 12, "groups are not larger than wanted");
    is_int(l.smallest >= 1 && strlen(l.text) > 3, 1, "and single ones are not tried");
    reduction_release(&r);
    fake_release(&f);
}

/* Stopped after k tests for every k, then started again with what is known. */
static void test_stop(int slots)
{
    const struct reduce_atoms all = {0};
    int stopped = 0, wrong = 0;
    for (int64_t k = 1; k < 60; k++) {
        struct fake f;
        struct reduction r;
        struct letters l;
        struct error e = {0};
        fake_init(&f, slots, FAKE_SCATTERED, has_capitals);
        f.stop_after = k;
        int status = reduce_letters(&f, &all, &l, &r, &e);
        stopped += status == -1;
        wrong += status == -1 && (e.kind != ERROR_NONE || f.begun != k);
        wrong += !has_capitals(&r.best) || f.broken || f.wrong || f.busy;
        reduction_release(&r);
        f.stop_after = f.stop = 0;
        f.recalls = true;
        wrong += reduce_letters(&f, &all, &l, &r, &e) < 0;
        wrong += strcmp(fake_text(&r.best), "ABC") != 0;
        reduction_release(&r);
        fake_release(&f);
    }
    ok(stopped > 20, "%d slots: %d runs were stopped on their way", slots, stopped);
    is_int(wrong, 0, "without an error, with an interesting best, and they could go on");
}

static void test_hash(void)
{
    struct program_file a, b;
    struct reduce_case x = fake_case(&a, "c", "text", "-O1"), y = fake_case(&b, "c", "text", "-O1");
    char one[PROGRAM_HASH_SIZE], two[PROGRAM_HASH_SIZE];
    reduce_hash(&x, one);
    reduce_hash(&y, two);
    is_str(one, two, "equal cases have equal hashes");
    y.flags = "-O2";
    reduce_hash(&y, two);
    ok(strcmp(one, two), "flags make a difference");
    y.flags = "-O1";
    y.program.expected = bytes_of("7");
    reduce_hash(&y, two);
    ok(strcmp(one, two), "and what is expected");
}

int main(void)
{
    for (int i = 0; i < SLOT_COUNTS; i++) {
        for (enum fake_order o = 0; o < FAKE_ORDERS; o++) {
            test_first(slot_counts[i], o);
            test_atoms(slot_counts[i], o);
        }
        test_failure(slot_counts[i]);
        test_stop(slot_counts[i]);
    }
    test_drop();
    test_group_sizes();
    test_hash();
    return tap_done();
}
