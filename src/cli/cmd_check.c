/* assay check: given programs, once, on every testbed; nothing is recorded. A folder is a
 * regression suite, whose cases carry their expectations (check_suite.h). */
#include "base/fs.h"
#include "cli/check_file.h"
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

/* The worst of them decides: what cannot be judged before what is undefined. */
static int check_all_ub(char **paths, int n, const struct check_ub_options *o)
{
    int status = EXIT_CLEAN;
    for (int i = 0; i < n; i++) {
        struct error e = {0};
        int bad = check_ub(paths[i], o, &e);
        int here = bad < 0 ? cli_fail(&e) : bad ? EXIT_FINDINGS : EXIT_CLEAN;
        status = here > status ? here : status;
    }
    return status;
}

int cmd_check(int argc, char **argv)
{
    struct check_options o = {.majority = oracle_defaults.majority};
    struct check_ub_options ub = {.steps = 200 * 1000 * 1000};
    int rest, status = EXIT_CLEAN;
    struct error e = {0};
    const struct option_spec specs[] = {
        TEXT('t', "testbeds", "LIST", "such as gcc,clang:-O3 (default: all; for a suite: its own)",
             &o.testbeds),
        CLI_TESTBED_DIR(&o.testbed_dir),
        FLAG(0, "all-flags", "also use the extra flag sets", &o.all_flags),
        TEXT(0, "needs", "ARGS", "flags for every compiler, such as -I/usr/include/csmith",
             &o.needs),
        SHARE(0, "majority", "X", "share of the voters that makes a majority (default: 0.667)",
              &o.majority),
        FLAG(0, "no-sandbox", "build and run without the sandbox", &o.no_sandbox),
        FLAG(0, "ub", "no compiler: interpret C files, report undefined behaviour", &o.ub),
        INT(0, "steps", "N", "with --ub: give up after N steps (default: 200 million)", &ub.steps),
        FLAG(0, "trace", "with --ub: also print the last calls and stores before it", &ub.trace),
        FLAG(0, "json", "print JSON, one object per file", &o.json),
    };
    if (!cli_parse(&command_check, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    if (rest == 0)
        return cli_usage(&command_check, "name the programs to check, or the folder of a suite");
    if (o.ub) {
        ub.needs = o.needs ? o.needs : "";
        ub.json = o.json;
        return check_all_ub(argv, rest, &ub);
    }
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
                               "%s: no testbed accepts files with the suffix '%s' (see suffix = in "
                               "the toolchain files)",
                               argv[i], suffix_of(argv[i]));
        else if (server_host(data.testbed_dirs.at, (int)data.testbed_dirs.n, language, &e))
            status = cli_fail(&e);
    }
    bool go_on = status == EXIT_CLEAN;
    for (int i = 0; i < rest && go_on; i++) {
        e = (struct error){0};
        int bad = fs_is_dir(argv[i])
                      ? check_suite(argv[i], &o, &data, &e)
                      : check_file(argv[i], language_of(argv[i], &toolchains), &o, &data, &e);
        int here = bad < 0 ? cli_fail(&e) : bad ? EXIT_FINDINGS : EXIT_CLEAN;
        status = here > status ? here : status;
        go_on = bad >= 0 || e.kind == ERROR_USAGE; /* the next file may be a better one */
    }
    toolchains_release(&toolchains);
    cli_data_release(&data);
    return status;
}
