/* What the oracle says of one testbed's observation. */
#ifndef ASSAY_PROGRAM_VERDICT_H
#define ASSAY_PROGRAM_VERDICT_H

#include "base/words.h"

#include <stdbool.h>

/* DeepSmith 2.3 (bc, bto, abf, arc, awo), the non-termination of Csmith 5.1.1, the volatile
 * accesses of Csmith 6.1, and resources. A disagreement is an election without a majority: someone
 * is wrong, but not who. Missed, false alarm and misplaced are those of detectors of undefined
 * behaviour (UBfuzz). Suspect is an expected output that nearly nobody prints. */
#define ANOMALIES(X)                                                                               \
    X(ANOMALY_NONE, "agrees", "as it should be")                                                   \
    X(ANOMALY_BUILD_CRASH, "build-crash", "the compiler crashed")                                  \
    X(ANOMALY_BUILD_HANG, "build-hang", "the compiler timed out")                                  \
    X(ANOMALY_BUILD_FAIL, "build-fail", "rejects a valid program")                                 \
    X(ANOMALY_RUN_CRASH, "run-crash", "the program crashes and should not")                        \
    X(ANOMALY_RUN_HANG, "run-hang", "the program times out and should not")                        \
    X(ANOMALY_WRONG_OUTPUT, "wrong-output", "the program prints wrong output")                     \
    X(ANOMALY_WRONG_VOLATILE, "wrong-volatile", "wrong accesses to volatile objects")              \
    X(ANOMALY_SLOW_COMPILE, "slow-compile", "takes far longer to compile than elsewhere")          \
    X(ANOMALY_MEMORY, "memory-blowup", "takes far more memory to compile than elsewhere")          \
    X(ANOMALY_DISAGREEMENT, "disagreement", "outputs differ and none has a majority")              \
    X(ANOMALY_MISSED, "missed", "does not report an undefined operation that is executed")         \
    X(ANOMALY_FALSE_ALARM, "false-alarm", "reports an undefined operation in a valid program")     \
    X(ANOMALY_MISPLACED, "misplaced",                                                              \
      "reports an undefined operation at another place or as "                                     \
      "another one")                                                                               \
    X(ANOMALY_SUSPECT, "suspect", "our interpreter is wrong, or all of them are")

enum anomaly { ANOMALIES(WORD_ID) ANOMALY_COUNT };

extern const char *const anomaly_name[ANOMALY_COUNT];
extern const char *const anomaly_help[ANOMALY_COUNT];
int anomaly_from_name(const char *name);
bool anomaly_is_of_detector(enum anomaly a); /* of undefined operations */
bool anomaly_is_of_group(enum anomaly a);    /* of all testbeds of a model: it blames none */

/* The five classes of DeepSmith 2.3, as its table 2 counts them for each testbed. */
#define CLASSES(X)                                                                                 \
    X(CLASS_BC, "bc", ANOMALY_BUILD_CRASH)                                                         \
    X(CLASS_BTO, "bto", ANOMALY_BUILD_HANG)                                                        \
    X(CLASS_ABF, "abf", ANOMALY_BUILD_FAIL)                                                        \
    X(CLASS_ARC, "arc", ANOMALY_RUN_CRASH)                                                         \
    X(CLASS_AWO, "awo", ANOMALY_WRONG_OUTPUT)

enum anomaly_class { CLASSES(WORD_ID) CLASS_COUNT };

extern const char *const class_name[CLASS_COUNT];
extern const enum anomaly class_anomaly[CLASS_COUNT];

#define EVIDENCES(X)                                                                               \
    X(EVIDENCE_NONE, "none", "nothing to compare with")                                            \
    X(EVIDENCE_EXPECTED, "expected", "the correct output is known")                                \
    X(EVIDENCE_VOTE, "vote", "the majority of the testbeds disagrees")                             \
    X(EVIDENCE_SELF, "self", "wrong by itself, whatever the others do")

enum evidence { EVIDENCES(WORD_ID) EVIDENCE_COUNT };

extern const char *const evidence_name[EVIDENCE_COUNT];
int evidence_from_name(const char *name);

struct verdict {
    enum anomaly anomaly;
    enum evidence evidence;
    double confidence; /* 0..1: share of the voters that support it; 1 for expected and self */
    bool of_group;     /* disagreement, suspect: of all testbeds of a model, told at one of them */
};

#endif
