/* Reduction between tests: a worker takes a finding that nobody reduces, and reduces it with one
 * test at a time, since the other cores have workers of their own. While there are programs to
 * test, it gives it back after a slice of time, with the best case that it has come to, and whoever
 * comes next goes on: one that takes hours does not keep a worker from its tests. */
#include "base/log.h"
#include "campaign/campaign_internal.h"
#include "inquiry/reduce.h"

/* Findings of one signature that are reduced in a campaign: the rest is left for `assay reduce`. A
 * slice is long beside the seconds that it takes to come back to where the last one ended; a
 * reduction that has had a round of them waits until all others have had theirs. */
static const struct store_reducing rules = {
    .per_signature = 3, .per_silent = 40, .round_ms = 300000, .dear_us = 3000000};
enum { SLICE_MS = 60000 };

/* A reduction on which the worker itself dies is taken up by the next worker. So that they do not
 * all die of it, each leaves a mark in the row, which goes as soon as a test has answered something
 * new. */
enum { ATTEMPTS = 3 };
static const char mark[] = "attempt ";

/* 1: go ahead; 0: too many have died. */
static int leave_mark(struct store *store, int64_t finding, struct arena *a, struct error *e)
{
    struct store_reduction row;
    int status = store_reduction_get(store, finding, a, &row, e);
    if (status || row.state == REDUCTION_DONE) /* only the blame is open: the store counts deaths */
        return status < 0 ? -1 : 1;
    bool marked = row.state == REDUCTION_BEGUN && !strncmp(row.why, mark, strlen(mark));
    long attempts = marked ? strtol(row.why + strlen(mark), NULL, 10) : 0;
    if (attempts >= ATTEMPTS) {
        row.state = REDUCTION_FAILED;
        row.why = "assay itself crashed each time: `assay reduce ID --again` shows how";
    } else {
        row.why = arena_printf(a, "%s%ld", mark, attempts + 1);
    }
    if (store_reduction_put(store, &row, NULL, e))
        return -1;
    return row.state == REDUCTION_BEGUN;
}

static int reduce(const struct campaign_config *config, struct store *store, int64_t id, bool whole,
                  const volatile int *stop, struct worker_board *board, struct log *log,
                  struct arena *a, struct error *e)
{
    struct finding f;
    struct inquiry c;
    struct inquiry_reduced done;
    if (store_finding(store, id, a, &f, e) || inquiry_load(store, &f, a, &c, e))
        return -1;
    if (inquiry_bind(&c, config->test.testbeds, config->test.n_testbeds, a, e)) {
        log_line(log, LOG_NOTE, "finding %lld is not reduced: %s", (long long)id, e->message);
        *e = (struct error){0};
        return 0;
    }
    int go = leave_mark(store, id, a, e);
    if (go <= 0)
        return go;
    struct inquiry_reducing how = {.slots = 1,
                                   .blame = true,
                                   .show = INTEREST_QUIET,
                                   .stop = stop,
                                   .slice_ms = whole ? 0 : SLICE_MS,
                                   .pulse = &board->pulse,
                                   .board = &board->reducing,
                                   .gen = config->gen};
    how.installed = config->test.testbeds;
    how.n_installed = config->test.n_testbeds;
    if (inquiry_reduce(store, &c, &how, a, &done, e))
        return -1;
    log_line(log, LOG_NOTE, "finding %lld, reduction %s: %lld of %lld bytes, %lld tests%s%s",
             (long long)id, done.interrupted ? "interrupted" : reduction_state_name[done.row.state],
             (long long)done.row.bytes, (long long)done.row.from_bytes, (long long)done.row.tests,
             *done.row.why ? ": " : "", done.row.why);
    return done.interrupted ? store_reduction_give_back(store, id, e) : 0;
}

int worker_reduce(const struct campaign_config *config, struct store *store, int64_t campaign,
                  int slot, bool whole, const volatile int *stop, struct worker_board *board,
                  struct log *log, struct error *e)
{
    int64_t finding;
    int claimed = store_reduction_claim(store, campaign, slot, &rules, &finding, e);
    if (claimed <= 0)
        return claimed;
    struct arena a;
    arena_init(&a);
    pulse_allow(&board->pulse, PULSE_LONG_MS);
    int status = reduce(config, store, finding, whole, stop, board, log, &a, e);
    pulse_allow(&board->pulse, PULSE_SLACK_MS);
    arena_release(&a);
    return status ? -1 : 1;
}
