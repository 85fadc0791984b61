/* Floats against MPFR, which computes with numbers of any length and rounds once: every operation
 * and function on all pairs (or triples) of some thirty edges and on random operands, bit by bit.
 *
 * MPFR has no subnormal numbers of its own. Its range of exponents is set to that of the type, and
 * a result is brought to the spacing of subnormals with the direction of the first rounding in mind
 * (mpfr_subnormalize), so that it is rounded once, too. */
#include "base/choice.h"
#include "cc/builtin.h"
#include "tap.h"

#include <float.h>
#include <math.h>

#define MPFR_USE_INTMAX_T
#include <mpfr.h>

enum { RANDOM = 20000 };

static struct arena arena;
static struct cc_types types;
static struct choice choices;

/* -- a format --------------------------------------------------------------------------------- */

static const struct format {
    enum cc_kind kind;
    const char *name;
    int digits; /* of the significand, in bits */
    mpfr_exp_t least, most;
    int bits;
} formats[] = {{CC_FLOAT, "float", FLT_MANT_DIG, -148, 128, 32},
               {CC_DOUBLE, "double", DBL_MANT_DIG, -1073, 1024, 64}};

static const struct cc_type *type_of(const struct format *f)
{
    return cc_basic(&types, f->kind);
}

/* The format's value that is next to v. */
static double rounded(const struct format *f, double v)
{
    return f->kind == CC_FLOAT ? (double)(float)v : v;
}

static double of_bits(const struct format *f, uint64_t bits)
{
    double d;
    float s;
    uint32_t low = (uint32_t)bits;
    memcpy(&d, &bits, sizeof d);
    memcpy(&s, &low, sizeof s);
    d = f->kind == CC_FLOAT ? (double)s : d;
    return isnan(d) ? (double)NAN : d; /* no operation makes a signalling one */
}

/* -- operands --------------------------------------------------------------------------------- */

enum { MOST_EDGES = 40 };

static int edges(const struct format *f, double *out)
{
    bool single = f->kind == CC_FLOAT;
    double most = single ? (double)FLT_MAX : DBL_MAX, least = single ? (double)FLT_MIN : DBL_MIN;
    double tiny = single ? 0x1p-149 : 0x1p-1074, step = single ? 0x1p-23 : 0x1p-52;
    const double positive[] = {0,    tiny,     2 * tiny, 3 * tiny, least - tiny,  least,
                               0.1,  0.5,      1 - step, 1,        1 + step,      1.5,
                               2,    3,        4097,     0x1p24,   0x1p24 + 2,    0x1p53,
                               most, most / 2, INFINITY, step,     134217729 / 8, least * 1.5};
    int n = 0;
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        out[n++] = rounded(f, positive[i]);
    static const size_t negated[] = {0, 1, 5, 7, 9, 10, 14, 18, 20};
    for (size_t i = 0; i < sizeof negated / sizeof *negated; i++)
        out[n++] = -rounded(f, positive[negated[i]]);
    out[n++] = (double)NAN;
    return n;
}

/* Any bits; a few bits set; an exponent near that of another number, so that digits meet. */
static double drawn(const struct format *f, double near)
{
    int low = f->digits - 1;
    uint64_t bits = choose_bits(&choices, (unsigned)f->bits);
    switch (choose(&choices, 4)) {
    case 0:
        return of_bits(f, bits);
    case 1: /* round in binary */
        return of_bits(f, bits >> low << low | ((uint64_t)1 << choose(&choices, (uint64_t)low)));
    case 2: /* small integers and their parts */
        return rounded(
            f, ldexp((double)(int64_t)choose(&choices, 20000) - 10000, -(int)choose(&choices, 12)));
    default: {
        int exponent;
        uint64_t digits = bits & (((uint64_t)1 << low) - 1);
        if (!isfinite(near) || near == 0)
            return of_bits(f, bits);
        frexp(near, &exponent);
        exponent += (int)choose(&choices, 60) - 30;
        double v = ldexp(1 + ldexp((double)digits, -low), exponent);
        return rounded(f, bits >> (f->bits - 1) ? -v : v);
    }
    }
}

/* -- comparing -------------------------------------------------------------------------------- */

static bool same(double a, double b)
{
    return isnan(a) ? isnan(b) : !memcmp(&a, &b, sizeof a);
}

struct tried {
    const char *what;
    bool good;
    int n;
};

static void compare(struct tried *t, double a, double b, double c, double got, double wanted)
{
    t->n++;
    if (same(got, wanted))
        return;
    if (t->good)
        printf("# %s of %a, %a, %a: got %a, wanted %a\n", t->what, a, b, c, got, wanted);
    t->good = false;
}

struct numbers {
    mpfr_t a, b, c, r;
};

static void begin(const struct format *f, struct numbers *n)
{
    mpfr_set_emin(f->least);
    mpfr_set_emax(f->most);
    mpfr_inits2(f->digits, n->a, n->b, n->c, n->r, (mpfr_ptr)0);
}

static void end(struct numbers *n)
{
    mpfr_clears(n->a, n->b, n->c, n->r, (mpfr_ptr)0);
}

static double result(struct numbers *n, int rounding)
{
    mpfr_subnormalize(n->r, rounding, MPFR_RNDN);
    return mpfr_get_d(n->r, MPFR_RNDN);
}

/* -- what is computed ------------------------------------------------------------------------- */

/* One row: how we compute it, and how MPFR does. `id` is an operator or a builtin. */
struct operation {
    const char *name;
    bool builtin;
    int id, single; /* of a builtin: in double, and in float where that is another */
    int operands;
    int (*by_mpfr)(struct numbers *n);
};

#define BY(name, call)                                                                             \
    static int by_##name(struct numbers *n)                                                        \
    {                                                                                              \
        return call;                                                                               \
    }
BY(add, mpfr_add(n->r, n->a, n->b, MPFR_RNDN))
BY(sub, mpfr_sub(n->r, n->a, n->b, MPFR_RNDN))
BY(mul, mpfr_mul(n->r, n->a, n->b, MPFR_RNDN))
BY(div, mpfr_div(n->r, n->a, n->b, MPFR_RNDN))
BY(sqrt, mpfr_sqrt(n->r, n->a, MPFR_RNDN))
BY(fma, mpfr_fma(n->r, n->a, n->b, n->c, MPFR_RNDN))
BY(min, mpfr_min(n->r, n->a, n->b, MPFR_RNDN))
BY(max, mpfr_max(n->r, n->a, n->b, MPFR_RNDN))
BY(floor, mpfr_floor(n->r, n->a))
BY(ceil, mpfr_ceil(n->r, n->a))
BY(trunc, mpfr_trunc(n->r, n->a))
BY(round, mpfr_round(n->r, n->a))
BY(rint, mpfr_rint(n->r, n->a, MPFR_RNDN))
BY(abs, mpfr_abs(n->r, n->a, MPFR_RNDN))
BY(copysign, mpfr_copysign(n->r, n->a, n->b, MPFR_RNDN))

#define FUNCTION(name, id, single, n, by)                                                          \
    {                                                                                              \
        name, true, CC_BUILTIN_##id, CC_BUILTIN_##single, n, by                                    \
    }
static const struct operation operations[] = {
    {"+", false, CC_ADD, CC_ADD, 2, by_add},
    {"-", false, CC_SUB, CC_SUB, 2, by_sub},
    {"*", false, CC_MUL, CC_MUL, 2, by_mul},
    {"/", false, CC_DIV, CC_DIV, 2, by_div},
    FUNCTION("sqrt", SQRT, SQRTF, 1, by_sqrt),
    FUNCTION("fma", FMA, FMAF, 3, by_fma),
    FUNCTION("fabs", FABS, FABSF, 1, by_abs),
    FUNCTION("copysign", COPYSIGN, COPYSIGNF, 2, by_copysign),
    FUNCTION("floor", FLOOR, FLOOR, 1, by_floor),
    FUNCTION("ceil", CEIL, CEIL, 1, by_ceil),
    FUNCTION("trunc", TRUNC, TRUNC, 1, by_trunc),
    FUNCTION("round", ROUND, ROUND, 1, by_round),
    FUNCTION("rint", RINT, RINT, 1, by_rint),
    FUNCTION("fmin", FMIN, FMIN, 2, by_min),
    FUNCTION("fmax", FMAX, FMAX, 2, by_max),
};

static double computed(const struct format *f, const struct operation *o, double a, double b,
                       double c)
{
    union cc_scalar args[3] = {{.f = a}, {.f = b}, {.f = c}}, r;
    int id = f->kind == CC_FLOAT ? o->single : o->id;
    if (o->builtin)
        cc_builtin_value(id, args, &r);
    else
        cc_binary_value((enum cc_op)id, type_of(f), args[0], args[1], &r);
    return r.f;
}

static void try_operands(const struct format *f, const struct operation *o, struct numbers *n,
                         struct tried *t, double a, double b, double c)
{
    if (o->by_mpfr == by_copysign && isnan(b)) /* whose sign nobody knows */
        return;
    mpfr_set_d(n->a, a, MPFR_RNDN);
    mpfr_set_d(n->b, b, MPFR_RNDN);
    mpfr_set_d(n->c, c, MPFR_RNDN);
    double got = computed(f, o, a, b, c), wanted = result(n, o->by_mpfr(n));
    if ((o->by_mpfr == by_min || o->by_mpfr == by_max) && got == 0 && wanted == 0)
        got = wanted; /* of which sign is the compiler's choice */
    compare(t, a, b, c, got, wanted);
}

static void test_operation(const struct format *f, const struct operation *o)
{
    double edge[MOST_EDGES];
    int n_edges = edges(f, edge), second = o->operands > 1 ? n_edges : 1;
    int third = o->operands > 2 ? n_edges : 1;
    struct tried t = {o->name, true, 0};
    struct numbers n;
    begin(f, &n);
    for (int i = 0; i < n_edges; i++)
        for (int j = 0; j < second; j++)
            for (int k = 0; k < third; k++)
                try_operands(f, o, &n, &t, edge[i], edge[j], edge[k]);
    for (int i = 0; i < tap_amount(RANDOM, 100 * RANDOM); i++) {
        double a = drawn(f, 1), b = drawn(f, a);
        /* a product and its negative rounded: only the digits that rounding dropped are left */
        double c = choose_flip(&choices, 0.5) ? rounded(f, -a * b) : drawn(f, a * b);
        try_operands(f, o, &n, &t, a, b, c);
    }
    ok(t.good, "%s in %s, %d times", o->name, f->name, t.n);
    end(&n);
}

/* -- conversions ------------------------------------------------------------------------------ */

static cc_wide drawn_integer(const struct cc_type *from)
{
    uint64_t bits = choose_bits(&choices, 64);
    if (choose_flip(&choices, 0.5)) /* near the middle of two floats */
        bits = ((bits | 1) << 40 | ((uint64_t)1 << choose(&choices, 40))) + choose(&choices, 3) - 1;
    return cc_wrap(from, (cc_wide)(bits >> choose(&choices, 63)));
}

static void test_from_integers(const struct format *f, enum cc_kind kind)
{
    const struct cc_type *from = cc_basic(&types, kind);
    struct tried t = {"an integer", true, 0};
    struct numbers n;
    begin(f, &n);
    for (int i = 0; i < RANDOM; i++) {
        union cc_scalar v = {.i = i == 0   ? cc_int_min(from)
                                  : i == 1 ? (cc_wide)cc_int_max(from)
                                           : drawn_integer(from)},
                        r;
        cc_convert_value(from, type_of(f), v, &r);
        if (from->is_signed)
            mpfr_set_sj(n.r, (intmax_t)v.i, MPFR_RNDN);
        else
            mpfr_set_uj(n.r, (uintmax_t)v.i, MPFR_RNDN);
        compare(&t, (double)v.i, 0, 0, r.f, mpfr_get_d(n.r, MPFR_RNDN));
    }
    ok(t.good, "%s of %s, %d times", f->name, cc_kind_text[kind], t.n);
    end(&n);
}

static void test_to_integers(const struct format *f, enum cc_kind kind)
{
    const struct cc_type *to = cc_basic(&types, kind);
    double edge[MOST_EDGES];
    int n_edges = edges(f, edge), n_fit = 0, n_not = 0;
    bool good = true;
    struct numbers n;
    begin(f, &n);
    for (int i = 0; i < RANDOM; i++) {
        union cc_scalar v = {.f = i < n_edges ? edge[i] : drawn(f, ldexp(1, to->bits - 2))}, r;
        enum cc_ub ub = cc_convert_value(type_of(f), to, v, &r);
        mpfr_set_d(n.a, v.f, MPFR_RNDN);
        mpfr_trunc(n.a, n.a);
        bool fits = to->is_signed ? mpfr_fits_intmax_p(n.a, MPFR_RNDZ)
                                  : mpfr_fits_uintmax_p(n.a, MPFR_RNDZ);
        cc_wide value = !fits           ? 0
                        : to->is_signed ? (cc_wide)mpfr_get_sj(n.a, MPFR_RNDZ)
                                        : (cc_wide)mpfr_get_uj(n.a, MPFR_RNDZ);
        fits = fits && !isnan(v.f) && cc_wrap(to, value) == value;
        good &= fits ? !ub && r.i == value : ub == CC_UB_FLOAT_CONVERSION;
        n_fit += fits;
        n_not += !fits;
    }
    ok(good && n_fit && n_not, "%s to %s: %d that fit, %d that do not", f->name, cc_kind_text[kind],
       n_fit, n_not);
    end(&n);
}

static void test_narrowing(void)
{
    const struct format *f = &formats[0], *d = &formats[1];
    struct tried t = {"float", true, 0};
    struct numbers n;
    double edge[MOST_EDGES], also[MOST_EDGES];
    int n_edges = edges(d, edge), n_also = edges(f, also);
    begin(f, &n);
    for (int i = 0; i < RANDOM; i++) {
        union cc_scalar v = {.f = drawn(d, 1)}, r;
        if (i < n_edges)
            v.f = edge[i];
        else if (i - n_edges < n_also * 3) /* next to a float, and half-way to the next */
            v.f = nextafter(also[(i - n_edges) / 3], i % 3 ? (double)INFINITY : 0);
        else if (i % 2) { /* in the middle of two floats or beside it */
            int exponent = (int)choose(&choices, 300) - 170;
            double middle = ldexp((double)(choose_bits(&choices, 24) | 1 << 24) + 0.5, exponent);
            v.f = i % 4 == 1 ? middle : nextafter(middle, i % 8 == 3 ? 0 : (double)INFINITY);
        }
        cc_convert_value(type_of(d), type_of(f), v, &r);
        compare(&t, v.f, 0, 0, r.f, result(&n, mpfr_set_d(n.r, v.f, MPFR_RNDN)));
    }
    ok(t.good, "double to float, %d times", t.n);
    end(&n);
}

/* -- questions -------------------------------------------------------------------------------- */

static cc_wide answer(int id, double a, double b)
{
    union cc_scalar args[2] = {{.f = a}, {.f = b}}, r;
    cc_builtin_value(id, args, &r);
    return r.i;
}

static cc_wide compared(enum cc_op op, double a, double b)
{
    union cc_scalar r;
    cc_binary_value(op, cc_basic(&types, CC_DOUBLE), (union cc_scalar){.f = a},
                    (union cc_scalar){.f = b}, &r);
    return r.i;
}

/* Of two operands; MPFR's predicates are false for a NaN, as those of 7.12.14. */
static bool order_agrees(const struct numbers *n, double a, double b)
{
    bool less = mpfr_less_p(n->a, n->b), equal = mpfr_equal_p(n->a, n->b);
    bool greater = mpfr_greater_p(n->a, n->b);
    return answer(CC_BUILTIN_ISUNORDERED, a, b) == (mpfr_unordered_p(n->a, n->b) != 0) &&
           answer(CC_BUILTIN_ISLESS, a, b) == less && compared(CC_LT, a, b) == less &&
           answer(CC_BUILTIN_ISLESSEQUAL, a, b) == (less || equal) &&
           compared(CC_LE, a, b) == (less || equal) &&
           answer(CC_BUILTIN_ISGREATER, a, b) == greater && compared(CC_GT, a, b) == greater &&
           answer(CC_BUILTIN_ISGREATEREQUAL, a, b) == (greater || equal) &&
           compared(CC_GE, a, b) == (greater || equal) &&
           answer(CC_BUILTIN_ISLESSGREATER, a, b) == (less || greater) &&
           compared(CC_EQ, a, b) == equal && compared(CC_NE, a, b) == !equal;
}

static bool kind_agrees(const struct numbers *n, double a)
{
    bool number = mpfr_number_p(n->a), zero = mpfr_zero_p(n->a);
    return answer(CC_BUILTIN_ISNAN, a, 0) == (mpfr_nan_p(n->a) != 0) &&
           answer(CC_BUILTIN_ISINF, a, 0) == (mpfr_inf_p(n->a) != 0) &&
           answer(CC_BUILTIN_ISFINITE, a, 0) == number &&
           answer(CC_BUILTIN_ISNORMAL, a, 0) ==
               (number && !zero && mpfr_get_exp(n->a) > DBL_MIN_EXP - 1) &&
           (isnan(a) || answer(CC_BUILTIN_SIGNBIT, a, 0) == (mpfr_signbit(n->a) != 0));
}

static void test_questions(void)
{
    const struct format *f = &formats[1];
    double edge[MOST_EDGES];
    int n_edges = edges(f, edge);
    bool order = true, kind = true;
    struct numbers n;
    begin(f, &n);
    for (int i = 0; i < RANDOM + n_edges * n_edges; i++) {
        double a = i < RANDOM ? drawn(f, 1) : edge[(i - RANDOM) / n_edges];
        double b = i < RANDOM ? drawn(f, a) : edge[(i - RANDOM) % n_edges];
        mpfr_set_d(n.a, a, MPFR_RNDN);
        mpfr_set_d(n.b, b, MPFR_RNDN);
        order &= order_agrees(&n, a, b);
        kind &= kind_agrees(&n, a);
    }
    ok(order, "comparisons, also of what has no order");
    ok(kind, "isnan and its kin");
    end(&n);
}

int main(void)
{
    arena_init(&arena);
    cc_types_init(&types, &arena, &cc_lp64);
    choice_init_random(&choices, 11);
    for (size_t f = 0; f < 2; f++) {
        for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
            test_operation(&formats[f], &operations[i]);
        for (int kind = CC_SCHAR; kind <= CC_ULLONG; kind++) {
            test_from_integers(&formats[f], (enum cc_kind)kind);
            test_to_integers(&formats[f], (enum cc_kind)kind);
        }
    }
    test_narrowing();
    test_questions();
    choice_release(&choices);
    cc_types_release(&types);
    arena_release(&arena);
    return tap_done();
}
