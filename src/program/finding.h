/* A finding: one program on which one testbed misbehaved.
 *
 * It is on disk, as `new`, before anything else happens to it. Then the testbed tries the program
 * again: a finding is believed (`confirmed`) when it shows every time, and `flaky` otherwise. */
#ifndef ASSAY_PROGRAM_FINDING_H
#define ASSAY_PROGRAM_FINDING_H

#include "program/verdict.h"

#include <stdint.h>

#define FINDING_STATES(X)                                                                          \
    X(FINDING_NEW, "new", "seen once")                                                             \
    X(FINDING_CONFIRMED, "confirmed", "reproduced each time")                                      \
    X(FINDING_FLAKY, "flaky", "reproduced, but not each time")

enum finding_state { FINDING_STATES(WORD_ID) FINDING_STATE_COUNT };

extern const char *const finding_state_name[FINDING_STATE_COUNT];
int finding_state_from_name(const char *name);

struct finding {
    int64_t id; /* given by the store */
    int64_t campaign;
    uint64_t seed;
    const char *testbed; /* its name */
    int64_t testbed_id;  /* as it was registered in its campaign */
    struct verdict verdict;
    const char *signature; /* the same for what is probably the same bug */
    enum finding_state state;
    int seen, tried;   /* how often it showed in how many tries */
    int64_t found_at;  /* seconds since 1970 */
    char program[33];  /* content hash */
    const char *right; /* the testbeds that were right about it, by their ids: ",3,5,"; "": none */
    const char *alike; /* those with the same anomaly */
};

#endif
