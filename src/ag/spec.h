/* A LALA specification as data: what the parser makes, the checker completes and the search reads.
 *
 *     ag_parse      text -> classes, productions, rules, with their places    (parse.c)
 *     ag_bind       names -> classes, children, attributes, functions; @copy  (bind.c)
 *     ag_check      everything that can be wrong with it                      (check.c)
 *
 * The three share a list of messages, so that a user sees all that is wrong at once. Fields marked
 * "bound" are filled by ag_bind, those marked "checked" by ag_check; both only when no error was
 * found. Everything lives in the arena that ag_parse was given. docs/LALA.md describes the
 * language. */
#ifndef ASSAY_AG_SPEC_H
#define ASSAY_AG_SPEC_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <assay/lala.h>

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct ag_place {
    int line, column; /* from 1; 0: nowhere */
};

/* -- messages ---------------------------------------------------------------------------------- */

enum ag_severity { AG_ERROR, AG_WARNING };

struct ag_message {
    enum ag_severity severity;
    struct ag_place place;
    const char *text; /* one sentence: what is wrong */
    const char *hint; /* what to do, NULL where there is nothing to say */
};

struct ag_messages {
    struct arena *arena;
    const char *file; /* as the user named it */
    VEC(struct ag_message) list;
    int errors;
};

void ag_messages_init(struct ag_messages *m, struct arena *a, const char *file);
void ag_messages_release(struct ag_messages *m);
/* Adds a message; `hint` may be NULL. */
void ag_say(struct ag_messages *m, enum ag_severity severity, struct ag_place place,
            const char *hint, const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The messages in the order of their places, those of one place as they came. The caller frees the
 * array. */
const struct ag_message **ag_messages_in_order(const struct ag_messages *m);
/* "file:3:14: error: ..." and an indented "hint: ..." per message, in the order of the places. */
void ag_messages_text(const struct ag_messages *m, struct strbuf *out);
/* The first error as a struct error, for callers that have room for one. Returns -1. */
int ag_messages_error(const struct ag_messages *m, struct error *e);

/* -- expressions ------------------------------------------------------------------------------- */

#define AG_BUILTINS(X) /* name in text, enum, least arguments, most (-1: any) */                   \
    X("and", AND, 2, -1)                                                                           \
    X("or", OR, 2, -1)                                                                             \
    X("not", NOT, 1, 1)                                                                            \
    X("isNil", IS_NIL, 1, 1)                                                                       \
    X("if", IF, 3, 3)                                                                              \
    X("int", INT, 1, 1)                                                                            \
    X("+", ADD, 1, -1)                                                                             \
    X("-", SUB, 1, -1)                                                                             \
    X("*", MUL, 2, -1)                                                                             \
    X("/", DIV, 2, 2)                                                                              \
    X("==", EQ, 2, 2)                                                                              \
    X("!=", NE, 2, 2)                                                                              \
    X("<", LT, 2, 2)                                                                               \
    X(">", GT, 2, 2)                                                                               \
    X("<=", LE, 2, 2)                                                                              \
    X(">=", GE, 2, 2)                                                                              \
    X("equals", EQUALS, 2, 2)                                                                      \
    X("max", MAX, 1, -1)                                                                           \
    X("min", MIN, 1, -1)                                                                           \
    X("len", LEN, 1, 1)

enum ag_builtin {
#define X(text, name, least, most) AG_##name,
    AG_BUILTINS(X)
#undef X
        AG_N_BUILTINS
};

enum ag_expr_kind {
    AG_E_INT,    /* 42 */
    AG_E_STRING, /* "text"; also 'c', a string of one character */
    AG_E_TRUE,
    AG_E_FALSE,
    AG_E_NIL,
    AG_E_VALUE,   /* $ */
    AG_E_ATTR,    /* this.a, child.a */
    AG_E_LOC,     /* .x */
    AG_E_NODE,    /* this, child */
    AG_E_BUILTIN, /* (+ a b) */
    AG_E_CALL,    /* (NS:fn a b) */
};

struct ag_expr {
    enum ag_expr_kind kind;
    struct ag_place place;
    int64_t number;        /* INT */
    const char *text;      /* STRING: the characters; ATTR, NODE: name of the node ("this");
                              LOC: its name; CALL: name of the function */
    size_t size;           /* STRING: bytes */
    const char *attribute; /* ATTR: its name */
    const char *space;     /* CALL: name of the namespace */
    enum ag_builtin builtin;
    struct ag_expr **args; /* BUILTIN, CALL */
    int n_args;
    /* bound */
    int child; /* ATTR, NODE: index of the child, -1 for `this` */
    int slot;  /* ATTR: index in the class's attributes; LOC: index in the locs */
    const struct lala_function *function; /* CALL; NULL where the runtime is not at hand */
    const char *type;                     /* its type, "any" where nothing is known (checked) */
};

/* -- classes ----------------------------------------------------------------------------------- */

enum ag_attr_kind { AG_INH, AG_SYN, AG_GRD };

struct ag_attr {
    enum ag_attr_kind kind;
    const char *name;
    const char *type; /* "boolean" of a guard */
    struct ag_place place;
};

enum ag_piece_kind {
    AG_P_TEXT,    /* characters, after escapes */
    AG_P_CHILD,   /* ${child : Class}; `again`: #{child}, printed once more */
    AG_P_EXPR,    /* #{expr} */
    AG_P_NEWLINE, /* \n: a newline, and the current indent */
    AG_P_INDENT,  /* \+: a newline with one level more */
    AG_P_OUTDENT, /* \-: a newline with one level less */
};

struct ag_piece {
    enum ag_piece_kind kind;
    const char *text; /* TEXT */
    size_t size;
    int child;   /* CHILD: index; of #{child} -1 until bound, when it turns from EXPR to CHILD */
    bool again;  /* CHILD */
    bool parens; /* CHILD: \(${c : C}\), parentheses where precedence asks for them */
    struct ag_expr *expr; /* EXPR */
};

struct ag_child {
    const char *name;
    const char *class_name;
    struct ag_place place;
    struct ag_class *class; /* bound */
};

struct ag_loc {
    const char *name;
    struct ag_expr *expr;
    struct ag_place place;
};

enum { AG_THIS = -1 };

struct ag_rule {
    const char *node; /* "this" or a child's name */
    const char *attribute;
    struct ag_expr *expr;
    struct ag_place place;
    bool copied; /* made by @copy */
    /* bound */
    int child; /* AG_THIS or the index of a child */
    int slot;  /* in the attributes of that node's class */
};

struct ag_names { /* of @feature and @copy(...) */
    const char **at;
    int n;
};

enum { AG_INFINITE_HEIGHT = INT_MAX };
#define AG_INFINITE_SIZE INT64_MAX

struct ag_production {
    const char *name;
    struct ag_place place;
    struct ag_class *class;
    struct ag_piece *pieces;
    int n_pieces;
    struct ag_child *children;
    int n_children;
    struct ag_loc *locs;
    int n_locs;
    struct ag_rule *rules; /* ag_bind appends those that @copy makes */
    int n_rules;
    struct ag_expr *generator; /* generator production: the call; otherwise NULL */
    const char *value_type;    /* generator production: T */
    /* annotations */
    unsigned weight;          /* 1 */
    struct ag_names features; /* kept if one of them is enabled, or if there are none */
    int precedence;           /* -1: none */
    bool hidden;
    bool copy;                 /* @copy or @copy(...), its own or its class's: which see */
    struct ag_names copy_only; /* @copy(...): these attributes; n 0: all */
    /* checked */
    int index;        /* in the specification, from 0 */
    bool recursive;   /* a child stands in the same component as the class */
    int min_height;   /* of the smallest tree, within its component; see ag_check */
    int64_t min_size; /* nodes of the smallest tree; saturates */
};

enum ag_class_kind { AG_TREE, AG_LITERAL, AG_GENERATOR };

struct ag_class {
    enum ag_class_kind kind;
    const char *name;
    struct ag_place place;
    struct ag_attr *attrs; /* in the order of declaration; a literal has one: syn str : String */
    int n_attrs;
    struct ag_production *productions; /* a literal has one without text, children and rules */
    int n_productions;
    const char *regex; /* literal */
    struct ag_place regex_place;
    /* annotations */
    bool list, unit, hidden;
    int list_max;         /* @list(n); 0: no bound */
    int count;            /* @count(n), 50 */
    int max_height;       /* @max_height(n); 0: none */
    int max_alternatives; /* @max_alternatives(n); 0: the default of the search */
    bool copy;
    struct ag_names copy_only;
    /* checked */
    int index;
    bool guarded;   /* has guards, is a unit or a generator: a search of its own */
    int component;  /* number of its recursive component */
    int min_height; /* the least of its productions' that have a weight */
    int64_t min_size;
    /* needs[i], bit k: attribute i waits for attribute k of the same node, through whatever subtree
     * it has, implicit dependencies of III-B included. */
    const uint64_t *needs;
};

struct ag_spec {
    const char *file;
    struct arena *arena;
    struct ag_names uses;
    struct ag_place *use_places;
    struct ag_class *classes; /* the first is the root */
    int n_classes;
    int n_productions; /* checked */
    int n_components;  /* checked */
};

/* -- from text to a specification that can be searched ----------------------------------------- */

/* `text` is the whole file. The result is never NULL; whether it can be used, m->errors says. */
struct ag_spec *ag_parse(struct arena *a, const char *text, size_t size, struct ag_messages *m);

struct ag_runtime; /* runtime.h */

/* Resolves all names and applies @copy. `rt` may be NULL: functions then stay unresolved, and every
 * namespace that is used is taken on trust. Messages: unknown names, duplicate names,
 * wrong-direction rules, sources that may not be read, a wrong number of arguments, unknown
 * namespaces or functions. */
void ag_bind(struct ag_spec *s, const struct ag_runtime *rt, struct ag_messages *m);

/* Missing and duplicate rules, types, unreachable classes (a warning), productions of infinite
 * height, strong non-circularity with the implicit dependencies of III-B (the cycle is printed),
 * regular expressions. Fills what is marked "checked". Call after ag_bind without errors.
 *
 * Heights are counted within a recursive component of the grammar (docs/LALA.md): a production that
 * is not recursive has height 1; a recursive one is 1 higher than the highest of its children in
 * the component, but a list's rest (a child of its own class in a @list) counts as high as itself.
 */
void ag_check(struct ag_spec *s, const struct ag_runtime *rt, struct ag_messages *m);

/* Components, heights and sizes once more, as ag_check computed them: for what is left after
 * weights of productions were set to 0. What cannot be built any more is AG_INFINITE_HEIGHT high.
 */
void ag_measure(struct ag_spec *s);

/* All three, and the file read: the specification at `path` ready to be searched, or -1 with the
 * first error in `e` and all of them in `m`. */
int ag_load(struct arena *a, const char *path, const struct ag_runtime *rt, struct ag_messages *m,
            struct ag_spec **out, struct error *e);

/* The evaluation order, heights, components, guards, features: for people (text) or as JSON. */
void ag_explain(const struct ag_spec *s, bool json, struct strbuf *out);

/* Which attributes of a child must be known before which others can be: the strongly non-circular
 * dependencies of a production's instances, for the order in which ALTERNATIVE visits children
 * (IV-B1). order[i] is the index of the i-th child to visit; a child that depends on another comes
 * before it. `order` has room for all children. Call after ag_check. */
void ag_visit_order(const struct ag_spec *s, const struct ag_production *p, int *order);

struct ag_class *ag_class_named(const struct ag_spec *s, const char *name);

#endif
