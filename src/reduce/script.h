/* The test of interest of a C program as a shell script: for C-Vise and C-Reduce, started by us or
 * by hand.
 *
 * The script takes no arguments, runs in a folder that holds the candidate's files, and exits with
 * 0 if they are interesting: the accused compiler does the same wrong thing, and the program is one
 * that it should get right. It needs sh, timeout, grep, cmp, and the compilers. Each check is a
 * line that ends the script, cheap ones first; each has a comment for those who read it. */
#ifndef ASSAY_REDUCE_SCRIPT_H
#define ASSAY_REDUCE_SCRIPT_H

#include "base/error.h"
#include "base/strbuf.h"
#include "program/verdict.h"

/* Commands are text for sh: a simple command per line (no pipes, no assignments in front), each of
 * which must succeed before the next is run. What may be NULL says so. */
struct script_commands {
    const char *build; /* "gcc -O2 t.c -o t" */
    const char *run;   /* "./t"; NULL where the anomaly is one of the build */
};

struct reduce_script {
    const char *title;   /* one line for the head; NULL */
    const char *sources; /* files that a compiler is given, words: "t.c init.c" */
    const char *needs;   /* arguments that every compiler must get; NULL */

    enum anomaly anomaly; /* of build: crash, fail, hang; of run: crash, hang, wrong output */
    const char *pattern;  /* lines, all to be found in the messages of the build (of the run, for a
                             crash of that) as they are; NULL */
    struct script_commands accused;
    struct script_commands reference; /* who gets it right; `build` NULL: nobody. A wrong output
                                         needs one */

    /* Who judges the program; NULL: do without. Without any of them it need not even be C. */
    const char *gcc, *clang; /* commands */
    const char *assay;       /* path: `assay check --ub` is asked before the sanitizers */

    int build_seconds, run_seconds; /* 0: 10 */
    int memory_mb;                  /* address space of each process; 0: no limit. Not applied to
                                       sanitizers, which reserve terabytes */
};

/* The text of the script is added to `out`. -1: these wishes make no script. */
int reduce_script(const struct reduce_script *s, struct strbuf *out, struct error *e);

#endif
