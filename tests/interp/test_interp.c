/* What programs compute: each test builds one, runs it, and looks at how its globals ended. */
#include "interp/make.h"

#include <time.h>

/* The value of a variable as text; good until the next call. */
static const char *value(const struct cc_var *v)
{
    static char text[512];
    struct strbuf b;
    strbuf_init(&b, 0);
    interp_value_text(make_interp, v, &b);
    snprintf(text, sizeof text, "%s", b.s);
    strbuf_release(&b);
    return text;
}

static bool runs(const char *name)
{
    struct strbuf b;
    enum cc_ub rule = run();
    strbuf_init(&b, 0);
    interp_explain(make_interp, &b);
    bool good = ok(rule == CC_UB_NONE, "%s", name);
    if (!good)
        tap_note("violated", b.s);
    strbuf_release(&b);
    return good;
}

static struct cc_var *number(const char *name, int64_t v)
{
    return global(name, LLONG, N(LLONG, v));
}

/* -- values ----------------------------------------------------------------------------------- */

static void integers(void)
{
    begin(&cc_lp64);
    struct cc_var *u = global("u", UINT, N(UINT, UINT32_MAX)), *a = number("a", 0);
    struct cc_var *b = number("b", 0), *c = number("c", 0), *d = global("d", UCHAR, N(UCHAR, 250));
    struct cc_var *e = global("e", SHORT, N(SHORT, INT16_MAX)), *f = number("f", 0);
    struct cc_var *g = global("g", ULLONG, N(ULLONG, 3)), *h = global("h", BOOL, NULL);
    set(V(u), ADD(V(u), N(UINT, 2)));
    set(V(a), BIN(CC_DIV, I(-7), I(2)));
    set(V(b), BIN(CC_REM, I(-7), I(2)));
    set(V(c), LT(I(-1), N(UINT, 1))); /* -1 is converted, 6.3.1.8 */
    eval(ASSIGN_OP(CC_ADD, V(d), I(10)));
    eval(INC(V(e)));
    set(V(f), BIN(CC_SHR, I(-8), I(1)));
    eval(ASSIGN_OP(CC_SUB, V(g), N(ULLONG, 4)));
    set(V(h), I(256));
    runs("integers");
    is_str(value(u), "1", "unsigned wraps");
    is_str(value(a), "-3", "division truncates");
    is_str(value(b), "-1", "remainder has the sign of the dividend");
    is_str(value(c), "0", "comparison in unsigned");
    is_str(value(d), "4", "a compound assignment converts back");
    is_str(value(e), "-32768", "so does ++");
    is_str(value(f), "-4", "a right shift keeps the sign");
    is_str(value(g), "18446744073709551615", "64 bits wrap");
    is_str(value(h), "1", "_Bool is 0 or 1");
    finish();
}

static void wide_integers(void)
{
    begin(&cc_lp64);
    const struct cc_type *wide = BASIC(CC_INT128), *uwide = BASIC(CC_UINT128);
    struct cc_var *a = global("a", wide, N(LLONG, INT64_MAX)), *b = global("b", uwide, NULL);
    struct cc_var *c = number("c", 0), *d = global("d", ARRAY(INT, 3), NULL);
    set(V(a), BIN(CC_MUL, V(a), V(a)));
    set(V(b), BIN(CC_SUB, V(b), I(1)));
    set(V(c), BIN(CC_SHR, V(a), I(64)));
    set(AT(V(d), N(wide, 2)), I(5));
    eval(INC(V(b)));
    eval(INC(V(b)));
    eval(ASSIGN_OP(CC_SHL, V(b), I(100)));
    runs("__int128");
    is_str(value(a), "85070591730234615847396907784232501249", "its product");
    is_str(value(b), "1267650600228229401496703205376", "its wrapping and shift");
    is_str(value(c), "4611686018427387903", "its upper half");
    is_str(value(d), "{0, 0, 5}", "as an index");
    finish();
}

static void floats(void)
{
    begin(&cc_lp64);
    struct cc_var *f = global("f", FLOAT, NULL), *d = global("d", DOUBLE, D(1)),
                  *a = number("a", 0);
    struct cc_var *b = number("b", 0);
    set(V(f), BIN(CC_DIV, cc_float(P, FLOAT, 1, CC_DECIMAL), cc_float(P, FLOAT, 3, CC_DECIMAL)));
    set(V(d), BIN(CC_DIV, V(d), D(3)));
    set(V(a), CAST(INT, BIN(CC_MUL, V(d), D(100))));
    set(V(b), BIN(CC_EQ, V(f), V(d)));
    eval(INC(V(d)));
    eval(ASSIGN_OP(CC_MUL, V(a), D(1.5)));
    runs("floats");
    is_str(value(f), "0.3333333432674408", "float rounds");
    is_str(value(d), "1.3333333333333333", "double, and ++ of it");
    is_str(value(a), "49", "conversion truncates, twice");
    is_str(value(b), "0", "float compared in double");
    finish();
}

/* Annex F: what overflows is infinite, and there are numbers that are none. */
static void ieee_floats(void)
{
    begin(&cc_lp64);
    P->ieee_floats = true;
    struct cc_var *d = global("d", DOUBLE, D(1e300)), *z = global("z", DOUBLE, D(-0.0));
    struct cc_var *n = global("n", DOUBLE, NULL), *f = global("f", FLOAT, NULL);
    struct cc_var *t = global("t", DOUBLE, D(0x1p-1074)), *m = global("m", FLOAT, NULL);
    struct cc_var *a = number("a", 0), *b = number("b", 7), *c = number("c", 7);
    struct cc_expr *of_zero = V(z), *of_nan = V(n), *wide = V(n);
    set(V(f), V(d));
    eval(ASSIGN_OP(CC_MUL, V(d), V(d)));
    set(V(n), BIN(CC_SUB, V(d), V(d)));
    eval(ASSIGN_OP(CC_DIV, V(t), D(2)));
    set(V(m), cc_builtin(P, CC_BUILTIN_FMAF, (struct cc_expr *[]){V(f), V(z), D(1)}, 3));
    set(V(a), ADD(BIN(CC_LT, V(n), V(n)), cc_builtin(P, CC_BUILTIN_SIGNBIT, &of_zero, 1)));
    set(V(b), ADD(BIN(CC_NE, V(n), V(n)), cc_builtin(P, CC_BUILTIN_ISNAN, &of_nan, 1)));
    wide = CAST(INT, wide);
    cc_make_safe(wide);
    set(V(c), wide);
    runs("floats of IEEE 754");
    is_str(value(d), "inf", "an overflow");
    is_str(value(f), "inf", "a double that float does not have");
    is_str(value(t), "0", "half of the least");
    ok(strstr(value(n), "nan"), "what is no number");
    ok(strstr(value(m), "nan"), "no number of floats");
    is_str(value(a), "1", "a NaN has no order, a zero a sign");
    is_str(value(b), "2", "a NaN is not equal to itself");
    is_str(value(c), "0", "and no integer: its conversion is wrapped");
    uint32_t sum = interp_checksum_value(make_interp);
    finish();
    begin(&cc_lp64);
    P->ieee_floats = true;
    d = global("d", DOUBLE, cc_float(P, DOUBLE, __builtin_inf(), CC_DECIMAL));
    number("a", 1);
    global("n", DOUBLE, cc_float(P, DOUBLE, -__builtin_nan(""), CC_DECIMAL));
    runs("constants that are no numbers");
    uint32_t negative = interp_checksum_value(make_interp);
    finish();
    begin(&cc_lp64);
    P->ieee_floats = true;
    d = global("d", DOUBLE, cc_float(P, DOUBLE, __builtin_inf(), CC_DECIMAL));
    number("a", 1);
    global("n", DOUBLE, cc_float(P, DOUBLE, __builtin_nan("3"), CC_DECIMAL));
    runs("other ones");
    ok(interp_checksum_value(make_interp) == negative && sum != negative,
       "all NaNs are hashed as one");
    finish();
}

static void operators(void)
{
    begin(&cc_lp64);
    struct cc_var *a = number("a", 1), *b = number("b", 0), *c = number("c", 0);
    struct cc_var *d = number("d", 5), *e = number("e", 0), *f = number("f", 0);
    eval(BIN(CC_LOR, V(a), INC(V(b))));
    eval(BIN(CC_LAND, I(0), INC(V(b))));
    set(V(c), cc_cond(P, V(b), I(1), COMMA(I(2), I(3))));
    set(V(e), INC(V(d)));
    set(V(f), cc_incdec(P, CC_SUB, false, V(d)));
    set(V(a), cc_sizeof_of(P, INC(V(b))));
    runs("operators");
    is_str(value(b), "0", "what is skipped has no effect");
    is_str(value(c), "3", "?: and comma");
    is_str(value(e), "5", "postfix ++ gives the old value");
    is_str(value(f), "5", "prefix -- gives the new one");
    is_str(value(a), "8", "sizeof does not evaluate");
    finish();
}

static void wrappers(void)
{
    begin(&cc_lp64);
    struct cc_var *a = global("a", INT, I(INT32_MAX)), *b = global("b", INT, I(1));
    struct cc_expr *over = ADD(V(a), I(1)), *fine = ADD(V(b), I(1));
    struct cc_expr *shift = BIN(CC_SHL, I(-3), I(1)), *convert = CAST(INT, D(1e20));
    cc_make_safe(over);
    cc_make_safe(fine);
    cc_make_safe(shift);
    cc_make_safe(convert);
    set(V(a), over);
    set(V(b), fine);
    struct cc_var *c = number("c", 0), *d = number("d", 9), *e = global("e", INT, I(INT32_MIN));
    set(V(c), shift);
    set(V(d), convert);
    struct cc_expr *minus = ASSIGN_OP(CC_SUB, V(e), I(1));
    cc_make_safe(minus);
    eval(minus);
    runs("wrappers");
    is_str(value(a), "2147483647", "an undefined sum is its left operand");
    ok(over->needed && !fine->needed, "the wrapper that was needed is known");
    is_str(value(b), "2", "a defined one is the sum");
    is_str(value(c), "-3", "an undefined shift is its left operand");
    is_str(value(d), "0", "an undefined conversion is 0");
    is_str(value(e), "-2147483648", "an undefined -= changes nothing");
    ok(minus->needed, "and is marked");
    finish();
}

static void builtins(void)
{
    begin(&cc_lp64);
    struct cc_var *r = global("r", INT, NULL), *u = global("u", UCHAR, NULL);
    struct cc_var *w = global("w", ULLONG, NULL);
    struct cc_var *a = number("a", 0), *b = number("b", 0), *c = number("c", 0),
                  *d = number("d", 0);
    struct cc_expr *add[] = {I(INT32_MAX), I(1), ADDR(V(r))};
    struct cc_expr *sub[] = {I(3), I(4), ADDR(V(u))};
    struct cc_expr *mul[] = {N(ULLONG, -1), N(ULLONG, -1), ADDR(V(w))};
    struct cc_expr *bits = N(UINT, 0xF0F0);
    set(V(a), cc_builtin(P, CC_BUILTIN_ADD_OVERFLOW, add, 3));
    set(V(b), cc_builtin(P, CC_BUILTIN_SUB_OVERFLOW, sub, 3));
    set(V(c), cc_builtin(P, CC_BUILTIN_MUL_OVERFLOW, mul, 3));
    set(V(d), cc_builtin(P, CC_BUILTIN_POPCOUNT, &bits, 1));
    runs("builtins");
    is_str(value(a), "1", "a sum overflows");
    is_str(value(r), "-2147483648", "and is wrapped");
    is_str(value(b), "1", "-1 does not fit unsigned char");
    is_str(value(u), "255", "and is wrapped");
    is_str(value(c), "1", "a product of 128 bits");
    is_str(value(w), "1", "and its low half");
    is_str(value(d), "8", "popcount");
    finish();
}

/* -- control ---------------------------------------------------------------------------------- */

static void loops(void)
{
    begin(&cc_lp64);
    struct cc_var *a = number("a", 0), *b = number("b", 0), *c = number("c", 0);
    struct cc_var *i = local("i", INT, NULL), *j = local("j", INT, NULL);
    enter_count(i, 10);
    enter_if(BIN(CC_EQ, V(i), I(3)));
    put(cc_stmt(P, CC_S_CONTINUE));
    leave();
    enter_if(BIN(CC_EQ, V(i), I(6)));
    put(cc_stmt(P, CC_S_BREAK));
    leave();
    enter_count(j, 4);
    eval(ASSIGN_OP(CC_ADD, V(a), V(i)));
    leave();
    leave();
    struct cc_stmt *s = put(cc_stmt(P, CC_S_WHILE));
    s->expr = LT(V(b), I(5));
    s->a = cc_expr_stmt(P, INC(V(b)));
    s = put(cc_stmt(P, CC_S_DO));
    s->expr = I(0);
    s->a = cc_expr_stmt(P, INC(V(c)));
    runs("loops");
    is_str(value(a), "48", "for with continue and break");
    is_str(value(b), "5", "while");
    is_str(value(c), "1", "do runs once");
    finish();
}

static void jumps(void)
{
    begin(&cc_lp64);
    struct cc_var *a = number("a", 0), *b = number("b", 0), *c = number("c", 0);
    struct cc_var *i = local("i", INT, I(0)), *j = local("j", INT, NULL);
    struct cc_stmt *again = cc_label(P, "again"), *out = cc_label(P, "out");
    struct cc_stmt *inner = cc_label(P, "inner"), *sibling = cc_label(P, "sibling");
    put(again); /* backwards */
    eval(INC(V(i)));
    enter_if(LT(V(i), I(5)));
    put(cc_goto(P, again));
    leave();
    enter_count(i, 10); /* out of two loops */
    enter_count(j, 10);
    eval(INC(V(a)));
    enter_if(BIN(CC_EQ, BIN(CC_MUL, V(i), V(j)), I(12)));
    put(cc_goto(P, out));
    leave();
    leave();
    leave();
    put(out);
    set(V(i), I(100));
    put(cc_goto(P, inner)); /* into the body of a loop: its condition comes next */
    enter_for(ASSIGN(V(b), I(50)), LT(V(i), I(103)), INC(V(i)));
    struct cc_var *k = local("k", INT, I(1));
    eval(ASSIGN_OP(CC_ADD, V(b), I(1000)));
    put(inner);
    set(V(k), I(7));
    eval(ASSIGN_OP(CC_ADD, V(b), V(k)));
    leave();
    set(V(i), I(0));
    enter_block(); /* into a sibling, through an if, and back into the first */
    enter_block();
    eval(INC(V(c)));
    put(cc_goto(P, sibling));
    leave();
    struct cc_stmt *branch = put(cc_if(P, I(0), cc_block(P), cc_block(P)));
    enter(branch->b);
    eval(ASSIGN_OP(CC_ADD, V(c), I(1000)));
    put(sibling);
    eval(ASSIGN_OP(CC_ADD, V(c), I(10)));
    leave();
    leave();
    runs("goto");
    is_str(value(a), "27", "out of nested loops");
    is_str(value(b), "2021", "into a loop, which then goes on");
    is_str(value(c), "11", "into a sibling block");
    finish();
}

static void switches(void)
{
    begin(&cc_lp64);
    struct cc_var *r = global("r", ARRAY(INT, 6), NULL), *i = local("i", INT, NULL);
    enter_count(i, 6);
    struct cc_stmt *block = cc_block(P);
    put(cc_switch(P, V(i), block));
    enter(block);
    put(cc_case(P, 1));
    eval(ASSIGN_OP(CC_ADD, AT(V(r), V(i)), I(1))); /* falls through */
    put(cc_stmt(P, CC_S_DEFAULT));
    eval(ASSIGN_OP(CC_ADD, AT(V(r), V(i)), I(10)));
    put(cc_stmt(P, CC_S_BREAK));
    put(cc_case(P, 3));
    struct cc_var *x = local("x", INT, NULL); /* jumped to, not initialised */
    set(V(x), I(100));
    eval(ASSIGN_OP(CC_ADD, AT(V(r), V(i)), V(x)));
    put(cc_case(P, 4));
    enter_if(BIN(CC_EQ, V(i), I(4)));
    put(cc_stmt(P, CC_S_CONTINUE));
    leave();
    eval(ASSIGN_OP(CC_ADD, AT(V(r), V(i)), I(1000)));
    leave();
    leave();
    runs("switch");
    is_str(value(r), "{10, 11, 10, 1100, 0, 10}", "cases, fall through, default, continue");
    finish();
}

static void calls(void)
{
    begin(&cc_lp64);
    struct cc_var *n = param("n", INT), *r = number("r", 0), *t = number("t", 0);
    struct cc_func *fib = function("fib", INT, n, NULL);
    struct cc_var *count = cc_local(P, "count", INT, I(0)), *calls_seen = number("calls_seen", 0);
    count->storage = CC_STATIC;
    put(cc_decl(P, count));
    eval(INC(V(count)));
    set(V(calls_seen), V(count));
    enter_if(LT(V(n), I(2)));
    give(V(n));
    leave();
    struct cc_var *a = local("a", INT, CALL(fib, BIN(CC_SUB, V(n), I(1))));
    struct cc_var *b = local("b", INT, CALL(fib, BIN(CC_SUB, V(n), I(2))));
    give(ADD(V(a), V(b)));
    end_function();
    struct cc_var *m = param("m", INT);
    struct cc_func *twice = function("twice", INT, m, NULL);
    give(BIN(CC_MUL, V(m), I(2)));
    end_function();
    const struct cc_type *table = ARRAY(PTR(fib->type), 2);
    struct cc_var *f = global("f", table, LIST(table, cc_func_use(P, fib), cc_func_use(P, twice)));
    struct cc_var *i = local("i", INT, NULL);
    set(V(r), CALL(fib, I(10)));
    enter_count(i, 2);
    struct cc_expr *arg = I(6);
    eval(ASSIGN_OP(CC_ADD, V(t), cc_call(P, AT(V(f), V(i)), &arg, 1)));
    leave();
    runs("calls");
    is_str(value(r), "55", "recursion");
    is_str(value(t), "20", "through pointers");
    is_str(value(calls_seen), "202", "a static local keeps its value");
    is_str(value(f), "{fib, twice}", "pointers to functions");
    finish();
}

/* -- records ---------------------------------------------------------------------------------- */

static void records(void)
{
    begin(&cc_lp64);
    const struct cc_type *in = STRUCT("In", FIELD("x", INT), FIELD("y", ARRAY(SHORT, 2)));
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("in", in));
    struct cc_expr *init = LIST(s, I(1), LIST(in, I(2), LIST(ARRAY(SHORT, 2), I(3), I(4))));
    struct cc_var *g = global("g", s, init), *h = global("h", s, NULL), *k = global("k", s, NULL);
    struct cc_var *r = number("r", 0), *v = param("v", s);
    struct cc_func *f = function("f", s, v, NULL);
    set(DOT(V(v), 0), I(50));
    set(AT(DOT(DOT(V(v), 1), 1), I(1)), I(60));
    give(V(v));
    end_function();
    set(V(h), CALL(f, V(g)));
    set(V(r), AT(DOT(DOT(CALL(f, V(g)), 1), 1), I(1)));
    set(V(k), cc_cond(P, I(1), V(g), V(h)));
    set(DOT(V(k), 1), DOT(V(h), 1));
    struct cc_var *p = local("p", PTR(in), ADDR(DOT(V(k), 1)));
    eval(ASSIGN_OP(CC_ADD, DOT(DEREF(V(p)), 0), I(5)));
    runs("records");
    is_str(value(g), "{1, {2, {3, 4}}}", "an argument is a copy");
    is_str(value(h), "{50, {2, {3, 60}}}", "a returned record");
    is_str(value(r), "60", "a member of one");
    is_str(value(k), "{1, {7, {3, 60}}}", "assigned in parts");
    finish();
}

static void bitfields(void)
{
    begin(&cc_lp64);
    const struct cc_type *s = STRUCT("S", BITS("a", INT, 3), BITS("b", UINT, 3), BITS(NULL, INT, 0),
                                     BITS("c", UINT, 32), BITS("d", BOOL, 1));
    struct cc_var *g = global("g", s, LIST(s, I(5), N(UINT, 9), N(UINT, 1), I(1)));
    struct cc_var *r = number("r", 0), *t = number("t", 0);
    set(V(r), ASSIGN(DOT(V(g), 1), I(15)));
    eval(INC(DOT(V(g), 1)));
    eval(ASSIGN_OP(CC_SUB, DOT(V(g), 1), I(1)));
    set(V(t), LT(DOT(V(g), 1), I(-1))); /* promotes to int */
    eval(ASSIGN_OP(CC_ADD, DOT(V(g), 0), I(1)));
    runs("bit-fields");
    is_str(value(g), "{-2, 7, 1, 1}", "values wrap to their width");
    is_str(value(r), "7", "the value of an assignment is what was stored");
    is_str(value(t), "0", "an unsigned one narrower than int promotes to int");
    finish();
}

static void unions_in(const struct cc_model *model, const char *wanted)
{
    begin(model);
    const struct cc_type *t =
        UNION("U", FIELD("i", UINT), FIELD("c", UCHAR), FIELD("f", FLOAT), FIELD("s", SHORT));
    struct cc_var *u = global("u", t, UNION_LIST(t, 0, N(UINT, 0x11223344)));
    struct cc_var *r = number("r", 0), *q = number("q", 0), *p = local("p", PTR(SHORT), NULL);
    set(V(r), ADD(BIN(CC_MUL, DOT(V(u), 1), I(100000)), DOT(V(u), 3)));
    set(V(p), ADDR(DOT(V(u), 3)));
    set(DEREF(V(p)), I(-2));
    set(V(q), DOT(V(u), 1));
    runs(model->name);
    is_str(value(r), wanted, "a narrower member reads the first bytes");
    is_str(value(q), model->big_endian ? "255" : "254", "also those stored through a pointer");
    is_str(value(u), "{.s = -2}", "which made its member the last stored");
    int none[1] = {0};
    is_int(interp_union_member(make_interp, u, none, 0), 3, "main may read that one");
    finish();
    struct interp_options strict = {.strict_unions = true};
    begin(model);
    u = global("u", UNION("U", FIELD("i", UINT), FIELD("c", UCHAR)), NULL);
    r = number("r", 0);
    set(V(r), DOT(V(u), 1));
    is_int(run_with(&strict), CC_UB_UNION_MEMBER, "not with strict unions");
    finish();
}

static void bytes_in(const struct cc_model *model, const char *wanted)
{
    begin(model);
    struct cc_var *x = global("x", UINT, N(UINT, 0x01020304)), *r = number("r", 0);
    struct cc_var *i = local("i", INT, NULL), *c = local("c", PTR(UCHAR), NULL);
    set(V(c), CAST(PTR(UCHAR), ADDR(V(x))));
    enter_count(i, 4);
    set(V(r), ADD(BIN(CC_MUL, V(r), I(10)), DEREF(V(c))));
    eval(ASSIGN_OP(CC_ADD, DEREF(V(c)), I(16)));
    eval(INC(V(c)));
    leave();
    runs("bytes");
    is_str(value(r), wanted, "bytes of %s", model->name);
    is_str(value(x), "286397204", "and stores to them"); /* 0x11121314 */
    finish();
}

static void initialisers(void)
{
    begin(&cc_lp64);
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("p", PTR(INT)));
    const struct cc_type *u = UNION("U", FIELD("a", INT), FIELD("d", ARRAY(SHORT, 3)));
    struct cc_var *x = global("x", ARRAY(INT, 3), LIST(ARRAY(INT, 3), I(1)));
    struct cc_expr *at = ADDR(AT(V(x), I(1)));
    struct cc_var *g = global("g", ARRAY(s, 2), LIST(ARRAY(s, 2), LIST(s, I(4), at)));
    struct cc_var *w = global("w", u, UNION_LIST(u, 1, LIST(ARRAY(SHORT, 3), I(1))));
    struct cc_var *z = global("z", u, NULL), *l = global("l", ARRAY(INT, 3), NULL);
    struct cc_var *a = local("a", ARRAY(INT, 3), LIST(ARRAY(INT, 3), I(7), I(8)));
    struct cc_var *b = local("b", s, AT(V(g), I(0))), *i = local("i", INT, NULL);
    enter_count(i, 3);
    set(AT(V(l), V(i)), AT(V(a), V(i)));
    leave();
    set(DEREF(DOT(V(b), 1)), I(9));
    runs("initialisers");
    is_str(value(x), "{1, 9, 0}", "what the list leaves out is zero");
    is_str(value(g), "{{4, &x + 4}, {0, 0}}", "addresses of earlier objects");
    is_str(value(w), "{.d = {1, 0, 0}}", "a member of a union");
    is_str(value(z), "{.a = 0}", "a union without: its first member is zero");
    is_str(value(l), "{7, 8, 0}", "of a local");
    finish();
}

static void literals(void)
{
    begin(&cc_lp64);
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("b", INT));
    struct cc_var *r = number("r", 0), *q = number("q", 0), *v = param("v", s);
    struct cc_var *fixed = global("fixed", PTR(INT), ADDR(cc_literal(P, INT, LIST(INT, I(4)))));
    struct cc_func *f = function("f", INT, v, NULL);
    give(ADD(DOT(V(v), 0), DOT(V(v), 1)));
    end_function();
    set(V(r), CALL(f, cc_literal(P, s, LIST(s, I(3), I(4)))));
    struct cc_var *p = local("p", PTR(INT), NULL), *old = local("old", PTR(INT), NULL);
    struct cc_var *i = local("i", INT, I(0));
    set(V(p), cc_null(P, PTR(INT)));
    struct cc_stmt *again = put(cc_label(P, "again"));
    set(V(old), V(p)); /* the second time, the same object (6.5.2.5p16) */
    set(V(p), ADDR(cc_literal(P, INT, LIST(INT, V(i)))));
    enter_if(BIN(CC_EQ, INC(V(i)), I(0)));
    put(cc_goto(P, again));
    leave();
    set(V(q), ADD(BIN(CC_MUL, BIN(CC_EQ, V(p), V(old)), I(10)), DEREF(V(p))));
    eval(ASSIGN_OP(CC_ADD, DEREF(V(fixed)), I(1)));
    eval(ASSIGN_OP(CC_ADD, V(r), DEREF(V(fixed))));
    runs("compound literals");
    is_str(value(r), "12", "as an argument, and with static lifetime");
    is_str(value(q), "11", "one object for each entry of its block");
    finish();
}

static void pointers(void)
{
    begin(&cc_lp64);
    struct cc_var *a = global("a", ARRAY(ARRAY(INT, 3), 2), NULL), *r = number("r", 0);
    struct cc_var *n = number("n", 0), *p = local("p", PTR(ARRAY(INT, 3)), V(a));
    struct cc_var *q = local("q", PTR(INT), NULL), *end = local("end", PTR(INT), NULL);
    eval(INC(V(p)));
    set(V(q), DEREF(V(p)));
    set(V(end), ADD(V(q), I(3)));
    enter_for(NULL, LT(V(q), V(end)), INC(V(q)));
    set(DEREF(V(q)), I(4));
    eval(INC(V(r)));
    leave();
    set(V(n), BIN(CC_SUB, V(end), AT(V(a), I(1))));
    set(AT(AT(V(p), I(-1)), I(2)), I(8));
    runs("pointers");
    is_str(value(a), "{{0, 0, 8}, {4, 4, 4}}", "rows and elements");
    is_str(value(r), "3", "< to one past the end");
    is_str(value(n), "3", "difference");
    finish();
}

/* -- the module's answers --------------------------------------------------------------------- */

static void endings(void)
{
    begin(&cc_lp64);
    const struct cc_type *s = STRUCT("S", FIELD("a", ARRAY(INT, 2)), FIELD("p", PTR(INT)));
    const struct cc_type *u = UNION("U", FIELD("i", INT), FIELD("f", FLOAT), FIELD("c", SCHAR));
    struct cc_var *g = global("g", ARRAY(s, 2), NULL), *p = global("p", PTR(INT), NULL);
    struct cc_var *q = global("q", PTR(QUAL(INT, CC_CONST)), NULL),
                  *lost = global("lost", PTR(INT), NULL);
    global("null", PTR(INT), NULL);
    struct cc_var *w = global("w", ARRAY(u, 3), NULL);
    struct cc_var *any = global("any", PTR(VOID), NULL), *past = global("past", PTR(INT), NULL);
    struct cc_var *x = local("x", INT, I(3)), *one = global("one", INT, NULL);
    set(V(p), ADDR(AT(DOT(AT(V(g), I(1)), 0), I(1))));
    set(V(q), ADDR(V(one)));
    set(V(lost), ADDR(V(x)));
    set(V(any), ADDR(V(g)));
    set(V(past), ADD(ADDR(V(one)), I(1)));
    set(DOT(AT(V(w), I(2)), 2), I(7)); /* readable in all three: the char */
    runs("endings");
    struct strbuf b;
    strbuf_init(&b, 0);
    interp_output(make_interp, true, &b);
    has_str(b.s, "hashing p == &g[1].a[1] : ", "where a pointer points is hashed");
    has_str(b.s, "hashing q == &one : ", "qualifiers do not matter");
    has_str(b.s, "hashing null == ", "a null pointer");
    has_str(b.s, "hashing any == (void *)&g : ", "a pointer to void");
    ok(!strstr(b.s, "lost") && !strstr(b.s, "past"), "what no constant equals is left out");
    has_str(b.s, "hashing w[i].c : ", "the member that all elements have");
    has_str(b.s, "\nindex = [2]\n", "with its index");
    strbuf_release(&b);
    int none[1] = {0};
    is_int(interp_union_member(make_interp, w, none, 0), 2, "asked directly");
    finish();
}

static void checksum(void)
{
    begin(&cc_lp64);
    struct cc_var *g = global("g", ARRAY(INT, 2), LIST(ARRAY(INT, 2), I(-1), I(5)));
    global("d", DOUBLE, D(1.5));
    set(AT(V(g), I(0)), I(-2));
    runs("checksum");
    uint32_t crc = cc_crc_start();
    char wanted[256];
    double d = 1.5;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    uint32_t first = crc = cc_crc_u64(crc, (uint64_t)-2);
    uint32_t second = crc = cc_crc_u64(crc, 5);
    crc = cc_crc_u64(crc, bits);
    snprintf(wanted, sizeof wanted,
             "...checksum after hashing g[i] : %X\nindex = [0]\n"
             "...checksum after hashing g[i] : %X\nindex = [1]\n"
             "...checksum after hashing d : %X\nchecksum = %X\n",
             cc_crc_end(first), cc_crc_end(second), cc_crc_end(crc), cc_crc_end(crc));
    struct strbuf b;
    strbuf_init(&b, 0);
    interp_output(make_interp, true, &b);
    is_str(b.s, wanted, "the output with argument 1");
    strbuf_clear(&b);
    interp_output(make_interp, false, &b);
    ok(!strncmp(b.s, "checksum = ", 11), "and without");
    is_int(interp_checksum_value(make_interp), cc_crc_end(crc), "its value");
    struct interp *again = interp_new(P, NULL);
    is_int(interp_run(again), CC_UB_NONE, "main as a whole");
    is_int(interp_checksum_value(again), cc_crc_end(crc), "has the same");
    interp_free(again);
    strbuf_release(&b);
    finish();
}

static void volatiles(void)
{
    begin(&cc_lp64);
    const struct cc_type *s =
        STRUCT("S", FIELD("a", INT), BITS("b", INT, 20), BITS("c", INT, 3), FIELD("d", SHORT));
    const struct cc_type *vs = QUAL(s, CC_VOLATILE), *vi = QUAL(INT, CC_VOLATILE);
    struct cc_var *g = global("g", vs, NULL), *h = local("h", s, NULL);
    struct cc_var *a = global("a", ARRAY(vi, 3), NULL), *l = local("l", vi, NULL);
    set(AT(V(a), I(2)), I(3));
    set(DOT(V(g), 2), I(1));
    set(V(l), AT(V(a), I(1)));
    set(V(h), V(g));
    struct interp_options o = {.trace_volatile = true};
    is_int(run_with(&o), CC_UB_NONE, "volatile accesses");
    size_t n;
    const struct interp_access *t = interp_trace(make_interp, &n);
    struct interp_access wanted[] = {
        {a, 8, 4, true},  {g, 4, 4, true},  {a, 4, 4, false}, {NULL, 0, 4, true},
        {g, 0, 4, false}, {g, 4, 4, false}, {g, 4, 4, false}, {g, 8, 2, false},
    };
    size_t n_wanted = sizeof wanted / sizeof *wanted;
    ok(n >= n_wanted, "%zu are recorded", n);
    for (size_t i = 0; i < n_wanted && i < n; i++)
        ok(t[i].var == wanted[i].var && t[i].offset == wanted[i].offset &&
               t[i].size == wanted[i].size && t[i].write == wanted[i].write,
           "%s of %s at %u, %u bytes", t[i].write ? "write" : "read",
           t[i].var ? t[i].var->name : "a local", t[i].offset, t[i].size);
    finish();
}

static void counts(void)
{
    begin(&cc_lp64);
    struct cc_var *g = number("g", 0);
    struct cc_expr *skipped = INC(V(g));
    enter_if(V(g));
    struct cc_stmt *dead = put(cc_expr_stmt(P, skipped));
    leave();
    struct cc_stmt *live = put(cc_expr_stmt(P, ASSIGN(V(g), N(LLONG, 2))));
    make_interp = interp_new(P, NULL);
    uint64_t before = interp_steps(make_interp), ran, all;
    is_int(before, 1, "the initialiser is a node");
    is_int(interp_call(make_interp, P->entry), CC_UB_NONE, "a run");
    /* the body, if, its condition, the statement, =, g, 2 */
    is_int(interp_steps(make_interp) - before, 7, "each statement and expression is a step");
    ok(live->ran && live->expr->ran && !dead->ran && !skipped->ran, "what ran is marked");
    all = interp_statements(make_interp, &ran);
    is_int(all, 3, "statements, without blocks");
    is_int(ran, 2, "of them executed");
    finish();
}

static void depth(void)
{
    for (int limit = 4; limit <= 5; limit++) {
        begin(&cc_lp64);
        struct cc_var *n = param("n", INT);
        struct cc_func *f = function("f", VOID, n, NULL);
        enter_if(V(n));
        eval(CALL(f, BIN(CC_SUB, V(n), I(1))));
        leave();
        end_function();
        eval(CALL(f, I(3)));
        struct interp_options o = {.max_depth = limit};
        is_int(run_with(&o), limit == 4 ? CC_UB_STACK : CC_UB_NONE, "five calls, at most %d",
               limit);
        finish();
    }
}

static void explanation(void)
{
    begin(&cc_lp64);
    struct cc_var *g = global("g", INT, I(INT32_MAX));
    set(V(g), ADD(V(g), I(1)));
    run();
    const struct interp_ub *ub = interp_violation(make_interp);
    ((struct cc_stmt *)ub->stmt)->line = 12;
    struct strbuf b;
    strbuf_init(&b, 0);
    interp_explain(make_interp, &b);
    is_str(
        b.s,
        "func_1, line 12: signed-overflow (6.5p5): the result of a signed operation does not fit "
        "its type: `g + 1`: of 2147483647 and 1",
        "one line for people");
    is_str(value(g), "2147483647", "questions are still answered");
    strbuf_release(&b);
    finish();

    begin(&cc_lp64);
    global("g", INT, BIN(CC_DIV, I(1), I(0)));
    is_int(run(), CC_UB_DIVISION, "an initialiser of a global is run too");
    finish();
}

/* A program of the kind that the generator makes, for measuring: nested loops, arrays, members,
 * pointers, calls. Says how fast, asserts nothing about it. */
static void speed(void)
{
    begin(&cc_lp64);
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("b", LLONG));
    struct cc_var *g = global("g", ARRAY(ARRAY(INT, 4), 4), NULL), *r = global("r", ULLONG, NULL);
    struct cc_var *t = global("t", s, NULL), *x = param("x", INT), *y = param("y", UINT);
    struct cc_func *f = function("f", LLONG, x, y);
    struct cc_var *m = local("m", INT, BIN(CC_AND, V(x), I(255)));
    struct cc_var *p = local("p", PTR(INT), ADDR(V(m)));
    struct cc_expr *sum = ADD(DEREF(V(p)), BIN(CC_MUL, CAST(INT, V(y)), I(3)));
    cc_make_safe(sum);
    eval(ASSIGN_OP(CC_XOR, DEREF(V(p)), sum));
    give(cc_cond(P, LT(V(m), I(7)), BIN(CC_SHL, N(LLONG, 3), I(5)), DOT(V(t), 1)));
    end_function();
    struct cc_var *i = local("i", INT, NULL), *j = local("j", INT, NULL),
                  *k = local("k", INT, NULL);
    enter_count(k, 4000);
    enter_count(i, 4);
    enter_count(j, 4);
    struct cc_expr *mixed = BIN(CC_XOR, AT(AT(V(g), V(j)), V(i)), BIN(CC_SHR, V(k), I(2)));
    set(AT(AT(V(g), V(i)), V(j)), BIN(CC_AND, ADD(mixed, DOT(V(t), 0)), I(65535)));
    eval(ASSIGN_OP(CC_ADD, V(r), AT(AT(V(g), V(i)), V(j))));
    enter_if(BIN(CC_EQ, BIN(CC_AND, V(r), N(ULLONG, 7)), N(ULLONG, 3)));
    set(DOT(V(t), 1), ADD(V(i), CALL(f, V(j), N(UINT, 9))));
    eval(ASSIGN_OP(CC_OR, DOT(V(t), 0), BIN(CC_AND, V(i), I(3))));
    leave();
    leave();
    leave();
    leave();
    clock_t before = clock();
    runs("a program to measure");
    double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
    uint64_t steps = interp_steps(make_interp);
    ok(steps > 1000000, "%llu nodes", (unsigned long long)steps);
    printf("# %.1f million nodes a second\n", (double)steps / seconds / 1e6);
    finish();
}

int main(void)
{
    integers();
    wide_integers();
    floats();
    ieee_floats();
    operators();
    wrappers();
    builtins();
    loops();
    jumps();
    switches();
    calls();
    records();
    bitfields();
    unions_in(&cc_lp64, "6813124");    /* 0x44, 0x3344 */
    unions_in(&cc_lp64_be, "1704386"); /* 0x11, 0x1122 */
    bytes_in(&cc_lp64, "4321");
    bytes_in(&cc_lp64_be, "1234");
    initialisers();
    literals();
    pointers();
    endings();
    checksum();
    volatiles();
    counts();
    depth();
    explanation();
    speed();
    return tap_done();
}
