/* The generator that is any language with a LALA specification: lala:c, lala:lua, lala:PATH.
 *
 * language.h reads the folder, the room `ag` searches for a tree that satisfies all guards; here a
 * tree becomes a program with its settings:
 *
 *     features    enabled, "a+b"; "default" stands for those of language.ini, "-a" takes one away
 *     max-height  of a recursive component of the grammar
 *     size        nodes after which the search looks for an end
 *     weights     a file of "Class.production = 3" lines, or "Class.production:3+..."
 *     no-fail-patterns  the ablation of bench/lala */
#ifndef ASSAY_GEN_LALA_H
#define ASSAY_GEN_LALA_H

#include "gen/gen.h"

extern const struct gen_class gen_lala;

#endif
