/* The text that printed programs carry with them: safe-math wrappers and the checksum.
 *
 * A wrapper is named as in Csmith: safe_add_func_int32_t_s_s(a, b), safe_lshift_macro_uint64_t_u_s.
 * The operation's type names it (after the usual conversions; of a shift, after promotion), then
 * come the signs of the operands; the right operand of a shift has its width added where it is not
 * that of int. Where the operation would be undefined the wrapper yields its left operand, and a
 * wrapped conversion from float yields 0. Wrappers contain no undefined behaviour themselves, no
 * builtins, and nothing beyond C90 but their types, so that small compilers take them.
 *
 * The printer asks for names as it meets operations; what was asked for is printed at the end. */
#ifndef ASSAY_CC_SUPPORT_H
#define ASSAY_CC_SUPPORT_H

#include "cc/ast.h"

struct printer;

enum { SUPPORT_KINDS = CC_UINT128 - CC_INT + 1 }; /* operations are done in int and wider */

/* Operations that can be wrapped: our operator, its name in the wrapper's. */
#define SUPPORT_OP_TABLE(X)                                                                        \
    X(ADD, "add")                                                                                  \
    X(SUB, "sub")                                                                                  \
    X(MUL, "mul")                                                                                  \
    X(DIV, "div")                                                                                  \
    X(REM, "mod")                                                                                  \
    X(SHL, "lshift")                                                                               \
    X(SHR, "rshift")                                                                               \
    X(MINUS, "unary_minus")

enum support_op {
#define X(op, name) SUPPORT_##op,
    SUPPORT_OP_TABLE(X)
#undef X
        SUPPORT_OPS
};

struct support_uses {
    bool wrapper[SUPPORT_OPS][SUPPORT_KINDS][SUPPORT_KINDS][2]; /* op, type, right type, macro */
    bool convert[2][CC_N_BASIC][2];                             /* from double, to, macro */
    bool any_wrapper;
    bool hash_integer, hash_float, hash_double; /* what main hashes */
};

/* Can `op` in this type be undefined? Then there is a wrapper for it. */
bool support_wraps(enum cc_op op, const struct cc_type *type);

/* Print a wrapper's name and note its use. `right`: the type of a shift's right operand, any other
 * operation's own type. */
void support_put_name(struct printer *p, enum cc_op op, enum cc_kind kind, enum cc_kind right,
                      bool macro);
void support_put_convert_name(struct printer *p, enum cc_kind from, enum cc_kind to, bool macro);

/* Definitions of all wrappers whose names were printed. */
void support_put_wrappers(struct printer *p);
/* `hide`, through which main hands out addresses. */
void support_put_hide(struct printer *p);
/* printf, the CRC-32, and the functions that hash what main was seen to hash. */
void support_put_checksum(struct printer *p);

#endif
