/* The facts that smith knows at a point of the program it is making
 * (dissertation, 4.3.1, 4.4, 4.6).
 *
 * Locations are the dissertation's abstract variables: a variable, a field of a struct or union
 * variable, NULL and GARBAGE; field-sensitive, array elements are one location. They are numbered
 * in preorder, so that a record and its fields are a range.
 *
 * A location whose content matters has a slot: a pointer's slot holds its points-to set, a union's
 * the member that was stored last. A state is the array of all slots. Sets are hash-consed, so that
 * a fact is a number, equality is ==, and a join of two facts is found in a memo table.
 *
 * Lattices: points-to sets by inclusion, join is union (4.4.2); union members: a member, or unknown
 * once two differ (4.6.1). */
#ifndef ASSAY_GEN_SMITH_FACTS_H
#define ASSAY_GEN_SMITH_FACTS_H

#include "base/vec.h"
#include "cc/ast.h"

enum { LOC_NULL = 1, LOC_GARBAGE = 2, LOC_FIRST = 3 };
enum { NO_SLOT = UINT32_MAX };
enum { UNION_UNKNOWN = 0 }; /* a union's slot: member index + 1, or this */

struct loc {
    struct cc_var *var;
    const struct cc_type *type; /* arrays stripped, qualifiers kept */
    uint32_t end;               /* one past the last location inside it */
    uint32_t parent;            /* 0: the variable itself */
    uint32_t slot;              /* NO_SLOT: nothing to know */
    uint32_t union_of;          /* the nearest union above it, 0: none */
    uint32_t home;              /* the block whose end ends it, 0: static */
    uint32_t single;            /* the set { this }, 0: not made yet */
    int field;                  /* index in its parent's record */
    bool in_array;              /* an array on the way: stores are weak updates */
    bool no_address;            /* a bit-field or in a packed struct */
    bool is_volatile, is_const; /* it or any part of it, or what it is part of */
};

struct pointee_set {
    uint32_t *at; /* sorted */
    uint32_t n;
    bool has_null, has_garbage;
    bool has_auto; /* some location ends with a block */
};

struct state {
    uint32_t *at; /* by slot; from n on a slot has its initial value */
    uint32_t n, cap;
    bool live; /* the point can be reached */
};

struct facts {
    struct arena *arena;
    VEC(struct loc) locs;         /* [0..2]: none, NULL, GARBAGE */
    VEC(uint32_t) initial;        /* by slot: what it holds when its variable comes to life */
    VEC(uint32_t) slot_loc;       /* by slot */
    VEC(struct pointee_set) sets; /* [0] is empty */
    uint32_t *set_table;          /* hash of content -> index */
    uint32_t n_set_table;
    struct join_memo *joins;        /* (a, b) -> a | b, direct mapped */
    VEC(struct state) pool;         /* buffers not in use */
    uint32_t set_null, set_garbage; /* {NULL}, {GARBAGE} */
};

void facts_init(struct facts *f, struct arena *a);
void facts_release(struct facts *f);

/* Locations of a variable; slots inside start with garbage, see facts_set_initial. Returns the
 * first, which is also left in v->mark. */
uint32_t facts_add_var(struct facts *f, struct cc_var *v, uint32_t home);
/* The location of field `field` inside a record's location. */
uint32_t facts_field(const struct facts *f, uint32_t loc, int field);
void facts_set_initial(struct facts *f, uint32_t slot, uint32_t value);

uint32_t set_single(struct facts *f, uint32_t loc);
uint32_t set_join(struct facts *f, uint32_t a, uint32_t b);
/* `set` with each location that ends with block `home` replaced by GARBAGE. */
uint32_t set_kill(struct facts *f, uint32_t set, uint32_t home);

static inline const struct pointee_set *set_of(const struct facts *f, uint32_t set)
{
    return &f->sets.at[set];
}
static inline bool slot_is_union(const struct facts *f, uint32_t slot)
{
    return f->locs.at[f->slot_loc.at[slot]].type->kind == CC_UNION;
}
static inline uint32_t slot_join(struct facts *f, uint32_t slot, uint32_t a, uint32_t b)
{
    return a == b ? a : slot_is_union(f, slot) ? (uint32_t)UNION_UNKNOWN : set_join(f, a, b);
}

/* -- states ----------------------------------------------------------------------------------- */

struct state state_take(struct facts *f);                           /* an empty buffer; not live */
struct state state_keep(struct facts *f, const struct state *from); /* a copy */
void state_give(struct facts *f, struct state *s);
void state_copy(struct facts *f, struct state *to, const struct state *from);
/* to := to joined with from (4.3.6: the input of a statement is the union of its predecessors'). */
void state_join(struct facts *f, struct state *to, const struct state *from);
bool state_equal(const struct facts *f, const struct state *a, const struct state *b);
void state_kill(struct facts *f, struct state *s, uint32_t home);
void state_fit(struct facts *f,
               struct state *s); /* room for all slots, filled with initial values */

static inline uint32_t state_get(const struct facts *f, const struct state *s, uint32_t slot)
{
    return slot < s->n ? s->at[slot] : f->initial.at[slot];
}

#endif
