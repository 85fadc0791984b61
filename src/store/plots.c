/* Figures for plots: how a campaign went, and how large its programs are.
 *
 * Counted by the database, or in one pass over a column: a night has a million tests, and none of
 * their rows becomes a struct. Each moment counts all that happened up to it, so a count per
 * stretch of time is added to the next. */
#include "store/store_internal.h"

struct stretch { /* of time, cut into equal steps */
    int64_t from, to;
    int steps;
};

/* ?1: campaign, 0 for all; ?2: first second; ?3: length; ?4: steps. What happened in the first
 * second belongs to moment 0, what happened then up to the next moment to that one. */
#define MOMENT(time) "CASE WHEN " time " > ?2 THEN ((" time " - ?2) * ?4 + ?3 - 1) / ?3 ELSE 0 END"

/* What slipped into a reduction is a finding of its campaign, and no test that was run. */
#define TESTED                                                                                     \
    "campaign IN (SELECT id FROM campaign WHERE slipped_from IS NULL AND (?1 = 0 OR id = ?1))"
#define FOUND "(?1 = 0 OR campaign IN " WITH_SLIPPED ")"

static const char tests_per_step[] =
    "SELECT " MOMENT("done_at") ", count(*) FROM test "
                                "WHERE done_at IS NOT NULL AND " TESTED " GROUP BY 1";
static const char findings_per_step[] =
    "SELECT " MOMENT("found_at") ", count(*) FROM finding WHERE " FOUND " GROUP BY 1";
static const char signatures_per_step[] =
    "SELECT " MOMENT("first_at") ", count(*) FROM (SELECT min(found_at) AS first_at FROM finding "
                                 "WHERE " FOUND " GROUP BY signature) AS firsts GROUP BY 1";

/* From the first test to the last thing that happened. 1: nothing did. */
static int find_stretch(struct store *s, int64_t campaign, struct stretch *out, struct error *e)
{
    enum { TESTS, FROM, LAST_TEST, LAST_FINDING, COLUMNS };
    int64_t row[COLUMNS];
    if (store_ask(s,
                  "SELECT count(*), min(done_at), max(done_at), (SELECT max(found_at) "
                  "FROM finding WHERE " FOUND ") FROM test WHERE done_at IS NOT NULL AND " TESTED,
                  VALUES(integer(campaign)), row, COLUMNS, e) < 0)
        return -1;
    if (row[TESTS] == 0)
        return 1;
    out->from = row[FROM];
    out->to = row[LAST_TEST] > row[LAST_FINDING] ? row[LAST_TEST] : row[LAST_FINDING];
    return 0;
}

/* Add each step's count to the field at `offset` of its moment. */
static int count_steps(struct store *s, const char *sql, int64_t campaign,
                       const struct stretch *time, struct store_moment *moments, size_t offset,
                       struct error *e)
{
    struct query *query;
    int64_t length = time->to - time->from;
    if (rows_query(s, sql,
                   VALUES(integer(campaign), integer(time->from), integer(length ? length : 1),
                          integer(time->steps)),
                   &query, e))
        return -1;
    int more;
    while ((more = query_step(s, query, e)) == 1) {
        int64_t at = query_integer(s, query, 0);
        at = at > time->steps ? time->steps : at; /* what came while we were counting */
        *(int64_t *)(void *)((char *)&moments[at] + offset) += query_integer(s, query, 1);
    }
    query_end(s, query);
    return more;
}

static int count_moments(struct store *s, int64_t campaign, const struct stretch *time,
                         struct store_moment *moments, struct error *e)
{
    if (count_steps(s, tests_per_step, campaign, time, moments,
                    offsetof(struct store_moment, tests), e) ||
        count_steps(s, findings_per_step, campaign, time, moments,
                    offsetof(struct store_moment, findings), e) ||
        count_steps(s, signatures_per_step, campaign, time, moments,
                    offsetof(struct store_moment, signatures), e))
        return -1;
    for (int i = 0; i <= time->steps; i++) {
        moments[i].at =
            time->steps ? time->from + (time->to - time->from) * i / time->steps : time->to;
        if (i == 0)
            continue;
        moments[i].tests += moments[i - 1].tests;
        moments[i].findings += moments[i - 1].findings;
        moments[i].signatures += moments[i - 1].signatures;
    }
    return 0;
}

int store_history(struct store *s, int64_t campaign, int points, struct arena *a,
                  struct store_moment **out, int *n, struct error *e)
{
    struct stretch time = {0};
    *out = NULL;
    *n = 0;
    int empty = find_stretch(s, campaign, &time, e);
    if (empty)
        return empty < 0 ? -1 : 0;
    /* The clock counts whole seconds: no moment between two of them. */
    int64_t seconds = time.to - time.from;
    time.steps = points < 2 ? 0 : points - 1 < seconds ? points - 1 : (int)seconds;
    *n = time.steps + 1;
    *out = arena_array(a, struct store_moment, *n);
    return count_moments(s, campaign, &time, *out, e);
}

static const struct column done_columns[] = {COLUMN(store_done, number),
                                             COLUMN(store_done, cpu_us)};

int store_done_tests(struct store *s, int64_t campaign, struct arena *a, struct store_done **out,
                     int *n, struct error *e)
{
    *out = rows_all(s,
                    "SELECT number, done_cpu_us FROM test WHERE campaign = ?1 AND "
                    "done_at IS NOT NULL AND bytes > 0 ORDER BY done_cpu_us, number",
                    VALUES(integer(campaign)), COLUMNS(done_columns), sizeof **out, a, n, e);
    return *out ? 0 : -1;
}

/* The number of bits in front of the last: bin k holds the sizes from 2^k to below 2^(k+1). */
static int bin_of(int64_t bytes)
{
    int k = 0;
    while (bytes >>= 1)
        k++;
    return k;
}

int store_sizes(struct store *s, int64_t campaign, struct arena *a, struct store_size **out, int *n,
                struct error *e)
{
    enum { BINS = 62 };
    struct store_size bins[BINS] = {0};
    int first = BINS, last = -1, more;
    struct query *query;
    if (rows_query(
            s,
            "SELECT bytes, count(*), sum(CASE WHEN findings > 0 THEN 1 ELSE 0 END) FROM test "
            "WHERE bytes > 0 AND " TESTED " GROUP BY bytes",
            VALUES(integer(campaign)), &query, e))
        return -1;
    while ((more = query_step(s, query, e)) == 1) {
        int k = bin_of(query_integer(s, query, 0));
        k = k < BINS ? k : BINS - 1;
        bins[k].programs += query_integer(s, query, 1);
        bins[k].with_findings += query_integer(s, query, 2);
        first = k < first ? k : first;
        last = k > last ? k : last;
    }
    query_end(s, query);
    *n = last < 0 ? 0 : last - first + 1;
    *out = arena_array(a, struct store_size, *n);
    for (int i = 0; i < *n; i++) {
        (*out)[i] = bins[first + i];
        (*out)[i].from = (int64_t)1 << (first + i);
        (*out)[i].to = (int64_t)2 << (first + i);
    }
    return more;
}
