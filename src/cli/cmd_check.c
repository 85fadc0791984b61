/* assay check: given programs, once, on every testbed; nothing is recorded. A folder is a
 * regression suite, whose cases carry their expectations (check_suite.h). */
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/check_suite.h"
#include "program/language.h"
#include "testbed/server.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char *suffix_of(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strchr(dot, '/') ? dot : "";
}

/* What a file's name says of its language: the usual suffixes, and those of the toolchains, so that
 * a language of the user's own is known by its testbeds. NULL where nothing does. */
static const char *language_of(const char *path, const toolchain_list *toolchains)
{
    const char *suffix = suffix_of(path), *known = language_of_file(path)->name;
    if (*known)
        return known;
    for (size_t i = 0; i < toolchains->n; i++)
        if (!strcmp(suffix, toolchains->at[i].suffix))
            return toolchains->at[i].language;
    return NULL;
}

static int load(const char *path, const char *language, const struct check_options *o,
                struct arena *a, struct program *out, struct error *e)
{
    struct program_file *file = arena_new(a, struct program_file);
    int status = program_file_read(path, 64 << 20, a, file, e);
    if (status)
        e->kind = ERROR_USAGE;
    if (!status && !fs_is_plain_name(file->name)) /* -c.c, @x.c: no compiler gets it as it is */
        file->name = arena_printf(a, "_%s", file->name);
    *out = (struct program){.language = language,
                            .files = file,
                            .n_files = 1,
                            .needs = o->needs ? o->needs : "",
                            .made = {"file", "", path, 0, NULL}};
    return status;
}

static struct json *result_json(const struct testbed *t, const struct observation *o,
                                const struct verdict *v)
{
    return json_new("{s:s,s:s,s:s,s:s,s:s,s:s,s:f,s:f}", "testbed", t->name, "outcome",
                    outcome_name[o->outcome], "detail", o->detail, "output_hash", o->output_hash,
                    "verdict", anomaly_name[v->anomaly], "evidence", evidence_name[v->evidence],
                    "build_cpu_s", (double)o->build.cpu_us / 1e6, "run_cpu_s",
                    (double)o->run.cpu_us / 1e6);
}

static int report(const char *path, const struct test_setup *c, const struct observation *o,
                  const struct verdict *v, bool json)
{
    int bad = 0;
    struct json *results = json ? json_new("[]") : NULL;
    if (!json)
        text_print(stdout, "%s\n", path);
    for (int i = 0; i < c->n_testbeds; i++) {
        bad += v[i].anomaly != ANOMALY_NONE;
        if (json) {
            json_append(results, "o", result_json(&c->testbeds[i], &o[i], &v[i]));
            continue;
        }
        bool ok = o[i].outcome == OUTCOME_OK;
        text_print(stdout, "  %-24s %-14s %-12.*s", c->testbeds[i].name, outcome_name[o[i].outcome],
                   ok ? 12 : 60, ok ? o[i].output_hash : o[i].detail);
        if (v[i].anomaly)
            text_print(stdout, " %s (%s, %.0f %%)", anomaly_name[v[i].anomaly],
                       evidence_name[v[i].evidence], v[i].confidence * 100);
        putchar('\n');
    }
    if (json)
        json_print(json_new("{s:s,s:o}", "file", path, "results", results), true);
    return bad;
}

static int check_file(const char *path, const char *language, const struct check_options *o,
                      const struct cli_data *data, struct error *e)
{
    struct cli_testbeds testbeds = {0};
    struct arena a;
    struct program program;
    struct runner runner;
    arena_init(&a);
    int bad = load(path, language, o, &a, &program, e);
    if (!bad && !o->no_sandbox && child_sandbox_available(e))
        bad = -1;
    if (!bad)
        bad = cli_testbeds_find(&testbeds, data, program.language, o->testbeds,
                                o->all_flags ? CLI_FLAGS_ALL : CLI_FLAGS_DEFAULT, o->json, e);
    if (!bad && !(bad = runner_init(&runner, e))) {
        int n = (int)testbeds.list.n;
        struct test_setup c = {
            .testbeds = testbeds.list.at, .n_testbeds = n, .oracle = oracle_defaults};
        struct observation *observations = arena_array(&a, struct observation, n);
        struct verdict *verdicts = arena_array(&a, struct verdict, n);
        c.oracle.majority = o->majority;
        runner.sandbox_none = o->no_sandbox;
        bad = test_try(&c, &runner, &program, &a, observations, verdicts, e);
        if (!bad)
            bad = report(path, &c, observations, verdicts, o->json);
        runner_release(&runner);
    }
    cli_testbeds_release(&testbeds);
    arena_release(&a);
    return bad;
}

/* The worst of them decides: what cannot be judged before what is undefined. */
static int check_all_ub(char **paths, int n, const struct check_options *o)
{
    int status = EXIT_CLEAN;
    for (int i = 0; i < n; i++) {
        struct error e = {0};
        int bad = check_ub(paths[i], o->needs ? o->needs : "", o->json, &e);
        int here = bad < 0 ? cli_fail(&e) : bad ? EXIT_FINDINGS : EXIT_CLEAN;
        status = here > status ? here : status;
    }
    return status;
}

int cmd_check(int argc, char **argv)
{
    struct check_options o = {.majority = oracle_defaults.majority};
    int rest, status = EXIT_CLEAN;
    struct error e = {0};
    const struct option_spec specs[] = {
        TEXT('t', "testbeds", "LIST", "such as gcc,clang:-O3 (default: all; of a case: its own)",
             &o.testbeds),
        CLI_TESTBED_DIR(&o.testbed_dir),
        FLAG(0, "all-flags", "use the extra flag sets too", &o.all_flags),
        TEXT(0, "needs", "ARGS", "what every compiler must be told (-I/usr/include/csmith)",
             &o.needs),
        SHARE(0, "majority", "X", "share of the voters that decides (default: 0.667)", &o.majority),
        FLAG(0, "no-sandbox", "build and run without the sandbox", &o.no_sandbox),
        FLAG(0, "ub", "no compiler: run C files by the rules of C11, say what is undefined", &o.ub),
        FLAG(0, "json", "print JSON, one object per file", &o.json),
    };
    if (!cli_parse(&command_check, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    if (rest == 0)
        return cli_usage(&command_check, "name the programs to check, or the folder of a suite");
    if (o.ub)
        return check_all_ub(argv, rest, &o);
    struct cli_data data;
    toolchain_list toolchains = {0};
    cli_data_init(&data, o.testbed_dir);
    if (toolchains_read(data.testbed_dirs.at, (int)data.testbed_dirs.n, &data.arena, &toolchains,
                        &e))
        status = cli_fail(&e);
    for (int i = 0; i < rest && status == EXIT_CLEAN; i++) {
        if (fs_is_dir(argv[i])) {
            if (check_suite_host(argv[i], &data, &e))
                status = cli_fail(&e);
            continue;
        }
        if (access(argv[i], R_OK)) {
            error_set(&e, ERROR_USAGE, "cannot read %s: %s", argv[i], strerror(errno));
            status = cli_fail(&e);
            continue;
        }
        const char *language = language_of(argv[i], &toolchains);
        if (!language)
            status = cli_usage(&command_check,
                               "%s: no testbed is for files with the suffix '%s' (suffix = in a "
                               "toolchain's file)",
                               argv[i], suffix_of(argv[i]));
        else if (server_host(data.testbed_dirs.at, (int)data.testbed_dirs.n, language, &e))
            status = cli_fail(&e);
    }
    for (int i = 0; i < rest && status <= EXIT_FINDINGS; i++) {
        int bad = fs_is_dir(argv[i])
                      ? check_suite(argv[i], &o, &data, &e)
                      : check_file(argv[i], language_of(argv[i], &toolchains), &o, &data, &e);
        if (bad)
            status = bad < 0 ? cli_fail(&e) : EXIT_FINDINGS;
    }
    toolchains_release(&toolchains);
    cli_data_release(&data);
    return status;
}
