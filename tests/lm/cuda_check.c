/* The CUDA engine beside the reference, and how fast it is: for a machine with a GPU, built and run
 * by scripts/train-gpu, which brings a plain BLAS for the reference. TAP on standard output.
 *
 *     cuda_check check UNITS LAYERS BATCH LENGTH ATOMS STEPS FILE...
 *     cuda_check bench UNITS LAYERS LENGTH VOCABULARY BATCH...
 *
 * check: the same steps on both, from the same random weights, on the text of the files. The
 * gradient of the first step is compared part by part; then the losses of all steps; then what
 * `fetch` brings, what a second run brings (the same bits), and a run that goes on from a fetched
 * model (the same bits).
 *
 * Bars: losses within 1e-3 nats; parts of the gradient within 5e-3 of their norm, because halves
 * have 11 bits. Products of bfloats have 8: they are shown, not held to that. */
#include "base/choice.h"
#include "base/fs.h"
#include "lm/engine.h"
#include "tap.h"

#include <math.h>

typedef int engine_open(const struct lm_model *m, int batch, int length, struct lm_engine **out,
                        struct error *e);
engine_open lm_cpu_engine_open, lm_cuda_engine_open;

struct setup {
    struct lm_shape shape;
    int batch, length, steps;
    struct lm_model model;
    lm_token *tokens; /* ((steps * length + 1), batch) */
};

static void fail(const struct error *e)
{
    printf("Bail out! %s\n", e->message);
    exit(1);
}

/* A model with as many tokens as are wanted; what they are texts of does not matter. */
static void make_model(struct lm_model *m, const struct lm_shape *s, uint64_t seed)
{
    struct lm_encoder encoder = {.n = s->vocabulary};
    arena_init(&encoder.arena);
    map_init(&encoder.by_text);
    lm_model_init(m, s, &encoder, seed);
}

/* For the bench: from each token four ways lead on. */
static void make_tokens(struct setup *s)
{
    size_t rows = (size_t)s->steps * (size_t)s->length + 1, B = (size_t)s->batch;
    uint64_t V = (uint64_t)s->shape.vocabulary;
    struct choice c;
    choice_init_random(&c, 7);
    s->tokens = mem_alloc(rows * B * sizeof *s->tokens);
    for (size_t i = 0; i < rows * B; i++) {
        uint64_t before = i < B ? choose(&c, V) : s->tokens[i - B];
        s->tokens[i] = (lm_token)((before * 31 + choose(&c, 4) * 17 + 1) % V);
    }
    choice_release(&c);
}

/* B streams out of one text, which begins again when it has ended. */
static void cut_tokens(struct setup *s, const lm_tokens *text)
{
    size_t rows = (size_t)s->steps * (size_t)s->length + 1, B = (size_t)s->batch;
    s->tokens = mem_alloc(rows * B * sizeof *s->tokens);
    for (size_t t = 0; t < rows; t++)
        for (size_t b = 0; b < B; b++)
            s->tokens[t * B + b] = text->at[(b * (text->n / B) + t) % text->n];
}

/* The files as a corpus; the vocabulary becomes what they have. */
static void read_tokens(struct setup *s, char **files, int n, int atoms)
{
    const char **texts = mem_alloc((size_t)n * sizeof *texts);
    size_t *sizes = mem_alloc((size_t)n * sizeof *sizes);
    struct strbuf *bodies = mem_alloc((size_t)n * sizeof *bodies);
    const struct lm_encoder_options o = {.most = atoms, .at_least = 10};
    struct lm_encoder encoder;
    lm_tokens tokens = {0};
    struct error e = {0};
    for (int i = 0; i < n; i++) {
        strbuf_init(&bodies[i], 0);
        if (fs_read(files[i], &bodies[i], &e))
            fail(&e);
        texts[i] = bodies[i].s;
        sizes[i] = bodies[i].n;
    }
    if (lm_encoder_derive(&encoder, texts, sizes, (size_t)n, &o, &e))
        fail(&e);
    for (int i = 0; i < n; i++) {
        if (lm_encode(&encoder, texts[i], sizes[i], &tokens, &e))
            fail(&e);
        vec_push(&tokens, LM_END);
        strbuf_release(&bodies[i]);
    }
    s->shape.vocabulary = encoder.n;
    cut_tokens(s, &tokens);
    lm_encoder_release(&encoder);
    vec_release(&tokens);
    free(texts);
    free(sizes);
    free(bodies);
}

static void setup_release(struct setup *s)
{
    lm_model_release(&s->model);
    free(s->tokens);
}

static struct lm_engine *open_engine(const struct setup *s, const struct lm_model *m,
                                     engine_open *open)
{
    struct error e = {0};
    struct lm_engine *g = NULL;
    if (open(m, s->batch, s->length, &g, &e))
        fail(&e);
    return g;
}

static void do_step(const struct setup *s, struct lm_engine *g, int step, float rate, double *loss)
{
    size_t B = (size_t)s->batch, at = (size_t)step * (size_t)s->length * B;
    const struct lm_step x = {s->tokens + at, s->tokens + at + B, rate, 5};
    struct error e = {0};
    if (g->step(g, &x, loss, &e))
        fail(&e);
}

static void fetch(struct lm_engine *g, struct lm_model *m)
{
    struct error e = {0};
    if (g->fetch(g, m, &e))
        fail(&e);
}

/* |a - b| / |b| */
static double distance(const float *a, const float *b, size_t n)
{
    double apart = 0, norm = 0;
    for (size_t i = 0; i < n; i++) {
        double d = (double)a[i] - (double)b[i];
        apart += d * d;
        norm += (double)b[i] * (double)b[i];
    }
    return norm > 0 ? sqrt(apart / norm) : sqrt(apart);
}

static void compare_gradients(const struct setup *s, struct lm_engine *a, struct lm_engine *b,
                              bool strict)
{
    const struct lm_layout *at = &s->model.at;
    const struct {
        const char *name;
        size_t begin, end;
    } parts[] = {{"table", at->table, at->bias},      {"bias", at->bias, at->inner},
                 {"inner", at->inner, at->outer},     {"outer", at->outer, at->out},
                 {"out", at->out, at->out_bias},      {"out_bias", at->out_bias, at->total},
                 {"everything", at->table, at->total}};
    float *x = lm_floats(at->total), *y = lm_floats(at->total);
    struct error e = {0};
    if (a->gradient(a, x, &e) || b->gradient(b, y, &e))
        fail(&e);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double d = distance(x + parts[i].begin, y + parts[i].begin, parts[i].end - parts[i].begin);
        ok(d < (strict ? 5e-3 : 5e-2), "gradient of %s: %.2e apart", parts[i].name, d);
    }
    free(x);
    free(y);
}

/* Losses of all steps on both; the reference's model afterwards is not needed. */
static void compare_losses(const struct setup *s, struct lm_engine *cuda, bool strict)
{
    struct lm_engine *cpu = open_engine(s, &s->model, lm_cpu_engine_open);
    double worst = 0, a = 0, b = 0, first = 0;
    for (int i = 0; i < s->steps; i++) {
        do_step(s, cpu, i, 0.002f, &a);
        do_step(s, cuda, i, 0.002f, &b);
        if (i == 0) {
            first = a;
            compare_gradients(s, cuda, cpu, strict);
        }
        if (!(fabs(a - b) <= worst))
            worst = fabs(a - b);
        if (i < 3 || i % 10 == 9)
            printf("# step %3d: reference %.6f, CUDA %.6f, apart %+.2e\n", i + 1, a, b, b - a);
        fflush(stdout);
    }
    ok(worst < (strict ? 1e-3 : 2e-2), "losses of %d steps: at most %.2e apart", s->steps, worst);
    ok(s->steps < 20 || a < first, "the loss falls: %.3f to %.3f", first, a);
    /* without an update: the loss alone, and the state goes on */
    do_step(s, cpu, 0, 0, &a);
    do_step(s, cuda, 0, 0, &b);
    ok(fabs(a - b) < (strict ? 2e-3 : 2e-2), "a look: %.6f and %.6f", a, b);
    cpu->close(cpu);
}

static bool same_models(const struct lm_model *a, const struct lm_model *b)
{
    size_t size = a->at.total * sizeof(float);
    size_t state = 2 * (size_t)a->shape.layers * (size_t)a->state_batch * (size_t)a->shape.units;
    return a->progress.all_steps == b->progress.all_steps &&
           !memcmp(a->weights, b->weights, size) && !memcmp(a->m, b->m, size) &&
           !memcmp(a->v, b->v, size) && a->state_batch == b->state_batch &&
           !memcmp(a->state, b->state, state * sizeof(float));
}

/* Nothing waits in between, so that the ring goes round; half way, another engine may take over. */
static void run_again(const struct setup *s, struct lm_model *out, bool change)
{
    struct error e = {0};
    struct lm_engine *g = open_engine(s, &s->model, lm_cuda_engine_open);
    double sum = 0;
    int64_t steps = 0;
    make_model(out, &s->shape, 4);
    for (int i = 0; i < s->steps; i++) {
        do_step(s, g, i, 0.002f, NULL);
        if (change && i == s->steps / 2) {
            fetch(g, out);
            g->close(g);
            g = open_engine(s, out, lm_cuda_engine_open);
        }
    }
    do_step(s, g, 0, 0, NULL);
    if (g->losses(g, &sum, &steps, &e))
        fail(&e);
    ok(steps == (change ? s->steps - s->steps / 2 : s->steps + 1) && sum > 0,
       "losses of %lld steps, %.4f on the mean", (long long)steps, sum / (double)steps);
    fetch(g, out);
    g->close(g);
}

static int check(struct setup *s)
{
    const char *how = getenv("ASSAY_CUDA");
    struct lm_model first = {0}, second = {0}, third = {0};
    make_model(&s->model, &s->shape, 3);
    struct lm_engine *cuda = open_engine(s, &s->model, lm_cuda_engine_open);
    printf("# %dx%d, %d tokens, batch %d, length %d, ASSAY_CUDA=%s\n", s->shape.layers,
           s->shape.units, s->shape.vocabulary, s->batch, s->length, how ? how : "");
    compare_losses(s, cuda, !how || !strstr(how, "bfloat"));
    make_model(&first, &s->shape, 5);
    fetch(cuda, &first);
    run_again(s, &second, false);
    run_again(s, &third, true);
    ok(same_models(&first, &second), "a second run is the same, bit by bit");
    ok(same_models(&first, &third), "a run that another engine goes on with is the same");
    cuda->close(cuda);
    lm_model_release(&first);
    lm_model_release(&second);
    lm_model_release(&third);
    setup_release(s);
    return tap_done();
}

/* Tokens per second, the best of three rounds. */
static void bench(struct setup *s)
{
    struct error e = {0};
    double best = 0, sum = 0;
    int64_t done = 0;
    int per_round = 1500000 / (s->batch * s->length) + 8;
    s->steps = 8;
    make_model(&s->model, &s->shape, 3);
    make_tokens(s);
    struct lm_engine *g = open_engine(s, &s->model, lm_cuda_engine_open);
    for (int round = 0; round < 4; round++) { /* the first warms up */
        int64_t began = clock_us();
        for (int i = 0; i < per_round; i++)
            do_step(s, g, i % s->steps, 1e-4f, NULL);
        if (g->losses(g, &sum, &done, &e))
            fail(&e);
        double rate = (double)per_round * s->batch * s->length / (double)(clock_us() - began) * 1e6;
        if (round && rate > best)
            best = rate;
    }
    printf("bench batch %4d length %3d: %10.0f tokens/s, %7.3f ms per step, loss %.4f\n", s->batch,
           s->length, best, (double)s->batch * s->length / best * 1e3, sum / (double)done);
    fflush(stdout);
    g->close(g);
    setup_release(s);
}

static int number(const char *text)
{
    int n = atoi(text);
    if (n < 1) {
        fprintf(stderr, "cuda_check: %s is no number of 1 or more\n", text);
        exit(2);
    }
    return n;
}

int main(int argc, char **argv)
{
    if (argc > 8 && !strcmp(argv[1], "check")) {
        struct setup s = {.shape = {0, number(argv[3]), number(argv[2])},
                          .batch = number(argv[4]),
                          .length = number(argv[5]),
                          .steps = number(argv[7])};
        read_tokens(&s, argv + 8, argc - 8, number(argv[6]));
        return check(&s);
    }
    if (argc < 7 || strcmp(argv[1], "bench")) {
        fputs("usage: cuda_check check UNITS LAYERS BATCH LENGTH ATOMS STEPS FILE...\n"
              "       cuda_check bench UNITS LAYERS LENGTH VOCABULARY BATCH...\n",
              stderr);
        return 2;
    }
    for (int i = 6; i < argc; i++) {
        struct setup s = {.shape = {number(argv[5]), number(argv[3]), number(argv[2])},
                          .batch = number(argv[i]),
                          .length = number(argv[4])};
        bench(&s);
    }
    return 0;
}
