/* Ready structures of <assay/lala.h>: scoped symbol tables, type terms, name supplies.
 *
 * A symbol table is a record of
 *
 *     scopes   a list, the innermost first: per scope a map from the names that it binds to what
 *              each of them hides, a list of one value or none. The last is the ground, which is
 *              never closed: what is bound before any scope is opened
 *     visible  a map from names to values
 *     index    a map from values to the sets of the visible names that are bound to them
 *     home     a node that stands for the env: lala_scope_of makes a list, and is given no env
 *
 * A scope keeps what it hides and not its own values, because those are visible until an inner
 * scope hides them, and then they are kept there. So each binding stands in one place, a change is
 * O(log n) wherever it was bound, and closing a scope costs O(log n) per name in it. And tables
 * with the same bindings are the same record, whatever the way that led to them. */
#include "ag/value.h"

enum { SCOPES, VISIBLE, INDEX, HOME };

struct table {
    lala scopes, visible, index;
};

static bool is_map(lala v)
{
    return v == LALA_NIL || lala_kind(v) == LALA_KIND_MAP;
}

/* False where the value is no table; a record of the same tag may have been made by anyone. */
static bool unpack(lala table, struct table *out)
{
    *out = (struct table){LALA_NIL, LALA_NIL, LALA_NIL};
    if (table == LALA_NIL)
        return true;
    if (lala_tag(table) != LALA_TAG_SCOPE)
        return false;
    *out = (struct table){lala_field(table, SCOPES), lala_field(table, VISIBLE),
                          lala_field(table, INDEX)};
    return lala_kind(out->scopes) == LALA_KIND_LIST && is_map(out->visible) && is_map(out->index);
}

static lala pack(struct lala_env *env, const struct table *t)
{
    if (lala_size(t->scopes) == 1 && t->visible == LALA_NIL)
        return LALA_NIL;
    return lala_make(env, LALA_TAG_SCOPE, t->scopes, t->visible, t->index,
                     lala_node(env, UINT64_MAX, 0));
}

/* The innermost scope; the ground where there is nothing yet. */
static lala innermost(const struct table *t)
{
    return t->scopes == LALA_NIL ? LALA_NIL : lala_head(t->scopes);
}

static void index_remove(struct lala_env *env, struct table *t, lala name, lala value)
{
    lala names = lala_set_remove(env, lala_map_get(t->index, value), name);
    t->index = names == LALA_NIL ? lala_map_remove(env, t->index, value)
                                 : lala_map_put(env, t->index, value, names);
}

static void index_add(struct lala_env *env, struct table *t, lala name, lala value)
{
    lala names = lala_map_get(t->index, value);
    names = lala_set_add(env, names ? names : LALA_NIL, name);
    t->index = lala_map_put(env, t->index, value, names);
}

/* The name is now bound to `value`; undefined: to nothing. `old` is what it was. */
static void rebind(struct lala_env *env, struct table *t, lala name, lala old, lala value)
{
    if (old == value)
        return;
    if (old)
        index_remove(env, t, name, old);
    if (value)
        index_add(env, t, name, value);
    t->visible =
        value ? lala_map_put(env, t->visible, name, value) : lala_map_remove(env, t->visible, name);
}

/* -- scopes ------------------------------------------------------------------------------------ */

lala lala_scope_open(struct lala_env *env, lala table)
{
    struct table t;
    if (!env || !unpack(table, &t))
        return LALA_UNDEFINED;
    if (t.scopes == LALA_NIL)
        t.scopes = lala_cons(env, LALA_NIL, LALA_NIL);
    t.scopes = lala_cons(env, LALA_NIL, t.scopes);
    return pack(env, &t);
}

lala lala_scope_close(struct lala_env *env, lala table)
{
    struct table t;
    if (!env || !unpack(table, &t) || lala_size(t.scopes) < 2)
        return LALA_UNDEFINED;
    lala scope = innermost(&t);
    for (size_t i = 0; i < lala_size(scope); i++) {
        lala name = lala_map_key(scope, i), hidden = lala_map_value(scope, i);
        rebind(env, &t, name, lala_map_get(t.visible, name), lala_head(hidden));
    }
    t.scopes = lala_tail(t.scopes);
    return pack(env, &t);
}

int lala_scope_depth(lala table)
{
    struct table t;
    return unpack(table, &t) && table != LALA_NIL ? (int)lala_size(t.scopes) - 1 : 0;
}

lala lala_scope_put(struct lala_env *env, lala table, lala name, lala value)
{
    struct table t;
    if (!env || !name || !value || !unpack(table, &t))
        return LALA_UNDEFINED;
    lala scope = innermost(&t), old = lala_map_get(t.visible, name);
    if (!lala_map_has(scope, name)) {
        lala hidden = old ? lala_cons(env, old, LALA_NIL) : LALA_NIL;
        lala outer = t.scopes == LALA_NIL ? LALA_NIL : lala_tail(t.scopes);
        t.scopes = lala_cons(env, lala_map_put(env, scope, name, hidden), outer);
    }
    rebind(env, &t, name, old, value);
    return pack(env, &t);
}

lala lala_scope_change(struct lala_env *env, lala table, lala name, lala value)
{
    struct table t;
    if (!env || !value || !unpack(table, &t))
        return LALA_UNDEFINED;
    lala old = lala_map_get(t.visible, name);
    if (!old)
        return LALA_UNDEFINED;
    rebind(env, &t, name, old, value);
    return pack(env, &t);
}

lala lala_scope_get(lala table, lala name)
{
    struct table t;
    return unpack(table, &t) ? lala_map_get(t.visible, name) : LALA_UNDEFINED;
}

bool lala_scope_here(lala table, lala name)
{
    struct table t;
    return unpack(table, &t) && lala_map_has(innermost(&t), name);
}

lala lala_scope_visible(lala table)
{
    struct table t;
    return unpack(table, &t) ? t.visible : LALA_UNDEFINED;
}

lala lala_scope_of(lala table, lala value)
{
    struct table t;
    if (!value || !unpack(table, &t))
        return LALA_UNDEFINED;
    lala names = lala_map_get(t.index, value);
    return names ? lala_set_items(lala_node_env(lala_field(table, HOME)), names) : LALA_NIL;
}

/* -- types ------------------------------------------------------------------------------------- */

lala lala_term(struct lala_env *env, const char *constructor, const lala *args, int n)
{
    if (!env || !constructor || n < 0 || n >= LALA_MAX_FIELDS || (n && !args))
        return LALA_UNDEFINED;
    lala fields[LALA_MAX_FIELDS] = {lala_str(env, constructor)};
    for (int i = 0; i < n; i++)
        fields[i + 1] = args[i];
    return lala_record(env, LALA_TAG_TYPE, n + 1, fields);
}

const char *lala_type_name(lala term)
{
    return lala_tag(term) == LALA_TAG_TYPE ? lala_text(lala_field(term, 0)) : "";
}

bool lala_type_is(lala term, const char *constructor)
{
    return constructor && lala_tag(term) == LALA_TAG_TYPE &&
           !strcmp(lala_type_name(term), constructor);
}

lala lala_type_arg(lala term, int i)
{
    return lala_tag(term) == LALA_TAG_TYPE && i >= 0 && i < LALA_MAX_FIELDS
               ? lala_field(term, i + 1)
               : LALA_UNDEFINED;
}

/* -- names ------------------------------------------------------------------------------------- */

lala lala_name(struct lala_env *env, const char *prefix, lala counter)
{
    if (!env || !prefix || !lala_is_int(counter) || lala_to_int(counter) < 0)
        return LALA_UNDEFINED;
    return lala_format(env, "%s%lld", prefix, (long long)lala_to_int(counter));
}
