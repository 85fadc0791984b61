/* The campaign's database: SQLite in WAL mode, the only room with SQL in it.
 *
 * One writer per process, several processes: the supervisor and each worker open their own handle;
 * readers (`assay bugs`, `assay show`) may look in at any time. Each function that writes is one
 * transaction, so that killing any process at any instant leaves each test either wholly recorded
 * or not at all. A transaction with a finding in it is on the disk (synchronous=FULL) before the
 * call returns; one without may be lost by a power failure, but not by a killed process.
 *
 * The way of a test:
 *
 *     store_claim          takes a seed: first one whose worker died, else the next fresh one
 *     store_record_test    results, program and findings (state new); with findings the claim goes
 *                          on in stage CONFIRM, else it ends
 *     store_confirm        what trying again has shown; the claim ends
 *
 * No seed is run twice and none is skipped: a seed is fresh (not yet handed out), claimed, or done.
 *
 * A handle belongs to one thread of one process: after a fork the child opens its own.
 *
 * Strings in results live in the arena that the caller passes. Functions return 0, or -1 with the
 * error set. Full disk, read-only folder, corrupt file, foreign file, newer schema: each has its
 * sentence, of kind ERROR_ENVIRONMENT, naming the file and what to do. */
#ifndef ASSAY_STORE_STORE_H
#define ASSAY_STORE_STORE_H

#include "base/arena.h"
#include "base/error.h"
#include "program/finding.h"
#include "program/observation.h"
#include "program/program.h"
#include "program/testbed.h"
#include "program/verdict.h"

#include <stdbool.h>
#include <stdint.h>

struct store;

enum store_mode {
    STORE_READ,  /* must exist; nothing is changed. An older schema is read through a private
                    copy, migrated; a read-only folder is fine */
    STORE_WRITE, /* made if missing, an older schema is migrated */
};

int store_open(const char *path, enum store_mode mode, struct store **out, struct error *e);
void store_close(struct store *s); /* NULL is fine */

/* -- campaigns --------------------------------------------------------------------------------- */

struct store_campaign {
    int64_t id;
    const char *generator; /* "csmith" */
    const char *config;    /* canonical text; equal text is the same campaign */
    uint64_t first_seed;
    int64_t started; /* seeds handed out: first_seed .. first_seed + started - 1 */
    int64_t tests;   /* seeds done */
    int64_t findings;
    int64_t incidents;
    int64_t elapsed_ms; /* time that supervisors spent on it, all runs together */
    /* What the current round began with; a round is one budget, and goes on after an interruption.
     */
    int64_t round_tests, round_findings, round_elapsed_ms;
    int64_t generate_us, build_us, run_us, own_us; /* CPU time so far; own: assay's */
    int64_t created_at;                            /* seconds since 1970 */
    int64_t last_finding_at;                       /* 0: none yet */
};

/* The newest campaign with this configuration, made with `first_seed` if there is none. */
int store_campaign_open(struct store *s, const char *generator, const char *config,
                        uint64_t first_seed, int64_t *id, struct error *e);
int store_campaign_get(struct store *s, int64_t id, struct arena *a, struct store_campaign *out,
                       struct error *e);
/* All campaigns, oldest first. */
int store_campaigns(struct store *s, struct arena *a, struct store_campaign **out, int *n,
                    struct error *e);
/* Supervisor: add to the time spent, and its own CPU time to the campaign's. */
int store_campaign_tick(struct store *s, int64_t id, int64_t add_ms, int64_t own_us,
                        struct error *e);
/* Supervisor: the budget is used up; the next run in this folder begins a new round. */
int store_campaign_end_round(struct store *s, int64_t id, struct error *e);

/* -- testbeds ---------------------------------------------------------------------------------- */

/* The id of a testbed in this campaign, registered on first sight (by name, path, version, compile
 * and run templates, model). One whose flags are drawn is registered once, as "random". */
int store_testbed_id(struct store *s, int64_t campaign, const struct testbed *t, int64_t *id,
                     struct error *e);

struct store_testbed {
    int64_t id;
    const char *name, *toolchain, *version, *path, *flags, *model;
    const char *compile; /* the templates, one per line */
    const char *library; /* "" where there is none */
    const char *dir;     /* {dir} */
    bool reference;
    int64_t outcomes[OUTCOME_COUNT];
    int64_t anomalies[ANOMALY_COUNT]; /* flaky ones not counted */
    int64_t flaky;
    int64_t build_us, run_us;
};
/* The testbeds of a campaign with their statistics, in order of registration. */
int store_testbeds(struct store *s, int64_t campaign, struct arena *a, struct store_testbed **out,
                   int *n, struct error *e);

/* -- the way of a test ------------------------------------------------------------------------- */

enum store_stage { STORE_RUN, STORE_CONFIRM };

struct store_claim {
    int64_t campaign;
    uint64_t seed;
    enum store_stage stage;
    int attempts; /* workers that died on it before */
};

/* 1: claimed; 0: nothing to do, because `max_started` (0: no limit) seeds have been handed out and
 * none waits; -1: error. `worker` names the process in the books. */
int store_claim(struct store *s, int64_t campaign, int worker, int64_t max_started,
                struct store_claim *out, struct error *e);

struct store_result { /* one testbed's part */
    int64_t testbed;  /* id */
    const struct observation *observation;
    struct verdict verdict;
    const char *signature; /* "" where the verdict is no anomaly */
};

struct store_test {
    const struct program *program;
    const struct store_result *results;
    int n_results;
    int64_t generate_us, build_us, run_us, own_us; /* CPU time */
};

/* Observations and program are kept only when there is a finding; statistics always. The ids of
 * the new findings, in the order of results, go to `ids` (room for n_results), their number to
 * `n_findings`. The same program text found before is stored once. */
int store_record_test(struct store *s, const struct store_claim *c, const struct store_test *t,
                      int64_t *ids, int *n_findings, struct error *e);

struct store_confirmation {
    int64_t finding;
    int seen, tried;
    enum finding_state state;
    int64_t build_us, run_us; /* CPU time that the tries took */
};
/* Ends the claim. */
int store_confirm(struct store *s, const struct store_claim *c,
                  const struct store_confirmation *all, int n, struct error *e);

/* A generator that made nothing of this seed (it failed, or timed out): the seed is done, with the
 * reason as an incident. Ends the claim. */
int store_record_failure(struct store *s, const struct store_claim *c, const char *what,
                         struct error *e);

/* Claims of a dead worker (-1: of all, when a supervisor starts) go back to the queue. A seed on
 * which `max_attempts` workers died is given up instead: done, with an incident. `what` says how
 * the worker ended and is recorded as an incident with the seed; NULL records none (the whole
 * campaign was killed or stopped: not the seed's fault, and attempts do not count up). No seed is
 * given up with `max_attempts` 0. */
int store_release(struct store *s, int64_t campaign, int worker, const char *what, int max_attempts,
                  struct error *e);

/* -- reading ----------------------------------------------------------------------------------- */

struct store_filter {
    int64_t campaign;      /* 0: all */
    int64_t id;            /* 0: all */
    const char *signature; /* NULL: all */
    const char *testbed;   /* NULL: all; else name, or toolchain */
    int anomaly, state;    /* -1: all; so {0} is not "all" */
    uint64_t seed;         /* only with has_seed */
    bool has_seed;
    int64_t limit; /* 0: no limit */
};

/* Oldest first. */
int store_findings(struct store *s, const struct store_filter *f, struct arena *a,
                   struct finding **out, int *n, struct error *e);

/* One line per signature: what is probably one bug. Most recent first. The filter is applied to the
 * findings, its limit to the bugs. */
struct store_bug {
    const char *signature;
    int64_t first_id; /* the finding to look at: confirmed before new before flaky, among those
                         the one with the smallest program */
    enum anomaly anomaly;
    const char *testbeds; /* names, joined by ", ", in order of registration */
    int64_t count, flaky; /* all findings; those of them that are flaky */
    int64_t first_at, last_at;
};
int store_bugs(struct store *s, const struct store_filter *f, struct arena *a,
               struct store_bug **out, int *n, struct error *e);

/* By content hash (32 hexadecimal digits). Where several seeds made the same text, `made` tells of
 * the first. */
int store_program(struct store *s, const char *hash, struct arena *a, struct program *out,
                  struct error *e);

struct store_observation {
    const char *testbed;
    int64_t testbed_id;
    struct observation observation;
    struct verdict verdict;
};
/* In order of the testbeds' registration; none for a test without findings. */
int store_observations(struct store *s, int64_t campaign, uint64_t seed, struct arena *a,
                       struct store_observation **out, int *n, struct error *e);

struct store_incident {
    uint64_t seed;
    const char *what;
    int64_t at;
};
int store_incidents(struct store *s, int64_t campaign, struct arena *a, struct store_incident **out,
                    int *n, struct error *e);

/* Seeds that are done, ascending; for checking that none is missing. */
int store_done_seeds(struct store *s, int64_t campaign, struct arena *a, uint64_t **out, int *n,
                     struct error *e);

#endif
