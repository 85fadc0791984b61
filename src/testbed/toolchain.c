/* Reading toolchain files and finding compilers. One table names every key; a key that is not in
 * it gets file, line and the nearest right one (base/ini). */
#include "testbed/toolchain.h"
#include "base/fs.h"
#include "base/ini.h"
#include "base/probe.h"
#include "base/text.h"
#include "testbed/flags.h"

#include <dirent.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEYS(X)                                                                                    \
    X(KEY_NAME, "toolchain", "name")                                                               \
    X(KEY_LANGUAGE, "toolchain", "language")                                                       \
    X(KEY_SUFFIX, "toolchain", "suffix")                                                           \
    X(KEY_MODEL, "toolchain", "model")                                                             \
    X(KEY_REFERENCE, "toolchain", "reference")                                                     \
    X(KEY_FILTER, "toolchain", "filter")                                                           \
    X(KEY_UNDEFINED, "toolchain", "undefined")                                                     \
    X(KEY_SUSPECT, "toolchain", "suspect")                                                         \
    X(KEY_OTHER_INPUTS, "toolchain", "other-inputs")                                               \
    X(KEY_TOLERANCE, "toolchain", "tolerance")                                                     \
    X(KEY_DEFAULT, "toolchain", "default")                                                         \
    X(KEY_TRACE, "toolchain", "trace")                                                             \
    X(KEY_FIND, "toolchain", "find")                                                               \
    X(KEY_PROBE, "toolchain", "probe")                                                             \
    X(KEY_VERSION, "toolchain", "version")                                                         \
    X(KEY_COMPILE, "toolchain", "compile")                                                         \
    X(KEY_LIBRARY, "toolchain", "library")                                                         \
    X(KEY_RUN, "toolchain", "run")                                                                 \
    X(KEY_FLAGS, "toolchain", "flags")                                                             \
    X(KEY_EXTRA_FLAGS, "toolchain", "extra-flags")                                                 \
    X(KEY_FLAG_LEVEL, "toolchain", "flag-level")                                                   \
    X(KEY_FLAG_LIST, "toolchain", "flag-list")                                                     \
    X(KEY_FLAG_FORM, "toolchain", "flag-form")                                                     \
    X(KEY_PARAM_FORM, "toolchain", "param-form")                                                   \
    X(KEY_FLAG_ALSO, "toolchain", "flag-also")                                                     \
    X(KEY_FLAG_ONLY, "toolchain", "flag-only")                                                     \
    X(KEY_FLAG_EXCLUDE, "toolchain", "flag-exclude")                                               \
    X(KEY_CRASH, "toolchain", "crash")                                                             \
    X(KEY_LACKS, "toolchain", "lacks")                                                             \
    X(KEY_MESSAGE, "toolchain", "message")                                                         \
    X(KEY_SILENT_CRASH, "toolchain", "silent-crash")                                               \
    X(KEY_RUN_CRASH, "toolchain", "run-crash")                                                     \
    X(KEY_ABSTAIN, "toolchain", "abstain")                                                         \
    X(KEY_MAY_TIME_OUT, "toolchain", "may-time-out")                                               \
    X(KEY_IGNORE_STATUS, "toolchain", "ignore-status")                                             \
    X(KEY_SEES, "toolchain", "sees")                                                               \
    X(KEY_ENV, "toolchain", "env")                                                                 \
    X(KEY_STDIN, "toolchain", "stdin")                                                             \
    X(KEY_NORMALISE, "toolchain", "normalise")                                                     \
    X(KEY_SERVER, "toolchain", "server")                                                           \
    X(KEY_SERVER_INIT, "toolchain", "server-init")                                                 \
    X(KEY_SERVER_READY, "toolchain", "server-ready")                                               \
    X(KEY_SERVER_STOP, "toolchain", "server-stop")                                                 \
    X(KEY_SERVER_USER, "toolchain", "server-user")                                                 \
    X(KEY_SERVER_BEGIN, "toolchain", "server-begin")                                               \
    X(KEY_SERVER_END, "toolchain", "server-end")                                                   \
    X(KEY_BLAME_NONE, "blame", "none")                                                             \
    X(KEY_BLAME_LIMIT, "blame", "limit")                                                           \
    X(KEY_BLAME_PASS, "blame", "pass")                                                             \
    X(KEY_BLAME_SWITCH_LIST, "blame", "switch-list")                                               \
    X(KEY_BLAME_SWITCH_FORM, "blame", "switch-form")                                               \
    X(KEY_BLAME_SWITCH_KEEP, "blame", "switch-keep")                                               \
    X(KEY_BLAME_SWITCH_LAST, "blame", "switch-last")                                               \
    X(KEY_BLAME_PASS_LIST, "blame", "pass-list")                                                   \
    X(KEY_BLAME_PASS_FORM, "blame", "pass-form")                                                   \
    X(KEY_BLAME_COUNTER_LIST, "blame", "counter-list")                                             \
    X(KEY_BLAME_COUNTER_FORM, "blame", "counter-form")                                             \
    X(KEY_BLAME_COUNT, "blame", "count")                                                           \
    X(KEY_COMPILE_CPU, "limits", "compile-cpu")                                                    \
    X(KEY_COMPILE_WALL, "limits", "compile-wall")                                                  \
    X(KEY_COMPILE_MEMORY, "limits", "compile-memory")                                              \
    X(KEY_RUN_CPU, "limits", "run-cpu")                                                            \
    X(KEY_RUN_WALL, "limits", "run-wall")                                                          \
    X(KEY_RUN_MEMORY, "limits", "run-memory")                                                      \
    X(KEY_FILE_SIZE, "limits", "file-size")                                                        \
    X(KEY_PROCESSES, "limits", "processes")                                                        \
    X(KEY_OUTPUT, "limits", "output")

enum key {
#define X(id, section, name) id,
    KEYS(X)
#undef X
        KEY_COUNT
};

static const struct ini_key key_table[KEY_COUNT] = {
#define X(id, section, name) {section, name},
    KEYS(X)
#undef X
};

/* CPU limits are what decides; the wall limits are wider, because a loaded machine must not turn
 * a slow compile into a hang. DeepSmith waited 60 s for a compiler. A generated program that ends
 * does so in milliseconds; one in ten of csmith's does not end, and each costs this limit twice. */
static const struct testbed_limits default_limits = {
    .compile = {.wall_ms = 120000,
                .cpu_ms = 60000,
                .memory_bytes = (int64_t)8 << 30,
                .file_bytes = 512 << 20,
                .processes = 256,
                .output_bytes = 64 << 20},
    .run = {.wall_ms = 30000,
            .cpu_ms = 2000,
            .memory_bytes = (int64_t)2 << 30,
            .file_bytes = 64 << 20,
            .processes = 64,
            .output_bytes = 16 << 20},
};

struct reading {
    struct toolchain *t;
    struct arena *arena;
};

static int take_bool(const char *file, int line, const char *value, bool *out, struct error *e)
{
    if (!strcmp(value, "yes") || !strcmp(value, "no")) {
        *out = *value == 'y';
        return 0;
    }
    return error_at(e, ERROR_USAGE, file, line, "'%s' is neither yes nor no", value);
}

/* One more pattern of a key that may stand often. */
static int take_one_of(const char *value, pattern_list *list, struct error *e)
{
    struct pattern pattern;
    if (pattern_compile(&pattern, value, e))
        return -1;
    vec_push(list, pattern);
    return 0;
}

/* A pattern whose first group is what we are after. */
static int take_group(const char *value, struct pattern *out, struct error *e)
{
    pattern_release(out);
    if (pattern_compile(out, value, e))
        return -1;
    if (out->regex.re_nsub < 1)
        return error_set(e, ERROR_USAGE,
                         "'%s' has no group: put the part that is meant in parentheses", value);
    return 0;
}

static int take_duration(const char *file, int line, const char *value, int64_t *out,
                         struct error *e)
{
    if (text_parse_duration(value, out))
        return 0;
    return error_at(e, ERROR_USAGE, file, line, "'%s' is not a time such as 30s or 2m", value);
}

static int take_size(const char *file, int line, const char *value, int64_t *out, struct error *e)
{
    if (text_parse_size(value, out))
        return 0;
    return error_at(e, ERROR_USAGE, file, line, "'%s' is not a size such as 64M or 2G", value);
}

static int take_template(const struct reading *r, int line, const char *value, struct error *e)
{
    static const char *const holes[] = {"{cc}",    "{flags}",  "{src}",  "{exe}",
                                        "{needs}", "{dir}",    "{lib}",  "{bin}",
                                        "{assay}", "{server}", "{test}", "{inputs}"};
    char **words;
    if (text_split(r->arena, value, &words) < 1)
        return error_at(e, ERROR_USAGE, r->t->file, line, "'%s' is no command (a quote left open?)",
                        value);
    for (char **w = words; *w; w++) {
        for (const char *hole = *w; (hole = strchr(hole, '{')); hole++) {
            bool known = false;
            for (size_t i = 0; i < sizeof holes / sizeof *holes; i++)
                known |= !strncmp(hole, holes[i], strlen(holes[i]));
            if (!known)
                return error_at(e, ERROR_USAGE, r->t->file, line,
                                "'%s' has a placeholder that is none of {cc} {flags} {src} {exe} "
                                "{needs} {dir} {lib} {bin} {assay} {server} {test} {inputs}",
                                *w);
        }
    }
    return 0;
}

/* The share by which numbers may differ. */
static int take_share(const char *file, int line, const char *value, double *out, struct error *e)
{
    char *end;
    *out = strtod(value, &end);
    if (end != value && !*end && *out >= 0 && *out < 1)
        return 0;
    return error_at(e, ERROR_USAGE, file, line, "'%s' is not a share such as 1e-3", value);
}

static int take_limit(struct reading *r, enum key key, const char *value, int line, struct error *e)
{
    const char *file = r->t->file;
    struct child_limits *compile = &r->t->limits.compile, *run = &r->t->limits.run;
    int64_t number = 0;
    switch (key) {
    case KEY_COMPILE_CPU:
        return take_duration(file, line, value, &compile->cpu_ms, e);
    case KEY_COMPILE_WALL:
        return take_duration(file, line, value, &compile->wall_ms, e);
    case KEY_COMPILE_MEMORY:
        return take_size(file, line, value, &compile->memory_bytes, e);
    case KEY_RUN_CPU:
        return take_duration(file, line, value, &run->cpu_ms, e);
    case KEY_RUN_WALL:
        return take_duration(file, line, value, &run->wall_ms, e);
    case KEY_RUN_MEMORY:
        return take_size(file, line, value, &run->memory_bytes, e);
    case KEY_FILE_SIZE:
        if (take_size(file, line, value, &run->file_bytes, e))
            return -1;
        compile->file_bytes = run->file_bytes;
        return 0;
    case KEY_OUTPUT:
        return take_size(file, line, value, &run->output_bytes, e);
    default:
        if (!text_parse_int(value, 1, 100000, &number))
            return error_at(e, ERROR_USAGE, file, line, "'%s' is not a number of processes", value);
        compile->processes = run->processes = (int)number;
        return 0;
    }
}

static int take_list(string_list *list, const char *value)
{
    vec_push(list, value);
    return 0;
}

static int take_words(const struct reading *r, int line, const char *value, string_list *list,
                      struct error *e)
{
    char **words;
    if (text_split(r->arena, value, &words) < 1)
        return error_at(e, ERROR_USAGE, r->t->file, line, "'%s' is no list of words", value);
    for (char **w = words; *w; w++)
        vec_push(list, *w);
    return 0;
}

/* Paths, absolute or in the folder of the file. */
static int take_paths(const struct reading *r, int line, const char *value, string_list *list,
                      struct error *e)
{
    size_t first = list->n;
    if (take_words(r, line, value, list, e))
        return -1;
    for (size_t i = first; i < list->n; i++)
        if (*(list->at[i] = text_fill(r->arena, list->at[i], "{dir}", r->t->dir)) != '/')
            return error_at(e, ERROR_USAGE, r->t->file, line, "'%s' is no absolute path",
                            list->at[i]);
    return 0;
}

static int take_form(const struct reading *r, const char *value, substitution_list *list,
                     struct error *e)
{
    struct substitution substitution;
    if (substitution_compile(&substitution, value, r->arena, e))
        return -1;
    vec_push(list, substitution);
    return 0;
}

static int take_random(const struct reading *r, enum key key, const char *value, int line,
                       struct error *e)
{
    struct flag_rules *rules = &r->t->random;
    switch (key) {
    case KEY_FLAG_LEVEL:
        return take_words(r, line, value, &rules->levels, e);
    case KEY_FLAG_LIST:
        take_list(&rules->lists, value);
        return take_template(r, line, value, e);
    case KEY_FLAG_FORM:
        return take_form(r, value, &rules->forms, e);
    case KEY_PARAM_FORM:
        return take_form(r, value, &rules->params, e);
    case KEY_FLAG_ALSO:
        if (!flag_form_good(value))
            return error_at(e, ERROR_USAGE, r->t->file, line,
                            "'%s' is no form such as -f[|no-]gcse, -O[1|2] or -fx=<0,9,1>", value);
        return take_list(&rules->also, value);
    default:
        return take_one_of(value, key == KEY_FLAG_ONLY ? &rules->only : &rules->exclude, e);
    }
}

static int take_server(const struct reading *r, enum key key, const char *value, int line,
                       struct error *e)
{
    struct toolchain *t = r->t;
    switch (key) {
    case KEY_SERVER_USER:
        t->server.users = value;
        return 0;
    case KEY_SERVER:
        t->server.command = value;
        break;
    case KEY_SERVER_READY:
        t->server.ready = value;
        break;
    case KEY_SERVER_STOP:
        t->server.stop = value;
        break;
    case KEY_SERVER_INIT:
        take_list(&t->server_init, value);
        break;
    case KEY_SERVER_BEGIN:
        take_list(&t->server_begin, value);
        break;
    default:
        take_list(&t->server_end, value);
        break;
    }
    return take_template(r, line, value, e);
}

static int take_hole(const struct reading *r, int line, const char *value, const char *hole,
                     const char **out, struct error *e)
{
    *out = value;
    if (value && strstr(value, hole))
        return 0;
    return error_at(e, ERROR_USAGE, r->t->file, line, "'%s' lacks %s", value ? value : "", hole);
}

static int take_blame(const struct reading *r, enum key key, const char *value, int line,
                      struct error *e)
{
    struct toolchain *t = r->t;
    struct testbed_blame *b = &t->blame;
    switch (key) {
    case KEY_BLAME_NONE:
        b->none = value;
        return 0;
    case KEY_BLAME_LIMIT:
        return take_hole(r, line, value, "{n}", &b->limit, e);
    case KEY_BLAME_PASS:
        if (take_group(value, &b->pass, e))
            return -1;
        if (b->pass.regex.re_nsub < 2)
            return error_at(e, ERROR_USAGE, t->file, line,
                            "'%s' needs two groups: the number of a pass and its name", value);
        return 0;
    case KEY_BLAME_SWITCH_LIST:
        b->switch_list = value;
        return 0;
    case KEY_BLAME_SWITCH_FORM:
        return take_form(r, value, &t->blame_switches, e);
    case KEY_BLAME_SWITCH_KEEP:
        return take_one_of(value, &t->blame_keep, e);
    case KEY_BLAME_SWITCH_LAST:
        return take_one_of(value, &t->blame_last, e);
    case KEY_BLAME_PASS_LIST:
        b->pass_list = value;
        return 0;
    case KEY_BLAME_PASS_FORM:
        return take_form(r, value, &t->blame_passes, e);
    case KEY_BLAME_COUNTER_LIST:
        b->counter_list = value;
        return 0;
    case KEY_BLAME_COUNTER_FORM:
        pattern_release(&b->counter.from);
        return substitution_compile(&b->counter, value, r->arena, e);
    default:
        return take_hole(r, line, value, "{name}", &b->count, e) ||
                       take_hole(r, line, value, "{n}", &b->count, e)
                   ? -1
                   : 0;
    }
}

static int take(void *context, int key, const char *value, int line, struct error *e)
{
    struct reading *r = context;
    struct toolchain *t = r->t;
    switch ((enum key)key) {
    case KEY_NAME:
        t->name = value;
        return 0;
    case KEY_LANGUAGE:
        t->language = value;
        return 0;
    case KEY_SUFFIX:
        t->suffix = value;
        return 0;
    case KEY_MODEL:
        t->model = value;
        return 0;
    case KEY_REFERENCE:
        return take_bool(t->file, line, value, &t->reference, e);
    case KEY_FILTER:
        return take_bool(t->file, line, value, &t->filter, e);
    case KEY_UNDEFINED:
        return take_one_of(value, &t->undefined, e);
    case KEY_SUSPECT:
        return take_one_of(value, &t->suspect, e);
    case KEY_OTHER_INPUTS:
        t->other_inputs = value;
        return 0;
    case KEY_TOLERANCE:
        return take_share(t->file, line, value, &t->tolerance, e);
    case KEY_SEES:
        return take_paths(r, line, value, &t->sees, e);
    case KEY_ENV:
        return take_words(r, line, value, &t->env, e);
    case KEY_DEFAULT:
        return take_bool(t->file, line, value, &t->by_default, e);
    case KEY_TRACE:
        t->traces = !strcmp(value, "volatile");
        if (t->traces || !strcmp(value, "no"))
            return 0;
        return error_at(e, ERROR_USAGE, t->file, line, "'%s' is neither volatile nor no", value);
    case KEY_FIND:
        return take_list(&t->find, value);
    case KEY_PROBE:
        t->probe = value;
        return take_template(r, line, value, e);
    case KEY_VERSION:
        return take_group(value, &t->version, e);
    case KEY_MESSAGE:
        return take_group(value, &t->message, e);
    case KEY_COMPILE:
        take_list(&t->compile, value);
        return take_template(r, line, value, e);
    case KEY_LIBRARY:
        t->library = value;
        return take_template(r, line, value, e);
    case KEY_FLAG_LEVEL:
    case KEY_FLAG_LIST:
    case KEY_FLAG_FORM:
    case KEY_PARAM_FORM:
    case KEY_FLAG_ALSO:
    case KEY_FLAG_ONLY:
    case KEY_FLAG_EXCLUDE:
        return take_random(r, (enum key)key, value, line, e);
    case KEY_RUN:
        t->run = value;
        return take_template(r, line, value, e);
    case KEY_FLAGS:
        return take_list(&t->flags, value);
    case KEY_EXTRA_FLAGS:
        return take_list(&t->extra_flags, value);
    case KEY_CRASH:
        return take_one_of(value, &t->crash, e);
    case KEY_LACKS:
        return take_one_of(value, &t->lacks, e);
    case KEY_RUN_CRASH:
        return take_one_of(value, &t->run_crash, e);
    case KEY_ABSTAIN:
        return take_one_of(value, &t->abstain, e);
    case KEY_SILENT_CRASH:
        return take_bool(t->file, line, value, &t->silent_crash, e);
    case KEY_MAY_TIME_OUT:
        return take_bool(t->file, line, value, &t->may_time_out, e);
    case KEY_IGNORE_STATUS:
        return take_bool(t->file, line, value, &t->ignore_status, e);
    case KEY_STDIN:
        t->input = value;
        return 0;
    case KEY_NORMALISE:
        return take_form(r, value, &t->normalise, e);
    case KEY_SERVER:
    case KEY_SERVER_INIT:
    case KEY_SERVER_READY:
    case KEY_SERVER_STOP:
    case KEY_SERVER_USER:
    case KEY_SERVER_BEGIN:
    case KEY_SERVER_END:
        return take_server(r, (enum key)key, value, line, e);
    case KEY_BLAME_NONE:
    case KEY_BLAME_LIMIT:
    case KEY_BLAME_PASS:
    case KEY_BLAME_SWITCH_LIST:
    case KEY_BLAME_SWITCH_FORM:
    case KEY_BLAME_SWITCH_KEEP:
    case KEY_BLAME_SWITCH_LAST:
    case KEY_BLAME_PASS_LIST:
    case KEY_BLAME_PASS_FORM:
    case KEY_BLAME_COUNTER_LIST:
    case KEY_BLAME_COUNTER_FORM:
    case KEY_BLAME_COUNT:
        return take_blame(r, (enum key)key, value, line, e);
    default:
        return take_limit(r, (enum key)key, value, line, e);
    }
}

/* A filter says of a run whether it may be believed: there must be one, and nothing else of it is
 * judged. */
static int check_filter(const struct toolchain *t, struct error *e)
{
    if (t->filter && (t->reference || t->traces))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'filter = yes' and '%s' exclude each other: a filter is not judged and "
                        "does not vote",
                        t->reference ? "reference = yes" : "trace = volatile");
    if (t->filter && !t->run)
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'filter = yes' needs a 'run': what that prints tells what is undefined");
    if (!t->filter && t->undefined.n)
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'undefined' is what a filter prints: 'filter = yes' is missing");
    if (t->other_inputs && (!t->run || !strstr(t->run, "{inputs}")))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'other-inputs' needs a 'run' with {inputs}, which is where they go");
    return 0;
}

static int check_complete(const struct toolchain *t, struct error *e)
{
    const char *missing = !t->name                   ? "name"
                          : !t->language             ? "language"
                          : !t->find.n               ? "find"
                          : !t->compile.n && !t->run ? "compile"
                                                     : NULL;
    if (missing)
        return error_at(e, ERROR_USAGE, t->file, 0, "[toolchain] lacks '%s'", missing);
    if (check_filter(t, e))
        return -1;
    if (t->traces && t->reference)
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'trace = volatile' and 'reference = yes' exclude each other: a testbed "
                        "that traces does not vote");
    if (t->traces && (!t->run || !strstr(t->run, "{exe}")))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'trace = volatile' needs a 'run' with {exe}: that is what is traced");
    bool around = t->server.ready || t->server.stop || t->server.users || t->server_init.n ||
                  t->server_begin.n || t->server_end.n;
    if (!t->server.command && around)
        return error_at(e, ERROR_USAGE, t->file, 0, "there is no 'server' that all this is for");
    if (t->library && !strstr(t->library, "{lib}"))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'library' lacks {lib}, which is where the library goes");
    const struct testbed_blame *b = &t->blame;
    const char *half = !b->limit != !b->pass.text                ? "'limit' and 'pass'"
                       : !b->switch_list != !t->blame_switches.n ? "'switch-list' and 'switch-form'"
                       : !b->pass_list != !t->blame_passes.n     ? "'pass-list' and 'pass-form'"
                       : !b->counter_list != !b->counter.from.text || !b->counter_list != !b->count
                           ? "'counter-list', 'counter-form' and 'count'"
                           : NULL;
    if (half)
        return error_at(e, ERROR_USAGE, t->file, 0, "[blame]: %s need each other", half);
    const struct flag_rules *random = &t->random;
    if (!random->levels.n && (random->lists.n || random->also.n))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "flags are drawn on top of a level: 'flag-level' is missing");
    return 0;
}

static const char *folder_of(struct arena *a, const char *path)
{
    char real[PATH_MAX];
    if (!realpath(path, real))
        return ".";
    char *slash = strrchr(real, '/');
    return arena_memdup(a, real, slash > real ? (size_t)(slash - real) : 1);
}

static void release_patterns(pattern_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        regfree(&list->at[i].regex);
    vec_release(list);
}

static void release_substitutions(substitution_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        regfree(&list->at[i].from.regex);
    vec_release(list);
}

static void release_rules(struct flag_rules *rules)
{
    vec_release(&rules->levels);
    vec_release(&rules->lists);
    vec_release(&rules->also);
    release_substitutions(&rules->forms);
    release_substitutions(&rules->params);
    release_patterns(&rules->only);
    release_patterns(&rules->exclude);
}

static void toolchain_release(struct toolchain *t)
{
    pattern_release(&t->version);
    pattern_release(&t->message);
    vec_release(&t->server_init);
    vec_release(&t->server_begin);
    vec_release(&t->server_end);
    vec_release(&t->find);
    vec_release(&t->sees);
    vec_release(&t->env);
    vec_release(&t->compile);
    vec_release(&t->flags);
    vec_release(&t->extra_flags);
    release_patterns(&t->crash);
    release_patterns(&t->lacks);
    release_patterns(&t->run_crash);
    release_patterns(&t->abstain);
    release_patterns(&t->undefined);
    release_patterns(&t->suspect);
    release_substitutions(&t->normalise);
    release_rules(&t->random);
    pattern_release(&t->blame.pass);
    pattern_release(&t->blame.counter.from);
    release_substitutions(&t->blame_switches);
    release_substitutions(&t->blame_passes);
    release_patterns(&t->blame_keep);
    release_patterns(&t->blame_last);
}

/* A copy that ends with NULL. */
static const char *const *ended(const string_list *list, struct arena *a)
{
    const char **copy = arena_array(a, const char *, list->n + 1);
    if (list->n)
        memcpy(copy, list->at, list->n * sizeof *copy);
    return copy;
}

int toolchain_read(const char *path, struct arena *a, struct toolchain *out, struct error *e)
{
    *out = (struct toolchain){.file = arena_strdup(a, path),
                              .dir = folder_of(a, path),
                              .suffix = ".c",
                              .model = TESTBED_DEFAULT_MODEL,
                              .by_default = true,
                              .limits = default_limits};
    struct reading r = {out, a};
    if (ini_read(path, key_table, KEY_COUNT, a, take, &r, e) || check_complete(out, e)) {
        toolchain_release(out);
        return -1;
    }
    if (!out->flags.n)
        vec_push(&out->flags, "");
    out->server.init = ended(&out->server_init, a);
    out->server.begin = ended(&out->server_begin, a);
    out->server.end = ended(&out->server_end, a);
    return 0;
}

static int read_folder(const char *dir, struct arena *a, toolchain_list *out, struct error *e)
{
    char pattern[PATH_MAX];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/*.ini", dir);
    if (glob(pattern, 0, NULL, &found))
        return 0;
    int status = 0;
    for (size_t i = 0; i < found.gl_pathc && status == 0; i++) {
        struct toolchain t;
        status = toolchain_read(found.gl_pathv[i], a, &t, e);
        if (status)
            break;
        size_t k = 0;
        while (k < out->n && strcmp(out->at[k].name, t.name) != 0)
            k++;
        if (k < out->n) {
            toolchain_release(&out->at[k]);
            out->at[k] = t;
        } else {
            vec_push(out, t);
        }
    }
    globfree(&found);
    return status;
}

int toolchains_read(const char *const *dirs, int n_dirs, struct arena *a, toolchain_list *out,
                    struct error *e)
{
    for (int i = 0; i < n_dirs; i++)
        if (read_folder(dirs[i], a, out, e))
            return -1;
    return 0;
}

void toolchains_release(toolchain_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        toolchain_release(&list->at[i]);
    vec_release(list);
}

/* -- finding compilers ------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static void add_compiler(const struct toolchain *t, const char *path, struct arena *a,
                         compiler_list *out)
{
    char real[PATH_MAX], other[PATH_MAX];
    if (!is_program(path) || !realpath(path, real))
        return;
    for (size_t i = 0; i < out->n; i++)
        if (out->at[i].toolchain == t && realpath(out->at[i].path, other) && !strcmp(real, other))
            return;
    const char *slash = strrchr(path, '/');
    vec_push(out, (struct compiler){.toolchain = t,
                                    .name = arena_strdup(a, slash + 1),
                                    .path = arena_strdup(a, path),
                                    .version = ""});
}

/* How many programs the pattern means; each is added. */
static size_t find_pattern(const struct toolchain *t, const char *pattern, struct arena *a,
                           compiler_list *out)
{
    glob_t found;
    size_t before = out->n;
    if (glob(pattern, 0, NULL, &found))
        return 0;
    for (size_t i = 0; i < found.gl_pathc; i++)
        add_compiler(t, found.gl_pathv[i], a, out);
    globfree(&found);
    return out->n - before;
}

/* Programs that come with assay (assay-opencl) lie beside it, or in ../libexec/assay, wherever that
 * is; they go ahead of what PATH has under their name. */
static bool find_beside_us(const struct toolchain *t, const char *word, struct arena *a,
                           compiler_list *out)
{
    static const char *const folders[] = {".", "../libexec/assay"};
    char own[PATH_MAX], pattern[2 * PATH_MAX];
    if (!fs_own_folder(own, sizeof own))
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        if (i)
            snprintf(pattern, sizeof pattern, "%s/%s/%s", own, folders[i], word);
        else
            snprintf(pattern, sizeof pattern, "%s/%s", own, word);
        if (find_pattern(t, pattern, a, out))
            return true;
    }
    return false;
}

/* Names with a slash are paths; others are looked for beside us, and in each folder of PATH. Either
 * may be a glob. */
static void find_word(const struct toolchain *t, const char *word, struct arena *a,
                      compiler_list *out)
{
    if (strchr(word, '/')) {
        find_pattern(t, word, a, out);
        return;
    }
    if (find_beside_us(t, word, a, out))
        return;
    for (const char *path = getenv("PATH"); path && *path;) {
        size_t n = strcspn(path, ":");
        char pattern[PATH_MAX];
        snprintf(pattern, sizeof pattern, "%.*s/%s", (int)n, path, word);
        find_pattern(t, pattern, a, out);
        path += n + (path[n] == ':');
    }
}

/* A compiler that cannot even be asked will fail when it is probed; here it has no version. */
static int ask_version(struct compiler *c, struct arena *a, struct error *e)
{
    const struct toolchain *t = c->toolchain;
    if (!t->probe || !t->version.text)
        return 0;
    char **words;
    text_split(a, t->probe, &words);
    for (char **w = words; *w; w++)
        *w = arena_strdup(a, text_fill(a, *w, "{cc}", c->path));
    struct probe probe = {
        .argv = (const char *const *)words, .limits = t->limits.run, .version = &t->version.regex};
    return probe_version(&probe, a, &c->version, e) < 0 ? -1 : 0;
}

int toolchain_find(const struct toolchain *t, struct arena *a, compiler_list *out, struct error *e)
{
    size_t first = out->n;
    for (size_t i = 0; i < t->find.n; i++) {
        char **words;
        text_split(a, t->find.at[i], &words);
        for (char **w = words; *w; w++)
            find_word(t, *w, a, out);
    }
    for (size_t i = first; i < out->n; i++)
        if (ask_version(&out->at[i], a, e))
            return -1;
    return 0;
}

/* -- testbeds ---------------------------------------------------------------------------------- */

/* NULL where the file has no rules that lead anywhere. */
static const struct testbed_blame *blame_rules(const struct toolchain *t, struct arena *a)
{
    const struct testbed_blame *from = &t->blame;
    if (!from->none && !from->limit && !from->switch_list && !from->pass_list &&
        !from->counter_list)
        return NULL;
    struct testbed_blame *b = arena_new(a, struct testbed_blame);
    *b = *from;
    b->switches = t->blame_switches.at;
    b->n_switches = (int)t->blame_switches.n;
    b->keep = t->blame_keep.at;
    b->n_keep = (int)t->blame_keep.n;
    b->last = t->blame_last.at;
    b->n_last = (int)t->blame_last.n;
    b->passes = t->blame_passes.at;
    b->n_passes = (int)t->blame_passes.n;
    return b;
}

/* "gcc" of the toolchain gcc-m32 is listed as gcc-m32: the toolchain's name says more. "gcc-11" is
 * gcc-m32-11 then, for two versions are not to have one name. */
static const char *label_of(const struct compiler *c, struct arena *a)
{
    const char *own = c->toolchain->name, *dash = strrchr(c->name, '-');
    if (!strncmp(c->name, own, strlen(own)))
        return c->name;
    if (dash && dash[1] && !dash[1 + strspn(dash + 1, "0123456789.")])
        return arena_printf(a, "%s%s", own, dash);
    return own;
}

static void add_testbed(const struct compiler *c, const char *flags, struct arena *a,
                        testbed_list *out)
{
    const struct toolchain *t = c->toolchain;
    const char *label = label_of(c, a);
    struct testbed_server *server = NULL;
    if (t->server.command) {
        server = arena_new(a, struct testbed_server);
        *server = t->server;
    }
    vec_push(out,
             (struct testbed){
                 .name = *flags ? arena_printf(a, "%s %s", label, flags) : arena_strdup(a, label),
                 .toolchain = t->name,
                 .compiler = label,
                 .path = c->path,
                 .version = c->version,
                 .language = t->language,
                 .flags = arena_strdup(a, flags),
                 .model = t->model,
                 .suffix = t->suffix,
                 .reference = t->reference,
                 .traces = t->traces,
                 .compile = ended(&t->compile, a),
                 .server = server,
                 .library = t->library,
                 .run = t->run,
                 .dir = t->dir,
                 .sees = ended(&t->sees, a),
                 .env = ended(&t->env, a),
                 .input = t->input,
                 .input_is_source = t->input && !strcmp(t->input, "{src}"),
                 .crash = t->crash.at,
                 .n_crash = (int)t->crash.n,
                 .lacks = t->lacks.at,
                 .n_lacks = (int)t->lacks.n,
                 .run_crash = t->run_crash.at,
                 .n_run_crash = (int)t->run_crash.n,
                 .abstain = t->abstain.at,
                 .n_abstain = (int)t->abstain.n,
                 .filter = t->filter,
                 .undefined = t->undefined.at,
                 .n_undefined = (int)t->undefined.n,
                 .suspect = t->suspect.at,
                 .n_suspect = (int)t->suspect.n,
                 .other_inputs = t->other_inputs,
                 .tolerance = t->tolerance,
                 .may_time_out = t->may_time_out,
                 .ignore_status = t->ignore_status,
                 .message = t->message,
                 .silent_crash = t->silent_crash,
                 .normalise = t->normalise.at,
                 .n_normalise = (int)t->normalise.n,
                 .blame = blame_rules(t, a),
                 .limits = t->limits,
             });
}

void compiler_testbeds(const struct compiler *c, bool extra_flags, struct arena *a,
                       testbed_list *out)
{
    for (size_t i = 0; i < c->toolchain->flags.n; i++)
        add_testbed(c, c->toolchain->flags.at[i], a, out);
    for (size_t i = 0; extra_flags && i < c->toolchain->extra_flags.n; i++)
        add_testbed(c, c->toolchain->extra_flags.at[i], a, out);
}

void compiler_random_testbed(const struct compiler *c, struct arena *a, testbed_list *out)
{
    if (!c->toolchain->random.levels.n)
        return;
    add_testbed(c, "random", a, out);
    out->at[out->n - 1].random = true;
}

bool testbed_selected(const struct testbed *t, const char *selector)
{
    size_t n = strcspn(selector, ":");
    bool name = (strlen(t->toolchain) == n && !strncmp(t->toolchain, selector, n)) ||
                (strlen(t->compiler) == n && !strncmp(t->compiler, selector, n));
    return name && (!selector[n] || !strcmp(t->flags, selector + n + 1));
}
