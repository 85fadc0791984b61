/* Subscripts of the arrays of a nest, in all the forms that dependence analysis tells apart.
 *
 * A form makes an expression of the loops' variables with its range; one that does not fit the
 * dimension is not taken (ranged.h). */
#include "gen/smith/nest.h"

#include "base/error.h"

/* X(id, weight, maker) */
#define SUBSCRIPT_TABLE(X)                                                                         \
    X(PLAIN, 44, plain)        /* i */                                                             \
    X(OFFSET, 18, moved)       /* i + 3, i - 1 */                                                  \
    X(REVERSED, 8, reversed)   /* 19 - i */                                                        \
    X(STRIDED, 8, strided)     /* 2 * i + 1 */                                                     \
    X(HALVED, 3, halved)       /* i / 2, i >> 1 */                                                 \
    X(WRAPPED, 5, wrapped)     /* (i + 5) & 15, (i + 5) % 12u */                                   \
    X(GATHERED, 7, gathered)   /* p[i] */                                                          \
    X(SUM, 5, sum)             /* i + j, i - j */                                                  \
    X(FLAT, 3, flat)           /* i * 8 + j */                                                     \
    X(SECOND, 6, second_value) /* the variable beside i */                                         \
    X(CONSTANT, 3, constant_at)

typedef struct ranged subscript(struct smith *s, struct nest *n, int loop, int64_t length);

enum { FURTHEST = 16, TRIES = 6, CAP = 600 };

/* -- arrays ----------------------------------------------------------------------------------- */

static bool plain_element(const struct cc_type *t)
{
    return cc_is_integer(t) && !t->has_volatile && t->bits <= 64 && t->kind != CC_ENUM &&
           t->kind != CC_BOOL && t->kind != CC_CHAR;
}

const struct cc_type *nest_type(struct smith *s)
{
    for (int i = 0; i < 8; i++) {
        const struct cc_type *t = s->ints.at[pick(s, s->ints.n)];
        if (plain_element(t))
            return t->plain;
    }
    return cc_basic(&s->p->types, CC_INT);
}

struct ranged nest_iv(struct smith *s, const struct nest *n, int loop)
{
    const struct nest_loop *l = &n->loops[loop];
    spend(s, 1);
    return (struct ranged){cc_use(s->p, l->var), l->low, l->high};
}

static bool is_long_enough(const struct nest *n, const struct cc_var *v, const int *loops, int dims,
                           int64_t slack, bool store)
{
    const struct cc_type *t = v->type;
    for (int i = 0; i < dims; i++, t = t->to)
        if (t->kind != CC_ARRAY ||
            t->length <= n->loops[loops[i]].high + (i == dims - 1 ? slack : 0))
            return false;
    return plain_element(t) && !(store && t->has_const);
}

/* A few numbers at the begin; the rest is zero, until something is stored. */
static struct cc_expr *some_numbers(struct smith *s, const struct cc_type *t)
{
    struct cc_expr *parts[24];
    int64_t most = t->to->kind == CC_ARRAY ? 2 : 20, n = between(s, 1, most);
    if (n > t->length)
        n = t->length;
    for (int64_t i = 0; i < n; i++)
        parts[i] = t->to->kind == CC_ARRAY
                       ? some_numbers(s, t->to)
                       : cc_convert(s->p, t->to->plain, literal(s, t->to->plain));
    spend(s, (int)n);
    return cc_list(s->p, t, parts, (int)n, 0);
}

static struct cc_var *new_global(struct smith *s, const struct cc_type *t, struct cc_expr *init)
{
    struct cc_var *v = cc_global(s->p, new_name(s, 'g'), t, init);
    v->storage = CC_STATIC;
    v->unit = (int)pick(s, (size_t)s->k.limit[SMITH_UNITS]);
    gtav_add_var(&s->g, v, 0);
    gtav_initialise(&s->g, v);
    spend(s, 2);
    return v;
}

struct cc_var *nest_global(struct smith *s, const struct cc_type *t)
{
    struct cc_var *v = new_global(s, t, some_numbers(s, t));
    vec_push(&s->globals, v);
    return v;
}

static struct cc_var *new_array(struct smith *s, struct nest *n, const int *loops, int dims,
                                int64_t slack)
{
    const struct cc_type *t = percent(s, 75) ? n->type : nest_type(s);
    static const int64_t more[] = {0, 0, 1, 2, 3, 8};
    int64_t all = 1;
    for (int i = dims; i-- > 0;) {
        int64_t length = n->loops[loops[i]].high + 1 + (i == dims - 1 ? slack : 0);
        int64_t extra = more[pick(s, 6)];
        if (percent(s, 10))
            extra = length;
        all *= length + extra;
        t = cc_array_of(&s->p->types, t, (uint32_t)(length + (all > CAP ? 0 : extra)));
    }
    struct cc_var *v;
    if (percent(s, 80) || s->at.loop_depth > MOST_NEST) {
        v = nest_global(s, t);
    } else { /* of the block around the nest: everybody there finds it */
        struct smith_scope *scope = &s->at.scopes.at[n->scope];
        v = cc_local(s->p, new_name(s, 'l'), t, some_numbers(s, t));
        gtav_add_var(&s->g, v, gtav_home(scope->block));
        gtav_initialise(&s->g, v);
        declare(s, scope, v);
        s->at.room -= (int64_t)t->size * s->at.times / n->trips;
    }
    return v;
}

struct cc_var *nest_array(struct smith *s, struct nest *n, const int *loops, int dims,
                          int64_t slack, bool store)
{
    struct cc_var *v = NULL;
    for (int i = 0; i < TRIES && !v; i++) {
        struct cc_var *c = NULL;
        if (n->n_arrays && percent(s, 50))
            c = n->arrays[pick(s, (size_t)n->n_arrays)];
        else if (s->globals.n)
            c = s->globals.at[pick(s, s->globals.n)];
        if (c && is_long_enough(n, c, loops, dims, slack, store))
            v = c;
    }
    if (!v)
        v = new_array(s, n, loops, dims, slack);
    for (int i = 0; i < n->n_arrays; i++)
        if (n->arrays[i] == v)
            return v;
    if (n->n_arrays < MOST_NEST_ARRAYS)
        n->arrays[n->n_arrays++] = v;
    return v;
}

/* Where a nest is a function of its own, an array may have come by a parameter. */
struct cc_expr *nest_base(struct smith *s, const struct nest *n, struct cc_var *array)
{
    for (int i = 0; i < n->n_aliases; i++)
        if (n->aliases[i].array == array)
            return cc_use(s->p, n->aliases[i].param);
    return cc_use(s->p, array);
}

struct ranged nest_at(struct smith *s, struct nest *n, struct cc_var *array, const int *loops,
                      int64_t offset)
{
    struct cc_expr *e = nest_base(s, n, array);
    const struct cc_type *t = array->type;
    for (int i = 0; t->kind == CC_ARRAY; i++, t = t->to) {
        struct ranged at = nest_iv(s, n, loops[i]);
        if (t->to->kind != CC_ARRAY && offset)
            at = ranged_with(s, offset < 0 ? CC_SUB : CC_ADD, at, offset < 0 ? -offset : offset);
        REQUIRE(ranged_in(at, 0, t->length - 1));
        e = cc_index(s->p, e, at.e);
    }
    spend(s, 1);
    return ranged_of(e);
}

/* -- arrays of subscripts --------------------------------------------------------------------- */

static struct cc_var *new_gather(struct smith *s, int64_t length, int64_t high, bool constant)
{
    struct cc_expr *parts[64];
    const struct cc_type *t = nest_type(s);
    if ((cc_wide)cc_int_max(t) < high)
        t = cc_basic(&s->p->types, CC_INT);
    for (int64_t i = 0; i < length; i++)
        parts[i] = cc_int(s->p, t, between(s, 0, high), CC_DECIMAL);
    if (constant)
        t = cc_qualified(&s->p->types, t, CC_CONST);
    t = cc_array_of(&s->p->types, t, (uint32_t)length);
    struct cc_var *v = new_global(s, t, cc_list(s->p, t, parts, (int)length, 0));
    vec_push(&s->gathers, ((struct smith_gather){v, high}));
    spend(s, (int)length / 2);
    return v;
}

struct cc_var *nest_gather(struct smith *s, const struct nest *n, bool store, int64_t *high)
{
    int64_t longest = n->loops[n->at - 1].high + 1;
    for (int i = 0; i < TRIES && s->gathers.n; i++) {
        const struct smith_gather *g = &s->gathers.at[pick(s, s->gathers.n)];
        if (g->var->type->length >= longest && !(store && g->var->type->has_const)) {
            *high = g->high;
            return g->var;
        }
    }
    if (longest > 64)
        return NULL;
    *high = store || percent(s, 40) ? ((int64_t)1 << between(s, 1, 5)) - 1 : between(s, 1, longest);
    return new_gather(s, longest, *high, !store && may(s, SMITH_CONSTS) && percent(s, 40));
}

/* -- forms ------------------------------------------------------------------------------------ */

static struct ranged plain(struct smith *s, struct nest *n, int loop, int64_t length)
{
    (void)length;
    return nest_iv(s, n, loop);
}

static struct ranged moved(struct smith *s, struct nest *n, int loop, int64_t length)
{
    struct ranged i = nest_iv(s, n, loop);
    int64_t least = -(int64_t)i.low, most = length - 1 - (int64_t)i.high;
    least = least < -FURTHEST ? -FURTHEST : least;
    most = most > FURTHEST ? FURTHEST : most;
    if (least > most)
        return i;
    int64_t by = between(s, least, most);
    return by ? ranged_with(s, by < 0 ? CC_SUB : CC_ADD, i, by < 0 ? -by : by) : i;
}

static struct ranged reversed(struct smith *s, struct nest *n, int loop, int64_t length)
{
    struct ranged i = nest_iv(s, n, loop);
    int64_t least = (int64_t)i.high, most = length - 1 + (int64_t)i.low;
    if (least > most)
        return i;
    return ranged_op(s, CC_SUB, ranged_number(s, between(s, least, most)), i);
}

static struct ranged strided(struct smith *s, struct nest *n, int loop, int64_t length)
{
    struct ranged i = nest_iv(s, n, loop);
    if (may(s, SMITH_MULTIPLICATION))
        i = ranged_with(s, CC_MUL, i, between(s, 2, 4));
    else
        i = ranged_op(s, CC_ADD, i, nest_iv(s, n, loop));
    int64_t most = length - 1 - (int64_t)i.high;
    return most > 0 ? ranged_with(s, CC_ADD, i, between(s, 0, most < 4 ? most : 4)) : i;
}

static struct ranged halved(struct smith *s, struct nest *n, int loop, int64_t length)
{
    struct ranged i = nest_iv(s, n, loop);
    (void)length;
    if (may(s, SMITH_DIVISION) && percent(s, 50))
        return ranged_with(s, CC_DIV, i, between(s, 2, 3));
    return may(s, SMITH_SHIFTS) ? ranged_with(s, CC_SHR, i, 1) : i;
}

static struct ranged wrapped(struct smith *s, struct nest *n, int loop, int64_t length)
{
    struct ranged i = ranged_with(s, CC_ADD, nest_iv(s, n, loop), between(s, 0, 20));
    if ((length & (length - 1)) == 0)
        return ranged_with(s, CC_AND, i, length - 1);
    return ranged_with(s, CC_REM, ranged_unsigned(s, i), length);
}

static struct ranged gathered(struct smith *s, struct nest *n, int loop, int64_t length)
{
    int64_t high;
    struct cc_var *v = nest_gather(s, n, false, &high);
    struct ranged i = nest_iv(s, n, loop);
    if (!v || high >= length || i.high >= v->type->length)
        return i;
    spend(s, 1);
    return (struct ranged){cc_index(s->p, cc_use(s->p, v), i.e), 0, high};
}

static struct ranged sum(struct smith *s, struct nest *n, int loop, int64_t length)
{
    (void)length;
    return ranged_op(s, percent(s, 70) ? CC_ADD : CC_SUB, nest_iv(s, n, loop),
                     nest_iv(s, n, (int)pick(s, (size_t)n->at)));
}

static struct ranged flat(struct smith *s, struct nest *n, int loop, int64_t length)
{
    (void)length;
    if (loop == 0 || !may(s, SMITH_MULTIPLICATION))
        return nest_iv(s, n, loop);
    struct ranged row = nest_iv(s, n, loop - 1), at = nest_iv(s, n, loop);
    return ranged_op(s, CC_ADD, ranged_with(s, CC_MUL, row, (int64_t)at.high + 1), at);
}

static struct ranged second_value(struct smith *s, struct nest *n, int loop, int64_t length)
{
    const struct nest_loop *l = &n->loops[loop];
    if (!l->second)
        return nest_iv(s, n, loop);
    struct ranged k = {cc_use(s->p, l->second), l->low2, l->high2};
    (void)length;
    spend(s, 1);
    return k;
}

static struct ranged constant_at(struct smith *s, struct nest *n, int loop, int64_t length)
{
    (void)n;
    (void)loop;
    return ranged_number(s, between(s, 0, length - 1));
}

static struct cc_expr *subscript_below(struct smith *s, struct nest *n, int loop, int64_t length)
{
    static subscript *const makers[] = {
#define X(id, weight, maker) maker,
        SUBSCRIPT_TABLE(X)
#undef X
    };
    static const unsigned weights[] = {
#define X(id, weight, maker) weight,
        SUBSCRIPT_TABLE(X)
#undef X
    };
    for (int i = 0; i < TRIES; i++) {
        subscript *make = makers[choose_weighted(s->c, weights, sizeof weights / sizeof *weights)];
        struct ranged r = make(s, n, loop, length);
        if (ranged_in(r, 0, length - 1))
            return r.e;
    }
    return wrapped(s, n, loop, length).e;
}

/* -- elements --------------------------------------------------------------------------------- */

struct ranged nest_element(struct smith *s, struct nest *n, bool store)
{
    static const unsigned dimensions[] = {55, 25, 13, 7};
    int loops[4], dims = 1 + (int)choose_weighted(s->c, dimensions, 4);
    if (dims > s->k.limit[SMITH_ARRAY_DIMS])
        dims = (int)s->k.limit[SMITH_ARRAY_DIMS];
    dims = dims < n->at ? dims : n->at;
    for (int i = 0; i < dims; i++)
        loops[i] = n->at - dims + i;
    if (dims > 1 && percent(s, 12)) { /* the other way round: interchange */
        int first = loops[0];
        loops[0] = loops[dims - 1];
        loops[dims - 1] = first;
    }
    struct cc_var *v = nest_array(s, n, loops, dims, 0, store);
    struct cc_expr *e = nest_base(s, n, v);
    const struct cc_type *t = v->type;
    for (int i = 0; i < dims; i++, t = t->to)
        e = cc_index(s->p, e, subscript_below(s, n, loops[i], t->length));
    spend(s, dims);
    return ranged_of(e);
}
