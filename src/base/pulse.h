/* A sign of life that another process can see, in memory that both share.
 *
 * Whoever works says, ahead of each step, by when it will be heard of again; whoever watches
 * compares that with the clock. Both are on one machine, and the clock is the system's. */
#ifndef ASSAY_BASE_PULSE_H
#define ASSAY_BASE_PULSE_H

#include "base/fs.h"

#include <stdatomic.h>

struct pulse {
    _Atomic int64_t until_ms; /* of clock_ms; 0: nobody waits */
};

/* What a step of our own may take, and what comes on top of a limit: a machine may be slow, and a
 * database locked for a minute. */
enum { PULSE_SLACK_MS = 120000, PULSE_LONG_MS = 900000 };

/* A step begins that takes at most so long; `p` may be NULL. */
static inline void pulse_allow(struct pulse *p, int64_t ms)
{
    if (p)
        atomic_store(&p->until_ms, clock_ms() + ms);
}

/* The same for a child process with a limit of time; 0: it has none. */
static inline void pulse_allow_child(struct pulse *p, int64_t wall_ms)
{
    pulse_allow(p, wall_ms ? wall_ms + PULSE_SLACK_MS : INT64_MAX / 2);
}

static inline bool pulse_is_late(const struct pulse *p)
{
    int64_t until = atomic_load(&p->until_ms);
    return until && clock_ms() > until;
}

#endif
