/* assay testbeds: what is installed, in which version, and does it work. */
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "testbed/extensions.h"
#include "testbed/server.h"

#include <unistd.h>

struct testbed_rows {
    struct cli_data data;
    struct arena arena;
    toolchain_list toolchains;
    compiler_list compilers;
    struct runner runner;
    bool probe, all_flags, json;
    struct testbed asked; /* the last that was asked what it lacks */
    const char *flags;    /* of which compiler; NULL: list testbeds instead */
    struct json *array;
    int broken;
    bool listed; /* the compiler of --flags was met */
};

static void print_row(const char *name, const char *language, const char *version,
                      const char *model, const char *role, const char *state)
{
    text_print(stdout, "%-26s %-5s %-12s %-6s %-10s %s\n", name, language, version, model, role,
               state);
}

static struct json *lacks_json(uint64_t lacks)
{
    struct json *array = json_new("[]");
    for (int i = 0; i < n_extensions; i++)
        if (lacks >> i & 1)
            json_append(array, "s", extensions[i].name);
    return array;
}

static void add_row(struct testbed_rows *l, const struct testbed *t, const char *state,
                    const char *why)
{
    const char *role = t->reference ? "reference" : t->filter ? "filter" : "";
    if (l->json)
        json_append(l->array, "{s:s,s:s,s:s,s:s,s:s,s:s,s:b,s:s,s:s,s:o}", "name", t->name,
                    "toolchain", t->toolchain, "language", t->language, "version", t->version,
                    "path", t->path, "model", t->model, "reference", t->reference, "state", state,
                    "why", why, "lacks", lacks_json(t->lacks_extensions));
    else
        print_row(t->name, t->language, t->version, t->model, role,
                  *why       ? arena_printf(&l->arena, "%s: %s", state, why)
                  : *t->path ? arena_printf(&l->arena, "%-9s %s", state, t->path)
                             : state);
}

/* For people: a line below the first testbed of a compiler, and below one whose flags take away
 * more. */
static void print_lacks(struct testbed_rows *l, const struct testbed *t, bool first)
{
    bool news = first || t->lacks_extensions != l->asked.lacks_extensions;
    if (!l->json && t->lacks_extensions && news)
        text_print(stdout, "  %s has no %s\n", first ? t->compiler : t->name,
                   extensions_names(t->lacks_extensions, &l->arena));
}

static int list_testbed(struct testbed_rows *l, struct testbed *t, struct error *e)
{
    const char *why = "";
    if (!l->probe) {
        add_row(l, t, "installed", "");
        return 0;
    }
    int status = runner_probe(&l->runner, t, &l->arena, &why, e);
    bool first = !l->asked.compiler || strcmp(l->asked.compiler, t->compiler) != 0;
    if (status < 0 || (!status && extensions_ask(&l->runner, t, first ? NULL : &l->asked, &l->arena,
                                                 &t->lacks_extensions, e)))
        return -1;
    l->broken += status;
    add_row(l, t, status ? "broken" : "works", why);
    if (!status) {
        print_lacks(l, t, first);
        l->asked = *t;
    }
    fflush(stdout);
    return 0;
}

/* -- the flags of a compiler ------------------------------------------------------------------- */

static struct json *forms_json(const struct flag_forms *forms)
{
    struct json *array = json_new("[]");
    for (int i = 0; i < forms->n; i++)
        json_append(array, "s", forms->at[i]);
    return array;
}

static void print_forms(const char *title, const struct flag_forms *forms)
{
    text_print(stdout, "%s: %d\n", title, forms->n);
    for (int i = 0; i < forms->n; i++)
        text_print(stdout, "  %s\n", forms->at[i]);
}

static int list_flags(struct testbed_rows *l, const struct compiler *c, struct error *e)
{
    testbed_list all = {0};
    struct flag_space space;
    compiler_random_testbed(c, &l->arena, &all);
    int status = 0;
    if (all.n && testbed_selected(&all.at[0], l->flags)) {
        status = flag_space_list(c->toolchain, &all.at[0], &l->runner, &l->arena, &space, e);
        l->listed = true;
        if (!status && l->json) {
            json_append(l->array, "{s:s,s:s,s:o,s:o,s:o,s:o}", "testbed", all.at[0].name, "version",
                        c->version, "levels", forms_json(&space.levels), "switches",
                        forms_json(&space.switches), "params", forms_json(&space.params), "also",
                        forms_json(&space.also));
        } else if (!status) {
            text_print(stdout, "%s (%s)\n", all.at[0].name, c->version);
            print_forms("levels, one in each draw", &space.levels);
            print_forms("switches, some in each draw", &space.switches);
            print_forms("parameters, a few in every other draw", &space.params);
            print_forms("others, each in every fourth draw", &space.also);
        }
    }
    vec_release(&all);
    return status;
}

/* -- testbeds ---------------------------------------------------------------------------------- */

static int list_toolchain(struct testbed_rows *l, const struct toolchain *t, struct error *e)
{
    size_t first = l->compilers.n;
    toolchain_find(t, &l->arena, &l->compilers);
    for (size_t i = first; i < l->compilers.n; i++)
        if (compiler_ask(&l->compilers, i, &l->arena, e) ||
            (l->flags && list_flags(l, &l->compilers.at[i], e)))
            return -1;
    if (l->flags)
        return 0;
    if (l->compilers.n == first) {
        struct testbed missing = {.name = t->name,
                                  .toolchain = t->name,
                                  .language = t->language,
                                  .version = "",
                                  .path = "",
                                  .model = t->model,
                                  .reference = t->reference};
        add_row(l, &missing, "not installed", "");
    }
    int status = 0;
    testbed_list all = {0};
    for (size_t i = first; i < l->compilers.n; i++)
        compiler_testbeds(&l->compilers.at[i], l->all_flags, &l->arena, &all);
    for (size_t i = 0; i < all.n && !status; i++)
        status = list_testbed(l, &all.at[i], e);
    vec_release(&all);
    return status;
}

/* The compiler of --flags at a path that no toolchain looks at, as `assay run --testbeds` takes it.
 */
static int list_flags_at(struct testbed_rows *l, struct error *e)
{
    int at = toolchain_recognise(&l->toolchains, "c", l->flags, &l->arena, &l->compilers, e);
    if (at < 0 || compiler_ask(&l->compilers, (size_t)at, &l->arena, e))
        return -1;
    l->flags = l->compilers.at[at].path;
    return list_flags(l, &l->compilers.at[at], e);
}

static int list_all(struct testbed_rows *l, struct error *e)
{
    if (cli_data_check(&l->data, e) ||
        toolchains_read(l->data.testbed_dirs.at, (int)l->data.testbed_dirs.n, &l->arena,
                        &l->toolchains, e))
        return -1;
    if (runner_init(&l->runner, e))
        return -1;
    if (!l->json && !l->flags)
        print_row("testbed", "lang", "version", "model", "role", "state");
    int status = 0;
    for (size_t i = 0; i < l->toolchains.n && !status; i++)
        status = list_toolchain(l, &l->toolchains.at[i], e);
    if (!status && l->flags && !l->listed && strchr(l->flags, '/'))
        status = list_flags_at(l, e);
    runner_release(&l->runner);
    if (!status && l->flags && !l->listed)
        return error_set(e, ERROR_USAGE,
                         "--flags: '%s' is not an installed compiler whose flags can be randomised "
                         "(its toolchain needs a flag-level)",
                         l->flags);
    return status;
}

int cmd_testbeds(int argc, char **argv)
{
    struct testbed_rows l = {0};
    const char *dir = NULL;
    int rest, status;
    struct error e = {0};
    const struct option_spec specs[] = {
        FLAG(0, "probe", "compile and run a small program on each", &l.probe),
        FLAG(0, "all-flags", "also list the extra flag sets", &l.all_flags),
        TEXT(0, "flags", "NAME", "list the flags that `assay run --flags random` chooses from",
             &l.flags),
        CLI_TESTBED_DIR(&dir),
        FLAG(0, "json", "print JSON", &l.json),
    };
    if (!cli_parse(&command_testbeds, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    if (rest > 0)
        return cli_usage(&command_testbeds, "testbeds takes options only");
    if (dir && access(dir, R_OK)) {
        error_set(&e, ERROR_USAGE, "--testbed-dir: there is no folder %s", dir);
        return cli_fail(&e);
    }
    arena_init(&l.arena);
    cli_data_init(&l.data, dir);
    l.array = json_new("[]");
    if (l.probe && server_host(l.data.testbed_dirs.at, (int)l.data.testbed_dirs.n, NULL, &e))
        status = cli_fail(&e);
    else
        status = list_all(&l, &e) ? cli_fail(&e) : l.broken ? EXIT_ENVIRONMENT : EXIT_CLEAN;
    if (l.json && status != EXIT_USAGE) {
        json_print(l.array, false);
    } else {
        json_drop(l.array);
    }
    vec_release(&l.compilers);
    toolchains_release(&l.toolchains);
    cli_data_release(&l.data);
    arena_release(&l.arena);
    return status;
}
