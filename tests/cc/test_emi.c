/* Variants equivalent modulo inputs, of trees.
 *
 * Of small programs all variants of one change are made, by going through every choice, and listed;
 * of programs with everything that must stay (labels, cases, declarations, jumps), thousands of
 * random ones. A check that knows nothing of cc_emi looks at each: what ran is there as it was,
 * each name is declared before its use, each label is there once, each jump has something to leave;
 * and interp says the same as before. Then the same for programs of smith and yarp. */
#include "cc/emi.h"

#include "gen/gen.h"
#include "gen/smith/smith.h"
#include "gen/yarp/yarp.h"
#include "interp/make.h"

#include <limits.h>
#include <stdlib.h>

/* -- the check -------------------------------------------------------------------------------- */

typedef VEC(const struct cc_stmt *) stmts;
typedef VEC(const struct cc_var *) vars;

struct labelled {
    const struct cc_stmt *s;
    int n; /* case and default labels */
};

struct checking {
    const struct cc_func *func;
    vars visible;
    stmts labels, gotos; /* of the function */
    stmts ran;           /* of the program, in order */
    int breaks, continues, cases;
    VEC(struct labelled) switches; /* of the program */
    const char *wrong;
};

static void wrong(struct checking *c, const char *what)
{
    if (!c->wrong)
        c->wrong = what;
}

static bool declared(const struct checking *c, const struct cc_var *v)
{
    if (v->global)
        return true;
    for (int i = 0; i < c->func->n_params; i++)
        if (c->func->params[i] == v)
            return true;
    for (size_t i = 0; i < c->visible.n; i++)
        if (c->visible.at[i] == v)
            return true;
    return false;
}

static void check_expr(struct checking *c, const struct cc_expr *e)
{
    if (!e)
        return;
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_VAR:
        if (!declared(c, e->var))
            wrong(c, "a use before the declaration");
        return;
    case CC_E_INT:
    case CC_E_FLOAT:
    case CC_E_NULL:
    case CC_E_FUNC:
    case CC_E_SIZEOF:
        return;
    case CC_E_CALL:
    case CC_E_BUILTIN:
    case CC_E_LITERAL:
    case CC_E_LIST:
        if (e->kind == CC_E_CALL)
            check_expr(c, e->callee);
        for (uint32_t i = 0; i < e->n_args; i++)
            check_expr(c, e->args[i]);
        return;
    default:
        check_expr(c, e->a);
        check_expr(c, e->b);
        check_expr(c, e->c);
    }
}

static void check_stmt(struct checking *c, const struct cc_stmt *s);

static bool is_case(const struct cc_stmt *s)
{
    return s->kind == CC_S_CASE || s->kind == CC_S_DEFAULT;
}

static void check_cases(struct checking *c, const struct cc_stmt *s)
{
    const struct cc_stmt *block = s->a;
    int n = 0;
    for (size_t i = 0; i < block->list.n; i++) {
        const struct cc_stmt *a = block->list.at[i];
        n += is_case(a);
        for (size_t k = 0; is_case(a) && k < i; k++) {
            const struct cc_stmt *b = block->list.at[k];
            if (a->kind == b->kind && (a->kind == CC_S_DEFAULT || a->value == b->value))
                wrong(c, "a case twice");
        }
    }
    vec_push(&c->switches, (struct labelled){s, n});
}

static void check_decl(struct checking *c, const struct cc_var *v)
{
    for (size_t i = 0; i < c->visible.n; i++)
        if (!strcmp(c->visible.at[i]->name, v->name))
            wrong(c, "a name twice");
    vec_push(&c->visible, v);
    check_expr(c, v->init);
}

static void check_jump(struct checking *c, const struct cc_stmt *s)
{
    if (s->kind == CC_S_BREAK && !c->breaks)
        wrong(c, "a break of nothing");
    if (s->kind == CC_S_CONTINUE && !c->continues)
        wrong(c, "a continue of nothing");
    if (s->kind == CC_S_LABEL)
        vec_push(&c->labels, s);
    if (s->kind == CC_S_GOTO)
        vec_push(&c->gotos, s);
    if (is_case(s) && !c->cases)
        wrong(c, "a case of nothing");
}

static void check_stmt(struct checking *c, const struct cc_stmt *s)
{
    if (!s)
        return;
    bool loop = s->kind == CC_S_FOR || s->kind == CC_S_WHILE || s->kind == CC_S_DO;
    bool is_switch = s->kind == CC_S_SWITCH;
    size_t n_visible = c->visible.n;
    if (s->ran)
        vec_push(&c->ran, s);
    else if (s->kind == CC_S_EXPR && s->expr->ran)
        wrong(c, "a copy that ran");
    check_jump(c, s);
    if (s->kind == CC_S_DECL)
        check_decl(c, s->var);
    if (is_switch)
        check_cases(c, s);
    check_expr(c, s->expr);
    check_expr(c, s->init);
    check_expr(c, s->step);
    c->breaks += loop || is_switch;
    c->continues += loop;
    c->cases += is_switch;
    for (size_t i = 0; i < s->list.n; i++)
        check_stmt(c, s->list.at[i]);
    check_stmt(c, s->a);
    check_stmt(c, s->b);
    c->breaks -= loop || is_switch;
    c->continues -= loop;
    c->cases -= is_switch;
    if (s->kind == CC_S_BLOCK)
        c->visible.n = n_visible;
}

static void check_labels(struct checking *c)
{
    for (size_t i = 0; i < c->labels.n; i++)
        for (size_t k = 0; k < i; k++)
            if (!strcmp(c->labels.at[i]->name, c->labels.at[k]->name))
                wrong(c, "a label twice");
    for (size_t i = 0; i < c->gotos.n; i++) {
        bool found = false;
        for (size_t k = 0; k < c->labels.n; k++)
            found |= c->labels.at[k] == c->gotos.at[i]->target;
        if (!found)
            wrong(c, "a goto to nowhere");
    }
}

static bool ends_in_return(const struct cc_func *f)
{
    size_t n = f->body->list.n;
    return n && f->body->list.at[n - 1]->kind == CC_S_RETURN;
}

/* Everything that holds of a tree whatever was done to it; what ran is left in `c`. */
static void check_tree(struct checking *c, const struct cc_program *p)
{
    for (size_t i = 0; i < p->funcs.n; i++) {
        c->func = p->funcs.at[i];
        c->labels.n = c->gotos.n = c->visible.n = 0;
        check_stmt(c, c->func->body);
        check_labels(c);
    }
}

static void release(struct checking *c)
{
    vec_release(&c->visible);
    vec_release(&c->labels);
    vec_release(&c->gotos);
    vec_release(&c->ran);
    vec_release(&c->switches);
}

/* The program as it was. */
struct before {
    struct checking c;
    uint32_t checksum;
    bool *returns; /* by function: its last statement is one */
};

static struct before look(const struct cc_program *p, uint32_t checksum)
{
    struct before b = {.checksum = checksum};
    check_tree(&b.c, p);
    b.returns = mem_alloc(p->funcs.n + 1);
    for (size_t i = 0; i < p->funcs.n; i++)
        b.returns[i] = ends_in_return(p->funcs.at[i]);
    return b;
}

static const char *compare(struct cc_program *p, const struct before *b,
                           const struct interp_options *o)
{
    struct checking c = {0};
    check_tree(&c, p);
    bool same = c.ran.n == b->c.ran.n;
    for (size_t i = 0; same && i < c.ran.n; i++)
        same = c.ran.at[i] == b->c.ran.at[i];
    if (!same)
        wrong(&c, "what ran is not what it was");
    for (size_t i = 0; i < c.switches.n; i++)
        for (size_t k = 0; k < b->c.switches.n; k++)
            if (c.switches.at[i].s == b->c.switches.at[k].s &&
                c.switches.at[i].n != b->c.switches.at[k].n)
                wrong(&c, "a switch with other cases");
    for (size_t i = 0; i < p->funcs.n; i++)
        if (b->returns[i] && !ends_in_return(p->funcs.at[i]))
            wrong(&c, "the last return is gone");
    const char *text = c.wrong;
    release(&c);
    if (text)
        return text;
    struct interp *in = interp_new(p, o);
    if (interp_run(in) != CC_UB_NONE)
        text = "interp sees undefined behaviour";
    else if (interp_checksum_value(in) != b->checksum)
        text = "another checksum";
    interp_free(in);
    return text;
}

static void forget(struct before *b)
{
    free(b->returns);
    release(&b->c);
}

/* -- small programs --------------------------------------------------------------------------- */

static struct cc_var *x, *y, *z; /* globals; x is 0 */

/* A program begun, with the globals. */
static void start(void)
{
    begin(&cc_lp64);
    x = global("x", INT, NULL);
    y = global("y", INT, NULL);
    z = global("z", INT, NULL);
}

static void enter_else(void)
{
    leave();
    struct cc_stmt *block = make_blocks[make_depth];
    struct cc_stmt *s = block->list.at[block->list.n - 1];
    s->b = cc_block(P);
    enter(s->b);
}

static const char *body_text(const struct cc_func *f) /* on one line */
{
    static char text[2048];
    struct strbuf out;
    size_t n = 0;
    strbuf_init(&out, 0);
    cc_print_stmt(P, f->body, 0, &out);
    bool gap = false;
    for (size_t i = 0; i < out.n && n + 2 < sizeof text; i++) {
        if (out.s[i] == ' ' || out.s[i] == '\n') {
            gap = true;
            continue;
        }
        if (gap && n)
            text[n++] = ' ';
        gap = false;
        text[n++] = out.s[i];
    }
    text[n] = '\0';
    strbuf_release(&out);
    return text;
}

/* All texts of func_1 that one change makes, without repetitions; fails where one is not right. */
typedef VEC(char *) texts;

static bool known(const texts *t, const char *text)
{
    for (size_t i = 0; i < t->n; i++)
        if (!strcmp(t->at[i], text))
            return true;
    return false;
}

static texts all_variants(void (*make)(void), int changes)
{
    texts out = {0};
    struct choice c;
    choice_init_exhaustive(&c);
    const char *bad = NULL;
    do {
        start();
        make();
        if (run() != CC_UB_NONE)
            bad = "the program itself";
        struct before b = look(P, interp_checksum_value(make_interp));
        cc_emi(P, &c, changes, NULL);
        const char *text = body_text(P->entry);
        if (!known(&out, text))
            vec_push(&out, strdup(text));
        if (!bad)
            bad = compare(P, &b, NULL);
        if (bad)
            tap_note(bad, text);
        forget(&b);
        finish();
    } while (!bad && choice_next_sequence(&c));
    ok(!bad, "every one of %d variants is right", (int)out.n);
    choice_release(&c);
    return out;
}

static void forget_texts(texts *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->at[i]);
    vec_release(t);
}

/* The variants of one change are those, in any order; the program itself comes first. */
static void variants_are(const char *name, void (*make)(void), const char *const *wanted)
{
    texts got = all_variants(make, 1);
    size_t n = 0;
    for (; wanted[n]; n++)
        if (!known(&got, wanted[n]))
            ok(false, "%s: missing: %s", name, wanted[n]);
    for (size_t i = 0; i < got.n && got.n != n; i++)
        printf("# %s: %s\n", name, got.at[i]);
    is_int(got.n, n, "%s: as many as there should be", name);
    is_str(got.n ? got.at[0] : NULL, wanted[0], "  the simplest choice leaves it as it is");
    forget_texts(&got);
}

static void one_branch(void)
{
    enter_if(V(x));
    set(V(y), I(1));
    leave();
}

static void two_statements(void)
{
    enter_if(V(x));
    set(V(y), I(1));
    set(V(z), I(2));
    leave();
    set(V(z), I(3));
}

static void with_else(void)
{
    enter_if(BIN(CC_EQ, V(x), I(0)));
    set(V(y), I(1));
    enter_else();
    eval(INC(V(z)));
    leave();
}

static void dead_loop_body(void)
{
    enter_for(ASSIGN(V(y), I(0)), LT(V(y), I(0)), INC(V(y)));
    set(V(z), I(1));
    leave();
}

static void declaration(void)
{
    enter_if(V(x));
    struct cc_var *a = local("a", INT, I(1));
    local("unused", INT, NULL);
    set(V(y), V(a));
    leave();
}

static void copies_with_names(void)
{
    enter_block();
    struct cc_var *a = local("a", INT, I(1));
    set(V(y), V(a));
    leave();
    enter_if(V(x));
    put(cc_return(P, P->entry, NULL));
    leave();
}

static void small_switch(void)
{
    enter(put(cc_switch(P, V(x), cc_block(P)))->a);
    put(cc_case(P, 1));
    set(V(y), I(1));
    put(cc_stmt(P, CC_S_BREAK));
    leave();
}

static void test_each_kind(void)
{
    variants_are("a branch", one_branch,
                 (const char *const[]){
                     "{ if (x) { y = 1; } }", "{ if (x) { ; } }", "{ if (x) { } }",
                     "{ if (x) { y = 1; y = 1; } }",
                     "{ if (x) { if (x) { y = 1; } y = 1; } }", /* the if, into itself */
                     "{ if (x) { if (y) { y = 1; } y = 1; } }", /* a copy under a condition */
                     "{ if (x) { while (y) { y = 1; } y = 1; } }",
                     "{ if (x) { if (x) { if (x) { y = 1; } } y = 1; } }",
                     "{ if (x) { if (y) { if (x) { y = 1; } } y = 1; } }",
                     "{ if (x) { while (x) { if (x) { y = 1; } } y = 1; } }",
                     "{ if (x) { while (y) { if (x) { y = 1; } } y = 1; } }", NULL});
    variants_are("an else", with_else,
                 (const char *const[]){
                     "{ if (x == 0) { y = 1; } else { z++; } }",
                     "{ if (x == 0) { y = 1; } else { ; } }", "{ if (x == 0) { y = 1; } }",
                     "{ if (x == 0) { y = 1; } else { z++; z++; } }",
                     "{ if (x == 0) { y = 1; } else { if (z) { z++; } z++; } }",
                     "{ if (x == 0) { y = 1; } else { while (z) { z++; } z++; } }",
#define WHOLE "if (x == 0) { y = 1; } else { z++; }"
                     "{ if (x == 0) { y = 1; } else { " WHOLE " z++; } }",
                     "{ if (x == 0) { y = 1; } else { if (x) { " WHOLE " } z++; } }",
                     "{ if (x == 0) { y = 1; } else { if (y) { " WHOLE " } z++; } }",
                     "{ if (x == 0) { y = 1; } else { if (z) { " WHOLE " } z++; } }",
                     "{ if (x == 0) { y = 1; } else { while (x) { " WHOLE " } z++; } }",
                     "{ if (x == 0) { y = 1; } else { while (y) { " WHOLE " } z++; } }",
                     "{ if (x == 0) { y = 1; } else { while (z) { " WHOLE " } z++; } }", NULL});
    texts t = all_variants(two_statements, 1);
    ok(known(&t, "{ if (x) { z = 2; y = 1; } z = 3; }"), "two statements change places");
    ok(known(&t, "{ if (x) { y = 1; z = 3; z = 2; } z = 3; }"), "a copy of one that ran");
    ok(known(&t, "{ if (x) { y = 1; y = 1; z = 2; } z = 3; }"), "a copy of one that did not");
    ok(known(&t, "{ if (x) { y = 1; ; } z = 3; }"), "one is gone");
    forget_texts(&t);
    t = all_variants(dead_loop_body, 1);
    ok(known(&t, "{ for (y = 0; y < 0; y++) { } }"), "a loop body is gone");
    forget_texts(&t);
    t = all_variants(declaration, 1);
    ok(known(&t, "{ if (x) { int32_t a = 1; ; y = a; } }"), "a variable that nobody uses is gone");
    ok(!known(&t, "{ if (x) { ; int32_t unused; y = a; } }"), "  but one that is used stays");
    ok(known(&t, "{ if (x) { int32_t a = 1; y = a; int32_t unused; y = a; } }"),
       "a copy behind the declaration");
    ok(!known(&t, "{ if (x) { y = a; int32_t a = 1; int32_t unused; y = a; } }"),
       "  but not before it");
    forget_texts(&t);
    t = all_variants(copies_with_names, 1);
    bool renamed = false;
    for (size_t i = 0; i < t.n; i++)
        renamed |= strstr(t.at[i], "{ int32_t a_copy") != NULL;
    ok(renamed, "variables of a copy have names of their own");
    forget_texts(&t);
    t = all_variants(small_switch, 1);
    ok(known(&t, "{ switch (x) { case 1: break; y = 1; } }") &&
           known(&t, "{ switch (x) { case 1: ; break; } }") &&
           known(&t, "{ switch (x) { case 1: y = 1; ; } }"),
       "in a switch");
    /* itself; these three; before each of its three statements y = 1 in 3 ways and the switch in 5,
     * but y = 1 before and behind y = 1 is the same text */
    is_int(t.n, 1 + 3 + 3 * (3 + 5) - 1, "  its cases stay where they are");
    forget_texts(&t);
    t = all_variants(two_statements, 2);
    ok(t.n > 100, "two changes: %d variants", (int)t.n);
    forget_texts(&t);
}
#undef WHOLE

/* -- what must stay --------------------------------------------------------------------------- */

/* A label in code that is never reached by falling in, and a goto to it that runs. */
static void label_into_branch(void)
{
    struct cc_stmt *label = cc_label(P, "in");
    enter_if(BIN(CC_EQ, V(x), I(0)));
    put(cc_goto(P, label));
    leave();
    enter_if(V(y));
    set(V(z), I(1));
    put(label);
    set(V(z), I(2)); /* runs, though neither the if nor its block does */
    leave();
    put(cc_return(P, P->entry, NULL));
    set(V(y), I(7));
    set(V(y), I(8));
}

/* Labels and gotos that are never reached, among declarations that C++ does not let them pass. */
static void dead_labels(void)
{
    struct cc_stmt *back = cc_label(P, "back"), *on = cc_label(P, "on");
    enter_if(V(x));
    put(back);
    set(V(y), I(1));
    enter_if(V(y));
    put(cc_goto(P, on));
    leave();
    enter_block();
    struct cc_var *a = local("a", INT, I(3));
    set(V(z), V(a));
    put(on);
    leave();
    enter_if(V(z));
    put(cc_goto(P, back));
    leave();
    struct cc_var *b = local("b", INT, I(4));
    set(V(y), V(b));
    leave();
    set(V(z), I(5));
}

static void dead_switch(void)
{
    for (int i = 0; i < 2; i++) {
        struct cc_stmt *s = put(cc_switch(P, V(i ? y : x), cc_block(P)));
        enter(s->a);
        put(cc_case(P, 1));
        set(V(z), I(1));
        put(cc_stmt(P, CC_S_BREAK));
        put(cc_case(P, 2));
        set(V(z), I(2));
        put(cc_stmt(P, CC_S_DEFAULT));
        if (i == 0)
            set(V(y), I(1));
        put(cc_stmt(P, CC_S_BREAK));
        set(V(z), I(3)); /* behind the break */
        set(V(y), I(4));
        leave();
    }
}

static void dead_loops(void)
{
    struct cc_var *i = local("i", INT, NULL), *j = local("j", INT, I(0));
    enter_count(i, 3);
    enter_if(V(x));
    eval(INC(V(j)));
    put(cc_stmt(P, CC_S_CONTINUE));
    leave();
    enter_if(BIN(CC_EQ, V(i), I(1)));
    put(cc_stmt(P, CC_S_BREAK));
    set(V(y), V(j));
    leave();
    eval(INC(V(z)));
    leave();
    set(V(y), V(j));
}

static void static_locals(void)
{
    enter_if(V(x));
    struct cc_var *used = cc_local(P, "used", INT, I(1));
    used->storage = CC_STATIC;
    put(cc_decl(P, used));
    struct cc_var *free = cc_local(P, "free_one", INT, I(1));
    free->storage = CC_STATIC;
    put(cc_decl(P, free));
    set(V(y), V(used));
    leave();
    enter_if(V(y));
    enter_block();
    struct cc_var *inner = cc_local(P, "inner", INT, I(1));
    inner->storage = CC_STATIC;
    put(cc_decl(P, inner));
    eval(INC(V(inner)));
    leave();
    set(V(y), I(2));
    leave();
}

static void functions(void)
{
    struct cc_var *a = param("a", INT);
    struct cc_func *f = function("f", INT, a, NULL);
    enter_if(V(a));
    set(V(y), V(a));
    give(I(1));
    leave();
    set(V(z), I(2));
    enter_if(BIN(CC_EQ, V(a), I(0)));
    give(I(2));
    leave();
    set(V(z), I(3));
    give(V(a)); /* never runs, and stays */
    end_function();
    struct cc_func *never = function("never", INT, NULL, NULL);
    struct cc_var *b = local("b", INT, I(1));
    eval(INC(V(b)));
    give(V(b));
    end_function();
    set(V(x), CALL(f, I(0)));
    set(V(x), I(0));
    enter_if(V(x));
    set(V(y), CALL(never));
    leave();
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

static void test_forbidden(void)
{
    static const struct {
        const char *name;
        void (*make)(void);
        const char *part; /* of func_1 */
        int least, most;  /* how often in each variant */
    } all[] = {
        {"a jump into a branch", label_into_branch, "in: z = 2;", 1, 1},
        {"labels", dead_labels, "back:", 0, 1},
        {"cases", dead_switch, "case 2:", 2, INT_MAX},
        {"loops", dead_loops, "int32_t j = 0;", 1, 1},
        {"jumps out of a statement", dead_loops, "continue; continue;", 0, 0},
        {"static variables", static_locals, "static int32_t inner", 0, 1},
        {"functions", functions, "x = f(0);", 1, INT_MAX},
    };
    const int seeds = tap_amount(1000, 3000);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        struct cc_emi_counts sum = {0};
        const char *bad = NULL;
        int odd = 0;
        for (int seed = 0; seed < seeds && !bad; seed++) {
            struct cc_emi_counts n;
            struct choice c;
            choice_init_random(&c, (uint64_t)seed);
            start();
            all[k].make();
            if (run() != CC_UB_NONE)
                bad = "the program itself";
            struct before b = look(P, interp_checksum_value(make_interp));
            cc_emi(P, &c, 6, &n);
            const char *text = body_text(P->entry);
            int times = count(text, all[k].part);
            odd += times < all[k].least || times > all[k].most;
            bad = bad ? bad : compare(P, &b, NULL);
            if (bad)
                tap_note(bad, text);
            sum.pruned += n.pruned;
            sum.inserted += n.inserted;
            sum.swapped += n.swapped;
            forget(&b);
            finish();
            choice_release(&c);
        }
        ok(!bad && odd == 0, "%s: %d variants, %d pruned, %d inserted, %d swapped", all[k].name,
           seeds, sum.pruned, sum.inserted, sum.swapped);
        ok(sum.pruned && sum.inserted && sum.swapped, "  each kind of change is there");
    }
}

/* -- generated programs ----------------------------------------------------------------------- */

static struct generator *open(const char *name, const char *const *settings, int n)
{
    struct gen_context context = {.settings = settings, .n_settings = n};
    struct generator *g = NULL;
    struct error e = {0};
    if (gen_open(name, &context, &g, &e)) {
        ok(false, "%s: %s", name, e.message);
        exit(tap_done());
    }
    return g;
}

/* Runs it, and makes main where there is none; -1: interp sees undefined behaviour. */
static int64_t checksum_of(struct cc_program *p, const struct interp_options *o)
{
    struct interp *in = interp_new(p, o);
    bool good;
    if (p->main) {
        good = interp_run(in) == CC_UB_NONE;
    } else {
        good = interp_call(in, p->entry) == CC_UB_NONE;
        if (good) {
            struct cc_final final = {in, interp_union_member, interp_points_to};
            cc_make_main(p, &final);
            good = interp_checksum(in) == CC_UB_NONE;
        }
    }
    int64_t checksum = good ? (int64_t)interp_checksum_value(in) : -1;
    interp_free(in);
    return checksum;
}

static void test_generated(const char *name, bool yarp, const char *const *settings, int n)
{
    enum { CHANGES = 20 };
    const uint64_t programs = (uint64_t)tap_amount(20, 60);
    struct generator *g = open(name, settings, n);
    struct interp_options o = {0};
    struct cc_emi_counts sum = {0};
    const char *bad = NULL;
    for (uint64_t seed = 1; seed <= programs && !bad; seed++) {
        struct arena a;
        struct choice c;
        struct cc_emi_counts done;
        arena_init(&a);
        choice_init_random(&c, seed);
        struct cc_program *p = yarp ? yarp_tree(g, &c, &a) : smith_tree(g, &c, &a);
        int64_t checksum = checksum_of(p, &o);
        struct before b = look(p, (uint32_t)checksum);
        cc_emi(p, &c, CHANGES, &done);
        bad = checksum < 0 ? "the program itself" : compare(p, &b, &o);
        sum.pruned += done.pruned;
        sum.inserted += done.inserted;
        sum.swapped += done.swapped;
        forget(&b);
        cc_program_release(p);
        choice_release(&c);
        arena_release(&a);
        if (bad)
            printf("# seed %llu: %s\n", (unsigned long long)seed, bad);
    }
    ok(!bad, "%d programs of %s: %d pruned, %d inserted, %d swapped", (int)programs, name,
       sum.pruned, sum.inserted, sum.swapped);
    int changes = sum.pruned + sum.inserted + sum.swapped;
    ok(changes > (int)programs * CHANGES / 2, "  most changes are made");
    gen_close(g);
}

/* What is printed: the same program without --emi, another text with it and the same answer. */
static void test_setting(const char *name, const char *size)
{
    struct generator *plain = open(name, (const char *const[]){size}, 1);
    struct generator *emi = open(name, (const char *const[]){size, "emi"}, 2);
    struct generator *off = open(name, (const char *const[]){size, "emi=0"}, 2);
    int same = 0, changed = 0, answers = 0;
    enum { PROGRAMS = 10 };
    ok(strstr(emi->config, "emi=8") && !strstr(plain->config, "emi"), "%s: --emi is --emi=8", name);
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct generator *all[] = {plain, emi, off};
        struct program p[3] = {0};
        struct arena a;
        struct error e = {0};
        arena_init(&a);
        for (int i = 0; i < 3; i++) {
            struct choice c;
            choice_init_random(&c, seed);
            if (gen_next(all[i], &c, &a, &p[i], &e))
                ok(false, "%s, seed %d: %s", name, (int)seed, e.message);
            choice_release(&c);
        }
        int last = p[0].n_files > 1 ? 1 : 0; /* of yarp: func.c */
        const char *text[3];
        for (int i = 0; i < 3; i++)
            text[i] = p[i].files ? strstr(p[i].files[last].text, "*/") : "";
        same += !strcmp(p[0].files[last].text, p[2].files[last].text);
        changed += strcmp(text[0], text[1]) != 0;
        answers += bytes_equal(p[0].expected, p[1].expected);
        arena_release(&a);
    }
    is_int(same, PROGRAMS, "  --emi=0 changes nothing");
    ok(changed >= PROGRAMS - 1, "  --emi changes programs (%d of %d)", changed, PROGRAMS);
    is_int(answers, PROGRAMS, "  but not their answers");
    gen_close(plain);
    gen_close(emi);
    gen_close(off);
}

int main(void)
{
    test_each_kind();
    test_forbidden();
    test_generated("smith", false, (const char *const[]){"size=4000"}, 1);
    test_generated(
        "smith", false,
        (const char *const[]){"size=4000", "recursion=0.5", "static-locals=0.5", "lang=c++"}, 4);
    test_generated("yarp", true, (const char *const[]){"size=4000"}, 1);
    test_generated("yarp", true, (const char *const[]){"size=4000", "policy=all=on", "lang=c++"},
                   3);
    test_setting("smith", "size=3000");
    test_setting("yarp", "size=3000");
    return tap_done();
}
