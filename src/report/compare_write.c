/* An experiment as a table, as CSV and as JSON. */
#include "base/json.h"
#include "base/text.h"
#include "report/compare.h"

#include <inttypes.h>

double compare_moment(const struct compare_data *d, int step)
{
    return d->cpu_s * step / COMPARE_STEPS;
}

const char *compare_p(double p, char out[COMPARE_P_SIZE])
{
    snprintf(out, COMPARE_P_SIZE, p < 0.0001 ? "<0.0001" : "%.4f", p);
    return out;
}

const char *compare_told_apart(const struct compare_data *d)
{
    return d->reduced ? "Findings were reduced, which tells bugs apart; the CPU time of reductions "
                        "is not counted."
                      : "Bugs are told apart by signature alone: all wrong results of a compiler "
                        "count as one bug. --reduce tells more of them apart.";
}

const char *compare_effect(const struct compare_data *d, const struct compare_pair *pair,
                           enum compare_measure m, char out[COMPARE_EFFECT_SIZE])
{
    const char *word = stats_a12_word(pair->a12[m]);
    int more = pair->a12[m] > 0.5 ? pair->x : pair->y;
    if (!strcmp(word, "none"))
        snprintf(out, COMPARE_EFFECT_SIZE, "none");
    else
        snprintf(out, COMPARE_EFFECT_SIZE, "%s, %c has more", word, d->sides[more].letter);
    return out;
}

double compare_least_p(const struct compare_data *d)
{
    double divisions = 1; /* 2n over n */
    for (int i = 1; i <= d->n_trials; i++)
        divisions *= (double)(d->n_trials + i) / i;
    return 2 / divisions;
}

/* -- for people -------------------------------------------------------------------------------- */

/* "3 [2, 4.5]" */
static void add_summary(struct strbuf *out, const struct compare_summary *s)
{
    char text[96];
    snprintf(text, sizeof text, "%.10g [%.10g, %.10g]", s->median, s->interval.low,
             s->interval.high);
    strbuf_addf(out, "  %-22s", text);
}

static void add_sides(const struct compare_data *d, struct strbuf *out)
{
    strbuf_adds(out, "side");
    for (int m = 0; m < COMPARE_MEASURE_COUNT; m++)
        strbuf_addf(out, "  %-22s", compare_measure_name[m]);
    strbuf_adds(out, "  generator\n");
    for (int i = 0; i < d->n_sides; i++) {
        strbuf_addf(out, "%c   ", d->sides[i].letter);
        for (int m = 0; m < COMPARE_MEASURE_COUNT; m++)
            add_summary(out, &d->sides[i].of[m]);
        strbuf_addf(out, "  %s\n", d->sides[i].text);
    }
    strbuf_adds(out, "median of the trials [95 % bootstrap interval]\n");
}

static void add_pairs(const struct compare_data *d, struct strbuf *out)
{
    char p[COMPARE_P_SIZE], effect[COMPARE_EFFECT_SIZE];
    strbuf_adds(out, "\npair      measure   p         A12   effect\n");
    for (int i = 0; i < d->n_pairs; i++) {
        const struct compare_pair *pair = &d->pairs[i];
        for (int m = 0; m < COMPARE_MEASURE_COUNT; m++) {
            char x = d->sides[pair->x].letter, y = d->sides[pair->y].letter;
            double a12 = pair->a12[m];
            strbuf_addf(out, "%c over %c  %-8s  %-8s  %.2f  %s\n", x, y, compare_measure_name[m],
                        compare_p(pair->test[m].p, p), a12,
                        compare_effect(d, pair, (enum compare_measure)m, effect));
        }
    }
    strbuf_adds(out, "p: Mann-Whitney U, two-sided, of each line alone; A12: how often the first "
                     "side has more\n");
    if (compare_least_p(d) > 0.05)
        strbuf_addf(out, "with so few trials no p can be less than %.4f\n", compare_least_p(d));
}

static void add_only(const struct compare_data *d, struct strbuf *out)
{
    for (int i = 0; i < d->n_sides; i++) {
        const struct compare_side *s = &d->sides[i];
        strbuf_addf(out, "\nsignatures that only %c found: %d\n", s->letter, s->n_only);
        for (int k = 0; k < s->n_only; k++)
            strbuf_addf(out, "  %d of %d trials  %s\n", s->only[k].trials, d->n_trials,
                        s->only[k].text);
    }
}

void compare_text(const struct compare_data *d, struct strbuf *out)
{
    char time[32];
    strbuf_addf(out, "%d sides, %d trial%s each of %s CPU time, seeds from %" PRIu64 "\n%s\n\n",
                d->n_sides, d->n_trials, d->n_trials == 1 ? "" : "s",
                text_duration((int64_t)(d->cpu_s * 1000), time), d->seed, compare_told_apart(d));
    add_sides(d, out);
    add_pairs(d, out);
    add_only(d, out);
    for (int i = 0; i < d->n_sides; i++) {
        int64_t incidents = 0;
        for (int t = 0; t < d->n_trials; t++)
            incidents += d->sides[i].trials[t].incidents;
        if (incidents)
            strbuf_addf(out, "\n%" PRId64 " incidents in trials of %c: `assay show incidents`\n",
                        incidents, d->sides[i].letter);
    }
}

/* -- for programs ------------------------------------------------------------------------------ */

void compare_csv(const struct compare_data *d, struct strbuf *out)
{
    strbuf_adds(out, "side,trial,cpu_s,tests,findings,bugs\n");
    for (int s = 0; s < d->n_sides; s++)
        for (int t = 0; t < d->n_trials; t++)
            for (int i = 0; i <= COMPARE_STEPS; i++) {
                const int64_t *at = d->sides[s].trials[t].at[i];
                strbuf_addf(out, "%c,%d,%.6g,%" PRId64 ",%" PRId64 ",%" PRId64 "\n",
                            d->sides[s].letter, t + 1, compare_moment(d, i), at[COMPARE_TESTS],
                            at[COMPARE_FINDINGS], at[COMPARE_BUGS]);
            }
}

static struct json *summary_json(const struct compare_summary *s, int n)
{
    struct json *values = json_new("[]");
    for (int i = 0; i < n; i++)
        json_append(values, "I", (int64_t)s->values[i]);
    return json_new("{s:f,s:f,s:f,s:o}", "median", s->median, "low", s->interval.low, "high",
                    s->interval.high, "trials", values);
}

static struct json *trials_json(const struct compare_data *d, const struct compare_side *s)
{
    struct json *trials = json_new("[]");
    for (int t = 0; t < d->n_trials; t++) {
        struct json *moments = json_new("[]");
        for (int i = 0; i <= COMPARE_STEPS; i++) {
            const int64_t *at = s->trials[t].at[i];
            json_append(moments, "{s:f,s:I,s:I,s:I}", "cpu_s", compare_moment(d, i), "tests",
                        at[COMPARE_TESTS], "findings", at[COMPARE_FINDINGS], "bugs",
                        at[COMPARE_BUGS]);
        }
        json_append(trials, "{s:i,s:f,s:I,s:o}", "trial", t + 1, "cpu_s", s->trials[t].cpu_s,
                    "incidents", s->trials[t].incidents, "moments", moments);
    }
    return trials;
}

static struct json *side_json(const struct compare_data *d, const struct compare_side *s)
{
    const char letter[] = {s->letter, '\0'};
    struct json *only = json_new("[]");
    for (int i = 0; i < s->n_only; i++)
        json_append(only, "{s:s,s:i}", "signature", s->only[i].text, "trials", s->only[i].trials);
    struct json *side =
        json_new("{s:s,s:s,s:s}", "side", letter, "text", s->text, "made_by", s->made_by);
    for (int m = 0; m < COMPARE_MEASURE_COUNT; m++)
        json_extend(side, "{s:o}", compare_measure_name[m], summary_json(&s->of[m], d->n_trials));
    json_extend(side, "{s:o,s:o}", "only", only, "trials", trials_json(d, s));
    return side;
}

static struct json *pair_json(const struct compare_data *d, const struct compare_pair *p)
{
    const char x[] = {d->sides[p->x].letter, '\0'}, y[] = {d->sides[p->y].letter, '\0'};
    struct json *pair = json_new("{s:s,s:s}", "x", x, "y", y);
    for (int m = 0; m < COMPARE_MEASURE_COUNT; m++)
        json_extend(pair, "{s:o}", compare_measure_name[m],
                    json_new("{s:f,s:f,s:b,s:f,s:s}", "u", p->test[m].u, "p", p->test[m].p, "exact",
                             p->test[m].exact, "a12", p->a12[m], "effect",
                             stats_a12_word(p->a12[m])));
    return pair;
}

struct json *compare_json(const struct compare_data *d)
{
    struct json *sides = json_new("[]"), *pairs = json_new("[]"), *testbeds = json_new("[]");
    for (int i = 0; i < d->n_testbeds; i++)
        json_append(testbeds, "{s:s,s:s}", "name", d->testbeds[i].name, "version",
                    d->testbeds[i].version);
    for (int i = 0; i < d->n_sides; i++)
        json_append(sides, "o", side_json(d, &d->sides[i]));
    for (int i = 0; i < d->n_pairs; i++)
        json_append(pairs, "o", pair_json(d, &d->pairs[i]));
    return json_new("{s:i,s:s,s:f,s:i,s:I,s:b,s:s,s:o,s:o,s:o}", "schema", 1, "assay",
                    ASSAY_VERSION, "cpu_s", d->cpu_s, "trials", d->n_trials, "seed",
                    (int64_t)d->seed, "reduced", d->reduced, "machine", d->machine, "testbeds",
                    testbeds, "sides", sides, "pairs", pairs);
}
