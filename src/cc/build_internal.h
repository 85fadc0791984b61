/* What the files that build trees share. */
#ifndef ASSAY_CC_BUILD_INTERNAL_H
#define ASSAY_CC_BUILD_INTERNAL_H

#include "cc/build.h"

#include "base/error.h"

/* What C asks of operands. Who builds a program on purpose does not get it wrong; who tries what
 * becomes of one, waits for it (cc_program.misfit). */
#define FIT(program, condition)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            build_misfit(program, __FILE__, __LINE__, #condition);                                 \
    } while (0)

_Noreturn void build_misfit(const struct cc_program *p, const char *file, int line,
                            const char *what);

/* The type of `e` as a value, 6.3.2.1p2 and p3. */
const struct cc_type *build_value_type(struct cc_program *p, const struct cc_expr *e);
/* As the right side of an assignment to an object of type `to`, 6.5.16.1. */
struct cc_expr *build_store(struct cc_program *p, const struct cc_type *to, struct cc_expr *value);
/* As the initialiser of an object of `type`: a list of it, or a value, 6.7.9. */
struct cc_expr *build_init(struct cc_program *p, const struct cc_type *type, struct cc_expr *init);

#endif
