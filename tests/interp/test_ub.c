/* Every rule of CC_UB_TABLE: a program that violates it, and one that differs by as little as
 * possible and does not. The violating one must be reported by just that rule; the last check is
 * that every row of the table was seen. */
#include "interp/make.h"

#define C CC_CONST

/* -- arithmetic ------------------------------------------------------------------------------- */

static struct cc_var *int_global(const char *name, int value)
{
    return global(name, INT, I(value));
}

static void overflow(bool bad)
{
    struct cc_var *x = int_global("x", INT32_MAX - 1);
    set(V(x), ADD(V(x), I(bad ? 2 : 1)));
}

static void overflow_of_product(bool bad)
{
    struct cc_var *x = global("x", LLONG, N(LLONG, INT64_MAX / 2));
    set(V(x), BIN(CC_MUL, V(x), N(LLONG, bad ? 3 : 2)));
}

static void overflow_of_minus(bool bad)
{
    struct cc_var *x = int_global("x", INT32_MIN + !bad);
    set(V(x), cc_unary(P, CC_MINUS, V(x)));
}

static void overflow_of_increment(bool bad)
{
    struct cc_var *x = global("x", bad ? INT : SHORT, N(bad ? INT : SHORT, -1));
    set(V(x), N(x->type, bad ? INT32_MAX : INT16_MAX)); /* short: computed in int, then wrapped */
    eval(INC(V(x)));
}

static void overflow_of_assignment(bool bad)
{
    struct cc_var *x = int_global("x", INT32_MIN + 1);
    eval(ASSIGN_OP(CC_SUB, V(x), I(bad ? 2 : 1)));
}

static void overflow_of_int128(bool bad)
{
    const struct cc_type *wide = BASIC(CC_INT128);
    struct cc_var *x = global("x", wide, cc_int(P, wide, cc_int_min(wide) + !bad, CC_DECIMAL));
    set(V(x), BIN(CC_SUB, V(x), I(1)));
}

static void overflow_wrapped(bool bad)
{
    struct cc_var *x = int_global("x", INT32_MAX);
    struct cc_expr *sum = ADD(V(x), I(1));
    if (!bad)
        cc_make_safe(sum);
    set(V(x), sum);
}

static void division(bool bad)
{
    struct cc_var *x = int_global("x", 7), *y = int_global("y", bad ? 0 : 1);
    set(V(x), BIN(CC_DIV, V(x), V(y)));
}

static void remainder_by_zero(bool bad)
{
    struct cc_var *x = global("x", ULLONG, N(ULLONG, 7));
    eval(ASSIGN_OP(CC_REM, V(x), N(ULLONG, bad ? 0 : 3)));
}

static void float_division(bool bad)
{
    struct cc_var *x = global("x", DOUBLE, D(7));
    set(V(x), BIN(CC_DIV, V(x), D(bad ? 0 : 2)));
}

static void quotient(bool bad)
{
    struct cc_var *x = int_global("x", INT32_MIN), *y = int_global("y", bad ? -1 : 1);
    set(V(x), BIN(CC_DIV, V(x), V(y)));
}

static void quotient_of_remainder(bool bad)
{
    struct cc_var *x = global("x", LLONG, N(LLONG, INT64_MIN + !bad));
    set(V(x), BIN(CC_REM, V(x), N(LLONG, -1)));
}

static void shift_count(bool bad)
{
    struct cc_var *x = global("x", UINT, N(UINT, 7)), *n = int_global("n", bad ? 32 : 31);
    set(V(x), BIN(CC_SHL, V(x), V(n)));
}

static void shift_count_negative(bool bad)
{
    struct cc_var *x = global("x", LLONG, N(LLONG, -7)), *n = int_global("n", bad ? -1 : 33);
    set(V(x), BIN(CC_SHR, V(x), V(n)));
}

static void shift_left(bool bad)
{
    struct cc_var *x = int_global("x", bad ? 2 : 1);
    set(V(x), BIN(CC_SHL, V(x), I(30)));
}

static void shift_left_negative(bool bad)
{
    struct cc_var *x = int_global("x", bad ? -1 : 1);
    set(V(x), BIN(CC_SHL, V(x), I(1)));
}

static void float_conversion(bool bad)
{
    struct cc_var *x = int_global("x", 0);
    set(V(x), CAST(INT, D(bad ? 2147483648.0 : 2147483647.5)));
}

static void float_conversion_wrapped(bool bad)
{
    struct cc_var *x = int_global("x", 7);
    struct cc_expr *e = CAST(INT, D(1e30));
    if (!bad)
        cc_make_safe(e);
    set(V(x), e);
}

static void float_demotion(bool bad)
{
    struct cc_var *x = global("x", FLOAT, NULL);
    set(V(x), D(bad ? 1e39 : 1e38));
}

static void float_conversion_of_nan(bool bad)
{
    struct cc_var *x = int_global("x", 0), *d = global("d", DOUBLE, D(bad ? 0 : 2));
    P->ieee_floats = true;
    set(V(x), CAST(INT, BIN(CC_DIV, V(d), V(d))));
}

static void sign_of_nan(bool bad)
{
    struct cc_var *x = int_global("x", 0), *d = global("d", DOUBLE, D(bad ? 0 : -2));
    struct cc_expr *arg = BIN(CC_DIV, V(d), V(d));
    P->ieee_floats = true;
    set(V(x), cc_builtin(P, CC_BUILTIN_SIGNBIT, &arg, 1));
}

static void builtin_argument(bool bad)
{
    struct cc_var *x = global("x", UINT, N(UINT, bad ? 0 : 8));
    struct cc_expr *arg = V(x);
    set(V(x), cc_builtin(P, CC_BUILTIN_CTZ, &arg, 1));
}

/* -- pointers and lifetimes ------------------------------------------------------------------- */

static void null_access(bool bad)
{
    struct cc_var *x = int_global("x", 1);
    struct cc_var *p = global("p", PTR(INT), bad ? NULL : ADDR(V(x)));
    set(DEREF(V(p)), I(3));
}

static void null_member(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("b", INT));
    struct cc_var *x = global("x", s, NULL), *p = global("p", PTR(s), NULL);
    set(V(p), bad ? cc_null(P, PTR(s)) : ADDR(V(x)));
    set(DOT(DEREF(V(p)), 1), I(3));
}

static void null_call(bool bad)
{
    struct cc_func *f = function("f", VOID, NULL, NULL);
    end_function();
    struct cc_var *p = global("p", PTR(f->type), bad ? NULL : cc_func_use(P, f));
    eval(cc_call(P, V(p), NULL, 0));
}

static void dangling(bool bad)
{
    struct cc_var *x = int_global("x", 0), *p = local("p", PTR(INT), NULL);
    struct cc_var *q = local("q", PTR(PTR(INT)), ADDR(V(p)));
    enter_block();
    struct cc_var *y = local("y", INT, I(4));
    set(V(p), ADDR(V(y)));
    if (!bad)
        set(V(x), DEREF(DEREF(V(q))));
    leave();
    if (bad)
        set(V(x), DEREF(DEREF(V(q))));
}

/* An array in a returned record lives until the end of the full expression (6.2.4p8). */
static void dangling_temporary(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", ARRAY(INT, 2)));
    struct cc_var *g = global("g", s, NULL), *x = int_global("x", 0);
    struct cc_func *f = function("f", s, NULL, NULL);
    give(V(g));
    end_function();
    struct cc_var *p = local("p", PTR(INT), NULL);
    if (bad) {
        set(V(p), DOT(CALL(f), 0));
        set(V(x), DEREF(V(p)));
    } else {
        set(V(x), DEREF(ADD(DOT(CALL(f), 0), I(1))));
    }
}

static void dangling_read(bool bad)
{
    struct cc_var *p = local("p", PTR(INT), NULL), *x = int_global("x", 0);
    enter_block();
    struct cc_var *y = local("y", INT, I(4));
    set(V(p), ADDR(V(y)));
    if (!bad)
        set(V(x), BIN(CC_EQ, V(p), ADDR(V(y))));
    leave();
    if (bad)
        set(V(x), BIN(CC_EQ, V(p), cc_null(P, PTR(INT))));
}

static void dangling_iteration(bool bad)
{
    struct cc_var *i = local("i", INT, NULL), *p = local("p", PTR(INT), NULL);
    set(V(p), cc_null(P, PTR(INT)));
    enter_count(i, 2);
    struct cc_var *y = local("y", INT, I(4));
    enter_if(BIN(CC_LAND, V(i), BIN(CC_NE, V(bad ? p : i), bad ? cc_null(P, PTR(INT)) : I(3))));
    leave();
    set(V(p), ADDR(V(y)));
    leave();
}

static void dangling_result(bool bad)
{
    struct cc_var *a = param("a", INT), *g = int_global("g", 0), *p = local("p", PTR(INT), NULL);
    struct cc_func *f = function("f", PTR(INT), a, NULL);
    give(ADDR(V(bad ? a : g)));
    end_function();
    set(V(p), CALL(f, I(3)));
}

static void dangling_global(bool bad)
{
    struct cc_var *p = global("p", PTR(INT), NULL), *x = int_global("x", 0);
    struct cc_func *f = function("f", VOID, NULL, NULL);
    struct cc_var *y = local("y", INT, I(4));
    set(V(p), ADDR(V(y)));
    if (!bad)
        set(V(p), ADDR(V(x)));
    end_function();
    eval(CALL(f));
    set(DEREF(V(p)), I(3));
}

static void bounds(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 4), NULL), *i = int_global("k", bad ? 4 : 3);
    set(AT(V(a), V(i)), I(3));
}

static void bounds_of_row(bool bad)
{
    struct cc_var *a = global("a", ARRAY(ARRAY(INT, 3), 2), NULL);
    set(AT(AT(V(a), I(0)), I(bad ? 3 : 2)), I(3)); /* a[0][3] is a[1][0] in memory */
}

static void bounds_past(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 4), NULL);
    struct cc_var *p = local("p", PTR(INT), ADDR(AT(V(a), I(4))));
    set(DEREF(BIN(CC_SUB, V(p), I(!bad))), I(3));
}

static void bounds_negative(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 4), NULL);
    set(AT(V(a), N(LLONG, bad ? -1 : 0)), I(3));
}

static void arithmetic(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 4), NULL), *p = local("p", PTR(INT), NULL);
    set(V(p), ADD(V(a), I(bad ? 5 : 4)));
}

static void arithmetic_of_one(bool bad)
{
    struct cc_var *x = int_global("x", 4), *p = local("p", PTR(INT), ADDR(V(x)));
    eval(INC(V(p)));
    if (bad)
        eval(INC(V(p)));
}

static void arithmetic_below(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 4), NULL);
    struct cc_var *p = local("p", PTR(INT), ADDR(AT(V(a), I(1))));
    eval(ASSIGN_OP(CC_SUB, V(p), I(bad ? 2 : 1)));
}

static void arithmetic_of_index(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 4), NULL);
    struct cc_var *p = local("p", PTR(INT), ADDR(AT(V(a), I(1))));
    set(AT(V(p), I(bad ? 4 : 2)), I(1));
}

static void arithmetic_of_null(bool bad)
{
    struct cc_var *x = int_global("x", 4), *p = local("p", PTR(INT), ADDR(V(x)));
    if (bad)
        set(V(p), cc_null(P, PTR(INT)));
    set(V(p), ADD(V(p), I(1)));
}

static void difference(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 4), NULL), *b = global("b", ARRAY(INT, 4), NULL);
    struct cc_var *x = global("x", BASIC(CC_LONG), NULL);
    set(V(x), BIN(CC_SUB, ADDR(AT(V(bad ? b : a), I(3))), ADDR(AT(V(a), I(1)))));
}

static void difference_of_rows(bool bad)
{
    struct cc_var *a = global("a", ARRAY(ARRAY(INT, 3), 2), NULL);
    struct cc_var *x = global("x", BASIC(CC_LONG), NULL);
    set(V(x), BIN(CC_SUB, ADDR(AT(AT(V(a), I(bad)), I(2))), ADDR(AT(AT(V(a), I(0)), I(1)))));
}

static void order(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 4), NULL), *b = global("b", ARRAY(INT, 4), NULL);
    struct cc_var *x = int_global("x", 0);
    set(V(x), LT(ADDR(AT(V(bad ? b : a), I(3))), ADDR(AT(V(a), I(1)))));
}

static void order_of_past(bool bad)
{
    struct cc_var *a = int_global("a", 0), *b = int_global("b", 0), *x = int_global("x", 0);
    set(V(x), BIN(CC_EQ, ADD(ADDR(V(a)), I(bad)), ADDR(V(b))));
}

static void alignment(bool bad)
{
    struct cc_var *x = int_global("x", 4), *c = local("c", PTR(CHAR), NULL);
    struct cc_var *p = local("p", PTR(INT), NULL);
    set(V(c), ADD(CAST(PTR(CHAR), ADDR(V(x))), I(bad)));
    set(V(p), CAST(PTR(INT), V(c)));
}

static void alignment_of_member(bool bad)
{
    const struct cc_field fields[] = {FIELD("c", CHAR), FIELD("i", INT)};
    const struct cc_type *s = cc_record_type(&P->types, "S", false, bad, fields, 2);
    struct cc_var *x = global("x", s, NULL), *p = local("p", PTR(INT), NULL);
    set(V(p), ADDR(DOT(V(x), 1)));
    set(DEREF(V(p)), I(3));
}

static void alignment_of_cast(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", SHORT), FIELD("b", SHORT), FIELD("c", INT));
    struct cc_var *x = global("x", s, NULL), *p = local("p", PTR(INT), NULL);
    set(V(p), CAST(PTR(INT), ADDR(DOT(V(x), bad ? 1 : 0))));
}

/* -- values ----------------------------------------------------------------------------------- */

static void uninitialised(bool bad)
{
    struct cc_var *x = local("x", INT, bad ? NULL : I(1)), *g = int_global("g", 0);
    set(V(g), V(x));
}

static void uninitialised_again(bool bad)
{
    struct cc_var *i = local("i", INT, NULL), *g = int_global("g", 0);
    enter_count(i, 2);
    struct cc_var *x = local("x", INT, NULL);
    enter_if(bad ? V(i) : I(0)); /* the value of the iteration before is gone (6.2.4p6) */
    set(V(g), V(x));
    leave();
    set(V(x), V(i));
    leave();
}

static void uninitialised_by_goto(bool bad)
{
    struct cc_stmt *label = cc_label(P, "past");
    struct cc_var *g = int_global("g", 0);
    if (bad)
        put(cc_goto(P, label));
    struct cc_var *x = local("x", INT, I(1));
    put(label);
    set(V(g), V(x));
}

static void uninitialised_member(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("b", INT));
    struct cc_var *x = local("x", s, NULL), *y = local("y", s, NULL), *g = int_global("g", 0);
    set(DOT(V(x), 0), I(3));
    set(V(y), V(x)); /* copying is no read of b (6.2.6.1p6) */
    set(V(g), DOT(V(y), bad));
}

static void uninitialised_byte(bool bad)
{
    struct cc_var *x = local("x", INT, NULL), *g = int_global("g", 0), *i = local("i", INT, NULL);
    struct cc_var *c = local("c", PTR(UCHAR), CAST(PTR(UCHAR), ADDR(V(x))));
    enter_count(i, bad ? 3 : 4);
    set(AT(V(c), V(i)), I(1));
    leave();
    set(V(g), V(x));
}

static const struct cc_type *int_and_float(void)
{
    return UNION("U", FIELD("i", INT), FIELD("f", FLOAT), FIELD("c", SCHAR), FIELD("l", LLONG));
}

static void union_member(bool bad)
{
    struct cc_var *u = global("u", int_and_float(), NULL), *g = int_global("g", 0);
    set(DOT(V(u), 1), D(1));
    set(V(g), DOT(V(u), bad ? 0 : 1));
}

static void union_member_wider(bool bad)
{
    struct cc_var *u = global("u", int_and_float(), NULL), *g = int_global("g", 0);
    set(DOT(V(u), bad ? 2 : 3), I(1));
    set(V(g), DOT(V(u), 0)); /* four of the eight bytes stored, or four of one */
}

static void union_member_by_pointer(bool bad)
{
    struct cc_var *u = global("u", int_and_float(), NULL), *g = global("g", FLOAT, NULL);
    struct cc_var *p = local("p", PTR(INT), ADDR(DOT(V(u), 0)));
    set(DOT(V(u), 1), D(1));
    if (bad)
        set(DEREF(V(p)), I(2));
    set(V(g), DOT(V(u), 1));
}

static void union_in_struct(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("f", FLOAT));
    const struct cc_type *u_type = UNION("V", FIELD("s", s), FIELD("d", DOUBLE));
    struct cc_var *u = global("u", ARRAY(u_type, 2), NULL), *g = int_global("g", 0);
    set(DOT(AT(V(u), I(1)), 1), D(1));
    set(V(g), DOT(DOT(AT(V(u), I(bad)), 0), 0));
}

static void const_write(bool bad)
{
    struct cc_var *x = global("x", bad ? QUAL(INT, C) : INT, I(1));
    set(DEREF(CAST(PTR(INT), ADDR(V(x)))), I(3));
}

static void temporary_write(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", ARRAY(INT, 2)));
    struct cc_var *x = global("x", s, NULL), *y = local("y", s, LIST(s, LIST(ARRAY(INT, 2), I(1))));
    struct cc_expr *copy = cc_assign(P, CC_NONE, V(x), V(y));
    set(AT(DOT(bad ? copy : V(x), 0), I(1)), I(3));
}

static void const_member(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("b", QUAL(INT, C)));
    struct cc_var *x = local("x", s, LIST(s, I(1), I(2)));
    set(DEREF(CAST(PTR(INT), ADDR(DOT(V(x), bad)))), I(3));
}

static void const_record(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", INT));
    struct cc_var *x = global("x", bad ? QUAL(s, C) : s, NULL), *y = global("y", s, NULL);
    set(DEREF(CAST(PTR(s), ADDR(V(x)))), V(y));
}

static void volatile_access(bool bad)
{
    const struct cc_type *v = QUAL(INT, CC_VOLATILE);
    struct cc_var *x = global("x", v, NULL), *g = int_global("g", 0);
    set(V(g), DEREF(CAST(PTR(bad ? INT : v), ADDR(V(x)))));
}

static void volatile_write(bool bad)
{
    const struct cc_type *v = QUAL(INT, CC_VOLATILE);
    struct cc_var *x = global("x", ARRAY(bad ? v : INT, 3), NULL);
    set(DEREF(CAST(PTR(INT), ADDR(AT(V(x), I(1))))), I(1));
}

static void overlap(bool bad)
{
    const struct cc_type *t = UNION("U", FIELD("l", LLONG), FIELD("i", INT));
    struct cc_var *u = global("u", t, NULL), *g = int_global("g", 0);
    set(DOT(V(u), 0), N(LLONG, 77));
    if (bad) {
        set(DOT(V(u), 1), DOT(V(u), 0));
        return;
    }
    set(DOT(V(u), 1), ADD(DOT(V(u), 0), I(0))); /* a value of its own */
    set(V(g), DOT(V(u), 1));
}

static void overlap_of_records(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("b", INT));
    const struct cc_type *t = STRUCT("T", FIELD("x", INT), FIELD("s", s));
    const struct cc_type *u_type = UNION("U", FIELD("s", s), FIELD("t", t));
    struct cc_var *u = global("u", u_type, NULL);
    set(DOT(DOT(V(u), 1), 0), I(1));
    set(DOT(DOT(V(u), 1), 1), V(global("g", s, NULL)));
    if (bad)
        set(DOT(V(u), 0), DOT(DOT(V(u), 1), 1));
    else
        set(DOT(DOT(V(u), 1), 1), DOT(DOT(V(u), 1), 1));
}

static void effective_type(bool bad)
{
    struct cc_var *x = global("x", bad ? FLOAT : UINT, NULL), *g = int_global("g", 0);
    set(V(g), DEREF(CAST(PTR(INT), ADDR(V(x)))));
}

static void effective_type_of_long(bool bad)
{
    struct cc_var *x = global("x", BASIC(CC_LONG), NULL);
    set(DEREF(CAST(PTR(bad ? LLONG : BASIC(CC_ULONG)), ADDR(V(x)))), I(1));
}

static void effective_type_of_pointer(bool bad)
{
    struct cc_var *p = global("p", PTR(INT), NULL), *q = local("q", PTR(FLOAT), NULL);
    const struct cc_type *as = bad ? PTR(FLOAT) : PTR(INT);
    set(V(q), CAST(PTR(FLOAT), DEREF(CAST(PTR(as), ADDR(V(p))))));
}

/* The bytes of another member: through the union (6.5.2.3p3), not by a pointer to the member. */
static void effective_type_in_union(bool bad)
{
    const struct cc_type *t = UNION("U", FIELD("i", INT), FIELD("h", SHORT));
    struct cc_var *u = global("u", t, NULL), *g = int_global("g", 0);
    struct cc_var *p = local("p", PTR(INT), ADDR(DOT(V(u), 0)));
    struct cc_var *q = local("q", PTR(SHORT), ADDR(DOT(V(u), 1)));
    set(DEREF(V(p)), I(3));
    set(V(g), bad ? DEREF(V(q)) : DOT(V(u), 1));
}

/* By a pointer it is the other sign of what was stored, or a character. */
static void effective_type_in_union_allowed(bool bad)
{
    const struct cc_type *t =
        UNION("U", FIELD("i", INT), FIELD("u", UINT), FIELD("c", SCHAR), FIELD("h", SHORT));
    struct cc_var *u = global("u", t, NULL), *g = int_global("g", 0);
    set(DOT(V(u), 0), I(3));
    set(V(g), DEREF(ADDR(DOT(V(u), 1))));
    set(V(g), DEREF(ADDR(DOT(V(u), 2))));
    if (bad)
        eval(ASSIGN_OP(CC_ADD, DEREF(ADDR(DOT(V(u), 3))), I(1)));
}

static void effective_type_of_record(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", INT)), *t = STRUCT("T", FIELD("a", INT));
    struct cc_var *x = global("x", s, NULL), *g = int_global("g", 0);
    set(V(g), DOT(DEREF(CAST(PTR(bad ? t : s), CAST(PTR(VOID), ADDR(V(x))))), 0));
}

static void address_as_integer(bool bad)
{
    struct cc_var *x = global("x", BASIC(CC_ULONG), NULL);
    set(V(x), CAST(bad ? BASIC(CC_ULONG) : BOOL, ADDR(V(x))));
}

/* -- order ------------------------------------------------------------------------------------ */

static void unsequenced(bool bad)
{
    struct cc_var *i = int_global("k", 0), *j = int_global("j", 0);
    set(V(j), ADD(V(bad ? i : j), INC(V(i)))); /* j + i++ */
}

static void unsequenced_store(bool bad)
{
    struct cc_var *i = int_global("k", 0), *j = int_global("j", 0);
    set(V(i), INC(V(bad ? i : j))); /* i = i++ */
}

static void unsequenced_record(bool bad)
{
    const struct cc_type *s = STRUCT("S", FIELD("a", INT), FIELD("b", INT));
    struct cc_var *x = global("x", s, NULL), *y = global("y", ARRAY(s, 2), NULL);
    struct cc_var *n = int_global("n", 1);
    set(V(x), AT(V(y), ASSIGN(bad ? DOT(V(x), 1) : V(n), I(1)))); /* x = y[x.b = 1] */
}

static void unsequenced_index(bool bad)
{
    struct cc_var *a = global("a", ARRAY(INT, 4), NULL), *i = int_global("k", 1);
    struct cc_var *j = int_global("j", 1);
    set(AT(V(a), V(i)), INC(V(bad ? i : j)));
}

static void unsequenced_arguments(bool bad)
{
    struct cc_var *a = param("a", INT), *b = param("b", INT), *x = int_global("x", 1);
    struct cc_func *f = function("f", VOID, a, b);
    end_function();
    eval(CALL(f, INC(V(x)), bad ? V(x) : I(1)));
}

static void unsequenced_compound(bool bad)
{
    struct cc_var *x = int_global("x", 1), *y = int_global("y", 1);
    eval(ASSIGN_OP(CC_ADD, V(x), INC(V(bad ? x : y))));
}

static void unsequenced_comma(bool bad)
{
    struct cc_var *x = int_global("x", 1);
    if (bad) /* (x++, x) + x */
        set(V(x), ADD(COMMA(INC(V(x)), V(x)), V(x)));
    else /* the comma orders the store before the one of = */
        set(V(x), COMMA(INC(V(x)), V(x)));
}

/* The read in the first operand is not forgotten by one in the second. */
static void unsequenced_hidden_read(bool bad)
{
    struct cc_var *x = int_global("x", 1), *y = int_global("y", 1);
    set(V(y), ADD(V(bad ? x : y), COMMA(V(x), ASSIGN(V(x), I(5)))));
}

static void unsequenced_union(bool bad)
{
    struct cc_var *u = global("u", int_and_float(), NULL), *g = int_global("g", 0);
    struct cc_expr *read = DOT(V(u), 0), *write = ASSIGN(DOT(V(u), 2), I(3));
    set(V(g), bad ? ADD(read, write) : BIN(CC_LOR, read, write));
}

static void unsequenced_nested(bool bad)
{
    struct cc_var *x = int_global("x", 1), *y = int_global("y", 1);
    /* (x + 1) + ((y + 1) + x++) */
    set(V(y), ADD(ADD(V(bad ? x : y), I(1)), ADD(ADD(I(2), I(1)), INC(V(x)))));
}

static void indeterminate(bool bad)
{
    struct cc_var *x = int_global("x", 1), *y = int_global("y", 1);
    struct cc_func *f = function("f", INT, NULL, NULL), *g;
    eval(INC(V(x)));
    give(I(1));
    end_function();
    g = function("g", INT, NULL, NULL);
    give(V(bad ? x : y));
    end_function();
    set(V(y), ADD(CALL(f), CALL(g)));
}

static void indeterminate_with_read(bool bad)
{
    struct cc_var *x = int_global("x", 1), *y = int_global("y", 1);
    struct cc_func *f = function("f", INT, NULL, NULL);
    eval(INC(V(x)));
    give(I(1));
    end_function();
    set(V(y), ADD(V(bad ? x : y), CALL(f)));
}

static void indeterminate_first(bool bad)
{
    struct cc_var *x = int_global("x", 1), *y = int_global("y", 1);
    struct cc_func *f = function("f", INT, NULL, NULL);
    eval(INC(V(x)));
    give(I(1));
    end_function();
    set(V(y), ADD(CALL(f), V(bad ? x : y)));
}

static void indeterminate_list(bool bad)
{
    struct cc_var *x = int_global("x", 1);
    struct cc_expr *second = bad ? V(x) : I(1);
    local("a", ARRAY(INT, 2), LIST(ARRAY(INT, 2), INC(V(x)), second));
}

static void volatile_order(bool bad)
{
    const struct cc_type *v = QUAL(INT, CC_VOLATILE);
    struct cc_var *x = global("x", v, NULL), *y = global("y", bad ? v : INT, NULL);
    struct cc_var *g = int_global("g", 0);
    set(V(g), ADD(V(x), V(y)));
}

static void volatile_order_of_calls(bool bad)
{
    const struct cc_type *v = QUAL(INT, CC_VOLATILE);
    struct cc_var *x = global("x", v, NULL), *y = global("y", v, NULL), *g = int_global("g", 0);
    struct cc_func *f = function("f", INT, NULL, NULL);
    give(V(x));
    end_function();
    if (bad)
        set(V(g), BIN(CC_MUL, CALL(f), V(y)));
    else
        set(V(g), BIN(CC_LAND, CALL(f), V(y)));
}

static void volatile_order_of_stores(bool bad)
{
    const struct cc_type *v = QUAL(INT, CC_VOLATILE);
    struct cc_var *x = global("x", v, NULL), *y = global("y", v, NULL);
    set(V(x), bad ? ASSIGN(V(y), I(1)) : V(y));
}

/* -- control ---------------------------------------------------------------------------------- */

static void no_return_value(bool bad)
{
    struct cc_var *g = int_global("g", 0);
    struct cc_func *f = function("f", INT, NULL, NULL);
    enter_if(V(g));
    give(I(1));
    leave();
    end_function();
    if (bad)
        set(V(g), CALL(f));
    else
        eval(COMMA(CAST(VOID, CALL(f)), CALL(f)));
}

static void call_type(bool bad)
{
    struct cc_var *a = param("a", INT), *b = param("b", UINT);
    struct cc_func *f = function("f", VOID, a, NULL);
    end_function();
    struct cc_func *g = function("g", VOID, b, NULL);
    end_function();
    struct cc_var *p = local("p", PTR(f->type), CAST(PTR(f->type), cc_func_use(P, bad ? g : f)));
    struct cc_expr *arg = I(1);
    eval(cc_call(P, V(p), &arg, 1));
}

static void unreachable(bool bad)
{
    struct cc_var *g = int_global("g", bad);
    enter_if(V(g));
    eval(cc_builtin(P, CC_BUILTIN_UNREACHABLE, NULL, 0));
    leave();
}

static void trap_representation(bool bad)
{
    struct cc_var *b = global("b", BOOL, NULL), *g = int_global("g", 0);
    set(DEREF(CAST(PTR(UCHAR), ADDR(V(b)))), I(bad ? 2 : 1));
    set(V(g), V(b));
}

static void steps(bool bad)
{
    struct cc_var *g = int_global("g", 0);
    enter_for(NULL, bad ? NULL : LT(V(g), I(10)), INC(V(g)));
    eval(ASSIGN_OP(CC_AND, V(g), I(255)));
    leave();
}

static void stack(bool bad)
{
    struct cc_var *a = param("a", INT);
    struct cc_func *f = function("f", VOID, a, NULL);
    enter_if(V(a));
    eval(CALL(f, BIN(CC_SUB, V(a), I(1))));
    leave();
    end_function();
    eval(CALL(f, I(bad ? 199 : 198))); /* and func_1 itself, and the call with 0 */
}

static const struct {
    enum cc_ub rule;
    const char *name;
    void (*make)(bool bad);
} cases[] = {
    {CC_UB_OVERFLOW, "sum", overflow},
    {CC_UB_OVERFLOW, "product", overflow_of_product},
    {CC_UB_OVERFLOW, "unary minus", overflow_of_minus},
    {CC_UB_OVERFLOW, "increment", overflow_of_increment},
    {CC_UB_OVERFLOW, "-=", overflow_of_assignment},
    {CC_UB_OVERFLOW, "__int128", overflow_of_int128},
    {CC_UB_OVERFLOW, "wrapped", overflow_wrapped},
    {CC_UB_DIVISION, "quotient", division},
    {CC_UB_DIVISION, "%=", remainder_by_zero},
    {CC_UB_DIVISION, "double", float_division},
    {CC_UB_QUOTIENT, "least by -1", quotient},
    {CC_UB_QUOTIENT, "remainder", quotient_of_remainder},
    {CC_UB_SHIFT_COUNT, "width", shift_count},
    {CC_UB_SHIFT_COUNT, "negative", shift_count_negative},
    {CC_UB_SHIFT_LEFT, "out of the type", shift_left},
    {CC_UB_SHIFT_LEFT, "of a negative value", shift_left_negative},
    {CC_UB_FLOAT_CONVERSION, "too large", float_conversion},
    {CC_UB_FLOAT_CONVERSION, "wrapped", float_conversion_wrapped},
    {CC_UB_FLOAT_CONVERSION, "of a NaN", float_conversion_of_nan},
    {CC_UB_FLOAT_DEMOTION, "to float", float_demotion},
    {CC_UB_BUILTIN_ARGUMENT, "ctz of 0", builtin_argument},
    {CC_UB_BUILTIN_ARGUMENT, "sign of a NaN", sign_of_nan},
    {CC_UB_NULL_ACCESS, "store", null_access},
    {CC_UB_NULL_ACCESS, "member", null_member},
    {CC_UB_NULL_ACCESS, "call", null_call},
    {CC_UB_DANGLING, "block", dangling},
    {CC_UB_DANGLING, "temporary", dangling_temporary},
    {CC_UB_DANGLING, "kept in a global", dangling_global},
    {CC_UB_DANGLING_READ, "compared", dangling_read},
    {CC_UB_DANGLING_READ, "iteration before", dangling_iteration},
    {CC_UB_DANGLING_READ, "returned", dangling_result},
    {CC_UB_BOUNDS, "index", bounds},
    {CC_UB_BOUNDS, "row", bounds_of_row},
    {CC_UB_BOUNDS, "one past", bounds_past},
    {CC_UB_BOUNDS, "negative index", bounds_negative},
    {CC_UB_POINTER_ARITHMETIC, "beyond one past", arithmetic},
    {CC_UB_POINTER_ARITHMETIC, "array of one", arithmetic_of_one},
    {CC_UB_POINTER_ARITHMETIC, "below", arithmetic_below},
    {CC_UB_POINTER_ARITHMETIC, "index of a pointer", arithmetic_of_index},
    {CC_UB_POINTER_ARITHMETIC, "null", arithmetic_of_null},
    {CC_UB_POINTER_DIFFERENCE, "two objects", difference},
    {CC_UB_POINTER_DIFFERENCE, "two rows", difference_of_rows},
    {CC_UB_POINTER_ORDER, "<", order},
    {CC_UB_POINTER_ORDER, "== with one past", order_of_past},
    {CC_UB_ALIGNMENT, "cast of char *", alignment},
    {CC_UB_ALIGNMENT, "packed member", alignment_of_member},
    {CC_UB_ALIGNMENT, "cast of short *", alignment_of_cast},
    {CC_UB_UNINITIALISED, "local", uninitialised},
    {CC_UB_UNINITIALISED, "next iteration", uninitialised_again},
    {CC_UB_UNINITIALISED, "jumped over", uninitialised_by_goto},
    {CC_UB_UNINITIALISED, "member of a copy", uninitialised_member},
    {CC_UB_UNINITIALISED, "one byte", uninitialised_byte},
    {CC_UB_UNION_MEMBER, "float as int", union_member},
    {CC_UB_UNION_MEMBER, "wider than stored", union_member_wider},
    {CC_UB_UNION_MEMBER, "stored by pointer", union_member_by_pointer},
    {CC_UB_UNION_MEMBER, "struct in a union", union_in_struct},
    {CC_UB_CONST_WRITE, "object", const_write},
    {CC_UB_CONST_WRITE, "member", const_member},
    {CC_UB_CONST_WRITE, "record", const_record},
    {CC_UB_TEMPORARY_WRITE, "an array in what an assignment gives", temporary_write},
    {CC_UB_VOLATILE_ACCESS, "read", volatile_access},
    {CC_UB_VOLATILE_ACCESS, "write", volatile_write},
    {CC_UB_OVERLAP, "scalars", overlap},
    {CC_UB_OVERLAP, "records", overlap_of_records},
    {CC_UB_EFFECTIVE_TYPE, "float as int", effective_type},
    {CC_UB_EFFECTIVE_TYPE, "long as long long", effective_type_of_long},
    {CC_UB_EFFECTIVE_TYPE, "int * as float *", effective_type_of_pointer},
    {CC_UB_EFFECTIVE_TYPE, "record", effective_type_of_record},
    {CC_UB_EFFECTIVE_TYPE, "another member of a union, by a pointer", effective_type_in_union},
    {CC_UB_EFFECTIVE_TYPE, "signs and characters of a union", effective_type_in_union_allowed},
    {CC_UB_EFFECTIVE_TYPE, "address as integer", address_as_integer},
    {CC_UB_UNSEQUENCED, "i + i++", unsequenced},
    {CC_UB_UNSEQUENCED, "i = i++", unsequenced_store},
    {CC_UB_UNSEQUENCED, "x = y[x.b = 1]", unsequenced_record},
    {CC_UB_UNSEQUENCED, "a[i] = i++", unsequenced_index},
    {CC_UB_UNSEQUENCED, "arguments", unsequenced_arguments},
    {CC_UB_UNSEQUENCED, "x += x++", unsequenced_compound},
    {CC_UB_UNSEQUENCED, "comma in an operand", unsequenced_comma},
    {CC_UB_UNSEQUENCED, "a second read hides nothing", unsequenced_hidden_read},
    {CC_UB_UNSEQUENCED, "members of a union", unsequenced_union},
    {CC_UB_UNSEQUENCED, "nested", unsequenced_nested},
    {CC_UB_INDETERMINATE, "two calls", indeterminate},
    {CC_UB_INDETERMINATE, "operand and call", indeterminate_with_read},
    {CC_UB_INDETERMINATE, "call and operand", indeterminate_first},
    {CC_UB_INDETERMINATE, "initialiser list", indeterminate_list},
    {CC_UB_VOLATILE_ORDER, "two reads", volatile_order},
    {CC_UB_VOLATILE_ORDER, "call and read", volatile_order_of_calls},
    {CC_UB_VOLATILE_ORDER, "two stores", volatile_order_of_stores},
    {CC_UB_NO_RETURN_VALUE, "used", no_return_value},
    {CC_UB_CALL_TYPE, "other parameter", call_type},
    {CC_UB_UNREACHABLE, "reached", unreachable},
    {CC_UB_BOOL_REPRESENTATION, "_Bool of 2", trap_representation},
    {CC_UB_STEPS, "endless loop", steps},
    {CC_UB_STACK, "recursion", stack},
};

static void check(size_t at, bool bad)
{
    struct interp_options o = {.max_steps = 10000};
    begin(&cc_lp64);
    cases[at].make(bad);
    enum cc_ub wanted = bad ? cases[at].rule : CC_UB_NONE, got = run_with(&o);
    struct strbuf text;
    strbuf_init(&text, 0);
    interp_explain(make_interp, &text);
    if (!ok(got == wanted, "%s: %s%s", cc_ub_rules[cases[at].rule].name, cases[at].name,
            bad ? "" : ", not violated"))
        tap_note("got", text.s);
    const struct interp_ub *ub = interp_violation(make_interp);
    if (bad && got == wanted)
        ok(strstr(text.s, cc_ub_rules[wanted].clause) && ub->stmt && ub->func &&
               interp_call(make_interp, P->entry) == wanted,
           "it is explained, and stays: %s", text.s);
    strbuf_release(&text);
    finish();
}

int main(void)
{
    /* undecided is no violation; test_library.c has what leads to it, and lists of arguments */
    bool seen[CC_N_UB] = {
        [CC_UB_NONE] = true, [CC_UB_UNDECIDED] = true, [CC_UB_ARGUMENT_LIST] = true};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(i, true);
        check(i, false);
        seen[cases[i].rule] = true;
    }
    for (int i = 0; i < CC_N_UB; i++)
        ok(seen[i], "rule %d %s has a program", i, cc_ub_rules[i].name);
    return tap_done();
}
