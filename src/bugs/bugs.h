/* What a bug is: findings that probably have the same cause, with what the store knows of each.
 *
 * triage knows no store, and the store no triage; this is where the one is read for the other.
 * `assay bugs`, `show`, `report`, `run` and the search for known bugs all load their bugs here, so
 * that they speak of the same ones: what belongs together, which finding stands for it, and what
 * people say of it.
 *
 * A bug may show ten thousand times. That is no reason to leave findings out: those that are not
 * reduced have no text and cost nothing to compare, and triage itself compares no more texts with
 * each other than it can afford.
 *
 * What slipped into a reduction (store_slip) is a candidate that did something else than was asked
 * for: most of it is accident, and it may be the same bug seen otherwise. As long as it is neither
 * reduced nor spoken of, it waits with the bug that it slipped from, and is none of its own. */
#ifndef ASSAY_BUGS_BUGS_H
#define ASSAY_BUGS_BUGS_H

#include "store/store.h"

/* A finding, with what else the store has of it. */
struct bug_member {
    const struct finding *finding;
    const struct store_testbed *testbed; /* that it accuses */
    const struct store_reduction
        *reduction;                  /* NULL: nobody has begun. A best program counts, though
                                        it may not be over: it is smaller than the original */
    const struct store_blame *blame; /* NULL: none */
    const struct store_mark *mark;   /* NULL: none of its own */
    const struct program *program;   /* the reduced one; NULL: there is none */
    const char *text;                /* of all its files; NULL */
    bool known;                      /* its mark, or one that covers it, says so */
    int n_slips;                     /* that wait with it */
    bool imported;                   /* it comes from a baseline, and was not seen here */
};

struct bug {
    const char *name; /* "build-crash-gcc-3f2a91c0": for folders, CI, whoever must know it again. By
                         its oldest finding alone, so that other bugs, another order and another
                         first one do not change it */
    const struct bug_member *first;          /* the one to look at */
    const struct bug_member *const *members; /* by id; the first is among them */
    int n_members;
    const char *because;           /* what they have in common, for people; "" */
    const char *testbeds;          /* names of all that show it, with ", " between */
    const struct store_mark *mark; /* the newest of all members; NULL: none */
    int64_t first_at, last_at;     /* seconds since 1970 */
    int n_flaky, n_known;          /* members that are */
    int n_slips;                   /* that wait with its members to be reduced */
    int n_seen;                    /* members that were found here, and not imported */
    bool known;                    /* one is: counted, and not in the list */
    bool fixed;                    /* marked so, and not seen since */
    bool again;                    /* marked fixed, but seen since */
};

struct bug_list {
    struct finding *findings;   /* those that are asked for, oldest first. A flaky one is left out
                                   where another with its signature is not flaky */
    struct bug_member *members; /* beside them */
    int n_findings;
    int n_slips;      /* the last so many of them wait with another one, and are in no bug */
    struct bug *bugs; /* in the order in which to look at them */
    int n;
    /* Of the whole store, each by the id of the finding. */
    struct store_reduction *reductions;
    struct store_blame *blames;
    struct store_mark *marks;
    int64_t *known;
    int n_reductions, n_blames, n_marks, n_known;
    struct store_campaign *campaigns;
    struct store_testbed **testbeds; /* a list beside each campaign */
    int *n_testbeds;
    int n_campaigns;
};

int bugs_load(struct store *s, const struct store_query *f, struct arena *a, struct bug_list *out,
              struct error *e);
/* The one bug that the finding belongs to, of all findings of the store; no bug where it is left
 * out, or waits. `member` is what is known of the finding itself, in any case, but its program. */
int bugs_load_with(struct store *s, const struct finding *f, struct arena *a, struct bug_list *out,
                   struct bug_member *member, struct error *e);

/* How many there are, for whoever tells it: the list, the screen and the end of a campaign, a
 * report. */
struct bug_counts {
    int open, known, fixed; /* bugs; what is not open is closed (bug_is_closed) */
    int64_t findings, known_findings, fixed_findings; /* of them, that were found here */
};
/* One more, of which `n` findings count. */
void bug_count(struct bug_counts *c, const struct bug *b, int64_t n);
/* How many of the findings that show it are of a campaign, or of what slipped into its reductions.
 */
int64_t bugs_part(const struct bug_list *l, const struct bug *b, int64_t campaign);
bool bugs_is_of(const struct bug_list *l, const struct finding *f, int64_t campaign);

/* The finding in whose reduction this one, with its program, slipped in; 0: in none that is there.
 * It has no seed of its own: its program is made from that of the other one, which was on the same
 * testbed. `slipped`: it is such a one. */
int bugs_slipped_from(struct store *s, const struct finding *f, const struct program *p,
                      struct arena *a, bool *slipped, int64_t *from, struct error *e);

/* Is there a finding of it on the testbed of this name? */
bool bug_shows_on(const struct bug *b, const char *testbed);
/* Nothing to be done: known, or fixed. */
bool bug_is_closed(const struct bug *b);
/* Is this what bugs are called, with anything behind a dot? */
bool bug_is_name(const char *text);
/* How far its program was reduced: a best program may be there before the reduction is over. */
enum bug_reduced { BUG_NOT_REDUCED, BUG_HALF_REDUCED, BUG_REDUCED };
enum bug_reduced bug_reduced(const struct bug *b);
/* What people say of it. Of one that shows again, and of one that nobody spoke of: MARK_NONE. */
enum mark bug_mark(const struct bug *b);
/* The same as a word: "again" for one that was fixed and has shown since. */
const char *bug_mark_name(const struct bug *b);
const char *bug_note(const struct bug *b); /* "" where there is none */

#endif
