/* assay report: what was found, written down in every form.
 *
 * The room report writes; this file decides what goes where, and answers what report cannot know:
 * how a testbed builds and runs a program, and what the compilers of this machine do with a reduced
 * program, whose output nobody has seen yet. Toolchain files are looked for as the campaign found
 * them; where they are gone, the report says less, and is written all the same. */
#include "base/fs.h"
#include "base/text.h"
#include "campaign/trust.h"
#include "cli/cli.h"
#include "cli/system.h"
#include "inquiry/inquiry.h"
#include "report/report.h"

#include <ctype.h>
#include <sys/stat.h>
#include <unistd.h>

struct report_options {
    const char *dir, *testbed_dir, *output;
    const char *html, *json, *junit, *sarif, *table, *bugs, *suite;
    struct cli_query which;
    bool no_run, trust;
};

/* What is the same for all findings of a testbed. */
struct known_testbed {
    int64_t testbed;
    struct inquiry_place place;
    const char *about; /* NULL: it was not asked */
};

struct reporting {
    const struct report_options *o;
    struct store *store;
    struct arena arena; /* for what is known */
    VEC(struct known_testbed) known;
    struct runner runner;
    bool has_runner;
    struct cli_machine machine;
    bool trusted; /* the folder: else nothing that it names is run */
};

/* -- what the compilers of this machine can tell ----------------------------------------------- */

/* Of the testbed that the finding accuses. */
static struct known_testbed *known_testbed(struct reporting *r, const struct finding *f,
                                           const char *language)
{
    struct inquiry c;
    for (size_t i = 0; i < r->known.n; i++)
        if (r->known.at[i].testbed == f->testbed_id)
            return &r->known.at[i];
    struct known_testbed new = {.testbed = f->testbed_id};
    new.place.language = arena_strdup(&r->arena, language);
    if (r->trusted && !inquiry_load(r->store, f, &r->arena, &c, NULL))
        new.place = inquiry_place(&c, &r->arena);
    if (r->o->testbed_dir)
        new.place.testbed_dir = r->o->testbed_dir;
    vec_push(&r->known, new);
    return &r->known.at[r->known.n - 1];
}

/* The testbeds of this machine for a finding. False: none can be known. */
static bool testbeds_for(struct reporting *r, const struct finding *f, const char *language)
{
    struct error ignored = {0};
    return !cli_machine_for(&r->machine, &known_testbed(r, f, language)->place, false, &ignored);
}

/* -- commands ---------------------------------------------------------------------------------- */

static const char *first_source(const struct program *p)
{
    const struct program_file *first = program_first_source(p);
    return first ? first->name : "";
}

/* What people call what they build: t of t.c. */
static const char *exe_of(const struct program *p, struct arena *a)
{
    const char *source = first_source(p), *dot = strrchr(source, '.');
    const char *stem = dot ? arena_memdup(a, source, (size_t)(dot - source)) : "";
    bool plain = *stem && *stem != '-';
    for (const char *at = stem; *at; at++)
        plain &= isalnum((unsigned char)*at) || *at == '_' || *at == '-';
    for (int i = 0; i < p->n_files; i++)
        plain &= strcmp(stem, p->files[i].name) != 0;
    return plain ? stem : "program";
}

/* The command as people type it: what is built has a name of the program's. As an argument it needs
 * no "./". */
static void add_typed(const char *command, const struct program *p, struct strbuf *out)
{
    struct arena a;
    arena_init(&a);
    const char *exe = exe_of(p, &a);
    for (const char *at = command; *at;) {
        size_t n = strlen(RUNNER_EXE);
        if (strncmp(at, RUNNER_EXE, n) != 0) {
            strbuf_addc(out, *at++);
            continue;
        }
        strbuf_addf(out, "%s%s", at > command && at[-1] == ' ' ? "" : "./", exe);
        at += n;
    }
    arena_release(&a);
}

/* The template without folders of headers that come with assay, where none of them is included. */
static const char *without_own_headers(const char *template, const struct program *p,
                                       struct arena *a)
{
    static const char own[] = " -I{dir}";
    const char *at = strstr(template, own);
    if (!at || program_includes(p))
        return template;
    const char *rest = at + 1 + strcspn(at + 1, " \n");
    return arena_printf(a, "%.*s%s", (int)(at - template), template,
                        without_own_headers(rest, p, a));
}

static void build_commands(void *of, const struct store_testbed *t, const char *flags,
                           const struct program *p, struct strbuf *out)
{
    struct store_testbed testbed = *t;
    struct strbuf commands;
    struct arena a;
    (void)of;
    arena_init(&a);
    strbuf_init(&commands, 0);
    testbed.compile = without_own_headers(t->compile, p, &a);
    cli_commands(&testbed, flags, testbed.compile, p, &commands);
    add_typed(commands.s, p, out);
    strbuf_release(&commands);
    arena_release(&a);
}

static const char *run_command(const struct toolchain *tc, const struct store_testbed *t,
                               const char *flags, const struct program *p, struct arena *a)
{
    struct strbuf out, command;
    strbuf_init(&out, 0);
    strbuf_init(&command, 0);
    const char *input = tc ? tc->input : NULL;
    bool from_source = input && !strcmp(input, "{src}");
    if (input && !from_source) {
        strbuf_adds(&out, "printf %s ");
        text_quote_shown(&out, input);
        strbuf_adds(&out, " | ");
    }
    cli_commands(t, flags, tc ? tc->run : "{exe}", p, &command);
    add_typed(command.s, p, &out);
    strbuf_release(&command);
    if (out.n && out.s[out.n - 1] == '\n')
        out.s[--out.n] = '\0';
    if (from_source) {
        strbuf_adds(&out, " <");
        text_quote_shown(&out, first_source(p));
    }
    return strbuf_keep(&out, a);
}

/* Substitutions as a script for sed. The text that is put in means itself. */
static const char *normalise_of(const struct toolchain *tc, struct arena *a)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    for (size_t i = 0; i < tc->normalise.n; i++) {
        const char *from = tc->normalise.at[i].from.text, *to = tc->normalise.at[i].to;
        const char *sign = "/|,#~@!:%"; /* the first that is in neither */
        while (sign[1] && (strchr(from, *sign) || strchr(to, *sign)))
            sign++;
        strbuf_addf(&out, "%ss%c%s%c", out.n ? ";" : "", *sign, from, *sign);
        for (const char *at = to; *at; at++) {
            if (*at == '&' || *at == '\\')
                strbuf_addc(&out, '\\');
            strbuf_addc(&out, *at);
        }
        strbuf_addf(&out, "%cg", *sign);
    }
    return strbuf_keep(&out, a);
}

static const char *lines_of(const pattern_list *list, struct arena *a)
{
    const char *text = "";
    for (size_t i = 0; i < list->n; i++)
        text = arena_printf(a, "%s%s\n", text, list->at[i].text);
    return text;
}

/* What the compiler says of itself. Both GCC and LLVM ask for -v, which names the target. */
static const char *about(const struct toolchain *tc, const struct store_testbed *t, struct arena *a)
{
    bool verbose = strstr(tc->name, "gcc") == tc->name || strstr(tc->name, "g++") == tc->name ||
                   strstr(tc->name, "clang") == tc->name;
    char **probe;
    if (!verbose && (!tc->probe || text_split(a, tc->probe, &probe) < 1))
        return "";
    const char *option = verbose ? "-v" : probe[1] ? probe[1] : "--version";
    const char *argv[] = {testbed_inside(t->path), option, NULL};
    const char *root = testbed_root(t->path, a);
    const struct child_spec spec = {.argv = argv,
                                    .limits = {.wall_ms = 10000, .output_bytes = 1 << 20},
                                    .sandbox = {.on = root != NULL, .root = root}};
    struct child_result result;
    struct error ignored = {0};
    child_result_init(&result, 1 << 14, 1 << 14);
    const char *text = "";
    if (!child_run(&spec, &result, &ignored) && result.end == CHILD_EXITED && result.status == 0)
        text = arena_printf(a, "%s%s", result.out.s, result.err.s);
    child_result_release(&result);
    return text;
}

/* The compiler's name, where PATH leads to it; else its path. */
static const char *name_on_path(const char *path, struct arena *a)
{
    char here[PATH_MAX], there[PATH_MAX];
    const char *name = fs_name(path), *meant = fs_on_path(a, name);
    bool same = meant && realpath(path, here) && realpath(meant, there) && !strcmp(here, there);
    return same ? name : path;
}

static void way_of(void *of, const struct finding *f, const struct store_testbed *t,
                   const char *flags, const struct program *p, struct arena *a,
                   struct report_way *out)
{
    struct reporting *r = of;
    const struct toolchain *tc =
        testbeds_for(r, f, p->language)
            ? toolchain_named(&r->machine.testbeds.toolchains, t->toolchain)
            : NULL;
    *out = report_no_way;
    out->compiler = name_on_path(t->path, a);
    if (!tc) { /* what is built can be run, as a rule */
        out->run = *t->compile ? run_command(NULL, t, flags, p, a) : "";
        out->by_hand = !*t->compile;
        return;
    }
    out->normalise = normalise_of(tc, a);
    out->crash = lines_of(&tc->crash, a);
    out->run_crash = lines_of(&tc->run_crash, a);
    out->message = tc->message.text ? tc->message.text : "";
    out->silent_crash = tc->silent_crash;
    out->ignore_status = tc->ignore_status;
    out->by_hand = tc->server.command || tc->traces || tc->report.n;
    if (tc->run && !p->build_only)
        out->run = run_command(tc, t, flags, p, a);
    if (r->trusted && fs_exists(t->path) && !r->o->no_run) {
        struct known_testbed *known = known_testbed(r, f, p->language);
        if (!known->about)
            known->about = about(tc, t, &r->arena);
        out->about = known->about;
    }
}

/* -- trying a reduced program ------------------------------------------------------------------ */

/* Bound to the testbeds of this machine. False: it cannot be tried here. */
static bool bind_here(struct reporting *r, const struct finding *f, const struct program *p,
                      struct arena *a, struct inquiry *c, struct error *e)
{
    if (!r->has_runner || !testbeds_for(r, f, p->language) || inquiry_load(r->store, f, a, c, e) ||
        inquiry_bind(c, r->machine.testbeds.list.at, (int)r->machine.testbeds.list.n, a, e))
        return false;
    const struct testbed *t = &c->config.testbeds[c->accused];
    r->runner.sandbox_none = c->config.sandbox_none;
    r->runner.sandbox_all = c->config.sandbox_all;
    return !t->server;
}

static int observe_accused(void *of, const struct finding *f, const char *flags,
                           const struct program *p, struct arena *a, struct observation *out,
                           struct error *e)
{
    struct reporting *r = of;
    struct inquiry c;
    if (!bind_here(r, f, p, a, &c, e))
        return 1;
    struct testbed t = c.config.testbeds[c.accused];
    t.flags = flags;
    if (runner_load(&r->runner, p, e) || runner_observe(&r->runner, p, &t, true, "", a, out, e))
        return -1;
    return out->outcome == OUTCOME_SKIPPED;
}

/* Two of the others that print the same are enough; one that does not is one too many. */
static int observe_others(void *of, const struct finding *f, const struct program *p,
                          struct arena *a, struct observation *out, struct error *e)
{
    struct reporting *r = of;
    struct inquiry c;
    int agreeing = 0;
    if (!bind_here(r, f, p, a, &c, e))
        return 1;
    if (runner_load(&r->runner, p, e))
        return -1;
    for (int i = 0; i < c.config.n_testbeds && agreeing < 2; i++) {
        struct observation o;
        if (i == c.accused || c.config.testbeds[i].filter)
            continue;
        if (runner_observe(&r->runner, p, &c.config.testbeds[i], true, "", a, &o, e))
            return -1;
        if (o.outcome != OUTCOME_OK)
            continue;
        if (agreeing && strcmp(o.output_hash, out->output_hash) != 0)
            return 1;
        *out = o;
        agreeing++;
    }
    return agreeing < 2;
}

/* -- where it goes ----------------------------------------------------------------------------- */

static int write_to(const char *path, const struct strbuf *text, struct error *e)
{
    if (strcmp(path, "-") != 0)
        return fs_write(path, text->s, text->n, e);
    if (fwrite(text->s, 1, text->n, stdout) != text->n || fflush(stdout))
        return error_set(e, ERROR_ENVIRONMENT, "standard output cannot be written");
    return 0;
}

typedef void writer(const struct report_data *d, struct strbuf *out);

static int write_file(const struct report_data *d, writer *write, const char *path, struct error *e)
{
    struct strbuf text;
    if (!path)
        return 0;
    strbuf_init(&text, 1 << 30);
    write(d, &text);
    int status = text.truncated
                     ? error_set(e, ERROR_ENVIRONMENT,
                                 "%s would be larger than 1 GB: ask for fewer bugs", path)
                     : write_to(path, &text, e);
    strbuf_release(&text);
    return status;
}

static int write_folders(const struct report_data *d, const char *dir, struct error *e)
{
    if (!dir)
        return 0;
    if (fs_make_dirs(dir, e))
        return -1;
    report_clear(dir);
    for (int i = 0; i < d->n_bugs; i++)
        if (report_folder(d, &d->bugs[i], dir, e))
            return -1;
    return 0;
}

static int write_suite(const struct report_data *d, const char *dir, struct error *e)
{
    int n;
    if (!dir)
        return 0;
    report_clear(dir);
    return report_suite(d, dir, &n, e);
}

/* The folder of the bugs seen from the page, for its links: where the page is a file above it. */
static const char *folders_of(const struct report_options *o, struct arena *a)
{
    char page[PATH_MAX], bugs[PATH_MAX];
    if (!o->html || !o->bugs || !strcmp(o->html, "-"))
        return NULL;
    if (!realpath(fs_folder(a, o->html), page) || !realpath(o->bugs, bugs))
        return NULL;
    size_t n = strcmp(page, "/") ? strlen(page) : 0;
    return !strncmp(page, bugs, n) && bugs[n] == '/' ? arena_strdup(a, bugs + n + 1) : NULL;
}

static int write_all(struct report_data *d, const struct report_options *o, struct error *e)
{
    if (write_folders(d, o->bugs, e))
        return -1;
    d->folders = folders_of(o, &d->arena);
    return write_file(d, report_html, o->html, e) || write_file(d, report_json, o->json, e) ||
                   write_file(d, report_junit, o->junit, e) ||
                   write_file(d, report_sarif, o->sarif, e) ||
                   write_file(d, report_table, o->table, e) || write_suite(d, o->suite, e)
               ? -1
               : 0;
}

/* Where its folder goes: a server has none. */
static const char *home_of(const struct report_options *o)
{
    return store_is_url(o->dir) ? "." : o->dir;
}

/* Without any format: all of them, in one folder. */
static int choose_outputs(struct report_options *o, struct arena *a, struct error *e)
{
    if (o->html || o->json || o->junit || o->sarif || o->table || o->bugs || o->suite)
        return 0;
    const char *dir = o->output ? o->output : arena_printf(a, "%s/report", home_of(o));
    o->output = dir;
    o->html = arena_printf(a, "%s/index.html", dir);
    o->json = arena_printf(a, "%s/report.json", dir);
    o->junit = arena_printf(a, "%s/junit.xml", dir);
    o->sarif = arena_printf(a, "%s/report.sarif", dir);
    o->table = arena_printf(a, "%s/table.txt", dir);
    o->bugs = arena_printf(a, "%s/bugs", dir);
    o->suite = arena_printf(a, "%s/suite", dir);
    return fs_make_dirs(dir, e);
}

/* -- what the terminal says -------------------------------------------------------------------- */

static bool to_stdout(const struct report_options *o)
{
    const char *const all[] = {o->html, o->json, o->junit, o->sarif, o->table};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] && !strcmp(all[i], "-"))
            return true;
    return false;
}

static void print_bug(const struct report_bug *b)
{
    text_print(stdout, "%4d  %-6lld %-14s %6lld %8zu  %-8s %s\n", b->number,
               (long long)b->finding->id, anomaly_name[b->finding->verdict.anomaly],
               (long long)b->bug.n_seen, program_size(&b->reduced),
               !bug_is_closed(&b->bug) ? "" : mark_name[bug_mark(&b->bug)], b->title);
}

/* Where the accused compiler is not here, what it makes of the reduced program is not known. */
static void print_untried(const struct report_data *d, const struct report_options *o)
{
    int n = 0;
    for (int i = 0; i < d->n_bugs; i++)
        n += d->bugs[i].seen_original && !report_is_endless(d->bugs[i].finding->verdict.anomaly);
    if (n && !o->no_run && campaign_is_trusted(o->dir))
        text_print(stdout,
                   "%d reduced program%s could not be run (is the compiler installed and on "
                   "PATH?): the output shown is that of the original%s\n",
                   n, n == 1 ? "" : "s", n == 1 ? "" : "s");
}

static void print_summary(const struct report_data *d, const struct report_options *o)
{
    enum { SHOWN = 20 };
    const struct bug_counts c = report_count(d);
    long long tests = 0, findings = c.findings + c.known_findings + c.fixed_findings;
    char path[PATH_MAX];
    for (int i = 0; i < d->n_campaigns; i++)
        tests += d->campaigns[i].tests;
    text_print(stdout, "%d bug%s, %d open; %lld finding%s in %lld tests\n", d->n_bugs,
               d->n_bugs == 1 ? "" : "s", c.open, findings, findings == 1 ? "" : "s", tests);
    if (d->n_bugs)
        text_print(stdout, "%4s  %-6s %-14s %6s %8s  %-8s %s\n", "no", "id", "kind", "count",
                   "bytes", "state", "what");
    for (int i = 0; i < d->n_bugs && i < SHOWN; i++)
        print_bug(&d->bugs[i]);
    if (d->n_bugs > SHOWN)
        text_print(stdout, "      and %d more\n", d->n_bugs - SHOWN);
    print_untried(d, o);
    const char *const all[] = {o->html, o->json, o->junit, o->sarif, o->table, o->bugs, o->suite};
    text_print(stdout, "written:");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i])
            text_print(stdout, " %s", all[i]);
    if (o->html && realpath(o->html, path))
        text_print(stdout, "\nto view: file://%s", path);
    putchar('\n');
}

/* -- the command ------------------------------------------------------------------------------- */

static int make(struct reporting *r, struct report_options *o, const struct store_query *query,
                struct error *e)
{
    const struct report_commands commands = {r, build_commands, way_of, observe_accused,
                                             observe_others};
    struct report_data d;
    struct arena a;
    int open = 0;
    arena_init(&a);
    int status = report_load(r->store, o->dir, query, &commands, &d, e);
    d.system = cli_system(&d.arena);
    if (!status)
        status = choose_outputs(o, &a, e) || write_all(&d, o, e) ? -1 : 0;
    if (!status) {
        open = report_count(&d).open;
        if (!to_stdout(o))
            print_summary(&d, o);
    }
    report_release(&d);
    arena_release(&a);
    return status ? cli_fail(e) : open ? EXIT_FINDINGS : EXIT_CLEAN;
}

/* In somebody else's folder, what is in the place of our own report may be links to anywhere. */
static int check_place(const struct report_options *o, struct error *e)
{
    char path[PATH_MAX];
    struct stat st;
    snprintf(path, sizeof path, "%s/report", home_of(o));
    if (o->output || o->html || o->json || o->junit || o->sarif || o->table || o->bugs ||
        o->suite || lstat(path, &st))
        return 0;
    return error_at(
        e, ERROR_USAGE, path, 0,
        "exists already and was not made here by you: choose another folder with --output");
}

static int report(struct report_options *o, const struct store_query *query)
{
    struct reporting r = {.o = o};
    struct error e = {0}, ignored = {0};
    if (o->trust)
        campaign_need_trust(o->dir, true, &e);
    r.trusted = o->trust || campaign_is_trusted(o->dir);
    if (cli_open_store(o->dir, &r.store, &e))
        return cli_fail(&e);
    if (!r.trusted && check_place(o, &e)) {
        store_close(r.store);
        return cli_fail(&e);
    }
    if (!r.trusted && !o->no_run)
        text_print(stderr,
                   "assay: no program is run: this campaign was not made here by you (--trust)\n");
    /* Without a sandbox nothing is tried: the report does with what was recorded. */
    r.has_runner = r.trusted && !o->no_run && !child_sandbox_available(&ignored) &&
                   !runner_init(&r.runner, &e);
    arena_init(&r.arena);
    int status = make(&r, o, query, &e);
    arena_release(&r.arena);
    vec_release(&r.known);
    cli_machine_release(&r.machine);
    if (r.has_runner)
        runner_release(&r.runner);
    store_close(r.store);
    return status;
}

int cmd_report(int argc, char **argv)
{
    struct report_options o = {.dir = "."};
    struct store_query query;
    struct error e = {0};
    int rest, status;
    const struct option_spec specs[] = {
        CLI_DIR(&o.dir),
        TEXT('o', "output", "DIR", "output folder (default: DIR/report)", &o.output),
        TEXT(0, "html", "FILE", "only the HTML page", &o.html),
        TEXT(0, "json", "FILE", "only JSON with all data", &o.json),
        TEXT(0, "junit", "FILE", "only JUnit XML for CI", &o.junit),
        TEXT(0, "sarif", "FILE", "only SARIF 2.1.0 for CI", &o.sarif),
        TEXT(0, "table", "FILE", "only the table: bc, bto, abf, arc, awo of each testbed",
             &o.table),
        TEXT(0, "bugs", "DIR", "only the folders with a bug report for each bug", &o.bugs),
        TEXT(0, "suite", "DIR", "only the regression suite", &o.suite),
        CLI_QUERY(&o.which),
        TEXT(0, "testbed-dir", "DIR", "your own toolchain files (default: those of the campaign)",
             &o.testbed_dir),
        CLI_TRUST(&o.trust),
        FLAG(0, "no-run", "do not run the reduced programs to record their output", &o.no_run),
    };
    if (!cli_parse(&command_report, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    if (rest > 0)
        return cli_usage(&command_report, "report takes options only");
    if (o.output && (o.html || o.json || o.junit || o.sarif || o.table || o.bugs || o.suite))
        return cli_usage(&command_report, "--output is for all formats together; for a single "
                                          "format, give the file to its option");
    if (cli_query(&o.which, &query, &e))
        return cli_fail(&e);
    return report(&o, &query);
}
