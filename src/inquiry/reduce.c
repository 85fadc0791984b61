/* inquiry_reduce is the whole story; the schedule is the table below. */
#include "inquiry/reduce.h"
#include "base/fs.h"
#include "base/text.h"
#include "program/undefined.h"
#include "reduce/c.h"
#include "reduce/external.h"
#include "reduce/lala.h"
#include "reduce/script.h"

#include <ctype.h>

const char inquiry_reduce_methods[] = "c, lala, choices, cvise, text";

struct work {
    const struct inquiry *c;
    const struct inquiry_reducing *how;
    struct interest t;
    struct reduction r;
    struct arena a;                /* what the program is made from */
    struct generator *generator;   /* NULL: the program was not made again */
    struct choice choice;          /* recorded, where it was */
    const char *method;            /* the last one that did something */
    bool settled;                  /* nothing is left for a coarser method */
    const struct program *earlier; /* what an interrupted run had reached; NULL: nothing */
    struct error why_not;          /* the last method that could do nothing says why */
};

static enum anomaly anomaly_of(const struct work *w)
{
    return w->c->finding.verdict.anomaly;
}

static bool is_c(const struct work *w)
{
    return !strcmp(w->c->program.language, "c");
}

/* -- the program made again -------------------------------------------------------------------- */

static void choice_of(const struct provenance *made, struct choice *out)
{
    choice_values given = {0};
    if (made->choices && choice_parse(made->choices, &given))
        choice_init_replay(out, given.at, given.n);
    else
        choice_init_random(out, made->seed);
    vec_release(&given);
}

/* Open the generator, and see that it makes the same program to the bit. That it cannot be opened
 * here, or is another version, is no error: there are methods that do without. */
static void make_again(struct work *w)
{
    const struct provenance *made = &w->c->program.made;
    struct gen_context context = w->how->gen;
    struct program again;
    char hash[PROGRAM_HASH_SIZE];
    context.config = made->config;
    context.settings = NULL;
    context.n_settings = 0;
    context.progress = NULL;
    if (gen_open(made->generator, &context, &w->generator, NULL)) {
        w->generator = NULL;
        return;
    }
    choice_of(made, &w->choice);
    w->choice.record = true;
    bool same = !gen_next(w->generator, &w->choice, &w->a, &again, NULL);
    if (same)
        program_hash(&again, hash);
    if (same && !strcmp(hash, w->c->finding.program))
        return;
    choice_release(&w->choice);
    gen_close(w->generator);
    w->generator = NULL;
}

static void forget_generator(struct work *w)
{
    if (!w->generator)
        return;
    choice_release(&w->choice);
    gen_close(w->generator);
}

/* -- methods ----------------------------------------------------------------------------------- */

static int64_t answered(const struct work *w)
{
    return w->r.stats.tests + w->r.stats.remembered;
}

/* A method that could do something has had its say: its first test alone does not count. */
static int note_method(struct work *w, const char *method, int64_t before, int kept)
{
    if (kept < 0)
        return -1;
    if (kept > 0)
        w->method = method;
    return kept > 0 || answered(w) > before + 1;
}

/* Reduce by a tree, which is not needed any more then. */
static int reduce_tree(struct work *w, const struct reduce_c *tree, struct error *e)
{
    int64_t before = answered(w);
    int done = note_method(w, "c", before, reduce_c(&w->r, tree, e));
    w->settled |= done > 0;
    cc_program_release(tree->program);
    return done;
}

static bool has_tree(struct work *w)
{
    return w->generator && w->generator->class->cc;
}

/* The rule by which one operation of the program is undefined; CC_UB_NONE: it is not such a one. */
static enum cc_ub undefined_rule(struct work *w, const char **row)
{
    struct undefined u;
    if (!program_undefined(&w->c->program, &w->a, &u))
        return CC_UB_NONE;
    *row = u.row;
    for (int rule = 1; rule < CC_N_UB; rule++)
        if (!strcmp(cc_ub_rules[rule].name, u.rule))
            return (enum cc_ub)rule;
    return CC_UB_NONE;
}

static int by_tree(struct work *w, struct error *e)
{
    struct reduce_c tree = {.run = !w->c->program.build_only,
                            .strict = true,
                            .trace = anomaly_of(w) == ANOMALY_WRONG_VOLATILE};
    struct choice choice;
    tree.undefined = undefined_rule(w, &tree.row);
    tree.run |= tree.undefined != CC_UB_NONE;
    choice_of(&w->c->program.made, &choice);
    tree.program = w->generator->class->cc(w->generator, &choice, &w->a, &tree.print, NULL);
    choice_release(&choice);
    return tree.program ? reduce_tree(w, &tree, e) : 0;
}

static bool may_import(struct work *w)
{
    return is_c(w) && !w->settled && !anomaly_is_of_detector(anomaly_of(w));
}

/* A program that interp cannot run can still be reduced where it need not be. */
static int by_import(struct work *w, struct error *e)
{
    struct reduce_c tree;
    struct program p = w->r.best.program;
    int status = reduce_c_import(&p, &w->a, &tree, &w->why_not);
    if (status && !p.build_only && !interest_runs(anomaly_of(w)) &&
        anomaly_of(w) != ANOMALY_WRONG_VOLATILE) {
        p.build_only = true;
        status = reduce_c_import(&p, &w->a, &tree, &w->why_not);
    }
    if (status)
        return 0;
    tree.trace = anomaly_of(w) == ANOMALY_WRONG_VOLATILE;
    return reduce_tree(w, &tree, e);
}

/* The search of the generator holds the tree that make_again made. */
static bool has_search(struct work *w)
{
    return w->generator && w->generator->class->search && w->generator->class->print;
}

static int print_tree(void *of, struct arena *a, struct program *out, struct error *e)
{
    struct work *w = of;
    return w->generator->class->print(w->generator, a, out, e);
}

static int by_search(struct work *w, struct error *e)
{
    struct reduce_lala l = {
        .search = w->generator->class->search(w->generator), .of = w, .program = print_tree};
    if (!l.search)
        return 0;
    int64_t before = answered(w);
    int done = note_method(w, "lala", before, reduce_lala(&w->r, &l, e));
    /* Only where any text would do may the frame, which the tree does not hold, go as text: a vote
     * on a text without guards may find no more than what the language leaves open. */
    w->settled |= done > 0 && w->c->finding.verdict.evidence != EVIDENCE_SELF;
    return done;
}

/* Where a generator decides next to nothing by choices (a foreign command takes a seed and no
 * more), there is nothing to take away. */
enum { CHOICES_LEAST = 8 };

static bool has_choices(struct work *w)
{
    return w->generator && !w->settled && !*w->method && w->choice.path.n >= CHOICES_LEAST;
}

static int make_of_choices(void *of, const uint64_t *values, size_t n, struct arena *a,
                           struct program *out)
{
    struct work *w = of;
    struct choice choice;
    choice_init_replay(&choice, values, n);
    int status = gen_next(w->generator, &choice, a, out, NULL);
    choice_release(&choice);
    return status ? 1 : 0;
}

static int by_choices(struct work *w, struct error *e)
{
    struct reduce_choices c = {.of = w, .make = make_of_choices};
    for (size_t i = 0; i < w->choice.path.n; i++)
        vec_push(&c.values, w->choice.path.at[i].value);
    int64_t before = answered(w);
    int done = note_method(w, "choices", before, reduce_choices(&w->r, &c, e));
    vec_release(&c.values);
    return done;
}

/* What the program should print is not known of another text: then the vote decides, and nobody can
 * tell which volatile accesses there should be, or whether the one operation is undefined still. */
static bool is_text(struct work *w)
{
    return !w->settled && anomaly_of(w) != ANOMALY_WRONG_VOLATILE &&
           !anomaly_is_of_detector(anomaly_of(w));
}

static int by_text(struct work *w, struct error *e)
{
    const struct bytes expected = w->r.best.program.expected;
    struct interest_seen seen;
    w->r.best.program.expected = (struct bytes){0};
    if (expected.data && interest_try(&w->t, &w->r.best, &(struct interest_how){0}, &seen, e))
        return -1;
    if (expected.data && seen.answer == REDUCE_BORING) {
        w->r.best.program.expected = expected;
        error_set(&w->why_not, ERROR_USAGE,
                  "the correct output of a changed program is not known, and the other testbeds do "
                  "not form a majority against this one");
        return 0;
    }
    int64_t before = answered(w);
    return note_method(w, "text", before, reduce_text(&w->r, e));
}

/* -- C-Vise and C-Reduce ----------------------------------------------------------------------- */

/* Anomalies that a script can test for. */
static bool fits_script(enum anomaly a)
{
    return a == ANOMALY_BUILD_CRASH || a == ANOMALY_BUILD_FAIL || a == ANOMALY_BUILD_HANG ||
           a == ANOMALY_RUN_CRASH || a == ANOMALY_RUN_HANG || a == ANOMALY_WRONG_OUTPUT;
}

/* The script is for this system: who lives in another one is not started by it. */
static bool is_elsewhere(const struct test_setup *config)
{
    return config->testbeds[0].root || (config->n_testbeds > 1 && config->testbeds[1].root);
}

static bool may_use_tool(struct work *w)
{
    const struct testbed *accused = &w->t.patient.testbeds[0];
    bool c = is_c(w) || !strcmp(w->c->program.language, "c++");
    struct external_reducer tool;
    return c && !w->settled && fits_script(anomaly_of(w)) && !accused->server &&
           *accused->compile && !is_elsewhere(&w->t.patient) && !is_elsewhere(&w->t.config) &&
           (anomaly_of(w) != ANOMALY_WRONG_OUTPUT || w->t.patient.n_testbeds > 1) &&
           !reduce_external_find(&w->a, &tool);
}

/* How a testbed builds and runs the program, as lines for a shell. */
static struct script_commands commands_of(const struct testbed *t, const struct program *p,
                                          const char *flags, struct arena *a)
{
    struct testbed with = *t;
    struct strbuf text;
    struct script_commands commands;
    with.flags = flags;
    strbuf_init(&text, 0);
    runner_commands(&with, p, &text);
    commands.build = strbuf_keep(&text, a);
    commands.run = t->run ? text_fill(a, t->run, "{exe}", "./program.exe", NULL) : NULL;
    return commands;
}

/* The longest part of the signature that stands in the messages as it is: the rest was generalised.
 */
static const char *telling_part(const struct work *w, const char *messages, struct arena *a)
{
    enum { LEAST = 8 };
    const char *s = w->t.signature, *colon = strstr(s, ": "), *best = NULL;
    size_t longest = LEAST - 1;
    for (const char *from = colon ? colon + 2 : s + strlen(s); *from; from++)
        for (size_t n = longest + 1; n <= strlen(from); n++) {
            const char *part = arena_memdup(a, from, n);
            if (!strstr(messages, part))
                break;
            best = part;
            longest = n;
        }
    return best;
}

static const char *sources_of(const struct program *p, struct arena *a)
{
    const char *all = "";
    for (int i = 0; i < p->n_files; i++)
        if (program_is_source(p->files[i].name))
            all = arena_printf(a, "%s%s%s", all, *all ? " " : "", p->files[i].name);
    return all;
}

static int write_script(struct work *w, const struct interest_seen *seen, struct strbuf *out,
                        struct error *e)
{
    const struct test_setup *config = &w->t.config;
    const struct reduce_case *best = &w->r.best;
    struct reduce_script s = {
        .title = arena_printf(&w->a, "finding %lld", (long long)w->c->finding.id),
        .sources = sources_of(&best->program, &w->a),
        .needs = best->program.needs,
        .anomaly = anomaly_of(w),
        .pattern = telling_part(w, seen->observation.messages, &w->a),
        .accused = commands_of(&config->testbeds[0], &best->program, best->flags, &w->a),
        .build_seconds = (int)(config->testbeds[0].limits.compile.cpu_ms / 1000) + 1,
        .run_seconds = (int)(config->testbeds[0].limits.run.cpu_ms / 1000) + 1,
    };
    if (config->n_testbeds > 1)
        s.reference =
            commands_of(&config->testbeds[1], &best->program, config->testbeds[1].flags, &w->a);
    for (int i = 0; i < w->c->config.n_testbeds; i++) {
        const struct testbed *t = &w->c->config.testbeds[i];
        if (!t->root && !strcmp(t->toolchain, "gcc"))
            s.gcc = t->path;
        if (!t->root && !strcmp(t->toolchain, "clang"))
            s.clang = t->path;
    }
    return reduce_script(&s, out, e);
}

/* What the tool leaves is tested as any other candidate. */
static enum reduce_made make_given(void *of, size_t i, struct arena *a, struct reduce_case *out)
{
    (void)a;
    if (i > 0)
        return REDUCE_END;
    *out = *(const struct reduce_case *)of;
    return REDUCE_MADE;
}

static int take_given(struct work *w, struct reduce_case *given, struct error *e)
{
    size_t at = 0;
    struct reduce_space space = {given, make_given};
    return reduction_first(&w->r, &space, &at, e);
}

static void tool_progress(void *of, int64_t bytes, const char *pass)
{
    struct work *w = of;
    w->r.pass = pass;
    interest_progress(&w->t, (size_t)bytes);
}

/* It begins anew with what it had reached in the slice before: each is as long as all until then
 * took together, or it might never come to an end. 0: it has no limit. */
static int64_t time_of_tool(const struct work *w)
{
    int64_t slice = w->how->slice_ms, before = w->t.row.wall_ms;
    return slice && before > slice ? before : slice;
}

/* 1: it was stopped or its time is up, and `out` is the best that it had; -1: it cannot be used.
 */
static int run_tool(struct work *w, const struct external_reducer *tool,
                    const struct interest_seen *seen, struct reduce_case *out)
{
    struct strbuf script;
    strbuf_init(&script, 0);
    int status = write_script(w, seen, &script, &w->why_not);
    struct external_job job = {.tool = tool,
                               .script = script.s,
                               .cores = w->how->slots,
                               .wall_ms = time_of_tool(w),
                               .test_seconds = 60,
                               .c_like = true,
                               .stop = w->how->stop,
                               .of = w,
                               .progress = tool_progress};
    if (!status)
        status = reduce_external(&job, &w->r.best.program, &w->a, &out->program, &w->why_not);
    strbuf_release(&script);
    w->r.pass = tool->name;
    return status;
}

static int by_tool(struct work *w, struct error *e)
{
    struct external_reducer tool;
    struct interest_seen seen;
    if (reduce_external_find(&w->a, &tool))
        return -1;
    w->r.pass = tool.name;
    if (w->earlier) { /* the tool's steps are not ours: nothing else leads back there */
        struct reduce_case earlier = {*w->earlier, w->r.best.flags};
        earlier.program.expected = (struct bytes){0};
        if (take_given(w, &earlier, e) < 0)
            return -1;
    }
    if (interest_try(&w->t, &w->r.best, &(struct interest_how){0}, &seen, e))
        return -1;
    struct reduce_case found = w->r.best;
    pulse_allow_child(w->how->pulse, 0);
    int status = run_tool(w, &tool, &seen, &found);
    pulse_allow(w->how->pulse, PULSE_LONG_MS);
    if (status > 0 && program_size(&found.program) < program_size(&w->r.best.program))
        w->t.test.better(w->t.test.of, &found, tool.name);
    if (status > 0 || (w->how->stop && *w->how->stop))
        return error_set(e, ERROR_NONE, "stopped");
    if (status)
        return 0;
    w->t.until_ms = 0; /* what it found is tested, however late it is */
    int kept = take_given(w, &found, e);
    if (kept > 0)
        w->method = "cvise";
    w->settled |= kept > 0;
    return kept;
}

/* In order of what they know of the program. 1: did something; 0: could not; -1. */
static const struct method {
    const char *name;
    bool (*applies)(struct work *w);
    int (*run)(struct work *w, struct error *e);
} schedule[] = {
    {"c", has_tree, by_tree},
    {"lala", has_search, by_search},
    {"choices", has_choices, by_choices},
    {"c", may_import, by_import},
    {"cvise", may_use_tool, by_tool},
    {"text", is_text, by_text},
};
enum { N_METHODS = sizeof schedule / sizeof *schedule };

bool inquiry_reduce_method(const char *name)
{
    for (int i = 0; i < N_METHODS; i++)
        if (!strcmp(schedule[i].name, name))
            return true;
    return false;
}

static int run_schedule(struct work *w, struct error *e)
{
    bool any = false;
    for (int i = 0; i < N_METHODS; i++) {
        const struct method *m = &schedule[i];
        if ((w->how->method && strcmp(w->how->method, m->name) != 0) || !m->applies(w))
            continue;
        int done = m->run(w, e);
        if (done < 0)
            return -1;
        any |= done > 0;
    }
    if (!any && w->how->method)
        return error_set(e, ERROR_USAGE, "finding %lld cannot be reduced by the method '%s'%s%s",
                         (long long)w->c->finding.id, w->how->method,
                         *w->why_not.message ? ": " : "", w->why_not.message);
    w->r.pass = "flags";
    return reduce_flags(&w->r, e) < 0 ? -1 : 0;
}

/* -- the result -------------------------------------------------------------------------------- */

/* A line of a text between quotes, as much of it as fits, with nothing that ends a comment. */
static const char *quoted(struct arena *a, const char *text)
{
    enum { MOST = 60 };
    size_t n = strcspn(text, "\n");
    bool more = n > MOST || (text[n] && text[n + 1]);
    char *line = arena_printf(a, "\"%.*s%s\"", (int)(n > MOST ? MOST : n), text, more ? "..." : "");
    for (char *at = line; *at; at++)
        if (!isprint((unsigned char)*at) || *at == '*')
            *at = '?';
    return line;
}

/* What is wrong with an output: from the first line that differs, or else the exit status (a
 * program whose output is known ends with 0). */
static void tell_output(const struct observation *o, struct bytes right, struct arena *a,
                        const char **expected, const char **shows)
{
    const char *seen = o->output.data, *line = seen;
    for (size_t i = 0; i < right.size && i < o->output.size && seen[i] == right.data[i]; i++)
        if (seen[i] == '\n')
            line = seen + i + 1;
    if (!right.data) {
        *shows = arena_printf(a, " prints %s", quoted(a, seen));
    } else if (bytes_equal(o->output, right)) {
        *expected = "expected exit status 0, ";
        *shows = arena_printf(a, " exits with %d", o->exit_status);
    } else {
        *expected = arena_printf(a, "expected %s, ", quoted(a, right.data + (line - seen)));
        *shows = arena_printf(a, " prints %s", quoted(a, line));
    }
}

/* What the reduced file says of itself. */
static const char *story(const struct work *w, const struct interest_seen *seen, struct arena *a)
{
    const struct provenance *made = &w->c->program.made;
    const struct reduce_case *best = &w->r.best;
    const char *expected = "", *shows = "";
    if (anomaly_of(w) == ANOMALY_WRONG_OUTPUT)
        tell_output(&seen->observation, best->program.expected, a, &expected, &shows);
    else
        shows = arena_printf(a, ": %s", anomaly_help[anomaly_of(w)]);
    return arena_printf(a, "finding %lld, reduced by assay from %s seed %llu: %s%s%s%s%s",
                        (long long)w->c->finding.id, made->generator,
                        (unsigned long long)made->seed, expected, w->t.patient.testbeds[0].compiler,
                        *best->flags ? " " : "", best->flags, shows);
}

/* Without the comment that tells how the original is made: this is another program. */
static const char *without_origin(const char *text, const char *begin, const char *end)
{
    const char *made = strstr(text, "assay gen "), *line_end = text + strcspn(text, "\n");
    if (strncmp(text, begin, strlen(begin)) != 0 || !made || made > line_end)
        return text;
    const char *last = *end ? strstr(made, end) : line_end;
    return last && last[strlen(end)] == '\n' ? last + strlen(end) + 1 : text;
}

/* The best case with the story as its first comment. False: the language is not known. */
static bool with_story(const struct work *w, const struct interest_seen *seen, struct arena *a,
                       struct reduce_case *out)
{
    const struct program *p = &w->r.best.program;
    *out = w->r.best;
    const struct language *l = &w->r.language;
    if (!l->note || !p->n_files)
        return false;
    out->program.files = arena_array(a, struct program_file, p->n_files);
    memcpy(out->program.files, p->files, sizeof *p->files * (size_t)p->n_files);
    struct program_file *first = &out->program.files[0];
    for (int k = p->n_files - 1; k >= 0; k--)
        if (program_is_source(p->files[k].name))
            first = &out->program.files[k];
    struct undefined u;
    if (program_undefined(p, a, &u)) { /* its lines have numbers */
        first->text =
            arena_printf(a, "%s%s%s%s\n", first->text, l->note, story(w, seen, a), l->note_end);
        first->size = strlen(first->text);
        return true;
    }
    /* which accesses there are to be stands in that comment (program/trace.h) */
    bool announces = anomaly_of(w) == ANOMALY_WRONG_VOLATILE;
    const char *text = announces ? first->text : without_origin(first->text, l->note, l->note_end);
    first->text = arena_printf(a, "%s%s%s\n%s", l->note, story(w, seen, a), l->note_end, text);
    first->size = strlen(first->text);
    return true;
}

/* A case, and all that it points to, in the arena. */
static void copy_program(struct arena *a, const struct program *from, struct program *to)
{
    struct strbuf packed;
    strbuf_init(&packed, 0);
    program_pack(from, &packed);
    *to = *from;
    if (program_unpack(a, packed.s, packed.n, to))
        BUG("a program cannot be unpacked");
    strbuf_release(&packed);
    to->language = arena_strdup(a, from->language);
    to->needs = arena_strdup(a, from->needs);
    to->expected = bytes_copy(a, from->expected);
}

/* Check the best case with the limits of the campaign, and see that it shows with its comment, too.
 * 1: all is well, and `out` is what to keep; 0: it does not show. */
static int check_result(struct work *w, struct arena *a, struct reduce_case *out, struct error *e)
{
    const struct interest_how patient = {.patient = true};
    struct interest_seen seen;
    if (interest_try(&w->t, &w->r.best, &patient, &seen, e))
        return -1;
    if (seen.answer == REDUCE_BORING)
        return 0;
    struct reduce_case told;
    if (with_story(w, &seen, a, &told)) {
        if (interest_try(&w->t, &told, &patient, &seen, e))
            return -1;
        if (seen.answer == REDUCE_BORING)
            told = w->r.best;
    }
    *out = told;
    copy_program(a, &told.program, &out->program);
    out->flags = arena_strdup(a, told.flags);
    return 1;
}

/* -- the whole --------------------------------------------------------------------------------- */

static int put_row(struct work *w, enum reduction_state state, const char *why,
                   const struct program *best, struct error *e)
{
    w->t.row.state = state;
    w->t.row.why = why;
    w->t.row.method = w->method;
    w->t.row.from_bytes = (int64_t)w->t.from_bytes;
    w->t.row.at = clock_wall();
    return interest_save(&w->t, best, e);
}

/* From the original to the best. 1: it is in `out`; 0: what was reduced does not show with the
 * limits of the campaign. */
static int reduce_once(struct work *w, const struct reduce_case *original, struct arena *a,
                       struct reduce_case *out, struct error *e)
{
    struct reduce_stats so_far = w->r.stats;
    reduction_release(&w->r);
    reduction_init(&w->r, &w->t.test, original);
    w->r.stats = so_far;
    w->r.stop = w->how->stop;
    w->settled = false;
    w->method = "";
    if (run_schedule(w, e))
        return -1;
    return check_result(w, a, out, e);
}

/* The lower limits made something slow look like a hang: again from the start, with all the time
 * that it takes. */
static int forget_answers(struct work *w, struct error *e)
{
    memcpy(w->t.config.testbeds, w->t.patient.testbeds,
           sizeof *w->t.config.testbeds * (size_t)w->t.config.n_testbeds);
    w->t.config.oracle = w->t.patient.oracle;
    map_release(&w->t.answers);
    map_init(&w->t.answers);
    w->t.n_fresh = 0;
    forget_generator(w); /* its search holds the tree that was reduced */
    make_again(w);
    return store_answers_drop(w->t.spec.store, w->c->finding.id, e);
}

static int blame(struct work *w, const struct reduce_case *best, struct arena *a,
                 struct inquiry_reduced *out, struct error *e)
{
    const char *kin = "";
    w->r.pass = "blame";
    if (inquiry_blame(&w->t, w->how, best, a, &out->blame, e))
        return -1;
    bool explained = *out->blame.pass && strncmp(out->blame.pass, "-O", 2) != 0;
    const char *good = inquiry_last_good(w->how, &w->t.patient.testbeds[0], &out->blame, a);
    if (!explained && inquiry_kin(&w->t, best, good, a, &kin, e))
        return -1;
    if (*kin && store_kin_put(w->t.spec.store, w->c->finding.id, kin, e))
        return -1;
    if (store_blame_put(w->t.spec.store, &out->blame, e))
        return -1;
    out->blamed = true;
    return 0;
}

static int finish(struct work *w, const struct reduce_case *best, struct arena *a,
                  struct inquiry_reduced *out, struct error *e)
{
    out->program = best->program;
    w->t.row.bytes = (int64_t)program_size(&w->r.best.program);
    w->t.row.flags = best->flags;
    program_hash(&best->program, w->t.row.program);
    w->t.n_fresh = 0; /* answers are not needed any more */
    if (put_row(w, REDUCTION_DONE, "", &best->program, e) ||
        store_constructs_put(w->t.spec.store, w->c->finding.id,
                             inquiry_constructs(&best->program, a), e) ||
        store_answers_drop(w->t.spec.store, w->c->finding.id, e))
        return -1;
    if (!w->how->blame)
        return 0;
    if (interest_is_over(&w->t)) /* that is for the next slice: it cannot be interrupted */
        return error_set(e, ERROR_NONE, "its time is up");
    return blame(w, best, a, out, e);
}

/* It was reduced, and the question of blame was interrupted, or not asked. */
static int blame_only(struct work *w, const struct reduce_case *original, struct arena *a,
                      struct inquiry_reduced *out, struct error *e)
{
    const char *why;
    struct reduce_case best = {out->program, out->row.flags};
    int shows = interest_begin(&w->t, original, &why, e);
    if (shows)
        return shows < 0 ? -1 : blame(w, &best, a, out, e);
    out->blame = (struct store_blame){.finding = w->c->finding.id,
                                      .pass = "",
                                      .detail = arena_strdup(a, why),
                                      .first_bad = "",
                                      .last_good = "",
                                      .last_bad = "",
                                      .next_good = ""};
    out->blamed = true;
    return store_blame_put(w->t.spec.store, &out->blame, e); /* so that nobody asks for ever */
}

static int reduce_all(struct work *w, const struct reduce_case *original, struct arena *a,
                      struct inquiry_reduced *out, struct error *e)
{
    const char *why = "";
    struct reduce_case best;
    int shows = interest_begin(&w->t, original, &why, e);
    if (shows < 0)
        return -1;
    if (!shows)
        return put_row(w, REDUCTION_FAILED, why, NULL, e);
    make_again(w);
    if (put_row(w, REDUCTION_BEGUN, w->t.row.why, NULL, e))
        return -1;
    int good = reduce_once(w, original, a, &best, e);
    if (good == 0) {
        if (forget_answers(w, e))
            return -1;
        good = reduce_once(w, original, a, &best, e);
    }
    if (good < 0)
        return -1;
    if (!good)
        return put_row(w, REDUCTION_FAILED,
                       "the result does not reproduce every time: it may be flaky", NULL, e);
    return finish(w, &best, a, out, e);
}

int inquiry_reduced(struct store *s, int64_t finding, const struct inquiry_reducing *how,
                    struct arena *a, struct inquiry_reduced *out, struct error *e)
{
    struct store_blame *blames;
    *out =
        (struct inquiry_reduced){.row = {.finding = finding, .flags = "", .method = "", .why = ""}};
    int n, known = store_reduction_get(s, finding, a, &out->row, e);
    if (known)
        return known < 0 ? -1 : 0;
    if (out->row.program[0] && store_program(s, out->row.program, a, &out->program, e))
        return -1;
    if (store_blames(s, a, &blames, &n, e))
        return -1;
    for (int i = 0; i < n; i++)
        if (blames[i].finding == finding) {
            out->blame = blames[i];
            out->blamed = true;
        }
    bool over = out->row.state == REDUCTION_FAILED ||
                (out->row.state == REDUCTION_DONE && (out->blamed || !how->blame));
    return over && !how->again;
}

/* Stopped: what is known is written, and the same command goes on another time. */
static int interrupt(struct work *w, struct inquiry_reduced *out, struct error *e)
{
    out->interrupted = true;
    w->t.row.why = "";
    if (interest_flush(&w->t, e))
        return -1;
    return w->t.row.state == REDUCTION_BEGUN && w->t.row.from_bytes ? interest_save(&w->t, NULL, e)
                                                                    : 0;
}

static int begin(struct work *w, struct store *s, const struct reduce_case *original,
                 struct error *e)
{
    struct interest_spec spec = {.c = w->c,
                                 .slots = w->how->slots,
                                 .stop = w->how->stop,
                                 .slice_ms = w->how->slice_ms,
                                 .pulse = w->how->pulse,
                                 .board = w->how->board,
                                 .store = s,
                                 .show = w->how->show};
    arena_init(&w->a);
    int status = interest_init(&w->t, &spec, e);
    reduction_init(&w->r, &w->t.test, original);
    w->t.reduction = &w->r;
    if (w->how->again) /* all figures from 0, but those of the program that is there still */
        w->t.row = (struct store_reduction){.finding = w->c->finding.id,
                                            .flags = w->t.row.flags ? w->t.row.flags : "",
                                            .bytes = w->t.row.bytes,
                                            .method = "",
                                            .why = ""};
    return status;
}

int inquiry_reduce(struct store *s, const struct inquiry *c, const struct inquiry_reducing *how,
                   struct arena *a, struct inquiry_reduced *out, struct error *e)
{
    *e = (struct error){0};
    int over = inquiry_reduced(s, c->finding.id, how, a, out, e);
    if (over)
        return over < 0 ? -1 : 0;
    if (how->again && store_answers_drop(s, c->finding.id, e))
        return -1;
    struct work w = {.c = c, .how = how, .method = ""};
    struct reduce_case original = {c->program, inquiry_flags(c)};
    bool done = out->row.state == REDUCTION_DONE && !how->again;
    struct store_reduction before = out->row;
    struct program earlier = out->program;
    if (before.program[0] && !done && !how->again)
        w.earlier = &earlier;
    int status = begin(&w, s, &original, e);
    if (!status)
        status = done ? blame_only(&w, &original, a, out, e) : reduce_all(&w, &original, a, out, e);
    interest_hide(&w.t);
    out->slips = w.t.slips;
    if (status && e->kind == ERROR_NONE)
        status = interrupt(&w, out, e);
    if (status && e->kind == ERROR_USAGE && before.at) /* that method: all is as it was */
        store_reduction_put(s, &before, NULL, NULL);
    if (!status && store_reduction_get(s, c->finding.id, a, &out->row, e) < 0)
        status = -1;
    forget_generator(&w);
    reduction_release(&w.r);
    interest_release(&w.t);
    arena_release(&w.a);
    return status;
}
