/* `yarp`: random C and C++ without wrappers, by the way of YARPGen (Livinskii, Babokin, Regehr,
 * OOPSLA 2020). Behind the interface of gen.h; here is what tests and benchmarks need besides. */
#ifndef ASSAY_GEN_YARP_YARP_H
#define ASSAY_GEN_YARP_YARP_H

#include "cc/ast.h"
#include "gen/gen.h"

extern const struct gen_class gen_yarp;

/* Have `interp` run every program too, and fail (GEN_FAILED) where it sees undefined behaviour or
 * another checksum. On from the start in debug builds. */
void yarp_check(struct generator *g, bool on);

/* What has been made so far. */
struct yarp_counts {
    uint64_t programs, with_loops, loops;
    uint64_t steps;     /* nodes evaluated while generating */
    uint64_t rewritten; /* operations */
    uint64_t again;     /* programs run again as a whole, because a function had been rewritten */
};
struct yarp_counts yarp_measure(const struct generator *g);

/* The tree of a program, with main; it lives in the arena (its vectors: cc_program_release). */
struct cc_program *yarp_tree(struct generator *g, struct choice *c, struct arena *a);

#endif
