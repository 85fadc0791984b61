/* Nests that are functions of their arrays: what a compiler knows of two pointers is that they may
 * overlap, and of a bound that it is an int.
 *
 * The parameters are const: they point to the begin of an array that is long enough, in each call.
 * So no other code calls such a function. A second call changes the arrays, where that holds for
 * others: two parameters may then be one array. */
#include "gen/smith/nest.h"

enum { LEAST_ROOM = 1200, LEAST_LENGTH = 16, MOST_LENGTH = 64, TRIES = 8 };

/* -- arrays ----------------------------------------------------------------------------------- */

static bool can_be_passed(const struct cc_var *v)
{
    const struct cc_type *t = v->type->kind == CC_ARRAY ? v->type->to : NULL;
    return t && cc_is_integer(t) && !v->type->has_const && !v->type->has_volatile &&
           t->kind != CC_ENUM && t->kind != CC_BOOL && t->kind != CC_CHAR && t->bits <= 64 &&
           v->type->length >= LEAST_LENGTH;
}

static struct cc_var *array_to_pass(struct smith *s, const struct nest *n)
{
    for (int i = 0; i < TRIES && s->globals.n; i++) {
        struct cc_var *v = s->globals.at[pick(s, s->globals.n)];
        bool known = false;
        for (int k = 0; k < n->n_aliases; k++)
            known |= n->aliases[k].array == v;
        if (!known && can_be_passed(v))
            return v;
    }
    int64_t most = s->k.limit[SMITH_LOOP_ARRAY_LENGTH];
    most = most < LEAST_LENGTH ? LEAST_LENGTH : most > MOST_LENGTH ? MOST_LENGTH : most;
    uint32_t length = (uint32_t)between(s, LEAST_LENGTH, most);
    return nest_global(s, cc_array_of(&s->p->types, n->type, length));
}

static struct cc_expr *begin_of(struct smith *s, struct cc_var *a)
{
    spend(s, 2);
    return cc_addr(s->p, cc_index(s->p, cc_use(s->p, a), ranged_number(s, 0).e));
}

/* -- the function ----------------------------------------------------------------------------- */

static void add_alias(struct smith *s, struct nest *n)
{
    struct cc_var *a = array_to_pass(s, n);
    const struct cc_type *t = cc_pointer_to(&s->p->types, a->type->to);
    t = cc_qualified(&s->p->types, t, CC_CONST);
    n->aliases[n->n_aliases].array = a;
    n->aliases[n->n_aliases++].param = cc_param(s->p, new_name(s, 'p'), t);
    n->arrays[n->n_arrays++] = a;
}

static struct smith_func *declare_function(struct smith *s, struct nest *n, struct cc_var *length)
{
    struct cc_var *params[MOST_ALIASES + 1];
    int count = 0;
    for (int i = 0; i < n->n_aliases; i++)
        params[count++] = n->aliases[i].param;
    params[count++] = length;
    const struct cc_type *result = cc_int_type(&s->p->types, 32, percent(s, 50));
    struct smith_func *fn = new_function(s, result, params, count);
    if (may(s, SMITH_ATTRIBUTES) && percent(s, 60))
        fn->f->attributes = CC_ATTR_NOINLINE;
    fn->nest = n;
    struct cc_stmt *body = fn->f->body = cc_block(s->p);
    uint32_t home = gtav_new_home(&s->g, fn->f);
    body->facts = (void *)(uintptr_t)home;
    for (int i = 0; i < count; i++) {
        gtav_add_var(&s->g, params[i], home);
        if (i < n->n_aliases)
            gtav_bind(&s->g, params[i], set_single(&s->g.f, n->aliases[i].array->mark), 0);
    }
    return fn;
}

/* The same with the arrays in another order, or one of them twice; NULL: none fits another's place.
 */
static struct cc_expr *call_again(struct smith *s, const struct nest *n, struct smith_func *fn,
                                  struct ranged length)
{
    struct cc_expr *args[MOST_ALIASES + 1];
    bool other = false;
    for (int i = 0; i < n->n_aliases; i++) {
        struct cc_var *was = n->aliases[i].array,
                      *a = n->aliases[pick(s, (size_t)n->n_aliases)].array;
        bool fits = a->type->to == was->type->to && a->type->length >= was->type->length;
        other |= fits && a != was;
        args[i] = begin_of(s, fits ? a : was);
    }
    args[n->n_aliases] = length.e;
    if (!other || s->at.room / s->at.times < fn->cost)
        return NULL;
    struct cc_expr *e = cc_call(s->p, cc_func_use(s->p, fn->f), args, n->n_aliases + 1);
    struct state before = state_keep(&s->g.f, &s->g.now);
    gtav_full_expression(&s->g);
    gtav_value(&s->g, e);
    if (s->g.bad)
        state_copy(&s->g.f, &s->g.now, &before);
    state_give(&s->g.f, &before);
    if (s->g.bad) {
        s->g.bad = false;
        s->n_rejected++;
        return NULL;
    }
    s->at.room -= fn->cost * s->at.times;
    return e;
}

struct cc_stmt *outlined_nest(struct smith *s)
{
    int64_t room = s->at.room / s->at.times / 3;
    if (s->funcs.n + s->n_planned >= (size_t)s->k.limit[SMITH_MAX_FUNCS] || room < LEAST_ROOM ||
        !may(s, SMITH_CALLS) || !may(s, SMITH_POINTERS) || !may(s, SMITH_CONSTS) ||
        !may(s, SMITH_CONST_POINTERS) || !may(s, SMITH_QUALIFIED_PARAMS) ||
        s->k.limit[SMITH_MAX_PARAMS] < 4)
        return NULL;
    struct nest *n = arena_new(s->arena, struct nest);
    n->type = nest_type(s);
    n->trips = 1;
    nest_plan(s, n, room);
    for (int i = (int)between(s, 1, MOST_ALIASES); i > 0; i--)
        add_alias(s, n);
    int outer = (int)pick(s, (size_t)n->depth);
    int64_t high = n->lengths[outer], low = percent(s, 50) ? 0 : high / 2;
    const struct cc_type *t = cc_qualified(&s->p->types, cc_basic(&s->p->types, CC_INT), CC_CONST);
    struct cc_var *length = cc_param(s->p, new_name(s, 'p'), t);
    n->bounds[outer] = (struct ranged){cc_use(s->p, length), low, high};
    gtav_full_expression(&s->g);
    struct cc_expr *args[MOST_ALIASES + 1];
    for (int i = 0; i < n->n_aliases; i++)
        args[i] = begin_of(s, n->aliases[i].array);
    bool simple = s->at.simple;
    s->at.simple = true;
    args[n->n_aliases] = nest_between(s, low, high).e;
    s->at.simple = simple;
    struct smith_func *fn = declare_function(s, n, length);
    make_body(s, fn, room);
    fn->complete = false; /* for all others */
    fn->n_calls = 2;
    s->at.room -= fn->cost * s->at.times;
    struct cc_expr *e = cc_call(s->p, cc_func_use(s->p, fn->f), args, n->n_aliases + 1);
    struct cc_stmt *st = use_value(s, e);
    cc_append(innermost_block(s), st);
    e = percent(s, 50) ? call_again(s, n, fn, ranged_number(s, between(s, low, high))) : NULL;
    if (e)
        cc_append(innermost_block(s), use_value(s, e));
    return cc_stmt(s->p, CC_S_EMPTY);
}
