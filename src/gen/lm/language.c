#include "gen/lm/language.h"
#include "base/fs.h"
#include "base/ini.h"
#include "base/pattern.h"
#include "base/text.h"
#include "base/vec.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define KEYS(X)                                                                                    \
    X(HELP, "help")                                                                                \
    X(SUFFIX, "suffix")                                                                            \
    X(READER, "reader")                                                                            \
    X(NAMES, "names")                                                                              \
    X(WRAP, "wrap")                                                                                \
    X(ARGUMENTS, "arguments")                                                                      \
    X(UNIT, "unit")                                                                                \
    X(CHECK, "check")                                                                              \
    X(POSITION, "position")                                                                        \
    X(SEED, "seed")                                                                                \
    X(ATOMS, "atoms")                                                                              \
    X(LINE_COMMENT, "line-comment")                                                                \
    X(BLOCK_COMMENT, "block-comment")                                                              \
    X(BEGIN, "begin")                                                                              \
    X(END, "end")                                                                                  \
    X(AFTER, "after")                                                                              \
    X(OPEN, "open")                                                                                \
    X(CLOSE, "close")                                                                              \
    X(TEMPERATURE, "temperature")                                                                  \
    X(MOST_TOKENS, "most-tokens")                                                                  \
    X(LEAST_LINES, "least-lines")

enum key {
#define X(id, name) KEY_##id,
    KEYS(X)
#undef X
        KEY_COUNT
};

static const struct ini_key key_table[KEY_COUNT] = {
#define X(id, name) {"language", name},
    KEYS(X)
#undef X
};

static const char *const readers[] = {"text", "clang"}, *const names[] = {"any", "c"},
                         *const wraps[] = {"none", "c"};

struct reading {
    struct arena *arena;
    struct lm_language *out;
    VEC(const char *) seeds, atoms;
};

/* Blanks at the ends and semicolons need quotes; \n and \t are what they are in C. */
static const char *unquoted(struct arena *a, const char *value)
{
    size_t n = strlen(value), k = 0;
    bool quoted = n > 1 && value[0] == '"' && value[n - 1] == '"';
    if (quoted) {
        value++;
        n -= 2;
    }
    char *out = arena_memdup(a, value, n);
    for (size_t i = 0; i < n; i++) {
        bool escape = value[i] == '\\' && i + 1 < n && strchr("nt\\\"", value[i + 1]);
        char c = escape ? value[++i] : value[i];
        out[k++] = (char)(escape && c == 'n' ? '\n' : escape && c == 't' ? '\t' : c);
    }
    out[k] = '\0';
    return out;
}

static int take_word(const char *file, int line, const char *value, const char *const words[2],
                     struct error *e)
{
    for (int i = 0; i < 2; i++)
        if (!strcmp(words[i], value))
            return i;
    return error_at(e, ERROR_USAGE, file, line, "'%s' is neither %s nor %s", value, words[0],
                    words[1]);
}

static int take_number(const char *file, int line, const char *value, int64_t least, int64_t most,
                       int *out, struct error *e)
{
    int64_t number;
    if (!text_parse_int(value, least, most, &number))
        return error_at(e, ERROR_USAGE, file, line, "'%s' is not a number from %lld to %lld", value,
                        (long long)least, (long long)most);
    *out = (int)number;
    return 0;
}

static int take_temperature(const char *file, int line, const char *value, double *out,
                            struct error *e)
{
    char *end;
    *out = strtod(value, &end);
    if (end == value || *end || !(*out >= 0 && *out <= 10))
        return error_at(e, ERROR_USAGE, file, line, "'%s' is not a number from 0 to 10", value);
    return 0;
}

static int take_pattern(const char *value, size_t least_groups, struct error *e)
{
    struct pattern pattern;
    if (pattern_compile(&pattern, value, e))
        return -1;
    size_t groups = pattern.regex.re_nsub;
    pattern_release(&pattern);
    if (groups < least_groups)
        return error_set(e, ERROR_USAGE, "'%s' has no group for the line: put ( ) around it",
                         value);
    return 0;
}

static int take_words(struct reading *r, int line, const char *value, struct error *e)
{
    char **words;
    int n = text_split(r->arena, value, &words);
    if (n < 0)
        return error_at(e, ERROR_USAGE, r->out->file, line, "a quote is not closed");
    for (int i = 0; i < n; i++)
        vec_push(&r->atoms, words[i]);
    return 0;
}

static int take_comment(struct reading *r, int line, const char *value, struct error *e)
{
    char **words;
    if (text_split(r->arena, value, &words) != 2)
        return error_at(e, ERROR_USAGE, r->out->file, line,
                        "'%s': what begins and what ends a comment, with a blank between", value);
    r->out->own.scan.comment = words[0];
    r->out->own.scan.comment_end = words[1];
    return 0;
}

static int take_choice(struct reading *r, int key, int line, const char *value, struct error *e)
{
    struct lm_language *l = r->out;
    int which = take_word(l->file, line, value,
                          key == KEY_READER  ? readers
                          : key == KEY_NAMES ? names
                                             : wraps,
                          e);
    if (which < 0)
        return -1;
    if (key == KEY_READER)
        l->reader = (enum lm_reader)which;
    else if (key == KEY_NAMES)
        l->names = (enum lm_names)which;
    else
        l->wrap = (enum lm_wrap)which;
    return 0;
}

static int take(void *context, int key, const char *raw, int line, struct error *e)
{
    struct reading *r = context;
    struct lm_language *l = r->out;
    const char *value = unquoted(r->arena, raw);
    const char **texts[KEY_COUNT] = {
        [KEY_HELP] = &l->help,
        [KEY_SUFFIX] = &l->suffix,
        [KEY_ARGUMENTS] = &l->arguments,
        [KEY_UNIT] = &l->unit,
        [KEY_CHECK] = &l->check,
        [KEY_LINE_COMMENT] = &l->own.scan.line_comment,
        [KEY_OPEN] = &l->open,
        [KEY_CLOSE] = &l->close,
        [KEY_POSITION] = &l->position,
        [KEY_BEGIN] = &l->begin,
        [KEY_END] = &l->end,
        [KEY_AFTER] = &l->after,
    };
    if (key == KEY_POSITION || key == KEY_BEGIN || key == KEY_END)
        value = raw; /* backslashes are the expression's own */
    if (texts[key])
        *texts[key] = value;
    switch (key) {
    case KEY_READER:
    case KEY_NAMES:
    case KEY_WRAP:
        return take_choice(r, key, line, value, e);
    case KEY_POSITION:
        return take_pattern(value, 1, e);
    case KEY_BEGIN:
    case KEY_END:
        return take_pattern(value, 0, e);
    case KEY_SEED:
        vec_push(&r->seeds, value);
        return 0;
    case KEY_ATOMS:
        return take_words(r, line, raw, e);
    case KEY_BLOCK_COMMENT:
        return take_comment(r, line, value, e);
    case KEY_TEMPERATURE:
        return take_temperature(l->file, line, value, &l->temperature, e);
    case KEY_MOST_TOKENS:
        return take_number(l->file, line, value, 1, 1000000, &l->most_tokens, e);
    case KEY_LEAST_LINES:
        return take_number(l->file, line, value, 0, 1000000, &l->least_lines, e);
    default:
        return 0;
    }
}

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
    if (l->check && !strstr(l->check, "{src}"))
        return error_at(e, ERROR_USAGE, l->file, 0, "check = %s lacks {src}, the file to check",
                        l->check);
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
    struct reading r = {.arena = a, .out = out};
    *out = (struct lm_language){.name = base_name(a, path),
                                .help = "",
                                .file = arena_strdup(a, path),
                                .arguments = "",
                                .unit = "all",
                                .temperature = 0.9,
                                .most_tokens = 2000,
                                .least_lines = 3};
    out->own = *language_find(out->name);
    int status = ini_read(path, key_table, KEY_COUNT, a, take, &r, e);
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
    vec_release(&r.seeds);
    vec_release(&r.atoms);
    return status ? status : check_whole(out, e);
}

/* -- folders ----------------------------------------------------------------------------------- */

static bool is_path(const char *name)
{
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 4 && !strcmp(name + n - 4, ".ini"));
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

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int lm_language_list(const char *const *dirs, int n_dirs, struct arena *a, const char ***all,
                     int *n, struct error *e)
{
    VEC(const char *) list = {0};
    for (int i = 0; i < n_dirs; i++) {
        DIR *dir = opendir(dirs[i]);
        if (!dir)
            continue;
        for (struct dirent *d; (d = readdir(dir));) {
            size_t size = strlen(d->d_name);
            if (size > 4 && !strcmp(d->d_name + size - 4, ".ini") && d->d_name[0] != '.')
                vec_push(&list, arena_memdup(a, d->d_name, size - 4));
        }
        closedir(dir);
    }
    (void)e;
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, by_text);
    *all = arena_array(a, const char *, list.n + 1);
    *n = 0;
    for (size_t i = 0; i < list.n; i++)
        if (!*n || strcmp((*all)[*n - 1], list.at[i]) != 0)
            (*all)[(*n)++] = list.at[i];
    vec_release(&list);
    return 0;
}
