/* A parsed C file as a `cc` program, so that `interp` can run it.
 *
 * The tree is that of the text: what build.h does not let one write is made by explicit casts (an
 * int used as a pointer), and what cc or interp does not know makes the import fail with the first
 * such construct and its place. Statements get the line of their text.
 *
 * Types come from clang, layouts included; the type of every expression that is built is compared
 * with what clang says, so that a mistake of ours is noticed here and not in a verdict. */
#ifndef ASSAY_CC_IMPORT_IMPORT_H
#define ASSAY_CC_IMPORT_IMPORT_H

#include "cc/ast.h"
#include "cc/import/parsed.h"

/* An expression that stands for what is not supported (CC_E_UNSUPPORTED). */
struct import_trap {
    struct import_trap *next;
    struct cc_expr *expr;
};

struct import {
    struct cc_program *program; /* program->main is the file's main; NULL: it has none */
    struct cc_expr **uses;      /* by parsed node: the CC_E_VAR of a USE of a variable; or NULL */
    struct cc_var **vars;       /* by parsed node: of VAR and PARAM; or NULL */
    struct cc_stmt **stmts;     /* by parsed node: of a statement; or NULL */
    struct import_trap *traps;  /* of cc_import_partly */
    bool asks_optimised;        /* the same */
};

/* `p` is initialised by the caller (cc_program_init with cc_lp64). Everything lives in its arena,
 * also the tables of `out`. On failure -1 and the error: what is not supported ("a computed goto",
 * "long double"), with the file's line (error->file is `name`). */
#define CC_IMPORT_NOT_PORTABLE "not portable" /* how the message of such a failure begins */
int cc_import(const struct parsed *parsed, const char *name, struct cc_program *p,
              struct import *out, struct error *error);
/* The same, but an expression, a statement or a function that is not supported, or not portable,
 * becomes CC_E_UNSUPPORTED, at which a run ends undecided: what is never reached does no harm. It
 * fails only for what can matter without being reached: functions that nobody defines,
 * constructors, asm at file scope, texts that ask which compiler reads them. Texts may ask whether
 * it optimises (CC_IMPORT_OPTIMISED in them): out->asks_optimised tells whoever wants to read them
 * once more with CC_IMPORT_AS_OPTIMISED. */
#define CC_IMPORT_OPTIMISED "__OPTIMIZE__"
#define CC_IMPORT_AS_OPTIMISED "-D__OPTIMIZE__=1", "-U__NO_INLINE__"
int cc_import_partly(const struct parsed *parsed, const char *name, struct cc_program *p,
                     struct import *out, struct error *error);
/* A run never came to what is unsupported: let it be 0, so that the program is a whole one. False:
 * there is something that cannot be 0. */
bool cc_import_fill(const struct import *in);

#endif
