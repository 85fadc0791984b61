/* assay reduce: make the programs of findings small; or any files, by a script of interest.
 *
 * The first half decides what is to be reduced and in which order, the second does it. In between
 * the process is split (base/split.h), ahead of which no database may be open. */
#include "base/fs.h"
#include "base/json.h"
#include "base/split.h"
#include "base/text.h"
#include "campaign/trust.h"
#include "cli/cli.h"
#include "cli/reduce_file.h"
#include "inquiry/reduce.h"
#include "testbed/server.h"
#include "triage/signature.h"

#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

struct reduce_options {
    const char *dir, *testbed_dir, *method, *output, *test;
    int64_t jobs, time_ms;
    bool all, again, no_blame, json, quiet, trust;
    bool in_place; /* with test: the files become their reduced forms */
};

/* What is to be reduced. */
struct target {
    int64_t finding;
    struct inquiry_place place;
    int nth; /* of its signature */
};
typedef VEC(struct target) target_list;

struct reducing {
    const struct reduce_options *o;
    struct arena arena;
    target_list targets;
    struct store *store;
    struct cli_machine machine;
    int reduced, failed, lacking; /* lacking: what it takes to try it is not here */
    const volatile int *stop;
};

static const volatile int *heed_signals(int64_t time_ms)
{
    struct itimerval timer = {.it_value = {time_ms / 1000, time_ms % 1000 * 1000}};
    const volatile int *stop = cli_heed_signals();
    if (time_ms)
        setitimer(ITIMER_REAL, &timer, NULL);
    return stop;
}

/* -- what is to be reduced --------------------------------------------------------------------- */

static int add_target(struct reducing *r, struct store *s, const struct finding *f, int nth,
                      struct error *e)
{
    struct inquiry c;
    struct arena *a = &r->arena;
    if (inquiry_load(s, f, a, &c, e))
        return -1;
    struct target t = {f->id, inquiry_place(&c, &r->arena), nth};
    if (r->o->testbed_dir)
        t.place.testbed_dir = r->o->testbed_dir;
    vec_push(&r->targets, t);
    return 0;
}

static int compare_targets(const void *a, const void *b)
{
    const struct target *x = a, *y = b;
    int order = ORDER(x->nth, y->nth);
    return order ? order : ORDER(x->finding, y->finding);
}

/* Was it asked which pass is to blame? That can be interrupted after the reduction is over. */
static int is_blamed(struct store *s, int64_t finding, struct arena *a, struct error *e)
{
    struct store_blame *list;
    int n, found = 0;
    if (store_blames(s, a, &list, &n, e))
        return -1;
    for (int i = 0; i < n && !found; i++)
        found = list[i].finding == finding;
    return found;
}

/* Is its reduction over, or is it not worth one? */
static int is_open(const struct reducing *r, struct store *s, const struct finding *f,
                   struct error *e)
{
    struct store_reduction row;
    struct arena a;
    arena_init(&a);
    int none = store_reduction_get(s, f->id, &a, &row, e), blamed = 1;
    if (!none && row.state == REDUCTION_DONE && !r->o->no_blame)
        blamed = is_blamed(s, f->id, &a, e);
    bool begun = !none && row.state == REDUCTION_BEGUN;
    arena_release(&a);
    if (none < 0 || blamed < 0)
        return -1;
    return f->state != FINDING_FLAKY && (none || begun || !blamed || r->o->again);
}

/* Findings that --all leaves alone: those of a baseline, which were not found here, and those whose
 * message says that they are of a bug that is known. Of a silent one that takes its reduced case.
 */
struct left_out {
    const struct store_campaign *campaigns;
    int64_t *known;
    int n_campaigns, n_known;
};

static int load_left_out(struct store *s, struct arena *a, struct left_out *l, struct error *e)
{
    struct store_campaign *campaigns;
    if (store_campaigns(s, a, &campaigns, &l->n_campaigns, e))
        return -1;
    l->campaigns = campaigns;
    return store_known(s, a, &l->known, &l->n_known, e);
}

static bool is_left_out(const struct left_out *l, const struct finding *f)
{
    for (int i = 0; i < l->n_campaigns; i++)
        if (l->campaigns[i].id == f->campaign && store_is_import(&l->campaigns[i]))
            return true;
    for (int i = 0; i < l->n_known; i++)
        if (l->known[i] == f->id)
            return signature_evidence(f->signature) != NULL;
    return false;
}

/* All that are not reduced yet: first one of each signature, then a second of each, and so on. Who
 * stops early has seen something of each. */
static int add_all(struct reducing *r, struct store *s, struct error *e)
{
    struct finding *list;
    struct map signatures;
    struct left_out left_out;
    int n;
    if (store_findings(s, &store_everything, &r->arena, &list, &n, e) ||
        load_left_out(s, &r->arena, &left_out, e))
        return -1;
    map_init(&signatures);
    int status = 0;
    for (int i = 0; i < n && status >= 0; i++) {
        if (is_left_out(&left_out, &list[i]))
            continue;
        uint64_t nth = map_put_str(&signatures, list[i].signature, NULL)->value.number++;
        status = is_open(r, s, &list[i], e);
        if (status > 0)
            status = add_target(r, s, &list[i], (int)nth, e);
    }
    map_release(&signatures);
    vec_sort(&r->targets, compare_targets);
    return status < 0 ? -1 : 0;
}

static int collect(struct reducing *r, char **ids, int n, struct error *e)
{
    struct store *s;
    struct finding f;
    if (cli_open_store(r->o->dir, &s, e))
        return -1;
    int status = r->o->all ? add_all(r, s, e) : 0;
    for (int i = 0; i < n && !status; i++) {
        status = cli_find(s, ids[i], &r->arena, &f, e);
        if (!status)
            status = add_target(r, s, &f, i, e);
    }
    store_close(s);
    return status;
}

/* -- printing ---------------------------------------------------------------------------------- */

static void print_json(const struct finding *f, const struct inquiry_reduced *d)
{
    const struct store_reduction *row = &d->row;
    struct json *files = json_new("{}");
    for (int i = 0; i < d->program.n_files; i++)
        json_extend(files, "{s:y}", d->program.files[i].name, program_bytes(&d->program.files[i]));
    struct json *all = json_new(
        "{s:I,s:s,s:s,s:b,s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:o}", "id",
        (int64_t)f->id, "testbed", f->testbed, "state", reduction_state_name[row->state],
        "interrupted", d->interrupted, "method", row->method, "why", row->why, "flags", row->flags,
        "from_bytes", (int64_t)row->from_bytes, "bytes", (int64_t)row->bytes, "tests",
        (int64_t)row->tests, "remembered", (int64_t)row->remembered, "refused",
        (int64_t)row->refused, "kept", (int64_t)row->kept, "cpu_ms", (int64_t)(row->cpu_us / 1000),
        "wall_ms", (int64_t)row->wall_ms, "slipped", (int64_t)d->slips, "files", files);
    if (d->blamed)
        json_extend(all, "{s:o}", "blame", store_blame_json(&d->blame));
    json_print(all, true);
}

static void print_blame(const struct store_blame *b)
{
    if (*b->pass)
        text_print(stdout, "  blamed on %s%s%s%s\n", b->pass, *b->detail ? " (" : "", b->detail,
                   *b->detail ? ")" : "");
    if (*b->first_bad)
        text_print(stdout, "  first bad version here: %s%s%s\n", b->first_bad,
                   *b->last_good ? ", last good one: " : "", b->last_good);
    if (*b->last_bad)
        text_print(stdout, "  last bad version here: %s%s%s\n", b->last_bad,
                   *b->next_good ? ", right again: " : "", b->next_good);
}

static void print(const struct finding *f, const struct inquiry_reduced *d)
{
    const struct store_reduction *row = &d->row;
    char time[32];
    if (row->state == REDUCTION_FAILED) {
        text_print(stdout, "finding %lld: not reduced: %s\n", (long long)f->id, row->why);
        return;
    }
    text_print(stdout, "finding %lld: %s%lld -> %lld bytes%s%s%s%s, %lld tests, %s\n",
               (long long)f->id, d->interrupted ? "interrupted at " : "",
               (long long)row->from_bytes, (long long)(row->bytes ? row->bytes : row->from_bytes),
               *row->method ? " by " : "", row->method, *row->flags ? ", flags " : "", row->flags,
               (long long)row->tests, text_duration(row->wall_ms, time));
    if (d->blamed)
        print_blame(&d->blame);
    if (d->interrupted)
        text_print(stdout, "  the same command resumes (without --again)\n");
}

/* To the file that was asked for: the program's own, or the first of several. */
static int write_program(const struct reduce_options *o, const struct program *p, struct error *e)
{
    if (p->n_files > 1)
        return error_set(
            e, ERROR_USAGE,
            "--output: the program has %d files; `assay show ID --reduced --output DIR` writes "
            "them all",
            p->n_files);
    return p->n_files ? fs_write(o->output, p->files[0].text, p->files[0].size, e) : 0;
}

static int tell(const struct reducing *r, const struct finding *f, const struct inquiry_reduced *d,
                struct error *e)
{
    bool alone = r->targets.n == 1 && !r->o->all;
    if (r->o->json)
        print_json(f, d);
    else if (!r->o->quiet)
        print(f, d);
    if (r->o->output)
        return write_program(r->o, &d->program, e);
    if (alone && !r->o->json && !r->o->quiet && d->row.state == REDUCTION_DONE) {
        putchar('\n');
        cli_print_program(&d->program);
    }
    fflush(stdout);
    return 0;
}

/* -- reducing ---------------------------------------------------------------------------------- */

static int slots(const struct reduce_options *o)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    enum { MOST = 256 }; /* of the pool */
    long n = o->jobs ? (long)o->jobs : cores > 0 ? cores : 1;
    return (int)(n < MOST ? n : MOST);
}

static enum interest_show how_to_show(const struct reduce_options *o)
{
    if (o->quiet || o->json)
        return INTEREST_QUIET;
    return isatty(STDERR_FILENO) ? INTEREST_TERMINAL : INTEREST_LINES;
}

static int reduce_one(struct reducing *r, const struct target *t, struct arena *a, struct error *e)
{
    struct finding f;
    struct inquiry c;
    struct inquiry_reduced done;
    if (cli_machine_for(&r->machine, &t->place, false, e) ||
        store_finding(r->store, t->finding, a, &f, e) || inquiry_load(r->store, &f, a, &c, e))
        return -1;
    struct inquiry_reducing how = {.slots = slots(r->o),
                                   .method = r->o->method,
                                   .again = r->o->again,
                                   .blame = !r->o->no_blame,
                                   .show = how_to_show(r->o),
                                   .stop = r->stop,
                                   .gen = cli_gen_context(&r->machine.data, NULL),
                                   .installed = r->machine.testbeds.list.at,
                                   .n_installed = (int)r->machine.testbeds.list.n};
    int over = inquiry_reduced(r->store, f.id, &how, a, &done, e);
    if (over < 0)
        return -1;
    if (!over && inquiry_bind(&c, how.installed, how.n_installed, a, e))
        return -1;
    if (!over && c.changed)
        text_print(stderr, "assay: %s\n", c.changed);
    if (!over && inquiry_reduce(r->store, &c, &how, a, &done, e))
        return -1;
    r->failed += done.row.state == REDUCTION_FAILED;
    r->reduced += done.row.state != REDUCTION_FAILED && done.row.from_bytes > 0;
    return tell(r, &f, &done, e);
}

static int reduce_targets(struct reducing *r, struct error *e)
{
    char path[PATH_MAX];
    campaign_db_path(r->o->dir, path, sizeof path);
    if (store_open(path, STORE_WRITE, &r->store, e))
        return -1;
    int status = 0;
    for (size_t i = 0; i < r->targets.n && !status && !*r->stop; i++) {
        struct arena a;
        arena_init(&a);
        status = reduce_one(r, &r->targets.at[i], &a, e);
        /* One of many whose compiler is gone does not stop the others. */
        if (status && r->targets.n > 1 && !*r->stop) {
            char text[1200];
            text_print(stderr, "assay: finding %lld: %s\n", (long long)r->targets.at[i].finding,
                       error_text(e, text, sizeof text));
            status = 0;
            r->lacking++;
        }
        arena_release(&a);
    }
    store_close(r->store);
    return status;
}

/* Servers are started for whatever language is needed; most have none. */
static int host_servers(struct reducing *r, struct error *e)
{
    const struct target *first = &r->targets.at[0];
    const char *language = first->place.language;
    struct cli_data data;
    for (size_t i = 1; language && i < r->targets.n; i++)
        if (strcmp(r->targets.at[i].place.language, language) != 0)
            language = NULL;
    cli_data_init(&data, first->place.testbed_dir);
    int status = server_host(data.testbed_dirs.at, (int)data.testbed_dirs.n, language, e);
    cli_data_release(&data);
    return status;
}

static int reduce_findings(const struct reduce_options *o, char **ids, int n, struct error *e)
{
    struct reducing r = {.o = o};
    struct campaign_folder folder = {.lock = -1};
    if (campaign_need_trust(o->dir, o->trust, e))
        return -1;
    arena_init(&r.arena);
    int status = collect(&r, ids, n, e);
    if (!status && !r.targets.n && !o->quiet && !o->json)
        text_print(stdout, "nothing is left to reduce\n");
    if (!status && r.targets.n) {
        status = host_servers(&r, e) || split_command(e);
        r.stop = heed_signals(o->time_ms);
        if (!status)
            status = campaign_enter(o->dir, &folder, e);
        if (!status)
            status = reduce_targets(&r, e);
        campaign_leave(&folder);
    }
    cli_machine_release(&r.machine);
    vec_release(&r.targets);
    arena_release(&r.arena);
    if (!status && r.lacking && !r.reduced && !r.failed)
        return EXIT_ENVIRONMENT; /* each was told when it happened */
    return status ? -1 : r.reduced ? EXIT_FINDINGS : EXIT_CLEAN;
}

static int reduce_files(const struct reduce_options *o, char **files, int n, struct error *e)
{
    struct reduce_file f = {.files = (const char *const *)files,
                            .n_files = n,
                            .test = o->test,
                            .output = o->output,
                            .in_place = o->in_place,
                            .slots = slots(o),
                            .show = how_to_show(o),
                            .json = o->json,
                            .method = o->method};
    if (split_command(e))
        return -1;
    f.stop = heed_signals(o->time_ms);
    return reduce_file_run(&f, e);
}

/* -- SCRIPT FILE... ---------------------------------------------------------------------------- */

/* "17" or "#17": a finding. */
static bool is_number(const char *word)
{
    word += *word == '#';
    return *word && !word[strspn(word, "0123456789")];
}

/* Can it be run? 2: and it looks like a program or a script, whatever a file system says of all
 * files. */
static int runs(const char *path)
{
    struct stat st;
    char begin[5] = "";
    if (stat(path, &st) || !S_ISREG(st.st_mode) || access(path, X_OK))
        return 0;
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(begin, 1, sizeof begin - 1, f) : 0;
    if (f)
        fclose(f);
    return (n >= 2 && !memcmp(begin, "#!", 2)) || (n >= 4 && !memcmp(begin, "\177ELF", 4)) ? 2 : 1;
}

/* Which of the words is the script: the first, as for C-Reduce; or the only one that can be it. -1:
 * none. */
static int script_among(char **words, int n)
{
    int best = -1, how = 0;
    for (int i = 0; i < n; i++)
        if (runs(words[i]) > how) {
            best = i;
            how = runs(words[i]);
        }
    return best;
}

/* Words that are no numbers are a script and files: the script goes to `test`, the files to the
 * front of the words. */
static int take_script(struct reduce_options *o, char **words, int *n)
{
    const struct command *c = &command_reduce;
    for (int i = 0; i < *n; i++)
        if (!fs_exists(words[i]))
            return cli_usage(c, "%s is neither the number of a finding nor a file", words[i]);
    if (*n == 1)
        return cli_usage(c,
                         "%s is a file: `assay reduce SCRIPT FILE...` takes an interestingness "
                         "test and the files to reduce",
                         words[0]);
    int script = script_among(words, *n);
    if (script < 0)
        return cli_usage(c,
                         "%s cannot be executed: the first argument is the interestingness test "
                         "(chmod +x), followed by the files",
                         words[0]);
    o->test = words[script];
    o->in_place = true;
    memmove(&words[script], &words[script + 1], (size_t)(*n - script - 1) * sizeof *words);
    --*n;
    return 0;
}

static int check_options(const struct reduce_options *o, int rest)
{
    const struct command *c = &command_reduce;
    if (o->test && (!rest || o->all))
        return cli_usage(c, "name the files to reduce after the script");
    if (!o->test && !rest && !o->all)
        return cli_usage(c, "name a finding (`assay bugs` lists them), or give --all");
    if (o->all && rest)
        return cli_usage(c, "--all and the numbers of findings exclude each other");
    if (o->output && rest != 1)
        return cli_usage(c, "--output is for one %s", o->test ? "file" : "finding");
    if (o->jobs > 256)
        return cli_usage(c, "--jobs: at most 256");
    if (o->method && !inquiry_reduce_method(o->method))
        return cli_usage(c, "--method: '%s' is none of %s", o->method, inquiry_reduce_methods);
    if (o->test && o->method && strcmp(o->method, "c") != 0 && strcmp(o->method, "text") != 0)
        return cli_usage(c, "--method: a file is reduced by c or text, not by %s", o->method);
    return 0;
}

int cmd_reduce(int argc, char **argv)
{
    struct reduce_options o = {.dir = "."};
    int rest, status;
    struct error e = {0};
    const struct option_spec specs[] = {
        FLAG(0, "all", "reduce all findings that are not reduced yet", &o.all),
        CLI_DIR(&o.dir),
        INT('j', "jobs", "N", "tests in parallel (default: one per core)", &o.jobs),
        DURATION(0, "time", "TIME", "stop after 20s, 5m, 8h, ...; the same command resumes",
                 &o.time_ms),
        FLAG(0, "again", "start over, even if the reduction is done", &o.again),
        TEXT(0, "method", "HOW", "c, lala, choices, text or cvise (default: by program)",
             &o.method),
        FLAG(0, "no-blame", "do not look for the pass and version to blame", &o.no_blame),
        TEXT('o', "output", "FILE", "write the reduced program to FILE", &o.output),
        TEXT(0, "test", "SCRIPT", "like SCRIPT FILE..., but write FILE.reduced.EXT", &o.test),
        CLI_TESTBED_DIR(&o.testbed_dir),
        CLI_TRUST(&o.trust),
        FLAG(0, "json", "print JSON, one object per line", &o.json),
        FLAG('q', "quiet", "print only errors", &o.quiet),
    };
    if (!cli_parse(&command_reduce, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    status = 0;
    if (rest && !o.test && !o.all && !is_number(argv[0]))
        status = take_script(&o, argv, &rest);
    if (!status)
        status = check_options(&o, rest);
    if (status)
        return status;
    status = o.test ? reduce_files(&o, argv, rest, &e) : reduce_findings(&o, argv, rest, &e);
    return status < 0 ? cli_fail(&e) : status;
}
