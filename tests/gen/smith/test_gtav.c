/* The transfer functions of smith's analysis on small programs made by hand (dissertation, chapter
 * 4): each program is walked from its initial facts and must be accepted, or rejected for the
 * reason that is given. Pointers, paths and loops, functions, unions; test_order.c has 4.5. */
#include "walk.h"

static const char unsequenced[] = "unsequenced";

/* -- pointers (4.4.3) -------------------------------------------------------------------------- */

static void test_null(void)
{
    start();
    set(V(p), NIL(p));
    set(STAR(p), I(1));
    invalid("null pointer", "a null pointer is not dereferenced");

    start();
    set(V(p), NIL(p));
    set(V(q), V(p));
    set(V(x), BIN(CC_EQ, V(p), NIL(p)));
    valid("but it can be read, copied and compared");

    start();
    set(V(p), NIL(p));
    set(V(p), TO(y));
    set(STAR(p), I(1));
    adopt();
    ok(walk(), "after an assignment it is dereferenced");
    is_str(points(p), "y", "it points to what was assigned");
    done();

    start();
    set(V(p), cc_addr(P, AT(V(row), I(0))));
    set(cc_deref(P, cc_incdec(P, CC_ADD, true, V(p))), I(1));
    put(cc_expr_stmt(P, cc_assign(P, CC_ADD, V(p), I(1))));
    set(STAR(p), I(2));
    adopt();
    ok(walk(), "a pointer is stepped, used, and moved");
    is_str(points(p), "row", "it stays in its array");
    done();

    start();
    struct cc_var *n = global("n", PTR(INT), NULL);
    set(STAR(n), I(1));
    invalid("null pointer", "a global without initialiser is null");

    start();
    struct cc_var *a = global("a", ARRAY(PTR(INT), 3), LIST(ARRAY(PTR(INT), 3), TO(x), TO(y)));
    set(V(x), DEREF(AT(V(a), I(0))));
    invalid("null pointer", "the rest of a short initialiser is null; elements are not told apart");

    start();
    a = global("a", ARRAY(PTR(INT), 2), LIST(ARRAY(PTR(INT), 2), TO(x), TO(y)));
    set(AT(V(a), I(0)), TO(z));
    set(DEREF(AT(V(a), I(1))), I(1));
    adopt();
    ok(walk(), "an element is assigned and another dereferenced");
    is_str(points(a), "x y z", "an assignment to an element adds to what the array points to");
    done();
}

static void test_dangling(void)
{
    start();
    enter_block();
    struct cc_var *l = local("l", INT, I(1));
    set(V(p), TO(l));
    set(STAR(p), I(2));
    leave();
    adopt();
    ok(walk(), "a pointer to a local of a block is used in the block");
    is_str(points(p), "GARBAGE", "its end leaves it dangling");
    done();

    start();
    enter_block();
    l = local("l", INT, I(1));
    set(V(p), TO(l));
    leave();
    set(STAR(p), I(2));
    invalid("read of a dangling pointer", "a dangling pointer is not dereferenced");

    start();
    enter_block();
    l = local("l", INT, I(1));
    set(V(p), TO(l));
    leave();
    set(V(q), V(p));
    invalid("read of a dangling pointer", "nor is it read");

    start();
    enter_block();
    l = local("l", INT, I(1));
    set(V(p), TO(l));
    leave();
    set(V(p), TO(x));
    set(STAR(p), I(2));
    valid("but it can be assigned, and then used");

    start();
    enter_block();
    l = cc_local(P, "l", INT, I(1));
    l->storage = CC_STATIC;
    put(cc_decl(P, l));
    set(V(p), TO(l));
    leave();
    set(STAR(p), I(2));
    valid("a static local outlives its block");

    start();
    enter_count(x, 3);
    l = local("l", INT, I(1));
    set(V(y), STAR(p));
    set(V(p), TO(l));
    leave();
    invalid("read of a dangling pointer", "an object of the last iteration is gone in the next");

    start();
    enter_count(x, 3);
    l = local("l", INT, I(1));
    set(V(p), TO(l));
    enter_if(V(c));
    put_kind(CC_S_BREAK);
    leave();
    set(V(p), TO(y));
    leave();
    set(V(z), STAR(p));
    invalid("read of a dangling pointer", "break ends the objects of the blocks that it leaves");

    start();
    struct cc_var *u = local("u", PTR(INT), NULL);
    set(V(p), TO(x));
    set(V(p), V(u));
    adopt();
    facts_set_initial(&G.f, G.f.locs.at[u->mark].slot, G.f.set_garbage);
    ok(!walk(), "a pointer without a value is not read");
    done();
}

static void test_levels(void)
{
    start();
    struct cc_var *pp = global("pp", PTR(PTR(INT)), TO(p));
    set(DEREF(STAR(pp)), I(1));
    set(V(p), NIL(p));
    set(V(q), STAR(pp));
    set(STAR(pp), TO(z));
    set(DEREF(STAR(pp)), I(1));
    adopt();
    ok(walk(), "**pp as each level is valid");
    is_str(points(p), "z", "a store through a pointer with one target is certain");
    is_str(points(q), "NULL", "*pp was null when it was read");
    done();

    start();
    pp = global("pp", PTR(PTR(INT)), TO(p));
    set(V(p), NIL(p));
    set(DEREF(STAR(pp)), I(1));
    invalid("null pointer", "**pp needs *pp");

    start();
    pp = global("pp", PTR(PTR(INT)), TO(p));
    struct cc_var *ppp = global("ppp", PTR(PTR(PTR(INT))), TO(pp));
    set(DEREF(DEREF(STAR(ppp))), I(1));
    set(STAR(ppp), NIL(pp));
    set(V(x), DEREF(DEREF(STAR(ppp))));
    invalid("null pointer", "***ppp needs **ppp");

    start();
    pp = global("pp", PTR(PTR(INT)), TO(p));
    enter_if(V(c));
    set(V(pp), TO(q));
    leave();
    set(STAR(pp), NIL(p));
    adopt();
    ok(walk(), "a store through a pointer with two targets");
    is_str(points(pp), "p q", "  the targets");
    is_str(points(p), "NULL x", "  it may have changed the first");
    is_str(points(q), "NULL y", "  or the second");
    done();

    start();
    pp = global("pp", PTR(PTR(INT)), TO(p));
    enter_block();
    struct cc_var *l = local("l", PTR(INT), TO(x));
    set(V(pp), TO(l));
    set(STAR(pp), TO(y));
    set(DEREF(STAR(pp)), I(1));
    leave();
    set(STAR(pp), TO(x));
    invalid("read of a dangling pointer", "a store through a dangling pointer");
}

static void test_records(void)
{
    start();
    const struct cc_type *t = STRUCT("S", FIELD("a", PTR(INT)), FIELD("b", PTR(INT)));
    struct cc_var *s = global("s", t, LIST(t, TO(x), TO(y)));
    struct cc_var *r = global("r", t, NULL);
    set(DOT(V(s), 1), NIL(p));
    set(DEREF(DOT(V(s), 0)), I(1));
    set(V(r), V(s));
    set(DEREF(DOT(V(r), 0)), I(1));
    adopt();
    ok(walk(), "fields are told apart, and a copy takes the facts along");
    is_str(set_text(fact(facts_field(&G.f, r->mark, 0))), "x", "  r.a");
    is_str(set_text(fact(facts_field(&G.f, r->mark, 1))), "NULL", "  r.b");
    done();

    start();
    t = STRUCT("S", FIELD("a", PTR(INT)), FIELD("b", PTR(INT)));
    s = global("s", t, LIST(t, TO(x), TO(y)));
    r = global("r", t, NULL);
    struct cc_var *ps = global("ps", PTR(t), TO(s));
    enter_if(V(c));
    set(V(ps), TO(r));
    leave();
    set(V(s), DEREF(V(ps)));
    adopt();
    ok(walk(), "a copy from one of two");
    is_str(set_text(fact(facts_field(&G.f, s->mark, 0))), "NULL x", "  joins both");
    done();

    start();
    t = STRUCT("S", FIELD("a", PTR(INT)), FIELD("b", PTR(INT)));
    s = global("s", t, LIST(t, TO(x), TO(y)));
    ps = global("ps", PTR(t), TO(s));
    set(V(ps), NIL(ps));
    set(DOT(STAR(ps), 0), TO(z));
    invalid("null pointer", "ps->a with a null ps");
}

/* -- paths (Table 4.1) ------------------------------------------------------------------------- */

static void test_if(void)
{
    start();
    enter_if(V(c));
    set(V(p), TO(y));
    enter_else();
    set(V(p), TO(z));
    leave();
    set(STAR(p), I(1));
    adopt();
    ok(walk(), "both branches assign");
    is_str(points(p), "y z", "  and their facts are joined");
    done();

    start();
    enter_if(V(c));
    set(V(p), TO(y));
    enter_else();
    set(V(p), NIL(p));
    leave();
    set(STAR(p), I(1));
    invalid("null pointer", "null on one branch is enough");

    start();
    set(V(p), NIL(p));
    enter_if(V(c));
    set(V(p), TO(y));
    leave();
    set(STAR(p), I(1));
    invalid("null pointer", "without an else the facts before it remain");

    start();
    set(V(p), NIL(p));
    enter_if(V(c));
    set(V(p), TO(y));
    enter_else();
    give(NULL);
    leave();
    set(STAR(p), I(1));
    valid("a branch that returns does not reach what follows");

    start();
    give(NULL);
    set(V(p), NIL(p));
    set(STAR(p), I(1));
    valid("what cannot be reached is not looked at");
}

static void test_switch(void)
{
    start();
    enter_switch(V(c));
    put(cc_case(P, 1));
    set(V(p), TO(y));
    put_kind(CC_S_BREAK);
    put(cc_case(P, 2));
    set(V(q), V(p));
    put_kind(CC_S_BREAK);
    put_kind(CC_S_DEFAULT);
    set(V(p), TO(z));
    leave();
    adopt();
    ok(walk(), "a switch with a default");
    is_str(points(p), "x y z", "  joins its cases");
    is_str(points(q), "x y", "  and a case after a break starts from the head");
    done();

    start();
    set(V(p), NIL(p));
    enter_switch(V(c));
    put(cc_case(P, 1));
    set(V(p), TO(y));
    put(cc_case(P, 2));
    set(V(q), V(p));
    set(V(p), TO(z));
    leave();
    adopt();
    ok(walk(), "a switch whose case falls through, without a default");
    is_str(points(p), "NULL z", "  may do nothing");
    is_str(points(q), "NULL y",
           "  and the second case is reached from the head and from the first");
    done();

    start();
    enter_switch(V(c));
    put(cc_case(P, 1));
    set(V(p), NIL(p));
    put(cc_case(P, 2));
    set(STAR(p), I(1));
    leave();
    invalid("null pointer", "a case that is fallen into with a null pointer");

    start();
    enter_switch(V(c));
    put(cc_case(P, 1));
    set(V(p), NIL(p));
    put_kind(CC_S_BREAK);
    put(cc_case(P, 2));
    set(STAR(p), I(1));
    leave();
    valid("the same with a break between");

    start();
    enter_count(x, 3);
    enter_switch(V(c));
    put(cc_case(P, 1));
    set(V(p), NIL(p));
    put_kind(CC_S_CONTINUE);
    leave();
    set(V(y), STAR(p));
    leave();
    invalid("null pointer", "continue inside a switch belongs to the loop");
}

static void test_loops(void)
{
    start();
    enter_count(x, 3);
    set(V(p), V(q));
    set(V(q), TO(z));
    leave();
    adopt();
    ok(walk(), "a loop that moves pointers on");
    is_str(points(p), "x y z", "  may end after any iteration, also before the first");
    done();

    start();
    enter_do(LT(INC(V(x)), I(3)));
    set(V(p), TO(y));
    leave();
    adopt();
    ok(walk(), "a do loop");
    is_str(points(p), "y", "  is run at least once");
    done();

    start();
    enter_count(x, 3);
    set(V(p), NIL(p));
    enter_if(V(c));
    put_kind(CC_S_CONTINUE);
    leave();
    set(V(p), TO(y));
    leave();
    set(V(y), STAR(p));
    invalid("null pointer", "continue goes to the end of the body");

    start();
    enter_for(NULL, LT(V(x), STAR(p)), ASSIGN(V(p), NIL(p)));
    leave();
    invalid("null pointer", "the condition is walked again after the step");

    start();
    enter_for(NULL, LT(V(x), I(3)), NULL);
    set(V(p), NIL(p));
    put_kind(CC_S_BREAK);
    leave();
    adopt();
    ok(walk(), "a loop that is left at once");
    is_str(points(p), "NULL x", "  by its condition or by break");
    done();
}

/* Listing 4.1 and Table 4.2. `shift` statements of the body:
 *     p3 = p2; *p3 = 0; p2 = p1; p1 = NULL; */
static struct cc_var *p1, *p2, *p3;

static void listing_4_1(void)
{
    start();
    struct cc_var *i = global("i", INT, NULL), *j = global("j", INT, NULL),
                  *k = global("k", INT, NULL);
    p1 = global("p1", PTR(INT), TO(i));
    p2 = global("p2", PTR(INT), TO(j));
    p3 = global("p3", PTR(INT), TO(k));
    enter_count(x, 5);
}

static void test_listing_4_1(void)
{
    listing_4_1();
    set(V(p3), V(p2));
    set(STAR(p3), I(0));
    set(V(p2), V(p1));
    set(V(p1), NIL(p1));
    struct cc_stmt *body = leave();
    adopt();
    gtav_stmt(&G, body);
    ok(!G.bad, "Table 4.2, iteration 1");
    is_str(points(p1), "NULL", "  p1");
    is_str(points(p2), "i", "  p2");
    is_str(points(p3), "j", "  p3");
    gtav_stmt(&G, body);
    ok(!G.bad, "Table 4.2, iteration 2");
    is_str(points(p1), "NULL", "  p1");
    is_str(points(p2), "NULL", "  p2");
    is_str(points(p3), "i", "  p3");
    G.watched = body;
    gtav_stmt(&G, body);
    ok(G.bad, "Table 4.2, iteration 3 fails");
    is_int(G.failed_at, 1, "  at *p3 = 0");
    is_str(points(p3), "NULL", "  p3");
    done();

    listing_4_1();
    set(V(p3), V(p2));
    struct cc_stmt *before = note(p3);
    set(STAR(p3), I(0));
    struct cc_stmt *after = note(p3);
    set(V(p2), V(p1));
    set(V(p1), NIL(p1));
    body = leave();
    adopt();
    G.watched = body;
    G.failed_at = SIZE_MAX;
    ok(!walk(), "Listing 4.1 is rejected as a whole");
    is_str(G.why, "null pointer", "  because of a null pointer");
    is_int(G.failed_at, 2, "  at *p3 = 0, where the body is cut (the note before it counts)");
    is_str(noted(before), "NULL i j", "  it takes three iterations until p3 may be null");
    is_str(noted(after), "i j", "  *p3 = 0 was valid in two");
    ok(!G.by_context, "  a matter of facts, not of the context");
    done();

    listing_4_1();
    set(V(p3), V(p2));
    leave();
    valid("Listing 4.1 without the rest of its body");

    listing_4_1();
    set(V(p3), V(p2));
    set(STAR(p3), I(0));
    set(V(p2), V(p1));
    leave();
    adopt();
    ok(walk(), "Listing 4.1 without its culprit, p1 = NULL");
    is_str(points(p3), "i j k", "  p3 at the end");
    done();
}

/* Loops that overlap (4.3.7.2). */
static void test_listing_4_2(void)
{
    for (int variant = 0; variant < 4; variant++) {
        start();
        struct cc_var *i = global("i", INT, NULL), *j = global("j", INT, NULL),
                      *k = global("k", INT, NULL);
        p1 = global("p1", PTR(INT), TO(i));
        p2 = global("p2", PTR(INT), TO(z));
        p3 = global("p3", PTR(INT), TO(z));
        struct cc_stmt *label = put(cc_label(P, "label"));
        if (variant == 0) {
            set(V(p2), TO(j));
            set(V(p3), TO(k));
        }
        struct cc_stmt *at_label = note(p1);
        if (variant == 1 || variant == 2)
            set(STAR(p1), I(0));
        if (variant == 3)
            set(V(p1), V(p2));
        enter_count(i, 3);
        if (variant != 2)
            goto_if(LT(V(i), I(2)), label);
        if (variant == 0) {
            set(V(p2), V(p3));
        } else if (variant < 3) { /* p1 is null after three iterations of the inner loop */
            set(V(p1), V(p2));
            set(V(p2), V(p3));
            set(V(p3), NIL(p3));
        } else { /* p2 is null in the inner loop, p1 after the jump back only */
            set(STAR(p1), I(0));
            set(V(p2), NIL(p2));
        }
        leave();
        adopt();
        bool good = walk();
        switch (variant) {
        case 0:
            ok(good, "Listing 4.2: a jump back out of a loop");
            is_str(points(p2), "j k", "  p2 of both loops");
            is_str(points(p3), "k", "  p3");
            break;
        case 1:
            ok(!good, "the fixed point of the inner loop reaches the label");
            is_str(noted(at_label), "NULL z i", "  what p1 is there");
            break;
        case 2:
            ok(good, "without the jump it does not");
            is_str(points(p1), "NULL z i", "  though p1 is null behind the loop");
            break;
        default:
            ok(!good, "the jump back reaches the inner loop");
            is_str(G.why, "null pointer", "  with a null pointer");
        }
        done();
    }
}

static void test_goto(void)
{
    start();
    set(V(p), NIL(p));
    struct cc_stmt *label = cc_label(P, "label");
    goto_if(V(c), label);
    set(V(p), TO(y));
    put(label);
    set(STAR(p), I(1));
    invalid("null pointer", "a jump forward around an assignment");

    start();
    label = cc_label(P, "label");
    goto_if(V(c), label);
    set(V(p), NIL(p));
    put(label);
    adopt();
    ok(walk(), "a jump forward");
    is_str(points(p), "NULL x", "  joins at its label");
    done();

    start();
    label = put(cc_label(P, "label"));
    set(STAR(p), I(1));
    set(V(p), V(q));
    set(V(q), NIL(q));
    goto_if(V(c), label);
    invalid("null pointer", "a jump back is iterated");

    start();
    label = put(cc_label(P, "label"));
    set(V(p), TO(y));
    set(STAR(p), I(1));
    set(V(p), NIL(p));
    goto_if(V(c), label);
    valid("a jump back to where all is assigned anew");

    start();
    label = cc_label(P, "label");
    enter_block();
    struct cc_var *l = local("l", INT, I(1));
    set(V(p), TO(l));
    goto_if(V(c), label);
    set(V(p), TO(x));
    leave();
    put(label);
    adopt();
    ok(walk(), "a jump out of a block");
    is_str(points(p), "GARBAGE x", "  ends its objects");
    done();

    start(); /* two labels, each jumped back to from behind the other */
    struct cc_stmt *first = put(cc_label(P, "first"));
    set(V(z), STAR(q));
    struct cc_stmt *second = put(cc_label(P, "second"));
    set(V(q), V(p));
    goto_if(V(c), first);
    set(V(p), NIL(p));
    goto_if(V(c), second);
    invalid("null pointer", "two jump loops that overlap reach a common fixed point");
}

/* -- functions (4.3.5) ------------------------------------------------------------------------- */

/* void store(int *a) { *a = 1; } */
static struct cc_func *storer(void)
{
    struct cc_var *a = param("a", PTR(INT));
    struct cc_func *f = function("store", VOID, a, NULL);
    set(STAR(a), I(1));
    end_function();
    return f;
}

static void is_cache(uint64_t hits, uint64_t misses, const char *name)
{
    is_int(G.n_hits, hits, "%s: hits", name);
    is_int(G.n_misses, misses, "%s: misses", name);
}

static void test_summaries(void)
{
    start();
    struct cc_func *f = storer();
    eval(CALL(f, TO(x)));
    eval(CALL(f, TO(x)));
    eval(CALL(f, TO(y)));
    set(V(q), TO(z)); /* f does not depend on q */
    eval(CALL(f, TO(y)));
    eval(CALL(f, V(p)));
    adopt();
    ok(walk(), "calls with the same and with other facts");
    is_cache(3, 2, "summaries");
    done();

    start();
    f = storer();
    eval(CALL(f, TO(x)));
    eval(CALL(f, NIL(p)));
    adopt();
    ok(!walk(), "a call with a null pointer");
    is_str(G.why, "null pointer", "  is found in the callee");
    ok(!gtav_latest(&G, f)->valid, "  and remembered");
    G.bad = false;
    G.open.n = 0;
    gtav_bind(&G, f->params[0], G.f.set_null, 0);
    gtav_apply(&G, f);
    ok(G.bad, "  the second time by its summary");
    is_str(G.why, "the callee is not valid here", "  which says so");
    G.bad = false;
    gtav_bind(&G, f->params[0], set_single(&G.f, x->mark), 0);
    gtav_apply(&G, f);
    ok(!G.bad, "  which leaves other calls as they were");
    is_cache(2, 2, "  summaries");
    gtav_forget(&G, f);
    ok(!gtav_latest(&G, f), "a function is forgotten");
    done();

    start(); /* what it does to the facts */
    f = function("turn", VOID, NULL, NULL);
    set(V(p), V(q));
    end_function();
    eval(CALL(f));
    struct cc_stmt *first = note(p);
    set(V(p), TO(x));
    eval(CALL(f));
    struct cc_stmt *again = note(p);
    set(V(q), TO(z));
    eval(CALL(f));
    struct cc_stmt *other = note(p);
    adopt();
    ok(walk(), "void turn(void) { p = q; }");
    is_str(noted(first), "y", "  walked");
    is_str(noted(again), "y", "  from its summary");
    is_str(noted(other), "z", "  walked with other facts");
    is_cache(1, 2, "  summaries");
    const struct gtav_summary *s = gtav_latest(&G, f);
    is_int(s->n_slots, 2, "  it depends on p and q");
    is_int(s->n_writes, 1, "  it writes p");
    is_int(s->n_reads, 1, "  it reads q");
    ok(s->writes[0] == p->mark && s->reads[0] == q->mark, "  just these");
    done();

    start(); /* a pointer result */
    struct cc_var *a = param("a", PTR(INT));
    f = function("same", PTR(INT), a, NULL);
    enter_if(V(c));
    give(TO(z));
    leave();
    give(V(a));
    end_function();
    set(V(p), CALL(f, TO(y)));
    adopt();
    ok(walk(), "int *same(int *a) { if (c) return &z; return a; }");
    is_str(points(p), "y z", "  the result");
    done();

    start();
    f = function("own", PTR(INT), NULL, NULL);
    struct cc_var *l = local("l", INT, I(1));
    give(TO(l));
    end_function();
    set(V(p), CALL(f));
    invalid("returns a dangling pointer", "the address of a local is not returned");

    start();
    f = function("leak", VOID, NULL, NULL);
    l = local("l", INT, I(1));
    set(V(p), TO(l));
    set(STAR(p), I(2));
    end_function();
    eval(CALL(f));
    adopt();
    ok(walk(), "a function leaves the address of its local in a global");
    is_str(points(p), "GARBAGE", "  which dangles then");
    done();

    start();
    a = param("a", PTR(PTR(INT)));
    f = function("through", VOID, a, NULL);
    set(STAR(a), TO(z));
    end_function();
    l = local("l", PTR(INT), TO(x));
    eval(CALL(f, TO(l)));
    eval(ASSIGN(STAR(l), I(1)));
    struct cc_stmt *n = note(l);
    adopt();
    ok(walk(), "a function writes a local of its caller");
    is_str(noted(n), "z", "  through its parameter");
    done();

    start(); /* a struct with a pointer as argument */
    const struct cc_type *t = STRUCT("S", FIELD("f", INT), FIELD("g", PTR(INT)));
    struct cc_var *g = global("g", t, LIST(t, I(1), TO(x)));
    a = param("a", t);
    f = function("take", VOID, a, NULL);
    set(DEREF(DOT(V(a), 1)), I(1));
    end_function();
    eval(CALL(f, V(g)));
    set(DOT(V(g), 1), NIL(p));
    eval(CALL(f, V(g)));
    invalid("null pointer", "the facts of a struct go with it into a call");
}

static void test_context(void)
{
    start();
    struct cc_func *f = writer();
    adopt();
    uint32_t begin_ = gtav_operand(&G); /* x + f(1, 2), bit by bit */
    gtav_read(&G, set_single(&G.f, x->mark), V(x));
    gtav_push(&G, begin_);
    gtav_apply(&G, f);
    gtav_pop(&G);
    ok(G.bad && G.by_context, "a callee in conflict with the operand before it");
    ok(!gtav_latest(&G, f), "  is not remembered as invalid");
    G.bad = false;
    G.open.n = 0;
    gtav_apply(&G, f);
    ok(!G.bad, "  and can be called elsewhere");
    done();

    start();
    f = storer();
    adopt();
    gtav_lock(&G, x->mark, 1);
    gtav_bind(&G, f->params[0], set_single(&G.f, x->mark), 0);
    gtav_apply(&G, f);
    ok(G.bad && G.by_context, "a callee that writes a loop variable of its caller");
    is_str(G.why, "store to a loop variable", "  says so");
    G.bad = false;
    G.open.n = 0;
    gtav_lock(&G, x->mark, -1);
    gtav_bind(&G, f->params[0], set_single(&G.f, x->mark), 0);
    gtav_apply(&G, f);
    ok(!G.bad, "  may do so when the loop has ended");
    gtav_lock(&G, x->mark, 1);
    gtav_bind(&G, f->params[0], set_single(&G.f, x->mark), 0);
    gtav_apply(&G, f);
    ok(G.bad, "  and not from its summary in another");
    done();
}

/* -- unions (4.6) ------------------------------------------------------------------------------ */

static const char not_last[] = "union member that was not stored last";
static const struct cc_type *U;
static struct cc_var *u;

enum { INT_MEMBER, SHORT_MEMBER, FLOAT_MEMBER, POINTER_MEMBER, STRUCT_MEMBER };

static void start_union(void)
{
    start();
    const struct cc_type *t = STRUCT("T", FIELD("a", INT), FIELD("b", INT));
    U = UNION("U", FIELD("i", INT), FIELD("h", SHORT), FIELD("f", FLOAT), FIELD("p", PTR(INT)),
              FIELD("s", t));
    u = global("u", U, NULL);
}

#define MEMBER(m) DOT(V(u), (m))

static void test_unions(void)
{
    start_union();
    valid_expr(MEMBER(INT_MEMBER), "the first member is initialised");
    start_union();
    set(MEMBER(FLOAT_MEMBER), D(1));
    valid_expr(MEMBER(FLOAT_MEMBER), "the member stored last is read");
    start_union();
    set(MEMBER(FLOAT_MEMBER), D(1));
    invalid_expr(MEMBER(INT_MEMBER), not_last, "no integer is read from a float");
    start_union();
    invalid_expr(MEMBER(FLOAT_MEMBER), not_last, "nor a float from an integer");
    start_union();
    valid_expr(MEMBER(SHORT_MEMBER), "relaxed: a narrower integer than was stored (4.6.2)");
    start_union();
    set(MEMBER(SHORT_MEMBER), I(1));
    invalid_expr(MEMBER(INT_MEMBER), not_last, "but no wider one");
    start_union();
    eval(MEMBER(SHORT_MEMBER));
    adopt();
    G.relaxed_unions = false;
    ok(!walk(), "strict: only the member stored last");
    is_str(G.why, not_last, "  because: %s", not_last);
    done();

    start_union();
    enter_if(V(c));
    set(MEMBER(SHORT_MEMBER), I(1));
    leave();
    invalid_expr(MEMBER(SHORT_MEMBER), not_last, "one member on one path, one on the other");
    start_union();
    enter_if(V(c));
    set(MEMBER(FLOAT_MEMBER), D(1));
    enter_else();
    set(MEMBER(FLOAT_MEMBER), D(2));
    leave();
    valid_expr(MEMBER(FLOAT_MEMBER), "the same member on both");
    start_union();
    enter_if(V(c));
    set(MEMBER(FLOAT_MEMBER), D(1));
    leave();
    set(MEMBER(SHORT_MEMBER), I(1));
    valid_expr(MEMBER(SHORT_MEMBER), "a certain store ends the uncertainty");

    start_union();
    set(V(p), ADDR(MEMBER(INT_MEMBER)));
    set(MEMBER(FLOAT_MEMBER), D(1));
    set(STAR(p), I(1));
    valid_expr(MEMBER(INT_MEMBER), "a store through a pointer to a member");
    start_union();
    set(V(p), ADDR(MEMBER(INT_MEMBER)));
    set(MEMBER(FLOAT_MEMBER), D(1));
    invalid_expr(STAR(p), not_last, "a read through a pointer to a member");
    start_union();
    struct cc_var *half = global("half", PTR(SHORT), ADDR(MEMBER(SHORT_MEMBER)));
    invalid_expr(STAR(half), not_last, "relaxed reads by a pointer: no narrower integer (6.5p7)");
    start_union();
    half = global("half", PTR(SHORT), ADDR(MEMBER(SHORT_MEMBER)));
    set(MEMBER(SHORT_MEMBER), I(1));
    valid_expr(STAR(half), "  but the one stored last");
    start_union();
    half = global("half", PTR(SHORT), ADDR(MEMBER(SHORT_MEMBER)));
    invalid_expr(ASSIGN_OP(CC_ADD, STAR(half), I(1)), not_last, "  not in an assignment either");
    start_union();
    set(V(p), ADDR(MEMBER(INT_MEMBER)));
    set(STAR(p), I(1));
    valid_expr(MEMBER(SHORT_MEMBER), "  stored by a pointer, read through the union");
    start_union();
    struct cc_var *pu = global("pu", PTR(U), ADDR(V(u)));
    valid_expr(DOT(STAR(pu), SHORT_MEMBER), "  through a pointer to the union");
    start_union();
    U = UNION("W", FIELD("i", INT), FIELD("u", UINT), FIELD("c", SCHAR));
    u = global("w", U, NULL);
    struct cc_var *signs = global("signs", PTR(UINT), ADDR(MEMBER(1)));
    valid_expr(STAR(signs), "  the other sign");
    start_union();
    U = UNION("W", FIELD("i", INT), FIELD("u", UINT), FIELD("c", SCHAR));
    u = global("w", U, NULL);
    struct cc_var *bytes = global("bytes", PTR(SCHAR), ADDR(MEMBER(2)));
    valid_expr(STAR(bytes), "  and characters");
    start_union();
    enter_if(V(c));
    set(V(p), ADDR(MEMBER(INT_MEMBER)));
    leave();
    set(MEMBER(FLOAT_MEMBER), D(1));
    set(STAR(p), I(1));
    invalid_expr(MEMBER(FLOAT_MEMBER), not_last, "a store that may be to a member");
    start_union();
    enter_if(V(c));
    set(V(p), ADDR(MEMBER(INT_MEMBER)));
    leave();
    set(STAR(p), I(1));
    valid_expr(MEMBER(INT_MEMBER), "... does no harm where that was stored last anyway");

    start_union();
    set(MEMBER(POINTER_MEMBER), TO(x));
    set(DEREF(MEMBER(POINTER_MEMBER)), I(1));
    valid("a pointer in a union");
    start_union();
    set(MEMBER(POINTER_MEMBER), TO(x));
    set(MEMBER(INT_MEMBER), I(1));
    set(V(p), MEMBER(POINTER_MEMBER));
    invalid(not_last, "a pointer in a union that was overwritten");

    start_union();
    struct cc_var *other = global("other", U, NULL);
    set(MEMBER(FLOAT_MEMBER), D(1));
    set(V(other), V(u));
    valid_expr(DOT(V(other), FLOAT_MEMBER), "a copy takes the fact along");
    start_union();
    other = global("other", U, NULL);
    set(MEMBER(FLOAT_MEMBER), D(1));
    set(V(other), V(u));
    invalid_expr(DOT(V(other), INT_MEMBER), not_last, "  and forgets the old one");

    start_union();
    set(DOT(MEMBER(STRUCT_MEMBER), 0), I(1));
    invalid_expr(DOT(MEMBER(STRUCT_MEMBER), 1), not_last,
                 "a part of a struct member is stored: the rest is indeterminate");
    start_union();
    struct cc_var *whole = global("whole", U->record->fields[STRUCT_MEMBER].type, NULL);
    set(MEMBER(STRUCT_MEMBER), V(whole));
    set(DOT(MEMBER(STRUCT_MEMBER), 0), I(1));
    valid_expr(DOT(MEMBER(STRUCT_MEMBER), 1), "the whole of it is stored, then a part");

    start_union();
    struct cc_var *a = global("a", ARRAY(U, 2), NULL);
    set(DOT(AT(V(a), I(0)), FLOAT_MEMBER), D(1));
    invalid_expr(DOT(AT(V(a), I(0)), FLOAT_MEMBER), not_last,
                 "an element of an array of unions is not known alone");
    start_union();
    a = global("a", ARRAY(U, 2), NULL);
    set(DOT(AT(V(a), I(0)), INT_MEMBER), I(1));
    valid_expr(DOT(AT(V(a), I(1)), INT_MEMBER), "unless all have the same member");

    start_union();
    struct cc_func *f = function("change", VOID, NULL, NULL);
    set(MEMBER(FLOAT_MEMBER), D(1));
    end_function();
    eval(CALL(f));
    eval(MEMBER(FLOAT_MEMBER));
    set(MEMBER(INT_MEMBER), I(1));
    eval(CALL(f));
    eval(CALL(f));
    invalid_expr(MEMBER(INT_MEMBER), not_last, "a callee stores a member");

    start_union();
    f = function("put_short", INT, NULL, NULL);
    set(MEMBER(SHORT_MEMBER), I(1));
    give(I(1));
    end_function();
    invalid_expr(ADD(MEMBER(INT_MEMBER), CALL(f)), unsequenced, "a union is accessed as a whole");

    start_union();
    other = global("other", UNION("V", FIELD("u", U), FIELD("x", INT)), NULL);
    set(DOT(V(other), 1), I(1));
    invalid_expr(DOT(DOT(V(other), 0), INT_MEMBER), not_last, "a union in a union: the outer");
    start_union();
    other = global("other", UNION("V", FIELD("u", U), FIELD("x", INT)), NULL);
    valid_expr(DOT(DOT(V(other), 0), INT_MEMBER), "a union in a union: both");

    start_union(); /* 4.6.3 */
    eval(ASSIGN(MEMBER(SHORT_MEMBER), MEMBER(INT_MEMBER)));
    adopt();
    ok(!walk(), "no assignment between members of one union");
    done();
    start_union();
    set(V(p), ADDR(MEMBER(INT_MEMBER)));
    eval(ASSIGN(MEMBER(SHORT_MEMBER), STAR(p)));
    adopt();
    ok(!walk(), "  nor through a pointer");
    done();
    start_union();
    valid_expr(ASSIGN(MEMBER(INT_MEMBER), MEMBER(INT_MEMBER)), "a member to itself");
    start_union();
    valid_expr(ASSIGN(MEMBER(SHORT_MEMBER), ADD(MEMBER(INT_MEMBER), I(1))),
               "a value computed from another member");
}

/* -- what may not be written ------------------------------------------------------------------- */

static void test_locked(void)
{
    start();
    enter_count(x, 3);
    set(V(x), I(1));
    struct cc_stmt *body = leave();
    struct cc_stmt *loop = make_blocks[make_depth]->list.at[0];
    REQUIRE(loop->a == body);
    adopt();
    ok(walk(), "a loop whose variable is not protected");
    loop->facts = (void *)(uintptr_t)x->mark;
    ok(!walk(), "a loop whose variable is");
    is_str(G.why, "store to a loop variable", "  because: store to a loop variable");
    ok(G.by_context, "  a matter of the context");
    done();

    start();
    enter_count(x, 3);
    set(STAR(p), I(1));
    leave();
    loop = make_blocks[make_depth]->list.at[0];
    adopt();
    loop->facts = (void *)(uintptr_t)x->mark;
    ok(!walk(), "nor through a pointer");
    done();

    start();
    enter_count(x, 3);
    set(V(y), V(x));
    leave();
    loop = make_blocks[make_depth]->list.at[0];
    set(V(x), I(1));
    adopt();
    loop->facts = (void *)(uintptr_t)x->mark;
    ok(walk(), "it is read inside and written behind the loop");
    is_int(G.locked.at[x->mark], 0, "  no lock is left");
    done();
}

static void test_writable(void)
{
    start();
    struct cc_var *k = global("k", QUAL(INT, CC_CONST), I(1));
    const struct cc_type *t = STRUCT("S", FIELD("f", INT), FIELD("g", QUAL(INT, CC_CONST)));
    const struct cc_type *t2 = STRUCT("T", FIELD("s", t), FIELD("h", INT));
    struct cc_var *s = global("s", t, NULL), *outer = global("outer", t2, NULL);
    struct cc_var *all = global("all", QUAL(STRUCT("V", FIELD("f", INT)), CC_CONST), NULL);
    adopt();
    struct facts *f = &G.f;
    ok(gtav_writable(&G, set_single(f, x->mark)), "a variable is writable");
    ok(!gtav_writable(&G, set_single(f, k->mark)), "a const one is not");
    ok(!gtav_writable(&G, set_join(f, set_single(f, x->mark), set_single(f, k->mark))),
       "nor what may be one");
    ok(!gtav_writable(&G, set_single(f, s->mark)), "nor a struct with a const field");
    ok(gtav_writable(&G, set_single(f, facts_field(f, s->mark, 0))), "but its other fields");
    ok(!gtav_writable(&G, set_single(f, facts_field(f, s->mark, 1))), "not that field");
    ok(!gtav_writable(&G, set_single(f, outer->mark)), "nor a struct around it");
    ok(gtav_writable(&G, set_single(f, facts_field(f, outer->mark, 1))), "but its other fields");
    ok(!gtav_writable(&G, set_single(f, facts_field(f, all->mark, 0))),
       "nor a field of a const struct");
    ok(!gtav_writable(&G, f->set_null), "nor nothing");
    ok(!gtav_writable(&G, f->set_garbage), "nor what is gone");
    ok(!gtav_writable(&G, 0), "nor an empty set");
    gtav_lock(&G, x->mark, 1);
    ok(!gtav_writable(&G, set_single(f, x->mark)), "nor a protected variable");
    gtav_lock(&G, x->mark, 1);
    gtav_lock(&G, x->mark, -1);
    ok(!gtav_writable(&G, set_single(f, x->mark)), "locks are counted");
    gtav_lock(&G, x->mark, -1);
    ok(gtav_writable(&G, set_single(f, x->mark)), "and end");
    gtav_lock(&G, s->mark, 1);
    ok(!gtav_writable(&G, set_single(f, facts_field(f, s->mark, 0))), "a lock holds for all parts");
    done();
}

int main(void)
{
    test_null();
    test_dangling();
    test_levels();
    test_records();
    test_if();
    test_switch();
    test_loops();
    test_listing_4_1();
    test_listing_4_2();
    test_goto();
    test_summaries();
    test_context();
    test_unions();
    test_locked();
    test_writable();
    return tap_done();
}
