#include "base/arena.h"
#include "base/error.h"
#include "base/sanitizer.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>

/* With AddressSanitizer what is not handed out may not be touched, and a gap lies behind each
 * allocation, so that a read beyond an array is seen, as it is with malloc. */
#if ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
static size_t gap(size_t size)
{
    return size < 256 ? alignof(max_align_t) : 256;
}
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
static size_t gap(size_t size)
{
    (void)size;
    return 0;
}
#endif

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
    struct arena_block *next;
    size_t size; /* usable bytes that follow */
    alignas(max_align_t) char data[];
};

void *mem_alloc(size_t size)
{
    void *p = malloc(size ? size : 1);
    if (!p)
        BUG("out of memory (%zu bytes)", size);
    return p;
}

void *mem_resize(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    if (!p)
        BUG("out of memory (%zu bytes)", size);
    return p;
}

void arena_init(struct arena *a)
{
    *a = (struct arena){0};
}

void arena_release(struct arena *a)
{
    for (struct arena_block *b = a->head; b;) {
        struct arena_block *next = b->next;
        free(b);
        b = next;
    }
    arena_init(a);
}

void arena_reset(struct arena *a)
{
    if (!a->head)
        return;
    for (struct arena_block *b = a->head->next; b;) {
        struct arena_block *next = b->next;
        free(b);
        b = next;
    }
    a->head->next = NULL;
    a->free = a->head->data;
    a->end = a->head->data + a->head->size;
    a->used = 0;
    ASAN_POISON_MEMORY_REGION(a->free, a->head->size);
}

static void add_block(struct arena *a, size_t at_least)
{
    size_t size = a->head ? a->head->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < at_least)
        size = at_least;
    struct arena_block *b = mem_alloc(sizeof *b + size);
    b->size = size;
    b->next = a->head;
    a->head = b;
    a->free = b->data;
    a->end = b->data + size;
    ASAN_POISON_MEMORY_REGION(a->free, size);
}

void *arena_alloc(struct arena *a, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX - 2 * align - gap(size))
        BUG("absurd allocation of %zu bytes", size);
    size_t rounded = (size + align - 1) / align * align;
    size_t with_gap = rounded + gap(size);
    if (!a->head || (size_t)(a->end - a->free) < with_gap)
        add_block(a, with_gap);
    void *p = a->free;
    a->free += with_gap;
    a->used += rounded;
    ASAN_UNPOISON_MEMORY_REGION(p, size);
    memset(p, 0, size);
    return p;
}

char *arena_memdup(struct arena *a, const void *data, size_t size)
{
    char *copy = arena_alloc(a, size + 1);
    if (size)
        memcpy(copy, data, size);
    copy[size] = '\0';
    return copy;
}

char *arena_strdup(struct arena *a, const char *s)
{
    return s ? arena_memdup(a, s, strlen(s)) : NULL;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    REQUIRE(n >= 0);
    char *out = arena_alloc(a, (size_t)n + 1);
    vsnprintf(out, (size_t)n + 1, format, again);
    va_end(again);
    return out;
}
