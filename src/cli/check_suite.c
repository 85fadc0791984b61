/* Each case of a suite is judged by itself: the program is right, so it must be built, must end,
 * and must print what the case says, whatever other compilers do. A build that was slow may take
 * half of what it took. */
#include "cli/check_suite.h"
#include "base/json.h"
#include "base/text.h"
#include "report/report.h"
#include "testbed/server.h"

/* The testbeds for one language. */
struct bench {
    const char *language;
    struct cli_testbeds all;      /* every one there is, to find the accused */
    struct cli_testbeds selected; /* what the user named, or what works by default */
    bool have_selected;
};

struct suite {
    const char *dir;
    const struct check_options *o;
    const struct cli_data *data;
    struct report_case *cases;
    int n;
    struct arena arena;
    struct runner runner;
    struct bench *benches;
    int n_benches;
    int failing, untried; /* cases */
    int by_others;        /* whose testbed is not here */
    struct json *results; /* of the case in hand */
};

enum result { PASSES, FAILS, SKIPPED };
static const char *const result_name[] = {"passes", "fails", "skipped"};

static int read_suite(const char *dir, struct arena *a, struct report_case **cases, int *n,
                      struct error *e)
{
    if (report_suite_read(dir, a, cases, n, e))
        return -1;
    if (*n == 0)
        return error_set(e, ERROR_USAGE,
                         "there is no case in %s: `assay report --suite %s` writes them", dir, dir);
    return 0;
}

int check_suite_host(const char *dir, const struct cli_data *data, struct error *e)
{
    struct arena a;
    struct report_case *cases;
    int n;
    arena_init(&a);
    int status = read_suite(dir, &a, &cases, &n, e);
    for (int i = 0; i < n && !status; i++) {
        bool told = false;
        for (int k = 0; k < i; k++)
            told |= !strcmp(cases[k].program.language, cases[i].program.language);
        if (!told)
            status = server_host(data->testbed_dirs.at, (int)data->testbed_dirs.n,
                                 cases[i].program.language, e);
    }
    arena_release(&a);
    return status;
}

/* -- who is asked ------------------------------------------------------------------------------ */

static int find_bench(struct suite *s, const char *language, struct bench **out, struct error *e)
{
    for (int i = 0; i < s->n_benches; i++) {
        *out = &s->benches[i];
        if (!strcmp((*out)->language, language))
            return 0;
    }
    *out = &s->benches[s->n_benches];
    **out = (struct bench){.language = language};
    s->n_benches++; /* whatever comes, it is released */
    return s->o->testbeds
               ? 0
               : cli_testbeds_find(&(*out)->all, s->data, language, "*", CLI_FLAGS_ALL, true, e);
}

static int select_some(struct suite *s, struct bench *b, struct error *e)
{
    if (b->have_selected)
        return 0;
    b->have_selected = true;
    return cli_testbeds_find(&b->selected, s->data, b->language, s->o->testbeds,
                             s->o->all_flags ? CLI_FLAGS_ALL : CLI_FLAGS_DEFAULT, s->o->json, e);
}

/* -1: the case has flags, or its program needs some, that nobody but the user may give. */
static int refuse(const struct cli_testbeds *all, const struct testbed *t,
                  const struct report_case *c, const char *flags, int line, struct error *e)
{
    const struct cli_foreign asked = {.what = "suite",
                                      .path = c->path,
                                      .toolchain = t->called,
                                      .flags = {flags, line},
                                      .needs = {c->program.needs, c->needs_line}};
    return cli_refuse_flags(&all->toolchains, &asked, e);
}

/* The accused with the flags of the case, or those that the user selected. */
static int choose_testbeds(struct suite *s, const struct report_case *c, testbed_list *out,
                           struct error *e)
{
    struct bench *b;
    if (find_bench(s, c->program.language, &b, e))
        return -1;
    for (size_t i = 0; !s->o->testbeds && i < b->all.list.n; i++) {
        struct testbed t = b->all.list.at[i];
        if (strcmp(t.name, c->testbed) != 0)
            continue;
        t.flags = c->flags;
        vec_push(out, t);
        return refuse(&b->all, &t, c, c->flags, c->flags_line, e);
    }
    if (select_some(s, b, e))
        return -1;
    s->by_others += !s->o->testbeds;
    int status = 0;
    for (size_t i = 0; i < b->selected.list.n && !status; i++) {
        vec_push(out, b->selected.list.at[i]);
        status = refuse(&b->selected, &b->selected.list.at[i], c, "", 0, e);
    }
    return status;
}

/* A suite that asks for more than it may is not begun. */
static int look_at_flags(struct suite *s, struct error *e)
{
    int status = 0;
    for (int i = 0; i < s->n && !status; i++) {
        testbed_list testbeds = {0};
        status = choose_testbeds(s, &s->cases[i], &testbeds, e);
        vec_release(&testbeds);
    }
    s->by_others = 0;
    return status;
}

/* -- one case on one testbed ------------------------------------------------------------------- */

static bool of_build(enum anomaly kind)
{
    return kind == ANOMALY_BUILD_CRASH || kind == ANOMALY_BUILD_HANG ||
           kind == ANOMALY_BUILD_FAIL || kind == ANOMALY_SLOW_COMPILE || kind == ANOMALY_MEMORY;
}

static enum result judge(const struct report_case *c, const struct testbed *t,
                         const struct observation *o, const struct verdict *v, struct arena *a,
                         const char **why)
{
    *why = o->detail;
    if (o->outcome == OUTCOME_SKIPPED) {
        *why = o->messages;
        return SKIPPED;
    }
    if (o->outcome != OUTCOME_OK) {
        *why = arena_printf(a, "%s: %s", outcome_name[o->outcome], o->detail);
        return FAILS;
    }
    if (c->cpu_ms && o->build.cpu_us > c->cpu_ms * 1000) {
        *why = arena_printf(a, "the build took %.1f s of CPU time", (double)o->build.cpu_us / 1e6);
        return FAILS;
    }
    if (c->memory_kb && o->build.peak_kb > c->memory_kb) {
        *why = arena_printf(a, "the build took %lld MiB", (long long)o->build.peak_kb >> 10);
        return FAILS;
    }
    char expected[PROGRAM_HASH_SIZE];
    bool known = !of_build(c->kind) && c->program.expected.data;
    if (known)
        observation_hash(t->ignore_status ? 0 : c->status, c->program.expected, expected);
    if (known && strcmp(expected, o->output_hash) != 0) {
        *why = "wrong-output";
        return FAILS;
    }
    if (v->anomaly) { /* volatile accesses: only the oracle knows what they should be */
        *why = anomaly_name[v->anomaly];
        return FAILS;
    }
    *why = "";
    return PASSES;
}

static int try_case(struct suite *s, const struct report_case *c, const struct testbed *with,
                    enum result *result, struct error *e)
{
    struct testbed t = *with;
    struct program p = c->program;
    struct observation o;
    struct verdict v;
    struct arena a;
    const char *why;
    struct test_setup config = {.testbeds = &t, .n_testbeds = 1, .oracle = oracle_defaults};
    if (c->cpu_ms) /* no need to wait any longer */
        t.limits.compile.cpu_ms = c->cpu_ms;
    p.build_only |= of_build(c->kind);
    if (c->status) /* the oracle takes what is expected for the output of status 0 */
        p.expected = (struct bytes){0};
    arena_init(&a);
    int status = test_try(&config, &s->runner, &p, &a, &o, &v, e);
    if (!status) {
        *result = judge(c, &t, &o, &v, &a, &why);
        if (s->o->json)
            json_append(s->results, "{s:s,s:s,s:s,s:s,s:s,s:s}", "testbed", t.name, "version",
                        t.version, "flags", t.flags, "outcome", outcome_name[o.outcome], "result",
                        result_name[*result], "why", why);
        else
            text_print(stdout, "  %-24s %-36s %s%s%.*s\n", strrchr(c->path, '/') + 1, t.name,
                       result_name[*result], *why ? ": " : "", (int)strcspn(why, "\n"), why);
    }
    arena_release(&a);
    return status;
}

/* -- all of them ------------------------------------------------------------------------------- */

static int check_case(struct suite *s, const struct report_case *c, struct error *e)
{
    testbed_list testbeds = {0};
    int failed = 0, tried = 0;
    s->results = json_new("[]");
    int status = choose_testbeds(s, c, &testbeds, e);
    for (size_t i = 0; i < testbeds.n && !status; i++) {
        enum result result = SKIPPED;
        status = try_case(s, c, &testbeds.at[i], &result, e);
        failed += result == FAILS;
        tried += result != SKIPPED;
    }
    s->failing += failed > 0;
    s->untried += tried == 0;
    vec_release(&testbeds);
    if (!status && s->o->json)
        json_print(json_new("{s:s,s:s,s:s,s:s,s:b,s:o}", "file", c->path, "kind",
                            anomaly_name[c->kind], "testbed", c->testbed, "version", c->version,
                            "fails", failed > 0, "results", s->results),
                   true);
    else
        json_drop(s->results);
    return status;
}

static void release(struct suite *s)
{
    for (int i = 0; i < s->n_benches; i++) {
        if (!s->o->testbeds)
            cli_testbeds_release(&s->benches[i].all);
        if (s->benches[i].have_selected)
            cli_testbeds_release(&s->benches[i].selected);
    }
    arena_release(&s->arena);
}

int check_suite(const char *dir, const struct check_options *o, const struct cli_data *data,
                struct error *e)
{
    struct suite s = {.dir = dir, .o = o, .data = data};
    arena_init(&s.arena);
    int status = read_suite(dir, &s.arena, &s.cases, &s.n, e);
    if (!status && !o->no_sandbox && child_sandbox_available(e))
        status = -1;
    if (!status && !(status = runner_init(&s.runner, e))) {
        s.runner.sandbox_none = o->no_sandbox;
        s.benches = arena_array(&s.arena, struct bench, s.n);
        status = look_at_flags(&s, e);
        if (!status && !o->json)
            text_print(stdout, "%s\n", dir);
        for (int i = 0; i < s.n && !status; i++)
            status = check_case(&s, &s.cases[i], e);
        if (!status && !o->json)
            text_print(stdout, "%d case%s: %d still fail%s, %d pass%s%s\n", s.n,
                       s.n == 1 ? "" : "s", s.failing, s.failing == 1 ? "s" : "",
                       s.n - s.failing - s.untried, s.n - s.failing - s.untried == 1 ? "es" : "",
                       s.untried ? ", the others were skipped" : "");
        if (!status && !o->json && s.by_others)
            text_print(
                stdout,
                "%d of them ran on other testbeds: their own is not on PATH or in --testbed-dir\n",
                s.by_others);
        runner_release(&s.runner);
    }
    release(&s);
    return status ? -1 : s.failing > 0;
}
