/* One way to write C and OpenCL C, so that a model learns programs and not habits of layout
 * (DeepSmith 2.1: the corpus is normalised).
 *
 * Two blanks of indentation, braces as in K&R and around every body, one statement a line however
 * long, a blank around binary operators and behind commas, nothing between a cast and what it
 * casts, no blank lines but one between functions. By tokens alone: the text is preprocessed, and
 * need not be right. */
#ifndef ASSAY_GEN_LM_STYLE_H
#define ASSAY_GEN_LM_STYLE_H

#include "base/strbuf.h"
#include "base/vec.h"

#include <stdint.h>

enum lm_lexeme_kind { LM_LEX_WORD, LM_LEX_NUMBER, LM_LEX_TEXT, LM_LEX_SIGN };

struct lm_lexeme {
    const char *s;
    uint32_t n;      /* bytes */
    uint32_t at;     /* offset in the text */
    uint32_t entity; /* what a word refers to (cc/import/outline.h); 0: nothing of the file */
    uint32_t piece;  /* which declaration of file scope it is part of (gen/lm/rewrite.h) */
    uint8_t kind;    /* enum lm_lexeme_kind */
    bool type;       /* a word that names a type, or is part of one */
    bool declares;   /* its entity, rather than using it */
};
typedef VEC(struct lm_lexeme) lm_lexemes;

bool lm_lexeme_is(const struct lm_lexeme *l, const char *text);
bool lm_is_sign(const struct lm_lexeme *l, char c);
/* 1: a bracket that opens, -1: one that closes, 0: neither. */
int lm_bracket(const struct lm_lexeme *l);
/* The lexeme behind the bracket that closes the one at i; n: it does not close. */
size_t lm_behind_bracket(const struct lm_lexeme *l, size_t n, size_t i);
/* A word that is part of a type without being declared in the text: `unsigned`, `float4`, `const`.
 */
bool lm_lexeme_is_type(const struct lm_lexeme *l);

/* Appends what the text consists of; comments and directives are passed over. -1: a byte outside of
 * ASCII, or a literal without an end. */
int lm_lex(const char *text, size_t n, lm_lexemes *out);

/* The same without what does not matter: most attributes, `inline`, `register`, `__extension__`;
 * and with one spelling of words that have several (`__kernel` is `kernel`, `__const` `const`).
 * -1: there is `asm` in it. */
int lm_style_clean(lm_lexemes *l);

/* Declarations and definitions of file scope, laid out. -1: brackets that do not match, or a
 * statement without an end. */
int lm_style_print(const struct lm_lexeme *l, size_t n, struct strbuf *out);

#endif
