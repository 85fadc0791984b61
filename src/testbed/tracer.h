/* Reading what Valgrind's lackey says of every memory access, and keeping what concerns the objects
 * that a program announces (program/trace.h).
 *
 * lackey prints one line per instruction and access, some 500,000 a second: gigabytes for a program
 * that runs a while. They come through a pipe (child_sink), are looked at once and forgotten; a run
 * costs no memory and no disk.
 *
 *     I  04001000,3         an instruction: passed over
 *      L 404028,4           a load
 *      S 404028,4           a store
 *      M 404028,4           a load and a store by one instruction
 *
 * Everything else on standard error is Valgrind's own word, or the program's, and is kept. A
 * program that writes parts of lines there would cut lackey's lines in two; ours write nothing. */
#ifndef ASSAY_TESTBED_TRACER_H
#define ASSAY_TESTBED_TRACER_H

#include "program/trace.h"
#include "testbed/symbols.h"

/* What must stand ahead of the program's own command, ending with NULL. */
extern const char *const tracer_command[];

struct tracer {
    struct symbol *objects; /* those that the program has, by address */
    int n_objects;
    struct volatile_trace trace;
    struct strbuf other; /* lines that are no trace, capped */
    char part[96];       /* the beginning of a line whose end has not come yet ... */
    size_t part_size;
    bool part_long; /* ... or which is longer than any that lackey prints */
};

/* NULL, or why this program cannot be traced. tracer_release in any case. */
const char *tracer_init(struct tracer *t, const char *exe, const struct volatile_accesses *accesses,
                        struct arena *a);
void tracer_release(struct tracer *t);

/* The child_sink for a run; `tracer` is the context. */
void tracer_take(void *tracer, const char *data, size_t n);

/* After the run: what Valgrind could not do (an instruction that it does not know, memory that it
 * did not get), as a sentence, or NULL. Such a run says nothing about the compiler. */
const char *tracer_complaint(const struct tracer *t, struct arena *a);

#endif
