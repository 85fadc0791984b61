/* What a program was made of: a variant of an existing file shows what the file itself shows, and
 * that is a finding of the file, once, and none of its variants.
 *
 * A variant names the seed of its original (program.h), which a campaign tests as any other. Only
 * where a variant shows an anomaly is the original asked: what the store has of it is used, and
 * where that is nothing it is tried, once for all variants that follow each other. */
#ifndef ASSAY_CAMPAIGN_ORIGIN_H
#define ASSAY_CAMPAIGN_ORIGIN_H

#include "gen/gen.h"
#include "inquiry/test.h"
#include "store/store.h"

struct origin {
    struct arena arena; /* of what is known of the original asked last */
    bool known;
    uint64_t seed;
    int n; /* testbeds */
    const int64_t *ids;
    struct observation *observations;
    struct verdict *verdicts;
};

struct origin_asked { /* the variant, and who was tried with which flags */
    struct store *store;
    int64_t campaign;
    struct generator *generator;
    struct runner *runner;
    const struct test_setup *setup;
    const int64_t *ids; /* of its testbeds, in the store */
    const struct program *program;
    const struct observation *observations;
};

void origin_init(struct origin *o);
void origin_release(struct origin *o);

/* Takes back the verdicts that the original gets as well; returns how many, or -1. Does nothing for
 * a program that was not made of another. What it costs is added to *cpu_us. */
int origin_excuse(struct origin *o, const struct origin_asked *asked, struct verdict *verdicts,
                  int64_t *cpu_us, struct error *e);

#endif
