/* What the tests of the store share: a folder with a store, a campaign and three testbeds in it,
 * tests to record, and what must hold of the file afterwards. */
#ifndef ASSAY_TESTS_STORE_FIXTURE_H
#define ASSAY_TESTS_STORE_FIXTURE_H

#include "base/fs.h"
#include "base/text.h"
#include "store/sqlite.h" /* to build old files, and to look into new ones */
#include "tap.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef ASSAY_TEST_SERVER /* the tests of the store alone */
#include <libpq-fe.h>
#endif

static const struct store_query all_findings = {.anomaly = -1, .state = -1};

static const struct store_options some_options = {.testbeds = "gcc,clang:-O2",
                                                  .testbed_dir = "/x/--no-sandbox",
                                                  .all_flags = true,
                                                  .majority = 0.75,
                                                  .settings = "--max-funcs 3"};

/* One folder, one store, one campaign, three testbeds. */
enum { BEDS = 3 };
struct fixture {
    char dir[PATH_MAX / 2], path[PATH_MAX];
    struct store *s;
    int64_t campaign, beds[BEDS];
    struct arena a;
    struct error e;
};

static const char *const compile_steps[] = {"{cc} {flags} -c {src}", "{cc} -o {exe}", NULL};
/* clang-format off */
static const struct testbed testbeds[BEDS] = {
    {.name = "gcc-12 -O0", .toolchain = "gcc", .path = "/usr/bin/gcc-12", .version = "12.2.0",
     .flags = "-O0", .model = "lp64", .reference = true, .compile = compile_steps, .run = "{exe}"},
    {.name = "gcc-12 -O3", .toolchain = "gcc", .path = "/usr/bin/gcc-12", .version = "12.2.0",
     .flags = "-O3", .model = "lp64", .compile = compile_steps, .run = "{exe}"},
    {.name = "clang-14 -O2", .toolchain = "clang", .path = "/usr/bin/clang-14", .version = "14.0.6",
     .flags = "-O2", .model = "lp64", .compile = compile_steps}};
/* clang-format on */

/* Everything below needs this call to succeed; without it the test has no meaning. */
static inline void must(int status, const struct error *e)
{
    if (status < 0)
        BUG("setting up: %s: %s", e->file, e->message);
}

static inline void open_fixture(struct fixture *f, uint64_t first_seed)
{
    must(store_open(f->path, STORE_WRITE, &f->s, &f->e), &f->e);
    must(store_campaign_open(f->s, "csmith", &some_options, first_seed, &f->campaign, &f->e),
         &f->e);
    for (int i = 0; i < BEDS; i++)
        must(store_testbed_id(f->s, f->campaign, &testbeds[i], &f->beds[i], &f->e), &f->e);
}

/* -- on a server ------------------------------------------------------------------------------- */

/* The database of a server for these tests, "postgresql://postgres@/?host=/tmp/x"; NULL: files. */
static inline const char *test_database(void)
{
    return getenv("ASSAY_TEST_DATABASE");
}

static inline bool is_on_server(const struct fixture *f)
{
    return store_is_url(f->path);
}

/* The first number of what the statement gives; -1: none. */
static inline int server_number(const char *url, const char *sql)
{
    int answer = -1;
#ifdef ASSAY_TEST_SERVER /* the tests of the store alone */
    PGconn *pg = PQconnectdb(url);
    PGresult *result = PQexec(pg, sql);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK)
        BUG("%s: %s", sql, PQerrorMessage(pg));
    if (status == PGRES_TUPLES_OK && PQntuples(result) > 0 && !PQgetisnull(result, 0, 0))
        answer = *PQgetvalue(result, 0, 0) == 't' ? 1 : atoi(PQgetvalue(result, 0, 0));
    PQclear(result);
    PQfinish(pg);
#else
    (void)url;
    (void)sql;
#endif
    return answer;
}

/* Each fixture has a schema of its own. */
static inline void place_on_server(struct fixture *f, const char *database)
{
    static int made;
    char sql[200];
    snprintf(sql, sizeof sql,
             "SET client_min_messages = error; DROP SCHEMA IF EXISTS test%d_%d CASCADE; "
             "CREATE SCHEMA test%d_%d",
             (int)getpid(), made, (int)getpid(), made);
    server_number(database, sql);
    snprintf(f->path, sizeof f->path, "%s&options=-csearch_path%%3Dtest%d_%d", database,
             (int)getpid(), made++);
}

static inline void place_fixture(struct fixture *f)
{
    *f = (struct fixture){0};
    arena_init(&f->a);
    must(fs_make_temp_dir("store-test", f->dir, sizeof f->dir, &f->e), &f->e);
    snprintf(f->path, sizeof f->path, "%s/assay.db", f->dir);
    if (test_database())
        place_on_server(f, test_database());
}

static inline void setup(struct fixture *f, uint64_t first_seed)
{
    place_fixture(f);
    open_fixture(f, first_seed);
}

static inline void teardown(struct fixture *f)
{
    store_close(f->s);
    arena_release(&f->a);
    fs_remove_tree(f->dir);
}

static inline void reopen(struct fixture *f, enum store_mode mode)
{
    store_close(f->s);
    must(store_open(f->path, mode, &f->s, &f->e), &f->e);
}

/* -- tests to record --------------------------------------------------------------------------- */

/* A program of its own for each seed, `size` bytes of text that do not compress to nothing. */
static inline struct program make_program(struct arena *a, uint64_t seed, size_t size)
{
    char *t = arena_alloc(a, size + 1);
    uint64_t x = seed * 2654435761u + 1;
    for (size_t i = 0; i < size; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        t[i] = (char)(33 + (x >> 33) % 94);
    }
    struct program_file *file = arena_new(a, struct program_file);
    *file = (struct program_file){"t.c", t, size};
    return (struct program){.language = "c",
                            .files = file,
                            .n_files = 1,
                            .needs = "",
                            .trusted = true,
                            .made = {"csmith", "2.3.0", "--max-funcs 3", seed, NULL}};
}

/* clang-format off */
static const struct observation good = {.outcome = OUTCOME_OK, .output = {"checksum = 1\n", 13},
                                        .output_size = 13, .messages = "", .detail = "exit 0",
                                        .build = {2000, 3000, 400}, .run = {100, 200, 30}};
static const struct observation crash = {.outcome = OUTCOME_BUILD_CRASH, .exit_status = 1,
                                         .output = {"", 0}, .messages = "internal compiler error",
                                         .detail = "SIGSEGV", .build = {7000, 8000, 900}};
/* clang-format on */

static const struct verdict crashed = {ANOMALY_BUILD_CRASH, EVIDENCE_SELF, 1.0, false};

/* Results of all testbeds; the last `n_bad` of them crash, with the signature. */
static inline void make_results(const struct fixture *f, struct store_result *r, int n_bad,
                                const char *signature)
{
    for (int i = 0; i < BEDS; i++) {
        bool bad = i >= BEDS - n_bad;
        r[i] = (struct store_result){.testbed = f->beds[i],
                                     .observation = bad ? &crash : &good,
                                     .signature = bad ? signature : ""};
        if (bad)
            r[i].verdict = crashed;
    }
}

/* Record a claim with `n_bad` findings; their ids go to `ids`. Returns store_record_test's. */
static inline int record(struct fixture *f, const struct store_claim *c, int n_bad, size_t size,
                         const char *signature, int64_t *ids)
{
    struct store_result results[BEDS];
    make_results(f, results, n_bad, signature);
    struct arena a;
    arena_init(&a);
    struct program p = make_program(&a, c->seed, size);
    struct store_test t = {&p, results, BEDS, 10, 20, 30, 40};
    int n = 0;
    int status = store_record_test(f->s, c, &t, ids, &n, &f->e);
    arena_release(&a);
    if (status == 0 && n != n_bad)
        BUG("%d findings instead of %d", n, n_bad);
    return status;
}

static inline int confirm(struct fixture *f, const struct store_claim *c, const int64_t *ids, int n,
                          enum finding_state state)
{
    struct store_confirmation all[BEDS] = {0};
    for (int i = 0; i < n; i++)
        all[i] = (struct store_confirmation){.finding = ids[i],
                                             .seen = state == FINDING_FLAKY ? 1 : 3,
                                             .tried = 3,
                                             .state = state,
                                             .build_us = 1000,
                                             .run_us = 100};
    return store_confirm(f->s, c, all, n, &f->e);
}

static inline int claim(struct fixture *f, int worker, struct store_claim *c)
{
    return store_claim(f->s, f->campaign, worker, 0, c, &f->e);
}

/* A whole test; the id of its first finding, 0 without. */
static inline int64_t whole_test(struct fixture *f, int n_bad, size_t size, const char *signature,
                                 enum finding_state state)
{
    struct store_claim c;
    int64_t ids[BEDS] = {0};
    must(claim(f, 1, &c), &f->e);
    must(record(f, &c, n_bad, size, signature, ids), &f->e);
    if (n_bad && state != FINDING_NEW)
        must(confirm(f, &c, ids, n_bad, state), &f->e);
    return ids[0];
}

static inline int ask_number(const char *path, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt = NULL;
    int answer = -1;
    if (store_is_url(path))
        return server_number(path, sql);
    if (!sqlite3_open(path, &db) && !sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) &&
        sqlite3_step(stmt) == SQLITE_ROW)
        answer = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return answer;
}

/* A server sees to that itself. */
static inline bool is_sound(const char *path)
{
    if (store_is_url(path))
        return true;
    return ask_number(path, "SELECT group_concat(integrity_check) = 'ok' "
                            "FROM pragma_integrity_check") == 1 &&
           ask_number(path, "SELECT count(*) FROM pragma_foreign_key_check") == 0;
}

/* Done and claimed numbers together are 0 .. started-1, each once; totals agree with the rows. */
static inline bool books_are_right(const char *path)
{
    return ask_number(path, "SELECT count(*) FROM campaign c WHERE c.started != "
                            "(SELECT count(DISTINCT number) FROM (SELECT number FROM claim "
                            "WHERE campaign = c.id UNION ALL SELECT number FROM test "
                            "WHERE campaign = c.id AND done_at IS NOT NULL) AS n)") == 0 &&
           ask_number(path, "SELECT count(*) FROM claim JOIN test USING (campaign, number) "
                            "WHERE done_at IS NOT NULL") == 0 &&
           ask_number(path, "SELECT count(*) FROM campaign c WHERE c.tests != (SELECT count(*) "
                            "FROM test WHERE campaign = c.id AND done_at IS NOT NULL "
                            "AND c.slipped_from IS NULL) "
                            "OR c.findings != (SELECT count(*) FROM finding WHERE "
                            "campaign = c.id)") == 0 &&
           ask_number(path, "SELECT count(*) FROM test WHERE number NOT BETWEEN 0 AND "
                            "(SELECT started FROM campaign WHERE id = campaign) - 1") == 0;
}

static inline void make_database(const char *path, const char *sql)
{
    sqlite3 *db;
    if (store_is_url(path)) {
        server_number(path, sql);
        return;
    }
    if (sqlite3_open(path, &db) || sqlite3_exec(db, sql, NULL, NULL, NULL))
        BUG("%s: %s", path, sqlite3_errmsg(db));
    sqlite3_close(db);
}

/* What the last transaction asked for: 1 normal, 2 on the disk before it returns. */
static inline int synchronous(struct fixture *f)
{
    int64_t level;
    if (is_on_server(f))
        return f->s->durable ? 2 : 1;
    must(store_ask(f->s, "PRAGMA synchronous", NULL, 0, &level, 1, &f->e), &f->e);
    return (int)level;
}

static inline int count_matches(struct fixture *f, struct store_query query)
{
    struct finding *found;
    int n;
    must(store_findings(f->s, &query, &f->a, &found, &n, &f->e), &f->e);
    return n;
}

#endif
