/* A nest of loops over arrays in the making: nests.c makes its loops, kernels.c what they do.
 *
 * Its variables are its own: nobody else finds them, so nobody stores to them, and the ranges that
 * are known here hold for good, wherever the run comes from. That makes the loops end, and the
 * subscripts valid, without a test at run time. Its blocks take no jumps of jumps.c (sealed). */
#ifndef ASSAY_GEN_SMITH_NEST_H
#define ASSAY_GEN_SMITH_NEST_H

#include "gen/smith/ranged.h"

enum { MOST_NEST = 6, MOST_NEST_ARRAYS = 8, MOST_RESULTS = 8, MOST_ALIASES = 3 };

struct nest_loop {
    struct cc_var *var;
    int64_t low, high;     /* inside the body */
    struct cc_var *second; /* that steps with it; NULL: none */
    int64_t low2, high2;
};

struct nest {
    size_t scope;                      /* of the block around it, with its variables */
    int depth;                         /* loops that are planned */
    int64_t lengths[MOST_NEST];        /* values that the variables of the loops are below */
    struct ranged bounds[MOST_NEST];   /* .e: a value before the nest that ends a loop, or NULL */
    struct nest_loop loops[MOST_NEST]; /* around the current point */
    int at;                            /* how many of them there are */
    int branches;                      /* around the current point, in the innermost loop */
    int64_t trips;                     /* how often the current point runs, at most */
    const struct cc_type *type;        /* of most elements */
    struct cc_var *arrays[MOST_NEST_ARRAYS];
    int n_arrays;
    struct {
        struct cc_var *array, *param;
    } aliases[MOST_ALIASES]; /* arrays that are reached through parameters */
    int n_aliases;
    struct cc_var *results[MOST_RESULTS]; /* scalars that are read behind the nest */
    int n_results;
    struct cc_var *target; /* of a compression: what its elements go to */
    struct cc_stmt *out;   /* a label behind it; NULL: nobody goes there */
    size_t out_depth;      /* open blocks there */
};

/* -- nests.c ---------------------------------------------------------------------------------- */

/* How deep, and how long, for this room; and all of it, in the innermost block. */
void nest_plan(struct smith *s, struct nest *n, int64_t room);
/* low + (x & mask), or low + x % n: any value of x does. */
struct ranged nest_between(struct smith *s, int64_t low, int64_t high);
/* A variable of the nest, declared in the block around it. */
struct cc_var *nest_variable(struct smith *s, struct nest *n, const struct cc_type *t,
                             struct cc_expr *init);
/* A variable that is set here, and its value, in this range. */
struct ranged nest_bounded(struct smith *s, struct nest *n, int64_t low, int64_t high);
/* Append an expression as a statement of the innermost block; false: it is not valid here. */
bool nest_emit(struct smith *s, struct cc_expr *e);
/* A branch, opened: its block is the innermost one. */
struct cc_stmt *nest_open(struct smith *s);
void nest_leave(struct smith *s, struct nest *n); /* a jump behind the nest */

/* -- kernels.c -------------------------------------------------------------------------------- */

void kernel(struct smith *s, struct nest *n); /* what is done at the current point */
struct ranged kernel_value(struct smith *s, struct nest *n);
/* Into a sum that is used behind the nest. */
void kernel_keep(struct smith *s, struct nest *n, struct ranged v);
void kernel_results(struct smith *s, struct nest *n); /* behind the nest: they are used */

/* -- outline.c -------------------------------------------------------------------------------- */

/* A nest in a function of its own, called here; NULL: there may be no more functions. */
struct cc_stmt *outlined_nest(struct smith *s);

/* -- pointers.c ------------------------------------------------------------------------------- */

void kernel_walk(struct smith *s, struct nest *n);

/* -- subscripts.c ----------------------------------------------------------------------------- */

const struct cc_type *nest_type(struct smith *s); /* of elements: 8 to 64 bits */
struct ranged nest_iv(struct smith *s, const struct nest *n, int loop);
/* An array whose dimensions are at least as long as these loops go, the last one with `slack` more
 * elements behind. `loops` counts from 0, the outermost. */
struct cc_var *nest_array(struct smith *s, struct nest *n, const int *loops, int dims,
                          int64_t slack, bool store);
/* Its element at the variables of these loops, the last one moved by `offset`. */
struct ranged nest_at(struct smith *s, struct nest *n, struct cc_var *array, const int *loops,
                      int64_t offset);
/* Some element of some array, by subscripts of all forms. */
struct ranged nest_element(struct smith *s, struct nest *n, bool store);
/* An array, or the parameter that it came by. */
struct cc_expr *nest_base(struct smith *s, const struct nest *n, struct cc_var *array);
struct cc_var *nest_global(struct smith *s, const struct cc_type *t); /* a new array */
/* An array whose elements are subscripts; `high` gets the largest. NULL: there is none. */
struct cc_var *nest_gather(struct smith *s, const struct nest *n, bool store, int64_t *high);

#endif
