/* Interned values: one arena of objects, one hash table that finds an equal one.
 *
 * Every object begins with the hash of its contents, made of its parts' hashes. To make a value is
 * to hash its parts, look for an object with the same parts (whose parts are interned already, so
 * that comparing them is comparing addresses), and only then to build it.
 *
 * The table is open addressing. A slot is alive when it carries the table's epoch: to reset, or to
 * take an old array into use again, is to count the epoch up, and no slot is ever cleared. After a
 * reset the table is as large as the last program would have needed, so that a small program after
 * a big one is not scattered over a big table.
 *
 * Maps are treaps (Seidel and Aragon, Randomized Search Trees, 1996) whose priorities are the
 * hashes of the keys: the same entries make the same tree whatever the order in which they came,
 * and so each subtree can be interned. A node carries its key's rank, a number that orders most
 * keys without looking at them; descending touches nothing but the nodes.
 *
 * Two values of one env differ exactly if their addresses do. So the order of two lists, records or
 * maps is the order of the first parts that differ, and nothing here recurses on the length or the
 * depth of a value, only on the height of a treap. */
#include "ag/value.h"
#include "base/error.h"
#include "base/vec.h"

#include <endian.h>
#include <stdarg.h>

_Static_assert(sizeof(uintptr_t) == 8, "integers are 63 bits in a pointer");

/* What only this file sees: an answer that is remembered. */
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

enum {
    FEWEST_SLOTS = 1 << 12,
    CHUNK_BYTES = 1 << 18,
    KEPT_CHUNKS = 512, /* over a reset: 128 MiB */
};

/* -- hashes ------------------------------------------------------------------------------------ */

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

static uint64_t hash_bytes(const char *bytes, size_t n)
{
    uint64_t hash = K0 ^ n;
    for (; n >= 8; n -= 8, bytes += 8)
        hash = mix(hash ^ load8(bytes), K1);
    uint64_t rest = 0;
    for (size_t i = 0; i < n; i++)
        rest |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
    return mix(mix(hash ^ rest, K2), K3);
}

static inline bool is_object(lala v)
{
    return !((uintptr_t)v & 1) && (uintptr_t)v > (uintptr_t)LALA_TRUE;
}

static inline uint64_t hash_of(lala v)
{
    return is_object(v) ? v->hash : mix((uint64_t)(uintptr_t)v ^ K1, K0);
}

uint64_t lala_hash(lala v)
{
    return hash_of(v);
}

/* -- kinds ------------------------------------------------------------------------------------- */

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

enum lala_kind lala_kind(lala v)
{
    if (lala_is_int(v))
        return LALA_KIND_INT;
    if (is_object(v))
        return (enum lala_kind)v->kind;
    return !v ? LALA_KIND_UNDEFINED : v == LALA_NIL ? LALA_KIND_NIL : LALA_KIND_BOOL;
}

static inline size_t size_of(lala v)
{
    return is_object(v) ? v->size : 0;
}

size_t lala_size(lala v)
{
    return size_of(v);
}

/* -- order ------------------------------------------------------------------------------------- */

enum { RANK_BITS = 61 }; /* the kind stands above them */

/* Order within a kind: the first bytes of a string, a small integer. */
static inline uint64_t rank_within(lala v)
{
    const int64_t most = (INT64_C(1) << (RANK_BITS - 1)) - 1;
    if (lala_is_int(v)) {
        int64_t i = lala_to_int(v);
        return (uint64_t)((i > most ? most : i < -most ? -most : i) + most);
    }
    if (is_kind(v, LALA_KIND_STRING))
        return __builtin_bswap64(load8(as_string(v)->bytes)) >> 8;
    return v == LALA_TRUE;
}

static inline uint64_t rank_simple(lala v)
{
    return (uint64_t)(lala_kind(v) - 1) << RANK_BITS | rank_within(v);
}

/* A number with which rank(a) < rank(b) means that a comes before b. Equal ranks mean nothing. */
static uint64_t rank_of(lala v)
{
    if (is_kind(v, LALA_KIND_LIST))
        return (uint64_t)(LALA_KIND_LIST - 1) << RANK_BITS | rank_simple(as_cons(v)->head) >> 3;
    if (!is_kind(v, LALA_KIND_RECORD))
        return rank_simple(v);
    const struct record *r = as_record(v);
    uint64_t record = (uint64_t)(LALA_KIND_RECORD - 1) << RANK_BITS;
    if (r->tag < -127 || r->tag > 127) /* the field must not decide where the tags do */
        return record | (r->tag < 0 ? 0 : UINT64_C(255) << (RANK_BITS - 8));
    return record | (uint64_t)(r->tag + 127) << (RANK_BITS - 8) |
           (r->o.size ? rank_simple(r->fields[0]) >> 11 : 0);
}

static int compare_strings(lala a, lala b)
{
    size_t n = a->size < b->size ? a->size : b->size;
    int c = memcmp(as_string(a)->bytes, as_string(b)->bytes, n);
    return c ? c : (a->size > b->size) - (a->size < b->size);
}

/* The first elements that differ; one is undefined where its list ends. */
static void first_difference(lala *a, lala *b)
{
    lala x = *a, y = *b;
    while (x != LALA_NIL && y != LALA_NIL && as_cons(x)->head == as_cons(y)->head) {
        x = as_cons(x)->tail;
        y = as_cons(y)->tail;
    }
    *a = x == LALA_NIL ? LALA_UNDEFINED : as_cons(x)->head;
    *b = y == LALA_NIL ? LALA_UNDEFINED : as_cons(y)->head;
}

static void first_different_entry(lala *a, lala *b)
{
    lala x = LALA_UNDEFINED, y = LALA_UNDEFINED;
    for (size_t i = 0; x == y && (i < size_of(*a) || i < size_of(*b)); i++) {
        x = lala_map_key(*a, i);
        y = lala_map_key(*b, i);
        if (x == y) {
            x = lala_map_value(*a, i);
            y = lala_map_value(*b, i);
        }
    }
    *a = x;
    *b = y;
}

/* Tags first, then field by field. False where the tags decide: `order` then says how. */
static bool first_different_field(lala *a, lala *b, int *order)
{
    const struct record *x = as_record(*a), *y = as_record(*b);
    *order = (x->tag > y->tag) - (x->tag < y->tag);
    if (*order)
        return false;
    uint32_t i = 0;
    while (i < x->o.size && i < y->o.size && x->fields[i] == y->fields[i])
        i++;
    *a = i < x->o.size ? x->fields[i] : LALA_UNDEFINED;
    *b = i < y->o.size ? y->fields[i] : LALA_UNDEFINED;
    return true;
}

static int compare_nodes(lala a, lala b)
{
    const struct node *x = (const struct node *)a, *y = (const struct node *)b;
    if (x->serial != y->serial)
        return x->serial < y->serial ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

int lala_compare(lala a, lala b)
{
    while (a != b) {
        enum lala_kind kind = lala_kind(a), other = lala_kind(b);
        if (kind != other)
            return kind < other ? -1 : 1;
        int order;
        switch (kind) {
        case LALA_KIND_INT:
            return lala_to_int(a) < lala_to_int(b) ? -1 : 1;
        case LALA_KIND_STRING:
            return compare_strings(a, b);
        case LALA_KIND_LIST:
            first_difference(&a, &b);
            break;
        case LALA_KIND_MAP:
            first_different_entry(&a, &b);
            break;
        case LALA_KIND_RECORD:
            if (!first_different_field(&a, &b, &order))
                return order;
            break;
        case LALA_KIND_NODE:
            return compare_nodes(a, b);
        default: /* false and true; the others have one value */
            return a == LALA_FALSE ? -1 : 1;
        }
    }
    return 0;
}

/* -- the env ----------------------------------------------------------------------------------- */

static struct slots slots_of(size_t n)
{
    struct slots s = {calloc(n, sizeof *s.at), n};
    if (!s.at)
        BUG("out of memory (%zu slots)", n);
    return s;
}

static void next_epoch(struct lala_env *env)
{
    if (++env->epoch)
        return;
    memset(env->slots.at, 0, env->slots.allocated * sizeof *env->slots.at);
    if (env->spare.at)
        memset(env->spare.at, 0, env->spare.allocated * sizeof *env->spare.at);
    env->epoch = 1;
}

static void use_chunk(struct lala_env *env, size_t i)
{
    env->chunk = i;
    env->free = env->chunks.at[i].at;
    env->end = env->free + env->chunks.at[i].size;
}

static void add_chunk(struct lala_env *env, size_t bytes)
{
    size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    vec_push(&env->chunks, (struct chunk){mem_alloc(size), size});
}

struct lala_env *lala_env_new(void)
{
    struct lala_env *env = mem_alloc(sizeof *env);
    *env = (struct lala_env){.mask = FEWEST_SLOTS - 1, .epoch = 1};
    env->slots = slots_of(FEWEST_SLOTS);
    add_chunk(env, CHUNK_BYTES);
    use_chunk(env, 0);
    strbuf_init(&env->text, 0);
    return env;
}

void lala_env_free(struct lala_env *env)
{
    if (!env)
        return;
    for (size_t i = 0; i < env->chunks.n; i++)
        free(env->chunks.at[i].at);
    vec_release(&env->chunks);
    vec_release(&env->scratch);
    strbuf_release(&env->text);
    free(env->slots.at);
    free(env->spare.at);
    free(env);
}

void lala_env_reset(struct lala_env *env)
{
    size_t wanted = FEWEST_SLOTS;
    while (wanted < 2 * env->n && wanted < env->slots.allocated)
        wanted *= 2;
    env->mask = wanted - 1;
    env->n = env->used = 0;
    env->scratch.n = 0; /* a function may have died in the middle */
    next_epoch(env);
    while (env->chunks.n > KEPT_CHUNKS)
        free(env->chunks.at[--env->chunks.n].at);
    use_chunk(env, 0);
}

size_t lala_env_bytes(const struct lala_env *env)
{
    return env->used;
}

static void next_chunk(struct lala_env *env, size_t bytes)
{
    size_t i = env->chunk + 1;
    if (i == env->chunks.n || env->chunks.at[i].size < bytes) {
        add_chunk(env, bytes);
        struct chunk *new = &env->chunks.at[env->chunks.n - 1], *old = &env->chunks.at[i];
        struct chunk swapped = *old;
        *old = *new;
        *new = swapped;
    }
    use_chunk(env, i);
}

static inline void reserve(struct lala_env *env, size_t bytes)
{
    if ((size_t)(env->end - env->free) < bytes)
        next_chunk(env, bytes);
}

static void grow(struct lala_env *env)
{
    size_t old_size = env->mask + 1, size = 2 * old_size;
    uint32_t old_epoch = env->epoch;
    struct slots old = env->slots;
    if (env->spare.allocated < size) {
        free(env->spare.at);
        env->spare = slots_of(size);
    }
    env->slots = env->spare;
    env->spare = old;
    env->mask = size - 1;
    env->epoch = old_epoch + 1;
    if (!env->epoch) { /* never seen: it takes 2^32 programs */
        memset(env->slots.at, 0, env->slots.allocated * sizeof *env->slots.at);
        env->epoch = 1;
    }
    for (size_t i = 0; i < old_size; i++) {
        if (old.at[i].epoch != old_epoch)
            continue;
        size_t at = old.at[i].object->hash & env->mask;
        while (env->slots.at[at].epoch == env->epoch)
            at = (at + 1) & env->mask;
        env->slots.at[at] = (struct slot){old.at[i].object, old.at[i].tag, env->epoch};
    }
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
        grow(env);
    return o;
}

/* -- strings ----------------------------------------------------------------------------------- */

/* Bytes of a string's object; those after the text are NUL, one at least. */
static inline size_t string_bytes(size_t n)
{
    return sizeof(struct string) + ((n + 8) & ~(size_t)7);
}

static inline lala find_string(struct lala_env *env, const char *bytes, size_t n, uint64_t hash,
                               size_t *at)
{
    for (*at = first(env, hash); candidate(env, at, hash); *at = next(env, *at)) {
        lala o = env->slots.at[*at].object;
        if (o->kind == LALA_KIND_STRING && o->size == n && !memcmp(as_string(o)->bytes, bytes, n))
            return o;
    }
    return LALA_UNDEFINED;
}

lala lala_string(struct lala_env *env, const char *bytes, size_t n)
{
    if (!env || (!bytes && n) || n >= UINT32_MAX)
        return LALA_UNDEFINED;
    if (!n)
        bytes = "";
    uint64_t hash = hash_bytes(bytes, n);
    size_t at;
    lala found = find_string(env, bytes, n, hash, &at);
    if (found)
        return found;
    size_t size = string_bytes(n);
    struct string *s = place(env, at, hash, LALA_KIND_STRING, n, size);
    memset((char *)s + size - 8, 0, 8);
    memcpy(s->bytes, bytes, n);
    return &s->o;
}

/* Where the text of the next string would stand: what is written there need not be copied. */
static char *string_room(struct lala_env *env, size_t n)
{
    reserve(env, string_bytes(n));
    return ((struct string *)(void *)env->free)->bytes;
}

/* The string that was written into the room; the room is taken only where it is a new one. */
static lala string_of_room(struct lala_env *env, char *room, size_t n)
{
    uint64_t hash = hash_bytes(room, n);
    size_t at;
    lala found = find_string(env, room, n, hash, &at);
    if (found)
        return found;
    size_t size = string_bytes(n);
    memset(room + n, 0, size - sizeof(struct string) - n);
    struct string *s = place(env, at, hash, LALA_KIND_STRING, n, size);
    return &s->o;
}

lala lala_str(struct lala_env *env, const char *text)
{
    return text ? lala_string(env, text, strlen(text)) : LALA_UNDEFINED;
}

lala lala_format(struct lala_env *env, const char *format, ...)
{
    enum { USUAL = 240 };
    if (!env || !format)
        return LALA_UNDEFINED;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char *room = string_room(env, USUAL);
    int n = vsnprintf(room, USUAL, format, args);
    if (n >= USUAL) {
        room = string_room(env, (size_t)n);
        n = vsnprintf(room, (size_t)n + 1, format, again);
    }
    va_end(again);
    va_end(args);
    return n < 0 ? LALA_UNDEFINED : string_of_room(env, room, (size_t)n);
}

lala lala_concat(struct lala_env *env, lala a, lala b)
{
    if (!env || !is_kind(a, LALA_KIND_STRING) || !is_kind(b, LALA_KIND_STRING))
        return LALA_UNDEFINED;
    if (!a->size || !b->size)
        return a->size ? a : b;
    size_t n = (size_t)a->size + b->size;
    if (n >= UINT32_MAX)
        return LALA_UNDEFINED;
    char *room = string_room(env, n);
    memcpy(room, as_string(a)->bytes, a->size);
    memcpy(room + a->size, as_string(b)->bytes, b->size);
    return string_of_room(env, room, n);
}

const char *lala_text(lala v)
{
    return is_kind(v, LALA_KIND_STRING) ? as_string(v)->bytes : "";
}

static void show_simple(struct strbuf *out, lala v)
{
    if (lala_is_int(v))
        strbuf_addf(out, "%lld", (long long)lala_to_int(v));
    else if (is_kind(v, LALA_KIND_STRING))
        strbuf_add(out, as_string(v)->bytes, v->size);
    else if (lala_kind(v) == LALA_KIND_BOOL)
        strbuf_adds(out, v == LALA_TRUE ? "true" : "false");
}

/* The first thing in a value that is printed as it is: into records by their first fields, into
 * lists and sets by their first elements. What is left of those is pushed onto the scratch. */
static lala show_enter(struct lala_env *env, lala v)
{
    for (;;)
        if (is_kind(v, LALA_KIND_RECORD)) {
            v = v->size ? as_record(v)->fields[0] : LALA_NIL;
        } else if (is_kind(v, LALA_KIND_MAP)) {
            v = lala_map_keys(env, v);
        } else if (is_kind(v, LALA_KIND_LIST)) {
            vec_push(&env->scratch, as_cons(v)->tail);
            v = as_cons(v)->head;
        } else {
            return v;
        }
}

lala lala_show(struct lala_env *env, lala v)
{
    if (!env || !v)
        return LALA_UNDEFINED;
    if (is_kind(v, LALA_KIND_STRING))
        return v;
    if (lala_is_int(v))
        return lala_format(env, "%lld", (long long)lala_to_int(v));
    strbuf_clear(&env->text);
    size_t bottom = env->scratch.n;
    show_simple(&env->text, show_enter(env, v));
    while (env->scratch.n > bottom) {
        lala *rest = &env->scratch.at[env->scratch.n - 1], item = lala_head(*rest);
        if (!item) {
            env->scratch.n--;
            continue;
        }
        *rest = as_cons(*rest)->tail;
        strbuf_adds(&env->text, ", ");
        show_simple(&env->text, show_enter(env, item));
    }
    return lala_string(env, env->text.s, env->text.n);
}

/* -- lists ------------------------------------------------------------------------------------- */

lala lala_cons(struct lala_env *env, lala head, lala tail)
{
    if (!env || !head || !is_list(tail))
        return LALA_UNDEFINED;
    uint64_t hash = mix(hash_of(head) ^ K3, hash_of(tail) ^ K4);
    size_t at = first(env, hash);
    for (; candidate(env, &at, hash); at = next(env, at)) {
        lala o = env->slots.at[at].object;
        if (o->kind == LALA_KIND_LIST && as_cons(o)->head == head && as_cons(o)->tail == tail)
            return o;
    }
    struct cons *c = place(env, at, hash, LALA_KIND_LIST, size_of(tail) + 1, sizeof *c);
    c->head = head;
    c->tail = tail;
    return &c->o;
}

/* items before a list. */
static lala prepend(struct lala_env *env, const lala *items, size_t n, lala list)
{
    while (n && list)
        list = lala_cons(env, items[--n], list);
    return list;
}

lala lala_list(struct lala_env *env, const lala *items, size_t n)
{
    return env && (items || !n) ? prepend(env, items, n, LALA_NIL) : LALA_UNDEFINED;
}

lala lala_head(lala list)
{
    return is_kind(list, LALA_KIND_LIST) ? as_cons(list)->head : LALA_UNDEFINED;
}

lala lala_tail(lala list)
{
    return is_kind(list, LALA_KIND_LIST) ? as_cons(list)->tail : LALA_UNDEFINED;
}

lala lala_at(lala list, size_t i)
{
    if (!is_list(list) || i >= size_of(list))
        return LALA_UNDEFINED;
    while (i--)
        list = as_cons(list)->tail;
    return as_cons(list)->head;
}

lala lala_append(struct lala_env *env, lala a, lala b)
{
    if (!env || !is_list(a) || !is_list(b))
        return LALA_UNDEFINED;
    if (b == LALA_NIL)
        return a;
    size_t bottom = env->scratch.n;
    for (lala l = a; l != LALA_NIL; l = as_cons(l)->tail)
        vec_push(&env->scratch, as_cons(l)->head);
    lala result = prepend(env, env->scratch.at + bottom, env->scratch.n - bottom, b);
    env->scratch.n = bottom;
    return result;
}

lala lala_reverse(struct lala_env *env, lala list)
{
    if (!env || !is_list(list))
        return LALA_UNDEFINED;
    lala result = LALA_NIL;
    for (; list != LALA_NIL; list = as_cons(list)->tail)
        result = lala_cons(env, as_cons(list)->head, result);
    return result;
}

bool lala_list_has(lala list, lala item)
{
    if (!is_list(list) || !item)
        return false;
    for (; list != LALA_NIL; list = as_cons(list)->tail)
        if (as_cons(list)->head == item)
            return true;
    return false;
}

/* -- maps ----------------------------------------------------------------------------------------
 *
 * An empty subtree is LALA_NIL. A node stands above all with a lower priority, and among equal ones
 * above those with greater keys. */

static lala make_tree(struct lala_env *env, uint64_t priority, uint64_t rank, lala key, lala value,
                      lala left, lala right)
{
    uint64_t hash = mix(priority ^ K1, hash_of(value) ^ K2) ^
                    mix(hash_of(left) ^ K3, mix(hash_of(right), K0) ^ K4);
    size_t at = first(env, hash);
    for (; candidate(env, &at, hash); at = next(env, at)) {
        const struct tree *t = as_tree(env->slots.at[at].object);
        if (t->o.kind == LALA_KIND_MAP && t->key == key && t->value == value && t->left == left &&
            t->right == right)
            return &t->o;
    }
    size_t size = size_of(left) + size_of(right) + 1;
    struct tree *t = place(env, at, hash, LALA_KIND_MAP, size, sizeof *t);
    t->priority = priority;
    t->rank = rank;
    t->key = key;
    t->value = value;
    t->left = left;
    t->right = right;
    return &t->o;
}

/* The entry of t over other subtrees. */
static inline lala over(struct lala_env *env, const struct tree *t, lala left, lala right)
{
    if (left == t->left && right == t->right)
        return &t->o;
    return make_tree(env, t->priority, t->rank, t->key, t->value, left, right);
}

/* A key with what orders it. */
struct key {
    lala v;
    uint64_t priority, rank;
};

static inline struct key key_of(lala v)
{
    return (struct key){v, hash_of(v), rank_of(v)};
}

static inline int compare_key(lala v, uint64_t rank, const struct tree *t)
{
    if (v == t->key)
        return 0;
    if (rank != t->rank)
        return rank < t->rank ? -1 : 1;
    return lala_compare(v, t->key);
}

static inline bool above(const struct key *k, const struct tree *t)
{
    if (k->priority != t->priority)
        return k->priority > t->priority;
    return lala_compare(k->v, t->key) < 0;
}

static inline bool tree_above(const struct tree *a, const struct tree *b)
{
    struct key k = {a->key, a->priority, a->rank};
    return above(&k, b);
}

/* What is less than the key, what is greater, and the value of the key itself, if it has one. */
static lala split(struct lala_env *env, lala map, const struct key *k, lala *less, lala *greater)
{
    if (map == LALA_NIL) {
        *less = *greater = LALA_NIL;
        return LALA_UNDEFINED;
    }
    const struct tree *t = as_tree(map);
    int c = compare_key(k->v, k->rank, t);
    lala value = t->value, part;
    if (c == 0) {
        *less = t->left;
        *greater = t->right;
    } else if (c < 0) {
        value = split(env, t->left, k, less, &part);
        *greater = over(env, t, part, t->right);
    } else {
        value = split(env, t->right, k, &part, greater);
        *less = over(env, t, t->left, part);
    }
    return value;
}

/* All keys of `a` are less than those of `b`. */
static lala join(struct lala_env *env, lala a, lala b)
{
    if (a == LALA_NIL || b == LALA_NIL)
        return a == LALA_NIL ? b : a;
    const struct tree *x = as_tree(a), *y = as_tree(b);
    if (tree_above(x, y))
        return over(env, x, x->left, join(env, x->right, b));
    return over(env, y, join(env, a, y->left), y->right);
}

/* A node that stands below the key in the order of priorities is the root of a tree without it. */
static lala put(struct lala_env *env, lala map, const struct key *k, lala value)
{
    if (map == LALA_NIL)
        return make_tree(env, k->priority, k->rank, k->v, value, LALA_NIL, LALA_NIL);
    const struct tree *t = as_tree(map);
    int c = compare_key(k->v, k->rank, t);
    if (c == 0)
        return value == t->value
                   ? map
                   : make_tree(env, k->priority, k->rank, k->v, value, t->left, t->right);
    if (above(k, t)) {
        lala less, greater;
        split(env, map, k, &less, &greater);
        return make_tree(env, k->priority, k->rank, k->v, value, less, greater);
    }
    return c < 0 ? over(env, t, put(env, t->left, k, value), t->right)
                 : over(env, t, t->left, put(env, t->right, k, value));
}

lala lala_map_put(struct lala_env *env, lala map, lala key, lala value)
{
    if (!env || !is_map(map) || !key || !value)
        return LALA_UNDEFINED;
    struct key k = key_of(key);
    return put(env, map, &k, value);
}

static lala without(struct lala_env *env, lala map, const struct key *k)
{
    if (map == LALA_NIL)
        return map;
    const struct tree *t = as_tree(map);
    int c = compare_key(k->v, k->rank, t);
    if (c == 0)
        return join(env, t->left, t->right);
    return c < 0 ? over(env, t, without(env, t->left, k), t->right)
                 : over(env, t, t->left, without(env, t->right, k));
}

lala lala_map_remove(struct lala_env *env, lala map, lala key)
{
    if (!env || !is_map(map) || !key)
        return LALA_UNDEFINED;
    struct key k = key_of(key);
    return without(env, map, &k);
}

lala lala_map_get(lala map, lala key)
{
    if (!is_kind(map, LALA_KIND_MAP) || !key)
        return LALA_UNDEFINED;
    uint64_t rank = rank_of(key);
    while (map != LALA_NIL) {
        const struct tree *t = as_tree(map);
        int c = compare_key(key, rank, t);
        if (c == 0)
            return t->value;
        map = c < 0 ? t->left : t->right;
    }
    return LALA_UNDEFINED;
}

bool lala_map_has(lala map, lala key)
{
    return lala_map_get(map, key) != LALA_UNDEFINED;
}

/* The i-th entry in order. */
static const struct tree *entry(lala map, size_t i)
{
    if (!is_kind(map, LALA_KIND_MAP) || i >= map->size)
        return NULL;
    for (const struct tree *t = as_tree(map);;) {
        size_t before = size_of(t->left);
        if (i == before)
            return t;
        t = as_tree(i < before ? t->left : t->right);
        i -= i < before ? 0 : before + 1;
    }
}

lala lala_map_key(lala map, size_t i)
{
    const struct tree *t = entry(map, i);
    return t ? t->key : LALA_UNDEFINED;
}

lala lala_map_value(lala map, size_t i)
{
    const struct tree *t = entry(map, i);
    return t ? t->value : LALA_UNDEFINED;
}

static lala keys_before(struct lala_env *env, lala map, lala list)
{
    if (map == LALA_NIL)
        return list;
    list = keys_before(env, as_tree(map)->right, list);
    list = lala_cons(env, as_tree(map)->key, list);
    return keys_before(env, as_tree(map)->left, list);
}

static lala values_before(struct lala_env *env, lala map, lala list)
{
    if (map == LALA_NIL)
        return list;
    list = values_before(env, as_tree(map)->right, list);
    list = lala_cons(env, as_tree(map)->value, list);
    return values_before(env, as_tree(map)->left, list);
}

static lala list_keys(struct lala_env *env, const lala *arg, int n)
{
    (void)n;
    return keys_before(env, arg[0], LALA_NIL);
}

/* Remembered, for what a generator offers is mostly a set, and the same one again and again. */
lala lala_map_keys(struct lala_env *env, lala map)
{
    static const struct lala_function keys = {"keys", "Map : List", list_keys, LALA_MEMO};
    if (!env || !is_map(map))
        return LALA_UNDEFINED;
    return size_of(map) < 2 ? keys_before(env, map, LALA_NIL) : lala_call_memo(env, &keys, &map, 1);
}

lala lala_map_values(struct lala_env *env, lala map)
{
    return env && is_map(map) ? values_before(env, map, LALA_NIL) : LALA_UNDEFINED;
}

/* The root of the result is the higher of the two roots; the other map is split at its key. Where
 * that is the root of `a`, the key is not in `b`: it would stand at least as high there. */
static lala merge(struct lala_env *env, lala a, lala b)
{
    if (a == b || b == LALA_NIL)
        return a;
    if (a == LALA_NIL)
        return b;
    const struct tree *x = as_tree(a), *y = as_tree(b);
    lala less, greater;
    if (x->key != y->key && tree_above(x, y)) {
        struct key k = {x->key, x->priority, x->rank};
        split(env, b, &k, &less, &greater);
        less = merge(env, x->left, less);
        return over(env, x, less, merge(env, x->right, greater));
    }
    struct key k = {y->key, y->priority, y->rank};
    split(env, a, &k, &less, &greater);
    less = merge(env, less, y->left);
    return over(env, y, less, merge(env, greater, y->right));
}

lala lala_map_merge(struct lala_env *env, lala a, lala b)
{
    return env && is_map(a) && is_map(b) ? merge(env, a, b) : LALA_UNDEFINED;
}

/* Those entries of `a` whose keys `b` has, or has not. */
static lala filter(struct lala_env *env, lala a, lala b, bool wanted)
{
    if (a == LALA_NIL || b == LALA_NIL || a == b)
        return wanted == (a == b) ? a : LALA_NIL;
    const struct tree *t = as_tree(a);
    struct key k = {t->key, t->priority, t->rank};
    lala less, greater;
    bool has = split(env, b, &k, &less, &greater) != LALA_UNDEFINED;
    less = filter(env, t->left, less, wanted);
    greater = filter(env, t->right, greater, wanted);
    return has == wanted ? over(env, t, less, greater) : join(env, less, greater);
}

/* -- sets -------------------------------------------------------------------------------------- */

lala lala_set_add(struct lala_env *env, lala set, lala item)
{
    return lala_map_put(env, set, item, LALA_TRUE);
}

lala lala_set_remove(struct lala_env *env, lala set, lala item)
{
    return lala_map_remove(env, set, item);
}

bool lala_set_has(lala set, lala item)
{
    return lala_map_has(set, item);
}

lala lala_set_union(struct lala_env *env, lala a, lala b)
{
    return lala_map_merge(env, a, b);
}

lala lala_set_intersect(struct lala_env *env, lala a, lala b)
{
    return env && is_map(a) && is_map(b) ? filter(env, a, b, true) : LALA_UNDEFINED;
}

lala lala_set_minus(struct lala_env *env, lala a, lala b)
{
    return env && is_map(a) && is_map(b) ? filter(env, a, b, false) : LALA_UNDEFINED;
}

lala lala_set_items(struct lala_env *env, lala set)
{
    return lala_map_keys(env, set);
}

/* -- records ----------------------------------------------------------------------------------- */

lala lala_record(struct lala_env *env, int tag, int n, const lala *fields)
{
    if (!env || n < 0 || n > LALA_MAX_FIELDS || (n && !fields))
        return LALA_UNDEFINED;
    uint64_t hash = mix((uint64_t)(int64_t)tag ^ K2, K4 ^ (uint64_t)n);
    for (int i = 0; i < n; i++) {
        if (!fields[i])
            return LALA_UNDEFINED;
        hash = mix(hash ^ K0, hash_of(fields[i]) ^ K2);
    }
    size_t bytes = (size_t)n * sizeof *fields, at = first(env, hash);
    for (; candidate(env, &at, hash); at = next(env, at)) {
        const struct record *r = as_record(env->slots.at[at].object);
        if (r->o.kind == LALA_KIND_RECORD && r->tag == tag && r->o.size == (uint32_t)n &&
            (!n || !memcmp(r->fields, fields, bytes)))
            return &r->o;
    }
    struct record *r =
        place(env, at, hash, LALA_KIND_RECORD, (size_t)n, sizeof(struct record) + bytes);
    r->tag = tag;
    if (n)
        memcpy(r->fields, fields, bytes);
    return &r->o;
}

int lala_tag(lala record)
{
    return is_kind(record, LALA_KIND_RECORD) ? (int)as_record(record)->tag : -1;
}

lala lala_field(lala record, int i)
{
    return is_kind(record, LALA_KIND_RECORD) && i >= 0 && (uint32_t)i < record->size
               ? as_record(record)->fields[i]
               : LALA_UNDEFINED;
}

lala lala_with(struct lala_env *env, lala record, int i, lala value)
{
    if (!lala_field(record, i) || !value)
        return LALA_UNDEFINED;
    lala fields[LALA_MAX_FIELDS];
    memcpy(fields, as_record(record)->fields, record->size * sizeof *fields);
    fields[i] = value;
    return lala_record(env, lala_tag(record), (int)record->size, fields);
}

/* -- nodes ------------------------------------------------------------------------------------- */

lala lala_node(struct lala_env *env, uint64_t serial, uint64_t number)
{
    if (!env)
        return LALA_UNDEFINED;
    uint64_t hash = mix(mix(serial ^ K3, K0) ^ number, K2);
    size_t at = first(env, hash);
    for (; candidate(env, &at, hash); at = next(env, at)) {
        const struct node *o = (const struct node *)env->slots.at[at].object;
        if (o->o.kind == LALA_KIND_NODE && o->serial == serial && o->number == number)
            return &o->o;
    }
    struct node *o = place(env, at, hash, LALA_KIND_NODE, 0, sizeof *o);
    o->serial = serial;
    o->number = number;
    o->env = env;
    return &o->o;
}

uint64_t lala_node_number(lala node)
{
    return is_kind(node, LALA_KIND_NODE) ? ((const struct node *)node)->number : 0;
}

struct lala_env *lala_node_env(lala node)
{
    return is_kind(node, LALA_KIND_NODE) ? ((const struct node *)node)->env : NULL;
}

/* -- answers ----------------------------------------------------------------------------------- */

static const struct memo *find_memo(struct lala_env *env, const struct lala_function *f,
                                    const lala *args, uint32_t n, uint64_t hash, size_t *at)
{
    for (*at = first(env, hash); candidate(env, at, hash); *at = next(env, *at)) {
        const struct memo *m = (const struct memo *)env->slots.at[*at].object;
        if (m->o.kind == KIND_MEMO && m->function == f && m->o.size == n &&
            (!n || !memcmp(m->args, args, n * sizeof *args)))
            return m;
    }
    return NULL;
}

lala lala_call_memo(struct lala_env *env, const struct lala_function *f, const lala *args, int n)
{
    if (!env || !f || n < 0)
        return LALA_UNDEFINED;
    uint64_t hash = (uint64_t)(uintptr_t)f; /* of addresses: it decides on no more than a slot */
    for (int i = 0; i < n; i++) {
        if (!args[i])
            return LALA_UNDEFINED;
        hash = mix(hash ^ K0, (uint64_t)(uintptr_t)args[i] ^ K1);
    }
    hash = mix(hash ^ K2, K3);
    size_t at;
    const struct memo *known = find_memo(env, f, args, (uint32_t)n, hash, &at);
    if (known)
        return known->answer;
    lala answer = f->call(env, args, n);
    if (find_memo(env, f, args, (uint32_t)n, hash, &at)) /* the call made values: look again */
        return answer;
    size_t bytes = (size_t)n * sizeof *args;
    struct memo *m = place(env, at, hash, KIND_MEMO, (size_t)n, sizeof *m + bytes);
    m->function = f;
    m->answer = answer;
    if (n)
        memcpy(m->args, args, bytes);
    return answer;
}

/* -- for messages ------------------------------------------------------------------------------ */

enum { DESCRIBED = 200 }; /* bytes, about; each level of nesting takes one, so this ends */

struct description {
    struct strbuf *out;
    size_t end; /* of out->n */
};

static void describe(const struct description *d, lala v);

static void describe_string(const struct description *d, lala v)
{
    strbuf_addc(d->out, '"');
    for (uint32_t i = 0; i < v->size && d->out->n < d->end; i++) {
        unsigned char c = (unsigned char)as_string(v)->bytes[i];
        if (c == '"' || c == '\\')
            strbuf_addf(d->out, "\\%c", c);
        else if (c < ' ' || c == 0x7f)
            strbuf_addf(d->out, "\\x%02x", c);
        else
            strbuf_addc(d->out, (char)c);
    }
    strbuf_addc(d->out, '"');
}

/* The comma before all but the first; false when the rest is left out. */
static bool describe_next(const struct description *d, size_t i)
{
    if (i)
        strbuf_adds(d->out, ", ");
    if (d->out->n < d->end)
        return true;
    strbuf_adds(d->out, "...");
    return false;
}

static void describe_list(const struct description *d, lala v)
{
    strbuf_addc(d->out, '[');
    for (size_t i = 0; v != LALA_NIL && describe_next(d, i); i++, v = as_cons(v)->tail)
        describe(d, as_cons(v)->head);
    strbuf_addc(d->out, ']');
}

static void describe_map(const struct description *d, lala v)
{
    strbuf_addc(d->out, '{');
    for (size_t i = 0; i < v->size && describe_next(d, i); i++) {
        describe(d, lala_map_key(v, i));
        if (lala_map_value(v, i) == LALA_TRUE)
            continue;
        strbuf_adds(d->out, ": ");
        describe(d, lala_map_value(v, i));
    }
    strbuf_addc(d->out, '}');
}

static void describe_record(const struct description *d, lala v)
{
    int first_field = 0;
    if (lala_tag(v) == LALA_TAG_SCOPE) {
        strbuf_adds(d->out, "scope ");
        describe(d, lala_scope_visible(v));
        return;
    }
    if (lala_tag(v) == LALA_TAG_TYPE) {
        strbuf_adds(d->out, lala_type_name(v));
        first_field = 1;
    } else {
        strbuf_addf(d->out, "#%d", lala_tag(v));
    }
    if ((uint32_t)first_field == v->size)
        return;
    strbuf_addc(d->out, '(');
    for (int i = first_field; (uint32_t)i < v->size; i++) {
        if (!describe_next(d, (size_t)(i - first_field)))
            break;
        describe(d, lala_field(v, i));
    }
    strbuf_addc(d->out, ')');
}

static void describe(const struct description *d, lala v)
{
    switch (lala_kind(v)) {
    case LALA_KIND_UNDEFINED:
        strbuf_adds(d->out, "undefined");
        break;
    case LALA_KIND_NIL:
        strbuf_adds(d->out, "nil");
        break;
    case LALA_KIND_BOOL:
    case LALA_KIND_INT:
        show_simple(d->out, v);
        break;
    case LALA_KIND_STRING:
        describe_string(d, v);
        break;
    case LALA_KIND_LIST:
        describe_list(d, v);
        break;
    case LALA_KIND_MAP:
        describe_map(d, v);
        break;
    case LALA_KIND_RECORD:
        describe_record(d, v);
        break;
    case LALA_KIND_NODE:
        strbuf_addf(d->out, "node %llu", (unsigned long long)((const struct node *)v)->serial);
        break;
    }
}

void lala_describe(lala v, struct strbuf *out)
{
    struct description d = {out, out->n + DESCRIBED};
    describe(&d, v);
}
