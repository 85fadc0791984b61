/* Building and running a kernel on an OpenCL runtime, in this process.
 *
 * The runtime is opened once (device and context) and used by children of the process: therefore
 * nothing that has a thread, such as a queue, is kept open. Errors of the interface itself come as
 * struct error; what the kernel computes goes to standard output, the build log to standard error.
 *
 * The text on standard output, for the launches of DeepSmith 3.3:
 *
 *     floats                                        only where the program computes with floats
 *     kernel A 1 thread
 *     buffer 0 int 1 hash 1c9dca65: 2
 *     kernel A 2048 threads
 *     buffer 0 int 2048 hash 0de1a5c5: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 */
#ifndef ASSAY_TESTBED_OPENCL_HARNESS_H
#define ASSAY_TESTBED_OPENCL_HARNESS_H

#include "base/error.h"
#include "base/strbuf.h"

struct harness; /* an open runtime */
struct harness_program;

/* The runtimes that the loader knows: "NAME\tVERSION\tdriver VERSION\tDEVICE" a line. */
int harness_list(struct strbuf *out, struct error *e);

/* The first device of the platform whose name contains `platform`, warmed up by building and
 * running a small kernel. */
struct harness *harness_open(const char *platform, struct error *e);

/* 1: the compiler rejects it, and its log is on standard error. */
int harness_build(struct harness *h, const char *source, const char *options,
                  struct harness_program **out, struct error *e);

/* Every kernel with each number of threads. 1: the runtime refused something that it had compiled;
 * the last line on standard output says what. */
int harness_run(struct harness *h, const struct harness_program *p, unsigned inputs,
                struct error *e);

#endif
