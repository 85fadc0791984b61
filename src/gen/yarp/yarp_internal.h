/* What the files of yarp share.
 *
 *     policy.c    what was asked for and what was drawn for this program
 *     rewrite.c   Table 1
 *     values.c    the values of everything, at every point
 *     types.c     types and globals
 *     places.c    variables, elements, members, indirections: what can be read and written
 *     exprs.c     expressions and constants
 *     stmts.c     statements but loops
 *     loops.c     loops
 *     funcs.c     functions and calls
 *     yarp.c      the generator: program, checksum, files
 *
 * A statement is made and evaluated, then the next one: where the generator stands, it knows the
 * value of everything. */
#ifndef ASSAY_GEN_YARP_YARP_INTERNAL_H
#define ASSAY_GEN_YARP_YARP_INTERNAL_H

#include "base/error.h"
#include "cc/build.h"
#include "gen/yarp/policy.h"
#include "gen/yarp/values.h"

enum role { INPUT, MIXED, OUTPUT, N_ROLES };

/* What a variable is at its top. */
enum shape { SCALAR, ARRAY, STRUCT, POINTER, FLOATING, FLOATING_ARRAY, VECTOR, N_SHAPES };

typedef VEC(struct cc_var *) var_list;

/* A loop that the present statement is in. */
struct induction {
    struct cc_var *v;
    int64_t low, high; /* of its values in the body */
    bool walks;        /* by a pointer: `v` is that pointer, no integer */
};

/* An input that loops are bounded by: its value is what it was at the start. */
struct bound {
    struct cc_var *v;
    cc_wide value;
};

struct yarp_func {
    struct cc_func *f;
    bool pure;    /* writes nothing but its own locals: may stand inside of expressions */
    int64_t cost; /* nodes that a call evaluates, about */
};

/* The region that an expression is in (3.3): both kinds of policy overlap freely. */
enum context { /* in the order of the policies */
               CONTEXT_ADDITIVE,
               CONTEXT_BITWISE,
               CONTEXT_LOGICAL,
               CONTEXT_MULTIPLICATIVE,
               CONTEXT_BITWISE_SHIFT,
               CONTEXT_ADDITIVE_MULTIPLICATIVE,
               CONTEXT_NONE,
               CONTEXT_KERNEL, /* what vectorisers take: all but / and % */
};
struct mood {
    enum context context;
    enum { LEAVES_ANY, LEAVES_HALF_CONSTANT, LEAVES_CONSTANT } leaves;
};

/* The function being made, and where in it the next statement will stand. */
struct making {
    size_t first_local, first_loop, first_kept; /* its own begin there in the lists of all */
    int64_t times;                              /* that the statement runs in a run of it */
    int depth;                                  /* of branches */
    int lazy;                                   /* inside of so many operands that C may skip */
    int expr_depth;                             /* of its expressions */
    bool pure;                                  /* it must be */
    bool may_break, may_continue;               /* in the innermost loop */
    bool in_arguments;                          /* of a call being made */
    bool kernel;                                /* elements by the loop variables above all */
    struct cc_var *sum;   /* of a pure function: where goes what nothing else reads */
    bool called, written; /* the present statement has a call, an effect in it */
};

enum { KEPT_CONSTANTS = 24, KEPT_EXPRESSIONS = 16 };

struct yarp {
    struct cc_program *p;
    struct choice *c;
    struct arena *arena;
    const struct yarp_config *k;
    struct yarp_drawn d;
    struct values v;

    VEC(const struct cc_type *) structs;
    uint32_t lengths[3];              /* most arrays have one of these, so that loops fit them */
    uint32_t narrow[2];               /* the same of arrays of three and four dimensions */
    var_list vars[N_ROLES][N_SHAPES]; /* globals */
    VEC(struct bound) bounds;         /* some of the inputs */
    const struct cc_type *vector_type;

    var_list locals;             /* in scope, of this and of outer functions being made */
    VEC(bool) read;              /* by a local's id: what it holds now was read */
    VEC(struct induction) loops; /* around the present statement, the same */
    VEC(struct yarp_func) funcs;
    struct making at;
    int calls; /* functions being made inside each other */

    int64_t constants[KEPT_CONSTANTS]; /* the buffer of used constants, as 64-bit values */
    uint32_t n_constants;
    struct cc_expr *kept[KEPT_EXPRESSIONS]; /* the buffer of subexpressions on globals */
    uint32_t n_kept;
    VEC(struct cc_expr *) kept_local; /* and of those that read locals, dropped with their scope */

    int64_t tokens; /* still to make, about */
    int64_t room;   /* nodes that may still be evaluated in a run */
    uint32_t n_names;
    uint32_t n_loops;
};

/* -- choices ---------------------------------------------------------------------------------- */

static inline uint32_t pick(struct yarp *y, size_t n)
{
    return (uint32_t)choose(y->c, n);
}
static inline int64_t between(struct yarp *y, int64_t low, int64_t high)
{
    return low + (int64_t)choose(y->c, (uint64_t)(high - low + 1));
}
static inline bool percent(struct yarp *y, unsigned p)
{
    return choose(y->c, 100) >= 100 - p; /* 0 is the simplest: no */
}
/* An opportunity for a policy. */
static inline bool takes(struct yarp *y, enum yarp_policy p)
{
    return y->d.strength[p] && percent(y, y->d.strength[p]);
}
static inline bool has(const struct yarp *y, enum yarp_policy p)
{
    return y->d.strength[p] != 0;
}
static inline enum yarp_weight draw(struct yarp *y, enum yarp_parameter p)
{
    return yarp_pick(&y->d, y->c, p);
}
const char *yarp_name(struct yarp *y, const char *kind);

static inline void spend(struct yarp *y, int nodes)
{
    y->tokens -= 2 * nodes;
    y->room -= nodes * y->at.times;
}

static inline const struct cc_type *basic(struct yarp *y, enum cc_kind kind)
{
    return cc_basic(&y->p->types, kind);
}

/* -- types.c ---------------------------------------------------------------------------------- */

const struct cc_type *yarp_int_type(struct yarp *y);
void yarp_new_environment(struct yarp *y);
uint32_t yarp_length(struct yarp *y); /* of an array */
enum cc_container yarp_container(struct yarp *y);
bool yarp_has_pointer(const struct cc_type *t);
/* A global of this scalar type, role INPUT, MIXED or OUTPUT, that a pointer may point to. */
struct cc_var *yarp_pointee(struct yarp *y, const struct cc_type *t, enum role r);

/* -- places.c --------------------------------------------------------------------------------- */

/* A local's value was read; it has a new one. */
void yarp_note_read(struct yarp *y, const struct cc_var *v, bool read);
bool yarp_was_read(const struct yarp *y, const struct cc_var *v);
/* An integer in the variable, wherever that is. */
struct cc_expr *yarp_part_of(struct yarp *y, struct cc_var *v);
/* An integer lvalue: of the wanted leaf or the next one that there is; NULL: none at all. */
struct cc_expr *yarp_readable(struct yarp *y, enum yarp_weight leaf);
struct cc_expr *yarp_writable(struct yarp *y, bool *was_output);
struct cc_var *yarp_local(struct yarp *y, enum shape s); /* NULL: none was met */
/* A local or mixed scalar variable that may be written inside of an expression; NULL: none. */
struct cc_expr *yarp_effect_target(struct yarp *y);
/* An element of an output or mixed array; NULL: there is none. */
struct cc_expr *yarp_element_target(struct yarp *y);
struct cc_expr *yarp_float_place(struct yarp *y, bool write, const struct cc_type **type);
/* A subscript for so many elements. */
struct cc_expr *yarp_subscript(struct yarp *y, uint32_t length, int dimension, int dimensions);
struct cc_expr *yarp_index_of(struct yarp *y, struct cc_expr *array, struct cc_expr *i);
enum shape yarp_shape_of(const struct cc_type *t);

/* -- exprs.c ---------------------------------------------------------------------------------- */

struct cc_expr *yarp_expression(struct yarp *y); /* of any integer type, with the policies */
struct cc_expr *yarp_small_expression(struct yarp *y, int depth);
struct cc_expr *yarp_condition(struct yarp *y);
/* Of a kernel: no calls and no effects, without what no vectoriser takes. */
struct cc_expr *yarp_kernel_expression(struct yarp *y, int depth);
struct cc_expr *yarp_constant(struct yarp *y, const struct cc_type *t);
struct cc_expr *yarp_any_constant(struct yarp *y);
struct cc_expr *yarp_float_expression(struct yarp *y, int depth, const struct cc_type *t);
struct cc_expr *yarp_vector_expression(struct yarp *y, int depth);
double yarp_float_constant(struct yarp *y);
struct cc_expr *yarp_copy(struct yarp *y, const struct cc_expr *e);

/* -- stmts.c ---------------------------------------------------------------------------------- */

struct scope {
    size_t locals, kept;
};
struct scope yarp_open_scope(struct yarp *y);
/* What its locals hold and nothing has read goes where it is hashed. */
void yarp_use_up(struct yarp *y, struct cc_stmt *block, struct scope s);
void yarp_close_scope(struct yarp *y, struct scope s);
/* Append and evaluate. */
void yarp_emit(struct yarp *y, struct cc_stmt *block, struct cc_expr *e);
struct cc_var *yarp_define(struct yarp *y, struct cc_stmt *block, const char *kind,
                           const struct cc_type *t, struct cc_expr *init);
void yarp_statements(struct yarp *y, struct cc_stmt *block, int n);
int yarp_block_length(struct yarp *y);
/* A block of statements; as if, where it is not taken. */
struct cc_stmt *yarp_branch(struct yarp *y, bool taken);

/* -- loops.c ---------------------------------------------------------------------------------- */

bool yarp_new_loop(struct yarp *y, struct cc_stmt *block); /* false: no room for one */
/* Run what was just made, until nothing has to be rewritten. */
void yarp_settle(struct yarp *y, struct cc_stmt *s);

/* -- funcs.c ---------------------------------------------------------------------------------- */

/* A call with an integer result: of a pure function inside of expressions; NULL: none. */
struct cc_expr *yarp_new_call(struct yarp *y, bool pure);
void yarp_new_test(struct yarp *y, struct cc_func *f, int64_t tokens);

#endif
