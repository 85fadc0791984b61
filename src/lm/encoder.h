/* Text as numbers and back (DeepSmith 2.1, "Encoder").
 *
 * Hybrid: words that a corpus uses often (keywords, builtins, common names, canonical variable
 * names) and frequent runs of blanks are one token each, an `atom`; whatever else there is is
 * written byte by byte. Which atoms there are is derived from the corpus, and stored with the
 * model.
 *
 * Encoding is greedy, the longest match first; an atom that is a word matches only a whole word, so
 * that `int` is not found in `printf`. Every byte of the corpus is a token of its own too, so every
 * text made of these bytes can be encoded; decode(encode(text)) is the text.
 *
 * Token 0 is LM_END: it stands between the programs of a corpus, and has no text. */
#ifndef ASSAY_LM_ENCODER_H
#define ASSAY_LM_ENCODER_H

#include "base/arena.h"
#include "base/error.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint16_t lm_token;
typedef VEC(lm_token) lm_tokens;

enum { LM_END = 0, LM_MOST_TOKENS = 4096 };

struct lm_encoder {
    const char **texts; /* by token; texts[LM_END] is "" */
    uint8_t *sizes;     /* bytes of each */
    int n;              /* tokens, LM_END included */
    /* below: private, for encoding */
    struct map by_text;
    int longest;               /* bytes */
    lm_token by_byte[256];     /* LM_END: this byte is no token */
    uint8_t longest_from[256]; /* bytes of the longest atom that begins with it; 0: none does */
    struct arena arena;
};

/* How the atoms are chosen: words of at least two bytes, and runs of a line end and blanks, that
 * stand in the corpus at least `at_least` times; the most frequent `most` of them (savings in
 * tokens decide, ties by text). `always` are atoms whatever the corpus says (NULL-terminated; may
 * be NULL). */
struct lm_encoder_options {
    int most;     /* atoms beside single bytes */
    int at_least; /* times */
    const char *const *always;
};

/* From all programs of a corpus. */
int lm_encoder_derive(struct lm_encoder *e, const char *const *texts, const size_t *sizes, size_t n,
                      const struct lm_encoder_options *o, struct error *error);
void lm_encoder_release(struct lm_encoder *e);

/* Appends. -1: a byte that is no token; the error says which and where (line). */
int lm_encode(const struct lm_encoder *e, const char *text, size_t n, lm_tokens *out,
              struct error *error);
void lm_decode(const struct lm_encoder *e, const lm_token *tokens, size_t n, struct strbuf *out);

/* A letter, digit, underscore or $ */
bool lm_is_word_byte(char c);

/* As part of a model's file: little-endian, sizes first; and back. -1: it is none. */
void lm_encoder_write(const struct lm_encoder *e, struct strbuf *out);
int lm_encoder_read(struct lm_encoder *e, const void *data, size_t n, size_t *used,
                    struct error *error);

#endif
