#include "program/trace.h"
#include "base/text.h"

#include <ctype.h>

static const char label[] = "volatile: ";

enum { FNV_START = 0x811c9dc5, FNV_PRIME = 0x01000193 };

void volatile_trace_init(struct volatile_trace *t)
{
    *t = (struct volatile_trace){.hash = FNV_START};
}

static void hash_text(struct volatile_trace *t, const char *s)
{
    for (; *s; s++)
        t->hash = (t->hash ^ (unsigned char)*s) * FNV_PRIME;
}

void volatile_trace_add(struct volatile_trace *t, const char *object, uint64_t offset,
                        unsigned size, bool write)
{
    char place[40];
    snprintf(place, sizeof place, "+%llu %u\n", (unsigned long long)offset, size);
    hash_text(t, write ? "w " : "r ");
    hash_text(t, object);
    hash_text(t, place);
    t->accesses++;
}

const char *volatile_trace_summary(const struct volatile_trace *t, char out[VOLATILE_SUMMARY_SIZE])
{
    snprintf(out, VOLATILE_SUMMARY_SIZE, "%s%llu accesses, hash %08X", label,
             (unsigned long long)t->accesses, (unsigned)t->hash);
    return out;
}

void volatile_trace_comment(const struct volatile_trace *t, const char *const *objects, int n,
                            struct strbuf *out)
{
    char summary[VOLATILE_SUMMARY_SIZE];
    strbuf_addf(out, "%s, of", volatile_trace_summary(t, summary));
    for (int i = 0; i < n; i++)
        strbuf_addf(out, " %s", objects[i]);
}

/* -- reading a comment ------------------------------------------------------------------------- */

/* The end of the comments and blanks that stand before the first token. */
static const char *comments_end(const char *at, const char *end)
{
    for (;;) {
        while (at < end && isspace((unsigned char)*at))
            at++;
        if (end - at < 2 || at[0] != '/' || (at[1] != '*' && at[1] != '/'))
            return at;
        bool block = at[1] == '*';
        const char *close =
            memmem(at + 2, (size_t)(end - at - 2), block ? "*/" : "\n", block ? 2 : 1);
        if (!close)
            return end;
        at = close + (block ? 2 : 1);
    }
}

/* `line` begins with the label and ends where the line does, or the comment. */
static bool read_accesses(const char *line, struct arena *a, struct volatile_accesses *out)
{
    unsigned long long accesses;
    unsigned hash;
    char **objects;
    int used = 0;
    if (sscanf(line, "volatile: %llu accesses, hash %8X, of%n", &accesses, &hash, &used) != 2 ||
        !used || (line[used] && line[used] != ' '))
        return false;
    struct volatile_trace t = {accesses, hash};
    volatile_trace_summary(&t, out->summary);
    out->n_objects = text_split(a, line + used, &objects);
    out->objects = (const char *const *)objects;
    return out->n_objects >= 0;
}

static bool find_accesses(const struct program_file *f, struct arena *a,
                          struct volatile_accesses *out)
{
    const char *end = comments_end(f->text, f->text + f->size);
    for (const char *at = f->text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        while (at < stop && strchr(" \t*/", *at))
            at++;
        const char *close = memmem(at, (size_t)(stop - at), "*/", 2);
        size_t n = (size_t)((close ? close : stop) - at);
        if (n > strlen(label) && !memcmp(at, label, strlen(label)) &&
            read_accesses(arena_memdup(a, at, n), a, out))
            return true;
        at = stop + 1;
    }
    return false;
}

bool program_volatile_accesses(const struct program *p, struct arena *a,
                               struct volatile_accesses *out)
{
    for (int i = 0; i < p->n_files; i++)
        if (program_is_source(p->files[i].name) && find_accesses(&p->files[i], a, out))
            return true;
    return false;
}

const char *volatile_summary_in(struct bytes output)
{
    const char *line = output.data + output.size;
    if (!output.size || line[-1] != '\n')
        return "";
    for (line--; line > output.data && line[-1] != '\n'; line--)
        continue;
    return !strncmp(line, label, strlen(label)) ? line : "";
}
