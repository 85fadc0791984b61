/* Functions: made on demand, when an expression wants a call (dissertation, 3.4 and 4.3.5).
 *
 * Arguments are made before the body, so that the facts about parameters are known to it. The body
 * is made with the caller's running facts as input, and so it is valid for its first call by
 * construction; for each later call the summary is looked up or the body walked again. Every
 * function has a bound on the nodes that one call evaluates, and a caller has room for it or does
 * not call: no program of ours runs away. */
#include "gen/smith/smith_internal.h"
#include "base/error.h"

#include <string.h>

enum { LEAST_ROOM = 400, USUAL_PARAMS = 5, USUAL_PERCENT = 85 };

static bool returns(const struct cc_func *f, const struct cc_type *t)
{
    const struct cc_type *r = f->type->to;
    return t ? r->plain == t->plain : cc_is_integer(r);
}

/* -- arguments -------------------------------------------------------------------------------- */

struct arguments {
    struct cc_expr *exprs[32];
    uint32_t sets[32];         /* of a pointer */
    uint32_t froms[32];        /* of a record: the place it is read from, 0: none */
    struct cc_expr *usual[32]; /* what most calls pass here; NULL: nothing special */
    int n;
};

/* Of the innermost loop's variable, which is small: no overflow. */
static struct cc_expr *varied_value(struct smith *s)
{
    const struct cc_type *t = cc_basic(&s->p->types, CC_INT);
    struct cc_expr *e = cc_use(s->p, s->at.ivs.at[s->at.ivs.n - 1].var);
    gtav_value(&s->g, e);
    struct cc_expr *by = small_constant(s, 1, percent(s, 50) ? 9 : 500);
    switch (pick(s, 5)) {
    case 0:
        return cc_binary(s->p, CC_ADD, e, by);
    case 1:
        return cc_binary(s->p, CC_SUB, by, e);
    case 2:
        return cc_binary(s->p, CC_XOR, e, by);
    case 3:
        return may(s, SMITH_MULTIPLICATION) ? cc_binary(s->p, CC_MUL, e, by) : e;
    default:
        return cc_convert(s->p, t, e);
    }
}

/* What interprocedural constant propagation looks for: a parameter that is the same constant in
 * most calls, or in all. */
static struct cc_expr *usual_constant(struct smith *s, const struct cc_expr *usual)
{
    spend(s, 1);
    return cc_int(s->p, usual->type, usual->value, (enum cc_spelling)usual->spelling);
}

static void argument(struct smith *s, struct arguments *a, const struct cc_type *t, bool depth,
                     uint32_t start)
{
    uint32_t *set = &a->sets[a->n];
    const struct cc_expr *usual = a->usual[a->n];
    *set = 0;
    gtav_push(&s->g, start);
    if (depth)
        a->exprs[a->n++] = small_constant(s, 0, 3);
    else if (usual && percent(s, USUAL_PERCENT))
        a->exprs[a->n++] = usual_constant(s, usual);
    else if (t->kind == CC_POINTER)
        a->exprs[a->n++] = pointer_value(s, t, !s->at.varied && percent(s, 30), set);
    else if (s->at.varied && cc_is_integer(t) && t->kind != CC_ENUM && percent(s, 70))
        a->exprs[a->n++] = varied_value(s);
    else
        a->exprs[a->n++] = value_of(s, t, set);
    a->froms[a->n - 1] = cc_is_record(t) ? gtav_source(&s->g, a->exprs[a->n - 1]) : 0;
    gtav_pop(&s->g);
}

static struct cc_expr *callee_of(struct smith *s, struct cc_func *f)
{
    if (!wants(s, SMITH_FUNCTION_POINTERS) || s->at.scopes.n == 0)
        return cc_func_use(s->p, f);
    const struct cc_type *t = cc_pointer_to(&s->p->types, f->type);
    /* gcc may refuse an indirect call of a function that has to be inlined, and says so */
    f->attributes &= ~CC_ATTR_ALWAYS_INLINE;
    return cc_use(s->p, new_local_plain(s, t, cc_func_use(s->p, f)));
}

/* -- calls of functions that exist (4.3.5.2) -------------------------------------------------- */

struct cc_expr *call_existing(struct smith *s, struct smith_func *callee, uint32_t *set)
{
    struct state before = state_keep(&s->g.f, &s->g.now);
    uint32_t start = gtav_operand(&s->g);
    struct arguments a = {.n = 0};
    memcpy(a.usual, callee->usual, sizeof a.usual);
    for (int i = 0; i < callee->f->n_params; i++)
        argument(s, &a, callee->f->params[i]->type, i == callee->depth_param, start);
    for (int i = 0; i < a.n; i++)
        gtav_bind(&s->g, callee->f->params[i], a.sets[i], a.froms[i]);
    size_t open = s->g.open.n, loops = s->g.loops.n, intervals = s->g.intervals.n;
    *set = gtav_apply(&s->g, callee->f);
    s->g.open.n = open;
    REQUIRE(s->g.loops.n == loops && s->g.intervals.n == intervals);
    bool bad = s->g.bad;
    s->g.bad = false;
    if (bad) { /* the call is discarded, not the callee (4.3.3) */
        s->n_rejected++;
        state_copy(&s->g.f, &s->g.now, &before);
    }
    state_give(&s->g.f, &before);
    if (bad)
        return NULL;
    callee->n_calls++;
    s->at.room -= callee->cost * s->at.times;
    return cc_call(s->p, callee_of(s, callee->f), a.exprs, a.n);
}

/* -- new functions ---------------------------------------------------------------------------- */

static const struct cc_type *draw_param(struct smith *s, bool recursive)
{
    if (!recursive && may(s, SMITH_POINTERS) && percent(s, 25)) {
        for (int i = 0; i < 3; i++) {
            struct cc_var *v = s->globals.n ? s->globals.at[pick(s, s->globals.n)] : NULL;
            if (v && v->type->kind == CC_POINTER && v->type->to->kind != CC_FUNCTION)
                return v->type->plain;
        }
        return cc_pointer_to(&s->p->types, draw_int(s));
    }
    const struct cc_type *record =
        !recursive && wants(s, SMITH_STRUCT_ARGS) ? draw_record(s) : NULL;
    return record ? record : draw_value(s);
}

/* Qualifiers of a parameter are the function's own matter (6.7.6.3p15), and matter inside it. */
static const struct cc_type *qualify_param(struct smith *s, const struct cc_type *t)
{
    if (!wants(s, SMITH_QUALIFIED_PARAMS))
        return t;
    bool is_volatile = may(s, SMITH_VOLATILES) && !cc_is_record(t) && percent(s, 40);
    if (!is_volatile &&
        (!may(s, SMITH_CONSTS) || (t->kind == CC_POINTER && !may(s, SMITH_CONST_POINTERS))))
        return t;
    return cc_qualified(&s->p->types, t, is_volatile ? CC_VOLATILE : CC_CONST);
}

/* Most have few; now and then more than there are registers for, of integers and of floats. */
static int draw_n_params(struct smith *s, bool recursive)
{
    int64_t most = s->k.limit[SMITH_MAX_PARAMS], few = most < USUAL_PARAMS ? most : USUAL_PARAMS;
    if (most == 0)
        return recursive;
    return (int)between(s, recursive, most > few && percent(s, 8) ? most : few);
}

static int draw_attributes(struct smith *s)
{
    static const int all[] = {CC_ATTR_NOINLINE, CC_ATTR_COLD,  CC_ATTR_HOT,
                              CC_ATTR_NOCLONE,  CC_ATTR_NOIPA, CC_ATTR_FLATTEN};
    int attributes = wants(s, SMITH_INLINE) ? CC_ATTR_INLINE : 0;
    if (wants(s, SMITH_ATTRIBUTES))
        attributes |=
            attributes ? (percent(s, 30) ? CC_ATTR_ALWAYS_INLINE : CC_ATTR_HOT) : all[pick(s, 6)];
    return attributes;
}

struct smith_func *new_function(struct smith *s, const struct cc_type *result,
                                struct cc_var **params, int n)
{
    struct smith_func *fn = arena_new(s->arena, struct smith_func);
    const char *name = arena_printf(s->arena, "func_%u", ++s->n_func_names);
    fn->f = cc_function(s->p, name, result, params, n);
    fn->f->attributes = draw_attributes(s);
    fn->f->unit = (int)pick(s, (size_t)s->k.limit[SMITH_UNITS]);
    fn->depth_param = -1;
    vec_push(&s->funcs, fn);
    return fn;
}

/* The whole body, walked as it will be by later calls. It is nearly always valid: what is not was
 * judged while an attempt that was dropped later had left its stamps. Such a statement is removed
 * (3.7, the last exception). */
static void make_valid(struct smith *s, struct smith_func *fn)
{
    struct cc_stmt *body = fn->f->body;
    const struct cc_stmt *watched = s->g.watched;
    s->g.watched = body;
    for (;;) {
        size_t open = s->g.open.n;
        s->g.failed_at = SIZE_MAX;
        if (gtav_function(&s->g, fn->f, &fn->in))
            break;
        s->g.open.n = open;
        s->g.bad = false;
        if (s->g.failed_at >= body->list.n)
            BUG("%s is not valid for its own input: %s", fn->f->name, s->g.why);
        struct cc_stmt *bad = body->list.at[s->g.failed_at];
        s->n_backtracks++;
        const struct cc_type *t = fn->f->type->to;
        if (bad->kind == CC_S_RETURN && cc_is_integer(t))
            bad->expr = cc_convert(s->p, t, small_constant(s, 0, 9));
        else if (bad->kind == CC_S_RETURN)
            bad->expr = t->kind == CC_POINTER
                            ? cc_addr(s->p, cc_use(s->p, new_variable(s, t->to, true)))
                            : cc_use(s->p, new_variable(s, t->plain, true));
        else
            *bad = (struct cc_stmt){.kind = CC_S_EMPTY, .id = bad->id};
    }
    s->g.watched = watched;
}

/* The body, in a place of its own; afterwards its summary (4.3.5.1). */
void make_body(struct smith *s, struct smith_func *fn, int64_t room)
{
    struct smith_place caller = s->at;
    bool aiming = s->aiming;
    s->at = (struct smith_place){.func = fn, .room = room, .times = 1};
    s->aiming = false;
    size_t outer = gtav_enter_call(&s->g);
    fn->in = state_take(&s->g.f);
    function_body(s, fn);
    gtav_leave_call(&s->g, outer);
    fn->cost = room - s->at.room;
    fn->cost = fn->cost < 10 ? 10 : fn->cost;
    vec_release(&s->at.scopes);
    vec_release(&s->at.ivs);
    s->at = caller;
    s->aiming = aiming;
    make_valid(s, fn);
    add_recursion(s, fn);
    add_jumps(s, fn);
    /* the facts after the call: those of the body as it is now, and of what calls it back */
    if (fn->partner) {
        gtav_forget(&s->g, fn->partner->f);
        REQUIRE(still_valid(s, fn));
    }
    if (!gtav_function(&s->g, fn->f, &fn->in))
        BUG("%s is not valid after its jumps: %s", fn->f->name, s->g.why);
    fn->complete = true;
}

static struct cc_expr *call_new(struct smith *s, const struct cc_type *result, uint32_t *set)
{
    bool recursive = cc_is_integer(result) && wants(s, SMITH_RECURSION);
    int n = draw_n_params(s, recursive);
    struct cc_var *params[32];
    struct arguments a = {.n = 0};
    uint32_t start = gtav_operand(&s->g);
    s->n_planned++; /* arguments may make functions too */
    for (int i = 0; i < n && i < 32; i++) {
        bool depth = recursive && i == 0;
        const struct cc_type *t = depth ? cc_basic(&s->p->types, CC_INT) : draw_param(s, recursive);
        if (!depth && cc_is_integer(t) && t->kind != CC_ENUM && t->bits <= 64 &&
            wants(s, SMITH_CONSTANT_ARGS))
            a.usual[i] = literal(s, t);
        argument(s, &a, t, depth, start);
        params[i] = cc_param(s->p, new_name(s, 'p'), depth ? t : qualify_param(s, t));
    }
    s->n_planned--;
    struct smith_func *fn = new_function(s, result, params, n);
    fn->depth_param = recursive ? 0 : -1;
    memcpy(fn->usual, a.usual, sizeof a.usual);
    struct cc_stmt *body = fn->f->body = cc_block(s->p);
    uint32_t home = gtav_new_home(&s->g, fn->f);
    body->facts = (void *)(uintptr_t)home;
    for (int i = 0; i < n; i++) {
        gtav_add_var(&s->g, params[i], home);
        gtav_bind(&s->g, params[i], a.sets[i], a.froms[i]);
    }
    if (recursive)
        gtav_lock(&s->g, params[0]->mark, 1);
    int64_t share = s->at.room / s->at.times * between(s, 15, 45) / 100;
    make_body(s, fn, share);
    *set = gtav_latest(&s->g, fn->f)->result;
    fn->n_calls++;
    s->at.room -= fn->cost * s->at.times;
    return cc_call(s->p, callee_of(s, fn->f), a.exprs, a.n);
}

/* -- tables of functions ---------------------------------------------------------------------- */

enum { LEAST_TOKENS_OF_FAMILY = 3000, FAMILY_ROOM = 1500, MOST_FAMILY_PARAMS = 3 };

/* A function that nobody calls yet: the facts are as before. */
static struct smith_func *make_member(struct smith *s, const struct cc_type *result,
                                      const struct cc_type *const *types, int n)
{
    struct cc_var *params[MOST_FAMILY_PARAMS];
    struct state before = state_keep(&s->g.f, &s->g.now);
    for (int i = 0; i < n; i++)
        params[i] = cc_param(s->p, new_name(s, 'p'), types[i]);
    struct smith_func *fn = new_function(s, result, params, n);
    struct cc_stmt *body = fn->f->body = cc_block(s->p);
    uint32_t home = gtav_new_home(&s->g, fn->f);
    body->facts = (void *)(uintptr_t)home;
    for (int i = 0; i < n; i++)
        gtav_add_var(&s->g, params[i], home);
    fn->f->attributes &= ~CC_ATTR_ALWAYS_INLINE;
    make_body(s, fn, FAMILY_ROOM);
    state_copy(&s->g.f, &s->g.now, &before);
    state_give(&s->g.f, &before);
    return fn;
}

static const struct cc_type *plain_type(struct smith *s)
{
    for (int i = 0; i < 8; i++) {
        const struct cc_type *t = s->ints.at[pick(s, s->ints.n)];
        if (t->kind != CC_ENUM && t->kind != CC_BOOL && t->bits <= 64)
            return t->plain;
    }
    return cc_basic(&s->p->types, CC_INT);
}

static void new_family(struct smith *s)
{
    struct smith_family family = {.n = 0};
    const struct cc_type *types[MOST_FAMILY_PARAMS], *result = plain_type(s);
    int n = (int)between(s, 1, MOST_FAMILY_PARAMS), members = (int)between(s, 2, 4);
    for (int i = 0; i < n; i++)
        types[i] = plain_type(s);
    s->n_planned += 4;
    for (int i = 0; i < members; i++)
        family.members[family.n++] = make_member(s, result, types, n);
    s->n_planned -= 4;
    vec_push(&s->families, family);
}

/* A table in the innermost block, of two to five of them. */
static struct cc_var *new_table(struct smith *s, const struct smith_family *family, int length)
{
    struct cc_expr *parts[8];
    const struct cc_type *t = cc_pointer_to(&s->p->types, family->members[0]->f->type);
    for (int i = 0; i < length; i++)
        parts[i] = cc_func_use(s->p, family->members[pick(s, (size_t)family->n)]->f);
    if (may(s, SMITH_CONSTS) && percent(s, 60))
        t = cc_qualified(&s->p->types, t, CC_CONST);
    t = cc_array_of(&s->p->types, t, (uint32_t)length);
    struct cc_var *v = new_local_plain(s, t, cc_list(s->p, t, parts, length, 0));
    s->at.scopes.at[s->at.scopes.n - 1].vars.n--; /* found by nobody else */
    v->storage = percent(s, 50) ? CC_STATIC : CC_AUTO;
    return v;
}

/* A subscript below n: of what varies. */
static struct cc_expr *choice_below(struct smith *s, int64_t n)
{
    struct cc_expr *e = subject(s);
    const struct cc_type *t = cc_int_type(&s->p->types, 32, false);
    spend(s, 3);
    return cc_binary(s->p, CC_REM, cc_cast(s->p, t, e), cc_int(s->p, t, n, CC_DECIMAL));
}

/* table[x % 3u](...): NULL where that may not be. */
static struct cc_expr *call_table(struct smith *s, int64_t affordable, uint32_t *set)
{
    bool more = s->funcs.n + s->n_planned + 4 < (size_t)s->k.limit[SMITH_MAX_FUNCS] &&
                s->tokens > LEAST_TOKENS_OF_FAMILY && affordable > 2 * FAMILY_ROOM;
    if (more && (!s->families.n || percent(s, 25)))
        new_family(s);
    if (!s->families.n || !s->at.scopes.n)
        return NULL;
    struct smith_family family = s->families.at[pick(s, s->families.n)];
    struct cc_func *fs[8];
    int64_t cost = 0;
    for (int i = 0; i < family.n; i++) {
        fs[i] = family.members[i]->f;
        cost = family.members[i]->cost > cost ? family.members[i]->cost : cost;
    }
    if (cost > affordable)
        return NULL;
    struct state before = state_keep(&s->g.f, &s->g.now);
    uint32_t start = gtav_operand(&s->g);
    struct arguments a = {.n = 0};
    for (int i = 0; i < fs[0]->n_params; i++)
        argument(s, &a, fs[0]->params[i]->type, false, start);
    int length = (int)between(s, 2, 5);
    gtav_push(&s->g, start);
    struct cc_expr *at = choice_below(s, length);
    gtav_pop(&s->g);
    size_t open = s->g.open.n;
    *set = gtav_apply_any(&s->g, fs, (size_t)family.n);
    s->g.open.n = open;
    bool bad = s->g.bad;
    s->g.bad = false;
    if (bad) {
        s->n_rejected++;
        state_copy(&s->g.f, &s->g.now, &before);
    }
    state_give(&s->g.f, &before);
    if (bad)
        return NULL;
    for (int i = 0; i < family.n; i++)
        family.members[i]->n_calls++;
    s->at.room -= cost * s->at.times;
    struct cc_var *table = new_table(s, &family, length);
    return cc_call(s->p, cc_index(s->p, cc_use(s->p, table), at), a.exprs, a.n);
}

/* -- any call --------------------------------------------------------------------------------- */

struct cc_expr *call(struct smith *s, const struct cc_type *t, uint32_t *set)
{
    if (!may(s, SMITH_CALLS) || s->at.simple)
        return NULL;
    int64_t affordable = s->at.room / s->at.times / 2;
    if (!t && may(s, SMITH_FUNCTION_POINTERS) && wants(s, SMITH_FUNCTION_TABLES)) {
        struct cc_expr *e = call_table(s, affordable, set);
        if (e)
            return e;
    }
    bool more = s->funcs.n + s->n_planned < (size_t)s->k.limit[SMITH_MAX_FUNCS] &&
                s->tokens > 400 && affordable > LEAST_ROOM;
    bool prefer_new = s->prefer_new;
    s->prefer_new = false; /* for this call, not for those inside it */
    if (more && (s->funcs.n < 3 || prefer_new || percent(s, 35))) {
        const struct cc_type *result = t;
        if (!t)
            result = draw_int(s);
        if (result->kind == CC_ENUM)
            result = cc_int_type(&s->p->types, 32, true);
        if (!cc_is_record(result) && wants(s, SMITH_CONSTS)) /* says nothing, but is C */
            result = cc_qualified(&s->p->types, result, CC_CONST);
        return call_new(s, result, set);
    }
    for (int i = 0; i < 4 && s->funcs.n; i++) {
        struct smith_func *callee = s->funcs.at[pick(s, s->funcs.n)];
        if (callee->complete && returns(callee->f, t) && callee->cost <= affordable)
            return call_existing(s, callee, set);
    }
    return NULL;
}

struct smith_func *make_entry(struct smith *s)
{
    const struct cc_type *t = s->ints.at[pick(s, s->ints.n)];
    struct smith_func *fn = new_function(s, t, NULL, 0);
    fn->f->attributes = 0;
    fn->f->unit = 0;
    fn->f->body = cc_block(s->p);
    fn->f->body->facts = (void *)(uintptr_t)gtav_new_home(&s->g, fn->f);
    s->p->entry = fn->f;
    make_body(s, fn, s->k.limit[SMITH_STEPS]);
    return fn;
}
