/* Findings of compilers that are shell scripts, recorded as a campaign does it, loaded and bound.
 *
 * The accused is `bad`; the others vote. Each gets its flags and the sources as arguments and
 * leaves program.exe; a program of Lua is run by it. */
#ifndef ASSAY_TESTS_INQUIRY_FOUND_H
#define ASSAY_TESTS_INQUIRY_FOUND_H

#include "inquiry/reduce.h"
#include "store/fixture.h"
#include "triage/signature.h"

#include <sys/stat.h>

enum { FOUND_MOST = 4 };

struct found {
    struct testbed beds[FOUND_MOST]; /* as they are here: the accused is the last */
    int n;
    struct inquiry c;
};

/* What was done with the program, and by whom. */
struct found_how {
    const char *accused;    /* the script */
    const char *others;     /* of the voters; NULL: there are none */
    const char *flags;      /* of the accused; NULL: none */
    struct verdict verdict; /* of the accused */
    const char *output;     /* what its program printed */
    const char *run;        /* command; NULL: it is only built, and not at all that it is run */
    bool only_runs;         /* it is not built */
    bool flaky;
};

static const struct verdict found_wrong = {ANOMALY_WRONG_OUTPUT, EVIDENCE_VOTE, 1.0, false};
static const struct verdict found_known = {ANOMALY_WRONG_OUTPUT, EVIDENCE_EXPECTED, 1.0, false};

static inline const char *found_script(struct fixture *f, const char *name, const char *body)
{
    const char *path = arena_printf(&f->a, "%s/%s", f->dir, name);
    const char *text = arena_printf(&f->a, "#!/bin/sh\n%s", body);
    must(fs_write(path, text, strlen(text), &f->e), &f->e);
    must(chmod(path, 0755), &f->e);
    return path;
}

static inline struct testbed found_bed(struct fixture *f, const char *name,
                                       const struct found_how *how, const char *body,
                                       const struct pattern *crash_line)
{
    static const char *const steps[] = {"{cc} {flags} {src}", NULL};
    static const char *const no_steps[] = {NULL};
    return (struct testbed){.name = name,
                            .compiler = name,
                            .toolchain = name,
                            .language = "c",
                            .path = found_script(f, name, body),
                            .version = "",
                            .flags = how->flags ? how->flags : "",
                            .model = TESTBED_DEFAULT_MODEL,
                            .suffix = ".c",
                            .compile = how->only_runs ? no_steps : steps,
                            .run = how->run,
                            .crash = (struct pattern *)crash_line,
                            .n_crash = 1,
                            .limits = {.compile = {.wall_ms = 60000, .cpu_ms = 50000},
                                       .run = {.wall_ms = 60000, .cpu_ms = 50000}}};
}

/* The finding of a program. */
static inline void found_begin(struct fixture *f, const struct found_how *how,
                               const struct program *p, struct pattern *crash_line,
                               struct found *out)
{
    bool crashes = how->verdict.anomaly == ANOMALY_BUILD_CRASH;
    const char *messages = crashes ? "internal error: in pass 7\n" : "";
    const struct observation right = {.output = bytes_of("1\n"),
                                      .messages = "",
                                      .detail = "exit 0",
                                      .flags = ""},
                             bad = {.outcome = crashes ? OUTCOME_BUILD_CRASH : OUTCOME_OK,
                                    .exit_status = crashes,
                                    .output = bytes_of(how->output ? how->output : ""),
                                    .messages = messages,
                                    .detail = crashes ? "exit 1" : "exit 0",
                                    .flags = ""};
    struct store_result results[FOUND_MOST] = {0};
    struct store_test t = {.program = p, .results = results};
    struct store_claim claimed;
    struct finding finding;
    int64_t id;
    int n;
    out->n = 0;
    if (how->others) {
        out->beds[out->n++] = found_bed(f, "good1", how, how->others, crash_line);
        out->beds[out->n++] = found_bed(f, "good2", how, how->others, crash_line);
        out->beds[out->n++] = found_bed(f, "good3", how, how->others, crash_line);
    }
    out->beds[out->n++] = found_bed(f, "bad", how, how->accused, crash_line);
    for (int i = 0; i < out->n; i++) {
        bool accused = i == out->n - 1;
        results[i].observation = accused ? &bad : &right;
        must(store_testbed_id(f->s, f->campaign, &out->beds[i], &results[i].testbed, &f->e), &f->e);
        if (accused)
            results[i].verdict = how->verdict;
        results[i].signature =
            signature_make(&f->a, &out->beds[i], results[i].observation, &results[i].verdict);
    }
    t.n_results = out->n;
    must(claim(f, 1, &claimed), &f->e);
    must(store_record_test(f->s, &claimed, &t, &id, &n, &f->e), &f->e);
    must(confirm(f, &claimed, &id, 1, how->flaky ? FINDING_FLAKY : FINDING_CONFIRMED), &f->e);
    must(store_finding(f->s, id, &f->a, &finding, &f->e), &f->e);
    must(inquiry_load(f->s, &finding, &f->a, &out->c, &f->e), &f->e);
    out->c.config.oracle = oracle_defaults;
    must(inquiry_bind(&out->c, out->beds, out->n, &f->a, &f->e), &f->e);
}

#endif
