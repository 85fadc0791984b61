/* Memory with one lifetime: allocate much, free once.
 *
 * One arena per program, one per campaign step; a tree is never freed node by node. Allocation
 * never fails: when the system has no memory left, the process says so and aborts. Blocks grow
 * geometrically up to 1 MiB, so that a small arena costs little and a large one few mallocs. */
#ifndef ASSAY_BASE_ARENA_H
#define ASSAY_BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *head; /* the block in use; older ones are linked behind it */
    char *free, *end;         /* what is left of it */
    size_t used;              /* bytes handed out since init or reset */
};

void arena_init(struct arena *a);
void arena_release(struct arena *a);
/* Forget all, keep one block for the next round. */
void arena_reset(struct arena *a);

/* `size` bytes, zeroed, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_memdup(struct arena *a, const void *data, size_t size); /* adds a NUL */
char *arena_printf(struct arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define arena_new(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define arena_array(a, type, n) ((type *)arena_alloc((a), sizeof(type) * (size_t)(n)))

/* malloc and realloc that abort with a sentence instead of returning NULL. */
void *mem_alloc(size_t size);
void *mem_resize(void *old, size_t size);

#endif
