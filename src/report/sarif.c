/* SARIF 2.1.0 (OASIS): one result per bug.
 *
 * The rules are the kinds of anomalies. SARIF is made for warnings about source files; here the
 * file is the program that shows the bug, embedded in the log, and what is wrong is the compiler,
 * named in the message. People's marks become suppressions; the name of the bug is its fingerprint,
 * so that a service recognises it in the next log. What GitHub's code scanning asks for beyond the
 * schema is there: descriptions and help of rules, a default level, relative locations, a category
 * (automationDetails). */
#include "base/json.h"
#include "report/report_internal.h"

#include <ctype.h>

/* A relative URI: what may not stand in a path is written as %XX (RFC 3986, 3.3). */
static struct json *uri(const struct report_bug *b, const char *file)
{
    struct strbuf path;
    strbuf_init(&path, 0);
    strbuf_addf(&path, "bugs/%s/reduced/", b->bug.name);
    for (const unsigned char *at = (const unsigned char *)file; *at; at++)
        if (isalnum(*at) || strchr("-._~+", *at))
            strbuf_addc(&path, (char)*at);
        else
            strbuf_addf(&path, "%%%02X", *at);
    struct json *j = json_new("s", path.s);
    strbuf_release(&path);
    return j;
}

/* 3.3.3: bytes that are no text are told in base64. They stand beside the text, for viewers that
 * show nothing else. */
static struct json *contents(const struct program_file *f)
{
    struct json *j = json_new("{s:Y}", "text", program_bytes(f));
    if (!text_is_utf8(program_bytes(f)))
        json_extend(j, "{s:B}", "binary", program_bytes(f));
    return j;
}

static struct json *artifact(const struct report_bug *b, const struct program_file *f)
{
    return json_new("{s:{s:o},s:o,s:s,s:I,s:[s]}", "location", "uri", uri(b, f->name), "contents",
                    contents(f), "sourceLanguage", b->reduced.language, "length", (int64_t)f->size,
                    "roles", "analysisTarget");
}

static struct json *message(const struct report_bug *b, struct arena *a)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    strbuf_addf(&text, "%s\n%s %s: %s\n", b->title, b->bug.first->testbed->toolchain,
                b->bug.first->testbed->version, anomaly_help[b->finding->verdict.anomaly]);
    const char *unreduced = report_unreduced(b, a);
    if (*unreduced)
        strbuf_addf(&text, "The program is %s.\n", unreduced);
    strbuf_adds(&text, report_typed(b, a));
    strbuf_addf(&text, "expected: %s", report_expected(b, a));
    if (text.s[text.n - 1] != '\n')
        strbuf_addc(&text, '\n');
    strbuf_addf(&text, "seen%s: %s", report_seen_of(b), report_shown(report_seen(b, a)));
    struct json *j = json_new("{s:Y}", "text", bytes_in(&text));
    strbuf_release(&text);
    return j;
}

/* What the tool is sure of is an error; what it only suspects is a warning. */
static const char *level_of(enum anomaly kind)
{
    return anomaly_is_of_group(kind) || kind == ANOMALY_SLOW_COMPILE || kind == ANOMALY_MEMORY
               ? "warning"
               : "error";
}

static const char *level(const struct report_bug *b)
{
    return b->finding->state == FINDING_FLAKY ? "warning" : level_of(b->finding->verdict.anomaly);
}

static struct json *result(const struct report_bug *b, int first_artifact, struct arena *a)
{
    const struct finding *f = b->finding;
    struct json *locations = json_new("[]");
    if (b->reduced.n_files)
        json_append(locations, "{s:{s:{s:o,s:i},s:{s:i}}}", "physicalLocation", "artifactLocation",
                    "uri", uri(b, b->reduced.files[0].name), "index", first_artifact, "region",
                    "startLine", 1);
    struct json *j =
        json_new("{s:s,s:i,s:s,s:s,s:o,s:o,s:{s:s},s:I,s:{s:s,s:s,s:s,s:s,s:I}}", "ruleId",
                 anomaly_name[f->verdict.anomaly], "ruleIndex", (int)f->verdict.anomaly - 1, "kind",
                 "fail", "level", level(b), "message", message(b, a), "locations", locations,
                 "partialFingerprints", "assayBug/v1", b->bug.name, "occurrenceCount",
                 (int64_t)b->bug.n_members, "properties", "testbeds", b->bug.testbeds, "flags",
                 b->flags, "blame", b->bug.first->blame ? b->bug.first->blame->pass : "", "mark",
                 mark_name[bug_mark(&b->bug)], "finding", (int64_t)f->id);
    if (bug_is_closed(&b->bug))
        json_extend(
            j, "{s:[{s:s,s:Y}]}", "suppressions", "kind", "external", "justification",
            bytes_of(arena_printf(a, "%s: %s", mark_name[bug_mark(&b->bug)], bug_note(&b->bug))));
    return j;
}

/* What a rule says at length: when a program shows it, and why that is the compiler's fault. */
static const char *const at_length[ANOMALY_COUNT] = {
    [ANOMALY_BUILD_CRASH] = "The compiler was killed by a signal or reported an internal error. No "
                            "input should cause that.",
    [ANOMALY_BUILD_HANG] = "The compiler exceeded its limit of CPU time.",
    [ANOMALY_BUILD_FAIL] = "The compiler rejects a valid program.",
    [ANOMALY_RUN_CRASH] = "The compiled program crashes, although its behaviour is defined and it "
                          "should terminate normally.",
    [ANOMALY_RUN_HANG] = "The compiled program does not terminate, although its behaviour is "
                         "defined and it should.",
    [ANOMALY_WRONG_OUTPUT] =
        "The compiled program prints the wrong output or exits with the wrong status.",
    [ANOMALY_WRONG_VOLATILE] = "The compiled program accesses volatile objects more often, less "
                               "often or in another order than the source says.",
    [ANOMALY_SLOW_COMPILE] = "The compiler takes many times the CPU time that others take.",
    [ANOMALY_MEMORY] = "The compiler takes many times the memory that others take.",
    [ANOMALY_DISAGREEMENT] = "The outputs of different compilers differ, and there is no majority: "
                             "at least one is wrong, but it is not known which.",
    [ANOMALY_MISSED] = "The program executes an undefined operation that this tool detects, and it "
                       "reports nothing.",
    [ANOMALY_FALSE_ALARM] = "The tool reports an undefined operation in a program that has none.",
    [ANOMALY_MISPLACED] = "The tool reports the undefined operation at another line, or reports "
                          "something else.",
    [ANOMALY_SUSPECT] = "All compilers, or all but one, do the same, and not what the reference "
                        "interpreter expects: either it is wrong, or all of them are.",
};

static const char *const what_to_do =
    "The folder of the bug contains the program, repro.sh, which checks whether a compiler has the "
    "bug, and report.md, the text for the compiler's bug tracker.";

static struct json *rules(struct arena *a)
{
    struct json *all = json_new("[]");
    for (int i = 1; i < ANOMALY_COUNT; i++) {
        const char *level = level_of((enum anomaly)i);
        const char *text = arena_printf(a, "%s %s", at_length[i], what_to_do);
        const char *markdown =
            arena_printf(a, "**%s**: %s\n\n%s", anomaly_name[i], at_length[i], what_to_do);
        json_append(all, "{s:s,s:s,s:{s:s},s:{s:s},s:{s:s,s:s},s:{s:s},s:{s:[s,s],s:s,s:s}}", "id",
                    anomaly_name[i], "name", anomaly_name[i], "shortDescription", "text",
                    anomaly_help[i], "fullDescription", "text", at_length[i], "help", "text", text,
                    "markdown", markdown, "defaultConfiguration", "level", level, "properties",
                    "tags", "compiler", "correctness", "precision", "very-high", "problem.severity",
                    level);
    }
    return all;
}

void report_sarif(const struct report_data *d, struct strbuf *out)
{
    struct arena a;
    struct json *artifacts = json_new("[]"), *results = json_new("[]");
    int n_artifacts = 0;
    arena_init(&a);
    for (int i = 0; i < d->n_bugs; i++) {
        const struct report_bug *b = &d->bugs[i];
        json_append(results, "o", result(b, n_artifacts, &a));
        n_artifacts += b->reduced.n_files;
        for (int k = 0; k < b->reduced.n_files; k++)
            json_append(artifacts, "o", artifact(b, &b->reduced.files[k]));
    }
    struct json *all =
        json_new("{s:s,s:s,s:[{s:{s:{s:s,s:s,s:s,s:o}},s:{s:s},s:s,s:o,s:o}]}", "$schema",
                 "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs",
                 "tool", "driver", "name", "assay", "version", ASSAY_VERSION, "semanticVersion",
                 ASSAY_VERSION, "rules", rules(&a), "automationDetails", "id", "assay/",
                 "columnKind", "utf16CodeUnits", "artifacts", artifacts, "results", results);
    json_write(all, false, out);
    arena_release(&a);
}
