/* Operations on values against C itself: every pair at 8 bits, many at 32, 64 and 128 bits, every
 * conversion between basic types, and the builtins against their own code. */
#include "base/choice.h"
#include "cc/builtin.h"
#include "tap.h"

#include <float.h>
#include <math.h>

static struct arena arena;
static struct cc_types types;
static struct choice choices;

static const struct cc_type *basic(enum cc_kind kind)
{
    return cc_basic(&types, kind);
}

/* -- what is right ---------------------------------------------------------------------------- */

/* v mod 2^bits, read as signed or not, without any code of value.c. */
static cc_wide modulo(cc_wide v, int bits, bool is_signed)
{
    if (bits == 128)
        return v;
    cc_uwide m = (cc_uwide)1 << bits, low = (cc_uwide)v & (m - 1);
    return is_signed && low >> (bits - 1) ? (cc_wide)low - (cc_wide)m : (cc_wide)low;
}

struct expected {
    enum cc_ub ub;
    cc_wide value;
    bool any; /* undefined, and no value is better than another */
};

/* By definition, for at most 64 bits: compute with unbounded integers, see if the result fits. */
static struct expected expect(enum cc_op op, int bits, bool is_signed, cc_wide a, cc_wide b)
{
    enum cc_ub ub = CC_UB_NONE, overflow = is_signed ? CC_UB_OVERFLOW : CC_UB_NONE;
    cc_wide least = is_signed ? -((cc_wide)1 << (bits - 1)) : 0;
    cc_wide v = 0;
    switch (op) {
    case CC_ADD:
        v = a + b;
        break;
    case CC_SUB:
        v = a - b;
        break;
    case CC_MUL: /* unsigned 64 bits by themselves may not fit 127 bits, but then wrap */
        v = (cc_wide)((cc_uwide)a * (cc_uwide)b);
        break;
    case CC_DIV:
    case CC_REM:
        if (b == 0)
            return (struct expected){CC_UB_DIVISION, 0, true};
        v = op == CC_DIV ? a / b : a % b;
        overflow = CC_UB_QUOTIENT;
        ub = is_signed && a == least && b == -1 ? CC_UB_QUOTIENT : CC_UB_NONE;
        break;
    case CC_SHL:
        if (b < 0 || b >= bits)
            return (struct expected){CC_UB_SHIFT_COUNT, 0, true};
        v = (cc_wide)((cc_uwide)a << b);
        overflow = is_signed ? CC_UB_SHIFT_LEFT : CC_UB_NONE;
        ub = is_signed && a < 0 ? CC_UB_SHIFT_LEFT : CC_UB_NONE;
        break;
    case CC_SHR:
        if (b < 0 || b >= bits)
            return (struct expected){CC_UB_SHIFT_COUNT, 0, true};
        v = a >> b;
        break;
    case CC_AND:
        v = a & b;
        break;
    case CC_OR:
        v = a | b;
        break;
    case CC_XOR:
        v = a ^ b;
        break;
    case CC_LT:
        return (struct expected){CC_UB_NONE, a < b, false};
    case CC_GT:
        return (struct expected){CC_UB_NONE, a > b, false};
    case CC_LE:
        return (struct expected){CC_UB_NONE, a <= b, false};
    case CC_GE:
        return (struct expected){CC_UB_NONE, a >= b, false};
    case CC_EQ:
        return (struct expected){CC_UB_NONE, a == b, false};
    default:
        return (struct expected){CC_UB_NONE, a != b, false};
    }
    cc_wide wrapped = modulo(v, bits, is_signed);
    if (wrapped != v && ub == CC_UB_NONE)
        ub = overflow;
    return (struct expected){ub, wrapped, false};
}

static bool same_binary(enum cc_op op, const struct cc_type *type, cc_wide a, cc_wide b)
{
    union cc_scalar x = {.i = a}, y = {.i = b}, out = {.i = 99};
    enum cc_ub ub = cc_binary_value(op, type, x, y, &out);
    struct expected e = expect(op, type->bits, type->is_signed, a, b);
    if (ub == e.ub && (e.any || out.i == e.value))
        return true;
    printf("# %lld %s %lld of %d bits: got %lld (%s), wanted %lld (%s)\n", (long long)a,
           cc_op_text[op], (long long)b, type->bits, (long long)out.i, cc_ub_rules[ub].name,
           (long long)e.value, cc_ub_rules[e.ub].name);
    return false;
}

/* -- integers --------------------------------------------------------------------------------- */

static void test_all_8_bits(enum cc_kind kind)
{
    const struct cc_type *type = basic(kind);
    cc_wide low = cc_int_min(type), high = (cc_wide)cc_int_max(type);
    for (enum cc_op op = CC_ADD; op <= CC_NE; op++) {
        bool good = true;
        for (cc_wide a = low; a <= high && good; a++)
            for (cc_wide b = low; b <= high && good; b++)
                good = same_binary(op, type, a, b);
        ok(good, "%s, all %s values", cc_op_text[op], type->is_signed ? "int8_t" : "uint8_t");
    }
}

/* A number that is interesting for its width: near 0, near a limit, of few bits, or any. */
static cc_wide interesting(const struct cc_type *type)
{
    cc_uwide v = (cc_uwide)choose_bits(&choices, 64) << 64 | choose_bits(&choices, 64);
    switch (choose(&choices, 4)) {
    case 0:
        return cc_wrap(type, (cc_wide)(choose(&choices, 70)) - 3);
    case 1:
        return cc_wrap(type, (cc_wide)((cc_uwide)cc_int_min(type) + choose(&choices, 5) - 2));
    case 2:
        return cc_wrap(type, (cc_wide)(v >> choose(&choices, 127)));
    default:
        return cc_wrap(type, (cc_wide)v);
    }
}

static void test_random(enum cc_kind kind)
{
    const struct cc_type *type = basic(kind);
    for (enum cc_op op = CC_ADD; op <= CC_NE; op++) {
        bool good = true;
        for (int i = 0; i < 20000 && good; i++)
            good = same_binary(op, type, interesting(type), interesting(type));
        ok(good, "%s, random values of kind %d", cc_op_text[op], (int)kind);
    }
}

#define CHECK128(T, op, overflowed, result)                                                        \
    do {                                                                                           \
        union cc_scalar x_ = {.i = (cc_wide)a}, y_ = {.i = (cc_wide)b}, out_;                      \
        enum cc_ub ub_ = cc_binary_value((op), (T), x_, y_, &out_);                                \
        good &= (ub_ != CC_UB_NONE) == (overflowed) && out_.i == (cc_wide)(result);                \
    } while (0)

static void test_128(void)
{
    bool good = true;
    const struct cc_type *s = basic(CC_INT128), *u = basic(CC_UINT128);
    for (int i = 0; i < 20000; i++) {
        cc_wide r, a = interesting(s), b = interesting(s);
        bool over = __builtin_add_overflow(a, b, &r);
        CHECK128(s, CC_ADD, over, r);
        over = __builtin_sub_overflow(a, b, &r);
        CHECK128(s, CC_SUB, over, r);
        over = __builtin_mul_overflow(a, b, &r);
        CHECK128(s, CC_MUL, over, r);
        CHECK128(s, CC_LT, false, a < b);
        CHECK128(u, CC_LT, false, (cc_uwide)a < (cc_uwide)b);
        CHECK128(u, CC_GE, false, (cc_uwide)a >= (cc_uwide)b);
        CHECK128(u, CC_MUL, false, (cc_uwide)a * (cc_uwide)b);
        if (b == 0)
            continue;
        CHECK128(u, CC_DIV, false, (cc_uwide)a / (cc_uwide)b);
        CHECK128(u, CC_REM, false, (cc_uwide)a % (cc_uwide)b);
        bool least = a == cc_int_min(s) && b == -1;
        CHECK128(s, CC_DIV, least, least ? a : a / b);
        CHECK128(s, CC_REM, least, least ? 0 : a % b);
        if (b < 0 || b >= 128)
            continue;
        CHECK128(u, CC_SHL, false, (cc_uwide)a << b);
        CHECK128(u, CC_SHR, false, (cc_uwide)a >> b);
        CHECK128(s, CC_SHR, false, a >> b);
        cc_wide shifted = (cc_wide)((cc_uwide)a << b);
        CHECK128(s, CC_SHL, a < 0 || shifted >> b != a, shifted);
    }
    ok(good, "128 bits, against the compiler's own");
    union cc_scalar out, big = {.i = -1}, one = {.i = 1};
    is_int(cc_binary_value(CC_SHL, basic(CC_INT), one, big, &out), CC_UB_SHIFT_COUNT,
           "a count of 2^128-1 is no -1 and no less wrong");
}

static void test_unary(void)
{
    bool good = true;
    for (int k = CC_SCHAR; k <= CC_ULLONG; k++) {
        const struct cc_type *t = basic((enum cc_kind)k);
        for (int i = 0; i < 5000; i++) {
            union cc_scalar a = {.i = interesting(t)}, out;
            enum cc_ub ub = cc_unary_value(CC_MINUS, t, a, &out);
            good &= out.i == modulo(-a.i, t->bits, t->is_signed);
            good &= (ub == CC_UB_OVERFLOW) == (t->is_signed && a.i == cc_int_min(t));
            good &= !cc_unary_value(CC_COMPL, t, a, &out) &&
                    out.i == modulo(-a.i - 1, t->bits, t->is_signed);
            good &= !cc_unary_value(CC_NOT, t, a, &out) && out.i == !a.i;
            good &= !cc_unary_value(CC_PLUS, t, a, &out) && out.i == a.i;
        }
    }
    ok(good, "unary operators");
    union cc_scalar least = {.i = cc_int_min(basic(CC_INT128))}, out;
    is_int(cc_unary_value(CC_MINUS, basic(CC_INT128), least, &out), CC_UB_OVERFLOW,
           "the least __int128 has no negative");
}

static void test_limits(void)
{
    ok(cc_int_min(basic(CC_INT)) == INT32_MIN && cc_int_max(basic(CC_INT)) == INT32_MAX, "int");
    ok(cc_int_min(basic(CC_UCHAR)) == 0 && cc_int_max(basic(CC_UCHAR)) == 255, "unsigned char");
    ok(cc_int_max(basic(CC_BOOL)) == 1, "_Bool");
    ok(cc_int_max(basic(CC_ULLONG)) == UINT64_MAX, "unsigned long long");
    ok(cc_int_max(basic(CC_UINT128)) == ~(cc_uwide)0, "unsigned __int128");
    ok(cc_int_max(basic(CC_INT128)) == ~(cc_uwide)0 >> 1, "__int128");
    bool good = true;
    for (int bits = 1; bits <= 64; bits++)
        for (int i = 0; i < 200; i++) {
            cc_wide v = interesting(basic(CC_LLONG));
            good &= cc_bitfield_value(basic(CC_LLONG), bits, v) == modulo(v, bits, true);
            good &= cc_bitfield_value(basic(CC_ULLONG), bits, v) == modulo(v, bits, false);
        }
    ok(good, "bit-fields of every width");
    ok(cc_bitfield_value(basic(CC_BOOL), 1, 1) == 1, "a bit-field of _Bool");
}

/* -- conversions ------------------------------------------------------------------------------ */

/* from integer `v` to every type, by C. */
/* clang-format off */
#define CONVERSIONS(X)                                                                             \
    X(CC_BOOL, bool)                                                                               \
    X(CC_SCHAR, int8_t)                                                                            \
    X(CC_UCHAR, uint8_t)                                                                           \
    X(CC_SHORT, int16_t) X(CC_USHORT, uint16_t) X(CC_INT, int32_t) X(CC_UINT, uint32_t)            \
        X(CC_LONG, long) X(CC_ULONG, unsigned long) X(CC_LLONG, int64_t) X(CC_ULLONG, uint64_t)    \
            X(CC_INT128, cc_wide) X(CC_UINT128, cc_uwide)
/* clang-format on */

static bool converts_integer(const struct cc_type *from, cc_wide v)
{
    union cc_scalar in = {.i = v}, out;
    bool good = true;
#define X(kind, c_type)                                                                            \
    good &= !cc_convert_value(from, basic(kind), in, &out) && out.i == (cc_wide)(c_type)v;
    CONVERSIONS(X)
#undef X
    bool huge = from->kind == CC_UINT128;
    good &= !cc_convert_value(from, basic(CC_DOUBLE), in, &out) &&
            out.f == (huge ? (double)(cc_uwide)v : (double)v);
    float f = huge ? (float)(cc_uwide)v : (float)v;
    enum cc_ub ub = cc_convert_value(from, basic(CC_FLOAT), in, &out);
    good &= (ub == CC_UB_FLOAT_CONVERSION) == !isfinite(f) && out.f == (double)f;
    return good;
}

static void test_convert_integers(void)
{
    for (int k = CC_BOOL; k <= CC_UINT128; k++) {
        const struct cc_type *from = basic((enum cc_kind)k);
        bool good = true;
        for (int i = 0; i < 5000; i++)
            good &= converts_integer(from, interesting(from));
        ok(good, "from integer kind %d to all others", k);
    }
    union cc_scalar v = {.i = ((cc_wide)1 << 53) + ((cc_wide)1 << 29) + 1}, out;
    cc_convert_value(basic(CC_LLONG), basic(CC_FLOAT), v, &out);
    ok(out.f == (double)(float)v.i, "to float in one rounding");
}

static enum cc_ub from_double(double f, enum cc_kind to, cc_wide *out)
{
    union cc_scalar in = {.f = f}, r;
    enum cc_ub ub = cc_convert_value(basic(CC_DOUBLE), basic(to), in, &r);
    *out = r.i;
    return ub;
}

static void test_convert_floats(void)
{
    cc_wide v;
    bool good = true;
    for (int k = CC_SCHAR; k <= CC_UINT128; k++) {
        const struct cc_type *t = basic((enum cc_kind)k);
        double top = ldexp(1, t->bits - t->is_signed), low = t->is_signed ? -top : 0;
        good &= from_double(nextafter(top, 0), t->kind, &v) == CC_UB_NONE;
        good &= from_double(top, t->kind, &v) == CC_UB_FLOAT_CONVERSION && v == 0;
        good &= from_double(low, t->kind, &v) == CC_UB_NONE && v == cc_int_min(t);
        good &= from_double(low - (t->bits < 53 ? 1 : 1e30 * top), t->kind, &v) != CC_UB_NONE;
        good &= from_double(-0.99, t->kind, &v) == CC_UB_NONE && v == 0;
        good &= from_double(100.75, t->kind, &v) == CC_UB_NONE && v == 100;
        good &= from_double(NAN, t->kind, &v) == CC_UB_FLOAT_CONVERSION;
        good &= from_double(INFINITY, t->kind, &v) == CC_UB_FLOAT_CONVERSION;
        if (t->bits < 53)
            good &= from_double(low - 0.5, t->kind, &v) == CC_UB_NONE && v == cc_int_min(t);
    }
    ok(good, "from double: the limits of each type");
    ok(!from_double(0.25, CC_BOOL, &v) && v == 1, "0.25 is true");
    ok(!from_double(-0.0, CC_BOOL, &v) && v == 0, "-0.0 is false");
    ok(!from_double(1e300, CC_BOOL, &v) && v == 1, "so is what fits nowhere else");
    ok(!from_double(ldexp(3, 126), CC_UINT128, &v) && (cc_uwide)v == (cc_uwide)3 << 126, "3*2^126");
    union cc_scalar in = {.f = 0.1}, out;
    ok(!cc_convert_value(basic(CC_DOUBLE), basic(CC_FLOAT), in, &out) && out.f == (double)0.1f,
       "double to float rounds");
    in.f = 1e39;
    is_int(cc_convert_value(basic(CC_DOUBLE), basic(CC_FLOAT), in, &out), CC_UB_FLOAT_DEMOTION,
           "1e39 is no float");
}

/* -- floats ----------------------------------------------------------------------------------- */

static double random_float(bool is_double)
{
    double m = (double)(int64_t)choose_bits(&choices, 64);
    double v = ldexp(m, (int)choose(&choices, 120) - 140);
    return is_double ? v : (double)(float)v;
}

static void test_floats(void)
{
    bool doubles = true, floats = true, orders = true;
    const struct cc_type *d = basic(CC_DOUBLE), *f = basic(CC_FLOAT);
    for (int i = 0; i < 50000; i++) {
        union cc_scalar a = {.f = random_float(false)}, b = {.f = random_float(false)}, out;
        float x = (float)a.f, y = (float)b.f;
        float wanted[] = {x + y, x - y, x * y, x / y};
        for (int op = CC_ADD; op <= CC_DIV && y != 0; op++) {
            enum cc_ub ub = cc_binary_value((enum cc_op)op, f, a, b, &out);
            floats &= out.f == (double)wanted[op - CC_ADD];
            floats &= (ub == CC_UB_NONE) == (isfinite(wanted[op - CC_ADD]) != 0);
        }
        a.f = random_float(true);
        b.f = random_float(true);
        double exact[] = {a.f + b.f, a.f - b.f, a.f * b.f, a.f / b.f};
        for (int op = CC_ADD; op <= CC_DIV && b.f != 0; op++)
            doubles &=
                !cc_binary_value((enum cc_op)op, d, a, b, &out) && out.f == exact[op - CC_ADD];
        if (i % 5 == 0)
            b.f = a.f;
        bool order[] = {a.f<b.f, a.f> b.f, a.f <= b.f, a.f >= b.f, a.f == b.f, a.f != b.f};
        for (int op = CC_LT; op <= CC_NE; op++)
            orders &= !cc_binary_value((enum cc_op)op, d, a, b, &out) && out.i == order[op - CC_LT];
    }
    ok(floats, "float arithmetic rounds to float");
    ok(doubles, "double arithmetic");
    ok(orders, "comparisons of doubles");
    union cc_scalar one = {.f = 1}, zero = {.f = 0}, big = {.f = (double)FLT_MAX}, out;
    is_int(cc_binary_value(CC_DIV, d, one, zero, &out), CC_UB_DIVISION, "1.0 / 0.0");
    is_int(cc_binary_value(CC_MUL, f, big, big, &out), CC_UB_OVERFLOW, "FLT_MAX * FLT_MAX");
    is_int(cc_binary_value(CC_ADD, d, big, big, &out), CC_UB_NONE, "FLT_MAX + FLT_MAX, double");
    ok(!cc_unary_value(CC_MINUS, d, zero, &out) && signbit(out.f), "-0.0");
    ok(!cc_unary_value(CC_NOT, d, zero, &out) && out.i == 1, "!0.0");
}

/* -- tables and builtins ---------------------------------------------------------------------- */

static void test_tables(void)
{
    bool good = true;
    for (int i = CC_UB_NONE + 1; i < CC_N_UB; i++) {
        good &= cc_ub_rules[i].name[0] && cc_ub_rules[i].clause[0] && cc_ub_rules[i].message[0];
        for (int j = CC_UB_NONE + 1; j < i; j++)
            good &= strcmp(cc_ub_rules[i].name, cc_ub_rules[j].name) != 0;
    }
    ok(good, "each rule has a name of its own, a clause and a message");
    is_str(cc_op_text[CC_SHL], "<<", "operators have texts");
    is_str(cc_op_text[CC_COMPL], "~", "the last one too");
    is_str(cc_builtins[CC_BUILTIN_CHECKSUM].name, "transparent_crc", "and builtins names");
}

static enum cc_ub builtin(int id, cc_wide v, cc_wide *out)
{
    union cc_scalar args[2] = {{.i = v}, {.i = 1}}, r;
    enum cc_ub ub = cc_builtin_value(id, args, &r);
    *out = r.i;
    return ub;
}

#define SAME(id, call) good &= !builtin(CC_BUILTIN_##id, v, &out) && out == (cc_wide)(call)

static void test_builtins(void)
{
    bool good = true;
    cc_wide out;
    for (int i = 0; i < 5000; i++) {
        cc_wide v = interesting(basic(CC_INT));
        int s = (int)v;
        SAME(FFS, __builtin_ffs(s));
        SAME(CLRSB, __builtin_clrsb(s));
        if (s != INT32_MIN)
            SAME(ABS, __builtin_abs(s));
        v = interesting(basic(CC_LLONG));
        long long l = (long long)v;
        SAME(FFSLL, __builtin_ffsll(l));
        SAME(CLRSBLL, __builtin_clrsbll(l));
        if (l != INT64_MIN)
            SAME(LLABS, __builtin_llabs(l));
        SAME(EXPECT, l);
        v = interesting(basic(CC_UINT));
        unsigned u = (unsigned)v;
        if (u) {
            SAME(CLZ, __builtin_clz(u));
            SAME(CTZ, __builtin_ctz(u));
        }
        SAME(POPCOUNT, __builtin_popcount(u));
        SAME(PARITY, __builtin_parity(u));
        SAME(BSWAP32, __builtin_bswap32(u));
        v = interesting(basic(CC_ULLONG));
        unsigned long long w = (unsigned long long)v;
        if (w) {
            SAME(CLZLL, __builtin_clzll(w));
            SAME(CTZLL, __builtin_ctzll(w));
        }
        SAME(POPCOUNTLL, __builtin_popcountll(w));
        SAME(PARITYLL, __builtin_parityll(w));
        SAME(BSWAP64, __builtin_bswap64(w));
        v = interesting(basic(CC_USHORT));
        SAME(BSWAP16, __builtin_bswap16((uint16_t)v));
    }
    ok(good, "builtins compute what the compiler's do");
    is_int(builtin(CC_BUILTIN_CLZ, 0, &out), CC_UB_BUILTIN_ARGUMENT, "clz of 0");
    is_int(builtin(CC_BUILTIN_CTZLL, 0, &out), CC_UB_BUILTIN_ARGUMENT, "ctzll of 0");
    is_int(builtin(CC_BUILTIN_ABS, INT32_MIN, &out), CC_UB_BUILTIN_ARGUMENT, "abs of INT_MIN");
    is_int(builtin(CC_BUILTIN_FFS, 0, &out), CC_UB_NONE, "ffs of 0 is defined");
    union cc_scalar args[2] = {{.f = -2.5}, {.f = -0.0}}, r;
    ok(!cc_builtin_value(CC_BUILTIN_FABS, args, &r) && r.f == 2.5, "fabs");
    args[0].f = 3;
    ok(!cc_builtin_value(CC_BUILTIN_COPYSIGN, args, &r) && r.f == -3, "copysign");
}

int main(void)
{
    arena_init(&arena);
    cc_types_init(&types, &arena, &cc_lp64);
    choice_init_random(&choices, 7);
    test_all_8_bits(CC_SCHAR);
    test_all_8_bits(CC_UCHAR);
    for (int k = CC_SHORT; k <= CC_ULLONG; k++)
        test_random((enum cc_kind)k);
    test_128();
    test_unary();
    test_limits();
    test_convert_integers();
    test_convert_floats();
    test_floats();
    test_tables();
    test_builtins();
    choice_release(&choices);
    cc_types_release(&types);
    arena_release(&arena);
    return tap_done();
}
