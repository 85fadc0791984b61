/* Loops: counting loops of any statements, and array statements (dissertation, 3.4).
 *
 * A loop is made with optimism: its body is valid for the first iteration; when it is complete, the
 * fixed point over all iterations is computed (4.3.7.1), and if it fails, the statement that failed
 * and all behind it are removed, and so on until it holds. Loops count: their variable is protected
 * inside the body, so that every loop ends and its values are known as indices. */
#include "gen/smith/smith_internal.h"

/* -- counting loops --------------------------------------------------------------------------- */

struct header { /* of a counting loop */
    struct cc_var *var;
    int64_t first, step; /* step < 0: downwards */
    int64_t n;           /* iterations, if nothing leaves it */
    bool is_while, is_do;
    struct cc_expr *init; /* of those two: what stands before the loop */
};

static bool loop_variable(const struct smith *s, const struct cc_var *v)
{
    return cc_is_integer(v->type) && !v->type->quals && v->type->kind != CC_ENUM &&
           v->type->kind != CC_BOOL && v->type->kind != CC_CHAR && v->type->bits <= 64 &&
           !s->g.locked.at[v->mark] && v->storage != CC_EXTERN;
}

static struct cc_var *draw_loop_variable(struct smith *s, int fresh_percent)
{
    if (!percent(s, fresh_percent))
        for (int i = 0; i < 6; i++) {
            struct cc_var *v = pick_variable(s);
            if (loop_variable(s, v))
                return v;
        }
    const struct cc_type *t =
        percent(s, 60) ? cc_basic(&s->p->types, CC_INT) : s->ints.at[pick(s, s->ints.n)];
    return new_local_plain(s, t, cc_int(s->p, t, between(s, 0, 9), CC_DECIMAL));
}

static struct cc_expr *number(struct smith *s, int64_t v)
{
    return cc_int(s->p, cc_basic(&s->p->types, CC_INT), v, CC_DECIMAL);
}

/* The condition that holds for the first n values and not for the next. */
static struct cc_expr *loop_test(struct smith *s, const struct header *h)
{
    int64_t last = h->first + (h->n - 1) * h->step, next = last + h->step;
    struct cc_expr *v = cc_use(s->p, h->var);
    switch (pick(s, 3)) {
    case 0:
        return cc_binary(s->p, h->step > 0 ? CC_LT : CC_GT, v,
                         number(s, h->step > 0 ? last + 1 : last - 1));
    case 1:
        return cc_binary(s->p, h->step > 0 ? CC_LE : CC_GE, v, number(s, last));
    default:
        return cc_binary(s->p, CC_NE, v, number(s, next));
    }
}

static struct cc_expr *loop_step(struct smith *s, const struct header *h)
{
    struct cc_expr *v = cc_use(s->p, h->var);
    enum cc_op op = h->step > 0 ? CC_ADD : CC_SUB;
    int64_t size = h->step > 0 ? h->step : -h->step;
    if (size == 1 && percent(s, 60))
        return cc_incdec(s->p, op, percent(s, 60), v);
    return cc_assign(s->p, op, v, number(s, size));
}

/* The statement around a body; the values that its variable takes inside are in low..high. */
static struct cc_stmt *loop_around_body(struct smith *s, struct header *h, struct cc_stmt *body)
{
    struct cc_expr *init = cc_assign(s->p, CC_NONE, cc_use(s->p, h->var), number(s, h->first));
    struct cc_stmt *l;
    if (h->is_while || h->is_do) {
        h->init = init;
        l = cc_stmt(s->p, h->is_do ? CC_S_DO : CC_S_WHILE);
        /* while: the variable is one ahead inside */
        struct cc_expr *count = cc_incdec(s->p, CC_ADD, h->is_while, cc_use(s->p, h->var));
        l->expr = cc_binary(s->p, CC_LT, count, number(s, h->first + h->n));
        l->a = body;
    } else {
        struct cc_expr *test = loop_test(s, h);
        l = cc_for(s->p, init, test, loop_step(s, h), body);
    }
    l->facts = (void *)(uintptr_t)h->var->mark;
    return l;
}

static void truncate(struct smith *s, struct cc_stmt *body, size_t n)
{
    s->n_backtracks += body->list.n - n;
    body->list.n = n;
}

bool walk_watched(struct smith *s, struct cc_stmt *st, const struct cc_stmt *block,
                  const struct state *before, size_t *at)
{
    const struct cc_stmt *watched = s->g.watched;
    s->g.watched = block;
    s->g.failed_at = SIZE_MAX;
    bool valid = gtav_try(&s->g, st, before);
    *at = s->g.failed_at;
    s->g.watched = watched;
    return valid;
}

bool settled(struct smith *s, struct cc_stmt *loop, const struct state *before)
{
    size_t at;
    while (!walk_watched(s, loop, loop->a, before, &at)) {
        if (at >= loop->a->list.n)
            return false;
        truncate(s, loop->a, at);
    }
    return true;
}

static void draw_header(struct smith *s, struct header *h, int64_t most)
{
    const struct cc_type *t = h->var->type;
    h->n = between(s, 1, most);
    bool down = percent(s, 30);
    h->step = percent(s, 65) ? 1 : between(s, 1, 4);
    h->first = percent(s, 60) ? 0 : between(s, t->is_signed ? -12 : 0, 12);
    if (wants(s, SMITH_WHILE))
        h->is_while = true;
    else if (wants(s, SMITH_DO))
        h->is_do = true;
    if (h->is_while || h->is_do) {
        h->step = 1;
        return;
    }
    if (down) {
        /* the value after the last must be representable: 0 or more if unsigned */
        if (!t->is_signed || h->first < 0)
            h->first = h->n * h->step + pick(s, 8);
        h->step = -h->step;
    }
}

static void push_iv(struct smith *s, const struct header *h)
{
    int64_t last = h->first + (h->n - 1) * h->step;
    struct smith_iv iv = {h->var, h->step > 0 ? h->first : last, h->step > 0 ? last : h->first};
    if (h->is_while) {
        iv.low++;
        iv.high++;
    }
    vec_push(&s->at.ivs, iv);
    gtav_lock(&s->g, h->var->mark, 1);
}

static void pop_iv(struct smith *s, const struct header *h)
{
    gtav_lock(&s->g, h->var->mark, -1);
    s->at.ivs.n--;
}

/* How many iterations the room allows; 0: no loop here. */
static int64_t affordable(const struct smith *s)
{
    int64_t n = s->at.room / s->at.times / 120;
    return n > 10 ? 10 : n;
}

/* A body inside the loop's context: `fill` makes its statements. */
static struct cc_stmt *loop_with(struct smith *s, struct header *h,
                                 void (*fill)(struct smith *s, void *arg), void *arg)
{
    struct state before = state_keep(&s->g.f, &s->g.now);
    int64_t times = s->at.times;
    int switches = s->at.switch_depth;
    spend(s, 8);
    s->at.times *= h->n;
    s->at.loop_depth++;
    s->at.switch_depth = 0;
    gtav_enter_loop(&s->g, false);
    push_iv(s, h);
    struct cc_stmt *body = cc_block(s->p);
    open_block(s, body);
    fill(s, arg);
    spend(s, 4);
    close_block(s);
    pop_iv(s, h);
    gtav_leave_loop(&s->g);
    s->at.loop_depth--;
    s->at.switch_depth = switches;
    s->at.times = times;
    struct cc_stmt *l = loop_around_body(s, h, body);
    if (h->init)
        gtav_value(&s->g, h->init); /* stores an integer: facts stay as they are */
    bool good = !s->g.bad && settled(s, l, &before);
    if (good && h->init)
        cc_append(innermost_block(s), cc_expr_stmt(s->p, h->init));
    if (!good) {
        s->g.bad = false;
        state_copy(&s->g.f, &s->g.now, &before);
        l = cc_stmt(s->p, CC_S_EMPTY);
    }
    state_give(&s->g.f, &before);
    return l;
}

static void fill_statements(struct smith *s, void *arg)
{
    statements(s, *(int *)arg);
}

struct cc_stmt *for_stmt(struct smith *s)
{
    int64_t most = affordable(s);
    if (most < 1)
        return assign_stmt(s);
    struct header h = {.var = draw_loop_variable(s, 30)};
    draw_header(s, &h, most);
    int n = block_size(s);
    return loop_with(s, &h, fill_statements, &n);
}

/* -- array statements: one to three loops over the elements of an array (3.4) ----------------- */

struct sweep {
    uint32_t lengths[6];
    int dims, at;
    int n; /* statements in the innermost body */
};

static void sweep_body(struct smith *s)
{
    bool simple = s->at.simple, aiming = s->aiming;
    bool nest = s->at.block_depth <= s->k.limit[SMITH_BLOCK_DEPTH];
    s->aiming = true;
    s->at.simple = simple || percent(s, 85);
    int n = (int)between(s, 1, 3);
    for (int i = 0; i < n && s->g.now.live; i++) {
        struct cc_stmt *st =
            nest && may(s, SMITH_IFS) && percent(s, 12) ? if_stmt(s) : assign_stmt(s);
        if (st)
            cc_append(innermost_block(s), st);
    }
    s->aiming = aiming;
    s->at.simple = simple;
}

static struct cc_stmt *sweep_loop(struct smith *s, struct sweep *w);

static void fill_sweep(struct smith *s, void *arg)
{
    struct sweep *w = arg;
    w->at++;
    if (w->at < w->dims && s->at.room / s->at.times > 300)
        cc_append(innermost_block(s), sweep_loop(s, w));
    else
        sweep_body(s);
    w->at--;
}

static struct cc_stmt *sweep_loop(struct smith *s, struct sweep *w)
{
    struct header h = {.var = draw_loop_variable(s, 85), .step = 1};
    h.n = w->lengths[w->at];
    int64_t most = s->at.room / s->at.times / 60;
    h.n = h.n > most ? most : h.n;
    h.n = h.n < 1 ? 1 : h.n;
    if (percent(s, 20)) {
        h.first = h.n - 1;
        h.step = -1;
        if (!h.var->type->is_signed) { /* it would have to pass 0 */
            h.first = 0;
            h.step = 1;
        }
    } else if (h.n > 2 && percent(s, 25)) { /* room for neighbours */
        h.first = 1;
        h.n -= 2;
    } else if (h.n > 3 && percent(s, 15)) {
        h.step = 2;
        h.n = (h.n + 1) / 2;
    }
    return loop_with(s, &h, fill_sweep, w);
}

struct cc_stmt *array_stmt(struct smith *s)
{
    if (affordable(s) < 2)
        return assign_stmt(s);
    struct cc_var *v = NULL;
    for (int i = 0; i < 6 && !v; i++) {
        struct cc_var *c = pick_variable(s);
        if (c->type->kind == CC_ARRAY && !c->type->has_const &&
            (cc_is_integer(c->type->to) || (s->p->ieee_floats && cc_is_float(c->type->to))))
            v = c;
    }
    if (!v) {
        int64_t most = s->k.limit[SMITH_ARRAY_LENGTH] < s->k.limit[SMITH_ARRAY_TOTAL]
                           ? s->k.limit[SMITH_ARRAY_LENGTH]
                           : s->k.limit[SMITH_ARRAY_TOTAL];
        uint32_t n = (uint32_t)between(s, most < 4 ? most : 4, most);
        v = new_variable(s, cc_array_of(&s->p->types, s->ints.at[pick(s, s->ints.n)], n), true);
    }
    struct sweep w = {0};
    for (const struct cc_type *t = v->type; t->kind == CC_ARRAY && w.dims < 6; t = t->to)
        w.lengths[w.dims++] = t->length;
    int64_t deepest = s->k.limit[SMITH_BLOCK_DEPTH] + 1 - s->at.block_depth;
    w.dims = w.dims < deepest ? w.dims : (int)deepest;
    return sweep_loop(s, &w);
}
