/* C-Vise or C-Reduce as the reducer of a text, where one of them is installed.
 *
 * Both take a script and files, and change the files in place as long as the script says that they
 * are interesting. Their convention: the script takes no arguments, runs in a fresh folder that
 * holds the candidate files and nothing else, and exits with 0 for interesting (script.h writes
 * such scripts). Whatever the tool leaves behind, even when it was stopped halfway, is taken only
 * if the script says yes to it. */
#ifndef ASSAY_REDUCE_EXTERNAL_H
#define ASSAY_REDUCE_EXTERNAL_H

#include "base/arena.h"
#include "base/error.h"
#include "program/program.h"

#include <stdbool.h>
#include <stdint.h>

struct external_reducer {
    const char *name;    /* "cvise" */
    const char *path;    /* where it was found on PATH */
    const char *version; /* the first line that it says of itself */
};

/* 0: there is one, cvise before creduce. -1: there is none. */
int reduce_external_find(struct arena *a, struct external_reducer *out);

struct external_job {
    const struct external_reducer *tool;
    const char *script;       /* its text */
    int cores;                /* tests side by side, at least 1 */
    int64_t wall_ms;          /* of the whole; 0: as long as it takes */
    int test_seconds;         /* of one test, at least 1 */
    bool c_like;              /* C, C++, OpenCL: the passes that know C are used */
    const volatile int *stop; /* not 0: end soon; may be NULL */
    void *of;
    /* Now and then: the size of the best so far, and what the tool is at ("LinesPass::0"). May be
     * NULL. */
    void (*progress)(void *of, int64_t bytes, const char *pass);
};

/* Reduce all files of `p`. `out` is the same program with smaller files, in the arena; without
 * `expected`, which the new text need not print. 0: the tool was done; 1: it was stopped, or ran
 * out of time, and `out` is the best that it had; -1. The caller has no children (base/child.h). */
int reduce_external(const struct external_job *job, const struct program *p, struct arena *a,
                    struct program *out, struct error *e);

#endif
