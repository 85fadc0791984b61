/* restrict (6.7.3.1), for parameters of functions that are simple enough.
 *
 * During a call, what is reached through a restrict parameter and is modified may be reached in no
 * other way. Which accesses are based on which parameter is found here, from the text alone: each
 * local pointer is based on the parameters that it was ever computed from. If every access goes
 * through one parameter, to a variable of the function itself, or to a variable of file scope, then
 * nothing is violated where these are different objects at the call, or not modified. That is what
 * interp looks at (interp_check_restrict). Of everything else (pointers loaded from memory, calls
 * of functions with a body) nothing is known: such a call is undecided. */
#include "cc/import/import_internal.h"

#include "cc/library.h"
#include "cc/walk.h"

enum { OUTSIDE = CC_RESTRICT_STORED_OUTSIDE, UNKNOWN = 1u << 31, MAX_PARAMS = 30 };

struct based { /* a pointer variable of the function, and on what */
    const struct cc_var *var;
    uint32_t on; /* bits: parameters, by number; OUTSIDE: variables of file scope; UNKNOWN */
};

struct reading {
    struct importer *im;
    struct cc_func *f;
    struct cc_restrict *out;
    VEC(struct based) locals;
    bool changed;
};

static uint32_t *of_variable(struct reading *r, const struct cc_var *v)
{
    for (size_t i = 0; i < r->locals.n; i++)
        if (r->locals.at[i].var == v)
            return &r->locals.at[i].on;
    vec_push(&r->locals, (struct based){v, 0});
    for (int i = 0; i < r->f->n_params && i < (int)MAX_PARAMS; i++)
        if (r->f->params[i] == v)
            r->locals.at[r->locals.n - 1].on = 1u << i;
    return &r->locals.at[r->locals.n - 1].on;
}

static uint32_t of_pointer(struct reading *r, const struct cc_expr *e);

/* Which object an lvalue is in. */
static uint32_t of_lvalue(struct reading *r, const struct cc_expr *e)
{
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_VAR:
        if (e->var->storage == CC_AUTO)
            return 0;
        for (int i = 0; i < r->out->n_outside; i++)
            if (r->out->outside[i] == e->var)
                return OUTSIDE;
        if (r->out->n_outside == CC_RESTRICT_OUTSIDE)
            return UNKNOWN;
        r->out->outside[r->out->n_outside++] = e->var;
        return OUTSIDE;
    case CC_E_MEMBER:
        return of_lvalue(r, e->a);
    case CC_E_INDEX:
        return e->a->type->kind == CC_POINTER ? of_pointer(r, e->a) : of_lvalue(r, e->a);
    case CC_E_DEREF:
        return of_pointer(r, e->a);
    case CC_E_LITERAL:
    case CC_E_STRING:
        return 0;
    default:
        return cc_is_composite(e->type) ? 0 : UNKNOWN; /* a value is an object of its own */
    }
}

static bool allocates(const struct cc_expr *call)
{
    const struct cc_func *f = call->callee->kind == CC_E_FUNC ? call->callee->func : NULL;
    return f && (f->library == CC_LIB_MALLOC || f->library == CC_LIB_CALLOC);
}

/* On what the value is based that `e` has, or that an array decays to. */
static uint32_t of_pointer(struct reading *r, const struct cc_expr *e)
{
    if (e->type->kind == CC_ARRAY)
        return of_lvalue(r, e);
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_NULL:
        return 0;
    case CC_E_VAR:
        return e->var->storage == CC_AUTO ? *of_variable(r, e->var) : UNKNOWN;
    case CC_E_ADDR:
        return of_lvalue(r, e->a);
    case CC_E_BINARY:
        return (e->a->type->kind == CC_POINTER || e->a->type->kind == CC_ARRAY
                    ? of_pointer(r, e->a)
                    : of_pointer(r, e->b));
    case CC_E_CAST:
        return e->a->type->kind == CC_POINTER || e->a->type->kind == CC_ARRAY ? of_pointer(r, e->a)
                                                                              : UNKNOWN;
    case CC_E_COND:
        return of_pointer(r, e->b) | of_pointer(r, e->c);
    case CC_E_COMMA:
        return of_pointer(r, e->b);
    case CC_E_ASSIGN:
        return of_pointer(r, e->a) | (e->op == CC_NONE ? of_pointer(r, e->b) : 0);
    case CC_E_INCDEC:
        return of_pointer(r, e->a);
    case CC_E_CALL:
        return allocates(e) ? 0 : UNKNOWN;
    default:
        return UNKNOWN;
    }
}

/* -- what pointers are based on -----------------------------------------------------------------
 */

static void add_base(struct reading *r, const struct cc_var *v, uint32_t on)
{
    uint32_t *has = of_variable(r, v), with = *has | on;
    r->changed |= with != *has;
    *has = with;
}

static bool is_object_pointer(const struct cc_type *t)
{
    return t->kind == CC_POINTER && t->to->kind != CC_FUNCTION;
}

static bool see_base(const struct cc_expr *e, void *to)
{
    struct reading *r = to;
    bool variable =
        e->kind == CC_E_ASSIGN && e->a->kind == CC_E_VAR && e->a->var->storage == CC_AUTO;
    if (variable && is_object_pointer(e->type) && e->op == CC_NONE)
        add_base(r, e->a->var, of_pointer(r, e->b));
    if (e->kind == CC_E_ADDR && e->a->kind == CC_E_VAR && is_object_pointer(e->a->type))
        add_base(r, e->a->var, UNKNOWN); /* somebody else may store to it */
    return false;
}

static bool see_declaration(const struct cc_stmt *s, void *to)
{
    struct reading *r = to;
    if (s->kind == CC_S_DECL && s->var->init && is_object_pointer(s->var->type))
        add_base(r, s->var, s->var->storage == CC_AUTO ? of_pointer(r, s->var->init) : UNKNOWN);
    return false;
}

/* -- accesses -----------------------------------------------------------------------------------
 */

static bool is_one(uint32_t on)
{
    return !(on & (on - 1)) && on != UNKNOWN;
}

static void note_access(struct reading *r, uint32_t on, bool stored)
{
    r->out->unclear |= !is_one(on);
    r->out->used |= on;
    r->out->stored |= stored ? on : 0;
}

/* A function of the library stores through any pointer that it gets, as far as is known here. */
static void note_call(struct reading *r, const struct cc_expr *e)
{
    bool known = e->callee->kind == CC_E_FUNC && e->callee->func->library;
    r->out->unclear |= !known;
    for (uint32_t i = 0; known && i < e->n_args; i++)
        if (e->args[i]->type->kind == CC_ARRAY || e->args[i]->type->kind == CC_POINTER)
            note_access(r, of_pointer(r, e->args[i]), true);
}

static bool see_access(const struct cc_expr *e, void *to)
{
    struct reading *r = to;
    bool stores = e->kind == CC_E_ASSIGN || e->kind == CC_E_INCDEC;
    if (stores)
        note_access(r, of_lvalue(r, e->a), true);
    else if (e->kind == CC_E_VAR || e->kind == CC_E_INDEX || e->kind == CC_E_DEREF)
        note_access(r, of_lvalue(r, e), false);
    else if (e->kind == CC_E_CALL)
        note_call(r, e);
    else if (e->kind == CC_E_BUILTIN || e->kind == CC_E_VA_ARG || e->kind == CC_E_UNSUPPORTED)
        r->out->unclear |= e->kind != CC_E_UNSUPPORTED;
    return false;
}

void import_read_restrict(struct importer *im, struct cc_func *f, uint32_t restricted)
{
    struct reading r = {.im = im, .f = f};
    r.out = arena_new(im->p->arena, struct cc_restrict);
    r.out->params = restricted;
    r.out->unclear = f->n_params > (int)MAX_PARAMS || f->type->variadic;
    const struct cc_walk bases = {see_declaration, see_base, &r};
    do {
        r.changed = false;
        cc_walk_stmt(f->body, &bases);
    } while (r.changed);
    cc_walk_stmt(f->body, &(struct cc_walk){NULL, see_access, &r});
    f->restricts = r.out;
    vec_release(&r.locals);
}

/* -- types --------------------------------------------------------------------------------------
 */

static bool has_restrict(const struct importer *im, uint32_t type, int depth)
{
    const struct parsed_type *t = &im->s->types[type];
    bool leads_on = t->kind == PARSED_T_POINTER || t->kind == PARSED_T_ARRAY ||
                    t->kind == PARSED_T_INCOMPLETE_ARRAY || t->kind == PARSED_T_VLA;
    if (t->quals & PARSED_RESTRICT)
        return true;
    return leads_on && depth < 16 && has_restrict(im, t->to, depth + 1);
}

bool import_is_restrict(struct importer *im, uint32_t node, bool param)
{
    uint32_t type = import_node(im, node)->type;
    const struct parsed_type *t = &im->s->types[type];
    bool top = param && t->kind == PARSED_T_POINTER && (t->quals & PARSED_RESTRICT);
    if (has_restrict(im, top ? t->to : type, 0))
        import_fail(im, node, "restrict");
    return top;
}
