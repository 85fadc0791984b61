/* How many fillings a prefix of the holes leaves, up to renaming, by Burnside's lemma.
 *
 * The number of orbits of a group is the mean, over its members, of the fillings that each leaves
 * as they are. Of the variables of one class those that the prefix has used are told apart, and any
 * permutation of the m others is in the group; C(m,j) D(m-j) of these leave exactly j alone (D(n):
 * permutations of n that move everything). A hole then has as many choices as it sees variables
 * that stay. So one number, the staying variables of the enclosing scopes, is all that a scope must
 * know of what is around it, and the sum over the whole group is a walk over the tree: polynomial
 * in holes, scopes and variables, without a subtraction. The sum of Stirling numbers that SPE 3.2.2
 * and 4.1.2 give is the case of one scope.
 *
 * A class that some holes below its scope do not see is kept out of that walk: which of its
 * variables stay is decided before it, once for each number of them, and each hole that sees the
 * class has so many more choices that do not depend on the walk.
 *
 * Between two calls only what has changed is calculated anew: a scope depends on the holes and used
 * variables of its subtree alone. */
#ifndef ASSAY_SPE_BURNSIDE_H
#define ASSAY_SPE_BURNSIDE_H

#include "spe/spe.h"

struct burnside_class { /* interchangeable variables */
    int scope, size;
    const bool *seen; /* by hole; NULL: by every hole below the scope */
};

enum { BURNSIDE_MOST_WALKS = 1 << 10 }; /* product of (size + 1) over the classes with `seen` */

struct burnside;

/* `others`: for each hole the variables it sees that are of no class. Part, classes and others
 * outlive it. */
struct burnside *burnside_new(const struct spe_part *part, const struct burnside_class *classes,
                              int n_classes, const int *others);
void burnside_free(struct burnside *b);

/* The fillings of the holes from number `from` on, where `used[c]` variables of class c occur
 * before. */
void burnside_count(struct burnside *b, int from, const int *used, struct natural *out);

#endif
