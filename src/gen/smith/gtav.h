/* Generation-time analysis and validation (dissertation, chapter 4).
 *
 * One walker holds all transfer functions: for expressions (Table 4.3), statements (Table 4.1),
 * loops with their fixed points (4.3.7) and functions with cached summaries (4.3.5). It validates
 * while it transfers and stops at the first thing that is not valid on some path: a null or
 * dangling pointer (4.4.3), a conflict between unsequenced operands or volatiles (4.5), a union
 * member that was not stored last (4.6), a store to a loop's protected variable.
 *
 * The generator uses the same functions piecewise while it makes an expression (pre-commit): each
 * access is validated when its node is made, against the running facts `now` and against the
 * operands that are already there. Committed code is walked again (post-commit) when its input
 * changes: loop bodies, callees, jumps.
 *
 * Order. Each access stamps its location with a clock. While the second of two unsequenced operands
 * is walked, the clock interval of the first is active; an access to a location whose last
 * conflicting access lies in an active interval is a conflict. That is 4.5.1's side-effect context,
 * without sets. */
#ifndef ASSAY_GEN_SMITH_GTAV_H
#define ASSAY_GEN_SMITH_GTAV_H

#include "gen/smith/facts.h"

struct gtav_interval {
    uint32_t start, end; /* clock */
};

struct gtav_store {
    uint32_t from, to; /* locations */
    uint32_t clock;
    bool is_volatile;
};

struct gtav_block { /* by home */
    struct cc_func *func;
    bool address_taken; /* of one of its variables */
    bool has_labels;
    bool sealed; /* no jump is put into it later, nor a label */
};

struct gtav_label {  /* in the `facts` of a CC_S_LABEL */
    struct state in; /* joined over the gotos seen */
    size_t depth;    /* open blocks at the label */
    bool passed, changed;
};

/* What a function does to one input (4.3.5.2): slots it depends on, what they become, what it reads
 * and writes outside of itself. */
struct gtav_summary {
    struct gtav_summary *next;
    uint32_t n_slots, *slots, *in, *out;
    uint32_t n_reads, *reads, n_writes, *writes; /* locations */
    bool is_volatile;
    uint32_t result; /* points-to set of the returned pointer */
    bool valid;
};

struct gtav_loop {
    struct state leave, again; /* joined over break, continue */
    size_t depth;              /* open blocks outside of it */
    bool is_switch;
};

struct gtav_frame { /* of a function that is being walked */
    struct cc_func *func;
    uint64_t *touched;        /* slots, as bits */
    uint64_t *reads, *writes; /* locations, as bits */
    size_t n_touched, n_locs; /* words */
    bool is_volatile;
    struct state returned;
    uint32_t result;
    size_t depth; /* open blocks outside of it */
    size_t loops; /* loops outside of it */
};

struct gtav {
    struct facts f;
    struct state now; /* the running facts */
    bool bad;         /* the last walk found something invalid */
    const char *why;
    bool by_context; /* because of what is around it, not of the facts */

    uint32_t clock, last_volatile;
    VEC(uint32_t) last_read, last_write; /* by location: clock, oldest that counts */
    VEC(struct gtav_store) stores; /* of the full expressions that are open, outer calls' first */
    size_t first_store;            /* of the current one */
    VEC(struct gtav_interval) intervals;
    int calls; /* depth of calls around the current point, inside the current expression */

    VEC(uint8_t) locked;           /* by location: protected loop variables */
    VEC(struct gtav_block) blocks; /* by home; [0] is none */
    VEC(uint32_t) open;            /* homes of the blocks around the current point */
    VEC(struct gtav_loop) loops;
    VEC(struct gtav_frame) frames;
    VEC(struct gtav_summary *) summaries; /* by function id */
    VEC(struct gtav_label *) labels;      /* all there are, for their states */
    bool relaxed_unions;

    const struct cc_stmt *watched; /* a block: */
    size_t failed_at;              /* which of its statements was walked when it went bad */
    uint64_t n_walked;             /* expressions, for statistics */
    uint64_t n_hits, n_misses;     /* of summaries */
};

void gtav_init(struct gtav *g, struct arena *a);
void gtav_release(struct gtav *g);

/* -- declarations ----------------------------------------------------------------------------- */

uint32_t gtav_new_home(struct gtav *g, struct cc_func *f);
void gtav_add_var(struct gtav *g, struct cc_var *v, uint32_t home);
/* Set the initial value of the slots of a variable from its initialiser; `now` gets them too. */
void gtav_initialise(struct gtav *g, struct cc_var *v);
/* Whose block is it: the home in a block's `facts`. */
static inline uint32_t gtav_home(const struct cc_stmt *block)
{
    return (uint32_t)(uintptr_t)block->facts;
}

/* -- expressions: each returns with g->bad set if it was not valid
 * --------------------------------- */

/* The locations that an lvalue may designate; reads what is needed to find them. */
uint32_t gtav_place(struct gtav *g, const struct cc_expr *lvalue);
/* Read a value out of the place of an lvalue; returns the points-to set of a pointer. */
uint32_t gtav_read(struct gtav *g, uint32_t place, const struct cc_expr *lvalue);
/* The whole of an expression. */
uint32_t gtav_value(struct gtav *g, const struct cc_expr *e);
/* The store of an assignment whose operands were evaluated since clock `start`. `value`: the
 * points-to set of a pointer; `from`: the place that a record is copied from, 0: none. */
void gtav_store(struct gtav *g, uint32_t place, const struct cc_type *type, uint32_t value,
                uint32_t from, uint32_t start);
/* Does a store to `place` of what is read from `value` overlap (4.6.3)? */
bool gtav_overlaps(const struct gtav *g, uint32_t place, uint32_t value);
/* The place that an assigned value is read from directly, through casts only; 0: it is not. */
uint32_t gtav_source(struct gtav *g, const struct cc_expr *value);
/* Could it be stored to? (const, locked). */
bool gtav_writable(const struct gtav *g, uint32_t place);
/* Apply or find the summary for a call; parameters are in their slots already. */
uint32_t gtav_apply(struct gtav *g, struct cc_func *f);
/* One of several is called. */
enum { GTAV_MOST_TARGETS = 8 };
uint32_t gtav_apply_any(struct gtav *g, struct cc_func *const *fs, size_t n);
void gtav_bind(struct gtav *g, const struct cc_var *param, uint32_t value, uint32_t from);

/* A full expression begins (6.8p4): what was stored before is sequenced. */
static inline void gtav_full_expression(struct gtav *g)
{
    g->stores.n = g->first_store;
}
/* The body of a function, in the middle of an expression: its full expressions are its own. */
static inline size_t gtav_enter_call(struct gtav *g)
{
    size_t outer = g->first_store;
    g->first_store = g->stores.n;
    g->calls++;
    return outer;
}
static inline void gtav_leave_call(struct gtav *g, size_t outer)
{
    g->calls--;
    g->stores.n = g->first_store;
    g->first_store = outer;
}
/* Between two unsequenced operands. */
static inline uint32_t gtav_operand(const struct gtav *g)
{
    return g->clock;
}
static inline void gtav_push(struct gtav *g, uint32_t start)
{
    vec_push(&g->intervals, (struct gtav_interval){start, g->clock});
}
static inline void gtav_pop(struct gtav *g)
{
    g->intervals.n--;
}

/* -- two ways ---------------------------------------------------------------------------------- */

/* What runs only at times: `other` has the facts of the way that is not walked now. Where neither
 * goes on, `now` stays: dead code is made with its facts. */
static inline struct state gtav_fork(struct gtav *g)
{
    return state_keep(&g->f, &g->now);
}
static inline void gtav_other_way(struct gtav *g, struct state *other)
{
    struct state now = g->now;
    g->now = *other;
    *other = now;
}
static inline void gtav_meet(struct gtav *g, struct state *other)
{
    if (!g->bad)
        state_join(&g->f, &g->now, other);
    state_give(&g->f, other);
}

/* -- statements and functions ------------------------------------------------------------------ */

/* Around the body of a loop or switch that is walked, or made. */
void gtav_enter_loop(struct gtav *g, bool is_switch);
void gtav_leave_loop(struct gtav *g);
/* Walk one statement from `now`. */
void gtav_stmt(struct gtav *g, struct cc_stmt *s);
/* Walk one that is complete from another state, and out of all that it opened. False if not valid;
 * `bad` is off again. */
bool gtav_try(struct gtav *g, struct cc_stmt *s, const struct state *from);
/* A function whose body is complete: walk it from `in` and keep the summary. False if not valid. */
bool gtav_function(struct gtav *g, struct cc_func *f, const struct state *in);
/* Forget the summaries of a function whose body was changed. */
void gtav_forget(struct gtav *g, struct cc_func *f);
/* The summary made last. */
const struct gtav_summary *gtav_latest(const struct gtav *g, const struct cc_func *f);

/* What a new label needs in its `facts`. */
struct gtav_label *gtav_new_label(struct gtav *g);

void gtav_lock(struct gtav *g, uint32_t loc, int by); /* +1, -1: a loop variable */

#endif
