/* A test of interest that answers at once, and hands its answers out in an order that suits nobody.
 *
 * `begin` asks the predicate. `end` picks one of the slots that are busy: the last begun, the
 * first, or one by a rule that looks random. All that the contract of struct reduce_test forbids
 * is counted in `broken`, and better cases that are not interesting in `wrong`. */
#ifndef ASSAY_TESTS_REDUCE_FAKE_H
#define ASSAY_TESTS_REDUCE_FAKE_H

#include "reduce/reduce.h"

enum { FAKE_SLOTS = 8 };
enum fake_order { FAKE_LAST, FAKE_FIRST, FAKE_SCATTERED, FAKE_ORDERS };

typedef bool fake_predicate(const struct reduce_case *c);

struct fake {
    struct reduce_test test;
    fake_predicate *interesting;
    enum fake_order order;
    struct {
        bool busy;
        int64_t since;
        enum reduce_answer answer;
    } slots[FAKE_SLOTS];
    int64_t begun, dropped, bettered;
    int busy, most_busy;
    int broken, wrong;
    int64_t stop_after; /* tests; 0: never */
    int64_t fail_at;    /* the test that cannot be begun; 0: none */
    volatile int stop;
    struct map answers; /* of all runs with this fake */
    bool recalls;
};

static int fake_begin(void *of, int slot, const struct reduce_case *c, struct error *e)
{
    struct fake *f = of;
    f->broken += slot < 0 || slot >= f->test.slots || f->slots[slot].busy;
    if (++f->begun == f->fail_at)
        return error_set(e, ERROR_ENVIRONMENT, "no room on the device");
    f->slots[slot].busy = true;
    f->slots[slot].since = f->begun;
    f->slots[slot].answer = f->interesting(c) ? REDUCE_INTERESTING : REDUCE_BORING;
    f->busy++;
    f->most_busy = f->busy > f->most_busy ? f->busy : f->most_busy;
    if (f->stop_after && f->begun >= f->stop_after)
        f->stop = 1;
    return 0;
}

static int64_t fake_rank(const struct fake *f, int slot)
{
    switch (f->order) {
    case FAKE_LAST:
        return -f->slots[slot].since;
    case FAKE_FIRST:
        return f->slots[slot].since;
    default:
        return (f->slots[slot].since * 7919 + f->begun * 31) % 101;
    }
}

static int fake_end(void *of, int *slot, enum reduce_answer *answer, struct error *e)
{
    struct fake *f = of;
    int pick = -1;
    (void)e;
    for (int i = 0; i < f->test.slots; i++)
        if (f->slots[i].busy && (pick < 0 || fake_rank(f, i) < fake_rank(f, pick)))
            pick = i;
    if (pick < 0)
        return error_set(e, ERROR_USAGE, "nothing was begun");
    *slot = pick;
    *answer = f->slots[pick].answer;
    f->slots[pick].busy = false;
    f->busy--;
    return 0;
}

static void fake_drop(void *of, int slot)
{
    struct fake *f = of;
    f->broken += !f->slots[slot].busy;
    f->slots[slot].busy = false;
    f->busy--;
    f->dropped++;
}

static int fake_recall(void *of, const char *hash)
{
    const struct fake *f = of;
    const struct map_entry *known = f->recalls ? map_find_str(&f->answers, hash) : NULL;
    return known ? (int)known->value.number : -1;
}

static void fake_note(void *of, const char *hash, enum reduce_answer answer)
{
    struct fake *f = of;
    map_put_str(&f->answers, hash, NULL)->value.number = answer;
}

static void fake_better(void *of, const struct reduce_case *c, const char *pass)
{
    struct fake *f = of;
    f->bettered++;
    f->wrong += !f->interesting(c) || !pass || !*pass;
}

__attribute__((unused)) static void fake_init(struct fake *f, int slots, enum fake_order order,
                                              fake_predicate *interesting)
{
    *f = (struct fake){.order = order, .interesting = interesting};
    f->test = (struct reduce_test){.of = f,
                                   .slots = slots,
                                   .begin = fake_begin,
                                   .end = fake_end,
                                   .drop = fake_drop,
                                   .recall = fake_recall,
                                   .note = fake_note,
                                   .better = fake_better};
    map_init(&f->answers);
}

__attribute__((unused)) static void fake_release(struct fake *f)
{
    map_release(&f->answers);
}

/* A case of one file, with the text itself. */
__attribute__((unused)) static struct reduce_case
fake_case(struct program_file *file, const char *language, const char *text, const char *flags)
{
    *file = (struct program_file){"t", text, strlen(text)};
    return (struct reduce_case){.program = {.language = language,
                                            .files = file,
                                            .n_files = 1,
                                            .needs = "",
                                            .made = {"", "", "", 0, NULL}},
                                .flags = flags};
}

/* The text of the first file, for strstr; it has a NUL behind it, in every room of this house. */
__attribute__((unused)) static const char *fake_text(const struct reduce_case *c)
{
    return c->program.n_files ? c->program.files[0].text : "";
}

#endif
