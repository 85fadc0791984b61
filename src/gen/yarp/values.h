/* The values that the program under construction has, exactly, at the point reached so far.
 *
 * Every scalar of every object is one cell. Expressions and statements are evaluated on the cells
 * as they are made, and again where they run again: in each iteration of a loop and at each call.
 * An operation that would be undefined is rewritten in place (rewrite.h) and evaluation goes on
 * with what it has become. Two modes:
 *
 *     making    the tree has run nowhere else yet: Table 1 with the values at hand. Operands that
 *               C would skip (&& || ?:) are evaluated too, so that no dead code is undefined.
 *     running   it may have run before, with other values: `changed` is set, because what ran
 *               before may come out differently now, and whoever keeps the tree runs it again.
 *               From the second time on only rewrites that hold for good are used, so it ends.
 *
 * Everything that is stored can be undone, so that a branch which is not taken can be evaluated as
 * if it were, and a loop can start over. There is no recursion in generated programs: each local
 * has one place for good. */
#ifndef ASSAY_GEN_YARP_VALUES_H
#define ASSAY_GEN_YARP_VALUES_H

#include "base/choice.h"
#include "base/vec.h"
#include "cc/ast.h"

enum values_mode { VALUES_MAKING, VALUES_RUNNING };

struct values_layout { /* of a type, by its id */
    uint32_t cells;    /* 0: not known yet */
    uint32_t *field;   /* of a record: the first cell of each field */
};

struct values_undo {
    uint32_t cell;
    int64_t old;
};

struct values {
    struct cc_program *p;
    struct choice *c;
    struct arena *arena;
    VEC(int64_t)
    cells; /* integers normalised to their type; floats as the bits of a double;
            * pointers as values.c packs them */
    VEC(struct values_layout) layouts;
    VEC(struct values_undo) undo;
    VEC(uint32_t)
    seen;           /* per cell, while an expression with effects runs: when it was read (even)
                     * or written (odd) last */
    uint32_t watch; /* stamp of the expression that is watched; 0: none */
    uint32_t stamp; /* the last one given */
    enum values_mode mode;
    bool off;           /* nothing is evaluated: code that never runs and need not be defined */
    bool stale;         /* a function was rewritten that had run before */
    int calls;          /* nested */
    int pass;           /* running: how often the same was run already */
    bool changed;       /* something was rewritten while running */
    bool again;         /* the expression must be evaluated once more */
    bool lanes_changed; /* a vector operation was rewritten in one of its lanes */
    bool conflict;      /* an access whose order matters was seen */
    bool skips;         /* making: evaluate && || ?: as C does, not both sides */
    bool negative_right_shift;    /* >> of a negative value is left alone */
    int64_t result;               /* of the function that returned last */
    const struct cc_stmt *target; /* of the goto under way */
    uint32_t crc;                 /* of what the program hashes */
    uint64_t steps;               /* nodes evaluated */
    uint64_t n_rewritten;
};

void values_init(struct values *v, struct cc_program *p, struct choice *c, struct arena *a);
void values_release(struct values *v);

/* A place for a variable; its initialiser is evaluated unless it is a parameter or there is none
 * (then it is zero). */
void values_add(struct values *v, struct cc_var *var);
/* All globals as they were initialised; for a run from the start. */
void values_reset(struct values *v);

/* Evaluate a full expression. Values of integer type come normalised, floats as bits. */
int64_t values_eval(struct values *v, struct cc_expr *e);
/* Execute a statement; what it does to the flow of control. */
enum values_flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_GOTO };
enum values_flow values_exec(struct values *v, struct cc_stmt *s);

/* The value of a scalar variable, and setting it (parameters). */
int64_t values_get(const struct values *v, const struct cc_var *var);
void values_set(struct values *v, const struct cc_var *var, int64_t value);

/* Remember the present; go back to it. */
static inline size_t values_mark(const struct values *v)
{
    return v->undo.n;
}
void values_back(struct values *v, size_t mark);
/* Nothing before now will be undone. */
static inline void values_forget(struct values *v)
{
    v->undo.n = 0;
}

union values_scalar {
    int64_t bits;
    double f;
};
static inline double values_float(int64_t bits)
{
    return (union values_scalar){.bits = bits}.f;
}
static inline int64_t values_bits(double f)
{
    return (union values_scalar){.f = f}.bits;
}

/* Does the expression write inside of what it computes? (Its own assignment does not count.) */
bool values_has_effects(const struct cc_expr *e);
/* Take assignments and ++ inside of it away: only their values stay. */
void values_drop_effects(struct cc_expr *e);

#endif
