/* All that is needed to try a finding again: from the store, and on the testbeds of this machine.
 */
#ifndef ASSAY_CAMPAIGN_CASE_H
#define ASSAY_CAMPAIGN_CASE_H

#include "campaign/campaign.h"

struct campaign_case {
    struct finding finding;
    struct program program; /* as it was found */
    struct store_campaign campaign;
    struct store_observation *observations; /* of all testbeds, as far as recorded */
    int n_observations;
    struct campaign_config config; /* who is tried, and how it is judged: see campaign_case_bind */
    int accused;                   /* index into config.testbeds */
};

/* What the store knows of a finding. Everything lives in the arena. */
int campaign_case_load(struct store *s, const struct finding *f, struct arena *a,
                       struct campaign_case *out, struct error *e);

/* The value of an option that its campaign was run with, "--majority="; NULL: it was not given. */
const char *campaign_case_option(const struct campaign_case *c, struct arena *a,
                                 const char *option);

/* Fill c->config: who must be tried again for a judgement, of the testbeds that are `here`. Those
 * are the accused, the filters, and the voters of its model, which are the references or, where it
 * has none, all of its testbeds. ERROR_ENVIRONMENT where the accused is not here any more. */
int campaign_case_bind(struct campaign_case *c, const struct testbed *here, int n, struct arena *a,
                       struct error *e);

/* The flags that the accused got. */
const char *campaign_case_flags(const struct campaign_case *c);
/* What was recorded of a testbed; NULL: nothing. */
const struct store_observation *campaign_case_seen(const struct campaign_case *c,
                                                   const char *testbed);

#endif
