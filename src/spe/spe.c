/* A list of parts as one enumeration: the product of theirs, counted like the digits of a number,
 * the last part fastest (SPE 4.2.1: holes of different types never share a variable). What one
 * part does is its mode's (spe_internal.h). */
#include "spe/spe_internal.h"

#include "base/map.h"
#include "base/vec.h"

const char *const spe_mode_name[SPE_N_MODES] = {SPE_MODE_TABLE(WORD_NAME)};

static const struct spe_mode_ops *const mode_ops[SPE_N_MODES] = {
    [SPE_NAIVE] = &spe_orbits_ops, [SPE_COMPACT] = &spe_orbits_ops,
    [SPE_SOUND] = &spe_orbits_ops, [SPE_PATTERN] = &spe_pattern_ops,
    [SPE_PAPER] = &spe_paper_ops,
};

int spe_mode_named(const char *name)
{
    return word_find(name, spe_mode_name, SPE_N_MODES);
}

/* -- the variables of a part ------------------------------------------------------------------- */

/* Of each class as it is declared, numbered over the part, the set of holes that do not see it: a
 * number, equal for equal sets, 0 for none. */
static int *hidden_sets(const struct spe_part *part, struct arena *arena)
{
    int *base = arena_array(arena, int, part->n_scopes + 1);
    for (int s = 0; s < part->n_scopes; s++)
        base[s + 1] = base[s] + part->scopes[s].n_classes;
    int *sets = arena_array(arena, int, base[part->n_scopes]);
    struct map known; /* (set, hole) -> the set with this hole */
    map_init(&known);
    for (int i = 0; i < part->n_hidden; i++) {
        const struct spe_hidden *h = &part->hidden[i];
        int *set = &sets[base[h->scope] + h->class], key[2] = {*set, h->hole};
        bool added;
        struct map_entry *entry = map_put(&known, key, sizeof key, &added);
        if (added)
            entry->value.number = known.n;
        *set = (int)entry->value.number;
    }
    map_release(&known);
    return sets;
}

/* The class in the mode of a variable: that of the variable before it, of an earlier class of the
 * scope, or a new one. `of`: classes of those before it in the scope, as they are declared. */
static int class_in_mode(struct spe_variables *v, enum spe_mode mode, int declared, const int *sets,
                         const int *of, bool first)
{
    if (mode != SPE_NAIVE && !first)
        return of[declared];
    for (int c = 0; mode == SPE_COMPACT && c < declared; c++)
        if (sets[c] == sets[declared])
            return of[c];
    v->class_size[v->n_classes] = 0;
    return v->n_classes++;
}

struct spe_variables spe_variables(const struct spe_part *part, enum spe_mode mode,
                                   struct arena *arena)
{
    int n = 0;
    for (int s = 0; s < part->n_scopes; s++)
        for (int c = 0; c < part->scopes[s].n_classes; c++)
            n += part->scopes[s].classes[c].size;
    struct spe_variables v = {.at = arena_array(arena, struct spe_variable, n),
                              .class_size = arena_array(arena, int, n)};
    const int *sets = hidden_sets(part, arena);
    int *of = arena_array(arena, int, n);
    for (int s = 0; s < part->n_scopes; sets += part->scopes[s++].n_classes)
        for (int c = 0; c < part->scopes[s].n_classes; c++)
            for (int i = 0; i < part->scopes[s].classes[c].size; i++) {
                int class = of[c] = class_in_mode(&v, mode, c, sets, of, i == 0);
                v.at[v.n++] =
                    (struct spe_variable){s, c, class, v.class_size[class]++, sets[c] != 0};
            }
    return v;
}

static bool is_hidden(const struct spe_part *part, int hole, const struct spe_variable *variable)
{
    size_t i, n = (size_t)part->n_hidden;
    sorted_first(i, n, part->hidden[i].hole < hole);
    for (; i < n && part->hidden[i].hole == hole; i++)
        if (part->hidden[i].scope == variable->scope && part->hidden[i].class == variable->declared)
            return true;
    return false;
}

int spe_candidates(const struct spe_part *part, const struct spe_variables *variables, int hole,
                   uint32_t *out)
{
    int n = 0, scope = part->holes[hole];
    /* Downwards over the variables, up the tree: numbers of ancestors descend. */
    for (int v = variables->n - 1; v >= 0 && scope >= 0; v--) {
        const struct spe_variable *variable = &variables->at[v];
        while (scope > variable->scope)
            scope = part->scopes[scope].parent;
        if (scope == variable->scope && !(variable->hidden && is_hidden(part, hole, variable)))
            out[n++] = (uint32_t)v;
    }
    for (int i = 0; i < n / 2; i++) {
        uint32_t other = out[i];
        out[i] = out[n - 1 - i];
        out[n - 1 - i] = other;
    }
    return n;
}

/* -- opening ----------------------------------------------------------------------------------- */

/* A copy of `n` things; NULL where there are none. */
static void *copy_array(struct arena *a, const void *from, int n, size_t size)
{
    return n ? arena_memdup(a, from, (size_t)n * size) : NULL;
}

static struct spe_part copy_part(struct arena *a, const struct spe_part *from)
{
    struct spe_part part = *from;
    struct spe_scope *scopes = copy_array(a, from->scopes, from->n_scopes, sizeof *scopes);
    for (int s = 0; s < from->n_scopes; s++) {
        REQUIRE(scopes[s].parent < s && (scopes[s].parent >= 0) == (s > 0));
        for (int c = 0; c < scopes[s].n_classes; c++)
            REQUIRE(scopes[s].classes[c].size >= 1);
        scopes[s].classes =
            copy_array(a, scopes[s].classes, scopes[s].n_classes, sizeof *scopes[s].classes);
    }
    for (int h = 0; h < from->n_holes; h++)
        REQUIRE(from->holes[h] >= 0 && from->holes[h] < from->n_scopes);
    for (int i = 1; i < from->n_hidden; i++)
        REQUIRE(from->hidden[i - 1].hole <= from->hidden[i].hole);
    part.scopes = scopes;
    part.holes = copy_array(a, from->holes, from->n_holes, sizeof *from->holes);
    part.hidden = copy_array(a, from->hidden, from->n_hidden, sizeof *from->hidden);
    return part;
}

struct spe *spe_new(const struct spe_part *parts, int n_parts, enum spe_mode mode,
                    struct error *error)
{
    struct spe *s = mem_alloc(sizeof *s);
    *s = (struct spe){.mode = mode};
    arena_init(&s->arena);
    natural_init(&s->count);
    natural_set_u64(&s->count, 1);
    s->parts = arena_array(&s->arena, struct spe_digit, n_parts);
    s->moving = arena_array(&s->arena, int, n_parts);
    for (int p = 0; p < n_parts; p++) {
        struct spe_digit *digit = &s->parts[p];
        digit->part = copy_part(&s->arena, &parts[p]);
        digit->ops = digit->part.n_hidden && mode == SPE_PATTERN ? &spe_veiled_ops : mode_ops[mode];
        digit->offset = s->n_holes;
        natural_init(&digit->count);
        s->n_parts++;
        if (digit->ops->open(&digit->part, mode, &digit->count, &digit->state, error)) {
            spe_free(s);
            return NULL;
        }
        natural_mul(&s->count, &s->count, &digit->count);
        if (natural_compare_u64(&digit->count, 1) > 0)
            s->moving[s->n_moving++] = p;
        s->n_holes += digit->part.n_holes;
    }
    return s;
}

void spe_free(struct spe *s)
{
    if (!s)
        return;
    for (int p = 0; p < s->n_parts; p++) {
        if (s->parts[p].state)
            s->parts[p].ops->close(s->parts[p].state);
        natural_clear(&s->parts[p].count);
    }
    natural_clear(&s->count);
    arena_release(&s->arena);
    free(s);
}

const struct natural *spe_count(const struct spe *s)
{
    return &s->count;
}

int spe_n_holes(const struct spe *s)
{
    return s->n_holes;
}

/* -- ranks ------------------------------------------------------------------------------------- */

void spe_unrank(struct spe *s, const struct natural *rank, uint32_t *filling)
{
    REQUIRE(s->mode != SPE_PAPER && natural_compare(rank, &s->count) < 0);
    struct natural rest, digit;
    natural_init(&rest);
    natural_init(&digit);
    natural_set(&rest, rank);
    for (int p = s->n_parts - 1; p >= 0; p--) {
        natural_divide(&rest, &digit, &rest, &s->parts[p].count);
        s->parts[p].ops->unrank(s->parts[p].state, &digit, filling + s->parts[p].offset);
    }
    natural_clear(&rest);
    natural_clear(&digit);
}

void spe_rank(struct spe *s, const uint32_t *filling, struct natural *rank)
{
    REQUIRE(s->mode != SPE_PAPER);
    struct natural digit;
    natural_init(&digit);
    natural_set_u64(rank, 0);
    for (int p = 0; p < s->n_parts; p++) {
        natural_mul(rank, rank, &s->parts[p].count);
        s->parts[p].ops->rank(s->parts[p].state, filling + s->parts[p].offset, &digit);
        natural_add(rank, rank, &digit);
    }
    natural_clear(&digit);
}

void spe_canonical(struct spe *s, uint32_t *filling)
{
    REQUIRE(s->mode != SPE_PAPER);
    for (int p = 0; p < s->n_parts; p++)
        s->parts[p].ops->canonical(s->parts[p].state, filling + s->parts[p].offset);
}

/* A digit that is at its last filling begins again: at the filling of rank 0, made once. */
static void begin_again(struct spe *s, struct spe_digit *digit, uint32_t *filling)
{
    size_t n = (size_t)digit->part.n_holes;
    if (!digit->first) {
        struct natural zero;
        natural_init(&zero);
        digit->first = arena_array(&s->arena, uint32_t, n);
        digit->ops->unrank(digit->state, &zero, digit->first);
        natural_clear(&zero);
    }
    memcpy(filling + digit->offset, digit->first, sizeof *filling * n);
}

bool spe_next(struct spe *s, uint32_t *filling, int *from)
{
    REQUIRE(s->mode != SPE_PAPER);
    for (int m = s->n_moving - 1; m >= 0; m--) {
        struct spe_digit *digit = &s->parts[s->moving[m]];
        if (digit->ops->next(digit->state, filling + digit->offset, from)) {
            *from += digit->offset;
            return true;
        }
        begin_again(s, digit, filling);
    }
    return false;
}

/* The shards differ by at most one filling: the i-th begins at floor(count * i / n). */
void spe_shard(const struct spe *s, uint64_t i, uint64_t n, struct natural *first,
               struct natural *end)
{
    REQUIRE(i < n);
    struct natural shards;
    natural_init(&shards);
    natural_set_u64(&shards, n);
    natural_mul_u64(first, &s->count, i);
    natural_divide(first, NULL, first, &shards);
    natural_mul_u64(end, &s->count, i + 1); /* no overflow: i < n */
    natural_divide(end, NULL, end, &shards);
    natural_clear(&shards);
}
