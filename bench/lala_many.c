/* lala_many BASE GENERATOR FIRST SECONDS [SETTING...]: programs of one process, for so much CPU
 * time.
 *
 * A helper of bench/lala. BASE is the folder that holds specs/. For each program a line on standard
 * output, "SEED NANOSECONDS NODES BYTES ALTERNATIVES PATTERNS": the CPU time from the seed to the
 * text, NANOSECONDS -1 where there is no program. The first line is "open NANOSECONDS", the last
 * one "peak KILOBYTES": the most memory that was resident. */
#include "base/fs.h"
#include "base/text.h"
#include "gen/gen.h"

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* A figure of what the generator says of its last program. */
static long long figure(const char *stats, const char *name)
{
    for (; stats && *stats; stats = strchr(stats, '\n') ? strchr(stats, '\n') + 1 : NULL)
        if (!strncmp(stats, name, strlen(name)) && stats[strlen(name)] == ' ' &&
            strspn(stats + strlen(name), " ") > 1)
            return strtoll(stats + strlen(name), NULL, 10);
    return -1;
}

static void print_peak(void)
{
    struct strbuf status;
    strbuf_init(&status, 0);
    if (!fs_read("/proc/self/status", &status, NULL)) {
        const char *at = strstr(status.s, "VmHWM:");
        printf("peak %lld\n", at ? strtoll(at + strlen("VmHWM:"), NULL, 10) : -1);
    }
    strbuf_release(&status);
}

static void make_one(struct generator *g, uint64_t seed, struct arena *a, struct strbuf *stats)
{
    struct choice c;
    struct program p = {0};
    struct error e = {0};
    choice_init_random(&c, seed);
    int64_t start = cpu_ns();
    int status = gen_next(g, &c, a, &p, &e);
    int64_t took = status ? -1 : cpu_ns() - start;
    strbuf_clear(stats);
    g->class->stats(g, stats);
    printf("%llu %lld %lld %zu %lld %lld\n", (unsigned long long)seed, (long long)took,
           figure(stats->s, "nodes"), status ? 0 : program_size(&p),
           figure(stats->s, "alternatives"), figure(stats->s, "fail patterns"));
    fflush(stdout);
    choice_release(&c);
    arena_reset(a);
}

int main(int argc, char **argv)
{
    uint64_t seed, seconds;
    if (argc < 5 || !text_parse_u64(argv[3], &seed) || !text_parse_u64(argv[4], &seconds)) {
        fprintf(stderr, "usage: lala_many BASE GENERATOR FIRST SECONDS [SETTING...]\n");
        return 2;
    }
    struct error e = {0};
    struct arena a;
    arena_init(&a);
    const char *dir = arena_printf(&a, "%s/generators", argv[1]);
    struct gen_context context = {.dirs = &dir,
                                  .n_dirs = 1,
                                  .settings = (const char *const *)argv + 5,
                                  .n_settings = argc - 5};
    struct generator *g = NULL;
    if (gen_open(argv[2], &context, &g, &e)) {
        fprintf(stderr, "lala_many: %s\n", e.message);
        return 3;
    }
    printf("open %lld\n", (long long)cpu_ns());
    struct arena programs;
    struct strbuf stats;
    arena_init(&programs);
    strbuf_init(&stats, 0);
    int64_t end = cpu_ns() + (int64_t)seconds * 1000000000LL;
    for (; cpu_ns() < end; seed++)
        make_one(g, seed, &programs, &stats);
    print_peak();
    strbuf_release(&stats);
    arena_release(&programs);
    gen_close(g);
    arena_release(&a);
    return 0;
}
