/* What a small program has, as numbers of names: constructs of its source, literals, the
 * instructions that two compilers made of it, and what is different in these. */
#ifndef ASSAY_TRIAGE_FEATURES_H
#define ASSAY_TRIAGE_FEATURES_H

#include "base/map.h"
#include "base/vec.h"
#include "triage/kin.h"

#include <stdbool.h>
#include <stdint.h>

/* Of the source; of the code; code that differs from the other compiler's. */
enum feature_kind { OF_SOURCE, OF_CODE, OF_CHANGE };

struct feature {
    uint32_t id;    /* of its name */
    float contrast; /* the share of right kin that lack it */
    enum feature_kind kind;
};

struct features {
    VEC(struct feature) list; /* each once, by number */
    bool differs;             /* the two compilers made different code of it, */
    bool otherwise;           /* and not only with other constants */
};

/* The caller releases the list. */
struct features features_of(struct map *names, struct arena *a, const char *language,
                            const struct kin *k);

#endif
