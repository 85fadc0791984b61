/* Constants as text.
 *
 * An integer constant has exactly the type of its node, by its suffix (6.4.4.1p5); there is none
 * for types narrower than int, and none is needed, because an operand of such a type is promoted
 * before anything is done with it. Negative constants do not exist in C; they are a unary minus
 * before the magnitude, which has the same type. */
#include "cc/print_internal.h"

#include <math.h>

static const struct cc_enumerator *enumerator_of(const struct cc_type *type, cc_wide v)
{
    if (type->kind == CC_ENUM)
        for (int i = 0; i < type->enumeration->n_values; i++)
            if (type->enumeration->values[i].value == v)
                return &type->enumeration->values[i];
    return NULL;
}

bool print_is_wide(const struct cc_type *type)
{
    return type->kind == CC_INT128 || type->kind == CC_UINT128;
}

static bool fits_64(cc_wide v, const struct cc_type *type)
{
    if (type->kind == CC_UINT128)
        return (cc_uwide)v <= UINT64_MAX;
    return v >= -(cc_wide)INT64_MAX && v <= (cc_wide)UINT64_MAX;
}

static bool is_least(const struct cc_type *type, cc_wide v)
{
    return type->is_signed && type->bits >= 32 && v == cc_int_min(type);
}

int print_int_precedence(const struct printer *p, const struct cc_expr *e)
{
    const struct cc_type *type = e->type;
    if (print_is_wide(type))
        return type->kind == CC_UINT128 && !fits_64(e->value, type) ? P_PRIMARY : P_CAST;
    if (type->kind == CC_ENUM && !(e->spelling == CC_ENUMERATOR && enumerator_of(type, e->value)))
        return p->language == CC_CXX17 ? P_CAST : e->value < 0 ? P_UNARY : P_PRIMARY;
    if (e->value >= 0 || is_least(type, e->value))
        return P_PRIMARY;
    return type->is_signed ? P_UNARY : P_PRIMARY;
}

void put_decimal(struct printer *p, uint64_t v)
{
    static const char pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    char text[20];
    size_t at = sizeof text;
    for (; v >= 100; v /= 100) {
        at -= 2;
        memcpy(text + at, pairs + v % 100 * 2, 2);
    }
    if (v >= 10) {
        at -= 2;
        memcpy(text + at, pairs + v * 2, 2);
    } else {
        text[--at] = (char)('0' + v);
    }
    put(p, text + at, sizeof text - at);
}

/* `shift` bits a digit: 4, 3 or 1. */
static void put_digits(struct printer *p, uint64_t v, unsigned shift)
{
    char text[64];
    size_t at = sizeof text;
    do {
        text[--at] = "0123456789ABCDEF"[v & ((1U << shift) - 1)];
        v >>= shift;
    } while (v);
    put(p, text + at, sizeof text - at);
}

static void put_magnitude(struct printer *p, uint64_t v, enum cc_spelling spelling)
{
    switch (spelling) {
    case CC_HEX:
        PUT(p, "0x");
        put_digits(p, v, 4);
        break;
    case CC_OCTAL:
        if (v)
            put_char(p, '0');
        put_digits(p, v, 3);
        break;
    case CC_BINARY_DIGITS:
        PUT(p, "0b");
        put_digits(p, v, 1);
        break;
    default:
        put_decimal(p, v);
    }
}

static void put_suffix(struct printer *p, enum cc_kind kind)
{
    static const char *const suffix[CC_N_BASIC] = {
        [CC_UINT] = "U", [CC_LONG] = "L", [CC_ULONG] = "UL", [CC_LLONG] = "LL", [CC_ULLONG] = "ULL",
    };
    p->long_used |= kind == CC_LONG || kind == CC_ULONG;
    if (suffix[kind])
        put_str(p, suffix[kind]);
}

/* __int128 has no constants: a cast, or two halves put together in its unsigned type. */
static void put_wide(struct printer *p, const struct cc_type *type, cc_wide v)
{
    if (fits_64(v, type)) {
        uint64_t magnitude = (uint64_t)(v < 0 ? -v : v);
        put_char(p, '(');
        put_kind(p, type->kind);
        put_char(p, ')');
        if (v < 0)
            put_char(p, '-');
        put_decimal(p, magnitude);
        if (magnitude > INT64_MAX)
            PUT(p, "ULL");
        else if (magnitude > INT32_MAX)
            PUT(p, "LL");
        return;
    }
    if (type->kind == CC_INT128)
        PUT(p, "(__int128)");
    PUT(p, "((unsigned __int128)0x");
    put_digits(p, (uint64_t)((cc_uwide)v >> 64), 4);
    PUT(p, "ULL << 64 | 0x");
    put_digits(p, (uint64_t)v, 4);
    PUT(p, "ULL)");
}

static void put_character(struct printer *p, char c)
{
    put_char(p, '\'');
    if (c == '\'' || c == '\\')
        put_char(p, '\\');
    put_char(p, c);
    put_char(p, '\'');
}

void put_int(struct printer *p, const struct cc_type *type, cc_wide v, enum cc_spelling spelling)
{
    enum cc_kind kind = type->kind;
    if (print_is_wide(type)) {
        put_wide(p, type, v);
        return;
    }
    if (kind == CC_ENUM) {
        const struct cc_enumerator *name =
            spelling == CC_ENUMERATOR ? enumerator_of(type, v) : NULL;
        if (name) {
            if (p->types_used)
                p->types_used[type->plain->id] = true;
            if (p->whole)
                vec_push(&p->enumerators, name);
            put_str(p, name->name);
            return;
        }
        if (p->language == CC_CXX17) {
            put_char(p, '(');
            put_declarator(p, type->plain, "");
            put_char(p, ')');
        }
        kind = type->is_signed ? CC_INT : CC_UINT;
    }
    if (p->plain_numbers && spelling != CC_ENUMERATOR)
        spelling = CC_DECIMAL;
    if (spelling == CC_CHARACTER && v >= ' ' && v <= '~' && kind <= CC_INT) {
        put_character(p, (char)v);
        return;
    }
    if (is_least(type, v)) {
        PUT(p, "(-");
        put_magnitude(p, (uint64_t) - (v + 1), spelling);
        put_suffix(p, kind);
        PUT(p, " - 1)");
        return;
    }
    if (v < 0) {
        put_char(p, '-');
        v = -v;
    }
    put_magnitude(p, (uint64_t)v, spelling);
    put_suffix(p, kind);
}

static bool reads_back(const char *text, double v, bool is_double)
{
    return is_double ? strtod(text, NULL) == v : strtof(text, NULL) == (float)v;
}

/* The shortest of a few precisions that reads back as the same value. */
static void put_shortest(struct printer *p, double v, bool is_double)
{
    static const int digits[] = {6, 9, 15, 16, 17};
    char text[64];
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
        snprintf(text, sizeof text, "%.*g", digits[i], v);
        if (reads_back(text, v, is_double))
            break;
    }
    char *exponent = p->whole ? strstr(text, "e+") : NULL; /* 1e+05 is 1e5 */
    if (exponent) {
        put(p, text, (size_t)(exponent + 1 - text));
        put_str(p, exponent + 2 + strspn(exponent + 2, "0"));
        return;
    }
    put_str(p, text);
    if (!strpbrk(text, ".e"))
        PUT(p, ".0");
}

/* Hexadecimal where the value has no short decimal form: exact in any case. */
static void put_long_float(struct printer *p, long double v)
{
    char text[64];
    if (isnan(v) || isinf(v)) {
        put_str(p, isnan(v) ? "__builtin_nanl(\"\")" : v < 0 ? "-1e9999L" : "1e9999L");
        return;
    }
    bool whole = v == truncl(v) && fabsl(v) < 1e15L;
    snprintf(text, sizeof text, whole ? "%.1LfL" : "%LaL", v);
    put_str(p, text);
}

void put_float(struct printer *p, const struct cc_expr *e)
{
    if (e->type->kind == CC_LDOUBLE) {
        put_long_float(p, e->exact);
        return;
    }
    bool is_double = e->type->kind == CC_DOUBLE;
    double v = e->number;
    bool constants = p->whole || p->program->ieee_floats;
    if (constants && isnan(v)) {
        put_str(p, is_double ? "__builtin_nan(\"\")" : "__builtin_nanf(\"\")");
        return;
    }
    if (constants && isinf(v)) { /* a constant too large for its type (6.4.4.2p4, F.5) */
        put_str(p, v < 0 ? "-1e999" : "1e999");
        if (!is_double)
            put_char(p, 'f');
        return;
    }
    if (isnan(v) || isinf(v)) { /* there are no such constants */
        put_char(p, '(');
        put_str(p, isnan(v) ? "0.0" : v < 0 ? "-1.0" : "1.0");
        put_str(p, is_double ? " / 0.0)" : "f / 0.0f)");
        return;
    }
    if (e->spelling == CC_HEX) {
        char text[64];
        snprintf(text, sizeof text, "%a", v);
        put_str(p, text);
    } else if (fabs(v) < 1e6 && trunc(v) == v) { /* most of them; spares the search */
        if (signbit(v))
            put_char(p, '-');
        put_decimal(p, (uint64_t)fabs(v));
        PUT(p, ".0");
    } else {
        put_shortest(p, v, is_double);
    }
    if (!is_double)
        put_char(p, 'f');
}
