/* A library of functions: a C file in which a comment above each function says on what it is
 * defined.
 *
 *     graft scale
 *     x: -32768..32767
 *     table: in 16 of 0..255
 *     n: 0..16
 *     steps: 412
 *     try: 7, {1, 2, 0 x 14}, 2 -> 9
 *
 * A line for each parameter, in order. An integer has the values that it may have; a pointer leads
 * to the first of so many elements, each with such a value: `in` are only read, `inout` may be
 * stored to, and of `text` the last one is 0. `steps` are the most nodes that interp evaluated in a
 * run. A `try` is a run: arguments, what was returned, and what was left in the arrays that are
 * `inout`; `5 x 3` stands for three elements.
 *
 * The values were tried, not proved: whoever builds a program of such calls runs it. The runs that
 * are recorded are repeated when the file is read, and must end as they did. */
#ifndef ASSAY_GEN_GRAFT_LIBRARY_H
#define ASSAY_GEN_GRAFT_LIBRARY_H

#include "base/choice.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "cc/ast.h"
#include "gen/gen.h"

struct graft_param {
    const char *name;
    const struct cc_type *type; /* of the integer or of an element, unqualified */
    bool array;                 /* a pointer to the first of `length` elements */
    bool written;               /* which the function may store to */
    bool text;                  /* the last of which is 0 */
    uint32_t length;            /* 1 of an integer */
    cc_wide low, high;
};

/* Values one after the other: `in` of all parameters with their elements, `out` the result and the
 * elements of what is written. */
struct graft_try {
    cc_wide *in, *out;
};

struct graft_function {
    const char *name;
    const struct cc_func *func; /* of the library's program */
    struct graft_param *params;
    int n_params;
    bool returns; /* an integer */
    struct graft_try *tries;
    int n_tries;
    uint64_t steps;
    int line; /* of its comment */
};

struct graft_library {
    const char *path;
    struct arena arena;
    struct cc_program program;
    struct graft_function *at;
    int n;
};

/* How many values go in and come out. */
int graft_inputs(const struct graft_function *f);
int graft_outputs(const struct graft_function *f);
/* Name, types and parameters as the function has them, with all values of the types and arrays of
 * so many elements. NULL, or why it cannot be called with integers and arrays of them. */
const char *graft_describe(const struct cc_func *f, uint32_t length, struct arena *a,
                           struct graft_function *out);

/* A value of the domain: often at an end of it, around a power of two, small, or, of characters,
 * one that parsers look for. */
cc_wide graft_draw(const struct graft_param *p, struct choice *c);
cc_wide graft_clamp(const struct graft_param *p, cc_wide v);

/* What stands in the comment, without its marks. */
void graft_write(const struct graft_function *f, struct strbuf *out);
/* "-32768..32767", "in 16 of 0..255" */
void graft_write_domain(const struct graft_param *p, struct strbuf *out);
void graft_write_try(const struct graft_function *f, const struct graft_try *t, struct strbuf *out);

/* The file of a library: `given`, or for "" the one that comes with assay. NULL: it is not there.
 */
const char *graft_library_file(const struct gen_context *context, const char *given,
                               struct arena *a);

/* A file. -1 and the error: it cannot be read, or a comment does not agree with its function. */
int graft_load(const char *path, struct graft_library *out, struct error *e);
void graft_release(struct graft_library *l);

#endif
