#include "base/arena.h"
#include "tap.h"

#include <stdint.h>

int main(void)
{
    struct arena a;
    arena_init(&a);
    bool aligned = true, zeroed = true;
    for (size_t n = 0; n < 3000; n++) {
        unsigned char *p = arena_alloc(&a, n);
        aligned &= (uintptr_t)p % _Alignof(max_align_t) == 0;
        for (size_t i = 0; i < n; i++)
            zeroed &= p[i] == 0;
        memset(p, 0xff, n);
    }
    ok(aligned, "each allocation is aligned for any type");
    ok(zeroed, "and zeroed");
    is_str(arena_printf(&a, "%d-%s", 7, "x"), "7-x", "printf");
    char *big = arena_alloc(&a, 5 << 20);
    big[(5 << 20) - 1] = 1;
    ok(a.used > (5 << 20), "a request above the largest block is served");
    arena_reset(&a);
    is_int(a.used, 0, "reset forgets all");
    char *again = arena_alloc(&a, 100);
    ok(again[0] == 0 && again[99] == 0, "memory after a reset is zeroed again");
    is_str(arena_strdup(&a, "abc"), "abc", "strdup");
    ok(arena_strdup(&a, NULL) == NULL, "strdup of nothing is nothing");
    is_int(memcmp(arena_memdup(&a, "a\0b", 3), "a\0b\0", 4), 0, "memdup keeps NULs and adds one");
    arena_release(&a);
    return tap_done();
}
