/* One real C file under enumeration: its skeleton, the space of its fillings, and where it could be
 * imported, the program that interp runs, once per file: a variant is a change of the variables
 * that its uses refer to, and interp decides whether it is defined, whether it ends, and what it
 * prints. */
#ifndef ASSAY_GEN_SPE_SUBJECT_H
#define ASSAY_GEN_SPE_SUBJECT_H

#include "cc/import/import.h"
#include "gen/spe/skeleton.h"
#include "interp/interp.h"

struct subject_options {
    struct skeleton_options skeleton;
    enum spe_mode mode;
    bool hoist;         /* turn initialisers into assignments first */
    bool observe;       /* let the program print what it left behind (observe.h) */
    bool import;        /* for subject_judge */
    uint64_t max_steps; /* of interp, for one variant; 0: two million */
};

struct subject {
    const char *path;
    struct subject_options options;
    struct arena arena;
    struct parsed parsed; /* of the text that has the holes */
    struct skeleton skeleton;
    struct spe *space;
    const char *added; /* by observe, at the end of the text; "" */

    bool imported;
    struct error why_not; /* the first thing that is not supported, where it was tried */
    struct parsed whole;  /* the text with what was added */
    struct cc_program program;
    struct import import;
    struct cc_func *observe;
    struct subject_use *uses; /* of each hole, in order of their holes */
    size_t n_uses;
    struct cc_var **variables; /* of each of the skeleton's */
};

/* Everything but the import must succeed: -1 and the error otherwise. */
int subject_open(const char *path, const struct subject_options *o, struct subject *out,
                 struct error *e);
void subject_close(struct subject *s);

/* The text of a filling, with what observe adds. */
void subject_render(const struct subject *s, const uint32_t *filling, struct strbuf *out);

/* Run a filling; what was not imported is undecided. DEFINED: `expected` gets what it prints (NULL:
 * not wanted), `*status` 0, or what it ends with where nothing observes it (-1: by a signal). Else
 * `why` (may be NULL) gets the reason in one line. */
enum interp_verdict subject_judge(struct subject *s, const uint32_t *filling,
                                  struct strbuf *expected, int *status, struct strbuf *why);

#endif
