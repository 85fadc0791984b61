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
 *     what is different between the two, where they are twins
 *
 * The right runs are the kin of the reduced cases (triage/kin.h): nearly the same programs, so that
 * a feature must be near the fault to tell them apart. Instructions are what comes closest to the
 * coverage of the compiler (Csmith 7.2.4, Chen et al.) from outside: a conditional move comes from
 * `?:`, from an `if` and from a minimum, which no construct of the source has in common. */
#include "triage/features.h"
#include "triage/triage_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An explanation of fewer cases than this, or one that right programs have as often, is none. */
static const double least_failing = 1.5, least_precision = 0.4;
/* A case is explained by a feature that at least this share of its kin lacks. */
static const float least_contrast = 0.5F;
/* Code that differs from a right compiler's may do no harm in kin, and be the fault all the same.
 */
static const float least_contrast_of_change = 0.05F;
static const double right_with_change = 0.25;
/* At least this share of right kin has the same code by both compilers: they are twins. */
static const double least_twins = 0.05;

/* -- the spectrum ------------------------------------------------------------------------------ */

typedef VEC(double) tally; /* by the number of a feature; missing ones are 0 */

static double *tally_at(tally *t, uint32_t id)
{
    while (t->n <= id)
        vec_push(t, 0.0);
    return &t->at[id];
}

struct suspect {
    struct features has;
    bool left;  /* not explained yet */
    bool clear; /* a twin tells what is wrong with its code, or that nothing is */
};

struct spectrum {
    struct map *names;
    const char *language;
    struct suspect *cases;
    int n, n_left;
    tally right; /* how many cases have right kin with the feature; a share of them is a share */
};

static bool has_change(const struct features *f)
{
    for (size_t j = 0; j < f->list.n; j++)
        if (f->list.at[j].kind == OF_CHANGE)
            return true;
    return false;
}

/* Where twins make the same instructions, and at most with other constants, it is not the code that
 * is wrong; where they do not, what is different tells, unless it is too much: then what else is
 * said of the code is accident. Where they are no twins, all of it differs. */
static bool code_counts(const struct suspect *c, bool twins)
{
    return !twins || (c->has.otherwise && !has_change(&c->has));
}

/* What the right kin of a case have, by feature. */
struct right_kin {
    tally with;   /* how many of them, */
    tally unhurt; /* and of those whose code is the same by both compilers */
    double n, n_unhurt;
};

static bool are_twins(const struct right_kin *k)
{
    return k->n_unhurt > 0 && k->n_unhurt >= least_twins * k->n;
}

/* Which share of them has the feature? A source that a fault strikes may come out right by luck: a
 * narrow value needs no conversion. Twins tell, as their code differs then. */
static double share_of(struct right_kin *k, const struct feature *f)
{
    if (f->kind == OF_SOURCE && are_twins(k))
        return *tally_at(&k->unhurt, f->id) / k->n_unhurt;
    return *tally_at(&k->with, f->id) / k->n;
}

/* What kin say of the features of a case. */
static void contrast(struct spectrum *s, struct suspect *c, struct right_kin *k)
{
    bool twins = are_twins(k), code = code_counts(c, twins);
    size_t kept = 0;
    for (size_t j = 0; j < c->has.list.n; j++) {
        struct feature f = c->has.list.at[j];
        double share = share_of(k, &f);
        f.contrast = (float)(1 - share);
        if (f.kind == OF_CHANGE) {
            f.contrast = f.contrast >= least_contrast_of_change;
            share *= right_with_change;
        }
        *tally_at(&k->with, f.id) = share * k->n;
        if (f.kind == OF_SOURCE || (f.kind == OF_CHANGE ? twins : code))
            c->has.list.at[kept++] = f;
        c->clear |= twins && f.kind == OF_CHANGE && f.contrast > 0;
    }
    c->clear |= twins && !c->has.otherwise;
    c->has.list.n = kept;
    for (size_t j = 0; j < k->with.n; j++)
        if (k->with.at[j] > 0)
            *tally_at(&s->right, (uint32_t)j) += k->with.at[j] / k->n;
}

/* The features of case i. */
static void read_kin(struct spectrum *s, int i, const char *kin)
{
    struct arena scratch;
    struct kin k;
    struct right_kin right = {0};
    struct suspect *c = &s->cases[i];
    arena_init(&scratch);
    for (const char *at = kin; kin_next(&at, &scratch, &k);) {
        struct features f = features_of(s->names, &scratch, s->language, &k);
        if (!k.right && !c->has.list.n) {
            c->has = f;
            arena_reset(&scratch);
            continue;
        }
        bool unhurt = *k.code && *k.second && !f.differs;
        for (size_t j = 0; k.right && j < f.list.n; j++) {
            *tally_at(&right.with, f.list.at[j].id) += 1;
            *tally_at(&right.unhurt, f.list.at[j].id) += unhurt;
        }
        right.n += k.right;
        right.n_unhurt += k.right && unhurt;
        vec_release(&f.list);
        arena_reset(&scratch);
    }
    c->left = c->has.list.n && right.n > 0;
    s->n_left += c->left;
    if (c->left)
        contrast(s, c, &right);
    vec_release(&right.with);
    vec_release(&right.unhurt);
    arena_release(&scratch);
}

/* Something that failing programs have and right ones lack. */
struct predictor {
    uint32_t id;
    enum feature_kind kind;
    double precision;  /* the share of failing programs among those that have it */
    double importance; /* 0: none */
};

/* Does it predict failure, and of how many of those that are left? The harmonic mean of both, as
 * there (3.3): a feature of one case and one of all programs are both no explanation. The exponent
 * was chosen on the faults of tests/planted-cc (third, fourth, faulty): with 1 a shift was common
 * to two of them, with 2 one was explained in four ways. */
static struct predictor judge(const struct spectrum *s, uint32_t id, double failing, double having,
                              double right)
{
    struct predictor p = {id, OF_SOURCE, failing / (having + right), 0};
    double coverage = log(1 + failing) / log(1 + s->n_left);
    if (failing >= least_failing && p.precision >= least_precision)
        p.importance = 2 / (1 / pow(p.precision, 1.5) + 1 / coverage);
    return p;
}

/* The one that explains most of what is left. */
static struct predictor best_predictor(struct spectrum *s)
{
    tally failing = {0}, having = {0}, kinds = {0};
    for (int i = 0; i < s->n; i++)
        for (size_t j = 0; s->cases[i].left && j < s->cases[i].has.list.n; j++) {
            const struct feature *f = &s->cases[i].has.list.at[j];
            *tally_at(&failing, f->id) += (double)f->contrast;
            *tally_at(&having, f->id) += 1;
            *tally_at(&kinds, f->id) = f->kind;
        }
    struct predictor best = {0};
    for (uint32_t id = 0; id < failing.n; id++) {
        struct predictor p =
            judge(s, id, failing.at[id], *tally_at(&having, id), *tally_at(&s->right, id));
        p.kind = (enum feature_kind) * tally_at(&kinds, id);
        if (p.importance > best.importance)
            best = p;
    }
    vec_release(&failing);
    vec_release(&having);
    vec_release(&kinds);
    return best;
}

/* How much its kin lack the feature; 0: it does not explain the case. */
static double contrast_of(const struct suspect *c, uint32_t id)
{
    for (size_t j = 0; j < c->has.list.n; j++)
        if (c->has.list.at[j].id == id && c->has.list.at[j].contrast >= least_contrast)
            return (double)c->has.list.at[j].contrast;
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

/* -- scattered ones ---------------------------------------------------------------------------- */

/* A fault ahead of all code, a conversion that is not made, shows in other code each time: what
 * predicts it by code explains two cases here and two there. Then what they have in common is a
 * construct that no other case has. */
static const double least_mean_contrast = 0.5;
enum { SCATTERED_LEAST = 3 };

/* The cases that have a feature, and what they were explained by. */
struct having {
    double n, most; /* all of them, and those of one explanation */
    double contrast;
    bool torn; /* an explanation has further cases that lack the feature */
};
typedef VEC(struct having) having_list; /* by the number of a feature */

/* Adds the cases of one explanation; -1: those that have none. */
static void add_having(const struct spectrum *s, const int *of, int explanation, having_list *list)
{
    tally with = {0};
    double n = 0;
    for (int i = 0; i < s->n; i++) {
        const struct suspect *c = &s->cases[i];
        n += of[i] == explanation;
        for (size_t j = 0; of[i] == explanation && j < c->has.list.n; j++) {
            const struct feature *f = &c->has.list.at[j];
            if (f->kind != OF_SOURCE)
                continue;
            while (list->n <= f->id)
                vec_push(list, (struct having){0});
            list->at[f->id].contrast += (double)f->contrast;
            *tally_at(&with, f->id) += 1;
        }
    }
    for (size_t id = 0; id < with.n; id++) {
        struct having *h = &list->at[id];
        h->n += with.at[id];
        h->most = fmax(h->most, explanation < 0 ? 0 : with.at[id]);
        h->torn |= explanation >= 0 && with.at[id] > 0 && with.at[id] < n;
    }
    vec_release(&with);
}

/* The construct that most cases have that were explained in several ways; false: none. */
static bool find_common(const struct spectrum *s, const int *of, size_t n_predictors,
                        struct predictor *out)
{
    having_list list = {0};
    double most = 0;
    for (int p = -1; p < (int)n_predictors; p++)
        add_having(s, of, p, &list);
    for (uint32_t id = 0; id < list.n; id++) {
        const struct having *h = &list.at[id];
        double mean = h->contrast / fmax(h->n, 1);
        bool scattered = h->n >= SCATTERED_LEAST && !h->torn && 2 * h->most <= h->n;
        if (scattered && mean >= least_mean_contrast && h->n + mean > most) {
            most = h->n + mean;
            *out = (struct predictor){id, OF_SOURCE, mean, mean};
        }
    }
    vec_release(&list);
    return most > 0;
}

static bool has_feature(const struct suspect *c, uint32_t id)
{
    for (size_t j = 0; j < c->has.list.n; j++)
        if (c->has.list.at[j].id == id)
            return true;
    return false;
}

static void unite_scattered(const struct spectrum *s, int *of, predictor_list *predictors)
{
    struct predictor common;
    while (find_common(s, of, predictors->n, &common)) {
        for (int i = 0; i < s->n; i++)
            if (has_feature(&s->cases[i], common.id))
                of[i] = (int)predictors->n;
        vec_push(predictors, common);
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
    const predictor_list *predictors;
    tally failing; /* by feature: how many cases have it */
};

/* May a feature bring the case together with those of a predictor? Code that is wrong in one way is
 * not the code that is wrong in another, though the programs are alike. */
static bool may_join(const struct suspect *c, const struct feature *f, const struct predictor *p)
{
    return f->kind == OF_CHANGE || p->kind != OF_CHANGE || !c->clear;
}

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
    for (size_t j = 0; j < c->has.list.n; j++) {
        const struct feature *f = &c->has.list.at[j];
        double failing = *tally_at(&k->failing, f->id);
        double guilt = failing / (failing + *tally_at(right, f->id));
        if (f->contrast < least_contrast || guilt * (double)f->contrast <= most)
            continue;
        for (size_t p = 0; p < k->predictors->n; p++) {
            if (!may_join(c, f, &k->predictors->at[p]))
                continue;
            double now = guilt * fmin((double)f->contrast, mean_contrast(k, (int)p, f->id));
            if (now > most) {
                most = now;
                best = (int)p;
            }
        }
    }
    return best;
}

static void join_those_left(struct spectrum *s, int *of, const predictor_list *predictors)
{
    struct kinship k = {s, of, predictors, {0}};
    int *to = mem_alloc((size_t)(s->n + 1) * sizeof *to);
    for (int i = 0; i < s->n; i++)
        for (size_t j = 0; j < s->cases[i].has.list.n; j++)
            *tally_at(&k.failing, s->cases[i].has.list.at[j].id) += 1;
    for (int i = 0; i < s->n; i++)
        to[i] = s->cases[i].left && of[i] < 0 ? nearest_predictor(&k, &s->right, i) : of[i];
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
    unite_scattered(&s, of, &predictors);
    join_those_left(&s, of, &predictors);
    for (int i = 0; i < n; i++) {
        if (of[i] >= 0)
            explanation[i] = arena_strdup(a, intern_text(names, predictors.at[of[i]].id));
        vec_release(&s.cases[i].has.list);
    }
    vec_release(&predictors);
    vec_release(&s.right);
}
