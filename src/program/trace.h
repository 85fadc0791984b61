/* What a program does to its volatile objects, as one number: the volatile oracle (Csmith 6.1).
 *
 * The C standard makes accesses to volatile objects part of what a program does (5.1.2.3p6). A
 * compiler that drops, doubles, reorders, splits or widens one may leave every output as it was; so
 * the accesses themselves are compared. The sequence of them is hashed as text, one line each:
 *
 *     r g_5+4 2\n        read of 2 bytes, 4 bytes into g_5
 *     w g_5+0 4\n        write of 4 bytes
 *
 * with FNV-1a, 32 bits. What g_5++ does is a read and a write. The size is that of the access as
 * the machine made it: compilers owe a scalar of up to a machine word one access of its own size,
 * and the offset alone would miss a read that was narrowed.
 *
 * The summary of a trace is the line `volatile: 123 accesses, hash 1A2B3C4D`. A program that knows
 * its own says so in a comment ahead of its first token, together with the objects that count:
 *
 *      * volatile: 123 accesses, hash 1A2B3C4D, of g_3 g_9 g_12
 *
 * The order is part of it. A program that says so must therefore leave no order open: at most one
 * access to a listed object between two sequence points, beyond those that their values order (a
 * write behind the reads that it depends on). Bit-fields, copies of whole structures, and scalars
 * of more than a machine word have accesses that the compiler may choose; they cannot be listed. */
#ifndef ASSAY_PROGRAM_TRACE_H
#define ASSAY_PROGRAM_TRACE_H

#include "program/program.h"

struct volatile_trace {
    uint64_t accesses;
    uint32_t hash;
};

enum { VOLATILE_SUMMARY_SIZE = 64 };

void volatile_trace_init(struct volatile_trace *t);
void volatile_trace_add(struct volatile_trace *t, const char *object, uint64_t offset,
                        unsigned size, bool write);
/* The summary, without a newline, into `out`; returns it. */
const char *volatile_trace_summary(const struct volatile_trace *t, char out[VOLATILE_SUMMARY_SIZE]);

/* Append what the comment says, from "volatile:" to the last name, without " * "
 * and newline. */
void volatile_trace_comment(const struct volatile_trace *t, const char *const *objects, int n,
                            struct strbuf *out);

struct volatile_accesses {
    char summary[VOLATILE_SUMMARY_SIZE];
    const char *const *objects;
    int n_objects;
};

/* Those that a program announces: by its first source file that does. False: none does. */
bool program_volatile_accesses(const struct program *p, struct arena *a,
                               struct volatile_accesses *out);

/* The last line of a traced run's output, which is the summary and a newline; "" where it is none.
 */
const char *volatile_summary_in(struct bytes output);

#endif
