/* One function by itself, run by interp on arguments that are given as numbers. */
#ifndef ASSAY_GEN_GRAFT_RUN_H
#define ASSAY_GEN_GRAFT_RUN_H

#include "gen/graft/library.h"

struct graft_runner;

/* The function and its parameters as they are now: their values may change, but not their kinds
 * and lengths. NULL: *why says what keeps interp from running it. Lives in the arena. */
struct graft_runner *graft_runner_new(const struct graft_function *f, struct arena *a,
                                      const char **why);
void graft_runner_free(struct graft_runner *r);

/* CC_UB_NONE, and what comes out; otherwise the rule, and `why`, if there is one, gets a line. */
enum cc_ub graft_runner_run(struct graft_runner *r, const cc_wide *in, uint64_t max_steps,
                            cc_wide *out, uint64_t *steps, struct strbuf *why);

#endif
