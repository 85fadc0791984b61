/* The compilers of a campaign as a worker finds them.
 *
 * One that is removed is left out until it is back; one that is replaced goes on as a testbed of
 * its own, with the version that it has now. One that is accused of a build that fails must still
 * build a small program: its assembler, linker or headers may be gone, and then it is left out
 * until it can. None of this is a finding, and all is told: in the log and as an incident. Nothing
 * is recorded of a test during which a compiler changed: it is run again. */
#ifndef ASSAY_CAMPAIGN_COMPILERS_H
#define ASSAY_CAMPAIGN_COMPILERS_H

#include "base/log.h"
#include "campaign/campaign.h"
#include "testbed/runner.h"

struct compilers {
    struct testbed *all;  /* of the campaign, with the versions that they have now */
    const char **printed; /* what each printed as its version */
    uint64_t *stamps;     /* testbed/identity.h */
    int64_t *all_ids;
    bool *away;
    bool *broken; /* away, and there: it does not build a small program */
    int n_all;
    /* Those that are here, for a test. */
    struct testbed *here;
    int64_t *ids; /* in the store */
    int n;
    struct store *store;
    int64_t campaign;
    struct runner *runner;
    struct log *log;
    struct arena arena;
};

/* What it is given must live as long. */
int compilers_init(struct compilers *c, const struct test_setup *setup, struct store *store,
                   int64_t campaign, struct runner *runner, struct log *log, struct error *e);
void compilers_release(struct compilers *c);

/* Has anything changed since the last look? 1: it has, and is now as it is; 0: nothing has; -1:
 * error, and ERROR_ENVIRONMENT where no compiler is left. Those with an anomaly in `verdicts` (one
 * for each that is here, or NULL: a test is about to begin) are asked for their version, too. The
 * work folder of the runner may be used. `seed` is for the books. */
int compilers_look(struct compilers *c, uint64_t seed, const struct verdict *verdicts,
                   struct error *e);

#endif
