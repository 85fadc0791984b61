/* From C text to a tree of cc.
 *
 * Three tables carry most of it: initialisers with the list that each must become (C11 6.7.9),
 * expressions with the tree that build.h makes of them, and what is refused with the words of the
 * refusal. Programs whose main returns 0 only if all is as C says then run in interp, so that a
 * tree which looks right but means something else is noticed. The rest looks at what the import
 * hands to others: uses, variables, statements, lines, layouts, labels. */
#include "cc/build.h"
#include "cc/import/import.h"
#include "cc/library.h"
#include "cc/print.h"
#include "interp/interp.h"
#include "tap.h"

static struct arena arena;
static struct cc_program program;
static struct parsed parsed;
static struct import import;
static struct error error;

static void forget(void)
{
    cc_program_release(&program);
    arena_release(&arena);
}

/* 0: imported; 1: refused; -1: clang refused. forget() follows in every case. */
static int load(const char *text)
{
    arena_init(&arena);
    cc_program_init(&program, &arena, &cc_lp64);
    error = (struct error){0};
    if (parsed_load_text("t.c", text, strlen(text), NULL, &arena, &parsed, &error))
        return -1;
    return cc_import(&parsed, "t.c", &program, &import, &error) ? 1 : 0;
}

static bool good(const char *text)
{
    int status = load(text);
    if (status)
        printf("# %s:%d: %s\n", error.file, error.line, error.message);
    return status == 0;
}

static struct cc_var *global(const char *name)
{
    for (size_t i = 0; i < program.globals.n; i++)
        if (!strcmp(program.globals.at[i]->name, name))
            return program.globals.at[i];
    return NULL;
}

static struct cc_func *function(const char *name)
{
    for (size_t i = 0; i < program.funcs.n; i++)
        if (!strcmp(program.funcs.at[i]->name, name))
            return program.funcs.at[i];
    return NULL;
}

/* The `at`th node of a kind; 0: there are fewer. */
static uint32_t find(enum parsed_kind kind, int at)
{
    for (uint32_t i = 1; i < parsed.n_nodes; i++)
        if (parsed.nodes[i].kind == kind && at-- == 0)
            return i;
    return 0;
}

static void is_printed(const struct cc_expr *e, const char *wanted, const char *what)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    if (e)
        cc_print_expr(&program, e, &out);
    is_str(out.s ? out.s : "", wanted, "%s", what);
    strbuf_release(&out);
}

/* -- initialisers ----------------------------------------------------------------------------- */

/* The initialiser of the global `x`, as the list of its parts in order. */
static const struct {
    const char *text, *wanted;
} initialisers[] = {
    {"int x = 5;", "5"},
    {"int x = {5};", "5"},
    {"int x = {{5}};", "5"},
    {"int x[3] = {1, 2};", "{1, 2}"},
    {"int x[2] = {1, 2, 3};", "{1, 2}"},
    {"int x[] = {1, 2, 3};", "{1, 2, 3}"},
    {"int x[5] = {[3] = 1, 2};", "{0, 0, 0, 1, 2}"},
    {"int x[5] = {1, 2, [0] = 3};", "{3, 2}"},
    {"int x[6] = {[1 ... 3] = 7, 8};", "{0, 7, 7, 7, 8}"},
    {"int x[1000] = {1};", "{1}"},
    {"int x[2][2] = {1, 2, 3};", "{{1, 2}, {3}}"},
    {"int x[2][2] = {{1}, {2}};", "{{1}, {2}}"},
    {"int x[3][2] = {[1] = {1, 2}, 3};", "{{0}, {1, 2}, {3}}"},
    {"int x[3][2] = {[1][0] = 1, 2, 3};", "{{0}, {1, 2}, {3}}"},
    {"int x[2][3] = {[0 ... 1][1] = 4};", "{{0, 4}, {0, 4}}"},
    {"struct { int a, b; } x = {1};", "{1}"},
    {"struct { int a, b; } x = {.b = 1};", "{0, 1}"},
    {"struct { int a, b; } x = {.b = 1, .a = 2};", "{2, 1}"},
    {"struct { int a; int : 4; int b; } x = {1, 2};", "{1, 2}"},
    {"struct { int a; int : 4; int b, c; } x = {.b = 2, 3};", "{0, 2, 3}"},
    {"struct { struct { int a, b; } s; int c; } x = {1, 2, 3};", "{{1, 2}, 3}"},
    {"struct { struct { int a, b; } s; int c; } x = {.s.b = 1, 3};", "{{0, 1}, 3}"},
    {"struct { struct { int a, b; } s[2]; int c; } x = {.s[0].b = 1, 2, 3, 4};",
     "{{{0, 1}, {2, 3}}, 4}"},
    {"struct { int a; struct { int b, c; }; int d; } x = {1, 2, 3, 4};", "{1, {2, 3}, 4}"},
    {"struct { int a; struct { int b, c; }; int d; } x = {.c = 3, 4};", "{0, {0, 3}, 4}"},
    {"struct { int a; union { int b; double c; }; } x = {.c = 0.5};", "{0, {.c = 0.5}}"},
    {"union { int a; double b; } x = {1};", "{1}"},
    {"union { int a; double b; } x = {.b = 1};", "{.b = 1}"},
    {"union { int a; double b; } x = {.b = 1, .a = 2};", "{2}"},
    {"union { struct { int p, q; } s; int a[3]; } x = {.s.q = 1, .a[2] = 3};", "{.a = {0, 0, 3}}"},
    {"int x[3][2] = {[0 ... 2] = {1, 2}, [1][0] = 9};", "{{1, 2}, {9, 2}, {1, 2}}"},
    {"char x[] = \"ab\";", "{'a', 'b'}"},
    {"char x[] = {\"ab\"};", "{'a', 'b'}"},
    {"char x[2] = \"abc\";", "{'a', 'b'}"},
    {"char x[2][3] = {\"a\", \"bc\"};", "{{'a'}, {'b', 'c'}}"},
    {"struct { char s[3]; int a; } x = {\"a\", 1};", "{{'a'}, 1}"},
    {"struct s { int a[2]; } x[] = {1, 2, 3};", "{{{1, 2}}, {{3}}}"},
    {"struct s { int a, b; } x = (struct s){1, 2};", "{1, 2}"},
    {"int x[] = (int[]){1, 2};", "{1, 2}"},
    {"int x[] = {[2] = 1, [0] = 5};", "{5, 0, 1}"},
    {"double x[] = {1, 2.5f};", "{1, 2.5f}"},
    {"int y; int *x[] = {&y, 0};", "{&y, (void*)0}"},
    {"int y[3]; int *x = y + 1;", "y + 1"},
    {"struct s { struct s *next; } x = {&x};", "{&x}"},
    {"typedef int v __attribute__((vector_size(16))); v x = {1, 2};", "{1, 2}"},
};

static void test_initialisers(void)
{
    for (size_t i = 0; i < sizeof initialisers / sizeof *initialisers; i++) {
        bool loaded = good(initialisers[i].text);
        struct cc_var *x = loaded ? global("x") : NULL;
        if (ok(x != NULL, "imported: %s", initialisers[i].text))
            is_printed(x->init, initialisers[i].wanted, initialisers[i].text);
        forget();
    }
}

/* -- expressions ------------------------------------------------------------------------------ */

#define NAMES                                                                                      \
    "int i, j; unsigned u; char c; long l; double d; float f; int *p, *q; char *s; void *v;\n"     \
    "int a[4]; int (*fp)(int); struct t { int m; int arr[3]; struct t *next; unsigned b : 3; } "   \
    "r, *rp;\n"                                                                                    \
    "enum e { ONE = 1, TWO } e; int g(int x); int g(int x) { return x; }\n"                        \
    "typedef int vec __attribute__((vector_size(16))); vec v1, v2; int k();\n"                     \
    "int k(int x) { return x; }\n"

static const struct {
    const char *text, *wanted;
    enum cc_kind type;
} expressions[] = {
    {"i + u", "i + u", CC_UINT},
    {"c + c", "c + c", CC_INT},
    {"i + l", "i + l", CC_LONG},
    {"f * i", "f * i", CC_FLOAT},
    {"u << l", "u << l", CC_UINT},
    {"i < d", "i < d", CC_INT},
    {"i && p", "i && p", CC_INT},
    {"i ? c : d", "i ? c : d", CC_DOUBLE},
    {"i ? p : 0", "i ? p : (void*)0", CC_POINTER},
    {"i ? p : v", "i ? p : v", CC_POINTER},
    {"i ? (void)0 : j", "i ? (void)0 : (void)j", CC_VOID},
    {"i ?: l", "i ?: l", CC_LONG},
    {"i, d", "i, d", CC_DOUBLE},
    {"p = 0", "p = (void*)0", CC_POINTER},
    {"p = i", "p = (int32_t *)i", CC_POINTER},
    {"i = p", "i = (int32_t)p", CC_INT},
    {"p = s", "p = s", CC_POINTER},
    {"p == i", "p == (int32_t *)i", CC_INT},
    {"p == s", "p == s", CC_INT},
    {"p == 0", "p == (void*)0", CC_INT},
    {"v + 1", "(void *)((char *)v + 1)", CC_POINTER},
    {"v += 1", "v = (void *)((char *)v + 1)", CC_POINTER},
    {"2[a]", "a[2]", CC_INT},
    {"a[i]", "a[i]", CC_INT},
    {"&a[1]", "&a[1]", CC_POINTER},
    {"*&i", "*&i", CC_INT},
    {"&*p", "p", CC_POINTER},
    {"p - q", "p - q", CC_LONG},
    {"rp->next->m", "rp->next->m", CC_INT},
    {"r.arr[1]", "r.arr[1]", CC_INT},
    {"r.b + 1", "r.b + 1", CC_INT},
    {"g(c)", "g(c)", CC_INT},
    {"fp(1)", "fp(1)", CC_INT},
    {"(*fp)(1)", "fp(1)", CC_INT},
    {"(***fp)(1)", "fp(1)", CC_INT},
    {"fp = &g", "fp = g", CC_POINTER},
    {"fp = *g", "fp = g", CC_POINTER},
    {"e + ONE", "e + 1", CC_UINT},
    {"TWO", "2", CC_INT},
    {"sizeof(int)", "4UL", CC_ULONG},
    {"sizeof i++", "4UL", CC_ULONG},
    {"'a'", "'a'", CC_INT},
    {"0x1F", "0x1F", CC_INT},
    {"017U", "017U", CC_UINT},
    {"0", "0", CC_INT},
    {"(char)i", "(char)i", CC_CHAR},
    {"-c", "-c", CC_INT},
    {"!p", "!p", CC_INT},
    {"i++ + --j", "i++ + --j", CC_INT},
    {"i += d", "i += d", CC_INT},
    {"v1 + v2", "v1 + v2", CC_VECTOR},
    {"v1 == v2", "v1 == v2", CC_VECTOR},
    {"__extension__ i", "i", CC_INT},
    {"__builtin_expect(i, 0)", "__builtin_expect(i, 0)", CC_LONG},
    {"__builtin_popcount(i)", "__builtin_popcount(i)", CC_INT},
};

/* The last statement of a function, as an expression. */
static struct cc_expr *last_of(const struct cc_func *f)
{
    struct cc_stmt *s =
        f && f->body && f->body->list.n ? f->body->list.at[f->body->list.n - 1] : NULL;
    return s && s->kind == CC_S_EXPR ? s->expr : NULL;
}

static void test_expressions(void)
{
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
        char text[2000];
        snprintf(text, sizeof text, NAMES "void test(void) { %s; }", expressions[i].text);
        struct cc_expr *e = good(text) ? last_of(function("test")) : NULL;
        if (ok(e != NULL, "imported: %s", expressions[i].text)) {
            is_printed(e, expressions[i].wanted, expressions[i].text);
            is_int(e->type->kind, expressions[i].type, "its type");
        }
        forget();
    }
}

/* -- programs that run ------------------------------------------------------------------------ */

/* main returns 0, or the number of the first check that fails. */
static const struct {
    const char *what, *text;
} programs[] = {
    {"control flow",
     "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { if (i == 3) continue; if (i == 6)\n"
     "break; s += i; } while (n-- > 0) s++; do s--; while (s > 10); return s; }\n"
     "int main(void) { return f(8) == 10 ? 0 : 1; }"},
    {"labels and goto, also into a block",
     "int main(void) { int n = 0; again: n++; if (n < 5) goto again; if (n) goto in; return 1;\n"
     "{ in: n += 2; } if (0) l: n++; return n == 7 ? 0 : 2; }"},
    {"switch: fall through, default in the middle, ranges, nested labels",
     "int f(int x) { int r = 0; switch (x) { case 1: r++; case 2: r += 10; break; default: r = "
     "99;\n"
     "break; case 5 ... 7: r = 5; break; case 9: { case 10: r = 7; } if (r) { case 11: r++; } }\n"
     "return r; }\n"
     "int main(void) { if (f(1) != 11) return 1; if (f(2) != 10) return 2; if (f(3) != 99) return "
     "3;\n"
     "if (f(6) != 5) return 4; if (f(10) != 8) return 5; if (f(11) != 1) return 6; return 0; }"},
    {"switch whose body is no block",
     "int main(void) { int r = 1; switch (r) case 1: r = 0; return r; }"},
    {"a loop into a switch (Duff)",
     "int main(void) { int n = 7, s = 0; switch (n % 4) { case 0: do { s++; case 3: s++; case 2: "
     "s++;\n"
     "case 1: s++; } while ((n -= 4) > 0); } return s == 7 ? 0 : 1; }"},
    {"old-style definitions promote their arguments",
     "int f(c, d, s) char c; float d; short s; { return c + (int)(d * 2) + s; }\n"
     "int main() { return f(300, 1.5f, 65537) == 44 + 3 + 1 ? 0 : 1; }"},
    {"a call before the definition, without prototype",
     "int f(); int main() { return f(1.5) == 3 ? 0 : 1; } int f(double d) { return (int)(d * 2); "
     "}"},
    {"variadic functions",
     "#include <stdarg.h>\n"
     "static int sum(int n, ...) { va_list a, b; int s = 0; va_start(a, n); va_copy(b, a);\n"
     "while (n--) s += va_arg(a, int); s += va_arg(b, int); va_end(a); va_end(b); return s; }\n"
     "int main(void) { char c = 3; return sum(3, 1, 2, c) == 7 ? 0 : 1; }"},
    {"a va_list as a parameter", "#include <stdarg.h>\n"
                                 "static long get(va_list a) { return va_arg(a, long); }\n"
                                 "static long f(int n, ...) { va_list a; va_start(a, n); long r = "
                                 "get(a); va_end(a); return r; }\n"
                                 "int main(void) { return f(0, 5L) == 5 ? 0 : 1; }"},
    {"statement expressions", "int main(void) { int i = 3; int r = ({ int t = i; t *= 2; t + 1; "
                              "}); return r == 7 ? 0 : 1; }"},
    {"records by value, members of calls",
     "struct s { int a[3]; int n; }; static struct s f(int x) { struct s r = {{x, x + 1, x + 2}, "
     "x};\n"
     "return r; }\n"
     "int main(void) { struct s t = f(1), u; u = t; if (f(5).a[2] != 7) return 1;\n"
     "return u.a[1] == 2 && u.n == 1 ? 0 : 2; }"},
    {"bit-fields: promotion and wrapping",
     "struct { unsigned u : 3; int i : 4; unsigned long w : 40; } s; int main(void) {\n"
     "s.u = 9; s.i = 7; s.i++; s.w = 1; if (s.u != 1) return 1; if (s.i != -8) return 2;\n"
     "if (s.u - 2 > 0) return 3; return s.w == 1 ? 0 : 4; }"},
    {"packed and aligned layouts are clang's",
     "struct p { char a; int b; } __attribute__((packed)); struct q { char a; int b\n"
     "__attribute__((aligned(16))); }; int main(void) { struct p p; struct q q;\n"
     "if ((char *)&p.b - (char *)&p != 1) return 1; return (char *)&q.b - (char *)&q == 16 ? 0 : "
     "2; }"},
    {"-> of an array, also of a parameter",
     "typedef struct s { int m; } t[2]; static int f(t x) { return x->m; }\n"
     "int main(void) { t a = {{3}, {4}}; a->m++; return f(a) == 4 && (a + 1)->m == 4 ? 0 : 1; }"},
    {"anonymous members",
     "struct { int a; union { int b; struct { short lo, hi; }; }; } s; int main(void) {\n"
     "s.b = 0x20001; return s.lo == 1 && s.hi == 2 ? 0 : 1; }"},
    {"static locals, extern locals, tentative definitions",
     "int x; int x; static int f(void) { static int n = 5; extern int x; x++; return n++; }\n"
     "extern int x; int main(void) { f(); f(); return f() == 7 && x == 3 ? 0 : 1; }"},
    {"initialisers that refer to later objects",
     "extern int later; int *p = &later; struct n { struct n *o; int v; }; extern struct n b;\n"
     "struct n a = {&b, 1}; struct n b = {&a, 2}; int later = 9;\n"
     "int main(void) { return *p == 9 && a.o->v == 2 && a.o->o->v == 1 ? 0 : 1; }"},
    {"strings: local arrays, NULs, concatenation, lengths",
     "#include <string.h>\n"
     "int main(void) { char a[] = \"ab\" \"c\\0d\"; char b[8] = \"x\"; const char *s = \"hello\";\n"
     "if (sizeof a != 6 || a[4] != 'd') return 1; if (b[1] || b[7]) return 2;\n"
     "return strlen(s) == 5 && s[1] == 'e' ? 0 : 3; }"},
    {"compound literals, at file scope too", "int *p = (int[]){1, 2, 3}; struct s { int a, b; }; "
                                             "static int f(struct s *s) { return s->b; }\n"
                                             "int main(void) { p[1] = 5; return p[1] + p[2] == 8 "
                                             "&& f(&(struct s){.b = 4}) == 4 ? 0 : 1; }"},
    {"function pointers, tables of them",
     "static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; "
     "}\n"
     "int (*t[])(int, int) = {add, &sub}; int main(void) { int (*p)(int, int) = t[1];\n"
     "return t[0](3, 4) == 7 && (*p)(3, 4) == -1 ? 0 : 1; }"},
    {"multi-dimensional arrays and pointers to arrays",
     "int m[3][4]; int main(void) { int (*r)[4] = m; r[1][2] = 5; r++; (*r)[3] = 6;\n"
     "return m[1][2] + m[1][3] == 11 && sizeof m == 48 ? 0 : 1; }"},
    {"vectors: lanes, scalars, casts of their bits",
     "typedef int v4 __attribute__((vector_size(16))); typedef unsigned u4\n"
     "__attribute__((vector_size(16))); int main(void) { v4 a = {1, 2, 3, 4}, b = a * 2 + 1;\n"
     "u4 u = (u4)-a; v4 c = a > 2; u4 w = a > 2; if (b[3] != 9) return 1; if (u[0] != -1u) return "
     "2;\n"
     "return c[0] == 0 && c[3] == -1 && w[3] == -1u ? 0 : 3; }"},
    {"__int128 and wide constants",
     "int main(void) { unsigned __int128 x = 1; x <<= 100; return x >> 98 == 4 &&\n"
     "0xffffffffffffffffULL + 1 == 0 ? 0 : 1; }"},
    {"builtins",
     "int main(void) { int r; if (__builtin_add_overflow(2147483647, 1, &r) != 1) return 1;\n"
     "if (__builtin_sadd_overflow(1, 2, &r) || r != 3) return 2; char b[4]; \n"
     "__builtin___memcpy_chk(b, \"abc\", 4, __builtin_object_size(b, 0)); if (b[2] != 'c') return "
     "3;\n"
     "return __builtin_clz(1) == 31 && __builtin_ctzl(8) == 3 && __builtin_expect(!!r, 1) ? 0 : 4; "
     "}"},
    {"asm without instructions",
     "int main(void) { int x = 3, y; asm volatile (\"\" ::: \"memory\"); asm (\"\" : \"+r\" (x));\n"
     "asm (\"\" : \"=r\" (y) : \"0\" (x + 1)); return y == 4 && x == 3 ? 0 : 1; }"},
    {"enumerations",
     "enum e { A = -1, B, C = 5, D } x = D; enum big { BIG = 1ULL << 40 }; enum big b = BIG;\n"
     "int main(void) { return x == 6 && B == 0 && b >> 40 == 1 ? 0 : 1; }"},
    {"void pointers step by one",
     "int main(void) { char c[4] = {1, 2, 3, 4}; void *p = c; p++; p += 1; void *q = p--;\n"
     "return *(char *)p == 2 && *(char *)q == 3 && q - p == 1 ? 0 : 1; }"},
    {"a goto within a statement expression's function; scopes hide names",
     "int x = 1; int main(void) { int r = x; { int x = 5; r += x; { int x = 7; r += x; } r += x; "
     "}\n"
     "for (int x = 0; x < 2; x++) r += x; return r + x == 20 ? 0 : 1; }"},
    {"arguments of main", "int main(int argc, char **argv) { return argc == 1 && argv ? 0 : 1; }"},
    {"main calls itself", "int n; int main(void) { return n++ < 3 ? main() : 0; }"},
    {"return of void in a void function",
     "int n; static void f(void) { n++; } static void g(void) { return f(); }\n"
     "int main(void) { g(); return n == 1 ? 0 : 1; }"},
    {"output and exit", "#include <stdio.h>\n#include <stdlib.h>\n"
                        "int main(void) { printf(\"%d\\n\", 3); fprintf(stderr, \"no\"); "
                        "fprintf(stdout, \"x\"); exit(0); }"},
};

static void test_programs(void)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (ok(good(programs[i].text) && program.main, "imported: %s", programs[i].what)) {
            struct interp_options o = {.real = true};
            struct interp *in = interp_new(&program, &o);
            enum cc_ub ub = interp_main(in);
            struct strbuf why;
            strbuf_init(&why, 0);
            if (ub)
                interp_explain(in, &why);
            is_str(ub ? why.s : "", "", "defined: %s", programs[i].what);
            if (!ub) {
                const struct interp_end *end = interp_ended(in);
                ok(end->how == INTERP_RETURNED || end->how == INTERP_EXITED, "ended by itself");
                is_int(end->status, 0, "result: %s", programs[i].what);
            }
            strbuf_release(&why);
            interp_free(in);
        }
        forget();
    }
}

/* Calls that are undefined because the arguments are not converted to what a prototype would say
 * (6.5.2.2p6). */
static void test_undefined_calls(void)
{
    static const char *const texts[] = {
        "int f(); int main(void) { return f(1); } int f(double d) { return (int)d; }",
        "int f(d) double d; { return (int)d; } int main(void) { return f(1); }",
        "int f(a, b) int a, b; { return a; } int main(void) { return f(1); }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (ok(good(texts[i]) && program.main, "imported: %s", texts[i])) {
            struct interp_options o = {.real = true};
            struct interp *in = interp_new(&program, &o);
            is_int(interp_main(in), CC_UB_CALL_TYPE, "a call of another type");
            interp_free(in);
        }
        forget();
    }
}

/* -- what is refused -------------------------------------------------------------------------- */

static const struct {
    const char *text, *wanted;
    int line;
} refused[] = {
    {"__float128 x;", "_Float128", 1},
    {"_Complex double x;", "_Complex", 1},
    {"\n_Atomic int x;", "_Atomic", 2},
    {"_Thread_local int x;", "a thread-local variable", 1},
    {"void f(int n) {\n int a[n]; a[0] = 1; }", "a variable length array", 2},
    {"void f(int n, int a[n++]) { }", "a variable length array", 1},
    {"void f(void) {\n\n void *p = &&l; goto *p; l:; }", "not portable: the address of a label", 3},
    {"void f(void) { asm (\"nop\"); }", "asm", 1},
    {"int f(int x) { asm (\"\" : \"=r\" (x)); return x; }", "asm", 1},
    {"asm (\".globl x\");", "asm at file scope", 1},
    {"void g(void); void f(void) {\n g(); }", "not portable: a call of g, which is nowhere", 2},
    {"extern int y; int f(void) { return y; }", "use of the undefined variable y", 1},
    {"struct { } x;", "an empty struct or union", 1},
    {"int x[0];", "an object without size (int[0])", 1},
    {"struct s { int n; int a[]; } x = {1, {2, 3}};", "an initialised flexible array member", 1},
    {"int f(void) { return ({ return 1; 2; }); }", "a return out of a statement expression", 1},
    {"void f(void) { for (;;) ({ break; }); }", "a break out of a statement expression", 1},
    {"void f(void) { for (;;) ({ continue; }); }", "a continue out of a statement expression", 1},
    {"void f(void) { l: ({ goto l; }); }", "a goto out of a statement expression", 1},
    {"int f(int x) { return __builtin_constant_p(x); }",
     "not portable: a call of __builtin_constant_p", 1},
    {"struct { unsigned long w : 40; } s; int f(void) { return s.w << 30 >> 40; }",
     "not portable: a bit-field wider than int as an operand", 1},
    {"struct { unsigned w : 3; } s; int f(void) { return (s.w = 1) - 2 < 0; }",
     "not portable: the value of an assignment to a bit-field as an operand", 1},
    {"void f(void) { } void g(void) __attribute__((alias(\"f\"))); void h(void) { g(); }",
     "the attribute alias", 1},
    {"int x __attribute__((weak));", "the attribute weak", 1},
    {"int x __attribute__((section(\"s\")));", "the attribute section", 1},
    {"void g(int *p) { } void f(void) { int x __attribute__((cleanup(g))); }",
     "the attribute cleanup", 1},
    {"void f(void) __attribute__((constructor)); void f(void) { }", "the attribute constructor", 1},
    {"int abs(int x) { return x; }", "a definition of the library's abs", 1},
    {"typedef char v __attribute__((vector_size(4))); v x;", "a vector of another size", 1},
    {"struct s { int a, b; } g; struct t { struct s s; } f(void) { struct t x = {.s = g, .s.a = 1};"
     " return x; }",
     "an initialiser that changes a part of another one", 1},
    {"int g(void) { return 1; } void f(void) { int a[3] = {[0 ... 2] = g()}; }",
     "an initialiser with effects of several elements", 1},
};

static void test_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        int status = load(refused[i].text);
        is_int(status, 1, "refused: %s", refused[i].text);
        char wanted[200];
        bool other = !strncmp(refused[i].wanted, CC_IMPORT_NOT_PORTABLE, 12);
        snprintf(wanted, sizeof wanted, "%s%s", other ? "" : "unsupported: ", refused[i].wanted);
        ok(!strncmp(error.message, wanted, strlen(wanted)), "because of: %s (%s)",
           refused[i].wanted, error.message);
        is_int(error.line, refused[i].line, "its line");
        is_str(error.file, "t.c", "its file");
        forget();
    }
}

/* Chains as long as one likes; nesting up to a limit, and never a crash. */
static void test_deep(void)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    strbuf_adds(&text, "int f(int x) { switch (x) {");
    for (int i = 0; i < 5000; i++)
        strbuf_addf(&text, "case %d:", i);
    strbuf_adds(&text, "x = 1; } return x; }");
    is_int(load(text.s), 0, "5,000 labels of one statement");
    forget();
    strbuf_clear(&text);
    strbuf_adds(&text, "int f(int x) { return x");
    for (int i = 0; i < 4000; i++)
        strbuf_adds(&text, " + x");
    strbuf_adds(&text, "; }");
    is_int(load(text.s), 1, "an expression of 4,000 operators");
    has_str(error.message, "nesting deeper", "says why");
    forget();
    strbuf_release(&text);
}

/* -- tables, types, the rest ------------------------------------------------------------------ */

/* Whether a text came through; if not, that is noted and forgotten. */
static bool imported(const char *text)
{
    if (ok(good(text), "imported: %.40s", text))
        return true;
    forget();
    return false;
}

static void test_tables(void)
{
    if (!imported("int g;\nint f(int p)\n{\n  int l = p;\n  g = l;\n  return g + p;\n}\n"))
        return;
    uint32_t vars[] = {find(PARSED_VAR, 0), find(PARSED_PARAM, 0), find(PARSED_VAR, 1)};
    const char *const names[] = {"g", "p", "l"};
    for (int i = 0; i < 3; i++)
        ok(import.vars[vars[i]] && !strcmp(import.vars[vars[i]]->name, names[i]), "variable %s",
           names[i]);
    const char *const uses[] = {"p", "g", "l", "g", "p"};
    for (int i = 0; i < 5; i++) {
        struct cc_expr *e = import.uses[find(PARSED_USE, i)];
        ok(e && e->kind == CC_E_VAR && !strcmp(e->var->name, uses[i]), "use %d: %s", i, uses[i]);
    }
    struct cc_stmt *assign = import.stmts[find(PARSED_ASSIGN, 0)];
    struct cc_stmt *result = import.stmts[find(PARSED_RETURN, 0)];
    struct cc_stmt *decl = import.stmts[find(PARSED_DECLS, 0)];
    ok(assign && assign->kind == CC_S_EXPR && assign->line == 5, "the assignment and its line");
    ok(result && result->kind == CC_S_RETURN && result->line == 6, "the return and its line");
    ok(decl && decl->kind == CC_S_DECL && decl->line == 4, "the declaration and its line");
    ok(assign && assign->expr->a == import.uses[find(PARSED_USE, 1)],
       "a use is the node in the tree");
    ok(!program.main, "no main");
    forget();
}

static void test_switch(void)
{
    if (!imported(
            "int f(int x) { switch (x) { case 3: case 1 ... 2: if (x) { default: return 0; }\n"
            "switch (x) { case 7: return 2; } } return 1; }"))
        return;
    struct cc_stmt *s = import.stmts[find(PARSED_SWITCH, 0)];
    ok(s && s->labels && s->labels->kind == CC_S_CASE && s->labels->value == 3, "case 3");
    struct cc_stmt *range = s && s->labels ? s->labels->labels : NULL;
    ok(range && range->value == 1 && range->high == 2, "a range");
    ok(range && range->labels && range->labels->kind == CC_S_DEFAULT, "default, nested");
    ok(range && range->labels && !range->labels->labels, "the inner switch has its own");
    struct cc_stmt *inner = import.stmts[find(PARSED_SWITCH, 1)];
    ok(inner && inner->labels && inner->labels->value == 7 && !inner->labels->labels, "case 7");
    forget();
}

static void test_types(void)
{
    ok(good("union { char c[3]; _Complex double align; } w;"),
       "a complex number that nobody names is only a size");
    forget();
    if (!imported("struct s { char a; int b : 3; int : 2; int c : 9; struct s *next;\n"
                  "struct { int x; }; int flexible[]; } v;\n"
                  "const volatile int *const p = 0; struct u *q;"))
        return;
    const struct cc_type *t = global("v")->type;
    const struct cc_record *r = t->record;
    is_int(t->size, 24, "its size");
    is_int(r->n_fields, 7, "its members");
    ok(r->fields[1].offset == 1 && r->fields[1].bit == 0 && r->fields[1].bits == 3, "b");
    ok(!r->fields[2].name && r->fields[2].bits == 2, "an unnamed bit-field");
    ok(r->fields[3].offset == 1 && r->fields[3].bit == 5 && r->fields[3].bits == 9, "c");
    ok(r->fields[4].type->to == t, "a pointer to itself");
    is_str(r->fields[5].name, "(anonymous 5)", "an anonymous member");
    ok(r->fields[6].type->kind == CC_ARRAY && r->fields[6].type->length == 0, "a flexible array");
    const struct cc_type *p = global("p")->type;
    ok(p->quals == CC_CONST && p->to->quals == (CC_CONST | CC_VOLATILE), "qualifiers");
    ok(global("q")->type->to->size == 0, "an incomplete struct");
    forget();
    if (!imported("int a[]; int a[7]; extern char b[]; char b[] = \"xyz\"; int c[];\n"
                  "char d __attribute__((aligned(32))), e; static int s; int (*f)();"))
        return;
    is_int(global("a")->type->length, 7, "completed later");
    is_int(global("b")->type->length, 4, "completed by its initialiser");
    is_int(global("c")->type->length, 1, "never completed: one element");
    is_int(global("d")->align, 32, "aligned");
    is_int(global("e")->align, 0, "the next declarator is not");
    ok(global("s")->storage == CC_STATIC && global("a")->storage == CC_EXTERN, "linkage");
    ok(global("f")->type->to->unprototyped, "a function without prototype");
    forget();
}

static void test_functions(void)
{
    if (!imported("void abort(void); int printf(const char *, ...); int f(int a, char *b);\n"
                  "int f(int a, char *b) { abort(); return __builtin_printf(b, a); }\n"
                  "int main(void) { return f(1, 0); } void never(void);"))
        return;
    ok(program.main && !function("main") && program.main->body, "main stands beside the others");
    ok(function("f") && function("f")->body && !function("f")->library, "f is the file's");
    ok(function("abort") && function("abort")->library == CC_LIB_ABORT, "abort is the library's");
    ok(function("__builtin_printf") && function("__builtin_printf")->library == CC_LIB_PRINTF &&
           function("__builtin_printf")->type->variadic,
       "so is a builtin of that name");
    ok(!function("printf") && !function("never"), "what is only declared is not there");
    forget();
    if (!imported("int f(a, b) char a; float b; { return a + (int)b; }\n"
                  "int g(float); int g(a) float a; { return (int)a; }\n"
                  "int h(void) { return f(1, 2.0) + g(1); }"))
        return;
    ok(function("f")->type->unprototyped && function("f")->params[1]->type->kind == CC_FLOAT,
       "an old-style definition has no prototype");
    ok(!function("g")->type->unprototyped, "unless it was declared with one");
    forget();
}

int main(void)
{
#ifdef ASSAY_NO_CLANG
    tap_skip("import", "built without libclang");
#else
    test_initialisers();
    test_expressions();
    test_programs();
    test_undefined_calls();
    test_refused();
    test_deep();
    test_tables();
    test_switch();
    test_types();
    test_functions();
#endif
    return tap_done();
}
