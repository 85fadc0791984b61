/* Functions: the test functions that main runs one after the other, and those that they call. A
 * called function is made with the values of its first call, and evaluated again at every other. */
#include "gen/yarp/yarp_internal.h"

/* Put the function being made aside for another one. */
static struct making enter(struct yarp *y)
{
    struct making outer = y->at;
    y->at = (struct making){.first_local = y->locals.n,
                            .first_loop = y->loops.n,
                            .first_kept = y->kept_local.n,
                            .times = 1};
    return outer;
}

static void leave(struct yarp *y, struct making outer)
{
    y->locals.n = y->at.first_local;
    y->kept_local.n = y->at.first_kept;
    y->at = outer;
}

static int draw_depth(struct yarp *y)
{
    static const int depths[] = {3, 4, 5, 6, 8};
    return depths[draw(y, YARP_P_DEPTH) - YARP_DEPTH_3];
}

void yarp_new_test(struct yarp *y, struct cc_func *f, int64_t tokens)
{
    struct making outer = enter(y);
    int64_t rest = y->tokens - tokens;
    y->tokens = tokens;
    y->at.expr_depth = draw_depth(y);
    f->body = cc_block(y->p);
    struct scope s = yarp_open_scope(y);
    while (y->tokens > 0) {
        yarp_statements(y, f->body, 4);
        values_forget(&y->v);
    }
    yarp_use_up(y, f->body, s);
    values_forget(&y->v);
    yarp_close_scope(y, s);
    y->tokens += rest;
    leave(y, outer);
}

static struct cc_expr **make_arguments(struct yarp *y, struct cc_var **params, int n)
{
    struct cc_expr **args = arena_array(y->arena, struct cc_expr *, n + 1);
    bool outer = y->at.in_arguments;
    y->at.in_arguments = true;
    for (int i = 0; i < n; i++)
        args[i] = cc_convert(y->p, params[i]->type->plain, yarp_small_expression(y, 1));
    y->at.in_arguments = outer;
    return args;
}

/* Its body, run as if for the arguments. */
static void make_function(struct yarp *y, struct yarp_func *to, struct cc_expr **args, int n)
{
    struct cc_func *f = to->f;
    size_t mark = values_mark(&y->v);
    for (int i = 0; i < n; i++) {
        int64_t x = values_eval(&y->v, args[i]);
        values_set(&y->v, f->params[i], x);
    }
    struct making outer = enter(y);
    y->at.pure = to->pure;
    y->calls++;
    y->at.expr_depth = 2 + (int)pick(y, 3);
    struct scope s = yarp_open_scope(y);
    for (int i = 0; i < n; i++)
        vec_push(&y->locals, f->params[i]);
    int64_t room = y->room;
    f->body = cc_block(y->p);
    if (to->pure) { /* what nothing reads has to go somewhere */
        const struct cc_type *t = basic(y, percent(y, 50) ? CC_UINT : CC_LLONG);
        y->at.sum = yarp_define(y, f->body, "sum", t, yarp_small_expression(y, 1));
        vec_push(&y->locals, y->at.sum);
    }
    yarp_statements(y, f->body, (int)between(y, 1, 5));
    struct cc_expr *result = yarp_small_expression(y, 2);
    yarp_use_up(y, f->body, s);
    if (to->pure)
        result = cc_binary(y->p, percent(y, 50) ? CC_ADD : CC_XOR, result, cc_use(y->p, y->at.sum));
    cc_append(f->body, cc_return(y->p, f, result));
    values_eval(&y->v, f->body->list.at[f->body->list.n - 1]->expr);
    yarp_close_scope(y, s);
    y->calls--;
    leave(y, outer);
    to->cost = room - y->room + 10;
    values_back(&y->v, mark);
}

static struct cc_expr *new_function(struct yarp *y, bool pure)
{
    int n = (int)between(y, pure ? 1 : 0, 4);
    struct cc_var **params = arena_array(y->arena, struct cc_var *, n + 1);
    for (int i = 0; i < n; i++) {
        params[i] = cc_param(y->p, yarp_name(y, "arg"), yarp_int_type(y));
        values_add(&y->v, params[i]);
    }
    struct cc_expr **args = make_arguments(y, params, n);
    struct yarp_func fn = {.pure = pure};
    const struct cc_type *result = yarp_int_type(y);
    fn.f = cc_function(y->p, yarp_name(y, pure ? "pure" : "func"), result, params, n);
    fn.f->unit = y->p->n_units - 1;
    if (percent(y, 25))
        fn.f->attributes = percent(y, 60) ? CC_ATTR_NOINLINE : CC_ATTR_INLINE;
    make_function(y, &fn, args, n);
    vec_push(&y->funcs, fn);
    y->room -= fn.cost * (y->at.times - 1);
    return cc_call(y->p, cc_func_use(y->p, fn.f), args, n);
}

struct cc_expr *yarp_new_call(struct yarp *y, bool pure)
{
    bool full = (int64_t)y->funcs.n >= y->k->limit[YARP_LIMIT_FUNCTIONS];
    /* while a function is made, it may call older ones; arguments call nothing */
    bool may_be_new = !full && !y->calls && y->room > 4000 * y->at.times;
    if (y->v.off || y->at.in_arguments)
        return NULL;
    if (may_be_new && (!y->funcs.n || percent(y, 35)))
        return new_function(y, pure);
    if (!y->funcs.n)
        return NULL;
    const struct yarp_func *fn = &y->funcs.at[pick(y, y->funcs.n)];
    if ((pure && !fn->pure) || fn->cost * y->at.times > y->room / 4)
        return NULL;
    y->room -= fn->cost * y->at.times;
    struct cc_func *f = fn->f;
    struct cc_expr **args = make_arguments(y, f->params, f->n_params);
    return cc_call(y->p, cc_func_use(y->p, f), args, f->n_params);
}
