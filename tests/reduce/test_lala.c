/* LALA programs become small on their trees, and stay valid on every step of the way.
 *
 * The argument is the root of the sources, where the languages are. What is interesting is a rare
 * word of the language behind the head that all of its programs share. Lua itself runs each
 * candidate that was kept, where it is installed: the specification promises programs that end
 * without an error, and so must their reductions. */
#include "base/child.h"
#include "gen/gen.h"
#include "reduce/fake.h"
#include "reduce/lala.h"
#include "tap.h"

#include "ag/search.h"

/* -- what is interesting ----------------------------------------------------------------------- */

static const char lua_main[] = "\nlocal function main()";

static bool says(const struct reduce_case *c, const char *head, const char *word)
{
    const char *text = strstr(fake_text(c), head);
    return text && strstr(text + strlen(head), word);
}
static bool has_coroutine(const struct reduce_case *c)
{
    return says(c, lua_main, "coroutine.yield");
}
/* Two things that have nothing to do with each other must both be left. */
static bool has_two(const struct reduce_case *c)
{
    return says(c, lua_main, "while ") && says(c, lua_main, "string.rep");
}
static bool has_window(const struct reduce_case *c)
{
    return says(c, "", "ROW_NUMBER");
}
static bool has_remainder(const struct reduce_case *c)
{
    return says(c, "", "bvsrem");
}
static bool has_switch(const struct reduce_case *c)
{
    return says(c, "", "switch (");
}
static bool has_nothing(const struct reduce_case *c)
{
    (void)c;
    return false;
}

/* -- one reduction ----------------------------------------------------------------------------- */

struct reduced {
    struct fake fake; /* first: it is what the callbacks get */
    struct reduction r;
    struct reduce_lala l;
    struct arena arena;
    struct program before;
    struct error e;
    int kept;
    bool runs; /* run what is kept */
    int ran, failed;
};

static int program_now(void *of, struct arena *a, struct program *out, struct error *e)
{
    struct generator *g = of;
    return g->class->print(g, a, out, e);
}

/* Runs by `lua5.4` and ends well, as its last lines tell. False where there is no Lua. */
static bool run_lua(const struct program *p, bool *good)
{
    const char *const argv[] = {"lua5.4", "-", NULL};
    struct child_spec spec = {.argv = argv,
                              .input = p->files[0].text,
                              .input_size = p->files[0].size,
                              .limits = {.wall_ms = 60000, .cpu_ms = 30000}};
    struct child_result r;
    struct error e;
    child_result_init(&r, 1 << 20, 1 << 16);
    bool ran = !child_run(&spec, &r, &e) && r.end != CHILD_NOT_STARTED;
    *good = ran && r.end == CHILD_EXITED && !r.status && strstr(r.out.s, "main = true");
    if (ran && !*good)
        tap_note("Lua says", r.err.n ? r.err.s : r.out.s);
    child_result_release(&r);
    return ran;
}

static void better(void *of, const struct reduce_case *c, const char *pass)
{
    struct reduced *t = of;
    bool good;
    fake_better(&t->fake, c, pass);
    if (!t->runs || !run_lua(&c->program, &good))
        return;
    t->ran++;
    t->failed += !good;
}

static bool next_program(struct generator *g, uint64_t seed, struct arena *a, struct program *p)
{
    struct choice c;
    struct error e = {0};
    choice_init_random(&c, seed);
    bool made = !gen_next(g, &c, a, p, &e);
    choice_release(&c);
    return made;
}

/* The first program from this seed on that is interesting: *seed is its own then. */
static bool begin(struct reduced *t, struct generator *g, uint64_t *seed, int slots,
                  fake_predicate *interesting)
{
    *t = (struct reduced){0};
    arena_init(&t->arena);
    fake_init(&t->fake, slots, slots > 1 ? FAKE_SCATTERED : FAKE_LAST, interesting);
    t->fake.test.better = better;
    for (uint64_t end = *seed + 500; *seed < end; ++*seed) {
        struct reduce_case c = {.flags = "-x"};
        arena_reset(&t->arena);
        if (!next_program(g, *seed, &t->arena, &c.program) ||
            (interesting != has_nothing && !interesting(&c)))
            continue;
        t->before = c.program;
        t->l = (struct reduce_lala){.search = g->class->search(g), .of = g, .program = program_now};
        reduction_init(&t->r, &t->fake.test, &c);
        t->r.stop = &t->fake.stop;
        return true;
    }
    return ok(false, "%s: an interesting program", g->name);
}

static void end(struct reduced *t)
{
    reduction_release(&t->r);
    fake_release(&t->fake);
    arena_release(&t->arena);
}

static const char *best_text(const struct reduced *t)
{
    return fake_text(&t->r.best);
}

/* Does the search hold the tree of the best? */
static bool holds_best(struct reduced *t)
{
    struct program now;
    return !program_now(t->l.of, &t->arena, &now, &t->e) &&
           !strcmp(now.files[0].text, best_text(t));
}

/* Lines of the function main: what the shared head of Lua programs calls. */
static int main_lines(const char *text)
{
    int lines = 0;
    text = strstr(text, lua_main) + 1;
    for (text += strcspn(text, "\n"); *text && strncmp(text, "\nend", 4) != 0;
         text += 1 + strcspn(text + 1, "\n"))
        lines++;
    return lines;
}

/* -- tests ------------------------------------------------------------------------------------- */

static void reduce_lua(struct generator *g, fake_predicate *interesting, int programs, int most)
{
    uint64_t seed = 1;
    for (int i = 0; i < programs; i++, seed++) {
        struct reduced one, three;
        if (!begin(&one, g, &seed, 1, interesting))
            return;
        one.runs = true;
        one.kept = reduce_lala(&one.r, &one.l, &one.e);
        int lines = main_lines(best_text(&one));
        printf("# seed %llu: %zu bytes, %d lines of main to %zu, %d; %lld tests\n",
               (unsigned long long)seed, program_size(&one.before),
               main_lines(one.before.files[0].text), program_size(&one.r.best.program), lines,
               (long long)one.r.stats.tests);
        ok(one.kept > 0 && one.kept == one.r.stats.kept && one.fake.bettered == one.kept,
           "steps are counted");
        ok(interesting(&one.r.best) && !one.fake.wrong && !one.fake.broken, "all are interesting");
        if (!ok(lines <= most, "a few lines are left"))
            tap_note("left", strstr(best_text(&one), lua_main));
        is_str(one.r.best.flags, "-x", "flags stay");
        ok(holds_best(&one), "the search holds what is left");
        if (one.ran)
            is_int(one.failed, 0, "Lua runs each of %d steps without an error", one.ran);
        else
            tap_skip("steps in Lua", "lua5.4 is not installed");
        if (begin(&three, g, &seed, 3, interesting)) {
            three.kept = reduce_lala(&three.r, &three.l, &three.e);
            is_str(best_text(&three), best_text(&one), "three at a time: the same result");
            is_int(three.kept, one.kept, "... by the same steps");
            ok(three.fake.most_busy == 3 && !three.fake.broken, "... and three there were");
            end(&three);
        }
        end(&one);
    }
}

static void reduce_others(struct generator *g, fake_predicate *interesting, int programs,
                          size_t bytes)
{
    uint64_t seed = 1;
    for (int i = 0; i < programs; i++, seed++) {
        struct reduced t;
        if (!begin(&t, g, &seed, 2, interesting))
            return;
        t.kept = reduce_lala(&t.r, &t.l, &t.e);
        size_t left = program_size(&t.r.best.program);
        printf("# %s %llu: %zu bytes to %zu, %lld tests\n", g->name, (unsigned long long)seed,
               program_size(&t.before), left, (long long)t.r.stats.tests);
        ok(t.kept > 0 && interesting(&t.r.best) && !t.fake.wrong && !t.fake.broken,
           "%s: what is left is interesting", g->name);
        if (!ok(left <= bytes, "%s: and small", g->name))
            tap_note("left", best_text(&t));
        ok(holds_best(&t), "%s: the search holds it", g->name);
        end(&t);
    }
}

static void interrupted(struct generator *g, fake_predicate *interesting)
{
    struct reduced whole, part;
    uint64_t seed = 1;
    if (!begin(&whole, g, &seed, 1, interesting))
        return;
    whole.kept = reduce_lala(&whole.r, &whole.l, &whole.e);
    if (begin(&part, g, &seed, 1, interesting)) {
        part.fake.stop_after = whole.r.stats.tests / 2;
        is_int(reduce_lala(&part.r, &part.l, &part.e), -1, "a reduction is interrupted");
        ok(part.e.kind == ERROR_NONE, "... which is no error");
        ok(interesting(&part.r.best), "... and what it has is interesting");
        ok(holds_best(&part), "... and held by the search");
        struct map answers = part.fake.answers;
        map_init(&part.fake.answers);
        end(&part);
        if (begin(&part, g, &seed, 1, interesting)) {
            map_release(&part.fake.answers);
            part.fake.answers = answers;
            part.fake.recalls = true;
            part.kept = reduce_lala(&part.r, &part.l, &part.e);
            is_str(best_text(&part), best_text(&whole), "begun again it comes to the same end");
            ok(part.r.stats.tests < whole.r.stats.tests, "... without the tests that were made");
            end(&part);
        }
    }
    end(&whole);
}

static void nothing_to_gain(struct generator *g)
{
    struct reduced t;
    uint64_t seed = 3;
    if (!begin(&t, g, &seed, 2, has_nothing))
        return;
    is_int(reduce_lala(&t.r, &t.l, &t.e), 0, "where nothing else is interesting nothing is kept");
    is_str(best_text(&t), t.before.files[0].text, "... and the program is what it was");
    ok(t.r.stats.tests > 100, "... though much was tried (%lld)", (long long)t.r.stats.tests);
    ok(holds_best(&t), "... and the search holds it");
    end(&t);
}

static int no_program(void *of, struct arena *a, struct program *out, struct error *e)
{
    (void)of;
    (void)a;
    (void)out;
    return error_set(e, ERROR_USAGE, "the runtime function died");
}

static void a_failure_ends_it(struct generator *g)
{
    struct reduced t;
    uint64_t seed = 1;
    if (!begin(&t, g, &seed, 1, has_remainder))
        return;
    t.l.program = no_program;
    is_int(reduce_lala(&t.r, &t.l, &t.e), -1, "a program that cannot be printed is an error");
    is_str(t.e.message, "the runtime function died", "... which is told");
    is_str(best_text(&t), t.before.files[0].text, "... and the best is what it was");
    is_int(t.l.stats.derived, 1, "... at once");
    end(&t);
}

static struct generator *open_language(const char *root, const char *name)
{
    char dir[4096];
    const char *dirs = dir;
    struct gen_context context = {.dirs = &dirs, .n_dirs = 1};
    struct generator *g = NULL;
    struct error e = {0};
    snprintf(dir, sizeof dir, "%s/generators", root);
    if (gen_open(name, &context, &g, &e))
        tap_note(name, e.message);
    ok(g, "%s can be opened", name);
    return g;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: test_lala ROOT\n");
        return 2;
    }
    struct generator *lua = open_language(argv[1], "lala:lua");
    struct generator *smtlib = open_language(argv[1], "lala:smtlib");
    struct generator *sql = open_language(argv[1], "lala:sql");
    struct generator *c = open_language(argv[1], "lala:c");
    if (lua && smtlib && sql && c) {
        reduce_lua(lua, has_coroutine, tap_amount(1, 3), 6);
        reduce_lua(lua, has_two, tap_amount(1, 2), 12);
        reduce_others(smtlib, has_remainder, tap_amount(2, 5), 400);
        reduce_others(sql, has_window, tap_amount(1, 2), 800);
        reduce_others(c, has_switch, tap_amount(1, 2), 700);
        interrupted(smtlib, has_remainder);
        nothing_to_gain(smtlib);
        a_failure_ends_it(smtlib);
    }
    struct generator *all[] = {lua, smtlib, sql, c};
    for (int i = 0; i < 4; i++)
        if (all[i])
            gen_close(all[i]);
    return tap_done();
}
