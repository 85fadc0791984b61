#include "gen/lm/language.h"
#include "base/fs.h"
#include "base/pattern.h"
#include "base/settings.h"
#include "base/text.h"
#include "base/vec.h"

#include <string.h>

struct reading {
    struct lm_language l;
    string_list seeds, atoms;
};

/* Text that is a regular expression; `least`: groups that it has. */
static int set_expression(const struct setting *s, void *to, struct arena *arena, const char *value,
                          struct error *e)
{
    struct pattern pattern;
    if (pattern_compile(&pattern, value, e))
        return -1;
    size_t groups = pattern.regex.re_nsub;
    pattern_release(&pattern);
    if (groups < (size_t)s->least)
        return error_set(e, ERROR_USAGE, "%s: '%s' has no group for the line: put ( ) around it",
                         s->name, value);
    return setting_take(s, to, arena, value, e);
}

static int set_comment(const struct setting *s, void *to, struct arena *arena, const char *value,
                       struct error *e)
{
    struct reading *r = to;
    char **words;
    if (text_split(arena, value, &words) != 2)
        return error_set(e, ERROR_USAGE,
                         "%s: '%s': what begins and what ends a comment, with a blank between",
                         s->name, value);
    r->l.own.scan.comment = words[0];
    r->l.own.scan.comment_end = words[1];
    return 0;
}

static const char *const readers[] = {"text", "clang", NULL}, *const names[] = {"any", "c", NULL},
                         *const wraps[] = {"none", "c", NULL};

#define ROW(of, called, member)                                                                    \
    .name = called, .kind = SETTING_##of, SETTING_AT(struct reading, member)
#define TEXT(called, member) ROW(TEXT, called, member), .quoted = true

/* In expressions backslashes are their own. */
static const struct setting rows[] = {
    {.name = "language", .kind = SETTING_SECTION},
    {TEXT("help", l.help)},
    {TEXT("suffix", l.suffix)},
    {ROW(WORD, "reader", l.reader), .words = readers},
    {ROW(WORD, "names", l.names), .words = names},
    {ROW(WORD, "wrap", l.wrap), .words = wraps},
    {TEXT("arguments", l.arguments)},
    {TEXT("unit", l.unit)},
    {TEXT("check", l.check), .must = "{src}"},
    {ROW(TEXT, "position", l.position), .set = set_expression, .least = 1},
    {TEXT("seed", seeds), .many = true},
    {ROW(WORDS, "atoms", atoms)},
    {TEXT("line-comment", l.own.scan.line_comment)},
    {.name = "block-comment", .kind = SETTING_OWN, .quoted = true, .set = set_comment},
    {ROW(TEXT, "begin", l.begin), .set = set_expression},
    {ROW(TEXT, "end", l.end), .set = set_expression},
    {TEXT("after", l.after)},
    {TEXT("open", l.open)},
    {TEXT("close", l.close)},
    {ROW(NUMBER, "temperature", l.temperature), .most = 10},
    {ROW(INT, "most-tokens", l.most_tokens), .least = 1, .most = 1000000},
    {ROW(INT, "least-lines", l.least_lines), .most = 1000000},
};
static const struct settings keys = {NULL, rows, SETTINGS_COUNT(rows), NULL};

static const char *base_name(struct arena *a, const char *path)
{
    const char *file = fs_name(path), *dot = strrchr(file, '.');
    return arena_memdup(a, file, dot && dot > file ? (size_t)(dot - file) : strlen(file));
}

static const char *const *keep(struct arena *a, const char **at, size_t n)
{
    const char **copy = arena_array(a, const char *, n + 1);
    for (size_t i = 0; i < n; i++)
        copy[i] = at[i];
    return copy;
}

static int check_whole(const struct lm_language *l, struct error *e)
{
    if (!l->begin != !l->end)
        return error_at(e, ERROR_USAGE, l->file, 0, "'begin' and 'end' go together");
    if (!l->open != !l->close)
        return error_at(e, ERROR_USAGE, l->file, 0, "'open' and 'close' go together");
    if (l->open && strlen(l->open) != strlen(l->close))
        return error_at(e, ERROR_USAGE, l->file, 0,
                        "'open' and 'close' have not as many brackets each");
    return 0;
}

/* Of a language without a row: what is canonical in the way of C is written like C, and the first
 * comment is of the kind that the file tells. */
static void know_language(struct lm_language *l, struct arena *a)
{
    struct language *own = &l->own;
    if (l->names == LM_NAMES_C) {
        *own = *language_find("c");
    } else if (own->scan.line_comment) {
        own->note = arena_printf(a, "%s ", own->scan.line_comment);
        own->note_end = "";
    } else if (own->scan.comment) {
        own->note = arena_printf(a, "%s ", own->scan.comment);
        own->note_end = arena_printf(a, " %s", own->scan.comment_end);
    }
}

static int read_file(const char *path, struct arena *a, struct lm_language *out, struct error *e)
{
    struct reading r = {.l = {.name = base_name(a, path),
                              .help = "",
                              .file = arena_strdup(a, path),
                              .arguments = "",
                              .unit = "all",
                              .temperature = 0.9,
                              .most_tokens = 2000,
                              .least_lines = 3}};
    r.l.own = *language_find(r.l.name);
    int status = settings_file(&keys, &r, a, path, e);
    *out = r.l;
    if (!r.seeds.n)
        vec_push(&r.seeds, "");
    if (!*out->own.name)
        know_language(out, a);
    if (!out->suffix)
        out->suffix = arena_printf(a, ".%s", out->name);
    out->seeds = keep(a, r.seeds.at, r.seeds.n);
    out->n_seeds = (int)r.seeds.n;
    out->atoms = keep(a, r.atoms.at, r.atoms.n);
    out->n_atoms = (int)r.atoms.n;
    settings_release(&keys, &r);
    return status ? status : check_whole(out, e);
}

/* -- folders ----------------------------------------------------------------------------------- */

static bool is_path(const char *name)
{
    return strchr(name, '/') || text_ends(name, ".ini");
}

int lm_language_load(const char *name, const char *const *dirs, int n_dirs, struct arena *a,
                     struct lm_language *out, struct error *e)
{
    if (is_path(name))
        return fs_exists(name) ? read_file(name, a, out, e)
                               : error_set(e, ERROR_USAGE, "there is no language file %s", name);
    for (int i = n_dirs - 1; i >= 0; i--) {
        const char *path = arena_printf(a, "%s/%s.ini", dirs[i], name);
        if (fs_exists(path))
            return read_file(path, a, out, e);
    }
    const char **all;
    int n;
    struct error ignored;
    const char *near = lm_language_list(dirs, n_dirs, a, &all, &n, &ignored)
                           ? NULL
                           : text_nearest(name, all, (size_t)n);
    return error_set(e, ERROR_USAGE, "there is no language '%s'%s%s%s", name,
                     near ? ": did you mean '" : ": write languages/NAME.ini, or name the file",
                     near ? near : "", near ? "'?" : "");
}

int lm_language_list(const char *const *dirs, int n_dirs, struct arena *a, const char ***all,
                     int *n, struct error *e)
{
    string_list files = {0}, list = {0};
    (void)e;
    for (int i = 0; i < n_dirs; i++)
        fs_list(dirs[i], a, &files, NULL);
    for (size_t i = 0; i < files.n; i++)
        if (text_ends(files.at[i], ".ini"))
            vec_push(&list, arena_memdup(a, files.at[i], strlen(files.at[i]) - 4));
    vec_release(&files);
    text_sort(&list);
    *all = arena_array(a, const char *, list.n + 1);
    *n = 0;
    for (size_t i = 0; i < list.n; i++)
        if (!*n || strcmp((*all)[*n - 1], list.at[i]) != 0)
            (*all)[(*n)++] = list.at[i];
    vec_release(&list);
    return 0;
}
