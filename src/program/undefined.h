/* A program with one undefined operation: what it says of it, and what a detector saw.
 *
 * Such a program has two sources, `t.c` with the operation and `twin.c`, its valid twin: the same
 * lines but for the one difference. Compilers get the first only, and nothing of it is run, since
 * it may do anything. A testbed that detects undefined behaviour (`detects`) builds and runs both.
 * A comment ahead of the first token of t.c says what is there to be found:
 *
 *      * undefined: out-of-bounds/heap at line 120 of 119-121, in func_3
 *
 * rule and row of the generator, the line of the operation, the lines of its statement, and
 * "(stored)" behind them if its value goes straight into a global. What a
 * detector saw is text, too, and is kept as the output of its run:
 *
 *     undefined: out-of-bounds/heap
 *     report: out-of-bounds, line 120
 *     site: not looked at
 *     twin: silent
 */
#ifndef ASSAY_PROGRAM_UNDEFINED_H
#define ASSAY_PROGRAM_UNDEFINED_H

#include "base/words.h"
#include "program/program.h"

#define UNDEFINED_FILE "t.c"
#define UNDEFINED_TWIN "twin.c"

struct undefined {
    const char *rule, *row, *func;
    int line;        /* of the operation */
    int first, last; /* of its statement */
    bool stored;     /* nobody can do without it unless he optimises: see cc/fork.h */
};

/* What the comment says, from "undefined:" on. */
const char *undefined_comment(const struct undefined *u, struct arena *a);
/* The line that ends in `mark`, and the one behind it, which ends the statement. */
void undefined_locate(const struct program_file *f, const char *mark, struct undefined *u);
/* What a program says. False: it says nothing. */
bool program_undefined(const struct program *p, struct arena *a, struct undefined *out);

/* Is it the file that is not given to compilers with the others? */
bool program_is_twin(const char *name);
/* One of the two as a program by itself; it is to be run. */
struct program undefined_half(const struct program *p, const char *name, struct arena *a);

/* Does a list of rules ("out-of-bounds") and rows ("out-of-bounds/heap") have this one? */
bool undefined_listed(const char *const *list, const char *rule, const char *row);

/* The same for words with blanks between, of which "any" is every rule. */
bool undefined_stands_for(const char *words, const char *rule, const char *row);

/* -- what a detector saw ----------------------------------------------------------------------- */

#define UNDEFINED_SITES(X)                                                                         \
    X(SITE_UNKNOWN, "not looked at", "the code of the operation was not looked for")               \
    X(SITE_REACHED, "reached", "the code of the operation is executed")                            \
    X(SITE_GONE, "gone", "the optimiser has removed the code of the operation")

enum undefined_site { UNDEFINED_SITES(WORD_ID) N_UNDEFINED_SITES };

#define UNDEFINED_TWINS(X)                                                                         \
    X(TWIN_SILENT, "silent", "no report")                                                          \
    X(TWIN_REPORTED, "reported", "a report on the valid program")                                  \
    X(TWIN_WRONG, "wrong output", "it does not print what it should")                              \
    X(TWIN_ABSENT, "not there", "the program was given by itself")

enum undefined_twin { UNDEFINED_TWINS(WORD_ID) N_UNDEFINED_TWINS };

struct detection {
    const char *what; /* was there to be found: "out-of-bounds/heap" */
    const char *said; /* rules that the report stands for, words; NULL: there was no report */
    int line;         /* that the report names; 0: none */
    enum undefined_site site;
    enum undefined_twin twin;
    const char *text, *twin_text; /* the first line of the reports; "" */
};

/* The lines that are the same each time, without what the reports say word by word. */
const char *detection_facts(const struct detection *d, struct arena *a);
const char *detection_text(const struct detection *d, struct arena *a);
/* False: it is no such text. */
bool detection_read(struct bytes text, struct arena *a, struct detection *out);

#endif
