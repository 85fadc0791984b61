/* Many programs of one of our generators, each run by the reference interpreter before it leaves:
 * none may be dropped as undefined, none may fail, and each must know its checksum. What fails is
 * named by its seed.
 *
 *     ten_thousand [smith|yarp|graft] COUNT [FIRST [setting...]]   without a number: 500 from seed
 * 1
 *
 * graft needs its library: library=grafts/own.c */
#include "gen/graft/graft.h"
#include "gen/smith/smith.h"
#include "gen/yarp/yarp.h"
#include "tap.h"

#include <stdlib.h>

/* What else the generator says of the programs so far. */
static void conclude(const struct generator *g, bool smith)
{
    if (!strcmp(g->name, "graft")) {
        struct graft_counts n = graft_measure(g);
        printf("# %llu calls put in, %llu taken out again, %llu runs, %.1f million nodes\n",
               (unsigned long long)n.planted, (unsigned long long)n.dropped,
               (unsigned long long)n.runs, (double)n.steps / 1e6);
        return;
    }
    if (!smith) {
        struct yarp_counts n = yarp_measure(g);
        double programs = n.programs ? (double)n.programs : 1;
        printf("# a program: %.0f nodes evaluated, %.1f operations rewritten, %.1f loops; %llu "
               "programs "
               "run again\n",
               (double)n.steps / programs, (double)n.rewritten / programs,
               (double)n.loops / programs, (unsigned long long)n.again);
        return;
    }
    uint64_t steps;
    int64_t ns;
    smith_measure(g, &steps, &ns);
    printf("# %.1f million nodes\n", (double)steps / 1e6);
    is_int(smith_dropped(g, NULL), 0, "the interpreter found nothing undefined, and all end");
}

int main(int argc, char **argv)
{
    bool named = argc > 1 && (!strcmp(argv[1], "smith") || !strcmp(argv[1], "yarp") ||
                              !strcmp(argv[1], "graft"));
    const char *name = named ? argv[1] : "smith";
    bool smith = !strcmp(name, "smith");
    argc -= named;
    argv += named;
    char *end = NULL;
    unsigned long count = argc > 1 ? strtoul(argv[1], &end, 10) : 0;
    if (!end || *end || !count)
        count = (unsigned long)tap_amount(
            200, 500); /* the suite hands every unit test the same argument */
    unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    struct gen_context context = {.settings = (const char *const *)argv + 3,
                                  .n_settings = argc > 3 ? argc - 3 : 0};
    struct generator *g;
    struct error e = {0};
    if (gen_open(name, &context, &g, &e)) {
        ok(false, "%s opens: %s", name, e.message);
        return tap_done();
    }
    if (!strcmp(name, "yarp"))
        yarp_check(g, true);
    unsigned long failed = 0, unknown = 0;
    for (unsigned long seed = first; seed < first + count; seed++) {
        struct choice c;
        struct arena a;
        struct program p = {0};
        choice_init_random(&c, seed);
        arena_init(&a);
        const char *why;
        uint64_t dropped = smith ? smith_dropped(g, NULL) : 0;
        if (gen_next(g, &c, &a, &p, &e)) {
            printf("# seed %lu failed: %s\n", seed, e.message);
            failed++;
        } else if (!p.expected.data) {
            unknown++;
        }
        if (smith && smith_dropped(g, &why) != dropped)
            printf("# seed %lu was dropped: %s\n", seed, why);
        arena_release(&a);
        choice_release(&c);
    }
    printf("# %lu programs of %s\n", count, name);
    is_int(failed, 0, "a program for each of %lu seeds", count);
    is_int(unknown, 0, "each knows its checksum");
    conclude(g, smith);
    gen_close(g);
    return tap_done();
}
