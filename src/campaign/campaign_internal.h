/* Shared by the supervisor, the workers and the status display. */
#ifndef ASSAY_CAMPAIGN_INTERNAL_H
#define ASSAY_CAMPAIGN_INTERNAL_H

#include "bugs/bugs.h"
#include "base/pulse.h"
#include "campaign/campaign.h"
#include "campaign/terminal.h"
#include "inquiry/interest.h"

/* What a worker tells the supervisor besides the store, in memory that both share. */
struct worker_board {
    struct pulse pulse;             /* by when it will be heard of again */
    struct interest_board reducing; /* what it reduces now */
    char error[1024];               /* why it gave up; "" while it works */
};

/* How a worker ends by itself: exit statuses. Anything else is a crash. */
enum worker_exit {
    WORKER_DONE = 0,   /* stopped, or nothing left to do */
    WORKER_ERROR = 3,  /* the board says what */
    WORKER_HALTED = 4, /* by its keeper: a signal has stopped it, and nobody let it go on */
};

/* Two ways to ask a worker to end. The budget is spent: it drops a test in hand, which goes back to
 * the queue, but finishes confirming what it has found. Stop now: it drops that, too. */
struct worker_stop {
    volatile int soon, now;
};

/* Settings of the generator: for all programs, what no compiler has; for those in which something
 * is avoided, what some lack and known bugs need besides. None: n is 0. */
struct worker_avoids {
    const char *const *always, *const *settings;
    int n_always, n;
    int of_four; /* programs in which something is avoided */
};

int worker_main(const struct campaign_config *config, const struct worker_avoids *avoids,
                int64_t campaign, int slot, struct worker_board *board,
                const struct worker_stop *stop);

/* Reduce one finding of the campaign, for a slice of time or (`whole`) to its end. 1: done, for
 * now; 0: none is left; -1. */
struct log;
int worker_reduce(const struct campaign_config *config, struct store *store, int64_t campaign,
                  int slot, bool whole, const volatile int *stop, struct worker_board *board,
                  struct log *log, struct error *e);

/* Workers beyond this many deaths on one seed: the seed is given up. */
enum { WORKER_ATTEMPTS = 3 };

/* -- status ------------------------------------------------------------------------------------ */

struct status {
    enum status_mode mode;
    bool colour;
    struct store *store; /* the supervisor's; it may be another after a worker has started */
    const char *dir;
    int64_t campaign;
    struct campaign_budget budget;
    int workers;
    int64_t started_ms;          /* clock_ms at start */
    int64_t tests_at_start;      /* for the speed of this run */
    int64_t last_tests, last_ms; /* for the current speed */
    /* Lists that take longer the more was found: looked up again only so often that it costs no
     * more than a hundredth of the supervisor's time. */
    struct arena lists;
    struct store_testbed *testbeds;
    int n_testbeds;
    struct bug *bugs; /* those that are open, most recent first */
    int n_bugs;
    struct bug_counts counts;
    int64_t round_findings; /* as struct figures has it */
    bool reduce;            /* workers reduce */
    int n_unconfirmed, n_reduced, n_to_reduce, n_half_reduced;
    int64_t next_lists_ms;
    const struct worker_board *boards; /* of the workers; NULL: there are none to look at */
    const char *doing;                 /* the last line of the screen; NULL: how to stop */
    struct terminal terminal;
    int64_t next_plain_ms;
};

void status_begin(struct status *s);
/* Redraw, print a line or an object: whatever the mode wants now. */
int status_update(struct status *s, struct error *e);
/* Has the terminal another size than what is drawn? */
bool status_is_resized(const struct status *s);
/* Take the live screen away and print the final summary. */
int status_end(struct status *s, const char *why, struct error *e);

#endif
