/* The asking side: who is tried, with which limits, what is remembered, what is shown. The test
 * itself is in interest_test.c. */
#include "inquiry/interest.h"
#include "base/fs.h"
#include "base/text.h"
#include "inquiry/interest_internal.h"
#include "testbed/identity.h"

#include <unistd.h>

enum {
    VOTERS = 3,      /* at most, beside the accused */
    BATCH = 50,      /* answers that are written together ... */
    BATCH_MS = 2000, /* ... or after this time */
    LINE_MS = 200,   /* between two looks of the progress line on a terminal */
    PLAIN_MS = 5000, /* between two plain ones */
    LEAST_MS = 1000, /* CPU limit of a step, at least */
    SLACK = 10,      /* a limit is so many times what the original needed */
    HANG_SLACK = 5,  /* of a hang: what a right compiler needs */
    HANG_LEAST_MS = 2000,
    SLIPS = 8,          /* other findings that are kept in one reduction */
    CHANCES = 2,        /* that the original has to show again ... */
    FLAKY_CHANCES = 10, /* ... when it was seen not to show each time */
};

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* -- who is tried ------------------------------------------------------------------------------ */

static bool agreed(const struct inquiry *c, const struct testbed *t)
{
    const struct store_observation *seen = inquiry_seen(c, t->name);
    return !seen ||
           (seen->verdict.anomaly == ANOMALY_NONE && seen->observation.outcome == OUTCOME_OK);
}

/* A wrong result of an optimiser must not become one that shows without it. */
static const struct testbed *unoptimised(const struct inquiry *c)
{
    const struct testbed *all = c->config.testbeds;
    for (int i = 0; i < c->config.n_testbeds; i++)
        if (i != c->accused && !all[i].filter && !all[i].random &&
            !testbed_optimises(all[i].flags) &&
            !strcmp(all[i].compiler, all[c->accused].compiler) && inquiry_seen(c, all[i].name) &&
            agreed(c, &all[i]))
            return &all[i];
    return NULL;
}

static bool has_compiler(const struct test_setup *config, int from, const char *compiler)
{
    for (int i = from; i < config->n_testbeds; i++)
        if (!strcmp(config->testbeds[i].compiler, compiler))
            return true;
    return false;
}

/* The accused first, then some that agreed: of different compilers as far as possible, since those
 * are less likely to be wrong together. Of a disagreement all. */
static void choose_testbeds(struct interest *t)
{
    const struct inquiry *c = t->spec.c;
    const struct test_setup *from = &c->config;
    bool group = c->finding.verdict.of_group;
    struct test_setup *to = &t->patient;
    *to = *from;
    to->testbeds = arena_array(&t->arena, struct testbed, from->n_testbeds);
    to->testbeds[0] = from->testbeds[c->accused];
    to->n_testbeds = 1;
    for (int round = 0; round < 2; round++) /* first those of other compilers than we have */
        for (int i = 0; i < from->n_testbeds; i++) {
            const struct testbed *v = &from->testbeds[i];
            bool fresh = !has_compiler(to, round == 0 ? 0 : to->n_testbeds, v->compiler);
            if (i == c->accused || v->filter ||
                test_find(to->testbeds, to->n_testbeds, v->name) >= 0 ||
                (!group && (!fresh || !agreed(c, v) || to->n_testbeds > VOTERS)))
                continue;
            to->testbeds[to->n_testbeds++] = *v;
        }
    t->unoptimised = unoptimised(c);
    t->config = *to;
    t->config.testbeds = arena_array(&t->arena, struct testbed, to->n_testbeds);
    memcpy(t->config.testbeds, to->testbeds, sizeof *to->testbeds * (size_t)to->n_testbeds);
}

/* Compilers that can tell undefined behaviour, and how to ask them. */
static const struct {
    const char *toolchain, *flags;
} sanitizers[] = {
    {"gcc", "-O1 -fsanitize=address,undefined -fno-sanitize-recover=all"},
    {"clang", "-O1 -fsanitize=memory -fno-sanitize-recover=all"},
};

static void choose_sanitizers(struct interest *t)
{
    enum { N = sizeof sanitizers / sizeof *sanitizers };
    const struct test_setup *from = &t->spec.c->config;
    t->sanitizers = arena_array(&t->arena, struct testbed, N);
    t->filters = arena_array(&t->arena, struct testbed, from->n_testbeds);
    for (int i = 0; i < from->n_testbeds; i++)
        if (from->testbeds[i].filter)
            t->filters[t->n_filters++] = from->testbeds[i];
    for (size_t k = 0; k < N; k++)
        for (int i = 0; i < from->n_testbeds; i++) {
            if (strcmp(from->testbeds[i].toolchain, sanitizers[k].toolchain) != 0)
                continue;
            struct testbed *sanitizer = &t->sanitizers[t->n_sanitizers++];
            *sanitizer = from->testbeds[i];
            sanitizer->flags = sanitizers[k].flags;
            sanitizer->traces = sanitizer->random = false;
            sanitizer->limits.run.memory_bytes = 0; /* they reserve terabytes, and use little */
            break;
        }
}

/* -- life -------------------------------------------------------------------------------------- */

static int test_begin(void *of, int slot, const struct reduce_case *c, struct error *e);
static int test_end(void *of, int *slot, enum reduce_answer *answer, struct error *e);
static void test_drop(void *of, int slot);
static int test_recall(void *of, const char *hash);
static void test_note(void *of, const char *hash, enum reduce_answer answer);
static void test_better(void *of, const struct reduce_case *c, const char *pass);

/* What is known from a run that was interrupted. */
static int recall_answers(struct interest *t, struct error *e)
{
    int64_t finding = t->spec.c->finding.id;
    struct store_answer *list;
    int n;
    if (store_answers(t->spec.store, finding, &t->heard, &list, &n, e))
        return -1;
    for (int i = 0; i < n; i++)
        map_put_str(&t->answers, list[i].hash, NULL)->value.number = (uint64_t)list[i].answer;
    int status = store_reduction_get(t->spec.store, finding, &t->arena, &t->row, e);
    if (status > 0)
        t->row = (struct store_reduction){.finding = finding, .flags = "", .method = "", .why = ""};
    return status < 0 ? -1 : 0;
}

static int make_runners(struct interest *t, struct error *e)
{
    int n = t->spec.slots;
    t->runners = arena_array(&t->arena, struct runner, n);
    t->jobs = arena_array(&t->arena, struct interest_job, n);
    for (int i = 0; i < n; i++) {
        if (test_runner_init(&t->config, &t->runners[i], e))
            return -1;
        t->runners[i].pulse = t->spec.pulse;
    }
    return 0;
}

int interest_init(struct interest *t, const struct interest_spec *spec, struct error *e)
{
    *t = (struct interest){.spec = *spec,
                           .times = 1,
                           .began_ms = clock_ms(),
                           .began_us = own_cpu_us(),
                           .flush_ms = clock_ms(),
                           .shown_ms = clock_ms()};
    t->test = (struct reduce_test){t,         spec->slots, test_begin, test_end,
                                   test_drop, test_recall, test_note,  test_better};
    arena_init(&t->arena);
    arena_init(&t->heard);
    map_init(&t->answers);
    map_init(&t->slipped);
    strbuf_init(&t->told, 0);
    pool_init(&t->pool, spec->slots);
    t->fresh = arena_array(&t->arena, struct store_answer, BATCH);
    choose_testbeds(t);
    choose_sanitizers(t);
    return make_runners(t, e) || recall_answers(t, e) ? -1 : 0;
}

void interest_release(struct interest *t)
{
    if (t->spec.board)
        t->spec.board->finding = 0;
    pool_release(&t->pool);
    for (int i = 0; t->runners && i < t->spec.slots; i++)
        if (t->runners[i].dir[0])
            runner_release(&t->runners[i]);
    map_release(&t->answers);
    map_release(&t->slipped);
    strbuf_release(&t->told);
    arena_release(&t->heard);
    arena_release(&t->arena);
}

/* -- showing it -------------------------------------------------------------------------------- */

void interest_hide(struct interest *t)
{
    if (t->drawn)
        fputs("\r\033[K", stderr);
    t->drawn = false;
}

static void tell_board(const struct interest *t, const char *pass)
{
    struct interest_board *b = t->spec.board;
    if (!b)
        return;
    b->from_bytes = (int64_t)t->from_bytes;
    b->bytes = (int64_t)t->best_bytes;
    b->began_ms = t->began_ms;
    size_t i = 0;
    for (; pass[i] && i + 1 < sizeof b->pass; i++)
        b->pass[i] = pass[i];
    b->pass[i] = '\0';
    b->finding = t->spec.c->finding.id;
}

static void show(struct interest *t)
{
    const struct reduction *r = t->reduction;
    tell_board(t, r ? r->pass : "");
    bool terminal = t->spec.show == INTEREST_TERMINAL;
    int64_t now = clock_ms(), spent = now - t->began_ms;
    if (t->spec.show == INTEREST_QUIET || !r || now - t->shown_ms < (terminal ? LINE_MS : PLAIN_MS))
        return;
    char time[32];
    t->shown_ms = now;
    fprintf(stderr, "%sfinding %lld: %s: %zu of %zu bytes, %lld tests, %.1f/s, %s%s",
            terminal ? "\r\033[?7l" : "", (long long)t->spec.c->finding.id,
            *r->pass ? r->pass : "starting", t->best_bytes, t->from_bytes,
            (long long)r->stats.tests,
            spent > 0 ? (double)r->stats.tests * 1000 / (double)spent : 0,
            text_duration(spent, time), terminal ? "\033[K\033[?7h" : "\n"); /* no line break */
    t->drawn = terminal;
    fflush(stderr);
}

void interest_progress(struct interest *t, size_t bytes)
{
    t->best_bytes = bytes;
    show(t);
}

/* -- the store --------------------------------------------------------------------------------- */

/* The row with the figures of this run added. */
static struct store_reduction row_now(const struct interest *t)
{
    struct store_reduction row = t->row;
    if (t->reduction) {
        const struct reduce_stats *s = &t->reduction->stats;
        row.tests += s->tests;
        row.remembered += s->remembered;
        row.refused += s->refused;
        row.kept += s->kept;
    }
    row.cpu_us += t->pool.cpu_us + own_cpu_us() - t->began_us;
    row.wall_ms += clock_ms() - t->began_ms;
    return row;
}

int interest_save(struct interest *t, const struct program *best, struct error *e)
{
    struct store_reduction row = row_now(t);
    return store_reduction_put(t->spec.store, &row, best, e);
}

int interest_flush(struct interest *t, struct error *e)
{
    int n = t->n_fresh;
    t->n_fresh = 0;
    t->flush_ms = clock_ms();
    return n ? store_answers_put(t->spec.store, t->spec.c->finding.id, t->fresh, n, e) : 0;
}

static int test_recall(void *of, const char *hash)
{
    const struct interest *t = of;
    const struct map_entry *known = map_find_str(&t->answers, hash);
    return known ? (int)known->value.number : -1;
}

/* Its slice begins with the first new answer, so that each slice gets on. */
static void begin_slice(struct interest *t)
{
    int64_t now = clock_ms();
    if (t->spec.slice_ms && !t->until_ms)
        t->until_ms = now + larger(t->spec.slice_ms, now - t->began_ms);
}

bool interest_is_over(const struct interest *t)
{
    return t->until_ms && clock_ms() >= t->until_ms;
}

static void test_note(void *of, const char *hash, enum reduce_answer answer)
{
    struct interest *t = of;
    struct store_answer *fresh = &t->fresh[t->n_fresh++];
    t->row.why = ""; /* it gets on: see worker_reduce.c */
    begin_slice(t);
    text_copy(fresh->hash, sizeof fresh->hash, hash);
    fresh->answer = (int)answer;
    if (t->n_fresh == BATCH || clock_ms() - t->flush_ms > BATCH_MS)
        t->has_failed |= interest_flush(t, &t->failed) != 0;
}

static void test_better(void *of, const struct reduce_case *c, const char *pass)
{
    struct interest *t = of;
    (void)pass;
    t->best_bytes = program_size(&c->program);
    t->row.bytes = (int64_t)t->best_bytes;
    t->row.flags = arena_strdup(&t->arena, c->flags);
    program_hash(&c->program, t->row.program);
    t->has_failed |= interest_save(t, &c->program, &t->failed) != 0;
    show(t);
}

/* Another bug has shown: kept once. */
static int keep_slip(struct interest *t, const struct program *p, const struct interest_seen *seen,
                     struct error *e)
{
    bool added;
    int64_t id;
    map_put_str(&t->slipped, seen->signature, &added);
    if (!added || t->slips >= SLIPS)
        return 0;
    if (store_slip(t->spec.store, t->spec.c->finding.id, p, &seen->observation, &seen->verdict,
                   seen->signature, INTEREST_TRIES, INTEREST_TRIES, &id, e))
        return -1;
    if (!id)
        return 0;
    t->slips++;
    if (t->spec.show != INTEREST_QUIET) {
        interest_hide(t);
        text_print(stderr, "finding %lld: another bug appeared: finding %lld, %s\n",
                   (long long)t->spec.c->finding.id, (long long)id, seen->signature);
    }
    return 0;
}

/* -- tests ------------------------------------------------------------------------------------- */

int interest_start(struct interest *t, int slot, const struct interest_job *job, struct error *e)
{
    t->jobs[slot] = *job;
    pulse_allow(t->spec.pulse, PULSE_LONG_MS); /* its commands tell what they may take */
    return pool_begin(&t->pool, slot, interest_test, t, e);
}

int interest_hear(struct interest *t, int *slot, struct interest_told *told, struct error *e)
{
    int status;
    do {
        status = pool_end(&t->pool, LINE_MS, t->spec.stop, slot, &t->told, e);
        show(t);
    } while (status > 0);
    pulse_allow(t->spec.pulse, PULSE_LONG_MS);
    if (status)
        return -1;
    arena_reset(&t->heard);
    if (!interest_read(&t->told, &t->heard, told))
        return error_set(e, ERROR_ENVIRONMENT,
                         "a test died (is there enough memory?): the same command resumes");
    const struct testbed *accused = &t->config.testbeds[0];
    if (accused->identity && identity_stamp(accused->identity) != accused->identity->stamp)
        return error_set(e, ERROR_ENVIRONMENT,
                         "%s (%s) was replaced or removed meanwhile: the same command starts over "
                         "with the current one",
                         accused->compiler, accused->path);
    if (told->kind == TOLD_STOPPED)
        return error_set(e, ERROR_NONE, "stopped");
    if (told->kind == TOLD_ERROR) {
        *e = told->error;
        return -1;
    }
    return 0;
}

static int test_begin(void *of, int slot, const struct reduce_case *c, struct error *e)
{
    if (interest_is_over(of))
        return error_set(e, ERROR_NONE, "its time is up");
    return interest_start(of, slot, &(struct interest_job){.c = c, .slips = true}, e);
}

static int test_end(void *of, int *slot, enum reduce_answer *answer, struct error *e)
{
    struct interest *t = of;
    struct interest_told told;
    if (interest_hear(t, slot, &told, e))
        return -1;
    if (t->has_failed) {
        *e = t->failed;
        return -1;
    }
    *answer = told.seen.answer;
    if (told.slipped)
        return keep_slip(t, &t->jobs[*slot].c->program, &told.seen, e);
    if (told.seen.answer == REDUCE_BORING && told.seen.verdict.anomaly) /* not sure: not again */
        map_put_str(&t->slipped, told.seen.signature, NULL);
    return 0;
}

static void test_drop(void *of, int slot)
{
    struct interest *t = of;
    pool_drop(&t->pool, slot);
}

int interest_try(struct interest *t, const struct reduce_case *c, const struct interest_how *how,
                 struct interest_seen *seen, struct error *e)
{
    struct interest_told told;
    int slot;
    if (interest_start(t, 0, &(struct interest_job){.c = c, .how = *how}, e) ||
        interest_hear(t, &slot, &told, e)) {
        pool_drop(&t->pool, 0);
        return -1;
    }
    *seen = told.seen;
    return 0;
}

int interest_ask(struct interest *t, const char *arguments, const char **output, struct error *e)
{
    struct interest_told told;
    int slot;
    if (interest_start(t, 0, &(struct interest_job){.ask = arguments}, e) ||
        interest_hear(t, &slot, &told, e)) {
        pool_drop(&t->pool, 0);
        return -1;
    }
    *output = told.output;
    return 0;
}

/* -- the original ------------------------------------------------------------------------------ */

/* Never above what it was. */
static void tighten_step(struct child_limits *l, int64_t cpu_ms)
{
    if (!l->cpu_ms || cpu_ms < l->cpu_ms)
        l->cpu_ms = cpu_ms;
    int64_t wall = larger(20000, 10 * cpu_ms); /* the machine may be busy */
    if (!l->wall_ms || wall < l->wall_ms)
        l->wall_ms = wall;
}

/* What the others were recorded to need, in microseconds. */
static void recorded_costs(const struct inquiry *c, int64_t *build, int64_t *run)
{
    for (int i = 0; i < c->n_observations; i++) {
        const struct store_observation *o = &c->observations[i];
        if (!strcmp(o->testbed, c->finding.testbed) || o->observation.outcome != OUTCOME_OK)
            continue;
        *build = larger(*build, o->observation.build.cpu_us);
        *run = larger(*run, o->observation.run.cpu_us);
    }
}

static void tighten(struct interest *t, const struct interest_seen *seen)
{
    enum anomaly anomaly = t->spec.c->finding.verdict.anomaly;
    int64_t build = seen->others_build_us, run = seen->others_run_us;
    recorded_costs(t->spec.c, &build, &run);
    int64_t build_ms =
        larger(LEAST_MS, SLACK * larger(build, seen->observation.build.cpu_us) / 1000);
    int64_t run_ms = larger(LEAST_MS, SLACK * larger(run, seen->observation.run.cpu_us) / 1000);
    if (anomaly == ANOMALY_BUILD_HANG)
        build_ms = larger(LEAST_MS, HANG_SLACK * build / 1000);
    if (anomaly == ANOMALY_RUN_HANG)
        run_ms = larger(LEAST_MS, (int64_t)t->config.oracle.hang_margin * run / 1000);
    if (anomaly == ANOMALY_SLOW_COMPILE) /* faster to see; the end is judged as it was found */
        t->config.oracle.slow_floor_us =
            larger(LEAST_MS * 1000, (int64_t)(t->config.oracle.slow_ratio * (double)build));
    if (t->config.oracle.slow_floor_us > t->patient.oracle.slow_floor_us)
        t->config.oracle.slow_floor_us = t->patient.oracle.slow_floor_us;
    for (int i = 0; i < t->config.n_testbeds; i++) {
        tighten_step(&t->config.testbeds[i].limits.compile, build_ms);
        tighten_step(&t->config.testbeds[i].limits.run, run_ms);
    }
}

static const char *what_came(struct arena *a, const struct interest *t,
                             const struct interest_seen *seen, int tries)
{
    const struct finding *f = &t->spec.c->finding;
    const struct observation *o = &seen->observation;
    return arena_printf(a, "it did not reproduce in %d tries: %s on %s is now %s%s%s", tries,
                        anomaly_name[f->verdict.anomaly], f->testbed, outcome_name[o->outcome],
                        *o->detail ? ", " : "", o->detail);
}

int interest_begin(struct interest *t, const struct reduce_case *original, const char **why,
                   struct error *e)
{
    const struct interest_how patient = {.patient = true};
    bool flaky = t->spec.c->finding.state == FINDING_FLAKY;
    int chances = flaky ? FLAKY_CHANCES : CHANCES;
    struct interest_seen seen = {0};
    t->from_bytes = t->best_bytes = program_size(&original->program);
    for (int i = 0; i < chances && seen.answer == REDUCE_BORING; i++) {
        /* Where they cannot judge the original they cannot judge what is made of it. */
        if (seen.unclean)
            t->n_sanitizers = 0;
        if (interest_try(t, original, &patient, &seen, e))
            return -1;
    }
    if (seen.answer == REDUCE_BORING) {
        *why = what_came(&t->arena, t, &seen, chances);
        return 0;
    }
    t->signature = arena_strdup(&t->arena, seen.signature);
    t->prints = seen.verdict.anomaly == ANOMALY_WRONG_OUTPUT && original->program.expected.data &&
                !interest_prints_right(&original->program, &seen.observation);
    t->times = flaky ? 2 : 1;
    tighten(t, &seen);
    return 1;
}
