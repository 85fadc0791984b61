/* Hierarchical delta debugging (Misherghi and Su, 2006), on trees whose attributes say what is
 * valid.
 *
 * A candidate is an edit of the best derivation. To make one is to copy the nodes, derive the tree
 * and print it: less than a microsecond per node, nothing beside a test. So the space of edits is
 * listed anew after each success, and nothing is kept from one tree to the next but where in the
 * order of sizes the walk stood. */
#include "reduce/lala.h"
#include "ag/derive.h"

/* In this order where they take the same away. */
enum edit_kind {
    EDIT_FREE,
    EDIT_PART,
    EDIT_SPLICE,
    EDIT_ELSEWHERE,
    EDIT_FRESH,
    EDIT_PRODUCTION,
    EDIT_SIMPLEST,
};

struct edit {
    enum edit_kind kind;
    size_t at;
    size_t from;  /* PART, ELSEWHERE: the subtree; FRESH, PRODUCTION: its number */
    int64_t gain; /* bytes, about */
};

struct cost {
    size_t bytes, nodes, leaves; /* leaves and numbers that are not the simplest */
};

struct lala_pass {
    struct reduction *r;
    struct reduce_lala *l;
    struct ag_derivation best;
    struct cost cost;
    struct arena keep[2]; /* the best, and the place for the next best */
    int kept_in;
    struct arena scratch; /* of the edit at hand */
    struct arena arena;
    const uint32_t *const *least; /* [class][production]: bytes of the shortest text */
    VEC(struct edit) edits;
    size_t list; /* the list at work */
    bool failed; /* a runtime function crashed */
    struct error *e;
};

/* -- a candidate ------------------------------------------------------------------------------- */

static struct cost cost_of(const struct lala_pass *p, const struct ag_derivation *d, size_t bytes)
{
    struct cost c = {bytes, d->n, 0};
    for (size_t i = 0; i < d->n; i++)
        c.leaves += !ag_derived_simplest(p->l->search, d, i);
    return c;
}

static bool less(struct cost a, struct cost b)
{
    if (a.bytes != b.bytes)
        return a.bytes < b.bytes;
    if (a.nodes != b.nodes)
        return a.nodes < b.nodes;
    return a.leaves < b.leaves;
}

static enum reduce_made give_up(struct lala_pass *p)
{
    p->failed = true;
    return REDUCE_END;
}

/* Is the tree of the search smaller than the best? -1: a runtime function crashed. */
static int smaller(struct lala_pass *p, const struct program *program)
{
    struct ag_derivation d;
    size_t bytes = program_size(program);
    if (bytes != p->cost.bytes)
        return bytes < p->cost.bytes;
    if (ag_search_derivation(p->l->search, &p->scratch, &d, p->e))
        return -1;
    return less(cost_of(p, &d, bytes), p->cost);
}

static enum reduce_made make(struct lala_pass *p, const struct ag_derivation *d, struct arena *a,
                             struct reduce_case *out)
{
    p->l->stats.derived++;
    int invalid = ag_search_derive(p->l->search, d, AG_DERIVE_REPAIR, p->e);
    if (invalid < 0)
        return give_up(p);
    if (invalid) {
        p->l->stats.invalid++;
        return REDUCE_REFUSED;
    }
    if (p->l->program(p->l->of, a, &out->program, p->e))
        return give_up(p);
    out->flags = p->r->best.flags;
    int is_smaller = smaller(p, &out->program);
    if (is_smaller < 0)
        return give_up(p);
    p->l->stats.larger += !is_smaller;
    return is_smaller ? REDUCE_MADE : REDUCE_REFUSED;
}

/* The tree that the search holds is that of r->best. */
static int take_tree(struct lala_pass *p)
{
    int next = !p->kept_in;
    arena_reset(&p->keep[next]);
    if (ag_search_derivation(p->l->search, &p->keep[next], &p->best, p->e))
        return -1;
    p->kept_in = next;
    p->cost = cost_of(p, &p->best, program_size(&p->r->best.program));
    return 0;
}

/* The candidate of this derivation has become r->best. */
static void take(struct lala_pass *p, const struct ag_derivation *d)
{
    if (ag_search_derive(p->l->search, d, AG_DERIVE_REPAIR, p->e) || take_tree(p))
        p->failed = true;
}

/* -- lists ------------------------------------------------------------------------------------- */

static bool drop(struct lala_pass *p, size_t from, size_t n, struct ag_derivation *d)
{
    arena_reset(&p->scratch);
    return ag_edit_drop(p->l->search, &p->best, p->list, from, n, &p->scratch, d);
}

static size_t count_elements(void *of)
{
    struct lala_pass *p = of;
    return p->failed ? 0 : ag_list_length(p->l->search, &p->best, p->list);
}

static enum reduce_made make_shorter(void *of, size_t from, size_t n, struct arena *a,
                                     struct reduce_case *out)
{
    struct lala_pass *p = of;
    struct ag_derivation d;
    return drop(p, from, n, &d) ? make(p, &d, a, out) : REDUCE_REFUSED;
}

static void took_elements(void *of, size_t from, size_t n)
{
    struct lala_pass *p = of;
    struct ag_derivation d;
    if (!drop(p, from, n, &d))
        BUG("an edit that was made cannot be made again");
    take(p, &d);
}

/* Outer lists stand before inner ones. What stands before a list is not touched when its elements
 * go, so that it stays where it is. */
static int reduce_lists(struct lala_pass *p)
{
    const struct reduce_atoms atoms = {p, count_elements, make_shorter, took_elements, 0, 0};
    int kept = 0;
    p->r->pass = "lists";
    for (p->list = 0; p->list < p->best.n; p->list++) {
        if (!ag_list_length(p->l->search, &p->best, p->list))
            continue;
        int taken = reduction_atoms(p->r, &atoms, p->e);
        if (taken < 0 || p->failed)
            return -1;
        kept += taken;
    }
    return kept;
}

/* -- edits ------------------------------------------------------------------------------------- */

enum {
    SMALL_TREE = 600, /* nodes up to which parts of parts and those from elsewhere are tried */
    ELSEWHERE = 2,    /* subtrees from elsewhere that are tried for one */
    FRESH = 3,        /* the same of productions with the shortest texts */
};

static void add_edit(struct lala_pass *p, enum edit_kind kind, size_t at, size_t from, int64_t gain)
{
    vec_push(&p->edits, (struct edit){kind, at, from, gain});
}

/* Its own parts of the same class, in large trees only those that are in no other such part; and,
 * if it is an element of a list, all of them at once. */
static void add_parts(struct lala_pass *p, size_t at)
{
    const struct ag_derived *n = &p->best.at[at];
    int64_t bytes = 0;
    size_t end = 0, found = 0; /* of the last part that is in no other */
    for (size_t i = at + 1; i < at + n->span; i++) {
        const struct ag_derived *part = &p->best.at[i];
        if (part->class != n->class || part->is_rest || (i < end && p->best.n > SMALL_TREE))
            continue;
        add_edit(p, EDIT_PART, at, i, (int64_t)n->bytes - part->bytes);
        if (i < end)
            continue;
        bytes += part->bytes;
        end = i + part->span;
        found++;
    }
    if (found > 1)
        add_edit(p, EDIT_SPLICE, at, 0, (int64_t)n->bytes - bytes);
}

/* The smallest subtrees of its class that are not a part of it, each of another size. */
static void add_elsewhere(struct lala_pass *p, size_t at)
{
    const struct ag_derived *n = &p->best.at[at];
    uint32_t above = 0;
    for (int k = 0; k < ELSEWHERE; k++) {
        size_t found = 0;
        for (size_t i = 1; i < p->best.n; i++) {
            const struct ag_derived *other = &p->best.at[i];
            if (other->class == n->class && other->span < n->span && other->bytes < n->bytes &&
                other->bytes > above && (i < at || i >= at + n->span) &&
                (!found || other->bytes < p->best.at[found].bytes))
                found = i;
        }
        if (!found)
            return;
        above = p->best.at[found].bytes;
        add_edit(p, EDIT_ELSEWHERE, at, found, (int64_t)n->bytes - above);
    }
}

/* Those with the shortest texts, whatever the smallest subtree by nodes was. */
static void add_fresh(struct lala_pass *p, size_t at)
{
    const struct ag_derived *n = &p->best.at[at];
    const uint32_t *least = p->least[n->class];
    int best[FRESH], found = 0;
    for (int i = 0; ag_production_children(p->l->search, &p->best, at, i) >= 0; i++) {
        int place = found;
        if (least[i] >= n->bytes)
            continue;
        for (; place > 0 && least[best[place - 1]] > least[i]; place--)
            if (place < FRESH)
                best[place] = best[place - 1];
        if (place < FRESH)
            best[place] = i;
        found += found < FRESH;
    }
    for (int i = 0; i < found; i++)
        add_edit(p, EDIT_FRESH, at, (size_t)best[i], (int64_t)n->bytes - least[best[i]]);
}

/* Those with fewer children of the node's own. */
static void add_productions(struct lala_pass *p, size_t at)
{
    const struct ag_search *s = p->l->search;
    int own = (int)ag_derived_children(s, &p->best, at), n;
    for (int i = 0; (n = ag_production_children(s, &p->best, at, i)) >= 0; i++)
        if (n > 0 && n < own)
            add_edit(p, EDIT_PRODUCTION, at, (size_t)i, p->best.at[at].bytes / 2);
}

static int by_gain(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    int order = ORDER(y->gain, x->gain);
    order = order ? order : ORDER(x->at, y->at);
    order = order ? order : ORDER(x->kind, y->kind);
    return order ? order : ORDER(x->from, y->from);
}

static void list_edits(struct lala_pass *p)
{
    p->edits.n = 0;
    for (size_t i = 0; i < p->best.n; i++) {
        const struct ag_derived *n = &p->best.at[i];
        if (!ag_derived_simplest(p->l->search, &p->best, i))
            add_edit(p, EDIT_SIMPLEST, i, 0, n->span == 1 ? n->bytes : 0);
        if (n->span == 1 || n->is_rest) /* links of lists are left to reduce_lists */
            continue;
        if (i && n->span > ag_derived_least(p->l->search, &p->best, i))
            add_edit(p, EDIT_FREE, i, 0, n->bytes);
        add_parts(p, i);
        if (p->best.n <= SMALL_TREE) {
            add_elsewhere(p, i);
            add_fresh(p, i);
        }
        add_productions(p, i);
    }
    vec_sort(&p->edits, by_gain);
}

static bool do_edit(struct lala_pass *p, const struct edit *e, struct ag_derivation *d)
{
    const struct ag_search *s = p->l->search;
    arena_reset(&p->scratch);
    switch (e->kind) {
    case EDIT_FREE:
        return ag_edit_free(s, &p->best, e->at, &p->scratch, d);
    case EDIT_PART:
    case EDIT_ELSEWHERE:
        return ag_edit_graft(s, &p->best, e->at, e->from, &p->scratch, d);
    case EDIT_SPLICE:
        return ag_edit_splice(s, &p->best, e->at, &p->scratch, d);
    case EDIT_FRESH:
        return ag_edit_fresh(s, &p->best, e->at, (int)e->from, &p->scratch, d);
    case EDIT_PRODUCTION:
        return ag_edit_production(s, &p->best, e->at, (int)e->from, &p->scratch, d);
    case EDIT_SIMPLEST:
        return ag_edit_simplest(s, &p->best, e->at, &p->scratch, d);
    }
    return false;
}

static enum reduce_made make_edit(void *of, size_t i, struct arena *a, struct reduce_case *out)
{
    struct lala_pass *p = of;
    struct ag_derivation d;
    if (i >= p->edits.n || p->failed)
        return REDUCE_END;
    return do_edit(p, &p->edits.at[i], &d) ? make(p, &d, a, out) : REDUCE_REFUSED;
}

/* After a success the walk goes on with what takes no more away than that did: the larger edits
 * have had their turn. */
static int reduce_edits(struct lala_pass *p)
{
    const struct reduce_space space = {p, make_edit};
    int kept = 0;
    size_t at = 0;
    p->r->pass = "subtrees";
    list_edits(p);
    for (;;) {
        int found = reduction_first(p->r, &space, &at, p->e);
        if (found < 0 || p->failed)
            return -1;
        if (!found)
            return kept;
        struct edit done = p->edits.at[at];
        struct ag_derivation d;
        if (!do_edit(p, &done, &d))
            BUG("an edit that was made cannot be made again");
        take(p, &d);
        if (p->failed)
            return -1;
        kept++;
        list_edits(p);
        for (at = 0; at < p->edits.n && p->edits.at[at].gain > done.gain;)
            at++;
    }
}

/* -- all of it --------------------------------------------------------------------------------- */

static int to_fixpoint(struct lala_pass *p)
{
    int kept = 0, round;
    do {
        int lists = reduce_lists(p);
        int edits = lists < 0 ? -1 : reduce_edits(p);
        if (edits < 0)
            return -1;
        round = lists + edits;
        kept += round;
    } while (round);
    return kept;
}

int reduce_lala(struct reduction *r, struct reduce_lala *l, struct error *e)
{
    struct lala_pass p = {.r = r, .l = l, .e = e};
    arena_init(&p.keep[0]);
    arena_init(&p.keep[1]);
    arena_init(&p.scratch);
    arena_init(&p.arena);
    p.least = ag_least_texts(l->search, &p.arena);
    int kept = -1;
    if (!take_tree(&p)) {
        kept = to_fixpoint(&p);
        /* the last candidate need not have been the best */
        if (ag_search_derive(l->search, &p.best, AG_DERIVE_REPAIR, e))
            kept = -1;
    }
    vec_release(&p.edits);
    arena_release(&p.keep[0]);
    arena_release(&p.keep[1]);
    arena_release(&p.scratch);
    arena_release(&p.arena);
    return kept;
}
