/* Idioms: forms of code that single passes of optimisers look for, one row each (config.h).
 *
 * A row takes a few live values into variables of its own, and computes something of them in a form
 * that is known to be recognised, folded, or made into one instruction; with the constants, widths
 * and spellings drawn, so that near misses come too. The result goes into the checksum. Operations
 * that could overflow are unsigned (ranged.h); loops end for any value. */
#include "gen/smith/idioms.h"
#include "cc/builtin.h"

#include "base/error.h"

/* -- values ----------------------------------------------------------------------------------- */

const struct cc_type *idiom_unsigned(struct smith *s, int least)
{
    for (int i = 0; i < 6; i++) {
        const struct cc_type *t = nest_type(s);
        if (!t->is_signed && t->bits >= least)
            return t;
    }
    return cc_int_type(&s->p->types, 32, false);
}

static const struct cc_type *draw_signed(struct smith *s)
{
    for (int i = 0; i < 6; i++) {
        const struct cc_type *t = nest_type(s);
        if (t->is_signed)
            return t;
    }
    return cc_basic(&s->p->types, CC_INT);
}

struct ranged idiom_read(struct smith *s, struct cc_var *v)
{
    spend(s, 1);
    return ranged_of(cc_use(s->p, v));
}

static struct ranged number_of(struct smith *s, const struct cc_type *t, cc_wide v)
{
    v = cc_wrap(t, v);
    return (struct ranged){cc_int(s->p, t->plain, v, percent(s, 60) ? CC_HEX : CC_DECIMAL), v, v};
}

/* A variable of the innermost block that nobody else finds. */
struct cc_var *idiom_variable(struct smith *s, const struct cc_type *t, int64_t first)
{
    struct smith_scope *scope = &s->at.scopes.at[s->at.scopes.n - 1];
    bool array = t->kind == CC_ARRAY;
    struct cc_expr *init = number_of(s, array ? t->to : t, first).e;
    if (array)
        init = cc_list(s->p, t, &init, 1, 0);
    struct cc_var *v = cc_local(s->p, new_name(s, 'l'), t, init);
    gtav_add_var(&s->g, v, gtav_home(scope->block));
    gtav_initialise(&s->g, v);
    declare(s, scope, v);
    scope->vars.n--;
    spend(s, 3);
    return v;
}

static void append(struct smith *s, struct cc_expr *e)
{
    cc_append(innermost_block(s), cc_expr_stmt(s->p, e));
}

void idiom_put(struct smith *s, struct cc_var *v, struct ranged value)
{
    spend(s, 2);
    append(s, cc_assign(s->p, CC_NONE, cc_use(s->p, v), value.e));
}

/* A live value in a variable of this type. */
struct cc_var *idiom_operand(struct smith *s, const struct cc_type *t)
{
    struct cc_var *v = idiom_variable(s, t, between(s, 0, 99));
    gtav_full_expression(&s->g);
    struct cc_expr *x = cc_promote(s->p, percent(s, 75) ? subject(s) : integer(s));
    if (x->type->bits > 64)
        x = cc_cast(s->p, cc_int_type(&s->p->types, may(s, SMITH_INT64) ? 64 : 32, false), x);
    idiom_put(s, v, ranged_of(x));
    return v;
}

/* A count that is below the width, in a variable or a constant. */
static struct ranged shift_by(struct smith *s, int bits)
{
    if (percent(s, 55))
        return ranged_number(s, between(s, 1, bits - 1));
    struct cc_var *v = idiom_variable(s, cc_basic(&s->p->types, CC_INT), between(s, 0, bits - 1));
    gtav_full_expression(&s->g);
    struct cc_expr *x = cc_promote(s->p, subject(s));
    if (x->type->bits > 64)
        x = cc_cast(s->p, cc_int_type(&s->p->types, may(s, SMITH_INT64) ? 64 : 32, false), x);
    idiom_put(s, v, ranged_with(s, CC_AND, ranged_of(x), bits - 1));
    return (struct ranged){cc_use(s->p, v), 0, bits - 1};
}

static struct ranged as(struct smith *s, const struct cc_type *t, struct ranged a)
{
    return a.e->type->plain == t->plain ? a : ranged_cast(s, t, a);
}

struct cc_stmt *idiom_block(struct smith *s)
{
    struct cc_stmt *block = cc_block(s->p);
    uint32_t home = gtav_new_home(&s->g, s->at.func->f);
    block->facts = (void *)(uintptr_t)home;
    s->g.blocks.at[home].sealed = true;
    return block;
}

void idiom_add(struct smith *s, struct cc_stmt *block, struct cc_var *v, enum cc_op op,
               struct ranged value)
{
    spend(s, 3);
    cc_append(block, cc_expr_stmt(s->p, cc_assign(s->p, op, cc_use(s->p, v), value.e)));
}

static struct cc_stmt *append_if(struct smith *s, struct ranged c, struct cc_stmt *a,
                                 struct cc_stmt *b)
{
    struct cc_stmt *st = cc_if(s->p, c.e, a, b);
    turnable(st);
    cc_append(innermost_block(s), st);
    return st;
}

/* A loop that runs so often at most, while the condition is not 0. */
static void append_while(struct smith *s, struct ranged c, struct cc_stmt *body, int64_t most)
{
    struct cc_stmt *l = cc_stmt(s->p, CC_S_WHILE);
    l->expr = c.e;
    l->a = body;
    cc_append(innermost_block(s), l);
    s->at.room -= most * 12 * s->at.times;
}

/* for (i = 0; i < n; i++) */
static struct cc_var *append_for(struct smith *s, int64_t n, struct cc_stmt *body)
{
    const struct cc_type *t = cc_basic(&s->p->types, CC_INT);
    struct cc_var *i = idiom_variable(s, t, 0);
    struct ranged at = idiom_read(s, i);
    cc_append(innermost_block(s),
              cc_for(s->p, cc_assign(s->p, CC_NONE, cc_use(s->p, i), ranged_number(s, 0).e),
                     ranged_with(s, CC_LT, at, n).e,
                     cc_incdec(s->p, CC_ADD, percent(s, 50), cc_use(s->p, i)), body));
    s->at.room -= n * 12 * s->at.times;
    return i;
}

/* -- bits ------------------------------------------------------------------------------------- */

static struct ranged rotate(struct smith *s)
{
    static const enum cc_op joins[] = {CC_OR, CC_OR, CC_ADD, CC_XOR};
    const struct cc_type *t = idiom_unsigned(s, 8);
    struct cc_var *x = idiom_operand(s, t);
    struct ranged n = shift_by(s, t->bits), up, down;
    bool constant = n.low == n.high, left = percent(s, 50);
    int64_t by = (int64_t)n.low, rest = t->bits - by + (percent(s, 12) ? -1 : 0);
    up = ranged_op(s, CC_SHL, idiom_read(s, x), n);
    if (constant) {
        down = ranged_with(s, CC_SHR, idiom_read(s, x), rest > 0 ? rest : 1);
    } else { /* (-n) & 31 */
        struct ranged m = {cc_use(s->p, n.e->var), 0, t->bits - 1};
        m = ranged_with(s, CC_AND, ranged_op(s, CC_SUB, ranged_number(s, 0), m), t->bits - 1);
        down = ranged_op(s, CC_SHR, idiom_read(s, x), m);
    }
    struct ranged r = left ? ranged_op(s, joins[pick(s, 4)], up, down)
                           : ranged_op(s, joins[pick(s, 4)], down, up);
    return as(s, t, r);
}

static struct ranged swap_bytes(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 16);
    struct cc_var *x = idiom_operand(s, t);
    struct ranged r = {0};
    int bytes = t->bits / 8, wrong = percent(s, 15) ? (int)pick(s, (size_t)bytes) : -1;
    for (int i = 0; i < bytes; i++) {
        struct ranged b = idiom_read(s, x);
        int to = i == wrong ? i : bytes - 1 - i;
        if (i)
            b = ranged_with(s, CC_SHR, b, 8 * i);
        b = as(s, t, ranged_with(s, CC_AND, b, 255));
        if (to)
            b = ranged_with(s, CC_SHL, b, 8 * to);
        r = i ? ranged_op(s, percent(s, 90) ? CC_OR : CC_ADD, r, b) : b;
    }
    return as(s, t, r);
}

static struct ranged count_bits(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 8);
    struct cc_var *x = idiom_operand(s, t);
    struct cc_var *n = idiom_variable(s, cc_int_type(&s->p->types, 32, false), 0);
    idiom_put(s, n, ranged_number(s, 0));
    struct cc_stmt *body = idiom_block(s);
    if (percent(s, 65)) { /* the lowest bit goes */
        idiom_add(s, body, n, CC_ADD, ranged_number(s, 1));
        idiom_add(s, body, x, CC_AND, ranged_with(s, CC_SUB, idiom_read(s, x), 1));
    } else {
        idiom_add(s, body, n, CC_ADD, ranged_with(s, CC_AND, idiom_read(s, x), 1));
        idiom_add(s, body, x, CC_SHR, ranged_number(s, 1));
    }
    append_while(s, percent(s, 50) ? idiom_read(s, x) : ranged_with(s, CC_NE, idiom_read(s, x), 0),
                 body, t->bits);
    return idiom_read(s, n);
}

/* One step of a polynomial, eight times: a CRC. */
static struct ranged crc(struct smith *s)
{
    static const cc_wide polynomials[] = {0xEDB88320, 0xA001, 0x8C, 0x82F63B78, 0x1021};
    const struct cc_type *t = idiom_unsigned(s, 8);
    struct cc_var *x = idiom_operand(s, t);
    struct cc_stmt *body = idiom_block(s);
    struct ranged p = number_of(s, t, polynomials[pick(s, 5)]);
    struct ranged bit = ranged_with(s, CC_AND, idiom_read(s, x), 1);
    struct ranged next = ranged_with(s, CC_SHR, idiom_read(s, x), 1);
    if (percent(s, 50))
        next = ranged_cond(s, bit.e, ranged_op(s, CC_XOR, next, p),
                           ranged_with(s, CC_SHR, idiom_read(s, x), 1));
    else /* the mask of a bit */
        next = ranged_op(s, CC_XOR, next,
                         ranged_op(s, CC_AND, p, ranged_op(s, CC_SUB, number_of(s, t, 0), bit)));
    idiom_add(s, body, x, CC_NONE, next);
    append_for(s, between(s, 4, 16), body);
    return idiom_read(s, x);
}

static struct ranged test_bits(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 8);
    struct cc_var *x = idiom_operand(s, t);
    struct cc_var *r = idiom_variable(s, cc_int_type(&s->p->types, 32, false), 0);
    idiom_put(s, r, number_of(s, r->type, between(s, 0, 9)));
    for (int i = (int)between(s, 2, 5); i > 0; i--) {
        struct cc_stmt *body = idiom_block(s);
        struct ranged mask = number_of(s, t, (cc_wide)1 << pick(s, t->bits));
        struct ranged bit = ranged_op(s, CC_AND, idiom_read(s, x), mask);
        if (percent(s, 30))
            bit = ranged_with(s, percent(s, 50) ? CC_EQ : CC_NE, bit, 0);
        static const enum cc_op ops[] = {CC_ADD, CC_XOR, CC_OR};
        idiom_add(s, body, r, ops[pick(s, 3)], number_of(s, r->type, between(s, 1, 99)));
        append_if(s, bit, body, NULL);
    }
    return idiom_read(s, r);
}

/* Lowest bit, power of two, set, clear and flip a bit, masks of bits. */
static struct ranged bit_trick(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 8);
    struct cc_var *x = idiom_operand(s, t);
    struct ranged one = number_of(s, t, 1), n = shift_by(s, t->bits);
    struct ranged less = ranged_with(s, CC_SUB, idiom_read(s, x), 1);
    switch (pick(s, 8)) {
    case 0: /* x & -x */
        return ranged_op(s, CC_AND, idiom_read(s, x),
                         ranged_op(s, CC_SUB, number_of(s, t, 0), idiom_read(s, x)));
    case 1:
        return ranged_op(s, CC_AND, idiom_read(s, x), less);
    case 2: /* a power of two? */
        return ranged_op(s, CC_AND, ranged_with(s, CC_NE, idiom_read(s, x), 0),
                         ranged_with(s, CC_EQ, ranged_op(s, CC_AND, idiom_read(s, x), less), 0));
    case 3:
        return ranged_op(s, CC_OR, idiom_read(s, x), ranged_op(s, CC_SHL, one, n));
    case 4:
        return ranged_op(s, CC_XOR, idiom_read(s, x), ranged_op(s, CC_SHL, one, n));
    case 5: /* a bit, as a number */
        return ranged_with(s, CC_AND, ranged_op(s, CC_SHR, idiom_read(s, x), n), 1);
    case 6: /* the low bits */
        return ranged_op(s, CC_AND, idiom_read(s, x),
                         ranged_with(s, CC_SUB, ranged_op(s, CC_SHL, one, n), 1));
    default:
        return ranged_op(s, CC_XOR, idiom_read(s, x),
                         ranged_with(s, CC_SHR, idiom_read(s, x), between(s, 1, t->bits - 1)));
    }
}

/* Fields packed into a word, taken out, and put in. */
static struct ranged pack(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 16);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t);
    int64_t width = between(s, 1, t->bits / 2), at = between(s, 1, t->bits - width);
    cc_wide mask = ((cc_wide)1 << width) - 1;
    struct ranged field = ranged_op(s, CC_AND, idiom_read(s, y), number_of(s, t, mask));
    struct ranged moved = ranged_with(s, CC_SHL, field, at);
    switch (pick(s, 3)) {
    case 0: /* (x & ~m) | (y & m) << at */
        return ranged_op(s, CC_OR,
                         ranged_op(s, CC_AND, idiom_read(s, x), number_of(s, t, ~(mask << at))),
                         moved);
    case 1:
        return ranged_op(s, CC_AND, ranged_with(s, CC_SHR, idiom_read(s, x), at),
                         number_of(s, t, mask));
    default:
        return ranged_op(s, CC_OR, ranged_with(s, CC_SHR, idiom_read(s, x), t->bits - at), moved);
    }
}

/* -- arithmetic ------------------------------------------------------------------------------- */

static struct ranged saturate(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 8);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t), *r = idiom_variable(s, t, 0);
    struct ranged most = number_of(s, t, -1);
    switch (pick(s, 4)) {
    case 0: /* r = x + y; if (r < x) r = max */
        idiom_put(s, r, ranged_op(s, CC_ADD, idiom_read(s, x), idiom_read(s, y)));
        return ranged_cond(s, ranged_op(s, CC_LT, idiom_read(s, r), idiom_read(s, x)).e, most,
                           idiom_read(s, r));
    case 1: /* x > y ? x - y : 0 */
        return ranged_cond(s, ranged_op(s, CC_GT, idiom_read(s, x), idiom_read(s, y)).e,
                           ranged_op(s, CC_SUB, idiom_read(s, x), idiom_read(s, y)),
                           number_of(s, t, 0));
    case 2: /* x > max - y ? max : x + y */
        return ranged_cond(
            s,
            ranged_op(s, CC_GT, idiom_read(s, x), ranged_op(s, CC_SUB, most, idiom_read(s, y))).e,
            number_of(s, t, -1), ranged_op(s, CC_ADD, idiom_read(s, x), idiom_read(s, y)));
    default: /* r = x + y; r |= -(r < x) */
        idiom_put(s, r, ranged_op(s, CC_ADD, idiom_read(s, x), idiom_read(s, y)));
        return ranged_op(s, CC_OR, idiom_read(s, r),
                         ranged_op(s, CC_SUB, number_of(s, t, 0),
                                   ranged_op(s, CC_LT, idiom_read(s, r), idiom_read(s, x))));
    }
}

/* Minimum and maximum, clamped between two, by ?: or if. */
static struct ranged clamp(struct smith *s)
{
    const struct cc_type *t = nest_type(s);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t), *r = idiom_variable(s, t, 0);
    enum cc_op first = percent(s, 50) ? CC_LT : CC_GT;
    idiom_put(s, r,
              ranged_cond(s, ranged_op(s, first, idiom_read(s, x), idiom_read(s, y)).e,
                          idiom_read(s, x), idiom_read(s, y)));
    int64_t low = between(s, t->is_signed ? -100 : 0, 40), high = low + between(s, 0, 80);
    if (percent(s, 50)) {
        struct ranged inner = ranged_cond(s, ranged_with(s, CC_GT, idiom_read(s, r), high).e,
                                          ranged_number(s, high), idiom_read(s, r));
        return ranged_cond(s, ranged_with(s, CC_LT, idiom_read(s, r), low).e, ranged_number(s, low),
                           inner);
    }
    struct cc_stmt *up = idiom_block(s), *down = idiom_block(s);
    idiom_add(s, up, r, CC_NONE, number_of(s, t, low));
    idiom_add(s, down, r, CC_NONE, number_of(s, t, high));
    append_if(s, ranged_with(s, CC_LT, idiom_read(s, r), low), up, NULL);
    append_if(s, ranged_with(s, CC_GT, idiom_read(s, r), high), down, NULL);
    return idiom_read(s, r);
}

static struct ranged absolute(struct smith *s)
{
    const struct cc_type *t = draw_signed(s);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t);
    struct ranged zero = ranged_number(s, 0);
    struct ranged negative = ranged_op(s, CC_SUB, zero, idiom_read(s, x));
    struct ranged c = ranged_with(s, percent(s, 50) ? CC_LT : CC_LE, idiom_read(s, x), 0);
    switch (pick(s, 3)) {
    case 0:
        return ranged_cond(s, c.e, negative, idiom_read(s, x));
    case 1: /* |x - y| */
        return ranged_cond(s, ranged_op(s, CC_GT, idiom_read(s, x), idiom_read(s, y)).e,
                           ranged_op(s, CC_SUB, idiom_read(s, x), idiom_read(s, y)),
                           ranged_op(s, CC_SUB, idiom_read(s, y), idiom_read(s, x)));
    default: { /* (x ^ m) - m, where m is -(x < 0) */
        struct cc_var *m = idiom_variable(s, t, 0);
        idiom_put(s, m, ranged_op(s, CC_SUB, zero, ranged_with(s, CC_LT, idiom_read(s, x), 0)));
        struct ranged mask = {cc_use(s->p, m), -1, 0}, again = {cc_use(s->p, m), -1, 0};
        return ranged_op(s, CC_SUB, ranged_op(s, CC_XOR, idiom_read(s, x), mask), again);
    }
    }
}

static int64_t draw_divisor(struct smith *s, const struct cc_type *t)
{
    static const int64_t known[] = {3,  5,  6,  7,  9,   10,  11,  12,  13,   14,   15,   17,
                                    19, 25, 28, 60, 100, 125, 127, 128, 641,  1000, 4096, 10000,
                                    2,  4,  8,  16, 32,  64,  255, 256, 1023, 1024, 60000};
    int64_t d = percent(s, 75)
                    ? known[pick(s, sizeof known / sizeof *known)]
                    : (int64_t)choose_bits(s->c, (unsigned)t->bits - 1 > 30 ? 30 : t->bits - 1u);
    d = d < 2 ? 3 : d;
    return t->is_signed && percent(s, 20) ? -d : d;
}

static struct ranged divide(struct smith *s)
{
    const struct cc_type *t = nest_type(s);
    struct cc_var *x = idiom_operand(s, t);
    int64_t d = draw_divisor(s, t);
    struct ranged q = ranged_with(s, CC_DIV, idiom_read(s, x), d);
    switch (pick(s, 6)) {
    case 0:
        return q;
    case 1:
        return ranged_with(s, CC_REM, idiom_read(s, x), d);
    case 2: /* a multiple? */
        return ranged_with(s, percent(s, 60) ? CC_EQ : CC_NE,
                           ranged_with(s, CC_REM, idiom_read(s, x), d), percent(s, 75) ? 0 : 1);
    case 3: /* x - x / d * d */
        return ranged_op(s, CC_SUB, idiom_read(s, x), ranged_with(s, CC_MUL, q, d));
    case 4: /* both */
        return ranged_op(s, CC_XOR, q, ranged_with(s, CC_REM, idiom_read(s, x), d));
    default: /* x / d < c */
        return ranged_with(s, percent(s, 50) ? CC_LT : CC_GE, q, between(s, 0, 20));
    }
}

static struct ranged sign(struct smith *s)
{
    const struct cc_type *t = draw_signed(s);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t);
    struct ranged negative = ranged_with(s, CC_LT, idiom_read(s, x), 0);
    switch (pick(s, 4)) {
    case 0:
        return ranged_op(s, CC_SUB, ranged_with(s, CC_GT, idiom_read(s, x), 0), negative);
    case 1:
        return ranged_cond(s, negative.e, ranged_number(s, -1), ranged_number(s, 1));
    case 2: /* of different signs */
        return ranged_with(s, percent(s, 50) ? CC_LT : CC_GE,
                           ranged_op(s, CC_XOR, idiom_read(s, x), idiom_read(s, y)), 0);
    default: /* three-way */
        return ranged_op(s, CC_SUB, ranged_op(s, CC_GT, idiom_read(s, x), idiom_read(s, y)),
                         ranged_op(s, CC_LT, idiom_read(s, x), idiom_read(s, y)));
    }
}

/* Sums of several words, products of twice the width, averages without a carry. */
static struct ranged wide(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 32);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t),
                  *low = idiom_variable(s, t, 0);
    const struct cc_type *u = cc_int_type(&s->p->types, 64, false);
    switch (pick(s, may(s, SMITH_INT64) && t->bits == 32 ? 4 : 2)) {
    case 0: { /* the carry of the low word */
        struct cc_var *z = idiom_operand(s, t);
        idiom_put(s, low, ranged_op(s, CC_ADD, idiom_read(s, x), idiom_read(s, y)));
        struct ranged carry =
            ranged_op(s, CC_LT, idiom_read(s, low), idiom_read(s, percent(s, 50) ? x : y));
        return ranged_op(s, CC_ADD, ranged_op(s, CC_ADD, idiom_read(s, z), idiom_read(s, x)),
                         carry);
    }
    case 1: /* (x & y) + ((x ^ y) >> 1) */
        return ranged_op(
            s, CC_ADD, ranged_op(s, CC_AND, idiom_read(s, x), idiom_read(s, y)),
            ranged_with(s, CC_SHR, ranged_op(s, CC_XOR, idiom_read(s, x), idiom_read(s, y)), 1));
    case 2: /* the high word of a product */
        return ranged_with(
            s, CC_SHR, ranged_op(s, CC_MUL, ranged_cast(s, u, idiom_read(s, x)), idiom_read(s, y)),
            between(s, 20, 40));
    default:
        return ranged_op(s, CC_MUL, ranged_cast(s, u, idiom_read(s, x)),
                         ranged_cast(s, u, idiom_read(s, y)));
    }
}

/* What comes out the same in another order. */
static struct ranged reassociate(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 8);
    struct cc_var *v[3];
    for (int i = 0; i < 3; i++)
        v[i] = idiom_operand(s, t);
    static const enum cc_op ops[] = {CC_ADD, CC_ADD, CC_XOR, CC_MUL, CC_AND, CC_OR};
    enum cc_op op = ops[pick(s, 6)], back = op == CC_ADD ? CC_SUB : op;
    struct ranged a = ranged_op(s, op, idiom_read(s, v[0]), idiom_read(s, v[1]));
    for (int i = (int)between(s, 2, 6); i > 0; i--) {
        struct ranged b =
            percent(s, 70) ? idiom_read(s, v[pick(s, 3)]) : number_of(s, t, between(s, 1, 20));
        if (percent(s, 20))
            b = ranged_op(s, op, b, idiom_read(s, v[pick(s, 3)]));
        if (op == CC_ADD && percent(s, 20))
            b = ranged_with(s, CC_MUL, b, between(s, 2, 9));
        a = ranged_op(s, percent(s, 70) ? op : back, a, b);
    }
    return a;
}

/* x & 255 by casts there and back, and whether a value fits. */
static struct ranged narrow(struct smith *s)
{
    const struct cc_type *t = nest_type(s);
    struct cc_var *x = idiom_operand(s, t);
    struct ranged r = idiom_read(s, x);
    for (int i = (int)between(s, 1, 3); i > 0; i--)
        r = ranged_cast(s, nest_type(s), r);
    return percent(s, 50) ? r : ranged_op(s, percent(s, 50) ? CC_EQ : CC_NE, r, idiom_read(s, x));
}

/* -- control ---------------------------------------------------------------------------------- */

static struct ranged compare(struct smith *s, struct cc_var *x)
{
    static const enum cc_op ops[] = {CC_LT, CC_GT, CC_LE, CC_GE, CC_EQ, CC_NE};
    return ranged_with(s, ops[pick(s, 6)], idiom_read(s, x), between(s, -3, 60));
}

static struct ranged small_value(struct smith *s, struct cc_var *x)
{
    return percent(s, 50) ? ranged_number(s, between(s, -9, 99))
                          : ranged_with(s, percent(s, 50) ? CC_ADD : CC_XOR, idiom_read(s, x),
                                        between(s, 1, 60));
}

/* A diamond, or half of one, that becomes a conditional move. */
static struct ranged convert_if(struct smith *s)
{
    const struct cc_type *t = nest_type(s);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t), *r = idiom_variable(s, t, 0);
    idiom_put(s, r, small_value(s, y));
    struct cc_stmt *a = idiom_block(s), *b = percent(s, 60) ? idiom_block(s) : NULL;
    idiom_add(s, a, r, CC_NONE, small_value(s, x));
    if (b)
        idiom_add(s, b, r, CC_NONE, small_value(s, percent(s, 50) ? x : y));
    append_if(s, compare(s, x), a, b);
    return ranged_op(s, CC_XOR, idiom_read(s, r), idiom_read(s, y));
}

/* What one condition sets, the next one tests. */
static struct ranged thread_jump(struct smith *s)
{
    const struct cc_type *t = nest_type(s), *flag_type = cc_basic(&s->p->types, CC_INT);
    struct cc_var *x = idiom_operand(s, t), *flag = idiom_variable(s, flag_type, 0);
    struct cc_var *r = idiom_variable(s, cc_int_type(&s->p->types, 32, false), 0);
    int64_t n = between(s, 1, 3);
    idiom_put(s, flag, ranged_number(s, 0));
    idiom_put(s, r, ranged_cast(s, r->type, idiom_read(s, x)));
    for (int64_t i = 1; i <= n; i++) {
        struct cc_stmt *a = idiom_block(s);
        idiom_add(s, a, flag, CC_NONE, ranged_number(s, i));
        if (percent(s, 50))
            idiom_add(s, a, r, CC_ADD, number_of(s, r->type, between(s, 1, 99)));
        append_if(s, compare(s, x), a, NULL);
    }
    for (int64_t i = 0; i <= n; i++) {
        struct cc_stmt *a = idiom_block(s);
        idiom_add(s, a, r, percent(s, 50) ? CC_XOR : CC_ADD,
                  number_of(s, r->type, between(s, 1, 999)));
        append_if(s, ranged_with(s, percent(s, 75) ? CC_EQ : CC_NE, idiom_read(s, flag), i), a,
                  NULL);
    }
    return idiom_read(s, r);
}

/* Constants chosen by one condition, and computed with. */
static struct ranged choose_constants(struct smith *s)
{
    const struct cc_type *t = cc_int_type(&s->p->types, 32, percent(s, 60));
    struct cc_var *x = idiom_operand(s, nest_type(s)), *a = idiom_variable(s, t, 0);
    struct cc_var *b = idiom_variable(s, t, 0);
    int64_t v[4];
    for (int i = 0; i < 4; i++)
        v[i] = between(s, 0, 99);
    struct ranged c = compare(s, x), again = compare(s, x);
    idiom_put(s, a, ranged_cond(s, c.e, ranged_number(s, v[0]), ranged_number(s, v[1])));
    idiom_put(s, b, ranged_cond(s, again.e, ranged_number(s, v[2]), ranged_number(s, v[3])));
    struct ranged first = {cc_use(s->p, a), 0, 99}, second = {cc_use(s->p, b), 0, 99};
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_MUL, CC_EQ, CC_LT, CC_AND};
    return ranged_op(s, ops[pick(s, 6)], first, second);
}

/* What a condition tells of a value, inside of it. */
static struct ranged narrow_range(struct smith *s)
{
    const struct cc_type *t = nest_type(s);
    struct cc_var *x = idiom_operand(s, t);
    struct cc_var *r = idiom_variable(s, cc_int_type(&s->p->types, 32, false), 0);
    int64_t low = between(s, 0, 40), high = low + between(s, 2, 60);
    idiom_put(s, r, number_of(s, r->type, between(s, 0, 9)));
    struct cc_stmt *outer = idiom_block(s), *inner = idiom_block(s), *other = idiom_block(s);
    idiom_add(s, inner, r, CC_ADD, ranged_cast(s, r->type, idiom_read(s, x)));
    idiom_add(s, other, r, CC_XOR, number_of(s, r->type, between(s, 1, 999)));
    struct ranged tests[] = {
        ranged_with(s, CC_LT, idiom_read(s, x), high + between(s, -2, 2)),
        ranged_with(s, CC_GE, idiom_read(s, x), low),
        ranged_with(s, CC_NE, idiom_read(s, x), low - 1),
        ranged_with(s, CC_GT, ranged_with(s, CC_AND, idiom_read(s, x), 63), high)};
    struct cc_stmt *branch = cc_if(s->p, tests[pick(s, 4)].e, inner, other);
    turnable(branch);
    cc_append(outer, branch);
    idiom_add(s, outer, r, CC_ADD,
              ranged_cast(s, r->type, ranged_with(s, CC_DIV, idiom_read(s, x), between(s, 2, 9))));
    struct ranged c = ranged_op(s, CC_AND, ranged_with(s, CC_GE, idiom_read(s, x), low),
                                ranged_with(s, CC_LE, idiom_read(s, x), high));
    append_if(s, percent(s, 50) ? c : ranged_with(s, CC_GT, idiom_read(s, x), low), outer, NULL);
    return idiom_read(s, r);
}

/* Truth values as numbers, and as masks. */
static struct ranged truth(struct smith *s)
{
    const struct cc_type *t = nest_type(s);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t);
    struct ranged c = compare(s, x), d = ranged_op(s, CC_LT, idiom_read(s, x), idiom_read(s, y));
    switch (pick(s, 5)) {
    case 0: /* -(x < y) & z */
        return ranged_op(s, CC_AND, ranged_op(s, CC_SUB, ranged_number(s, 0), c), idiom_read(s, y));
    case 1:
        return ranged_op(s, CC_ADD, c, d);
    case 2: /* !!x ^ 1 */
        return ranged_with(s, CC_XOR, ranged_with(s, CC_NE, idiom_read(s, x), 0), 1);
    case 3: /* x < y || x == y, without the jump */
        return ranged_op(s, CC_OR, d, ranged_op(s, CC_EQ, idiom_read(s, x), idiom_read(s, y)));
    default:
        return ranged_op(s, percent(s, 50) ? CC_EQ : CC_NE, c, d);
    }
}

/* A switch that is a table: a constant for each value, now and then computed. */
static struct ranged switch_table(struct smith *s)
{
    const struct cc_type *t = cc_int_type(&s->p->types, 32, true);
    struct cc_var *x = idiom_operand(s, nest_type(s)), *r = idiom_variable(s, t, 0);
    int64_t n = between(s, 4, 16), first = percent(s, 70) ? 0 : between(s, -20, 90);
    int64_t factor = percent(s, 25) ? between(s, 1, 9) : 0, apart = percent(s, 80) ? 1 : 7;
    struct ranged on = ranged_with(s, CC_AND, idiom_read(s, x), n * apart > 15 ? 63 : 15);
    idiom_put(s, r, ranged_number(s, between(s, 0, 9)));
    struct cc_stmt *block = idiom_block(s);
    for (int64_t i = 0; i < n; i++) {
        int64_t value = percent(s, 60) && factor ? i * factor + 3 : between(s, -9, 300);
        struct cc_stmt *label = cc_case(s->p, first + i * apart), *body = idiom_block(s);
        if (may(s, SMITH_CASE_RANGES) && percent(s, 15))
            label->high = first + ++i * apart;
        cc_append(block, label);
        if (percent(s, 10) && may(s, SMITH_FALLTHROUGH))
            continue;
        idiom_add(s, body, r, CC_NONE, percent(s, 92) ? ranged_number(s, value) : idiom_read(s, x));
        cc_append(block, body);
        if (!may(s, SMITH_FALLTHROUGH) || percent(s, 94))
            cc_append(block, cc_stmt(s->p, CC_S_BREAK));
    }
    if (percent(s, 50)) {
        struct cc_stmt *body = idiom_block(s);
        idiom_add(s, body, r, CC_NONE, ranged_number(s, between(s, -9, 300)));
        cc_append(block, cc_stmt(s->p, CC_S_DEFAULT));
        cc_append(block, body);
    } else if (block->list.at[block->list.n - 1]->kind == CC_S_CASE) { /* a label of nothing */
        cc_append(block, cc_stmt(s->p, CC_S_BREAK));
    }
    struct cc_expr *e = first ? ranged_with(s, CC_ADD, on, first).e : cc_promote(s->p, on.e);
    if (e->type->bits > 32)
        e = cc_cast(s->p, t, e);
    cc_append(innermost_block(s), cc_switch(s->p, e, block));
    return idiom_read(s, r);
}

/* -- builtins --------------------------------------------------------------------------------- */

static struct ranged overflow(struct smith *s)
{
    static const int ids[] = {CC_BUILTIN_ADD_OVERFLOW, CC_BUILTIN_SUB_OVERFLOW,
                              CC_BUILTIN_MUL_OVERFLOW};
    struct cc_var *x = idiom_operand(s, nest_type(s)), *y = idiom_operand(s, nest_type(s));
    struct cc_var *r = idiom_variable(s, nest_type(s), 0);
    struct cc_var *o = idiom_variable(s, cc_basic(&s->p->types, CC_INT), 0);
    struct cc_expr *args[] = {idiom_read(s, x).e,
                              percent(s, 70) ? idiom_read(s, y).e : small_constant(s, 1, 99),
                              cc_addr(s->p, cc_use(s->p, r))};
    struct cc_expr *e = cc_builtin(s->p, ids[pick(s, 3)], args, 3);
    if (!nest_emit(s, cc_assign(s->p, CC_NONE, cc_use(s->p, o), e)))
        return idiom_read(s, x);
    struct ranged flag = {cc_use(s->p, o), 0, 1};
    if (percent(s, 40))
        return ranged_op(s, CC_XOR, flag, idiom_read(s, r));
    struct cc_stmt *then = idiom_block(s);
    idiom_add(s, then, r, CC_NONE,
              percent(s, 50) ? number_of(s, r->type, -1) : ranged_number(s, between(s, 0, 99)));
    append_if(s, flag, then, NULL);
    return idiom_read(s, r);
}

/* A branch that is said to be taken, or not; the hint is right or wrong. */
static struct ranged expect(struct smith *s)
{
    struct cc_var *x = idiom_operand(s, nest_type(s));
    struct cc_var *r = idiom_variable(s, cc_int_type(&s->p->types, 32, false), 0);
    struct cc_expr *args[] = {compare(s, x).e, small_constant(s, 0, 1)};
    struct cc_stmt *a = idiom_block(s), *b = percent(s, 50) ? idiom_block(s) : NULL;
    idiom_put(s, r, number_of(s, r->type, between(s, 0, 99)));
    idiom_add(s, a, r, CC_XOR, ranged_cast(s, r->type, idiom_read(s, x)));
    if (b)
        idiom_add(s, b, r, CC_ADD, number_of(s, r->type, between(s, 0, 999)));
    struct ranged c = ranged_of(cc_builtin(s->p, CC_BUILTIN_EXPECT, args, 2));
    cc_append(innermost_block(s), cc_if(s->p, c.e, a, b));
    return idiom_read(s, r);
}

/* Counts of zeros where there are some, byte swaps there and back. */
static struct ranged count_zeros(struct smith *s)
{
    const struct cc_type *t = cc_int_type(&s->p->types, 32, false);
    struct cc_var *x = idiom_operand(s, t);
    struct cc_expr *args[] = {idiom_read(s, x).e};
    struct ranged guarded = ranged_with(s, CC_OR, idiom_read(s, x), 1);
    switch (pick(s, 4)) {
    case 0: /* the logarithm */
        args[0] = guarded.e;
        return ranged_op(s, CC_SUB, ranged_number(s, 31),
                         ranged_of(cc_builtin(s->p, CC_BUILTIN_CLZ, args, 1)));
    case 1: /* x == 0 ? 32 : ctz(x), where what is not 0 has another bit */
        args[0] = ranged_op(s, CC_OR, idiom_read(s, x), number_of(s, t, 0x80000000)).e;
        return ranged_cond(s, ranged_with(s, CC_EQ, idiom_read(s, x), 0).e, ranged_number(s, 32),
                           ranged_of(cc_builtin(s->p, CC_BUILTIN_CTZ, args, 1)));
    case 2: {
        struct cc_expr *twice[] = {cc_builtin(s->p, CC_BUILTIN_BSWAP32, args, 1)};
        return ranged_op(s, percent(s, 50) ? CC_EQ : CC_XOR,
                         ranged_of(cc_builtin(s->p, CC_BUILTIN_BSWAP32, twice, 1)),
                         idiom_read(s, x));
    }
    default: /* one bit? */
        return ranged_with(s, CC_EQ, ranged_of(cc_builtin(s->p, CC_BUILTIN_POPCOUNT, args, 1)), 1);
    }
}

/* -- loops ------------------------------------------------------------------------------------ */

static struct ranged euclid(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 16);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t),
                  *rest = idiom_variable(s, t, 0);
    struct cc_stmt *body = idiom_block(s);
    struct cc_expr *r = cc_binary(s->p, CC_REM, cc_use(s->p, x), cc_use(s->p, y));
    idiom_add(s, body, rest, CC_NONE, ranged_of(r));
    idiom_add(s, body, x, CC_NONE, idiom_read(s, y));
    idiom_add(s, body, y, CC_NONE, idiom_read(s, rest));
    append_while(s, percent(s, 50) ? idiom_read(s, y) : ranged_with(s, CC_NE, idiom_read(s, y), 0),
                 body, 93);
    return idiom_read(s, x);
}

/* A sum, or the number, of its digits. */
static struct ranged digits(struct smith *s)
{
    const struct cc_type *t = idiom_unsigned(s, 8);
    struct cc_var *x = idiom_operand(s, t);
    struct cc_var *r = idiom_variable(s, cc_int_type(&s->p->types, 32, false), 0);
    int64_t base = percent(s, 60) ? 10 : between(s, 2, 16);
    struct cc_stmt *body = idiom_block(s);
    idiom_put(s, r, ranged_number(s, 0));
    struct ranged digit = ranged_cast(s, r->type, ranged_with(s, CC_REM, idiom_read(s, x), base));
    idiom_add(s, body, r, CC_ADD, percent(s, 70) ? digit : number_of(s, r->type, 1));
    idiom_add(s, body, x, CC_DIV, ranged_number(s, base));
    append_while(s, ranged_with(s, percent(s, 50) ? CC_GT : CC_NE, idiom_read(s, x), 0), body, 64);
    return idiom_read(s, r);
}

/* What is computed without the loop in the end: sums of arithmetic series. */
static struct ranged closed_form(struct smith *s)
{
    struct cc_var *x = idiom_operand(s, cc_int_type(&s->p->types, 32, false));
    struct cc_var *r = idiom_variable(s, x->type, 0);
    struct cc_stmt *body = idiom_block(s);
    idiom_put(s, r, idiom_read(s, x));
    struct cc_var *i = append_for(s, between(s, 2, 40), body);
    struct ranged step = ranged_cast(s, x->type, idiom_read(s, i));
    if (percent(s, 50))
        step = ranged_with(s, CC_MUL, step, between(s, 2, 9));
    if (percent(s, 30))
        step = ranged_op(s, CC_MUL, step, ranged_cast(s, x->type, idiom_read(s, i)));
    idiom_add(s, body, r, percent(s, 80) ? CC_ADD : CC_SUB, step);
    return idiom_read(s, r);
}

/* -- memory ----------------------------------------------------------------------------------- */

static struct ranged element(struct smith *s, struct cc_var *a, int64_t at)
{
    spend(s, 1);
    return ranged_of(cc_index(s->p, cc_use(s->p, a), ranged_number(s, at).e));
}

static void put_element(struct smith *s, struct cc_var *a, int64_t at, struct ranged v)
{
    spend(s, 2);
    append(s, cc_assign(s->p, CC_NONE, element(s, a, at).e, v.e));
}

/* The bytes of a word stored one by one, and read back in some order. */
static struct ranged merge_bytes(struct smith *s)
{
    const struct cc_type *byte = cc_int_type(&s->p->types, 8, false), *t = idiom_unsigned(s, 16);
    int bytes = t->bits / 8;
    struct cc_var *x = idiom_operand(s, t);
    struct cc_var *a = idiom_variable(s, cc_array_of(&s->p->types, byte, 8), 0);
    bool big = percent(s, 40), read_big = percent(s, 70) ? big : !big;
    for (int i = 0; i < bytes; i++) {
        struct ranged b = i ? ranged_with(s, CC_SHR, idiom_read(s, x), 8 * i) : idiom_read(s, x);
        if (percent(s, 12))
            b = number_of(s, t, between(s, 0, 255));
        put_element(s, a, big ? bytes - 1 - i : i, ranged_cast(s, byte, b));
    }
    struct ranged r = {0};
    for (int i = 0; i < bytes; i++) {
        struct ranged b = as(s, t, element(s, a, read_big ? bytes - 1 - i : i));
        if (i)
            b = ranged_with(s, CC_SHL, b, 8 * i);
        r = i ? ranged_op(s, CC_OR, r, as(s, t, b)) : b;
    }
    return r;
}

/* The same operation on neighbours, in straight code. */
static struct ranged neighbours(struct smith *s)
{
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_XOR, CC_MUL, CC_AND};
    const struct cc_type *t = nest_type(s);
    int64_t n = percent(s, 70) ? 4 : 8, odd = percent(s, 25) ? between(s, 0, n - 1) : -1;
    struct cc_var *a = idiom_variable(s, cc_array_of(&s->p->types, t, (uint32_t)n), 0);
    struct cc_var *b = idiom_variable(s, cc_array_of(&s->p->types, t, (uint32_t)n), 0);
    struct cc_var *x = idiom_operand(s, t), *y = idiom_operand(s, t);
    enum cc_op op = ops[pick(s, 5)];
    for (int64_t i = 0; i < n; i++)
        put_element(s, a, i,
                    ranged_with(s, percent(s, 50) ? CC_XOR : CC_AND, idiom_read(s, i % 2 ? x : y),
                                between(s, 1, 99)));
    for (int64_t i = 0; i < n; i++)
        put_element(s, b, i,
                    ranged_op(s, i == odd ? CC_XOR : op, element(s, a, i),
                              percent(s, 85) ? idiom_read(s, x) : element(s, a, n - 1 - i)));
    const struct cc_type *u = cc_int_type(&s->p->types, 32, false);
    struct ranged r = ranged_cast(s, u, element(s, b, 0));
    for (int64_t i = 1; i < n; i++)
        r = ranged_op(s, percent(s, 50) ? CC_ADD : CC_XOR, r, ranged_cast(s, u, element(s, b, i)));
    return r;
}

/* -- any of them ------------------------------------------------------------------------------ */

/* In the order of the table in config.h: what a row is made by, and what it needs. */
static const struct {
    idiom *make;
    enum smith_feature needs[3]; /* INT8, which is the first, says nothing */
} idioms[] = {
    {rotate, {SMITH_SHIFTS}},
    {swap_bytes, {SMITH_SHIFTS}},
    {count_bits, {SMITH_SHIFTS, SMITH_LOOPS, SMITH_WHILE}},
    {crc, {SMITH_SHIFTS, SMITH_LOOPS, SMITH_CONDITIONAL}},
    {test_bits, {SMITH_IFS}},
    {bit_trick, {SMITH_SHIFTS}},
    {pack, {SMITH_SHIFTS}},
    {saturate, {SMITH_CONDITIONAL}},
    {clamp, {SMITH_CONDITIONAL, SMITH_IFS}},
    {absolute, {SMITH_CONDITIONAL}},
    {divide, {SMITH_DIVISION, SMITH_MULTIPLICATION}},
    {sign, {SMITH_CONDITIONAL}},
    {wide, {SMITH_MULTIPLICATION, SMITH_SHIFTS}},
    {reassociate, {SMITH_MULTIPLICATION}},
    {narrow, {SMITH_CASTS}},
    {convert_if, {SMITH_IFS}},
    {thread_jump, {SMITH_IFS}},
    {choose_constants, {SMITH_CONDITIONAL, SMITH_MULTIPLICATION}},
    {narrow_range, {SMITH_IFS, SMITH_DIVISION}},
    {truth, {SMITH_INT8}},
    {euclid, {SMITH_DIVISION, SMITH_LOOPS, SMITH_WHILE}},
    {digits, {SMITH_DIVISION, SMITH_LOOPS, SMITH_WHILE}},
    {closed_form, {SMITH_LOOPS, SMITH_MULTIPLICATION}},
    {merge_bytes, {SMITH_ARRAYS, SMITH_UINT8, SMITH_SHIFTS}},
    {neighbours, {SMITH_ARRAYS, SMITH_MULTIPLICATION}},
    {switch_table, {SMITH_SWITCH}},
    {overflow, {SMITH_BUILTINS, SMITH_IFS, SMITH_ADDRESS_OF_LOCALS}},
    {expect, {SMITH_BUILTINS, SMITH_IFS}},
    {count_zeros, {SMITH_BUILTINS, SMITH_CONDITIONAL}},
    {idiom_pointer_loop, {SMITH_POINTER_ARITHMETIC, SMITH_ARRAYS, SMITH_LOOPS}},
    {idiom_pointer_offset, {SMITH_POINTER_ARITHMETIC, SMITH_ARRAYS}},
};
enum { N_IDIOMS = sizeof idioms / sizeof *idioms, LEAST_ROOM = 300 };
_Static_assert(N_IDIOMS == SMITH_IDIOM_POINTER_OFFSET - SMITH_IDIOM_ROTATE + 1,
               "a row for each weight");

static bool has_what_it_needs(const struct smith *s, size_t row)
{
    for (int i = 0; i < 3; i++)
        if (idioms[row].needs[i] != SMITH_INT8 && !may(s, idioms[row].needs[i]))
            return false;
    return true;
}

struct cc_stmt *idiom_stmt(struct smith *s)
{
    unsigned w[N_IDIOMS], all = 0;
    for (size_t i = 0; i < N_IDIOMS; i++)
        all += w[i] = has_what_it_needs(s, i) ? s->k.weight[SMITH_IDIOM_ROTATE + i] : 0;
    if (!all || !may(s, SMITH_COMPOUND_ASSIGNS) || s->at.room / s->at.times < LEAST_ROOM)
        return assign_stmt(s);
    bool simple = s->at.simple;
    s->at.simple = simple || percent(s, 70);
    struct ranged r = idioms[choose_weighted(s->c, w, N_IDIOMS)].make(s);
    s->at.simple = simple;
    return store_or_use(s, cc_promote(s->p, r.e));
}
