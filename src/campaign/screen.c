#include "campaign/screen.h"
#include "base/fs.h"
#include "base/text.h"

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define RED "\033[31m"

static void add(screen *out, const char *colour, const char *text)
{
    vec_push(out, (struct line){colour, text});
}

const char *screen_bugs(struct arena *a, const struct figures *f)
{
    const struct bug_counts *c = &f->counts;
    const char *text = arena_printf(a, "%lld finding%s in %d bug%s", (long long)c->findings,
                                    c->findings == 1 ? "" : "s", c->open, c->open == 1 ? "" : "s");
    if (f->reduce)
        text = arena_printf(a, "%s, %d reduced", text, f->reduced);
    return c->known_findings
               ? arena_printf(a, "%s, %lld of known bugs", text, (long long)c->known_findings)
               : text;
}

bool screen_is_first_round(const struct figures *f)
{
    return f->campaign.tests == f->round_tests;
}

double screen_percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

/* -- tables of testbeds ------------------------------------------------------------------------ */

/* A figure of a testbed with its heading. Where there is no room for each by itself, figures are
 * added up: a layout is one way to do it. */
enum { MOST_FIGURES = 8 };
struct figure {
    const char *heading;
    unsigned of; /* bits of the figures that it adds up */
};
struct layout {
    struct figure figures[MOST_FIGURES];
    int n;
};

/* What of_outcomes fills in. */
enum { OK, B_FAIL, B_CRASH, B_HANG, R_CRASH, R_HANG, SKIP, WRONG };
#define BIT(i) (1u << (i))
static const struct layout outcome_layouts[] = {
    {{{"ok", BIT(OK)},
      {"b-fail", BIT(B_FAIL)},
      {"b-crash", BIT(B_CRASH)},
      {"b-hang", BIT(B_HANG)},
      {"r-crash", BIT(R_CRASH)},
      {"r-hang", BIT(R_HANG)},
      {"skip", BIT(SKIP)},
      {"wrong", BIT(WRONG)}},
     8},
    {{{"ok", BIT(OK)},
      {"fail", BIT(B_FAIL)},
      {"crash", BIT(B_CRASH) | BIT(R_CRASH)},
      {"hang", BIT(B_HANG) | BIT(R_HANG)},
      {"skip", BIT(SKIP)},
      {"wrong", BIT(WRONG)}},
     6},
    {{{"ok", BIT(OK)},
      {"bad", BIT(B_FAIL) | BIT(B_CRASH) | BIT(B_HANG) | BIT(R_CRASH) | BIT(R_HANG) | BIT(WRONG)}},
     2},
};

static void of_outcomes(const struct store_testbed *t, int64_t out[MOST_FIGURES])
{
    static const enum outcome outcomes[] = {
        OUTCOME_OK,        OUTCOME_BUILD_FAIL,  OUTCOME_BUILD_CRASH, OUTCOME_BUILD_TIMEOUT,
        OUTCOME_RUN_CRASH, OUTCOME_RUN_TIMEOUT, OUTCOME_SKIPPED};
    for (int i = 0; i < WRONG; i++)
        out[i] = t->outcomes[outcomes[i]];
    out[WRONG] = t->anomalies[ANOMALY_WRONG_OUTPUT] + t->anomalies[ANOMALY_WRONG_VOLATILE] +
                 t->anomalies[ANOMALY_MISSED] + t->anomalies[ANOMALY_FALSE_ALARM] +
                 t->anomalies[ANOMALY_MISPLACED];
}

/* The classes of DeepSmith 2.3. */
static const struct layout class_layouts[] = {
    {{{"bc", BIT(0)},
      {"bto", BIT(1)},
      {"abf", BIT(2)},
      {"arc", BIT(3)},
      {"awo", BIT(4)},
      {"other", BIT(5)},
      {"pass", BIT(6)},
      {"total", BIT(7)}},
     8},
    {{{"bad", BIT(0) | BIT(1) | BIT(2) | BIT(3) | BIT(4) | BIT(5)},
      {"pass", BIT(6)},
      {"total", BIT(7)}},
     3},
};

static void of_classes(const struct store_testbed *t, int64_t out[MOST_FIGURES])
{
    struct store_classes c;
    _Static_assert(CLASS_COUNT + 3 == MOST_FIGURES, "as the layouts have them");
    store_count_classes(t, &c);
    memcpy(out, c.of, sizeof c.of);
    out[CLASS_COUNT] = c.other;
    out[CLASS_COUNT + 1] = c.pass;
    out[CLASS_COUNT + 2] = c.total;
}

struct row {
    const char *colour, *name;
    int64_t figures[MOST_FIGURES];
};
typedef VEC(struct row) table;

static int64_t sum(const struct row *r, const struct figure *f)
{
    int64_t n = 0;
    for (int i = 0; i < MOST_FIGURES; i++)
        n += f->of & BIT(i) ? r->figures[i] : 0;
    return n;
}

/* Columns that the figure takes, with the space ahead of it. */
static int width_of(const table *all, const struct figure *f)
{
    int widest = (int)strlen(f->heading);
    for (size_t i = 0; i < all->n; i++) {
        int digits = snprintf(NULL, 0, "%lld", (long long)sum(&all->at[i], f));
        widest = digits > widest ? digits : widest;
    }
    return widest + 1;
}

/* Columns left for names. */
static int room_for_names(const table *all, const struct layout *l, int columns)
{
    int room = columns - 3; /* indented, and not in the last column */
    for (int i = 0; i < l->n; i++)
        room -= width_of(all, &l->figures[i]);
    return room;
}

/* The first layout that leaves names enough room; the last one where none does. */
static const struct layout *choose_layout(const table *all, const struct layout *layouts, int n,
                                          int longest, int columns)
{
    enum { NAME_LEAST = 20 };
    int need = longest < NAME_LEAST ? longest : NAME_LEAST;
    for (int i = 0; i < n - 1; i++)
        if (!columns || room_for_names(all, &layouts[i], columns) >= need)
            return &layouts[i];
    return &layouts[n - 1];
}

/* A line for each row, below the headings. */
static void draw_table(struct arena *a, const table *all, const struct layout *layouts, int n,
                       int columns, screen *out)
{
    static const char title[] = "testbed";
    int longest = (int)strlen(title);
    for (size_t i = 0; i < all->n; i++)
        longest = (int)strlen(all->at[i].name) > longest ? (int)strlen(all->at[i].name) : longest;
    const struct layout *l = choose_layout(all, layouts, n, longest, columns);
    int room = columns ? room_for_names(all, l, columns) : longest + 2;
    int names = longest + 2 <= room ? longest + 2 : room > 0 ? room : 0;
    const char *head = arena_printf(a, "  %-*s", names, terminal_shorten(a, title, names));
    for (int k = 0; k < l->n; k++)
        head = arena_printf(a, "%s%*s", head, width_of(all, &l->figures[k]), l->figures[k].heading);
    add(out, DIM, head);
    for (size_t i = 0; i < all->n; i++) {
        const struct row *r = &all->at[i];
        const char *text = arena_printf(a, "  %-*s", names, terminal_shorten(a, r->name, names));
        for (int k = 0; k < l->n; k++)
            text = arena_printf(a, "%s%*lld", text, width_of(all, &l->figures[k]),
                                (long long)sum(r, &l->figures[k]));
        add(out, r->colour, text);
    }
}

static int64_t anomalies_of(const struct store_testbed *t)
{
    int64_t n = 0;
    for (int i = ANOMALY_NONE + 1; i < ANOMALY_COUNT; i++)
        n += t->anomalies[i];
    return n;
}

/* The last other one of this name: the compiler was replaced. NULL: there is none. */
static const struct store_testbed *named_alike(const struct figures *f, int i)
{
    const struct store_testbed *found = NULL;
    for (int k = 0; k < f->n_testbeds; k++)
        if (k != i && (!found || k < i) && !strcmp(f->testbeds[k].name, f->testbeds[i].name))
            found = &f->testbeds[k];
    return found;
}

/* Each testbed with its outcomes; those first that misbehaved, if asked. */
static void outcome_rows(struct arena *a, const struct figures *f, bool bad_first, table *out)
{
    for (int pass = bad_first ? 0 : 1; pass < 2; pass++)
        for (int i = 0; i < f->n_testbeds; i++) {
            const struct store_testbed *t = &f->testbeds[i];
            bool bad = anomalies_of(t) > 0;
            if (bad_first && bad != (pass == 0))
                continue;
            struct row r = {bad ? RED : "",
                            named_alike(f, i) ? arena_printf(a, "%s %s", t->name, t->version)
                                              : t->name,
                            {0}};
            of_outcomes(t, r.figures);
            vec_push(out, r);
        }
}

static void add_replaced(struct arena *a, const struct figures *f, screen *out)
{
    for (int i = 0; i < f->n_testbeds; i++) {
        const struct store_testbed *t = &f->testbeds[i], *other = named_alike(f, i);
        if (other && other < t)
            add(out, "",
                arena_printf(a, "  %s was replaced: version %s, then %s", t->name, other->version,
                             t->version));
    }
}

void screen_testbeds(struct arena *a, const struct figures *f, int columns, screen *out)
{
    enum { N = sizeof outcome_layouts / sizeof *outcome_layouts };
    table all = {0};
    outcome_rows(a, f, false, &all);
    draw_table(a, &all, outcome_layouts, N, columns, out);
    add_replaced(a, f, out);
    vec_release(&all);
}

void screen_classes(struct arena *a, const struct figures *f, int columns, screen *out)
{
    enum { N = sizeof class_layouts / sizeof *class_layouts };
    table all = {0};
    for (int i = 0; i < f->n_testbeds; i++) {
        struct row r = {"", f->testbeds[i].name, {0}};
        of_classes(&f->testbeds[i], r.figures);
        if (!f->testbeds[i].filter)
            vec_push(&all, r);
    }
    draw_table(a, &all, class_layouts, N, columns, out);
    vec_release(&all);
}

/* -- findings ---------------------------------------------------------------------------------- */

/* Findings by kind, over all testbeds. */
static void count_kinds(const struct figures *f, int64_t kinds[ANOMALY_COUNT], int64_t *flaky)
{
    *flaky = 0;
    for (int k = 0; k < ANOMALY_COUNT; k++)
        kinds[k] = 0;
    for (int i = 0; i < f->n_testbeds; i++) {
        *flaky += f->testbeds[i].flaky;
        for (int k = 1; k < ANOMALY_COUNT; k++)
            kinds[k] += f->testbeds[i].anomalies[k];
    }
}

void screen_findings(struct arena *a, const struct figures *f, int rows, screen *out)
{
    int64_t kinds[ANOMALY_COUNT], flaky;
    struct strbuf b;
    strbuf_init(&b, 0);
    count_kinds(f, kinds, &flaky);
    for (int k = 1; k < ANOMALY_COUNT; k++)
        if (kinds[k])
            strbuf_addf(&b, "  %s %lld", anomaly_name[k], (long long)kinds[k]);
    if (flaky)
        strbuf_addf(&b, "  (flaky %lld)", (long long)flaky);
    add(out, "", arena_strdup(a, b.n ? b.s : "  none yet"));
    strbuf_release(&b);
    for (int i = 0; i < f->n_bugs && i < rows; i++)
        add(out, "",
            arena_printf(a, "  %5lld x  #%-5lld %s", (long long)f->bugs[i].n_seen,
                         (long long)f->bugs[i].first->finding->id,
                         f->bugs[i].first->finding->signature));
}

/* -- a frame ----------------------------------------------------------------------------------- */

static void heading(struct arena *a, screen *out, const char *title, int columns)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    strbuf_addf(&b, "-- %s ", title);
    while (b.n + 1 < (size_t)columns && b.n < 100)
        strbuf_addc(&b, '-');
    vec_push(out, (struct line){DIM, arena_strdup(a, b.s)});
    strbuf_release(&b);
}

static const char *of_budget(struct arena *a, const char *done, const char *budget)
{
    return budget ? arena_printf(a, "%s of %s", done, budget) : done;
}

struct progress {
    const char *name, *value;
    const char *cpu, *cpu_short; /* whose CPU time stands beside it; NULL: none */
    int64_t us;
};

/* Two columns: what was done, and what it cost. */
static void draw_wide(struct arena *a, const struct figures *f, const struct progress *rows,
                      screen *out)
{
    for (const struct progress *r = rows; r->name; r++)
        if (r->cpu)
            add(out, "",
                arena_printf(a, "  %-14s%-37s cpu %-13s%5.1f %%", r->name, r->value, r->cpu,
                             screen_percent(r->us, f->total_us)));
        else
            add(out, "",
                arena_printf(a, "  %-14s%-37s incidents        %5lld", r->name, r->value,
                             (long long)f->campaign.incidents));
}

static void draw_narrow(struct arena *a, const struct figures *f, const struct progress *rows,
                        screen *out)
{
    const char *cpu = "";
    for (const struct progress *r = rows; r->name; r++) {
        add(out, "", arena_printf(a, "  %-14s%s", r->name, r->value));
        if (r->cpu)
            cpu = arena_printf(a, "%s%s%s %.0f", cpu, *cpu ? ", " : "", r->cpu_short,
                               screen_percent(r->us, f->total_us));
    }
    add(out, "", arena_printf(a, "  %-14s%s", "cpu %", cpu));
    if (f->campaign.incidents)
        add(out, "", arena_printf(a, "  %-14s%lld", "incidents", (long long)f->campaign.incidents));
}

static void draw_progress(const struct status *s, struct arena *a, const struct figures *f,
                          int columns, screen *out)
{
    enum { WIDE = 78 };
    char done[32], budget[32], ago[32];
    const struct store_campaign *c = &f->campaign;
    const char *time = of_budget(a, arena_strdup(a, text_duration(f->round_ms, done)),
                                 s->budget.ms ? text_duration(s->budget.ms, budget) : NULL);
    const char *tests =
        of_budget(a, arena_printf(a, "%lld", (long long)f->round_tests),
                  s->budget.tests ? arena_printf(a, "%lld", (long long)s->budget.tests) : NULL);
    const struct bug_counts *counts = &f->counts;
    const char *findings = arena_printf(a, "%lld in %d bug%s", (long long)counts->findings,
                                        counts->open, counts->open == 1 ? "" : "s");
    if (f->reduce)
        findings = arena_printf(a, "%s, %d reduced", findings, f->reduced);
    if (counts->known_findings)
        findings = arena_printf(a, "%s, %lld known", findings, (long long)counts->known_findings);
    const char *last =
        c->last_finding_at
            ? arena_printf(a, "%s ago",
                           text_duration((clock_wall() - c->last_finding_at) * 1000, ago))
            : "none yet";
    if (!screen_is_first_round(f)) {
        tests = arena_printf(a, "%s, in all %lld", tests, (long long)c->tests);
        last = arena_printf(a, "%s, %lld in this round", last, (long long)f->round_findings);
    }
    const char *speed = arena_printf(a, "%.2f/s, now %.2f/s", f->speed, f->speed_now);
    const struct progress rows[] = {
        {"run time", time, "generating", "gen", c->generate_us},
        {"tests", tests, "compiling", "compile", c->build_us},
        {"speed", speed, "running", "run", c->run_us},
        {"findings", findings, "assay itself", "own", c->own_us},
        {"last finding", last, NULL, NULL, 0},
        {NULL, NULL, NULL, NULL, 0},
    };
    (columns > WIDE ? draw_wide : draw_narrow)(a, f, rows, out);
}

/* What workers are reducing. */
static void draw_reductions(const struct status *s, struct arena *a, int most, int columns,
                            screen *out)
{
    int drawn = 0;
    for (int i = 0; s->boards && i < s->workers && drawn < most; i++) {
        const struct interest_board *b = &s->boards[i].reducing;
        int64_t finding = b->finding;
        char pass[sizeof b->pass], time[32];
        if (!finding)
            continue;
        if (!drawn++)
            heading(a, out, "reducing", columns);
        for (size_t k = 0; k < sizeof pass; k++)
            pass[k] = b->pass[k];
        pass[sizeof pass - 1] = '\0';
        add(out, "",
            arena_printf(a, "  #%-5lld %7lld to %6lld bytes  %s, %s", (long long)finding,
                         (long long)b->from_bytes, (long long)b->bytes, *pass ? pass : "starting",
                         text_duration(clock_ms() - b->began_ms, time)));
    }
}

/* The table in at most `most` lines. */
static void draw_testbeds(struct arena *a, const struct figures *f, int most, int columns,
                          screen *out)
{
    enum { N = sizeof outcome_layouts / sizeof *outcome_layouts };
    table all = {0};
    screen lines = {0};
    outcome_rows(a, f, f->n_testbeds + 1 > most, &all);
    draw_table(a, &all, outcome_layouts, N, columns, &lines);
    size_t kept = (size_t)f->n_testbeds + 1;
    if (f->n_testbeds + 1 > most) {
        kept = (size_t)most - 1;
        lines.n = kept;
        add(&lines, DIM,
            arena_printf(a, "  ... %d more testbed%s", f->n_testbeds + 1 - (int)kept,
                         f->n_testbeds + 1 - (int)kept == 1 ? "" : "s"));
    } else {
        add_replaced(a, f, &lines);
    }
    for (size_t i = 0; i < lines.n && (int)i < most; i++)
        vec_push(out, lines.at[i]);
    vec_release(&lines);
    vec_release(&all);
}

/* What there is room for: the progress always, then findings by kind and the newest of them, then
 * the testbeds, then more findings. */
void screen_compose(const struct status *s, struct arena *a, const struct figures *f, int rows,
                    int columns, screen *out)
{
    enum { BUGS_FIRST = 3, TESTBEDS_LEAST = 3 };
    const char *title = arena_printf(a, "assay %s   %s   campaign %lld   %d worker%s   in ",
                                     ASSAY_VERSION, f->campaign.generator, (long long)s->campaign,
                                     s->workers, s->workers == 1 ? "" : "s");
    int room = columns - 1 - (int)strlen(title);
    add(out, BOLD,
        arena_printf(a, "%s%s", title, terminal_shorten(a, s->dir, room > 8 ? room : 8)));
    heading(a, out, "progress", columns);
    draw_progress(s, a, f, columns, out);
    int left = rows - (int)out->n - 1; /* the last line says how to stop */
    int bugs = f->n_bugs < BUGS_FIRST ? f->n_bugs : BUGS_FIRST;
    if (left >= 4 + bugs)
        draw_reductions(s, a, left / 6 + 1, columns, out);
    left = rows - (int)out->n - 1;
    int testbeds = left - 3 - bugs; /* beside two headings and the kinds */
    if (testbeds >= TESTBEDS_LEAST) {
        heading(a, out, "testbeds", columns);
        draw_testbeds(a, f, testbeds, columns, out);
    }
    left = rows - (int)out->n - 1;
    if (left >= 2) {
        heading(a, out, "findings", columns);
        screen_findings(a, f, left - 2, out);
    }
    while ((int)out->n > rows - 1)
        out->n--;
    add(out, DIM, s->doing ? s->doing : "Ctrl-C stops; the same command resumes");
}
