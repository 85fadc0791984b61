/* What one testbed did with one program. */
#ifndef ASSAY_PROGRAM_OBSERVATION_H
#define ASSAY_PROGRAM_OBSERVATION_H

#include "base/words.h"

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* DeepSmith 2.2, figure 2: seven outcomes; `skipped` stands where a program was not tried. */
#define OUTCOMES(X)                                                                                \
    X(OUTCOME_OK, "ok", "built, ran and terminated")                                               \
    X(OUTCOME_BUILD_FAIL, "build-fail", "the compiler rejected it")                                \
    X(OUTCOME_BUILD_CRASH, "build-crash", "the compiler crashed")                                  \
    X(OUTCOME_BUILD_TIMEOUT, "build-timeout", "the compiler timed out")                            \
    X(OUTCOME_RUN_CRASH, "run-crash", "the program crashed")                                       \
    X(OUTCOME_RUN_TIMEOUT, "run-timeout", "the program timed out")                                 \
    X(OUTCOME_SKIPPED, "skipped", "not tried")

enum outcome { OUTCOMES(WORD_ID) OUTCOME_COUNT };

extern const char *const outcome_name[OUTCOME_COUNT];
extern const char *const outcome_help[OUTCOME_COUNT];
/* -1 for a name that is none. */
int outcome_from_name(const char *name);

struct step_cost {
    int64_t cpu_us; /* user + system */
    int64_t wall_us;
    int64_t peak_kb;
};

struct observation {
    enum outcome outcome;
    int exit_status;     /* of the step that decided, -1 when it ended by a signal */
    int signal;          /* 0: none */
    bool server_died;    /* of a run-crash: it was the testbed's server that died (not stored) */
    struct bytes output; /* of the run, normalised, capped; empty where there is none. Of a run that
                            was traced: followed by the line of its summary */
    int64_t output_size; /* before the cap */
    char output_hash[33]; /* of exit status and whole normalised output, without the summary of a
                             trace; "" unless OK */
    const char *messages; /* what the compiler printed, capped; or why it was skipped */
    bool of_machine;     /* of a skipped one: the machine is at fault, not the program. The compiler
                            or what runs its result could not be started, the disk is full, the
                            system killed it; `messages` says what (not stored) */
    bool undefined;      /* of a run-crash: a filter says so of the program (not stored) */
    const char *suspect; /* what in the messages of a good build the testbed calls suspect; NULL:
                            nothing (not stored) */
    const char *detail;  /* one phrase: "SIGSEGV", "exit 4", "CPU limit 30s", ... */
    const char *flags;   /* those drawn for this test; "" where the testbed has its own */
    struct step_cost build, run;
};

/* What is compared between testbeds, and with a known answer: exit status and output together. */
void observation_hash(int exit_status, struct bytes output, char hash[33]);

#endif
