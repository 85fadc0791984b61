/* What a run did to the volatile objects of its program, as the program's comment says it. */
#ifndef ASSAY_INTERP_ACCESSES_H
#define ASSAY_INTERP_ACCESSES_H

#include "base/arena.h"
#include "interp/interp.h"

/* The text of program/trace.h, in the arena; NULL: there is no global whose accesses count. */
const char *interp_volatile_comment(const struct cc_program *p, const struct interp *in,
                                    struct arena *a);

#endif
