/* The printer: small trees against their text, then text against real compilers.
 *
 * Round trips: random trees over constants and variables are evaluated here by cc/value and printed
 * as `if (EXPR != VALUE) g_bad = NUMBER;`. gcc, clang and their C++ compilers must take the text
 * without asking for parentheses, and the program must print the checksum that we compute. Wrappers
 * go the same way at the corners of their types, under UBSan. */
#include "cc/print.h"

#include "base/child.h"
#include "base/choice.h"
#include "base/fs.h"
#include "cc/build.h"
#include "cc/builtin.h"
#include "cc/checksum.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

enum { TREES = 500, DEPTH = 5, MAX_FIXTURES = 128 };

struct bench {
    struct arena arena;
    struct cc_program p;
    struct strbuf text;
    struct child_result r;
    char folder[256];
};

static void start(struct bench *b, const struct cc_model *m)
{
    arena_init(&b->arena);
    cc_program_init(&b->p, &b->arena, m);
}

static void stop(struct bench *b)
{
    cc_program_release(&b->p);
    arena_release(&b->arena);
}

static const struct cc_type *basic(struct bench *b, enum cc_kind kind)
{
    return cc_basic(&b->p.types, kind);
}

static struct cc_expr *constant(struct bench *b, enum cc_kind kind, cc_wide v)
{
    return cc_int(&b->p, basic(b, kind), v, CC_DECIMAL);
}

/* -- golden texts ----------------------------------------------------------------------------- */

static void prints(struct bench *b, const struct cc_expr *e, const char *wanted)
{
    strbuf_clear(&b->text);
    cc_print_expr(&b->p, e, &b->text);
    is_str(b->text.s, wanted, "%s", wanted);
}

static void declares(struct bench *b, const struct cc_type *type, const char *name,
                     const char *wanted)
{
    strbuf_clear(&b->text);
    cc_print_declarator(type, name, &b->text);
    is_str(b->text.s, wanted, "%s", wanted);
}

static void test_precedence(struct bench *b)
{
    start(b, &cc_lp64);
    struct cc_program *p = &b->p;
    const struct cc_type *type = basic(b, CC_INT);
    struct cc_var *va = cc_global(p, "a", type, NULL), *vb = cc_global(p, "b", type, NULL);
    struct cc_var *vc = cc_global(p, "c", type, NULL);
#define A cc_use(p, va)
#define B cc_use(p, vb)
#define C cc_use(p, vc)
#define BIN(op, x, y) cc_binary(p, CC_##op, x, y)
#define UN(op, x) cc_unary(p, CC_##op, x)
#define N(v) constant(b, CC_INT, v)
    prints(b, BIN(MUL, BIN(ADD, A, B), C), "(a + b) * c");
    prints(b, BIN(ADD, A, BIN(MUL, B, C)), "a + b * c");
    prints(b, BIN(SUB, BIN(SUB, A, B), C), "a - b - c");
    prints(b, BIN(SUB, A, BIN(SUB, B, C)), "a - (b - c)");
    prints(b, BIN(SHL, A, BIN(ADD, B, C)), "a << (b + c)");
    prints(b, BIN(ADD, BIN(SHL, A, B), C), "(a << b) + c");
    prints(b, BIN(OR, BIN(AND, A, B), C), "(a & b) | c");
    prints(b, BIN(OR, BIN(OR, A, B), C), "a | b | c");
    prints(b, BIN(XOR, A, BIN(SHL, B, C)), "a ^ (b << c)");
    prints(b, BIN(AND, BIN(EQ, A, B), C), "(a == b) & c");
    prints(b, BIN(EQ, BIN(LT, A, B), C), "(a < b) == c");
    prints(b, BIN(LT, BIN(ADD, A, B), C), "a + b < c");
    prints(b, BIN(LOR, BIN(LAND, A, B), C), "(a && b) || c");
    prints(b, BIN(LAND, BIN(LOR, A, B), C), "(a || b) && c");
    prints(b, BIN(LAND, BIN(LT, A, B), C), "a < b && c");
    prints(b, BIN(EQ, UN(NOT, A), B), "(!a) == b");
    prints(b, UN(NOT, BIN(EQ, A, B)), "!(a == b)");
    prints(b, cc_cond(p, A, B, cc_cond(p, B, C, A)), "a ? b : b ? c : a");
    prints(b, cc_cond(p, cc_cond(p, A, B, C), C, A), "(a ? b : c) ? c : a");
    prints(b, cc_cond(p, A, cc_cond(p, A, B, C), A), "a ? (a ? b : c) : a");
    prints(b, cc_cond(p, BIN(AND, A, B), B, C), "(a & b) ? b : c");
    prints(b, cc_cond(p, BIN(LT, A, B), cc_comma(p, A, B), C), "a < b ? (a, b) : c");
    prints(b, BIN(ADD, cc_cond(p, A, B, C), A), "(a ? b : c) + a");
    prints(b, cc_assign(p, CC_NONE, A, cc_assign(p, CC_ADD, B, C)), "a = b += c");
    prints(b, BIN(ADD, cc_assign(p, CC_NONE, A, B), C), "(a = b) + c");
    prints(b, cc_assign(p, CC_SHL, A, cc_comma(p, B, C)), "a <<= (b, c)");
    prints(b, cc_comma(p, cc_comma(p, A, B), C), "a, b, c");
    prints(b, cc_comma(p, A, cc_comma(p, B, C)), "a, (b, c)");
    /* signs that must not become one token */
    prints(b, UN(MINUS, UN(MINUS, A)), "-(-a)");
    prints(b, UN(PLUS, UN(PLUS, A)), "+(+a)");
    prints(b, UN(MINUS, N(-5)), "-(-5)");
    prints(b, UN(PLUS, N(-5)), "+-5");
    prints(b, BIN(SUB, A, N(-5)), "a - -5");
    prints(b, BIN(SUB, A, UN(MINUS, B)), "a - -b");
    prints(b, UN(MINUS, cc_incdec(p, CC_SUB, false, A)), "-(--a)");
    prints(b, UN(PLUS, cc_incdec(p, CC_ADD, true, A)), "+a++");
    prints(b, BIN(SUB, cc_incdec(p, CC_SUB, true, A), B), "a-- - b");
    prints(b, UN(COMPL, UN(COMPL, A)), "~(~a)");
    prints(b, UN(MINUS, BIN(MUL, A, B)), "-(a * b)");
    prints(b, cc_cast(p, basic(b, CC_SCHAR), BIN(ADD, A, B)), "(int8_t)(a + b)");
    prints(b, BIN(ADD, cc_cast(p, basic(b, CC_SCHAR), A), B), "(int8_t)a + b");
    prints(b, UN(MINUS, cc_cast(p, basic(b, CC_SCHAR), A)), "-(int8_t)a");
    prints(b, cc_cast(p, basic(b, CC_LLONG), UN(MINUS, A)), "(int64_t)-a");
    prints(b, cc_sizeof(p, cc_array_of(&p->types, cc_pointer_to(&p->types, type), 3)),
           "sizeof(int32_t *[3])");
    prints(b, cc_sizeof_of(p, BIN(ADD, A, B)), "sizeof(a + b)");
    prints(b, cc_sizeof_of(p, cc_cast(p, type, A)), "sizeof((int32_t)a)");
    struct cc_expr *marked = BIN(DIV, A, N(0));
    marked->marked = true;
    prints(b, BIN(MUL, B, marked), "b * (a / 0) /* invalid */");
    stop(b);
}

static void test_objects(struct bench *b)
{
    start(b, &cc_lp64);
    struct cc_program *p = &b->p;
    struct cc_types *t = &p->types;
    const struct cc_type *type = basic(b, CC_INT), *pointer = cc_pointer_to(t, type);
    struct cc_field fields[] = {
        {.name = "f0", .type = type, .bits = -1},
        {.name = "f1", .type = pointer, .bits = -1},
        {.name = "f2", .type = cc_array_of(t, basic(b, CC_UCHAR), 2), .bits = -1}};
    const struct cc_type *s = cc_record_type(t, "S0", false, false, fields, 3);
    const struct cc_type *u = cc_record_type(t, "U0", true, false, fields, 2);
    struct cc_var *va = cc_global(p, "a", type, NULL), *vp = cc_global(p, "p", pointer, NULL);
    struct cc_var *vq = cc_global(p, "q", cc_pointer_to(t, cc_array_of(t, type, 4)), NULL);
    struct cc_var *vs = cc_global(p, "s", s, NULL),
                  *ps = cc_global(p, "t", cc_pointer_to(t, s), NULL);
    struct cc_var *va2 = cc_global(p, "m", cc_array_of(t, cc_array_of(t, type, 4), 3), NULL);
#define USE(v) cc_use(p, v)
    prints(b, cc_deref(p, cc_incdec(p, CC_ADD, true, USE(vp))), "*p++");
    prints(b, cc_incdec(p, CC_ADD, true, cc_deref(p, USE(vp))), "(*p)++");
    prints(b, cc_incdec(p, CC_SUB, false, cc_deref(p, USE(vp))), "--*p");
    prints(b, cc_index(p, cc_deref(p, USE(vq)), N(2)), "(*q)[2]");
    prints(b, cc_addr(p, cc_index(p, cc_index(p, USE(va2), N(1)), USE(va))), "&m[1][a]");
    prints(b, cc_deref(p, cc_addr(p, USE(va))), "*&a");
    prints(b, cc_index(p, cc_addr(p, USE(va)), N(0)), "(&a)[0]");
    prints(b, cc_member(p, USE(vs), 0), "s.f0");
    prints(b, cc_member(p, cc_deref(p, USE(ps)), 1), "t->f1");
    prints(b, cc_deref(p, cc_member(p, cc_deref(p, USE(ps)), 1)), "*t->f1");
    prints(b, cc_member(p, cc_index(p, USE(ps), N(1)), 0), "t[1].f0");
    prints(b, cc_index(p, cc_member(p, cc_deref(p, USE(ps)), 2), N(1)), "t->f2[1]");
    prints(b, cc_member(p, cc_deref(p, cc_binary(p, CC_ADD, USE(ps), N(1))), 0), "(t + 1)->f0");
    prints(b, cc_binary(p, CC_DIV, USE(va), cc_deref(p, USE(vp))), "a / *p");
    prints(b, cc_binary(p, CC_AND, USE(va), cc_deref(p, USE(vp))), "a & *p");
    prints(b, cc_binary(p, CC_EQ, USE(vp), cc_null(p, pointer)), "p == (void*)0");
    prints(b, cc_deref(p, cc_null(p, pointer)), "*(int32_t *)0");
    prints(b, cc_member(p, cc_deref(p, cc_null(p, cc_pointer_to(t, s))), 0),
           "((struct S0 *)0)->f0");
    struct cc_expr *two[] = {N(1), N(-2)};
    prints(b, cc_list(p, cc_array_of(t, type, 4), two, 2, 0), "{1, -2}");
    prints(b, cc_list(p, u, two, 1, 0), "{1}");
    two[0] = cc_addr(p, USE(va));
    prints(b, cc_list(p, u, two, 1, 1), "{.f1 = &a}");
    prints(b, cc_list(p, s, NULL, 0, 0), "{0}");
    two[0] = N(7);
    prints(b, cc_addr(p, cc_literal(p, type, cc_list(p, type, two, 1, 0))), "&(int32_t){7}");
    struct cc_expr *none = cc_literal(p, s, cc_list(p, s, NULL, 0, 0));
    prints(b, cc_member(p, none, 0), "((struct S0){0}).f0");
    struct cc_var *params[] = {cc_param(p, "x", type), cc_param(p, "y", pointer)};
    struct cc_func *f = cc_function(p, "func_2", type, params, 2);
    struct cc_var *fp = cc_global(p, "f", cc_pointer_to(t, f->type), cc_func_use(p, f));
    struct cc_expr *args[] = {cc_comma(p, USE(va), N(3)), USE(vp)};
    prints(b, cc_call(p, cc_func_use(p, f), args, 2), "func_2((a, 3), p)");
    prints(b, cc_call(p, USE(fp), args, 2), "f((a, 3), p)");
    struct cc_expr *one = cc_use(p, va);
    prints(b, cc_builtin(p, CC_BUILTIN_POPCOUNT, &one, 1), "__builtin_popcount(a)");
    stop(b);
}

static void test_declarators(struct bench *b)
{
    start(b, &cc_lp64);
    struct cc_types *t = &b->p.types;
    const struct cc_type *i = basic(b, CC_INT), *ip = cc_pointer_to(t, i);
    const struct cc_type *pair[] = {
        i, cc_pointer_to(t, cc_qualified(t, basic(b, CC_SHORT), CC_CONST))};
    const struct cc_type *fn = cc_function_type(t, i, pair, 2), *fp = cc_pointer_to(t, fn);
    const struct cc_type *none = cc_function_type(t, basic(b, CC_VOID), NULL, 0);
    declares(b, i, "g_1", "int32_t g_1");
    declares(b, i, "", "int32_t");
    declares(b, basic(b, CC_ULLONG), "x", "uint64_t x");
    declares(b, basic(b, CC_ULONG), "x", "unsigned long x");
    declares(b, basic(b, CC_UINT128), "x", "unsigned __int128 x");
    declares(b, cc_qualified(t, i, CC_CONST | CC_VOLATILE), "x", "const volatile int32_t x");
    declares(b, cc_array_of(t, cc_qualified(t, ip, CC_CONST), 4), "g_3", "int32_t *const g_3[4]");
    declares(b, cc_pointer_to(t, cc_array_of(t, i, 4)), "p", "int32_t (*p)[4]");
    declares(b, cc_pointer_to(t, cc_array_of(t, cc_array_of(t, i, 4), 2)), "", "int32_t (*)[2][4]");
    declares(b, cc_array_of(t, cc_pointer_to(t, cc_array_of(t, ip, 4)), 3), "p",
             "int32_t *(*p[3])[4]");
    declares(b, cc_pointer_to(t, cc_qualified(t, ip, CC_VOLATILE)), "p", "int32_t *volatile *p");
    declares(b, cc_qualified(t, cc_pointer_to(t, cc_qualified(t, i, CC_CONST)), CC_CONST), "p",
             "const int32_t *const p");
    declares(b, fp, "f", "int32_t (*f)(int32_t, const int16_t *)");
    declares(b, cc_array_of(t, cc_qualified(t, fp, CC_CONST), 2), "f",
             "int32_t (*const f[2])(int32_t, const int16_t *)");
    declares(b, cc_pointer_to(t, cc_function_type(t, cc_pointer_to(t, none), &fp, 1)), "f",
             "void (*(*f)(int32_t (*)(int32_t, const int16_t *)))(void)");
    declares(b, cc_pointer_to(t, cc_pointer_to(t, fn)), "",
             "int32_t (**)(int32_t, const int16_t *)");
    stop(b);
}

static void test_constants(struct bench *b)
{
    start(b, &cc_lp64);
    struct cc_program *p = &b->p;
    static const struct {
        enum cc_kind kind;
        cc_wide value;
        enum cc_spelling spelling;
        const char *text;
    } table[] = {
        {CC_INT, 0, CC_DECIMAL, "0"},
        {CC_INT, 0, CC_OCTAL, "0"},
        {CC_INT, 100, CC_DECIMAL, "100"},
        {CC_INT, 12345, CC_DECIMAL, "12345"},
        {CC_INT, INT32_MAX, CC_HEX, "0x7FFFFFFF"},
        {CC_INT, INT32_MIN, CC_DECIMAL, "(-2147483647 - 1)"},
        {CC_INT, INT32_MIN, CC_HEX, "(-0x7FFFFFFF - 1)"},
        {CC_INT, -8, CC_OCTAL, "-010"},
        {CC_INT, 5, CC_BINARY_DIGITS, "0b101"},
        {CC_UINT, UINT32_MAX, CC_DECIMAL, "4294967295U"},
        {CC_UINT, UINT32_MAX, CC_HEX, "0xFFFFFFFFU"},
        {CC_LONG, -1, CC_DECIMAL, "-1L"},
        {CC_LONG, INT64_MIN, CC_DECIMAL, "(-9223372036854775807L - 1)"},
        {CC_ULONG, 7, CC_OCTAL, "07UL"},
        {CC_LLONG, INT64_MIN, CC_DECIMAL, "(-9223372036854775807LL - 1)"},
        {CC_LLONG, INT32_MIN, CC_DECIMAL, "-2147483648LL"},
        {CC_ULLONG, UINT64_MAX, CC_DECIMAL, "18446744073709551615ULL"},
        {CC_SCHAR, -128, CC_DECIMAL, "-128"},
        {CC_BOOL, 1, CC_DECIMAL, "1"},
        {CC_INT, 'a', CC_CHARACTER, "'a'"},
        {CC_SCHAR, '\'', CC_CHARACTER, "'\\''"},
        {CC_INT, '\\', CC_CHARACTER, "'\\\\'"},
        {CC_INT, 7, CC_CHARACTER, "7"},
        {CC_UINT, 'a', CC_CHARACTER, "97U"},
        {CC_INT128, -5, CC_DECIMAL, "(__int128)-5"},
        {CC_UINT128, (cc_wide)UINT64_MAX, CC_DECIMAL, "(unsigned __int128)18446744073709551615ULL"},
        {CC_INT128, INT64_MIN, CC_DECIMAL,
         "(__int128)((unsigned __int128)0xFFFFFFFFFFFFFFFFULL << 64 | 0x8000000000000000ULL)"},
        {CC_UINT128, -1, CC_DECIMAL,
         "((unsigned __int128)0xFFFFFFFFFFFFFFFFULL << 64 | 0xFFFFFFFFFFFFFFFFULL)"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        prints(b, cc_int(p, basic(b, table[i].kind), table[i].value, table[i].spelling),
               table[i].text);
    const struct cc_type *d = basic(b, CC_DOUBLE), *f = basic(b, CC_FLOAT);
    prints(b, cc_float(p, d, 1, CC_DECIMAL), "1.0");
    prints(b, cc_float(p, d, 0.1, CC_DECIMAL), "0.1");
    prints(b, cc_float(p, d, -1e300, CC_DECIMAL), "-1e+300");
    prints(b, cc_float(p, d, 1.0 / 3, CC_DECIMAL), "0.3333333333333333");
    prints(b, cc_float(p, f, 1.0 / 3, CC_DECIMAL), "0.333333343f");
    prints(b, cc_float(p, f, 2.5, CC_HEX), "0x1.4p+1f");
    prints(b, cc_float(p, d, -0.0, CC_DECIMAL), "-0.0");
    struct cc_enumerator values[] = {{"E0_A", 0}, {"E0_B", 7}};
    const struct cc_type *e = cc_enum_type(&p->types, "E0", values, 2);
    prints(b, cc_int(p, e, 7, CC_ENUMERATOR), "E0_B");
    prints(b, cc_int(p, e, 5, CC_DECIMAL), "5U");
    stop(b);
}

static void test_statements(struct bench *b)
{
    start(b, &cc_lp64);
    struct cc_program *p = &b->p;
    const struct cc_type *type = basic(b, CC_INT);
    struct cc_var *va = cc_global(p, "a", type, NULL);
    struct cc_stmt *block = cc_block(p), *inner = cc_block(p), *cases = cc_block(p);
    struct cc_stmt *label = cc_label(p, "out"), *last = cc_label(p, "end");
    struct cc_stmt *comment = cc_stmt(p, CC_S_COMMENT), *loop = cc_stmt(p, CC_S_DO);
    comment->name = "a */ b";
    cc_append(inner, cc_goto(p, label));
    cc_append(block, cc_if(p, cc_assign(p, CC_NONE, USE(va), N(1)), inner,
                           cc_if(p, USE(va), cc_goto(p, last), NULL)));
    cc_append(cases, cc_case(p, -1));
    cc_append(cases, cc_decl(p, cc_local(p, "x", type, N(3))));
    cc_append(cases, cc_stmt(p, CC_S_BREAK));
    cc_append(cases, cc_stmt(p, CC_S_DEFAULT));
    cc_append(block, cc_switch(p, USE(va), cases));
    cc_append(block, label);
    cc_append(block, cc_decl(p, cc_local(p, "y", type, N(4))));
    loop->a = cc_block(p);
    loop->expr = USE(va);
    cc_append(block, loop);
    cc_append(block, cc_for(p, NULL, NULL, NULL, cc_stmt(p, CC_S_CONTINUE)));
    cc_append(block, last);
    cc_append(block, comment);
    strbuf_clear(&b->text);
    cc_print_stmt(p, block, 0, &b->text);
    is_str(b->text.s,
           "{\n"
           "    if ((a = 1)) {\n"
           "        goto out;\n"
           "    } else if (a) {\n"
           "        goto end;\n"
           "    }\n"
           "    switch (a) {\n"
           "    case -1: ;\n"
           "        int32_t x = 3;\n"
           "        break;\n"
           "    default: ;\n"
           "    }\n"
           "out: ;\n"
           "    int32_t y = 4;\n"
           "    do {\n"
           "    } while (a);\n"
           "    for (;;) {\n"
           "        continue;\n"
           "    }\n"
           "end: ;\n"
           "    /* a * / b */\n"
           "}",
           "statements");
    stop(b);
}

/* -- compilers -------------------------------------------------------------------------------- */

struct compiler {
    const char *name;
    enum cc_language language;
    const char *options[6];
};

static const struct compiler compilers[] = {
    {"gcc",
     CC_C11,
     {"-x", "c", "-std=c11", "-Werror=parentheses", "-Werror=logical-not-parentheses"}},
    {"clang",
     CC_C11,
     {"-x", "c", "-std=c11", "-Werror=parentheses", "-Werror=logical-op-parentheses"}},
    {"g++", CC_CXX17, {"-x", "c++", "-std=c++17", "-Werror=parentheses", "-Werror=narrowing"}},
    {"clang++", CC_CXX17, {"-x", "c++", "-std=c++17", "-Werror=parentheses", "-Werror=narrowing"}},
};
enum { COMPILERS = sizeof compilers / sizeof *compilers };

static bool run(struct bench *b, const char *const *argv, const struct strbuf *input)
{
    struct child_spec spec = {.argv = argv, .cwd = b->folder};
    struct error e = {0};
    spec.limits.wall_ms = 240000;
    if (input) {
        spec.input = input->s;
        spec.input_size = input->n;
    }
    if (child_run(&spec, &b->r, &e)) {
        printf("# %s\n", e.message);
        return false;
    }
    return b->r.end == CHILD_EXITED && b->r.status == 0;
}

static bool exists(struct bench *b, const char *name)
{
    const char *const argv[] = {name, "--version", NULL};
    struct child_spec spec = {.argv = argv};
    return !child_run(&spec, &b->r, NULL) && b->r.end != CHILD_NOT_STARTED;
}

/* Compile what is in b->text to b->folder/program. */
static bool compile(struct bench *b, const struct compiler *c, const char *extra)
{
    const char *argv[16] = {c->name, extra};
    int n = 2;
    for (int i = 0; i < 6 && c->options[i]; i++)
        argv[n++] = c->options[i];
    argv[n++] = "-o";
    argv[n++] = "program";
    argv[n++] = "-";
    bool good = run(b, argv, &b->text);
    if (!good)
        tap_note("rejected", b->r.err.s);
    return good;
}

/* -- values ----------------------------------------------------------------------------------- */

struct fixture { /* a variable, or a member of one, that trees may read */
    struct cc_var *var;
    int field; /* -1: the variable itself */
    union cc_scalar value;
};

struct world {
    struct bench *b;
    struct choice *c;
    struct fixture fixtures[MAX_FIXTURES];
    int n;
    bool wrappers; /* what can be undefined is wrapped */
};

static const struct cc_type *bare(struct world *w, const struct cc_type *t)
{
    return cc_representation(&w->b->p.types, t);
}

static bool truth(const struct cc_type *t, union cc_scalar v)
{
    return cc_is_float(t) ? v.f != 0 : v.i != 0;
}

static bool read_fixture(const struct world *w, const struct cc_expr *e, union cc_scalar *out)
{
    const struct cc_var *v = e->kind == CC_E_MEMBER ? e->a->var : e->var;
    int field = e->kind == CC_E_MEMBER ? e->field : -1;
    for (int i = 0; i < w->n; i++)
        if (w->fixtures[i].var == v && w->fixtures[i].field == field) {
            *out = w->fixtures[i].value;
            return true;
        }
    return false;
}

/* The value of a tree by cc/value; false: undefined, or a NaN, which equals nothing. */
static bool value_of(struct world *w, const struct cc_expr *e, union cc_scalar *out)
{
    union cc_scalar x, y;
    enum cc_ub ub;
    switch (e->kind) {
    case CC_E_INT:
        out->i = e->value;
        return true;
    case CC_E_FLOAT:
        out->f = e->number;
        return true;
    case CC_E_SIZEOF:
        out->i = e->of->size;
        return true;
    case CC_E_SIZEOF_OF:
        out->i = e->a->type->size;
        return true;
    case CC_E_VAR:
    case CC_E_MEMBER:
        return read_fixture(w, e, out);
    case CC_E_LOGICAL:
        if (!value_of(w, e->a, &x) || !value_of(w, e->b, &y))
            return false;
        if (e->op == CC_LAND)
            out->i = truth(e->a->type, x) && truth(e->b->type, y);
        else
            out->i = truth(e->a->type, x) || truth(e->b->type, y);
        return true;
    case CC_E_COND:
        if (!value_of(w, e->a, &x))
            return false;
        return value_of(w, truth(e->a->type, x) ? e->b : e->c, out);
    case CC_E_COMMA:
        return value_of(w, e->a, &x) && value_of(w, e->b, out);
    case CC_E_UNARY:
        if (!value_of(w, e->a, &x))
            return false;
        if (e->op == CC_NOT) {
            out->i = !truth(e->a->type, x);
            return true;
        }
        ub = cc_unary_value(e->op, e->type, x, out);
        break;
    case CC_E_CAST:
        if (!value_of(w, e->a, &x))
            return false;
        ub = cc_convert_value(bare(w, e->a->type), bare(w, e->type), x, out);
        if (ub && w->wrappers && e->safe) {
            out->i = 0;
            return true;
        }
        return !ub && !(cc_is_float(e->type) && isnan(out->f));
    case CC_E_BINARY:
        if (!value_of(w, e->a, &x) || !value_of(w, e->b, &y))
            return false;
        ub = cc_binary_value(e->op, e->a->type->plain, x, y, out);
        break;
    default:
        return false;
    }
    if (ub && w->wrappers && e->safe) {
        *out = x;
        return true;
    }
    return !ub && !(cc_is_float(e->type) && isnan(out->f));
}

static struct cc_expr *value_node(struct world *w, const struct cc_type *type, union cc_scalar v)
{
    if (cc_is_float(type))
        return cc_float(&w->b->p, type, v.f, CC_DECIMAL);
    return cc_int(&w->b->p, bare(w, type), v.i, CC_DECIMAL);
}

/* -- random trees ----------------------------------------------------------------------------- */

static cc_wide random_int(struct world *w)
{
    unsigned bits = (unsigned)choose(w->c, 65);
    cc_wide v = (cc_wide)choose_bits(w->c, bits) + (cc_wide)choose(w->c, 3) - 1;
    if (choose(w->c, 8) == 0)
        v = (cc_wide)((cc_uwide)v << 64 | choose_bits(w->c, 64));
    return choose(w->c, 3) == 0 ? (cc_wide)(0 - (cc_uwide)v) : v;
}

static enum cc_kind random_kind(struct world *w)
{
    return (enum cc_kind)(CC_BOOL + choose(w->c, CC_DOUBLE - CC_BOOL + 1));
}

static struct cc_expr *random_leaf(struct world *w)
{
    struct cc_program *p = &w->b->p;
    if (w->n && choose(w->c, 3) == 0) {
        const struct fixture *f = &w->fixtures[choose(w->c, (uint64_t)w->n)];
        struct cc_expr *e = cc_use(p, f->var);
        return f->field < 0 ? e : cc_member(p, e, f->field);
    }
    enum cc_kind kind = random_kind(w);
    const struct cc_type *type = basic(w->b, kind);
    if (cc_is_float(type)) {
        double v = (double)(int64_t)choose_bits(w->c, (unsigned)choose(w->c, 60)) /
                   (double)(1 + choose(w->c, 1000));
        return cc_float(p, type, choose(w->c, 2) ? v : -v, choose(w->c, 2) ? CC_HEX : CC_DECIMAL);
    }
    static const enum cc_spelling spellings[] = {CC_DECIMAL, CC_DECIMAL,       CC_HEX,
                                                 CC_OCTAL,   CC_BINARY_DIGITS, CC_CHARACTER};
    return cc_int(p, type, random_int(w), spellings[choose(w->c, 6)]);
}

static struct cc_expr *random_tree(struct world *w, int depth);

/* sizeof takes no bit-field, and all members here are. */
static bool ends_in_member(const struct cc_expr *e)
{
    while (e->kind == CC_E_COMMA)
        e = e->b;
    return e->kind == CC_E_MEMBER;
}

static struct cc_expr *random_node(struct world *w, int depth)
{
    static const enum cc_op unary[] = {CC_PLUS, CC_MINUS, CC_NOT, CC_COMPL};
    struct cc_program *p = &w->b->p;
    struct cc_expr *a = random_tree(w, depth - 1);
    bool a_integer = cc_is_integer(a->type);
    switch (choose(w->c, 9)) {
    case 0: {
        enum cc_op op = unary[choose(w->c, 4)];
        return cc_unary(p, op == CC_COMPL && !a_integer ? CC_MINUS : op, a);
    }
    case 1:
        return cc_cast(p, basic(w->b, random_kind(w)), a);
    case 2:
        return cc_cond(p, random_tree(w, depth - 1), a, random_tree(w, depth - 1));
    case 3: {
        struct cc_expr *first = random_tree(w, depth - 1);
        return cc_comma(p, first, a);
    }
    case 4:
        return ends_in_member(a) ? a : cc_sizeof_of(p, a);
    default: {
        struct cc_expr *other = random_tree(w, depth - 1);
        enum cc_op op = (enum cc_op)(CC_ADD + choose(w->c, CC_LOR - CC_ADD + 1));
        if (!a_integer || !cc_is_integer(other->type))
            if (op == CC_REM || op == CC_SHL || op == CC_SHR || op == CC_AND || op == CC_OR ||
                op == CC_XOR)
                op = CC_MUL;
        return cc_binary(p, op, a, other);
    }
    }
}

/* A tree that has a value: an undefined operation is replaced by a constant. */
static struct cc_expr *random_tree(struct world *w, int depth)
{
    union cc_scalar v;
    struct cc_expr *e = depth == 0 || choose(w->c, 6) == 0 ? random_leaf(w) : random_node(w, depth);
    if (w->wrappers)
        cc_make_safe(e);
    return value_of(w, e, &v) ? e : random_leaf(w);
}

static void add_fixture(struct world *w, struct cc_var *v, int field, union cc_scalar value)
{
    if (w->n < MAX_FIXTURES)
        w->fixtures[w->n++] = (struct fixture){v, field, value};
}

/* One variable of each kind, an enumeration, and bit-fields on both sides of the width of int. */
static void add_fixtures(struct world *w)
{
    struct cc_program *p = &w->b->p;
    for (int kind = CC_BOOL; kind <= CC_DOUBLE; kind++) {
        const struct cc_type *type = basic(w->b, (enum cc_kind)kind);
        union cc_scalar v = {0};
        if (cc_is_float(type))
            v.f = kind == CC_FLOAT ? (double)1.5f : -1e10;
        else
            v.i = cc_wrap(type, random_int(w));
        char name[16];
        snprintf(name, sizeof name, "g_%d", kind);
        add_fixture(w, cc_global(p, name, type, value_node(w, type, v)), -1, v);
    }
    struct cc_enumerator values[] = {{"E0_A", 0}, {"E0_B", 3}};
    const struct cc_type *e = cc_enum_type(&p->types, "E0", values, 2);
    union cc_scalar three = {.i = 3};
    add_fixture(w, cc_global(p, "g_e", e, cc_int(p, e, 3, CC_ENUMERATOR)), -1, three);
    struct cc_field fields[] = {{.name = "f0", .type = basic(w->b, CC_INT), .bits = 5},
                                {.name = "f1", .type = basic(w->b, CC_UINT), .bits = 31},
                                {.name = "f2", .type = basic(w->b, CC_UINT), .bits = 32}};
    const struct cc_type *s = cc_record_type(&p->types, "S0", false, false, fields, 3);
    struct cc_expr *list[] = {constant(w->b, CC_INT, -3), constant(w->b, CC_UINT, 0x7FFFFFFF),
                              constant(w->b, CC_UINT, 0xFFFFFFF0)};
    struct cc_var *v = cc_global(p, "g_s", s, cc_list(p, s, list, 3, 0));
    for (int i = 0; i < 3; i++)
        add_fixture(w, v, i, (union cc_scalar){.i = list[i]->value});
}

/* The checksum that the program must print if g_bad, its first global, ends as `bad`. */
static uint32_t expected_checksum(const struct world *w, int bad)
{
    uint32_t crc = cc_crc_u64(cc_crc_start(), (uint64_t)bad);
    for (int i = 0; i < w->n; i++) {
        const struct fixture *f = &w->fixtures[i];
        const struct cc_type *t = f->var->type;
        if (f->field >= 0)
            t = t->record->fields[f->field].type;
        float narrow = (float)f->value.f;
        if (t->kind == CC_FLOAT)
            crc = cc_crc_bytes(crc, &narrow, sizeof narrow);
        else if (t->kind == CC_DOUBLE)
            crc = cc_crc_bytes(crc, &f->value.f, sizeof f->value.f);
        else
            crc = cc_crc_u64(crc, (uint64_t)f->value.i);
        if (t->bits > 64 && cc_is_integer(t))
            crc = cc_crc_u64(crc, (uint64_t)((cc_uwide)f->value.i >> 64));
    }
    return cc_crc_end(crc);
}

/* -- programs of checks ----------------------------------------------------------------------- */

struct checks {
    struct world w;
    struct cc_var *bad;
    VEC(struct cc_expr *) trees;
    struct cc_stmt *body; /* of the function being filled */
};

static void checks_init(struct checks *k, struct bench *b, struct choice *c, bool wrappers)
{
    start(b, &cc_lp64);
    *k = (struct checks){.w = {.b = b, .c = c, .wrappers = wrappers}};
    k->bad = cc_global(&b->p, "g_bad", basic(b, CC_INT), constant(b, CC_INT, 0));
}

static void checks_add(struct checks *k, struct cc_expr *tree)
{
    struct cc_program *p = &k->w.b->p;
    union cc_scalar v = {0};
    if (!value_of(&k->w, tree, &v))
        return;
    if (k->trees.n % 200 == 0) {
        struct cc_func *f = cc_function(p, arena_printf(p->arena, "func_%zu", k->trees.n / 200 + 2),
                                        basic(k->w.b, CC_VOID), NULL, 0);
        k->body = f->body = cc_block(p);
    }
    vec_push(&k->trees, tree);
    struct cc_expr *differs = cc_binary(p, CC_NE, tree, value_node(&k->w, tree->type, v));
    struct cc_expr *number = constant(k->w.b, CC_INT, (cc_wide)k->trees.n);
    struct cc_expr *note = cc_assign(p, CC_NONE, cc_use(p, k->bad), number);
    cc_append(k->body, cc_if(p, differs, cc_expr_stmt(p, note), NULL));
}

static void checks_finish(struct checks *k)
{
    struct cc_program *p = &k->w.b->p;
    size_t n = p->funcs.n;
    struct cc_func *entry = cc_function(p, "func_1", basic(k->w.b, CC_VOID), NULL, 0);
    entry->body = cc_block(p);
    for (size_t i = 0; i < n; i++)
        cc_append(entry->body,
                  cc_expr_stmt(p, cc_call(p, cc_func_use(p, p->funcs.at[i]), NULL, 0)));
    p->entry = entry;
    cc_make_main(p, NULL);
}

static void checks_release(struct checks *k)
{
    vec_release(&k->trees);
    stop(k->w.b);
}

/* Run what was compiled: its checksum says whether and, if so, which check failed. */
static void checks_run(struct checks *k, const char *what)
{
    struct bench *b = k->w.b;
    const char *const argv[] = {"./program", NULL};
    char wanted[64];
    bool ran = run(b, argv, NULL);
    snprintf(wanted, sizeof wanted, "checksum = %X\n", expected_checksum(&k->w, 0));
    if (ok(ran && !strcmp(b->r.out.s, wanted), "%s: %zu trees", what, k->trees.n))
        return;
    printf("# %s %d, %s# wanted %s", child_end_name[b->r.end], b->r.status, b->r.out.s, wanted);
    tap_note("standard error", b->r.err.s);
    for (size_t i = 0; i < k->trees.n; i++) {
        snprintf(wanted, sizeof wanted, "checksum = %X\n", expected_checksum(&k->w, (int)i + 1));
        if (strcmp(b->r.out.s, wanted))
            continue;
        strbuf_clear(&b->text);
        cc_print_expr(&b->p, k->trees.at[i], &b->text);
        tap_note("the last that failed", b->text.s);
    }
}

static void checks_compile_and_run(struct checks *k, const struct compiler *c,
                                   enum cc_wrappers wrappers, bool plain_types, const char *extra,
                                   const char *what)
{
    struct bench *b = k->w.b;
    struct cc_print_options o = {
        .language = c->language, .wrappers = wrappers, .plain_types = plain_types, .header = what};
    char title[160];
    snprintf(title, sizeof title, "%s, %s %s", what, c->name, extra);
    if (!exists(b, c->name)) {
        tap_skip(title, "no such compiler");
        return;
    }
    strbuf_clear(&b->text);
    cc_print_unit(&b->p, &o, &b->text);
    if (ok(compile(b, c, extra), "%s: compiles", title))
        checks_run(k, title);
    else if (getenv("ASSAY_KEEP_TEXT"))
        fs_write(getenv("ASSAY_KEEP_TEXT"), b->text.s, b->text.n, NULL);
}

static void test_round_trips(struct bench *b)
{
    static const struct {
        enum cc_wrappers wrappers;
        bool wrapped, plain;
        const char *what;
    } modes[] = {
        {CC_WRAP_NONE, false, false, "bare"},
        {CC_WRAP_FUNCTIONS, true, false, "functions"},
        {CC_WRAP_MACROS, true, true, "macros"},
    };
    for (int m = 0; m < 3; m++) {
        struct choice c;
        struct checks k;
        choice_init_random(&c, 100 + (uint64_t)m);
        checks_init(&k, b, &c, modes[m].wrapped);
        add_fixtures(&k.w);
        while ((int)k.trees.n < tap_amount(TREES / 2, TREES))
            checks_add(&k, random_tree(&k.w, DEPTH));
        checks_finish(&k);
        for (int i = 0; i < COMPILERS; i += tap_amount(COMPILERS - 1, 1))
            checks_compile_and_run(&k, &compilers[i], modes[m].wrappers, modes[m].plain, "-O0",
                                   modes[m].what);
        checks_release(&k);
        choice_release(&c);
    }
}

/* -- wrappers at corners ---------------------------------------------------------------------- */

enum { CORNERS = 9 };

static void corners(const struct cc_type *t, cc_wide out[CORNERS])
{
    cc_wide least = cc_int_min(t), most = (cc_wide)cc_int_max(t);
    cc_wide values[CORNERS] = {0, 1, -1, least, least + 1, most, most - 1, t->bits, t->bits - 1};
    memcpy(out, values, sizeof values);
}

/* A variable for each corner of each kind: constants would be folded before they reach a wrapper.
 */
static struct cc_expr *corner_use(struct checks *k, enum cc_kind kind, int corner)
{
    int at = ((int)kind - CC_INT) * CORNERS + corner;
    return cc_use(&k->w.b->p, k->w.fixtures[at].var);
}

static void add_corner_checks(struct checks *k, enum cc_kind kind)
{
    struct cc_program *p = &k->w.b->p;
    for (int i = 0; i < CORNERS; i++) {
        struct cc_expr *minus = cc_unary(p, CC_MINUS, corner_use(k, kind, i));
        cc_make_safe(minus);
        checks_add(k, minus);
        for (int op = CC_ADD; op <= CC_SHR; op++)
            for (int right = CC_INT; right <= CC_UINT128; right++) {
                if (op < CC_SHL && right != (int)kind)
                    continue;
                for (int j = 0; j < CORNERS; j++) {
                    struct cc_expr *e = cc_binary(p, (enum cc_op)op, corner_use(k, kind, i),
                                                  corner_use(k, (enum cc_kind)right, j));
                    cc_make_safe(e);
                    checks_add(k, e);
                }
            }
    }
}

static void add_corner_fixtures(struct checks *k, enum cc_kind kind)
{
    struct cc_program *p = &k->w.b->p;
    const struct cc_type *type = basic(k->w.b, kind);
    cc_wide values[CORNERS];
    corners(type, values);
    for (int i = 0; i < CORNERS; i++) {
        union cc_scalar v = {.i = cc_wrap(type, values[i])};
        char name[16];
        snprintf(name, sizeof name, "g_%d_%d", kind, i);
        add_fixture(&k->w, cc_global(p, name, type, value_node(&k->w, type, v)), -1, v);
    }
}

/* Conversions from floats at the edges of every integer type. */
static void add_conversion_checks(struct checks *k, enum cc_kind from)
{
    struct cc_program *p = &k->w.b->p;
    for (int to = CC_CHAR; to <= CC_UINT128; to++) {
        const struct cc_type *type = basic(k->w.b, (enum cc_kind)to);
        double least = (double)cc_int_min(type);
        double most = (double)(cc_int_max(type) / 2 + 1) * 2; /* one more than fits */
        double values[] = {0,
                           -0.5,
                           -1,
                           least,
                           least - 0.5,
                           least - 1,
                           nextafter(least, -1e300),
                           most,
                           nextafter(most, 0),
                           most - 0.5,
                           1e300,
                           -1e300,
                           HUGE_VAL,
                           -HUGE_VAL};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            struct cc_expr *v = cc_float(p, basic(k->w.b, from), values[i], CC_DECIMAL);
            struct cc_expr *e = cc_cast(p, type, v);
            cc_make_safe(e);
            checks_add(k, e);
        }
    }
}

static void test_wrappers(struct bench *b)
{
    for (int macros = 0; macros < 2; macros++) {
        struct checks k;
        checks_init(&k, b, NULL, true);
        for (int kind = CC_INT; kind <= CC_UINT128; kind++)
            add_corner_fixtures(&k, (enum cc_kind)kind);
        for (int kind = CC_INT; kind <= CC_UINT128; kind++)
            add_corner_checks(&k, (enum cc_kind)kind);
        add_conversion_checks(&k, CC_FLOAT);
        add_conversion_checks(&k, CC_DOUBLE);
        checks_finish(&k);
        enum cc_wrappers mode = macros ? CC_WRAP_MACROS : CC_WRAP_FUNCTIONS;
        const char *what = macros ? "macros at corners" : "functions at corners";
        /* clang++ would say what clang and g++ say */
        for (int i = tap_amount(!macros, 0); i < tap_amount(!macros + 1, 3); i++)
            checks_compile_and_run(&k, &compilers[i], mode, false,
                                   i == 1 ? "-fsanitize=undefined,float-cast-overflow" : "-O0",
                                   what);
        checks_release(&k);
    }
}

/* -- whole units ------------------------------------------------------------------------------ */

/* A program with some of everything: what it computes is not the point, only that every language,
 * mode and partition into units computes the same. */
struct zoo {
    const struct cc_type *enumeration, *packed, *choice, *pair;
    struct cc_var *count, *flag, *color, *record, *either, *matrix, *table, *pointer, *limit, *real;
    struct cc_func *twice, *mix;
    struct cc_stmt *last; /* a return */
};

static void zoo_types(struct bench *b, struct zoo *z)
{
    struct cc_program *p = &b->p;
    struct cc_types *t = &p->types;
    struct cc_enumerator values[] = {{"E0_A", 0}, {"E0_B", 3}, {"E0_C", 9}};
    z->enumeration = cc_enum_type(t, "E0", values, 3);
    struct cc_field packed[] = {
        {.name = "f0", .type = basic(b, CC_SCHAR), .bits = -1},
        {.name = "f1", .type = basic(b, CC_INT), .bits = 7},
        {.name = NULL, .type = basic(b, CC_INT), .bits = 0},
        {.name = "f2", .type = cc_qualified(t, basic(b, CC_UINT), CC_VOLATILE), .bits = 20},
        {.name = "f3", .type = basic(b, CC_LLONG), .bits = -1}};
    z->packed = cc_record_type(t, "S0", false, true, packed, 5);
    struct cc_field either[] = {{.name = "f0", .type = basic(b, CC_SHORT), .bits = -1},
                                {.name = "f1", .type = basic(b, CC_UINT), .bits = -1}};
    z->choice = cc_record_type(t, "U0", true, false, either, 2);
    struct cc_field pair[] = {{.name = "f0", .type = z->enumeration, .bits = -1},
                              {.name = "f1", .type = basic(b, CC_UCHAR), .bits = -1}};
    z->pair = cc_record_type(t, "S1", false, false, pair, 2);
    cc_record_type(t, "S2", false, false, pair, 2); /* unused: not printed */
}

static void zoo_globals(struct bench *b, struct zoo *z)
{
    struct cc_program *p = &b->p;
    struct cc_types *t = &p->types;
    z->count = cc_global(p, "g_count", basic(b, CC_INT), constant(b, CC_INT, INT32_MAX - 1));
    z->flag = cc_global(p, "g_flag", basic(b, CC_BOOL), constant(b, CC_INT, 0));
    z->color = cc_global(p, "g_color", z->enumeration, cc_int(p, z->enumeration, 3, CC_ENUMERATOR));
    struct cc_expr *fields[] = {N(-1), N(-3), N(1000), N(5)};
    z->record = cc_global(p, "g_record", z->packed, cc_list(p, z->packed, fields, 4, 0));
    struct cc_expr *member = constant(b, CC_INT, 0x12345678);
    z->either = cc_global(p, "g_either", z->choice, cc_list(p, z->choice, &member, 1, 1));
    struct cc_expr *rows[40];
    for (int i = 0; i < 40; i++) {
        struct cc_expr *row[] = {constant(b, CC_LLONG, -i), constant(b, CC_INT, i)};
        rows[i] = cc_list(p, cc_array_of(t, basic(b, CC_SHORT), 2), row, 2, 0);
    }
    const struct cc_type *matrix = cc_array_of(t, cc_array_of(t, basic(b, CC_SHORT), 2), 40);
    z->matrix = cc_global(p, "g_matrix", matrix, cc_list(p, matrix, rows, 40, 0));
    z->limit = cc_global(p, "g_limit", cc_qualified(t, basic(b, CC_LLONG), CC_CONST),
                         constant(b, CC_LLONG, INT64_MIN));
    z->limit->storage = CC_EXTERN;
    const struct cc_type *row = cc_pointer_to(t, cc_array_of(t, basic(b, CC_SHORT), 2));
    z->pointer =
        cc_global(p, "g_pointer", row, cc_addr(p, cc_index(p, cc_use(p, z->matrix), N(2))));
    z->pointer->storage = CC_EXTERN;
    z->real = cc_global(p, "g_real", basic(b, CC_FLOAT),
                        cc_float(p, basic(b, CC_DOUBLE), 1e9, CC_DECIMAL));
    z->count->align = 16;
}

static struct cc_expr *safe(struct cc_expr *e)
{
    cc_make_safe(e);
    e->needed = true;
    return e;
}

static void zoo_functions(struct bench *b, struct zoo *z)
{
    struct cc_program *p = &b->p;
    const struct cc_type *type = basic(b, CC_INT);
    struct cc_var *x = cc_param(p, "p_1", type);
    z->twice = cc_function(p, "func_2", type, &x, 1);
    z->twice->attributes = CC_ATTR_NOINLINE | CC_ATTR_COLD;
    z->twice->comment = "reads and writes:\ng_count";
    z->twice->body = cc_block(p);
    cc_append(z->twice->body,
              cc_return(p, z->twice, safe(cc_binary(p, CC_MUL, cc_use(p, x), N(2)))));
    struct cc_var *y = cc_param(p, "p_2", z->enumeration);
    z->mix = cc_function(p, "func_3", z->enumeration, &y, 1);
    z->mix->attributes = CC_ATTR_INLINE | CC_ATTR_ALWAYS_INLINE;
    z->mix->body = cc_block(p);
    struct cc_stmt *cases = cc_block(p);
    cc_append(cases, cc_case(p, 3));
    cc_append(cases, cc_return(p, z->mix, cc_binary(p, CC_ADD, cc_use(p, y), N(6))));
    cc_append(cases, cc_stmt(p, CC_S_DEFAULT));
    cc_append(cases, cc_stmt(p, CC_S_BREAK));
    cc_append(z->mix->body, cc_switch(p, cc_use(p, y), cases));
    z->last = cc_return(p, z->mix, cc_int(p, z->enumeration, 0, CC_ENUMERATOR));
    cc_append(z->mix->body, z->last);
    z->table =
        cc_global(p, "g_table", cc_pointer_to(&p->types, z->twice->type), cc_func_use(p, z->twice));
}

static void does(struct bench *b, struct cc_stmt *block, struct cc_expr *e)
{
    cc_append(block, cc_expr_stmt(&b->p, e));
}

static void zoo_entry(struct bench *b, struct zoo *z)
{
    struct cc_program *p = &b->p;
    struct cc_func *f = cc_function(p, "func_1", basic(b, CC_VOID), NULL, 0);
    struct cc_stmt *block = f->body = cc_block(p), *label = cc_label(p, "lbl_1");
    struct cc_expr *arg = USE(z->count), *color = USE(z->color);
    p->entry = f;
    cc_append(block, label);
    does(b, block, safe(cc_incdec(p, CC_ADD, false, USE(z->count))));
    does(b, block, safe(cc_incdec(p, CC_ADD, false, USE(z->count)))); /* stays at INT_MAX */
    does(b, block, cc_assign(p, CC_NONE, USE(z->count), cc_call(p, USE(z->table), &arg, 1)));
    does(b, block, safe(cc_assign(p, CC_SHL, cc_member(p, USE(z->record), 4), N(3))));
    does(b, block, safe(cc_assign(p, CC_DIV, cc_member(p, USE(z->record), 3), N(0))));
    does(b, block, safe(cc_assign(p, CC_SUB, cc_member(p, USE(z->record), 0), N(100))));
    does(b, block, cc_incdec(p, CC_ADD, false, USE(z->flag)));
    does(b, block, cc_incdec(p, CC_ADD, true, USE(z->color)));
    does(b, block, cc_assign(p, CC_SUB, USE(z->color), N(1)));
    does(b, block,
         cc_assign(p, CC_NONE, USE(z->color), cc_call(p, cc_func_use(p, z->mix), &color, 1)));
    does(b, block,
         cc_assign(p, CC_ADD, cc_index(p, cc_deref(p, USE(z->pointer)), N(1)),
                   cc_binary(p, CC_LT, USE(z->color), N(-1)))); /* unsigned: true */
    struct cc_expr *parts[] = {cc_int(p, z->enumeration, 9, CC_ENUMERATOR), USE(z->count)};
    struct cc_expr *literal = cc_literal(p, z->pair, cc_list(p, z->pair, parts, 2, 0));
    does(b, block,
         cc_assign(p, CC_ADD, cc_index(p, cc_index(p, USE(z->matrix), N(7)), N(0)),
                   safe(cc_binary(p, CC_MUL, cc_member(p, literal, 1), USE(z->count)))));
    does(b, block,
         cc_assign(p, CC_ADD, cc_index(p, cc_index(p, USE(z->matrix), N(8)), N(0)),
                   safe(cc_cast(p, basic(b, CC_SHORT), USE(z->real)))));
    struct cc_stmt *again = cc_goto(p, label), *inner = cc_block(p);
    does(b, inner, cc_assign(p, CC_NONE, USE(z->flag), N(0)));
    cc_append(inner, again);
    cc_append(block, cc_if(p, cc_binary(p, CC_EQ, USE(z->color), N(9)), inner, NULL));
    struct cc_var *local = cc_local(p, "l_1", basic(b, CC_LLONG), NULL);
    local->storage = CC_STATIC;
    cc_append(block, cc_decl(p, local));
    does(b, block, cc_assign(p, CC_NONE, USE(local), USE(z->limit)));
    does(b, block, cc_assign(p, CC_XOR, cc_member(p, USE(z->record), 4), USE(local)));
}

static int zoo_union_member(void *of, const struct cc_var *v, const int *path, int n)
{
    (void)of, (void)v, (void)path, (void)n;
    return 1;
}

static void zoo_build(struct bench *b, struct zoo *z)
{
    const struct cc_final final = {.union_member = zoo_union_member};
    start(b, &cc_lp64);
    *z = (struct zoo){0};
    zoo_types(b, z);
    zoo_globals(b, z);
    zoo_functions(b, z);
    zoo_entry(b, z);
    cc_make_main(&b->p, &final);
}

/* Compile n units together and run the program with an argument; its output is in b->r.out. */
static bool zoo_run(struct bench *b, const struct compiler *c, struct cc_print_options o,
                    const char *argument)
{
    static const char *const names[2][2] = {{"zoo0.c", "zoo1.c"}, {"zoo0.cc", "zoo1.cc"}};
    const char *argv[24] = {c->name};
    const char *const program[] = {"./program", argument, NULL};
    int n = 1;
    for (int i = 2; i < 6 && c->options[i]; i++)
        argv[n++] = c->options[i];
    argv[n++] = "-Wall";
    argv[n++] = "-Werror";
    argv[n++] = "-Wno-unused-value"; /* a matter of the program */
    argv[n++] = "-Wno-sign-compare";
    argv[n++] = "-Wno-bool-operation";
    argv[n++] = "-Wno-c99-designator";
    argv[n++] = "-o";
    argv[n++] = "program";
    o.language = c->language;
    for (int i = 0; i < b->p.n_units; i++) {
        char path[512];
        o.unit = i;
        strbuf_clear(&b->text);
        cc_print_unit(&b->p, &o, &b->text);
        argv[n] = names[o.language == CC_CXX17][i];
        snprintf(path, sizeof path, "%s/%s", b->folder, argv[n++]);
        if (fs_write(path, b->text.s, b->text.n, NULL))
            return false;
    }
    if (getenv("ASSAY_KEEP_TEXT"))
        fs_write(getenv("ASSAY_KEEP_TEXT"), b->text.s, b->text.n, NULL);
    if (!run(b, argv, NULL)) {
        tap_note(c->name, b->r.err.s);
        return false;
    }
    return run(b, program, NULL);
}

static void test_units(struct bench *b)
{
    static const struct {
        const char *name;
        struct cc_print_options o;
        int units;
    } ways[] = {
        {"functions", {.wrappers = CC_WRAP_FUNCTIONS}, 1},
        {"macros", {.wrappers = CC_WRAP_MACROS}, 1},
        {"needed, plain", {.wrappers = CC_WRAP_NEEDED, .plain_types = true}, 1},
        {"two units", {.wrappers = CC_WRAP_FUNCTIONS}, 2},
        {"two units, no attributes", {.wrappers = CC_WRAP_MACROS, .no_attributes = true}, 2},
    };
    struct zoo z;
    char first[1 << 14] = "";
    for (int c = 0; c < COMPILERS; c++) {
        if (!exists(b, compilers[c].name)) {
            tap_skip(compilers[c].name, "no such compiler");
            continue;
        }
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            zoo_build(b, &z);
            b->p.n_units = ways[i].units;
            z.twice->unit = z.limit->unit = z.matrix->unit = ways[i].units - 1;
            bool ran = zoo_run(b, &compilers[c], ways[i].o, "1");
            if (!*first)
                snprintf(first, sizeof first, "%s", b->r.out.s);
            ok(ran && strstr(first, "\nchecksum = ") && !strcmp(first, b->r.out.s),
               "one program, %s, %s", compilers[c].name, ways[i].name);
            stop(b);
        }
    }
    has_str(first, "...checksum after hashing g_count : ", "a variable is named");
    has_str(first, "...checksum after hashing g_matrix[i][j] : ", "an element");
    has_str(first, "\nindex = [39][1]\n", "and its index");
    has_str(first, "...checksum after hashing g_either.f1 : ", "a member of a union");
}

/* `line` of each statement is where its text stands. */
static void test_lines(struct bench *b)
{
    static const char *const starts[CC_N_STMT] = {
        [CC_S_IF] = "if ",      [CC_S_FOR] = "for ",     [CC_S_SWITCH] = "switch ",
        [CC_S_CASE] = "case ",  [CC_S_BREAK] = "break;", [CC_S_RETURN] = "return ",
        [CC_S_GOTO] = "goto ",  [CC_S_LABEL] = "lbl_1:", [CC_S_DEFAULT] = "default:",
        [CC_S_DECL] = "static "};
    struct zoo z;
    struct cc_print_options o = {.header = "a header\nof two lines"};
    int seen = 0, wrong = 0;
    zoo_build(b, &z);
    strbuf_clear(&b->text);
    cc_print_unit(&b->p, &o, &b->text);
    for (size_t i = 0; i < b->p.blocks.n; i++)
        for (size_t j = 0; j < b->p.blocks.at[i]->list.n; j++) {
            const struct cc_stmt *s = b->p.blocks.at[i]->list.at[j];
            const char *text = b->text.s;
            for (uint32_t line = 1; line < s->line && text; line++)
                text = strchr(text, '\n') + 1;
            if (!starts[s->kind] || (s->kind == CC_S_DECL && s->var->storage != CC_STATIC))
                continue;
            text += strspn(text, " ");
            seen++;
            wrong += s->line == 0 || strncmp(text, starts[s->kind], strlen(starts[s->kind])) != 0;
        }
    ok(seen > 8 && !wrong, "lines of %d statements, %d wrong", seen, wrong);
    has_str(b->text.s, "/* a header\n * of two lines */\n", "the header");
    has_str(b->text.s, "/* reads and writes:\n * g_count */\nstatic ATTRIBUTE((noinline, cold)) ",
            "a function's comment and attributes");
    has_str(b->text.s,
            "#pragma pack(push, 1)\nstruct S0 {\n    int8_t f0;\n    signed f1 : 7;\n"
            "    signed : 0;\n    volatile unsigned f2 : 20;\n    int64_t f3;\n};\n"
            "#pragma pack(pop)\n",
            "a packed record");
    has_str(b->text.s, "enum E0 { E0_A = 0, E0_B = 3, E0_C = 9 };\n", "an enumeration");
    has_str(b->text.s, "\n_Alignas(16) static int32_t g_count = 2147483646;\n", "an alignment");
    has_str(b->text.s, "g_record.f3 = safe_lshift_func_int64_t_s_s(g_record.f3, 3);\n",
            "a wrapped <<=");
    has_str(b->text.s, "\nint16_t (*g_pointer)[2] = &g_matrix[2];\n", "an external global");
    ok(!strstr(b->text.s, "struct S2"), "an unused record is left out");
    ok(!strstr(b->text.s, "typedef unsigned long long"), "so is an unused typedef");
    size_t widest = 0;
    for (const char *line = b->text.s; *line; line += strcspn(line, "\n") + 1)
        widest = strcspn(line, "\n") > widest ? strcspn(line, "\n") : widest;
    ok(widest < 120, "no line is wider than 120 columns: %zu", widest);
    stop(b);
}

/* A constant's text has just the type of its node: asked of the compiler by _Generic. */
static void test_constant_types(struct bench *b)
{
    static const enum cc_spelling spellings[] = {CC_DECIMAL, CC_HEX, CC_OCTAL, CC_BINARY_DIGITS};
    start(b, &cc_lp64);
    strbuf_clear(&b->text);
    strbuf_adds(&b->text, "typedef int int32_t; typedef unsigned uint32_t;\n"
                          "typedef long long int64_t; typedef unsigned long long uint64_t;\n");
    for (int kind = CC_INT; kind <= CC_UINT128; kind++)
        for (int s = 0; s < 4; s++) {
            const struct cc_type *type = basic(b, (enum cc_kind)kind);
            cc_wide values[CORNERS];
            corners(type, values);
            for (int i = 0; i < CORNERS; i++) {
                strbuf_adds(&b->text, "_Static_assert(_Generic((");
                cc_print_expr(&b->p, cc_int(&b->p, type, values[i], spellings[s]), &b->text);
                strbuf_adds(&b->text, "), ");
                cc_print_declarator(type, "", &b->text);
                strbuf_adds(&b->text, ": 1, default: 0), \"\");\n");
            }
        }
    strbuf_adds(&b->text, "int main(void) { return 0; }\n");
    for (int c = 0; c < 2; c++)
        ok(compile(b, &compilers[c], "-O0"), "types of constants, %s", compilers[c].name);
    stop(b);
}

int main(void)
{
    struct bench b = {0};
    struct error e = {0};
    strbuf_init(&b.text, 0);
    child_result_init(&b.r, 1 << 20, 1 << 20);
    if (fs_make_temp_dir("assay-print", b.folder, sizeof b.folder, &e)) {
        printf("Bail out! %s\n", e.message);
        return 1;
    }
    test_precedence(&b);
    test_objects(&b);
    test_declarators(&b);
    test_constants(&b);
    test_statements(&b);
    test_constant_types(&b);
    test_lines(&b);
    test_units(&b);
    test_round_trips(&b);
    test_wrappers(&b);
    fs_remove_tree(b.folder);
    child_result_release(&b.r);
    strbuf_release(&b.text);
    return tap_done();
}
