/* What the files of idioms share: idioms.c has the table, pointers.c the rows that step pointers.
 *
 * The variables of an idiom are its own: nobody else stores to them. */
#ifndef ASSAY_GEN_SMITH_IDIOMS_H
#define ASSAY_GEN_SMITH_IDIOMS_H

#include "gen/smith/nest.h"

typedef struct ranged idiom(struct smith *s); /* statements, and what they computed */

const struct cc_type *idiom_unsigned(struct smith *s, int least); /* of so many bits at least */
/* A variable of the innermost block; an array gets one element. */
struct cc_var *idiom_variable(struct smith *s, const struct cc_type *t, int64_t first);
struct cc_var *idiom_operand(struct smith *s, const struct cc_type *t); /* with a live value */
struct ranged idiom_read(struct smith *s, struct cc_var *v);
void idiom_put(struct smith *s, struct cc_var *v, struct ranged value);
struct cc_stmt *idiom_block(struct smith *s); /* which takes no jumps */
void idiom_add(struct smith *s, struct cc_stmt *block, struct cc_var *v, enum cc_op op,
               struct ranged value);

/* -- pointers.c ------------------------------------------------------------------------------- */

idiom idiom_pointer_loop, idiom_pointer_offset;

#endif
