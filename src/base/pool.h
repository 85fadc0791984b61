/* Jobs side by side, each in a process of its own.
 *
 * child_run allows its caller no children, so that nothing escapes it. Whoever wants several tests
 * at a time therefore never calls it, but forks: each job is a function that runs in a copy of this
 * process, may call child_run as it likes, and hands back bytes. What it changes in memory is lost
 * with it, and so are the files that it opened; it must not touch a database that was open at the
 * fork.
 *
 * A job that is dropped is asked to stop (its `stop` becomes 1, which child_run heeds: it kills
 * whatever it has started) and only then killed. A job whose parent dies is killed; that nothing
 * which it started stays behind is the business of split_command. */
#ifndef ASSAY_BASE_POOL_H
#define ASSAY_BASE_POOL_H

#include "base/error.h"
#include "base/strbuf.h"

#include <stdint.h>
#include <sys/types.h>

/* Runs in the new process. What it appends to `out` is what pool_end gives. */
typedef void pool_job(void *of, int slot, const volatile int *stop, struct strbuf *out);

struct pool_slot {
    pid_t pid; /* 0: free */
    int from;  /* our end of its pipe */
    struct strbuf text;
};

struct pool {
    int n;
    struct pool_slot *slots;
    int64_t cpu_us; /* of all jobs that have ended, and of what they ran */
};

void pool_init(struct pool *p, int slots);
void pool_release(struct pool *p); /* drops what still runs */

int pool_begin(struct pool *p, int slot, pool_job *job, void *of, struct error *e);
/* Wait until a job has ended. `*slot` is its slot, free again, and `out` gets what it said: nothing
 * where it died. 1: none has within `wait_ms`. -1, without an error: *stop (may be NULL) was set.
 */
int pool_end(struct pool *p, int wait_ms, const volatile int *stop, int *slot, struct strbuf *out,
             struct error *e);
void pool_drop(struct pool *p, int slot);

#endif
