/* Conditions that lead somewhere: while the interpreter runs the program for its answer, the
 * conditions of if statements are turned so that most of the program is executed.
 *
 * A random program executes a quarter of its statements: a function calls others under conditions
 * under conditions, and one early return makes the rest dead. A wrong value in what is not executed
 * is never seen. Values are not known while the program is made, and no second run is needed to
 * learn them: the first time that a condition is evaluated, nothing that has happened depends on
 * its outcome, so the other outcome can be had by another condition in its place (interp.h).
 * That is the whole trick. The run that turns conditions is a run of the program as it is in the
 * end, so its checksum is the program's.
 *
 * The first time, a branch is preferred that does not leave the block around it, and then the one
 * in which more has not run. Later, where a comparison with a constant had one outcome so far and a
 * value comes that is outside of those that had it, the constant is moved in between: the earlier
 * outcomes stay, and this one is the other. So conditions in loops go both ways.
 *
 * The facts of the analysis do not depend on values (gtav.h): the program is as valid as before, on
 * every path. Only conditions that the generator marked are touched: fuel and depth are not. */
#include "cc/walk.h"
#include "gen/smith/smith_internal.h"
#include "interp/interp.h"

static const char marker; /* its address, in `facts` of an if or a switch: it may be turned */

void turnable(struct cc_stmt *branch)
{
    branch->facts = (void *)(uintptr_t)&marker;
}

enum { MOST_VALUES = 64 };

struct turn { /* of an if statement, a switch, a case */
    bool seen, left_alone;
    bool both;         /* if: had both outcomes */
    bool outcome;      /* while there was only one */
    cc_wide low, high; /* of what was compared so far, all with that outcome */
    cc_wide *values;   /* of a switch: so far, */
    int n_values;      /* until it is MOST_VALUES */
};

struct steering {
    struct smith *s;
    struct turn *turns; /* by id of the statement */
    struct interp_steering by;
};

/* -- what a branch would bring ---------------------------------------------------------------- */

struct gain {
    int64_t all, n; /* statements; those that have not run */
    bool in_calls;  /* in a function that is called: those of further ones are not counted */
};

static int64_t gain_of(struct cc_stmt *st, bool in_calls);

static bool count_stmt(const struct cc_stmt *st, void *to)
{
    struct gain *g = to;
    if (st->kind == CC_S_BLOCK || st->kind == CC_S_EMPTY)
        return false;
    g->all++;
    g->n += !st->ran;
    return false;
}

static bool count_call(const struct cc_expr *e, void *to)
{
    struct gain *g = to;
    if (!g->in_calls && e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC) {
        struct cc_stmt *body = e->callee->func->body;
        if (body && !body->ran)
            g->n += gain_of(body, true);
    }
    return false;
}

static int64_t not_called(const struct cc_expr *e)
{
    struct gain g = {0};
    struct cc_walk w = {count_stmt, count_call, &g};
    cc_walk_expr(e, &w);
    return g.n;
}

static int64_t gain_of(struct cc_stmt *st, bool in_calls)
{
    struct gain g = {.in_calls = in_calls};
    struct cc_walk w = {count_stmt, count_call, &g};
    cc_walk_stmt(st, &w);
    return g.n;
}

int64_t not_run(struct cc_stmt *st, int64_t *all)
{
    struct gain g = {.in_calls = true};
    struct cc_walk w = {.stmt = count_stmt, .to = &g};
    cc_walk_stmt(st, &w);
    *all = g.all;
    return g.n;
}

/* Does it always end in a jump? Then what comes after it is not reached by it. */
static bool leaves(const struct cc_stmt *st)
{
    if (!st)
        return false;
    switch ((enum cc_stmt_kind)st->kind) {
    case CC_S_BREAK:
    case CC_S_CONTINUE:
    case CC_S_GOTO:
    case CC_S_RETURN:
        return true;
    case CC_S_IF:
        return leaves(st->a) && leaves(st->b);
    case CC_S_BLOCK:
        return st->list.n && leaves(st->list.at[st->list.n - 1]);
    default:
        return false;
    }
}

/* -- other conditions ------------------------------------------------------------------------- */

static enum cc_op complement(enum cc_op op)
{
    static const enum cc_op other[] = {[CC_LT] = CC_GE, [CC_GE] = CC_LT, [CC_GT] = CC_LE,
                                       [CC_LE] = CC_GT, [CC_EQ] = CC_NE, [CC_NE] = CC_EQ};
    return other[op];
}

static bool put_constant(struct cc_expr *e, cc_wide v)
{
    struct cc_expr *c = e->b;
    if (v < cc_int_min(c->type) || (v > 0 && (cc_uwide)v > cc_int_max(c->type)))
        return false;
    c->value = v;
    c->spelling = c->spelling == CC_CHARACTER ? CC_DECIMAL : c->spelling;
    return true;
}

/* `left op constant` gets the outcome `want` by another constant near `left`. False: there is none.
 */
static bool move_constant(struct smith *s, struct cc_expr *e, cc_wide left, bool want)
{
    int64_t near = between(s, 0, 3);
    switch (want ? (enum cc_op)e->op : complement((enum cc_op)e->op)) {
    case CC_LT:
        return put_constant(e, left + 1 + near);
    case CC_GT:
        return put_constant(e, left - 1 - near);
    case CC_LE:
        return put_constant(e, left + near);
    case CC_GE:
        return put_constant(e, left - near);
    case CC_EQ:
        return put_constant(e, left);
    default:
        return put_constant(e, left + 1 + near) || put_constant(e, left - 1 - near);
    }
}

/* The condition of `at` becomes one whose outcome is the other. */
static void turn(struct smith *s, struct cc_stmt *at, const cc_wide *left, bool want)
{
    struct cc_expr *e = at->expr;
    if (left && percent(s, 60) && move_constant(s, e, *left, want))
        return;
    if (left)
        e->op = complement((enum cc_op)e->op);
    else if (e->kind == CC_E_UNARY && e->op == CC_NOT)
        at->expr = e->a;
    else
        at->expr = cc_unary(s->p, CC_NOT, e);
}

/* All values in low..high had one outcome, and now there is one outside: a comparison that has the
 * same outcome for those, and the other for this. */
static void divide(struct smith *s, struct cc_expr *e, const struct turn *t, cc_wide left)
{
    bool inside = t->outcome, strict = percent(s, 50);
    if (e->op == (inside ? CC_NE : CC_EQ)) {
        e->b->value = left;
    } else if (left < t->low) {
        e->op = strict ? (inside ? CC_GT : CC_LE) : (inside ? CC_GE : CC_LT);
        e->b->value = strict ? t->low - 1 : t->low;
    } else {
        e->op = strict ? (inside ? CC_LT : CC_GE) : (inside ? CC_LE : CC_GT);
        e->b->value = strict ? t->high + 1 : t->high;
    }
    e->b->spelling = e->b->spelling == CC_CHARACTER ? CC_DECIMAL : e->b->spelling;
}

/* -- the run ---------------------------------------------------------------------------------- */

/* Now and then a jump is taken before the rest has run. */
enum { LEAVE_FIRST_PERCENT = 2, LEAVE_LATER_PERCENT = 8 };

/* Which branch first? */
static bool preferred(struct smith *s, struct cc_stmt *at, bool outcome)
{
    bool first = leaves(at->a), second = leaves(at->b);
    if (first != second && !percent(s, LEAVE_FIRST_PERCENT))
        return second;
    int64_t a = gain_of(at->a, false), b = at->b ? gain_of(at->b, false) : 0;
    return a == b ? outcome : a > b;
}

static bool wants_other(struct smith *s, const struct cc_stmt *at, const struct turn *t)
{
    struct cc_stmt *other = t->outcome ? at->b : at->a;
    if (t->left_alone || !other || !gain_of(other, true))
        return false;
    return !leaves(other) || percent(s, LEAVE_LATER_PERCENT);
}

static bool steer_condition(void *to, struct cc_stmt *at, bool outcome, const cc_wide *left)
{
    struct steering *g = to;
    struct turn *t = &g->turns[at->id];
    if (at->facts != &marker || t->both)
        return outcome;
    if (!t->seen) {
        t->seen = true;
        t->left_alone = wants(g->s, SMITH_DEAD);
        bool want = t->left_alone ? outcome : preferred(g->s, at, outcome);
        if (want != outcome)
            turn(g->s, at, left, want);
        t->outcome = want;
        if (left)
            t->low = t->high = *left;
        return want;
    }
    if (left && outcome == t->outcome && (*left < t->low || *left > t->high) &&
        wants_other(g->s, at, t)) {
        divide(g->s, at->expr, t, *left);
        outcome = !outcome;
    }
    t->both = outcome != t->outcome;
    if (left) {
        t->low = *left < t->low ? *left : t->low;
        t->high = *left > t->high ? *left : t->high;
    }
    return outcome;
}

/* An operand that would call what has not been called is to be evaluated the first time. */
static bool steer_operand(void *to, struct cc_expr *e, bool outcome)
{
    struct steering *g = to;
    e->turnable = false;
    bool either = e->kind == CC_E_COND; /* an operand for each outcome, or for one of them */
    int64_t if_true = either || e->op == CC_LAND ? not_called(e->b) : 0;
    int64_t if_false = either ? not_called(e->c) : e->op == CC_LOR ? not_called(e->b) : 0;
    if (if_true == if_false || outcome == (if_true > if_false) || wants(g->s, SMITH_DEAD))
        return outcome;
    struct cc_expr *a = e->a;
    if (a->kind == CC_E_BINARY && cc_is_comparison((enum cc_op)a->op) &&
        cc_is_integer(a->a->type)) {
        e->a = arena_new(g->s->arena, struct cc_expr);
        *e->a = *a;
        e->a->op = complement((enum cc_op)a->op);
    } else {
        e->a = cc_unary(g->s->p, CC_NOT, a);
    }
    return !outcome;
}

/* -- switches --------------------------------------------------------------------------------- */

/* What a label leads to has not run: how much is it? Cases are blocks behind their labels. */
static int64_t case_gain(const struct cc_stmt *block, size_t label)
{
    struct cc_stmt *body = label + 1 < block->list.n ? block->list.at[label + 1] : NULL;
    int64_t gain = body && body->kind == CC_S_BLOCK && !body->ran ? gain_of(body, false) : 0;
    return gain && leaves(body) ? 1 : gain;
}

/* A value that was not there before and equals no label: one of those that nothing was equal to so
 * far becomes it. Earlier values go where they went. */
static void steer_value(void *to, struct cc_stmt *on, cc_wide value)
{
    struct steering *g = to;
    struct turn *t = &g->turns[on->id];
    struct cc_stmt *block = on->a, *best = NULL;
    if (on->facts != &marker)
        return;
    if (!t->seen) {
        t->seen = true;
        t->left_alone = wants(g->s, SMITH_DEAD);
        t->values = arena_array(g->s->arena, cc_wide, MOST_VALUES);
    }
    for (int i = 0; i < t->n_values; i++)
        if (t->values[i] == value)
            return;
    if (t->n_values == MOST_VALUES)
        t->left_alone = true;
    else
        t->values[t->n_values++] = value;
    int64_t most = 0;
    for (size_t i = 0; i < block->list.n; i++) {
        struct cc_stmt *label = block->list.at[i];
        if (label->kind == CC_S_CASE && label->value <= value && value <= label->high) {
            g->turns[label->id].seen = true;
            return;
        }
        bool candidate =
            label->kind == CC_S_DEFAULT ||
            (label->kind == CC_S_CASE && label->value == label->high && !g->turns[label->id].seen);
        int64_t gain = candidate ? case_gain(block, i) : 0;
        if (gain > most) {
            most = gain;
            best = label;
        }
    }
    if (!best || t->left_alone || best->kind == CC_S_DEFAULT)
        return;
    best->value = best->high = value;
    g->turns[best->id].seen = true;
}

static bool stmt_has_not_run(const struct cc_stmt *st, void *to)
{
    (void)to;
    ((struct cc_stmt *)(uintptr_t)st)->ran = false;
    return false;
}

static bool expr_has_not_run(const struct cc_expr *e, void *to)
{
    (void)to;
    ((struct cc_expr *)(uintptr_t)e)->ran = false;
    return false;
}

void steer(struct smith *s, struct interp_options *o)
{
    struct cc_walk w = {stmt_has_not_run, expr_has_not_run, NULL}; /* of earlier runs */
    for (size_t i = 0; i < s->p->funcs.n; i++)
        cc_walk_stmt(s->p->funcs.at[i]->body, &w);
    struct steering *g = arena_new(s->arena, struct steering);
    *g = (struct steering){
        s,
        arena_array(s->arena, struct turn, s->p->n_stmts),
        {g, steer_condition, steer_value, steer_operand},
    };
    o->steering = &g->by;
}
