#include "inquiry/inquiry.h"

int inquiry_load(struct store *s, const struct finding *f, struct arena *a, struct inquiry *out,
                 struct error *e)
{
    *out = (struct inquiry){.finding = *f, .config.oracle = oracle_defaults};
    if (store_program(s, f->program, a, &out->program, e) ||
        store_campaign_get(s, f->campaign, a, &out->campaign, e) ||
        store_observations(s, f->campaign, f->seed, a, &out->observations, &out->n_observations, e))
        return -1;
    const struct store_options *o = &out->campaign.options;
    if (o->majority > 0)
        out->config.oracle.majority = o->majority;
    out->config.sandbox_none = o->no_sandbox;
    out->config.sandbox_all = o->sandbox;
    return 0;
}

const struct store_observation *inquiry_seen(const struct inquiry *c, const char *testbed)
{
    for (int i = 0; i < c->n_observations; i++)
        if (!strcmp(c->observations[i].testbed, testbed))
            return &c->observations[i];
    return NULL;
}

/* -- the testbeds ------------------------------------------------------------------------------ */

struct binding {
    struct inquiry *c;
    const struct testbed *here;
    int n;
    const struct testbed *accused;
    bool references; /* there are any among the voters */
};

static const struct testbed *find(const struct binding *b, const char *name)
{
    int at = test_find(b->here, b->n, name);
    return at < 0 ? NULL : &b->here[at];
}

static bool votes(const struct binding *b, const struct testbed *t)
{
    return !t->filter && !strcmp(t->model, b->accused->model) && (t->reference || !b->references);
}

static void add(struct binding *b, const struct testbed *t)
{
    struct test_setup *config = &b->c->config;
    const struct store_observation *seen = inquiry_seen(b->c, t->name);
    if (t == b->accused)
        b->c->accused = config->n_testbeds;
    struct testbed *again = &config->testbeds[config->n_testbeds++];
    *again = *t;
    if (t->random)
        again->flags = seen ? seen->observation.flags : "";
}

/* Those of the recorded ones that are here. */
static void add_recorded(struct binding *b)
{
    for (int i = 0; i < b->c->n_observations; i++) {
        const struct testbed *t = find(b, b->c->observations[i].testbed);
        b->references |= t && t->reference && !strcmp(t->model, b->accused->model);
    }
    for (int i = 0; i < b->c->n_observations; i++) {
        const struct testbed *t = find(b, b->c->observations[i].testbed);
        if (t && (t == b->accused || t->filter || votes(b, t)))
            add(b, t);
    }
}

/* A finding that showed while another was being reduced has no other observations: whoever votes
 * here is asked. */
static void add_others(struct binding *b)
{
    b->references = true;
    for (int i = 0; i < b->n; i++)
        if (&b->here[i] != b->accused && !b->here[i].random &&
            (b->here[i].filter || votes(b, &b->here[i])))
            add(b, &b->here[i]);
}

int inquiry_bind(struct inquiry *c, const struct testbed *here, int n, struct arena *a,
                 struct error *e)
{
    struct binding b = {.c = c, .here = here, .n = n};
    b.accused = find(&b, c->finding.testbed);
    if (!b.accused)
        return error_set(e, ERROR_ENVIRONMENT,
                         "%s is not installed here any more (or give --testbed-dir)",
                         c->finding.testbed);
    c->config.testbeds = arena_array(a, struct testbed, n + c->n_observations + 1);
    c->config.n_testbeds = 0;
    c->accused = -1;
    add_recorded(&b);
    if (c->accused < 0)
        add(&b, b.accused);
    if (c->config.n_testbeds == 1 && c->n_observations <= 1)
        add_others(&b);
    return 0;
}

const char *inquiry_flags(const struct inquiry *c)
{
    return c->config.testbeds[c->accused].flags;
}
