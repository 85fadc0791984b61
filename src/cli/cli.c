#include "cli/cli.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"

#include <signal.h>
#include <stdarg.h>
#include <sys/random.h>
#include <unistd.h>

int cli_fail(const struct error *e)
{
    char text[1200];
    fflush(stdout); /* in one file with what was said before */
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
    return cli_usage(c, "%s has no action '%s'%s%s%s", c->name, word,
                     near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
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

/* What is shipped. Installed it is PREFIX/share/assay, for PREFIX/bin/assay. The build leaves the
 * place of the sources beside the program. */
static void add_shipped(struct cli_data *d)
{
    char exe[PATH_MAX] = "", source[PATH_MAX];
    if (!fs_own_folder(exe, sizeof exe))
        exe[0] = '\0';
    const char *slash = strrchr(exe, '/');
    vec_push(&d->looked_in,
             arena_printf(&d->arena, "%.*s/share/assay", (int)(slash ? slash - exe : 0), exe));
    if (fs_sources(source, sizeof source))
        vec_push(&d->looked_in, arena_strdup(&d->arena, source));
    for (size_t i = 0; i < d->looked_in.n; i++)
        if (fs_is_dir(arena_printf(&d->arena, "%s/testbeds", d->looked_in.at[i]))) {
            add_base(d, d->looked_in.at[i]);
            return;
        }
}

void cli_data_init(struct cli_data *d, const char *extra_testbed_dir)
{
    *d = (struct cli_data){0};
    arena_init(&d->arena);
    add_shipped(d);
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
    vec_release(&d->looked_in);
    arena_release(&d->arena);
}

int cli_data_check(const struct cli_data *d, struct error *e)
{
    if (d->testbed_dirs.n)
        return 0;
    struct arena a;
    arena_init(&a);
    error_set(e, ERROR_ENVIRONMENT,
              "no toolchain files found: there is no folder testbeds in %s; set ASSAY_DATA to the "
              "folder that contains it, or reinstall assay",
              text_join(&a, d->looked_in.at, d->looked_in.n, ", "));
    arena_release(&a);
    return -1;
}

/* One line on a terminal, gone at the end; elsewhere a line now and then. */
static void show_progress(int done, int all)
{
    if (!isatty(STDERR_FILENO)) {
        if (done % 1000 == 0)
            text_print(stderr, "counting: %d of %d files\n", done, all);
        return;
    }
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

/* -- the rest ---------------------------------------------------------------------------------- */

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
    if (!store_is_url(path) && !fs_exists(path))
        return error_set(e, ERROR_USAGE,
                         "there is no campaign in %s (no assay.db): start one with `assay run`, or "
                         "choose another folder with --dir",
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

uint64_t cli_draw_seed(void)
{
    uint32_t seed = 0;
    while (!(seed & 0x7fffffff))
        if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
            return 1;
    return seed & 0x7fffffff;
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
