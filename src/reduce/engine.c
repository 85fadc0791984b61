/* Candidates in, answers out: the order, the memory, the slots. */
#include "reduce/reduce.h"

#include <string.h>

void reduce_hash(const struct reduce_case *c, char hash[PROGRAM_HASH_SIZE])
{
    char program[PROGRAM_HASH_SIZE];
    struct strbuf text;
    program_hash(&c->program, program);
    strbuf_init(&text, 0);
    strbuf_addf(&text, "%s %s", program, c->flags);
    if (c->program.expected.data) { /* the same text with another answer is another question */
        strbuf_addc(&text, ' ');
        strbuf_add(&text, c->program.expected.data, c->program.expected.size);
    }
    hash_bytes(text.s, text.n, hash);
    strbuf_release(&text);
}

static void copy_case(struct arena *a, const struct reduce_case *from, struct reduce_case *to)
{
    *to = *from;
    to->flags = arena_strdup(a, from->flags);
    to->program = program_copy(a, &from->program);
}

static void keep(struct reduction *r, const struct reduce_case *c)
{
    int next = !r->kept_in;
    arena_reset(&r->keep[next]);
    copy_case(&r->keep[next], c, &r->best);
    r->kept_in = next;
}

void reduction_init(struct reduction *r, const struct reduce_test *test,
                    const struct reduce_case *c)
{
    *r = (struct reduction){.test = test, .pass = ""};
    arena_init(&r->first);
    arena_init(&r->keep[0]);
    arena_init(&r->keep[1]);
    language_of_program(&c->program, &r->first, &r->language);
    r->work = mem_alloc((size_t)test->slots * sizeof *r->work);
    for (int i = 0; i < test->slots; i++)
        arena_init(&r->work[i]);
    map_init(&r->known);
    keep(r, c);
}

void reduction_release(struct reduction *r)
{
    for (int i = 0; i < r->test->slots; i++)
        arena_release(&r->work[i]);
    free(r->work);
    map_release(&r->known);
    arena_release(&r->first);
    arena_release(&r->keep[0]);
    arena_release(&r->keep[1]);
}

/* -- what is known ----------------------------------------------------------------------------- */

static int recall(struct reduction *r, const char *hash)
{
    const struct map_entry *seen = map_find_str(&r->known, hash);
    if (seen)
        return (int)seen->value.number;
    return r->test->recall ? r->test->recall(r->test->of, hash) : -1;
}

static void learn(struct reduction *r, const char *hash, enum reduce_answer answer)
{
    map_put_str(&r->known, hash, NULL)->value.number = answer;
    if (r->test->note)
        r->test->note(r->test->of, hash, answer);
}

/* -- candidates in order ----------------------------------------------------------------------- */

struct pending { /* a candidate whose turn has come or will come */
    size_t number;
    enum { FREE, TESTING, ANSWERED } state;
    enum reduce_answer answer;
    char hash[PROGRAM_HASH_SIZE];
    struct reduce_case c;
};

struct window {
    struct reduction *r;
    const struct reduce_space *space;
    struct pending *slots;
    size_t next;  /* number of the candidate that is made next */
    bool ended;   /* there are no more */
    size_t found; /* the lowest interesting number so far; SIZE_MAX: none */
};

static int fill(struct window *w, int slot, struct error *e)
{
    struct reduction *r = w->r;
    struct pending *p = &w->slots[slot];
    while (!w->ended && w->next < w->found && !(r->stop && *r->stop)) {
        arena_reset(&r->work[slot]);
        size_t number = w->next++;
        enum reduce_made made = w->space->make(w->space->of, number, &r->work[slot], &p->c);
        if (made == REDUCE_END)
            w->ended = true;
        if (made == REDUCE_REFUSED)
            r->stats.refused++;
        if (made != REDUCE_MADE)
            continue;
        reduce_hash(&p->c, p->hash);
        int known = recall(r, p->hash);
        p->number = number;
        if (known >= 0) {
            r->stats.remembered++;
            if (known == REDUCE_BORING)
                continue;
            w->found = number;
            p->state = ANSWERED;
            p->answer = REDUCE_INTERESTING;
            return 0;
        }
        if (r->test->begin(r->test->of, slot, &p->c, e))
            return -1;
        r->stats.tests++;
        p->state = TESTING;
        return 0;
    }
    return 0;
}

static int in_test(const struct window *w)
{
    int n = 0;
    for (int i = 0; i < w->r->test->slots; i++)
        n += w->slots[i].state == TESTING;
    return n;
}

/* Whoever comes behind the best number does not matter any more. */
static void drop_later(struct window *w)
{
    for (int i = 0; i < w->r->test->slots; i++)
        if (w->slots[i].state == TESTING && w->slots[i].number > w->found) {
            w->r->test->drop(w->r->test->of, i);
            w->slots[i].state = FREE;
        }
}

static int await(struct window *w, struct error *e)
{
    int slot;
    enum reduce_answer answer;
    if (w->r->test->end(w->r->test->of, &slot, &answer, e))
        return -1;
    struct pending *p = &w->slots[slot];
    learn(w->r, p->hash, answer);
    p->state = FREE;
    if (answer == REDUCE_INTERESTING && p->number < w->found) {
        w->found = p->number;
        p->state = ANSWERED;
        p->answer = answer;
    }
    return 0;
}

static int search(struct window *w, struct error *e)
{
    do {
        for (int i = 0; i < w->r->test->slots; i++)
            if (w->slots[i].state == FREE && fill(w, i, e))
                return -1;
        drop_later(w);
        if (in_test(w) && await(w, e))
            return -1;
        if (w->r->stop && *w->r->stop)
            return -1;
    } while (in_test(w) || (!w->ended && w->found == SIZE_MAX));
    return 0;
}

int reduction_first(struct reduction *r, const struct reduce_space *s, size_t *at, struct error *e)
{
    struct window w = {.r = r, .space = s, .next = *at, .found = SIZE_MAX};
    w.slots = mem_alloc((size_t)r->test->slots * sizeof *w.slots);
    memset(w.slots, 0, (size_t)r->test->slots * sizeof *w.slots);
    int status = search(&w, e);
    if (status) /* nobody waits for what is still running */
        for (int i = 0; i < r->test->slots; i++)
            if (w.slots[i].state == TESTING)
                r->test->drop(r->test->of, i);
    for (int i = 0; !status && i < r->test->slots; i++)
        if (w.slots[i].state == ANSWERED && w.slots[i].number == w.found) {
            keep(r, &w.slots[i].c);
            r->stats.kept++;
            if (r->test->better)
                r->test->better(r->test->of, &r->best, r->pass);
            *at = w.found;
            status = 1;
            break;
        }
    free(w.slots);
    return status;
}

/* -- atoms ------------------------------------------------------------------------------------- */

struct groups {
    const struct reduce_atoms *atoms;
    size_t size, count; /* of a group; of all atoms */
};

static enum reduce_made make_group(void *of, size_t i, struct arena *a, struct reduce_case *out)
{
    const struct groups *g = of;
    size_t from = i * g->size;
    if (from >= g->count)
        return REDUCE_END;
    size_t n = g->count - from < g->size ? g->count - from : g->size;
    return g->atoms->make(g->atoms->of, from, n, a, out);
}

/* Groups from the end to the beginning would do as well; in this order what stands first goes
 * first. After a success the groups behind it are tried, those before it have been. */
int reduction_atoms(struct reduction *r, const struct reduce_atoms *atoms, struct error *e)
{
    size_t least = atoms->least ? atoms->least : 1;
    int kept = 0;
    size_t size = atoms->count(atoms->of);
    if (atoms->most && size > atoms->most)
        size = atoms->most;
    for (; size >= least && size > 0; size /= 2) {
        size_t at = 0;
        int found = 1;
        while (found == 1) {
            struct groups g = {atoms, size, atoms->count(atoms->of)};
            struct reduce_space space = {&g, make_group};
            found = reduction_first(r, &space, &at, e);
            if (found < 0)
                return -1;
            if (found) {
                size_t from = at * size, left = g.count - from;
                atoms->took(atoms->of, from, left < size ? left : size);
                kept++;
            }
        }
    }
    return kept;
}
