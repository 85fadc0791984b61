/* GNU vectors from the tree to the machine: their rules, one lane at a time; their text; and
 * programs with every operator on every type of vector, which must print what the interpreter says
 * with each compiler, without a warning and without a word from UBSan. */
#include "base/child.h"
#include "base/choice.h"
#include "base/fs.h"
#include "interp/make.h"

#define VECTOR(t, n) cc_vector_type(&P->types, (t), (n))
#define V4 VECTOR(INT, 4)
#define FOUR(t, a, b, c, d) LIST(VECTOR(t, 4), N(t, a), N(t, b), N(t, c), N(t, d))
#define COPY(a, b, c, d) cc_literal(P, V4, FOUR(INT, a, b, c, d))

/* -- violations ------------------------------------------------------------------------------- */

/* Two vectors of the type, the second operand's third lane being `bad`, and what comes of them. */
static void lanes(enum cc_op op, enum cc_kind kind, cc_wide left, cc_wide right)
{
    const struct cc_type *t = BASIC(kind), *v = VECTOR(t, 16 / t->size);
    struct cc_expr *x[16], *y[16];
    for (uint32_t i = 0; i < v->length; i++) {
        x[i] = N(t, i == 2 % v->length ? left : 1);
        y[i] = N(t, i == 2 % v->length ? right : 1);
    }
    struct cc_var *a = global("a", v, cc_list(P, v, x, (int)v->length, 0));
    struct cc_var *b = global("b", v, cc_list(P, v, y, (int)v->length, 0));
    local("c", v, BIN(op, V(a), V(b)));
    eval(ASSIGN_OP(op, V(a), V(b)));
}

static void sum_of_ints(bool bad)
{
    lanes(CC_ADD, CC_INT, INT32_MAX, bad);
}
static void sum_of_chars(bool bad)
{
    lanes(CC_ADD, CC_SCHAR, INT8_MAX, bad);
}
static void product_of_shorts(bool bad)
{
    lanes(CC_MUL, CC_SHORT, 256, bad ? 128 : 127);
}
static void difference_of_longs(bool bad)
{
    lanes(CC_SUB, CC_LLONG, INT64_MIN, bad);
}
static void zero_divisor(bool bad)
{
    lanes(CC_DIV, CC_UINT, 5, !bad);
}
static void zero_modulus(bool bad)
{
    lanes(CC_REM, CC_CHAR, 5, !bad);
}
static void least_quotient(bool bad)
{
    lanes(CC_DIV, CC_SHORT, INT16_MIN, bad ? -1 : 1);
}
static void count_too_large(bool bad)
{
    lanes(CC_SHR, CC_UCHAR, 200, bad ? 8 : 7);
}
static void count_negative(bool bad)
{
    lanes(CC_SHL, CC_INT, 1, bad ? -1 : 1);
}
static void shifted_out(bool bad)
{
    lanes(CC_SHL, CC_SHORT, 1, bad ? 15 : 14);
}

static void negated_least(bool bad)
{
    struct cc_var *a = global("a", V4, FOUR(INT, 1, 2, 3, INT32_MIN + !bad));
    set(V(a), cc_unary(P, CC_MINUS, V(a)));
}

static void float_quotient(bool bad)
{
    const struct cc_type *v = VECTOR(DOUBLE, 2);
    struct cc_var *a = global("a", v, LIST(v, D(1), D(2)));
    struct cc_var *b = global("b", v, LIST(v, D(1), D(!bad)));
    set(V(a), BIN(CC_DIV, V(a), V(b)));
}

static void lane_outside(bool bad)
{
    struct cc_var *a = global("a", V4, FOUR(INT, 1, 2, 3, 4)), *i = global("i", INT, I(3 + bad));
    set(AT(V(a), V(i)), I(9));
}

static void lane_before(bool bad)
{
    struct cc_var *a = global("a", V4, FOUR(INT, 1, 2, 3, 4)), *x = global("x", INT, NULL);
    set(V(x), AT(V(a), I(-bad)));
}

static void lane_not_set(bool bad)
{
    struct cc_var *x = global("x", INT, NULL), *a = local("a", V4, NULL);
    set(AT(V(a), I(1)), I(5));
    set(V(x), AT(V(a), I(bad ? 2 : 1)));
}

static void some_lane_not_set(bool bad)
{
    struct cc_var *a = local("a", V4, NULL);
    for (int i = 0; i < 4 - bad; i++)
        set(AT(V(a), I(i)), I(i));
    local("b", V4, V(a));
}

/* A record is copied whatever it holds, also if that is a vector. */
static void copied_in_record(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("v", V4));
    struct cc_var *a = local("a", s, NULL), *b = local("b", s, NULL);
    set(V(b), V(a));
    if (bad)
        local("c", V4, DOT(V(b), 0));
}

static void const_lane(bool bad)
{
    struct cc_var *a = global("a", QUAL(V4, bad ? CC_CONST : 0), FOUR(INT, 1, 2, 3, 4));
    set(AT(DEREF(CAST(PTR(V4), ADDR(V(a)))), I(1)), I(7));
}

static void volatile_vector(bool bad)
{
    struct cc_var *a = global("a", QUAL(V4, CC_VOLATILE), FOUR(INT, 1, 2, 3, 4));
    const struct cc_type *seen = bad ? V4 : QUAL(V4, CC_VOLATILE);
    struct cc_var *g = global("g", V4, NULL);
    set(V(g), DEREF(CAST(PTR(seen), ADDR(V(a)))));
}

static void unsequenced_operands(bool bad)
{
    struct cc_var *a = global("a", V4, NULL), *b = global("b", V4, NULL);
    struct cc_expr *store = ASSIGN(V(bad ? a : b), COPY(1, 2, 3, 4));
    local("c", V4, ADD(store, V(a)));
}

static void unsequenced_lanes(bool bad)
{
    struct cc_var *a = global("a", V4, NULL);
    set(AT(V(a), I(1)), ADD(INC(AT(V(a), I(2))), AT(V(a), I(bad ? 2 : 3))));
}

static void member_not_stored(bool bad)
{
    const struct cc_type *u = UNION("U", FIELD("i", INT), FIELD("v", V4));
    struct cc_var *a = global("a", u, NULL), *g = global("g", INT, NULL);
    if (!bad)
        set(DOT(V(a), 1), COPY(1, 2, 3, 4));
    set(V(g), AT(DOT(V(a), 1), I(0)));
}

static void bytes_of_vector(bool bad)
{
    const struct cc_type *u = UNION("U", FIELD("v", V4), FIELD("i", INT));
    struct cc_var *a = global("a", u, NULL), *g = global("g", INT, NULL);
    if (!bad)
        set(DOT(V(a), 1), I(3));
    set(V(g), DOT(V(a), 1));
}

static void other_type(bool bad)
{
    struct cc_var *a = global("a", V4, NULL), *g = global("g", VECTOR(UINT, 4), NULL);
    struct cc_var *b = global("b", VECTOR(UINT, 4), NULL);
    set(V(g), DEREF(CAST(PTR(VECTOR(UINT, 4)), CAST(PTR(VOID), ADDR(V(bad ? a : b))))));
}

static void misaligned(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 8), NULL);
    a->align = 16;
    local("p", PTR(V4), CAST(PTR(V4), ADDR(AT(V(a), I(bad ? 1 : 4)))));
}

static void nothing_returned(bool bad)
{
    struct cc_func *f = function("f", V4, NULL, NULL);
    if (!bad)
        give(COPY(1, 2, 3, 4));
    end_function();
    local("c", V4, CALL(f));
}

static const struct {
    enum cc_ub rule;
    const char *name;
    void (*make)(bool bad);
} cases[] = {
    {CC_UB_OVERFLOW, "sum of ints", sum_of_ints},
    {CC_UB_OVERFLOW, "sum of chars, which are not promoted", sum_of_chars},
    {CC_UB_OVERFLOW, "product of shorts", product_of_shorts},
    {CC_UB_OVERFLOW, "difference of long longs", difference_of_longs},
    {CC_UB_OVERFLOW, "minus", negated_least},
    {CC_UB_DIVISION, "quotient", zero_divisor},
    {CC_UB_DIVISION, "remainder", zero_modulus},
    {CC_UB_DIVISION, "quotient of doubles", float_quotient},
    {CC_UB_QUOTIENT, "quotient of shorts", least_quotient},
    {CC_UB_SHIFT_COUNT, "count of a char's width", count_too_large},
    {CC_UB_SHIFT_COUNT, "negative count", count_negative},
    {CC_UB_SHIFT_LEFT, "left shift into the sign", shifted_out},
    {CC_UB_BOUNDS, "store behind the last lane", lane_outside},
    {CC_UB_BOUNDS, "read before the first lane", lane_before},
    {CC_UB_UNINITIALISED, "one lane", lane_not_set},
    {CC_UB_UNINITIALISED, "a vector with such a lane", some_lane_not_set},
    {CC_UB_UNINITIALISED, "a vector in a record", copied_in_record},
    {CC_UB_CONST_WRITE, "a lane", const_lane},
    {CC_UB_VOLATILE_ACCESS, "a vector", volatile_vector},
    {CC_UB_UNSEQUENCED, "operands", unsequenced_operands},
    {CC_UB_UNSEQUENCED, "lanes", unsequenced_lanes},
    {CC_UB_UNION_MEMBER, "a lane of a vector that is not active", member_not_stored},
    {CC_UB_UNION_MEMBER, "an integer from a vector", bytes_of_vector},
    {CC_UB_EFFECTIVE_TYPE, "lanes of another sign", other_type},
    {CC_UB_ALIGNMENT, "a pointer to a vector", misaligned},
    {CC_UB_NO_RETURN_VALUE, "a function of vector type", nothing_returned},
};

static void violations(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int bad = 0; bad < 2; bad++) {
            begin(&cc_lp64);
            cases[i].make(bad);
            enum cc_ub wanted = bad ? cases[i].rule : CC_UB_NONE, got = run();
            struct strbuf text;
            strbuf_init(&text, 0);
            interp_explain(make_interp, &text);
            if (!ok(got == wanted, "%s: %s%s", cc_ub_rules[cases[i].rule].name, cases[i].name,
                    bad ? "" : ", not violated"))
                tap_note("got", text.s);
            strbuf_release(&text);
            finish();
        }
    }
}

/* -- values ----------------------------------------------------------------------------------- */

static void is_value(struct cc_var *v, const char *wanted)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    interp_value_text(make_interp, v, &b);
    is_str(b.s, wanted, "%s is %s", v->name, wanted);
    strbuf_release(&b);
}

static void values(void)
{
    begin(&cc_lp64);
    const struct cc_type *bytes = VECTOR(UCHAR, 8), *floats = VECTOR(FLOAT, 2);
    struct cc_var *a = global("a", V4, FOUR(INT, 1, -2, 3, 4));
    struct cc_var *b = global("b", V4, LIST(V4, I(2), I(-2)));
    struct cc_var *less = global("less", V4, NULL), *shown = global("shown", V4, NULL);
    struct cc_var *wrapped = global("wrapped", bytes, LIST(bytes, N(UCHAR, 255), N(UCHAR, 1)));
    struct cc_var *f = global("f", floats, LIST(floats, D(0.5), I(3)));
    struct cc_var *order = global("order", VECTOR(INT, 2), NULL);
    struct cc_var *table = global("table", ARRAY(V4, 2), NULL);
    struct cc_var *n = global("n", INT, I(1));
    set(V(less), BIN(CC_LT, V(a), V(b)));
    set(V(shown), cc_cond(P, V(n), ADD(V(a), cc_unary(P, CC_COMPL, V(b))), V(b)));
    eval(ASSIGN_OP(CC_ADD, V(wrapped), V(wrapped)));
    eval(ASSIGN_OP(CC_MUL, V(f), V(f)));
    set(V(order), BIN(CC_GE, V(f), cc_literal(P, floats, LIST(floats, D(0.25), D(9.5)))));
    set(AT(AT(V(table), V(n)), I(3)), I(8));
    eval(INC(AT(V(b), V(n))));
    is_int(run(), CC_UB_NONE, "vectors are computed with");
    is_value(less, "{-1, 0, 0, 0}");
    is_value(shown, "{-2, -1, 2, 3}");
    is_value(wrapped, "{254, 2, 0, 0, 0, 0, 0, 0}");
    is_value(f, "{0.25, 9}");
    is_value(order, "{-1, 0}");
    is_value(table, "{{0, 0, 0, 0}, {0, 0, 0, 8}}");
    is_value(b, "{2, -1, 0, 0}");
    finish();
}

/* The accesses of a volatile vector: as one where it is the operand, else to a lane. */
static void volatile_accesses(void)
{
    begin(&cc_lp64);
    const struct cc_type *s = STRUCT("S", FIELD("x", INT), FIELD("v", QUAL(V4, CC_VOLATILE)));
    struct cc_var *a = global("a", s, NULL);
    set(DOT(V(a), 1), COPY(1, 2, 3, 4));
    set(AT(DOT(V(a), 1), I(2)), I(9));
    struct interp_options o = {.trace_volatile = true};
    P->main = NULL;
    struct interp *in = interp_new(P, &o);
    is_int(interp_call(in, P->entry), CC_UB_NONE, "a volatile vector");
    size_t count;
    const struct interp_access *t = interp_trace(in, &count);
    if (ok(count == 2, "two accesses"))
        ok(t[0].offset == 16 && t[0].size == 16 && t[0].write && t[1].offset == 24 &&
               t[1].size == 4 && t[1].write,
           "of the whole and of a lane");
    interp_free(in);
    finish();
}

/* -- text ------------------------------------------------------------------------------------- */

static void is_text(const struct cc_expr *e, const char *wanted)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    cc_print_expr(P, e, &b);
    is_str(b.s, wanted, "%s", wanted);
    strbuf_release(&b);
}

static void text(void)
{
    begin(&cc_lp64);
    const struct cc_type *quads = VECTOR(ULLONG, 2), *used = VECTOR(BASIC(CC_USHORT), 8);
    VECTOR(BASIC(CC_LONG), 8);
    struct cc_var *a = cc_local(P, "a", QUAL(V4, CC_CONST), NULL);
    struct cc_var *b = cc_local(P, "b", quads, NULL);
    is_text(BIN(CC_MUL, ADD(V(a), V(a)), cc_unary(P, CC_MINUS, V(a))), "(a + a) * -a");
    is_text(BIN(CC_AND, BIN(CC_LT, V(a), V(a)), V(a)), "(a < a) & a");
    is_text(BIN(CC_LT, V(b), V(b)), "(vec2_int64_t)(b < b)");
    is_text(cc_unary(P, CC_COMPL, BIN(CC_NE, V(b), V(b))), "~(vec2_int64_t)(b != b)");
    is_text(AT(COPY(1, 2, 3, 4), I(2)), "((vec4_int32_t){1, 2, 3, 4})[2]");
    struct strbuf s;
    strbuf_init(&s, 0);
    cc_print_declarator(cc_array_of(&P->types, PTR(a->type), 3), "x", &s);
    is_str(s.s, "const vec4_int32_t *x[3]", "a declarator");
    strbuf_clear(&s);
    global("g", STRUCT("S", FIELD("p", PTR(used))), NULL);
    cc_print_unit(P, &(struct cc_print_options){.plain_types = true}, &s);
    ok(strstr(s.s, "typedef unsigned short vec8_unsigned_short "
                   "__attribute__((vector_size(16)));\n\nstruct S {\n"
                   "    vec8_unsigned_short *p;\n};"),
       "a typedef ahead of the record that uses it");
    ok(!strstr(s.s, "long"), "none of what is not used");
    strbuf_release(&s);
    finish();
}

/* -- against compilers ------------------------------------------------------------------------ */

static char folder[256];

struct way {
    const char *compiler, *language, *options[3];
};

static const struct way ways[] = {
    {"gcc", "c", {"-O0"}},
    {"gcc", "c", {"-O2"}},
    {"gcc", "c", {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"}},
    {"clang", "c", {"-O0"}},
    {"clang", "c", {"-O2"}},
    {"clang", "c", {"-O1", "-fsanitize=undefined", "-fno-sanitize-recover=all"}},
    {"g++", "c++", {"-O1"}},
    {"clang++", "c++", {"-O1"}},
};

static bool started(const char *const *argv, const struct strbuf *input, struct child_result *r)
{
    struct child_spec spec = {.argv = argv, .cwd = folder, .limits = {.wall_ms = 240000}};
    struct error e = {0};
    if (input) {
        spec.input = input->s;
        spec.input_size = input->n;
    }
    return !child_run(&spec, r, &e) && r->end == CHILD_EXITED;
}

/* Vectors wider than the machine's change how they are passed between compilers, -Wpsabi, which
 * is nothing to a program that is compiled by one of them. */
static void agrees(const struct way *w, const struct strbuf *source, const char *wanted,
                   const char *what)
{
    struct child_result r;
    const char *argv[] = {w->compiler, "-Wall",       "-Werror", "-Wno-psabi", "-x",
                          w->language, w->options[0], "-o",      "program",    "-",
                          NULL,        NULL,          NULL};
    for (int i = 1; i < 3; i++)
        argv[9 + i] = w->options[i];
    child_result_init(&r, 1 << 22, 1 << 16);
    if (!started((const char *const[]){w->compiler, "--version", NULL}, NULL, &r)) {
        tap_skip(w->compiler, "no such compiler");
    } else if (!ok(started(argv, source, &r) && r.status == 0, "%s: %s %s compiles", what,
                   w->compiler, w->options[w->options[1] ? 1 : 0])) {
        tap_note("it says", r.err.s);
    } else {
        bool ran = started((const char *const[]){"./program", "1", NULL}, NULL, &r);
        if (!ok(ran && r.status == 0 && !strcmp(r.out.s, wanted) && !r.err.n,
                "%s: prints what the interpreter says", w->compiler)) {
            size_t at = 0;
            while (r.out.s[at] && r.out.s[at] == wanted[at])
                at++;
            while (at && wanted[at - 1] != '\n')
                at--;
            tap_note("differs here", r.out.s + at);
            tap_note("wanted", wanted + at);
            tap_note("errors", r.err.s);
        }
    }
    child_result_release(&r);
}

static void compare(const char *what, bool plain_types)
{
    struct strbuf source, wanted;
    strbuf_init(&source, 0);
    strbuf_init(&wanted, 0);
    enum cc_ub rule = run();
    if (!ok(!rule, "%s: runs", what)) {
        interp_explain(make_interp, &wanted);
        tap_note("violation", wanted.s);
    } else {
        interp_output(make_interp, true, &wanted);
        bool full =
            tap_amount(plain_types, true); /* C++ and optimisers with one program at least */
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            if (!full && strcmp(ways[i].options[0], "-O0") != 0)
                continue;
            struct cc_print_options o = {.plain_types = plain_types};
            o.language = ways[i].language[1] ? CC_CXX17 : CC_C11;
            strbuf_clear(&source);
            cc_print_unit(P, &o, &source);
            agrees(&ways[i], &source, wanted.s, what);
        }
    }
    strbuf_release(&source);
    strbuf_release(&wanted);
}

/* -- every operator, every type --------------------------------------------------------------- */

static union cc_scalar random_scalar(struct choice *c, const struct cc_type *t)
{
    cc_wide least = cc_int_min(BASIC(CC_LLONG)), v;
    if (cc_is_float(t))
        return (union cc_scalar){.f = ((double)choose(c, 4096) - 2048) / 16};
    switch (choose(c, 4)) {
    case 0:
        v = (cc_wide)choose(c, 9) - 4;
        break;
    case 1:
        v = (cc_wide)cc_int_max(t) - (cc_wide)choose(c, 3);
        break;
    case 2:
        v = t->is_signed ? (least >> (64 - t->bits)) + (cc_wide)choose(c, 3)
                         : (cc_wide)choose(c, t->bits);
        break;
    default:
        v = (cc_wide)choose_bits(c, 64) >> choose(c, t->bits);
    }
    return (union cc_scalar){.i = cc_wrap(t, v)};
}

static struct cc_expr *scalar(const struct cc_type *t, union cc_scalar v)
{
    return cc_is_float(t) ? cc_float(P, t, v.f, CC_DECIMAL) : N(t, v.i);
}

/* Lanes for which `a op b` is defined; b stays as it is where op has one operand. */
static void random_lanes(struct choice *c, enum cc_op op, const struct cc_type *v,
                         struct cc_expr **a, struct cc_expr **b)
{
    const struct cc_type *t = v->to;
    for (uint32_t i = 0; i < v->length; i++) {
        union cc_scalar x, y, r;
        enum cc_ub ub;
        do {
            x = random_scalar(c, t);
            y = random_scalar(c, t);
            ub = op > CC_LOR ? cc_unary_value(op, t, x, &r) : cc_binary_value(op, t, x, y, &r);
        } while (ub);
        a[i] = scalar(t, x);
        b[i] = scalar(t, y);
    }
}

/* a[i] op b[i] for each op, into r[i] or, of a comparison, m[i]; then a[i] op= b[i]. */
static void all_operators(struct choice *c, enum cc_kind kind, uint32_t size)
{
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_MUL, CC_DIV,  CC_LT,    CC_GT,  CC_LE,
                                     CC_GE,  CC_EQ,  CC_NE,  CC_PLUS, CC_MINUS, CC_REM, CC_SHL,
                                     CC_SHR, CC_AND, CC_OR,  CC_XOR,  CC_COMPL};
    enum { OPS = sizeof ops / sizeof *ops, FLOAT_OPS = 12 };
    const struct cc_type *t = BASIC(kind), *v = VECTOR(t, size / t->size);
    uint32_t n = cc_is_float(t) ? FLOAT_OPS : OPS;
    struct cc_expr *left[OPS], *right[OPS], *x[64], *y[64];
    for (uint32_t i = 0; i < n; i++) {
        random_lanes(c, ops[i], v, x, y);
        left[i] = cc_list(P, v, x, (int)v->length, 0);
        right[i] = cc_list(P, v, y, (int)v->length, 0);
    }
    const struct cc_type *mask = VECTOR(cc_int_type(&P->types, (int)t->size * 8, true), v->length);
    const struct cc_type *all = ARRAY(v, n);
    const char *name = arena_printf(P->arena, "_%d", (int)kind);
#define NAMED(letter) arena_printf(P->arena, "%c%s", letter, name)
    struct cc_var *a = global(NAMED('a'), all, cc_list(P, all, left, (int)n, 0));
    struct cc_var *b = global(NAMED('b'), all, cc_list(P, all, right, (int)n, 0));
    struct cc_var *r = global(NAMED('r'), all, NULL);
    struct cc_var *m = global(NAMED('m'), ARRAY(mask, FLOAT_OPS), NULL);
    for (uint32_t i = 0; i < n; i++) {
        struct cc_expr *p = AT(V(a), I(i)), *q = AT(V(b), I(i));
        struct cc_expr *e = ops[i] > CC_LOR ? cc_unary(P, ops[i], p) : BIN(ops[i], p, q);
        set(AT(V(cc_is_comparison(ops[i]) ? m : r), I(i)), e);
        if (ops[i] <= CC_XOR)
            eval(ASSIGN_OP(ops[i], AT(V(a), I(i)), AT(V(b), I(i))));
    }
}

static void operators(void)
{
    static const uint32_t sizes[] = {8, 16, 32, 64};
    struct choice c;
    choice_init_random(&c, 20260102);
    for (int i = 0; i < tap_amount(2, 4); i++) {
        begin(&cc_lp64);
        for (int kind = CC_CHAR; kind <= CC_DOUBLE; kind++)
            if (kind != CC_INT128 && kind != CC_UINT128)
                all_operators(&c, (enum cc_kind)kind, sizes[i]);
        char what[40];
        snprintf(what, sizeof what, "operators on %u bytes", sizes[i]);
        compare(what, i % 2);
        finish();
    }
    choice_release(&c);
}

/* -- everywhere that a vector may stand ------------------------------------------------------- */

static void forms_of(const struct cc_type *t, int number)
{
    const struct cc_type *v = VECTOR(t, 16 / t->size), *wide = VECTOR(t, 64 / t->size);
    char names[13][16];
    for (int i = 0; i < 13; i++)
        snprintf(names[i], sizeof names[i], "%c_%d", 'a' + i, number);
    const struct cc_type *s =
        STRUCT(names[0], FIELD("c", CHAR), FIELD("v", v), FIELD("w", ARRAY(wide, 2)));
    const struct cc_type *k = PACKED(names[1], FIELD("c", CHAR), FIELD("v", v));
    const struct cc_type *u = UNION(names[2], FIELD("x", t), FIELD("v", v));
#define SHORT_LIST LIST(v, I(1), cc_is_float(t) ? D(-2.5) : I(2))
    struct cc_var *x = param("x", v), *y = param("y", wide);
    struct cc_func *f = function(names[3], v, x, y);
    eval(ASSIGN_OP(CC_ADD, AT(V(x), I(0)), AT(V(y), I(1))));
    give(V(x));
    end_function();
    struct cc_var *g = global(names[4], v, SHORT_LIST), *h = global(names[5], wide, NULL);
    struct cc_var *r = global(names[6], s, LIST(s, N(CHAR, 1), SHORT_LIST));
    struct cc_var *pack = global(names[7], k, NULL), *un = global(names[8], u, NULL);
    struct cc_var *vol = global(names[9], QUAL(v, CC_VOLATILE), SHORT_LIST);
    struct cc_var *con = global(names[10], QUAL(v, CC_CONST), SHORT_LIST);
    enter_block();
    struct cc_var *p = local("p", PTR(v), ADDR(V(g))), *i = local("i", INT, I(1));
    struct cc_var *m = local("m", v, ADD(V(con), V(vol)));
    set(DOT(V(r), 1), CALL(f, V(m), V(h)));
    set(AT(AT(DOT(V(r), 2), V(i)), V(i)), AT(DEREF(V(p)), I(0)));
    set(DEREF(V(p)), BIN(CC_SUB, DEREF(V(p)), cc_literal(P, v, SHORT_LIST)));
    set(DOT(V(pack), 1), cc_cond(P, V(i), V(m), V(g)));
    eval(INC(AT(DOT(V(pack), 1), V(i))));
    set(DOT(V(un), 1), COMMA(ASSIGN(V(i), I(0)), DOT(V(pack), 1)));
    set(V(vol), ASSIGN_OP(CC_MUL, V(g), DOT(V(un), 1)));
    set(AT(V(vol), V(i)), AT(V(con), V(i)));
    struct cc_expr *sum = ASSIGN_OP(CC_ADD, AT(V(g), V(i)), AT(V(m), I(1)));
    cc_make_safe(sum);
    eval(sum);
    sum = ASSIGN_OP(CC_SUB, AT(V(vol), I(1)), AT(V(con), V(i)));
    cc_make_safe(sum);
    eval(sum);
    set(V(global(names[12], PTR(t), NULL)), CAST(PTR(t), V(p))); /* hashed without naming a lane */
    struct cc_expr *same = BIN(CC_EQ, V(g), V(m));
    struct cc_var *mask = local("mask", same->type, same);
    set(V(mask), cc_cond(P, V(i), BIN(CC_NE, V(m), V(g)), V(mask)));
    struct cc_var *seen = global(names[11], same->type, NULL);
    set(V(seen), BIN(CC_OR, BIN(CC_LT, V(g), V(m)), cc_unary(P, CC_COMPL, V(mask))));
    set(AT(V(h), I(0)), CAST(t, cc_sizeof(P, v)));
    leave();
}

static void forms(void)
{
    begin(&cc_lp64);
    int n = 0;
    for (int kind = CC_CHAR; kind <= CC_DOUBLE; kind++)
        if (kind != CC_INT128 && kind != CC_UINT128)
            forms_of(BASIC((enum cc_kind)kind), n++);
    compare("every place", false);
    finish();
}

int main(void)
{
    struct error e = {0};
    if (fs_make_temp_dir("assay-vectors", folder, sizeof folder, &e))
        return 1;
    violations();
    values();
    volatile_accesses();
    text();
    forms();
    operators();
    fs_remove_tree(folder);
    return tap_done();
}
