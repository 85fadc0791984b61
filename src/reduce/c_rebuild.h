/* A C program built again, with changes.
 *
 * The old tree stays as it is. The new one is made by cc's builders, which compute every type and
 * conversion anew: so a variable of another type, a call with a parameter less or an operand in the
 * place of an operation is as well typed as what was there, or the builder refuses, and with it the
 * candidate (cc_program.misfit).
 *
 * An edit stands for all that it takes. Where a variable, a member or a function is dropped, what
 * reads it reads 0, what stores to it only computes the value, calls of it vanish. break, continue
 * and case labels outside of what they belong to vanish, and labels that nothing jumps to. Whether
 * the outcome makes sense is not decided here: interp runs it. */
#ifndef ASSAY_REDUCE_C_REBUILD_H
#define ASSAY_REDUCE_C_REBUILD_H

#include "cc/ast.h"

enum edit_kind {
    EDIT_DROP,      /* of a statement, variable, parameter or function: see above */
    EDIT_FOLD,      /* of a variable: dropped, and its uses become its initialiser */
    EDIT_BODY,      /* of a statement: its branch, its loop body once, its block's statements */
    EDIT_CONDITION, /* of an if, loop or switch: what controls it, as a statement */
    EDIT_STORE,     /* of an if, loop or switch: what controls it goes into the variable `other` */
    EDIT_SPLIT,     /* of an expression statement: its operands that do something, one by one */
    EDIT_ELSE,      /* of an if: its second branch */
    EDIT_NO_ELSE,   /* of an if: without it */
    EDIT_OPERAND,   /* of an expression: its operand `number` takes its place: a, b, c are 0 to 2;
                       arguments 0 and up */
    EDIT_CONSTANT,  /* of an expression: `value`, in its own type; of a pointer: null */
    EDIT_VARIABLE,  /* of an expression: the variable `other`, as a value of its type */
    EDIT_BARE,      /* of a wrapped operation: without its wrapper */
    EDIT_OP,        /* of an operation: another operator, `number` */
    EDIT_TYPE,      /* of a variable, cast, constant or function (its result): `type`, of the old
                       program; of a basic type: another one, wherever it stands */
    EDIT_SAME,      /* of a variable: dropped, and its uses become those of the variable `other` */
    EDIT_TEXT,      /* of a string literal: `name` */
    EDIT_NO_INIT,   /* of a variable: not initialised */
    EDIT_PLAIN,     /* of a variable: no qualifiers, alignment or register; of a function: no
                       attributes */
    EDIT_LENGTH,    /* of an array: `number` elements */
    EDIT_SCALAR,    /* of an array: one element, without the array */
    EDIT_FIELD,     /* of a record: its member `number` is dropped */
    EDIT_FLAT,      /* of a record: its one named member takes its place */
    EDIT_NO_BITS,   /* of a record: its member `number` is no bit-field */
    EDIT_INLINE,    /* of a statement or call: the body of the function that it calls, or the value
                       that it returns, takes its place */
    EDIT_LINKAGE,   /* of a global or function: static becomes external, external static */
    EDIT_OUTSIDE,   /* of a local variable: it becomes a global */
    EDIT_UNSEEN,    /* of a global: the checksum leaves it out */
    EDIT_NAME,      /* of anything with a name: `name` */
    N_EDITS
};

struct edit {
    const void *at; /* the node, variable, function or record of the old program */
    enum edit_kind kind;
    int number;
    cc_wide value;
    const struct cc_type *type;
    const char *name;
    const struct cc_var *other;
};

typedef VEC(struct edit) edit_list;

struct rebuild_options {
    bool one_unit;      /* everything in one translation unit */
    bool whole_main;    /* the old main is a function like the others */
    bool plain_main;    /* it is a frame, and becomes one: what it hashed, it prints */
    bool callees_first; /* functions stand ahead of those that call them */
    bool single_bodies; /* a branch or body of one statement stands without braces */
};

/* The new program, in `p`, which is not initialised yet, and in the arena. False: it cannot be
 * built. The frame's main is left to the caller (cc_make_main) unless plain_main is set. */
bool c_rebuild(const struct cc_program *old, const struct edit *edits, size_t n,
               const struct rebuild_options *o, struct arena *a, struct cc_program *p);

#endif
