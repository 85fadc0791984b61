/* The two steps of a testbed, as seen by assay: `build` makes a result or says why not, `run` runs
 * it and ends as the test ended. */
#ifndef ASSAY_TESTBED_OPENCL_CLIENT_H
#define ASSAY_TESTBED_OPENCL_CLIENT_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct client {
    const char *socket;
    int64_t cpu_ms, wall_ms, memory_bytes; /* 0: none */
    unsigned inputs;                       /* of the run */
    bool cost;                             /* say on standard error what a run took */
};

/* The exit status, or -1. A result is text: the token of the process that waits to run it, the
 * options, the source. */
int client_build(const struct client *c, const char *options, const char *file, const char *result,
                 struct error *e);
/* Dies of the signal that the test died of; of SIGXCPU when it ran out of time. */
int client_run(const struct client *c, const char *result, struct error *e);
/* Without a result: builds and runs, for use by hand. */
int client_build_and_run(const struct client *c, const char *options, const char *file,
                         struct error *e);
int client_ping(const struct client *c, struct error *e);

#endif
