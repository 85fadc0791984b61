#include "inquiry/inquiry.h"
#include "testbed/identity.h"

int inquiry_load(struct store *s, const struct finding *f, struct arena *a, struct inquiry *out,
                 struct error *e)
{
    *out = (struct inquiry){.finding = *f, .config.oracle = oracle_defaults};
    if (store_program(s, f->program, a, &out->program, e) ||
        store_campaign_get(s, f->campaign, a, &out->campaign, e) ||
        store_observations(s, f->campaign, f->seed, a, &out->observations, &out->n_observations,
                           e) ||
        store_testbeds(s, f->campaign, a, &out->testbeds, &out->n_testbeds, e))
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

/* As it was registered: the accused by its number, another one by its name, the latest of it. */
static const struct store_testbed *registered(const struct inquiry *c, const char *name)
{
    bool accused = !strcmp(name, c->finding.testbed);
    const struct store_testbed *found = NULL;
    for (int i = 0; i < c->n_testbeds; i++)
        if (accused ? c->testbeds[i].id == c->finding.testbed_id
                    : !strcmp(c->testbeds[i].name, name))
            found = &c->testbeds[i];
    return found;
}

struct inquiry_place inquiry_place(const struct inquiry *c, struct arena *a)
{
    const struct store_options *o = &c->campaign.options;
    const struct store_testbed *accused = registered(c, c->finding.testbed);
    const char *named = o->testbeds;
    if (accused && strchr(accused->path, '/'))
        named = arena_printf(a, "%s%s%s:%s", named ? named : "", named ? "," : "", accused->path,
                             accused->flags);
    return (struct inquiry_place){c->program.language, o->testbed_dir, named};
}

const struct testbed *inquiry_testbed(const struct inquiry *c, const struct testbed *here, int n,
                                      const char *name)
{
    const struct store_testbed *was = registered(c, name);
    for (int i = 0; was && i < n; i++)
        if (!strcmp(here[i].path, was->path) && !strcmp(here[i].toolchain, was->toolchain) &&
            !strcmp(here[i].flags, was->flags))
            return &here[i];
    int at = test_find(here, n, name);
    return at < 0 ? NULL : &here[at];
}

/* Another compiler in its place, or in another one: what is seen now is not what was seen then. */
static const char *change_of(const struct store_testbed *was, const struct testbed *now,
                             struct arena *a)
{
    if (!*was->path) /* of a baseline, which says neither */
        return NULL;
    bool other_place = strcmp(was->path, now->path) != 0;
    const char *then = *was->version ? was->version : "an unknown version";
    if (strncmp(was->version, now->version, strlen(now->version)) != 0 || other_place)
        return arena_printf(a, "%s was %s (%s), and is %s (%s) now", was->name, then, was->path,
                            *now->version ? now->version : "an unknown version", now->path);
    const char *content = *was->content && now->identity ? identity_content(now->identity, a) : "";
    return *content && strcmp(content, was->content) != 0
               ? arena_printf(a, "%s is another build of %s now (%s)", was->name, then, now->path)
               : NULL;
}

struct binding {
    struct inquiry *c;
    const struct testbed *here;
    int n;
    const struct testbed *accused;
    bool references; /* there are any among the voters */
};

static const struct testbed *find(const struct binding *b, const char *name)
{
    return inquiry_testbed(b->c, b->here, b->n, name);
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
                         "%s is no longer installed here (or use --testbed-dir)",
                         c->finding.testbed);
    const struct store_testbed *was = registered(c, c->finding.testbed);
    c->changed = was ? change_of(was, b.accused, a) : NULL;
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
