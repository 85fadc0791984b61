/* What a test may take: the process that builds and runs a kernel is limited before it sees it. */
#ifndef ASSAY_TESTBED_OPENCL_LIMITS_H
#define ASSAY_TESTBED_OPENCL_LIMITS_H

#include <stdint.h>

/* Paths with a colon between them that a test may read, besides those of the system. */
#define OPENCL_SEES "ASSAY_SEES"

/* For this process and its children: address space, size of files, no core dump, and where the
 * kernel has Landlock, new files in `folder` only, and no file read that is a user's. */
void limits_apply(const char *folder, int64_t memory_bytes);

/* So much CPU time from now on, then SIGXCPU; for each part of a test anew. */
void limits_cpu(int64_t cpu_ms);

#endif
