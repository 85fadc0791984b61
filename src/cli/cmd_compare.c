/* assay compare: an experiment as a command.
 *
 *     open the sides          a generator and its settings each; what is wrong is told at once
 *     find the testbeds       the same for all sides
 *     check what is there     the folder goes on with the same settings, or not at all
 *     run the trials          trial 1 of each side, trial 2 of each side, ...: what else the
 * machine does meets all sides alike sum up, write, print    report/compare.h
 *
 * A trial is a campaign with a budget of CPU time, and resumes as any campaign does. Its seeds
 * depend on its number alone. It is over when its first round is: what anybody does in its folder
 * later comes behind the budget, and is not counted. */
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "campaign/trust.h"
#include "cli/cli.h"
#include "cli/system.h"
#include "report/compare.h"
#include "testbed/server.h"

#include <inttypes.h>
#include <unistd.h>

/* Seeds of a trial. A hundred trials, begun with one of 30 bits, stay below 2^31. */
enum { SEEDS = 10000000 };

struct compare_options {
    const char *sides[COMPARE_SIDES]; /* NULL: not given */
    const char *dir, *flags;
    struct store_options options;
    int64_t cpu_ms, trials, workers;
    uint64_t seed;
    bool json, reduce, trust;
};

struct side {
    const char *generator; /* a name, or a path in full */
    struct option_settings settings;
    struct gen_context context; /* just this generator again */
    struct generator *open;
};

struct experiment {
    struct compare_options *o;
    struct arena arena;
    struct cli_data data;
    struct cli_testbeds testbeds;
    struct side sides[COMPARE_SIDES];
    struct compare_data d; /* with its sides in the same order */
    const volatile int *stop;
};

enum { N_OPTIONS = COMPARE_SIDES + 14 };

static void make_specs(struct compare_options *o, struct option_spec specs[N_OPTIONS])
{
    static const char *const letters[COMPARE_SIDES] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    for (int i = 0; i < COMPARE_SIDES; i++)
        specs[i] = (struct option_spec)TEXT(
            0, letters[i], "SIDE", i ? "another side" : "a side: a generator with its options",
            &o->sides[i]);
    const struct option_spec list[N_OPTIONS - COMPARE_SIDES] = {
        TEXT('d', "dir", "DIR", "folder of the experiment (default: compare)", &o->dir),
        DURATION(0, "cpu", "TIME", "CPU time of each trial: 30m, 8h, ...", &o->cpu_ms),
        INT(0, "trials", "N", "trials of each side (default: 10)", &o->trials),
        CLI_TESTBEDS(&o->options, &o->flags),
        CLI_SANDBOX(&o->options),
        {'s', "seed", OPTION_U64, "N", "first seed of the first trials (default: random)", &o->seed,
         &o->options.seed_given},
        INT('j', "workers", "N", "worker processes (default: one per core)", &o->workers),
        FLAG(0, "reduce", "reduce findings after each trial, outside the CPU time", &o->reduce),
        CLI_TRUST(&o->trust),
        FLAG(0, "json", "print all numbers as JSON", &o->json),
    };
    memcpy(specs + COMPARE_SIDES, list, sizeof list);
}

static int check_options(const struct compare_options *o, int rest)
{
    int n = 0;
    for (int i = 0; i < COMPARE_SIDES; i++)
        n += o->sides[i] != NULL;
    if (rest)
        return cli_usage(&command_compare, "compare takes options only");
    if (n < 2)
        return cli_usage(&command_compare, "compare needs two sides, --a and --b");
    if (!o->cpu_ms)
        return cli_usage(&command_compare,
                         "--cpu is missing: the CPU time of each trial, such as --cpu 30m");
    if (o->trials > COMPARE_TRIALS)
        return cli_usage(&command_compare, "--trials: at most %d", COMPARE_TRIALS);
    if (o->workers > 1024)
        return cli_usage(&command_compare, "--workers: at most 1024");
    if (o->options.sandbox && o->options.no_sandbox)
        return cli_usage(&command_compare, "--sandbox and --no-sandbox exclude each other");
    if (o->flags && strcmp(o->flags, "random") && strcmp(o->flags, "default"))
        return cli_usage(&command_compare, "--flags: '%s' is neither default nor random", o->flags);
    if (o->options.random_flags && o->options.all_flags)
        return cli_usage(&command_compare, "--flags random and --all-flags exclude each other");
    return 0;
}

/* -- sides ------------------------------------------------------------------------------------- */

/* The generator and its settings in the words of a side; how they are written again in *text. */
static int parse_side(struct side *s, const char *given, struct arena *a, const char **text,
                      struct error *e)
{
    char **words;
    bool help;
    struct strbuf again;
    int n = text_split(a, given, &words);
    if (n < 0)
        return error_set(e, ERROR_USAGE, "a quote is not closed in '%s'", given);
    strbuf_init(&again, 0);
    char **argv = arena_array(a, char *, n + 2);
    argv[0] = "side";
    for (int i = 0; i < n; i++) {
        argv[i + 1] = words[i];
        strbuf_adds(&again, i ? " " : "");
        text_quote(&again, words[i]);
    }
    *text = strbuf_keep(&again, a);
    cli_settings_init(&s->settings, a, NULL);
    int rest = options_parse(NULL, 0, &s->settings, n + 1, argv, &help, e);
    if (rest < 0)
        return -1;
    if (rest != 1 || help)
        return error_set(e, ERROR_USAGE,
                         "'%s' is not a generator and its settings, such as 'smith --goto=0': "
                         "`assay gen --list` has the generators",
                         given);
    s->generator = argv[0];
    return 0;
}

static int open_side(struct experiment *x, struct side *s, struct compare_side *told,
                     const char *given, struct error *e)
{
    char path[PATH_MAX];
    if (parse_side(s, given, &x->arena, &told->text, e))
        return -1;
    /* Paths are recorded in full: the campaign may go on from another folder. */
    if (strchr(s->generator, '/') && realpath(s->generator, path))
        s->generator = arena_strdup(&x->arena, path);
    s->context = cli_gen_context(&x->data, &s->settings);
    if (gen_open(s->generator, &s->context, &s->open, e) || gen_ready(s->open, e))
        return -1;
    const struct generator *g = s->open;
    if (strcmp(g->language, x->sides[0].open->language))
        return error_set(e, ERROR_USAGE,
                         "%s makes programs in %s, and those of --%c are in %s: sides are compared "
                         "on the same testbeds",
                         g->name, g->language, x->d.sides[0].letter, x->sides[0].open->language);
    if (g->total && g->total < (uint64_t)x->d.n_trials)
        return error_set(e, ERROR_USAGE, "there are only %" PRIu64 " programs for %d trials",
                         g->total, x->d.n_trials);
    s->context.config = g->config;
    s->context.n_settings = 0;
    told->made_by = arena_printf(&x->arena, "%s %s%s%s", g->name, g->version,
                                 *g->config ? " with " : "", g->config);
    return 0;
}

/* Whose words were wrong is told. */
static int open_sides(struct experiment *x, struct error *e)
{
    x->d.sides = arena_array(&x->arena, struct compare_side, COMPARE_SIDES);
    for (int i = 0; i < COMPARE_SIDES; i++) {
        struct error why = {0};
        char text[1200];
        if (!x->o->sides[i])
            continue;
        int at = x->d.n_sides++;
        x->d.sides[at].letter = (char)('a' + i);
        x->d.sides[at].trials = arena_array(&x->arena, struct compare_trial, x->d.n_trials);
        if (open_side(x, &x->sides[at], &x->d.sides[at], x->o->sides[i], &why))
            return error_set(e, why.kind, "--%c: %s", 'a' + i, error_text(&why, text, sizeof text));
    }
    return 0;
}

/* -- testbeds and machine ---------------------------------------------------------------------- */

static int find_testbeds(struct experiment *x, struct error *e)
{
    const struct store_options *o = &x->o->options;
    enum cli_flags flags = o->random_flags ? CLI_FLAGS_RANDOM
                           : o->all_flags  ? CLI_FLAGS_ALL
                                           : CLI_FLAGS_DEFAULT;
    const char *language = x->sides[0].open->language;
    if (server_host(x->data.testbed_dirs.at, (int)x->data.testbed_dirs.n, language, e) ||
        cli_testbeds_find(&x->testbeds, &x->data, language, o->testbeds, flags, x->o->json, e))
        return -1;
    cli_testbeds_contents(&x->testbeds);
    x->d.n_testbeds = (int)x->testbeds.list.n;
    x->d.testbeds = arena_array(&x->arena, struct compare_testbed, x->d.n_testbeds);
    for (int i = 0; i < x->d.n_testbeds; i++)
        x->d.testbeds[i] =
            (struct compare_testbed){x->testbeds.list.at[i].name, x->testbeds.list.at[i].version};
    return 0;
}

static const char *machine(struct arena *a)
{
    const struct report_system s = cli_system(a);
    return arena_printf(a, "%s%s%s", s.processor ? s.processor : "", s.processor ? ", " : "",
                        s.kernel ? s.kernel : "");
}

/* -- what the experiment is -------------------------------------------------------------------- */

/* All that its numbers depend on, as lines `name TAB value` in DIR/compare.settings. */
struct fact {
    const char *name, *value;
};
typedef VEC(struct fact) fact_list;

static void add_fact(fact_list *l, struct arena *a, const char *name, const char *value)
{
    char *line = arena_strdup(a, value);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    vec_push(l, (struct fact){name, line});
}

static const char *value_of(const fact_list *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++)
        if (!strcmp(l->at[i].name, name))
            return l->at[i].value;
    return NULL;
}

static void list_facts(struct experiment *x, fact_list *l)
{
    const struct compare_options *o = x->o;
    struct arena *a = &x->arena;
    for (int i = 0; i < x->d.n_sides; i++) {
        const struct compare_side *s = &x->d.sides[i];
        add_fact(l, a, arena_printf(a, "--%c", s->letter), s->text);
        add_fact(l, a, arena_printf(a, "the generator of --%c", s->letter), s->made_by);
    }
    add_fact(l, a, "--cpu", arena_printf(a, "%.10gs", x->d.cpu_s));
    add_fact(l, a, "--trials", arena_printf(a, "%d", x->d.n_trials));
    add_fact(l, a, "--seed", arena_printf(a, "%" PRIu64, x->d.seed));
    add_fact(l, a, "--reduce", o->reduce ? "yes" : "no");
    add_fact(l, a, "--flags", o->options.random_flags ? "random" : "default");
    add_fact(l, a, "--all-flags", o->options.all_flags ? "yes" : "no");
    add_fact(l, a, "--sandbox", o->options.sandbox ? "yes" : "no");
    add_fact(l, a, "--no-sandbox", o->options.no_sandbox ? "yes" : "no");
    add_fact(l, a, "--testbeds", o->options.testbeds ? o->options.testbeds : "all that work");
    for (size_t i = 0; i < x->testbeds.list.n; i++) {
        const struct testbed *t = &x->testbeds.list.at[i];
        add_fact(l, a, arena_printf(a, "testbed %s", t->name),
                 arena_printf(a, "%s %s", t->version, t->content));
    }
    const char *processor = cli_system(a).processor;
    add_fact(l, a, "the processor", processor ? processor : "");
}

/* 1: there is no such file, the experiment is new. */
static int read_facts(const char *path, struct arena *a, fact_list *l, struct error *e)
{
    struct strbuf text;
    if (!fs_exists(path))
        return 1;
    strbuf_init(&text, 0);
    int status = fs_read(path, &text, e);
    char *all = strbuf_keep(&text, a);
    for (char *line = all, *next; !status && *line; line = next) {
        size_t n = strcspn(line, "\n");
        next = line + n + (line[n] == '\n');
        line[n] = '\0';
        char *tab = strchr(line, '\t');
        if (!tab)
            return error_at(e, ERROR_ENVIRONMENT, path, 0,
                            "was not written by `assay compare`: use another --dir");
        *tab = '\0';
        vec_push(l, (struct fact){line, tab + 1});
    }
    return status;
}

static int write_facts(const char *path, const fact_list *l, struct error *e)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    for (size_t i = 0; i < l->n; i++)
        strbuf_addf(&text, "%s\t%s\n", l->at[i].name, l->at[i].value);
    int status = fs_write(path, text.s, text.n, e);
    strbuf_release(&text);
    return status;
}

static int same_facts(const char *path, const fact_list *was, const fact_list *is, struct error *e)
{
    static const char what_to_do[] =
        "the same settings resume it, other settings need another --dir";
    for (size_t i = 0; i < is->n; i++) {
        const char *before = value_of(was, is->at[i].name);
        if (!before)
            return error_at(e, ERROR_USAGE, path, 0,
                            "the experiment was started without %s, which is '%s' now: %s",
                            is->at[i].name, is->at[i].value, what_to_do);
        if (strcmp(before, is->at[i].value))
            return error_at(e, ERROR_USAGE, path, 0,
                            "%s was '%s' when the experiment was started, and is '%s' now: %s",
                            is->at[i].name, before, is->at[i].value, what_to_do);
    }
    for (size_t i = 0; i < was->n; i++)
        if (!value_of(is, was->at[i].name))
            return error_at(e, ERROR_USAGE, path, 0,
                            "%s was '%s' when the experiment was started, and is missing now: %s",
                            was->at[i].name, was->at[i].value, what_to_do);
    return 0;
}

/* A new experiment is noted, one that is there must be the same. */
static int check_facts(struct experiment *x, struct error *e)
{
    fact_list was = {0}, is = {0};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/compare.settings", x->o->dir);
    int status = read_facts(path, &x->arena, &was, e);
    const char *seed = value_of(&was, "--seed");
    if (x->o->options.seed_given)
        x->d.seed = x->o->seed;
    else if (!seed || !text_parse_u64(seed, &x->d.seed))
        x->d.seed = cli_draw_seed() >> 1 | 1; /* 30 bits, not 0 */
    list_facts(x, &is);
    if (status > 0)
        status = write_facts(path, &is, e);
    else if (!status)
        status = same_facts(path, &was, &is, e);
    vec_release(&was);
    vec_release(&is);
    return status;
}

/* -- trials ------------------------------------------------------------------------------------ */

struct place { /* of one trial */
    int side, trial;
    char dir[PATH_MAX];
    uint64_t first_seed;
    int64_t most_tests;
};

/* A generator with an end is cut into as many slices as there are trials. */
static struct place place_of(const struct experiment *x, int side, int trial)
{
    struct place p = {.side = side, .trial = trial};
    uint64_t slice = x->sides[side].open->total / (uint64_t)x->d.n_trials;
    snprintf(p.dir, sizeof p.dir, "%s/%c-%02d", x->o->dir, x->d.sides[side].letter, trial + 1);
    p.first_seed = slice ? slice * (uint64_t)trial : x->d.seed + SEEDS * (uint64_t)trial;
    p.most_tests = slice && slice < SEEDS ? (int64_t)slice : SEEDS;
    return p;
}

static struct campaign_config config_of(const struct experiment *x, const struct place *p)
{
    const struct side *s = &x->sides[p->side];
    const struct compare_options *o = x->o;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    struct campaign_config c = {
        .dir = p->dir,
        .generator = s->generator,
        .gen = s->context,
        .options = o->options,
        .first_seed = p->first_seed,
        .test = {.testbeds = x->testbeds.list.at,
                 .n_testbeds = (int)x->testbeds.list.n,
                 .oracle = oracle_defaults,
                 .sandbox_all = o->options.sandbox,
                 .sandbox_none = o->options.no_sandbox},
        .tries = 3,
        .workers = o->workers  ? (int)o->workers
                   : cores > 0 ? (int)cores
                               : 1,
        .budget = {.cpu_us = o->cpu_ms * 1000, .tests = p->most_tests},
        .status = STATUS_NONE,
        .reduce = o->reduce,
        .stop = x->stop,
        .own_before_us = own_cpu_us(),
    };
    c.options.seed_given = true;
    c.options.settings = s->open->config;
    return c;
}

/* What the trial has done, if it is over. */
static int load_trial(struct experiment *x, const struct place *p, bool *over, struct error *e)
{
    char path[PATH_MAX];
    struct store *store;
    struct store_campaign *list;
    int n = 0, status = 0;
    *over = false;
    campaign_db_path(p->dir, path, sizeof path);
    if (!fs_exists(path))
        return 0;
    if (store_open(path, STORE_WRITE, &store, e)) /* who was killed early has left an empty one */
        return -1;
    if (store_campaigns(store, &x->arena, &list, &n, e))
        status = -1;
    for (int i = 0; i < n && !status && !*over; i++) {
        const struct store_campaign *c = &list[i];
        *over = c->first_seed == p->first_seed && c->round_elapsed_ms > 0 && !c->slipped_from &&
                !strcmp(c->generator, x->sides[p->side].generator);
        if (*over)
            status = compare_load(store, c, x->o->cpu_ms * 1000, &x->arena,
                                  &x->d.sides[p->side].trials[p->trial], e);
    }
    store_close(store);
    return status;
}

static void tell_trial(const struct experiment *x, const struct place *p)
{
    const struct compare_side *s = &x->d.sides[p->side];
    const int64_t *end = s->trials[p->trial].at[COMPARE_STEPS];
    FILE *to = x->o->json ? stderr : stdout;
    text_print(to, "trial %d of %d, %c (%s): %" PRId64 " test%s, %" PRId64 " bug%s\n", p->trial + 1,
               x->d.n_trials, s->letter, x->sides[p->side].open->name, end[COMPARE_TESTS],
               end[COMPARE_TESTS] == 1 ? "" : "s", end[COMPARE_BUGS],
               end[COMPARE_BUGS] == 1 ? "" : "s");
    fflush(to);
}

static int run_campaign(struct experiment *x, const struct place *p, bool *interrupted,
                        struct error *e)
{
    struct campaign_folder folder;
    struct campaign_summary summary = {0};
    int status = campaign_enter(p->dir, &folder, e);
    if (!status) {
        struct campaign_config config = config_of(x, p);
        status = campaign_run(&config, &summary, e);
        cli_heed_signals(); /* the campaign had handlers of its own */
    }
    campaign_leave(&folder);
    *interrupted = summary.interrupted;
    return status;
}

/* 1: it was interrupted. */
static int run_trial(struct experiment *x, const struct place *p, struct error *e)
{
    bool over, interrupted = false;
    if (campaign_need_trust(p->dir, x->o->trust, e) || load_trial(x, p, &over, e))
        return -1;
    if (!over && (run_campaign(x, p, &interrupted, e) || load_trial(x, p, &over, e)))
        return -1;
    if (interrupted || !over)
        return 1;
    tell_trial(x, p);
    if (!x->d.sides[p->side].trials[p->trial].at[COMPARE_STEPS][COMPARE_TESTS])
        return error_at(e, ERROR_ENVIRONMENT, p->dir, 0,
                        "no test of --%c finished within %.10gs of CPU time: is --cpu too small? "
                        "`assay show incidents` lists generators that fail",
                        x->d.sides[p->side].letter, x->d.cpu_s);
    return 0;
}

static int run_trials(struct experiment *x, struct error *e)
{
    x->stop = cli_heed_signals();
    for (int t = 0; t < x->d.n_trials; t++) {
        for (int s = 0; s < x->d.n_sides; s++) {
            const struct place p = place_of(x, s, t);
            int status = *x->stop ? 1 : run_trial(x, &p, e);
            if (status > 0)
                return error_set(e, ERROR_ENVIRONMENT,
                                 "stopped in trial %d of %d, %c: the same command resumes", t + 1,
                                 x->d.n_trials, x->d.sides[s].letter);
            if (status)
                return -1;
        }
    }
    return 0;
}

/* -- results ----------------------------------------------------------------------------------- */

static int write_file(const struct experiment *x, const char *name,
                      void (*write)(const struct compare_data *, struct strbuf *), struct error *e)
{
    char path[PATH_MAX];
    struct strbuf text;
    snprintf(path, sizeof path, "%s/%s", x->o->dir, name);
    strbuf_init(&text, 0);
    write(&x->d, &text);
    int status = fs_write(path, text.s, text.n, e);
    strbuf_release(&text);
    return status;
}

static int tell_all(struct experiment *x, struct error *e)
{
    compare_sum_up(&x->d, &x->arena);
    if (write_file(x, "compare.csv", compare_csv, e) ||
        write_file(x, "compare.html", compare_html, e))
        return -1;
    if (x->o->json) {
        json_print(compare_json(&x->d), false);
        return 0;
    }
    struct strbuf text;
    strbuf_init(&text, 0);
    compare_text(&x->d, &text);
    text_print(stdout, "\n%s\nmore: %s/compare.html, %s/compare.csv\n", text.s, x->o->dir,
               x->o->dir);
    strbuf_release(&text);
    return 0;
}

/* -- the whole --------------------------------------------------------------------------------- */

static int run_experiment(struct experiment *x, struct error *e)
{
    struct campaign_folder folder = {.lock = -1};
    char path[PATH_MAX];
    struct store_options *o = &x->o->options;
    if (o->testbed_dir && !realpath(o->testbed_dir, path))
        return error_set(e, ERROR_USAGE, "--testbed-dir: there is no folder %s", o->testbed_dir);
    if (o->testbed_dir)
        o->testbed_dir = arena_strdup(&x->arena, path);
    cli_data_init(&x->data, o->testbed_dir);
    int status = open_sides(x, e);
    if (!status) {
        status = campaign_enter(x->o->dir, &folder, e) || find_testbeds(x, e) ||
                         check_facts(x, e) || run_trials(x, e) || tell_all(x, e)
                     ? -1
                     : 0;
        campaign_leave(&folder);
    }
    for (int i = 0; i < x->d.n_sides; i++) {
        gen_close(x->sides[i].open);
        cli_settings_release(&x->sides[i].settings);
        for (int t = 0; t < x->d.n_trials; t++)
            vec_release(&x->d.sides[i].trials[t].signatures);
    }
    cli_testbeds_release(&x->testbeds);
    cli_data_release(&x->data);
    return status;
}

int cmd_compare(int argc, char **argv)
{
    struct compare_options o = {.dir = "compare", .trials = 10};
    struct option_spec specs[N_OPTIONS];
    int rest, status;
    make_specs(&o, specs);
    if (!cli_parse(&command_compare, specs, N_OPTIONS, argc, argv, &rest, &status))
        return status;
    o.options.random_flags = o.flags && !strcmp(o.flags, "random");
    status = check_options(&o, rest);
    if (status)
        return status;
    struct experiment x = {.o = &o};
    struct error e = {0};
    arena_init(&x.arena);
    x.d.n_trials = (int)o.trials;
    x.d.cpu_s = (double)o.cpu_ms / 1000;
    x.d.reduced = o.reduce;
    x.d.machine = machine(&x.arena);
    status = run_experiment(&x, &e);
    arena_release(&x.arena);
    return status ? cli_fail(&e) : EXIT_CLEAN;
}
