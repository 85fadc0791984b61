/* What a runtime function of a LALA specification may use: values, and ready structures on them.
 *
 * A specification says `use SymbTab;` and `(SymbTab:put this.syms i.str)`. Beside it stands a C
 * file, its runtime, that defines the functions and names them in one table:
 *
 *     #include <assay/lala.h>
 *
 *     static lala put(struct lala_env *env, const lala *arg, int n)
 *     {
 *         return lala_set_add(env, arg[0], arg[1]);
 *     }
 *     static const struct lala_function symbtab[] = {
 *         {"empty", ": SymbTab", empty, 0},
 *         {"put", "SymbTab, String : SymbTab", put, 0},
 *     };
 *     static const struct lala_namespace namespaces[] = {LALA_NAMESPACE("SymbTab", symbtab)};
 *     LALA_MODULE(namespaces);
 *
 * `assay lala build DIR` compiles it to a module, which is loaded at run time.
 *
 * Values are immutable and live as long as the program that is being generated. Equal values are
 * the same value: compare them with ==. A function must be pure: the same arguments, the same
 * answer, and no state of its own; the search evaluates it whenever and as often as it likes.
 *
 * Undefined: a function that has no answer returns NULL (LALA_UNDEFINED). The part of the tree that
 * asked is then as invalid as if a guard had been false. Every function below answers NULL when it
 * is given NULL or a value of the wrong kind; none crashes. */
#ifndef ASSAY_LALA_H
#define ASSAY_LALA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LALA_VERSION = 1 }; /* of this interface; a module built for another is not loaded */

typedef const struct lala_object *lala;
struct lala_env; /* where values live; handed to every function */

#define LALA_UNDEFINED ((lala)0)
#define LALA_NIL ((lala)(uintptr_t)2) /* also the empty list, the empty map and the empty set */
#define LALA_FALSE ((lala)(uintptr_t)4)
#define LALA_TRUE ((lala)(uintptr_t)6)

/* -- integers and truth: no memory, no env ----------------------------------------------------- */

#define LALA_INT_MAX (INT64_MAX >> 1)
#define LALA_INT_MIN (INT64_MIN >> 1)

static inline lala lala_bool(bool b)
{
    return b ? LALA_TRUE : LALA_FALSE;
}
/* 63 bits; beyond them: undefined. */
static inline lala lala_int(int64_t i)
{
    return i < LALA_INT_MIN || i > LALA_INT_MAX ? LALA_UNDEFINED
                                                : (lala)(uintptr_t)(((uint64_t)i << 1) | 1);
}
static inline bool lala_is_int(lala v)
{
    return (uintptr_t)v & 1;
}
static inline int64_t lala_to_int(lala v) /* of an integer */
{
    return (int64_t)(uintptr_t)v >> 1;
}
static inline bool lala_is_true(lala v)
{
    return v == LALA_TRUE;
}

/* -- kinds ------------------------------------------------------------------------------------- */

enum lala_kind {
    LALA_KIND_UNDEFINED,
    LALA_KIND_NIL,
    LALA_KIND_BOOL,
    LALA_KIND_INT,
    LALA_KIND_STRING,
    LALA_KIND_LIST, /* not empty */
    LALA_KIND_MAP,  /* not empty; sets are maps from their elements to true */
    LALA_KIND_RECORD,
    LALA_KIND_NODE, /* a node of the tree, passed as `this` or by a child's name */
};
enum lala_kind lala_kind(lala v);
/* Bytes of a string, elements of a list, entries of a map or set, fields of a record; else 0. */
size_t lala_size(lala v);
/* A total order on values that depends on what they are, not where: integers by size, strings by
 * bytes, others element by element. Negative, 0 or positive. */
int lala_compare(lala a, lala b);

/* -- strings ----------------------------------------------------------------------------------- */

lala lala_string(struct lala_env *env, const char *bytes, size_t n);
lala lala_str(struct lala_env *env, const char *text); /* up to the NUL */
lala lala_format(struct lala_env *env, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
lala lala_concat(struct lala_env *env, lala a, lala b);
/* The bytes of a string, with a NUL behind them; "" of anything else. */
const char *lala_text(lala v);
/* How a value is printed into a program: strings and integers as they are, true and false, nothing
 * for nil, lists and sets with ", " between, a record as its first field. Always a string. */
lala lala_show(struct lala_env *env, lala v);

/* -- lists: chains, cheap at the front --------------------------------------------------------- */

lala lala_cons(struct lala_env *env, lala head, lala tail);
lala lala_list(struct lala_env *env, const lala *items, size_t n);
lala lala_head(lala list); /* undefined of the empty list */
lala lala_tail(lala list);
lala lala_at(lala list, size_t i);                      /* walks; undefined past the end */
lala lala_append(struct lala_env *env, lala a, lala b); /* copies a */
lala lala_reverse(struct lala_env *env, lala list);
bool lala_list_has(lala list, lala item);
/*     for (lala l = list; lala_more(l); l = lala_tail(l)) ... lala_head(l) ... */
static inline bool lala_more(lala list)
{
    return list && list != LALA_NIL;
}

/* -- maps and sets: ordered by lala_compare of the keys, every change in O(log n) -------------- */

lala lala_map_put(struct lala_env *env, lala map, lala key, lala value);
lala lala_map_remove(struct lala_env *env, lala map,
                     lala key);        /* itself where there is no such key */
lala lala_map_get(lala map, lala key); /* undefined where there is none */
bool lala_map_has(lala map, lala key);
lala lala_map_key(lala map, size_t i); /* the i-th in order; undefined past the end */
lala lala_map_value(lala map, size_t i);
lala lala_map_keys(struct lala_env *env, lala map); /* lists, in the order of the keys */
lala lala_map_values(struct lala_env *env, lala map);
/* Entries of both; where both have a key, the value of `b`. */
lala lala_map_merge(struct lala_env *env, lala a, lala b);

lala lala_set_add(struct lala_env *env, lala set, lala item);
lala lala_set_remove(struct lala_env *env, lala set, lala item);
bool lala_set_has(lala set, lala item);
lala lala_set_union(struct lala_env *env, lala a, lala b);
lala lala_set_intersect(struct lala_env *env, lala a, lala b);
lala lala_set_minus(struct lala_env *env, lala a, lala b);
lala lala_set_items(struct lala_env *env, lala set); /* a list, in order */

/* -- records: a tag of the runtime's own and fields -------------------------------------------- */

enum { LALA_MAX_FIELDS = 16 };
/* Tags are 0 and above; those below belong to the ready structures. */
lala lala_record(struct lala_env *env, int tag, int n, const lala *fields);
/* lala_make(env, TAG, name, type): counts the fields by itself. */
#define lala_make(env, tag, ...)                                                                   \
    lala_record((env), (tag), (int)(sizeof((lala[]){__VA_ARGS__}) / sizeof(lala)),                 \
                (lala[]){__VA_ARGS__})
int lala_tag(lala record);           /* -1 of anything else */
lala lala_field(lala record, int i); /* undefined past the end */
/* The same record with one field changed. */
lala lala_with(struct lala_env *env, lala record, int i, lala value);

/* -- nodes ------------------------------------------------------------------------------------- */

/* A number that was drawn for this node, the same for as long as the node stands: the only chance
 * that a runtime function has. 0 is the simplest. */
uint64_t lala_node_number(lala node);

/* -- ready structures -------------------------------------------------------------------------- */

/* Scoped symbol tables. The empty one is LALA_NIL. A name may be bound once per scope; an inner one
 * hides an outer one. What is bound while no scope is open is bound for good. */
lala lala_scope_open(struct lala_env *env, lala table);
lala lala_scope_close(struct lala_env *env, lala table); /* undefined when none is open */
int lala_scope_depth(lala table);                        /* 0: none is open */
/* Binds the name in the innermost scope, anew where it was bound there. */
lala lala_scope_put(struct lala_env *env, lala table, lala name, lala value);
/* Changes the binding that is visible, in whatever scope it stands; undefined where none is. */
lala lala_scope_change(struct lala_env *env, lala table, lala name, lala value);
lala lala_scope_get(lala table, lala name);  /* the visible one; undefined where there is none */
bool lala_scope_here(lala table, lala name); /* bound in the innermost scope? */
/* All that is visible, as a map from names to values: O(1), for it is kept so. */
lala lala_scope_visible(lala table);
/* The visible names that are bound to just this value, a list in the order of the names: O(log n),
 * for they are kept so, and the list is made once. Give things of one kind one value (a type), and
 * this answers what may stand where such a thing is wanted. */
lala lala_scope_of(lala table, lala value);

/* Type terms: a constructor's name and arguments. `lala_type(env, "ptr", t)`. */
lala lala_term(struct lala_env *env, const char *constructor, const lala *args, int n);
#define lala_type(env, constructor, ...)                                                           \
    lala_term((env), (constructor), (lala[]){LALA_NIL __VA_OPT__(, ) __VA_ARGS__} + 1,             \
              (int)(sizeof((lala[]){LALA_NIL __VA_OPT__(, ) __VA_ARGS__}) / sizeof(lala)) - 1)
bool lala_type_is(lala term, const char *constructor);
const char *lala_type_name(lala term); /* "ptr"; "" of anything else */
lala lala_type_arg(lala term, int i);

/* Name supplies: the n-th name with this prefix, "v0", "v1". A supply is an integer that counts. */
lala lala_name(struct lala_env *env, const char *prefix, lala counter);

/* -- the table of functions -------------------------------------------------------------------- */

/* Undefined arguments never reach a function: its answer is undefined without asking it. */
typedef lala lala_call(struct lala_env *env, const lala *arg, int n);

enum { LALA_MEMO = 1 }; /* costs more than looking up what it answered before */

struct lala_function {
    const char *name;
    /* "SymbTab, String : boolean". Types are names: boolean, int, String, those of the runtime,
     * List<T> of what a generator may choose from, `any`, Node. A last parameter "T..." takes any
     * number of arguments. */
    const char *signature;
    lala_call *call;
    unsigned flags;
};
struct lala_namespace {
    const char *name;
    const struct lala_function *functions;
    int n;
};
#define LALA_NAMESPACE(name, table)                                                                \
    {                                                                                              \
        (name), (table), (int)(sizeof(table) / sizeof *(table))                                    \
    }

struct lala_module {
    int version;
    const struct lala_namespace *namespaces;
    int n;
};
#define LALA_MODULE(table)                                                                         \
    extern const struct lala_module lala_module;                                                   \
    const struct lala_module lala_module = {LALA_VERSION, (table),                                 \
                                            (int)(sizeof(table) / sizeof *(table))}

#ifdef __cplusplus
}
#endif
#endif
