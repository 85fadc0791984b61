/* generate_many GENERATOR FIRST N FOLDER: the programs of N seeds, by one process, into FOLDER.
 *
 * A helper of bench/generate. The files of a program are "SEED-NAME". For each program a line on
 * standard output, "SEED NANOSECONDS": the CPU time from the seed to the written files,
 * NANOSECONDS -1 where there is no program. At the end "peak KILOBYTES": the most memory that was
 * resident. */
#include "base/fs.h"
#include "base/text.h"
#include "gen/gen.h"

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Of this address space: getrusage also counts what the process was before its exec. */
static int64_t peak_kb(void)
{
    struct strbuf status;
    strbuf_init(&status, 0);
    int64_t kb = -1;
    if (!fs_read("/proc/self/status", &status, NULL)) {
        const char *at = strstr(status.s, "VmHWM:");
        if (at)
            kb = strtoll(at + strlen("VmHWM:"), NULL, 10);
    }
    strbuf_release(&status);
    return kb;
}

/* 0, GEN_FAILED, or -1. */
static int make(struct generator *g, uint64_t seed, const char *folder, struct arena *a,
                struct error *e)
{
    struct choice c;
    struct program p;
    choice_init_random(&c, seed);
    int status = gen_next(g, &c, a, &p, e);
    for (int i = 0; !status && i < p.n_files; i++) {
        const struct program_file *f = &p.files[i];
        status = fs_write(arena_printf(a, "%s/%llu-%s", folder, (unsigned long long)seed, f->name),
                          f->text, f->size, e);
    }
    choice_release(&c);
    return status;
}

static int make_all(struct generator *g, uint64_t first, uint64_t n, const char *folder,
                    struct error *e)
{
    struct arena a;
    arena_init(&a);
    int status = 0;
    for (uint64_t seed = first; seed < first + n && status != -1; seed++) {
        int64_t start = cpu_ns();
        status = make(g, seed, folder, &a, e);
        int64_t took = status ? -1 : cpu_ns() - start;
        arena_reset(&a);
        printf("%llu %lld\n", (unsigned long long)seed, (long long)took);
    }
    arena_release(&a);
    printf("peak %lld\n", (long long)peak_kb());
    return status == -1 ? -1 : 0;
}

int main(int argc, char **argv)
{
    uint64_t first, n;
    if (argc != 5 || !text_parse_u64(argv[2], &first) || !text_parse_u64(argv[3], &n)) {
        fprintf(stderr, "usage: generate_many GENERATOR FIRST N FOLDER\n");
        return 2;
    }
    struct error e = {0};
    struct gen_context context = {0};
    struct generator *g = NULL;
    int status = gen_open(argv[1], &context, &g, &e);
    if (!status)
        status = make_all(g, first, n, argv[4], &e);
    gen_close(g);
    if (status)
        fprintf(stderr, "generate_many: %s\n", e.message);
    return status ? 3 : 0;
}
