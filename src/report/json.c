/* Everything as one JSON object; docs/REPORT.md describes it.
 *
 * Numbers of seeds are written as they are stored, in 64 bits. */
#include "base/json.h"
#include "report/report_internal.h"

enum { SCHEMA = 2 }; /* raised when a field changes its meaning or goes */

static struct json *campaign(const struct store_campaign *c)
{
    struct strbuf config;
    strbuf_init(&config, 0);
    store_campaign_text(c, &config);
    struct json *j = json_new("{s:I,s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:{s:I,s:I,s:I,s:I}}", "id",
                              c->id, "generator", c->generator, "config", config.s, "first_seed",
                              (int64_t)c->first_seed, "tests", c->tests, "findings", c->findings,
                              "incidents", c->incidents, "elapsed_ms", c->elapsed_ms, "created_at",
                              c->created_at, "cpu_us", "generate", c->generate_us, "build",
                              c->build_us, "run", c->run_us, "own", c->own_us);
    strbuf_release(&config);
    return j;
}

static struct json *testbed(const struct store_testbed *t)
{
    return json_new("{s:I,s:s,s:s,s:s,s:s,s:s,s:s,s:b,s:b,s:o,s:I,s:o,s:o,s:I,s:I,s:I}", "id",
                    t->id, "name", t->name, "toolchain", t->toolchain, "version", t->version,
                    "path", t->path, "flags", t->flags, "model", t->model, "reference",
                    t->reference, "filter", t->filter, "classes", store_classes_json(t),
                    "only_inputs", t->only_inputs, "outcomes",
                    json_counts(t->outcomes, outcome_name, 0, OUTCOME_COUNT), "anomalies",
                    json_counts(t->anomalies, anomaly_name, 1, ANOMALY_COUNT), "flaky", t->flaky,
                    "build_us", t->build_us, "run_us", t->run_us);
}

static struct json *program(const struct program *p)
{
    return json_new("{s:s,s:o,s:I,s:s,s:b,s:{s:s,s:s,s:s,s:I}}", "language", p->language, "files",
                    program_files_json(p), "bytes", (int64_t)program_size(p), "needs", p->needs,
                    "build_only", p->build_only, "made", "generator", p->made.generator, "version",
                    p->made.version, "config", p->made.config, "seed", (int64_t)p->made.seed);
}

static struct json *observation(const struct report_bug *b)
{
    const struct observation *o = b->seen;
    return json_new(
        "{s:s,s:s,s:i,s:i,s:y,s:s,s:b,s:I,s:I,s:I}", "outcome", outcome_name[o->outcome], "detail",
        o->detail, "exit_status", o->exit_status, "signal", o->signal, "output", o->output,
        "messages", o->messages, "of_original", b->seen_original || !b->is_reduced, "build_cpu_us",
        o->build.cpu_us, "build_peak_kb", o->build.peak_kb, "run_cpu_us", o->run.cpu_us);
}

static struct json *reduction(const struct store_reduction *r)
{
    if (!r)
        return json_new("n");
    return json_new("{s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:I,s:I}", "state",
                    reduction_state_name[r->state], "method", r->method, "why", r->why,
                    "from_bytes", r->from_bytes, "bytes", r->bytes, "tests", r->tests, "remembered",
                    r->remembered, "refused", r->refused, "kept", r->kept, "cpu_us", r->cpu_us,
                    "wall_ms", r->wall_ms);
}

static struct json *bug(const struct report_bug *b)
{
    const struct finding *f = b->finding;
    struct json *members = json_new("[]");
    for (int i = 0; i < b->bug.n_members; i++)
        json_append(members, "I", b->bug.members[i]->finding->id);
    struct json *j =
        json_new("{s:i,s:I,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:f,s:i,s:i}", "number", b->number,
                 "id", f->id, "name", b->bug.name, "kind", anomaly_name[f->verdict.anomaly],
                 "title", b->title, "signature", f->signature, "state",
                 finding_state_name[f->state], "testbed", f->testbed, "testbeds", b->bug.testbeds,
                 "flags", b->flags, "evidence", evidence_name[f->verdict.evidence], "confidence",
                 f->verdict.confidence, "seen", f->seen, "tried", f->tried);
    json_extend(j, "{s:I,s:I,s:I,s:o,s:s,s:s,s:s,s:o,s:o,s:s,s:s,s:y,s:i,s:o,s:b,s:o,s:o}", "count",
                (int64_t)b->bug.n_seen, "first_at", b->bug.first_at, "last_at", b->bug.last_at,
                "findings", members, "because", b->bug.because, "mark",
                mark_name[bug_mark(&b->bug)], "note", bug_note(&b->bug), "blame",
                store_blame_json(b->bug.first->blame), "reduction",
                reduction(b->bug.first->reduction), "build", b->build, "run", b->way.run,
                "expected", b->expected, "expected_status", b->expected_status, "observed",
                observation(b), "reduced", b->is_reduced, "program", program(&b->reduced),
                "original", b->is_reduced ? program(&b->original) : json_new("n"));
    return j;
}

static struct json *finding(const struct finding *f)
{
    return json_new("{s:I,s:I,s:I,s:s,s:s,s:s,s:s,s:I,s:s}", "id", f->id, "campaign", f->campaign,
                    "seed", (int64_t)f->seed, "testbed", f->testbed, "kind",
                    anomaly_name[f->verdict.anomaly], "signature", f->signature, "state",
                    finding_state_name[f->state], "found_at", f->found_at, "program", f->program);
}

static struct json *system_of(const struct report_system *s)
{
    if (!s->kernel)
        return json_new("n");
    return json_new("{s:s,s:s,s:s,s:s}", "kernel", s->kernel, "distribution",
                    s->distribution ? s->distribution : "", "processor",
                    s->processor ? s->processor : "", "memory", s->memory ? s->memory : "");
}

static void add_plots(const struct report_data *d, struct json *all)
{
    struct json *history = json_new("[]"), *sizes = json_new("[]");
    for (int i = 0; i < d->n_histories; i++)
        for (int k = 0; k < d->histories[i].n; k++) {
            const struct store_moment *m = &d->histories[i].at[k];
            json_append(history, "{s:I,s:I,s:I,s:I,s:I}", "campaign", d->histories[i].campaign,
                        "at", m->at, "tests", m->tests, "findings", m->findings, "signatures",
                        m->signatures);
        }
    for (int i = 0; i < d->n_sizes; i++)
        json_append(sizes, "{s:I,s:I,s:I,s:I}", "from", d->sizes[i].from, "to", d->sizes[i].to,
                    "programs", d->sizes[i].programs, "with_findings", d->sizes[i].with_findings);
    json_extend(all, "{s:o,s:o}", "history", history, "sizes", sizes);
}

void report_json(const struct report_data *d, struct strbuf *out)
{
    struct json *campaigns = json_new("[]"), *testbeds = json_new("[]"), *bugs = json_new("[]"),
                *findings = json_new("[]");
    int64_t tests = 0, elapsed = 0;
    for (int i = 0; i < d->n_campaigns; i++) {
        json_append(campaigns, "o", campaign(&d->campaigns[i]));
        tests += d->campaigns[i].tests;
        elapsed += d->campaigns[i].elapsed_ms;
    }
    for (int i = 0; i < d->n_testbeds; i++)
        json_append(testbeds, "o", testbed(&d->testbeds[i]));
    for (int i = 0; i < d->n_bugs; i++)
        json_append(bugs, "o", bug(&d->bugs[i]));
    for (int i = 0; i < d->n_findings; i++)
        json_append(findings, "o", finding(&d->findings[i]));
    struct json *all = json_new("{s:s,s:i,s:s,s:{s:i,s:i,s:i,s:I,s:I},s:o,s:o,s:o,s:o}", "assay",
                                ASSAY_VERSION, "schema", SCHEMA, "dir", d->dir, "summary", "bugs",
                                d->n_bugs, "open", report_count(d).open, "findings", d->n_findings,
                                "tests", tests, "elapsed_ms", elapsed, "campaigns", campaigns,
                                "testbeds", testbeds, "bugs", bugs, "findings", findings);
    add_plots(d, all);
    json_extend(all, "{s:o}", "system", system_of(&d->system));
    json_write(all, false, out);
}
