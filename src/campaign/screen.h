/* What a campaign shows of itself, as lines: a whole frame of the live screen, and the tables that
 * the summary has, too. It is given the figures (status.c), and reads nothing. */
#ifndef ASSAY_CAMPAIGN_SCREEN_H
#define ASSAY_CAMPAIGN_SCREEN_H

#include "campaign/campaign_internal.h"
#include "campaign/terminal.h"

struct figures {
    struct store_campaign campaign;
    struct store_testbed *testbeds;
    int n_testbeds;
    struct bug *bugs; /* those that are open, most recent first */
    int n_bugs;
    struct bug_counts counts; /* of all bugs of the campaign */
    int unconfirmed;          /* findings that were seen once */
    int to_reduce;            /* confirmed ones that are not reduced */
    int half_reduced;         /* of those, begun */
    bool reduce;              /* workers reduce */
    int reduced;              /* findings that are */
    int64_t round_ms;         /* of the current round */
    int64_t round_tests;
    int64_t round_findings; /* its news: what is known is none */
    double speed;           /* tests per second in this run */
    double speed_now;       /* since the last look */
    int64_t total_us;       /* CPU time of everything */
};

/* "22 findings in 3 bugs, 1 reduced, 2 of known bugs". */
const char *screen_bugs(struct arena *a, const struct figures *f);
/* Is all that the campaign has of this round? */
bool screen_is_first_round(const struct figures *f);
double screen_percent(int64_t part, int64_t whole);

/* A frame, of at most `rows` lines. */
void screen_compose(const struct status *s, struct arena *a, const struct figures *f, int rows,
                    int columns, screen *out);
/* Tables of all testbeds for so many columns; 0: as many as it takes. */
void screen_testbeds(struct arena *a, const struct figures *f, int columns, screen *out);
void screen_classes(struct arena *a, const struct figures *f, int columns, screen *out);
/* Findings by kind, and the newest bugs in at most so many rows. */
void screen_findings(struct arena *a, const struct figures *f, int rows, screen *out);

#endif
