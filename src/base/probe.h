/* Asking a program for its version: run it, and take the first group of a pattern from what it
 * prints on standard output or, failing that, on standard error. */
#ifndef ASSAY_BASE_PROBE_H
#define ASSAY_BASE_PROBE_H

#include "base/arena.h"
#include "base/child.h"

#include <regex.h>

struct probe {
    const char *const *argv;
    const char *cwd;  /* NULL: ours */
    const char *root; /* it is a program of the system there; NULL: of this one */
    struct child_limits limits;
    const regex_t *version; /* NULL: only see whether it can be started */
};

/* *version (in the arena) is "" where none was found. 0; 1 when the program cannot be started, with
 * the reason in the error; -1 is our own failure. */
int probe_version(const struct probe *p, struct arena *a, const char **version, struct error *e);

#endif
