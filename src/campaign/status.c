/* How the campaign is doing, read from the store: the same figures for the live screen, the plain
 * lines, the JSON objects and the summary. */
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "campaign/screen.h"

#include <unistd.h>

enum { PLAIN_EVERY_MS = 10000 };

/* Most recent first; within one second, the one with the later finding to look at. */
static int by_last_seen(const void *x, const void *y)
{
    const struct bug *a = x, *b = y;
    if (a->last_at != b->last_at)
        return a->last_at < b->last_at ? 1 : -1;
    int64_t i = a->first->finding->id, k = b->first->finding->id;
    return (i < k) - (i > k);
}

/* The bugs that are open, and how many there are of each sort, of those in which this campaign has
 * a part: as `assay bugs` has them, of all that is in the store. */
static void part_bugs(struct status *s, struct bug_list *l)
{
    s->bugs = l->bugs;
    s->n_bugs = 0;
    s->counts = (struct bug_counts){0};
    for (int i = 0; i < l->n; i++) {
        const struct bug *b = &l->bugs[i];
        int64_t part = bugs_part(l, b, s->campaign);
        if (!part)
            continue;
        bug_count(&s->counts, b, part);
        if (!bug_is_closed(b))
            s->bugs[s->n_bugs++] = *b;
    }
    if (s->n_bugs)
        qsort(s->bugs, (size_t)s->n_bugs, sizeof *s->bugs, by_last_seen);
}

/* How many findings are confirmed, how many of those are reduced, and how many are not. */
static void count_reductions(struct status *s, const struct bug_list *l)
{
    s->n_unconfirmed = s->n_reduced = s->n_to_reduce = s->n_half_reduced = 0;
    for (int i = 0; i < l->n_findings; i++) {
        const struct store_reduction *r = l->members[i].reduction;
        if (!bugs_is_of(l, &l->findings[i], s->campaign))
            continue;
        s->n_unconfirmed += l->findings[i].state == FINDING_NEW;
        if (l->findings[i].state != FINDING_CONFIRMED)
            continue;
        s->n_reduced += r && r->state == REDUCTION_DONE;
        s->n_to_reduce += !r || r->state == REDUCTION_BEGUN;
        s->n_half_reduced += r && r->state == REDUCTION_BEGUN;
    }
}

static int read_lists(struct status *s, struct error *e)
{
    struct bug_list l;
    int64_t began = own_cpu_us();
    arena_reset(&s->lists);
    s->n_testbeds = s->n_bugs = 0;
    s->counts = (struct bug_counts){0};
    if (store_testbeds(s->store, s->campaign, &s->lists, &s->testbeds, &s->n_testbeds, e) ||
        store_news(s->store, s->campaign, -1, &s->round_findings, e) ||
        bugs_load(s->store, &store_everything, &s->lists, &l, e))
        return -1;
    count_reductions(s, &l);
    part_bugs(s, &l);
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
    f->counts = s->counts;
    f->reduce = s->reduce;
    f->reduced = s->n_reduced;
    f->unconfirmed = s->n_unconfirmed;
    f->to_reduce = s->n_to_reduce;
    f->half_reduced = s->n_half_reduced;
    const struct store_campaign *c = &f->campaign;
    int64_t now = clock_ms(), run_ms = now - s->started_ms;
    f->round_ms = c->elapsed_ms - c->round_elapsed_ms;
    f->round_tests = c->tests - c->round_tests;
    f->round_findings = s->round_findings;
    f->speed = run_ms > 0 ? (double)(c->tests - s->tests_at_start) * 1000 / (double)run_ms : 0;
    f->speed_now = now > s->last_ms
                       ? (double)(c->tests - s->last_tests) * 1000 / (double)(now - s->last_ms)
                       : 0;
    f->total_us = c->generate_us + c->build_us + c->run_us + c->own_us;
    return 0;
}

/* "1 test", "2 tests" */
static const char *count_of(struct arena *a, int64_t n, const char *what)
{
    return arena_printf(a, "%lld %s%s", (long long)n, what, n == 1 ? "" : "s");
}

/* -- plain and JSON ---------------------------------------------------------------------------- */

static void plain_line(struct arena *a, const struct figures *f)
{
    char time[32];
    const struct store_campaign *c = &f->campaign;
    text_print(stdout,
               "[%s] %s (%.2f/s), %s%s; cpu: generating %.0f %%, compiling "
               "%.0f %%, running %.0f %%, assay %.1f %%\n",
               text_duration(f->round_ms, time), count_of(a, f->round_tests, "test"), f->speed,
               screen_is_first_round(f)
                   ? ""
                   : arena_printf(a, "%s, in all ", count_of(a, f->round_findings, "new finding")),
               screen_bugs(a, f), screen_percent(c->generate_us, f->total_us),
               screen_percent(c->build_us, f->total_us), screen_percent(c->run_us, f->total_us),
               screen_percent(c->own_us, f->total_us));
    fflush(stdout);
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
                    outcomes, "anomalies", anomalies, "classes", store_classes_json(t),
                    "only_inputs", (int64_t)t->only_inputs, "flaky", (int64_t)t->flaky,
                    "build_cpu_s", (double)t->build_us / 1e6, "run_cpu_s", (double)t->run_us / 1e6);
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
        f->round_findings, "bugs", (int64_t)(f->counts.open + f->counts.known), "tests_per_second",
        f->speed, "cpu_s", "generate", (double)c->generate_us / 1e6, "compile",
        (double)c->build_us / 1e6, "run", (double)c->run_us / 1e6, "own", (double)c->own_us / 1e6,
        "incidents", (int64_t)c->incidents, "last_finding_at", (int64_t)c->last_finding_at,
        "first_seed", (int64_t)c->first_seed, "testbeds", testbeds);
    json_extend(o, "{s:I}", "known", f->counts.known_findings);
    json_extend(o, "{s:I}", "known_bugs", (int64_t)f->counts.known);
    json_extend(o, "{s:I,s:I}", "unconfirmed", (int64_t)f->unconfirmed, "to_reduce",
                (int64_t)f->to_reduce);
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
        if (s->mode == STATUS_LIVE || s->mode == STATUS_PLAIN)
            text_print(stdout, "campaign %lld in %s: %s from seed %llu, %s\n",
                       (long long)s->campaign, s->dir, f.campaign.generator,
                       (unsigned long long)f.campaign.first_seed,
                       f.campaign.tests ? arena_printf(&a, "resuming after %lld tests",
                                                       (long long)f.campaign.tests)
                                        : "new");
        fflush(stdout);
    }
    arena_release(&a);
}

static void draw(struct status *s, struct arena *a, const struct figures *f)
{
    int rows, columns;
    screen lines = {0};
    terminal_size(&rows, &columns);
    screen_compose(s, a, f, rows, columns, &lines);
    s->terminal.colour = s->colour;
    terminal_draw(&s->terminal, &lines, rows, columns);
    vec_release(&lines);
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
        draw(s, &a, &f);
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

bool status_is_resized(const struct status *s)
{
    return terminal_is_resized(&s->terminal);
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
                                                         "built but not run",
                                                         t->name, (long long)n, n == 1 ? "" : "s",
                                                         n == 1 ? "was" : "were")});
    }
    if (dropped)
        vec_push(out, (struct line){
                          "", arena_printf(
                                  a, "  %lld finding%s dropped: not reproduced with other inputs",
                                  (long long)dropped, dropped == 1 ? "" : "s")});
    if (out->n > before)
        vec_push(out, (struct line){"", ""});
}

/* What is left for the next run, and how to go on with it. */
static void draw_waiting(struct arena *a, const struct figures *f, const char *dir, screen *out)
{
    int n = f->unconfirmed;
    if (n)
        vec_push(out, (struct line){"", arena_printf(a,
                                                     "%d finding%s seen once, not yet confirmed: "
                                                     "assay run%s continues with %s",
                                                     n, n == 1 ? "" : "s", dir,
                                                     n == 1 ? "it" : "them")});
    n = f->to_reduce;
    if (n)
        vec_push(out,
                 (struct line){"", arena_printf(a,
                                                "%d confirmed finding%s left to reduce%s: "
                                                "assay reduce%s --all",
                                                n, n == 1 ? " is" : "s are",
                                                f->half_reduced ? arena_printf(a, ", %d unfinished",
                                                                               f->half_reduced)
                                                                : "",
                                                dir)});
    if (f->unconfirmed || f->to_reduce)
        vec_push(out, (struct line){"", ""});
}

static void summary(const struct status *s, struct arena *a, const struct figures *f,
                    const char *why)
{
    enum { BUGS_MOST = 12 };
    char time[32];
    screen lines = {0};
    int rows, columns = 0; /* in a file, as wide as it takes */
    const struct store_campaign *c = &f->campaign;
    const char *dir = strcmp(s->dir, ".") ? arena_printf(a, " --dir %s", s->dir) : "";
    if (s->mode == STATUS_LIVE || isatty(STDOUT_FILENO))
        terminal_size(&rows, &columns);
    text_print(stdout, "%s after %s: %s, ", why, text_duration(f->round_ms, time),
               count_of(a, f->round_tests, "test"));
    if (!screen_is_first_round(f))
        text_print(stdout, "%s; by now the campaign has %s, ",
                   count_of(a, f->round_findings, "new finding"), count_of(a, c->tests, "test"));
    text_print(stdout, "%s", screen_bugs(a, f));
    if (c->incidents)
        text_print(stdout, ", %s", count_of(a, c->incidents, "incident"));
    text_print(
        stdout,
        "\ncpu: generating %.1f %%, compiling %.1f %%, running %.1f %%, assay itself %.1f %%\n\n",
        screen_percent(c->generate_us, f->total_us), screen_percent(c->build_us, f->total_us),
        screen_percent(c->run_us, f->total_us), screen_percent(c->own_us, f->total_us));
    screen_testbeds(a, f, columns, &lines);
    vec_push(&lines, (struct line){"", ""});
    if (c->findings) {
        screen_classes(a, f, columns, &lines);
        vec_push(&lines, (struct line){"", ""});
    }
    draw_filtered(a, f, &lines);
    screen_findings(a, f, BUGS_MOST, &lines);
    if (f->n_bugs > BUGS_MOST)
        vec_push(&lines,
                 (struct line){"", arena_printf(a, "  ... and %d more", f->n_bugs - BUGS_MOST)});
    int64_t times = f->counts.known_findings;
    if (f->counts.known)
        vec_push(&lines,
                 (struct line){"", arena_printf(a, "  %d known bug%s, seen %lld time%s",
                                                f->counts.known, f->counts.known == 1 ? "" : "s",
                                                (long long)times, times == 1 ? "" : "s")});
    if (f->n_bugs || f->unconfirmed || f->to_reduce)
        vec_push(&lines, (struct line){"", ""});
    draw_waiting(a, f, dir, &lines);
    for (size_t i = 0; i < lines.n; i++)
        text_print(stdout, "%s\n", lines.at[i].text);
    if (f->n_bugs)
        text_print(stdout, "assay bugs%s lists them all; assay show%s %lld shows one\n", dir, dir,
                   (long long)f->bugs[0].first->finding->id);
    vec_release(&lines);
}

int status_end(struct status *s, const char *why, struct error *e)
{
    struct arena a;
    struct figures f;
    terminal_off(&s->terminal);
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
