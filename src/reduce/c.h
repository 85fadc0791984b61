/* Reduction of C programs on their tree.
 *
 * The tree is that of a generator (the program has a frame: a main that hashes every global and
 * prints the checksum), or was imported from text (main is a function like any other). Every
 * candidate is a new tree, built by cc's builders from the old one with some nodes left out or
 * exchanged: so it is well typed by construction. Then interp runs it: a candidate with undefined
 * behaviour, or one that does not end, is refused, and what it should print is known before any
 * compiler sees it. No reduction step can introduce undefined behaviour. */
#ifndef ASSAY_REDUCE_C_H
#define ASSAY_REDUCE_C_H

#include "cc/print.h"
#include "reduce/reduce.h"

struct reduce_c {
    struct cc_program
        *program; /* with its main; the caller's, not changed but for interp's marks */
    struct cc_print_options print; /* how it is printed; whole_main: it is an imported one */
    bool run;    /* it is run: interp judges each candidate, and knows its output. False: it is only
                    compiled (the anomaly is the compiler's), whatever it would do */
    bool strict; /* judged as generated programs are; otherwise as interp's `real` */
    /* One operation is undefined, by this rule and row, and must stay so; the tree has forks and a
     * mark (cc/fork.h). CC_UB_NONE: none. */
    enum cc_ub undefined;
    const char *row;
    bool trace; /* the accesses to volatile objects are what is wrong (program/trace.h) */
};

/* The tree of a program's text, single-file C only. What of it is not supported, and was not
 * reached, is 0 in the tree (cc_import_fill): its printing is a candidate as any other. 1: it
 * cannot be imported, `e` says why; 0, and then its output by interp agrees with what the program
 * says (p->expected), where it is run, and out->program is to be released; else it is NULL. */
int reduce_c_import(const struct program *p, struct arena *a, struct reduce_c *out,
                    struct error *e);
/* What a program of one file prints, by interp: in *expected, in the arena. 1: nobody knows, or it
 * is not defined. */
int reduce_c_expect(const struct program *p, struct arena *a, struct bytes *expected);
/* Reduce r->best, which is the text of that tree. Returns the number of steps that were kept, or
 * -1. 0 and nothing tried where the tree's own printing is not interesting. */
int reduce_c(struct reduction *r, const struct reduce_c *c, struct error *e);

#endif
