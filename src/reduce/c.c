/* The C reducer: candidates from edits, judged by interp, printed, tested.
 *
 * All sites of a pass belong to one tree, which stays while the pass runs; what has been taken is a
 * list of edits. When the pass is over, the tree is built again with them. */
#include "reduce/c_internal.h"

#include "base/error.h"
#include "base/text.h"
#include "cc/checksum.h"
#include "cc/import/import.h"
#include "interp/accesses.h"

enum {
    MAX_ROUNDS = 12,
    MOST_LEVELS = 40,
    LEAST_STEPS = 200000, /* of interp: what a candidate may need in any case */
    MAX_STEPS = 50000000,
};

/* -- what a candidate prints ------------------------------------------------------------------- */

static struct interp_options interp_options(const struct shrink *k)
{
    return (struct interp_options){
        .max_steps = k->max_steps, .real = !k->c->strict, .trace_volatile = k->c->trace};
}

/* A program with a frame: run, and main made by how its globals ended. */
static bool run_frame(struct cc_program *p, struct interp *in)
{
    if (interp_call(in, p->entry) != CC_UB_NONE)
        return false;
    struct cc_final final = {in, interp_union_member, interp_points_to};
    cc_make_main(p, &final);
    return interp_checksum(in) == CC_UB_NONE;
}

/* What C leaves open must not matter, unless no generator's program leaves it open. */
static bool run_whole(const struct shrink *k, struct interp *in)
{
    return interp_main(in) == CC_UB_NONE && (k->c->strict || interp_settled(in, NULL, NULL));
}

static bool ended_well(const struct interp *in)
{
    const struct interp_end *end = interp_ended(in);
    return (end->how == INTERP_RETURNED || end->how == INTERP_EXITED) && end->status == 0;
}

/* Is it defined, and what does it print? NULL in *expected: nothing that is compared. */
static bool judge(struct shrink *k, struct cc_program *p, struct arena *a, struct bytes *expected,
                  const char **accesses)
{
    *expected = (struct bytes){0};
    *accesses = NULL;
    if (!k->c->run) {
        if (!k->options.whole_main)
            cc_make_main(p, NULL);
        return true;
    }
    struct interp_options o = interp_options(k);
    struct interp *in = interp_new(p, &o);
    bool whole = k->options.whole_main;
    bool good = whole ? run_whole(k, in) : run_frame(p, in);
    if (good && whole) {
        good = ended_well(in) || !k->ends_well;
        if (ended_well(in))
            *expected = bytes_copy(a, bytes_in(interp_printed(in)));
    } else if (good) {
        *expected = bytes_of(arena_printf(a, "checksum = %X\n", interp_checksum_value(in)));
    }
    if (good && k->c->trace)
        *accesses = interp_volatile_comment(p, in, a);
    interp_free(in);
    if (good && k->c->undefined) {
        *expected = (struct bytes){0};
        good = undefined_judge(k, p, &o);
    }
    return good;
}

static void print_case(struct shrink *k, struct cc_program *p, struct bytes expected,
                       const char *accesses, struct arena *a, struct reduce_case *out)
{
    if (k->c->undefined) {
        undefined_print(k, p, a, out);
        return;
    }
    struct cc_print_options o = k->print;
    struct strbuf text;
    strbuf_init(&text, 0);
    o.header = accesses;
    o.whole_main = k->options.whole_main;
    *out = k->r->best;
    out->program.expected = expected;
    out->program.n_files = p->n_units;
    out->program.files = arena_array(a, struct program_file, p->n_units);
    for (int i = 0; i < p->n_units; i++) {
        strbuf_clear(&text);
        o.unit = i;
        cc_print_unit(p, &o, &text);
        out->program.files[i] = program_file_new(a, arena_strdup(a, k->names[i]), bytes_in(&text));
    }
    strbuf_release(&text);
}

/* -- candidates -------------------------------------------------------------------------------- */

static bool same_text(const struct program *a, const struct program *b)
{
    if (a->n_files != b->n_files)
        return false;
    for (int i = 0; i < a->n_files; i++)
        if (a->files[i].size != b->files[i].size ||
            memcmp(a->files[i].text, b->files[i].text, a->files[i].size) != 0)
            return false;
    return true;
}

/* How much longer a candidate may be than what it replaces: some changes pay off later. */
enum { MAY_GROW = 12 };

static enum reduce_made candidate(struct shrink *k, const edit_list *edits, bool may_tie,
                                  struct arena *a, struct reduce_case *out)
{
    struct arena scratch;
    struct cc_program p;
    struct bytes expected;
    const char *accesses;
    enum reduce_made made = REDUCE_REFUSED;
    arena_init(&scratch);
    if (c_rebuild(&k->tree, edits->at, edits->n, &k->options, &scratch, &p)) {
        struct rebuild_options asked = k->options;
        k->options.whole_main |= asked.plain_main;
        if (judge(k, &p, a, &expected, &accesses)) {
            print_case(k, &p, expected, accesses, a, out);
            size_t now = program_size(&k->r->best.program), then = program_size(&out->program);
            bool smaller = may_tie ? then < now + MAY_GROW : then < now;
            if (smaller && !same_text(&out->program, &k->r->best.program))
                made = REDUCE_MADE;
        }
        k->options = asked;
        cc_program_release(&p);
    }
    arena_release(&scratch);
    return made;
}

/* Give the tree its main, where that is a frame. False: the program is not defined. */
static bool complete(struct shrink *k)
{
    if (k->options.whole_main)
        return true;
    if (!k->c->run) {
        cc_make_main(&k->tree, NULL);
        return true;
    }
    struct interp_options o = interp_options(k);
    struct interp *in = interp_new(&k->tree, &o);
    bool good = run_frame(&k->tree, in);
    interp_free(in);
    return good;
}

/* The tree of the best case, once the pass is over. */
static void settle(struct shrink *k)
{
    int next = !k->tree_in;
    struct cc_program p;
    arena_reset(&k->trees[next]);
    if (!c_rebuild(&k->tree, k->taken.at, k->taken.n, &k->options, &k->trees[next], &p))
        BUG("a tree that could be built cannot be built again");
    k->options.whole_main |= k->options.plain_main;
    k->options.plain_main = false;
    interp_free(k->known);
    k->known = NULL;
    cc_program_release(&k->tree);
    k->tree = p;
    k->tree_in = next;
    if (!complete(k))
        BUG("a program that ran does not run any more");
    k->taken.n = 0;
    k->sites.n = 0;
}

bool shrink_value(struct shrink *k, const struct cc_expr *e, cc_wide *value)
{
    return k->known && interp_value_of(k->known, e, value);
}

/* Run the tree once, for coverage and values. */
static void watch(struct shrink *k)
{
    if (k->known || !k->c->run)
        return;
    struct interp_options o = interp_options(k);
    o.values = true;
    k->known = interp_new(&k->tree, &o);
    if (k->options.whole_main)
        interp_main(k->known);
    else
        interp_run(k->known);
}

/* -- passes ------------------------------------------------------------------------------------ */

struct passing {
    struct shrink *k;
    const struct c_pass *pass;
};

static size_t count_sites(void *of)
{
    return ((struct passing *)of)->k->sites.n;
}

static void add_sites(const struct shrink *k, size_t from, size_t n, edit_list *to)
{
    for (size_t i = from; i < from + n; i++)
        for (int j = 0; j < k->sites.at[i].n; j++)
            vec_push(to, k->sites.at[i].edits[j]);
}

static enum reduce_made make_without(void *of, size_t from, size_t n, struct arena *a,
                                     struct reduce_case *out)
{
    const struct passing *p = of;
    edit_list edits = {0};
    for (size_t i = 0; i < p->k->taken.n; i++)
        vec_push(&edits, p->k->taken.at[i]);
    add_sites(p->k, from, n, &edits);
    enum reduce_made made = candidate(p->k, &edits, p->pass->may_tie, a, out);
    vec_release(&edits);
    return made;
}

static void take_sites(void *of, size_t from, size_t n)
{
    struct shrink *k = ((struct passing *)of)->k;
    add_sites(k, from, n, &k->taken);
    memmove(k->sites.at + from, k->sites.at + from + n,
            (k->sites.n - from - n) * sizeof *k->sites.at);
    k->sites.n -= n;
}

static int run_pass(struct shrink *k, const struct c_pass *pass, struct error *e)
{
    struct passing p = {k, pass};
    struct reduce_atoms atoms = {&p, count_sites, make_without, take_sites, 1, pass->most};
    k->r->pass = pass->name;
    int all = 0;
    for (k->level = 0; k->level < (pass->levels ? MOST_LEVELS : 1); k->level++) {
        k->sites.n = 0;
        watch(k);
        c_collect(k, pass);
        if (!k->sites.n && pass->levels)
            break;
        int kept = reduction_atoms(k->r, &atoms, e);
        if (kept < 0)
            return -1;
        if (kept)
            settle(k);
        all += kept;
    }
    return all;
}

/* -- style ------------------------------------------------------------------------------------- */

/* One candidate that is not made of sites: the tree printed or built in another way. */
struct styling {
    struct shrink *k;
    edit_list edits;
    bool first; /* the tree as it is: it need not be smaller */
};

static enum reduce_made make_styled(void *of, size_t i, struct arena *a, struct reduce_case *out)
{
    struct styling *s = of;
    if (i)
        return REDUCE_END;
    struct arena scratch;
    struct cc_program p;
    struct bytes expected;
    const char *accesses;
    struct shrink *k = s->k;
    enum reduce_made made = REDUCE_REFUSED;
    arena_init(&scratch);
    if (c_rebuild(&k->tree, s->edits.at, s->edits.n, &k->options, &scratch, &p)) {
        struct rebuild_options asked = k->options;
        k->options.whole_main |= asked.plain_main;
        if (judge(k, &p, a, &expected, &accesses)) {
            print_case(k, &p, expected, accesses, a, out);
            made = s->first || !same_text(&out->program, &k->r->best.program) ? REDUCE_MADE
                                                                              : REDUCE_REFUSED;
        }
        k->options = asked;
        cc_program_release(&p);
    }
    arena_release(&scratch);
    return made;
}

/* 1: the change of options (and the edits) is in force; 0: they are as they were. */
static int try_style(struct shrink *k, const char *name, const struct rebuild_options *options,
                     const struct cc_print_options *print, edit_list edits, bool first,
                     struct error *e)
{
    struct rebuild_options old_options = k->options;
    struct cc_print_options old_print = k->print;
    struct styling s = {k, edits, first};
    struct reduce_space space = {&s, make_styled};
    size_t at = 0;
    k->r->pass = name;
    k->options = *options;
    k->print = *print;
    int kept = reduction_first(k->r, &space, &at, e);
    if (kept == 1) {
        k->taken.n = 0;
        for (size_t i = 0; i < edits.n; i++)
            vec_push(&k->taken, edits.at[i]);
        settle(k);
    } else {
        k->options = old_options;
        k->print = old_print;
    }
    return kept;
}

/* One change of style by itself. */
static int add_style(struct shrink *k, const char *name, struct rebuild_options options,
                     struct cc_print_options print, int *kept, struct error *e)
{
    edit_list none = {0};
    int got = try_style(k, name, &options, &print, none, false, e);
    *kept += got > 0;
    return got < 0 ? -1 : 0;
}

static int plain_style(struct shrink *k, struct error *e)
{
    int kept = 0;
    struct cc_print_options print = k->print;
    print.plain_types = true;
    if (!k->print.plain_types && add_style(k, "plain types", k->options, print, &kept, e))
        return -1;
    print = k->print;
    print.plain_numbers = true;
    if (!k->print.plain_numbers && add_style(k, "plain numbers", k->options, print, &kept, e))
        return -1;
    struct rebuild_options options = k->options;
    print = k->print;
    options.one_unit = true;
    print.form = CC_FORM_REPEATED;
    if (k->tree.n_units > 1 && add_style(k, "one file", options, print, &kept, e))
        return -1;
    print = k->print;
    print.hide_globals = false;
    if (k->print.hide_globals && add_style(k, "globals in sight", k->options, print, &kept, e))
        return -1;
    return kept;
}

/* As a whole program, whose text is terse: the braces and zeros that it leaves out may be what it
 * takes. */
static int whole_style(struct shrink *k, const char *name, struct rebuild_options options,
                       struct cc_print_options print, bool first, struct error *e)
{
    edit_list none = {0};
    int kept = 0;
    for (int fuller = 0; fuller < 4 && !kept; fuller++) {
        print.braces = fuller & 1;
        print.zeros = fuller & 2;
        options.single_bodies = !print.braces;
        kept = try_style(k, name, &options, &print, none, first, e);
    }
    return kept;
}

/* From the frame to a main that prints, where the language has printf without a header. */
static int plain_main(struct shrink *k, struct error *e)
{
    if (k->options.whole_main || k->print.language != CC_C11)
        return 0;
    struct rebuild_options options = k->options;
    struct cc_print_options print = k->print;
    options.plain_main = true;
    print.hide_globals = false;
    return whole_style(k, "plain main", options, print, false, e);
}

static int callees_first(struct shrink *k, struct error *e)
{
    edit_list none = {0};
    struct rebuild_options options = k->options;
    if (options.callees_first || !options.whole_main)
        return 0;
    options.callees_first = true;
    return try_style(k, "order of functions", &options, &k->print, none, false, e);
}

static int short_names(struct shrink *k, struct error *e)
{
    edit_list edits = {0};
    shrink_names(k, &k->trees[k->tree_in], &edits);
    int kept = try_style(k, "names", &k->options, &k->print, edits, false, e);
    vec_release(&edits);
    return kept;
}

/* -- the whole --------------------------------------------------------------------------------- */

static int rounds(struct shrink *k, struct error *e)
{
    int all = plain_style(k, e);
    if (all < 0)
        return -1;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        int kept = 0;
        for (int i = 0; i < n_c_passes; i++) {
            int got = run_pass(k, &c_passes[i], e);
            if (got < 0)
                return -1;
            kept += got;
        }
        int got = plain_main(k, e);
        if (got < 0)
            return -1;
        kept += got;
        got = callees_first(k, e);
        if (got < 0)
            return -1;
        kept += got;
        all += kept;
        if (!kept)
            break;
    }
    int end = run_pass(k, &c_last_pass, e), got = end < 0 ? -1 : short_names(k, e);
    return got < 0 ? -1 : all + end + got;
}

/* What the first program needs, and a margin: no candidate should need more. */
static bool measure_steps(struct shrink *k)
{
    k->max_steps = MAX_STEPS * 4;
    if (!k->c->run)
        return true;
    struct interp_options o = interp_options(k);
    struct interp *in = interp_new(&k->tree, &o);
    bool good = (k->options.whole_main ? interp_main(in) : interp_run(in)) == CC_UB_NONE;
    k->ends_well = !k->options.whole_main || ended_well(in);
    k->max_steps = interp_steps(in) * 2 + LEAST_STEPS;
    interp_free(in);
    return good;
}

static void name_files(struct shrink *k, struct arena *a)
{
    const struct program *p = &k->r->best.program;
    const char **names = arena_array(a, const char *, k->tree.n_units);
    const char *suffix = k->print.language == CC_CXX17 ? "cc" : "c";
    for (int i = 0; i < k->tree.n_units; i++)
        names[i] = i ? arena_printf(a, "t%d.%s", i, suffix) : arena_printf(a, "t.%s", suffix);
    if (p->n_files == 1)
        names[0] = arena_strdup(a, p->files[0].name);
    for (int i = 0; i < p->n_files && k->tree.n_units > 1; i++)
        if (program_is_library(p->files[i].name))
            names[1] = arena_strdup(a, p->files[i].name);
    k->names = names;
}

/* What is left of a generator's program may be its frame or a wrapper: text to us, a part of the
 * program to the compiler. Imported, it can be reduced like the rest. */
static bool has_fixed_text(const struct shrink *k)
{
    if (k->print.language != CC_C11 || k->tree.n_units > 1 || k->c->trace || k->c->undefined)
        return false;
    const struct program *p = &k->r->best.program;
    return !k->options.whole_main || strstr(p->files[0].text, "safe_") != NULL;
}

/* The tree as it is printed: what is not interesting so cannot be reduced by it. */
static int first_style(struct shrink *k, struct error *e)
{
    struct rebuild_options options = k->options;
    struct cc_print_options print = k->print;
    edit_list none = {0};
    return k->options.whole_main ? whole_style(k, "tree", options, print, true, e)
                                 : try_style(k, "tree", &options, &print, none, true, e);
}

static int reduce_tree(struct reduction *r, const struct reduce_c *c, bool *fixed_text,
                       struct error *e)
{
    struct shrink k = {.r = r, .c = c, .print = c->print};
    struct arena life;
    arena_init(&life);
    arena_init(&k.trees[0]);
    arena_init(&k.trees[1]);
    k.options.whole_main = c->print.whole_main;
    k.options.single_bodies = c->print.whole_main;
    k.print.form = CC_FORM_REPEATED;
    k.print.unit = 0;
    k.max_steps = MAX_STEPS;
    int kept = 0;
    /* The caller's tree is not ours: work on a copy from the first step on. */
    if (c_rebuild(c->program, NULL, 0, &k.options, &k.trees[0], &k.tree)) {
        name_files(&k, &life);
        kept = complete(&k) && measure_steps(&k) ? first_style(&k, e) : 0;
        if (kept == 1)
            kept = rounds(&k, e);
        *fixed_text = kept > 0 && has_fixed_text(&k);
        interp_free(k.known);
        cc_program_release(&k.tree);
    }
    vec_release(&k.taken);
    vec_release(&k.sites);
    arena_release(&k.trees[0]);
    arena_release(&k.trees[1]);
    arena_release(&life);
    return kept;
}

int reduce_c(struct reduction *r, const struct reduce_c *c, struct error *e)
{
    bool fixed_text = false;
    int kept = reduce_tree(r, c, &fixed_text, e);
    if (kept <= 0 || !fixed_text)
        return kept;
    struct arena a;
    struct reduce_c again;
    struct error ignored = {0};
    int more = 0;
    arena_init(&a);
    if (reduce_c_import(&r->best.program, &a, &again, &ignored) == 0) {
        more = reduce_tree(r, &again, &fixed_text, e);
        cc_program_release(again.program);
    }
    arena_release(&a);
    return more < 0 ? -1 : kept + more;
}

/* -- from text --------------------------------------------------------------------------------- */

/* Does interp agree with what the program is said to print? A program for which it has no verdict
 * is not for us. */
static int check_import(const struct program *p, struct reduce_c *out, struct error *e)
{
    const struct interp_options o = {.max_steps = MAX_STEPS, .real = true};
    struct interp *in = interp_new(out->program, &o);
    struct strbuf why;
    int status = 0;
    strbuf_init(&why, 0);
    if (interp_main(in) != CC_UB_NONE)
        interp_explain(in, &why);
    else
        interp_settled(in, NULL, &why);
    if (why.n) {
        error_set(e, ERROR_ENVIRONMENT, "%s", why.s);
        status = 1;
    } else if (p->expected.data && !bytes_equal(p->expected, bytes_in(interp_printed(in)))) {
        error_set(e, ERROR_ENVIRONMENT, "its output is wrong, by interp");
        status = 1;
    }
    strbuf_release(&why);
    interp_free(in);
    return status;
}

/* Arguments with which the text is a program of another data model, or of another dialect: the tree
 * is that of LP64 and plain C. */
static const char *const other_models[] = {
    "-m32",    "-mx32",   "-m16",         "-funsigned-char", "-fshort-", "-fpack-struct",
    "-fwrapv", "-ftrapv", "-fno-builtin", "-ffreestanding",  "-include", "-imacros"};

static const char *other_model(const char *word)
{
    for (size_t i = 0; i < sizeof other_models / sizeof *other_models; i++)
        if (!strncmp(word, other_models[i], strlen(other_models[i])))
            return other_models[i];
    return NULL;
}

/* Of what every compiler must get, what clang needs to read the text: where headers are, and
 * macros. NULL: the tree would be another program, `e` says why. */
static const char *const *reading_arguments(const char *needs, struct arena *a, struct error *e)
{
    static const char *const with_value[] = {"-isystem", "-iquote", "-I", "-D", "-U"};
    char **words;
    int n = text_split(a, needs ? needs : "", &words), kept = 0;
    if (n < 0) {
        error_set(e, ERROR_ENVIRONMENT, "a quote is not closed in %s", needs);
        return NULL;
    }
    for (int i = 0; i < n; i++) {
        if (other_model(words[i])) {
            error_set(e, ERROR_ENVIRONMENT, "unsupported: %s", words[i]);
            return NULL;
        }
        for (size_t k = 0; k < sizeof with_value / sizeof *with_value; k++) {
            size_t length = strlen(with_value[k]);
            if (strncmp(words[i], with_value[k], length) != 0)
                continue;
            bool apart = !words[i][length] && i + 1 < n; /* the value is the next word */
            words[kept++] = words[i];
            if (apart)
                words[kept++] = words[++i];
            break;
        }
    }
    words[kept] = NULL;
    return (const char *const *)words;
}

/* Into the program of `out`, which is there. */
static int import(const struct program *p, struct arena *a, struct reduce_c *out, struct error *e)
{
    const struct parse_options parse = {.arguments = reading_arguments(p->needs, a, e)};
    struct parsed parsed;
    struct import import;
    const struct program_file *f = &p->files[0];
    if (!parse.arguments || parsed_load_text(f->name, f->text, f->size, &parse, a, &parsed, e) ||
        cc_import_partly(&parsed, f->name, out->program, &import, e))
        return 1;
    if (import.asks_optimised) {
        error_set(e, ERROR_ENVIRONMENT, "unsupported: a text that depends on " CC_IMPORT_OPTIMISED);
        return 1;
    }
    if (!out->program->main && out->run) {
        error_set(e, ERROR_ENVIRONMENT, "it has no main");
        return 1;
    }
    if (out->run && check_import(p, out, e))
        return 1;
    if (!cc_import_fill(&import)) {
        error_set(e, ERROR_ENVIRONMENT, "%s", import.traps->expr->text);
        return 1;
    }
    return 0;
}

int reduce_c_import(const struct program *p, struct arena *a, struct reduce_c *out, struct error *e)
{
    *out = (struct reduce_c){.run = !p->build_only,
                             .print = {.whole_main = true, .plain_types = true}};
    if (strcmp(p->language, "c") || p->n_files != 1) {
        error_set(e, ERROR_ENVIRONMENT, "it is not a single C file");
        return 1;
    }
    out->program = arena_new(a, struct cc_program);
    cc_program_init(out->program, a, &cc_lp64);
    if (!import(p, a, out, e))
        return 0;
    cc_program_release(out->program);
    out->program = NULL;
    return 1;
}

int reduce_c_expect(const struct program *p, struct arena *a, struct bytes *expected)
{
    const struct interp_options o = {.max_steps = MAX_STEPS, .real = true};
    struct program unknown = *p;
    struct reduce_c tree = {0};
    unknown.expected = (struct bytes){0};
    int status = reduce_c_import(&unknown, a, &tree, NULL);
    if (!status && tree.run) {
        struct interp *in = interp_new(tree.program, &o);
        bool good = interp_main(in) == CC_UB_NONE && ended_well(in);
        if (good)
            *expected = bytes_copy(a, bytes_in(interp_printed(in)));
        status = !good;
        interp_free(in);
    }
    if (tree.program)
        cc_program_release(tree.program);
    return status || !tree.run;
}
