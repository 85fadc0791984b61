/* Does a process want the processor and not get it?
 *
 * On a busy machine a compiler may take minutes of wall time for a second of its own. What it
 * waited for the processor is told by the kernel; a process that sleeps, or waits for another one,
 * does not wait so. */
#ifndef ASSAY_BASE_STARVE_H
#define ASSAY_BASE_STARVE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Of a process and all below it, as far as they live. */
struct starve {
    int64_t ran_us;    /* on a processor */
    int64_t waited_us; /* for one, up to the last time that each of them got it */
    bool ready;        /* one of them has something to do just now */
};

/* All 0 where the system does not tell. Looks at all processes: for rare use. */
struct starve starve_look(pid_t root);

/* Was it the machine that kept it from going on between two looks? It ran for less than half of the
 * time, and is ready to go on, or waited a quarter of the time for a processor. */
static inline bool starve_excuses(struct starve before, struct starve now, int64_t between_ms)
{
    int64_t ran_ms = (now.ran_us - before.ran_us) / 1000;
    int64_t waited_ms = (now.waited_us - before.waited_us) / 1000;
    return ran_ms < between_ms / 2 && (now.ready || waited_ms >= between_ms / 4);
}

#endif
