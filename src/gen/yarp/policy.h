/* Generation policies (YARPGen 3.3), features and shuffled parameters: all that yarp is told, and
 * what it draws from that for one program.
 *
 * A policy is on in some share of the programs; in one where it is on it has a strength, which is
 * how often an opportunity is taken. Policies overlap freely: nothing here knows of two at once.
 * Those of the paper make one group that can be switched off as a whole, to measure what they do.
 *
 * A parameter is a distribution: a group of weights. Shuffling makes the distributions themselves
 * random, anew for each program. */
#ifndef ASSAY_GEN_YARP_POLICY_H
#define ASSAY_GEN_YARP_POLICY_H

#include "base/choice.h"
#include "base/settings.h"
#include "cc/print.h"

/* X(id, name, group, percent of programs, strength from, to in percent of opportunities, help)
 * PAPER: the policies of 3.3. FEATURE: what may be in a program. OPTION: off unless asked for. */
#define YARP_POLICY_TABLE(X)                                                                       \
    X(ADDITIVE, "additive", PAPER, 60, 2, 12, "regions of + - and negation only")                  \
    X(BITWISE, "bitwise", PAPER, 60, 2, 12, "regions of ~ & | ^ only")                             \
    X(LOGICAL, "logical", PAPER, 60, 2, 10, "regions of && || ! only")                             \
    X(MULTIPLICATIVE, "multiplicative", PAPER, 50, 1, 8, "regions of * / only")                    \
    X(BITWISE_SHIFT, "bitwise-shift", PAPER, 60, 2, 12, "regions of ~ & | ^ << >> only")           \
    X(ADDITIVE_MULTIPLICATIVE, "additive-multiplicative", PAPER, 60, 2, 12,                        \
      "regions of + - * / and negation only")                                                      \
    X(ALL_CONSTANTS, "all-constants", PAPER, 40, 1, 6, "regions whose leaves are all constants")   \
    X(HALF_CONSTANTS, "half-constants", PAPER, 60, 2, 15,                                          \
      "regions where half of the leaves are constants")                                            \
    X(SPECIAL_CONSTANTS, "special-constants", PAPER, 80, 10, 60, "small constants: -2 to 8")       \
    X(NEAR_LIMITS, "near-limits", PAPER, 60, 5, 30, "constants near the limits of a type")         \
    X(BIT_BLOCKS, "bit-blocks", PAPER, 60, 5, 30, "constants of contiguous ones or zeroes")        \
    X(REUSED_CONSTANTS, "reused-constants", PAPER, 70, 5, 40,                                      \
      "constants used before, their negations and complements")                                    \
    X(COMMON_SUBEXPRESSIONS, "common-subexpressions", PAPER, 90, 4, 25,                            \
      "subexpressions used before")                                                                \
    X(SHUFFLE, "shuffle", PAPER, 90, 100, 100, "every distribution drawn anew")                    \
                                                                                                   \
    X(ARRAYS, "arrays", FEATURE, 94, 25, 60, "arrays")                                             \
    X(STRUCTS, "structs", FEATURE, 70, 10, 40, "structs")                                          \
    X(BIT_FIELDS, "bit-fields", FEATURE, 60, 10, 60, "members that are bit-fields")                \
    X(POINTERS, "pointers", FEATURE, 70, 10, 40, "pointers to variables, elements and members")    \
    X(CONSTS, "consts", FEATURE, 60, 10, 50, "const inputs")                                       \
    X(STATIC_MEMBERS, "static-members", FEATURE, 60, 10, 50, "static members of structs, in C++")  \
    X(CONTAINERS, "containers", FEATURE, 80, 20, 100,                                              \
      "arrays as std::array, std::vector or std::valarray, in C++")                                \
    X(BOOLS, "bools", FEATURE, 60, 100, 100, "_Bool")                                              \
    X(CONDITIONALS, "conditionals", FEATURE, 90, 5, 25, "if and else")                             \
    X(SWITCHES, "switches", FEATURE, 60, 2, 8, "switch")                                           \
    X(LOOPS, "loops", FEATURE, 92, 15, 50, "loops of every kind")                                  \
    X(NESTS, "nests", FEATURE, 75, 15, 50, "loops in loops")                                       \
    X(PERFECT_NESTS, "perfect-nests", FEATURE, 60, 10, 60, "loops with one loop as their body")    \
    X(KERNELS, "kernels", FEATURE, 85, 20, 70,                                                     \
      "loops that do nothing but compute elements and reductions from elements")                   \
    X(BOUNDS, "parametrised-bounds", FEATURE, 80, 10, 80,                                          \
      "loops that start, end and step by variables")                                               \
    X(REDUCTIONS, "reductions", FEATURE, 70, 10, 40, "loops that sum up, in all operators")        \
    X(STENCILS, "stencils", FEATURE, 70, 10, 40, "loops that read an element's neighbours")        \
    X(STRIDES, "strides", FEATURE, 60, 10, 40, "loops whose accesses leave gaps or run backwards") \
    X(GATHERS, "gathers", FEATURE, 50, 5, 30, "subscripts that are computed")                      \
    X(BREAKS, "breaks", FEATURE, 60, 10, 40, "break and continue")                                 \
    X(CALLS, "calls", FEATURE, 75, 8, 40, "calls of generated functions")                          \
    X(POINTER_WALKS, "pointer-walks", FEATURE, 50, 10, 40, "pointer arithmetic inside arrays")     \
    X(SIDE_EFFECTS, "side-effects", FEATURE, 50, 1, 8,                                             \
      "assignments and ++ inside of expressions where their order does not matter")                \
    X(COMPOUND, "compound-assignments", FEATURE, 80, 20, 100,                                      \
      "op= and ++ where they say the same")                                                        \
    X(FLOATS, "floats", FEATURE, 25, 3, 15, "float and double with exact results")                 \
    X(VECTORS, "vectors", FEATURE, 12, 3, 15, "short vectors, a GNU extension")                    \
    X(TERNARIES, "ternaries", FEATURE, 90, 3, 18, "?:")                                            \
    X(MIN_MAX, "min-max", FEATURE, 70, 2, 12, "minima, maxima and absolute values by ?:")          \
    X(CASTS, "casts", FEATURE, 80, 3, 20, "explicit casts")                                        \
    X(LONG, "long", FEATURE, 50, 100, 100, "long, whose width is the data model's")                \
    X(NEGATIVE_SHIFTS, "negative-shifts", FEATURE, 60, 100, 100,                                   \
      ">> of negative values, which every compiler here defines alike")                            \
                                                                                                   \
    X(DEAD_UB, "dead-ub", OPTION, 0, 100, 100, "undefined operations in code that never runs")

enum yarp_policy {
#define X(id, name, group, percent, from, to, help) YARP_##id,
    YARP_POLICY_TABLE(X)
#undef X
        YARP_N_POLICIES
};
enum yarp_group { YARP_PAPER, YARP_FEATURE, YARP_OPTION };

/* The shuffled parameters. P(id, name, help) opens one, W(id, name, weight) are its outcomes. */
#define YARP_PARAMETER_TABLE(P, W)                                                                 \
    P(INT_TYPE, "int-type", "types of integers")                                                   \
    W(TYPE_BOOL, "bool", 4)                                                                        \
    W(TYPE_SCHAR, "signed-char", 8)                                                                \
    W(TYPE_UCHAR, "unsigned-char", 8)                                                              \
    W(TYPE_SHORT, "short", 10)                                                                     \
    W(TYPE_USHORT, "unsigned-short", 8)                                                            \
    W(TYPE_INT, "int", 32)                                                                         \
    W(TYPE_UINT, "unsigned", 12)                                                                   \
    W(TYPE_LLONG, "long-long", 14)                                                                 \
    W(TYPE_ULLONG, "unsigned-long-long", 8)                                                        \
    P(ELEMENT, "array-element", "what arrays are made of")                                         \
    W(ELEMENT_SCALAR, "scalar", 80)                                                                \
    W(ELEMENT_STRUCT, "struct", 15)                                                                \
    W(ELEMENT_POINTER, "pointer", 5)                                                               \
    P(DIMENSIONS, "array-dimensions", "dimensions of an array")                                    \
    W(DIMENSIONS_1, "1", 55)                                                                       \
    W(DIMENSIONS_2, "2", 30)                                                                       \
    W(DIMENSIONS_3, "3", 9)                                                                        \
    W(DIMENSIONS_4, "4", 6)                                                                        \
    P(LENGTH, "array-length", "elements per dimension")                                            \
    W(LENGTH_SHORT, "2-7", 20)                                                                     \
    W(LENGTH_POWER, "8-16-32", 45)                                                                 \
    W(LENGTH_ODD, "9-25", 25)                                                                      \
    W(LENGTH_LONG, "33-70", 10)                                                                    \
    P(MEMBER, "struct-member", "what structs are made of")                                         \
    W(MEMBER_SCALAR, "scalar", 60)                                                                 \
    W(MEMBER_ARRAY, "array", 15)                                                                   \
    W(MEMBER_STRUCT, "struct", 15)                                                                 \
    W(MEMBER_POINTER, "pointer", 10)                                                               \
    P(BIT_WIDTH, "bit-field-width", "widths of bit-fields")                                        \
    W(BIT_WIDTH_ONE, "1", 20)                                                                      \
    W(BIT_WIDTH_NARROW, "2-8", 40)                                                                 \
    W(BIT_WIDTH_WIDE, "9-31", 40)                                                                  \
    P(REUSE, "type-reuse", "an existing compound type or a new one")                               \
    W(REUSE_OLD, "old", 60)                                                                        \
    W(REUSE_NEW, "new", 40)                                                                        \
    P(ROLE, "global-role", "what a global is for")                                                 \
    W(ROLE_INPUT, "input", 40)                                                                     \
    W(ROLE_MIXED, "mixed", 30)                                                                     \
    W(ROLE_OUTPUT, "output", 30)                                                                   \
    P(LEAF, "leaf", "leaves of expressions")                                                       \
    W(LEAF_CONSTANT, "constant", 12)                                                               \
    W(LEAF_VARIABLE, "variable", 45)                                                               \
    W(LEAF_ELEMENT, "element", 15)                                                                 \
    W(LEAF_MEMBER, "member", 15)                                                                   \
    W(LEAF_INDIRECTION, "indirection", 10)                                                         \
    P(SCOPE, "variable-scope", "which variables are read")                                         \
    W(SCOPE_LOCAL, "local", 60)                                                                    \
    W(SCOPE_INPUT, "input", 35)                                                                    \
    W(SCOPE_MIXED, "mixed", 25)                                                                    \
    P(TARGET, "target", "where results go")                                                        \
    W(TARGET_LOCAL, "local", 15)                                                                   \
    W(TARGET_MIXED, "mixed", 25)                                                                   \
    W(TARGET_OUTPUT, "output", 25)                                                                 \
    W(TARGET_ELEMENT, "element", 15)                                                               \
    W(TARGET_MEMBER, "member", 10)                                                                 \
    W(TARGET_INDIRECTION, "indirection", 10)                                                       \
    P(CONTAINER, "container", "what arrays are in C++")                                            \
    W(CONTAINER_C, "c-array", 25)                                                                  \
    W(CONTAINER_ARRAY, "std-array", 25)                                                            \
    W(CONTAINER_VECTOR, "std-vector", 25)                                                          \
    W(CONTAINER_VALARRAY, "std-valarray", 25)                                                      \
    P(SUBSCRIPT, "subscript", "how elements are reached in C++")                                   \
    W(SUBSCRIPT_BRACKETS, "brackets", 70)                                                          \
    W(SUBSCRIPT_AT, "at", 30)                                                                      \
    P(NODE, "node", "nodes of expressions")                                                        \
    W(NODE_LEAF, "leaf", 8)                                                                        \
    W(NODE_UNARY, "unary", 15)                                                                     \
    W(NODE_BINARY, "binary", 70)                                                                   \
    P(UNARY, "unary-operator", "unary operators")                                                  \
    W(UNARY_PLUS, "plus", 5)                                                                       \
    W(UNARY_MINUS, "minus", 45)                                                                    \
    W(UNARY_COMPL, "complement", 35)                                                               \
    W(UNARY_NOT, "not", 12)                                                                        \
    P(BINARY, "binary-operator", "binary operators")                                               \
    W(BINARY_ADD, "add", 14)                                                                       \
    W(BINARY_SUB, "sub", 14)                                                                       \
    W(BINARY_MUL, "mul", 14)                                                                       \
    W(BINARY_DIV, "div", 8)                                                                        \
    W(BINARY_REM, "rem", 8)                                                                        \
    W(BINARY_SHL, "shl", 10)                                                                       \
    W(BINARY_SHR, "shr", 8)                                                                        \
    W(BINARY_AND, "and", 9)                                                                        \
    W(BINARY_OR, "or", 9)                                                                          \
    W(BINARY_XOR, "xor", 9)                                                                        \
    W(BINARY_LT, "lt", 2)                                                                          \
    W(BINARY_GT, "gt", 2)                                                                          \
    W(BINARY_LE, "le", 2)                                                                          \
    W(BINARY_GE, "ge", 2)                                                                          \
    W(BINARY_EQ, "eq", 2)                                                                          \
    W(BINARY_NE, "ne", 2)                                                                          \
    W(BINARY_LAND, "land", 5)                                                                      \
    W(BINARY_LOR, "lor", 5)                                                                        \
    P(STATEMENT, "statement", "statements that are no control flow")                               \
    W(STATEMENT_DEFINE, "define", 45)                                                              \
    W(STATEMENT_ASSIGN, "assign", 55)                                                              \
    P(DEPTH, "expression-depth", "how deep expressions may be")                                    \
    W(DEPTH_3, "3", 20)                                                                            \
    W(DEPTH_4, "4", 25)                                                                            \
    W(DEPTH_5, "5", 25)                                                                            \
    W(DEPTH_6, "6", 18)                                                                            \
    W(DEPTH_8, "8", 12)                                                                            \
    P(BLOCK, "block-length", "statements in a block")                                              \
    W(BLOCK_SHORT, "1-3", 70)                                                                      \
    W(BLOCK_MIDDLE, "4-7", 22)                                                                     \
    W(BLOCK_LONG, "8-15", 8)                                                                       \
    P(ELSE, "else", "if alone or with else")                                                       \
    W(ELSE_WITHOUT, "without", 50)                                                                 \
    W(ELSE_WITH, "with", 50)                                                                       \
    P(CONSTANT_CHANGE, "constant-change", "how a constant comes back")                             \
    W(CONSTANT_SAME, "same", 50)                                                                   \
    W(CONSTANT_NEGATED, "negated", 25)                                                             \
    W(CONSTANT_COMPLEMENT, "complement", 25)                                                       \
    P(SUBEXPRESSION, "subexpression", "what becomes of a new expression")                          \
    W(SUBEXPRESSION_FORGET, "forget", 40)                                                          \
    W(SUBEXPRESSION_KEEP, "keep", 60)                                                              \
    P(LOOP_FORM, "loop-form", "how loops are written")                                             \
    W(LOOP_FOR_UP, "for-up", 45)                                                                   \
    W(LOOP_FOR_DOWN, "for-down", 15)                                                               \
    W(LOOP_FOR_UNEQUAL, "for-unequal", 10)                                                         \
    W(LOOP_WHILE, "while", 10)                                                                     \
    W(LOOP_DO, "do", 10)                                                                           \
    W(LOOP_ENDLESS, "endless-with-break", 5)                                                       \
    W(LOOP_GOTO, "goto", 5)                                                                        \
    P(INDUCTION, "induction-type", "types of loop variables")                                      \
    W(INDUCTION_INT, "int", 50)                                                                    \
    W(INDUCTION_UINT, "unsigned", 15)                                                              \
    W(INDUCTION_SHORT, "short", 10)                                                                \
    W(INDUCTION_CHAR, "unsigned-char", 5)                                                          \
    W(INDUCTION_LLONG, "long-long", 10)                                                            \
    W(INDUCTION_ULLONG, "unsigned-long-long", 10)                                                  \
    P(LOOP_STEP, "loop-step", "what the loop variable is changed by")                              \
    W(STEP_1, "1", 70)                                                                             \
    W(STEP_2, "2", 15)                                                                             \
    W(STEP_3, "3", 8)                                                                              \
    W(STEP_4, "4", 7)                                                                              \
    P(REDUCTION, "reduction-operator", "operators of reductions")                                  \
    W(REDUCTION_ADD, "add", 35)                                                                    \
    W(REDUCTION_XOR, "xor", 15)                                                                    \
    W(REDUCTION_OR, "or", 10)                                                                      \
    W(REDUCTION_AND, "and", 10)                                                                    \
    W(REDUCTION_MUL, "mul", 10)                                                                    \
    W(REDUCTION_MIN, "min", 10)                                                                    \
    W(REDUCTION_MAX, "max", 10)                                                                    \
    P(SPELLING, "constant-spelling", "how constants are written")                                  \
    W(SPELLING_DECIMAL, "decimal", 70)                                                             \
    W(SPELLING_HEX, "hexadecimal", 30)

enum yarp_parameter {
#define P(id, name, help) YARP_P_##id,
#define W(id, name, weight)
    YARP_PARAMETER_TABLE(P, W)
#undef P
#undef W
        YARP_N_PARAMETERS
};
enum yarp_weight {
#define P(id, name, help)
#define W(id, name, weight) YARP_##id,
    YARP_PARAMETER_TABLE(P, W)
#undef P
#undef W
        YARP_N_WEIGHTS
};

/* X(id, name, default, least, most, help) */
#define YARP_LIMIT_TABLE(X)                                                                        \
    X(SIZE, "size", 0, 0, 1000000, "aim at a program of this many tokens; 0: a random size")       \
    X(FUNCTIONS, "max-functions", 24, 0, 200, "functions besides the test functions")              \
    X(BLOCK_DEPTH, "max-block-depth", 4, 1, 10, "nesting of blocks")                               \
    X(LOOP_DEPTH, "max-loop-depth", 6, 1, 8, "nesting of loops")                                   \
    X(STEPS, "max-steps", 200000, 1000, 100000000, "bound on the nodes that a run evaluates")

enum yarp_limit {
#define X(id, name, value, least, most, help) YARP_LIMIT_##id,
    YARP_LIMIT_TABLE(X)
#undef X
        YARP_N_LIMITS
};

/* How the program is laid out in files. */
enum yarp_form {
    YARP_SEPARATE,       /* init.h, func.c, driver.c */
    YARP_SINGLE_FILE,    /* one file: noinline functions, globals hidden before the call */
    YARP_SHARED_LIBRARY, /* as SEPARATE, but func.c is libfunc.c, to be built as a shared library */
};

/* -- what the user asked for ------------------------------------------------------------------- */

enum { YARP_FORCED = 101 }; /* as a percentage: on in every program, at every opportunity */

struct yarp_config {
    uint8_t policy[YARP_N_POLICIES]; /* percent of programs, 0 to 100; or YARP_FORCED */
    int64_t limit[YARP_N_LIMITS];
    enum cc_language language;
    enum yarp_form form;
    int emi; /* changes of code that never ran, see cc/emi.h; 0: none */
};

/* What can be set:
 *
 *     policy             "NAME", "NAME=on", "NAME=off", "NAME=force", "NAME=30" (percent of
 *                        programs); several with commas between; NAME may be a policy's,
 *                        "paper", "features", "all" (both of these; options only by name), or
 *                        "contexts" (the six of 3.3). "NAME" alone and "on" mean: in every program,
 *                        with a drawn strength (100); "default" goes back to the table's share.
 *     policy.NAME        one of them, as it stands in the canonical text
 *     no-policies        the group of the paper off
 *     size, max-...      a number
 *     lang               c, c++
 *     form               separate, single-file, shared-library; the last two also alone
 *     emi                alone, or a number */
extern const struct settings yarp_settings;

/* -- what is drawn for one program ------------------------------------------------------------- */

struct yarp_drawn {
    uint8_t strength[YARP_N_POLICIES]; /* percent of opportunities; 0: off in this program */
    unsigned weight[YARP_N_WEIGHTS];
};

/* Every policy, then every parameter. Without the policy SHUFFLE the weights are the table's. With
 * it each weight is multiplied by 1/8, 1/4, ..., 4 or 8, drawn for it; never all 0. TYPE_BOOL is 0
 * where the policy BOOLS is off. One choice per statement, so that the order is the language's. */
void yarp_draw(const struct yarp_config *k, struct choice *c, struct yarp_drawn *out);
/* One outcome of a parameter. */
enum yarp_weight yarp_pick(const struct yarp_drawn *d, struct choice *c, enum yarp_parameter p);
/* For people: which policies are on and how strong, which are off, and each parameter's shares. */
void yarp_explain(const struct yarp_drawn *d, struct strbuf *out);

#endif
