/* The plots of the HTML report, as inline SVG.
 *
 * Small multiples: one quantity per plot, all of one width, so that no axis has two meanings and a
 * plot is as readable on a telephone as on a screen, where three stand side by side. Each is an
 * image to a screen reader, with a title that says in words what it shows. Texts are at least 11
 * pixels high. Colours are classes that the page defines for light and dark. */
#include "base/text.h"
#include "report/compare.h"
#include "report/report_internal.h"

#include <inttypes.h>
#include <math.h>

struct frame { /* where the data are drawn, in pixels, and what the axes go up to */
    double left, top, width, height;
    double most_x, most_y;
    struct strbuf *out;
};

enum { HEIGHT = 190, LEFT = 46, RIGHT = 12, TOP = 12, BOTTOM = 40 };

static struct frame begin(struct strbuf *out, double most_x, double most_y)
{
    return (struct frame){.left = LEFT,
                          .top = TOP,
                          .width = PLOT_WIDTH - LEFT - RIGHT,
                          .height = HEIGHT - TOP - BOTTOM,
                          .most_x = most_x,
                          .most_y = most_y,
                          .out = out};
}

static void open_svg(struct strbuf *out, int height, const char *title)
{
    strbuf_addf(out, "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\"><title>", PLOT_WIDTH,
                height);
    report_markup(out, title, strlen(title));
    strbuf_adds(out, "</title>\n");
}

static double x_of(const struct frame *f, double x)
{
    return f->left + f->width * x / f->most_x;
}

static double y_of(const struct frame *f, double y)
{
    return f->top + f->height * (1 - y / f->most_y);
}

__attribute__((format(printf, 5, 6))) static void label(struct strbuf *out, double x, double y,
                                                        const char *anchor, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    strbuf_vaddf(out, format, args);
    strbuf_adds(out, "</text>\n");
    va_end(args);
}

static void rule(struct strbuf *out, const char *class, double x1, double y1, double x2, double y2)
{
    strbuf_addf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                class, x1, y1, x2, y2);
}

static void bar(struct strbuf *out, const char *class, double x, double y, double width,
                double height)
{
    strbuf_addf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                class, x, y, width, height);
}

static void nothing(struct strbuf *out, const char *what)
{
    open_svg(out, HEIGHT, what);
    bar(out, "empty", 0.5, 0.5, PLOT_WIDTH - 1, HEIGHT - 1);
    label(out, PLOT_WIDTH / 2.0, HEIGHT / 2.0 + 4, "middle", "%s", what);
    strbuf_adds(out, "</svg>\n");
}

/* -- axes -------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, so that at most `ticks` of them reach `most`. */
static double round_step(double most, int ticks)
{
    double step = pow(10, floor(log10(most / ticks)));
    while (most / step > ticks)
        step *= most / (step * 2) <= ticks ? 2 : most / (step * 5) <= ticks ? 5 : 10;
    return step;
}

/* 1500 -> "1.5k": for ticks. */
static const char *short_number(double n, char out[24])
{
    static const struct {
        double from;
        const char *suffix;
    } units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {0, ""}};
    int i = 0;
    while (n < units[i].from)
        i++;
    snprintf(out, 24, "%.4g%s", units[i].from > 0 ? n / units[i].from : n, units[i].suffix);
    return out;
}

/* The y axis with grid lines. Whole numbers have no ticks between them. */
static void y_axis(struct frame *f, double most, bool whole, const char *suffix)
{
    char text[24];
    double step = round_step(most > 0 ? most : 1, 4);
    if (whole && step < 1)
        step = 1;
    f->most_y = step * ceil((most > 0 ? most : step) / step - 1e-9);
    for (double y = 0; y <= f->most_y + step / 2; y += step) {
        rule(f->out, y > 0 ? "grid" : "axis", f->left, y_of(f, y), f->left + f->width, y_of(f, y));
        label(f->out, f->left - 6, y_of(f, y) + 4, "end", "%s%s", short_number(y, text), suffix);
    }
}

/* Time since the beginning, in a unit and a step that fit. */
static void time_axis(struct frame *f, double seconds, const char *name)
{
    static const struct {
        double seconds, unit;
        const char *name;
    } steps[] = {{1, 1, "s"},          {2, 1, "s"},          {5, 1, "s"},
                 {10, 1, "s"},         {15, 1, "s"},         {30, 1, "s"},
                 {60, 60, "min"},      {120, 60, "min"},     {300, 60, "min"},
                 {600, 60, "min"},     {900, 60, "min"},     {1800, 60, "min"},
                 {3600, 3600, "h"},    {7200, 3600, "h"},    {10800, 3600, "h"},
                 {21600, 3600, "h"},   {43200, 3600, "h"},   {86400, 86400, "d"},
                 {172800, 86400, "d"}, {604800, 86400, "d"}, {2592000, 86400, "d"}};
    size_t i = 0;
    while (i + 1 < sizeof steps / sizeof *steps && seconds / steps[i].seconds > 5)
        i++;
    double step = steps[i].seconds;
    while (seconds / step > 5) /* years */
        step *= 2;
    double bottom = f->top + f->height;
    for (double x = 0; x <= seconds + 1e-9; x += step) {
        rule(f->out, "axis", x_of(f, x), bottom, x_of(f, x), bottom + 4);
        label(f->out, x_of(f, x), bottom + 17, x > 0 ? "middle" : "start", "%.4g%s%s",
              x / steps[i].unit, x > 0 ? " " : "", x > 0 ? steps[i].name : "");
    }
    label(f->out, f->left + f->width, bottom + 33, "end", "%s", name);
}

/* -- over time --------------------------------------------------------------------------------- */

static int64_t value_of(const struct store_moment *m, enum plot_series series)
{
    return series == PLOT_TESTS ? m->tests : series == PLOT_FINDINGS ? m->findings : m->signatures;
}

static void curve(const struct frame *f, const struct store_moment *m, int n,
                  enum plot_series series)
{
    for (int area = 1; area >= 0; area--) { /* the area below it first */
        strbuf_addf(f->out, "<path class=\"%s%d\" d=\"", area ? "area" : "curve", series);
        for (int i = 0; i < n; i++)
            strbuf_addf(f->out, "%s%.1f %.1f", i ? "L" : "M", x_of(f, (double)(m[i].at - m[0].at)),
                        y_of(f, (double)value_of(&m[i], series)));
        if (area)
            strbuf_addf(f->out, "L%.1f %.1fL%.1f %.1fZ", x_of(f, (double)(m[n - 1].at - m[0].at)),
                        y_of(f, 0), x_of(f, 0), y_of(f, 0));
        strbuf_adds(f->out, "\"/>\n");
    }
}

void plot_history(const struct report_data *d, enum plot_series series, struct strbuf *out)
{
    static const char *const names[] = {"tests", "findings", "distinct signatures"};
    const struct store_moment *m = d->history;
    char number[REPORT_NUMBER_SIZE], begun[REPORT_TIME_SIZE], title[200], name[64];
    int n = d->n_history;
    if (n == 0) {
        nothing(out, "no tests yet");
        return;
    }
    int64_t last = value_of(&m[n - 1], series);
    double seconds = (double)(m[n - 1].at - m[0].at);
    snprintf(title, sizeof title, "%s over time: %s at the end, started %s", names[series],
             report_number(last, number), report_time(m[0].at, begun));
    open_svg(out, HEIGHT, title);
    struct frame f = begin(out, seconds > 0 ? seconds : 1, 1);
    y_axis(&f, (double)last, true, "");
    snprintf(name, sizeof name, "since %s", begun);
    time_axis(&f, seconds, name);
    if (seconds > 0)
        curve(&f, m, n, series);
    else
        strbuf_addf(out, "<circle class=\"dot%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n", series,
                    x_of(&f, 0), y_of(&f, (double)last));
    strbuf_adds(out, "</svg>\n");
}

/* -- CPU time ---------------------------------------------------------------------------------- */

void plot_cpu(const struct report_data *d, struct strbuf *out)
{
    static const char *const names[] = {"generate", "build", "run", "assay itself"};
    int64_t us[4] = {0}, all = 0;
    char text[32], title[240];
    for (int i = 0; i < d->n_campaigns; i++) {
        us[0] += d->campaigns[i].generate_us;
        us[1] += d->campaigns[i].build_us;
        us[2] += d->campaigns[i].run_us;
        us[3] += d->campaigns[i].own_us;
    }
    for (int i = 0; i < 4; i++)
        all += us[i];
    if (all == 0) {
        nothing(out, "no CPU time spent yet");
        return;
    }
    double share[4];
    for (int i = 0; i < 4; i++)
        share[i] = 100 * (double)us[i] / (double)all;
    snprintf(title, sizeof title,
             "CPU time: generate %.1f %%, build %.1f %%, run %.1f %%, assay itself %.1f %%",
             share[0], share[1], share[2], share[3]);
    open_svg(out, HEIGHT, title);
    struct frame f = begin(out, 100, 1);
    f.left = 86;
    f.width = PLOT_WIDTH - f.left - RIGHT - 10;
    for (int x = 0; x <= 100; x += 25) {
        rule(out, x ? "grid" : "axis", x_of(&f, x), f.top, x_of(&f, x), f.top + f.height);
        label(out, x_of(&f, x), f.top + f.height + 17, "middle", "%d %%", x);
    }
    for (int i = 0; i < 4; i++) {
        double y = f.top + 4 + i * f.height / 4;
        label(out, f.left - 8, y + 18, "end", "%s", names[i]);
        bar(out, "series0", f.left, y + 4, fmax(f.width * share[i] / 100, us[i] ? 1 : 0), 20);
        bool inside = share[i] > 55;
        strbuf_addf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
                    inside ? "on-bar" : "value", x_of(&f, share[i]) + (inside ? -6 : 6), y + 18,
                    inside ? "end" : "start");
        strbuf_addf(out, "%.1f %% · %s</text>\n", share[i], text_duration(us[i] / 1000, text));
    }
    label(out, f.left + f.width, f.top + f.height + 33, "end", "share of CPU time");
    strbuf_adds(out, "</svg>\n");
}

/* -- sizes of programs ------------------------------------------------------------------------- */

static const char *size_text(int64_t bytes, char out[24])
{
    if (bytes >= 1 << 20)
        snprintf(out, 24, "%" PRId64 "M", bytes >> 20);
    else if (bytes >= 1 << 10)
        snprintf(out, 24, "%" PRId64 "K", bytes >> 10);
    else
        snprintf(out, 24, "%" PRId64, bytes);
    return out;
}

/* The edges of the bins below the bars: as many as there is room for. */
static void size_axis(const struct frame *f, const struct store_size *s, int n)
{
    char text[24];
    int every = (n + 7) / 8;
    double bottom = f->top + f->height;
    for (int i = 0; i <= n; i++) {
        rule(f->out, "axis", x_of(f, i), bottom, x_of(f, i), bottom + 4);
        if (i % every == 0)
            label(f->out, x_of(f, i), bottom + 17, "middle", "%s",
                  size_text(i < n ? s[i].from : s[n - 1].to, text));
    }
    label(f->out, f->left + f->width, bottom + 33, "end", "bytes of the program");
}

static void histogram(const struct report_data *d, bool shares, struct strbuf *out)
{
    const struct store_size *s = d->sizes;
    int n = d->n_sizes;
    double most = 0;
    int64_t programs = 0, with_findings = 0;
    char title[200];
    for (int i = 0; i < n; i++) {
        double share = s[i].programs ? 100 * (double)s[i].with_findings / (double)s[i].programs : 0;
        most = fmax(most, shares ? share : (double)s[i].programs);
        programs += s[i].programs;
        with_findings += s[i].with_findings;
    }
    if (programs == 0) {
        nothing(out, "no programs yet");
        return;
    }
    if (shares && with_findings == 0) {
        nothing(out, "nothing found");
        return;
    }
    if (shares)
        snprintf(title, sizeof title,
                 "share of programs with findings, by size: %.1f %% over all sizes",
                 100 * (double)with_findings / (double)programs);
    else
        snprintf(title, sizeof title, "programs by size: %" PRId64 " in all", programs);
    open_svg(out, HEIGHT, title);
    struct frame f = begin(out, n, 1);
    y_axis(&f, most, !shares, shares ? " %" : "");
    size_axis(&f, s, n);
    for (int i = 0; i < n; i++) {
        double value =
            shares ? s[i].programs ? 100 * (double)s[i].with_findings / (double)s[i].programs : 0
                   : (double)s[i].programs;
        if (value > 0)
            bar(out, shares ? "series1" : "series0", x_of(&f, i) + 1, y_of(&f, value),
                f.width / n - 2, f.top + f.height - y_of(&f, value));
    }
    strbuf_adds(out, "</svg>\n");
}

void plot_sizes(const struct report_data *d, struct strbuf *out)
{
    histogram(d, false, out);
}

void plot_shares(const struct report_data *d, struct strbuf *out)
{
    histogram(d, true, out);
}

/* -- outcomes of a testbed --------------------------------------------------------------------- */

const char *plot_outcome_class(enum outcome o)
{
    static const char *const classes[OUTCOME_COUNT] = {
#define X(id, name, help) [id] = "o-" name,
        OUTCOMES(X)
#undef X
    };
    return classes[o];
}

/* A thousand units wide. What is there at all is at least 6 of them wide, or one crash among ten
 * thousand good runs would not show; the widest part pays for it. */
void plot_outcomes(const struct store_testbed *t, struct strbuf *out)
{
    double width[OUTCOME_COUNT], all = 0, x = 0, sum = 0;
    int widest = 0;
    for (int i = 0; i < OUTCOME_COUNT; i++)
        all += (double)t->outcomes[i];
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        width[i] = t->outcomes[i] ? fmax(6, 1000 * (double)t->outcomes[i] / all) : 0;
        widest = width[i] > width[widest] ? i : widest;
        sum += width[i];
    }
    width[widest] -= all > 0 ? sum - 1000 : 0;
    strbuf_adds(out, "<svg class=\"bar\" viewBox=\"0 0 1000 16\" preserveAspectRatio=\"none\" "
                     "role=\"img\"><title>");
    report_markup(out, t->name, strlen(t->name));
    for (int i = 0; i < OUTCOME_COUNT; i++)
        if (t->outcomes[i])
            strbuf_addf(out, ", %s %.4g %%", outcome_name[i], 100 * (double)t->outcomes[i] / all);
    strbuf_adds(out, "</title>");
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        if (width[i] > 0)
            bar(out, plot_outcome_class((enum outcome)i), x, 0, width[i], 16);
        x += width[i];
    }
    strbuf_adds(out, "</svg>");
}

/* -- sides of an experiment -------------------------------------------------------------------- */

/* The band of a side, there and back, and its median. */
static void side_curve(const struct frame *f, const struct compare_data *d, int side, int measure)
{
    const struct compare_side *s = &d->sides[side];
    strbuf_addf(f->out, "<path class=\"area%d\" d=\"", side);
    for (int i = 0; i <= COMPARE_STEPS; i++)
        strbuf_addf(f->out, "%s%.1f %.1f", i ? "L" : "M", x_of(f, compare_moment(d, i)),
                    y_of(f, s->interval[i][measure].high));
    for (int i = COMPARE_STEPS; i >= 0; i--)
        strbuf_addf(f->out, "L%.1f %.1f", x_of(f, compare_moment(d, i)),
                    y_of(f, s->interval[i][measure].low));
    strbuf_addf(f->out, "Z\"/>\n<path class=\"curve%d\" d=\"", side);
    for (int i = 0; i <= COMPARE_STEPS; i++)
        strbuf_addf(f->out, "%s%.1f %.1f", i ? "L" : "M", x_of(f, compare_moment(d, i)),
                    y_of(f, s->median[i][measure]));
    strbuf_adds(f->out, "\"/>\n");
}

/* The letter of each side beside the end of its curve, the highest first, none over another. */
static void side_letters(const struct frame *f, const struct compare_data *d, int measure)
{
    enum { APART = 12 };
    bool told[COMPARE_SIDES] = {false};
    double below = -1e9;
    for (int n = 0; n < d->n_sides; n++) {
        int top = -1;
        for (int i = 0; i < d->n_sides; i++)
            if (!told[i] &&
                (top < 0 || d->sides[i].of[measure].median > d->sides[top].of[measure].median))
                top = i;
        told[top] = true;
        below = fmax(below + APART, y_of(f, d->sides[top].of[measure].median) + 4);
        label(f->out, f->left + f->width + 5, below, "start", "%c", d->sides[top].letter);
    }
}

void plot_sides(const struct compare_data *d, int measure, struct strbuf *out)
{
    double most = 0;
    struct strbuf title;
    strbuf_init(&title, 0);
    strbuf_addf(&title, "%s over CPU time, medians at the end:", compare_measure_name[measure]);
    for (int i = 0; i < d->n_sides; i++) {
        strbuf_addf(&title, " %c %.10g", d->sides[i].letter, d->sides[i].of[measure].median);
        for (int k = 0; k <= COMPARE_STEPS; k++)
            most = fmax(most, d->sides[i].interval[k][measure].high);
    }
    open_svg(out, HEIGHT, title.s);
    strbuf_release(&title);
    struct frame f = begin(out, d->cpu_s, 1);
    f.width -= 8; /* for the letters */
    y_axis(&f, most, true, "");
    time_axis(&f, d->cpu_s, "CPU time");
    for (int i = 0; i < d->n_sides; i++)
        side_curve(&f, d, i, measure);
    side_letters(&f, d, measure);
    strbuf_adds(out, "</svg>\n");
}
