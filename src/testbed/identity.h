/* Is a compiler still the one that it was?
 *
 * A campaign runs for a night, and at night systems are upgraded. What is compared is the inode,
 * size and time of the compiler's file and of the parts that it starts (`parts` of the toolchain:
 * gcc is a driver, and cc1 the compiler), which costs a microsecond each, and, where it is asked
 * for, the version that it prints: that of a wrapper may change while its file does not. */
#ifndef ASSAY_TESTBED_IDENTITY_H
#define ASSAY_TESTBED_IDENTITY_H

#include "base/arena.h"
#include "base/error.h"
#include "program/testbed.h"

/* Of the compiler at `path` (see struct testbed). The commands may be NULL; {cc} stands for the
 * path.
 */
int identity_make(const char *path, const char *parts, const char *probe, const regex_t *version,
                  const struct child_limits *limits, struct arena *a, struct testbed_identity *out,
                  struct error *e);

/* As the files are now; 0: one of them is not there. */
uint64_t identity_stamp(const struct testbed_identity *i);

/* The version that it prints now; "" where there is none, or it cannot be started. */
int identity_version(const struct testbed_identity *i, struct arena *a, const char **out,
                     struct error *e);

/* The hash of what is in its files, as 32 hexadecimal digits: the same compiler on two machines has
 * the same. "" where one cannot be read. Takes some milliseconds. */
const char *identity_content(const struct testbed_identity *i, struct arena *a);

/* When the newest of its files was written: "2026-11-17 03:12:05". */
const char *identity_time(const struct testbed_identity *i, struct arena *a);

#endif
