/* What a small program has, as numbers of names: constructs of its source, literals, and the
 * instructions that two compilers made of it. */
#ifndef ASSAY_TRIAGE_FEATURES_H
#define ASSAY_TRIAGE_FEATURES_H

#include "base/map.h"
#include "base/vec.h"
#include "triage/kin.h"

#include <stdint.h>

struct feature {
    uint32_t id;    /* of its name */
    float contrast; /* the share of right kin that lack it */
};

typedef VEC(struct feature) feature_list;

/* Each feature once, by number. The caller releases the list. */
feature_list features_of(struct map *names, struct arena *a, const char *language,
                         const struct kin *k);

#endif
