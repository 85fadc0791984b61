/* Files in the order of their paths, functions in that of the text. What is kept goes at once into
 * the program that the library will be; its text is printed at the end, with the domains as
 * comments. */
#include "gen/graft/harvest.h"

#include "base/fs.h"
#include "base/map.h"
#include "cc/import/import.h"
#include "cc/print.h"
#include "cc/walk.h"
#include "gen/graft/copy.h"
#include "gen/graft/cut.h"
#include "gen/graft/standard.h"

#include <stdlib.h>

enum { STEPS = 20000, MOST_DEPTH = 20 /* of folders */ };

struct harvester {
    const struct harvest_options *o;
    struct harvest_counts *counts;
    struct arena arena;        /* of the library */
    struct cc_program library; /* what is kept */
    struct copy *copy;
    struct cc_program standard; /* functions of the library */
    struct map seen;            /* texts of functions: the same ones come from many files */
};

static bool is_full(const struct harvester *h)
{
    return (h->o->most && h->counts->kept >= h->o->most) || (h->o->stop && *h->o->stop);
}

static void tell(const struct harvester *h, const char *path, const char *function, const char *why)
{
    if (h->o->each)
        h->o->each(h->o->to, path, function, why);
}

/* -- what a function needs that it must not ---------------------------------------------------- */

struct state_walk {
    struct map seen; /* functions, by name */
    const struct cc_var *kept;
};

static bool is_static(const struct cc_var *v)
{
    return v->global || v->storage != CC_AUTO;
}

/* The variable of which the lvalue is a part; NULL: it is reached through a pointer. */
static const struct cc_var *root_of(const struct cc_expr *e)
{
    while (e->kind == CC_E_MEMBER || (e->kind == CC_E_INDEX && e->a->type->kind == CC_ARRAY))
        e = e->a;
    return e->kind == CC_E_VAR ? e->var : NULL;
}

static bool is_constant(const struct cc_type *t)
{
    while (t->kind == CC_ARRAY)
        t = t->to;
    return t->quals & CC_CONST;
}

/* Stored to, or its address goes where nobody follows it. */
static bool note_state(struct state_walk *w, const struct cc_expr *lvalue)
{
    const struct cc_var *v = root_of(lvalue);
    if (v && is_static(v) && !is_constant(v->type))
        w->kept = v;
    return w->kept != NULL;
}

static bool find_state(const struct cc_stmt *body, struct state_walk *w);

static bool sees_state(const struct cc_expr *e, void *to)
{
    struct state_walk *w = to;
    bool added = false;
    switch (e->kind) {
    case CC_E_ASSIGN:
        return note_state(w, e->a) || (e->b->type->kind == CC_ARRAY && note_state(w, e->b));
    case CC_E_INCDEC:
    case CC_E_ADDR:
        return note_state(w, e->a);
    case CC_E_CAST: /* an array that decays is no subscript's */
    case CC_E_BINARY:
    case CC_E_DEREF:
        return (e->a->type->kind == CC_ARRAY && note_state(w, e->a)) ||
               (e->kind == CC_E_BINARY && e->b->type->kind == CC_ARRAY && note_state(w, e->b));
    case CC_E_CALL:
        for (uint32_t i = 0; i < e->n_args; i++)
            if (e->args[i]->type->kind == CC_ARRAY && note_state(w, e->args[i]))
                return true;
        return false;
    case CC_E_FUNC:
        map_put_str(&w->seen, e->func->name, &added);
        return added && e->func->body && find_state(e->func->body, w);
    default:
        return false;
    }
}

static bool declares_state(const struct cc_stmt *s, void *to)
{
    const struct cc_expr *e = s->kind == CC_S_DECL ? s->var->init : NULL;
    while (e && e->kind == CC_E_CAST)
        e = e->a;
    return e && s->var->type->kind == CC_POINTER && e->type->kind == CC_ARRAY && note_state(to, e);
}

static bool find_state(const struct cc_stmt *body, struct state_walk *w)
{
    return cc_walk_stmt(body,
                        &(struct cc_walk){.stmt = declares_state, .expr = sees_state, .to = w});
}

/* A variable that keeps what it was given from one call to the next. */
static const char *keeps_state(const struct cc_func *f, struct arena *a)
{
    struct state_walk w = {0};
    map_init(&w.seen);
    find_state(f->body, &w);
    map_release(&w.seen);
    return w.kept ? arena_printf(a, "it keeps state in %s", w.kept->name) : NULL;
}

/* -- one function ------------------------------------------------------------------------------ */

/* Its text alone, by which it is known again. */
static bool is_new(struct harvester *h, const struct cc_func *f, struct arena *a)
{
    struct cc_program p;
    struct strbuf text;
    const char *why;
    bool added = false;
    const struct cc_print_options print = {.wrappers = CC_WRAP_NONE, .plain_types = true};
    cc_program_init(&p, a, &cc_lp64);
    strbuf_init(&text, 0);
    struct copy *c = copy_new(&p, "", a);
    if (copy_function(c, f, &why)) {
        cc_print_unit(&p, &print, &text);
        map_put(&h->seen, text.s, text.n, &added);
    }
    copy_free(c);
    strbuf_release(&text);
    cc_program_release(&p);
    return added;
}

/* Short arrays first: what reads further needs longer ones. */
static const char *find_domain(struct harvester *h, const struct cc_func *f, struct arena *a,
                               struct graft_function *g)
{
    static const uint32_t lengths[] = {16, 64};
    const char *why = NULL;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        bool arrays = false;
        why = graft_describe(f, lengths[i], a, g);
        for (int k = 0; k < g->n_params; k++)
            arrays |= g->params[k].array;
        if (!why)
            why = graft_explore(g, h->o->steps ? h->o->steps : STEPS, a);
        if (!why || !arrays)
            break;
    }
    return why;
}

static const char *keep(struct harvester *h, struct graft_function *g)
{
    const char *why;
    struct strbuf text;
    struct cc_func *kept = copy_function(h->copy, g->func, &why);
    if (!kept)
        BUG("%s was copied before: %s", g->name, why);
    strbuf_init(&text, 0);
    g->name = kept->name;
    graft_write(g, &text);
    kept->comment = strbuf_keep(&text, &h->arena);
    h->counts->kept++;
    return NULL;
}

static const char *consider(struct harvester *h, const struct cc_func *f, struct arena *a)
{
    struct graft_function g;
    const char *why = graft_describe(f, 1, a, &g);
    if (!why)
        why = keeps_state(f, a);
    if (!why)
        why = find_domain(h, f, a, &g);
    if (!why && !is_new(h, f, a))
        why = "it is there already";
    return why ? why : keep(h, &g);
}

/* -- one file ---------------------------------------------------------------------------------- */

/* What a text asks of its compiler was answered when it was read, and what is copied does not ask
 * again: the import need not care for such words. */
static int import_file(const struct parsed *parsed, const char *path, struct cc_program *p,
                       struct error *e)
{
    static const char *const words[] = {"__GNUC__",    "__GNUC_MINOR__", "__VERSION__", "__clang__",
                                        "__OPTIMIZE_", "__NO_INLINE__",  "__has_",      "__TIME",
                                        "__DATE__",    "__FAST_MATH__"};
    struct parsed settled = *parsed;
    struct import import;
    settled.source = arena_memdup(p->arena, parsed->source, parsed->source_size);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (char *at = settled.source; (at = strstr(at, words[i])); at++)
            at[2] = 'X';
    return cc_import_partly(&settled, path, p, &import, e);
}

/* And not the library's. */
static bool is_own(const struct cc_func *f)
{
    return strncmp(f->name, STANDARD_PREFIX, strlen(STANDARD_PREFIX)) != 0;
}

static void try_function(struct harvester *h, const char *path, const struct cc_func *f)
{
    struct arena a;
    arena_init(&a);
    h->counts->functions++;
    tell(h, path, f->name, consider(h, f, &a));
    arena_release(&a);
}

/* A file that cannot be imported as a whole, without what this function does not need. */
static void try_cut(struct harvester *h, const char *path, const struct parsed *parsed,
                    uint32_t node, const struct parse_options *o)
{
    struct arena a;
    struct parsed cut;
    struct cc_program p;
    struct strbuf text;
    struct error e = {0};
    const char *name = parsed_string(parsed, parsed->nodes[node].name);
    arena_init(&a);
    strbuf_init(&text, 0);
    cc_program_init(&p, &a, &cc_lp64);
    cut_function(parsed, node, &text);
    const struct cc_func *f = NULL;
    if (!parsed_load_text(path, text.s, text.n, o, &a, &cut, &e) &&
        !import_file(&cut, path, &p, &e))
        for (size_t i = 0; i < p.funcs.n; i++)
            if (!strcmp(p.funcs.at[i]->name, name) && p.funcs.at[i]->body)
                f = p.funcs.at[i];
    standard_adopt(&p, &h->standard);
    copy_from_another(h->copy);
    if (f) {
        try_function(h, path, f);
    } else {
        h->counts->functions++;
        tell(h, path, name, e.message);
    }
    strbuf_release(&text);
    cc_program_release(&p);
    arena_release(&a);
}

/* Clang is told where the file's own headers are, for texts that lie nowhere. */
static struct parse_options options_for(const struct harvester *h, const char *path,
                                        struct arena *a)
{
    int n = 0;
    while (h->o->arguments && h->o->arguments[n])
        n++;
    const char **arguments = arena_array(a, const char *, n + 2);
    for (int i = 0; i < n; i++)
        arguments[i] = h->o->arguments[i];
    arguments[n] = arena_printf(a, "-I%s", fs_folder(a, path));
    return (struct parse_options){.arguments = arguments};
}

static void try_file(struct harvester *h, const char *path)
{
    struct arena a;
    struct parsed parsed;
    struct cc_program p;
    struct error e = {0};
    arena_init(&a);
    const struct parse_options o = options_for(h, path, &a);
    h->counts->files++;
    if (parsed_load(path, &o, &a, &parsed, &e)) {
        h->counts->unread++;
        tell(h, path, NULL, e.message);
        arena_release(&a);
        return;
    }
    cc_program_init(&p, &a, &cc_lp64);
    if (!import_file(&parsed, path, &p, &e)) {
        standard_adopt(&p, &h->standard);
        copy_from_another(h->copy);
        for (size_t i = 0; i < p.funcs.n && !is_full(h); i++)
            if (p.funcs.at[i]->body && is_own(p.funcs.at[i]))
                try_function(h, path, p.funcs.at[i]);
    } else {
        for (uint32_t c = parsed.nodes[1].first; c && !is_full(h); c = parsed.nodes[c].next)
            if (cut_is_function(&parsed, c))
                try_cut(h, path, &parsed, c, &o);
    }
    cc_program_release(&p);
    arena_release(&a);
}

/* -- folders ----------------------------------------------------------------------------------- */

static bool is_source(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && !strcmp(name + n - 2, ".c");
}

static int find_files(const char *path, int depth, struct arena *a, string_list *out,
                      struct error *e)
{
    if (!fs_is_dir(path)) {
        if (!fs_exists(path))
            return error_set(e, ERROR_USAGE, "there is no file or folder %s", path);
        vec_push(out, path);
        return 0;
    }
    string_list names = {0};
    int status = depth > MOST_DEPTH ? 0 : fs_list(path, a, &names, e);
    for (size_t i = 0; i < names.n && !status; i++) {
        const char *inner = arena_printf(a, "%s/%s", path, names.at[i]);
        if (fs_is_dir(inner) || (is_source(inner) && fs_is_file(inner)))
            status = find_files(inner, depth + 1, a, out, e);
    }
    vec_release(&names);
    return status;
}

static void print_library(struct harvester *h, struct strbuf *out)
{
    const struct cc_print_options print = {
        .wrappers = CC_WRAP_NONE,
        .plain_types = true,
        .header = "A library of functions for `assay gen graft`, made by `assay graft harvest`."};
    cc_print_unit(&h->library, &print, out);
}

int graft_harvest(const char *const *paths, int n, const struct harvest_options *o,
                  struct strbuf *out, struct harvest_counts *counts, struct error *e)
{
    struct harvester h = {.o = o, .counts = counts};
    string_list files = {0};
    *counts = (struct harvest_counts){0};
    if (parsed_available(e))
        return -1;
    arena_init(&h.arena);
    map_init(&h.seen);
    cc_program_init(&h.library, &h.arena, &cc_lp64);
    h.copy = copy_new(&h.library, "", &h.arena);
    cc_program_init(&h.standard, &h.arena, &cc_lp64);
    int status = standard_load(&h.standard, e);
    for (int i = 0; i < n && !status; i++)
        status = find_files(paths[i], 0, &h.arena, &files, e);
    for (size_t i = 0; i < files.n && !status && !is_full(&h); i++)
        try_file(&h, files.at[i]);
    if (!status)
        print_library(&h, out);
    copy_free(h.copy);
    vec_release(&files);
    cc_program_release(&h.library);
    cc_program_release(&h.standard);
    map_release(&h.seen);
    arena_release(&h.arena);
    return status;
}
