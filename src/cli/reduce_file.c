#include "cli/reduce_file.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "program/language.h"
#include "reduce/c.h"

#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEST_WALL_MS = 300000, LARGEST = 64 << 20, LINE_MS = 200, PLAIN_MS = 5000 };

struct scripted {
    const struct reduce_file *s;
    char test[PATH_MAX]; /* in full: the script is run elsewhere */
    char work[PATH_MAX]; /* a folder with one per slot */
    struct reduce_test of;
    struct pool pool;
    const struct reduce_case **jobs; /* of each slot */
    struct strbuf told;
    struct reduction r;
    const struct program *originals; /* all files, as they were */
    const char **outputs;            /* where the result of each goes */
    const char *names, *method;      /* names: of all files, for messages */
    size_t from_bytes;
    int64_t began_ms, shown_ms;
    bool drawn;
    struct error failed;
    bool has_failed;
    struct arena arena;
};

/* -- one test ---------------------------------------------------------------------------------- */

/* The text of an original in the candidate: a file that was dropped is empty. */
static struct bytes text_in(const struct program *p, const char *name)
{
    for (int i = 0; i < p->n_files; i++)
        if (!strcmp(p->files[i].name, name))
            return program_bytes(&p->files[i]);
    return bytes_of("");
}

static int write_candidate(const struct scripted *x, const struct program *p, const char *dir,
                           struct error *e)
{
    struct program whole = *x->originals;
    struct arena a;
    arena_init(&a);
    whole.files = arena_array(&a, struct program_file, whole.n_files);
    for (int i = 0; i < whole.n_files; i++) {
        const char *name = x->originals->files[i].name;
        struct bytes text = text_in(p, name);
        whole.files[i] = (struct program_file){name, text.data, text.size};
    }
    int status = program_write(&whole, dir, e);
    arena_release(&a);
    return status;
}

static int run_script(const struct scripted *x, int slot, const volatile int *stop, struct error *e)
{
    char dir[PATH_MAX];
    const char *argv[] = {x->test, NULL};
    struct child_result result;
    if ((size_t)snprintf(dir, sizeof dir, "%s/%d", x->work, slot) >= sizeof dir)
        return error_at(e, ERROR_ENVIRONMENT, x->work, 0, "path too long");
    fs_remove_tree(dir); /* fresh: what the last one left does not count */
    if (fs_make_dirs(dir, e) || write_candidate(x, &x->jobs[slot]->program, dir, e))
        return -1;
    struct child_spec spec = {.argv = argv,
                              .cwd = dir,
                              .limits = {.wall_ms = TEST_WALL_MS, .output_bytes = LARGEST},
                              .stop = stop};
    child_result_init(&result, 1024, 1024);
    int status = child_run(&spec, &result, e);
    if (!status && result.end == CHILD_NOT_STARTED)
        status = error_set(e, ERROR_USAGE, "--test: %s", result.err.s);
    int interesting = result.end == CHILD_EXITED && result.status == 0;
    if (!status && result.end == CHILD_STOPPED)
        status = error_set(e, ERROR_NONE, "stopped");
    child_result_release(&result);
    return status ? -1 : interesting;
}

struct answer {
    int interesting; /* -1: the error */
    struct error error;
};

static void job(void *of, int slot, const volatile int *stop, struct strbuf *out)
{
    struct answer answer = {0};
    answer.interesting = run_script(of, slot, stop, &answer.error);
    strbuf_add(out, &answer, sizeof answer);
}

/* -- the test of interest ---------------------------------------------------------------------- */

static void hide(struct scripted *x)
{
    if (x->drawn)
        fputs("\r\033[K", stderr);
    x->drawn = false;
}

static void show(struct scripted *x)
{
    bool terminal = x->s->show == INTEREST_TERMINAL;
    int64_t now = clock_ms(), spent = now - x->began_ms;
    if (x->s->show == INTEREST_QUIET || now - x->shown_ms < (terminal ? LINE_MS : PLAIN_MS))
        return;
    char time[32];
    x->shown_ms = now;
    fprintf(stderr, "%s%s: %s: %zu of %zu bytes, %lld tests, %.1f/s, %s%s",
            terminal ? "\r\033[?7l" : "", x->names, *x->r.pass ? x->r.pass : "starting",
            program_size(&x->r.best.program), x->from_bytes, (long long)x->r.stats.tests,
            spent > 0 ? (double)x->r.stats.tests * 1000 / (double)spent : 0,
            text_duration(spent, time), terminal ? "\033[K\033[?7h" : "\n"); /* no line break */
    x->drawn = terminal;
    fflush(stderr);
}

static int begin(void *of, int slot, const struct reduce_case *c, struct error *e)
{
    struct scripted *x = of;
    x->jobs[slot] = c;
    return pool_begin(&x->pool, slot, job, x, e);
}

static int end(void *of, int *slot, enum reduce_answer *out, struct error *e)
{
    struct scripted *x = of;
    struct answer answer;
    int status;
    do {
        status = pool_end(&x->pool, LINE_MS, x->s->stop, slot, &x->told, e);
        show(x);
    } while (status > 0);
    if (status)
        return -1;
    if (x->told.n != sizeof answer)
        return error_set(e, ERROR_ENVIRONMENT, "a test died (is there enough memory?)");
    memcpy(&answer, x->told.s, sizeof answer);
    if (answer.interesting < 0) {
        *e = answer.error;
        return -1;
    }
    if (x->has_failed) {
        *e = x->failed;
        return -1;
    }
    *out = answer.interesting ? REDUCE_INTERESTING : REDUCE_BORING;
    return 0;
}

static void drop(void *of, int slot)
{
    struct scripted *x = of;
    pool_drop(&x->pool, slot);
}

static int write_result(const struct scripted *x, const struct program *p, struct error *e)
{
    for (int i = 0; i < x->originals->n_files; i++) {
        struct bytes text = text_in(p, x->originals->files[i].name);
        if (fs_write(x->outputs[i], text.data, text.size, e))
            return -1;
    }
    return 0;
}

/* The best so far is always on the disk. */
static void better(void *of, const struct reduce_case *c, const char *pass)
{
    struct scripted *x = of;
    (void)pass;
    x->has_failed |= write_result(x, &c->program, &x->failed) != 0;
    show(x);
}

/* -- the program ------------------------------------------------------------------------------- */

static const char *output_of(const struct reduce_file *s, const char *file, struct arena *a)
{
    if (s->output || s->in_place)
        return s->output ? s->output : file;
    const char *slash = strrchr(file, '/'), *dot = strrchr(file, '.');
    if (!dot || (slash && dot < slash))
        return arena_printf(a, "%s.reduced", file);
    return arena_printf(a, "%.*s.reduced%s", (int)(dot - file), file, dot);
}

static int read_program(struct scripted *x, struct program *out, struct error *e)
{
    const struct reduce_file *s = x->s;
    const char *language = language_of_file(s->files[0])->name;
    *out = (struct program){.language = *language ? language : "text",
                            .files = arena_array(&x->arena, struct program_file, s->n_files),
                            .n_files = s->n_files,
                            .needs = "",
                            .made = {"file", "", "", 0, NULL}};
    x->outputs = arena_array(&x->arena, const char *, s->n_files);
    x->names = "";
    for (int i = 0; i < s->n_files; i++) {
        if (program_file_read(s->files[i], LARGEST, &x->arena, &out->files[i], e))
            return -1;
        for (int k = 0; k < i; k++)
            if (!strcmp(out->files[k].name, out->files[i].name))
                return error_set(
                    e, ERROR_USAGE,
                    "%s and %s have the same name: a test runs in one folder with all the files",
                    s->files[k], s->files[i]);
        x->outputs[i] = output_of(s, s->files[i], &x->arena);
        x->names = arena_printf(&x->arena, "%s%s%s", x->names, i ? ", " : "", s->files[i]);
    }
    return 0;
}

/* What is there under this name: 1 the same, 0 something else, -1 nothing. */
static int compare_file(const char *path, struct bytes text)
{
    struct strbuf there;
    struct error ignored = {0};
    if (!fs_exists(path))
        return -1;
    strbuf_init(&there, 0);
    int same = !fs_read(path, &there, &ignored) && bytes_equal(bytes_in(&there), text);
    strbuf_release(&there);
    return same;
}

/* FILE.orig; where something else has that name, as after an interrupted run, FILE.orig.1 and so
 * on. */
static int keep_original(struct scripted *x, const char *file, struct bytes text, struct error *e)
{
    enum { MOST = 1000 };
    for (int i = 0; i < MOST; i++) {
        const char *path = i ? arena_printf(&x->arena, "%s.orig.%d", file, i)
                             : arena_printf(&x->arena, "%s.orig", file);
        int there = compare_file(path, text);
        if (there)
            return there > 0 ? 0 : fs_write(path, text.data, text.size, e);
    }
    return error_set(e, ERROR_ENVIRONMENT,
                     "%s: there are already %d .orig files of it: remove some", file, MOST);
}

static int keep_originals(struct scripted *x, struct error *e)
{
    if (!x->s->in_place || x->s->output)
        return 0;
    for (int i = 0; i < x->s->n_files; i++)
        if (keep_original(x, x->s->files[i], program_bytes(&x->originals->files[i]), e))
            return -1;
    return 0;
}

/* -- the whole --------------------------------------------------------------------------------- */

static int first_test(struct scripted *x, struct error *e)
{
    enum reduce_answer answer;
    int slot;
    if (begin(x, 0, &x->r.best, e) || end(x, &slot, &answer, e))
        return -1;
    if (answer == REDUCE_INTERESTING)
        return 0;
    return error_set(
        e, ERROR_USAGE,
        "%s is not interesting: %s must exit with status 0 in a fresh folder that holds the file%s",
        x->names, x->s->test, x->s->n_files == 1 ? "" : "s");
}

__attribute__((format(printf, 2, 3))) static void note(const struct scripted *x, const char *format,
                                                       ...)
{
    va_list ap;
    if (x->s->show == INTEREST_QUIET)
        return;
    va_start(ap, format);
    text_vprint(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
}

/* On its tree where there is one: judged by interp where that can run it, else only compiled. 1:
 * something was done. */
static int by_tree(struct scripted *x, struct error *e)
{
    struct program p = x->r.best.program;
    struct reduce_c tree;
    struct error why;
    bool must = x->s->method && !strcmp(x->s->method, "c");
    if ((x->s->method && !must) || (!must && strcmp(p.language, "c") != 0))
        return 0;
    if (p.n_files > 1 && !must) {
        note(x,
             "%s: several files are reduced as text; your script must rule out undefined "
             "behaviour",
             x->names);
        return 0;
    }
    int status = reduce_c_import(&p, &x->arena, &tree, &why);
    if (status) {
        p.build_only = true;
        status = reduce_c_import(&p, &x->arena, &tree, NULL);
        note(x, "%s: undefined behaviour is not ruled out, your script must do that: %s", x->names,
             why.message);
    }
    if (status && must)
        return error_set(e, ERROR_USAGE, "%s cannot be reduced by the method 'c': %s", x->names,
                         why.message);
    if (status) {
        note(x, "%s: reduced as text", x->names);
        return 0;
    }
    int64_t before = x->r.stats.tests;
    int kept = reduce_c(&x->r, &tree, e);
    cc_program_release(tree.program);
    if (kept < 0)
        return -1;
    if (kept || x->r.stats.tests > before + 1)
        x->method = "c";
    return *x->method != 0;
}

static int reduce(struct scripted *x, struct error *e)
{
    x->method = "";
    if (first_test(x, e) || keep_originals(x, e))
        return -1;
    int done = by_tree(x, e);
    if (done)
        return done < 0 ? -1 : 0;
    x->method = "text";
    return reduce_text(&x->r, e) < 0 ? -1 : 0;
}

static struct json *files_json(const struct scripted *x)
{
    struct json *all = json_new("[]");
    for (int i = 0; i < x->originals->n_files; i++) {
        const struct program_file *f = &x->originals->files[i];
        json_append(all, "{s:s,s:s,s:I,s:I}", "file", x->s->files[i], "output", x->outputs[i],
                    "from_bytes", (int64_t)f->size, "bytes",
                    (int64_t)text_in(&x->r.best.program, f->name).size);
    }
    return all;
}

static void tell_json(const struct scripted *x, bool interrupted)
{
    const struct reduce_stats *s = &x->r.stats;
    json_print(json_new("{s:s,s:s,s:s,s:b,s:I,s:I,s:I,s:I,s:I,s:o}", "file", x->names, "output",
                        x->outputs[0], "method", x->method, "interrupted", interrupted,
                        "from_bytes", (int64_t)x->from_bytes, "bytes",
                        (int64_t)program_size(&x->r.best.program), "tests", (int64_t)s->tests,
                        "refused", (int64_t)s->refused, "wall_ms",
                        (int64_t)(clock_ms() - x->began_ms), "files", files_json(x)),
               true);
}

/* How to go on from what there is now. */
static void tell_resume(const struct scripted *x)
{
    if (x->s->in_place && !x->s->output)
        text_print(stdout, "  the same command resumes\n");
    else if (x->s->n_files == 1)
        text_print(stdout, "  to resume from there: assay reduce --test %s %s -o %s\n", x->s->test,
                   x->outputs[0], x->outputs[0]);
}

static void tell(struct scripted *x, bool interrupted)
{
    const struct program *best = &x->r.best.program;
    char time[32];
    hide(x);
    if (x->s->json)
        tell_json(x, interrupted);
    if (x->s->json || x->s->show == INTEREST_QUIET)
        return;
    text_print(stdout, "%s: %s%zu -> %zu bytes%s%s, %lld tests, %s: ", x->names,
               interrupted ? "interrupted at " : "", x->from_bytes, program_size(best),
               *x->method ? " by " : "", x->method, (long long)x->r.stats.tests,
               text_duration(clock_ms() - x->began_ms, time));
    bool in_place = x->s->in_place && !x->s->output;
    for (int i = 0; i < x->s->n_files && !in_place; i++)
        text_print(stdout, "%s%s", i ? ", " : "", x->outputs[i]);
    text_print(stdout, "%s\n", in_place ? "in place, the original is in .orig" : "");
    if (interrupted)
        tell_resume(x);
}

static int prepare(struct scripted *x, struct reduce_case *c, struct error *e)
{
    if (!realpath(x->s->test, x->test))
        return error_set(e, ERROR_USAGE, "--test: there is no file %s", x->s->test);
    if (access(x->test, X_OK))
        return error_set(e, ERROR_USAGE, "--test: %s cannot be executed (chmod +x)", x->s->test);
    *c = (struct reduce_case){.flags = ""};
    if (read_program(x, &c->program, e))
        return -1;
    x->originals = &c->program;
    x->from_bytes = program_size(&c->program);
    return fs_make_temp_dir("assay-reduce", x->work, sizeof x->work, e);
}

int reduce_file_run(const struct reduce_file *s, struct error *e)
{
    struct scripted x = {.s = s, .began_ms = clock_ms(), .shown_ms = clock_ms()};
    struct reduce_case c;
    arena_init(&x.arena);
    strbuf_init(&x.told, 0);
    int status = prepare(&x, &c, e);
    if (!status) {
        x.of = (struct reduce_test){.of = &x,
                                    .slots = s->slots,
                                    .begin = begin,
                                    .end = end,
                                    .drop = drop,
                                    .better = better};
        x.jobs = arena_array(&x.arena, const struct reduce_case *, s->slots);
        pool_init(&x.pool, s->slots);
        reduction_init(&x.r, &x.of, &c);
        x.r.stop = s->stop;
        status = reduce(&x, e);
        bool interrupted = status && e->kind == ERROR_NONE;
        if (program_size(&x.r.best.program) > x.from_bytes) /* it is written otherwise at first */
            x.r.best = c;
        if (!status || interrupted)
            status = write_result(&x, &x.r.best.program, e);
        if (!status)
            tell(&x, interrupted);
        hide(&x);
        pool_release(&x.pool);
        reduction_release(&x.r);
    }
    if (x.work[0])
        fs_remove_tree(x.work);
    strbuf_release(&x.told);
    arena_release(&x.arena);
    return status ? -1 : EXIT_CLEAN;
}
