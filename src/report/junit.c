/* JUnit XML, as Jenkins and GitLab read it: <testsuites>, a <testsuite> per testbed, a <testcase>
 * per bug that shows on it. Times are CPU-seconds.
 *
 * An open bug is a <failure>; one that people have marked is <skipped>, with what they said. Each
 * testbed has one more case, for all its tests together, which always passes: a consumer that finds
 * no case at all in a suite calls it missing, and a testbed without bugs is what one hopes for. */
#include "report/report_internal.h"

#include <inttypes.h>

static void attribute(struct strbuf *out, const char *name, const char *value)
{
    strbuf_addf(out, " %s=\"", name);
    size_t from = out->n;
    report_markup(out, value, strlen(value));
    for (char *at = out->s + from; *at; at++) /* a parser makes blanks of newlines in attributes */
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    strbuf_addc(out, '"');
}

static void add_text(struct strbuf *out, const char *s)
{
    report_markup(out, s, strlen(s));
}

/* What a developer needs to see in the log of the CI. */
static void add_details(const struct report_bug *b, struct arena *a, struct strbuf *out)
{
    add_text(out, report_typed(b, a));
    strbuf_adds(out, "\nexpected:\n");
    add_text(out, report_expected(b, a));
    strbuf_addf(out, "\nseen%s:\n", report_seen_of(b));
    add_text(out, report_shown(report_seen(b, a)));
    for (int i = 0; b->is_reduced && i < b->reduced.n_files; i++) {
        strbuf_addf(out, "\n");
        add_text(out, b->reduced.files[i].name);
        strbuf_adds(out, ":\n");
        report_markup(out, b->reduced.files[i].text, b->reduced.files[i].size);
    }
}

static double seconds(int64_t us)
{
    return (double)us / 1e6;
}

/* CPU time of the build and the run that showed it. */
static int64_t cost_of(const struct report_bug *b)
{
    return b->recorded->build.cpu_us + b->recorded->run.cpu_us;
}

static void add_case(const struct report_bug *b, const char *testbed, struct arena *a,
                     struct strbuf *out)
{
    strbuf_adds(out, "    <testcase");
    attribute(out, "classname", testbed);
    attribute(out, "name", b->bug.name); /* the title may change; what CI calls it may not */
    strbuf_addf(out, " time=\"%.3f\">\n", seconds(cost_of(b)));
    if (!bug_is_closed(&b->bug)) {
        strbuf_adds(out, "      <failure");
        attribute(out, "type", anomaly_name[b->finding->verdict.anomaly]);
        attribute(out, "message", b->title);
        strbuf_addc(out, '>');
        add_details(b, a, out);
        strbuf_adds(out, "</failure>\n");
    } else {
        strbuf_adds(out, "      <skipped");
        attribute(out, "message",
                  arena_printf(a, "%s: %s%s%s", b->title, mark_name[bug_mark(&b->bug)],
                               *bug_note(&b->bug) ? ": " : "", bug_note(&b->bug)));
        strbuf_adds(out, "/>\n");
    }
    strbuf_adds(out, "    </testcase>\n");
}

static bool named_before(const struct report_data *d, int i)
{
    for (int k = 0; k < i; k++)
        if (!strcmp(d->testbeds[k].name, d->testbeds[i].name))
            return true;
    return false;
}

/* What the cases of a suite come to. */
struct sums {
    int failures, skipped;
    int64_t tests; /* programs that were tried */
    int64_t tests_us, us;
};

/* Of all testbeds of this name: one of two campaigns is the same one. */
static struct sums add_up(const struct report_data *d, const char *testbed)
{
    struct sums s = {0};
    for (int i = 0; i < d->n_testbeds; i++) {
        const struct store_testbed *t = &d->testbeds[i];
        if (strcmp(t->name, testbed) != 0)
            continue;
        for (int k = 0; k < OUTCOME_COUNT; k++)
            s.tests += t->outcomes[k];
        s.tests_us += t->build_us + t->run_us;
    }
    s.us = s.tests_us;
    for (int i = 0; i < d->n_bugs; i++)
        if (bug_shows_on(&d->bugs[i].bug, testbed)) {
            *(bug_is_closed(&d->bugs[i].bug) ? &s.skipped : &s.failures) += 1;
            s.us += cost_of(&d->bugs[i]);
        }
    return s;
}

static void add_suite(const struct report_data *d, const char *name, struct arena *a,
                      struct strbuf *out)
{
    const struct sums s = add_up(d, name);
    strbuf_adds(out, "  <testsuite");
    attribute(out, "name", name);
    strbuf_addf(out, " tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%.3f\">\n",
                1 + s.failures + s.skipped, s.failures, s.skipped, seconds(s.us));
    strbuf_adds(out, "    <testcase");
    attribute(out, "classname", name);
    attribute(out, "name", "programs");
    strbuf_addf(out,
                " time=\"%.3f\"><system-out>%" PRId64 " programs were tried</system-out>"
                "</testcase>\n",
                seconds(s.tests_us), s.tests);
    for (int i = 0; i < d->n_bugs; i++)
        if (bug_shows_on(&d->bugs[i].bug, name))
            add_case(&d->bugs[i], name, a, out);
    strbuf_adds(out, "  </testsuite>\n");
}

void report_junit(const struct report_data *d, struct strbuf *out)
{
    struct arena a;
    struct sums all = {0};
    int suites = 0;
    arena_init(&a);
    for (int i = 0; i < d->n_testbeds; i++) {
        if (named_before(d, i))
            continue;
        const struct sums s = add_up(d, d->testbeds[i].name);
        suites++;
        all.failures += s.failures;
        all.skipped += s.skipped;
        all.us += s.us;
    }
    strbuf_addf(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\" "
                "tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%.3f\">\n",
                suites + all.failures + all.skipped, all.failures, all.skipped, seconds(all.us));
    for (int i = 0; i < d->n_testbeds; i++)
        if (!named_before(d, i))
            add_suite(d, d->testbeds[i].name, &a, out);
    strbuf_adds(out, "</testsuites>\n");
    arena_release(&a);
}
