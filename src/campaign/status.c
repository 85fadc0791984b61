/* How the campaign is doing, read from the store: the same figures for the live screen, the plain
 * lines, the JSON objects and the summary. */
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "base/vec.h"
#include "campaign/campaign_internal.h"

#include <sys/ioctl.h>
#include <unistd.h>

enum { PLAIN_EVERY_MS = 10000, NARROW = 64 };

struct figures {
    struct store_campaign campaign;
    struct store_testbed *testbeds;
    int n_testbeds;
    struct bug *bugs; /* those that are open, most recent first */
    int n_bugs, n_known_bugs;
    int64_t known;    /* findings that are */
    int64_t news;     /* those of open bugs that are not */
    bool reduce;      /* workers reduce */
    int reduced;      /* findings that are */
    int64_t round_ms; /* of the current round */
    int64_t round_tests;
    int64_t round_findings;
    double speed;     /* tests per second in this run */
    double speed_now; /* since the last look */
    int64_t total_us; /* CPU time of everything */
};

/* Most recent first; within one second, the one with the later finding to look at. */
static int by_last_seen(const void *x, const void *y)
{
    const struct bug *a = x, *b = y;
    if (a->last_at != b->last_at)
        return a->last_at < b->last_at ? 1 : -1;
    int64_t i = a->first->finding->id, k = b->first->finding->id;
    return (i < k) - (i > k);
}

/* Findings that are known are counted, and not shown. What is like a known one may still be another
 * bug, as long as it is not known itself: that is news. */
static void part_known(struct status *s, struct bug_list *l)
{
    s->bugs = l->bugs;
    s->n_bugs = s->n_known_bugs = 0;
    s->known = s->news = 0;
    for (int i = 0; i < l->n; i++) {
        const struct bug *b = &l->bugs[i];
        bool known = b->n_known == b->n_members;
        s->known += b->n_known;
        s->n_known_bugs += known;
        if (known || b->fixed)
            continue;
        s->news += b->n_members - b->n_known;
        s->bugs[s->n_bugs++] = *b;
    }
    if (s->n_bugs)
        qsort(s->bugs, (size_t)s->n_bugs, sizeof *s->bugs, by_last_seen);
}

/* How many of the confirmed findings are reduced, and how many are not. */
static void count_reductions(struct status *s, const struct bug_list *l)
{
    s->n_reduced = s->n_to_reduce = 0;
    for (int i = 0; i < l->n_findings; i++) {
        const struct store_reduction *r = l->members[i].reduction;
        if (l->findings[i].state != FINDING_CONFIRMED)
            continue;
        s->n_reduced += r && r->state == REDUCTION_DONE;
        s->n_to_reduce += !r || r->state == REDUCTION_BEGUN;
    }
}

static int read_lists(struct status *s, struct error *e)
{
    struct store_query query = {.campaign = s->campaign, .anomaly = -1, .state = -1};
    struct bug_list l;
    int64_t began = own_cpu_us();
    arena_reset(&s->lists);
    s->n_testbeds = s->n_bugs = s->n_known_bugs = 0;
    if (store_testbeds(s->store, s->campaign, &s->lists, &s->testbeds, &s->n_testbeds, e) ||
        bugs_load(s->store, &query, &s->lists, &l, e))
        return -1;
    count_reductions(s, &l);
    part_known(s, &l);
    s->next_lists_ms = clock_ms() + (own_cpu_us() - began) / 1000 * 100;
    return 0;
}

static int read_figures(struct status *s, struct arena *a, struct figures *f, struct error *e)
{
    *f = (struct figures){0};
    if (store_campaign_get(s->store, s->campaign, a, &f->campaign, e) ||
        (clock_ms() >= s->next_lists_ms && read_lists(s, e)))
        return -1;
    f->testbeds = s->testbeds;
    f->n_testbeds = s->n_testbeds;
    f->bugs = s->bugs;
    f->n_bugs = s->n_bugs;
    f->n_known_bugs = s->n_known_bugs;
    f->known = s->known;
    f->reduce = s->reduce;
    f->reduced = s->n_reduced;
    f->news = s->news;
    const struct store_campaign *c = &f->campaign;
    int64_t now = clock_ms(), run_ms = now - s->started_ms;
    f->round_ms = c->elapsed_ms - c->round_elapsed_ms;
    f->round_tests = c->tests - c->round_tests;
    f->round_findings = c->findings - c->round_findings;
    f->speed = run_ms > 0 ? (double)(c->tests - s->tests_at_start) * 1000 / (double)run_ms : 0;
    f->speed_now = now > s->last_ms
                       ? (double)(c->tests - s->last_tests) * 1000 / (double)(now - s->last_ms)
                       : 0;
    f->total_us = c->generate_us + c->build_us + c->run_us + c->own_us;
    return 0;
}

static const char *bugs(struct arena *a, const struct figures *f)
{
    const char *text = arena_printf(a, "%lld finding%s in %d bug%s", (long long)f->news,
                                    f->news == 1 ? "" : "s", f->n_bugs, f->n_bugs == 1 ? "" : "s");
    if (f->reduce)
        text = arena_printf(a, "%s, %d reduced", text, f->reduced);
    return f->known ? arena_printf(a, "%s, %lld of known bugs", text, (long long)f->known) : text;
}

static double percent(int64_t part, int64_t whole)
{
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0;
}

static int64_t anomalies_of(const struct store_testbed *t)
{
    int64_t n = 0;
    for (int i = ANOMALY_NONE + 1; i < ANOMALY_COUNT; i++)
        n += t->anomalies[i];
    return n;
}

/* -- the screen -------------------------------------------------------------------------------- */

struct line {
    const char *colour; /* an SGR sequence, "" for none */
    const char *text;
};
typedef VEC(struct line) screen;

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define RED "\033[31m"

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

static void draw_progress(const struct status *s, struct arena *a, const struct figures *f,
                          screen *out)
{
    char done[32], budget[32], ago[32];
    const struct store_campaign *c = &f->campaign;
    const char *time = of_budget(a, arena_strdup(a, text_duration(f->round_ms, done)),
                                 s->budget.ms ? text_duration(s->budget.ms, budget) : NULL);
    const char *tests =
        of_budget(a, arena_printf(a, "%lld", (long long)f->round_tests),
                  s->budget.tests ? arena_printf(a, "%lld", (long long)s->budget.tests) : NULL);
    const char *findings = arena_printf(a, "%lld in %d bug%s", (long long)f->news, f->n_bugs,
                                        f->n_bugs == 1 ? "" : "s");
    if (f->reduce)
        findings = arena_printf(a, "%s, %d reduced", findings, f->reduced);
    if (f->known)
        findings = arena_printf(a, "%s, %lld known", findings, (long long)f->known);
    const char *last =
        c->last_finding_at
            ? arena_printf(a, "%s ago",
                           text_duration((clock_wall() - c->last_finding_at) * 1000, ago))
            : "none yet";
    const char *speed = arena_printf(a, "%.2f/s, now %.2f/s", f->speed, f->speed_now);
    const struct {
        const char *left, *value, *right;
        int64_t us;
    } rows[] = {
        {"run time", time, "generating", c->generate_us},
        {"tests", tests, "compiling", c->build_us},
        {"speed", speed, "running", c->run_us},
        {"findings", findings, "assay itself", c->own_us},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        vec_push(out, (struct line){"", arena_printf(a, "  %-13s %-30s cpu %-13s %5.1f %%",
                                                     rows[i].left, rows[i].value, rows[i].right,
                                                     percent(rows[i].us, f->total_us))});
    vec_push(out, (struct line){"", arena_printf(a, "  %-13s %-30s incidents         %5lld",
                                                 "last finding", last, (long long)c->incidents)});
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

static void draw_testbeds(struct arena *a, const struct figures *f, int rows, screen *out)
{
    vec_push(out,
             (struct line){DIM, "  testbed                    ok b-fail b-crash b-hang r-crash "
                                "r-hang  skip  wrong"});
    for (int i = 0; i < f->n_testbeds; i++) {
        const struct store_testbed *t = &f->testbeds[i];
        const struct store_testbed *other = named_alike(f, i);
        if (i >= rows) {
            vec_push(out,
                     (struct line){DIM, arena_printf(a, "  ... and %d more", f->n_testbeds - i)});
            break;
        }
        const int64_t *o = t->outcomes;
        int64_t bad = anomalies_of(t);
        vec_push(out, (struct line){
                          bad ? RED : "",
                          arena_printf(
                              a, "  %-22.22s %6lld %6lld %7lld %6lld %7lld %6lld %5lld %6lld",
                              other ? arena_printf(a, "%s %s", t->name, t->version) : t->name,
                              (long long)o[OUTCOME_OK], (long long)o[OUTCOME_BUILD_FAIL],
                              (long long)o[OUTCOME_BUILD_CRASH],
                              (long long)o[OUTCOME_BUILD_TIMEOUT], (long long)o[OUTCOME_RUN_CRASH],
                              (long long)o[OUTCOME_RUN_TIMEOUT], (long long)o[OUTCOME_SKIPPED],
                              (long long)(t->anomalies[ANOMALY_WRONG_OUTPUT] +
                                          t->anomalies[ANOMALY_WRONG_VOLATILE]))});
        if (other && other < t)
            vec_push(out,
                     (struct line){"", arena_printf(a, "  %s was replaced: version %s, then %s",
                                                    t->name, other->version, t->version)});
    }
}

/* The closing table: the classes of DeepSmith 2.3, where there is something to count. */
static void draw_classes(struct arena *a, const struct figures *f, screen *out)
{
    vec_push(out, (struct line){DIM, "  testbed                    bc    bto    abf    arc    awo  "
                                     "other   pass  total"});
    for (int i = 0; i < f->n_testbeds; i++) {
        struct store_classes c;
        const int64_t *of = c.of;
        store_count_classes(&f->testbeds[i], &c);
        if (f->testbeds[i].filter)
            continue;
        vec_push(out, (struct line){
                          "", arena_printf(
                                  a, "  %-22.22s %6lld %6lld %6lld %6lld %6lld %6lld %6lld %6lld",
                                  f->testbeds[i].name, (long long)of[CLASS_BC],
                                  (long long)of[CLASS_BTO], (long long)of[CLASS_ABF],
                                  (long long)of[CLASS_ARC], (long long)of[CLASS_AWO],
                                  (long long)c.other, (long long)c.pass, (long long)c.total)});
    }
    vec_push(out, (struct line){"", ""});
}

/* What was not believed. */
static void draw_filtered(struct arena *a, const struct figures *f, screen *out)
{
    int64_t dropped = 0;
    size_t before = out->n;
    for (int i = 0; i < f->n_testbeds; i++) {
        const struct store_testbed *t = &f->testbeds[i];
        int64_t n = store_marked(t);
        dropped += t->only_inputs;
        if (t->filter)
            vec_push(out, (struct line){"", arena_printf(a,
                                                         "  %s marked %lld program%s, which %s "
                                                         "built and not run",
                                                         t->name, (long long)n, n == 1 ? "" : "s",
                                                         n == 1 ? "was" : "were")});
    }
    if (dropped)
        vec_push(out, (struct line){"", arena_printf(a,
                                                     "  %lld finding%s dropped: with other inputs "
                                                     "nothing showed",
                                                     (long long)dropped, dropped == 1 ? "" : "s")});
    if (out->n > before)
        vec_push(out, (struct line){"", ""});
}

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

static void draw_findings(struct arena *a, const struct figures *f, int rows, screen *out)
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
    vec_push(out, (struct line){"", arena_strdup(a, b.n ? b.s : "  none yet")});
    strbuf_release(&b);
    for (int i = 0; i < f->n_bugs && i < rows; i++)
        vec_push(out, (struct line){"", arena_printf(a, "  %5lld x  #%-5lld %s",
                                                     (long long)f->bugs[i].n_members,
                                                     (long long)f->bugs[i].first->finding->id,
                                                     f->bugs[i].first->finding->signature)});
}

static void terminal_size(int *rows, int *columns)
{
    struct winsize w;
    *rows = 24;
    *columns = 80;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col) {
        *rows = w.ws_row ? w.ws_row : 24;
        *columns = w.ws_col;
    }
}

static void compose(const struct status *s, struct arena *a, const struct figures *f, int rows,
                    int columns, screen *out)
{
    vec_push(out, (struct line){BOLD, arena_printf(a,
                                                   "assay %s   %s   campaign %lld in %s   "
                                                   "%d workers",
                                                   ASSAY_VERSION, f->campaign.generator,
                                                   (long long)s->campaign, s->dir, s->workers)});
    heading(a, out, "progress", columns);
    draw_progress(s, a, f, out);
    int left = rows - 12;
    if (left >= 4) {
        int for_testbeds = f->n_testbeds < left - 3 ? f->n_testbeds : left - 3;
        heading(a, out, "testbeds", columns);
        draw_testbeds(a, f, for_testbeds, out);
        left -= for_testbeds;
    }
    heading(a, out, "findings", columns);
    draw_findings(a, f, left > 4 ? left - 4 : 0, out);
    vec_push(out, (struct line){DIM, "Ctrl-C stops; the same command resumes"});
}

static void erase(struct status *s)
{
    if (s->lines_drawn)
        printf("\033[%dA\r\033[J", s->lines_drawn);
    s->lines_drawn = 0;
}

/* Lines are cut at the terminal's edge: a wrapped one would break the count of lines to go up. */
static void show(struct status *s, const screen *lines, int rows, int columns)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    erase(s);
    for (size_t i = 0; i < lines->n && (int)i < rows - 1; i++) {
        const struct line *l = &lines->at[i];
        bool coloured = s->colour && *l->colour;
        strbuf_clear(&text);
        text_visible(&text, bytes_of(l->text));
        size_t n = text.n < (size_t)columns ? text.n : (size_t)columns - 1;
        while (n && (text.s[n] & 0xc0) == 0x80) /* not within a character */
            n--;
        printf("%s%.*s%s\n", coloured ? l->colour : "", (int)n, text.s, coloured ? "\033[0m" : "");
        s->lines_drawn++;
    }
    strbuf_release(&text);
    fflush(stdout);
}

/* -- plain and JSON ---------------------------------------------------------------------------- */

static void plain_line(struct arena *a, const struct figures *f)
{
    char time[32];
    const struct store_campaign *c = &f->campaign;
    text_print(stdout,
               "[%s] %lld tests (%.2f/s), %s; cpu: generating %.0f %%, compiling "
               "%.0f %%, running %.0f %%, assay %.1f %%\n",
               text_duration(f->round_ms, time), (long long)f->round_tests, f->speed, bugs(a, f),
               percent(c->generate_us, f->total_us), percent(c->build_us, f->total_us),
               percent(c->run_us, f->total_us), percent(c->own_us, f->total_us));
    fflush(stdout);
}

static struct json *classes_json(const struct store_testbed *t)
{
    struct store_classes c;
    store_count_classes(t, &c);
    struct json *classes = json_counts(c.of, class_name, 0, CLASS_COUNT);
    json_extend(classes, "{s:I,s:I,s:I}", "other", c.other, "pass", c.pass, "total", c.total);
    return classes;
}

static struct json *testbed_json(const struct store_testbed *t)
{
    struct json *outcomes = json_counts(t->outcomes, outcome_name, 0, OUTCOME_COUNT),
                *anomalies = json_new("{}");
    for (int i = 1; i < ANOMALY_COUNT; i++)
        if (t->anomalies[i])
            json_extend(anomalies, "{s:I}", anomaly_name[i], (int64_t)t->anomalies[i]);
    return json_new("{s:s,s:s,s:b,s:b,s:o,s:o,s:o,s:I,s:I,s:f,s:f}", "name", t->name, "version",
                    t->version, "reference", t->reference, "filter", t->filter, "outcomes",
                    outcomes, "anomalies", anomalies, "classes", classes_json(t), "only_inputs",
                    (int64_t)t->only_inputs, "flaky", (int64_t)t->flaky, "build_cpu_s",
                    (double)t->build_us / 1e6, "run_cpu_s", (double)t->run_us / 1e6);
}

static void json_line(const struct status *s, const struct figures *f, const char *event,
                      const char *why)
{
    const struct store_campaign *c = &f->campaign;
    struct json *testbeds = json_new("[]");
    for (int i = 0; i < f->n_testbeds; i++)
        json_append(testbeds, "o", testbed_json(&f->testbeds[i]));
    struct json *o = json_new(
        "{s:s,s:I,s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:f,s:{s:f,s:f,s:f,s:f},s:I,s:I,s:I,s:o}",
        "event", event, "campaign", (int64_t)c->id, "generator", c->generator, "dir", s->dir,
        "elapsed_ms", (int64_t)f->round_ms, "tests", (int64_t)c->tests, "findings",
        (int64_t)c->findings, "round_tests", (int64_t)f->round_tests, "round_findings",
        (int64_t)f->news, "bugs", (int64_t)(f->n_bugs + f->n_known_bugs), "tests_per_second",
        f->speed, "cpu_s", "generate", (double)c->generate_us / 1e6, "compile",
        (double)c->build_us / 1e6, "run", (double)c->run_us / 1e6, "own", (double)c->own_us / 1e6,
        "incidents", (int64_t)c->incidents, "last_finding_at", (int64_t)c->last_finding_at,
        "first_seed", (int64_t)c->first_seed, "testbeds", testbeds);
    json_extend(o, "{s:I}", "known", (int64_t)f->known);
    json_extend(o, "{s:I}", "known_bugs", (int64_t)f->n_known_bugs);
    if (f->reduce)
        json_extend(o, "{s:I}", "reduced", (int64_t)f->reduced);
    if (why)
        json_extend(o, "{s:s}", "why", why);
    json_print(o, true);
    fflush(stdout);
}

/* -- the three moments ------------------------------------------------------------------------- */

void status_begin(struct status *s)
{
    struct arena a;
    struct figures f;
    arena_init(&s->lists);
    s->started_ms = s->last_ms = clock_ms();
    s->next_plain_ms = s->started_ms + PLAIN_EVERY_MS;
    arena_init(&a);
    if (!read_figures(s, &a, &f, NULL)) {
        s->tests_at_start = s->last_tests = f.campaign.tests;
        s->findings_at_start = f.campaign.findings;
        if (s->mode == STATUS_LIVE || s->mode == STATUS_PLAIN)
            text_print(stdout, "campaign %lld in %s: %s from seed %llu, %s\n",
                       (long long)s->campaign, s->dir, f.campaign.generator,
                       (unsigned long long)f.campaign.first_seed,
                       f.campaign.tests ? arena_printf(&a, "going on after %lld tests",
                                                       (long long)f.campaign.tests)
                                        : "new");
        fflush(stdout);
    }
    arena_release(&a);
}

int status_update(struct status *s, struct error *e)
{
    bool due = s->mode == STATUS_LIVE || s->mode == STATUS_JSON ||
               (s->mode == STATUS_PLAIN && clock_ms() >= s->next_plain_ms);
    if (!due)
        return 0;
    struct arena a;
    struct figures f;
    arena_init(&a);
    int status = read_figures(s, &a, &f, e);
    if (!status && s->mode == STATUS_LIVE) {
        int rows, columns;
        screen lines = {0};
        terminal_size(&rows, &columns);
        compose(s, &a, &f, rows, columns, &lines);
        show(s, &lines, rows, columns);
        vec_release(&lines);
    } else if (!status && s->mode == STATUS_JSON) {
        json_line(s, &f, "status", NULL);
    } else if (!status) {
        plain_line(&a, &f);
        s->next_plain_ms = clock_ms() + PLAIN_EVERY_MS;
    }
    if (!status) {
        s->last_tests = f.campaign.tests;
        s->last_ms = clock_ms();
    }
    arena_release(&a);
    return status;
}

static void summary(const struct status *s, struct arena *a, const struct figures *f,
                    const char *why)
{
    char time[32];
    screen lines = {0};
    const struct store_campaign *c = &f->campaign;
    text_print(stdout, "%s after %s: %lld tests, %s", why, text_duration(f->round_ms, time),
               (long long)f->round_tests, bugs(a, f));
    if (c->tests != f->round_tests)
        text_print(stdout, "; the campaign has %lld tests and %lld findings by now",
                   (long long)c->tests, (long long)c->findings);
    if (c->incidents)
        text_print(stdout, ", %lld incidents", (long long)c->incidents);
    text_print(
        stdout,
        "\ncpu: generating %.1f %%, compiling %.1f %%, running %.1f %%, assay itself %.1f %%\n\n",
        percent(c->generate_us, f->total_us), percent(c->build_us, f->total_us),
        percent(c->run_us, f->total_us), percent(c->own_us, f->total_us));
    draw_testbeds(a, f, f->n_testbeds, &lines);
    vec_push(&lines, (struct line){"", ""});
    if (c->findings)
        draw_classes(a, f, &lines);
    draw_filtered(a, f, &lines);
    draw_findings(a, f, 12, &lines);
    for (size_t i = 0; i < lines.n; i++)
        text_print(stdout, "%s\n", lines.at[i].text);
    if (f->n_bugs > 12)
        text_print(stdout, "  ... and %d more\n", f->n_bugs - 12);
    if (f->n_known_bugs)
        text_print(stdout, "  %d known bug%s, seen %lld time%s\n", f->n_known_bugs,
                   f->n_known_bugs == 1 ? "" : "s", (long long)f->known, f->known == 1 ? "" : "s");
    const char *dir = strcmp(s->dir, ".") ? arena_printf(a, " --dir %s", s->dir) : "";
    if (s->reduce && s->n_to_reduce)
        text_print(stdout, "\n%d confirmed finding%s left to reduce: assay reduce%s --all\n",
                   s->n_to_reduce, s->n_to_reduce == 1 ? " is" : "s are", dir);
    if (f->n_bugs)
        text_print(stdout, "\nassay bugs%s lists them all; assay show%s %lld shows one\n", dir, dir,
                   (long long)f->bugs[0].first->finding->id);
    vec_release(&lines);
}

int status_end(struct status *s, const char *why, struct error *e)
{
    struct arena a;
    struct figures f;
    if (s->mode == STATUS_LIVE)
        erase(s);
    arena_init(&a);
    s->next_lists_ms = 0; /* the last word is exact */
    int status = s->store ? read_figures(s, &a, &f, e) : -1;
    if (!status && s->mode == STATUS_JSON)
        json_line(s, &f, "end", why);
    else if (!status && s->mode != STATUS_NONE)
        summary(s, &a, &f, why);
    fflush(stdout);
    arena_release(&a);
    arena_release(&s->lists);
    return status;
}
