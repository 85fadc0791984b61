/* Many programs of smith, each run by the reference interpreter before it leaves: none may be
 * dropped as undefined, none may fail, and each must know its checksum.
 *
 *     ten_thousand COUNT [FIRST [setting...]]          without a number: 500 from seed 1 */
#include "gen/smith/smith.h"
#include "tap.h"

#include <stdlib.h>

int main(int argc, char **argv)
{
    char *end = NULL;
    unsigned long count = argc > 1 ? strtoul(argv[1], &end, 10) : 0;
    if (!end || *end || !count)
        count = 500; /* the suite hands every unit test the same argument */
    unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    struct gen_context context = {.settings = (const char *const *)argv + 3,
                                  .n_settings = argc > 3 ? argc - 3 : 0};
    struct generator *g;
    struct error e = {0};
    if (gen_open("smith", &context, &g, &e)) {
        ok(false, "smith opens: %s", e.message);
        return tap_done();
    }
    unsigned long failed = 0, unknown = 0;
    for (unsigned long seed = first; seed < first + count; seed++) {
        struct choice c;
        struct arena a;
        struct program p = {0};
        choice_init_random(&c, seed);
        arena_init(&a);
        const char *why;
        uint64_t dropped = smith_dropped(g, NULL);
        if (gen_next(g, &c, &a, &p, &e))
            failed++;
        else if (!p.expected)
            unknown++;
        if (smith_dropped(g, &why) != dropped)
            printf("# seed %lu was dropped: %s\n", seed, why);
        arena_release(&a);
        choice_release(&c);
    }
    uint64_t steps;
    int64_t ns;
    smith_measure(g, &steps, &ns);
    printf("# %lu programs, %.1f million nodes\n", count, (double)steps / 1e6);
    is_int(failed, 0, "a program for each of %lu seeds", count);
    is_int(unknown, 0, "each knows its checksum");
    is_int(smith_dropped(g, NULL), 0, "the interpreter found nothing undefined, and all end");
    gen_close(g);
    return tap_done();
}
