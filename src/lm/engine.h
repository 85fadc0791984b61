/* What computes a training step: the reference on CBLAS (cpu.c), or CUDA (cuda.cu, a module that is
 * loaded when it is asked for). Both start from the weights, moments and state of a model and can
 * bring them back, so that a training may go from one to the other at any step. */
#ifndef ASSAY_LM_ENGINE_H
#define ASSAY_LM_ENGINE_H

#include "lm/model.h"

struct lm_step {
    const lm_token *in;     /* (T, B): in[t * B + b] */
    const lm_token *target; /* (T, B): the token that follows */
    float rate;             /* Adam's learning rate; 0: no update, the loss only */
    float clip;             /* the norm of the whole gradient is cut to this; 0: it is not */
};

struct lm_engine {
    const char *name;    /* "cpu", "cuda" */
    const char *kernels; /* which ones of its library multiply matrices; NULL: it does not say */
    int batch, length;   /* B, T */
    /* One step of truncated back-propagation from the carried state: loss (mean nats per token),
     * gradient, Adam (beta 0.9 and 0.999, epsilon 1e-8, bias correction by progress.all_steps + 1).
     * The model's own arrays are not touched; the state is carried on. `loss` may be NULL: then the
     * engine need not wait for the device, and the sum can be had from `losses`. */
    int (*step)(struct lm_engine *g, const struct lm_step *s, double *loss, struct error *e);
    /* Sum of the losses of all steps since the last call, and how many. */
    int (*losses)(struct lm_engine *g, double *sum, int64_t *steps, struct error *e);
    /* The state is all zeros again: a new epoch. */
    int (*reset)(struct lm_engine *g, struct error *e);
    /* Weights, moments, state and all_steps into the model. */
    int (*fetch)(struct lm_engine *g, struct lm_model *m, struct error *e);
    /* The gradient of the last step, at.total floats, before clipping: for tests. */
    int (*gradient)(struct lm_engine *g, float *out, struct error *e);
    void (*close)(struct lm_engine *g);
};

int lm_cpu_open(const struct lm_model *m, int batch, int length, struct lm_engine **out,
                struct error *e);
/* ERROR_ENVIRONMENT where there is no module, no driver or no device. */
int lm_cuda_open(const struct lm_model *m, int batch, int length, struct lm_engine **out,
                 struct error *e);

#endif
