/* Which programs next to the reduced one come out right? (triage/kin.h)
 *
 * The reducer is set on its own result once more. Its candidates are built, run and compared as
 * before, but none is taken: those that come out right are kept, with the code that the compiler
 * made of them, and that a witness made: another compiler, the one whose code is most like that of
 * the accused. */
#include "base/text.h"
#include "inquiry/interest_internal.h"
#include "inquiry/reduce.h"
#include "reduce/c.h"
#include "triage/kin.h"
#include "triage/listing.h"

enum { TESTS_MOST = 160, CANDIDATES_MOST = 1500 };

struct visit {
    struct interest *t;
    const char *witness;
    struct strbuf found, code, second;
    struct arena scratch; /* what is known of one candidate */
    int tests, candidates;
    bool begun; /* the case itself was seen to fail */
    int enough; /* ends the search */
    /* Of texts, by slot: */
    struct arena *arenas;
    struct reduce_case *cases;
    bool *refused; /* nobody knows what it should print */
};

/* What prints nothing cannot print something wrong. */
static bool came_right(const struct visit *v, const struct interest_seen *seen)
{
    enum anomaly wanted = v->t->spec.c->finding.verdict.anomaly;
    bool shows = wanted != ANOMALY_WRONG_OUTPUT || seen->observation.output.size;
    return shows && seen->answer == REDUCE_BORING && !seen->unclean && !seen->verdict.anomaly &&
           seen->observation.outcome == OUTCOME_OK;
}

static int start(struct visit *v, int slot, const struct reduce_case *c, struct error *e)
{
    struct interest_job job = {.c = c, .how = {.witness = v->witness}};
    v->enough |= ++v->tests >= TESTS_MOST;
    return interest_start(v->t, slot, &job, e);
}

/* What was tested in a slot, and the code of it; lives until the next one is heard. */
static struct kin kin_of(struct visit *v, int slot, const struct interest_told *told)
{
    const struct program *p = &v->t->jobs[slot].c->program;
    const char *text = p->files[0].text;
    strbuf_clear(&v->code);
    strbuf_clear(&v->second);
    kin_code(&v->code, text, told->listing);
    kin_code(&v->second, text, told->second);
    return (struct kin){.text = text, .constructs = "", .code = v->code.s, .second = v->second.s};
}

/* The first that fails is the case itself; after that nothing is interesting any more. */
static int hear(struct visit *v, int *slot, enum reduce_answer *answer, struct error *e)
{
    struct interest_told told;
    if (interest_hear(v->t, slot, &told, e))
        return -1;
    *answer = v->begun ? REDUCE_BORING : told.seen.answer;
    bool itself = *answer == REDUCE_INTERESTING;
    v->begun |= itself;
    if (!v->begun || (!itself && !came_right(v, &told.seen)))
        return 0;
    struct kin k = kin_of(v, *slot, &told);
    k.right = !itself;
    arena_reset(&v->scratch);
    k.constructs = inquiry_constructs(&v->t->jobs[*slot].c->program, &v->scratch);
    kin_add(&v->found, &k);
    return 0;
}

static int tree_begin(void *of, int slot, const struct reduce_case *c, struct error *e)
{
    return start(of, slot, c, e);
}

static int tree_end(void *of, int *slot, enum reduce_answer *answer, struct error *e)
{
    return hear(of, slot, answer, e);
}

/* Of a text it has to be found out first what it should print. */
static int text_begin(void *of, int slot, const struct reduce_case *c, struct error *e)
{
    struct visit *v = of;
    v->cases[slot] = *c;
    arena_reset(&v->arenas[slot]);
    v->enough |= ++v->candidates >= CANDIDATES_MOST;
    v->refused[slot] =
        reduce_c_expect(&c->program, &v->arenas[slot], &v->cases[slot].program.expected) != 0;
    return v->refused[slot] ? 0 : start(v, slot, &v->cases[slot], e);
}

static int text_end(void *of, int *slot, enum reduce_answer *answer, struct error *e)
{
    struct visit *v = of;
    *answer = REDUCE_BORING;
    for (int i = 0; i < v->t->spec.slots; i++)
        if (v->refused[i]) {
            v->refused[i] = false;
            *slot = i;
            return 0;
        }
    return hear(v, slot, answer, e);
}

static void visit_drop(void *of, int slot)
{
    struct visit *v = of;
    if (v->refused[slot])
        v->refused[slot] = false;
    else
        pool_drop(&v->t->pool, slot);
}

/* 0 also where there was enough to see. */
static int ended(const struct visit *v, int status, const struct error *e)
{
    bool stopped = v->t->spec.stop && *v->t->spec.stop;
    return status >= 0 || (v->enough && !stopped && e->kind == ERROR_NONE) ? 0 : -1;
}

/* Candidates next to the best case, of its tree or (NULL) of its text, and none is taken. */
static int visit_around(struct visit *v, const struct reduce_case *best,
                        const struct reduce_c *tree, struct error *e)
{
    struct reduce_test test = {.of = v,
                               .slots = v->t->spec.slots,
                               .begin = tree ? tree_begin : text_begin,
                               .end = tree ? tree_end : text_end,
                               .drop = visit_drop};
    struct reduction r;
    reduction_init(&r, &test, best);
    r.stop = &v->enough;
    int status = ended(v, tree ? reduce_c(&r, tree, e) : reduce_text(&r, e), e);
    reduction_release(&r);
    return status;
}

static int visit_tree(struct visit *v, const struct reduce_case *best, struct error *e)
{
    struct arena trees;
    struct reduce_c tree = {0};
    int status = 0;
    arena_init(&trees);
    if (!reduce_c_import(&best->program, &trees, &tree, NULL))
        status = visit_around(v, best, &tree, e);
    if (tree.program)
        cc_program_release(tree.program);
    arena_release(&trees);
    return status;
}

/* What a tree does not hold (sizeof of a type is a number there) is held by the text. */
static int visit_text(struct visit *v, const struct reduce_case *best, struct error *e)
{
    enum reduce_answer answer;
    int slot;
    v->enough = 0;
    if (start(v, 0, best, e) || hear(v, &slot, &answer, e)) {
        pool_drop(&v->t->pool, 0);
        return -1;
    }
    return v->begun ? visit_around(v, best, NULL, e) : 0;
}

/* -- the witness ------------------------------------------------------------------------------- */

/* Further from the accused than this it makes code of its own: then a level with little noise. */
static const double furthest_witness = 0.3;

/* Only the level of optimisation: another compiler may not know the other flags. */
static const char *only_level(struct arena *a, const char *flags)
{
    char **words;
    const char *level = "";
    int n = text_split(a, flags, &words);
    for (int i = 0; i < n; i++)
        if (!strncmp(words[i], "-O", 2))
            level = words[i];
    return level;
}

/* How far is its code from that of the accused? 1: it makes none. */
static int ask_witness(struct visit *v, const struct reduce_case *best, double *out,
                       struct error *e)
{
    struct interest_told told;
    int slot;
    *out = 1;
    if (start(v, 0, best, e) || interest_hear(v->t, &slot, &told, e)) {
        pool_drop(&v->t->pool, 0);
        return -1;
    }
    struct kin k = kin_of(v, slot, &told);
    if (*k.code && *k.second)
        *out = listings_distance(k.code, k.second);
    return 0;
}

/* `good` is a version of the accused that is right, or NULL. A compiler whose signed numbers wrap,
 * asked or not, makes other code of every addition. */
static int choose_witness(struct visit *v, const struct reduce_case *best, const char *good,
                          struct arena *a, struct error *e)
{
    enum { COMPILERS = 3, WAYS = 3 };
    const char *compilers[COMPILERS] = {"gcc", "clang", good};
    const char *accused = v->t->config.testbeds[0].toolchain, *chosen = NULL;
    const char *flags[WAYS] = {best->flags, only_level(a, best->flags),
                               arena_printf(a, "%s -fwrapv", best->flags)};
    double least = furthest_witness;
    for (int i = 0; i < COMPILERS * WAYS; i++) {
        const char *compiler = compilers[i / WAYS], *with = flags[i % WAYS];
        bool itself = compiler && !strncmp(accused, compiler, strlen(compiler));
        bool twice = i % WAYS && !strcmp(with, flags[0]);
        if (!compiler || itself || twice)
            continue;
        double far;
        v->witness = arena_printf(a, "'%s' %s", compiler, with);
        if (ask_witness(v, best, &far, e))
            return -1;
        if (far < least) {
            least = far;
            chosen = v->witness;
        }
    }
    bool is_gcc = !strncmp(accused, "gcc", 3);
    v->witness = chosen ? chosen : is_gcc ? "clang -O1" : "gcc -O1";
    return 0;
}

int inquiry_kin(struct interest *t, const struct reduce_case *best, const char *good,
                struct arena *a, const char **out, struct error *e)
{
    const struct program *p = &best->program;
    *out = "";
    if (!p->expected.data || p->n_files != 1 || strcmp(p->language, "c") != 0 ||
        !interest_runs(t->spec.c->finding.verdict.anomaly))
        return 0;
    int slots = t->spec.slots;
    struct visit v = {.t = t,
                      .arenas = arena_array(a, struct arena, slots),
                      .cases = arena_array(a, struct reduce_case, slots),
                      .refused = arena_array(a, bool, slots)};
    strbuf_init(&v.found, 0);
    strbuf_init(&v.code, 0);
    strbuf_init(&v.second, 0);
    arena_init(&v.scratch);
    for (int i = 0; i < slots; i++)
        arena_init(&v.arenas[i]);
    int status = choose_witness(&v, best, good, a, e);
    v.tests = 0;
    if (!status)
        status = visit_tree(&v, best, e);
    if (!status && !v.begun)
        status = visit_text(&v, best, e);
    *out = arena_strdup(a, v.found.s);
    for (int i = 0; i < slots; i++)
        arena_release(&v.arenas[i]);
    arena_release(&v.scratch);
    strbuf_release(&v.found);
    strbuf_release(&v.code);
    strbuf_release(&v.second);
    return status;
}
