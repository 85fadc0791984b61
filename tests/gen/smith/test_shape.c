/* What programs of smith look like, counted on their trees: how much is executed, how many
 * conditions are constants.
 *
 *     shape [COUNT [FIRST [setting...]]] */
#include "base/error.h"
#include "cc/print.h"
#include "cc/walk.h"
#include "gen/gen.h"
#include "tap.h"

enum { COUNT = 100, FIRST = 1 };

struct shape {
    uint64_t statements, ran;
    uint64_t functions, called;
    uint64_t conditions, constants;
    uint64_t locals, unread;
    VEC(uint32_t) reads; /* by variable, of one program */
};

/* -- conditions ------------------------------------------------------------------------------- */

static bool reads_or_calls(const struct cc_expr *e, void *to)
{
    (void)to;
    return e->kind == CC_E_VAR || e->kind == CC_E_CALL || e->kind == CC_E_LITERAL;
}

static void count_condition(struct shape *s, const struct cc_expr *e)
{
    struct cc_walk w = {.expr = reads_or_calls};
    if (!e)
        return;
    s->conditions++;
    s->constants += !cc_walk_expr(e, &w);
}

/* -- locals ----------------------------------------------------------------------------------- */

static uint32_t *reads_of(struct shape *s, const struct cc_var *v)
{
    while (s->reads.n <= v->id)
        vec_push(&s->reads, 0);
    return &s->reads.at[v->id];
}

static bool count_local(const struct cc_stmt *st, void *to)
{
    struct shape *s = to;
    s->locals += st->kind == CC_S_DECL;
    s->unread += st->kind == CC_S_DECL && !*reads_of(s, st->var);
    return false;
}

static bool see_expr(const struct cc_expr *e, void *to)
{
    if (e->kind == CC_E_VAR)
        ++*reads_of(to, e->var);
    if (e->kind == CC_E_ASSIGN && e->op == CC_NONE && e->a->kind == CC_E_VAR)
        --*reads_of(to, e->a->var); /* is seen once more */
    if (e->kind == CC_E_COND || e->kind == CC_E_LOGICAL)
        count_condition(to, e->a);
    if (e->kind == CC_E_LOGICAL)
        count_condition(to, e->b);
    return false;
}

static bool see_stmt(const struct cc_stmt *st, void *to)
{
    struct shape *s = to;
    switch ((enum cc_stmt_kind)st->kind) {
    case CC_S_BLOCK: /* these do nothing by themselves */
    case CC_S_CASE:
    case CC_S_DEFAULT:
    case CC_S_LABEL:
    case CC_S_EMPTY:
    case CC_S_COMMENT:
        return false;
    case CC_S_IF:
    case CC_S_FOR:
    case CC_S_WHILE:
    case CC_S_DO:
        count_condition(s, st->expr);
        break;
    default:
        break;
    }
    s->statements++;
    s->ran += st->ran;
    return false;
}

/* -- programs --------------------------------------------------------------------------------- */

static void count_program(const struct cc_program *p, struct shape *s)
{
    struct cc_walk w = {see_stmt, see_expr, s}, locals = {.stmt = count_local, .to = s};
    s->reads.n = 0;
    for (size_t i = 0; i < p->funcs.n; i++) {
        cc_walk_stmt(p->funcs.at[i]->body, &w);
        s->functions++;
        s->called += p->funcs.at[i]->body->ran;
    }
    for (size_t i = 0; i < p->funcs.n; i++)
        cc_walk_stmt(p->funcs.at[i]->body, &locals);
    vec_release(&s->reads);
}

/* False: a seed has no program. */
static bool count_programs(const char *const *settings, int n, uint64_t first, int count,
                           struct shape *s)
{
    struct gen_context context = {.settings = settings, .n_settings = n};
    struct generator *g = NULL;
    struct error e = {0};
    bool good = !gen_open("smith", &context, &g, &e);
    for (int i = 0; good && i < count; i++) {
        struct choice c;
        struct arena a;
        struct cc_print_options print;
        choice_init_random(&c, first + (uint64_t)i);
        arena_init(&a);
        struct cc_program *p = g->class->cc(g, &c, &a, &print, &e);
        good = p != NULL;
        if (p) {
            count_program(p, s);
            cc_program_release(p);
        }
        arena_release(&a);
        choice_release(&c);
    }
    if (!good)
        printf("# %s\n", e.message);
    if (g)
        gen_close(g);
    return good;
}

static double percent_of(uint64_t part, uint64_t all)
{
    return 100 * (double)part / (double)(all ? all : 1);
}

static void tell(const char *of, const struct shape *s)
{
    printf("# %s: executed %.1f %% of %llu statements, %.1f %% of %llu functions; constant %.1f %% "
           "of %llu conditions; unread %.1f %% of %llu locals\n",
           of, percent_of(s->ran, s->statements), (unsigned long long)s->statements,
           percent_of(s->called, s->functions), (unsigned long long)s->functions,
           percent_of(s->constants, s->conditions), (unsigned long long)s->conditions,
           percent_of(s->unread, s->locals), (unsigned long long)s->locals);
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 0;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : FIRST;
    count = count > 0 ? count : COUNT;
    struct shape usual = {0}, dead = {0};
    const char *const dead_setting[] = {"dead"};
    ok(count_programs((const char *const *)argv + 3, argc > 3 ? argc - 3 : 0, first, count, &usual),
       "each of %d seeds has a program", count);
    tell("as it is", &usual);
    if (argc > 3)
        return tap_done();
    ok(percent_of(usual.constants, usual.conditions) <= 3, "few conditions are constants");
    ok(percent_of(usual.ran, usual.statements) >= 60, "most statements are executed");
    ok(percent_of(usual.unread, usual.locals) <= 3, "what is computed is read");
    ok(count_programs(dead_setting, 1, first, count / 3 + 1, &dead), "with --dead too");
    tell("with --dead", &dead);
    ok(percent_of(dead.ran, dead.statements) < percent_of(usual.ran, usual.statements) - 25,
       "where less is executed");
    return tap_done();
}
