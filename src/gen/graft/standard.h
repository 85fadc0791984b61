/* Functions of the C library as plain C, for functions that call them: programs of generators call
 * no library. */
#ifndef ASSAY_GEN_GRAFT_STANDARD_H
#define ASSAY_GEN_GRAFT_STANDARD_H

#include "base/error.h"
#include "cc/ast.h"

#define STANDARD_PREFIX "standard_"

/* In a program that the caller has initialised: standard_strlen and its like. */
int standard_load(struct cc_program *p, struct error *e);
/* What an imported program calls of the library becomes those. It is only to be read then. */
void standard_adopt(struct cc_program *p, const struct cc_program *standard);

#endif
