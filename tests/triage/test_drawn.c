/* What explains failing programs, and the clusters of findings, against what stands in drawn.txt.
 *
 * Explanations: some cases with one of three faults, each of them a word or an instruction that the
 * failing program has and most of its right kin lack, among words and instructions by chance.
 * Clusters: findings with all that triage looks at by chance, so that every rule decides somewhere.
 * `test_drawn FILE print` prints the file as it would have to be; look at what changed. */
#include "base/choice.h"
#include "base/fs.h"
#include "base/strbuf.h"
#include "tap.h"
#include "triage/trees.h"
#include "triage/triage_internal.h"

enum { SCENARIOS = 120, CASES_MOST = 14, FAULTS = 3 };

static const char *const words[] = {"alpha ", "beta ", "gamma ", "delta ", "epsilon ",
                                    "zeta ",  "eta ",  "theta ", "iota ",  "kappa "};
static const char *const lines[] = {"mov m,r32\n",     "add r32,r32\n",    "imul r64,r64\n",
                                    "cmovb r32,r32\n", "movslq r32,r64\n", "setbe r8\n",
                                    "and r16,r16\n",   "shl r32\n"};
static const char *const fault_words[FAULTS] = {"first ", "second ", "third "};
static const char *const fault_lines[FAULTS] = {"sar i,r64\n", "jae to\n", "idiv r32\n"};
static const char *const right_lines[FAULTS] = {"shr i,r64\n", "jge to\n", "div r32\n"};

struct drawing {
    struct choice c;
    bool by_code, twins;
    struct arena a;
};

static const char *some(struct drawing *d, const char *const *list, size_t n, const char *more)
{
    struct strbuf out;
    strbuf_init(&out, 0);
    for (uint64_t left = 1 + choose(&d->c, 4); left > 0; left--)
        strbuf_adds(&out, list[choose(&d->c, n)]);
    strbuf_adds(&out, more);
    const char *text = arena_strdup(&d->a, out.s);
    strbuf_release(&out);
    return text;
}

/* A program with the fault, or without where it is -1. */
static void add(struct drawing *d, struct strbuf *out, bool right, int fault)
{
    bool code = fault >= 0 && d->by_code;
    const char *text = some(d, words, sizeof words / sizeof *words,
                            fault >= 0 && !d->by_code ? fault_words[fault] : "");
    const char *body = some(d, lines, sizeof lines / sizeof *lines, "");
    const char *first = arena_printf(&d->a, "f:\n%s%s", body, code ? fault_lines[fault] : "");
    const char *second = "";
    if (d->twins)
        second = arena_printf(&d->a, "f:\n%s%s", body, code ? right_lines[fault] : "");
    else if (choose_flip(&d->c, 0.5))
        second = some(d, lines, sizeof lines / sizeof *lines, "ret\n");
    kin_add(out, &(struct kin){right, text, "", first, second});
}

static void draw_kin(uint64_t seed, struct strbuf *out)
{
    struct drawing d = {0};
    struct map names;
    const char *kin[CASES_MOST], *explanation[CASES_MOST];
    map_init(&names);
    arena_init(&d.a);
    choice_init_random(&d.c, seed);
    d.by_code = choose_flip(&d.c, 0.5);
    d.twins = choose_flip(&d.c, 0.4);
    int n = 2 + (int)choose(&d.c, CASES_MOST - 1);
    strbuf_addf(out, "explanations %d:", (int)seed);
    for (int i = 0; i < n; i++) {
        struct strbuf all;
        strbuf_init(&all, 0);
        int fault = (int)choose(&d.c, FAULTS);
        if (!choose_flip(&d.c, 0.1)) {
            add(&d, &all, false, fault);
            for (uint64_t left = choose(&d.c, 6); left > 0; left--)
                add(&d, &all, true, choose_flip(&d.c, 0.2) ? fault : -1);
        }
        kin[i] = arena_strdup(&d.a, all.s);
        strbuf_release(&all);
    }
    spectrum_explain(&names, &d.a, "of words", kin, n, explanation);
    for (int i = 0; i < n; i++)
        strbuf_addf(out, "%s %s", i ? ";" : "",
                    !explanation[i]   ? "(nobody asked)"
                    : *explanation[i] ? explanation[i]
                                      : "(nothing)");
    strbuf_addc(out, '\n');
    choice_release(&d.c);
    arena_release(&d.a);
    map_release(&names);
}

/* -- clusters ---------------------------------------------------------------------------------- */

static const char *const said[] = {
    "cc build-crash: SIGSEGV",
    "cc build-crash: error: in fold",
    "cc build-crash: error: in fold of trees",
    "cc build-crash: overflow [pair < convert]",
    "cc build-crash: overflow [pair < convert < visit]",
    "cc build-crash: overfull [pair < convert < visit]",
    "cc build-crash: overflow [pair]",
};
static const char *const passes[] = {"", "", "", "gvn", "licm", "-O0"};
static const char *const flags[] = {"", "-O1", "-O2  -fwrapv", "-fa -march=x -mtune=y",
                                    "-O1 -fa -fb"};
static const char *const programs[] = {
    "unsigned char a;\nint main(void)\n{\n    return a >> 3;\n}\n",
    "unsigned short b;\nint main(void)\n{\n    int c = b >> 1;\n    return c;\n}\n",
    "int a;\nint main(void)\n{\nl:\n    a = a + 1;\n    if (a < 3)\n        goto l;\n}\n",
    "long a[3];\nint main(void)\n{\n    for (int i = 0; i < 3; i++)\n        a[i] -= i;\n}\n",
    "struct { int a : 3; } s;\nint main(void)\n{\n    s.a = 7;\n    return s.a;\n}\n",
    "float f;\nint main(void)\n{\n    return f;\n}\n",
    "float f;\nint x;\nint main(void)\n{\n    x = f;\n    return x / 3;\n}\n",
    "int main(void)\n{\n}\n",
    "",
};
static const enum anomaly anomalies[] = {
    ANOMALY_WRONG_OUTPUT, ANOMALY_WRONG_OUTPUT, ANOMALY_RUN_HANG,    ANOMALY_BUILD_CRASH,
    ANOMALY_BUILD_CRASH,  ANOMALY_SLOW_COMPILE, ANOMALY_DISAGREEMENT};

#define ONE_OF(c, list) (list)[choose((c), sizeof(list) / sizeof *(list))]

static struct triage_finding draw_finding(struct choice *c, struct arena *a)
{
    struct triage_finding f = {.anomaly = ONE_OF(c, anomalies),
                               .toolchain = choose_flip(c, 0.9) ? "cc" : "other",
                               .testbed = "cc -O1",
                               .language = choose_flip(c, 0.9) ? "c" : "lua",
                               .pass = ONE_OF(c, passes),
                               .flags = ONE_OF(c, flags),
                               .text = choose_flip(c, 0.8) ? ONE_OF(c, programs) : NULL,
                               .flaky = choose_flip(c, 0.1),
                               .known = choose_flip(c, 0.1)};
    f.signature = f.anomaly == ANOMALY_BUILD_CRASH
                      ? ONE_OF(c, said)
                      : arena_printf(a, "cc -O1 %s", anomaly_name[f.anomaly]);
    if (f.text && !strcmp(f.language, "c"))
        f.constructs = constructs_in(f.text);
    return f;
}

static void draw_clusters(uint64_t seed, struct strbuf *out)
{
    struct triage_finding list[CASES_MOST];
    struct triage_cluster *clusters;
    struct choice c;
    struct arena a;
    arena_init(&a);
    choice_init_random(&c, seed);
    int n = 2 + (int)choose(&c, CASES_MOST - 1), n_clusters;
    for (int i = 0; i < n; i++)
        list[i] = draw_finding(&c, &a);
    triage_clusters(list, n, &a, &clusters, &n_clusters);
    strbuf_addf(out, "clusters %d:", (int)seed);
    for (int i = 0; i < n_clusters; i++) {
        const struct triage_cluster *k = &clusters[i];
        strbuf_addf(out, "%s %d of", i ? ";" : "", k->representative);
        for (int m = 0; m < k->n_members; m++)
            strbuf_addf(out, " %d", k->members[m]);
        strbuf_addf(out, "%s (%s)", k->known ? " known" : "", k->because);
    }
    strbuf_addc(out, '\n');
    choice_release(&c);
    arena_release(&a);
}

int main(int argc, char **argv)
{
    struct strbuf file, seen;
    struct error e;
    strbuf_init(&file, 0);
    strbuf_init(&seen, 0);
    if (argc < 2 || fs_read(argv[1], &file, &e))
        BUG("no file of what is drawn");
    const char *wanted = file.s;
    for (uint64_t seed = 0; seed < 2 * SCENARIOS; seed++) {
        size_t n = strcspn(wanted, "\n"), from = seen.n;
        if (seed < SCENARIOS)
            draw_kin(seed, &seen);
        else
            draw_clusters(seed - SCENARIOS, &seen);
        if (argc == 2)
            ok(seen.n - from == n + 1 && !strncmp(seen.s + from, wanted, n + 1), "%.*s", (int)n,
               wanted);
        wanted += n + (wanted[n] == '\n');
    }
    if (argc > 2)
        printf("%s", seen.s);
    strbuf_release(&file);
    strbuf_release(&seen);
    return argc > 2 ? 0 : tap_done();
}
