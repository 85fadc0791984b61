/* What may come next, where a text is C or OpenCL C with canonical names (gen/lm/names.h).
 *
 * A network that was trained on a few thousand programs knows how code looks, and forgets what it
 * has declared: undeclared names and parameters declared twice are the first errors of its samples.
 * Both are known while the text is made. So a lexer and a parser follow the text, token by token,
 * and before each draw say which tokens could go on with it:
 *
 *   - where a declarator needs a name, the next canonical one of its kind;
 *   - where a name is used, those that are declared and visible, words of the language and of its
 *     library, which are the atoms of the encoder that are no canonical names; behind `.` and `->`
 *     the members of the struct or the components of the vector;
 *   - brackets that match, operators between operands, statements where statements stand, `break`
 *     within loops, arguments as many as there are parameters;
 *   - where types are known and the error is certain (a pointer times something, a vector of four
 *     assigned to one of two, a change of what is const): not that.
 *
 * A token may be a whole word or one byte of it: a byte is allowed if a word that is allowed begins
 * so. What the parser does not understand (attributes, inline assembly) it only counts brackets of,
 * and when it is lost it does so up to the end of the declaration. A mask that would forbid all is
 * none: lm_scope_mask then returns false and the caller draws from everything. */
#ifndef ASSAY_GEN_LM_SCOPE_H
#define ASSAY_GEN_LM_SCOPE_H

#include "gen/lm/names.h"
#include "lm/encoder.h"

/* What is known of each token; made once per model. `opencl`: kernels, address spaces, no arrays of
 * variable length; a program needs a kernel before it may end. */
struct lm_words;
struct lm_words *lm_words_new(const struct lm_encoder *e, bool opencl);
void lm_words_free(struct lm_words *w);

struct lm_scope;
struct lm_scope *lm_scope_new(const struct lm_words *w);
void lm_scope_free(struct lm_scope *s);
/* Before any text. */
void lm_scope_reset(struct lm_scope *s);
void lm_scope_feed(struct lm_scope *s, lm_token token);
/* A text of any size: a seed. */
void lm_scope_feed_text(struct lm_scope *s, const char *text, size_t n);

/* Which tokens may follow: mask[t] is 1 or 0, for all tokens of the encoder. False: none could, and
 * all are 1. */
bool lm_scope_mask(struct lm_scope *s, uint8_t *mask);

/* Does a statement, a declaration or a function end with the text so far? */
bool lm_scope_is_boundary(const struct lm_scope *s);
/* Is the text so far one that the parser understood? */
bool lm_scope_is_clear(const struct lm_scope *s);
/* What closes the innermost bracket that is open, or ends what it was of. False: none is. */
bool lm_scope_closer(struct lm_scope *s, struct strbuf *out);

#endif
