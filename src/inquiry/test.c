/* One program on all testbeds, and the same again for a finding that wants to be believed.
 *
 * What a program does when it is run is believed only where nothing speaks against the program
 * itself (DeepSmith 2.3, "False positives for anomalous runtime behavior"): filters run it ahead of
 * all others, and warnings of the references are heeded. Where they speak against it, it is built
 * and never run from then on: crashes, hangs and failures of the compilers still count. */
#include "inquiry/test.h"
#include "base/map.h"
#include "program/trace.h"
#include "program/undefined.h"
#include "testbed/detector.h"
#include "testbed/flags.h"

/* -- judging ----------------------------------------------------------------------------------- */

/* What testbed i printed, as far as it is compared with what others of this model and exit status
 * did; NULL: it is not. */
static struct bytes text_of(const struct test_setup *setup, const struct observation *observations,
                            int i, const char *model, int status, struct arena *a)
{
    const struct testbed *t = &setup->testbeds[i];
    const struct observation *o = &observations[i];
    if (t->filter || o->outcome != OUTCOME_OK || strcmp(t->model, model) != 0 ||
        (t->ignore_status ? 0 : o->exit_status) != status)
        return (struct bytes){0};
    const char *summary = t->traces ? volatile_summary_in(o->output) : "";
    if (*summary)
        return bytes_copy(a, (struct bytes){o->output.data, (size_t)(summary - o->output.data)});
    return o->output;
}

/* Outputs of one model that differ in the digits of floating point alone get one hash, that of the
 * first of them; or of the expected one. */
static void unify(const struct test_setup *setup, const struct observation *seen, int first,
                  struct bytes expected, const char *expected_hash, struct arena *a,
                  struct observation *out)
{
    int n = setup->n_testbeds;
    const struct testbed *t = &setup->testbeds[first];
    int status = t->ignore_status ? 0 : seen[first].exit_status;
    struct bytes *texts = arena_array(a, struct bytes, n + 1);
    int *leaders = arena_array(a, int, n + 1);
    double tolerance = 0;
    texts[0] = status ? (struct bytes){0} : expected;
    for (int i = 0; i < n; i++) {
        texts[i + 1] = text_of(setup, seen, i, t->model, status, a);
        if (texts[i + 1].data && setup->testbeds[i].tolerance > tolerance)
            tolerance = setup->testbeds[i].tolerance;
    }
    if (tolerance <= 0)
        return;
    oracle_unify(texts, n + 1, tolerance, leaders);
    for (int i = 0; i < n; i++) {
        int leader = leaders[i + 1];
        if (!texts[i + 1].data || leader == i + 1 || bytes_equal(texts[leader], texts[i + 1]))
            continue;
        const char *hash = leader ? seen[leader - 1].output_hash : expected_hash;
        memcpy(out[i].output_hash, hash, sizeof out[i].output_hash);
    }
}

/* A copy of the observations, to be compared by their hashes. */
static const struct observation *compared(const struct test_setup *setup,
                                          const struct observation *seen, struct bytes expected,
                                          const char *expected_hash, struct arena *a)
{
    int n = setup->n_testbeds;
    bool exact = true;
    for (int i = 0; i < n; i++)
        exact &= setup->testbeds[i].tolerance <= 0;
    if (exact)
        return seen;
    struct observation *out = arena_array(a, struct observation, n);
    memcpy(out, seen, sizeof *out * (size_t)n);
    for (int i = 0; i < n; i++) {
        const struct testbed *t = &setup->testbeds[i];
        int status = t->ignore_status ? 0 : seen[i].exit_status;
        bool first = text_of(setup, seen, i, t->model, status, a).data != NULL;
        for (int k = 0; k < i && first; k++)
            first = !text_of(setup, seen, k, t->model, status, a).data;
        if (first)
            unify(setup, seen, i, expected, expected_hash, a, out);
    }
    return out;
}

/* What the oracle is given: the testbeds that are judged. */
struct judged {
    struct oracle_input *inputs;
    int *at; /* of each input: the testbed */
    int n;
    bool known; /* the right output is */
    char expected[PROGRAM_HASH_SIZE];
};

static void gather(const struct test_setup *setup, const struct program *p,
                   const struct observation *observations, struct arena *a, struct judged *out)
{
    *out = (struct judged){.inputs = arena_array(a, struct oracle_input, setup->n_testbeds),
                           .at = arena_array(a, int, setup->n_testbeds),
                           .known = p->expected.data && !p->build_only}; /* not run: no output */
    struct volatile_accesses accesses = {.summary = ""}; /* none: testbeds that trace skipped it */
    program_volatile_accesses(p, a, &accesses);
    const char *summary = arena_strdup(a, accesses.summary);
    if (out->known)
        observation_hash(0, p->expected, out->expected);
    struct undefined *u = arena_new(a, struct undefined);
    bool undefined = program_undefined(p, a, u);
    bool runs = false; /* does anyone run it? */
    for (int i = 0; i < setup->n_testbeds && !p->build_only; i++)
        runs |= setup->testbeds[i].run && !setup->testbeds[i].filter;
    const struct observation *hashed = compared(
        setup, observations, out->known ? p->expected : (struct bytes){0}, out->expected, a);
    for (int i = 0; i < setup->n_testbeds; i++) {
        const struct testbed *t = &setup->testbeds[i];
        if (t->filter) /* it judges others */
            continue;
        struct detection *d = NULL;
        if (detector_is(t) && t->run && undefined) { /* an analyser does not know values */
            d = arena_new(a, struct detection);
            d = detection_read(observations[i].output, a, d) ? d : NULL;
        }
        out->at[out->n] = i;
        out->inputs[out->n++] =
            (struct oracle_input){.observation = &hashed[i],
                                  .model = t->model,
                                  .toolchain = t->toolchain,
                                  .reference = t->reference,
                                  .run_limit_us = t->limits.run.cpu_ms * 1000,
                                  .trace = t->traces ? summary : NULL,
                                  .detects = detector_is(t),
                                  .undefined = undefined ? u : NULL,
                                  .detection = d,
                                  .must_detect = undefined && detector_must(t, u->rule, u->row),
                                  .optimises = detector_is(t) && testbed_optimises(t->flags),
                                  .may_time_out = t->may_time_out,
                                  .only_builds = !t->run && runs};
    }
}

void test_judge(const struct test_setup *setup, const struct program *p,
                const struct observation *observations, struct arena *a, struct verdict *verdicts)
{
    struct judged j;
    struct verdict *found = arena_array(a, struct verdict, setup->n_testbeds);
    gather(setup, p, observations, a, &j);
    oracle_judge(&setup->oracle, j.known ? j.expected : NULL, j.inputs, j.n, found);
    for (int i = 0; i < setup->n_testbeds; i++)
        verdicts[i] = (struct verdict){0};
    bool may_fail = program_may_be_invalid(p);
    for (int i = 0; i < j.n; i++)
        if (!may_fail || (found[i].anomaly != ANOMALY_BUILD_FAIL && !found[i].of_group))
            verdicts[j.at[i]] = found[i];
}

void test_groups(const struct test_setup *setup, const struct program *p,
                 const struct observation *observations, struct arena *a, int *groups)
{
    struct judged j;
    int *found = arena_array(a, int, setup->n_testbeds);
    gather(setup, p, observations, a, &j);
    oracle_groups(&setup->oracle, j.inputs, j.n, found);
    for (int i = 0; i < setup->n_testbeds; i++)
        groups[i] = -1;
    for (int i = 0; i < j.n; i++)
        groups[j.at[i]] = found[i] < 0 ? -1 : j.at[found[i]];
}

int test_runner_init(const struct test_setup *setup, struct runner *r, struct error *e)
{
    if (runner_init(r, e))
        return -1;
    r->sandbox_all = setup->sandbox_all;
    r->sandbox_none = setup->sandbox_none;
    return 0;
}

int test_find(const struct testbed *list, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i].name, name))
            return i;
    return -1;
}

struct testbed *test_draw(const struct test_setup *setup, uint64_t seed, struct arena *a)
{
    struct testbed *all = arena_array(a, struct testbed, setup->n_testbeds);
    for (int i = 0; i < setup->n_testbeds; i++) {
        all[i] = setup->testbeds[i];
        if (!all[i].random)
            continue;
        struct choice choice;
        choice_init_random(&choice, seed ^ map_hash(all[i].name, strlen(all[i].name)));
        all[i].flags = flag_space_draw(all[i].space, &choice, a);
        choice_release(&choice);
    }
    return all;
}

/* -- programs that must not be run ------------------------------------------------------------- */

static void has_no_say(struct observation *o, const char *detail, const char *why)
{
    o->outcome = OUTCOME_SKIPPED;
    o->output = bytes_of("");
    o->output_hash[0] = '\0';
    o->detail = detail;
    o->messages = why;
}

int test_filter(struct runner *r, const struct program *p, const struct testbed *filter,
                struct arena *a, struct observation *out, struct error *e)
{
    *out = (struct observation){.output = {"", 0}, .messages = "", .detail = "", .flags = ""};
    if (p->expected.data || p->build_only) {
        has_no_say(out, "", p->build_only ? "the program is not run" : "its output is known");
        return 1;
    }
    if (runner_observe(r, p, filter, true, "", a, out, e))
        return -1;
    switch (out->outcome) {
    case OUTCOME_RUN_CRASH:
        return 0;
    case OUTCOME_RUN_TIMEOUT:
        if (!filter->may_time_out)
            return 0;
        has_no_say(out, out->detail, "it times out");
        return 1;
    case OUTCOME_OK:
        has_no_say(out, "clean", "it accepts the program");
        return 1;
    case OUTCOME_SKIPPED:
        return 1;
    default: /* what it cannot build is for the others to judge */
        has_no_say(out, outcome_name[out->outcome],
                   arena_printf(a, "the filter does not build it: %s", out->messages));
        return 1;
    }
}

int test_suspect(const struct test_setup *setup, const struct observation *observations, int n)
{
    bool references = false;
    for (int i = 0; i < setup->n_testbeds; i++)
        references |= setup->testbeds[i].reference;
    for (int i = 0; i < n; i++) {
        const struct testbed *t = &setup->testbeds[i];
        if (observations[i].suspect && !t->filter && (t->reference || !references))
            return i;
    }
    return -1;
}

/* As if it had only been built: what was run until now does not count. */
static void forget_run(const struct testbed *t, struct observation *o)
{
    bool built = o->outcome == OUTCOME_OK || o->outcome == OUTCOME_RUN_CRASH ||
                 o->outcome == OUTCOME_RUN_TIMEOUT;
    if (!built || t->filter)
        return;
    o->exit_status = o->signal = 0;
    o->server_died = false;
    o->output_size = 0;
    if (t->traces || !*t->compile) {
        has_no_say(o, "", "the program must not be run");
        return;
    }
    o->outcome = OUTCOME_OK;
    o->output = bytes_of("");
    o->detail = "exit 0"; /* of the build */
    observation_hash(0, bytes_of(""), o->output_hash);
}

/* A warning of a testbed that votes is known only when it has built the program: after the fact for
 * some, in time for those behind it. */
static void heed_warning(const struct test_setup *setup, struct program *p, int last,
                         struct observation *observations, struct arena *a)
{
    if (p->expected.data || p->build_only || test_suspect(setup, observations, last + 1) != last)
        return;
    p->build_only = true;
    for (int i = 0; i <= last; i++)
        forget_run(&setup->testbeds[i], &observations[i]);
    observations[last].detail = arena_printf(a, "suspect: %s", observations[last].suspect);
}

int test_try(const struct test_setup *setup, struct runner *r, struct program *p, struct arena *a,
             struct observation *observations, struct verdict *verdicts, struct error *e)
{
    if (runner_load(r, p, e))
        return -1;
    for (int i = 0; i < setup->n_testbeds; i++) {
        if (!setup->testbeds[i].filter)
            continue;
        int clean = test_filter(r, p, &setup->testbeds[i], a, &observations[i], e);
        if (clean < 0)
            return -1;
        p->build_only |= !clean;
    }
    int ended = 0, endless = 0;
    for (int i = 0; i < setup->n_testbeds; i++) {
        if (setup->testbeds[i].filter)
            continue;
        /* Some valid programs do not end (csmith makes a few per hundred). Two testbeds are enough
         * to know; the others only build it. */
        bool run = p->expected.data || ended > 0 || endless < 2;
        if (runner_observe(r, p, &setup->testbeds[i], run, "the program times out elsewhere", a,
                           &observations[i], e))
            return -1;
        ended += observations[i].outcome == OUTCOME_OK;
        endless += observations[i].outcome == OUTCOME_RUN_TIMEOUT && !setup->testbeds[i].traces &&
                   !setup->testbeds[i].may_time_out;
        heed_warning(setup, p, i, observations, a);
    }
    test_judge(setup, p, observations, a, verdicts);
    return 0;
}

/* -- once more --------------------------------------------------------------------------------- */

int test_again(const struct test_setup *setup, struct runner *r, const struct program *p,
               const struct verdict *was, int index, struct arena *a,
               struct observation *observations, struct error *e)
{
    const char *model = setup->testbeds[index].model;
    char first_hash[sizeof observations->output_hash];
    memcpy(first_hash, observations[index].output_hash, sizeof first_hash);
    const char *first_trace = volatile_summary_in(observations[index].output);
    for (int i = 0; i < setup->n_testbeds; i++) {
        struct testbed t = setup->testbeds[i];
        bool concerned = i == index || (was->of_group && !t.filter && !strcmp(t.model, model));
        if (t.random)
            t.flags = observations[i].flags;
        if (concerned && runner_observe(r, p, &t, true, "", a, &observations[i], e))
            return -1;
    }
    struct verdict *verdicts = arena_array(a, struct verdict, setup->n_testbeds);
    test_judge(setup, p, observations, a, verdicts);
    bool same = verdicts[index].anomaly == was->anomaly;
    /* A wrong output that is wrong in another way each time is no bug that anyone can look into. */
    if (was->anomaly == ANOMALY_WRONG_OUTPUT)
        same &= !strcmp(first_hash, observations[index].output_hash);
    if (was->anomaly == ANOMALY_WRONG_VOLATILE)
        same &= !strcmp(first_trace, volatile_summary_in(observations[index].output));
    return same;
}

int test_other_inputs(const struct test_setup *setup, struct runner *r, const struct program *p,
                      const struct verdict *was, int index, const struct observation *observations,
                      struct arena *a, int64_t *cpu_us, struct error *e)
{
    int n = setup->n_testbeds, others = 0;
    const struct testbed *accused = &setup->testbeds[index];
    bool of_run = was->anomaly == ANOMALY_WRONG_OUTPUT || was->anomaly == ANOMALY_RUN_CRASH;
    if (!accused->other_inputs || !of_run || was->evidence != EVIDENCE_VOTE)
        return 1;
    struct observation *now = arena_array(a, struct observation, n);
    struct verdict *verdicts = arena_array(a, struct verdict, n);
    for (int i = 0; i < n; i++) {
        struct testbed t = setup->testbeds[i];
        bool asked = t.other_inputs && !t.filter && !strcmp(t.model, accused->model);
        now[i] = (struct observation){.output = {"", 0}, .messages = "", .detail = "", .flags = ""};
        now[i].outcome = OUTCOME_SKIPPED;
        others += asked && i != index;
        t.inputs = t.other_inputs;
        if (t.random)
            t.flags = observations[i].flags;
        if (asked && runner_observe(r, p, &t, true, "", a, &now[i], e))
            return -1;
        if (cpu_us)
            *cpu_us += now[i].build.cpu_us + now[i].run.cpu_us;
    }
    if (others < 2) /* no majority against it can come of that */
        return 1;
    test_judge(setup, p, now, a, verdicts);
    return verdicts[index].anomaly == was->anomaly;
}
