/* Arithmetic on integers of at most 64 bits: the inside of the loops of interp and yarp.
 *
 * Nearly all values are of such types. They are an int64_t; one of an unsigned type is its bit
 * pattern, zero-extended. A result is right for every width because of one rule: compute in 64
 * bits, wrap to the type, and it overflowed if the wrapped value is another. */
#ifndef ASSAY_CC_SMALL_H
#define ASSAY_CC_SMALL_H

#include "base/error.h"
#include "cc/value.h"

#define CC_COMPARE(op, a, b)                                                                       \
    ((op) == CC_LT   ? (a) < (b)                                                                   \
     : (op) == CC_GT ? (a) > (b)                                                                   \
     : (op) == CC_LE ? (a) <= (b)                                                                  \
     : (op) == CC_GE ? (a) >= (b)                                                                  \
     : (op) == CC_EQ ? (a) == (b)                                                                  \
                     : (a) != (b))

static inline bool cc_is_small(const struct cc_type *t)
{
    return (uint16_t)(t->bits - 1) < 64;
}

/* The low bits of v as a value of the type; not for the conversion to _Bool. */
static inline int64_t cc_wrap_small(const struct cc_type *t, int64_t v)
{
    int unused = 64 - t->bits;
    uint64_t high = (uint64_t)v << unused;
    return t->is_signed ? (int64_t)high >> unused : (int64_t)(high >> unused);
}

/* 6.5.7. */
static inline enum cc_ub cc_shift_small(enum cc_op op, const struct cc_type *t, int64_t a,
                                        int64_t n, int64_t *out)
{
    *out = a;
    if ((uint64_t)n >= t->bits)
        return CC_UB_SHIFT_COUNT;
    if (op == CC_SHR) {
        *out = t->is_signed ? a >> n : (int64_t)((uint64_t)a >> n);
        return CC_UB_NONE;
    }
    *out = cc_wrap_small(t, (int64_t)((uint64_t)a << n));
    return t->is_signed && (a < 0 || *out >> n != a) ? CC_UB_SHIFT_LEFT : CC_UB_NONE;
}

/* 6.5.5. */
static inline enum cc_ub cc_divide_small(enum cc_op op, const struct cc_type *t, int64_t a,
                                         int64_t b, int64_t *out)
{
    *out = a;
    if (b == 0)
        return CC_UB_DIVISION;
    if (t->bits <= 32 && (b != -1 || !t->is_signed)) { /* fits 64 bits either way */
        *out = op == CC_DIV ? a / b : a % b;
        return CC_UB_NONE;
    }
    if (!t->is_signed) {
        uint64_t x = (uint64_t)a, y = (uint64_t)b;
        *out = (int64_t)(op == CC_DIV ? x / y : x % y);
        return CC_UB_NONE;
    }
    if (b == -1) {
        int64_t negated = cc_wrap_small(t, (int64_t)(0 - (uint64_t)a));
        *out = op == CC_DIV ? negated : 0;
        return a < 0 && negated == a ? CC_UB_QUOTIENT : CC_UB_NONE;
    }
    *out = op == CC_DIV ? a / b : a % b;
    return CC_UB_NONE;
}

static inline enum cc_ub cc_arithmetic_small(enum cc_op op, const struct cc_type *t, int64_t a,
                                             int64_t b, int64_t *out)
{
    int64_t r;
    bool carry = op == CC_ADD   ? __builtin_add_overflow(a, b, &r)
                 : op == CC_SUB ? __builtin_sub_overflow(a, b, &r)
                                : __builtin_mul_overflow(a, b, &r);
    *out = cc_wrap_small(t, r);
    return t->is_signed && (carry || *out != r) ? CC_UB_OVERFLOW : CC_UB_NONE;
}

/* As cc_binary_value. The count of a shift is of such a type as well. */
static inline enum cc_ub cc_binary_small(enum cc_op op, const struct cc_type *t, int64_t a,
                                         int64_t b, int64_t *out)
{
    switch (op) {
    case CC_ADD:
    case CC_SUB:
    case CC_MUL:
        return cc_arithmetic_small(op, t, a, b, out);
    case CC_DIV:
    case CC_REM:
        return cc_divide_small(op, t, a, b, out);
    case CC_SHL:
    case CC_SHR:
        return cc_shift_small(op, t, a, b, out);
    case CC_AND:
        *out = a & b;
        return CC_UB_NONE;
    case CC_OR:
        *out = a | b;
        return CC_UB_NONE;
    case CC_XOR:
        *out = a ^ b;
        return CC_UB_NONE;
    default:
        if (!cc_is_comparison(op))
            BUG("no arithmetic by operator %d", (int)op);
        *out = t->is_signed ? CC_COMPARE(op, a, b) : CC_COMPARE(op, (uint64_t)a, (uint64_t)b);
        return CC_UB_NONE;
    }
}

#endif
