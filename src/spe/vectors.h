/* Test vectors for the counts and ranks, in a file of JSON (docs/SPE.md describes the format). */
#ifndef ASSAY_SPE_VECTORS_H
#define ASSAY_SPE_VECTORS_H

#include "base/error.h"
#include "base/strbuf.h"

/* Check every count and every given rank of a file against spe.h. One line per failure is added to
 * `out` ("paper-ex6: E2 is 41, expected 40"). Every count and every rank is one check. Returns 0,
 * or -1 with the error set if the file cannot be read or is not in the format. */
int spe_check_vectors(const char *path, struct strbuf *out, int *passed, int *failed,
                      struct error *error);

#endif
