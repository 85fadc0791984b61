/* The generator `spe`: every variable usage of real programs' skeletons, over a folder of them.
 *
 *     assay run --generator spe --corpus DIR
 *
 * Seeds are numbers of variants: skeletons in order of their size, of each skeleton its variants in
 * order of their rank (or a sample), so that a campaign from seed 0 goes through all of them once
 * and knows where it was. A variant that is defined is run; its right output is known where interp
 * can run it, and voted on where only sanitizers could look at it. One that is not defined is only
 * compiled, as SPE 5.1 did: a compiler must not crash on it. */
#ifndef ASSAY_GEN_SPE_SPE_H
#define ASSAY_GEN_SPE_SPE_H

#include "gen/gen.h"

/* Of the generator, and of all that counts variants and orders them: raised where a seed comes to
 * mean another program. */
#define SPE_VERSION "3"

extern const struct gen_class gen_spe;

#endif
