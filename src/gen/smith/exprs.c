/* Expressions: eight kinds (dissertation 3.4) and ours, drawn by Table 3.2.
 *
 * Every access is validated and takes effect on the running facts when its node is made, in the
 * order of evaluation; operands without an order between them are kept apart by clock intervals
 * (gtav.h). So an expression is valid when it is complete, and nothing is thrown away but leaves.
 *
 * Floating point is exact, unless the program is one of floats.c. Every float variable holds a
 * multiple of 1/8 of at most 4096 in size, every expression is a sum or product of few such values
 * or 16-bit integers, computed in a type that holds it without rounding: at most 38 bits in double,
 * 21 in float. So contraction to FMA, excess precision and order of evaluation change nothing, and
 * every compiler must agree bit by bit. A value is brought back to its range through an integer
 * before it is stored. */
#include "gen/smith/smith_internal.h"
#include "cc/builtin.h"

bool too_deep(const struct smith *s)
{
    return s->at.expr_depth >= s->k.limit[SMITH_EXPR_DEPTH] || s->at.room < 40 * s->at.times;
}

/* -- leaves ----------------------------------------------------------------------------------- */

static struct cc_expr *variable(struct smith *s)
{
    uint32_t place, set;
    struct cc_expr *e = readable(s, WANT_INT, NULL, &place, &set);
    if (!e)
        return constant(s, draw_int(s));
    /* Whether an enumeration is int or unsigned is the implementation's choice (6.7.2.2p4), and
     * with it what it is converted to: gcc and chibicc differ. */
    return e->type->kind == CC_ENUM ? cc_cast(s->p, cc_basic(&s->p->types, CC_INT), e) : e;
}

static struct cc_expr *leaf(struct smith *s)
{
    return percent(s, 75) ? variable(s) : constant(s, draw_int(s));
}

/* -- operators -------------------------------------------------------------------------------- */

static enum cc_op draw_operator(struct smith *s)
{
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_AND, CC_OR,  CC_XOR, CC_LT,
                                     CC_GT,  CC_LE,  CC_GE,  CC_EQ,  CC_NE,  CC_LAND,
                                     CC_LOR, CC_MUL, CC_DIV, CC_REM, CC_SHL, CC_SHR};
    static const unsigned weights[] = {14, 14, 9, 9, 9, 3, 3, 3, 3, 3, 3, 4, 4, 9, 5, 5, 6, 6};
    for (;;) {
        enum cc_op op = ops[choose_weighted(s->c, weights, sizeof ops / sizeof *ops)];
        if ((op == CC_MUL && !may(s, SMITH_MULTIPLICATION)) ||
            ((op == CC_DIV || op == CC_REM) && !may(s, SMITH_DIVISION)) ||
            ((op == CC_SHL || op == CC_SHR) && !may(s, SMITH_SHIFTS))) {
            /* the rest of the weights stays as it is */
            op = CC_ADD;
        }
        return op;
    }
}

/* 3.6.2: most shift counts are in range. */
static struct cc_expr *shift_count(struct smith *s, const struct cc_type *left)
{
    const struct cc_type *t = cc_promoted(&s->p->types, left, -1);
    switch (pick(s, 4)) {
    case 0:
    case 1:
        return small_constant(s, 0, t->bits - 1);
    case 2:
        spend(s, 2);
        return cc_binary(s->p, CC_AND, variable(s),
                         cc_int(s->p, cc_basic(&s->p->types, CC_INT), t->bits - 1, CC_DECIMAL));
    default:
        return integer(s);
    }
}

/* b of a op b where a was made since `start`. Two constants would be folded before any pass. */
static struct cc_expr *second(struct smith *s, uint32_t start, const struct cc_expr *a)
{
    gtav_push(&s->g, start);
    struct cc_expr *b = is_constant(a) ? variable(s) : integer(s);
    gtav_pop(&s->g);
    return b;
}

static struct cc_expr *logical(struct smith *s, enum cc_op op)
{
    struct cc_expr *a = condition(s);
    struct state other = gtav_fork(&s->g);
    struct cc_expr *b = condition(s);
    gtav_meet(&s->g, &other);
    struct cc_expr *e = cc_binary(s->p, op, a, b);
    e->turnable = true;
    return e;
}

static struct cc_expr *compare_pointers(struct smith *s)
{
    uint32_t place, set;
    if (!may(s, SMITH_POINTERS) || !s->globals.n)
        return NULL;
    for (int i = 0; i < 4; i++) {
        struct cc_var *v = pick_variable(s);
        if (v->type->kind != CC_POINTER || v->type->to->kind == CC_FUNCTION)
            continue;
        const struct cc_type *t = v->type->plain;
        uint32_t start = gtav_operand(&s->g);
        struct cc_expr *a = readable(s, WANT_EXACT, t, &place, &set);
        if (!a)
            continue;
        gtav_push(&s->g, start);
        struct cc_expr *b = pointer_value(s, t, true, &set);
        gtav_pop(&s->g);
        return cc_binary(s->p, percent(s, 50) ? CC_EQ : CC_NE, a, b);
    }
    return NULL;
}

static struct cc_expr *binary(struct smith *s)
{
    if (percent(s, 4)) {
        struct cc_expr *e = compare_pointers(s);
        if (e)
            return e;
    }
    if (may(s, SMITH_FLOATS) && wants(s, SMITH_FLOATS)) { /* a comparison of floats is an int */
        if (s->p->ieee_floats)
            return ieee_question(s);
        uint32_t start = gtav_operand(&s->g);
        struct cc_expr *a = floating(s);
        gtav_push(&s->g, start);
        struct cc_expr *b = floating(s);
        gtav_pop(&s->g);
        return cc_binary(s->p, (enum cc_op)(CC_LT + (int)pick(s, 6)), a, b);
    }
    enum cc_op op = draw_operator(s);
    if (op == CC_LAND || op == CC_LOR)
        return logical(s, op);
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *a = integer(s), *b;
    if (op == CC_SHL || op == CC_SHR) {
        gtav_push(&s->g, start);
        b = shift_count(s, a->type);
        gtav_pop(&s->g);
    } else if ((op == CC_DIV || op == CC_REM) && percent(s, 40)) {
        b = small_constant(s, 1, 100);
    } else {
        b = second(s, start, a);
    }
    struct cc_expr *e = cc_binary(s->p, op, a, b);
    cc_make_safe(e);
    return e;
}

static struct cc_expr *unary(struct smith *s)
{
    static const enum cc_op ops[] = {CC_MINUS, CC_NOT, CC_COMPL, CC_PLUS};
    enum cc_op op = ops[pick(s, may(s, SMITH_UNARY_PLUS) ? 4 : 3)];
    struct cc_expr *e = cc_unary(s->p, op, integer(s));
    cc_make_safe(e);
    return e;
}

struct cc_expr *one_of_two(struct smith *s, struct cc_expr *c,
                           struct cc_expr *(*value)(struct smith *s))
{
    struct state other = gtav_fork(&s->g);
    struct cc_expr *a = value(s);
    gtav_other_way(&s->g, &other);
    struct cc_expr *b = value(s);
    gtav_meet(&s->g, &other);
    return cc_cond(s->p, c, a, b);
}

static struct cc_expr *conditional(struct smith *s)
{
    struct cc_expr *e = one_of_two(s, condition(s), integer);
    e->turnable = true;
    return e;
}

static struct cc_expr *cast(struct smith *s)
{
    const struct cc_type *t = draw_int(s);
    if (wants(s, SMITH_FLOATS)) {
        if (s->p->ieee_floats)
            return ieee_integer(s);
        bool wide = may(s, SMITH_INT64) && percent(s, 50);
        return cc_cast(s->p, cc_int_type(&s->p->types, wide ? 64 : 32, true), floating(s));
    }
    if (t->kind == CC_ENUM)
        t = cc_int_type(&s->p->types, 32, false);
    return cc_cast(s->p, t, integer(s));
}

/* A builtin of one or two integers; arguments outside of its domain are moved into it. */
static struct cc_expr *builtin(struct smith *s)
{
    static const int ids[] = {CC_BUILTIN_CLZ,      CC_BUILTIN_CTZ,        CC_BUILTIN_FFS,
                              CC_BUILTIN_POPCOUNT, CC_BUILTIN_PARITY,     CC_BUILTIN_BSWAP32,
                              CC_BUILTIN_CLRSB,    CC_BUILTIN_CLZLL,      CC_BUILTIN_CTZLL,
                              CC_BUILTIN_BSWAP64,  CC_BUILTIN_POPCOUNTLL, CC_BUILTIN_BSWAP16,
                              CC_BUILTIN_FFSLL,    CC_BUILTIN_PARITYLL,   CC_BUILTIN_CLRSBLL};
    int id = ids[pick(s, sizeof ids / sizeof *ids)];
    struct cc_expr *args[1] = {integer(s)};
    if (cc_builtins[id].not_zero) { /* x | 1 is not zero */
        args[0] = cc_binary(s->p, CC_OR, args[0], small_constant(s, 1, 1));
        if (cc_builtins[id].params[0] == 'u' && args[0]->type->bits > 32)
            args[0] =
                cc_binary(s->p, CC_OR, cc_cast(s->p, cc_int_type(&s->p->types, 32, false), args[0]),
                          small_constant(s, 1, 1));
    }
    return cc_builtin(s->p, id, args, 1);
}

static struct cc_expr *one_integer(struct smith *s)
{
    enum { CALL, CONSTANT, VARIABLE, BINARY, UNARY, COMMA, ASSIGN, COND, CAST, BUILTIN, N };
    unsigned weights[N];
    for (int i = 0; i < N; i++)
        weights[i] = s->k.weight[SMITH_EXPR_CALL + i];
    if (s->at.simple || !may(s, SMITH_CALLS))
        weights[CALL] = 0;
    if (s->at.simple || !may(s, SMITH_EMBEDDED_ASSIGNS))
        weights[ASSIGN] = 0;
    if (s->at.simple || !may(s, SMITH_COMMA))
        weights[COMMA] = 0;
    if (!may(s, SMITH_CONDITIONAL))
        weights[COND] = 0;
    if (!may(s, SMITH_CASTS))
        weights[CAST] = 0;
    if (!may(s, SMITH_BUILTINS))
        weights[BUILTIN] = 0;
    if (too_deep(s))
        return leaf(s);
    /* never all zero */
    weights[VARIABLE] += !weights[CONSTANT] && !weights[VARIABLE] && !weights[BINARY];
    uint32_t set;
    struct cc_expr *e = NULL;
    switch (choose_weighted(s->c, weights, N)) {
    case CALL:
        e = call(s, NULL, &set);
        return e ? e : percent(s, 95) ? binary(s) : unary(s);
    case CONSTANT:
        return constant(s, draw_int(s));
    case VARIABLE:
        return variable(s);
    case UNARY:
        return unary(s);
    case COMMA: {
        struct cc_expr *a = integer(s);
        return cc_comma(s->p, a, integer(s));
    }
    case ASSIGN:
        e = assignment(s, false);
        return e ? e : leaf(s);
    case COND:
        return conditional(s);
    case CAST:
        return cast(s);
    case BUILTIN:
        return builtin(s);
    default:
        return binary(s);
    }
}

struct cc_expr *integer(struct smith *s)
{
    s->at.expr_depth++;
    spend(s, 1);
    struct cc_expr *e = one_integer(s);
    s->at.expr_depth--;
    return e;
}

/* -- floats ----------------------------------------------------------------------------------- */

static struct cc_expr *float_leaf(struct smith *s)
{
    uint32_t place, set;
    const struct cc_type *d = cc_basic(&s->p->types, CC_DOUBLE);
    if (percent(s, 70)) {
        struct cc_expr *e = readable(s, WANT_FLOAT, NULL, &place, &set);
        if (e)
            return e;
    }
    spend(s, 2);
    if (percent(s, 50)) {
        struct cc_expr *e = cc_cast(s->p, cc_int_type(&s->p->types, 16, true), leaf(s));
        return cc_cast(s->p, d, e);
    }
    return cc_float(s->p, d, (double)between(s, -64, 64) * 0.125, CC_DECIMAL);
}

/* a + b, a - b, a * b, a * b + c, a / 2^k: exact, see above. */
struct cc_expr *floating(struct smith *s)
{
    if (s->p->ieee_floats)
        return ieee_value(s);
    const struct cc_type *d = cc_basic(&s->p->types, CC_DOUBLE);
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *a = float_leaf(s);
    spend(s, 2);
    uint32_t form = pick(s, 5);
    if (form == 0)
        return a;
    if (form == 4)
        return cc_binary(s->p, CC_DIV, a,
                         cc_float(s->p, a->type->plain, (double)(1 << pick(s, 4)), CC_DECIMAL));
    gtav_push(&s->g, start);
    struct cc_expr *b = float_leaf(s);
    gtav_pop(&s->g);
    if (form == 1)
        return cc_binary(s->p, percent(s, 50) ? CC_ADD : CC_SUB, a, b);
    struct cc_expr *product = cc_binary(s->p, CC_MUL, cc_cast(s->p, d, a), b);
    if (form == 2)
        return product;
    gtav_push(&s->g, start);
    struct cc_expr *c = float_leaf(s);
    gtav_pop(&s->g);
    return cc_binary(s->p, percent(s, 50) ? CC_ADD : CC_SUB, product, c);
}

/* A value that a float variable may hold. */
static struct cc_expr *float_value(struct smith *s, const struct cc_type *t)
{
    uint32_t place, set;
    if (s->p->ieee_floats)
        return ieee_value(s);
    t = t->plain;
    if (percent(s, 30)) {
        struct cc_expr *e = readable(s, WANT_FLOAT, NULL, &place, &set);
        if (e)
            return cc_convert(s->p, t, e);
    }
    struct cc_expr *e = floating(s);
    spend(s, 4);
    bool wide = may(s, SMITH_INT64) && percent(s, 50);
    e = cc_cast(s->p, cc_int_type(&s->p->types, wide ? 64 : 32, true), e);
    e = cc_cast(s->p, cc_int_type(&s->p->types, 16, true), e);
    e = cc_cast(s->p, t, e);
    return cc_binary(s->p, CC_DIV, e, cc_float(s->p, t, 8, CC_DECIMAL));
}

/* -- values of a type ------------------------------------------------------------------------- */

struct cc_expr *pointer_value(struct smith *s, const struct cc_type *t, bool null_too,
                              uint32_t *set)
{
    uint32_t place;
    t = t->plain;
    spend(s, 1);
    if (null_too && percent(s, 8)) {
        *set = s->g.f.set_null;
        return cc_null(s->p, t);
    }
    if (!s->at.simple && !too_deep(s) && wants(s, SMITH_POINTER_RESULTS)) {
        s->at.expr_depth++;
        struct cc_expr *e = call(s, t, set);
        s->at.expr_depth--;
        if (e)
            return e;
    }
    if (percent(s, 40)) {
        struct cc_expr *e = readable(s, WANT_EXACT, t, &place, set);
        if (e)
            return cc_convert(s->p, t, e);
    }
    struct cc_expr *e = cc_addr(s->p, addressable(s, t->to, &place));
    *set = gtav_value(&s->g, e); /* notes that the address of a local leaves it */
    return cc_convert(s->p, t, e);
}

static struct cc_expr *enum_value(struct smith *s, const struct cc_type *t)
{
    uint32_t place, set;
    struct cc_expr *e = percent(s, 50) ? readable(s, WANT_EXACT, t->plain, &place, &set) : NULL;
    return e ? e : constant(s, t);
}

/* A new variable, and its value read. */
static struct cc_expr *fresh_value(struct smith *s, const struct cc_type *t)
{
    struct cc_expr *e = cc_use(s->p, new_variable(s, t, true));
    gtav_value(&s->g, e);
    return e;
}

/* A record: a variable, a call, a compound literal. */
static struct cc_expr *one_record(struct smith *s, const struct cc_type *t)
{
    uint32_t place, set;
    t = t->plain;
    if (!s->at.simple && !too_deep(s) && wants(s, SMITH_STRUCT_RESULTS)) {
        struct cc_expr *e = call(s, t, &set);
        if (e)
            return e;
    }
    if (t->kind == CC_UNION || !wants(s, SMITH_LITERALS) || s->at.simple || too_deep(s)) {
        struct cc_expr *e = readable(s, WANT_EXACT, t, &place, &set);
        if (e)
            return e;
        return fresh_value(s, t);
    }
    struct cc_expr *parts[128];
    int n = 0;
    uint32_t start = gtav_operand(&s->g);
    for (int i = 0; i < t->record->n_fields && n < 128; i++) {
        const struct cc_type *f = t->record->fields[i].type;
        if (!t->record->fields[i].name)
            continue;
        if (f->kind == CC_ARRAY || cc_is_record(f))
            break; /* the rest is zero */
        gtav_push(&s->g, start);
        parts[n++] = value_of(s, f, &set);
        gtav_pop(&s->g);
    }
    spend(s, 2);
    if (!n)
        return fresh_value(s, t);
    return cc_literal(s->p, t, cc_list(s->p, t, parts, n, 0));
}

static struct cc_expr *record_value(struct smith *s, const struct cc_type *t)
{
    s->at.expr_depth++;
    struct cc_expr *e = one_record(s, t);
    s->at.expr_depth--;
    return e;
}

struct cc_expr *value_of(struct smith *s, const struct cc_type *t, uint32_t *set)
{
    *set = 0;
    if (t->kind == CC_POINTER)
        return pointer_value(s, t, true, set);
    if (cc_is_record(t))
        return record_value(s, t);
    if (cc_is_float(t))
        return float_value(s, t);
    if (t->kind == CC_ENUM)
        return enum_value(s, t);
    return integer(s);
}

/* -- assignments ------------------------------------------------------------------------------ */

static struct cc_expr *fresh_target(struct smith *s, const struct cc_type *t, uint32_t *place)
{
    struct cc_expr *e = cc_use(s->p, new_variable(s, t, percent(s, 35)));
    *place = gtav_place(&s->g, e);
    return e;
}

static bool store_failed(struct smith *s)
{
    bool bad = s->g.bad;
    s->g.bad = false;
    s->n_rejected += bad;
    return bad;
}

static struct cc_expr *assign_pointer(struct smith *s, bool statement)
{
    const struct cc_type *t = NULL;
    for (int i = 0; i < 6 && !t; i++) {
        struct cc_var *v = pick_variable(s);
        if (v->type->kind == CC_POINTER && v->type->to->kind != CC_FUNCTION)
            t = v->type->plain;
    }
    if (!t || !statement)
        return NULL;
    uint32_t start = gtav_operand(&s->g), set, place;
    struct cc_expr *value = pointer_value(s, t, true, &set);
    gtav_push(&s->g, start);
    struct cc_expr *to = writable(s, WANT_EXACT, t, false, &place);
    gtav_pop(&s->g);
    if (!to)
        to = fresh_target(s, t, &place);
    gtav_store(&s->g, place, to->type, set, 0, start);
    if (store_failed(s))
        return NULL;
    return cc_assign(s->p, CC_NONE, to, value);
}

static struct cc_expr *assign_record(struct smith *s)
{
    uint32_t place, from, set;
    const struct cc_type *t = s->records.at[pick(s, s->records.n)];
    if (t->has_const || t->has_volatile)
        return NULL;
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *value = NULL;
    from = 0;
    if (percent(s, 50))
        value = record_value(s, t);
    else
        value = readable(s, WANT_EXACT, t, &from, &set);
    if (!value)
        return NULL;
    gtav_push(&s->g, start);
    struct cc_expr *to = writable(s, WANT_EXACT, t, false, &place);
    gtav_pop(&s->g);
    if (!to)
        to = fresh_target(s, t, &place);
    if (gtav_overlaps(&s->g, place, from))
        return value;
    gtav_store(&s->g, place, t, 0, from, start);
    return store_failed(s) ? value : cc_assign(s->p, CC_NONE, to, value);
}

struct cc_stmt *store_or_use(struct smith *s, struct cc_expr *value)
{
    uint32_t place;
    if (percent(s, 50))
        return use_value(s, value);
    gtav_full_expression(&s->g);
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *to = writable(s, WANT_INT, NULL, false, &place);
    if (!to)
        return use_value(s, value);
    gtav_store(&s->g, place, to->type, 0, 0, start);
    if (store_failed(s))
        return use_value(s, value);
    return cc_expr_stmt(s->p, cc_assign(s->p, CC_NONE, to, value));
}

static struct cc_expr *assign_strict(struct smith *s, const struct cc_type *t)
{
    uint32_t place, set, start = gtav_operand(&s->g);
    struct cc_expr *value = value_of(s, t, &set);
    uint32_t source = gtav_source(&s->g, value);
    gtav_push(&s->g, start);
    struct cc_expr *to = writable(s, WANT_EXACT, t->plain, false, &place);
    gtav_pop(&s->g);
    if (!to)
        to = fresh_target(s, t, &place);
    if (gtav_overlaps(&s->g, place, source))
        return value;
    gtav_store(&s->g, place, to->type, 0, 0, start);
    return store_failed(s) ? value : cc_assign(s->p, CC_NONE, to, value);
}

/* ++ and --: the operation of a signed type of int's rank may overflow, so there it must be one
 * that can be wrapped: prefix, and not volatile. */
static struct cc_expr *increment(struct smith *s)
{
    uint32_t place, start = gtav_operand(&s->g);
    struct cc_expr *to = writable(s, WANT_INT, NULL, true, &place);
    if (!to || to->type->kind == CC_BOOL || cc_bitfield_bits(to) >= 31) /* unsigned, yet an int */
        return NULL;
    bool wrapped = to->type->is_signed && to->type->bits >= 32 && cc_bitfield_bits(to) < 0;
    if (wrapped && (to->type->quals || to->effects))
        return NULL;
    gtav_store(&s->g, place, to->type, 0, 0, start);
    if (store_failed(s))
        return NULL;
    /* one choice per statement: C leaves the order of arguments open */
    enum cc_op op = percent(s, 50) ? CC_SUB : CC_ADD;
    bool postfix = !wrapped && percent(s, 60);
    struct cc_expr *e = cc_incdec(s->p, op, postfix, to);
    cc_make_safe(e);
    return e;
}

static enum cc_op draw_compound(struct smith *s)
{
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_AND, CC_OR,  CC_XOR,
                                     CC_MUL, CC_SHL, CC_SHR, CC_DIV, CC_REM};
    size_t n = may(s, SMITH_DIVISION) ? 10 : 8;
    enum cc_op op = ops[pick(s, n)];
    if ((op == CC_MUL && !may(s, SMITH_MULTIPLICATION)) ||
        ((op == CC_SHL || op == CC_SHR) && !may(s, SMITH_SHIFTS)))
        op = CC_XOR;
    return op;
}

static struct cc_expr *assign_integer(struct smith *s)
{
    if (wants(s, SMITH_INCREMENT)) {
        struct cc_expr *e = increment(s);
        if (e)
            return e;
    }
    bool compound = wants(s, SMITH_COMPOUND_ASSIGNS);
    enum cc_op op = compound ? draw_compound(s) : CC_NONE;
    uint32_t place, start = gtav_operand(&s->g);
    bool shift = op == CC_SHL || op == CC_SHR;
    struct cc_expr *value = shift ? shift_count(s, cc_basic(&s->p->types, CC_INT)) : integer(s);
    uint32_t source = compound ? 0 : gtav_source(&s->g, value);
    gtav_push(&s->g, start);
    struct cc_expr *to = writable(s, WANT_INT, NULL, compound, &place);
    gtav_pop(&s->g);
    if (!to) {
        op = CC_NONE;
        to = fresh_target(s, s->ints.at[pick(s, s->ints.n)], &place);
    }
    /* a wrapped op= is printed as a = wrapper(a, b): a is evaluated twice */
    if (op != CC_NONE && (to->type->has_volatile || to->effects || cc_bitfield_bits(to) > 32))
        op = CC_NONE; /* and in a bit-field wider than int GCC would compute in its width */
    if (gtav_overlaps(&s->g, place, source))
        return value;
    gtav_store(&s->g, place, to->type, 0, 0, start);
    if (store_failed(s))
        return value; /* just what would have been stored */
    struct cc_expr *e = cc_assign(s->p, op, to, value);
    if (op != CC_NONE)
        cc_make_safe(e);
    return e;
}

struct cc_expr *assignment(struct smith *s, bool statement)
{
    spend(s, 1);
    struct cc_expr *e = NULL;
    if (statement) {
        if (may(s, SMITH_POINTERS) && percent(s, 14))
            e = assign_pointer(s, statement);
        else if (s->records.n && percent(s, 5))
            e = assign_record(s);
        else if (wants(s, SMITH_FLOATS) && (!s->p->ieee_floats || !(e = ieee_assignment(s))))
            e = assign_strict(s, cc_basic(&s->p->types, percent(s, 70) ? CC_DOUBLE : CC_FLOAT));
        else if (s->enums.n && percent(s, 2))
            e = assign_strict(s, s->enums.at[pick(s, s->enums.n)]);
    }
    return e ? e : assign_integer(s);
}
