/* One program, tried on testbeds and judged: what a worker does with each seed, and what every
 * inquiry into a finding does again. Nothing here knows the store. */
#ifndef ASSAY_INQUIRY_TEST_H
#define ASSAY_INQUIRY_TEST_H

#include "oracle/oracle.h"
#include "program/testbed.h"
#include "testbed/runner.h"

/* Who is tried, and how it is judged. */
struct test_setup {
    struct testbed *testbeds;
    int n_testbeds;
    struct oracle_config oracle;
    bool sandbox_all, sandbox_none;
};

/* A runner for these testbeds, with or without the sandbox. */
int test_runner_init(const struct test_setup *setup, struct runner *r, struct error *e);
/* The index of the testbed of this name; -1: there is none. */
int test_find(const struct testbed *list, int n, const char *name);

/* The testbeds for the test of this seed: those with random flags get them, from the seed and the
 * testbed's name alone. In the arena. */
struct testbed *test_draw(const struct test_setup *setup, uint64_t seed, struct arena *a);

/* One test by itself, without a store: what `check` and `replay` do. `observations` and `verdicts`
 * have room for n_testbeds.
 *
 * p->build_only is set where a filter, or a warning of a reference, says that what the program does
 * when run is nobody's fault: it is then one that must not be run, here and wherever it is kept.
 * The detail of that testbed's observation says why. */
int test_try(const struct test_setup *setup, struct runner *r, struct program *p, struct arena *a,
             struct observation *observations, struct verdict *verdicts, struct error *e);

/* Ask one filter about a program that was loaded. 1: it has nothing to say against it, and its
 * observation is SKIPPED; 0: it says, or its own end says, that the program must not be run, and
 * the observation is RUN_CRASH or RUN_TIMEOUT; -1. */
int test_filter(struct runner *r, const struct program *p, const struct testbed *filter,
                struct arena *a, struct observation *out, struct error *e);

/* The first testbed, of those that vote, whose build says that the program may be none to run; -1:
 * there is none. */
int test_suspect(const struct test_setup *setup, const struct observation *observations, int n);

/* What the oracle says of observations that were made, one per testbed. */
void test_judge(const struct test_setup *setup, const struct program *p,
                const struct observation *observations, struct arena *a, struct verdict *verdicts);

/* Who did the same, whoever is right (oracle_groups): groups[i] is the first testbed that did what
 * testbed i did; -1: it has nothing to say. */
void test_groups(const struct test_setup *setup, const struct program *p,
                 const struct observation *observations, struct arena *a, int *groups);

/* Is the anomaly of `was` at testbed `index` there again, when only what must be is tried again?
 * `observations` are the recorded ones and are updated; random flags are those recorded there. 1, 0
 * or -1. */
int test_again(const struct test_setup *setup, struct runner *r, const struct program *p,
               const struct verdict *was, int index, struct arena *a,
               struct observation *observations, struct error *e);

/* Is the anomaly of `was` at testbed `index`, found by vote, there as well when the program works
 * on other inputs? DeepSmith 2.3: what divides by zero on one input does not on another. 1: it is,
 * or that cannot be told, because too few testbeds take other inputs; 0: it is not; -1. Random
 * flags are those of `observations`. What it costs is added to *cpu_us, unless that is NULL. */
int test_other_inputs(const struct test_setup *setup, struct runner *r, const struct program *p,
                      const struct verdict *was, int index, const struct observation *observations,
                      struct arena *a, int64_t *cpu_us, struct error *e);

#endif
