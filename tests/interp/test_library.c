/* What the interpreter makes of the C library: each function once right, each of its violations
 * once, and printf against the host's own on a table of formats.
 *
 * A case is a program that aborts where a result is not what it should be (`must`), and that has
 * one defect when asked for it. */
#include "make.h"

#include "cc/library.h"

#include <inttypes.h>
#include <math.h>

#define LONG BASIC(CC_LONG)
#define ULONG BASIC(CC_ULONG)
#define SIZE(n) N(ULONG, n)
#define F(x) cc_float(P, FLOAT, (x), CC_DECIMAL)
#define EQ(a, b) BIN(CC_EQ, a, b)
#define NOT(e) cc_unary(P, CC_NOT, (e))
#define MINUS(e) cc_unary(P, CC_MINUS, (e))
#define NULL_OF(t) cc_null(P, PTR(t))

/* -- calls ------------------------------------------------------------------------------------ */

/* s char *, p void *, i int, n long, N unsigned long and size_t, l long long, d double, f float. */
static const struct cc_type *type_of(char letter)
{
    switch (letter) {
    case 's':
        return PTR(CHAR);
    case 'p':
        return PTR(VOID);
    case 'i':
        return INT;
    case 'n':
        return LONG;
    case 'N':
        return ULONG;
    case 'l':
        return LLONG;
    case 'd':
        return DOUBLE;
    case 'f':
        return FLOAT;
    default:
        return VOID;
    }
}

/* By its result and parameters; "." for more of them, "?" for no prototype. */
static struct cc_func *library(const char *name, const char *letters)
{
    const struct cc_type *params[8];
    int n = 0;
    for (; letters[n + 1] && letters[n + 1] != '.' && letters[n + 1] != '?'; n++)
        params[n] = type_of(letters[n + 1]);
    const struct cc_type *type = cc_function_type_of(&P->types, type_of(letters[0]), params, n,
                                                     letters[n + 1] == '.', letters[n + 1] == '?');
    struct cc_func *f = cc_function_of(P, name, type, NULL, 0);
    f->library = (int)cc_library_named(name);
    return f;
}

#define LIB(name, letters, ...) CALL(library(name, letters), __VA_ARGS__)
#define LIB0(name, letters) cc_call(P, cc_func_use(P, library(name, letters)), NULL, 0)

static struct cc_expr *text(const char *s)
{
    uint32_t n = (uint32_t)strlen(s);
    return cc_string(P, ARRAY(CHAR, n + 1), s, n);
}

/* A local array of `size` characters that starts as `s`, and is 0 after it. */
static struct cc_var *chars(const char *name, uint32_t size, const char *s)
{
    struct cc_expr *list[64];
    int n = 0;
    for (; s[n]; n++)
        list[n] = N(CHAR, s[n]);
    if ((uint32_t)n < size)
        list[n++] = N(CHAR, 0);
    return local(name, ARRAY(CHAR, size), cc_list(P, ARRAY(CHAR, size), list, n, 0));
}

static struct cc_expr *at(struct cc_var *array, int i)
{
    return ADDR(AT(V(array), I(i)));
}

static void must(struct cc_expr *condition)
{
    enter_if(NOT(condition));
    eval(LIB0("abort", "v"));
    leave();
}

/* The array is this string now. */
static void must_be(struct cc_var *array, const char *s)
{
    must(EQ(LIB("strcmp", "iss", V(array), text(s)), I(0)));
}

static struct cc_expr *is_number(struct cc_expr *e, double x)
{
    return EQ(e, D(x));
}

/* -- memory ----------------------------------------------------------------------------------- */

static void memcpy_overlap(bool bad)
{
    struct cc_var *a = chars("a", 8, "abcd");
    must(EQ(LIB("memcpy", "pppN", at(a, 4), at(a, bad ? 2 : 1), SIZE(3)), at(a, 4)));
    must_be(a, "abcdbcd");
}

static void memcpy_same(bool bad)
{
    struct cc_var *a = chars("a", 4, "abc");
    eval(LIB("memcpy", "pppN", V(a), V(a), SIZE(bad ? 4 : 0)));
}

static void memcpy_null(bool bad)
{
    struct cc_var *a = chars("a", 4, "abc");
    struct cc_var *p = local("p", PTR(CHAR), bad ? NULL_OF(CHAR) : at(a, 0));
    eval(LIB("memcpy", "pppN", at(a, 1), V(p), SIZE(0)));
}

static void memcpy_bounds(bool bad)
{
    struct cc_var *a = chars("a", 4, "abc"), *b = chars("b", 8, "");
    eval(LIB("memcpy", "pppN", V(b), V(a), SIZE(bad ? 5 : 4)));
    must_be(b, "abc");
}

/* What is copied keeps its type, and what was not stored stays indeterminate. */
static void memcpy_struct(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("p", PTR(INT)));
    struct cc_var *x = local("x", s, NULL), *y = local("y", s, NULL), *i = local("i", INT, I(7));
    if (!bad)
        set(DOT(V(x), 1), ADDR(V(i)));
    set(DOT(V(x), 0), I(3));
    eval(LIB("memcpy", "pppN", ADDR(V(y)), ADDR(V(x)), cc_sizeof(P, s)));
    must(EQ(DOT(V(y), 0), I(3)));
    must(EQ(DEREF(DOT(V(y), 1)), I(7)));
}

static void memcpy_const(bool bad)
{
    struct cc_var *a = chars("a", 4, "abc");
    struct cc_expr *to = bad ? text("xyz") : V(a);
    eval(LIB("memcpy", "pppN", to, text("abc"), SIZE(4)));
}

static void memmove_bounds(bool bad)
{
    struct cc_var *a = chars("a", 6, "abcd");
    must(EQ(LIB("memmove", "pppN", at(a, 1), at(a, 0), SIZE(bad ? 6 : 5)), at(a, 1)));
    must_be(a, "aabcd");
}

static void mempcpy_overlap(bool bad)
{
    struct cc_var *a = chars("a", 8, "abc");
    must(EQ(LIB("mempcpy", "pppN", at(a, bad ? 2 : 3), at(a, 0), SIZE(3)), at(a, 6)));
    must_be(a, "abcabc");
}

static void memset_bounds(bool bad)
{
    struct cc_var *a = local("a", ARRAY(INT, 2), NULL);
    must(EQ(LIB("memset", "ppiN", V(a), I(-255), SIZE(bad ? 9 : 8)), V(a)));
    must(EQ(AT(V(a), I(1)), I(0x01010101)));
}

static void memset_negative(bool bad)
{
    struct cc_var *a = chars("a", 4, "");
    eval(LIB("memset", "ppiN", V(a), I(0), SIZE(bad ? -1 : 1)));
}

static void memset_dangling(bool bad)
{
    struct cc_var *p = local("p", PTR(CHAR), NULL), *outer = chars("b", 4, "");
    enter_block();
    struct cc_var *a = chars("a", 4, "");
    set(V(p), bad ? at(a, 0) : at(outer, 0));
    leave();
    set(V(p), COMMA(LIB("memset", "ppiN", V(p), I(0), SIZE(0)), V(p)));
}

static void memset_steps(bool bad)
{
    struct cc_var *a = global("a", ARRAY(CHAR, 20000), NULL);
    eval(LIB("memset", "ppiN", V(a), I(1), SIZE(bad ? 20000 : 2000)));
}

static void memcmp_uninitialised(bool bad)
{
    struct cc_var *a = local("a", ARRAY(UCHAR, 4), NULL), *b = local("b", ARRAY(UCHAR, 4), NULL);
    eval(LIB("memset", "ppiN", V(a), I(0), SIZE(4)));
    eval(LIB("memset", "ppiN", V(b), I(255), SIZE(bad ? 3 : 4)));
    must(EQ(LIB("memcmp", "ippN", V(a), V(b), SIZE(4)), I(-1)));
    must(EQ(LIB("memcmp", "ippN", V(b), V(a), SIZE(4)), I(1)));
    must(EQ(LIB("memcmp", "ippN", V(b), V(a), SIZE(0)), I(0)));
}

static void bcmp_bounds(bool bad)
{
    must(LIB("bcmp", "ippN", text("abc"), text("abd"), SIZE(bad ? 5 : 4)));
    must(NOT(LIB("bcmp", "ippN", text("abc"), text("abc"), SIZE(4))));
}

static void memchr_bounds(bool bad)
{
    struct cc_var *a = chars("a", 4, "abcd");
    must(EQ(LIB("memchr", "ppiN", V(a), I(bad ? 'x' : 'c'), SIZE(9)), at(a, 2)));
    must(EQ(LIB("memchr", "ppiN", V(a), I('c'), SIZE(2)), NULL_OF(VOID)));
}

static void bzero_bounds(bool bad)
{
    struct cc_var *a = chars("a", 4, "abc");
    eval(LIB("bzero", "vpN", at(a, 1), SIZE(bad ? 4 : 3)));
    must_be(a, "a");
}

static void bcopy_null(bool bad)
{
    struct cc_var *a = chars("a", 4, "abc");
    struct cc_var *p = local("p", PTR(VOID), bad ? NULL_OF(VOID) : at(a, 0));
    eval(LIB("bcopy", "vppN", V(p), at(a, 1), SIZE(2)));
    must_be(a, "aab");
}

/* -- allocation ------------------------------------------------------------------------------- */

static struct cc_var *allocated(const char *name, uint32_t ints)
{
    return local(name, PTR(INT), CAST(PTR(INT), LIB("malloc", "pN", SIZE(4 * ints))));
}

static void malloc_uninitialised(bool bad)
{
    struct cc_var *p = allocated("p", 2);
    set(AT(V(p), I(1)), I(3));
    must(EQ(AT(V(p), I(bad ? 0 : 1)), I(3)));
    eval(LIB("free", "vp", V(p)));
}

static void malloc_bounds(bool bad)
{
    struct cc_var *p = allocated("p", 2);
    eval(LIB("memset", "ppiN", V(p), I(0), SIZE(bad ? 9 : 8)));
    must(EQ(AT(V(p), I(1)), I(0)));
}

static void free_twice(bool bad)
{
    struct cc_var *p = local("p", PTR(VOID), LIB("malloc", "pN", SIZE(4)));
    struct cc_var *q = local("q", PTR(VOID), bad ? V(p) : NULL_OF(VOID));
    eval(COMMA(LIB("free", "vp", V(p)), LIB("free", "vp", V(q))));
}

static void free_of_local(bool bad)
{
    struct cc_var *i = local("i", INT, I(0));
    struct cc_var *p = local("p", PTR(VOID), LIB("malloc", "pN", SIZE(4)));
    eval(LIB("free", "vp", bad ? CAST(PTR(VOID), ADDR(V(i))) : V(p)));
}

static void free_inside(bool bad)
{
    struct cc_var *p = local("p", PTR(CHAR), CAST(PTR(CHAR), LIB("malloc", "pN", SIZE(4))));
    eval(LIB("free", "vp", ADD(V(p), I(bad))));
}

static void calloc_bounds(bool bad)
{
    struct cc_var *p = local("p", PTR(INT), CAST(PTR(INT), LIB("calloc", "pNN", SIZE(3), SIZE(4))));
    must(EQ(DEREF(ADD(V(p), I(bad ? 3 : 2))), I(0)));
}

static void calloc_too_much(bool bad)
{
    cc_wide n = bad ? (cc_wide)1 << 62 : 1;
    eval(LIB("calloc", "pNN", SIZE(n), SIZE(16)));
}

static void realloc_uninitialised(bool bad)
{
    struct cc_var *p = allocated("p", 2), *q = local("q", PTR(INT), NULL);
    set(AT(V(p), I(0)), I(5));
    set(AT(V(p), I(1)), I(6));
    set(V(q), CAST(PTR(INT), LIB("realloc", "ppN", V(p), SIZE(12))));
    must(EQ(AT(V(q), I(bad ? 2 : 1)), I(6)));
    set(V(q), CAST(PTR(INT), LIB("realloc", "ppN", NULL_OF(VOID), SIZE(4))));
    set(DEREF(V(q)), I(1));
}

static void realloc_ends(bool bad)
{
    struct cc_var *p = allocated("p", 1), *q = local("q", PTR(INT), NULL);
    set(DEREF(V(p)), I(5));
    set(V(q), CAST(PTR(INT), LIB("realloc", "ppN", V(p), SIZE(4))));
    must(EQ(DEREF(V(bad ? p : q)), I(5)));
}

static void realloc_nothing(bool bad)
{
    struct cc_var *p = allocated("p", 1);
    set(V(p), CAST(PTR(INT), LIB("realloc", "ppN", V(p), SIZE(bad ? 0 : 1))));
}

static void alloca_ends(bool bad)
{
    struct cc_var *g = global("g", PTR(INT), NULL);
    struct cc_func *f = function("f", VOID, NULL, NULL);
    set(V(g), CAST(PTR(INT), LIB("alloca", "pN", SIZE(4))));
    set(DEREF(V(g)), I(4));
    if (bad) {
        end_function();
        eval(CALL(f));
        must(EQ(DEREF(V(g)), I(4)));
    } else {
        must(EQ(DEREF(V(g)), I(4)));
        end_function();
        eval(CALL(f));
    }
}

/* -- strings ---------------------------------------------------------------------------------- */

static void strlen_bounds(bool bad)
{
    struct cc_var *a = chars("a", bad ? 3 : 4, "abc");
    must(EQ(LIB("strlen", "Ns", V(a)), SIZE(3)));
}

static void strlen_null(bool bad)
{
    struct cc_var *p = local("p", PTR(CHAR), bad ? NULL_OF(CHAR) : text(""));
    must(EQ(LIB("strlen", "Ns", V(p)), SIZE(0)));
}

static void strlen_uninitialised(bool bad)
{
    struct cc_var *a = local("a", ARRAY(CHAR, 4), NULL);
    set(AT(V(a), I(0)), I('x'));
    set(AT(V(a), I(bad ? 2 : 1)), I(0));
    must(EQ(LIB("strlen", "Ns", V(a)), SIZE(1)));
}

static void strlen_result(bool bad)
{
    eval(LIB("strlen", bad ? "is" : "Ns", text("abc")));
}

static void strlen_argument(bool bad)
{
    eval(LIB("strlen", "N?", bad ? I(0) : text("abc")));
}

static void strlen_arguments(bool bad)
{
    if (bad)
        eval(LIB0("strlen", "N?"));
    else
        eval(LIB("strlen", "N?", text("abc")));
}

static void malloc_argument(bool bad)
{
    eval(LIB("malloc", "p?", bad ? I(4) : SIZE(4)));
}

static void abort_arguments(bool bad)
{
    if (bad)
        eval(LIB("abort", "v?", I(1)));
}

static void strnlen_bounds(bool bad)
{
    struct cc_var *a = chars("a", 3, "abc");
    must(EQ(LIB("strnlen", "NsN", V(a), SIZE(bad ? 4 : 3)), SIZE(3)));
    must(EQ(LIB("strnlen", "NsN", text("ab"), SIZE(-1)), SIZE(2)));
}

static void strcpy_bounds(bool bad)
{
    struct cc_var *a = chars("a", 4, "");
    must(EQ(LIB("strcpy", "sss", V(a), text(bad ? "abcd" : "abc")), V(a)));
    must_be(a, "abc");
}

static void strcpy_overlap(bool bad)
{
    struct cc_var *a = chars("a", 8, "abc");
    eval(LIB("strcpy", "sss", at(a, bad ? 3 : 4), V(a)));
}

static void stpcpy_bounds(bool bad)
{
    struct cc_var *a = chars("a", 4, "");
    must(EQ(LIB("stpcpy", "sss", V(a), text(bad ? "abcd" : "abc")), at(a, 3)));
}

static void strncpy_bounds(bool bad)
{
    struct cc_var *a = chars("a", 8, "zzzzzzz");
    eval(LIB("strncpy", "sssN", V(a), text("abcd"), SIZE(3)));
    must_be(a, "abczzzz");
    must(EQ(LIB("strncpy", "sssN", V(a), text("abcd"), SIZE(bad ? 9 : 7)), V(a)));
    must(EQ(AT(V(a), I(6)), I(0)));
    must_be(a, "abcd");
}

/* The bytes that are filled with 0 belong to the destination. */
static void strncpy_overlap(bool bad)
{
    struct cc_var *a = chars("a", 8, "01234ab");
    eval(LIB("strncpy", "sssN", V(a), at(a, 5), SIZE(bad ? 6 : 5)));
    must_be(a, "ab");
}

static void strcat_bounds(bool bad)
{
    struct cc_var *a = chars("a", 6, "abc");
    set(AT(V(a), I(5)), I('z'));
    must(EQ(LIB("strcat", "sss", V(a), text(bad ? "def" : "de")), V(a)));
    must_be(a, "abcde");
}

static void strcat_overlap(bool bad)
{
    struct cc_var *a = chars("a", 12, "abc");
    eval(LIB("strcat", "sss", V(a), bad ? at(a, 1) : text("bc")));
    must_be(a, "abcbc");
}

static void strncat_bounds(bool bad)
{
    struct cc_var *a = chars("a", 6, "abc"), *b = chars("b", 2, "de");
    eval(LIB("strncat", "sssN", V(a), V(b), SIZE(bad ? 3 : 2)));
    must_be(a, "abcde");
}

static void strcmp_string(bool bad)
{
    struct cc_var *a = chars("a", bad ? 2 : 3, "ab");
    must(EQ(LIB("strcmp", "iss", V(a), text("b")), I(-1)));
    must(EQ(LIB("strcmp", "iss", text("b"), text("ab")), I(1)));
    must(EQ(LIB("strcmp", "iss", text("\xFF"), text("a")), I(1)));
    must(EQ(LIB("strcmp", "iss", text(""), text("")), I(0)));
}

static void strncmp_bounds(bool bad)
{
    struct cc_var *a = chars("a", 2, "ab");
    must(EQ(LIB("strncmp", "issN", V(a), text("abc"), SIZE(bad ? 3 : 2)), I(0)));
    must(EQ(LIB("strncmp", "issN", text("ab"), text("ac"), SIZE(5)), I(-1)));
}

static void strchr_string(bool bad)
{
    struct cc_var *a = chars("a", bad ? 4 : 5, "abab");
    must(EQ(LIB("strchr", "ssi", V(a), I('b' + 256)), at(a, 1)));
    must(EQ(LIB("strchr", "ssi", V(a), I(0)), at(a, 4)));
    must(EQ(LIB("strchr", "ssi", V(a), I('x')), NULL_OF(CHAR)));
    must(EQ(LIB("index", "ssi", V(a), I('a')), at(a, 0)));
}

static void strrchr_string(bool bad)
{
    struct cc_var *a = chars("a", bad ? 4 : 5, "abab");
    must(EQ(LIB("strrchr", "ssi", V(a), I('b')), at(a, 3)));
    must(EQ(LIB("rindex", "ssi", V(a), I('x')), NULL_OF(CHAR)));
}

static void strstr_string(bool bad)
{
    struct cc_var *a = chars("a", bad ? 4 : 5, "abcd");
    must(EQ(LIB("strstr", "sss", V(a), text("cd")), at(a, 2)));
    must(EQ(LIB("strstr", "sss", V(a), text("")), V(a)));
    must(EQ(LIB("strstr", "sss", V(a), text("dc")), NULL_OF(CHAR)));
}

static void strspn_string(bool bad)
{
    struct cc_var *set_of = chars("a", bad ? 2 : 3, "ab");
    must(EQ(LIB("strspn", "Nss", text("abcab"), V(set_of)), SIZE(2)));
    must(EQ(LIB("strcspn", "Nss", text("xyzab"), V(set_of)), SIZE(3)));
}

static void strpbrk_string(bool bad)
{
    struct cc_var *a = chars("a", bad ? 3 : 4, "xya");
    must(EQ(LIB("strpbrk", "sss", V(a), text("ba")), at(a, 2)));
    must(EQ(LIB("strpbrk", "sss", V(a), text("q")), NULL_OF(CHAR)));
}

static void strdup_bounds(bool bad)
{
    struct cc_var *p = local("p", PTR(CHAR), LIB("strdup", "ss", text("abc")));
    must(EQ(LIB("strcmp", "iss", V(p), text("abc")), I(0)));
    set(AT(V(p), I(bad ? 4 : 3)), I('d'));
}

/* -- numbers ---------------------------------------------------------------------------------- */

static void abs_overflow(bool bad)
{
    must(EQ(LIB("abs", "ii", I(bad ? INT32_MIN : INT32_MIN + 1)), I(INT32_MAX)));
}

static void labs_overflow(bool bad)
{
    must(EQ(LIB("labs", "nn", N(LONG, bad ? INT64_MIN : -4)), N(LONG, 4)));
}

static void llabs_overflow(bool bad)
{
    must(EQ(LIB("llabs", "ll", N(LLONG, bad ? INT64_MIN : -4)), N(LLONG, 4)));
}

static void atoi_overflow(bool bad)
{
    must(EQ(LIB("atoi", "is", text(bad ? "2147483648" : " -12x")), I(-12)));
}

static void math(bool bad)
{
    (void)bad;
    must(is_number(LIB("fabs", "dd", D(-1.5)), 1.5));
    must(is_number(LIB("fabsf", "ff", F(-1.5)), 1.5));
    must(is_number(LIB("sqrt", "dd", D(2)), sqrt(2)));
    must(is_number(LIB("sqrtf", "ff", F(2)), (double)sqrtf(2)));
    must(is_number(LIB("floor", "dd", D(-1.5)), -2));
    must(is_number(LIB("ceil", "dd", D(-1.5)), -1));
    must(is_number(LIB("trunc", "dd", D(-1.5)), -1));
    must(is_number(LIB("rint", "dd", D(2.5)), 2));
    must(is_number(LIB("fmod", "ddd", D(-7), D(4)), -3));
    must(is_number(LIB("fmin", "ddd", D(0), D(-1)), -1));
    must(is_number(LIB("fmax", "ddd", D(0), D(-1)), 0));
    must(is_number(LIB("copysignf", "fff", F(2), F(-0.0)), -2));
}

static void copysign_of_nan(bool bad)
{
    must(is_number(LIB("copysign", "ddd", D(3), bad ? LIB("nan", "ds", text("")) : D(-2)), -3));
}

static void classes(bool bad)
{
    must(LIB("isnan", "i.", LIB("nan", "ds", text(""))));
    must(LIB("isnan", "if", LIB("nanf", "fs", text("1"))));
    must(NOT(LIB("isnan", "i.", D(1))));
    must(LIB("isinf", "i.", LIB0("inf", "d")));
    must(LIB("isinf", "i.", LIB0("inff", "f")));
    must(NOT(LIB("isinf", "i.", D(1))));
    must(LIB("isfinite", "i.", F(1)));
    must(NOT(LIB("isfinite", "i.", LIB0("huge_val", "d"))));
    must(NOT(LIB("isfinite", "i.", LIB0("huge_valf", "f"))));
    must(LIB("signbit", "i.", D(-0.0)));
    must(NOT(LIB("signbit", "i.", bad ? LIB("nan", "ds", text("")) : D(0))));
}

static void class_of_int(bool bad)
{
    must(NOT(LIB("isnan", "i.", bad ? I(1) : D(1))));
}

static void orders(bool bad)
{
    static const struct {
        const char *name;
        bool less, equal, greater, unordered;
    } rows[] = {{"isgreater", 0, 0, 1, 0},     {"isgreaterequal", 0, 1, 1, 0},
                {"isless", 1, 0, 0, 0},        {"islessequal", 1, 1, 0, 0},
                {"islessgreater", 1, 0, 1, 0}, {"isunordered", 0, 0, 0, 1}};
    (void)bad;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        must(EQ(LIB(rows[i].name, "i.", D(1), D(2)), I(rows[i].less)));
        must(EQ(LIB(rows[i].name, "i.", D(2), F(2)), I(rows[i].equal)));
        must(EQ(LIB(rows[i].name, "i.", D(2), D(1)), I(rows[i].greater)));
        struct cc_expr *nan_value = LIB("nan", "ds", text(""));
        must(EQ(LIB(rows[i].name, "i.", nan_value, D(1)), I(rows[i].unordered)));
    }
}

static void characters(bool bad)
{
    static const struct {
        const char *name, *yes, *no;
    } rows[] = {{"isdigit", "09", "/:a"},    {"isalpha", "azAZ", "@[`{0\xE4"},
                {"isalnum", "az09", "/ _"},  {"isspace", " \t\n\v\f\r", "a0\xA0"},
                {"isupper", "AZ", "a0"},     {"islower", "az", "A0"},
                {"isprint", " ~a", "\n\x7F"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (const char *c = rows[i].yes; *c; c++)
            must(LIB(rows[i].name, "ii", I((unsigned char)*c)));
        for (const char *c = rows[i].no; *c; c++)
            must(NOT(LIB(rows[i].name, "ii", I((unsigned char)*c))));
        must(NOT(LIB(rows[i].name, "ii", I(-1))));
    }
    must(EQ(LIB("toupper", "ii", I('q')), I('Q')));
    must(EQ(LIB("tolower", "ii", I('Q')), I('q')));
    must(EQ(LIB("tolower", "ii", I(bad ? 256 : -1)), I(-1)));
}

static void character_negative(bool bad)
{
    must(NOT(LIB("isdigit", "ii", I(bad ? -2 : 'x'))));
}

static void bits(bool bad)
{
    must(EQ(LIB("clzl", "iN", N(ULONG, 1)), I(63)));
    must(EQ(LIB("ctzl", "iN", N(ULONG, bad ? 0 : (cc_wide)1 << 40)), I(40)));
    must(EQ(LIB("ffsl", "in", N(LONG, 0)), I(0)));
    must(EQ(LIB("ffsl", "in", N(LONG, INT64_MIN)), I(64)));
    must(EQ(LIB("popcountl", "iN", N(ULONG, UINT64_MAX)), I(64)));
    must(EQ(LIB("parityl", "iN", N(ULONG, 7)), I(1)));
    must(EQ(LIB("clrsbl", "in", N(LONG, -1)), I(63)));
    must(EQ(LIB("clrsbl", "in", N(LONG, 1)), I(62)));
}

static void clz_of_zero(bool bad)
{
    must(EQ(LIB("clzl", "iN", N(ULONG, !bad)), I(63)));
}

/* -- control and hints ------------------------------------------------------------------------ */

static void unreachable(bool bad)
{
    struct cc_var *i = local("i", INT, I(bad));
    enter_if(V(i));
    eval(LIB0("unreachable", "v"));
    leave();
}

static void at_exit(bool bad)
{
    if (bad)
        eval(LIB("atexit", "i?", cc_func_use(P, library("abort", "v"))));
}

static void exit_unflushed(bool bad)
{
    if (bad)
        eval(LIB("puts", "is", text("lost")));
    eval(LIB("_exit", "vi", I(0)));
}

static void aligned(bool bad)
{
    struct cc_var *a = local("a", ARRAY(LLONG, 2), NULL);
    struct cc_var *p = local("p", PTR(CHAR), ADD(CAST(PTR(CHAR), V(a)), I(bad ? 4 : 8)));
    must(EQ(LIB("assume_aligned", "ppN.", V(p), SIZE(8)), CAST(PTR(VOID), V(p))));
    struct cc_expr *heap = LIB("malloc", "pN", SIZE(4));
    must(LIB("assume_aligned", "ppN.", heap, SIZE(16)));
    must(LIB("assume_aligned", "ppN.", ADD(CAST(PTR(CHAR), V(a)), I(3)), SIZE(8), I(3)));
    eval(LIB("prefetch", "vp.", NULL_OF(VOID), I(0)));
}

static void aligned_by_chance(bool bad)
{
    struct cc_var *a = local("a", ARRAY(LLONG, 2), NULL);
    eval(LIB("assume_aligned", "ppN.", CAST(PTR(VOID), V(a)), SIZE(bad ? 32 : 8)));
}

/* -- output ----------------------------------------------------------------------------------- */

/* FILE *: to an object that has the name of the stream. */
static struct cc_expr *stream(const char *name)
{
    for (size_t i = 0; i < P->globals.n; i++)
        if (strcmp(P->globals.at[i]->name, name) == 0)
            return ADDR(V(P->globals.at[i]));
    return ADDR(V(global(name, INT, NULL)));
}

/* A function that passes its arguments on: f(text, ...) { va_list l; ...; return v...(l); } */
static struct cc_func *variadic(struct cc_var **list, struct cc_var **copy)
{
    const struct cc_type *params[] = {PTR(CHAR)};
    struct cc_var *first = param("first", PTR(CHAR));
    const struct cc_type *type = cc_function_type_of(&P->types, INT, params, 1, true, false);
    struct cc_func *f = cc_function_of(P, "passes", type, &first, 1);
    f->body = cc_block(P);
    enter(f->body);
    make_func = f;
    const struct cc_type *va_list_type = ARRAY(cc_va_list_type(&P->types), 1);
    *list = local("list", va_list_type, NULL);
    *copy = local("copy", va_list_type, NULL);
    return f;
}

static void list_unstarted(bool bad)
{
    struct cc_var *list, *copy;
    struct cc_func *f = variadic(&list, &copy);
    if (!bad)
        eval(LIB("va_start", "vp.", V(list), I(0)));
    must(EQ(LIB("vprintf", "isp", V(f->params[0]), V(list)), I(3)));
    eval(LIB("va_end", "vp", V(list)));
    give(I(3));
    end_function();
    must(EQ(CALL(f, text("%d\n"), I(42)), I(3)));
}

static void list_unended(bool bad)
{
    struct cc_var *list, *copy;
    struct cc_func *f = variadic(&list, &copy);
    eval(LIB("va_start", "vp.", V(list), I(0)));
    eval(LIB("va_copy", "vpp", V(copy), V(list)));
    eval(LIB("va_end", "vp", V(list)));
    if (!bad)
        eval(LIB("va_end", "vp", V(copy)));
    give(I(1));
    end_function();
    eval(CALL(f, text("")));
}

static void list_ended_twice(bool bad)
{
    struct cc_var *list, *copy;
    struct cc_func *f = variadic(&list, &copy);
    eval(LIB("va_start", "vp.", V(list), I(0)));
    eval(LIB("va_end", "vp", V(list)));
    if (bad)
        eval(LIB("va_end", "vp", V(list)));
    give(I(1));
    end_function();
    eval(CALL(f, text("")));
}

static void list_begun_twice(bool bad)
{
    struct cc_var *list, *copy;
    struct cc_func *f = variadic(&list, &copy);
    eval(LIB("va_start", "vp.", V(list), I(0)));
    if (!bad)
        eval(LIB("va_end", "vp", V(list)));
    eval(LIB("va_start", "vp.", V(list), I(0)));
    eval(LIB("va_end", "vp", V(list)));
    give(I(1));
    end_function();
    eval(CALL(f, text("")));
}

static void list_spent(bool bad)
{
    struct cc_var *list, *copy;
    struct cc_func *f = variadic(&list, &copy);
    eval(LIB("va_start", "vp.", V(list), I(0)));
    eval(LIB("vprintf", "isp", bad ? V(f->params[0]) : text("none"), V(list)));
    eval(LIB("vprintf", "isp", V(f->params[0]), V(list)));
    eval(LIB("va_end", "vp", V(list)));
    give(I(1));
    end_function();
    eval(CALL(f, text("%d"), I(1), I(2)));
}

static void list_exhausted(bool bad)
{
    struct cc_var *list, *copy;
    struct cc_func *f = variadic(&list, &copy);
    eval(LIB("va_start", "vp.", V(list), I(0)));
    eval(LIB("va_copy", "vpp", V(copy), V(list)));
    must(EQ(LIB("vfprintf", "ipsp", stream("stdout"), V(f->params[0]), V(list)), I(5)));
    struct cc_var *buffer = chars("buffer", 8, "");
    eval(LIB("va_end", "vp", V(list)));
    must(EQ(LIB("vsprintf", "issp", V(buffer), V(f->params[0]), V(copy)), I(5)));
    must_be(buffer, "x42.5");
    eval(LIB("va_start", "vp.", V(list), I(0)));
    must(EQ(LIB("vsnprintf", "isNsp", V(buffer), SIZE(3), V(f->params[0]), V(list)), I(5)));
    must_be(buffer, "x4");
    eval(LIB("va_end", "vp", V(list)));
    eval(LIB("va_end", "vp", V(copy)));
    give(I(1));
    end_function();
    if (bad)
        eval(CALL(f, text("%s%d%.1f"), text("x"), I(4)));
    else
        eval(CALL(f, text("%s%d%.1f"), text("x"), I(4), D(2.5)));
}

static void sprintf_bounds(bool bad)
{
    struct cc_var *a = chars("a", 4, "");
    must(EQ(LIB("sprintf", "iss.", V(a), text("%d"), I(bad ? 1234 : 123)), I(bad ? 4 : 3)));
    must_be(a, "123");
}

static void sprintf_overlap(bool bad)
{
    struct cc_var *a = chars("a", 16, "abc");
    eval(LIB("sprintf", "iss.", V(a), text("%s%d"), bad ? V(a) : text("abc"), I(1)));
    must_be(a, "abc1");
    eval(LIB("sprintf", "iss.", at(a, 5), text("%s"), V(a)));
    must(EQ(AT(V(a), I(8)), I('1')));
}

static void sprintf_format_overlap(bool bad)
{
    struct cc_var *a = chars("a", 8, "ab");
    eval(LIB("sprintf", "iss.", at(a, bad ? 2 : 3), V(a)));
}

static void snprintf_null(bool bad)
{
    struct cc_var *a = chars("a", 4, "");
    must(EQ(LIB("snprintf", "isNs.", NULL_OF(CHAR), SIZE(bad), text("%d"), I(77)), I(2)));
    must(EQ(LIB("snprintf", "isNs.", V(a), SIZE(4), text("%d"), I(12345)), I(5)));
    must_be(a, "123");
    must(EQ(LIB("snprintf", "isNs.", V(a), SIZE(100), text("ab")), I(2)));
}

static void snprintf_size(bool bad)
{
    struct cc_var *a = chars("a", 4, "");
    eval(LIB("snprintf", "isNs.", V(a), SIZE(bad ? -1 : INT32_MAX), text("x")));
}

static void streams(bool bad)
{
    eval(LIB("fprintf", "ips.", stream(bad ? "stdin" : "stdout"), text("%d"), I(1)));
    eval(LIB("fputs", "isp", text("two"), stream("stdout")));
    must(EQ(LIB("fputc", "iip", I('3' + 256), stream("stdout")), I('3')));
    must(EQ(LIB("putc", "iip", I('4'), stream("stdout")), I('4')));
    must(EQ(LIB("putchar", "ii", I('\n')), I('\n')));
    eval(LIB("fputs", "isp", text("nobody sees this"), stream("stderr")));
    must(EQ(LIB("fflush", "ip", stream("stdout")), I(0)));
    must(EQ(LIB("fflush", "ip", NULL_OF(VOID)), I(0)));
    must(LT(I(-1), LIB("puts", "is", text("five"))));
}

static void order_of_output(bool bad)
{
    struct cc_var *i = local("i", INT, NULL);
    struct cc_expr *one = LIB("puts", "is", text("one")), *two = LIB("puts", "is", text("two"));
    set(V(i), bad ? ADD(one, two) : COMMA(one, two));
}

static void much_output(bool bad)
{
    struct cc_var *i = local("i", INT, NULL);
    enter_count(i, bad ? 66 : 60);
    eval(LIB("printf", "is.", text("%1000d"), I(1)));
    leave();
}

static void much_width(bool bad)
{
    eval(LIB("printf", "is.", text("%*d"), I(bad ? INT32_MIN : -100), I(1)));
}

/* One call of printf: how its format is violated by an argument, and what is right. */
#define PRINTF_CASE(name, wrong, right)                                                            \
    static void name(bool bad)                                                                     \
    {                                                                                              \
        if (bad)                                                                                   \
            eval(LIB("printf", "is.", wrong));                                                     \
        else                                                                                       \
            eval(LIB("printf", "is.", right));                                                     \
    }
#define AND ,
PRINTF_CASE(printf_double, text("%d") AND D(1), text("%d") AND I(1))
PRINTF_CASE(printf_int, text("%f") AND I(1), text("%f") AND F(1))
PRINTF_CASE(printf_long, text("%d") AND N(LONG, 1), text("%ld") AND N(LONG, 1))
PRINTF_CASE(printf_short_long, text("%ld") AND I(1), text("%hd") AND I(1))
PRINTF_CASE(printf_not_string, text("%s") AND I(1), text("%s") AND text("a"))
PRINTF_CASE(printf_int_pointer, text("%s") AND NULL_OF(INT), text("%s") AND text("a"))
PRINTF_CASE(printf_null, text("%s") AND NULL_OF(CHAR), text("%s") AND text(""))
PRINTF_CASE(printf_star, text("%*d") AND D(1) AND I(1), text("%*d") AND I(3) AND I(1))
PRINTF_CASE(printf_missing, text("%d %d") AND I(1), text("%d") AND I(1) AND I(2))
PRINTF_CASE(printf_missing_star, text("%.*f"), text("%.*f") AND I(1) AND D(1))
PRINTF_CASE(printf_unknown, text("%y") AND I(1), text("%i") AND I(1))
PRINTF_CASE(printf_incomplete, text("%5"), text("%5d") AND I(1))
PRINTF_CASE(printf_wide_percent, text("%5%"), text("%%"))
PRINTF_CASE(printf_zero_string, text("%05s") AND text("a"), text("%5s") AND text("a"))
PRINTF_CASE(printf_alternative_int, text("%#d") AND I(1), text("%#x") AND I(1))
PRINTF_CASE(printf_precise_character, text("%.1c") AND I('a'), text("%1c") AND I('a'))
PRINTF_CASE(printf_short_float, text("%hf") AND D(1), text("%lf") AND D(1))
PRINTF_CASE(printf_pointer, text("%p") AND NULL_OF(VOID), text("%d") AND I(1))
PRINTF_CASE(printf_count, text("%n") AND NULL_OF(INT), text("%d") AND I(1))
PRINTF_CASE(printf_long_double, text("%Lf") AND D(1), text("%f") AND D(1))
PRINTF_CASE(printf_wide, text("%ls") AND text("a"), text("%s") AND text("a"))
PRINTF_CASE(printf_nan, text("%f") AND LIB("nan", "ds", text("")), text("%f") AND LIB0("inf", "d"))

static void printf_precise_string(bool bad)
{
    struct cc_var *a = chars("a", 3, "abc");
    must(EQ(LIB("printf", "is.", text(bad ? "%.4s" : "%.3s"), V(a)), I(3)));
}

static void printf_unfinished(bool bad)
{
    struct cc_var *a = local("a", ARRAY(CHAR, 2), NULL);
    set(AT(V(a), I(0)), I('x'));
    eval(LIB("printf", "is.", text("%.*s"), I(1 + bad), V(a)));
}

/* -- the cases -------------------------------------------------------------------------------- */

static const struct {
    enum cc_ub rule; /* CC_UB_NONE: there is nothing to violate */
    const char *name;
    void (*make)(bool bad);
} cases[] = {
    {CC_UB_OVERLAP, "memcpy", memcpy_overlap},
    {CC_UB_OVERLAP, "memcpy to itself", memcpy_same},
    {CC_UB_NULL_ACCESS, "memcpy of nothing from null", memcpy_null},
    {CC_UB_BOUNDS, "memcpy", memcpy_bounds},
    {CC_UB_UNINITIALISED, "memcpy of a struct", memcpy_struct},
    {CC_UB_CONST_WRITE, "memcpy to a string literal", memcpy_const},
    {CC_UB_BOUNDS, "memmove", memmove_bounds},
    {CC_UB_OVERLAP, "mempcpy", mempcpy_overlap},
    {CC_UB_BOUNDS, "memset", memset_bounds},
    {CC_UB_BOUNDS, "memset of -1 bytes", memset_negative},
    {CC_UB_DANGLING_READ, "memset of nothing", memset_dangling},
    {CC_UB_STEPS, "memset", memset_steps},
    {CC_UB_UNINITIALISED, "memcmp", memcmp_uninitialised},
    {CC_UB_BOUNDS, "bcmp", bcmp_bounds},
    {CC_UB_BOUNDS, "memchr", memchr_bounds},
    {CC_UB_BOUNDS, "bzero", bzero_bounds},
    {CC_UB_NULL_ACCESS, "bcopy", bcopy_null},
    {CC_UB_UNINITIALISED, "malloc", malloc_uninitialised},
    {CC_UB_BOUNDS, "malloc", malloc_bounds},
    {CC_UB_DANGLING_READ, "free twice", free_twice},
    {CC_UB_BUILTIN_ARGUMENT, "free of a variable", free_of_local},
    {CC_UB_BUILTIN_ARGUMENT, "free of the second byte", free_inside},
    {CC_UB_BOUNDS, "calloc", calloc_bounds},
    {CC_UB_UNDECIDED, "calloc of 2^66 bytes", calloc_too_much},
    {CC_UB_UNINITIALISED, "realloc", realloc_uninitialised},
    {CC_UB_DANGLING, "realloc ends the old object", realloc_ends},
    {CC_UB_UNDECIDED, "realloc to 0", realloc_nothing},
    {CC_UB_DANGLING, "alloca after the return", alloca_ends},
    {CC_UB_BOUNDS, "strlen without NUL", strlen_bounds},
    {CC_UB_NULL_ACCESS, "strlen", strlen_null},
    {CC_UB_UNINITIALISED, "strlen", strlen_uninitialised},
    {CC_UB_CALL_TYPE, "strlen as int", strlen_result},
    {CC_UB_CALL_TYPE, "strlen of an int", strlen_argument},
    {CC_UB_CALL_TYPE, "strlen of nothing", strlen_arguments},
    {CC_UB_CALL_TYPE, "malloc of an int", malloc_argument},
    {CC_UB_CALL_TYPE, "abort of something", abort_arguments},
    {CC_UB_BOUNDS, "strnlen", strnlen_bounds},
    {CC_UB_BOUNDS, "strcpy", strcpy_bounds},
    {CC_UB_OVERLAP, "strcpy", strcpy_overlap},
    {CC_UB_BOUNDS, "stpcpy", stpcpy_bounds},
    {CC_UB_BOUNDS, "strncpy", strncpy_bounds},
    {CC_UB_OVERLAP, "strncpy", strncpy_overlap},
    {CC_UB_BOUNDS, "strcat", strcat_bounds},
    {CC_UB_OVERLAP, "strcat", strcat_overlap},
    {CC_UB_BOUNDS, "strncat", strncat_bounds},
    {CC_UB_BOUNDS, "strcmp", strcmp_string},
    {CC_UB_BOUNDS, "strncmp", strncmp_bounds},
    {CC_UB_BOUNDS, "strchr", strchr_string},
    {CC_UB_BOUNDS, "strrchr", strrchr_string},
    {CC_UB_BOUNDS, "strstr", strstr_string},
    {CC_UB_BOUNDS, "strspn, strcspn", strspn_string},
    {CC_UB_BOUNDS, "strpbrk", strpbrk_string},
    {CC_UB_BOUNDS, "strdup", strdup_bounds},
    {CC_UB_OVERFLOW, "abs", abs_overflow},
    {CC_UB_OVERFLOW, "labs", labs_overflow},
    {CC_UB_OVERFLOW, "llabs", llabs_overflow},
    {CC_UB_OVERFLOW, "atoi", atoi_overflow},
    {CC_UB_NONE, "math", math},
    {CC_UB_UNDECIDED, "copysign of a NaN", copysign_of_nan},
    {CC_UB_UNDECIDED, "signbit of a NaN", classes},
    {CC_UB_CALL_TYPE, "isnan of an int", class_of_int},
    {CC_UB_NONE, "isgreater and others", orders},
    {CC_UB_BUILTIN_ARGUMENT, "tolower of 256", characters},
    {CC_UB_BUILTIN_ARGUMENT, "isdigit of -2", character_negative},
    {CC_UB_BUILTIN_ARGUMENT, "ctzl of 0", bits},
    {CC_UB_BUILTIN_ARGUMENT, "clzl of 0", clz_of_zero},
    {CC_UB_UNREACHABLE, "reached", unreachable},
    {CC_UB_UNDECIDED, "atexit", at_exit},
    {CC_UB_UNDECIDED, "_exit with output", exit_unflushed},
    {CC_UB_ALIGNMENT, "assume_aligned", aligned},
    {CC_UB_UNDECIDED, "assume_aligned to more than the type", aligned_by_chance},
    {CC_UB_UNINITIALISED, "vprintf", list_unstarted},
    {CC_UB_CALL_TYPE, "vfprintf with an argument too few", list_exhausted},
    {CC_UB_ARGUMENT_LIST, "a copy without va_end", list_unended},
    {CC_UB_ARGUMENT_LIST, "va_end twice", list_ended_twice},
    {CC_UB_ARGUMENT_LIST, "va_start twice", list_begun_twice},
    {CC_UB_ARGUMENT_LIST, "vprintf twice", list_spent},
    {CC_UB_BOUNDS, "sprintf", sprintf_bounds},
    {CC_UB_OVERLAP, "sprintf of its own buffer", sprintf_overlap},
    {CC_UB_OVERLAP, "sprintf of its own format", sprintf_format_overlap},
    {CC_UB_NULL_ACCESS, "snprintf", snprintf_null},
    {CC_UB_UNDECIDED, "snprintf of a negative size", snprintf_size},
    {CC_UB_UNDECIDED, "fprintf to stdin", streams},
    {CC_UB_VOLATILE_ORDER, "puts + puts", order_of_output},
    {CC_UB_UNDECIDED, "too much output", much_output},
    {CC_UB_UNDECIDED, "too wide", much_width},
    {CC_UB_CALL_TYPE, "%d of a double", printf_double},
    {CC_UB_CALL_TYPE, "%f of an int", printf_int},
    {CC_UB_CALL_TYPE, "%d of a long", printf_long},
    {CC_UB_CALL_TYPE, "%ld of an int", printf_short_long},
    {CC_UB_CALL_TYPE, "%s of an int", printf_not_string},
    {CC_UB_CALL_TYPE, "%s of an int *", printf_int_pointer},
    {CC_UB_NULL_ACCESS, "%s of null", printf_null},
    {CC_UB_CALL_TYPE, "* of a double", printf_star},
    {CC_UB_CALL_TYPE, "%d without an argument", printf_missing},
    {CC_UB_CALL_TYPE, "* without an argument", printf_missing_star},
    {CC_UB_BUILTIN_ARGUMENT, "%y", printf_unknown},
    {CC_UB_BUILTIN_ARGUMENT, "%05s", printf_zero_string},
    {CC_UB_BUILTIN_ARGUMENT, "%#d", printf_alternative_int},
    {CC_UB_BUILTIN_ARGUMENT, "%.1c", printf_precise_character},
    {CC_UB_BUILTIN_ARGUMENT, "%hf", printf_short_float},
    {CC_UB_BUILTIN_ARGUMENT, "a format that ends early", printf_incomplete},
    {CC_UB_BUILTIN_ARGUMENT, "%5%", printf_wide_percent},
    {CC_UB_UNDECIDED, "%p", printf_pointer},
    {CC_UB_UNDECIDED, "%n", printf_count},
    {CC_UB_CALL_TYPE, "%Lf", printf_long_double},
    {CC_UB_UNDECIDED, "%ls", printf_wide},
    {CC_UB_UNDECIDED, "%f of a NaN", printf_nan},
    {CC_UB_BOUNDS, "%.4s of 3 bytes", printf_precise_string},
    {CC_UB_UNINITIALISED, "%.*s", printf_unfinished},
};

static enum cc_ub run_main(const struct interp_options *o)
{
    const struct cc_type *type = cc_function_type_of(&P->types, INT, NULL, 0, false, false);
    P->main = cc_function_of(P, "main", type, NULL, 0);
    P->main->body = cc_block(P);
    struct cc_expr *call = cc_call(P, cc_func_use(P, P->entry), NULL, 0);
    cc_append(P->main->body, cc_expr_stmt(P, call));
    make_interp = interp_new(P, o);
    return interp_main(make_interp);
}

static void note_violation(void)
{
    struct strbuf s;
    strbuf_init(&s, 0);
    interp_explain(make_interp, &s);
    tap_note("violation", s.s);
    strbuf_release(&s);
}

static void check(size_t i, bool bad)
{
    struct interp_options o = {.max_steps = 10000, .real = true};
    if (cases[i].make == much_output)
        o.max_steps = 0;
    begin(&cc_lp64);
    cases[i].make(bad);
    enum cc_ub wanted = bad ? cases[i].rule : CC_UB_NONE, got = run_main(&o);
    enum interp_ending how = interp_ended(make_interp)->how;
    bool good = got == wanted && (bad || how != INTERP_ABORTED);
    if (!ok(good, "%s: %s%s", cc_ub_rules[cases[i].rule].name, cases[i].name, bad ? "" : ", right"))
        note_violation();
    finish();
}

/* What the violation says of itself. */
static void check_detail(void (*make)(bool), const char *wanted)
{
    struct interp_options o = {.real = true};
    begin(&cc_lp64);
    make(true);
    run_main(&o);
    is_str(interp_violation(make_interp)->detail, wanted, "detail: %s", wanted);
    finish();
}

static void check_details(void)
{
    check_detail(printf_double, "%d with an argument of type double");
    check_detail(printf_int_pointer, "%s with an argument of type int *");
    check_detail(printf_star, "%* with an argument of type double");
    check_detail(printf_missing, "%d without an argument");
    check_detail(printf_precise_character, "%.1c is no conversion");
    check_detail(strlen_arguments, "strlen with too few arguments");
    check_detail(abort_arguments, "abort with too many arguments");
    check_detail(malloc_argument, "argument 1 of malloc has type int");
    check_detail(strlen_result, "strlen does not return int");
    check_detail(memset_bounds, "memset of 9 bytes where 8 are left");
    check_detail(memcpy_same, "memcpy");
}

/* -- how programs end ------------------------------------------------------------------------- */

static void ends(const char *name, const char *letters, enum interp_ending how, int status)
{
    struct interp_options o = {.real = true};
    begin(&cc_lp64);
    eval(letters[1] ? LIB(name, letters, I(259)) : LIB0(name, letters));
    ok(run_main(&o) == CC_UB_NONE && interp_ended(make_interp)->how == how &&
           interp_ended(make_interp)->status == status,
       "%s ends the program", name);
    finish();
}

/* -- formats against the host ----------------------------------------------------------------- */

#define INTEGER(f, t, v, ...)                                                                      \
    {                                                                                              \
        .format = f, .type = t, .i = v, __VA_ARGS__                                                \
    }
#define REAL(f, v, ...)                                                                            \
    {                                                                                              \
        .format = f, .type = 'd', .d = v, __VA_ARGS__                                              \
    }
#define TEXT(f, v, ...)                                                                            \
    {                                                                                              \
        .format = f, .type = 's', .s = v, __VA_ARGS__                                              \
    }

static const struct format {
    const char *format;
    char type; /* i int, u unsigned, n long, N unsigned long, l, L the same of long long, d, s */
    double d;
    const char *s;
    int64_t i;
    int stars, star[2];
} formats[] = {
    INTEGER("%d", 'i', 0),
    INTEGER("%i|", 'i', INT32_MIN),
    INTEGER("a%db", 'i', -12),
    INTEGER("%5d|%%", 'i', 42),
    INTEGER("%-5d|", 'i', 42),
    INTEGER("%05d|", 'i', -42),
    INTEGER("%+d", 'i', 42),
    INTEGER("% d", 'i', 42),
    INTEGER("%+ d", 'i', 42),
    INTEGER("%-05d|", 'i', 42),
    INTEGER("%.5d", 'i', 42),
    INTEGER("%8.5d|", 'i', -42),
    INTEGER("%08.5d|", 'i', -42),
    INTEGER("%.0d|", 'i', 0),
    INTEGER("%.d|", 'i', 0),
    INTEGER("%--++d", 'i', 7),
    INTEGER("%*d|", 'i', 42, .stars = 1, .star = {6}),
    INTEGER("%*d|", 'i', 42, .stars = 1, .star = {-6}),
    INTEGER("%.*d|", 'i', 42, .stars = 1, .star = {4}),
    INTEGER("%.*d|", 'i', 0, .stars = 1, .star = {-4}),
    INTEGER("%*.*d|", 'i', 42, .stars = 2, .star = {9, 4}),
    INTEGER("%u", 'u', UINT32_MAX),
    INTEGER("%x", 'u', 0xBEEF),
    INTEGER("%#x", 'u', 0xBEEF),
    INTEGER("%#x", 'u', 0),
    INTEGER("%#X", 'u', 0xBEEF),
    INTEGER("%o", 'u', 64),
    INTEGER("%#o", 'u', 64),
    INTEGER("%#.0o", 'u', 0),
    INTEGER("%#010x|", 'u', 0xBEEF),
    INTEGER("%hhd", 'i', 384),
    INTEGER("%hhu", 'u', 511),
    INTEGER("%hd", 'i', 98304),
    INTEGER("%hx", 'u', 0x12345678),
    INTEGER("%ld", 'n', INT64_MIN),
    INTEGER("%lu", 'N', -1),
    INTEGER("%lld", 'l', INT64_MAX),
    INTEGER("%llx", 'L', -1),
    INTEGER("%zu", 'N', -1),
    INTEGER("%zd", 'n', -1),
    INTEGER("%td", 'n', -1),
    INTEGER("%jd", 'n', -1),
    INTEGER("%jo", 'N', -1),
    INTEGER("%x, of the other sign", 'i', -1),
    INTEGER("%d, of the other sign", 'u', UINT32_MAX),
    INTEGER("%lld, of the same size", 'n', -1),
    INTEGER("%lu, of the same size", 'l', -1),
    INTEGER("%c", 'i', 'x'),
    INTEGER("%5c|", 'i', 'x'),
    INTEGER("%-5c|", 'i', 'x' + 256),
    REAL("%f", 1.5),
    REAL("%F", INFINITY),
    REAL("%f", -INFINITY),
    REAL("%+f", 0.1),
    REAL("%.0f", 2.5),
    REAL("%#.0f", 2.5),
    REAL("%10.3f|", -3.14159),
    REAL("%-10.3f|", -3.14159),
    REAL("%010.3f|", -3.14159),
    REAL("%.20f", 0.1),
    REAL("%f", 1e300),
    REAL("%lf", 1e-300),
    REAL("%e", 12345.678),
    REAL("%.2E", 0.00012345),
    REAL("%g", 0.0001),
    REAL("%g", 1e-5),
    REAL("%G", 1e20),
    REAL("%#g", 1.0),
    REAL("%.3g", 1234.5),
    REAL("%a", 0.1),
    REAL("%A", -1.0),
    REAL("%.2a", 1.999),
    REAL("%f", -0.0),
    REAL("%.*f", 2.0 / 3, .stars = 1, .star = {3}),
    REAL("%*.*e|", 2.0 / 3, .stars = 2, .star = {-20, 5}),
    TEXT("%s", "hello"),
    TEXT("%s", ""),
    TEXT("[%10s]", "hello"),
    TEXT("[%-10s]", "hello"),
    TEXT("[%.2s]", "hello"),
    TEXT("[%8.2s]", "hello"),
    TEXT("[%.0s]", "hello"),
    TEXT("[%.9s]", "hello"),
    TEXT("[%*s]", "hello", .stars = 1, .star = {-8}),
    TEXT("[%.*s]", "hello", .stars = 1, .star = {-1}),
    TEXT("%%%s%%", "\xC3\xA4%"
                   "d"),
};

#define HOST(value)                                                                                \
    (f->stars == 0   ? snprintf(out, size, f->format, value)                                       \
     : f->stars == 1 ? snprintf(out, size, f->format, f->star[0], value)                           \
                     : snprintf(out, size, f->format, f->star[0], f->star[1], value))

static int host_prints(const struct format *f, char *out, size_t size)
{
    switch (f->type) {
    case 'i':
        return HOST((int)f->i);
    case 'u':
        return HOST((unsigned)f->i);
    case 'd':
        return HOST(f->d);
    case 's':
        return HOST(f->s);
    default:
        return HOST(f->i); /* 64 bits all */
    }
}

static struct cc_expr *format_argument(const struct format *f)
{
    switch (f->type) {
    case 'i':
        return I((int)f->i);
    case 'u':
        return N(UINT, (uint32_t)f->i);
    case 'n':
        return N(LONG, f->i);
    case 'N':
        return N(ULONG, (uint64_t)f->i);
    case 'l':
        return N(LLONG, f->i);
    case 'L':
        return N(ULLONG, (uint64_t)f->i);
    case 's':
        return text(f->s);
    default:
        return isinf(f->d) ? f->d < 0 ? MINUS(LIB0("inf", "d")) : LIB0("inf", "d") : D(f->d);
    }
}

static void check_format(const struct format *f)
{
    struct interp_options o = {.real = true};
    char wanted[1024];
    int n = host_prints(f, wanted, sizeof wanted);
    begin(&cc_lp64);
    struct cc_expr *args[4] = {text(f->format)};
    int n_args = 1;
    for (int i = 0; i < f->stars; i++)
        args[n_args++] = I(f->star[i]);
    args[n_args++] = format_argument(f);
    struct cc_expr *call = cc_call(P, cc_func_use(P, library("printf", "is.")), args, n_args);
    must(EQ(call, I(n)));
    bool good = run_main(&o) == CC_UB_NONE;
    if (!ok(good && interp_ended(make_interp)->how == INTERP_RETURNED, "printf of %s", f->format))
        note_violation();
    is_str(interp_printed(make_interp)->s, wanted, "it prints what the host does");
    finish();
}

/* A byte that is NUL is output like any other. */
static void check_nul(void)
{
    struct interp_options o = {.real = true};
    begin(&cc_lp64);
    must(EQ(LIB("printf", "is.", text("a%cb"), I(0)), I(3)));
    ok(run_main(&o) == CC_UB_NONE && interp_printed(make_interp)->n == 3 &&
           memcmp(interp_printed(make_interp)->s, "a\0b", 3) == 0,
       "NUL is printed");
    finish();
}

static void check_streams(void)
{
    struct interp_options o = {.real = true};
    begin(&cc_lp64);
    streams(false);
    ok(run_main(&o) == CC_UB_NONE, "streams");
    is_str(interp_printed(make_interp)->s, "1two34\nfive\n", "what stdout got, in order");
    finish();
}

/* The values of a program's variables, as it shows them itself: FNV-1a by 64 bits at once. */
static void check_seen(void)
{
    struct interp_options o = {.real = true};
    const uint64_t values[] = {7, 0x3FF0000000000000, 0}; /* the bits of 1.0; a NaN is 0 */
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        hash = (hash ^ values[i]) * UINT64_C(1099511628211);
    begin(&cc_lp64);
    eval(LIB("assay_see", "vl", N(LLONG, 7)));
    eval(LIB("assay_see_double", "vd", D(1)));
    eval(LIB("assay_see_double", "vd", LIB("nan", "ds", text(""))));
    ok(run_main(&o) == CC_UB_NONE && interp_seen(make_interp) == hash, "what was seen");
    finish();
}

/* long and size_t have 32 bits there, intmax_t has 64. */
static void check_ilp32(void)
{
    struct interp_options o = {.real = true};
    begin(&cc_ilp32);
    struct cc_func *clz = library("clzl", "iN"), *sign = library("clrsbl", "in");
    must(EQ(CALL(clz, N(ULONG, 1)), I(31)));
    must(EQ(CALL(sign, N(LONG, -1)), I(31)));
    must(EQ(LIB("labs", "nn", N(LONG, -5)), N(LONG, 5)));
    eval(LIB("printf", "is.", text("%lx %zx %jx %td"), N(LONG, -1), N(UINT, -1), N(ULLONG, -1),
             I(-1)));
    if (!ok(run_main(&o) == CC_UB_NONE && interp_ended(make_interp)->how == INTERP_RETURNED,
            "ILP32"))
        note_violation();
    is_str(interp_printed(make_interp)->s, "ffffffff ffffffff ffffffffffffffff -1", "its output");
    finish();
}

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].rule)
            check(i, true);
        check(i, false);
    }
    check_details();
    ends("abort", "v", INTERP_ABORTED, 0);
    ends("__assert_fail", "vi", INTERP_ABORTED, 0);
    ends("exit", "vi", INTERP_EXITED, 3);
    ends("_exit", "vi", INTERP_QUIT, 3);
    ends("trap", "v", INTERP_TRAPPED, 0);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        check_format(&formats[i]);
    check_nul();
    check_streams();
    check_seen();
    check_ilp32();
    return tap_done();
}
