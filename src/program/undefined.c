#include "program/undefined.h"
#include "base/text.h"

#include <string.h>

static const char label[] = "undefined: ";
static const char *const site_name[] = {UNDEFINED_SITES(WORD_NAME)};
static const char *const twin_name[] = {UNDEFINED_TWINS(WORD_NAME)};

const char *undefined_comment(const struct undefined *u, struct arena *a)
{
    return arena_printf(
        a, "%s%s/%s at line %d of %d-%d%s, in %s\nits valid twin is " UNDEFINED_TWIN, label,
        u->rule, u->row, u->line, u->first, u->last, u->stored ? " (stored)" : "", u->func);
}

void undefined_locate(const struct program_file *f, const char *mark, struct undefined *u)
{
    const char *at = memmem(f->text, f->size, mark, strlen(mark));
    u->line = 1;
    for (const char *s = f->text; at && s < at; s++)
        u->line += *s == '\n';
    u->first = u->line;
    u->last = u->line + 1;
}

/* The end of the comments and blanks that a file begins with. */
static const char *comments_end(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n");
        const char *close = !strncmp(at, "/*", 2) ? strstr(at + 2, "*/") : NULL;
        if (!close)
            return at;
        at = close + 2;
    }
}

/* The rest of the line behind the label, in those comments; NULL: none. */
static const char *says(const struct program_file *f, struct arena *a)
{
    const char *text = arena_memdup(a, f->text, f->size), *end = comments_end(text);
    const char *at = memmem(text, (size_t)(end - text), label, strlen(label));
    if (!at)
        return NULL;
    at += strlen(label);
    return arena_memdup(a, at, strcspn(at, "\n"));
}

bool program_undefined(const struct program *p, struct arena *a, struct undefined *out)
{
    for (int i = 0; i < p->n_files; i++) {
        if (strcmp(p->files[i].name, UNDEFINED_FILE) != 0)
            continue;
        const char *line = says(&p->files[i], a);
        char rule[64], row[64], func[128];
        int n = 0, rest = 0;
        if (line)
            n = sscanf(line, "%63[a-z-]/%63[a-z-] at line %d of %d-%d%n", rule, row, &out->line,
                       &out->first, &out->last, &rest);
        if (n != 5)
            return false;
        out->stored = !strncmp(line + rest, " (stored)", strlen(" (stored)"));
        const char *in = strstr(line + rest, ", in ");
        if (!in || sscanf(in, ", in %127s", func) != 1)
            return false;
        out->rule = arena_strdup(a, rule);
        out->row = arena_strdup(a, row);
        out->func = arena_strdup(a, func);
        return true;
    }
    return false;
}

bool program_is_twin(const char *name)
{
    return !strcmp(name, UNDEFINED_TWIN);
}

struct program undefined_half(const struct program *p, const char *name, struct arena *a)
{
    struct program half = *p;
    half.files = arena_array(a, struct program_file, 1);
    half.n_files = 0;
    half.build_only = false;
    for (int i = 0; i < p->n_files; i++)
        if (!strcmp(p->files[i].name, name))
            half.files[half.n_files++] = p->files[i];
    return half;
}

/* The n characters are the rule, or rule and row. */
static bool is_named(const char *word, size_t n, const char *rule, const char *row)
{
    size_t r = strlen(rule), k = strlen(row);
    return n >= r && !memcmp(word, rule, r) &&
           (n == r || (n == r + 1 + k && word[r] == '/' && !memcmp(word + r + 1, row, k)));
}

bool undefined_listed(const char *const *list, const char *rule, const char *row)
{
    for (; list && *list; list++)
        if (is_named(*list, strlen(*list), rule, row))
            return true;
    return false;
}

bool undefined_stands_for(const char *words, const char *rule, const char *row)
{
    for (const char *at = words; *at;) {
        size_t n = strcspn(at, " ");
        if (is_named(at, n, rule, row) || (n == 3 && !memcmp(at, "any", 3)))
            return true;
        at += n + (at[n] == ' ');
    }
    return false;
}

/* -- what a detector saw ----------------------------------------------------------------------- */

const char *detection_facts(const struct detection *d, struct arena *a)
{
    const char *line = d->line ? arena_printf(a, ", line %d", d->line) : "";
    const char *report = d->said ? arena_printf(a, "%s%s", d->said, line) : "none";
    return arena_printf(a, "%s%s\nreport: %s\nsite: %s\ntwin: %s\n", label, d->what, report,
                        site_name[d->site], twin_name[d->twin]);
}

const char *detection_text(const struct detection *d, struct arena *a)
{
    const char *text = detection_facts(d, a);
    if (*d->text)
        text = arena_printf(a, "%ssays: %s\n", text, d->text);
    if (*d->twin_text)
        text = arena_printf(a, "%sof the twin: %s\n", text, d->twin_text);
    return text;
}

/* What stands behind `name` in the line that begins with it; "": there is none. */
static const char *line_of(struct bytes text, const char *name, struct arena *a)
{
    const char *end = text.data + text.size;
    for (const char *at = text.data; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        size_t n = strlen(name);
        if ((size_t)(stop - at) >= n && !memcmp(at, name, n))
            return arena_memdup(a, at + n, (size_t)(stop - at) - n);
        at = stop + 1;
    }
    return "";
}

bool detection_read(struct bytes text, struct arena *a, struct detection *out)
{
    if (!text.data)
        return false;
    const char *report = line_of(text, "report: ", a), *comma = strstr(report, ", line ");
    int site = word_find(line_of(text, "site: ", a), site_name, N_UNDEFINED_SITES);
    int twin = word_find(line_of(text, "twin: ", a), twin_name, N_UNDEFINED_TWINS);
    const char *what = line_of(text, label, a);
    if (!*what || !*report || site < 0 || twin < 0)
        return false;
    *out = (struct detection){.what = what,
                              .site = (enum undefined_site)site,
                              .twin = (enum undefined_twin)twin,
                              .line = comma ? atoi(comma + strlen(", line ")) : 0,
                              .text = line_of(text, "says: ", a),
                              .twin_text = line_of(text, "of the twin: ", a)};
    size_t n = comma ? (size_t)(comma - report) : strlen(report);
    out->said = strcmp(report, "none") ? arena_memdup(a, report, n) : NULL;
    return true;
}
