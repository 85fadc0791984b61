/* Smaller programs from smaller sequences of choices, for any generator.
 *
 * Csmith's Seq-Reduce (7.2.1) changes the recorded sequence and generates again. What comes out is
 * valid by construction, and nothing here knows the language. Its weakness, as told there: a change
 * early in the sequence shifts the meaning of all that follows, and code that was generated late
 * gets lost. So each way below walks from the END of the sequence to its beginning, and besides
 * deleting spans there is zeroing them, which leaves all that follows where it was: 0 is the
 * simplest choice (base/choice.h), and a list that ends early mostly begins with one.
 *
 *     tail      the sequence ends earlier; a replay that runs out of choices goes on with 0
 *     delete    spans of n/2, n/4, ... 1 choices
 *     zero      the same spans
 *     lower     single choices, by all, a half, a quarter, ... of their value: a binary search
 *     sort      spans in rising order
 *     swap      two neighbours of equal length, where the second is the lower one
 *
 * Generating costs no compiler, but it is not free. A way is left when 2000 candidates in a row
 * gained nothing; a shorter sequence for a program that is as large as before is no gain. */
#include "reduce/reduce.h"

#include <string.h>

enum {
    PATIENCE = 2000,   /* candidates in a row without gain */
    EVERY_PLACE = 8,   /* spans up to this length begin anywhere; longer ones side by side */
    HIGHEST_SHIFT = 63 /* of a value */
};

struct sequence {
    uint64_t *at;
    size_t n;
};

/* Change number `i` of a way at this step (0: the boldest), in place. MADE; REFUSED: nothing would
 * change; END: there is no change of this number. */
typedef enum reduce_made edit(struct sequence *s, int step, size_t i);

/* -- the ways ---------------------------------------------------------------------------------- */

static enum reduce_made edit_tail(struct sequence *s, int step, size_t i)
{
    if (step > 0 || i > HIGHEST_SHIFT || !(s->n >> i))
        return REDUCE_END;
    s->n -= s->n >> i;
    return REDUCE_MADE;
}

/* Where span number i, counted from the end, begins. */
static bool span_at(size_t n, size_t length, size_t i, size_t *from)
{
    size_t back = i * (length > EVERY_PLACE ? length : 1);
    if (length == 0 || length > n || back > n - length)
        return false;
    *from = n - length - back;
    return true;
}

static size_t halved(size_t n, int times)
{
    return times > HIGHEST_SHIFT ? 0 : n >> times;
}

static enum reduce_made edit_delete(struct sequence *s, int step, size_t i)
{
    size_t length = halved(s->n, step + 1), from;
    if (!span_at(s->n, length, i, &from))
        return REDUCE_END;
    s->n -= length;
    memmove(s->at + from, s->at + from + length, (s->n - from) * sizeof *s->at);
    return REDUCE_MADE;
}

static enum reduce_made edit_zero(struct sequence *s, int step, size_t i)
{
    size_t length = halved(s->n, step), from;
    bool changed = false;
    if (!span_at(s->n, length, i, &from))
        return REDUCE_END;
    for (size_t k = from; k < from + length; k++) {
        changed |= s->at[k] != 0;
        s->at[k] = 0;
    }
    return changed ? REDUCE_MADE : REDUCE_REFUSED;
}

static enum reduce_made edit_lower(struct sequence *s, int step, size_t i)
{
    if (step > HIGHEST_SHIFT || i >= s->n)
        return REDUCE_END;
    uint64_t *value = &s->at[s->n - 1 - i];
    uint64_t less = *value >> step;
    *value -= less;
    return less ? REDUCE_MADE : REDUCE_REFUSED;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return ORDER(x, y);
}

static enum reduce_made edit_sort(struct sequence *s, int step, size_t i)
{
    size_t length = halved(s->n, step), from;
    bool changed = false;
    if (length < 2 || !span_at(s->n, length, i, &from))
        return REDUCE_END;
    for (size_t k = from + 1; k < from + length; k++)
        changed |= s->at[k - 1] > s->at[k];
    qsort(s->at + from, length, sizeof *s->at, by_value);
    return changed ? REDUCE_MADE : REDUCE_REFUSED;
}

/* Below 0, 0, above: like strcmp, value by value. */
static int compare(const uint64_t *a, const uint64_t *b, size_t n)
{
    size_t k = 0;
    while (k < n && a[k] == b[k])
        k++;
    return k == n ? 0 : by_value(&a[k], &b[k]);
}

static enum reduce_made edit_swap(struct sequence *s, int step, size_t i)
{
    size_t length = halved(s->n, step + 1), from;
    if (!span_at(s->n - length, length, i, &from))
        return REDUCE_END;
    uint64_t *first = s->at + from, *second = first + length;
    if (compare(second, first, length) >= 0)
        return REDUCE_REFUSED;
    for (size_t k = 0; k < length; k++) {
        uint64_t kept = first[k];
        first[k] = second[k];
        second[k] = kept;
    }
    return REDUCE_MADE;
}

static const struct way {
    const char *name;
    edit *edit;
} ways[] = {
    {"choices: tail", edit_tail},   {"choices: delete", edit_delete}, {"choices: zero", edit_zero},
    {"choices: lower", edit_lower}, {"choices: sort", edit_sort},     {"choices: swap", edit_swap},
};

/* -- candidates -------------------------------------------------------------------------------- */

struct search {
    struct reduction *r;
    struct reduce_choices *choices;
    edit *edit;
    int step;
    size_t size; /* of the best program when there was the last gain */
    int idle;    /* candidates generated since then */
};

static enum reduce_made change(const struct search *s, size_t i, struct sequence *out)
{
    memcpy(out->at, s->choices->values.at, s->choices->values.n * sizeof *out->at);
    out->n = s->choices->values.n;
    enum reduce_made made = s->edit(out, s->step, i);
    while (out->n > 0 && out->at[out->n - 1] == 0) /* as if they were not there */
        out->n--;
    return made;
}

static bool smaller(const struct search *s, const struct program *p, const struct sequence *q)
{
    size_t size = program_size(p), best = program_size(&s->r->best.program);
    size_t n = s->choices->values.n;
    if (size != best)
        return size < best;
    return q->n < n || (q->n == n && compare(q->at, s->choices->values.at, n) < 0);
}

static enum reduce_made make_candidate(void *of, size_t i, struct arena *a, struct reduce_case *out)
{
    struct search *s = of;
    struct sequence q = {arena_array(a, uint64_t, s->choices->values.n + 1), 0};
    enum reduce_made made = s->idle < PATIENCE ? change(s, i, &q) : REDUCE_END;
    if (made != REDUCE_MADE)
        return made;
    s->idle++;
    *out = s->r->best;
    if (s->choices->make(s->choices->of, q.at, q.n, a, &out->program) ||
        !smaller(s, &out->program, &q))
        return REDUCE_REFUSED;
    return REDUCE_MADE;
}

static void take(struct search *s, size_t i)
{
    size_t n = s->choices->values.n, size = program_size(&s->r->best.program);
    struct sequence q = {mem_alloc((n + 1) * sizeof *q.at), 0};
    change(s, i, &q);
    memcpy(s->choices->values.at, q.at, q.n * sizeof *q.at);
    s->choices->values.n = q.n;
    if (size < s->size)
        s->idle = 0;
    s->size = size;
    free(q.at);
}

/* -- the order of things ----------------------------------------------------------------------- */

/* All changes of one way: bold ones first. After a gain the same number names what stands before
 * the place of the gain: the walk goes on. */
static int follow(struct reduction *r, struct reduce_choices *c, const struct way *way,
                  struct error *e)
{
    struct search s = {
        .r = r, .choices = c, .edit = way->edit, .size = program_size(&r->best.program)};
    struct reduce_space space = {&s, make_candidate};
    int kept = 0;
    r->pass = way->name;
    for (s.step = 0; s.step <= HIGHEST_SHIFT && s.idle < PATIENCE; s.step++) {
        size_t at = 0;
        int found;
        while ((found = reduction_first(r, &space, &at, e)) == 1) {
            take(&s, at);
            kept++;
        }
        if (found < 0)
            return -1;
    }
    return kept;
}

/* The best is interesting, or we would not be here: another sequence for the same text needs no
 * test. */
static void know_best(struct reduction *r)
{
    char hash[PROGRAM_HASH_SIZE];
    reduce_hash(&r->best, hash);
    map_put_str(&r->known, hash, NULL)->value.number = REDUCE_INTERESTING;
}

int reduce_choices(struct reduction *r, struct reduce_choices *c, struct error *e)
{
    int kept = 0;
    size_t size;
    know_best(r);
    do { /* as long as it helps; a simpler sequence alone is no reason for another round */
        size = program_size(&r->best.program);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            int more = follow(r, c, &ways[i], e);
            if (more < 0)
                return -1;
            kept += more;
        }
    } while (program_size(&r->best.program) < size);
    return kept;
}
