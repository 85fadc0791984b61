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
