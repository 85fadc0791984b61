/* Values of scalar types, and what C11 says that operators do with them.
 *
 * Integers are kept as 128 bits, always normalised: sign- or zero-extended from the width of their
 * type, so that two values of one type are equal when their bits are. Floats are kept as the double
 * they are equal to; float operations round to float after each step, which is what every compiler
 * with FLT_EVAL_METHOD 0 does.
 *
 * An operation that is undefined returns the clause it violates as an `enum cc_ub` (the integer and
 * float rules of it); the result is then that of wrapping arithmetic where there is one. */
#ifndef ASSAY_CC_VALUE_H
#define ASSAY_CC_VALUE_H

#include "base/words.h"

#include "cc/type.h"

typedef __int128 cc_wide;
typedef unsigned __int128 cc_uwide;

union cc_scalar {
    cc_wide i;
    double f;      /* CC_FLOAT, CC_DOUBLE */
    long double x; /* CC_LDOUBLE: the host's, which is an x86, too */
};

/* One table for all that can be undefined: name, C11 clause, message. `interp` reports by it, the
 * tests violate each once. Order: arithmetic first (value.c detects those), then memory, then
 * order, then control. */
#define CC_UB_TABLE(X)                                                                             \
    X(CC_UB_OVERFLOW, "signed-overflow", "6.5p5",                                                  \
      "the result of a signed operation does not fit its type")                                    \
    X(CC_UB_DIVISION, "division-by-zero", "6.5.5p5", "division or remainder by zero")              \
    X(CC_UB_QUOTIENT, "quotient-overflow", "6.5.5p6", "the quotient does not fit (minimum by -1)") \
    X(CC_UB_SHIFT_COUNT, "shift-count", "6.5.7p3",                                                 \
      "shift by a negative count or by the width or more")                                         \
    X(CC_UB_SHIFT_LEFT, "shift-left", "6.5.7p4",                                                   \
      "left shift of a negative value or out of the type")                                         \
    X(CC_UB_FLOAT_CONVERSION, "float-conversion", "6.3.1.4p1",                                     \
      "a float value does not fit the integer type")                                               \
    X(CC_UB_FLOAT_DEMOTION, "float-demotion", "6.3.1.5p1",                                         \
      "a double value is out of the range of float")                                               \
    X(CC_UB_BUILTIN_ARGUMENT, "builtin-argument", "7.1.4p1",                                       \
      "a builtin's argument is outside its domain")                                                \
    X(CC_UB_NULL_ACCESS, "null-access", "6.5.3.2p4", "access through a null pointer")              \
    X(CC_UB_DANGLING, "dangling-access", "6.2.4p2",                                                \
      "access to an object whose lifetime has ended")                                              \
    X(CC_UB_DANGLING_READ, "dangling-pointer", "6.2.4p2",                                          \
      "use of a pointer to an object that has ended")                                              \
    X(CC_UB_BOUNDS, "out-of-bounds", "6.5.6p8", "access outside of the object or of the array")    \
    X(CC_UB_POINTER_ARITHMETIC, "pointer-arithmetic", "6.5.6p8", "a pointer leaves its array")     \
    X(CC_UB_POINTER_DIFFERENCE, "pointer-difference", "6.5.6p9",                                   \
      "difference of pointers into two objects")                                                   \
    X(CC_UB_POINTER_ORDER, "pointer-order", "6.5.8p5", "order of pointers into two objects")       \
    X(CC_UB_ALIGNMENT, "misaligned", "6.3.2.3p7", "a pointer is not aligned for its type")         \
    X(CC_UB_UNINITIALISED, "uninitialised", "6.3.2.1p2", "read of an indeterminate value")         \
    X(CC_UB_UNION_MEMBER, "union-member", "6.2.6.1p7",                                             \
      "read of a union member whose bytes were not stored")                                        \
    X(CC_UB_CONST_WRITE, "const-write", "6.7.3p6", "store to an object defined const")             \
    X(CC_UB_TEMPORARY_WRITE, "temporary-write", "6.2.4p8", "store to a temporary object")          \
    X(CC_UB_VOLATILE_ACCESS, "volatile-access", "6.7.3p6",                                         \
      "access to a volatile object as non-volatile")                                               \
    X(CC_UB_OVERLAP, "overlapping-assignment", "6.5.16.1p3",                                       \
      "assignment between overlapping objects")                                                    \
    X(CC_UB_EFFECTIVE_TYPE, "effective-type", "6.5p7",                                             \
      "access by an lvalue of an incompatible type")                                               \
    X(CC_UB_UNSEQUENCED, "unsequenced", "6.5p2", "an unsequenced write and access of one object")  \
    X(CC_UB_INDETERMINATE, "indeterminately-sequenced", "6.5.2.2p10",                              \
      "two calls in no given order conflict, so the result is unspecified")                        \
    X(CC_UB_VOLATILE_ORDER, "volatile-order", "5.1.2.3p6", "volatile accesses in no given order")  \
    X(CC_UB_NO_RETURN_VALUE, "no-return-value", "6.9.1p12",                                        \
      "the value of a call that returned none is used")                                            \
    X(CC_UB_CALL_TYPE, "call-type", "6.5.2.2p9",                                                   \
      "a call through a pointer of an incompatible type")                                          \
    X(CC_UB_ARGUMENT_LIST, "argument-list", "7.16.1p1",                                            \
      "a list of arguments is not begun, used and ended as 7.16 says")                             \
    X(CC_UB_UNREACHABLE, "unreachable", "builtin", "__builtin_unreachable was reached")            \
    X(CC_UB_BOOL_REPRESENTATION, "trap-representation", "6.2.6.1p5",                               \
      "a value that is no value of its type")                                                      \
    X(CC_UB_STEPS, "step-budget", "budget", "the program did not end within its step budget")      \
    X(CC_UB_STACK, "stack-depth", "budget", "calls nested deeper than the limit")                  \
    X(CC_UB_UNDECIDED, "undecided", "model", "the interpreter does not know what this does")

enum cc_ub { CC_UB_NONE, CC_UB_TABLE(WORD_ID) CC_N_UB };

struct cc_ub_rule {
    const char *name, *clause, *message;
};
extern const struct cc_ub_rule cc_ub_rules[CC_N_UB]; /* [CC_UB_NONE] is empty */

/* -- operators -------------------------------------------------------------------------------- */

/* id, spelling. Assignment operators use the same ids (CC_ADD is += in an assignment). */
/* clang-format off */
#define CC_OP_TABLE(X)                                                                             \
    X(CC_NONE, "")                                                                                    \
    X(CC_ADD, "+")                                                                                    \
    X(CC_SUB, "-")                                                                                    \
    X(CC_MUL, "*")                                                                                    \
    X(CC_DIV, "/")                                                                                    \
    X(CC_REM, "%")                                                                                    \
    X(CC_SHL, "<<")                                                                                   \
    X(CC_SHR, ">>")                                                                                   \
    X(CC_AND, "&")                                                                                    \
    X(CC_OR, "|") X(CC_XOR, "^") X(CC_LT, "<") X(CC_GT, ">") X(CC_LE, "<=") X(CC_GE, ">=") X(CC_EQ, "==") X(CC_NE, "!=")   \
        X(CC_LAND, "&&") X(CC_LOR, "||") X(CC_PLUS, "+") X(CC_MINUS, "-") X(CC_NOT, "!") X(CC_COMPL, "~")
/* clang-format on */

enum cc_op { CC_OP_TABLE(WORD_ID) CC_N_OP };
extern const char *const cc_op_text[CC_N_OP];

static inline bool cc_is_comparison(enum cc_op op)
{
    return op >= CC_LT && op <= CC_NE;
}

/* Wrap to the width of an integer type: the value that the low bits of `v` have in it. */
cc_wide cc_wrap(const struct cc_type *type, cc_wide v);
cc_wide cc_int_min(const struct cc_type *type);
cc_uwide cc_int_max(const struct cc_type *type);

/* a op b, both of `type` already (arithmetic, not an enumeration); the count of a shift may be of
 * any integer type. Comparisons give 0 or 1 (an int). Not for && and ||. */
enum cc_ub cc_binary_value(enum cc_op op, const struct cc_type *type, union cc_scalar a,
                           union cc_scalar b, union cc_scalar *out);
enum cc_ub cc_unary_value(enum cc_op op, const struct cc_type *type, union cc_scalar a,
                          union cc_scalar *out);
/* Conversion between arithmetic types, 6.3.1. To an integer type that is too narrow: wraps, as all
 * our compilers define it (6.3.1.3p3). */
enum cc_ub cc_convert_value(const struct cc_type *from, const struct cc_type *to, union cc_scalar v,
                            union cc_scalar *out);
/* As if stored in a bit-field of `bits` bits of that type and read back. */
cc_wide cc_bitfield_value(const struct cc_type *type, int bits, cc_wide v);

#endif
