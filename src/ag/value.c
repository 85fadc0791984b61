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
 * Two values of one env differ exactly if their addresses do. So the order of two lists, records or
 * maps is the order of the first parts that differ, and nothing here recurses on the length or the
 * depth of a value, only on the height of a treap. */
#include "ag/value_internal.h"
#include "base/error.h"

#include <stdarg.h>

_Static_assert(sizeof(uintptr_t) == 8, "integers are 63 bits in a pointer");

enum {
    FEWEST_SLOTS = 1 << 12,
    CHUNK_BYTES = 1 << 18,
    KEPT_CHUNKS = 512, /* over a reset: 128 MiB */
};

/* -- hashes ------------------------------------------------------------------------------------ */

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

uint64_t lala_hash(lala v)
{
    return hash_of(v);
}

/* -- kinds ------------------------------------------------------------------------------------- */

enum lala_kind lala_kind(lala v)
{
    if (lala_is_int(v))
        return LALA_KIND_INT;
    if (is_object(v))
        return (enum lala_kind)v->kind;
    return !v ? LALA_KIND_UNDEFINED : v == LALA_NIL ? LALA_KIND_NIL : LALA_KIND_BOOL;
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

uint64_t value_rank(lala v)
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

void value_next_chunk(struct lala_env *env, size_t bytes)
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

void value_grow(struct lala_env *env)
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

/* -- strings ----------------------------------------------------------------------------------- */

/* Bytes of a string's object; those after the text are NUL, one at least. */
static inline size_t string_bytes(size_t n)
{
    return sizeof(struct string) + ((n + 8) & ~(size_t)7);
}

/* Its hash, and where in the table it is or would go. */
static inline lala find_string(struct lala_env *env, const char *bytes, size_t n, uint64_t *hash,
                               size_t *at)
{
    *hash = hash_bytes(bytes, n);
    for (*at = first(env, *hash); candidate(env, at, *hash); *at = next(env, *at)) {
        lala o = env->slots.at[*at].object;
        if (o->kind == LALA_KIND_STRING && o->size == n && !memcmp(as_string(o)->bytes, bytes, n))
            return o;
    }
    return LALA_UNDEFINED;
}

/* The string of bytes that stand elsewhere or in its room, which is taken only where it is new. */
static inline lala string_of(struct lala_env *env, const char *bytes, size_t n)
{
    uint64_t hash;
    size_t at;
    lala found = find_string(env, bytes, n, &hash, &at);
    if (found)
        return found;
    size_t size = string_bytes(n);
    struct string *s = place(env, at, hash, LALA_KIND_STRING, n, size);
    if (bytes != s->bytes) {
        memset((char *)s + size - 8, 0, 8);
        memcpy(s->bytes, bytes, n);
    } else {
        memset(s->bytes + n, 0, size - sizeof(struct string) - n);
    }
    return &s->o;
}

lala lala_string(struct lala_env *env, const char *bytes, size_t n)
{
    if (!env || (!bytes && n) || n >= UINT32_MAX)
        return LALA_UNDEFINED;
    return string_of(env, n ? bytes : "", n);
}

/* Where the text of the next string would stand: what is written there need not be copied. */
static char *string_room(struct lala_env *env, size_t n)
{
    reserve(env, string_bytes(n));
    return ((struct string *)(void *)env->free)->bytes;
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
    return n < 0 ? LALA_UNDEFINED : string_of(env, room, (size_t)n);
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
    return string_of(env, room, n);
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
