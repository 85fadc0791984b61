/* assay check --ub: a small checker of undefined behaviour. The file is imported and run once by
 * interp, which names the first rule of C11 that its execution violates, and where. */
#include "base/json.h"
#include "base/text.h"
#include "cc/import/import.h"
#include "cli/cli.h"
#include "interp/interp.h"

enum { MAX_STEPS = 200 * 1000 * 1000 };

static const char *const endings[] = {[INTERP_RETURNED] = "main returned",
                                      [INTERP_EXITED] = "it exited with",
                                      [INTERP_QUIT] = "it exited with",
                                      [INTERP_ABORTED] = "it called abort",
                                      [INTERP_TRAPPED] = "it trapped"};

static void print_text(const char *path, const struct interp *in, enum cc_ub rule,
                       const struct strbuf *why)
{
    const struct interp_end *end = interp_ended(in);
    if (rule)
        text_print(stdout, "%s: %s\n", path, why->s);
    else if (end->how >= INTERP_ABORTED)
        text_print(stdout, "%s: nothing undefined: %s\n", path, endings[end->how]);
    else
        text_print(stdout, "%s: nothing undefined: %s %d\n", path, endings[end->how], end->status);
}

static void print_json(const char *path, const struct interp *in, enum cc_ub rule,
                       const struct strbuf *why)
{
    const struct interp_ub *ub = interp_violation(in);
    const struct interp_end *end = interp_ended(in);
    struct json *j =
        json_new("{s:s,s:s,s:s,s:s,s:i}", "file", path, "rule", rule ? cc_ub_rules[rule].name : "",
                 "clause", rule ? cc_ub_rules[rule].clause : "", "message", why->s, "line",
                 ub->stmt ? (int)ub->stmt->line : 0);
    if (!rule) {
        json_extend(j, "{s:s}", "ended", endings[end->how]);
        json_extend(j, "{s:I}", "status", (int64_t)end->status);
        json_extend(j, "{s:y}", "output", bytes_in(interp_printed(in)));
    }
    json_print(j, true);
}

/* What is beyond interp is not the program's fault. */
static int judged(enum cc_ub rule, const char *path, const struct strbuf *why, struct error *e)
{
    enum interp_verdict verdict = interp_verdict(rule);
    if (verdict == INTERP_UNDECIDED || verdict == INTERP_ENDLESS)
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be judged: %s", why->s);
    return rule != CC_UB_NONE;
}

int check_ub(const char *path, const char *needs, bool json, struct error *e)
{
    const struct interp_options o = {.max_steps = MAX_STEPS, .real = true};
    struct arena a;
    struct parsed parsed;
    struct import import;
    struct cc_program program;
    char **arguments;
    arena_init(&a);
    if (text_split(&a, needs, &arguments) < 0) {
        arena_release(&a);
        return error_set(e, ERROR_USAGE, "--needs: a quote is not closed");
    }
    const struct parse_options parse = {.arguments = (const char *const *)arguments};
    cc_program_init(&program, &a, &cc_lp64);
    int bad = parsed_load(path, &parse, &a, &parsed, e);
    if (!bad && cc_import(&parsed, path, &program, &import, e)) {
        e->kind = ERROR_ENVIRONMENT;
        bad = -1;
    }
    if (!bad && !program.main)
        bad = error_at(e, ERROR_USAGE, path, 0, "there is no main to run");
    if (!bad) {
        struct strbuf why;
        struct interp *in = interp_new(&program, &o);
        enum cc_ub rule = interp_main(in);
        strbuf_init(&why, 0);
        interp_explain(in, &why);
        bad = judged(rule, path, &why, e);
        if (!bad && !interp_settled(in, NULL, &why))
            bad = error_at(e, ERROR_ENVIRONMENT, path, 0, "cannot be judged: %s", why.s);
        if (bad >= 0)
            json ? print_json(path, in, rule, &why) : print_text(path, in, rule, &why);
        interp_free(in);
        strbuf_release(&why);
    }
    cc_program_release(&program);
    arena_release(&a);
    return bad;
}
