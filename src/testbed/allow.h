/* Flags that came from others, such as those of a suite that was sent.
 *
 * A compiler can be told by its flags to run a command (-wrapper), to load code (-fplugin=), to
 * take more flags from a file (@file) or to write one. So such flags are compared with what is
 * known to do none of that: options of languages, warnings, optimisation, code generation and
 * macros, whose values name no file. To these a toolchain's file adds its own flag sets and what
 * `allow-flags` says. What a user types is the user's own, and is not asked about here. */
#ifndef ASSAY_TESTBED_ALLOW_H
#define ASSAY_TESTBED_ALLOW_H

#include "testbed/toolchain.h"

/* What it takes to say, for the end of a sentence. */
#define FLAGS_ALLOWED                                                                              \
    "-O, -f, -m, -W, -w, -g, -D, -U, -I, -l, -x, -std, -target, --param, -mllvm with values that " \
    "name no file, and what allow-flags of its toolchain's file adds"

/* NULL: all of them may be given to the toolchain's compilers; else the first that may not, in the
 * arena. `t` is NULL where no file tells of the compiler: then nothing is added to what all may
 * take. */
const char *flags_refused(const struct toolchain *t, const char *flags, struct arena *a);

#endif
