/* Cases are put together from lists that the store gives in the order of the findings: a walk over
 * all of them at once, each list with a place of its own. */
#include "report/cases.h"
#include "base/map.h"
#include "base/strbuf.h"

#include <inttypes.h>

/* What the store knows beyond the findings themselves, each list by the id of the finding. */
struct knowledge {
    struct store_reduction *reductions;
    struct store_blame *blames;
    int64_t *known;
    int n_reductions, n_blames, n_known;
    int at_reduction, at_blame, at_known; /* of the walk */
};

static int load_knowledge(struct store *s, struct arena *a, struct knowledge *k, struct error *e)
{
    *k = (struct knowledge){0};
    return store_reductions(s, a, &k->reductions, &k->n_reductions, e) ||
                   store_blames(s, a, &k->blames, &k->n_blames, e) ||
                   store_known(s, a, &k->known, &k->n_known, e)
               ? -1
               : 0;
}

/* A campaign has testbeds of one language. */
struct testbeds {
    int64_t campaign;
    const char *language; /* NULL: not looked up yet */
    struct store_testbed *list;
    int n;
};

static int load_testbeds(struct store *s, struct arena *a, struct testbeds **out, int *n,
                         struct error *e)
{
    struct store_campaign *campaigns;
    if (store_campaigns(s, a, &campaigns, n, e))
        return -1;
    *out = arena_array(a, struct testbeds, *n);
    for (int i = 0; i < *n; i++) {
        struct testbeds *t = &(*out)[i];
        t->campaign = campaigns[i].id;
        if (store_testbeds(s, t->campaign, a, &t->list, &t->n, e))
            return -1;
    }
    return 0;
}

static struct testbeds *testbeds_of(struct testbeds *all, int n, const struct finding *f)
{
    for (int i = 0; i < n; i++)
        if (all[i].campaign == f->campaign)
            return &all[i];
    BUG("finding %" PRId64 " is of no campaign", f->id); /* the database sees to that */
}

static const char *toolchain_of(const struct testbeds *t, const char *testbed)
{
    for (int i = 0; i < t->n; i++)
        if (!strcmp(t->list[i].name, testbed))
            return t->list[i].toolchain;
    return "";
}

/* By its first program: the others need not be unpacked. */
static int language_of(struct store *s, struct testbeds *t, const struct finding *f,
                       struct arena *a, const char **out, struct error *e)
{
    struct program p;
    if (!t->language) {
        if (store_program(s, f->program, a, &p, e))
            return -1;
        t->language = p.language;
    }
    *out = t->language;
    return 0;
}

/* All files of a program as one text. */
static const char *whole_text(const struct program *p, struct arena *a)
{
    if (p->n_files == 1)
        return arena_memdup(a, p->files[0].text, p->files[0].size);
    struct strbuf all;
    strbuf_init(&all, 0);
    for (int i = 0; i < p->n_files; i++) {
        strbuf_add(&all, p->files[i].text, p->files[i].size);
        strbuf_addc(&all, '\n');
    }
    const char *text = arena_strdup(a, all.s);
    strbuf_release(&all);
    return text;
}

/* A reduction that has a case counts, though it may not be over: it is smaller than the original.
 */
static int add_reduction(struct store *s, const struct store_reduction *r, struct arena *a,
                         struct triage_case *c, struct error *e)
{
    struct program p;
    if (!*r->program)
        return 0;
    if (store_program(s, r->program, a, &p, e))
        return -1;
    c->flags = r->flags;
    c->text = whole_text(&p, a);
    return store_kin(s, r->finding, a, &c->kin, e);
}

/* Findings come in ascending order: each list is walked once. */
static int add_knowledge(struct store *s, struct knowledge *k, struct arena *a,
                         struct triage_case *c, struct error *e)
{
    while (k->at_known < k->n_known && k->known[k->at_known] < c->id)
        k->at_known++;
    c->known = k->at_known < k->n_known && k->known[k->at_known] == c->id;
    while (k->at_blame < k->n_blames && k->blames[k->at_blame].finding < c->id)
        k->at_blame++;
    if (k->at_blame < k->n_blames && k->blames[k->at_blame].finding == c->id)
        c->pass = k->blames[k->at_blame].pass;
    while (k->at_reduction < k->n_reductions && k->reductions[k->at_reduction].finding < c->id)
        k->at_reduction++;
    if (k->at_reduction == k->n_reductions || k->reductions[k->at_reduction].finding != c->id)
        return 0;
    return add_reduction(s, &k->reductions[k->at_reduction], a, c, e);
}

/* Take those flaky ones out whose signature others have that are not. */
static int without_flaky(struct finding *list, int n)
{
    struct map steady;
    int kept = 0;
    map_init(&steady);
    for (int i = 0; i < n; i++)
        if (list[i].state != FINDING_FLAKY)
            map_put_str(&steady, list[i].signature, NULL);
    for (int i = 0; i < n; i++)
        if (list[i].state != FINDING_FLAKY || !map_find_str(&steady, list[i].signature))
            list[kept++] = list[i];
    map_release(&steady);
    return kept;
}

int report_cases(struct store *s, const struct store_filter *f, struct arena *a,
                 struct finding **findings, struct triage_case **cases, int *n, struct error *e)
{
    struct knowledge k;
    struct testbeds *testbeds;
    int n_campaigns;
    if (store_findings(s, f, a, findings, n, e) || load_knowledge(s, a, &k, e) ||
        load_testbeds(s, a, &testbeds, &n_campaigns, e))
        return -1;
    *n = without_flaky(*findings, *n);
    *cases = arena_array(a, struct triage_case, *n);
    for (int i = 0; i < *n; i++) {
        const struct finding *one = &(*findings)[i];
        struct triage_case *c = &(*cases)[i];
        struct testbeds *t = testbeds_of(testbeds, n_campaigns, one);
        *c = (struct triage_case){.id = one->id,
                                  .anomaly = one->verdict.anomaly,
                                  .toolchain = toolchain_of(t, one->testbed),
                                  .testbed = one->testbed,
                                  .signature = one->signature,
                                  .pass = "",
                                  .flags = "",
                                  .flaky = one->state == FINDING_FLAKY};
        if (language_of(s, t, one, a, &c->language, e) || add_knowledge(s, &k, a, c, e))
            return -1;
    }
    return 0;
}
