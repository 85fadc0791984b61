/* Rows of arithmetic, values, order and control, and what all rows build with. */
#include "gen/ub/rows_internal.h"

#include <string.h>

/* -- variables --------------------------------------------------------------------------------- */

const char *ub_name(struct ub_edit *u, const char *what)
{
    return arena_printf(P->arena, "ub_%s%d", what, ++u->n_names);
}

struct cc_var *ub_global(struct ub_edit *u, const struct cc_type *type, struct cc_expr *init)
{
    struct cc_var *v = cc_global(P, ub_name(u, "g"), type, init);
    v->not_hashed = true;
    v->storage = choose(u->c, 2) ? CC_EXTERN : CC_STATIC;
    return v;
}

struct cc_var *ub_local(struct ub_edit *u, const struct cc_type *type, struct cc_expr *init)
{
    struct cc_var *v = cc_local(P, ub_name(u, "l"), type, init);
    vec_push(&u->before, cc_decl(P, v));
    return v;
}

struct cc_var *ub_variable(struct ub_edit *u, const struct cc_type *type, struct cc_expr *init)
{
    return choose(u->c, 2) ? ub_global(u, type, init) : ub_local(u, type, init);
}

struct cc_func *ub_function(struct ub_edit *u, const struct cc_type *result, struct cc_var **params,
                            int n)
{
    struct cc_func *f = cc_function(P, ub_name(u, "f"), result, params, n);
    f->body = cc_block(P);
    if (choose(u->c, 2))
        f->attributes = CC_ATTR_NOINLINE;
    return f;
}

struct cc_expr *ub_mark(struct cc_expr *e)
{
    e->marked = true;
    return e;
}

/* -- values ------------------------------------------------------------------------------------ */

enum hiding { HIDE_NOT, HIDE_LOCAL, HIDE_GLOBAL, HIDE_VOLATILE, N_HIDING };
static const unsigned hiding_weight[N_HIDING] = {15, 30, 40, 15};

static struct cc_expr *hidden(struct ub_edit *u, const struct cc_type *type, struct cc_expr *value)
{
    switch ((enum hiding)choose_weighted(u->c, hiding_weight, N_HIDING)) {
    case HIDE_LOCAL:
        return V(ub_local(u, type, value));
    case HIDE_GLOBAL:
        return V(ub_global(u, type, value));
    case HIDE_VOLATILE: /* read ahead of the operation, or its line would have code without it */
        return V(ub_local(u, type, V(ub_global(u, QUAL(type, CC_VOLATILE), value))));
    default:
        return value;
    }
}

struct cc_expr *ub_value(struct ub_edit *u, const struct cc_type *type, cc_wide bad, cc_wide good)
{
    return hidden(u, type, cc_fork(P, N(type, bad), N(type, good)));
}

struct cc_expr *ub_number(struct ub_edit *u, const struct cc_type *type, double bad, double good)
{
    struct cc_expr *b = cc_float(P, type, bad, CC_DECIMAL),
                   *g = cc_float(P, type, good, CC_DECIMAL);
    return hidden(u, type, cc_fork(P, b, g));
}

struct cc_expr *ub_pointer(struct ub_edit *u, const struct cc_type *type, struct cc_expr *bad,
                           struct cc_expr *good)
{
    return V(ub_variable(u, type, cc_fork(P, bad, good)));
}

/* -- arithmetic -------------------------------------------------------------------------------- */

/* A type in which operations can overflow. */
static const struct cc_type *signed_type(struct ub_edit *u)
{
    return choose(u->c, 3) ? INT : LLONG;
}

static bool is_signed(const struct cc_type *t)
{
    return cc_is_integer(t) && t->is_signed && t->bits >= 32 && t->kind != CC_ENUM;
}

/* A value far from 0, of either sign. */
static cc_wide extreme(struct ub_edit *u, const struct cc_type *t)
{
    cc_wide near = (cc_wide)choose(u->c, 3);
    return choose(u->c, 2) ? (cc_wide)cc_int_max(t) - near : cc_int_min(t) + near;
}

static enum cc_op one_of(struct ub_edit *u, enum cc_op a, enum cc_op b, enum cc_op c)
{
    enum cc_op ops[] = {a, b, c};
    return ops[choose(u->c, 3)];
}

/* Both operands are ours, so that it is sure to overflow. */
static struct cc_expr *overflow(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    const struct cc_type *t = signed_type(u);
    enum cc_op op = one_of(u, CC_ADD, CC_SUB, CC_MUL);
    cc_wide max = (cc_wide)cc_int_max(t), a = op == CC_SUB ? -max : max - (cc_wide)choose(u->c, 2);
    struct cc_expr *left = ub_value(u, t, a, (cc_wide)choose(u->c, 9));
    return ub_mark(BIN(op, left, N(t, 2 + (cc_wide)choose(u->c, 99))));
}

/* One operand is the program's own. */
static struct cc_expr *overflow_of_old(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = old->type->bits > 32 ? LLONG : INT;
    if (!old->type->is_signed && old->type->bits >= 32)
        return NULL;
    enum cc_op op = one_of(u, CC_ADD, CC_SUB, CC_MUL);
    return ub_mark(BIN(op, old, ub_value(u, t, extreme(u, t), op == CC_MUL)));
}

static struct cc_expr *overflow_of_minus(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    const struct cc_type *t = signed_type(u);
    return ub_mark(cc_unary(P, CC_MINUS, ub_value(u, t, cc_int_min(t), 5)));
}

static struct cc_expr *overflow_of_increment(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    const struct cc_type *t = signed_type(u);
    bool down = choose(u->c, 2);
    cc_wide bad = down ? cc_int_min(t) : (cc_wide)cc_int_max(t);
    struct cc_var *v = ub_variable(u, t, cc_fork(P, N(t, bad), N(t, 0)));
    return ub_mark(cc_incdec(P, down ? CC_SUB : CC_ADD, choose(u->c, 2), V(v)));
}

static struct cc_expr *overflow_of_assignment(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    const struct cc_type *t = signed_type(u);
    struct cc_var *v = ub_variable(u, t, N(t, 7));
    struct cc_expr *by = ub_value(u, t, (cc_wide)cc_int_max(t), 1);
    return ub_mark(cc_assign(P, choose(u->c, 2) ? CC_ADD : CC_MUL, V(v), by));
}

/* Something that compilers know how to compare without computing it. */
static struct cc_expr *overflow_compared(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    static const enum cc_op comparisons[] = {CC_LT, CC_GT, CC_LE, CC_GE, CC_EQ, CC_NE};
    const struct cc_type *t = signed_type(u);
    enum cc_op op = one_of(u, CC_ADD, CC_SUB, CC_MUL);
    cc_wide max = (cc_wide)cc_int_max(t), by = 2 + (cc_wide)choose(u->c, 9);
    struct cc_expr *left = ub_value(u, t, op == CC_SUB ? -max : max, (cc_wide)choose(u->c, 9));
    struct cc_expr *sum = ub_mark(BIN(op, left, N(t, by)));
    struct cc_expr *with = N(t, (cc_wide)choose(u->c, 9));
    return BIN(comparisons[choose(u->c, 6)], sum, with);
}

static bool is_operation(const struct cc_expr *e)
{
    return (e->kind == CC_E_BINARY || (e->kind == CC_E_ASSIGN && e->op != CC_NONE)) &&
           cc_is_integer(e->type) && cc_is_integer(e->a->type) && cc_is_integer(e->b->type);
}

static struct cc_expr *change_sum(struct ub_edit *u, const struct cc_expr *e)
{
    bool fits = is_operation(e) && is_signed(e->b->type) &&
                (e->op == CC_ADD || e->op == CC_SUB || e->op == CC_MUL);
    const struct cc_type *t = e->kind == CC_E_BINARY && fits ? e->b->type->plain : NULL;
    return t ? ub_value(u, t, extreme(u, t), e->op == CC_MUL) : NULL;
}

static struct cc_expr *change_division(struct ub_edit *u, const struct cc_expr *e)
{
    bool fits = is_operation(e) && (e->op == CC_DIV || e->op == CC_REM) && e->b->type->bits >= 32;
    return fits ? ub_value(u, e->b->type->plain, 0, 1 + (cc_wide)choose(u->c, 9)) : NULL;
}

/* The width, more, or negative. */
static cc_wide bad_count(struct ub_edit *u, const struct cc_type *t)
{
    cc_wide counts[] = {t->bits, t->bits + 1 + (cc_wide)choose(u->c, 60), -1,
                        -(cc_wide)choose(u->c, 99) - 2};
    return counts[choose(u->c, 4)];
}

static struct cc_expr *change_count(struct ub_edit *u, const struct cc_expr *e)
{
    bool fits = is_operation(e) && (e->op == CC_SHL || e->op == CC_SHR) && is_signed(e->b->type);
    if (!fits)
        return NULL;
    const struct cc_type *t = e->kind == CC_E_BINARY ? e->type : cc_assign_type(P, e);
    return ub_value(u, e->b->type->plain, bad_count(u, t), e->op == CC_SHR ? 1 : 0);
}

static struct cc_expr *division(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = cc_promoted(&P->types, old->type, -1);
    enum cc_op op = choose(u->c, 2) ? CC_DIV : CC_REM;
    return ub_mark(BIN(op, old, ub_value(u, t, 0, 1 + (cc_wide)choose(u->c, 9))));
}

static struct cc_expr *quotient(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    const struct cc_type *t = signed_type(u);
    enum cc_op op = choose(u->c, 2) ? CC_DIV : CC_REM;
    bool left = choose(u->c, 2); /* which operand makes the difference */
    cc_wide min = cc_int_min(t);
    struct cc_expr *a = left ? ub_value(u, t, min, 77) : V(ub_variable(u, t, N(t, min)));
    struct cc_expr *b = left ? V(ub_variable(u, t, N(t, -1))) : ub_value(u, t, -1, 3);
    return ub_mark(BIN(op, a, b));
}

static struct cc_expr *shift_count(struct ub_edit *u, struct cc_expr *old)
{
    enum cc_kind kinds[] = {CC_INT, CC_UINT, CC_LLONG, CC_ULLONG};
    const struct cc_type *t = BASIC(kinds[choose(u->c, 4)]);
    bool right = choose(u->c, 2) || t->is_signed;
    struct cc_expr *left = t->is_signed ? N(t, 77) : CAST(t, old);
    if (t->is_signed)
        left = V(ub_variable(u, t, left));
    return ub_mark(BIN(right ? CC_SHR : CC_SHL, left, ub_value(u, INT, bad_count(u, t), 3)));
}

static struct cc_expr *shift_left(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    const struct cc_type *t = signed_type(u);
    cc_wide bad = choose(u->c, 2) ? -(cc_wide)choose(u->c, 99) - 1 : (cc_wide)cc_int_max(t) / 2 + 1;
    return ub_mark(BIN(CC_SHL, ub_value(u, t, bad, 1), I(1 + (cc_wide)choose(u->c, 5))));
}

static struct cc_expr *float_conversion(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    enum cc_kind kinds[] = {CC_INT, CC_UINT, CC_LLONG, CC_ULLONG, CC_SHORT};
    const struct cc_type *t = BASIC(kinds[choose(u->c, 5)]);
    const struct cc_type *from = choose(u->c, 3) ? DOUBLE : FLOAT;
    double bad = t->is_signed && choose(u->c, 2) ? -1e30 : 1e30;
    return ub_mark(CAST(t, ub_number(u, from, bad, 77.5)));
}

static struct cc_expr *float_demotion(struct ub_edit *u, struct cc_expr *old)
{
    struct cc_expr *narrow = ub_mark(CAST(FLOAT, ub_number(u, DOUBLE, 1e300, 2.5)));
    return cc_cond(P, BIN(CC_LT, narrow, cc_float(P, FLOAT, 1, CC_DECIMAL)), old, I(1));
}

static struct cc_expr *builtin_argument(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    int which[] = {CC_BUILTIN_CLZ, CC_BUILTIN_CTZ, CC_BUILTIN_CLZLL, CC_BUILTIN_CTZLL};
    size_t n = choose(u->c, 4);
    struct cc_expr *arg = ub_value(u, n < 2 ? UINT : ULLONG, 0, 8);
    return ub_mark(cc_builtin(P, which[n], &arg, 1));
}

/* -- order ------------------------------------------------------------------------------------- */

static struct cc_expr *unsequenced(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    struct cc_var *x = ub_variable(u, UINT, N(UINT, 1)), *y = ub_variable(u, UINT, N(UINT, 2));
    return ub_mark(BIN(CC_ADD, cc_fork(P, V(x), V(y)), cc_incdec(P, CC_ADD, true, V(x))));
}

static struct cc_expr *indeterminate(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    struct cc_var *x = ub_global(u, UINT, N(UINT, 1)), *y = ub_global(u, UINT, N(UINT, 2));
    struct cc_func *f = ub_function(u, UINT, NULL, 0), *g = ub_function(u, UINT, NULL, 0);
    cc_append(f->body, cc_return(P, f, cc_incdec(P, CC_ADD, false, V(x))));
    /* the second call has the conflict, whichever comes second */
    struct cc_expr *read = ub_mark(BIN(CC_XOR, cc_fork(P, V(x), V(y)), N(UINT, 5)));
    cc_append(g->body, cc_return(P, g, read));
    return BIN(CC_ADD, CALL(f), CALL(g));
}

static struct cc_expr *volatile_order(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    struct cc_var *x = ub_global(u, QUAL(INT, CC_VOLATILE), I(1));
    struct cc_var *y = ub_global(u, QUAL(INT, CC_VOLATILE), I(2)), *z = ub_global(u, INT, I(3));
    return ub_mark(BIN(CC_AND, V(x), cc_fork(P, V(y), V(z))));
}

/* -- control ----------------------------------------------------------------------------------- */

static struct cc_expr *no_return_value(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    struct cc_func *f = ub_function(u, INT, NULL, 0);
    struct cc_stmt *then = cc_block(P);
    cc_append(then, cc_return(P, f, I(3)));
    cc_append(f->body, cc_if(P, ub_value(u, INT, 0, 1), then, NULL));
    if (u->before.n) /* a local of the caller's is not known there */
        return NULL;
    return ub_mark(CALL(f));
}

static struct cc_expr *call_type(struct ub_edit *u, struct cc_expr *old)
{
    struct cc_var *a = cc_param(P, "a", INT), *b = cc_param(P, "b", LLONG);
    struct cc_func *f = ub_function(u, INT, &a, 1), *g = ub_function(u, INT, &b, 1);
    cc_append(f->body, cc_return(P, f, V(a)));
    cc_append(g->body, cc_return(P, g, I(3)));
    struct cc_expr *other = CAST(PTR(f->type), cc_func_use(P, g));
    struct cc_expr *to = ub_pointer(u, PTR(f->type), other, cc_func_use(P, f));
    return ub_mark(cc_call(P, to, &old, 1));
}

static struct cc_expr *unreachable(struct ub_edit *u, struct cc_expr *old)
{
    struct cc_expr *never = ub_mark(cc_builtin(P, CC_BUILTIN_UNREACHABLE, NULL, 0));
    return cc_cond(P, ub_value(u, INT, 1, 0), cc_comma(P, never, I(0)), old);
}

static struct cc_expr *trap_representation(struct ub_edit *u, struct cc_expr *old)
{
    struct cc_var *b = ub_variable(u, BOOL, N(BOOL, 0));
    struct cc_expr *byte = DEREF(CAST(PTR(UCHAR), ADDR(V(b))));
    cc_wide bad = 2 + (cc_wide)choose(u->c, 200);
    vec_push(&u->before, cc_expr_stmt(P, ASSIGN(byte, ub_value(u, UCHAR, bad, 1))));
    return cc_cond(P, ub_mark(BIN(CC_EQ, V(b), I(1))), old, I(1));
}

/* -- the table --------------------------------------------------------------------------------- */

const struct ub_row ub_rows[] = {
    {CC_UB_OVERFLOW, "constant", overflow, NULL, false},
    {CC_UB_OVERFLOW, "compared", overflow_compared, NULL, false},
    {CC_UB_OVERFLOW, "operand", overflow_of_old, NULL, false},
    {CC_UB_OVERFLOW, "operation", NULL, change_sum, false},
    {CC_UB_OVERFLOW, "minus", overflow_of_minus, NULL, false},
    {CC_UB_OVERFLOW, "increment", overflow_of_increment, NULL, false},
    {CC_UB_OVERFLOW, "assignment", overflow_of_assignment, NULL, false},
    {CC_UB_DIVISION, "operand", division, NULL, false},
    {CC_UB_DIVISION, "operation", NULL, change_division, false},
    {CC_UB_QUOTIENT, "operand", quotient, NULL, false},
    {CC_UB_SHIFT_COUNT, "operand", shift_count, NULL, false},
    {CC_UB_SHIFT_COUNT, "operation", NULL, change_count, false},
    {CC_UB_SHIFT_LEFT, "operand", shift_left, NULL, false},
    {CC_UB_FLOAT_CONVERSION, "cast", float_conversion, NULL, false},
    {CC_UB_FLOAT_DEMOTION, "cast", float_demotion, NULL, false},
    {CC_UB_BUILTIN_ARGUMENT, "zero", builtin_argument, NULL, false},
    {CC_UB_NULL_ACCESS, "read", ub_null_read, NULL, false},
    {CC_UB_NULL_ACCESS, "write", ub_null_write, NULL, false},
    {CC_UB_NULL_ACCESS, "member", ub_null_member, NULL, false},
    {CC_UB_NULL_ACCESS, "call", ub_null_call, NULL, false},
    {CC_UB_DANGLING, "scope", ub_dangling_scope, NULL, false},
    {CC_UB_DANGLING, "return", ub_dangling_return, NULL, false},
    {CC_UB_DANGLING, "heap", ub_dangling_heap, NULL, true},
    {CC_UB_DANGLING, "heap-write", ub_dangling_heap_write, NULL, true},
    {CC_UB_DANGLING_READ, "compared", ub_dangling_compared, NULL, false},
    {CC_UB_BOUNDS, "global", ub_bounds_global, NULL, false},
    {CC_UB_BOUNDS, "global-write", ub_bounds_global_write, NULL, false},
    {CC_UB_BOUNDS, "local", ub_bounds_local, NULL, false},
    {CC_UB_BOUNDS, "local-write", ub_bounds_local_write, NULL, false},
    {CC_UB_BOUNDS, "row", ub_bounds_row, NULL, false},
    {CC_UB_BOUNDS, "member", ub_bounds_member, NULL, false},
    {CC_UB_BOUNDS, "pointer", ub_bounds_pointer, NULL, false},
    {CC_UB_BOUNDS, "heap", ub_bounds_heap, NULL, true},
    {CC_UB_BOUNDS, "heap-write", ub_bounds_heap_write, NULL, true},
    {CC_UB_POINTER_ARITHMETIC, "beyond", ub_pointer_beyond, NULL, false},
    {CC_UB_POINTER_ARITHMETIC, "null", ub_pointer_null, NULL, false},
    {CC_UB_POINTER_ARITHMETIC, "wrap", ub_pointer_wrap, NULL, false},
    {CC_UB_POINTER_DIFFERENCE, "arrays", ub_pointer_difference, NULL, false},
    {CC_UB_POINTER_ORDER, "arrays", ub_pointer_order, NULL, false},
    {CC_UB_ALIGNMENT, "cast", ub_misaligned, NULL, false},
    {CC_UB_UNINITIALISED, "branch", ub_uninitialised_branch, NULL, false},
    {CC_UB_UNINITIALISED, "value", ub_uninitialised_value, NULL, false},
    {CC_UB_UNINITIALISED, "heap", ub_uninitialised_heap, NULL, true},
    {CC_UB_UNION_MEMBER, "wider", ub_union_wider, NULL, false},
    {CC_UB_CONST_WRITE, "pointer", ub_const_write, NULL, false},
    {CC_UB_VOLATILE_ACCESS, "pointer", ub_volatile_access, NULL, false},
    {CC_UB_OVERLAP, "members", ub_overlap, NULL, false},
    {CC_UB_EFFECTIVE_TYPE, "pointer", ub_effective_type, NULL, false},
    {CC_UB_UNSEQUENCED, "increment", unsequenced, NULL, false},
    {CC_UB_INDETERMINATE, "calls", indeterminate, NULL, false},
    {CC_UB_VOLATILE_ORDER, "reads", volatile_order, NULL, false},
    {CC_UB_NO_RETURN_VALUE, "call", no_return_value, NULL, false},
    {CC_UB_CALL_TYPE, "pointer", call_type, NULL, false},
    {CC_UB_UNREACHABLE, "reached", unreachable, NULL, false},
    {CC_UB_BOOL_REPRESENTATION, "bool", trap_representation, NULL, false},
};
const int ub_n_rows = (int)(sizeof ub_rows / sizeof *ub_rows);

static const struct {
    enum cc_ub rule;
    const char *why;
} none[] = {
    {CC_UB_NONE, "it is no rule"},
    {CC_UB_TEMPORARY_WRITE, "a temporary object has no address, so that nothing can lead to it one "
                            "way and past it the other"},
    {CC_UB_ARGUMENT_LIST, "the trees of our generators have no functions with variable arguments"},
    {CC_UB_STEPS, "it is a limit of ours, and nothing undefined"},
    {CC_UB_STACK, "it is a limit of ours, and nothing undefined"},
    {CC_UB_UNDECIDED, "it says that interp does not know"},
};

const char *ub_why_none(enum cc_ub rule)
{
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (none[i].rule == rule)
            return none[i].why;
    return NULL;
}

bool ub_row_is(const struct ub_row *row, const char *name)
{
    const char *rule = cc_ub_rules[row->rule].name;
    size_t n = strlen(rule);
    return !strncmp(name, rule, n) &&
           (!name[n] || (name[n] == '/' && !strcmp(name + n + 1, row->name)));
}
