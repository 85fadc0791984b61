/* Which part of a compiler is to blame: pass, flag and version bisection (YARPGen 3.4).
 *
 * The compiler is reached by a callback that builds and runs the (reduced) case with other flags or
 * by another compiler, and says whether the anomaly is still there. Three ways, by what the
 * toolchain file says that the compiler can do (docs/TESTBEDS.md: the section [blame]):
 *
 *     limit     passes are counted, and cut off behind the N-th: clang's -mllvm
 *               -opt-bisect-limit=N. Binary search for the first N that is bad; the compiler's
 *               own message names the pass.
 *     counters  gcc's -fdbg-cnt=NAME:N where it is built in
 *     switches  what the level switches on (gcc -Q --help=optimizers) is switched off, all at once
 *               and then by delta debugging; then single passes by -fdisable-tree-NAME and so on
 *               (gcc -fdump-passes).
 *
 * The result is a name that is the same for the same bug, as far as that can be: whose absence
 * makes the case right. */
#ifndef ASSAY_TRIAGE_BLAME_H
#define ASSAY_TRIAGE_BLAME_H

#include "base/arena.h"
#include "base/error.h"
#include "program/testbed.h"

/* What came of one try. */
struct blame_try {
    bool bad;             /* the anomaly is there, as it was */
    bool broken;          /* it cannot be told: the build failed otherwise */
    const char *messages; /* what the compiler printed; in the arena that was given */
};

struct blame_probe {
    void *of;
    /* Build and run the case by the accused testbed with `flags` in place of its own. */
    int (*with_flags)(void *of, const char *flags, struct arena *a, struct blame_try *out,
                      struct error *e);
    /* Only ask the compiler: its output for these arguments ("-O2 -Q --help=optimizers"). */
    int (*ask)(void *of, const char *arguments, struct arena *a, const char **output,
               struct error *e);
};

struct blame {
    const char *pass;   /* "" where nothing could be blamed */
    const char *detail; /* a sentence for people: how it was found */
    int tries;
};

/* `t` has the rules of its toolchain (t->blame); `flags` are those that are left of its own.
 * 0 also where nothing is to blame. */
int blame_pass(const struct testbed *t, const char *flags, const struct blame_probe *probe,
               struct arena *a, struct blame *out, struct error *e);

/* Versions of one toolchain, oldest first, numbers compared as numbers. */
struct blame_version {
    const char *compiler, *version;
    int index; /* the caller's */
};
void blame_sort_versions(struct blame_version *list, int n);
/* Indices into the list; -1: none. */
struct blame_range {
    int last_good, first_bad; /* the accused one and those before it */
    int last_bad, next_good;  /* and those behind it: is it mended there? */
};
/* Which versions are bad, if they were right before and are right again behind? On each side of the
 * accused one all installed ones are tried where there are at most eight, from it to the first that
 * is right; else by bisection. `bad` answers 1, 0, or -1 with the error; -2: cannot be told. */
int blame_versions(const struct blame_version *list, int n, int accused, void *of,
                   int (*bad)(void *of, int index, struct error *e), struct blame_range *out,
                   struct error *e);

#endif
