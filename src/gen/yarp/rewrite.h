/* Table 1 of the YARPGen paper as data: what takes the place of an operation that would be
 * undefined for the values that its operands have.
 *
 * The table of the paper is not complete and not exact: it has no row for the left shift of a
 * negative value, none for a left shift within the width that leaves the type, and some intervals
 * for `c` contain shifts by the whole width. Rows of ours close the gaps and say so; what is exact
 * is proved by exhaustion at 4 bits (tests/gen/yarp/test_rewrite.c) and by Z3 at 8, 16, 32 and 64
 * (tests/slow/rewrites.py).
 *
 * The table is for an operation that is executed once, or always with the same values. One that is
 * executed with many, in a loop or a function, may need a form that is defined for all of them:
 * rewrite_for_good. */
#ifndef ASSAY_GEN_YARP_REWRITE_H
#define ASSAY_GEN_YARP_REWRITE_H

#include "base/choice.h"
#include "base/strbuf.h"
#include "cc/build.h"

/* An operand after the promotions; of all but shifts, after the usual conversions. */
struct rewrite_operand {
    cc_wide value; /* in the range of its type */
    int bits;      /* 2 to 64 */
    bool is_signed;
};

enum rewrite_sign { REWRITE_ANY, REWRITE_SIGNED, REWRITE_UNSIGNED };

/* Rows for one operation and one value of defined_by_compiler exclude each other.
 *
 * The texts are C on mathematical values: MIN, MAX and width are those of the type of a, B_MIN and
 * B_MAX those of the type of b, T is the type of the operation and U the unsigned one as wide, and
 * bits(a) is how many bits a >= 0 takes (MSB(a) of the paper). */
struct rewrite_row {
    enum cc_op op;            /* CC_MINUS or a binary operator */
    enum rewrite_sign a, b;   /* signs for which the row holds */
    int when;                 /* the unsafe condition: enum of rewrite.c, named in `condition` */
    int to;                   /* the replacement: the same, named in `replacement` */
    bool defined_by_compiler; /* for compilers whose >> of a negative value is not to be relied on:
                               * that is implementation-defined, not undefined (6.5.7p5) */
    bool ours;                /* not in the paper, or corrected */
    const char *condition;    /* "a + b < MIN || a + b > MAX" */
    const char *replacement;  /* "a >> (b - c), c in [b - width + 1, b]" */
};
extern const struct rewrite_row rewrite_table[];
extern const int rewrite_rows;

/* Is the row one for these operands of `op`? For CC_MINUS b is not looked at. */
bool rewrite_holds(const struct rewrite_row *row, enum cc_op op, struct rewrite_operand a,
                   struct rewrite_operand b);

/* The first row that applies; NULL: the operation is defined as it is. With `negative_right_shift`
 * >> of a negative value is left alone. */
const struct rewrite_row *rewrite_find(enum cc_op op, struct rewrite_operand a,
                                       struct rewrite_operand b, bool negative_right_shift);

/* The values that c of the replacement may have, least to most; false: it has no c. */
bool rewrite_constants(const struct rewrite_row *row, struct rewrite_operand a,
                       struct rewrite_operand b, cc_wide *least, cc_wide *most);

/* Change the node in place; its type stays. `e` is CC_E_UNARY with CC_MINUS or CC_E_BINARY on
 * integers, `a` and `b` are the values that its operands have, `row` is the one found for them. A c
 * is drawn by one choice; 0 makes a shift by 0. An operand may get lost (a << INT_MIN becomes a),
 * so they have no effects. */
void rewrite_apply(struct cc_program *p, struct choice *c, const struct rewrite_row *row,
                   struct cc_expr *e, struct rewrite_operand a, struct rewrite_operand b);

/* Change the node in place to a form that is defined for all values of its operands and still
 * computes something like it: in the unsigned type of the same width ((int)((unsigned)a +
 * (unsigned)b)), with a masked shift count, with a divisor that is made positive. The type stays.
 * Several forms per operator, drawn by one choice. Each operand is evaluated once. An operation
 * that is always defined stays as it is, and nothing is drawn for it. */
void rewrite_for_good(struct cc_program *p, struct choice *c, struct cc_expr *e,
                      bool negative_right_shift);

#endif
