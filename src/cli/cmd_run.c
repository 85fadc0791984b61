/* assay run: the main job. */
#include "base/fs.h"
#include "base/text.h"
#include "campaign/trust.h"
#include "cli/cli.h"
#include "testbed/server.h"

#include <inttypes.h>
#include <unistd.h>

/* The options that decide which campaign this is. Without any of them, `assay run` in a folder
 * goes on with the newest campaign there. */
struct selection {
    const char *generator;
    const char *flags; /* "default" or "random"; NULL: default */
    uint64_t seed;
    struct option_settings settings; /* of the generator, as given now */
    struct store_options options;    /* the rest, as the campaign has them; its `settings` are those
                                        of the generator, as recalled, until that is open */
};

struct run_options {
    struct selection what;
    const char *dir, *baseline;
    struct campaign_budget budget;
    int64_t cpu_ms;
    int64_t workers;
    bool json, plain, quiet, reduce, avoid_known, trust;
};

static struct run_options defaults(void)
{
    return (struct run_options){.dir = "."};
}

enum { N_OPTIONS = 22 };

static void make_specs(struct run_options *o, struct option_spec specs[N_OPTIONS])
{
    struct selection *w = &o->what;
    const struct option_spec list[N_OPTIONS] = {
        CLI_DIR(&o->dir),
        TEXT(
            'g', "generator", "NAME",
            "smith, yarp, ub, lala:lua, csmith, ... (assay gen --list), or a path (default: smith)",
            &w->generator),
        CLI_TESTBEDS(&w->options, &w->flags),
        {'s', "seed", OPTION_U64, "N", "first seed (default: random, recorded)", &w->seed,
         &w->options.seed_given},
        SHARE(0, "majority", "X", "share of the voters that makes a majority (default: 0.667)",
              &w->options.majority),
        CLI_SANDBOX(&w->options),
        DURATION(0, "time", "TIME", "stop after 20s, 5m, 8h, ...", &o->budget.ms),
        DURATION(0, "cpu", "TIME", "stop after this much CPU time, of all processes", &o->cpu_ms),
        INT('n', "tests", "N", "stop after N tests", &o->budget.tests),
        INT(0, "findings", "N", "stop after N findings", &o->budget.findings),
        FLAG(0, "reduce", "reduce findings between tests (see assay reduce)", &o->reduce),
        FLAG(0, "avoid-known",
             "in 3 of 4 programs, omit what known bugs need (see assay bugs mark)",
             &o->avoid_known),
        TEXT(0, "baseline", "FILE", "treat the bugs in FILE as known (see assay bugs export)",
             &o->baseline),
        INT('j', "workers", "N", "worker processes (default: one per core)", &o->workers),
        CLI_TRUST(&o->trust),
        FLAG(0, "json", "print the status as one JSON object per line", &o->json),
        FLAG(0, "plain", "print plain lines, even to a terminal", &o->plain),
        FLAG('q', "quiet", "print only errors", &o->quiet),
    };
    memcpy(specs, list, sizeof list);
}

static bool selects_nothing(const struct selection *s)
{
    return !s->generator && !s->flags && !s->settings.given.n && store_options_none(&s->options);
}

/* As the newest campaign of the folder has them. */
static int recall(struct run_options *o, struct arena *a, struct error *e)
{
    struct store *store;
    struct store_campaign *list;
    int n;
    char path[PATH_MAX];
    campaign_db_path(o->dir, path, sizeof path);
    if (!fs_exists(path))
        return 0;
    if (store_open(path, STORE_WRITE, &store, e))
        return -1;
    int status = store_campaigns(store, a, &list, &n, e);
    store_close(store);
    while (!status && n > 0 && list[n - 1].slipped_from) /* that is none to go on with */
        n--;
    if (status || n == 0)
        return status;
    o->what.generator = list[n - 1].generator;
    o->what.options = list[n - 1].options;
    o->what.seed = list[n - 1].first_seed;
    return 0;
}

static enum status_mode status_mode(const struct run_options *o)
{
    const char *term = getenv("TERM");
    if (o->json)
        return STATUS_JSON;
    if (o->quiet)
        return STATUS_NONE;
    bool live = isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") != 0 && !o->plain;
    return live ? STATUS_LIVE : STATUS_PLAIN;
}

static int check_options(const struct run_options *o, int rest)
{
    if (rest)
        return cli_usage(&command_run, "run takes options only");
    if (o->what.options.sandbox && o->what.options.no_sandbox)
        return cli_usage(&command_run, "--sandbox and --no-sandbox exclude each other");
    if (o->what.flags && strcmp(o->what.flags, "random") && strcmp(o->what.flags, "default"))
        return cli_usage(&command_run, "--flags: '%s' is neither default nor random",
                         o->what.flags);
    if (o->what.options.random_flags && o->what.options.all_flags)
        return cli_usage(&command_run, "--flags random and --all-flags exclude each other");
    if (o->workers > 1024)
        return cli_usage(&command_run, "--workers: at most 1024");
    return 0;
}

/* A case of a baseline may be run later (bugs recheck): it asks for no more than it may. */
static int refuse_flags(const struct baseline *b, const toolchain_list *toolchains, struct error *e)
{
    for (int i = 0; i < b->n; i++) {
        const struct baseline_entry *entry = &b->entries[i];
        const struct cli_foreign asked = {.what = "baseline",
                                          .path = b->path,
                                          .toolchain = entry->bug.toolchain,
                                          .flags = {entry->bug.flags, entry->flags_line},
                                          .needs = {entry->program.needs, entry->needs_line}};
        if (cli_refuse_flags(toolchains, &asked, e))
            return -1;
    }
    return 0;
}

/* Seeds of a finite generator are the numbers of its programs. */
static int check_seed(const struct generator *g, uint64_t seed, struct error *e)
{
    if (!g->total || seed < g->total)
        return 0;
    return error_set(e, ERROR_USAGE,
                     "--seed %" PRIu64 ": %s has %" PRIu64 " programs with these options, with "
                     "seeds from 0 to %" PRIu64,
                     seed, g->name, g->total, g->total - 1);
}

static int run_campaign(struct run_options *o, struct arena *a, struct error *e)
{
    struct selection *w = &o->what;
    struct store_options *options = &w->options;
    if (selects_nothing(w) && recall(o, a, e))
        return -1;
    if (!w->generator)
        w->generator = CLI_DEFAULT_GENERATOR;
    /* Paths are recorded in full: the campaign may go on from another folder. */
    char generator_path[PATH_MAX], testbed_path[PATH_MAX];
    if (strchr(w->generator, '/') && realpath(w->generator, generator_path))
        w->generator = generator_path;
    if (options->testbed_dir && !realpath(options->testbed_dir, testbed_path))
        return error_set(e, ERROR_USAGE, "--testbed-dir: there is no folder %s",
                         options->testbed_dir);
    if (options->testbed_dir)
        options->testbed_dir = testbed_path;

    struct baseline baseline = {0};
    struct cli_data data;
    struct cli_testbeds testbeds = {0};
    struct generator *generator = NULL;
    struct campaign_summary summary = {0};
    cli_data_init(&data, options->testbed_dir);
    struct gen_context context = cli_gen_context(&data, &w->settings);
    context.config = options->settings;
    int status = o->baseline ? baseline_read(o->baseline, a, &baseline, e) : 0;
    if (!status)
        status = gen_open(w->generator, &context, &generator, e);
    if (!status)
        status = gen_ready(generator, e);
    if (!status && options->seed_given)
        status = check_seed(generator, (uint64_t)w->seed, e);
    if (!status) {
        /* For the workers: just this generator again, even when a file of settings has changed. */
        context.config = options->settings = generator->config;
        context.n_settings = 0;
        status =
            server_host(data.testbed_dirs.at, (int)data.testbed_dirs.n, generator->language, e);
    }
    if (!status) {
        enum cli_flags flags = options->random_flags ? CLI_FLAGS_RANDOM
                               : options->all_flags  ? CLI_FLAGS_ALL
                                                     : CLI_FLAGS_DEFAULT;
        status = cli_testbeds_find(&testbeds, &data, generator->language, options->testbeds, flags,
                                   o->quiet || o->json, e);
    }
    if (!status)
        status = refuse_flags(&baseline, &testbeds.toolchains, e);
    if (!status) {
        cli_testbeds_contents(&testbeds);
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        struct campaign_config config = {
            .dir = o->dir,
            .generator = w->generator,
            .gen = context,
            .options = *options,
            .first_seed = options->seed_given ? w->seed
                          : generator->total  ? 0 /* all of them, in order */
                                              : cli_draw_seed(),
            .test = {.testbeds = testbeds.list.at,
                     .n_testbeds = (int)testbeds.list.n,
                     .oracle = oracle_defaults,
                     .sandbox_all = options->sandbox,
                     .sandbox_none = options->no_sandbox},
            .tries = 3,
            .workers = o->workers  ? (int)o->workers
                       : cores > 0 ? (int)cores
                                   : 1,
            .budget = o->budget,
            .status = status_mode(o),
            .colour = cli_colour(),
            .reduce = o->reduce,
            .avoid_known = o->avoid_known,
            .baseline = &baseline,
        };
        if (options->majority > 0)
            config.test.oracle.majority = options->majority;
        if (generator->note && !o->quiet && !o->json)
            text_print(stdout, "%s: %s\n", generator->name, generator->note);
        status = campaign_run(&config, &summary, e);
        /* Of a finite space all may have been tested before. */
        if (!status && !summary.tests && !summary.interrupted && !generator->total)
            status =
                error_set(e, ERROR_ENVIRONMENT, "no test was run: is the budget of %s too small?",
                          o->budget.cpu_us ? "CPU time"
                          : o->budget.ms   ? "time"
                                           : "tests");
        else if (!status && summary.in_vain && !summary.interrupted && !summary.new_findings)
            status =
                error_set(e, ERROR_ENVIRONMENT,
                          "nothing was tested: in %lld test%s no program came to a compiler; "
                          "`assay show incidents%s%s` says why",
                          (long long)summary.in_vain, summary.in_vain == 1 ? "" : "s",
                          strcmp(o->dir, ".") ? " --dir " : "", strcmp(o->dir, ".") ? o->dir : "");
    }
    gen_close(generator);
    cli_testbeds_release(&testbeds);
    cli_data_release(&data);
    return status ? -1 : summary.new_findings ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int run_in_folder(struct run_options *o, struct arena *a)
{
    struct campaign_folder folder;
    struct error e = {0};
    int status = campaign_need_trust(o->dir, o->trust, &e);
    if (status)
        return cli_fail(&e);
    status = campaign_enter(o->dir, &folder, &e);
    if (!status)
        status = run_campaign(o, a, &e);
    campaign_leave(&folder);
    return status < 0 ? cli_fail(&e) : status;
}

int cmd_run(int argc, char **argv)
{
    struct run_options o = defaults();
    struct option_spec specs[N_OPTIONS];
    struct arena a;
    int rest, status;
    arena_init(&a);
    make_specs(&o, specs);
    cli_settings_init(&o.what.settings, &a, &o.what.generator);
    if (cli_parse_settings(&command_run, specs, N_OPTIONS, &o.what.settings, argc, argv, &rest,
                           &status)) {
        o.what.options.random_flags = o.what.flags && !strcmp(o.what.flags, "random");
        o.budget.cpu_us = o.cpu_ms * 1000;
        status = check_options(&o, rest);
        if (!status)
            status = run_in_folder(&o, &a);
    }
    cli_settings_release(&o.what.settings);
    arena_release(&a);
    return status;
}
