/* assay check --ub: a small checker of undefined behaviour. The file is imported and run once by
 * interp, which names the first rule of C11 that its execution violates, and where. */
#include "base/json.h"
#include "base/text.h"
#include "cc/import/import.h"
#include "cli/cli.h"
#include "interp/interp.h"

enum { TRACED = 10 }; /* stores */

static const char *const endings[] = {[INTERP_RETURNED] = "main returned",
                                      [INTERP_EXITED] = "it exited with",
                                      [INTERP_QUIT] = "it exited with",
                                      [INTERP_ABORTED] = "it called abort",
                                      [INTERP_TRAPPED] = "it trapped"};

/* What there is to say of a file: a run (NULL: it could not be read), and a message where it is not
 * plainly defined. */
struct judgement {
    const char *path;
    enum interp_verdict verdict;
    enum cc_ub rule;
    const struct interp *in;
    struct strbuf why;
};

/* The way to what is not defined. */
static size_t trace_of(const struct judgement *j, struct arena *a, const char *const **lines)
{
    *lines = NULL;
    return j->in && j->verdict != INTERP_DEFINED ? interp_history(j->in, a, lines) : 0;
}

static void print_trace(const struct judgement *j)
{
    const char *const *lines;
    struct arena a;
    arena_init(&a);
    size_t n = trace_of(j, &a, &lines);
    for (size_t i = 0; i < n; i++)
        text_print(stdout, "    %s\n", lines[i]);
    arena_release(&a);
}

static void print_text(const struct judgement *j)
{
    const struct interp_end *end = interp_ended(j->in);
    if (j->verdict == INTERP_UNDEFINED)
        text_print(stdout, "%s: %s\n", j->path, j->why.s);
    else if (end->how >= INTERP_ABORTED)
        text_print(stdout, "%s: nothing undefined: %s\n", j->path, endings[end->how]);
    else
        text_print(stdout, "%s: nothing undefined: %s %d\n", j->path, endings[end->how],
                   end->status);
}

/* One object for every file, refused ones too. */
static void print_json(const struct judgement *j, const struct error *refused)
{
    const struct interp_ub *ub = j->in ? interp_violation(j->in) : NULL;
    bool undefined = j->verdict == INTERP_UNDEFINED;
    struct json *o = json_new("{s:s,s:s,s:s,s:s,s:s,s:i}", "file", j->path, "verdict",
                              j->in ? interp_verdict_name[j->verdict] : "refused", "rule",
                              undefined ? cc_ub_rules[j->rule].name : "", "clause",
                              undefined ? cc_ub_rules[j->rule].clause : "", "message",
                              j->in ? j->why.s : refused->message, "line",
                              ub && ub->stmt ? (int)ub->stmt->line : refused->line);
    if (j->in && j->verdict == INTERP_DEFINED) {
        const struct interp_end *end = interp_ended(j->in);
        json_extend(o, "{s:s}", "ended", endings[end->how]);
        json_extend(o, "{s:I}", "status", (int64_t)end->status);
        json_extend(o, "{s:y}", "output", bytes_in(interp_printed(j->in)));
    }
    const char *const *lines;
    struct arena a;
    arena_init(&a);
    size_t n = trace_of(j, &a, &lines);
    if (n)
        json_extend(o, "{s:o}", "trace", json_texts(lines, n));
    json_print(o, true);
    arena_release(&a);
}

/* 1: undefined, 0: defined; -1: it cannot be judged, which is not the program's fault. */
static int judge(struct cc_program *p, const struct check_ub_options *o, struct judgement *j,
                 struct error *e)
{
    const struct interp_options how = {
        .max_steps = (uint64_t)o->steps, .real = true, .history = o->trace ? TRACED : 0};
    struct interp *in = interp_new(p, &how);
    j->in = in;
    j->rule = interp_main(in);
    j->verdict = interp_verdict(j->rule);
    interp_explain(in, &j->why);
    if (j->verdict == INTERP_DEFINED && !interp_settled(in, NULL, &j->why))
        j->verdict = INTERP_UNDECIDED;
    int bad = j->verdict == INTERP_UNDEFINED;
    if (j->verdict == INTERP_UNDECIDED || j->verdict == INTERP_ENDLESS)
        bad = error_at(e, ERROR_ENVIRONMENT, j->path, 0, "cannot be judged: %s", j->why.s);
    return bad;
}

static int load(const char *path, const struct parse_options *parse, struct arena *a,
                struct cc_program *p, bool *asks_optimised, struct error *e)
{
    struct parsed parsed;
    struct import import;
    if (parsed_load(path, parse, a, &parsed, e))
        return -1;
    if (cc_import_partly(&parsed, path, p, &import, e)) {
        e->kind = ERROR_ENVIRONMENT;
        return -1;
    }
    *asks_optimised = import.asks_optimised;
    return p->main ? 0 : error_at(e, ERROR_USAGE, path, 0, "there is no main to run");
}

/* Does it end in the same way as a compiler reads it that optimises? */
static bool same_optimised(const struct judgement *first, char **arguments,
                           const struct check_ub_options *o)
{
    static const char *const more[] = {CC_IMPORT_AS_OPTIMISED, NULL};
    struct judgement j = {.path = first->path};
    struct arena a;
    struct cc_program program;
    struct error ignored = {0};
    VEC(const char *) words = {0};
    bool asks;
    for (char **w = arguments; *w; w++)
        vec_push(&words, *w);
    for (const char *const *w = more; *w; w++)
        vec_push(&words, *w);
    vec_push(&words, NULL);
    const struct parse_options parse = {.arguments = words.at};
    arena_init(&a);
    cc_program_init(&program, &a, &cc_lp64);
    strbuf_init(&j.why, 0);
    bool same = !load(first->path, &parse, &a, &program, &asks, &ignored) &&
                judge(&program, o, &j, &ignored) >= 0 && j.verdict == first->verdict &&
                j.rule == first->rule;
    if (same && j.verdict == INTERP_DEFINED) {
        const struct interp_end *x = interp_ended(j.in), *y = interp_ended(first->in);
        same = x->how == y->how && x->status == y->status &&
               bytes_equal(bytes_in(interp_printed(j.in)), bytes_in(interp_printed(first->in)));
    }
    interp_free((struct interp *)j.in);
    strbuf_release(&j.why);
    cc_program_release(&program);
    arena_release(&a);
    vec_release(&words);
    return same;
}

int check_ub(const char *path, const struct check_ub_options *o, struct error *e)
{
    struct judgement j = {.path = path};
    struct arena a;
    struct cc_program program;
    char **arguments;
    arena_init(&a);
    if (text_split(&a, o->needs, &arguments) < 0) {
        arena_release(&a);
        return error_set(e, ERROR_USAGE, "--needs: a quote is not closed");
    }
    const struct parse_options parse = {.arguments = (const char *const *)arguments};
    cc_program_init(&program, &a, &cc_lp64);
    strbuf_init(&j.why, 0);
    bool asks_optimised = false;
    int bad = load(path, &parse, &a, &program, &asks_optimised, e);
    if (!bad)
        bad = judge(&program, o, &j, e);
    if (bad >= 0 && asks_optimised && !same_optimised(&j, arguments, o)) {
        j.verdict = INTERP_UNDECIDED;
        strbuf_clear(&j.why);
        strbuf_adds(&j.why, "the text is another one where compilers optimise");
        bad = error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be judged: %s", j.why.s);
    }
    if (o->json)
        print_json(&j, e);
    else if (bad >= 0)
        print_text(&j);
    if (!o->json)
        print_trace(&j);
    interp_free((struct interp *)j.in);
    strbuf_release(&j.why);
    cc_program_release(&program);
    arena_release(&a);
    return bad;
}
