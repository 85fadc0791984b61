/* Types as far as the mask needs them: enough to know that an error is certain.
 *
 * Everything is allowed to be unknown, and what is unknown fits anywhere. The rules are those of
 * C11 6.5 and of OpenCL C 6.2 and 6.3 for vectors: operands of one operation have as many lanes, or
 * one; a vector is assigned to one of the same type, a scalar to any. */
#include "gen/lm/scope_internal.h"

#include <string.h>

struct lm_type lm_type_of(enum lm_base base)
{
    return (struct lm_type){.base = (uint8_t)base, .width = 1, .record = -1};
}

struct lm_type lm_type_inner(struct lm_type t)
{
    if (t.depth)
        t.depth--;
    if (t.dims)
        t.dims--;
    return t;
}

bool lm_type_is_float(struct lm_type t)
{
    return !t.depth && t.base >= LM_T_HALF && t.base <= LM_T_DOUBLE;
}

bool lm_type_is_vector(struct lm_type t)
{
    return !t.depth && t.width > 1;
}

bool lm_type_is_record(struct lm_type t)
{
    return !t.depth && t.base == LM_T_RECORD;
}

static bool is_arithmetic(struct lm_type t)
{
    return !t.depth && t.base >= LM_T_BOOL && t.base <= LM_T_DOUBLE;
}

bool lm_type_fits(struct lm_type to, struct lm_type value)
{
    if (to.base == LM_T_UNKNOWN || value.base == LM_T_UNKNOWN)
        return true;
    if (to.depth) {
        if (!value.depth)
            return (value.flags & LM_TF_LITERAL) != 0;
        bool spaces = to.space && value.space && to.space != value.space;
        return !spaces;
    }
    if (value.depth)
        return to.base == LM_T_BOOL;
    if (to.base == LM_T_RECORD || value.base == LM_T_RECORD)
        return to.base == value.base && to.record == value.record;
    if (to.base == LM_T_OPAQUE) /* a sampler is a number */
        return true;
    if (value.base == LM_T_OPAQUE)
        return false;
    if (value.base == LM_T_VOID)
        return to.base == LM_T_VOID;
    if (value.width > 1)
        return to.width == value.width && to.base == value.base;
    return true;
}

static bool is_shift(int op)
{
    return op == LM_OP2('<', '<') || op == LM_OP2('>', '>') || op == LM_OP3('<', '<', '=') ||
           op == LM_OP3('>', '>', '=');
}

static bool is_bits(int op)
{
    char first = (char)(op & 0xff);
    bool assigns = op >> 8 == '=';
    return (first == '&' || first == '|' || first == '^') && (op < 256 || assigns);
}

static bool is_remainder(int op)
{
    return op == '%' || op == LM_OP2('%', '=');
}

static bool is_multiplicative(int op)
{
    return op == '*' || op == '/' || op == LM_OP2('*', '=') || op == LM_OP2('/', '=') ||
           is_remainder(op);
}

static bool is_additive(int op)
{
    return op == '+' || op == '-' || op == LM_OP2('+', '=') || op == LM_OP2('-', '=');
}

bool lm_type_clash(struct lm_type a, int op, struct lm_type b)
{
    bool arithmetic = is_multiplicative(op) || is_shift(op) || is_bits(op);
    bool known_a = a.base != LM_T_UNKNOWN, known_b = b.base != LM_T_UNKNOWN;
    if ((known_b && is_remainder(op) && lm_type_is_float(b)) ||
        (known_b && (is_shift(op) || is_bits(op)) && lm_type_is_float(b)))
        return true;
    if (arithmetic && known_b && b.depth) /* of `a`, only its last operand is multiplied */
        return true;
    if ((known_b && lm_type_is_record(b)) || (known_a && lm_type_is_record(a)))
        return true;
    if (!known_a || !known_b)
        return false;
    if (is_additive(op) && a.depth && b.depth)
        return op != '-';
    if (op == '-' && b.depth)
        return true;
    if (is_additive(op) && ((a.depth && lm_type_is_float(b)) || (b.depth && lm_type_is_float(a))))
        return true;
    if (lm_type_is_vector(a) && lm_type_is_vector(b) && (arithmetic || is_additive(op)))
        return a.width != b.width || (a.base != b.base && !is_shift(op));
    /* OpenCL C 6.2.6: a scalar is converted to what the lanes are, if that is no narrower */
    if (lm_type_is_vector(a) != lm_type_is_vector(b) && is_arithmetic(a) && is_arithmetic(b) &&
        (arithmetic || is_additive(op)))
        return lm_type_is_vector(a) ? b.base > a.base : a.base > b.base;
    return false;
}

struct lm_type lm_type_combine(struct lm_type a, int op, struct lm_type b)
{
    if (a.base == LM_T_UNKNOWN || b.base == LM_T_UNKNOWN)
        return lm_type_of(LM_T_UNKNOWN);
    a.flags = b.flags = 0;
    a.dims = b.dims = 0;
    if (a.depth && b.depth)
        return lm_type_of(op == '-' ? LM_T_LONG : LM_T_UNKNOWN);
    if (a.depth || b.depth)
        return a.depth ? a : b;
    if (!is_arithmetic(a) || !is_arithmetic(b))
        return lm_type_of(LM_T_UNKNOWN);
    if (a.width > 1 || b.width > 1)
        return a.width > 1 ? a : b;
    struct lm_type wider = a.base > b.base ? a : b;
    if (wider.base < LM_T_INT)
        wider.base = LM_T_INT;
    return wider;
}

/* -- names of types ---------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint8_t base;
    bool vectors;
} bases[] = {
    {"void", LM_T_VOID, false},         {"bool", LM_T_BOOL, false},
    {"_Bool", LM_T_BOOL, false},        {"char", LM_T_CHAR, true},
    {"uchar", LM_T_UCHAR, true},        {"short", LM_T_SHORT, true},
    {"ushort", LM_T_USHORT, true},      {"int", LM_T_INT, true},
    {"uint", LM_T_UINT, true},          {"long", LM_T_LONG, true},
    {"ulong", LM_T_ULONG, true},        {"half", LM_T_HALF, true},
    {"float", LM_T_FLOAT, true},        {"double", LM_T_DOUBLE, true},
    {"size_t", LM_T_ULONG, false},      {"ptrdiff_t", LM_T_LONG, false},
    {"intptr_t", LM_T_LONG, false},     {"uintptr_t", LM_T_ULONG, false},
    {"int8_t", LM_T_CHAR, false},       {"uint8_t", LM_T_UCHAR, false},
    {"int16_t", LM_T_SHORT, false},     {"uint16_t", LM_T_USHORT, false},
    {"int32_t", LM_T_INT, false},       {"uint32_t", LM_T_UINT, false},
    {"int64_t", LM_T_LONG, false},      {"uint64_t", LM_T_ULONG, false},
    {"wchar_t", LM_T_INT, false},       {"__int128", LM_T_LONG, false},
    {"__int128_t", LM_T_LONG, false},   {"__uint128_t", LM_T_ULONG, false},
    {"_Float16", LM_T_HALF, false},     {"_Float128", LM_T_DOUBLE, false},
    {"__float128", LM_T_DOUBLE, false},
};

static const char *const opaque[] = {
    "sampler_t", "event_t",           "image1d_t",   "image1d_array_t", "image1d_buffer_t",
    "image2d_t", "image2d_array_t",   "image3d_t",   "image2d_depth_t", "image2d_array_depth_t",
    "queue_t",   "ndrange_t",         "clk_event_t", "reserve_id_t",    "pipe",
    "va_list",   "__builtin_va_list", "FILE",        "image2d_msaa_t",  "jmp_buf",
};

struct lm_type lm_type_named(const char *text, size_t n)
{
    struct lm_type t = lm_type_of(LM_T_UNKNOWN);
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        size_t size = strlen(bases[i].name);
        if (n < size || memcmp(bases[i].name, text, size) != 0)
            continue;
        const char *rest = text + size;
        size_t left = n - size;
        int width = left == 0                                       ? 1
                    : !bases[i].vectors                             ? 0
                    : left == 1 && strchr("2348", *rest)            ? *rest - '0'
                    : left == 2 && rest[0] == '1' && rest[1] == '6' ? 16
                                                                    : 0;
        if (!width)
            continue;
        t.base = bases[i].base;
        t.width = (uint8_t)width;
        return t;
    }
    for (size_t i = 0; i < sizeof opaque / sizeof *opaque; i++)
        if (strlen(opaque[i]) == n && !memcmp(opaque[i], text, n))
            t.base = LM_T_OPAQUE;
    return t;
}

/* -- components of vectors (OpenCL C 6.1.7) ---------------------------------------------------- */

static bool is_beginning(const char *of, const char *text, size_t n, bool whole)
{
    return strlen(of) >= n && !memcmp(of, text, n) && (!whole || !of[n]);
}

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    int value = at ? (int)(at - digits) : -1;
    return value > 15 ? value - 6 : value;
}

static bool is_count(size_t n, bool whole)
{
    return !whole ? n <= 16 : n == 1 || n == 2 || n == 3 || n == 4 || n == 8 || n == 16;
}

bool lm_component(const char *text, size_t n, int width, bool whole, int *lanes)
{
    static const char *const halves[] = {"lo", "hi", "even", "odd"};
    int most = width ? width : 16;
    bool good = n > 0;
    for (size_t i = 0; i < 4; i++)
        if (n && most > 1 && is_beginning(halves[i], text, n, whole)) {
            *lanes = most == 3 ? 2 : most / 2;
            return true;
        }
    if (n && (text[0] == 's' || text[0] == 'S')) {
        for (size_t i = 1; i < n; i++)
            good &= hex_digit(text[i]) >= 0 && hex_digit(text[i]) < most;
        *lanes = (int)n - 1;
        return good && (whole ? n > 1 && is_count(n - 1, true) : is_count(n - 1, false));
    }
    static const char plain[] = "xyzw";
    for (size_t i = 0; i < n; i++) {
        const char *at = text[i] ? strchr(plain, text[i]) : NULL;
        good &= at && at - plain < most;
    }
    *lanes = (int)n;
    return good && n <= 4;
}
