/* The reference interpreter: runs a `cc` program by the rules of the C11 abstract machine, and
 * either ends with its output or names the exact undefined behaviour and where it happened.
 *
 * Memory is made of cells, not of bytes: an object has one cell per scalar or lane of a vector (a
 * union: one cell for the union itself, then the cells of each member). A cell knows its value,
 * which of its bytes are determinate, and when it was last read and written. A pointer is (object,
 * cell, byte within the cell, one past the end or not): provenance is what a pointer is, not
 * something tracked beside it.
 *
 * Unsequenced conflicts (6.5p2) are found exactly and cheaply by time: each access stamps its cell
 * with a clock. While the second of two unsequenced operands is evaluated, the interval of clock
 * values of the first is on a stack; an access to a cell whose last conflicting access lies in one
 * of those intervals is a conflict. Order between calls in one expression is found in the same way.
 *
 * Every rule is a row of CC_UB_TABLE. One execution, no input: what holds for it holds for the
 * program. */
#ifndef ASSAY_INTERP_INTERP_H
#define ASSAY_INTERP_INTERP_H

#include "base/strbuf.h"
#include "cc/ast.h"

struct interp;

/* Who decides, as the program runs, where it goes: by putting another condition where one has just
 * been evaluated. What happened before is as it would have been with the new one, so that the run
 * is a run of the program as it is in the end. */
struct interp_steering {
    void *to;
    /* The condition of an if statement had this outcome; returns the one that it is to have. If
     * that is another one, it has put there the opposite, or, where the condition compares integers
     * with a constant, another operator or constant in the same node. `left`: the value that is
     * compared with a constant, NULL where there is none. */
    bool (*condition)(void *to, struct cc_stmt *branch, bool outcome, const cc_wide *left);
    /* A switch goes by this value next: labels that no value was equal to so far may change. */
    void (*value)(void *to, struct cc_stmt *on, cc_wide value);
    /* Of a LOGICAL or COND that is `turnable`: the same for its first operand. The opposite is
     * another node. */
    bool (*operand)(void *to, struct cc_expr *e, bool outcome);
};

struct interp_options {
    uint64_t max_steps;  /* AST nodes evaluated; 0: 100 million */
    int max_depth;       /* nested calls; 0: 200 */
    bool trace_volatile; /* keep the accesses to volatile objects */
    bool strict_unions;  /* no relaxed reads: only the member stored last may be read (4.6.2) */
    bool real;           /* a program that people wrote: what GCC and clang both define is defined,
                          * such as any union member read through the union, bytes of any object,
                          * pointers converted to integers and back */
    uint32_t way;     /* how to decide what C leaves open, such as addresses, how large the result
                       * of strcmp is, the sign of a NaN; 0: as usual; see interp_settled */
    bool values;      /* keep the values of expressions, for interp_value_of */
    uint32_t history; /* keep so many stores, for interp_history; 0: none. Slow */
    const struct interp_steering *steering; /* NULL: nobody changes the program as it runs */
};

/* What went wrong and where. */
struct interp_ub {
    enum cc_ub rule;            /* CC_UB_NONE: nothing */
    const struct cc_expr *expr; /* the innermost expression; may be NULL */
    const struct cc_stmt *stmt; /* the statement it is in */
    const struct cc_func *func;
    char detail[120]; /* "g_3[4] of 4", "counter 33"; may be "" */
};

struct interp_access {        /* of a volatile object, in program order */
    const struct cc_var *var; /* static objects only; accesses to automatic ones have var NULL */
    uint32_t offset;          /* bytes into the object, in the program's data model; of a bit-field:
                               * of its storage unit's first byte */
    uint8_t size;             /* bytes of the scalar, or of the vector where that was the operand */
    bool write;
};

/* The program must not change while the interpreter exists, except for what interp itself sets
 * (ran, needed, slot, frame), for p->main, which may be made between interp_call and interp_main,
 * and for what options.steering changes. */
struct interp *interp_new(struct cc_program *p, const struct interp_options *o);
void interp_free(struct interp *in);

/* Call a function without parameters, on the globals as they are (first: as initialised). Returns
 * CC_UB_NONE, or the rule that was violated; interp_violation says where. After a violation the
 * interpreter answers questions, but runs nothing more. */
enum cc_ub interp_call(struct interp *in, struct cc_func *f);
/* Run what follows the entry call in p->main: the checksum. */
enum cc_ub interp_checksum(struct interp *in);
/* Both in one: entry, then the checksum; for programs whose main is there already. */
enum cc_ub interp_run(struct interp *in);

/* How a run of interp_main ended. */
enum interp_ending {
    INTERP_RETURNED,
    INTERP_EXITED,
    INTERP_QUIT, /* by _exit: nothing that was registered for the end is called */
    INTERP_ABORTED,
    INTERP_TRAPPED,
};
struct interp_end {
    enum interp_ending how;
    int status; /* of main or exit */
};
/* Run p->main of an imported program, with no arguments. After CC_UB_NONE, interp_ended tells how,
 * and interp_printed what it wrote to stdout. */
enum cc_ub interp_main(struct interp *in);
const struct interp_end *interp_ended(const struct interp *in);
const struct strbuf *interp_printed(const struct interp *in);
/* Is the outcome of a run of interp_main without violation that of the program? If the run decided
 * anything that C leaves open, others decide it otherwise, and must end with the same status,
 * output and interp_seen. `last`: called at the end of each unless it trapped, as it was of the
 * first; may be NULL. False: `why`, if there is one, gets a line for people. */
bool interp_settled(const struct interp *first, struct cc_func *last, struct strbuf *why);
/* FNV-1a over the values that the program passed to assay_see and assay_see_double so far (of a
 * double: its bits, 0 for what is no number). */
uint64_t interp_seen(const struct interp *in);

/* What a run says of the program. */
#define INTERP_VERDICTS(X)                                                                         \
    X(INTERP_DEFINED, "defined")                                                                   \
    X(INTERP_UNDEFINED, "undefined") /* by a rule of C11 */                                        \
    X(INTERP_ENDLESS, "endless")     /* not within the steps */                                    \
    X(INTERP_UNDECIDED, "undecided") /* something that interp does not model */

enum interp_verdict { INTERP_VERDICTS(WORD_ID) INTERP_N_VERDICTS };
extern const char *const interp_verdict_name[INTERP_N_VERDICTS];
enum interp_verdict interp_verdict(enum cc_ub rule);

const struct interp_ub *interp_violation(const struct interp *in);
/* One line for people: "func_3, line 120: signed-overflow (6.5p5): ...: `a + b`: detail". */
void interp_explain(const struct interp *in, struct strbuf *out);

uint32_t interp_checksum_value(const struct interp *in); /* after interp_checksum: CRC, final */
uint64_t interp_steps(const struct interp *in);          /* AST nodes evaluated so far */
/* What the program prints with the argument 1: one line per hashed variable, then the checksum. */
void interp_output(const struct interp *in, bool each_variable, struct strbuf *out);
const struct interp_access *interp_trace(const struct interp *in, size_t *n);
/* With options.values: the value of an expression of integer type that was evaluated, and always to
 * the same. False: there is none. */
bool interp_value_of(const struct interp *in, const struct cc_expr *e, cc_wide *value);
/* With options.history: the way to where the run ended, a line each: the calls under way and the
 * last stores, in order. Returns their number. */
size_t interp_history(const struct interp *in, struct arena *a, const char *const **lines);
uint64_t interp_statements(const struct interp *in, uint64_t *ran); /* all; of them executed */

/* How a global ended, in the form that checksum.h asks (see there for `path`). */
int interp_union_member(void *in, const struct cc_var *v, const int *path, int n);
struct cc_expr *interp_points_to(void *in, const struct cc_var *v, const int *path, int n);
/* The value of a static scalar subobject as text ("-3", "&g_4", "?" when indeterminate). */
void interp_value_text(struct interp *in, const struct cc_var *v, struct strbuf *out);

#endif
