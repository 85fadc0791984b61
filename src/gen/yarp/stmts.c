/* Statements but loops: definitions, assignments, conditionals, switches (YARPGen 3.2). Each is
 * evaluated before the next is made. */
#include "gen/yarp/yarp_internal.h"

/* -- scopes ----------------------------------------------------------------------------------- */

struct scope yarp_open_scope(struct yarp *y)
{
    return (struct scope){y->locals.n, y->kept_local.n};
}

void yarp_close_scope(struct yarp *y, struct scope s)
{
    y->locals.n = s.locals;
    if (y->kept_local.n > s.kept)
        y->kept_local.n = s.kept;
}

/* mixed = mixed op local op local...: of a pure function, into a local of its own. */
void yarp_use_up(struct yarp *y, struct cc_stmt *block, struct scope s)
{
    static const enum cc_op ops[] = {CC_ADD, CC_XOR, CC_SUB, CC_ADD, CC_MUL, CC_OR};
    const var_list *mixed = &y->vars[MIXED][SCALAR];
    struct cc_var *to = y->at.sum;
    for (int tries = 0; !to || (tries < 4 && to->type->kind == CC_BOOL); tries++)
        to = mixed->at[pick(y, mixed->n)];
    struct cc_expr *e = cc_use(y->p, to);
    bool any = false;
    y->at.called = y->at.written = false;
    for (size_t i = s.locals; i < y->locals.n; i++) {
        struct cc_var *v = y->locals.at[i];
        if (v == to || yarp_was_read(y, v))
            continue;
        e = cc_binary(y->p, ops[pick(y, sizeof ops / sizeof *ops)], e, yarp_part_of(y, v));
        any = true;
    }
    if (any)
        yarp_emit(y, block, cc_assign(y->p, CC_NONE, cc_use(y->p, to), e));
}

/* -- simple statements ------------------------------------------------------------------------ */

void yarp_emit(struct yarp *y, struct cc_stmt *block, struct cc_expr *e)
{
    cc_append(block, cc_expr_stmt(y->p, e));
    values_eval(&y->v, e);
    spend(y, 3);
}

struct cc_var *yarp_define(struct yarp *y, struct cc_stmt *block, const char *kind,
                           const struct cc_type *t, struct cc_expr *init)
{
    struct cc_var *v = cc_local(y->p, yarp_name(y, kind), t, init);
    cc_append(block, cc_decl(y->p, v));
    values_add(&y->v, v);
    yarp_note_read(y, v, false);
    spend(y, 4);
    return v;
}

/* x = x op e: written x op= e in the end, where that policy is on. */
static struct cc_expr *update(struct yarp *y, struct cc_expr *to)
{
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_MUL, CC_AND, CC_OR,
                                     CC_XOR, CC_SHL, CC_SHR, CC_DIV, CC_REM};
    enum cc_op op = ops[pick(y, sizeof ops / sizeof *ops)];
    struct cc_expr *old = yarp_copy(y, to);
    struct cc_expr *e = op == CC_ADD && percent(y, 15)
                            ? cc_int(y->p, basic(y, CC_INT), 1, CC_DECIMAL)
                            : yarp_expression(y);
    return cc_binary(y->p, op, old, e);
}

static void make_assignment(struct yarp *y, struct cc_stmt *block)
{
    bool output;
    y->at.called = y->at.written = false;
    struct cc_expr *to = yarp_writable(y, &output);
    if (!to)
        return;
    struct cc_expr *value = !output && !to->effects && takes(y, YARP_COMPOUND) && percent(y, 30)
                                ? update(y, to)
                                : yarp_expression(y);
    yarp_emit(y, block, cc_assign(y->p, CC_NONE, to, value));
}

/* A pointer to a global, or to an element or member of one. */
static bool define_pointer(struct yarp *y, struct cc_stmt *block)
{
    bool output;
    struct cc_expr *to = yarp_writable(y, &output), *whole = to;
    if (!to || output || cc_bitfield_bits(to) >= 0)
        return false;
    while (whole->kind == CC_E_INDEX || whole->kind == CC_E_MEMBER)
        whole = whole->a;
    if (whole->kind != CC_E_VAR || !whole->var->global)
        return false;
    const struct cc_type *t = cc_pointer_to(&y->p->types, to->type);
    vec_push(&y->locals, yarp_define(y, block, "ptr", t, cc_addr(y->p, to)));
    return true;
}

/* A struct that starts as a copy of a global one; without pointers, so that all of it may be
 * written whatever the global's role. */
static bool define_struct(struct yarp *y, struct cc_stmt *block)
{
    const var_list *all = &y->vars[percent(y, 50) ? INPUT : MIXED][STRUCT];
    if (!all->n)
        return false;
    struct cc_var *from = all->at[pick(y, all->n)];
    if (yarp_has_pointer(from->type))
        return false;
    struct cc_expr *init = cc_use(y->p, from);
    vec_push(&y->locals, yarp_define(y, block, "var", from->type->plain, init));
    return true;
}

static bool define_array(struct yarp *y, struct cc_stmt *block)
{
    uint32_t length = yarp_length(y);
    if (length > 16)
        return false;
    const struct cc_type *t = cc_array_of(&y->p->types, yarp_int_type(y), length);
    struct cc_expr **list = arena_array(y->arena, struct cc_expr *, length);
    for (uint32_t i = 0; i < length; i++)
        list[i] = yarp_constant(y, t->to);
    struct cc_expr *init = cc_list(y->p, t, list, (int)length, 0);
    struct cc_var *v = yarp_define(y, block, "arr", t, init);
    v->container = yarp_container(y);
    vec_push(&y->locals, v);
    spend(y, (int)length);
    return true;
}

static void make_definition(struct yarp *y, struct cc_stmt *block)
{
    if (has(y, YARP_POINTERS) && !y->at.pure && percent(y, 8) && define_pointer(y, block))
        return;
    if (has(y, YARP_STRUCTS) && percent(y, 12) && define_struct(y, block))
        return;
    if (has(y, YARP_ARRAYS) && percent(y, 3) && define_array(y, block))
        return;
    const struct cc_type *t = yarp_int_type(y);
    struct cc_expr *init = yarp_expression(y);
    if (percent(y, 10))
        t = cc_qualified(&y->p->types, t, CC_CONST);
    struct cc_var *v = yarp_define(y, block, "var", t, init);
    vec_push(&y->locals, v);
}

static void make_float_assignment(struct yarp *y, struct cc_stmt *block)
{
    const struct cc_type *t;
    struct cc_expr *to = yarp_float_place(y, true, &t);
    if (to)
        yarp_emit(y, block, cc_assign(y->p, CC_NONE, to, yarp_float_expression(y, 2, t)));
}

static void make_vector_assignment(struct yarp *y, struct cc_stmt *block)
{
    const var_list *all = &y->vars[percent(y, 50) ? OUTPUT : MIXED][VECTOR];
    struct cc_expr *to = cc_use(y->p, all->at[pick(y, all->n)]);
    yarp_emit(y, block, cc_assign(y->p, CC_NONE, to, yarp_vector_expression(y, 3)));
}

/* A whole struct at once. Those with pointers in them stay what they are: what an output points to
 * may be written. */
static bool make_struct_copy(struct yarp *y, struct cc_stmt *block)
{
    struct cc_var *a = percent(y, 50) ? yarp_local(y, STRUCT) : NULL;
    struct cc_var *b = percent(y, 50) ? yarp_local(y, STRUCT) : NULL;
    const var_list *to = &y->vars[percent(y, 50) ? OUTPUT : MIXED][STRUCT];
    const var_list *from = &y->vars[percent(y, 50) ? INPUT : MIXED][STRUCT];
    if (!a && to->n && !y->at.pure)
        a = to->at[pick(y, to->n)];
    if (!b && from->n)
        b = from->at[pick(y, from->n)];
    if (!a || !b || a == b || a->type->plain != b->type->plain || yarp_has_pointer(a->type))
        return false;
    yarp_emit(y, block, cc_assign(y->p, CC_NONE, cc_use(y->p, a), cc_use(y->p, b)));
    return true;
}

/* -- conditionals ----------------------------------------------------------------------------- */

int yarp_block_length(struct yarp *y)
{
    switch (draw(y, YARP_P_BLOCK)) {
    case YARP_BLOCK_SHORT:
        return (int)between(y, 1, 3);
    case YARP_BLOCK_MIDDLE:
        return (int)between(y, 4, 7);
    default:
        return (int)between(y, 8, 15);
    }
}

struct cc_stmt *yarp_branch(struct yarp *y, bool taken)
{
    struct cc_stmt *block = cc_block(y->p);
    struct scope s = yarp_open_scope(y);
    size_t mark = values_mark(&y->v);
    bool off = y->v.off;
    y->v.off |= !taken && has(y, YARP_DEAD_UB);
    y->at.depth++;
    yarp_statements(y, block, yarp_block_length(y));
    yarp_use_up(y, block, s);
    y->at.depth--;
    y->v.off = off;
    if (!taken) /* it was only as if */
        values_back(&y->v, mark);
    yarp_close_scope(y, s);
    return block;
}

static void make_if(struct yarp *y, struct cc_stmt *block)
{
    struct cc_expr *c = yarp_condition(y);
    bool taken = values_eval(&y->v, c) != 0;
    bool with_else = draw(y, YARP_P_ELSE) == YARP_ELSE_WITH;
    spend(y, 4);
    struct cc_stmt *a, *b = NULL;
    if (taken || !with_else) {
        /* the branch that is not taken first, while the values are those of the condition */
        if (with_else)
            b = yarp_branch(y, false);
        a = yarp_branch(y, taken);
    } else {
        a = yarp_branch(y, false);
        b = yarp_branch(y, true);
    }
    cc_append(block, cc_if(y->p, c, a, b));
}

static void make_switch(struct yarp *y, struct cc_stmt *block)
{
    struct cc_expr *e = yarp_condition(y);
    if (percent(y, 60)) /* into the range of the cases */
        e = cc_binary(y->p, CC_AND, e, cc_int(y->p, basic(y, CC_INT), 7, CC_DECIMAL));
    e = cc_promote(y->p, e);
    int64_t x = values_eval(&y->v, e);
    struct cc_stmt *list = cc_block(y->p);
    int n = (int)between(y, 2, 5), with_default = percent(y, 70);
    cc_wide right = e->type->is_signed ? (cc_wide)x : (cc_wide)(uint64_t)x;
    cc_wide value = percent(y, 75) ? right : 0;
    bool hit = false;
    bool may_break = y->at.may_break;
    y->at.may_break = false; /* a break would be the switch's */
    for (int i = 0; i < n && cc_wrap(e->type, value) == value; i++) {
        cc_append(list, cc_case(y->p, value));
        cc_append(list, yarp_branch(y, value == right));
        cc_append(list, cc_stmt(y->p, CC_S_BREAK));
        hit |= value == right;
        value += between(y, 1, 3); /* distinct and rising */
    }
    if (with_default) {
        cc_append(list, cc_stmt(y->p, CC_S_DEFAULT));
        cc_append(list, yarp_branch(y, !hit));
        cc_append(list, cc_stmt(y->p, CC_S_BREAK));
    }
    y->at.may_break = may_break;
    spend(y, 4);
    cc_append(block, cc_switch(y->p, e, list));
}

/* Never the first time: what follows would only be as if. */
static void make_break(struct yarp *y, struct cc_stmt *block)
{
    struct cc_expr *c = yarp_condition(y);
    if (values_eval(&y->v, c))
        c = cc_unary(y->p, CC_NOT, c);
    bool is_break = y->at.may_break && (!y->at.may_continue || percent(y, 50));
    struct cc_stmt *jump = cc_block(y->p);
    cc_append(jump, cc_stmt(y->p, is_break ? CC_S_BREAK : CC_S_CONTINUE));
    cc_append(block, cc_if(y->p, c, jump, NULL));
    spend(y, 4);
}

static void make_impure_call(struct yarp *y, struct cc_stmt *block)
{
    bool output;
    struct cc_expr *to = yarp_writable(y, &output);
    if (!to || to->kind != CC_E_VAR) /* no part of it that the function could change */
        return;
    struct cc_expr *e = yarp_new_call(y, false);
    if (e)
        yarp_emit(y, block, cc_assign(y->p, CC_NONE, to, e));
}

/* -- blocks ----------------------------------------------------------------------------------- */

static bool room_for_blocks(const struct yarp *y)
{
    return y->at.depth < y->k->limit[YARP_LIMIT_BLOCK_DEPTH];
}

static void make_statement(struct yarp *y, struct cc_stmt *block)
{
    y->at.called = y->at.written = false;
    bool deeper = room_for_blocks(y);
    size_t loops = y->loops.n - y->at.first_loop;
    enum yarp_policy loop = loops ? YARP_NESTS : YARP_LOOPS;
    if (has(y, YARP_LOOPS) && takes(y, loop) && yarp_new_loop(y, block))
        return;
    if (deeper && takes(y, YARP_CONDITIONALS))
        make_if(y, block);
    else if (deeper && takes(y, YARP_SWITCHES))
        make_switch(y, block);
    else if (loops && (y->at.may_break || y->at.may_continue) && takes(y, YARP_BREAKS) &&
             percent(y, 40))
        make_break(y, block);
    else if (!y->at.pure && takes(y, YARP_FLOATS))
        make_float_assignment(y, block);
    else if (!y->at.pure && y->vector_type && takes(y, YARP_VECTORS))
        make_vector_assignment(y, block);
    else if (!y->at.pure && y->calls < 1 && takes(y, YARP_CALLS) && percent(y, 30))
        make_impure_call(y, block);
    else if (takes(y, YARP_STRUCTS) && percent(y, 25) && make_struct_copy(y, block))
        return;
    else if (draw(y, YARP_P_STATEMENT) == YARP_STATEMENT_DEFINE)
        make_definition(y, block);
    else
        make_assignment(y, block);
}

void yarp_statements(struct yarp *y, struct cc_stmt *block, int n)
{
    for (int i = 0; i < n && y->tokens > 0; i++)
        make_statement(y, block);
}
