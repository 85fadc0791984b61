/* The shape of the file, and how it came to be.
 *
 * The header of an SQLite file has two numbers for the application: application_id says that the
 * file is ours, user_version which of the shapes below it has. Migrations are only ever added. Each
 * runs in a transaction of its own together with the new user_version, so that a file has exactly
 * one shape at any instant, whoever is killed; a process that finds the step already done by
 * another one goes on to the next.
 *
 * A reader changes nothing, and yet the queries know only the newest shape. It therefore copies an
 * older file into a private temporary database (SQLite deletes it with the connection) and migrates
 * the copy. That costs one copy per command until somebody runs a campaign in the folder again,
 * which migrates the file itself; the alternative was to refuse.
 *
 * Vocabularies (outcome, anomaly, evidence, state, stage) are stored as words and not as numbers of
 * an enum, so that a later assay may reorder its tables, and a person with `sqlite3` can read them.
 */
#include "store/sqlite.h"

/* `number` is the seed's distance from first_seed: seeds may wrap past 2^63, numbers sort. */
static const char core_tables[] =
    "CREATE TABLE campaign("
    "  id INTEGER PRIMARY KEY,"
    "  generator TEXT NOT NULL,"
    "  config TEXT NOT NULL,"
    "  first_seed INTEGER NOT NULL," /* the bits of the uint64_t, as in every column `seed` */
    "  started INTEGER NOT NULL DEFAULT 0,"
    "  tests INTEGER NOT NULL DEFAULT 0,"
    "  findings INTEGER NOT NULL DEFAULT 0,"
    "  elapsed_ms INTEGER NOT NULL DEFAULT 0,"
    "  round_tests INTEGER NOT NULL DEFAULT 0,"
    "  round_findings INTEGER NOT NULL DEFAULT 0,"
    "  round_elapsed_ms INTEGER NOT NULL DEFAULT 0,"
    "  generate_us INTEGER NOT NULL DEFAULT 0,"
    "  build_us INTEGER NOT NULL DEFAULT 0,"
    "  run_us INTEGER NOT NULL DEFAULT 0,"
    "  own_us INTEGER NOT NULL DEFAULT 0,"
    "  created_at INTEGER NOT NULL,"
    "  last_finding_at INTEGER NOT NULL DEFAULT 0);"

    "CREATE TABLE testbed("
    "  id INTEGER PRIMARY KEY," /* ascending: the order of registration */
    "  campaign INTEGER NOT NULL REFERENCES campaign,"
    "  name TEXT NOT NULL,"
    "  toolchain TEXT NOT NULL,"
    "  version TEXT NOT NULL,"
    "  path TEXT NOT NULL,"
    "  flags TEXT NOT NULL,"
    "  model TEXT NOT NULL,"
    "  reference INTEGER NOT NULL,"
    "  compile TEXT NOT NULL," /* the steps, one per line */
    "  run TEXT NOT NULL,"
    "  UNIQUE(campaign, name, path, version, compile, run, model));"

    "CREATE TABLE stat("
    "  testbed INTEGER NOT NULL REFERENCES testbed,"
    "  outcome TEXT NOT NULL,"
    "  count INTEGER NOT NULL,"
    "  build_us INTEGER NOT NULL,"
    "  run_us INTEGER NOT NULL,"
    "  PRIMARY KEY(testbed, outcome)) WITHOUT ROWID;"

    /* A seed that is neither fresh nor done. */
    "CREATE TABLE claim("
    "  campaign INTEGER NOT NULL REFERENCES campaign,"
    "  number INTEGER NOT NULL,"
    "  stage TEXT NOT NULL,"
    "  worker INTEGER," /* NULL: it waits for one */
    "  attempts INTEGER NOT NULL DEFAULT 0,"
    "  PRIMARY KEY(campaign, number)) WITHOUT ROWID;"

    /* A text, once, wherever it came from ... */
    "CREATE TABLE program("
    "  hash TEXT PRIMARY KEY NOT NULL,"
    "  language TEXT NOT NULL,"
    "  needs TEXT NOT NULL,"
    "  expected TEXT,"
    "  trusted INTEGER NOT NULL,"
    "  files BLOB NOT NULL);" /* program_pack, then zstd */

    /* ... and each time it was made. */
    "CREATE TABLE origin("
    "  id INTEGER PRIMARY KEY,"
    "  program TEXT NOT NULL REFERENCES program,"
    "  generator TEXT NOT NULL,"
    "  version TEXT NOT NULL,"
    "  config TEXT NOT NULL,"
    "  seed INTEGER NOT NULL,"
    "  choices TEXT);"
    "CREATE INDEX origin_by_program ON origin(program);"

    "CREATE TABLE test("
    "  campaign INTEGER NOT NULL REFERENCES campaign,"
    "  number INTEGER NOT NULL,"
    "  program TEXT REFERENCES program," /* NULL: not kept, nothing was found */
    "  bytes INTEGER NOT NULL DEFAULT 0,"
    "  generate_us INTEGER NOT NULL DEFAULT 0,"
    "  build_us INTEGER NOT NULL DEFAULT 0,"
    "  run_us INTEGER NOT NULL DEFAULT 0,"
    "  own_us INTEGER NOT NULL DEFAULT 0,"
    "  findings INTEGER NOT NULL DEFAULT 0,"
    "  done_at INTEGER," /* NULL: its findings are still to be confirmed */
    "  PRIMARY KEY(campaign, number)) WITHOUT ROWID;"

    /* Of tests with a finding only. A long output or message is a zstd BLOB, a short one TEXT. */
    "CREATE TABLE observation("
    "  campaign INTEGER NOT NULL,"
    "  number INTEGER NOT NULL,"
    "  testbed INTEGER NOT NULL REFERENCES testbed,"
    "  outcome TEXT NOT NULL,"
    "  exit_status INTEGER NOT NULL,"
    "  signal INTEGER NOT NULL,"
    "  output NOT NULL,"
    "  output_size INTEGER NOT NULL,"
    "  output_hash TEXT NOT NULL,"
    "  messages NOT NULL,"
    "  detail TEXT NOT NULL,"
    "  build_cpu_us INTEGER NOT NULL,"
    "  build_wall_us INTEGER NOT NULL,"
    "  build_peak_kb INTEGER NOT NULL,"
    "  run_cpu_us INTEGER NOT NULL,"
    "  run_wall_us INTEGER NOT NULL,"
    "  run_peak_kb INTEGER NOT NULL,"
    "  anomaly TEXT NOT NULL,"
    "  evidence TEXT NOT NULL,"
    "  confidence REAL NOT NULL,"
    "  of_group INTEGER NOT NULL,"
    "  PRIMARY KEY(campaign, number, testbed),"
    "  FOREIGN KEY(campaign, number) REFERENCES test);"

    /* An observation with an anomaly; the verdict stands there. */
    "CREATE TABLE finding("
    "  id INTEGER PRIMARY KEY,"
    "  campaign INTEGER NOT NULL,"
    "  number INTEGER NOT NULL,"
    "  seed INTEGER NOT NULL,"
    "  testbed INTEGER NOT NULL REFERENCES testbed,"
    "  signature TEXT NOT NULL,"
    "  state TEXT NOT NULL,"
    "  seen INTEGER NOT NULL,"
    "  tried INTEGER NOT NULL,"
    "  found_at INTEGER NOT NULL,"
    "  UNIQUE(campaign, number, testbed),"
    "  FOREIGN KEY(campaign, number, testbed) REFERENCES observation);";

static const char incidents_and_bugs[] =
    "CREATE TABLE incident("
    "  id INTEGER PRIMARY KEY,"
    "  campaign INTEGER NOT NULL REFERENCES campaign,"
    "  seed INTEGER NOT NULL,"
    "  what TEXT NOT NULL,"
    "  at INTEGER NOT NULL);"
    "CREATE INDEX incident_by_campaign ON incident(campaign);"
    "ALTER TABLE campaign ADD COLUMN incidents INTEGER NOT NULL DEFAULT 0;"
    /* `assay bugs` groups by signature. */
    "CREATE INDEX finding_by_signature ON finding(signature);";

/* Flags that were drawn for one test, and what it takes to write a testbed's commands out. */
static const char drawn_flags[] =
    "ALTER TABLE observation ADD COLUMN flags TEXT NOT NULL DEFAULT '';" /* '': the testbed's */
    "ALTER TABLE testbed ADD COLUMN dir TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE testbed ADD COLUMN library TEXT NOT NULL DEFAULT '';";

/* Programs that must not be run, to which every earlier one does not belong. */
static const char never_run[] =
    "ALTER TABLE program ADD COLUMN build_only INTEGER NOT NULL DEFAULT 0;";

/* From a finding to a report: what reductions, bisection and people have to say of it. */
static const char recognition[] =
    /* Of what showed while a finding of that campaign was being reduced; NULL: any other one. */
    "ALTER TABLE campaign ADD COLUMN slipped_from INTEGER REFERENCES campaign;"
    /* The newest finding when the round began: which findings are known may change at any time, so
     * that their number would not do. */
    "ALTER TABLE campaign ADD COLUMN round_last_finding INTEGER NOT NULL DEFAULT 0;"
    "UPDATE campaign AS c SET round_last_finding = coalesce((SELECT max(id) FROM "
    "  (SELECT id, campaign, row_number() OVER (PARTITION BY campaign ORDER BY id) AS nth "
    "   FROM finding) WHERE campaign = c.id AND nth <= c.round_findings), 0);"
    /* Who needs this text? Asked whenever a reduction has found a better one. */
    "CREATE INDEX test_by_program ON test(program) WHERE program IS NOT NULL;"

    "CREATE TABLE reduction("
    "  finding INTEGER PRIMARY KEY REFERENCES finding,"
    "  state TEXT NOT NULL,"
    "  worker INTEGER,"                      /* of a campaign that is at work on it; NULL: none */
    "  attempts INTEGER NOT NULL DEFAULT 0," /* workers that died on it */
    "  program TEXT REFERENCES program,"     /* NULL: none yet */
    "  flags TEXT NOT NULL DEFAULT '',"
    "  method TEXT NOT NULL DEFAULT '',"
    "  why TEXT NOT NULL DEFAULT '',"
    "  from_bytes INTEGER NOT NULL DEFAULT 0,"
    "  bytes INTEGER NOT NULL DEFAULT 0,"
    "  tests INTEGER NOT NULL DEFAULT 0,"
    "  remembered INTEGER NOT NULL DEFAULT 0,"
    "  refused INTEGER NOT NULL DEFAULT 0,"
    "  kept INTEGER NOT NULL DEFAULT 0,"
    "  cpu_us INTEGER NOT NULL DEFAULT 0,"
    "  wall_ms INTEGER NOT NULL DEFAULT 0,"
    "  at INTEGER NOT NULL);"
    "CREATE INDEX reduction_by_program ON reduction(program) WHERE program IS NOT NULL;"

    "CREATE TABLE answer("
    "  finding INTEGER NOT NULL REFERENCES finding,"
    "  hash TEXT NOT NULL,"
    "  answer INTEGER NOT NULL,"
    "  PRIMARY KEY(finding, hash)) WITHOUT ROWID;"

    "CREATE TABLE blame("
    "  finding INTEGER PRIMARY KEY REFERENCES finding,"
    "  pass TEXT NOT NULL,"
    "  detail TEXT NOT NULL,"
    "  first_bad TEXT NOT NULL,"
    "  last_good TEXT NOT NULL,"
    "  at INTEGER NOT NULL);"

    "CREATE TABLE mark("
    "  finding INTEGER PRIMARY KEY REFERENCES finding,"
    "  mark TEXT NOT NULL,"
    "  covers_signature INTEGER NOT NULL,"
    "  note TEXT NOT NULL,"
    "  version TEXT NOT NULL,"
    "  same_as INTEGER REFERENCES finding," /* NULL: a mark of its own */
    "  at INTEGER NOT NULL);"
    "CREATE INDEX mark_by_original ON mark(same_as) WHERE same_as IS NOT NULL;";

/* What was not believed: filters, and findings that other inputs did not show. */
static const char not_believed[] =
    "ALTER TABLE testbed ADD COLUMN filter INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE testbed ADD COLUMN only_inputs INTEGER NOT NULL DEFAULT 0;";

/* What comes out right, a step away from the reduced case. */
static const char right_kin[] =
    "CREATE TABLE kin("
    "  finding INTEGER PRIMARY KEY REFERENCES finding,"
    "  programs NOT NULL);"; /* as triage/kin.h writes them; long: a zstd BLOB */

/* The options of a campaign, until then one text: an option per line, and behind "# " the settings
 * of the generator. An option is a whole line: a folder that is called --no-sandbox is none. */
#define OPTION_LINES " FROM option_line WHERE campaign = id AND "
static const char typed_options[] =
    "CREATE TABLE option_line AS WITH RECURSIVE line(campaign, word, rest) AS ("
    "  SELECT id, '', config FROM campaign UNION ALL "
    "  SELECT campaign, substr(rest, 1, instr(rest || char(10), char(10)) - 1), "
    "  substr(rest, instr(rest || char(10), char(10)) + 1) FROM line "
    "  WHERE rest != '' AND rest NOT GLOB '# *') SELECT * FROM line;"
    "ALTER TABLE campaign ADD COLUMN testbeds TEXT;"
    "ALTER TABLE campaign ADD COLUMN testbed_dir TEXT;"
    "ALTER TABLE campaign ADD COLUMN all_flags INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE campaign ADD COLUMN random_flags INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE campaign ADD COLUMN seed_given INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE campaign ADD COLUMN majority REAL NOT NULL DEFAULT 0;"
    "ALTER TABLE campaign ADD COLUMN sandbox INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE campaign ADD COLUMN no_sandbox INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE campaign ADD COLUMN settings TEXT;"
    "UPDATE campaign SET "
    "testbeds = (SELECT substr(word, 12)" OPTION_LINES "word GLOB '--testbeds=*'),"
    "testbed_dir = (SELECT substr(word, 15)" OPTION_LINES "word GLOB '--testbed-dir=*'),"
    "all_flags = EXISTS(SELECT 1" OPTION_LINES "word = '--all-flags'),"
    "random_flags = EXISTS(SELECT 1" OPTION_LINES "word = '--flags=random'),"
    "seed_given = EXISTS(SELECT 1" OPTION_LINES "word GLOB '--seed=*'),"
    "majority = coalesce((SELECT substr(word, 12)" OPTION_LINES "word GLOB '--majority=*'), 0),"
    "sandbox = EXISTS(SELECT 1" OPTION_LINES "word = '--sandbox'),"
    "no_sandbox = EXISTS(SELECT 1" OPTION_LINES "word = '--no-sandbox'),"
    "settings = (SELECT rtrim(substr(rest, 3), char(10))" OPTION_LINES "rest GLOB '# *');"
    "DROP TABLE option_line;"
    "ALTER TABLE campaign DROP COLUMN config;";

/* What a reduced case makes a compiler do, as triage/constructs.h writes it; long: a zstd BLOB; "":
 * it has no tree; NULL: nobody looked. */
static const char constructs[] = "ALTER TABLE reduction ADD COLUMN constructs;"
                                 /* of the compiler's files (testbed/identity.h); "": not known */
                                 "ALTER TABLE testbed ADD COLUMN content TEXT NOT NULL DEFAULT '';";

/* Budgets and experiments by CPU time: that of the campaign when the round began, and when the test
 * was done (0: by an older assay). */
static const char cpu_moments[] =
    "ALTER TABLE campaign ADD COLUMN round_cpu_us INTEGER NOT NULL DEFAULT 0;"
    "UPDATE campaign SET round_cpu_us = generate_us + build_us + run_us + own_us "
    "  WHERE round_elapsed_ms > 0;"
    "ALTER TABLE test ADD COLUMN done_cpu_us INTEGER NOT NULL DEFAULT 0;";

/* Until which version a bug is there; "": nobody asked, or all behind it are bad. */
static const char mended_versions[] =
    "ALTER TABLE blame ADD COLUMN last_bad TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE blame ADD COLUMN next_good TEXT NOT NULL DEFAULT '';";

const char *const schema_migrations[SCHEMA_VERSION] = {
    core_tables, incidents_and_bugs, drawn_flags, never_run,   recognition,    not_believed,
    right_kin,   typed_options,      constructs,  cpu_moments, mended_versions};

static int read_number(struct store *s, const char *sql, int *out, struct error *e)
{
    int64_t number;
    if (store_ask(s, sql, NULL, 0, &number, 1, e) != 1)
        return -1;
    *out = (int)number;
    return 0;
}

/* All that the schema says, without white space; sqlite_% is SQLite's own. */
static int read_schema(sqlite3 *db, struct strbuf *out)
{
    sqlite3_stmt *stmt;
    int code =
        sqlite3_prepare_v2(db,
                           "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master "
                           "WHERE name NOT LIKE 'sqlite~_stat%' ESCAPE '~' ORDER BY 1, 2",
                           -1, &stmt, NULL);
    while (!code && (code = sqlite3_step(stmt)) == SQLITE_ROW) {
        for (int i = 0; i < 4; i++) {
            const char *at = (const char *)sqlite3_column_text(stmt, i);
            for (; at && *at; at++)
                if (!strchr(" \t\n", *at))
                    strbuf_addc(out, *at);
            strbuf_addc(out, '\n');
        }
        code = SQLITE_OK;
    }
    sqlite3_finalize(stmt);
    return code == SQLITE_DONE ? 0 : code;
}

/* What our migrations make of an empty database. */
static int expected_schema(int version, struct strbuf *out)
{
    sqlite3 *db = NULL;
    int code = sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    for (int i = 0; i < version && !code; i++)
        code = sqlite3_exec(db, schema_migrations[i], NULL, NULL, NULL);
    if (!code)
        code = read_schema(db, out);
    sqlite3_close(db);
    return code;
}

/* What the file says of itself. In one transaction: another process may be making it just now. */
static int read_identity(struct store *s, struct strbuf *schema, int *application, int *version,
                         struct error *e)
{
    if (sqlite_exec(s, "BEGIN", e))
        return -1;
    int code = read_schema(sqlite_of(s), schema);
    if (code)
        sqlite_fail(s, code, e);
    int status = code || read_number(s, "PRAGMA application_id", application, e) ||
                         read_number(s, "PRAGMA user_version", version, e)
                     ? -1
                     : 0;
    sqlite3_exec(sqlite_of(s), "ROLLBACK", NULL, NULL, NULL); /* nothing was written */
    return status;
}

static int check_identity(struct store *s, const char *schema, int application, int version,
                          struct error *e)
{
    if (!*schema && application == 0 && version == 0)
        return 0;
    if (application != SCHEMA_APPLICATION_ID || version < 1)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "is a database of another program, not of assay: move it away or choose "
                        "another folder");
    if (version > SCHEMA_VERSION)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "made by a newer assay (schema %d, this one knows %d): use that version",
                        version, SCHEMA_VERSION);
    struct strbuf expected;
    strbuf_init(&expected, 0);
    int code = expected_schema(version, &expected);
    bool same = !strcmp(schema, expected.s);
    strbuf_release(&expected);
    if (code)
        return sqlite_fail(s, code, e);
    if (!same)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "has other tables, views or triggers than assay makes: it was changed, and "
                        "is not opened; `sqlite3 '%s' .schema` shows them",
                        s->path);
    return 0;
}

int schema_version(struct store *s, int *version, struct error *e)
{
    int application = 0;
    struct strbuf schema;
    strbuf_init(&schema, 0);
    int status = read_identity(s, &schema, &application, version, e) ||
                         check_identity(s, schema.s, application, *version, e)
                     ? -1
                     : 0;
    strbuf_release(&schema);
    return status;
}

/* From `version` to the next, unless another process has just done it. Within the transaction. */
static int migrate_step(struct store *s, int version, struct error *e)
{
    int now = version;
    if (read_number(s, "PRAGMA user_version", &now, e))
        return -1;
    if (now != version) /* by an assay like this one: they all migrate in the same way */
        return 0;
    char mark[96];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             SCHEMA_APPLICATION_ID, version + 1);
    if (sqlite_exec(s, schema_migrations[version], e) || sqlite_exec(s, mark, e))
        return -1;
    return 0;
}

int schema_migrate(struct store *s, int version, struct error *e)
{
    for (; version < SCHEMA_VERSION; version++) {
        if (sqlite_exec(s, "BEGIN IMMEDIATE", e))
            return -1;
        if (migrate_step(s, version, e) || sqlite_exec(s, "COMMIT", e)) {
            if (!sqlite3_get_autocommit(sqlite_of(s)))
                sqlite3_exec(sqlite_of(s), "ROLLBACK", NULL, NULL, NULL);
            return -1;
        }
    }
    return 0;
}

int schema_copy_old(struct store *s, int version, struct error *e)
{
    sqlite3 *copy = NULL;
    /* The empty name is a temporary database: in memory while small, else in $SQLITE_TMPDIR,
     * $TMPDIR, /var/tmp or /tmp. */
    int code = sqlite3_open_v2("", &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    sqlite3_backup *backup = code ? NULL : sqlite3_backup_init(copy, "main", sqlite_of(s), "main");
    if (backup) {
        sqlite3_backup_step(backup, -1);
        code = sqlite3_backup_finish(backup);
    } else if (!code) {
        code = sqlite3_errcode(copy);
    }
    if (code) {
        sqlite3_close(copy);
        return sqlite_fail(s, code, e);
    }
    sqlite3_close(sqlite_of(s));
    s->db = copy;
    return sqlite_distrust(s, e) ? -1 : schema_migrate(s, version, e);
}
