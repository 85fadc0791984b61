#include "gen/spe/subject.h"
#include "gen/spe/observe.h"
#include "interp/interp.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 2 * 1000 * 1000 };

struct subject_use { /* in the tree: what a hole stands for */
    int hole;
    struct cc_expr *expr;
};

/* -- opening ----------------------------------------------------------------------------------- */

static int read_text(struct subject *s, struct error *e)
{
    const struct parse_options none = {.cxx = parsed_is_cxx(s->path)};
    if (parsed_load(s->path, &none, &s->arena, &s->parsed, e))
        return -1;
    if (!s->options.hoist || none.cxx)
        return 0;
    struct strbuf text;
    strbuf_init(&text, 0);
    skeleton_hoist(&s->parsed, &s->options.skeleton, &text);
    int status = parsed_load_text(s->path, text.s, text.n, &none, &s->arena, &s->parsed, e);
    strbuf_release(&text);
    return status;
}

/* The text with the function that shows the variables; without one if clang does not take it there
 * (a file that ends within a conditional, say). */
static void read_whole(struct subject *s)
{
    const struct parse_options none = {0};
    struct strbuf text;
    struct error refused;
    s->whole = s->parsed;
    if (!s->options.observe)
        return;
    strbuf_init(&text, 0);
    strbuf_add(&text, s->parsed.source, s->parsed.source_size);
    observe_function(&s->parsed, &text);
    if (!parsed_load_text(s->path, text.s, text.n, &none, &s->arena, &s->whole, &refused))
        s->added = arena_strdup(&s->arena, text.s + s->parsed.source_size);
    else
        s->whole = s->parsed;
    strbuf_release(&text);
}

/* -- from holes to the tree -------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct subject_use *x = a, *y = b;
    return ORDER(x->hole, y->hole);
}

/* The hole at a byte; -1: none. */
static int hole_at(const struct skeleton *k, uint32_t at)
{
    size_t i, n = (size_t)k->n_holes;
    sorted_first(i, n, k->holes[i].at < at);
    return i < n && k->holes[i].at == at ? (int)i : -1;
}

/* The two trees are of one text as far as the first goes: places tell which is which. */
static bool connect(struct subject *s)
{
    const struct skeleton *k = &s->skeleton;
    s->uses = arena_array(&s->arena, struct subject_use, s->whole.n_nodes + 1);
    s->variables = arena_array(&s->arena, struct cc_var *, k->n_variables + 1);
    for (uint32_t i = 1; i < s->whole.n_nodes; i++) {
        const struct parsed_node *n = &s->whole.nodes[i];
        int hole = n->kind == PARSED_USE && s->import.uses[i] ? hole_at(k, n->at) : -1;
        if (hole >= 0)
            s->uses[s->n_uses++] = (struct subject_use){hole, s->import.uses[i]};
    }
    qsort(s->uses, s->n_uses, sizeof *s->uses, by_place);
    for (int v = 0; v < k->n_variables; v++) {
        uint32_t at = s->parsed.nodes[k->variables[v].node].at;
        for (uint32_t i = 1; i < s->whole.n_nodes && !s->variables[v]; i++) {
            const struct parsed_node *n = &s->whole.nodes[i];
            bool declares = n->kind == PARSED_VAR || n->kind == PARSED_PARAM;
            if (declares && n->at == at && s->import.vars[i])
                s->variables[v] = s->import.vars[i];
        }
        if (!s->variables[v])
            return false;
    }
    for (int h = 0, u = 0; h < k->n_holes; h++) { /* every hole must be somewhere */
        while (u < (int)s->n_uses && s->uses[u].hole < h)
            u++;
        if (u == (int)s->n_uses || s->uses[u].hole != h)
            return false;
    }
    return true;
}

static void import_program(struct subject *s)
{
    if (parsed_is_cxx(s->path)) {
        error_set(&s->why_not, ERROR_USAGE, "unsupported: C++");
        return;
    }
    cc_program_init(&s->program, &s->arena, &cc_lp64);
    if (cc_import(&s->whole, s->path, &s->program, &s->import, &s->why_not))
        return;
    if (!s->program.main) {
        error_set(&s->why_not, ERROR_USAGE, "unsupported: no main");
        return;
    }
    for (size_t i = 0; i < s->program.funcs.n; i++)
        if (!strcmp(s->program.funcs.at[i]->name, OBSERVE_FUNCTION))
            s->observe = s->program.funcs.at[i];
    s->imported = connect(s);
    if (!s->imported)
        error_set(&s->why_not, ERROR_USAGE, "unsupported: a hole that the tree does not have");
}

int subject_open(const char *path, const struct subject_options *o, struct subject *s,
                 struct error *e)
{
    *s = (struct subject){.options = *o, .added = ""};
    arena_init(&s->arena);
    s->path = arena_strdup(&s->arena, path);
    if (read_text(s, e) || !(s->space = skeleton_space(&s->parsed, &o->skeleton, o->mode, &s->arena,
                                                       &s->skeleton, e))) {
        subject_close(s);
        return -1;
    }
    read_whole(s);
    if (o->import)
        import_program(s);
    return 0;
}

void subject_close(struct subject *s)
{
    if (s->program.arena)
        cc_program_release(&s->program);
    if (s->space)
        spe_free(s->space);
    arena_release(&s->arena);
    *s = (struct subject){0};
}

/* -- variants ---------------------------------------------------------------------------------- */

void subject_render(const struct subject *s, const uint32_t *filling, struct strbuf *out)
{
    skeleton_render(&s->skeleton, filling, out);
    strbuf_adds(out, s->added);
}

static void fill(struct subject *s, const uint32_t *filling)
{
    const struct skeleton *k = &s->skeleton;
    for (size_t i = 0; i < s->n_uses; i++) {
        const struct skeleton_variable *v = skeleton_filled(k, &k->holes[s->uses[i].hole], filling);
        s->uses[i].expr->var = s->variables[v - k->variables];
    }
}

/* What the process prints and ends with, after a run without violation. */
static enum interp_verdict outcome(struct subject *s, struct interp *in, struct strbuf *expected,
                                   int *status, struct strbuf *why)
{
    const struct interp_end end = *interp_ended(in);
    *status = end.how == INTERP_ABORTED || end.how == INTERP_TRAPPED ? -1 : end.status;
    if (s->observe && end.how == INTERP_QUIT) {
        strbuf_adds(why, "_exit leaves nothing to observe");
        return INTERP_UNDECIDED;
    }
    enum cc_ub rule = CC_UB_NONE;
    if (s->observe && end.how != INTERP_TRAPPED) {
        rule = interp_call(in, s->observe);
        *status = 0;
    }
    if (rule)
        interp_explain(in, why);
    if (rule || !expected)
        return interp_verdict(rule);
    strbuf_add(expected, interp_printed(in)->s, interp_printed(in)->n);
    if (s->observe && end.how != INTERP_TRAPPED)
        observe_line(end.how == INTERP_ABORTED ? OBSERVE_ABORT : OBSERVE_EXIT, end.status,
                     interp_seen(in), expected);
    return INTERP_DEFINED;
}

static enum interp_verdict run(struct subject *s, struct strbuf *expected, int *status,
                               struct strbuf *why)
{
    const struct interp_options o = {
        .max_steps = s->options.max_steps ? s->options.max_steps : MAX_STEPS, .real = true};
    struct interp *in = interp_new(&s->program, &o);
    enum interp_verdict verdict = interp_verdict(interp_main(in));
    if (verdict == INTERP_DEFINED)
        verdict = outcome(s, in, expected, status, why);
    else
        interp_explain(in, why);
    if (verdict == INTERP_DEFINED && !interp_settled(in, s->observe, why)) {
        verdict = INTERP_UNDECIDED;
        if (expected)
            strbuf_clear(expected);
    }
    interp_free(in);
    return verdict;
}

/* Is there another name in a string literal, which the tree does not know? */
static bool changes_quoted(const struct skeleton *k, const uint32_t *filling)
{
    for (int i = 0; i < k->n_holes; i++) {
        int slot = skeleton_slot(k, &k->holes[i]);
        if (k->holes[i].quoted && filling[slot] != k->original[slot])
            return true;
    }
    return false;
}

enum interp_verdict subject_judge(struct subject *s, const uint32_t *filling,
                                  struct strbuf *expected, int *status, struct strbuf *why)
{
    struct strbuf unused;
    strbuf_init(&unused, 0);
    why = why ? why : &unused;
    *status = 0;
    enum interp_verdict verdict = INTERP_UNDECIDED;
    if (!s->imported) {
        strbuf_adds(why, s->why_not.message);
    } else if (changes_quoted(&s->skeleton, filling)) {
        strbuf_adds(why, "unsupported: another name in an argument of a macro with #");
    } else {
        fill(s, filling);
        verdict = run(s, expected, status, why);
    }
    strbuf_release(&unused);
    return verdict;
}
