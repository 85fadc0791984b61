/* The table of builtins, and what those that are plain functions compute. Arguments are normalised,
 * so that an unsigned one is not negative and the casts below lose nothing. */
#include "cc/builtin.h"

#include "base/error.h"

#include <math.h>

const struct cc_builtin cc_builtins[CC_N_BUILTIN] = {
#define X(id, ...) [id] = {__VA_ARGS__},
    CC_BUILTIN_TABLE(X)
#undef X
};

/* How many bits below the sign bit equal it. */
static int sign_copies(int64_t v, int width)
{
    uint64_t folded = (uint64_t)(v < 0 ? ~v : v);
    return folded == 0 ? width - 1 : width - 1 - (64 - __builtin_clzll(folded));
}

static enum cc_ub magnitude(cc_wide v, cc_wide least, cc_wide *out)
{
    *out = v < 0 && v != least ? -v : v;
    return v == least ? CC_UB_BUILTIN_ARGUMENT : CC_UB_NONE;
}

/* No operation determines the sign of a NaN (F.2.1), so nobody may ask for it. */
static enum cc_ub need_sign(double v)
{
    return isnan(v) ? CC_UB_BUILTIN_ARGUMENT : CC_UB_NONE;
}

/* Questions about floats, 7.12.3 and 7.12.14. */
static bool float_question(int id, double a, double b)
{
    switch (id) {
    case CC_BUILTIN_ISNAN:
        return isnan(a);
    case CC_BUILTIN_ISINF:
        return isinf(a);
    case CC_BUILTIN_ISFINITE:
        return isfinite(a);
    case CC_BUILTIN_ISNORMAL:
        return isnormal(a);
    case CC_BUILTIN_SIGNBIT:
        return signbit(a);
    case CC_BUILTIN_ISUNORDERED:
        return isunordered(a, b);
    case CC_BUILTIN_ISLESS:
        return isless(a, b);
    case CC_BUILTIN_ISLESSEQUAL:
        return islessequal(a, b);
    case CC_BUILTIN_ISGREATER:
        return isgreater(a, b);
    case CC_BUILTIN_ISGREATEREQUAL:
        return isgreaterequal(a, b);
    case CC_BUILTIN_ISLESSGREATER:
        return islessgreater(a, b);
    default:
        BUG("%s asks nothing of floats", cc_builtins[id].name);
    }
}

/* Functions that IEEE 754 rounds correctly, on floats and doubles alike: those of float are
 * computed in float. */
static enum cc_ub float_function(int id, const union cc_scalar *args, double *out)
{
    static double (*const of_one[CC_N_BUILTIN])(double) = {
        [CC_BUILTIN_FABS] = fabs,   [CC_BUILTIN_FABSF] = fabs, [CC_BUILTIN_SQRT] = sqrt,
        [CC_BUILTIN_FLOOR] = floor, [CC_BUILTIN_CEIL] = ceil,  [CC_BUILTIN_TRUNC] = trunc,
        [CC_BUILTIN_RINT] = rint,   [CC_BUILTIN_ROUND] = round};
    double a = args[0].f;
    switch (id) {
    case CC_BUILTIN_COPYSIGN:
    case CC_BUILTIN_COPYSIGNF:
        *out = copysign(a, args[1].f);
        return need_sign(args[1].f);
    case CC_BUILTIN_SQRTF:
        *out = (double)sqrtf((float)a);
        return CC_UB_NONE;
    case CC_BUILTIN_FMA:
        *out = fma(a, args[1].f, args[2].f);
        return CC_UB_NONE;
    case CC_BUILTIN_FMAF:
        *out = (double)fmaf((float)a, (float)args[1].f, (float)args[2].f);
        return CC_UB_NONE;
    case CC_BUILTIN_FMIN: /* which of two zeros is the lesser is open (footnote to F.10.9.2) */
        *out = fmin(a, args[1].f);
        return CC_UB_NONE;
    case CC_BUILTIN_FMAX:
        *out = fmax(a, args[1].f);
        return CC_UB_NONE;
    default:
        REQUIRE(of_one[id]);
        *out = of_one[id](a);
        return CC_UB_NONE;
    }
}

static bool takes_float(const struct cc_builtin *b)
{
    return b->params[0] == 'd' || b->params[0] == 'f';
}

enum cc_ub cc_builtin_value(int id, const union cc_scalar *args, union cc_scalar *out)
{
    REQUIRE(id >= 0 && id < CC_N_BUILTIN);
    const struct cc_builtin *b = &cc_builtins[id];
    if (takes_float(b) && b->result[0] == 'i') {
        out->i = float_question(id, args[0].f, b->params[1] ? args[1].f : 0);
        return id == CC_BUILTIN_SIGNBIT ? need_sign(args[0].f) : CC_UB_NONE;
    }
    if (takes_float(b))
        return float_function(id, args, &out->f);
    cc_wide v = args[0].i;
    uint64_t w = (uint64_t)v;
    out->i = 0;
    if (cc_builtins[id].not_zero && v == 0)
        return CC_UB_BUILTIN_ARGUMENT;
    switch (id) {
    case CC_BUILTIN_CLZ:
    case CC_BUILTIN_CLZLL:
        out->i = __builtin_clzll(w) - (id == CC_BUILTIN_CLZ ? 32 : 0);
        break;
    case CC_BUILTIN_CTZ:
    case CC_BUILTIN_CTZLL:
        out->i = __builtin_ctzll(w);
        break;
    case CC_BUILTIN_FFS:
    case CC_BUILTIN_FFSLL:
        out->i = __builtin_ffsll((long long)v);
        break;
    case CC_BUILTIN_CLRSB:
    case CC_BUILTIN_CLRSBLL:
        out->i = sign_copies((int64_t)v, id == CC_BUILTIN_CLRSB ? 32 : 64);
        break;
    case CC_BUILTIN_POPCOUNT:
    case CC_BUILTIN_POPCOUNTLL:
        out->i = __builtin_popcountll(w);
        break;
    case CC_BUILTIN_PARITY:
    case CC_BUILTIN_PARITYLL:
        out->i = __builtin_parityll(w);
        break;
    case CC_BUILTIN_BSWAP16:
        out->i = __builtin_bswap16((uint16_t)v);
        break;
    case CC_BUILTIN_BSWAP32:
        out->i = __builtin_bswap32((uint32_t)v);
        break;
    case CC_BUILTIN_BSWAP64:
        out->i = (cc_wide)__builtin_bswap64(w);
        break;
    case CC_BUILTIN_EXPECT:
        out->i = v;
        break;
    case CC_BUILTIN_ABS:
        return magnitude(v, INT32_MIN, &out->i);
    case CC_BUILTIN_LLABS:
        return magnitude(v, INT64_MIN, &out->i);
    default:
        BUG("%s has no value of its own", cc_builtins[id].name);
    }
    return CC_UB_NONE;
}

const struct cc_type *cc_letter_type(const struct cc_types *t, char letter)
{
    static const char letters[] = "iulLnhbdfv";
    static const enum cc_kind kinds[] = {CC_INT,    CC_UINT, CC_LLONG,  CC_ULLONG, CC_LONG,
                                         CC_USHORT, CC_BOOL, CC_DOUBLE, CC_FLOAT,  CC_VOID};
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? cc_basic(t, kinds[at - letters]) : NULL;
}
