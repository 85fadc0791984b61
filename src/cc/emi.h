/* Variants that are equivalent modulo inputs (Le, Afshari, Su, PLDI 2014), of a program's tree.
 *
 * Our programs have no input, so that there is one execution. Statements that it never reached may
 * be anything that compiles: the output stays what it was. What an optimiser sees changes all the
 * same, because it cannot know what is never reached.
 *
 * Three changes, of statements that interp saw unexecuted (`ran`, of the statement and of all that
 * is in it):
 *
 *     prune    it becomes an empty statement; a branch or loop body becomes empty, an else vanishes
 *     insert   a copy of a statement of the same block or of one around it comes before it: as it
 *              is, or as the body of an if or a loop
 *     swap     two of one block change places
 *
 * Declarations that are used, labels that something jumps to, case labels and the last return of a
 * function stay where they are. A copy has no labels, no jumps out of it but `return`, no static
 * variables; its own variables get new names. So C and C++ compilers take the result. */
#ifndef ASSAY_CC_EMI_H
#define ASSAY_CC_EMI_H

#include "base/choice.h"
#include "cc/ast.h"

/* How many changes a variant gets where no number is given, and the most that may be asked for. */
enum { CC_EMI_CHANGES = 8, CC_EMI_MOST_CHANGES = 100 };

struct cc_emi_counts {
    int pruned, inserted, swapped;
};

/* interp has run the program to its end. Tries `max_changes` times, each time one of the three or
 * none; p->main is left alone. The choice 0 is the simplest: leave it as it is. Returns with what
 * was done in `out` (may be NULL). */
void cc_emi(struct cc_program *p, struct choice *c, int max_changes, struct cc_emi_counts *out);

#endif
