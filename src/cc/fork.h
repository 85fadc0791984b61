/* One tree that is two programs.
 *
 * A fork is an expression with two readings, of which a program has one at a time: that of the
 * program with an undefined operation, and that of its valid twin. All forks of a program go the
 * same way. Printed is the reading that holds, and nothing of the other; to everybody else a fork
 * is a conditional expression with a constant in front.
 *
 *     int32_t ub_1 = 2147483647;        int32_t ub_1 = 1;
 *     g_3 = g_3 + ub_1;                 g_3 = g_3 + ub_1;
 *
 * So both texts differ in the fork alone, line by line, and whatever changes the tree (reduction)
 * changes both.
 *
 * The one operation that is undefined is `marked`: cc_print_options.site puts it on a line of its
 * own. */
#ifndef ASSAY_CC_FORK_H
#define ASSAY_CC_FORK_H

#include "cc/build.h"

/* Arithmetic or pointers; of constants it is a constant. Goes the valid way at first. */
struct cc_expr *cc_fork(struct cc_program *p, struct cc_expr *undefined, struct cc_expr *valid);

/* The reading that holds. */
static inline struct cc_expr *cc_fork_taken(const struct cc_expr *fork)
{
    return fork->a->kind == CC_E_INT && fork->a->value ? fork->b : fork->c;
}

/* Which way all forks go from now on. Returns how many there are. */
int cc_forks_go(struct cc_program *p, bool undefined);

/* The marked node of the program; NULL: there is none, or more than one. */
const struct cc_expr *cc_marked(const struct cc_program *p);
/* Is it this node, or one below it? */
bool cc_is_within(const struct cc_expr *part, const struct cc_expr *whole);

/* Does the statement do nothing but store the value of this operation in a global, as it is,
 * converted, or compared with another value, and is it not one of constants alone? Then no compiler
 * that does not optimise may leave the operation out. */
bool cc_is_stored(const struct cc_stmt *s, const struct cc_expr *operation);

#endif
