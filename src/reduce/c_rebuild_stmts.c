/* Statements of the old program in the new one: what is dropped, put in the place of another,
 * unwrapped, and inlined. */
#include "reduce/c_rebuild_internal.h"

static void stmt(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out);

/* The statements of a block, or the one that stands in its place. */
static void contents(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (s->kind != CC_S_BLOCK) {
        stmt(rb, s, out);
        return;
    }
    for (size_t i = 0; i < s->list.n; i++)
        stmt(rb, s->list.at[i], out);
}

void rebuild_scope(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    size_t scope = rb->visible.n;
    contents(rb, s, out);
    while (rb->visible.n > scope)
        rebuild_table_set(rb->a, &rb->vars, rb->visible.at[--rb->visible.n], NULL);
}

static bool stands_alone(const struct cc_stmt *s)
{
    return s->kind == CC_S_EXPR || s->kind == CC_S_RETURN || s->kind == CC_S_BREAK ||
           s->kind == CC_S_CONTINUE || s->kind == CC_S_GOTO || s->kind == CC_S_EMPTY;
}

/* A branch or the body of a loop. */
static struct cc_stmt *body(struct rebuild *rb, const struct cc_stmt *s)
{
    struct cc_stmt *block = cc_block(rb->p);
    if (s && !rebuild_has(rb, s, EDIT_DROP))
        rebuild_scope(rb, s, block);
    if (rb->o->single_bodies && block->list.n == 1 && stands_alone(block->list.at[0]))
        return block->list.at[0];
    return block;
}

static struct cc_expr *maybe(struct rebuild *rb, const struct cc_expr *e)
{
    return e ? rebuild_expr(rb, e) : NULL;
}

static bool is_constant(const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST)
        e = e->a;
    return e->kind == CC_E_INT || e->kind == CC_E_FLOAT || e->kind == CC_E_NULL;
}

static void put_expr(struct rebuild *rb, struct cc_expr *e, struct cc_stmt *out)
{
    if (!is_constant(e))
        cc_append(out, cc_expr_stmt(rb->p, e));
}

static bool call_of_dropped(const struct rebuild *rb, const struct cc_expr *e)
{
    return e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC &&
           rebuild_has(rb, e->callee->func, EDIT_DROP);
}

static struct label *label_of(struct rebuild *rb, const struct cc_stmt *s)
{
    struct label *l = rebuild_table_get(&rb->labels, s);
    if (!l) {
        l = arena_new(rb->a, struct label);
        l->made = cc_label(rb->p, s->name);
        rebuild_table_set(rb->a, &rb->labels, s, l);
    }
    return l;
}

/* Labels that cases are, linked in the order of the text. */
static void link_label(struct rebuild *rb, struct cc_stmt *s)
{
    if (!rb->inner_switch)
        return;
    *rb->next_label = s;
    rb->next_label = &s->labels;
}

static void switch_stmt(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct cc_stmt *made = cc_switch(rb->p, rebuild_expr(rb, s->expr), cc_block(rb->p));
    struct cc_stmt *outer = rb->inner_switch, **next = rb->next_label;
    rb->inner_switch = s->labels ? made : NULL;
    rb->next_label = &made->labels;
    rb->switches++;
    rebuild_scope(rb, s->a, made->a);
    rb->switches--;
    rb->inner_switch = outer;
    rb->next_label = next;
    cc_append(out, made);
}

static void loop(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct cc_stmt *made = cc_stmt(rb->p, (enum cc_stmt_kind)s->kind);
    rb->loops++;
    made->init = maybe(rb, s->init);
    made->expr = maybe(rb, s->expr);
    made->step = maybe(rb, s->step);
    if (s->kind == CC_S_FOR) { /* a constant there is as good as nothing */
        made->init = made->init && is_constant(made->init) ? NULL : made->init;
        made->step = made->step && is_constant(made->step) ? NULL : made->step;
    }
    made->a = body(rb, s->a);
    rb->loops--;
    cc_append(out, made);
}

/* Once round: what comes ahead of a loop, and its body. */
static void unwrap(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (s->init)
        put_expr(rb, rebuild_expr(rb, s->init), out);
    const struct cc_stmt *inner = s->kind == CC_S_BLOCK ? s : s->a;
    int switches = rb->switches;
    struct cc_stmt *outer = rb->inner_switch;
    if (s->kind == CC_S_SWITCH) { /* its labels are labels of nothing now */
        rb->inner_switch = NULL;
        rb->switches = 0;
    }
    if (inner)
        contents(rb, inner, out);
    rb->inner_switch = outer;
    rb->switches = switches;
}

/* An expression as a statement of its own, if it does anything. */
static void put_operand(struct rebuild *rb, const struct cc_expr *e, struct cc_stmt *out)
{
    if (e && e->effects && !call_of_dropped(rb, e))
        put_expr(rb, rebuild_expr(rb, e), out);
}

static void declare(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (rebuild_has(rb, s->var, EDIT_SAME)) { /* each time it is declared, it is set */
        if (s->var->init && s->var->storage == CC_AUTO && s->var->init->kind != CC_E_LIST) {
            struct cc_expr *other = rebuild_other_variable(rb, rebuild_edit(rb, s->var, EDIT_SAME));
            put_expr(rb, cc_assign(rb->p, CC_NONE, other, rebuild_expr(rb, s->var->init)), out);
        }
        return;
    }
    if (rebuild_has(rb, s->var, EDIT_DROP) || rebuild_has(rb, s->var, EDIT_FOLD)) {
        /* what the initialiser does may be wanted all the same */
        if (s->var->init && s->var->init->kind != CC_E_LIST && !rebuild_has(rb, s->var, EDIT_FOLD))
            put_operand(rb, s->var->init, out);
        return;
    }
    struct cc_var *v = rebuild_variable(rb, s->var);
    if (rebuild_has(rb, s->var, EDIT_OUTSIDE)) {
        if (s->var->storage == CC_AUTO && v->init) { /* each time it is declared, it is set */
            if (v->init->kind == CC_E_LIST)
                rebuild_refuse(rb);
            struct cc_expr *init = v->init;
            v->init = NULL;
            cc_append(out, cc_expr_stmt(rb->p, cc_assign(rb->p, CC_NONE, cc_use(rb->p, v), init)));
        }
        v->storage = CC_STATIC;
        v->global = true;
        vec_push(&rb->outside, v);
        return;
    }
    cc_append(out, cc_decl(rb->p, v));
}

static void give_back(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct inlined *in = rb->inlined;
    if (!in) {
        bool nothing = rb->func->type->to->kind == CC_VOID;
        if (nothing)
            put_operand(rb, s->expr, out);
        struct cc_expr *value = nothing ? NULL : maybe(rb, s->expr);
        cc_append(out, cc_return(rb->p, rb->func, value));
        return;
    }
    if (s != in->last)
        rebuild_refuse(rb);
    rb->inlined = in->outer; /* the statement is one of the function around */
    if (in->returns)
        cc_append(out, cc_return(rb->p, rb->func, maybe(rb, s->expr)));
    else if (in->to && s->expr)
        put_expr(rb, cc_assign(rb->p, CC_NONE, in->to, rebuild_expr(rb, s->expr)), out);
    else if (s->expr)
        put_expr(rb, rebuild_expr(rb, s->expr), out);
    rb->inlined = in;
}

/* `f(a);`, `x = f(a);` or `return f(a);` */
static const struct cc_expr *called(const struct cc_stmt *s, const struct cc_expr **to)
{
    const struct cc_expr *e = s->expr;
    *to = NULL;
    while (e && e->kind == CC_E_CAST)
        e = e->a;
    if (e && s->kind == CC_S_EXPR && e->kind == CC_E_ASSIGN && e->op == CC_NONE) {
        *to = e->a;
        e = e->b;
    }
    while (e && e->kind == CC_E_CAST && e->implicit)
        e = e->a;
    return e && e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC && e->callee->func->body
               ? e
               : NULL;
}

static void inline_call(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    const struct cc_expr *to, *e = called(s, &to);
    if (!e || e->n_args != (uint32_t)e->callee->func->n_params || rb->depth >= MOST_INLINING)
        rebuild_refuse(rb);
    const struct cc_func *f = e->callee->func;
    struct cc_stmt *block = cc_block(rb->p);
    struct cc_var **before = arena_array(rb->a, struct cc_var *, f->n_params + 1);
    struct cc_var **made = arena_array(rb->a, struct cc_var *, f->n_params + 1);
    for (int i = 0; i < f->n_params; i++) {
        if (rebuild_has(rb, f->params[i], EDIT_DROP))
            continue;
        made[i] =
            cc_local(rb->p, rebuild_name(rb, f->params[i], f->params[i]->name),
                     rebuild_type(rb, f->params[i]->type)->plain, rebuild_expr(rb, e->args[i]));
        cc_append(block, cc_decl(rb->p, made[i]));
    }
    for (int i = 0; i < f->n_params; i++) {
        before[i] = rebuild_table_get(&rb->vars, f->params[i]);
        rebuild_table_set(rb->a, &rb->vars, f->params[i], made[i]);
    }
    size_t n = f->body->list.n;
    struct inlined in = {.func = f,
                         .last = n ? f->body->list.at[n - 1] : NULL,
                         .to = to ? rebuild_expr(rb, to) : NULL,
                         .returns = s->kind == CC_S_RETURN,
                         .outer = rb->inlined};
    if ((in.to || in.returns) && (!in.last || in.last->kind != CC_S_RETURN))
        rebuild_refuse(rb);
    int loops = rb->loops, switches = rb->switches;
    rb->inlined = &in;
    rb->depth++;
    rb->loops = rb->switches = 0;
    rebuild_scope(rb, f->body, block);
    rb->loops = loops;
    rb->switches = switches;
    rb->depth--;
    rb->inlined = in.outer;
    for (int i = 0; i < f->n_params; i++)
        rebuild_table_set(rb->a, &rb->vars, f->params[i], before[i]);
    cc_append(out, block);
}

static void branch(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (rebuild_has(rb, s, EDIT_ELSE)) {
        if (s->b)
            contents(rb, s->b, out);
        return;
    }
    struct cc_expr *condition = rebuild_expr(rb, s->expr);
    struct cc_stmt *a = body(rb, s->a);
    struct cc_stmt *b = s->b && !rebuild_has(rb, s, EDIT_NO_ELSE) ? body(rb, s->b) : NULL;
    if (b && b->kind == CC_S_BLOCK && b->list.n == 0)
        b = NULL;
    cc_append(out, cc_if(rb->p, condition, a, b));
}

static void split(struct rebuild *rb, const struct cc_expr *e, struct cc_stmt *out)
{
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_UNARY:
    case CC_E_CAST:
    case CC_E_BINARY:
    case CC_E_LOGICAL:
    case CC_E_COND:
    case CC_E_COMMA:
    case CC_E_ASSIGN:
        put_operand(rb, e->a, out);
        put_operand(rb, e->b, out);
        put_operand(rb, e->c, out);
        return;
    case CC_E_CALL:
    case CC_E_BUILTIN:
        for (uint32_t i = 0; i < e->n_args; i++)
            put_operand(rb, e->args[i], out);
        return;
    default:
        rebuild_refuse(rb);
    }
}

static void block(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct cc_stmt *made = cc_block(rb->p);
    rebuild_scope(rb, s, made);
    if (made->list.n)
        cc_append(out, made);
}

static void expression(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (!call_of_dropped(rb, s->expr))
        put_expr(rb, rebuild_expr(rb, s->expr), out);
}

static void case_label(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (!rb->switches)
        return;
    struct cc_stmt *made =
        s->kind == CC_S_CASE ? cc_case(rb->p, s->value) : cc_stmt(rb->p, CC_S_DEFAULT);
    if (s->kind == CC_S_CASE)
        made->high = s->high;
    link_label(rb, made);
    cc_append(out, made);
}

static void leave(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (rb->loops > 0 || (s->kind == CC_S_BREAK && rb->switches > 0))
        cc_append(out, cc_stmt(rb->p, (enum cc_stmt_kind)s->kind));
}

static void jump(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (!s->target)
        rebuild_refuse(rb);
    struct label *l = label_of(rb, s->target);
    l->wanted = true;
    cc_append(out, cc_goto(rb->p, l->made));
}

static void label(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    label_of(rb, s)->placed = true;
    cc_append(out, label_of(rb, s)->made);
}

static void stmt(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    static void (*const by_kind[CC_N_STMT])(struct rebuild * rb, const struct cc_stmt *s,
                                            struct cc_stmt *out) = {
        [CC_S_BLOCK] = block,     [CC_S_EXPR] = expression,
        [CC_S_DECL] = declare,    [CC_S_IF] = branch,
        [CC_S_FOR] = loop,        [CC_S_WHILE] = loop,
        [CC_S_DO] = loop,         [CC_S_SWITCH] = switch_stmt,
        [CC_S_CASE] = case_label, [CC_S_DEFAULT] = case_label,
        [CC_S_BREAK] = leave,     [CC_S_CONTINUE] = leave,
        [CC_S_GOTO] = jump,       [CC_S_LABEL] = label,
        [CC_S_RETURN] = give_back};
    if (rebuild_has(rb, s, EDIT_DROP))
        return;
    if (rebuild_has(rb, s, EDIT_SPLIT)) {
        split(rb, s->expr, out);
        return;
    }
    if (rebuild_has(rb, s, EDIT_CONDITION)) {
        put_operand(rb, s->init, out);
        put_operand(rb, s->expr, out);
        return;
    }
    const struct edit *store = rebuild_edit(rb, s, EDIT_STORE);
    if (store) {
        put_operand(rb, s->init, out);
        put_expr(
            rb,
            cc_assign(rb->p, CC_NONE, rebuild_other_variable(rb, store), rebuild_expr(rb, s->expr)),
            out);
        return;
    }
    if (rebuild_has(rb, s, EDIT_INLINE)) {
        inline_call(rb, s, out);
        return;
    }
    if (rebuild_has(rb, s, EDIT_BODY)) {
        unwrap(rb, s, out);
        return;
    }
    if (by_kind[s->kind]) /* nothing is left of empty statements and comments */
        by_kind[s->kind](rb, s, out);
}
