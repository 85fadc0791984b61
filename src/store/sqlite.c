/* The engine SQLite: a file, which is opened with care, and what is said when SQLite says no.
 *
 * A query is SQLite's own statement. WAL with synchronous=NORMAL survives the death of any process;
 * a power failure may take the last transactions, but always from the end and never a part of one.
 * Durable ones are written with synchronous=FULL. The setting cannot change inside a transaction.
 *
 * The file may come from somebody else. Nothing in it is believed before its schema was compared
 * with ours (schema.c), nothing in it is run, and no link is followed to it. */
#include "store/sqlite.h"

#include "base/fs.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUSY_MS = 150000, /* how long to wait for other writers: longer than a worker of ours may be
                         silent (base/pulse.h) before it is ended, and its lock with it */
    BUSY_US = 5000,   /* between two tries */
};

/* -- sentences --------------------------------------------------------------------------------- */

static int say_full(struct store *s, struct error *e)
{
    return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                    "the disk is full: the last change could not be recorded; free some space and "
                    "run the same command again; nothing recorded so far is lost");
}

static int say_damaged(struct store *s, const char *what, struct error *e)
{
    return error_at(
        e, ERROR_ENVIRONMENT, s->path, 0,
        "is damaged (%s): nothing was deleted; keep a copy; `sqlite3 '%s' .recover`, or "
        "`.dump` where the system's sqlite3 cannot do that, prints what is readable",
        what, s->path);
}

/* Reading or writing failed in the system below SQLite. */
static int say_io(struct store *s, int code, int cause, struct error *e)
{
    /* The index beside the log is extended by writing; SQLite keeps no cause for that failure. */
    if (cause == ENOSPC || cause == EDQUOT || code == SQLITE_IOERR_SHMSIZE)
        return say_full(s, e);
    if (cause == EFBIG)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "may not grow any more: the limit on file sizes (`ulimit -f`) is reached; "
                        "raise it and run the same command again; nothing recorded so far is lost");
    return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                    "cannot be read or written (%s): check the disk, then run the same command "
                    "again; nothing recorded so far is lost",
                    cause ? strerror(cause) : sqlite3_errstr(code));
}

int sqlite_fail(struct store *s, int code, struct error *e)
{
    /* When a commit fails SQLite does not note the cause; errno, cleared in step(), still has it.
     */
    int noted = s->db ? sqlite3_system_errno(sqlite_of(s)) : 0, cause = noted ? noted : errno;
    switch (code & 0xff) { /* the primary code; the rest tells where inside SQLite */
    case SQLITE_FULL:
        return say_full(s, e);
    case SQLITE_IOERR:
        return say_io(s, code, cause, e);
    case SQLITE_CORRUPT:
        return say_damaged(s, sqlite3_errstr(code & 0xff), e);
    case SQLITE_NOTADB:
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "is not a database, or its beginning is damaged: nothing was changed; move "
                        "it away or choose another folder, or try `sqlite3 '%s' .recover`",
                        s->path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "has been locked by another program for too long: wait for it or stop it, "
                        "then run the same command again");
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "cannot be written: the file or its folder is read-only; change that, or "
                        "copy the folder");
    case SQLITE_CANTOPEN:
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "cannot be opened: %s; assay must be able to %s its folder",
                        strerror(cause ? cause : EACCES),
                        s->mode == STORE_WRITE ? "write in" : "read");
    default:
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "unexpected answer of the database: %s (code %d); please report this",
                        s->db ? sqlite3_errmsg(sqlite_of(s)) : sqlite3_errstr(code), code);
    }
}

/* -- open and close ---------------------------------------------------------------------------- */

/* The path as a URI, with what has a meaning there escaped: only a URI can ask for this. */
static void add_immutable_uri(struct strbuf *uri, const char *path)
{
    strbuf_adds(uri, *path == '/' ? "file://" : "file:");
    for (; *path; path++)
        if (strchr("%?#", *path))
            strbuf_addf(uri, "%%%02x", *path);
        else
            strbuf_addc(uri, *path);
    strbuf_adds(uri, "?immutable=1");
}

/* SQLite calls this while another writer has the lock; 0: give up. */
static int wait_for_lock(void *of, int tries)
{
    struct store *s = of;
    if (!tries)
        s->busy_since_ms = clock_ms();
    if (s->look)
        s->look(s->look_of);
    usleep(BUSY_US);
    return clock_ms() - s->busy_since_ms < BUSY_MS;
}

static int open_database(struct store *s, const char *name, int flags, struct error *e)
{
    sqlite3 *db = NULL;
    sqlite3_close(s->db);
    int code = sqlite3_open_v2(name, &db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    s->db = db;
    if (code)
        return sqlite_fail(s, code, e);
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_handler(db, wait_for_lock, s);
    return sqlite_distrust(s, e);
}

/* The file may come from someone else: what is in it may run nothing, and may not change what the
 * tables are; damaged pages are noticed early. We have neither triggers nor views. */
int sqlite_distrust(struct store *s, struct error *e)
{
    static const int settings[][2] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        int code = sqlite3_db_config(s->db, settings[i][0], settings[i][1], NULL);
        if (code)
            return sqlite_fail(s, code, e);
    }
    return sqlite_exec(s, "PRAGMA cell_size_check = ON", e);
}

static bool folder_is_writable(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        return euidaccess(".", W_OK) == 0;
    char *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    bool writable = folder && euidaccess(folder, W_OK) == 0;
    free(folder);
    return writable;
}

/* Even a reader of a WAL database wants to make the files beside it. Where the folder does not let
 * it and nobody else has left a log there, the file is complete in itself and can be read as one
 * that does not change. */
static int open_immutable(struct store *s, struct error *e)
{
    struct strbuf name;
    strbuf_init(&name, 0);
    strbuf_addf(&name, "%s-wal", s->path);
    struct stat log;
    bool pending = stat(name.s, &log) == 0 && log.st_size > 0;
    strbuf_clear(&name);
    add_immutable_uri(&name, s->path);
    int status = pending ? -1 : open_database(s, name.s, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, e);
    strbuf_release(&name);
    if (pending)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "cannot be read here: its folder is read-only and the last changes are "
                        "still in the file ending in -wal; copy all files to a folder "
                        "that can be written");
    return status;
}

static int open_to_read(struct store *s, struct error *e)
{
    if (open_database(s, s->path, SQLITE_OPEN_READONLY, e))
        return -1;
    int code = sqlite3_exec(s->db, "SELECT 1 FROM sqlite_master", NULL, NULL, NULL) & 0xff;
    if ((code == SQLITE_CANTOPEN || code == SQLITE_READONLY) && !folder_is_writable(s->path) &&
        open_immutable(s, e))
        return -1;
    int version;
    if (schema_version(s, &version, e))
        return -1;
    if (version == 0)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "is empty: no campaign has been run here yet; `assay run` begins one");
    return version < SCHEMA_VERSION ? schema_copy_old(s, version, e) : 0;
}

/* Two processes that turn the same new file to WAL at once would wait for each other; SQLite sees
 * that and gives up at once, whatever the timeout. So we wait here. */
static int enter_wal(struct store *s, struct error *e)
{
    int64_t until = clock_ms() + BUSY_MS;
    sqlite3_stmt *stmt;
    int code = sqlite3_prepare_v2(s->db, "PRAGMA journal_mode = WAL", -1, &stmt, NULL);
    if (code)
        return sqlite_fail(s, code, e);
    while ((code = sqlite3_step(stmt)) != SQLITE_ROW && (code & 0xff) == SQLITE_BUSY &&
           clock_ms() < until) {
        sqlite3_reset(stmt);
        usleep(BUSY_US);
    }
    const char *mode = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
    bool entered = mode && !strcmp(mode, "wal");
    sqlite3_finalize(stmt);
    if (code != SQLITE_ROW)
        return sqlite_fail(s, code, e);
    if (!entered)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "is on a file system that cannot share memory between processes: put the "
                        "folder on a local disk");
    return 0;
}

static int open_to_write(struct store *s, struct error *e)
{
    if (open_database(s, s->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, e))
        return -1;
    /* SQLite opens what it may not write as read-only, without a word. */
    if (sqlite3_db_readonly(s->db, "main") == 1)
        return sqlite_fail(s, SQLITE_READONLY, e);
    int version;
    /* Before anything is written to a foreign file. */
    if (schema_version(s, &version, e) || enter_wal(s, e) ||
        sqlite_exec(s, "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL", e))
        return -1;
    return schema_migrate(s, version, e);
}

/* Each of the database's files must be a plain one: through a link whoever made the folder would
 * choose what is written, at a pipe we would wait for ever. */
static bool are_files(const char *path, struct error *e)
{
    static const char *const parts[] = {"", "-wal", "-shm", "-journal"};
    mode_t kind = S_IFREG;
    struct strbuf name;
    strbuf_init(&name, 0);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && kind == S_IFREG; i++) {
        struct stat st;
        strbuf_clear(&name);
        strbuf_addf(&name, "%s%s", path, parts[i]);
        kind = lstat(name.s, &st) ? S_IFREG : st.st_mode & S_IFMT;
    }
    if (kind == S_IFLNK)
        error_at(e, ERROR_ENVIRONMENT, path, 0,
                 "is not opened: %s is a symbolic link, which may point anywhere; name the folder "
                 "that it points to",
                 name.s);
    else if (kind != S_IFREG)
        error_at(e, ERROR_ENVIRONMENT, path, 0, "is not opened: %s is not a regular file", name.s);
    strbuf_release(&name);
    return kind == S_IFREG;
}

static int open_file(struct store *s, struct error *e)
{
    if (fs_is_dir(s->path))
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0, "is a folder where a file should be");
    if (!are_files(s->path, e))
        return -1;
    if (s->mode == STORE_READ && !fs_exists(s->path))
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "there is no such file: no campaign has been run here yet; `assay run` "
                        "begins one");
    return s->mode == STORE_READ ? open_to_read(s, e) : open_to_write(s, e);
}

static void close_file(struct store *s)
{
    for (sqlite3_stmt *kept; s->db && (kept = sqlite3_next_stmt(s->db, NULL));)
        sqlite3_finalize(kept);
    sqlite3_close(s->db);
}

/* -- transactions ------------------------------------------------------------------------------ */

int sqlite_exec(struct store *s, const char *sql, struct error *e)
{
    errno = 0;
    int code = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    return code ? sqlite_fail(s, code, e) : 0;
}

/* IMMEDIATE: wait for the other writers at once. */
static int begin(struct store *s, bool durable, struct error *e)
{
    if (durable != s->durable) {
        if (sqlite_exec(s, durable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL",
                        e))
            return -1;
        s->durable = durable;
    }
    return sqlite_exec(s, "BEGIN IMMEDIATE", e);
}

static int commit(struct store *s, struct error *e)
{
    return sqlite_exec(s, "COMMIT", e);
}

static void rollback(struct store *s)
{
    if (!sqlite3_get_autocommit(s->db)) /* after some errors SQLite has done it already */
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

static int view(struct store *s, struct error *e)
{
    return sqlite_exec(s, "BEGIN", e);
}

/* -- queries ----------------------------------------------------------------------------------- */

static sqlite3_stmt *statement(struct query *q)
{
    return (sqlite3_stmt *)(void *)q;
}

static int prepare(struct store *s, const char *sql, struct query **out, struct error *e)
{
    sqlite3_stmt *stmt = NULL;
    int code = sqlite3_prepare_v2(s->db, sql, -1, &stmt, NULL);
    *out = (struct query *)(void *)stmt;
    return code ? sqlite_fail(s, code, e) : 0;
}

static int bind_one(sqlite3_stmt *stmt, int at, const struct value *v)
{
    switch (v->type) {
    case VALUE_NULL:
        return sqlite3_bind_null(stmt, at);
    case VALUE_INTEGER:
        return sqlite3_bind_int64(stmt, at, v->integer);
    case VALUE_REAL:
        return sqlite3_bind_double(stmt, at, v->real);
    case VALUE_TEXT:
        return sqlite3_bind_text64(stmt, at, v->data, v->size, SQLITE_STATIC, SQLITE_UTF8);
    case VALUE_BLOB:
        return sqlite3_bind_blob64(stmt, at, v->data, v->size, SQLITE_STATIC);
    }
    BUG("value of type %d", v->type);
}

static int bind(struct store *s, struct query *q, const struct value *values, int n,
                struct error *e)
{
    for (int i = 0; i < n; i++) {
        int code = bind_one(statement(q), i + 1, &values[i]);
        if (code)
            return sqlite_fail(s, code, e);
    }
    return 0;
}

static int step(struct store *s, struct query *q, struct error *e)
{
    errno = 0;
    int code = sqlite3_step(statement(q));
    if (code == SQLITE_ROW)
        return 1;
    return code == SQLITE_DONE ? 0 : sqlite_fail(s, code, e);
}

static void reset(struct query *q)
{
    sqlite3_reset(statement(q));
}

static void end(struct query *q)
{
    sqlite3_finalize(statement(q));
}

static int64_t changes(struct store *s)
{
    return sqlite3_changes(s->db);
}

/* The next id is the largest one and 1 in any case. */
static int ids_given(struct store *s, const char *table, struct error *e)
{
    (void)s;
    (void)table;
    (void)e;
    return 0;
}

static enum value_type type(struct query *q, int column)
{
    switch (sqlite3_column_type(statement(q), column)) {
    case SQLITE_INTEGER:
        return VALUE_INTEGER;
    case SQLITE_FLOAT:
        return VALUE_REAL;
    case SQLITE_TEXT:
        return VALUE_TEXT;
    case SQLITE_BLOB:
        return VALUE_BLOB;
    default:
        return VALUE_NULL;
    }
}

static int64_t integer_of(struct query *q, int column)
{
    return sqlite3_column_int64(statement(q), column);
}

static double real_of(struct query *q, int column)
{
    return sqlite3_column_double(statement(q), column);
}

/* A blob is asked for as one: SQLite would end it at what is no UTF-8. */
static struct bytes data_of(struct query *q, int column)
{
    sqlite3_stmt *stmt = statement(q);
    const void *data = sqlite3_column_type(stmt, column) == SQLITE_BLOB
                           ? sqlite3_column_blob(stmt, column)
                           : sqlite3_column_text(stmt, column);
    return (struct bytes){data, (size_t)sqlite3_column_bytes(stmt, column)};
}

const struct engine engine_sqlite = {
    .open = open_file,
    .close = close_file,
    .damaged = say_damaged,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .view = view,
    .prepare = prepare,
    .bind = bind,
    .step = step,
    .reset = reset,
    .end = end,
    .changes = changes,
    .ids_given = ids_given,
    .type = type,
    .integer = integer_of,
    .real = real_of,
    .bytes = data_of,
};
