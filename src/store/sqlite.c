/* Opening the file, and what is said when SQLite says no.
 *
 * The file may come from somebody else. Nothing in it is believed before its schema was compared
 * with ours (schema.c), nothing in it is run, and no link is followed to it. */
#include "store/store_internal.h"
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

int store_damaged(struct store *s, const char *what, struct error *e)
{
    return error_at(
        e, ERROR_ENVIRONMENT, s->path, 0,
        "is damaged (%s): nothing was deleted; keep a copy; `sqlite3 '%s' .recover`, or "
        "`.dump` where the system's sqlite3 cannot do that, prints what is readable",
        what, s->path);
}

int store_no_campaign(struct store *s, int64_t campaign, struct error *e)
{
    return error_at(e, ERROR_USAGE, s->path, 0, "has no campaign %" PRId64, campaign);
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

int store_fail(struct store *s, int code, struct error *e)
{
    /* When a commit fails SQLite does not note the cause; errno, cleared in ask(), still has it. */
    int noted = s->db ? sqlite3_system_errno(s->db) : 0, cause = noted ? noted : errno;
    switch (code & 0xff) { /* the primary code; the rest tells where inside SQLite */
    case SQLITE_FULL:
        return say_full(s, e);
    case SQLITE_IOERR:
        return say_io(s, code, cause, e);
    case SQLITE_CORRUPT:
        return store_damaged(s, sqlite3_errstr(code & 0xff), e);
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
                        s->db ? sqlite3_errmsg(s->db) : sqlite3_errstr(code), code);
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

void store_while_waiting(struct store *s, void (*look)(void *of), void *of)
{
    s->look = look;
    s->look_of = of;
}

static int open_database(struct store *s, const char *name, int flags, struct error *e)
{
    sqlite3_close(s->db);
    s->db = NULL;
    int code = sqlite3_open_v2(name, &s->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (code)
        return store_fail(s, code, e);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_handler(s->db, wait_for_lock, s);
    return store_distrust(s, e);
}

/* The file may come from someone else: what is in it may run nothing, and may not change what the
 * tables are; damaged pages are noticed early. We have neither triggers nor views. */
int store_distrust(struct store *s, struct error *e)
{
    static const int settings[][2] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        int code = sqlite3_db_config(s->db, settings[i][0], settings[i][1], NULL);
        if (code)
            return store_fail(s, code, e);
    }
    return store_exec(s, "PRAGMA cell_size_check = ON", e);
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
    if (store_prepare(s, "PRAGMA journal_mode = WAL", &stmt, e))
        return -1;
    int code;
    while ((code = sqlite3_step(stmt)) != SQLITE_ROW && (code & 0xff) == SQLITE_BUSY &&
           clock_ms() < until) {
        sqlite3_reset(stmt);
        usleep(BUSY_US);
    }
    const char *mode = code == SQLITE_ROW ? (const char *)sqlite3_column_text(stmt, 0) : NULL;
    bool entered = mode && !strcmp(mode, "wal");
    sqlite3_finalize(stmt);
    if (code != SQLITE_ROW)
        return store_fail(s, code, e);
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
        return store_fail(s, SQLITE_READONLY, e);
    int version;
    /* Before anything is written to a foreign file. */
    if (schema_version(s, &version, e) || enter_wal(s, e) ||
        store_exec(s, "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL", e))
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

int store_open(const char *path, enum store_mode mode, struct store **out, struct error *e)
{
    *out = NULL;
    if (fs_is_dir(path))
        return error_at(e, ERROR_ENVIRONMENT, path, 0, "is a folder where a file should be");
    if (!are_files(path, e))
        return -1;
    if (mode == STORE_READ && !fs_exists(path))
        return error_at(e, ERROR_ENVIRONMENT, path, 0,
                        "there is no such file: no campaign has been run here yet; `assay run` "
                        "begins one");
    struct store *s = mem_alloc(sizeof *s);
    *s = (struct store){.path = strdup(path), .mode = mode};
    REQUIRE(s->path);
    if (mode == STORE_READ ? open_to_read(s, e) : open_to_write(s, e)) {
        store_close(s);
        return -1;
    }
    *out = s;
    return 0;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    for (sqlite3_stmt *kept; s->db && (kept = sqlite3_next_stmt(s->db, NULL));)
        sqlite3_finalize(kept);
    sqlite3_close(s->db);
    ZSTD_freeCCtx(s->zstd);
    ZSTD_freeDCtx(s->unzstd);
    vec_release(&s->queries);
    free(s->cached);
    free(s->path);
    free(s);
}
