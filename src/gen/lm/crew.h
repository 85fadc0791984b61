/* Many independent items, done by several processes.
 *
 * Each worker takes the next item that nobody has, and works in a process of its own: what libclang
 * crashes on costs one item. Workers hand back blocks of bytes, which are given to the caller in
 * the order of the items, however many workers there were. */
#ifndef ASSAY_GEN_LM_CREW_H
#define ASSAY_GEN_LM_CREW_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdint.h>

enum { LM_CREW_MOST = 64 };

struct lm_crew {
    uint32_t n; /* items */
    int workers;
    int seconds; /* CPU time of one item; then its worker is lost */
    void *context;
    /* In a worker: item i; what it appends to `out` is handed back. `folder` is the worker's own,
     * empty at first. */
    void (*work)(void *context, uint32_t i, const char *folder, struct strbuf *out);
    /* In the parent, for each item in order, at the end. NULL: its worker was lost. */
    void (*take)(void *context, uint32_t i, const char *data, size_t n);
    /* In the parent, now and then; may be NULL. */
    void (*progress)(void *context, uint32_t done, uint32_t n);
    const volatile int *stop; /* NULL: nothing stops it */
};

/* -1: no process, no space for what workers hand back, or stopped; nothing is handed over then. */
int lm_crew_run(const struct lm_crew *crew, struct error *e);

#endif
