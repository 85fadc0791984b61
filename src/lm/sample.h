/* Sampling: token by token, many streams side by side (DeepSmith 2.1, "Program Generation").
 *
 * All arithmetic on the way from tokens to probabilities is exact or in a fixed order: weights are
 * bytes with a scale per row (lm_quantise_row), the outputs h are 16-bit integers (h * 4096), dot
 * products are sums of integers, and the functions of the gates are our own, in float operations
 * that IEEE 754 determines (no fused multiply-add, no libm). So a seed means the same program on
 * every machine, whatever its vector units; BLAS would not give that. A stream's result does not
 * depend on what its neighbours in the batch do.
 *
 * The sampler knows no language: what may come next is the caller's to say, by a mask. */
#ifndef ASSAY_LM_SAMPLE_H
#define ASSAY_LM_SAMPLE_H

#include "base/choice.h"
#include "lm/model.h"

/* The model as bytes, made once, shared by samplers; the model itself is no longer needed but for
 * its encoder. */
struct lm_bytes;
struct lm_bytes *lm_bytes_new(const struct lm_model *m);
void lm_bytes_free(struct lm_bytes *b);

struct lm_sampler;
struct lm_sampler *lm_sampler_new(const struct lm_bytes *b, int streams);
void lm_sampler_free(struct lm_sampler *s);

/* A stream back to the state before any token. */
void lm_sampler_reset(struct lm_sampler *s, int stream);
/* One stream's state is copied, with its logits: to go on from here twice, or to come back here. */
struct lm_state;
struct lm_state *lm_state_new(const struct lm_sampler *s);
void lm_state_free(struct lm_state *state);
void lm_state_save(const struct lm_sampler *s, int stream, struct lm_state *out);
void lm_state_restore(struct lm_sampler *s, int stream, const struct lm_state *from);

/* Feed one token to each stream that has one (-1: the stream rests), and compute what may follow.
 * Resting streams cost nothing. */
void lm_sampler_feed(struct lm_sampler *s, const int *tokens);
/* Of a stream that was fed: logits of all tokens, V floats, valid until it is fed again. */
const float *lm_sampler_logits(const struct lm_sampler *s, int stream);

/* Draw a token by the stream's logits at a temperature (0: the likeliest), among those with mask[t]
 * != 0 (NULL: all). The choice that is recorded is the rank of the token in order of falling
 * probability (ties by number), so that 0 is the likeliest and a shorter sequence is a plainer
 * program; a choice that is replayed needs no exact logits. It is a choice among at most 256
 * tokens, none of them less likely than 2^-25 next to the first; temperature 0 is no choice and is
 * not recorded. -1: the mask allows nothing. */
int lm_draw(const struct lm_sampler *s, int stream, double temperature, const uint8_t *mask,
            struct choice *c);
/* How much of what the model would draw does the mask leave, in thousandths; and how likely is the
 * likeliest token that it refuses? */
int lm_share(const struct lm_sampler *s, int stream, double temperature, const uint8_t *mask,
             int *refused);

#endif
