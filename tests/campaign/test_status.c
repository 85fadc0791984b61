/* What a campaign says of itself while it runs and at its end, against what stands in status.txt.
 * `test_status FILE print` prints the file as it would have to be. */
#include "base/strbuf.h"
#include "campaign/screen.h"
#include "store/fixture.h"

#include <unistd.h>

/* When the last finding was, and the version, change. */
static const struct {
    const char *before, *of; /* the characters of what is not compared */
} changing[] = {{"last finding  ", " 0123456789.msago"},
                {" in this round", " "}, /* up to the next column */
                {"\"last_finding_at\":", " 0123456789"},
                {"assay ", "0123456789."},
                {", 1m ", "0123456789s"}}; /* what a reduction has taken */

/* How much of the text changes behind this; 0: nothing. */
static size_t changes(const char *p, const char **before)
{
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++) {
        size_t n = strlen(changing[i].before);
        *before = changing[i].before;
        if (!strncmp(p, *before, n) && strspn(p + n, changing[i].of))
            return n + strspn(p + n, changing[i].of);
    }
    return 0;
}

static void add_masked(struct strbuf *out, const char *text)
{
    const char *before;
    for (const char *p = text; *p;) {
        size_t n = changes(p, &before);
        if (n)
            strbuf_addf(out, "%s(changes) ", before);
        else
            strbuf_addc(out, *p);
        p += n ? n : 1;
    }
}

/* What status_begin, two updates and status_end print. */
static void tell(struct fixture *f, struct status s, const char *title, struct strbuf *out)
{
    struct strbuf text;
    const char *path = arena_printf(&f->a, "%s/out", f->dir);
    strbuf_init(&text, 0);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (!freopen(path, "w", stdout))
        BUG("no output");
    s.store = f->s;
    s.campaign = f->campaign;
    s.dir = s.dir ? s.dir : "there";
    status_begin(&s);
    if (s.mode != STATUS_JSON) { /* as if it had run for a while: 2 tests/s, and 5 of late */
        s.started_ms -= 10000000;
        s.tests_at_start -= 20000;
        s.last_ms -= 1000000;
        s.last_tests -= 5000;
        s.next_plain_ms = 0;
    }
    int status = status_update(&s, &f->e) || status_update(&s, &f->e) ||
                 status_end(&s, "all is done", &f->e);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    must(status ? -1 : fs_read(path, &text, &f->e), &f->e);
    strbuf_addf(out, "== %s\n", title);
    add_masked(out, text.s);
    strbuf_release(&text);
}

/* All findings so far were made in one second, whatever the machine did: the order of bugs goes by
 * it. */
static void at_once(const struct fixture *f)
{
    make_database(f->path, "UPDATE finding SET found_at = (SELECT min(found_at) FROM finding)");
}

static void tell_all(struct fixture *f, const char *when, struct strbuf *out)
{
    tell(f, (struct status){.mode = STATUS_LIVE, .workers = 3, .colour = true},
         arena_printf(&f->a, "%s, live", when), out);
    tell(f,
         (struct status){.mode = STATUS_LIVE,
                         .workers = 1,
                         .reduce = true,
                         .budget = {.ms = 90000, .tests = 50}},
         arena_printf(&f->a, "%s, live with a budget", when), out);
    tell(f, (struct status){.mode = STATUS_PLAIN}, arena_printf(&f->a, "%s, plain", when), out);
    tell(f, (struct status){.mode = STATUS_JSON, .reduce = true},
         arena_printf(&f->a, "%s, JSON", when), out);
    tell(f, (struct status){.mode = STATUS_NONE}, arena_printf(&f->a, "%s, none", when), out);
}

/* A frame of a campaign with many testbeds, two reductions and some bugs. */
static void compose(struct fixture *f, int rows, int columns, screen *lines)
{
    enum { TESTBEDS = 12, BUGS = 5 };
    static const char *const flags[] = {"-O0", "-O3 -fno-strict-aliasing -m32", "-Os"};
    static struct worker_board boards[3] = {
        {.reducing = {.finding = 17, .from_bytes = 134892, .bytes = 512}},
        {.reducing = {.finding = 0, .from_bytes = 1, .bytes = 1}},
        {.reducing = {.finding = 3, .from_bytes = 70, .bytes = 70}}};
    for (int i = 0; i < 5; i++)
        boards[0].reducing.pass[i] = "loops"[i];
    struct store_testbed *list = arena_array(&f->a, struct store_testbed, TESTBEDS);
    struct bug *bugs = arena_array(&f->a, struct bug, BUGS);
    for (int i = 0; i < TESTBEDS; i++) {
        list[i] = (struct store_testbed){.name = arena_printf(&f->a, "gcc-%d %s", i, flags[i % 3]),
                                         .version = "1"};
        list[i].outcomes[OUTCOME_OK] = 120000 + i;
        list[i].outcomes[OUTCOME_RUN_CRASH] = list[i].anomalies[ANOMALY_RUN_CRASH] = i == 11;
    }
    for (int i = 0; i < BUGS; i++) {
        struct finding *finding = arena_new(&f->a, struct finding);
        struct bug_member *member = arena_new(&f->a, struct bug_member);
        *finding = (struct finding){.id = i + 1, .signature = "gcc run-crash: signal SEGV"};
        *member = (struct bug_member){.finding = finding};
        bugs[i] = (struct bug){.first = member, .n_seen = i + 1};
    }
    struct status s = {.workers = 3, .dir = "there", .campaign = 1};
    s.boards = boards;
    for (int i = 0; i < 3; i++)
        boards[i].reducing.began_ms = clock_ms() - 61000;
    struct figures figures = {.campaign = {.generator = "smith", .incidents = 2, .own_us = 1},
                              .testbeds = list,
                              .n_testbeds = TESTBEDS,
                              .bugs = bugs,
                              .n_bugs = BUGS,
                              .counts = {.open = BUGS, .findings = 15},
                              .reduce = true,
                              .total_us = 1};
    screen_compose(&s, &f->a, &figures, rows, columns, lines);
    if ((int)lines->n > rows)
        BUG("%zu lines on a terminal of %d", lines->n, rows);
}

static void frame(struct fixture *f, int rows, int columns, struct strbuf *out)
{
    screen lines = {0};
    compose(f, rows, columns, &lines);
    strbuf_addf(out, "== %d x %d\n", columns, rows);
    for (size_t i = 0; i < lines.n; i++)
        add_masked(out, arena_printf(&f->a, "%.*s\n", columns - 1, lines.at[i].text));
    vec_release(&lines);
}

/* What slipped into a reduction and was reduced is a bug here, as it is in the list of all. */
static void test_same_count(struct fixture *f, int64_t from)
{
    struct program p = make_program(&f->a, 999, 50);
    struct bug_list l;
    struct bug_counts c = {0};
    struct strbuf text;
    int64_t slip;
    must(store_slip(f->s, from, &p, &crash, &crashed, "clang build-crash: error: in slip", 3, 3,
                    &slip, &f->e),
         &f->e);
    must(store_reduction_put(
             f->s, &(struct store_reduction){.finding = slip, .state = REDUCTION_DONE, .flags = ""},
             &p, &f->e),
         &f->e);
    must(bugs_load(f->s, &store_everything, &f->a, &l, &f->e), &f->e);
    for (int i = 0; i < l.n; i++)
        bug_count(&c, &l.bugs[i], l.bugs[i].n_seen);
    is_int(c.findings, 23, "one more than before");
    strbuf_init(&text, 0);
    tell(f, (struct status){.mode = STATUS_PLAIN, .reduce = true}, "", &text);
    const char *wanted =
        arena_printf(&f->a, "%d findings in %d bugs, 1 reduced", (int)c.findings, c.open);
    ok(strstr(text.s, wanted) != NULL, "the end of a campaign counts them too: %s", wanted);
    strbuf_release(&text);
}

/* How many lines each part of a frame has, for terminals of so many columns. */
static void shapes(struct fixture *f, int columns, struct strbuf *out)
{
    for (int rows = 2; rows < 45; rows++) {
        screen lines = {0};
        int part = 0;
        compose(f, rows, columns, &lines);
        strbuf_addf(out, "%d x %d:", columns, rows);
        for (size_t i = 0; i < lines.n; i++) {
            const char *text = lines.at[i].text;
            if (strncmp(text, "-- ", 3) != 0 && i + 1 < lines.n) {
                part++;
                continue;
            }
            strbuf_addf(out, " %d %.*s", part, (int)strcspn(text + 3, " ;"), text + 3);
            part = 0;
        }
        strbuf_addc(out, '\n');
        vec_release(&lines);
    }
}

static void put_reduction(struct fixture *f, int64_t finding, enum reduction_state state)
{
    struct store_reduction r = {
        .finding = finding, .state = state, .flags = "", .method = "", .why = ""};
    must(store_reduction_put(f->s, &r, NULL, &f->e), &f->e);
}

static void mark(struct fixture *f, int64_t finding, enum mark as)
{
    struct store_mark m = {.finding = finding, .mark = as, .covers_signature = true};
    must(store_mark_put(f->s, &m, &f->e), &f->e);
}

/* A test in which a filter marks its program, and one whose finding shows with its inputs alone. */
static void add_filtered(struct fixture *f)
{
    struct testbed judge = testbeds[0];
    struct store_claim c;
    int64_t ids[BEDS], id;
    judge.name = "judge", judge.reference = false, judge.filter = true;
    must(store_testbed_id(f->s, f->campaign, &judge, &id, &f->e), &f->e);
    struct observation marked = good;
    marked.outcome = OUTCOME_RUN_CRASH;
    struct program p = make_program(&f->a, 5, 100);
    struct store_result r = {.testbed = id, .observation = &marked, .signature = ""};
    struct store_test t = {&p, &r, 1, 1000, 0, 0, 0};
    int n;
    must(claim(f, 1, &c), &f->e);
    must(store_record_test(f->s, &c, &t, ids, &n, &f->e), &f->e);
    must(claim(f, 1, &c), &f->e);
    must(record(f, &c, 1, 100, "clang run-crash: SIGFPE", ids), &f->e);
    struct store_confirmation dropped = {
        .finding = ids[0], .seen = 3, .tried = 3, .state = FINDING_CONFIRMED, .only_inputs = true};
    must(store_confirm(f->s, &c, &dropped, 1, &f->e), &f->e);
}

/* Findings in all states: seen once, reduced, half-way, in vain; known, mended; and what was not
 * believed. */
static void tell_rest(struct strbuf *out)
{
    struct fixture f;
    setup(&f, 7);
    add_filtered(&f);
    must(store_note(f.s, f.campaign, 7, "an incident", &f.e) < 0 ? -1 : 0, &f.e);
    whole_test(&f, 1, 100, "clang build-crash: error: in a", FINDING_NEW);
    int64_t b = whole_test(&f, 1, 100, "clang build-crash: error: in b", FINDING_CONFIRMED);
    put_reduction(&f, b, REDUCTION_BEGUN);
    at_once(&f);
    tell(&f, (struct status){.mode = STATUS_PLAIN, .dir = "."}, "one of each", out);
    must(store_campaign_end_round(f.s, f.campaign, &f.e), &f.e);
    add_filtered(&f);
    whole_test(&f, 1, 100, "clang build-crash: error: in c", FINDING_NEW);
    int64_t d = whole_test(&f, 1, 100, "clang build-crash: error: in d", FINDING_CONFIRMED),
            e = whole_test(&f, 1, 100, "clang build-crash: error: in e", FINDING_CONFIRMED),
            k = whole_test(&f, 1, 100, "clang build-crash: error: in k", FINDING_CONFIRMED),
            l = whole_test(&f, 1, 100, "clang build-crash: error: in l", FINDING_CONFIRMED);
    whole_test(&f, 1, 100, "clang build-crash: error: in k", FINDING_CONFIRMED);
    whole_test(&f, 1, 100, "clang build-crash: error: in b", FINDING_CONFIRMED);
    put_reduction(&f, d, REDUCTION_DONE);
    put_reduction(&f, e, REDUCTION_FAILED);
    mark(&f, k, MARK_KNOWN);
    mark(&f, l, MARK_FIXED);
    at_once(&f);
    tell(&f, (struct status){.mode = STATUS_PLAIN, .reduce = true}, "two of each", out);
    tell(&f, (struct status){.mode = STATUS_LIVE, .workers = 2, .reduce = true},
         "two of each, live", out);
    tell(&f, (struct status){.mode = STATUS_JSON}, "two of each, JSON", out);
    mark(&f, d, MARK_WONTFIX);
    mark(&f, e, MARK_KNOWN);
    tell(&f, (struct status){.mode = STATUS_PLAIN}, "three that are known", out);
    teardown(&f);
}

/* What is drawn on a terminal of so many columns: cut, coloured or not, and as visible text. */
static void draw_lines(struct fixture *f, bool colour, int rows, int columns, struct strbuf *out)
{
    static const struct line some[] = {{"\033[1m", "bold and long enough"},
                                       {"", "plain"},
                                       {"\033[31m", "\303\244\303\244\303\244\303\244"},
                                       {"", "a\033[7mb"}};
    struct terminal t = {.colour = colour};
    struct strbuf text;
    screen lines = {0};
    const char *path = arena_printf(&f->a, "%s/out", f->dir);
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        vec_push(&lines, some[i]);
    strbuf_init(&text, 0);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    if (!freopen(path, "w", stdout))
        BUG("no output");
    terminal_off(&t);
    terminal_draw(&t, &lines, rows, columns);
    bool resized = terminal_is_resized(&t);
    terminal_draw(&t, &lines, rows, columns);
    terminal_off(&t);
    bool off = !terminal_is_resized(&t);
    terminal_off(&t);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    must(fs_read(path, &text, &f->e), &f->e);
    strbuf_addf(out, "== drawn on %d x %d, %s, %s\n%s\n", columns, rows,
                resized ? "which is resized" : "which it has", off ? "off" : "on", text.s);
    strbuf_release(&text);
    vec_release(&lines);
}

int main(int argc, char **argv)
{
    struct fixture f;
    struct strbuf seen, wanted;
    setup(&f, 7);
    strbuf_init(&seen, 0);
    strbuf_init(&wanted, 0);
    if (argc < 2 || fs_read(argv[1], &wanted, &f.e))
        BUG("no file of what is said");
    tell_all(&f, "new", &seen);
    whole_test(&f, 0, 100, "", FINDING_NEW);
    int64_t first = whole_test(&f, 1, 100, "clang build-crash: error: in z", FINDING_CONFIRMED);
    must(store_campaign_tick(f.s, f.campaign, 61500, 1000, &f.e), &f.e);
    tell_all(&f, "one bug", &seen);
    for (int i = 0; i < 14; i++)
        whole_test(&f, 1 + i % 2, 100,
                   arena_printf(&f.a, "clang build-crash: error: in %c", "abcdefghijklmn"[i]),
                   FINDING_CONFIRMED);
    whole_test(&f, 1, 100, "wobbly", FINDING_FLAKY);
    must(store_mark_put(
             f.s,
             &(struct store_mark){.finding = first, .mark = MARK_KNOWN, .covers_signature = true},
             &f.e),
         &f.e);
    must(store_campaign_tick(f.s, f.campaign, 3600000, 500, &f.e), &f.e);
    at_once(&f);
    tell_all(&f, "many bugs", &seen);
    frame(&f, 24, 80, &seen);
    frame(&f, 15, 60, &seen);
    frame(&f, 12, 40, &seen);
    frame(&f, 4, 20, &seen);
    frame(&f, 50, 200, &seen);
    shapes(&f, 50, &seen);
    shapes(&f, 80, &seen);
    tell_rest(&seen);
    draw_lines(&f, true, 24, 80, &seen);
    draw_lines(&f, false, 24, 80, &seen);
    draw_lines(&f, true, 3, 8, &seen);
    draw_lines(&f, false, 4, 4, &seen);
    if (argc > 2)
        printf("%s", seen.s);
    else
        is_str(seen.s, wanted.s, "what is said of a campaign");
    if (argc == 2) {
        test_same_count(&f, first);
        is_str(terminal_shorten(&f.a, "gcc -O2 -m32", 12), "gcc -O2 -m32", "a name that fits");
        is_str(terminal_shorten(&f.a, "gcc -O2 -m32", 9), "gcc ..m32", "one that does not");
        is_str(terminal_shorten(&f.a, "\303\244\303\244\303\244\303\244", 5), "\303\244..",
               "not within a character");
        is_str(terminal_shorten(&f.a, "gcc -O2", 3), "gcc", "no room for a gap");
        is_str(terminal_shorten(&f.a, "gcc -O2", 4), "gcc ", "  nor in four");
        is_str(terminal_shorten(&f.a, "gcc -O2", 5), "gc..2", "  but in five");
        is_str(terminal_shorten(&f.a, "gcc -O2", 6), "gc..O2", "  and in six");
        is_str(terminal_shorten(&f.a, "gcc -O2", 0), "", "none");
        is_str(terminal_shorten(&f.a, "", 0), "", "nothing in none");
        is_str(terminal_shorten(&f.a, "gcc -O2", -3), "", "no room at all");
    }
    strbuf_release(&seen);
    strbuf_release(&wanted);
    teardown(&f);
    return argc > 2 ? 0 : tap_done();
}
