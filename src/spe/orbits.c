/* Modes naive, compact and sound of one part: orbits of fillings under renaming within classes.
 *
 * The representative of an orbit is its least filling: the variables of a class come into use in
 * the order of their indices (restricted growth, SPE 4.1.2, once for each class). So what a hole
 * may hold depends on the holes before it through one number for each class: how many of its
 * variables are in use. Naive has classes of one variable, compact one class per scope; all else is
 * the same.
 *
 * A class that lets no choice of names (one variable, or seen by one hole only) carries no state,
 * and variables of such classes with consecutive numbers are one run. A hole's candidates are thus
 * a short list of runs.
 *
 * Ranks need the number of ways to go on after each prefix, which burnside.c calculates. A table of
 * all states of all holes is four to nine times as fast (9 us against 83 us for 130 holes in four
 * scopes), but it grows with the product of the classes, and no compiler runs that fast. */
#include "spe/burnside.h"
#include "spe/spe_internal.h"

#include <limits.h>

struct run {
    uint32_t first; /* variable */
    int length;
    int class; /* of those that carry state; n_classes: none */
    int base;  /* index in the class of `first` */
};

struct view { /* what a hole sees; holes with the same candidates share it */
    const struct run *runs;
    int n_runs;
    int others;         /* candidates without state */
    const int *classes; /* with state */
    int n_classes;
};

struct step { /* a hole that has several candidates, as spe_next sees it */
    int hole;
    const struct run *run, *first, *end; /* run: that of its present variable */
    bool fresh;                          /* its variable is in use because of it */
};

struct orbits {
    struct arena arena;
    const struct spe_part *part;
    struct spe_variables variables;
    uint32_t **members; /* [variables.n_classes] variables by index */

    int n_classes;                  /* that carry state */
    struct burnside_class *classes; /* sizes: no more than there are holes to see them */
    bool **seen;                    /* theirs, filled in by make_views */
    int *state_of;                  /* [variables.n_classes] number in `classes`, -1: none */
    struct view **views;            /* [n_holes] */
    struct burnside *burnside;

    /* Scratch of unrank, rank, canonical. Past the classes there is one that is never exhausted and
     * never fresh, for runs without state. */
    int *used;         /* [n_classes + 1] */
    int *named;        /* [variables.n_classes] */
    uint32_t *renamed; /* [variables.n] plus 1, 0: not yet */
    uint32_t *copy;    /* [n_holes] */
    struct natural rest, product;
    struct natural reuse, fresh; /* ways to go on after an old variable, and after a fresh one */

    /* Where spe_next stands. */
    struct step *steps;
    int n_steps;
    uint32_t *last; /* [n_holes] what it returned */
    int *in_use;    /* [n_classes + 1] after the last hole */
    bool standing;
};

enum { UNLIMITED = INT_MAX / 2 };

/* -- opening ----------------------------------------------------------------------------------- */

static void number_members(struct orbits *o)
{
    const struct spe_variables *v = &o->variables;
    o->members = arena_array(&o->arena, uint32_t *, v->n_classes);
    for (int c = 0; c < v->n_classes; c++)
        o->members[c] = arena_array(&o->arena, uint32_t, v->class_size[c]);
    for (int i = 0; i < v->n; i++)
        o->members[v->at[i].class][v->at[i].index] = (uint32_t)i;
}

/* How many holes see a scope's variables: those of its subtree. */
static int *count_seers(struct orbits *o)
{
    const struct spe_part *part = o->part;
    int *seers = arena_array(&o->arena, int, part->n_scopes);
    for (int h = 0; h < part->n_holes; h++)
        seers[part->holes[h]]++;
    for (int s = part->n_scopes - 1; s > 0; s--)
        seers[part->scopes[s].parent] += seers[s];
    return seers;
}

static void find_classes(struct orbits *o, const int *seers)
{
    const struct spe_variables *v = &o->variables;
    o->classes = arena_array(&o->arena, struct burnside_class, v->n_classes);
    o->seen = arena_array(&o->arena, bool *, v->n_classes);
    o->state_of = arena_array(&o->arena, int, v->n_classes);
    for (int c = 0; c < v->n_classes; c++) {
        const struct spe_variable *first = &v->at[o->members[c][0]];
        int size = v->class_size[c], most = seers[first->scope];
        size = size < most ? size : most;
        o->state_of[c] = size > 1 ? o->n_classes : -1;
        if (size <= 1)
            continue;
        bool *seen = first->hidden ? arena_array(&o->arena, bool, o->part->n_holes) : NULL;
        o->classes[o->n_classes] = (struct burnside_class){first->scope, size, seen};
        o->seen[o->n_classes++] = seen;
    }
}

/* The runs of a list of candidates, ascending; without those that no representative uses. */
static struct view *make_view(struct orbits *o, const uint32_t *candidates, int n)
{
    struct view *view = arena_new(&o->arena, struct view);
    struct run *runs = arena_array(&o->arena, struct run, n), *end = runs;
    int *classes = arena_array(&o->arena, int, n);
    for (int i = 0; i < n; i++) {
        const struct spe_variable *variable = &o->variables.at[candidates[i]];
        int state = o->state_of[variable->class], class = state >= 0 ? state : o->n_classes;
        if (variable->index >= (state >= 0 ? o->classes[state].size : 1))
            continue;
        if (state < 0)
            view->others++;
        else if (variable->index == 0)
            classes[view->n_classes++] = state;
        struct run *run = end - 1;
        if (end > runs && run->class == class &&
            run->first + (uint32_t)run->length == candidates[i])
            run->length++;
        else
            *end++ = (struct run){candidates[i], 1, class, state >= 0 ? variable->index : 0};
    }
    view->runs = runs;
    view->n_runs = (int)(end - runs);
    view->classes = classes;
    return view;
}

static void make_views(struct orbits *o)
{
    const struct spe_part *part = o->part;
    struct view **of_scope = arena_array(&o->arena, struct view *, part->n_scopes);
    uint32_t *candidates = arena_array(&o->arena, uint32_t, o->variables.n);
    o->views = arena_array(&o->arena, struct view *, part->n_holes);
    int hidden = 0;
    for (int h = 0; h < part->n_holes; h++) {
        while (hidden < part->n_hidden && part->hidden[hidden].hole < h)
            hidden++;
        bool own = hidden < part->n_hidden && part->hidden[hidden].hole == h;
        struct view **shared = own ? &o->views[h] : &of_scope[part->holes[h]];
        if (!*shared)
            *shared = make_view(o, candidates, spe_candidates(part, &o->variables, h, candidates));
        o->views[h] = *shared;
        for (int i = 0; i < o->views[h]->n_classes; i++)
            if (o->seen[o->views[h]->classes[i]])
                o->seen[o->views[h]->classes[i]][h] = true;
    }
}

/* The walks that every count takes. */
static bool is_too_much(const struct orbits *o)
{
    double walks = 1;
    for (int c = 0; c < o->n_classes; c++)
        walks *= o->classes[c].seen ? o->classes[c].size + 1 : 1;
    return walks > BURNSIDE_MOST_WALKS;
}

/* The holes that have more than one candidate after some prefix. The others never move. */
static void find_steps(struct orbits *o)
{
    int n = o->part->n_holes;
    int *before = arena_array(&o->arena, int, o->n_classes); /* holes that see the class */
    o->steps = arena_array(&o->arena, struct step, n);
    for (int h = 0; h < n; h++) {
        const struct view *view = o->views[h];
        int most = view->others;
        for (int i = 0; i < view->n_classes; i++) {
            int class = view->classes[i], size = o->classes[class].size;
            most += before[class] + 1 < size ? before[class] + 1 : size;
            before[class]++;
        }
        if (most > 1)
            o->steps[o->n_steps++] =
                (struct step){h, NULL, view->runs, view->runs + view->n_runs, false};
    }
}

static void count_all(struct orbits *o, struct natural *count)
{
    int *others = arena_array(&o->arena, int, o->part->n_holes + 1);
    for (int h = 0; h < o->part->n_holes; h++)
        others[h] = o->views[h]->others;
    o->burnside = burnside_new(o->part, o->classes, o->n_classes, others);
    burnside_count(o->burnside, 0, o->used, count);
}

static int orbits_open(const struct spe_part *part, enum spe_mode mode, struct natural *count,
                       void **state, struct error *error)
{
    struct orbits *o = mem_alloc(sizeof *o);
    *o = (struct orbits){.part = part};
    arena_init(&o->arena);
    natural_init(&o->rest);
    natural_init(&o->reuse);
    natural_init(&o->fresh);
    natural_init(&o->product);
    o->variables = spe_variables(part, mode, &o->arena);
    number_members(o);
    find_classes(o, count_seers(o));
    make_views(o);
    find_steps(o);
    if (is_too_much(o)) {
        arena_release(&o->arena);
        free(o);
        return error_set(error, ERROR_USAGE,
                         "too many interchangeable variables that some hole does not see");
    }
    o->used = arena_array(&o->arena, int, o->n_classes + 1);
    o->in_use = arena_array(&o->arena, int, o->n_classes + 1);
    o->named = arena_array(&o->arena, int, o->variables.n_classes);
    o->renamed = arena_array(&o->arena, uint32_t, o->variables.n);
    o->copy = arena_array(&o->arena, uint32_t, part->n_holes);
    o->last = arena_array(&o->arena, uint32_t, part->n_holes);
    count_all(o, count);
    *state = o;
    return 0;
}

static void orbits_close(void *state)
{
    struct orbits *o = state;
    burnside_free(o->burnside);
    natural_clear(&o->rest);
    natural_clear(&o->reuse);
    natural_clear(&o->fresh);
    natural_clear(&o->product);
    arena_release(&o->arena);
    free(o);
}

/* -- ranks ------------------------------------------------------------------------------------- */

static void begin_walk(struct orbits *o)
{
    memset(o->used, 0, sizeof *o->used * (size_t)o->n_classes);
    o->used[o->n_classes] = UNLIMITED;
}

/* How many variables of a run are in use; one more is the fresh one, if the run goes on. */
static int old_in_run(const struct run *run, const int *used)
{
    int old = used[run->class] - run->base;
    return old < 0 ? 0 : old > run->length ? run->length : old;
}

static bool has_fresh(const struct run *run, const int *used)
{
    int old = used[run->class] - run->base;
    return old >= 0 && old < run->length;
}

/* The variable of a hole that o->rest falls on; what it exceeds that variable's first rank by stays
 * in o->rest. All old variables leave the same ways to go on, a fresh one leaves others. */
static uint32_t unrank_hole(struct orbits *o, int hole)
{
    const struct view *view = o->views[hole];
    burnside_count(o->burnside, hole + 1, o->used, &o->reuse);
    for (const struct run *run = view->runs; run < view->runs + view->n_runs; run++) {
        int old = old_in_run(run, o->used);
        natural_mul_u64(&o->product, &o->reuse, (uint64_t)old);
        if (natural_compare(&o->rest, &o->product) < 0) {
            uint64_t index = 0;
            natural_divide(&o->product, &o->rest, &o->rest, &o->reuse);
            natural_fits_u64(&o->product, &index);
            return run->first + (uint32_t)index;
        }
        natural_sub(&o->rest, &o->rest, &o->product);
        if (!has_fresh(run, o->used))
            continue;
        o->used[run->class]++;
        if (run + 1 == view->runs + view->n_runs) /* nothing else is left */
            return run->first + (uint32_t)old;
        burnside_count(o->burnside, hole + 1, o->used, &o->fresh);
        if (natural_compare(&o->rest, &o->fresh) < 0)
            return run->first + (uint32_t)old;
        natural_sub(&o->rest, &o->rest, &o->fresh);
        o->used[run->class]--;
    }
    BUG("a rank that is not below the count");
}

static void orbits_unrank(void *state, const struct natural *rank, uint32_t *filling)
{
    struct orbits *o = state;
    begin_walk(o);
    natural_set(&o->rest, rank);
    for (int h = 0; h < o->part->n_holes; h++)
        filling[h] = unrank_hole(o, h);
}

/* The inverse of unrank_hole: adds to the rank what lies before the variable. */
static void rank_hole(struct orbits *o, int hole, uint32_t variable, struct natural *rank)
{
    const struct view *view = o->views[hole];
    burnside_count(o->burnside, hole + 1, o->used, &o->reuse);
    for (const struct run *run = view->runs; run < view->runs + view->n_runs; run++) {
        int old = old_in_run(run, o->used);
        bool here = variable >= run->first && variable - run->first < (uint32_t)run->length;
        int index = here ? (int)(variable - run->first) : run->length;
        natural_mul_u64(&o->product, &o->reuse, (uint64_t)(index < old ? index : old));
        natural_add(rank, rank, &o->product);
        if (has_fresh(run, o->used) && (!here || index == old)) {
            o->used[run->class]++;
            if (here)
                return;
            burnside_count(o->burnside, hole + 1, o->used, &o->fresh);
            natural_add(rank, rank, &o->fresh);
            o->used[run->class]--;
        }
        if (here)
            return;
    }
    BUG("variable %u is no candidate of hole %d", (unsigned)variable, hole);
}

/* Each class takes its variables into use in index order. */
static void orbits_canonical(void *state, uint32_t *filling)
{
    struct orbits *o = state;
    const struct spe_variables *v = &o->variables;
    memset(o->named, 0, sizeof *o->named * (size_t)v->n_classes);
    memset(o->renamed, 0, sizeof *o->renamed * (size_t)v->n);
    for (int h = 0; h < o->part->n_holes; h++) {
        REQUIRE(filling[h] < (uint32_t)v->n);
        int class = v->at[filling[h]].class;
        uint32_t *renamed = &o->renamed[filling[h]];
        if (!*renamed)
            *renamed = 1 + o->members[class][o->named[class]++];
        filling[h] = *renamed - 1;
    }
}

static void orbits_rank(void *state, const uint32_t *filling, struct natural *rank)
{
    struct orbits *o = state;
    size_t n = (size_t)o->part->n_holes;
    begin_walk(o);
    memcpy(o->copy, filling, sizeof *filling * n);
    orbits_canonical(o, o->copy);
    natural_set_u64(rank, 0);
    for (int h = 0; h < o->part->n_holes; h++)
        rank_hole(o, h, o->copy[h], rank);
}

/* -- the next one ------------------------------------------------------------------------------ */

/* Puts a variable of a run in a hole. */
static void take(struct step *step, const struct run *run, uint32_t index, int *in_use)
{
    step->run = run;
    step->fresh = in_use[run->class] == run->base + (int)index;
    in_use[run->class] += step->fresh;
}

/* Stand where the filling is, whoever made it. */
static void stand_at(struct orbits *o, const uint32_t *filling)
{
    int k = 0;
    memset(o->in_use, 0, sizeof *o->in_use * (size_t)o->n_classes);
    o->in_use[o->n_classes] = UNLIMITED;
    for (int h = 0; h < o->part->n_holes; h++) {
        const struct run *run = o->views[h]->runs, *end = run + o->views[h]->n_runs;
        while (run < end && filling[h] - run->first >= (uint32_t)run->length)
            run++;
        REQUIRE(run < end); /* and a representative: nothing is skipped in its class */
        REQUIRE(run->base + (int)(filling[h] - run->first) <= o->in_use[run->class]);
        struct step unmoved, *step = &unmoved;
        if (k < o->n_steps && o->steps[k].hole == h)
            step = &o->steps[k++];
        take(step, run, filling[h] - run->first, o->in_use);
    }
    memcpy(o->last, filling, sizeof *filling * (size_t)o->part->n_holes);
    o->standing = true;
}

/* The next variable of a hole with the holes before it unchanged, and none after it. */
static bool advance(struct step *step, uint32_t *variable, int *in_use)
{
    const struct run *run = step->run;
    in_use[run->class] -= step->fresh;
    uint32_t index = *variable - run->first + 1;
    for (;;) {
        if ((int)index < run->length && run->base + (int)index <= in_use[run->class]) {
            take(step, run, index, in_use);
            *variable = run->first + index;
            return true;
        }
        if (++run == step->end)
            return false;
        index = 0;
    }
}

/* From the last hole back to one that can advance, and the first candidate to all after it: its
 * number is always the same. Holes that never move are no steps, and of the others on a path only
 * a fixed share has one candidate at the moment, so the time per filling is constant on average.
 * (The comparison reads eight holes in an instruction; it lets the caller change the filling.) */
static bool orbits_next(void *state, uint32_t *filling, int *from)
{
    struct orbits *o = state;
    if (!o->standing || memcmp(o->last, filling, sizeof *filling * (size_t)o->part->n_holes) != 0)
        stand_at(o, filling);
    int k = o->n_steps - 1, *in_use = o->in_use;
    while (k >= 0 && !advance(&o->steps[k], &filling[o->steps[k].hole], in_use))
        k--;
    if (k < 0) {
        o->standing = false;
        return false;
    }
    *from = o->steps[k].hole;
    o->last[*from] = filling[*from];
    for (k++; k < o->n_steps; k++) {
        struct step *step = &o->steps[k];
        take(step, step->first, 0, in_use);
        o->last[step->hole] = filling[step->hole] = step->first->first;
    }
    return true;
}

const struct spe_mode_ops spe_orbits_ops = {
    .open = orbits_open,
    .close = orbits_close,
    .unrank = orbits_unrank,
    .rank = orbits_rank,
    .canonical = orbits_canonical,
    .next = orbits_next,
};
