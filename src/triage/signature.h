/* A signature: the same text for what is probably the same bug, so that a bug that shows a
 * thousand times does not hide one that shows once (YARPGen 3.4).
 *
 * A compiler that crashes or rejects says why: the telling line of its messages, with places,
 * names and numbers taken out. A wrong result says nothing; there the testbed must do. */
#ifndef ASSAY_TRIAGE_SIGNATURE_H
#define ASSAY_TRIAGE_SIGNATURE_H

#include "base/arena.h"
#include "program/observation.h"
#include "program/testbed.h"
#include "program/verdict.h"

const char *signature_make(struct arena *a, const struct testbed *t, const struct observation *o,
                           const struct verdict *v);

/* What of a signature is the compiler's own word, or the place where it crashed: equal for the same
 * bug in all versions of a compiler. NULL: it names only the testbed and how it ended, which many
 * bugs share. */
const char *signature_evidence(const char *signature);

#endif
