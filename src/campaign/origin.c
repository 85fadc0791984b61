#include "campaign/origin.h"
#include "triage/signature.h"

void origin_init(struct origin *o)
{
    *o = (struct origin){0};
    arena_init(&o->arena);
}

void origin_release(struct origin *o)
{
    arena_release(&o->arena);
}

/* -- what the original does -------------------------------------------------------------------- */

static bool has_random_flags(const struct origin_asked *asked)
{
    for (int i = 0; i < asked->setup->n_testbeds; i++)
        if (asked->setup->testbeds[i].random)
            return true;
    return false;
}

static bool is_known(const struct origin *o, const struct origin_asked *asked)
{
    return o->known && o->seed == asked->program->origin && o->n == asked->setup->n_testbeds &&
           !memcmp(o->ids, asked->ids, sizeof *o->ids * (size_t)o->n);
}

/* The store has the observations of tests with findings. 1: all that are needed, 0: not. */
static int recall(struct origin *o, const struct origin_asked *asked, struct error *e)
{
    struct store_observation *list;
    int n, found = 0;
    if (store_observations(asked->store, asked->campaign, o->seed, &o->arena, &list, &n, e))
        return -1;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < o->n; k++)
            if (list[i].testbed_id == o->ids[k]) {
                o->observations[k] = list[i].observation;
                o->verdicts[k] = list[i].verdict;
                found++;
            }
    return found == o->n;
}

/* 1: there is no such program. */
static int try_it(struct origin *o, const struct origin_asked *asked, int64_t *cpu_us,
                  struct error *e)
{
    struct choice choice;
    struct program original;
    choice_init_random(&choice, o->seed);
    int status = gen_next(asked->generator, &choice, &o->arena, &original, e);
    choice_release(&choice);
    if (status)
        return status == GEN_FAILED ? 1 : -1;
    status = test_try(asked->setup, asked->runner, &original, &o->arena, o->observations,
                      o->verdicts, e);
    for (int i = 0; i < o->n && !status; i++)
        *cpu_us += o->observations[i].build.cpu_us + o->observations[i].run.cpu_us;
    return status;
}

static int ask(struct origin *o, const struct origin_asked *asked, int64_t *cpu_us, struct error *e)
{
    bool random = has_random_flags(asked);
    if (!random && is_known(o, asked))
        return 0;
    arena_reset(&o->arena);
    *o = (struct origin){
        .arena = o->arena, .seed = asked->program->origin, .n = asked->setup->n_testbeds};
    o->ids = (const int64_t *)(const void *)arena_memdup(&o->arena, asked->ids,
                                                         sizeof *o->ids * (size_t)o->n);
    o->observations = arena_array(&o->arena, struct observation, o->n);
    o->verdicts = arena_array(&o->arena, struct verdict, o->n);
    int status = random ? 0 : recall(o, asked, e);
    if (status == 0)
        status = try_it(o, asked, cpu_us, e);
    else if (status > 0)
        status = 0;
    o->known = status == 0;
    return status < 0 ? -1 : 0;
}

/* -- the same? --------------------------------------------------------------------------------- */

/* Crashes have signatures; a build fails for a reason that names what the variant changed, and a
 * wrong output is another one with other variables. */
static bool is_same(const struct origin *o, const struct origin_asked *asked, int i,
                    const struct verdict *verdict, struct arena *a)
{
    const struct testbed *t = &asked->setup->testbeds[i];
    const struct observation *was = &o->observations[i], *is = &asked->observations[i];
    bool crash = verdict->anomaly == ANOMALY_BUILD_CRASH;
    if (crash)
        return was->outcome == is->outcome &&
               !strcmp(signature_make(a, t, was, verdict), signature_make(a, t, is, verdict));
    if (o->verdicts[i].anomaly == verdict->anomaly)
        return true;
    return was->outcome == is->outcome && is->outcome != OUTCOME_OK &&
           is->outcome != OUTCOME_SKIPPED;
}

int origin_excuse(struct origin *o, const struct origin_asked *asked, struct verdict *verdicts,
                  int64_t *cpu_us, struct error *e)
{
    int accused = 0, excused = 0;
    for (int i = 0; i < asked->setup->n_testbeds; i++)
        accused += verdicts[i].anomaly != ANOMALY_NONE;
    if (!accused || !asked->program->varied)
        return 0;
    if (ask(o, asked, cpu_us, e))
        return -1;
    struct arena a;
    arena_init(&a);
    for (int i = 0; i < asked->setup->n_testbeds && o->known; i++)
        if (verdicts[i].anomaly != ANOMALY_NONE && is_same(o, asked, i, &verdicts[i], &a)) {
            verdicts[i] = (struct verdict){0};
            excused++;
        }
    arena_release(&a);
    return excused;
}
