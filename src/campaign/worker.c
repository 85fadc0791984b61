/* A worker: claim, generate, try, judge, store, confirm, again.
 *
 * It keeps nothing: whatever it knows beyond the test in hand is in the store. */
#include "base/fs.h"
#include "base/log.h"
#include "campaign/campaign_internal.h"
#include "campaign/compilers.h"
#include "campaign/origin.h"
#include "inquiry/avoid.h"
#include "testbed/runner.h"
#include "triage/signature.h"

/* Times that a test is begun again because a compiler was replaced. */
enum { MOST_CHANGES = 20 };

struct worker {
    const struct campaign_config *config; /* = &own */
    struct campaign_config own;           /* with the testbeds that are here now */
    struct compilers compilers;
    int64_t campaign;
    int slot;
    const struct worker_stop *stop;
    struct worker_board *board;
    struct pulse *pulse; /* its */
    struct store *store;
    const struct worker_avoids *avoids;
    struct generator *generator;
    struct generator *avoiding; /* makes programs without what known bugs need; NULL: none does */
    struct runner runner;
    struct origin origin; /* of the last variant that showed anything */
    struct log log;
    struct arena test;             /* one test */
    int64_t began_ms, reducing_ms; /* so much of the time since then was for reductions */
    int64_t own_recorded_us;       /* CPU time of ours that is in the books already */
    int64_t generated_us;          /* CPU time of ours that made programs */
};

/* CPU time of ours that is in no book yet. Making programs is not what harness costs. */
static int64_t own_time(struct worker *w)
{
    int64_t own = own_cpu_us() - w->generated_us, before = w->own_recorded_us;
    w->own_recorded_us = own;
    return own - before;
}

static int record(struct worker *w, const struct store_claim *claim, const struct program *p,
                  const struct observation *observations, const struct verdict *verdicts,
                  int64_t generate_us, int *n_findings, struct error *e)
{
    int n = w->config->test.n_testbeds;
    struct store_result *results = arena_array(&w->test, struct store_result, n);
    int64_t *ids = arena_array(&w->test, int64_t, n);
    struct store_test t = {
        .program = p, .results = results, .n_results = n, .generate_us = generate_us};
    for (int i = 0; i < n; i++) {
        results[i] = (struct store_result){
            w->compilers.ids[i], &observations[i], verdicts[i],
            signature_make(&w->test, &w->config->test.testbeds[i], &observations[i], &verdicts[i])};
        t.build_us += observations[i].build.cpu_us;
        t.run_us += observations[i].run.cpu_us;
    }
    t.own_us = own_time(w);
    return store_record_test(w->store, claim, &t, ids, n_findings, e);
}

/* Flags that are in each other's way are no finding, but one may want to exclude them. */
static void note_rejections(struct worker *w, uint64_t seed, const struct testbed *drawn,
                            const struct observation *observations)
{
    for (int i = 0; i < w->config->test.n_testbeds; i++) {
        const struct observation *o = &observations[i];
        if (drawn[i].random && o->outcome == OUTCOME_SKIPPED && o->exit_status != 0)
            log_line(&w->log, LOG_NOTE, "seed %llu, %s with %s: %.*s", (unsigned long long)seed,
                     drawn[i].name, drawn[i].flags, (int)strcspn(o->messages, "\n"), o->messages);
    }
}

static struct generator *maker(const struct worker *w, uint64_t seed)
{
    return w->avoiding && avoidance_applies(seed, w->avoids->of_four) ? w->avoiding : w->generator;
}

/* See compilers_look. */
static int look(struct worker *w, uint64_t seed, const struct verdict *verdicts, struct error *e)
{
    int changed = compilers_look(&w->compilers, seed, verdicts, e);
    w->own.test.testbeds = w->compilers.here;
    w->own.test.n_testbeds = w->compilers.n;
    return changed;
}

/* A compiler that is what it was, and still cannot be started: whatever is wrong with the machine,
 * it is no finding. */
static int note_unstarted(struct worker *w, uint64_t seed, const struct observation *observations,
                          struct error *e)
{
    for (int i = 0; i < w->config->test.n_testbeds; i++) {
        if (!observations[i].of_machine)
            continue;
        const char *what = arena_printf(&w->test, "%s: %s", w->config->test.testbeds[i].name,
                                        observations[i].messages);
        int told = store_note(w->store, w->campaign, seed, what, e);
        if (told < 0)
            return -1;
        if (told)
            log_line(&w->log, LOG_ERROR, "%s", what);
    }
    return 0;
}

/* What the program that it was made of does, too, is no finding. */
static int ask_origin(struct worker *w, const struct program *p, const struct test_setup *drawn,
                      const struct observation *observations, struct verdict *verdicts,
                      int64_t *cpu_us, struct error *e)
{
    const struct origin_asked asked = {.store = w->store,
                                       .campaign = w->campaign,
                                       .generator = maker(w, p->origin),
                                       .runner = &w->runner,
                                       .setup = drawn,
                                       .ids = w->compilers.ids,
                                       .program = p,
                                       .observations = observations};
    int excused = origin_excuse(&w->origin, &asked, verdicts, cpu_us, e);
    if (excused > 0)
        log_line(&w->log, LOG_NOTE,
                 "seed %llu: %d of its anomalies are those of its original, %llu",
                 (unsigned long long)p->made.seed, excused, (unsigned long long)p->origin);
    return excused < 0 ? -1 : 0;
}

/* The program on all compilers that are here. 1: one of them changed meanwhile, and nothing that
 * was seen counts. */
static int try_seed(struct worker *w, const struct store_claim *claim, struct program *p,
                    struct observation **observations, struct verdict **verdicts, int64_t *cpu_us,
                    struct error *e)
{
    if (look(w, claim->seed, NULL, e) < 0)
        return -1;
    int n = w->config->test.n_testbeds;
    struct test_setup drawn = w->config->test;
    drawn.testbeds = test_draw(&w->config->test, claim->seed, &w->test);
    *observations = arena_array(&w->test, struct observation, n);
    *verdicts = arena_array(&w->test, struct verdict, n);
    if (test_try(&drawn, &w->runner, p, &w->test, *observations, *verdicts, e))
        return -1;
    if (ask_origin(w, p, &drawn, *observations, *verdicts, cpu_us, e))
        return -1;
    int changed = look(w, claim->seed, *verdicts, e);
    if (changed)
        return changed;
    note_rejections(w, claim->seed, drawn.testbeds, *observations);
    return note_unstarted(w, claim->seed, *observations, e);
}

/* Returns 1 when the claim goes on to confirmation. */
static int test_seed(struct worker *w, const struct store_claim *claim, struct error *e)
{
    int n_findings = 0, changed = 1;
    struct generator *generator = maker(w, claim->seed);
    int64_t foreign_before = generator->cpu_us, own_before = generator->own_us;
    struct choice choice;
    struct program made, program;
    struct observation *observations;
    struct verdict *verdicts;
    w->runner.stop = &w->stop->soon;
    choice_init_random(&choice, claim->seed);
    pulse_allow(w->pulse, PULSE_LONG_MS); /* no generator of ours has a limit */
    int status = gen_next(generator, &choice, &w->test, &made, e);
    pulse_allow(w->pulse, PULSE_SLACK_MS);
    choice_release(&choice);
    int64_t foreign_us = generator->cpu_us - foreign_before;
    w->generated_us += generator->own_us - own_before;
    if (status == GEN_FAILED)
        log_line(&w->log, LOG_ERROR, "seed %llu: %s", (unsigned long long)claim->seed, e->message);
    if (status == GEN_FAILED)
        return store_record_failure(w->store, claim, e->message,
                                    foreign_us + generator->own_us - own_before, own_time(w), e);
    if (status)
        return -1;
    for (int tries = 0; changed > 0 && tries < MOST_CHANGES; tries++) {
        program = made;
        changed = try_seed(w, claim, &program, &observations, &verdicts, &foreign_us, e);
    }
    if (changed < 0)
        return -1;
    if (changed)
        return error_set(e, ERROR_ENVIRONMENT, "compilers change faster than they can be tested");
    if (record(w, claim, &program, observations, verdicts,
               foreign_us + generator->own_us - own_before, &n_findings, e))
        return -1;
    return n_findings > 0;
}

/* -- confirmation ------------------------------------------------------------------------------ */

static int testbed_index(const struct campaign_config *config, const char *name)
{
    return test_find(config->test.testbeds, config->test.n_testbeds, name);
}

/* The recorded observations in the order of the testbeds; one that is missing was skipped. Of
 * testbed `accused` it must be that of the compiler that is here. 1: it is of another. */
static int recall(struct worker *w, const struct store_claim *claim, int accused,
                  struct observation *out, struct error *e)
{
    bool same = false;
    struct store_observation *list;
    int n;
    if (store_observations(w->store, w->campaign, claim->seed, &w->test, &list, &n, e))
        return -1;
    for (int i = 0; i < w->config->test.n_testbeds; i++)
        out[i] = (struct observation){.outcome = OUTCOME_SKIPPED,
                                      .output = {"", 0},
                                      .messages = "",
                                      .detail = "",
                                      .flags = ""};
    for (int i = 0; i < n; i++) {
        int at = testbed_index(w->config, list[i].testbed);
        if (at < 0)
            continue;
        out[at] = list[i].observation;
        same |= at == accused && list[i].testbed_id == w->compilers.ids[at];
    }
    return same ? 0 : 1;
}

static int try_again(struct worker *w, const struct store_claim *claim, const struct program *p,
                     const struct finding *f, struct store_confirmation *c, struct error *e)
{
    int n = w->config->test.n_testbeds, at = testbed_index(w->config, f->testbed);
    *c = (struct store_confirmation){.finding = f->id, .seen = 1, .tried = 1, .state = FINDING_NEW};
    if (at < 0) /* the compiler has gone since: nobody can try again */
        return 0;
    struct observation *observations = arena_array(&w->test, struct observation, n);
    for (int k = 1; k < w->config->tries; k++) {
        int other = recall(w, claim, at, observations, e);
        if (other) /* or it was replaced */
            return other < 0 ? -1 : 0;
        int again =
            test_again(&w->config->test, &w->runner, p, &f->verdict, at, &w->test, observations, e);
        if (again < 0)
            return -1;
        c->tried++;
        c->seen += again;
        c->build_us += observations[at].build.cpu_us;
        c->run_us += observations[at].run.cpu_us;
    }
    c->state = c->seen == c->tried ? FINDING_CONFIRMED : FINDING_FLAKY;
    if (c->state == FINDING_FLAKY)
        return 0;
    if (recall(w, claim, at, observations, e) < 0)
        return -1;
    int there = test_other_inputs(&w->config->test, &w->runner, p, &f->verdict, at, observations,
                                  &w->test, &c->run_us, e);
    c->only_inputs = !there;
    return there < 0 ? -1 : 0;
}

/* What was tried while a compiler was replaced was not tried. */
static int check_compilers(struct worker *w, const struct store_claim *claim,
                           const struct finding *findings, struct store_confirmation *all, int n,
                           struct error *e)
{
    struct verdict *accused = arena_array(&w->test, struct verdict, w->config->test.n_testbeds);
    for (int i = 0; i < n; i++) {
        int at = testbed_index(w->config, findings[i].testbed);
        if (at >= 0)
            accused[at] = findings[i].verdict;
    }
    int changed = look(w, claim->seed, accused, e);
    for (int i = 0; i < n && changed > 0; i++)
        all[i] = (struct store_confirmation){
            .finding = findings[i].id, .seen = 1, .tried = 1, .state = FINDING_NEW};
    return changed < 0 ? -1 : 0;
}

/* Works from the store alone, so that it goes on after a kill just as well. */
static int confirm_seed(struct worker *w, const struct store_claim *claim, struct error *e)
{
    struct store_query query = {.campaign = w->campaign,
                                .anomaly = -1,
                                .state = FINDING_NEW,
                                .seed = claim->seed,
                                .has_seed = true};
    struct finding *findings;
    struct program program;
    int n;
    w->runner.stop = &w->stop->now;
    if (look(w, claim->seed, NULL, e) < 0 ||
        store_findings(w->store, &query, &w->test, &findings, &n, e))
        return -1;
    if (n == 0)
        return store_confirm(w->store, claim, NULL, 0, e);
    if (store_program(w->store, findings[0].program, &w->test, &program, e) ||
        runner_load(&w->runner, &program, e))
        return -1;
    struct store_confirmation *all = arena_array(&w->test, struct store_confirmation, n);
    for (int i = 0; i < n; i++)
        if (try_again(w, claim, &program, &findings[i], &all[i], e))
            return -1;
    if (check_compilers(w, claim, findings, all, n, e) || store_confirm(w->store, claim, all, n, e))
        return -1;
    for (int i = 0; i < n; i++)
        log_line(&w->log, LOG_NOTE, "finding %lld, seed %llu, %s: %s", (long long)findings[i].id,
                 (unsigned long long)claim->seed,
                 all[i].only_inputs ? "dropped, not reproduced with other inputs"
                                    : finding_state_name[all[i].state],
                 findings[i].signature);
    return 0;
}

/* -- life -------------------------------------------------------------------------------------- */

static int begin(struct worker *w, struct error *e)
{
    const struct campaign_config *c = w->config;
    struct gen_context context = c->gen;
    char path[PATH_MAX];
    context.stop = &w->stop->soon;
    campaign_db_path(c->dir, path, sizeof path);
    context.settings = w->avoids->always;
    context.n_settings = w->avoids->n_always;
    if (store_open(path, STORE_WRITE, &w->store, e) ||
        gen_open(c->generator, &context, &w->generator, e))
        return -1;
    context.settings = w->avoids->settings;
    context.n_settings = w->avoids->n;
    if (w->avoids->n && gen_open(c->generator, &context, &w->avoiding, e))
        return -1;
    w->runner.pulse = w->pulse;
    w->runner.sandbox_all = c->test.sandbox_all;
    w->runner.sandbox_none = c->test.sandbox_none;
    return compilers_init(&w->compilers, &c->test, w->store, w->campaign, &w->runner, &w->log, e);
}

/* How many seeds may be handed out in all; -1: none, because the generator has no more programs. */
static int64_t most_tests(const struct worker *w, const struct store_campaign *now)
{
    int64_t budget = w->config->budget.tests ? now->round_tests + w->config->budget.tests : 0;
    uint64_t total = w->generator->total;
    if (!total)
        return budget;
    if (now->first_seed >= total)
        return -1;
    int64_t left = (int64_t)(total - now->first_seed);
    return budget && budget < left ? budget : left;
}

static bool cpu_is_spent(const struct worker *w, const struct store_campaign *now)
{
    int64_t budget = w->config->budget.cpu_us;
    return budget && store_campaign_cpu(now) - now->round_cpu_us >= budget;
}

/* Between tests, slice by slice, for at most half of the time, unless tests are paid for in CPU
 * time; when no test is left, all that there is to reduce. */
static int reduce(struct worker *w, bool all, struct error *e)
{
    int done = all || !w->config->budget.cpu_us;
    while (w->config->reduce && done > 0 && !w->stop->soon &&
           (all || w->reducing_ms <= clock_ms() - w->began_ms - w->reducing_ms)) {
        int64_t began = clock_ms();
        done = worker_reduce(w->config, w->store, w->campaign, w->slot, all, &w->stop->soon,
                             w->board, &w->log, e);
        w->reducing_ms += clock_ms() - began;
        if (done < 0 && e->kind == ERROR_ENVIRONMENT && look(w, 0, NULL, NULL) > 0) {
            log_line(&w->log, LOG_ERROR, "a reduction is postponed: %s", e->message);
            *e = (struct error){0};
            return 0;
        }
    }
    return done < 0 ? -1 : 0;
}

static int work(struct worker *w, struct error *e)
{
    const struct campaign_config *c = w->config;
    while (!w->stop->soon) {
        struct store_claim claim;
        pulse_allow(w->pulse, PULSE_SLACK_MS);
        arena_reset(&w->test);
        struct store_campaign now;
        int64_t max_started = 0;
        if (c->budget.tests || c->budget.cpu_us || w->generator->total) {
            if (store_campaign_get(w->store, w->campaign, &w->test, &now, e))
                return -1;
            max_started = most_tests(w, &now);
            if (max_started < 0 || cpu_is_spent(w, &now))
                return reduce(w, true, e);
        }
        int claimed = store_claim(w->store, w->campaign, w->slot, max_started, &claim, e);
        if (claimed <= 0)
            return claimed ? -1 : reduce(w, true, e);
        int status = claim.stage == STORE_CONFIRM ? 1 : test_seed(w, &claim, e);
        if (status > 0) {
            claim.stage = STORE_CONFIRM;
            status = confirm_seed(w, &claim, e);
        }
        if (status < 0 || reduce(w, false, e))
            return -1;
    }
    return 0;
}

int worker_main(const struct campaign_config *config, const struct worker_avoids *avoids,
                int64_t campaign, int slot, struct worker_board *board,
                const struct worker_stop *stop)
{
    struct worker w = {.own = *config,
                       .avoids = avoids,
                       .campaign = campaign,
                       .slot = slot,
                       .stop = stop,
                       .board = board,
                       .pulse = &board->pulse};
    struct error e = {0};
    char log_path[PATH_MAX], who[32];
    w.config = &w.own;
    w.began_ms = clock_ms();
    arena_init(&w.test);
    origin_init(&w.origin);
    snprintf(log_path, sizeof log_path, "%s/assay.log", config->dir);
    snprintf(who, sizeof who, "worker %d", slot);
    log_open(&w.log, log_path, LOG_NOTE, who);
    int status = runner_init(&w.runner, &e);
    if (!status) {
        status = begin(&w, &e);
        if (!status)
            status = work(&w, &e);
        runner_release(&w.runner);
    }
    compilers_release(&w.compilers);
    gen_close(w.generator);
    gen_close(w.avoiding);
    store_close(w.store);
    log_close(&w.log);
    origin_release(&w.origin);
    arena_release(&w.test);
    if (!status || e.kind == ERROR_NONE) /* done, or stopped in the middle */
        return WORKER_DONE;
    error_text(&e, board->error, sizeof board->error);
    return WORKER_ERROR;
}
