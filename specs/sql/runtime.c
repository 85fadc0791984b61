/* What sql.lala asks about: the database as it is at a statement, and the columns in reach.
 *
 * Four records. A Col is a column: its name, its kind ("key", "small", "int", "text", "bool") and
 * whether it may be NULL. A Rel is a relation: a table, a view, a common table expression or a
 * derived table, with its columns and a bound on its rows. A Db lists the relations that exist. A
 * Scope lists what an expression may read, as Refs, which are texts such as "a1.c0" with a kind.
 *
 * Expressions ask their Scope far more often than anything makes one, so it is kept sorted by what
 * is asked: one list per kind. Where a list is empty, literals of that kind take its place: an
 * expression always finds something to read, and nothing has to be built twice.
 *
 * Records are printed as their first field: the name. */
#include <assay/lala.h>

#include <stdio.h>
#include <string.h>

enum tag { COL, REL, DB, SCOPE, REF };

enum col { COL_NAME, COL_KIND, COL_NULLABLE };
enum rel {
    REL_NAME,
    REL_COLS,
    REL_ROWS, /* at most */
    REL_NEXT, /* tables: the next key that is free */
    REL_DEPTH /* tables: 0; views: how many views on top of each other; others: -1 */
};
enum db { DB_RELS, DB_NEXT };
enum scope { SCOPE_SMALLS, SCOPE_INTS, SCOPE_TEXTS, SCOPE_TRUTHS, SCOPE_ALL, SCOPE_LISTS };
enum ref { REF_TEXT, REF_KIND, REF_OF_TABLE };

enum { MAX_ROWS = 8, MAX_COLUMNS = 9, MAX_RESULTS = 99, MAX_TEXT = 8192 };

static bool is(lala kind, const char *name)
{
    return strcmp(lala_text(kind), name) == 0;
}

static lala none(void)
{
    return LALA_NIL;
}

/* -- columns --------------------------------------------------------------------------------- */

/* prefix, number, kind, nullable */
static lala col_make(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_make(env, COL, lala_name(env, lala_text(arg[0]), arg[1]), arg[2], arg[3]);
}

/* "d" and 2: the columns of that query are d2_0, d2_1, ... */
static lala col_prefix(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_format(env, "%s%d_", lala_text(arg[0]), (int)lala_to_int(arg[1]));
}

static lala col_key(struct lala_env *env, const lala *arg, int n)
{
    (void)arg, (void)n;
    return lala_make(env, COL, lala_str(env, "c0"), lala_str(env, "key"), LALA_FALSE);
}

static lala col_cons(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_cons(env, arg[0], arg[1]);
}

static lala col_head(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_head(arg[0]);
}

static lala col_tail(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_tail(arg[0]);
}

static lala col_single(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_bool(!lala_more(lala_tail(arg[0])));
}

static lala col_is(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_bool(lala_field(arg[0], COL_KIND) == arg[1]);
}

static lala col_nullable(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_field(arg[0], COL_NULLABLE);
}

static lala col_all(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return arg[0];
}

static lala col_without(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala kept = none();
    for (lala l = arg[0]; lala_more(l); l = lala_tail(l)) {
        if (lala_head(l) != arg[1]) {
            kept = lala_cons(env, lala_head(l), kept);
        }
    }
    return lala_reverse(env, kept);
}

/* What the tables are filled with. The same few values everywhere, so that joins find partners. */
static const char *const SMALL_VALUES[] = {"0", "1",  "2",  "3",  "4",   "5",   "7",   "10",
                                           "1", "17", "42", "99", "-1",  "-2",  "-7",  "-42",
                                           "2", "3",  "-3", "64", "100", "500", "999", "-1000"};
static const char *const INT_VALUES[] = {
    "0",     "1",      "2",          "-1",         "5",          "10",
    "99",    "1000",   "4096",       "-32768",     "65536",      "1000000",
    "46340", "-46341", "1073741823", "2147483647", "-2147483647"};
static const char *const TEXT_VALUES[] = {"'a'",  "'b'",   "'c'",  "'a'",  "'ab'",  "'abc'",
                                          "'ba'", "'x'",   "'yz'", "'0'",  "'12'",  "'zebra'",
                                          "''",   "'cab'", "'aa'", "'bb'", "'abab'"};
static const char *const BOOL_VALUES[] = {"TRUE", "FALSE"};

struct texts {
    const char *const *at;
    size_t n;
};
#define TEXTS(array)                                                                               \
    (struct texts)                                                                                 \
    {                                                                                              \
        (array), sizeof(array) / sizeof *(array)                                                   \
    }

static struct texts values_of(lala kind)
{
    return is(kind, "text")   ? TEXTS(TEXT_VALUES)
           : is(kind, "bool") ? TEXTS(BOOL_VALUES)
           : is(kind, "int")  ? TEXTS(INT_VALUES)
                              : TEXTS(SMALL_VALUES);
}

/* The literals that a row may have in this column; in a key, the one that is free. */
static lala col_values(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala kind = lala_field(arg[0], COL_KIND);
    if (is(kind, "key")) {
        return lala_cons(env, lala_show(env, arg[1]), none());
    }
    struct texts values = values_of(kind);
    lala list = none();
    if (lala_is_true(lala_field(arg[0], COL_NULLABLE))) {
        list = lala_cons(env, lala_str(env, "NULL"), list);
        if (values.n > 8) {
            list = lala_cons(env, lala_str(env, "NULL"), list);
        }
    }
    for (size_t i = values.n; i-- > 0;) {
        list = lala_cons(env, lala_str(env, values.at[i]), list);
    }
    return list;
}

/* -- text made of columns -------------------------------------------------------------------- */

struct text {
    char at[MAX_TEXT];
    size_t n;
};

/* What does not fit is left out, but never a part of a piece. */
static void add(struct text *t, const char *piece)
{
    size_t n = strlen(piece);
    if (t->n + n < sizeof t->at) {
        memcpy(t->at + t->n, piece, n);
        t->n += n;
    }
}

static void separate(struct text *t)
{
    if (t->n > 0) {
        add(t, ", ");
    }
}

static lala text_of(struct lala_env *env, const struct text *t)
{
    return lala_string(env, t->at, t->n);
}

/* A key of an order in which NULL comes last, wherever a database would put it. */
static void add_key(struct text *t, const char *relation, const char *column)
{
    separate(t);
    add(t, relation);
    add(t, column);
    add(t, " IS NULL, ");
    add(t, relation);
    add(t, column);
}

static void add_shown(struct text *t, lala col)
{
    const char *name = lala_text(lala_field(col, COL_NAME));
    separate(t);
    if (!is(lala_field(col, COL_KIND), "bool")) {
        add(t, "x.");
        add(t, name);
        return;
    }
    add(t, "CASE WHEN x.");
    add(t, name);
    add(t, " THEN 'yes' WHEN NOT x.");
    add(t, name);
    add(t, " THEN 'no' END");
}

static lala shown(struct lala_env *env, lala cols)
{
    struct text t;
    t.n = 0;
    for (lala l = cols; lala_more(l); l = lala_tail(l)) {
        add_shown(&t, lala_head(l));
    }
    return text_of(env, &t);
}

static lala order(struct lala_env *env, lala cols)
{
    struct text t;
    t.n = 0;
    for (lala l = cols; lala_more(l); l = lala_tail(l)) {
        add_key(&t, "x.", lala_text(lala_field(lala_head(l), COL_NAME)));
    }
    return text_of(env, &t);
}

/* The items that print columns of a relation x, truth values as words. */
static lala col_shown(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return shown(env, arg[0]);
}

/* The order of a relation x by all its columns. */
static lala col_order(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return order(env, arg[0]);
}

/* 1, 2, 3: the order of a result without NULL. */
static lala col_positions(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct text t;
    t.n = 0;
    for (int64_t i = 1; i <= lala_to_int(arg[0]) && i <= MAX_RESULTS; i++) {
        char number[24];
        snprintf(number, sizeof number, "%d", (int)i);
        separate(&t);
        add(&t, number);
    }
    return text_of(env, &t);
}

/* -- relations ------------------------------------------------------------------------------- */

static lala rel_make(struct lala_env *env, lala name, lala cols, int64_t rows, int depth)
{
    return lala_make(env, REL, name, cols, lala_int(rows), lala_int(1), lala_int(depth));
}

static lala rel_table(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala name = lala_concat(env, arg[0], lala_name(env, "t", arg[1]));
    return rel_make(env, name, arg[2], 0, 0);
}

static lala rel_view(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return rel_make(env, lala_name(env, "v", arg[0]), arg[1], lala_to_int(arg[2]),
                    (int)lala_to_int(arg[3]));
}

static lala rel_cte(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return rel_make(env, lala_name(env, "w", arg[0]), arg[1], lala_to_int(arg[2]), -1);
}

static lala rel_derived(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return rel_make(env, lala_str(env, ""), arg[0], lala_to_int(arg[1]), -1);
}

static lala rel_cols(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_field(arg[0], REL_COLS);
}

static lala rel_rows(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_field(arg[0], REL_ROWS);
}

static lala rel_next_key(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_field(arg[0], REL_NEXT);
}

/* With so many rows more. */
static lala rel_grown(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    int64_t rows = lala_to_int(lala_field(arg[0], REL_ROWS)) + lala_to_int(arg[1]);
    int64_t next = lala_to_int(lala_field(arg[0], REL_NEXT)) + lala_to_int(arg[1]);
    return lala_with(env, lala_with(env, arg[0], REL_ROWS, lala_int(rows)), REL_NEXT,
                     lala_int(next));
}

static lala rel_wider(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala cols = lala_append(env, lala_field(arg[0], REL_COLS), lala_cons(env, arg[1], none()));
    return lala_with(env, arg[0], REL_COLS, cols);
}

static lala rel_width(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_int((int64_t)lala_size(lala_field(arg[0], REL_COLS)));
}

static bool has_key(lala rel)
{
    return is(lala_field(lala_head(lala_field(rel, REL_COLS)), COL_KIND), "key");
}

/* All columns but the key. */
static lala rel_settable(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    lala cols = lala_field(arg[0], REL_COLS);
    return has_key(arg[0]) ? lala_tail(cols) : cols;
}

static lala rel_names(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    struct text t;
    t.n = 0;
    for (lala l = lala_field(arg[0], REL_COLS); lala_more(l); l = lala_tail(l)) {
        separate(&t);
        add(&t, lala_text(lala_field(lala_head(l), COL_NAME)));
    }
    return text_of(env, &t);
}

/* -- the database ---------------------------------------------------------------------------- */

static lala db_empty(struct lala_env *env, const lala *arg, int n)
{
    (void)arg, (void)n;
    return lala_make(env, DB, none(), lala_int(0));
}

static lala db_next(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_field(arg[0], DB_NEXT);
}

static lala db_add(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    int64_t next = lala_to_int(lala_field(arg[0], DB_NEXT)) + 1;
    return lala_make(env, DB, lala_cons(env, arg[1], lala_field(arg[0], DB_RELS)), lala_int(next));
}

/* The relations for which `keep` holds, in their order. */
static lala chosen(struct lala_env *env, lala db, bool (*keep)(lala rel, int64_t with),
                   int64_t with)
{
    lala kept = none();
    for (lala l = lala_field(db, DB_RELS); lala_more(l); l = lala_tail(l)) {
        if (keep(lala_head(l), with)) {
            kept = lala_cons(env, lala_head(l), kept);
        }
    }
    return lala_reverse(env, kept);
}

static bool not_deeper(lala rel, int64_t depth)
{
    int64_t own = lala_to_int(lala_field(rel, REL_DEPTH));
    return own >= 0 && own <= depth;
}

static bool not_longer(lala rel, int64_t rows)
{
    return lala_to_int(lala_field(rel, REL_ROWS)) <= rows;
}

static bool room_for(lala rel, int64_t rows)
{
    return not_deeper(rel, 0) && not_longer(rel, MAX_ROWS - rows);
}

static bool keyed(lala rel, int64_t unused)
{
    return not_deeper(rel, unused) && has_key(rel);
}

static bool narrower(lala rel, int64_t columns)
{
    return not_deeper(rel, 0) && (int64_t)lala_size(lala_field(rel, REL_COLS)) < columns;
}

static lala db_relations(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return chosen(env, arg[0], not_longer, lala_to_int(arg[1]));
}

static lala db_bases(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return chosen(env, arg[0], not_deeper, 0);
}

static lala db_room(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return chosen(env, arg[0], room_for, 2);
}

static lala db_keyed(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return chosen(env, arg[0], keyed, 0);
}

static lala db_narrow(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return chosen(env, arg[0], narrower, MAX_COLUMNS);
}

static lala db_items(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return arg[0];
}

/* Only the tables; only these and the views of tables. */
static lala db_tables(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_with(env, arg[0], DB_RELS, chosen(env, arg[0], not_deeper, 0));
}

static lala db_shallow(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_with(env, arg[0], DB_RELS, chosen(env, arg[0], not_deeper, 1));
}

/* Only the tables that are not this one. */
static lala db_without(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala kept = none();
    for (lala l = chosen(env, arg[0], not_deeper, 0); lala_more(l); l = lala_tail(l)) {
        if (lala_head(l) != arg[1]) {
            kept = lala_cons(env, lala_head(l), kept);
        }
    }
    return lala_with(env, arg[0], DB_RELS, lala_reverse(env, kept));
}

/* The table of that name is now this one. */
static lala db_replace(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala all = none();
    for (lala l = lala_field(arg[0], DB_RELS); lala_more(l); l = lala_tail(l)) {
        bool this_one = lala_field(lala_head(l), REL_NAME) == lala_field(arg[1], REL_NAME);
        all = lala_cons(env, this_one ? arg[1] : lala_head(l), all);
    }
    return lala_with(env, arg[0], DB_RELS, lala_reverse(env, all));
}

/* What is in the tables at the end. */
static lala db_dump(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    lala text = lala_str(env, "");
    for (lala l = chosen(env, arg[0], not_deeper, 0); lala_more(l); l = lala_tail(l)) {
        const char *name = lala_text(lala_field(lala_head(l), REL_NAME));
        lala cols = lala_field(lala_head(l), REL_COLS);
        lala query = lala_format(env, "SELECT '%s';\nSELECT %s FROM %s AS x ORDER BY %s;\n", name,
                                 lala_text(shown(env, cols)), name, lala_text(order(env, cols)));
        text = lala_concat(env, query, text);
    }
    return text;
}

/* -- what an expression may read ------------------------------------------------------------- */

static lala scope_empty(struct lala_env *env, const lala *arg, int n)
{
    (void)arg, (void)n;
    return lala_make(env, SCOPE, none(), none(), none(), none(), none());
}

/* Copies the lists of a scope, to be changed and made a scope again. */
static void lists_of(lala scope, lala list[SCOPE_LISTS])
{
    for (int i = 0; i < SCOPE_LISTS; i++) {
        list[i] = lala_field(scope, i);
    }
}

static void list_ref(struct lala_env *env, lala list[SCOPE_LISTS], lala ref)
{
    lala kind = lala_field(ref, REF_KIND);
    list[SCOPE_ALL] = lala_cons(env, ref, list[SCOPE_ALL]);
    if (is(kind, "text")) {
        list[SCOPE_TEXTS] = lala_cons(env, ref, list[SCOPE_TEXTS]);
    } else if (is(kind, "bool")) {
        list[SCOPE_TRUTHS] = lala_cons(env, ref, list[SCOPE_TRUTHS]);
    } else {
        list[SCOPE_INTS] = lala_cons(env, ref, list[SCOPE_INTS]);
        if (is(kind, "small")) {
            list[SCOPE_SMALLS] = lala_cons(env, ref, list[SCOPE_SMALLS]);
        }
    }
}

/* A column under the name of its relation. A key counts as any small column does. */
static lala ref_of(struct lala_env *env, const char *relation, lala col, bool of_table)
{
    lala kind = lala_field(col, COL_KIND);
    return lala_make(env, REF,
                     lala_format(env, "%s.%s", relation, lala_text(lala_field(col, COL_NAME))),
                     is(kind, "key") ? lala_str(env, "small") : kind, lala_bool(of_table));
}

static lala with_columns(struct lala_env *env, lala scope, const char *name, lala rel, lala but)
{
    bool is_table = not_deeper(rel, 0);
    lala list[SCOPE_LISTS];
    lists_of(scope, list);
    for (lala l = lala_field(rel, REL_COLS); lala_more(l); l = lala_tail(l)) {
        if (lala_head(l) != but) {
            list_ref(env, list, ref_of(env, name, lala_head(l), is_table));
        }
    }
    return lala_record(env, SCOPE, SCOPE_LISTS, list);
}

/* scope, letter, level, relation: "a" and 2 make the columns a2.c0, a2.c1, ... */
static lala scope_add(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    char alias[32];
    snprintf(alias, sizeof alias, "%s%d", lala_text(arg[1]), (int)lala_to_int(arg[2]));
    return with_columns(env, arg[0], alias, arg[3], LALA_UNDEFINED);
}

/* The columns of the table that a statement changes. */
static lala scope_table(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return with_columns(env, scope_empty(env, NULL, 0), lala_text(lala_field(arg[0], REL_NAME)),
                        arg[0], LALA_UNDEFINED);
}

static lala scope_table_without(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return with_columns(env, scope_empty(env, NULL, 0), lala_text(lala_field(arg[0], REL_NAME)),
                        arg[0], arg[1]);
}

static lala scope_put(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    if (lala_list_has(lala_field(arg[0], SCOPE_ALL), arg[1])) {
        return arg[0];
    }
    lala list[SCOPE_LISTS];
    lists_of(arg[0], list);
    list_ref(env, list, arg[1]);
    return lala_record(env, SCOPE, SCOPE_LISTS, list);
}

/* Without the columns that have the name of this one, in whatever relation. */
static lala scope_unlike(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    const char *name = strchr(lala_text(lala_field(arg[1], REF_TEXT)), '.');
    lala kept = none();
    for (lala l = lala_field(arg[0], SCOPE_ALL); lala_more(l); l = lala_tail(l)) {
        const char *other = strchr(lala_text(lala_field(lala_head(l), REF_TEXT)), '.');
        if (name && other && strcmp(name, other) != 0) {
            kept = lala_cons(env, lala_head(l), kept);
        }
    }
    return lala_with(env, arg[0], SCOPE_ALL, lala_reverse(env, kept));
}

static lala scope_all(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_field(arg[0], SCOPE_ALL);
}

/* The one column of a counting query. */
static lala scope_counter(struct lala_env *env, const lala *arg, int n)
{
    (void)arg, (void)n;
    lala ref = lala_make(env, REF, lala_str(env, "n.c0"), lala_str(env, "small"), LALA_FALSE);
    return scope_put(env, (lala[]){scope_empty(env, NULL, 0), ref}, 2);
}

/* A list, or literals where it is empty. */
static lala list_or(struct lala_env *env, lala list, const char *kind,
                    const char *const literals[3])
{
    if (list != LALA_NIL) {
        return list;
    }
    for (int i = 2; i >= 0; i--) {
        lala ref = lala_make(env, REF, lala_str(env, literals[i]), lala_str(env, kind), LALA_FALSE);
        list = lala_cons(env, ref, list);
    }
    return list;
}

static const char *const SOME_INTS[] = {"1", "2", "5"};
static const char *const SOME_TEXTS[] = {"LOWER('a')", "LOWER('b')", "LOWER('ab')"};
static const char *const SOME_TRUTHS[] = {"TRUE", "FALSE", "TRUE"};

static lala scope_smalls(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return list_or(env, lala_field(arg[0], SCOPE_SMALLS), "small", SOME_INTS);
}

static lala scope_ints(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return list_or(env, lala_field(arg[0], SCOPE_INTS), "small", SOME_INTS);
}

static lala scope_texts(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return list_or(env, lala_field(arg[0], SCOPE_TEXTS), "text", SOME_TEXTS);
}

static lala scope_truths(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return list_or(env, lala_field(arg[0], SCOPE_TRUTHS), "bool", SOME_TRUTHS);
}

static lala scope_refs(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return list_or(env, lala_field(arg[0], SCOPE_ALL), "small", SOME_INTS);
}

static lala filtered(struct lala_env *env, lala refs, bool (*keep)(lala ref))
{
    lala list = none();
    for (lala l = refs; lala_more(l); l = lala_tail(l)) {
        if (keep(lala_head(l))) {
            list = lala_cons(env, lala_head(l), list);
        }
    }
    return list;
}

static bool printable(lala ref)
{
    return !is(lala_field(ref, REF_KIND), "bool");
}

static bool of_table(lala ref)
{
    return lala_is_true(lala_field(ref, REF_OF_TABLE));
}

/* What can be printed as it is: no truth values. Will be a key as well, where a number would be the
 * position of a column. */
static lala scope_printables(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    static const char *const some[] = {"ABS(1)", "ABS(2)", "ABS(5)"};
    return list_or(env, filtered(env, lala_field(arg[0], SCOPE_ALL), printable), "small", some);
}

static lala scope_table_ints(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return list_or(env, filtered(env, lala_field(arg[0], SCOPE_INTS), of_table), "small",
                   SOME_INTS);
}

static lala scope_table_texts(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return list_or(env, filtered(env, lala_field(arg[0], SCOPE_TEXTS), of_table), "text",
                   SOME_TEXTS);
}

static lala scope_kind(struct lala_env *env, const lala *arg, int n)
{
    (void)env, (void)n;
    return lala_field(arg[0], REF_KIND);
}

static lala scope_cons(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return lala_cons(env, arg[0], arg[1]);
}

static lala keys_of(struct lala_env *env, lala refs)
{
    struct text t;
    t.n = 0;
    for (lala l = refs; lala_more(l); l = lala_tail(l)) {
        add_key(&t, "", lala_text(lala_field(lala_head(l), REF_TEXT)));
    }
    return text_of(env, &t);
}

static lala scope_keys(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return keys_of(env, arg[0]);
}

/* An order that tells apart any two rows that differ. */
static lala scope_total(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return keys_of(env, lala_field(arg[0], SCOPE_ALL));
}

/* The order of the rows that go into a table: that of their new keys, where it has a key. */
static lala rel_order(struct lala_env *env, const lala *arg, int n)
{
    return has_key(arg[0]) ? lala_str(env, "1") : scope_total(env, arg + 1, n - 1);
}

/* -- the table ------------------------------------------------------------------------------- */

static const struct lala_function col[] = {
    {"make", "String, int, String, boolean : Col", col_make, 0},
    {"prefix", "String, int : String", col_prefix, LALA_MEMO},
    {"key", ": Col", col_key, 0},
    {"cons", "Col, Cols : Cols", col_cons, 0},
    {"head", "Cols : Col", col_head, 0},
    {"tail", "Cols : Cols", col_tail, 0},
    {"single", "Cols : boolean", col_single, 0},
    {"is", "Col, String : boolean", col_is, 0},
    {"nullable", "Col : boolean", col_nullable, 0},
    {"all", "Cols : List<Col>", col_all, 0},
    {"without", "Cols, Col : Cols", col_without, 0},
    {"values", "Col, int : List<String>", col_values, LALA_MEMO},
    {"shown", "Cols : String", col_shown, 0},
    {"order", "Cols : String", col_order, 0},
    {"positions", "int : String", col_positions, LALA_MEMO},
};

static const struct lala_function rel[] = {
    {"table", "String, int, Cols : Rel", rel_table, 0},
    {"view", "int, Cols, int, int : Rel", rel_view, 0},
    {"cte", "int, Cols, int : Rel", rel_cte, 0},
    {"derived", "Cols, int : Rel", rel_derived, 0},
    {"cols", "Rel : Cols", rel_cols, 0},
    {"rows", "Rel : int", rel_rows, 0},
    {"nextKey", "Rel : int", rel_next_key, 0},
    {"grown", "Rel, int : Rel", rel_grown, 0},
    {"wider", "Rel, Col : Rel", rel_wider, 0},
    {"width", "Rel : int", rel_width, 0},
    {"settable", "Rel : Cols", rel_settable, 0},
    {"order", "Rel, Scope : String", rel_order, 0},
    {"names", "Rel : String", rel_names, LALA_MEMO},
};

static const struct lala_function db[] = {
    {"empty", ": Db", db_empty, 0},
    {"next", "Db : int", db_next, 0},
    {"add", "Db, Rel : Db", db_add, 0},
    {"replace", "Db, Rel : Db", db_replace, 0},
    {"without", "Db, Rel : Db", db_without, LALA_MEMO},
    {"tables", "Db : Db", db_tables, LALA_MEMO},
    {"shallow", "Db : Db", db_shallow, LALA_MEMO},
    {"relations", "Db, int : List<Rel>", db_relations, LALA_MEMO},
    {"items", "Rels : List<Rel>", db_items, 0},
    {"bases", "Db : Rels", db_bases, LALA_MEMO},
    {"room", "Db : Rels", db_room, LALA_MEMO},
    {"keyed", "Db : Rels", db_keyed, LALA_MEMO},
    {"narrow", "Db : Rels", db_narrow, LALA_MEMO},
    {"dump", "Db : String", db_dump, 0},
};

static const struct lala_function scope[] = {
    {"empty", ": Scope", scope_empty, LALA_MEMO},
    {"add", "Scope, String, int, Rel : Scope", scope_add, LALA_MEMO},
    {"table", "Rel : Scope", scope_table, LALA_MEMO},
    {"tableWithout", "Rel, Col : Scope", scope_table_without, LALA_MEMO},
    {"put", "Scope, Ref : Scope", scope_put, 0},
    {"counter", ": Scope", scope_counter, LALA_MEMO},
    {"smalls", "Scope : List<Ref>", scope_smalls, 0},
    {"ints", "Scope : List<Ref>", scope_ints, 0},
    {"texts", "Scope : List<Ref>", scope_texts, 0},
    {"truths", "Scope : List<Ref>", scope_truths, 0},
    {"refs", "Scope : List<Ref>", scope_refs, 0},
    {"all", "Scope : List<Ref>", scope_all, 0},
    {"unlike", "Scope, Ref : Scope", scope_unlike, 0},
    {"printables", "Scope : List<Ref>", scope_printables, LALA_MEMO},
    {"tableInts", "Scope : List<Ref>", scope_table_ints, LALA_MEMO},
    {"tableTexts", "Scope : List<Ref>", scope_table_texts, LALA_MEMO},
    {"kind", "Ref : String", scope_kind, 0},
    {"cons", "Ref, Refs : Refs", scope_cons, 0},
    {"keys", "Refs : String", scope_keys, 0},
    {"total", "Scope : String", scope_total, LALA_MEMO},
};

static const struct lala_namespace namespaces[] = {
    LALA_NAMESPACE("Col", col),
    LALA_NAMESPACE("Rel", rel),
    LALA_NAMESPACE("Db", db),
    LALA_NAMESPACE("Scope", scope),
};
LALA_MODULE(namespaces);
