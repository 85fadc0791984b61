/* What words mean to the mask: those of C and OpenCL C, their types, functions of the libraries
 * with their number of arguments and what they return, and how all tokens of a model fall into
 * classes.
 *
 * A word of the corpus that is in no table is judged by its looks: capitals are a constant,
 * anything else a function. Canonical names are told by gen/lm/names.h; of three letters and more
 * they are taken for words of the library (`sin`), because no program declares 702 variables. */
#include "gen/lm/scope_internal.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t class;
} keywords[] = {
    {"signed", LM_W_SIGN},
    {"unsigned", LM_W_SIGN},
    {"long", LM_W_SIGN},
    {"short", LM_W_SIGN},
    {"__signed__", LM_W_SIGN},
    {"_Complex", LM_W_SIGN},
    {"__complex__", LM_W_SIGN},
    {"const", LM_W_QUALIFIER},
    {"volatile", LM_W_QUALIFIER},
    {"restrict", LM_W_RESTRICT},
    {"__restrict", LM_W_RESTRICT},
    {"__restrict__", LM_W_RESTRICT},
    {"__const", LM_W_QUALIFIER},
    {"__volatile__", LM_W_QUALIFIER},
    {"_Atomic", LM_W_QUALIFIER},
    {"global", LM_W_GLOBAL},
    {"__global", LM_W_GLOBAL},
    {"local", LM_W_LOCAL},
    {"__local", LM_W_LOCAL},
    {"constant", LM_W_CONSTANT_SPACE},
    {"__constant", LM_W_CONSTANT_SPACE},
    {"private", LM_W_PRIVATE},
    {"__private", LM_W_PRIVATE},
    {"read_only", LM_W_ACCESS},
    {"write_only", LM_W_ACCESS},
    {"read_write", LM_W_ACCESS},
    {"__read_only", LM_W_ACCESS},
    {"__write_only", LM_W_ACCESS},
    {"__read_write", LM_W_ACCESS},
    {"static", LM_W_STORAGE},
    {"extern", LM_W_STORAGE},
    {"inline", LM_W_STORAGE},
    {"register", LM_W_STORAGE},
    {"auto", LM_W_STORAGE},
    {"__inline", LM_W_STORAGE},
    {"__inline__", LM_W_STORAGE},
    {"_Noreturn", LM_W_STORAGE},
    {"__extension__", LM_W_STORAGE},
    {"_Thread_local", LM_W_STORAGE},
    {"__thread", LM_W_STORAGE},
    {"kernel", LM_W_KERNEL},
    {"__kernel", LM_W_KERNEL},
    {"typedef", LM_W_TYPEDEF},
    {"struct", LM_W_RECORD},
    {"union", LM_W_RECORD},
    {"enum", LM_W_ENUM},
    {"if", LM_W_IF},
    {"else", LM_W_ELSE},
    {"for", LM_W_FOR},
    {"while", LM_W_WHILE},
    {"do", LM_W_DO},
    {"switch", LM_W_SWITCH},
    {"case", LM_W_CASE},
    {"default", LM_W_DEFAULT},
    {"break", LM_W_BREAK},
    {"continue", LM_W_CONTINUE},
    {"return", LM_W_RETURN},
    {"goto", LM_W_GOTO},
    {"sizeof", LM_W_SIZEOF},
    {"__alignof__", LM_W_SIZEOF},
    {"_Alignof", LM_W_SIZEOF},
    {"__attribute__", LM_W_ATTRIBUTE},
    {"__attribute", LM_W_ATTRIBUTE},
    {"_Alignas", LM_W_ATTRIBUTE},
    {"asm", LM_W_ASM},
    {"__asm__", LM_W_ASM},
    {"__asm", LM_W_ASM},
    {"vec_step", LM_W_ANY_CALL},
    {"va_arg", LM_W_ANY_CALL},
    {"offsetof", LM_W_ANY_CALL},
    {"__builtin_va_arg", LM_W_ANY_CALL},
    {"__builtin_offsetof", LM_W_ANY_CALL},
    {"__builtin_astype", LM_W_ANY_CALL},
    {"__builtin_convertvector", LM_W_ANY_CALL},
    {"__builtin_types_compatible_p", LM_W_ANY_CALL},
    {"__builtin_choose_expr", LM_W_ANY_CALL},
    {"_Generic", LM_W_FOREIGN},
    {"typeof", LM_W_FOREIGN},
    {"__typeof__", LM_W_FOREIGN},
    {"__typeof", LM_W_FOREIGN},
    {"_Static_assert", LM_W_FOREIGN},
    {"pragma", LM_W_FOREIGN},
    {"true", LM_W_CONSTANT},
    {"false", LM_W_CONSTANT},
    {"stdout", LM_W_CONSTANT},
    {"stderr", LM_W_CONSTANT},
    {"stdin", LM_W_CONSTANT},
    {"errno", LM_W_CONSTANT},
    {"__func__", LM_W_CONSTANT},
    {"__FUNCTION__", LM_W_CONSTANT},
    {"__PRETTY_FUNCTION__", LM_W_CONSTANT},
    {"reqd_work_group_size", LM_W_FOREIGN},
    {"work_group_size_hint", LM_W_FOREIGN},
    {"vec_type_hint", LM_W_FOREIGN},
    {"packed", LM_W_FOREIGN},
    {"aligned", LM_W_FOREIGN},
    {"noinline", LM_W_FOREIGN},
    {"noclone", LM_W_FOREIGN},
    {"always_inline", LM_W_FOREIGN},
    {"noreturn", LM_W_FOREIGN},
    {"mode", LM_W_FOREIGN},
    {"vector_size", LM_W_FOREIGN},
    {"unused", LM_W_FOREIGN},
    {"endian", LM_W_FOREIGN},
    {"opencl_unroll_hint", LM_W_FOREIGN},
    {"unroll", LM_W_FOREIGN},
    {"enable", LM_W_FOREIGN},
    {"disable", LM_W_FOREIGN},
    {"EXTENSION", LM_W_FOREIGN},
    {"OPENCL", LM_W_FOREIGN},
};

/* name, arguments, what it returns: v nothing, z size_t, i int, f float, d double, F float4, I
 * int4, U uint4, 1 the type of the first argument, e a lane of it, ? unknown; and what it takes in
 * OpenCL */
static const struct known_function {
    const char *name;
    int8_t arity;
    char result;
    uint8_t takes;
} functions[] = {
    {"get_global_id", 1, 'z', LM_A_ANY},
    {"get_local_id", 1, 'z', LM_A_ANY},
    {"get_group_id", 1, 'z', LM_A_ANY},
    {"get_global_size", 1, 'z', LM_A_ANY},
    {"get_local_size", 1, 'z', LM_A_ANY},
    {"get_num_groups", 1, 'z', LM_A_ANY},
    {"get_global_offset", 1, 'z', LM_A_ANY},
    {"get_work_dim", 0, 'i', LM_A_ANY},
    {"barrier", 1, 'v', LM_A_ANY},
    {"work_group_barrier", -1, 'v', LM_A_ANY},
    {"mem_fence", 1, 'v', LM_A_ANY},
    {"read_mem_fence", 1, 'v', LM_A_ANY},
    {"write_mem_fence", 1, 'v', LM_A_ANY},
    {"prefetch", 2, 'v', LM_A_ANY},
    {"wait_group_events", 2, 'v', LM_A_ANY},
    {"async_work_group_copy", 4, '?', LM_A_ANY},
    {"async_work_group_strided_copy", 5, '?', LM_A_ANY},
    {"sin", 1, '1', LM_A_FLOATS},
    {"cos", 1, '1', LM_A_FLOATS},
    {"tan", 1, '1', LM_A_FLOATS},
    {"asin", 1, '1', LM_A_FLOATS},
    {"acos", 1, '1', LM_A_FLOATS},
    {"atan", 1, '1', LM_A_FLOATS},
    {"sinh", 1, '1', LM_A_FLOATS},
    {"cosh", 1, '1', LM_A_FLOATS},
    {"tanh", 1, '1', LM_A_FLOATS},
    {"atan2", 2, '1', LM_A_FLOATS},
    {"exp", 1, '1', LM_A_FLOATS},
    {"exp2", 1, '1', LM_A_FLOATS},
    {"exp10", 1, '1', LM_A_FLOATS},
    {"expm1", 1, '1', LM_A_FLOATS},
    {"log", 1, '1', LM_A_FLOATS},
    {"log2", 1, '1', LM_A_FLOATS},
    {"log10", 1, '1', LM_A_FLOATS},
    {"log1p", 1, '1', LM_A_FLOATS},
    {"pow", 2, '1', LM_A_FLOATS},
    {"pown", 2, '1', LM_A_FLOATS},
    {"powr", 2, '1', LM_A_FLOATS},
    {"sqrt", 1, '1', LM_A_FLOATS},
    {"rsqrt", 1, '1', LM_A_FLOATS},
    {"cbrt", 1, '1', LM_A_FLOATS},
    {"hypot", 2, '1', LM_A_FLOATS},
    {"floor", 1, '1', LM_A_FLOATS},
    {"ceil", 1, '1', LM_A_FLOATS},
    {"trunc", 1, '1', LM_A_FLOATS},
    {"round", 1, '1', LM_A_FLOATS},
    {"rint", 1, '1', LM_A_FLOATS},
    {"fabs", 1, '1', LM_A_FLOATS},
    {"fmin", 2, '1', LM_A_FLOATS},
    {"fmax", 2, '1', LM_A_FLOATS},
    {"fmod", 2, '1', LM_A_FLOATS},
    {"fma", 3, '1', LM_A_FLOATS},
    {"mad", 3, '1', LM_A_FLOATS},
    {"fract", 2, '1', LM_A_FLOAT_OUT},
    {"modf", 2, '1', LM_A_FLOAT_OUT},
    {"frexp", 2, '1', LM_A_ANY},
    {"ldexp", 2, '1', LM_A_FLOATS},
    {"copysign", 2, '1', LM_A_FLOATS},
    {"remainder", 2, '1', LM_A_FLOATS},
    {"sincos", 2, '1', LM_A_FLOAT_OUT},
    {"nextafter", 2, '1', LM_A_FLOATS},
    {"ilogb", 1, '?', LM_A_FLOATS},
    {"erf", 1, '1', LM_A_FLOATS},
    {"erfc", 1, '1', LM_A_FLOATS},
    {"tgamma", 1, '1', LM_A_FLOATS},
    {"lgamma", 1, '1', LM_A_FLOATS},
    {"min", 2, '1', LM_A_NUMBERS},
    {"max", 2, '1', LM_A_NUMBERS},
    {"clamp", 3, '1', LM_A_NUMBERS},
    {"mix", 3, '1', LM_A_FLOATS},
    {"step", 2, '?', LM_A_FLOATS},
    {"smoothstep", 3, '?', LM_A_FLOATS},
    {"sign", 1, '1', LM_A_FLOATS},
    {"degrees", 1, '1', LM_A_FLOATS},
    {"radians", 1, '1', LM_A_FLOATS},
    {"abs", 1, '?', LM_A_INTEGERS},
    {"abs_diff", 2, '?', LM_A_INTEGERS},
    {"add_sat", 2, '1', LM_A_INTEGERS},
    {"sub_sat", 2, '1', LM_A_INTEGERS},
    {"hadd", 2, '1', LM_A_INTEGERS},
    {"rhadd", 2, '1', LM_A_INTEGERS},
    {"mul_hi", 2, '1', LM_A_INTEGERS},
    {"mul24", 2, '1', LM_A_WORDS},
    {"mad24", 3, '1', LM_A_WORDS},
    {"mad_hi", 3, '1', LM_A_INTEGERS},
    {"mad_sat", 3, '1', LM_A_INTEGERS},
    {"clz", 1, '1', LM_A_INTEGERS},
    {"ctz", 1, '1', LM_A_INTEGERS},
    {"popcount", 1, '1', LM_A_INTEGERS},
    {"rotate", 2, '1', LM_A_INTEGERS},
    {"upsample", 2, '?', LM_A_ANY},
    {"bitselect", 3, '1', LM_A_ANY},
    {"select", 3, '1', LM_A_ANY},
    {"dot", 2, 'e', LM_A_FLOATS},
    {"cross", 2, '1', LM_A_FLOATS},
    {"length", 1, 'e', LM_A_FLOATS},
    {"distance", 2, 'e', LM_A_FLOATS},
    {"normalize", 1, '1', LM_A_FLOATS},
    {"fast_length", 1, 'e', LM_A_FLOATS},
    {"fast_normalize", 1, '1', LM_A_FLOATS},
    {"fast_distance", 2, 'e', LM_A_FLOATS},
    {"isnan", 1, '?', LM_A_FLOATS},
    {"isinf", 1, '?', LM_A_FLOATS},
    {"isfinite", 1, '?', LM_A_FLOATS},
    {"isnormal", 1, '?', LM_A_FLOATS},
    {"isequal", 2, '?', LM_A_FLOATS},
    {"isnotequal", 2, '?', LM_A_FLOATS},
    {"isgreater", 2, '?', LM_A_FLOATS},
    {"isgreaterequal", 2, '?', LM_A_FLOATS},
    {"isless", 2, '?', LM_A_FLOATS},
    {"islessequal", 2, '?', LM_A_FLOATS},
    {"signbit", 1, '?', LM_A_FLOATS},
    {"any", 1, 'i', LM_A_INTEGERS},
    {"all", 1, 'i', LM_A_INTEGERS},
    {"shuffle", 2, '?', LM_A_ANY},
    {"shuffle2", 3, '?', LM_A_ANY},
    {"read_imagef", -1, 'F', LM_A_IMAGE},
    {"read_imagei", -1, 'I', LM_A_IMAGE},
    {"read_imageui", -1, 'U', LM_A_IMAGE},
    {"write_imagef", 3, 'v', LM_A_IMAGE},
    {"write_imagei", 3, 'v', LM_A_IMAGE},
    {"write_imageui", 3, 'v', LM_A_IMAGE},
    {"get_image_width", 1, 'i', LM_A_IMAGE},
    {"get_image_height", 1, 'i', LM_A_IMAGE},
    {"get_image_depth", 1, 'i', LM_A_IMAGE},
    {"get_image_dim", 1, '?', LM_A_IMAGE},
    {"vload_half", 2, 'f', LM_A_ANY},
    {"vstore_half", 3, 'v', LM_A_ANY},
    {"nan", 1, '?', LM_A_ANY},
    {"abort", 0, 'v', LM_A_ANY},
    {"exit", 1, 'v', LM_A_ANY},
    {"_exit", 1, 'v', LM_A_ANY},
    {"printf", -1, 'i', LM_A_ANY},
    {"sprintf", -1, 'i', LM_A_ANY},
    {"snprintf", -1, 'i', LM_A_ANY},
    {"fprintf", -1, 'i', LM_A_ANY},
    {"memcpy", 3, '?', LM_A_ANY},
    {"memset", 3, '?', LM_A_ANY},
    {"memmove", 3, '?', LM_A_ANY},
    {"memcmp", 3, 'i', LM_A_ANY},
    {"memchr", 3, '?', LM_A_ANY},
    {"strlen", 1, 'z', LM_A_ANY},
    {"strcmp", 2, 'i', LM_A_ANY},
    {"strncmp", 3, 'i', LM_A_ANY},
    {"strcpy", 2, '?', LM_A_ANY},
    {"strncpy", 3, '?', LM_A_ANY},
    {"strcat", 2, '?', LM_A_ANY},
    {"strchr", 2, '?', LM_A_ANY},
    {"strrchr", 2, '?', LM_A_ANY},
    {"strstr", 2, '?', LM_A_ANY},
    {"malloc", 1, '?', LM_A_ANY},
    {"calloc", 2, '?', LM_A_ANY},
    {"realloc", 2, '?', LM_A_ANY},
    {"free", 1, 'v', LM_A_ANY},
    {"puts", 1, 'i', LM_A_ANY},
    {"putchar", 1, 'i', LM_A_ANY},
    {"alloca", 1, '?', LM_A_ANY},
    {"labs", 1, '?', LM_A_ANY},
    {"va_end", 1, 'v', LM_A_ANY},
    {"va_start", 2, 'v', LM_A_ANY},
    {"va_copy", 2, 'v', LM_A_ANY},
    {"qsort", 4, 'v', LM_A_ANY},
    {"assert", 1, 'v', LM_A_ANY},
    {"__builtin_abort", 0, 'v', LM_A_ANY},
    {"__builtin_trap", 0, 'v', LM_A_ANY},
    {"__builtin_unreachable", 0, 'v', LM_A_ANY},
    {"__builtin_expect", 2, '?', LM_A_ANY},
    {"__builtin_constant_p", 1, 'i', LM_A_ANY},
    {"__builtin_clz", 1, 'i', LM_A_ANY},
    {"__builtin_ctz", 1, 'i', LM_A_ANY},
    {"__builtin_popcount", 1, 'i', LM_A_ANY},
    {"__builtin_memcpy", 3, '?', LM_A_ANY},
    {"__builtin_memset", 3, '?', LM_A_ANY},
    {"__builtin_strlen", 1, 'z', LM_A_ANY},
    {"__builtin_alloca", 1, '?', LM_A_ANY},
    {"__builtin_malloc", 1, '?', LM_A_ANY},
    {"__builtin_va_start", 2, 'v', LM_A_ANY},
    {"__builtin_va_end", 1, 'v', LM_A_ANY},
    {"__builtin_prefetch", -1, 'v', LM_A_ANY},
    {"__builtin_exit", 1, 'v', LM_A_ANY},
};

static void set_result(struct lm_word *w, char result)
{
    w->class = result == 'v' ? LM_W_PROCEDURE : LM_W_FUNCTION;
    w->result = result == '1'   ? LM_R_FIRST
                : result == 'e' ? LM_R_ELEMENT
                : result == '?' ? LM_R_UNKNOWN
                                : LM_R_TYPE;
    if (w->result != LM_R_TYPE)
        return;
    w->type = lm_type_of(result == 'v'                    ? LM_T_VOID
                         : result == 'z'                  ? LM_T_ULONG
                         : result == 'f' || result == 'F' ? LM_T_FLOAT
                         : result == 'd'                  ? LM_T_DOUBLE
                         : result == 'U'                  ? LM_T_UINT
                                                          : LM_T_INT);
    w->type.width = strchr("FIU", result) ? 4 : 1;
}

static bool begins(const char *text, size_t n, const char *prefix)
{
    size_t size = strlen(prefix);
    return n > size && !memcmp(text, prefix, size);
}

static bool find_function(const char *text, size_t n, struct lm_word *w)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strlen(functions[i].name) == n && !memcmp(functions[i].name, text, n)) {
            w->arity = functions[i].arity;
            w->takes = functions[i].takes;
            set_result(w, functions[i].result);
            return true;
        }
    return false;
}

/* convert_T_sat, as_T, vloadN, vstoreN, native_sin, atomic_add */
static bool by_pattern(const char *text, size_t n, struct lm_word *w)
{
    static const char *const native[] = {"native_", "half_"};
    if (begins(text, n, "convert_") || begins(text, n, "as_")) {
        size_t skip = text[0] == 'a' ? 3 : 8;
        const char *end = memchr(text + skip, '_', n - skip);
        w->type = lm_type_named(text + skip, end ? (size_t)(end - text) - skip : n - skip);
        w->arity = 1;
        w->class = LM_W_FUNCTION;
        w->result = LM_R_TYPE;
        return w->type.base != LM_T_UNKNOWN;
    }
    if (begins(text, n, "vload") || begins(text, n, "vstore")) {
        bool load = text[1] == 'l';
        w->arity = load ? 2 : 3;
        w->takes = memchr(text, '_', n) ? LM_A_ANY : load ? LM_A_LOAD : LM_A_STORE;
        set_result(w, load ? '?' : 'v');
        w->type.width = (uint8_t)strtol(text + (load ? 5 : 6), NULL, 10);
        return true;
    }
    for (size_t i = 0; i < 2; i++)
        if (begins(text, n, native[i]) &&
            find_function(text + strlen(native[i]), n - strlen(native[i]), w))
            return true;
    if (begins(text, n, "atomic_") || begins(text, n, "atom_")) {
        const char *what = strchr(text, '_') + 1;
        size_t size = n - (size_t)(what - text);
        bool one = size == 3 && (!memcmp(what, "inc", 3) || !memcmp(what, "dec", 3));
        bool three = size == 7 && !memcmp(what, "cmpxchg", 7);
        w->arity = (int8_t)(one ? 1 : three ? 3 : 2);
        w->takes = text[4] == 'i' && size != 4 ? LM_A_ATOMIC : LM_A_ANY; /* xchg takes float, too */
        set_result(w, '?');
        if (begins(what, size, "fetch") || begins(what, size, "load") ||
            begins(what, size, "store"))
            w->arity = -1;
        return true;
    }
    return false;
}

static bool looks_constant(const char *text, size_t n)
{
    bool lower = false;
    for (size_t i = 0; i < n; i++)
        lower |= text[i] >= 'a' && text[i] <= 'z';
    return !lower;
}

static bool is_canonical(const char *text, size_t n)
{
    size_t number;
    for (int k = 0; k < LM_NAME_KINDS; k++)
        if (k != LM_NAME_MEMBER && lm_name_number((enum lm_name_kind)k, text, n, &number) &&
            number < LM_NAMES)
            return true;
    return false;
}

struct lm_word lm_word_of(const char *text, size_t n)
{
    struct lm_word w = {.class = LM_W_NONE, .arity = -1, .type = lm_type_of(LM_T_UNKNOWN)};
    int lanes;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (strlen(keywords[i].name) == n && !memcmp(keywords[i].name, text, n)) {
            w.class = keywords[i].class;
            w.type = lm_type_named(text, n);
            if (n == 8 && !memcmp(text, "unsigned", 8))
                w.type = lm_type_of(LM_T_UINT);
            if (n == 6 && !memcmp(text, "signed", 6))
                w.type = lm_type_of(LM_T_INT);
            if (w.class == LM_W_CONSTANT && (text[0] == 't' || text[0] == 'f'))
                w.type = lm_type_of(LM_T_INT);
            return w;
        }
    w.type = lm_type_named(text, n);
    if (w.type.base != LM_T_UNKNOWN)
        w.class = LM_W_TYPE;
    else if (find_function(text, n, &w) || by_pattern(text, n, &w))
        return w;
    else if (lm_component(text, n, 0, true, &lanes))
        w.class = LM_W_COMPONENT;
    else if (is_canonical(text, n))
        w.class = LM_W_NONE;
    else if (begins(text, n, "cl_khr_") || begins(text, n, "cl_"))
        w.class = LM_W_FOREIGN;
    else
        w.class = looks_constant(text, n) ? LM_W_CONSTANT : LM_W_FUNCTION;
    return w;
}

/* -- lexemes ----------------------------------------------------------------------------------- */

void lm_scope_word(struct lm_scope_lexeme *x, const char *text, size_t n)
{
    *x = (struct lm_scope_lexeme){.kind = LM_SCOPE_WORD, .text = text, .size = n};
    x->word = lm_word_of(text, n);
    for (int k = 0; k < LM_NAME_KINDS; k++) {
        size_t number;
        bool named = lm_name_number((enum lm_name_kind)k, text, n, &number) && number < LM_NAMES;
        x->number[k] = named ? (int16_t)number : -1;
    }
}

/* One kind of a name alone: what is asked is whether it may stand as such. */
void lm_scope_name(struct lm_scope_lexeme *x, enum lm_name_kind kind, int n)
{
    *x = (struct lm_scope_lexeme){.kind = LM_SCOPE_WORD, .text = "", .word = {.arity = -1}};
    for (int k = 0; k < LM_NAME_KINDS; k++)
        x->number[k] = -1;
    x->number[kind] = (int16_t)n;
}

/* -- tokens ------------------------------------------------------------------------------------ */

static bool is_letter(char c)
{
    return lm_is_word_byte(c) && !(c >= '0' && c <= '9');
}

static enum lm_token_kind kind_of(const char *text, size_t n)
{
    size_t blanks = strspn(text, " \t\r\n\f\v");
    if (n == 0)
        return LM_TOK_OTHER;
    if (blanks == n)
        return LM_TOK_BLANK;
    if (is_letter(text[0]))
        return LM_TOK_WORD;
    if (text[0] >= '0' && text[0] <= '9')
        return LM_TOK_DIGITS;
    return n == 1 ? LM_TOK_PUNCTUATION : LM_TOK_OTHER;
}

static bool is_numeric(const struct lm_words *w, int t)
{
    const char *text = w->encoder->texts[t];
    return w->kinds[t] == LM_TOK_DIGITS ||
           (w->encoder->sizes[t] == 1 && strchr(".+-xXabcdefABCDEFpPuUlLhH", text[0]));
}

static void sort_classes(struct lm_words *w)
{
    int n = 0;
    for (int c = 0; c < LM_N_CLASSES; c++) {
        w->first[c] = n;
        for (int t = 1; t < w->encoder->n; t++)
            if (w->kinds[t] == LM_TOK_WORD && w->encoder->sizes[t] > 1 &&
                w->words[t].word.class == c)
                w->in_class[n++] = (lm_token)t;
    }
    w->first[LM_N_CLASSES] = n;
}

static void find_names(struct lm_words *w)
{
    const struct lm_encoder *e = w->encoder;
    for (int t = 1; t < e->n; t++) {
        size_t number;
        if (w->kinds[t] != LM_TOK_WORD)
            continue;
        for (int k = 0; k < LM_NAME_KINDS; k++)
            if (lm_name_number((enum lm_name_kind)k, e->texts[t], e->sizes[t], &number) &&
                number < LM_NAMES)
                w->names[k][number] = (lm_token)t;
    }
}

/* Is it to be written byte by byte? Only what statements and types cannot do without: a rare word
 * that the corpus has no token for is not missed. */
static bool is_spelled(const struct lm_encoder *e, const char *text)
{
    int class = lm_word_of(text, strlen(text)).class;
    bool needed = text[0] != '_';
    needed &= class == LM_W_TYPE || class == LM_W_SIGN || class == LM_W_KERNEL ||
              (class >= LM_W_IF && class <= LM_W_GOTO);
    for (const char *c = text; *c; c++)
        needed &= e->by_byte[(unsigned char)*c] != LM_END;
    for (int t = 1; t < e->n; t++)
        needed &= strcmp(e->texts[t], text) != 0;
    return needed;
}

static void spell(struct lm_words *w, const char *text)
{
    struct lm_spelled s = {.text = text, .word = lm_word_of(text, strlen(text))};
    vec_push(&w->spelled, s);
}

struct lm_words *lm_words_new(const struct lm_encoder *e, bool opencl)
{
    struct lm_words *w = mem_alloc(sizeof *w);
    *w = (struct lm_words){.encoder = e, .opencl = opencl};
    w->kinds = mem_alloc((size_t)e->n);
    w->words = mem_alloc((size_t)e->n * sizeof *w->words);
    w->in_class = mem_alloc((size_t)e->n * sizeof *w->in_class);
    for (int t = 0; t < e->n; t++) {
        w->kinds[t] = (uint8_t)kind_of(e->texts[t], e->sizes[t]);
        w->words[t] = (struct lm_scope_lexeme){0};
        if (w->kinds[t] == LM_TOK_WORD)
            lm_scope_word(&w->words[t], e->texts[t], e->sizes[t]);
    }
    w->numeric = mem_alloc((size_t)e->n * sizeof *w->numeric);
    for (int t = 1; t < e->n; t++)
        if (is_numeric(w, t))
            w->numeric[w->n_numeric++] = (lm_token)t;
    sort_classes(w);
    find_names(w);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (is_spelled(e, keywords[i].name))
            spell(w, keywords[i].name);
    static const char *const types[] = {"void", "char", "int", "float", "double"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) /* a kernel needs void */
        if (is_spelled(e, types[i]))
            spell(w, types[i]);
    return w;
}

void lm_words_free(struct lm_words *w)
{
    if (!w)
        return;
    free(w->kinds);
    free(w->words);
    free(w->in_class);
    free(w->numeric);
    vec_release(&w->spelled);
    free(w);
}
