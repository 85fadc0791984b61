/* Campaigns made by hand, for the writers of reports: an empty one, one of a single test, one
 * without findings, and ones with any number of bugs, in every kind of anomaly, with text that no
 * writer must trust. */
#ifndef ASSAY_TESTS_REPORT_SAMPLE_H
#define ASSAY_TESTS_REPORT_SAMPLE_H

#include "report/report_internal.h"

/* Markup, a quote, a control character, what is no UTF-8, a character that turns the direction. */
#define SAMPLE_NASTY "</pre><script>alert(\"x\")</script> & ' \x01 \xff\xfe \xe2\x80\xae ]]>"

static const char *const sample_sources[] = {
    ("/* reduced */\n#include <stdio.h>\n\nstruct S { unsigned a : 31; int b; };\n"
     "static struct S g = {1, -1};\n\nint main(void)\n{\n    for (int i = 0; i < 3; i++)\n"
     "        g.b ^= (int)(g.a << i) + 0x1fUL;\n    printf(\"%d\\n\", g.b); // the checksum\n"
     "    return 0;\n}\n"),
    "union U { int a; } f(void);\nint main(void) { return f().a; }\n",
    ("volatile unsigned x = 1u;\nint main(void)\n{\n    const char *s = \"a \\\"quote\\\"\";\n"
     "    return s[0] == 'a' ? 0 : (int)x;\n}\n"),
};

static struct program *sample_program(struct arena *a, const char *text, const char *expected)
{
    struct program *p = arena_new(a, struct program);
    p->language = "c";
    p->files = arena_new(a, struct program_file);
    p->files[0] = (struct program_file){"t.c", text, strlen(text)};
    p->n_files = 1;
    p->needs = "";
    if (expected)
        p->expected = bytes_of(expected);
    p->trusted = true;
    p->made = (struct provenance){"smith", "0.1.0", "", 4711, NULL};
    return p;
}

static void sample_testbeds(struct report_data *d, int n, int64_t tests)
{
    static const char *const names[] = {"gcc-12 -O0",
                                        "gcc-12 -O3",
                                        "clang-14 -O0",
                                        "clang-14 -O3",
                                        "tcc",
                                        "pcc",
                                        "faulty-cc -O1 -ffault=wrong-shift"};
    d->testbeds = arena_array(&d->arena, struct store_testbed, n + 1);
    d->n_testbeds = n;
    for (int i = 0; i < n; i++) {
        struct store_testbed *t = &d->testbeds[i];
        t->id = i + 1;
        t->name = i < 7 ? names[i] : arena_printf(&d->arena, "mycc-%d -O%d", i / 4, i % 4);
        t->toolchain = i < 2 ? "gcc" : i < 4 ? "clang" : i < 7 ? "faulty-cc" : "mycc";
        t->version = i < 2 ? "12.2.0" : i < 4 ? "14.0.6" : "";
        t->path = i < 2 ? "/usr/bin/gcc-12" : "/usr/bin/clang-14";
        t->flags = "-O3";
        t->model = "lp64";
        t->compile = "{cc} {flags} -o {exe} {src}";
        t->library = t->dir = "";
        t->reference = i < 4;
        t->outcomes[OUTCOME_OK] = tests;
        if (tests > 100 && i >= 3) {
            t->outcomes[OUTCOME_BUILD_CRASH] = i;
            t->outcomes[OUTCOME_BUILD_FAIL] = tests / 20;
            t->outcomes[OUTCOME_RUN_CRASH] = 3;
            t->outcomes[OUTCOME_RUN_TIMEOUT] = tests / 50;
            t->outcomes[OUTCOME_SKIPPED] = tests / 10;
            t->outcomes[OUTCOME_OK] -= tests / 20 + 3 + tests / 50 + tests / 10 + i;
            t->anomalies[ANOMALY_BUILD_CRASH] = i;
            t->anomalies[ANOMALY_WRONG_OUTPUT] = 2;
        }
    }
}

static void sample_campaign(struct report_data *d, int64_t tests)
{
    static const int64_t begun = 1700000000;
    d->campaigns = arena_new(&d->arena, struct store_campaign);
    d->n_campaigns = 1;
    *d->campaigns = (struct store_campaign){.id = 1,
                                            .generator = "smith",
                                            .first_seed = 1,
                                            .tests = tests,
                                            .elapsed_ms = tests * 700,
                                            .generate_us = tests * 30000,
                                            .build_us = tests * 900000,
                                            .run_us = tests * 40000,
                                            .own_us = tests * 1500,
                                            .created_at = begun};
    d->n_history = tests > 1 ? 60 : 1;
    d->history = arena_array(&d->arena, struct store_moment, d->n_history);
    for (int i = 0; i < d->n_history; i++)
        d->history[i] =
            (struct store_moment){begun + i * tests * 12 / 1000, tests * (i + 1) / d->n_history,
                                  d->n_findings * (int64_t)(i + 1) / d->n_history,
                                  d->n_bugs * (int64_t)(i + 2) / (i + 30)};
    d->histories = arena_new(&d->arena, struct report_history);
    *d->histories = (struct report_history){1, d->history, d->n_history};
    d->n_histories = 1;
    d->n_sizes = tests > 1 ? 11 : 1;
    d->sizes = arena_array(&d->arena, struct store_size, d->n_sizes);
    for (int i = 0; i < d->n_sizes; i++)
        d->sizes[i] = (struct store_size){256 << i, 512 << i,
                                          tests > 1 ? tests * (11 - i) * (i + 1) / 300 : 1,
                                          d->n_findings * (int64_t)i / 55};
}

/* One finding, seen many times; two of three also on another testbed. */
static struct bug sample_cluster(struct arena *a, const struct bug_member *m, int i)
{
    static const struct store_mark reported = {.mark = MARK_KNOWN, .note = "PR 1234 " SAMPLE_NASTY};
    static const struct finding other = {.id = 99, .testbed = "gcc-12 -O3"};
    static const struct bug_member also = {.finding = &other};
    int n = 1 + i * 37 % 100;
    const struct bug_member **members = arena_array(a, const struct bug_member *, n);
    for (int k = 0; k < n; k++)
        members[k] = k == 1 && i % 3 ? &also : m;
    const char *name = arena_printf(a, "%s-%s-%08x", anomaly_name[m->finding->verdict.anomaly],
                                    m->testbed->toolchain, (unsigned)i + 1);
    return (struct bug){.name = name,
                        .first = m,
                        .members = members,
                        .n_members = n,
                        .because = "blamed on -ftree-vrp",
                        .testbeds = i % 3 ? "clang-14 -O3, gcc-12 -O3" : "gcc-12 -O3",
                        .mark = i % 7 == 6 ? &reported : NULL,
                        .known = i % 7 == 6,
                        .first_at = 1700000000,
                        .last_at = 1700001000};
}

static void sample_bug(struct report_data *d, int i)
{
    struct arena *a = &d->arena;
    struct report_bug *b = &d->bugs[i];
    struct finding *f = &d->findings[i];
    enum anomaly kind =
        (enum anomaly)(i == 0 ? (int)ANOMALY_WRONG_OUTPUT : 1 + (i - 1) % (ANOMALY_COUNT - 1));
    bool build = kind <= ANOMALY_BUILD_FAIL;
    struct observation *o = arena_new(a, struct observation);
    struct bug_member *m = arena_new(a, struct bug_member);
    struct program *p = sample_program(a, sample_sources[i % 3], build ? NULL : "-32\n");
    *f = (struct finding){.id = 100 + i,
                          .campaign = 1,
                          .seed = (uint64_t)i,
                          .testbed = i % 3 ? "clang-14 -O3" : "gcc-12 -O3",
                          .verdict = {kind, EVIDENCE_EXPECTED, 1, false},
                          .signature = i == 3 ? "internal compiler error: " SAMPLE_NASTY
                                              : "internal compiler error: in expand_expr",
                          .state = FINDING_CONFIRMED,
                          .seen = 3,
                          .tried = 3,
                          .found_at = 1700000000 + i};
    *o = (struct observation){.outcome = build                       ? OUTCOME_BUILD_CRASH
                                         : kind == ANOMALY_RUN_CRASH ? OUTCOME_RUN_CRASH
                                         : kind == ANOMALY_RUN_HANG  ? OUTCOME_RUN_TIMEOUT
                                                                     : OUTCOME_OK,
                              .output = bytes_of(build ? "" : "-31\n"),
                              .messages = build ? "t.c:4:1: internal compiler error: " SAMPLE_NASTY
                                                  "\nPlease submit a full bug report.\n"
                                                : "",
                              .detail = build ? "exit 4" : "",
                              .flags = "",
                              .build = {20000000, 20000000, 2 << 20},
                              .run = {10000000, 10000000, 1000}};
    *m = (struct bug_member){.finding = f, .testbed = &d->testbeds[i % 3 ? 3 : 1]};
    *b = (struct report_bug){
        .number = i + 1,
        .bug = sample_cluster(a, m, i),
        .finding = f,
        .seen = o,
        .recorded = o,
        .original = *p,
        .reduced = *p,
        .is_reduced = i % 5 != 4,
        .flags = "-O3 -fno-strict-aliasing",
        .build = "gcc-12 -O3 -fno-strict-aliasing -w -o t t.c -lm\n",
        .script = "\"$cc\" -O3 -fno-strict-aliasing -w -o t t.c -lm\n",
        .way = {.run = "./t",
                .script = "./t",
                .normalise = "",
                .crash = "internal compiler error",
                .run_crash = "",
                .message = "",
                .compiler = "",
                .about = "gcc version 12.2.0 (Debian 12.2.0-14)\n"},
        .expected = build ? (struct bytes){0} : bytes_of("-32\n"),
    };
    if (b->is_reduced) {
        struct store_reduction *r = arena_new(a, struct store_reduction);
        char *text = arena_printf(a, "%s/* %4000s */\n", sample_sources[i % 3], "");
        b->original = *sample_program(a, text, "-32\n");
        *r = (struct store_reduction){.state = REDUCTION_DONE,
                                      .flags = "-O3",
                                      .method = "c",
                                      .why = "",
                                      .from_bytes = 4400,
                                      .bytes = 400,
                                      .tests = 1234,
                                      .wall_ms = 83000};
        m->reduction = r;
    }
    if (i % 2 == 0) {
        struct store_blame *blame = arena_new(a, struct store_blame);
        *blame = (struct store_blame){.pass = "-ftree-vrp",
                                      .detail = "without it the output is right",
                                      .first_bad = "gcc 12.1.0",
                                      .last_good = "gcc 11.3.0",
                                      .last_bad = "gcc 12.2.0",
                                      .next_good = "gcc 13.5.0"};
        m->blame = blame;
    }
    b->title = report_title(b, a);
}

/* No campaign at all: tests -1. */
static void sample_make(struct report_data *d, int64_t tests, int testbeds, int bugs)
{
    *d = (struct report_data){.dir = "night <1>"};
    arena_init(&d->arena);
    if (tests < 0)
        return;
    d->n_bugs = d->n_findings = bugs;
    sample_testbeds(d, testbeds, tests);
    sample_campaign(d, tests);
    d->findings = arena_array(&d->arena, struct finding, bugs + 1);
    d->bugs = arena_array(&d->arena, struct report_bug, bugs + 1);
    for (int i = 0; i < bugs; i++)
        sample_bug(d, i);
    d->campaigns->findings = bugs;
}

static const struct sample {
    const char *name;
    int64_t tests;
    int testbeds, bugs;
} samples[] = {{"empty", -1, 0, 0},
               {"one-test", 1, 4, 0},
               {"nothing-found", 50000, 7, 0},
               {"typical", 50000, 12, 12},
               {"many", 2000000, 40, 200}};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

#endif
