/* Burnside's lemma over a tree of scopes (burnside.h has the mathematics).
 *
 * With K variables of the enclosing scopes staying, and t staying of the unused ones of scope s
 * (there are A_s[t] such permutations), X = K + used_s + t variables stay for what lies in s:
 *
 *     F_s[K] = sum over t of A_s[t] * G_s[K + used_s + t]
 *     G_s[X] = product over the holes of s of (others + X) * product over its children c of F_c[X]
 *
 * The answer is F_root[0] over the order of the group. */
#include "spe/burnside.h"

#include "base/vec.h"

struct bunch { /* the holes of one scope that see as many other variables */
    int others, holes;
    int next; /* bunch of the same scope, -1: none */
};

struct scope {
    int above, own;           /* variables in classes: of enclosing scopes, of its own */
    int child, sibling;       /* -1: none */
    int bunch, class;         /* the first of each, -1: none */
    struct natural *fillings; /* [above + 1] F_s */
    bool stale;
};

enum { KEPT_ROWS = 64 };

struct burnside {
    struct arena arena;
    const struct spe_part *part;
    const struct burnside_class *classes;
    int n_classes;
    const int *others;
    int *veiled, n_veiled; /* classes with `seen` */
    int *staying;          /* [n_veiled] those that the group leaves alone, used ones included */
    int *next_class;       /* [n_classes] of the same scope, -1: none */
    struct scope *scopes;
    VEC(struct bunch) bunches;
    int *bunch_of; /* [n_holes] */
    int from;      /* holes before it are not in their bunches */
    int *used;     /* [n_classes] what `fillings` stand for */

    struct natural *derangements, *factorials; /* [n_small] each */
    struct natural *ways;                      /* [n_large] A_s */
    struct natural *rows[KEPT_ROWS];           /* see row_of; NULL: not yet */
    struct natural *row, *product;             /* [n_large] scratch of it */
    struct natural *inside;                    /* [n_large] G_s */
    struct natural number, divisor;            /* scratch */
    size_t n_small, n_large;
};

/* -- opening ----------------------------------------------------------------------------------- */

static void link_classes(struct burnside *b)
{
    for (int c = b->n_classes - 1; c >= 0; c--) {
        struct scope *scope = &b->scopes[b->classes[c].scope];
        if (b->n_small <= (size_t)b->classes[c].size)
            b->n_small = (size_t)b->classes[c].size + 1;
        if (b->classes[c].seen) {
            b->veiled[b->n_veiled++] = c;
            continue;
        }
        b->next_class[c] = scope->class;
        scope->class = c;
        scope->own += b->classes[c].size;
    }
}

static void link_scopes(struct burnside *b)
{
    for (int s = 0; s < b->part->n_scopes; s++) {
        struct scope *scope = &b->scopes[s];
        int parent = b->part->scopes[s].parent;
        if (parent >= 0) {
            scope->above = b->scopes[parent].above + b->scopes[parent].own;
            scope->sibling = b->scopes[parent].child;
            b->scopes[parent].child = s;
        }
        scope->fillings = naturals_new((size_t)scope->above + 1);
        if (b->n_large <= (size_t)(scope->above + scope->own))
            b->n_large = (size_t)(scope->above + scope->own) + 1;
    }
}

static void put_in_bunch(struct burnside *b, int hole, int others)
{
    struct scope *scope = &b->scopes[b->part->holes[hole]];
    int bunch = scope->bunch;
    while (bunch >= 0 && b->bunches.at[bunch].others != others)
        bunch = b->bunches.at[bunch].next;
    if (bunch < 0) {
        bunch = (int)b->bunches.n;
        vec_push(&b->bunches, (struct bunch){others, 0, scope->bunch});
        scope->bunch = bunch;
    }
    b->bunches.at[bunch].holes++;
    b->bunch_of[hole] = bunch;
}

/* D(n) = (n-1) (D(n-1) + D(n-2)). */
static void make_tables(struct burnside *b)
{
    b->derangements = naturals_new(b->n_small);
    b->factorials = naturals_new(b->n_small);
    for (size_t n = 0; n < b->n_small; n++) {
        struct natural *d = &b->derangements[n], *f = &b->factorials[n];
        if (n == 0) {
            natural_set_u64(d, 1);
            natural_set_u64(f, 1);
            continue;
        }
        natural_mul_u64(f, f - 1, n);
        if (n >= 2) {
            natural_add(d, d - 1, d - 2);
            natural_mul_u64(d, d, n - 1);
        }
    }
}

struct burnside *burnside_new(const struct spe_part *part, const struct burnside_class *classes,
                              int n_classes, const int *others)
{
    struct burnside *b = mem_alloc(sizeof *b);
    *b = (struct burnside){
        .part = part, .classes = classes, .n_classes = n_classes, .others = others, .n_small = 1};
    b->veiled = arena_array(&b->arena, int, n_classes + 1);
    b->staying = arena_array(&b->arena, int, n_classes + 1);
    b->next_class = arena_array(&b->arena, int, n_classes + 1);
    b->used = arena_array(&b->arena, int, n_classes + 1);
    b->bunch_of = arena_array(&b->arena, int, part->n_holes + 1);
    b->scopes = arena_array(&b->arena, struct scope, part->n_scopes + 1);
    for (int s = 0; s < part->n_scopes; s++)
        b->scopes[s] =
            (struct scope){.child = -1, .sibling = -1, .bunch = -1, .class = -1, .stale = true};
    link_classes(b);
    link_scopes(b);
    for (int h = 0; h < part->n_holes; h++)
        put_in_bunch(b, h, others[h]);
    make_tables(b);
    b->ways = naturals_new(b->n_large);
    b->row = naturals_new(b->n_large + b->n_small);
    b->product = naturals_new(b->n_large);
    b->inside = naturals_new(b->n_large);
    natural_init(&b->number);
    natural_init(&b->divisor);
    return b;
}

void burnside_free(struct burnside *b)
{
    for (int s = 0; s < b->part->n_scopes; s++)
        naturals_free(b->scopes[s].fillings, (size_t)b->scopes[s].above + 1);
    naturals_free(b->derangements, b->n_small);
    naturals_free(b->factorials, b->n_small);
    naturals_free(b->ways, b->n_large);
    naturals_free(b->row, b->n_large + b->n_small);
    for (int m = 0; m < KEPT_ROWS; m++)
        if (b->rows[m])
            naturals_free(b->rows[m], (size_t)m + 1);
    naturals_free(b->product, b->n_large);
    naturals_free(b->inside, b->n_large);
    natural_clear(&b->number);
    natural_clear(&b->divisor);
    vec_release(&b->bunches);
    arena_release(&b->arena);
    free(b);
}

/* -- one scope --------------------------------------------------------------------------------- */

/* row[j] = C(m,j) D(m-j): permutations of m that leave exactly j alone. */
static void make_row(struct burnside *b, int m, struct natural *row)
{
    natural_set_u64(&b->number, 1); /* C(m,j) */
    for (int j = 0; j <= m; j++) {
        natural_mul(&row[j], &b->number, &b->derangements[m - j]);
        natural_mul_u64(&b->number, &b->number, (uint64_t)(m - j));
        natural_set_u64(&b->divisor, (uint64_t)j + 1);
        natural_divide(&b->number, NULL, &b->number, &b->divisor);
    }
}

/* Made once for each m, except for very large classes. */
static const struct natural *row_of(struct burnside *b, int m)
{
    struct natural **kept = m < KEPT_ROWS ? &b->rows[m] : NULL;
    if (kept && *kept)
        return *kept;
    struct natural *row = kept ? naturals_new((size_t)m + 1) : b->row;
    make_row(b, m, row);
    if (kept)
        *kept = row;
    return row;
}

/* A_s, the product of its classes' rows. Returns the unused variables of the scope. */
static int make_ways(struct burnside *b, const struct scope *scope)
{
    int n = 0;
    natural_set_u64(&b->ways[0], 1);
    for (int c = scope->class; c >= 0; c = b->next_class[c]) {
        int m = b->classes[c].size - b->used[c];
        const struct natural *row = row_of(b, m);
        for (int k = 0; k <= n + m; k++)
            natural_set_u64(&b->product[k], 0);
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= m; j++)
                natural_add_mul(&b->product[i + j], &b->ways[i], &row[j]);
        n += m;
        for (int k = 0; k <= n; k++)
            natural_set(&b->ways[k], &b->product[k]);
    }
    return n;
}

/* G_s[staying] */
static void fill_inside(struct burnside *b, const struct scope *scope, int staying)
{
    struct natural *all = &b->inside[staying];
    natural_set_u64(all, 1);
    for (int i = scope->bunch; i >= 0; i = b->bunches.at[i].next) {
        const struct bunch *bunch = &b->bunches.at[i];
        natural_power(&b->number, (uint64_t)(bunch->others + staying), (uint64_t)bunch->holes);
        natural_mul(all, all, &b->number);
    }
    for (int c = scope->child; c >= 0; c = b->scopes[c].sibling)
        natural_mul(all, all, &b->scopes[c].fillings[staying]);
}

static void fill_scope(struct burnside *b, struct scope *scope)
{
    int unused = make_ways(b, scope), used = scope->own - unused;
    for (int staying = used; staying <= scope->above + scope->own; staying++)
        fill_inside(b, scope, staying);
    for (int k = 0; k <= scope->above; k++) {
        natural_set_u64(&scope->fillings[k], 0);
        for (int t = 0; t <= unused; t++)
            natural_add_mul(&scope->fillings[k], &b->ways[t], &b->inside[k + used + t]);
    }
}

/* -- the whole tree ---------------------------------------------------------------------------- */

static void move_to(struct burnside *b, int from)
{
    for (; b->from < from; b->from++) {
        b->bunches.at[b->bunch_of[b->from]].holes--;
        b->scopes[b->part->holes[b->from]].stale = true;
    }
    while (b->from > from) {
        b->from--;
        b->bunches.at[b->bunch_of[b->from]].holes++;
        b->scopes[b->part->holes[b->from]].stale = true;
    }
}

static void count_tree(struct burnside *b, struct natural *out)
{
    for (int s = b->part->n_scopes - 1; s >= 0; s--) {
        struct scope *scope = &b->scopes[s];
        if (!scope->stale)
            continue;
        scope->stale = false;
        if (s > 0)
            b->scopes[b->part->scopes[s].parent].stale = true;
        fill_scope(b, scope);
    }
    natural_set(out, &b->scopes[0].fillings[0]);
}

/* The holes from `from` on, with what stays of the veiled classes among the others. */
static void put_anew(struct burnside *b, int from)
{
    b->bunches.n = 0;
    for (int s = 0; s < b->part->n_scopes; s++) {
        b->scopes[s].bunch = -1;
        b->scopes[s].stale = true;
    }
    for (int h = from; h < b->part->n_holes; h++) {
        int others = b->others[h];
        for (int i = 0; i < b->n_veiled; i++)
            others += b->classes[b->veiled[i]].seen[h] ? b->staying[i] : 0;
        put_in_bunch(b, h, others);
    }
}

/* The sum over the group of the veiled classes. */
static void count_veiled(struct burnside *b, int from, struct natural *out)
{
    struct natural weight, sum;
    natural_init(&weight);
    natural_init(&sum);
    for (int i = 0; i < b->n_veiled; i++)
        b->staying[i] = b->used[b->veiled[i]];
    for (int i = 0; i < b->n_veiled;) {
        natural_set_u64(&weight, 1);
        for (int k = 0; k < b->n_veiled; k++) {
            int c = b->veiled[k], unused = b->classes[c].size - b->used[c];
            natural_mul(&weight, &weight, &row_of(b, unused)[b->staying[k] - b->used[c]]);
        }
        put_anew(b, from);
        count_tree(b, out);
        natural_add_mul(&sum, &weight, out);
        for (i = 0; i < b->n_veiled && b->staying[i] == b->classes[b->veiled[i]].size; i++)
            b->staying[i] = b->used[b->veiled[i]];
        if (i < b->n_veiled)
            b->staying[i]++;
    }
    natural_set(out, &sum);
    natural_clear(&weight);
    natural_clear(&sum);
}

void burnside_count(struct burnside *b, int from, const int *used, struct natural *out)
{
    for (int c = 0; c < b->n_classes; c++)
        if (b->used[c] != used[c]) {
            b->used[c] = used[c];
            b->scopes[b->classes[c].scope].stale = true;
        }
    natural_set_u64(out, 1);
    if (b->part->n_scopes == 0)
        return;
    if (b->n_veiled) {
        count_veiled(b, from, out);
    } else {
        move_to(b, from);
        count_tree(b, out);
    }
    natural_set_u64(&b->divisor, 1);
    for (int c = 0; c < b->n_classes; c++)
        natural_mul(&b->divisor, &b->divisor, &b->factorials[b->classes[c].size - used[c]]);
    natural_divide(out, NULL, out, &b->divisor);
}
