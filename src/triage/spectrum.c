/* What failing programs have and right ones lack.
 *
 * Bugs that show as a wrong output say nothing of themselves, and several of them are there at
 * once. Liblit et al. (Scalable statistical bug isolation, PLDI 2005) have that problem with the
 * runs of one program: they look for the predicate that predicts failure best, take away the runs
 * that it explains, and begin again with the rest. Here a run is a small program given to the
 * compiler, and a predicate a feature that it has:
 *
 *     a construct of the source, or the form of a literal
 *     an instruction that the accused compiler made
 *     an instruction that another compiler makes of the same program
 *
 * The right runs are the kin of the reduced cases (triage/kin.h): nearly the same programs, so that
 * a feature must be near the fault to tell them apart. Instructions are what comes closest to the
 * coverage of the compiler (Csmith 7.2.4, Chen et al.) from outside: a conditional move comes from
 * `?:`, from an `if` and from a minimum, which no construct of the source has in common. */
#include "base/strbuf.h"
#include "triage/features.h"
#include "triage/triage_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An explanation of fewer cases than this, or one that right programs have as often, is none. */
static const double least_failing = 1.5, least_precision = 0.4;
/* A case is explained by a feature that at least this share of its kin lacks. */
static const float least_contrast = 0.5F;

/* -- the spectrum ------------------------------------------------------------------------------ */

typedef VEC(double) tally; /* by the number of a feature; missing ones are 0 */

static double *tally_at(tally *t, uint32_t id)
{
    while (t->n <= id)
        vec_push(t, 0.0);
    return &t->at[id];
}

struct suspect {
    feature_list has;
    bool left; /* not explained yet */
};

struct spectrum {
    struct map *names;
    const char *language;
    struct suspect *cases;
    int n, n_left;
    tally right; /* how many cases have right kin with the feature; a share of them is a share */
};

/* The features of case i, and what its kin say of them. */
static void read_kin(struct spectrum *s, int i, const char *kin)
{
    struct arena scratch;
    struct kin k;
    tally with = {0};
    struct suspect *c = &s->cases[i];
    double n = 0;
    arena_init(&scratch);
    for (const char *at = kin; kin_next(&at, &scratch, &k);) {
        feature_list f = features_of(s->names, &scratch, s->language, &k);
        if (!k.right && !c->has.n) {
            c->has = f;
            continue;
        }
        for (size_t j = 0; k.right && j < f.n; j++)
            *tally_at(&with, f.at[j].id) += 1;
        n += k.right;
        vec_release(&f);
    }
    c->left = c->has.n && n > 0;
    s->n_left += c->left;
    for (size_t j = 0; c->left && j < with.n; j++)
        if (with.at[j] > 0)
            *tally_at(&s->right, (uint32_t)j) += with.at[j] / n;
    for (size_t j = 0; c->left && j < c->has.n; j++)
        c->has.at[j].contrast = (float)(1 - *tally_at(&with, c->has.at[j].id) / n);
    vec_release(&with);
    arena_release(&scratch);
}

/* Something that failing programs have and right ones lack. */
struct predictor {
    uint32_t id;
    double precision;  /* the share of failing programs among those that have it */
    double importance; /* 0: none */
};

/* Does it predict failure, and of how many of those that are left? The harmonic mean of both, as
 * there (3.3): a feature of one case and one of all programs are both no explanation. The exponent
 * was chosen on the faults of tests/third-cc, fourth-cc and faulty-cc: with 1 a shift was common to
 * two of them, with 2 one was explained in four ways. */
static struct predictor judge(const struct spectrum *s, uint32_t id, double failing, double having,
                              double right)
{
    struct predictor p = {id, failing / (having + right), 0};
    double coverage = log(1 + failing) / log(1 + s->n_left);
    if (failing >= least_failing && p.precision >= least_precision)
        p.importance = 2 / (1 / pow(p.precision, 1.5) + 1 / coverage);
    return p;
}

/* The one that explains most of what is left. */
static struct predictor best_predictor(struct spectrum *s)
{
    tally failing = {0}, having = {0};
    for (int i = 0; i < s->n; i++)
        for (size_t j = 0; s->cases[i].left && j < s->cases[i].has.n; j++) {
            const struct feature *f = &s->cases[i].has.at[j];
            *tally_at(&failing, f->id) += (double)f->contrast;
            *tally_at(&having, f->id) += 1;
        }
    struct predictor best = {0};
    for (uint32_t id = 0; id < failing.n; id++) {
        struct predictor p =
            judge(s, id, failing.at[id], *tally_at(&having, id), *tally_at(&s->right, id));
        if (p.importance > best.importance)
            best = p;
    }
    vec_release(&failing);
    vec_release(&having);
    return best;
}

/* How much its kin lack the feature; 0: it does not explain the case. */
static double contrast_of(const struct suspect *c, uint32_t id)
{
    for (size_t j = 0; j < c->has.n; j++)
        if (c->has.at[j].id == id && c->has.at[j].contrast >= least_contrast)
            return (double)c->has.at[j].contrast;
    return 0;
}

typedef VEC(struct predictor) predictor_list;

static void find_predictors(struct spectrum *s, predictor_list *out)
{
    while (s->n_left > 1) {
        struct predictor best = best_predictor(s);
        if (best.importance <= 0)
            return;
        vec_push(out, best);
        for (int i = 0; i < s->n; i++)
            if (s->cases[i].left && contrast_of(&s->cases[i], best.id) > 0) {
                s->cases[i].left = false;
                s->n_left--;
            }
    }
}

/* -- who is left ------------------------------------------------------------------------------- */

/* What explains a case that no predictor was chosen for: a feature that most cases of some
 * predictor have, too, though others have it as well. A bound that is off by one shows by `jb` in
 * ten cases and by `jae` in one; all eleven compare unsigned numbers. */
static const double least_kinship = 0.3;

struct kinship {
    const struct spectrum *s;
    const int *of; /* by case: its predictor; -1: none */
    int n_predictors;
    tally failing; /* by feature: how many cases have it */
};

/* The mean contrast of the feature in the cases of a predictor. */
static double mean_contrast(const struct kinship *k, int predictor, uint32_t id)
{
    double sum = 0, n = 0;
    for (int i = 0; i < k->s->n; i++)
        if (k->of[i] == predictor) {
            sum += contrast_of(&k->s->cases[i], id);
            n++;
        }
    return n > 0 ? sum / n : 0;
}

static int nearest_predictor(struct kinship *k, tally *right, int i)
{
    const struct suspect *c = &k->s->cases[i];
    double most = least_kinship;
    int best = -1;
    for (size_t j = 0; j < c->has.n; j++) {
        const struct feature *f = &c->has.at[j];
        double failing = *tally_at(&k->failing, f->id);
        double guilt = failing / (failing + *tally_at(right, f->id));
        if (f->contrast < least_contrast || guilt * (double)f->contrast <= most)
            continue;
        for (int p = 0; p < k->n_predictors; p++) {
            double now = guilt * fmin((double)f->contrast, mean_contrast(k, p, f->id));
            if (now > most) {
                most = now;
                best = p;
            }
        }
    }
    return best;
}

static void join_those_left(struct spectrum *s, int *of, int n_predictors)
{
    struct kinship k = {s, of, n_predictors, {0}};
    int *to = mem_alloc((size_t)(s->n + 1) * sizeof *to);
    for (int i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->cases[i].has.n; j++)
            *tally_at(&k.failing, s->cases[i].has.at[j].id) += 1;
    for (int i = 0; i < s->n; i++)
        to[i] = s->cases[i].left ? nearest_predictor(&k, &s->right, i) : of[i];
    memcpy(of, to, (size_t)s->n * sizeof *of);
    free(to);
    vec_release(&k.failing);
}

/* A case may have what several predict: the best of them is its own, though another came first. */
static int own_predictor(const struct suspect *c, const predictor_list *list)
{
    double most = 0;
    int best = -1;
    for (size_t k = 0; k < list->n; k++) {
        double now = contrast_of(c, list->at[k].id) * list->at[k].precision;
        if (now > most) {
            most = now;
            best = (int)k;
        }
    }
    return best;
}

void spectrum_explain(struct map *names, struct arena *a, const char *language,
                      const char *const *kin, int n, const char **explanation)
{
    struct spectrum s = {names, language, arena_array(a, struct suspect, n), n, 0, {0}};
    predictor_list predictors = {0};
    int *of = arena_array(a, int, n);
    for (int i = 0; i < n; i++) {
        if (kin[i] && *kin[i])
            read_kin(&s, i, kin[i]);
        explanation[i] = s.cases[i].left ? "" : NULL;
    }
    find_predictors(&s, &predictors);
    for (int i = 0; i < n; i++)
        of[i] = own_predictor(&s.cases[i], &predictors);
    join_those_left(&s, of, (int)predictors.n);
    for (int i = 0; i < n; i++) {
        if (of[i] >= 0)
            explanation[i] = arena_strdup(a, intern_text(names, predictors.at[of[i]].id));
        vec_release(&s.cases[i].has);
    }
    vec_release(&predictors);
    vec_release(&s.right);
}
