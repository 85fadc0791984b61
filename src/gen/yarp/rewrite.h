/* Table 1 of the YARPGen paper as data: what takes the place of an operation that would be
 * undefined for the values that its operands have.
 *
 * The table of the paper is not complete and not exact: it has no row for the left shift of a
 * negative value, none for a left shift within the width that leaves the type, and its intervals
 * for `c` contain shifts by the whole width. Rows of ours close the gaps and say so; what is exact
 * is proved by exhaustion at 4 bits (tests/gen/test_rewrite.c) and by Z3 at 8, 16, 32 and 64
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
    cc_wide value;
    int bits;
    bool is_signed;
};

enum rewrite_sign { REWRITE_ANY, REWRITE_SIGNED, REWRITE_UNSIGNED };

struct rewrite_row {
    enum cc_op op;            /* CC_MINUS or a binary operator */
    enum rewrite_sign a, b;   /* signs for which the row holds */
    int when;                 /* the unsafe condition: enum of rewrite.c, named in `condition` */
    int to;                   /* the replacement: the same, named in `replacement` */
    bool defined_by_compiler; /* implementation-defined, not undefined: >> of a negative value */
    bool ours;                /* not in the paper, or corrected */
    const char *condition, *replacement; /* as text: "a + b > MAX", "a << (b + c)" */
};
extern const struct rewrite_row rewrite_table[];
extern const int rewrite_rows;

/* The row that applies; NULL: the operation is defined as it is. With `negative_right_shift` >> of
 * a negative value is left alone. For CC_MINUS b is not looked at. */
const struct rewrite_row *rewrite_find(enum cc_op op, struct rewrite_operand a,
                                       struct rewrite_operand b, bool negative_right_shift);

/* The values that c of the replacement may have, least to most; false: it has no c. */
bool rewrite_constants(const struct rewrite_row *row, struct rewrite_operand a,
                       struct rewrite_operand b, cc_wide *least, cc_wide *most);

/* Change the node in place; its type and that of its value stay. `e` is CC_E_UNARY with CC_MINUS or
 * CC_E_BINARY on integers. A c is drawn by one choice. */
void rewrite_apply(struct cc_program *p, struct choice *c, const struct rewrite_row *row,
                   struct cc_expr *e, struct rewrite_operand a, struct rewrite_operand b);

/* Change the node in place to a form that is defined for all values of its operands and still
 * computes something like it: in the unsigned type of the same width ((int)((unsigned)a +
 * (unsigned)b)), with a masked shift count, with a divisor that is made positive. The type stays.
 * Several forms per operator, drawn by one choice. No operand is evaluated twice. */
void rewrite_for_good(struct cc_program *p, struct choice *c, struct cc_expr *e,
                      bool negative_right_shift);

/* The table for people and for the verification: one row per line, tab-separated. */
void rewrite_text(struct strbuf *out);

#endif
