/* The test of interest of a finding: does a candidate still show the same anomaly, on the same
 * testbed, with the same signature?
 *
 * Where the candidate's right output is known, or the anomaly shows by itself (a crash), only the
 * accused testbed is run. Otherwise a few of the voters that agreed are run, too, and the oracle
 * judges as it does in a campaign; and a C program must be clean by the sanitizers, where the
 * original is. The filters of the campaign, its references' warnings and other inputs must have
 * nothing to say against a candidate either, as they had nothing against the original.
 *
 * An anomaly with another class or another signature is slippage: it is not chased, or the reducer
 * would end with another bug than it began with. It is confirmed and kept as a finding of its own.
 *
 * Tests run side by side, a process each (base/pool.h). The limits on time are tightened to
 * what the original needed: a candidate that loops for ever is not worth the campaign's limits. */
#ifndef ASSAY_INQUIRY_INTEREST_H
#define ASSAY_INQUIRY_INTEREST_H

#include "inquiry/inquiry.h"
#include "base/pool.h"
#include "reduce/reduce.h"
#include "testbed/runner.h"

/* What a reduction is at, in memory that another process may look into while it is written: the
 * parts are right by themselves, and may be of two moments. */
struct interest_board {
    _Atomic int64_t finding; /* 0: no reduction */
    _Atomic int64_t from_bytes, bytes;
    _Atomic int64_t began_ms; /* of clock_ms */
    _Atomic char pass[32];    /* ends with a NUL */
};

/* How to ask. */
struct interest_how {
    const struct testbed *instead; /* of the accused: another version of it; NULL: itself */
    bool patient;                  /* with the limits of the campaign */
    const char *witness; /* not NULL: show the code, too, that it makes, and that this command
                            makes, a compiler with its flags */
};

/* What one try showed on the accused testbed. */
struct interest_seen {
    enum reduce_answer answer;
    struct verdict verdict;
    struct observation observation;
    const char *signature;
    /* Of the other testbeds, as far as they were run. */
    int64_t others_build_us, others_run_us;
    bool unclean; /* it is the anomaly, but a sanitizer or a second opinion speaks against it */
};

enum interest_show { INTEREST_QUIET, INTEREST_LINES, INTEREST_TERMINAL };

struct interest_spec {
    const struct inquiry *c; /* bound */
    int slots;
    const volatile int *stop;
    int64_t slice_ms;    /* see struct inquiry_reducing */
    struct pulse *pulse; /* the same */
    struct interest_board *board;
    struct store *store;
    enum interest_show show; /* progress, on standard error */
};

struct interest_job { /* of a slot */
    const struct reduce_case *c;
    struct interest_how how;
    bool slips;      /* another anomaly is to be confirmed and told */
    const char *ask; /* not NULL: no test, but only these arguments for the compiler */
};

struct interest {
    struct interest_spec spec;
    struct reduce_test test; /* for reduction_init */
    const struct reduction
        *reduction; /* set by the caller when there is one; for showing progress */
    struct test_setup config, patient; /* accused first; limits as tightened, and as found */
    struct testbed *sanitizers;        /* checked with candidates of unknown output
                                        */
    int n_sanitizers;
    struct testbed *filters; /* of the campaign; asked about the same candidates */
    int n_filters;
    const char *signature; /* that must show again */
    int times;             /* that it must show */
    /* The accused's compiler without optimisation, where it was right about the original: it must
     * be right about candidates, too. NULL: there is none. */
    const struct testbed *unoptimised;
    bool prints; /* what the original prints is known to be wrong: an exit status alone is another
                    bug */
    struct pool pool;
    struct runner *runners;
    struct interest_job *jobs;
    struct strbuf told;
    struct arena arena; /* as long as the interest */
    struct arena heard; /* what the last test told */
    struct map answers; /* from earlier runs */
    struct store_answer *fresh;
    int n_fresh;
    struct map slipped;         /* signatures */
    int64_t slips;              /* findings that were kept */
    struct store_reduction row; /* as it stands in the store; the figures of this run not included
                                 */
    struct error failed;        /* in a callback that cannot say so */
    bool has_failed;
    int64_t flush_ms, shown_ms, began_ms, began_us; /* the last: CPU time of ours */
    int64_t until_ms; /* the end of the slice; 0: it has none, or no new answer yet */
    size_t from_bytes, best_bytes;
    bool drawn; /* a line stands on the terminal */
};

int interest_init(struct interest *t, const struct interest_spec *spec, struct error *e);
void interest_release(struct interest *t);

/* Does it print what is known to be right, so that only its exit status can be wrong? */
bool interest_prints_right(const struct program *p, const struct observation *o);

/* Is anomaly `wanted` a matter of what the program does when it runs? */
bool interest_runs(enum anomaly wanted);

/* Does the original show again? 1: it does, and the tests are made as strict and the limits as
 * tight as it allows; 0: it does not, `why` (in the arena) says what came instead; -1. */
int interest_begin(struct interest *t, const struct reduce_case *original, const char **why,
                   struct error *e);

/* Is its slice of time over? Candidates are not tested any more then, with ERROR_NONE; other tests,
 * whose answers are not remembered, are. */
bool interest_is_over(const struct interest *t);

/* For a method whose tests are not ours: it has come down to so many bytes. */
void interest_progress(struct interest *t, size_t bytes);

/* One case by itself. What `seen` points to lives until the next test. */
int interest_try(struct interest *t, const struct reduce_case *c, const struct interest_how *how,
                 struct interest_seen *seen, struct error *e);
/* What the compiler of the accused testbed prints for these arguments. Lives as long. */
int interest_ask(struct interest *t, const char *arguments, const char **output, struct error *e);

/* Put the row as it is now, with the best case (may be NULL). */
int interest_save(struct interest *t, const struct program *best, struct error *e);
/* Write the answers that are not in the store yet. */
int interest_flush(struct interest *t, struct error *e);
/* Take the progress line away. */
void interest_hide(struct interest *t);

#endif
