#include "cli/cli.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "testbed/server.h"

#include <signal.h>
#include <stdarg.h>
#include <unistd.h>

int cli_fail(const struct error *e)
{
    char text[1200];
    text_print(stderr, "assay: %s\n", error_text(e, text, sizeof text));
    return e->kind == ERROR_USAGE ? EXIT_USAGE : EXIT_ENVIRONMENT;
}

int cli_usage(const struct command *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("assay: ", stderr);
    text_vprint(stderr, format, args);
    text_print(stderr, "\nusage: %s   (assay %s --help)\n", c->usage, c->name);
    va_end(args);
    return EXIT_USAGE;
}

int cli_unknown_action(const struct command *c, const char *word, const char *const *names,
                       size_t n)
{
    const char *near = text_nearest(word, names, n);
    return cli_usage(c, "%s cannot '%s'%s%s%s", c->name, word, near ? ": did you mean '" : "",
                     near ? near : "", near ? "'?" : "");
}

bool cli_parse(const struct command *c, const struct option_spec *specs, size_t n, int argc,
               char **argv, int *rest, int *status)
{
    return cli_parse_settings(c, specs, n, NULL, argc, argv, rest, status);
}

bool cli_parse_settings(const struct command *c, const struct option_spec *specs, size_t n,
                        struct option_settings *settings, int argc, char **argv, int *rest,
                        int *status)
{
    struct error e = {0};
    bool help;
    *rest = options_parse(specs, n, settings, argc, argv, &help, &e);
    if (help) {
        options_print_help(c, specs, n);
        *status = EXIT_CLEAN;
        return false;
    }
    if (*rest < 0)
        *status = cli_usage(c, "%s", e.message);
    return *rest >= 0;
}

struct json *cli_blame_json(const struct store_blame *b)
{
    if (!b)
        return json_new("n");
    return json_new("{s:s,s:s,s:s,s:s}", "pass", b->pass, "detail", b->detail, "first_bad",
                    b->first_bad, "last_good", b->last_good);
}

/* -- settings of generators -------------------------------------------------------------------- */

/* Only of the generator that is meant: a hint is an option that it has. */
static const char *setting_names(const struct option_settings *s, char *const *words, int n,
                                 string_list *out)
{
    const char *generator = !s->generator   ? NULL
                            : *s->generator ? *s->generator
                                            : CLI_DEFAULT_GENERATOR;
    for (int i = 0; i < n && !s->generator && !generator; i++)
        generator = gen_settings(words[i]) ? words[i] : NULL;
    const struct settings *t = generator ? gen_settings(generator) : NULL;
    if (t)
        settings_names(t, s->arena, out);
    return t ? generator : NULL;
}

void cli_settings_init(struct option_settings *s, struct arena *a, const char *const *generator)
{
    *s = (struct option_settings){
        .takes_value = gen_takes_value, .names = setting_names, .generator = generator, .arena = a};
}

void cli_settings_release(struct option_settings *s)
{
    vec_release(&s->given);
}

/* -- data files -------------------------------------------------------------------------------- */

static void add_base(struct cli_data *d, const char *base)
{
    const char *testbeds = arena_printf(&d->arena, "%s/testbeds", base);
    const char *generators = arena_printf(&d->arena, "%s/generators", base);
    if (fs_is_dir(testbeds))
        vec_push(&d->testbed_dirs, testbeds);
    /* specs/, languages/ and models/ are looked for beside it, whether or not it is there itself */
    if (fs_is_dir(base))
        vec_push(&d->generator_dirs, generators);
}

void cli_data_init(struct cli_data *d, const char *extra_testbed_dir)
{
    char exe[PATH_MAX] = "";
    *d = (struct cli_data){0};
    arena_init(&d->arena);
    if (!fs_own_folder(exe, sizeof exe))
        exe[0] = '\0';
    /* Installed: PREFIX/bin/assay and PREFIX/share/assay. Built: SOURCE/build/assay. */
    const char *installed = arena_printf(&d->arena, "%s/../share/assay", exe);
    add_base(d, fs_is_dir(installed) ? installed : arena_printf(&d->arena, "%s/..", exe));
    const char *data = getenv("ASSAY_DATA"), *config = getenv("XDG_CONFIG_HOME"),
               *home = getenv("HOME");
    if (data && *data)
        add_base(d, data);
    if (config && *config)
        add_base(d, arena_printf(&d->arena, "%s/assay", config));
    else if (home)
        add_base(d, arena_printf(&d->arena, "%s/.config/assay", home));
    if (extra_testbed_dir)
        vec_push(&d->testbed_dirs, extra_testbed_dir);
}

void cli_data_release(struct cli_data *d)
{
    vec_release(&d->testbed_dirs);
    vec_release(&d->generator_dirs);
    arena_release(&d->arena);
}

/* One line on a terminal, gone at the end. */
static void show_progress(int done, int all)
{
    if (!isatty(STDERR_FILENO))
        return;
    if (done == all)
        fputs("\r\033[K", stderr);
    else if (done % 16 == 0)
        text_print(stderr, "\rcounting: %d of %d files", done, all);
    fflush(stderr);
}

struct gen_context cli_gen_context(const struct cli_data *d, const struct option_settings *settings)
{
    return (struct gen_context){.progress = show_progress,
                                .dirs = d->generator_dirs.at,
                                .n_dirs = (int)d->generator_dirs.n,
                                .settings = settings ? settings->given.at : NULL,
                                .n_settings = settings ? (int)settings->given.n : 0};
}

/* -- testbeds ---------------------------------------------------------------------------------- */

static bool wanted(const struct testbed *t, bool by_default, char *const *selectors, int n,
                   bool *used)
{
    if (n == 0)
        return by_default;
    if (!strcmp(selectors[0], "*"))
        return used[0] = true;
    bool any = false;
    for (int i = 0; i < n; i++) {
        if (testbed_selected(t, selectors[i])) {
            used[i] = true;
            any = true;
        }
    }
    return any;
}

static int unused_selector(const struct cli_testbeds *t, const char *selector, const char *language,
                           struct error *e)
{
    string_list names = {0};
    for (size_t i = 0; i < t->toolchains.n; i++)
        vec_push(&names, t->toolchains.at[i].name);
    size_t n = strcspn(selector, ":");
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)n, selector);
    const char *near = text_nearest(name, names.at, names.n);
    vec_release(&names);
    for (size_t i = 0; i < t->compilers.n; i++) {
        const struct compiler *c = &t->compilers.at[i];
        if (!strcmp(c->toolchain->name, name) || !strcmp(c->name, name))
            return error_set(
                e, ERROR_USAGE,
                "testbed '%s': no such flag set for %s programs (see `assay testbeds`)", selector,
                language);
    }
    if (near && !strcmp(near, name))
        return error_set(e, ERROR_ENVIRONMENT, "%s is not installed (see `assay testbeds`)", name);
    if (near)
        return error_set(e, ERROR_USAGE, "there is no testbed '%s': did you mean '%s'?", name,
                         near);
    return error_set(e, ERROR_USAGE, "there is no testbed '%s': `assay testbeds` lists them", name);
}

struct selectors {
    char **at;
    int n;
    bool *used;
};

/* Was it asked for by its full name, "gcc-12:-O3"? */
static bool named(const struct testbed *t, const struct selectors *s)
{
    for (int i = 0; i < s->n; i++)
        if (strchr(s->at[i], ':') && testbed_selected(t, s->at[i]))
            return true;
    return false;
}

/* Those of one compiler. An extra flag set is used when all are asked for, or by its full name.
 * With random flags the first set is enough: it is there to compare with. */
static void collect_compiler(struct cli_testbeds *t, const struct compiler *c,
                             const struct selectors *s, enum cli_flags flags)
{
    const struct toolchain *tc = c->toolchain;
    testbed_list all = {0};
    bool every = s->n && !strcmp(s->at[0], "*");
    bool random = every || flags == CLI_FLAGS_RANDOM;
    compiler_testbeds(c, flags == CLI_FLAGS_ALL || s->n, &t->arena, &all);
    size_t before = t->list.n;
    for (size_t k = 0; k < all.n; k++) {
        bool extra = k >= tc->flags.n && flags != CLI_FLAGS_ALL;
        bool second = flags == CLI_FLAGS_RANDOM && tc->random.levels.n && t->list.n > before;
        bool take = wanted(&all.at[k], tc->by_default, s->at, s->n, s->used);
        if (take && ((!extra && !second) || named(&all.at[k], s)))
            vec_push(&t->list, all.at[k]);
    }
    if (random && t->list.n > before)
        compiler_random_testbed(c, &t->arena, &t->list);
    vec_release(&all);
}

static int collect(struct cli_testbeds *t, const char *language, const char *selection,
                   enum cli_flags flags, struct error *e)
{
    char **selectors = NULL;
    int n = 0;
    if (selection) {
        char *text = arena_strdup(&t->arena, selection);
        selectors = arena_array(&t->arena, char *, strlen(text) + 1);
        for (char *at = text; *at;) { /* at commas: flags may hold blanks */
            size_t length = strcspn(at, ",");
            if (length)
                selectors[n++] = at;
            at += length;
            if (*at)
                *at++ = '\0';
        }
    }
    bool *used = arena_array(&t->arena, bool, n + 1);
    const struct selectors s = {selectors, n, used};
    for (int round = 0; round < 2; round++) { /* references first */
        for (size_t i = 0; i < t->compilers.n; i++) {
            const struct toolchain *tc = t->compilers.at[i].toolchain;
            if (strcmp(tc->language, language) != 0 || tc->reference != (round == 0))
                continue;
            collect_compiler(t, &t->compilers.at[i], &s, flags);
        }
    }
    for (int i = 0; i < n; i++)
        if (!used[i])
            return unused_selector(t, selectors[i], language, e);
    return 0;
}

/* What can be drawn for it; to list that is to try all of it. The counterpart of runner_probe for
 * testbeds with random flags. */
static int list_space(struct cli_testbeds *t, struct testbed *testbed, struct runner *r,
                      const char **why)
{
    for (size_t i = 0; i < t->toolchains.n; i++) {
        if (strcmp(t->toolchains.at[i].name, testbed->toolchain) != 0)
            continue;
        struct flag_space *space = arena_new(&t->arena, struct flag_space);
        struct error e = {0};
        testbed->space = space;
        if (!flag_space_list(&t->toolchains.at[i], testbed, r, &t->arena, space, &e))
            return 0;
        *why = arena_strdup(&t->arena, e.message);
        return 1;
    }
    BUG("no toolchain '%s'", testbed->toolchain);
}

static int probe_all(struct cli_testbeds *t, bool by_name, bool quiet, struct error *e)
{
    struct runner r;
    size_t kept = 0;
    if (runner_init(&r, e))
        return -1;
    int status = 0;
    for (size_t i = 0; i < t->list.n && status >= 0; i++) {
        const char *why = "";
        if (t->list.at[i].random && !quiet) /* some seconds */
            text_print(stderr, "trying the flags that %s lists\n", t->list.at[i].compiler);
        status = t->list.at[i].random ? list_space(t, &t->list.at[i], &r, &why)
                                      : runner_probe(&r, &t->list.at[i], &t->arena, &why, e);
        if (status == 0) {
            t->list.at[kept++] = t->list.at[i];
        } else if (status > 0 && by_name) {
            status =
                error_set(e, ERROR_ENVIRONMENT, "%s does not work: %s", t->list.at[i].name, why);
        } else if (status > 0 && !quiet) {
            text_print(stderr, "assay: left out %s: %s\n", t->list.at[i].name, why);
        }
    }
    t->list.n = kept;
    runner_release(&r);
    return status < 0 ? -1 : 0;
}

int cli_testbeds_find(struct cli_testbeds *t, const struct cli_data *d, const char *language,
                      const char *selection, enum cli_flags flags, bool quiet, struct error *e)
{
    *t = (struct cli_testbeds){0};
    arena_init(&t->arena);
    if (toolchains_read(d->testbed_dirs.at, (int)d->testbed_dirs.n, &t->arena, &t->toolchains, e))
        return -1;
    for (size_t i = 0; i < t->toolchains.n; i++)
        if (!strcmp(t->toolchains.at[i].language, language) &&
            toolchain_find(&t->toolchains.at[i], &t->arena, &t->compilers, e))
            return -1;
    if (collect(t, language, selection, flags, e))
        return -1;
    if (selection && !strcmp(selection, "*"))
        return 0;
    if (probe_all(t, selection != NULL, quiet, e))
        return -1;
    if (!t->list.n)
        return error_set(e, ERROR_ENVIRONMENT,
                         "no compiler for %s works here: `assay testbeds --probe` says why",
                         language);
    return 0;
}

void cli_testbeds_release(struct cli_testbeds *t)
{
    vec_release(&t->list);
    vec_release(&t->compilers);
    toolchains_release(&t->toolchains);
    arena_release(&t->arena);
}

/* -- the rest ---------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

int cli_machine_for(struct cli_machine *m, const char *language, const char *testbed_dir, bool host,
                    struct error *e)
{
    if (!m->language || strcmp(m->language, language) != 0 ||
        !same_text(m->testbed_dir, testbed_dir)) {
        cli_machine_release(m);
        arena_init(&m->arena);
        m->language = arena_strdup(&m->arena, language);
        m->testbed_dir = testbed_dir ? arena_strdup(&m->arena, testbed_dir) : NULL;
        cli_data_init(&m->data, m->testbed_dir);
        if (!host ||
            !server_host(m->data.testbed_dirs.at, (int)m->data.testbed_dirs.n, language, &m->error))
            cli_testbeds_find(&m->testbeds, &m->data, language, "*", CLI_FLAGS_ALL, true,
                              &m->error);
    }
    if (m->error.kind == ERROR_NONE)
        return 0;
    *e = m->error;
    return -1;
}

void cli_machine_release(struct cli_machine *m)
{
    if (m->language) {
        cli_testbeds_release(&m->testbeds);
        cli_data_release(&m->data);
        arena_release(&m->arena);
    }
    *m = (struct cli_machine){0};
}

void cli_commands(const struct store_testbed *t, const char *flags, const char *lines,
                  const struct program *p, struct strbuf *out)
{
    struct arena a;
    VEC(const char *) steps = {0};
    arena_init(&a);
    for (const char *line = lines; *line;) {
        size_t n = strcspn(line, "\n");
        vec_push(&steps, arena_memdup(&a, line, n));
        line += n + (line[n] == '\n');
    }
    vec_push(&steps, NULL);
    struct testbed now = {.path = t->path,
                          .flags = flags,
                          .dir = t->dir,
                          .library = *t->library && lines == t->compile ? t->library : NULL,
                          .compile = steps.at};
    runner_commands(&now, p, out);
    vec_release(&steps);
    arena_release(&a);
}

void cli_print_program(const struct program *p)
{
    for (int i = 0; i < p->n_files; i++) {
        const struct program_file *f = &p->files[i];
        if (p->n_files > 1)
            text_print(stdout, "-- %s\n", f->name);
        if (isatty(STDOUT_FILENO)) { /* for people; elsewhere it is the program, byte by byte */
            struct strbuf text;
            strbuf_init(&text, 0);
            text_visible(&text, program_bytes(f));
            fwrite(text.s, 1, text.n, stdout);
            strbuf_release(&text);
        } else {
            fwrite(f->text, 1, f->size, stdout);
        }
        if (p->n_files > 1 && f->size && f->text[f->size - 1] != '\n')
            putchar('\n');
    }
}

int cli_query(const struct cli_query *q, struct store_query *out, struct error *e)
{
    *out = (struct store_query){.testbed = q->testbed,
                                .anomaly = q->kind ? anomaly_from_name(q->kind) : -1,
                                .state = q->state ? finding_state_from_name(q->state) : -1};
    if (q->kind && out->anomaly < 1)
        return error_set(e, ERROR_USAGE, "--kind: there is no kind '%s'", q->kind);
    if (q->state && out->state < 0)
        return error_set(e, ERROR_USAGE, "--state: there is no state '%s'", q->state);
    return 0;
}

int cli_open_store(const char *dir, struct store **out, struct error *e)
{
    char path[PATH_MAX];
    campaign_db_path(dir, path, sizeof path);
    if (!fs_exists(path))
        return error_set(e, ERROR_USAGE,
                         "there is no campaign in %s (no assay.db): `assay run` begins one, --dir "
                         "names another folder",
                         dir);
    return store_open(path, STORE_READ, out, e);
}

int cli_find(struct store *s, const char *id_text, struct arena *a, struct finding *out,
             struct error *e)
{
    int64_t id;
    struct finding *list;
    int n;
    if (!text_parse_int(*id_text == '#' ? id_text + 1 : id_text, 1, INT64_MAX, &id))
        return error_set(e, ERROR_USAGE, "'%s' is not the number of a finding", id_text);
    struct store_query query = {.id = id, .anomaly = -1, .state = -1};
    if (store_findings(s, &query, a, &list, &n, e))
        return -1;
    if (n == 0)
        return error_set(e, ERROR_USAGE, "there is no finding %lld: `assay bugs` lists them",
                         (long long)id);
    *out = list[0];
    return 0;
}

bool cli_colour(void)
{
    const char *no = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no && *no);
}

const char *cli_time(int64_t at, char *out)
{
    struct tm tm;
    time_t seconds = at;
    localtime_r(&seconds, &tm);
    strftime(out, 32, "%Y-%m-%d %H:%M", &tm);
    return out;
}

/* -- signals ----------------------------------------------------------------------------------- */

/* Handlers can reach nothing but this. */
static volatile int stop;

static void on_stop(int signal)
{
    (void)signal;
    stop = 1;
}

volatile int *cli_heed_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM};
    struct sigaction action = {.sa_handler = on_stop}, ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    sigaction(SIGXFSZ, &ignore, NULL);
    return &stop;
}
