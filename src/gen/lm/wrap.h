/* Functions of C as a program that runs: a main that calls each of them with fixed inputs and
 * prints what they return and leave behind.
 *
 * Scalars get small numbers, pointers an array of 1, 2, 3, ..., structs are zero. A
 * function with a parameter for which there is no such input (a pointer to a function, a union by
 * value) is not called. Then interp runs it all: what is defined has a known output, what is not is
 * only compiled, and what interp cannot decide is left to the sanitizers (gen/sieve.h). */
#ifndef ASSAY_GEN_LM_WRAP_H
#define ASSAY_GEN_LM_WRAP_H

#include "cc/import/parsed.h"
#include "program/program.h"

/* The text of main, for a unit that was parsed; how many functions it calls. 0: there is nothing to
 * call, or a main already, and nothing is appended. */
int lm_wrap_main(const struct parsed *unit, struct strbuf *out);

enum lm_wrap_verdict {
    LM_WRAP_REFUSED, /* clang does not take it */
    LM_WRAP_NOTHING, /* nothing can be called */
    LM_WRAP_DEFINED, /* `expected` is known */
    LM_WRAP_UNDEFINED,
    LM_WRAP_ENDLESS,
    LM_WRAP_OPEN,      /* it prints what C leaves to the compiler: nothing to compare */
    LM_WRAP_ABORTED,   /* nor here */
    LM_WRAP_UNDECIDED, /* interp cannot run it: for the sanitizers, or the vote */
    LM_WRAP_VERDICTS
};
extern const char *const lm_wrap_verdict_name[LM_WRAP_VERDICTS];

/* Append main to a text, run it. `why` gets a reason in one line where there is one. */
enum lm_wrap_verdict lm_wrap_run(struct strbuf *text, struct strbuf *expected, struct strbuf *why);

#endif
