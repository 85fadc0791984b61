/* The campaign as one HTML file.
 *
 * What a reader wants first comes first: how many bugs, which ones, how the campaign went, then
 * each bug with all that is needed to believe it. Nothing is loaded from anywhere. Text from
 * programs and compilers goes through `safe` or report_highlight, and nothing else reaches the
 * page. */
#include "base/text.h"
#include "report/page.h"
#include "report/report_internal.h"

#include <ctype.h>
#include <inttypes.h>

enum {
    OPEN_BUGS = 5,     /* bugs whose details are open from the start */
    SOURCE_LINES = 80, /* of a program that are shown; reduced ones are shorter */
    OUTPUT_LINES = 40,
};

struct page {
    const struct report_data *d;
    struct strbuf *out;
    struct arena arena;
};

__attribute__((format(printf, 2, 3))) static void put(struct page *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_vaddf(p->out, format, args);
    va_end(args);
}

static const char *safe(struct page *p, const char *s)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    report_markup(&b, s, strlen(s));
    return strbuf_keep(&b, &p->arena);
}

static const char *number(struct page *p, int64_t n)
{
    char text[REPORT_NUMBER_SIZE];
    return arena_strdup(&p->arena, report_number(n, text));
}

static const char *when(struct page *p, int64_t at)
{
    char text[REPORT_TIME_SIZE];
    return at ? arena_strdup(&p->arena, report_time(at, text)) : "–";
}

/* Escaped, with the pieces between separators kept whole where there is room: no line breaks within
 * "-ftree-vrp". */
static const char *whole_words(struct page *p, const char *s, const char *separator)
{
    struct strbuf b;
    size_t n = strlen(separator);
    strbuf_init(&b, 0);
    while (*s) {
        const char *end = strstr(s, separator);
        size_t length = end ? (size_t)(end - s) + n - 1 : strlen(s); /* its last blank is outside */
        strbuf_adds(&b, "<span class=\"nb\">");
        report_markup(&b, s, length);
        strbuf_adds(&b, end ? "</span> " : "</span>");
        s += length + (end != NULL);
    }
    return strbuf_keep(&b, &p->arena);
}

static const char *title_of(struct page *p, const struct report_bug *b)
{
    return whole_words(p, b->title, " ");
}

/* For a figure: seconds do not matter beside hours. */
static const char *duration(struct page *p, int64_t ms)
{
    enum { HOUR = 3600000 };
    char text[32];
    char *result = arena_strdup(&p->arena, text_duration(ms, text));
    if (ms >= HOUR && strrchr(result, ' '))
        *strrchr(result, ' ') = '\0';
    return result;
}

/* -- numbers ----------------------------------------------------------------------------------- */

struct sums {
    int64_t tests, findings, incidents, elapsed_ms, cpu_us, began, ended;
    int open;
};

static struct sums add_up(const struct report_data *d)
{
    struct sums s = {0};
    for (int i = 0; i < d->n_campaigns; i++) {
        const struct store_campaign *c = &d->campaigns[i];
        s.tests += c->tests;
        s.incidents += c->incidents;
        s.elapsed_ms += c->elapsed_ms;
        s.cpu_us += c->generate_us + c->build_us + c->run_us + c->own_us;
        if (!s.began || c->created_at < s.began)
            s.began = c->created_at;
    }
    const struct bug_counts c = report_count(d);
    s.findings = c.findings + c.known_findings + c.fixed_findings;
    s.open = c.open;
    s.ended = d->n_history ? d->history[d->n_history - 1].at : 0;
    return s;
}

static void put_figure(struct page *p, const char *name, const char *value)
{
    put(p, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
}

/* The names of the generators, each once. */
static const char *generators_of(struct page *p)
{
    const char *all = "";
    for (int i = 0; i < p->d->n_campaigns; i++) {
        const char *name = safe(p, p->d->campaigns[i].generator);
        bool told = p->d->campaigns[i].slipped_from != 0;
        for (int k = 0; k < i; k++)
            told |= !strcmp(p->d->campaigns[k].generator, p->d->campaigns[i].generator);
        if (!told)
            all = arena_printf(&p->arena, "%s%s%s", all, *all ? ", " : "", name);
    }
    return all;
}

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static const char *headline(struct page *p)
{
    int n = p->d->n_bugs;
    return n ? arena_printf(&p->arena, "%s bug%s found by assay", number(p, n), plural(n))
             : "No bugs found";
}

static void put_summary(struct page *p, const struct sums *s)
{
    put(p, "<header>\n<h1>%s</h1>\n<p class=\"lead\">", headline(p));
    if (p->d->n_campaigns)
        put(p, "Programs from %s, on %s testbed%s, %s to %s.", generators_of(p),
            number(p, p->d->n_testbeds), plural(p->d->n_testbeds), when(p, s->began),
            when(p, s->ended));
    else
        put(p, "There is no campaign in this folder yet.");
    put(p, "</p>\n<dl class=\"figures\">\n");
    put_figure(p, "bugs", number(p, p->d->n_bugs));
    put_figure(p, "of these open", number(p, s->open));
    put_figure(p, "findings", number(p, s->findings));
    put_figure(p, "tests", number(p, s->tests));
    put_figure(p, "running time", duration(p, s->elapsed_ms));
    put_figure(p, "CPU time", duration(p, s->cpu_us / 1000));
    put(p,
        "</dl>\n<nav aria-label=\"Sections\">%s<a href=\"#campaign\">The campaign</a>"
        "<a href=\"#testbeds\">Testbeds</a>%s<a href=\"#runs\">Runs</a>"
        "<a href=\"#words\">Glossary</a></nav>\n</header>\n",
        p->d->n_bugs ? "<a href=\"#bugs\">Bugs</a>" : "",
        p->d->n_bugs ? "<a href=\"#details\">Each bug</a>" : "");
}

/* -- the list of bugs -------------------------------------------------------------------------- */

/* When it shows, for the colour beside its name. */
static const char *group_of(enum anomaly kind)
{
    if (kind == ANOMALY_SLOW_COMPILE || kind == ANOMALY_MEMORY)
        return "cost";
    return report_of_build(kind) ? "build" : "run";
}

static void put_kind(struct page *p, const struct report_bug *b)
{
    enum anomaly kind = b->finding->verdict.anomaly;
    put(p, "<span class=\"kind %s\">%s</span>", group_of(kind), anomaly_name[kind]);
}

/* The testbeds for the list: some of them where they are many. */
static const char *some_testbeds(struct page *p, const struct report_bug *b)
{
    enum { SHOWN = 4 };
    const char *cut = b->bug.testbeds;
    int n = 1;
    for (const char *at = b->bug.testbeds; (at = strstr(at, ", ")) != NULL; at++)
        if (n++ == SHOWN - 1)
            cut = at;
    if (n <= SHOWN)
        return whole_words(p, b->bug.testbeds, ", ");
    const char *first = arena_memdup(&p->arena, b->bug.testbeds, (size_t)(cut - b->bug.testbeds));
    return arena_printf(&p->arena, "%s and %d more", whole_words(p, first, ", "), n - SHOWN + 1);
}

/* Beside a size that may become smaller. */
static const char *unreduced_mark(const struct report_bug *b)
{
    static const char *const marks[] = {"<span title=\"not reduced\">*</span>",
                                        "<span title=\"half reduced\">~</span>", ""};
    return marks[bug_reduced(&b->bug)];
}

static void put_row(struct page *p, const struct report_bug *b)
{
    put(p, "<tr role=\"row\"%s><td role=\"cell\" class=\"num\" data-v=\"%d\">%d</td>",
        !bug_is_closed(&b->bug) ? "" : " class=\"closed\"", b->number, b->number);
    put(p, "<td role=\"cell\">");
    put_kind(p, b);
    put(p, "</td><td role=\"cell\" class=\"what\"><a href=\"#bug-%d\">%s</a></td>", b->number,
        title_of(p, b));
    put(p, "<td role=\"cell\" class=\"tb\">%s</td>", some_testbeds(p, b));
    put(p, "<td role=\"cell\" class=\"num\" data-label=\"findings:\" data-v=\"%d\">%s</td>",
        b->bug.n_seen, number(p, b->bug.n_seen));
    int lines = program_lines(&b->reduced);
    put(p, "<td role=\"cell\" class=\"num\" data-label=\"lines:\" data-v=\"%d\">%s%s</td>", lines,
        number(p, lines), unreduced_mark(b));
    put(p, "<td role=\"cell\" data-label=\"state:\"><span class=\"mark%s\">%s</span></td></tr>\n",
        !bug_is_closed(&b->bug) ? "" : " closed", mark_name[bug_mark(&b->bug)]);
}

static void put_list(struct page *p)
{
    static const char *const heads[] = {"#",        "kind",  "what", "testbeds",
                                        "findings", "lines", "state"};
    bool whole = true;
    put(p, "<section id=\"bugs\"><h2>Bugs</h2>\n<p class=\"note\">Each bug is the one least "
           "similar to those above it. Known bugs come last.</p>\n");
    if (p->d->n_bugs > 8)
        put(p, "<form id=\"search\" class=\"search\" role=\"search\" hidden><input type=\"search\" "
               "placeholder=\"Search: gcc -O3 wrong\" aria-label=\"Show only bugs with these "
               "words\"><output aria-live=\"polite\"></output></form>\n");
    put(p, "<table class=\"cards\" id=\"bugs-table\" role=\"table\"><thead role=\"rowgroup\"><tr "
           "role=\"row\">");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        put(p, "<th role=\"columnheader\" scope=\"col\"%s>%s</th>",
            i == 0 || i == 4 || i == 5 ? " class=\"num\"" : "", heads[i]);
    put(p, "</tr></thead><tbody role=\"rowgroup\">\n");
    for (int i = 0; i < p->d->n_bugs; i++) {
        put_row(p, &p->d->bugs[i]);
        whole &= bug_reduced(&p->d->bugs[i].bug) == BUG_REDUCED;
    }
    put(p, "</tbody></table>\n%s</section>\n",
        whole ? ""
              : "<p class=\"more\">* not reduced, ~ half reduced: started but not finished</p>\n");
}

/* -- the campaign ------------------------------------------------------------------------------ */

static void begin_figure(struct page *p, const char *name, const char *what)
{
    put(p, "<figure><figcaption>%s<span>%s</span></figcaption>\n", name, what);
}

static void put_campaign(struct page *p)
{
    put(p, "<section id=\"campaign\"><h2>The campaign</h2>\n<div class=\"plots\">\n");
    begin_figure(p, "Tests", "programs tried so far");
    plot_history(p->d, PLOT_TESTS, p->out);
    put(p, "</figure>\n");
    begin_figure(p, "Findings", "a program and a testbed that misbehaved on it");
    plot_history(p->d, PLOT_FINDINGS, p->out);
    put(p, "</figure>\n");
    begin_figure(p, "Signatures", "similar findings counted once");
    plot_history(p->d, PLOT_SIGNATURES, p->out);
    put(p, "</figure>\n");
    begin_figure(p, "CPU time", "by phase");
    plot_cpu(p->d, p->out);
    put(p, "</figure>\n");
    begin_figure(p, "Program sizes", "number of programs by size");
    plot_sizes(p->d, p->out);
    put(p, "</figure>\n");
    begin_figure(p, "Findings by size", "share of programs that found something");
    plot_shares(p->d, p->out);
    put(p, "</figure>\n</div></section>\n");
}

/* -- testbeds ---------------------------------------------------------------------------------- */

static void put_legend(struct page *p)
{
    put(p, "<ul class=\"legend\">");
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        int64_t all = 0;
        for (int k = 0; k < p->d->n_testbeds; k++)
            all += p->d->testbeds[k].outcomes[i];
        if (all)
            put(p, "<li><i class=\"%s\"></i>%s: %s</li>", plot_outcome_class((enum outcome)i),
                outcome_name[i], outcome_help[i]);
    }
    put(p, "</ul>\n");
}

/* "3 build-crash, 1 wrong-output" */
static const char *anomalies_of(struct page *p, const struct store_testbed *t)
{
    const char *text = "";
    for (int i = 1; i < ANOMALY_COUNT; i++)
        if (t->anomalies[i])
            text = arena_printf(&p->arena, "%s%s%s %s", text, *text ? ", " : "",
                                number(p, t->anomalies[i]), anomaly_name[i]);
    return text;
}

static void put_testbed(struct page *p, const struct store_testbed *t)
{
    int64_t tests = 0;
    for (int i = 0; i < OUTCOME_COUNT; i++)
        tests += t->outcomes[i];
    put(p, "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">%s</th>", safe(p, t->name));
    put(p, "<td role=\"cell\" data-label=\"version\">%s</td>",
        *t->version ? safe(p, t->version) : "–");
    put(p,
        "<td role=\"cell\" class=\"num\" data-label=\"tests\">%s</td><td role=\"cell\" "
        "class=\"full\">",
        number(p, tests));
    plot_outcomes(t, p->out);
    put(p, "</td><td role=\"cell\" class=\"full\">%s</td></tr>\n",
        whole_words(p, anomalies_of(p, t), ", "));
}

static void put_class(struct page *p, const char *name, int64_t n)
{
    put(p, "<td role=\"cell\" class=\"num\" data-label=\"%s\">%s</td>", name, number(p, n));
}

/* DeepSmith's table 2. */
static void put_classes(struct page *p)
{
    static const char *const rest[] = {"other", "pass", "total"};
    put(p, "<h3>Anomalies by class</h3>\n<p class=\"note\">bc: build crash, bto: build timeout, "
           "abf: anomalous build failure, arc: anomalous run-time crash, awo: anomalous wrong "
           "output.</p>\n<table class=\"cards\" role=\"table\"><thead role=\"rowgroup\">"
           "<tr role=\"row\"><th role=\"columnheader\" scope=\"col\">testbed</th>");
    for (int i = 0; i < CLASS_COUNT + 3; i++)
        put(p, "<th role=\"columnheader\" scope=\"col\" class=\"num\">%s</th>",
            i < CLASS_COUNT ? class_name[i] : rest[i - CLASS_COUNT]);
    put(p, "</tr></thead><tbody role=\"rowgroup\">\n");
    for (int i = 0; i < p->d->n_testbeds; i++) {
        struct store_classes c;
        const struct store_testbed *t = &p->d->testbeds[i];
        if (t->filter)
            continue;
        store_count_classes(t, &c);
        put(p, "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">%s</th>", safe(p, t->name));
        for (int k = 0; k < CLASS_COUNT; k++)
            put_class(p, class_name[k], c.of[k]);
        put_class(p, rest[0], c.other);
        put_class(p, rest[1], c.pass);
        put_class(p, rest[2], c.total);
        put(p, "</tr>\n");
    }
    put(p, "</tbody></table>");
}

static void put_testbeds(struct page *p)
{
    put(p, "<section id=\"testbeds\"><h2>Testbeds</h2>\n");
    if (!p->d->n_testbeds) {
        put(p, "<p class=\"note\">None has been tried yet.</p></section>\n");
        return;
    }
    put(p, "<p class=\"note\">The outcomes of the tests on each testbed. Rare outcomes are drawn "
           "slightly wider than to scale.</p>\n");
    put_legend(p);
    put(p, "<table class=\"cards\" role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">"
           "<th role=\"columnheader\" scope=\"col\">testbed</th>"
           "<th role=\"columnheader\" scope=\"col\">version</th>"
           "<th role=\"columnheader\" scope=\"col\" class=\"num\">tests</th>"
           "<th role=\"columnheader\" scope=\"col\" class=\"share\">outcomes<span class=\"ticks\">"
           "<span>0</span><span>50 %%</span><span>100 %%</span></span></th>"
           "<th role=\"columnheader\" scope=\"col\">anomalies</th></tr></thead>"
           "<tbody role=\"rowgroup\">\n");
    for (int i = 0; i < p->d->n_testbeds; i++)
        put_testbed(p, &p->d->testbeds[i]);
    put(p, "</tbody></table>\n");
    put_classes(p);
    put(p, "</section>\n");
}

/* -- one bug ----------------------------------------------------------------------------------- */

static void put_fact(struct page *p, const char *name, const char *value)
{
    if (*value)
        put(p, "<dt>%s</dt><dd>%s</dd>\n", name, safe(p, value));
}

static void put_versions(struct page *p, const struct store_blame *b)
{
    if (!b)
        return;
    if (*b->pass)
        put(p, "<dt>blamed on</dt><dd><code>%s</code>%s%s</dd>\n", safe(p, b->pass),
            *b->detail ? ": " : "", safe(p, b->detail));
    put_fact(p, "first bad", b->first_bad);
    put_fact(p, "last good", b->last_good);
    put_fact(p, "last bad", b->last_bad);
    put_fact(p, "right again", b->next_good);
}

static const char *size_of(struct page *p, const struct program *program)
{
    int lines = program_lines(program);
    return arena_printf(&p->arena, "%s bytes in %s line%s",
                        number(p, (int64_t)program_size(program)), number(p, lines), plural(lines));
}

static const char *reduction_of(struct page *p, const struct report_bug *b)
{
    char text[32];
    if (!b->is_reduced)
        return size_of(p, &b->reduced);
    const char *size =
        arena_printf(&p->arena, "%s, from %s", size_of(p, &b->reduced), size_of(p, &b->original));
    if (!b->bug.first->reduction)
        return size;
    return arena_printf(&p->arena, "%s; %s tests in %s", size,
                        number(p, b->bug.first->reduction->tests),
                        text_duration(b->bug.first->reduction->wall_ms, text));
}

static void put_facts(struct page *p, const struct report_bug *b)
{
    const struct finding *f = b->finding;
    const struct provenance *made = &b->original.made;
    const struct store_testbed *t = b->bug.first->testbed;
    put(p, "<dl class=\"facts\">\n");
    put_fact(p, "compiler",
             arena_printf(&p->arena, "%s %s (%s)", t->toolchain, t->version, t->path));
    if (*b->flags)
        put(p, "<dt>flags</dt><dd>%s</dd>\n", whole_words(p, b->flags, " "));
    put(p, "<dt>testbeds</dt><dd>%s</dd>\n", whole_words(p, b->bug.testbeds, ", "));
    put_versions(p, b->bug.first->blame);
    put_fact(p, "signature", f->signature);
    put_fact(p, "same bug because", b->bug.n_members > 1 ? b->bug.because : "");
    put_fact(p, "evidence",
             arena_printf(&p->arena, "%s, confidence %.0f %%; seen %d of %d times",
                          evidence_name[f->verdict.evidence], f->verdict.confidence * 100, f->seen,
                          f->tried));
    put_fact(p, "findings",
             arena_printf(&p->arena, "%s, %s to %s", number(p, b->bug.n_seen),
                          when(p, b->bug.first_at), when(p, b->bug.last_at)));
    put_fact(p, "program", reduction_of(p, b));
    put_fact(
        p, "made by",
        arena_printf(&p->arena, "%s %s, seed %" PRIu64, made->generator, made->version, f->seed));
    if (bug_mark(&b->bug))
        put_fact(p, "marked",
                 arena_printf(&p->arena, "%s%s%s", mark_name[bug_mark(&b->bug)],
                              *bug_note(&b->bug) ? ": " : "", bug_note(&b->bug)));
    put(p, "</dl>\n");
}

static void put_source(struct page *p, const struct report_bug *b)
{
    put(p, "<div>");
    for (int i = 0; i < b->reduced.n_files; i++) {
        const struct program_file *f = &b->reduced.files[i];
        put(p, "<h4>%s%s</h4><pre class=\"source\" tabindex=\"0\"><code>", safe(p, f->name),
            b->is_reduced ? ", reduced" : "");
        int left = report_highlight(p->out, b->reduced.language, f->text, f->size, SOURCE_LINES);
        put(p, "</code></pre>\n");
        if (left)
            put(p,
                "<p class=\"more\">and %s more lines: <code>assay show %" PRId64
                " -o DIR</code> writes all of it</p>\n",
                number(p, left), b->finding->id);
    }
    put(p, "</div>\n");
}

/* A text line by line; those that differ from the line of the same number in `other` are marked. */
static void put_output(struct page *p, const char *name, const char *text, const char *other)
{
    int lines = 0;
    put(p, "<div><h4>%s</h4><pre class=\"wrap\" tabindex=\"0\">", name);
    while (*text && lines++ < OUTPUT_LINES) {
        size_t n = strcspn(text, "\n"), m = other ? strcspn(other, "\n") : 0;
        bool differs = other && (n != m || memcmp(text, other, n) != 0);
        if (differs)
            put(p, "<span class=\"diff\">");
        report_markup(p->out, text, n);
        put(p, "%s\n", differs ? "</span>" : "");
        text += n + (text[n] == '\n');
        if (other)
            other += m + (other[m] == '\n');
    }
    put(p, "%s</pre></div>\n", *text ? "…" : "");
}

static void put_outputs(struct page *p, const struct report_bug *b)
{
    const char *expected = report_expected(b, &p->arena), *seen = report_seen(b, &p->arena);
    bool compare = b->seen->outcome == OUTCOME_OK && b->expected.data &&
                   !report_of_build(b->finding->verdict.anomaly);
    put(p, "<div class=\"two\">\n");
    put_output(p, "expected", expected, NULL);
    put_output(p, arena_printf(&p->arena, "seen%s", report_seen_of(b)), report_shown(seen),
               compare && !b->seen_original ? expected : NULL);
    put(p, "</div>\n");
}

/* A link to a file in the folder of the bug; "": to the folder. What may not stand in a path is
 * written as %XX. */
static const char *link_to(struct page *p, const struct report_bug *b, const char *file,
                           const char *text)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    for (const char *at = p->d->folders; *at; at++)
        if (isalnum((unsigned char)*at) || strchr("-._~/", *at))
            strbuf_addc(&out, *at);
        else
            strbuf_addf(&out, "%%%02X", (unsigned char)*at);
    return arena_printf(&p->arena, "<a href=\"%s/%s/%s\">%s</a>", strbuf_keep(&out, &p->arena),
                        safe(p, b->bug.name), file, text);
}

static void put_reproduction(struct page *p, const struct report_bug *b)
{
    put(p,
        "<div><h4>how to reproduce</h4><pre class=\"wrap\" tabindex=\"0\">%s</pre><p "
        "class=\"more\">",
        safe(p, report_typed(b, &p->arena)));
    if (p->d->folders)
        put(p, "The files: %s, %s, %s; ", link_to(p, b, "", "folder"),
            link_to(p, b, "repro.sh", "repro.sh"), link_to(p, b, "report.md", "report.md"));
    put(p, "<code>assay replay %" PRId64 "</code> in the folder of the campaign%s.</p></div>\n",
        b->finding->id,
        p->d->folders ? ""
                      : "; <code>assay report --bugs DIR</code> writes a folder with a script");
}

static void put_bug(struct page *p, const struct report_bug *b)
{
    put(p, "<article class=\"bug\" id=\"bug-%d\"><details%s><summary><h3><b>%d</b>%s</h3>",
        b->number, b->number <= OPEN_BUGS ? " open" : "", b->number, title_of(p, b));
    put_kind(p, b);
    if (bug_mark(&b->bug))
        put(p, "<span class=\"mark\">%s</span>", mark_name[bug_mark(&b->bug)]);
    put(p, "</summary>\n");
    const char *unreduced = report_unreduced(b, &p->arena);
    if (*unreduced)
        put(p, "<p class=\"note\"><b>This program is %s.</b></p>\n", safe(p, unreduced));
    put(p, "<div class=\"two wide\">\n");
    put_facts(p, b);
    put(p, "<div class=\"body\">\n");
    put_source(p, b);
    put_outputs(p, b);
    put_reproduction(p, b);
    put(p, "</div></div>\n");
    put(p, "</details></article>\n");
}

/* -- runs -------------------------------------------------------------------------------------- */

static void put_runs(struct page *p)
{
    char text[32];
    put(p, "<section id=\"runs\"><h2>Runs</h2>\n");
    if (p->d->n_campaigns)
        put(p, "<table class=\"cards\" role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">"
               "<th role=\"columnheader\" scope=\"col\">generator</th>"
               "<th role=\"columnheader\" scope=\"col\">started</th>"
               "<th role=\"columnheader\" scope=\"col\" class=\"num\">first seed</th>"
               "<th role=\"columnheader\" scope=\"col\" class=\"num\">tests</th>"
               "<th role=\"columnheader\" scope=\"col\" class=\"num\">findings</th>"
               "<th role=\"columnheader\" scope=\"col\" class=\"num\">incidents</th>"
               "<th role=\"columnheader\" scope=\"col\" class=\"num\">time</th></tr></thead>"
               "<tbody role=\"rowgroup\">\n");
    for (int i = 0; i < p->d->n_campaigns; i++) {
        const struct store_campaign *c = &p->d->campaigns[i];
        if (c->slipped_from) /* never run */
            continue;
        put(p,
            "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">%s</th>"
            "<td role=\"cell\" data-label=\"started\">%s</td>",
            safe(p, c->generator), when(p, c->created_at));
        put(p, "<td role=\"cell\" class=\"num\" data-label=\"first seed\">%" PRIu64 "</td>",
            c->first_seed);
        put(p, "<td role=\"cell\" class=\"num\" data-label=\"tests\">%s</td>", number(p, c->tests));
        put(p, "<td role=\"cell\" class=\"num\" data-label=\"findings\">%s</td>",
            number(p, c->findings));
        put(p, "<td role=\"cell\" class=\"num\" data-label=\"incidents\">%s</td>",
            number(p, c->incidents));
        put(p, "<td role=\"cell\" class=\"num\" data-label=\"time\">%s</td></tr>\n",
            text_duration(c->elapsed_ms, text));
    }
    put(p, p->d->n_campaigns ? "</tbody></table></section>\n"
                             : "<p class=\"note\">None yet.</p></section>\n");
}

/* -- the machine, and what the words mean ------------------------------------------------------ */

static void put_system(struct page *p)
{
    const struct report_system *s = &p->d->system;
    const struct {
        const char *name, *value;
    } facts[] = {{"system", s->distribution},
                 {"kernel", s->kernel},
                 {"processor", s->processor},
                 {"memory", s->memory}};
    if (!s->kernel)
        return;
    put(p, "<section id=\"machine\"><h2>The machine</h2>\n<p class=\"note\">The machine on which "
           "this report was made.</p>\n<dl class=\"facts\">\n");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        put_fact(p, facts[i].name, facts[i].value ? facts[i].value : "");
    put(p, "</dl></section>\n");
}

static void put_vocabulary(struct page *p, const char *what, const char *const *names,
                           const char *const *help, int from, int n)
{
    put(p, "<h3>%s</h3>\n<dl class=\"facts\">\n", what);
    for (int i = from; i < n; i++)
        put_fact(p, names[i], help[i]);
    put(p, "</dl>\n");
}

static void put_words(struct page *p)
{
    static const char *const state_help[] = {FINDING_STATES(WORD_HELP)};
    static const char *const evidence_help[] = {EVIDENCES(WORD_HELP)};
    static const char *const mark_help[] = {MARKS(WORD_HELP)};
    static const char *const names[] = {"finding", "bug", "confidence", "not reduced",
                                        "half reduced"};
    static const char *const help[] = {
        "one program on which one testbed misbehaved", "findings that probably have the same cause",
        ("the share of the voters that agree; 100 % where the correct output is known or the "
         "result "
         "is wrong by itself"),
        "the program as it was generated: most of it is unrelated to the bug",
        "its reduction was started but is not finished"};
    put(p, "<section id=\"words\"><h2>Glossary</h2>\n<details>"
           "<summary>Kinds, evidence, states</summary>\n");
    put_vocabulary(p, "Words", names, help, 0, sizeof names / sizeof *names);
    put_vocabulary(p, "Kinds of bugs", anomaly_name, anomaly_help, 1, ANOMALY_COUNT);
    put_vocabulary(p, "Evidence", evidence_name, evidence_help, 1, EVIDENCE_COUNT);
    put_vocabulary(p, "States of a finding", finding_state_name, state_help, 0,
                   FINDING_STATE_COUNT);
    put_vocabulary(p, "Marks of a bug", mark_name, mark_help, 0, MARK_COUNT);
    put(p, "</details></section>\n");
}

void report_html(const struct report_data *d, struct strbuf *out)
{
    struct page p = {.d = d, .out = out};
    arena_init(&p.arena);
    struct sums s = add_up(d);
    put(&p,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'; img-src data:; script-src '%s'; base-uri 'none'; form-action "
        "'none'\">\n<link rel=\"icon\" href=\"data:,\">\n",
        report_script_hash);
    put(&p, "<title>assay: %s</title>\n<style>\n%s</style>\n</head>\n<body>\n", headline(&p),
        report_style);
    put_summary(&p, &s);
    put(&p, "<main>\n");
    if (d->n_bugs)
        put_list(&p);
    put_campaign(&p);
    put_testbeds(&p);
    if (d->n_bugs)
        put(&p, "<section id=\"details\"><h2>Each bug</h2>\n");
    for (int i = 0; i < d->n_bugs; i++)
        put_bug(&p, &d->bugs[i]);
    if (d->n_bugs)
        put(&p, "</section>\n");
    put_runs(&p);
    put_system(&p);
    put_words(&p);
    put(&p, "</main>\n<footer>Made by assay %s from the campaign in <code>%s</code>.</footer>\n",
        ASSAY_VERSION, safe(&p, d->dir));
    put(&p, "<script>%s</script>\n</body>\n</html>\n", report_script);
    arena_release(&p.arena);
}
