#include "gen/extern/extern.h"
#include "base/child.h"
#include "base/fs.h"
#include "base/pattern.h"
#include "base/probe.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/vec.h"

#include <dirent.h>
#include <glob.h>
#include <limits.h>
#include <unistd.h>

struct preset {
    const char *file;
    const char *name, *help, *language, *command, *probe, *install, *needs, *suffix, *comment;
    struct pattern version;
    bool trusted;
    struct child_limits limits;
};

#define ROW(of, called, member)                                                                    \
    .name = called, .kind = SETTING_##of, SETTING_AT(struct preset, member)

static const struct setting rows[] = {
    {.name = "generator", .kind = SETTING_SECTION},
    {ROW(TEXT, "name", name), .required = true},
    {ROW(TEXT, "help", help)},
    {ROW(TEXT, "language", language), .required = true},
    {ROW(COMMAND, "command", command), .required = true, .must = "{seed}"},
    {ROW(COMMAND, "probe", probe)},
    {ROW(PATTERN, "version", version), .least = 1},
    {ROW(TEXT, "install", install)},
    {ROW(TEXT, "needs", needs)},
    {ROW(TEXT, "suffix", suffix)},
    {ROW(TEXT, "comment", comment), .must = "%s"},
    {ROW(YES, "trusted", trusted)},
    {.name = "limits", .kind = SETTING_SECTION},
    {ROW(DURATION, "cpu", limits.cpu_ms)},
    {ROW(DURATION, "wall", limits.wall_ms)},
    {ROW(SIZE, "memory", limits.memory_bytes)},
    {ROW(SIZE, "output", limits.output_bytes)},
};
static const struct settings keys = {NULL, rows, SETTINGS_COUNT(rows), NULL};

struct given {        /* on the command line */
    const char *args; /* words, quoted where they must be; "": none */
};

struct extern_generator {
    struct generator head;
    struct preset preset;
    struct given given;
    char **command;        /* words of the template */
    char **args;           /* and what stands behind them */
    bool writes_files;     /* {out} stands in it */
    char folder[PATH_MAX]; /* where the command runs: {out}, and csmith leaves a file behind, too */
    struct child_result child;
};

static const struct child_limits default_limits = {.wall_ms = 120000,
                                                   .cpu_ms = 60000,
                                                   .memory_bytes = (int64_t)4 << 30,
                                                   .file_bytes = 64 << 20,
                                                   .processes = 64,
                                                   .output_bytes = 64 << 20};
enum { LARGEST_PROGRAM = 32 << 20 };

/* -- the preset -------------------------------------------------------------------------------- */

static int read_preset(const char *path, struct arena *a, struct preset *p, struct error *e)
{
    *p = (struct preset){.file = arena_strdup(a, path),
                         .help = "",
                         .needs = "",
                         .suffix = ".c",
                         .limits = default_limits};
    int status = settings_file(&keys, p, a, path, e);
    if (status)
        settings_release(&keys, p);
    return status;
}

/* NAME.ini in the folders, the last that has it; or the name is a path itself. */
static const char *find_preset(const char *name, const struct gen_context *context, struct arena *a)
{
    if (text_ends(name, ".ini"))
        return name;
    for (int i = context->n_dirs - 1; i >= 0; i--) {
        const char *path = arena_printf(a, "%s/%s.ini", context->dirs[i], name);
        if (!strchr(name, '/') && fs_exists(path))
            return path;
    }
    return NULL;
}

/* -- words of the user ------------------------------------------------------------------------- */

/* They come to stand in a comment of the program, which they must not end. */
static bool may_stand(const char *word)
{
    size_t n = strlen(word), length;
    for (size_t i = 0; i < n; i += length) {
        int32_t c = text_character(word + i, n - i, &length);
        if (c < 0 || text_is_control(c))
            return false;
    }
    return !strstr(word, "*/");
}

static int set_args(const struct setting *s, void *to, struct arena *a, const char *value,
                    struct error *e)
{
    struct given *g = to;
    struct strbuf text;
    char **words;
    if (text_split(a, value, &words) < 0)
        return error_set(e, ERROR_USAGE, "--%s: a quote is not closed in %s", s->name, value);
    strbuf_init(&text, 0);
    for (char **w = words; *w; w++) {
        if (!may_stand(*w)) {
            strbuf_release(&text);
            return error_set(e, ERROR_USAGE,
                             "--%s: '%s' contains a control character or */, which is not allowed",
                             s->name, text_shown(a, bytes_of(*w)));
        }
        strbuf_adds(&text, w == words ? "" : " ");
        text_quote(&text, *w);
    }
    g->args = strbuf_keep(&text, a);
    return 0;
}

static void args_text(const void *of, const struct setting *s, struct strbuf *out)
{
    (void)s;
    strbuf_adds(out, ((const struct given *)of)->args);
}

static const struct setting given_rows[] = {
    {.name = "command", .kind = SETTING_SECTION, .help = "--NAME VALUE"},
    {.name = "args",
     .kind = SETTING_OWN,
     .standard = "",
     .set = set_args,
     .text = args_text,
     .what = "words",
     .help = "arguments to add to the command, as --args='--max-funcs 3'"},
};
static const struct settings given_settings = {"a command", given_rows, SETTINGS_COUNT(given_rows),
                                               NULL};
static const struct given none_given = {""};
static const char args_mark[] = "args=";

/* The words in a config, quoted as they are, and their length; NULL: none. They end at the first |
 * that stands in no quotes. */
static const char *args_in(const char *config, size_t *n)
{
    bool quoted = false;
    if (!config || strncmp(config, args_mark, strlen(args_mark)) != 0)
        return NULL;
    const char *from = config + strlen(args_mark), *at = from;
    for (; *at && (quoted || *at != '|'); at++) {
        if (*at == '\'')
            quoted = !quoted;
        else if (*at == '\\' && !quoted && at[1])
            at++;
    }
    *n = (size_t)(at - from);
    return from;
}

void extern_add_args(const char *config, struct strbuf *out)
{
    struct arena a;
    size_t n;
    const char *args = args_in(config, &n);
    if (!args)
        return;
    arena_init(&a);
    strbuf_adds(out, " --args=");
    text_quote(out, arena_memdup(&a, args, n));
    arena_release(&a);
}

/* What an earlier generator had, then what is said now. */
static int take_given(struct extern_generator *g, const struct gen_context *context,
                      struct error *e)
{
    size_t n;
    const char *before = args_in(context->config, &n);
    g->given = none_given;
    if (before && settings_set(&given_settings, &g->given, &g->head.arena, "args",
                               arena_memdup(&g->head.arena, before, n), e))
        return -1;
    for (int i = 0; i < context->n_settings; i++) {
        const char *setting = context->settings[i];
        size_t length = strcspn(setting, "=");
        const char *name = arena_memdup(&g->head.arena, setting, length);
        if (settings_takes_value(&given_settings, name) < 0)
            return error_set(e, ERROR_USAGE,
                             "the generator %s has no option --%s: it is a command; pass options "
                             "to it with --args='--%s'",
                             g->head.name, name, name);
        if (settings_set(&given_settings, &g->given, &g->head.arena, name,
                         setting[length] ? setting + length + 1 : NULL, e))
            return -1;
    }
    g->head.values = &g->given;
    g->head.standard = &none_given;
    text_split(&g->head.arena, g->given.args, &g->args);
    return 0;
}

/* -- opening ----------------------------------------------------------------------------------- */

static int ask_version(struct extern_generator *g, struct error *e)
{
    const struct preset *p = &g->preset;
    struct error why = {0};
    char **words;
    if (!p->probe)
        return 0;
    text_split(&g->head.arena, p->probe, &words);
    struct probe probe = {.argv = (const char *const *)words,
                          .cwd = g->folder,
                          .limits = p->limits,
                          .version = p->version.text ? &p->version.regex : NULL};
    int status = probe_version(&probe, &g->head.arena, &g->head.version, &why);
    if (status == 0)
        return 0;
    if (status < 0)
        return error_set(e, why.kind, "%s", why.message);
    return error_set(e, ERROR_ENVIRONMENT, "the generator %s is not installed (%s)%s%s", p->name,
                     why.message, p->install ? ": " : "", p->install ? p->install : "");
}

static void extern_close(struct generator *head)
{
    struct extern_generator *g = (struct extern_generator *)head;
    if (g->folder[0])
        fs_remove_tree(g->folder);
    child_result_release(&g->child);
    settings_release(&keys, &g->preset);
}

static int set_up(struct extern_generator *g, struct error *e)
{
    const struct preset *p = &g->preset;
    text_split(&g->head.arena, p->command, &g->command);
    g->writes_files = strstr(p->command, "{out}") != NULL;
    if (fs_make_temp_dir("assay-gen", g->folder, sizeof g->folder, e)) {
        g->folder[0] = '\0';
        return -1;
    }
    if (ask_version(g, e))
        return -1;
    bool any = *g->given.args;
    g->head.config =
        arena_printf(&g->head.arena, "%s%s%s%s|%s|%s", any ? args_mark : "", g->given.args,
                     any ? "|" : "", p->command, p->needs, g->head.version);
    return 0;
}

static int extern_open(struct generator *head, const char *name, const struct gen_context *context,
                       struct error *e)
{
    struct extern_generator *g = (struct extern_generator *)head;
    child_result_init(&g->child, LARGEST_PROGRAM, 65536);
    const char *path = find_preset(name, context, &head->arena);
    int status = path ? read_preset(path, &head->arena, &g->preset, e) : 1;
    if (status)
        return status;
    /* A preset given by its path is recorded by its path, so that it can be found again. */
    head->name = path == name ? arena_strdup(&head->arena, name) : g->preset.name;
    head->version = "";
    head->language = g->preset.language;
    return take_given(g, context, e) || set_up(g, e) ? -1 : 0;
}

/* -- one program ------------------------------------------------------------------------------- */

static int run_command(struct extern_generator *g, uint64_t seed, struct arena *a, struct error *e)
{
    VEC(const char *) argv = {0};
    const char *number = arena_printf(a, "%llu", (unsigned long long)seed);
    for (char **w = g->command; *w; w++)
        vec_push(&argv, text_fill(a, *w, "{seed}", number, "{out}", ".", NULL));
    for (char **w = g->args; *w; w++)
        vec_push(&argv, *w);
    vec_push(&argv, NULL);
    /* {out} is ".", never the folder's own name: some generators write their command line into the
     * program, and it must be the same each time. */
    fs_empty_dir(g->folder);
    struct child_spec spec = {
        .argv = argv.at, .limits = g->preset.limits, .cwd = g->folder, .stop = g->head.stop};
    int status = child_run(&spec, &g->child, e);
    vec_release(&argv);
    if (status)
        return -1;
    g->head.cpu_us += g->child.user_us + g->child.system_us;
    if (g->child.end == CHILD_STOPPED)
        return error_set(e, ERROR_NONE, "stopped");
    if (g->child.end == CHILD_EXITED && g->child.status == 0)
        return 0;
    /* Csmith says what is wrong on standard output. */
    const char *said = g->child.err.n ? g->child.err.s : g->child.out.s;
    const char *how =
        g->child.end == CHILD_EXITED     ? arena_printf(a, "exit status %d", g->child.status)
        : g->child.end == CHILD_SIGNALED ? arena_printf(a, "signal %d", g->child.status)
                                         : child_end_name[g->child.end];
    int length = (int)strcspn(said, "\n");
    error_set(e, ERROR_ENVIRONMENT, "%s failed: %s%s%.*s", g->head.name, how, length ? ": " : "",
              length < 200 ? length : 200, said);
    return GEN_FAILED;
}

/* The first comment of a file says how to make it again. */
static struct program_file with_header(const struct extern_generator *g, struct arena *a,
                                       uint64_t seed, const char *name, const char *text, size_t n)
{
    const char *comment = g->preset.comment;
    struct language l = *language_find(g->head.language);
    struct strbuf all;
    strbuf_init(&all, 0);
    if (comment)
        language_set_note(&l, comment, a);
    if (l.note && program_is_source(name)) {
        strbuf_adds(&all, l.note);
        gen_command(g->head.name, g->head.config, seed, &all);
        strbuf_addf(&all, "   (%s%s%s)%s\n", g->preset.name, *g->head.version ? " " : "",
                    g->head.version, l.note_end);
    }
    strbuf_add(&all, text, n);
    struct program_file file = program_file_new(a, arena_strdup(a, name), bytes_in(&all));
    strbuf_release(&all);
    return file;
}

static int collect_files(struct extern_generator *g, struct arena *a, uint64_t seed,
                         struct program *out, struct error *e)
{
    string_list names = {0};
    int status = fs_list(g->folder, a, &names, e);
    out->files = arena_array(a, struct program_file, names.n + 1);
    for (size_t i = 0; i < names.n; i++) {
        const char *path = arena_printf(a, "%s/%s", g->folder, names.at[i]);
        struct strbuf text;
        strbuf_init(&text, LARGEST_PROGRAM);
        if (!fs_is_dir(path)) {
            status |= fs_read(path, &text, e);
            out->files[out->n_files++] = with_header(g, a, seed, names.at[i], text.s, text.n);
        }
        strbuf_release(&text);
    }
    vec_release(&names);
    return status;
}

static int extern_next(struct generator *head, struct choice *c, struct arena *a,
                       struct program *out, struct error *e)
{
    struct extern_generator *g = (struct extern_generator *)head;
    const struct preset *preset = &g->preset;
    REQUIRE(c->kind == CHOICE_RANDOM); /* a foreign command knows nothing but its seed */
    *out = gen_program(head, c->seed);
    out->language = arena_strdup(a, preset->language);
    out->needs = arena_strdup(a, preset->needs);
    out->trusted = preset->trusted;
    int status = run_command(g, c->seed, a, e);
    if (status)
        return status;
    if (g->writes_files) {
        if (collect_files(g, a, c->seed, out, e))
            return -1;
    } else {
        out->files = arena_new(a, struct program_file);
        out->n_files = g->child.out.n > 0;
        out->files[0] = with_header(g, a, c->seed, arena_printf(a, "t%s", preset->suffix),
                                    g->child.out.s, g->child.out.n);
    }
    if (out->n_files)
        return 0;
    error_set(e, ERROR_ENVIRONMENT, "%s printed no program for seed %llu", head->name,
              (unsigned long long)c->seed);
    return GEN_FAILED;
}

static void extern_list(const struct gen_context *context,
                        void (*each)(void *to, const char *name, const char *help), void *to)
{
    struct arena a;
    arena_init(&a);
    for (int i = 0; i < context->n_dirs; i++) {
        glob_t found;
        if (glob(arena_printf(&a, "%s/*.ini", context->dirs[i]), 0, NULL, &found))
            continue;
        for (size_t k = 0; k < found.gl_pathc; k++) {
            struct preset p;
            if (read_preset(found.gl_pathv[k], &a, &p, NULL))
                continue;
            each(to, p.name, p.help);
            settings_release(&keys, &p);
        }
        globfree(&found);
    }
    arena_release(&a);
}

const struct gen_class gen_extern = {
    .size = sizeof(struct extern_generator),
    .open = extern_open,
    .next = extern_next,
    .release = extern_close,
    .list = extern_list,
    .settings = &given_settings,
};
