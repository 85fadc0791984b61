/* A store into another one, row by row, whatever their engines are: what is read from the copy is
 * what is read from the original, numbers of findings included. */
#include "store/store_internal.h"

struct store_table {
    const char *name, *columns;
    const char *order; /* rows that others refer to come first */
    bool has_id;
};

/* Each behind those that it refers to. */
static const struct store_table tables[] = {
    {"campaign",
     "id, generator, first_seed, started, tests, findings, elapsed_ms, round_tests, "
     "round_findings, round_elapsed_ms, generate_us, build_us, run_us, own_us, created_at, "
     "last_finding_at, incidents, slipped_from, round_last_finding, round_cpu_us" OPTION_NAMES,
     "id", true},
    {"testbed",
     "id, campaign, name, toolchain, version, path, flags, model, reference, compile, run, dir, "
     "library, filter, only_inputs, content",
     "id", true},
    {"stat", "testbed, outcome, count, build_us, run_us", "testbed, outcome", false},
    {"claim", "campaign, number, stage, worker, attempts", "campaign, number", false},
    {"program", "hash, language, needs, expected, trusted, files, build_only", "hash", false},
    {"origin", "id, program, generator, version, config, seed, choices", "id", true},
    {"test",
     "campaign, number, program, bytes, generate_us, build_us, run_us, own_us, findings, done_at, "
     "done_cpu_us",
     "campaign, number", false},
    {"observation",
     "campaign, number, testbed, outcome, exit_status, signal, output, output_size, output_hash, "
     "messages, detail, build_cpu_us, build_wall_us, build_peak_kb, run_cpu_us, run_wall_us, "
     "run_peak_kb, anomaly, evidence, confidence, of_group, flags",
     "campaign, number, testbed", false},
    {"finding", "id, campaign, number, seed, testbed, signature, state, seen, tried, found_at",
     "id", true},
    {"incident", "id, campaign, seed, what, at", "id", true},
    {"reduction",
     "finding, state, worker, attempts, program, flags, method, why, from_bytes, bytes, tests, "
     "remembered, refused, kept, cpu_us, wall_ms, at, constructs",
     "finding", false},
    {"answer", "finding, hash, answer", "finding, hash", false},
    {"blame", "finding, pass, detail, first_bad, last_good, at, last_bad, next_good", "finding",
     false},
    {"mark", "finding, mark, covers_signature, note, version, same_as, at",
     "same_as IS NOT NULL, finding", false},
    {"kin", "finding, programs", "finding", false},
};
enum { TABLES = sizeof tables / sizeof *tables, MOST_COLUMNS = 32 };

static int count_columns(const struct store_table *t)
{
    int n = 1;
    for (const char *at = t->columns; *at; at++)
        n += *at == ',';
    REQUIRE(n <= MOST_COLUMNS);
    return n;
}

static int begin_read(struct store *from, const struct store_table *t, struct query **out,
                      struct error *e)
{
    struct strbuf sql;
    strbuf_init(&sql, 0);
    strbuf_addf(&sql, "SELECT %s FROM %s ORDER BY %s", t->columns, t->name, t->order);
    int status = rows_query(from, sql.s, NULL, 0, out, e);
    strbuf_release(&sql);
    return status;
}

static int begin_write(struct store *to, const struct store_table *t, struct query **out,
                       struct error *e)
{
    struct strbuf sql;
    strbuf_init(&sql, 0);
    strbuf_addf(&sql, "INSERT INTO %s(%s) VALUES (", t->name, t->columns);
    for (int i = 1; i <= count_columns(t); i++)
        strbuf_addf(&sql, "%s?%d", i > 1 ? ", " : "", i);
    strbuf_addc(&sql, ')');
    int status = query_prepare(to, sql.s, out, e);
    strbuf_release(&sql);
    return status;
}

static struct value value_at(struct store *from, struct query *row, int column)
{
    struct value v = {.type = from->engine->type(row, column)};
    struct bytes b;
    switch (v.type) {
    case VALUE_NULL:
        break;
    case VALUE_INTEGER:
        v.integer = query_integer(from, row, column);
        break;
    case VALUE_REAL:
        v.real = from->engine->real(row, column);
        break;
    case VALUE_TEXT:
    case VALUE_BLOB:
        b = from->engine->bytes(row, column);
        v.data = b.data ? b.data : "";
        v.size = b.size;
        break;
    }
    return v;
}

static int copy_rows(struct store *from, struct store *to, const struct store_table *t,
                     int64_t *rows, struct error *e)
{
    struct query *in = NULL, *out = NULL;
    struct value values[MOST_COLUMNS];
    int n = count_columns(t), more = -1;
    if (begin_read(from, t, &in, e) == 0 && begin_write(to, t, &out, e) == 0)
        while ((more = query_step(from, in, e)) == 1) {
            for (int i = 0; i < n; i++)
                values[i] = value_at(from, in, i);
            if (query_bind(to, out, values, n, e) || query_step(to, out, e) < 0) {
                more = -1;
                break;
            }
            query_reset(to, out);
            ++*rows;
        }
    query_end(from, in);
    query_end(to, out);
    return more;
}

static int copy_all(struct store *from, struct store *to, int64_t *rows, struct error *e)
{
    int64_t campaigns;
    if (store_ask(to, "SELECT count(*) FROM campaign", NULL, 0, &campaigns, 1, e) < 0)
        return -1;
    if (campaigns)
        return error_at(e, ERROR_USAGE, to->path, 0,
                        "has campaigns already: copy into an empty store");
    for (int i = 0; i < TABLES; i++)
        if (copy_rows(from, to, &tables[i], rows, e) ||
            (tables[i].has_id && to->engine->ids_given(to, tables[i].name, e)))
            return -1;
    return 0;
}

int store_copy(struct store *from, struct store *to, int64_t *rows, struct error *e)
{
    *rows = 0;
    if (store_view(from, e))
        return -1;
    int status = store_transaction(to, true, copy_all(from, to, rows, e), e);
    store_view_end(from);
    return status;
}
