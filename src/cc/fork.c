#include "cc/fork.h"

#include "cc/walk.h"

struct cc_expr *cc_fork(struct cc_program *p, struct cc_expr *undefined, struct cc_expr *valid)
{
    struct cc_expr *which = cc_int(p, cc_basic(&p->types, CC_INT), 0, CC_DECIMAL);
    struct cc_expr *e = cc_cond(p, which, undefined, valid);
    e->fork = true;
    return e;
}

/* All of the program but main, which has neither forks nor marks. */
static void look(const struct cc_program *p, const struct cc_walk *w)
{
    for (size_t i = 0; i < p->globals.n; i++)
        cc_walk_expr(p->globals.at[i]->init, w);
    for (size_t i = 0; i < p->funcs.n; i++)
        cc_walk_stmt(p->funcs.at[i]->body, w);
}

struct going {
    int n;
    bool undefined;
};

/* What says the way is an operand of its own, which nobody else has. */
static bool go(const struct cc_expr *e, void *to)
{
    struct going *g = to;
    if (e->kind == CC_E_COND && e->fork && e->a->kind == CC_E_INT) {
        e->a->value = g->undefined;
        g->n++;
    }
    return false;
}

int cc_forks_go(struct cc_program *p, bool undefined)
{
    struct going g = {0, undefined};
    look(p, &(struct cc_walk){NULL, go, &g});
    return g.n;
}

struct marks {
    const struct cc_expr *last;
    int n;
};

static bool see_mark(const struct cc_expr *e, void *to)
{
    struct marks *m = to;
    if (e->marked) {
        m->n++;
        m->last = e;
    }
    return false;
}

const struct cc_expr *cc_marked(const struct cc_program *p)
{
    struct marks m = {0};
    look(p, &(struct cc_walk){NULL, see_mark, &m});
    return m.n == 1 ? m.last : NULL;
}

static bool is_it(const struct cc_expr *e, void *to)
{
    return e == to;
}

bool cc_is_within(const struct cc_expr *part, const struct cc_expr *whole)
{
    return part && cc_walk_expr(whole, &(struct cc_walk){NULL, is_it, (void *)part});
}

/* A value that says nothing of a comparison's outcome by itself: no extreme of a type. */
static bool is_moderate(const struct cc_expr *e)
{
    enum { MOST = 1000 };
    return e->kind == CC_E_VAR || (e->kind == CC_E_INT && e->value >= -MOST && e->value <= MOST);
}

static const struct cc_expr *under_casts(const struct cc_expr *e, bool implicit)
{
    while (e->kind == CC_E_CAST && (e->implicit || !implicit) && cc_is_integer(e->type) &&
           e->type->kind != CC_BOOL)
        e = e->a;
    return e;
}

static bool is_variable(const struct cc_expr *e, void *to)
{
    (void)to;
    return e->kind == CC_E_VAR || e->kind == CC_E_CALL;
}

/* What is computed of constants alone, a compiler computes, and may warn of. */
static bool has_variable(const struct cc_expr *e)
{
    return cc_walk_expr(e, &(struct cc_walk){NULL, is_variable, NULL});
}

bool cc_is_stored(const struct cc_stmt *s, const struct cc_expr *operation)
{
    if (!operation || !has_variable(operation))
        return false;
    const struct cc_expr *e = s && s->kind == CC_S_EXPR ? s->expr : NULL;
    if (!e || e->kind != CC_E_ASSIGN || e->op != CC_NONE || e->a->kind != CC_E_VAR ||
        !e->a->var->global)
        return false;
    e = under_casts(e->b, false);
    if (e == operation)
        return true;
    bool compares = e->kind == CC_E_BINARY && cc_is_comparison(e->op);
    return compares && ((e->a == operation && is_moderate(under_casts(e->b, true))) ||
                        (e->b == operation && is_moderate(under_casts(e->a, true))));
}
