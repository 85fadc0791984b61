/* Ranges of values: intervals of 128 bits, so that no bound of 64 bits overflows here. */
#include "gen/smith/ranged.h"

#include "base/error.h"

static struct ranged of_type(struct cc_expr *e, const struct cc_type *t)
{
    return (struct ranged){e, cc_int_min(t), (cc_wide)cc_int_max(t)};
}

struct ranged ranged_of(struct cc_expr *e)
{
    return of_type(e, e->type);
}

struct ranged ranged_number(struct smith *s, int64_t v)
{
    const struct cc_type *t =
        v == (int32_t)v ? cc_basic(&s->p->types, CC_INT) : cc_int_type(&s->p->types, 64, true);
    return (struct ranged){cc_int(s->p, t, v, percent(s, 20) ? CC_HEX : CC_DECIMAL), v, v};
}

/* After a conversion to t: as it is where it fits. */
static struct ranged converted(struct ranged a, struct cc_expr *e, const struct cc_type *t)
{
    if (ranged_in(a, cc_int_min(t), (cc_wide)cc_int_max(t)))
        return (struct ranged){e, a.low, a.high};
    return of_type(e, t);
}

struct ranged ranged_cast(struct smith *s, const struct cc_type *t, struct ranged a)
{
    spend(s, 1);
    return converted(a, cc_cast(s->p, t->plain, a.e), t);
}

struct ranged ranged_unsigned(struct smith *s, struct ranged a)
{
    const struct cc_type *t = cc_promoted(&s->p->types, a.e->type, -1);
    const struct cc_type *u = t->kind == CC_LONG ? cc_basic(&s->p->types, CC_ULONG)
                                                 : cc_int_type(&s->p->types, t->bits, false);
    return t->is_signed ? ranged_cast(s, u, a) : a;
}

/* -- of the result ---------------------------------------------------------------------------- */

static cc_wide least(cc_wide a, cc_wide b)
{
    return a < b ? a : b;
}

static cc_wide most(cc_wide a, cc_wide b)
{
    return a > b ? a : b;
}

/* All ones up to the highest bit of either. */
static cc_wide ones(cc_wide a, cc_wide b)
{
    cc_wide n = 1;
    while (n <= a || n <= b)
        n *= 2;
    return n - 1;
}

static void widen(struct ranged *r, cc_wide v)
{
    r->low = least(r->low, v);
    r->high = most(r->high, v);
}

/* Products of 64-bit values are exact in 128 bits, but for the largest unsigned ones. */
static void multiply(struct ranged *r, const struct ranged *a, const struct ranged *b)
{
    const cc_wide big = (cc_wide)1 << 63;
    bool small = ranged_in(*a, -big, big) && ranged_in(*b, -big, big);
    if (!small) {
        r->low = -((cc_wide)1 << 100);
        r->high = (cc_wide)1 << 100;
        return;
    }
    r->low = r->high = a->low * b->low;
    widen(r, a->low * b->high);
    widen(r, a->high * b->low);
    widen(r, a->high * b->high);
}

static void remainder_of(struct ranged *r, const struct ranged *a, cc_wide by)
{
    by = by < 0 ? -by : by;
    r->high = a->high < 0 ? 0 : least(a->high, by - 1);
    r->low = a->low < 0 ? most(a->low, 1 - by) : 0;
}

/* The exact result of operands in these ranges; false: it cannot be told. */
static bool exact(enum cc_op op, const struct ranged *a, const struct ranged *b, struct ranged *r)
{
    bool positive = a->low >= 0 && b->low >= 0;
    switch (op) {
    case CC_ADD:
        r->low = a->low + b->low;
        r->high = a->high + b->high;
        return true;
    case CC_SUB:
        r->low = a->low - b->high;
        r->high = a->high - b->low;
        return true;
    case CC_MUL:
        multiply(r, a, b);
        return true;
    case CC_DIV:
        r->low = r->high = a->low / b->low;
        widen(r, a->high / b->low);
        return true;
    case CC_REM:
        remainder_of(r, a, b->low);
        return true;
    case CC_SHL:
        r->low = a->low << b->low;
        r->high = a->high << b->high;
        return true;
    case CC_SHR:
        r->low = a->low >> b->high;
        r->high = a->high >> b->low;
        return true;
    case CC_AND:
        r->low = 0;
        r->high = positive ? least(a->high, b->high) : b->low >= 0 ? b->high : a->high;
        return a->low >= 0 || b->low >= 0;
    case CC_OR:
    case CC_XOR:
        r->low = 0;
        r->high = ones(a->high, b->high);
        return positive;
    default:
        r->low = 0;
        r->high = 1;
        return cc_is_comparison(op);
    }
}

struct ranged ranged_op(struct smith *s, enum cc_op op, struct ranged a, struct ranged b)
{
    bool shift = op == CC_SHL || op == CC_SHR;
    if (shift && a.low < 0)
        a = ranged_unsigned(s, a);
    spend(s, 1);
    struct cc_expr *e = cc_binary(s->p, op, a.e, b.e);
    const struct cc_type *t = e->type;
    if (!cc_is_comparison(op) && !t->is_signed) { /* what was negative is not any more */
        a = converted(a, a.e, t);
        b = shift ? b : converted(b, b.e, t);
    }
    struct ranged r = {.e = e};
    if (!exact(op, &a, &b, &r))
        return of_type(e, t);
    if (ranged_in(r, cc_int_min(t), (cc_wide)cc_int_max(t)))
        return r;
    if (!t->is_signed)
        return of_type(e, t);
    a = ranged_unsigned(s, a); /* of the width of t, or narrower: then b is what has t */
    if (a.e->type->bits < t->bits)
        a = ranged_cast(s, cc_int_type(&s->p->types, t->bits, false), a);
    e = cc_binary(s->p, op, a.e, b.e);
    REQUIRE(!e->type->is_signed);
    return of_type(e, e->type);
}

struct ranged ranged_with(struct smith *s, enum cc_op op, struct ranged a, int64_t b)
{
    return ranged_op(s, op, a, ranged_number(s, b));
}

struct ranged ranged_cond(struct smith *s, struct cc_expr *c, struct ranged a, struct ranged b)
{
    spend(s, 1);
    struct cc_expr *e = cc_cond(s->p, c, a.e, b.e);
    struct ranged r = {e, least(a.low, b.low), most(a.high, b.high)};
    return converted(r, e, e->type);
}
