/* A hash map from byte strings to pointers or numbers, and string interning on top of it.
 *
 * Open addressing, power-of-two table, keys copied into the map's arena. Iteration is in order of
 * insertion, never in hash order, because nothing that assay prints may depend on a hash. */
#ifndef ASSAY_BASE_MAP_H
#define ASSAY_BASE_MAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

union map_value {
    void *pointer;
    uint64_t number;
};

struct map_entry {
    const char *key; /* NUL-terminated for convenience; may hold NULs itself */
    size_t key_size;
    uint64_t hash;
    union map_value value;
};

struct map {
    struct arena keys;
    struct map_entry *entries; /* in order of insertion */
    size_t n, cap;
    uint32_t *slots; /* index into entries + 1; 0 is empty */
    size_t n_slots;
};

void map_init(struct map *m);
void map_release(struct map *m);

/* The entry of the key, or NULL. */
struct map_entry *map_find(const struct map *m, const void *key, size_t key_size);
/* The entry of the key, made with value 0 if it was not there; `*added` (may be NULL) tells. The
 * address holds until the next map_put. */
struct map_entry *map_put(struct map *m, const void *key, size_t key_size, bool *added);

struct map_entry *map_find_str(const struct map *m, const char *key);
struct map_entry *map_put_str(struct map *m, const char *key, bool *added);

/* Interning: equal strings get the same number, counted from 0, and the same address. */
uint32_t intern(struct map *m, const char *s, size_t n);
const char *intern_text(const struct map *m, uint32_t id);

/* The 64-bit hash that the map uses: FNV-1a with a final mix. Stable across builds. */
uint64_t map_hash(const void *key, size_t key_size);

#endif
