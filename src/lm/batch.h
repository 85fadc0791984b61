/* Many programs from one model, some streams at a time: what `assay lm sample` prints.
 *
 * Each program has a seed of its own and depends on nothing else: neither on how many are sampled
 * side by side nor on which stream it got. When one is done, the next takes its stream. What all
 * begin with is fed once; its state is copied. */
#ifndef ASSAY_LM_BATCH_H
#define ASSAY_LM_BATCH_H

#include "lm/sample.h"

enum lm_stop {
    LM_STOP_END,    /* the model said so: LM_END */
    LM_STOP_CLOSED, /* the last bracket that was open was closed */
    LM_STOP_MOST,   /* it was long enough */
};
extern const char *const lm_stop_name[];

struct lm_batch_options {
    int streams;
    int64_t programs;
    uint64_t seed; /* of the first program; that of the next is one more */
    double temperature;
    int64_t most; /* tokens of a program, without those of `start` */
    const char *start;
    const char *open, *close; /* brackets that are counted, those in `start` too; NULL: none */
};

struct lm_sampled {
    uint64_t seed;
    struct strbuf text; /* begins with `start`; no NUL but its last */
    int64_t tokens;     /* drawn, LM_END not counted */
    enum lm_stop stop;
};

/* Each program is handed out once, in order of their seeds. -1: `start` cannot be encoded. */
int lm_batch(const struct lm_bytes *b, const struct lm_encoder *encoder,
             const struct lm_batch_options *o, void (*take)(void *to, const struct lm_sampled *p),
             void *to, struct error *e);

#endif
