/* Is a program that interp cannot run free of undefined behaviour, as far as sanitizers see?
 *
 * From cheap to dear: clang's warnings about uninitialised variables, which need no code; gcc with
 * ASan and UBSan; clang with MSan, because reads of uninitialised variables are the main case, and
 * neither of the others sees them. All runs are in the sandbox. */
#ifndef ASSAY_GEN_SIEVE_H
#define ASSAY_GEN_SIEVE_H

#include "base/strbuf.h"
#include "program/program.h"

struct generator;

enum sieve_verdict { SIEVE_CLEAN, SIEVE_UNDEFINED, SIEVE_ENDLESS, SIEVE_FAILED /* to build */ };

struct sieve_result {
    enum sieve_verdict verdict;
    const char *by; /* "clang -Wuninitialized", "gcc ASan and UBSan", "clang MSan"; "" if clean */
    char why[160];  /* the first line of the report */
    int64_t cpu_us; /* of all builds and runs */
};

/* -1: a compiler is missing or the machine cannot sandbox. */
int sieve_try(const struct program *p, const volatile int *stop, struct sieve_result *out,
              struct error *e);
/* For a generator: what is not clean is only compiled. What was seen is added to `why`. */
int sieve_decide(struct generator *g, struct program *p, struct strbuf *why, struct error *e);

#endif
