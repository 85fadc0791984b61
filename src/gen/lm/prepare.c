/* Rounds of `clang -E` and of outlining the result. The headers of OpenCL are left out of the first
 * and let into the second, so that names of its macros (CLK_LOCAL_MEM_FENCE, M_PI_F) stay names.
 *
 * The file is not ours: clang reads it in the sandbox, where `#include "/home/me/.netrc"` finds
 * nothing. It sees the package and our folder, both at their own places. */
#include "gen/lm/prepare.h"

#include "base/child.h"
#include "base/fs.h"
#include "base/scan.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "gen/lm/style.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 8,
    MOST_HEADERS = 24,      /* rounds more, for those that are missing */
    LARGEST_TEXT = 4 << 20, /* bytes, preprocessed */
    PREPROCESSOR_SECONDS = 10,
};

typedef VEC(const char *) words;

struct preparing {
    const struct lm_prepare *p;
    struct arena *arena;
    struct map shim; /* names that it defines */
    struct strbuf shim_text;
    const char *shim_path, *headers; /* file, folder */
    const char *path, *package;      /* of p, from the root on */
    const char *sees[3];
};

/* -- mending ---------------------------------------------------------------------------------- */

/* The word in quotes behind `before`; NULL: the message is another one. */
static const char *quoted(struct arena *a, const char *message, const char *before)
{
    const char *at = strstr(message, before);
    if (!at)
        return NULL;
    at += strlen(before);
    const char *end = strchr(at, '\'');
    for (const char *c = at; end && c < end; c++)
        if (!scan_in_word(&scan_c, *c))
            return NULL;
    return end && end > at ? arena_memdup(a, at, (size_t)(end - at)) : NULL;
}

/* Does the word at the place look like a type: `T x`, `T *)`, `(T)(x)`? */
static bool looks_like_type(const char *text, size_t n, size_t at, size_t size)
{
    struct scan s = {&scan_c, text, n, at + size};
    while (at && isspace((unsigned char)text[at - 1]))
        at--;
    scan_space(&s);
    char before = at ? text[at - 1] : '\0', behind = scan_peek(&s, 0);
    if (scan_in_word(&scan_c, behind))
        return true;
    s.at += s.at < n;
    scan_space(&s);
    char next = scan_peek(&s, 0);
    if (behind == '*' && (next == ')' || next == '*'))
        return true;
    return before == '(' && behind == ')' && (next == '(' || scan_in_word(&scan_c, next));
}

/* What old programs call without a declaration. */
static const struct {
    const char *name, *line;
} prototypes[] = {
    {"abort", "void abort(void);\n"},
    {"exit", "void exit(int);\n"},
    {"printf", "int printf(const char *, ...);\n"},
    {"sprintf", "int sprintf(char *, const char *, ...);\n"},
    {"puts", "int puts(const char *);\n"},
    {"putchar", "int putchar(int);\n"},
    {"malloc", "void *malloc(unsigned long);\n"},
    {"calloc", "void *calloc(unsigned long, unsigned long);\n"},
    {"free", "void free(void *);\n"},
    {"memcpy", "void *memcpy(void *, const void *, unsigned long);\n"},
    {"memmove", "void *memmove(void *, const void *, unsigned long);\n"},
    {"memset", "void *memset(void *, int, unsigned long);\n"},
    {"memcmp", "int memcmp(const void *, const void *, unsigned long);\n"},
    {"strlen", "unsigned long strlen(const char *);\n"},
    {"strcpy", "char *strcpy(char *, const char *);\n"},
    {"strcmp", "int strcmp(const char *, const char *);\n"},
    {"strcat", "char *strcat(char *, const char *);\n"},
    {"abs", "int abs(int);\n"},
    {"alloca", "void *alloca(unsigned long);\n"},
};

static const char *prototype_of(const char *name)
{
    for (size_t i = 0; i < sizeof prototypes / sizeof *prototypes; i++)
        if (!strcmp(name, prototypes[i].name))
            return prototypes[i].line;
    return NULL;
}

void lm_prepare_mend(const char *text, size_t n, const struct outline_message *m, struct arena *a,
                     const char **name, const char **line)
{
    *line = "";
    *name = quoted(a, m->text, "unknown type name '");
    if (*name) {
        *line = arena_printf(a, "#define %s float\n", *name);
        return;
    }
    *name = quoted(a, m->text, "use of undeclared identifier '");
    if (!*name)
        *name = quoted(a, m->text, "call to undeclared function '");
    if (!*name)
        *name = quoted(a, m->text, "implicit declaration of function '");
    if (!*name)
        return;
    size_t size = strlen(*name);
    struct scan behind = {&scan_c, text, n, m->at + size};
    scan_space(&behind);
    if (prototype_of(*name))
        *line = prototype_of(*name);
    else if (looks_like_type(text, n, m->at, size))
        *line = arena_printf(a, "#define %s float\n", *name);
    else if (scan_peek(&behind, 0) == '(')
        *line = arena_printf(a, "#define %s(...) (__VA_ARGS__)\n", *name);
    else
        *line = arena_printf(a, "#define %s 1\n", *name);
}

/* Additions of one kind: types, or all others. True: the shim has grown. A name is defined once:
 * what was wrong the first time stays so. */
static bool add_mends(struct preparing *g, const char *text, size_t n, const struct outline *l,
                      bool types)
{
    size_t before = g->shim_text.n;
    for (uint32_t i = 0; i < l->n_messages; i++) {
        const char *name, *line;
        bool added;
        if (!l->messages[i].error)
            continue;
        lm_prepare_mend(text, n, &l->messages[i], g->arena, &name, &line);
        if (!*line || types != (strstr(line, " float\n") != NULL))
            continue;
        map_put_str(&g->shim, name, &added);
        if (added)
            strbuf_adds(&g->shim_text, line);
    }
    return g->shim_text.n > before;
}

/* Types first: a variable whose type is unknown is undeclared afterwards, and must not become 1. */
static bool grow_shim(struct preparing *g, const char *text, size_t n, const struct outline *l)
{
    return add_mends(g, text, n, l, true) || add_mends(g, text, n, l, false);
}

/* -- preprocessing ---------------------------------------------------------------------------- */

/* compile_flags.txt of the package. */
static void add_flags(struct preparing *g, words *to)
{
    struct strbuf text;
    const char *path = arena_printf(g->arena, "%s/compile_flags.txt", g->p->package);
    strbuf_init(&text, 1 << 20);
    if (fs_exists(path) && !fs_read(path, &text, NULL))
        for (char *line = text.s, *end; *line; line = end) {
            end = strchrnul(line, '\n');
            if (end > line)
                vec_push(to, arena_memdup(g->arena, line, (size_t)(end - line)));
            end += *end == '\n';
        }
    strbuf_release(&text);
}

static bool is_opencl(const struct lm_prepare *p)
{
    for (const char *const *a = p->arguments; *a; a++)
        if (!strcmp(*a, "cl"))
            return true;
    return false;
}

static void preprocessor_words(struct preparing *g, const char *clang, words *to)
{
    vec_push(to, clang);
    for (const char *const *a = g->p->arguments; *a; a++)
        vec_push(to, *a);
    vec_push(to, "-E");
    vec_push(to, "-P");
    vec_push(to, "-w");
    vec_push(to, "-D__ASSAY_CORPUS__");
    if (is_opencl(g->p))
        vec_push(to, "-cl-no-stdinc");
    vec_push(to, "-include");
    vec_push(to, g->shim_path);
    vec_push(to, arena_printf(g->arena, "-I%s", fs_folder(g->arena, g->path)));
    vec_push(to, arena_printf(g->arena, "-I%s", g->package));
    vec_push(to, /* __FILE__ is what the caller called it */
             arena_printf(g->arena, "-fmacro-prefix-map=%s=%s", g->package, g->p->package));
    add_flags(g, to);
    vec_push(to, "-idirafter");
    vec_push(to, g->headers);
    vec_push(to, g->path);
    vec_push(to, NULL);
}

/* The header that is missing, made empty. False: there is none, or it cannot be made. */
static bool make_header(struct preparing *g, const char *messages)
{
    const char *at = strstr(messages, "' file not found"), *begin = at;
    while (at && begin > messages && begin[-1] != '\'' && begin[-1] != '\n')
        begin--;
    if (!at || begin == messages || begin[-1] != '\'')
        return false;
    const char *name = arena_memdup(g->arena, begin, (size_t)(at - begin));
    if (strstr(name, "..") || *name == '/')
        return false;
    const char *path = arena_printf(g->arena, "%s/%s", g->headers, name);
    return !fs_make_dirs(fs_folder(g->arena, path), NULL) && !fs_exists(path) &&
           !fs_write(path, "", 0, NULL);
}

static const char *const clangs[] = {"clang",    "clang-21", "clang-20", "clang-19",
                                     "clang-18", "clang-17", "clang-14"};
enum { N_CLANGS = sizeof clangs / sizeof *clangs };

/* The first clang that can be started; what it prints. */
static int run_clang(struct preparing *g, struct child_result *r, struct error *e)
{
    for (int i = 0; i < N_CLANGS; i++) {
        words argv = {0};
        preprocessor_words(g, clangs[i], &argv);
        struct child_spec spec = {
            .argv = argv.at,
            .limits = {.wall_ms = PREPROCESSOR_SECONDS * 1000, .output_bytes = LARGEST_TEXT},
            .sandbox = {.on = true, .sees = g->sees}};
        strbuf_clear(&r->out);
        strbuf_clear(&r->err);
        int bad = child_run(&spec, r, e);
        vec_release(&argv);
        if (bad || r->end != CHILD_NOT_STARTED)
            return bad;
    }
    return error_set(e, ERROR_ENVIRONMENT, "no clang to preprocess with: install clang");
}

/* Is there a directive left, made by a macro (`#define HASH #`)? clang passes it on as text, but
 * who reads that text next, outside of the sandbox, would follow an #include. */
static bool has_directive(const struct strbuf *text)
{
    static const char *const signs[] = {"#", "%:", "?\?="};
    bool begins = true; /* only blanks (and NUL, which is one to clang) in this line so far */
    for (size_t at = 0; at < text->n; at++) {
        const char *s = text->s + at;
        begins |= *s == '\n' || *s == '\r';
        if (!begins || strchr(" \t\v\f\r\n", *s))
            continue;
        begins = false;
        for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
            const char *word = s + strlen(signs[i]);
            if (strncmp(s, signs[i], strlen(signs[i])) != 0)
                continue;
            word += strspn(word, " \t");
            if (strncmp(word, "pragma", 6) != 0 && strncmp(word, "ident", 5) != 0)
                return true;
        }
    }
    return false;
}

/* Once, with as many headers as are missing. */
static int preprocess(struct preparing *g, struct child_result *r, struct error *e)
{
    if (fs_write(g->shim_path, g->shim_text.s, g->shim_text.n, e))
        return -1;
    for (int headers = 0; headers < MOST_HEADERS; headers++) {
        if (run_clang(g, r, e))
            return -1;
        bool nothing = r->status && !r->out.n; /* the file itself cannot be read */
        if (r->end != CHILD_EXITED || r->out.truncated || nothing || has_directive(&r->out))
            return error_at(e, ERROR_USAGE, g->p->path, 0, "this file cannot be preprocessed");
        if (!r->status || !make_header(g, r->err.s))
            return 0; /* errors of the preprocessor (#error) leave the rest of the text */
    }
    return 0;
}

/* -- pruning ---------------------------------------------------------------------------------- */

/* A row of lexemes on the outermost level, up to `;` or the end of a function. */
struct stretch {
    uint32_t first, end;
    bool function, kernel, needed;
};

struct pruning {
    lm_lexemes l;
    VEC(struct stretch) stretches;
    struct map functions; /* by name: a stretch and those of the same name, as a list */
    VEC(uint32_t) next;   /* by stretch: another of the same name + 1; 0: none */
    VEC(uint32_t) waiting;
};

static void find_stretches(struct pruning *g)
{
    struct stretch s = {0};
    int depth = 0;
    for (uint32_t i = 0; i < g->l.n; i++) {
        const struct lm_lexeme *x = &g->l.at[i];
        if (!depth && x->kind == LM_LEX_WORD)
            s.kernel |= lm_lexeme_is(x, "kernel") || lm_lexeme_is(x, "__kernel");
        if (lm_is_sign(x, '{') && !depth)
            s.function = i && lm_is_sign(x - 1, ')');
        if (x->kind != LM_LEX_SIGN || x->n != 1)
            continue;
        depth += depth || lm_bracket(x) > 0 ? lm_bracket(x) : 0;
        if (depth || !(lm_is_sign(x, ';') || (lm_is_sign(x, '}') && s.function)))
            continue;
        s.end = i + 1;
        vec_push(&g->stretches, s);
        s = (struct stretch){.first = i + 1};
    }
    s.end = (uint32_t)g->l.n;
    vec_push(&g->stretches, s);
}

/* Words before parentheses in the head of a function: its name is one of them. */
static void name_functions(struct pruning *g)
{
    for (uint32_t k = 0; k < g->stretches.n; k++) {
        const struct stretch *s = &g->stretches.at[k];
        vec_push(&g->next, 0);
        for (uint32_t i = s->first; i + 1 < s->end && s->function; i++) {
            const struct lm_lexeme *x = &g->l.at[i];
            if (lm_is_sign(x, '{'))
                break;
            if (x->kind != LM_LEX_WORD || !lm_is_sign(x + 1, '(') || *x->s == '_')
                continue;
            struct map_entry *e = map_put(&g->functions, x->s, x->n, NULL);
            g->next.at[k] = (uint32_t)e->value.number;
            e->value.number = k + 1;
            break;
        }
    }
}

static void need(struct pruning *g, uint32_t k)
{
    if (!g->stretches.at[k].needed)
        vec_push(&g->waiting, k);
    g->stretches.at[k].needed = true;
}

static void find_needed(struct pruning *g)
{
    for (uint32_t k = 0; k < g->stretches.n; k++)
        if (!g->stretches.at[k].function || g->stretches.at[k].kernel)
            need(g, k);
    while (g->waiting.n) {
        const struct stretch s = g->stretches.at[g->waiting.at[--g->waiting.n]];
        for (uint32_t i = s.first; i < s.end; i++) {
            const struct lm_lexeme *x = &g->l.at[i];
            struct map_entry *e = x->kind == LM_LEX_WORD && (s.function || !lm_is_sign(x + 1, '('))
                                      ? map_find(&g->functions, x->s, x->n)
                                      : NULL; /* a prototype needs no definition */
            for (uint32_t k = e ? (uint32_t)e->value.number : 0; k; k = g->next.at[k - 1])
                need(g, k - 1);
        }
    }
}

void lm_prepare_prune(const char *text, size_t n, struct strbuf *out)
{
    struct pruning g = {0};
    map_init(&g.functions);
    bool bad = lm_lex(text, n, &g.l) != 0 || !g.l.n;
    if (!bad) {
        vec_push(&g.l,
                 (struct lm_lexeme){.s = ";", .n = 1, .kind = LM_LEX_SIGN, .at = (uint32_t)n});
        g.l.n--; /* something to look at behind the last one */
        find_stretches(&g);
        name_functions(&g);
        find_needed(&g);
    }
    for (size_t k = 0; k < g.stretches.n && !bad; k++) {
        const struct stretch *s = &g.stretches.at[k];
        if (!s->needed || s->first >= s->end)
            continue;
        const struct lm_lexeme *last = &g.l.at[s->end - 1];
        strbuf_add(out, text + g.l.at[s->first].at, last->at + last->n - g.l.at[s->first].at);
        strbuf_addc(out, '\n');
    }
    if (bad)
        strbuf_add(out, text, n);
    map_release(&g.functions);
    vec_release(&g.l);
    vec_release(&g.stretches);
    vec_release(&g.next);
    vec_release(&g.waiting);
}

/* -- the whole -------------------------------------------------------------------------------- */

static int list_text(struct preparing *g, const struct child_result *r, const char **text,
                     size_t *n, struct outline *out, struct error *e)
{
    words argv = {0};
    for (const char *const *a = g->p->arguments; *a; a++)
        vec_push(&argv, *a);
    vec_push(&argv, "-ferror-limit=0");
    vec_push(&argv, "-fno-spell-checking");
    vec_push(&argv, NULL);
    struct strbuf pruned;
    strbuf_init(&pruned, LARGEST_TEXT);
    if (g->p->kernels)
        lm_prepare_prune(r->out.s, r->out.n, &pruned);
    const struct strbuf *source = g->p->kernels ? &pruned : &r->out;
    *text = arena_memdup(g->arena, source->s, source->n);
    *n = source->n;
    strbuf_release(&pruned);
    struct outline_job job = {.name = is_opencl(g->p) ? "program.cl" : "program.c",
                              .text = *text,
                              .n = *n,
                              .arguments = argv.at};
    int bad = outline_read(&job, g->arena, out, e);
    vec_release(&argv);
    return bad;
}

/* Paths from the root on, for the sandbox. */
static int find_places(struct preparing *g, struct error *e)
{
    const struct lm_prepare *p = g->p;
    char package[PATH_MAX], folder[PATH_MAX];
    size_t n = strlen(p->package);
    REQUIRE(!strncmp(p->path, p->package, n) && p->path[n] == '/');
    if (!realpath(p->package, package) || !realpath(p->folder, folder))
        return error_at(e, ERROR_ENVIRONMENT, p->package, 0, "cannot be reached");
    g->package = g->sees[0] = arena_strdup(g->arena, package);
    g->sees[1] = arena_strdup(g->arena, folder);
    g->path = arena_printf(g->arena, "%s%s", package, p->path + n);
    g->headers = arena_printf(g->arena, "%s/headers", folder);
    g->shim_path = arena_printf(g->arena, "%s/shim.h", folder);
    return fs_make_dirs(g->headers, e);
}

int lm_prepare(const struct lm_prepare *p, struct arena *a, const char **text, size_t *n,
               struct outline *out, struct error *e)
{
    struct preparing g = {.p = p, .arena = a};
    struct child_result r;
    int bad = 0;
    fs_empty_dir(p->folder);
    if (find_places(&g, e))
        return -1;
    map_init(&g.shim);
    strbuf_init(&g.shim_text, 1 << 20);
    child_result_init(&r, LARGEST_TEXT, 1 << 20);
    for (int round = 0; round < ROUNDS && !bad; round++) {
        bad = preprocess(&g, &r, e) || list_text(&g, &r, text, n, out, e);
        if (!bad && (!out->n_errors || !grow_shim(&g, *text, *n, out)))
            break;
    }
    child_result_release(&r);
    strbuf_release(&g.shim_text);
    map_release(&g.shim);
    return bad ? -1 : 0;
}
