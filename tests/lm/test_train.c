/* A training step against a second implementation, and trainings against each other.
 *
 * The second implementation is the forward pass alone, in double and as plain as can be (net_loss);
 * its gradient is taken by central differences. The engine's gradient must be that one in every
 * part of the block; what Adam and clipping make of it is computed again from the engine's own. */
#include "base/choice.h"
#include "base/fs.h"
#include "lm/train.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { H = 16, V = 7, L = 2, B = 3, T = 5 };

static char folder[200];

static void bail(const struct error *e)
{
    printf("Bail out! %s\n", e->message);
    exit(1);
}

/* -- the second implementation ----------------------------------------------------------------- */

struct net_state {
    double h[L][B][H], c[L][B][H];
};

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

static void net_cell(const double *w, const struct lm_layout *at, int l, lm_token x,
                     const double *below, double *h, double *c)
{
    double z[4 * H];
    for (int j = 0; j < 4 * H; j++) {
        z[j] = w[at->bias + (size_t)(l * 4 * H + j)];
        if (l == 0)
            z[j] += w[at->table + (size_t)(x * 4 * H + j)];
        for (int i = 0; i < H; i++) {
            size_t row = (size_t)(j * H + i);
            z[j] += w[at->inner + (size_t)(l * 4 * H * H) + row] * h[i];
            if (l > 0)
                z[j] += w[at->outer + (size_t)((l - 1) * 4 * H * H) + row] * below[i];
        }
    }
    for (int i = 0; i < H; i++) {
        c[i] = sigmoid(z[H + i]) * c[i] + sigmoid(z[i]) * tanh(z[2 * H + i]);
        h[i] = sigmoid(z[3 * H + i]) * tanh(c[i]);
    }
}

/* Mean nats per token; the state is carried. */
static double net_loss(const double *w, const struct lm_layout *at, const lm_token *in,
                       const lm_token *target, struct net_state *s)
{
    double loss = 0;
    for (int t = 0; t < T; t++)
        for (int b = 0; b < B; b++) {
            for (int l = 0; l < L; l++)
                net_cell(w, at, l, in[t * B + b], l ? s->h[l - 1][b] : NULL, s->h[l][b],
                         s->c[l][b]);
            double logit[V], sum = 0;
            for (int v = 0; v < V; v++) {
                logit[v] = w[at->out_bias + (size_t)v];
                for (int i = 0; i < H; i++)
                    logit[v] += w[at->out + (size_t)(v * H + i)] * s->h[L - 1][b][i];
                sum += exp(logit[v]);
            }
            loss += log(sum) - logit[target[t * B + b]];
        }
    return loss / (B * T);
}

/* -- one step ---------------------------------------------------------------------------------- */

static void make_model(struct lm_model *m, uint64_t seed)
{
    static const char *const text = "abcdef";
    const struct lm_encoder_options none = {0};
    const struct lm_shape shape = {V, L, H};
    size_t size = V - 1;
    struct lm_encoder e;
    struct error error = {0};
    if (lm_encoder_derive(&e, &text, &size, 1, &none, &error))
        bail(&error);
    lm_model_init(m, &shape, &e, seed);
    /* Larger than a model begins with: a gradient that is wrong shall show. */
    struct choice c;
    choice_init_random(&c, seed);
    for (size_t i = 0; i < m->at.total; i++)
        m->weights[i] += (float)((double)choose_bits(&c, 24) / (1 << 23) - 1) * 0.5f;
    choice_release(&c);
}

static void draw_tokens(lm_token *out, size_t n, uint64_t seed)
{
    struct choice c;
    choice_init_random(&c, seed);
    for (size_t i = 0; i < n; i++)
        out[i] = (lm_token)choose(&c, V);
    choice_release(&c);
}

static double *doubles(const float *x, size_t n)
{
    double *out = malloc(n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = (double)x[i];
    return out;
}

/* The two passes over the same tokens: first one that only carries the state, then one to compare.
 */
struct probe {
    struct lm_model m;
    struct lm_engine *g;
    lm_token x[2][T * B], y[2][T * B];
    double *w;
    struct net_state state; /* after the first pass, by the second implementation */
    float *gradient;        /* by the engine */
    double loss[2], net[2];
};

static void probe_init(struct probe *p)
{
    struct error e = {0};
    make_model(&p->m, 3);
    for (int i = 0; i < 2; i++) {
        draw_tokens(p->x[i], T * B, 10 + (uint64_t)i);
        draw_tokens(p->y[i], T * B, 20 + (uint64_t)i);
    }
    p->w = doubles(p->m.weights, p->m.at.total);
    p->gradient = lm_floats(p->m.at.total);
    p->state = (struct net_state){0};
    if (lm_cpu_open(&p->m, B, T, &p->g, &e))
        bail(&e);
    const struct lm_step first = {p->x[0], p->y[0], 0, 0},
                         second = {p->x[1], p->y[1], 0.01f, 0.25f};
    p->net[0] = net_loss(p->w, &p->m.at, p->x[0], p->y[0], &p->state);
    struct net_state s = p->state;
    p->net[1] = net_loss(p->w, &p->m.at, p->x[1], p->y[1], &s);
    if (p->g->step(p->g, &first, &p->loss[0], &e) || p->g->step(p->g, &second, &p->loss[1], &e) ||
        p->g->gradient(p->g, p->gradient, &e))
        bail(&e);
}

static void probe_release(struct probe *p)
{
    p->g->close(p->g);
    lm_model_release(&p->m);
    free(p->w);
    free(p->gradient);
}

static double numeric(struct probe *p, size_t i)
{
    const double step = 1e-5;
    double was = p->w[i], loss[2];
    for (int side = 0; side < 2; side++) {
        struct net_state s = p->state;
        p->w[i] = was + (side ? step : -step);
        loss[side] = net_loss(p->w, &p->m.at, p->x[1], p->y[1], &s);
    }
    p->w[i] = was;
    return (loss[1] - loss[0]) / (2 * step);
}

static void check_part(struct probe *p, const char *name, size_t from, size_t to)
{
    double apart = 0, size = 0, worst = 0, most = 0;
    for (size_t i = from; i < to; i++) {
        double n = numeric(p, i), d = fabs(n - (double)p->gradient[i]);
        apart += d * d;
        size += n * n;
        worst = fmax(worst, d);
        most = fmax(most, fabs(n));
    }
    double relative = sqrt(apart / size), element = worst / most;
    ok(relative <= 1e-4 && element <= 1e-4 && most > 0,
       "the gradient of %s is that of differences (%.1e, one element %.1e)", name, relative,
       element);
}

static void test_gradient(struct probe *p)
{
    const struct lm_layout *at = &p->m.at;
    ok(fabs(p->loss[0] - p->net[0]) < 2e-6 * p->net[0], "the loss is that of double");
    ok(fabs(p->loss[1] - p->net[1]) < 2e-6 * p->net[1], "and after the state was carried");
    struct net_state zero = {0};
    ok(fabs(net_loss(p->w, at, p->x[1], p->y[1], &zero) - p->loss[1]) > 1e-3,
       "without it, it is another");
    check_part(p, "table", at->table, at->bias);
    check_part(p, "bias", at->bias, at->inner);
    for (size_t l = 0; l < L; l++)
        check_part(p, l ? "inner 1" : "inner 0", at->inner + l * 4 * H * H,
                   at->inner + (l + 1) * 4 * H * H);
    check_part(p, "outer", at->outer, at->out);
    check_part(p, "out", at->out, at->out_bias);
    check_part(p, "out_bias", at->out_bias, at->total);
}

/* The weights, moments and the state after one step at rate 0.01, cut to norm 0.25. */
static void test_update(struct probe *p)
{
    struct lm_model after = {.shape = p->m.shape, .at = p->m.at};
    size_t n = p->m.at.total;
    double norm = 0, worst = 0, worst_m = 0;
    after.weights = lm_floats(n);
    p->g->fetch(p->g, &after, NULL);
    for (size_t i = 0; i < n; i++)
        norm += (double)p->gradient[i] * (double)p->gradient[i];
    norm = sqrt(norm);
    ok(norm > 0.25, "the gradient is large enough to be cut (%.2f)", norm);
    for (size_t i = 0; i < n; i++) {
        double d = (double)p->gradient[i] * 0.25 / norm;
        double wanted = (double)p->m.weights[i] - 0.01 * d / (fabs(d) + 1e-8);
        worst = fmax(worst, fabs(wanted - (double)after.weights[i]));
        worst_m = fmax(worst_m, fabs(0.1 * d - (double)after.m[i]));
    }
    ok(worst < 1e-6, "the first step of Adam (%.1e apart)", worst);
    ok(worst_m < 1e-8, "of the gradient that was cut");
    is_int(after.progress.all_steps, 1, "a step without a rate is none");
    struct net_state s = p->state;
    net_loss(p->w, &p->m.at, p->x[1], p->y[1], &s);
    double apart = 0;
    for (int l = 0; l < L; l++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < B * H; i++)
                apart = fmax(apart, fabs((k ? s.c : s.h)[l][i / H][i % H] -
                                         (double)after.state[(l * 2 + k) * B * H + i]));
    ok(apart < 1e-6, "the state that is carried on is that of double");
    lm_model_release(&after);
}

static void test_engine(struct probe *p)
{
    const struct lm_step look = {p->x[0], p->y[0], 0, 0};
    double first, second, third, sum;
    int64_t steps;
    p->g->losses(p->g, &sum, &steps, NULL);
    is_int(steps, 2, "losses come together");
    ok(fabs(sum - p->loss[0] - p->loss[1]) < 1e-12, "in a sum");
    p->g->reset(p->g, NULL);
    p->g->step(p->g, &look, &first, NULL);
    p->g->step(p->g, &look, &second, NULL);
    p->g->reset(p->g, NULL);
    p->g->step(p->g, &look, &third, NULL);
    ok(first == third && first != second, "a reset begins anew");
    p->g->losses(p->g, &sum, &steps, NULL);
    is_int(steps, 3, "and they are forgotten when they were asked for");
}

/* A rate that is far too high: an error, not a model of what is no number. */
static void test_diverged(void)
{
    struct lm_model m;
    struct lm_engine *g;
    struct error e = {0};
    lm_token x[T * B] = {0};
    const struct lm_step s = {x, x, 0.01f, 5};
    make_model(&m, 1);
    m.weights[m.at.out] = NAN;
    if (lm_cpu_open(&m, B, T, &g, &e))
        bail(&e);
    ok(g->step(g, &s, NULL, &e) == -1, "what is no number is an error");
    has_str(e.message, "diverged", "which says so");
    g->close(g);
    lm_model_release(&m);
}

/* -- trainings --------------------------------------------------------------------------------- */

static const char *path_of(const char *name)
{
    static char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void make_corpus(struct lm_corpus *c, int programs)
{
    struct strbuf text;
    struct choice x;
    struct error e = {0};
    strbuf_init(&text, 0);
    choice_init_random(&x, 1);
    for (int i = 0; i < programs; i++) {
        strbuf_adds(&text, "kernel void A(");
        for (uint64_t n = 1 + choose(&x, 4); n > 0; n--)
            strbuf_addf(&text, "global float* %c%s", (char)('a' + (char)choose(&x, 3)),
                        n > 1 ? ", " : ") {\n    return;\n}\n");
        strbuf_addc(&text, '\0');
    }
    if (fs_write(path_of("corpus"), text.s, text.n, &e) || lm_corpus_load(c, path_of("corpus"), &e))
        bail(&e);
    strbuf_release(&text);
    choice_release(&x);
}

static void new_model(struct lm_model *m, const struct lm_corpus *c, uint64_t seed)
{
    const struct lm_encoder_options o = {20, 3, NULL};
    struct lm_encoder encoder;
    struct error e = {0};
    if (lm_encoder_derive(&encoder, c->texts, c->sizes, c->n, &o, &e))
        bail(&e);
    const struct lm_shape shape = {encoder.n, 2, 32};
    lm_model_init(m, &shape, &encoder, seed);
}

struct seen {
    int epochs, calls;
    double loss[8], held_out[8];
    int64_t steps;
};

static void on_progress(void *to, const struct lm_model *m, double loss, double tokens_per_s,
                        int64_t step, int64_t steps, bool epoch_ends)
{
    struct seen *s = to;
    (void)tokens_per_s, (void)step;
    s->calls++;
    s->steps = steps;
    if (epoch_ends && s->epochs < 8) {
        s->loss[s->epochs] = loss;
        s->held_out[s->epochs++] = m->progress.held_out;
    }
}

static int train(struct lm_model *m, const struct lm_corpus *c, const struct lm_train_options *o,
                 struct error *e)
{
    struct lm_engine *g;
    if (lm_cpu_open(m, o->batch, o->length, &g, e))
        bail(e);
    int status = lm_train(m, c, g, o, e);
    g->close(g);
    return status;
}

static struct lm_train_options options(int epochs)
{
    return (struct lm_train_options){.epochs = epochs,
                                     .batch = 4,
                                     .length = 8,
                                     .rate = 0.005f,
                                     .decay = 0.9f,
                                     .clip = 5,
                                     .held_out = 0.1,
                                     .save_every_ms = 1000000};
}

static void test_learns(const struct lm_corpus *c)
{
    struct lm_model m;
    struct seen seen = {0};
    struct error e = {0};
    struct lm_train_options o = options(5);
    o.progress = on_progress;
    o.to = &seen;
    new_model(&m, c, 1);
    is_int(train(&m, c, &o, &e), 0, "a training ends");
    is_int(seen.epochs, 5, "after its epochs");
    is_int(seen.steps, lm_train_steps(&m, c, &o, &e), "of so many steps");
    is_int(m.progress.all_steps, 5 * seen.steps, "all of them were done");
    ok(m.progress.epoch == 5 && m.progress.step == 0, "which the model knows");
    ok(seen.loss[4] < 0.5 * seen.loss[0], "it learns: %.3f, then %.3f nats", seen.loss[0],
       seen.loss[4]);
    ok(seen.held_out[4] > 0 && seen.held_out[4] < 0.5 * seen.held_out[0],
       "what is held out, too: %.3f, then %.3f", seen.held_out[0], seen.held_out[4]);
    ok(seen.held_out[4] != seen.loss[4], "which is not the same");
    lm_model_release(&m);
}

/* Stop after every few steps; each time all goes through a file into a new engine. */
static int train_in_parts(struct lm_model *m, const struct lm_corpus *c, int64_t steps)
{
    struct lm_train_options o = options(3);
    struct error e = {0};
    char checkpoint[300];
    int parts = 1;
    snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint", folder);
    o.checkpoint = checkpoint;
    o.most_steps = steps;
    for (int status; (status = train(m, c, &o, &e)) != 0; parts++) {
        lm_model_release(m);
        if (status < 0 || lm_model_load(m, checkpoint, &e))
            bail(&e);
    }
    return parts;
}

static void test_goes_on(const struct lm_corpus *c)
{
    struct lm_model whole, parts, other;
    struct lm_train_options o = options(3);
    struct error e = {0};
    new_model(&whole, c, 7);
    train(&whole, c, &o, &e);
    int64_t steps = lm_train_steps(&whole, c, &o, &e);
    const int64_t sizes[] = {7, steps, steps - 1, steps + 1};
    for (int i = 0; i < 4; i++) {
        new_model(&parts, c, 7);
        int n = train_in_parts(&parts, c, sizes[i]);
        size_t size = whole.at.total * sizeof(float);
        ok(n > 2 && !memcmp(whole.weights, parts.weights, size) &&
               !memcmp(whole.m, parts.m, size) && !memcmp(whole.v, parts.v, size),
           "in %d parts of %lld steps: bit for bit the same", n, (long long)sizes[i]);
        ok(fabs(whole.progress.loss - parts.progress.loss) < 1e-9 &&
               whole.progress.held_out == parts.progress.held_out,
           "and the losses of the last epoch");
        lm_model_release(&parts);
    }
    new_model(&other, c, 7);
    other.progress.seed = 8; /* the same weights at first, another order */
    train(&other, c, &o, &e);
    ok(memcmp(whole.weights, other.weights, whole.at.total * sizeof(float)) != 0,
       "another order of programs is another model");
    lm_model_release(&other);
    lm_model_release(&whole);
}

/* A checkpoint is written when the training is told to stop. */
static void test_stops(const struct lm_corpus *c)
{
    struct lm_model m, found;
    struct lm_train_options o = options(3);
    struct error e = {0};
    int stop = 1;
    o.checkpoint = path_of("stopped");
    o.stop = &stop;
    new_model(&m, c, 7);
    is_int(train(&m, c, &o, &e), 1, "told to stop, it stops");
    ok(!lm_model_load(&found, path_of("stopped"), &e) && found.m && found.progress.epoch == 0,
       "and there is a checkpoint");
    lm_model_release(&found);
    lm_model_release(&m);
    new_model(&m, c, 7);
    o.checkpoint = "/nowhere/at/all";
    is_int(train(&m, c, &o, &e), -1, "one that cannot be written is an error");
    lm_model_release(&m);
}

static void test_corpora(const struct lm_corpus *c)
{
    struct lm_corpus other;
    struct lm_model m;
    struct error e = {0};
    struct lm_train_options o = options(1);
    is_int(c->n, 120, "all programs are there");
    ok(lm_corpus_load(&other, path_of("nothing"), &e) == -1, "no such corpus");
    fs_write(path_of("text"), "int main;", 9, NULL);
    ok(lm_corpus_load(&other, path_of("text"), &e) == -1, "a text without NUL bytes is none");
    fs_write(path_of("text"), "a\0\0b c\0", 7, NULL);
    is_int(lm_corpus_load(&other, path_of("text"), &e), 0, "two programs");
    ok(other.n == 2 && !strcmp(other.texts[1], "b c") && other.sizes[1] == 3,
       "an empty one is none");
    new_model(&m, &other, 1);
    is_int(train(&m, &other, &o, &e), -1, "too few tokens for a batch");
    has_str(e.message, "too few", "which is said");
    lm_model_release(&m);
    new_model(&m, c, 1);
    fs_write(path_of("text"), "kernel\0#\0", 9, NULL);
    lm_corpus_release(&other);
    lm_corpus_load(&other, path_of("text"), &e);
    is_int(train(&m, &other, &o, &e), -1, "a byte that the model does not know");
    has_str(e.message, "program 2", "where it is");
    lm_corpus_release(&other);
    lm_model_release(&m);
}

static void test_cuda(void)
{
    struct lm_model m;
    struct lm_engine *g;
    struct error e = {0};
    make_model(&m, 1);
    if (!lm_cuda_open(&m, B, T, &g, &e)) {
        g->close(g);
        tap_skip("a machine without CUDA", "it is here");
    } else {
        ok(e.kind == ERROR_ENVIRONMENT && e.message[0] && !strchr(e.message, '\n'),
           "without CUDA: %s", e.message);
    }
    lm_model_release(&m);
}

int main(void)
{
    struct error e = {0};
    struct lm_corpus corpus;
    struct probe p;
    if (!access("/dev/shm", W_OK)) /* fsync waits for no disk there */
        setenv("TMPDIR", "/dev/shm", 1);
    if (fs_make_temp_dir("assay-test-train", folder, sizeof folder, &e))
        return 1;
    probe_init(&p);
    test_gradient(&p);
    test_update(&p);
    test_engine(&p);
    probe_release(&p);
    test_diverged();
    make_corpus(&corpus, 120);
    test_learns(&corpus);
    test_goes_on(&corpus);
    test_stops(&corpus);
    test_corpora(&corpus);
    test_cuda();
    lm_corpus_release(&corpus);
    fs_remove_tree(folder);
    return tap_done();
}
