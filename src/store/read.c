/* What `assay bugs`, `assay show` and the supervisor's progress line see.
 *
 * Each function is one query whose rows are copied into the caller's arena, by a table of columns
 * (rows.c). A reader of a WAL database sees the state at the moment its query began and blocks
 * nobody; where several queries must agree they stand in one read transaction (store_view).
 *
 * Bugs are grouped in C and not in SQL: the rows come sorted by signature with the one to look at
 * first in front, so one pass with one group in hand is enough, and the names of the testbeds keep
 * their order, which SQL's group_concat does not promise. */
#include "store/store_internal.h"
#include "base/fs.h"
#include "base/json.h"

#include <inttypes.h>

/* -- views ------------------------------------------------------------------------------------- */

int store_view(struct store *s, struct error *e)
{
    if (!s->views && s->engine->view(s, e))
        return -1;
    s->views++;
    return 0;
}

void store_view_end(struct store *s)
{
    REQUIRE(s->views > 0);
    if (!--s->views) /* nothing was written */
        s->engine->rollback(s);
}

/* -- campaigns --------------------------------------------------------------------------------- */

#define CAMPAIGN_SQL                                                                               \
    "SELECT id, generator, first_seed, started, "                                                  \
    "CASE WHEN slipped_from IS NULL THEN tests ELSE 0 END, findings, "                             \
    "incidents, elapsed_ms, "                                                                      \
    "round_tests, round_findings, round_elapsed_ms, round_cpu_us, "                                \
    "generate_us, build_us, run_us, own_us, "                                                      \
    "created_at, last_finding_at, slipped_from" OPTION_NAMES " FROM campaign "

#define X(type, field, name) COLUMN_AS(OPTION_COLUMN_##type, store_campaign, options.field),
static const struct column campaign_columns[] = {COLUMN(store_campaign, id),
                                                 COLUMN(store_campaign, generator),
                                                 COLUMN(store_campaign, first_seed),
                                                 COLUMN(store_campaign, started),
                                                 COLUMN(store_campaign, tests),
                                                 COLUMN(store_campaign, findings),
                                                 COLUMN(store_campaign, incidents),
                                                 COLUMN(store_campaign, elapsed_ms),
                                                 COLUMN(store_campaign, round_tests),
                                                 COLUMN(store_campaign, round_findings),
                                                 COLUMN(store_campaign, round_elapsed_ms),
                                                 COLUMN(store_campaign, round_cpu_us),
                                                 COLUMN(store_campaign, generate_us),
                                                 COLUMN(store_campaign, build_us),
                                                 COLUMN(store_campaign, run_us),
                                                 COLUMN(store_campaign, own_us),
                                                 COLUMN(store_campaign, created_at),
                                                 COLUMN(store_campaign, last_finding_at),
                                                 COLUMN(store_campaign, slipped_from),
                                                 STORE_OPTIONS(X)};
#undef X

int store_campaign_get(struct store *s, int64_t id, struct arena *a, struct store_campaign *out,
                       struct error *e)
{
    int found = rows_one(s, CAMPAIGN_SQL "WHERE id = ?1", VALUES(integer(id)),
                         COLUMNS(campaign_columns), sizeof *out, a, out, e);
    return found == 1 ? 0 : found < 0 ? -1 : store_no_campaign(s, id, e);
}

int store_campaigns(struct store *s, struct arena *a, struct store_campaign **out, int *n,
                    struct error *e)
{
    *out = rows_all(s, CAMPAIGN_SQL "ORDER BY id", NULL, 0, COLUMNS(campaign_columns), sizeof **out,
                    a, n, e);
    return *out ? 0 : -1;
}

static void add_option(const struct store_campaign *c, enum column_type type, const char *name,
                       const void *field, struct strbuf *out)
{
    const char *text = type == COLUMN_OPTIONAL ? *(const char *const *)field : NULL;
    const char *equals = name[0] == '-' ? "=" : "";
    if (text)
        strbuf_addf(out, "%s%s%s\n", name, equals, text);
    else if (type == COLUMN_REAL && *(const double *)field > 0)
        strbuf_addf(out, "%s=%.6g\n", name, *(const double *)field);
    else if (field == &c->options.seed_given && c->options.seed_given)
        strbuf_addf(out, "%s=%" PRIu64 "\n", name, c->first_seed);
    else if (type == COLUMN_BOOL && *(const bool *)field)
        strbuf_addf(out, "%s\n", name);
}

void store_campaign_text(const struct store_campaign *c, struct strbuf *out)
{
    strbuf_addf(out, "--generator=%s\n", c->generator);
#define X(type, field, name) add_option(c, OPTION_COLUMN_##type, name, &c->options.field, out);
    STORE_OPTIONS(X)
#undef X
}

bool store_options_none(const struct store_options *o)
{
    bool none = true;
#define X(type, field, name) none &= o->field == 0;
    STORE_OPTIONS(X)
#undef X
    return none;
}

/* -- testbeds ---------------------------------------------------------------------------------- */

static const struct column testbed_columns[] = {
    COLUMN(store_testbed, id),          COLUMN(store_testbed, name),
    COLUMN(store_testbed, toolchain),   COLUMN(store_testbed, version),
    COLUMN(store_testbed, path),        COLUMN(store_testbed, flags),
    COLUMN(store_testbed, model),       COLUMN(store_testbed, reference),
    COLUMN(store_testbed, compile),     COLUMN(store_testbed, library),
    COLUMN(store_testbed, dir),         COLUMN(store_testbed, filter),
    COLUMN(store_testbed, only_inputs), COLUMN(store_testbed, content)};

struct testbeds {
    struct store_testbed *at;
    int n;
};

/* The testbed of this id, or NULL with the error set. */
static struct store_testbed *testbed_of(struct store *s, int64_t id, struct testbeds *all,
                                        struct error *e)
{
    for (int i = 0; i < all->n; i++)
        if (all->at[i].id == id)
            return &all->at[i];
    store_damaged(s, "it counts for a testbed that is not there", e);
    return NULL;
}

struct outcome_row {
    int64_t testbed, count, build_us, run_us;
    int outcome;
};
static const struct column outcome_columns[] = {
    COLUMN(outcome_row, testbed), COLUMN_WORD_OF(outcome_row, outcome, outcome_from_name),
    COLUMN(outcome_row, count), COLUMN(outcome_row, build_us), COLUMN(outcome_row, run_us)};

static int count_outcomes(struct store *s, int64_t campaign, struct testbeds *all, struct arena *a,
                          struct error *e)
{
    int n;
    const struct outcome_row *rows =
        rows_all(s,
                 "SELECT s.testbed, s.outcome, s.count, s.build_us, s.run_us FROM testbed t "
                 "JOIN stat s ON s.testbed = t.id WHERE t.campaign = ?1",
                 VALUES(integer(campaign)), COLUMNS(outcome_columns), sizeof *rows, a, &n, e);
    for (int i = 0; rows && i < n; i++) {
        struct store_testbed *t = testbed_of(s, rows[i].testbed, all, e);
        if (!t)
            return -1;
        t->outcomes[rows[i].outcome] = rows[i].count;
        t->build_us += rows[i].build_us;
        t->run_us += rows[i].run_us;
    }
    return rows ? 0 : -1;
}

struct anomaly_row {
    int64_t testbed, count;
    int anomaly;
    bool flaky;
};
static const struct column anomaly_columns[] = {
    COLUMN(anomaly_row, testbed), COLUMN_WORD_OF(anomaly_row, anomaly, anomaly_from_name),
    COLUMN(anomaly_row, flaky), COLUMN(anomaly_row, count)};

static int count_anomalies(struct store *s, int64_t campaign, struct testbeds *all, struct arena *a,
                           struct error *e)
{
    int n;
    const struct anomaly_row *rows =
        rows_all(s,
                 "SELECT f.testbed, o.anomaly, f.state = 'flaky', count(*) FROM finding f "
                 "JOIN observation o USING (campaign, number, testbed) WHERE f.campaign = ?1 "
                 "GROUP BY 1, 2, 3",
                 VALUES(integer(campaign)), COLUMNS(anomaly_columns), sizeof *rows, a, &n, e);
    for (int i = 0; rows && i < n; i++) {
        struct store_testbed *t = testbed_of(s, rows[i].testbed, all, e);
        if (!t)
            return -1;
        if (rows[i].flaky)
            t->flaky += rows[i].count;
        else
            t->anomalies[rows[i].anomaly] += rows[i].count;
    }
    return rows ? 0 : -1;
}

int store_testbeds(struct store *s, int64_t campaign, struct arena *a, struct store_testbed **out,
                   int *n, struct error *e)
{
    if (store_view(s, e))
        return -1;
    *out = rows_all(s,
                    "SELECT id, name, toolchain, version, path, flags, model, reference, compile, "
                    "library, dir, filter, only_inputs, content FROM testbed WHERE campaign = ?1 "
                    "ORDER BY id",
                    VALUES(integer(campaign)), COLUMNS(testbed_columns), sizeof **out, a, n, e);
    struct testbeds all = {*out, *n};
    bool counted = *out && !count_outcomes(s, campaign, &all, a, e) &&
                   !count_anomalies(s, campaign, &all, a, e);
    store_view_end(s);
    return counted ? 0 : -1;
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

struct json *store_classes_json(const struct store_testbed *t)
{
    struct store_classes c;
    store_count_classes(t, &c);
    struct json *classes = json_counts(c.of, class_name, 0, CLASS_COUNT);
    json_extend(classes, "{s:I,s:I,s:I}", "other", c.other, "pass", c.pass, "total", c.total);
    return classes;
}

struct json *store_blame_json(const struct store_blame *b)
{
    if (!b)
        return json_new("n");
    return json_new("{s:s,s:s,s:s,s:s,s:s,s:s}", "pass", b->pass, "detail", b->detail, "first_bad",
                    b->first_bad, "last_good", b->last_good, "last_bad", b->last_bad, "next_good",
                    b->next_good);
}

int64_t store_marked(const struct store_testbed *filter)
{
    return filter->filter
               ? filter->outcomes[OUTCOME_RUN_CRASH] + filter->outcomes[OUTCOME_RUN_TIMEOUT]
               : 0;
}

/* -- findings ---------------------------------------------------------------------------------- */

/* A query as the end of a WHERE clause, with the values that it names. */
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

static void add_query(struct condition *c, const struct store_query *f)
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

#define VERDICT_COLUMNS(of, v)                                                                     \
    COLUMN_WORD_OF(of, v.anomaly, anomaly_from_name),                                              \
        COLUMN_WORD_OF(of, v.evidence, evidence_from_name), COLUMN(of, v.confidence),              \
        COLUMN(of, v.of_group)

static const struct column finding_columns[] = {
    COLUMN(finding, id),
    COLUMN(finding, campaign),
    COLUMN(finding, seed),
    COLUMN(finding, testbed),
    COLUMN(finding, testbed_id),
    COLUMN(finding, signature),
    COLUMN_WORD_OF(finding, state, finding_state_from_name),
    COLUMN(finding, seen),
    COLUMN(finding, tried),
    COLUMN(finding, found_at),
    COLUMN(finding, program),
    COLUMN(finding, right),
    COLUMN(finding, alike),
    VERDICT_COLUMNS(finding, verdict)};

/* Ids of the testbeds of which something is true in the test of finding `f`. */
#define IN_ITS_TEST                                                                                \
    "(SELECT ',' || group_concat(r.testbed) || ',' FROM observation r "                            \
    "WHERE r.campaign = f.campaign AND r.number = f.number AND "

int store_findings(struct store *s, const struct store_query *f, struct arena *a,
                   struct finding **out, int *n, struct error *e)
{
    struct condition c = {0};
    strbuf_init(&c.sql, 0);
    strbuf_addf(&c.sql,
                "SELECT f.id, f.campaign, f.seed, b.name, b.id, f.signature, f.state, f.seen, "
                "f.tried, f.found_at, t.program, " IN_ITS_TEST
                "r.outcome = '%s' AND r.anomaly = '%s'), " IN_ITS_TEST "r.anomaly = o.anomaly), "
                "o.anomaly, o.evidence, o.confidence, o.of_group "
                "FROM finding f JOIN observation o USING (campaign, number, testbed) "
                "JOIN test t USING (campaign, number) "
                "JOIN testbed b ON b.id = f.testbed WHERE 1 = 1",
                outcome_name[OUTCOME_OK], anomaly_name[ANOMALY_NONE]);
    add_query(&c, f);
    strbuf_adds(&c.sql, " ORDER BY f.id");
    if (f->limit > 0)
        strbuf_addf(&c.sql, " LIMIT %" PRId64, f->limit);
    struct query *query;
    *out = NULL;
    *n = 0;
    if (rows_query(s, c.sql.s, c.values, c.n, &query, e) == 0) {
        *out = rows_of(s, query, COLUMNS(finding_columns), sizeof **out, a, n, e);
        query_end(s, query);
    }
    strbuf_release(&c.sql);
    return *out ? 0 : -1;
}

const struct store_query store_everything = {.anomaly = -1, .state = -1};

int store_finding(struct store *s, int64_t id, struct arena *a, struct finding *out,
                  struct error *e)
{
    struct store_query query = store_everything;
    struct finding *list;
    int n;
    query.id = id;
    if (store_findings(s, &query, a, &list, &n, e))
        return -1;
    if (n != 1)
        return error_at(e, ERROR_USAGE, s->path, 0, "has no finding %" PRId64, id);
    *out = list[0];
    return 0;
}

int store_news(struct store *s, int64_t campaign, int64_t since, int64_t *n, struct error *e)
{
    return done(store_ask(s,
                          "SELECT count(*) FROM finding WHERE campaign IN " WITH_SLIPPED
                          " AND id > CASE WHEN ?2 < 0 THEN (SELECT round_last_finding "
                          "FROM campaign WHERE id = ?1) ELSE ?2 END AND id NOT IN " KNOWN_FINDINGS,
                          VALUES(integer(campaign), integer(since)), n, 1, e));
}

/* -- one test ---------------------------------------------------------------------------------- */

struct program_row {
    struct program p;
    struct bytes files;
};
static const struct column program_columns[] = {
    COLUMN(program_row, p.language),
    COLUMN(program_row, p.needs),
    COLUMN_AS(COLUMN_BYTES, program_row, p.expected),
    COLUMN(program_row, p.trusted),
    COLUMN(program_row, p.build_only),
    COLUMN(program_row, files),
    COLUMN(program_row, p.made.generator),
    COLUMN(program_row, p.made.version),
    COLUMN(program_row, p.made.config),
    COLUMN(program_row, p.made.seed),
    COLUMN_AS(COLUMN_OPTIONAL, program_row, p.made.choices)};

/* Whoever asks for a program by its hash gets that one or an error: the file may have been changed
 * by somebody else. */
static int check_program(struct store *s, const struct program *p, const char *hash,
                         struct error *e)
{
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
    struct program_row row;
    int found = rows_one(s,
                         "SELECT p.language, p.needs, p.expected, p.trusted, p.build_only, "
                         "p.files, o.generator, o.version, o.config, o.seed, o.choices "
                         "FROM program p JOIN origin o ON o.program = p.hash WHERE p.hash = ?1 "
                         "ORDER BY o.id LIMIT 1",
                         VALUES(text(hash)), COLUMNS(program_columns), sizeof row, a, &row, e);
    if (found < 0)
        return -1;
    if (!found)
        return error_at(e, ERROR_USAGE, s->path, 0, "has no program %s", hash);
    *out = row.p;
    if (program_unpack(a, row.files.data, row.files.size, out))
        return store_damaged(s, "the files of a program cannot be told apart", e);
    return check_program(s, out, hash, e);
}

static const struct column observation_columns[] = {
    COLUMN(store_observation, testbed),
    COLUMN(store_observation, testbed_id),
    COLUMN_WORD_OF(store_observation, observation.outcome, outcome_from_name),
    COLUMN(store_observation, observation.exit_status),
    COLUMN(store_observation, observation.signal),
    COLUMN_AS(COLUMN_LONG_BYTES, store_observation, observation.output),
    COLUMN(store_observation, observation.output_size),
    COLUMN(store_observation, observation.output_hash),
    COLUMN_AS(COLUMN_LONG, store_observation, observation.messages),
    COLUMN(store_observation, observation.detail),
    COLUMN(store_observation, observation.flags),
    COLUMN(store_observation, observation.build.cpu_us),
    COLUMN(store_observation, observation.build.wall_us),
    COLUMN(store_observation, observation.build.peak_kb),
    COLUMN(store_observation, observation.run.cpu_us),
    COLUMN(store_observation, observation.run.wall_us),
    COLUMN(store_observation, observation.run.peak_kb),
    VERDICT_COLUMNS(store_observation, verdict)};

int store_observations(struct store *s, int64_t campaign, uint64_t seed, struct arena *a,
                       struct store_observation **out, int *n, struct error *e)
{
    int64_t number = store_seed_number(s, campaign, seed, e);
    if (number < 0)
        return -1;
    *out = rows_all(
        s,
        "SELECT b.name, b.id, o.outcome, o.exit_status, o.signal, o.output, o.output_size, "
        "o.output_hash, o.messages, o.detail, o.flags, o.build_cpu_us, o.build_wall_us, "
        "o.build_peak_kb, o.run_cpu_us, o.run_wall_us, o.run_peak_kb, "
        "o.anomaly, o.evidence, o.confidence, o.of_group FROM observation o "
        "JOIN testbed b ON b.id = o.testbed WHERE o.campaign = ?1 AND o.number = ?2 "
        "ORDER BY b.id",
        VALUES(integer(campaign), integer(number)), COLUMNS(observation_columns), sizeof **out, a,
        n, e);
    return *out ? 0 : -1;
}

/* -- the books --------------------------------------------------------------------------------- */

static const struct column incident_columns[] = {
    COLUMN(store_incident, seed), COLUMN(store_incident, what), COLUMN(store_incident, at)};

int store_incidents(struct store *s, int64_t campaign, struct arena *a, struct store_incident **out,
                    int *n, struct error *e)
{
    *out = rows_all(s, "SELECT seed, what, at FROM incident WHERE campaign = ?1 ORDER BY id",
                    VALUES(integer(campaign)), COLUMNS(incident_columns), sizeof **out, a, n, e);
    return *out ? 0 : -1;
}

static const struct column number_column[] = {{.type = COLUMN_INT64}};

int store_done_seeds(struct store *s, int64_t campaign, struct arena *a, uint64_t **out, int *n,
                     struct error *e)
{
    struct store_campaign c;
    if (store_campaign_get(s, campaign, a, &c, e))
        return -1;
    *out = rows_all(
        s, "SELECT number FROM test WHERE campaign = ?1 AND done_at IS NOT NULL ORDER BY number",
        VALUES(integer(campaign)), COLUMNS(number_column), sizeof **out, a, n, e);
    for (int i = 0; *out && i < *n; i++)
        (*out)[i] += c.first_seed;
    return *out ? 0 : -1;
}

int store_known(struct store *s, struct arena *a, int64_t **out, int *n, struct error *e)
{
    *out = rows_all(s, "SELECT id FROM finding WHERE id IN " KNOWN_FINDINGS " ORDER BY id", NULL, 0,
                    COLUMNS(number_column), sizeof **out, a, n, e);
    return *out ? 0 : -1;
}
