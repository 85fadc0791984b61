/* What `assay bugs`, `assay show` and the supervisor's progress line see.
 *
 * Each function is one query whose rows are copied into the caller's arena. A reader of a WAL
 * database sees the state at the moment its query began and blocks nobody; where two queries must
 * agree (store_testbeds) they stand in one read transaction.
 *
 * Words of our vocabularies are turned back into enums here. A word that none of our tables knows
 * in a file that says it has our schema was not written by us: the file is damaged.
 *
 * Bugs are grouped in C and not in SQL: the rows come sorted by signature with the one to look at
 * first in front, so one pass with one group in hand is enough, and the names of the testbeds keep
 * their order, which SQL's group_concat does not promise. */
#include "store/store_internal.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/vec.h"

#include <inttypes.h>

/* No text of ours is larger; a damaged size must not become an allocation. */
static const unsigned long long largest_text = 256ULL << 20;

/* -- columns ----------------------------------------------------------------------------------- */

/* Text until the next step; "" for what is missing, which only a damaged file can bring about. */
const char *row_peek(sqlite3_stmt *stmt, int column)
{
    const void *data = sqlite3_column_text(stmt, column);
    return data ? data : "";
}

const char *row_text(sqlite3_stmt *stmt, int column, struct arena *a)
{
    return arena_strdup(a, row_peek(stmt, column));
}

/* NULL where it is NULL. */
static const char *row_optional(sqlite3_stmt *stmt, int column, struct arena *a)
{
    bool absent = sqlite3_column_type(stmt, column) == SQLITE_NULL;
    return absent ? NULL : row_text(stmt, column, a);
}

static uint64_t row_seed(sqlite3_stmt *stmt, int column)
{
    return (uint64_t)sqlite3_column_int64(stmt, column);
}

/* A zstd frame in a column, unpacked; NULL with the error set where it is none. */
static const char *row_unpacked(struct store *s, sqlite3_stmt *stmt, int column, struct arena *a,
                                size_t *size, struct error *e)
{
    const void *data = sqlite3_column_blob(stmt, column);
    size_t n = (size_t)sqlite3_column_bytes(stmt, column);
    unsigned long long room = data ? ZSTD_getFrameContentSize(data, n) : ZSTD_CONTENTSIZE_ERROR;
    if (room <= largest_text) { /* the two codes for errors are the largest numbers */
        char *out = arena_alloc(a, (size_t)room + 1);
        *size = ZSTD_decompress(out, (size_t)room, data, n);
        if (*size == room)
            return out;
    }
    store_damaged(s, "a compressed text cannot be unpacked", e);
    return NULL;
}

const char *row_long_text(struct store *s, sqlite3_stmt *stmt, int column, struct arena *a,
                          struct error *e)
{
    size_t size;
    if (sqlite3_column_type(stmt, column) == SQLITE_BLOB)
        return row_unpacked(s, stmt, column, a, &size, e);
    return row_text(stmt, column, a);
}

/* A word of a vocabulary as its enum; -1 with the error set for one that is unknown. */
int row_word(struct store *s, sqlite3_stmt *stmt, int column, int (*from_name)(const char *),
             struct error *e)
{
    int value = from_name(row_peek(stmt, column));
    return value >= 0 ? value : store_damaged(s, "it holds a word that is none of ours", e);
}

/* Four columns: anomaly, evidence, confidence, of_group. */
static int row_verdict(struct store *s, sqlite3_stmt *stmt, int column, struct verdict *v,
                       struct error *e)
{
    int anomaly = row_word(s, stmt, column, anomaly_from_name, e);
    int evidence = anomaly < 0 ? -1 : row_word(s, stmt, column + 1, evidence_from_name, e);
    if (evidence < 0)
        return -1;
    *v = (struct verdict){.anomaly = (enum anomaly)anomaly,
                          .evidence = (enum evidence)evidence,
                          .confidence = sqlite3_column_double(stmt, column + 2),
                          .of_group = sqlite3_column_int(stmt, column + 3) != 0};
    return 0;
}

/* -- queries ----------------------------------------------------------------------------------- */

int rows_query(struct store *s, const char *sql, const struct value *values, int n,
               sqlite3_stmt **out, struct error *e)
{
    if (store_prepare(s, sql, out, e))
        return -1;
    if (store_bind(s, *out, values, n, e) == 0)
        return 0;
    sqlite3_finalize(*out);
    return -1;
}

/* 1: there is a row; 0: that was all; -1: error. */
int rows_next(struct store *s, sqlite3_stmt *stmt, struct error *e)
{
    int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        return 1;
    return code == SQLITE_DONE ? 0 : store_fail(s, code, e);
}

/* -- campaigns --------------------------------------------------------------------------------- */

#define CAMPAIGN_COLUMNS                                                                           \
    "SELECT id, generator, config, first_seed, started, tests, findings, incidents, elapsed_ms, "  \
    "round_tests, round_findings, round_elapsed_ms, generate_us, build_us, run_us, own_us, "       \
    "created_at, last_finding_at, coalesce(slipped_from, 0) FROM campaign "

static struct store_campaign campaign_of(sqlite3_stmt *stmt, struct arena *a)
{
    return (struct store_campaign){.id = sqlite3_column_int64(stmt, 0),
                                   .generator = row_text(stmt, 1, a),
                                   .config = row_text(stmt, 2, a),
                                   .first_seed = row_seed(stmt, 3),
                                   .started = sqlite3_column_int64(stmt, 4),
                                   .tests = sqlite3_column_int64(stmt, 5),
                                   .findings = sqlite3_column_int64(stmt, 6),
                                   .incidents = sqlite3_column_int64(stmt, 7),
                                   .elapsed_ms = sqlite3_column_int64(stmt, 8),
                                   .round_tests = sqlite3_column_int64(stmt, 9),
                                   .round_findings = sqlite3_column_int64(stmt, 10),
                                   .round_elapsed_ms = sqlite3_column_int64(stmt, 11),
                                   .generate_us = sqlite3_column_int64(stmt, 12),
                                   .build_us = sqlite3_column_int64(stmt, 13),
                                   .run_us = sqlite3_column_int64(stmt, 14),
                                   .own_us = sqlite3_column_int64(stmt, 15),
                                   .created_at = sqlite3_column_int64(stmt, 16),
                                   .last_finding_at = sqlite3_column_int64(stmt, 17),
                                   .slipped_from = sqlite3_column_int64(stmt, 18)};
}

int store_campaign_get(struct store *s, int64_t id, struct arena *a, struct store_campaign *out,
                       struct error *e)
{
    sqlite3_stmt *stmt;
    if (rows_query(s, CAMPAIGN_COLUMNS "WHERE id = ?1", VALUES(integer(id)), &stmt, e))
        return -1;
    int found = rows_next(s, stmt, e);
    if (found == 1)
        *out = campaign_of(stmt, a);
    sqlite3_finalize(stmt);
    return found == 1 ? 0 : found < 0 ? -1 : store_no_campaign(s, id, e);
}

int store_campaigns(struct store *s, struct arena *a, struct store_campaign **out, int *n,
                    struct error *e)
{
    sqlite3_stmt *stmt;
    if (rows_query(s, CAMPAIGN_COLUMNS "ORDER BY id", NULL, 0, &stmt, e))
        return -1;
    VEC(struct store_campaign) all = {0};
    int more;
    while ((more = rows_next(s, stmt, e)) == 1)
        vec_push(&all, campaign_of(stmt, a));
    sqlite3_finalize(stmt);
    rows_give(a, &all, out, n);
    return more;
}

/* -- testbeds ---------------------------------------------------------------------------------- */

typedef VEC(struct store_testbed) testbed_vec;

static int read_testbeds(struct store *s, int64_t campaign, struct arena *a, testbed_vec *all,
                         struct error *e)
{
    sqlite3_stmt *stmt;
    if (rows_query(s,
                   "SELECT id, name, toolchain, version, path, flags, model, reference, compile, "
                   "library, dir, filter, only_inputs FROM testbed WHERE campaign = ?1 ORDER BY id",
                   VALUES(integer(campaign)), &stmt, e))
        return -1;
    int more;
    while ((more = rows_next(s, stmt, e)) == 1)
        vec_push(all, (struct store_testbed){.id = sqlite3_column_int64(stmt, 0),
                                             .name = row_text(stmt, 1, a),
                                             .toolchain = row_text(stmt, 2, a),
                                             .version = row_text(stmt, 3, a),
                                             .path = row_text(stmt, 4, a),
                                             .flags = row_text(stmt, 5, a),
                                             .model = row_text(stmt, 6, a),
                                             .reference = sqlite3_column_int(stmt, 7) != 0,
                                             .compile = row_text(stmt, 8, a),
                                             .library = row_text(stmt, 9, a),
                                             .dir = row_text(stmt, 10, a),
                                             .filter = sqlite3_column_int(stmt, 11) != 0,
                                             .only_inputs = sqlite3_column_int64(stmt, 12)});
    sqlite3_finalize(stmt);
    return more;
}

/* The testbed that a column names, or NULL with the error set. */
static struct store_testbed *row_testbed(struct store *s, sqlite3_stmt *stmt, int column,
                                         testbed_vec *all, struct error *e)
{
    int64_t id = sqlite3_column_int64(stmt, column);
    for (size_t i = 0; i < all->n; i++)
        if (all->at[i].id == id)
            return &all->at[i];
    store_damaged(s, "it counts for a testbed that is not there", e);
    return NULL;
}

static int count_outcomes(struct store *s, int64_t campaign, testbed_vec *all, struct error *e)
{
    sqlite3_stmt *stmt;
    if (rows_query(s,
                   "SELECT s.testbed, s.outcome, s.count, s.build_us, s.run_us FROM testbed t "
                   "JOIN stat s ON s.testbed = t.id WHERE t.campaign = ?1",
                   VALUES(integer(campaign)), &stmt, e))
        return -1;
    int more;
    while ((more = rows_next(s, stmt, e)) == 1) {
        struct store_testbed *t = row_testbed(s, stmt, 0, all, e);
        int outcome = t ? row_word(s, stmt, 1, outcome_from_name, e) : -1;
        if (outcome < 0) {
            more = -1;
            break;
        }
        t->outcomes[outcome] = sqlite3_column_int64(stmt, 2);
        t->build_us += sqlite3_column_int64(stmt, 3);
        t->run_us += sqlite3_column_int64(stmt, 4);
    }
    sqlite3_finalize(stmt);
    return more;
}

static int count_anomalies(struct store *s, int64_t campaign, testbed_vec *all, struct error *e)
{
    sqlite3_stmt *stmt;
    if (rows_query(s,
                   "SELECT f.testbed, o.anomaly, f.state = 'flaky', count(*) FROM finding f "
                   "JOIN observation o USING (campaign, number, testbed) WHERE f.campaign = ?1 "
                   "GROUP BY 1, 2, 3",
                   VALUES(integer(campaign)), &stmt, e))
        return -1;
    int more;
    while ((more = rows_next(s, stmt, e)) == 1) {
        struct store_testbed *t = row_testbed(s, stmt, 0, all, e);
        int anomaly = t ? row_word(s, stmt, 1, anomaly_from_name, e) : -1;
        if (anomaly < 0) {
            more = -1;
            break;
        }
        if (sqlite3_column_int(stmt, 2))
            t->flaky += sqlite3_column_int64(stmt, 3);
        else
            t->anomalies[anomaly] += sqlite3_column_int64(stmt, 3);
    }
    sqlite3_finalize(stmt);
    return more;
}

int store_testbeds(struct store *s, int64_t campaign, struct arena *a, struct store_testbed **out,
                   int *n, struct error *e)
{
    if (store_exec(s, "BEGIN", e)) /* the three queries see one state */
        return -1;
    testbed_vec all = {0};
    int status = read_testbeds(s, campaign, a, &all, e) || count_outcomes(s, campaign, &all, e) ||
                         count_anomalies(s, campaign, &all, e)
                     ? -1
                     : 0;
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL); /* nothing was written */
    rows_give(a, &all, out, n);
    return status;
}

void store_count_classes(const struct store_testbed *t, struct store_classes *out)
{
    *out = (struct store_classes){0};
    if (t->filter)
        return;
    for (int i = 0; i < OUTCOME_COUNT; i++)
        out->total += i == OUTCOME_SKIPPED ? 0 : t->outcomes[i];
    for (int i = ANOMALY_NONE + 1; i < ANOMALY_COUNT; i++)
        out->other += t->anomalies[i];
    int64_t anomalies = out->other;
    for (int i = 0; i < CLASS_COUNT; i++) {
        out->of[i] = t->anomalies[class_anomaly[i]];
        out->other -= out->of[i];
    }
    /* A testbed may be too slow with a program that it then skips. */
    out->pass = out->total > anomalies ? out->total - anomalies : 0;
}

int64_t store_marked(const struct store_testbed *filter)
{
    return filter->filter
               ? filter->outcomes[OUTCOME_RUN_CRASH] + filter->outcomes[OUTCOME_RUN_TIMEOUT]
               : 0;
}

/* -- findings ---------------------------------------------------------------------------------- */

/* A filter as the end of a WHERE clause, with the values that it names. */
struct condition {
    struct strbuf sql;
    struct value values[8];
    int n;
};

static void add_condition(struct condition *c, const char *sql, struct value v)
{
    REQUIRE(c->n < (int)(sizeof c->values / sizeof *c->values));
    c->values[c->n++] = v;
    strbuf_addf(&c->sql, " AND ");
    for (; *sql; sql++) /* each # stands for the number of the value */
        if (*sql == '#')
            strbuf_addf(&c->sql, "?%d", c->n);
        else
            strbuf_addc(&c->sql, *sql);
}

static void add_filter(struct condition *c, const struct store_filter *f)
{
    if (f->campaign)
        add_condition(c, "f.campaign = #", integer(f->campaign));
    if (f->id)
        add_condition(c, "f.id = #", integer(f->id));
    if (f->signature)
        add_condition(c, "f.signature = #", text(f->signature));
    if (f->testbed)
        add_condition(c, "(b.name = # OR b.toolchain = #)", text(f->testbed));
    if (f->anomaly >= 0)
        add_condition(c, "o.anomaly = #", text(anomaly_name[f->anomaly]));
    if (f->state >= 0)
        add_condition(c, "f.state = #", text(finding_state_name[f->state]));
    if (f->has_seed)
        add_condition(c, "f.seed = #", seed_bits(f->seed));
}

#define FINDINGS_FROM                                                                              \
    " FROM finding f JOIN observation o USING (campaign, number, testbed) "                        \
    "JOIN test t USING (campaign, number) JOIN testbed b ON b.id = f.testbed WHERE 1"

/* `columns` of the findings that pass the filter, in the order of `tail`. */
static int query_findings(struct store *s, const struct store_filter *f, const char *columns,
                          const char *tail, sqlite3_stmt **out, struct error *e)
{
    struct condition c = {0};
    strbuf_init(&c.sql, 0);
    strbuf_adds(&c.sql, columns);
    strbuf_adds(&c.sql, FINDINGS_FROM);
    add_filter(&c, f);
    strbuf_adds(&c.sql, tail);
    int status = rows_query(s, c.sql.s, c.values, c.n, out, e);
    strbuf_release(&c.sql);
    return status;
}

static int finding_of(struct store *s, sqlite3_stmt *stmt, struct arena *a, struct finding *f,
                      struct error *e)
{
    int state = row_word(s, stmt, 5, finding_state_from_name, e);
    *f = (struct finding){.id = sqlite3_column_int64(stmt, 0),
                          .campaign = sqlite3_column_int64(stmt, 1),
                          .seed = row_seed(stmt, 2),
                          .testbed = row_text(stmt, 3, a),
                          .signature = row_text(stmt, 4, a),
                          .state = (enum finding_state)state,
                          .seen = sqlite3_column_int(stmt, 6),
                          .tried = sqlite3_column_int(stmt, 7),
                          .found_at = sqlite3_column_int64(stmt, 8)};
    text_copy(f->program, sizeof f->program, row_peek(stmt, 9));
    return state < 0 ? -1 : row_verdict(s, stmt, 10, &f->verdict, e);
}

int store_findings(struct store *s, const struct store_filter *f, struct arena *a,
                   struct finding **out, int *n, struct error *e)
{
    char tail[64] = " ORDER BY f.id";
    if (f->limit > 0)
        snprintf(tail, sizeof tail, " ORDER BY f.id LIMIT %" PRId64, f->limit);
    sqlite3_stmt *stmt;
    if (query_findings(s, f,
                       "SELECT f.id, f.campaign, f.seed, b.name, f.signature, f.state, f.seen, "
                       "f.tried, f.found_at, t.program, "
                       "o.anomaly, o.evidence, o.confidence, o.of_group",
                       tail, &stmt, e))
        return -1;
    VEC(struct finding) all = {0};
    int more;
    while ((more = rows_next(s, stmt, e)) == 1) {
        struct finding one;
        if (finding_of(s, stmt, a, &one, e)) {
            more = -1;
            break;
        }
        vec_push(&all, one);
    }
    sqlite3_finalize(stmt);
    rows_give(a, &all, out, n);
    return more;
}

/* -- bugs -------------------------------------------------------------------------------------- */

struct seen_testbed {
    int64_t id; /* the smallest with this name */
    const char *name;
};

/* The bug that is being put together, and all that are complete. */
struct grouping {
    VEC(struct store_bug) bugs;
    VEC(struct seen_testbed) testbeds; /* of the last bug */
};

enum {
    BUG_SIGNATURE,
    BUG_ID,
    BUG_STATE,
    BUG_ANOMALY,
    BUG_FOUND_AT,
    BUG_TESTBED,
    BUG_NAME,
    BUG_KNOWN
};
static const char bug_columns[] =
    "SELECT f.signature, f.id, f.state, o.anomaly, f.found_at, b.id, b.name, "
    "f.id IN " KNOWN_FINDINGS;
/* What to look at first comes first. */
static const char bug_order[] =
    " ORDER BY f.signature, CASE f.state WHEN 'confirmed' THEN 0 WHEN 'new' THEN 1 ELSE 2 END, "
    "t.bytes, f.id";

static int by_testbed_id(const void *x, const void *y)
{
    const struct seen_testbed *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

/* The last bug has all its findings: write down the names of its testbeds. */
static void end_bug(struct grouping *g, struct arena *a)
{
    if (!g->bugs.n)
        return;
    qsort(g->testbeds.at, g->testbeds.n, sizeof *g->testbeds.at, by_testbed_id);
    struct strbuf names;
    strbuf_init(&names, 0);
    for (size_t i = 0; i < g->testbeds.n; i++)
        strbuf_addf(&names, "%s%s", i ? ", " : "", g->testbeds.at[i].name);
    g->bugs.at[g->bugs.n - 1].testbeds = arena_strdup(a, names.s);
    strbuf_release(&names);
    g->testbeds.n = 0;
}

static void add_testbed(struct grouping *g, sqlite3_stmt *stmt, struct arena *a)
{
    int64_t id = sqlite3_column_int64(stmt, BUG_TESTBED);
    const char *name = row_peek(stmt, BUG_NAME);
    for (size_t i = 0; i < g->testbeds.n; i++) {
        struct seen_testbed *t = &g->testbeds.at[i];
        if (t->id == id)
            return;
        if (!strcmp(t->name, name)) { /* the same one in another campaign */
            t->id = id < t->id ? id : t->id;
            return;
        }
    }
    vec_push(&g->testbeds, (struct seen_testbed){id, arena_strdup(a, name)});
}

/* One finding: of the last bug if the signature is the same, else the first of a new one. */
static int add_to_bug(struct store *s, struct grouping *g, sqlite3_stmt *stmt, struct arena *a,
                      struct error *e)
{
    const char *signature = row_peek(stmt, BUG_SIGNATURE);
    int64_t at = sqlite3_column_int64(stmt, BUG_FOUND_AT);
    int state = row_word(s, stmt, BUG_STATE, finding_state_from_name, e);
    int anomaly = state < 0 ? -1 : row_word(s, stmt, BUG_ANOMALY, anomaly_from_name, e);
    if (anomaly < 0)
        return -1;
    if (!g->bugs.n || strcmp(g->bugs.at[g->bugs.n - 1].signature, signature) != 0) {
        end_bug(g, a);
        vec_push(&g->bugs, (struct store_bug){.signature = arena_strdup(a, signature),
                                              .first_id = sqlite3_column_int64(stmt, BUG_ID),
                                              .anomaly = (enum anomaly)anomaly,
                                              .first_at = at,
                                              .last_at = at});
    }
    struct store_bug *bug = &g->bugs.at[g->bugs.n - 1];
    bug->count++;
    bug->flaky += state == FINDING_FLAKY;
    bug->known += sqlite3_column_int(stmt, BUG_KNOWN);
    bug->first_at = at < bug->first_at ? at : bug->first_at;
    bug->last_at = at > bug->last_at ? at : bug->last_at;
    add_testbed(g, stmt, a);
    return 0;
}

/* Most recent first; within one second, the one with the later finding to look at. */
static int by_last_seen(const void *x, const void *y)
{
    const struct store_bug *a = x, *b = y;
    if (a->last_at != b->last_at)
        return a->last_at < b->last_at ? 1 : -1;
    return (a->first_id < b->first_id) - (a->first_id > b->first_id);
}

int store_bugs(struct store *s, const struct store_filter *f, struct arena *a,
               struct store_bug **out, int *n, struct error *e)
{
    sqlite3_stmt *stmt;
    if (query_findings(s, f, bug_columns, bug_order, &stmt, e))
        return -1;
    struct grouping g = {0};
    int more;
    while ((more = rows_next(s, stmt, e)) == 1)
        if (add_to_bug(s, &g, stmt, a, e)) {
            more = -1;
            break;
        }
    end_bug(&g, a);
    sqlite3_finalize(stmt);
    if (g.bugs.n)
        qsort(g.bugs.at, g.bugs.n, sizeof *g.bugs.at, by_last_seen);
    if (f->limit > 0 && g.bugs.n > (size_t)f->limit)
        g.bugs.n = (size_t)f->limit;
    rows_give(a, &g.bugs, out, n);
    vec_release(&g.testbeds);
    return more;
}

int store_news(struct store *s, int64_t campaign, int64_t since, int64_t *n, struct error *e)
{
    return store_ask(s,
                     "SELECT count(*) FROM finding WHERE campaign IN " WITH_SLIPPED
                     " AND id > iif(?2 < 0, (SELECT round_last_finding FROM campaign "
                     "WHERE id = ?1), ?2) AND id NOT IN " KNOWN_FINDINGS,
                     VALUES(integer(campaign), integer(since)), n, 1, e) < 0
               ? -1
               : 0;
}

int store_newest_finding(struct store *s, int64_t *id, struct error *e)
{
    return store_ask(s, "SELECT coalesce(max(id), 0) FROM finding", NULL, 0, id, 1, e) < 0 ? -1 : 0;
}

/* -- one test ---------------------------------------------------------------------------------- */

/* The text, and how it was made the first time. Whoever asks for a program by its hash gets that
 * one or an error: the file may have been changed by somebody else. */
static int program_of(struct store *s, sqlite3_stmt *stmt, const char *hash, struct arena *a,
                      struct program *p, struct error *e)
{
    *p = (struct program){.language = row_text(stmt, 0, a),
                          .needs = row_text(stmt, 1, a),
                          .expected = row_optional(stmt, 2, a),
                          .trusted = sqlite3_column_int(stmt, 3) != 0,
                          .build_only = sqlite3_column_int(stmt, 10) != 0,
                          .made = {.generator = row_text(stmt, 5, a),
                                   .version = row_text(stmt, 6, a),
                                   .config = row_text(stmt, 7, a),
                                   .seed = row_seed(stmt, 8),
                                   .choices = row_optional(stmt, 9, a)}};
    size_t size;
    const char *packed = row_unpacked(s, stmt, 4, a, &size, e);
    if (!packed)
        return -1;
    if (program_unpack(a, packed, size, p))
        return store_damaged(s, "the files of a program cannot be told apart", e);
    for (int i = 0; i < p->n_files; i++)
        if (!fs_is_plain_name(p->files[i].name))
            return store_damaged(s, "a program has a file whose name is not a plain one", e);
    char now[PROGRAM_HASH_SIZE];
    program_hash(p, now);
    if (strcmp(now, hash) != 0)
        return store_damaged(s, "the text of a program is not the one that was recorded", e);
    return 0;
}

int store_program(struct store *s, const char *hash, struct arena *a, struct program *out,
                  struct error *e)
{
    sqlite3_stmt *stmt;
    if (rows_query(s,
                   "SELECT p.language, p.needs, p.expected, p.trusted, p.files, "
                   "o.generator, o.version, o.config, o.seed, o.choices, p.build_only "
                   "FROM program p JOIN origin o ON o.program = p.hash WHERE p.hash = ?1 "
                   "ORDER BY o.id LIMIT 1",
                   VALUES(text(hash)), &stmt, e))
        return -1;
    int status = rows_next(s, stmt, e);
    if (status == 1)
        status = program_of(s, stmt, hash, a, out, e);
    else if (status == 0)
        status = error_at(e, ERROR_USAGE, s->path, 0, "has no program %s", hash);
    sqlite3_finalize(stmt);
    return status;
}

static int observation_of(struct store *s, sqlite3_stmt *stmt, struct arena *a,
                          struct store_observation *out, struct error *e)
{
    int outcome = row_word(s, stmt, 1, outcome_from_name, e);
    if (outcome < 0)
        return -1;
    *out = (struct store_observation){
        .testbed = row_text(stmt, 0, a),
        .testbed_id = sqlite3_column_int64(stmt, 20),
        .observation = {.outcome = (enum outcome)outcome,
                        .exit_status = sqlite3_column_int(stmt, 2),
                        .signal = sqlite3_column_int(stmt, 3),
                        .output = row_long_text(s, stmt, 4, a, e),
                        .output_size = sqlite3_column_int64(stmt, 5),
                        .messages = row_long_text(s, stmt, 7, a, e),
                        .detail = row_text(stmt, 8, a),
                        .flags = row_text(stmt, 19, a),
                        .build = {sqlite3_column_int64(stmt, 9), sqlite3_column_int64(stmt, 10),
                                  sqlite3_column_int64(stmt, 11)},
                        .run = {sqlite3_column_int64(stmt, 12), sqlite3_column_int64(stmt, 13),
                                sqlite3_column_int64(stmt, 14)}}};
    struct observation *o = &out->observation;
    text_copy(o->output_hash, sizeof o->output_hash, row_peek(stmt, 6));
    if (!o->output || !o->messages)
        return -1;
    return row_verdict(s, stmt, 15, &out->verdict, e);
}

int store_observations(struct store *s, int64_t campaign, uint64_t seed, struct arena *a,
                       struct store_observation **out, int *n, struct error *e)
{
    int64_t number = store_seed_number(s, campaign, seed, e);
    sqlite3_stmt *stmt;
    if (number < 0 ||
        rows_query(
            s,
            "SELECT b.name, o.outcome, o.exit_status, o.signal, o.output, o.output_size, "
            "o.output_hash, o.messages, o.detail, o.build_cpu_us, o.build_wall_us, "
            "o.build_peak_kb, o.run_cpu_us, o.run_wall_us, o.run_peak_kb, "
            "o.anomaly, o.evidence, o.confidence, o.of_group, o.flags, b.id FROM observation o "
            "JOIN testbed b ON b.id = o.testbed WHERE o.campaign = ?1 AND o.number = ?2 "
            "ORDER BY b.id",
            VALUES(integer(campaign), integer(number)), &stmt, e))
        return -1;
    VEC(struct store_observation) all = {0};
    int more;
    while ((more = rows_next(s, stmt, e)) == 1) {
        struct store_observation one;
        if (observation_of(s, stmt, a, &one, e)) {
            more = -1;
            break;
        }
        vec_push(&all, one);
    }
    sqlite3_finalize(stmt);
    rows_give(a, &all, out, n);
    return more;
}

/* -- the books --------------------------------------------------------------------------------- */

int store_incidents(struct store *s, int64_t campaign, struct arena *a, struct store_incident **out,
                    int *n, struct error *e)
{
    sqlite3_stmt *stmt;
    if (rows_query(s, "SELECT seed, what, at FROM incident WHERE campaign = ?1 ORDER BY id",
                   VALUES(integer(campaign)), &stmt, e))
        return -1;
    VEC(struct store_incident) all = {0};
    int more;
    while ((more = rows_next(s, stmt, e)) == 1)
        vec_push(&all, (struct store_incident){row_seed(stmt, 0), row_text(stmt, 1, a),
                                               sqlite3_column_int64(stmt, 2)});
    sqlite3_finalize(stmt);
    rows_give(a, &all, out, n);
    return more;
}

int store_done_seeds(struct store *s, int64_t campaign, struct arena *a, uint64_t **out, int *n,
                     struct error *e)
{
    struct store_campaign c;
    sqlite3_stmt *stmt;
    if (store_campaign_get(s, campaign, a, &c, e) ||
        rows_query(
            s,
            "SELECT number FROM test WHERE campaign = ?1 AND done_at IS NOT NULL ORDER BY number",
            VALUES(integer(campaign)), &stmt, e))
        return -1;
    VEC(uint64_t) all = {0};
    int more;
    while ((more = rows_next(s, stmt, e)) == 1)
        vec_push(&all, c.first_seed + (uint64_t)sqlite3_column_int64(stmt, 0));
    sqlite3_finalize(stmt);
    rows_give(a, &all, out, n);
    return more;
}
