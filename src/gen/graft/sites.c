/* Where can a call stand? An expression is a place if its value is an integer that another
 * expression of the same type can replace: not what is stored to, not a bit-field (the type that it
 * is promoted to depends on its width), not a constant that C wants constant. */
#include "gen/graft/graft_internal.h"

#include "cc/walk.h"

struct finder {
    site_list *exprs, *stmts;
    struct cc_func *func;
    struct cc_stmt *stmt;
};

static void visit(struct finder *f, struct cc_expr **slot, bool value);

static bool is_place(const struct cc_expr *e)
{
    return cc_is_integer(e->type) && e->type->bits <= 64 && cc_source_bits(e) < 0 &&
           !(e->type->quals & CC_VOLATILE) && e->kind != CC_E_LIST;
}

static void visit_parts(struct finder *f, struct cc_expr *e)
{
    struct cc_expr **part;
    for (uint32_t i = 0; (part = cc_operand(e, i)); i++)
        visit(f, part, e->kind != CC_E_MEMBER && e->kind != CC_E_COMMA && e->kind != CC_E_ADDR);
}

static void visit_loose(struct finder *f, struct cc_expr **slot)
{
    size_t n = f->exprs->n;
    visit(f, slot, true);
    if (f->exprs->n > n && f->exprs->at[n].slot == slot)
        f->exprs->at[n].loose = true;
}

static void visit(struct finder *f, struct cc_expr **slot, bool value)
{
    struct cc_expr *e = *slot;
    if (!e->ran)
        return;
    if (value && is_place(e))
        vec_push(f->exprs, (struct site){.func = f->func, .stmt = f->stmt, .slot = slot});
    switch (e->kind) {
    case CC_E_SIZEOF_OF:
    case CC_E_STMTS:
        return;
    case CC_E_ASSIGN:
        if (e->op == CC_NONE) /* else the place may be printed twice */
            visit(f, &e->a, false);
        visit_loose(f, &e->b);
        return;
    case CC_E_INCDEC:
        return;
    case CC_E_CALL:
        for (uint32_t i = 0; i < e->n_args; i++)
            visit_loose(f, &e->args[i]);
        return;
    default:
        visit_parts(f, e);
    }
}

static void maybe(struct finder *f, struct cc_expr **slot, bool value)
{
    if (*slot)
        visit(f, slot, value);
}

static void visit_stmt(struct finder *f, struct cc_stmt *s);

static void visit_block(struct finder *f, struct cc_stmt *s)
{
    for (size_t i = 0; i < s->list.n; i++) {
        struct cc_stmt *part = s->list.at[i];
        bool room = part->ran && part->kind != CC_S_CASE && part->kind != CC_S_DEFAULT &&
                    part->kind != CC_S_LABEL && part->kind != CC_S_DECL;
        if (room)
            vec_push(f->stmts, (struct site){.func = f->func, .stmt = part, .block = s});
        visit_stmt(f, part);
    }
}

static void visit_stmt(struct finder *f, struct cc_stmt *s)
{
    if (!s)
        return;
    f->stmt = s;
    if (s->kind == CC_S_BLOCK)
        visit_block(f, s);
    f->stmt = s;
    if (s->kind == CC_S_DECL && s->var->init && s->var->storage == CC_AUTO)
        visit(f, &s->var->init, cc_is_integer(s->var->type));
    maybe(f, &s->init, false);
    maybe(f, &s->expr, s->kind != CC_S_EXPR);
    maybe(f, &s->step, false);
    visit_stmt(f, s->a);
    visit_stmt(f, s->b);
}

void sites_find(const struct cc_program *p, site_list *exprs, site_list *stmts)
{
    for (size_t i = 0; i < p->funcs.n; i++) {
        struct finder f = {exprs, stmts, p->funcs.at[i], NULL};
        if (f.func->body && !f.func->library)
            visit_stmt(&f, f.func->body);
    }
}

/* -- what is visible --------------------------------------------------------------------------- */

/* The locals that are in scope at the statement are left in `out`; without it, none. */
static bool look(const struct cc_stmt *s, const struct cc_stmt *wanted, var_list *out)
{
    if (!s)
        return false;
    if (s == wanted)
        return true;
    size_t scope = out->n;
    if (s->kind == CC_S_DECL)
        vec_push(out, s->var);
    for (size_t i = 0; i < s->list.n; i++)
        if (look(s->list.at[i], wanted, out))
            return true;
    if (look(s->a, wanted, out) || look(s->b, wanted, out))
        return true;
    if (s->kind != CC_S_DECL)
        out->n = scope;
    return false;
}

void sites_visible(const struct cc_program *p, const struct site *s, size_t n, var_list *out)
{
    out->n = 0;
    for (size_t i = 0; i < n; i++)
        vec_push(out, p->globals.at[i]);
    for (int i = 0; i < s->func->n_params; i++)
        vec_push(out, s->func->params[i]);
    look(s->func->body, s->stmt, out);
}

/* -- effects ----------------------------------------------------------------------------------- */

static void refresh_expr(struct cc_expr *e)
{
    struct cc_expr **part;
    if (e->kind == CC_E_SIZEOF_OF)
        return;
    for (uint32_t i = 0; (part = cc_operand(e, i)); i++) {
        refresh_expr(*part);
        if ((*part)->calls) /* other effects are not ours */
            e->calls = e->effects = true;
    }
}

static void refresh_stmt(struct cc_stmt *s)
{
    if (!s)
        return;
    struct cc_expr *const exprs[] = {s->init, s->expr, s->step,
                                     s->kind == CC_S_DECL ? s->var->init : NULL};
    for (size_t i = 0; i < sizeof exprs / sizeof *exprs; i++)
        if (exprs[i])
            refresh_expr(exprs[i]);
    for (size_t i = 0; i < s->list.n; i++)
        refresh_stmt(s->list.at[i]);
    refresh_stmt(s->a);
    refresh_stmt(s->b);
}

void sites_refresh(struct cc_program *p)
{
    for (size_t i = 0; i < p->funcs.n; i++)
        refresh_stmt(p->funcs.at[i]->body);
}
