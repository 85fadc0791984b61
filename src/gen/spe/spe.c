#include "gen/spe/spe.h"
#include "base/fs.h"
#include "base/map.h"
#include "cc/emi.h"
#include "gen/sieve.h"
#include "gen/spe/corpus.h"
#include "gen/spe/emi.h"
#include "gen/spe/observe.h"
#include "interp/interp.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char version[] = SPE_VERSION;
enum { EMI_STEPS = 2 * 1000 * 1000 };

/* What is set, and where the corpus's options come from. */
struct spe_values {
    const char *corpus; /* the folder; "": none yet */
    struct corpus_options options;
    enum { FILTER_ALL, FILTER_INTERP, FILTER_NONE } filter;
    int emi;
};

struct spe_generator {
    struct generator head;
    struct spe_values values, standard;
    struct corpus corpus;
    bool opened;

    /* the skeleton in hand */
    const struct corpus_unit *unit;
    struct natural original; /* the rank of the file itself */
    struct subject subject;
    struct spe_ball *ball;
    uint64_t ball_next;
    const char *last; /* what was said of the last program */
};

/* -- settings ---------------------------------------------------------------------------------- */

#define ROW(kind, name, member, standard, help)                                                    \
    SETTING_ROW(kind, name, struct spe_values, member, standard, help)
static const char *const modes[] = {[SPE_NAIVE] = "naive",
                                    [SPE_COMPACT] = "compact",
                                    [SPE_SOUND] = "sound",
                                    [SPE_PATTERN] = "pattern",
                                    NULL};
static const char *const languages[] = {"c", "c++", NULL};
static const char *const over[] = {"skip", "sample", NULL};
static const char *const filters[] = {
    [FILTER_ALL] = "all", [FILTER_INTERP] = "interp", [FILTER_NONE] = "none", NULL};

static const struct setting rows[] = {
    {.name = "spe", .kind = SETTING_SECTION, .help = "--NAME VALUE, or alone what is 0 or 1"},
    {ROW(TEXT, "corpus", corpus, "", "folder of C programs, also in folders below it")},
    {ROW(WORD, "language", options.cxx, "c", "of the files; c++ is only compiled"),
     .words = languages},
    {ROW(WORD, "mode", options.subject.mode, "sound", "what counts as one variant"),
     .words = modes},
    {ROW(INT, "threshold", options.threshold, "10000",
         "skeletons with more variants are too large"),
     .most = INT_MAX},
    {ROW(WORD, "over", options.sample, "skip", "what to do with these"), .words = over},
    {ROW(INT, "variants", options.variants, "0",
         "at most N of each skeleton; 0: up to the threshold"),
     .most = INT_MAX},
    {ROW(INT, "files", options.files, "0", "only the N smallest skeletons; 0: all"),
     .most = INT_MAX},
    {ROW(INT, "radius", options.radius, "0",
         "only variants with so few holes changed, nearest first; 0: any"),
     .most = INT_MAX},
    {ROW(SWITCH, "intra", options.intra, "off", "one function at a time")},
    {ROW(SWITCH, "with-main", options.with_main, "off",
         "leave out files without main, which are only compiled")},
    {ROW(SWITCH, "pointers", options.subject.skeleton.pointers, "off",
         "holes of pointer types as well")},
    {ROW(SWITCH, "structs", options.subject.skeleton.structs, "off",
         "holes of structures, unions and enumerations as well")},
    {ROW(SWITCH, "any", options.subject.skeleton.any, "off",
         "any name in any hole: for front ends; nothing is run")},
    {ROW(SWITCH, "hoist-init", options.subject.hoist, "off",
         "turn initialisers into assignments, with holes")},
    {ROW(SWITCH, "observe", options.subject.observe, "on",
         "print a checksum of the variables at exit")},
    {ROW(WORD, "filter", filter, "all",
         "what decides which variants are defined; all: interp, else sanitizers"),
     .words = filters},
    {ROW(INT, "emi", emi, "0", "change statements that never run, so many times (alone: 8)"),
     .alone = "8", .most = INT_MAX},
};

static const struct settings spe_settings = {"spe", rows, SETTINGS_COUNT(rows), NULL};

static int configure(struct spe_generator *g, const struct gen_context *context, struct error *e)
{
    char path[PATH_MAX];
    struct spe_values *v = &g->values;
    struct corpus_options *o = &v->options;
    settings_default(&spe_settings, &g->standard);
    *v = g->standard;
    if (gen_take_settings(&g->head, context, v, e))
        return -1;
    if (o->radius && o->subject.mode == SPE_PATTERN)
        return error_set(e, ERROR_USAGE, "radius: not in mode pattern");
    if (o->cxx && (o->subject.hoist || o->with_main || v->emi || o->subject.skeleton.any))
        return error_set(e, ERROR_USAGE, "language c++: no hoist-init, with-main, emi or any");
    g->head.language = o->cxx ? "c++" : "c";
    o->subject.import = v->filter != FILTER_NONE && !o->subject.skeleton.any;
    o->progress = context->progress;
    if (*v->corpus) { /* workers start elsewhere */
        if (!realpath(v->corpus, path))
            return error_set(e, ERROR_USAGE, "corpus: there is no folder %s", v->corpus);
        if (settings_set(&spe_settings, v, &g->head.arena, "corpus", path, e))
            return -1;
    }
    gen_keep_settings(&g->head, v, &g->standard);
    return 0;
}

/* -- opening ----------------------------------------------------------------------------------- */

static void drop_unit(struct spe_generator *g)
{
    if (g->ball)
        spe_ball_free(g->ball);
    if (g->unit) {
        subject_close(&g->subject);
        natural_clear(&g->original);
    }
    g->ball = NULL;
    g->unit = NULL;
}

static void spe_close(struct generator *head)
{
    struct spe_generator *g = (struct spe_generator *)head;
    drop_unit(g);
    if (g->opened)
        corpus_close(&g->corpus);
}

/* The corpus is read when it is first needed: to list the options needs none. */
static int open_corpus(struct spe_generator *g, struct error *e)
{
    const struct corpus *c = &g->corpus;
    if (g->opened)
        return 0;
    if (!*g->values.corpus) {
        char script[PATH_MAX];
        return error_set(e, ERROR_USAGE,
                         "spe needs a folder of C programs: --corpus DIR (%s unpacks GCC's own)",
                         fs_shipped("scripts/torture", script, sizeof script));
    }
    if (corpus_open(g->values.corpus, &g->values.options, &g->corpus, e))
        return -1;
    g->opened = true;
    g->head.total = c->total;
    g->head.note = arena_printf(
        &g->head.arena,
        "%zu skeletons of %d files, %llu variants (%d without main, only compiled; left out: %d "
        "files that clang refuses, %d without a choice, %d over the threshold%s)",
        c->units.n, c->files, (unsigned long long)c->total, c->only_compiled, c->unparsed,
        c->no_holes, c->too_large,
        c->no_main ? arena_printf(&g->head.arena, ", %d without main", c->no_main) : "");
    if (c->total == 0)
        return error_set(e, ERROR_USAGE, "no skeleton in %s: %s", g->values.corpus, g->head.note);
    return 0;
}

static int spe_open(struct generator *head, const char *name, const struct gen_context *context,
                    struct error *e)
{
    (void)name; /* its own */
    struct spe_generator *g = (struct spe_generator *)head;
    g->last = "";
    head->version = version;
    return configure(g, context, e) || (*g->values.corpus && open_corpus(g, e)) ? -1 : 0;
}

/* -- one variant ------------------------------------------------------------------------------- */

static int take_unit(struct spe_generator *g, const struct corpus_unit *u, struct error *e)
{
    if (g->unit == u)
        return 0;
    drop_unit(g);
    struct subject_options o = g->values.options.subject;
    o.skeleton.function = u->function;
    o.observe &= u->has_main;
    o.import &= u->has_main;
    if (subject_open(u->path, &o, &g->subject, e))
        return -1;
    g->unit = u;
    natural_init(&g->original);
    spe_rank(g->subject.space, g->subject.skeleton.original, &g->original);
    return 0;
}

/* From the `k`th of as many equal stretches as variants are taken: none twice. Which one depends on
 * the name of the file, and not on where it is. */
static void draw_rank(const struct corpus_unit *u, const struct natural *count, uint64_t k,
                      struct natural *rank)
{
    struct natural take, end;
    struct choice choice;
    natural_init(&take);
    natural_init(&end);
    natural_set_u64(&take, u->take);
    natural_mul_u64(rank, count, k);
    natural_divide(rank, NULL, rank, &take);
    natural_mul_u64(&end, count, k + 1);
    natural_divide(&end, NULL, &end, &take);
    natural_sub(&end, &end, rank); /* not 0: there are more than are taken */
    choice_init_random(&choice, map_hash(fs_name(u->path), strlen(fs_name(u->path))) + k);
    natural_random(&end, &end, &choice);
    natural_add(rank, rank, &end);
    choice_release(&choice);
    natural_clear(&end);
    natural_clear(&take);
}

/* The `k`th of the skeleton's variants that are taken, and its name for people. The first is the
 * file as it is, whatever comes first in the order of ranks: what it shows is no finding of the
 * others.
 */
static const char *find_filling(struct spe_generator *g, uint64_t k, struct arena *a,
                                uint32_t *filling)
{
    struct subject *s = &g->subject;
    if (k == 0) {
        memcpy(filling, s->skeleton.original, sizeof *filling * (size_t)s->skeleton.n_holes);
        return arena_printf(a, "as it is, of %s", g->unit->count);
    }
    if (g->values.options.radius) {
        int distance = 0;
        if (!g->ball || g->ball_next > k) {
            if (g->ball)
                spe_ball_free(g->ball);
            g->ball = spe_ball_new(s->space, s->skeleton.original, g->values.options.radius);
            g->ball_next = 0;
        }
        while (g->ball_next <= k && spe_ball_next(g->ball, filling, &distance))
            g->ball_next++;
        return g->ball_next > k ? arena_printf(a, "%d holes changed", distance) : NULL;
    }
    struct natural rank;
    struct strbuf digits;
    natural_init(&rank);
    natural_set_u64(&rank, k);
    if (g->unit->sampled)
        draw_rank(g->unit, spe_count(s->space), k, &rank);
    else if (natural_compare_u64(&g->original, k) >= 0) /* those before it move up by one */
        natural_set_u64(&rank, k - 1);
    spe_unrank(s->space, &rank, filling);
    strbuf_init(&digits, 0);
    natural_text(&rank, &digits);
    const char *name = arena_printf(a, "rank %s of %s", digits.s, g->unit->count);
    strbuf_release(&digits);
    natural_clear(&rank);
    return name;
}

/* So that each statement knows whether it ran. */
static bool run_once(struct cc_program *p)
{
    const struct interp_options o = {.max_steps = EMI_STEPS, .real = true};
    struct interp *in = p->main ? interp_new(p, &o) : NULL;
    bool defined = in && !interp_main(in);
    for (size_t i = 0; defined && i < p->funcs.n; i++)
        if (!strcmp(p->funcs.at[i]->name, OBSERVE_FUNCTION)) /* which runs after main */
            defined = !interp_call(in, p->funcs.at[i]);
    interp_free(in);
    return defined;
}

/* The file's text, changed where it never runs; left as it is if that cannot be done. */
static void change_unexecuted(struct spe_generator *g, uint64_t seed, struct strbuf *text)
{
    struct parsed parsed;
    struct import import;
    struct cc_program program;
    struct arena a;
    struct error ignored;
    struct choice choice;
    struct cc_emi_counts counts;
    struct strbuf changed;
    const struct parse_options none = {0};
    arena_init(&a);
    strbuf_init(&changed, 0);
    cc_program_init(&program, &a, &cc_lp64);
    choice_init_random(&choice, seed);
    if (!parsed_load_text(g->unit->path, text->s, text->n, &none, &a, &parsed, &ignored) &&
        !cc_import(&parsed, g->unit->path, &program, &import, &ignored) && run_once(&program) &&
        !emi_text(&parsed, &import, &choice, g->values.emi, &changed, &counts)) {
        strbuf_clear(text);
        strbuf_add(text, changed.s, changed.n);
    }
    choice_release(&choice);
    cc_program_release(&program);
    strbuf_release(&changed);
    arena_release(&a);
}

/* What headers the file has of its own are beside it. */
static const char *needs_of(const struct spe_generator *g, struct arena *a)
{
    const char *path = g->unit->path;
    if (!strstr(g->subject.parsed.source, "#include \"") || strchr(path, ' '))
        return g->values.options.cxx ? "-w -std=gnu++17" : "-w";
    return arena_printf(a, "-w%s -I%.*s", g->values.options.cxx ? " -std=gnu++17" : "",
                        (int)(fs_name(path) - path), path);
}

/* Would a difference between compilers mean anything? */
static bool is_portable(const struct subject *s)
{
    const char *why = s->why_not.message;
    return s->imported || strncmp(why, CC_IMPORT_NOT_PORTABLE, strlen(CC_IMPORT_NOT_PORTABLE)) != 0;
}

/* Interp where it can, sanitizers where it cannot; what is not defined is only compiled. */
static int judge(struct spe_generator *g, const uint32_t *filling, struct arena *a,
                 struct program *out, struct error *e)
{
    struct strbuf expected, why;
    int status = 0, failed = 0;
    strbuf_init(&expected, 0);
    strbuf_init(&why, 0);
    const char *unjudged = g->values.options.cxx                    ? "C++"
                           : !g->unit->has_main                     ? "there is no main"
                           : g->values.options.subject.skeleton.any ? "any name in any hole"
                           : g->values.filter == FILTER_NONE        ? "no filter"
                                                                    : NULL;
    enum interp_verdict verdict = INTERP_UNDEFINED;
    if (!unjudged)
        verdict = subject_judge(&g->subject, filling, &expected, &status, &why);
    if (verdict == INTERP_DEFINED && status == 0)
        out->expected = bytes_copy(a, bytes_in(&expected));
    else
        out->build_only = true;
    if (verdict == INTERP_UNDECIDED && g->values.filter == FILTER_ALL && is_portable(&g->subject))
        failed = sieve_decide(&g->head, out, &why, e);
    /* A file that nobody ran may be a test of messages, or want options: that it is rejected means
     * nothing, unless a variant of it is where the file itself is not. */
    if (out->build_only)
        gen_only_compile(out, a, g->values.options.subject.skeleton.any || !out->varied);
    g->last = arena_printf(&g->head.arena, "%s%s%s",
                           unjudged ? "only compiled" : interp_verdict_name[verdict],
                           unjudged || why.n ? ": " : "", unjudged ? unjudged : why.s);
    strbuf_release(&expected);
    strbuf_release(&why);
    return failed;
}

static int spe_next_program(struct generator *head, struct choice *c, struct arena *a,
                            struct program *out, struct error *e)
{
    struct spe_generator *g = (struct spe_generator *)head;
    if (open_corpus(g, e))
        return -1;
    uint64_t seed = c->kind == CHOICE_RANDOM ? c->seed : choose(c, g->corpus.total);
    uint64_t index = seed % g->corpus.total;
    const struct corpus_unit *u = corpus_find(&g->corpus, index);
    if (take_unit(g, u, e))
        return GEN_FAILED;
    uint32_t *filling = arena_array(a, uint32_t, g->subject.skeleton.n_holes + 1);
    const char *which = find_filling(g, index - u->first, a, filling);
    if (!which) {
        error_set(e, ERROR_USAGE, "%s has no more variants that near", u->path);
        return GEN_FAILED;
    }
    struct strbuf text, head_line;
    strbuf_init(&text, 0);
    strbuf_init(&head_line, 0);
    *out = gen_program(head, seed);
    out->files = arena_array(a, struct program_file, 2);
    out->needs = needs_of(g, a);
    out->varied = index != u->first;
    out->origin = seed - (index - u->first);
    subject_render(&g->subject, filling, &text);
    if (g->values.emi && out->varied && g->subject.imported)
        change_unexecuted(g, seed, &text);
    strbuf_adds(&head_line, "/* ");
    gen_command("spe", g->head.config, seed, &head_line);
    strbuf_addf(&head_line, ": %s, %s, %s */\n", u->path + strlen(g->values.corpus) + 1, which,
                spe_mode_name[g->values.options.subject.mode]);
    strbuf_add(&head_line, text.s, text.n);
    out->files[out->n_files++] =
        program_file_new(a, g->values.options.cxx ? "t.cc" : "t.c", bytes_in(&head_line));
    if (*g->subject.added)
        out->files[out->n_files++] = program_file_new(a, "observer.c", bytes_of(observe_file));
    strbuf_release(&text);
    strbuf_release(&head_line);
    return judge(g, filling, a, out, e);
}

static int ready(struct generator *g, struct error *e)
{
    return open_corpus((struct spe_generator *)g, e);
}

static void stats(struct generator *head, struct strbuf *out)
{
    const struct spe_generator *g = (const struct spe_generator *)head;
    strbuf_addf(out, "%s\n%s\n", g->head.note ? g->head.note : "", g->last);
}

const struct gen_class gen_spe = {
    .size = sizeof(struct spe_generator),
    .name = "spe",
    .help = "every variable usage of real programs' skeletons (--corpus DIR)",
    .open = spe_open,
    .next = spe_next_program,
    .release = spe_close,
    .ready = ready,
    .settings = &spe_settings,
    .stats = stats,
};
