/* What becomes of a finding: its reduction, what was blamed, what people say of it.
 *
 * One row per finding in each of the tables `reduction`, `blame` and `mark`; `answer` holds the
 * answers of the tests of reductions that are not over.
 *
 * A step of a reduction takes a compiler run and more, so nothing here is asked often enough for
 * its statements to be kept prepared. A better case, a blame and a mark are on the disk before the
 * call returns; answers are not waited for: a lost one costs a test.
 *
 * Of a reduction only the best case is kept. Its steps would fill the file: a text that no
 * reduction and no test names any more is dropped by the step that supersedes it. */
#include "store/store_internal.h"
#include "base/fs.h"

/* -- vocabularies ------------------------------------------------------------------------------ */

const char *const reduction_state_name[REDUCTION_STATE_COUNT] = {REDUCTION_STATES(WORD_NAME)};
const char *const mark_name[MARK_COUNT] = {MARKS(WORD_NAME)};

static int reduction_state_from_name(const char *name)
{
    return word_find(name, reduction_state_name, REDUCTION_STATE_COUNT);
}

int mark_from_name(const char *name)
{
    return word_find(name, mark_name, MARK_COUNT);
}

static struct value text_or_empty(const char *s)
{
    return text(s ? s : "");
}

static int change(struct store *s, const char *sql, const struct value *values, int n,
                  struct error *e)
{
    return done(store_ask(s, sql, values, n, NULL, 0, e));
}

/* -- reductions -------------------------------------------------------------------------------- */

/* The text, unless it is there: a case that became the best twice was still made once. */
static int keep_best(struct store *s, const struct program *best, char hash[PROGRAM_HASH_SIZE],
                     struct error *e)
{
    int64_t one;
    program_hash(best, hash);
    int known =
        store_ask(s, "SELECT 1 FROM program WHERE hash = ?1", VALUES(text(hash)), &one, 1, e);
    return known < 0 ? -1 : known ? 0 : store_keep_program(s, best, hash, e);
}

static int put_row(struct store *s, const struct store_reduction *r, const char *hash,
                   struct error *e)
{
    return change(
        s,
        "INSERT INTO reduction(finding, state, program, flags, method, why, from_bytes, bytes, "
        "tests, remembered, refused, kept, cpu_us, wall_ms, at) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) "
        "ON CONFLICT(finding) DO UPDATE SET state = excluded.state, "
        "worker = CASE WHEN excluded.state != 'failed' THEN reduction.worker END, "
        "program = coalesce(excluded.program, reduction.program), flags = excluded.flags, "
        "method = excluded.method, why = excluded.why, from_bytes = excluded.from_bytes, "
        "bytes = excluded.bytes, tests = excluded.tests, remembered = excluded.remembered, "
        "refused = excluded.refused, kept = excluded.kept, cpu_us = excluded.cpu_us, "
        "wall_ms = excluded.wall_ms, at = excluded.at",
        VALUES(integer(r->finding), text(reduction_state_name[r->state]), text(*hash ? hash : NULL),
               text_or_empty(r->flags), text_or_empty(r->method), text_or_empty(r->why),
               integer(r->from_bytes), integer(r->bytes), integer(r->tests), integer(r->remembered),
               integer(r->refused), integer(r->kept), integer(r->cpu_us), integer(r->wall_ms),
               integer(r->at ? r->at : clock_wall())),
        e);
}

/* The best case of a reduction; "" where there is none yet. */
static int best_of(struct store *s, int64_t finding, char hash[PROGRAM_HASH_SIZE], struct error *e)
{
    static const struct column column[] = {{.type = COLUMN_HASH}};
    return done(rows_one(s, "SELECT program FROM reduction WHERE finding = ?1",
                         VALUES(integer(finding)), COLUMNS(column), PROGRAM_HASH_SIZE, NULL, hash,
                         e));
}

/* A text that nobody names any more. */
static int drop_text(struct store *s, const char *hash, struct error *e)
{
    int64_t one;
    int needed = store_ask(s,
                           "SELECT 1 FROM test WHERE program = ?1 UNION ALL "
                           "SELECT 1 FROM reduction WHERE program = ?1",
                           VALUES(text(hash)), &one, 1, e);
    if (needed)
        return needed < 0 ? -1 : 0;
    return change(s, "DELETE FROM origin WHERE program = ?1", VALUES(text(hash)), e) ||
                   change(s, "DELETE FROM program WHERE hash = ?1", VALUES(text(hash)), e)
               ? -1
               : 0;
}

static int put_reduction(struct store *s, const struct store_reduction *r,
                         const struct program *best, struct error *e)
{
    char hash[PROGRAM_HASH_SIZE], before[PROGRAM_HASH_SIZE];
    memcpy(hash, r->program, sizeof hash);
    if (store_need_finding(s, r->finding, e) || best_of(s, r->finding, before, e) ||
        (best && keep_best(s, best, hash, e)) || put_row(s, r, hash, e))
        return -1;
    return *before && *hash && strcmp(before, hash) ? drop_text(s, before, e) : 0;
}

int store_reduction_put(struct store *s, const struct store_reduction *r,
                        const struct program *best, struct error *e)
{
    return store_transaction(s, true, put_reduction(s, r, best, e), e);
}

#define REDUCTION_SQL                                                                              \
    "SELECT finding, state, program, flags, method, why, from_bytes, bytes, tests, remembered, "   \
    "refused, kept, cpu_us, wall_ms, at, constructs FROM reduction "

static const struct column reduction_columns[] = {
    COLUMN(store_reduction, finding),
    COLUMN_WORD_OF(store_reduction, state, reduction_state_from_name),
    COLUMN(store_reduction, program),
    COLUMN(store_reduction, flags),
    COLUMN(store_reduction, method),
    COLUMN(store_reduction, why),
    COLUMN(store_reduction, from_bytes),
    COLUMN(store_reduction, bytes),
    COLUMN(store_reduction, tests),
    COLUMN(store_reduction, remembered),
    COLUMN(store_reduction, refused),
    COLUMN(store_reduction, kept),
    COLUMN(store_reduction, cpu_us),
    COLUMN(store_reduction, wall_ms),
    COLUMN(store_reduction, at),
    COLUMN_AS(COLUMN_LONG, store_reduction, constructs)};

int store_reduction_get(struct store *s, int64_t finding, struct arena *a,
                        struct store_reduction *out, struct error *e)
{
    int found = rows_one(s, REDUCTION_SQL "WHERE finding = ?1", VALUES(integer(finding)),
                         COLUMNS(reduction_columns), sizeof *out, a, out, e);
    return found < 0 ? -1 : !found;
}

int store_reductions(struct store *s, struct arena *a, struct store_reduction **out, int *n,
                     struct error *e)
{
    *out = rows_all(s, REDUCTION_SQL "ORDER BY finding", NULL, 0, COLUMNS(reduction_columns),
                    sizeof **out, a, n, e);
    return *out ? 0 : -1;
}

/* -- who reduces what -------------------------------------------------------------------------- */

/* Signatures that name only the kind, the testbed, and how it ended (triage/signature.c) stand for
 * many bugs. Those with the fewest reductions come first, so that a frequent bug does not hold up a
 * rare one. Reductions are counted once per signature, not for each finding: a bug that shows ten
 * thousand times would cost ten thousand counts of ten thousand. */
#define IS_SILENT                                                                                  \
    "(o.anomaly IN ('wrong-output', 'run-crash', 'run-hang', 'wrong-volatile') OR "                \
    "f.signature LIKE '%: SIG%' OR f.signature LIKE '%: signal %' OR "                             \
    "f.signature LIKE '%: exit %' OR f.signature LIKE '%: truncated output')"
/* What other flags of the same compiler did with the same program is being reduced already. */
#define IS_REPEATED                                                                                \
    "EXISTS (SELECT 1 FROM finding g JOIN reduction ON reduction.finding = g.id "                  \
    "JOIN observation p ON p.campaign = g.campaign AND p.number = g.number AND "                   \
    "p.testbed = g.testbed JOIN testbed u ON u.id = g.testbed "                                    \
    "WHERE g.campaign = f.campaign AND g.number = f.number AND p.anomaly = o.anomaly AND "         \
    "u.path = t.path)"
static const char next[] =
    "WITH begun AS (SELECT f.signature AS of, count(*) AS n FROM reduction r "
    "JOIN finding f ON f.id = r.finding JOIN campaign c ON c.id = f.campaign "
    "WHERE c.slipped_from IS DISTINCT FROM c.id GROUP BY 1) "
    "SELECT f.id FROM finding f JOIN observation o USING (campaign, number, testbed) "
    "JOIN testbed t ON t.id = f.testbed LEFT JOIN reduction r ON r.finding = f.id LEFT JOIN begun "
    "ON begun.of = f.signature "
    "WHERE f.campaign IN " WITH_SLIPPED " AND CASE WHEN r.finding IS NULL THEN "
    "f.state = 'confirmed' AND coalesce(begun.n, 0) < CASE WHEN " IS_SILENT " THEN ?3 ELSE ?2 END "
    "AND f.id NOT IN " KNOWN_FINDINGS " ELSE r.worker IS NULL AND (r.state = 'begun' OR "
    "(r.state = 'done' AND NOT EXISTS (SELECT 1 FROM blame WHERE finding = f.id))) END "
    "ORDER BY o.anomaly IN ('build-hang', 'run-hang', 'slow-compile') OR "
    "o.build_cpu_us + o.run_cpu_us > ?5, coalesce(r.wall_ms, 0) / ?4, r.finding IS NULL, "
    "r.finding IS NULL AND " IS_REPEATED ", "
    "CASE WHEN r.finding IS NULL THEN coalesce(begun.n, 0) ELSE 0 END, f.id LIMIT 1";

static int claim_reduction(struct store *s, int64_t campaign, int worker,
                           const struct store_reducing *how, int64_t *finding, struct error *e)
{
    int found =
        store_ask(s, next,
                  VALUES(integer(campaign), integer(how->per_signature), integer(how->per_silent),
                         integer(how->round_ms), integer(how->dear_us)),
                  finding, 1, e);
    if (found <= 0)
        return found;
    return change(s,
                  "INSERT INTO reduction(finding, state, worker, at) VALUES (?1, 'begun', ?2, ?3) "
                  "ON CONFLICT(finding) DO UPDATE SET worker = excluded.worker",
                  VALUES(integer(*finding), integer(worker), integer(clock_wall())), e)
               ? -1
               : 1;
}

int store_reduction_claim(struct store *s, int64_t campaign, int worker,
                          const struct store_reducing *how, int64_t *finding, struct error *e)
{
    return store_transaction(s, false, claim_reduction(s, campaign, worker, how, finding, e), e);
}

int store_reduction_give_back(struct store *s, int64_t finding, struct error *e)
{
    return store_transaction(s, false,
                             change(s, "UPDATE reduction SET worker = NULL WHERE finding = ?1",
                                    VALUES(integer(finding)), e),
                             e);
}

/* -- answers ----------------------------------------------------------------------------------- */

/* One statement for all of them: they come by the hundred. */
static int put_answers(struct store *s, int64_t finding, const struct store_answer *list, int n,
                       struct error *e)
{
    struct query *query;
    if (store_need_finding(s, finding, e) ||
        query_prepare(s,
                      "INSERT INTO answer(finding, hash, answer) VALUES (?1, ?2, ?3) "
                      "ON CONFLICT(finding, hash) DO UPDATE SET answer = excluded.answer",
                      &query, e))
        return -1;
    int status = 0;
    for (int i = 0; i < n && !status; i++) {
        status = query_bind(
            s, query, VALUES(integer(finding), text(list[i].hash), integer(list[i].answer)), e);
        if (!status)
            status = query_step(s, query, e);
        query_reset(s, query);
    }
    query_end(s, query);
    return status;
}

int store_answers_put(struct store *s, int64_t finding, const struct store_answer *list, int n,
                      struct error *e)
{
    return store_transaction(s, false, put_answers(s, finding, list, n, e), e);
}

static const struct column answer_columns[] = {COLUMN(store_answer, hash),
                                               COLUMN(store_answer, answer)};

int store_answers(struct store *s, int64_t finding, struct arena *a, struct store_answer **out,
                  int *n, struct error *e)
{
    *out = rows_all(s, "SELECT hash, answer FROM answer WHERE finding = ?1 ORDER BY hash",
                    VALUES(integer(finding)), COLUMNS(answer_columns), sizeof **out, a, n, e);
    return *out ? 0 : -1;
}

int store_answers_drop(struct store *s, int64_t finding, struct error *e)
{
    return store_transaction(
        s, false, change(s, "DELETE FROM answer WHERE finding = ?1", VALUES(integer(finding)), e),
        e);
}

/* -- blame ------------------------------------------------------------------------------------- */

static int put_blame(struct store *s, const struct store_blame *b, struct error *e)
{
    if (store_need_finding(s, b->finding, e))
        return -1;
    if (change(s,
               "INSERT INTO blame(finding, pass, detail, first_bad, last_good, last_bad, "
               "next_good, at) "
               "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT(finding) DO UPDATE SET "
               "pass = excluded.pass, detail = excluded.detail, first_bad = excluded.first_bad, "
               "last_good = excluded.last_good, last_bad = excluded.last_bad, "
               "next_good = excluded.next_good, at = excluded.at",
               VALUES(integer(b->finding), text_or_empty(b->pass), text_or_empty(b->detail),
                      text_or_empty(b->first_bad), text_or_empty(b->last_good),
                      text_or_empty(b->last_bad), text_or_empty(b->next_good),
                      integer(b->at ? b->at : clock_wall())),
               e))
        return -1;
    return change(s, "UPDATE reduction SET worker = NULL WHERE finding = ?1 AND state = 'done'",
                  VALUES(integer(b->finding)), e);
}

int store_blame_put(struct store *s, const struct store_blame *b, struct error *e)
{
    return store_transaction(s, true, put_blame(s, b, e), e);
}

static const struct column blame_columns[] = {
    COLUMN(store_blame, finding),   COLUMN(store_blame, pass),      COLUMN(store_blame, detail),
    COLUMN(store_blame, first_bad), COLUMN(store_blame, last_good), COLUMN(store_blame, last_bad),
    COLUMN(store_blame, next_good), COLUMN(store_blame, at)};

int store_blames(struct store *s, struct arena *a, struct store_blame **out, int *n,
                 struct error *e)
{
    *out = rows_all(s,
                    "SELECT finding, pass, detail, first_bad, last_good, last_bad, next_good, at "
                    "FROM blame "
                    "ORDER BY finding",
                    NULL, 0, COLUMNS(blame_columns), sizeof **out, a, n, e);
    return *out ? 0 : -1;
}

/* -- kin and constructs ------------------------------------------------------------------------ */

static int put_long(struct store *s, const char *sql, int64_t finding, const char *what,
                    struct error *e)
{
    void *memory;
    if (store_need_finding(s, finding, e))
        return -1;
    struct value value = store_squeeze_text(s, what, &memory);
    int status = change(s, sql, VALUES(integer(finding), value), e);
    free(memory);
    return status;
}

int store_kin_put(struct store *s, int64_t finding, const char *programs, struct error *e)
{
    const char *sql = "INSERT INTO kin(finding, programs) VALUES (?1, ?2) "
                      "ON CONFLICT(finding) DO UPDATE SET programs = excluded.programs";
    return store_transaction(s, false, put_long(s, sql, finding, programs, e), e);
}

int store_constructs_put(struct store *s, int64_t finding, const char *constructs, struct error *e)
{
    const char *sql = "UPDATE reduction SET constructs = ?2 WHERE finding = ?1";
    return store_transaction(s, false, put_long(s, sql, finding, constructs, e), e);
}

int store_without_constructs(struct store *s, struct arena *a, int64_t **findings, int *n,
                             struct error *e)
{
    static const struct column column[] = {{.type = COLUMN_INT64}};
    *findings = rows_all(s,
                         "SELECT finding FROM reduction WHERE constructs IS NULL AND "
                         "state = 'done' ORDER BY finding",
                         NULL, 0, COLUMNS(column), sizeof **findings, a, n, e);
    return *findings ? 0 : -1;
}

int store_kin(struct store *s, int64_t finding, struct arena *a, const char **out, struct error *e)
{
    static const struct column column[] = {{.type = COLUMN_LONG}};
    int found = rows_one(s, "SELECT programs FROM kin WHERE finding = ?1", VALUES(integer(finding)),
                         COLUMNS(column), sizeof *out, a, out, e);
    if (!found)
        *out = "";
    return found < 0 ? -1 : 0;
}

/* -- marks ------------------------------------------------------------------------------------- */

static int put_mark(struct store *s, const struct store_mark *m, struct error *e)
{
    struct value original = m->same_as ? integer(m->same_as) : text(NULL);
    struct value at = integer(m->at ? m->at : clock_wall()), word = text(mark_name[m->mark]);
    if (store_need_finding(s, m->finding, e) ||
        change(s,
               "INSERT INTO mark(finding, mark, note, version, same_as, at, covers_signature) "
               "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(finding) DO UPDATE SET "
               "mark = excluded.mark, note = excluded.note, version = excluded.version, "
               "same_as = excluded.same_as, at = excluded.at, "
               "covers_signature = excluded.covers_signature",
               VALUES(integer(m->finding), word, text_or_empty(m->note), text_or_empty(m->version),
                      original, at, integer(m->covers_signature)),
               e))
        return -1;
    return change(s, "UPDATE mark SET mark = ?2, version = ?3, at = ?4 WHERE same_as = ?1",
                  VALUES(integer(m->finding), word, text_or_empty(m->version), at), e);
}

int store_mark_put(struct store *s, const struct store_mark *m, struct error *e)
{
    return store_transaction(s, true, put_mark(s, m, e), e);
}

static const struct column mark_columns[] = {
    COLUMN(store_mark, finding), COLUMN_WORD_OF(store_mark, mark, mark_from_name),
    COLUMN(store_mark, note),    COLUMN(store_mark, version),
    COLUMN(store_mark, same_as), /* NULL is 0 */
    COLUMN(store_mark, at),      COLUMN(store_mark, covers_signature)};

int store_marks(struct store *s, struct arena *a, struct store_mark **out, int *n, struct error *e)
{
    *out = rows_all(s,
                    "SELECT finding, mark, note, version, same_as, at, covers_signature FROM mark "
                    "ORDER BY finding",
                    NULL, 0, COLUMNS(mark_columns), sizeof **out, a, n, e);
    return *out ? 0 : -1;
}
