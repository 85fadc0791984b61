#include "base/map.h"
#include "base/error.h"

void map_init(struct map *m)
{
    *m = (struct map){0};
    arena_init(&m->keys);
}

void map_release(struct map *m)
{
    arena_release(&m->keys);
    free(m->entries);
    free(m->slots);
    map_init(m);
}

uint64_t map_hash(const void *key, size_t key_size)
{
    const unsigned char *p = key;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < key_size; i++)
        h = (h ^ p[i]) * 0x100000001b3u;
    /* FNV's low bits are weak for short keys, and the low bits are what we index with. */
    h ^= h >> 32;
    h *= 0xd6e8feb86659fd93u;
    return h ^ (h >> 32);
}

static struct map_entry *lookup(const struct map *m, const void *key, size_t n, uint64_t hash,
                                size_t *slot)
{
    size_t mask = m->n_slots - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
        *slot = i;
        if (!m->slots[i])
            return NULL;
        struct map_entry *e = &m->entries[m->slots[i] - 1];
        if (e->hash == hash && e->key_size == n && (n == 0 || !memcmp(e->key, key, n)))
            return e;
    }
}

static void grow(struct map *m)
{
    m->n_slots = m->n_slots ? m->n_slots * 2 : 16;
    free(m->slots);
    m->slots = mem_alloc(m->n_slots * sizeof *m->slots);
    memset(m->slots, 0, m->n_slots * sizeof *m->slots);
    size_t mask = m->n_slots - 1;
    for (size_t k = 0; k < m->n; k++) {
        size_t i = m->entries[k].hash & mask;
        while (m->slots[i])
            i = (i + 1) & mask;
        m->slots[i] = (uint32_t)(k + 1);
    }
}

struct map_entry *map_find(const struct map *m, const void *key, size_t key_size)
{
    size_t slot;
    return m->n ? lookup(m, key, key_size, map_hash(key, key_size), &slot) : NULL;
}

struct map_entry *map_put(struct map *m, const void *key, size_t key_size, bool *added)
{
    if (m->n * 2 >= m->n_slots)
        grow(m);
    size_t slot;
    uint64_t hash = map_hash(key, key_size);
    struct map_entry *e = lookup(m, key, key_size, hash, &slot);
    if (added)
        *added = !e;
    if (e)
        return e;
    if (m->n == m->cap) {
        m->cap = m->cap ? m->cap * 2 : 8;
        m->entries = mem_resize(m->entries, m->cap * sizeof *m->entries);
    }
    REQUIRE(m->n < UINT32_MAX - 1);
    e = &m->entries[m->n++];
    *e = (struct map_entry){
        .key = arena_memdup(&m->keys, key, key_size), .key_size = key_size, .hash = hash};
    m->slots[slot] = (uint32_t)m->n;
    return e;
}

struct map_entry *map_find_str(const struct map *m, const char *key)
{
    return map_find(m, key, strlen(key));
}

struct map_entry *map_put_str(struct map *m, const char *key, bool *added)
{
    return map_put(m, key, strlen(key), added);
}

uint32_t intern(struct map *m, const char *s, size_t n)
{
    struct map_entry *e = map_put(m, s, n, NULL);
    return (uint32_t)(e - m->entries);
}

const char *intern_text(const struct map *m, uint32_t id)
{
    REQUIRE(id < m->n);
    return m->entries[id].key;
}
