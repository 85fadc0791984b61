/* Mode pattern: the set partitions of the holes that some filling realises (SPE 3.2.1, 4).
 *
 * The home of a block is the lowest common ancestor of its holes' scopes: it may take a variable of
 * its home or of any enclosing scope. A partition is realised exactly if, from the leaves up, what
 * a scope's own variables leave unserved, max(0, need - variables), is nothing at the root.
 *
 * A partition is written as a restricted growth string (4.1.2): for each hole in textual order the
 * number of its block, blocks numbered by first use. A prefix that is realised can be extended, for
 * every hole has a candidate. In how many ways depends only on the holes that are left and on how
 * many blocks have each scope as their home: `completions` counts them, one pass over the tree with
 * the four steps of `factor_make`. With it a rank is added up, or taken apart, hole by hole.
 *
 * Going to the next string needs no counts: `need` is kept up to date along one path per hole.
 *
 * Scopes without variables see what their parents see; they are merged into them. The others are
 * renumbered in preorder, so that a subtree is an interval. */
#include "base/map.h"
#include "spe/spe_internal.h"

#define NONE (-1)
#define MEMO_LIMIT ((size_t)1 << 19) /* numbers; some 48 bytes each */

struct scope {
    int parent, size; /* size: scopes of the subtree, itself included */
    uint32_t first;   /* its first variable's number; they are consecutive */
    int above;        /* variables of the enclosing scopes */
};

/* The string up to a hole, and what follows from it. */
struct prefix {
    int n, n_blocks;
    int *block; /* n; block of each hole */
    int *left;  /* n; the home that the hole's block had before it, NONE: the hole began it */
    int *home;  /* n_blocks */
    int *homes; /* per scope: blocks with this home */
    int *need;  /* per scope: variables asked of it, by its own blocks and from below */
    int *rest;  /* per scope: its holes after the prefix */
};

struct pattern {
    struct arena arena;
    int n_scopes, n_holes, n_variables;
    struct scope *scopes; /* in preorder */
    int *variables;       /* per scope: how many it has */
    int *hole;            /* n_holes; scope of each */
    struct prefix prefix;

    int *block_of;      /* n_variables; scratch of `load`: the block that a variable makes */
    int *string;        /* n_holes; scratch of `pattern_rank` */
    int *asked, *spare; /* per scope; scratch of `choose_variables`: need, and variables left */
    uint32_t *variable, *variable_before; /* n_holes; of each block */
    uint32_t *last; /* n_holes; the filling that the prefix, if complete, stands for */

    struct map memo; /* state of a subtree -> struct factor */
    size_t memo_size;
    uint32_t *key;                      /* 2 + n_scopes; scratch */
    struct natural *factorial;          /* 0 .. n_holes */
    struct natural *by_home, same_home; /* per scope; scratch of `count_choice` */
    bool *has_by_home, has_same_home;
};

/* -- the tree ---------------------------------------------------------------------------------- */

static int variables_of(const struct spe_scope *s)
{
    int n = 0;
    for (int c = 0; c < s->n_classes; c++)
        n += s->classes[c].size;
    return n;
}

/* Number a scope and what lies below it; `number` has -1 for scopes that are not yet numbered. */
static void number_scopes(struct pattern *p, const struct spe_part *part, int at, int parent,
                          const uint32_t *first, int *number)
{
    int own = variables_of(&part->scopes[at]);
    int me = parent;
    if (own > 0 || parent == NONE) {
        me = p->n_scopes++;
        p->variables[me] = own;
        p->scopes[me] = (struct scope){.parent = parent, .first = first[at]};
        if (parent != NONE)
            p->scopes[me].above = p->scopes[parent].above + p->variables[parent];
    }
    number[at] = me;
    for (int s = at + 1; s < part->n_scopes; s++)
        if (part->scopes[s].parent == at)
            number_scopes(p, part, s, me, first, number);
    p->scopes[me].size = p->n_scopes - me;
}

static void make_tree(struct pattern *p, const struct spe_part *part)
{
    uint32_t *first = arena_array(&p->arena, uint32_t, part->n_scopes);
    int *number = arena_array(&p->arena, int, part->n_scopes);
    for (int s = 0; s < part->n_scopes; s++) {
        first[s] = (uint32_t)p->n_variables;
        p->n_variables += variables_of(&part->scopes[s]);
    }
    p->scopes = arena_array(&p->arena, struct scope, part->n_scopes);
    p->variables = arena_array(&p->arena, int, part->n_scopes);
    number_scopes(p, part, 0, NONE, first, number);
    p->hole = arena_array(&p->arena, int, part->n_holes);
    for (int h = 0; h < part->n_holes; h++)
        p->hole[h] = number[part->holes[h]];
}

static bool encloses(const struct pattern *p, int outer, int inner)
{
    return outer <= inner && inner < outer + p->scopes[outer].size;
}

static int common_scope(const struct pattern *p, int a, int b)
{
    while (!encloses(p, a, b))
        a = p->scopes[a].parent;
    return a;
}

/* -- a prefix and its feasibility -------------------------------------------------------------- */

/* One block more asks for a variable of the scope or above: as far up as nothing is left. */
static void ask(const struct pattern *p, int *need, const int *variables, int s)
{
    while (s != NONE && ++need[s] > variables[s])
        s = p->scopes[s].parent;
}

static void ask_no_more(const struct pattern *p, int *need, const int *variables, int s)
{
    while (s != NONE && need[s]-- > variables[s])
        s = p->scopes[s].parent;
}

static void add_home(struct pattern *p, int s)
{
    p->prefix.homes[s]++;
    ask(p, p->prefix.need, p->variables, s);
}

static void remove_home(struct pattern *p, int s)
{
    p->prefix.homes[s]--;
    ask_no_more(p, p->prefix.need, p->variables, s);
}

static bool realised(const struct pattern *p)
{
    return p->prefix.need[0] <= p->variables[0];
}

/* The next hole goes into a block: an old one, or n_blocks. */
static void push(struct pattern *p, int block)
{
    struct prefix *x = &p->prefix;
    int hole = x->n++, s = p->hole[hole];
    x->rest[s]--;
    x->block[hole] = block;
    x->left[hole] = block == x->n_blocks ? NONE : x->home[block];
    if (block == x->n_blocks) {
        x->home[x->n_blocks++] = s;
        add_home(p, s);
    } else if (!encloses(p, x->home[block], s)) {
        remove_home(p, x->home[block]);
        x->home[block] = common_scope(p, x->home[block], s);
        add_home(p, x->home[block]);
    }
}

static void pop(struct pattern *p)
{
    struct prefix *x = &p->prefix;
    int hole = --x->n, block = x->block[hole];
    x->rest[p->hole[hole]]++;
    if (x->left[hole] == NONE) {
        remove_home(p, x->home[--x->n_blocks]);
    } else if (x->left[hole] != x->home[block]) {
        remove_home(p, x->home[block]);
        x->home[block] = x->left[hole];
        add_home(p, x->home[block]);
    }
}

static void clear(struct pattern *p)
{
    while (p->prefix.n > 0)
        pop(p);
}

/* The next hole into the first block, from `block` on, that leaves the prefix realised. */
static bool push_least(struct pattern *p, int block)
{
    for (; block <= p->prefix.n_blocks; block++) {
        push(p, block);
        if (realised(p))
            return true;
        pop(p);
    }
    return false;
}

/* -- fillings ---------------------------------------------------------------------------------- */

/* The least filling that realises the complete string. Blocks come in the order of their first
 * holes, so each in turn takes the least variable that leaves enough for those after it. Taken from
 * a scope where nothing is to spare, it would have to be made up for by an enclosing scope, which
 * comes earlier in the order: so it is one of the outermost scope that has more left than is asked
 * of it, once the block itself asks no more. */
static void choose_variables(struct pattern *p)
{
    const struct prefix *x = &p->prefix;
    memcpy(p->asked, x->need, sizeof *p->asked * (size_t)p->n_scopes);
    memcpy(p->spare, p->variables, sizeof *p->spare * (size_t)p->n_scopes);
    for (int b = 0; b < x->n_blocks; b++) {
        int from = NONE;
        ask_no_more(p, p->asked, p->spare, x->home[b]);
        for (int s = x->home[b]; s != NONE; s = p->scopes[s].parent)
            if (p->asked[s] < p->spare[s])
                from = s;
        REQUIRE(from != NONE);
        p->variable[b] = p->scopes[from].first + (uint32_t)(p->variables[from] - p->spare[from]);
        p->spare[from]--;
    }
}

/* The filling of the complete string. */
static void write_filling(struct pattern *p, uint32_t *filling)
{
    choose_variables(p);
    for (int h = 0; h < p->n_holes; h++)
        filling[h] = p->variable[p->prefix.block[h]];
    memcpy(p->last, filling, sizeof *filling * (size_t)p->n_holes);
}

/* The string of a filling, complete. */
static void load(struct pattern *p, const uint32_t *filling)
{
    clear(p);
    for (int h = 0; h < p->n_holes; h++) {
        int *block = &p->block_of[filling[h]];
        if (*block == NONE)
            *block = p->prefix.n_blocks;
        push(p, *block);
    }
    for (int h = 0; h < p->n_holes; h++)
        p->block_of[filling[h]] = NONE;
}

static void pattern_canonical(void *state, uint32_t *filling)
{
    struct pattern *p = state;
    load(p, filling);
    write_filling(p, filling);
}

/* Write what has changed at or after the hole `from`, or anywhere if a block's variable has. */
static int rewrite_filling(struct pattern *p, uint32_t *filling, int n_before, int from)
{
    const struct prefix *x = &p->prefix;
    int n_same = n_before < x->n_blocks ? n_before : x->n_blocks;
    uint32_t *before = p->variable;
    p->variable = p->variable_before;
    p->variable_before = before;
    choose_variables(p);
    if (memcmp(before, p->variable, sizeof *before * (size_t)n_same) != 0)
        from = 0;
    while (from < p->n_holes && filling[from] == p->variable[x->block[from]])
        from++;
    for (int h = from; h < p->n_holes; h++)
        p->last[h] = filling[h] = p->variable[x->block[h]];
    return from;
}

static bool pattern_next(void *state, uint32_t *filling, int *from)
{
    struct pattern *p = state;
    struct prefix *x = &p->prefix;
    size_t size = sizeof *filling * (size_t)p->n_holes;
    if (x->n < p->n_holes || memcmp(p->last, filling, size) != 0)
        pattern_canonical(p, filling);
    int n_before = x->n_blocks, block;
    do {
        if (x->n == 0)
            return false;
        block = x->block[x->n - 1];
        pop(p);
    } while (!push_least(p, block + 1));
    int changed = x->n - 1;
    while (x->n < p->n_holes)
        REQUIRE(push_least(p, 0));
    *from = rewrite_filling(p, filling, n_before, changed);
    return true;
}

/* -- numbers that may be negative on the way --------------------------------------------------- */

struct number {
    struct natural size;
    bool negative;
};

static struct number *numbers_new(size_t n)
{
    struct number *x = mem_alloc(sizeof *x * n);
    for (size_t i = 0; i < n; i++) {
        natural_init(&x[i].size);
        x[i].negative = false;
    }
    return x;
}

static void numbers_free(struct number *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        natural_clear(&x[i].size);
    free(x);
}

static bool is_zero(const struct number *x)
{
    return natural_compare_u64(&x->size, 0) == 0;
}

static void number_set(struct number *x, const struct number *a)
{
    natural_set(&x->size, &a->size);
    x->negative = a->negative;
}

/* x += a, or x -= a. */
static void number_add(struct number *x, const struct number *a, bool minus)
{
    bool negative = a->negative != minus;
    if (x->negative == negative) {
        natural_add(&x->size, &x->size, &a->size);
    } else if (natural_compare(&x->size, &a->size) >= 0) {
        natural_sub(&x->size, &x->size, &a->size);
    } else {
        natural_sub(&x->size, &a->size, &x->size);
        x->negative = negative;
    }
}

/* -- completions of a prefix ------------------------------------------------------------------- */

/* What a subtree contributes to its parent's count. In a completion of the prefix, a block that
 * lies in the subtree and elsewhere leaves it as a piece: an old one if the block has its home in
 * the subtree already, else a fresh one, made of holes alone. Blocks that stay are closed, those
 * that the variables below cannot serve are needs. With f(e,k,o) ways to have e needs, k fresh and
 * o old pieces, the parent joins the pieces of its children, at most one from each to a block, at
 * most one old.
 *
 * Joining is a product if the blocks have labels: L of them, o of which the subtree's old pieces
 * have taken. Then k fresh pieces find places in (L-o)(L-o-1)...(L-o-k+1) ways, a hole of the
 * parent in L ways, and the children do not care for each other. How many ways there are for w
 * fresh blocks without labels follows from the values at N = L-o = 0, 1, ..: they are the sum of
 * g(w) N(N-1)..(N-w+1), so g(w) is the w-th difference at 0 over w!.
 *
 * A block may close at the parent if that is its home: not if it is one child's piece alone. So
 * each piece is also taken out as "closed alone" with sign -, which cancels the sign + that it gets
 * among the closed ones: with z, x, y for needs, fresh and old pieces, children come with x-z for x
 * and y-z for y, and closing at the parent is x+z and y+z. Of f, that is a shift of a polynomial by
 * one, in additions alone.
 *
 * All pieces and needs are served by different variables above: e + k + o <= above. */
struct factor {
    int labels, needs, old; /* greatest L, e, o */
    struct number *at;      /* [L][e][o] */
};

/* The steps from the children's factors to a subtree's own work on these. */
struct subtree {
    int scope;
    int labels, needs, old; /* greatest ones in `sum` */
    int fresh;              /* greatest k in `ways` */
    struct number *sum;     /* [L][e][o]: the values for L labels */
    struct number *ways;    /* [e][k][o] */
    struct number scratch;
};

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

static size_t sum_size(const struct subtree *t)
{
    return (size_t)(t->labels + 1) * (size_t)(t->needs + 1) * (size_t)(t->old + 1);
}

static size_t ways_size(const struct subtree *t)
{
    return (size_t)(t->needs + 1) * (size_t)(t->fresh + 1) * (size_t)(t->old + 1);
}

static struct number *sum_at(const struct subtree *t, int labels, int e, int o)
{
    return &t->sum[((labels * (t->needs + 1)) + e) * (t->old + 1) + o];
}

static struct number *ways_at(const struct subtree *t, int e, int k, int o)
{
    return &t->ways[((e * (t->fresh + 1)) + k) * (t->old + 1) + o];
}

static struct number *factor_at(const struct factor *f, int labels, int e, int o)
{
    return &f->at[((labels * (f->needs + 1)) + e) * (f->old + 1) + o];
}

static size_t factor_size(const struct factor *f)
{
    return (size_t)(f->labels + 1) * (size_t)(f->needs + 1) * (size_t)(f->old + 1);
}

static const struct factor *factor_of(struct pattern *p, int s);

/* Step 1, without children: the holes take any label; the scope's own old blocks are there. */
static void start_sum(struct pattern *p, struct subtree *t)
{
    int own = p->prefix.homes[t->scope];
    for (int l = own; l <= t->labels; l++) {
        struct natural *n = &sum_at(t, l, 0, own)->size;
        natural_power(n, (uint64_t)l, (uint64_t)p->prefix.rest[t->scope]);
    }
}

/* x += a * b */
static void add_product(struct subtree *t, struct number *x, const struct number *a,
                        const struct number *b)
{
    natural_mul(&t->scratch.size, &a->size, &b->size);
    number_add(x, &t->scratch, a->negative != b->negative);
}

/* Step 1: one child more, for each number of labels a product of polynomials in z and y. */
static void multiply_sum(struct subtree *t, const struct factor *f)
{
    struct number *before = t->sum;
    struct subtree old = *t;
    t->sum = numbers_new(sum_size(t));
    for (int l = 0; l <= t->labels; l++)
        for (int e = 0; e <= t->needs; e++)
            for (int o = 0; o <= t->old; o++) {
                const struct number *a = sum_at(&old, l, e, o);
                if (is_zero(a))
                    continue;
                for (int o2 = 0; o2 <= at_most(f->old, t->old - o); o2++)
                    for (int e2 = 0; e2 <= at_most(f->needs, t->needs - e - o - o2); e2++)
                        add_product(t, sum_at(t, l, e + e2, o + o2), a, factor_at(f, l, e2, o2));
            }
    numbers_free(before, sum_size(t));
}

/* Step 2: from the values for N labels of fresh blocks to the ways for w of them. */
static void remove_labels(struct pattern *p, struct subtree *t)
{
    t->ways = numbers_new(ways_size(t));
    for (int e = 0; e <= t->needs; e++)
        for (int o = 0; o <= at_most(t->old, t->needs - e); o++) {
            int n = at_most(t->fresh, t->needs - e - o);
            for (int w = 0; w <= n; w++) /* the w-th differences, in place */
                for (int i = n; i > w; i--)
                    number_add(sum_at(t, o + i, e, o), sum_at(t, o + i - 1, e, o), true);
            for (int w = 0; w <= n; w++) {
                struct number *way = ways_at(t, e, w, o), *difference = sum_at(t, o + w, e, o);
                natural_divide(&way->size, NULL, &difference->size, &p->factorial[w]);
                way->negative = difference->negative;
            }
        }
}

/* A polynomial at x+1 (minus: x-1) from that at x; coefficients `stride` apart. */
static void shift(struct number *a, int n, ptrdiff_t stride, bool minus)
{
    for (int i = 0; i < n; i++)
        for (int j = n - 1; j >= i; j--)
            number_add(a + j * stride, a + (j + 1) * stride, minus);
}

/* Pieces become needs, x+z for x and y+z for y (minus: -z). The sum of exponents stays. */
static void shift_ways(struct subtree *t, int limit, bool minus)
{
    ptrdiff_t down = ways_at(t, 0, 0, 0) - ways_at(t, 1, 0, 0);
    for (int d = 0; d <= limit; d++) {
        for (int o = 0; o <= at_most(t->old, d); o++)
            shift(ways_at(t, d - o, 0, o), at_most(t->fresh, d - o), down + t->old + 1, minus);
        for (int k = 0; k <= at_most(t->fresh, d); k++)
            shift(ways_at(t, d - k, k, 0), at_most(t->old, d - k), down + 1, minus);
    }
}

/* Step 3: the scope's variables serve what they can, e becomes max(0, e - variables). */
static void serve(struct subtree *t, int variables)
{
    for (int k = 0; k <= t->fresh; k++)
        for (int o = 0; o <= t->old; o++) {
            for (int e = 1; e <= at_most(variables, t->needs); e++)
                number_add(ways_at(t, 0, k, o), ways_at(t, e, k, o), false);
            for (int e = 1; e <= t->needs; e++) {
                if (e + variables <= t->needs)
                    number_set(ways_at(t, e, k, o), ways_at(t, e + variables, k, o));
                else
                    natural_set_u64(&ways_at(t, e, k, o)->size, 0);
            }
        }
}

/* Step 4: the values for all L that the parent may ask for, by Horner's rule. */
static struct factor *values(const struct subtree *t, int above)
{
    struct factor *f = mem_alloc(sizeof *f);
    *f = (struct factor){above, at_most(t->needs, above), at_most(t->old, above), NULL};
    f->at = numbers_new(factor_size(f));
    for (int l = 0; l <= above; l++)
        for (int e = 0; e <= f->needs; e++)
            for (int o = 0; o <= at_most(at_most(f->old, above - e), l); o++) {
                struct number *x = factor_at(f, l, e, o);
                for (int k = at_most(at_most(t->fresh, above - e - o), l - o); k >= 0; k--) {
                    natural_mul_u64(&x->size, &x->size, (uint64_t)(l - o - k));
                    number_add(x, ways_at(t, e, k, o), false);
                }
            }
    return f;
}

/* The root: every block closes, and its variables are enough. */
static struct factor *total(const struct subtree *t)
{
    struct factor *f = mem_alloc(sizeof *f);
    *f = (struct factor){.at = numbers_new(1)};
    for (int e = 0; e <= t->needs; e++)
        for (int o = 0; o <= at_most(t->old, t->needs - e); o++)
            for (int w = 0; w <= at_most(t->fresh, t->needs - e - o); w++)
                number_add(f->at, ways_at(t, e, w, o), false);
    REQUIRE(!f->at->negative || is_zero(f->at));
    return f;
}

static struct factor *factor_make(struct pattern *p, int s, int rest, int old)
{
    const struct scope *scope = &p->scopes[s];
    int visible = scope->above + p->variables[s]; /* no more blocks have a hole here */
    struct subtree t = {.scope = s};
    t.labels = t.needs = at_most(visible, rest + old);
    t.old = at_most(visible, old);
    t.fresh = at_most(visible, rest);
    t.sum = numbers_new(sum_size(&t));
    natural_init(&t.scratch.size);

    start_sum(p, &t);
    for (int c = s + 1; c < s + scope->size; c += p->scopes[c].size) {
        const struct factor *f = factor_of(p, c);
        if (f)
            multiply_sum(&t, f);
    }
    remove_labels(p, &t);
    struct factor *f;
    if (scope->parent == NONE) {
        f = total(&t);
    } else {
        shift_ways(&t, t.needs, false);
        serve(&t, p->variables[s]);
        shift_ways(&t, at_most(t.needs, scope->above), true);
        f = values(&t, scope->above);
    }
    numbers_free(t.sum, sum_size(&t));
    numbers_free(t.ways, ways_size(&t));
    natural_clear(&t.scratch.size);
    return f;
}

/* The factor of a subtree, from the memo where it is there; NULL: nothing in it, a factor of 1.
 * Holes are filled in one order, so how many are left tells which. */
static const struct factor *factor_of(struct pattern *p, int s)
{
    const struct prefix *x = &p->prefix;
    int size = p->scopes[s].size, rest = 0, old = 0;
    for (int i = s; i < s + size; i++) {
        rest += x->rest[i];
        old += x->homes[i];
        p->key[2 + i - s] = (uint32_t)x->homes[i];
    }
    if (rest + old == 0 && s != 0)
        return NULL;
    p->key[0] = (uint32_t)s;
    p->key[1] = (uint32_t)rest;
    size_t key_size = sizeof *p->key * (size_t)(2 + size);
    struct map_entry *entry = map_put(&p->memo, p->key, key_size, NULL);
    if (entry->value.pointer)
        return entry->value.pointer;
    size_t index = (size_t)(entry - p->memo.entries); /* making it makes others: entries move */
    struct factor *f = factor_make(p, s, rest, old);
    p->memo.entries[index].value.pointer = f;
    p->memo_size += factor_size(f);
    return f;
}

static void forget(struct pattern *p)
{
    for (size_t i = 0; i < p->memo.n; i++) {
        struct factor *f = p->memo.entries[i].value.pointer;
        numbers_free(f->at, factor_size(f));
        free(f);
    }
    map_release(&p->memo);
    map_init(&p->memo);
    p->memo_size = 0;
}

static void completions(struct pattern *p, struct natural *out)
{
    if (p->memo_size > MEMO_LIMIT)
        forget(p);
    if (realised(p))
        natural_set(out, &factor_of(p, 0)->at->size);
    else
        natural_set_u64(out, 0);
}

/* -- ranks ------------------------------------------------------------------------------------- */

/* Completions with the next hole in an old block. They depend on the block's home alone, and not
 * even on that where it encloses the hole. The counts hold until the next push. */
static const struct natural *count_choice(struct pattern *p, int block)
{
    int home = p->prefix.home[block];
    bool same = encloses(p, home, p->hole[p->prefix.n]);
    struct natural *out = same ? &p->same_home : &p->by_home[home];
    bool *known = same ? &p->has_same_home : &p->has_by_home[home];
    if (!*known) {
        push(p, block);
        completions(p, out);
        pop(p);
        *known = true;
    }
    return out;
}

static void forget_choices(struct pattern *p)
{
    p->has_same_home = false;
    memset(p->has_by_home, 0, sizeof *p->has_by_home * (size_t)p->n_scopes);
}

static void pattern_unrank(void *state, const struct natural *rank, uint32_t *filling)
{
    struct pattern *p = state;
    struct natural left;
    natural_init(&left);
    natural_set(&left, rank);
    clear(p);
    while (p->prefix.n < p->n_holes) {
        int block = 0;
        forget_choices(p);
        for (; block < p->prefix.n_blocks; block++) { /* the new block is what remains */
            const struct natural *n = count_choice(p, block);
            if (natural_compare(&left, n) < 0)
                break;
            natural_sub(&left, &left, n);
        }
        push(p, block);
    }
    REQUIRE(realised(p) && natural_compare_u64(&left, 0) == 0);
    natural_clear(&left);
    write_filling(p, filling);
}

static void pattern_rank(void *state, const uint32_t *filling, struct natural *rank)
{
    struct pattern *p = state;
    struct prefix *x = &p->prefix;
    load(p, filling);
    memcpy(p->string, x->block, sizeof *p->string * (size_t)p->n_holes);
    clear(p);
    natural_set_u64(rank, 0);
    while (x->n < p->n_holes) {
        forget_choices(p);
        for (int b = 0; b < p->string[x->n]; b++)
            natural_add(rank, rank, count_choice(p, b));
        push(p, p->string[x->n]);
    }
    clear(p); /* it is not what `last` stands for */
}

/* -- open and close ---------------------------------------------------------------------------- */

static void make_counts(struct pattern *p)
{
    map_init(&p->memo);
    p->key = arena_array(&p->arena, uint32_t, 2 + p->n_scopes);
    p->factorial = arena_array(&p->arena, struct natural, p->n_holes + 1);
    for (int i = 0; i <= p->n_holes; i++) {
        natural_init(&p->factorial[i]);
        natural_set_u64(&p->factorial[i], 1);
        if (i > 0)
            natural_mul_u64(&p->factorial[i], &p->factorial[i - 1], (uint64_t)i);
    }
    p->by_home = arena_array(&p->arena, struct natural, p->n_scopes);
    p->has_by_home = arena_array(&p->arena, bool, p->n_scopes);
    for (int s = 0; s < p->n_scopes; s++)
        natural_init(&p->by_home[s]);
    natural_init(&p->same_home);
}

static int pattern_open(const struct spe_part *part, enum spe_mode mode, struct natural *count,
                        void **state, struct error *error)
{
    (void)mode, (void)error; /* every part without hidden variables is fine */
    struct pattern *p = mem_alloc(sizeof *p);
    *p = (struct pattern){.n_holes = part->n_holes};
    struct prefix *x = &p->prefix;
    struct arena *a = &p->arena;
    arena_init(a);
    make_tree(p, part);
    x->block = arena_array(a, int, p->n_holes);
    x->left = arena_array(a, int, p->n_holes);
    x->home = arena_array(a, int, p->n_holes);
    x->homes = arena_array(a, int, p->n_scopes);
    x->need = arena_array(a, int, p->n_scopes);
    x->rest = arena_array(a, int, p->n_scopes);
    for (int h = 0; h < p->n_holes; h++)
        x->rest[p->hole[h]]++;
    p->asked = arena_array(a, int, p->n_scopes);
    p->spare = arena_array(a, int, p->n_scopes);
    p->string = arena_array(a, int, p->n_holes);
    p->block_of = arena_array(a, int, p->n_variables);
    for (int v = 0; v < p->n_variables; v++)
        p->block_of[v] = NONE;
    p->variable = arena_array(a, uint32_t, p->n_holes);
    p->variable_before = arena_array(a, uint32_t, p->n_holes);
    p->last = arena_array(a, uint32_t, p->n_holes);
    make_counts(p);
    completions(p, count);
    *state = p;
    return 0;
}

static void pattern_close(void *state)
{
    struct pattern *p = state;
    forget(p);
    map_release(&p->memo);
    for (int i = 0; i <= p->n_holes; i++)
        natural_clear(&p->factorial[i]);
    for (int s = 0; s < p->n_scopes; s++)
        natural_clear(&p->by_home[s]);
    natural_clear(&p->same_home);
    arena_release(&p->arena);
    free(p);
}

const struct spe_mode_ops spe_pattern_ops = {
    .open = pattern_open,
    .close = pattern_close,
    .unrank = pattern_unrank,
    .rank = pattern_rank,
    .canonical = pattern_canonical,
    .next = pattern_next,
};
