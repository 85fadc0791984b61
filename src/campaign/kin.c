/* Which programs next to the reduced one come out right? (triage/kin.h)
 *
 * The reducer is set on its own result once more. Its candidates are built, run and compared as
 * before, but none is taken: those that come out right are kept, with the code that the compiler
 * made of them. */
#include "campaign/interest_internal.h"
#include "campaign/reduce.h"
#include "reduce/c.h"
#include "triage/kin.h"

enum { TESTS_MOST = 160 };

struct visit {
    struct interest *t;
    struct strbuf found;
    int tests;
    bool begun; /* the tree of the case was seen to fail */
    int enough; /* ends the search */
};

static int visit_begin(void *of, int slot, const struct reduce_case *c, struct error *e)
{
    struct visit *v = of;
    struct interest_job job = {.c = c, .how = {.listing = true}};
    v->enough = ++v->tests >= TESTS_MOST;
    return interest_start(v->t, slot, &job, e);
}

/* What prints nothing cannot print something wrong. */
static bool came_right(const struct visit *v, const struct interest_seen *seen)
{
    enum anomaly wanted = v->t->spec.c->finding.verdict.anomaly;
    bool shows = wanted != ANOMALY_WRONG_OUTPUT || *seen->observation.output;
    return shows && seen->answer == REDUCE_BORING && !seen->unclean && !seen->verdict.anomaly &&
           seen->observation.outcome == OUTCOME_OK;
}

static int visit_end(void *of, int *slot, enum reduce_answer *answer, struct error *e)
{
    struct visit *v = of;
    struct interest_told told;
    if (interest_hear(v->t, slot, &told, e))
        return -1;
    *answer = v->begun ? REDUCE_BORING : told.seen.answer;
    bool itself = *answer == REDUCE_INTERESTING;
    v->begun |= itself;
    if (!itself && !came_right(v, &told.seen))
        return 0;
    const char *text = v->t->jobs[*slot].c->program.files[0].text;
    struct strbuf code, second;
    strbuf_init(&code, 0);
    strbuf_init(&second, 0);
    kin_code(&code, text, told.listing);
    kin_code(&second, text, told.second);
    kin_add(&v->found, &(struct kin){!itself, text, code.s, second.s});
    strbuf_release(&second);
    strbuf_release(&code);
    return 0;
}

static void visit_drop(void *of, int slot)
{
    struct visit *v = of;
    pool_drop(&v->t->pool, slot);
}

static int visit_all(struct visit *v, const struct reduce_case *best, const struct reduce_c *tree,
                     struct error *e)
{
    struct reduce_test test = {.of = v,
                               .slots = v->t->spec.slots,
                               .begin = visit_begin,
                               .end = visit_end,
                               .drop = visit_drop};
    struct reduction r;
    reduction_init(&r, &test, best);
    r.stop = &v->enough;
    int status = reduce_c(&r, tree, e);
    reduction_release(&r);
    bool stopped = v->t->spec.stop && *v->t->spec.stop;
    return status >= 0 || (v->enough && !stopped && e->kind == ERROR_NONE) ? 0 : -1;
}

int campaign_kin(struct interest *t, const struct reduce_case *best, struct arena *a,
                 const char **out, struct error *e)
{
    struct arena trees;
    struct reduce_c tree = {0};
    int status = 0;
    *out = "";
    arena_init(&trees);
    if (best->program.expected && interest_runs(t->spec.c->finding.verdict.anomaly) &&
        !reduce_c_import(&best->program, &trees, &tree, NULL)) {
        struct visit v = {.t = t};
        strbuf_init(&v.found, 0);
        status = visit_all(&v, best, &tree, e);
        *out = arena_strdup(a, v.found.s);
        strbuf_release(&v.found);
    }
    if (tree.program)
        cc_program_release(tree.program);
    arena_release(&trees);
    return status;
}
