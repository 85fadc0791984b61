#include "gen/lala/language.h"
#include "base/fs.h"
#include "base/settings.h"
#include "base/text.h"
#include "base/vec.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEFAULT_SIZE = 20000 }; /* nodes: a grammar that branches would never end without */

struct reading {
    struct lala_language l;
    const char *comment;
};

#define ROW(of, called, member)                                                                    \
    .name = called, .kind = SETTING_##of, SETTING_AT(struct reading, member)

static const struct setting rows[] = {
    {.name = "language", .kind = SETTING_SECTION},
    {ROW(TEXT, "name", l.name)},
    {ROW(TEXT, "language", l.language)},
    {ROW(TEXT, "spec", l.spec), .required = true},
    {ROW(TEXT, "runtime", l.runtime)},
    {ROW(TEXT, "suffix", l.suffix), .quoted = true},
    {ROW(TEXT, "comment", comment), .quoted = true, .must = "%s"},
    {ROW(YES, "trusted", l.trusted)},
    {ROW(YES, "build-only", l.build_only)},
    {ROW(TEXT, "features", l.features), .quoted = true},
    {ROW(INT, "max-height", l.max_height), .most = 1000000},
    {ROW(INT, "size", l.size), .most = INT32_MAX},
    {ROW(TEXT, "help", l.help), .quoted = true},
};
static const struct settings keys = {NULL, rows, SETTINGS_COUNT(rows), NULL};

/* -- modules ----------------------------------------------------------------------------------- */

static bool is_newer(const char *module, const char *source)
{
    struct stat m, s;
    if (stat(module, &m))
        return false;
    return stat(source, &s) || m.st_mtime >= s.st_mtime;
}

static void find_module(struct arena *a, struct lala_language *l, bool shipped)
{
    static const char *const places[] = {"specs", "../specs", "../../specs", "../lib/assay/specs"};
    char exe[PATH_MAX] = "";
    l->module = arena_printf(a, "%s/runtime.so", l->dir);
    l->stale = fs_exists(l->module) && !is_newer(l->module, l->runtime);
    if (!shipped || is_newer(l->module, l->runtime))
        return;
    if (!fs_own_folder(exe, sizeof exe))
        return;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const char *path = arena_printf(a, "%s/%s/%s.so", exe, places[i], l->name);
        if (fs_exists(path)) {
            l->module = path;
            l->stale = false;
            return;
        }
    }
}

/* Is the folder one of those under specs/ of the base folders? */
static bool is_shipped(const char *dir, const char *const *bases, int n_bases)
{
    char real[PATH_MAX], base[PATH_MAX + 16];
    char *slash = realpath(dir, real) ? strrchr(real, '/') : NULL;
    if (!slash)
        return false;
    *slash = '\0';
    for (int i = 0; i < n_bases; i++) {
        char specs[PATH_MAX];
        snprintf(base, sizeof base, "%s/specs", bases[i]);
        if (realpath(base, specs) && !strcmp(specs, real))
            return true;
    }
    return false;
}

/* -- folders ----------------------------------------------------------------------------------- */

static const char *last_part(struct arena *a, const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    char *copy = arena_memdup(a, path, n), *slash = strrchr(copy, '/');
    return slash && slash[1] ? slash + 1 : copy;
}

static int open_folder(struct arena *a, const char *dir, struct lala_language *out, struct error *e)
{
    const char *ini = arena_printf(a, "%s/language.ini", dir);
    struct reading r = {.l = {.size = DEFAULT_SIZE, .help = "", .features = ""}};
    if (!fs_exists(ini))
        return error_set(e, ERROR_USAGE,
                         "the folder %s has no language.ini: name its .lala file, "
                         "or write one",
                         dir);
    int status = settings_file(&keys, &r, a, ini, e);
    *out = r.l;
    out->dir = arena_strdup(a, dir);
    if (status)
        return -1;
    out->name = out->name ? out->name : last_part(a, dir);
    out->language = out->language ? out->language : out->name;
    out->spec = arena_printf(a, "%s/%s", dir, out->spec);
    out->runtime = out->runtime ? arena_printf(a, "%s/%s", dir, out->runtime) : NULL;
    out->suffix = out->suffix ? out->suffix : arena_printf(a, ".%s", out->name);
    out->own = *language_find(out->language);
    if (r.comment)
        language_set_note(&out->own, r.comment, a);
    return 0;
}

static int open_file(struct arena *a, const char *path, struct lala_language *out, struct error *e)
{
    const char *file = fs_name(path), *dir = fs_folder(a, path);
    const char *runtime = arena_printf(a, "%s/runtime.c", dir);
    const char *name = arena_memdup(a, file, (size_t)(strrchr(file, '.') - file));
    if (!fs_exists(path))
        return error_set(e, ERROR_USAGE, "there is no specification %s", path);
    *out = (struct lala_language){.name = name,
                                  .language = name,
                                  .dir = dir,
                                  .spec = arena_strdup(a, path),
                                  .runtime = fs_exists(runtime) ? runtime : NULL,
                                  .suffix = arena_printf(a, ".%s", name),
                                  .own = *language_find(""),
                                  .help = "",
                                  .features = "",
                                  .size = DEFAULT_SIZE};
    return 0;
}

static const char *find_folder(struct arena *a, const char *name, const char *const *bases,
                               int n_bases)
{
    for (int i = n_bases - 1; i >= 0; i--) {
        const char *dir = arena_printf(a, "%s/specs/%s", bases[i], name);
        if (fs_exists(arena_printf(a, "%s/language.ini", dir)))
            return dir;
    }
    return NULL;
}

struct known {
    VEC(const char *) names;
    struct arena *arena;
};

static void know(void *to, const struct lala_language *l)
{
    struct known *k = to;
    vec_push(&k->names, arena_strdup(k->arena, l->name));
}

static int unknown(struct arena *a, const char *where, const char *const *bases, int n_bases,
                   struct error *e)
{
    struct known k = {.arena = a};
    lala_language_list(bases, n_bases, know, &k);
    const char *near = text_nearest(where, k.names.at, k.names.n);
    int status = near ? error_set(e, ERROR_USAGE, "there is no language '%s': did you mean '%s'?",
                                  where, near)
                      : error_set(e, ERROR_USAGE,
                                  "there is no language '%s': name one of `assay gen --list`, a "
                                  "folder with a language.ini, or a .lala file",
                                  where);
    vec_release(&k.names);
    return status;
}

int lala_language_open(struct arena *a, const char *where, const char *const *bases, int n_bases,
                       struct lala_language *out, struct error *e)
{
    int status;
    if (text_ends(where, ".lala") || text_ends(where, ".ls")) {
        status = open_file(a, where, out, e);
    } else {
        const char *dir = strchr(where, '/') ? NULL : find_folder(a, where, bases, n_bases);
        dir = dir ? dir : where;
        if (!fs_is_dir(dir))
            return unknown(a, where, bases, n_bases, e);
        status = open_folder(a, dir, out, e);
    }
    out->where = arena_strdup(a, where);
    if (!status && out->runtime)
        find_module(a, out, is_shipped(out->dir, bases, n_bases));
    return status;
}

void lala_language_list(const char *const *bases, int n_bases,
                        void (*each)(void *to, const struct lala_language *l), void *to)
{
    struct arena a;
    string_list names = {0};
    arena_init(&a);
    for (int i = 0; i < n_bases; i++)
        fs_list(arena_printf(&a, "%s/specs", bases[i]), &a, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        struct lala_language l;
        if ((i == 0 || strcmp(names.at[i], names.at[i - 1])) &&
            find_folder(&a, names.at[i], bases, n_bases) &&
            !lala_language_open(&a, names.at[i], bases, n_bases, &l, NULL))
            each(to, &l);
    }
    vec_release(&names);
    arena_release(&a);
}
