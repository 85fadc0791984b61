#include "testbed/runner.h"
#include "base/fs.h"
#include "base/sees.h"
#include "base/text.h"
#include "base/vec.h"
#include "program/language.h"
#include "program/trace.h"
#include "program/undefined.h"
#include "testbed/detector.h"
#include "testbed/extensions.h"
#include "testbed/flags.h"
#include "testbed/server.h"
#include "testbed/tracer.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { KEEP_OUTPUT = 1 << 20, KEEP_MESSAGES = 64 << 10 };

static const char exe_name[] = RUNNER_EXE;

int runner_init(struct runner *r, struct error *e)
{
    *r = (struct runner){.vmstat = "/proc/vmstat"};
    if (fs_make_temp_dir("assay", r->dir, sizeof r->dir, e))
        return -1;
    child_result_init(&r->child, KEEP_OUTPUT, KEEP_MESSAGES);
    return 0;
}

void runner_release(struct runner *r)
{
    fs_remove_tree(r->dir);
    child_result_release(&r->child);
}

/* Processes that the system has killed for want of memory since it was started. Not all drivers
 * notice when it kills their compiler proper: they link what it has left. */
static int64_t killed_for_memory(const struct runner *r)
{
    static const char label[] = "\noom_kill ";
    struct strbuf text;
    strbuf_init(&text, 1 << 16);
    const char *at = fs_read(r->vmstat, &text, NULL) ? NULL : strstr(text.s, label);
    int64_t n = at ? strtoll(at + strlen(label), NULL, 10) : 0;
    strbuf_release(&text);
    return n;
}

int runner_load(struct runner *r, const struct program *p, struct error *e)
{
    /* Compilers that crash leave temporary files behind (YARPGen 3.4): all of them go, each time.
     */
    fs_empty_dir(r->dir);
    r->killed_before = killed_for_memory(r);
    if ((size_t)snprintf(r->temp, sizeof r->temp, "%s/tmp", r->dir) >= sizeof r->temp)
        return error_at(e, ERROR_ENVIRONMENT, r->dir, 0, "path too long");
    if (fs_make_dirs(r->temp, e))
        return -1;
    return program_write(p, r->dir, e);
}

/* -- templates --------------------------------------------------------------------------------- */

typedef VEC(const char *) words;

static void add_words(struct arena *a, const char *text, words *out)
{
    char **list;
    text_split(a, text, &list);
    for (char **w = list; *w; w++)
        vec_push(out, *w);
}

/* Where a library goes. A name with a slash, and no soname: the linker then writes it into the
 * program as it is, and the dynamic linker looks for it from the folder where the program is
 * started, which is the work folder inside the sandbox, too. */
static const char *library_file(const char *source, struct arena *a)
{
    size_t base = (size_t)(strrchr(source, '.') - source);
    return arena_printf(a, "./%.*s.so", (int)base, source);
}

/* With `library`: that source alone. Without: all others, and behind them the libraries. */
static void add_sources(const struct testbed *t, const struct program *p, const char *library,
                        struct arena *a, words *out)
{
    if (library) {
        vec_push(out, library);
        return;
    }
    for (int i = 0; i < p->n_files; i++) {
        const char *name = p->files[i].name;
        if (program_is_source(name) && !(t->library && program_is_library(name)) &&
            !(p->n_files > 1 && program_is_twin(name)))
            vec_push(out, name);
    }
    for (int i = 0; t->library && i < p->n_files; i++)
        if (program_is_library(p->files[i].name))
            vec_push(out, library_file(p->files[i].name, a));
}

static const char *own_folder(struct arena *a)
{
    char path[PATH_MAX];
    return fs_find_own("assay-opencl", path, sizeof path) ? fs_folder(a, path) : ".";
}

/* Folders of programs that a word names. */
static const char *fill_folders(struct arena *a, const struct testbed *t, const char *word)
{
    const char *assay = strstr(word, "{assay}") ? own_folder(a) : "";
    return text_fill(a, word, "{dir}", t->dir, "{bin}", fs_folder(a, testbed_inside(t->path)),
                     "{assay}", assay, NULL);
}

/* `library` is the source of the library that the command builds, NULL for any other; `server` that
 * of the test, where it has one. */
static void expand(const struct testbed *t, const struct program *p, const char *template,
                   const char *library, const struct server_link *server, struct arena *a,
                   words *out)
{
    const char *bin = fs_folder(a, testbed_inside(t->path)),
               *lib = library ? library_file(library, a) : "";
    const char *assay = strstr(template, "{assay}") ? own_folder(a) : "";
    char **list;
    text_split(a, template, &list);
    for (char **w = list; *w; w++) {
        if (!strcmp(*w, "{flags}")) {
            add_words(a, t->flags, out);
        } else if (!strcmp(*w, "{needs}")) {
            add_words(a, p->needs, out);
        } else if (!strcmp(*w, "{inputs}")) {
            add_words(a, t->inputs ? t->inputs : "", out);
        } else if (!strcmp(*w, "{src}")) {
            add_sources(t, p, library, a, out);
        } else {
            vec_push(out, text_fill(a, *w, "{cc}", testbed_inside(t->path), "{dir}", t->dir,
                                    "{bin}", bin, "{assay}", assay, "{server}",
                                    server ? server->folder : "{server}", "{test}",
                                    server ? server->test : "{test}", "{lib}", lib, "{exe}",
                                    exe_name, NULL));
        }
    }
    vec_push(out, NULL);
}

/* -- one step ---------------------------------------------------------------------------------- */

static const char *end_detail(struct arena *a, const struct child_result *c,
                              const struct child_limits *limits)
{
    const char *name;
    switch (c->end) {
    case CHILD_EXITED:
        return arena_printf(a, "exit %d", c->status);
    case CHILD_SIGNALED:
        name = sigabbrev_np(c->status);
        return name ? arena_printf(a, "SIG%s", name) : arena_printf(a, "signal %d", c->status);
    case CHILD_TIMEOUT_CPU:
        return arena_printf(a, "over %.4g s of CPU time", (double)limits->cpu_ms / 1000);
    case CHILD_TIMEOUT_WALL:
        return arena_printf(a, "over %.4g s", (double)limits->wall_ms / 1000);
    case CHILD_OUTPUT:
        return arena_printf(a, "over %lld MB of output", (long long)limits->output_bytes >> 20);
    case CHILD_MEMORY:
        return arena_printf(a, "over %lld MB of memory", (long long)limits->memory_bytes >> 20);
    case CHILD_FILE_SIZE:
        return arena_printf(a, "a file over %lld MB", (long long)limits->file_bytes >> 20);
    default:
        return arena_strdup(a, c->err.s);
    }
}

static void add_cost(struct step_cost *sum, const struct child_result *c)
{
    sum->cpu_us += c->user_us + c->system_us;
    sum->wall_us += c->wall_us;
    if (c->peak_kb > sum->peak_kb)
        sum->peak_kb = c->peak_kb;
}

static void note_end(struct observation *o, struct arena *a, const struct child_result *c,
                     const struct child_limits *limits)
{
    o->exit_status = c->end == CHILD_EXITED ? c->status : -1;
    o->signal = c->end == CHILD_SIGNALED ? c->status : 0;
    o->detail = end_detail(a, c, limits);
}

/* What is printed may have NULs in it, and what stands behind them is not to be missed. */
static char *as_text(struct arena *a, struct bytes b)
{
    char *text = arena_memdup(a, b.data, b.size);
    for (size_t i = 0; i < b.size; i++)
        if (!text[i])
            text[i] = ' ';
    return text;
}

static bool matches_any(const struct pattern *patterns, int n, const char *text)
{
    for (int i = 0; i < n; i++)
        if (regexec(&patterns[i].regex, text, 0, NULL, 0) == 0)
            return true;
    return false;
}

/* Csmith 5.1.1: a compile-time error is any end but a clean one with a result. */
static enum outcome judge_build(const struct testbed *t, const struct child_result *c,
                                const char *messages)
{
    switch (c->end) {
    case CHILD_TIMEOUT_CPU:
    case CHILD_TIMEOUT_WALL:
        return OUTCOME_BUILD_TIMEOUT;
    case CHILD_EXITED:
        if (c->status == 0)
            return OUTCOME_OK;
        if (t->silent_crash && !*messages)
            return OUTCOME_BUILD_CRASH;
        /* The assembler got a file that ends within a line: whoever wrote it died. */
        if (strstr(messages, "end of file not at end of a line; newline inserted"))
            return OUTCOME_BUILD_CRASH;
        return matches_any(t->crash, t->n_crash, messages) ? OUTCOME_BUILD_CRASH
                                                           : OUTCOME_BUILD_FAIL;
    default:
        return OUTCOME_BUILD_CRASH; /* a signal, or a flood of messages or of files */
    }
}

static enum outcome judge_run(const struct child_result *c)
{
    switch (c->end) {
    case CHILD_EXITED:
        return OUTCOME_OK;
    case CHILD_TIMEOUT_CPU:
    case CHILD_TIMEOUT_WALL:
        return OUTCOME_RUN_TIMEOUT;
    default:
        return OUTCOME_RUN_CRASH;
    }
}

/* -- how a step is started --------------------------------------------------------------------- */

/* What a template names by itself; what the program and its flags name may come from anyone. */
static void add_seen(const struct testbed *t, const char *template, struct arena *a, sees_list *out)
{
    char **list;
    text_split(a, template, &list);
    for (char **w = list; *w; w++)
        sees_add_word(a, out, fill_folders(a, t, *w));
}

static const char *const *seen_by(const struct runner *r, const struct testbed *t, struct arena *a)
{
    sees_list list = {0};
    for (const char *const *path = t->sees; path && *path; path++)
        sees_add(a, &list, *path);
    if (!t->root) { /* else all these are paths of the other system */
        sees_add_program(a, &list, t->path);
        for (const char *const *step = t->compile; *step; step++)
            add_seen(t, *step, a, &list);
        if (t->library)
            add_seen(t, t->library, a, &list);
        if (t->run)
            add_seen(t, t->run, a, &list);
    }
    if (r->server)
        sees_add(a, &list, r->server->folder);
    const char *const *seen = sees_all(a, &list);
    vec_release(&list);
    return seen;
}

/* Another system is seen from inside only. */
static bool is_sandboxed(const struct runner *r, const struct program *p, const struct testbed *t)
{
    return t->root || (!r->sandbox_none && (!p->trusted || r->sandbox_all));
}

/* The compiler, what it built, and the clients of servers see the same. */
static struct child_sandbox sandbox_of(const struct runner *r, const struct program *p,
                                       const struct testbed *t, bool writable, struct arena *a)
{
    if (!is_sandboxed(r, p, t))
        return (struct child_sandbox){.on = false};
    return (struct child_sandbox){.on = true,
                                  .root = t->root,
                                  .work_writable = writable,
                                  .unix_sockets = t->server != NULL,
                                  .sees = seen_by(r, t, a)};
}

/* Messages in English, what the testbed asks for, and `more` unless NULL. */
static const char *const *environment(const struct testbed *t, const char *more, struct arena *a)
{
    int n = 0, asked = 0;
    while (t->env && t->env[asked])
        asked++;
    const char **env = arena_array(a, const char *, asked + 3);
    env[n++] = "LC_ALL=C";
    if (more)
        env[n++] = more;
    for (int i = 0; i < asked; i++) {
        const char *value = strchr(t->env[i], '=') ? "" : getenv(t->env[i]);
        if (value)
            env[n++] =
                strchr(t->env[i], '=') ? t->env[i] : arena_printf(a, "%s=%s", t->env[i], value);
    }
    env[n] = NULL;
    return env;
}

static int start(struct runner *r, const struct child_spec *spec, struct error *e)
{
    struct child_spec told = *spec;
    told.pulse = r->pulse;
    pulse_allow_child(r->pulse, spec->limits.wall_ms);
    int status = child_run(&told, &r->child, e);
    pulse_allow(r->pulse, PULSE_SLACK_MS);
    if (status)
        return -1;
    if (r->child.end == CHILD_STOPPED)
        return error_set(e, ERROR_NONE, "stopped");
    return 0;
}

static void skip(struct observation *o, const char *why)
{
    o->outcome = OUTCOME_SKIPPED;
    o->messages = why;
}

/* A command of a test, whose words are released. 1: the compiler, or what runs its result, is not
 * there or cannot be executed: that says nothing of the program, and it is skipped. A result that
 * cannot be executed does say something: of the compiler. */
static int start_step(struct runner *r, const struct child_spec *spec, words *argv, struct arena *a,
                      struct observation *o, struct error *e)
{
    int status = start(r, spec, e);
    bool of_test = !strcmp(argv->at[0], exe_name);
    vec_release(argv);
    if (status || r->child.end != CHILD_NOT_STARTED || of_test)
        return status;
    skip(o, arena_strdup(a, r->child.err.s));
    o->detail = "not started";
    o->of_machine = true;
    return 1;
}

/* Is so little left of the disk that nothing can be built? */
static bool disk_is_full(const struct runner *r)
{
    enum { LEAST_BYTES = 16 << 20 };
    const char *const places[] = {r->dir, r->temp};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct statvfs v;
        if (!statvfs(places[i], &v) && v.f_bavail * v.f_frsize < LEAST_BYTES)
            return true;
    }
    return false;
}

static bool has_text(const struct program *p, const char *text)
{
    for (int i = 0; i < p->n_files; i++)
        if (memmem(p->files[i].text, p->files[i].size, text, strlen(text)))
            return true;
    return false;
}

/* Was the disk full, if only until the compiler had removed its temporary files? In the sandbox its
 * own /tmp may have been, which has a limit, and what a compiler says may stand in the program. */
static bool was_full(const struct runner *r, const struct program *p, const struct testbed *t,
                     const char *messages)
{
    static const char *const full[] = {"No space left on device", "Disk quota exceeded"};
    for (size_t i = 0; i < sizeof full / sizeof *full && !is_sandboxed(r, p, t); i++)
        if (strstr(messages, full[i]) && !has_text(p, full[i]))
            return true;
    return disk_is_full(r);
}

/* What a build says when it is not the program that it failed for; NULL: nothing of the kind. All
 * that we kill ends otherwise: a SIGKILL is the system's, which is out of memory. */
static const char *fault_of_machine(const struct runner *r, const struct program *p,
                                    const struct testbed *t, const char *messages)
{
    static const char *const killed[] = {
        "Killed signal terminated program", "unable to execute command: Killed",
        "fork: Cannot allocate memory", "fork: Resource temporarily unavailable"};
    if (r->child.end == CHILD_STARVED)
        return "the machine is too busy: the test got hardly any CPU time";
    if (r->child.end == CHILD_SIGNALED && r->child.status == SIGKILL)
        return "killed by the system: is it out of memory?";
    for (size_t i = 0; i < sizeof killed / sizeof *killed; i++)
        if (strstr(messages, killed[i]))
            return "the system is out of memory or processes";
    if (killed_for_memory(r) > r->killed_before)
        return "the system is out of memory: it killed a process meanwhile";
    return was_full(r, p, t, messages) ? "the disk is full" : NULL;
}

static bool let_down(const struct runner *r, const struct program *p, const struct testbed *t,
                     struct observation *o)
{
    const char *what =
        o->outcome == OUTCOME_OK ? NULL : fault_of_machine(r, p, t, o->messages ? o->messages : "");
    if (!what)
        return false;
    skip(o, what);
    o->detail = "a problem of the machine";
    o->of_machine = true;
    return true;
}

/* -- the two halves ---------------------------------------------------------------------------- */

/* One command of the build; takes place only while all is well. */
static int build_step(struct runner *r, const struct program *p, const struct testbed *t,
                      const char *template, const char *library, struct arena *a,
                      struct observation *o, struct error *e)
{
    if (o->outcome != OUTCOME_OK)
        return 0;
    words argv = {0};
    expand(t, p, template, library, r->server, a, &argv);
    struct child_spec spec = {.argv = argv.at,
                              .cwd = r->dir,
                              .limits = t->limits.compile,
                              .sandbox = sandbox_of(r, p, t, true, a),
                              .stop = r->stop};
    /* The sandbox has a /tmp of its own, which goes with it. */
    const char *temp = spec.sandbox.on ? NULL : arena_printf(a, "TMPDIR=%s", r->temp);
    spec.env = environment(t, temp, a);
    int status = start_step(r, &spec, &argv, a, o, e);
    if (status)
        return status < 0 ? -1 : 0;
    add_cost(&o->build, &r->child);
    o->messages = arena_printf(a, "%s%s", as_text(a, bytes_in(&r->child.err)),
                               as_text(a, bytes_in(&r->child.out)));
    o->outcome = judge_build(t, &r->child, text_cut_lines(a, o->messages));
    note_end(o, a, &r->child, &t->limits.compile);
    let_down(r, p, t, o);
    return 0;
}

static int build(struct runner *r, const struct program *p, const struct testbed *t,
                 struct arena *a, struct observation *o, struct error *e)
{
    o->outcome = OUTCOME_OK;
    for (int i = 0; t->library && i < p->n_files; i++)
        if (program_is_library(p->files[i].name) &&
            build_step(r, p, t, t->library, p->files[i].name, a, o, e))
            return -1;
    for (const char *const *step = t->compile; *step; step++)
        if (build_step(r, p, t, *step, NULL, a, o, e))
            return -1;
    return 0;
}

static void add_command(const struct testbed *t, const struct program *p, const char *template,
                        const char *library, struct arena *a, struct strbuf *out)
{
    words argv = {0};
    char script[PATH_MAX];
    const char *root = testbed_root(t->path, a);
    if (root) {
        vec_push(&argv, fs_shipped("scripts/in-root", script, sizeof script));
        vec_push(&argv, root);
    }
    expand(t, p, template, library, NULL, a, &argv);
    for (size_t i = 0; argv.at[i]; i++) {
        if (i)
            strbuf_addc(out, ' ');
        text_quote_shown(out, argv.at[i]);
    }
    strbuf_addc(out, '\n');
    vec_release(&argv);
}

int runner_ask(struct runner *r, const struct testbed *t, const char *const *argv,
               struct child_result *result, struct error *e)
{
    const char *const env[] = {"LC_ALL=C", NULL};
    struct child_spec spec = {
        .argv = argv,
        .cwd = r->dir,
        .env = env,
        .limits = t->limits.compile,
        .sandbox = {.on = t->root != NULL, .root = t->root, .work_writable = true},
        .stop = r->stop};
    return child_run(&spec, result, e);
}

int runner_run_tool(struct runner *r, const struct program *p, const struct testbed *t,
                    const char *const *argv, struct arena *a, struct error *e)
{
    struct child_spec spec = {.argv = argv,
                              .cwd = r->dir,
                              .env = environment(t, NULL, a),
                              .limits = t->limits.compile,
                              .sandbox = sandbox_of(r, p, t, true, a),
                              .stop = r->stop};
    if (start(r, &spec, e))
        return -1;
    return r->child.end == CHILD_EXITED && r->child.status == 0;
}

void runner_commands(const struct testbed *t, const struct program *p, struct strbuf *out)
{
    struct arena a;
    arena_init(&a);
    for (int i = 0; t->library && i < p->n_files; i++)
        if (program_is_library(p->files[i].name))
            add_command(t, p, t->library, p->files[i].name, &a, out);
    for (const char *const *step = t->compile; *step; step++)
        add_command(t, p, *step, NULL, &a, out);
    arena_release(&a);
}

/* A link is no result: what made it may have been led to a file that is not ours to read. Nor is a
 * pipe, at which a reader would wait. */
static bool built_something(const struct testbed *t, const char *exe)
{
    struct stat st;
    return !*t->compile || !t->run || !strstr(t->run, "{exe}") ||
           (!lstat(exe, &st) && (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)));
}

/* What stands at `at`, up to a NUL, which is returned, with each match replaced. `begin` is where
 * the text begins. */
static const char *substitute(const struct substitution *s, const char *begin, const char *at,
                              struct strbuf *out)
{
    regmatch_t m;
    int flags = 0;
    while (*at && regexec(&s->from.regex, at, 1, &m, flags) == 0) {
        strbuf_add(out, at, (size_t)m.rm_so);
        strbuf_adds(out, s->to);
        at += m.rm_eo;
        if (m.rm_eo == m.rm_so && *at) /* an empty match: step over one character */
            strbuf_addc(out, *at++);
        flags = at[0] && at > begin && at[-1] == '\n' ? 0 : REG_NOTBOL;
    }
    strbuf_adds(out, at);
    return at + strlen(at);
}

static void normalise(const struct testbed *t, struct bytes text, struct strbuf *out)
{
    struct strbuf from;
    strbuf_init(&from, 0);
    strbuf_add(out, text.data, text.size);
    for (int i = 0; i < t->n_normalise; i++) {
        strbuf_clear(&from);
        strbuf_add(&from, out->s, out->n);
        strbuf_clear(out);
        for (const char *at = from.s, *end = from.s + from.n; at <= end; at++) {
            at = substitute(&t->normalise[i], from.s, at, out);
            if (at < end) /* a NUL, at which a pattern ends */
                strbuf_addc(out, '\0');
        }
    }
    strbuf_release(&from);
}

/* The build failed. Is it for the flags that were drawn, and not for the program? */
static int see_rejection(struct runner *r, const struct program *p, const struct testbed *t,
                         struct arena *a, struct observation *o, struct error *e)
{
    if (o->outcome != OUTCOME_BUILD_FAIL || !flags_named(t->flags, o->messages, a))
        return 0;
    struct testbed plain = *t;
    struct observation other = {.messages = ""};
    plain.flags = flags_level(t->flags, a);
    if (build(r, p, &plain, a, &other, e))
        return -1;
    o->build.cpu_us += other.build.cpu_us;
    o->build.wall_us += other.build.wall_us;
    if (other.outcome == OUTCOME_OK)
        skip(o, arena_printf(a, "the flags are rejected: %s", o->messages));
    return 0;
}

static void add_summary(const struct volatile_trace *trace, struct strbuf *text)
{
    char summary[VOLATILE_SUMMARY_SIZE];
    if (text->n && text->s[text->n - 1] != '\n')
        strbuf_addc(text, '\n');
    strbuf_addf(text, "%s\n", volatile_trace_summary(trace, summary));
}

/* What the first of the patterns that is found matches, in either text; NULL: none is found. */
static const char *found_in(const struct pattern *patterns, int n, const char *output,
                            const char *errors, struct arena *a)
{
    if (n) {
        output = text_cut_lines(a, output);
        errors = text_cut_lines(a, errors);
    }
    for (int i = 0; i < n; i++) {
        regmatch_t m;
        const char *text = output;
        if (regexec(&patterns[i].regex, text, 1, &m, 0) &&
            regexec(&patterns[i].regex, text = errors, 1, &m, 0))
            continue;
        return arena_memdup(a, text + m.rm_so, (size_t)(m.rm_eo - m.rm_so));
    }
    return NULL;
}

/* What a run says of itself: that it crashed, though it ended in order; that it has no answer,
 * though it crashed, as when memory ran out; or, of a filter, that the program is none that anyone
 * should run. */
static void listen_to(const struct testbed *t, const char *errors, struct arena *a,
                      struct observation *o)
{
    const char *output = as_text(a, o->output);
    const char *line = found_in(t->run_crash, t->n_run_crash, output, errors, a);
    if (line) {
        o->outcome = OUTCOME_RUN_CRASH;
        o->detail = line;
    }
    if (!line && (line = found_in(t->abstain, t->n_abstain, output, errors, a))) {
        skip(o, arena_printf(a, "abstains: %s", line));
        o->detail = "abstains";
    }
    line = found_in(t->undefined, t->n_undefined, output, errors, a);
    if (line) { /* of a filter: all that it has to say, whatever else it did */
        o->outcome = OUTCOME_RUN_CRASH;
        o->undefined = true;
        o->detail = arena_printf(a, "undefined: %s", line);
        o->messages = arena_strdup(a, errors);
    }
    if (o->outcome != OUTCOME_OK)
        o->output_hash[0] = '\0';
}

/* `tracer` is NULL unless the testbed traces. */
static int run_it(struct runner *r, const struct program *p, const struct testbed *t,
                  struct tracer *tracer, struct arena *a, struct observation *o, struct error *e)
{
    words argv = {0};
    for (const char *const *w = tracer_command; tracer && *w; w++)
        vec_push(&argv, *w);
    expand(t, p, t->run, NULL, r->server, a, &argv);
    const struct program_file *source = t->input_is_source ? program_first_source(p) : NULL;
    struct child_spec spec = {
        .argv = argv.at,
        .cwd = r->dir,
        .env = environment(t, NULL, a),
        .input = source ? source->text : t->input,
        .input_size = source     ? source->size
                      : t->input ? strlen(t->input)
                                 : 0,
        .limits = t->limits.run,
        .sandbox = sandbox_of(r, p, t, false, a),
        .err_sink = {tracer ? tracer_take : NULL, tracer},
        .stop = r->stop,
    };
    int status = start_step(r, &spec, &argv, a, o, e);
    if (status)
        return status < 0 ? -1 : 0;
    add_cost(&o->run, &r->child);
    o->outcome = judge_run(&r->child);
    note_end(o, a, &r->child, &t->limits.run);
    if (let_down(r, p, t, o))
        return 0;
    struct strbuf text;
    strbuf_init(&text, 0);
    normalise(t, bytes_in(&r->child.out), &text);
    if (o->outcome == OUTCOME_OK)
        observation_hash(t->ignore_status ? 0 : o->exit_status, bytes_in(&text), o->output_hash);
    if (tracer)
        add_summary(&tracer->trace, &text);
    o->output = bytes_copy(a, bytes_in(&text));
    o->output_size = (int64_t)r->child.out_bytes;
    strbuf_release(&text);
    bool traced = tracer && tracer->other.n;
    const char *errors = as_text(a, bytes_in(traced ? &tracer->other : &r->child.err));
    bool speaks = o->outcome == OUTCOME_OK || o->outcome == OUTCOME_RUN_CRASH;
    if (speaks || (t->filter && o->outcome == OUTCOME_RUN_TIMEOUT))
        listen_to(t, errors, a, o);
    if (o->outcome != OUTCOME_OK && *errors && !*o->messages)
        o->messages = arena_strdup(a, errors);
    return 0;
}

int runner_run(struct runner *r, const struct program *p, const struct testbed *t, struct arena *a,
               struct observation *out, struct error *e)
{
    *out = (struct observation){.output = {"", 0}, .messages = "", .detail = "", .flags = ""};
    return run_it(r, p, t, NULL, a, out, e);
}

/* -- runs that are traced ---------------------------------------------------------------------- */

static int run_traced(struct runner *r, const struct program *p, const struct testbed *t,
                      const struct volatile_accesses *accesses, const char *exe, struct arena *a,
                      struct observation *o, struct error *e)
{
    struct tracer tracer;
    const char *why = tracer_init(&tracer, exe, accesses, a);
    int status = why ? 0 : run_it(r, p, t, &tracer, a, o, e);
    if (!why && !status && r->child.end == CHILD_NOT_STARTED)
        why = r->child.status == ENOENT
                  ? "valgrind, which traces the run, is not installed (apt-get install valgrind)"
                  : arena_printf(a, "valgrind cannot be started: %s", strerror(r->child.status));
    if (!why && !status)
        why = tracer_complaint(&tracer, a);
    if (why) { /* nothing that was seen counts */
        o->output = bytes_of("");
        o->output_hash[0] = '\0';
        skip(o, why);
    }
    tracer_release(&tracer);
    return status;
}

/* Why the compiler cannot be given the program; NULL: it can. */
static const char *lacked(const struct program *p, const struct testbed *t, struct arena *a)
{
    for (int i = 0; i < p->n_files; i++) {
        const char *text = p->files[i].text;
        if (matches_any(t->lacks, t->n_lacks, text))
            return "the program uses a feature that this compiler is known to lack";
        const struct extension *needed =
            t->lacks_extensions ? extensions_needed(t->lacks_extensions, text) : NULL;
        if (needed)
            return arena_printf(a, "the program uses %s, which this compiler does not have",
                                needed->name);
    }
    return NULL;
}

static int observe(struct runner *r, const struct program *p, const struct testbed *t, bool run,
                   const char *why, struct arena *a, struct observation *out, struct error *e)
{
    const char *exe = arena_printf(a, "%s/%s", r->dir, exe_name);
    struct volatile_accesses accesses;
    *out = (struct observation){
        .output = {"", 0}, .messages = "", .detail = "", .flags = t->random ? t->flags : ""};
    if (t->traces && (p->build_only || !program_volatile_accesses(p, a, &accesses))) {
        skip(out, p->build_only ? "the program must not be run"
                                : "the program does not state its volatile accesses");
        return 0;
    }
    if (p->build_only && !*t->compile) {
        skip(out, "the program must not be run, and there is nothing to build");
        return 0;
    }
    const char *lacks = lacked(p, t, a);
    if (lacks) {
        skip(out, lacks);
        return 0;
    }
    unlink(exe);
    for (int i = 0; t->library && i < p->n_files; i++)
        if (program_is_library(p->files[i].name))
            unlink(arena_printf(a, "%s/%s", r->dir, library_file(p->files[i].name, a)));
    if (build(r, p, t, a, out, e) || (t->random && see_rejection(r, p, t, a, out, e)))
        return -1;
    fs_empty_dir(r->temp);
    if (out->outcome != OUTCOME_OK)
        return 0;
    if (!built_something(t, exe)) {
        out->outcome = OUTCOME_BUILD_FAIL;
        out->detail = "exit 0, but no result";
        return 0;
    }
    out->suspect = found_in(t->suspect, t->n_suspect, out->messages, "", a);
    /* Compile only: built is as good as it gets, and all of it compares equal. */
    if (!t->run || p->build_only) {
        observation_hash(0, bytes_of(""), out->output_hash);
        return 0;
    }
    if (run && t->traces)
        return run_traced(r, p, t, &accesses, exe, a, out, e);
    if (run)
        return run_it(r, p, t, NULL, a, out, e);
    skip(out, arena_strdup(a, why));
    return 0;
}

/* -- with a server ----------------------------------------------------------------------------- */

enum {
    TRY_AGAIN = 30, /* times to begin a test before we give up ... */
    TRY_AGAIN_MS = 100,
    CLIENT_MS = 30000, /* for a command around a test */
    DYING_MS = 2000,   /* for a server to be dead after a client lost it */
    ATTEMPTS = 4,      /* to be alone with a server that was not dying already */
    LOG_KEPT = 16 << 10,
};

/* The commands around a test. 1: one failed; what it said is in r->child. */
static int run_client(struct runner *r, const struct program *p, const struct testbed *t,
                      const char *const *commands, struct arena *a, struct error *e)
{
    for (; *commands; commands++) {
        words argv = {0};
        expand(t, p, *commands, NULL, r->server, a, &argv);
        struct child_spec spec = {.argv = argv.at,
                                  .cwd = r->dir,
                                  .env = environment(t, NULL, a),
                                  .limits = {.wall_ms = CLIENT_MS, .output_bytes = 1 << 20},
                                  .stop = r->stop};
        int status = start(r, &spec, e);
        vec_release(&argv);
        if (status)
            return -1;
        if (r->child.end != CHILD_EXITED || r->child.status != 0)
            return 1;
    }
    return 0;
}

/* Until a test has begun, its lock held. A server that another test has just crashed needs a
 * moment. 1: it cannot be used, `why` says it. */
static int begin_test(struct runner *r, const struct program *p, const struct testbed *t,
                      struct server_link *link, bool alone, const char **why, struct arena *a,
                      struct error *e)
{
    for (int tries = 1;; tries++) {
        pulse_allow(r->pulse, PULSE_LONG_MS); /* for those that are in there */
        int status = server_enter(link, alone, r->stop, why, e);
        if (status)
            return status;
        status = run_client(r, p, t, t->server->begin, a, e);
        if (!status)
            return 0;
        server_leave(link);
        if (status < 0)
            return -1;
        if (tries >= TRY_AGAIN)
            break;
        poll(NULL, 0, TRY_AGAIN_MS);
    }
    *why = arena_printf(a, "its server accepts no test: %s%s", r->child.err.s, r->child.out.s);
    return server_worked(link) ? error_set(e, ERROR_ENVIRONMENT, "%s: %s", t->name, *why) : 1;
}

/* The server died of this program, or some part of it did. */
static void note_server_crash(const struct testbed *t, const struct server_link *link, bool died,
                              struct arena *a, struct observation *o)
{
    struct strbuf log;
    strbuf_init(&log, 0);
    server_log(link, LOG_KEPT, &log);
    const char *said = found_in(t->run_crash, t->n_run_crash, log.s, "", a);
    if (o->outcome != OUTCOME_RUN_CRASH)
        o->detail = "the server died";
    if (said)
        o->detail = said;
    o->outcome = OUTCOME_RUN_CRASH;
    o->server_died = died;
    o->output_hash[0] = '\0';
    o->messages = arena_printf(
        a, "%s\n%s\nwhat the client said:\n%s",
        died ? "the server died; the end of its log:" : "the end of the server's log:", log.s,
        o->messages);
    strbuf_release(&log);
}

/* A client that lost its server may know earlier than we do: of a server in several processes one
 * died, and the others are about to follow. */
static bool has_died(const struct server_link *link, bool client_says_so)
{
    for (int tries = 0; client_says_so && tries < DYING_MS / 20 && server_lives(link); tries++)
        poll(NULL, 0, 20);
    return !server_lives(link);
}

/* One test from begin to end. `*died`: the server did not live to see the end. 1: it was refused.
 */
static int observe_once(struct runner *r, const struct program *p, const struct testbed *t,
                        struct server_link *link, bool alone, bool run, const char *why, bool *died,
                        struct arena *a, struct observation *out, struct error *e)
{
    const char *refused = "";
    int status = begin_test(r, p, t, link, alone, &refused, a, e);
    if (status > 0)
        skip(out, arena_strdup(a, refused));
    if (status)
        return status;
    status = observe(r, p, t, run, why, a, out, e);
    *died = has_died(link, !status && out->outcome == OUTCOME_RUN_CRASH && !out->undefined);
    if (!status && !*died && run_client(r, p, t, t->server->end, a, e) < 0)
        status = -1;
    if (status)
        server_leave(link);
    return status;
}

/* With the others; after a crash, alone. A server that had begun to die before the test was alone
 * with it says nothing either. */
static int observe_with(struct runner *r, const struct program *p, const struct testbed *t,
                        struct server_link *link, bool run, const char *why, struct arena *a,
                        struct observation *out, struct error *e)
{
    unsigned suspect = 0; /* generation of the server that crashed when the test was not alone */
    for (int attempt = 0;; attempt++) {
        bool died = false, alone = attempt > 0;
        int status = observe_once(r, p, t, link, alone, run, why, &died, a, out, e);
        if (status)
            return status < 0 ? -1 : 0;
        bool crashed = died || (out->outcome == OUTCOME_RUN_CRASH && !out->undefined);
        bool own = attempt == ATTEMPTS || (alone && !(died && link->generation == suspect));
        if (crashed && own)
            note_server_crash(t, link, died, a, out);
        server_leave(link);
        if (!crashed)
            server_note_success(link);
        if (!crashed || own)
            return 0;
        if (!alone)
            suspect = link->generation;
    }
}

int runner_observe(struct runner *r, const struct program *p, const struct testbed *t, bool run,
                   const char *why, struct arena *a, struct observation *out, struct error *e)
{
    struct server_link link;
    if (detector_is(t))
        return detector_observe(r, p, t, a, out, e);
    if (!t->server)
        return observe(r, p, t, run, why, a, out, e);
    *out = (struct observation){.output = {"", 0}, .messages = "", .detail = "", .flags = ""};
    int status = server_link_init(&link, t, e);
    if (status > 0) {
        skip(out, "it needs a server, and nobody starts one here");
        return 0;
    }
    if (status)
        return -1;
    r->server = &link;
    status = observe_with(r, p, t, &link, run, why, a, out, e);
    r->server = NULL;
    server_link_release(&link);
    return status;
}

/* -- probing ----------------------------------------------------------------------------------- */

static bool smoke_is_right(const struct testbed *t, const char *wanted, const struct observation *o)
{
    if (o->outcome == OUTCOME_SKIPPED && t->n_abstain &&
        !o->of_machine) /* it was built, and has no opinion */
        return true;
    if (o->outcome != OUTCOME_OK || !t->run)
        return o->outcome == OUTCOME_OK;
    if (!t->traces)
        return bytes_equal(o->output, bytes_of(wanted));
    const char *summary = volatile_summary_in(o->output);
    return !strncmp(o->output.data, wanted, strlen(wanted)) &&
           summary == o->output.data + strlen(wanted) && strncmp(summary, "volatile: 0 ", 12) != 0;
}

static const char *why_broken(const struct observation *o, struct arena *a)
{
    size_t line = strcspn(o->messages, "\n");
    if (o->outcome == OUTCOME_OK)
        return arena_printf(a, "a small program printed '%.60s'", o->output.data);
    if (o->outcome == OUTCOME_SKIPPED)
        return o->messages;
    return arena_printf(a, "%s (%s)%s%.*s", outcome_name[o->outcome], o->detail, line ? ": " : "",
                        (int)(line > 160 ? 160 : line), o->messages);
}

int runner_probe(struct runner *r, const struct testbed *t, struct arena *a, const char **why,
                 struct error *e)
{
    const struct language *l = language_find(t->language);
    *why = "";
    if (!l->smoke)
        return 0;
    struct program_file file = {arena_printf(a, "smoke%s", t->suffix), l->smoke, strlen(l->smoke)};
    struct program p = {
        .language = t->language, .files = &file, .n_files = 1, .needs = "", .trusted = true};
    struct testbed plain = *t; /* detects nothing: the program has nothing to be found */
    struct observation o;
    plain.detects = plain.may_detect = NULL;
    if (runner_load(r, &p, e) || runner_observe(r, &p, &plain, true, "", a, &o, e))
        return -1;
    if (smoke_is_right(t, l->smoke_output, &o))
        return 0;
    *why = why_broken(&o, a);
    return 1;
}
