/* From the stores of trials to numbers.
 *
 * The CPU time of a campaign at the end of each of its tests is in the store; a finding is as old
 * as its test, and a bug as its oldest finding. From there on a trial is a table, measures at
 * moments, and a side is the median of its trials, moment by moment. */
#include "report/compare.h"
#include "base/text.h"
#include "bugs/bugs.h"

const char *const compare_measure_name[] = {COMPARE_MEASURES(WORD_NAME)};

/* How often is drawn for the interval of a result, and for one of a band in a plot. */
enum { RESAMPLES = 10000, BAND_RESAMPLES = 1000 };

/* -- one trial --------------------------------------------------------------------------------- */

struct clock { /* when each test was done */
    const struct store_campaign *campaign;
    int64_t *cpu_us; /* by number of the seed; -1: no test */
    int64_t n;
    int64_t budget_us;
};

static int read_clock(struct store *s, struct clock *c, struct arena *a, struct store_done **tests,
                      int *n_tests, struct error *e)
{
    if (store_done_tests(s, c->campaign->id, a, tests, n_tests, e))
        return -1;
    for (int i = 0; i < *n_tests; i++)
        c->n = (*tests)[i].number >= c->n ? (*tests)[i].number + 1 : c->n;
    c->cpu_us = arena_array(a, int64_t, c->n + 1);
    for (int64_t i = 0; i < c->n; i++)
        c->cpu_us[i] = -1;
    for (int i = 0; i < *n_tests; i++)
        c->cpu_us[(*tests)[i].number] = (*tests)[i].cpu_us;
    return 0;
}

/* -1: not within the budget. */
static int64_t time_of(const struct clock *c, const struct finding *f)
{
    int64_t number = (int64_t)(f->seed - c->campaign->first_seed);
    int64_t at = number >= 0 && number < c->n ? c->cpu_us[number] : -1;
    return at <= c->budget_us ? at : -1;
}

/* Something happened at that time: it is there at all moments from then on. */
static void count(struct compare_trial *t, enum compare_measure what, int64_t at_us,
                  int64_t budget_us)
{
    for (int i = COMPARE_STEPS; i >= 0; i--) {
        if (at_us > budget_us * i / COMPARE_STEPS)
            break;
        t->at[i][what]++;
    }
}

static void count_bugs(const struct clock *c, const struct bug_list *l, struct compare_trial *out)
{
    for (int i = 0; i < l->n; i++) {
        int64_t first = -1;
        for (int k = 0; k < l->bugs[i].n_members; k++) {
            const struct finding *f = l->bugs[i].members[k]->finding;
            int64_t at = time_of(c, f);
            if (at < 0)
                continue;
            first = first < 0 || at < first ? at : first;
            count(out, COMPARE_FINDINGS, at, c->budget_us);
            text_add_once(&out->signatures, f->signature);
        }
        if (first >= 0)
            count(out, COMPARE_BUGS, first, c->budget_us);
    }
    text_sort(&out->signatures);
}

int compare_load(struct store *s, const struct store_campaign *campaign, int64_t cpu_us,
                 struct arena *a, struct compare_trial *out, struct error *e)
{
    struct clock c = {.campaign = campaign, .budget_us = cpu_us};
    const struct store_query confirmed = {
        .campaign = campaign->id, .anomaly = -1, .state = FINDING_CONFIRMED};
    struct store_done *tests;
    struct bug_list bugs;
    int n;
    *out = (struct compare_trial){.cpu_s = (double)store_campaign_cpu(campaign) / 1e6,
                                  .incidents = campaign->incidents};
    if (read_clock(s, &c, a, &tests, &n, e) || bugs_load(s, &confirmed, a, &bugs, e))
        return -1;
    for (int i = 0; i < n; i++)
        count(out, COMPARE_TESTS, tests[i].cpu_us, cpu_us);
    count_bugs(&c, &bugs, out);
    return 0;
}

/* -- sides ------------------------------------------------------------------------------------- */

static void summarise(struct compare_side *s, int n_trials)
{
    for (int m = 0; m < COMPARE_MEASURE_COUNT; m++) {
        struct compare_summary *sum = &s->of[m];
        for (int i = 0; i <= COMPARE_STEPS; i++) {
            for (int t = 0; t < n_trials; t++)
                sum->values[t] = (double)s->trials[t].at[i][m];
            s->median[i][m] = stats_median(sum->values, n_trials);
            s->interval[i][m] = stats_bootstrap(sum->values, n_trials, BAND_RESAMPLES);
        }
        sum->median = s->median[COMPARE_STEPS][m];
        sum->interval = stats_bootstrap(sum->values, n_trials, RESAMPLES);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool has(const struct compare_side *s, int n_trials, const char *signature)
{
    for (int t = 0; t < n_trials; t++) {
        const string_list *l = &s->trials[t].signatures;
        if (l->n && bsearch(&signature, l->at, l->n, sizeof *l->at, by_text))
            return true;
    }
    return false;
}

static int most_trials_first(const void *a, const void *b)
{
    const struct compare_signature *x = a, *y = b;
    int order = ORDER(y->trials, x->trials);
    return order ? order : strcmp(x->text, y->text);
}

/* Those of all trials in order, so that equal ones stand together: as many as trials found it. */
static void find_only(struct compare_data *d, struct compare_side *s, struct arena *a)
{
    string_list all = {0};
    for (int t = 0; t < d->n_trials; t++)
        for (size_t i = 0; i < s->trials[t].signatures.n; i++)
            vec_push(&all, s->trials[t].signatures.at[i]);
    text_sort(&all);
    s->only = arena_array(a, struct compare_signature, all.n + 1);
    s->n_only = 0;
    for (size_t i = 0, k; i < all.n; i = k) {
        bool elsewhere = false;
        for (k = i; k < all.n && !strcmp(all.at[k], all.at[i]); k++)
            ;
        for (int o = 0; o < d->n_sides && !elsewhere; o++)
            elsewhere = &d->sides[o] != s && has(&d->sides[o], d->n_trials, all.at[i]);
        if (!elsewhere)
            s->only[s->n_only++] = (struct compare_signature){all.at[i], (int)(k - i)};
    }
    vec_release(&all);
    qsort(s->only, (size_t)s->n_only, sizeof *s->only, most_trials_first);
}

static struct compare_pair compare_two(const struct compare_data *d, int x, int y)
{
    struct compare_pair p = {.x = x, .y = y};
    int n = d->n_trials;
    for (int m = 0; m < COMPARE_MEASURE_COUNT; m++) {
        const double *of_x = d->sides[x].of[m].values, *of_y = d->sides[y].of[m].values;
        p.test[m] = stats_mann_whitney(of_x, n, of_y, n);
        p.a12[m] = stats_a12(of_x, n, of_y, n);
    }
    return p;
}

void compare_sum_up(struct compare_data *d, struct arena *a)
{
    for (int i = 0; i < d->n_sides; i++) {
        summarise(&d->sides[i], d->n_trials);
        find_only(d, &d->sides[i], a);
    }
    d->pairs = arena_array(a, struct compare_pair, d->n_sides * d->n_sides);
    d->n_pairs = 0;
    for (int x = 0; x < d->n_sides; x++)
        for (int y = x + 1; y < d->n_sides; y++)
            d->pairs[d->n_pairs++] = compare_two(d, x, y);
}
