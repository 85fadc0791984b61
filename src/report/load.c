/* From the store to one struct report_data: the only file of this room that reads it.
 *
 * A bug (bugs/bugs.h) is told by its first finding. What is right is
 * known from, in this order: the program itself, where its generator or the reducer's interpreter
 * knew its output; the majority of the testbeds, as recorded, where the program was not reduced;
 * what the others do with the reduced program here and now, where the caller can try it. */
#include "base/fs.h"
#include "report/report_internal.h"

#include <ctype.h>

enum { HISTORY_POINTS = 120 };

struct loading {
    struct store *store;
    const struct report_commands *commands;
    struct report_data *d;
    struct arena *arena;
    struct bug_list bugs;
};

/* -- testbeds ---------------------------------------------------------------------------------- */

/* The same one of another campaign? */
static bool is_same(const struct store_testbed *a, const struct store_testbed *b)
{
    return !strcmp(a->name, b->name) && !strcmp(a->path, b->path) &&
           !strcmp(a->version, b->version);
}

static void add_statistics(struct store_testbed *sum, const struct store_testbed *t)
{
    for (int i = 0; i < OUTCOME_COUNT; i++)
        sum->outcomes[i] += t->outcomes[i];
    for (int i = 0; i < ANOMALY_COUNT; i++)
        sum->anomalies[i] += t->anomalies[i];
    sum->flaky += t->flaky;
    sum->only_inputs += t->only_inputs;
    sum->build_us += t->build_us;
    sum->run_us += t->run_us;
}

/* Those of all campaigns, each compiler with its flags once. What was only seen while reducing is
 * no statistics. */
static void sum_testbeds(struct loading *l, const struct store_query *f)
{
    const struct bug_list *bugs = &l->bugs;
    struct report_data *d = l->d;
    int all = 0;
    for (int i = 0; i < bugs->n_campaigns; i++)
        all += bugs->n_testbeds[i];
    d->testbeds = arena_array(l->arena, struct store_testbed, all + 1);
    for (int i = 0; i < bugs->n_campaigns; i++) {
        const struct store_campaign *c = &bugs->campaigns[i];
        if (c->slipped_from || (f->campaign && f->campaign != c->id))
            continue;
        for (int k = 0; k < bugs->n_testbeds[i]; k++) {
            const struct store_testbed *t = &bugs->testbeds[i][k];
            int at = 0;
            while (at < d->n_testbeds && !is_same(&d->testbeds[at], t))
                at++;
            if (at < d->n_testbeds)
                add_statistics(&d->testbeds[at], t);
            else
                d->testbeds[d->n_testbeds++] = *t;
        }
    }
}

/* -- programs and what they do ----------------------------------------------------------------- */

static int load_programs(struct loading *l, struct report_bug *b, struct error *e)
{
    const struct bug_member *m = b->bug.first;
    bool same = m->program && !strcmp(m->reduction->program, b->finding->program);
    if (same)
        b->original = *m->program;
    else if (store_program(l->store, b->finding->program, l->arena, &b->original, e))
        return -1;
    b->is_reduced = m->program && !same;
    b->reduced = m->program ? *m->program : b->original;
    if (m->program)
        b->flags = m->reduction->flags;
    return 0;
}

/* What the majority of its model printed, as recorded. */
static const struct observation *majority(const struct store_observation *list, int n,
                                          const struct store_observation *accused)
{
    const struct observation *best = NULL;
    int most = 0;
    for (int i = 0; i < n; i++) {
        const struct observation *o = &list[i].observation;
        int votes = 0;
        if (o->outcome != OUTCOME_OK || &list[i] == accused || list[i].verdict.anomaly)
            continue;
        for (int k = 0; k < n; k++)
            votes += !strcmp(o->output_hash, list[k].observation.output_hash);
        if (votes > most) {
            most = votes;
            best = o;
        }
    }
    return best;
}

static void expect(struct report_bug *b, const struct observation *o)
{
    b->expected = o->output;
    b->expected_status = o->exit_status;
}

static const struct observation nothing_seen = {
    .outcome = OUTCOME_SKIPPED, .output = {"", 0}, .messages = "", .detail = "", .flags = ""};

/* What compilers print may name the folder that they were run in, CAMPAIGN/work/assay-Xy12Zz. That
 * is gone, and says nothing to who reads it: "." stands in its place. */
static const char *without_folders(struct loading *l, const char *text)
{
    static const char name[] = "/assay-";
    enum { RANDOM = 6 }; /* fs_make_temp_dir */
    struct strbuf out;
    if (!strstr(text, name))
        return text;
    strbuf_init(&out, 0);
    for (const char *at; (at = strstr(text, name)) != NULL;) {
        const char *end = at + sizeof name - 1, *begin = at;
        size_t random = 0;
        while (random < RANDOM && isalnum((unsigned char)end[random]))
            random++;
        while (begin > text && !isspace((unsigned char)begin[-1]) && !strchr("'\"`(=:,", begin[-1]))
            begin--;
        bool ours = random == RANDOM && !isalnum((unsigned char)end[random]) && *begin == '/';
        strbuf_add(&out, text, (size_t)((ours ? begin : end) - text));
        strbuf_adds(&out, ours ? "." : "");
        text = ours ? end + RANDOM : end;
    }
    strbuf_adds(&out, text);
    return strbuf_keep(&out, l->arena);
}

static const struct observation *as_told(struct loading *l, const struct observation *o)
{
    struct observation *told = arena_new(l->arena, struct observation);
    *told = *o;
    told->messages = without_folders(l, o->messages);
    return told;
}

static int load_observations(struct loading *l, struct report_bug *b, struct error *e)
{
    struct store_observation *list;
    const struct store_observation *accused = NULL;
    int n;
    const struct finding *f = b->finding;
    if (store_observations(l->store, f->campaign, f->seed, l->arena, &list, &n, e))
        return -1;
    for (int i = 0; i < n; i++)
        if (list[i].testbed_id == f->testbed_id)
            accused = &list[i];
    b->seen = b->recorded = accused ? as_told(l, &accused->observation) : &nothing_seen;
    b->flags = *b->seen->flags ? b->seen->flags : b->bug.first->testbed->flags;
    if (load_programs(l, b, e))
        return -1;
    if (b->reduced.build_only)
        return 0;
    b->expected = b->reduced.expected;
    const struct observation *most = majority(list, n, accused);
    if (!b->expected.data && !b->is_reduced && most && f->verdict.anomaly != ANOMALY_DISAGREEMENT)
        expect(b, most);
    return 0;
}

bool report_is_endless(enum anomaly kind)
{
    return kind == ANOMALY_BUILD_HANG || kind == ANOMALY_RUN_HANG || kind == ANOMALY_SLOW_COMPILE ||
           kind == ANOMALY_MEMORY;
}

/* The reduced program is another one than that of the observation: it is tried again where the
 * caller can. A build or a run without an end takes too long to be told what is known. */
static int observe_again(struct loading *l, struct report_bug *b, struct error *e)
{
    const struct report_commands *c = l->commands;
    enum anomaly kind = b->finding->verdict.anomaly;
    struct observation *again = arena_new(l->arena, struct observation), others;
    b->seen_original = b->is_reduced;
    if (!b->is_reduced || report_is_endless(kind) || !c->observe)
        return 0;
    int status = c->observe(c->of, b->finding, b->flags, &b->reduced, l->arena, again, e);
    if (status < 0)
        return -1;
    if (status == 0) {
        b->seen = as_told(l, again);
        b->seen_original = false;
    }
    if (b->expected.data || b->reduced.build_only || report_of_build(kind) || !c->agreed)
        return 0;
    status = c->agreed(c->of, b->finding, &b->reduced, l->arena, &others, e);
    if (status == 0)
        expect(b, &others);
    return status < 0 ? -1 : 0;
}

/* -- commands ---------------------------------------------------------------------------------- */

/* Stands for the compiler in commands: a word that needs no quotes in a shell and occurs nowhere
 * else. */
#define PLACEHOLDER "__assay_compiler__"

const struct report_way report_no_way = {.run = "",
                                         .script = "",
                                         .normalise = "",
                                         .crash = "",
                                         .run_crash = "",
                                         .message = "",
                                         .about = "",
                                         .compiler = ""};

/* For people the compiler has its name, for scripts "$cc": where it is here says nothing. */
static void load_commands(struct loading *l, struct report_bug *b)
{
    const struct report_commands *c = l->commands;
    const struct store_testbed *testbed = b->bug.first->testbed;
    struct store_testbed any = *testbed;
    struct strbuf out, name;
    b->way = report_no_way;
    b->way.by_hand = true;
    strbuf_init(&out, 0);
    strbuf_init(&name, 0);
    text_quote_shown(&name, fs_name(testbed->path));
    any.path = PLACEHOLDER;
    c->build(c->of, &any, b->flags, &b->reduced, &out);
    b->build = text_fill(l->arena, out.s, PLACEHOLDER, name.s, NULL);
    b->script = text_fill(l->arena, out.s, PLACEHOLDER, "\"$cc\"", NULL);
    if (c->way) {
        struct report_way way = b->way;
        c->way(c->of, b->finding, &any, b->flags, &b->reduced, l->arena, &way);
        c->way(c->of, b->finding, testbed, b->flags, &b->reduced, l->arena, &b->way);
        b->way.run = text_fill(l->arena, way.run, PLACEHOLDER, name.s, NULL);
        b->way.script = text_fill(l->arena, way.run, PLACEHOLDER, "\"$cc\"", NULL);
    }
    strbuf_release(&out);
    strbuf_release(&name);
}

/* -- all of it --------------------------------------------------------------------------------- */

static int load_bugs(struct loading *l, struct error *e)
{
    struct report_data *d = l->d;
    d->n_bugs = l->bugs.n;
    d->bugs = arena_array(l->arena, struct report_bug, d->n_bugs + 1);
    for (int i = 0; i < d->n_bugs; i++) {
        struct report_bug *b = &d->bugs[i];
        b->number = i + 1;
        b->bug = l->bugs.bugs[i];
        b->finding = b->bug.first->finding;
        if (load_observations(l, b, e))
            return -1;
    }
    return 0;
}

/* What is not in the store. */
static int look_at_bugs(struct loading *l, struct error *e)
{
    for (int i = 0; i < l->d->n_bugs; i++) {
        struct report_bug *b = &l->d->bugs[i];
        if (observe_again(l, b, e))
            return -1;
        load_commands(l, b);
        b->title = report_title(b, l->arena);
    }
    return 0;
}

static int load_histories(struct loading *l, const struct store_query *f, struct error *e)
{
    struct report_data *d = l->d;
    d->histories = arena_array(l->arena, struct report_history, d->n_campaigns);
    for (int i = 0; i < d->n_campaigns; i++) {
        const struct store_campaign *c = &d->campaigns[i];
        struct report_history *h = &d->histories[d->n_histories];
        if (c->slipped_from || (f->campaign && f->campaign != c->id))
            continue;
        h->campaign = c->id;
        if (store_history(l->store, c->id, HISTORY_POINTS, l->arena, &h->at, &h->n, e))
            return -1;
        d->n_histories++;
    }
    return 0;
}

static int load_all(struct loading *l, const struct store_query *f, struct error *e)
{
    struct report_data *d = l->d;
    if (bugs_load(l->store, f, l->arena, &l->bugs, e))
        return -1;
    d->campaigns = l->bugs.campaigns;
    d->n_campaigns = l->bugs.n_campaigns;
    d->findings = l->bugs.findings;
    d->n_findings = l->bugs.n_findings;
    sum_testbeds(l, f);
    return store_history(l->store, f->campaign, HISTORY_POINTS, l->arena, &d->history,
                         &d->n_history, e) ||
                   load_histories(l, f, e) ||
                   store_sizes(l->store, f->campaign, l->arena, &d->sizes, &d->n_sizes, e) ||
                   load_bugs(l, e)
               ? -1
               : 0;
}

int report_load(struct store *s, const char *dir, const struct store_query *f,
                const struct report_commands *commands, struct report_data *out, struct error *e)
{
    *out = (struct report_data){0};
    arena_init(&out->arena);
    out->dir = arena_strdup(&out->arena, dir);
    struct loading l = {.store = s, .commands = commands, .d = out, .arena = &out->arena};
    if (store_view(s, e))
        return -1;
    int status = load_all(&l, f, e);
    store_view_end(s);
    return status ? -1 : look_at_bugs(&l, e);
}

struct bug_counts report_count(const struct report_data *d)
{
    struct bug_counts c = {0};
    for (int i = 0; i < d->n_bugs; i++)
        bug_count(&c, &d->bugs[i].bug, d->bugs[i].bug.n_seen);
    return c;
}

void report_release(struct report_data *d)
{
    arena_release(&d->arena);
}
