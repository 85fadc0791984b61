/* Variants that are equivalent modulo inputs (Le, Afshari, Su, PLDI 2014; SPE section 6), of the
 * text of a real program: cc/emi.h has the idea, and does the same to the trees of our generators.
 *
 * The text has been parsed, imported and run by interp, so that each statement knows whether it
 * ran. Statements that did not are changed in the text itself; everything else of it stays as it
 * is, to the byte:
 *
 *     prune    the statement becomes `;`
 *     insert   a statement of the same block, executed or not, is copied before it, in braces
 *     swap     two of one block change places
 *
 * A statement takes part only if its text is sure to be it: not out of a macro, no directives in it
 * or before it, no labels in it that something outside of it could refer to. */
#ifndef ASSAY_GEN_SPE_EMI_H
#define ASSAY_GEN_SPE_EMI_H

#include "base/choice.h"
#include "base/strbuf.h"
#include "cc/emi.h"
#include "cc/import/import.h"

/* Add the text of `p` to `out`, with up to `max_changes` changes; the choice 0 is the simplest:
 * leave it as it is. `im` is its import, after a run of interp without a violation. Returns 0, also
 * where nothing could be changed; what was done is in `counts` (may be NULL). */
int emi_text(const struct parsed *p, const struct import *im, struct choice *c, int max_changes,
             struct strbuf *out, struct cc_emi_counts *counts);

#endif
