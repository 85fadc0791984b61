/* Training steps on a CUDA device: the mathematics of lm/model.h, arranged for latency.
 *
 * A step of truncated back-propagation has little arithmetic per time step and many of those in a
 * row; so launches are what costs. Therefore the whole step, from the tokens to Adam, is recorded
 * once as a graph and replayed; tokens, rate and bias corrections come through one small copy from
 * a ring of pinned buffers, and nothing waits for the device unless a loss is asked for.
 *
 * Everything that has no recurrence is one product over all T time steps (the layer above's input,
 * logits, gradients of weights; the gradient of the table is a product with a one-hot matrix, which
 * needs no atomics). What recurs, h(t-1) . inner, is done one of two ways:
 *
 *   launches     a cuBLAS product and a kernel for the gates, per time step
 *   persistent   one kernel for many time steps (H is 128, 256 or 512). A block has 16 units and
 *                some tiles of 16 sequences; its slice of `inner` stays in registers as operands of
 *                the tensor cores, h goes round through the L2 cache, and blocks with the same
 *                sequences meet at a barrier after each time step
 *
 * Layers overlap: time is cut into chunks, and layer 1 does chunk k while layer 0 does chunk k + 1.
 *
 * Weights, moments, states and gradients are floats. Operands of products are halves by default,
 * with float sums: 11 bits like TF32, at twice the rate. Gradients on the way back are multiplied
 * by SCALE (and not divided by the number of tokens before the end), so that halves can hold them.
 * No sum depends on the order of execution: the same steps give the same weights.
 *
 * $ASSAY_CUDA, words with commas between: half, bfloat, tf32 or float (operands); launches or
 * persistent; chunk=N (time steps); loose (persistent kernels are not launched as cooperative). */
#define _Noreturn [[noreturn]] /* a word of C in base/error.h */
extern "C" {
#include "lm/engine.h"
}

#include <cublas_v2.h>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "lm/cuda_kernels.cuh"

enum {
    RING = 4,            /* steps that the host may be ahead */
    MOST_LAYERS = 8,     /* one stream each */
    MOST_PARTS = 128,    /* allocations */
    WORKSPACE = 32 << 20 /* bytes, for each cuBLAS handle */
};

enum precision { OPERAND_HALF, OPERAND_BFLOAT, OPERAND_TF32, OPERAND_FLOAT };

struct choices {
    enum precision precision;
    bool persistent;
    bool cooperative;
    int chunk; /* time steps; 0: as seems good */
};

struct cuda_engine {
    struct lm_engine base;
    struct choices how;
    struct lm_shape shape;
    struct lm_layout at;
    int multiprocessors;
    int padded;        /* V, rounded up to 8: rows of logits begin at 16 bytes */
    size_t wide;       /* bytes of an operand */
    int64_t all_steps; /* Adam's t */
    int64_t n_losses;  /* steps since `losses` */
    int64_t fed;       /* steps that went into the ring */
    bool trained;      /* there is a gradient */
    char problem[320]; /* the first call that failed; "": none */

    cudaStream_t streams[MOST_LAYERS]; /* [0] is the one all begins and ends in */
    cudaStream_t side;                 /* what nobody waits for before Adam */
    cublasHandle_t handles[MOST_LAYERS + 1];
    cudaEvent_t link;
    cudaGraphExec_t train, look; /* with gradient and Adam; forward only */

    unsigned char *pinned[RING];
    cudaEvent_t copied[RING];
    size_t feed_size;
    void *parts[MOST_PARTS];
    int n_parts;

    /* on the device */
    unsigned char *feed;               /* in (T, B), target (T, B), struct orders */
    float *weights, *m, *v, *gradient; /* at.total each */
    void *operands;                    /* the weights as X; the weights themselves for floats */
    void *h[MOST_LAYERS], *dz[MOST_LAYERS];
    float *c[MOST_LAYERS], *gates[MOST_LAYERS], *below[MOST_LAYERS];
    float *h_last[MOST_LAYERS], *dh[MOST_LAYERS], *dc[MOST_LAYERS];
    float *recurrent[MOST_LAYERS]; /* (B, 4H): launches only */
    float *logits;                 /* (N, padded) */
    void *dlogits, *one_hot;       /* (N, padded) */
    float *row_losses;             /* (N) */
    double *loss;                  /* [0] of the last step, [1] sum since `losses` */
    double *partials;              /* (PARTIALS) */
    unsigned *barriers;            /* [chunk, both ways][layer][group] */
    size_t n_barriers;
};

/* -- errors: the first one is kept, and told by whoever can ------------------------------------ */

static void note(struct cuda_engine *g, cudaError_t result, const char *what)
{
    if (result != cudaSuccess && !g->problem[0])
        snprintf(g->problem, sizeof g->problem, "%s: %s", what, cudaGetErrorString(result));
}

static void note_blas(struct cuda_engine *g, cublasStatus_t result, const char *what)
{
    if (result != CUBLAS_STATUS_SUCCESS && !g->problem[0])
        snprintf(g->problem, sizeof g->problem, "%s: %s", what, cublasGetStatusString(result));
}

#define TRY(call) note(g, (call), #call)

static int verdict(struct cuda_engine *g, struct error *e)
{
    if (!g->problem[0])
        return 0;
    return error_set(e, ERROR_ENVIRONMENT, "CUDA: %.300s", g->problem);
}

static int verdict_on_loss(struct cuda_engine *g, double loss, struct error *e)
{
    if (g->problem[0] || std::isfinite(loss))
        return verdict(g, e);
    return error_set(e, ERROR_USAGE, "the training has diverged: begin anew with a lower rate");
}

/* -- recording a step -------------------------------------------------------------------------- */

template <class... P, class... A>
static void launch(struct cuda_engine *g, cudaStream_t stream, dim3 grid, int threads, int memory,
                   bool cooperative, void (*kernel)(P...), A... arguments)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3((unsigned)threads);
    config.dynamicSmemBytes = (size_t)memory;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = cooperative;
    note(g, cudaLaunchKernelEx(&config, kernel, (P)arguments...), "launch of a kernel");
}

static dim3 blocks_for(size_t n, size_t threads, size_t most)
{
    size_t blocks = (n + threads - 1) / threads;
    return dim3((unsigned)(blocks < most ? blocks : most));
}

/* What is in `from` now is done before what comes into `to`. */
static void after(struct cuda_engine *g, cudaStream_t from, cudaStream_t to)
{
    if (from == to)
        return;
    TRY(cudaEventRecord(g->link, from));
    TRY(cudaStreamWaitEvent(to, g->link, 0));
}

static cudaDataType operand_type(const struct cuda_engine *g)
{
    return g->how.precision == OPERAND_HALF     ? CUDA_R_16F
           : g->how.precision == OPERAND_BFLOAT ? CUDA_R_16BF
                                                : CUDA_R_32F;
}

/* What is written for any type of operands, called for the engine's. */
#define WITH_OPERANDS(g, f, ...)                                                                   \
    ((g)->how.precision == OPERAND_HALF     ? f<__half>(__VA_ARGS__)                               \
     : (g)->how.precision == OPERAND_BFLOAT ? f<__nv_bfloat16>(__VA_ARGS__)                        \
                                            : f<float>(__VA_ARGS__))

/* A matrix, row by row; `turned`: it is used transposed. */
struct matrix {
    const void *at;
    int stride;
    bool turned;
};

/* out (rows, columns) = factor * a (rows, depth) . b (depth, columns). cuBLAS goes column by
 * column, so it is told to compute the transposed product. */
static void multiply(struct cuda_engine *g, int stream, int rows, int columns, int depth,
                     float factor, struct matrix a, struct matrix b, float *out, int stride)
{
    const float zero = 0;
    cudaDataType type = operand_type(g);
    cublasComputeType_t compute =
        g->how.precision == OPERAND_TF32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    note_blas(g,
              cublasGemmEx(g->handles[stream], b.turned ? CUBLAS_OP_T : CUBLAS_OP_N,
                           a.turned ? CUBLAS_OP_T : CUBLAS_OP_N, columns, rows, depth, &factor,
                           b.at, type, b.stride, a.at, type, a.stride, &zero, out, CUDA_R_32F,
                           stride, compute, CUBLAS_GEMM_DEFAULT),
              "cublasGemmEx");
}

template <class X> static struct layer<X> layer_of(const struct cuda_engine *g, int l) {
    size_t wide = 4 * (size_t)g->shape.units;
    struct layer<X> r = {
    };
    r.in = l ? NULL : (const lm_token *)g->feed;
    r.table = g->weights + g->at.table;
    r.below = g->below[l];
    r.bias = g->weights + g->at.bias + wide * l;
    r.inner = (const X *)g->operands + g->at.inner + wide * g->shape.units * l;
    r.gates = g->gates[l];
    r.c = g->c[l];
    r.h = (X *)g->h[l];
    r.h_last = g->h_last[l];
    r.dh = g->dh[l];
    r.dc = g->dc[l];
    r.dz = (X *)g->dz[l];
    r.T = g->base.length;
    r.B = g->base.batch;
    r.H = g->shape.units;
    return r;
}

/* outer (4H, H) of layer l, from 1 on */
template <class X>
static const X *outer_of(const struct cuda_engine *g, int l)
{
    size_t size = 4 * (size_t)g->shape.units * g->shape.units;
    return (const X *)g->operands + g->at.outer + size * (l - 1);
}

static int groups_of(const struct cuda_engine *g)
{
    int tiles = (g->base.batch + TILE - 1) / TILE;
    int beside = g->how.chunk < g->base.length ? g->shape.layers : 1;
    int most = g->multiprocessors / (g->shape.units / TILE) / beside;
    return most < tiles ? most : tiles;
}

/* Each chunk of each layer has its own counters, forward and backward. */
static unsigned *barriers_of(const struct cuda_engine *g, int l, int from, bool backward)
{
    size_t chunks = (size_t)((g->base.length + g->how.chunk - 1) / g->how.chunk);
    size_t number = ((size_t)l * 2 + backward) * chunks + (size_t)(from / g->how.chunk);
    return g->barriers + number * (size_t)groups_of(g) * BARRIER_STRIDE;
}

typedef void persistent_kernel(struct layer<__half>, int, int, unsigned *);

struct persistent {
    persistent_kernel *forward, *backward;
    int forward_memory, backward_memory; /* bytes */
};

/* NULLs: there is none for this number of units. */
static struct persistent persistent_for(int units)
{
    switch (units) {
    case 128:
        return {forward_steps<128>, backward_steps<128>, forward_memory<128>(),
                backward_memory<128>()};
    case 256:
        return {forward_steps<256>, backward_steps<256>, forward_memory<256>(),
                backward_memory<256>()};
    case 512:
        return {forward_steps<512>, backward_steps<512>, forward_memory<512>(),
                backward_memory<512>()};
    default:
        return {};
    }
}

static void record_persistent(struct cuda_engine *g, int l, int from, int to, bool backward)
{
    struct persistent p = persistent_for(g->shape.units);
    dim3 grid((unsigned)(g->shape.units / TILE), (unsigned)groups_of(g));
    launch(g, g->streams[l], grid, THREADS, backward ? p.backward_memory : p.forward_memory,
           g->how.cooperative, backward ? p.backward : p.forward, layer_of<__half>(g, l), from, to,
           barriers_of(g, l, from, backward));
}

/* Time steps from .. to - 1 of a layer. */
template <class X> static void record_forward(struct cuda_engine *g, int l, int from, int to)
{
    struct layer<X> y = layer_of<X>(g, l);
    int B = y.B, H = y.H, rows = (to - from) * B;
    size_t first = (size_t)from * B;
    if (l > 0) {
        struct matrix h = {(const X *)g->h[l - 1] + (first + B) * H, H, false};
        struct matrix outer = {outer_of<X>(g, l), H, true};
        multiply(g, l, rows, 4 * H, H, 1, h, outer, g->below[l] + first * 4 * H, 4 * H);
    }
    if (g->how.persistent) {
        record_persistent(g, l, from, to, false);
        return;
    }
    for (int t = from; t < to; t++) {
        struct matrix h = {y.h + (size_t)t * B * H, H, false}, inner = {y.inner, H, true};
        multiply(g, l, B, 4 * H, H, 1, h, inner, g->recurrent[l], 4 * H);
        launch(g, g->streams[l], blocks_for((size_t)B * H, 256, SIZE_MAX), 256, 0, false,
               forward_cells<X>, y, t, (const float *)g->recurrent[l]);
    }
}

template <class X> static void record_backward(struct cuda_engine *g, int l, int from, int to)
{
    struct layer<X> y = layer_of<X>(g, l);
    int B = y.B, H = y.H, rows = (to - from) * B;
    size_t first = (size_t)from * B;
    if (l + 1 < g->shape.layers) {
        struct matrix dz = {(const X *)g->dz[l + 1] + first * 4 * H, 4 * H, false};
        struct matrix outer = {outer_of<X>(g, l + 1), H, false};
        multiply(g, l, rows, H, 4 * H, 1, dz, outer, g->dh[l] + first * H, H);
    }
    if (g->how.persistent) {
        record_persistent(g, l, from, to, true);
        return;
    }
    for (int t = to - 1; t >= from; t--) {
        struct matrix dz = {y.dz + (size_t)(t + 1) * B * 4 * H, 4 * H, false};
        struct matrix inner = {y.inner, H, false};
        if (t < y.T - 1)
            multiply(g, l, B, H, 4 * H, 1, dz, inner, g->recurrent[l], H);
        launch(g, g->streams[l], blocks_for((size_t)B * H, 256, SIZE_MAX), 256, 0, false,
               backward_cells<X>, y, t, (const float *)g->recurrent[l]);
    }
}

/* Logits, losses and, for training, what goes back into the last layer. */
template <class X> static void record_output(struct cuda_engine *g, bool train)
{
    int last = g->shape.layers - 1, B = g->base.batch, N = g->base.length * B;
    int H = g->shape.units, V = g->shape.vocabulary;
    cudaStream_t stream = g->streams[last];
    struct matrix h = {(const X *)g->h[last] + (size_t)B * H, H, false};
    struct matrix out = {(const X *)g->operands + g->at.out, H, true};
    multiply(g, last, N, V, H, 1, h, out, g->logits, g->padded);
    launch(g, stream, blocks_for((size_t)N, 8, SIZE_MAX), 256, 0, false, softmax_rows<X>,
           (const float *)g->logits, (const float *)g->weights + g->at.out_bias,
           (const lm_token *)g->feed + N, N, V, g->padded, g->row_losses,
           train ? (X *)g->dlogits : (X *)NULL);
    after(g, stream, g->side);
    launch(g, g->side, dim3(1), 256, 0, false, sum_losses, (const float *)g->row_losses, N,
           g->loss);
    if (!train)
        return;
    struct matrix d = {g->dlogits, g->padded, false};
    out.turned = false;
    multiply(g, last, N, H, V, 1, d, out, g->dh[last], H);

    float factor = 1 / (SCALE * (float)N);
    d.turned = true;
    multiply(g, MOST_LAYERS, V, H, N, factor, d, h, g->gradient + g->at.out, H);
    launch(g, g->side, blocks_for((size_t)V, 32, SIZE_MAX), 1024, 0, false, sum_columns<X>,
           (const X *)g->dlogits, N, V, g->padded, factor, g->gradient + g->at.out_bias);
}

/* Gradients of a layer's weights, beside what the layer below does. */
template <class X> static void record_gradients(struct cuda_engine *g, int l)
{
    int B = g->base.batch, N = g->base.length * B, H = g->shape.units;
    float factor = 1 / (SCALE * (float)N);
    size_t wide = 4 * (size_t)H;
    struct matrix dz = {g->dz[l], 4 * H, true}, plain = {g->dz[l], 4 * H, false};
    struct matrix before = {g->h[l], H, false}, hot = {g->one_hot, g->padded, true};
    after(g, g->streams[l], g->side);
    multiply(g, MOST_LAYERS, 4 * H, H, N, factor, dz, before,
             g->gradient + g->at.inner + wide * H * l, H);
    if (l > 0) {
        struct matrix below = {(const X *)g->h[l - 1] + (size_t)B * H, H, false};
        multiply(g, MOST_LAYERS, 4 * H, H, N, factor, dz, below,
                 g->gradient + g->at.outer + wide * H * (l - 1), H);
    } else {
        /* the end of the way: on the layer's own stream, beside the other */
        multiply(g, 0, g->shape.vocabulary, 4 * H, N, factor, hot, plain, g->gradient + g->at.table,
                 4 * H);
    }
    launch(g, g->side, blocks_for(wide, 32, SIZE_MAX), 1024, 0, false, sum_columns<X>,
           (const X *)g->dz[l], N, 4 * H, 4 * H, factor, g->gradient + g->at.bias + wide * l);
}

template <class X> static void record_update(struct cuda_engine *g)
{
    cudaStream_t stream = g->streams[0];
    size_t tokens = 2 * (size_t)g->base.length * g->base.batch * sizeof(lm_token);
    launch(g, stream, dim3(PARTIALS), 256, 0, false, sum_squares, (const float *)g->gradient,
           g->at.total, g->partials);
    launch(g, stream, blocks_for(g->at.total, 256, 2048), 256, 0, false, adam<X>,
           (const struct orders *)(g->feed + tokens), (const double *)g->partials,
           (const float *)g->gradient, g->at.total, g->weights, g->m, g->v,
           g->operands == g->weights ? (X *)NULL : (X *)g->operands);
}

/* Slot T to slot 0. */
static void record_carry(struct cuda_engine *g)
{
    size_t n = (size_t)g->base.batch * g->shape.units, T = (size_t)g->base.length;
    for (int l = 0; l < g->shape.layers; l++) {
        TRY(cudaMemcpyAsync(g->c[l], g->c[l] + T * n, n * sizeof(float), cudaMemcpyDeviceToDevice,
                            g->side));
        TRY(cudaMemcpyAsync(g->h[l], (char *)g->h[l] + T * n * g->wide, n * g->wide,
                            cudaMemcpyDeviceToDevice, g->side));
    }
}

/* The whole step, in the order of the data's way. */
template <class X> static void record_step(struct cuda_engine *g, bool train)
{
    int L = g->shape.layers, T = g->base.length, chunk = g->how.chunk;
    if (g->barriers)
        TRY(cudaMemsetAsync(g->barriers, 0, g->n_barriers * sizeof(unsigned), g->streams[0]));
    for (int l = 1; l < L; l++)
        after(g, g->streams[0], g->streams[l]);
    after(g, g->streams[0], g->side);
    size_t N = (size_t)T * g->base.batch;
    if (train)
        launch(g, g->side, blocks_for(N * g->padded, 256, 1024), 256, 0, false, one_hot_rows<X>,
               (const lm_token *)g->feed, N, g->padded, (X *)g->one_hot);
    for (int t = 0; t < T; t += chunk)
        for (int l = 0; l < L; l++) {
            record_forward<X>(g, l, t, t + chunk < T ? t + chunk : T);
            if (l + 1 < L)
                after(g, g->streams[l], g->streams[l + 1]);
        }
    after(g, g->side, g->streams[L - 1]); /* the one-hot rows */
    record_output<X>(g, train);
    for (int t = (T - 1) / chunk * chunk; train && t >= 0; t -= chunk)
        for (int l = L - 1; l >= 0; l--) {
            record_backward<X>(g, l, t, t + chunk < T ? t + chunk : T);
            if (l > 0)
                after(g, g->streams[l], g->streams[l - 1]);
            if (t == 0)
                record_gradients<X>(g, l);
        }
    for (int l = 1; l < L; l++)
        after(g, g->streams[l], g->streams[0]);
    after(g, g->side, g->streams[0]);
    after(g, g->streams[0], g->side);
    if (train)
        record_update<X>(g);
    record_carry(g);
    after(g, g->side, g->streams[0]);
}

static void record(struct cuda_engine *g, bool train, cudaGraphExec_t *out)
{
    cudaGraph_t graph = NULL;
    TRY(cudaStreamBeginCapture(g->streams[0], cudaStreamCaptureModeRelaxed));
    if (g->problem[0])
        return;
    WITH_OPERANDS(g, record_step, g, train);
    TRY(cudaStreamEndCapture(g->streams[0], &graph));
    if (graph && !g->problem[0])
        TRY(cudaGraphInstantiate(out, graph, 0));
    if (graph)
        cudaGraphDestroy(graph);
}

/* -- the engine -------------------------------------------------------------------------------- */

static int check_tokens(const struct cuda_engine *g, const struct lm_step *s, struct error *e)
{
    size_t n = (size_t)g->base.batch * g->base.length;
    for (size_t k = 0; k < n; k++)
        if (s->in[k] >= g->shape.vocabulary || s->target[k] >= g->shape.vocabulary)
            return error_set(e, ERROR_USAGE, "token %d is not one of the model's %d",
                             s->in[k] >= g->shape.vocabulary ? s->in[k] : s->target[k],
                             g->shape.vocabulary);
    return 0;
}

/* Tokens and orders into the ring and on their way to the device. */
static void feed(struct cuda_engine *g, const struct lm_step *s)
{
    int slot = (int)(g->fed % RING);
    size_t n = (size_t)g->base.batch * g->base.length;
    if (g->fed++ >= RING)
        TRY(cudaEventSynchronize(g->copied[slot]));
    struct orders o = {s->rate, s->clip, 1, 1};
    double t = (double)(g->all_steps + 1);
    o.fix_m = (float)(1 / (1 - pow(0.9, t)));
    o.fix_v = (float)(1 / (1 - pow(0.999, t)));
    unsigned char *to = g->pinned[slot];
    memcpy(to, s->in, n * sizeof(lm_token));
    memcpy(to + n * sizeof(lm_token), s->target, n * sizeof(lm_token));
    memcpy(to + 2 * n * sizeof(lm_token), &o, sizeof o);
    TRY(cudaMemcpyAsync(g->feed, to, g->feed_size, cudaMemcpyHostToDevice, g->streams[0]));
    TRY(cudaEventRecord(g->copied[slot], g->streams[0]));
}

static int cuda_step(struct lm_engine *base, const struct lm_step *s, double *loss, struct error *e)
{
    struct cuda_engine *g = (struct cuda_engine *)base;
    bool train = s->rate > 0;
    if (check_tokens(g, s, e))
        return -1;
    feed(g, s);
    if (!g->problem[0])
        TRY(cudaGraphLaunch(train ? g->train : g->look, g->streams[0]));
    g->all_steps += train;
    g->trained |= train;
    g->n_losses++;
    if (loss && !g->problem[0]) {
        TRY(cudaMemcpyAsync(loss, g->loss, sizeof *loss, cudaMemcpyDeviceToHost, g->streams[0]));
        TRY(cudaStreamSynchronize(g->streams[0]));
        return verdict_on_loss(g, *loss, e);
    }
    return verdict(g, e);
}

static int cuda_losses(struct lm_engine *base, double *sum, int64_t *steps, struct error *e)
{
    struct cuda_engine *g = (struct cuda_engine *)base;
    TRY(cudaMemcpyAsync(sum, g->loss + 1, sizeof *sum, cudaMemcpyDeviceToHost, g->streams[0]));
    TRY(cudaMemsetAsync(g->loss + 1, 0, sizeof *sum, g->streams[0]));
    TRY(cudaStreamSynchronize(g->streams[0]));
    *steps = g->n_losses;
    g->n_losses = 0;
    return verdict_on_loss(g, *sum, e);
}

static int cuda_reset(struct lm_engine *base, struct error *e)
{
    struct cuda_engine *g = (struct cuda_engine *)base;
    size_t n = (size_t)g->base.batch * g->shape.units;
    for (int l = 0; l < g->shape.layers; l++) {
        TRY(cudaMemsetAsync(g->c[l], 0, n * sizeof(float), g->streams[0]));
        TRY(cudaMemsetAsync(g->h_last[l], 0, n * sizeof(float), g->streams[0]));
        TRY(cudaMemsetAsync(g->h[l], 0, n * g->wide, g->streams[0]));
    }
    return verdict(g, e);
}

static void copy_out(struct cuda_engine *g, float *to, const float *from, size_t n)
{
    TRY(cudaMemcpyAsync(to, from, n * sizeof *to, cudaMemcpyDeviceToHost, g->streams[0]));
}

static int cuda_fetch(struct lm_engine *base, struct lm_model *m, struct error *e)
{
    struct cuda_engine *g = (struct cuda_engine *)base;
    size_t n = (size_t)g->base.batch * g->shape.units, total = g->at.total;
    if (m->at.total != total || m->shape.units != g->shape.units)
        return error_set(e, ERROR_USAGE, "this model has another shape than the one in training");
    lm_model_reserve(m, g->base.batch);
    copy_out(g, m->weights, g->weights, total);
    copy_out(g, m->m, g->m, total);
    copy_out(g, m->v, g->v, total);
    for (int l = 0; l < g->shape.layers; l++) {
        copy_out(g, m->state + 2 * n * l, g->h_last[l], n);
        copy_out(g, m->state + 2 * n * l + n, g->c[l], n);
    }
    TRY(cudaStreamSynchronize(g->streams[0]));
    m->progress.all_steps = g->all_steps;
    return verdict(g, e);
}

static int cuda_gradient(struct lm_engine *base, float *out, struct error *e)
{
    struct cuda_engine *g = (struct cuda_engine *)base;
    if (!g->trained)
        return error_set(e, ERROR_USAGE, "there was no step with a gradient");
    copy_out(g, out, g->gradient, g->at.total);
    TRY(cudaStreamSynchronize(g->streams[0]));
    return verdict(g, e);
}

static void cuda_close(struct lm_engine *base)
{
    struct cuda_engine *g = (struct cuda_engine *)base;
    if (!g)
        return;
    if (g->streams[0])
        cudaStreamSynchronize(g->streams[0]);
    if (g->train)
        cudaGraphExecDestroy(g->train);
    if (g->look)
        cudaGraphExecDestroy(g->look);
    for (int k = 0; k <= MOST_LAYERS; k++)
        if (g->handles[k])
            cublasDestroy(g->handles[k]);
    for (int k = 0; k < MOST_LAYERS; k++)
        if (g->streams[k])
            cudaStreamDestroy(g->streams[k]);
    if (g->side)
        cudaStreamDestroy(g->side);
    for (int k = 0; k < RING; k++) {
        if (g->copied[k])
            cudaEventDestroy(g->copied[k]);
        if (g->pinned[k])
            cudaFreeHost(g->pinned[k]);
    }
    if (g->link)
        cudaEventDestroy(g->link);
    for (int k = 0; k < g->n_parts; k++)
        cudaFree(g->parts[k]);
    free(g);
}

/* -- opening ----------------------------------------------------------------------------------- */

static int parse_choices(struct choices *c, struct error *e)
{
    const char *text = getenv("ASSAY_CUDA");
    *c = {OPERAND_HALF, true, true, 0};
    while (text && *text) {
        char word[32];
        size_t n = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        text += n + (text[n] == ',');
        if (!strcmp(word, "half"))
            c->precision = OPERAND_HALF;
        else if (!strcmp(word, "bfloat"))
            c->precision = OPERAND_BFLOAT;
        else if (!strcmp(word, "tf32"))
            c->precision = OPERAND_TF32;
        else if (!strcmp(word, "float"))
            c->precision = OPERAND_FLOAT;
        else if (!strcmp(word, "launches"))
            c->persistent = false;
        else if (!strcmp(word, "persistent"))
            c->persistent = true;
        else if (!strcmp(word, "loose"))
            c->cooperative = false;
        else if (!strncmp(word, "chunk=", 6) && atoi(word + 6) > 0)
            c->chunk = atoi(word + 6);
        else if (*word)
            return error_set(e, ERROR_USAGE,
                             "ASSAY_CUDA: %s is none of half, bfloat, tf32, float, "
                             "launches, persistent, chunk=N, loose",
                             word);
    }
    return 0;
}

/* Layers side by side, if each has enough multiprocessors; persistent kernels, if there are some
 * for these sizes and all their blocks can be resident at once. */
static void settle_choices(struct cuda_engine *g)
{
    struct persistent p = persistent_for(g->shape.units);
    int T = g->base.length;
    if (!g->how.chunk)
        g->how.chunk = g->shape.layers > 1 ? (T + 7) / 8 : T;
    if (g->how.chunk > T)
        g->how.chunk = T;
    g->how.persistent &= g->how.precision == OPERAND_HALF && p.forward && g->at.inner % 16 == 0;
    if (!g->how.persistent)
        return;
    if (groups_of(g) < 1)
        g->how.chunk = T;
    g->how.persistent = groups_of(g) >= 1;
    TRY(cudaFuncSetAttribute((const void *)p.forward, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             p.forward_memory));
    TRY(cudaFuncSetAttribute((const void *)p.backward, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             p.backward_memory));
}

/* Zeroed memory of the device that the engine frees. */
template <class Y> static void take(struct cuda_engine *g, Y **out, size_t bytes)
{
    void *part = NULL;
    if (g->problem[0])
        return;
    TRY(cudaMalloc(&part, bytes));
    if (!part)
        return;
    if (g->n_parts == MOST_PARTS)
        BUG("more than %d parts", MOST_PARTS);
    g->parts[g->n_parts++] = part;
    TRY(cudaMemset(part, 0, bytes));
    *out = (Y *)part;
}

static void take_all(struct cuda_engine *g)
{
    size_t B = (size_t)g->base.batch, T = (size_t)g->base.length, H = (size_t)g->shape.units;
    size_t N = B * T, total = g->at.total * sizeof(float), wide = g->wide;
    take(g, &g->feed, g->feed_size);
    take(g, &g->weights, total);
    take(g, &g->m, total);
    take(g, &g->v, total);
    take(g, &g->gradient, total);
    if (wide == sizeof(float))
        g->operands = g->weights;
    else
        take(g, &g->operands, g->at.total * wide);
    for (int l = 0; l < g->shape.layers; l++) {
        take(g, &g->h[l], (N + B) * H * wide);
        take(g, &g->c[l], (N + B) * H * sizeof(float));
        take(g, &g->h_last[l], B * H * sizeof(float));
        take(g, &g->gates[l], N * 4 * H * sizeof(float));
        take(g, &g->dz[l], N * 4 * H * wide);
        take(g, &g->dh[l], N * H * sizeof(float));
        take(g, &g->dc[l], B * H * sizeof(float));
        if (l)
            take(g, &g->below[l], N * 4 * H * sizeof(float));
        if (!g->how.persistent)
            take(g, &g->recurrent[l], B * 4 * H * sizeof(float));
    }
    take(g, &g->logits, N * (size_t)g->padded * sizeof(float));
    take(g, &g->dlogits, N * (size_t)g->padded * wide);
    take(g, &g->one_hot, N * (size_t)g->padded * wide);
    take(g, &g->row_losses, N * sizeof(float));
    take(g, &g->loss, 2 * sizeof(double));
    take(g, &g->partials, PARTIALS * sizeof(double));
    if (g->how.persistent) {
        size_t chunks = (T + (size_t)g->how.chunk - 1) / (size_t)g->how.chunk;
        g->n_barriers =
            2 * chunks * (size_t)g->shape.layers * (size_t)groups_of(g) * BARRIER_STRIDE;
        take(g, &g->barriers, g->n_barriers * sizeof(unsigned));
    }
    for (int k = 0; k < RING; k++) {
        TRY(cudaHostAlloc((void **)&g->pinned[k], g->feed_size, cudaHostAllocDefault));
        TRY(cudaEventCreateWithFlags(&g->copied[k], cudaEventDisableTiming));
    }
}

/* A handle with its own workspace for each stream: products are then the same whatever runs beside
 * them. What the layers do goes before what is done on the side. */
static void open_stream(struct cuda_engine *g, cudaStream_t *stream, int handle, int priority)
{
    void *workspace = NULL;
    if (g->problem[0])
        return;
    TRY(cudaStreamCreateWithPriority(stream, cudaStreamNonBlocking, priority));
    take(g, &workspace, WORKSPACE);
    note_blas(g, cublasCreate(&g->handles[handle]), "cublasCreate");
    if (g->problem[0])
        return;
    note_blas(g, cublasSetStream(g->handles[handle], *stream), "cublasSetStream");
    note_blas(g, cublasSetWorkspace(g->handles[handle], workspace, WORKSPACE),
              "cublasSetWorkspace");
}

static void copy_in(struct cuda_engine *g, float *to, const float *from, size_t n)
{
    if (from && !g->problem[0])
        TRY(cudaMemcpy(to, from, n * sizeof *to, cudaMemcpyHostToDevice));
}

template <class X>
static void narrow_array(struct cuda_engine *g, const float *x, size_t n, void *out)
{
    if ((const void *)x != out)
        launch(g, g->streams[0], blocks_for(n, 256, 2048), 256, 0, false, narrow_all<X>, x, n,
               (X *)out);
}

template <class X> static void load_model(struct cuda_engine *g, const struct lm_model *m)
{
    size_t n = (size_t)g->base.batch * g->shape.units;
    copy_in(g, g->weights, m->weights, g->at.total);
    copy_in(g, g->m, m->m, g->at.total);
    copy_in(g, g->v, m->v, g->at.total);
    for (int l = 0; m->state && m->state_batch == g->base.batch && l < g->shape.layers; l++) {
        copy_in(g, g->h_last[l], m->state + 2 * n * l, n);
        copy_in(g, g->c[l], m->state + 2 * n * l + n, n);
    }
    if (g->problem[0])
        return;
    narrow_array<X>(g, g->weights, g->at.total, g->operands);
    for (int l = 0; l < g->shape.layers; l++)
        narrow_array<X>(g, g->h_last[l], n, g->h[l]);
    TRY(cudaStreamSynchronize(g->streams[0]));
}

static void open_device(struct cuda_engine *g, const struct lm_model *m)
{
    int low = 0, high = 0, device = 0;
    TRY(cudaGetDevice(&device));
    TRY(cudaDeviceGetAttribute(&g->multiprocessors, cudaDevAttrMultiProcessorCount, device));
    TRY(cudaDeviceGetStreamPriorityRange(&low, &high));
    if (g->problem[0])
        return;
    settle_choices(g);
    take_all(g);
    TRY(cudaEventCreateWithFlags(&g->link, cudaEventDisableTiming));
    for (int l = 0; l < g->shape.layers; l++)
        open_stream(g, &g->streams[l], l, high);
    open_stream(g, &g->side, MOST_LAYERS, low);
    if (g->problem[0])
        return;
    WITH_OPERANDS(g, load_model, g, m);
    if (!g->problem[0])
        record(g, true, &g->train);
    if (!g->problem[0])
        record(g, false, &g->look);
}

extern "C" int lm_cuda_engine_open(const struct lm_model *m, int batch, int length,
                                   struct lm_engine **out, struct error *e)
{
    int devices = 0;
    struct choices how;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 1)
        return error_set(e, ERROR_ENVIRONMENT, "there is no CUDA device, or no driver for it");
    if (m->shape.layers > MOST_LAYERS)
        return error_set(e, ERROR_USAGE, "at most %d layers can be trained with CUDA", MOST_LAYERS);
    if (parse_choices(&how, e))
        return -1;
    struct cuda_engine *g = (struct cuda_engine *)mem_alloc(sizeof *g);
    memset(g, 0, sizeof *g);
    g->base = {"cuda",      "cuBLAS",   batch,      length,        cuda_step,
               cuda_losses, cuda_reset, cuda_fetch, cuda_gradient, cuda_close};
    g->how = how;
    g->shape = m->shape;
    g->at = m->at;
    g->padded = (m->shape.vocabulary + 7) / 8 * 8;
    g->wide = how.precision == OPERAND_HALF || how.precision == OPERAND_BFLOAT ? 2 : 4;
    g->all_steps = m->progress.all_steps;
    g->feed_size = 2 * (size_t)batch * (size_t)length * sizeof(lm_token) + sizeof(struct orders);
    open_device(g, m);
    if (verdict(g, e)) {
        cuda_close(&g->base);
        return -1;
    }
    *out = &g->base;
    return 0;
}
