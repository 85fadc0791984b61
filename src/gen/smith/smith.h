/* smith: random C that is valid on every path, with its right answer (Csmith's generator,
 * complete). */
#ifndef ASSAY_GEN_SMITH_SMITH_H
#define ASSAY_GEN_SMITH_SMITH_H

#include "gen/gen.h"

struct cc_program;

extern const struct gen_class gen_smith;

/* What a generator of this class has done so far, for benchmarks and tests: AST nodes that interp
 * evaluated and the CPU time that it took, in nanoseconds. */
void smith_measure(const struct generator *g, uint64_t *steps, int64_t *interp_ns);
/* How many programs were dropped because interp found them undefined: must be 0. `why` (may be
 * NULL) gets what was wrong with the last. */
uint64_t smith_dropped(const struct generator *g, const char **why);

/* The tree of a program without main, entry set; for tests. It lives in `a`; the caller releases
 * it. */
struct cc_program *smith_tree(struct generator *g, struct choice *c, struct arena *a);

#endif
