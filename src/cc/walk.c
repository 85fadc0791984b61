#include "cc/walk.h"

static bool see_expr(const struct cc_expr *e, const struct cc_walk *w)
{
    return e && w->expr && w->expr(e, w->to);
}

static bool see_stmt(const struct cc_stmt *s, const struct cc_walk *w)
{
    return s && w->stmt && w->stmt(s, w->to);
}

bool cc_expr_parts(const struct cc_expr *e, const struct cc_walk *w)
{
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_INT:
    case CC_E_FLOAT:
    case CC_E_NULL:
    case CC_E_VAR:
    case CC_E_FUNC:
    case CC_E_SIZEOF:
    case CC_E_STRING:
        return false;
    case CC_E_STMTS:
        return see_stmt(e->block, w);
    case CC_E_CALL:
    case CC_E_BUILTIN:
    case CC_E_LITERAL:
    case CC_E_LIST:
        if (e->kind == CC_E_CALL && see_expr(e->callee, w))
            return true;
        for (uint32_t i = 0; i < e->n_args; i++)
            if (see_expr(e->args[i], w))
                return true;
        return false;
    default:
        return see_expr(e->a, w) || see_expr(e->b, w) || see_expr(e->c, w);
    }
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
