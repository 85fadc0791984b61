/* Rows as structs: what a query gives is read by a table of columns.
 *
 * A table names, for each column in the order of the SELECT, a field of a struct; what kind of
 * value it is follows from the field's type (store_internal.h). Words of our vocabularies become
 * enums here. A word that none of our tables knows in a file that says it has our schema was not
 * written by us: the file is damaged. */
#include "store/store_internal.h"
#include "base/text.h"

/* No text of ours is larger; a damaged size must not become an allocation. */
static const unsigned long long largest_text = 256ULL << 20;

/* -- columns ----------------------------------------------------------------------------------- */

/* Text until the next step; "" for what is missing: the sum of no texts, or a damaged file. */
static const char *peek(sqlite3_stmt *stmt, int column)
{
    const void *data = sqlite3_column_text(stmt, column);
    return data ? data : "";
}

/* A zstd frame in a column, unpacked; NULL with the error set where it is none. */
static const char *unpacked(struct store *s, sqlite3_stmt *stmt, int column, struct arena *a,
                            size_t *size, struct error *e)
{
    const void *data = sqlite3_column_blob(stmt, column);
    size_t n = (size_t)sqlite3_column_bytes(stmt, column);
    unsigned long long room = data ? ZSTD_getFrameContentSize(data, n) : ZSTD_CONTENTSIZE_ERROR;
    if (room <= largest_text) { /* the two codes for errors are the largest numbers */
        char *out = arena_alloc(a, (size_t)room + 1);
        if (!s->unzstd)
            s->unzstd = ZSTD_createDCtx();
        REQUIRE(s->unzstd);
        *size = ZSTD_decompressDCtx(s->unzstd, out, (size_t)room, data, n);
        if (*size == room)
            return out;
    }
    store_damaged(s, "a compressed text cannot be unpacked", e);
    return NULL;
}

static int read_column(struct store *s, sqlite3_stmt *stmt, int i, const struct column *c,
                       struct arena *a, void *row, struct error *e)
{
    void *field = (char *)row + c->at;
    struct bytes *packed = field;
    const char **text = field;
    switch (c->type) {
    case COLUMN_INT64: /* of a seed: the bits */
        *(int64_t *)field = sqlite3_column_int64(stmt, i);
        return 0;
    case COLUMN_INT:
        *(int *)field = sqlite3_column_int(stmt, i);
        return 0;
    case COLUMN_BOOL:
        *(bool *)field = sqlite3_column_int(stmt, i) != 0;
        return 0;
    case COLUMN_REAL:
        *(double *)field = sqlite3_column_double(stmt, i);
        return 0;
    case COLUMN_HASH:
        text_copy(field, PROGRAM_HASH_SIZE, peek(stmt, i));
        return 0;
    case COLUMN_OPTIONAL:
        *text = NULL;
        if (sqlite3_column_type(stmt, i) == SQLITE_NULL)
            return 0;
        /* fall through */
    case COLUMN_TEXT:
        *text = arena_strdup(a, peek(stmt, i));
        return 0;
    case COLUMN_LONG:
        *text = sqlite3_column_type(stmt, i) == SQLITE_BLOB
                    ? unpacked(s, stmt, i, a, &(size_t){0}, e)
                    : arena_strdup(a, peek(stmt, i));
        return *text ? 0 : -1;
    case COLUMN_PACKED:
        packed->data = unpacked(s, stmt, i, a, &packed->size, e);
        return packed->data ? 0 : -1;
    case COLUMN_BYTES:
        if (sqlite3_column_type(stmt, i) == SQLITE_NULL)
            *packed = (struct bytes){0};
        else
            *packed =
                bytes_copy(a, (struct bytes){peek(stmt, i), (size_t)sqlite3_column_bytes(stmt, i)});
        return 0;
    case COLUMN_LONG_BYTES:
        packed->data = sqlite3_column_type(stmt, i) == SQLITE_BLOB
                           ? unpacked(s, stmt, i, a, &packed->size, e)
                           : arena_strdup(a, peek(stmt, i));
        if (packed->data && sqlite3_column_type(stmt, i) != SQLITE_BLOB)
            packed->size = strlen(packed->data);
        return packed->data ? 0 : -1;
    case COLUMN_WORD:
        *(int *)field = c->word(peek(stmt, i));
        return *(int *)field >= 0 ? 0 : store_damaged(s, "it contains an unknown word", e);
    }
    BUG("column of type %d", c->type);
}

static int read_row(struct store *s, sqlite3_stmt *stmt, const struct column *columns, int n,
                    struct arena *a, void *row, struct error *e)
{
    for (int i = 0; i < n; i++)
        if (read_column(s, stmt, i, &columns[i], a, row, e))
            return -1;
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

int rows_next(struct store *s, sqlite3_stmt *stmt, struct error *e)
{
    int code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        return 1;
    return code == SQLITE_DONE ? 0 : store_fail(s, code, e);
}

void *rows_of(struct store *s, sqlite3_stmt *stmt, const struct column *columns, int n_columns,
              size_t size, struct arena *a, int *n, struct error *e)
{
    struct strbuf rows;
    void *row = arena_alloc(a, size), *all = NULL;
    strbuf_init(&rows, SIZE_MAX / 2);
    int more;
    while ((more = rows_next(s, stmt, e)) == 1) {
        memset(row, 0, size);
        if (read_row(s, stmt, columns, n_columns, a, row, e)) {
            more = -1;
            break;
        }
        strbuf_add(&rows, row, size);
    }
    *n = 0;
    if (more == 0) {
        *n = (int)(rows.n / size);
        all = arena_alloc(a, rows.n);
        memcpy(all, rows.s, rows.n);
    }
    strbuf_release(&rows);
    return all;
}

/* -- queries whose text is a constant ---------------------------------------------------------- */

static sqlite3_stmt *kept(struct store *s, const char *sql, const struct value *values, int n,
                          struct error *e)
{
    struct kept_query query = {.sql = sql};
    for (size_t i = 0; i < s->queries.n && !query.stmt; i++)
        if (s->queries.at[i].sql == sql)
            query = s->queries.at[i];
    if (!query.stmt) {
        if (store_prepare(s, sql, &query.stmt, e))
            return NULL;
        vec_push(&s->queries, query);
    }
    return store_bind(s, query.stmt, values, n, e) ? NULL : query.stmt;
}

void *rows_all(struct store *s, const char *sql, const struct value *values, int n_values,
               const struct column *columns, int n_columns, size_t size, struct arena *a, int *n,
               struct error *e)
{
    sqlite3_stmt *stmt = kept(s, sql, values, n_values, e);
    *n = 0;
    void *all = stmt ? rows_of(s, stmt, columns, n_columns, size, a, n, e) : NULL;
    sqlite3_reset(stmt); /* NULL is fine */
    return all;
}

int rows_one(struct store *s, const char *sql, const struct value *values, int n_values,
             const struct column *columns, int n_columns, size_t size, struct arena *a, void *row,
             struct error *e)
{
    sqlite3_stmt *stmt = kept(s, sql, values, n_values, e);
    memset(row, 0, size);
    if (!stmt)
        return -1;
    int found = rows_next(s, stmt, e);
    if (found == 1 && read_row(s, stmt, columns, n_columns, a, row, e))
        found = -1;
    sqlite3_reset(stmt);
    return found;
}
