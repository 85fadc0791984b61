#include "base/arena.h"
#include "base/sanitizer.h"
#include "tap.h"

#include <stdint.h>

#if ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>

static void test_guarded(struct arena *a)
{
    char *small = arena_alloc(a, 20), *large = arena_alloc(a, 1000);
    ok(!__asan_address_is_poisoned(small + 19) && __asan_address_is_poisoned(small + 20),
       "what lies behind an allocation is no one's");
    ok(!__asan_address_is_poisoned(large + 999) && __asan_address_is_poisoned(large + 1000) &&
           __asan_address_is_poisoned(large + 1200),
       "  far behind, where elements may be large");
    arena_reset(a);
    ok(__asan_address_is_poisoned(a->free), "after a reset nobody owns anything");
}
#else
static void test_guarded(struct arena *a)
{
    (void)a;
}
#endif

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
    test_guarded(&a);
    arena_release(&a);
    return tap_done();
}
