/* The sentences that all reports share, and text as markup. */
#include "base/text.h"
#include "program/trace.h"
#include "program/undefined.h"
#include "report/report_internal.h"

#include <inttypes.h>

void report_markup(struct strbuf *out, const char *s, size_t n)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    text_visible(&text, (struct bytes){s, n});
    for (const char *at = text.s; *at; at++) {
        static const char signs[] = "<>&\"'";
        static const char *const names[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
        const char *sign = strchr(signs, *at);
        if (sign)
            strbuf_adds(out, names[sign - signs]);
        else
            strbuf_addc(out, *at);
    }
    strbuf_release(&text);
}

const char *report_number(int64_t n, char out[REPORT_NUMBER_SIZE])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRId64, n), to = 0;
    for (int i = 0; i < length; i++) {
        if (i && digits[i - 1] != '-' && (length - i) % 3 == 0)
            out[to++] = ',';
        out[to++] = digits[i];
    }
    out[to] = '\0';
    return out;
}

const char *report_time(int64_t at, char out[REPORT_TIME_SIZE])
{
    struct tm tm;
    time_t seconds = at;
    localtime_r(&seconds, &tm);
    strftime(out, REPORT_TIME_SIZE, "%Y-%m-%d %H:%M", &tm);
    return out;
}

/* -- what is wrong ----------------------------------------------------------------------------- */

bool report_of_build(enum anomaly kind)
{
    return kind == ANOMALY_BUILD_CRASH || kind == ANOMALY_BUILD_HANG ||
           kind == ANOMALY_BUILD_FAIL || kind == ANOMALY_SLOW_COMPILE || kind == ANOMALY_MEMORY;
}

const char *report_reason(const struct report_bug *b)
{
    return b->is_reduced ? b->bug.because : "";
}

/* Who types them stands in the folder with the program. */
const char *report_typed(const struct report_bug *b, struct arena *a)
{
    struct strbuf out;
    bool run = !report_of_build(b->finding->verdict.anomaly) && *b->way.run;
    int steps = text_lines(b->build, strlen(b->build)) + run;
    const char *between = steps == 2 ? " && " : " &&\n";
    strbuf_init(&out, 0);
    for (const char *at = b->build; *at;) {
        size_t n = strcspn(at, "\n");
        strbuf_addf(&out, "%s%.*s", out.n ? between : "", (int)n, at);
        at += n + (at[n] == '\n');
    }
    if (run)
        strbuf_addf(&out, "%s%s", out.n ? between : "", b->way.run);
    if (out.n)
        strbuf_addc(&out, '\n');
    return strbuf_keep(&out, a);
}

const char *report_unreduced(const struct report_bug *b, struct arena *a)
{
    const struct store_reduction *r = b->bug.first->reduction;
    switch (bug_reduced(&b->bug)) {
    case BUG_HALF_REDUCED:
        return arena_printf(
            a,
            "half reduced: its reduction was started but is not finished; run assay reduce "
            "%" PRId64 " to resume",
            b->finding->id);
    case BUG_NOT_REDUCED:
        return r && *r->why
                   ? arena_printf(a, "not reduced: %s", r->why)
                   : arena_printf(a, "not reduced: run assay reduce %" PRId64, b->finding->id);
    default:
        return "";
    }
}

int64_t report_cpu_limit_s(const struct report_bug *b)
{
    enum anomaly kind = b->finding->verdict.anomaly;
    if (kind == ANOMALY_BUILD_HANG || kind == ANOMALY_SLOW_COMPILE)
        return (b->seen->build.cpu_us + 1999999) / 2000000;
    if (kind == ANOMALY_RUN_HANG)
        return (b->seen->run.cpu_us + 1999999) / 2000000;
    return 0;
}

int64_t report_memory_limit_kb(const struct report_bug *b)
{
    return b->finding->verdict.anomaly == ANOMALY_MEMORY ? b->seen->build.peak_kb / 2 : 0;
}

static const char *cost_seen(const struct report_bug *b, struct arena *a)
{
    const struct observation *o = b->seen;
    if (b->finding->verdict.anomaly == ANOMALY_MEMORY)
        return arena_printf(a, "the build takes %" PRId64 " MiB of memory\n",
                            o->build.peak_kb >> 10);
    return arena_printf(a, "the build takes %.1f s of CPU time\n", (double)o->build.cpu_us / 1e6);
}

const char *report_seen_of(const struct report_bug *b)
{
    return b->seen_original ? " (of the program before reduction)" : "";
}

/* An exit status is told where it is not 0, or where it is all that differs. */
static const char *with_status(const struct report_bug *b, struct bytes bytes, int status,
                               struct arena *a)
{
    const struct observation *o = b->seen;
    const char *output = text_shown(a, bytes);
    bool differs = o->outcome == OUTCOME_OK && b->expected.data &&
                   bytes_equal(o->output, b->expected) && o->exit_status != b->expected_status;
    return (status || differs) && !b->way.ignore_status
               ? arena_printf(a, "%s[exit status %d]\n", output, status)
               : output;
}

const char *report_seen(const struct report_bug *b, struct arena *a)
{
    const struct observation *o = b->seen;
    enum anomaly kind = b->finding->verdict.anomaly;
    if (kind == ANOMALY_SLOW_COMPILE || kind == ANOMALY_MEMORY)
        return cost_seen(b, a);
    if (o->outcome != OUTCOME_OK) {
        size_t n = strlen(o->messages);
        bool ended = n == 0 || o->messages[n - 1] == '\n';
        const char *text = arena_printf(
            a, "%s%s\n%s%s", report_of_build(kind) ? "compiler: " : "program: ", o->detail,
            o->messages, ended ? "" : "\n");
        return text_shown(a, bytes_of(text));
    }
    return with_status(b, o->output, o->exit_status, a);
}

/* The output, where it is known, and the accesses that the program claims. */
static const char *expected_accesses(const struct report_bug *b, struct arena *a)
{
    struct volatile_accesses accesses = {.summary = ""};
    const char *output = text_shown(a, b->expected);
    program_volatile_accesses(&b->reduced, a, &accesses);
    return arena_printf(a, "%s%s%s", output, accesses.summary, *accesses.summary ? "\n" : "");
}

/* What a detector of undefined operations should say of the program, or of its twin. */
static const char *expected_report(const struct report_bug *b, struct arena *a)
{
    struct undefined u;
    if (b->finding->verdict.anomaly == ANOMALY_FALSE_ALARM)
        return "no report of " UNDEFINED_TWIN ", which is valid\n";
    if (!program_undefined(&b->reduced, a, &u))
        return "a report of the undefined operation\n";
    return arena_printf(a, "a report of %s at line %d of " UNDEFINED_FILE "\n", u.rule, u.line);
}

const char *report_expected(const struct report_bug *b, struct arena *a)
{
    enum anomaly kind = b->finding->verdict.anomaly;
    if (kind == ANOMALY_WRONG_VOLATILE)
        return expected_accesses(b, a);
    if (kind == ANOMALY_MISSED || kind == ANOMALY_MISPLACED || kind == ANOMALY_FALSE_ALARM)
        return expected_report(b, a);
    if (kind == ANOMALY_SLOW_COMPILE || kind == ANOMALY_MEMORY)
        return "the build takes about as much as elsewhere\n";
    if (report_of_build(kind) && (!b->expected.size || b->reduced.build_only))
        return "the program is built\n";
    if (!b->expected.data)
        return kind == ANOMALY_RUN_CRASH || kind == ANOMALY_RUN_HANG
                   ? "the program ends by itself\n"
                   : "(not known)\n";
    return report_shown(with_status(b, b->expected, b->expected_status, a));
}

const char *report_shown(const char *text)
{
    return *text ? text : "(nothing)\n";
}

/* -- the table of classes ---------------------------------------------------------------------- */

static void add_class_row(const struct store_testbed *t, int width, struct strbuf *out)
{
    struct store_classes c;
    store_count_classes(t, &c);
    strbuf_addf(out, "%-*s", width, t->name);
    for (int i = 0; i < CLASS_COUNT; i++)
        strbuf_addf(out, " %7lld", (long long)c.of[i]);
    strbuf_addf(out, " %7lld %9lld %9lld\n", (long long)c.other, (long long)c.pass,
                (long long)c.total);
}

/* What filters and other inputs have kept out of the table. */
static void add_not_believed(const struct report_data *d, struct strbuf *out)
{
    for (int i = 0; i < d->n_testbeds; i++) {
        const struct store_testbed *t = &d->testbeds[i];
        if (t->filter)
            strbuf_addf(out, "%s marked %lld programs: built but not run\n", t->name,
                        (long long)store_marked(t));
        if (t->only_inputs)
            strbuf_addf(out, "%s: %lld findings dropped, not reproduced with other inputs\n",
                        t->name, (long long)t->only_inputs);
    }
}

static void add_table(const struct report_data *d, struct strbuf *out)
{
    int width = 24;
    for (int i = 0; i < d->n_testbeds; i++)
        if ((int)strlen(d->testbeds[i].name) > width)
            width = (int)strlen(d->testbeds[i].name);
    strbuf_addf(out, "%-*s", width, "testbed");
    for (int i = 0; i < CLASS_COUNT; i++)
        strbuf_addf(out, " %7s", class_name[i]);
    strbuf_addf(out, " %7s %9s %9s\n", "other", "pass", "total");
    for (int i = 0; i < d->n_testbeds; i++)
        if (!d->testbeds[i].filter)
            add_class_row(&d->testbeds[i], width, out);
    add_not_believed(d, out);
}

void report_table(const struct report_data *d, struct strbuf *out)
{
    struct strbuf table;
    strbuf_init(&table, 0);
    add_table(d, &table);
    text_visible(out, bytes_in(&table));
    strbuf_release(&table);
}
