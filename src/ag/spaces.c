/* The namespaces that are built in, a table each.
 *
 * A call comes with as many arguments as its signature says, all of them defined (ag_bind and the
 * search see to that), but of any kind: a specification is not typed beyond the names of its types.
 * An argument of the wrong kind makes the answer undefined. That the functions of <assay/lala.h> do
 * by themselves; those that answer with a truth or a number are asked after a look at the kind. */
#include "ag/spaces.h"

#include "base/strbuf.h"

#define CALL(name) static lala name(struct lala_env *env, const lala *arg, int n)
#define ANSWER(name, ...) /* a function that is one expression */                                  \
    CALL(name)                                                                                     \
    {                                                                                              \
        (void)env, (void)arg, (void)n;                                                             \
        return __VA_ARGS__;                                                                        \
    }

static bool is(lala v, enum lala_kind kind)
{
    return v == LALA_NIL || lala_kind(v) == kind;
}

/* An index; what is none is behind every end. */
static size_t index_of(lala v)
{
    return lala_is_int(v) && lala_to_int(v) >= 0 ? (size_t)lala_to_int(v) : SIZE_MAX;
}

static lala bool_if(bool defined, bool answer)
{
    return defined ? lala_bool(answer) : LALA_UNDEFINED;
}

static lala size_if(bool defined, lala v)
{
    return defined ? lala_int((int64_t)lala_size(v)) : LALA_UNDEFINED;
}

ANSWER(empty, LALA_NIL)

/* -- List -------------------------------------------------------------------------------------- */

ANSWER(list_of, lala_list(env, arg, (size_t)n))
ANSWER(list_cons, lala_cons(env, arg[0], arg[1]))
ANSWER(list_append, lala_append(env, arg[0], arg[1]))
ANSWER(list_reverse, lala_reverse(env, arg[0]))
ANSWER(list_head, lala_head(arg[0]))
ANSWER(list_tail, lala_tail(arg[0]))
ANSWER(list_at, lala_at(arg[0], index_of(arg[1])))
ANSWER(list_has, bool_if(is(arg[0], LALA_KIND_LIST), lala_list_has(arg[0], arg[1])))
ANSWER(list_size, size_if(is(arg[0], LALA_KIND_LIST), arg[0]))

static const struct lala_function list_functions[] = {
    {"empty", ": List", empty, 0},
    {"of", "any... : List", list_of, 0},
    {"cons", "any, List : List", list_cons, 0},
    {"append", "List, List : List", list_append, 0},
    {"reverse", "List : List", list_reverse, 0},
    {"head", "List : any", list_head, 0},
    {"tail", "List : List", list_tail, 0},
    {"at", "List, int : any", list_at, 0},
    {"has", "List, any : boolean", list_has, 0},
    {"size", "List : int", list_size, 0},
};

/* -- Set --------------------------------------------------------------------------------------- */

CALL(set_of)
{
    lala set = LALA_NIL;
    for (int i = 0; i < n; i++)
        set = lala_set_add(env, set, arg[i]);
    return set;
}
ANSWER(set_add, lala_set_add(env, arg[0], arg[1]))
ANSWER(set_has, bool_if(is(arg[0], LALA_KIND_MAP), lala_set_has(arg[0], arg[1])))
ANSWER(set_remove, lala_set_remove(env, arg[0], arg[1]))
ANSWER(set_union, lala_set_union(env, arg[0], arg[1]))
ANSWER(set_intersect, lala_set_intersect(env, arg[0], arg[1]))
ANSWER(set_minus, lala_set_minus(env, arg[0], arg[1]))
ANSWER(set_items, lala_set_items(env, arg[0]))
ANSWER(set_size, size_if(is(arg[0], LALA_KIND_MAP), arg[0]))

static const struct lala_function set_functions[] = {
    {"empty", ": Set", empty, 0},
    {"of", "any... : Set", set_of, 0},
    {"add", "Set, any : Set", set_add, 0},
    {"has", "Set, any : boolean", set_has, 0},
    {"remove", "Set, any : Set", set_remove, 0},
    {"union", "Set, Set : Set", set_union, 0},
    {"intersect", "Set, Set : Set", set_intersect, 0},
    {"minus", "Set, Set : Set", set_minus, 0},
    {"items", "Set : List", set_items, 0},
    {"size", "Set : int", set_size, 0},
};

/* -- Map --------------------------------------------------------------------------------------- */

ANSWER(map_put, lala_map_put(env, arg[0], arg[1], arg[2]))
ANSWER(map_get, lala_map_get(arg[0], arg[1]))
ANSWER(map_keys, lala_map_keys(env, arg[0]))
ANSWER(map_values, lala_map_values(env, arg[0]))

static const struct lala_function map_functions[] = {
    {"empty", ": Map", empty, 0},
    {"put", "Map, any, any : Map", map_put, 0},
    {"get", "Map, any : any", map_get, 0},
    {"has", "Map, any : boolean", set_has, 0},
    {"remove", "Map, any : Map", set_remove, 0},
    {"keys", "Map : List", map_keys, 0},
    {"values", "Map : List", map_values, 0},
    {"size", "Map : int", set_size, 0},
};

/* -- Str --------------------------------------------------------------------------------------- */

static void add_shown(struct strbuf *out, struct lala_env *env, lala v)
{
    lala text = lala_show(env, v);
    strbuf_add(out, lala_text(text), lala_size(text));
}

static lala finish(struct strbuf *text, struct lala_env *env)
{
    lala result = lala_string(env, text->s, text->n);
    strbuf_release(text);
    return result;
}

CALL(str_concat)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    for (int i = 0; i < n; i++)
        add_shown(&text, env, arg[i]);
    return finish(&text, env);
}

CALL(str_join)
{
    (void)n;
    if (!is(arg[0], LALA_KIND_LIST) || lala_kind(arg[1]) != LALA_KIND_STRING)
        return LALA_UNDEFINED;
    struct strbuf text;
    strbuf_init(&text, 0);
    for (lala l = arg[0]; lala_more(l); l = lala_tail(l)) {
        if (l != arg[0])
            add_shown(&text, env, arg[1]);
        add_shown(&text, env, lala_head(l));
    }
    return finish(&text, env);
}

ANSWER(str_from_int, lala_is_int(arg[0]) ? lala_show(env, arg[0]) : LALA_UNDEFINED)
ANSWER(str_equals,
       bool_if(lala_kind(arg[0]) == LALA_KIND_STRING && lala_kind(arg[1]) == LALA_KIND_STRING,
               arg[0] == arg[1]))

static const struct lala_function str_functions[] = {
    {"concat", "any... : String", str_concat, 0},
    {"fromInt", "int : String", str_from_int, 0},
    {"equals", "String, String : boolean", str_equals, 0},
    {"join", "List, String : String", str_join, 0},
};

/* -- Scope ------------------------------------------------------------------------------------- */

static bool is_scope(lala v)
{
    return lala_scope_visible(v) != LALA_UNDEFINED;
}

ANSWER(scope_open, lala_scope_open(env, arg[0]))
ANSWER(scope_close, lala_scope_close(env, arg[0]))
ANSWER(scope_put, lala_scope_put(env, arg[0], arg[1], arg[2]))
ANSWER(scope_change, lala_scope_change(env, arg[0], arg[1], arg[2]))
ANSWER(scope_get, lala_scope_get(arg[0], arg[1]))
ANSWER(scope_has, bool_if(is_scope(arg[0]), lala_scope_get(arg[0], arg[1]) != LALA_UNDEFINED))
ANSWER(scope_here, bool_if(is_scope(arg[0]), lala_scope_here(arg[0], arg[1])))
ANSWER(scope_names, lala_map_keys(env, lala_scope_visible(arg[0])))
ANSWER(scope_of, lala_scope_of(arg[0], arg[1]))
ANSWER(scope_depth, is_scope(arg[0]) ? lala_int(lala_scope_depth(arg[0])) : LALA_UNDEFINED)

static const struct lala_function scope_functions[] = {
    {"empty", ": Scope", empty, 0},
    {"open", "Scope : Scope", scope_open, 0},
    {"close", "Scope : Scope", scope_close, 0},
    {"put", "Scope, any, any : Scope", scope_put, 0},
    {"change", "Scope, any, any : Scope", scope_change, 0},
    {"get", "Scope, any : any", scope_get, 0},
    {"has", "Scope, any : boolean", scope_has, 0},
    {"here", "Scope, any : boolean", scope_here, 0},
    {"names", "Scope : List", scope_names, 0},
    {"of", "Scope, any : List", scope_of, 0},
    {"depth", "Scope : int", scope_depth, 0},
};

/* -- Type and Name ----------------------------------------------------------------------------- */

static bool is_type(lala v)
{
    return *lala_type_name(v) != '\0';
}

/* A type without a name would look like no type at all. */
ANSWER(type_make,
       *lala_text(arg[0]) ? lala_term(env, lala_text(arg[0]), arg + 1, n - 1) : LALA_UNDEFINED)
ANSWER(type_is, bool_if(is_type(arg[0]) && lala_kind(arg[1]) == LALA_KIND_STRING,
                        lala_type_is(arg[0], lala_text(arg[1]))))
ANSWER(type_name, is_type(arg[0]) ? lala_str(env, lala_type_name(arg[0])) : LALA_UNDEFINED)
ANSWER(type_arg,
       lala_type_arg(arg[0], index_of(arg[1]) < LALA_MAX_FIELDS ? (int)index_of(arg[1]) : -1))

static const struct lala_function type_functions[] = {
    {"make", "String, any... : Type", type_make, 0},
    {"is", "Type, String : boolean", type_is, 0},
    {"name", "Type : String", type_name, 0},
    {"arg", "Type, int : any", type_arg, 0},
};

ANSWER(name_make, lala_kind(arg[0]) == LALA_KIND_STRING ? lala_name(env, lala_text(arg[0]), arg[1])
                                                        : LALA_UNDEFINED)

static const struct lala_function name_functions[] = {
    {"make", "String, int : String", name_make, 0},
};

/* -- all of them ------------------------------------------------------------------------------- */

const struct lala_module *ag_spaces(void)
{
    static const struct lala_namespace spaces[] = {
        LALA_NAMESPACE("List", list_functions),   LALA_NAMESPACE("Set", set_functions),
        LALA_NAMESPACE("Map", map_functions),     LALA_NAMESPACE("Str", str_functions),
        LALA_NAMESPACE("Scope", scope_functions), LALA_NAMESPACE("Type", type_functions),
        LALA_NAMESPACE("Name", name_functions),
    };
    static const struct lala_module module = {LALA_VERSION, spaces,
                                              (int)(sizeof spaces / sizeof *spaces)};
    return &module;
}
