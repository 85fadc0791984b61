/* What the store keeps of reductions, blame and marks: each comes back as it was put, an older file
 * gets room for it, a killed process loses no better case that it was told is stored, and a worker
 * is handed what wants to be reduced, once. */
#include "fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int64_t found(struct fixture *f, const char *signature)
{
    return whole_test(f, 1, 300, signature, FINDING_CONFIRMED);
}

static struct program small_program(struct arena *a, const char *text)
{
    struct program_file *file = arena_new(a, struct program_file);
    *file = (struct program_file){"t.c", text, strlen(text)};
    return (struct program){.language = "c",
                            .files = file,
                            .n_files = 1,
                            .needs = "",
                            .trusted = true,
                            .made = {"csmith", "2.3.0", "reduced", 7, NULL}};
}

static bool has_text(struct fixture *f, const char *hash)
{
    struct program p;
    return store_program(f->s, hash, &f->a, &p, &f->e) == 0;
}

/* -- reductions -------------------------------------------------------------------------------- */

static void test_round_trip(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t id = found(&f, "ice"), other = found(&f, "ice");
    struct store_reduction r = {.finding = id,
                                .state = REDUCTION_BEGUN,
                                .flags = "-O1",
                                .method = "c",
                                .why = "",
                                .from_bytes = 300,
                                .bytes = 20,
                                .tests = 1,
                                .remembered = 2,
                                .refused = 3,
                                .kept = 4,
                                .cpu_us = 5,
                                .wall_ms = 6},
                           back;
    is_int(store_reduction_get(f.s, id, &f.a, &back, &f.e), 1, "no reduction yet");
    struct program best = small_program(&f.a, "int main(void) {}");
    must(store_reduction_put(f.s, &r, &best, &f.e), &f.e);
    is_int(synchronous(&f), 2, "a best case is on the disk before the call returns");
    is_int(store_reduction_get(f.s, id, &f.a, &back, &f.e), 0, "there it is");
    ok(back.finding == id && back.state == REDUCTION_BEGUN, "its finding and state");
    is_str(back.flags, "-O1", "flags");
    is_str(back.method, "c", "method");
    ok(back.from_bytes == 300 && back.bytes == 20 && back.tests == 1 && back.remembered == 2 &&
           back.refused == 3 && back.kept == 4 && back.cpu_us == 5 && back.wall_ms == 6,
       "figures");
    ok(back.at > 1600000000, "time");
    struct program stored;
    must(store_program(f.s, back.program, &f.a, &stored, &f.e), &f.e);
    is_str(stored.files[0].text, "int main(void) {}", "the text of the best case");
    is_str(stored.made.config, "reduced", "and how it was made");

    r.state = REDUCTION_DONE;
    r.bytes = 10;
    must(store_reduction_put(f.s, &r, NULL, &f.e), &f.e);
    struct store_reduction *all;
    int n;
    r.finding = other;
    r.state = REDUCTION_FAILED;
    r.why = "it did not show again";
    must(store_reduction_put(f.s, &r, NULL, &f.e), &f.e);
    must(store_reductions(f.s, &f.a, &all, &n, &f.e), &f.e);
    is_int(n, 2, "two reductions");
    ok(all[0].finding == id && all[0].state == REDUCTION_DONE && all[0].bytes == 10,
       "the first, changed");
    is_str(all[0].program, back.program, "its best case is not lost when there is none now");
    is_str(all[1].why, "it did not show again", "the second says why it failed");
    is_str(all[1].program, "", "it has no case");
    ok(is_sound(f.path), "sound");
    teardown(&f);
}

/* Steps do not pile up; a text that a test or another reduction names stays. */
static void test_superseded(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t id = found(&f, "ice"), other = found(&f, "ice");
    struct finding *list;
    int n;
    must(store_findings(f.s, &all_findings, &f.a, &list, &n, &f.e), &f.e);
    struct program original, first = small_program(&f.a, "first"), second = first;
    must(store_program(f.s, list[0].program, &f.a, &original, &f.e), &f.e);
    second = small_program(&f.a, "second");
    char first_hash[PROGRAM_HASH_SIZE], second_hash[PROGRAM_HASH_SIZE];
    program_hash(&first, first_hash);
    program_hash(&second, second_hash);
    struct store_reduction r = {.finding = id};
    int origins = ask_number(f.path, "SELECT count(*) FROM origin");

    must(store_reduction_put(f.s, &r, &original, &f.e), &f.e);
    must(store_reduction_put(f.s, &r, &first, &f.e), &f.e);
    ok(has_text(&f, list[0].program), "the text of a test stays");
    ok(has_text(&f, first_hash), "the better case is there");
    r.finding = other;
    must(store_reduction_put(f.s, &r, &first, &f.e), &f.e);
    must(store_reduction_put(f.s, &r, &second, &f.e), &f.e);
    ok(has_text(&f, first_hash), "a text that the other reduction names stays");
    must(store_reduction_put(f.s, &r, &second, &f.e), &f.e);
    ok(has_text(&f, second_hash), "the same again changes nothing");
    r.finding = id;
    must(store_reduction_put(f.s, &r, &second, &f.e), &f.e);
    ok(!has_text(&f, first_hash), "a text that nobody names any more is gone");
    is_int(ask_number(f.path, "SELECT count(*) FROM program"), 3, "two originals, one case");
    is_int(ask_number(f.path, "SELECT count(*) FROM origin"), origins + 1, "made once");
    ok(is_sound(f.path) && books_are_right(f.path), "sound, the books are right");
    teardown(&f);
}

static void test_answers(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t id = found(&f, "ice"), other = found(&f, "ice");
    struct store_answer put[] = {{"b", 1}, {"a", 0}, {"c", 1}}, changed = {"a", 1}, *back;
    int n;
    must(store_answers_put(f.s, id, put, 3, &f.e), &f.e);
    is_int(synchronous(&f), 1, "an answer is not waited for");
    must(store_answers_put(f.s, other, put, 1, &f.e), &f.e);
    must(store_answers_put(f.s, id, &changed, 1, &f.e), &f.e);
    must(store_answers(f.s, id, &f.a, &back, &n, &f.e), &f.e);
    is_int(n, 3, "three answers");
    ok(!strcmp(back[0].hash, "a") && back[0].answer == 1 && !strcmp(back[2].hash, "c"),
       "by hash, the later one counts");
    must(store_answers_drop(f.s, id, &f.e), &f.e);
    must(store_answers(f.s, id, &f.a, &back, &n, &f.e), &f.e);
    is_int(n, 0, "dropped");
    must(store_answers(f.s, other, &f.a, &back, &n, &f.e), &f.e);
    is_int(n, 1, "those of the other stay");
    teardown(&f);
}

static void test_no_finding(void)
{
    struct fixture f;
    setup(&f, 0);
    struct store_reduction r = {.finding = 99};
    struct store_blame b = {.finding = 99};
    struct store_mark m = {.finding = 99};
    struct store_answer answer = {"a", 1};
    is_int(store_reduction_put(f.s, &r, NULL, &f.e), -1, "reduction of no finding");
    has_str(f.e.message, "has no finding 99", "it says so");
    is_int(f.e.kind, ERROR_USAGE, "the user's mistake");
    is_int(store_blame_put(f.s, &b, &f.e), -1, "blame for no finding");
    is_int(store_mark_put(f.s, &m, &f.e), -1, "mark on no finding");
    is_int(store_answers_put(f.s, 99, &answer, 1, &f.e), -1, "answers for no finding");
    teardown(&f);
}

/* -- claims ------------------------------------------------------------------------------------ */

enum { ROUND_MS = 1000, DEAR_US = 1000000 };

static int64_t next_reduction(struct fixture *f, int worker, int per_signature)
{
    const struct store_reducing how = {.per_signature = per_signature,
                                       .per_silent = per_signature,
                                       .round_ms = ROUND_MS,
                                       .dear_us = DEAR_US};
    int64_t id = -1;
    int claimed = store_reduction_claim(f->s, f->campaign, worker, &how, &id, &f->e);
    must(claimed, &f->e);
    return claimed ? id : 0;
}

static void end_reduction(struct fixture *f, int64_t id, enum reduction_state state)
{
    must(store_reduction_put(f->s, &(struct store_reduction){.finding = id, .state = state}, NULL,
                             &f->e),
         &f->e);
}

static void test_claims(void)
{
    struct fixture f;
    setup(&f, 0);
    is_int(next_reduction(&f, 1, 2), 0, "nothing was found");
    whole_test(&f, 1, 100, "ice", FINDING_FLAKY);
    whole_test(&f, 1, 100, "ice", FINDING_NEW);
    is_int(next_reduction(&f, 1, 2), 0, "what is not confirmed is not reduced");
    int64_t a = found(&f, "ice"), b = found(&f, "ice"), c = found(&f, "ice"), d = found(&f, "segv");
    is_int(next_reduction(&f, 1, 2), a, "the oldest confirmed one");
    is_int(next_reduction(&f, 3, 2), d, "then one of a signature that has none yet");
    is_int(next_reduction(&f, 2, 2), b, "then the next");
    is_int(next_reduction(&f, 4, 2), 0, "two of a signature are enough");
    is_int(next_reduction(&f, 4, 3), c, "one more when one more is allowed");
    end_reduction(&f, c, REDUCTION_FAILED);

    must(store_release(f.s, f.campaign, 2, NULL, 3, &f.e), &f.e);
    is_int(next_reduction(&f, 5, 1), b, "that of a stopped worker comes first");
    end_reduction(&f, a, REDUCTION_BEGUN);
    is_int(next_reduction(&f, 6, 3), 0, "a step does not end the claim");
    end_reduction(&f, a, REDUCTION_DONE);
    is_int(next_reduction(&f, 6, 3), 0, "nor does its end, while it is asked who is to blame");
    must(store_release(f.s, f.campaign, 1, NULL, 3, &f.e), &f.e);
    is_int(next_reduction(&f, 1, 3), a, "that question is taken up, too");
    must(store_blame_put(f.s, &(struct store_blame){.finding = a}, &f.e), &f.e);
    must(store_release(f.s, f.campaign, -1, NULL, 3, &f.e), &f.e);
    is_int(next_reduction(&f, 6, 3), b, "after a restart: those that were begun");
    is_int(next_reduction(&f, 6, 3), d, "one by one");
    is_int(next_reduction(&f, 6, 3), 0, "not those that are over");
    ok(books_are_right(f.path), "the books are right");
    teardown(&f);
}

/* Of signatures that tell of no bug more are reduced. */
static void test_silent(void)
{
    static const char *const ends[] = {"cc build-crash: SIGSEGV", "cc build-crash: signal 11",
                                       "cc build-crash: exit 1",
                                       "cc build-crash: truncated output"};
    const struct store_reducing how = {1, 2, ROUND_MS, DEAR_US};
    for (size_t i = 0; i <= sizeof ends / sizeof *ends; i++) {
        struct fixture f;
        int64_t id;
        int n = 0;
        bool silent = i < sizeof ends / sizeof *ends;
        const char *signature = silent ? ends[i] : "cc build-crash: in f, at g.c";
        setup(&f, 0);
        for (int k = 0; k < 3; k++)
            found(&f, signature);
        while (store_reduction_claim(f.s, f.campaign, 1, &how, &id, &f.e) > 0)
            n++;
        is_int(n, silent ? 2 : 1, "so many are reduced of %s", signature);
        teardown(&f);
    }
}

/* After a slice of time that took so long, with all slices before it. */
static void give_back(struct fixture *f, int64_t id, int64_t wall_ms)
{
    must(store_reduction_put(f->s, &(struct store_reduction){.finding = id, .wall_ms = wall_ms},
                             NULL, &f->e),
         &f->e);
    must(store_reduction_give_back(f->s, id, &f->e), &f->e);
}

/* A test that took the accused so long, with that result. */
static int64_t found_slowly(struct fixture *f, enum anomaly anomaly, int64_t cpu_us)
{
    struct observation o = crash;
    struct store_result r = {f->beds[1], &o, {anomaly, EVIDENCE_SELF, 1.0, false}, "slow"};
    struct program p = make_program(&f->a, (uint64_t)cpu_us, 100);
    struct store_test t = {.program = &p, .results = &r, .n_results = 1};
    struct store_claim c;
    int64_t id;
    int n;
    o.build.cpu_us = cpu_us;
    must(claim(f, 1, &c), &f->e);
    must(store_record_test(f->s, &c, &t, &id, &n, &f->e), &f->e);
    must(confirm(f, &c, &id, 1, FINDING_CONFIRMED), &f->e);
    return id;
}

/* The same program, wrong in the same way with other flags of one compiler, comes later. */
static void test_repeated(void)
{
    struct fixture f;
    setup(&f, 0);
    const char *signatures[] = {"gcc-12 -O0: one", "gcc-12 -O3: two"};
    int64_t ids[2][2];
    for (int k = 0; k < 2; k++) {
        struct store_result r[2];
        for (int i = 0; i < 2; i++)
            r[i] = (struct store_result){f.beds[i], &crash, crashed, signatures[i]};
        struct program p = make_program(&f.a, (uint64_t)k, 100);
        struct store_test t = {.program = &p, .results = r, .n_results = 2};
        struct store_claim c;
        int n;
        must(claim(&f, 1, &c), &f.e);
        must(store_record_test(f.s, &c, &t, ids[k], &n, &f.e), &f.e);
        must(confirm(&f, &c, ids[k], 2, FINDING_CONFIRMED), &f.e);
    }
    is_int(next_reduction(&f, 1, 9), ids[0][0], "the first of a program");
    is_int(next_reduction(&f, 2, 9), ids[1][1], "then one of another, which has fewer like it");
    is_int(next_reduction(&f, 3, 9), ids[0][1], "then the same with other flags");
    is_int(next_reduction(&f, 4, 9), ids[1][0], "and the other");
    teardown(&f);
}

/* Reductions that are given back after a slice of time. */
static void test_slices(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t slow = found_slowly(&f, ANOMALY_BUILD_CRASH, 2 * DEAR_US),
            hang = found_slowly(&f, ANOMALY_BUILD_HANG, 0), a = found(&f, "ice"),
            b = found(&f, "segv");
    is_int(next_reduction(&f, 1, 9), a, "the dear ones are not first");
    give_back(&f, a, ROUND_MS / 2);
    is_int(next_reduction(&f, 2, 9), a, "one that was given back goes on, ahead of new ones");
    is_int(next_reduction(&f, 1, 9), b, "while it does, another is begun");
    give_back(&f, a, ROUND_MS);
    give_back(&f, b, ROUND_MS / 2);
    is_int(next_reduction(&f, 1, 9), b, "one that has had its round waits");
    give_back(&f, b, 2 * ROUND_MS);
    is_int(next_reduction(&f, 1, 9), a, "until the others have had theirs");
    end_reduction(&f, a, REDUCTION_FAILED);
    is_int(next_reduction(&f, 1, 9), b, "two rounds of one that is not dear");
    end_reduction(&f, b, REDUCTION_DONE);
    must(store_reduction_give_back(f.s, b, &f.e), &f.e);
    is_int(next_reduction(&f, 1, 9), b, "so are questions of blame");
    must(store_blame_put(f.s, &(struct store_blame){.finding = b}, &f.e), &f.e);
    is_int(next_reduction(&f, 1, 9), slow, "then one whose test is dear");
    is_int(next_reduction(&f, 2, 9), hang, "and a hang, whatever it was seen to take");
    is_int(next_reduction(&f, 3, 9), 0, "that is all");
    teardown(&f);
}

/* A finding on which workers die is given up, with incidents, as a seed is. */
static void test_deaths(void)
{
    struct fixture f;
    setup(&f, 10);
    int64_t id = found(&f, "ice");
    for (int i = 0; i < 2; i++) {
        is_int(next_reduction(&f, 1, 2), id, "attempt %d", i + 1);
        must(store_release(f.s, f.campaign, 1, "killed by SIGSEGV", 2, &f.e), &f.e);
    }
    is_int(next_reduction(&f, 1, 2), 0, "given up");
    struct store_reduction r;
    must(store_reduction_get(f.s, id, &f.a, &r, &f.e), &f.e);
    is_int(r.state, REDUCTION_FAILED, "as failed");
    has_str(r.why, "killed by SIGSEGV while finding", "it says why");
    struct store_incident *all;
    int n;
    must(store_incidents(f.s, f.campaign, &f.a, &all, &n, &f.e), &f.e);
    ok(n == 2 && all[0].seed == 10, "two incidents with its seed");
    struct store_campaign info;
    must(store_campaign_get(f.s, f.campaign, &f.a, &info, &f.e), &f.e);
    ok(info.incidents == 2 && info.tests == 1, "counted; the test itself stays done");

    id = found(&f, "segv");
    for (int i = 0; i < 2; i++) {
        is_int(next_reduction(&f, 1, 2), id, "blame: attempt %d", i + 1);
        end_reduction(&f, id, REDUCTION_DONE);
        must(store_release(f.s, f.campaign, 1, "killed by SIGSEGV", 2, &f.e), &f.e);
    }
    is_int(next_reduction(&f, 1, 2), 0, "given up");
    must(store_reduction_get(f.s, id, &f.a, &r, &f.e), &f.e);
    is_int(r.state, REDUCTION_DONE, "but it is reduced");
    struct store_blame *blames;
    must(store_blames(f.s, &f.a, &blames, &n, &f.e), &f.e);
    ok(n == 1 && blames[0].finding == id && !*blames[0].pass, "and nobody is to blame");
    has_str(blames[0].detail, "killed by SIGSEGV while finding", "it says why");
    teardown(&f);
}

/* -- what slips in ----------------------------------------------------------------------------- */

static void test_slip(void)
{
    struct fixture f;
    setup(&f, 500);
    int64_t id = found(&f, "ice"), other, again, third;
    struct program p = small_program(&f.a, "slipped");
    must(store_slip(f.s, id, &p, &crash, &crashed, "ice", 3, 3, &again, &f.e), &f.e);
    is_int(again, 0, "the same signature on the same testbed is nothing new");
    must(store_slip(f.s, id, &p, &crash, &crashed, "other", 3, 3, &other, &f.e), &f.e);
    ok(other > id, "another signature is a finding of its own");
    is_int(synchronous(&f), 2, "on the disk before the call returns");
    must(store_slip(f.s, id, &p, &crash, &crashed, "other", 3, 3, &again, &f.e), &f.e);
    is_int(again, 0, "once");
    must(store_slip(f.s, other, &p, &crash, &crashed, "third", 2, 2, &third, &f.e), &f.e);

    struct finding *list;
    struct store_observation *seen;
    struct store_campaign *campaigns;
    int n;
    struct store_query x = all_findings;
    x.id = other;
    must(store_findings(f.s, &x, &f.a, &list, &n, &f.e), &f.e);
    ok(n == 1 && list[0].state == FINDING_CONFIRMED && list[0].seen == 3 && list[0].tried == 3,
       "confirmed");
    is_str(list[0].testbed, testbeds[BEDS - 1].name, "the same testbed");
    ok(has_text(&f, list[0].program), "with its program");
    must(store_observations(f.s, list[0].campaign, list[0].seed, &f.a, &seen, &n, &f.e), &f.e);
    ok(n == 1 && seen[0].observation.outcome == OUTCOME_BUILD_CRASH, "and what was seen");
    must(store_campaigns(f.s, &f.a, &campaigns, &n, &f.e), &f.e);
    is_int(n, 2, "one campaign for all that slips into the first, and into what slipped");
    ok(campaigns[0].slipped_from == 0 && campaigns[1].slipped_from == f.campaign, "it says so");
    is_str(campaigns[1].generator, "slipped", "by its generator, too");
    ok(campaigns[1].findings == 2 && campaigns[1].tests == 0 && campaigns[1].started == 2,
       "counted there as findings, and not as tests that ran");
    is_int(campaigns[0].findings, 1, "and not in the first");
    int64_t same;
    must(store_campaign_open(f.s, "csmith", &some_options, 1, &same, &f.e), &f.e);
    is_int(same, f.campaign, "the first goes on as before");
    is_int(next_reduction(&f, 1, 2), id, "what is to be reduced: the first");
    is_int(next_reduction(&f, 1, 2), other, "then what slipped in");
    must(store_release(f.s, f.campaign, -1, NULL, 3, &f.e), &f.e);
    is_int(next_reduction(&f, 1, 2), id, "both are given back");
    ok(is_sound(f.path) && books_are_right(f.path), "sound, the books are right");
    teardown(&f);
}

/* -- recognition ------------------------------------------------------------------------------- */

static void test_blame(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t id = found(&f, "ice");
    struct store_blame b = {.finding = id,
                            .pass = "-ftree-vrp",
                            .detail = "right without it",
                            .first_bad = "gcc 11.3.0",
                            .last_good = "gcc 10.2.1",
                            .last_bad = "gcc 13.5.0",
                            .next_good = "gcc 14.4.0"},
                       *back;
    int n;
    must(store_blame_put(f.s, &(struct store_blame){.finding = id}, &f.e), &f.e);
    must(store_blame_put(f.s, &b, &f.e), &f.e);
    is_int(synchronous(&f), 2, "on the disk");
    must(store_blames(f.s, &f.a, &back, &n, &f.e), &f.e);
    ok(n == 1 && back[0].finding == id && back[0].at > 1600000000, "one, the later");
    is_str(back[0].pass, "-ftree-vrp", "pass");
    is_str(back[0].detail, "right without it", "detail");
    is_str(back[0].first_bad, "gcc 11.3.0", "first bad version");
    is_str(back[0].last_good, "gcc 10.2.1", "last good version");
    is_str(back[0].last_bad, "gcc 13.5.0", "last bad version");
    is_str(back[0].next_good, "gcc 14.4.0", "the next good version");
    teardown(&f);
}

static void test_kin(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t id = found(&f, "ice");
    struct strbuf many;
    const char *back;
    strbuf_init(&many, 0);
    for (int i = 0; i < 5000; i++)
        strbuf_addf(&many, "int a%d;\n", i);
    must(store_kin(f.s, id, &f.a, &back, &f.e), &f.e);
    is_str(back, "", "no kin is known");
    must(store_kin_put(f.s, id, "a few", &f.e), &f.e);
    must(store_kin(f.s, id, &f.a, &back, &f.e), &f.e);
    is_str(back, "a few", "a short text of kin");
    must(store_kin_put(f.s, id, many.s, &f.e), &f.e);
    must(store_kin(f.s, id, &f.a, &back, &f.e), &f.e);
    is_str(back, many.s, "a long one in its place");
    ok(ask_number(f.path, "SELECT length(programs) FROM kin") < (int64_t)many.n / 2,
       "which is compressed");
    is_int(store_kin_put(f.s, 99, "x", &f.e), -1, "kin of no finding");
    make_database(f.path, is_on_server(&f) ? "UPDATE kin SET programs = '\\xff00112233'"
                                           : "UPDATE kin SET programs = x'00112233'");
    is_int(store_kin(f.s, id, &f.a, &back, &f.e), -1, "kin that are damaged: noticed");
    strbuf_release(&many);
    teardown(&f);
}

static void test_constructs(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t first = found(&f, "ice"), second = found(&f, "hang"), *waiting;
    struct store_reduction row;
    int n;
    end_reduction(&f, first, REDUCTION_DONE);
    end_reduction(&f, second, REDUCTION_BEGUN);
    must(store_without_constructs(f.s, &f.a, &waiting, &n, &f.e), &f.e);
    ok(n == 1 && waiting[0] == first, "what is reduced is to be looked at");
    must(store_constructs_put(f.s, first, "#\ncshift\n", &f.e), &f.e);
    end_reduction(&f, first, REDUCTION_DONE);
    must(store_reduction_get(f.s, first, &f.a, &row, &f.e), &f.e);
    is_str(row.constructs, "#\ncshift\n", "what it does is kept with it");
    must(store_reduction_get(f.s, second, &f.a, &row, &f.e), &f.e);
    is_str(row.constructs, "", "  nothing is known of another");
    must(store_constructs_put(f.s, first, "", &f.e), &f.e);
    must(store_without_constructs(f.s, &f.a, &waiting, &n, &f.e), &f.e);
    is_int(n, 0, "what has no tree is not looked at again");
    teardown(&f);
}

static void put_mark(struct fixture *f, int64_t id, enum mark mark, bool covers, int64_t same_as)
{
    struct store_mark m = {.finding = id,
                           .mark = mark,
                           .note = "PR 1",
                           .version = "12.2.0",
                           .same_as = same_as,
                           .covers_signature = covers};
    must(store_mark_put(f->s, &m, &f->e), &f->e);
}

static int64_t news(struct fixture *f, int64_t since)
{
    int64_t n = -1;
    must(store_news(f->s, f->campaign, since, &n, &f->e), &f->e);
    return n;
}

/* A crash is known by its message, if who marks it says so. */
static void test_marks(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t a = found(&f, "ice"), b = found(&f, "ice"), c = found(&f, "segv");
    is_int(news(&f, 0), 3, "three findings");
    is_int(news(&f, a), 2, "two after the first");
    put_mark(&f, b, MARK_KNOWN, true, 0);
    is_int(synchronous(&f), 2, "a mark is on the disk");
    is_int(news(&f, 0), 1, "one message is known");
    int64_t *known;
    int n_known;
    must(store_known(f.s, &f.a, &known, &n_known, &f.e), &f.e);
    ok(n_known == 2 && known[0] == a && known[1] == b, "both findings with it");
    int n;
    is_int(next_reduction(&f, 1, 9), c, "what is known is not reduced");
    must(store_campaign_end_round(f.s, f.campaign, &f.e), &f.e);
    is_int(news(&f, -1), 0, "none since the round began");
    found(&f, "ice");
    found(&f, "new");
    is_int(news(&f, -1), 1, "the known one that came does not count");
    put_mark(&f, b, MARK_WONTFIX, true, 0);
    is_int(news(&f, -1), 1, "wontfix is known, too");
    put_mark(&f, b, MARK_FIXED, true, 0);
    is_int(news(&f, -1), 2, "what is fixed and shows again is news");

    struct store_mark *marks;
    must(store_marks(f.s, &f.a, &marks, &n, &f.e), &f.e);
    ok(n == 1 && marks[0].finding == b && marks[0].mark == MARK_FIXED && marks[0].same_as == 0 &&
           marks[0].covers_signature,
       "one mark, as it was put last");
    is_str(marks[0].note, "PR 1", "note");
    is_str(marks[0].version, "12.2.0", "version");
    ok(mark_from_name("wontfix") == MARK_WONTFIX && mark_from_name("mended") == -1, "words");
    teardown(&f);
}

/* A wrong output names no more than its testbed: another one may be another bug, unless the same
 * pass is to blame, or assay has found that they are the same. */
static void test_marks_of_wrong_outputs(void)
{
    static const struct verdict wrong = {ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, 1.0, false};
    struct fixture f;
    int64_t ids[4];
    setup(&f, 0);
    struct program p = make_program(&f.a, 1, 50);
    for (int i = 0; i < 4; i++) {
        struct store_result r = {f.beds[1], &good, wrong, "gcc-12 -O3 wrong-output"};
        struct store_test t = {.program = &p, .results = &r, .n_results = 1};
        struct store_claim c;
        int n;
        must(claim(&f, 1, &c), &f.e);
        must(store_record_test(f.s, &c, &t, &ids[i], &n, &f.e), &f.e);
        must(confirm(&f, &c, &ids[i], 1, FINDING_CONFIRMED), &f.e);
    }
    put_mark(&f, ids[0], MARK_KNOWN, false, 0);
    is_int(news(&f, 0), 3, "the signature of a wrong output makes no other one known");
    is_int(next_reduction(&f, 1, 9), ids[1], "so another one is reduced");
    for (int i = 0; i < 2; i++)
        must(store_blame_put(f.s, &(struct store_blame){.finding = ids[i], .pass = "-fgcse"}, &f.e),
             &f.e);
    must(store_blame_put(f.s, &(struct store_blame){.finding = ids[2], .pass = ""}, &f.e), &f.e);
    is_int(news(&f, 0), 2, "the same pass does");
    put_mark(&f, ids[3], MARK_KNOWN, false, ids[0]);
    is_int(news(&f, 0), 1, "and so does being the same bug");
    put_mark(&f, ids[0], MARK_FIXED, false, 0);
    is_int(news(&f, 0), 4, "all that share a mark change with it");
    teardown(&f);
}

/* -- older files ------------------------------------------------------------------------------- */

/* A file as an assay of schema 4 leaves it: three findings, two of them of the last round. */
static void make_version_4(struct fixture *f)
{
    make_database(f->path, "PRAGMA journal_mode = WAL");
    for (int i = 0; i < 4; i++)
        make_database(f->path, schema_migrations[i]);
    make_database(
        f->path,
        "PRAGMA application_id = 1095979865; PRAGMA user_version = 4;"
        "INSERT INTO campaign(id, generator, config, first_seed, started, tests, findings, "
        "round_tests, round_findings, created_at) "
        "VALUES (1, 'csmith', '--max-funcs 3', 500, 3, 3, 3, 1, 1, 1700000000);"
        "INSERT INTO testbed(id, campaign, name, toolchain, version, path, flags, model, "
        "reference, compile, run) "
        "VALUES (1, 1, 'gcc-9 -O2', 'gcc', '9', '/gcc', '-O2', 'lp64', 0, '', '');"
        "INSERT INTO program(hash, language, needs, trusted, files) "
        "VALUES ('0123456789abcdef0123456789abcdef', 'c', '', 1, x'00');");
    for (int i = 0; i < 3; i++) {
        char sql[1024];
        snprintf(sql, sizeof sql,
                 "INSERT INTO test(campaign, number, program, bytes, findings, done_at) "
                 "VALUES (1, %d, '0123456789abcdef0123456789abcdef', 77, 1, 170000000%d);"
                 "INSERT INTO observation(campaign, number, testbed, outcome, exit_status, signal, "
                 "output, output_size, output_hash, messages, detail, build_cpu_us, build_wall_us, "
                 "build_peak_kb, run_cpu_us, run_wall_us, run_peak_kb, anomaly, evidence, "
                 "confidence, of_group) VALUES (1, %d, 1, 'ok', 0, 0, 'out', 3, '', '', '', "
                 "1, 2, 3, 4, 5, 6, 'build-crash', 'self', 1.0, 0);"
                 "INSERT INTO finding VALUES (%d, 1, %d, %d, 1, 'old sig', 'confirmed', 3, 3, "
                 "170000000%d)",
                 i, i, i, i + 1, i, 500 + i, i);
        make_database(f->path, sql);
    }
}

static void check_version_4(struct fixture *f, const char *how)
{
    struct store_reduction *reductions;
    struct store_blame *blames;
    struct store_mark *marks;
    struct store_moment *moments;
    struct store_campaign *campaigns;
    int n[3], all;
    f->campaign = 1;
    must(store_reductions(f->s, &f->a, &reductions, &n[0], &f->e), &f->e);
    must(store_blames(f->s, &f->a, &blames, &n[1], &f->e), &f->e);
    must(store_marks(f->s, &f->a, &marks, &n[2], &f->e), &f->e);
    ok(n[0] == 0 && n[1] == 0 && n[2] == 0, "%s: what is new is empty", how);
    must(store_history(f->s, 0, 10, &f->a, &moments, &all, &f->e), &f->e);
    ok(all == 3 && moments[2].findings == 3, "%s: what is old can be plotted", how);
    must(store_campaigns(f->s, &f->a, &campaigns, &all, &f->e), &f->e);
    ok(all == 1 && campaigns[0].slipped_from == 0, "%s: its campaign is one to go on with", how);
    is_int(news(f, -1), 2, "%s: its round goes on where it was", how);
}

static void test_migration(void)
{
    struct fixture f;
    place_fixture(&f);
    make_version_4(&f);
    must(store_open(f.path, STORE_READ, &f.s, &f.e), &f.e);
    check_version_4(&f, "schema 4, read");
    is_int(ask_number(f.path, "PRAGMA user_version"), 4, "a reader leaves it old");
    reopen(&f, STORE_WRITE);
    check_version_4(&f, "schema 4, migrated");
    is_int(ask_number(f.path, "PRAGMA user_version"), SCHEMA_VERSION, "a writer migrates it");
    put_mark(&f, 1, MARK_KNOWN, true, 0);
    is_int(news(&f, 0), 0, "and marks its findings");
    ok(is_sound(f.path), "sound");
    teardown(&f);
}

static void test_strange_words(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t id = found(&f, "ice");
    put_mark(&f, id, MARK_KNOWN, true, 0);
    end_reduction(&f, id, REDUCTION_DONE);
    make_database(f.path, "UPDATE mark SET mark = 'maybe'; UPDATE reduction SET state = 'happy'");
    struct store_mark *marks;
    struct store_reduction *reductions;
    int n;
    is_int(store_marks(f.s, &f.a, &marks, &n, &f.e), -1, "a mark that is none of ours: noticed");
    has_str(f.e.message, "is damaged", "it says so");
    is_int(store_reductions(f.s, &f.a, &reductions, &n, &f.e), -1, "a state, too");
    teardown(&f);
}

/* -- killed ------------------------------------------------------------------------------------ */

/* Puts better and better cases until it is killed, and says each time which one is stored. */
static _Noreturn void reduce_until_killed(struct fixture *f, int64_t id, int tell, int round)
{
    must(store_open(f->path, STORE_WRITE, &f->s, &f->e), &f->e);
    for (int step = 0;; step++) {
        arena_reset(&f->a);
        struct program p =
            small_program(&f->a, arena_printf(&f->a, "round %d, step %d", round, step));
        struct store_answer answers[20];
        for (int i = 0; i < 20; i++)
            snprintf(answers[i].hash, sizeof answers[i].hash, "%d-%d-%d", round, step, i);
        must(store_answers_put(f->s, id, answers, 20, &f->e), &f->e);
        must(store_reduction_put(f->s, &(struct store_reduction){.finding = id, .bytes = step}, &p,
                                 &f->e),
             &f->e);
        if (write(tell, &step, sizeof step) != sizeof step)
            _exit(1);
    }
}

static void kill_reduction(struct fixture *f, int64_t id, int round, int *told, int *lost)
{
    int pipes[2], step, last = -1;
    if (pipe(pipes))
        BUG("no pipe");
    pid_t pid = fork();
    if (pid == 0) {
        close(pipes[0]);
        reduce_until_killed(f, id, pipes[1], round);
    }
    close(pipes[1]);
    if (round % 2 && read(pipes[0], &step, sizeof step) == sizeof step) /* it is at work */
        last = step, ++*told;
    usleep((useconds_t)(4000 + round * 7919 % 40000));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    while (read(pipes[0], &step, sizeof step) == sizeof step)
        last = step, ++*told;
    close(pipes[0]);

    must(store_open(f->path, STORE_WRITE, &f->s, &f->e), &f->e);
    struct store_reduction r;
    struct program p;
    must(store_reduction_get(f->s, id, &f->a, &r, &f->e), &f->e);
    if (last >= 0) { /* the one that was told, or the next, which may have been under way */
        must(store_program(f->s, r.program, &f->a, &p, &f->e), &f->e);
        char text[64];
        snprintf(text, sizeof text, "round %d, step %lld", round, (long long)r.bytes);
        *lost += r.bytes < last || r.bytes > last + 1 || strcmp(p.files[0].text, text) != 0;
    }
    store_close(f->s);
    f->s = NULL;
    arena_reset(&f->a);
}

static void test_killed(void)
{
    enum { ROUNDS = 20 };
    struct fixture f;
    setup(&f, 0);
    int64_t id = found(&f, "ice");
    end_reduction(&f, id, REDUCTION_BEGUN);
    store_close(f.s);
    f.s = NULL;
    int told = 0, lost = 0, unsound = 0;
    for (int i = 0; i < ROUNDS; i++) {
        kill_reduction(&f, id, i, &told, &lost);
        unsound += !is_sound(f.path) || !books_are_right(f.path);
    }
    is_int(unsound, 0, "killed %d times: sound each time", ROUNDS);
    ok(told > 0 && lost == 0, "%d better cases were acknowledged, %d are lost", told, lost);
    is_int(ask_number(f.path, "SELECT count(*) FROM program"), 2, "the original and the best");
    teardown(&f);
}

/* -- plots ------------------------------------------------------------------------------------- */

static void test_history(void)
{
    struct fixture f;
    struct store_moment *m;
    int n;
    setup(&f, 0);
    must(store_history(f.s, 0, 5, &f.a, &m, &n, &f.e), &f.e);
    is_int(n, 0, "nothing happened: no moments");
    for (int i = 0; i < 10; i++)
        whole_test(&f, i % 5 == 0, 100, i ? "late" : "early", FINDING_CONFIRMED);
    must(store_history(f.s, 0, 5, &f.a, &m, &n, &f.e), &f.e);
    ok(n >= 1 && m[n - 1].tests == 10 && m[n - 1].findings == 2 && m[n - 1].signatures == 2,
       "all within a moment");
    make_database(f.path, "UPDATE test SET done_at = 1000 + number * 10;"
                          "UPDATE finding SET found_at = 1000 + number * 10 - 1");
    must(store_history(f.s, f.campaign, 4, &f.a, &m, &n, &f.e), &f.e);
    is_int(n, 4, "as many points as asked for");
    ok(m[0].at == 1000 && m[0].tests == 1 && m[0].findings == 1 && m[0].signatures == 1,
       "the first test is in the first");
    ok(m[1].at == 1030 && m[1].tests == 4 && m[1].findings == 1, "the second");
    ok(m[2].at == 1060 && m[2].tests == 7 && m[2].findings == 2 && m[2].signatures == 2,
       "the third");
    ok(m[3].at == 1090 && m[3].tests == 10 && m[3].findings == 2, "the last test is in the last");
    must(store_history(f.s, f.campaign, 1, &f.a, &m, &n, &f.e), &f.e);
    ok(n == 1 && m[0].at == 1090 && m[0].tests == 10, "one point is the last");
    must(store_history(f.s, f.campaign, 1000, &f.a, &m, &n, &f.e), &f.e);
    is_int(n, 91, "no more points than seconds");
    must(store_history(f.s, 77, 4, &f.a, &m, &n, &f.e), &f.e);
    is_int(n, 0, "another campaign");
    teardown(&f);
}

static void test_sizes(void)
{
    struct fixture f;
    struct store_size *b;
    int n;
    setup(&f, 0);
    must(store_sizes(f.s, 0, &f.a, &b, &n, &f.e), &f.e);
    is_int(n, 0, "no programs");
    whole_test(&f, 0, 64, "", FINDING_NEW);
    whole_test(&f, 1, 127, "ice", FINDING_CONFIRMED);
    whole_test(&f, 0, 300, "", FINDING_NEW);
    must(store_sizes(f.s, f.campaign, &f.a, &b, &n, &f.e), &f.e);
    is_int(n, 3, "from the smallest to the largest");
    ok(b[0].from == 64 && b[0].to == 128 && b[0].programs == 2 && b[0].with_findings == 1,
       "64 to 127 bytes");
    ok(b[1].from == 128 && b[1].programs == 0, "none between");
    ok(b[2].from == 256 && b[2].to == 512 && b[2].programs == 1 && b[2].with_findings == 0,
       "256 to 511 bytes");
    teardown(&f);
}

int main(void)
{
    test_round_trip();
    test_superseded();
    test_answers();
    test_no_finding();
    test_claims();
    test_silent();
    test_slices();
    test_repeated();
    test_deaths();
    test_slip();
    test_blame();
    test_kin();
    test_constructs();
    test_marks();
    test_marks_of_wrong_outputs();
    if (!test_database())
        test_migration();
    test_strange_words();
    test_killed();
    test_history();
    test_sizes();
    return tap_done();
}
