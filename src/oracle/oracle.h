/* Observations -> verdicts. Pure functions: no I/O, no state.
 *
 * Evidence, strongest first:
 *   self      a compiler that crashes or hangs is wrong, whatever the others do (DeepSmith 2.3: bc
 *             and bto are of immediate interest), and so is a server that dies of a program;
 *   expected  the generator knew the output. It may be mistaken, too: where all voters, or all but
 *             one, did the same and it is something else, and they are at least three and of two
 *             toolchains, the output is suspect. Nobody is blamed then for what the program did;
 *   vote      the two-thirds rule of DeepSmith 2.3: where at least that share of the voters ran the
 *             program to its end, a build failure, a crash or an endless run elsewhere is
 *             anomalous, and where that share printed the same, any other output is. Voters are the
 *             reference testbeds; where a model has none, all of its testbeds. One voter alone is
 *             no majority. Outputs that differ without a majority are a disagreement: Csmith 3.2.2
 *             says that someone is wrong, the vote does not say who.
 * A testbed without any of these may still take far more time or memory to compile than the others
 * do. Testbeds are compared with those of the same model only; resources with all.
 *
 * Some testbeds may take as long as they like (solvers: their problem has no bound). One that ran
 * out of time then has no opinion, like one that was skipped.
 *
 * One that only builds, among others that run what they built, has no output: it may reject what
 * they ran, and otherwise has no opinion. Where nobody runs anything, that it built is its output.
 *
 * A testbed that detects undefined operations (program/undefined.h) never votes either. It is wrong
 * if it reports anything of the valid twin; or if it must report the operation, and says nothing,
 * though its code is executed: even without optimisation compilers leave out what nobody needs.
 * There an operation whose value is stored must be reported in any case, and a report must name the
 * statement's lines and what is wrong with it: optimised code has no exact places.
 *
 * A testbed that traces (program/trace.h) never votes, and that it needs too long means nothing:
 * tracing makes a program a thousand times slower. What it prints is judged as anywhere else; where
 * that is right, the summary of its trace must be the one that the program announces. */
#ifndef ASSAY_ORACLE_ORACLE_H
#define ASSAY_ORACLE_ORACLE_H

#include "program/observation.h"
#include "program/undefined.h"
#include "program/verdict.h"

struct oracle_config {
    double majority;       /* share of the voters that decides: 2/3 */
    double slow_ratio;     /* compile time over the median of the others that is anomalous ... */
    int64_t slow_floor_us; /* ... if it is at least this CPU time */
    double memory_ratio;
    int64_t memory_floor_kb;
    double hang_margin; /* a run limit must be this many times the slowest good run before running
                           into it counts: unoptimised code may just be slow */
};

extern const struct oracle_config oracle_defaults;

struct oracle_input {
    const struct observation *observation;
    const char *model;
    const char *toolchain;
    bool reference;
    int64_t run_limit_us; /* CPU */
    const char *trace; /* of a testbed that traces: the summary that must come out; otherwise NULL
                        */
    /* Of a testbed that detects undefined operations: what is there, and what it saw; NULL: it was
     * not asked. `detects`: it is one, and never votes. */
    const struct undefined *undefined;
    const struct detection *detection;
    bool detects;
    bool must_detect; /* it is wrong if it says nothing */
    bool optimises;
    bool may_time_out; /* running out of time is no opinion: it neither votes then nor is wrong */
    bool
        only_builds; /* others run the program: that it built is no output to compare with theirs */
};

/* verdicts[i] is for inputs[i]. `expected_hash` (observation_hash) is NULL where unknown. */
void oracle_judge(const struct oracle_config *config, const char *expected_hash,
                  const struct oracle_input *inputs, int n, struct verdict *verdicts);

/* Who did the same, whoever is right: groups[i] is the first of the inputs of its model that ended
 * as input i did and, where both ran to their end, printed the same. -1: it has no opinion; nor has
 * a run that took too long to wait for (hang_margin). */
void oracle_groups(const struct oracle_config *config, const struct oracle_input *inputs, int n,
                   int *groups);

/* How many of n voters decide. */
int oracle_quorum(const struct oracle_config *config, int n);

/* Outputs with floating point in them, which compilers may compute in different ways (DeepSmith 2.3
 * does not compare those at all). Two texts are the same when they differ only in numbers, of which
 * one has a point, an exponent as printf writes it or is nan or inf, and these differ by no more
 * than the share `tolerance` of the larger, or by 1e-6 near zero. Integers must be equal.
 *
 * leaders[i] is the first of the n texts that text i is the same as: i where it is like none before
 * it. Each is compared with leaders only, so that no chain of small differences makes a large one;
 * a text without data is like no other. */
void oracle_unify(const struct bytes *texts, int n, double tolerance, int *leaders);

#endif
