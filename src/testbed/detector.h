/* Testbeds that detect undefined behaviour: what they say of a program with one undefined
 * operation, and of its valid twin (program/undefined.h).
 *
 * Both are built and run; a report is what matches a `report` of the toolchain's file, and its
 * place is the first place in the program that the text from there on names. A testbed without
 * `run` says all when it builds: there only what it says of the rule and of the operation's
 * statement is a report, and it is not judged: an analyser does not know what a variable holds.
 *
 * A compiler may remove an undefined operation before the sanitizer sees it, and is right to;
 * without optimisation, too, where nobody needs its value. So a report that is missing means
 * something only if the code of the operation is executed all the same (crash-site mapping, UBfuzz,
 * ASPLOS 2024): the instructions that the line table gives to the operation's line are replaced by
 * breakpoints, and the program is run again. It dies of one, or the operation is gone. */
#ifndef ASSAY_TESTBED_DETECTOR_H
#define ASSAY_TESTBED_DETECTOR_H

#include "testbed/runner.h"

/* Is it such a testbed? */
bool detector_is(const struct testbed *t);
/* Must it report this operation? */
bool detector_must(const struct testbed *t, const char *rule, const char *row);

/* runner_observe for such a testbed: the output is a detection's text (OK), or the program is none
 * for it (SKIPPED), or one of the two is not built, or does not end. */
int detector_observe(struct runner *r, const struct program *p, const struct testbed *t,
                     struct arena *a, struct observation *out, struct error *e);

/* Put breakpoints at the instructions of these lines of `file` in an executable: `table` is what
 * readelf --debug-dump=decodedline says of it. The number of them; -1: it cannot be changed. */
int detector_break(const char *exe, const char *table, const char *file, int line, struct error *e);

#endif
