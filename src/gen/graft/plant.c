#include "gen/graft/graft_internal.h"

#include "cc/walk.h"

static bool percent(struct planter *t, int n)
{
    return choose(t->c, 100) >= (uint64_t)(100 - n); /* 0, the simplest: no */
}

static const struct cc_type *basic(struct planter *t, enum cc_kind kind)
{
    return cc_basic(&t->p->types, kind);
}

void planter_init(struct planter *t, struct cc_program *p, struct choice *c,
                  const struct graft_library *l, struct arena *a)
{
    *t = (struct planter){.p = p, .c = c, .a = a, .library = l};
    sites_find(p, &t->exprs, &t->stmts); /* of the host alone */
    t->n_globals = p->globals.n;
    t->copy = copy_new(p, "graft_", a);
}

void planter_release(struct planter *t)
{
    copy_free(t->copy);
    vec_release(&t->exprs);
    vec_release(&t->stmts);
    vec_release(&t->visible);
    vec_release(&t->grafts);
}

/* -- putting in -------------------------------------------------------------------------------- */

/* s = s * 31 + value, or s ^= value */
static struct cc_expr *add_to_sum(struct planter *t, struct cc_expr *value)
{
    const struct cc_type *type = basic(t, CC_ULLONG);
    struct cc_var *s = args_sum(t);
    struct cc_expr *v = cc_cast(t->p, type, value);
    if (percent(t, 40))
        return cc_assign(t->p, CC_XOR, cc_use(t->p, s), v);
    struct cc_expr *factor = cc_int(t->p, type, 31, CC_DECIMAL);
    struct cc_expr *times = cc_binary(t->p, CC_MUL, cc_use(t->p, s), factor);
    return cc_assign(t->p, CC_NONE, cc_use(t->p, s), cc_binary(t->p, CC_ADD, times, v));
}

/* -- attributes -------------------------------------------------------------------------------- */

struct recursion {
    const struct cc_func *func;
    VEC(const struct cc_func *) seen;
};

static bool leads_back(const struct cc_expr *e, void *to)
{
    struct recursion *r = to;
    if (e->kind != CC_E_FUNC)
        return false;
    if (e->func == r->func)
        return true;
    for (size_t i = 0; i < r->seen.n; i++)
        if (r->seen.at[i] == e->func)
            return false;
    vec_push(&r->seen, e->func);
    return cc_walk_stmt(e->func->body, &(struct cc_walk){.expr = leads_back, .to = r});
}

static bool is_recursive(const struct cc_func *f)
{
    struct recursion r = {.func = f};
    bool found = cc_walk_stmt(f->body, &(struct cc_walk){.expr = leads_back, .to = &r});
    vec_release(&r.seen);
    return found;
}

/* GCC refuses always_inline of what is called through a pointer only if it has to inline there,
 * which it need not. */
static void draw_attributes(struct planter *t, size_t from)
{
    static const int attributes[] = {
        0,           CC_ATTR_INLINE, CC_ATTR_ALWAYS_INLINE, CC_ATTR_NOINLINE, CC_ATTR_FLATTEN,
        CC_ATTR_HOT, CC_ATTR_COLD};
    static const unsigned weights[] = {40, 20, 15, 12, 5, 4, 4};
    for (size_t i = from; i < t->p->funcs.n; i++) {
        struct cc_func *f = t->p->funcs.at[i];
        f->attributes = attributes[choose_weighted(t->c, weights, 7)];
        if (f->attributes == CC_ATTR_ALWAYS_INLINE && is_recursive(f))
            f->attributes = 0;
    }
}

/* -- forms while they are tried ---------------------------------------------------------------- */

static const struct cc_type *unsigned_for(struct planter *t, const struct cc_type *type)
{
    return basic(t, type->bits > 32 ? CC_ULLONG : CC_UINT);
}

static bool is_call(const struct cc_expr *e, void *to)
{
    (void)to;
    return e->kind == CC_E_CALL;
}

/* Can it go without anything else missing? */
static bool may_vanish(const struct cc_expr *e)
{
    return !e->effects && !cc_walk_expr(e, &(struct cc_walk){.expr = is_call});
}

/* The value in the place of another, which the host takes as it comes. */
static struct cc_expr *free_form(struct planter *t, const struct graft *g)
{
    const struct cc_type *type = g->kept->type->plain, *u = unsigned_for(t, type);
    struct cc_expr *value = cc_cast(t->p, u, g->value);
    if (!may_vanish(g->kept) || percent(t, 50))
        value = cc_binary(t->p, percent(t, 50) ? CC_XOR : CC_ADD, cc_cast(t->p, u, g->kept), value);
    return cc_cast(t->p, type, value);
}

static bool is_used(const struct planter *t, const struct site *s)
{
    for (size_t i = 0; i < t->grafts.n; i++)
        if (t->grafts.at[i].slot == s->slot)
            return true;
    return false;
}

/* Not one that the host gave its own variables. */
static uint32_t mark_for(size_t graft)
{
    return (uint32_t)graft + ((uint32_t)1 << 31);
}

static void begin(struct planter *t, size_t graft)
{
    t->mark = mark_for(graft);
    t->sum = NULL;
    for (size_t i = t->n_globals; i < t->p->globals.n; i++)
        if (t->p->globals.at[i]->mark == t->mark && t->p->globals.at[i]->type->kind != CC_ARRAY)
            t->sum = t->p->globals.at[i];
}

/* A conversion that C makes by itself is only made where the value stands now. */
static struct cc_expr *written_out(struct planter *t, struct cc_expr *e)
{
    return e->kind == CC_E_CAST && e->implicit ? cc_cast(t->p, e->type, e->a) : e;
}

static void plant_expr(struct planter *t, const struct site *s)
{
    struct graft g = {.at = s->stmt, .slot = s->slot, .old = *s->slot};
    g.kept = written_out(t, g.old);
    bool taken = false;
    if (is_used(t, s))
        return;
    begin(t, t->grafts.n);
    sites_visible(t->p, s, t->n_globals, &t->visible);
    g.function = args_draw_function(t);
    g.free = s->loose && t->may_change && percent(t, 30);
    struct cc_expr *given = may_vanish(g.kept) && percent(t, 40) ? g.kept : NULL;
    g.value = args_call(t, g.function, NULL, given, &taken, &g.copied);
    *s->slot = g.free ? free_form(t, &g)
                      : cc_cast(t->p, g.kept->type->plain, cc_cond(t->p, g.value, g.kept, g.kept));
    vec_push(&t->grafts, g);
}

static size_t index_of(const struct cc_stmt *block, const struct cc_stmt *s)
{
    size_t i = 0;
    while (i < block->list.n && block->list.at[i] != s)
        i++;
    return i;
}

static void plant_stmt(struct planter *t, const struct site *s)
{
    struct graft g = {.at = s->stmt, .block = s->block};
    bool taken = false;
    begin(t, t->grafts.n);
    sites_visible(t->p, s, t->n_globals, &t->visible);
    g.function = args_draw_function(t);
    g.added = cc_block(t->p);
    g.value = args_call(t, g.function, g.added, NULL, &taken, &g.copied);
    cc_append(g.added, cc_expr_stmt(t->p, add_to_sum(t, g.value)));
    cc_insert(s->block, index_of(s->block, s->stmt), g.added);
    vec_push(&t->grafts, g);
}

void plant(struct planter *t, int n)
{
    size_t hosts = t->p->funcs.n;
    for (int i = 0; i < n; i++)
        if (t->exprs.n && (!t->stmts.n || percent(t, 65)))
            plant_expr(t, &t->exprs.at[choose(t->c, t->exprs.n)]);
        else if (t->stmts.n)
            plant_stmt(t, &t->stmts.at[choose(t->c, t->stmts.n)]);
    draw_attributes(t, hosts);
    sites_refresh(t->p);
}

/* -- forms that stay --------------------------------------------------------------------------- */

static struct cc_expr *wrapped(struct planter *t, const struct cc_type *u, cc_wide v)
{
    return cc_int(t->p, u, cc_wrap(u, v), percent(t, 50) ? CC_HEX : CC_DECIMAL);
}

/* `is` is what the call always gives: an expression that is 0 by it. */
static struct cc_expr *zero_form(struct planter *t, const struct graft *g, const struct cc_type *u,
                                 cc_wide is)
{
    struct cc_expr *value = cc_cast(t->p, u, g->value);
    return cc_binary(t->p, percent(t, 50) ? CC_XOR : CC_SUB, value, wrapped(t, u, is));
}

/* call == is ? value : another */
static struct cc_expr *choice_form(struct planter *t, const struct graft *g, cc_wide is,
                                   struct cc_expr *value)
{
    const struct cc_type *type = g->kept->type->plain;
    const struct cc_type *u = unsigned_for(t, g->value->type);
    struct cc_expr *same = cc_binary(t->p, CC_EQ, cc_cast(t->p, u, g->value), wrapped(t, u, is));
    const struct cc_type *integer = type->kind == CC_ENUM ? basic(t, CC_INT) : type;
    struct cc_expr *other = wrapped(t, integer, (cc_wide)choose_bits(t->c, 16));
    return cc_cast(t->p, type, cc_cond(t->p, same, value, other));
}

/* In the place of a value that is always `was`. */
static struct cc_expr *constant_form(struct planter *t, const struct graft *g, cc_wide is,
                                     cc_wide was)
{
    const struct cc_type *type = g->kept->type->plain, *u = unsigned_for(t, type);
    struct cc_expr *value = cc_cast(t->p, u, g->value);
    switch (choose(t->c, 3)) {
    case 0:
        return cc_cast(t->p, type,
                       cc_binary(t->p, CC_ADD, value, wrapped(t, u, was - cc_wrap(u, is))));
    case 1:
        return cc_cast(t->p, type, cc_binary(t->p, CC_XOR, value, wrapped(t, u, was ^ is)));
    default: {
        const struct cc_type *integer = type->kind == CC_ENUM ? basic(t, CC_INT) : type;
        return choice_form(t, g, is, wrapped(t, integer, was));
    }
    }
}

/* Beside a value that may be anything. */
static struct cc_expr *beside_form(struct planter *t, const struct graft *g, cc_wide is)
{
    const struct cc_type *type = g->kept->type->plain, *u = unsigned_for(t, type);
    struct cc_expr *old = cc_cast(t->p, u, g->kept);
    switch (choose(t->c, 4)) {
    case 0:
        return cc_cast(t->p, type, cc_binary(t->p, CC_ADD, old, zero_form(t, g, u, is)));
    case 1:
        return cc_cast(t->p, type, cc_binary(t->p, CC_XOR, old, zero_form(t, g, u, is)));
    case 2:
        return cc_cast(
            t->p, type,
            cc_binary(t->p, CC_SUB, zero_form(t, g, u, is), cc_unary(t->p, CC_MINUS, old)));
    default:
        return choice_form(t, g, is, g->kept);
    }
}

static void settle(struct planter *t, struct graft *g, const struct interp *in)
{
    cc_wide is, was;
    if (g->dropped || !g->slot || g->free)
        return;
    struct cc_expr *made;
    if (!interp_value_of(in, g->value, &is))
        made = cc_convert(t->p, g->kept->type->plain,
                          cc_comma(t->p, add_to_sum(t, g->value), g->kept));
    else if (may_vanish(g->kept) && interp_value_of(in, g->kept, &was) && percent(t, 70))
        made = constant_form(t, g, is, was);
    else
        made = beside_form(t, g, is);
    *g->slot = made;
}

void plant_settle(struct planter *t, const struct interp *in)
{
    for (size_t i = 0; i < t->grafts.n; i++) {
        begin(t, i);
        settle(t, &t->grafts.at[i], in);
    }
    sites_refresh(t->p);
}

/* -- taking out -------------------------------------------------------------------------------- */

/* Its variables go, too. */
static void take_out(struct planter *t, size_t graft)
{
    struct graft *g = &t->grafts.at[graft];
    g->dropped = true;
    size_t n = t->n_globals;
    for (size_t i = n; i < t->p->globals.n; i++)
        if (t->p->globals.at[i]->mark != mark_for(graft))
            t->p->globals.at[n++] = t->p->globals.at[i];
    t->p->globals.n = n;
    if (g->slot) {
        *g->slot = g->old;
        return;
    }
    size_t at = index_of(g->block, g->added);
    for (size_t i = at + 1; i < g->block->list.n; i++)
        g->block->list.at[i - 1] = g->block->list.at[i];
    g->block->list.n -= at < g->block->list.n;
}

/* The variable that the expression is about; NULL: none, or nobody knows. */
static const struct cc_var *subject_of(const struct cc_expr *e)
{
    while (e && (e->kind == CC_E_INDEX || e->kind == CC_E_MEMBER || e->kind == CC_E_CAST ||
                 e->kind == CC_E_ASSIGN || e->kind == CC_E_INCDEC))
        e = e->a;
    return e && e->kind == CC_E_VAR ? e->var : NULL;
}

static bool is_use(const struct cc_expr *e, void *to)
{
    return e->kind == CC_E_VAR && e->var == to;
}

/* From the surest sign to the weakest. */
enum sign { BROUGHT_ALONG, READ, STANDS_THERE, FREE, N_SIGNS };

static bool points_to(const struct graft *g, size_t i, enum sign sign, const struct interp_ub *ub)
{
    const struct cc_var *v = subject_of(ub->expr);
    switch (sign) {
    case BROUGHT_ALONG:
        return g->copied == ub->func || (v && v->mark == mark_for(i));
    case READ:
        return v && cc_walk_expr(g->value, &(struct cc_walk){.expr = is_use, .to = (void *)v});
    case STANDS_THERE:
        return g->at == ub->stmt;
    case FREE:
        return g->free;
    case N_SIGNS:
        break;
    }
    return false;
}

static size_t count_left(const struct planter *t)
{
    size_t left = 0;
    for (size_t i = 0; i < t->grafts.n; i++)
        left += !t->grafts.at[i].dropped;
    return left;
}

bool plant_drop(struct planter *t, const struct interp_ub *ub)
{
    for (enum sign sign = 0; sign < N_SIGNS; sign++)
        for (size_t i = 0; i < t->grafts.n; i++)
            if (!t->grafts.at[i].dropped && points_to(&t->grafts.at[i], i, sign, ub)) {
                take_out(t, i);
                return count_left(t) > 0;
            }
    /* who it was is not known: the later half */
    size_t half = (count_left(t) + 1) / 2;
    for (size_t i = t->grafts.n; i-- > 0 && half > 0;)
        if (!t->grafts.at[i].dropped) {
            take_out(t, i);
            half--;
        }
    return count_left(t) > 0;
}
