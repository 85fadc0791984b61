/* Functions of one program in another, with all that they need: types, tables, helpers.
 *
 * What is copied is plain C that compilers of any kind take and that interp runs as it runs
 * programs of generators: integers, arrays, structs and unions of them, pointers, strings. What is
 * not (floating point, calls of the library, statement expressions, odd layouts) refuses the
 * function, and the reason says which it was. Functions get a prototype however they were declared,
 * enumerations become integers. */
#ifndef ASSAY_GEN_GRAFT_COPY_H
#define ASSAY_GEN_GRAFT_COPY_H

#include "base/map.h"
#include "cc/ast.h"

struct copy;

/* Everything of `to` that has a name at file scope keeps it; what is copied gets the prefix, and a
 * number where the name is taken all the same. */
struct copy *copy_new(struct cc_program *to, const char *prefix, struct arena *a);
void copy_free(struct copy *c);

/* The copy of a function, made once; its helpers come along. NULL: *why says what cannot be copied,
 * and `to` is not to be used any more. */
struct cc_func *copy_function(struct copy *c, const struct cc_func *f, const char **why);
/* Functions from another program come next. */
void copy_from_another(struct copy *c);
/* A type in the terms of `to`, of a function that has been copied. */
const struct cc_type *copy_type(struct copy *c, const struct cc_type *t);

#endif
