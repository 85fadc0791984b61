#include "oracle/oracle.h"
#include "base/vec.h"
#include "program/trace.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

const struct oracle_config oracle_defaults = {
    .majority = 2.0 / 3.0,
    .slow_ratio = 20,
    .slow_floor_us = 10 * 1000000,
    .memory_ratio = 10,
    .memory_floor_kb = 1 << 20,
    .hang_margin = 10,
};

int oracle_quorum(const struct oracle_config *config, int n)
{
    /* The small subtraction keeps 2/3 of 3 at 2 when the share was read from a text. */
    int quorum = (int)ceil(config->majority * n - 1e-9);
    return quorum < 2 ? 2 : quorum;
}

static bool is_ok(const struct oracle_input *in)
{
    return in->observation->outcome == OUTCOME_OK;
}

static bool was_built(const struct oracle_input *in)
{
    enum outcome o = in->observation->outcome;
    return o == OUTCOME_OK || o == OUTCOME_RUN_CRASH || o == OUTCOME_RUN_TIMEOUT ||
           o == OUTCOME_SKIPPED;
}

static bool same_model(const struct oracle_input *a, const struct oracle_input *b)
{
    return !strcmp(a->model, b->model);
}

static bool traces(const struct oracle_input *in)
{
    return in->trace != NULL;
}

/* -- the vote ---------------------------------------------------------------------------------- */

struct election {
    int voters;
    int ran; /* voters that ran the program to its end */
    int quorum;
    const char *winner; /* hash of the output that won, NULL when none did */
    int winner_votes;
    bool split;         /* voters that ran disagree, and none won */
    int64_t slowest_us; /* of the good runs */
};

/* Running out of time says nothing about the program, nor about the testbed. */
static bool may_be_slow(const struct oracle_input *in)
{
    return traces(in) || in->may_time_out;
}

static bool has_opinion(const struct oracle_input *in)
{
    enum outcome o = in->observation->outcome;
    return o != OUTCOME_SKIPPED && !(o == OUTCOME_RUN_TIMEOUT && may_be_slow(in)) &&
           !(o == OUTCOME_OK && in->only_builds);
}

static bool may_vote(const struct oracle_input *in, const struct oracle_input *model)
{
    return same_model(in, model) && !traces(in) && !in->only_builds && !in->detects &&
           has_opinion(in);
}

static bool has_references(const struct oracle_input *in, int n, const struct oracle_input *model)
{
    for (int i = 0; i < n; i++)
        if (in[i].reference && may_vote(&in[i], model))
            return true;
    return false;
}

static bool votes(const struct oracle_input *in, const struct oracle_input *model, bool references)
{
    return may_vote(in, model) && (in->reference || !references);
}

static struct election hold_election(const struct oracle_config *config,
                                     const struct oracle_input *in, int n,
                                     const struct oracle_input *model)
{
    struct election v = {0};
    bool references = has_references(in, n, model);
    int most = 0;
    const char *leader = NULL;
    bool differ = false;
    for (int i = 0; i < n; i++) {
        if (!votes(&in[i], model, references))
            continue;
        v.voters++;
        if (!is_ok(&in[i]))
            continue;
        v.ran++;
        if (in[i].observation->run.cpu_us > v.slowest_us)
            v.slowest_us = in[i].observation->run.cpu_us;
        int same = 0;
        for (int k = 0; k < n; k++) {
            if (!votes(&in[k], model, references) || !is_ok(&in[k]))
                continue;
            bool equal = !strcmp(in[k].observation->output_hash, in[i].observation->output_hash);
            same += equal;
            differ |= !equal;
        }
        if (same > most) {
            most = same;
            leader = in[i].observation->output_hash;
        }
    }
    v.quorum = oracle_quorum(config, v.voters);
    if (most >= v.quorum) {
        v.winner = leader;
        v.winner_votes = most;
    }
    v.split = differ && !v.winner;
    return v;
}

static bool hang_is_real(const struct oracle_config *config, const struct election *v,
                         const struct oracle_input *in)
{
    return (double)in->run_limit_us >= config->hang_margin * (double)v->slowest_us;
}

static struct verdict by_vote(const struct oracle_config *config, const struct election *v,
                              const struct oracle_input *in)
{
    struct verdict none = {0};
    if (v->ran < v->quorum || !has_opinion(in))
        return none;
    double share = (double)v->ran / v->voters;
    switch (in->observation->outcome) {
    case OUTCOME_BUILD_FAIL:
        return (struct verdict){ANOMALY_BUILD_FAIL, EVIDENCE_VOTE, share, false};
    case OUTCOME_RUN_CRASH:
        return (struct verdict){ANOMALY_RUN_CRASH, EVIDENCE_VOTE, share, false};
    case OUTCOME_RUN_TIMEOUT:
        if (hang_is_real(config, v, in))
            return (struct verdict){ANOMALY_RUN_HANG, EVIDENCE_VOTE, share, false};
        return none;
    case OUTCOME_OK:
        if (v->winner && strcmp(in->observation->output_hash, v->winner) != 0)
            return (struct verdict){ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE,
                                    (double)v->winner_votes / v->voters, false};
        return none;
    default:
        return none;
    }
}

/* -- the other kinds of evidence --------------------------------------------------------------- */

static struct verdict by_itself(const struct oracle_input *in)
{
    switch (in->observation->outcome) {
    case OUTCOME_BUILD_CRASH:
        return (struct verdict){ANOMALY_BUILD_CRASH, EVIDENCE_SELF, 1, false};
    case OUTCOME_BUILD_TIMEOUT:
        return (struct verdict){ANOMALY_BUILD_HANG, EVIDENCE_SELF, 1, false};
    case OUTCOME_RUN_CRASH:
        if (in->observation->server_died)
            return (struct verdict){ANOMALY_RUN_CRASH, EVIDENCE_SELF, 1, false};
        return (struct verdict){0};
    default:
        return (struct verdict){0};
    }
}

static struct verdict by_expectation(const struct oracle_input *in, const char *expected_hash)
{
    enum anomaly anomaly = ANOMALY_NONE;
    if (!has_opinion(in))
        return (struct verdict){0};
    switch (in->observation->outcome) {
    case OUTCOME_BUILD_FAIL:
        anomaly = ANOMALY_BUILD_FAIL;
        break;
    case OUTCOME_RUN_CRASH:
        anomaly = ANOMALY_RUN_CRASH;
        break;
    case OUTCOME_RUN_TIMEOUT:
        anomaly = ANOMALY_RUN_HANG;
        break;
    case OUTCOME_OK:
        if (strcmp(in->observation->output_hash, expected_hash) != 0)
            anomaly = ANOMALY_WRONG_OUTPUT;
        break;
    default:
        break;
    }
    if (anomaly == ANOMALY_NONE)
        return (struct verdict){0};
    return (struct verdict){anomaly, EVIDENCE_EXPECTED, 1, false};
}

static bool did_the_same(const struct oracle_input *a, const struct oracle_input *b)
{
    return same_model(a, b) && a->observation->outcome == b->observation->outcome &&
           !strcmp(a->observation->output_hash, b->observation->output_hash);
}

/* Does the voter do what keeps the expected output from being right? A compiler that crashes does
 * not: it is wrong whatever the program should do. */
static bool contradicts(const struct oracle_input *in, const char *expected_hash)
{
    return by_itself(in).anomaly == ANOMALY_NONE &&
           by_expectation(in, expected_hash).anomaly != ANOMALY_NONE;
}

/* The first of the voters that make the expected output suspect; -1: it is not. */
static int find_doubt(const struct oracle_input *in, int n, const struct oracle_input *model,
                      const char *expected_hash)
{
    enum { LEAST = 3, MOST_OTHERS = 1 };
    bool references = has_references(in, n, model);
    for (int i = 0; i < n; i++) {
        if (!votes(&in[i], model, references) || !contradicts(&in[i], expected_hash))
            continue;
        int same = 0, others = 0;
        bool toolchains = false;
        for (int k = 0; k < n; k++) {
            if (!votes(&in[k], model, references))
                continue;
            bool is_same = did_the_same(&in[k], &in[i]);
            same += is_same;
            others += !is_same;
            toolchains |= is_same && strcmp(in[k].toolchain, in[i].toolchain) != 0;
        }
        if (same >= LEAST && toolchains && others <= MOST_OTHERS)
            return i;
    }
    return -1;
}

static struct verdict by_trace(const struct oracle_input *in)
{
    if (!traces(in) || !is_ok(in))
        return (struct verdict){0};
    const char *line = volatile_summary_in(in->observation->output);
    size_t n = strlen(in->trace);
    if (!strncmp(line, in->trace, n) && line[n] == '\n')
        return (struct verdict){0};
    return (struct verdict){ANOMALY_WRONG_VOLATILE, EVIDENCE_EXPECTED, 1, false};
}

static int compare_int64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return ORDER(x, y);
}

static struct verdict known_wrong(enum anomaly anomaly)
{
    return (struct verdict){anomaly, EVIDENCE_EXPECTED, 1, false};
}

static struct verdict by_detection(const struct oracle_input *in)
{
    const struct detection *d = in->detection;
    const struct undefined *u = in->undefined;
    struct verdict none = {0};
    if (!d || !u)
        return none;
    if (d->twin == TWIN_REPORTED)
        return known_wrong(ANOMALY_FALSE_ALARM);
    if (d->twin == TWIN_WRONG)
        return known_wrong(ANOMALY_WRONG_OUTPUT);
    if (!in->must_detect)
        return none;
    bool needed = d->site == SITE_REACHED || (u->stored && !in->optimises);
    if (!d->said)
        return needed ? known_wrong(ANOMALY_MISSED) : none;
    bool elsewhere = d->line && (d->line < u->first || d->line > u->last);
    bool other = !undefined_stands_for(d->said, u->rule, u->row);
    return !in->optimises && (elsewhere || other) ? known_wrong(ANOMALY_MISPLACED) : none;
}

/* The median over the others that built it; 0 when fewer than two did. Those that trace are skipped
 * unbuilt, those that detect build two programs. */
static int64_t median_of_others(const struct oracle_input *in, int n, int self, bool memory)
{
    VEC(int64_t) values = {0};
    for (int i = 0; i < n; i++)
        if (i != self && was_built(&in[i]) && !traces(&in[i]) && !in[i].detects)
            vec_push(&values,
                     memory ? in[i].observation->build.peak_kb : in[i].observation->build.cpu_us);
    int64_t median = 0;
    if (values.n >= 2) {
        vec_sort(&values, compare_int64);
        median = values.at[values.n / 2];
    }
    vec_release(&values);
    return median;
}

static struct verdict by_resources(const struct oracle_config *config,
                                   const struct oracle_input *in, int n, int self)
{
    const struct step_cost *cost = &in[self].observation->build;
    if (cost->cpu_us >= config->slow_floor_us) {
        int64_t median = median_of_others(in, n, self, false);
        if (median > 0 && (double)cost->cpu_us >= config->slow_ratio * (double)median)
            return (struct verdict){ANOMALY_SLOW_COMPILE, EVIDENCE_VOTE, 1, false};
    }
    if (cost->peak_kb >= config->memory_floor_kb) {
        int64_t median = median_of_others(in, n, self, true);
        if (median > 0 && (double)cost->peak_kb >= config->memory_ratio * (double)median)
            return (struct verdict){ANOMALY_MEMORY, EVIDENCE_VOTE, 1, false};
    }
    return (struct verdict){0};
}

/* A disagreement is told at the first of those that disagree. */
static bool takes_part(const struct oracle_input *in)
{
    return !traces(in) && !in->detects && is_ok(in) && has_opinion(in);
}

void oracle_judge(const struct oracle_config *config, const char *expected_hash,
                  const struct oracle_input *in, int n, struct verdict *verdicts)
{
    for (int i = 0; i < n; i++) {
        bool first_of_model = takes_part(&in[i]);
        for (int k = 0; k < i; k++)
            first_of_model &= !takes_part(&in[k]) || !same_model(&in[k], &in[i]);
        struct election vote = hold_election(config, in, n, &in[i]);
        int doubt = expected_hash ? find_doubt(in, n, &in[i], expected_hash) : -1;

        verdicts[i] = by_itself(&in[i]);
        if (in[i].detects && is_ok(&in[i])) { /* its output is what it saw */
            verdicts[i] = by_detection(&in[i]);
            continue;
        }
        if (doubt == i)
            verdicts[i] = (struct verdict){ANOMALY_SUSPECT, EVIDENCE_VOTE, 0.5, true};
        else if (!verdicts[i].anomaly && expected_hash && doubt < 0)
            verdicts[i] = by_expectation(&in[i], expected_hash);
        else if (!verdicts[i].anomaly && !expected_hash)
            verdicts[i] = by_vote(config, &vote, &in[i]);
        if (!verdicts[i].anomaly)
            verdicts[i] = by_trace(&in[i]);
        if (!verdicts[i].anomaly && first_of_model && vote.split && !expected_hash)
            verdicts[i] = (struct verdict){ANOMALY_DISAGREEMENT, EVIDENCE_VOTE, 0.5, true};
        if (!verdicts[i].anomaly && was_built(&in[i]))
            verdicts[i] = by_resources(config, in, n, i);
    }
}

/* -- differences ------------------------------------------------------------------------------- */

void oracle_groups(const struct oracle_config *config, const struct oracle_input *in, int n,
                   int *groups)
{
    for (int i = 0; i < n; i++) {
        struct election runs = {0}; /* of all, voters or not */
        for (int k = 0; k < n; k++)
            if (same_model(&in[k], &in[i]) && is_ok(&in[k]) &&
                in[k].observation->run.cpu_us > runs.slowest_us)
                runs.slowest_us = in[k].observation->run.cpu_us;
        bool late = in[i].observation->outcome == OUTCOME_RUN_TIMEOUT;
        groups[i] = -1;
        if (!has_opinion(&in[i]) || (late && !hang_is_real(config, &runs, &in[i])))
            continue;
        for (int k = 0; k <= i && groups[i] < 0; k++)
            if (groups[k] == k || k == i)
                groups[i] = k == i || did_the_same(&in[k], &in[i]) ? k : -1;
    }
}

/* -- numbers in outputs ------------------------------------------------------------------------ */

struct number {
    size_t n; /* characters; 0: there is none */
    bool is_float;
    double value;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t digits(const char *s)
{
    size_t n = 0;
    while (isdigit((unsigned char)s[n]))
        n++;
    return n;
}

/* "e+05". printf always writes the sign; without it only behind a point, since checksums in
 * hexadecimal look like 12e5, too. */
static size_t exponent(const char *s, bool has_point)
{
    if (*s != 'e' && *s != 'E')
        return 0;
    size_t sign = s[1] == '+' || s[1] == '-';
    size_t n = digits(s + 1 + sign);
    return n && n <= 4 && (sign || has_point) ? 1 + sign + n : 0;
}

/* The number that begins here and ends where its word ends. 1.2.3 is none, nor is 0x1f. */
static struct number number_at(const char *s)
{
    struct number none = {0}, x = {0};
    size_t at = *s == '-' || *s == '+', whole = digits(s + at);
    if (!strncasecmp(s + at, "nan", 3) || !strncasecmp(s + at, "inf", 3)) {
        bool nan = tolower((unsigned char)s[at]) == 'n';
        x = (struct number){at + 3, true, nan ? NAN : *s == '-' ? -INFINITY : INFINITY};
    } else {
        size_t point = s[at + whole] == '.' ? digits(s + at + whole + 1) : 0;
        if (!whole && !point)
            return none;
        x.n = at + whole + (point ? 1 + point : 0);
        size_t power = exponent(s + x.n, point > 0);
        x.n += power;
        x.is_float = point || power;
        x.value = strtod(s, NULL);
    }
    bool ends = !is_word(s[x.n]) && !(s[x.n] == '.' && isdigit((unsigned char)s[x.n + 1]));
    return ends ? x : none;
}

static bool is_near(double x, double y, double tolerance)
{
    static const double near_zero = 1e-6;
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y);
    if (isinf(x) || isinf(y))
        return x == y;
    double larger = fabs(x) > fabs(y) ? fabs(x) : fabs(y);
    return fabs(x - y) <= tolerance * larger || fabs(x - y) <= near_zero;
}

/* The NUL behind each text ends a number, and is no part of it. */
static bool same_values(struct bytes x_text, struct bytes y_text, double tolerance)
{
    const char *a = x_text.data, *b = y_text.data;
    const char *a_end = a + x_text.size, *b_end = b + y_text.size;
    bool in_word = false; /* a digit that follows goes on with something */
    while (a < a_end && b < b_end) {
        struct number x = {0}, y = {0};
        if (!in_word) {
            x = number_at(a);
            y = number_at(b);
        }
        bool same = x.n && x.n == y.n && !strncmp(a, b, x.n);
        if (x.n && y.n && (same || x.is_float || y.is_float)) {
            if (!same && !is_near(x.value, y.value, tolerance))
                return false;
            a += x.n;
            b += y.n;
            in_word = true;
        } else {
            if (*a != *b)
                return false;
            in_word = is_word(*a) || *a == '.';
            a++;
            b++;
        }
    }
    return a == a_end && b == b_end;
}

void oracle_unify(const struct bytes *texts, int n, double tolerance, int *leaders)
{
    for (int i = 0; i < n; i++) {
        leaders[i] = i;
        for (int k = 0; texts[i].data && k < i && leaders[i] == i; k++)
            if (texts[k].data && leaders[k] == k &&
                (bytes_equal(texts[k], texts[i]) || same_values(texts[k], texts[i], tolerance)))
                leaders[i] = k;
    }
}
