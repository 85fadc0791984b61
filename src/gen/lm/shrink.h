/* A program without what does not matter to it.
 *
 * Code that belongs to a large project carries much along: names for `unsigned`, parameters that
 * are handed from function to function and never looked at, structs of which one member is used. A
 * model would learn these above all, since they stand in every program of the project. So
 *
 *     typedef names of builtin types are replaced by those types,
 *     parameters that no body uses go, and the arguments for them,
 *     members that are never used go, where no initialiser counts them,
 *     tags go that nothing but their own typedef mentions,
 *     declarations go that are used no longer,
 *
 * until nothing changes. The program still compiles; it need not do the same. */
#ifndef ASSAY_GEN_LM_SHRINK_H
#define ASSAY_GEN_LM_SHRINK_H

#include "cc/import/outline.h"
#include "gen/lm/style.h"

/* The lexemes of a program (gen/lm/style.h: cleaned), in place; `root` is the piece that it is
 * about. */
void lm_shrink(lm_lexemes *program, const struct outline *l, uint32_t root);

/* To at most so many lexemes, for what is still too large: long lists of values are cut short, and
 * the largest helpers go, one by one. A call that is a statement goes with its function, any other
 * becomes 0; the rest of the program stays what people wrote. False: that is not enough. */
bool lm_shrink_below(lm_lexemes *program, const struct outline *l, uint32_t root, size_t most);

#endif
