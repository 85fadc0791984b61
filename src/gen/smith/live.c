/* What is computed is used: at the end of each block, its locals that nobody has read are read.
 *
 * Their values go into a sum, a local variable of the function, and the sum into what the function
 * returns, or into a global variable: a wrong value changes the checksum. An optimiser sees through
 * a local sum and has to keep what goes into it; without it, it may drop a store together with the
 * bug that it has just made in it. The sum is touched by these statements alone, so that it is in
 * no conflict with anything. */
#include "cc/walk.h"
#include "gen/smith/smith_internal.h"

static struct cc_var *sum_of(struct smith *s)
{
    if (s->at.sum)
        return s->at.sum;
    bool wide = may(s, SMITH_INT64) && percent(s, 50);
    const struct cc_type *t = cc_int_type(&s->p->types, wide ? 64 : 32, false);
    struct smith_scope *body = &s->at.scopes.at[0];
    struct cc_var *v =
        cc_local(s->p, new_name(s, 'l'), t, cc_int(s->p, t, between(s, 0, 9), CC_DECIMAL));
    gtav_add_var(&s->g, v, gtav_home(body->block));
    declare(s, body, v);
    body->vars.n--; /* found by nobody else */
    spend(s, 3);
    return s->at.sum = v;
}

/* sum op= value. In a type that is wider than the sum's only ^ is used: it cannot overflow. */
static struct cc_stmt *add_to(struct smith *s, struct cc_var *sum, struct cc_expr *value)
{
    static const enum cc_op ops[] = {CC_XOR, CC_ADD, CC_SUB};
    bool narrow = value->type->bits <= sum->type->bits;
    spend(s, 4);
    if (narrow && may(s, SMITH_MULTIPLICATION) && percent(s, 25)) {
        struct cc_expr *e = cc_binary(s->p, CC_MUL, cc_use(s->p, sum), small_constant(s, 3, 41));
        e = cc_binary(s->p, percent(s, 50) ? CC_ADD : CC_XOR, e, value);
        return cc_expr_stmt(s->p, cc_assign(s->p, CC_NONE, cc_use(s->p, sum), e));
    }
    enum cc_op op = may(s, SMITH_COMPOUND_ASSIGNS) ? ops[narrow ? pick(s, 3) : 0] : CC_NONE;
    if (op == CC_NONE)
        value = cc_binary(s->p, CC_XOR, cc_use(s->p, sum), value);
    return cc_expr_stmt(s->p, cc_assign(s->p, op, cc_use(s->p, sum), value));
}

struct cc_stmt *use_value(struct smith *s, struct cc_expr *value)
{
    return add_to(s, sum_of(s), value);
}

/* -- locals ----------------------------------------------------------------------------------- */

/* Nobody read it since it was stored to last. */
static bool is_unread(const struct smith *s, const struct cc_var *v)
{
    uint32_t read = 0, written = 0;
    for (uint32_t l = v->mark; l < s->g.f.locs.at[v->mark].end; l++) {
        read = s->g.last_read.at[l] > read ? s->g.last_read.at[l] : read;
        written = s->g.last_write.at[l] > written ? s->g.last_write.at[l] : written;
    }
    return read <= written;
}

static const struct cc_type *element(const struct cc_type *t)
{
    while (t->kind == CC_ARRAY)
        t = t->to;
    return t;
}

static struct cc_expr *above(struct smith *s, struct cc_expr *e) /* of a float */
{
    const struct cc_type *t = e->type->plain;
    return cc_binary(s->p, CC_GT, e, cc_float(s->p, t, (double)between(s, -2, 9), CC_DECIMAL));
}

/* An integer that depends on the variable; NULL: nothing of it may be read here. */
static struct cc_expr *value_in(struct smith *s, struct cc_var *v)
{
    if (cc_is_float(element(v->type))) {
        struct cc_expr *e = readable_in(s, v, WANT_FLOAT);
        return e ? above(s, e) : NULL;
    }
    struct cc_expr *e = readable_in(s, v, WANT_INT);
    if (!e &&
        v->type->kind == CC_POINTER) { /* of what it points to none may be read: null, or not? */
        e = cc_use(s->p, v);
        gtav_value(&s->g, e);
        bool bad = s->g.bad;
        s->g.bad = false;
        return bad ? NULL : cc_binary(s->p, CC_EQ, e, cc_null(s->p, v->type->plain));
    }
    if (e && e->type->kind == CC_ENUM) /* int or unsigned, that is open */
        e = cc_cast(s->p, cc_basic(&s->p->types, CC_INT), e);
    return e ? cc_promote(s->p, e) : NULL;
}

/* Behind which no statement is reached; the counter of a while loop stands before it. */
static size_t before_last(const struct cc_stmt *block)
{
    size_t last = block->list.n - 1;
    uint8_t kind = block->list.at[last]->kind;
    return (kind == CC_S_WHILE || kind == CC_S_DO) && last ? last - 1 : last;
}

static bool is_plain(const struct cc_var *v)
{
    return cc_is_integer(v->type) && !v->type->quals && v->type->kind != CC_ENUM;
}

static void use_local(struct smith *s, const struct smith_scope *scope, struct cc_var *v)
{
    struct cc_stmt *block = scope->block;
    if (s->g.now.live) {
        gtav_full_expression(&s->g);
        struct cc_expr *e = value_in(s, v);
        if (e)
            cc_append(block, use_value(s, e));
    } else if ((is_plain(v) || cc_is_float(v->type)) && v->init &&
               before_last(block) >= scope->n_decls) {
        struct cc_expr *e = cc_use(s->p, v);
        struct cc_stmt *st = use_value(s, is_plain(v) ? cc_promote(s->p, e) : above(s, e));
        cc_insert(block, before_last(block), st);
        s->g.last_read.at[v->mark] = s->g.clock++;
    }
}

void use_locals(struct smith *s)
{
    size_t at = s->at.scopes.n - 1;
    if (wants(s, SMITH_DEAD))
        return;
    for (size_t i = 0; i < s->at.scopes.at[at].vars.n; i++) {
        struct cc_var *v = s->at.scopes.at[at].vars.at[i];
        bool pointer_to_function = v->type->kind == CC_POINTER && v->type->to->kind == CC_FUNCTION;
        if (!pointer_to_function && !v->type->has_volatile && is_unread(s, v))
            use_local(s, &s->at.scopes.at[at], v);
    }
}

/* -- at the end of a function ----------------------------------------------------------------- */

struct cc_expr *with_sum(struct smith *s, struct cc_expr *value)
{
    bool integer = cc_is_integer(value->type) && value->type->kind != CC_ENUM;
    if (!s->at.sum || !integer || s->p->entry == s->at.func->f)
        return value;
    spend(s, 2);
    return cc_binary(s->p, CC_XOR, value, cc_use(s->p, s->at.sum));
}

void end_of_function(struct smith *s)
{
    const struct cc_func *f = s->at.func->f;
    for (int i = 0; i < f->n_params && s->g.now.live && !wants(s, SMITH_DEAD); i++)
        if (is_unread(s, f->params[i]) && !f->params[i]->type->has_volatile) {
            gtav_full_expression(&s->g);
            struct cc_expr *e = value_in(s, f->params[i]);
            if (e)
                cc_append(f->body, use_value(s, e));
        }
    use_locals(s);
    bool returned = cc_is_integer(f->type->to) && f->type->to->kind != CC_ENUM;
    if (!s->at.sum || (returned && s->p->entry != f) || !s->g.now.live)
        return;
    struct cc_var *g = new_variable(s, s->at.sum->type, true);
    gtav_full_expression(&s->g);
    cc_append(f->body, add_to(s, g, cc_use(s->p, s->at.sum)));
}

/* -- in the end ------------------------------------------------------------------------------- */

/* What attempts declared that were dropped later is in nobody's way, and of no use. */

struct mentions {
    uint32_t *n; /* by variable */
};

static bool mention_in_expr(const struct cc_expr *e, void *to)
{
    if (e->kind == CC_E_VAR)
        ((struct mentions *)to)->n[e->var->id]++;
    return false;
}

static bool mention_in_stmt(const struct cc_stmt *st, void *to)
{
    if (st->kind == CC_S_EMPTY && st->var) /* a note about it */
        ((struct mentions *)to)->n[st->var->id]++;
    return false;
}

static void drop_unmentioned(struct cc_stmt *st, const struct mentions *m)
{
    if (!st)
        return;
    size_t n = 0;
    for (size_t i = 0; st->kind == CC_S_BLOCK && i < st->list.n; i++) {
        struct cc_stmt *part = st->list.at[i];
        if (part->kind == CC_S_DECL && !m->n[part->var->id])
            continue;
        drop_unmentioned(part, m);
        st->list.at[n++] = part;
    }
    if (st->kind == CC_S_BLOCK)
        st->list.n = n;
    drop_unmentioned(st->a, m);
    drop_unmentioned(st->b, m);
}

void drop_unused(struct smith *s)
{
    struct mentions m = {arena_array(s->arena, uint32_t, s->p->n_vars)};
    struct cc_walk w = {mention_in_stmt, mention_in_expr, &m};
    if (wants(s, SMITH_DEAD))
        return;
    for (size_t i = 0; i < s->p->funcs.n; i++)
        cc_walk_stmt(s->p->funcs.at[i]->body, &w);
    for (size_t i = 0; i < s->p->funcs.n; i++)
        drop_unmentioned(s->p->funcs.at[i]->body, &m);
}
