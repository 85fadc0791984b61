/* assay lm sample: programs as a model makes them up, without the masks and repairs of the
 * generator `lm`: to see what was learned. Program i of a seed S is that of seed S + i, and the
 * same on every machine, whatever --streams says.
 *
 * --bench tells how fast this machine samples, on a given model or on one of random weights: time
 * does not depend on what a model has learned, but for the order of likelihood in a draw. */
#include "cli/cmd_lm.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/cli.h"
#include "lm/batch.h"
#include "lm/kernels.h"

struct sampling {
    /* as given */
    const char *path;
    int64_t streams;
    struct lm_batch_options batch;
    bool bench, json;
    /* made of it */
    struct lm_model model;
    struct lm_bytes *bytes;
    int64_t printed;
};

/* -- programs ---------------------------------------------------------------------------------- */

static void print_program(void *to, const struct lm_sampled *p)
{
    struct sampling *s = to;
    if (s->json) {
        json_print(json_new("{s:I,s:s,s:I,s:y}", "seed", (int64_t)p->seed, "stop",
                            lm_stop_name[p->stop], "tokens", (int64_t)p->tokens, "text",
                            bytes_in(&p->text)),
                   true);
    } else {
        if (s->printed)
            puts("---");
        fwrite(p->text.s, 1, p->text.n, stdout);
        if (!p->text.n || p->text.s[p->text.n - 1] != '\n')
            putchar('\n');
    }
    s->printed++;
}

/* -- bench ------------------------------------------------------------------------------------- */

/* Weights alone, in the size of those of a trained model; a bench needs no texts. */
static void make_random_model(struct lm_model *m)
{
    struct choice c;
    *m = (struct lm_model){.shape = {.vocabulary = 400, .layers = 2, .units = 512}};
    m->at = lm_layout(&m->shape);
    m->weights = mem_alloc(m->at.total * sizeof *m->weights);
    choice_init_random(&c, 1);
    for (size_t i = 0; i < m->at.total; i++) {
        float x = (float)choose_bits(&c, 24) / (float)(1 << 24) - 0.5f;
        m->weights[i] = x * (i < m->at.out ? 0.3f : 4.0f);
    }
    choice_release(&c);
}

/* Tokens per CPU-second with so many streams: for a second, after some steps that do not count. */
static double measure(const struct sampling *s, int streams)
{
    enum { WARM_UP = 5 };
    struct lm_sampler *sampler = lm_sampler_new(s->bytes, streams);
    struct choice c;
    int *tokens = mem_alloc((size_t)streams * sizeof *tokens);
    int64_t steps = 0, began = 0, now = 0;
    choice_init_random(&c, s->batch.seed);
    for (int i = 0; i < streams; i++)
        tokens[i] = LM_END;
    for (; steps <= WARM_UP || now - began < 1000000; steps++) {
        if (steps == WARM_UP)
            began = own_cpu_us();
        lm_sampler_feed(sampler, tokens);
        for (int i = 0; i < streams; i++)
            tokens[i] = lm_draw(sampler, i, s->batch.temperature, NULL, &c);
        now = own_cpu_us();
    }
    choice_release(&c);
    lm_sampler_free(sampler);
    free(tokens);
    return (double)(steps - WARM_UP) * streams * 1e6 / (double)(now - began);
}

static void bench(struct sampling *s)
{
    const struct lm_kernels *kernels[LM_MOST_KERNELS];
    const struct lm_shape *shape = &s->model.shape;
    lm_kernels_list(kernels);
    double many = measure(s, s->batch.streams), one = measure(s, 1);
    if (s->json) {
        json_print(json_new("{s:s,s:s,s:i,s:i,s:i,s:i,s:f,s:f}", "model",
                            s->path ? s->path : "random", "unit", kernels[0]->name, "tokens",
                            shape->vocabulary, "layers", shape->layers, "units", shape->units,
                            "streams", s->batch.streams, "per_cpu_second", many,
                            "per_cpu_second_single", one),
                   false);
        return;
    }
    text_print(stdout, "%s: %d tokens, %d layers of %d units; vector unit: %s\n",
               s->path ? s->path : "random weights", shape->vocabulary, shape->layers, shape->units,
               kernels[0]->name);
    text_print(stdout, "%d streams: %.0f tokens per CPU-second\n", s->batch.streams, many);
    text_print(stdout, "1 stream: %.0f tokens per CPU-second\n", one);
}

/* -- the command ------------------------------------------------------------------------------- */

static int load_model(struct sampling *s, struct error *e)
{
    struct lm_model *m = &s->model;
    if (!s->path) {
        make_random_model(m);
        return 0;
    }
    return lm_model_load(m, s->path, e);
}

static int sample(struct sampling *s, struct error *e)
{
    if (load_model(s, e))
        return -1;
    s->bytes = lm_bytes_new(&s->model);
    if (s->bench) {
        bench(s);
        return 0;
    }
    if (lm_batch(s->bytes, &s->model.encoder, &s->batch, print_program, s, e)) {
        struct error inner = *e;
        return error_set(e, ERROR_USAGE, "--start: %.700s", inner.message);
    }
    if (fflush(stdout) || ferror(stdout))
        return error_set(e, ERROR_ENVIRONMENT, "standard output cannot be written");
    return 0;
}

/* What the table of options cannot check. */
static int check_words(struct sampling *s, int rest, char **argv)
{
    struct lm_batch_options *b = &s->batch;
    if (rest > 1 || (rest == 1 && s->path))
        return cli_usage(&command_lm_sample, "lm sample takes one model, and '%s' is another",
                         argv[rest - 1]);
    if (rest == 1)
        s->path = argv[0];
    if (!s->path && !s->bench)
        return cli_usage(&command_lm_sample,
                         "no model: name a MODEL.lm written by `assay lm train`");
    if (!b->open != !b->close || (b->open && (!*b->open || !*b->close)))
        return cli_usage(&command_lm_sample, "--open and --close go together: --open { --close }");
    if (s->streams > 4096 || b->programs > 100000000)
        return cli_usage(&command_lm_sample, "at most 4096 streams and 100000000 programs");
    b->streams = (int)(!s->bench && b->programs < s->streams ? b->programs : s->streams);
    return 0;
}

int lm_sample_command(int argc, char **argv)
{
    struct sampling s = {
        .streams = 64,
        .batch = {.programs = 1, .seed = 1, .temperature = 1, .most = 2000, .start = ""}};
    struct lm_batch_options *b = &s.batch;
    const struct option_spec specs[] = {
        TEXT(0, "model", "FILE", "the model file, instead of MODEL.lm", &s.path),
        INT('n', "number", "N", "number of programs (1)", &b->programs),
        U64(0, "seed", "S", "seed of the first program, then S+1, ... (1)", &b->seed),
        TEXT(0, "start", "TEXT", "start of every program", &b->start),
        NUMBER(0, "temperature", "T", "below 1: more likely tokens; 0: only the likeliest (1)",
               &b->temperature),
        INT(0, "most", "N", "maximum tokens of a program after its start (2000)", &b->most),
        TEXT(0, "open", "TEXT", "opening bracket to count, with --close", &b->open),
        TEXT(0, "close", "TEXT", "closing bracket; the last one ends the program", &b->close),
        INT(0, "streams", "N", "programs sampled in parallel (64)", &s.streams),
        FLAG(0, "bench", "measure the speed; without a model: random weights", &s.bench),
        FLAG(0, "json", "print JSON, one line for each program", &s.json),
    };
    struct error e = {0};
    int rest, status;
    if (!cli_parse(&command_lm_sample, OPTIONS(specs), argc, argv, &rest, &status))
        return status;
    status = check_words(&s, rest, argv);
    if (status)
        return status;
    int failed = sample(&s, &e);
    lm_bytes_free(s.bytes);
    lm_model_release(&s.model);
    return failed ? cli_fail(&e) : EXIT_CLEAN;
}
