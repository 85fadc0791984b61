/* GCC's builtins that the trees may call, and the two functions of the run-time support.
 *
 * One table: name, result and parameter types, domain. A type letter: i int, u unsigned, l long
 * long, L unsigned long long, p pointer to int type of the arguments (overflow builtins), d double,
 * f float, v void, h uint16_t. The checksum function takes its value in `args[0]`, of any
 * arithmetic type. */
#ifndef ASSAY_CC_BUILTIN_H
#define ASSAY_CC_BUILTIN_H

#include "base/words.h"

#include "cc/value.h"

/* X(id, printed name, result, parameters, clang and gcc both have it, domain excludes 0) */
#define CC_BUILTIN_TABLE(X)                                                                        \
    X(CC_BUILTIN_CLZ, "__builtin_clz", "i", "u", true)                                             \
    X(CC_BUILTIN_CLZLL, "__builtin_clzll", "i", "L", true)                                         \
    X(CC_BUILTIN_CTZ, "__builtin_ctz", "i", "u", true)                                             \
    X(CC_BUILTIN_CTZLL, "__builtin_ctzll", "i", "L", true)                                         \
    X(CC_BUILTIN_FFS, "__builtin_ffs", "i", "i", false)                                            \
    X(CC_BUILTIN_FFSLL, "__builtin_ffsll", "i", "l", false)                                        \
    X(CC_BUILTIN_CLRSB, "__builtin_clrsb", "i", "i", false)                                        \
    X(CC_BUILTIN_CLRSBLL, "__builtin_clrsbll", "i", "l", false)                                    \
    X(CC_BUILTIN_POPCOUNT, "__builtin_popcount", "i", "u", false)                                  \
    X(CC_BUILTIN_POPCOUNTLL, "__builtin_popcountll", "i", "L", false)                              \
    X(CC_BUILTIN_PARITY, "__builtin_parity", "i", "u", false)                                      \
    X(CC_BUILTIN_PARITYLL, "__builtin_parityll", "i", "L", false)                                  \
    X(CC_BUILTIN_BSWAP16, "__builtin_bswap16", "h", "h", false)                                    \
    X(CC_BUILTIN_BSWAP32, "__builtin_bswap32", "u", "u", false)                                    \
    X(CC_BUILTIN_BSWAP64, "__builtin_bswap64", "L", "L", false)                                    \
    X(CC_BUILTIN_EXPECT, "__builtin_expect", "n", "nn", false)                                     \
    X(CC_BUILTIN_ABS, "__builtin_abs", "i", "i", false)                                            \
    X(CC_BUILTIN_LLABS, "__builtin_llabs", "l", "l", false)                                        \
    X(CC_BUILTIN_ADD_OVERFLOW, "__builtin_add_overflow", "b", "**p", false)                        \
    X(CC_BUILTIN_SUB_OVERFLOW, "__builtin_sub_overflow", "b", "**p", false)                        \
    X(CC_BUILTIN_MUL_OVERFLOW, "__builtin_mul_overflow", "b", "**p", false)                        \
    X(CC_BUILTIN_UNREACHABLE, "__builtin_unreachable", "v", "", false)                             \
    X(CC_BUILTIN_TRAP, "__builtin_trap", "v", "", false)                                           \
    X(CC_BUILTIN_CONSTANT_P, "__builtin_constant_p", "i", "*", false)                              \
    X(CC_BUILTIN_FABS, "__builtin_fabs", "d", "d", false)                                          \
    X(CC_BUILTIN_FABSF, "__builtin_fabsf", "f", "f", false)                                        \
    X(CC_BUILTIN_COPYSIGN, "__builtin_copysign", "d", "dd", false)                                 \
    X(CC_BUILTIN_COPYSIGNF, "__builtin_copysignf", "f", "ff", false)                               \
    X(CC_BUILTIN_SQRT, "__builtin_sqrt", "d", "d", false)                                          \
    X(CC_BUILTIN_SQRTF, "__builtin_sqrtf", "f", "f", false)                                        \
    X(CC_BUILTIN_FMA, "__builtin_fma", "d", "ddd", false)                                          \
    X(CC_BUILTIN_FMAF, "__builtin_fmaf", "f", "fff", false)                                        \
    X(CC_BUILTIN_FMIN, "__builtin_fmin", "d", "dd", false)                                         \
    X(CC_BUILTIN_FMAX, "__builtin_fmax", "d", "dd", false)                                         \
    X(CC_BUILTIN_FLOOR, "__builtin_floor", "d", "d", false)                                        \
    X(CC_BUILTIN_CEIL, "__builtin_ceil", "d", "d", false)                                          \
    X(CC_BUILTIN_TRUNC, "__builtin_trunc", "d", "d", false)                                        \
    X(CC_BUILTIN_RINT, "__builtin_rint", "d", "d", false)                                          \
    X(CC_BUILTIN_ROUND, "__builtin_round", "d", "d", false)                                        \
    X(CC_BUILTIN_ISNAN, "__builtin_isnan", "i", "d", false)                                        \
    X(CC_BUILTIN_ISINF, "__builtin_isinf", "i", "d", false)                                        \
    X(CC_BUILTIN_ISFINITE, "__builtin_isfinite", "i", "d", false)                                  \
    X(CC_BUILTIN_ISNORMAL, "__builtin_isnormal", "i", "d", false)                                  \
    X(CC_BUILTIN_SIGNBIT, "__builtin_signbit", "i", "d", false)                                    \
    X(CC_BUILTIN_ISUNORDERED, "__builtin_isunordered", "i", "dd", false)                           \
    X(CC_BUILTIN_ISLESS, "__builtin_isless", "i", "dd", false)                                     \
    X(CC_BUILTIN_ISLESSEQUAL, "__builtin_islessequal", "i", "dd", false)                           \
    X(CC_BUILTIN_ISGREATER, "__builtin_isgreater", "i", "dd", false)                               \
    X(CC_BUILTIN_ISGREATEREQUAL, "__builtin_isgreaterequal", "i", "dd", false)                     \
    X(CC_BUILTIN_ISLESSGREATER, "__builtin_islessgreater", "i", "dd", false)                       \
    X(CC_BUILTIN_CHECKSUM, "transparent_crc", "v", "*",                                            \
      false) /* run-time support: hashes args[0] */

/* `n` is long; its width is the model's. `b` is _Bool. `*` is any integer type, taken as it is (for
 * CHECKSUM also float and double). CONSTANT_P is never generated: its value is the optimiser's.
 *
 * ISNAN to ISNORMAL and SIGNBIT are here 1 for true; compilers may have any number but 0. What
 * depends on the sign of a NaN is outside of the domain; of which sign FMIN and FMAX return a zero
 * is the compiler's choice. */

enum cc_builtin_id { CC_BUILTIN_TABLE(WORD_ID) CC_N_BUILTIN };

struct cc_builtin {
    const char *name, *result, *params;
    bool not_zero; /* undefined for 0 */
};
extern const struct cc_builtin cc_builtins[CC_N_BUILTIN];

/* The type that a letter stands for; NULL: the argument is taken as it is. */
const struct cc_type *cc_letter_type(const struct cc_types *t, char letter);

/* Values of those that are functions of integers and floats (not the overflow ones, EXPECT
 * included, CHECKSUM, UNREACHABLE and TRAP excluded). Arguments are already of the parameter types.
 * Of floats the value is that of IEEE 754 in round-to-nearest, as the host computes it. */
enum cc_ub cc_builtin_value(int id, const union cc_scalar *args, union cc_scalar *out);

#endif
