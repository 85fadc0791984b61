/* Recursion: a function that calls itself, or one that calls it.
 *
 * The call is put into the complete body, under the condition that the first parameter is above 0.
 * Nothing else may write that parameter, and each call passes one less: it ends. The call is one of
 * three that compilers treat differently: its value is stored, or returned as it is, which is a
 * jump in the end (tail call), or returned with something added, which makes a loop with an
 * accumulator. Other arguments are handed on, or changed on the way.
 *
 * For mutual recursion there is a partner between the function and itself, with the same
 * parameters: it stops by itself now and then, or calls back. */
#include "base/error.h"
#include "gen/smith/smith_internal.h"

enum { MOST_DEPTH = 3, PARTNER_COST = 40 };

bool changes_no_fact(const struct gtav_summary *sum)
{
    for (uint32_t i = 0; i < sum->n_slots; i++)
        if (sum->in[i] != sum->out[i])
            return false;
    return true;
}

static struct cc_expr *number(struct smith *s, int64_t v)
{
    return cc_int(s->p, cc_basic(&s->p->types, CC_INT), v, CC_DECIMAL);
}

/* `a op constant`, defined for all values of a. */
static struct cc_expr *changed(struct smith *s, struct cc_expr *a)
{
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_XOR, CC_MUL};
    enum cc_op op = ops[pick(s, may(s, SMITH_MULTIPLICATION) ? 4 : 3)];
    struct cc_expr *e = cc_binary(s->p, op, a, small_constant(s, 1, 9));
    cc_make_safe(e);
    return e;
}

/* A call of `to` with the parameters of `from`, the first one less by `step`. */
static struct cc_expr *pass_on(struct smith *s, const struct cc_func *from, struct cc_func *to,
                               int64_t step)
{
    struct cc_expr *args[32];
    for (int i = 0; i < from->n_params; i++) {
        const struct cc_type *t = from->params[i]->type;
        args[i] = cc_use(s->p, from->params[i]);
        if (i && cc_is_integer(t) && t->kind != CC_ENUM && percent(s, 40))
            args[i] = changed(s, args[i]);
    }
    if (step)
        args[0] = cc_binary(s->p, CC_SUB, args[0], number(s, step));
    return cc_call(s->p, cc_func_use(s->p, to), args, from->n_params);
}

static struct cc_stmt *block_in(struct smith *s, struct cc_func *f)
{
    struct cc_stmt *block = cc_block(s->p);
    block->facts = (void *)(uintptr_t)gtav_new_home(&s->g, f);
    return block;
}

/* A global integer to store to; NULL: there is none. */
static struct cc_var *target(struct smith *s)
{
    for (int i = 0; i < 8 && s->globals.n; i++) {
        struct cc_var *v = s->globals.at[pick(s, s->globals.n)];
        if (cc_is_integer(v->type) && !v->type->quals && v->type->kind != CC_ENUM)
            return v;
    }
    return NULL;
}

/* What is done with the value of the call. */
static struct cc_stmt *use_of(struct smith *s, struct cc_func *f, struct cc_expr *call)
{
    struct cc_var *to = target(s);
    uint32_t form = wants(s, SMITH_TAIL_CALLS) || !to ? 1 + pick(s, 2) : 0;
    if (form == 0)
        return cc_expr_stmt(s->p, cc_assign(s->p, CC_NONE, cc_use(s->p, to), call));
    if (form == 1)
        return cc_return(s->p, f, call);
    struct cc_var *v = f->params[pick(s, (size_t)f->n_params)];
    bool usable = cc_is_integer(v->type) && v->type->kind != CC_ENUM && !v->type->has_volatile;
    static const enum cc_op ops[] = {CC_ADD, CC_XOR, CC_OR, CC_SUB};
    struct cc_expr *e =
        cc_binary(s->p, ops[pick(s, 4)], call, usable ? cc_use(s->p, v) : small_constant(s, 1, 9));
    cc_make_safe(e);
    return cc_return(s->p, f, e);
}

/* -- mutual recursion ------------------------------------------------------------------------- */

/* A function that calls `fn`; to be called when it has been walked. */
static struct smith_func *make_partner(struct smith *s, struct smith_func *fn)
{
    struct cc_func *f = fn->f;
    struct cc_var *params[32];
    for (int i = 0; i < f->n_params; i++)
        params[i] = cc_param(s->p, new_name(s, 'p'), f->params[i]->type);
    struct smith_func *partner = new_function(s, f->type->to, params, f->n_params);
    struct cc_func *g = partner->f;
    g->attributes &= ~CC_ATTR_ALWAYS_INLINE;
    struct cc_stmt *body = g->body = block_in(s, g);
    for (int i = 0; i < g->n_params; i++)
        gtav_add_var(&s->g, params[i], gtav_home(body));
    gtav_lock(&s->g, params[0]->mark, 1);
    struct cc_var *v = params[pick(s, (size_t)g->n_params)];
    if (v != params[0] && cc_is_integer(v->type) && v->type->kind != CC_ENUM) {
        struct cc_stmt *then = block_in(s, g);
        cc_append(then, cc_return(s->p, g, small_constant(s, 0, 20)));
        enum cc_op op = (enum cc_op)(CC_LT + (int)pick(s, 6));
        struct cc_expr *c = cc_binary(s->p, op, cc_use(s->p, v), small_constant(s, -3, 30));
        cc_append(body, cc_if(s->p, c, then, NULL));
    }
    cc_append(body, cc_return(s->p, g, pass_on(s, g, f, (int64_t)pick(s, 2))));
    partner->depth_param = 0;
    partner->recursive = true;
    partner->in = state_keep(&s->g.f, &fn->in);
    return partner;
}

static void drop_partner(struct smith *s, struct smith_func *partner)
{
    if (!partner)
        return;
    state_give(&s->g.f, &partner->in);
    gtav_forget(&s->g, partner->f);
    s->funcs.n--;
    s->p->funcs.n--;
}

/* -- the call --------------------------------------------------------------------------------- */

void add_recursion(struct smith *s, struct smith_func *fn)
{
    struct cc_func *f = fn->f;
    if (fn->depth_param < 0 || !changes_no_fact(gtav_latest(&s->g, f)) ||
        fn->cost * (MOST_DEPTH + 1) > s->k.limit[SMITH_STEPS] / 4)
        return;
    bool room = s->funcs.n + s->n_planned < (size_t)s->k.limit[SMITH_MAX_FUNCS];
    struct smith_func *partner =
        room && wants(s, SMITH_MUTUAL_RECURSION) ? make_partner(s, fn) : NULL;
    struct cc_expr *e = pass_on(s, f, partner ? partner->f : f, 1);
    struct cc_stmt *then = block_in(s, f);
    cc_append(then, use_of(s, f, e));
    struct cc_expr *more = cc_binary(s->p, CC_GT, cc_use(s->p, f->params[0]), number(s, 0));
    struct cc_stmt *st = cc_if(s->p, more, then, NULL);
    size_t first = n_decls(f->body);
    cc_insert(f->body, before_counter(f->body, first + pick(s, f->body->list.n - first)), st);
    if (!still_valid(s, fn) || !changes_no_fact(gtav_latest(&s->g, f))) {
        remove_stmt(f->body, st);
        drop_partner(s, partner);
        REQUIRE(still_valid(s, fn));
        return;
    }
    fn->recursive = true;
    fn->partner = partner;
    fn->cost = fn->cost * (MOST_DEPTH + 1) + 50 + (partner ? MOST_DEPTH * PARTNER_COST : 0);
    f->attributes &= ~CC_ATTR_ALWAYS_INLINE; /* which is an error in what calls itself */
    if (partner) {
        partner->cost = fn->cost + PARTNER_COST;
        partner->complete = true;
    }
}
