/* From folders of C to a library: which functions can be called with numbers and arrays of numbers,
 * and on which they are defined.
 *
 * Each function is copied out of its file with what it needs, and run by interp. Its domain is a
 * box: a range for each parameter. The widest ranges of a ladder are tried first, narrower ones for
 * all parameters until every run is defined and ends, and then each is widened as far as that
 * holds. Kept are functions whose results differ, with some of the runs. */
#ifndef ASSAY_GEN_GRAFT_HARVEST_H
#define ASSAY_GEN_GRAFT_HARVEST_H

#include "gen/graft/library.h"

struct harvest_options {
    uint64_t steps;               /* of interp, that a run may take; 0: 20,000 */
    int most;                     /* functions to keep; 0: all */
    const char *const *arguments; /* of clang, NULL-terminated; NULL: none */
    const volatile int *stop;     /* NULL: nobody stops it */
    /* What becomes of each function, and of files that cannot be read (function NULL): why it is
     * refused, NULL: it is kept. NULL: nobody asks. */
    void (*each)(void *to, const char *path, const char *function, const char *why);
    void *to;
};

struct harvest_counts {
    int files, unread, functions, kept;
};

/* Files, and folders with those in them. The text of the library at the end of `out`. -1: there is
 * no such file, or nothing can be read here. */
int graft_harvest(const char *const *paths, int n, const struct harvest_options *o,
                  struct strbuf *out, struct harvest_counts *counts, struct error *e);

/* -- for tests --------------------------------------------------------------------------------- */

/* The domain of a function that graft_describe has described, and some runs in it. NULL, or why it
 * is not kept. Everything lives in the arena. */
const char *graft_explore(struct graft_function *f, uint64_t max_steps, struct arena *a);

#endif
