/* Loops of every kind. Their bodies are made with the values of the first iteration; then the whole
 * loop is run, and what is undefined in any iteration is rewritten, until nothing is (3.5 of the
 * paper goes no further than iterations that are all alike). */
#include "gen/yarp/yarp_internal.h"

void yarp_settle(struct yarp *y, struct cc_stmt *s)
{
    struct values *v = &y->v;
    if (v->off)
        return;
    enum values_mode mode = v->mode;
    int pass = v->pass;
    bool changed = v->changed;
    size_t mark = values_mark(v);
    v->mode = VALUES_RUNNING;
    for (v->pass = 0;; v->pass++) {
        v->changed = false;
        values_exec(v, s);
        if (!v->changed)
            break;
        values_back(v, mark);
    }
    v->mode = mode;
    v->pass = pass;
    v->changed = changed;
}

struct plan {
    enum yarp_weight form;
    const struct cc_type *type;
    int64_t first, last, step; /* `last` is reached exactly; step is positive */
    int64_t trips;
};

static const struct cc_type *induction_type(struct yarp *y)
{
    static const enum cc_kind kinds[] = {CC_INT, CC_UINT, CC_SHORT, CC_UCHAR, CC_LLONG, CC_ULLONG};
    enum cc_kind kind = kinds[draw(y, YARP_P_INDUCTION) - YARP_INDUCTION_INT];
    if (has(y, YARP_LONG) && kind >= CC_LLONG && percent(y, 60))
        kind = kind == CC_LLONG ? CC_LONG : CC_ULONG;
    return basic(y, kind);
}

/* How long: mostly as an array is, so that its elements can be reached. Deep in a nest that is one
 * of many dimensions. */
static int64_t draw_extent(struct yarp *y)
{
    const var_list *arrays = &y->vars[pick(y, N_ROLES)][ARRAY];
    if (arrays->n && percent(y, 85)) {
        const struct cc_type *t = arrays->at[pick(y, arrays->n)]->type;
        while (t->to->kind == CC_ARRAY && percent(y, 50))
            t = t->to;
        return t->length;
    }
    return between(y, 2, 20);
}

/* So that the statements of the body find room; less than 2: there is none. */
static int64_t fit_extent(const struct yarp *y, int64_t extent)
{
    enum { LEAST_BODY = 60, SHARES = 3 };
    int64_t most = y->room / (y->at.times * LEAST_BODY * SHARES);
    return extent < most ? extent : most;
}

static bool draw_plan(struct yarp *y, struct plan *p)
{
    int64_t extent = draw_extent(y);
    if (y->loops.n - y->at.first_loop > 1 && percent(y, 60))
        extent = y->narrow[pick(y, 2)];
    extent = fit_extent(y, extent);
    if (extent < 2)
        return false;
    int64_t low = percent(y, 30) ? between(y, 1, 2) : 0;
    int64_t high = extent - 1 - (percent(y, 30) ? between(y, 1, 2) : 0);
    if (high < low)
        high = low;
    p->form = draw(y, YARP_P_LOOP_FORM);
    p->type = induction_type(y);
    p->step = 1 + (draw(y, YARP_P_LOOP_STEP) - YARP_STEP_1);
    if (!p->type->is_signed && p->form == YARP_LOOP_FOR_DOWN && low < p->step)
        low = high < p->step ? high : p->step; /* below it there is something to compare with */
    p->trips = (high - low) / p->step + 1;
    high = low + (p->trips - 1) * p->step;
    bool down = p->form == YARP_LOOP_FOR_DOWN;
    p->first = down ? high : low;
    p->last = down ? low : high;
    return !(down && !p->type->is_signed && low < p->step);
}

static struct cc_expr *number(struct yarp *y, int64_t n)
{
    return cc_int(y->p, basic(y, CC_INT), n, CC_DECIMAL);
}

/* -- bounds ----------------------------------------------------------------------------------- */

/* An input, more or less a constant, that is `n`; NULL: that would not be `n` in its type. */
static struct cc_expr *from_input(struct yarp *y, const struct bound *b, int64_t n)
{
    const struct cc_type *t = cc_promoted(&y->p->types, b->v->type->plain, -1);
    cc_wide more = b->value - n;
    enum cc_op op = more < 0 ? CC_ADD : CC_SUB;
    if (more < 0)
        more = -more;
    if (cc_wrap(t, more) != more || (n < 0 && !t->is_signed))
        return NULL;
    struct cc_expr *e = cc_use(y->p, b->v);
    return more ? cc_binary(y->p, op, e, cc_int(y->p, t, more, CC_DECIMAL)) : e;
}

/* A number that a loop over `i` starts, ends or steps by. What is signed counts down below 0, where
 * a comparison with an unsigned bound would not see it. */
static struct cc_expr *bound(struct yarp *y, int64_t n, const struct cc_type *i)
{
    size_t all = y->bounds.n;
    if (!all || !takes(y, YARP_BOUNDS))
        return number(y, n);
    size_t first = pick(y, all);
    for (size_t k = 0; k < all && percent(y, 70); k++) { /* the very number, if there is one */
        const struct bound *b = &y->bounds.at[(first + k) % all];
        if (b->value == n)
            first = (first + k) % all;
    }
    struct cc_expr *e = from_input(y, &y->bounds.at[first], n);
    if (!e)
        return number(y, n);
    spend(y, 2);
    return i->is_signed && !e->type->is_signed ? cc_cast(y->p, i, e) : e;
}

static struct cc_expr *set(struct yarp *y, struct cc_var *v, struct cc_expr *value)
{
    return cc_assign(y->p, CC_NONE, cc_use(y->p, v), value);
}

/* i = i + step: written i += step or ++i in the end. */
static struct cc_expr *advance(struct yarp *y, struct cc_var *v, const struct plan *p)
{
    enum cc_op op = p->form == YARP_LOOP_FOR_DOWN ? CC_SUB : CC_ADD;
    return set(y, v, cc_binary(y->p, op, cc_use(y->p, v), bound(y, p->step, p->type)));
}

/* Goes on while i is on this side of the end. */
static struct cc_expr *goes_on(struct yarp *y, struct cc_var *v, const struct plan *p)
{
    struct cc_expr *i = cc_use(y->p, v);
    int64_t slack = p->step > 1 ? between(y, 0, p->step - 1) : 0;
    switch (p->form) {
    case YARP_LOOP_FOR_DOWN:
        return percent(y, 50) ? cc_binary(y->p, CC_GE, i, bound(y, p->last, p->type))
                              : cc_binary(y->p, CC_GT, i, bound(y, p->last - 1, p->type));
    case YARP_LOOP_FOR_UNEQUAL:
        return cc_binary(y->p, CC_NE, i, bound(y, p->last + p->step, p->type));
    default:
        return percent(y, 30) ? cc_binary(y->p, CC_LE, i, bound(y, p->last + slack, p->type))
                              : cc_binary(y->p, CC_LT, i, bound(y, p->last + 1 + slack, p->type));
    }
}

/* -- reductions ------------------------------------------------------------------------------- */

/* acc = acc op element; declared ahead of the loop, stored behind it. */
static struct cc_expr *reduce(struct yarp *y, struct cc_var *acc)
{
    struct cc_expr *e = yarp_small_expression(y, (int)pick(y, 3));
    struct cc_expr *old = cc_use(y->p, acc);
    enum yarp_weight w = draw(y, YARP_P_REDUCTION);
    if (w == YARP_REDUCTION_MIN || w == YARP_REDUCTION_MAX) {
        struct cc_expr *better =
            cc_binary(y->p, percent(y, 50) ? CC_LT : CC_GT, yarp_copy(y, e), old);
        return set(y, acc, cc_cond(y->p, better, e, cc_use(y->p, acc)));
    }
    static const enum cc_op ops[YARP_N_WEIGHTS] = {[YARP_REDUCTION_XOR] = CC_XOR,
                                                   [YARP_REDUCTION_OR] = CC_OR,
                                                   [YARP_REDUCTION_AND] = CC_AND,
                                                   [YARP_REDUCTION_MUL] = CC_MUL};
    return set(y, acc, cc_binary(y->p, ops[w] ? ops[w] : CC_ADD, old, e));
}

static struct cc_var *accumulator(struct yarp *y, struct cc_stmt *block)
{
    static const enum cc_kind kinds[] = {CC_UINT, CC_INT, CC_ULLONG, CC_LLONG, CC_USHORT, CC_UCHAR};
    static const unsigned weights[] = {30, 20, 20, 15, 8, 7};
    const struct cc_type *t = basic(y, kinds[choose_weighted(y->c, weights, 6)]);
    return yarp_define(y, block, "acc", t, number(y, between(y, 0, 3)));
}

/* -- bodies ----------------------------------------------------------------------------------- */

struct body { /* being made, and what was so around it */
    struct scope scope;
    int64_t times;
    bool may_break, may_continue;
};

static struct body enter_body(struct yarp *y, struct induction i, int64_t trips, bool may_break,
                              bool may_continue)
{
    struct body b = {
        .times = y->at.times, .may_break = y->at.may_break, .may_continue = y->at.may_continue};
    y->at.times *= trips;
    y->at.may_break = may_break;
    y->at.may_continue = may_continue;
    vec_push(&y->loops, i);
    b.scope = yarp_open_scope(y);
    return b;
}

static void leave_body(struct yarp *y, struct cc_stmt *block, struct body b)
{
    yarp_use_up(y, block, b.scope);
    yarp_close_scope(y, b.scope);
    y->loops.n--;
    y->at.times = b.times;
    y->at.may_break = b.may_break;
    y->at.may_continue = b.may_continue;
}

/* -- pointers that walk ----------------------------------------------------------------------- */

static struct cc_var *walkable(struct yarp *y)
{
    const var_list *arrays = &y->vars[percent(y, 50) ? INPUT : MIXED][ARRAY];
    for (int tries = 0; arrays->n && tries < 4; tries++) {
        struct cc_var *a = arrays->at[pick(y, arrays->n)];
        const struct cc_type *t = a->type->to;
        /* std::vector<bool> has no elements to point to */
        if (cc_is_integer(t) && (a->container == CC_C_ARRAY || t->kind != CC_BOOL))
            return a;
    }
    return NULL;
}

/* for (T *p = &a[first]; p < &a[end]; p = p + step): through a one-dimensional array of scalars. */
static bool make_walk(struct yarp *y, struct cc_stmt *block)
{
    struct cc_var *a = walkable(y);
    if (!a)
        return false;
    const struct cc_type *t = a->type->to;
    int64_t step = between(y, 1, 3), trips = ((int64_t)a->type->length - 1) / step + 1;
    if (fit_extent(y, trips) < trips)
        return false;
    struct cc_expr *begin = cc_addr(y->p, cc_index(y->p, cc_use(y->p, a), number(y, 0)));
    struct cc_var *v =
        yarp_define(y, block, "ptr", cc_pointer_to(&y->p->types, t), yarp_copy(y, begin));
    /* the end need not be reached exactly, but no step may lead beyond one past the end */
    int64_t end = trips * step <= a->type->length ? trips * step : (trips - 1) * step;
    if (!end)
        return false;
    trips = end / step;
    struct cc_expr *limit = end == a->type->length
                                ? cc_binary(y->p, CC_ADD, yarp_copy(y, begin), number(y, end))
                                : cc_addr(y->p, cc_index(y->p, cc_use(y->p, a), number(y, end)));
    struct cc_stmt *body = cc_block(y->p);
    size_t mark = values_mark(&y->v);
    struct body around =
        enter_body(y, (struct induction){.v = v, .walks = true}, trips, true, true);
    yarp_statements(y, body, yarp_block_length(y));
    leave_body(y, body, around);
    values_back(&y->v, mark);
    struct cc_expr *next = set(y, v, cc_binary(y->p, CC_ADD, cc_use(y->p, v), number(y, step)));
    struct cc_expr *test = cc_binary(y->p, percent(y, 60) ? CC_LT : CC_NE, cc_use(y->p, v), limit);
    struct cc_stmt *loop = cc_for(y->p, NULL, test, next, body);
    cc_append(block, loop);
    spend(y, 8);
    yarp_settle(y, loop);
    return true;
}

/* -- loops over integers ---------------------------------------------------------------------- */

/* One to four elements from elements, and perhaps a reduction. */
static void make_kernel(struct yarp *y, struct cc_stmt *body, struct cc_var *acc)
{
    int n = (int)between(y, 1, 4);
    y->at.called = y->at.written = false;
    y->at.kernel = true;
    for (int i = 0; i < n; i++) {
        struct cc_expr *to = yarp_element_target(y);
        if (!to)
            break;
        struct cc_expr *value = yarp_kernel_expression(y, (int)between(y, 1, 5));
        yarp_emit(y, body, cc_assign(y->p, CC_NONE, to, value));
    }
    if (acc)
        yarp_emit(y, body, reduce(y, acc));
    y->at.kernel = false;
}

static bool may_nest(const struct yarp *y)
{
    return y->loops.n - y->at.first_loop < (size_t)y->k->limit[YARP_LIMIT_LOOP_DEPTH];
}

static void make_body(struct yarp *y, struct cc_stmt *body, struct cc_var *acc)
{
    if (may_nest(y) && takes(y, YARP_NESTS) && takes(y, YARP_PERFECT_NESTS) &&
        yarp_new_loop(y, body))
        return;
    bool kernel = !y->at.pure && has(y, YARP_ARRAYS) && takes(y, YARP_KERNELS);
    if (kernel)
        make_kernel(y, body, acc);
    int n = kernel && body->list.n ? 0 : yarp_block_length(y);
    if (!n)
        return;
    if (acc) {
        int before = (int)pick(y, (size_t)n + 1);
        yarp_statements(y, body, before);
        struct cc_expr *e = reduce(y, acc);
        yarp_emit(y, body, e);
        n -= before;
    }
    yarp_statements(y, body, n);
    if (!body->list.n) { /* the budget is spent; a loop still does something */
        struct cc_var *v = y->vars[OUTPUT][SCALAR].at[0];
        if (!y->at.pure)
            yarp_emit(y, body, set(y, v, cc_use(y->p, y->loops.at[y->loops.n - 1].v)));
    }
}

/* The loop statement around a complete body; i has its first value. */
static void close_loop(struct yarp *y, struct cc_stmt *to, struct cc_var *i, const struct plan *p,
                       struct cc_stmt *body, struct cc_stmt *label)
{
    struct cc_expr *on = goes_on(y, i, p), *next = advance(y, i, p);
    struct cc_stmt *s;
    switch (p->form) {
    case YARP_LOOP_WHILE:
    case YARP_LOOP_DO:
        cc_append(body, cc_expr_stmt(y->p, next));
        s = cc_stmt(y->p, p->form == YARP_LOOP_DO ? CC_S_DO : CC_S_WHILE);
        s->expr = on;
        s->a = body;
        cc_append(to, s);
        return;
    case YARP_LOOP_ENDLESS: {
        struct cc_stmt *stop = cc_block(y->p);
        cc_append(stop, cc_stmt(y->p, CC_S_BREAK));
        cc_append(body, cc_expr_stmt(y->p, next));
        cc_append(body, cc_if(y->p, cc_unary(y->p, CC_NOT, on), stop, NULL));
        cc_append(to, cc_for(y->p, NULL, NULL, NULL, body));
        return;
    }
    case YARP_LOOP_GOTO: {
        struct cc_stmt *back = cc_block(y->p);
        cc_append(back, cc_goto(y->p, label));
        cc_append(to, label);
        cc_append(to, body);
        cc_append(to, cc_expr_stmt(y->p, next));
        cc_append(to, cc_if(y->p, on, back, NULL));
        return;
    }
    default:
        s = cc_for(y->p, set(y, i, bound(y, p->first, p->type)), on, next, body);
        cc_append(to, s);
    }
}

bool yarp_new_loop(struct yarp *y, struct cc_stmt *block)
{
    struct plan p;
    if (!may_nest(y))
        return false;
    if (takes(y, YARP_POINTER_WALKS) && percent(y, 50) && make_walk(y, block)) {
        y->n_loops++;
        return true;
    }
    if (!draw_plan(y, &p))
        return false;
    y->n_loops++;
    /* all of it in one block, which can be run as one statement */
    struct cc_stmt *whole = cc_block(y->p);
    struct scope outer = yarp_open_scope(y);
    size_t mark = values_mark(&y->v);
    struct cc_var *i = yarp_define(y, whole, "i", p.type, number(y, p.first));
    struct cc_var *acc = takes(y, YARP_REDUCTIONS) ? accumulator(y, whole) : NULL;
    struct cc_stmt *body = cc_block(y->p);
    struct cc_stmt *label = p.form == YARP_LOOP_GOTO ? cc_label(y->p, yarp_name(y, "again")) : NULL;
    int64_t low = p.first < p.last ? p.first : p.last, high = p.first < p.last ? p.last : p.first;
    struct body around =
        enter_body(y, (struct induction){.v = i, .low = low, .high = high}, p.trips,
                   p.form != YARP_LOOP_GOTO, p.form <= YARP_LOOP_FOR_UNEQUAL);
    make_body(y, body, acc);
    leave_body(y, body, around);
    close_loop(y, whole, i, &p, body, label);
    bool output;
    if (acc) {
        struct cc_expr *to = yarp_writable(y, &output);
        if (to)
            cc_append(whole, cc_expr_stmt(y->p, cc_assign(y->p, CC_NONE, to, cc_use(y->p, acc))));
    }
    spend(y, 12);
    yarp_close_scope(y, outer);
    values_back(&y->v, mark);
    cc_append(block, whole);
    yarp_settle(y, whole);
    return true;
}
