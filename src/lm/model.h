/* The network: an LSTM of some layers over tokens (DeepSmith 2.1, "Neural Network").
 *
 * With V tokens, L layers of H units, gates in the order input, forget, cell, output:
 *
 *     table   (V, 4H)      what a token adds to the gates of layer 0: embedding and input weights
 *                          in one look-up
 *     bias    (L, 4H)      of layer 0 too; forget gates begin at 1
 *     inner   (L, 4H, H)   from a layer's own last output
 *     outer   (L-1, 4H, H) from the layer below, for layers 1 ..
 *     out     (V, H)       logits = out . h + out_bias
 *     out_bias (V)
 *
 *     z = table[x] or outer[l-1] . h(below), + inner[l] . h + bias[l]     (4H)
 *     c = sigmoid(z_f) * c + sigmoid(z_i) * tanh(z_g)
 *     h = sigmoid(z_o) * tanh(c)
 *
 * All parameters are one block of floats in this order, row by row, so that an optimiser, a
 * checkpoint and a GPU see one array.
 *
 * One file format for everything, `*.lm`: a header line that people can read, the sizes, the
 * encoder, then the parameters as floats (a checkpoint: then the optimiser's moments and where the
 * training was, too) or as bytes with a scale per row (quantised: what ships), and a checksum.
 * Written to a temporary file, synced and renamed: a kill leaves the old one or the new one. */
#ifndef ASSAY_LM_MODEL_H
#define ASSAY_LM_MODEL_H

#include "lm/encoder.h"

/* What can be sampled: 127 * LM_ONE * 4096 < 2^31, a dot product fits (lm/kernels.h). */
enum { LM_MOST_UNITS = 4096 };

struct lm_shape {
    int vocabulary; /* V */
    int layers;     /* L >= 1 */
    int units;      /* H, a multiple of 16, at most LM_MOST_UNITS */
};

/* Where each part begins in the block, in floats. */
struct lm_layout {
    size_t table, bias, inner, outer, out, out_bias, total;
};
struct lm_layout lm_layout(const struct lm_shape *s);

/* Where a training is; all 0 in a model that is only sampled. */
struct lm_progress {
    uint64_t seed;
    int32_t epoch;     /* epochs done */
    int64_t step;      /* steps done in this epoch */
    int64_t all_steps; /* steps done in all: Adam's t */
    double loss;       /* nats per token, mean of the last epoch */
    double held_out;   /* the same on what was held out; 0: nothing was */
};

struct lm_model {
    struct lm_shape shape;
    struct lm_layout at;
    struct lm_encoder encoder;
    char language[32]; /* "opencl": what the generator makes of it */
    char note[512];    /* for people: corpus, command, date-free */
    float *weights;    /* at.total; aligned to 64 bytes */
    float *m, *v;      /* Adam's moments, at.total each; NULL where it is not trained */
    float *state;      /* carried between steps: (layers, 2 [h, c], batch, units); NULL: none */
    int state_batch;
    uint64_t *known; /* hashes of the programs that it was trained on, ascending */
    size_t n_known;
    struct lm_progress progress;
};

/* Weights as is usual: uniform within 1/sqrt(H), forget biases 1; from the seed alone. Takes the
 * encoder over. */
void lm_model_init(struct lm_model *m, const struct lm_shape *s, struct lm_encoder *encoder,
                   uint64_t seed);
void lm_model_release(struct lm_model *m);

/* n zeros, aligned to 64 bytes; free() ends them. */
float *lm_floats(size_t n);
/* Moments, and a state for a batch, are there: as they were where they fit, else zeros. */
void lm_model_reserve(struct lm_model *m, int batch);

/* These are the programs that it is trained on; those of an earlier corpus stay known. And: is it
 * one of them, blanks aside? A sample that is a copy of its corpus tests nothing new. */
void lm_model_know(struct lm_model *m, const char *const *texts, const size_t *sizes, size_t n);
bool lm_model_knows(const struct lm_model *m, const char *text, size_t size);

enum lm_save { LM_SAVE_CHECKPOINT, LM_SAVE_FLOATS, LM_SAVE_BYTES };
int lm_model_save(const struct lm_model *m, enum lm_save how, const char *path, struct error *e);
/* Any of the three; bytes become floats again (the nearest that they stand for). */
int lm_model_load(struct lm_model *m, const char *path, struct error *e);

/* Rows of a matrix as bytes: row r is scale[r] * q[r][..], |q| <= 127; rounded to nearest, ties to
 * even. What lm_model_save(LM_SAVE_BYTES) writes and what lm/sample.h computes with: loading such a
 * file and quantising again gives the same bytes. */
void lm_quantise_row(const float *row, int n, int8_t *q, float *scale);

#endif
