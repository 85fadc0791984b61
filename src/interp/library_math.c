/* Floats: <math.h> (7.12).
 *
 * Some functions are exact or correctly rounded, whoever implements them. Of the others C says
 * nothing, libraries a few units in the last place. Theirs is a choice: usually the host's value,
 * and its neighbours on the other side of the exact one in a run that decides otherwise. So a
 * program is judged if the last digits do not matter, as where they are not printed. */
#include "interp/library_internal.h"

#include <limits.h>
#include <math.h>

static union value number(const struct call *c, double v)
{
    return (union value){.f = c->f->type->to->kind == CC_FLOAT ? (double)(float)v : v};
}

/* All of these are exact or correctly rounded; of floats, sqrt in double and rounded once more is
 * correctly rounded, too. */
static double (*const math_functions[CC_N_LIBRARY])(double) = {
    [CC_LIB_FABS] = fabs,    [CC_LIB_FABSF] = fabs,   [CC_LIB_SQRT] = sqrt,
    [CC_LIB_SQRTF] = sqrt,   [CC_LIB_FLOOR] = floor,  [CC_LIB_FLOORF] = floor,
    [CC_LIB_CEIL] = ceil,    [CC_LIB_CEILF] = ceil,   [CC_LIB_TRUNC] = trunc,
    [CC_LIB_TRUNCF] = trunc, [CC_LIB_RINT] = rint,    [CC_LIB_RINTF] = rint,
    [CC_LIB_ROUND] = round,  [CC_LIB_ROUNDF] = round, [CC_LIB_NEARBYINT] = nearbyint,
};

union value library_math(struct call *c)
{
    return number(c, math_functions[c->f->library](c->a[0].f));
}

union value library_fmod(struct call *c)
{
    return number(c, fmod(c->a[0].f, c->a[1].f));
}

/* No operation of C determines the sign of a NaN. */
static void need_sign(struct call *c, double x)
{
    if (isnan(x))
        FAIL(c, UNDECIDED, "the sign of a NaN");
}

union value library_copysign(struct call *c)
{
    need_sign(c, c->a[1].f);
    return number(c, copysign(c->a[0].f, c->a[1].f));
}

/* Which of two zeros is the lesser is open (footnote to F.10.9.2). */
union value library_extreme(struct call *c)
{
    double x = c->a[0].f, y = c->a[1].f;
    if (x == 0 && y == 0 && signbit(x) != signbit(y)) {
        interp_note_choice(c->in, "which of two zeros is the lesser");
        return number(c, c->in->options.way == 1 ? -0.0 : 0.0);
    }
    return number(c, c->f->library == CC_LIB_FMIN || c->f->library == CC_LIB_FMINF ? fmin(x, y)
                                                                                   : fmax(x, y));
}

union value library_classify(struct call *c)
{
    double x = c->a[0].f;
    switch (c->f->library) {
    case CC_LIB_ISNAN:
        return library_integer(c, isnan(x) != 0);
    case CC_LIB_ISINF:
        return library_integer(c, isinf(x) != 0);
    case CC_LIB_ISFINITE:
        return library_integer(c, isfinite(x) != 0);
    case CC_LIB_SIGNBIT:
        need_sign(c, x);
        return library_integer(c, signbit(x) != 0);
    default:
        BUG("%s is no such function", cc_library_name[c->f->library]);
    }
}

union value library_infinity(struct call *c)
{
    return number(c, HUGE_VAL);
}

union value library_nan(struct call *c)
{
    library_read_text(c, c->a[0].p,
                      NO_LIMIT); /* which bits it chooses is the implementation's (7.12.11.2) */
    return number(c, (double)NAN);
}

/* 7.12.14: the relations of two numbers for which each is true. */
enum { LESS = 1, EQUAL = 2, GREATER = 4, UNORDERED = 8 };
static const uint8_t relations[CC_N_LIBRARY] = {
    [CC_LIB_ISGREATER] = GREATER,
    [CC_LIB_ISGREATEREQUAL] = GREATER | EQUAL,
    [CC_LIB_ISLESS] = LESS,
    [CC_LIB_ISLESSEQUAL] = LESS | EQUAL,
    [CC_LIB_ISLESSGREATER] = LESS | GREATER,
    [CC_LIB_ISUNORDERED] = UNORDERED,
};

union value library_order(struct call *c)
{
    double x = c->a[0].f, y = c->a[1].f;
    int relation = isunordered(x, y) ? UNORDERED : x < y ? LESS : x > y ? GREATER : EQUAL;
    return library_integer(c, (relations[c->f->library] & relation) != 0);
}

/* -- rounded, somehow ---------------------------------------------------------------------------
 */

/* name, for float and double, by how many units implementations may be off, where it is exact. */
#define APPROXIMATE(X)                                                                             \
    X(EXP, expl, 1, x == 0)                                                                        \
    X(EXP2, exp2l, 1, x == floor(x) && fabs(x) < 1000)                                             \
    X(LOG, logl, 1, x == 1)                                                                        \
    X(LOG2, log2l, 1, x == 1)                                                                      \
    X(LOG10, log10l, 2, x == 1)                                                                    \
    X(SIN, sinl, 1, x == 0)                                                                        \
    X(COS, cosl, 1, x == 0)                                                                        \
    X(TAN, tanl, 1, x == 0)                                                                        \
    X(ASIN, asinl, 1, x == 0)                                                                      \
    X(ACOS, acosl, 1, x == 1)                                                                      \
    X(ATAN, atanl, 1, x == 0)                                                                      \
    X(SINH, sinhl, 4, x == 0)                                                                      \
    X(COSH, coshl, 4, x == 0)                                                                      \
    X(TANH, tanhl, 4, x == 0)                                                                      \
    X(CBRT, cbrtl, 4, x == 0)

/* The exact value lies between two numbers; `steps` beyond the one that is farther from it. */
static double other_side(double nearest, long double value, int steps, bool is_float)
{
    double to = value > (long double)nearest ? INFINITY : -INFINITY;
    for (int i = 0; i < steps; i++)
        nearest = is_float ? (double)nextafterf((float)nearest, (float)to) : nextafter(nearest, to);
    return nearest;
}

/* A value that the host knows to more digits than the result has. */
static union value rounded(struct call *c, long double value, int units, bool exact)
{
    bool is_float = c->f->type->to->kind == CC_FLOAT;
    double nearest = is_float ? (double)(float)value : (double)value;
    bool is_exact = exact && (isinf(nearest) || (long double)nearest == value);
    if (is_exact || isnan(nearest))
        return number(c, nearest);
    interp_note_choice(c->in, "the last digits of a function of <math.h>");
    if (c->in->options.way == 1)
        nearest = other_side(nearest, value, units, is_float);
    return number(c, nearest);
}

union value library_approximate(struct call *c)
{
    double x = c->a[0].f;
    switch (c->f->library) {
#define X(id, host, units, exact)                                                                  \
    case CC_LIB_##id:                                                                              \
    case CC_LIB_##id##F:                                                                           \
        return rounded(c, host((long double)x), units, (exact) || !isfinite(x));
        APPROXIMATE(X)
#undef X
    default:
        BUG("%s is no such function", cc_library_name[c->f->library]);
    }
}

/* Is x to the power of the integer y a double? Its odd part is a power of x's odd part. */
static bool is_exact_power(double x, double y)
{
    int exponent;
    double odd = frexp(fabs(x), &exponent), power = 1;
    if (x == 0 || y == 0 || x == 1 || y == 1)
        return true;
    if (y != floor(y) || fabs(y) > 1024)
        return false;
    while (odd != floor(odd)) {
        odd *= 2;
        exponent--;
    }
    if (y < 0 && odd != 1)
        return false;
    for (int i = 0; i < (int)fabs(y) && odd != 1; i++)
        if ((power *= odd) > 0x1p53)
            return false;
    return fabs(y * exponent) <= 1022;
}

union value library_pow(struct call *c)
{
    double x = c->a[0].f, y = c->a[1].f;
    bool exact = is_exact_power(x, y) || !isfinite(x) || !isfinite(y);
    return rounded(c, powl((long double)x, (long double)y), 1, exact);
}

union value library_angle(struct call *c)
{
    double y = c->a[0].f, x = c->a[1].f;
    bool hypotenuse = c->f->library == CC_LIB_HYPOT || c->f->library == CC_LIB_HYPOTF;
    if (hypotenuse)
        return rounded(c, hypotl((long double)y, (long double)x), 1, x == 0 || y == 0);
    return rounded(c, atan2l((long double)y, (long double)x), 1, y == 0 && !signbit(x));
}

/* -- exact, of other types ----------------------------------------------------------------------
 */

union value library_scale(struct call *c)
{
    int64_t n = c->a[1].i;
    n = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
    if (c->f->type->to->kind == CC_FLOAT)
        return number(c, (double)ldexpf((float)c->a[0].f, (int)n));
    return number(c, ldexp(c->a[0].f, (int)n));
}

union value library_two_floats(struct call *c)
{
    double x = c->a[0].f, y = c->a[1].f;
    switch (c->f->library) {
    case CC_LIB_FDIM:
        return number(c, fdim(x, y));
    case CC_LIB_REMAINDER:
        return number(c, remainder(x, y));
    case CC_LIB_NEXTAFTER:
        return number(c, nextafter(x, y));
    case CC_LIB_NEXTAFTERF:
        return number(c, (double)nextafterf((float)x, (float)y));
    default:
        BUG("%s is no such function", cc_library_name[c->f->library]);
    }
}

union value library_fma(struct call *c)
{
    return number(c, fma(c->a[0].f, c->a[1].f, c->a[2].f));
}

/* lround and the like: what does not fit is unspecified (7.12.9.7p2). */
union value library_to_long(struct call *c)
{
    double x = c->a[0].f;
    bool to_even = c->f->library == CC_LIB_LRINT || c->f->library == CC_LIB_LLRINT;
    x = to_even ? rint(x) : round(x);
    if (!(x >= -0x1p63 && x < 0x1p63))
        FAIL(c, UNDECIDED, "%s of what does not fit", c->f->name);
    return library_integer(c, (int64_t)x);
}

union value library_frexp(struct call *c)
{
    int exponent = 0;
    double x = c->a[0].f, part = frexp(x, &exponent);
    if (!isfinite(x))
        FAIL(c, UNDECIDED, "frexp of what has no exponent");
    library_store(c, 1, c->a[1].p, cc_basic(&c->in->p->types, CC_INT),
                  (union value){.i = exponent});
    return number(c, part);
}

union value library_modf(struct call *c)
{
    double whole, part = modf(c->a[0].f, &whole);
    library_store(c, 1, c->a[1].p, cc_basic(&c->in->p->types, CC_DOUBLE),
                  (union value){.f = whole});
    return number(c, part);
}
