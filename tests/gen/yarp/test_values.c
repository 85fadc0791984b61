/* The values that yarp keeps of the program under construction: hand-made programs are evaluated as
 * they would be while they are made, or run until they settle, and `interp` has to agree on the
 * tree that comes of it: nothing undefined, and the same value in every global. */
#include "base/error.h"
#include "gen/yarp/values.h"
#include "interp/make.h"

#include <limits.h>

static struct values W;
static struct choice chances;

/* -- a program, evaluated --------------------------------------------------------------------- */

static void place_locals(struct cc_stmt *s)
{
    if (!s)
        return;
    if (s->kind == CC_S_DECL)
        values_add(&W, s->var);
    for (size_t i = 0; s->kind == CC_S_BLOCK && i < s->list.n; i++)
        place_locals(s->list.at[i]);
    place_locals(s->a);
    place_locals(s->b);
}

/* The program is complete: every variable gets its place, globals their values. */
static void attach(void)
{
    choice_init_random(&chances, 1);
    values_init(&W, P, &chances, &make_arena);
    W.negative_right_shift = true;
    for (size_t i = 0; i < P->globals.n; i++)
        values_add(&W, P->globals.at[i]);
    W.off = true; /* initialisers of locals are evaluated where control comes by */
    for (size_t i = 0; i < P->funcs.n; i++) {
        for (int k = 0; k < P->funcs.at[i]->n_params; k++)
            values_add(&W, P->funcs.at[i]->params[k]);
        place_locals(P->funcs.at[i]->body);
    }
    W.off = false;
    values_forget(&W);
}

/* Statement by statement, as if each had just been made. */
static void make(void)
{
    attach();
    W.mode = VALUES_MAKING;
    values_exec(&W, P->entry->body);
}

/* Again and again, until nothing has to be rewritten; how often that was. */
static int settle(void)
{
    W.mode = VALUES_RUNNING;
    size_t mark = values_mark(&W);
    for (W.pass = 0; W.pass < 20; W.pass++) {
        W.changed = false;
        values_exec(&W, P->entry->body);
        if (!W.changed)
            break;
        values_back(&W, mark);
    }
    return W.pass;
}

/* What main would print for the values there are. */
static uint32_t checksum(void)
{
    cc_make_main(P, NULL);
    W.mode = VALUES_RUNNING;
    W.crc = cc_crc_start();
    for (size_t i = 1; i < P->main->body->list.n; i++) {
        struct cc_stmt *s = P->main->body->list.at[i];
        if (s->kind == CC_S_DECL)
            values_add(&W, s->var);
        else
            values_exec(&W, s);
    }
    return cc_crc_end(W.crc);
}

/* The interpreter finds the tree defined and every global as the values have it. */
static bool agrees(const char *name)
{
    uint32_t crc = checksum();
    make_interp = interp_new(P, &(struct interp_options){0});
    enum cc_ub rule = interp_run(make_interp);
    bool good = rule == CC_UB_NONE && interp_checksum_value(make_interp) == crc;
    if (!ok(good, "%s", name) && rule) {
        struct strbuf why;
        strbuf_init(&why, 0);
        interp_explain(make_interp, &why);
        tap_note("interp", why.s);
        strbuf_release(&why);
    }
    return good;
}

static void end(void)
{
    values_release(&W);
    choice_release(&chances);
    finish();
}

#define SET(v, e) set(V(v), e)
#define SUB(a, b) BIN(CC_SUB, a, b)
#define MUL(a, b) BIN(CC_MUL, a, b)
#define DIV(a, b) BIN(CC_DIV, a, b)
#define SHL(a, b) BIN(CC_SHL, a, b)
#define SHR(a, b) BIN(CC_SHR, a, b)
#define value(v) values_get(&W, v)

/* -- arithmetic ------------------------------------------------------------------------------- */

static const enum cc_kind kinds[] = {CC_BOOL, CC_SCHAR, CC_UCHAR, CC_SHORT, CC_USHORT,
                                     CC_INT,  CC_UINT,  CC_LLONG, CC_ULLONG};
static const enum cc_op binary_ops[] = {CC_ADD, CC_SUB, CC_MUL, CC_DIV, CC_REM, CC_SHL,
                                        CC_SHR, CC_AND, CC_OR,  CC_XOR, CC_LT,  CC_GT,
                                        CC_LE,  CC_GE,  CC_EQ,  CC_NE};
enum {
    N_KINDS = sizeof kinds / sizeof *kinds,
    N_OPS = sizeof binary_ops / sizeof *binary_ops,
    N_EDGES = 6,
    N_CASES = N_OPS * N_EDGES * N_EDGES
};

static cc_wide edge(const struct cc_type *t, int i)
{
    const cc_wide edges[N_EDGES] = {
        cc_int_min(t), (cc_wide)cc_int_max(t), 0, 1, t->is_signed ? -1 : 2, 7};
    return cc_wrap(t, t->kind == CC_BOOL ? edges[i] != 0 : edges[i]);
}

/* Every operator with the edges of both types; each result in an element of its own. */
static void arithmetic_of(enum cc_kind ak, enum cc_kind bk, int *wrong, int *missed)
{
    begin(&cc_lp64);
    const struct cc_type *at = BASIC(ak), *bt = BASIC(bk);
    struct cc_var *r = global("r", ARRAY(LLONG, N_CASES), NULL);
    struct cc_var *as[N_EDGES], *bs[N_EDGES];
    char name[16];
    for (int i = 0; i < N_EDGES; i++) {
        snprintf(name, sizeof name, "a%d", i);
        as[i] = global(name, at, N(at, edge(at, i)));
        snprintf(name, sizeof name, "b%d", i);
        bs[i] = global(name, bt, N(bt, edge(bt, i)));
    }
    attach();
    W.mode = VALUES_MAKING;
    for (int k = 0; k < N_CASES; k++) {
        int op = k / (N_EDGES * N_EDGES), i = k / N_EDGES % N_EDGES, j = k % N_EDGES;
        struct cc_expr *e = BIN(binary_ops[op], V(as[i]), V(bs[j]));
        const struct cc_type *t = e->a->type, *tb = e->b->type; /* as converted */
        union cc_scalar x, y, z;
        cc_convert_value(at, t, (union cc_scalar){.i = edge(at, i)}, &x);
        cc_convert_value(bt, tb, (union cc_scalar){.i = edge(bt, j)}, &y);
        enum cc_ub ub = cc_binary_value(binary_ops[op], t, x, y, &z);
        uint64_t before = W.n_rewritten;
        set(AT(V(r), I(k)), e);
        values_exec(&W, P->entry->body->list.at[k]);
        if (ub)
            *missed += W.n_rewritten == before;
        else
            *wrong += W.n_rewritten != before || W.cells.at[r->mark + (uint32_t)k] != (int64_t)z.i;
    }
    char about[64];
    snprintf(about, sizeof about, "%s and %s: interp agrees", cc_kind_text[ak], cc_kind_text[bk]);
    agrees(about);
    end();
}

static void test_arithmetic(void)
{
    int wrong = 0, missed = 0;
    for (int a = 0; a < N_KINDS; a++)
        for (int b = 0; b < N_KINDS; b++)
            arithmetic_of(kinds[a], kinds[b], &wrong, &missed);
    is_int(wrong, 0, "what is defined has the value of cc_binary_value and stays as it is");
    is_int(missed, 0, "what is undefined is rewritten");
}

static void test_unary(void)
{
    static const enum cc_op ops[] = {CC_PLUS, CC_MINUS, CC_COMPL, CC_NOT};
    int wrong = 0;
    for (int k = 0; k < N_KINDS; k++) {
        begin(&cc_lp64);
        const struct cc_type *t = BASIC(kinds[k]);
        struct cc_var *r = global("r", ARRAY(LLONG, 4 * N_EDGES), NULL);
        attach();
        W.mode = VALUES_MAKING;
        for (int n = 0; n < 4 * N_EDGES; n++) {
            enum cc_op op = ops[n / N_EDGES];
            struct cc_expr *e = cc_unary(P, op, N(t, edge(t, n % N_EDGES)));
            union cc_scalar x, z;
            cc_convert_value(t, e->a->type, (union cc_scalar){.i = edge(t, n % N_EDGES)}, &x);
            enum cc_ub ub = cc_unary_value(op, e->a->type, x, &z);
            uint64_t before = W.n_rewritten;
            set(AT(V(r), I(n)), e);
            values_exec(&W, P->entry->body->list.at[n]);
            bool rewritten = W.n_rewritten != before;
            wrong += rewritten != (ub != CC_UB_NONE);
            wrong += !ub && W.cells.at[r->mark + (uint32_t)n] != (int64_t)z.i;
        }
        agrees(cc_kind_text[kinds[k]]);
        end();
    }
    is_int(wrong, 0, "unary operators as cc_unary_value has them");
}

static void test_conversions(void)
{
    int wrong = 0;
    for (int a = 0; a < N_KINDS; a++)
        for (int b = 0; b < N_KINDS; b++) {
            begin(&cc_lp64);
            const struct cc_type *from = BASIC(kinds[a]), *to = BASIC(kinds[b]);
            struct cc_var *r = global("r", ARRAY(to, N_EDGES), NULL);
            for (int i = 0; i < N_EDGES; i++)
                set(AT(V(r), I(i)), N(from, edge(from, i)));
            make();
            for (int i = 0; i < N_EDGES; i++) {
                union cc_scalar z;
                cc_convert_value(from, to, (union cc_scalar){.i = edge(from, i)}, &z);
                wrong += W.cells.at[r->mark + (uint32_t)i] != (int64_t)z.i;
            }
            wrong += W.n_rewritten != 0;
            uint32_t crc = checksum();
            make_interp = interp_new(P, &(struct interp_options){0});
            wrong +=
                interp_run(make_interp) != CC_UB_NONE || interp_checksum_value(make_interp) != crc;
            end();
        }
    is_int(wrong, 0, "conversions between all integer types");
}

static void test_negative_shift(void)
{
    for (int left = 0; left < 2; left++) {
        begin(&cc_lp64);
        struct cc_var *x = global("x", INT, I(-5)), *y = global("y", INT, NULL);
        SET(y, SHR(V(x), I(1)));
        attach();
        W.negative_right_shift = left;
        W.mode = VALUES_MAKING;
        values_exec(&W, P->entry->body);
        is_int(W.n_rewritten, !left, "-5 >> 1 %s", left ? "is left alone" : "is rewritten");
        agrees("  interp agrees");
        end();
    }
}

/* -- what C skips ----------------------------------------------------------------------------- */

static struct cc_expr *by_zero(struct cc_var *zero)
{
    return DIV(I(1), V(zero));
}

static struct cc_expr *skipping(int form, struct cc_var *zero, struct cc_var *one)
{
    switch (form) {
    case 0:
        return BIN(CC_LAND, V(zero), by_zero(zero));
    case 1:
        return BIN(CC_LOR, V(one), by_zero(zero));
    case 2:
        return cc_cond(P, V(one), I(4), by_zero(zero));
    default:
        return cc_cond(P, V(zero), by_zero(zero), I(4));
    }
}

static void test_lazy(void)
{
    static const char *const names[] = {"0 && 1 / 0", "1 || 1 / 0", "1 ? 4 : 1 / 0",
                                        "0 ? 1 / 0 : 4"};
    static const int64_t results[] = {0, 1, 4, 4};
    for (int form = 0; form < 4; form++)
        for (int how = 0; how < 3; how++) {
            begin(&cc_lp64);
            struct cc_var *zero = global("zero", INT, NULL), *one = global("one", INT, I(1));
            struct cc_var *x = global("x", INT, I(9));
            SET(x, skipping(form, zero, one));
            attach();
            W.skips = how == 1;
            W.mode = how == 2 ? VALUES_RUNNING : VALUES_MAKING;
            values_exec(&W, P->entry->body);
            is_int(W.n_rewritten, how == 0, "%s, %s", names[form],
                   how == 0   ? "made: the operand that C skips is rewritten, too"
                   : how == 1 ? "made as C does: it is skipped"
                              : "run: it is skipped");
            is_int(value(x), results[form], "  its value");
            agrees("  interp agrees");
            end();
        }
}

/* -- control ---------------------------------------------------------------------------------- */

static void test_loop_rewritten_late(void)
{
    begin(&cc_lp64);
    struct cc_var *i = global("i", INT, NULL), *x = global("x", INT, I(1));
    struct cc_var *sum = global("sum", INT, NULL);
    enter_count(i, 6);
    SET(sum, ADD(V(sum), V(x)));
    SET(x, MUL(V(x), I(1000)));
    leave();
    attach();
    int passes = settle();
    ok(passes >= 1 && passes < 20, "x * 1000 overflows in a later iteration: %d passes", passes);
    ok(W.n_rewritten > 0 && !W.changed, "  it was rewritten, then settled");
    agrees("  every iteration is defined, the earlier ones by their new form");
    end();
}

static void test_loop_of_shifts(void)
{
    begin(&cc_lp64);
    struct cc_var *i = global("i", INT, NULL), *x = global("x", INT, NULL);
    struct cc_var *y = global("y", LLONG, I(-3));
    enter_count(i, 9);
    SET(x, BIN(CC_XOR, V(x), SHL(V(i), MUL(V(i), I(11)))));
    SET(y, SHL(V(y), SUB(V(i), I(4))));
    SET(x, BIN(CC_REM, V(x), SUB(V(i), I(5))));
    leave();
    attach();
    int passes = settle();
    ok(passes < 20, "shifts and a remainder with values of all kinds settle: %d passes", passes);
    agrees("  interp agrees");
    end();
}

static void test_nest(void)
{
    begin(&cc_lp64);
    struct cc_var *i = global("i", INT, NULL), *j = global("j", INT, NULL);
    struct cc_var *a = global("a", ARRAY(ARRAY(INT, 5), 4), NULL), *n = global("n", INT, I(1));
    enter_count(i, 6); /* a[i] leaves the array */
    enter_count(j, 5);
    set(AT(AT(V(a), V(i)), V(j)), MUL(V(n), I(77)));
    SET(n, SUB(AT(AT(V(a), V(i)), V(j)), I(INT_MAX)));
    leave();
    leave();
    attach();
    int passes = settle();
    ok(passes < 20 && W.n_rewritten, "a nest with subscripts that leave the array: %d passes",
       passes);
    agrees("  interp agrees");
    end();
}

/* int f(int a) { return a + 1; }, called with `second` after 1. */
static void test_called_twice(void)
{
    for (int again = 0; again < 2; again++) {
        begin(&cc_lp64);
        struct cc_var *x = global("x", INT, NULL), *y = global("y", INT, NULL);
        struct cc_var *a = param("a", INT);
        struct cc_func *f = function("f", INT, a, NULL);
        give(ADD(V(a), I(1)));
        end_function();
        SET(x, CALL(f, I(1)));
        SET(y, CALL(f, I(again ? INT_MAX : 2)));
        make();
        is_int(W.stale, again, "the second call %s", again ? "overflows: stale" : "is fine");
        if (again) {
            values_reset(&W);
            ok(settle() < 20, "  what called it before is run again");
        }
        if (!again)
            ok(value(x) == 2 && value(y) == 3, "  its results");
        agrees("  interp agrees");
        end();
    }
}

static void test_call_inside(void)
{
    begin(&cc_lp64);
    struct cc_var *x = global("x", INT, I(3)), *hits = global("hits", INT, NULL);
    struct cc_var *a = param("a", INT), *b = param("b", LLONG);
    struct cc_func *f = function("f", SHORT, a, b);
    struct cc_var *i = local("i", INT, I(0)), *t = local("t", INT, MUL(V(a), V(a)));
    enter_count(i, 10);
    enter_if(BIN(CC_GT, V(i), V(a)));
    give(ADD(V(t), V(b)));
    leave();
    SET(t, ADD(V(t), I(100000)));
    leave();
    give(V(t));
    end_function();
    SET(x, ADD(CALL(f, V(x), I(5)), CALL(f, CALL(f, I(2), N(LLONG, 1)), I(INT_MAX))));
    SET(hits, MUL(CALL(f, I(50000), I(1)), I(INT_MAX)));
    make();
    values_reset(&W);
    int passes = settle();
    ok(passes < 20, "calls in calls and in expressions that are rewritten: %d passes", passes);
    agrees("  interp agrees");
    end();
}

static void test_jumps(void)
{
    begin(&cc_lp64);
    struct cc_var *i = global("i", INT, NULL), *x = global("x", INT, NULL);
    struct cc_var *y = global("y", UINT, NULL), *z = global("z", LLONG, NULL);
    struct cc_stmt *top = put(cc_label(P, "top")), *out = cc_label(P, "out");
    SET(x, ADD(MUL(V(x), I(3)), I(1)));
    enter_if(LT(V(x), I(100)));
    put(cc_goto(P, top));
    leave();
    enter_count(i, 10);
    enter_if(BIN(CC_EQ, V(i), I(3)));
    put(cc_stmt(P, CC_S_CONTINUE));
    leave();
    enter_if(BIN(CC_EQ, V(i), I(7)));
    put(cc_stmt(P, CC_S_BREAK));
    leave();
    SET(y, ADD(V(y), V(i)));
    leave();
    struct cc_stmt *loop = put(cc_stmt(P, CC_S_DO));
    loop->expr = LT(V(z), I(5));
    loop->a = enter(cc_block(P));
    SET(z, ADD(V(z), I(2)));
    enter_if(BIN(CC_EQ, V(z), I(100)));
    put(cc_goto(P, out));
    leave();
    leave();
    loop = put(cc_stmt(P, CC_S_WHILE));
    loop->expr = I(1);
    loop->a = enter(cc_block(P));
    SET(z, ADD(V(z), I(10)));
    enter_if(BIN(CC_GT, V(z), I(30)));
    put(cc_goto(P, out));
    leave();
    leave();
    SET(z, I(-1));
    put(out);
    attach();
    is_int(settle(), 0, "goto back and out of a loop, break, continue, do and while");
    is_int(value(x), 121, "  goto back");
    is_int(value(y), 0 + 1 + 2 + 4 + 5 + 6, "  continue and break");
    is_int(value(z), 36, "  do, while and goto out of it");
    agrees("  interp agrees");
    end();
}

static void test_switch(void)
{
    static const int64_t results[] = {1, 110, 100, 1000, 1000};
    for (int n = 0; n < 5; n++) {
        begin(&cc_lp64);
        struct cc_var *x = global("x", INT, NULL), *n_var = global("n", INT, I(n));
        enter(put(cc_switch(P, V(n_var), cc_block(P)))->a);
        put(cc_case(P, 0));
        SET(x, I(1));
        put(cc_stmt(P, CC_S_BREAK));
        put(cc_stmt(P, CC_S_DEFAULT)); /* before the end: cases after it still count */
        SET(x, I(1000));
        put(cc_stmt(P, CC_S_BREAK));
        put(cc_case(P, 1));
        SET(x, I(10));
        put(cc_case(P, 2)); /* falls through */
        SET(x, ADD(V(x), I(100)));
        leave();
        make();
        is_int(value(x), results[n], "switch (%d)", n);
        agrees("  interp agrees");
        end();
    }
    begin(&cc_lp64);
    struct cc_var *x = global("x", INT, NULL), *i = global("i", INT, NULL);
    enter_count(i, 4);
    enter(put(cc_switch(P, V(i), cc_block(P)))->a);
    put(cc_case(P, 1));
    put(cc_stmt(P, CC_S_CONTINUE));
    put(cc_case(P, 2));
    put(cc_stmt(P, CC_S_BREAK));
    leave();
    SET(x, ADD(MUL(V(x), I(10)), V(i)));
    leave();
    attach();
    settle();
    is_int(value(x), 23, "break is the switch's, continue the loop's, no default");
    agrees("  interp agrees");
    end();
    begin(&cc_lp64);
    struct cc_var *y = global("y", INT, NULL), *big = global("big", ULLONG, N(ULLONG, -1));
    enter(put(cc_switch(P, V(big), cc_block(P)))->a);
    put(cc_case(P, (cc_wide)ULLONG_MAX));
    SET(y, I(1));
    leave();
    make();
    is_int(value(y), 1, "a case of 64 unsigned bits");
    agrees("  interp agrees");
    end();
}

static void test_return(void)
{
    begin(&cc_lp64);
    struct cc_var *x = global("x", INT, NULL), *i = global("i", INT, NULL);
    enter_count(i, 5);
    enter_if(BIN(CC_EQ, V(i), I(2)));
    put(cc_stmt(P, CC_S_RETURN));
    leave();
    SET(x, ADD(V(x), I(1)));
    leave();
    SET(x, I(100));
    attach();
    settle();
    is_int(value(x), 2, "return out of a loop");
    agrees("  interp agrees");
    end();
}

/* -- undoing ---------------------------------------------------------------------------------- */

static void test_undo(void)
{
    begin(&cc_lp64);
    const struct cc_type *s = STRUCT("s", FIELD("f", INT), FIELD("g", ARRAY(SHORT, 3)));
    struct cc_var *a = global("a", s, LIST(s, I(1), LIST(ARRAY(SHORT, 3), I(2), I(3), I(4))));
    struct cc_var *b = global("b", s, NULL), *i = global("i", INT, I(7));
    struct cc_var *p = global("p", PTR(INT), ADDR(V(i)));
    SET(b, V(a));
    set(DOT(V(a), 0), I(50));
    set(DEREF(V(p)), I(8));
    SET(p, ADDR(DOT(V(b), 0)));
    set(DEREF(V(p)), I(9));
    set(AT(DOT(V(b), 1), I(2)), I(11));
    attach();
    int64_t before[64];
    size_t n = W.cells.n, mark = values_mark(&W);
    REQUIRE(n < 64);
    for (size_t k = 0; k < n; k++)
        before[k] = W.cells.at[k];
    int wrong = 0;
    for (int round = 0; round < 3; round++) {
        W.mode = VALUES_MAKING;
        values_exec(&W, P->entry->body);
        wrong += value(i) != 8 || value(b) != 9;
        if (round < 2)
            values_back(&W, mark);
        for (size_t k = 0; round < 2 && k < n; k++)
            wrong += W.cells.at[k] != before[k];
    }
    is_int(wrong, 0, "what was stored is undone, each time anew");
    agrees("  interp agrees after the last");
    values_reset(&W);
    for (size_t k = 0; k < n; k++)
        wrong += W.cells.at[k] != before[k];
    is_int(wrong, 0, "a reset makes all globals as they were initialised");
    end();
    begin(&cc_lp64);
    struct cc_var *x = global("x", INT, NULL);
    SET(x, I(5));
    attach();
    W.mode = VALUES_MAKING;
    values_exec(&W, P->entry->body);
    size_t inner = values_mark(&W);
    values_set(&W, x, 6);
    is_int(value(x), 6, "a value that is set");
    values_back(&W, inner);
    is_int(value(x), 5, "  and taken back, no further");
    end();
}

/* -- effects ---------------------------------------------------------------------------------- */

static int effects_in(const struct cc_expr *e) /* ++ and assignments, less the outermost */
{
    if (!e)
        return 0;
    switch (e->kind) {
    case CC_E_INCDEC:
    case CC_E_UNARY:
    case CC_E_CAST:
    case CC_E_DEREF:
    case CC_E_ADDR:
    case CC_E_MEMBER:
        return (e->kind == CC_E_INCDEC) + effects_in(e->a);
    case CC_E_ASSIGN:
        return 1 + effects_in(e->a) + effects_in(e->b);
    case CC_E_COND:
    case CC_E_BINARY:
    case CC_E_LOGICAL:
    case CC_E_COMMA:
    case CC_E_INDEX:
        return effects_in(e->a) + effects_in(e->b) + (e->kind == CC_E_COND ? effects_in(e->c) : 0);
    default:
        return 0;
    }
}

static struct cc_var *ex, *ey, *ez, *ei, *ea, *ep, *ef;
#define INC_(v) INC(V(v))
#define PRE(v) cc_incdec(P, CC_ADD, false, V(v))
#define DEC(v) cc_incdec(P, CC_SUB, true, V(v))

static struct cc_expr *effect_case(int n, const char **name, int *left)
{
#define CASE(n, text, kept, e)                                                                     \
    case n:                                                                                        \
        *name = text;                                                                              \
        *left = kept;                                                                              \
        return e
    switch (n) {
        CASE(0, "x = y++", 1, ASSIGN(V(ex), INC_(ey)));
        CASE(1, "x = y++ + y", 0, ASSIGN(V(ex), ADD(INC_(ey), V(ey))));
        CASE(2, "x = y + y++", 0, ASSIGN(V(ex), ADD(V(ey), INC_(ey))));
        CASE(3, "x = y++ + z--", 2, ASSIGN(V(ex), ADD(INC_(ey), DEC(ez))));
        CASE(4, "x = y++ + y--", 0, ASSIGN(V(ex), ADD(INC_(ey), DEC(ey))));
        CASE(5, "a[i] = i++", 0, ASSIGN(AT(V(ea), V(ei)), INC_(ei)));
        CASE(6, "a[i++] = z", 1, ASSIGN(AT(V(ea), INC_(ei)), V(ez)));
        CASE(7, "a[i++] = i", 0, ASSIGN(AT(V(ea), INC_(ei)), V(ei)));
        CASE(8, "x = x++", 0, ASSIGN(V(ex), INC_(ex)));
        CASE(9, "x = x + 1", 0, ASSIGN(V(ex), ADD(V(ex), I(1))));
        CASE(10, "x = (y = z + 4) + z", 1,
             ASSIGN(V(ex), ADD(ASSIGN(V(ey), ADD(V(ez), I(4))), V(ez))));
        CASE(11, "x = (y = z) + y", 0, ASSIGN(V(ex), ADD(ASSIGN(V(ey), V(ez)), V(ey))));
        CASE(12, "x = (x = 3)", 0, ASSIGN(V(ex), ASSIGN(V(ex), I(3))));
        CASE(13, "x = a[i] + a[i++ & 3]", 0,
             ASSIGN(V(ex), ADD(AT(V(ea), V(ei)), AT(V(ea), BIN(CC_AND, INC_(ei), I(3))))));
        CASE(14, "x = ++y * 2", 1, ASSIGN(V(ex), MUL(PRE(ey), I(2))));
        CASE(15, "x = *p + y++, with p at y", 0, ASSIGN(V(ex), ADD(DEREF(V(ep)), INC_(ey))));
        CASE(16, "x = *p + z++, with p at y", 1, ASSIGN(V(ex), ADD(DEREF(V(ep)), INC_(ez))));
        CASE(17, "x = y++ << z++, 1 << 40: rewritten with its effects", -1,
             ASSIGN(V(ex), SHL(INC_(ey), INC_(ez))));
        CASE(18, "x = y << big++, big = INT_MIN: an operand gets lost", -1,
             ASSIGN(V(ex), SHL(V(ey), INC(AT(V(ea), I(0))))));
        CASE(19, "x = max++ + 1, max = INT_MAX: no ++ for it", -1,
             ASSIGN(V(ex), ADD(INC(AT(V(ea), I(1))), I(1))));
        CASE(20, "x = 7 % z++ with z--", -1,
             ASSIGN(V(ex), BIN(CC_REM, I(7), SUB(INC_(ez), I(40)))));
        CASE(21, "a[z++] = y: the subscript leaves the array", -1,
             ASSIGN(AT(V(ea), INC_(ez)), V(ey)));
        CASE(22, "x = (y++, y)", -1, ASSIGN(V(ex), COMMA(INC_(ey), V(ey))));
        CASE(23, "x = y-- - (z = INT_MIN)", -1,
             ASSIGN(V(ex), SUB(DEC(ey), ASSIGN(V(ez), I(INT_MIN)))));
        CASE(24, "x = -(z = INT_MIN)", -1,
             ASSIGN(V(ex), cc_unary(P, CC_MINUS, ASSIGN(V(ez), I(INT_MIN)))));
        CASE(25, "x = y >> (z = a[0]), a[0] = INT_MIN: an operand gets lost", -1,
             ASSIGN(V(ex), SHR(V(ey), ASSIGN(V(ez), AT(V(ea), I(0))))));
        CASE(26, "f = f + z++, f too large: an operand gets lost", -1,
             ASSIGN(V(ef), ADD(V(ef), CAST(DOUBLE, INC_(ez)))));
        CASE(27, "x = p[z++]: the subscript leaves the array", -1,
             ASSIGN(V(ex), AT(V(ep), INC_(ez))));
    default:
        return NULL;
    }
#undef CASE
}

static void test_effects(void)
{
    for (int n = 0;; n++)
        for (int how = 0; how < 2; how++) {
            begin(&cc_lp64);
            ex = global("x", INT, I(5));
            ey = global("y", INT, I(1));
            ez = global("z", INT, I(40));
            ei = global("i", INT, I(2));
            ea =
                global("a", ARRAY(INT, 4), LIST(ARRAY(INT, 4), I(INT_MIN), I(INT_MAX), I(1), I(2)));
            ep = global("p", PTR(INT), ADDR(V(ey)));
            ef = global("f", DOUBLE, D(1000));
            const char *name = NULL;
            int left;
            struct cc_expr *e = effect_case(n, &name, &left);
            if (!e) {
                finish();
                return;
            }
            eval(e);
            attach();
            W.mode = how ? VALUES_RUNNING : VALUES_MAKING;
            values_exec(&W, P->entry->body);
            if (left >= 0)
                is_int(effects_in(e) - 1, left, "%s%s: effects inside that stay", name,
                       how ? ", run" : "");
            else
                ok(W.n_rewritten > 0, "%s%s: rewritten", name, how ? ", run" : "");
            agrees("  interp agrees");
            end();
        }
}

static void test_has_effects(void)
{
    begin(&cc_lp64);
    struct cc_var *x = global("x", INT, NULL), *y = global("y", INT, NULL);
    ok(!values_has_effects(ASSIGN(V(x), V(y))), "its own assignment does not count");
    ok(values_has_effects(ASSIGN(V(x), INC(V(y)))), "++ inside does");
    ok(values_has_effects(INC(V(y))), "++ alone, too");
    ok(!values_has_effects(ADD(V(x), V(y))), "reading is none");
    struct cc_expr *e = ADD(V(x), ASSIGN(V(y), N(LLONG, 3)));
    values_drop_effects(e);
    ok(!e->effects && effects_in(e) == 0, "effects taken away");
    ok(e->b->kind == CC_E_CAST && !e->b->implicit, "  the conversion that it made is written now");
    finish();
}

/* -- objects ---------------------------------------------------------------------------------- */

static void test_bit_fields(void)
{
    begin(&cc_lp64);
    const struct cc_type *s =
        STRUCT("s", BITS("a", INT, 3), BITS("b", UINT, 5), BITS("c", BOOL, 1), BITS("d", LLONG, 40),
               BITS("e", ULLONG, 33), FIELD("f", SHORT));
    struct cc_var *v = global("v", s, LIST(s, I(-4), I(31), I(1), I(-1), I(1), I(-9)));
    struct cc_var *r = global("r", ARRAY(LLONG, 8), NULL), *x = global("x", INT, I(100));
    for (int i = 0; i < 6; i++)
        set(AT(V(r), I(i)), DOT(V(v), i));
    for (int i = 0; i < 6; i++)
        set(DOT(V(v), i), ADD(DOT(V(v), i), V(x)));
    /* the value of an assignment is what the bit-field holds (6.5.16p3) */
    set(AT(V(r), I(6)), ASSIGN(DOT(V(v), 0), I(6)));
    set(AT(V(r), I(7)), MUL(DOT(V(v), 1), N(INT, INT_MAX)));
    make();
    is_int(W.cells.at[v->mark], -2, "6 in 3 bits");
    is_int(W.cells.at[v->mark + 1], (31 + 100) & 31, "131 in 5 unsigned bits");
    is_int(W.cells.at[v->mark + 2], 1, "_Bool : 1");
    is_int(W.cells.at[v->mark + 3], 99, "40 bits");
    is_int(W.cells.at[r->mark + 6], -2, "the value of the assignment");
    agrees("interp agrees on bit-fields");
    end();
}

static void test_structs(void)
{
    begin(&cc_lp64);
    const struct cc_type *inner = STRUCT("inner", FIELD("x", INT), FIELD("y", ARRAY(UCHAR, 3)));
    const struct cc_type *s =
        STRUCT("s", FIELD("a", SHORT), FIELD("in", inner), FIELD("b", ARRAY(inner, 2)));
    struct cc_var *v =
        global("v", s,
               LIST(s, I(1), LIST(inner, I(2), LIST(ARRAY(UCHAR, 3), I(3), I(4), I(5))),
                    LIST(ARRAY(inner, 2), LIST(inner, I(6)), LIST(inner, I(7)))));
    struct cc_var *w = global("w", s, NULL), *all = global("all", ARRAY(s, 2), NULL);
    SET(w, V(v));
    set(DOT(DOT(V(v), 1), 0), I(99));
    set(AT(DOT(V(w), 2), I(1)), DOT(V(v), 1));
    set(AT(V(all), I(1)), V(w));
    struct cc_var *copy = local("copy", s, V(w));
    set(DOT(AT(V(all), I(0)), 1), DOT(V(copy), 1));
    set(DOT(AT(V(all), I(3)), 0), I(12)); /* leaves the array */
    make();
    is_int(value(w), 1, "a copy of a struct");
    is_int(W.cells.at[w->mark + 1], 2, "  as it was then");
    is_int(W.n_rewritten, 1, "  and one subscript was rewritten");
    agrees("interp agrees on structs");
    end();
}

static void test_pointers(void)
{
    begin(&cc_lp64);
    const struct cc_type *row = ARRAY(INT, 4);
    struct cc_var *a = global("a", row, LIST(row, I(10), I(20), I(30), I(40)));
    struct cc_var *m = global("m", ARRAY(row, 2), NULL), *x = global("x", INT, I(3));
    struct cc_var *p = global("p", PTR(INT), ADDR(AT(V(a), I(1)))),
                  *q = global("q", PTR(INT), NULL);
    struct cc_var *pp = global("pp", PTR(PTR(INT)), ADDR(V(p)));
    struct cc_var *r = global("r", ARRAY(LLONG, 16), NULL);
    int n = 0;
#define KEEP(e) set(AT(V(r), I(n++)), e)
    KEEP(DEREF(V(p)));                            /* 20 */
    SET(q, ADD(V(p), I(3)));                      /* one past the end */
    KEEP(SUB(V(q), V(p)));                        /* 3 */
    KEEP(LT(V(p), V(q)));                         /* 1 */
    KEEP(BIN(CC_EQ, V(q), ADDR(AT(V(a), I(4))))); /* 1 */
    SET(q, SUB(V(q), I(1)));
    KEEP(DEREF(V(q)));     /* 40 */
    KEEP(AT(V(p), I(-1))); /* 10 */
    KEEP(AT(V(p), I(2)));  /* 40 */
    KEEP(AT(V(p), V(x)));  /* one past the end: p[0] */
    KEEP(AT(V(p), I(-2))); /* before the array: p[0] */
    set(DEREF(DEREF(V(pp))), I(21));
    SET(p, ADDR(V(x)));
    set(DEREF(DEREF(V(pp))), I(4));
    KEEP(BIN(CC_EQ, V(p), ADDR(V(x)))); /* 1 */
    KEEP(BIN(CC_NE, V(p), V(q)));       /* 1 */
    set(AT(AT(V(m), I(1)), I(2)), I(6));
    SET(q, ADDR(AT(AT(V(m), I(1)), I(0))));
    KEEP(AT(V(q), I(2)));            /* 6 */
    KEEP(AT(V(a), V(x)));            /* x is 4: a[4 % 4] */
    KEEP(AT(V(a), SUB(V(x), I(5)))); /* a[-1u % 4] */
    SET(q, ADDR(AT(V(a), V(x))));    /* &a[4 % 4] */
    KEEP(DEREF(V(q)));
    make();
    static const int64_t wanted[] = {20, 3, 1, 1, 40, 10, 40, 20, 20, 1, 1, 6, 10, 40, 10};
    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (W.cells.at[r->mark + (uint32_t)i] != wanted[i]) {
            printf("# r[%d] is %lld\n", i, (long long)W.cells.at[r->mark + (uint32_t)i]);
            wrong++;
        }
    is_int(wrong, 0, "pointers, their differences and what they point to");
    is_int(W.n_rewritten, 5,
           "  subscripts that leave the array are rewritten, one past is not one");
    agrees("interp agrees on pointers");
    end();
}

static void test_pointer_walk(void)
{
    begin(&cc_lp64);
    const struct cc_type *row = ARRAY(SHORT, 5);
    struct cc_var *a = global("a", row, LIST(row, I(1), I(2), I(3), I(4), I(5)));
    struct cc_var *sum = global("sum", INT, NULL);
    struct cc_var *p = local("p", PTR(SHORT), ADDR(AT(V(a), I(0))));
    struct cc_var *last = local("last", PTR(SHORT), ADDR(AT(V(a), I(5))));
    enter_for(NULL, BIN(CC_NE, V(p), V(last)), ASSIGN(V(p), ADD(V(p), I(1))));
    SET(sum, ADD(MUL(V(sum), I(1000)), DEREF(V(p))));
    leave();
    attach();
    ok(settle() < 20, "a pointer walks to one past the end");
    agrees("  interp agrees");
    end();
}

static void test_subscripts(void)
{
    static const int64_t subscripts[] = {0, 3, 4, -1, 1000, INT_MIN, INT_MAX};
    for (size_t i = 0; i < sizeof subscripts / sizeof *subscripts; i++) {
        begin(&cc_lp64);
        struct cc_var *a = global("a", ARRAY(INT, 4), NULL);
        struct cc_var *n = global("n", LLONG, N(LLONG, subscripts[i]));
        set(AT(V(a), V(n)), I(5));
        make();
        bool inside = subscripts[i] >= 0 && subscripts[i] < 4;
        is_int(W.n_rewritten, !inside, "a[%lld] of 4", (long long)subscripts[i]);
        agrees("  interp agrees");
        end();
    }
}

/* -- floats and vectors ----------------------------------------------------------------------- */

static void test_floats(void)
{
    static const double numbers[] = {0, 0.5, -0.5, 3, -7, 1.0 / 256, 1.0 / 512, 1024, 65536};
    enum { N = sizeof numbers / sizeof *numbers };
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_MUL, CC_DIV};
    int wrong = 0, kept = 0, lost = 0;
    for (int k = 0; k < 2; k++) {
        begin(&cc_lp64);
        const struct cc_type *t = k ? FLOAT : DOUBLE;
        struct cc_var *r = global("r", ARRAY(t, 4 * N * N), NULL);
        attach();
        W.mode = VALUES_MAKING;
        for (int i = 0; i < 4 * N * N; i++) {
            double a = numbers[i / N % N], b = numbers[i % N];
            enum cc_op op = ops[i / (N * N)];
            set(AT(V(r), I(i)),
                BIN(op, cc_float(P, t, a, CC_DECIMAL), cc_float(P, t, b, CC_DECIMAL)));
            uint64_t before = W.n_rewritten;
            values_exec(&W, P->entry->body->list.at[i]);
            double got = values_float(W.cells.at[r->mark + (uint32_t)i]);
            bool rewritten = W.n_rewritten != before;
            union cc_scalar z;
            cc_binary_value(op, t, (union cc_scalar){.f = a}, (union cc_scalar){.f = b}, &z);
            bool small = z.f >= -1024 && z.f <= 1024 && z.f * 256 == (double)(int64_t)(z.f * 256);
            bool exact = op != CC_DIV || (b != 0 && z.f * b == a);
            bool minus_zero = z.f == 0 && values_bits(z.f) != 0;
            wrong += rewritten != !(small && exact && !minus_zero);
            wrong += got != (rewritten ? a : z.f);
            kept += !rewritten;
            lost += rewritten;
        }
        agrees(k ? "interp agrees on float" : "interp agrees on double");
        end();
    }
    is_int(wrong, 0, "floats that are small and exact stay, others become their left operand");
    ok(kept > 100 && lost > 100, "  %d stay, %d do not", kept, lost);
}

static void test_float_conversions(void)
{
    begin(&cc_lp64);
    struct cc_var *f = global("f", FLOAT, NULL), *d = global("d", DOUBLE, D(-2.5));
    struct cc_var *x = global("x", INT, I(1000000)), *c = global("c", SCHAR, NULL);
    struct cc_var *u = global("u", UINT, NULL), *b = global("b", BOOL, NULL);
    SET(c, V(d));
    SET(b, V(d));
    SET(f, V(x)); /* too large to stay exact: by way of a signed char */
    SET(u, V(d)); /* -2 is no unsigned int (6.3.1.4p1) */
    SET(d, cc_unary(P, CC_MINUS, D(0)));
    make();
    is_int(value(c), -2, "  (signed char)-2.5");
    is_int(value(b), 1, "  (_Bool)-2.5");
    is_int((int64_t)values_float(value(f)), (signed char)1000000, "  an integer that is too large");
    is_int(value(u), 0, "  !-2.5 in place of what does not fit");
    ok(value(d) == 0, "  no negative zero");
    is_int(W.n_rewritten, 3, "  three were rewritten");
    agrees("  interp agrees");
    end();
}

static void test_vectors(void)
{
    static const enum cc_kind lanes[] = {CC_SCHAR, CC_UCHAR, CC_SHORT, CC_INT, CC_UINT, CC_LLONG};
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_MUL, CC_AND, CC_OR,
                                     CC_XOR, CC_DIV, CC_REM, CC_SHL, CC_SHR};
    for (size_t k = 0; k < sizeof lanes / sizeof *lanes; k++) {
        begin(&cc_lp64);
        const struct cc_type *t = BASIC(lanes[k]);
        const struct cc_type *many = cc_vector_type(&P->types, t, t->size == 8 ? 8 : 16);
        struct cc_expr *as[16], *bs[16];
        for (uint32_t i = 0; i < 16; i++) {
            as[i] = N(t, edge(t, (int)(i % N_EDGES)));
            bs[i] = N(t, edge(t, (int)(i * 5 % N_EDGES)));
        }
        int n = (int)many->length;
        struct cc_var *a = global("a", many, cc_list(P, many, as, n, 0));
        struct cc_var *b = global("b", many, cc_list(P, many, bs, n, 0));
        struct cc_var *r = global("r", ARRAY(many, 16), NULL), *x = global("x", LLONG, NULL);
        int made = 0;
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
            set(AT(V(r), I(made++)), BIN(ops[i], V(a), V(b)));
        set(AT(V(r), I(made++)), cc_unary(P, CC_COMPL, V(a)));
        set(AT(V(r), I(made++)), cc_unary(P, CC_MINUS, V(a)));
        set(AT(V(r), I(made++)), BIN(CC_XOR, ADD(V(a), V(b)), MUL(V(b), AT(V(r), I(1)))));
        SET(x, ADD(AT(V(a), I(1)), AT(V(b), I(9)))); /* a lane that there is, one that is not */
        set(AT(V(b), I(2)), I(77));
        make();
        bool bad = t->is_signed && t->size >= 4;
        ok(!bad || W.n_rewritten > 4, "vectors of %s: %d rewritten", cc_kind_text[lanes[k]],
           (int)W.n_rewritten);
        agrees("  interp agrees");
        end();
    }
}

static void test_vector_comparison(void)
{
    begin(&cc_lp64);
    const struct cc_type *v4 = cc_vector_type(&P->types, INT, 4);
    struct cc_var *a = global("a", v4, LIST(v4, I(1), I(2), I(3), I(4)));
    struct cc_var *b = global("b", v4, LIST(v4, I(4), I(2), I(1), I(9))),
                  *r = global("r", v4, NULL);
    SET(r, LT(V(a), V(b)));
    make();
    ok(W.cells.at[r->mark] == -1 && W.cells.at[r->mark + 1] == 0 && W.cells.at[r->mark + 3] == -1,
       "a comparison of vectors is -1 or 0 in each lane");
    agrees("  interp agrees");
    end();
}

/* -- what is not evaluated -------------------------------------------------------------------- */

static void test_off(void)
{
    begin(&cc_lp64);
    struct cc_var *x = global("x", INT, I(4)), *zero = global("zero", INT, NULL);
    SET(x, DIV(V(x), V(zero)));
    attach();
    W.off = true;
    W.mode = VALUES_MAKING;
    values_exec(&W, P->entry->body);
    ok(W.n_rewritten == 0 && value(x) == 4, "code that never runs is left as it is");
    end();
}

int main(void)
{
    test_arithmetic();
    test_unary();
    test_conversions();
    test_negative_shift();
    test_lazy();
    test_loop_rewritten_late();
    test_loop_of_shifts();
    test_nest();
    test_called_twice();
    test_call_inside();
    test_jumps();
    test_switch();
    test_return();
    test_undo();
    test_effects();
    test_has_effects();
    test_bit_fields();
    test_structs();
    test_pointers();
    test_pointer_walk();
    test_subscripts();
    test_floats();
    test_float_conversions();
    test_vectors();
    test_vector_comparison();
    test_off();
    return tap_done();
}
