/* The reference engine: a training step on CBLAS, on one thread.
 *
 * Truncated back-propagation (the forward pass of T steps from the carried state, then back through
 * the same T steps), the norm of the gradient cut, Adam. Matrices are row by row, so that the
 * tokens of a step lie one after the other in time: what does not wait for the recurrence (the
 * input from the layer below, the output layer, every gradient of a weight) is one product over all
 * T * B rows, and only inner . h and its way back are done step by step. Layer 0 has no product for
 * its input at all: a token picks a row of the table.
 *
 *     z (T, B, 4H)   the gates before, then after their functions; in the way back their gradient
 *     h, c (T+1, B, H)   row 0 is the carried state, row t + 1 what step t leaves
 *     tc (T, B, H)   tanh(c), which the way back needs again
 *
 * The functions of the gates are loops over our own exp, which a compiler makes vectors of; with
 * libm's a step took 14 % longer. More than nine tenths of a step are in BLAS. One thread: the same
 * sums in the same order on each run. This is the one file that knows BLAS; it is a module of its
 * own (engine.c), because loading OpenBLAS costs every start of a program seven milliseconds. */
#include "lm/engine.h"

#include <cblas.h>
#include <math.h>

/* Vectors of this machine's width without a build of its own for it. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define VECTORS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTORS
#endif

/* OpenBLAS has it, other libraries have not. */
extern void openblas_set_num_threads(int n) __attribute__((weak));
extern char *openblas_get_corename(void) __attribute__((weak));

int lm_cpu_engine_open(const struct lm_model *m, int batch, int length, struct lm_engine **out,
                       struct error *e);

struct layer {
    float *z, *h, *c, *tc;
};

struct cpu {
    struct lm_engine engine; /* first: an engine is one of these */
    struct lm_shape shape;
    struct lm_layout at;
    float *weights, *gradient, *m, *v; /* at.total each */
    struct layer *layers;
    float *logits; /* (T, B, V): then their gradient */
    float *dh;     /* (T, B, H): gradient of a layer's outputs from above */
    float *back;   /* (B, H): from the step after it */
    float *dc;     /* (B, H) */
    int64_t all_steps;
    double loss_sum;
    int64_t loss_steps;
};

/* -- functions --------------------------------------------------------------------------------- */

/* e^x to within 2 units of the last place; x is cut to +-87. NaN becomes e^-87: what is not a
 * number shows in the loss, not here. x = k ln 2 + r with |r| <= ln 2 / 2, e^r by its Taylor
 * polynomial. */
static inline float exp_of(float x)
{
    const float round = 12582912.0f; /* 1.5 * 2^23: adding it rounds to whole numbers */
    x = x > -87.0f ? x : -87.0f;
    x = x < 87.0f ? x : 87.0f;
    float k = (x * 1.44269504f + round) - round;
    float r = (x - k * 0.693145752f) - k * 1.42860677e-6f;
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;
    int32_t bits = ((int32_t)k + 127) * (1 << 23);
    float power;
    memcpy(&power, &bits, sizeof power);
    return p * power;
}

static inline float sigmoid(float x)
{
    return 1 / (1 + exp_of(-x));
}

static inline float tanh_of(float x)
{
    return 2 / (1 + exp_of(-2 * x)) - 1;
}

/* -- forward ----------------------------------------------------------------------------------- */

/* One row of a batch: z (4H) becomes the gates' values; c, tc and h of this step. */
VECTORS static void cell(size_t H, float *restrict z, const float *restrict c_before,
                         float *restrict c, float *restrict tc, float *restrict h)
{
    for (size_t i = 0; i < H; i++) {
        float in = sigmoid(z[i]), forget = sigmoid(z[H + i]), value = tanh_of(z[2 * H + i]),
              out = sigmoid(z[3 * H + i]);
        float cell_now = forget * c_before[i] + in * value, squashed = tanh_of(cell_now);
        z[i] = in;
        z[H + i] = forget;
        z[2 * H + i] = value;
        z[3 * H + i] = out;
        c[i] = cell_now;
        tc[i] = squashed;
        h[i] = out * squashed;
    }
}

VECTORS static void add_rows(size_t n, float *restrict out, const float *restrict a,
                             const float *restrict b)
{
    for (size_t i = 0; i < n; i++)
        out[i] = a[i] + b[i];
}

/* out (rows, m) = beta * out + a (rows, k) . b' with b (m, k) */
static void times_transposed(size_t rows, size_t m, size_t k, const float *a, const float *b,
                             float beta, float *out)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, (int)rows, (int)m, (int)k, 1, a, (int)k, b,
                (int)k, beta, out, (int)m);
}

/* out (rows, m) = a (rows, k) . b with b (k, m) */
static void times(size_t rows, size_t m, size_t k, const float *a, const float *b, float *out)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)rows, (int)m, (int)k, 1, a, (int)k,
                b, (int)m, 0, out, (int)m);
}

/* out (m, k) = a' . b with a (rows, m), b (rows, k): the gradient of a weight */
static void outer_products(size_t rows, size_t m, size_t k, const float *a, const float *b,
                           float *out)
{
    cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, (int)m, (int)k, (int)rows, 1, a, (int)m, b,
                (int)k, 0, out, (int)k);
}

/* What comes into the gates from below and from the bias, for all steps. */
static void feed_layer(struct cpu *g, int l, const lm_token *in)
{
    size_t H = (size_t)g->shape.units, rows = (size_t)g->engine.batch * (size_t)g->engine.length,
           B = (size_t)g->engine.batch;
    const float *bias = g->weights + g->at.bias + (size_t)l * 4 * H;
    float *z = g->layers[l].z;
    if (l == 0) {
        for (size_t r = 0; r < rows; r++)
            add_rows(4 * H, z + r * 4 * H, g->weights + g->at.table + in[r] * 4 * H, bias);
        return;
    }
    for (size_t r = 0; r < rows; r++)
        memcpy(z + r * 4 * H, bias, 4 * H * sizeof *z);
    times_transposed(rows, 4 * H, H, g->layers[l - 1].h + B * H,
                     g->weights + g->at.outer + (size_t)(l - 1) * 4 * H * H, 1, z);
}

static void run_layer(struct cpu *g, int l)
{
    size_t H = (size_t)g->shape.units, B = (size_t)g->engine.batch, T = (size_t)g->engine.length;
    const struct layer *y = &g->layers[l];
    const float *inner = g->weights + g->at.inner + (size_t)l * 4 * H * H;
    for (size_t t = 0; t < T; t++) {
        times_transposed(B, 4 * H, H, y->h + t * B * H, inner, 1, y->z + t * B * 4 * H);
        for (size_t b = 0; b < B; b++) {
            size_t row = t * B + b;
            cell(H, y->z + row * 4 * H, y->c + row * H, y->c + (row + B) * H, y->tc + row * H,
                 y->h + (row + B) * H);
        }
    }
}

VECTORS static void exp_row(size_t n, float *restrict x, float most)
{
    for (size_t i = 0; i < n; i++)
        x[i] = exp_of(x[i] - most);
}

/* Logits to the gradient of the mean loss: softmax less one at the target. The row's loss. */
static double softmax_row(size_t V, float *row, lm_token target, float share)
{
    float most = row[0], wanted = row[target];
    double sum = 0;
    for (size_t i = 1; i < V; i++)
        most = row[i] > most ? row[i] : most;
    exp_row(V, row, most);
    for (size_t i = 0; i < V; i++)
        sum += (double)row[i];
    float scale = share / (float)sum;
    for (size_t i = 0; i < V; i++)
        row[i] *= scale;
    row[target] -= share;
    return log(sum) - (double)(wanted - most);
}

/* The mean loss in nats; logits hold their gradient afterwards. */
static double output(struct cpu *g, const lm_token *target)
{
    size_t H = (size_t)g->shape.units, V = (size_t)g->shape.vocabulary, B = (size_t)g->engine.batch,
           rows = B * (size_t)g->engine.length;
    double loss = 0;
    for (size_t r = 0; r < rows; r++)
        memcpy(g->logits + r * V, g->weights + g->at.out_bias, V * sizeof(float));
    times_transposed(rows, V, H, g->layers[g->shape.layers - 1].h + B * H, g->weights + g->at.out,
                     1, g->logits);
    for (size_t r = 0; r < rows; r++)
        loss += softmax_row(V, g->logits + r * V, target[r], 1 / (float)rows);
    return loss / (double)rows;
}

/* -- backward ---------------------------------------------------------------------------------- */

/* z: gates' values in, their gradient out. dc: that of c, from the step after in, to the step
 * before out. */
VECTORS static void cell_back(size_t H, float *restrict z, const float *restrict c_before,
                              const float *restrict tc, const float *restrict dh,
                              const float *restrict back, float *restrict dc)
{
    for (size_t i = 0; i < H; i++) {
        float in = z[i], forget = z[H + i], value = z[2 * H + i], out = z[3 * H + i];
        float d = dh[i] + back[i], t = tc[i];
        float dcell = dc[i] + d * out * (1 - t * t);
        z[i] = dcell * value * in * (1 - in);
        z[H + i] = dcell * c_before[i] * forget * (1 - forget);
        z[2 * H + i] = dcell * in * (1 - value * value);
        z[3 * H + i] = d * t * out * (1 - out);
        dc[i] = dcell * forget;
    }
}

VECTORS static void add_to(size_t n, float *restrict out, const float *restrict a)
{
    for (size_t i = 0; i < n; i++)
        out[i] += a[i];
}

static void output_back(struct cpu *g)
{
    size_t H = (size_t)g->shape.units, V = (size_t)g->shape.vocabulary, B = (size_t)g->engine.batch,
           rows = B * (size_t)g->engine.length;
    const float *h = g->layers[g->shape.layers - 1].h + B * H;
    outer_products(rows, V, H, g->logits, h, g->gradient + g->at.out);
    for (size_t r = 0; r < rows; r++)
        add_to(V, g->gradient + g->at.out_bias, g->logits + r * V);
    times(rows, H, V, g->logits, g->weights + g->at.out, g->dh);
}

/* Gradients of the weights of a layer, from that of its gates. */
static void layer_gradients(struct cpu *g, int l, const lm_token *in)
{
    size_t H = (size_t)g->shape.units, B = (size_t)g->engine.batch,
           rows = B * (size_t)g->engine.length, matrix = 4 * H * H;
    const struct layer *y = &g->layers[l];
    float *bias = g->gradient + g->at.bias + (size_t)l * 4 * H;
    outer_products(rows, 4 * H, H, y->z, y->h, g->gradient + g->at.inner + (size_t)l * matrix);
    for (size_t r = 0; r < rows; r++) {
        add_to(4 * H, bias, y->z + r * 4 * H);
        if (l == 0)
            add_to(4 * H, g->gradient + g->at.table + in[r] * 4 * H, y->z + r * 4 * H);
    }
    if (l == 0)
        return;
    size_t outer = g->at.outer + (size_t)(l - 1) * matrix;
    outer_products(rows, 4 * H, H, y->z, g->layers[l - 1].h + B * H, g->gradient + outer);
    times(rows, H, 4 * H, y->z, g->weights + outer, g->dh);
}

static void layer_back(struct cpu *g, int l)
{
    size_t H = (size_t)g->shape.units, B = (size_t)g->engine.batch, T = (size_t)g->engine.length;
    const struct layer *y = &g->layers[l];
    const float *inner = g->weights + g->at.inner + (size_t)l * 4 * H * H;
    memset(g->back, 0, B * H * sizeof(float));
    memset(g->dc, 0, B * H * sizeof(float));
    for (size_t t = T; t-- > 0;) {
        for (size_t b = 0; b < B; b++) {
            size_t row = t * B + b;
            cell_back(H, y->z + row * 4 * H, y->c + row * H, y->tc + row * H, g->dh + row * H,
                      g->back + b * H, g->dc + b * H);
        }
        if (t > 0)
            times(B, H, 4 * H, y->z + t * B * 4 * H, inner, g->back);
    }
}

static void backward(struct cpu *g, const lm_token *in)
{
    /* The rest is written, not added to. */
    memset(g->gradient + g->at.table, 0, (g->at.inner - g->at.table) * sizeof(float));
    memset(g->gradient + g->at.out_bias, 0, (g->at.total - g->at.out_bias) * sizeof(float));
    output_back(g);
    for (int l = g->shape.layers - 1; l >= 0; l--) {
        layer_back(g, l);
        layer_gradients(g, l, in);
    }
}

/* -- update ------------------------------------------------------------------------------------ */

static double norm_of(const float *x, size_t n)
{
    double sums[8] = {0}, all = 0;
    for (size_t i = 0; i < n; i++)
        sums[i % 8] += (double)x[i] * (double)x[i];
    for (int i = 0; i < 8; i++)
        all += sums[i];
    return sqrt(all);
}

VECTORS static void adam(size_t n, float *restrict w, float *restrict m, float *restrict v,
                         const float *restrict gradient, float scale, float rate, float v_scale)
{
    for (size_t i = 0; i < n; i++) {
        float d = gradient[i] * scale;
        m[i] = 0.9f * m[i] + 0.1f * d;
        v[i] = 0.999f * v[i] + 0.001f * (d * d);
        w[i] -= rate * m[i] / (sqrtf(v[i] * v_scale) + 1e-8f);
    }
}

static int update(struct cpu *g, const struct lm_step *s, struct error *e)
{
    double norm = norm_of(g->gradient, g->at.total), t = (double)++g->all_steps;
    if (!isfinite(norm))
        return error_set(e, ERROR_USAGE,
                         "the training has diverged: start again with a lower rate");
    float scale = s->clip > 0 && norm > (double)s->clip ? (float)((double)s->clip / norm) : 1;
    adam(g->at.total, g->weights, g->m, g->v, g->gradient, scale,
         (float)((double)s->rate / (1 - pow(0.9, t))), (float)(1 / (1 - pow(0.999, t))));
    return 0;
}

/* -- the engine -------------------------------------------------------------------------------- */

/* What the last step left is where the next one begins. */
static void carry(struct cpu *g)
{
    size_t row = (size_t)g->engine.batch * (size_t)g->shape.units, T = (size_t)g->engine.length;
    for (int l = 0; l < g->shape.layers; l++) {
        memcpy(g->layers[l].h, g->layers[l].h + T * row, row * sizeof(float));
        memcpy(g->layers[l].c, g->layers[l].c + T * row, row * sizeof(float));
    }
}

static int step(struct lm_engine *engine, const struct lm_step *s, double *loss, struct error *e)
{
    struct cpu *g = (struct cpu *)engine;
    for (int l = 0; l < g->shape.layers; l++) {
        feed_layer(g, l, s->in);
        run_layer(g, l);
    }
    double now = output(g, s->target);
    if (!isfinite(now))
        return error_set(e, ERROR_USAGE,
                         "the training has diverged: start again with a lower rate");
    g->loss_sum += now;
    g->loss_steps++;
    if (loss)
        *loss = now;
    if (s->rate > 0) {
        backward(g, s->in);
        if (update(g, s, e))
            return -1;
    }
    carry(g);
    return 0;
}

static int losses(struct lm_engine *engine, double *sum, int64_t *steps, struct error *e)
{
    struct cpu *g = (struct cpu *)engine;
    (void)e;
    *sum = g->loss_sum;
    *steps = g->loss_steps;
    g->loss_sum = 0;
    g->loss_steps = 0;
    return 0;
}

static int reset(struct lm_engine *engine, struct error *e)
{
    struct cpu *g = (struct cpu *)engine;
    size_t row = (size_t)g->engine.batch * (size_t)g->shape.units;
    (void)e;
    for (int l = 0; l < g->shape.layers; l++) {
        memset(g->layers[l].h, 0, row * sizeof(float));
        memset(g->layers[l].c, 0, row * sizeof(float));
    }
    return 0;
}

/* The carried state from the model, or into it. */
static void move_state(struct cpu *g, float *state, bool out)
{
    size_t row = (size_t)g->engine.batch * (size_t)g->shape.units;
    for (int l = 0; l < g->shape.layers; l++) {
        float *own[2] = {g->layers[l].h, g->layers[l].c};
        for (int i = 0; i < 2; i++, state += row)
            memcpy(out ? state : own[i], out ? own[i] : state, row * sizeof(float));
    }
}

static int fetch(struct lm_engine *engine, struct lm_model *m, struct error *e)
{
    struct cpu *g = (struct cpu *)engine;
    size_t size = g->at.total * sizeof(float);
    (void)e;
    lm_model_reserve(m, g->engine.batch);
    memcpy(m->weights, g->weights, size);
    memcpy(m->m, g->m, size);
    memcpy(m->v, g->v, size);
    move_state(g, m->state, true);
    m->progress.all_steps = g->all_steps;
    return 0;
}

static int gradient(struct lm_engine *engine, float *out, struct error *e)
{
    struct cpu *g = (struct cpu *)engine;
    (void)e;
    memcpy(out, g->gradient, g->at.total * sizeof(float));
    return 0;
}

static void close_engine(struct lm_engine *engine)
{
    struct cpu *g = (struct cpu *)engine;
    float *const arrays[] = {g->weights, g->gradient, g->m, g->v, g->logits, g->dh, g->back, g->dc};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    for (int l = 0; l < g->shape.layers; l++) {
        free(g->layers[l].z);
        free(g->layers[l].h);
        free(g->layers[l].c);
        free(g->layers[l].tc);
    }
    free(g->layers);
    free(g);
}

static float *copy_of(const float *from, size_t n)
{
    float *p = lm_floats(n);
    if (from)
        memcpy(p, from, n * sizeof *p);
    return p;
}

static void make_arrays(struct cpu *g, const struct lm_model *m)
{
    size_t H = (size_t)g->shape.units, B = (size_t)g->engine.batch, T = (size_t)g->engine.length;
    g->weights = copy_of(m->weights, g->at.total);
    g->gradient = lm_floats(g->at.total);
    g->m = copy_of(m->m, g->at.total);
    g->v = copy_of(m->v, g->at.total);
    g->logits = lm_floats(T * B * (size_t)g->shape.vocabulary);
    g->dh = lm_floats(T * B * H);
    g->back = lm_floats(B * H);
    g->dc = lm_floats(B * H);
    g->layers = mem_alloc((size_t)g->shape.layers * sizeof *g->layers);
    for (int l = 0; l < g->shape.layers; l++)
        g->layers[l] = (struct layer){.z = lm_floats(T * B * 4 * H),
                                      .h = lm_floats((T + 1) * B * H),
                                      .c = lm_floats((T + 1) * B * H),
                                      .tc = lm_floats(T * B * H)};
}

int lm_cpu_engine_open(const struct lm_model *m, int batch, int length, struct lm_engine **out,
                       struct error *e)
{
    (void)e;
    struct cpu *g = mem_alloc(sizeof *g);
    REQUIRE(batch >= 1 && length >= 1);
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    *g = (struct cpu){.engine = {.name = "cpu",
                                 .kernels = openblas_get_corename ? openblas_get_corename() : NULL,
                                 .batch = batch,
                                 .length = length,
                                 .step = step,
                                 .losses = losses,
                                 .reset = reset,
                                 .fetch = fetch,
                                 .gradient = gradient,
                                 .close = close_engine},
                      .shape = m->shape,
                      .at = m->at,
                      .all_steps = m->progress.all_steps};
    make_arrays(g, m);
    if (m->state && m->state_batch == batch)
        move_state(g, m->state, false);
    *out = &g->engine;
    return 0;
}
