/* How values lie in memory, and how an equal one is found; see value.c. */
#ifndef ASSAY_AG_VALUE_INTERNAL_H
#define ASSAY_AG_VALUE_INTERNAL_H

#include "ag/value.h"
#include "base/vec.h"

#include <endian.h>
#include <string.h>

/* What only these files see: an answer that is remembered. */
enum { KIND_MEMO = LALA_KIND_NODE + 1 };

struct lala_object {
    uint64_t hash; /* of the contents */
    uint32_t size; /* lala_size */
    uint8_t kind;
};
struct string {
    struct lala_object o;
    char bytes[]; /* then 1 to 8 NULs, to a multiple of 8: a rank is one load */
};
struct cons {
    struct lala_object o;
    lala head, tail;
};
struct tree { /* a map: its root */
    struct lala_object o;
    uint64_t priority, rank; /* of the key */
    lala key, value, left, right;
};
struct record {
    struct lala_object o;
    int64_t tag;
    lala fields[];
};
struct node {
    struct lala_object o;
    uint64_t serial, number;
    struct lala_env *env;
};
struct memo {
    struct lala_object o; /* the size is the number of arguments; the hash is one of addresses */
    const struct lala_function *function;
    lala answer;
    lala args[];
};

struct slot {
    struct lala_object *object;
    uint32_t tag; /* the upper half of its hash; the lower one chose the slot */
    uint32_t epoch;
};
struct slots {
    struct slot *at;
    size_t allocated;
};
struct chunk {
    char *at;
    size_t size; /* bytes */
};

struct lala_env {
    struct slots slots, spare; /* the table, and an array to grow into */
    size_t mask;               /* slots in use - 1, a power of two */
    size_t n;                  /* objects */
    uint32_t epoch;            /* of the slots that are alive; never 0 */
    char *free, *end;          /* what is left of the chunk in use */
    VEC(struct chunk) chunks;
    size_t chunk; /* index of the one in use */
    size_t used;  /* bytes of values */
    VEC(lala) scratch;
    struct strbuf text;
};

#define K0 UINT64_C(0x9e3779b97f4a7c15) /* odd numbers: the golden ratio ... */
#define K1 UINT64_C(0xbb67ae8584caa73b) /* ... and the roots of 3, 5, 7, 11, as fractions */
#define K2 UINT64_C(0x3c6ef372fe94f82b)
#define K3 UINT64_C(0xa54ff53a5f1d36f1)
#define K4 UINT64_C(0x510e527fade682d1)

/* Both halves of the product: every bit of a and b reaches every bit. */
static inline uint64_t mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t load8(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return le64toh(word);
}

static inline bool is_object(lala v)
{
    return !((uintptr_t)v & 1) && (uintptr_t)v > (uintptr_t)LALA_TRUE;
}

static inline uint64_t hash_of(lala v)
{
    return is_object(v) ? v->hash : mix((uint64_t)(uintptr_t)v ^ K1, K0);
}

static inline bool is_kind(lala v, enum lala_kind kind)
{
    return is_object(v) && v->kind == kind;
}
static inline const struct string *as_string(lala v)
{
    return (const struct string *)v;
}
static inline const struct cons *as_cons(lala v)
{
    return (const struct cons *)v;
}
static inline const struct tree *as_tree(lala v)
{
    return (const struct tree *)v;
}
static inline const struct record *as_record(lala v)
{
    return (const struct record *)v;
}
static inline bool is_list(lala v)
{
    return v == LALA_NIL || is_kind(v, LALA_KIND_LIST);
}
static inline bool is_map(lala v)
{
    return v == LALA_NIL || is_kind(v, LALA_KIND_MAP);
}

static inline size_t size_of(lala v)
{
    return is_object(v) ? v->size : 0;
}

/* A number with which rank(a) < rank(b) means that a comes before b. Equal ranks mean nothing. */
uint64_t value_rank(lala v);

/* -- interning --------------------------------------------------------------------------------- */

void value_grow(struct lala_env *env);                     /* the table */
void value_next_chunk(struct lala_env *env, size_t bytes); /* with room for so many */

static inline void reserve(struct lala_env *env, size_t bytes)
{
    if ((size_t)(env->end - env->free) < bytes)
        value_next_chunk(env, bytes);
}

/* Goes on to the next object that may be the one: its hash is the same. False: there is none, and
 * `*at` is where it belongs.
 *
 *     size_t at = first(env, hash);
 *     for (; candidate(env, &at, hash); at = next(env, at)) ... env->slots.at[at].object ... */
static inline bool candidate(const struct lala_env *env, size_t *at, uint64_t hash)
{
    for (;; *at = (*at + 1) & env->mask) {
        const struct slot *s = &env->slots.at[*at];
        if (s->epoch != env->epoch)
            return false;
        if (s->tag == hash >> 32)
            return true;
    }
}
static inline size_t first(const struct lala_env *env, uint64_t hash)
{
    return hash & env->mask;
}
static inline size_t next(const struct lala_env *env, size_t at)
{
    return (at + 1) & env->mask;
}

/* A new object in the slot; the caller fills in what follows its head. */
static inline void *place(struct lala_env *env, size_t at, uint64_t hash, int kind, size_t size,
                          size_t bytes)
{
    reserve(env, bytes);
    struct lala_object *o = (struct lala_object *)(void *)env->free;
    env->free += bytes;
    env->used += bytes;
    *o = (struct lala_object){hash, (uint32_t)size, (uint8_t)kind};
    env->slots.at[at] = (struct slot){o, (uint32_t)(hash >> 32), env->epoch};
    if (++env->n > env->mask / 2)
        value_grow(env);
    return o;
}

#endif
