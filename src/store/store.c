/* Everything that writes to the file.
 *
 * Each writing function is a thin shell around one transaction:
 *
 *     store_begin(s, durable)          BEGIN IMMEDIATE: wait for the other writers at once
 *     store_finish(s, body(s, ...))    COMMIT if the body succeeded, else ROLLBACK
 *
 * The invariant that the transactions keep, for each campaign:
 *
 *     the numbers 0 .. started-1 are exactly those with a row in `claim`, or a row in `test` with
 *     done_at set; never both.
 *
 * A number is handed out by counting `started` up and inserting its claim; whoever ends a claim
 * deletes that row and marks the test done. Deleting must hit exactly one row, in the stage that is
 * expected: if it does not, another assay has taken the seed over, and nothing is recorded twice.
 *
 * WAL with synchronous=NORMAL survives the death of any process; a power failure may take the last
 * transactions, but always from the end and never a part of one. Those that carry a finding are
 * written with synchronous=FULL. The setting cannot change inside a transaction: store_begin sees
 * to it.
 *
 * Statements that run for each test are prepared once per handle: compiling them each time made a
 * test cost four times as much (230 us of CPU instead of 59; tests/store/test_store.c prints the
 * figure of today). Those of read.c run once per command and are not kept. */
#include "store/store_internal.h"
#include "base/fs.h"
#include "base/vec.h"

#include <errno.h>
#include <inttypes.h>

enum {
    ZSTD_LEVEL = 3,   /* 1..22 */
    SHORT_TEXT = 512, /* bytes; longer outputs and messages are compressed */
};

const char *const store_stage_name[] = {[STORE_RUN] = "run", [STORE_CONFIRM] = "confirm"};

/* Of a campaign, so far; and of the campaign ?1. */
#define CPU_TIME "generate_us + build_us + run_us + own_us"
#define CPU_NOW "(SELECT " CPU_TIME " FROM campaign WHERE id = ?1)"

/* By which a testbed of a campaign is known. */
#define TESTBED_KEY "campaign, name, path, version, compile, run, model"

#define STATEMENTS(X)                                                                              \
    X(CAMPAIGN_SEED, "SELECT first_seed FROM campaign WHERE id = ?1")                              \
    X(CAMPAIGN_FIND, "SELECT id FROM campaign WHERE generator = ?1 AND (?2 = 0 OR "                \
                     "first_seed = ?3)" OPTION_CONDITIONS " ORDER BY id DESC LIMIT 1")             \
    X(CAMPAIGN_NEW, "INSERT INTO campaign(generator, first_seed, created_at" OPTION_NAMES ") "     \
                    "VALUES (?1, ?2, ?3" OPTION_PLACES ") RETURNING id")                           \
    X(CAMPAIGN_TICK, "UPDATE campaign SET elapsed_ms = elapsed_ms + ?2, own_us = own_us + ?3 "     \
                     "WHERE id = ?1")                                                              \
    X(CAMPAIGN_ROUND,                                                                              \
      "UPDATE campaign SET round_tests = tests, round_findings = findings, "                       \
      "round_elapsed_ms = elapsed_ms, round_cpu_us = " CPU_TIME ", round_last_finding = "          \
      "(SELECT coalesce(max(id), 0) FROM finding) WHERE id = ?1")                                  \
    X(CAMPAIGN_ADD, "UPDATE campaign SET tests = tests + ?2, findings = findings + ?3, "           \
                    "incidents = incidents + ?4, generate_us = generate_us + ?5, "                 \
                    "build_us = build_us + ?6, run_us = run_us + ?7, own_us = own_us + ?8, "       \
                    "last_finding_at = CASE WHEN ?9 > last_finding_at THEN ?9 "                    \
                    "ELSE last_finding_at END WHERE id = ?1")                                      \
    X(TESTBED_ID, "INSERT INTO testbed(campaign, name, toolchain, version, path, flags, model, "   \
                  "reference, compile, run, dir, library, filter, content) "                       \
                  "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14) "          \
                  "ON CONFLICT(" TESTBED_KEY ") DO UPDATE SET reference = excluded.reference, "    \
                  "dir = excluded.dir, library = excluded.library, filter = excluded.filter, "     \
                  "content = CASE WHEN testbed.content = '' THEN excluded.content "                \
                  "ELSE testbed.content END "                                                      \
                  "RETURNING id, content != '' AND ?14 != '' AND content != ?14")                  \
    X(CLAIM_WAITING, "UPDATE claim SET worker = ?2 WHERE campaign = ?1 AND number = "              \
                     "(SELECT min(number) FROM claim WHERE campaign = ?1 AND worker IS NULL) "     \
                     "RETURNING number, stage = 'confirm', attempts")                              \
    X(CLAIM_FRESH, "UPDATE campaign SET started = started + 1 "                                    \
                   "WHERE id = ?1 AND (?2 = 0 OR started < ?2) RETURNING started - 1")             \
    X(CLAIM_NEW, "INSERT INTO claim(campaign, number, stage, worker) VALUES (?1, ?2, 'run', ?3)")  \
    X(CLAIM_CONFIRM, "UPDATE claim SET stage = 'confirm' "                                         \
                     "WHERE campaign = ?1 AND number = ?2 AND stage = 'run'")                      \
    X(CLAIM_END, "DELETE FROM claim WHERE campaign = ?1 AND number = ?2 AND stage = ?3")           \
    X(CLAIM_GIVE_UP, "DELETE FROM claim WHERE campaign = ?1 AND number = ?2")                      \
    X(CLAIM_RELEASE, "UPDATE claim SET worker = NULL, attempts = attempts + ?3 "                   \
                     "WHERE campaign = ?1 AND worker IS NOT NULL AND (?2 = -1 OR worker = ?2) "    \
                     "RETURNING number, attempts")                                                 \
    X(REDUCTION_RELEASE, "UPDATE reduction SET worker = NULL, attempts = attempts + ?3 "           \
                         "WHERE worker IS NOT NULL AND (?2 = -1 OR worker = ?2) AND finding IN "   \
                         "(SELECT id FROM finding WHERE campaign IN " WITH_SLIPPED ") "            \
                         "RETURNING finding, attempts")                                            \
    X(REDUCTION_GIVE_UP, "UPDATE reduction SET state = 'failed', why = ?2, at = ?3 "               \
                         "WHERE finding = ?1 AND state = 'begun'")                                 \
    X(BLAME_GIVE_UP, "INSERT INTO blame(finding, pass, detail, first_bad, last_good, at) "         \
                     "SELECT finding, '', ?2, '', '', ?3 FROM reduction "                          \
                     "WHERE finding = ?1 AND state = 'done' ON CONFLICT DO NOTHING")               \
    X(FINDING_SEED, "SELECT seed FROM finding WHERE id = ?1")                                      \
    X(PROGRAM_KNOWN, "SELECT 1 FROM program WHERE hash = ?1")                                      \
    X(PROGRAM_NEW, "INSERT INTO program(hash, language, needs, expected, trusted, files, "         \
                   "build_only) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")                              \
    X(ORIGIN_NEW, "INSERT INTO origin(program, generator, version, config, seed, choices) "        \
                  "VALUES (?1, ?2, ?3, ?4, ?5, ?6)")                                               \
    X(TEST_NEW,                                                                                    \
      "INSERT INTO test(campaign, number, program, bytes, generate_us, build_us, "                 \
      "run_us, own_us, findings, done_at, done_cpu_us) "                                           \
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, CASE WHEN ?9 = 0 THEN ?10 END, " CPU_NOW ")")   \
    X(TEST_DONE, "INSERT INTO test(campaign, number, done_at, done_cpu_us) "                       \
                 "VALUES (?1, ?2, ?3, " CPU_NOW ") ON CONFLICT(campaign, number) DO UPDATE SET "   \
                 "done_at = excluded.done_at, done_cpu_us = excluded.done_cpu_us")                 \
    X(STAT_ADD, "INSERT INTO stat(testbed, outcome, count, build_us, run_us) "                     \
                "VALUES (?1, ?2, 1, ?3, ?4) ON CONFLICT(testbed, outcome) DO UPDATE SET "          \
                "count = stat.count + 1, build_us = stat.build_us + excluded.build_us, "           \
                "run_us = stat.run_us + excluded.run_us")                                          \
    X(STAT_CONFIRM, "UPDATE stat SET build_us = build_us + ?2, run_us = run_us + ?3 "              \
                    "WHERE (testbed, outcome) = (SELECT o.testbed, o.outcome FROM finding f "      \
                    "JOIN observation o USING (campaign, number, testbed) WHERE f.id = ?1)")       \
    X(OBSERVATION_NEW, "INSERT INTO observation(campaign, number, testbed, outcome, exit_status, " \
                       "signal, output, output_size, output_hash, messages, detail, "              \
                       "build_cpu_us, build_wall_us, build_peak_kb, "                              \
                       "run_cpu_us, run_wall_us, run_peak_kb, "                                    \
                       "anomaly, evidence, confidence, of_group, flags) "                          \
                       "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, "     \
                       "?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)")                                  \
    X(FINDING_ADD, "INSERT INTO finding(campaign, number, seed, testbed, signature, state, seen, " \
                   "tried, found_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, 1, ?7) RETURNING id")      \
    X(FINDING_TRIED, "UPDATE finding SET seen = ?4, tried = ?5, state = ?6 "                       \
                     "WHERE id = ?1 AND campaign = ?2 AND number = ?3")                            \
    X(TESTBED_DROPPED, "UPDATE testbed SET only_inputs = only_inputs + 1 "                         \
                       "WHERE id = (SELECT testbed FROM finding WHERE id = ?1)")                   \
    X(TEST_LESS, "UPDATE test SET findings = findings - 1 WHERE (campaign, number) = "             \
                 "(SELECT campaign, number FROM finding WHERE id = ?1)")                           \
    X(FINDING_DROP, "DELETE FROM finding WHERE id = ?1")                                           \
    X(SLIP_KNOWN, "SELECT 1 FROM finding f JOIN testbed b ON b.id = f.testbed "                    \
                  "WHERE f.signature = ?2 AND b.name = (SELECT b.name FROM finding f "             \
                  "JOIN testbed b ON b.id = f.testbed WHERE f.id = ?1)")                           \
    X(SLIP_ROOT, "SELECT coalesce(c.slipped_from, c.id) FROM finding f "                           \
                 "JOIN campaign c ON c.id = f.campaign WHERE f.id = ?1")                           \
    X(SLIP_CAMPAIGN, "SELECT id FROM campaign WHERE slipped_from = ?1")                            \
    X(SLIP_CAMPAIGN_NEW, "INSERT INTO campaign(generator, first_seed, created_at, "                \
                         "slipped_from" OPTION_NAMES ") SELECT 'slipped', 0, ?2, id" OPTION_NAMES  \
                         " FROM campaign WHERE id = ?1 RETURNING id")                              \
    X(SLIP_TESTBED, "INSERT INTO testbed(campaign, name, toolchain, version, path, flags, model, " \
                    "reference, compile, run, dir, library) "                                      \
                    "SELECT ?2, b.name, b.toolchain, b.version, b.path, b.flags, b.model, "        \
                    "b.reference, b.compile, b.run, b.dir, b.library FROM finding f "              \
                    "JOIN testbed b ON b.id = f.testbed WHERE f.id = ?1 "                          \
                    "ON CONFLICT(" TESTBED_KEY ") DO UPDATE SET reference = excluded.reference "   \
                    "RETURNING id")                                                                \
    X(IMPORT_CAMPAIGN, "SELECT id FROM campaign WHERE slipped_from = id")                          \
    X(IMPORT_CAMPAIGN_NEW, "INSERT INTO campaign(generator, first_seed, created_at) "              \
                           "VALUES ('baseline', 0, ?1) RETURNING id")                              \
    X(IMPORT_CAMPAIGN_OWN, "UPDATE campaign SET slipped_from = id WHERE id = ?1")                  \
    X(IMPORT_TESTBED, "INSERT INTO testbed(campaign, name, toolchain, version, path, flags, "      \
                      "model, reference, compile, run) VALUES (?1, ?2, ?3, '', '', '', '', 0, "    \
                      "'', '') ON CONFLICT(" TESTBED_KEY ") DO UPDATE SET "                        \
                      "toolchain = excluded.toolchain RETURNING id")                               \
    X(IMPORT_KNOWN, "SELECT f.id FROM finding f JOIN test t USING (campaign, number) "             \
                    "WHERE f.testbed = ?1 AND f.signature = ?2 AND t.program = ?3")                \
    X(IMPORT_MARK, "INSERT INTO mark(finding, mark, covers_signature, note, version, at) "         \
                   "VALUES (?1, ?2, ?3, ?4, '', ?5)")                                              \
    X(IMPORT_REDUCTION, "INSERT INTO reduction(finding, state, program, flags, from_bytes, "       \
                        "bytes, at) VALUES (?1, 'done', ?2, ?3, ?4, ?4, ?5)")                      \
    X(IMPORT_BLAME, "INSERT INTO blame(finding, pass, detail, first_bad, last_good, at) "          \
                    "VALUES (?1, ?2, 'as the baseline says', '', '', ?3)")                         \
    X(STARTED, "SELECT started FROM campaign WHERE id = ?1")                                       \
    X(INCIDENT_KNOWN, "SELECT 1 FROM incident WHERE campaign = ?1 AND what = ?2")                  \
    X(INCIDENT_NEW, "INSERT INTO incident(campaign, seed, what, at) VALUES (?1, ?2, ?3, ?4)")

enum statement {
#define X(id, sql) id,
    STATEMENTS(X)
#undef X
        STATEMENT_COUNT
};

static const char *const statement_sql[STATEMENT_COUNT] = {
#define X(id, sql) [id] = sql,
    STATEMENTS(X)
#undef X
};

/* -- statements -------------------------------------------------------------------------------- */

/* The cached statement with its values bound, or NULL with the error set. Ends with a reset. */
static struct query *ready(struct store *s, enum statement id, const struct value *values, int n,
                           struct error *e)
{
    if (!s->cached)
        s->cached = memset(mem_alloc(sizeof *s->cached * STATEMENT_COUNT), 0,
                           sizeof *s->cached * STATEMENT_COUNT);
    if (!s->cached[id] && query_prepare(s, statement_sql[id], &s->cached[id], e))
        return NULL;
    return query_bind(s, s->cached[id], values, n, e) ? NULL : s->cached[id];
}

/* One step; the integer columns of the row go to `row`. A statement with RETURNING has made all its
 * changes when its first row appears. */
static int first_row(struct store *s, struct query *q, int64_t *row, int columns, struct error *e)
{
    int found = query_step(s, q, e);
    for (int i = 0; found == 1 && i < columns; i++)
        row[i] = query_integer(s, q, i);
    return found;
}

/* 1: there was a row; 0: none; -1: error. */
static int ask(struct store *s, enum statement id, const struct value *values, int n, int64_t *row,
               int columns, struct error *e)
{
    struct query *q = ready(s, id, values, n, e);
    int found = q ? first_row(s, q, row, columns, e) : -1;
    query_reset(s, q);
    return found;
}

int store_ask(struct store *s, const char *sql, const struct value *values, int n, int64_t *row,
              int columns, struct error *e)
{
    struct query *q;
    if (rows_query(s, sql, values, n, &q, e))
        return -1;
    int found = first_row(s, q, row, columns, e);
    query_end(s, q);
    return found;
}

/* Run it for its effect. */
static int run(struct store *s, enum statement id, const struct value *values, int n,
               struct error *e)
{
    return done(ask(s, id, values, n, NULL, 0, e));
}

int store_begin(struct store *s, bool durable, struct error *e)
{
    REQUIRE(s->mode == STORE_WRITE && !s->views);
    return s->engine->begin(s, durable, e);
}

int store_finish(struct store *s, int status, struct error *e)
{
    if (status >= 0 && s->engine->commit(s, e) == 0)
        return status;
    s->engine->rollback(s);
    return -1;
}

/* -- campaigns --------------------------------------------------------------------------------- */

/* What a transaction adds to the campaign's columns. */
struct totals {
    int64_t tests, findings, incidents;
    int64_t generate_us, build_us, run_us, own_us;
    int64_t last_finding_at;
};

static int add_totals(struct store *s, int64_t campaign, const struct totals *t, struct error *e)
{
    return run(s, CAMPAIGN_ADD,
               VALUES(integer(campaign), integer(t->tests), integer(t->findings),
                      integer(t->incidents), integer(t->generate_us), integer(t->build_us),
                      integer(t->run_us), integer(t->own_us), integer(t->last_finding_at)),
               e);
}

static int load_campaign(struct store *s, int64_t campaign, struct error *e)
{
    if (s->campaign == campaign && campaign != 0)
        return 0;
    int64_t seed;
    int found = ask(s, CAMPAIGN_SEED, VALUES(integer(campaign)), &seed, 1, e);
    if (found < 0)
        return -1;
    if (!found)
        return store_no_campaign(s, campaign, e);
    s->campaign = campaign;
    s->first_seed = (uint64_t)seed;
    return 0;
}

int64_t store_seed_number(struct store *s, int64_t campaign, uint64_t seed, struct error *e)
{
    if (load_campaign(s, campaign, e))
        return -1;
    return (int64_t)((seed - s->first_seed) & INT64_MAX); /* nobody runs 2^63 tests */
}

static int open_campaign(struct store *s, const char *generator, const struct store_options *o,
                         uint64_t first_seed, int64_t *id, struct error *e)
{
    int found =
        ask(s, CAMPAIGN_FIND,
            VALUES(text(generator), integer(o->seed_given), seed_bits(first_seed) OPTION_VALUES),
            id, 1, e);
    if (found)
        return found < 0 ? -1 : 0;
    return done(
        ask(s, CAMPAIGN_NEW,
            VALUES(text(generator), seed_bits(first_seed), integer(clock_wall()) OPTION_VALUES), id,
            1, e));
}

int store_campaign_open(struct store *s, const char *generator, const struct store_options *o,
                        uint64_t first_seed, int64_t *id, struct error *e)
{
    return store_transaction(s, false, open_campaign(s, generator, o, first_seed, id, e), e);
}

/* A statement that changes the row of one campaign. */
static int change_campaign(struct store *s, int64_t id, enum statement statement,
                           const struct value *values, int n, struct error *e)
{
    if (store_begin(s, false, e))
        return -1;
    int status = run(s, statement, values, n, e);
    if (!status && store_changes(s) != 1)
        status = store_no_campaign(s, id, e);
    return store_finish(s, status, e);
}

int store_campaign_tick(struct store *s, int64_t id, int64_t add_ms, int64_t own_us,
                        struct error *e)
{
    return change_campaign(s, id, CAMPAIGN_TICK,
                           VALUES(integer(id), integer(add_ms), integer(own_us)), e);
}

int store_campaign_end_round(struct store *s, int64_t id, struct error *e)
{
    return change_campaign(s, id, CAMPAIGN_ROUND, VALUES(integer(id)), e);
}

/* -- testbeds ---------------------------------------------------------------------------------- */

static const char *or_empty(const char *s)
{
    return s ? s : "";
}

static int register_testbed(struct store *s, int64_t campaign, const struct testbed *t, int64_t *id,
                            struct error *e)
{
    if (load_campaign(s, campaign, e))
        return -1;
    struct strbuf steps;
    int64_t row[2] = {0};
    strbuf_init(&steps, 0);
    for (const char *const *step = t->compile; step && *step; step++)
        strbuf_addf(&steps, "%s\n", *step);
    int found =
        ask(s, TESTBED_ID,
            VALUES(integer(campaign), text(t->name), text(or_empty(t->toolchain)),
                   text(or_empty(t->version)), text(or_empty(t->path)), text(or_empty(t->flags)),
                   text(or_empty(t->model)), integer(t->reference), text(steps.s),
                   text(or_empty(t->run)), text(or_empty(t->dir)), text(or_empty(t->library)),
                   integer(t->filter), text(or_empty(t->content))),
            row, 2, e);
    strbuf_release(&steps);
    *id = row[0];
    return found < 0 ? -1 : row[1] != 0;
}

int store_testbed_id(struct store *s, int64_t campaign, const struct testbed *t, int64_t *id,
                     struct error *e)
{
    return store_transaction(s, false, register_testbed(s, campaign, t, id, e), e);
}

/* -- claims ------------------------------------------------------------------------------------ */

static int take_claim(struct store *s, int64_t campaign, int worker, int64_t max_started,
                      struct store_claim *out, struct error *e)
{
    if (load_campaign(s, campaign, e))
        return -1;
    enum { NUMBER, IS_CONFIRM, ATTEMPTS, COLUMNS };
    int64_t row[COLUMNS] = {0};
    int found = ask(s, CLAIM_WAITING, VALUES(integer(campaign), integer(worker)), row, COLUMNS, e);
    if (found == 0) {
        found = ask(s, CLAIM_FRESH, VALUES(integer(campaign), integer(max_started)), row, 1, e);
        if (found == 1 &&
            run(s, CLAIM_NEW, VALUES(integer(campaign), integer(row[NUMBER]), integer(worker)), e))
            return -1;
    }
    if (found == 1)
        *out = (struct store_claim){.campaign = campaign,
                                    .seed = s->first_seed + (uint64_t)row[NUMBER],
                                    .stage = row[IS_CONFIRM] ? STORE_CONFIRM : STORE_RUN,
                                    .attempts = (int)row[ATTEMPTS]};
    return found;
}

int store_claim(struct store *s, int64_t campaign, int worker, int64_t max_started,
                struct store_claim *out, struct error *e)
{
    return store_transaction(s, false, take_claim(s, campaign, worker, max_started, out, e), e);
}

/* After the statement that ends a claim or moves it on: was it still there? */
static int check_claim(struct store *s, uint64_t seed, struct error *e)
{
    if (store_changes(s) == 1)
        return 0;
    return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                    "seed %" PRIu64 " was taken over by another assay that works in the same "
                    "folder: stop one of the two",
                    seed);
}

static int end_claim(struct store *s, const struct store_claim *c, int64_t number,
                     enum store_stage stage, struct error *e)
{
    if (run(s, CLAIM_END,
            VALUES(integer(c->campaign), integer(number), text(store_stage_name[stage])), e))
        return -1;
    return check_claim(s, c->seed, e);
}

static int mark_done(struct store *s, int64_t campaign, int64_t number, struct error *e)
{
    return run(s, TEST_DONE, VALUES(integer(campaign), integer(number), integer(clock_wall())), e);
}

/* -- tests ------------------------------------------------------------------------------------- */

static ZSTD_CCtx *compressor(struct store *s)
{
    if (!s->zstd)
        s->zstd = ZSTD_createCCtx();
    REQUIRE(s->zstd);
    return s->zstd;
}

/* As a zstd frame in fresh memory, which the caller frees. */
static struct value squeeze(struct store *s, const void *data, size_t n, void **memory)
{
    size_t room = ZSTD_compressBound(n);
    *memory = mem_alloc(room);
    size_t size = ZSTD_compressCCtx(compressor(s), *memory, room, data, n, ZSTD_LEVEL);
    REQUIRE(!ZSTD_isError(size));
    return blob(*memory, size);
}

/* A text where it can be one: SQL functions end a text at a NUL. */
static struct value bytes_value(struct bytes b)
{
    bool is_text = !b.data || strlen(b.data) == b.size;
    return is_text ? text(b.data) : blob(b.data, b.size);
}

static struct value squeeze_bytes(struct store *s, struct bytes b, void **memory)
{
    if (b.data && strlen(b.data) != b.size)
        return squeeze(s, b.data, b.size, memory);
    return store_squeeze_text(s, b.data, memory);
}

struct value store_squeeze_text(struct store *s, const char *t, void **memory)
{
    *memory = NULL;
    size_t n = t ? strlen(t) : 0;
    return n <= SHORT_TEXT ? text(or_empty(t)) : squeeze(s, t, n, memory);
}

int store_keep_program(struct store *s, const struct program *p, const char *hash, struct error *e)
{
    int64_t one;
    int known = ask(s, PROGRAM_KNOWN, VALUES(text(hash)), &one, 1, e);
    if (known < 0)
        return -1;
    if (!known) {
        struct strbuf packed;
        strbuf_init(&packed, 0);
        program_pack(p, &packed);
        void *memory;
        struct value files = squeeze(s, packed.s, packed.n, &memory);
        int status = run(s, PROGRAM_NEW,
                         VALUES(text(hash), text(p->language), text(or_empty(p->needs)),
                                bytes_value(p->expected), integer(p->trusted), files,
                                integer(p->build_only)),
                         e);
        free(memory);
        strbuf_release(&packed);
        if (status)
            return -1;
    }
    const struct provenance *m = &p->made;
    return run(s, ORIGIN_NEW,
               VALUES(text(hash), text(or_empty(m->generator)), text(or_empty(m->version)),
                      text(or_empty(m->config)), seed_bits(m->seed), text(m->choices)),
               e);
}

static int keep_observation(struct store *s, const struct store_claim *c, int64_t number,
                            const struct store_result *r, struct error *e)
{
    const struct observation *o = r->observation;
    const struct verdict *v = &r->verdict;
    void *output_memory, *messages_memory;
    struct value output = squeeze_bytes(s, o->output, &output_memory);
    struct value messages = store_squeeze_text(s, o->messages, &messages_memory);
    int status = run(
        s, OBSERVATION_NEW,
        VALUES(integer(c->campaign), integer(number), integer(r->testbed),
               text(outcome_name[o->outcome]), integer(o->exit_status), integer(o->signal), output,
               integer(o->output_size), text(o->output_hash), messages, text(or_empty(o->detail)),
               integer(o->build.cpu_us), integer(o->build.wall_us), integer(o->build.peak_kb),
               integer(o->run.cpu_us), integer(o->run.wall_us), integer(o->run.peak_kb),
               text(anomaly_name[v->anomaly]), text(evidence_name[v->evidence]),
               real(v->confidence), integer(v->of_group), text(or_empty(o->flags))),
        e);
    free(output_memory);
    free(messages_memory);
    return status;
}

static int add_finding(struct store *s, const struct store_claim *c, int64_t number,
                       const struct store_result *r, int64_t *id, struct error *e)
{
    return done(ask(s, FINDING_ADD,
                    VALUES(integer(c->campaign), integer(number), seed_bits(c->seed),
                           integer(r->testbed), text(or_empty(r->signature)),
                           text(finding_state_name[FINDING_NEW]), integer(clock_wall())),
                    id, 1, e));
}

static bool is_finding(const struct store_result *r)
{
    return r->verdict.anomaly != ANOMALY_NONE;
}

static int count_findings(const struct store_test *t)
{
    int n = 0;
    for (int i = 0; i < t->n_results; i++)
        n += is_finding(&t->results[i]);
    return n;
}

/* The row of the test, and its program where there is something to show with it. */
static int add_test(struct store *s, const struct store_claim *c, int64_t number,
                    const struct store_test *t, int n_findings, struct error *e)
{
    char hash[PROGRAM_HASH_SIZE] = "";
    if (n_findings) {
        program_hash(t->program, hash);
        if (store_keep_program(s, t->program, hash, e))
            return -1;
    }
    return run(s, TEST_NEW,
               VALUES(integer(c->campaign), integer(number), text(n_findings ? hash : NULL),
                      integer((int64_t)program_size(t->program)), integer(t->generate_us),
                      integer(t->build_us), integer(t->run_us), integer(t->own_us),
                      integer(n_findings), integer(clock_wall())),
               e);
}

static int add_result(struct store *s, const struct store_claim *c, int64_t number,
                      const struct store_result *r, bool keep, struct error *e)
{
    const struct observation *o = r->observation;
    if (run(s, STAT_ADD,
            VALUES(integer(r->testbed), text(outcome_name[o->outcome]), integer(o->build.cpu_us),
                   integer(o->run.cpu_us)),
            e))
        return -1;
    return keep ? keep_observation(s, c, number, r, e) : 0;
}

static int record_test(struct store *s, const struct store_claim *c, const struct store_test *t,
                       int n_findings, int64_t *ids, struct error *e)
{
    int64_t number = store_seed_number(s, c->campaign, c->seed, e);
    if (number < 0)
        return -1;
    if (n_findings == 0) {
        if (end_claim(s, c, number, STORE_RUN, e))
            return -1;
    } else if (run(s, CLAIM_CONFIRM, VALUES(integer(c->campaign), integer(number)), e) ||
               check_claim(s, c->seed, e)) {
        return -1;
    }
    struct totals add = {.tests = n_findings == 0,
                         .findings = n_findings,
                         .generate_us = t->generate_us,
                         .build_us = t->build_us,
                         .run_us = t->run_us,
                         .own_us = t->own_us,
                         .last_finding_at = n_findings ? clock_wall() : 0};
    if (add_totals(s, c->campaign, &add, e) || add_test(s, c, number, t, n_findings, e))
        return -1;
    for (int i = 0; i < t->n_results; i++) {
        const struct store_result *r = &t->results[i];
        if (add_result(s, c, number, r, n_findings > 0, e) ||
            (is_finding(r) && add_finding(s, c, number, r, ids++, e)))
            return -1;
    }
    return 0;
}

int store_record_test(struct store *s, const struct store_claim *c, const struct store_test *t,
                      int64_t *ids, int *n_findings, struct error *e)
{
    int n = count_findings(t);
    *n_findings = 0;
    if (store_begin(s, n > 0, e) || store_finish(s, record_test(s, c, t, n, ids, e), e))
        return -1;
    *n_findings = n;
    return 0;
}

/* It was none. What the testbed did, and how that was judged, stays recorded: it is no voter to be
 * trusted with this program either. */
static int drop_finding(struct store *s, int64_t finding, struct error *e)
{
    return run(s, TESTBED_DROPPED, VALUES(integer(finding)), e) ||
                   run(s, TEST_LESS, VALUES(integer(finding)), e) ||
                   run(s, FINDING_DROP, VALUES(integer(finding)), e)
               ? -1
               : 0;
}

static int confirm(struct store *s, const struct store_claim *c,
                   const struct store_confirmation *all, int n, struct error *e)
{
    int64_t number = store_seed_number(s, c->campaign, c->seed, e);
    if (number < 0 || end_claim(s, c, number, STORE_CONFIRM, e))
        return -1;
    struct totals add = {.tests = 1};
    for (int i = 0; i < n; i++) {
        const struct store_confirmation *f = &all[i];
        if (run(s, FINDING_TRIED,
                VALUES(integer(f->finding), integer(c->campaign), integer(number), integer(f->seen),
                       integer(f->tried), text(finding_state_name[f->state])),
                e))
            return -1;
        if (store_changes(s) != 1)
            BUG("finding %" PRId64 " is not one of seed %" PRIu64, f->finding, c->seed);
        if (run(s, STAT_CONFIRM,
                VALUES(integer(f->finding), integer(f->build_us), integer(f->run_us)), e))
            return -1;
        add.build_us += f->build_us;
        add.run_us += f->run_us;
        if (f->only_inputs && drop_finding(s, f->finding, e))
            return -1;
        add.findings -= f->only_inputs;
    }
    if (add_totals(s, c->campaign, &add, e))
        return -1;
    return mark_done(s, c->campaign, number, e);
}

int store_confirm(struct store *s, const struct store_claim *c,
                  const struct store_confirmation *all, int n, struct error *e)
{
    return store_transaction(s, n > 0, confirm(s, c, all, n, e), e);
}

/* -- what slipped in --------------------------------------------------------------------------- */

int store_need_finding(struct store *s, int64_t finding, struct error *e)
{
    int64_t seed;
    int found = ask(s, FINDING_SEED, VALUES(integer(finding)), &seed, 1, e);
    if (found)
        return found < 0 ? -1 : 0;
    return error_at(e, ERROR_USAGE, s->path, 0, "has no finding %" PRId64, finding);
}

/* The campaign of what slipped in, made with the first, and the testbed of `from` in it. */
static int slip_place(struct store *s, int64_t from, int64_t *campaign, int64_t *testbed,
                      struct error *e)
{
    int64_t root;
    if (store_need_finding(s, from, e) || ask(s, SLIP_ROOT, VALUES(integer(from)), &root, 1, e) < 0)
        return -1;
    int found = ask(s, SLIP_CAMPAIGN, VALUES(integer(root)), campaign, 1, e);
    if (found == 0)
        found =
            ask(s, SLIP_CAMPAIGN_NEW, VALUES(integer(root), integer(clock_wall())), campaign, 1, e);
    if (found < 0)
        return -1;
    return done(ask(s, SLIP_TESTBED, VALUES(integer(from), integer(*campaign)), testbed, 1, e));
}

/* A test of one testbed, done and confirmed at once. */
static int add_slipped(struct store *s, const struct store_test *t, int64_t campaign, int seen,
                       int tried, int64_t *id, struct error *e)
{
    int64_t number;
    if (load_campaign(s, campaign, e) ||
        ask(s, CLAIM_FRESH, VALUES(integer(campaign), integer(0)), &number, 1, e) < 0)
        return -1;
    const struct store_claim claim = {.campaign = campaign, .seed = (uint64_t)number};
    const struct store_result *r = t->results;
    if (add_test(s, &claim, number, t, 1, e) || mark_done(s, campaign, number, e) ||
        add_result(s, &claim, number, r, true, e) || add_finding(s, &claim, number, r, id, e) ||
        run(s, FINDING_TRIED,
            VALUES(integer(*id), integer(campaign), integer(number), integer(seen), integer(tried),
                   text(finding_state_name[FINDING_CONFIRMED])),
            e))
        return -1;
    const struct totals add = {.findings = 1, .last_finding_at = clock_wall()};
    return add_totals(s, campaign, &add, e);
}

static int slip(struct store *s, int64_t from, struct store_result *r, const struct program *p,
                int seen, int tried, int64_t *id, struct error *e)
{
    int64_t campaign, one;
    int known = ask(s, SLIP_KNOWN, VALUES(integer(from), text(or_empty(r->signature))), &one, 1, e);
    if (known)
        return known < 0 ? -1 : 0;
    const struct store_test t = {.program = p, .results = r, .n_results = 1};
    if (slip_place(s, from, &campaign, &r->testbed, e))
        return -1;
    return add_slipped(s, &t, campaign, seen, tried, id, e);
}

int store_slip(struct store *s, int64_t from, const struct program *p, const struct observation *o,
               const struct verdict *v, const char *signature, int seen, int tried, int64_t *id,
               struct error *e)
{
    struct store_result r = {.observation = o, .verdict = *v, .signature = signature};
    *id = 0;
    REQUIRE(is_finding(&r));
    return store_transaction(s, true, slip(s, from, &r, p, seen, tried, id, e), e);
}

/* -- what is known from elsewhere -------------------------------------------------------------- */

/* What a testbed does whose bug is of this kind. */
static enum outcome outcome_of(enum anomaly kind)
{
    switch (kind) {
    case ANOMALY_BUILD_CRASH:
        return OUTCOME_BUILD_CRASH;
    case ANOMALY_BUILD_HANG:
        return OUTCOME_BUILD_TIMEOUT;
    case ANOMALY_BUILD_FAIL:
        return OUTCOME_BUILD_FAIL;
    case ANOMALY_RUN_CRASH:
        return OUTCOME_RUN_CRASH;
    case ANOMALY_RUN_HANG:
        return OUTCOME_RUN_TIMEOUT;
    default:
        return OUTCOME_OK;
    }
}

bool store_is_import(const struct store_campaign *c)
{
    return c->slipped_from == c->id;
}

static int import_place(struct store *s, const struct store_known_bug *b, int64_t *campaign,
                        int64_t *testbed, struct error *e)
{
    int found = ask(s, IMPORT_CAMPAIGN, NULL, 0, campaign, 1, e);
    if (found == 0 &&
        (found = ask(s, IMPORT_CAMPAIGN_NEW, VALUES(integer(clock_wall())), campaign, 1, e)) >= 0)
        found = run(s, IMPORT_CAMPAIGN_OWN, VALUES(integer(*campaign)), e);
    if (found < 0)
        return -1;
    return done(ask(s, IMPORT_TESTBED,
                    VALUES(integer(*campaign), text(b->testbed), text(b->toolchain)), testbed, 1,
                    e));
}

static int import_known(struct store *s, const struct store_known_bug *b, struct error *e)
{
    bool by_itself = b->kind == ANOMALY_BUILD_CRASH || b->kind == ANOMALY_BUILD_HANG;
    struct observation o = {.outcome = outcome_of(b->kind),
                            .output = {"", 0},
                            .messages = "",
                            .detail = "",
                            .flags = ""};
    struct store_result r = {.observation = &o,
                             .verdict = {b->kind, by_itself ? EVIDENCE_SELF : EVIDENCE_VOTE, 1,
                                         anomaly_is_of_group(b->kind)},
                             .signature = b->signature};
    const struct store_test t = {.program = b->program, .results = &r, .n_results = 1};
    int64_t campaign, id;
    char hash[PROGRAM_HASH_SIZE];
    program_hash(b->program, hash);
    int there = import_place(s, b, &campaign, &r.testbed, e)
                    ? -1
                    : ask(s, IMPORT_KNOWN,
                          VALUES(integer(r.testbed), text(b->signature), text(hash)), &id, 1, e);
    if (there)
        return there < 0 ? -1 : 0;
    if (add_slipped(s, &t, campaign, 1, 1, &id, e) ||
        run(s, IMPORT_MARK,
            VALUES(integer(id), text(mark_name[b->mark]), integer(b->covers_signature),
                   text(b->note), integer(clock_wall())),
            e) ||
        (b->program->n_files &&
         run(s, IMPORT_REDUCTION,
             VALUES(integer(id), text(hash), text(b->flags),
                    integer((int64_t)program_size(b->program)), integer(clock_wall())),
             e)))
        return -1;
    return *b->pass
               ? run(s, IMPORT_BLAME, VALUES(integer(id), text(b->pass), integer(clock_wall())), e)
               : 0;
}

int store_import_known(struct store *s, const struct store_known_bug *b, struct error *e)
{
    return store_transaction(s, false, import_known(s, b, e), e);
}

/* -- what went wrong --------------------------------------------------------------------------- */

/* On record, and counted, with `tests` that ended by it. */
static int add_incident(struct store *s, int64_t campaign, uint64_t seed, const char *what,
                        int tests, struct error *e)
{
    const struct totals add = {.tests = tests, .incidents = 1};
    if (run(s, INCIDENT_NEW,
            VALUES(integer(campaign), seed_bits(seed), text(what), integer(clock_wall())), e))
        return -1;
    return add_totals(s, campaign, &add, e);
}

static int record_failure(struct store *s, const struct store_claim *c, const char *what,
                          int64_t generate_us, int64_t own_us, struct error *e)
{
    const struct totals add = {.generate_us = generate_us, .own_us = own_us};
    int64_t number = store_seed_number(s, c->campaign, c->seed, e);
    if (number < 0 || end_claim(s, c, number, STORE_RUN, e) ||
        add_totals(s, c->campaign, &add, e) || mark_done(s, c->campaign, number, e))
        return -1;
    return add_incident(s, c->campaign, c->seed, what, 1, e);
}

int store_record_failure(struct store *s, const struct store_claim *c, const char *what,
                         int64_t generate_us, int64_t own_us, struct error *e)
{
    return store_transaction(s, false, record_failure(s, c, what, generate_us, own_us, e), e);
}

static int note(struct store *s, int64_t campaign, uint64_t seed, const char *what, struct error *e)
{
    int64_t one;
    int known = ask(s, INCIDENT_KNOWN, VALUES(integer(campaign), text(what)), &one, 1, e);
    if (known)
        return known < 0 ? -1 : 0;
    return add_incident(s, campaign, seed, what, 0, e) ? -1 : 1;
}

int store_note(struct store *s, int64_t campaign, uint64_t seed, const char *what, struct error *e)
{
    return store_transaction(s, false, note(s, campaign, seed, what, e), e);
}

struct released {
    int64_t number; /* of the seed; of the finding, where it was being reduced */
    int attempts;
};
typedef VEC(struct released) released_vec;

/* Give claims or reductions back, and list them. */
static int free_all(struct store *s, enum statement id, int64_t campaign, int worker,
                    int add_attempts, released_vec *out, struct error *e)
{
    struct query *q =
        ready(s, id, VALUES(integer(campaign), integer(worker), integer(add_attempts)), e);
    int more = q ? 1 : -1;
    while (more == 1 && (more = query_step(s, q, e)) == 1)
        vec_push(out, (struct released){query_integer(s, q, 0), (int)query_integer(s, q, 1)});
    query_reset(s, q);
    return more;
}

/* A worker died on this seed: say so, and give the seed up where it was one too many. */
static int blame(struct store *s, int64_t campaign, const struct released *r, const char *what,
                 int max_attempts, struct error *e)
{
    bool last = max_attempts > 0 && r->attempts >= max_attempts;
    char whole[256], end[64] = "";
    if (last)
        snprintf(end, sizeof end, "; given up after %d attempt%s", r->attempts,
                 r->attempts == 1 ? "" : "s");
    snprintf(whole, sizeof whole, "%s%s", what, end);
    if (add_incident(s, campaign, s->first_seed + (uint64_t)r->number, whole, last, e))
        return -1;
    return last && (run(s, CLAIM_GIVE_UP, VALUES(integer(campaign), integer(r->number)), e) ||
                    mark_done(s, campaign, r->number, e))
               ? -1
               : 0;
}

/* And while it was reducing this finding, or, where that is done, asking who is to blame. */
static int blame_reduction(struct store *s, int64_t campaign, const struct released *r,
                           const char *what, int max_attempts, struct error *e)
{
    int64_t seed = 0;
    char whole[256], why[300];
    snprintf(whole, sizeof whole, "%s while finding %" PRId64 " was being reduced", what,
             r->number);
    snprintf(why, sizeof why, "%s, %d times", whole, r->attempts);
    bool last = max_attempts > 0 && r->attempts >= max_attempts;
    if (ask(s, FINDING_SEED, VALUES(integer(r->number)), &seed, 1, e) < 0 ||
        add_incident(s, campaign, (uint64_t)seed, whole, 0, e))
        return -1;
    int status = 0;
    static const enum statement give_up[] = {REDUCTION_GIVE_UP, BLAME_GIVE_UP};
    for (int i = 0; i < 2 && !status && last; i++)
        status =
            run(s, give_up[i], VALUES(integer(r->number), text(why), integer(clock_wall())), e);
    return status;
}

/* It held nothing: on record all the same, with the seed that is next. */
static int blame_nothing(struct store *s, int64_t campaign, const char *what, struct error *e)
{
    int64_t started = 0;
    char whole[256];
    snprintf(whole, sizeof whole, "%s between two tests", what);
    if (ask(s, STARTED, VALUES(integer(campaign)), &started, 1, e) < 0)
        return -1;
    return add_incident(s, campaign, s->first_seed + (uint64_t)started, whole, 0, e);
}

static int release(struct store *s, int64_t campaign, int worker, const char *what,
                   int max_attempts, struct error *e)
{
    if (load_campaign(s, campaign, e))
        return -1;
    released_vec all = {0};
    int died = what ? 1 : 0;
    int status = free_all(s, CLAIM_RELEASE, campaign, worker, died, &all, e);
    size_t held = all.n;
    for (size_t i = 0; what && !status && i < all.n; i++)
        status = blame(s, campaign, &all.at[i], what, max_attempts, e);
    all.n = 0;
    if (!status)
        status = free_all(s, REDUCTION_RELEASE, campaign, worker, died, &all, e);
    for (size_t i = 0; what && !status && i < all.n; i++)
        status = blame_reduction(s, campaign, &all.at[i], what, max_attempts, e);
    if (what && !status && held + all.n == 0)
        status = blame_nothing(s, campaign, what, e);
    vec_release(&all);
    return status;
}

int store_release(struct store *s, int64_t campaign, int worker, const char *what, int max_attempts,
                  struct error *e)
{
    return store_transaction(s, false, release(s, campaign, worker, what, max_attempts, e), e);
}
