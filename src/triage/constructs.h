/* What a program makes a compiler do ("shift right of a narrow unsigned"), as a text that travels
 * with it: a first line "#", then a line each, a letter for how much it says, and its name. */
#ifndef ASSAY_TRIAGE_CONSTRUCTS_H
#define ASSAY_TRIAGE_CONSTRUCTS_H

#include "base/strbuf.h"
#include "cc/ast.h"

void constructs_write(const struct cc_program *p, struct strbuf *out);

#endif
