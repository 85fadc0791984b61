/* Everything as one JSON object; docs/REPORT.md describes it.
 *
 * JSON is Unicode: bytes of programs and outputs that are no UTF-8 become U+FFFD, and `exact` says
 * so. Numbers of seeds are written as they are stored, in 64 bits. */
#include "report/report_internal.h"

#include <jansson.h>

enum { SCHEMA = 1 }; /* raised when a field changes its meaning or goes */

static json_t *text(const char *s, size_t n)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    report_utf8(&b, s, n);
    json_t *j = json_stringn(b.s, b.n);
    strbuf_release(&b);
    return j;
}

static json_t *string(const char *s)
{
    return s ? text(s, strlen(s)) : json_null();
}

static json_t *integer(int64_t n)
{
    return json_integer(n);
}

static json_t *campaign(const struct store_campaign *c)
{
    struct strbuf options;
    strbuf_init(&options, 0);
    store_campaign_text(c, &options);
    json_t *config = string(options.s);
    strbuf_release(&options);
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:{s:o,s:o,s:o,s:o}}", "id",
                     integer(c->id), "generator", string(c->generator), "config", config,
                     "first_seed", integer((int64_t)c->first_seed), "tests", integer(c->tests),
                     "findings", integer(c->findings), "incidents", integer(c->incidents),
                     "elapsed_ms", integer(c->elapsed_ms), "created_at", integer(c->created_at),
                     "cpu_us", "generate", integer(c->generate_us), "build", integer(c->build_us),
                     "run", integer(c->run_us), "own", integer(c->own_us));
}

static json_t *counts(const int64_t *n, const char *const *names, int from, int to)
{
    json_t *j = json_object();
    for (int i = from; i < to; i++)
        json_object_set_new(j, names[i], integer(n[i]));
    return j;
}

static json_t *classes(const struct store_testbed *t)
{
    struct store_classes c;
    store_count_classes(t, &c);
    json_t *j = counts(c.of, class_name, 0, CLASS_COUNT);
    json_object_set_new(j, "other", integer(c.other));
    json_object_set_new(j, "pass", integer(c.pass));
    json_object_set_new(j, "total", integer(c.total));
    return j;
}

static json_t *testbed(const struct store_testbed *t)
{
    return json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:b,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "id", integer(t->id),
        "name", string(t->name), "toolchain", string(t->toolchain), "version", string(t->version),
        "path", string(t->path), "flags", string(t->flags), "model", string(t->model), "reference",
        t->reference, "filter", t->filter, "classes", classes(t), "only_inputs",
        integer(t->only_inputs), "outcomes", counts(t->outcomes, outcome_name, 0, OUTCOME_COUNT),
        "anomalies", counts(t->anomalies, anomaly_name, 1, ANOMALY_COUNT), "flaky",
        integer(t->flaky), "build_us", integer(t->build_us), "run_us", integer(t->run_us));
}

static json_t *program(const struct program *p)
{
    json_t *files = json_array();
    for (int i = 0; i < p->n_files; i++) {
        struct strbuf b;
        strbuf_init(&b, 0);
        bool exact = report_utf8(&b, p->files[i].text, p->files[i].size);
        json_array_append_new(files, json_pack("{s:o,s:o,s:b}", "name", string(p->files[i].name),
                                               "text", json_stringn(b.s, b.n), "exact", exact));
        strbuf_release(&b);
    }
    return json_pack("{s:o,s:o,s:o,s:o,s:b,s:{s:o,s:o,s:o,s:o}}", "language", string(p->language),
                     "files", files, "bytes", integer((int64_t)program_size(p)), "needs",
                     string(p->needs), "build_only", p->build_only, "made", "generator",
                     string(p->made.generator), "version", string(p->made.version), "config",
                     string(p->made.config), "seed", integer((int64_t)p->made.seed));
}

static json_t *observation(const struct report_bug *b)
{
    const struct observation *o = b->seen;
    return json_pack("{s:o,s:o,s:i,s:i,s:o,s:o,s:b,s:o,s:o,s:o}", "outcome",
                     string(outcome_name[o->outcome]), "detail", string(o->detail), "exit_status",
                     o->exit_status, "signal", o->signal, "output", string(o->output), "messages",
                     string(o->messages), "of_original", b->seen_original || !b->is_reduced,
                     "build_cpu_us", integer(o->build.cpu_us), "build_peak_kb",
                     integer(o->build.peak_kb), "run_cpu_us", integer(o->run.cpu_us));
}

static json_t *reduction(const struct store_reduction *r)
{
    if (!r)
        return json_null();
    return json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "state",
        string(reduction_state_name[r->state]), "method", string(r->method), "why", string(r->why),
        "from_bytes", integer(r->from_bytes), "bytes", integer(r->bytes), "tests",
        integer(r->tests), "remembered", integer(r->remembered), "refused", integer(r->refused),
        "kept", integer(r->kept), "cpu_us", integer(r->cpu_us), "wall_ms", integer(r->wall_ms));
}

static json_t *blame(const struct store_blame *b)
{
    if (!b)
        return json_null();
    return json_pack("{s:o,s:o,s:o,s:o}", "pass", string(b->pass), "detail", string(b->detail),
                     "first_bad", string(b->first_bad), "last_good", string(b->last_good));
}

static json_t *title(const struct report_bug *b)
{
    struct strbuf s;
    strbuf_init(&s, 0);
    report_title(b, &s);
    json_t *j = string(s.s);
    strbuf_release(&s);
    return j;
}

static json_t *bug(const struct report_bug *b)
{
    const struct finding *f = b->finding;
    char slug[REPORT_SLUG_SIZE];
    json_t *members = json_array();
    for (int i = 0; i < b->bug.n_members; i++)
        json_array_append_new(members, integer(b->bug.members[i]->finding->id));
    json_t *j =
        json_pack("{s:i,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:f,s:i,s:i}", "number", b->number,
                  "id", integer(f->id), "name", string(report_slug(b, slug)), "kind",
                  string(anomaly_name[f->verdict.anomaly]), "title", title(b), "signature",
                  string(f->signature), "state", string(finding_state_name[f->state]), "testbed",
                  string(f->testbed), "testbeds", string(b->bug.testbeds), "flags",
                  string(b->flags), "evidence", string(evidence_name[f->verdict.evidence]),
                  "confidence", f->verdict.confidence, "seen", f->seen, "tried", f->tried);
    json_t *more = json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:i,s:o,s:b,s:o,s:o}", "count",
        integer(b->bug.n_members), "first_at", integer(b->bug.first_at), "last_at",
        integer(b->bug.last_at), "findings", members, "because", string(b->bug.because), "mark",
        string(mark_name[bug_mark(&b->bug)]), "note", string(bug_note(&b->bug)), "blame",
        blame(b->bug.first->blame), "reduction", reduction(b->bug.first->reduction), "build",
        string(b->build), "run", string(b->way.run), "expected", string(b->expected),
        "expected_status", b->expected_status, "observed", observation(b), "reduced", b->is_reduced,
        "program", program(&b->reduced), "original",
        b->is_reduced ? program(&b->original) : json_null());
    json_object_update(j, more);
    json_decref(more);
    return j;
}

static json_t *finding(const struct finding *f)
{
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "id", integer(f->id), "campaign",
                     integer(f->campaign), "seed", integer((int64_t)f->seed), "testbed",
                     string(f->testbed), "kind", string(anomaly_name[f->verdict.anomaly]),
                     "signature", string(f->signature), "state",
                     string(finding_state_name[f->state]), "found_at", integer(f->found_at),
                     "program", string(f->program));
}

static void add_plots(const struct report_data *d, json_t *all)
{
    json_t *history = json_array(), *sizes = json_array();
    for (int i = 0; i < d->n_history; i++)
        json_array_append_new(history,
                              json_pack("{s:o,s:o,s:o,s:o}", "at", integer(d->history[i].at),
                                        "tests", integer(d->history[i].tests), "findings",
                                        integer(d->history[i].findings), "signatures",
                                        integer(d->history[i].signatures)));
    for (int i = 0; i < d->n_sizes; i++)
        json_array_append_new(
            sizes, json_pack("{s:o,s:o,s:o,s:o}", "from", integer(d->sizes[i].from), "to",
                             integer(d->sizes[i].to), "programs", integer(d->sizes[i].programs),
                             "with_findings", integer(d->sizes[i].with_findings)));
    json_object_set_new(all, "history", history);
    json_object_set_new(all, "sizes", sizes);
}

void report_json(const struct report_data *d, struct strbuf *out)
{
    json_t *campaigns = json_array(), *testbeds = json_array(), *bugs = json_array(),
           *findings = json_array();
    int64_t tests = 0, elapsed = 0;
    int open = 0;
    for (int i = 0; i < d->n_campaigns; i++) {
        json_array_append_new(campaigns, campaign(&d->campaigns[i]));
        tests += d->campaigns[i].tests;
        elapsed += d->campaigns[i].elapsed_ms;
    }
    for (int i = 0; i < d->n_testbeds; i++)
        json_array_append_new(testbeds, testbed(&d->testbeds[i]));
    for (int i = 0; i < d->n_bugs; i++) {
        json_array_append_new(bugs, bug(&d->bugs[i]));
        open += !bug_is_closed(&d->bugs[i].bug);
    }
    for (int i = 0; i < d->n_findings; i++)
        json_array_append_new(findings, finding(&d->findings[i]));
    json_t *all = json_pack("{s:s,s:i,s:o,s:{s:i,s:i,s:i,s:o,s:o},s:o,s:o,s:o,s:o}", "assay",
                            ASSAY_VERSION, "schema", SCHEMA, "dir", string(d->dir), "summary",
                            "bugs", d->n_bugs, "open", open, "findings", d->n_findings, "tests",
                            integer(tests), "elapsed_ms", integer(elapsed), "campaigns", campaigns,
                            "testbeds", testbeds, "bugs", bugs, "findings", findings);
    add_plots(d, all);
    char *dumped = json_dumps(all, JSON_INDENT(2));
    REQUIRE(dumped != NULL);
    strbuf_adds(out, dumped);
    strbuf_addc(out, '\n');
    free(dumped);
    json_decref(all);
}
