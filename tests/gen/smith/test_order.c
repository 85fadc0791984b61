/* Order of evaluation in smith's analysis (dissertation, 4.5): what conflicts between unsequenced
 * operands, what is a sequence point, what calls and volatile objects add to it. */
#include "walk.h"

static const char unsequenced[] = "unsequenced", twice[] = "two stores in one expression";

/* -- order (4.5) ------------------------------------------------------------------------------- */

static void test_operators(void)
{
    REJECTED(ADD(V(x), INC(V(x))), unsequenced, "x + x++");
    REJECTED(ADD(INC(V(x)), V(x)), unsequenced, "x++ + x");
    REJECTED(ADD(INC(V(x)), INC(V(x))), unsequenced, "x++ + x++");
    ACCEPTED(ADD(INC(V(x)), INC(V(y))), "x++ + y++");
    ACCEPTED(ADD(V(x), V(x)), "x + x");
    REJECTED(ADD(STAR(p), INC(V(x))), unsequenced, "*p + x++ where p is &x");
    ACCEPTED(ADD(STAR(q), INC(V(x))), "*q + x++ where q is &y");
    REJECTED(ADD(STAR(p), BIN(CC_EQ, ASSIGN(V(p), TO(y)), V(q))), unsequenced,
             "*p + ((p = &y) == q)");
    REJECTED(ADD(ADD(INC(V(x)), V(y)), BIN(CC_MUL, V(z), V(x))), unsequenced,
             "(x++ + y) + z * x: further apart");
    REJECTED(ADD(ADD(V(x), INC(V(y))), ADD(V(z), INC(V(x)))), unsequenced, "(x + y++) + (z + x++)");
    REJECTED(ADD(COMMA(INC(V(x)), I(1)), V(x)), unsequenced, "(x++, 1) + x");
    REJECTED(ADD(AND(V(c), INC(V(x))), V(x)), unsequenced, "(c && x++) + x");
    REJECTED(ADD(COND(V(c), I(1), INC(V(x))), V(x)), unsequenced, "(c ? 1 : x++) + x");
    REJECTED(ADD(V(x), COMMA(INC(V(x)), INC(V(x)))), unsequenced,
             "x + (x++, x++): an order on one side is none between them");
    REJECTED(ADD(AT(V(row), I(0)), INC(AT(V(row), I(1)))), unsequenced,
             "row[0] + row[1]++: elements are one location");
    start();
    const struct cc_type *t = STRUCT("S", FIELD("f", INT), FIELD("g", INT));
    struct cc_var *s = global("s", t, NULL);
    valid_expr(ADD(DOT(V(s), 0), INC(DOT(V(s), 1))), "s.f + s.g++: fields are not");
    start();
    t = UNION("U", FIELD("f", INT), FIELD("g", INT));
    s = global("s", t, NULL);
    invalid_expr(ADD(DOT(V(s), 0), ASSIGN(DOT(V(s), 1), I(1))), unsequenced,
                 "u.f + (u.g = 1): but those of a union are");
}

static void test_sequence_points(void)
{
    ACCEPTED(COMMA(INC(V(x)), V(x)), "x++, x");
    ACCEPTED(AND(INC(V(x)), V(x)), "x++ && x");
    ACCEPTED(BIN(CC_LOR, INC(V(x)), INC(V(x))), "x++ || x++");
    ACCEPTED(COND(INC(V(x)), V(x), INC(V(x))), "x++ ? x : x++");
    ACCEPTED(ADD(COMMA(INC(V(x)), V(x)), V(y)), "(x++, x) + y");
    start();
    set(V(p), NIL(p));
    valid_expr(COMMA(ASSIGN(V(p), TO(y)), STAR(p)), "(p = &y, *p): facts follow the order");
    start();
    eval(AND(V(c), BIN(CC_NE, ASSIGN(V(p), NIL(p)), V(q))));
    invalid_expr(STAR(p), "null pointer", "c && (p = NULL) may be evaluated");
    start();
    set(V(p), NIL(p));
    eval(AND(V(c), BIN(CC_NE, ASSIGN(V(p), TO(y)), V(q))));
    invalid_expr(STAR(p), "null pointer", "c && (p = &y) may not be evaluated");
    start();
    set(V(p), NIL(p));
    eval(COND(V(c), COMMA(ASSIGN(V(p), TO(y)), I(1)), COMMA(ASSIGN(V(p), TO(z)), I(1))));
    adopt();
    ok(walk(), "c ? (p = &y, 1) : (p = &z, 1)");
    is_str(points(p), "y z", "  joins both");
    done();
}

static void test_assignments(void)
{
    ACCEPTED(ASSIGN(V(x), ADD(V(x), I(1))), "x = x + 1");
    REJECTED(ASSIGN(V(x), INC(V(x))), twice, "x = x++");
    REJECTED(ASSIGN(V(x), ADD(ASSIGN(V(x), I(1)), I(1))), twice, "x = (x = 1) + 1");
    REJECTED(ASSIGN(STAR(p), ADD(ASSIGN(V(x), I(1)), I(1))), twice,
             "*p = (x = 1) + 1 where p is &x");
    REJECTED(ASSIGN_OP(CC_ADD, V(x), INC(V(x))), unsequenced, "x += x++");
    ACCEPTED(ASSIGN(V(x), ASSIGN(V(y), V(x))), "x = y = x");
    REJECTED(ASSIGN(AT(V(row), V(x)), INC(V(x))), unsequenced, "row[x] = x++");
    REJECTED(ASSIGN(AT(V(row), INC(V(x))), V(x)), unsequenced, "row[x++] = x (Listing 4.3)");
    ACCEPTED(ASSIGN(AT(V(row), INC(V(x))), V(y)), "row[x++] = y");
    ACCEPTED(ASSIGN(AT(V(row), V(x)), AT(V(row), V(x))), "row[x] = row[x]");
    start();
    const struct cc_type *t = STRUCT("S", FIELD("f", INT), FIELD("g", INT));
    struct cc_var *s = global("s", t, NULL);
    valid_expr(ASSIGN(DOT(V(s), 0), INC(DOT(V(s), 1))), "s.f = s.g++");
    start();
    struct cc_var *pp = global("pp", PTR(PTR(INT)), TO(p));
    invalid_expr(ASSIGN(STAR(p), BIN(CC_EQ, ASSIGN(STAR(pp), TO(y)), V(q))), unsequenced,
                 "*p = (*pp = &y) == q where pp is &p");
    start();
    eval(INC(V(x)));
    valid_expr(INC(V(x)), "x++; x++: one expression after the other");
}

/* -- calls ------------------------------------------------------------------------------------- */

static struct cc_func *reader(void) /* int r(void) { return x; } */
{
    struct cc_func *f = function("r", INT, NULL, NULL);
    give(V(x));
    end_function();
    return f;
}

static void test_call_order(void)
{
    struct cc_func *f;
    start();
    f = writer();
    invalid_expr(CALL(f, V(z), INC(V(z))), unsequenced, "f(z, z++)");
    start();
    f = writer();
    valid_expr(CALL(f, INC(V(y)), INC(V(z))), "f(y++, z++)");
    start();
    f = writer();
    valid_expr(CALL(f, V(x), V(x)), "f(x, x) where f writes x: arguments come first");
    start();
    f = writer();
    invalid_expr(ADD(V(x), CALL(f, I(1), I(2))), unsequenced, "x + f() where f writes x");
    start();
    f = writer();
    invalid_expr(ADD(CALL(f, I(1), I(2)), V(x)), unsequenced, "f() + x where f writes x");
    start();
    f = writer();
    invalid_expr(ADD(CALL(f, I(1), I(2)), CALL(f, I(1), I(2))), unsequenced,
                 "f() + f() where f writes x");
    start();
    f = reader();
    valid_expr(ADD(V(x), CALL(f)), "x + r() where r reads x");
    start();
    f = reader();
    invalid_expr(ADD(INC(V(x)), CALL(f)), unsequenced, "x++ + r() where r reads x");
    start();
    f = writer();
    valid_expr(ASSIGN(V(x), CALL(f, I(1), I(2))),
               "x = f() where f writes x: the call is complete when it has its value");
    start();
    f = writer();
    invalid_expr(CALL(f, CALL(f, I(1), I(2)), V(x)), unsequenced, "f(f(1, 2), x)");
    start();
    f = writer();
    valid_expr(COMMA(CALL(f, I(1), I(2)), CALL(f, I(1), V(x))), "f(), f(1, x)");
    start();
    f = writer();
    valid_expr(AND(CALL(f, I(1), I(2)), V(x)), "f() && x");
    start();
    f = writer();
    invalid_expr(ASSIGN(AT(V(row), V(x)), CALL(f, I(1), I(2))), unsequenced,
                 "row[x] = f() where f writes x");

    start(); /* the same from a summary as from the body */
    f = writer();
    eval(CALL(f, I(1), I(2)));
    eval(ADD(V(x), CALL(f, I(1), I(2))));
    adopt();
    ok(!walk(), "f(); x + f() where f writes x");
    is_int(G.n_hits, 1, "  found by its summary");
    ok(G.by_context, "  a matter of the context");
    done();

    start();
    f = writer();
    struct cc_func *outer = function("outer", INT, NULL, NULL);
    give(CALL(f, I(1), I(2)));
    end_function();
    invalid_expr(ADD(V(x), CALL(outer)), unsequenced, "x + outer() where outer calls f");

    start();
    f = writer();
    outer = function("outer", INT, NULL, NULL);
    give(CALL(f, I(1), I(2)));
    end_function();
    eval(CALL(outer));
    eval(ADD(V(x), CALL(outer)));
    adopt();
    ok(!walk(), "outer(); x + outer(): what f does is in the summary of outer");
    is_int(G.n_misses, 2, "  which was made once");
    done();
}

/* -- volatile (4.5.3) -------------------------------------------------------------------------- */

static const char in_no_order[] = "volatile accesses in no given order";
static struct cc_var *v, *w;

static void start_volatile(void)
{
    start();
    v = global("v", QUAL(INT, CC_VOLATILE), NULL);
    w = global("w", QUAL(INT, CC_VOLATILE), NULL);
}

static void test_volatile(void)
{
    start_volatile();
    invalid_expr(ADD(V(v), V(w)), in_no_order, "v + w");
    start_volatile();
    invalid_expr(ADD(V(v), V(v)), in_no_order, "v + v");
    start_volatile();
    valid_expr(ADD(V(v), V(x)), "v + x");
    start_volatile();
    valid_expr(COMMA(V(v), V(w)), "v, w");
    start_volatile();
    valid_expr(AND(V(v), V(w)), "v && w");
    start_volatile();
    valid_expr(COND(V(v), V(w), V(v)), "v ? w : v");
    start_volatile();
    invalid_expr(ADD(COMMA(V(v), I(1)), AND(V(c), V(w))), in_no_order, "(v, 1) + (c && w)");
    start_volatile();
    valid_expr(ASSIGN(V(v), V(w)), "v = w: the store comes last");
    start_volatile();
    valid_expr(INC(V(v)), "v++");
    start_volatile();
    eval(ASSIGN(V(v), ASSIGN(V(w), I(1))));
    adopt();
    ok(!walk(), "v = w = 1: two stores in no order");
    done();
    start_volatile();
    invalid_expr(ASSIGN(AT(V(row), V(v)), V(w)), in_no_order, "row[v] = w");
    start_volatile();
    struct cc_func *f = writer();
    invalid_expr(CALL(f, V(v), V(w)), in_no_order, "f(v, w)");
    start_volatile();
    f = writer();
    valid_expr(CALL(f, V(v), V(x)), "f(v, x)");
    start_volatile();
    f = function("get", INT, NULL, NULL);
    give(V(w));
    end_function();
    eval(CALL(f));
    invalid_expr(ADD(V(v), CALL(f)), in_no_order, "v + get() where get reads w");
    start_volatile();
    struct cc_var *pv = global("pv", PTR(QUAL(INT, CC_VOLATILE)), TO(x));
    invalid_expr(ADD(V(v), STAR(pv)), in_no_order,
                 "v + *pv where pv is &x: the access is volatile by its type");
    start_volatile();
    const struct cc_type *t = STRUCT("S", FIELD("f", INT), FIELD("g", QUAL(INT, CC_VOLATILE)));
    struct cc_var *s = global("s", t, NULL);
    invalid_expr(ADD(DOT(V(s), 1), V(v)), in_no_order, "s.g + v where s.g is volatile");
    start_volatile();
    t = STRUCT("S", FIELD("f", INT), FIELD("g", QUAL(INT, CC_VOLATILE)));
    s = global("s", t, NULL);
    valid_expr(ADD(DOT(V(s), 0), V(v)), "s.f + v where s.f is not");
    start_volatile();
    t = STRUCT("S", FIELD("f", INT), FIELD("g", INT));
    s = global("s", QUAL(t, CC_VOLATILE), NULL);
    invalid_expr(ADD(DOT(V(s), 0), V(v)), in_no_order, "s.f + v where s is volatile");
}

int main(void)
{
    test_operators();
    test_sequence_points();
    test_assignments();
    test_call_order();
    test_volatile();
    return tap_done();
}
