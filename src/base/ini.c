/* libinih calls its handler right after it has read the line, so a reader of our own that counts
 * lines gives each value its place. It also sees lines that are too long for libinih, which would
 * cut them silently. */
#include "base/ini.h"
#include "base/strbuf.h"
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

/* The nearest of what there is, or else all of it, as far as there is room. */
static int unknown_key(struct reading *r, const char *section, const char *name)
{
    enum { ROOM = 500 };
    string_list names = {0};
    struct strbuf all;
    bool known = false; /* the section */
    for (int i = 0; i < r->n_keys; i++)
        known |= !strcmp(r->keys[i].section, section);
    for (int i = 0; i < r->n_keys; i++) {
        const char *other = known ? r->keys[i].name : r->keys[i].section;
        bool again = !known && names.n && !strcmp(names.at[names.n - 1], other);
        if (!again && (!known || !strcmp(r->keys[i].section, section)))
            vec_push(&names, other);
    }
    const char *wrong = known ? name : section, *near = text_nearest(wrong, names.at, names.n);
    strbuf_init(&all, 0);
    for (size_t i = 0; i < names.n && all.n < ROOM; i++)
        strbuf_addf(&all, "%s%s", i ? ", " : "",
                    all.n + strlen(names.at[i]) < ROOM ? names.at[i] : "...");
    if (!known && !*section)
        error_at(r->e, ERROR_USAGE, r->path, r->line,
                 "key '%s' comes before any [section]; the sections are %s", name, all.s);
    else if (near)
        error_at(r->e, ERROR_USAGE, r->path, r->line, "unknown %s '%s': did you mean '%s'?",
                 known ? "key" : "section", wrong, near);
    else
        error_at(r->e, ERROR_USAGE, r->path, r->line, "unknown %s '%s': there are %s",
                 known ? "key" : "section", wrong, all.s);
    strbuf_release(&all);
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
