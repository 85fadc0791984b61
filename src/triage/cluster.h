/* Findings that are probably the same bug, and in which order to look at them.
 *
 * Pure functions on texts. Two findings are of one cluster when nothing tells them apart: the same
 * anomaly, and the same message, blamed pass or flags where there are any; where there are none
 * (wrong output of a compiler that explains nothing) their reduced programs must be alike. The
 * order is furthest point first (Csmith 7.2.4, after Chen et al.): each next one is the one that is
 * least like all before it, so that the first ten are ten bugs. Known and boring ones come last. */
#ifndef ASSAY_TRIAGE_CLUSTER_H
#define ASSAY_TRIAGE_CLUSTER_H

#include "base/arena.h"
#include "program/verdict.h"

#include <stdint.h>

struct triage_finding {
    int64_t id; /* of the finding */
    enum anomaly anomaly;
    const char *toolchain;  /* "gcc" */
    const char *testbed;    /* "gcc-12 -O3" */
    const char *signature;  /* as signature_make gave it */
    const char *pass;       /* blamed; "" */
    const char *flags;      /* those that are left; "" */
    const char *language;   /* "c" */
    const char *text;       /* the reduced program; NULL: not reduced (yet) */
    const char *constructs; /* of it (triage/constructs.h); "" or NULL: it had no tree */
    const char *kin; /* what comes out right next to it (triage/kin.h); "" or NULL: unknown */
    /* What the accused's compiler makes of the program when it does not optimise. */
    enum { PLAIN_UNKNOWN, PLAIN_RIGHT, PLAIN_WRONG } plain;
    bool flaky, known;
};

struct triage_cluster {
    int representative; /* index of a finding: reduced before not reduced, then the shortest text */
    int *members;       /* indices of findings, ascending */
    int n_members;
    bool known;          /* one of them is marked so */
    const char *because; /* what they have in common, for people: "blamed on -ftree-vrp" */
};

/* In the order in which to look at them. */
void triage_clusters(const struct triage_finding *findings, int n, struct arena *a,
                     struct triage_cluster **out, int *n_out);

/* The one that finding `one` is in; the order is not asked for, and those that cannot be of one
 * cluster with it are not looked at. */
struct triage_cluster triage_cluster_of(const struct triage_finding *findings, int n, int one,
                                        struct arena *a);

#endif
