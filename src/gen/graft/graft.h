/* `graft`: real functions in generated programs. docs/GRAFT.md
 *
 * A program of smith or yarp is the host. Calls of functions that people wrote (library.h) go into
 * its expressions and between its statements, with arguments that are known, or forced into the
 * domain of the function; what they return goes on in the host's own data or into a sum that main
 * hashes. Then interp runs the whole: the answer is known, or the last grafts are taken out again.
 *
 * After Creal (Li, Theodoridis, Su: "Boosting Compiler Testing by Injecting Real-World Code", PLDI
 * 2024), which profiles functions natively and puts calls in the place of constants. */
#ifndef ASSAY_GEN_GRAFT_GRAFT_H
#define ASSAY_GEN_GRAFT_GRAFT_H

#include "gen/gen.h"

extern const struct gen_class gen_graft;

/* What has been made so far. */
struct graft_counts {
    uint64_t programs, planted, dropped; /* grafts that were put in; of them taken out again */
    uint64_t failed;                     /* programs of which nothing was left */
    uint64_t runs, steps;                /* of interp */
};
struct graft_counts graft_measure(const struct generator *g);

#endif
