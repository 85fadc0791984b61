/* Conditions: what a value is compared with, so that a compiler has something to learn from them.
 *
 * Most compare a live variable with a constant near its values, or with another variable. What was
 * tested is tested again by the conditions behind and inside: ranges become narrower, conditions
 * are correlated, one may follow from another (VRP, jump threading). Few are constants: those are
 * gone before any pass that is worth testing. Which way a condition goes in the run is seen to
 * later (steer.c), and a comparison with a constant is what can be seen to best. */
#include "gen/smith/smith_internal.h"
#include "cc/walk.h"

#define FORM_TABLE(X)                                                                              \
    X(COMPARE, 30, compare)       /* x < 5 */                                                      \
    X(EXPRESSION, 16, expression) /* an expression, compared with a constant */                    \
    X(PAIR, 16, pair)             /* x < y */                                                      \
    X(RANGE, 9, range)            /* x > 5 && x < 20, in several spellings */                      \
    X(CHAIN, 5, chain)            /* x == 1 || x == 4 || x == 9 */                                 \
    X(BITS, 9, bits)              /* x & (1 << 5), (x & 12) == 4 */                                \
    X(TRUTH, 6, truth)            /* x, !x */                                                      \
    X(ANY, 8, any)                /* any expression */                                             \
    X(CONSTANT, 1, constant_of_any_type)

enum form {
#define X(name, weight, maker) name,
    FORM_TABLE(X)
#undef X
        N_FORMS
};

static const unsigned form_weights[] = {
#define X(name, weight, maker) weight,
    FORM_TABLE(X)
#undef X
};

static bool is_not_constant(const struct cc_expr *e, void *to)
{
    (void)to;
    return e->kind == CC_E_VAR || e->kind == CC_E_CALL || e->kind == CC_E_LITERAL;
}

bool is_constant(const struct cc_expr *e)
{
    struct cc_walk w = {.expr = is_not_constant};
    return !cc_walk_expr(e, &w);
}

/* -- what is tested --------------------------------------------------------------------------- */

static bool can_be_tested(const struct cc_var *v)
{
    return cc_is_integer(v->type) && !v->type->quals && v->type->bits <= 64 &&
           v->type->kind != CC_ENUM && v->type->kind != CC_BOOL;
}

static struct cc_var *draw_tested(struct smith *s)
{
    if (s->at.n_tested && percent(s, 45))
        return s->at.tested[pick(s, (size_t)s->at.n_tested)];
    if (s->at.ivs.n && percent(s, 35)) {
        struct cc_var *v = s->at.ivs.at[s->at.ivs.n - 1 - pick(s, s->at.ivs.n)].var;
        if (can_be_tested(v))
            return v;
    }
    const struct cc_func *f = s->at.func->f;
    if (f->n_params && percent(s, 35)) { /* which differs from call to call */
        struct cc_var *v = f->params[pick(s, (size_t)f->n_params)];
        if (can_be_tested(v))
            return v;
    }
    for (int i = 0; i < 6; i++) {
        struct cc_var *v = pick_variable(s);
        if (can_be_tested(v))
            return v;
    }
    return NULL;
}

static struct cc_expr *read_variable(struct smith *s, struct cc_var *v)
{
    struct cc_expr *e = cc_use(s->p, v);
    spend(s, 1);
    gtav_value(&s->g, e);
    if (!s->g.bad)
        return e;
    s->g.bad = false;
    s->n_rejected++;
    return NULL;
}

/* A variable that will be tested again, and its value; NULL: none was found. */
static struct cc_var *tested(struct smith *s, struct cc_expr **value)
{
    struct cc_var *v = draw_tested(s);
    *value = v ? read_variable(s, v) : NULL;
    if (!*value)
        return NULL;
    bool known = false;
    for (int i = 0; i < s->at.n_tested; i++)
        known |= s->at.tested[i] == v;
    if (!known && s->at.n_tested < MOST_TESTED)
        s->at.tested[s->at.n_tested++] = v;
    return v;
}

/* Something that is read: a variable, an element, a member. */
struct cc_expr *subject(struct smith *s)
{
    struct cc_expr *e = NULL;
    uint32_t place, set;
    if (percent(s, 60))
        tested(s, &e);
    if (!e)
        e = readable(s, WANT_INT, NULL, &place, &set);
    if (!e)
        return small_constant(s, 0, 9);
    return cc_promote(
        s->p, e->type->kind == CC_ENUM ? cc_cast(s->p, cc_basic(&s->p->types, CC_INT), e) : e);
}

/* -- with what -------------------------------------------------------------------------------- */

static struct cc_expr *number(struct smith *s, const struct cc_type *t, cc_wide v)
{
    spend(s, 1);
    return cc_int(s->p, t->plain, cc_wrap(t->plain, v), percent(s, 25) ? CC_HEX : CC_DECIMAL);
}

static cc_wide draw_bound(struct smith *s, const struct cc_type *t)
{
    static const unsigned kinds[] = {50, 20, 15, 15};
    switch (choose_weighted(s->c, kinds, 4)) {
    case 0:
        return between(s, t->is_signed ? -8 : 0, 12);
    case 1:
        return between(s, t->is_signed ? -300 : 0, 300);
    case 2:
        return ((cc_wide)1 << pick(s, t->bits > 62 ? 62 : t->bits)) - pick(s, 2);
    default:
        return t->is_signed && percent(s, 50) ? cc_int_min(t) + pick(s, 3)
                                              : (cc_wide)cc_int_max(t) - pick(s, 3);
    }
}

static enum cc_op draw_comparison(struct smith *s)
{
    static const enum cc_op ops[] = {CC_LT, CC_GT, CC_LE, CC_GE, CC_EQ, CC_NE};
    static const unsigned weights[] = {22, 22, 18, 18, 10, 10};
    return ops[choose_weighted(s->c, weights, 6)];
}

static struct cc_expr *against_constant(struct smith *s, struct cc_expr *e)
{
    e = cc_promote(s->p, e);
    const struct cc_type *t = e->type->plain;
    spend(s, 1);
    return cc_binary(s->p, draw_comparison(s), e, number(s, t, draw_bound(s, t)));
}

static struct cc_expr *compare(struct smith *s)
{
    return against_constant(s, subject(s));
}

/* Is it 0 or 1? Then it is a condition as it is. */
static bool is_truth(const struct cc_expr *e)
{
    return e->kind == CC_E_LOGICAL || e->type->kind == CC_BOOL ||
           (e->kind == CC_E_BINARY && cc_is_comparison((enum cc_op)e->op)) ||
           (e->kind == CC_E_UNARY && e->op == CC_NOT);
}

static struct cc_expr *any(struct smith *s)
{
    struct cc_expr *e = integer(s);
    return is_constant(e) ? compare(s) : e;
}

static struct cc_expr *expression(struct smith *s)
{
    struct cc_expr *e = integer(s);
    if (is_constant(e))
        return compare(s);
    return is_truth(e) || e->type->kind == CC_ENUM ? e : against_constant(s, e);
}

static struct cc_expr *truth(struct smith *s)
{
    return percent(s, 50) ? subject(s) : cc_unary(s->p, CC_NOT, subject(s));
}

static struct cc_expr *constant_of_any_type(struct smith *s)
{
    return constant(s, draw_int(s));
}

static struct cc_expr *pair(struct smith *s)
{
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *a = subject(s);
    gtav_push(&s->g, start);
    struct cc_expr *b = subject(s);
    gtav_pop(&s->g);
    spend(s, 1);
    return cc_binary(s->p, draw_comparison(s), a, b);
}

/* -- several tests of one variable ------------------------------------------------------------ */

/* (unsigned)x - low < n */
static struct cc_expr *unsigned_range(struct smith *s, struct cc_expr *e, cc_wide low, int64_t n)
{
    const struct cc_type *u = cc_int_type(&s->p->types, e->type->bits > 32 ? 64 : 32, false);
    spend(s, 3);
    e = cc_binary(s->p, CC_SUB, cc_cast(s->p, u, e), number(s, u, low));
    return cc_binary(s->p, percent(s, 50) ? CC_LT : CC_GT, e, number(s, u, n));
}

/* `make` gets the variable, its first value and the promoted type of all of them. */
typedef struct cc_expr *tests(struct smith *s, struct cc_var *v, struct cc_expr *first,
                              const struct cc_type *t);

static struct cc_expr *tests_of_one(struct smith *s, tests *make)
{
    struct cc_expr *first;
    struct cc_var *v = tested(s, &first);
    return v ? make(s, v, first, cc_promoted(&s->p->types, v->type, -1)) : compare(s);
}

static struct cc_expr *range_tests(struct smith *s, struct cc_var *v, struct cc_expr *a,
                                   const struct cc_type *t)
{
    cc_wide low = draw_bound(s, t);
    int64_t n = between(s, 2, percent(s, 50) ? 20 : 1000);
    a = cc_promote(s->p, a);
    if ((cc_wide)cc_int_max(t) - low <= n)
        low = (cc_wide)cc_int_max(t) - n - 1;
    if (may(s, SMITH_CASTS) && percent(s, 25))
        return unsigned_range(s, a, low, n);
    struct cc_expr *b = cc_promote(s->p, read_variable(s, v));
    bool inside = percent(s, 70), strict = percent(s, 50);
    spend(s, 3);
    a = cc_binary(s->p, inside ? (strict ? CC_GT : CC_GE) : (strict ? CC_LT : CC_LE), a,
                  number(s, t, low));
    b = cc_binary(s->p, inside ? (strict ? CC_LT : CC_LE) : (strict ? CC_GT : CC_GE), b,
                  number(s, t, low + n));
    return cc_binary(s->p, inside ? CC_LAND : CC_LOR, a, b);
}

static struct cc_expr *range(struct smith *s)
{
    return tests_of_one(s, range_tests);
}

static struct cc_expr *chain_tests(struct smith *s, struct cc_var *v, struct cc_expr *e,
                                   const struct cc_type *t)
{
    bool equal = percent(s, 70);
    int64_t n = between(s, 2, 4), value = between(s, 0, 6);
    struct cc_expr *all = NULL;
    for (int64_t i = 0; i < n; i++) {
        e = cc_promote(s->p, i ? read_variable(s, v) : e);
        e = cc_binary(s->p, equal ? CC_EQ : CC_NE, e, number(s, t, value));
        all = all ? cc_binary(s->p, equal ? CC_LOR : CC_LAND, all, e) : e;
        value += between(s, 1, 5);
        spend(s, 2);
    }
    return all;
}

static struct cc_expr *chain(struct smith *s)
{
    return tests_of_one(s, chain_tests);
}

static struct cc_expr *bits(struct smith *s)
{
    struct cc_expr *e = subject(s), *mask;
    const struct cc_type *t = e->type->plain;
    int n = (int)pick(s, (size_t)(t->bits > 62 ? 62 : t->bits - 1));
    int64_t m = between(s, 1, 255);
    spend(s, 3);
    if (percent(s, 40)) { /* some of several bits */
        e = cc_binary(s->p, CC_AND, e, number(s, t, m));
        cc_wide wanted = percent(s, 50) ? 0 : m & (int64_t)choose(s->c, 256);
        return cc_binary(s->p, percent(s, 70) ? CC_EQ : CC_NE, e, number(s, t, wanted));
    }
    if (percent(s, 50) && may(s, SMITH_SHIFTS))
        mask = cc_binary(s->p, CC_SHL, cc_int(s->p, t, 1, CC_DECIMAL),
                         cc_int(s->p, cc_basic(&s->p->types, CC_INT), n, CC_DECIMAL));
    else
        mask = cc_int(s->p, t, (cc_wide)1 << n, CC_HEX);
    e = cc_binary(s->p, CC_AND, e, mask);
    return percent(s, 60)
               ? e
               : cc_binary(s->p, percent(s, 50) ? CC_EQ : CC_NE, e, cc_int(s->p, t, 0, CC_DECIMAL));
}

/* -- any of them ------------------------------------------------------------------------------ */

static struct cc_expr *(*const form_makers[])(struct smith *s) = {
#define X(name, weight, maker) maker,
    FORM_TABLE(X)
#undef X
};

struct cc_expr *condition(struct smith *s)
{
    unsigned weights[N_FORMS];
    memcpy(weights, form_weights, sizeof weights);
    if (too_deep(s))
        weights[EXPRESSION] = weights[ANY] = 0;
    spend(s, 1);
    if (s->p->ieee_floats && !too_deep(s) && wants(s, SMITH_FLOATS))
        return ieee_question(s);
    return form_makers[choose_weighted(s->c, weights, N_FORMS)](s);
}
