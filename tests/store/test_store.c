/* The store, from its front door: files that it must refuse, the way of a test, and then what makes
 * it a store: several writers at once, writers killed at any instant, a full disk, a read-only
 * folder, a damaged file. The last ones are real ones: a small tmpfs and read-only mounts in a
 * mount namespace of our own, skipped where the system does not allow that. */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- files to refuse --------------------------------------------------------------------------- */

static void refuses(const char *path, enum store_mode mode, const char *sentence, const char *what)
{
    struct store *s;
    struct error e = {0};
    int status = store_open(path, mode, &s, &e);
    ok(status == -1 && !s && e.kind == ERROR_ENVIRONMENT && !strcmp(e.file, path),
       "%s: refused, the file is named", what);
    has_str(e.message, sentence, "%s: it says so", what);
    store_close(s);
}

static void test_refused_files(void)
{
    struct fixture f;
    place_fixture(&f);
    refuses(f.path, STORE_READ, "no campaign has been run here yet", "missing file");
    ok(!fs_exists(f.path), "a reader makes no file");
    refuses(f.dir, STORE_WRITE, "is a folder", "folder");

    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/no/such/assay.db", f.dir);
    refuses(path, STORE_WRITE, "No such file or directory", "missing folder");

    snprintf(path, sizeof path, "%s/empty.db", f.dir);
    must(fs_write(path, "", 0, &f.e), &f.e);
    refuses(path, STORE_READ, "is empty", "empty file, read");

    snprintf(path, sizeof path, "%s/letter.db", f.dir);
    must(fs_write(path, "Dear Sir or Madam,\n", 19, &f.e), &f.e);
    refuses(path, STORE_READ, "is not a database", "text file, read");
    refuses(path, STORE_WRITE, "is not a database", "text file, write");
    struct strbuf after;
    strbuf_init(&after, 0);
    must(fs_read(path, &after, &f.e), &f.e);
    is_str(after.s, "Dear Sir or Madam,\n", "and stays as it was");
    strbuf_release(&after);

    snprintf(path, sizeof path, "%s/foreign.db", f.dir);
    make_database(path, "CREATE TABLE bookmark(url TEXT)");
    refuses(path, STORE_READ, "database of another program", "foreign database, read");
    refuses(path, STORE_WRITE, "database of another program", "foreign database, write");
    is_int(ask_number(path, "SELECT count(*) FROM sqlite_master"), 1, "foreign file unchanged");

    snprintf(path, sizeof path, "%s/newer.db", f.dir);
    make_database(path, "CREATE TABLE t(x); PRAGMA application_id = 1095979865;"
                        "PRAGMA user_version = 12");
    refuses(path, STORE_READ,
            "made by a newer assay (schema 12, this one knows 11): use that version",
            "newer schema, read");
    refuses(path, STORE_WRITE, "schema 12", "newer schema, write");
    teardown(&f);
}

/* A file that says it is ours, and holds more than we make, or something else. */
static void test_foreign_schema(void)
{
    static const char *const changes[] = {
        "CREATE TRIGGER t AFTER UPDATE ON campaign BEGIN DELETE FROM finding; END",
        "CREATE VIEW v AS SELECT * FROM finding",
        "CREATE TABLE more(x)",
        "CREATE INDEX i ON finding(hex(signature))",
        "DROP TABLE kin; CREATE VIEW kin AS SELECT 1 AS finding, 'x' AS programs",
        "ALTER TABLE finding ADD COLUMN x AS (hex(signature))",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct fixture f;
        setup(&f, 0);
        store_close(f.s);
        f.s = NULL;
        make_database(f.path, changes[i]);
        refuses(f.path, STORE_READ, "than assay makes", changes[i]);
        refuses(f.path, STORE_WRITE, "than assay makes", changes[i]);
        teardown(&f);
    }
    struct fixture f;
    setup(&f, 0);
    store_close(f.s);
    make_database(f.path, "ANALYZE");
    must(store_open(f.path, STORE_WRITE, &f.s, &f.e), &f.e);
    ok(f.s != NULL, "statistics for SQLite's planner are no tables of anybody's");
    char link[PATH_MAX];
    snprintf(link, sizeof link, "%s/link.db", f.dir);
    ok(!symlink("assay.db", link), "a link to it");
    refuses(link, STORE_READ, "is a symbolic link", "link");
    teardown(&f);
}

static void test_claims_without_campaign(void)
{
    struct fixture f;
    setup(&f, 1);
    struct store_claim c;
    struct store_campaign info;
    is_int(store_claim(f.s, 99, 1, 0, &c, &f.e), -1, "claim in a campaign that is not there");
    has_str(f.e.message, "has no campaign 99", "it says which");
    is_int(f.e.kind, ERROR_USAGE, "the user's mistake");
    is_int(store_campaign_get(f.s, 98, &f.a, &info, &f.e), -1, "and reading it");
    has_str(f.e.message, "has no campaign 98", "it says which");
    is_int(store_campaign_tick(f.s, 97, 5, 0, &f.e), -1, "and adding to it");
    has_str(f.e.message, "has no campaign 97", "it says which");
    struct program p;
    is_int(store_program(f.s, "feed", &f.a, &p, &f.e), -1, "program that is not there");
    has_str(f.e.message, "has no program feed", "it says which");
    teardown(&f);
}

/* -- the way of a test ------------------------------------------------------------------------- */

static void check_options(const struct store_options *o, const char *how)
{
    is_str(o->testbeds, "gcc,clang:-O2", "%s: testbeds", how);
    is_str(o->testbed_dir, "/x/--no-sandbox", "%s: folder of testbeds", how);
    is_str(o->settings, "--max-funcs 3", "%s: settings", how);
    ok(o->majority == 0.75 && o->all_flags && !o->random_flags, "%s: majority and flags", how);
    ok(!o->no_sandbox && !o->sandbox, "%s: a folder's name switches no sandbox off", how);
}

static void test_campaigns(void)
{
    struct fixture f;
    setup(&f, 100);
    int64_t same, other;
    must(store_campaign_open(f.s, "csmith", &some_options, 7, &same, &f.e), &f.e);
    is_int(same, f.campaign, "equal options, same campaign");
    struct store_options changed = some_options;
    changed.settings = "--max-funcs 4";
    must(store_campaign_open(f.s, "csmith", &changed, 7, &other, &f.e), &f.e);
    ok(other != f.campaign, "other settings, another campaign");
    changed.seed_given = true;
    must(store_campaign_open(f.s, "csmith", &changed, 7, &other, &f.e), &f.e);
    must(store_campaign_open(f.s, "csmith", &changed, 7, &same, &f.e), &f.e);
    is_int(same, other, "the same seed, the same campaign");
    must(store_campaign_open(f.s, "csmith", &changed, 8, &same, &f.e), &f.e);
    ok(same != other, "another seed, another campaign");

    whole_test(&f, 2, 100, "ice", FINDING_CONFIRMED);
    must(store_campaign_tick(f.s, f.campaign, 1500, 0, &f.e), &f.e);
    must(store_campaign_end_round(f.s, f.campaign, &f.e), &f.e);
    must(store_campaign_tick(f.s, f.campaign, 500, 0, &f.e), &f.e);
    whole_test(&f, 0, 100, "", FINDING_NEW);

    reopen(&f, STORE_READ);
    struct store_campaign *all;
    int n;
    must(store_campaigns(f.s, &f.a, &all, &n, &f.e), &f.e);
    is_int(n, 4, "four campaigns");
    is_str(all[0].generator, "csmith", "generator");
    check_options(&all[0].options, "read back");
    ok(!all[0].options.seed_given && all[2].options.seed_given, "which of them were given a seed");
    is_str(all[1].options.settings, "--max-funcs 4", "settings of the generator");
    struct strbuf text;
    strbuf_init(&text, 0);
    store_campaign_text(&all[3], &text);
    is_str(text.s,
           "--generator=csmith\n--testbeds=gcc,clang:-O2\n--testbed-dir=/x/--no-sandbox\n"
           "--all-flags\n--seed=8\n--majority=0.75\n# --max-funcs 4\n",
           "for people");
    strbuf_release(&text);
    is_int(all[0].first_seed, 100, "first seed: that of the first call");
    is_int(all[0].started, 2, "started");
    is_int(all[0].tests, 2, "tests");
    is_int(all[0].findings, 2, "findings");
    is_int(all[0].elapsed_ms, 2000, "time");
    is_int(all[0].round_tests, 1, "the round began after one test");
    is_int(all[0].round_findings, 2, "and two findings");
    is_int(all[0].round_elapsed_ms, 1500, "and 1.5 s");
    is_int(all[0].generate_us, 20, "CPU of the generator");
    is_int(all[0].build_us, 2 * 20 + 2 * 1000, "CPU of compilers, confirming included");
    is_int(all[0].run_us, 2 * 30 + 2 * 100, "CPU of runs, confirming included");
    is_int(all[0].own_us, 80, "our own CPU");
    ok(all[0].last_finding_at >= all[0].created_at && all[0].created_at > 1600000000,
       "when it began and last found something");
    is_int(all[1].last_finding_at, 0, "the other found nothing");
    teardown(&f);
}

static void test_testbeds(void)
{
    struct fixture f;
    setup(&f, 0);
    int64_t id;
    must(store_testbed_id(f.s, f.campaign, &testbeds[1], &id, &f.e), &f.e);
    is_int(id, f.beds[1], "a testbed is registered once");
    struct testbed newer = testbeds[1];
    newer.version = "12.3.0";
    newer.content = "0123";
    must(store_testbed_id(f.s, f.campaign, &newer, &id, &f.e), &f.e);
    ok(id != f.beds[1], "another version is another testbed");

    whole_test(&f, 1, 100, "ice", FINDING_CONFIRMED);
    whole_test(&f, 2, 100, "ice", FINDING_FLAKY);
    whole_test(&f, 0, 100, "", FINDING_NEW);
    struct store_testbed *all;
    int n;
    must(store_testbeds(f.s, f.campaign, &f.a, &all, &n, &f.e), &f.e);
    is_int(n, BEDS + 1, "all testbeds");
    is_str(all[0].name, "gcc-12 -O0", "in order of registration");
    ok(all[0].reference && !all[1].reference, "which is a reference");
    is_str(all[2].toolchain, "clang", "toolchain");
    is_str(all[2].version, "14.0.6", "version");
    is_str(all[2].path, "/usr/bin/clang-14", "path");
    is_str(all[2].flags, "-O2", "flags");
    is_str(all[2].model, "lp64", "model");
    is_str(all[BEDS].content, "0123", "what its files have in them");
    is_int(all[0].outcomes[OUTCOME_OK], 3, "outcomes of the good one");
    is_int(all[2].outcomes[OUTCOME_OK], 1, "good outcomes of the bad one");
    is_int(all[2].outcomes[OUTCOME_BUILD_CRASH], 2, "its crashes");
    is_int(all[2].anomalies[ANOMALY_BUILD_CRASH], 1, "its anomalies, flaky ones not counted");
    is_int(all[2].flaky, 1, "its flaky findings");
    is_int(all[1].flaky, 1, "flaky findings of the other one");
    is_int(all[2].build_us, 2000 + 2 * 7000 + 2 * 1000, "CPU of building, confirming included");
    is_int(all[2].run_us, 100 + 2 * 100, "CPU of running");
    teardown(&f);
}

/* What other inputs did not show is no finding, and counted. */
static void test_only_inputs(void)
{
    struct fixture f;
    setup(&f, 0);
    struct store_claim c;
    int64_t ids[BEDS];
    struct store_testbed *all;
    struct store_campaign info;
    struct finding *found;
    int n;
    must(claim(&f, 0, &c), &f.e);
    must(record(&f, &c, 2, 100, "ice", ids), &f.e);
    struct store_confirmation tried[2] = {
        {.finding = ids[0], .seen = 3, .tried = 3, .state = FINDING_CONFIRMED},
        {.finding = ids[1],
         .seen = 3,
         .tried = 3,
         .state = FINDING_CONFIRMED,
         .run_us = 5,
         .only_inputs = true}};
    is_int(store_confirm(f.s, &c, tried, 2, &f.e), 0, "one of two findings is dropped");
    must(store_findings(f.s, &all_findings, &f.a, &found, &n, &f.e), &f.e);
    ok(n == 1 && found[0].id == ids[0], "the other one stays");
    must(store_campaign_get(f.s, f.campaign, &f.a, &info, &f.e), &f.e);
    is_int(info.findings, 1, "counted in the campaign");
    must(store_testbeds(f.s, f.campaign, &f.a, &all, &n, &f.e), &f.e);
    is_int(all[0].only_inputs + all[1].only_inputs + all[2].only_inputs, 1, "dropped at one");
    is_int(all[2].only_inputs, 1, "which is its testbed");
    is_int(all[2].anomalies[ANOMALY_BUILD_CRASH], 0, "where it is no anomaly");

    struct testbed filter = testbeds[0];
    int64_t id;
    filter.name = "filter";
    filter.filter = true;
    must(store_testbed_id(f.s, f.campaign, &filter, &id, &f.e), &f.e);
    must(store_testbeds(f.s, f.campaign, &f.a, &all, &n, &f.e), &f.e);
    ok(all[n - 1].filter && !all[0].filter, "a filter is known as one");
    teardown(&f);
}

/* Table 2 of DeepSmith. */
static void test_classes(void)
{
    struct store_testbed t = {.outcomes = {[OUTCOME_OK] = 100,
                                           [OUTCOME_BUILD_FAIL] = 20,
                                           [OUTCOME_BUILD_CRASH] = 3,
                                           [OUTCOME_BUILD_TIMEOUT] = 2,
                                           [OUTCOME_RUN_CRASH] = 10,
                                           [OUTCOME_RUN_TIMEOUT] = 5,
                                           [OUTCOME_SKIPPED] = 1000},
                              .anomalies = {[ANOMALY_BUILD_CRASH] = 3,
                                            [ANOMALY_BUILD_HANG] = 2,
                                            [ANOMALY_BUILD_FAIL] = 5,
                                            [ANOMALY_RUN_CRASH] = 4,
                                            [ANOMALY_WRONG_OUTPUT] = 7,
                                            [ANOMALY_RUN_HANG] = 1,
                                            [ANOMALY_DISAGREEMENT] = 6}};
    struct store_classes c;
    store_count_classes(&t, &c);
    ok(c.of[CLASS_BC] == 3 && c.of[CLASS_BTO] == 2 && c.of[CLASS_ABF] == 5 &&
           c.of[CLASS_ARC] == 4 && c.of[CLASS_AWO] == 7,
       "the five classes");
    is_int(c.other, 7, "the others");
    is_int(c.total, 140, "all tests that it took part in");
    is_int(c.pass, 140 - 3 - 2 - 5 - 4 - 7 - 7, "the rest passed");
    is_int(store_marked(&t), 0, "it marks nothing");
    t.filter = true;
    store_count_classes(&t, &c);
    ok(c.total == 0 && c.pass == 0 && c.of[CLASS_ARC] == 0, "a filter has no classes");
    is_int(store_marked(&t), 15, "but programs that it marked");
}

/* Texts short, long, and not even UTF-8 come back as they were. */
static void test_round_trip(void)
{
    struct fixture f;
    setup(&f, 5);
    char *output = arena_alloc(&f.a, 100001), *messages = arena_alloc(&f.a, 514);
    memset(output, 'x', 100000);
    memset(messages, '\xff', 513);
    struct observation o = {.outcome = OUTCOME_RUN_CRASH,
                            .exit_status = -1,
                            .signal = 11,
                            .output = {output, 100000},
                            .output_size = 123456,
                            .messages = messages,
                            .detail = "SIGSEGV \xfe",
                            .flags = "-O2 -fno-gcse",
                            .build = {1, 2, 3},
                            .run = {4, 5, 6}};
    struct observation odd = good;
    hash_bytes("x", 1, odd.output_hash);
    odd.output = (struct bytes){"a\0r", 3};
    odd.messages = "caf\xe9: warning";
    struct store_result results[] = {
        {f.beds[0], &odd, {ANOMALY_NONE, EVIDENCE_VOTE, 0.75, false}, ""},
        {f.beds[1], &o, {ANOMALY_RUN_CRASH, EVIDENCE_VOTE, 0.75, true}, "sig"}};
    struct program_file files[] = {{"t.c", "int main(void) {}\n", 18}, {"a.h", "a\0b", 3}};
    struct program p = {.language = "c",
                        .files = files,
                        .n_files = 2,
                        .needs = "-I/x",
                        .expected = {"expect\0ed\n", 10},
                        .made = {"csmith", "2.3.0", "--x", 5, "1,2,3"}};
    struct store_test t = {&p, results, 2, 1, 2, 3, 4};
    struct store_claim c, d;
    int64_t ids[2] = {0};
    int n;
    must(claim(&f, 1, &c), &f.e);
    must(store_record_test(f.s, &c, &t, ids, &n, &f.e), &f.e);
    is_int(n, 1, "one finding");
    p.made.seed = 6; /* the same text from another seed */
    p.made.choices = NULL;
    must(claim(&f, 1, &d), &f.e);
    must(store_record_test(f.s, &d, &t, ids + 1, &n, &f.e), &f.e);

    reopen(&f, STORE_READ);
    struct finding *found;
    must(store_findings(f.s, &all_findings, &f.a, &found, &n, &f.e), &f.e);
    is_int(n, 2, "two findings");
    ok(found[0].id == ids[0] && found[1].id == ids[1], "with the ids that were returned");
    is_int(found[1].seed, 6, "seed");
    is_str(found[0].testbed, "gcc-12 -O3", "testbed");
    is_str(found[0].signature, "sig", "signature");
    ok(found[0].state == FINDING_NEW && found[0].seen == 1 && found[0].tried == 1, "seen once");
    is_int(found[0].verdict.anomaly, ANOMALY_RUN_CRASH, "anomaly");
    ok(found[0].verdict.of_group && found[0].verdict.confidence == 0.75, "rest of the verdict");
    is_str(found[0].program, found[1].program, "one program");
    is_int(ask_number(f.path, "SELECT count(*) FROM program"), 1, "stored once");
    is_int(ask_number(f.path, "SELECT count(*) FROM observation WHERE length(output) < 1000 AND "
                              "output_size > 1000 AND length(messages) < 100"),
           2, "texts of more than 512 bytes are compressed");

    struct program back;
    char hash[PROGRAM_HASH_SIZE];
    must(store_program(f.s, found[1].program, &f.a, &back, &f.e), &f.e);
    program_hash(&back, hash);
    is_str(hash, found[0].program, "its text comes back");
    is_int(back.n_files, 2, "both files");
    ok(back.files[1].size == 3 && !memcmp(back.files[1].text, "a\0b", 3), "a NUL is kept");
    is_str(back.needs, "-I/x", "needs");
    ok(bytes_equal(back.expected, p.expected), "expected output, with a NUL");
    ok(!back.trusted, "not trusted");
    ok(!back.build_only, "it may be run");
    is_int(back.made.seed, 5, "made the first time by");
    is_str(back.made.choices, "1,2,3", "these choices");
    is_str(back.made.config, "--x", "and this configuration");

    struct store_observation *seen;
    must(store_observations(f.s, f.campaign, 5, &f.a, &seen, &n, &f.e), &f.e);
    is_int(n, 2, "two observations");
    is_str(seen[1].testbed, "gcc-12 -O3", "of the second testbed");
    ok(bytes_equal(seen[1].observation.output, o.output), "long output");
    ok(bytes_equal(seen[0].observation.output, odd.output), "short output, with a NUL");
    is_str(seen[1].observation.messages, messages, "long messages that are not UTF-8");
    is_str(seen[1].observation.detail, "SIGSEGV \xfe", "detail");
    is_str(seen[1].observation.flags, "-O2 -fno-gcse", "flags that were drawn");
    is_str(seen[0].observation.flags, "", "none were drawn for the other");
    is_int(seen[1].testbed_id, f.beds[1], "the testbed's id");
    is_str(seen[0].observation.messages, "caf\xe9: warning", "short messages that are not UTF-8");
    is_str(seen[0].observation.output_hash, odd.output_hash, "hash of the output");
    ok(!memcmp(&seen[1].observation.build, &o.build, sizeof o.build) &&
           !memcmp(&seen[1].observation.run, &o.run, sizeof o.run),
       "costs");
    ok(seen[1].observation.signal == 11 && seen[1].observation.exit_status == -1 &&
           seen[1].observation.output_size == 123456 &&
           seen[1].observation.outcome == OUTCOME_RUN_CRASH,
       "how it ended");
    ok(seen[0].verdict.anomaly == ANOMALY_NONE && seen[0].verdict.evidence == EVIDENCE_VOTE,
       "verdict on the good one");
    must(store_observations(f.s, f.campaign, 77, &f.a, &seen, &n, &f.e), &f.e);
    is_int(n, 0, "none for a seed that was not run");
    teardown(&f);
}

/* The same text, first to be run and then not to be run: two programs. */
static void test_never_run(void)
{
    struct fixture f;
    setup(&f, 5);
    struct program p = make_program(&f.a, 5, 100), back;
    struct store_result results[BEDS];
    struct store_test t = {&p, results, BEDS, 1, 2, 3, 4};
    struct finding *found;
    int64_t ids[BEDS];
    int n;
    make_results(&f, results, 1, "sig");
    for (int i = 0; i < 2; i++) {
        struct store_claim c;
        p.build_only = i == 1;
        must(claim(&f, 1, &c), &f.e);
        must(store_record_test(f.s, &c, &t, ids, &n, &f.e), &f.e);
    }
    must(store_findings(f.s, &all_findings, &f.a, &found, &n, &f.e), &f.e);
    is_int(n, 2, "two findings of one text");
    for (int i = 0; i < n; i++) {
        must(store_program(f.s, found[i].program, &f.a, &back, &f.e), &f.e);
        is_int(back.build_only, i == 1, "%s", i ? "this one must not be run" : "this one may");
    }
    teardown(&f);
}

static void test_claims(void)
{
    struct fixture f;
    setup(&f, 10);
    struct store_claim c[4], again;
    for (int i = 0; i < 3; i++)
        is_int(store_claim(f.s, f.campaign, i, 3, &c[i], &f.e), 1, "claim %d", i);
    ok(c[0].seed == 10 && c[1].seed == 11 && c[2].seed == 12, "seeds in order");
    is_int(store_claim(f.s, f.campaign, 9, 3, &c[3], &f.e), 0, "all that were allowed are out");
    is_int(store_claim(f.s, f.campaign, 9, 4, &c[3], &f.e), 1, "one more when one more is allowed");

    int64_t ids[BEDS];
    uint64_t *seeds;
    int n;
    is_int(confirm(&f, &c[1], ids, 0, FINDING_CONFIRMED), -1, "what was not run is not confirmed");
    must(record(&f, &c[1], 1, 100, "ice", ids), &f.e);
    must(store_done_seeds(f.s, f.campaign, &f.a, &seeds, &n, &f.e), &f.e);
    is_int(n, 0, "a test whose finding is not yet confirmed is not done");
    must(store_release(f.s, f.campaign, 1, "killed by SIGSEGV", 3, &f.e), &f.e);
    must(store_release(f.s, f.campaign, 0, "killed by SIGSEGV", 3, &f.e), &f.e);
    must(store_claim(f.s, f.campaign, 5, 4, &again, &f.e), &f.e);
    ok(again.seed == 10 && again.stage == STORE_RUN && again.attempts == 1,
       "the oldest that waits comes first");
    must(store_claim(f.s, f.campaign, 5, 4, &again, &f.e), &f.e);
    ok(again.seed == 11 && again.stage == STORE_CONFIRM && again.attempts == 1,
       "a recorded one goes on at confirming");
    is_int(store_claim(f.s, f.campaign, 9, 4, &again, &f.e), 0, "those of the living are theirs");
    must(store_release(f.s, f.campaign, -1, NULL, 3, &f.e), &f.e);
    for (int i = 0; i < 4; i++) {
        must(store_claim(f.s, f.campaign, 7, 4, &again, &f.e), &f.e);
        ok(again.seed == c[i].seed && again.attempts == (i < 2), "after a restart: seed %d", i);
    }
    ok(books_are_right(f.path), "the books are right");
    teardown(&f);
}

static void test_giving_up(void)
{
    struct fixture f;
    setup(&f, 10);
    struct store_claim c;
    int64_t ids[BEDS];
    for (int i = 0; i < 2; i++) {
        must(claim(&f, 1, &c), &f.e);
        is_int(c.seed, 10, "the same seed, attempt %d", i);
        must(store_release(f.s, f.campaign, 1, "killed by SIGSEGV", 2, &f.e), &f.e);
    }
    must(claim(&f, 1, &c), &f.e);
    is_int(c.seed, 11, "given up, the next one");
    must(record(&f, &c, 1, 100, "ice", ids), &f.e);
    must(store_release(f.s, f.campaign, 1, "worker hangs", 1, &f.e), &f.e);
    must(claim(&f, 1, &c), &f.e);
    must(store_record_failure(f.s, &c, "csmith: exit 1", 70, 7, &f.e), &f.e);
    must(store_release(f.s, f.campaign, 1, "killed by SIGKILL", 2, &f.e), &f.e);

    struct store_incident *all;
    int n;
    must(store_incidents(f.s, f.campaign, &f.a, &all, &n, &f.e), &f.e);
    is_int(n, 5, "each death and each failure is an incident");
    if (n != 5)
        BUG("the rest is of no use");
    is_str(all[4].what, "killed by SIGKILL between two tests", "of a worker that held nothing");
    is_int(all[4].seed, 13, "with the seed that is next");
    is_str(all[0].what, "killed by SIGSEGV", "the first");
    is_str(all[1].what, "killed by SIGSEGV; given up after 2 attempts", "the last of a seed");
    is_str(all[3].what, "csmith: exit 1", "the generator's");
    ok(all[1].seed == 10 && all[2].seed == 11 && all[3].seed == 12 && all[3].at > 1600000000,
       "seeds and time");
    struct store_campaign info;
    must(store_campaign_get(f.s, f.campaign, &f.a, &info, &f.e), &f.e);
    ok(info.incidents == 5 && info.tests == 3 && info.findings == 1, "counted in the campaign");
    ok(info.generate_us == 80 && info.own_us == 47, "a failed generator has used CPU time, too");
    uint64_t *seeds;
    must(store_done_seeds(f.s, f.campaign, &f.a, &seeds, &n, &f.e), &f.e);
    ok(n == 3 && seeds[0] == 10 && seeds[2] == 12, "all three are done");
    ok(books_are_right(f.path), "the books are right");
    teardown(&f);
}

/* The CPU time of the campaign as each test was done, and as the round began. */
static void test_cpu_moments(void)
{
    struct fixture f;
    struct store_claim c, open;
    struct store_done *all;
    struct store_campaign now;
    int n;
    int64_t ids[BEDS];
    setup(&f, 10);
    whole_test(&f, 0, 100, "", FINDING_NEW); /* 10 + 20 + 30 + 40 us */
    must(claim(&f, 1, &open), &f.e);         /* number 1, which ends last */
    whole_test(&f, 1, 100, "ice", FINDING_CONFIRMED);
    must(claim(&f, 2, &c), &f.e);
    must(store_record_failure(f.s, &c, "csmith: exit 1", 5, 2, &f.e), &f.e);
    must(store_campaign_tick(f.s, f.campaign, 1000, 50, &f.e), &f.e);
    must(record(&f, &open, 0, 100, "", ids), &f.e);
    must(store_done_tests(f.s, f.campaign, &f.a, &all, &n, &f.e), &f.e);
    is_int(n, 3, "a seed without a program is no test");
    ok(n == 3 && all[0].number == 0 && all[0].cpu_us == 100, "the first after its own time");
    ok(n == 3 && all[1].number == 2 && all[1].cpu_us == 1300,
       "one with a finding after its confirmation");
    ok(n == 3 && all[2].number == 1 && all[2].cpu_us == 1457,
       "in the order of their ends, with what failed and what the supervisor took in between");
    must(store_campaign_get(f.s, f.campaign, &f.a, &now, &f.e), &f.e);
    ok(now.round_cpu_us == 0 && store_campaign_cpu(&now) == 1457, "all of it is of this round");
    must(store_campaign_end_round(f.s, f.campaign, &f.e), &f.e);
    must(store_campaign_get(f.s, f.campaign, &f.a, &now, &f.e), &f.e);
    is_int(now.round_cpu_us, 1457, "and none of the next");
    teardown(&f);
}

/* No power failure here; that the setting is in force during the transaction must do. */
static void test_durability(void)
{
    enum { NORMAL = 1, FULL = 2 };
    struct fixture f;
    setup(&f, 0);
    whole_test(&f, 0, 100, "", FINDING_NEW);
    is_int(synchronous(&f), NORMAL, "without findings: not synced each time");
    whole_test(&f, 1, 100, "ice", FINDING_NEW);
    is_int(synchronous(&f), FULL, "with a finding: on the disk before the call returns");
    whole_test(&f, 0, 100, "", FINDING_NEW);
    is_int(synchronous(&f), NORMAL, "and back");
    teardown(&f);
}

/* Seeds are unsigned and wrap; SQL integers are signed. */
static void test_seeds_wrap(void)
{
    static const uint64_t firsts[] = {UINT64_MAX - 1, (uint64_t)INT64_MAX - 1};
    for (size_t k = 0; k < 2; k++) {
        struct fixture f;
        setup(&f, firsts[k]);
        for (int i = 0; i < 5; i++)
            whole_test(&f, i == 3, 50, "ice", FINDING_CONFIRMED);
        uint64_t *seeds;
        int n;
        must(store_done_seeds(f.s, f.campaign, &f.a, &seeds, &n, &f.e), &f.e);
        bool right = n == 5;
        for (int i = 0; i < n; i++)
            right = right && seeds[i] == firsts[k] + (uint64_t)i;
        ok(right, "from %llu on: done seeds in their order", (unsigned long long)firsts[k]);
        struct store_query query = all_findings;
        query.has_seed = true;
        query.seed = firsts[k] + 3;
        struct finding *found;
        struct store_observation *seen;
        must(store_findings(f.s, &query, &f.a, &found, &n, &f.e), &f.e);
        ok(n == 1 && found[0].seed == firsts[k] + 3, "a finding by its seed");
        must(store_observations(f.s, f.campaign, firsts[k] + 3, &f.a, &seen, &n, &f.e), &f.e);
        is_int(n, BEDS, "its observations");
        teardown(&f);
    }
}

static void test_taken_over(void)
{
    struct fixture f;
    setup(&f, 0);
    struct store_claim mine, theirs;
    int64_t ids[BEDS];
    must(claim(&f, 1, &mine), &f.e);
    must(store_release(f.s, f.campaign, -1, NULL, 3, &f.e), &f.e); /* a second supervisor starts */
    must(claim(&f, 1, &theirs), &f.e);
    must(record(&f, &theirs, 1, 100, "ice", ids), &f.e);
    int64_t others[BEDS];
    is_int(record(&f, &mine, 1, 100, "ice", others), -1, "a test is not recorded twice");
    has_str(f.e.message, "seed 0 was taken over by another assay", "it says so");
    is_int(record(&f, &mine, 0, 100, "", others), -1, "not even with another result");
    must(confirm(&f, &theirs, ids, 0, FINDING_CONFIRMED), &f.e);
    is_int(confirm(&f, &mine, ids, 0, FINDING_CONFIRMED), -1, "nor confirmed twice");
    is_int(store_record_failure(f.s, &mine, "x", 0, 0, &f.e), -1, "nor failed afterwards");
    struct store_campaign info;
    must(store_campaign_get(f.s, f.campaign, &f.a, &info, &f.e), &f.e);
    ok(info.tests == 1 && info.findings == 1 && info.incidents == 0, "and nothing of it remains");
    ok(books_are_right(f.path), "the books are right");
    teardown(&f);
}

/* A failure half-way leaves nothing behind: here the last result names no testbed. */
static void test_rolled_back(void)
{
    struct fixture f;
    setup(&f, 0);
    struct store_claim c;
    int64_t ids[BEDS], real_bed = f.beds[BEDS - 1];
    must(claim(&f, 1, &c), &f.e);
    f.beds[BEDS - 1] = 9999;
    is_int(record(&f, &c, 1, 100, "ice", ids), -1, "a result of no testbed");
    has_str(f.e.message, "unexpected answer of the database: ", "is refused by the database");
    f.beds[BEDS - 1] = real_bed;
    is_int(ask_number(f.path, "SELECT count(*) FROM program"), 0, "nothing of the test remains");
    is_int(record(&f, &c, 1, 100, "ice", ids), 0, "and the claim still stands");
    ok(books_are_right(f.path), "the books are right");
    teardown(&f);
}

/* -- queries ----------------------------------------------------------------------------------- */

static void test_queries(struct fixture *f, int64_t id)
{
    struct store_query x = all_findings;
    is_int(count_matches(f, x), 8, "all");
    x.limit = 3;
    is_int(count_matches(f, x), 3, "limit");
    x = all_findings, x.id = id;
    is_int(count_matches(f, x), 1, "by id");
    x = all_findings, x.signature = "ice in fold";
    is_int(count_matches(f, x), 6, "by signature");
    x = all_findings, x.testbed = "clang";
    is_int(count_matches(f, x), 6, "by toolchain");
    x = all_findings, x.testbed = "gcc-12 -O3";
    is_int(count_matches(f, x), 2, "by testbed");
    x.state = FINDING_FLAKY;
    is_int(count_matches(f, x), 1, "by testbed and state");
    x = all_findings, x.state = FINDING_NEW;
    is_int(count_matches(f, x), 1, "by state");
    x = all_findings, x.anomaly = ANOMALY_BUILD_CRASH;
    is_int(count_matches(f, x), 8, "by anomaly");
    x.anomaly = ANOMALY_WRONG_OUTPUT;
    is_int(count_matches(f, x), 0, "by another anomaly");
    x = all_findings, x.campaign = 99;
    is_int(count_matches(f, x), 0, "by campaign");
}

static void test_findings(void)
{
    struct fixture f;
    setup(&f, 0);
    whole_test(&f, 1, 40, "ice in fold", FINDING_FLAKY);
    whole_test(&f, 1, 60, "ice in fold", FINDING_NEW);
    whole_test(&f, 2, 900, "ice in fold", FINDING_CONFIRMED);
    int64_t one = whole_test(&f, 1, 300, "ice in fold", FINDING_CONFIRMED);
    whole_test(&f, 1, 300, "ice in fold", FINDING_CONFIRMED);
    whole_test(&f, 2, 70, "wobbly thing", FINDING_FLAKY);
    test_queries(&f, one);
    teardown(&f);
}

/* -- older files ------------------------------------------------------------------------------- */

/* What an assay of schema 1 left behind: a finding in campaign 1, seed 500. */
static void make_version_1(struct fixture *f)
{
    make_database(f->path, "PRAGMA journal_mode = WAL");
    make_database(f->path, schema_migrations[0]);
    make_database(
        f->path,
        "PRAGMA application_id = 1095979865; PRAGMA user_version = 1;"
        "INSERT INTO campaign(id, generator, config, first_seed, started, tests, findings, "
        "created_at) VALUES (1, 'csmith', '--generator=csmith' || char(10) || "
        "'--testbeds=gcc,clang:-O2' || char(10) || '--testbed-dir=/x/--no-sandbox' || char(10) || "
        "'--all-flags' || char(10) || '--majority=0.75' || char(10) || '# --max-funcs 3' || "
        "char(10), 500, 1, 1, 1, 1700000000);"
        "INSERT INTO testbed VALUES (1, 1, 'gcc-9 -O2', 'gcc', '9', '/gcc', '-O2', 'lp64', 0, "
        "'', '');"
        "INSERT INTO program VALUES ('0123456789abcdef0123456789abcdef', 'c', '', NULL, 1, x'00');"
        "INSERT INTO test(campaign, number, program, bytes, findings, done_at) "
        "VALUES (1, 0, '0123456789abcdef0123456789abcdef', 77, 1, 1700000001);"
        "INSERT INTO observation VALUES (1, 0, 1, 'ok', 0, 0, 'out', 3, '', '', '', "
        "1, 2, 3, 4, 5, 6, 'wrong-output', 'vote', 1.0, 0);"
        "INSERT INTO finding VALUES (1, 1, 0, 500, 1, 'old sig', 'confirmed', 3, 3, 1700000001)");
}

static void check_version_1(struct fixture *f, const char *how)
{
    struct finding *found;
    struct store_campaign *campaigns;
    struct store_incident *incidents;
    int n, n_incidents;
    must(store_findings(f->s, &all_findings, &f->a, &found, &n, &f->e), &f->e);
    ok(n == 1 && !strcmp(found[0].signature, "old sig"), "%s: the finding is there", how);
    must(store_campaigns(f->s, &f->a, &campaigns, &n, &f->e), &f->e);
    ok(n == 1 && campaigns[0].findings == 1 && campaigns[0].incidents == 0, "%s: campaign", how);
    check_options(&campaigns[0].options, how);
    must(store_incidents(f->s, 1, &f->a, &incidents, &n_incidents, &f->e), &f->e);
    is_int(n_incidents, 0, "%s: what is new is empty", how);
    struct store_observation *observations;
    must(store_observations(f->s, 1, 500, &f->a, &observations, &n, &f->e), &f->e);
    ok(n == 1 && !*observations[0].observation.flags, "%s: no flags were drawn then", how);
}

static void test_migration(void)
{
    struct fixture f;
    place_fixture(&f);
    make_version_1(&f);
    must(store_open(f.path, STORE_READ, &f.s, &f.e), &f.e);
    check_version_1(&f, "old file, read");
    is_int(ask_number(f.path, "PRAGMA user_version"), 1, "a reader leaves it old");
    reopen(&f, STORE_WRITE);
    is_int(ask_number(f.path, "PRAGMA user_version"), SCHEMA_VERSION, "a writer migrates it");
    check_version_1(&f, "old file, migrated");
    store_close(f.s);
    open_fixture(&f, 0);
    is_int(f.campaign, 1, "its campaign goes on");
    struct store_claim c;
    must(claim(&f, 1, &c), &f.e);
    is_int(c.seed, 501, "where it was");
    is_int(ask_number(f.path, "PRAGMA application_id"), SCHEMA_APPLICATION_ID, "still ours");
    ok(is_sound(f.path), "and sound");
    teardown(&f);
}

/* -- damage ------------------------------------------------------------------------------------ */

static int read_everything(struct store *s, struct arena *a, struct error *e)
{
    struct store_campaign *campaigns;
    struct finding *found;
    struct store_observation *seen;
    struct program p;
    int n;
    if (store_campaigns(s, a, &campaigns, &n, e) ||
        store_findings(s, &all_findings, a, &found, &n, e))
        return -1;
    for (int i = 0; i < n; i++)
        if (store_program(s, found[i].program, a, &p, e) ||
            store_observations(s, found[i].campaign, found[i].seed, a, &seen, &(int){0}, e))
            return -1;
    return 0;
}

static void scribble(const char *path, off_t from, off_t to)
{
    int fd = open(path, O_WRONLY);
    char garbage[512];
    memset(garbage, 0xa5, sizeof garbage);
    for (off_t at = from; at + 512 <= to; at += 512)
        if (pwrite(fd, garbage, sizeof garbage, at) != sizeof garbage)
            BUG("cannot scribble");
    close(fd);
}

/* Garbage from `from` percent of the file on: each command says so, and nothing else changes. */
static void check_damaged(int from)
{
    struct fixture f;
    setup(&f, 0);
    for (int i = 0; i < 40; i++)
        whole_test(&f, 1, 3000, "ice", FINDING_CONFIRMED);
    store_close(f.s);
    f.s = NULL;
    struct stat st;
    stat(f.path, &st);
    scribble(f.path, from ? st.st_size * from / 100 / 512 * 512 : 4096, st.st_size);
    char before[PROGRAM_HASH_SIZE], after[PROGRAM_HASH_SIZE];
    struct strbuf bytes;
    strbuf_init(&bytes, 0);
    must(fs_read(f.path, &bytes, &f.e), &f.e);
    hash_bytes(bytes.s, bytes.n, before);

    for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
        f.e = (struct error){0};
        int status = store_open(f.path, (enum store_mode)mode, &f.s, &f.e);
        if (!status)
            status = read_everything(f.s, &f.a, &f.e);
        is_int(status, -1, "garbage from %d%%, mode %d: noticed", from, mode);
        has_str(f.e.message, "is damaged", "it says so");
        has_str(f.e.message, ".recover", "and what to do");
        is_str(f.e.file, f.path, "with which file");
        store_close(f.s);
        f.s = NULL;
    }
    strbuf_clear(&bytes);
    must(fs_read(f.path, &bytes, &f.e), &f.e);
    hash_bytes(bytes.s, bytes.n, after);
    is_str(after, before, "the file is as it was");
    strbuf_release(&bytes);
    teardown(&f);
}

/* The file is sound for SQLite, but what is in it is not ours. */
static void test_strange_content(void)
{
    static const struct {
        const char *sql, *what;
    } strange[] = {{"UPDATE program SET files = x'00'", "cannot be unpacked"},
                   {"UPDATE program SET language = 'c++'", "not the one that was recorded"},
                   {"UPDATE program SET build_only = 1", "not the one that was recorded"},
                   {"UPDATE finding SET state = 'happy'", "an unknown word"},
                   {"UPDATE observation SET anomaly = 'odd'", "an unknown word"}};
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        struct fixture f;
        setup(&f, 0);
        whole_test(&f, 1, 100, "ice", FINDING_CONFIRMED);
        make_database(f.path, strange[i].sql);
        is_int(read_everything(f.s, &f.a, &f.e), -1, "%s: noticed", strange[i].sql);
        has_str(f.e.message, strange[i].what, "it says what");
        teardown(&f);
    }
}

/* Names that would lead out of the folder into which the program is written, or that a compiler
 * would take for an option. */
static void test_strange_names(void)
{
    static const char *const names[] = {"../t.c", "/tmp/t.c", "a/t.c",    "..",
                                        ".",      "",         "-wrapper", "@t.c"};
    struct fixture f;
    setup(&f, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct program_file file = {names[i], "int x;\n", 7};
        struct program p = {.language = "c", .files = &file, .n_files = 1, .needs = ""}, back;
        struct store_result results[BEDS];
        make_results(&f, results, 1, "ice");
        struct store_test t = {&p, results, BEDS, 1, 2, 3, 4};
        struct store_claim c;
        int64_t ids[BEDS];
        int n;
        char hash[PROGRAM_HASH_SIZE];
        must(claim(&f, 1, &c), &f.e);
        must(store_record_test(f.s, &c, &t, ids, &n, &f.e), &f.e);
        program_hash(&p, hash);
        is_int(store_program(f.s, hash, &f.a, &back, &f.e), -1, "'%s' is refused", names[i]);
        has_str(f.e.message, "whose name is not a plain one", "it says why");
    }
    teardown(&f);
}

static void test_locked(void)
{
    struct fixture f;
    setup(&f, 0);
    sqlite3 *other;
    sqlite3_open(f.path, &other);
    sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    sqlite3_busy_timeout(f.s->db, 20);
    struct store_claim c;
    is_int(claim(&f, 1, &c), -1, "another program holds the file");
    has_str(f.e.message, "locked by another program", "it says so");
    sqlite3_close(other);
    is_int(claim(&f, 1, &c), 1, "and goes on when that has ended");
    is_int(c.seed, 0, "with the seed that it did not get before");
    teardown(&f);
}

/* Whoever holds the lock is seen to by the one that waits. */
static void end_other(void *of)
{
    sqlite3 **other = of;
    sqlite3_close(*other);
    *other = NULL;
}

static void test_waiting(void)
{
    struct fixture f;
    setup(&f, 0);
    sqlite3 *other;
    sqlite3_open(f.path, &other);
    sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    store_while_waiting(f.s, end_other, &other);
    struct store_claim c;
    is_int(claim(&f, 1, &c), 1, "what holds the file is ended while it is waited for");
    ok(!other, "by who looks after it");
    teardown(&f);
}

/* -- several at once --------------------------------------------------------------------------- */

/* A worker: its own handle, `n` tests, every fifth with findings. Ends the process. */
static _Noreturn void work(struct fixture *f, int worker, int n)
{
    open_fixture(f, 1000);
    for (int i = 0; i < n; i++) {
        struct store_claim c;
        int64_t ids[BEDS];
        int n_bad = i % 5 == 0 ? 1 + i % 2 : 0;
        must(claim(f, worker, &c), &f->e);
        must(record(f, &c, n_bad, 500, "ice", ids), &f->e);
        if (n_bad)
            must(confirm(f, &c, ids, n_bad, FINDING_CONFIRMED), &f->e);
    }
    store_close(f->s);
    arena_release(&f->a);
    _exit(0);
}

/* Processes that find no file and make it at the same time: it is made once, and all get it. */
static void test_made_at_once(void)
{
    enum { ROUNDS = 20, MAKERS = 4 };
    int failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct fixture f;
        place_fixture(&f);
        for (int i = 0; i < MAKERS; i++)
            if (fork() == 0)
                work(&f, i, 1);
        int status;
        while (wait(&status) > 0)
            failed += status != 0;
        failed += ask_number(f.path, "SELECT count(*) FROM test") != MAKERS;
        teardown(&f);
    }
    is_int(failed, 0, "%d processes make the same file at once, %d times", MAKERS, ROUNDS);
}

static bool seeds_have_no_gap(struct fixture *f, uint64_t first, int *n)
{
    uint64_t *seeds;
    must(store_done_seeds(f->s, f->campaign, &f->a, &seeds, n, &f->e), &f->e);
    for (int i = 0; i < *n; i++)
        if (seeds[i] != first + (uint64_t)i)
            return false;
    return true;
}

static void test_workers_at_once(void)
{
    enum { WORKERS = 4, TESTS = 100 };
    struct fixture f;
    place_fixture(&f); /* not yet made: the workers race for that, too */
    pid_t pids[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        pids[i] = fork();
        if (pids[i] == 0)
            work(&f, i, TESTS);
    }
    bool all_well = true, reader_well = true;
    int reads = 0, done = 0;
    int64_t last = 0;
    while (done < WORKERS) {
        int status;
        if (waitpid(-1, &status, WNOHANG) > 0) {
            done++;
            all_well = all_well && status == 0;
        }
        struct store *reader = NULL;
        struct store_campaign *c;
        struct arena a;
        int n;
        arena_init(&a);
        if (store_open(f.path, STORE_READ, &reader, &f.e) == 0) { /* or not yet made */
            reader_well = reader_well && store_campaigns(reader, &a, &c, &n, &f.e) == 0 &&
                          (n == 0 || c[0].tests >= last) && read_everything(reader, &a, &f.e) == 0;
            last = reader_well && n ? c[0].tests : last;
            reads++;
        }
        store_close(reader);
        arena_release(&a);
        usleep(5000);
    }
    ok(all_well, "%d workers side by side", WORKERS);
    ok(reader_well, "a reader looked in %d times", reads);
    open_fixture(&f, 1000);
    int n;
    ok(seeds_have_no_gap(&f, 1000, &n) && n == WORKERS * TESTS, "each seed once, no gap");
    is_int(ask_number(f.path, "SELECT count(*) FROM campaign"), 1, "one campaign");
    is_int(ask_number(f.path, "SELECT count(*) FROM testbed"), BEDS, "its testbeds once");
    is_int(count_matches(&f, all_findings), WORKERS * TESTS / 5 * 3 / 2, "all findings");
    ok(is_sound(f.path) && books_are_right(f.path), "sound, and the books are right");
    teardown(&f);
}

/* A process that works until it is killed, and says after each test which findings it was told are
 * stored. */
static _Noreturn void work_until_killed(struct fixture *f, int tell)
{
    open_fixture(f, 1);
    for (int i = 0;; i++) {
        struct store_claim c;
        int64_t ids[BEDS];
        must(claim(f, 1, &c), &f->e);
        if (c.stage == STORE_CONFIRM) { /* the one before us got that far */
            must(confirm(f, &c, ids, 0, FINDING_CONFIRMED), &f->e);
            continue;
        }
        int n_bad = i % 3;
        must(record(f, &c, n_bad, 2000, "ice", ids), &f->e);
        if (n_bad && write(tell, ids, sizeof *ids * (size_t)n_bad) < 0)
            _exit(1);
        if (n_bad)
            must(confirm(f, &c, ids, n_bad, FINDING_CONFIRMED), &f->e);
    }
}

static void kill_one(struct fixture *f, int round, int *told, int *lost)
{
    int pipes[2];
    if (pipe(pipes))
        BUG("no pipe");
    pid_t pid = fork();
    if (pid == 0) {
        close(pipes[0]);
        work_until_killed(f, pipes[1]);
    }
    close(pipes[1]);
    struct pollfd first = {.fd = pipes[0], .events = POLLIN};
    if (round % 2) /* it is at work, however slow the machine is */
        poll(&first, 1, -1);
    usleep((useconds_t)(2000 + round * 7919 % 60000));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);

    open_fixture(f, 1);
    must(store_release(f->s, f->campaign, -1, NULL, 3, &f->e), &f->e);
    int64_t id;
    while (read(pipes[0], &id, sizeof id) == sizeof id) {
        struct store_query x = all_findings;
        x.id = id;
        ++*told;
        *lost += count_matches(f, x) != 1;
    }
    close(pipes[0]);
    store_close(f->s);
    f->s = NULL;
    arena_reset(&f->a);
}

static void test_killed(void)
{
    enum { ROUNDS = 30 };
    struct fixture f;
    place_fixture(&f);
    int told = 0, lost = 0, unsound = 0;
    for (int i = 0; i < ROUNDS; i++) {
        kill_one(&f, i, &told, &lost);
        unsound += !is_sound(f.path) || !books_are_right(f.path);
    }
    is_int(unsound, 0, "killed %d times: sound each time, and the books are right", ROUNDS);
    ok(told > 0 && lost == 0, "%d findings were acknowledged, %d are lost", told, lost);

    open_fixture(&f, 1);
    struct store_campaign info;
    must(store_campaign_get(f.s, f.campaign, &f.a, &info, &f.e), &f.e);
    struct store_claim c;
    int64_t ids[BEDS];
    while (store_claim(f.s, f.campaign, 1, info.started, &c, &f.e) == 1)
        must(c.stage == STORE_RUN ? record(&f, &c, 0, 50, "", ids)
                                  : confirm(&f, &c, ids, 0, FINDING_CONFIRMED),
             &f.e);
    int n;
    ok(seeds_have_no_gap(&f, 1, &n) && n == info.started, "%d seeds, each once, no gap", n);
    teardown(&f);
}

/* -- disks that are full or read-only ---------------------------------------------------------- */

/* A mount namespace of our own: as root, else as root of a user namespace of our own. */
static bool enter_namespace(void)
{
    uid_t uid = getuid();
    gid_t gid = getgid();
    if (unshare(CLONE_NEWNS)) {
        char map[64];
        struct error e;
        if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
            return false;
        snprintf(map, sizeof map, "0 %u 1", uid);
        if (fs_write("/proc/self/uid_map", map, strlen(map), &e) ||
            fs_write("/proc/self/setgroups", "deny", 4, &e))
            return false;
        snprintf(map, sizeof map, "0 %u 1", gid);
        if (fs_write("/proc/self/gid_map", map, strlen(map), &e))
            return false;
    }
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

static bool mount_tmpfs(const char *dir, const char *size)
{
    char options[64];
    snprintf(options, sizeof options, "size=%s", size);
    return mount("none", dir, "tmpfs", 0, options) == 0;
}

/* Record tests with findings until that fails, at most `most`; their number, and the claim on which
 * it failed. */
static int record_until_failure(struct fixture *f, int most, struct store_claim *failed)
{
    int64_t ids[BEDS];
    for (int i = 0; i < most; i++) {
        failed->seed = UINT64_MAX;
        if (claim(f, 1, failed) < 0 || record(f, failed, 1, 8000, "ice", ids) ||
            confirm(f, failed, ids, 1, FINDING_CONFIRMED))
            return i;
    }
    return most;
}

/* After the failure: what was recorded is there, and the same handle goes on. */
static void check_goes_on(struct fixture *f, int recorded, const char *what)
{
    must(store_release(f->s, f->campaign, -1, NULL, 3, &f->e), &f->e);
    struct store_claim c;
    int64_t ids[BEDS];
    int found = count_matches(f, all_findings);
    ok(found == recorded || found == recorded + 1, "%s: %d tests are there", what, recorded);
    must(claim(f, 1, &c), &f->e);
    is_int(c.seed, recorded, "%s: the test that failed comes again", what);
    int status = c.stage == STORE_RUN ? record(f, &c, 0, 100, "", ids)
                                      : confirm(f, &c, ids, 0, FINDING_CONFIRMED);
    is_int(status, 0, "%s: and is recorded by the same handle", what);
    store_close(f->s);
    f->s = NULL;
    ok(is_sound(f->path) && books_are_right(f->path), "%s: sound, the books are right", what);
}

static void test_full_disk(bool may_mount)
{
    struct fixture f;
    place_fixture(&f);
    if (!may_mount || !mount_tmpfs(f.dir, "2m")) {
        tap_skip("full disk", "no right to mount");
        teardown(&f);
        return;
    }
    char ballast[PATH_MAX];
    static const char zeros[1 << 20];
    snprintf(ballast, sizeof ballast, "%s/ballast", f.dir);
    must(fs_write(ballast, zeros, sizeof zeros, &f.e), &f.e);
    open_fixture(&f, 0);
    struct store_claim c;
    int n = record_until_failure(&f, 1000, &c);
    ok(n > 0 && n < 1000, "the disk is full after %d tests", n);
    is_int(f.e.kind, ERROR_ENVIRONMENT, "kind of error");
    has_str(f.e.message, "the disk is full", "it says so");
    has_str(f.e.message,
            "free some space and run the same command again; nothing recorded so far "
            "is lost",
            "and what to do");
    is_int(count_matches(&f, all_findings) >= n, 1, "reading still works");
    unlink(ballast);
    check_goes_on(&f, n, "full disk");
    umount(f.dir);

    mount_tmpfs(f.dir, "16k");
    refuses(f.path, STORE_WRITE, "the disk is full", "no room for a new file");
    mount("none", f.dir, "tmpfs", MS_REMOUNT, "size=4m");
    is_int(store_open(f.path, STORE_WRITE, &f.s, &f.e), 0, "with more room it is made");
    store_close(f.s);
    f.s = NULL;
    umount(f.dir);
    teardown(&f);
}

static void test_file_size_limit(void)
{
    struct fixture f;
    setup(&f, 0);
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 600000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    struct store_claim c;
    int n = record_until_failure(&f, 1000, &c);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_DFL);
    ok(n > 0 && n < 1000, "a limit on file sizes stops it after %d tests", n);
    has_str(f.e.message, "limit on file sizes (`ulimit -f`)", "it says so");
    has_str(f.e.message, "nothing recorded so far is lost", "and that nothing is lost");
    check_goes_on(&f, n, "file size limit");
    teardown(&f);
}

/* A process that writes and dies without closing, so that the log stays. */
static void leave_log(struct fixture *f)
{
    pid_t pid = fork();
    if (pid == 0) {
        open_fixture(f, 0);
        for (int i = 0; i < 3; i++)
            whole_test(f, 1, 100, "ice", FINDING_CONFIRMED);
        _exit(0);
    }
    waitpid(pid, NULL, 0);
}

static void set_read_only(const char *dir, bool on)
{
    unsigned long flag = on ? MS_RDONLY : 0;
    if (mount(NULL, dir, NULL, MS_REMOUNT | MS_BIND | flag, NULL))
        BUG("cannot remount: %s", strerror(errno));
}

static void check_read_only(struct fixture *f, int findings, const char *what)
{
    set_read_only(f->dir, true);
    int status = store_open(f->path, STORE_READ, &f->s, &f->e);
    is_int(status, 0, "%s: can be opened (%s)", what, status ? f->e.message : "yes");
    if (!status)
        is_int(count_matches(f, all_findings), findings, "%s: and read", what);
    store_close(f->s);
    f->s = NULL;
    refuses(f->path, STORE_WRITE, "read-only", "writing there");
    set_read_only(f->dir, false);
}

static void test_read_only_folder(bool may_mount)
{
    struct fixture f;
    place_fixture(&f);
    if (!may_mount || mount(f.dir, f.dir, NULL, MS_BIND, NULL)) {
        tap_skip("read-only folder", "no right to mount");
        teardown(&f);
        return;
    }
    /* A name that means something in a URI. */
    snprintf(f.path, sizeof f.path, "%s/50%%23 #1? yes.db", f.dir);
    leave_log(&f);
    check_read_only(&f, 3, "read-only folder with a log");

    char shm[PATH_MAX + 8];
    snprintf(shm, sizeof shm, "%s-shm", f.path);
    unlink(shm);
    set_read_only(f.dir, true);
    refuses(f.path, STORE_READ, "copy all files to a folder that can be written",
            "read-only folder with a log and no index");
    set_read_only(f.dir, false);

    open_fixture(&f, 0); /* recovers; closing puts all into the one file */
    store_close(f.s);
    check_read_only(&f, 3, "read-only folder, closed file");
    unlink(f.path);
    make_version_1(&f);
    check_read_only(&f, 1, "read-only folder, older file");
    umount(f.dir);
    teardown(&f);
}

/* -- cost -------------------------------------------------------------------------------------- */

static int64_t cpu_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Ten testbeds, programs of 20 kB. Without findings a test may cost 1 ms of CPU. */
static int64_t cost_per_test(int n_bad)
{
    enum { TESTS = 400, MANY = 10 };
    struct fixture f;
    setup(&f, 0);
    struct store_result results[MANY];
    for (int i = 0; i < MANY; i++) {
        struct testbed t = testbeds[0];
        char name[16];
        snprintf(name, sizeof name, "cc-%d", i);
        t.name = name;
        results[i] = (struct store_result){.observation = &good, .signature = "sig"};
        must(store_testbed_id(f.s, f.campaign, &t, &results[i].testbed, &f.e), &f.e);
        if (i < n_bad)
            results[i].verdict = crashed;
    }
    int64_t spent = 0;
    for (int i = 0; i < TESTS; i++) {
        struct program p = make_program(&f.a, (uint64_t)i, 20000);
        struct store_test t = {&p, results, MANY, 1, 1, 1, 1};
        struct store_claim c;
        int64_t ids[MANY];
        int n;
        int64_t start = cpu_us();
        must(claim(&f, 1, &c), &f.e);
        must(store_record_test(f.s, &c, &t, ids, &n, &f.e), &f.e);
        if (n)
            must(confirm(&f, &c, ids, n, FINDING_CONFIRMED), &f.e);
        spent += cpu_us() - start;
        arena_reset(&f.a);
    }
    teardown(&f);
    return spent / TESTS;
}

static void test_cost(void)
{
    int64_t without = cost_per_test(0), with = cost_per_test(1);
    printf("# CPU per test with 10 testbeds: %lld us without findings, %lld us with one\n",
           (long long)without, (long long)with);
    ok(without < 1000, "a test without findings costs less than 1 ms of CPU");
}

/* -- a server ---------------------------------------------------------------------------------- */

/* What compilers print may be no UTF-8, and has characters that stand for such bytes. */
static void test_any_bytes(void)
{
    struct fixture f;
    struct finding *found;
    int n;
    setup(&f, 0);
    const char *strange =
        "\xff\xc0\xaf in 'x' \xf4\x8f\x9e\x80\xf4\x8f\x9f\xbf \xed\xa0\x80 \xc3\xa4 \xe2\x82";
    whole_test(&f, 1, 100, strange, FINDING_CONFIRMED);
    must(store_findings(f.s, &all_findings, &f.a, &found, &n, &f.e), &f.e);
    is_str(found[0].signature, strange, "bytes that are no UTF-8 come back");
    struct store_query query = all_findings;
    query.signature = strange;
    is_int(count_matches(&f, query), 1, "and are found");
    teardown(&f);
}

/* Whoever runs the server ends all connections: what comes next is recorded. */
static void test_cut_off(void)
{
    struct fixture f;
    struct store_claim c;
    int64_t ids[BEDS];
    setup(&f, 0);
    must(claim(&f, 1, &c), &f.e);
    server_number(test_database(), "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                                   "WHERE pid != pg_backend_pid() AND "
                                   "backend_type = 'client backend'");
    is_int(record(&f, &c, 1, 100, "ice", ids), 0, "a new connection is made%s%s",
           *f.e.message ? ": " : "", f.e.message);
    is_int(whole_test(&f, 0, 100, "", FINDING_NEW), 0, "and goes on");
    ok(books_are_right(f.path), "the books are right");
    teardown(&f);
}

/* Behind what was copied, with its ids, new rows have others. */
static void test_goes_on(void)
{
    struct fixture f;
    struct store *from;
    int64_t id, rows;
    place_fixture(&f);
    must(store_open(arena_printf(&f.a, "%s/assay.db", f.dir), STORE_WRITE, &from, &f.e), &f.e);
    must(store_campaign_open(from, "csmith", &some_options, 0, &id, &f.e), &f.e);
    must(store_open(f.path, STORE_WRITE, &f.s, &f.e), &f.e);
    is_int(store_copy(from, f.s, &rows, &f.e), 0, "a store is copied to a server");
    is_int(rows, 1, "  all that there is");
    is_int(store_campaign_open(f.s, "smith", &some_options, 0, &id, &f.e), 0, "it goes on");
    is_int(id, 2, "  behind what was copied");
    store_close(from);
    teardown(&f);
}

static void test_server(void)
{
    struct fixture f;
    struct store *s;
    place_fixture(&f);
    is_int(store_open(f.path, STORE_READ, &s, &f.e), -1, "a reader makes no tables");
    has_str(f.e.message, "no campaign has been run here yet", "  and says so");
    ok(!strstr(f.e.file, "options"), "  with the name of the server, not all of the address");
    is_int(store_open("postgresql://nobody:secret@/none?host=/nowhere", STORE_WRITE, &s, &f.e), -1,
           "no server");
    has_str(f.e.message, "cannot be reached", "  it says so");
    ok(!strstr(f.e.file, "secret"), "  without the password");
    server_number(f.path, "CREATE TABLE assay_schema(version BIGINT); "
                          "INSERT INTO assay_schema VALUES (12)");
    is_int(store_open(f.path, STORE_WRITE, &s, &f.e), -1, "a newer schema");
    has_str(f.e.message, "made by a newer assay (schema 12, this one knows 11)", "  it says so");
    teardown(&f);
    test_any_bytes();
    test_cut_off();
    test_goes_on();
}

/* What any engine does. */
static void test_store(void)
{
    test_claims_without_campaign();
    test_campaigns();
    test_testbeds();
    test_only_inputs();
    test_classes();
    test_round_trip();
    test_never_run();
    test_claims();
    test_giving_up();
    test_cpu_moments();
    test_durability();
    test_seeds_wrap();
    test_taken_over();
    test_rolled_back();
    test_findings();
    test_strange_names();
    test_workers_at_once();
    test_killed();
    test_cost();
}

static void test_files(bool may_mount)
{
    test_refused_files();
    test_foreign_schema();
    test_migration();
    check_damaged(0);
    check_damaged(40);
    test_strange_content();
    test_locked();
    test_waiting();
    test_made_at_once();
    test_full_disk(may_mount);
    test_file_size_limit();
    test_read_only_folder(may_mount);
}

int main(void)
{
    bool may_mount = !test_database() && enter_namespace();
    if (test_database())
        test_server();
    else
        test_files(may_mount);
    test_store();
    return tap_done();
}
