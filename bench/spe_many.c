/* What bench/spe measures in one process, without the cost of starting others. A line of words for
 * each thing measured; times are CPU nanoseconds.
 *
 *   spe_many corpus LEAST MOST TIMES FILE...
 *       Skeletons in mode sound. Of each with at least LEAST variants the first MOST are written
 *       into one buffer again and again:
 *           enumerate FILE SIZE HOLES VARIANTS BYTES NS
 *       and of each with more than 10^80 variants TIMES ranks are filled in:
 *           unrank FILE HOLES DIGITS OPEN-NS NS...
 *   spe_many shapes TIMES
 *       The same line for skeletons that no file has.
 *   spe_many judge SEED MOST FILES DRAWN SIEVED FILE...
 *       The first FILES of the files that interp can run; of each DRAWN variants are judged,
 *       and SIEVED of these given to the sanitizers, too (0 as SIEVE-NS of the others):
 *           open FILE VARIANTS NS          (VARIANTS: those of the skeleton, at most MOST)
 *           judge FILE RANK VERDICT INTERP-NS SIEVE SIEVE-NS
 *
 * The memory of spe is warm in all of them: a variant is one of many. */
#include "base/choice.h"
#include "base/text.h"
#include "gen/spe/observe.h"
#include "gen/sieve.h"
#include "gen/spe/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* With that of children that have ended: libclang runs in one. */
static int64_t cpu_ns_with_children(void)
{
    struct rusage u;
    getrusage(RUSAGE_CHILDREN, &u);
    return cpu_ns() + (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000LL +
           (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000LL;
}

static int fail(const struct error *e)
{
    char text[1200];
    fprintf(stderr, "spe_many: %s\n", error_text(e, text, sizeof text));
    return e->kind == ERROR_ENVIRONMENT ? 3 : 1;
}

/* -- enumeration ------------------------------------------------------------------------------- */

static void enumerate(const char *path, const struct skeleton *k, struct spe *space, uint64_t most)
{
    struct strbuf text;
    struct natural zero;
    uint32_t *filling = mem_resize(NULL, ((size_t)k->n_holes + 1) * sizeof *filling);
    uint64_t n = 0, bytes = 0;
    int from;
    strbuf_init(&text, 0);
    natural_init(&zero);
    int64_t start = cpu_ns();
    spe_unrank(space, &zero, filling);
    do {
        strbuf_clear(&text);
        skeleton_render(k, filling, &text);
        bytes += text.n;
    } while (++n < most && spe_next(space, filling, &from));
    int64_t took = cpu_ns() - start;
    printf("enumerate %s %u %d %llu %llu %lld\n", path, k->source_size, k->n_holes,
           (unsigned long long)n, (unsigned long long)bytes, (long long)took);
    natural_clear(&zero);
    strbuf_release(&text);
    free(filling);
}

/* -- unranking --------------------------------------------------------------------------------- */

enum { EXPONENT = 80 };

/* Half of the ranks are next to 10^80, where few of the digits change, half are anywhere. */
static void unrank(const char *name, const struct spe_part *parts, int n_parts, uint64_t times)
{
    struct error e = {0};
    struct natural rank, large;
    struct choice c;
    struct strbuf digits;
    int64_t start = cpu_ns();
    struct spe *space = spe_new(parts, n_parts, SPE_SOUND, &e);
    int64_t opened = cpu_ns() - start;
    uint32_t *filling = mem_resize(NULL, ((size_t)spe_n_holes(space) + 1) * sizeof *filling);
    natural_init(&rank);
    natural_init(&large);
    natural_power(&large, 10, EXPONENT);
    choice_init_random(&c, 1);
    strbuf_init(&digits, 0);
    natural_text(spe_count(space), &digits);
    printf("unrank %s %d %zu %lld", name, spe_n_holes(space), digits.n, (long long)opened);
    for (uint64_t i = 0; i < times; i++) {
        if (i < times / 2) {
            natural_random(&rank, &large, &c);
            natural_add(&rank, &rank, &large);
        }
        if (i >= times / 2 || natural_compare(&rank, spe_count(space)) >= 0)
            natural_random(&rank, spe_count(space), &c);
        start = cpu_ns();
        spe_unrank(space, &rank, filling);
        printf(" %lld", (long long)(cpu_ns() - start));
    }
    putchar('\n');
    strbuf_release(&digits);
    choice_release(&c);
    natural_clear(&large);
    natural_clear(&rank);
    free(filling);
    spe_free(space);
}

static int corpus(uint64_t least, uint64_t most, uint64_t times, int n, char **paths)
{
    struct natural large;
    natural_init(&large);
    natural_power(&large, 10, EXPONENT);
    const struct subject_options o = {.mode = SPE_SOUND};
    for (int i = 0; i < n; i++) {
        struct subject s;
        struct error e = {0};
        if (subject_open(paths[i], &o, &s, &e)) {
            int status = fail(&e); /* clang takes 97 % of GCC's tests */
            if (e.kind == ERROR_ENVIRONMENT)
                return status;
            continue;
        }
        if (natural_compare_u64(spe_count(s.space), least) >= 0)
            enumerate(paths[i], &s.skeleton, s.space, most);
        if (natural_compare(spe_count(s.space), &large) > 0)
            unrank(paths[i], s.skeleton.parts, s.skeleton.n_parts, times);
        subject_close(&s);
    }
    natural_clear(&large);
    return 0;
}

/* All of them have between 10^80 and 10^100 variants. */
static void shapes(uint64_t times)
{
    enum { SCOPES = 4, CLASSES = 12 };
    static const struct shape {
        const char *name;
        int n_scopes, parent[SCOPES];
        int n_classes, size; /* of each scope */
        int holes[SCOPES];
    } table[] = {
        {"five-interchangeable-variables", 1, {-1}, 1, 5, {130}},
        {"two-levels", 3, {-1, 0, 0}, 1, 3, {30, 52, 52}},
        {"tree-of-four-scopes", 4, {-1, 0, 1, 0}, 1, 3, {30, 30, 30, 30}},
        {"twelve-variables-each-its-own", 1, {-1}, 12, 1, {80}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct shape *t = &table[i];
        struct spe_class classes[CLASSES];
        struct spe_scope scopes[SCOPES];
        int holes[256], n = 0;
        for (int c = 0; c < t->n_classes; c++)
            classes[c] = (struct spe_class){.size = t->size};
        for (int s = 0; s < t->n_scopes; s++)
            scopes[s] = (struct spe_scope){t->parent[s], t->n_classes, classes};
        /* scopes take turns, as blocks and what is around them do in a text */
        for (int round = 0; round < 130; round++)
            for (int s = 0; s < t->n_scopes; s++)
                if (round < t->holes[s])
                    holes[n++] = s;
        const struct spe_part part = {
            .n_scopes = t->n_scopes, .n_holes = n, .scopes = scopes, .holes = holes};
        unrank(t->name, &part, 1, times);
    }
}

/* -- interp and sanitizers --------------------------------------------------------------------- */

/* As the generator spe makes it, but for the comment at its head. */
static void make_program(const struct subject *s, const uint32_t *filling, struct strbuf *text,
                         struct program_file *files, struct program *out)
{
    subject_render(s, filling, text);
    files[0] = (struct program_file){"t.c", text->s, text->n};
    files[1] = (struct program_file){"observer.c", observe_file, strlen(observe_file)};
    *out = (struct program){
        .language = "c", .needs = "-w", .files = files, .n_files = *s->added ? 2 : 1};
}

static int judge_variant(struct subject *s, struct choice *c, bool sieved, struct error *e)
{
    static const char *const sieve_name[] = {"clean", "undefined", "endless", "failed"};
    struct sieve_result sieve = {0};
    struct natural rank;
    struct strbuf text, expected;
    int status, failed = 0;
    uint32_t *filling = mem_resize(NULL, ((size_t)s->skeleton.n_holes + 1) * sizeof *filling);
    natural_init(&rank);
    strbuf_init(&text, 0);
    strbuf_init(&expected, 0);
    natural_random(&rank, spe_count(s->space), c);
    spe_unrank(s->space, &rank, filling);
    int64_t start = cpu_ns();
    enum interp_verdict verdict = subject_judge(s, filling, &expected, &status, NULL);
    int64_t took = cpu_ns() - start;
    if (sieved) {
        struct program_file files[2];
        struct program p;
        make_program(s, filling, &text, files, &p);
        failed = sieve_try(&p, NULL, &sieve, e);
    }
    strbuf_clear(&text);
    natural_text(&rank, &text);
    printf("judge %s %s %s %lld %s %lld\n", s->path, text.s, interp_verdict_name[verdict],
           (long long)took, sieved ? sieve_name[sieve.verdict] : "-",
           (long long)sieve.cpu_us * 1000);
    fflush(stdout);
    strbuf_release(&expected);
    strbuf_release(&text);
    natural_clear(&rank);
    free(filling);
    return failed;
}

/* A file with an #include "..." would have to be built where it is; few have one. */
static bool is_suitable(const struct subject *s)
{
    return s->imported && natural_compare_u64(spe_count(s->space), 1) > 0 &&
           !strstr(s->parsed.source, "#include \"");
}

static void print_open(const struct subject *s, uint64_t most, int64_t ns)
{
    uint64_t count;
    if (!natural_fits_u64(spe_count(s->space), &count) || count > most)
        count = most;
    printf("open %s %llu %lld\n", s->path, (unsigned long long)count, (long long)ns);
}

struct judging {
    uint64_t seed, most, files, drawn, sieved;
};

static int judge(const struct judging *j, int n, char **paths)
{
    const struct subject_options o = {.mode = SPE_SOUND, .observe = true, .import = true};
    struct choice c;
    struct error e = {0};
    uint64_t files = 0;
    int failed = 0;
    choice_init_random(&c, j->seed);
    for (int i = 0; !failed && files < j->files && i < n; i++) {
        struct subject s;
        int64_t start = cpu_ns_with_children();
        if (subject_open(paths[i], &o, &s, &e)) {
            failed = e.kind == ERROR_ENVIRONMENT;
            continue;
        }
        int64_t opened = cpu_ns_with_children() - start;
        if (is_suitable(&s)) {
            print_open(&s, j->most, opened);
            for (uint64_t k = 0; !failed && k < j->drawn; k++)
                failed = judge_variant(&s, &c, k < j->sieved, &e);
            files++;
        }
        subject_close(&s);
    }
    choice_release(&c);
    return failed ? fail(&e) : 0;
}

int main(int argc, char **argv)
{
    enum { MOST_NUMBERS = 5 };
    uint64_t at[MOST_NUMBERS] = {0};
    const char *what = argc > 1 ? argv[1] : "";
    int n = 0; /* numbers before the files */
    while (n < MOST_NUMBERS && n + 2 < argc && text_parse_u64(argv[n + 2], &at[n]))
        n++;
    char **files = argv + n + 2;
    int n_files = argc - n - 2;
    if (n == 3 && n_files > 0 && !strcmp(what, "corpus"))
        return corpus(at[0], at[1], at[2], n_files, files);
    if (n == 5 && n_files > 0 && !strcmp(what, "judge"))
        return judge(&(struct judging){at[0], at[1], at[2], at[3], at[4]}, n_files, files);
    if (n == 1 && n_files == 0 && !strcmp(what, "shapes")) {
        shapes(at[0]);
        return 0;
    }
    fprintf(stderr, "usage: spe_many corpus LEAST MOST TIMES FILE... | shapes TIMES | "
                    "judge SEED MOST FILES DRAWN SIEVED FILE...\n");
    return 2;
}
