/* Maps and sets.
 *
 * Maps are treaps (Seidel and Aragon, Randomized Search Trees, 1996) whose priorities are the
 * hashes of the keys: the same entries make the same tree whatever the order in which they came,
 * and so each subtree can be interned. A node carries its key's rank, a number that orders most
 * keys without looking at them; descending touches nothing but the nodes. */
#include "ag/value_internal.h"

/* -- maps ----------------------------------------------------------------------------------------
 *
 * An empty subtree is LALA_NIL. A node stands above all with a lower priority, and among equal ones
 * above those with greater keys. */

static lala make_tree(struct lala_env *env, uint64_t priority, uint64_t rank, lala key, lala value,
                      lala left, lala right)
{
    uint64_t hash = mix(priority ^ K1, hash_of(value) ^ K2) ^
                    mix(hash_of(left) ^ K3, mix(hash_of(right), K0) ^ K4);
    size_t at = first(env, hash);
    for (; candidate(env, &at, hash); at = next(env, at)) {
        const struct tree *t = as_tree(env->slots.at[at].object);
        if (t->o.kind == LALA_KIND_MAP && t->key == key && t->value == value && t->left == left &&
            t->right == right)
            return &t->o;
    }
    size_t size = size_of(left) + size_of(right) + 1;
    struct tree *t = place(env, at, hash, LALA_KIND_MAP, size, sizeof *t);
    t->priority = priority;
    t->rank = rank;
    t->key = key;
    t->value = value;
    t->left = left;
    t->right = right;
    return &t->o;
}

/* The entry of t over other subtrees. */
static inline lala over(struct lala_env *env, const struct tree *t, lala left, lala right)
{
    if (left == t->left && right == t->right)
        return &t->o;
    return make_tree(env, t->priority, t->rank, t->key, t->value, left, right);
}

/* A key with what orders it. */
struct key {
    lala v;
    uint64_t priority, rank;
};

static inline struct key key_of(lala v)
{
    return (struct key){v, hash_of(v), value_rank(v)};
}

static inline int compare_key(lala v, uint64_t rank, const struct tree *t)
{
    if (v == t->key)
        return 0;
    if (rank != t->rank)
        return rank < t->rank ? -1 : 1;
    return lala_compare(v, t->key);
}

static inline bool above(const struct key *k, const struct tree *t)
{
    if (k->priority != t->priority)
        return k->priority > t->priority;
    return lala_compare(k->v, t->key) < 0;
}

static inline bool tree_above(const struct tree *a, const struct tree *b)
{
    struct key k = {a->key, a->priority, a->rank};
    return above(&k, b);
}

/* What is less than the key, what is greater, and the value of the key itself, if it has one. */
static lala split(struct lala_env *env, lala map, const struct key *k, lala *less, lala *greater)
{
    if (map == LALA_NIL) {
        *less = *greater = LALA_NIL;
        return LALA_UNDEFINED;
    }
    const struct tree *t = as_tree(map);
    int c = compare_key(k->v, k->rank, t);
    lala value = t->value, part;
    if (c == 0) {
        *less = t->left;
        *greater = t->right;
    } else if (c < 0) {
        value = split(env, t->left, k, less, &part);
        *greater = over(env, t, part, t->right);
    } else {
        value = split(env, t->right, k, &part, greater);
        *less = over(env, t, t->left, part);
    }
    return value;
}

/* All keys of `a` are less than those of `b`. */
static lala join(struct lala_env *env, lala a, lala b)
{
    if (a == LALA_NIL || b == LALA_NIL)
        return a == LALA_NIL ? b : a;
    const struct tree *x = as_tree(a), *y = as_tree(b);
    if (tree_above(x, y))
        return over(env, x, x->left, join(env, x->right, b));
    return over(env, y, join(env, a, y->left), y->right);
}

/* A node that stands below the key in the order of priorities is the root of a tree without it. */
static lala put(struct lala_env *env, lala map, const struct key *k, lala value)
{
    if (map == LALA_NIL)
        return make_tree(env, k->priority, k->rank, k->v, value, LALA_NIL, LALA_NIL);
    const struct tree *t = as_tree(map);
    int c = compare_key(k->v, k->rank, t);
    if (c == 0)
        return value == t->value
                   ? map
                   : make_tree(env, k->priority, k->rank, k->v, value, t->left, t->right);
    if (above(k, t)) {
        lala less, greater;
        split(env, map, k, &less, &greater);
        return make_tree(env, k->priority, k->rank, k->v, value, less, greater);
    }
    return c < 0 ? over(env, t, put(env, t->left, k, value), t->right)
                 : over(env, t, t->left, put(env, t->right, k, value));
}

lala lala_map_put(struct lala_env *env, lala map, lala key, lala value)
{
    if (!env || !is_map(map) || !key || !value)
        return LALA_UNDEFINED;
    struct key k = key_of(key);
    return put(env, map, &k, value);
}

static lala without(struct lala_env *env, lala map, const struct key *k)
{
    if (map == LALA_NIL)
        return map;
    const struct tree *t = as_tree(map);
    int c = compare_key(k->v, k->rank, t);
    if (c == 0)
        return join(env, t->left, t->right);
    return c < 0 ? over(env, t, without(env, t->left, k), t->right)
                 : over(env, t, t->left, without(env, t->right, k));
}

lala lala_map_remove(struct lala_env *env, lala map, lala key)
{
    if (!env || !is_map(map) || !key)
        return LALA_UNDEFINED;
    struct key k = key_of(key);
    return without(env, map, &k);
}

lala lala_map_get(lala map, lala key)
{
    if (!is_kind(map, LALA_KIND_MAP) || !key)
        return LALA_UNDEFINED;
    uint64_t rank = value_rank(key);
    while (map != LALA_NIL) {
        const struct tree *t = as_tree(map);
        int c = compare_key(key, rank, t);
        if (c == 0)
            return t->value;
        map = c < 0 ? t->left : t->right;
    }
    return LALA_UNDEFINED;
}

bool lala_map_has(lala map, lala key)
{
    return lala_map_get(map, key) != LALA_UNDEFINED;
}

/* The i-th entry in order. */
static const struct tree *entry(lala map, size_t i)
{
    if (!is_kind(map, LALA_KIND_MAP) || i >= map->size)
        return NULL;
    for (const struct tree *t = as_tree(map);;) {
        size_t before = size_of(t->left);
        if (i == before)
            return t;
        t = as_tree(i < before ? t->left : t->right);
        i -= i < before ? 0 : before + 1;
    }
}

lala lala_map_key(lala map, size_t i)
{
    const struct tree *t = entry(map, i);
    return t ? t->key : LALA_UNDEFINED;
}

lala lala_map_value(lala map, size_t i)
{
    const struct tree *t = entry(map, i);
    return t ? t->value : LALA_UNDEFINED;
}

enum part { KEYS, VALUES };

/* The keys or values of a map, in order, and the list behind them. */
static lala listed(struct lala_env *env, enum part part, lala map, lala list)
{
    if (map == LALA_NIL)
        return list;
    list = listed(env, part, as_tree(map)->right, list);
    list = lala_cons(env, part == KEYS ? as_tree(map)->key : as_tree(map)->value, list);
    return listed(env, part, as_tree(map)->left, list);
}

static lala list_keys(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return listed(env, KEYS, arg[0], LALA_NIL);
}

/* Remembered, for what a generator offers is mostly a set, and the same one again and again. */
lala lala_map_keys(struct lala_env *env, lala map)
{
    static const struct lala_function keys = {"keys", "Map : List", list_keys, LALA_MEMO};
    if (!env || !is_map(map))
        return LALA_UNDEFINED;
    return size_of(map) < 2 ? listed(env, KEYS, map, LALA_NIL)
                            : lala_call_memo(env, &keys, &map, 1);
}

lala lala_map_values(struct lala_env *env, lala map)
{
    return env && is_map(map) ? listed(env, VALUES, map, LALA_NIL) : LALA_UNDEFINED;
}

/* The root of the result is the higher of the two roots; the other map is split at its key. Where
 * that is the root of `a`, the key is not in `b`: it would stand at least as high there. */
static lala merge(struct lala_env *env, lala a, lala b)
{
    if (a == b || b == LALA_NIL)
        return a;
    if (a == LALA_NIL)
        return b;
    const struct tree *x = as_tree(a), *y = as_tree(b);
    lala less, greater;
    if (x->key != y->key && tree_above(x, y)) {
        struct key k = {x->key, x->priority, x->rank};
        split(env, b, &k, &less, &greater);
        less = merge(env, x->left, less);
        return over(env, x, less, merge(env, x->right, greater));
    }
    struct key k = {y->key, y->priority, y->rank};
    split(env, a, &k, &less, &greater);
    less = merge(env, less, y->left);
    return over(env, y, less, merge(env, greater, y->right));
}

lala lala_map_merge(struct lala_env *env, lala a, lala b)
{
    return env && is_map(a) && is_map(b) ? merge(env, a, b) : LALA_UNDEFINED;
}

/* Those entries of `a` whose keys `b` has, or has not. */
static lala select_keys(struct lala_env *env, lala a, lala b, bool wanted)
{
    if (a == LALA_NIL || b == LALA_NIL || a == b)
        return wanted == (a == b) ? a : LALA_NIL;
    const struct tree *t = as_tree(a);
    struct key k = {t->key, t->priority, t->rank};
    lala less, greater;
    bool has = split(env, b, &k, &less, &greater) != LALA_UNDEFINED;
    less = select_keys(env, t->left, less, wanted);
    greater = select_keys(env, t->right, greater, wanted);
    return has == wanted ? over(env, t, less, greater) : join(env, less, greater);
}

/* -- sets -------------------------------------------------------------------------------------- */

lala lala_set_add(struct lala_env *env, lala set, lala item)
{
    return lala_map_put(env, set, item, LALA_TRUE);
}

lala lala_set_remove(struct lala_env *env, lala set, lala item)
{
    return lala_map_remove(env, set, item);
}

bool lala_set_has(lala set, lala item)
{
    return lala_map_has(set, item);
}

lala lala_set_union(struct lala_env *env, lala a, lala b)
{
    return lala_map_merge(env, a, b);
}

lala lala_set_intersect(struct lala_env *env, lala a, lala b)
{
    return env && is_map(a) && is_map(b) ? select_keys(env, a, b, true) : LALA_UNDEFINED;
}

lala lala_set_minus(struct lala_env *env, lala a, lala b)
{
    return env && is_map(a) && is_map(b) ? select_keys(env, a, b, false) : LALA_UNDEFINED;
}

lala lala_set_items(struct lala_env *env, lala set)
{
    return lala_map_keys(env, set);
}
