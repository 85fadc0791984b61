/* The text of a file for one function: other functions are only declared, and variables that it
 * does not need are gone. So a construct that cannot be imported only costs the
 * functions that use it. */
#ifndef ASSAY_GEN_GRAFT_CUT_H
#define ASSAY_GEN_GRAFT_CUT_H

#include "base/strbuf.h"
#include "cc/import/parsed.h"

/* Is the node a function that is defined in the file itself? */
bool cut_is_function(const struct parsed *p, uint32_t node);
void cut_function(const struct parsed *p, uint32_t node, struct strbuf *out);

#endif
