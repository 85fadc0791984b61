#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "tap.h"

static void test_vec(void)
{
    VEC(int) v = {0};
    for (int i = 0; i < 1000; i++)
        vec_push(&v, i);
    is_int(v.n, 1000, "pushed");
    ok(v.at[0] == 0 && v.at[999] == 999, "in order");
    vec_release(&v);
    ok(v.at == NULL && v.n == 0, "released");
}

static void test_strbuf(void)
{
    struct strbuf b;
    strbuf_init(&b, 10);
    is_str(b.s, "", "empty from the start");
    strbuf_adds(&b, "12345");
    strbuf_addf(&b, "%d", 678);
    ok(!b.truncated, "within the cap");
    strbuf_adds(&b, "9abc");
    is_str(b.s, "123456789a", "cut at the cap");
    ok(b.truncated, "and it says so");
    strbuf_clear(&b);
    ok(b.n == 0 && !b.truncated && b.s[0] == 0, "cleared");
    strbuf_add(&b, "a\0b", 3);
    is_int(b.n, 3, "NULs are kept");
    strbuf_release(&b);
    strbuf_init(&b, 0);
    for (int i = 0; i < 1000; i++)
        strbuf_addf(&b, "%0300d", i);
    is_int(b.n, 300000, "long formats grow it");
    strbuf_release(&b);
}

static void test_map(void)
{
    struct map m;
    char key[32];
    bool added, good = true;
    map_init(&m);
    ok(!map_find_str(&m, "x"), "nothing in an empty map");
    for (int i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "key-%d", i);
        map_put_str(&m, key, &added)->value.number = (uint64_t)i;
        good &= added;
    }
    for (int i = 0; i < 5000; i++) {
        snprintf(key, sizeof key, "key-%d", i);
        struct map_entry *e = map_find_str(&m, key);
        good &= e && e->value.number == (uint64_t)i;
        map_put_str(&m, key, &added);
        good &= !added;
    }
    ok(good, "5000 keys found again");
    ok(!map_find_str(&m, "key-5000"), "and no other");
    is_str(m.entries[17].key, "key-17", "iteration is in order of insertion");
    map_put(&m, "a\0b", 3, NULL);
    ok(map_find(&m, "a\0b", 3) && !map_find(&m, "a\0c", 3) && !map_find(&m, "a", 1),
       "keys are bytes, not C strings");
    map_release(&m);

    uint32_t a = intern(&m, "alpha", 5), b = intern(&m, "beta", 4);
    ok(a == 0 && b == 1 && intern(&m, "alpha", 5) == a, "interning numbers from 0");
    is_str(intern_text(&m, b), "beta", "and back");
    map_release(&m);
    ok(map_hash("assay", 5) == map_hash("assay", 5) && map_hash("assay", 5) != map_hash("assaz", 5),
       "the hash tells keys apart");
}

static void test_sorted(void)
{
    static const int values[] = {1, 3, 3, 3, 8, 9};
    static const struct {
        int least;
        size_t n, at;
    } cases[] = {{0, 6, 0}, {1, 6, 0},  {2, 6, 1}, {3, 6, 1}, {4, 6, 4},
                 {9, 6, 5}, {10, 6, 6}, {3, 1, 1}, {1, 1, 0}, {1, 0, 0}};
    bool good = true;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t i;
        sorted_first(i, cases[k].n, values[i] < cases[k].least);
        good &= i == cases[k].at;
    }
    ok(good, "the first of sorted elements that is not before a value");
}

int main(void)
{
    test_vec();
    test_sorted();
    test_strbuf();
    test_map();
    return tap_done();
}
