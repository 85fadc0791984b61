/* The fillings around an original, nearest first.
 *
 * For each distance d, the sets of d holes in lexicographic order; for each set, what those holes
 * may hold instead of the original's variables, in the order of their candidates. A class is given
 * when its first filling comes along, and that one is nearest because the distances ascend. What
 * was given is kept as canonical forms: the only thing that grows.
 *
 * Most of the duplicates are never visited. Where the original leaves several interchangeable
 * variables unused, a renaming of those keeps it as it is, and so keeps every distance: only
 * fillings that bring them in ascending order are looked at, and each of them is the first of its
 * kind in the order above. */
#include "base/map.h"
#include "spe/spe_internal.h"

#define NONE UINT32_MAX

struct place {            /* a hole with a choice */
    int hole;             /* over all parts */
    uint32_t base;        /* what its part adds to a variable's number in `uses`, `earlier` */
    uint32_t *candidates; /* without the original's variable, ascending */
    int n;
};

struct spe_ball {
    struct arena arena;
    struct spe *spe;
    const uint32_t *original;
    uint32_t *current, *form; /* n_holes; the filling looked at, and its canonical form */
    int n_holes, radius, n_places;
    struct place *places;
    int *uses;         /* per variable of all parts: holes of the original, and changed ones */
    uint32_t *earlier; /* the greatest interchangeable one before it that the original leaves
                        * unused, for one that is unused itself; or NONE */
    int distance;
    int *chosen; /* distance; indices into places, ascending */
    int *taken;  /* distance; which candidate each holds, -1 for none yet */
    bool started;
    struct map given;
};

/* -- what may stand where ---------------------------------------------------------------------- */

static void find_earlier(struct spe_ball *b, const struct spe_variables *v, uint32_t base)
{
    uint32_t *last = arena_array(&b->arena, uint32_t, v->n_classes); /* unused so far, per class */
    for (int c = 0; c < v->n_classes; c++)
        last[c] = NONE;
    for (int i = 0; i < v->n; i++) {
        uint32_t x = base + (uint32_t)i;
        b->earlier[x] = NONE;
        if (b->uses[x] > 0)
            continue;
        b->earlier[x] = last[v->at[i].class];
        last[v->at[i].class] = x;
    }
}

static void add_place(struct spe_ball *b, const struct spe_digit *d, const struct spe_variables *v,
                      int hole, uint32_t base)
{
    struct place *p = &b->places[b->n_places];
    *p = (struct place){.hole = d->offset + hole, .base = base};
    p->candidates = arena_array(&b->arena, uint32_t, v->n);
    int n = spe_candidates(&d->part, v, hole, p->candidates);
    for (int i = 0; i < n; i++)
        if (p->candidates[i] != b->original[p->hole])
            p->candidates[p->n++] = p->candidates[i];
    b->n_places += p->n > 0;
}

static void find_places(struct spe_ball *b)
{
    struct spe *s = b->spe;
    struct spe_variables *v = arena_array(&b->arena, struct spe_variables, s->n_parts);
    uint32_t n_variables = 0;
    for (int i = 0; i < s->n_parts; i++) {
        v[i] = spe_variables(&s->parts[i].part, s->mode, &b->arena);
        n_variables += (uint32_t)v[i].n;
    }
    b->uses = arena_array(&b->arena, int, n_variables);
    b->earlier = arena_array(&b->arena, uint32_t, n_variables);
    uint32_t base = 0;
    for (int i = 0; i < s->n_parts; base += (uint32_t)v[i++].n) {
        const struct spe_digit *d = &s->parts[i];
        for (int h = 0; h < d->part.n_holes; h++)
            b->uses[base + b->original[d->offset + h]]++;
        find_earlier(b, &v[i], base);
        for (int h = 0; h < d->part.n_holes; h++)
            add_place(b, d, &v[i], h, base);
    }
}

struct spe_ball *spe_ball_new(struct spe *s, const uint32_t *original, int radius)
{
    REQUIRE(s->mode != SPE_PATTERN && s->mode != SPE_PAPER);
    struct spe_ball *b = mem_alloc(sizeof *b);
    *b = (struct spe_ball){.spe = s, .n_holes = s->n_holes};
    arena_init(&b->arena);
    map_init(&b->given);
    size_t size = sizeof *original * (size_t)s->n_holes;
    b->original = (uint32_t *)arena_memdup(&b->arena, original, size);
    b->current = (uint32_t *)arena_memdup(&b->arena, original, size);
    b->form = arena_array(&b->arena, uint32_t, s->n_holes);
    b->places = arena_array(&b->arena, struct place, s->n_holes);
    find_places(b);
    b->radius = radius < b->n_places ? radius : b->n_places;
    b->chosen = arena_array(&b->arena, int, b->n_places);
    b->taken = arena_array(&b->arena, int, b->n_places);
    return b;
}

void spe_ball_free(struct spe_ball *b)
{
    if (!b)
        return;
    map_release(&b->given);
    arena_release(&b->arena);
    free(b);
}

/* -- one filling after the other --------------------------------------------------------------- */

/* The i-th chosen hole goes back to its original. */
static void put_back(struct spe_ball *b, int i)
{
    const struct place *p = &b->places[b->chosen[i]];
    if (b->taken[i] >= 0)
        b->uses[p->base + p->candidates[b->taken[i]]]--;
    b->taken[i] = -1;
    b->current[p->hole] = b->original[p->hole];
}

/* The i-th chosen hole takes its next candidate; false: it had the last one. */
static bool take_next(struct spe_ball *b, int i)
{
    const struct place *p = &b->places[b->chosen[i]];
    int next = b->taken[i] + 1;
    put_back(b, i);
    for (; next < p->n; next++) {
        uint32_t x = p->base + p->candidates[next];
        if (b->earlier[x] == NONE || b->uses[b->earlier[x]] > 0) {
            b->uses[x]++;
            b->taken[i] = next;
            b->current[p->hole] = p->candidates[next];
            return true;
        }
    }
    return false;
}

/* The next filling that differs in exactly the chosen holes, from level `i` on. */
static bool next_variant(struct spe_ball *b, int i)
{
    while (i >= 0 && i < b->distance)
        i = take_next(b, i) ? i + 1 : i - 1;
    return i > 0;
}

static bool next_holes(struct spe_ball *b)
{
    int i = b->distance - 1;
    while (i >= 0 && b->chosen[i] == b->n_places - b->distance + i)
        i--;
    if (i < 0)
        return false;
    b->chosen[i]++;
    for (i++; i < b->distance; i++)
        b->chosen[i] = b->chosen[i - 1] + 1;
    return true;
}

/* The first holes of the next distance. */
static bool next_distance(struct spe_ball *b)
{
    if (b->distance == b->radius)
        return false;
    b->distance++;
    for (int i = 0; i < b->distance; i++) {
        b->chosen[i] = i;
        b->taken[i] = -1;
    }
    return true;
}

static bool advance(struct spe_ball *b)
{
    if (!b->started) { /* distance 0: the original itself */
        b->started = true;
        return b->radius >= 0;
    }
    if (next_variant(b, b->distance - 1))
        return true;
    while (next_holes(b) || next_distance(b))
        if (next_variant(b, 0))
            return true;
    return false;
}

bool spe_ball_next(struct spe_ball *b, uint32_t *filling, int *distance)
{
    size_t size = sizeof *filling * (size_t)b->n_holes;
    for (bool added = false; !added;) {
        /* All given: what else lies within the radius is known, and may be too much to visit. */
        if (natural_compare_u64(spe_count(b->spe), b->given.n) == 0 || !advance(b))
            return false;
        memcpy(b->form, b->current, size);
        spe_canonical(b->spe, b->form);
        map_put(&b->given, b->form, size, &added);
    }
    memcpy(filling, b->current, size);
    *distance = b->distance;
    return true;
}
