/* What the files of this folder share: the handle, queries with their values and rows, and the
 * table of operations behind which an engine stands. All but the engine's own files speak to it
 * only through these. Included by src/store/ and by its tests. */
#ifndef ASSAY_STORE_STORE_INTERNAL_H
#define ASSAY_STORE_STORE_INTERNAL_H

#include "base/vec.h"
#include "store/store.h"

#include <stddef.h>
#include <zstd.h>

struct query; /* a prepared statement: the engine's */

struct kept_query {
    const char *sql;
    struct query *query;
};

struct store {
    const struct engine *engine;
    void *db;   /* the engine's connection */
    char *path; /* as the user named it, for the sentences */
    enum store_mode mode;
    void (*look)(void *of); /* called while another writer is waited for; NULL: nobody looks */
    void *look_of;
    int64_t busy_since_ms;
    bool durable;                   /* so was the last transaction */
    int views;                      /* that are open, one within the other */
    struct query **cached;          /* statements of store.c, prepared at first use */
    VEC(struct kept_query) queries; /* of rows_one */
    /* Made at first use: a new one per text costs more than the text. */
    ZSTD_CCtx *zstd;
    ZSTD_DCtx *unzstd;
    /* The campaign asked for last and its first seed, which never changes. 0: none yet. */
    int64_t campaign;
    uint64_t first_seed;
};

/* -- engines ----------------------------------------------------------------------------------- */

enum value_type { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };
struct value;

/* SQL is written so that each engine takes it as it is: values are ?1, ?2, ..., columns in a DO
 * UPDATE have the name of their table, an upsert names what conflicts. Numbers are of 64 bits; a
 * comparison is 0 or 1. Functions that can fail return -1 with the error set. */
struct engine {
    /* As the mode says, the tables made or brought to SCHEMA_VERSION. */
    int (*open)(struct store *s, struct error *e);
    /* With all its statements; after an `open` that failed, too. */
    void (*close)(struct store *s);
    /* What was read cannot be what was written: -1. */
    int (*damaged)(struct store *s, const char *what, struct error *e);

    int (*begin)(struct store *s, bool durable, struct error *e); /* to write; waits for others */
    int (*commit)(struct store *s, struct error *e);
    void (*rollback)(struct store *s);             /* where there is a transaction */
    int (*view)(struct store *s, struct error *e); /* to read one state; ended by rollback */

    int (*prepare)(struct store *s, const char *sql, struct query **out, struct error *e);
    int (*bind)(struct store *s, struct query *q, const struct value *values, int n,
                struct error *e);
    int (*step)(struct store *s, struct query *q, struct error *e); /* 1: a row; 0: that was all */
    void (*reset)(struct query *q); /* to be bound again; NULL is fine, as for `end` */
    void (*end)(struct query *q);
    int64_t (*changes)(struct store *s); /* rows that the last statement changed */
    /* Rows of the table came with their ids: the next one is behind all of them. */
    int (*ids_given)(struct store *s, const char *table, struct error *e);

    /* Of the row; bytes end with a NUL that is not counted, and live until the next step. */
    enum value_type (*type)(struct query *q, int column);
    int64_t (*integer)(struct query *q, int column);
    double (*real)(struct query *q, int column);
    struct bytes (*bytes)(struct query *q, int column);
};
extern const struct engine engine_sqlite;
extern const struct engine engine_postgres; /* in the module assay-postgres.so */

/* Both engines have the tables of this version. */
enum { SCHEMA_VERSION = 11 };

/* -- values and statements --------------------------------------------------------------------- */

/* A value to bind. Made by the functions below, so that a wrong type does not compile. */
struct value {
    enum value_type type;
    int64_t integer;
    double real;
    const void *data; /* text or blob; lives until the statement has run */
    size_t size;
};

static inline struct value integer(int64_t i)
{
    return (struct value){.type = VALUE_INTEGER, .integer = i};
}

/* SQL integers are signed: the 64 bits are kept, not the order. What needs order uses `number`,
 * the seed's distance from the campaign's first seed. */
static inline struct value seed_bits(uint64_t seed)
{
    return integer((int64_t)seed);
}

static inline struct value real(double d)
{
    return (struct value){.type = VALUE_REAL, .real = d};
}

static inline struct value text(const char *s)
{
    return s ? (struct value){.type = VALUE_TEXT, .data = s, .size = strlen(s)}
             : (struct value){.type = VALUE_NULL};
}

static inline struct value blob(const void *data, size_t size)
{
    return (struct value){.type = data ? VALUE_BLOB : VALUE_NULL, .data = data, .size = size};
}

/* Values as an argument: `VALUES(integer(7), text("x"))` is the array and its length. */
#define VALUES(...)                                                                                \
    (const struct value[]){__VA_ARGS__},                                                           \
        (int)(sizeof((const struct value[]){__VA_ARGS__}) / sizeof(struct value))

static inline int query_prepare(struct store *s, const char *sql, struct query **out,
                                struct error *e)
{
    return s->engine->prepare(s, sql, out, e);
}

static inline int query_bind(struct store *s, struct query *q, const struct value *values, int n,
                             struct error *e)
{
    return s->engine->bind(s, q, values, n, e);
}

/* 1: there is a row; 0: that was all; -1: error. */
static inline int query_step(struct store *s, struct query *q, struct error *e)
{
    return s->engine->step(s, q, e);
}

static inline void query_reset(struct store *s, struct query *q)
{
    s->engine->reset(q);
}

static inline void query_end(struct store *s, struct query *q)
{
    s->engine->end(q);
}

static inline int64_t query_integer(struct store *s, struct query *q, int column)
{
    return s->engine->integer(q, column);
}

static inline int64_t store_changes(struct store *s)
{
    return s->engine->changes(s);
}

/* The seed's distance from the first seed of its campaign; -1 with the error set if there is no
 * such campaign. */
int64_t store_seed_number(struct store *s, int64_t campaign, uint64_t seed, struct error *e);

/* -- transactions (store.c) -------------------------------------------------------------------- */

/* `durable`: what is committed is on the disk before the commit returns. */
int store_begin(struct store *s, bool durable, struct error *e);
/* Commit if the body's status is not negative, and return that status; else roll back, -1. */
int store_finish(struct store *s, int status, struct error *e);
/* A body that is a transaction of its own. */
#define store_transaction(s, durable, body, e)                                                     \
    (store_begin((s), (durable), (e)) ? -1 : store_finish((s), (body), (e)))
/* For whom it does not matter whether there was a row. */
static inline int done(int found)
{
    return found < 0 ? -1 : 0;
}
/* Run a statement that is not worth keeping; the integer columns of its first row go to `row`. 1:
 * there was a row; 0: none; -1: error. */
int store_ask(struct store *s, const char *sql, const struct value *values, int n, int64_t *row,
              int columns, struct error *e);
/* Is it there? -1 with the error set where it is not. */
int store_need_finding(struct store *s, int64_t finding, struct error *e);
/* Within a transaction: the text where it is not yet stored, and that it was made (once more). */
int store_keep_program(struct store *s, const struct program *p, const char *hash, struct error *e);

/* A short text as it is, a long one compressed; `memory` is to be freed either way. */
struct value store_squeeze_text(struct store *s, const char *t, void **memory);

/* -- rows (rows.c) ----------------------------------------------------------------------------- */

enum column_type {
    COLUMN_INT64, /* int64_t, or the bits of a uint64_t */
    COLUMN_INT,
    COLUMN_BOOL,
    COLUMN_REAL,
    COLUMN_HASH,       /* char[PROGRAM_HASH_SIZE] */
    COLUMN_TEXT,       /* "" where it is NULL */
    COLUMN_OPTIONAL,   /* NULL where it is NULL */
    COLUMN_LONG,       /* a text that is stored as it is while short, and compressed when long */
    COLUMN_PACKED,     /* bytes that are always compressed */
    COLUMN_BYTES,      /* struct bytes: as they are, none where it is NULL */
    COLUMN_LONG_BYTES, /* struct bytes: as COLUMN_LONG, where a text has a NUL always compressed */
    COLUMN_WORD,       /* a word of a vocabulary as its enum */
    /* The types of options (STORE_OPTIONS). */
    OPTION_COLUMN_TEXT = COLUMN_OPTIONAL,
    OPTION_COLUMN_FLAG = COLUMN_BOOL,
    OPTION_COLUMN_REAL = COLUMN_REAL,
};

/* A column of a query and the field that it goes to. */
struct column {
    enum column_type type;
    size_t at;
    int (*word)(const char *name);
};

/* The type follows from that of the field. */
#define COLUMN(of, field)                                                                            \
    {                                                                                                \
        .type = _Generic(((struct of *)NULL)->field,                                               \
                 int64_t: COLUMN_INT64,                                                            \
                 uint64_t: COLUMN_INT64,                                                           \
                 int: COLUMN_INT,                                                                  \
                 bool: COLUMN_BOOL,                                                                \
                 double: COLUMN_REAL,                                                              \
                 char *: COLUMN_HASH,                                                              \
                 const char *: COLUMN_TEXT,                                                        \
                 struct bytes: COLUMN_PACKED),                                              \
        .at = offsetof(struct of, field) \
    }
#define COLUMN_AS(kind, of, field)                                                                 \
    {                                                                                              \
        .type = (kind), .at = offsetof(struct of, field)                                           \
    }
#define COLUMN_WORD_OF(of, field, from_name)                                                       \
    {                                                                                              \
        .type = COLUMN_WORD, .at = offsetof(struct of, field), .word = (from_name)                 \
    }
/* A table of columns as an argument: the array and its length. */
#define COLUMNS(table) (table), (int)(sizeof(table) / sizeof *(table))

/* The next two keep their statement, by the address of its text, which has to be a constant:
 * preparing it cost more than the answer, and a list of bugs asks thousands of times. */

/* All rows as an array of structs of `size` bytes in the arena; NULL: an error. */
void *rows_all(struct store *s, const char *sql, const struct value *values, int n_values,
               const struct column *columns, int n_columns, size_t size, struct arena *a, int *n,
               struct error *e);
/* The first row. 1: there is one; 0: there is none; -1: error. */
int rows_one(struct store *s, const char *sql, const struct value *values, int n_values,
             const struct column *columns, int n_columns, size_t size, struct arena *a, void *row,
             struct error *e);

/* By hand: what is counted and not kept, and texts that are made. */
int rows_query(struct store *s, const char *sql, const struct value *values, int n,
               struct query **out, struct error *e);
void *rows_of(struct store *s, struct query *query, const struct column *columns, int n_columns,
              size_t size, struct arena *a, int *n, struct error *e);

/* -- options of campaigns ---------------------------------------------------------------------- */

static inline struct value option_value_TEXT(const char *t)
{
    return text(t);
}
static inline struct value option_value_FLAG(bool on)
{
    return integer(on);
}
static inline struct value option_value_REAL(double x)
{
    return real(x);
}
/* All of them, each behind a comma: names of columns, places of values, values. */
#define OPTION_NAME(type, field, name) ", " #field
#define OPTION_NAMES STORE_OPTIONS(OPTION_NAME)
#define OPTION_PLACE(type, field, name) ", ?"
#define OPTION_PLACES STORE_OPTIONS(OPTION_PLACE)
#define OPTION_IS(type, field, name) " AND " #field " IS NOT DISTINCT FROM ?"
#define OPTION_CONDITIONS STORE_OPTIONS(OPTION_IS)
#define OPTION_VALUE(type, field, name) , option_value_##type(o->field)
#define OPTION_VALUES STORE_OPTIONS(OPTION_VALUE) /* of `o` */

/* -- parts of queries -------------------------------------------------------------------------- */

/* The campaign ?1 and the one of what slipped into its reductions: behind `campaign IN`. */
#define WITH_SLIPPED "(SELECT id FROM campaign WHERE id = ?1 OR slipped_from = ?1)"

/* The findings that are known, behind `id IN`; see struct store_mark. */
#define KNOWN_FINDINGS                                                                             \
    "(WITH marked AS (SELECT f.id, f.signature, m.covers_signature, o.anomaly, t.toolchain, "      \
    "coalesce(b.pass, '') AS pass FROM mark m JOIN finding f ON f.id = m.finding "                 \
    "JOIN observation o USING (campaign, number, testbed) JOIN testbed t ON t.id = f.testbed "     \
    "LEFT JOIN blame b ON b.finding = f.id WHERE m.mark IN ('known', 'wontfix')) "                 \
    "SELECT id FROM marked UNION "                                                                 \
    "SELECT f.id FROM marked m JOIN finding f ON f.signature = m.signature "                       \
    "WHERE m.covers_signature != 0 UNION "                                                         \
    "SELECT f.id FROM marked m JOIN blame b ON b.pass = m.pass AND b.pass != '' "                  \
    "JOIN finding f ON f.id = b.finding JOIN observation o USING (campaign, number, testbed) "     \
    "JOIN testbed t ON t.id = f.testbed "                                                          \
    "WHERE o.anomaly = m.anomaly AND t.toolchain = m.toolchain)"

/* -- sentences: fill `e`, return -1 ------------------------------------------------------------ */

/* What was read cannot be what was written. */
int store_damaged(struct store *s, const char *what, struct error *e);
int store_no_campaign(struct store *s, int64_t campaign, struct error *e);

extern const char *const store_stage_name[];

#endif
