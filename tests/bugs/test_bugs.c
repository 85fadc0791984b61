/* What a bug is: which findings belong to it, what the store knows of each, what people say of it.
 */
#include "bugs/bugs.h"
#include "store/fixture.h"

static void reduce_to(struct fixture *f, int64_t id, const char *text, const char *flags)
{
    struct program_file file = {"t.c", text, strlen(text)};
    struct program p = make_program(&f->a, 1, 10);
    p.files = &file;
    must(store_reduction_put(
             f->s,
             &(struct store_reduction){.finding = id, .state = REDUCTION_DONE, .flags = flags}, &p,
             &f->e),
         &f->e);
}

/* The bug of a finding in a list; NULL: it is in none. */
static const struct bug *bug_with(const struct bug_list *l, int64_t finding)
{
    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < l->bugs[i].n_members; k++)
            if (l->bugs[i].members[k]->finding->id == finding)
                return &l->bugs[i];
    return NULL;
}

static struct bug_list load(struct fixture *f, const struct store_query *query)
{
    struct bug_list l;
    must(bugs_load(f->s, query, &f->a, &l, &f->e), &f->e);
    return l;
}

static void mark(struct fixture *f, int64_t id, enum mark mark, const char *note, int64_t at)
{
    struct store_mark m = {.finding = id, .mark = mark, .covers_signature = true, .note = note};
    must(store_mark_put(f->s, &m, &f->e), &f->e);
    char *sql = arena_printf(&f->a, "UPDATE mark SET at = %lld WHERE finding = %lld", (long long)at,
                             (long long)id);
    must(sqlite_exec(f->s, sql, &f->e), &f->e);
}

/* A test in which gcc -O0 does this and another testbed prints something else. */
static int64_t wrong_on(struct fixture *f, int bed, const struct observation *plain,
                        enum anomaly anomaly, const char *signature)
{
    const struct verdict wrong = {ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, 1, false};
    struct store_result r[BEDS];
    struct store_claim c;
    int64_t ids[BEDS];
    int n;
    make_results(f, r, 0, "");
    r[0].observation = plain;
    r[bed].verdict = wrong;
    r[bed].signature = bed == 1 ? "gcc -O3 wrong-output" : "clang -O2 wrong-output";
    r[0].verdict.anomaly = anomaly;
    r[0].signature = signature;
    must(claim(f, 1, &c), &f->e);
    struct program p = make_program(&f->a, c.seed, 100);
    const struct store_test t = {&p, r, BEDS, 10, 20, 30, 40};
    must(store_record_test(f->s, &c, &t, ids, &n, &f->e), &f->e);
    must(confirm(f, &c, ids, n, FINDING_CONFIRMED), &f->e);
    return ids[n - 1];
}

static int64_t wrong_at(struct fixture *f, const struct observation *plain, enum anomaly anomaly,
                        const char *signature)
{
    return wrong_on(f, 1, plain, anomaly, signature);
}

/* What the accused's compiler does without optimisation tells bugs apart. */
static void test_unoptimised(void)
{
    static const struct observation skipped = {
        .outcome = OUTCOME_SKIPPED, .messages = "", .detail = ""};
    struct fixture f;
    setup(&f, 0);
    int64_t both = wrong_at(&f, &good, ANOMALY_WRONG_OUTPUT, "gcc -O0 wrong-output"),
            alone = wrong_at(&f, &good, ANOMALY_NONE, ""),
            unknown = wrong_at(&f, &skipped, ANOMALY_NONE, "");
    reduce_to(&f, both - 1, "int x;", "");
    struct bug_list l = load(&f, &all_findings);
    is_int(l.n, 2, "wrong at -O0, and at -O3 alone: two bugs");
    ok(bug_with(&l, both) == bug_with(&l, both - 1), "  both levels of one program, one");
    ok(bug_with(&l, alone) != bug_with(&l, both), "  where -O0 was right, another");
    ok(bug_with(&l, unknown) == bug_with(&l, both), "  where -O0 was not tried, the one");
    int64_t other = wrong_at(&f, &crash, ANOMALY_BUILD_CRASH, "gcc build-crash: in a");
    reduce_to(&f, alone, "void f(char *p) { while (*p) p++; }", "");
    l = load(&f, &all_findings);
    is_int(l.n, 4, "two that are reduced, and what may be either");
    ok(bug_with(&l, both) == bug_with(&l, both - 1), "  of one program still one");
    ok(bug_with(&l, other) == bug_with(&l, unknown), "  where -O0 did something else, either");
    ok(testbed_optimises("random") && !testbed_optimises("-g"),
       "flags that are drawn may optimise");
    int64_t first = wrong_on(&f, 2, &good, ANOMALY_WRONG_OUTPUT, "gcc -O0 wrong-output"),
            second = wrong_on(&f, 2, &good, ANOMALY_NONE, "");
    reduce_to(&f, first, "int z;", "");
    l = load(&f, &all_findings);
    ok(bug_with(&l, first) == bug_with(&l, second), "what another compiler does tells nothing");
    teardown(&f);
}

/* Beside each finding what is known of it, and nothing that belongs to another. */
static void test_members(void)
{
    struct fixture f;
    setup(&f, 0);
    struct bug_list l = load(&f, &all_findings);
    ok(l.n_findings == 0 && l.n == 0, "nothing was found");
    int64_t plain = whole_test(&f, 1, 100, "cc build-crash: in ice", FINDING_CONFIRMED);
    int64_t left_out = whole_test(&f, 1, 100, "cc build-crash: in ice", FINDING_FLAKY);
    int64_t blamed = whole_test(&f, 1, 100, "cc build-crash: in other", FINDING_CONFIRMED),
            wobbly = whole_test(&f, 1, 100, "cc build-crash: in wobbly", FINDING_FLAKY), slipped;
    reduce_to(&f, blamed, "int x;", "-O1");
    /* a failed reduction has no program */
    must(store_reduction_put(f.s,
                             &(struct store_reduction){.finding = plain, .state = REDUCTION_FAILED},
                             NULL, &f.e),
         &f.e);
    must(store_blame_put(f.s, &(struct store_blame){.finding = blamed, .pass = "-fgcse"}, &f.e),
         &f.e);
    mark(&f, plain, MARK_KNOWN, "", 1);
    struct program p = make_program(&f.a, 99, 50);
    must(store_slip(f.s, blamed, &p, &crash, &crashed, "cc build-crash: in ice", 3, 3, &slipped,
                    &f.e),
         &f.e);
    is_int(slipped, 0, "that signature is there already");
    must(store_slip(f.s, blamed, &p, &crash, &crashed, "cc build-crash: in slipped", 3, 3, &slipped,
                    &f.e),
         &f.e);

    l = load(&f, &all_findings);
    is_int(l.n_findings, 4, "a flaky one with the signature of a steady one is left out");
    is_int(l.n, 4, "four bugs");
    const struct bug_member *m = l.members;
    bool beside = true;
    for (int i = 0; i < l.n_findings; i++)
        beside = beside && m[i].finding == &l.findings[i] &&
                 !strcmp(m[i].testbed->toolchain, "clang") && bug_with(&l, m[i].finding->id);
    ok(beside, "each beside its finding, with its testbed, and in a bug");
    ok(m[0].finding->id == plain && m[0].known && m[0].mark && !m[0].text && !m[0].blame &&
           m[0].reduction->state == REDUCTION_FAILED,
       "known, not reduced, nobody to blame");
    ok(m[1].finding->id == blamed && !m[1].known && !m[1].mark, "not known");
    is_str(m[1].text, "int x;", "its reduced text");
    is_str(m[1].reduction->flags, "-O1", "the flags that are left");
    is_str(m[1].blame->pass, "-fgcse", "what was blamed");
    ok(m[2].finding->id == wobbly && !m[2].reduction, "a signature that is always flaky stays");
    ok(m[3].finding->id == slipped && !m[3].text, "what slipped in has its own");

    struct finding *one;
    int n;
    struct store_query x = all_findings;
    x.id = left_out;
    must(store_findings(f.s, &x, &f.a, &one, &n, &f.e), &f.e);
    struct bug_member out;
    struct bug_list own;
    must(bugs_load_with(f.s, one, &f.a, &own, &out, &f.e), &f.e);
    ok(!bug_with(&l, left_out) && own.n == 0 && out.known && !out.mark,
       "what is left out is known all the same");
    must(bugs_load_with(f.s, &l.findings[1], &f.a, &own, &out, &f.e), &f.e);
    ok(own.n == 1 && own.bugs->first->finding->id == blamed &&
           !strcmp(own.bugs->first->text, "int x;") && !strcmp(out.blame->pass, "-fgcse"),
       "one bug by itself");
    x = all_findings, x.signature = "cc build-crash: in other";
    l = load(&f, &x);
    ok(l.n == 1 && l.members[0].finding->id == blamed && l.members[0].text,
       "some, with what belongs to it");
    x = all_findings, x.state = FINDING_FLAKY;
    is_int(load(&f, &x).n_findings, 2, "flaky ones, where one asks for them");
    teardown(&f);
}

/* What slipped into a reduction waits with the bug that it slipped from, until it is reduced itself
 * or spoken of. */
static void test_slips(void)
{
    struct fixture f;
    struct bug_member member;
    struct bug_list l, own;
    setup(&f, 0);
    int64_t other = whole_test(&f, 1, 100, "cc build-crash: in other", FINDING_CONFIRMED);
    int64_t from = whole_test(&f, 1, 100, "cc build-crash: in ice", FINDING_CONFIRMED), slips[3];
    l = load(&f, &all_findings);
    const struct finding *ice = &l.findings[1];
    struct program p = make_program(&f.a, ice->seed, 50); /* made from that of the other */
    for (int i = 0; i < 3; i++)
        must(store_slip(f.s, from, &p, &crash, &crashed,
                        arena_printf(&f.a, "cc build-crash: in slip %d", i), 3, 3, &slips[i], &f.e),
             &f.e);
    int64_t later = whole_test(&f, 1, 100, "cc build-crash: in later", FINDING_CONFIRMED);
    l = load(&f, &all_findings);
    ok(l.n == 3 && l.n_findings == 6 && l.n_slips == 3, "three bugs, and three slips that wait");
    ok(l.findings[2].id == later && l.findings[3].id == slips[0], "behind all that do not");
    ok(bug_with(&l, from)->n_slips == 3 && !bug_with(&l, other)->n_slips && !bug_with(&l, slips[0]),
       "with the bug that they slipped from");
    must(bugs_load_with(f.s, &l.findings[3], &f.a, &own, &member, &f.e), &f.e);
    ok(own.n == 0 && member.testbed, "one of them has no bug");
    bool slipped;
    int64_t id;
    must(bugs_slipped_from(f.s, &l.findings[3], &p, &f.a, &slipped, &id, &f.e), &f.e);
    ok(slipped && id == from, "but a finding that it came from");
    must(bugs_slipped_from(f.s, &l.findings[0], &p, &f.a, &slipped, &id, &f.e), &f.e);
    ok(!slipped && !id, "as others do not");

    must(store_reduction_put(
             f.s, &(struct store_reduction){.finding = slips[1], .state = REDUCTION_BEGUN}, NULL,
             &f.e),
         &f.e);
    is_int(load(&f, &all_findings).n_slips, 3, "one that is being reduced waits still");
    reduce_to(&f, slips[1], "int slip;", "");
    mark(&f, slips[2], MARK_WONTFIX, "", 1);
    l = load(&f, &all_findings);
    ok(l.n == 5 && l.n_slips == 1 && bug_with(&l, slips[1]) && bug_with(&l, slips[2]),
       "what is reduced, or marked, is a bug by itself");
    struct store_query x = all_findings;
    x.signature = "cc build-crash: in slip 0";
    is_int(load(&f, &x).n, 1, "asked for alone it is there");
    must(store_reduction_put(
             f.s, &(struct store_reduction){.finding = slips[0], .state = REDUCTION_FAILED}, NULL,
             &f.e),
         &f.e);
    is_int(load(&f, &all_findings).n_slips, 0, "and so is what cannot be reduced");
    teardown(&f);
}

/* How many there are: what was reduced after it slipped counts with the campaign that it is of. */
static void test_counts(void)
{
    struct fixture f;
    struct bug_counts all = {0}, of_one = {0};
    int64_t slips[2], other;
    setup(&f, 0);
    int64_t from = whole_test(&f, 1, 100, "cc build-crash: in ice", FINDING_CONFIRMED);
    whole_test(&f, 1, 100, "cc build-crash: in ice", FINDING_CONFIRMED);
    int64_t known = whole_test(&f, 1, 100, "cc build-crash: in known", FINDING_CONFIRMED);
    struct bug_list l = load(&f, &all_findings);
    struct program p = make_program(&f.a, l.findings[0].seed, 50);
    for (int i = 0; i < 2; i++)
        must(store_slip(f.s, from, &p, &crash, &crashed,
                        arena_printf(&f.a, "cc build-crash: in slip %d", i), 3, 3, &slips[i], &f.e),
             &f.e);
    reduce_to(&f, slips[0], "int slip;", "");
    mark(&f, known, MARK_KNOWN, "", 1);
    must(store_campaign_open(f.s, "other", &some_options, 7, &other, &f.e), &f.e);
    l = load(&f, &all_findings);
    for (int i = 0; i < l.n; i++) {
        bug_count(&all, &l.bugs[i], l.bugs[i].n_seen);
        bug_count(&of_one, &l.bugs[i], bugs_part(&l, &l.bugs[i], f.campaign));
        is_int(bugs_part(&l, &l.bugs[i], other), 0, "another campaign has no part in it");
    }
    ok(all.open == 2 && all.known == 1 && all.fixed == 0, "two open bugs, one of them slipped");
    ok(all.findings == 3 && all.known_findings == 1, "what waits is not counted");
    ok(of_one.open == all.open && of_one.known == all.known && of_one.findings == all.findings,
       "for its campaign it is the same");
    teardown(&f);
}

/* A mark is that of the whole bug, whichever of its findings bears it: the newest counts. */
static void test_marks(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t a = whole_test(&f, 3, 900, "cc build-crash: in ice", FINDING_CONFIRMED);
    int64_t b = whole_test(&f, 2, 100, "cc build-crash: in ice", FINDING_CONFIRMED);
    struct bug_list l = load(&f, &all_findings);
    is_int(l.n, 2, "a bug of gcc, and one of clang");
    const struct bug *bug = bug_with(&l, a);
    ok(bug == bug_with(&l, b) && bug->n_members == 3, "of three findings");
    is_str(bug->testbeds, "gcc-12 -O0, gcc-12 -O3", "on two testbeds, each named once");
    ok(bug_shows_on(bug, "gcc-12 -O3") && !bug_shows_on(bug, "clang-14 -O2"), "shows on them");
    ok(bug->first_at > 1600000000 && bug->last_at >= bug->first_at, "times");
    ok(!bug->mark && !bug_is_closed(bug) && bug_mark(bug) == MARK_NONE, "nothing was said");
    is_str(bug_mark_name(bug), "open", "it is open");
    is_str(bug_note(bug), "", "without a note");

    int64_t seen = bug->last_at;
    mark(&f, a, MARK_FIXED, "old", seen - 9);
    mark(&f, b, MARK_KNOWN, "new", seen - 8);
    l = load(&f, &all_findings), bug = bug_with(&l, a);
    ok(bug->known && bug_is_closed(bug), "known");
    ok(bug_mark(bug) == MARK_KNOWN && !strcmp(bug_note(bug), "new"), "by the newest mark");

    mark(&f, b, MARK_FIXED, "done", seen - 7);
    l = load(&f, &all_findings), bug = bug_with(&l, a);
    ok(bug->again && !bug->fixed && !bug_is_closed(bug), "fixed, and seen since: open");
    ok(bug_mark(bug) == MARK_NONE && !strcmp(bug_mark_name(bug), "again"), "it is there again");
    mark(&f, b, MARK_FIXED, "done", seen + 7);
    l = load(&f, &all_findings), bug = bug_with(&l, a);
    ok(bug->fixed && bug_is_closed(bug), "fixed, and not seen since: closed");
    is_str(bug_mark_name(bug), "fixed", "it is fixed");
    teardown(&f);
}

static void blame(struct fixture *f, int64_t id, const char *pass)
{
    must(store_blame_put(f->s, &(struct store_blame){.finding = id, .pass = pass}, &f->e), &f->e);
}

/* A bug is called after its oldest finding, and by nothing that may change. */
static void test_names(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t told = whole_test(&f, 1, 100, "cc build-crash: in ice", FINDING_CONFIRMED);
    int64_t silent = whole_test(&f, 1, 100, "cc wrong-output", FINDING_CONFIRMED);
    int64_t other = whole_test(&f, 1, 100, "cc wrong-output", FINDING_CONFIRMED);
    blame(&f, silent, "-fgcse");
    blame(&f, other, "-ftree-vrp");
    struct bug_list l = load(&f, &all_findings);
    is_int(l.n, 3, "three bugs, two of one signature");
    const char *names[] = {bug_with(&l, told)->name, bug_with(&l, silent)->name,
                           bug_with(&l, other)->name};
    int64_t ids[] = {told, silent, other};
    ok(!strncmp(names[0], "build-crash-clang-", 18) && strlen(names[0]) == 18 + 8,
       "kind, toolchain, hash: %s", names[0]);
    ok(strcmp(names[1], names[2]) != 0, "each has a name of its own");

    int64_t again = whole_test(&f, 1, 50, "cc build-crash: in ice", FINDING_CONFIRMED);
    int64_t shorter = whole_test(&f, 1, 50, "cc wrong-output", FINDING_CONFIRMED);
    blame(&f, shorter, "-ftree-vrp");
    reduce_to(&f, shorter, "int y;", "");
    whole_test(&f, 1, 100, "cc build-crash: in another", FINDING_CONFIRMED);
    blame(&f, whole_test(&f, 1, 100, "cc wrong-output", FINDING_CONFIRMED), "-fpre");
    reduce_to(&f, again, "int x;", "-O1"); /* it stands for the bug from now on */
    mark(&f, silent, MARK_KNOWN, "", 1);
    l = load(&f, &all_findings);
    is_int(l.n, 5, "other bugs, another order");
    is_int(bug_with(&l, told)->first->finding->id, again, "another finding to look at");
    is_int(bug_with(&l, other)->first->finding->id, shorter, "  of one without a message, too");
    for (int i = 0; i < 3; i++)
        is_str(bug_with(&l, ids[i])->name, names[i], "the name is the same");
    struct store_query some = all_findings;
    some.signature = "cc wrong-output";
    l = load(&f, &some);
    is_str(bug_with(&l, other)->name, names[2], "  in a part of the list, too");
    ok(bug_is_name(names[0]) && bug_is_name(arena_printf(&f.a, "%s.c", names[0])) &&
           !bug_is_name("build-crash-notes") && !bug_is_name("notes-12345678") &&
           !bug_is_name(arena_printf(&f.a, "%s~", names[0])),
       "names are told from others");
    teardown(&f);
}

/* A best program is there before the reduction is over. */
static void test_reduced(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t id = whole_test(&f, 1, 100, "cc build-crash: in ice", FINDING_CONFIRMED);
    struct bug_list l = load(&f, &all_findings);
    is_int(bug_reduced(l.bugs), BUG_NOT_REDUCED, "nobody has begun");
    struct program p = make_program(&f.a, 1, 10);
    struct store_reduction r = {.finding = id, .state = REDUCTION_BEGUN, .flags = ""};
    must(store_reduction_put(f.s, &r, NULL, &f.e), &f.e);
    l = load(&f, &all_findings);
    is_int(bug_reduced(l.bugs), BUG_NOT_REDUCED, "begun, and nothing was taken away");
    must(store_reduction_put(f.s, &r, &p, &f.e), &f.e);
    l = load(&f, &all_findings);
    is_int(bug_reduced(l.bugs), BUG_HALF_REDUCED, "half of the way");
    r.state = REDUCTION_DONE;
    must(store_reduction_put(f.s, &r, &p, &f.e), &f.e);
    l = load(&f, &all_findings);
    is_int(bug_reduced(l.bugs), BUG_REDUCED, "over");
    teardown(&f);
}

/* -- while others write ------------------------------------------------------------------------ */

struct meddling {
    struct fixture *f;
    struct store *other; /* the same file */
    int64_t finding;
    bool done;
};

/* As soon as the reductions have been read, another process puts a better case there: the text of
 * the one that was read is dropped. */
static int meddle(unsigned event, void *of, void *stmt, void *unused)
{
    struct meddling *m = of;
    struct program_file file = {"t.c", "int b;", 6};
    struct program p = make_program(&m->f->a, 1, 10);
    (void)event;
    (void)unused;
    if (m->done || !strstr(sqlite3_sql(stmt), "FROM reduction"))
        return 0;
    m->done = true;
    p.files = &file;
    must(store_reduction_put(
             m->other, &(struct store_reduction){.finding = m->finding, .flags = ""}, &p, &m->f->e),
         &m->f->e);
    return 0;
}

static void test_view(void)
{
    struct fixture f;
    struct bug_list l;
    struct program p;
    setup(&f, 0);
    struct meddling m = {.f = &f};
    m.finding = whole_test(&f, 1, 100, "cc build-crash: in ice", FINDING_CONFIRMED);
    reduce_to(&f, m.finding, "int first;", "");
    must(store_open(f.path, STORE_WRITE, &m.other, &f.e), &f.e);
    sqlite3_trace_v2(f.s->db, SQLITE_TRACE_PROFILE, meddle, &m);
    int status = bugs_load(f.s, &all_findings, &f.a, &l, &f.e);
    ok(status == 0 && m.done, "a list is read while a case is replaced%s%s", status ? ": " : "",
       status ? f.e.message : "");
    is_str(status ? "" : l.bugs->first->text, "int first;", "  as it was when it was begun");
    ok(store_program(f.s, l.members[0].reduction->program, &f.a, &p, NULL) < 0,
       "  though that text is gone");
    is_str(load(&f, &all_findings).bugs->first->text, "int b;", "  and then the next one");
    store_close(m.other);
    teardown(&f);
}

int main(void)
{
    test_names();
    test_reduced();
    test_members();
    test_unoptimised();
    test_slips();
    test_counts();
    test_marks();
    test_view();
    return tap_done();
}
