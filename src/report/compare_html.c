/* An experiment as one HTML file, in the style of the report: what was compared, how it went over
 * CPU time, what can be said of it, and on what it was done. */
#include "base/text.h"
#include "report/compare.h"
#include "report/page.h"
#include "report/report_internal.h"

#include <inttypes.h>

/* Beside the three colours that the report has for curves. Dashes tell those apart that are alike.
 */
static const char side_style[] =
    ".curve3,.curve4,.curve5,.curve6,.curve7{fill:none;stroke-width:2;stroke-linejoin:round}\n"
    ".area3,.area4,.area5,.area6,.area7{opacity:.13;stroke:none}\n"
    ".curve3{stroke:var(--purple)}.area3{fill:var(--purple)}"
    ".curve4{stroke:var(--orange);stroke-dasharray:7 3}.area4{fill:var(--orange)}"
    ".curve5{stroke:var(--sky);stroke-dasharray:2 3}.area5{fill:var(--sky)}"
    ".curve6{stroke:var(--muted);stroke-dasharray:7 3 2 3}.area6{fill:var(--muted)}"
    ".curve7{stroke:var(--text);stroke-dasharray:1 4}.area7{fill:var(--text)}\n"
    ".keys svg{width:26px;height:10px;margin-right:.5rem;overflow:visible}\n";

static void add_safe(struct strbuf *out, const char *s)
{
    report_markup(out, s, strlen(s));
}

static void add_heads(struct strbuf *out, const char *const *heads, int n, int first_number)
{
    strbuf_adds(out,
                "<table class=\"cards\" role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">");
    for (int i = 0; i < n; i++)
        strbuf_addf(out, "<th role=\"columnheader\" scope=\"col\"%s>%s</th>",
                    i >= first_number ? " class=\"num\"" : "", heads[i]);
    strbuf_adds(out, "</tr></thead><tbody role=\"rowgroup\">\n");
}

static void add_head_of_row(struct strbuf *out, const char *text)
{
    strbuf_adds(out, "<tr role=\"row\"><th role=\"rowheader\" scope=\"row\">");
    add_safe(out, text);
    strbuf_adds(out, "</th>");
}

static void add_cell(struct strbuf *out, const char *label, const char *text)
{
    strbuf_addf(out, "<td role=\"cell\" data-label=\"%s\">", label);
    add_safe(out, text);
    strbuf_adds(out, "</td>");
}

__attribute__((format(printf, 3, 4))) static void add_number(struct strbuf *out, const char *label,
                                                             const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_addf(out, "<td role=\"cell\" class=\"num\" data-label=\"%s\">", label);
    strbuf_vaddf(out, format, args);
    strbuf_adds(out, "</td>");
    va_end(args);
}

static void end_table(struct strbuf *out)
{
    strbuf_adds(out, "</tbody></table>\n");
}

/* -- sections ---------------------------------------------------------------------------------- */

static void add_sides(const struct compare_data *d, struct strbuf *out)
{
    static const char *const heads[] = {"side", "generator", "made by",
                                        "bugs", "findings",  "tests"};
    strbuf_adds(out,
                "<section id=\"sides\"><h2>Sides</h2>\n<p class=\"note\">Medians of the trials, "
                "each with its 95 % bootstrap interval. ");
    add_safe(out, compare_told_apart(d));
    strbuf_adds(out, "</p>\n");
    add_heads(out, heads, 6, 3);
    for (int i = 0; i < d->n_sides; i++) {
        const struct compare_side *s = &d->sides[i];
        const char letter[] = {s->letter, '\0'};
        add_head_of_row(out, letter);
        add_cell(out, "generator", s->text);
        add_cell(out, "made by", s->made_by);
        for (int m = 0; m < COMPARE_MEASURE_COUNT; m++)
            add_number(out, compare_measure_name[m], "%.10g [%.10g, %.10g]", s->of[m].median,
                       s->of[m].interval.low, s->of[m].interval.high);
        strbuf_adds(out, "</tr>\n");
    }
    end_table(out);
    strbuf_adds(out, "</section>\n");
}

static void add_keys(const struct compare_data *d, struct strbuf *out)
{
    strbuf_adds(out, "<ul class=\"legend keys\">");
    for (int i = 0; i < d->n_sides; i++) {
        strbuf_addf(out,
                    "<li><svg viewBox=\"0 0 26 10\" aria-hidden=\"true\"><path class=\"curve%d\" "
                    "d=\"M0 5L26 5\"/></svg>%c: ",
                    i, d->sides[i].letter);
        add_safe(out, d->sides[i].text);
        strbuf_adds(out, "</li>");
    }
    strbuf_adds(out, "</ul>\n");
}

static void add_plots(const struct compare_data *d, struct strbuf *out)
{
    static const struct {
        enum compare_measure measure;
        const char *name, *what;
    } plots[] = {{COMPARE_BUGS, "Bugs", "distinct bugs over CPU time"},
                 {COMPARE_TESTS, "Tests", "programs tried over CPU time"},
                 {COMPARE_FINDINGS, "Findings", "confirmed findings over CPU time"}};
    strbuf_adds(out, "<section id=\"plots\"><h2>Over CPU time</h2>\n");
    add_keys(d, out);
    strbuf_adds(out, "<div class=\"plots\">\n");
    for (size_t i = 0; i < sizeof plots / sizeof *plots; i++) {
        strbuf_addf(out, "<figure><figcaption>%s<span>%s</span></figcaption>\n", plots[i].name,
                    plots[i].what);
        plot_sides(d, (int)plots[i].measure, out);
        strbuf_adds(out, "</figure>\n");
    }
    strbuf_adds(out, "</div></section>\n");
}

static void add_pairs(const struct compare_data *d, struct strbuf *out)
{
    static const char *const heads[] = {"pair", "measure", "effect", "U", "p", "A12"};
    char p[COMPARE_P_SIZE], effect[COMPARE_EFFECT_SIZE], who[32];
    strbuf_adds(out,
                "<section id=\"pairs\"><h2>Pairs</h2>\n<p class=\"note\">p: two-sided Mann-Whitney "
                "U test, each line alone (* normal distribution with corrections for ties and "
                "continuity, else exact). A12: how often a trial of the first side has more than "
                "one of the second; 0.5 is no difference.</p>\n");
    add_heads(out, heads, 6, 3);
    for (int i = 0; i < d->n_pairs; i++) {
        const struct compare_pair *pair = &d->pairs[i];
        for (int m = 0; m < COMPARE_MEASURE_COUNT; m++) {
            snprintf(who, sizeof who, "%c over %c", d->sides[pair->x].letter,
                     d->sides[pair->y].letter);
            add_head_of_row(out, who);
            add_cell(out, "measure", compare_measure_name[m]);
            add_cell(out, "effect", compare_effect(d, pair, (enum compare_measure)m, effect));
            add_number(out, "U", "%.10g", pair->test[m].u);
            add_number(out, "p", "%s%s",
                       pair->test[m].p < 0.0001 ? "&lt;0.0001" : compare_p(pair->test[m].p, p),
                       pair->test[m].exact ? "" : "*");
            add_number(out, "A12", "%.3f", pair->a12[m]);
            strbuf_adds(out, "</tr>\n");
        }
    }
    end_table(out);
    strbuf_adds(out, "</section>\n");
}

static void add_only(const struct compare_data *d, struct strbuf *out)
{
    static const char *const heads[] = {"side", "signature", "trials"};
    strbuf_adds(out, "<section id=\"only\"><h2>Found by one side only</h2>\n<p class=\"note\">"
                     "Signatures over all trials. A wrong result has the testbed for its "
                     "signature, which many bugs may share.</p>\n");
    add_heads(out, heads, 3, 2);
    for (int i = 0; i < d->n_sides; i++) {
        const char letter[] = {d->sides[i].letter, '\0'};
        for (int k = 0; k < d->sides[i].n_only; k++) {
            add_head_of_row(out, letter);
            add_cell(out, "signature", d->sides[i].only[k].text);
            add_number(out, "trials", "%d of %d", d->sides[i].only[k].trials, d->n_trials);
            strbuf_adds(out, "</tr>\n");
        }
    }
    end_table(out);
    strbuf_adds(out, "</section>\n");
}

static void add_setup(const struct compare_data *d, struct strbuf *out)
{
    static const char *const heads[] = {"testbed", "version"};
    strbuf_adds(out, "<section id=\"setup\"><h2>Testbeds and machine</h2>\n<p class=\"note\">");
    add_safe(out, d->machine);
    strbuf_adds(out, "</p>\n");
    add_heads(out, heads, 2, 2);
    for (int i = 0; i < d->n_testbeds; i++) {
        add_head_of_row(out, d->testbeds[i].name);
        add_cell(out, "version", *d->testbeds[i].version ? d->testbeds[i].version : "–");
        strbuf_adds(out, "</tr>\n");
    }
    end_table(out);
    strbuf_adds(out, "</section>\n");
}

void compare_html(const struct compare_data *d, struct strbuf *out)
{
    char time[32];
    strbuf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action "
                     "'none'\">\n<link rel=\"icon\" href=\"data:,\">\n"
                     "<title>assay: an experiment</title>\n<style>\n");
    strbuf_adds(out, report_style);
    strbuf_adds(out, side_style);
    strbuf_addf(out,
                "</style>\n</head>\n<body>\n<header>\n<h1>%d sides compared by assay</h1>\n"
                "<p class=\"lead\">%d trial%s each of %s CPU time, seeds from %" PRIu64
                ".</p>\n</header>\n<main>\n",
                d->n_sides, d->n_trials, d->n_trials == 1 ? "" : "s",
                text_duration((int64_t)(d->cpu_s * 1000), time), d->seed);
    add_sides(d, out);
    add_plots(d, out);
    add_pairs(d, out);
    add_only(d, out);
    add_setup(d, out);
    strbuf_addf(out, "</main>\n<footer>Made by assay %s.</footer>\n</body>\n</html>\n",
                ASSAY_VERSION);
}
