#include "testbed/extensions.h"
#include "testbed/detector.h"
#include "base/fs.h"
#include "base/scan.h"
#include "base/strbuf.h"
#include "program/program.h"
#include "testbed/runner.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

#define F "int f(void) "
#define MAIN "int main(void) "

/* Is each operation rounded by itself, to its own type, and are there signed zeros, infinities,
 * NaNs and subnormals? What is multiplied and added in one step, in a wider type, by the laws of
 * real numbers (-ffast-math) or with zero for what is small comes out otherwise. Operands are
 * volatile, so that it is the machine that computes, but for one that the compiler knows. 134217729
 * squared has 55 bits, 4097 squared 25. */
/* clang-format off */
static const char ieee[] =
    "_Static_assert(__FLT_EVAL_METHOD__ == 0, \"\");\n"
    "static volatile double a = 134217729.0, c = 18014398777917440.0, big = 9007199254740992.0,\n"
    "    tiny = 0x1p-1074, inf = __builtin_inf(), z = 0.0, o = -0.0, one = 1.0, three = 3.0;\n"
    "static volatile float s = 4097.0f, q = 16785408.0f, small = 0x1p-149f, third = 3.0f;\n"
    MAIN "{\n"
    "    double nan = __builtin_nan(\"\"), known = 134217729.0;\n"
    "    volatile float narrow = third / 7.0f;\n"
    "    if (a * a - c != 0 || c - a * a != 0 || a * a + -c != 0 || -(a * a) + c != 0) return 1;\n"
    "    if (s * s - q != 0 || q - s * s != 0 || known * known - 18014398777917440.0) return 2;\n"
    "    if (__builtin_fma(a, a, -c) != 1 || __builtin_fmaf(s, s, -q) != 1) return 3;\n"
    "    if (narrow != third / 7.0f || big + one - big != 0 || three / 10 == three * 0.1) return 4;\n"
    "    if (tiny == 0 || tiny / 2 != 0 || tiny * 2 == tiny || small + small != 0x1p-148f) return 5;\n"
    "    if (inf - inf == inf - inf || z / z == 0 || one / o != -inf || one / z != inf) return 6;\n"
    "    if (!(nan != nan) || nan < one || one / (o + z) != inf || one / (z - z) != inf) return 7;\n"
    "    if (one / (o * one) != -inf || one / (0 - z) != inf || !__builtin_isnan(z * inf)) return 8;\n"
    "    if (!__builtin_isunordered(nan, one) || __builtin_isless(nan, one)) return 9;\n"
    "    if (__builtin_isinf(one) || !__builtin_isfinite(one) || __builtin_isnormal(tiny)) return 10;\n"
    "    if (__builtin_sqrt(big) != 94906265.62425156 || __builtin_sqrtf(third) != 1.7320508f) return 11;\n"
    "    if (!__builtin_signbit(o) || __builtin_copysign(one, o) != -1) return 12;\n"
    "    if (__builtin_fmin(nan, one) != 1 || __builtin_fmax(one, nan) != 1) return 13;\n"
    "    if (__builtin_floor(o - 0.5) != -1 || __builtin_ceil(three / 2) != 2) return 14;\n"
    "    if (__builtin_rint(2.5 * one) != 2 || __builtin_round(2.5 * one) != 3) return 15;\n"
    "    return (float)(big + 2) != 9007199254740992.0f || __builtin_trunc(three / 2) != 1;\n"
    "}\n";
/* clang-format on */

/* Each program stands for all that its patterns match: where it is built, so are they. */
const struct extension extensions[] = {
    {"128-bit integers", "__int128|__int128_t|__uint128_t",
     F "{ unsigned __int128 a = 3; __int128 b = -2; return (int)(a * a) / (int)b; }",
     "128-bit integers"},
    {"vectors", "vector_size",
     "typedef int v __attribute__((vector_size(16)));" F
     "{ v a = {1, 2, 3, 4}; a = a + a * 2; return a[1]; }",
     "vectors"},
    {"builtins that count bits",
     "__builtin_clz*|__builtin_ctz*|__builtin_ffs*|__builtin_popcount*|__builtin_parity*|"
     "__builtin_clrsb*",
     F "{ unsigned a = 5; unsigned long long b = 9; return __builtin_clz(a) + __builtin_ctzll(b) + "
       "__builtin_ffs(6) + __builtin_popcountll(b) + __builtin_parity(a) + __builtin_clrsb(7); }",
     "builtins"},
    {"builtins that swap bytes", "__builtin_bswap*",
     F "{ return __builtin_bswap16(1) + (int)__builtin_bswap32(2) + (int)__builtin_bswap64(3); }",
     "builtins"},
    {"builtins that tell of overflow",
     "__builtin_add_overflow*|__builtin_sub_overflow*|__builtin_mul_overflow*|__builtin_sadd*|"
     "__builtin_uadd*|__builtin_smul*|__builtin_umul*|__builtin_ssub*|__builtin_usub*",
     F "{ int a; long long b; return __builtin_add_overflow(1, 2, &a) + "
       "__builtin_sub_overflow(3, 4, &a) + __builtin_mul_overflow(5LL, 6LL, &b); }",
     "builtins"},
    {"builtins that hint",
     "__builtin_expect*|__builtin_unreachable|__builtin_trap|"
     "__builtin_assume_aligned|__builtin_prefetch",
     F "{ static int a[4]; if (__builtin_expect(a[1], 0)) __builtin_unreachable(); if (a[2]) "
       "__builtin_trap(); return a[3]; }",
     "builtins"},
    {"__builtin_constant_p", "__builtin_constant_p|__builtin_choose_expr",
     F "{ return __builtin_constant_p(3); }", "builtins"},
    {"builtins for the C library's functions",
     "__builtin_abs|__builtin_labs|__builtin_llabs|__builtin_fabs*|__builtin_mem*|__builtin_str*|"
     "__builtin_printf|__builtin_sqrt*|__builtin_fma*|__builtin_copysign*|__builtin_abort|"
     "__builtin_exit|__builtin_puts|__builtin_putchar|__builtin_sprintf|__builtin_malloc",
     F "{ char a[4], b[4] = {1}; __builtin_memcpy(a, b, 4); return __builtin_abs(-a[0]) + "
       "(int)__builtin_fabs(-1.0) + (int)__builtin_llabs(-2LL); }",
     "builtins"},
    {"__builtin_offsetof and types", "__builtin_offsetof|__builtin_types_compatible_p",
     "struct s { int a, b; };" F "{ return (int)__builtin_offsetof(struct s, b); }", NULL},
    {"alloca", "alloca (|__builtin_alloca*",
     F "{ int *a = __builtin_alloca(16); *a = 3; return *a; }", NULL},
    {"attributes", "__attribute__|__attribute",
     "static __attribute__((noinline, unused, cold)) int g(void) { return 3; }"
     "int x __attribute__((aligned(32)));" F "{ return g() + x; }",
     "attributes"},
    {"packed structs", "( packed|, packed|( __packed__|, __packed__",
     "struct __attribute__((packed)) s { char a; int b; };" F
     "{ struct s x = {1, 2}; int a[sizeof(struct s) == 5 ? 1 : -1] = {0}; return x.b + a[0]; }",
     "packed structs"},
    {"constructors", "( constructor|, constructor|( __constructor__",
     "static int a; __attribute__((constructor)) static void g(void) { a = 1; }" F "{ return a; }",
     NULL},
    {"aliases and weak symbols", "( alias|, alias|( weak|, weak|( __weak__|( __alias__",
     "int aliased_one(void) { return 3; } int h(void) __attribute__((weak, "
     "alias(\"aliased_one\")));" F "{ return h(); }",
     NULL},
    {"statement expressions", "( {", F "{ return ({ int a = 3; a + 1; }); }", NULL},
    {"typeof", "typeof|__typeof__|__typeof|__auto_type",
     F "{ int a = 3; __typeof__(a) b = a; return b; }", NULL},
    {"conditionals without a middle", "? :", F "{ int a = 3; return a ?: 4; }", NULL},
    {"ranges of cases", "case # ...|case - # ...",
     F "{ int a = 3; switch (a) { case 1 ... 4: return 1; } return 0; }", "ranges of cases"},
    {"ranges of initialisers", "[ # ...", F "{ int a[4] = {[1 ... 2] = 3}; return a[1]; }", NULL},
    {"computed jumps", "goto *", F "{ void *a = &&l; goto *a; l: return 3; }", NULL},
    {"labels as values", "= && @|{ && @|, && @",
     F "{ static void *a[] = {&&l}; l: return a[0] != 0; }", NULL},
    {"bit-fields of long types",
     "long @ : #|long : #|int64_t @ : #|uint64_t @ : #|long unsigned @ : #|unsigned long @ : #",
     "struct s { long long a : 40; unsigned long long b : 20; };" F
     "{ struct s x = {3, 4}; return (int)x.a + (int)x.b; }",
     "bit-fields"},
    {"bit-fields of short types",
     "char @ : #|short @ : #|int8_t @ : #|uint8_t @ : #|int16_t @ : #|uint16_t @ : #|_Bool @ : #|"
     "char : #|short : #",
     "struct s { signed char a : 3; unsigned short b : 9; _Bool c : 1; };" F
     "{ struct s x = {1, 2, 1}; return x.a + x.b + x.c; }",
     "bit-fields"},
    {"zero-width bit-fields", ": 0 ;",
     "struct s { int a : 3; int : 0; int b : 4; };" F "{ struct s x = {1, 2}; return x.a + x.b; }",
     "zero-width bit-fields"},
    {"anonymous members", "; } ; }",
     "struct s { int a; union { int b; float c; }; };" F "{ struct s x; x.b = 3; return x.b; }",
     NULL},
    {"flexible array members", "[ ] ; }|[ 0 ] ; }",
     "struct s { int n; int a[]; };" F "{ static struct s x; return x.n; }", NULL},
    {"compound literals", ") { # }|) { # ,|) { @ }|) { - #|) { {",
     "struct s { int a, b; };" F "{ return ((struct s){1, 2}).b + *(int *)&(int){3}; }",
     "compound literals"},
    {"designated initialisers", "{ . @ =|, . @ =|{ [ # ] =|, [ # ] =",
     "struct s { int a, b; };" F
     "{ struct s x = {.b = 2}; int a[3] = {[1] = 4}; return x.b + a[1]; }",
     NULL},
    {"_Alignas", "_Alignas|_Alignof|alignas", F "{ _Alignas(16) int a = 3; return a; }", NULL},
    {"_Static_assert", "_Static_assert", "_Static_assert(1, \"\");" F "{ return 3; }", NULL},
    {"_Generic", "_Generic", F "{ return _Generic(3, int: 1, default: 2); }", NULL},
    {"_Noreturn", "_Noreturn|( noreturn|, noreturn",
     "_Noreturn void g(void); void g(void) { for (;;) ; }" F
     "{ static int a; if (a) g(); return 3; }",
     NULL},
    {"_Thread_local", "_Thread_local|__thread", "static __thread int a = 3;" F "{ return a; }",
     NULL},
    {"_Atomic", "_Atomic|atomic_int|__atomic_*|__sync_*",
     "static _Atomic int a;" F "{ a += 3; return a; }", NULL},
    {"complex numbers", "_Complex|__real__|__imag__",
     F "{ double _Complex a = 1.0; a = a * a; return a != 0; }", NULL},
    {"inline functions", "inline|__inline|__inline__",
     "static inline int g(void) { return 3; }" F "{ return g(); }", "inline functions"},
    {"restrict", "restrict|__restrict|__restrict__",
     "static int g(int *restrict a, int *__restrict b) { *a = 1; return *b; }" F
     "{ int a = 1, b = 2; return g(&a, &b); }",
     NULL},
    {"assembly", "asm|__asm__|__asm", F "{ __asm__ volatile(\"\" ::: \"memory\"); return 3; }",
     NULL},
    {"functions for a target", "( target|, target|( target_clones|, target_clones",
     "__attribute__((target(\"avx2\"))) static int g(void) { return 3; }" F
     "{ return sizeof g() == 4 ? 3 : 4; }",
     NULL},
    {"__func__", "__func__|__FUNCTION__|__PRETTY_FUNCTION__", F "{ return __func__[0]; }", NULL},
    {"floats of IEEE 754", "__FLT_EVAL_METHOD__", ieee, "floats of IEEE 754"},
    /* Macros of the compiler that texts ask in #if: without them it is another program. */
    {"macros for sizes",
     "__SIZEOF_SHORT__|__SIZEOF_INT__|__SIZEOF_LONG_LONG__|__SIZEOF_SIZE_T__|__SIZEOF_DOUBLE__",
     F "{ return __SIZEOF_SHORT__ + __SIZEOF_INT__ + __SIZEOF_LONG_LONG__ + __SIZEOF_SIZE_T__ + "
       "__SIZEOF_DOUBLE__; }",
     NULL},
    {"macros for limits", "__SCHAR_MAX__|__SHRT_MAX__|__INT_MAX__|__LONG_MAX__|__LONG_LONG_MAX__",
     F "{ return __SCHAR_MAX__ < 3 || __SHRT_MAX__ < 3 || __INT_MAX__ < 3 || __LONG_MAX__ < 3 || "
       "__LONG_LONG_MAX__ < 3; }",
     NULL},
    {"__CHAR_BIT__", "__CHAR_BIT__", F "{ return __CHAR_BIT__; }", NULL},
    {"macros for types",
     "__INT8_TYPE__|__INT16_TYPE__|__INT32_TYPE__|__INT64_TYPE__|__UINT8_TYPE__|__UINT16_TYPE__|"
     "__UINT32_TYPE__|__UINT64_TYPE__|__INTPTR_TYPE__|__UINTPTR_TYPE__|__INTMAX_TYPE__",
     F
     "{ __INT8_TYPE__ a = 1; __UINT32_TYPE__ b = 2; __INTPTR_TYPE__ c = 3; __INTMAX_TYPE__ d = 4; "
     "return (int)(a + b + c + d); }",
     NULL},
    {"macros for byte order", "__BYTE_ORDER__|__ORDER_*",
     F "{ return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }", NULL},
    {"macros for floats",
     "__FLT_MAX__|__FLT_MIN__|__FLT_MANT_DIG__|__DBL_MAX__|__DBL_MIN__|__DBL_MANT_DIG__",
     F "{ return __FLT_MAX__ < 1 || __FLT_MIN__ > 1 || __FLT_MANT_DIG__ < 3 || __DBL_MAX__ < 1 || "
       "__DBL_MIN__ > 1 || __DBL_MANT_DIG__ < 3; }",
     NULL},
};
const int n_extensions = sizeof extensions / sizeof *extensions;
_Static_assert(sizeof extensions / sizeof *extensions <= EXTENSIONS_MOST, "a bit for each");

static bool by_flags(int i)
{
    return strstr(extensions[i].program, MAIN);
}

/* How the build of a text ends, or its run. What its toolchain file says that it lacks is refused,
 * too, and so is one that ends with another status than 0. */
static int try_text(struct runner *r, const struct testbed *t, const char *text, const char *needs,
                    bool run, struct arena *a, enum outcome *out, struct error *e)
{
    struct program_file file = {"extension.c", text, strlen(text)};
    struct program p = {
        .language = t->language, .files = &file, .n_files = 1, .needs = needs, .trusted = true};
    static const char built[] = "built";
    struct observation o;
    if (runner_load(r, &p, e) || runner_observe(r, &p, t, run, built, a, &o, e))
        return -1;
    bool skipped = o.outcome == OUTCOME_SKIPPED && !o.of_machine;
    *out = !skipped ? o.outcome : !strcmp(o.messages, built) ? OUTCOME_OK : OUTCOME_BUILD_FAIL;
    if (*out == OUTCOME_OK && run && o.exit_status)
        *out = OUTCOME_BUILD_FAIL;
    return 0;
}

/* The programs from..to-1 as one, each with names of its own. */
static const char *together(int from, int to, struct arena *a)
{
    static const char *const names[] = {"a", "f", "g", "h", "s", "v", "x"};
    struct strbuf text;
    strbuf_init(&text, 0);
    for (int i = from; i < to; i++) {
        if (by_flags(i))
            continue;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            strbuf_addf(&text, "#undef %s\n#define %s %s_%d\n", names[k], names[k], names[k], i);
        strbuf_addf(&text, "%s\n", extensions[i].program);
    }
    strbuf_addf(&text, "int main(void) { return f() == 77; }\n");
    const char *all = arena_strdup(a, text.s);
    strbuf_release(&text);
    return all;
}

struct answers {
    uint64_t lacks;
    bool certain; /* each build ended by itself */
};

/* By halves: most compilers take all of them at once, or lack few. */
static int ask(struct runner *r, const struct testbed *t, int from, int to, struct arena *a,
               struct answers *out, struct error *e)
{
    enum outcome outcome;
    int middle = (from + to) / 2;
    if (try_text(r, t, together(from, to, a), "", false, a, &outcome, e))
        return -1;
    if (outcome == OUTCOME_OK)
        return 0;
    out->certain &= outcome == OUTCOME_BUILD_FAIL || outcome == OUTCOME_BUILD_CRASH;
    if (to - from == 1) {
        out->lacks |= (uint64_t)(outcome == OUTCOME_BUILD_FAIL) << from;
        return 0;
    }
    return ask(r, t, from, middle, a, out, e) || ask(r, t, middle, to, a, out, e) ? -1 : 0;
}

/* One by one; a compiler that does not link is believed when it builds. */
static int ask_flags(struct runner *r, const struct testbed *t, struct arena *a,
                     struct answers *out, struct error *e)
{
    for (int i = 0; i < n_extensions; i++) {
        enum outcome outcome;
        if (!by_flags(i))
            continue;
        if (try_text(r, t, extensions[i].program, PROGRAM_NEEDS_IEEE, true, a, &outcome, e))
            return -1;
        out->certain &= outcome <= OUTCOME_BUILD_CRASH;
        out->lacks |= (uint64_t)(outcome != OUTCOME_OK && outcome != OUTCOME_BUILD_CRASH) << i;
    }
    return 0;
}

static uint64_t those_by_flags(void)
{
    uint64_t set = 0;
    for (int i = 0; i < n_extensions; i++)
        set |= (uint64_t)by_flags(i) << i;
    return set;
}

/* -- answers that are known -------------------------------------------------------------------- */

/* Another compiler, another way to call it, another table: another file. */
static bool cache_file(const struct testbed *t, char *path, size_t size)
{
    char hash[PROGRAM_HASH_SIZE], name[64];
    struct strbuf key;
    if (!t->identity || !t->identity->stamp)
        return false;
    strbuf_init(&key, 0);
    strbuf_addf(&key, "%016" PRIx64 " %s\n%s\n", t->identity->stamp, t->path, t->flags);
    for (const char *const *step = t->compile; *step; step++)
        strbuf_addf(&key, "%s\n", *step);
    for (int i = 0; i < n_extensions; i++)
        strbuf_addf(&key, "%s\n", extensions[i].program);
    hash_bytes(key.s, key.n, hash);
    strbuf_release(&key);
    snprintf(name, sizeof name, "extensions-%s", hash);
    return fs_cache_file(name, path, size);
}

static bool cache_read(const char *path, uint64_t *lacks)
{
    struct strbuf text;
    char end;
    strbuf_init(&text, 64);
    bool known = fs_exists(path) && !fs_read(path, &text, NULL) &&
                 sscanf(text.s, "%" SCNx64 "%c", lacks, &end) == 2 && end == '\n';
    strbuf_release(&text);
    return known;
}

static void cache_write(const char *path, uint64_t lacks)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%016" PRIx64 "\n", lacks);
    fs_cache_write(path, text, (size_t)n);
}

int extensions_ask(struct runner *r, const struct testbed *t, const struct testbed *like,
                   struct arena *a, uint64_t *lacks, struct error *e)
{
    *lacks = 0;
    if (strcmp(t->language, "c") != 0 || !*t->compile || t->traces || detector_is(t))
        return 0;
    char path[PATH_MAX];
    struct answers answers = {.certain = true};
    bool cached = cache_file(t, path, sizeof path);
    if (cached && cache_read(path, lacks))
        return 0;
    if (like)
        answers.lacks = like->lacks_extensions & ~those_by_flags();
    else if (ask(r, t, 0, n_extensions, a, &answers, e))
        return -1;
    if (ask_flags(r, t, a, &answers, e))
        return -1;
    if (cached && answers.certain)
        cache_write(path, answers.lacks);
    *lacks = answers.lacks;
    return 0;
}

const struct extension *extensions_needed(uint64_t lacks, const char *text)
{
    for (int i = 0; i < n_extensions; i++)
        if (lacks >> i & 1 && scan_has(&scan_c, text, strlen(text), extensions[i].patterns))
            return &extensions[i];
    return NULL;
}

const char *extensions_names(uint64_t lacks, struct arena *a)
{
    const char *names = "";
    for (int i = 0; i < n_extensions; i++)
        if (lacks >> i & 1)
            names = arena_printf(a, "%s%s%s", names, *names ? ", " : "", extensions[i].name);
    return names;
}
