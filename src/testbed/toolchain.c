/* Reading toolchain files and finding compilers. One table has every key, what it may be and where
 * it goes (base/settings.h). */
#include "testbed/toolchain.h"
#include "base/fs.h"
#include "base/text.h"
#include "testbed/flags.h"
#include "testbed/identity.h"

#include <dirent.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

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

static const char *const holes[] = {"{cc}",   "{flags}",  "{src}", "{exe}",   "{needs}",
                                    "{dir}",  "{lib}",    "{bin}", "{assay}", "{server}",
                                    "{test}", "{inputs}", NULL};
static const char *const traces[] = {"no", "volatile", NULL};
static const struct settings keys;

enum { MOST_EXTENDED = 4, LONGEST_VERSION_MS = 10000, VERSION_BYTES = 65536 };

static const char *folder_of(struct arena *a, const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) ? fs_folder(a, real) : ".";
}

static int set_form(const struct setting *s, void *to, struct arena *arena, const char *value,
                    struct error *e)
{
    if (!flag_form_good(value))
        return error_set(e, ERROR_USAGE,
                         "%s: '%s' is not a form such as -f[|no-]gcse, -O[1|2] or -fx=<0,9,1>",
                         s->name, value);
    return setting_take(s, to, arena, value, e);
}

/* Paths, absolute or in the folder of the file. */
static int set_paths(const struct setting *s, void *to, struct arena *arena, const char *value,
                     struct error *e)
{
    struct toolchain *t = to;
    string_list *list = (string_list *)((char *)to + s->at);
    size_t first = list->n;
    if (setting_take(s, to, arena, value, e))
        return -1;
    for (size_t i = first; i < list->n; i++)
        if (*(list->at[i] = text_fill(arena, list->at[i], "{dir}", t->dir, NULL)) != '/')
            return error_set(e, ERROR_USAGE, "%s: '%s' is not an absolute path", s->name,
                             list->at[i]);
    return 0;
}

/* The root folder of another system: absolute or in the folder of the file, without what would make
 * two paths of one compiler. */
static int set_root(const struct setting *s, void *to, struct arena *arena, const char *value,
                    struct error *e)
{
    struct toolchain *t = to;
    char real[PATH_MAX];
    const char *root = text_fill(arena, value, "{dir}", t->dir, NULL);
    if (*root != '/')
        return error_set(e, ERROR_USAGE, "%s: '%s' is not an absolute path", s->name, root);
    bool there = realpath(root, real) != NULL;
    if (there && !strcmp(real, "/"))
        return error_set(e, ERROR_USAGE, "%s: / is this system itself", s->name);
    t->root = arena_strdup(arena, there ? real : root);
    return 0;
}

/* The file of the toolchain that another one extends: one that was read before it, or of its
 * folder.
 */
static const char *base_file(const struct toolchain *t, const char *name, struct arena *arena)
{
    const struct toolchain *before = t->among ? toolchain_named(t->among, name) : NULL;
    if (before)
        return before->file;
    const char *beside = arena_printf(arena, "%s/%s.ini", t->dir, name);
    return fs_exists(beside) && strcmp(beside, t->file) != 0 ? beside : NULL;
}

/* What its commands name by {dir} stays in its folder. */
static void keep_folder(struct toolchain *t, const char *dir, struct arena *arena);

/* All that the other one has, but its name and which compilers it finds and recognises. */
static int set_extends(const struct setting *s, void *to, struct arena *arena, const char *value,
                       struct error *e)
{
    struct toolchain *t = to, own = *t;
    const char *file = strchr(value, '/') ? NULL : base_file(t, value, arena);
    if (!file)
        return error_set(e, ERROR_USAGE, "%s: there is no toolchain '%s'", s->name, value);
    if (t->extends >= MOST_EXTENDED)
        return error_set(e, ERROR_USAGE, "%s: more than %d files extend each other", s->name,
                         MOST_EXTENDED);
    t->extends++;
    t->file = file;
    t->dir = folder_of(arena, file);
    if (settings_file(&keys, t, arena, file, e))
        return -1;
    keep_folder(t, t->dir, arena);
    t->file = own.file;
    t->dir = own.dir;
    t->name = t->root = NULL;
    t->kind = arena_strdup(arena, value);
    t->by_default = own.by_default;
    vec_release(&t->find);
    pattern_release(&t->recognise);
    return 0;
}

/* Limits of a run that are those of a build as well. */
static int set_both(const struct setting *s, void *to, struct arena *arena, const char *value,
                    struct error *e)
{
    struct testbed_limits *limits = &((struct toolchain *)to)->limits;
    if (setting_take(s, to, arena, value, e))
        return -1;
    if (s->kind == SETTING_SIZE)
        limits->compile.file_bytes = limits->run.file_bytes;
    else
        limits->compile.processes = limits->run.processes;
    return 0;
}

#define ROW(of, called, member)                                                                    \
    .name = called, .kind = SETTING_##of, SETTING_AT(struct toolchain, member)
#define LIST(of, called, member) ROW(of, called, member), .many = true
#define COMMAND(called, member) ROW(COMMAND, called, member), .words = holes

static const struct setting rows[] = {
    {.name = "toolchain", .kind = SETTING_SECTION},
    {.name = "extends", .kind = SETTING_OWN, .set = set_extends, .first = true},
    {ROW(TEXT, "name", name), .required = true},
    {ROW(TEXT, "language", language), .required = true},
    {ROW(TEXT, "suffix", suffix)},
    {ROW(TEXT, "model", model)},
    {ROW(YES, "reference", reference)},
    {ROW(YES, "filter", filter)},
    {LIST(PATTERN, "undefined", undefined)},
    {LIST(PATTERN, "suspect", suspect)},
    {ROW(WORDS, "detects", detects)},
    {ROW(WORDS, "may-detect", may_detect)},
    {LIST(SUBSTITUTION, "report", report)},
    {ROW(TEXT, "other-inputs", other_inputs)},
    {ROW(NUMBER, "tolerance", tolerance), .most = 1, .what = "a share such as 1e-3"},
    {ROW(YES, "default", by_default)},
    {ROW(WORD, "trace", traces), .words = traces},
    {ROW(TEXT, "root", root), .set = set_root},
    {LIST(TEXT, "find", find), .required = true},
    {COMMAND("probe", probe)},
    {COMMAND("parts", parts)},
    {ROW(PATTERN, "version", version), .least = 1},
    {ROW(PATTERN, "recognise", recognise)},
    {COMMAND("compile", compile), .many = true},
    {COMMAND("library", library), .must = "{lib}"},
    {COMMAND("run", run)},
    {LIST(TEXT, "flags", flags)},
    {LIST(TEXT, "extra-flags", extra_flags)},
    {LIST(PATTERN, "allow-flags", allow_flags)},
    {ROW(WORDS, "flag-level", random.levels)},
    {COMMAND("flag-list", random.lists), .many = true},
    {LIST(SUBSTITUTION, "flag-form", random.forms)},
    {LIST(SUBSTITUTION, "param-form", random.params)},
    {LIST(TEXT, "flag-also", random.also), .set = set_form},
    {LIST(PATTERN, "flag-only", random.only)},
    {LIST(PATTERN, "flag-exclude", random.exclude)},
    {LIST(PATTERN, "crash", crash)},
    {LIST(PATTERN, "lacks", lacks)},
    {ROW(PATTERN, "message", message), .least = 1},
    {ROW(YES, "silent-crash", silent_crash)},
    {LIST(PATTERN, "run-crash", run_crash)},
    {LIST(PATTERN, "abstain", abstain)},
    {ROW(YES, "may-time-out", may_time_out)},
    {ROW(YES, "ignore-status", ignore_status)},
    {ROW(WORDS, "sees", sees), .set = set_paths},
    {ROW(WORDS, "env", env)},
    {ROW(TEXT, "stdin", input)},
    {LIST(SUBSTITUTION, "normalise", normalise)},
    {COMMAND("server", server.command)},
    {COMMAND("server-init", server_init), .many = true},
    {COMMAND("server-ready", server.ready)},
    {COMMAND("server-stop", server.stop)},
    {ROW(TEXT, "server-user", server.users)},
    {COMMAND("server-begin", server_begin), .many = true},
    {COMMAND("server-end", server_end), .many = true},
    {.name = "blame", .kind = SETTING_SECTION},
    {ROW(TEXT, "none", blame.none)},
    {ROW(TEXT, "limit", blame.limit), .must = "{n}"},
    {ROW(PATTERN, "pass", blame.pass), .least = 2, .what = "the number of a pass and its name"},
    {ROW(TEXT, "switch-list", blame.switch_list)},
    {LIST(SUBSTITUTION, "switch-form", blame_switches)},
    {LIST(PATTERN, "switch-keep", blame_keep)},
    {LIST(PATTERN, "switch-last", blame_last)},
    {ROW(TEXT, "pass-list", blame.pass_list)},
    {LIST(SUBSTITUTION, "pass-form", blame_passes)},
    {ROW(TEXT, "counter-list", blame.counter_list)},
    {ROW(SUBSTITUTION, "counter-form", blame.counter)},
    {ROW(TEXT, "count", blame.count), .must = "{name}"},
    {.name = "limits", .kind = SETTING_SECTION},
    {ROW(DURATION, "compile-cpu", limits.compile.cpu_ms)},
    {ROW(DURATION, "compile-wall", limits.compile.wall_ms)},
    {ROW(SIZE, "compile-memory", limits.compile.memory_bytes)},
    {ROW(DURATION, "run-cpu", limits.run.cpu_ms)},
    {ROW(DURATION, "run-wall", limits.run.wall_ms)},
    {ROW(SIZE, "run-memory", limits.run.memory_bytes)},
    {ROW(SIZE, "file-size", limits.run.file_bytes), .set = set_both},
    {ROW(INT, "processes", limits.run.processes), .least = 1, .most = 100000, .set = set_both},
    {ROW(SIZE, "output", limits.run.output_bytes)},
};
static const struct settings keys = {NULL, rows, SETTINGS_COUNT(rows), NULL};

static void keep_folder(struct toolchain *t, const char *dir, struct arena *arena)
{
    struct strbuf quoted;
    strbuf_init(&quoted, 0);
    text_quote(&quoted, dir);
    for (const struct setting *s = rows; s < rows + SETTINGS_COUNT(rows); s++) {
        string_list *list = (string_list *)((char *)t + s->at);
        const char **one = (const char **)((char *)t + s->at);
        if (s->kind != SETTING_COMMAND)
            continue;
        for (size_t i = 0; s->many && i < list->n; i++)
            list->at[i] = text_fill(arena, list->at[i], "{dir}", quoted.s, NULL);
        if (!s->many && *one)
            *one = text_fill(arena, *one, "{dir}", quoted.s, NULL);
    }
    strbuf_release(&quoted);
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
                        "'filter = yes' needs a 'run': its output shows what is undefined");
    if (!t->filter && t->undefined.n)
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'undefined' is what a filter prints: 'filter = yes' is missing");
    if (t->other_inputs && (!t->run || !strstr(t->run, "{inputs}")))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'other-inputs' needs a 'run' with {inputs}, which is where they go");
    return 0;
}

/* What it detects shows in reports, and nobody else's output compares with them. */
static int check_detector(const struct toolchain *t, struct error *e)
{
    bool detects = t->detects.n || t->may_detect.n;
    if (detects != (t->report.n > 0))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'detects' or 'may-detect', and 'report', need each other");
    if (detects && (t->reference || t->filter || t->traces))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'%s' and '%s' exclude each other: a testbed that detects only sees "
                        "programs that state what is undefined",
                        t->detects.n ? "detects" : "may-detect",
                        t->reference ? "reference = yes"
                        : t->filter  ? "filter = yes"
                                     : "trace = volatile");
    return 0;
}

static int check_complete(const struct toolchain *t, struct error *e)
{
    if (!t->compile.n && !t->run)
        return error_at(e, ERROR_USAGE, t->file, 0, "[toolchain] lacks 'compile'");
    if (check_filter(t, e) || check_detector(t, e))
        return -1;
    if (t->traces && t->reference)
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'trace = volatile' and 'reference = yes' exclude each other: a testbed "
                        "that traces does not vote");
    if (t->traces && (!t->run || !strstr(t->run, "{exe}")))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'trace = volatile' needs a 'run' with {exe}, which is traced");
    bool around = t->server.ready || t->server.stop || t->server.users || t->server_init.n ||
                  t->server_begin.n || t->server_end.n;
    if (!t->server.command && around)
        return error_at(e, ERROR_USAGE, t->file, 0, "the other keys need a 'server'");
    if (t->server.command && t->root)
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "'root' and 'server' exclude each other: a server runs on this system");
    const struct testbed_blame *b = &t->blame;
    const char *half = !b->limit != !b->pass.text                ? "'limit' and 'pass'"
                       : !b->switch_list != !t->blame_switches.n ? "'switch-list' and 'switch-form'"
                       : !b->pass_list != !t->blame_passes.n     ? "'pass-list' and 'pass-form'"
                       : !b->counter_list != !b->counter.from.text || !b->counter_list != !b->count
                           ? "'counter-list', 'counter-form' and 'count'"
                           : NULL;
    if (b->count && !strstr(b->count, "{n}"))
        return error_at(e, ERROR_USAGE, t->file, 0, "[blame]: 'count' lacks {n}");
    if (half)
        return error_at(e, ERROR_USAGE, t->file, 0, "[blame]: %s need each other", half);
    const struct flag_rules *random = &t->random;
    if (!random->levels.n && (random->lists.n || random->also.n))
        return error_at(e, ERROR_USAGE, t->file, 0,
                        "flags are drawn on top of a level: 'flag-level' is missing");
    return 0;
}

/* A copy that ends with NULL. */
static const char *const *ended(const string_list *list, struct arena *a)
{
    const char **copy = arena_array(a, const char *, list->n + 1);
    if (list->n)
        memcpy(copy, list->at, list->n * sizeof *copy);
    return copy;
}

static int read_among(const char *path, const toolchain_list *others, struct arena *a,
                      struct toolchain *out, struct error *e)
{
    *out = (struct toolchain){.file = arena_strdup(a, path),
                              .dir = folder_of(a, path),
                              .among = others,
                              .suffix = ".c",
                              .model = TESTBED_DEFAULT_MODEL,
                              .by_default = true,
                              .limits = default_limits};
    int status = settings_file(&keys, out, a, path, e);
    out->among = NULL;
    if (status || check_complete(out, e)) {
        settings_release(&keys, out);
        return -1;
    }
    if (!out->flags.n)
        vec_push(&out->flags, "");
    out->server.init = ended(&out->server_init, a);
    out->server.begin = ended(&out->server_begin, a);
    out->server.end = ended(&out->server_end, a);
    return 0;
}

int toolchain_read(const char *path, struct arena *a, struct toolchain *out, struct error *e)
{
    return read_among(path, NULL, a, out, e);
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
        status = read_among(found.gl_pathv[i], out, a, &t, e);
        if (status)
            break;
        size_t k = 0;
        while (k < out->n && strcmp(out->at[k].name, t.name) != 0)
            k++;
        if (k < out->n) {
            settings_release(&keys, &out->at[k]);
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

struct toolchain *toolchain_named(const toolchain_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->at[i].name, name))
            return &list->at[i];
    return NULL;
}

void toolchains_release(toolchain_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        settings_release(&keys, &list->at[i]);
    vec_release(list);
}

/* -- finding compilers ------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* The file behind all links. */
static bool real_file(const char *root, const char *path, char out[PATH_MAX])
{
    return root ? fs_resolve_in_root(root, testbed_inside(path), out, PATH_MAX)
                : realpath(path, out) != NULL;
}

/* Two slashes in a row end a root (struct testbed), and are nowhere else. */
static const char *own_path(const char *root, const char *path, struct arena *a)
{
    char *own = root ? arena_printf(a, "%s/%s", root, path + strlen(root)) : arena_strdup(a, path);
    char *to = own + (root ? strlen(root) + 2 : 1);
    for (const char *from = to; *from; from++)
        if (*from != '/' || to[-1] != '/')
            *to++ = *from;
    *to = '\0';
    return own;
}

/* "gcc" of the toolchain gcc-m32 is listed as gcc-m32: the toolchain's name says more. "gcc-11" is
 * gcc-m32-11 then, for two versions are not to have one name. "gcc-16" of another system, found by
 * "gcc-newest", is gcc-16. */
static const char *short_label(const struct toolchain *t, const char *name, struct arena *a)
{
    const char *dash = strrchr(name, '-');
    bool versioned = dash && dash[1] && !dash[1 + strspn(dash + 1, "0123456789.")];
    if (!strncmp(name, t->name, strlen(t->name)) || (t->root && versioned))
        return name;
    return versioned ? arena_printf(a, "%s%s", t->name, dash) : t->name;
}

/* Of two that would be called the same, the second is called by its path. */
static const char *label_of(const struct toolchain *t, const char *name, const char *path,
                            const compiler_list *others, struct arena *a)
{
    const char *label = short_label(t, name, a);
    for (size_t i = 0; i < others->n; i++)
        if (!strcmp(others->at[i].label, label))
            return !strncmp(name, t->name, strlen(t->name))
                       ? path
                       : arena_printf(a, "%s@%s", t->name, path);
    return label;
}

/* Its place in the list; -1: it is no program. */
static int add_compiler(const struct toolchain *t, const char *path, struct arena *a,
                        compiler_list *out)
{
    char real[PATH_MAX], other[PATH_MAX];
    const char *own = own_path(t->root, path, a), *name = fs_name(own);
    if (!real_file(t->root, own, real) || !is_program(real))
        return -1;
    for (size_t i = 0; i < out->n; i++)
        if (out->at[i].toolchain == t && real_file(t->root, out->at[i].path, other) &&
            !strcmp(real, other))
            return (int)i;
    const struct compiler c = {.toolchain = t,
                               .name = name,
                               .label = label_of(t, name, own, out, a),
                               .path = own,
                               .version = ""};
    vec_push(out, c);
    return (int)out->n - 1;
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

/* A folder where programs are. */
struct place {
    const char *path;
    dev_t device;
    ino_t inode;
};
typedef VEC(struct place) place_list;

/* The folders of PATH, or of another system, each once: where /bin is a link to /usr/bin, thousands
 * of names would be read twice for each word. */
static void find_places(const struct toolchain *t, struct arena *a, place_list *out)
{
    struct stat st;
    for (const char *path = t->root ? "/usr/local/bin:/usr/bin:/bin" : getenv("PATH");
         path && *path;) {
        size_t n = strcspn(path, ":"), i = 0;
        const char *folder = arena_printf(a, "%s%.*s", t->root ? t->root : "", (int)n, path);
        path += n + (path[n] == ':');
        if (stat(folder, &st) || !S_ISDIR(st.st_mode))
            continue;
        while (i < out->n && (out->at[i].device != st.st_dev || out->at[i].inode != st.st_ino))
            i++;
        if (i == out->n)
            vec_push(out, ((struct place){folder, st.st_dev, st.st_ino}));
    }
}

/* Names with a slash are paths; others are looked for beside us, and in each folder of PATH. Either
 * may be a glob. */
static void find_word(const struct toolchain *t, const char *word, const place_list *places,
                      struct arena *a, compiler_list *out)
{
    const char *root = t->root ? t->root : "";
    if (strchr(word, '/')) {
        find_pattern(t, arena_printf(a, "%s%s", root, word), a, out);
        return;
    }
    if (!t->root && find_beside_us(t, word, a, out))
        return;
    for (size_t i = 0; i < places->n; i++) {
        char pattern[PATH_MAX];
        snprintf(pattern, sizeof pattern, "%s/%s", places->at[i].path, word);
        find_pattern(t, pattern, a, out);
    }
}

/* Of one file, asked in the same way. */
static bool asked_alike(const struct compiler *x, const struct compiler *y)
{
    const struct toolchain *t = x->toolchain, *u = y->toolchain;
    return !strcmp(x->path, y->path) && text_same(t->parts, u->parts) &&
           text_same(t->probe, u->probe) && text_same(t->version.text, u->version.text);
}

/* A compiler that cannot even be asked will fail when it is probed; here it has no version. What it
 * is, is looked at before it is asked: one that is replaced meanwhile is seen to be. */
int compiler_ask(compiler_list *list, size_t which, struct arena *a, struct error *e)
{
    struct compiler *c = &list->at[which];
    const struct toolchain *t = c->toolchain;
    for (size_t i = 0; i < list->n && !c->identity; i++)
        if (list->at[i].identity && asked_alike(&list->at[i], c)) {
            c->identity = list->at[i].identity;
            c->version = list->at[i].version;
        }
    if (c->identity)
        return 0;
    struct testbed_identity *identity = arena_new(a, struct testbed_identity);
    c->identity = identity;
    return identity_make(c->path, t->parts, t->probe, t->version.text ? &t->version.regex : NULL,
                         &t->limits.run, a, identity, e) ||
                   identity_version(identity, a, &c->version, e)
               ? -1
               : 0;
}

void toolchain_find(const struct toolchain *t, struct arena *a, compiler_list *out)
{
    place_list places = {0};
    find_places(t, a, &places);
    for (size_t i = 0; i < t->find.n; i++) {
        char **words;
        text_split(a, t->find.at[i], &words);
        for (char **w = words; *w; w++)
            find_word(t, *w, &places, a, out);
    }
    vec_release(&places);
}

bool toolchain_would_find(const struct toolchain *t, const char *name)
{
    for (size_t i = 0; i < t->find.n; i++)
        for (const char *word = t->find.at[i]; *word;) {
            char pattern[PATH_MAX];
            size_t n = strcspn(word, " ");
            snprintf(pattern, sizeof pattern, "%.*s", (int)n, word);
            if (n && !fnmatch(fs_name(pattern), name, 0))
                return true;
            word += n + (word[n] == ' ');
        }
    return false;
}

/* What it says of itself, to either of the usual questions. */
static void ask_who(const char *path, struct strbuf *out)
{
    const char *const questions[] = {"--version", "-v"};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const char *const argv[] = {path, questions[i], NULL};
        struct child_spec spec = {
            .argv = argv, .limits = {.wall_ms = LONGEST_VERSION_MS, .output_bytes = 1 << 20}};
        struct child_result r;
        child_result_init(&r, VERSION_BYTES, VERSION_BYTES);
        if (!child_run(&spec, &r, NULL))
            strbuf_addf(out, "%s\n%s\n", r.out.s, r.err.s);
        child_result_release(&r);
    }
}

static int unknown_compiler(const char *path, struct error *e)
{
    if (!is_program(path))
        return error_set(e, ERROR_ENVIRONMENT,
                         fs_exists(path) ? "%s is not a program" : "there is no %s", path);
    char page[PATH_MAX];
    return error_set(
        e, ERROR_USAGE,
        "%s: unknown kind of compiler: describe it in a toolchain file, with 'extends = gcc' "
        "and three more lines, see %s",
        path, fs_shipped("docs/TESTBEDS.md", page, sizeof page));
}

/* Of the language, by its name first, then by what it says of itself. */
static const struct toolchain *kind_of(const toolchain_list *list, const char *language,
                                       const char *name, const char *said)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < list->n; i++) {
            const struct toolchain *t = &list->at[i];
            bool says = t->recognise.text && !regexec(&t->recognise.regex, said, 0, NULL, 0);
            bool fits = toolchain_would_find(t, name) && (t->recognise.text ? says : t->by_default);
            if (!strcmp(t->language, language) && (pass ? says : fits))
                return t;
        }
    return NULL;
}

int toolchain_recognise(const toolchain_list *list, const char *language, const char *path,
                        struct arena *a, compiler_list *out, struct error *e)
{
    /* the folder as it is, the file as it was named: a link tells which compiler is meant */
    char real[PATH_MAX];
    if (!realpath(fs_folder(a, path), real) || !is_program(path))
        return unknown_compiler(path, e);
    path = arena_printf(a, "%s/%s", strcmp(real, "/") ? real : "", fs_name(path));
    struct strbuf said;
    strbuf_init(&said, 0);
    ask_who(path, &said);
    const struct toolchain *kind = kind_of(list, language, fs_name(path), said.s);
    strbuf_release(&said);
    if (!kind)
        return unknown_compiler(path, e);
    size_t before = out->n;
    int at = add_compiler(kind, path, a, out);
    if (out->n > before)
        out->at[at].label = out->at[at].path;
    return at;
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

void compiler_testbed(const struct compiler *c, const char *flags, struct arena *a,
                      testbed_list *out)
{
    const struct toolchain *t = c->toolchain;
    const char *label = c->label;
    struct testbed_server *server = NULL;
    if (t->server.command) {
        server = arena_new(a, struct testbed_server);
        *server = t->server;
    }
    vec_push(out,
             (struct testbed){
                 .name = *flags ? arena_printf(a, "%s %s", label, flags) : arena_strdup(a, label),
                 .toolchain = t->root && t->kind ? t->kind : t->name,
                 .called = t->name,
                 .compiler = label,
                 .path = c->path,
                 .root = t->root,
                 .version = c->version,
                 .identity = c->identity,
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
                 .detects = ended(&t->detects, a),
                 .may_detect = ended(&t->may_detect, a),
                 .report = t->report.at,
                 .n_report = (int)t->report.n,
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
        compiler_testbed(c, c->toolchain->flags.at[i], a, out);
    for (size_t i = 0; extra_flags && i < c->toolchain->extra_flags.n; i++)
        compiler_testbed(c, c->toolchain->extra_flags.at[i], a, out);
}

void compiler_random_testbed(const struct compiler *c, struct arena *a, testbed_list *out)
{
    if (!c->toolchain->random.levels.n)
        return;
    compiler_testbed(c, "random", a, out);
    out->at[out->n - 1].random = true;
}

const char *selector_flags(const char *selector)
{
    const char *colon = strchr(selector, ':');
    return colon ? colon + 1 : NULL;
}

static bool is_named(const char *selector, const char *toolchain, const char *label,
                     const char *path)
{
    size_t n = strcspn(selector, ":");
    const char *const names[] = {toolchain, label, path};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && !strncmp(names[i], selector, n))
            return true;
    return false;
}

bool compiler_selected(const struct compiler *c, const char *selector)
{
    bool by_path = !strcmp(c->label, c->path); /* and by nothing else */
    return is_named(selector, by_path ? "" : c->toolchain->name, c->label, c->path);
}

bool testbed_selected(const struct testbed *t, const char *selector)
{
    const char *flags = selector_flags(selector);
    bool by_path = !strcmp(t->compiler, t->path);
    return is_named(selector, by_path ? "" : t->called, t->compiler, t->path) &&
           (!flags || !strcmp(t->flags, flags));
}
