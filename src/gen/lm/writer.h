/* One program as it is being sampled: its tokens, the state of the network, the mask, and the
 * places to which it can go back.
 *
 * The first token is LM_END, which has no text: programs of a corpus stand behind one. At each end
 * of a statement the network's state is kept, so that going back costs a statement and not the
 * program. */
#ifndef ASSAY_GEN_LM_WRITER_H
#define ASSAY_GEN_LM_WRITER_H

#include "gen/lm/language.h"
#include "gen/lm/scope.h"
#include "lm/sample.h"

struct lm_writer;

struct lm_writer_options {
    const struct lm_language *language;
    const struct lm_encoder *encoder;
    const struct lm_bytes *bytes;
    const struct lm_words *words; /* NULL: the language has no mask, and statements are lines */
};

struct lm_writer *lm_writer_new(const struct lm_writer_options *o);
void lm_writer_free(struct lm_writer *w);

/* A new program that begins with a text, which is never gone back on. -1: the encoder lacks a byte
 * of it. */
int lm_writer_begin(struct lm_writer *w, const char *seed, bool masked, double temperature,
                    int most_tokens, struct error *e);
/* Draw until the program ends: by LM_END, by the last bracket, or by its size. */
void lm_writer_run(struct lm_writer *w, struct choice *c);

const struct strbuf *lm_writer_text(const struct lm_writer *w);
size_t lm_writer_size(const struct lm_writer *w);    /* tokens, without the first */
uint64_t lm_writer_drawn(const struct lm_writer *w); /* tokens drawn since it began */
enum lm_end { LM_END_ITSELF, LM_END_SIZE, LM_END_TURNS /* too many dead ends */ };
enum lm_end lm_writer_end(const struct lm_writer *w);

/* Places are numbers of tokens. */
size_t lm_writer_token_at(const struct lm_writer *w, size_t byte);
/* The first token that is no blank of the statement, `back` before the one that the token is in. */
size_t lm_writer_statement_at(const struct lm_writer *w, size_t token, int back);
/* Go back to before this token, and do not draw it there again. */
void lm_writer_back(struct lm_writer *w, size_t token);
/* Put closing brackets behind the last statement that is whole. */
void lm_writer_close(struct lm_writer *w);

/* All tokens, to come back to this program. */
void lm_writer_keep(const struct lm_writer *w, lm_tokens *out);
void lm_writer_restore(struct lm_writer *w, const lm_tokens *from);

#endif
