/* Skeletal enumeration against brute force, which shares no code with it: every filling of a small
 * part is made, every renaming applied to it, and the least of what comes out is the
 * representative. Counts, order, ranks, canonical forms, shards and samples must agree with that
 * list.
 *
 *   test-spe VECTORS    the tests; VECTORS is the file of vectors next to this one */
#include "base/choice.h"
#include "base/error.h"
#include "base/vec.h"
#include "spe/burnside.h"
#include "spe/spe.h"
#include "spe/vectors.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    MAX_SCOPES = 4,
    MAX_HOLES = 6,
    MAX_CLASSES = 3,
    MAX_VARIABLES = MAX_SCOPES * MAX_CLASSES * 3,
    MAX_WORK = 100 * 1000, /* fillings times renamings of one part */
};

/* -- numbers ----------------------------------------------------------------------------------- */

static bool is_text(const struct natural *n, const char *wanted)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    natural_text(n, &text);
    bool same = !strcmp(text.s, wanted);
    if (!same)
        printf("# got %s, wanted %s\n", text.s, wanted);
    strbuf_release(&text);
    return same;
}

static uint64_t small(const struct natural *n)
{
    uint64_t value = UINT64_MAX;
    natural_fits_u64(n, &value);
    return value;
}

static void test_naturals(void)
{
    struct natural a, b, c;
    natural_init(&a);
    natural_init(&b);
    natural_init(&c);
    ok(natural_compare_u64(&a, 0) == 0 && is_text(&a, "0"), "a new number is 0");
    ok(natural_parse(&a, "340282366920938463463374607431768211456"), "2^128 is read");
    natural_power(&b, 2, 128);
    ok(natural_compare(&a, &b) == 0 && natural_double(&a) == ldexp(1, 128), "and is 2^128");
    natural_power(&c, 0, 0);
    ok(is_text(&c, "1"), "0^0 is 1");
    for (const char *const *bad = (const char *const[]){"", "-1", "+1", " 1", "1 ", "0x1", NULL};
         *bad; bad++)
        ok(!natural_parse(&c, *bad), "\"%s\" is no number", *bad);
    natural_set_u64(&b, UINT64_MAX);
    uint64_t value = 0;
    ok(natural_fits_u64(&b, &value) && value == UINT64_MAX, "2^64-1 fits");
    ok(natural_compare_u64(&b, UINT64_MAX) == 0 && natural_compare_u64(&b, 5) > 0, "and compares");
    natural_add_u64(&b, &b, 1);
    ok(!natural_fits_u64(&b, &value) && natural_compare_u64(&b, UINT64_MAX) > 0, "2^64 does not");
    natural_divide(&a, &c, &a, &b);
    ok(natural_compare(&a, &b) == 0 && is_text(&c, "0"), "2^128 / 2^64, in place");
    natural_sub(&a, &a, &b);
    natural_add_mul(&a, &b, &b);
    natural_mul_u64(&a, &a, 3);
    ok(is_text(&a, "1020847100762815390390123822295304634368"), "0 + 2^64 * 2^64, three times");
    natural_power(&a, 10, 400);
    ok(isinf(natural_double(&a)), "10^400 is no double");
    naturals_free(naturals_new(3), 3);

    struct choice choice;
    choice_init_random(&choice, 1);
    /* 3 * 2^63: one draw of four is too large */
    natural_parse(&b, "27670116110564327424");
    bool below = true;
    for (int i = 0; i < 1000; i++) {
        natural_random(&a, &b, &choice);
        below &= natural_compare(&a, &b) < 0;
    }
    ok(below, "random numbers are below their limit");
    ok(is_text(&a, "11674196656071218763"), "and the stream of a seed is pinned");
    choice_release(&choice);
    choice_init_replay(&choice, NULL, 0);
    natural_random(&a, &b, &choice);
    ok(is_text(&a, "0"), "0 is the simplest");
    choice_release(&choice);
    natural_clear(&a);
    natural_clear(&b);
    natural_clear(&c);
}

/* -- parts at random --------------------------------------------------------------------------- */

struct small_part {
    struct spe_part part;
    struct spe_scope scopes[MAX_SCOPES];
    struct spe_class classes[MAX_SCOPES][MAX_CLASSES];
    int holes[MAX_HOLES];
    struct spe_hidden hidden[MAX_HOLES * MAX_SCOPES * MAX_CLASSES];
    bool may_hide[MAX_SCOPES][MAX_CLASSES];
};

static void draw_hidden(struct small_part *p, int hole, struct choice *c)
{
    int path[MAX_SCOPES], n = 0;
    for (int s = p->holes[hole]; s >= 0; s = p->scopes[s].parent)
        path[n++] = s;
    while (n-- > 0)
        for (int k = 0; k < p->scopes[path[n]].n_classes; k++)
            if (p->may_hide[path[n]][k] && choose(c, 3) == 0)
                p->hidden[p->part.n_hidden++] = (struct spe_hidden){hole, path[n], k};
}

/* `depth`: the tree's greatest, 1 for a root alone; `pure`: nothing hidden. */
static void draw_part(struct small_part *p, struct choice *c, int depth, bool pure)
{
    int level[MAX_SCOPES] = {1};
    *p = (struct small_part){0};
    p->part.n_scopes = depth == 1 ? 1 : 1 + (int)choose(c, MAX_SCOPES);
    p->part.n_holes = choose(c, 20) == 0 ? 0 : 2 + (int)choose(c, MAX_HOLES - 1);
    for (int s = 0; s < p->part.n_scopes; s++) {
        int parent = -1;
        while (s > 0 && (parent < 0 || level[parent] == depth))
            parent = (int)choose(c, (uint64_t)s);
        level[s] = s ? level[parent] + 1 : 1;
        int n_classes = choose(c, 6) == 0 ? 0 : 1 + (int)choose(c, MAX_CLASSES);
        p->scopes[s] = (struct spe_scope){parent, n_classes, p->classes[s]};
        for (int k = 0; k < p->scopes[s].n_classes; k++) {
            p->classes[s][k].size = 1 + (int)choose(c, 3);
            p->may_hide[s][k] = !pure && choose(c, 3) == 0;
        }
    }
    for (int h = 0; h < p->part.n_holes; h++) {
        p->holes[h] = (int)choose(c, (uint64_t)p->part.n_scopes);
        draw_hidden(p, h, c);
    }
    p->part.scopes = p->scopes;
    p->part.holes = p->holes;
    p->part.hidden = p->hidden;
}

static void note_part(const struct small_part *p, enum spe_mode mode)
{
    printf("# mode %s, scopes", spe_mode_name[mode]);
    for (int s = 0; s < p->part.n_scopes; s++) {
        printf(" %d:[", p->scopes[s].parent);
        for (int k = 0; k < p->scopes[s].n_classes; k++)
            printf("%s%d", k ? "," : "", p->classes[s][k].size);
        printf("]");
    }
    printf(", holes");
    for (int h = 0; h < p->part.n_holes; h++)
        printf(" %d", p->holes[h]);
    for (int i = 0; i < p->part.n_hidden; i++)
        printf(", %d hides %d.%d", p->hidden[i].hole, p->hidden[i].scope, p->hidden[i].class);
    printf("\n");
}

/* -- brute force ------------------------------------------------------------------------------- */

struct filling {
    uint32_t at[MAX_HOLES];
};

struct brute {
    int n_variables;
    struct {
        int scope, class, group; /* group: who may swap names with whom, -1: nobody */
    } variables[MAX_VARIABLES];
    VEC(struct filling) all;             /* in lexicographic order */
    VEC(struct filling) least;           /* of the orbit, of each of them */
    VEC(struct filling) representatives; /* those that are their own */
};

static bool hides(const struct small_part *p, int hole, int scope, int class)
{
    for (int i = 0; i < p->part.n_hidden; i++)
        if (p->hidden[i].hole == hole && p->hidden[i].scope == scope && p->hidden[i].class == class)
            return true;
    return false;
}

/* The first class of the scope that the same holes see. */
static int first_alike(const struct small_part *p, int scope, int class)
{
    for (int k = 0; k < class; k++) {
        bool alike = true;
        for (int h = 0; h < p->part.n_holes; h++)
            alike &= hides(p, h, scope, k) == hides(p, h, scope, class);
        if (alike)
            return k;
    }
    return class;
}

static void brute_variables(struct brute *b, const struct small_part *p, enum spe_mode mode)
{
    for (int s = 0; s < p->part.n_scopes; s++)
        for (int k = 0; k < p->scopes[s].n_classes; k++)
            for (int i = 0; i < p->classes[s][k].size; i++) {
                int group = mode == SPE_SOUND     ? s * MAX_CLASSES + k
                            : mode == SPE_COMPACT ? s * MAX_CLASSES + first_alike(p, s, k)
                                                  : -1;
                b->variables[b->n_variables].scope = s;
                b->variables[b->n_variables].class = k;
                b->variables[b->n_variables++].group = group;
            }
}

static bool brute_sees(const struct brute *b, const struct small_part *p, int hole, uint32_t v)
{
    if (hides(p, hole, b->variables[v].scope, b->variables[v].class))
        return false;
    for (int s = p->holes[hole]; s >= 0; s = p->scopes[s].parent)
        if (s == b->variables[v].scope)
            return true;
    return false;
}

static void brute_fill(struct brute *b, const struct small_part *p, int hole, struct filling *f)
{
    if (hole == p->part.n_holes) {
        vec_push(&b->all, *f);
        return;
    }
    for (uint32_t v = 0; v < (uint32_t)b->n_variables; v++)
        if (brute_sees(b, p, hole, v)) {
            f->at[hole] = v;
            brute_fill(b, p, hole + 1, f);
        }
}

static bool is_less(const struct filling *a, const struct filling *b)
{
    int h = 0;
    while (h < MAX_HOLES && a->at[h] == b->at[h])
        h++;
    return h < MAX_HOLES && a->at[h] < b->at[h];
}

struct renaming {
    uint32_t to[MAX_VARIABLES];
};
typedef VEC(struct renaming) renamings;

/* Every permutation that stays within the groups, variable by variable. */
static void brute_rename(const struct brute *b, struct renaming *map, int v, renamings *out)
{
    if (v == b->n_variables) {
        vec_push(out, *map);
        return;
    }
    for (int w = 0; w < b->n_variables; w++) {
        bool taken = false;
        for (int i = 0; i < v; i++)
            taken |= map->to[i] == (uint32_t)w;
        int group = b->variables[v].group;
        if (taken || (w != v && (group < 0 || b->variables[w].group != group)))
            continue;
        map->to[v] = (uint32_t)w;
        brute_rename(b, map, v + 1, out);
    }
}

static void brute_release(struct brute *b)
{
    vec_release(&b->all);
    vec_release(&b->least);
    vec_release(&b->representatives);
}

/* Fillings times renamings. */
static double brute_work(const struct brute *b, const struct small_part *p)
{
    double work = 1;
    for (int h = 0; h < p->part.n_holes; h++) {
        int n = 0;
        for (uint32_t v = 0; v < (uint32_t)b->n_variables; v++)
            n += brute_sees(b, p, h, v);
        work *= n > 1 ? n : 1;
    }
    for (int v = 0; v < b->n_variables; v++) {
        int n = 1;
        for (int w = 0; w < v; w++)
            n += b->variables[v].group >= 0 && b->variables[w].group == b->variables[v].group;
        work *= n;
    }
    return work;
}

/* False where it is too much work; there is nothing to release then. */
static bool brute_force(struct brute *b, const struct small_part *p, enum spe_mode mode)
{
    struct filling filling = {0};
    struct renaming map = {0};
    renamings all = {0};
    *b = (struct brute){0};
    brute_variables(b, p, mode);
    if (brute_work(b, p) > MAX_WORK)
        return false;
    brute_fill(b, p, 0, &filling);
    brute_rename(b, &map, 0, &all);
    for (size_t i = 0; i < b->all.n; i++) {
        struct filling least = b->all.at[i];
        for (size_t r = 0; r < all.n; r++) {
            struct filling image = {0};
            for (int h = 0; h < p->part.n_holes; h++)
                image.at[h] = all.at[r].to[b->all.at[i].at[h]];
            if (is_less(&image, &least))
                least = image;
        }
        vec_push(&b->least, least);
        if (!memcmp(&least, &b->all.at[i], sizeof least))
            vec_push(&b->representatives, least);
    }
    vec_release(&all);
    return true;
}

/* -- what must hold of one part ---------------------------------------------------------------- */

static bool same_filling(const uint32_t *a, const struct filling *b, int n)
{
    return !n || !memcmp(a, b->at, sizeof *a * (size_t)n);
}

static bool right_order(struct spe *s, const struct brute *b, int n)
{
    struct filling f = {0};
    struct natural rank;
    natural_init(&rank);
    spe_unrank(s, &rank, f.at);
    natural_clear(&rank);
    for (size_t r = 0; r < b->representatives.n; r++) {
        const struct filling *wanted = &b->representatives.at[r];
        int from = -1, differs = 0;
        if (!same_filling(f.at, wanted, n))
            return false;
        bool more = spe_next(s, f.at, &from);
        if (more != (r + 1 < b->representatives.n))
            return false;
        while (more && f.at[differs] == wanted->at[differs])
            differs++;
        if (more && differs != from)
            return false;
    }
    return true;
}

/* From any rank on, and with other calls in between. */
static bool right_ranks(struct spe *s, const struct brute *b, int n)
{
    bool good = true;
    struct natural rank, back;
    natural_init(&rank);
    natural_init(&back);
    for (size_t i = 0; i < b->representatives.n && good; i++) {
        struct filling f = {0};
        size_t r = i * 7 % b->representatives.n;
        int from;
        natural_set_u64(&rank, r);
        spe_unrank(s, &rank, f.at);
        good &= same_filling(f.at, &b->representatives.at[r], n);
        spe_rank(s, f.at, &back);
        good &= natural_compare(&rank, &back) == 0;
        good &=
            spe_next(s, f.at, &from) == (r + 1 < b->representatives.n) &&
            (r + 1 == b->representatives.n || same_filling(f.at, &b->representatives.at[r + 1], n));
    }
    natural_clear(&rank);
    natural_clear(&back);
    return good;
}

static bool right_canonical(struct spe *s, const struct brute *b, int n)
{
    bool good = true;
    struct natural rank;
    natural_init(&rank);
    for (size_t i = 0; i < b->all.n && good; i++) {
        struct filling f = b->all.at[i];
        spe_rank(s, f.at, &rank);
        good &= small(&rank) < b->representatives.n &&
                same_filling(b->least.at[i].at, &b->representatives.at[small(&rank)], n);
        spe_canonical(s, f.at);
        good &= same_filling(f.at, &b->least.at[i], n);
    }
    natural_clear(&rank);
    return good;
}

static bool right_shards(const struct spe *s, uint64_t count)
{
    bool good = true;
    struct natural first, end;
    natural_init(&first);
    natural_init(&end);
    for (const uint64_t *n = (const uint64_t[]){1, 2, 3, 7, 1000, 0}; *n; n++) {
        uint64_t at = 0;
        for (uint64_t i = 0; i < *n; i++) {
            spe_shard(s, i, *n, &first, &end);
            uint64_t size = small(&end) - small(&first);
            good &= small(&first) == at && (size == count / *n || size == count / *n + 1);
            at = small(&end);
        }
        good &= at == count;
    }
    natural_clear(&first);
    natural_clear(&end);
    return good;
}

#define PROPERTY_TABLE(X)                                                                          \
    X(COUNT, "count")                                                                              \
    X(ORDER, "the next one is the next representative")                                            \
    X(RANKS, "the rank of what a rank gives is that rank")                                         \
    X(CANONICAL, "every filling has its representative's rank")                                    \
    X(SHARDS, "shards hold every rank once")

enum property {
#define X(id, text) id,
    PROPERTY_TABLE(X)
#undef X
        N_PROPERTIES
};

static void check_part(const struct small_part *p, enum spe_mode mode, const struct brute *b,
                       int failures[N_PROPERTIES])
{
    struct error error;
    struct spe *s = spe_new(&p->part, 1, mode, &error);
    int n = p->part.n_holes;
    uint64_t count = b->representatives.n;
    bool good[N_PROPERTIES];
    good[COUNT] = small(spe_count(s)) == count && spe_n_holes(s) == n;
    good[ORDER] = count == 0 || !good[COUNT] || right_order(s, b, n);
    good[RANKS] = count == 0 || !good[COUNT] || right_ranks(s, b, n);
    good[CANONICAL] = count == 0 || !good[COUNT] || right_canonical(s, b, n);
    good[SHARDS] = right_shards(s, count);
    for (int i = 0; i < N_PROPERTIES; i++) {
        if (!good[i] && !failures[i])
            note_part(p, mode);
        failures[i] += !good[i];
    }
    spe_free(s);
}

static void test_parts(void)
{
    static const char *const property_text[] = {
#define X(id, text) [id] = text,
        PROPERTY_TABLE(X)
#undef X
    };
    struct choice c;
    const int wanted_parts = tap_amount(100, 300);
    choice_init_random(&c, 2017);
    for (enum spe_mode mode = SPE_NAIVE; mode <= SPE_SOUND; mode++) {
        int failures[N_PROPERTIES] = {0}, parts = 0, without = 0, hiding = 0, many = 0;
        while (parts < wanted_parts) {
            struct small_part p;
            struct brute b;
            draw_part(&p, &c, MAX_SCOPES, false);
            if (!brute_force(&b, &p, mode))
                continue;
            bool empty = b.all.n == 0, wanted = !empty || without < wanted_parts / 20;
            if (wanted)
                check_part(&p, mode, &b, failures);
            without += wanted && empty;
            hiding += wanted && p.part.n_hidden > 0;
            many += b.representatives.n > 20;
            parts += wanted;
            brute_release(&b);
        }
        for (int i = 0; i < N_PROPERTIES; i++)
            ok(failures[i] == 0, "%s: %s, %d parts", spe_mode_name[mode], property_text[i], parts);
        ok(hiding > wanted_parts / 10 && without > 0 && many > wanted_parts / 4,
           "%s: %d of them hide variables, %d have more than 20 classes, %d none",
           spe_mode_name[mode], hiding, many, without);
    }
    choice_release(&c);
}

/* -- several parts ----------------------------------------------------------------------------- */

/* The product in order, the last part fastest; `from` of each step. */
static bool right_product(struct spe *s, const struct small_part *p, const struct brute *b, int n)
{
    size_t at[3] = {0}, rank = 0;
    uint32_t f[3 * MAX_HOLES], g[3 * MAX_HOLES];
    struct natural number, back;
    natural_init(&number);
    natural_init(&back);
    spe_unrank(s, &number, f);
    bool more = true, good = true;
    while (more && good) {
        for (int i = 0, offset = 0; i < n; offset += p[i++].part.n_holes)
            good &= same_filling(f + offset, &b[i].representatives.at[at[i]], p[i].part.n_holes);
        natural_set_u64(&number, rank++);
        spe_unrank(s, &number, g);
        spe_rank(s, f, &back);
        size_t size = sizeof *f * (size_t)spe_n_holes(s);
        good &= !memcmp(f, g, size) && natural_compare(&number, &back) == 0;
        int digit = n - 1, from = 0, differs = 0;
        while (digit >= 0 && ++at[digit] == b[digit].representatives.n)
            at[digit--] = 0;
        more = spe_next(s, f, &from);
        good &= more == (digit >= 0);
        while (more && f[differs] == g[differs])
            differs++;
        good &= !more || differs == from;
    }
    natural_clear(&number);
    natural_clear(&back);
    return good && rank == small(spe_count(s));
}

static void test_products(void)
{
    struct choice c;
    choice_init_random(&c, 42);
    int wrong = 0, seen = 0, several = 0;
    while (seen < tap_amount(40, 120)) {
        struct small_part p[3];
        struct brute b[3];
        struct spe_part parts[3];
        enum spe_mode mode = (enum spe_mode)choose(&c, 3);
        int n = (int)choose(&c, 4), opened = 0;
        size_t count = 1;
        while (opened < n) {
            struct brute *found = &b[opened];
            draw_part(&p[opened], &c, 2, false);
            if (!brute_force(found, &p[opened], mode))
                continue;
            if (found->all.n == 0 || found->representatives.n > 30) {
                brute_release(found);
                continue;
            }
            parts[opened] = p[opened].part;
            opened++;
            count *= found->representatives.n;
        }
        struct spe *s = spe_new(parts, n, mode, NULL);
        bool good = small(spe_count(s)) == count && right_product(s, p, b, n);
        for (int i = 0; !good && i < n; i++)
            note_part(&p[i], mode);
        wrong += !good;
        several += n == 3 && count > 100;
        seen++;
        spe_free(s);
        while (opened > 0)
            brute_release(&b[--opened]);
    }
    ok(wrong == 0 && several > 5, "%d lists of up to three parts, %d of three with many fillings",
       seen, several);
    choice_release(&c);
}

/* -- completions of a prefix ------------------------------------------------------------------- */

/* burnside.h on its own: after each prefix of each representative as many ways as there are
 * representatives that begin so. */
static bool right_completions(const struct small_part *p, const struct brute *b)
{
    struct burnside_class classes[MAX_SCOPES * MAX_CLASSES];
    int n = 0, class_of[MAX_VARIABLES], others[MAX_HOLES] = {0}, v = 0;
    for (int s = 0; s < p->part.n_scopes; s++)
        for (int k = 0; k < p->scopes[s].n_classes; k++, n++) {
            classes[n] = (struct burnside_class){s, p->classes[s][k].size, NULL};
            for (int i = 0; i < classes[n].size; i++)
                class_of[v++] = n;
        }
    struct burnside *burnside = burnside_new(&p->part, classes, n, others);
    struct natural ways;
    natural_init(&ways);
    bool good = true;
    for (size_t r = 0; r < b->representatives.n; r++) {
        const struct filling *f = &b->representatives.at[r];
        int used[MAX_SCOPES * MAX_CLASSES] = {0};
        for (int h = 0; h <= p->part.n_holes; h++) {
            uint64_t wanted = 0;
            for (size_t i = 0; i < b->representatives.n; i++)
                wanted += same_filling(f->at, &b->representatives.at[i], h);
            burnside_count(burnside, h, used, &ways);
            good &= small(&ways) == wanted;
            bool fresh = h < p->part.n_holes;
            for (int i = 0; i < h && fresh; i++)
                fresh = f->at[i] != f->at[h];
            if (fresh)
                used[class_of[f->at[h]]]++;
        }
    }
    natural_clear(&ways);
    burnside_free(burnside);
    return good;
}

static void test_completions(void)
{
    struct choice c;
    choice_init_random(&c, 5);
    int wrong = 0, seen = 0;
    while (seen < tap_amount(40, 120)) {
        struct small_part p;
        struct brute b;
        draw_part(&p, &c, MAX_SCOPES, true);
        if (!brute_force(&b, &p, SPE_SOUND))
            continue;
        if (b.representatives.n > 1 && b.representatives.n < 200) {
            bool good = right_completions(&p, &b);
            if (!good)
                note_part(&p, SPE_SOUND);
            wrong += !good;
            seen++;
        }
        brute_release(&b);
    }
    ok(wrong == 0, "ways to go on after every prefix, %d parts", seen);
    choice_release(&c);
}

/* -- large parts ------------------------------------------------------------------------------- */

/* Ranks over the whole range: back again, and the next one is the next rank. */
static void check_large(const char *name, const struct spe_part *part, enum spe_mode mode,
                        int trials)
{
    struct spe *s = spe_new(part, 1, mode, NULL);
    struct choice c;
    struct natural rank, back;
    size_t size = sizeof(uint32_t) * (size_t)part->n_holes;
    uint32_t *f = mem_alloc(size), *g = mem_alloc(size);
    bool good = true;
    choice_init_random(&c, 9);
    natural_init(&rank);
    natural_init(&back);
    for (int i = 0; i < trials; i++) {
        int from = 0;
        natural_random(&rank, spe_count(s), &c);
        if (i == 0)
            natural_set_u64(&rank, 0);
        spe_unrank(s, &rank, f);
        spe_rank(s, f, &back);
        good &= natural_compare(&rank, &back) == 0;
        natural_add_u64(&rank, &rank, 1);
        if (natural_compare(&rank, spe_count(s)) == 0)
            continue;
        spe_unrank(s, &rank, g);
        good &= spe_next(s, f, &from) && !memcmp(f, g, size);
    }
    struct natural first, end;
    natural_init(&first);
    natural_init(&end);
    natural_set_u64(&back, 0);
    for (uint64_t i = 0; i < 5; i++) {
        spe_shard(s, i, 5, &first, &end);
        good &= natural_compare(&first, &back) == 0;
        natural_set(&back, &end);
    }
    good &= natural_compare(&back, spe_count(s)) == 0;
    ok(good, "%s: %d ranks below %.2e", name, trials, natural_double(spe_count(s)));
    natural_clear(&first);
    natural_clear(&end);
    natural_clear(&rank);
    natural_clear(&back);
    choice_release(&c);
    free(f);
    free(g);
    spe_free(s);
}

static void test_large(void)
{
    int root[130] = {0}, spread[130];
    for (int h = 0; h < 130; h++)
        spread[h] = h * 7 % 10;
    static const struct spe_class five[] = {{5}}, mixed[] = {{3}, {1}, {2}},
                                  tens[] = {{10}, {10}, {10}};
    const struct spe_scope flat = {-1, 1, five}, wide = {-1, 3, tens};
    struct spe_scope chain[10];
    for (int s = 0; s < 10; s++)
        chain[s] = (struct spe_scope){s - 1 - (s > 4), 3, mixed};
    struct spe_hidden hidden[130];
    for (int h = 0; h < 130; h++)
        hidden[h] = (struct spe_hidden){h, 0, 1};
    const struct spe_part parts[] = {{1, 130, 0, &flat, root, NULL},
                                     {1, 130, 0, &wide, root, NULL},
                                     {10, 130, 130, chain, spread, hidden}};
    check_large("one class", &parts[0], SPE_SOUND, 200);
    check_large("three classes", &parts[1], SPE_SOUND, 10);
    check_large("the same as one class", &parts[1], SPE_COMPACT, 100);
    check_large("ten scopes", &parts[2], SPE_SOUND, 4);
    check_large("ten scopes, classes merged around hidden ones", &parts[2], SPE_COMPACT, 4);
    check_large("ten scopes, all fillings", &parts[2], SPE_NAIVE, 50);
}

/* -- samples ----------------------------------------------------------------------------------- */

static void sample(struct spe *s, struct choice *c, struct natural *rank, uint32_t *filling)
{
    natural_random(rank, spe_count(s), c);
    spe_unrank(s, rank, filling);
}

/* Example 6 has 40 classes: with 200 of each expected, chi square has 39 degrees of freedom, mean
 * 39 and deviation sqrt(78). */
static void test_sample(const struct spe_part *part)
{
    enum { CLASSES = 40, EACH = 200 };
    struct spe *s = spe_new(part, 1, SPE_SOUND, NULL);
    int seen[CLASSES] = {0};
    uint32_t f[MAX_HOLES];
    struct natural rank;
    struct choice c;
    choice_init_random(&c, 3);
    natural_init(&rank);
    for (int i = 0; i < CLASSES * EACH; i++) {
        sample(s, &c, &rank, f);
        spe_rank(s, f, &rank);
        seen[small(&rank)]++;
    }
    double chi_square = 0;
    for (int i = 0; i < CLASSES; i++)
        chi_square += (seen[i] - EACH) * (double)(seen[i] - EACH) / EACH;
    ok(chi_square > 10 && chi_square < 39 + 5 * sqrt(78), "samples are uniform: chi square %.1f",
       chi_square);
    choice_release(&c);
    choice_init_replay(&c, NULL, 0);
    sample(s, &c, &rank, f);
    spe_rank(s, f, &rank);
    ok(natural_compare_u64(&rank, 0) == 0, "the simplest sample has rank 0");
    choice_release(&c);
    natural_clear(&rank);
    spe_free(s);
}

/* -- the paper's own --------------------------------------------------------------------------- */

static void is_count(const struct spe_part *part, enum spe_mode mode, uint64_t wanted,
                     const char *what)
{
    struct error error;
    struct spe *s = spe_new(part, 1, mode, &error);
    is_int(s ? small(spe_count(s)) : UINT64_MAX, wanted, "%s, mode %s", what, spe_mode_name[mode]);
    spe_free(s);
}

static void test_paper_examples(void)
{
    static const struct spe_class two[] = {{2}};
    static const struct spe_scope scopes[] = {{-1, 1, two}, {0, 1, two}, {1, 1, two}};
    static const int flat[] = {0, 0, 0, 0, 0, 0}, example[] = {0, 0, 1, 1, 0};
    const struct spe_part figure5 = {1, 6, 0, scopes, flat, NULL},
                          example6 = {2, 5, 0, scopes, example, NULL},
                          deep = {3, 5, 0, scopes, example, NULL},
                          empty = {1, 0, 0, scopes, NULL, NULL};
    for (enum spe_mode mode = SPE_COMPACT; mode < SPE_N_MODES; mode++)
        is_count(&figure5, mode, 32, "Figure 5");
    is_count(&figure5, SPE_NAIVE, 64, "Figure 5");
    is_count(&example6, SPE_NAIVE, 128, "Example 6");
    is_count(&example6, SPE_COMPACT, 40, "Example 6");
    is_count(&example6, SPE_SOUND, 40, "Example 6");
    is_count(&example6, SPE_PAPER, 36, "Example 6");
    is_count(&example6, SPE_PATTERN, 35, "Example 6");
    for (enum spe_mode mode = 0; mode < SPE_N_MODES; mode++) {
        is_count(&empty, mode, 1, "no holes");
        is_int(spe_mode_named(spe_mode_name[mode]), mode, "mode %s by its name",
               spe_mode_name[mode]);
    }
    is_int(spe_mode_named("else"), -1, "no mode of that name");
    is_count(&deep, SPE_PAPER, 36, "a third level without holes");
    test_sample(&example6);
}

/* Partitions of n things into at least `least` and at most `most` blocks, one by one. */
static uint64_t partitions(int n, int blocks, int least, int most)
{
    if (n == 0)
        return blocks >= least && blocks <= most;
    uint64_t sum = 0;
    for (int b = 0; b <= blocks && b < most; b++)
        sum += partitions(n - 1, b == blocks ? blocks + 1 : blocks, least, most);
    return sum;
}

struct algorithm1 {
    int n_locals, holes[MAX_SCOPES], variables[MAX_SCOPES];
    int global, global_variables;
    uint64_t found;
};

/* Procedure PartitionScope with the bounds of Example 6: every set of promoted holes but the full
 * one, every partition of what is left, the next scope. */
static void partition_scope(struct algorithm1 *a, int i, int promoted, uint64_t local)
{
    if (i == MAX_SCOPES || i == a->n_locals) {
        int n = a->global + promoted;
        int blocks = n < a->global_variables ? n : a->global_variables;
        a->found += local * partitions(n, 0, blocks, blocks);
        return;
    }
    for (unsigned set = 0; set + 1 < 1u << a->holes[i]; set++) {
        int k = __builtin_popcount(set);
        partition_scope(a, i + 1, promoted + k,
                        local * partitions(a->holes[i] - k, 0, 0, a->variables[i]));
    }
}

/* The innermost scope around a hole that has variables, or the root. */
static int scope_of(const struct small_part *p, int hole)
{
    int s = p->holes[hole];
    while (s > 0 && p->scopes[s].n_classes == 0)
        s = p->scopes[s].parent;
    return s;
}

static uint64_t simulate(const struct small_part *p)
{
    struct algorithm1 a = {0};
    for (int s = 0; s < p->part.n_scopes; s++) {
        int holes = 0, variables = 0;
        for (int h = 0; h < p->part.n_holes; h++)
            holes += scope_of(p, h) == s;
        for (int up = s; up > 0 || up == s; up = p->scopes[up].parent) /* without the root */
            for (int k = 0; k < p->scopes[up].n_classes; k++)
                variables += p->classes[up][k].size;
        if (s == 0) {
            a.global_variables = variables;
            a.global += holes;
        } else if (holes) {
            a.holes[a.n_locals] = holes;
            a.variables[a.n_locals++] = variables;
        }
    }
    if (a.n_locals)
        partition_scope(&a, 0, 0, 1);
    return a.found + partitions(p->part.n_holes, 0, 0, a.global_variables);
}

static void test_algorithm1(void)
{
    struct choice c;
    choice_init_random(&c, 6);
    int wrong = 0, more = 0, above = 0;
    for (int i = 0; i < 500; i++) {
        struct small_part p;
        draw_part(&p, &c, MAX_SCOPES, true);
        struct spe *s = spe_new(&p.part, 1, SPE_PAPER, NULL);
        struct spe *naive = spe_new(&p.part, 1, SPE_NAIVE, NULL);
        uint64_t wanted = simulate(&p);
        above += natural_compare(spe_count(s), spe_count(naive)) > 0;
        spe_free(naive);
        if (small(spe_count(s)) != wanted && !wrong++)
            note_part(&p, SPE_PAPER);
        more += wanted > 20 && p.part.n_scopes > 2;
        spe_free(s);
    }
    ok(wrong == 0 && more > 50, "Algorithm 1 simulated: 500 parts, %d with much to do", more);
    is_int(above, 0, "Algorithm 1 never gives more than there are fillings");
    choice_release(&c);
}

/* -- vectors ----------------------------------------------------------------------------------- */

/* The result of checking a text as if it were a file of vectors. */
static int check_text(const char *text, struct strbuf *out, int *passed, int *failed,
                      struct error *error)
{
    char path[] = "/tmp/test-spe-XXXXXX";
    int file = mkstemp(path), result = -2;
    *error = (struct error){0};
    strbuf_clear(out);
    if (file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text))
        result = spe_check_vectors(path, out, passed, failed, error);
    close(file);
    unlink(path);
    return result;
}

#define VECTOR "{\"id\":\"v\",\"parent\":[-1],\"classes\":[[2]],\"holes\":[0,0],"

static void test_vectors(const char *path)
{
    struct strbuf out;
    struct error error = {0};
    int passed = 0, failed = 0;
    strbuf_init(&out, 0);
    is_int(spe_check_vectors(path, &out, &passed, &failed, &error), 0, "the vectors are read");
    is_str(out.s, "", "nothing failed");
    ok(failed == 0 && passed == 486, "%d vectors passed", passed);

    is_int(check_text("{\"vectors\":[" VECTOR "\"E1\":\"4\",\"E2\":\"3\",\"E2s\":\"2\",\"E3\":null,"
                      "\"E2s_lex\":{\"0\":[[0,0,0],[0,0,1]],\"7\":[[0,0,0],[0,0,0]]}}],"
                      "\"typed\":[{\"id\":\"t\",\"parts\":[\"v\",\"v\"],\"E1\":\"8\"}]}",
                      &out, &passed, &failed, &error),
           0, "a file with faults is read");
    is_str(out.s,
           "v: E2 is 2, expected 3\n"
           "v: rank 0 is another assignment\n"
           "v: the rank of an assignment is 1, expected 0\n"
           "v: rank 7 is not below the count\n"
           "t: E1 is 16, expected 8\n",
           "each fault has its line");
    ok(passed == 2 && failed == 6, "%d passed, %d failed", passed, failed);

    static const char *const broken[] = {
        "{",
        "{}",
        "{\"vectors\":[{\"parent\":[-1],\"classes\":[[0]],\"holes\":[]}]}",
        "{\"vectors\":[{\"parent\":[0],\"classes\":[[1]],\"holes\":[]}]}",
        "{\"vectors\":[{\"parent\":[-1],\"classes\":[[1]],\"holes\":[1]}]}",
        "{\"vectors\":[{\"parent\":[-1],\"classes\":[],\"holes\":[0]}]}",
        "{\"vectors\":[" VECTOR "\"E1\":4}]}",
        "{\"vectors\":[" VECTOR "\"E1\":\"4x\"}]}",
        "{\"vectors\":[" VECTOR "\"E2s_lex\":{\"x\":[[0,0,0],[0,0,0]]}}]}",
        "{\"vectors\":[" VECTOR "\"E2s_lex\":{\"0\":[[0,0,0]]}}]}",
        "{\"vectors\":[" VECTOR "\"E2s_lex\":{\"0\":[[0,0,0],[0,0,2]]}}]}",
        "{\"vectors\":[],\"typed\":[{\"id\":\"t\",\"parts\":[\"v\"]}]}",
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        ok(check_text(broken[i], &out, &passed, &failed, &error) == -1 && error.kind == ERROR_USAGE,
           "not in the format: %s", error.message);
    is_int(spe_check_vectors("/no/such/file", &out, &passed, &failed, &error), -1, "no file");
    strbuf_release(&out);
}

int main(int argc, char **argv)
{
    test_naturals();
    test_paper_examples();
    test_algorithm1();
    test_parts();
    test_products();
    test_completions();
    test_large();
    if (ok(argc > 1, "the vectors' file is given"))
        test_vectors(argv[1]);
    return tap_done();
}
