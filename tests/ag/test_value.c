/* Values: equal ones are the same address, whatever the way that led to them.
 *
 * Maps and scopes are held against models that are too simple to be wrong (an array that is
 * searched from end to end), over some thousands of random operations; every random map is also
 * built a second time from its entries alone, in another order, and must be the same value. */
#include "ag/value.h"
#include "tap.h"

/* Failures in a loop of thousands are counted, and told once. */
struct tally {
    int checks, failures;
    int first_line; /* of the first failure */
};

static void count(struct tally *t, bool good, int line)
{
    t->checks++;
    if (!good && !t->failures++)
        t->first_line = line;
}
#define expect(t, condition) count((t), (condition), __LINE__)

static void tell(const struct tally *t, const char *what)
{
    if (!ok(t->checks && !t->failures, "%s (%d checks)", what, t->checks))
        printf("# %d failed, the first one at line %d\n", t->failures, t->first_line);
}

/* Which operations a test makes: the same ones every time. */
static uint64_t draw_state = 1;
static uint32_t draw(uint32_t n)
{
    draw_state = draw_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(draw_state >> 33) % n;
}

/* -- identity ---------------------------------------------------------------------------------- */

static void test_identity(struct lala_env *env)
{
    char text[] = "some text", other[] = "some text";
    ok(lala_str(env, text) == lala_str(env, other), "equal strings are the same");
    ok(lala_string(env, text, 4) == lala_str(env, "some"), "a part of a string");
    ok(lala_string(env, "a\0b", 3) != lala_string(env, "a\0c", 3), "behind a NUL");
    ok(lala_string(env, "a", 1) != lala_string(env, "a\0", 2), "a NUL at the end counts");
    ok(lala_string(env, NULL, 0) == lala_str(env, ""), "the empty string");
    ok(lala_concat(env, lala_str(env, "so"), lala_str(env, "me")) == lala_str(env, "some"),
       "a concatenation");
    ok(lala_format(env, "%d%s", 4, "2") == lala_str(env, "42"), "a format");
    char wide[1001];
    memset(wide, ' ', 1000);
    memcpy(wide + 999, "7", 2);
    ok(lala_format(env, "%1000d", 7) == lala_str(env, wide), "a long format");
    is_str(lala_text(lala_format(env, "%1000d", 7)), wide, "its text");

    lala a = lala_str(env, "a"), b = lala_str(env, "b");
    lala list = lala_cons(env, a, lala_cons(env, b, LALA_NIL));
    ok(list == lala_list(env, (lala[]){a, b}, 2), "equal lists are the same");
    ok(list != lala_list(env, (lala[]){b, a}, 2), "their order counts");
    ok(lala_append(env, lala_list(env, &a, 1), lala_list(env, &b, 1)) == list, "appended");
    ok(lala_make(env, 3, a, b) == lala_make(env, 3, a, b), "equal records are the same");
    ok(lala_make(env, 3, a, b) != lala_make(env, 4, a, b), "their tags count");
    ok(lala_with(env, lala_make(env, 3, a, a), 1, b) == lala_make(env, 3, a, b), "with a field");
    ok(lala_type(env, "ptr", lala_type(env, "int")) == lala_type(env, "ptr", lala_type(env, "int")),
       "equal types are the same");
    ok(lala_type(env, "int") != lala_type(env, "long"), "others are not");
    ok(lala_node(env, 1, 7) == lala_node(env, 1, 7) && lala_node(env, 1, 7) != lala_node(env, 2, 7),
       "nodes are told apart by their serials");
    is_int(lala_node_number(lala_node(env, 1, 7)), 7, "a node's number");
}

/* Hashes reach fail patterns' tables and the shape of maps: they must not drift. */
static void test_hashes(struct lala_env *env)
{
    lala v = lala_make(env, 1, lala_str(env, "a name that is long"), lala_int(-3), LALA_NIL,
                       lala_cons(env, LALA_TRUE, LALA_NIL));
    struct lala_env *second = lala_env_new();
    lala_str(second, "something else first");
    lala w = lala_make(second, 1, lala_str(second, "a name that is long"), lala_int(-3), LALA_NIL,
                       lala_cons(second, LALA_TRUE, LALA_NIL));
    ok(v != w && lala_hash(v) == lala_hash(w), "the hash is the same in another env");
    ok(lala_hash(lala_str(env, "ab")) != lala_hash(lala_str(env, "ba")), "and tells values apart");
    lala_env_free(second);
}

/* -- order ------------------------------------------------------------------------------------- */

static int sign(int i)
{
    return (i > 0) - (i < 0);
}

static void test_order(struct lala_env *env)
{
    lala one = lala_int(1), two = lala_int(2), a = lala_str(env, "a"), b = lala_str(env, "b");
    const lala in_order[] = {
        LALA_UNDEFINED,
        LALA_NIL,
        LALA_FALSE,
        LALA_TRUE,
        lala_int(LALA_INT_MIN),
        lala_int(-(INT64_C(1) << 60) - 1), /* where ranks end */
        lala_int(-(INT64_C(1) << 60)),
        lala_int(-1),
        lala_int(0),
        one,
        two,
        lala_int(INT64_C(1) << 60),
        lala_int(LALA_INT_MAX),
        lala_str(env, ""),
        lala_string(env, "\0", 1),
        a,
        lala_string(env, "a\0", 2),
        lala_str(env, "aaaaaaaaa"),
        lala_str(env, "aaaaaaaab"),
        lala_str(env, "aaaaaaaabb"),
        b,
        lala_str(env, "\xff"),
        lala_list(env, (lala[]){one}, 1),
        lala_list(env, (lala[]){one, one}, 2),
        lala_list(env, (lala[]){one, two, one}, 3),
        lala_list(env, (lala[]){two}, 1),
        lala_list(env, (lala[]){a}, 1),
        lala_set_add(env, LALA_NIL, one),
        lala_set_add(env, lala_set_add(env, LALA_NIL, one), two),
        lala_map_put(env, LALA_NIL, one, a),
        lala_set_add(env, LALA_NIL, two),
        lala_make(env, -300, b),
        lala_make(env, -200, a),
        lala_type(env, "int"),
        lala_type(env, "int", one),
        lala_type(env, "ptr", lala_type(env, "int")),
        lala_type(env, "ptr", lala_type(env, "long")),
        lala_record(env, 0, 0, NULL),
        lala_make(env, 0, one),
        lala_make(env, 0, one, one),
        lala_make(env, 0, two),
        lala_make(env, 1, one),
        lala_make(env, 200, b),
        lala_make(env, 300, a),
        lala_node(env, 1, 5),
        lala_node(env, 2, 4),
    };
    struct tally t = {0}, m = {0};
    const int n = sizeof in_order / sizeof *in_order;
    lala set = LALA_NIL;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            expect(&t, sign(lala_compare(in_order[i], in_order[j])) == sign(i - j));
    tell(&t, "the order of all kinds");
    for (int i = n - 1; i > 0; i--)
        set = lala_set_add(env, set, in_order[i]);
    for (int i = 1; i < n; i++)
        expect(&m, lala_map_key(set, (size_t)i - 1) == in_order[i]);
    tell(&m, "and in a set of them");
}

/* -- maps against a model ---------------------------------------------------------------------- */

enum { MODEL = 64 };

struct entry {
    lala key, value;
};
struct model {
    struct entry at[MODEL];
    int n;
};

static int model_find(const struct model *m, lala key)
{
    for (int i = 0; i < m->n; i++)
        if (m->at[i].key == key)
            return i;
    return -1;
}

static lala model_get(const struct model *m, lala key)
{
    int i = model_find(m, key);
    return i < 0 ? LALA_UNDEFINED : m->at[i].value;
}

static void model_put(struct model *m, lala key, lala value)
{
    int i = model_find(m, key);
    m->at[i < 0 ? m->n++ : i] = (struct entry){key, value};
}

static void model_remove(struct model *m, lala key)
{
    int i = model_find(m, key);
    if (i >= 0)
        m->at[i] = m->at[--m->n];
}

static lala map_of_model(struct lala_env *env, const struct model *m)
{
    lala map = LALA_NIL;
    for (int i = m->n - 1; i >= 0; i--)
        map = lala_map_put(env, map, m->at[i].key, m->at[i].value);
    return map;
}

/* One of MODEL values of all kinds that make good keys. */
static lala random_key(struct lala_env *env)
{
    uint32_t i = draw(MODEL);
    switch (i % 4) {
    case 0:
        return lala_int((int64_t)i - 30);
    case 1:
        return lala_format(env, "v%u", i);
    case 2:
        return lala_format(env, "a-common-prefix-%u", i);
    default:
        return lala_type(env, i % 8 < 4 ? "pointer" : "function", lala_int(i), lala_int(1));
    }
}

static void check_map(struct tally *t, struct lala_env *env, lala map, const struct model *m)
{
    expect(t, lala_size(map) == (size_t)m->n);
    expect(t, map == map_of_model(env, m));
    lala keys = lala_map_keys(env, map), values = lala_map_values(env, map);
    for (size_t i = 0; i < lala_size(map); i++) {
        lala key = lala_map_key(map, i);
        expect(t, !i || lala_compare(lala_map_key(map, i - 1), key) < 0);
        expect(t, lala_map_value(map, i) == model_get(m, key));
        expect(t, lala_head(keys) == key && lala_head(values) == lala_map_value(map, i));
        keys = lala_tail(keys);
        values = lala_tail(values);
    }
    expect(t, keys == LALA_NIL && values == LALA_NIL);
    expect(t, !lala_map_key(map, lala_size(map)));
}

static void test_maps(struct lala_env *env)
{
    struct tally t = {0};
    struct model m = {0};
    lala map = LALA_NIL;
    for (int i = 0; i < 6000; i++) {
        lala key = random_key(env), value = lala_int(draw(3));
        lala before = map;
        if (draw(i / 1000 % 2 ? 2 : 5)) { /* a thousand that grow it, a thousand that shrink it */
            map = lala_map_put(env, map, key, value);
            model_put(&m, key, value);
            expect(&t, lala_map_put(env, map, key, value) == map);
        } else {
            bool had = lala_map_has(map, key);
            map = lala_map_remove(env, map, key);
            model_remove(&m, key);
            expect(&t, had || map == before);
        }
        expect(&t, lala_map_get(map, key) == model_get(&m, key));
        key = random_key(env);
        expect(&t, lala_map_get(map, key) == model_get(&m, key));
        expect(&t, lala_map_has(map, key) == (model_find(&m, key) >= 0));
        if (i % 10 == 0)
            check_map(&t, env, map, &m);
    }
    tell(&t, "maps do as the model does");
}

static lala random_map(struct lala_env *env, struct model *m)
{
    m->n = 0;
    for (uint32_t i = draw(40); i > 0; i--)
        model_put(m, random_key(env), lala_int(draw(2)));
    return map_of_model(env, m);
}

static void test_whole_maps(struct lala_env *env)
{
    struct tally t = {0};
    for (int i = 0; i < 1000; i++) {
        struct model a, b, both = {0}, common = {0}, rest = {0};
        lala x = random_map(env, &a), y = random_map(env, &b);
        for (int j = 0; j < a.n; j++) {
            model_put(&both, a.at[j].key, a.at[j].value);
            model_put(model_find(&b, a.at[j].key) >= 0 ? &common : &rest, a.at[j].key,
                      a.at[j].value);
        }
        for (int j = 0; j < b.n; j++)
            model_put(&both, b.at[j].key, b.at[j].value);
        expect(&t, lala_map_merge(env, x, y) == map_of_model(env, &both));
        expect(&t, lala_set_intersect(env, x, y) == map_of_model(env, &common));
        expect(&t, lala_set_minus(env, x, y) == map_of_model(env, &rest));
    }
    tell(&t, "merge, intersect and minus do as the model does");
    lala a = lala_set_add(env, LALA_NIL, lala_int(1)), b = lala_set_add(env, LALA_NIL, lala_int(2));
    lala both = lala_set_union(env, a, b);
    ok(both == lala_set_add(env, b, lala_int(1)), "union");
    ok(lala_set_remove(env, both, lala_int(2)) == a, "remove");
    ok(lala_set_minus(env, a, a) == LALA_NIL && lala_set_intersect(env, a, b) == LALA_NIL,
       "nothing left is nil");
    ok(lala_set_items(env, both) == lala_list(env, (lala[]){lala_int(1), lala_int(2)}, 2),
       "the items in order");
}

/* -- scopes against a model -------------------------------------------------------------------- */

enum { DEEPEST = 8, NAMES = 12 };

struct scopes {
    lala value[DEEPEST + 1][NAMES]; /* NULL: not bound there */
    int depth;
};

static lala name_of(struct lala_env *env, int i)
{
    return lala_name(env, "v", lala_int(i));
}

/* The scope in which the visible one stands; -1. */
static int scopes_find(const struct scopes *s, int name)
{
    for (int d = s->depth; d >= 0; d--)
        if (s->value[d][name])
            return d;
    return -1;
}

static lala scopes_get(const struct scopes *s, int name)
{
    int d = scopes_find(s, name);
    return d < 0 ? LALA_UNDEFINED : s->value[d][name];
}

/* The same table, by the shortest way. */
static lala table_of_scopes(struct lala_env *env, const struct scopes *s)
{
    lala table = LALA_NIL;
    for (int d = 0; d <= s->depth; d++) {
        if (d)
            table = lala_scope_open(env, table);
        for (int i = NAMES - 1; i >= 0; i--)
            if (s->value[d][i])
                table = lala_scope_put(env, table, name_of(env, i), s->value[d][i]);
    }
    return table;
}

static void check_scopes(struct tally *t, struct lala_env *env, lala table, const struct scopes *s)
{
    lala visible = LALA_NIL, of[3] = {LALA_NIL, LALA_NIL, LALA_NIL};
    for (int i = 0; i < NAMES; i++) {
        lala name = name_of(env, i), value = scopes_get(s, i);
        expect(t, lala_scope_get(table, name) == value);
        expect(t, lala_scope_here(table, name) == (s->value[s->depth][i] != NULL));
        if (value) {
            visible = lala_map_put(env, visible, name, value);
            of[lala_to_int(value)] = lala_set_add(env, of[lala_to_int(value)], name);
        }
    }
    expect(t, lala_scope_visible(table) == visible);
    for (int i = 0; i < 3; i++)
        expect(t, lala_scope_of(table, lala_int(i)) == lala_set_items(env, of[i]));
    expect(t, lala_scope_depth(table) == s->depth);
    expect(t, table == table_of_scopes(env, s));
}

/* One step in both. */
static lala step_scopes(struct tally *t, struct lala_env *env, lala table, struct scopes *s)
{
    int i = (int)draw(NAMES), d = scopes_find(s, i);
    lala value = lala_int(draw(3)), name = name_of(env, i);
    switch (draw(6)) {
    case 0:
        if (s->depth == DEEPEST)
            return table;
        memset(s->value[++s->depth], 0, sizeof *s->value);
        return lala_scope_open(env, table);
    case 1:
        if (s->depth)
            s->depth--;
        else
            expect(t, !lala_scope_close(env, table));
        return s->depth || lala_scope_depth(table) ? lala_scope_close(env, table) : table;
    case 2:
        if (d < 0) {
            expect(t, !lala_scope_change(env, table, name, value));
            return table;
        }
        s->value[d][i] = value;
        return lala_scope_change(env, table, name, value);
    default:
        s->value[s->depth][i] = value;
        return lala_scope_put(env, table, name, value);
    }
}

static void test_scopes(struct lala_env *env)
{
    struct tally t = {0};
    for (int round = 0; round < 100; round++) {
        struct scopes s = {0};
        lala table = LALA_NIL;
        for (int i = 0; i < 60; i++) {
            table = step_scopes(&t, env, table, &s);
            check_scopes(&t, env, table, &s);
        }
    }
    tell(&t, "scopes do as the model does");
    ok(lala_scope_close(env, lala_scope_open(env, LALA_NIL)) == LALA_NIL, "opened and closed");
    lala odd = lala_scope_put(env, LALA_NIL, lala_int(1), LALA_NIL);
    odd = lala_scope_put(env, lala_scope_open(env, odd), lala_int(1), LALA_FALSE);
    ok(lala_scope_get(odd, lala_int(1)) == LALA_FALSE, "false hides nil");
    ok(lala_scope_get(lala_scope_close(env, odd), lala_int(1)) == LALA_NIL, "which comes back");
}

/* -- lists, long and nested -------------------------------------------------------------------- */

enum { LONG = 100000 };

static void test_long_lists(struct lala_env *env)
{
    lala list = LALA_NIL, other = lala_cons(env, lala_int(-1), LALA_NIL);
    for (int i = LONG; i-- > 0;) {
        list = lala_cons(env, lala_int(i), list);
        other = lala_cons(env, lala_int(i), other);
    }
    is_int(lala_size(list), LONG, "the size of a long list");
    ok(lala_compare(list, other) < 0 && lala_compare(other, list) > 0, "comparing long lists");
    lala twice = lala_append(env, list, list);
    is_int(lala_size(twice), 2 * LONG, "appending long lists");
    ok(lala_at(twice, LONG + 5) == lala_int(5) && !lala_at(twice, 2 * LONG), "the n-th element");
    ok(lala_reverse(env, lala_reverse(env, twice)) == twice, "reversing one");
    ok(lala_head(lala_reverse(env, list)) == lala_int(LONG - 1), "the last is the first");
    ok(lala_list_has(list, lala_int(LONG - 1)) && !lala_list_has(list, lala_int(LONG)), "has");
    lala shown = lala_show(env, list);
    ok(!strncmp(lala_text(shown), "0, 1, 2, ", 9), "showing one");
    is_int(lala_size(shown), 488890 + 2 * (LONG - 1), "all of it");
    lala set = LALA_NIL;
    for (lala l = list; lala_more(l); l = lala_tail(l))
        set = lala_set_add(env, set, lala_head(l));
    ok(lala_set_items(env, set) == list, "a large set's items");
}

static void test_deep_values(struct lala_env *env)
{
    lala a = LALA_TRUE, b = LALA_FALSE;
    for (int i = 0; i < LONG; i++) {
        a = i % 2 ? lala_cons(env, a, LALA_NIL) : lala_make(env, 1, a);
        b = i % 2 ? lala_cons(env, b, LALA_NIL) : lala_make(env, 1, b);
    }
    ok(lala_compare(b, a) < 0, "comparing deep values");
    is_str(lala_text(lala_show(env, a)), "true", "showing one");
    struct strbuf text;
    strbuf_init(&text, 0);
    lala_describe(a, &text);
    ok(text.n > 100 && text.n < 1000, "describing one (%zu bytes)", text.n);
    strbuf_release(&text);
}

/* -- text -------------------------------------------------------------------------------------- */

static void describes(lala v, const char *wanted)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    lala_describe(v, &text);
    is_str(text.s, wanted, "described: %s", wanted);
    strbuf_release(&text);
}

static void test_text(struct lala_env *env)
{
    lala one = lala_int(1), a = lala_str(env, "a");
    lala list = lala_list(env, (lala[]){one, a, LALA_TRUE}, 3);
    is_str(lala_text(lala_show(env, lala_int(-42))), "-42", "an integer");
    is_str(lala_text(lala_show(env, lala_int(LALA_INT_MIN))), "-4611686018427387904", "the least");
    is_str(lala_text(lala_show(env, list)), "1, a, true", "a list");
    is_str(lala_text(lala_show(env, lala_cons(env, list, list))), "1, a, true, 1, a, true",
           "a list in a list");
    is_str(lala_text(lala_show(env, lala_set_add(env, lala_set_add(env, LALA_NIL, a), one))),
           "1, a", "a set");
    is_str(lala_text(lala_show(env, lala_make(env, 1, a, one))), "a", "a record");
    is_str(lala_text(lala_show(env, lala_type(env, "ptr", lala_type(env, "int")))), "ptr",
           "a type");
    ok(lala_show(env, LALA_NIL) == lala_str(env, ""), "nil is nothing");
    ok(lala_show(env, a) == a, "a string is itself");
    is_str(lala_text(one), "", "the text of what is no string");

    describes(LALA_UNDEFINED, "undefined");
    describes(list, "[1, \"a\", true]");
    describes(lala_str(env, "\"\n"), "\"\\\"\\x0a\"");
    describes(lala_map_put(env, lala_set_add(env, LALA_NIL, one), a, LALA_NIL), "{1, \"a\": nil}");
    describes(lala_make(env, 7, one, a), "#7(1, \"a\")");
    describes(lala_type(env, "ptr", lala_type(env, "int")), "ptr(int)");
    describes(lala_scope_put(env, LALA_NIL, a, one), "scope {\"a\": 1}");
}

/* -- what is wrong ----------------------------------------------------------------------------- */

static void test_wrong_kinds(struct lala_env *env)
{
    struct tally t = {0};
    lala name = lala_str(env, "x");
    const lala values[] = {LALA_UNDEFINED,
                           LALA_TRUE,
                           lala_int(3),
                           name,
                           lala_cons(env, name, LALA_NIL),
                           lala_set_add(env, LALA_NIL, name),
                           lala_make(env, 0, name),
                           lala_make(env, LALA_TAG_SCOPE, name),
                           lala_make(env, LALA_TAG_SCOPE, name, name, name, name),
                           lala_make(env, LALA_TAG_TYPE, lala_int(1)),
                           lala_node(env, 1, 1)};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        lala v = values[i];
        enum lala_kind kind = lala_kind(v);
        bool list = kind == LALA_KIND_LIST, map = kind == LALA_KIND_MAP;
        expect(&t, kind == LALA_KIND_STRING || !lala_concat(env, v, name));
        expect(&t, list || (!lala_cons(env, name, v) && !lala_head(v) && !lala_tail(v)));
        expect(&t, list || (!lala_at(v, 0) && !lala_append(env, v, LALA_NIL)));
        expect(&t, list || (!lala_append(env, LALA_NIL, v) && !lala_reverse(env, v)));
        expect(&t, list || !lala_list_has(v, name));
        expect(&t, map || (!lala_map_put(env, v, name, name) && !lala_map_get(v, name)));
        expect(&t, map || (!lala_map_remove(env, v, name) && !lala_map_keys(env, v)));
        expect(&t,
               map || (!lala_map_key(v, 0) && !lala_map_value(v, 0) && !lala_map_values(env, v)));
        expect(&t, map || (!lala_map_merge(env, v, LALA_NIL) && !lala_set_minus(env, LALA_NIL, v)));
        expect(&t, map || (!lala_set_intersect(env, v, LALA_NIL) && !lala_map_has(v, name)));
        expect(&t, kind == LALA_KIND_RECORD || (lala_tag(v) == -1 && !lala_field(v, 0)));
        expect(&t, kind == LALA_KIND_RECORD || !lala_with(env, v, 0, name));
        expect(&t, !lala_scope_open(env, v) && !lala_scope_close(env, v));
        expect(&t, !lala_scope_put(env, v, name, name) && !lala_scope_get(v, name));
        expect(&t, !lala_scope_change(env, v, name, name) && !lala_scope_visible(v));
        expect(&t, !lala_scope_here(v, name) && !lala_scope_of(v, name));
        expect(&t, !lala_type_arg(v, 0) && !*lala_type_name(v) && !lala_type_is(v, "int"));
        expect(&t, lala_is_int(v) || !lala_name(env, "v", v));
    }
    expect(&t, !lala_cons(env, NULL, LALA_NIL) && !lala_map_put(env, LALA_NIL, NULL, name));
    expect(&t, !lala_map_put(env, LALA_NIL, name, NULL) && !lala_make(env, 1, name, NULL));
    expect(&t, !lala_record(env, 1, LALA_MAX_FIELDS + 1, values) && !lala_record(env, 1, -1, NULL));
    expect(&t, !lala_str(env, NULL) && !lala_name(env, "v", lala_int(-1)));
    expect(&t,
           !lala_show(env, NULL) && !lala_type(env, "t", NULL) && !lala_term(env, NULL, NULL, 0));
    expect(&t, !lala_int(LALA_INT_MAX + 1) && !lala_int(LALA_INT_MIN - 1));
    tell(&t, "the wrong kind has no answer");
}

/* -- the env ----------------------------------------------------------------------------------- */

static void test_reset(void)
{
    struct lala_env *env = lala_env_new();
    struct tally t = {0};
    size_t bytes = 0;
    for (int round = 0; round < 6; round++) {
        int n = round % 2 ? 30000 : 50;
        lala map = LALA_NIL;
        expect(&t, lala_env_bytes(env) == 0);
        for (int i = 0; i < n; i++)
            map = lala_map_put(env, map, lala_format(env, "%d-%d", round % 2, i), lala_int(i));
        for (int i = 0; i < n; i++)
            expect(&t, lala_map_get(map, lala_format(env, "%d-%d", round % 2, i)) == lala_int(i));
        if (round < 2)
            bytes = lala_env_bytes(env);
        expect(&t, round % 2 == 0 || lala_env_bytes(env) == bytes);
        lala_env_reset(env);
    }
    char *huge = malloc(1 << 20);
    memset(huge, 'x', 1 << 20);
    for (int round = 0; round < 3; round++) {
        lala v = lala_string(env, huge, 1 << 20);
        expect(&t, v == lala_string(env, huge, 1 << 20) && lala_size(v) == 1 << 20);
        lala_env_reset(env);
    }
    free(huge);
    tell(&t, "reset forgets all, and the same again costs the same");
    lala_env_free(env);
    lala_env_free(NULL);
}

static int calls;

static lala half(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    calls++;
    for (int i = 0; i < 5000; i++) /* the table may grow during a call */
        lala_format(env, "%d of call %d", i, calls);
    return lala_to_int(arg[0]) % 2 ? LALA_UNDEFINED : lala_int(lala_to_int(arg[0]) / 2);
}

static void test_memo(void)
{
    static const struct lala_function f = {"half", "int : int", half, LALA_MEMO};
    static const struct lala_function g = {"also", "int : int", half, LALA_MEMO};
    struct lala_env *env = lala_env_new();
    struct tally t = {0};
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 20; i++)
            expect(&t, lala_call_memo(env, &f, (lala[]){lala_int(i)}, 1) ==
                           (i % 2 ? LALA_UNDEFINED : lala_int(i / 2)));
    tell(&t, "remembered answers");
    is_int(calls, 20, "one call per argument, also where the answer is undefined");
    lala_call_memo(env, &g, (lala[]){lala_int(4)}, 1);
    is_int(calls, 21, "another function has its own");
    lala_call_memo(env, &f, (lala[]){lala_int(4), lala_int(4)}, 2);
    is_int(calls, 22, "so have other arguments");
    ok(!lala_call_memo(env, &f, (lala[]){LALA_UNDEFINED}, 1) && calls == 22,
       "undefined arguments do not reach it");
    lala_env_reset(env);
    lala_call_memo(env, &f, (lala[]){lala_int(4)}, 1);
    is_int(calls, 23, "reset forgets the answers");
    lala_env_free(env);
}

int main(void)
{
    struct lala_env *env = lala_env_new();
    test_identity(env);
    test_hashes(env);
    test_order(env);
    test_maps(env);
    test_whole_maps(env);
    test_scopes(env);
    test_long_lists(env);
    test_deep_values(env);
    test_text(env);
    test_wrong_kinds(env);
    lala_env_free(env);
    test_reset();
    test_memo();
    return tap_done();
}
