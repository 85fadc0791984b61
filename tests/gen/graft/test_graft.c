/* Programs with grafts: run again as what is printed of them they end as they say, a seed always
 * means the same, and the calls are there.
 *
 *     test_graft SOURCES */
#include "cc/checksum.h"
#include "cc/print.h"
#include "cc/walk.h"
#include "gen/graft/graft.h"
#include "interp/interp.h"
#include "tap.h"

#include <string.h>

static const char *library;

static struct generator *open_with(const char *host, const char *more)
{
    const char *settings[] = {host, library, "size=3000", more};
    struct gen_context context = {.settings = settings, .n_settings = more ? 4 : 3};
    struct generator *g = NULL;
    struct error e = {0};
    if (gen_open("graft", &context, &g, &e) || gen_ready(g, &e)) {
        ok(false, "%s: %s", host, e.message);
        exit(tap_done());
    }
    return g;
}

static bool make(struct generator *g, uint64_t seed, struct arena *a, struct program *p)
{
    struct choice c;
    struct error e = {0};
    choice_init_random(&c, seed);
    bool good = !gen_next(g, &c, a, p, &e);
    choice_release(&c);
    if (!good)
        ok(false, "seed %llu: %s", (unsigned long long)seed, e.message);
    return good;
}

/* -- trees ------------------------------------------------------------------------------------- */

static bool is_graft(const struct cc_expr *e, void *to)
{
    *(int *)to += e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC &&
                  !strncmp(e->callee->func->name, "graft_", 6);
    return false;
}

/* Calls in the host's functions. */
static int count_calls(const struct cc_program *p)
{
    int n = 0;
    for (size_t i = 0; i < p->funcs.n; i++)
        if (strncmp(p->funcs.at[i]->name, "graft_", 6) != 0)
            cc_walk_stmt(p->funcs.at[i]->body, &(struct cc_walk){.expr = is_graft, .to = &n});
    return n;
}

/* The tree of the same choices: run on its own, and printed. */
static bool same_tree(struct generator *g, uint64_t seed, const struct program *made, int *calls)
{
    struct choice c;
    struct arena a;
    struct error e = {0};
    struct cc_print_options print;
    arena_init(&a);
    choice_init_random(&c, seed);
    struct cc_program *p = g->class->cc(g, &c, &a, &print, &e);
    choice_release(&c);
    bool good = p != NULL;
    if (good) {
        struct strbuf text;
        struct interp *in = interp_new(p, NULL);
        good = interp_run(in) == CC_UB_NONE;
        char line[40];
        snprintf(line, sizeof line, "checksum = %X\n", interp_checksum_value(in));
        good = good && !strcmp(line, made->expected.data);
        interp_free(in);
        strbuf_init(&text, 0);
        cc_print_unit(p, &print, &text);
        /* but for the first comment */
        good = good && strstr(made->files[0].text, text.s) != NULL;
        strbuf_release(&text);
        *calls += count_calls(p);
        cc_program_release(p);
    }
    arena_release(&a);
    return good;
}

static void programs_of(const char *host)
{
    const int n = tap_amount(12, 200);
    struct generator *g = open_with(host, NULL), *again = open_with(host, NULL);
    int good = 0, same = 0, calls = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)n; seed++) {
        struct arena a;
        struct program p, q;
        arena_init(&a);
        if (make(g, seed, &a, &p) && make(again, seed, &a, &q)) {
            same += !strcmp(p.files[0].text, q.files[0].text);
            good += same_tree(g, seed, &p, &calls);
            good -= !p.trusted || !strstr(p.files[0].text, "expected: checksum");
        }
        arena_release(&a);
    }
    is_int(good, n, "%s: trees end as the programs say", host);
    is_int(same, n, "%s: a seed is a program", host);
    ok(calls >= 3 * n, "%s: %d calls of functions in %d programs", host, calls, n);
    struct graft_counts m = graft_measure(g);
    ok(m.dropped * 5 < m.planted, "%s: of %llu calls %llu were taken out", host,
       (unsigned long long)m.planted, (unsigned long long)m.dropped);
    is_int(m.failed, 0, "%s: no program was given up", host);
    gen_close(g);
    gen_close(again);
}

/* -- what is asked for ------------------------------------------------------------------------- */

static void counts(void)
{
    struct arena a;
    struct program few, many;
    int n_few = 0, n_many = 0;
    arena_init(&a);
    struct generator *one = open_with("host=smith", "count=1"),
                     *lots = open_with("host=smith", "count=60");
    if (make(one, 3, &a, &few) && make(lots, 3, &a, &many)) {
        same_tree(one, 3, &few, &n_few);
        same_tree(lots, 3, &many, &n_many);
    }
    ok(n_few < 10 && n_many > 30, "count: %d and %d calls", n_few, n_many);
    gen_close(one);
    gen_close(lots);
    arena_release(&a);
}

/* Across programs each form occurs. */
static void forms(void)
{
    static const struct {
        const char *what, *text;
    } wanted[] = {{"inlined", "inline int32_t graft_"}, {"by force", "always_inline"},
                  {"kept apart", "noinline"},           {"a sum", "gr_s1 = "},
                  {"an array of its own", "gr_a1["},    {"a literal", "(uint8_t[16]){"},
                  {"in place of a value", " ^ 0x"}};
    enum { N = sizeof wanted / sizeof *wanted };
    bool seen[N] = {0};
    struct generator *g = open_with("host=smith", "count=40");
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct arena a;
        struct program p;
        arena_init(&a);
        if (make(g, seed, &a, &p))
            for (int i = 0; i < N; i++)
                seen[i] |= strstr(p.files[0].text, wanted[i].text) != NULL;
        arena_release(&a);
    }
    for (int i = 0; i < N; i++)
        ok(seen[i], "%s", wanted[i].what);
    gen_close(g);
}

static void missing(void)
{
    const char *settings[] = {"library=/nowhere.c"};
    struct gen_context context = {.settings = settings, .n_settings = 1};
    struct generator *g = NULL;
    struct error e = {0};
    ok(!gen_open("graft", &context, &g, &e), "it opens, to list its options");
    ok(gen_ready(g, &e) && strstr(e.message, "/nowhere.c"), "%s", e.message);
    gen_close(g);
}

int main(int argc, char **argv)
{
    static char setting[1024];
    if (argc < 2)
        return 1;
    snprintf(setting, sizeof setting, "library=%s/grafts/own.c", argv[1]);
    library = setting;
    programs_of("host=smith");
    programs_of("host=yarp");
    counts();
    forms();
    missing();
    return tap_done();
}
