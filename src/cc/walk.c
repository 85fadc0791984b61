#include "cc/walk.h"

static bool see_expr(const struct cc_expr *e, const struct cc_walk *w)
{
    return e && w->expr && w->expr(e, w->to);
}

static bool see_stmt(const struct cc_stmt *s, const struct cc_walk *w)
{
    return s && w->stmt && w->stmt(s, w->to);
}

enum shape { LEAF, OPERANDS, ARGUMENTS, STATEMENTS }; /* what an expression is made of */

static enum shape shape_of(const struct cc_expr *e)
{
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_INT:
    case CC_E_FLOAT:
    case CC_E_NULL:
    case CC_E_VAR:
    case CC_E_FUNC:
    case CC_E_SIZEOF:
    case CC_E_STRING:
    case CC_E_LABEL:
    case CC_E_UNSUPPORTED:
        return LEAF;
    case CC_E_STMTS:
        return STATEMENTS;
    case CC_E_CALL:
    case CC_E_BUILTIN:
    case CC_E_LITERAL:
    case CC_E_LIST:
        return ARGUMENTS;
    default:
        return OPERANDS;
    }
}

struct cc_expr **cc_operand(struct cc_expr *e, uint32_t i)
{
    struct cc_expr **parts[] = {&e->a, &e->b, &e->c};
    enum shape shape = shape_of(e);
    if (shape == OPERANDS)
        return i < 3 && *parts[i] ? parts[i] : NULL;
    if (e->kind == CC_E_CALL && i-- == 0)
        return &e->callee;
    return shape == ARGUMENTS && i < e->n_args ? &e->args[i] : NULL;
}

bool cc_expr_parts(const struct cc_expr *e, const struct cc_walk *w)
{
    enum shape shape = shape_of(e);
    if (shape == OPERANDS)
        return see_expr(e->a, w) || see_expr(e->b, w) || see_expr(e->c, w);
    if (shape == STATEMENTS)
        return see_stmt(e->block, w);
    if (e->kind == CC_E_CALL && see_expr(e->callee, w))
        return true;
    for (uint32_t i = 0; shape == ARGUMENTS && i < e->n_args; i++)
        if (see_expr(e->args[i], w))
            return true;
    return false;
}

bool cc_stmt_parts(const struct cc_stmt *s, const struct cc_walk *w)
{
    if (s->kind == CC_S_DECL && see_expr(s->var->init, w))
        return true;
    if (see_expr(s->init, w) || see_expr(s->expr, w) || see_expr(s->step, w))
        return true;
    for (size_t i = 0; i < s->list.n; i++)
        if (see_stmt(s->list.at[i], w))
            return true;
    return see_stmt(s->a, w) || see_stmt(s->b, w);
}

static bool deeper_stmt(const struct cc_stmt *s, void *to)
{
    return cc_walk_stmt(s, to);
}

static bool deeper_expr(const struct cc_expr *e, void *to)
{
    return cc_walk_expr(e, to);
}

bool cc_walk_expr(const struct cc_expr *e, const struct cc_walk *w)
{
    const struct cc_walk deeper = {deeper_stmt, deeper_expr, (void *)w};
    return e && (see_expr(e, w) || cc_expr_parts(e, &deeper));
}

bool cc_walk_stmt(const struct cc_stmt *s, const struct cc_walk *w)
{
    const struct cc_walk deeper = {deeper_stmt, deeper_expr, (void *)w};
    return s && (see_stmt(s, w) || cc_stmt_parts(s, &deeper));
}
