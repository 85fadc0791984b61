/* "Valid on every path" taken at its word: paths that the program never takes must be valid too.
 *
 *     every_path [COUNT [FIRST [FLIPS [setting...]]]]
 *
 * The tree of each seed is run as it is, and then again and again with the outcome of a random part
 * of its decisions replaced: those of if, switch, ?: and of the left operands of && and ||. What a
 * decision computes is still evaluated, since the facts depend on it: `c` becomes `(c, 1)`. Loops
 * keep counting, a jump back keeps its fuel, a self-call its depth, so that all of it ends.
 *
 * The interpreter must find nothing undefined on any of these paths. Whatever it finds is a defect
 * of the analysis (dissertation, chapter 4), or a value that nothing bounds. For one seed in three
 * the facts are asserted in the program itself (4.4.4), so that a wrong points-to set is found even
 * where no access goes wrong by it. */
#include "base/error.h"
#include "cc/build.h"
#include "cc/builtin.h"
#include "gen/smith/smith.h"
#include "interp/interp.h"
#include "tap.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 300, FIRST = 1, FLIPS = 6 };
enum { MOST_STEPS = 20 * 1000 * 1000 }; /* AST nodes; a changed path may run longer */

struct decision {
    struct cc_expr **at, *was;
    const struct cc_stmt *on; /* a switch */
};

struct flips {
    struct cc_program *p;
    const struct cc_func *func;
    VEC(struct decision) decisions;
};

static void decide(struct flips *f, struct cc_expr **at, const struct cc_stmt *on)
{
    vec_push(&f->decisions, (struct decision){at, *at, on});
}

/* -- finding the decisions --------------------------------------------------------------------- */

static int children(struct cc_expr *e, struct cc_expr ***first)
{
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_MEMBER:
    case CC_E_ADDR:
    case CC_E_DEREF:
    case CC_E_UNARY:
    case CC_E_CAST:
    case CC_E_INCDEC:
        *first = &e->a;
        return 1;
    case CC_E_INDEX:
    case CC_E_BINARY:
    case CC_E_LOGICAL:
    case CC_E_COMMA:
    case CC_E_ASSIGN:
        *first = &e->a;
        return 2;
    case CC_E_COND:
        *first = &e->a;
        return 3;
    case CC_E_CALL:
    case CC_E_BUILTIN:
    case CC_E_LITERAL:
    case CC_E_LIST:
        *first = e->args;
        return (int)e->n_args;
    default:
        return 0;
    }
}

static void find_in_expr(struct flips *f, struct cc_expr *e)
{
    struct cc_expr **child;
    if (!e)
        return;
    int n = children(e, &child);
    for (int i = 0; i < n; i++)
        find_in_expr(f, child[i]);
    if (e->kind == CC_E_LOGICAL || e->kind == CC_E_COND)
        decide(f, &e->a, NULL);
}

/* `l-- > 0`, the fuel of a jump back. */
static bool is_fuel(const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST)
        e = e->a;
    return e->kind == CC_E_BINARY && e->op == CC_GT && e->a->kind == CC_E_INCDEC;
}

/* `p > 0`, the depth of a recursion, which may go through another function. */
static bool is_depth(const struct cc_expr *e)
{
    return e->kind == CC_E_BINARY && e->op == CC_GT && e->a->kind == CC_E_VAR && e->a->var->param &&
           e->b->kind == CC_E_INT && e->b->value == 0;
}

static bool calls(struct cc_expr *e, const struct cc_func *f)
{
    struct cc_expr **child;
    if (!e)
        return false;
    if (e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC && e->callee->func == f)
        return true;
    bool found = false;
    int n = children(e, &child);
    for (int i = 0; i < n; i++)
        found |= calls(child[i], f);
    return found;
}

static bool contains(struct cc_stmt *s, const struct cc_func *called, int builtin)
{
    if (!s)
        return false;
    bool found = calls(s->expr, called) ||
                 (s->expr && s->expr->kind == CC_E_BUILTIN && s->expr->field == builtin);
    for (size_t i = 0; s->kind == CC_S_BLOCK && i < s->list.n; i++)
        found |= contains(s->list.at[i], called, builtin);
    return found || contains(s->a, called, builtin) || contains(s->b, called, builtin);
}

static void find_in_if(struct flips *f, struct cc_stmt *s)
{
    if (contains(s->a, f->func, CC_BUILTIN_TRAP)) /* a bounded self-call, an assertion */
        return;
    if (is_fuel(s->expr) || is_depth(s->expr))
        return;
    find_in_expr(f, s->expr);
    if (s->expr->kind == CC_E_LOGICAL && is_fuel(s->expr->a)) {
        f->decisions.n--; /* the fuel itself, found just now */
        decide(f, &s->expr->b, NULL);
    } else {
        decide(f, &s->expr, NULL);
    }
}

static void find_in_stmt(struct flips *f, struct cc_stmt *s)
{
    if (!s)
        return;
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_IF:
        find_in_if(f, s);
        break;
    case CC_S_EXPR:
    case CC_S_RETURN:
        find_in_expr(f, s->expr);
        break;
    case CC_S_SWITCH:
        find_in_expr(f, s->expr);
        decide(f, &s->expr, s);
        break;
    case CC_S_BLOCK:
        for (size_t i = 0; i < s->list.n; i++)
            find_in_stmt(f, s->list.at[i]);
        break;
    default: /* loops count: their headers stay as they are */
        break;
    }
    find_in_stmt(f, s->a);
    find_in_stmt(f, s->b);
}

/* -- other paths ------------------------------------------------------------------------------- */

static cc_wide draw_case(const struct cc_stmt *on, struct choice *c)
{
    VEC(cc_wide) values = {0};
    for (size_t i = 0; i < on->a->list.n; i++)
        if (on->a->list.at[i]->kind == CC_S_CASE)
            vec_push(&values, on->a->list.at[i]->value);
    size_t at = (size_t)choose(c, values.n + 1);
    cc_wide value = at < values.n ? values.at[at] : 99; /* 99: none of them, or the default */
    vec_release(&values);
    return value;
}

/* Each decision is fixed with the same probability, which is drawn anew: from a few to all. */
static void flip(struct flips *f, struct choice *c)
{
    static const double parts[] = {0.1, 0.3, 0.6, 1};
    double part = parts[choose(c, 4)], towards = (double)choose(c, 5) / 4;
    const struct cc_type *t = cc_basic(&f->p->types, CC_INT);
    for (size_t i = 0; i < f->decisions.n; i++) {
        struct decision *d = &f->decisions.at[i];
        *d->at = d->was;
        if (!choose_flip(c, part))
            continue;
        struct cc_expr *value;
        if (d->on)
            value = cc_int(f->p, d->was->type->plain, draw_case(d->on, c), CC_DECIMAL);
        else
            value = cc_int(f->p, t, choose_flip(c, towards), CC_DECIMAL);
        *d->at = cc_comma(f->p, d->was, value);
    }
}

struct tally {
    int runs, cut, bad;
    uint64_t decisions, stmts, ran_plain, ran; /* statements; executed as it is, and in all runs */
};

/* True if it ran without undefined behaviour or did not end. */
static bool runs(struct cc_program *p, bool strict, struct tally *t, uint64_t *all, uint64_t *ran,
                 struct strbuf *why)
{
    struct interp_options o = {.max_steps = MOST_STEPS, .strict_unions = strict};
    struct interp *in = interp_new(p, &o);
    enum cc_ub rule = interp_call(in, p->entry);
    t->runs++;
    t->cut += rule == CC_UB_STEPS;
    bool good = rule == CC_UB_NONE || rule == CC_UB_STEPS;
    if (!good)
        interp_explain(in, why);
    *all = interp_statements(in, ran);
    interp_free(in);
    return good;
}

/* A broken invariant of the generator aborts: say where. */
static char at_seed[512];

static void aborted(int signal_number)
{
    (void)signal_number;
    if (write(STDOUT_FILENO, at_seed, strlen(at_seed)) < 0)
        _exit(1);
}

static void test_seed(struct generator *g, uint64_t seed, int n_flips, const char *config,
                      struct tally *t)
{
    snprintf(at_seed, sizeof at_seed, "Bail out! aborted at seed %llu, settings '%.400s'\n",
             (unsigned long long)seed, config);
    struct arena a;
    arena_init(&a);
    struct strbuf why;
    strbuf_init(&why, 4096);
    struct choice made, other;
    choice_init_random(&made, seed);
    choice_init_random(&other, seed * 1000003 + 7);
    struct flips f = {.p = smith_tree(g, &made, &a)};
    for (size_t i = 0; i < f.p->funcs.n; i++) {
        f.func = f.p->funcs.at[i];
        find_in_stmt(&f, f.p->funcs.at[i]->body);
    }
    t->decisions += f.decisions.n;
    bool strict = strstr(config, "union-relaxed-reads=0");
    uint64_t all, ran;
    bool good = runs(f.p, strict, t, &all, &ran, &why);
    t->ran_plain += ran;
    int round = 0;
    while (good && round < n_flips) {
        flip(&f, &other);
        round++;
        good = runs(f.p, strict, t, &all, &ran, &why);
    }
    t->stmts += all;
    t->ran += ran;
    if (!good) {
        t->bad++;
        ok(false, "seed %llu, path %d, settings '%s': %s", (unsigned long long)seed, round, config,
           why.s);
    }
    vec_release(&f.decisions);
    choice_release(&made);
    choice_release(&other);
    strbuf_release(&why);
    cc_program_release(f.p);
    arena_release(&a);
}

/* -- kinds of programs ------------------------------------------------------------------------- */

static const struct kind {
    const char *settings[6];
} kinds[] = {
    {{NULL}},
    {{"assert-facts=1", "size=5000", NULL}},
    {{"swarm", "size=6000", NULL}},
    {{"pointers=50%", "unions=30%", "arrays=10%", "size=5000", "stmt-goto=80", NULL}},
    {{"assert-facts=1", "pointers=60%", "max-pointer-depth=4", "size=5000", "stmt-goto=80", NULL}},
    {{"volatiles=20%", "structs=30%", "unions=20%", "size=5000", "recursion=1", NULL}},
    {{"union-relaxed-reads=0", "unions=60%", "size=5000", "pointers=40%", NULL}},
    {{"floats=40%", "structs=40%", "struct-args=60%", "struct-results=40%", "compound-literals=50%",
      NULL}},
    {{"ieee-floats=1", "floats=40%", "arrays=40%", "stmt-array=30", "size=8000", NULL}},
    {{"bitfields=1", "structs=60%", "increment=60%", "function-pointers=1", "size=5000", NULL}},
    {{"arrays=60%", "stmt-array=40", "static-locals=50%", "fallthrough=1", "stmt-switch=20", NULL}},
};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

static struct generator *open_smith(const char *const *settings, int n)
{
    struct gen_context context = {.settings = settings, .n_settings = n};
    struct generator *g = NULL;
    struct error e = {0};
    if (gen_open("smith", &context, &g, &e))
        printf("Bail out! %s\n", e.message);
    return g;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0, n_flips = argc > 3 ? atoi(argv[3]) : FLIPS;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : FIRST;
    count = count > 0 ? count : COUNT;
    struct tally t = {0};
    signal(SIGABRT, aborted);
    for (int k = 0; k < (argc > 4 ? 1 : N_KINDS); k++) {
        int n = 0;
        while (argc <= 4 && kinds[k].settings[n])
            n++;
        struct generator *g = argc > 4 ? open_smith((const char *const *)argv + 4, argc - 4)
                                       : open_smith(kinds[k].settings, n);
        if (!g)
            return 1;
        int step = argc > 4 ? 1 : N_KINDS;
        for (int i = argc > 4 ? 0 : k; i < count; i += step)
            test_seed(g, first + (uint64_t)i, n_flips, g->config, &t);
        gen_close(g);
    }
    printf(
        "# %d programs, %llu decisions, %d runs, %d cut; statements executed: %.0f %% as they are, "
        "%.0f %% in all\n",
        count, (unsigned long long)t.decisions, t.runs, t.cut,
        100 * (double)t.ran_plain / (double)t.stmts, 100 * (double)t.ran / (double)t.stmts);
    is_int(t.bad, 0, "no path of %d programs is undefined", count);
    ok(t.cut * 50 <= t.runs, "nearly all changed programs end: %d of %d do not", t.cut, t.runs);
    ok(t.decisions > (uint64_t)count * 10, "there are decisions to change");
    ok(t.ran > t.ran_plain, "changed decisions lead to other statements");
    return tap_done();
}
