/* One program on all testbeds, and the same again for a finding that wants to be believed. */
#include "base/map.h"
#include "campaign/campaign.h"
#include "program/trace.h"
#include "testbed/flags.h"
#include "testbed/runner.h"

void campaign_judge(const struct campaign_config *config, const struct program *p,
                    const struct observation *observations, struct arena *a,
                    struct verdict *verdicts)
{
    struct oracle_input *inputs = arena_array(a, struct oracle_input, config->n_testbeds);
    struct volatile_claim claim = {.summary = ""}; /* none: testbeds that trace skipped it */
    program_trace_claim(p, a, &claim);
    for (int i = 0; i < config->n_testbeds; i++) {
        const struct testbed *t = &config->testbeds[i];
        inputs[i] = (struct oracle_input){.observation = &observations[i],
                                          .model = t->model,
                                          .reference = t->reference,
                                          .run_limit_us = t->limits.run.cpu_ms * 1000,
                                          .trace = t->traces ? claim.summary : NULL,
                                          .may_time_out = t->may_time_out};
    }
    char expected[PROGRAM_HASH_SIZE];
    bool known = p->expected && !p->build_only; /* what is not run prints nothing */
    if (known)
        observation_hash(0, p->expected, strlen(p->expected), expected);
    oracle_judge(&config->oracle, known ? expected : NULL, inputs, config->n_testbeds, verdicts);
}

struct testbed *campaign_draw(const struct campaign_config *config, uint64_t seed, struct arena *a)
{
    struct testbed *all = arena_array(a, struct testbed, config->n_testbeds);
    for (int i = 0; i < config->n_testbeds; i++) {
        all[i] = config->testbeds[i];
        if (!all[i].random)
            continue;
        struct choice choice;
        choice_init_random(&choice, seed ^ map_hash(all[i].name, strlen(all[i].name)));
        all[i].flags = flag_space_draw(all[i].space, &choice, a);
        choice_release(&choice);
    }
    return all;
}

int campaign_try(const struct campaign_config *config, struct runner *r, const struct program *p,
                 struct arena *a, struct observation *observations, struct verdict *verdicts,
                 struct error *e)
{
    if (runner_load(r, p, e))
        return -1;
    int ended = 0, endless = 0;
    for (int i = 0; i < config->n_testbeds; i++) {
        /* Some valid programs do not end (csmith makes a few per hundred). Two testbeds are enough
         * to know; the others only build it. */
        bool run = p->expected || ended > 0 || endless < 2;
        if (runner_observe(r, p, &config->testbeds[i], run, "the program does not end elsewhere", a,
                           &observations[i], e))
            return -1;
        ended += observations[i].outcome == OUTCOME_OK;
        endless += observations[i].outcome == OUTCOME_RUN_TIMEOUT && !config->testbeds[i].traces &&
                   !config->testbeds[i].may_time_out;
    }
    campaign_judge(config, p, observations, a, verdicts);
    return 0;
}

int campaign_again(const struct campaign_config *config, struct runner *r, const struct program *p,
                   const struct verdict *was, int index, struct arena *a,
                   struct observation *observations, struct error *e)
{
    const char *model = config->testbeds[index].model;
    char first_hash[sizeof observations->output_hash];
    memcpy(first_hash, observations[index].output_hash, sizeof first_hash);
    const char *first_trace = volatile_summary_in(observations[index].output);
    for (int i = 0; i < config->n_testbeds; i++) {
        struct testbed t = config->testbeds[i];
        bool concerned = i == index || (was->of_group && !strcmp(t.model, model));
        if (t.random)
            t.flags = observations[i].flags;
        if (concerned && runner_observe(r, p, &t, true, "", a, &observations[i], e))
            return -1;
    }
    struct verdict *verdicts = arena_array(a, struct verdict, config->n_testbeds);
    campaign_judge(config, p, observations, a, verdicts);
    bool same = verdicts[index].anomaly == was->anomaly;
    /* A wrong output that is wrong in another way each time is no bug that anyone can look into. */
    if (was->anomaly == ANOMALY_WRONG_OUTPUT)
        same &= !strcmp(first_hash, observations[index].output_hash);
    if (was->anomaly == ANOMALY_WRONG_VOLATILE)
        same &= !strcmp(first_trace, volatile_summary_in(observations[index].output));
    return same;
}
