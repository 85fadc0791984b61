/* ub: programs with exactly one undefined operation, each with its valid twin, to test sanitizers
 * and analysers (after UBfuzz, ASPLOS 2024).
 *
 * A program of another generator of ours gets one edit (rows.h), at a statement that it executes.
 * interp runs both ways of it: the twin to its end, which gives its output, and the other one until
 * the first undefined operation, which must be the one that the edit marks, by the row's rule. An
 * edit that fails is undone and another one is tried.
 *
 * The program is t.c, its twin twin.c: the same lines but for the edit. The first comment names
 * rule, row, line and function (program/undefined.h). */
#ifndef ASSAY_GEN_UB_UB_H
#define ASSAY_GEN_UB_UB_H

#include "gen/gen.h"

extern const struct gen_class gen_ub;

#endif
