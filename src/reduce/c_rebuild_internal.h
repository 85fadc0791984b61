/* What the files share that build a tree again. */
#ifndef ASSAY_REDUCE_C_REBUILD_INTERNAL_H
#define ASSAY_REDUCE_C_REBUILD_INTERNAL_H

#include "base/error.h"
#include "base/map.h"
#include "cc/build.h"
#include "reduce/c_rebuild.h"

#include <setjmp.h>

enum { MOST_INLINING = 8 }; /* calls within calls */

/* From an address to another, or to an edit. */
struct table {
    struct table_slot {
        const void *key;
        void *value;
    } * slots;
    size_t n, room; /* room: a power of two */
};

/* An edit and the next one at the same node. */
struct chained {
    const struct edit *edit;
    struct chained *next;
};

struct label { /* of the old program */
    struct cc_stmt *made;
    bool placed, wanted;
};

struct inlined { /* a function whose body is being put in the place of a call */
    const struct cc_func *func;
    const struct cc_stmt *last; /* its last statement, the only one that may return */
    struct cc_expr *to;         /* where the result goes: an lvalue of the new program; or NULL */
    bool returns;               /* the result is that of the function around */
    struct inlined *outer;
};

struct rebuild {
    const struct cc_program *old;
    struct cc_program *p;
    struct arena *a;
    const struct rebuild_options *o;
    struct table edits; /* -> struct chained */
    struct table vars, funcs, types, records, labels;
    struct table given;    /* types that stay as they are: the library's */
    bool verbatim;         /* such a type is being made */
    struct table replaced; /* parameter -> the argument, a node of the old program */
    struct map names;      /* taken */
    struct cc_func *func;  /* the one in work */
    const struct cc_func *old_func;
    struct cc_stmt *inner_switch; /* whose labels are linked, of imported programs */
    struct cc_stmt **next_label;
    struct inlined *inlined;
    VEC(struct cc_var *) outside;       /* locals that have become globals */
    VEC(const struct cc_var *) visible; /* locals of the old program, as they were declared */
    int loops, switches;                /* around */
    int depth;                          /* of inlining */
    jmp_buf misfit;
};

void *rebuild_table_get(const struct table *t, const void *key);
void rebuild_table_set(struct arena *a, struct table *t, const void *key, void *value);

/* The edits cannot be made. */
_Noreturn void rebuild_refuse(struct rebuild *rb);
/* The edit of a kind at a node; NULL: there is none. */
const struct edit *rebuild_edit(const struct rebuild *rb, const void *at, enum edit_kind kind);
bool rebuild_has(const struct rebuild *rb, const void *at, enum edit_kind kind);

/* -- types, names, expressions (c_rebuild_exprs.c) --------------------------------------------- */

const struct cc_type *rebuild_type(struct rebuild *rb, const struct cc_type *t);
/* Functions of the library and string literals have types that are not ours to change. */
const struct cc_type *rebuild_given_type(struct rebuild *rb, const struct cc_type *t);
/* The one member that a record becomes; -1: it stays a record. */
int rebuild_flat_member(const struct rebuild *rb, const struct cc_record *r);
/* Two blocks that become one must not have two variables of one name: every name is given once. */
const char *rebuild_name(struct rebuild *rb, const void *at, const char *name);
struct cc_expr *rebuild_expr(struct rebuild *rb, const struct cc_expr *e);
/* A use of the variable that the edit names. */
struct cc_expr *rebuild_other_variable(struct rebuild *rb, const struct edit *edit);
/* Of an object whose type was `old` and is `type`. */
struct cc_expr *rebuild_initialiser(struct rebuild *rb, const struct cc_expr *e,
                                    const struct cc_type *old, const struct cc_type *type);

/* -- statements (c_rebuild_stmts.c) ------------------------------------------------------------ */

/* The statements of a block, appended to another. What they declare is not to be used behind them,
 * though an edit may ask for that. */
void rebuild_scope(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out);

/* -- variables (c_rebuild.c) ------------------------------------------------------------------- */

struct cc_var *rebuild_variable(struct rebuild *rb, const struct cc_var *v);
/* What main hashes, it prints: `printf("%d\n", value)`. */
struct cc_expr *rebuild_print_value(struct rebuild *rb, struct cc_expr *value);

#endif
