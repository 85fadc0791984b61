/* From a finding to a small program, and to what is to blame.
 *
 * inquiry_reduce takes what the program was made from, the better the more it says: the tree of a
 * C or LALA program, the choices of a generator, or only its text. It hands that to the reducers
 * (reduce/reduce.h) with the finding's test of interest (inquiry/interest.h), then reduces the
 * command line, checks the result with the limits that it was found with, and asks which pass and
 * which version of the compiler is to blame (triage/blame.h).
 *
 * Every step is in the store at once. Who is interrupted or killed begins again, and comes back to
 * where it was without a test, because every answer is remembered. A campaign, which has other
 * things to do, interrupts each after a slice of time. */
#ifndef ASSAY_INQUIRY_REDUCE_H
#define ASSAY_INQUIRY_REDUCE_H

#include "gen/gen.h"
#include "inquiry/interest.h"

struct inquiry_reducing {
    int slots;          /* tests side by side */
    const char *method; /* "c", "lala", "choices", "cvise" or "text" alone; NULL: the best */
    bool again;         /* even if it is done or has failed */
    bool blame;
    enum interest_show show;
    const volatile int *stop;        /* not 0: end soon */
    int64_t slice_ms;                /* it is interrupted so long after its first new answer, or
                                        after as long as it took to come back to it; 0: never */
    struct pulse *pulse;             /* told what a step may take; NULL: nobody watches */
    struct interest_board *board;    /* told what it is at; NULL: nobody looks */
    struct gen_context gen;          /* to make the program again */
    const struct testbed *installed; /* among them other versions of the accused */
    int n_installed;
};

struct inquiry_reduced {
    struct store_reduction row;
    struct program program; /* the reduced one; no files where there is none */
    struct store_blame blame;
    bool blamed;
    int64_t slips; /* other findings that came up */
    bool interrupted;
};

/* Is there such a method? */
bool inquiry_reduce_method(const char *name);
extern const char inquiry_reduce_methods[]; /* their names, for people */

/* What the store has of a reduction. 1: nothing is left to do. */
int inquiry_reduced(struct store *s, int64_t finding, const struct inquiry_reducing *how,
                    struct arena *a, struct inquiry_reduced *out, struct error *e);

/* `c` is bound; the process has no children. What `out` points to lives in the arena. 0 also where
 * the finding did not show again (row.state), or where it was interrupted. ERROR_USAGE: the method
 * that was asked for does not apply. */
int inquiry_reduce(struct store *s, const struct inquiry *c, const struct inquiry_reducing *how,
                   struct arena *a, struct inquiry_reduced *out, struct error *e);

/* Which pass, and since which version: for a case that `t` finds interesting. */
int inquiry_blame(struct interest *t, const struct inquiry_reducing *how,
                  const struct reduce_case *best, struct arena *a, struct store_blame *out,
                  struct error *e);
/* How the compiler of the last version that is right is started beside the accused; NULL: it is not
 * known, or of another system. */
const char *inquiry_last_good(const struct inquiry_reducing *how, const struct testbed *accused,
                              const struct store_blame *b, struct arena *a);
/* What a program makes a compiler do (triage/constructs.h); "": it has no tree. */
const char *inquiry_constructs(const struct program *p, struct arena *a);
/* The same for reduced cases of the store that were reduced before that was noted. */
int inquiry_look_at_old(struct store *s, struct error *e);
/* The programs next to the reduced one that come out right, as triage/kin.h writes them; "" where
 * the right output cannot be known. `good` is a version of the accused that is right, or NULL. */
int inquiry_kin(struct interest *t, const struct reduce_case *best, const char *good,
                struct arena *a, const char **out, struct error *e);

#endif
