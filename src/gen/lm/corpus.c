/* The pipeline: lm_corpus_make. Reading and checking are done by a crew of workers (crew.h), once
 * each; in between, what repeats is dropped, so that each program is compiled once. */
#include "gen/lm/corpus.h"

#include "base/child.h"
#include "base/fs.h"
#include "base/map.h"
#include "base/pattern.h"
#include "base/text.h"
#include "cc/import/outline.h"
#include "gen/lm/crew.h"
#include "gen/lm/prepare.h"
#include "gen/lm/repair.h"
#include "gen/lm/rewrite.h"
#include "lm/encoder.h"

#include <string.h>
#include <sys/stat.h>

const char *const lm_fate_name[LM_FATES] = {LM_FATE_TABLE(WORD_NAME)};
const char *const lm_fate_help[LM_FATES] = {LM_FATE_TABLE(WORD_HELP)};

enum {
    LARGEST_FILE = 2 << 20, /* bytes */
    SECONDS_OF_FILE = 20,   /* CPU time, some rounds of clang's */
    SECONDS_OF_CHECK = 20,
};

struct source {
    const char *path;
    uint32_t package;
};

/* A program that was cut out, or a function that was not. */
struct candidate {
    size_t at, n; /* in `texts` */
    uint32_t package;
    uint8_t fate;
};

struct making {
    const struct lm_corpus_options *o;
    struct lm_corpus_result *result;
    struct arena arena;
    VEC(struct source) sources;
    VEC(struct candidate) candidates;
    VEC(uint32_t) unique; /* candidates to be checked */
    struct strbuf texts;
    const char *const *arguments; /* of clang */
};

/* -- files ------------------------------------------------------------------------------------ */

/* Files of the language below a folder; links to folders are not followed. */
static int find_sources(struct making *m, const char *folder, uint32_t package, struct error *e)
{
    string_list names = {0};
    int bad = fs_list(folder, &m->arena, &names, e);
    for (size_t i = 0; i < names.n && !bad; i++) {
        const char *path = arena_printf(&m->arena, "%s/%s", folder, names.at[i]);
        struct stat s;
        if (lstat(path, &s))
            continue;
        if (S_ISDIR(s.st_mode))
            bad = find_sources(m, path, package, e);
        else if (S_ISREG(s.st_mode) && s.st_size <= LARGEST_FILE &&
                 text_ends(names.at[i], m->o->language->suffix)) {
            vec_push(&m->sources, (struct source){.path = path, .package = package});
            m->result->packages.at[package].files++;
        }
    }
    vec_release(&names);
    return bad;
}

/* A link may lead to what its maker wants to see in a corpus. */
static bool is_own_folder(const char *path)
{
    struct stat s;
    return !lstat(path, &s) && S_ISDIR(s.st_mode);
}

/* The line of a package in FOLDER/licences: its name, a tab, the rest. */
static const char *licences_of(struct making *m, const char *folder, const char *package)
{
    struct strbuf text;
    const char *found = "";
    size_t n = strlen(package);
    strbuf_init(&text, 1 << 20);
    if (!fs_read_in(folder, "licences", &text, NULL))
        for (const char *line = text.s, *end; *line; line = end + (*end == '\n')) {
            end = strchrnul(line, '\n');
            if (!strncmp(line, package, n) && line[n] == '\t')
                found = arena_memdup(&m->result->arena, line + n + 1, (size_t)(end - line) - n - 1);
        }
    strbuf_release(&text);
    return found;
}

static int add_package(struct making *m, const char *folder, const char *name, const char *licences,
                       struct error *e)
{
    struct arena *a = &m->result->arena;
    vec_push(&m->result->packages, (struct lm_package){.name = arena_strdup(a, name),
                                                       .folder = arena_strdup(a, folder),
                                                       .licences = licences});
    return find_sources(m, folder, (uint32_t)m->result->packages.n - 1, e);
}

static int add_folder(struct making *m, const char *folder, struct error *e)
{
    const char *files = arena_printf(&m->arena, "%s/files", folder);
    const char *slash = strrchr(folder, '/');
    if (!is_own_folder(files))
        return add_package(m, folder, slash && slash[1] ? slash + 1 : folder, "", e);
    string_list names = {0};
    int bad = fs_list(files, &m->arena, &names, e);
    for (size_t i = 0; i < names.n && !bad; i++) {
        const char *path = arena_printf(&m->arena, "%s/%s", files, names.at[i]);
        if (is_own_folder(path))
            bad = add_package(m, path, names.at[i], licences_of(m, folder, names.at[i]), e);
    }
    vec_release(&names);
    return bad;
}

/* -- reading: in a worker --------------------------------------------------------------------- */

/* What a worker hands back for each function: a head, and the text of those that may stay. */
struct head {
    uint32_t fate;
    uint32_t size;
};

static void hand_back(struct strbuf *out, enum lm_fate fate, const char *text, size_t n)
{
    struct head h = {.fate = (uint32_t)fate, .size = fate == LM_FATE_KEPT ? (uint32_t)n : 0};
    strbuf_add(out, &h, sizeof h);
    strbuf_add(out, text, h.size);
}

static enum lm_fate look_at(const struct making *m, const char *text, size_t n)
{
    int lines = 0;
    for (size_t i = 0; i < n; i++) {
        lines += text[i] == '\n';
        if ((text[i] < ' ' || text[i] > '~') && text[i] != '\n' && text[i] != '\t')
            return LM_FATE_STRANGE;
    }
    if (n > m->o->most_bytes)
        return LM_FATE_LARGE;
    return lines < m->o->language->least_lines ? LM_FATE_SHORT : LM_FATE_KEPT;
}

static const enum lm_fate fate_of_cut[] = {
    [LM_CUT_DONE] = LM_FATE_KEPT,         [LM_CUT_UNDEFINED] = LM_FATE_UNDEFINED,
    [LM_CUT_ASSEMBLY] = LM_FATE_ASSEMBLY, [LM_CUT_LARGE] = LM_FATE_LARGE,
    [LM_CUT_STRANGE] = LM_FATE_STRANGE,
};

static void cut_programs(const struct making *m, struct lm_cut *c, struct strbuf *out)
{
    struct strbuf text;
    bool kernels = !strcmp(m->o->language->unit, "kernel");
    strbuf_init(&text, 0);
    for (uint32_t p = 0; p < c->pieces.n; p++) {
        if (!c->pieces.at[p].function || (kernels && !c->pieces.at[p].kernel))
            continue;
        strbuf_clear(&text);
        enum lm_fate fate = fate_of_cut[lm_cut_program(c, p, m->o->most_bytes, &text)];
        if (fate == LM_FATE_KEPT)
            fate = look_at(m, text.s, text.n);
        hand_back(out, fate, text.s, text.n);
    }
    strbuf_release(&text);
}

static void read_by_clang(const struct making *m, const struct source *s, const char *folder,
                          struct strbuf *out)
{
    struct arena a;
    struct outline outline;
    struct lm_cut cut = {0};
    const char *text;
    size_t n;
    struct lm_prepare p = {.path = s->path,
                           .package = m->result->packages.at[s->package].folder,
                           .arguments = m->arguments,
                           .folder = folder,
                           .kernels = !strcmp(m->o->language->unit, "kernel")};
    arena_init(&a);
    if (lm_prepare(&p, &a, &text, &n, &outline, NULL) || lm_cut_init(&cut, text, n, &outline))
        hand_back(out, LM_FATE_UNREADABLE, NULL, 0);
    else
        cut_programs(m, &cut, out);
    lm_cut_release(&cut);
    arena_release(&a);
}

/* The text without comments, in lines without blanks behind them; empty lines go. */
static void strip(const struct lm_language *l, const char *text, size_t n, struct strbuf *out)
{
    struct scan s = scan_of(&l->own.scan, text, n);
    for (struct scan_token t; (t = scan_token(&s)).kind != SCAN_END;) {
        if (t.kind == SCAN_COMMENT)
            continue;
        if (t.kind == SCAN_STRING && t.open)
            s.at = t.to = t.from + 1;
        if (t.kind == SCAN_NEWLINE) {
            while (out->n && strchr(" \t\r", out->s[out->n - 1]))
                out->s[--out->n] = '\0';
            if (!out->n || out->s[out->n - 1] == '\n')
                continue;
        }
        strbuf_add(out, text + t.from, t.to - t.from);
    }
    if (out->n && out->s[out->n - 1] != '\n')
        strbuf_addc(out, '\n');
}

/* Each run of lines from one that matches `begin` to one that matches `end`. */
static void cut_lines(const struct making *m, struct strbuf *text, struct strbuf *out)
{
    const struct lm_language *l = m->o->language;
    struct pattern begin, end;
    char *from = NULL;
    REQUIRE(!pattern_compile(&begin, l->begin, NULL) && !pattern_compile(&end, l->end, NULL));
    for (char *line = text->s, *next; *line; line = next) {
        char *stop = strchr(line, '\n');
        next = stop + 1; /* strip() ends each line */
        *stop = '\0';
        if (!regexec(&begin.regex, line, 0, NULL, 0))
            from = line;
        else if (from && !regexec(&end.regex, line, 0, NULL, 0)) {
            *stop = '\n';
            size_t n = (size_t)(next - from);
            hand_back(out, look_at(m, from, n), from, n);
            from = NULL;
        }
        *stop = '\n';
    }
    pattern_release(&begin);
    pattern_release(&end);
}

static void read_as_text(const struct making *m, const struct source *s, struct strbuf *out)
{
    struct strbuf file, text;
    strbuf_init(&file, LARGEST_FILE);
    strbuf_init(&text, 0);
    if (fs_read(s->path, &file, NULL)) {
        hand_back(out, LM_FATE_UNREADABLE, NULL, 0);
    } else {
        strip(m->o->language, file.s, file.n, &text);
        if (m->o->language->begin && strlen(text.s) == text.n)
            cut_lines(m, &text, out);
        else
            hand_back(out, look_at(m, text.s, text.n), text.s, text.n);
    }
    strbuf_release(&file);
    strbuf_release(&text);
}

static void read_source(void *context, uint32_t i, const char *folder, struct strbuf *out)
{
    const struct making *m = context;
    if (m->o->language->reader == LM_READ_CLANG)
        read_by_clang(m, &m->sources.at[i], folder, out);
    else
        read_as_text(m, &m->sources.at[i], out);
}

/* In the parent: what a worker handed back. */
static void take_source(void *context, uint32_t i, const char *data, size_t n)
{
    struct making *m = context;
    struct head h;
    uint32_t package = m->sources.at[i].package;
    if (!n)
        m->result->packages.at[package].fates[data ? LM_FATE_EMPTY : LM_FATE_UNREADABLE]++;
    for (size_t at = 0; data && at + sizeof h <= n; at += h.size) {
        memcpy(&h, data + at, sizeof h);
        at += sizeof h;
        REQUIRE(h.fate < LM_FATES && h.size <= n - at);
        if (h.fate != LM_FATE_KEPT) {
            m->result->packages.at[package].fates[h.fate]++;
            continue;
        }
        vec_push(&m->candidates,
                 (struct candidate){.at = m->texts.n, .n = h.size, .package = package});
        strbuf_add(&m->texts, data + at, h.size);
    }
}

/* -- checking --------------------------------------------------------------------------------- */

static bool is_right_by_clang(const struct making *m, const char *text, size_t n)
{
    struct arena a;
    struct outline l;
    struct outline_job job = {
        .name = arena_printf((arena_init(&a), &a), "program%s", m->o->language->suffix),
        .text = text,
        .n = n,
        .arguments = m->arguments,
        .messages_only = true};
    bool right = !outline_read(&job, &a, &l, NULL) && !l.n_errors;
    arena_release(&a);
    return right;
}

static bool is_right_by_command(const struct making *m, const char *text, size_t n,
                                const char *folder)
{
    struct lm_checker checker = {.language = m->o->language, .folder = folder};
    struct lm_check check;
    return !lm_check_text(&checker, text, n, &check, NULL) && check.good;
}

static void check_candidate(void *context, uint32_t i, const char *folder, struct strbuf *out)
{
    const struct making *m = context;
    const struct candidate *c = &m->candidates.at[m->unique.at[i]];
    const char *text = m->texts.s + c->at;
    bool right = true;
    if (m->o->language->reader == LM_READ_CLANG)
        right = is_right_by_clang(m, text, c->n);
    else if (m->o->language->check)
        right = is_right_by_command(m, text, c->n, folder);
    strbuf_addc(out, right ? '1' : '0');
}

static void take_check(void *context, uint32_t i, const char *data, size_t n)
{
    struct making *m = context;
    if (!data || n != 1 || *data != '1')
        m->candidates.at[m->unique.at[i]].fate = LM_FATE_WRONG;
}

static void drop_repeated(struct making *m)
{
    struct map seen;
    map_init(&seen);
    for (uint32_t i = 0; i < m->candidates.n; i++) {
        bool added;
        struct candidate *c = &m->candidates.at[i];
        map_put(&seen, m->texts.s + c->at, c->n, &added);
        c->fate = added ? LM_FATE_KEPT : LM_FATE_REPEATED;
        if (added)
            vec_push(&m->unique, i);
    }
    map_release(&seen);
}

/* -- alike ------------------------------------------------------------------------------------ */

/* Generated test-suites have one program a thousand times, for each function and type. A model that
 * sees nothing else copies them. */

static bool decides(const char *word, size_t n)
{
    static const char *const words[] = {"if",    "else", "for",    "while", "do",
                                        "break", "case", "switch", "return"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && !memcmp(words[i], word, n))
            return true;
    return false;
}

/* Words that do not decide become w, numbers 0; blanks go. */
static void add_shape(const char *text, size_t size, struct strbuf *out)
{
    for (size_t i = 0, n; i < size; i += n) {
        n = 0;
        while (i + n < size && lm_is_word_byte(text[i + n]))
            n++;
        if (n && text[i] >= '0' && text[i] <= '9')
            strbuf_addc(out, '0');
        else if (n && decides(text + i, n))
            strbuf_add(out, text + i, n);
        else if (n)
            strbuf_addc(out, 'w');
        else if (!strchr(" \n\t", text[i]))
            strbuf_addc(out, text[i]);
        n = n ? n : 1;
    }
}

static void drop_alike(struct making *m)
{
    struct map shapes;
    struct strbuf shape;
    map_init(&shapes);
    strbuf_init(&shape, 0);
    for (size_t i = 0; i < m->candidates.n && m->o->alike; i++) {
        struct candidate *c = &m->candidates.at[i];
        if (c->fate != LM_FATE_KEPT)
            continue;
        strbuf_clear(&shape);
        add_shape(m->texts.s + c->at, c->n, &shape);
        if (map_put(&shapes, shape.s, shape.n, NULL)->value.number++ >= (uint64_t)m->o->alike)
            c->fate = LM_FATE_ALIKE;
    }
    strbuf_release(&shape);
    map_release(&shapes);
}

/* -- the whole -------------------------------------------------------------------------------- */

static void show_reading(void *context, uint32_t done, uint32_t n)
{
    const struct making *m = context;
    if (m->o->progress)
        m->o->progress(m->o->to, "files read", done, n);
}

static void show_checking(void *context, uint32_t done, uint32_t n)
{
    const struct making *m = context;
    if (m->o->progress)
        m->o->progress(m->o->to, "programs checked", done, n);
}

static void write_text(struct making *m)
{
    for (size_t i = 0; i < m->candidates.n; i++) {
        const struct candidate *c = &m->candidates.at[i];
        struct lm_package *p = &m->result->packages.at[c->package];
        p->fates[c->fate]++;
        if (c->fate != LM_FATE_KEPT)
            continue;
        p->bytes += c->n;
        strbuf_add(&m->result->text, m->texts.s + c->at, c->n);
        strbuf_addc(&m->result->text, '\0');
    }
}

static int find_all(struct making *m, struct error *e)
{
    char **words;
    const char *arguments = m->o->language->arguments;
    if (text_split(&m->arena, arguments ? arguments : "", &words) < 0)
        return error_at(e, ERROR_USAGE, m->o->language->file, 0,
                        "a quote in `arguments` is not closed");
    m->arguments = (const char *const *)words;
    for (int i = 0; i < m->o->n_folders; i++)
        if (add_folder(m, m->o->folders[i], e))
            return -1;
    if (!m->sources.n)
        return error_set(e, ERROR_USAGE, "there is no file that ends in %s in these folders",
                         m->o->language->suffix);
    return 0;
}

static int run_stages(struct making *m, struct error *e)
{
    if (find_all(m, e))
        return -1;
    struct lm_crew readers = {.workers = m->o->workers,
                              .stop = m->o->stop,
                              .context = m,
                              .n = (uint32_t)m->sources.n,
                              .seconds = SECONDS_OF_FILE,
                              .work = read_source,
                              .take = take_source,
                              .progress = show_reading};
    if (lm_crew_run(&readers, e))
        return -1;
    drop_repeated(m);
    struct lm_crew checkers = readers;
    checkers.n = (uint32_t)m->unique.n;
    checkers.seconds = SECONDS_OF_CHECK;
    checkers.work = check_candidate;
    checkers.take = take_check;
    checkers.progress = show_checking;
    if (lm_crew_run(&checkers, e))
        return -1;
    drop_alike(m);
    write_text(m);
    return 0;
}

/* Are there a libclang and a sandbox? Told before a thousand files are unreadable without. */
static int check_reader(const struct lm_language *l, struct error *e)
{
    static const char *const none[] = {NULL};
    struct outline_job job = {.name = "program.c", .text = "", .arguments = none};
    struct outline outline;
    struct arena a;
    if ((l->reader == LM_READ_CLANG || l->check) && child_sandbox_available(e))
        return -1;
    if (l->reader != LM_READ_CLANG)
        return 0;
    arena_init(&a);
    int bad = outline_read(&job, &a, &outline, e);
    arena_release(&a);
    return bad;
}

int lm_corpus_make(const struct lm_corpus_options *o, struct lm_corpus_result *out, struct error *e)
{
    struct making m = {.o = o, .result = out};
    *out = (struct lm_corpus_result){0};
    arena_init(&out->arena);
    strbuf_init(&out->text, (size_t)4 << 30);
    arena_init(&m.arena);
    strbuf_init(&m.texts, (size_t)4 << 30);
    int bad = check_reader(o->language, e) || run_stages(&m, e);
    strbuf_release(&m.texts);
    vec_release(&m.sources);
    vec_release(&m.candidates);
    vec_release(&m.unique);
    arena_release(&m.arena);
    return bad ? -1 : 0;
}

void lm_corpus_result_release(struct lm_corpus_result *r)
{
    vec_release(&r->packages);
    strbuf_release(&r->text);
    arena_release(&r->arena);
}
