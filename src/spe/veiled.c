/* Mode pattern where some hole does not see a variable that is in scope.
 *
 * What a hole may hold is then no path up a tree any more, and homes (pattern.c) say nothing. Here
 * variables that the same holes see are a kind, a hole has the set of its kinds, and a block that
 * of its holes in common; blocks are served by different variables if they can be matched to kinds
 * with room for all. A prefix whose blocks are matched can be extended, for every hole has a
 * candidate: either a block has it, or it is free for a new one.
 *
 * The ways to go on depend on the holes that are left and on how many blocks have which set. They
 * are counted recursively and kept, which may take exponential time. Few files hide anything, and
 * those that do have few kinds; a part that needs more than MOST_STATES is refused. */
#include "base/map.h"
#include "base/vec.h"
#include "spe/spe_internal.h"

#define NONE (-1)
enum { MOST_KINDS = 64, MOST_STATES = 20 * 1000, MOST_HOLES = 10 * 1000 };

typedef uint64_t kinds; /* a set of them */

struct veiled {
    struct arena arena;
    int n_holes, n_kinds;
    uint32_t n_variables;
    int *kind_of;             /* by variable */
    int room[MOST_KINDS];     /* variables of the kind */
    uint32_t *of[MOST_KINDS]; /* them, ascending */
    kinds *hole;              /* what it sees */

    /* the string so far */
    int n, n_blocks;
    int *block;    /* [n_holes] of each hole */
    kinds *before; /* [n_holes] the set of its block without it */
    kinds *set;    /* [n_blocks] */

    /* scratch */
    int *served, *block_of, *string; /* kind of each block; by variable; by hole */
    int taken[MOST_KINDS];
    uint32_t *last; /* the filling that the string, if complete, stands for */

    struct map memo; /* holes left and sorted sets -> number of `counts` */
    VEC(struct natural *) counts;
    bool refused;
};

/* -- matching ---------------------------------------------------------------------------------- */

/* Kuhn's algorithm with room for several: serve the block, if need be by serving others anew. */
static bool serve(struct veiled *v, int block, kinds *tried)
{
    kinds open = v->set[block] & ~*tried;
    for (int k = 0; k < v->n_kinds; k++) {
        if (!(open >> k & 1) || (*tried >> k & 1))
            continue;
        *tried |= (kinds)1 << k;
        bool free = v->taken[k] < v->room[k];
        for (int b = 0; b < v->n_blocks && !free; b++)
            if (v->served[b] == k && serve(v, b, tried)) {
                v->taken[k]--; /* it has moved to another kind */
                free = true;
            }
        if (free) {
            v->served[block] = k;
            v->taken[k]++;
            return true;
        }
    }
    return false;
}

/* Can the blocks from `from` on be served by what `used` (NULL: nothing) leaves? */
static bool matched(struct veiled *v, int from, const int *used)
{
    for (int k = 0; k < v->n_kinds; k++)
        v->taken[k] = used ? used[k] : 0;
    for (int b = 0; b < v->n_blocks; b++)
        v->served[b] = NONE;
    for (int b = from; b < v->n_blocks; b++) {
        kinds tried = 0;
        if (!serve(v, b, &tried))
            return false;
    }
    return true;
}

/* -- the string -------------------------------------------------------------------------------- */

/* The next hole goes into a block, an old one or n_blocks. False: it cannot be served; the hole is
 * in it all the same. */
static bool push(struct veiled *v, int block)
{
    int hole = v->n++;
    v->block[hole] = block;
    if (block == v->n_blocks) {
        v->n_blocks++;
        v->before[hole] = 0;
        v->set[block] = v->hole[hole];
    } else {
        v->before[hole] = v->set[block];
        v->set[block] &= v->hole[hole];
    }
    return v->set[block] && (v->before[hole] == v->set[block] || matched(v, 0, NULL));
}

static void pop(struct veiled *v)
{
    int hole = --v->n, block = v->block[hole];
    if (v->before[hole])
        v->set[block] = v->before[hole];
    else
        v->n_blocks--;
}

static void clear(struct veiled *v)
{
    v->n = v->n_blocks = 0;
}

static bool push_least(struct veiled *v, int block)
{
    for (; block <= v->n_blocks; block++) {
        if (push(v, block))
            return true;
        pop(v);
    }
    return false;
}

static void load(struct veiled *v, const uint32_t *filling)
{
    clear(v);
    for (uint32_t i = 0; i < v->n_variables; i++)
        v->block_of[i] = NONE;
    for (int h = 0; h < v->n_holes; h++) {
        REQUIRE(filling[h] < v->n_variables);
        int *block = &v->block_of[filling[h]];
        if (*block == NONE)
            *block = v->n_blocks;
        push(v, *block);
    }
}

/* -- the least filling ------------------------------------------------------------------------- */

/* Each block in turn takes the least variable that leaves enough for those after it. */
static uint32_t choose_variable(struct veiled *v, int block, int *used)
{
    kinds open = v->set[block];
    for (;;) {
        int best = NONE;
        for (int k = 0; k < v->n_kinds; k++)
            if ((open >> k & 1) && used[k] < v->room[k] &&
                (best == NONE || v->of[k][used[k]] < v->of[best][used[best]]))
                best = k;
        REQUIRE(best != NONE);
        used[best]++;
        if (matched(v, block + 1, used))
            return v->of[best][used[best] - 1];
        used[best]--;
        open &= ~((kinds)1 << best);
    }
}

static void write_filling(struct veiled *v, uint32_t *filling)
{
    int used[MOST_KINDS] = {0};
    uint32_t *chosen = mem_alloc(sizeof *chosen * ((size_t)v->n_blocks + 1));
    for (int b = 0; b < v->n_blocks; b++)
        chosen[b] = choose_variable(v, b, used);
    for (int h = 0; h < v->n_holes; h++)
        v->last[h] = filling[h] = chosen[v->block[h]];
    free(chosen);
}

static void veiled_canonical(void *state, uint32_t *filling)
{
    struct veiled *v = state;
    load(v, filling);
    write_filling(v, filling);
}

static bool veiled_next(void *state, uint32_t *filling, int *from)
{
    struct veiled *v = state;
    size_t n = (size_t)v->n_holes;
    if (v->n < v->n_holes || memcmp(v->last, filling, sizeof *filling * n) != 0)
        veiled_canonical(v, filling);
    int block;
    do {
        if (v->n == 0)
            return false;
        block = v->block[v->n - 1];
        pop(v);
    } while (!push_least(v, block + 1));
    while (v->n < v->n_holes)
        REQUIRE(push_least(v, 0));
    uint32_t *old = mem_alloc(sizeof *old * (n + 1));
    memcpy(old, filling, sizeof *old * n);
    write_filling(v, filling);
    for (*from = 0; *from < v->n_holes && filling[*from] == old[*from];)
        ++*from;
    free(old);
    return true;
}

/* -- counting ---------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    const kinds *x = a, *y = b;
    return ORDER(*x, *y);
}

/* The state as a key; the caller frees it. */
static kinds *make_key(const struct veiled *v, size_t *size)
{
    kinds *key = mem_alloc(sizeof *key * ((size_t)v->n_blocks + 1));
    key[0] = (kinds)v->n;
    memcpy(key + 1, v->set, sizeof *key * (size_t)v->n_blocks);
    qsort(key + 1, (size_t)v->n_blocks, sizeof *key, by_value);
    *size = sizeof *key * ((size_t)v->n_blocks + 1);
    return key;
}

static const struct natural *completions(struct veiled *v);

/* The ways to go on with the next hole in the block; 0 if that cannot be. */
static const struct natural *count_choice(struct veiled *v, int block)
{
    const struct natural *n = push(v, block) ? completions(v) : v->counts.at[0];
    pop(v);
    return n;
}

static const struct natural *completions(struct veiled *v)
{
    size_t size;
    bool added;
    if (v->n == v->n_holes)
        return v->counts.at[1];
    if (v->refused)
        return v->counts.at[0];
    kinds *key = make_key(v, &size);
    struct map_entry *entry = map_put(&v->memo, key, size, &added);
    free(key);
    if (!added)
        return v->counts.at[entry->value.number];
    struct natural *sum = naturals_new(1);
    entry->value.number = v->counts.n;
    vec_push(&v->counts, sum);
    v->refused = v->counts.n > MOST_STATES;
    for (int b = 0; b <= v->n_blocks; b++) {
        int twin = 0; /* an earlier block of the same set has as many */
        while (twin < b && !(b < v->n_blocks && v->set[twin] == v->set[b]))
            twin++;
        if (twin < b)
            continue;
        uint64_t alike = 1;
        for (int c = b + 1; c < v->n_blocks; c++)
            alike += v->set[c] == v->set[b];
        struct natural product;
        natural_init(&product);
        natural_mul_u64(&product, count_choice(v, b), alike);
        natural_add(sum, sum, &product);
        natural_clear(&product);
    }
    return sum;
}

static void veiled_unrank(void *state, const struct natural *rank, uint32_t *filling)
{
    struct veiled *v = state;
    struct natural left;
    natural_init(&left);
    natural_set(&left, rank);
    clear(v);
    while (v->n < v->n_holes) {
        int block = 0;
        for (; block < v->n_blocks; block++) { /* the new block is what remains */
            const struct natural *n = count_choice(v, block);
            if (natural_compare(&left, n) < 0)
                break;
            natural_sub(&left, &left, n);
        }
        REQUIRE(push(v, block));
    }
    natural_clear(&left);
    write_filling(v, filling);
}

static void veiled_rank(void *state, const uint32_t *filling, struct natural *rank)
{
    struct veiled *v = state;
    load(v, filling);
    memcpy(v->string, v->block, sizeof *v->string * (size_t)v->n_holes);
    clear(v);
    natural_set_u64(rank, 0);
    while (v->n < v->n_holes) {
        for (int b = 0; b < v->string[v->n]; b++)
            natural_add(rank, rank, count_choice(v, b));
        push(v, v->string[v->n]);
    }
    clear(v); /* it is not what `last` stands for */
}

/* -- open and close ---------------------------------------------------------------------------- */

/* Which variables the same holes see: by one number for each set of holes, as it grows. */
static bool find_kinds(struct veiled *v, const struct spe_part *part)
{
    struct spe_variables all = spe_variables(part, SPE_NAIVE, &v->arena);
    uint32_t *seen = arena_array(&v->arena, uint32_t, all.n);
    int *set = arena_array(&v->arena, int, all.n), n = 0;
    struct map known;
    map_init(&known);
    v->n_variables = (uint32_t)all.n;
    v->kind_of = arena_array(&v->arena, int, all.n);
    for (int h = 0; h < part->n_holes; h++)
        for (int i = 0, m = spe_candidates(part, &all, h, seen); i < m; i++) {
            int key[2] = {set[seen[i]], h};
            bool added;
            struct map_entry *entry = map_put(&known, key, sizeof key, &added);
            if (added)
                entry->value.number = known.n;
            set[seen[i]] = (int)entry->value.number;
        }
    map_release(&known);
    for (int i = 0; i < all.n && n <= MOST_KINDS; i++) {
        int same = 0;
        while (same < i && set[same] != set[i])
            same++;
        v->kind_of[i] = !set[i] ? NONE : same < i ? v->kind_of[same] : n++;
    }
    v->n_kinds = n;
    return n <= MOST_KINDS;
}

static void make_kinds(struct veiled *v, const struct spe_part *part)
{
    struct spe_variables all = spe_variables(part, SPE_NAIVE, &v->arena);
    uint32_t *seen = arena_array(&v->arena, uint32_t, all.n);
    for (int k = 0; k < v->n_kinds; k++)
        v->of[k] = arena_array(&v->arena, uint32_t, all.n);
    for (int i = 0; i < all.n; i++)
        if (v->kind_of[i] != NONE)
            v->of[v->kind_of[i]][v->room[v->kind_of[i]]++] = (uint32_t)i;
    v->hole = arena_array(&v->arena, kinds, part->n_holes);
    for (int h = 0; h < part->n_holes; h++)
        for (int i = 0, m = spe_candidates(part, &all, h, seen); i < m; i++)
            v->hole[h] |= (kinds)1 << v->kind_of[seen[i]];
}

static void veiled_close(void *state)
{
    struct veiled *v = state;
    for (size_t i = 0; i < v->counts.n; i++)
        naturals_free(v->counts.at[i], 1);
    vec_release(&v->counts);
    map_release(&v->memo);
    arena_release(&v->arena);
    free(v);
}

static int veiled_open(const struct spe_part *part, enum spe_mode mode, struct natural *count,
                       void **state, struct error *error)
{
    (void)mode;
    struct veiled *v = mem_alloc(sizeof *v);
    *v = (struct veiled){.n_holes = part->n_holes};
    struct arena *a = &v->arena;
    arena_init(a);
    map_init(&v->memo);
    vec_push(&v->counts, naturals_new(1));
    vec_push(&v->counts, naturals_new(1));
    natural_set_u64(v->counts.at[1], 1);
    v->refused = part->n_holes > MOST_HOLES || !find_kinds(v, part);
    if (!v->refused) {
        make_kinds(v, part);
        v->block = arena_array(a, int, v->n_holes);
        v->before = arena_array(a, kinds, v->n_holes);
        v->set = arena_array(a, kinds, v->n_holes + 1);
        v->served = arena_array(a, int, v->n_holes + 1);
        v->string = arena_array(a, int, v->n_holes);
        v->block_of = arena_array(a, int, v->n_variables);
        v->last = arena_array(a, uint32_t, v->n_holes);
        natural_set(count, completions(v));
    }
    if (v->refused) {
        veiled_close(v);
        return error_set(error, ERROR_USAGE,
                         "mode pattern: too many holes do not see a variable in scope");
    }
    *state = v;
    return 0;
}

const struct spe_mode_ops spe_veiled_ops = {
    .open = veiled_open,
    .close = veiled_close,
    .unrank = veiled_unrank,
    .rank = veiled_rank,
    .canonical = veiled_canonical,
    .next = veiled_next,
};
