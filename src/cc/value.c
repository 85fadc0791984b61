/* Arithmetic of C on values.
 *
 * Types of up to 64 bits, which is nearly all of them, are those of small.h; only __int128 pays for
 * 128-bit products and quotients.
 *
 * Floats: the value is that of IEEE 754 in round-to-nearest, one operation of the host for each.
 * The clause that is returned is that of C11 without Annex F, where a result that overflows or is
 * no number is an exceptional condition (6.5p5), and division by zero is undefined (6.5.5p5):
 * whoever has Annex F does not ask for it. Infinities and NaNs print the same everywhere only as
 * long as nobody looks at a NaN's sign. This file must not be compiled such that operations are
 * fused. */
#include "cc/value.h"

#include "cc/small.h"

#include <float.h>

const struct cc_ub_rule cc_ub_rules[CC_N_UB] = {[CC_UB_NONE] = {"", "", ""},
#define X(id, ...) [id] = {__VA_ARGS__},
                                                CC_UB_TABLE(X)
#undef X
};

const char *const cc_op_text[CC_N_OP] = {CC_OP_TABLE(WORD_NAME)};

/* -- widths ----------------------------------------------------------------------------------- */

static inline cc_wide extend(const struct cc_type *type, int64_t v)
{
    return type->is_signed ? (cc_wide)v : (cc_wide)(uint64_t)v;
}

cc_wide cc_wrap(const struct cc_type *type, cc_wide v)
{
    return type->bits > 64 ? v : extend(type, cc_wrap_small(type, (int64_t)v));
}

cc_wide cc_int_min(const struct cc_type *type)
{
    return type->is_signed ? (cc_wide)(~(cc_uwide)0 << (type->bits - 1)) : 0;
}

cc_uwide cc_int_max(const struct cc_type *type)
{
    return ~(cc_uwide)0 >> (128 - type->bits + type->is_signed);
}

cc_wide cc_bitfield_value(const struct cc_type *type, int bits, cc_wide v)
{
    if (type->kind == CC_BOOL)
        return v != 0;
    int unused = 128 - bits;
    cc_uwide high = (cc_uwide)v << unused;
    return type->is_signed ? (cc_wide)high >> unused : (cc_wide)(high >> unused);
}

/* -- __int128 --------------------------------------------------------------------------------- */

static enum cc_ub divide128(enum cc_op op, const struct cc_type *type, cc_wide x, cc_wide y,
                            cc_wide *r)
{
    *r = x;
    if (y == 0)
        return CC_UB_DIVISION;
    if (!type->is_signed) {
        cc_uwide u = (cc_uwide)x, w = (cc_uwide)y;
        *r = (cc_wide)(op == CC_DIV ? u / w : u % w);
        return CC_UB_NONE;
    }
    if (y == -1) {
        cc_wide negated = (cc_wide)(0 - (cc_uwide)x);
        *r = op == CC_DIV ? negated : 0;
        return x != 0 && negated == x ? CC_UB_QUOTIENT : CC_UB_NONE;
    }
    *r = op == CC_DIV ? x / y : x % y;
    return CC_UB_NONE;
}

static enum cc_ub shift128(enum cc_op op, const struct cc_type *type, cc_wide x, cc_wide count,
                           cc_wide *r)
{
    *r = x;
    if (count < 0 || count >= type->bits)
        return CC_UB_SHIFT_COUNT;
    int n = (int)count;
    if (op == CC_SHR) {
        *r = type->is_signed ? x >> n : (cc_wide)((cc_uwide)x >> n);
        return CC_UB_NONE;
    }
    *r = (cc_wide)((cc_uwide)x << n);
    return type->is_signed && (x < 0 || *r >> n != x) ? CC_UB_SHIFT_LEFT : CC_UB_NONE;
}

static enum cc_ub binary128(enum cc_op op, const struct cc_type *type, cc_wide x, cc_wide y,
                            cc_wide *out)
{
    bool carry = false;
    switch (op) {
    case CC_ADD:
        carry = __builtin_add_overflow(x, y, out);
        break;
    case CC_SUB:
        carry = __builtin_sub_overflow(x, y, out);
        break;
    case CC_MUL:
        carry = __builtin_mul_overflow(x, y, out);
        break;
    case CC_DIV:
    case CC_REM:
        return divide128(op, type, x, y, out);
    case CC_SHL:
    case CC_SHR:
        return shift128(op, type, x, y, out);
    case CC_AND:
        *out = x & y;
        break;
    case CC_OR:
        *out = x | y;
        break;
    case CC_XOR:
        *out = x ^ y;
        break;
    default:
        BUG("no arithmetic by operator %d", (int)op);
    }
    return carry && type->is_signed ? CC_UB_OVERFLOW : CC_UB_NONE;
}

/* -- floats ----------------------------------------------------------------------------------- */

static enum cc_ub exceptional(double r, double a, double b)
{
    if (__builtin_isfinite(r))
        return CC_UB_NONE;
    bool exact = __builtin_isinf(r) && (__builtin_isinf(a) || __builtin_isinf(b));
    return exact ? CC_UB_NONE : CC_UB_OVERFLOW;
}

static double in_double(enum cc_op op, double a, double b)
{
    switch (op) {
    case CC_ADD:
        return a + b;
    case CC_SUB:
        return a - b;
    case CC_MUL:
        return a * b;
    case CC_DIV:
        return a / b;
    default:
        BUG("no float arithmetic by operator %d", (int)op);
    }
}

/* Rounding the double once more gives what float arithmetic gives: 53 digits are at least twice 24
 * and two. */
static float in_float(enum cc_op op, float a, float b)
{
    return (float)in_double(op, a, b);
}

static enum cc_ub binary_floating(enum cc_op op, bool is_double, double a, double b, double *out)
{
    *out = is_double ? in_double(op, a, b) : (double)in_float(op, (float)a, (float)b);
    return op == CC_DIV && b == 0 ? CC_UB_DIVISION : exceptional(*out, a, b);
}

/* Of long double. Only real programs have it, whose floats are those of IEEE 754. */
static enum cc_ub binary_long(enum cc_op op, long double a, long double b, long double *out)
{
    *out = op == CC_ADD ? a + b : op == CC_SUB ? a - b : op == CC_MUL ? a * b : a / b;
    return CC_UB_NONE;
}

static bool compare(enum cc_op op, const struct cc_type *type, union cc_scalar a, union cc_scalar b)
{
    if (type->kind == CC_LDOUBLE)
        return CC_COMPARE(op, a.x, b.x);
    if (cc_is_float(type))
        return CC_COMPARE(op, a.f, b.f);
    if (type->kind == CC_UINT128)
        return CC_COMPARE(op, (cc_uwide)a.i, (cc_uwide)b.i);
    return CC_COMPARE(op, a.i, b.i);
}

/* -- operators -------------------------------------------------------------------------------- */

enum cc_ub cc_binary_value(enum cc_op op, const struct cc_type *type, union cc_scalar a,
                           union cc_scalar b, union cc_scalar *out)
{
    if (cc_is_comparison(op)) {
        out->i = compare(op, type, a, b);
        return CC_UB_NONE;
    }
    if (type->kind <= CC_ULLONG) {
        /* the count of a shift may be wider than what is shifted */
        bool far = (op == CC_SHL || op == CC_SHR) && (b.i < 0 || b.i > type->bits);
        int64_t r;
        enum cc_ub ub = cc_binary_small(op, type, (int64_t)a.i, far ? -1 : (int64_t)b.i, &r);
        out->i = extend(type, r);
        return ub;
    }
    if (type->kind == CC_LDOUBLE)
        return binary_long(op, a.x, b.x, &out->x);
    if (cc_is_float(type))
        return binary_floating(op, type->kind == CC_DOUBLE, a.f, b.f, &out->f);
    return binary128(op, type, a.i, b.i, &out->i);
}

static enum cc_ub unary_float(enum cc_op op, double a, union cc_scalar *out)
{
    if (op == CC_NOT)
        out->i = a == 0;
    else if (op == CC_MINUS)
        out->f = -a;
    else if (op == CC_PLUS)
        out->f = a;
    else
        BUG("no unary operator %d of a float", (int)op);
    return CC_UB_NONE;
}

static enum cc_ub unary_long(enum cc_op op, long double a, union cc_scalar *out)
{
    if (op == CC_NOT)
        out->i = a == 0;
    else
        out->x = op == CC_MINUS ? -a : a;
    return CC_UB_NONE;
}

enum cc_ub cc_unary_value(enum cc_op op, const struct cc_type *type, union cc_scalar a,
                          union cc_scalar *out)
{
    if (type->kind == CC_LDOUBLE)
        return unary_long(op, a.x, out);
    if (cc_is_float(type))
        return unary_float(op, a.f, out);
    switch (op) {
    case CC_PLUS:
        out->i = a.i;
        return CC_UB_NONE;
    case CC_MINUS:
        out->i = cc_wrap(type, (cc_wide)(0 - (cc_uwide)a.i));
        return type->is_signed && a.i != 0 && out->i == a.i ? CC_UB_OVERFLOW : CC_UB_NONE;
    case CC_NOT:
        out->i = a.i == 0;
        return CC_UB_NONE;
    case CC_COMPL:
        out->i = cc_wrap(type, ~a.i);
        return CC_UB_NONE;
    default:
        BUG("no unary operator %d", (int)op);
    }
}

/* -- conversions ------------------------------------------------------------------------------ */

/* 6.3.1.4p1: the integral part must be representable. */
static enum cc_ub float_to_int(const struct cc_type *to, double v, cc_wide *out)
{
    if (to->kind == CC_BOOL) {
        *out = v != 0;
        return CC_UB_NONE;
    }
    double whole = __builtin_trunc(v);
    double limit = (double)((cc_uwide)1 << (to->bits - 1)); /* 2^(w-1), exact */
    double low = to->is_signed ? -limit : 0, high = to->is_signed ? limit : 2 * limit;
    if (!(whole >= low && whole < high)) {
        *out = 0;
        return CC_UB_FLOAT_CONVERSION;
    }
    *out = to->kind == CC_UINT128 ? (cc_wide)(cc_uwide)whole : (cc_wide)whole;
    return CC_UB_NONE;
}

/* 6.3.1.4p2. Only unsigned __int128 has values that float does not reach. Straight from the
 * integer: by way of double it would be rounded twice. */
static enum cc_ub int_to_float(const struct cc_type *from, const struct cc_type *to, cc_wide v,
                               double *out)
{
    bool wide = from->bits > 64 || (from->bits == 64 && !from->is_signed);
    if (to->kind == CC_FLOAT)
        *out = !wide                      ? (double)(float)(int64_t)v
               : from->kind == CC_UINT128 ? (double)(float)(cc_uwide)v
                                          : (double)(float)v;
    else
        *out = !wide                      ? (double)(int64_t)v
               : from->kind == CC_UINT128 ? (double)(cc_uwide)v
                                          : (double)v;
    return __builtin_isfinite(*out) ? CC_UB_NONE : CC_UB_FLOAT_CONVERSION;
}

/* 6.3.1.5p1. */
static enum cc_ub float_to_float(const struct cc_type *to, double v, double *out)
{
    *out = v;
    if (to->kind == CC_DOUBLE)
        return CC_UB_NONE;
    *out = (double)(float)v;
    bool outside = __builtin_isfinite(v) && (v > (double)FLT_MAX || v < -(double)FLT_MAX);
    return outside ? CC_UB_FLOAT_DEMOTION : CC_UB_NONE;
}

static enum cc_ub long_to_int(const struct cc_type *to, long double v, cc_wide *out)
{
    if (to->kind == CC_BOOL) {
        *out = v != 0;
        return CC_UB_NONE;
    }
    long double whole = __builtin_truncl(v);
    long double limit = (long double)((cc_uwide)1 << (to->bits - 1));
    long double low = to->is_signed ? -limit : 0, high = to->is_signed ? limit : 2 * limit;
    if (!(whole >= low && whole < high)) {
        *out = 0;
        return CC_UB_FLOAT_CONVERSION;
    }
    *out = to->kind == CC_UINT128 ? (cc_wide)(cc_uwide)whole : (cc_wide)whole;
    return CC_UB_NONE;
}

/* From long double or to it. */
static enum cc_ub convert_long(const struct cc_type *from, const struct cc_type *to,
                               union cc_scalar v, union cc_scalar *out)
{
    if (to->kind == CC_LDOUBLE) {
        if (from->kind != CC_LDOUBLE)
            v.x = cc_is_float(from)          ? (long double)v.f
                  : from->kind == CC_UINT128 ? (long double)(cc_uwide)v.i
                                             : (long double)v.i;
        out->x = v.x;
        return CC_UB_NONE;
    }
    if (!cc_is_float(to))
        return long_to_int(to, v.x, &out->i);
    out->f = to->kind == CC_FLOAT ? (double)(float)v.x : (double)v.x;
    bool lost = __builtin_isinf(out->f) && !__builtin_isinf(v.x);
    return lost ? CC_UB_FLOAT_DEMOTION : CC_UB_NONE;
}

enum cc_ub cc_convert_value(const struct cc_type *from, const struct cc_type *to, union cc_scalar v,
                            union cc_scalar *out)
{
    if (from->kind == CC_LDOUBLE || to->kind == CC_LDOUBLE)
        return convert_long(from, to, v, out);
    if (cc_is_float(from))
        return cc_is_float(to) ? float_to_float(to, v.f, &out->f) : float_to_int(to, v.f, &out->i);
    if (cc_is_float(to))
        return int_to_float(from, to, v.i, &out->f);
    out->i = to->kind == CC_BOOL ? v.i != 0 : cc_wrap(to, v.i);
    return CC_UB_NONE;
}
