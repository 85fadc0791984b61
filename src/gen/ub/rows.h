/* What can be made undefined, and how: one row each.
 *
 * A row belongs to a rule of CC_UB_TABLE. It is either an operation that takes the place of a value
 * that the program computes (`make`), or a change of an operation that is there (`change`). It
 * builds the operation with forks (cc/fork.h) in it, so that it is undefined one way and defined
 * the other, and marks it. Whether it really is the first undefined operation of the program, and
 * the rule is the row's, is for interp to say: rows try, and what fails is undone.
 *
 * What a tool can see depends on more than the rule: an index that leaves an array within a struct
 * stays inside the object, memory that was freed is not a variable that has ended. So rows have
 * names, and toolchain files (`detects`) can name rows. */
#ifndef ASSAY_GEN_UB_ROWS_H
#define ASSAY_GEN_UB_ROWS_H

#include "base/choice.h"
#include "cc/ast.h"

/* The edit under construction. */
struct ub_edit {
    struct cc_program *p;
    struct choice *c;
    VEC(struct cc_stmt *) before; /* to be executed ahead of the statement that is edited */
    int n_names;
};

struct ub_row {
    enum cc_ub rule;
    const char *name; /* unique for its rule */
    /* What stands in the place of the value `old` of an integer type: another expression of
     * arithmetic type, with one marked node in it. It may have `old` in it, once. NULL: it does not
     * fit here. */
    struct cc_expr *(*make)(struct ub_edit *u, struct cc_expr *old);
    /* Of a row without `make`: the right operand of an operation `e` of the tree that has been
     * executed. NULL: the operation is none of the kind. `e` itself is then the marked node. */
    struct cc_expr *(*change)(struct ub_edit *u, const struct cc_expr *e);
    bool heap; /* it calls malloc and free */
};

extern const struct ub_row ub_rows[];
extern const int ub_n_rows;

/* Why there is no row for a rule; NULL: there is one. */
const char *ub_why_none(enum cc_ub rule);
/* The rule and the row as "out-of-bounds/heap"; a name may also be that of a rule alone. */
bool ub_row_is(const struct ub_row *row, const char *name);

/* -- for rows ---------------------------------------------------------------------------------- */

/* A value of an arithmetic type that is `bad` one way and `good` the other: a constant or a
 * variable whose value compilers can see, or cannot see so easily. */
struct cc_expr *ub_value(struct ub_edit *u, const struct cc_type *type, cc_wide bad, cc_wide good);
struct cc_expr *ub_number(struct ub_edit *u, const struct cc_type *type, double bad, double good);
/* A pointer, in a variable. */
struct cc_expr *ub_pointer(struct ub_edit *u, const struct cc_type *type, struct cc_expr *bad,
                           struct cc_expr *good);
/* Variables. A global is no part of the checksum. A local is declared ahead of the statement. */
struct cc_var *ub_global(struct ub_edit *u, const struct cc_type *type, struct cc_expr *init);
struct cc_var *ub_local(struct ub_edit *u, const struct cc_type *type, struct cc_expr *init);
/* One of either kind, with an initialiser that may be either's. */
struct cc_var *ub_variable(struct ub_edit *u, const struct cc_type *type, struct cc_expr *init);
struct cc_func *ub_function(struct ub_edit *u, const struct cc_type *result, struct cc_var **params,
                            int n);
const char *ub_name(struct ub_edit *u, const char *what);
struct cc_expr *ub_mark(struct cc_expr *e);

#endif
