/* One test of interest, in a process of its own: build, run, judge, tell.
 *
 * Cheapest first, because nearly all candidates are boring: the accused testbed is run ahead of the
 * voters, and what it did often says enough. */
#include "base/fs.h"
#include "base/text.h"
#include "inquiry/interest_internal.h"
#include "triage/signature.h"

struct
try {
    const struct interest *t;
    struct runner *runner;
    const struct program *program;
    struct test_setup config; /* accused first */
    struct arena *a;
};

bool interest_runs(enum anomaly wanted)
{
    return wanted == ANOMALY_RUN_CRASH || wanted == ANOMALY_RUN_HANG ||
           wanted == ANOMALY_WRONG_OUTPUT || wanted == ANOMALY_DISAGREEMENT ||
           wanted == ANOMALY_SUSPECT;
}

static const struct verdict *wanted(const struct interest *t)
{
    return &t->spec.c->finding.verdict;
}

static bool output_known(const struct program *p)
{
    return p->expected.data && !p->build_only;
}

bool interest_prints_right(const struct program *p, const struct observation *o)
{
    return output_known(p) && o->outcome == OUTCOME_OK && bytes_equal(o->output, p->expected);
}

/* How many testbeds must be run for a judgement. */
static int needed(const struct try *y)
{
    const struct verdict *v = wanted(y->t);
    if (v->anomaly == ANOMALY_SLOW_COMPILE || v->anomaly == ANOMALY_MEMORY)
        return y->config.n_testbeds;
    bool alone = v->evidence == EVIDENCE_SELF || v->anomaly == ANOMALY_WRONG_VOLATILE ||
                 anomaly_is_of_detector(v->anomaly) || (output_known(y->program) && !v->of_group);
    return alone ? 1 : y->config.n_testbeds;
}

/* May the accused be guilty of that, as far as it alone can tell? */
static bool may_be(enum anomaly anomaly, enum outcome o)
{
    switch (anomaly) {
    case ANOMALY_BUILD_CRASH:
        return o == OUTCOME_BUILD_CRASH;
    case ANOMALY_BUILD_HANG:
        return o == OUTCOME_BUILD_TIMEOUT;
    case ANOMALY_BUILD_FAIL:
        return o == OUTCOME_BUILD_FAIL;
    case ANOMALY_RUN_CRASH:
        return o == OUTCOME_RUN_CRASH;
    case ANOMALY_RUN_HANG:
        return o == OUTCOME_RUN_TIMEOUT;
    case ANOMALY_SLOW_COMPILE:
    case ANOMALY_MEMORY:
        return o == OUTCOME_OK || o == OUTCOME_RUN_CRASH || o == OUTCOME_RUN_TIMEOUT ||
               o == OUTCOME_SKIPPED;
    case ANOMALY_SUSPECT: /* they may crash together */
        return true;
    default:
        return o == OUTCOME_OK;
    }
}

static int observe(struct try *y, const struct testbed *t, struct observation *o, struct error *e)
{
    if (runner_observe(y->runner, y->program, t, true, "", y->a, o, e))
        return -1;
    return o->of_machine ? error_set(e, ERROR_ENVIRONMENT, "%s: %s", t->name, o->messages) : 0;
}

/* Run the accused, and the voters as far as need be. Those that are run is `*n`; 0: it is boring
 * already. A voter that agreed on the original and has nothing to say now makes it boring. */
static int observe_all(struct try *y, struct observation *all, int *n, struct error *e)
{
    enum anomaly anomaly = wanted(y->t)->anomaly;
    *n = needed(y);
    if (observe(y, &y->config.testbeds[0], &all[0], e))
        return -1;
    enum outcome o = all[0].outcome;
    bool by_itself = o == OUTCOME_BUILD_CRASH || o == OUTCOME_BUILD_TIMEOUT;
    if (*n == 1 || by_itself) {
        *n = 1;
        return 0;
    }
    if (!may_be(anomaly, o)) {
        *n = 0;
        return 0;
    }
    for (int i = 1; i < *n; i++) {
        if (observe(y, &y->config.testbeds[i], &all[i], e))
            return -1;
        if (all[i].outcome != OUTCOME_OK && !wanted(y->t)->of_group &&
            anomaly != ANOMALY_SLOW_COMPILE && anomaly != ANOMALY_MEMORY) {
            *n = 0;
            return 0;
        }
    }
    return 0;
}

/* Undefined behaviour explains any output: filters and sanitizers must have nothing to say, and the
 * n observations that were made no warning. 1: they have nothing. */
static int is_clean(struct try *y, const struct observation *seen, int n, struct error *e)
{
    struct observation o;
    if (test_suspect(&y->config, seen, n) >= 0)
        return 0;
    for (int i = 0; i < y->t->n_filters; i++) {
        int clean = test_filter(y->runner, y->program, &y->t->filters[i], y->a, &o, e);
        if (clean <= 0)
            return clean;
    }
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
    for (int i = 0; i < y->t->n_sanitizers; i++) {
        if (observe(y, &y->t->sanitizers[i], &o, e))
            return -1;
        if (o.outcome != OUTCOME_OK)
            return 0;
    }
    return 1;
}

/* 1: it prints what is known to be right, or cannot be asked. */
static int is_right(struct try *y, const struct testbed *t, struct error *e)
{
    struct observation o;
    char hash[sizeof o.output_hash];
    if (observe(y, t, &o, e))
        return -1;
    observation_hash(0, y->program->expected, hash);
    return o.outcome == OUTCOME_SKIPPED || !strcmp(o.output_hash, hash);
}

/* The right output is known, from interp: but is it? Who agreed with interp on the original must do
 * so now, or a mistake of ours would pass for one of the compiler's. One of them is enough; only
 * interesting candidates come here. And the accused's compiler must be right without optimisation,
 * as it was about the original, or the reducer would end with another bug of it. 1: so it is. */
static int is_right_elsewhere(struct try *y, struct error *e)
{
    int right = y->config.n_testbeds < 2 ? 1 : is_right(y, &y->config.testbeds[1], e);
    return right > 0 && y->t->unoptimised ? is_right(y, y->t->unoptimised, e) : right;
}

static bool is_c_family(const struct program *p)
{
    return !strcmp(p->language, "c") || !strcmp(p->language, "c++");
}

static bool was_seen_to_agree(const struct interest *t, const struct testbed *b)
{
    return inquiry_seen(t->spec.c, b->name) != NULL;
}

/* A compiler may crash on any text, but the finding is one on a program that others build, and is
 * reported as that. 1: one that built the original builds this, too, or nobody can be asked. */
static int is_built_elsewhere(struct try *y, struct error *e)
{
    struct observation o;
    int i = 1, n = y->config.n_testbeds;
    while (i < n && !was_seen_to_agree(y->t, &y->config.testbeds[i]))
        i++;
    if (i == n || !is_c_family(y->program))
        return 1;
    if (observe(y, &y->config.testbeds[i], &o, e))
        return -1;
    return o.outcome != OUTCOME_BUILD_FAIL && o.outcome != OUTCOME_BUILD_CRASH &&
           o.outcome != OUTCOME_BUILD_TIMEOUT;
}

static bool same_signature(const struct interest *t, const char *signature)
{
    return !t->signature || !strcmp(t->signature, signature);
}

/* What an optimiser may remove is no miss, and a reducer finds that: so what is missed there must
 * be reported without optimisation, where it was before. 1: it is, or nobody can be asked. */
static int is_reported_unoptimised(struct try *y, struct error *e)
{
    struct test_setup one = y->config;
    struct testbed t;
    struct observation o;
    struct verdict v;
    if (!y->t->unoptimised || !testbed_optimises(y->config.testbeds[0].flags))
        return 1;
    t = *y->t->unoptimised;
    one.testbeds = &t;
    one.n_testbeds = 1;
    if (observe(y, &t, &o, e))
        return -1;
    test_judge(&one, y->program, &o, y->a, &v);
    return o.outcome == OUTCOME_OK && v.anomaly == ANOMALY_NONE;
}

static int try_once(struct try *y, struct interest_seen *out, struct error *e)
{
    int all = y->config.n_testbeds, n;
    struct observation *observations = arena_array(y->a, struct observation, all);
    struct verdict *verdicts = arena_array(y->a, struct verdict, all);
    struct test_setup config = y->config;
    *out = (struct interest_seen){.answer = REDUCE_BORING, .signature = ""};
    if (runner_load(y->runner, y->program, e) || observe_all(y, observations, &n, e))
        return -1;
    out->observation = observations[0];
    if (!n)
        return 0;
    config.n_testbeds = n;
    test_judge(&config, y->program, observations, y->a, verdicts);
    for (int i = 1; i < n; i++) {
        int64_t build = observations[i].build.cpu_us, run = observations[i].run.cpu_us;
        out->others_build_us = build > out->others_build_us ? build : out->others_build_us;
        out->others_run_us = run > out->others_run_us ? run : out->others_run_us;
    }
    out->verdict = verdicts[0];
    out->signature = signature_make(y->a, &config.testbeds[0], &observations[0], &verdicts[0]);
    if (y->t->prints && interest_prints_right(y->program, &observations[0])) {
        out->verdict = (struct verdict){0};
        return 0;
    }
    bool same =
        verdicts[0].anomaly == wanted(y->t)->anomaly && same_signature(y->t, out->signature);
    /* What is another anomaly is kept as a finding of its own: it must be as clean. */
    enum anomaly shows = verdicts[0].anomaly;
    bool known = output_known(y->program);
    int clean = 1;
    if (shows == ANOMALY_MISSED)
        clean = is_reported_unoptimised(y, e);
    else if (interest_runs(shows))
        clean = known && !verdicts[0].of_group ? is_right_elsewhere(y, e)
                                               : is_clean(y, observations, n, e);
    else if (!known && (shows == ANOMALY_BUILD_CRASH || shows == ANOMALY_BUILD_HANG))
        clean = is_built_elsewhere(y, e);
    if (clean > 0) /* the most expensive question last */
        clean = test_other_inputs(&config, y->runner, y->program, &verdicts[0], 0, observations,
                                  y->a, NULL, e);
    if (clean < 0)
        return -1;
    out->answer = same && clean ? REDUCE_INTERESTING : REDUCE_BORING;
    out->unclean = same && !clean;
    if (!clean)
        out->verdict = (struct verdict){0};
    return 0;
}

/* -- the whole of it --------------------------------------------------------------------------- */

/* As often as it must show. */
static int try_all(struct try *y, struct interest_seen *out, struct error *e)
{
    if (try_once(y, out, e))
        return -1;
    for (int i = 1; i < y->t->times && out->answer == REDUCE_INTERESTING; i++)
        if (try_once(y, out, e))
            return -1;
    return 0;
}

/* Another anomaly: is it there each time, with the limits of the campaign? */
static int confirm(struct try *y, const struct interest_seen *first, bool *sure, struct error *e)
{
    *sure = true;
    for (int i = 1; i < INTEREST_TRIES && *sure; i++) {
        struct interest_seen again;
        if (try_once(y, &again, e))
            return -1;
        *sure = again.verdict.anomaly == first->verdict.anomaly &&
                !strcmp(again.signature, first->signature);
    }
    return 0;
}

/* The accused gets the candidate's flags. Another version stands under the name of the accused, so
 * that their signatures compare. */
static struct test_setup config_of(const struct interest *t, const struct interest_job *job,
                                   bool patient, struct arena *a)
{
    struct test_setup config = patient ? t->patient : t->config;
    struct testbed *testbeds = arena_array(a, struct testbed, config.n_testbeds);
    memcpy(testbeds, config.testbeds, sizeof *testbeds * (size_t)config.n_testbeds);
    if (job->how.instead) {
        struct testbed other = *job->how.instead;
        other.name = testbeds[0].name;
        other.compiler = testbeds[0].compiler;
        other.limits = testbeds[0].limits;
        testbeds[0] = other;
    }
    testbeds[0].flags = job->c->flags;
    config.testbeds = testbeds;
    return config;
}

/* What the disassembler shows, where there is one and it knows the machine; else "". */
static int disassemble(struct try *y, const char *file, const char **out, struct error *e)
{
    const char *const argv[] = {"objdump", "-d", "--no-show-raw-insn", file, NULL};
    int done = runner_run_tool(y->runner, y->program, &y->config.testbeds[0], argv, y->a, e);
    *out = done > 0 ? arena_strdup(y->a, y->runner->child.out.s) : "";
    return done < 0 ? -1 : 0;
}

/* The code that the accused makes of the program, and what the witness makes of it. */
static int list_code(struct try *y, const char *witness, struct interest_told *told,
                     struct error *e)
{
    const struct testbed *accused = &y->config.testbeds[0];
    const char *source = y->program->n_files ? y->program->files[0].name : "";
    struct observation o;
    char **compile;
    told->second = "";
    if (text_split(y->a, arena_printf(y->a, "%s -w -c -o second.o %s", witness, source), &compile) <
        0)
        return error_set(e, ERROR_ENVIRONMENT, "'%s': a quote is not closed", witness);
    if (runner_load(y->runner, y->program, e) ||
        runner_observe(y->runner, y->program, accused, false, "", y->a, &o, e) ||
        disassemble(y, "program.exe", &told->listing, e))
        return -1;
    int done =
        runner_run_tool(y->runner, y->program, accused, (const char *const *)compile, y->a, e);
    return done > 0 ? disassemble(y, "second.o", &told->second, e) : done;
}

static int test_case(const struct interest *t, struct runner *r, const struct interest_job *job,
                     struct arena *a, struct interest_told *told, struct error *e)
{
    struct try y = {t, r, &job->c->program, config_of(t, job, job->how.patient, a), a};
    told->kind = TOLD_SEEN;
    if (try_all(&y, &told->seen, e))
        return -1;
    if (job->how.witness && list_code(&y, job->how.witness, told, e))
        return -1;
    bool other = told->seen.verdict.anomaly && told->seen.answer == REDUCE_BORING;
    /* Flags that are gone may be what a valid program needs to be built at all. */
    bool needs_flags = told->seen.verdict.anomaly == ANOMALY_BUILD_FAIL &&
                       strcmp(job->c->flags, inquiry_flags(t->spec.c)) != 0;
    if (!other || needs_flags || !job->slips || map_find_str(&t->slipped, told->seen.signature))
        return 0;
    y.config = config_of(t, job, true, a);
    return confirm(&y, &told->seen, &told->slipped, e);
}

static int ask_compiler(const struct interest *t, struct runner *r, const char *arguments,
                        struct arena *a, struct interest_told *told, struct error *e)
{
    char **words;
    int n = text_split(a, arguments, &words);
    if (n < 0)
        return error_set(e, ERROR_ENVIRONMENT, "'%s': a quote is not closed", arguments);
    const struct testbed *accused = &t->patient.testbeds[0];
    const char **argv = arena_array(a, const char *, n + 2);
    argv[0] = testbed_inside(accused->path);
    memcpy(argv + 1, words, sizeof *argv * (size_t)n);
    argv[n + 1] = NULL;
    fs_empty_dir(r->dir);
    if (runner_ask(r, accused, argv, &r->child, e))
        return -1;
    if (r->child.end == CHILD_STOPPED)
        return error_set(e, ERROR_NONE, "stopped");
    told->kind = TOLD_ASKED;
    told->output = arena_printf(a, "%s%s", r->child.out.s, r->child.err.s);
    return 0;
}

/* -- the answer as bytes ----------------------------------------------------------------------- */

/* Both ends are the same program: structures go as they are, and their texts follow in order. */
static void write_bytes(struct strbuf *out, struct bytes b)
{
    strbuf_add(out, &b.size, sizeof b.size);
    strbuf_add(out, b.data, b.size);
}

static void write_text(struct strbuf *out, const char *text)
{
    write_bytes(out, bytes_of(text ? text : ""));
}

static bool read_bytes(const struct strbuf *from, size_t *at, struct arena *a, struct bytes *out)
{
    size_t n;
    if (from->n - *at < sizeof n)
        return false;
    memcpy(&n, from->s + *at, sizeof n);
    *at += sizeof n;
    if (from->n - *at < n)
        return false;
    *out = (struct bytes){arena_memdup(a, from->s + *at, n), n};
    *at += n;
    return true;
}

static bool read_text(const struct strbuf *from, size_t *at, struct arena *a, const char **out)
{
    struct bytes b;
    bool good = read_bytes(from, at, a, &b);
    *out = good ? b.data : "";
    return good;
}

static void write_told(const struct interest_told *told, struct strbuf *out)
{
    const struct observation *o = &told->seen.observation;
    strbuf_add(out, told, sizeof *told);
    write_bytes(out, o->output);
    write_text(out, o->messages);
    write_text(out, o->detail);
    write_text(out, o->flags);
    write_text(out, told->seen.signature);
    write_text(out, told->output);
    write_text(out, told->listing);
    write_text(out, told->second);
}

bool interest_read(const struct strbuf *text, struct arena *a, struct interest_told *out)
{
    size_t at = sizeof *out;
    if (text->n < at)
        return false;
    memcpy(out, text->s, sizeof *out);
    struct observation *o = &out->seen.observation;
    o->suspect = NULL; /* of another process */
    return read_bytes(text, &at, a, &o->output) && read_text(text, &at, a, &o->messages) &&
           read_text(text, &at, a, &o->detail) && read_text(text, &at, a, &o->flags) &&
           read_text(text, &at, a, &out->seen.signature) && read_text(text, &at, a, &out->output) &&
           read_text(text, &at, a, &out->listing) && read_text(text, &at, a, &out->second);
}

void interest_test(void *of, int slot, const volatile int *stop, struct strbuf *out)
{
    const struct interest *t = of;
    struct runner *r = &t->runners[slot];
    const struct interest_job *job = &t->jobs[slot];
    struct interest_told told = {.seen.signature = ""};
    struct error e = {0};
    struct arena a;
    arena_init(&a);
    r->stop = stop;
    int status = job->ask ? ask_compiler(t, r, job->ask, &a, &told, &e)
                          : test_case(t, r, job, &a, &told, &e);
    if (status) {
        told = (struct interest_told){.kind = e.kind == ERROR_NONE ? TOLD_STOPPED : TOLD_ERROR,
                                      .error = e};
    }
    write_told(&told, out);
    arena_release(&a);
}
