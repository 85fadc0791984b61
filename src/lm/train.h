/* Training: a corpus, epochs, checkpoints, what people see meanwhile.
 *
 * A corpus is one file: programs in UTF-8 with a NUL byte behind each (what `assay lm corpus`
 * writes as corpus.txt). They are shuffled (by the seed and the epoch), encoded, joined with LM_END
 * between them, and cut into B streams of equal length; step k of an epoch takes T tokens of each
 * stream, and the state is carried from step to step (truncated back-propagation).
 *
 * The same seed, corpus and engine give the same model on one machine, whether or not the training
 * was interrupted: a checkpoint has all that a step depends on. */
#ifndef ASSAY_LM_TRAIN_H
#define ASSAY_LM_TRAIN_H

#include "lm/engine.h"

struct lm_corpus {
    struct arena arena;
    const char **texts;
    size_t *sizes;
    size_t n;
};
int lm_corpus_load(struct lm_corpus *c, const char *path, struct error *e);
void lm_corpus_release(struct lm_corpus *c);

/* A model that begins with weights and encoder of another training. Programs that it has no tokens
 * for are left out of the corpus. */
int lm_train_from(struct lm_model *m, const char *path, uint64_t seed, struct lm_corpus *c,
                  struct error *e);

struct lm_train_options {
    int epochs;             /* 50 */
    int batch, length;      /* 64, 64 */
    float rate;             /* 0.002 */
    float decay;            /* 0.95: the rate is multiplied by it with each epoch */
    float clip;             /* 5 */
    double held_out;        /* share of programs that is only looked at: 0.02 */
    int64_t save_every_ms;  /* between checkpoints: 60 s; one at the end of each epoch too */
    const char *checkpoint; /* file; NULL: none is written */
    int64_t most_steps;     /* stop after so many in this call; 0: go on to the end */
    const volatile int *stop;
    /* Now and then, and at the end of each epoch (`epoch_ends`). */
    void (*progress)(void *to, const struct lm_model *m, double loss, double tokens_per_s,
                     int64_t step, int64_t steps, bool epoch_ends);
    void *to;
};

/* Trains from m->progress on. 0: done; 1: stopped in between (checkpoint written). */
int lm_train(struct lm_model *m, const struct lm_corpus *c, struct lm_engine *g,
             const struct lm_train_options *o, struct error *e);

/* Steps in an epoch, for this corpus. */
int64_t lm_train_steps(const struct lm_model *m, const struct lm_corpus *c,
                       const struct lm_train_options *o, struct error *e);

#endif
