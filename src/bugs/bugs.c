/* Lists of the store come in the order of the findings: what belongs to one is found by halving. */
#include "bugs/bugs.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "triage/cluster.h"
#include "triage/signature.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

/* -- what the store knows ---------------------------------------------------------------------- */

static int load_lists(struct store *s, struct arena *a, struct bug_list *l, struct error *e)
{
    if (store_reductions(s, a, &l->reductions, &l->n_reductions, e) ||
        store_blames(s, a, &l->blames, &l->n_blames, e) ||
        store_marks(s, a, &l->marks, &l->n_marks, e) ||
        store_known(s, a, &l->known, &l->n_known, e) ||
        store_campaigns(s, a, &l->campaigns, &l->n_campaigns, e))
        return -1;
    l->testbeds = arena_array(a, struct store_testbed *, l->n_campaigns);
    l->n_testbeds = arena_array(a, int, l->n_campaigns);
    for (int i = 0; i < l->n_campaigns; i++)
        if (store_testbeds(s, l->campaigns[i].id, a, &l->testbeds[i], &l->n_testbeds[i], e))
            return -1;
    return 0;
}

static int by_finding(const void *key, const void *row)
{
    int64_t a = *(const int64_t *)key, b = *(const int64_t *)row;
    return ORDER(a, b);
}

/* The row of a finding in a list whose rows begin with its id; NULL: there is none. */
#define ROW_OF(list, n, id)                                                                        \
    ((n) ? bsearch(&(id), list, (size_t)(n), sizeof *(list), by_finding) : NULL)

static int campaign_of(const struct bug_list *l, const struct finding *f)
{
    for (int i = 0; i < l->n_campaigns; i++)
        if (l->campaigns[i].id == f->campaign)
            return i;
    BUG("finding %" PRId64 " belongs to no campaign", f->id); /* the database sees to that */
}

static const struct store_testbed *testbed_of(const struct bug_list *l, const struct finding *f)
{
    int c = campaign_of(l, f);
    for (int i = 0; i < l->n_testbeds[c]; i++)
        if (l->testbeds[c][i].id == f->testbed_id)
            return &l->testbeds[c][i];
    BUG("finding %" PRId64 " belongs to no testbed", f->id);
}

static struct bug_member member_of(const struct bug_list *l, const struct finding *f)
{
    _Static_assert(!offsetof(struct store_reduction, finding) &&
                       !offsetof(struct store_blame, finding) &&
                       !offsetof(struct store_mark, finding),
                   "a row begins with its finding");
    return (struct bug_member){.finding = f,
                               .testbed = testbed_of(l, f),
                               .imported = store_is_import(&l->campaigns[campaign_of(l, f)]),
                               .reduction = ROW_OF(l->reductions, l->n_reductions, f->id),
                               .blame = ROW_OF(l->blames, l->n_blames, f->id),
                               .mark = ROW_OF(l->marks, l->n_marks, f->id),
                               .known = ROW_OF(l->known, l->n_known, f->id) != NULL};
}

/* -- as triage wants to see them --------------------------------------------------------------- */

/* What the accused's compiler makes of the program when it does not optimise. */
static int plain_of(const struct bug_list *l, const struct bug_member *m)
{
    int c = campaign_of(l, m->finding), plain = PLAIN_UNKNOWN;
    for (int i = 0; i < l->n_testbeds[c] && plain != PLAIN_RIGHT; i++) {
        const struct store_testbed *t = &l->testbeds[c][i];
        char id[32];
        snprintf(id, sizeof id, ",%" PRId64 ",", t->id);
        if (!testbed_optimises(t->flags) && !strcmp(t->path, m->testbed->path))
            plain = strstr(m->finding->right, id)   ? PLAIN_RIGHT
                    : strstr(m->finding->alike, id) ? PLAIN_WRONG
                                                    : plain;
    }
    return plain;
}

/* All files of a program as one text. */
static const char *whole_text(const struct program *p, struct arena *a)
{
    if (p->n_files == 1) /* a NUL ends it */
        return p->files[0].text;
    struct strbuf all;
    strbuf_init(&all, 0);
    for (int i = 0; i < p->n_files; i++) {
        strbuf_add(&all, p->files[i].text, p->files[i].size);
        strbuf_addc(&all, '\n');
    }
    return strbuf_keep(&all, a);
}

static int triage_of(struct store *s, struct bug_member *m, const char *language, struct arena *a,
                     struct triage_finding *c, struct error *e)
{
    const struct finding *f = m->finding;
    const struct store_reduction *r = m->reduction;
    *c = (struct triage_finding){.id = f->id,
                                 .anomaly = f->verdict.anomaly,
                                 .toolchain = m->testbed->toolchain,
                                 .testbed = f->testbed,
                                 .signature = f->signature,
                                 .pass = m->blame ? m->blame->pass : "",
                                 .flags = "",
                                 .language = language,
                                 .flaky = f->state == FINDING_FLAKY,
                                 .known = m->known};
    if (!r || !*r->program)
        return 0;
    struct program *p = arena_new(a, struct program);
    if (store_program(s, r->program, a, p, e))
        return -1;
    m->program = p;
    m->text = whole_text(p, a);
    if (r->state != REDUCTION_DONE) /* most of what it has is accident still */
        return 0;
    c->flags = r->flags;
    c->text = m->text;
    c->constructs = r->constructs;
    return store_kin(s, f->id, a, &c->kin, e);
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

/* -- what slipped in --------------------------------------------------------------------------- */

int bugs_slipped_from(struct store *s, const struct finding *f, const struct program *p,
                      struct arena *a, bool *slipped, int64_t *from, struct error *e)
{
    struct store_campaign campaign;
    struct finding *list;
    int n;
    *from = 0;
    if (store_campaign_get(s, f->campaign, a, &campaign, e))
        return -1;
    *slipped = campaign.slipped_from != 0 && !store_is_import(&campaign);
    if (!*slipped)
        return 0;
    const struct store_query query = {.campaign = campaign.slipped_from,
                                      .testbed = f->testbed,
                                      .anomaly = -1,
                                      .state = -1,
                                      .seed = p->made.seed,
                                      .has_seed = true};
    if (store_findings(s, &query, a, &list, &n, e))
        return -1;
    *from = n ? list[0].id : 0;
    return 0;
}

/* Its reduction is still to come, and nobody has said anything of it. */
static bool may_wait(const struct bug_list *l, const struct finding *f)
{
    const struct bug_member m = member_of(l, f);
    return l->campaigns[campaign_of(l, f)].slipped_from &&
           (!m.reduction || m.reduction->state == REDUCTION_BEGUN) && !m.mark && !m.known;
}

/* The finding that this one waits with, among those of the list; 0: it does not wait. */
static int waits_with(struct store *s, const struct bug_list *l, const struct finding *f,
                      struct arena *a, int64_t *with, struct error *e)
{
    struct program p;
    bool slipped;
    int64_t from;
    *with = 0;
    if (!may_wait(l, f))
        return 0;
    if (store_program(s, f->program, a, &p, e) ||
        bugs_slipped_from(s, f, &p, a, &slipped, &from, e))
        return -1;
    for (int i = 0; i < l->n_findings; i++)
        if (l->findings[i].id == from)
            *with = from;
    return 0;
}

/* Findings that wait go to the end, the others stay in order. `with` are whom they wait for. */
static int set_slips_aside(struct store *s, struct bug_list *l, struct arena *a, int64_t **with,
                           struct error *e)
{
    struct finding *waiting = arena_array(a, struct finding, l->n_findings + 1);
    int64_t *all = arena_array(a, int64_t, l->n_findings + 1);
    int kept = 0;
    *with = arena_array(a, int64_t, l->n_findings + 1);
    for (int i = 0; i < l->n_findings; i++)
        if (waits_with(s, l, &l->findings[i], a, &all[i], e))
            return -1;
    for (int i = 0; i < l->n_findings; i++) {
        if (!all[i]) {
            l->findings[kept++] = l->findings[i];
            continue;
        }
        (*with)[l->n_slips] = all[i];
        waiting[l->n_slips++] = l->findings[i];
    }
    memcpy(l->findings + kept, waiting, sizeof *waiting * (size_t)l->n_slips);
    return 0;
}

static void count_slips(struct bug_list *l, const int64_t *with)
{
    for (int i = 0; i < l->n_slips; i++)
        for (int k = 0; k < l->n_findings; k++)
            l->members[k].n_slips += l->findings[k].id == with[i];
}

/* -- all of them ------------------------------------------------------------------------------- */

static int load_triage(struct store *s, struct bug_list *l, struct arena *a,
                       struct triage_finding **out, struct error *e)
{
    /* A campaign has testbeds of one language: its first program tells it, and the others need not
     * be unpacked. */
    const char **languages = arena_array(a, const char *, l->n_campaigns);
    *out = arena_array(a, struct triage_finding, l->n_findings);
    l->members = arena_array(a, struct bug_member, l->n_findings);
    for (int i = 0; i < l->n_findings; i++) {
        const char **language = &languages[campaign_of(l, &l->findings[i])];
        struct program p;
        if (!*language && store_program(s, l->findings[i].program, a, &p, e))
            return -1;
        *language = *language ? *language : p.language;
        l->members[i] = member_of(l, &l->findings[i]);
        if (triage_of(s, &l->members[i], *language, a, &(*out)[i], e))
            return -1;
        (*out)[i].plain = plain_of(l, &l->members[i]);
    }
    return 0;
}

/* -- bugs -------------------------------------------------------------------------------------- */

/* Is the testbed that of one of the first n members? */
static bool is_among(const struct bug *b, int n, const char *testbed)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(b->members[i]->finding->testbed, testbed))
            return true;
    return false;
}

/* What its members say together. */
static void sum_up(struct bug *b, struct arena *a)
{
    struct strbuf names;
    strbuf_init(&names, 0);
    b->first_at = INT64_MAX;
    for (int i = 0; i < b->n_members; i++) {
        const struct bug_member *m = b->members[i];
        const struct finding *f = m->finding;
        b->first_at = f->found_at < b->first_at ? f->found_at : b->first_at;
        b->last_at = f->found_at > b->last_at ? f->found_at : b->last_at;
        b->n_flaky += f->state == FINDING_FLAKY;
        b->n_known += m->known;
        b->n_slips += m->n_slips;
        b->n_seen += !m->imported;
        if (m->mark && (!b->mark || m->mark->at > b->mark->at))
            b->mark = m->mark;
        if (!is_among(b, i, f->testbed))
            strbuf_addf(&names, "%s%s", names.n ? ", " : "", f->testbed);
    }
    b->testbeds = strbuf_keep(&names, a);
    bool fixed = !b->known && b->mark && b->mark->mark == MARK_FIXED;
    b->again = fixed && b->last_at > b->mark->at;
    b->fixed = fixed && !b->again;
}

/* -- names ------------------------------------------------------------------------------------- */

enum { NAME_DIGITS = 8 }; /* of a hash */

/* Of a message the signature tells which bug it is. One that is the testbed's name may be any
 * bug's: then the program counts, too. */
static const char *name_of(const struct bug *b, struct arena *a)
{
    const struct bug_member *oldest = b->members[0];
    const struct finding *f = oldest->finding;
    char hash[PROGRAM_HASH_SIZE];
    const char *by = signature_evidence(f->signature)
                         ? f->signature
                         : arena_printf(a, "%s\n%s", f->signature, f->program);
    hash_bytes(by, strlen(by), hash);
    char *toolchain = arena_strdup(a, oldest->testbed->toolchain);
    for (char *at = toolchain; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("+._-", *at))
            *at = '_';
    return arena_printf(a, "%s-%.40s-%.*s", anomaly_name[f->verdict.anomaly], toolchain,
                        NAME_DIGITS, hash);
}

/* Of bugs of one name the oldest one keeps it. */
static void name_all(struct bug_list *l, struct arena *a)
{
    struct map oldest; /* the id of its first finding, by name */
    map_init(&oldest);
    for (int i = 0; i < l->n; i++) {
        uint64_t id = (uint64_t)l->bugs[i].members[0]->finding->id;
        bool added;
        union map_value *least = &map_put_str(&oldest, l->bugs[i].name, &added)->value;
        if (added || id < least->number)
            least->number = id;
    }
    for (int i = 0; i < l->n; i++) {
        const struct finding *f = l->bugs[i].members[0]->finding;
        char hash[PROGRAM_HASH_SIZE];
        if (map_find_str(&oldest, l->bugs[i].name)->value.number == (uint64_t)f->id)
            continue;
        const char *by = arena_printf(a, "%" PRId64 " %s", f->id, f->program);
        hash_bytes(by, strlen(by), hash);
        l->bugs[i].name = arena_printf(a, "%s-%.*s", l->bugs[i].name, NAME_DIGITS, hash);
    }
    map_release(&oldest);
}

bool bug_is_name(const char *text)
{
    bool kind = false;
    for (int i = 1; i < ANOMALY_COUNT; i++) {
        size_t n = strlen(anomaly_name[i]);
        kind |= !strncmp(text, anomaly_name[i], n) && text[n] == '-';
    }
    for (const char *at = text; kind && (at = strchr(at, '-')) != NULL; at++)
        if (strspn(at + 1, "0123456789abcdef") == NAME_DIGITS &&
            (!at[1 + NAME_DIGITS] || at[1 + NAME_DIGITS] == '.'))
            return true;
    return false;
}

/* -- lists ------------------------------------------------------------------------------------- */

static struct bug bug_of(const struct bug_list *l, const struct triage_cluster *c, struct arena *a)
{
    const struct bug_member **members = arena_array(a, const struct bug_member *, c->n_members);
    struct bug b = {.first = &l->members[c->representative],
                    .members = members,
                    .n_members = c->n_members,
                    .because = c->because ? c->because : "",
                    .known = c->known};
    for (int i = 0; i < c->n_members; i++)
        members[i] = &l->members[c->members[i]];
    b.name = name_of(&b, a);
    sum_up(&b, a);
    return b;
}

static int load_all(struct store *s, const struct store_query *f, struct arena *a,
                    struct bug_list *out, struct triage_finding **as_triage, struct error *e)
{
    int64_t *with;
    if (store_findings(s, f, a, &out->findings, &out->n_findings, e) || load_lists(s, a, out, e))
        return -1;
    out->n_findings = without_flaky(out->findings, out->n_findings);
    if (set_slips_aside(s, out, a, &with, e) || load_triage(s, out, a, as_triage, e))
        return -1;
    count_slips(out, with);
    return 0;
}

/* Of one moment: a reduction that goes on drops the text of the case that it names no more. */
static int load(struct store *s, const struct store_query *f, struct arena *a, struct bug_list *out,
                struct triage_finding **as_triage, struct error *e)
{
    *out = (struct bug_list){0};
    if (store_view(s, e))
        return -1;
    int status = load_all(s, f, a, out, as_triage, e);
    store_view_end(s);
    return status;
}

int bugs_load(struct store *s, const struct store_query *f, struct arena *a, struct bug_list *out,
              struct error *e)
{
    struct triage_finding *findings;
    struct triage_cluster *clusters;
    if (load(s, f, a, out, &findings, e))
        return -1;
    triage_clusters(findings, out->n_findings - out->n_slips, a, &clusters, &out->n);
    out->bugs = arena_array(a, struct bug, out->n);
    for (int i = 0; i < out->n; i++)
        out->bugs[i] = bug_of(out, &clusters[i], a);
    name_all(out, a);
    return 0;
}

int bugs_load_with(struct store *s, const struct finding *f, struct arena *a, struct bug_list *out,
                   struct bug_member *member, struct error *e)
{
    struct triage_finding *findings;
    int at = 0, n;
    if (load(s, &store_everything, a, out, &findings, e))
        return -1;
    *member = member_of(out, f);
    n = out->n_findings - out->n_slips;
    while (at < n && out->findings[at].id != f->id)
        at++;
    if (at == n)
        return 0;
    const struct triage_cluster c = triage_cluster_of(findings, n, at, a);
    out->n = 1;
    out->bugs = arena_new(a, struct bug);
    out->bugs[0] = bug_of(out, &c, a);
    return 0;
}

void bug_count(struct bug_counts *c, const struct bug *b, int64_t n)
{
    c->open += !bug_is_closed(b);
    c->known += b->known;
    c->fixed += b->fixed;
    *(b->known ? &c->known_findings : b->fixed ? &c->fixed_findings : &c->findings) += n;
}

bool bugs_is_of(const struct bug_list *l, const struct finding *f, int64_t campaign)
{
    return f->campaign == campaign || l->campaigns[campaign_of(l, f)].slipped_from == campaign;
}

int64_t bugs_part(const struct bug_list *l, const struct bug *b, int64_t campaign)
{
    int64_t n = 0;
    for (int i = 0; i < b->n_members; i++)
        n += !b->members[i]->imported && bugs_is_of(l, b->members[i]->finding, campaign);
    return n;
}

bool bug_shows_on(const struct bug *b, const char *testbed)
{
    return is_among(b, b->n_members, testbed);
}

bool bug_is_closed(const struct bug *b)
{
    return b->known || b->fixed;
}

enum bug_reduced bug_reduced(const struct bug *b)
{
    const struct store_reduction *r = b->first->reduction;
    if (!r || r->state == REDUCTION_FAILED || (r->state == REDUCTION_BEGUN && !*r->program))
        return BUG_NOT_REDUCED;
    return r->state == REDUCTION_BEGUN ? BUG_HALF_REDUCED : BUG_REDUCED;
}

enum mark bug_mark(const struct bug *b)
{
    enum mark said = b->mark && !b->again ? b->mark->mark : MARK_NONE;
    return said == MARK_NONE && b->known ? MARK_KNOWN : said;
}

const char *bug_mark_name(const struct bug *b)
{
    return b->again ? "again" : mark_name[bug_mark(b)];
}

const char *bug_note(const struct bug *b)
{
    return b->mark ? b->mark->note : "";
}
