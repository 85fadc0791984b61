/* The function is copied into a program of its own, with a global for each argument and one
 * function that calls it. The values of nodes in it tell what came out. */
#include "gen/graft/run.h"

#include "cc/build.h"
#include "gen/graft/copy.h"
#include "interp/interp.h"

struct graft_runner {
    struct cc_program p;
    struct cc_func *drive;
    struct cc_expr **in;  /* a constant for each value that goes in */
    struct cc_expr **out; /* a node for each that comes out */
    int n_in, n_out;
};

static struct cc_expr *constant(struct cc_program *p, const struct cc_type *t)
{
    return cc_int(p, t, 0, CC_DECIMAL);
}

/* A global that holds the argument, and what is passed. */
static struct cc_expr *make_argument(struct graft_runner *r, const struct graft_param *param,
                                     const struct cc_type *type)
{
    struct cc_program *p = &r->p;
    struct cc_expr **values = arena_array(p->arena, struct cc_expr *, param->length);
    const struct cc_type *scalar = param->array ? type->to->plain : type->plain;
    for (uint32_t i = 0; i < param->length; i++)
        r->in[r->n_in++] = values[i] = constant(p, scalar);
    const struct cc_type *object =
        param->array ? cc_array_of(&p->types, scalar, param->length) : scalar;
    struct cc_expr *init = values[0];
    if (param->array)
        init = cc_list(p, object, values, (int)param->length, -1);
    struct cc_var *v = cc_global(p, arena_printf(p->arena, "in_%d", r->n_in), object, NULL);
    v->storage = CC_STATIC;
    cc_initialise(p, v, init);
    return cc_use(p, v);
}

/* Afterwards: what the arrays hold, each element read once. */
static void read_arrays(struct graft_runner *r, const struct graft_function *f,
                        struct cc_expr **args, struct cc_var *sink)
{
    struct cc_program *p = &r->p;
    const struct cc_type *index = cc_basic(&p->types, CC_INT);
    for (int i = 0; i < f->n_params; i++)
        for (uint32_t k = 0; f->params[i].written && k < f->params[i].length; k++) {
            struct cc_expr *at = cc_int(p, index, k, CC_DECIMAL);
            struct cc_expr *read = cc_index(p, cc_use(p, args[i]->var), at);
            r->out[r->n_out++] = read;
            cc_append(r->drive->body,
                      cc_expr_stmt(p, cc_assign(p, CC_NONE, cc_use(p, sink), read)));
        }
}

static void make_driver(struct graft_runner *r, const struct graft_function *f,
                        struct cc_func *copied)
{
    struct cc_program *p = &r->p;
    const struct cc_type *whole = cc_basic(&p->types, CC_LLONG);
    struct cc_var *sink = cc_global(p, "sink", whole, NULL);
    struct cc_expr **args = arena_array(p->arena, struct cc_expr *, f->n_params + 1);
    for (int i = 0; i < f->n_params; i++)
        args[i] = make_argument(r, &f->params[i], copied->params[i]->type);
    r->drive = cc_function(p, "drive", cc_basic(&p->types, CC_VOID), NULL, 0);
    r->drive->body = cc_block(p);
    struct cc_expr *call = cc_call(p, cc_func_use(p, copied), args, f->n_params), *e = call;
    if (f->returns) {
        r->out[r->n_out++] = call;
        e = cc_assign(p, CC_NONE, cc_use(p, sink), call);
    }
    cc_append(r->drive->body, cc_expr_stmt(p, e));
    read_arrays(r, f, args, sink);
    p->entry = r->drive;
}

struct graft_runner *graft_runner_new(const struct graft_function *f, struct arena *a,
                                      const char **why)
{
    struct graft_runner *r = arena_new(a, struct graft_runner);
    cc_program_init(&r->p, a, &cc_lp64);
    struct copy *c = copy_new(&r->p, "", a);
    struct cc_func *copied = copy_function(c, f->func, why);
    copy_free(c);
    if (!copied) {
        cc_program_release(&r->p);
        return NULL;
    }
    r->in = arena_array(a, struct cc_expr *, graft_inputs(f) + 1);
    r->out = arena_array(a, struct cc_expr *, graft_outputs(f) + 1);
    make_driver(r, f, copied);
    return r;
}

void graft_runner_free(struct graft_runner *r)
{
    if (r)
        cc_program_release(&r->p);
}

enum cc_ub graft_runner_run(struct graft_runner *r, const cc_wide *in, uint64_t max_steps,
                            cc_wide *out, uint64_t *steps, struct strbuf *why)
{
    const struct interp_options o = {.max_steps = max_steps, .values = true};
    for (int i = 0; i < r->n_in; i++)
        r->in[i]->value = in[i];
    struct interp *run = interp_new(&r->p, &o);
    enum cc_ub rule = interp_call(run, r->drive);
    if (rule && why)
        interp_explain(run, why);
    for (int i = 0; i < r->n_out && !rule; i++)
        if (!interp_value_of(run, r->out[i], &out[i]))
            rule = CC_UB_UNDECIDED;
    *steps = interp_steps(run);
    interp_free(run);
    return rule;
}
