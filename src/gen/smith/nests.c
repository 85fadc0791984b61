/* Nests of loops over arrays: one to six deep, with bounds and steps that are variables.
 *
 * What a loop optimiser asks first is where a loop begins and ends and how it steps: here all forms
 * of that are drawn (table below). A bound or a step that is no constant is a variable that is set
 * to a value in a known range, which hides it from the compiler and not from us. Inner loops may
 * begin or end where the outer one is, stand beside each other, or have statements around them.
 *
 * A loop's variable is out of reach of all other code, so it ends; a loop in which something does
 * not survive the iterations loses it, as all loops do (loops.c). */
#include "gen/smith/nest.h"

#include "base/error.h"

enum { LEAST_ROOM = 500, NODES_EACH = 60, LARGEST_STEP = 4 };

/* X(id, weight): for (i = 0; i < n; i++), for (i = n - 1; i >= 0; i--), for (i = n; i-- > 0;),
 * for (i = 1; i < n; i *= 2), while (++i < n), while (i-- > 0), do ... while (++i < n),
 * do ... while (i-- > 0) */
#define FORM_TABLE(X)                                                                              \
    X(UP, 46)                                                                                      \
    X(DOWN, 15)                                                                                    \
    X(POST, 6)                                                                                     \
    X(GEOMETRIC, 4)                                                                                \
    X(WHILE_UP, 7)                                                                                 \
    X(WHILE_DOWN, 6)                                                                               \
    X(DO_UP, 10)                                                                                   \
    X(DO_DOWN, 6)

enum form {
#define X(id, weight) id,
    FORM_TABLE(X)
#undef X
        N_FORMS
};

static const unsigned form_weights[] = {
#define X(id, weight) weight,
    FORM_TABLE(X)
#undef X
};

struct head { /* of a loop */
    enum form form;
    struct cc_var *var;
    struct ranged low, high, step; /* high: the first value beyond */
    int64_t trips;
    struct nest_loop values;
    int64_t step2; /* of the second variable; 0: there is none */
};

/* -- variables -------------------------------------------------------------------------------- */

struct cc_var *nest_variable(struct smith *s, struct nest *n, const struct cc_type *t,
                             struct cc_expr *init)
{
    struct smith_scope *scope = &s->at.scopes.at[n->scope];
    struct cc_var *v = cc_local(s->p, new_name(s, 'l'), t, init);
    gtav_add_var(&s->g, v, gtav_home(scope->block));
    gtav_initialise(&s->g, v);
    declare(s, scope, v);
    scope->vars.n--; /* found by nobody else */
    spend(s, 3);
    return v;
}

static struct cc_expr *number(struct smith *s, int64_t v)
{
    return cc_int(s->p, cc_basic(&s->p->types, CC_INT), v, CC_DECIMAL);
}

bool nest_emit(struct smith *s, struct cc_expr *e)
{
    gtav_full_expression(&s->g);
    gtav_value(&s->g, e);
    if (s->g.bad) {
        s->g.bad = false;
        s->n_rejected++;
        return false;
    }
    cc_append(innermost_block(s), cc_expr_stmt(s->p, e));
    return true;
}

struct ranged nest_between(struct smith *s, int64_t low, int64_t high)
{
    struct cc_expr *x = cc_promote(s->p, percent(s, 70) ? subject(s) : integer(s));
    if (x->type->bits > 64)
        x = cc_cast(s->p, cc_int_type(&s->p->types, may(s, SMITH_INT64) ? 64 : 32, false), x);
    struct ranged r = ranged_of(x);
    int64_t n = high - low + 1;
    if ((n & (n - 1)) == 0)
        r = ranged_with(s, CC_AND, r, n - 1);
    else
        r = ranged_with(s, CC_REM, ranged_unsigned(s, r), n);
    return low ? ranged_with(s, CC_ADD, r, low) : r;
}

struct ranged nest_bounded(struct smith *s, struct nest *n, int64_t low, int64_t high)
{
    const struct cc_type *t = percent(s, 60) ? cc_basic(&s->p->types, CC_INT) : nest_type(s);
    struct cc_var *v = nest_variable(s, n, t, number(s, between(s, low, high)));
    bool simple = s->at.simple;
    s->at.simple = true;
    gtav_full_expression(&s->g);
    struct cc_expr *set = cc_assign(s->p, CC_NONE, cc_use(s->p, v), nest_between(s, low, high).e);
    s->at.simple = simple;
    cc_append(innermost_block(s), cc_expr_stmt(s->p, set));
    return (struct ranged){cc_use(s->p, v), low, high};
}

static void seal(struct smith *s, const struct cc_stmt *block)
{
    s->g.blocks.at[gtav_home(block)].sealed = true;
}

struct cc_stmt *nest_open(struct smith *s)
{
    struct cc_stmt *block = cc_block(s->p);
    open_block(s, block);
    seal(s, block);
    return block;
}

void nest_leave(struct smith *s, struct nest *n)
{
    if (!n->out) {
        n->out = cc_label(s->p, arena_printf(s->arena, "lbl_%u", ++s->n_labels));
        struct gtav_label *label = gtav_new_label(&s->g);
        label->in = state_take(&s->g.f);
        label->depth = n->out_depth;
        n->out->facts = label;
        s->g.blocks.at[gtav_home(s->at.scopes.at[n->scope].block)].has_labels = true;
    }
    struct cc_stmt *jump = cc_goto(s->p, n->out);
    gtav_stmt(&s->g, jump);
    cc_append(innermost_block(s), jump);
}

/* -- where a loop begins and ends ------------------------------------------------------------- */

/* What may become negative is not compared as unsigned. */
static struct ranged as_int(struct smith *s, struct ranged r)
{
    return cc_promoted(&s->p->types, r.e->type, -1)->is_signed
               ? r
               : ranged_cast(s, cc_basic(&s->p->types, CC_INT), r);
}

/* Somewhere between 0 and length, as a value before the nest; .e is NULL: a constant will do. */
static struct ranged draw_bound(struct smith *s, struct nest *n, int64_t length)
{
    static const int64_t widths[] = {2, 4, 8, 16};
    int64_t width = percent(s, 70) ? widths[pick(s, 4)] : length + 1;
    if (width > length)
        width = length;
    if (length < 2 || !percent(s, 45))
        return (struct ranged){NULL, length, length};
    return nest_bounded(s, n, length - width + 1, length);
}

/* The variable of a loop around, or what is left of it: triangles. .e is NULL: it does not fit. */
static struct ranged triangle(struct smith *s, const struct nest *n, int64_t length)
{
    struct ranged i = nest_iv(s, n, (int)pick(s, (size_t)n->at));
    struct ranged r = percent(s, 60) ? ranged_with(s, CC_ADD, i, between(s, 0, 2))
                                     : ranged_op(s, CC_SUB, ranged_number(s, length), i);
    return ranged_in(r, 0, length) ? r : (struct ranged){0};
}

static struct ranged draw_high(struct smith *s, struct nest *n)
{
    int64_t length = n->lengths[n->at];
    struct ranged r = {0};
    if (n->at && percent(s, 18))
        r = triangle(s, n, length);
    if (!r.e && n->bounds[n->at].e) { /* a value is used once */
        r = n->bounds[n->at];
        n->bounds[n->at].e = NULL;
    }
    if (!r.e && n->at && percent(s, 15))
        r = draw_bound(s, n, length);
    return r.e ? r : ranged_number(s, length);
}

static struct ranged draw_low(struct smith *s, struct nest *n, const struct ranged *high)
{
    int64_t most = (int64_t)high->low / 3;
    if (n->at && percent(s, 10)) {
        struct ranged i = nest_iv(s, n, n->at - 1);
        if (ranged_in(i, 0, n->lengths[n->at] - 1))
            return i;
    }
    return ranged_number(s, percent(s, 70) ? 0 : between(s, 0, most < 4 ? most : 4));
}

static struct ranged draw_step(struct smith *s, struct nest *n)
{
    if (percent(s, 12))
        return nest_bounded(s, n, 1, percent(s, 50) ? 2 : LARGEST_STEP);
    return ranged_number(s, percent(s, 75) ? 1 : between(s, 1, LARGEST_STEP));
}

static enum form draw_form(struct smith *s)
{
    unsigned w[N_FORMS];
    memcpy(w, form_weights, sizeof w);
    if (!may(s, SMITH_WHILE))
        w[WHILE_UP] = w[WHILE_DOWN] = 0;
    if (!may(s, SMITH_DO))
        w[DO_UP] = w[DO_DOWN] = 0;
    return (enum form)choose_weighted(s->c, w, N_FORMS);
}

/* Most are int; one in which all values fit, and the one behind the last. */
static const struct cc_type *draw_type(struct smith *s, enum form form, cc_wide most)
{
    for (int i = 0; i < 4 && !percent(s, 55); i++) {
        const struct cc_type *t = nest_type(s);
        bool passes_zero = form == DOWN;
        if ((t->is_signed || !passes_zero) && (cc_wide)cc_int_max(t) >= most)
            return t;
    }
    return cc_basic(&s->p->types, CC_INT);
}

static void draw_second(struct smith *s, struct nest *n, struct head *h)
{
    static const int64_t steps[] = {1, 2, 3, -1, -2, 4};
    if ((h->form != UP && h->form != DOWN) || !may(s, SMITH_COMMA) ||
        !may(s, SMITH_EMBEDDED_ASSIGNS) || !percent(s, 25))
        return;
    const struct cc_type *t = cc_basic(&s->p->types, CC_INT);
    int64_t far;
    h->step2 = steps[pick(s, 6)];
    far = (h->trips - 1) * (h->step2 < 0 ? -h->step2 : h->step2);
    h->values.second = nest_variable(s, n, t, number(s, 0));
    h->values.low2 = between(s, 0, 3);
    h->values.high2 = h->values.low2 + far;
}

static void draw_head(struct smith *s, struct nest *n, struct head *h)
{
    *h = (struct head){.form = draw_form(s), .high = draw_high(s, n)};
    bool far = h->form == GEOMETRIC;
    bool ends_at_zero = h->form == POST || h->form == WHILE_DOWN;
    h->low = far || ends_at_zero ? ranged_number(s, far) : draw_low(s, n, &h->high);
    if (h->form == DOWN || h->form == WHILE_UP) {
        h->low = as_int(s, h->low);
        h->high = as_int(s, h->high);
    }
    h->step = h->form == UP || h->form == DOWN ? draw_step(s, n) : ranged_number(s, 1);
    int64_t last = (int64_t)h->high.high - 1, first = (int64_t)h->low.low;
    if (last < h->low.high) /* do loops run once in any case, the others for nothing */
        last = (int64_t)h->low.high;
    cc_wide beyond = (cc_wide)(last + 1) * (far ? 2 : 1) + LARGEST_STEP;
    h->var = nest_variable(s, n, draw_type(s, h->form, beyond), number(s, 0));
    h->values = (struct nest_loop){.var = h->var, .low = first, .high = last};
    h->trips = (last - first) / (int64_t)h->step.low + 1;
    if (far)
        h->trips = 8;
    draw_second(s, n, h);
}

/* -- its parts -------------------------------------------------------------------------------- */

static struct cc_expr *set_var(struct smith *s, const struct head *h, struct cc_expr *value)
{
    return cc_assign(s->p, CC_NONE, cc_use(s->p, h->var), value);
}

static struct cc_expr *with_second(struct smith *s, const struct head *h, struct cc_expr *e,
                                   bool first)
{
    struct cc_var *v = h->values.second;
    if (!v)
        return e;
    bool up = h->step2 > 0;
    int64_t from = up ? h->values.low2 : h->values.high2;
    struct cc_expr *by = number(s, up ? h->step2 : -h->step2);
    struct cc_expr *other = first ? cc_assign(s->p, CC_NONE, cc_use(s->p, v), number(s, from))
                                  : cc_assign(s->p, up ? CC_ADD : CC_SUB, cc_use(s->p, v), by);
    return cc_comma(s->p, e, other);
}

static struct cc_expr *stepped(struct smith *s, enum cc_op op, bool postfix, struct cc_var *v)
{
    return cc_incdec(s->p, op, postfix, cc_use(s->p, v));
}

static struct cc_expr *step_of(struct smith *s, const struct head *h)
{
    struct cc_expr *v = cc_use(s->p, h->var);
    enum cc_op op = h->form == DOWN ? CC_SUB : CC_ADD;
    if (h->form == GEOMETRIC && may(s, SMITH_SHIFTS) && percent(s, 30))
        return cc_assign(s->p, CC_SHL, v, number(s, 1));
    if (h->form == GEOMETRIC && may(s, SMITH_MULTIPLICATION) && percent(s, 50))
        return cc_assign(s->p, CC_MUL, v, number(s, 2));
    if (h->form == GEOMETRIC)
        return cc_assign(s->p, CC_ADD, v, cc_use(s->p, h->var));
    bool one = h->step.low == 1 && h->step.high == 1;
    if (one && percent(s, 70))
        return stepped(s, op, percent(s, 60), h->var);
    return cc_assign(s->p, op, v, h->step.e);
}

/* Of for loops that go up. != only where the value is met for certain. */
static struct cc_expr *until(struct smith *s, const struct head *h)
{
    struct cc_expr *v = cc_use(s->p, h->var);
    const struct cc_type *t = cc_promoted(&s->p->types, h->var->type, -1);
    bool met = h->form == UP && h->step.high == 1 && h->low.high <= h->high.low;
    if (met && percent(s, 20))
        return cc_binary(s->p, CC_NE, v, h->high.e);
    if ((t->is_signed || h->high.low > 0) && percent(s, 20))
        return cc_binary(s->p, CC_LE, v, ranged_with(s, CC_SUB, as_int(s, h->high), 1).e);
    return percent(s, 85) ? cc_binary(s->p, CC_LT, v, h->high.e)
                          : cc_binary(s->p, CC_GT, h->high.e, v);
}

static struct cc_stmt *for_of(struct smith *s, const struct head *h, struct cc_stmt *body)
{
    struct cc_expr *first, *test, *step = NULL;
    if (h->form == DOWN) {
        first = set_var(s, h, ranged_with(s, CC_SUB, h->high, 1).e);
        test = cc_binary(s->p, CC_GE, cc_use(s->p, h->var), h->low.e);
        step = step_of(s, h);
    } else if (h->form == POST) {
        first = set_var(s, h, h->high.e);
        test = cc_binary(s->p, CC_GT, stepped(s, CC_SUB, true, h->var), number(s, 0));
    } else {
        first = set_var(s, h, h->low.e);
        test = until(s, h);
        step = step_of(s, h);
    }
    if (step)
        step = with_second(s, h, step, false);
    return cc_for(s->p, with_second(s, h, first, true), test, step, body);
}

/* A while or do loop; `first` gets what stands before it. */
static struct cc_stmt *while_of(struct smith *s, const struct head *h, struct cc_stmt *body,
                                struct cc_expr **first)
{
    bool up = h->form == WHILE_UP || h->form == DO_UP;
    bool is_do = h->form == DO_UP || h->form == DO_DOWN;
    struct cc_stmt *l = cc_stmt(s->p, is_do ? CC_S_DO : CC_S_WHILE);
    struct ranged from = up ? h->low : h->high;
    if (h->form == WHILE_UP)
        from = ranged_with(s, CC_SUB, from, 1);
    else if (h->form == DO_DOWN) /* runs once in any case: from the last value */
        from = ranged_number(s, h->values.high);
    *first = set_var(s, h, from.e);
    l->expr = cc_binary(s->p, up ? CC_LT : CC_GT, stepped(s, up ? CC_ADD : CC_SUB, !up, h->var),
                        up                      ? h->high.e
                        : h->form == WHILE_DOWN ? number(s, 0)
                                                : h->low.e);
    l->a = body;
    return l;
}

static void push_iv(struct smith *s, struct cc_var *v, int64_t low, int64_t high)
{
    vec_push(&s->at.ivs, (struct smith_iv){v, low, high});
}

/* -- the loops -------------------------------------------------------------------------------- */

static void fill(struct smith *s, struct nest *n);

static struct cc_stmt *body_of(struct smith *s, struct nest *n, const struct head *h)
{
    size_t ivs = s->at.ivs.n;
    int switches = s->at.switch_depth, branches = n->branches;
    int64_t times = s->at.times, trips = n->trips;
    spend(s, 8);
    s->at.times *= h->trips;
    s->at.loop_depth++;
    s->at.switch_depth = 0;
    n->trips *= h->trips;
    n->branches = 0;
    gtav_enter_loop(&s->g, false);
    if (h->values.second)
        push_iv(s, h->values.second, h->values.low2, h->values.high2);
    push_iv(s, h->var, h->values.low, h->values.high);
    struct cc_stmt *body = nest_open(s);
    n->loops[n->at++] = h->values;
    fill(s, n);
    n->at--;
    spend(s, 4);
    close_block(s);
    s->at.ivs.n = ivs;
    gtav_leave_loop(&s->g);
    s->at.loop_depth--;
    s->at.switch_depth = switches;
    s->at.times = times;
    n->trips = trips;
    n->branches = branches;
    return body;
}

/* A loop and all inside, appended to the innermost block. */
static void one_loop(struct smith *s, struct nest *n)
{
    struct head h;
    draw_head(s, n, &h);
    struct state before = state_keep(&s->g.f, &s->g.now);
    struct cc_stmt *body = body_of(s, n, &h), *l;
    struct cc_expr *first = NULL;
    if (h.form == UP || h.form == DOWN || h.form == POST || h.form == GEOMETRIC)
        l = for_of(s, &h, body);
    else
        l = while_of(s, &h, body, &first);
    if (settled(s, l, &before)) {
        if (first)
            cc_append(innermost_block(s), cc_expr_stmt(s->p, first));
        cc_append(innermost_block(s), l);
    } else {
        state_copy(&s->g.f, &s->g.now, &before);
    }
    state_give(&s->g.f, &before);
}

static void fill(struct smith *s, struct nest *n)
{
    if (n->at == n->depth) {
        for (int i = (int)between(s, 1, 3); i > 0 && s->g.now.live; i--)
            kernel(s, n);
        return;
    }
    if (percent(s, 20))
        kernel(s, n);
    if (s->g.now.live)
        one_loop(s, n);
    if (s->g.now.live && percent(s, 12)) /* to be fused with it, or not */
        one_loop(s, n);
    if (s->g.now.live && percent(s, 25))
        kernel(s, n);
}

/* How deep, and how long: what the room allows. */
void nest_plan(struct smith *s, struct nest *n, int64_t room)
{
    static const unsigned depths[MOST_NEST] = {36, 27, 16, 10, 7, 4};
    static const int64_t least[MOST_NEST] = {6, 3, 2, 2, 2, 2};
    static const int64_t longest[MOST_NEST] = {64, 20, 10, 6, 4, 3};
    int64_t most = s->k.limit[SMITH_LOOP_ARRAY_LENGTH], all;
    n->depth = 1 + (int)choose_weighted(s->c, depths, MOST_NEST);
    if (n->depth > s->k.limit[SMITH_LOOP_DEPTH])
        n->depth = (int)s->k.limit[SMITH_LOOP_DEPTH];
    int at = n->depth - 1;
    for (int i = 0; i < n->depth; i++) {
        int64_t length = between(s, least[at], longest[at]);
        n->lengths[i] = length < most ? length : most;
    }
    for (;;) {
        int longest_at = 0;
        all = 1;
        for (int i = 0; i < n->depth; i++) {
            all *= n->lengths[i];
            longest_at = n->lengths[i] > n->lengths[longest_at] ? i : longest_at;
        }
        if (all * NODES_EACH <= room)
            break;
        if (n->lengths[longest_at] > 3)
            n->lengths[longest_at] = n->lengths[longest_at] * 2 / 3;
        else if (n->depth > 1)
            n->depth--;
        else
            break;
    }
}

struct cc_stmt *nest_block(struct smith *s, struct nest *n)
{
    bool aiming = s->aiming;
    struct cc_stmt *block = nest_open(s);
    n->scope = s->at.scopes.n - 1;
    n->out_depth = s->g.open.n;
    for (int i = 0; i < n->depth; i++)
        if (!n->bounds[i].e)
            n->bounds[i] = draw_bound(s, n, n->lengths[i]);
    s->aiming = true;
    one_loop(s, n);
    s->aiming = aiming;
    if (n->out) {
        gtav_stmt(&s->g, n->out);
        cc_append(block, n->out);
    }
    kernel_results(s, n);
    close_block(s);
    return block;
}

struct cc_stmt *nest_stmt(struct smith *s)
{
    int64_t room = s->at.room / s->at.times / 2;
    if (room < LEAST_ROOM)
        return assign_stmt(s);
    struct cc_stmt *call = !s->at.simple && wants(s, SMITH_ARRAY_PARAMS) ? outlined_nest(s) : NULL;
    if (call)
        return call;
    struct nest n = {.type = nest_type(s), .trips = 1};
    nest_plan(s, &n, room);
    return nest_block(s, &n);
}
