/* All that is needed to try a finding again: from the store, and on the testbeds of this machine.
 */
#ifndef ASSAY_INQUIRY_INQUIRY_H
#define ASSAY_INQUIRY_INQUIRY_H

#include "inquiry/test.h"
#include "store/store.h"

struct inquiry {
    struct finding finding;
    struct program program; /* as it was found */
    struct store_campaign campaign;
    struct store_observation *observations; /* of all testbeds, as far as recorded */
    int n_observations;
    struct store_testbed *testbeds; /* of its campaign */
    int n_testbeds;
    struct test_setup config; /* who is tried, and how it is judged: see inquiry_bind */
    int accused;              /* index into config.testbeds */
    const char *changed;      /* the accused is not what it was; a sentence, or NULL */
};

/* Where its campaign had its testbeds from, the accused among them. */
struct inquiry_place {
    const char *language;
    const char *testbed_dir; /* NULL: none of its own */
    const char *testbeds; /* as they were selected, and the accused by its path; NULL: none were */
};
struct inquiry_place inquiry_place(const struct inquiry *c, struct arena *a);

/* What the store knows of a finding. Everything lives in the arena. */
int inquiry_load(struct store *s, const struct finding *f, struct arena *a, struct inquiry *out,
                 struct error *e);

/* Fill c->config: who must be tried again for a judgement, of the testbeds that are `here`. Those
 * are the accused, the filters, and the voters of its model, which are the references or, where it
 * has none, all of its testbeds. ERROR_ENVIRONMENT where the accused is not here any more. */
int inquiry_bind(struct inquiry *c, const struct testbed *here, int n, struct arena *a,
                 struct error *e);

/* The testbed that is meant by what was recorded: of the same compiler, by its path, else of the
 * same name; NULL: there is none. */
const struct testbed *inquiry_testbed(const struct inquiry *c, const struct testbed *here, int n,
                                      const char *name);
/* The flags that the accused got. */
const char *inquiry_flags(const struct inquiry *c);
/* What was recorded of a testbed; NULL: nothing. */
const struct store_observation *inquiry_seen(const struct inquiry *c, const char *testbed);

#endif
