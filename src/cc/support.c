/* Wrappers are templates: text in which single letters stand for what differs between types.
 *
 *     A B   the operands: parameters of a function, casts of a macro's arguments
 *     N M   the least and the greatest value of the type
 *     W     its width in bits
 *
 * The conditions are Csmith's and CERT's (INT32-C, INT34-C): they compare before they compute, and
 * divide to find out about a product, because small compilers have no overflow builtins and
 * __int128 has no wider type. C11's rules: 6.5p5 for overflow, 6.5.5p5-6 for division, 6.5.7p3-4
 * for shifts. A right shift of a negative value is not undefined (6.5.7p5) and is arithmetic
 * everywhere. */
#include "cc/print_internal.h"

#include "base/error.h"

static const char *const op_name[SUPPORT_OPS] = {
#define X(op, name) [SUPPORT_##op] = name,
    SUPPORT_OP_TABLE(X)
#undef X
};

/* By the type of A; NULL: nothing can go wrong. Of a shift by an unsigned count it is the second:
 * whether that is negative need not be asked, and compilers say so. */
static const struct {
    const char *on_signed[2], *on_unsigned[2];
} templates[SUPPORT_OPS] = {
    [SUPPORT_ADD] = {{"(B > 0 && A > M - B) || (B < 0 && A < N - B) ? A : A + B"}, {NULL}},
    [SUPPORT_SUB] = {{"(B < 0 && A > M + B) || (B > 0 && A < N + B) ? A : A - B"}, {NULL}},
    [SUPPORT_MUL] = {{"(A > 0 && B > 0 && A > M / B) || (A > 0 && B <= 0 && B < N / A) ||\n"
                      "        (A <= 0 && B > 0 && A < N / B) || (A < 0 && B <= 0 && B < M / A)\n"
                      "        ? A : A * B"},
                     {NULL}},
    [SUPPORT_DIV] = {{"B == 0 || (A == N && B == -1) ? A : A / B"}, {"B == 0 ? A : A / B"}},
    [SUPPORT_REM] = {{"B == 0 || (A == N && B == -1) ? A : A % B"}, {"B == 0 ? A : A % B"}},
    [SUPPORT_SHL] = {{"A < 0 || B < 0 || B >= W || A > (M >> B) ? A : A << B",
                      "A < 0 || B >= W || A > (M >> B) ? A : A << B"},
                     {"B < 0 || B >= W ? A : A << B", "B >= W ? A : A << B"}},
    [SUPPORT_SHR] = {{"B < 0 || B >= W ? A : A >> B", "B >= W ? A : A >> B"},
                     {"B < 0 || B >= W ? A : A >> B", "B >= W ? A : A >> B"}},
    [SUPPORT_MINUS] = {{"A == N ? A : -A"}, {NULL}},
};

/* As they stand in names; `long` apart, since its width is the model's. */
static const char *const kind_name[CC_N_BASIC] = {
    [CC_BOOL] = "bool",     [CC_CHAR] = "char",       [CC_SCHAR] = "int8_t",
    [CC_UCHAR] = "uint8_t", [CC_SHORT] = "int16_t",   [CC_USHORT] = "uint16_t",
    [CC_INT] = "int32_t",   [CC_UINT] = "uint32_t",   [CC_LONG] = "long",
    [CC_ULONG] = "ulong",   [CC_LLONG] = "int64_t",   [CC_ULLONG] = "uint64_t",
    [CC_INT128] = "int128", [CC_UINT128] = "uint128", [CC_FLOAT] = "float",
    [CC_DOUBLE] = "double",
};

/* The sign of a shift's right operand and its width where it is not int's. */
static const char *const count_name[SUPPORT_KINDS] = {
    [CC_INT - CC_INT] = "s",       [CC_UINT - CC_INT] = "u",       [CC_LONG - CC_INT] = "sl",
    [CC_ULONG - CC_INT] = "ul",    [CC_LLONG - CC_INT] = "s64",    [CC_ULLONG - CC_INT] = "u64",
    [CC_INT128 - CC_INT] = "s128", [CC_UINT128 - CC_INT] = "u128",
};

static bool kind_signed(enum cc_kind kind)
{
    return kind == CC_INT || kind == CC_LONG || kind == CC_LLONG || kind == CC_INT128;
}

static enum support_op support_op(enum cc_op op)
{
    switch (op) {
#define X(op, name)                                                                                \
    case CC_##op:                                                                                  \
        return SUPPORT_##op;
        SUPPORT_OP_TABLE(X)
#undef X
    default:
        return SUPPORT_OPS;
    }
}

bool support_wraps(enum cc_op op, const struct cc_type *type)
{
    enum support_op s = support_op(op);
    if (s == SUPPORT_OPS || type->kind < CC_INT || type->kind > CC_UINT128)
        return false;
    return kind_signed(type->kind) || templates[s].on_unsigned[0];
}

/* -- names ------------------------------------------------------------------------------------ */

static void put_wrapper_name(struct printer *p, enum support_op op, enum cc_kind kind,
                             enum cc_kind right, bool macro)
{
    bool is_shift = op == SUPPORT_SHL || op == SUPPORT_SHR, is_signed = kind_signed(kind);
    PUT(p, "safe_");
    put_str(p, op_name[op]);
    macro ? PUT(p, "_macro_") : PUT(p, "_func_");
    put_str(p, kind_name[kind]);
    is_signed ? PUT(p, "_s") : PUT(p, "_u");
    if (op == SUPPORT_MINUS)
        return;
    put_char(p, '_');
    put_str(p, is_shift ? count_name[right - CC_INT] : is_signed ? "s" : "u");
}

void support_put_name(struct printer *p, enum cc_op op, enum cc_kind kind, enum cc_kind right,
                      bool macro)
{
    enum support_op s = support_op(op);
    REQUIRE(s != SUPPORT_OPS && kind >= CC_INT && kind <= CC_UINT128);
    REQUIRE(right >= CC_INT && right <= CC_UINT128);
    p->uses.wrapper[s][kind - CC_INT][right - CC_INT][macro] = true;
    p->uses.any_wrapper = true;
    put_wrapper_name(p, s, kind, right, macro);
}

static void put_convert_name(struct printer *p, enum cc_kind from, enum cc_kind to, bool macro)
{
    PUT(p, "safe_convert_");
    macro ? PUT(p, "macro_") : PUT(p, "func_");
    put_str(p, kind_name[from]);
    PUT(p, "_to_");
    put_str(p, kind_name[to]);
}

void support_put_convert_name(struct printer *p, enum cc_kind from, enum cc_kind to, bool macro)
{
    REQUIRE(kind_name[to] && (from == CC_FLOAT || from == CC_DOUBLE));
    p->uses.convert[from == CC_DOUBLE][to][macro] = true;
    p->uses.any_wrapper = true;
    put_convert_name(p, from, to, macro);
}

/* -- definitions ------------------------------------------------------------------------------ */

static void put_limit(struct printer *p, const struct cc_type *type, bool greatest)
{
    if (type->kind != CC_INT128)
        put_int(p, type, greatest ? (cc_wide)cc_int_max(type) : cc_int_min(type), CC_DECIMAL);
    else if (greatest)
        PUT(p, "(__int128)(~(unsigned __int128)0 >> 1)");
    else
        PUT(p, "(-(__int128)(~(unsigned __int128)0 >> 1) - 1)");
}

static void put_operand(struct printer *p, const struct cc_type *type, const char *name, bool macro)
{
    if (macro) {
        put_char(p, '(');
        put_kind(p, type->kind);
        PUT(p, ")(");
    }
    put_str(p, name);
    if (macro)
        put_char(p, ')');
}

static void put_template(struct printer *p, const char *text, const struct cc_type *type,
                         const struct cc_type *right, bool macro)
{
    for (; *text; text++) {
        switch (*text) {
        case 'A':
            put_operand(p, type, "a", macro);
            break;
        case 'B':
            put_operand(p, right, "b", macro);
            break;
        case 'M':
        case 'N':
            put_limit(p, type, *text == 'M');
            break;
        case 'W':
            put_decimal(p, type->bits);
            break;
        case '\n':
            if (macro)
                PUT(p, " \\");
            put_newline(p);
            break;
        default:
            put_char(p, *text);
        }
    }
}

/* "static inline int32_t name(int32_t a, int32_t b)" or "#define name(a, b)", up to the value. */
static void put_wrapper(struct printer *p, enum support_op op, enum cc_kind kind,
                        enum cc_kind right_kind, bool macro)
{
    const struct cc_type *type = cc_basic(&p->program->types, kind);
    const struct cc_type *right = cc_basic(&p->program->types, right_kind);
    bool by_unsigned = (op == SUPPORT_SHL || op == SUPPORT_SHR) && !kind_signed(right_kind);
    const char *const *templates_of =
        kind_signed(kind) ? templates[op].on_signed : templates[op].on_unsigned;
    bool unary = op == SUPPORT_MINUS;
    if (macro) {
        PUT(p, "#define ");
        put_wrapper_name(p, op, kind, right_kind, true);
        put_lines(p, unary ? "(a) \\\n    (" : "(a, b) \\\n    (");
    } else {
        PUT(p, "static inline ");
        put_kind(p, kind);
        put_char(p, ' ');
        put_wrapper_name(p, op, kind, right_kind, false);
        put_char(p, '(');
        put_kind(p, kind);
        PUT(p, " a");
        if (!unary) {
            PUT(p, ", ");
            put_kind(p, right_kind);
            PUT(p, " b");
        }
        put_lines(p, ")\n{\n    return ");
    }
    put_template(p, templates_of[by_unsigned], type, right, macro);
    put_lines(p, macro ? ")\n" : ";\n}\n");
}

/* The bounds of 6.3.1.4p1, both excluded: the value is truncated first. At 64 bits and more there
 * is no double between the least value and the one below it, so the least value itself is included.
 */
static void put_range(struct printer *p, const struct cc_type *to, const char *value)
{
    bool wide = to->bits >= 64;
    cc_uwide magnitude = to->is_signed ? (cc_uwide)1 << (to->bits - 1) : 0;
    char text[400];
    double low = -(double)magnitude - (wide && to->is_signed ? 0 : 1);
    double high = (double)(cc_int_max(to) / 2 + 1) * 2;
    snprintf(text, sizeof text, "%s >%s %.1f && %s < %.1f", value, wide && to->is_signed ? "=" : "",
             low, value, high);
    put_str(p, text);
}

/* The outer cast is for types that `?:` would promote. */
static void put_convert(struct printer *p, enum cc_kind from, enum cc_kind to, bool macro)
{
    const struct cc_type *type = cc_basic(&p->program->types, to);
    if (macro) {
        PUT(p, "#define ");
        put_convert_name(p, from, to, true);
        put_lines(p, "(a) \\\n    ((");
    } else {
        PUT(p, "static inline ");
        put_kind(p, to);
        put_char(p, ' ');
        put_convert_name(p, from, to, false);
        put_char(p, '(');
        put_kind(p, from);
        put_lines(p, " a)\n{\n    return (");
    }
    put_kind(p, to);
    PUT(p, ")(");
    put_range(p, type, macro ? "(double)(a)" : "a");
    PUT(p, " ? (");
    put_kind(p, to);
    put_lines(p, macro ? ")(a) : 0))\n" : ")a : 0);\n}\n");
}

void support_put_wrappers(struct printer *p)
{
    const struct support_uses *u = &p->uses;
    if (!u->any_wrapper)
        return;
    for (int op = 0; op < SUPPORT_OPS; op++)
        for (int kind = 0; kind < SUPPORT_KINDS; kind++)
            for (int right = 0; right < SUPPORT_KINDS; right++)
                for (int macro = 0; macro < 2; macro++)
                    if (u->wrapper[op][kind][right][macro])
                        put_wrapper(p, (enum support_op)op, (enum cc_kind)(kind + CC_INT),
                                    (enum cc_kind)(right + CC_INT), macro);
    for (int wide = 0; wide < 2; wide++)
        for (int to = 0; to < CC_N_BASIC; to++)
            for (int macro = 0; macro < 2; macro++)
                if (u->convert[wide][to][macro])
                    put_convert(p, wide ? CC_DOUBLE : CC_FLOAT, (enum cc_kind)to, macro);
    if (!p->whole)
        put_newline(p);
}

/* -- the checksum ----------------------------------------------------------------------------- */

/* Csmith's CRC-32 (polynomial 0xEDB88320, low byte first), in plain types so that it needs none of
 * our typedefs. */
static const char crc_table_text[] = "static unsigned int crc32_context = 0xFFFFFFFFU;\n"
                                     "static unsigned int crc32_tab[256];\n"
                                     "static void crc32_gentab(void)\n"
                                     "{\n"
                                     "    unsigned int crc;\n"
                                     "    int i, j;\n"
                                     "    for (i = 0; i < 256; i++) {\n"
                                     "        crc = (unsigned int)i;\n"
                                     "        for (j = 8; j > 0; j--) {\n"
                                     "            if (crc & 1)\n"
                                     "                crc = (crc >> 1) ^ 0xEDB88320U;\n"
                                     "            else\n"
                                     "                crc >>= 1;\n"
                                     "        }\n"
                                     "        crc32_tab[i] = crc;\n"
                                     "    }\n"
                                     "}\n";

static const char crc_bytes_text[] =
    "static void crc32_bytes(unsigned long long val, int n)\n"
    "{\n"
    "    int i;\n"
    "    for (i = 0; i < n; i++) {\n"
    "        crc32_context = (crc32_context >> 8) ^ crc32_tab[(crc32_context ^ (val & 0xFF)) & "
    "0xFF];\n"
    "        val >>= 8;\n"
    "    }\n"
    "}\n";

static const char hash_print_text[] =
    "    if (flag)\n"
    "        printf(\"...checksum after hashing %s : %X\\n\", vname, crc32_context ^ "
    "0xFFFFFFFFU);\n";

static void put_hash(struct printer *p, const char *head, const char *body)
{
    /* not inlined: the harness is not what is tested, and would cost more to compile than the rest
     */
    p->attributes_used |= !p->no_attributes;
    put_lines(p, p->no_attributes ? "static void " : "static ATTRIBUTE((noinline)) void ");
    put_lines(p, head);
    put_lines(p, p->no_print_names ? ")\n{\n" : ", const char *vname, int flag)\n{\n");
    put_lines(p, body);
    if (!p->no_print_names)
        put_lines(p, hash_print_text);
    put_lines(p, "}\n");
}

/* The bytes of the object, in the order of a little-endian machine on every machine. Where there
 * may be NaNs, each of them is hashed as one and the same: see hash_float in interp. */
static void put_float_hash(struct printer *p, bool is_double)
{
    char body[400];
    snprintf(body, sizeof body,
             "    union {\n        %s f;\n        unsigned %s bits;\n    } u;\n"
             "    u.f = val;\n    crc32_bytes(%s%s, %d);\n",
             is_double ? "double" : "float", is_double ? "long long" : "int",
             p->program->ieee_floats ? "val == val ? u.bits : " : "",
             !p->program->ieee_floats ? "u.bits"
             : is_double              ? "0x7FF8000000000000ULL"
                                      : "0x7FC00000U",
             is_double ? 8 : 4);
    put_hash(p, is_double ? "transparent_crc_double(double val" : "transparent_crc_float(float val",
             body);
}

/* The pointer is volatile: what a call through it does is anyone's guess. */
void support_put_hide(struct printer *p)
{
    put_lines(p, "static void hide_nothing(void *p)\n"
                 "{\n"
                 "    (void)p;\n"
                 "}\n"
                 "static void (*volatile hide)(void *) = hide_nothing;\n\n");
}

void support_put_checksum(struct printer *p)
{
    const struct support_uses *u = &p->uses;
    if (p->language == CC_CXX17)
        PUT(p, "extern \"C\" ");
    put_lines(p, "int printf(const char *, ...);\n\n");
    put_lines(p, crc_table_text);
    if (u->hash_integer || u->hash_float || u->hash_double)
        put_lines(p, crc_bytes_text);
    if (u->hash_integer)
        put_hash(p, "transparent_crc(unsigned long long val", "    crc32_bytes(val, 8);\n");
    if (u->hash_float)
        put_float_hash(p, false);
    if (u->hash_double)
        put_float_hash(p, true);
    put_newline(p);
}
