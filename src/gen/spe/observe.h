/* What a real program left behind: a checksum of its variables, printed when it ends.
 *
 * Tests of compilers mostly just call abort() or exit with 0; that is one bit to compare. So a
 * function is added to the end of the file that shows every arithmetic object of static storage in
 * it, members and elements included, and a second file prints a hash of what it was shown, and how
 * the program ended, whether main returned, exit was called or abort. The process itself ends with
 * status 0 then: a run that ends otherwise has crashed. The text of the file stays as it is. */
#ifndef ASSAY_GEN_SPE_OBSERVE_H
#define ASSAY_GEN_SPE_OBSERVE_H

#include "base/strbuf.h"
#include "cc/import/parsed.h"

#include <stdint.h>

#define OBSERVE_FUNCTION "assay_observe"

/* The function to add to the file. */
void observe_function(const struct parsed *parsed, struct strbuf *out);
/* The file that calls it. */
extern const char observe_file[];

/* The line that is printed; `hash` is interp's (interp_seen). */
enum observe_end { OBSERVE_EXIT, OBSERVE_ABORT };
void observe_line(enum observe_end how, int status, uint64_t hash, struct strbuf *out);

#endif
