/* What words mean to the mask: those of C and OpenCL C, their types, functions of the libraries
 * with their number of arguments and what they return, and how all tokens of a model fall into
 * classes.
 *
 * A word of the corpus that is in no table is judged by its looks: capitals are a constant,
 * anything else a function. Canonical names are told by gen/lm/names.h; of three letters and more
 * they are taken for words of the library (`sin`), because no program declares 702 variables. */
#include "base/scan.h"
#include "gen/lm/scope_internal.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    uint8_t class;
    const char *names[12]; /* up to the first that is NULL */
} keywords[] = {
    {LM_W_SIGN, {"signed", "unsigned", "long", "short", "__signed__", "_Complex", "__complex__"}},
    {LM_W_QUALIFIER, {"const", "volatile", "__const", "__volatile__", "_Atomic"}},
    {LM_W_RESTRICT, {"restrict", "__restrict", "__restrict__"}},
    {LM_W_GLOBAL, {"global", "__global"}},
    {LM_W_LOCAL, {"local", "__local"}},
    {LM_W_CONSTANT_SPACE, {"constant", "__constant"}},
    {LM_W_PRIVATE, {"private", "__private"}},
    {LM_W_ACCESS,
     {"read_only", "write_only", "read_write", "__read_only", "__write_only", "__read_write"}},
    {LM_W_STORAGE,
     {"static", "extern", "inline", "register", "auto", "__inline", "__inline__", "_Noreturn",
      "__extension__", "_Thread_local", "__thread"}},
    {LM_W_KERNEL, {"kernel", "__kernel"}},
    {LM_W_TYPEDEF, {"typedef"}},
    {LM_W_RECORD, {"struct", "union"}},
    {LM_W_ENUM, {"enum"}},
    {LM_W_IF, {"if"}},
    {LM_W_ELSE, {"else"}},
    {LM_W_FOR, {"for"}},
    {LM_W_WHILE, {"while"}},
    {LM_W_DO, {"do"}},
    {LM_W_SWITCH, {"switch"}},
    {LM_W_CASE, {"case"}},
    {LM_W_DEFAULT, {"default"}},
    {LM_W_BREAK, {"break"}},
    {LM_W_CONTINUE, {"continue"}},
    {LM_W_RETURN, {"return"}},
    {LM_W_GOTO, {"goto"}},
    {LM_W_SIZEOF, {"sizeof", "__alignof__", "_Alignof"}},
    {LM_W_ATTRIBUTE, {"__attribute__", "__attribute", "_Alignas"}},
    {LM_W_ASM, {"asm", "__asm__", "__asm"}},
    {LM_W_ANY_CALL,
     {"vec_step", "va_arg", "offsetof", "__builtin_va_arg", "__builtin_offsetof",
      "__builtin_astype", "__builtin_convertvector", "__builtin_types_compatible_p",
      "__builtin_choose_expr"}},
    {LM_W_FOREIGN,
     {"_Generic", "typeof", "__typeof__", "__typeof", "_Static_assert", "pragma",
      "reqd_work_group_size", "work_group_size_hint", "vec_type_hint"}},
    {LM_W_FOREIGN,
     {"packed", "aligned", "noinline", "noclone", "always_inline", "noreturn", "mode",
      "vector_size", "unused"}},
    {LM_W_FOREIGN,
     {"endian", "opencl_unroll_hint", "unroll", "enable", "disable", "EXTENSION", "OPENCL"}},
    {LM_W_CONSTANT,
     {"true", "false", "stdout", "stderr", "stdin", "errno", "__func__", "__FUNCTION__",
      "__PRETTY_FUNCTION__"}}};
enum { N_KEYWORDS = sizeof keywords / sizeof *keywords };

/* Functions, their arguments, and what they return: v nothing, z size_t, i int, f float, d double,
 * F float4, I int4, U uint4, 1 the type of the first argument, e a lane of it, ? unknown; and what
 * they take in OpenCL */
static const struct known_functions {
    const char *names;
    int8_t arity;
    char result;
    uint8_t takes;
} functions[] = {
    {" get_global_id get_local_id get_group_id get_global_size get_local_size "
     "get_num_groups get_global_offset strlen __builtin_strlen ",
     1, 'z', LM_A_ANY},
    {" get_work_dim ", 0, 'i', LM_A_ANY},
    {" barrier mem_fence read_mem_fence write_mem_fence exit _exit free va_end assert "
     "__builtin_va_end __builtin_exit ",
     1, 'v', LM_A_ANY},
    {" work_group_barrier __builtin_prefetch ", -1, 'v', LM_A_ANY},
    {" prefetch wait_group_events va_start va_copy __builtin_va_start ", 2, 'v', LM_A_ANY},
    {" async_work_group_copy ", 4, '?', LM_A_ANY},
    {" async_work_group_strided_copy ", 5, '?', LM_A_ANY},
    {" sin cos tan asin acos atan sinh cosh tanh exp exp2 exp10 expm1 log log2 log10 "
     "log1p sqrt rsqrt cbrt floor ceil trunc round rint fabs erf erfc tgamma lgamma "
     "sign degrees radians normalize fast_normalize ",
     1, '1', LM_A_FLOATS},
    {" atan2 pow pown powr hypot fmin fmax fmod ldexp copysign remainder nextafter "
     "cross ",
     2, '1', LM_A_FLOATS},
    {" fma mad mix ", 3, '1', LM_A_FLOATS},
    {" fract modf sincos ", 2, '1', LM_A_FLOAT_OUT},
    {" frexp ", 2, '1', LM_A_ANY},
    {" ilogb isnan isinf isfinite isnormal signbit ", 1, '?', LM_A_FLOATS},
    {" min max ", 2, '1', LM_A_NUMBERS},
    {" clamp ", 3, '1', LM_A_NUMBERS},
    {" step isequal isnotequal isgreater isgreaterequal isless islessequal ", 2, '?', LM_A_FLOATS},
    {" smoothstep ", 3, '?', LM_A_FLOATS},
    {" abs ", 1, '?', LM_A_INTEGERS},
    {" abs_diff ", 2, '?', LM_A_INTEGERS},
    {" add_sat sub_sat hadd rhadd mul_hi rotate ", 2, '1', LM_A_INTEGERS},
    {" mul24 ", 2, '1', LM_A_WORDS},
    {" mad24 ", 3, '1', LM_A_WORDS},
    {" mad_hi mad_sat ", 3, '1', LM_A_INTEGERS},
    {" clz ctz popcount ", 1, '1', LM_A_INTEGERS},
    {" upsample shuffle strcpy strcat strchr strrchr strstr calloc realloc "
     "__builtin_expect ",
     2, '?', LM_A_ANY},
    {" bitselect select ", 3, '1', LM_A_ANY},
    {" dot distance fast_distance ", 2, 'e', LM_A_FLOATS},
    {" length fast_length ", 1, 'e', LM_A_FLOATS},
    {" any all ", 1, 'i', LM_A_INTEGERS},
    {" shuffle2 memcpy memset memmove memchr strncpy __builtin_memcpy "
     "__builtin_memset ",
     3, '?', LM_A_ANY},
    {" read_imagef ", -1, 'F', LM_A_IMAGE},
    {" read_imagei ", -1, 'I', LM_A_IMAGE},
    {" read_imageui ", -1, 'U', LM_A_IMAGE},
    {" write_imagef write_imagei write_imageui ", 3, 'v', LM_A_IMAGE},
    {" get_image_width get_image_height get_image_depth ", 1, 'i', LM_A_IMAGE},
    {" get_image_dim ", 1, '?', LM_A_IMAGE},
    {" vload_half ", 2, 'f', LM_A_ANY},
    {" vstore_half ", 3, 'v', LM_A_ANY},
    {" nan malloc alloca labs __builtin_alloca __builtin_malloc ", 1, '?', LM_A_ANY},
    {" abort __builtin_abort __builtin_trap __builtin_unreachable ", 0, 'v', LM_A_ANY},
    {" printf sprintf snprintf fprintf ", -1, 'i', LM_A_ANY},
    {" memcmp strncmp ", 3, 'i', LM_A_ANY},
    {" strcmp ", 2, 'i', LM_A_ANY},
    {" puts putchar __builtin_constant_p __builtin_clz __builtin_ctz "
     "__builtin_popcount ",
     1, 'i', LM_A_ANY},
    {" qsort ", 4, 'v', LM_A_ANY}};

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
        if (scan_listed(functions[i].names, text, n)) {
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

static uint8_t keyword_class(const char *text, size_t n)
{
    for (int i = 0; i < N_KEYWORDS; i++)
        for (const char *const *name = keywords[i].names; *name; name++)
            if (strlen(*name) == n && !memcmp(*name, text, n))
                return keywords[i].class;
    return LM_W_NONE;
}

struct lm_word lm_word_of(const char *text, size_t n)
{
    struct lm_word w = {.class = LM_W_NONE, .arity = -1, .type = lm_type_of(LM_T_UNKNOWN)};
    int lanes;
    w.class = keyword_class(text, n);
    w.type = lm_type_named(text, n);
    if (w.class != LM_W_NONE) {
        if (n == 8 && !memcmp(text, "unsigned", 8))
            w.type = lm_type_of(LM_T_UINT);
        if (n == 6 && !memcmp(text, "signed", 6))
            w.type = lm_type_of(LM_T_INT);
        if (w.class == LM_W_CONSTANT && (text[0] == 't' || text[0] == 'f'))
            w.type = lm_type_of(LM_T_INT);
        return w;
    }
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
    w->kinds = arena_array(&w->arena, uint8_t, e->n);
    w->words = arena_array(&w->arena, struct lm_scope_lexeme, e->n);
    w->in_class = arena_array(&w->arena, lm_token, e->n);
    for (int t = 0; t < e->n; t++) {
        w->kinds[t] = (uint8_t)kind_of(e->texts[t], e->sizes[t]);
        if (w->kinds[t] == LM_TOK_WORD)
            lm_scope_word(&w->words[t], e->texts[t], e->sizes[t]);
    }
    w->numeric = arena_array(&w->arena, lm_token, e->n);
    for (int t = 1; t < e->n; t++)
        if (is_numeric(w, t))
            w->numeric[w->n_numeric++] = (lm_token)t;
    sort_classes(w);
    find_names(w);
    for (int i = 0; i < N_KEYWORDS; i++)
        for (const char *const *name = keywords[i].names; *name; name++)
            if (is_spelled(e, *name))
                spell(w, *name);
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
    arena_release(&w->arena);
    vec_release(&w->spelled);
    free(w);
}
