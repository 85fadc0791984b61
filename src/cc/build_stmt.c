/* Statements and declarations, one constructor each; expressions are built in build.c. */
#include "cc/build_internal.h"

/* -- statements ------------------------------------------------------------------------------- */

struct cc_stmt *cc_stmt(struct cc_program *p, enum cc_stmt_kind kind)
{
    struct cc_stmt *s = arena_new(p->arena, struct cc_stmt);
    s->kind = (uint8_t)kind;
    s->id = p->n_stmts++;
    if (kind == CC_S_BLOCK)
        vec_push(&p->blocks, s);
    return s;
}

struct cc_stmt *cc_block(struct cc_program *p)
{
    return cc_stmt(p, CC_S_BLOCK);
}

void cc_append(struct cc_stmt *block, struct cc_stmt *s)
{
    REQUIRE(block->kind == CC_S_BLOCK);
    vec_push(&block->list, s);
}

void cc_insert(struct cc_stmt *block, size_t at, struct cc_stmt *s)
{
    REQUIRE(block->kind == CC_S_BLOCK && at <= block->list.n);
    vec_push(&block->list, s);
    struct cc_stmt **list = block->list.at;
    memmove(list + at + 1, list + at, (block->list.n - 1 - at) * sizeof *list);
    list[at] = s;
}

struct cc_stmt *cc_expr_stmt(struct cc_program *p, struct cc_expr *e)
{
    struct cc_stmt *s = cc_stmt(p, CC_S_EXPR);
    s->expr = e;
    return s;
}

struct cc_stmt *cc_decl(struct cc_program *p, struct cc_var *v)
{
    struct cc_stmt *s = cc_stmt(p, CC_S_DECL);
    s->var = v;
    return s;
}

struct cc_stmt *cc_if(struct cc_program *p, struct cc_expr *c, struct cc_stmt *a, struct cc_stmt *b)
{
    FIT(p, cc_is_scalar(build_value_type(p, c)) && a);
    struct cc_stmt *s = cc_stmt(p, CC_S_IF);
    s->expr = c;
    s->a = a;
    s->b = b;
    return s;
}

struct cc_stmt *cc_for(struct cc_program *p, struct cc_expr *init, struct cc_expr *c,
                       struct cc_expr *step, struct cc_stmt *body)
{
    FIT(p, (!c || cc_is_scalar(build_value_type(p, c))) && body);
    struct cc_stmt *s = cc_stmt(p, CC_S_FOR);
    s->init = init;
    s->expr = c;
    s->step = step;
    s->a = body;
    return s;
}

struct cc_stmt *cc_switch(struct cc_program *p, struct cc_expr *value, struct cc_stmt *block)
{
    FIT(p, cc_is_integer(value->type) && block->kind == CC_S_BLOCK);
    struct cc_stmt *s = cc_stmt(p, CC_S_SWITCH);
    s->expr = cc_promote(p, value);
    s->a = block;
    return s;
}

struct cc_stmt *cc_return(struct cc_program *p, struct cc_func *f, struct cc_expr *value)
{
    struct cc_stmt *s = cc_stmt(p, CC_S_RETURN);
    if (value)
        s->expr = build_store(p, f->type->to, value);
    return s;
}

struct cc_stmt *cc_label(struct cc_program *p, const char *name)
{
    struct cc_stmt *s = cc_stmt(p, CC_S_LABEL);
    s->name = arena_strdup(p->arena, name);
    return s;
}

struct cc_stmt *cc_goto(struct cc_program *p, struct cc_stmt *label)
{
    FIT(p, !label || label->kind == CC_S_LABEL);
    struct cc_stmt *s = cc_stmt(p, CC_S_GOTO);
    s->target = label;
    return s;
}

struct cc_stmt *cc_case(struct cc_program *p, cc_wide value)
{
    struct cc_stmt *s = cc_stmt(p, CC_S_CASE);
    s->value = s->high = value;
    return s;
}

/* -- declarations ----------------------------------------------------------------------------- */

static struct cc_var *variable(struct cc_program *p, const char *name, const struct cc_type *type,
                               struct cc_expr *init)
{
    FIT(p, type->size > 0);
    struct cc_var *v = arena_new(p->arena, struct cc_var);
    v->name = arena_strdup(p->arena, name);
    v->type = type;
    v->id = p->n_vars++;
    if (init)
        v->init = build_init(p, type, init);
    return v;
}

void cc_initialise(struct cc_program *p, struct cc_var *v, struct cc_expr *init)
{
    v->init = build_init(p, v->type, init);
}

struct cc_var *cc_global(struct cc_program *p, const char *name, const struct cc_type *type,
                         struct cc_expr *init)
{
    struct cc_var *v = variable(p, name, type, init);
    v->storage = CC_STATIC;
    v->global = true;
    vec_push(&p->globals, v);
    return v;
}

struct cc_var *cc_local(struct cc_program *p, const char *name, const struct cc_type *type,
                        struct cc_expr *init)
{
    return variable(p, name, type, init);
}

struct cc_var *cc_param(struct cc_program *p, const char *name, const struct cc_type *type)
{
    FIT(p, cc_is_scalar(type) || cc_is_composite(type));
    struct cc_var *v = variable(p, name, type, NULL);
    v->param = true;
    return v;
}

struct cc_func *cc_function_of(struct cc_program *p, const char *name, const struct cc_type *type,
                               struct cc_var **params, int n_params)
{
    FIT(p, type->kind == CC_FUNCTION);
    struct cc_func *f = arena_new(p->arena, struct cc_func);
    f->name = arena_strdup(p->arena, name);
    f->params = arena_array(p->arena, struct cc_var *, n_params);
    f->n_params = n_params;
    for (int i = 0; i < n_params; i++)
        f->params[i] = params[i];
    f->type = type;
    f->storage = CC_STATIC;
    f->id = p->n_funcs++;
    vec_push(&p->funcs, f);
    return f;
}

struct cc_func *cc_function(struct cc_program *p, const char *name, const struct cc_type *result,
                            struct cc_var **params, int n_params)
{
    FIT(p, result->kind == CC_VOID || cc_is_scalar(result) || cc_is_composite(result));
    const struct cc_type **types = arena_array(p->arena, const struct cc_type *, n_params);
    for (int i = 0; i < n_params; i++)
        types[i] = params[i]->type;
    const struct cc_type *type = cc_function_type(&p->types, result, types, n_params);
    return cc_function_of(p, name, type, params, n_params);
}
