/* libinih calls its handler right after it has read the line, so a reader of our own that counts
 * lines gives each value its place. It also sees lines that are too long for libinih, which would
 * cut them silently. */
#include "base/ini.h"
#include "base/text.h"
#include "base/vec.h"

#include <errno.h>
#include <ini.h>

struct reading {
    FILE *file;
    const char *path;
    int line;
    const struct ini_key *keys;
    int n_keys;
    struct arena *arena;
    ini_take *take;
    void *context;
    struct error *e;
    bool failed;
};

static char *read_line(char *out, int size, void *stream)
{
    struct reading *r = stream;
    if (r->failed || !fgets(out, size, r->file))
        return NULL;
    r->line++;
    size_t n = strlen(out);
    if (n + 1 == (size_t)size && out[n - 1] != '\n' && !feof(r->file)) {
        error_at(r->e, ERROR_USAGE, r->path, r->line, "line longer than %d characters: break it up",
                 size - 2);
        r->failed = true;
        return NULL;
    }
    return out;
}

static int unknown_key(struct reading *r, const char *section, const char *name)
{
    VEC(const char *) names = {0};
    bool section_known = false;
    for (int i = 0; i < r->n_keys; i++) {
        if (!strcmp(r->keys[i].section, section)) {
            section_known = true;
            vec_push(&names, r->keys[i].name);
        }
    }
    if (!section_known)
        for (int i = 0; i < r->n_keys; i++)
            vec_push(&names, r->keys[i].section);
    const char *wrong = section_known ? name : section;
    const char *near = text_nearest(wrong, names.at, names.n);
    const char *what = section_known ? "key" : "section";
    if (!section_known && !*section)
        error_at(r->e, ERROR_USAGE, r->path, r->line, "key '%s' stands before any [section]", name);
    else if (near)
        error_at(r->e, ERROR_USAGE, r->path, r->line, "unknown %s '%s': did you mean '%s'?", what,
                 wrong, near);
    else
        error_at(r->e, ERROR_USAGE, r->path, r->line, "unknown %s '%s'", what, wrong);
    vec_release(&names);
    return -1;
}

/* libinih's convention: non-zero is success. */
static int handle(void *user, const char *section, const char *name, const char *value)
{
    struct reading *r = user;
    if (r->failed)
        return 0;
    for (int i = 0; i < r->n_keys; i++) {
        if (strcmp(r->keys[i].section, section) || strcmp(r->keys[i].name, name))
            continue;
        r->failed = r->take(r->context, i, arena_strdup(r->arena, value), r->line, r->e) != 0;
        if (r->failed)
            error_place(r->e, r->path, r->line);
        return !r->failed;
    }
    r->failed = true;
    unknown_key(r, section, name);
    return 0;
}

int ini_read(const char *path, const struct ini_key *keys, int n_keys, struct arena *a,
             ini_take *take, void *context, struct error *e)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return error_at(e, ERROR_USAGE, path, 0, "cannot be read: %s", strerror(errno));
    struct reading r = {file, path, 0, keys, n_keys, a, take, context, e, false};
    int status = ini_parse_stream(read_line, &r, handle, &r);
    fclose(file);
    if (r.failed)
        return -1;
    if (status != 0)
        return error_at(e, ERROR_USAGE, path, status > 0 ? status : 0,
                        "not a section, a comment or 'key = value'");
    return 0;
}
