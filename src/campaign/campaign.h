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

#include "gen/gen.h"
#include "oracle/oracle.h"
#include "program/testbed.h"
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
};

struct campaign_config {
    const char *dir;          /* the folder; the database is assay.db in it */
    const char *generator;    /* name or path, for gen_open */
    struct gen_context gen;   /* its `stop` is set by the worker */
    const char *identity;     /* canonical text: equal text goes on with the same campaign */
    uint64_t first_seed;      /* for a new campaign */
    struct testbed *testbeds; /* references first */
    int n_testbeds;
    struct oracle_config oracle;
    int tries; /* times that a finding is run before it is believed, the first included */
    bool sandbox_all, sandbox_none;
    int workers;
    struct campaign_budget budget;
    enum status_mode status;
    bool colour;
    bool reduce;      /* workers reduce findings between tests */
    bool avoid_known; /* three of four programs are made without what known bugs need */
};

struct campaign_summary {
    int64_t campaign;     /* id */
    int64_t new_findings; /* of this run; those that are known do not count */
    bool interrupted;     /* by a signal */
};

/* To be in a folder: one process at a time (a lock), with a place for temporary files in it,
 * $TMPDIR from then on. They are there and not in /tmp because a process that is killed cannot
 * clean up: the next one that enters does. campaign_leave also undoes an entry that failed
 * half-way. */
struct campaign_folder {
    int lock;
    char work[PATH_MAX];
};
int campaign_enter(const char *dir, struct campaign_folder *f, struct error *e);
void campaign_leave(struct campaign_folder *f);

/* The caller has entered the folder. */
int campaign_run(const struct campaign_config *config, struct campaign_summary *out,
                 struct error *e);

/* The testbeds for the test of this seed: those with random flags get them, from the seed and the
 * testbed's name alone. In the arena. */
struct testbed *campaign_draw(const struct campaign_config *config, uint64_t seed, struct arena *a);

/* One test by itself, without a store: what `check` and `replay` do. `observations` and `verdicts`
 * have room for n_testbeds.
 *
 * p->build_only is set where a filter, or a warning of a reference, says that what the program does
 * when run is nobody's fault: it is then one that must not be run, here and wherever it is kept.
 * The detail of that testbed's observation says why. */
struct runner;
int campaign_try(const struct campaign_config *config, struct runner *r, struct program *p,
                 struct arena *a, struct observation *observations, struct verdict *verdicts,
                 struct error *e);

/* Ask one filter about a program that was loaded. 1: it has nothing to say against it, and its
 * observation is SKIPPED; 0: it says, or its own end says, that the program must not be run, and
 * the observation is RUN_CRASH or RUN_TIMEOUT; -1. */
int campaign_filter(struct runner *r, const struct program *p, const struct testbed *filter,
                    struct arena *a, struct observation *out, struct error *e);

/* The first testbed, of those that vote, whose build says that the program may be none to run; -1:
 * there is none. */
int campaign_suspect(const struct campaign_config *config, const struct observation *observations,
                     int n);

/* What the oracle says of observations that were made, one per testbed. */
void campaign_judge(const struct campaign_config *config, const struct program *p,
                    const struct observation *observations, struct arena *a,
                    struct verdict *verdicts);

/* Is the anomaly of `was` at testbed `index` there again, when only what must be is tried again?
 * `observations` are the recorded ones and are updated; random flags are those recorded there. 1, 0
 * or -1. */
int campaign_again(const struct campaign_config *config, struct runner *r, const struct program *p,
                   const struct verdict *was, int index, struct arena *a,
                   struct observation *observations, struct error *e);

/* Is the anomaly of `was` at testbed `index`, found by vote, there as well when the program works
 * on other inputs? DeepSmith 2.3: what divides by zero on one input does not on another. 1: it is,
 * or that cannot be told, because too few testbeds take other inputs; 0: it is not; -1. Random
 * flags are those of `observations`. */
int campaign_other_inputs(const struct campaign_config *config, struct runner *r,
                          const struct program *p, const struct verdict *was, int index,
                          const struct observation *observations, struct arena *a, struct error *e);

void campaign_db_path(const char *dir, char *out, size_t out_size);

#endif
