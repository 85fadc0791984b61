/* What smith may do, how often, and how much: all as data (base/settings.h).
 *
 * Three vocabularies, each one table: features (switched on, off, or given a probability per
 * opportunity), limits (numbers), weights (Tables 3.1 to 3.3 of the Csmith dissertation and ours).
 * Names of Csmith's options are accepted where ours mean the same; the tables say which. */
#ifndef ASSAY_GEN_SMITH_CONFIG_H
#define ASSAY_GEN_SMITH_CONFIG_H

#include "base/choice.h"
#include "base/settings.h"
#include "cc/print.h"

/* X(id, name, default percent, part of the swarm mask, Csmith's option or "", help)
 * Percent: what the probability is when the feature is simply "on". 100 where it is a yes or no. */
#define SMITH_FEATURE_TABLE(X)                                                                     \
    /* types */                                                                                    \
    X(INT8, "int8", 100, 1, "int8", "signed 8-bit integers")                                       \
    X(UINT8, "uint8", 100, 1, "uint8", "unsigned 8-bit integers")                                  \
    X(INT16, "int16", 100, 1, "", "16-bit integers")                                               \
    X(INT64, "int64", 100, 1, "longlong", "64-bit integers")                                       \
    X(LONG, "long", 30, 1, "", "a program has long, and holds for LP64 only")                      \
    X(INT128, "int128", 4, 1, "int128", "__int128, where a new integer type is drawn")             \
    X(BOOL, "bool", 6, 1, "", "_Bool, where a new integer type is drawn")                          \
    X(CHAR, "char", 0, 1, "", "plain char, whose sign is the compiler's: never across machines")   \
    X(ENUMS, "enums", 5, 1, "", "enumerations, where a new integer type is drawn")                 \
    X(FLOATS, "floats", 6, 1, "float", "float and double with exactly reproducible results")       \
    X(IEEE_FLOATS, "ieee-floats", 15, 1, "",                                                       \
      "a program's floats are rounded, with infinities and NaNs: for compilers that round each "   \
      "operation by itself")                                                                       \
    X(POINTERS, "pointers", 30, 1, "pointers", "a new variable is a pointer")                      \
    X(STRUCTS, "structs", 10, 1, "structs", "a new variable is a struct")                          \
    X(UNIONS, "unions", 6, 1, "unions", "a new variable is a union")                               \
    X(ARRAYS, "arrays", 30, 1, "arrays", "a new variable is an array")                             \
    X(BITFIELDS, "bitfields", 25, 1, "bitfields", "a field of a struct is a bit-field")            \
    X(PACKED, "packed", 15, 1, "packed-struct", "a struct is packed")                              \
    X(ZERO_WIDTH, "zero-width", 5, 1, "", "an unnamed zero-width bit-field follows a bit-field")   \
    X(ODD_BITFIELDS, "odd-bitfields", 40, 1, "",                                                   \
      "a bit-field has a type other than int: 1 to 64 bits, also _Bool")                           \
    X(ALIGNED, "aligned", 6, 1, "", "a variable or struct has its own alignment")                  \
    X(FUNCTION_POINTERS, "function-pointers", 20, 1, "", "a call goes through a pointer")          \
    X(FUNCTION_TABLES, "function-tables", 6, 1, "",                                                \
      "a call is one of several functions, from a table")                                          \
    /* qualifiers and storage */                                                                   \
    X(CONSTS, "consts", 8, 1, "consts", "a variable, field or pointee is const")                   \
    X(VOLATILES, "volatiles", 6, 1, "volatiles", "a variable or field is volatile")                \
    X(VOLATILE_POINTERS, "volatile-pointers", 5, 1, "volatile-pointers", "a pointee is volatile")  \
    X(CONST_POINTERS, "const-pointers", 8, 1, "const-pointers", "a pointer is const")              \
    X(STATIC_LOCALS, "static-locals", 10, 1, "", "a local variable is static")                     \
    X(ADDRESS_OF_LOCALS, "address-of-locals", 100, 1, "addr-taken-of-locals",                      \
      "pointers may point to local variables")                                                     \
    X(UNION_FIELD_ADDRESS, "union-field-address", 100, 0, "take-union-field-addr",                 \
      "pointers may point to fields of unions")                                                    \
    X(UNION_RELAXED, "union-relaxed-reads", 100, 0, "union-read-type-sensitive",                   \
      "a narrower integer member may be read than was stored (4.6.2)")                             \
    /* statements */                                                                               \
    X(IFS, "ifs", 100, 0, "", "if statements")                                                     \
    X(LOOPS, "loops", 100, 0, "", "for, while and do statements")                                  \
    X(WHILE, "while", 15, 1, "", "a loop is a while loop")                                         \
    X(DO, "do", 15, 1, "", "a loop is a do loop")                                                  \
    X(SWITCH, "switch", 100, 1, "", "switch statements")                                           \
    X(FALLTHROUGH, "fallthrough", 35, 1, "", "a case falls through")                               \
    X(GOTO, "goto", 100, 1, "jumps", "goto statements in both directions")                         \
    X(BREAK, "break", 100, 1, "", "break and continue statements")                                 \
    X(EARLY_RETURN, "early-return", 100, 1, "", "return statements before the end")                \
    X(ARRAY_STATEMENTS, "array-statements", 100, 1, "", "loops over arrays, for loop optimisers")  \
    X(LOOP_NESTS, "loop-nests", 100, 1, "",                                                        \
      "nests of loops whose subscripts are known to be valid")                                     \
    X(IDIOMS, "idioms", 100, 1, "", "forms of code that single passes look for")                   \
    X(POINTER_ARITHMETIC, "pointer-arithmetic", 100, 1, "", "pointers are stepped within arrays")  \
    X(CASE_RANGES, "case-ranges", 20, 1, "",                                                       \
      "case labels of several values, where a program has them")                                   \
    /* expressions */                                                                              \
    X(CALLS, "calls", 100, 0, "", "calls of generated functions")                                  \
    X(RECURSION, "recursion", 6, 1, "", "a function calls itself, bounded by a counter")           \
    X(MUTUAL_RECURSION, "mutual-recursion", 40, 1, "",                                             \
      "a recursive function calls itself through another one")                                     \
    X(TAIL_CALLS, "tail-calls", 25, 1, "", "a function returns the value of a call unchanged")     \
    X(CONSTANT_ARGS, "constant-args", 15, 1, "",                                                   \
      "a parameter gets the same constant in most calls")                                          \
    X(COMMA, "comma", 100, 1, "comma-operators", "comma expressions")                              \
    X(EMBEDDED_ASSIGNS, "embedded-assigns", 100, 1, "embedded-assigns",                            \
      "assignments in expressions")                                                                \
    X(COMPOUND_ASSIGNS, "compound-assigns", 45, 1, "compound-assignment", "an assignment is op=")  \
    X(INCREMENT, "increment", 12, 1, "", "an assignment is ++ or --")                              \
    X(CONDITIONAL, "conditional", 100, 1, "", "?: expressions")                                    \
    X(CASTS, "casts", 100, 1, "", "explicit casts")                                                \
    X(MULTIPLICATION, "multiplication", 100, 1, "muls", "the operator *")                          \
    X(DIVISION, "division", 100, 1, "divs", "the operators / and %")                               \
    X(SHIFTS, "shifts", 100, 1, "", "the operators << and >>")                                     \
    X(UNARY_PLUS, "unary-plus", 100, 1, "unary-plus-operator", "the operator unary +")             \
    X(SIZEOF, "sizeof", 2, 1, "", "a constant is a sizeof of a scalar type")                       \
    X(LITERALS, "compound-literals", 8, 1, "", "a struct value is a compound literal")             \
    X(BUILTINS, "builtins", 5, 1, "builtins", "an operation is one of GCC's builtins")             \
    /* functions */                                                                                \
    X(STRUCT_ARGS, "struct-args", 15, 1, "arg-structs", "a parameter is a struct")                 \
    X(CALL_RECORDS, "call-records", 40, 1, "",                                                     \
      "a program has small records of all sizes, to be passed and returned")                       \
    X(ARRAY_PARAMS, "array-params", 30, 1, "", "a nest of loops is a function of its arrays")      \
    X(QUALIFIED_PARAMS, "qualified-params", 12, 1, "", "a parameter is const or volatile")         \
    X(STRUCT_RESULTS, "struct-results", 10, 1, "return-structs", "a function returns a struct")    \
    X(POINTER_RESULTS, "pointer-results", 10, 1, "", "a pointer is the result of a call")          \
    X(INLINE, "inline", 20, 1, "inline-function", "a function is inline")                          \
    X(ATTRIBUTES, "attributes", 20, 1, "", "a function has attributes (noinline, cold, ...)")      \
    /* in the run */                                                                               \
    X(DEAD, "dead", 0, 0, "", "a condition is not adjusted, so that code may stay dead")           \
    /* for testing analysers (4.4.3.3, 4.4.4, 7.4.4) */                                            \
    X(INVALID_POINTERS, "invalid-pointers", 0, 0, "",                                              \
      "a pointer that may be null or dangling is used anyway, and marked")                         \
    X(ASSERT_FACTS, "assert-facts", 0, 0, "", "assertions of points-to facts after assignments")   \
    X(COMMENT_FACTS, "comment-facts", 0, 0, "", "points-to facts and effects as comments")

enum smith_feature {
#define X(id, name, percent, swarm, csmith, help) SMITH_##id,
    SMITH_FEATURE_TABLE(X)
#undef X
        SMITH_N_FEATURES
};

/* X(id, name, default, least, most, Csmith's option or "", help) */
#define SMITH_LIMIT_TABLE(X)                                                                       \
    X(SIZE, "size", 0, 0, 1000000, "", "aim at a program of this many tokens; 0: a random size")   \
    X(MAX_FUNCS, "max-funcs", 25, 1, 200, "max-funcs", "functions besides main")                   \
    X(MAX_PARAMS, "max-params", 14, 0, 20, "", "parameters of a function; most have 5 at most")    \
    X(BLOCK_SIZE, "max-block-size", 4, 1, 100, "max-block-size", "statements in a block (soft)")   \
    X(BLOCK_DEPTH, "max-block-depth", 4, 1, 12, "max-block-depth", "nesting of blocks")            \
    X(EXPR_DEPTH, "max-expr-complexity", 8, 1, 20, "max-expr-complexity",                          \
      "nesting of expressions")                                                                    \
    X(POINTER_DEPTH, "max-pointer-depth", 5, 1, 8, "max-pointer-depth", "levels of indirection")   \
    X(ARRAY_DIMS, "max-array-dim", 4, 1, 6, "max-array-dim", "dimensions of an array")             \
    X(ARRAY_LENGTH, "max-array-len-per-dim", 10, 1, 64, "max-array-len-per-dim", "per dimension")  \
    X(LOOP_DEPTH, "max-loop-depth", 6, 1, 6, "", "nesting of loops over arrays")                   \
    X(LOOP_ARRAY_LENGTH, "max-loop-array-len", 64, 4, 1000, "",                                    \
      "iterations of a loop over arrays")                                                          \
    X(ARRAY_TOTAL, "max-array-len", 120, 1, 4096, "", "elements of an array in all")               \
    X(STRUCT_FIELDS, "max-struct-fields", 8, 1, 50, "max-struct-fields", "fields of a struct")     \
    X(UNION_FIELDS, "max-union-fields", 4, 1, 50, "max-union-fields", "fields of a union")         \
    X(STRUCT_NESTING, "max-struct-nested-level", 3, 0, 5, "max-struct-nested-level",               \
      "nesting of records")                                                                        \
    X(RECORDS, "max-records", 6, 0, 30, "", "struct and union types")                              \
    X(STEPS, "max-steps", 1000000, 1000, 100000000, "", "bound on the nodes that a run evaluates") \
    X(UNITS, "units", 1, 1, 16, "", "translation units")

enum smith_limit {
#define X(id, name, value, least, most, csmith, help) SMITH_##id,
    SMITH_LIMIT_TABLE(X)
#undef X
        SMITH_N_LIMITS
};

/* Weights within their group. X(group, id, name, weight, help); groups stand together. */
#define SMITH_WEIGHT_TABLE(X)                                                                      \
    /* Table 3.1; blocks and calls are by-products */                                              \
    X(STMT, ASSIGN, "stmt-assign", 40, "assignment statement")                                     \
    X(STMT, IF, "stmt-if", 15, "if-else statement")                                                \
    X(STMT, FOR, "stmt-for", 12, "for, while or do statement")                                     \
    X(STMT, ARRAY, "stmt-array", 5, "array statement")                                             \
    X(STMT, RETURN, "stmt-return", 5, "return statement; ends the block")                          \
    X(STMT, CONTINUE, "stmt-continue", 5, "continue statement, in loops")                          \
    X(STMT, BREAK, "stmt-break", 5, "break statement, in loops")                                   \
    X(STMT, GOTO, "stmt-goto", 5, "goto statement")                                                \
    X(STMT, SWITCH, "stmt-switch", 5, "switch statement (ours)")                                   \
    X(STMT, BLOCK, "stmt-block", 1, "nested block (Csmith: 0)")                                    \
    X(STMT, CALL, "stmt-call", 2, "call statement (Csmith: 0)")                                    \
    X(STMT, NEST, "stmt-nest", 32, "nest of loops over arrays (ours)")                             \
    X(STMT, IDIOM, "stmt-idiom", 14, "an idiom (ours)")                                            \
    /* Table 3.2; LHS is a by-product */                                                           \
    X(EXPR, CALL, "expr-call", 20, "call (Csmith: 70, most of which become operators)")            \
    X(EXPR, CONSTANT, "expr-constant", 10, "constant")                                             \
    X(EXPR, VARIABLE, "expr-variable", 20, "variable")                                             \
    X(EXPR, BINARY, "expr-binary", 50, "binary operator")                                          \
    X(EXPR, UNARY, "expr-unary", 5, "unary operator")                                              \
    X(EXPR, COMMA, "expr-comma", 4, "comma expression")                                            \
    X(EXPR, ASSIGN, "expr-assign", 10, "embedded assignment")                                      \
    X(EXPR, COND, "expr-conditional", 4, "conditional expression (ours)")                          \
    X(EXPR, CAST, "expr-cast", 4, "explicit cast (ours)")                                          \
    X(EXPR, BUILTIN, "expr-builtin", 3, "builtin (ours)")                                          \
    /* Table 3.3 */                                                                                \
    X(SCOPE, GLOBAL, "scope-global", 35, "a global variable")                                      \
    X(SCOPE, LOCAL, "scope-local", 50, "a local variable of an enclosing block")                   \
    X(SCOPE, PARAM, "scope-parameter", 30, "a parameter; a local where there is none")             \
    X(SCOPE, NEW, "scope-new", 5, "a new variable")                                                \
    /* what nests of loops do: kernels.c */                                                        \
    X(KERNEL, MAP, "kernel-map", 22, "an element gets a value")                                    \
    X(KERNEL, REDUCE, "kernel-reduce", 14, "a sum, or the like, of all elements")                  \
    X(KERNEL, CONDITIONAL, "kernel-conditional", 9, "something is done for some elements")         \
    X(KERNEL, RECUR, "kernel-recur", 8, "an element depends on another, at a distance")            \
    X(KERNEL, STENCIL, "kernel-stencil", 6, "a sum of neighbours")                                 \
    X(KERNEL, COPY, "kernel-copy", 6, "memset, memcpy and memmove as loops")                       \
    X(KERNEL, UNSWITCHED, "kernel-unswitched", 5, "a condition that does not change")              \
    X(KERNEL, COUNT, "kernel-count", 4, "how many elements are so")                                \
    X(KERNEL, EXTREME, "kernel-extreme", 5, "the least or the largest, and where it is")           \
    X(KERNEL, CARRY, "kernel-carry", 5, "a value goes from one iteration to the next")             \
    X(KERNEL, GENERAL, "kernel-general", 9, "any other statement")                                 \
    X(KERNEL, GROUP, "kernel-group", 5, "neighbours that get the same operation")                  \
    X(KERNEL, SWAP, "kernel-swap", 3, "two elements change places")                                \
    X(KERNEL, MATRIX, "kernel-matrix", 4, "a product of matrices, in nests of three")              \
    X(KERNEL, COMPRESS, "kernel-compress", 3, "some elements are put behind each other")           \
    X(KERNEL, SEARCH, "kernel-search", 4, "the first or the last element that is so")              \
    X(KERNEL, REORDER, "kernel-reorder", 2, "an array of subscripts changes")                      \
    X(KERNEL, EXIT, "kernel-exit", 5, "break, continue, or a jump out of all loops")               \
    X(KERNEL, WALK, "kernel-walk", 6, "a pointer is stepped")                                      \
    /* forms that passes look for: idioms.c */                                                     \
    X(IDIOM, ROTATE, "idiom-rotate", 4, "a rotation by a constant or a variable")                  \
    X(IDIOM, BSWAP, "idiom-bswap", 4, "a word with its bytes in another order")                    \
    X(IDIOM, POPCOUNT, "idiom-popcount", 4, "a loop that counts bits")                             \
    X(IDIOM, CRC, "idiom-crc", 4, "some steps of a CRC")                                           \
    X(IDIOM, BIT_TESTS, "idiom-bit-tests", 4, "a chain of tests of single bits")                   \
    X(IDIOM, BIT_TRICKS, "idiom-bit-tricks", 4, "lowest bit, power of two, set, clear, flip")      \
    X(IDIOM, PACK, "idiom-pack", 4, "fields of bits packed and taken out")                         \
    X(IDIOM, SATURATE, "idiom-saturate", 4, "sums and differences that saturate")                  \
    X(IDIOM, CLAMP, "idiom-clamp", 4, "minimum and maximum, between two limits")                   \
    X(IDIOM, ABS, "idiom-abs", 4, "absolute values and differences")                               \
    X(IDIOM, DIVIDE, "idiom-divide", 4, "quotients and remainders by constants")                   \
    X(IDIOM, SIGN, "idiom-sign", 4, "signs, and three-way comparisons")                            \
    X(IDIOM, WIDE, "idiom-wide", 4, "carries, averages, products of twice the width")              \
    X(IDIOM, REASSOCIATE, "idiom-reassociate", 4, "sums and products in many orders")              \
    X(IDIOM, NARROW, "idiom-narrow", 4, "casts there and back, and whether a value fits")          \
    X(IDIOM, IF_CONVERSION, "idiom-if-conversion", 4, "a branch that only selects a value")        \
    X(IDIOM, JUMP_THREADING, "idiom-jump-threading", 4,                                            \
      "what one condition sets, the next one tests")                                               \
    X(IDIOM, CONSTANTS, "idiom-constants", 4, "constants that a condition chooses, computed with") \
    X(IDIOM, RANGES, "idiom-ranges", 4, "a range that a condition tells, inside of it")            \
    X(IDIOM, TRUTH, "idiom-truth", 4, "truth values as numbers and masks")                         \
    X(IDIOM, EUCLID, "idiom-euclid", 4, "the greatest common divisor")                             \
    X(IDIOM, DIGITS, "idiom-digits", 4, "a loop over the digits of a number")                      \
    X(IDIOM, SERIES, "idiom-series", 4, "a loop that has a closed form")                           \
    X(IDIOM, MERGE, "idiom-merge", 4, "bytes of a word stored and read one by one")                \
    X(IDIOM, NEIGHBOURS, "idiom-neighbours", 4,                                                    \
      "the same operation on neighbours, in straight code")                                        \
    X(IDIOM, SWITCH_TABLE, "idiom-switch-table", 4, "a switch that is a table of constants")       \
    X(IDIOM, OVERFLOW, "idiom-overflow", 4, "builtins that tell of overflow")                      \
    X(IDIOM, EXPECT, "idiom-expect", 4, "branches with a hint")                                    \
    X(IDIOM, COUNT_ZEROS, "idiom-count-zeros", 4, "builtins of zeros, bits and bytes, guarded")    \
    X(IDIOM, POINTER_LOOP, "idiom-pointer-loop", 4, "a loop from a pointer to another")            \
    X(IDIOM, POINTER_OFFSET, "idiom-pointer-offset", 4, "accesses around a pointer")

enum smith_weight {
#define X(group, id, name, weight, help) SMITH_##group##_##id,
    SMITH_WEIGHT_TABLE(X)
#undef X
        SMITH_N_WEIGHTS
};

struct smith_config {
    double feature[SMITH_N_FEATURES]; /* probability, 0 to 1 */
    int64_t limit[SMITH_N_LIMITS];
    unsigned weight[SMITH_N_WEIGHTS];
    enum cc_wrappers wrappers;
    bool wrappers_drawn; /* "mixed": functions, macros or needed, drawn per program (the
                            default) */
    enum cc_language language;
    bool swarm; /* a feature mask per program (7.2.2) */
    bool plain_types;
    int emi; /* changes of code that never ran, see cc/emi.h; 0: none */
};

/* "goto", "no-goto", "volatiles" "0.2" or "20%" or on/off, "max-funcs" "5", "stmt-goto" "9",
 * "wrappers" "functions", "lang" "c++", "swarm", "plain-types", "emi" "8"; Csmith's names
 * too. */
extern const struct settings smith_settings;
/* The default of a feature. */
double smith_feature_standard(enum smith_feature f);

/* 7.2.2: switch about half of the swarm features that are on off, by choices. */
void smith_config_swarm(struct smith_config *c, struct choice *ch);

#endif
