/* Expressions: top-down by the drawn distributions and policies (YARPGen 3.2, 3.3). They are
 * evaluated, and rewritten where they must be, when the statement they are in is complete. */
#include "gen/yarp/yarp_internal.h"

/* -- constants -------------------------------------------------------------------------------- */

static void keep_constant(struct yarp *y, int64_t value)
{
    if (has(y, YARP_REUSED_CONSTANTS))
        y->constants[y->n_constants++ % KEPT_CONSTANTS] = value;
}

static int64_t reused(struct yarp *y)
{
    uint32_t n = y->n_constants < KEPT_CONSTANTS ? y->n_constants : KEPT_CONSTANTS;
    int64_t x = y->constants[pick(y, n)];
    switch (draw(y, YARP_P_CONSTANT_CHANGE)) {
    case YARP_CONSTANT_NEGATED:
        return (int64_t)(0 - (uint64_t)x);
    case YARP_CONSTANT_COMPLEMENT:
        return ~x;
    default:
        return x;
    }
}

/* Ones from one bit to another, or zeroes among ones. */
static int64_t bit_block(struct yarp *y, int bits)
{
    int low = (int)pick(y, (size_t)bits), n = 1 + (int)pick(y, (size_t)(bits - low));
    uint64_t ones = (n == 64 ? 0 : (uint64_t)1 << n) - 1;
    ones <<= low;
    return (int64_t)(percent(y, 50) ? ones : ~ones);
}

static int64_t near_limit(struct yarp *y, const struct cc_type *t)
{
    int64_t distance = between(y, 0, 3);
    uint64_t most = (uint64_t)cc_int_max(t);
    if (t->is_signed && percent(y, 50))
        return (int64_t)cc_int_min(t) + distance;
    return (int64_t)(most - (uint64_t)distance);
}

struct cc_expr *yarp_constant(struct yarp *y, const struct cc_type *t)
{
    int64_t x;
    if (t->kind == CC_BOOL)
        return cc_int(y->p, t, pick(y, 2), CC_DECIMAL);
    if (y->n_constants && takes(y, YARP_REUSED_CONSTANTS))
        x = reused(y);
    else if (takes(y, YARP_SPECIAL_CONSTANTS))
        x = between(y, -2, 8);
    else if (takes(y, YARP_NEAR_LIMITS))
        x = near_limit(y, t);
    else if (takes(y, YARP_BIT_BLOCKS))
        x = bit_block(y, t->bits);
    else
        x = (int64_t)choose_bits(y->c, t->bits);
    keep_constant(y, x);
    bool hex = draw(y, YARP_P_SPELLING) == YARP_SPELLING_HEX;
    return cc_int(y->p, t, cc_wrap(t, x), hex && cc_wrap(t, x) >= 0 ? CC_HEX : CC_DECIMAL);
}

/* C has no constants narrower than int. */
struct cc_expr *yarp_any_constant(struct yarp *y)
{
    static const enum cc_kind kinds[] = {CC_INT, CC_UINT, CC_LLONG, CC_ULLONG};
    static const unsigned weights[] = {75, 10, 10, 5};
    spend(y, 1);
    return yarp_constant(y, basic(y, kinds[choose_weighted(y->c, weights, 4)]));
}

/* -- copies ----------------------------------------------------------------------------------- */

struct cc_expr *yarp_copy(struct yarp *y, const struct cc_expr *e)
{
    struct cc_expr *n = arena_new(y->arena, struct cc_expr);
    *n = *e;
    spend(y, 1);
    switch (e->kind) {
    case CC_E_COND:
        n->c = yarp_copy(y, e->c); /* fall through */
    case CC_E_INDEX:
    case CC_E_BINARY:
    case CC_E_LOGICAL:
    case CC_E_COMMA:
    case CC_E_ASSIGN:
        n->b = yarp_copy(y, e->b); /* fall through */
    case CC_E_MEMBER:
    case CC_E_ADDR:
    case CC_E_DEREF:
    case CC_E_UNARY:
    case CC_E_CAST:
    case CC_E_INCDEC:
        n->a = yarp_copy(y, e->a);
        break;
    case CC_E_CALL:
        n->args = arena_array(y->arena, struct cc_expr *, e->n_args);
        for (uint32_t i = 0; i < e->n_args; i++)
            n->args[i] = yarp_copy(y, e->args[i]);
        break;
    default:
        break;
    }
    return n;
}

static bool reads_local(const struct cc_expr *e)
{
    switch (e->kind) {
    case CC_E_VAR:
        return !e->var->global;
    case CC_E_COND:
        return reads_local(e->a) || reads_local(e->b) || reads_local(e->c);
    case CC_E_INDEX:
    case CC_E_BINARY:
    case CC_E_LOGICAL:
        return reads_local(e->a) || reads_local(e->b);
    case CC_E_MEMBER:
    case CC_E_DEREF:
    case CC_E_UNARY:
    case CC_E_CAST:
        return reads_local(e->a);
    default:
        return false;
    }
}

/* The buffer of subexpressions: those on globals live as long as the program, the others as long as
 * the scope of the locals in them. */
static void keep(struct yarp *y, struct cc_expr *e)
{
    if (e->effects || draw(y, YARP_P_SUBEXPRESSION) == YARP_SUBEXPRESSION_FORGET)
        return;
    if (!reads_local(e))
        y->kept[y->n_kept++ % KEPT_EXPRESSIONS] = e;
    else if (y->kept_local.n < y->at.first_kept + KEPT_EXPRESSIONS)
        vec_push(&y->kept_local, e);
}

static struct cc_expr *kept(struct yarp *y)
{
    size_t n_local = y->kept_local.n - y->at.first_kept;
    if (n_local && percent(y, 60))
        return yarp_copy(y, y->kept_local.at[y->at.first_kept + pick(y, n_local)]);
    uint32_t n = y->n_kept < KEPT_EXPRESSIONS ? y->n_kept : KEPT_EXPRESSIONS;
    return n ? yarp_copy(y, y->kept[pick(y, n)]) : NULL;
}

/* -- operators -------------------------------------------------------------------------------- */

static const enum cc_op binary_op[] = {CC_ADD, CC_SUB, CC_MUL, CC_DIV, CC_REM,  CC_SHL,
                                       CC_SHR, CC_AND, CC_OR,  CC_XOR, CC_LT,   CC_GT,
                                       CC_LE,  CC_GE,  CC_EQ,  CC_NE,  CC_LAND, CC_LOR};
static const enum cc_op unary_op[] = {CC_PLUS, CC_MINUS, CC_COMPL, CC_NOT};
enum { N_BINARY = sizeof binary_op / sizeof *binary_op, N_UNARY = 4 };

/* Which operators a context allows: bits by the position in the tables above (3.3). */
#define BINARY(x) (1u << (YARP_BINARY_##x - YARP_BINARY_ADD))
#define UNARY(x) (1u << (YARP_UNARY_##x - YARP_UNARY_PLUS))
static const struct {
    uint32_t binary, unary;
} allowed[] = {
    [CONTEXT_ADDITIVE] = {BINARY(ADD) | BINARY(SUB), UNARY(MINUS)},
    [CONTEXT_BITWISE] = {BINARY(AND) | BINARY(OR) | BINARY(XOR), UNARY(COMPL)},
    [CONTEXT_LOGICAL] = {BINARY(LAND) | BINARY(LOR), UNARY(NOT)},
    [CONTEXT_MULTIPLICATIVE] = {BINARY(MUL) | BINARY(DIV), 0},
    [CONTEXT_BITWISE_SHIFT] = {BINARY(AND) | BINARY(OR) | BINARY(XOR) | BINARY(SHL) | BINARY(SHR),
                               UNARY(COMPL)},
    [CONTEXT_ADDITIVE_MULTIPLICATIVE] = {BINARY(ADD) | BINARY(SUB) | BINARY(MUL) | BINARY(DIV),
                                         UNARY(MINUS)},
    [CONTEXT_NONE] = {~0u, ~0u},
    [CONTEXT_KERNEL] = {~(BINARY(DIV) | BINARY(REM)), ~0u},
};
#undef BINARY
#undef UNARY

/* One of the allowed, by the drawn weights. */
static int draw_operator(struct yarp *y, const unsigned *all, int n, uint32_t mask)
{
    unsigned weights[N_BINARY];
    for (int i = 0; i < n; i++)
        weights[i] = mask >> i & 1 ? all[i] + 1 : 0;
    return (int)choose_weighted(y->c, weights, (size_t)n);
}

static void enter_regions(struct yarp *y, struct mood *m)
{
    if (m->context == CONTEXT_NONE) {
        /* where they add up to more than all opportunities, they share them */
        unsigned weights[CONTEXT_NONE + 1] = {100};
        for (int i = 0; i < CONTEXT_NONE; i++) {
            unsigned strength = y->d.strength[YARP_ADDITIVE + i];
            weights[0] -= strength < weights[0] ? strength : weights[0];
            weights[i + 1] = strength;
        }
        size_t drawn = choose_weighted(y->c, weights, CONTEXT_NONE + 1);
        if (drawn)
            m->context = (enum context)(drawn - 1);
    }
    if (m->leaves == LEAVES_ANY) {
        if (takes(y, YARP_ALL_CONSTANTS))
            m->leaves = LEAVES_CONSTANT;
        else if (takes(y, YARP_HALF_CONSTANTS))
            m->leaves = LEAVES_HALF_CONSTANT;
    }
}

static struct cc_expr *leaf(struct yarp *y, struct mood m)
{
    if (m.leaves == LEAVES_CONSTANT || (m.leaves == LEAVES_HALF_CONSTANT && percent(y, 50)))
        return yarp_any_constant(y);
    enum yarp_weight w = draw(y, YARP_P_LEAF);
    if (w == YARP_LEAF_CONSTANT)
        return yarp_any_constant(y);
    struct cc_expr *e = yarp_readable(y, w);
    return e ? e : yarp_any_constant(y);
}

static struct cc_expr *node(struct yarp *y, int depth, struct mood m);

/* y++, --y, (y = e): where C evaluates it for sure and no other effect or call is near. */
static struct cc_expr *effect(struct yarp *y, int depth, struct mood m)
{
    if (y->at.lazy || y->at.called || !takes(y, YARP_SIDE_EFFECTS))
        return NULL;
    struct cc_expr *to = yarp_effect_target(y);
    if (!to || to->type->kind == CC_BOOL)
        return NULL;
    y->at.written = true;
    spend(y, 2);
    if (percent(y, 50)) {
        bool postfix = percent(y, 50);
        return cc_incdec(y->p, percent(y, 50) ? CC_ADD : CC_SUB, postfix, to);
    }
    return cc_assign(y->p, CC_NONE, to, node(y, depth - 1, m));
}

static struct cc_expr *lazily(struct yarp *y, int depth, struct mood m)
{
    y->at.lazy++;
    struct cc_expr *e = node(y, depth, m);
    y->at.lazy--;
    return e;
}

static struct cc_expr *binary(struct yarp *y, int depth, struct mood m)
{
    enum cc_op op = binary_op[draw_operator(y, &y->d.weight[YARP_BINARY_ADD], N_BINARY,
                                            allowed[m.context].binary)];
    struct cc_expr *a = node(y, depth - 1, m);
    bool skips = op == CC_LAND || op == CC_LOR;
    struct cc_expr *b = skips ? lazily(y, depth - 1, m) : node(y, depth - 1, m);
    return cc_binary(y->p, op, a, b);
}

static struct cc_expr *unary(struct yarp *y, int depth, struct mood m)
{
    struct cc_expr *a = node(y, depth - 1, m);
    uint32_t mask = allowed[m.context].unary;
    if (!mask)
        return a;
    enum cc_op op = unary_op[draw_operator(y, &y->d.weight[YARP_UNARY_PLUS], N_UNARY, mask)];
    if (op == CC_COMPL && a->type->kind == CC_BOOL)
        op = CC_NOT; /* compilers suspect that it was meant */
    return cc_unary(y->p, op, a);
}

static struct cc_expr *ternary(struct yarp *y, int depth, struct mood m)
{
    struct cc_expr *c = node(y, depth - 1, m);
    struct cc_expr *a = lazily(y, depth - 1, m);
    struct cc_expr *b = lazily(y, depth - 1, m);
    return cc_cond(y->p, c, a, b);
}

/* An integer made of floats: a comparison, or a scaled conversion. */
static struct cc_expr *from_float(struct yarp *y)
{
    const struct cc_type *t = basic(y, CC_DOUBLE);
    struct cc_expr *a = yarp_float_expression(y, 1, t);
    if (percent(y, 50)) {
        struct cc_expr *b = yarp_float_expression(y, 1, t);
        return cc_binary(y->p, percent(y, 50) ? CC_LT : CC_GE, a, b);
    }
    struct cc_expr *scale = cc_float(y->p, t, 16, CC_DECIMAL);
    return cc_cast(y->p, basic(y, CC_INT), cc_binary(y->p, CC_MUL, a, scale));
}

/* A lane of a vector. */
static struct cc_expr *from_vector(struct yarp *y)
{
    const var_list *all = &y->vars[INPUT][VECTOR];
    struct cc_var *v = all->at[pick(y, all->n)];
    struct cc_expr *i = yarp_subscript(y, v->type->length, 0, 1);
    struct cc_expr *lane = cc_index(y->p, cc_use(y->p, v), i);
    return cc_is_float(lane->type)
               ? cc_binary(y->p, CC_LT, lane, cc_float(y->p, lane->type->plain, 0.75, CC_DECIMAL))
               : lane;
}

static struct cc_expr *rare(struct yarp *y)
{
    if (y->vars[INPUT][VECTOR].n && takes(y, YARP_VECTORS))
        return from_vector(y);
    if (has(y, YARP_FLOATS) && takes(y, YARP_FLOATS))
        return from_float(y);
    if (!y->at.written && takes(y, YARP_CALLS)) {
        struct cc_expr *e = yarp_new_call(y, true);
        y->at.called |= e != NULL;
        return e;
    }
    return NULL;
}

/* a < b ? a : b, a > b ? a : b, a < 0 ? -a : a: what passes look for by its form. */
static struct cc_expr *extremum(struct yarp *y, int depth, struct mood m)
{
    struct cc_expr *a = lazily(y, depth - 1, m);
    if (a->calls)
        return a;
    enum cc_op op = percent(y, 50) ? CC_LT : CC_GT;
    if (percent(y, 30)) {
        struct cc_expr *zero = cc_int(y->p, basic(y, CC_INT), 0, CC_DECIMAL);
        struct cc_expr *negated = cc_unary(y->p, CC_MINUS, yarp_copy(y, a));
        return cc_cond(y->p, cc_binary(y->p, op, yarp_copy(y, a), zero), negated, a);
    }
    struct cc_expr *b = lazily(y, depth - 1, m);
    if (b->calls)
        return cc_binary(y->p, op, a, b);
    struct cc_expr *test = cc_binary(y->p, op, yarp_copy(y, a), yarp_copy(y, b));
    return cc_cond(y->p, test, a, b);
}

static struct cc_expr *node(struct yarp *y, int depth, struct mood m)
{
    spend(y, 1);
    if (depth <= 0) {
        struct cc_expr *e = !y->at.kernel && percent(y, 10) ? rare(y) : NULL;
        return e ? e : leaf(y, m);
    }
    if (depth >= 2)
        enter_regions(y, &m);
    if (takes(y, YARP_COMMON_SUBEXPRESSIONS)) {
        struct cc_expr *e = kept(y);
        if (e)
            return e;
    }
    struct cc_expr *e = effect(y, depth, m);
    if (e)
        return e;
    if (takes(y, YARP_TERNARIES))
        return ternary(y, depth, m);
    if (takes(y, YARP_MIN_MAX))
        return extremum(y, depth < 3 ? depth : 3, m);
    if (takes(y, YARP_CASTS)) {
        const struct cc_type *t = yarp_int_type(y);
        return cc_cast(y->p, t, node(y, depth - 1, m));
    }
    switch (draw(y, YARP_P_NODE)) {
    case YARP_NODE_LEAF:
        return leaf(y, m);
    case YARP_NODE_UNARY:
        e = unary(y, depth, m);
        break;
    default:
        e = binary(y, depth, m);
        break;
    }
    if (has(y, YARP_COMMON_SUBEXPRESSIONS))
        keep(y, e);
    return e;
}

static struct cc_expr *start(struct yarp *y, int depth)
{
    return node(y, depth, (struct mood){CONTEXT_NONE, LEAVES_ANY});
}

struct cc_expr *yarp_expression(struct yarp *y)
{
    int depth = y->at.expr_depth - (int)pick(y, 3); /* mostly as deep as may be */
    return start(y, depth > 1 ? depth : 1);
}

struct cc_expr *yarp_small_expression(struct yarp *y, int depth)
{
    /* inside of another one: no effects of its own */
    y->at.lazy++;
    struct cc_expr *e = node(y, depth, (struct mood){CONTEXT_NONE, LEAVES_ANY});
    y->at.lazy--;
    return e;
}

struct cc_expr *yarp_kernel_expression(struct yarp *y, int depth)
{
    y->at.lazy++;
    struct cc_expr *e = node(y, depth, (struct mood){CONTEXT_KERNEL, LEAVES_ANY});
    y->at.lazy--;
    return e;
}

/* Hardly ever a constant: an optimiser need not think about those. */
struct cc_expr *yarp_condition(struct yarp *y)
{
    struct cc_expr *e = start(y, 1 + (int)pick(y, 3));
    if (e->kind != CC_E_INT)
        return e;
    struct cc_expr *a = yarp_readable(y, YARP_LEAF_VARIABLE);
    return cc_binary(y->p, percent(y, 50) ? CC_LT : CC_NE, a, e);
}

/* -- floats and vectors ----------------------------------------------------------------------- */

/* In 0.5 to 1 (3.5 of the paper), in sixteenths, so that short chains stay exact. */
double yarp_float_constant(struct yarp *y)
{
    return (double)between(y, 8, 16) / 16;
}

struct cc_expr *yarp_float_expression(struct yarp *y, int depth, const struct cc_type *t)
{
    const struct cc_type *found;
    spend(y, 1);
    if (depth > 0 && percent(y, 75)) {
        static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_MUL};
        enum cc_op op = ops[pick(y, 3)];
        struct cc_expr *a = yarp_float_expression(y, depth - 1, t);
        struct cc_expr *b = yarp_float_expression(y, depth - 1, t);
        return cc_binary(y->p, op, a, b);
    }
    if (percent(y, 25))
        return cc_float(y->p, t, yarp_float_constant(y), CC_DECIMAL);
    if (percent(y, 20)) {
        struct cc_expr *small = cc_int(y->p, basic(y, CC_INT), 7, CC_DECIMAL);
        struct cc_expr *i = yarp_readable(y, YARP_LEAF_VARIABLE);
        return cc_cast(y->p, t, cc_binary(y->p, CC_AND, i, small));
    }
    struct cc_expr *e = yarp_float_place(y, false, &found);
    if (!e)
        return cc_float(y->p, t, yarp_float_constant(y), CC_DECIMAL);
    return found == t ? e : cc_cast(y->p, t, e);
}

struct cc_expr *yarp_vector_expression(struct yarp *y, int depth)
{
    static const enum cc_op ints[] = {CC_ADD, CC_SUB, CC_MUL, CC_XOR, CC_AND,
                                      CC_OR,  CC_SHR, CC_SHL, CC_DIV};
    bool floating = cc_is_float(y->vector_type->to);
    spend(y, 1);
    if (depth > 0 && percent(y, 80)) {
        enum cc_op op = ints[pick(y, floating ? 3 : sizeof ints / sizeof *ints)];
        struct cc_expr *a = yarp_vector_expression(y, depth - 1);
        struct cc_expr *b = yarp_vector_expression(y, depth - 1);
        return cc_binary(y->p, op, a, b);
    }
    if (percent(y, 20)) {
        struct cc_expr **lanes = arena_array(y->arena, struct cc_expr *, y->vector_type->length);
        for (uint32_t i = 0; i < y->vector_type->length; i++)
            lanes[i] = floating
                           ? cc_float(y->p, y->vector_type->to, yarp_float_constant(y), CC_DECIMAL)
                           : cc_int(y->p, y->vector_type->to, between(y, 1, 7), CC_DECIMAL);
        struct cc_expr *list = cc_list(y->p, y->vector_type, lanes, (int)y->vector_type->length, 0);
        return cc_literal(y->p, y->vector_type, list);
    }
    const var_list *all = &y->vars[percent(y, 50) ? INPUT : MIXED][VECTOR];
    struct cc_expr *e = cc_use(y->p, all->at[pick(y, all->n)]);
    return floating || percent(y, 80) ? e : cc_unary(y->p, CC_COMPL, e);
}
