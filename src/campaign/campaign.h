/* The campaign: a supervisor, N workers, one database.
 *
 * The supervisor starts the workers, watches the budget, shows the
 * status, and replaces a worker that dies. A worker takes a seed, makes the program, tries it on
 * every testbed, asks the oracle, stores, confirms; then the next. All state is in the store: each
 * process may be killed at any instant, and `assay run` in the same folder goes on.
 *
 * A worker lives in a pid namespace of its own where the system allows it, under a tiny keeper
 * process: when the worker or the supervisor dies, the kernel ends whatever it had started. */
#ifndef ASSAY_CAMPAIGN_CAMPAIGN_H
#define ASSAY_CAMPAIGN_CAMPAIGN_H

#include "bugs/baseline.h"
#include "gen/gen.h"
#include "inquiry/test.h"
#include "store/store.h"

#include <limits.h>

enum status_mode {
    STATUS_LIVE,  /* a screen that refreshes itself */
    STATUS_PLAIN, /* a line now and then */
    STATUS_JSON,  /* a JSON object per line */
    STATUS_NONE,
};

struct campaign_budget { /* 0: no limit */
    int64_t ms, tests, findings;
    int64_t cpu_us; /* CPU time of all processes, as the store books it; that of reductions, which
                       wait until it is spent, is not charged */
};

struct campaign_config {
    const char *dir;              /* the folder; the database is assay.db in it */
    const char *generator;        /* name or path, for gen_open */
    struct gen_context gen;       /* its `stop` is set by the worker */
    struct store_options options; /* the same ones go on with the same campaign */
    uint64_t first_seed;          /* for a new campaign */
    struct test_setup test;       /* references first */
    int tries; /* times that a finding is run before it is believed, the first included */
    int workers;
    struct campaign_budget budget;
    enum status_mode status;
    bool colour;
    bool reduce;      /* workers reduce findings between tests, or after them (budget) */
    bool avoid_known; /* three of four programs are made without what known bugs need */
    const struct baseline *baseline; /* bugs that are known from elsewhere; NULL: none */
    const volatile int *stop; /* set: as by a signal, which comes before it has its handlers; may be
                                 NULL */
    int64_t own_before_us;    /* CPU time of this process that is none of the campaign's */
};

struct campaign_summary {
    int64_t campaign; /* id */
    int64_t tests;    /* of this round, which a run that was killed began */
    int64_t in_vain;  /* tests of this run, if none of its programs came to a compiler; else 0 */
    int64_t new_findings; /* of this round; those that are known do not count */
    bool interrupted;     /* by a signal */
};

/* To be in a folder: one process at a time (a lock), with a place for temporary files in it,
 * $TMPDIR until campaign_leave. They are there and not in /tmp because a process that is killed
 * cannot clean up: the next one that enters does. campaign_leave also undoes an entry that failed
 * half-way, and leaves nothing where no campaign began. */
struct campaign_folder {
    int lock;
    bool made; /* it was not there */
    char work[PATH_MAX];
    char before[PATH_MAX]; /* $TMPDIR; "": there was none */
};
int campaign_enter(const char *dir, struct campaign_folder *f, struct error *e);
void campaign_leave(struct campaign_folder *f);

/* The caller has entered the folder. */
int campaign_run(const struct campaign_config *config, struct campaign_summary *out,
                 struct error *e);

void campaign_db_path(const char *dir, char *out, size_t out_size);

#endif
