/* Writing and reading go by one table of keys, so that each is read as it was written. */
#include "bugs/baseline.h"
#include "base/fs.h"
#include "base/text.h"
#include "triage/signature.h"

#include <ctype.h>
#include <stdlib.h>

enum {
    LARGEST = 64 << 20,   /* bytes of a file */
    MOST_ENTRIES = 10000, /* each becomes a finding */
    MOST_FILES = 100,     /* of a program */
};
static const char first_line[] = "assay baseline 1";

#define KEYS(X)                                                                                    \
    X(SIGNATURE, "signature", true)                                                                \
    X(KIND, "kind", true)                                                                          \
    X(TOOLCHAIN, "toolchain", true)                                                                \
    X(TESTBED, "testbed", true)                                                                    \
    X(MARK, "mark", true)                                                                          \
    X(NOTE, "note", false)                                                                         \
    X(PASS, "pass", false)                                                                         \
    X(LANGUAGE, "language", true)                                                                  \
    X(FLAGS, "flags", false)                                                                       \
    X(NEEDS, "needs", false)                                                                       \
    X(BUILD_ONLY, "build-only", false)

enum key {
#define X(id, name, needed) KEY_##id,
    KEYS(X)
#undef X
        KEY_COUNT
};
static const struct {
    const char *name;
    bool needed;
} keys[KEY_COUNT] = {
#define X(id, name, needed) {name, needed},
    KEYS(X)
#undef X
};

/* -- writing ----------------------------------------------------------------------------------- */

/* Can it stand in a line as it is? A blank at its end would not survive an editor. */
static bool is_odd(struct bytes s)
{
    size_t length;
    for (size_t i = 0; i < s.size; i += length) {
        int32_t c = text_character(s.data + i, s.size - i, &length);
        if (c < 0 || (text_is_control(c) && c != '\t'))
            return true;
    }
    return s.size && strchr(" \t", s.data[s.size - 1]);
}

static void add_escaped(struct strbuf *out, struct bytes s)
{
    for (size_t i = 0; i < s.size; i++) {
        unsigned char c = (unsigned char)s.data[i];
        bool plain = c > ' ' && c < 0x7f && c != '\\';
        if (plain || (c == ' ' && i + 1 < s.size))
            strbuf_addc(out, (char)c);
        else
            strbuf_addf(out, "\\x%02x", c);
    }
}

static void add_key(struct strbuf *out, const char *name, const char *value)
{
    struct bytes text = bytes_of(value);
    if (!*value)
        return;
    bool odd = is_odd(text) || strchr(" \t", *value);
    strbuf_addf(out, "  %s%s ", name, odd ? "=" : ":");
    if (odd)
        add_escaped(out, text);
    else
        strbuf_adds(out, value);
    strbuf_addc(out, '\n');
}

static void add_file(struct strbuf *out, const struct program_file *f)
{
    add_key(out, "file", f->name);
    for (size_t at = 0; at < f->size;) {
        const char *newline = memchr(f->text + at, '\n', f->size - at);
        size_t end = newline ? (size_t)(newline - f->text) : f->size;
        struct bytes line = {f->text + at, end - at};
        bool odd = is_odd(line);
        strbuf_adds(out, odd ? "    \\" : "    |");
        if (odd)
            add_escaped(out, line);
        else
            strbuf_add(out, line.data, line.size);
        strbuf_adds(out, newline ? "\n" : "\n    -\n");
        at = end + 1;
    }
}

/* One entry as text; NULL: an error. */
static const char *entry_text(struct store *s, const struct bug *b, int *silent, struct arena *a,
                              struct error *e)
{
    const struct bug_member *m = b->first;
    struct program p;
    bool reduced = m->program != NULL;
    if (reduced)
        p = *m->program;
    else if (store_program(s, m->finding->program, a, &p, e))
        return NULL;
    *silent += !reduced && !signature_evidence(m->finding->signature);
    bool wontfix = bug_mark(b) == MARK_WONTFIX;
    const char *values[KEY_COUNT] = {
        [KEY_SIGNATURE] = m->finding->signature,
        [KEY_KIND] = anomaly_name[m->finding->verdict.anomaly],
        [KEY_TOOLCHAIN] = m->testbed->toolchain,
        [KEY_TESTBED] = m->finding->testbed,
        [KEY_MARK] = mark_name[wontfix ? MARK_WONTFIX : MARK_KNOWN],
        [KEY_NOTE] = bug_note(b),
        [KEY_PASS] = m->blame ? m->blame->pass : "",
        [KEY_LANGUAGE] = p.language,
        [KEY_FLAGS] = reduced ? m->reduction->flags : "",
        [KEY_NEEDS] = reduced ? p.needs : "",
        [KEY_BUILD_ONLY] = reduced && p.build_only ? "yes" : "",
    };
    struct strbuf out;
    strbuf_init(&out, 0);
    strbuf_adds(&out, "\nbug\n");
    for (int i = 0; i < KEY_COUNT; i++)
        add_key(&out, keys[i].name, values[i]);
    for (int i = 0; reduced && i < p.n_files; i++)
        add_file(&out, &p.files[i]);
    return strbuf_keep(&out, a);
}

int baseline_write(struct store *s, const struct bug_list *l, struct strbuf *out, int *silent,
                   struct error *e)
{
    struct arena a;
    string_list entries = {0};
    int status = 0;
    arena_init(&a);
    *silent = 0;
    for (int i = 0; i < l->n && !status; i++) {
        if (l->bugs[i].fixed)
            continue;
        const char *text = entry_text(s, &l->bugs[i], silent, &a, e);
        status = text ? 0 : -1;
        if (text)
            vec_push(&entries, text);
    }
    text_sort(&entries); /* they begin with the signature */
    strbuf_addf(out,
                "# Known bugs, by `assay bugs export`. `assay run --baseline` with this file "
                "reports others only.\n%s\n",
                first_line);
    for (size_t i = 0; i < entries.n && !status; i++)
        strbuf_adds(out, entries.at[i]);
    vec_release(&entries);
    arena_release(&a);
    return status;
}

/* -- reading ----------------------------------------------------------------------------------- */

struct reading {
    const char *path;
    int line;
    struct arena *arena;
    VEC(struct baseline_entry) entries;
    VEC(struct program_file) files;    /* of the entry in hand */
    const char *values[KEY_COUNT];     /* likewise; NULL: not given */
    struct strbuf text;                /* of the file in hand */
    bool in_entry, has_version, ended; /* ended: of the file in hand, without a newline */
};

static int wrong(const struct reading *r, struct error *e, const char *what, const char *value)
{
    return error_at(e, ERROR_USAGE, r->path, r->line, "%s '%s'", what,
                    text_shown(r->arena, bytes_of(value)));
}

/* What add_escaped wrote; NULL where it is none. */
static const char *unescaped(struct arena *a, struct bytes s, size_t *n)
{
    char *out = arena_alloc(a, s.size + 1);
    *n = 0;
    for (size_t i = 0; i < s.size; i++) {
        char c = s.data[i];
        if (c == '\\') {
            if (i + 3 >= s.size || s.data[i + 1] != 'x' ||
                !isxdigit((unsigned char)s.data[i + 2]) || !isxdigit((unsigned char)s.data[i + 3]))
                return NULL;
            const char digits[] = {s.data[i + 2], s.data[i + 3], '\0'};
            c = (char)strtol(digits, NULL, 16);
            i += 3;
        }
        out[(*n)++] = c;
    }
    out[*n] = '\0';
    return out;
}

static void end_file(struct reading *r)
{
    if (!r->files.n)
        return;
    struct program_file *f = &r->files.at[r->files.n - 1];
    f->text = arena_memdup(r->arena, r->text.s, r->text.n);
    f->size = r->text.n;
    strbuf_clear(&r->text);
    r->ended = false;
}

static const char *value_of(const struct reading *r, enum key k)
{
    return r->values[k] ? r->values[k] : "";
}

static int end_entry(struct reading *r, struct error *e)
{
    if (!r->in_entry)
        return 0;
    struct baseline_entry *entry = &r->entries.at[r->entries.n - 1];
    end_file(r);
    for (int i = 0; i < KEY_COUNT; i++)
        if (keys[i].needed && !*value_of(r, (enum key)i))
            return error_at(e, ERROR_USAGE, r->path, entry->line, "the bug has no %s",
                            keys[i].name);
    struct program_file *files = arena_array(r->arena, struct program_file, r->files.n + 1);
    for (size_t i = 0; i < r->files.n; i++)
        files[i] = r->files.at[i];
    entry->program = (struct program){.language = value_of(r, KEY_LANGUAGE),
                                      .files = files,
                                      .n_files = (int)r->files.n,
                                      .needs = value_of(r, KEY_NEEDS),
                                      .build_only = r->values[KEY_BUILD_ONLY] != NULL,
                                      .made = {"baseline", "", "", 0, NULL}};
    entry->bug = (struct store_known_bug){
        .signature = value_of(r, KEY_SIGNATURE),
        .kind = (enum anomaly)anomaly_from_name(value_of(r, KEY_KIND)),
        .toolchain = value_of(r, KEY_TOOLCHAIN),
        .testbed = value_of(r, KEY_TESTBED),
        .mark = (enum mark)mark_from_name(value_of(r, KEY_MARK)),
        .covers_signature = signature_evidence(value_of(r, KEY_SIGNATURE)) != NULL,
        .note = value_of(r, KEY_NOTE),
        .pass = value_of(r, KEY_PASS),
        .flags = value_of(r, KEY_FLAGS)};
    memset(r->values, 0, sizeof r->values);
    r->files.n = 0;
    r->in_entry = false;
    return 0;
}

static int begin_entry(struct reading *r, struct error *e)
{
    if (end_entry(r, e))
        return -1;
    if (r->entries.n >= MOST_ENTRIES)
        return error_at(e, ERROR_USAGE, r->path, r->line, "more than %d bugs", MOST_ENTRIES);
    vec_push(&r->entries, ((struct baseline_entry){.line = r->line}));
    r->in_entry = true;
    return 0;
}

static int begin_file(struct reading *r, const char *name, struct error *e)
{
    end_file(r);
    if (!fs_is_plain_name(name))
        return wrong(r, e, "a file of a program cannot be called", name);
    for (size_t i = 0; i < r->files.n; i++)
        if (!strcmp(r->files.at[i].name, name))
            return wrong(r, e, "the program has two files", name);
    if (r->files.n >= MOST_FILES)
        return error_at(e, ERROR_USAGE, r->path, r->line, "the program has more than %d files",
                        MOST_FILES);
    vec_push(&r->files, ((struct program_file){name, "", 0}));
    return 0;
}

/* Is the word one that the key can have? */
static int check_value(struct reading *r, enum key k, const char *value, struct error *e)
{
    int mark = mark_from_name(value);
    switch (k) {
    case KEY_KIND:
        return anomaly_from_name(value) > 0 ? 0 : wrong(r, e, "there is no kind of bug", value);
    case KEY_MARK:
        return mark == MARK_KNOWN || mark == MARK_WONTFIX
                   ? 0
                   : wrong(r, e, "a bug in a baseline is known or wontfix, not", value);
    case KEY_BUILD_ONLY:
        return !strcmp(value, "yes") ? 0 : wrong(r, e, "build-only is yes or left out, not", value);
    default:
        return 0;
    }
}

static int take_key(struct reading *r, const char *name, const char *value, struct error *e)
{
    const char *names[KEY_COUNT + 1];
    for (int i = 0; i < KEY_COUNT; i++) {
        names[i] = keys[i].name;
        if (strcmp(name, keys[i].name) != 0)
            continue;
        if (r->values[i] || r->files.n)
            return wrong(r, e, r->values[i] ? "it has a second" : "it comes after a file:", name);
        struct baseline_entry *entry = &r->entries.at[r->entries.n - 1];
        entry->flags_line = i == KEY_FLAGS ? r->line : entry->flags_line;
        entry->needs_line = i == KEY_NEEDS ? r->line : entry->needs_line;
        r->values[i] = value;
        return check_value(r, (enum key)i, value, e);
    }
    if (!strcmp(name, "file"))
        return begin_file(r, value, e);
    names[KEY_COUNT] = "file";
    const char *nearest = text_nearest(name, names, KEY_COUNT + 1);
    return error_at(e, ERROR_USAGE, r->path, r->line, "unknown key '%s'%s%s%s",
                    text_shown(r->arena, bytes_of(name)), nearest ? ": did you mean '" : "",
                    nearest ? nearest : "", nearest ? "'?" : "");
}

/* "  key: value" or "  key= escaped". */
static int read_key(struct reading *r, struct bytes line, struct error *e)
{
    size_t at = 2, n;
    while (at < line.size && (isalpha((unsigned char)line.data[at]) || line.data[at] == '-'))
        at++;
    bool told =
        at > 2 && at + 2 < line.size && strchr(":=", line.data[at]) && line.data[at + 1] == ' ';
    struct bytes rest =
        told ? (struct bytes){line.data + at + 2, line.size - at - 2} : (struct bytes){"", 0};
    const char *value = NULL;
    if (told && line.data[at] == '=')
        value = unescaped(r->arena, rest, &n);
    else if (told)
        value = arena_memdup(r->arena, rest.data, n = rest.size);
    if (!value || strlen(value) != n)
        return error_at(e, ERROR_USAGE, r->path, r->line, "not a key with a value");
    return take_key(r, arena_memdup(r->arena, line.data + 2, at - 2), value, e);
}

/* A line of the file in hand. */
static int read_text(struct reading *r, struct bytes line, struct error *e)
{
    char sign = line.size > 4 ? line.data[4] : '\0';
    struct bytes rest = {line.data + 5, line.size > 5 ? line.size - 5 : 0};
    size_t n = rest.size;
    const char *text = rest.data;
    if (!r->files.n)
        return error_at(e, ERROR_USAGE, r->path, r->line, "a line of a program without a file");
    if (r->ended)
        return error_at(e, ERROR_USAGE, r->path, r->line, "a line after the end of the file");
    if (sign == '-' && line.size == 5 && r->text.n) {
        r->text.s[--r->text.n] = '\0';
        r->ended = true;
        return 0;
    }
    if (sign == '\\')
        text = unescaped(r->arena, rest, &n);
    if ((sign != '|' && sign != '\\') || !text)
        return error_at(e, ERROR_USAGE, r->path, r->line,
                        "a line of a program begins with '|', or with '\\' and has odd bytes as "
                        "\\x1b");
    strbuf_add(&r->text, text, n);
    strbuf_addc(&r->text, '\n');
    return 0;
}

static int read_line(struct reading *r, struct bytes line, struct error *e)
{
    if (!line.size || line.data[0] == '#')
        return 0;
    if (!r->has_version) {
        r->has_version = bytes_equal(line, bytes_of(first_line));
        return r->has_version
                   ? 0
                   : error_at(
                         e, ERROR_USAGE, r->path, r->line,
                         "not a baseline: it begins with '%s' (`assay bugs export` writes one)",
                         first_line);
    }
    if (bytes_equal(line, bytes_of("bug")))
        return begin_entry(r, e);
    if (!r->in_entry || line.size < 3 || memcmp(line.data, "  ", 2) != 0)
        return error_at(e, ERROR_USAGE, r->path, r->line,
                        "a line is 'bug', or belongs to one and begins with two blanks");
    return line.size > 4 && !memcmp(line.data, "    ", 4) ? read_text(r, line, e)
                                                          : read_key(r, line, e);
}

int baseline_parse(const char *path, struct bytes text, struct arena *a, struct baseline *out,
                   struct error *e)
{
    struct reading r = {.path = path, .arena = a};
    int status = 0;
    strbuf_init(&r.text, LARGEST);
    for (size_t at = 0; at < text.size && !status;) {
        const char *newline = memchr(text.data + at, '\n', text.size - at);
        size_t end = newline ? (size_t)(newline - text.data) : text.size;
        r.line++;
        status = read_line(&r, (struct bytes){text.data + at, end - at}, e);
        at = end + 1;
    }
    if (!status && !r.has_version)
        status = error_at(e, ERROR_USAGE, path, 1, "not a baseline: it is empty");
    if (!status)
        status = end_entry(&r, e);
    *out = (struct baseline){.path = path, .n = status ? 0 : (int)r.entries.n};
    out->entries = arena_array(a, struct baseline_entry, out->n + 1);
    for (int i = 0; i < out->n; i++) {
        out->entries[i] = r.entries.at[i];
        out->entries[i].bug.program = &out->entries[i].program;
    }
    vec_release(&r.entries);
    vec_release(&r.files);
    strbuf_release(&r.text);
    return status;
}

int baseline_read(const char *path, struct arena *a, struct baseline *out, struct error *e)
{
    struct program_file file;
    if (program_file_read(path, LARGEST, a, &file, e)) {
        e->kind = ERROR_USAGE;
        return -1;
    }
    return baseline_parse(path, program_bytes(&file), a, out, e);
}

int baseline_import(struct store *s, const struct baseline *b, struct error *e)
{
    for (int i = 0; i < b->n; i++)
        if (store_import_known(s, &b->entries[i].bug, e))
            return -1;
    return 0;
}
