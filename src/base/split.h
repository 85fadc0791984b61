/* The rest of the command in a pid namespace of its own, where the system allows that.
 *
 *     assay          waits, passes signals on, and ends as the worker ends
 *      '- keeper     pid 1 of the namespace; reaps
 *          '- assay  does what the command does
 *
 * When any of them dies, SIGKILL included, the kernel ends whatever was started below: a test in
 * flight leaves neither a compiler nor a program behind. */
#ifndef ASSAY_BASE_SPLIT_H
#define ASSAY_BASE_SPLIT_H

#include "base/error.h"

/* Returns in the new process. To be called while there are no threads, no open database and no
 * children. */
int split_command(struct error *e);

#endif
