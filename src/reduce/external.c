/* The tool works in a folder of its own: the files, the script, and a place for its temporary
 * files, which it does not remove when it is killed. It tells its progress in lines such as
 *
 *     00:00:02 INFO ===< LinesPass::0 >===           (C-Vise)
 *     00:00:02 INFO (78.2%, 151 bytes, 50 lines)
 *     ===< pass_lines :: 0 >===                      (C-Reduce)
 *     (50.0 %, 1300 bytes)
 *
 * Its exit status says little (C-Vise ends with 0 when it refuses to begin), so the script is asked
 * by us: once before, once after. */
#include "reduce/external.h"

#include "base/child.h"
#include "base/fs.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LINE_MAX_BYTES = 512,
    LOG_BYTES = 1 << 16,
    FILE_BYTES = 256 << 20, /* that the tool or a test may write */
    VERSION_MS = 20 * 1000,
};

static const char script_name[] = "interesting.sh";

/* -- which one --------------------------------------------------------------------------------- */

static const char *ask_version(struct arena *a, const char *path)
{
    const char *const argv[] = {path, "--version", NULL};
    const struct child_spec spec = {.argv = argv,
                                    .limits = {.wall_ms = VERSION_MS, .output_bytes = LOG_BYTES}};
    struct child_result r;
    const char *version = NULL;
    child_result_init(&r, LINE_MAX_BYTES, LINE_MAX_BYTES);
    if (!child_run(&spec, &r, NULL) && r.end == CHILD_EXITED && r.status == 0) {
        const char *line = r.out.s + strspn(r.out.s, " \n");
        version = arena_printf(a, "%.*s", (int)strcspn(line, "\n"), line);
    }
    child_result_release(&r);
    return version;
}

int reduce_external_find(struct arena *a, struct external_reducer *out)
{
    static const char *const names[] = {"cvise", "creduce"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = fs_on_path(a, names[i]);
        const char *version = path ? ask_version(a, path) : NULL;
        if (version) {
            *out = (struct external_reducer){names[i], path, version};
            return 0;
        }
    }
    return -1;
}

/* -- progress ---------------------------------------------------------------------------------- */

struct listener {
    const struct external_job *job;
    char line[LINE_MAX_BYTES], pass[LINE_MAX_BYTES];
    size_t n;
    int64_t bytes;
};

static void hear_line(struct listener *l)
{
    const char *pass = strstr(l->line, "===< "), *end = strstr(l->line, " >===");
    const char *size = strchr(l->line, '%');
    long long bytes;
    if (pass && end && end > pass && strcspn(pass + 5, "0123456789") != 0) {
        snprintf(l->pass, sizeof l->pass, "%.*s", (int)(end - pass - 5), pass + 5);
    } else if (size && sscanf(size, "%%, %lld bytes", &bytes) == 1) {
        l->bytes = bytes;
        if (l->job->progress)
            l->job->progress(l->job->of, bytes, l->pass);
    }
}

/* Lines come in pieces, and may be longer than we care for. */
static void hear(void *context, const char *data, size_t n)
{
    struct listener *l = context;
    for (size_t i = 0; i < n; i++) {
        if (data[i] != '\n') {
            if (l->n + 1 < sizeof l->line)
                l->line[l->n++] = data[i];
            continue;
        }
        l->line[l->n] = '\0';
        hear_line(l);
        l->n = 0;
    }
}

/* -- one test ---------------------------------------------------------------------------------- */

static int write_script(const char *path, const char *text, struct error *e)
{
    if (fs_write(path, text, strlen(text), e))
        return -1;
    if (chmod(path, 0755))
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be made executable");
    return 0;
}

/* 1: interesting, 0: not, -1. Not to be stopped: it is short, and decides whether what was reached
 * is lost. */
static int ask_script(const struct external_job *job, const char *script, const struct program *p,
                      struct error *e)
{
    char dir[PATH_MAX];
    struct child_result r;
    const char *const argv[] = {script, NULL};
    if (fs_make_temp_dir("assay-interesting-", dir, sizeof dir, e))
        return -1;
    const struct child_spec spec = {.argv = argv,
                                    .cwd = dir,
                                    .limits = {.wall_ms = (int64_t)job->test_seconds * 1000,
                                               .file_bytes = FILE_BYTES,
                                               .output_bytes = FILE_BYTES}};
    child_result_init(&r, LOG_BYTES, LOG_BYTES);
    int status = program_write(p, dir, e) || child_run(&spec, &r, e) ? -1 : 0;
    if (!status)
        status = r.end == CHILD_EXITED && r.status == 0;
    child_result_release(&r);
    fs_remove_tree(dir);
    return status;
}

/* -- the whole --------------------------------------------------------------------------------- */

/* The tool's command in the folder; sh lets both streams come to us as one. */
static const char **command(const struct external_job *job, const struct program *p,
                            struct arena *a)
{
    const char **argv = arena_array(a, const char *, 16 + p->n_files);
    int n = 0;
    argv[n++] = "sh";
    argv[n++] = "-c";
    argv[n++] = "exec \"$@\" >&2";
    argv[n++] = "sh";
    argv[n++] = job->tool->path;
    argv[n++] = "--n";
    argv[n++] = arena_printf(a, "%d", job->cores);
    argv[n++] = "--timeout";
    argv[n++] = arena_printf(a, "%d", job->test_seconds);
    if (!job->c_like)
        argv[n++] = "--not-c";
    if (!strcmp(job->tool->name, "cvise"))
        argv[n++] = "--skip-key-off";
    argv[n++] = arena_printf(a, "./%s", script_name);
    for (int i = 0; i < p->n_files; i++)
        argv[n++] = p->files[i].name;
    return argv;
}

/* 0: done, 1: stopped or out of time, -1: it could not be run. */
static int run_tool(const struct external_job *job, const char *dir, const struct program *p,
                    struct arena *a, struct error *e)
{
    const char *temporary = arena_printf(a, "%s/tmp", dir);
    const char *const env[] = {arena_printf(a, "TMPDIR=%s", temporary), NULL};
    struct listener listener = {.job = job};
    struct child_result r;
    if (fs_make_dirs(temporary, e))
        return -1;
    const struct child_spec spec = {
        .argv = command(job, p, a),
        .cwd = dir,
        .env = env,
        .limits = {.wall_ms = job->wall_ms, .file_bytes = FILE_BYTES},
        .err_sink = {hear, &listener},
        .stop = job->stop,
    };
    child_result_init(&r, LOG_BYTES, LOG_BYTES);
    int status = child_run(&spec, &r, e);
    if (!status && r.end == CHILD_NOT_STARTED)
        status = error_at(e, ERROR_ENVIRONMENT, job->tool->path, 0, "cannot be started");
    else if (!status && (r.end == CHILD_STOPPED || r.end == CHILD_TIMEOUT_WALL))
        status = 1;
    else if (!status && (r.end != CHILD_EXITED || r.status != 0))
        status = error_at(e, ERROR_ENVIRONMENT, job->tool->path, 0,
                          "ended with status %d during '%s'; try the built-in reducer", r.status,
                          listener.pass);
    child_result_release(&r);
    return status;
}

static int read_files(const char *dir, const struct program *p, struct arena *a,
                      struct program *out, struct error *e)
{
    int status = 0;
    *out = *p;
    out->expected = (struct bytes){0};
    out->files = arena_array(a, struct program_file, p->n_files);
    for (int i = 0; i < p->n_files && !status; i++)
        status = program_file_read(arena_printf(a, "%s/%s", dir, p->files[i].name), 0, a,
                                   &out->files[i], e);
    return status;
}

static int reduce_in(const char *dir, const struct external_job *job, const struct program *p,
                     struct arena *a, struct program *out, struct error *e)
{
    const char *script = arena_printf(a, "%s/%s", dir, script_name);
    if (program_write(p, dir, e) || write_script(script, job->script, e))
        return -1;
    int good = ask_script(job, script, p, e);
    if (good == 0)
        return error_set(e, ERROR_USAGE,
                         "the script does not find the program interesting to begin with");
    int status = good < 0 ? -1 : run_tool(job, dir, p, a, e);
    if (status < 0 || read_files(dir, p, a, out, e))
        return -1;
    good = ask_script(job, script, out, e);
    if (good == 0) { /* stopped while it wrote */
        out->files = p->files;
        out->expected = p->expected;
    }
    return good < 0 ? -1 : status;
}

int reduce_external(const struct external_job *job, const struct program *p, struct arena *a,
                    struct program *out, struct error *e)
{
    char dir[PATH_MAX];
    if (fs_make_temp_dir("assay-external-", dir, sizeof dir, e))
        return -1;
    int status = reduce_in(dir, job, p, a, out, e);
    fs_remove_tree(dir);
    return status;
}
