/* interp_many FIRST N: the smith programs of N seeds, and what interp did for each.
 *
 * A helper of bench/interp. For each program a line on standard output, "SEED STEPS NANOSECONDS":
 * AST nodes evaluated, and the CPU time of finding the answer (smith_measure). */
#include "base/text.h"
#include "gen/smith/smith.h"

static void make_all(struct generator *g, uint64_t first, uint64_t n)
{
    struct arena a;
    arena_init(&a);
    uint64_t steps = 0;
    int64_t ns = 0;
    for (uint64_t seed = first; seed < first + n; seed++) {
        struct choice c;
        struct program p;
        struct error e = {0};
        choice_init_random(&c, seed);
        /* One that comes to nothing was run as well: its steps count. */
        if (gen_next(g, &c, &a, &p, &e))
            fprintf(stderr, "interp_many: %s\n", e.message);
        choice_release(&c);
        arena_reset(&a);
        uint64_t steps_now;
        int64_t ns_now;
        smith_measure(g, &steps_now, &ns_now);
        printf("%llu %llu %lld\n", (unsigned long long)seed,
               (unsigned long long)(steps_now - steps), (long long)(ns_now - ns));
        steps = steps_now;
        ns = ns_now;
    }
    arena_release(&a);
}

int main(int argc, char **argv)
{
    uint64_t first, n;
    if (argc != 3 || !text_parse_u64(argv[1], &first) || !text_parse_u64(argv[2], &n)) {
        fprintf(stderr, "usage: interp_many FIRST N\n");
        return 2;
    }
    struct error e = {0};
    struct gen_context context = {0};
    struct generator *g = NULL;
    if (gen_open("smith", &context, &g, &e)) {
        fprintf(stderr, "interp_many: %s\n", e.message);
        return 3;
    }
    make_all(g, first, n);
    gen_close(g);
    return 0;
}
