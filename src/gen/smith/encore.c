/* Functions in which much did not run are called again, at the end of the first one.
 *
 * A function that is called once goes one way at each of its conditions, and has its switches hit
 * one case. So the program is run while it is being made, when its first function is complete but
 * for the return: what still has not run is called in loops, with arguments that differ from one
 * iteration to the next, and the run that finds the answer steers those calls to where nothing was
 * (steer.c). The loops are validated as any other statement. */
#include "gen/smith/smith_internal.h"
#include "interp/interp.h"

enum { ROUNDS = 3, LEAST_DEAD = 2, DEAD_PERCENT = 12, TOKENS_EACH = 250, TRIES = 3 };

struct again { /* what all the loops share; NULL until there is one */
    struct cc_var *counter, *sum;
};

/* How the program goes so far. False: it does not, which the run for the answer will tell. */
static bool rehearse(struct smith *s)
{
    struct interp_options o = smith_interp_options(s);
    steer(s, &o);
    struct interp *in = interp_new(s->p, &o);
    bool good = interp_call(in, s->p->entry) == CC_UB_NONE;
    interp_free(in);
    return good;
}

/* What the calls return goes into a variable of its own: nothing that is called writes it. */
static struct cc_stmt *use_result(struct smith *s, struct cc_expr *call, struct cc_var *sum)
{
    static const enum cc_op ops[] = {CC_XOR, CC_ADD, CC_SUB};
    if (!cc_is_integer(call->type) || call->type->bits > 64)
        return cc_expr_stmt(s->p, call);
    /* of a wider type only ^ : the others might overflow there */
    enum cc_op op = ops[call->type->bits > sum->type->bits ? 0 : pick(s, 3)];
    return cc_expr_stmt(s->p, cc_assign(s->p, op, cc_use(s->p, sum), call));
}

static struct cc_stmt *loop_of_calls(struct smith *s, struct smith_func *fn,
                                     const struct again *with, int64_t n)
{
    const struct cc_type *t = cc_basic(&s->p->types, CC_INT);
    struct cc_var *v = with->counter;
    struct cc_stmt *body = cc_block(s->p);
    int64_t times = s->at.times, first = between(s, -1, 3);
    uint32_t set;
    s->at.times *= n;
    s->at.loop_depth++;
    s->at.varied = true;
    gtav_enter_loop(&s->g, false);
    vec_push(&s->at.ivs, (struct smith_iv){v, first, first + n - 1});
    gtav_lock(&s->g, v->mark, 1);
    open_block(s, body);
    struct cc_expr *e = call_existing(s, fn, &set);
    if (e)
        cc_append(body, use_result(s, e, with->sum));
    close_block(s);
    gtav_lock(&s->g, v->mark, -1);
    s->at.ivs.n--;
    gtav_leave_loop(&s->g);
    s->at.varied = false;
    s->at.loop_depth--;
    s->at.times = times;
    struct cc_stmt *loop =
        cc_for(s->p, cc_assign(s->p, CC_NONE, cc_use(s->p, v), cc_int(s->p, t, first, CC_DECIMAL)),
               cc_binary(s->p, CC_LT, cc_use(s->p, v), cc_int(s->p, t, first + n, CC_DECIMAL)),
               cc_incdec(s->p, CC_ADD, percent(s, 50), cc_use(s->p, v)), body);
    loop->facts = (void *)(uintptr_t)v->mark;
    return e ? loop : NULL;
}

/* Each loop has as much room as the whole program: the worst case of a function is far from what it
 * takes, which the rehearsals tell. */
static bool call_again(struct smith *s, struct smith_func *fn, const struct again *with)
{
    s->at.room = s->k.limit[SMITH_STEPS];
    int64_t most = s->at.room / fn->cost, n = between(s, 3, 9);
    n = n < most ? n : most;
    if (n < 1)
        return true;
    struct state before = state_keep(&s->g.f, &s->g.now);
    struct cc_stmt *loop = loop_of_calls(s, fn, with, n);
    /* made with optimism, as all loops are */
    bool good = loop && gtav_try(&s->g, loop, &before);
    if (good)
        cc_append(s->p->entry->body, loop);
    else
        state_copy(&s->g.f, &s->g.now, &before);
    state_give(&s->g.f, &before);
    return good;
}

static void prepare(struct smith *s, struct again *with)
{
    const struct cc_type *t = cc_basic(&s->p->types, CC_INT);
    const struct cc_type *u = cc_int_type(&s->p->types, may(s, SMITH_INT64) ? 64 : 32, false);
    if (with->sum)
        return;
    with->sum = new_variable(s, u, true);
    with->counter = new_local_plain(s, t, cc_int(s->p, t, 0, CC_DECIMAL));
}

void encore(struct smith *s)
{
    int64_t left = s->size / TOKENS_EACH, room = s->at.room;
    struct again with = {0};
    if (s->k.feature[SMITH_DEAD] >= 1 || may(s, SMITH_INVALID_POINTERS) || !may(s, SMITH_CALLS) ||
        !may(s, SMITH_LOOPS) || !s->g.now.live)
        return;
    for (int round = 0; round < ROUNDS && rehearse(s); round++)
        for (size_t i = s->funcs.n; i-- > 1 && left > 0;) {
            struct smith_func *fn = s->funcs.at[i];
            int64_t all, dead = not_run(fn->f->body, &all);
            if (!fn->complete || dead < LEAST_DEAD || dead * 100 < all * DEAD_PERCENT)
                continue;
            prepare(s, &with);
            for (int n = 0; n < TRIES && !call_again(s, fn, &with); n++)
                ;
            left--;
        }
    s->at.room = room;
}
