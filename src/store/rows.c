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

/* Until the next step; "" for what is missing: the sum of no texts, or a damaged file. */
static struct bytes peek_bytes(struct store *s, struct query *query, int column)
{
    struct bytes b = s->engine->bytes(query, column);
    return b.data ? b : (struct bytes){"", 0};
}

static const char *peek(struct store *s, struct query *query, int column)
{
    return peek_bytes(s, query, column).data;
}

/* A zstd frame in a column, unpacked; NULL with the error set where it is none. */
static const char *unpacked(struct store *s, struct query *query, int column, struct arena *a,
                            size_t *size, struct error *e)
{
    struct bytes b = s->engine->bytes(query, column);
    unsigned long long room =
        b.data ? ZSTD_getFrameContentSize(b.data, b.size) : ZSTD_CONTENTSIZE_ERROR;
    if (room <= largest_text) { /* the two codes for errors are the largest numbers */
        char *out = arena_alloc(a, (size_t)room + 1);
        if (!s->unzstd)
            s->unzstd = ZSTD_createDCtx();
        REQUIRE(s->unzstd);
        *size = ZSTD_decompressDCtx(s->unzstd, out, (size_t)room, b.data, b.size);
        if (*size == room)
            return out;
    }
    store_damaged(s, "a compressed text cannot be unpacked", e);
    return NULL;
}

/* A text that is stored as it is while short; its data is NULL with the error set. */
static struct bytes long_text(struct store *s, struct query *query, int column, struct arena *a,
                              struct error *e)
{
    struct bytes out = {0};
    if (s->engine->type(query, column) == VALUE_BLOB) {
        out.data = unpacked(s, query, column, a, &out.size, e);
    } else {
        out.data = arena_strdup(a, peek(s, query, column));
        out.size = strlen(out.data);
    }
    return out;
}

static int read_column(struct store *s, struct query *query, int i, const struct column *c,
                       struct arena *a, void *row, struct error *e)
{
    void *field = (char *)row + c->at;
    struct bytes *packed = field;
    const char **text = field;
    switch (c->type) {
    case COLUMN_INT64: /* of a seed: the bits */
        *(int64_t *)field = query_integer(s, query, i);
        return 0;
    case COLUMN_INT:
        *(int *)field = (int)query_integer(s, query, i);
        return 0;
    case COLUMN_BOOL:
        *(bool *)field = query_integer(s, query, i) != 0;
        return 0;
    case COLUMN_REAL:
        *(double *)field = s->engine->real(query, i);
        return 0;
    case COLUMN_HASH:
        text_copy(field, PROGRAM_HASH_SIZE, peek(s, query, i));
        return 0;
    case COLUMN_OPTIONAL:
        *text = NULL;
        if (s->engine->type(query, i) == VALUE_NULL)
            return 0;
        /* fall through */
    case COLUMN_TEXT:
        *text = arena_strdup(a, peek(s, query, i));
        return 0;
    case COLUMN_LONG:
        *text = long_text(s, query, i, a, e).data;
        return *text ? 0 : -1;
    case COLUMN_PACKED:
        packed->data = unpacked(s, query, i, a, &packed->size, e);
        return packed->data ? 0 : -1;
    case COLUMN_BYTES:
        *packed = (struct bytes){0};
        if (s->engine->type(query, i) != VALUE_NULL)
            *packed = bytes_copy(a, peek_bytes(s, query, i));
        return 0;
    case COLUMN_LONG_BYTES:
        *packed = long_text(s, query, i, a, e);
        return packed->data ? 0 : -1;
    case COLUMN_WORD:
        *(int *)field = c->word(peek(s, query, i));
        return *(int *)field >= 0 ? 0 : store_damaged(s, "it contains an unknown word", e);
    }
    BUG("column of type %d", c->type);
}

static int read_row(struct store *s, struct query *query, const struct column *columns, int n,
                    struct arena *a, void *row, struct error *e)
{
    for (int i = 0; i < n; i++)
        if (read_column(s, query, i, &columns[i], a, row, e))
            return -1;
    return 0;
}

/* -- queries ----------------------------------------------------------------------------------- */

int rows_query(struct store *s, const char *sql, const struct value *values, int n,
               struct query **out, struct error *e)
{
    if (query_prepare(s, sql, out, e))
        return -1;
    if (query_bind(s, *out, values, n, e) == 0)
        return 0;
    query_end(s, *out);
    return -1;
}

void *rows_of(struct store *s, struct query *query, const struct column *columns, int n_columns,
              size_t size, struct arena *a, int *n, struct error *e)
{
    struct strbuf rows;
    void *row = arena_alloc(a, size), *all = NULL;
    strbuf_init(&rows, SIZE_MAX / 2);
    int more;
    while ((more = query_step(s, query, e)) == 1) {
        memset(row, 0, size);
        if (read_row(s, query, columns, n_columns, a, row, e)) {
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

static struct query *kept(struct store *s, const char *sql, const struct value *values, int n,
                          struct error *e)
{
    struct kept_query one = {.sql = sql};
    for (size_t i = 0; i < s->queries.n && !one.query; i++)
        if (s->queries.at[i].sql == sql)
            one = s->queries.at[i];
    if (!one.query) {
        if (query_prepare(s, sql, &one.query, e))
            return NULL;
        vec_push(&s->queries, one);
    }
    return query_bind(s, one.query, values, n, e) ? NULL : one.query;
}

void *rows_all(struct store *s, const char *sql, const struct value *values, int n_values,
               const struct column *columns, int n_columns, size_t size, struct arena *a, int *n,
               struct error *e)
{
    struct query *query = kept(s, sql, values, n_values, e);
    *n = 0;
    void *all = query ? rows_of(s, query, columns, n_columns, size, a, n, e) : NULL;
    query_reset(s, query);
    return all;
}

int rows_one(struct store *s, const char *sql, const struct value *values, int n_values,
             const struct column *columns, int n_columns, size_t size, struct arena *a, void *row,
             struct error *e)
{
    struct query *query = kept(s, sql, values, n_values, e);
    memset(row, 0, size);
    if (!query)
        return -1;
    int found = query_step(s, query, e);
    if (found == 1 && read_row(s, query, columns, n_columns, a, row, e))
        found = -1;
    query_reset(s, query);
    return found;
}
