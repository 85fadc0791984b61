/* The engine PostgreSQL: one connection of libpq for each handle.
 *
 * Writers are one after the other, as with a file: whoever begins a transaction takes an advisory
 * lock of the tables' schema, which the server lets go of with the transaction, also when the
 * client dies. So each function of the store holds what it says without knowing of others.
 *
 * A query that runs a second time is prepared on the server. Values go as binary, with their types
 * where they are numbers; the server takes the type of a text from its column. A blob begins with a
 * byte that no text has, because some columns hold either. Rows come as text. A durable transaction
 * is on the server's disk before its commit returns (synchronous_commit), any other one a moment
 * later.
 *
 * A connection that breaks is made again when the next transaction begins; what was under way has
 * failed and is not on record. */
#include "store/postgres.h"

#include "base/fs.h"

#include <ctype.h>
#include <endian.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <unistd.h>

enum {
    BLOB_MARK = 0xff,     /* no text begins with it */
    LOCK_US = 5000,       /* between two looks, while another writer is waited for */
    RECONNECT_MS = 60000, /* how long a server may be away */
    RECONNECT_US = 250000,
    OID_BOOL = 16,
    OID_BYTEA = 17,
    OID_INT8 = 20,
    OID_INT4 = 23,
    OID_FLOAT8 = 701,
    OID_NUMERIC = 1700,
};

enum { MAX_VALUES = 40 }; /* of a query */

struct connection {
    PGconn *pg;
    struct query *all; /* that were not ended yet */
    char *url;         /* as the user wrote it, which may have a password */
    int64_t changes;   /* of the last statement */
    unsigned made;     /* how often it was connected: statements are prepared for one of them */
    unsigned queries;  /* for names of statements */
};

struct query {
    struct store *store;
    struct query *next, **link; /* in the list of its connection, and what points to it there */
    char *sql;
    unsigned number;
    unsigned runs, prepared; /* so often; for this connection */
    struct value values[MAX_VALUES];
    int n;
    PGresult *result; /* NULL: it has to run */
    int row;
    struct arena texts; /* of the row */
};

static struct connection *connection(const struct store *s)
{
    return s->db;
}

/* -- sentences --------------------------------------------------------------------------------- */

/* Its first line, without "ERROR:" and the like. */
static void add_first_line(struct strbuf *out, const char *message)
{
    const char *text = message, *colon = strstr(message, ":  ");
    if (colon && colon - message < 16)
        text = colon + 3;
    strbuf_add(out, text, strcspn(text, "\n"));
}

static int say(struct store *s, const char *state, const char *message, struct error *e)
{
    struct strbuf line;
    strbuf_init(&line, 300);
    add_first_line(&line, message);
    if (!strncmp(state, "53", 2)) /* no disk, no memory, too many connections */
        error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                 "the database cannot go on: %s; mend that and run the same command again; nothing "
                 "recorded so far is lost",
                 line.s);
    else if (!strcmp(state, "42501") || !strcmp(state, "25006"))
        error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                 "cannot be written: %s; ask for the rights, or name another user", line.s);
    else
        error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                 "unexpected answer of the database: %s (%s); please report this", line.s,
                 *state ? state : "no code");
    strbuf_release(&line);
    return -1;
}

static int say_gone(struct store *s, struct error *e)
{
    struct strbuf line;
    strbuf_init(&line, 300);
    add_first_line(&line, PQerrorMessage(connection(s)->pg));
    error_at(e, ERROR_ENVIRONMENT, s->path, 0,
             "the connection to the database was lost (%s): check the server, then run the same "
             "command again; nothing recorded so far is lost",
             line.n ? line.s : "no reason given");
    strbuf_release(&line);
    return -1;
}

static int fail(struct store *s, const PGresult *result, struct error *e)
{
    if (PQstatus(connection(s)->pg) != CONNECTION_OK)
        return say_gone(s, e);
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    return say(s, state ? state : "",
               result ? PQresultErrorMessage(result) : PQerrorMessage(connection(s)->pg), e);
}

static int say_damaged(struct store *s, const char *what, struct error *e)
{
    return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                    "is damaged (%s): nothing was deleted; `pg_dump` prints what is readable",
                    what);
}

/* Statements without values, whose rows do not matter. */
static int exec(struct store *s, const char *sql, struct error *e)
{
    PGresult *result = PQexec(connection(s)->pg, sql);
    ExecStatusType status = PQresultStatus(result);
    bool good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    int code = good ? 0 : fail(s, result, e);
    PQclear(result);
    return code;
}

/* -- connecting -------------------------------------------------------------------------------- */

/* For sentences: without a password. */
static char *shown_name(const PGconn *pg)
{
    struct strbuf name;
    strbuf_init(&name, 0);
    const char *host = PQhost(pg), *port = PQport(pg);
    bool is_folder = host && *host == '/';
    strbuf_addf(&name, "postgresql://%s@%s", PQuser(pg) ? PQuser(pg) : "",
                host && !is_folder ? host : "");
    if (port && *port)
        strbuf_addf(&name, ":%s", port);
    strbuf_addf(&name, "/%s", PQdb(pg) ? PQdb(pg) : "");
    char *out = strdup(name.s);
    REQUIRE(out);
    strbuf_release(&name);
    return out;
}

static void ignore_notice(void *of, const PGresult *result)
{
    (void)of;
    (void)result;
}

static int greet(struct store *s, struct error *e)
{
    struct connection *c = connection(s);
    c->made++;
    PQsetNoticeReceiver(c->pg, ignore_notice, NULL);
    const char *encoding = PQparameterStatus(c->pg, "server_encoding");
    if (encoding && strcmp(encoding, "UTF8") != 0)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "has the encoding %s: make the database with ENCODING 'UTF8'", encoding);
    return PQsetClientEncoding(c->pg, "UTF8") ? fail(s, NULL, e) : 0;
}

static int reach(struct store *s, struct error *e)
{
    struct connection *c = connection(s);
    c->pg = PQconnectdb(c->url);
    REQUIRE(c->pg);
    free(s->path);
    s->path = shown_name(c->pg);
    if (PQstatus(c->pg) == CONNECTION_OK)
        return greet(s, e);
    struct strbuf line;
    strbuf_init(&line, 300);
    add_first_line(&line, PQerrorMessage(c->pg));
    error_at(e, ERROR_ENVIRONMENT, s->path, 0,
             "cannot be reached: %s; is the server up, and may this user connect?", line.s);
    strbuf_release(&line);
    return -1;
}

/* A server that is restarted is waited for. */
static int reach_again(struct store *s, struct error *e)
{
    struct connection *c = connection(s);
    for (int64_t until = clock_ms() + RECONNECT_MS; clock_ms() < until; usleep(RECONNECT_US)) {
        if (s->look)
            s->look(s->look_of);
        PQreset(c->pg);
        if (PQstatus(c->pg) == CONNECTION_OK)
            return greet(s, e);
    }
    return say_gone(s, e);
}

/* -- transactions ------------------------------------------------------------------------------ */

/* The first column of the only row is true. */
static int is_true(struct store *s, const char *sql, struct error *e)
{
    PGresult *result = PQexec(connection(s)->pg, sql);
    int answer = PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) == 1
                     ? *PQgetvalue(result, 0, 0) == 't'
                     : fail(s, result, e);
    PQclear(result);
    return answer;
}

#define LOCK "(1095979865, ('x' || substr(md5(current_schema()), 1, 8))::bit(32)::int)"

/* While another writer is waited for, whoever asked to may look after it. */
static int lock(struct store *s, struct error *e)
{
    if (!s->look)
        return exec(s, "SELECT pg_advisory_xact_lock" LOCK, e);
    int taken;
    while ((taken = is_true(s, "SELECT pg_try_advisory_xact_lock" LOCK, e)) == 0) {
        s->look(s->look_of);
        usleep(LOCK_US);
    }
    return taken < 0 ? -1 : 0;
}

static void rollback(struct store *s)
{
    if (PQtransactionStatus(connection(s)->pg) != PQTRANS_IDLE)
        PQclear(PQexec(connection(s)->pg, "ROLLBACK"));
}

static int begin(struct store *s, bool durable, struct error *e)
{
    struct connection *c = connection(s);
    const char *sql = durable ? "BEGIN; SET LOCAL synchronous_commit = on"
                              : "BEGIN; SET LOCAL synchronous_commit = off";
    if ((PQstatus(c->pg) != CONNECTION_OK || exec(s, sql, e)) &&
        (PQstatus(c->pg) == CONNECTION_OK || reach_again(s, e) || exec(s, sql, e)))
        return -1;
    s->durable = durable;
    if (lock(s, e) == 0)
        return 0;
    rollback(s);
    return -1;
}

static int commit(struct store *s, struct error *e)
{
    return exec(s, "COMMIT", e);
}

static int view(struct store *s, struct error *e)
{
    return exec(s, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", e);
}

/* -- queries ----------------------------------------------------------------------------------- */

static void forget_result(struct query *q)
{
    PQclear(q->result);
    q->result = NULL;
    arena_reset(&q->texts);
}

static int prepare(struct store *s, const char *sql, struct query **out, struct error *e)
{
    (void)e; /* the server sees it when it runs */
    struct strbuf text;
    strbuf_init(&text, 0);
    postgres_translate(sql, &text);
    struct connection *c = connection(s);
    struct query *q = mem_alloc(sizeof *q);
    *q = (struct query){
        .store = s, .sql = strdup(text.s), .number = c->queries++, .next = c->all, .link = &c->all};
    REQUIRE(q->sql);
    if (q->next)
        q->next->link = &q->next;
    c->all = q;
    arena_init(&q->texts);
    strbuf_release(&text);
    *out = q;
    return 0;
}

static int bind(struct store *s, struct query *q, const struct value *values, int n,
                struct error *e)
{
    (void)s;
    (void)e;
    REQUIRE(n <= MAX_VALUES);
    forget_result(q);
    for (int i = 0; i < n; i++)
        q->values[i] = values[i];
    q->n = n;
    return 0;
}

/* The values of a query as the server takes them, in its arena. */
struct sent {
    Oid types[MAX_VALUES];
    const char *values[MAX_VALUES];
    int sizes[MAX_VALUES], formats[MAX_VALUES];
};

static void send_number(struct sent *to, int i, Oid type, uint64_t bits, struct arena *a)
{
    uint64_t *big = arena_new(a, uint64_t);
    *big = htobe64(bits);
    to->types[i] = type;
    to->values[i] = (const char *)big;
    to->sizes[i] = sizeof *big;
}

static void send_text(struct sent *to, int i, const struct value *v, struct arena *a)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    if (v->type == VALUE_BLOB) {
        strbuf_addc(&text, (char)BLOB_MARK);
        strbuf_add(&text, v->data, v->size);
    } else {
        postgres_encode((struct bytes){v->data, v->size}, &text);
    }
    to->sizes[i] = (int)text.n;
    to->values[i] = arena_memdup(a, text.s, text.n);
    strbuf_release(&text);
}

static void send_value(struct sent *to, int i, const struct value *v, struct arena *a)
{
    uint64_t bits;
    to->types[i] = 0;
    to->values[i] = NULL;
    to->sizes[i] = 0;
    to->formats[i] = 1;
    switch (v->type) {
    case VALUE_NULL:
        return;
    case VALUE_INTEGER:
        send_number(to, i, OID_INT8, (uint64_t)v->integer, a);
        return;
    case VALUE_REAL:
        memcpy(&bits, &v->real, sizeof bits);
        send_number(to, i, OID_FLOAT8, bits, a);
        return;
    case VALUE_TEXT:
    case VALUE_BLOB:
        send_text(to, i, v, a);
        return;
    }
    BUG("value of type %d", v->type);
}

/* Prepared from the second time on: most are asked once. */
static PGresult *run(struct store *s, struct query *q, const struct sent *sent)
{
    struct connection *c = connection(s);
    char name[32];
    if (!q->runs++)
        return PQexecParams(c->pg, q->sql, q->n, sent->types, sent->values, sent->sizes,
                            sent->formats, 0);
    snprintf(name, sizeof name, "assay_%u", q->number);
    if (q->prepared != c->made) {
        PGresult *result = PQprepare(c->pg, name, q->sql, q->n, sent->types);
        if (PQresultStatus(result) != PGRES_COMMAND_OK)
            return result;
        PQclear(result);
        q->prepared = c->made;
    }
    return PQexecPrepared(c->pg, name, q->n, sent->values, sent->sizes, sent->formats, 0);
}

static int step(struct store *s, struct query *q, struct error *e)
{
    arena_reset(&q->texts);
    if (!q->result) {
        struct sent sent;
        for (int i = 0; i < q->n; i++)
            send_value(&sent, i, &q->values[i], &q->texts);
        q->result = run(s, q, &sent);
        q->row = -1;
        ExecStatusType status = PQresultStatus(q->result);
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
            fail(s, q->result, e);
            forget_result(q);
            return -1;
        }
        connection(s)->changes = strtoll(PQcmdTuples(q->result), NULL, 10);
        arena_reset(&q->texts);
    }
    return ++q->row < PQntuples(q->result);
}

static void reset(struct query *q)
{
    if (q)
        forget_result(q);
}

static void end(struct query *q)
{
    if (!q)
        return;
    if (q->prepared && q->prepared == connection(q->store)->made) {
        char sql[64];
        snprintf(sql, sizeof sql, "DEALLOCATE assay_%u", q->number);
        PQclear(PQexec(connection(q->store)->pg, sql));
    }
    *q->link = q->next;
    if (q->next)
        q->next->link = q->link;
    forget_result(q);
    arena_release(&q->texts);
    free(q->sql);
    free(q);
}

static int64_t changes(struct store *s)
{
    return connection(s)->changes;
}

static int ids_given(struct store *s, const char *table, struct error *e)
{
    char sql[200];
    snprintf(sql, sizeof sql, "SELECT setval(pg_get_serial_sequence('%s', 'id'), max(id)) FROM %s",
             table, table);
    return exec(s, sql, e);
}

/* -- rows -------------------------------------------------------------------------------------- */

/* Bytes of the cell: of a bytea without its hexadecimal form, the mark in front included. */
static struct bytes raw(struct query *q, int column)
{
    size_t n;
    if (PQgetisnull(q->result, q->row, column))
        return (struct bytes){0};
    const char *text = PQgetvalue(q->result, q->row, column);
    if (PQftype(q->result, column) != OID_BYTEA) {
        n = (size_t)PQgetlength(q->result, q->row, column);
        return (struct bytes){arena_memdup(&q->texts, text, n), n};
    }
    unsigned char *plain = PQunescapeBytea((const unsigned char *)text, &n);
    REQUIRE(plain);
    struct bytes b = {arena_memdup(&q->texts, plain, n), n};
    PQfreemem(plain);
    return b;
}

static bool is_blob(struct bytes b)
{
    return b.size && (unsigned char)b.data[0] == BLOB_MARK;
}

static enum value_type type(struct query *q, int column)
{
    if (PQgetisnull(q->result, q->row, column))
        return VALUE_NULL;
    switch (PQftype(q->result, column)) {
    case OID_BOOL:
    case OID_INT4:
    case OID_INT8:
    case OID_NUMERIC: /* a sum of integers */
        return VALUE_INTEGER;
    case OID_FLOAT8:
        return VALUE_REAL;
    case OID_BYTEA:
        return is_blob(raw(q, column)) ? VALUE_BLOB : VALUE_TEXT;
    default:
        return VALUE_TEXT;
    }
}

static int64_t integer_of(struct query *q, int column)
{
    const char *text = PQgetvalue(q->result, q->row, column);
    return PQftype(q->result, column) == OID_BOOL ? *text == 't' : strtoll(text, NULL, 10);
}

static double real_of(struct query *q, int column)
{
    return strtod(PQgetvalue(q->result, q->row, column), NULL);
}

static struct bytes data_of(struct query *q, int column)
{
    struct bytes b = raw(q, column);
    if (is_blob(b))
        return (struct bytes){b.data + 1, b.size - 1};
    if (b.size) {
        char *text = (char *)(uintptr_t)b.data; /* ours, in the query's arena */
        b.size = postgres_decode(text, b.size);
        text[b.size] = '\0';
    }
    return b;
}

/* -- open and close ---------------------------------------------------------------------------- */

/* The version of the tables; 0: there are none. */
static int read_version(struct store *s, int64_t *version, struct error *e)
{
    *version = 0;
    /* Not to_regclass: within a transaction that has waited it may answer from before. */
    int there = is_true(s,
                        "SELECT EXISTS (SELECT 1 FROM pg_class WHERE relname = 'assay_schema' AND "
                        "relnamespace = current_schema()::regnamespace)",
                        e);
    if (there <= 0)
        return there;
    int found = store_ask(s, "SELECT version FROM assay_schema", NULL, 0, version, 1, e);
    return found < 0 ? -1 : 0;
}

static int make_tables(struct store *s, struct error *e)
{
    int64_t now;
    char mark[64];
    snprintf(mark, sizeof mark, "INSERT INTO assay_schema VALUES (%d)", SCHEMA_VERSION);
    /* Somebody else may have made them while we waited. */
    if (read_version(s, &now, e))
        return -1;
    return now ? 0 : exec(s, postgres_tables, e) ? -1 : exec(s, mark, e);
}

static int open_tables(struct store *s, struct error *e)
{
    int64_t version;
    if (read_version(s, &version, e))
        return -1;
    if (version > SCHEMA_VERSION)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "made by a newer assay (schema %" PRId64
                        ", this one knows %d): use that version",
                        version, SCHEMA_VERSION);
    if (version)
        return 0;
    if (s->mode == STORE_READ)
        return error_at(e, ERROR_ENVIRONMENT, s->path, 0,
                        "is empty: no campaign has been run here yet; `assay run` begins one");
    return store_transaction(s, true, make_tables(s, e), e);
}

static int open_server(struct store *s, struct error *e)
{
    struct connection *c = mem_alloc(sizeof *c);
    *c = (struct connection){.url = strdup(s->path)};
    REQUIRE(c->url);
    s->db = c;
    return reach(s, e) || open_tables(s, e) ? -1 : 0;
}

static void close_server(struct store *s)
{
    struct connection *c = connection(s);
    if (!c)
        return;
    PQfinish(c->pg);
    c->made = 0; /* with the connection what was prepared is gone */
    while (c->all)
        end(c->all);
    free(c->url);
    free(c);
    s->db = NULL;
}

const struct engine engine_postgres = {
    .open = open_server,
    .close = close_server,
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
