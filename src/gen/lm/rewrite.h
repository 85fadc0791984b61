/* A preprocessed file cut into programs: each function with all that it needs, under canonical
 * names and in one style (DeepSmith 2.1; gen/lm/names.h, gen/lm/style.h).
 *
 * A file is a row of pieces, the declarations and definitions of file scope. A program is a piece
 * and the transitive closure of the pieces that declare what it uses, in the order of the file:
 * types, constants, helpers. Prototypes of what is defined stay out where the definition comes
 * before the first use; what else can be left out, is (gen/lm/shrink.h). */
#ifndef ASSAY_GEN_LM_REWRITE_H
#define ASSAY_GEN_LM_REWRITE_H

#include "cc/import/outline.h"
#include "gen/lm/style.h"

struct lm_piece {
    uint32_t first, end; /* lexemes */
    uint32_t function;   /* entity that is defined here; 0: none */
    bool kernel;
    bool in; /* of the program that is being made */
};

/* That a piece declares an entity of file scope. */
struct lm_declares {
    uint32_t entity, piece;
    bool defines; /* or there is nothing but declarations of it */
};

struct lm_cut {
    const struct outline *outline;
    lm_lexemes lexemes;
    VEC(struct lm_piece) pieces;
    VEC(struct lm_declares) declares; /* by entity, then piece */
};

/* The text and its outline must live as long. -1: it is no text that can be cut (lm_lex). */
int lm_cut_init(struct lm_cut *c, const char *text, size_t n, const struct outline *l);
void lm_cut_release(struct lm_cut *c);

enum lm_cut_end {
    LM_CUT_DONE,
    LM_CUT_UNDEFINED, /* it calls or reads what is defined nowhere, and is of no library */
    LM_CUT_ASSEMBLY,
    LM_CUT_LARGE,
    LM_CUT_STRANGE, /* it cannot be laid out */
};

/* The program of a piece, at the end of `out`. */
enum lm_cut_end lm_cut_program(struct lm_cut *c, uint32_t piece, size_t most_bytes,
                               struct strbuf *out);

#endif
