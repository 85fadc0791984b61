/* An experiment: sides, each with trials of the same CPU time, and what can be said of them.
 *
 * A side is a generator with its settings. A trial is a campaign of its own in a folder of its own;
 * trials of the same number begin with the same seed on every side. What counts is what a trial had
 * done when its CPU time was spent: a test that ended later is left out, so that no side has more
 * because its tests are long.
 *
 * Findings are those that are confirmed. Bugs are what `assay bugs --state confirmed` lists in the
 * folder of the trial, each at the end of the test that showed it first. */
#ifndef ASSAY_REPORT_COMPARE_H
#define ASSAY_REPORT_COMPARE_H

#include "base/stats.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "base/words.h"
#include "store/store.h"

#define COMPARE_MEASURES(X)                                                                        \
    X(COMPARE_BUGS, "bugs")                                                                        \
    X(COMPARE_FINDINGS, "findings")                                                                \
    X(COMPARE_TESTS, "tests")

enum compare_measure { COMPARE_MEASURES(WORD_ID) COMPARE_MEASURE_COUNT };
extern const char *const compare_measure_name[COMPARE_MEASURE_COUNT];

enum {
    COMPARE_SIDES = 8,    /* at most; a to h */
    COMPARE_TRIALS = 100, /* at most, of a side */
    COMPARE_STEPS = 60,   /* moments of a trial, beside its beginning, evenly spread */
};

struct compare_trial {
    /* [moment][measure]: the sum up to then. The last moment is the end of the CPU time. */
    int64_t at[COMPARE_STEPS + 1][COMPARE_MEASURE_COUNT];
    double cpu_s;           /* that the campaign has booked */
    int64_t incidents;      /* seeds on which the generator or a worker failed */
    string_list signatures; /* of its findings, each once, in order of the alphabet */
};

struct compare_signature {
    const char *text;
    int trials; /* that found it */
};

struct compare_summary { /* of one measure over the trials of a side */
    double values[COMPARE_TRIALS];
    double median;
    struct stats_interval interval;
};

struct compare_side {
    char letter;
    const char *text;    /* as given: "smith --goto=0" */
    const char *made_by; /* "smith 1.4" */
    struct compare_trial *trials;
    struct compare_summary of[COMPARE_MEASURE_COUNT];
    /* Median and interval at each moment. */
    double median[COMPARE_STEPS + 1][COMPARE_MEASURE_COUNT];
    struct stats_interval interval[COMPARE_STEPS + 1][COMPARE_MEASURE_COUNT];
    struct compare_signature *only; /* that no other side found in any trial */
    int n_only;
};

struct compare_pair {
    int x, y; /* sides */
    struct stats_test test[COMPARE_MEASURE_COUNT];
    double a12[COMPARE_MEASURE_COUNT]; /* that x has more */
};

struct compare_testbed {
    const char *name, *version;
};

struct compare_data {
    struct compare_side *sides;
    int n_sides, n_trials;
    double cpu_s; /* of each trial */
    uint64_t seed;
    bool reduced;        /* findings were, and bugs are told apart by that */
    const char *machine; /* for people */
    struct compare_testbed *testbeds;
    int n_testbeds;
    struct compare_pair *pairs; /* compare_sum_up fills in the rest */
    int n_pairs;
};

/* One trial from its store. The list of signatures is the caller's to release; the texts live in
 * the arena. */
int compare_load(struct store *s, const struct store_campaign *c, int64_t cpu_us, struct arena *a,
                 struct compare_trial *out, struct error *e);
/* From the trials of all sides everything else. */
void compare_sum_up(struct compare_data *d, struct arena *a);

/* For people, on a terminal. */
void compare_text(const struct compare_data *d, struct strbuf *out);
/* A row for each side, trial and moment. */
void compare_csv(const struct compare_data *d, struct strbuf *out);
struct json;
struct json *compare_json(const struct compare_data *d);
/* A page that loads nothing from anywhere. */
void compare_html(const struct compare_data *d, struct strbuf *out);

/* Seconds since the trial began at this moment. */
double compare_moment(const struct compare_data *d, int step);
/* "<0.0001", "0.0079" */
enum { COMPARE_P_SIZE = 16 };
const char *compare_p(double p, char out[COMPARE_P_SIZE]);
/* "large, a has more" */
enum { COMPARE_EFFECT_SIZE = 32 };
const char *compare_effect(const struct compare_data *d, const struct compare_pair *pair,
                           enum compare_measure m, char out[COMPARE_EFFECT_SIZE]);
/* The p of sides of which one has more in every trial: of all ways to divide the trials, two. */
double compare_least_p(const struct compare_data *d);
/* By what bugs were told apart, as a sentence. */
const char *compare_told_apart(const struct compare_data *d);

#endif
