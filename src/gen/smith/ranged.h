/* Integer expressions with the range of their value, for all values of what they read.
 *
 * The facts of smith do not include values (facts.h): an operation of any operands needs a wrapper,
 * and a subscript of any value a `%`. What is made here needs neither: each operation computes the
 * range of its result, and where a signed one could overflow it is done in the unsigned type of the
 * same width. So optimisers see bare arithmetic, and a subscript is known to be inside.
 *
 * A range is a union over both operands of ?:, whatever the condition is: it holds on every path.
 * Variables whose values are bounded are read by nobody else's stores: see nests.c. */
#ifndef ASSAY_GEN_SMITH_RANGED_H
#define ASSAY_GEN_SMITH_RANGED_H

#include "gen/smith/smith_internal.h"

struct ranged {
    struct cc_expr *e;
    cc_wide low, high;
};

struct ranged ranged_of(struct cc_expr *e); /* any value of its type */
struct ranged ranged_number(struct smith *s, int64_t v);
/* Both ranges may be any. Shifts take counts 0..31 and divisions a constant other than 0 and -1 on
 * the right. Comparisons give 0 or 1. */
struct ranged ranged_op(struct smith *s, enum cc_op op, struct ranged a, struct ranged b);
struct ranged ranged_with(struct smith *s, enum cc_op op, struct ranged a, int64_t b);
struct ranged ranged_cast(struct smith *s, const struct cc_type *t, struct ranged a);
struct ranged ranged_cond(struct smith *s, struct cc_expr *c, struct ranged a, struct ranged b);
/* In the unsigned type of its width after promotion. */
struct ranged ranged_unsigned(struct smith *s, struct ranged a);

static inline bool ranged_in(struct ranged a, cc_wide low, cc_wide high)
{
    return a.low >= low && a.high <= high;
}

#endif
