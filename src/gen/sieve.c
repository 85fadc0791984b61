#include "gen/sieve.h"
#include "base/child.h"
#include "base/fs.h"
#include "base/text.h"
#include "gen/gen.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* name, build, what its report says of a program; `run`: the binary is made and run, and without
 * optimisation, which folds uninitialised reads away and lets link what calls nothing that there
 * is. */
static const struct stage {
    const char *by;
    const char *build[14];
    bool run;
    const char *mark; /* of a report among the messages */
} stages[] = {
    {"clang -Wuninitialized",
     {"clang", "-fsyntax-only", "-Wno-everything", "-Wuninitialized", "-Wsometimes-uninitialized",
      "-Wno-error", "-fno-color-diagnostics", "-O1", NULL},
     false,
     "uninitialized]"},
    {"gcc ASan and UBSan",
     {"gcc", "-w", "-g", "-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
      "-fno-strict-aliasing", NULL},
     true,
     "ERROR: AddressSanitizer"},
    {"clang MSan",
     {"clang", "-w", "-g", "-O0", "-fsanitize=memory", NULL},
     true,
     "MemorySanitizer"},
};
enum { N_STAGES = sizeof stages / sizeof *stages };

static const struct child_limits build_limits = {.wall_ms = 60000,
                                                 .cpu_ms = 30000,
                                                 .memory_bytes = (int64_t)4 << 30,
                                                 .file_bytes = 256 << 20,
                                                 .output_bytes = 4 << 20};
/* no limit of address space: the sanitizers reserve terabytes */
static const struct child_limits run_limits = {.wall_ms = 10000,
                                               .cpu_ms = 5000,
                                               .file_bytes = 16 << 20,
                                               .processes = 8,
                                               .output_bytes = 1 << 20};

struct sieve {
    const struct program *program;
    const volatile int *stop;
    char folder[PATH_MAX];
    struct child_result child;
    struct sieve_result *out;
};

static int run_child(struct sieve *s, const char *const *argv, bool writable,
                     const struct child_limits *limits, struct error *e)
{
    const char *const env[] = {"ASAN_OPTIONS=detect_leaks=0:handle_abort=0",
                               "UBSAN_OPTIONS=print_stacktrace=0", NULL};
    struct child_spec spec = {.argv = argv,
                              .cwd = s->folder,
                              .env = env,
                              .limits = *limits,
                              .sandbox = {.on = true, .work_writable = writable},
                              .stop = s->stop};
    int status = child_run(&spec, &s->child, e);
    s->out->cpu_us += s->child.user_us + s->child.system_us;
    return status;
}

/* The line of the messages with the mark, or the first. */
static void note(struct sieve *s, const char *mark)
{
    const char *text = s->child.err.s, *line = strstr(text, mark);
    while (line && line > text && line[-1] != '\n')
        line--;
    line = line ? line : text;
    snprintf(s->out->why, sizeof s->out->why, "%.*s", (int)strcspn(line, "\n"), line);
}

static int build(struct sieve *s, const struct stage *stage, struct error *e)
{
    const char *argv[32];
    struct arena a;
    int n = 0;
    arena_init(&a);
    for (int i = 0; stage->build[i]; i++)
        argv[n++] = stage->build[i];
    for (char *word = arena_strdup(&a, s->program->needs), *rest; *word && n < 24; word = rest) {
        size_t length = strcspn(word, " ");
        rest = word + length + (word[length] == ' ');
        word[length] = '\0';
        if (length && (stage->run || strcmp(word, "-w") != 0)) /* -w beats any order */
            argv[n++] = word;
    }
    for (int i = 0; i < s->program->n_files && n < 28; i++)
        if (program_is_source(s->program->files[i].name))
            argv[n++] = s->program->files[i].name;
    if (stage->run) {
        argv[n++] = "-o";
        argv[n++] = "sieve.exe";
        argv[n++] = "-lm";
    }
    argv[n] = NULL;
    int status = run_child(s, argv, true, &build_limits, e);
    arena_release(&a);
    if (!status && s->child.end == CHILD_NOT_STARTED)
        return error_set(e, ERROR_ENVIRONMENT, "%s cannot be started: %s", stage->build[0],
                         s->child.err.s);
    return status;
}

static int try_stage(struct sieve *s, const struct stage *stage, struct error *e)
{
    static const char *const run[] = {"./sieve.exe", NULL};
    struct sieve_result *r = s->out;
    if (build(s, stage, e))
        return -1;
    if (s->child.end != CHILD_EXITED || s->child.status != 0) {
        r->verdict = SIEVE_FAILED;
        note(s, "error:");
    } else if (!stage->run) {
        if (strstr(s->child.err.s, stage->mark)) {
            r->verdict = SIEVE_UNDEFINED;
            note(s, stage->mark);
        }
    } else {
        if (run_child(s, run, false, &run_limits, e))
            return -1;
        bool endless = s->child.end == CHILD_TIMEOUT_CPU || s->child.end == CHILD_TIMEOUT_WALL;
        if (endless)
            r->verdict = SIEVE_ENDLESS;
        else if (s->child.end != CHILD_EXITED || s->child.status != 0)
            r->verdict = SIEVE_UNDEFINED;
        if (r->verdict)
            note(s, strstr(s->child.err.s, stage->mark) ? stage->mark : "runtime error");
    }
    r->by = r->verdict ? stage->by : "";
    return 0;
}

int sieve_try(const struct program *p, const volatile int *stop, struct sieve_result *out,
              struct error *e)
{
    struct sieve s = {.program = p, .stop = stop, .out = out};
    *out = (struct sieve_result){.verdict = SIEVE_CLEAN, .by = ""};
    if (fs_make_temp_dir("assay-sieve", s.folder, sizeof s.folder, e))
        return -1;
    child_result_init(&s.child, 1 << 16, 1 << 16);
    int status = program_write(p, s.folder, e);
    for (int i = 0; !status && out->verdict == SIEVE_CLEAN && i < N_STAGES; i++)
        status = try_stage(&s, &stages[i], e);
    child_result_release(&s.child);
    fs_remove_tree(s.folder);
    return status;
}

int sieve_decide(struct generator *g, struct program *p, struct strbuf *why, struct error *e)
{
    struct sieve_result r;
    int status = sieve_try(p, g->stop, &r, e);
    g->cpu_us += r.cpu_us;
    p->build_only = r.verdict != SIEVE_CLEAN;
    strbuf_addf(why, "; %s%s%s", *r.by ? r.by : "sanitizers: clean", *r.by ? ": " : "", r.why);
    return status;
}
