/* What the loops of a nest do: patterns that loop optimisers look for, one row each.
 *
 * Rows make statements of subscripts.c's elements with bare arithmetic (ranged.h), so that nothing
 * stands between the optimiser and the pattern; among them there is other code of all kinds, with
 * calls and pointers. What a scalar holds at the end is used behind the nest. */
#include "gen/smith/nest.h"

#include "base/error.h"

typedef void kernel_maker(struct smith *s, struct nest *n);

enum { MOST_BRANCHES = 2, MOST_DISTANCE = 16, MOST_COMPRESSED = 64 };

/* -- values ----------------------------------------------------------------------------------- */

static bool is_plain(const struct cc_var *v)
{
    return cc_is_integer(v->type) && !v->type->has_volatile && v->type->bits <= 64 &&
           v->type->kind != CC_ENUM && v->type->kind != CC_BOOL;
}

/* A scalar that the loops do not change, unless something else in them does. */
static struct ranged invariant(struct smith *s)
{
    for (int i = 0; i < 6; i++) {
        struct cc_var *v = pick_variable(s);
        if (!is_plain(v))
            continue;
        spend(s, 1);
        return ranged_of(cc_use(s->p, v));
    }
    return ranged_number(s, between(s, -9, 99));
}

static struct ranged leaf(struct smith *s, struct nest *n)
{
    static const unsigned kinds[] = {58, 16, 14, 12};
    switch (choose_weighted(s->c, kinds, 4)) {
    case 0:
        return nest_element(s, n, false);
    case 1:
        return nest_iv(s, n, percent(s, 70) ? n->at - 1 : (int)pick(s, (size_t)n->at));
    case 2:
        return invariant(s);
    default:
        return percent(s, 70) ? ranged_number(s, between(s, -9, 20))
                              : ranged_of(literal(s, nest_type(s)));
    }
}

static struct ranged value(struct smith *s, struct nest *n, int depth);

static struct ranged selected(struct smith *s, struct nest *n, int depth)
{
    static const enum cc_op ops[] = {CC_LT, CC_GT, CC_LE, CC_GE, CC_EQ, CC_NE};
    struct ranged a = value(s, n, depth - 1), b = leaf(s, n);
    struct ranged c = ranged_op(s, ops[pick(s, 6)], a, b);
    return ranged_cond(s, c.e, value(s, n, depth - 1), leaf(s, n));
}

/* An expression of elements, loop variables, invariants and constants. */
static struct ranged value(struct smith *s, struct nest *n, int depth)
{
    enum { ADD, SUB, MUL, AND, OR, XOR, SHL, SHR, DIV, REM, SELECT, CAST, N };
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_MUL, CC_AND, CC_OR,
                                     CC_XOR, CC_SHL, CC_SHR, CC_DIV, CC_REM};
    unsigned w[N] = {24, 16, 14, 8, 5, 8, 4, 5, 3, 2, 7, 6};
    if (depth <= 0 || percent(s, 15))
        return leaf(s, n);
    w[MUL] = may(s, SMITH_MULTIPLICATION) ? w[MUL] : 0;
    w[SHL] = may(s, SMITH_SHIFTS) ? w[SHL] : 0;
    w[SHR] = may(s, SMITH_SHIFTS) ? w[SHR] : 0;
    w[DIV] = may(s, SMITH_DIVISION) ? w[DIV] : 0;
    w[REM] = may(s, SMITH_DIVISION) ? w[REM] : 0;
    w[SELECT] = may(s, SMITH_CONDITIONAL) ? w[SELECT] : 0;
    w[CAST] = may(s, SMITH_CASTS) ? w[CAST] : 0;
    size_t form = choose_weighted(s->c, w, N);
    if (form == SELECT)
        return selected(s, n, depth);
    struct ranged a = value(s, n, depth - 1);
    switch (form) {
    case CAST:
        return ranged_cast(s, nest_type(s), a);
    case SHL:
    case SHR:
        return ranged_with(s, ops[form], a, between(s, 1, a.e->type->bits > 32 ? 40 : 15));
    case DIV:
    case REM:
        return ranged_with(s, ops[form], a, between(s, 2, percent(s, 60) ? 17 : 1000));
    default:
        return ranged_op(s, ops[form], a, percent(s, 75) ? leaf(s, n) : value(s, n, depth - 1));
    }
}

struct ranged kernel_value(struct smith *s, struct nest *n)
{
    return value(s, n, (int)between(s, 1, 4));
}

/* to = v, or to op= v where that cannot overflow. */
static bool store(struct smith *s, struct ranged to, struct ranged v)
{
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_XOR, CC_OR, CC_AND, CC_MUL};
    enum cc_op op = CC_NONE;
    if (may(s, SMITH_COMPOUND_ASSIGNS) && percent(s, 35)) {
        op = ops[pick(s, may(s, SMITH_MULTIPLICATION) ? 6 : 5)];
        bool was_signed = cc_binary(s->p, op, to.e, v.e)->type->is_signed;
        if (was_signed && !ranged_op(s, op, to, v).e->type->is_signed)
            op = CC_NONE;
    }
    spend(s, 1);
    return nest_emit(s, cc_assign(s->p, op, to.e, v.e));
}

static bool set(struct smith *s, struct ranged to, struct ranged v)
{
    spend(s, 1);
    return nest_emit(s, cc_assign(s->p, CC_NONE, to.e, v.e));
}

static struct ranged of_var(struct smith *s, struct cc_var *v)
{
    spend(s, 1);
    return ranged_of(cc_use(s->p, v));
}

/* A scalar that is used behind the nest; NULL: there are enough. */
static struct cc_var *result(struct smith *s, struct nest *n, const struct cc_type *t,
                             int64_t first)
{
    if (n->n_results == MOST_RESULTS)
        return NULL;
    struct cc_expr *init = cc_int(s->p, t, cc_wrap(t, first), CC_DECIMAL);
    struct cc_var *v = nest_variable(s, n, t, init);
    return n->results[n->n_results++] = v;
}

/* -- branches --------------------------------------------------------------------------------- */

static struct cc_stmt *branch(struct smith *s, struct nest *n, struct cc_expr *c,
                              kernel_maker *first, kernel_maker *second)
{
    gtav_full_expression(&s->g);
    gtav_value(&s->g, c);
    if (s->g.bad) {
        s->g.bad = false;
        return NULL;
    }
    struct state other = gtav_fork(&s->g);
    n->branches++;
    struct cc_stmt *a = nest_open(s), *b = NULL;
    first(s, n);
    close_block(s);
    if (second) {
        gtav_other_way(&s->g, &other);
        b = nest_open(s);
        second(s, n);
        close_block(s);
        gtav_other_way(&s->g, &other);
    }
    n->branches--;
    gtav_meet(&s->g, &other);
    spend(s, 1);
    struct cc_stmt *st = cc_if(s->p, c, a, b);
    turnable(st);
    cc_append(innermost_block(s), st);
    return st;
}

static struct cc_expr *against(struct smith *s, struct ranged v)
{
    static const enum cc_op ops[] = {CC_LT, CC_GT, CC_LE, CC_GE, CC_EQ, CC_NE};
    static const unsigned weights[] = {24, 24, 18, 18, 8, 8};
    struct cc_expr *e = cc_promote(s->p, v.e);
    const struct cc_type *t = e->type->plain;
    cc_wide c = t->is_signed ? between(s, -20, 60) : between(s, 0, 60);
    if (percent(s, 25))
        c = ((cc_wide)1 << pick(s, t->bits - 1)) - 1;
    spend(s, 2);
    return cc_binary(s->p, ops[choose_weighted(s->c, weights, 6)], e,
                     cc_int(s->p, t, c, CC_DECIMAL));
}

static void one_or_two(struct smith *s, struct nest *n)
{
    kernel(s, n);
    if (s->g.now.live && percent(s, 30))
        kernel(s, n);
}

static void conditional(struct smith *s, struct nest *n)
{
    struct cc_expr *c = against(s, value(s, n, 1));
    branch(s, n, c, one_or_two, percent(s, 40) ? one_or_two : NULL);
}

/* The same way in all iterations: loop unswitching. */
static void unswitched(struct smith *s, struct nest *n)
{
    struct cc_expr *c = against(s, invariant(s));
    branch(s, n, c, one_or_two, percent(s, 60) ? one_or_two : NULL);
}

/* -- jumps ------------------------------------------------------------------------------------ */

static void leave_by_break(struct smith *s, struct nest *n)
{
    struct cc_stmt *jump = cc_stmt(s->p, CC_S_BREAK);
    (void)n;
    gtav_stmt(&s->g, jump);
    cc_append(innermost_block(s), jump);
}

static void go_on(struct smith *s, struct nest *n)
{
    struct cc_stmt *jump = cc_stmt(s->p, CC_S_CONTINUE);
    (void)n;
    gtav_stmt(&s->g, jump);
    cc_append(innermost_block(s), jump);
}

static kernel_maker *draw_jump(struct smith *s)
{
    bool jumps = may(s, SMITH_BREAK), far = may(s, SMITH_GOTO);
    if (!jumps && !far)
        return NULL;
    if (far && (!jumps || percent(s, 35)))
        return nest_leave;
    return percent(s, 60) ? leave_by_break : go_on;
}

static void exit_early(struct smith *s, struct nest *n)
{
    kernel_maker *jump = draw_jump(s);
    if (jump)
        branch(s, n, against(s, value(s, n, 1)), jump, NULL);
}

static void found(struct smith *s, struct nest *n)
{
    struct cc_var *at = n->results[n->n_results - 1];
    set(s, of_var(s, at), nest_iv(s, n, n->at - 1));
    kernel_maker *jump = draw_jump(s);
    if (jump && jump != go_on)
        jump(s, n);
}

/* The first, or the last, element that is so: its place. */
static void search(struct smith *s, struct nest *n)
{
    const struct cc_type *t = cc_basic(&s->p->types, CC_INT);
    struct cc_expr *c = against(s, nest_element(s, n, false));
    if (result(s, n, t, -1))
        branch(s, n, c, found, NULL);
}

/* -- elements --------------------------------------------------------------------------------- */

static void map(struct smith *s, struct nest *n)
{
    struct ranged v = kernel_value(s, n);
    store(s, nest_element(s, n, true), v);
}

/* What becomes memset, memcpy or memmove. */
static void copy(struct smith *s, struct nest *n)
{
    int loop = n->at - 1;
    bool move = percent(s, 40);
    struct cc_var *to = nest_array(s, n, &loop, 1, move, true);
    struct cc_var *from = move ? to : nest_array(s, n, &loop, 1, 0, false);
    struct ranged v = percent(s, 35) ? ranged_number(s, percent(s, 60) ? 0 : between(s, -1, 9))
                                     : nest_at(s, n, from, &loop, move);
    set(s, nest_at(s, n, to, &loop, 0), v);
}

/* a[i + d] = f(a[i]): a dependence at a distance; or the other way, none. */
static void recur(struct smith *s, struct nest *n)
{
    static const int64_t often[] = {1, 1, 2, 3, 4, 8};
    int64_t d = percent(s, 70) ? often[pick(s, 6)] : between(s, 1, MOST_DISTANCE);
    bool rows = n->at > 1 && s->k.limit[SMITH_ARRAY_DIMS] > 1;
    int loops[2] = {n->at - 2, n->at - 1}, dims = rows && percent(s, 40) ? 2 : 1;
    struct cc_var *a = nest_array(s, n, loops + 2 - dims, dims, d, true);
    bool forward = percent(s, 70);
    struct ranged from = nest_at(s, n, a, loops + 2 - dims, forward ? 0 : d);
    struct ranged v = ranged_op(s, percent(s, 70) ? CC_ADD : CC_XOR, from, value(s, n, 2));
    set(s, nest_at(s, n, a, loops + 2 - dims, forward ? d : 0), v);
}

/* b[i] = a[i] + 2 * a[i + 1] + a[i + 2], also in place. */
static void stencil(struct smith *s, struct nest *n)
{
    int loop = n->at - 1;
    int64_t points = between(s, 2, 4), slack = points - 1 + between(s, 0, 2);
    struct cc_var *a = nest_array(s, n, &loop, 1, slack, false);
    struct ranged v = nest_at(s, n, a, &loop, 0);
    for (int64_t i = 1; i < points; i++) {
        struct ranged next = nest_at(s, n, a, &loop, between(s, i, slack));
        if (percent(s, 40) && may(s, SMITH_MULTIPLICATION))
            next = ranged_with(s, CC_MUL, next, between(s, 2, 7));
        v = ranged_op(s, percent(s, 75) ? CC_ADD : CC_SUB, v, next);
    }
    int64_t middle = between(s, 0, slack);
    struct cc_var *b =
        percent(s, 30) && !a->type->has_const ? a : nest_array(s, n, &loop, 1, middle, true);
    set(s, nest_at(s, n, b, &loop, middle), v);
}

/* Neighbours that get the same operation: SLP, interleaved accesses, stores that are merged. */
static void group(struct smith *s, struct nest *n)
{
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_XOR, CC_MUL};
    int loop = n->at - 1;
    int64_t size = percent(s, 60) ? 2 : 4;
    enum cc_op op = ops[pick(s, 4)];
    int64_t slack = n->loops[loop].high * (size - 1) + size - 1;
    struct cc_var *to = nest_array(s, n, &loop, 1, slack, true);
    struct cc_var *from = nest_array(s, n, &loop, 1, slack, false);
    bool constants = percent(s, 20);
    if (!may(s, SMITH_MULTIPLICATION)) {
        map(s, n);
        return;
    }
    for (int64_t i = 0; i < size; i++) {
        struct ranged at = ranged_with(s, CC_MUL, nest_iv(s, n, loop), size), same = at;
        same.e = ranged_with(s, CC_MUL, nest_iv(s, n, loop), size).e;
        if (i) {
            at = ranged_with(s, CC_ADD, at, i);
            same = ranged_with(s, CC_ADD, same, percent(s, 85) ? i : size - 1 - i);
        }
        struct ranged v = ranged_of(cc_index(s->p, nest_base(s, n, from), same.e));
        v = constants ? ranged_number(s, between(s, 0, 255))
                      : ranged_with(s, op, v, between(s, 1, 9));
        set(s, ranged_of(cc_index(s->p, nest_base(s, n, to), at.e)), v);
    }
}

static void swap(struct smith *s, struct nest *n)
{
    int loop = n->at - 1, other = (int)pick(s, (size_t)n->at);
    int64_t d = between(s, 0, 3);
    struct cc_var *a = nest_array(s, n, &loop, 1, 0, true);
    struct cc_var *b = nest_array(s, n, &other, 1, d, true);
    const struct cc_type *element = a->type->to->plain;
    struct cc_var *t = nest_variable(s, n, element, cc_int(s->p, element, 0, CC_DECIMAL));
    set(s, of_var(s, t), nest_at(s, n, a, &loop, 0));
    set(s, nest_at(s, n, a, &loop, 0), nest_at(s, n, b, &other, d));
    set(s, nest_at(s, n, b, &other, d), of_var(s, t));
}

/* c[i][j] += a[i][k] * b[k][j] */
static void matrix(struct smith *s, struct nest *n)
{
    if (n->at < 3 || s->k.limit[SMITH_ARRAY_DIMS] < 2) {
        map(s, n);
        return;
    }
    int i = n->at - 3, j = n->at - 1, k = n->at - 2;
    if (percent(s, 40))
        j = n->at - 2, k = n->at - 1;
    const int ij[] = {i, j}, ik[] = {i, k}, kj[] = {k, j};
    struct ranged a = nest_at(s, n, nest_array(s, n, ik, 2, 0, false), ik, 0);
    struct ranged b = nest_at(s, n, nest_array(s, n, kj, 2, 0, false), kj, 0);
    struct cc_var *c = nest_array(s, n, ij, 2, 0, true);
    struct ranged product = ranged_op(s, may(s, SMITH_MULTIPLICATION) ? CC_MUL : CC_XOR, a, b);
    set(s, nest_at(s, n, c, ij, 0), ranged_op(s, CC_ADD, nest_at(s, n, c, ij, 0), product));
}

/* -- scalars ---------------------------------------------------------------------------------- */

static const struct cc_type *unsigned_type(struct smith *s)
{
    for (int i = 0; i < 4 && !percent(s, 40); i++) {
        const struct cc_type *t = nest_type(s);
        if (!t->is_signed)
            return t;
    }
    return cc_int_type(&s->p->types, 32, false);
}

/* Signed where the sum of all iterations fits an int. */
static const struct cc_type *sum_type(struct smith *s, const struct nest *n, struct ranged v)
{
    cc_wide most = v.high > -v.low ? v.high : -v.low;
    bool fits = most * n->trips < INT32_MAX;
    if (fits && percent(s, 50))
        return cc_basic(&s->p->types, CC_INT);
    return unsigned_type(s);
}

/* A promoted sum of a narrow type is an int, and does not overflow with a narrow value. */
static struct ranged into_sum(struct smith *s, const struct cc_type *t, struct ranged v)
{
    return t->is_signed ? v : ranged_cast(s, t, v);
}

void kernel_keep(struct smith *s, struct nest *n, struct ranged v)
{
    const struct cc_type *t = unsigned_type(s);
    struct cc_var *sum = result(s, n, t, 0);
    if (sum)
        nest_emit(s, cc_assign(s->p, CC_NONE, cc_use(s->p, sum),
                               cc_binary(s->p, percent(s, 60) ? CC_ADD : CC_XOR, cc_use(s->p, sum),
                                         ranged_cast(s, t, v).e)));
}

static void reduce(struct smith *s, struct nest *n)
{
    static const enum cc_op ops[] = {CC_ADD, CC_ADD, CC_ADD, CC_SUB, CC_XOR, CC_OR, CC_AND};
    struct ranged v = kernel_value(s, n);
    const struct cc_type *t = sum_type(s, n, v);
    enum cc_op op = ops[pick(s, 7)];
    bool product = op == CC_ADD && !t->is_signed && t->bits >= 32 && may(s, SMITH_MULTIPLICATION) &&
                   percent(s, 15);
    struct cc_var *sum = result(s, n, t, op == CC_AND ? -1 : product ? 1 : 0);
    if (!sum)
        return;
    v = into_sum(s, t, v);
    if (product)
        op = CC_MUL;
    if (may(s, SMITH_COMPOUND_ASSIGNS) && percent(s, 80))
        nest_emit(s, cc_assign(s->p, op, cc_use(s->p, sum), v.e));
    else
        nest_emit(s, cc_assign(s->p, CC_NONE, cc_use(s->p, sum),
                               cc_binary(s->p, op, cc_use(s->p, sum), v.e)));
}

static void count_one(struct smith *s, struct nest *n)
{
    struct cc_var *v = n->results[n->n_results - 1];
    if (may(s, SMITH_INCREMENT))
        nest_emit(s, cc_incdec(s->p, CC_ADD, percent(s, 70), cc_use(s->p, v)));
    else
        set(s, of_var(s, v),
            ranged_of(cc_binary(s->p, CC_ADD, cc_use(s->p, v), ranged_number(s, 1).e)));
}

static void count(struct smith *s, struct nest *n)
{
    struct cc_expr *c = against(s, value(s, n, 1));
    if (!result(s, n, cc_int_type(&s->p->types, 32, percent(s, 70)), 0))
        return;
    if (percent(s, 50) || !may(s, SMITH_COMPOUND_ASSIGNS))
        branch(s, n, c, count_one, NULL);
    else
        nest_emit(s, cc_assign(s->p, CC_ADD, cc_use(s->p, n->results[n->n_results - 1]), c));
}

static void note_best(struct smith *s, struct nest *n)
{
    struct cc_var *value_at = n->results[n->n_results - 2], *at = n->results[n->n_results - 1];
    set(s, of_var(s, value_at), of_var(s, n->results[n->n_results - 3]));
    set(s, of_var(s, at), nest_iv(s, n, n->at - 1));
}

/* The least or the largest, as a conditional expression, or a branch with its place. */
static void extreme(struct smith *s, struct nest *n)
{
    struct ranged v = percent(s, 70) ? nest_element(s, n, false) : value(s, n, 2);
    const struct cc_type *t = v.e->type->plain;
    if (n->n_results + 3 > MOST_RESULTS || t->bits > 64)
        return;
    struct cc_var *x = result(s, n, t, 0), *best = result(s, n, t, between(s, 0, 9));
    enum cc_op op = percent(s, 50) ? CC_LT : CC_GT;
    if (!set(s, of_var(s, x), v))
        return;
    struct ranged c = ranged_op(s, op, of_var(s, x), of_var(s, best));
    if (may(s, SMITH_CONDITIONAL) && percent(s, 60)) {
        set(s, of_var(s, best), ranged_cond(s, c.e, of_var(s, x), of_var(s, best)));
    } else {
        result(s, n, cc_basic(&s->p->types, CC_INT), 0);
        branch(s, n, c.e, note_best, NULL);
    }
}

/* Values that go from one iteration to the next: t = t * 5 + a[i]; b[i] = t. */
static void carry(struct smith *s, struct nest *n)
{
    const struct cc_type *t = unsigned_type(s);
    struct cc_var *v = result(s, n, t, between(s, 0, 99));
    if (!v)
        return;
    if (percent(s, 40)) { /* the value before */
        struct ranged next = nest_element(s, n, false);
        set(s, nest_element(s, n, true), of_var(s, v));
        set(s, of_var(s, v), next);
        return;
    }
    struct ranged x = of_var(s, v);
    if (may(s, SMITH_MULTIPLICATION))
        x = ranged_with(s, CC_MUL, x, between(s, 3, 33));
    else
        x = ranged_op(s, CC_ADD, x, of_var(s, v));
    x = ranged_op(s, percent(s, 60) ? CC_ADD : CC_XOR, x, leaf(s, n));
    if (set(s, of_var(s, v), x))
        set(s, nest_element(s, n, true),
            may(s, SMITH_SHIFTS) ? ranged_with(s, CC_SHR, of_var(s, v), between(s, 0, 5))
                                 : of_var(s, v));
}

static void put_next(struct smith *s, struct nest *n)
{
    struct ranged v = leaf(s, n);
    struct cc_expr *at = cc_use(s->p, n->results[n->n_results - 1]);
    struct cc_expr *next = cc_incdec(s->p, CC_ADD, true, at);
    set(s, ranged_of(cc_index(s->p, cc_use(s->p, n->target), next)), v);
}

/* if (...) b[n++] = ...: no more than there are iterations. */
static void compress(struct smith *s, struct nest *n)
{
    if (n->trips > MOST_COMPRESSED || !may(s, SMITH_EMBEDDED_ASSIGNS)) {
        map(s, n);
        return;
    }
    struct cc_expr *c = against(s, value(s, n, 1));
    if (!result(s, n, cc_basic(&s->p->types, CC_INT), 0))
        return;
    const struct cc_type *t = cc_array_of(&s->p->types, n->type, (uint32_t)n->trips);
    n->target = new_variable(s, t, true);
    branch(s, n, c, put_next, NULL);
}

/* Two subscripts of an array of them change places, or one gets another value. */
static void reorder(struct smith *s, struct nest *n)
{
    int64_t high;
    struct cc_var *v = nest_gather(s, n, true, &high);
    if (!v || (high & (high + 1)) != 0) {
        map(s, n);
        return;
    }
    struct ranged i = nest_iv(s, n, n->at - 1);
    struct ranged to = ranged_of(cc_index(s->p, cc_use(s->p, v), i.e));
    struct ranged x = value(s, n, 2);
    set(s, to, ranged_with(s, CC_AND, x, high));
}

/* Other code. */
static void general(struct smith *s, struct nest *n)
{
    bool simple = s->at.simple;
    (void)n;
    s->at.simple = simple || percent(s, 75);
    bool nested = may(s, SMITH_IFS) && s->at.block_depth <= s->k.limit[SMITH_BLOCK_DEPTH];
    struct cc_stmt *st = may(s, SMITH_IDIOMS) && percent(s, 20) ? idiom_stmt(s)
                         : nested && percent(s, 15)             ? if_stmt(s)
                                                                : assign_stmt(s);
    if (st && st->kind != CC_S_EMPTY)
        cc_append(innermost_block(s), st);
    s->at.simple = simple;
}

/* -- any of them ------------------------------------------------------------------------------ */

void kernel(struct smith *s, struct nest *n)
{
    static kernel_maker *const makers[] = {map,     reduce,     conditional, recur,      stencil,
                                           copy,    unswitched, count,       extreme,    carry,
                                           general, group,      swap,        matrix,     compress,
                                           search,  reorder,    exit_early,  kernel_walk};
    enum { N = sizeof makers / sizeof *makers };
    _Static_assert(N == SMITH_KERNEL_WALK - SMITH_KERNEL_MAP + 1, "a maker for each row");
    unsigned w[N];
    memcpy(w, &s->k.weight[SMITH_KERNEL_MAP], sizeof w);
    static const int branching[] = {
        SMITH_KERNEL_CONDITIONAL, SMITH_KERNEL_UNSWITCHED, SMITH_KERNEL_COUNT, SMITH_KERNEL_EXTREME,
        SMITH_KERNEL_COMPRESS,    SMITH_KERNEL_SEARCH,     SMITH_KERNEL_EXIT};
    bool branches = may(s, SMITH_IFS) && n->branches < MOST_BRANCHES;
    for (size_t i = 0; i < sizeof branching / sizeof *branching; i++)
        if (!branches)
            w[branching[i] - SMITH_KERNEL_MAP] = 0;
    w[0] += !w[0]; /* something is left */
    makers[choose_weighted(s->c, w, N)](s, n);
}

void kernel_results(struct smith *s, struct nest *n)
{
    for (int i = 0; i < n->n_results && s->g.now.live; i++) {
        struct cc_expr *e = cc_use(s->p, n->results[i]);
        gtav_full_expression(&s->g);
        gtav_value(&s->g, e);
        cc_append(innermost_block(s), use_value(s, cc_promote(s->p, e)));
    }
}
