/* Mode pattern and the balls, against all fillings of small parts.
 *
 * The oracle knows nothing of homes or counts: it writes down every filling in lexicographic order,
 * takes the partition of each, and sorts. Larger parts are checked against themselves: as many by
 * `next` as were counted, ranks that go back and forth, and counts that were found in other ways.
 *
 *   test-pattern           the tests
 *   test-pattern --speed   how fast */
#include "base/choice.h"
#include "spe/spe.h"
#include "tap.h"

#include <time.h>

#define MAX_SCOPES 8
#define MAX_CLASSES 16
#define MAX_HOLES 80
#define MAX_VARIABLES 64

struct instance { /* a part with room for what it points to */
    struct spe_part part;
    struct spe_scope scopes[MAX_SCOPES];
    struct spe_class classes[MAX_SCOPES][MAX_CLASSES];
    int holes[MAX_HOLES];
    struct spe_hidden hidden[MAX_HOLES];
};

static int below(struct choice *c, int n)
{
    return (int)choose(c, (uint64_t)n);
}

static void link_part(struct instance *x)
{
    for (int s = 0; s < x->part.n_scopes; s++)
        x->scopes[s].classes = x->classes[s];
    x->part.scopes = x->scopes;
    x->part.holes = x->holes;
    x->part.hidden = x->hidden;
}

static void random_part(struct instance *x, struct choice *c, int scopes, int holes, int variables)
{
    *x = (struct instance){.part = {.n_scopes = 1 + below(c, scopes)}};
    for (int s = 0; s < x->part.n_scopes; s++) {
        x->scopes[s].parent = s == 0 ? -1 : below(c, s);
        for (int left = below(c, variables + 1); left > 0;) {
            int size = 1 + below(c, left);
            x->classes[s][x->scopes[s].n_classes++] = (struct spe_class){.size = size};
            left -= size;
        }
    }
    x->part.n_holes = below(c, holes + 1);
    for (int h = 0; h < x->part.n_holes; h++)
        x->holes[h] = below(c, x->part.n_scopes);
    link_part(x);
}

/* One class per scope. */
static void simple_part(struct instance *x, int n_scopes, const int *parents, const int *variables,
                        int n_holes, const int *holes)
{
    *x = (struct instance){.part = {.n_scopes = n_scopes, .n_holes = n_holes}};
    for (int s = 0; s < n_scopes; s++) {
        x->scopes[s] = (struct spe_scope){.parent = parents[s], .n_classes = variables[s] > 0};
        x->classes[s][0].size = variables[s];
    }
    for (int h = 0; h < n_holes; h++)
        x->holes[h] = holes[h];
    link_part(x);
}

static struct spe *open_mode(const struct instance *x, enum spe_mode mode)
{
    struct error error = {0};
    struct spe *s = spe_new(&x->part, 1, mode, &error);
    if (!s)
        printf("Bail out! %s\n", error.message);
    return s;
}

/* -- the oracle -------------------------------------------------------------------------------- */

#define MAX_FILLINGS 20000
#define SMALL_HOLES 8

struct filling {
    uint32_t at[SMALL_HOLES];
    uint32_t string[SMALL_HOLES]; /* its partition */
    int order;                    /* lexicographic among all fillings */
};

struct fillings {
    int n_holes, n;
    struct filling at[MAX_FILLINGS];
};

static bool sees(const struct spe_part *part, int hole, int scope, int class)
{
    for (int i = 0; i < part->n_hidden; i++)
        if (part->hidden[i].hole == hole && part->hidden[i].scope == scope &&
            part->hidden[i].class == class)
            return false;
    int s = part->holes[hole];
    while (s > scope)
        s = part->scopes[s].parent;
    return s == scope;
}

static int candidates(const struct spe_part *part, int hole, uint32_t *out)
{
    int n = 0;
    uint32_t variable = 0;
    for (int s = 0; s < part->n_scopes; s++)
        for (int c = 0; c < part->scopes[s].n_classes; c++)
            for (int i = 0; i < part->scopes[s].classes[c].size; i++, variable++)
                if (sees(part, hole, s, c))
                    out[n++] = variable;
    return n;
}

static void add_filling(struct fillings *all, const uint32_t *at)
{
    struct filling *f = &all->at[all->n];
    *f = (struct filling){.order = all->n++};
    uint32_t n_blocks = 0;
    for (int h = 0; h < all->n_holes; h++) {
        f->at[h] = at[h];
        int first = 0;
        while (at[first] != at[h])
            first++;
        f->string[h] = first < h ? f->string[first] : n_blocks++;
    }
}

/* All fillings in lexicographic order; false where they are too many. */
static bool all_fillings(const struct spe_part *part, struct fillings *all)
{
    uint32_t can[SMALL_HOLES][MAX_VARIABLES], at[SMALL_HOLES] = {0};
    int n[SMALL_HOLES], index[SMALL_HOLES] = {0}, total = 1;
    all->n_holes = part->n_holes;
    all->n = 0;
    for (int h = 0; h < part->n_holes; h++) {
        n[h] = candidates(part, h, can[h]);
        total *= n[h];
        if (total > MAX_FILLINGS)
            return false;
    }
    while (all->n < total) {
        for (int h = 0; h < part->n_holes; h++)
            at[h] = can[h][index[h]];
        add_filling(all, at);
        for (int h = part->n_holes - 1; h >= 0 && ++index[h] == n[h]; h--)
            index[h] = 0;
    }
    return true;
}

static int compare(const uint32_t *a, const uint32_t *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int by_string(const void *a, const void *b)
{
    const struct filling *x = a, *y = b;
    int order = compare(x->string, y->string, SMALL_HOLES);
    return order ? order : x->order - y->order;
}

/* Each partition once, with its least filling, in order. */
static int partitions(struct fillings *all)
{
    int n = 0;
    qsort(all->at, (size_t)all->n, sizeof *all->at, by_string);
    for (int i = 0; i < all->n; i++)
        n += i == 0 || compare(all->at[i].string, all->at[i - 1].string, SMALL_HOLES) != 0;
    return n;
}

/* -- all of a small part ----------------------------------------------------------------------- */

static bool same(const uint32_t *a, const uint32_t *b, int n)
{
    return compare(a, b, n) == 0;
}

/* Every filling of the class that starts at `i`: rank and canonical form. Returns the end of the
 * class, or -1. */
static int check_class(struct spe *s, const struct fillings *all, int i, uint64_t expected)
{
    struct natural rank;
    bool good = true;
    int j = i;
    natural_init(&rank);
    for (; j < all->n && same(all->at[j].string, all->at[i].string, SMALL_HOLES); j++) {
        uint32_t form[SMALL_HOLES];
        memcpy(form, all->at[j].at, sizeof form);
        spe_rank(s, form, &rank);
        good &= natural_compare_u64(&rank, expected) == 0;
        spe_canonical(s, form);
        good &= same(form, all->at[i].at, all->n_holes);
    }
    natural_clear(&rank);
    return good ? j : -1;
}

/* `next` from one representative: the one after it, and where they first differ. */
static bool check_next(struct spe *s, const struct fillings *all, int i, int after)
{
    uint32_t filling[SMALL_HOLES];
    int from = -1, first = 0;
    memcpy(filling, all->at[i].at, sizeof filling);
    if (!spe_next(s, filling, &from))
        return after == all->n;
    if (after == all->n || !same(filling, all->at[after].at, all->n_holes))
        return false;
    while (filling[first] == all->at[i].at[first])
        first++;
    return from <= first;
}

static bool check_small(const struct instance *x, struct fillings *all)
{
    struct spe *s = open_mode(x, SPE_PATTERN);
    int expected = partitions(all), i = 0;
    bool good = natural_compare_u64(spe_count(s), (uint64_t)expected) == 0;
    uint32_t walking[SMALL_HOLES] = {0}, jumped[SMALL_HOLES] = {0};
    struct natural rank;
    natural_init(&rank);
    for (uint64_t r = 0; good && i < all->n; r++) {
        const struct filling *representative = &all->at[i];
        int from = 0;
        natural_set_u64(&rank, r);
        if (r == 0)
            spe_unrank(s, &rank, walking);
        else
            good &= spe_next(s, walking, &from);
        good &= same(walking, representative->at, all->n_holes);
        if (r % 3 == 0) { /* and else `next` goes on where it was */
            int end = check_class(s, all, i, r);
            good &= end >= 0 && check_next(s, all, i, end);
            spe_unrank(s, &rank, jumped);
            good &= same(jumped, representative->at, all->n_holes);
        }
        for (int first = i;
             i < all->n && same(all->at[i].string, all->at[first].string, SMALL_HOLES);)
            i++;
    }
    int from;
    good &= expected == 0 || !spe_next(s, walking, &from);
    natural_clear(&rank);
    spe_free(s);
    return good;
}

static void print_part(const struct spe_part *part)
{
    for (int s = 0; s < part->n_scopes; s++) {
        printf("# scope %d in %d:", s, part->scopes[s].parent);
        for (int c = 0; c < part->scopes[s].n_classes; c++)
            printf(" %d", part->scopes[s].classes[c].size);
        putchar('\n');
    }
    printf("# holes:");
    for (int h = 0; h < part->n_holes; h++)
        printf(" %d", part->holes[h]);
    putchar('\n');
}

/* Some classes are hidden from some holes that have another. */
static void hide_some(struct instance *x, struct choice *c)
{
    for (int h = 0; h < x->part.n_holes; h++) {
        int s = x->holes[h];
        for (int k = 0; k < x->scopes[s].n_classes && x->part.n_hidden < MAX_HOLES; k++)
            if (x->classes[s][k].size < 3 && below(c, 4) == 0)
                x->hidden[x->part.n_hidden++] = (struct spe_hidden){h, s, k};
    }
}

static void test_small(struct choice *c, struct fillings *all, bool hiding)
{
    int checked = 0, failed = 0, hidden = 0;
    while (checked < 600) {
        struct instance x;
        random_part(&x, c, 4, 6, 3);
        if (hiding)
            hide_some(&x, c);
        /* a prefix can only be extended where every hole has a candidate */
        if (!all_fillings(&x.part, all) || (hiding && all->n == 0))
            continue;
        checked++;
        hidden += x.part.n_hidden > 0;
        if (!check_small(&x, all) && failed++ == 0)
            print_part(&x.part);
    }
    is_int(failed, 0, "%d random parts: count, order, ranks and representatives", checked);
    ok(hiding ? hidden > 200 : hidden == 0, "%d of them hide variables", hidden);
}

/* -- counts known otherwise -------------------------------------------------------------------- */

static void count_is(const char *name, const char *expected, int n_scopes, const int *parents,
                     const int *variables, int n_holes, const int *holes)
{
    struct instance x;
    simple_part(&x, n_scopes, parents, variables, n_holes, holes);
    struct spe *s = open_mode(&x, SPE_PATTERN);
    struct strbuf text;
    strbuf_init(&text, 0);
    natural_text(spe_count(s), &text);
    is_str(text.s, expected, "%s: %s partitions", name, expected);
    strbuf_release(&text);
    spe_free(s);
}

static void test_known(void)
{
    int zeros[MAX_HOLES] = {0};
    count_is("Figure 5", "32", 1, (int[]){-1}, (int[]){2}, 6, zeros);
    count_is("Example 6", "35", 2, (int[]){-1, 0}, (int[]){2, 2}, 5, (int[]){0, 1, 1, 0, 0});
    count_is("no hole", "1", 1, (int[]){-1}, (int[]){0}, 0, zeros);
    count_is("no variable", "0", 1, (int[]){-1}, (int[]){0}, 1, zeros);
    count_is("2 variables, 65 holes", "18446744073709551616", 1, (int[]){-1}, (int[]){2}, 65,
             zeros);
    /* Bell's numbers where there are enough variables */
    count_is("10 holes", "115975", 1, (int[]){-1}, (int[]){10}, 10, zeros);
    count_is("10 holes below", "115975", 3, (int[]){-1, 0, 1}, (int[]){4, 0, 6}, 10,
             (int[]){2, 2, 2, 2, 2, 2, 2, 2, 2, 2});
}

/* -- larger parts ------------------------------------------------------------------------------ */

/* As many as counted, each after the one before it. */
static bool walk(struct spe *s, uint64_t count)
{
    uint32_t filling[MAX_HOLES];
    struct natural rank;
    uint64_t n = 0;
    bool good = true;
    int from;
    natural_init(&rank);
    spe_unrank(s, &rank, filling);
    do {
        if (n % 97 == 0) {
            spe_rank(s, filling, &rank);
            good &= natural_compare_u64(&rank, n) == 0;
        }
        n++;
    } while (good && spe_next(s, filling, &from));
    natural_clear(&rank);
    return good && n == count;
}

static void test_walks(struct choice *c)
{
    int walked = 0, failed = 0;
    uint64_t longest = 0, count;
    while (walked < 60) {
        struct instance x;
        random_part(&x, c, MAX_SCOPES, 12, 3);
        struct spe *s = open_mode(&x, SPE_PATTERN);
        if (natural_fits_u64(spe_count(s), &count) && count >= 500 && count < 30000) {
            walked++;
            longest = count > longest ? count : longest;
            if (!walk(s, count) && failed++ == 0)
                print_part(&x.part);
        }
        spe_free(s);
    }
    is_int(failed, 0, "%d parts: as many by next as counted, up to %llu", walked,
           (unsigned long long)longest);
}

static bool round_trip(struct spe *s, struct choice *c)
{
    uint32_t filling[MAX_HOLES], form[MAX_HOLES], after[MAX_HOLES];
    struct natural rank, back;
    int n = spe_n_holes(s), from;
    natural_init(&rank);
    natural_init(&back);
    natural_random(&rank, spe_count(s), c);
    spe_unrank(s, &rank, filling);
    memcpy(form, filling, sizeof form);
    spe_canonical(s, form);
    bool good = same(form, filling, n);
    spe_rank(s, filling, &back);
    good &= natural_compare(&rank, &back) == 0;
    natural_add_u64(&rank, &rank, 1);
    bool more = spe_next(s, filling, &from);
    good &= more == (natural_compare(&rank, spe_count(s)) < 0);
    if (more) {
        spe_unrank(s, &rank, after);
        good &= same(filling, after, n);
    }
    natural_clear(&back);
    natural_clear(&rank);
    return good;
}

static void test_huge(struct choice *c)
{
    int done = 0, failed = 0;
    while (done < 12) {
        struct instance x;
        random_part(&x, c, 5, 0, 3);
        x.part.n_holes = 60;
        for (int h = 0; h < 60; h++)
            x.holes[h] = below(c, x.part.n_scopes);
        struct spe *s = open_mode(&x, SPE_PATTERN);
        if (natural_compare_u64(spe_count(s), UINT64_MAX) > 0) {
            done++;
            if (!round_trip(s, c) && failed++ == 0)
                print_part(&x.part);
        }
        spe_free(s);
    }
    is_int(failed, 0, "60 holes: %d random ranks back and forth, and to the next", done);
}

/* -- balls ------------------------------------------------------------------------------------- */

static int distance_of(const uint32_t *a, const uint32_t *b, int n)
{
    int distance = 0;
    for (int i = 0; i < n; i++)
        distance += a[i] != b[i];
    return distance;
}

/* Whether `a` is visited before `b` at the same distance: changed holes first, then variables. */
static bool comes_before(const uint32_t *a, const uint32_t *b, const uint32_t *original, int n)
{
    for (int i = 0; i < n; i++)
        if ((a[i] != original[i]) != (b[i] != original[i]))
            return a[i] != original[i];
    return compare(a, b, n) < 0;
}

/* The member of each class that a ball has to give: nearest, and first of those. `string` becomes
 * the canonical form; returns how many classes have one within the radius, sorted to the front. */
static int nearest(struct spe *s, struct fillings *all, const uint32_t *original, int radius)
{
    int n = 0;
    for (int i = 0; i < all->n; i++) {
        memcpy(all->at[i].string, all->at[i].at, sizeof all->at[i].at);
        spe_canonical(s, all->at[i].string);
    }
    qsort(all->at, (size_t)all->n, sizeof *all->at, by_string);
    for (int i = 0, end; i < all->n; i = end) {
        int best = i, holes = all->n_holes;
        for (end = i + 1; end < all->n && same(all->at[end].string, all->at[i].string, holes);
             end++) {
            const uint32_t *a = all->at[end].at, *b = all->at[best].at;
            int da = distance_of(a, original, holes), db = distance_of(b, original, holes);
            if (da < db || (da == db && comes_before(a, b, original, holes)))
                best = end;
        }
        if (distance_of(all->at[best].at, original, holes) <= radius)
            all->at[n++] = all->at[best];
    }
    return n;
}

static bool check_ball(struct spe *s, struct fillings *all, struct choice *c)
{
    uint32_t original[SMALL_HOLES], filling[SMALL_HOLES] = {0}, before[SMALL_HOLES] = {0};
    int n_holes = all->n_holes, radius = below(c, n_holes + 2), given = 0, last = 0, distance = 0;
    memcpy(original, all->at[below(c, all->n)].at, sizeof original);
    int expected = nearest(s, all, original, radius);
    struct spe_ball *b = spe_ball_new(s, original, radius);
    bool good = true;
    for (; good && spe_ball_next(b, filling, &distance); given++) {
        int i = 0;
        while (i < expected && !same(all->at[i].at, filling, n_holes))
            i++;
        good &= i < expected && distance == distance_of(filling, original, n_holes);
        good &= given == 0 ? distance == 0 : distance >= last;
        good &= given == 0 || distance > last || comes_before(before, filling, original, n_holes);
        last = distance;
        memcpy(before, filling, sizeof before);
    }
    spe_ball_free(b);
    return good && given == expected;
}

static void test_balls(struct choice *c, struct fillings *all)
{
    for (enum spe_mode mode = SPE_NAIVE; mode <= SPE_SOUND; mode++) {
        int checked = 0, failed = 0;
        while (checked < 150) {
            struct instance x;
            random_part(&x, c, 4, 6, 3);
            hide_some(&x, c);
            if (!all_fillings(&x.part, all) || all->n == 0 || all->n > 1000)
                continue;
            checked++;
            struct spe *s = open_mode(&x, mode);
            if (!check_ball(s, all, c) && failed++ == 0)
                print_part(&x.part);
            spe_free(s);
        }
        is_int(failed, 0, "%s: %d balls, each class once, at its least distance",
               spe_mode_name[mode], checked);
    }
}

/* Two parts: variables have the same numbers, but are not the same. */
static void test_ball_of_parts(void)
{
    struct instance alike, own; /* three variables of one class; of one class each */
    struct error error = {0};
    simple_part(&alike, 1, (int[]){-1}, (int[]){3}, 2, (int[]){0, 0});
    simple_part(&own, 1, (int[]){-1}, (int[]){1}, 1, (int[]){0});
    own.scopes[0].n_classes = 3;
    own.classes[0][1].size = own.classes[0][2].size = 1;
    struct spe *s = spe_new((struct spe_part[]){own.part, alike.part}, 2, SPE_SOUND, &error);
    uint32_t filling[3] = {0};
    int distance, given[4] = {0};
    struct spe_ball *b = spe_ball_new(s, filling, 3);
    while (spe_ball_next(b, filling, &distance))
        given[distance]++;
    is_int(given[0], 1, "two parts: the original");
    is_int(given[1], 2 + 1, "one hole: either of two others, or a pair that differs");
    is_int(given[2], 2, "two holes: both");
    is_int(given[3], 0, "and these are all");
    spe_ball_free(b);
    spe_free(s);
}

/* A ball of small radius in a space that nobody could visit. */
static void test_wide_ball(void)
{
    struct instance x;
    int holes[40] = {0};
    simple_part(&x, 1, (int[]){-1}, (int[]){50}, 40, holes);
    struct spe *s = open_mode(&x, SPE_SOUND);
    uint32_t filling[40] = {0};
    int distance, given[3] = {0};
    struct spe_ball *b = spe_ball_new(s, filling, 2);
    while (spe_ball_next(b, filling, &distance))
        given[distance]++;
    is_int(given[1], 40, "40 equal holes: one of them differs");
    is_int(given[2], 40 * 39, "or two, and these are equal or not");
    spe_ball_free(b);
    spe_free(s);

    for (int h = 0; h < 40; h++)
        filling[h] = (uint32_t)(h % 2);
    simple_part(&x, 1, (int[]){-1}, (int[]){2}, 20, holes);
    s = open_mode(&x, SPE_SOUND);
    b = spe_ball_new(s, filling, 20);
    int n = 0, last = 0;
    for (; spe_ball_next(b, filling, &distance); n++)
        last = distance;
    is_int(n, 1 << 19, "a radius of all 20 holes: every class");
    is_int(last, 10, "half of the holes are enough to come to any of them");
    spe_ball_free(b);
    spe_free(s);
}

/* -- speed ------------------------------------------------------------------------------------- */

static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static void measure(const char *name, int n_scopes, const int *parents, const int *variables,
                    int n_holes, const int *holes)
{
    struct instance x;
    struct choice c;
    struct natural rank;
    uint32_t filling[MAX_HOLES];
    simple_part(&x, n_scopes, parents, variables, n_holes, holes);
    double start = cpu_seconds();
    struct spe *s = open_mode(&x, SPE_PATTERN);
    double opened = cpu_seconds();
    choice_init_random(&c, 1);
    natural_init(&rank);
    double first = 0;
    for (int i = 0; i < 20; i++) {
        natural_random(&rank, spe_count(s), &c);
        spe_unrank(s, &rank, filling);
        if (i == 0)
            first = cpu_seconds() - opened;
    }
    double unranked = cpu_seconds();
    long n = 0;
    int from;
    while (n < 3000000 && spe_next(s, filling, &from))
        n++;
    printf("# %s: %.2g; open %.2f ms, unrank %.2f ms first, %.2f ms mean of 20, next %.2f M/s\n",
           name, natural_double(spe_count(s)), (opened - start) * 1e3, first * 1e3,
           (unranked - opened) * 1e3 / 20, (double)n / 1e6 / (cpu_seconds() - unranked));
    natural_clear(&rank);
    choice_release(&c);
    spe_free(s);
}

static int speed(void)
{
    int flat[60] = {0}, nested[60], siblings[60];
    for (int h = 0; h < 60; h++) {
        nested[h] = (int[]){0, 1, 2, 3, 2, 1}[h / 10];
        siblings[h] = (int[]){0, 1, 2, 0, 3, 4}[h / 10];
    }
    measure("flat, 12 variables, 60 holes", 1, (int[]){-1}, (int[]){12}, 60, flat);
    measure("nested, 3 3 2 2, 60 holes", 4, (int[]){-1, 0, 1, 2}, (int[]){3, 3, 2, 2}, 60, nested);
    measure("siblings, 4 3 3 3 3, 60 holes", 5, (int[]){-1, 0, 0, 0, 3}, (int[]){4, 3, 3, 3, 3}, 60,
            siblings);
    measure("nested, 10 10 10 10, 60 holes", 4, (int[]){-1, 0, 1, 2}, (int[]){10, 10, 10, 10}, 60,
            nested);
    return 0;
}

int main(int argc, char **argv)
{
    static struct fillings all;
    struct choice c;
    if (argc > 1 && !strcmp(argv[1], "--speed"))
        return speed();
    choice_init_random(&c, 20);
    test_known();
    test_small(&c, &all, false);
    test_small(&c, &all, true);
    test_walks(&c);
    test_huge(&c);
    test_balls(&c, &all);
    test_ball_of_parts();
    test_wide_ball();
    choice_release(&c);
    return tap_done();
}
