/* What runs on the device, for lm/cuda.cu: its story stands there. Included by it alone, behind the
 * headers of CUDA. */
#ifndef ASSAY_LM_CUDA_KERNELS_H
#define ASSAY_LM_CUDA_KERNELS_H

enum {
    TILE = 16,           /* sequences, and units, of a block in persistent kernels */
    THREADS = 512,       /* of a block in persistent kernels: 16 warps */
    CELLS = TILE * TILE, /* of a tile */
    PARTIALS = 512,      /* blocks that sum the squares of the gradient */
    BARRIER_STRIDE = 32, /* words from one barrier to the next: a cache line each */
};
static const float SCALE = 64;
static const float MOST_HALF = 65504;

/* What a step is told beside its tokens; behind them in the same copy. */
struct orders {
    float rate, clip;
    float fix_m, fix_v; /* Adam's bias corrections: 1 / (1 - beta^t) */
};

/* A layer as kernels see it. X is the type of operands. Slot t of h and c is what was before time
 * step t, so that slot 0 is carried over from the last step, and slot T to the next. */
template <class X> struct layer {
    const lm_token *in; /* (T, B); NULL but for layer 0 */
    const float *table; /* (V, 4H); layer 0 */
    const float *below; /* (T, B, 4H): outer . h of the layer below; NULL for layer 0 */
    const float *bias;  /* (4H) */
    const X *inner;     /* (4H, H) */
    float *gates;       /* (T, B, 4H): i, f, g, o, after their functions */
    float *c;           /* (T + 1, B, H) */
    X *h;               /* (T + 1, B, H) */
    float *h_last;      /* (B, H): slot T of h, not rounded */
    float *dh;          /* (T, B, H): from above; times B * T * SCALE, as dc and dz */
    float *dc;          /* (B, H): from the time step behind */
    X *dz;              /* (T, B, 4H) */
    int T, B, H;
};

/* -- cells ------------------------------------------------------------------------------------- */

__device__ static float widen(float x)
{
    return x;
}
__device__ static float widen(__half x)
{
    return __half2float(x);
}
__device__ static float widen(__nv_bfloat16 x)
{
    return __bfloat162float(x);
}
__device__ static void narrow(float x, float *out)
{
    *out = x;
}
/* A gradient that explodes must not become infinite: the norm would, and all weights with it. */
__device__ static void narrow(float x, __half *out)
{
    *out = __float2half_rn(fminf(fmaxf(x, -MOST_HALF), MOST_HALF));
}
__device__ static void narrow(float x, __nv_bfloat16 *out)
{
    *out = __float2bfloat16_rn(x);
}

__device__ static float sigmoid(float x)
{
    return 1 / (1 + expf(-x));
}

/* What a cell needs beside the recurrent product; loaded ahead of it. */
struct forward_cell {
    float z[4], c;
};

template <class X>
__device__ static struct forward_cell forward_load(const struct layer<X> &l, int t, int b, int u)
{
    struct forward_cell cell;
    size_t row = (size_t)t * l.B + b, wide = 4 * (size_t)l.H;
    const float *from = l.in ? l.table + l.in[row] * wide : l.below + row * wide;
    for (int k = 0; k < 4; k++)
        cell.z[k] = from[k * l.H + u] + l.bias[k * l.H + u];
    cell.c = l.c[row * l.H + u];
    return cell;
}

template <class X>
__device__ static void forward_finish(const struct layer<X> &l, int t, int b, int u,
                                      const struct forward_cell &cell, const float recurrent[4])
{
    size_t row = (size_t)t * l.B + b;
    float i = sigmoid(cell.z[0] + recurrent[0]), f = sigmoid(cell.z[1] + recurrent[1]);
    float a = tanhf(cell.z[2] + recurrent[2]), o = sigmoid(cell.z[3] + recurrent[3]);
    float c = f * cell.c + i * a, h = o * tanhf(c);
    float *gates = l.gates + row * 4 * l.H + u;
    gates[0] = i;
    gates[l.H] = f;
    gates[2 * l.H] = a;
    gates[3 * l.H] = o;
    size_t next = (row + l.B) * l.H + u;
    l.c[next] = c;
    narrow(h, &l.h[next]);
    if (t == l.T - 1)
        l.h_last[(size_t)b * l.H + u] = h;
}

struct backward_cell {
    float i, f, a, o, c, c_before, dh, dc;
};

template <class X>
__device__ static struct backward_cell backward_load(const struct layer<X> &l, int t, int b, int u)
{
    struct backward_cell cell;
    size_t row = (size_t)t * l.B + b;
    const float *gates = l.gates + row * 4 * l.H + u;
    cell.i = gates[0];
    cell.f = gates[l.H];
    cell.a = gates[2 * l.H];
    cell.o = gates[3 * l.H];
    cell.c = l.c[(row + l.B) * l.H + u];
    cell.c_before = l.c[row * l.H + u];
    cell.dh = l.dh[row * l.H + u];
    cell.dc = t == l.T - 1 ? 0 : l.dc[(size_t)b * l.H + u];
    return cell;
}

template <class X>
__device__ static void backward_finish(const struct layer<X> &l, int t, int b, int u,
                                       const struct backward_cell &cell, float recurrent)
{
    size_t row = (size_t)t * l.B + b;
    float tc = tanhf(cell.c), dh = cell.dh + recurrent;
    float dc = cell.dc + dh * cell.o * (1 - tc * tc);
    X *dz = l.dz + row * 4 * l.H + u;
    narrow(dc * cell.a * cell.i * (1 - cell.i), &dz[0]);
    narrow(dc * cell.c_before * cell.f * (1 - cell.f), &dz[l.H]);
    narrow(dc * cell.i * (1 - cell.a * cell.a), &dz[2 * l.H]);
    narrow(dh * tc * cell.o * (1 - cell.o), &dz[3 * l.H]);
    l.dc[(size_t)b * l.H + u] = dc * cell.f;
}

/* -- the recurrence by launches ---------------------------------------------------------------- */

/* The cell of this thread: unit `u` of stream `b`. False: there is none left for it. */
template <class X> __device__ static bool own_cell(const struct layer<X> &l, int *b, int *u)
{
    int k = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    *b = k / l.H;
    *u = k % l.H;
    return *b < l.B;
}

/* recurrent: (B, 4H) */
template <class X>
__global__ static void forward_cells(struct layer<X> l, int t, const float *recurrent)
{
    int b, u;
    if (!own_cell(l, &b, &u))
        return;
    struct forward_cell cell = forward_load(l, t, b, u);
    float z[4];
    for (int gate = 0; gate < 4; gate++)
        z[gate] = recurrent[(size_t)b * 4 * l.H + gate * l.H + u];
    forward_finish(l, t, b, u, cell, z);
}

/* recurrent: (B, H) */
template <class X>
__global__ static void backward_cells(struct layer<X> l, int t, const float *recurrent)
{
    int b, u;
    if (!own_cell(l, &b, &u))
        return;
    struct backward_cell cell = backward_load(l, t, b, u);
    backward_finish(l, t, b, u, cell, t == l.T - 1 ? 0 : recurrent[(size_t)b * l.H + u]);
}

/* -- the recurrence in one kernel -------------------------------------------------------------- */

/* Blocks of a group have written something: `arrive` publishes it, `await` returns when so many
 * arrivals were seen. Counters are zeroed before the step; every block of the grid is resident. */
__device__ static void arrive(unsigned *barrier)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*barrier);
        count.fetch_add(1, cuda::memory_order_release);
    }
}

__device__ static void await(unsigned *barrier, unsigned arrivals)
{
    if (threadIdx.x == 0) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> count(*barrier);
        while (count.load(cuda::memory_order_acquire) < arrivals)
            ;
        __threadfence();
    }
    __syncthreads();
}

/* 16 bytes past the L1 cache, which does not see what other multiprocessors write. */
__device__ static void stage(__half *to, const __half *from, bool there)
{
    uint4 none = {0, 0, 0, 0};
    *(uint4 *)to = there ? __ldcg((const uint4 *)from) : none;
}

using operand_a =
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, __half, nvcuda::wmma::row_major>;
using sum_tile = nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float>;

/* sums (16, 16) of a warp = rows (16, 16 * N) . w; `stride` from row to row, in halves. */
template <int N, class W>
__device__ static void multiply_tile(float *sums, const __half *rows, int stride, const W *w)
{
    sum_tile sum;
    operand_a a;
    nvcuda::wmma::fill_fragment(sum, 0.0f);
#pragma unroll
    for (int k = 0; k < N; k++) {
        nvcuda::wmma::load_matrix_sync(a, rows + 16 * k, (unsigned)stride);
        nvcuda::wmma::mma_sync(sum, a, w[k], sum);
    }
    nvcuda::wmma::store_matrix_sync(sums, sum, 16, nvcuda::wmma::mem_row_major);
}

template <int H> constexpr int forward_memory()
{
    return TILE * (H + 8) * 2 + THREADS / 32 * CELLS * 4;
}
template <int H> constexpr int backward_memory()
{
    return THREADS / 32 * TILE * (H / 4 + 8) * 2 + THREADS / 32 * CELLS * 4;
}

/* Time steps from .. to - 1. Grid: (H / 16, groups of tiles). Warp w has gate w / 4 and a quarter
 * of the sum over units, w % 4. */
template <int H>
__global__ static void __launch_bounds__(THREADS, 1)
    forward_steps(struct layer<__half> l, int from, int to, unsigned *barriers)
{
    extern __shared__ __align__(128) unsigned char memory[];
    __half *rows = (__half *)memory;                      /* (16, H + 8): h of a tile */
    float *sums = (float *)(memory + TILE * (H + 8) * 2); /* (warp, 16, 16) */
    int warp = threadIdx.x / 32, gate = warp / 4, part = warp % 4, first = blockIdx.x * TILE;
    unsigned *barrier = barriers + blockIdx.y * BARRIER_STRIDE;
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::col_major>
        w[H / 64];
#pragma unroll
    for (int k = 0; k < H / 64; k++)
        nvcuda::wmma::load_matrix_sync(
            w[k], l.inner + (size_t)(gate * H + first) * H + part * (H / 4) + 16 * k, H);

    for (int t = from; t < to; t++) {
        for (int tile = blockIdx.y; tile * TILE < l.B; tile += gridDim.y) {
            int b = tile * TILE + threadIdx.x / TILE, u = first + threadIdx.x % TILE;
            bool mine = threadIdx.x < CELLS && b < l.B;
            struct forward_cell cell = {};
            if (mine)
                cell = forward_load(l, t, b, u);
            if (tile == (int)blockIdx.y && t > from)
                await(barrier, gridDim.x * (unsigned)(t - from));
            for (int k = threadIdx.x; k < TILE * (H / 8); k += THREADS) {
                int r = k / (H / 8), at = k % (H / 8) * 8, s = tile * TILE + r;
                stage(rows + r * (H + 8) + at, l.h + ((size_t)t * l.B + s) * H + at, s < l.B);
            }
            __syncthreads();
            multiply_tile<H / 64>(sums + warp * CELLS, rows + part * (H / 4), H + 8, w);
            __syncthreads();
            if (mine) {
                float z[4];
                for (int k = 0; k < 4; k++) {
                    const float *own = sums + 4 * k * CELLS + threadIdx.x;
                    z[k] = own[0] + own[CELLS] + own[2 * CELLS] + own[3 * CELLS];
                }
                forward_finish(l, t, b, u, cell, z);
            }
        }
        arrive(barrier);
    }
}

/* Time steps to - 1 .. from. Warp w has a sixteenth of the sum over the 4H gates. */
template <int H>
__global__ static void __launch_bounds__(THREADS, 1)
    backward_steps(struct layer<__half> l, int from, int to, unsigned *barriers)
{
    extern __shared__ __align__(128) unsigned char memory[];
    enum { WARPS = THREADS / 32, STRIDE = H / 4 + 8 };
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.x * TILE;
    __half *rows = (__half *)memory + warp * TILE * STRIDE;      /* (16, H/4 + 8), of the warp */
    float *sums = (float *)(memory + WARPS * TILE * STRIDE * 2); /* (warp, 16, 16) */
    unsigned *barrier = barriers + blockIdx.y * BARRIER_STRIDE;
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, __half, nvcuda::wmma::row_major>
        w[H / 64];
#pragma unroll
    for (int k = 0; k < H / 64; k++)
        nvcuda::wmma::load_matrix_sync(w[k],
                                       l.inner + (size_t)(warp * (H / 4) + 16 * k) * H + first, H);

    for (int t = to - 1; t >= from; t--) {
        for (int tile = blockIdx.y; tile * TILE < l.B; tile += gridDim.y) {
            int b = tile * TILE + threadIdx.x / TILE, u = first + threadIdx.x % TILE;
            bool mine = threadIdx.x < CELLS && b < l.B, last = t == l.T - 1;
            struct backward_cell cell = {};
            if (mine)
                cell = backward_load(l, t, b, u);
            if (tile == (int)blockIdx.y && t < to - 1)
                await(barrier, gridDim.x * (unsigned)(to - 1 - t));
            for (int k = lane; k < TILE * (H / 32) && !last; k += 32) {
                int r = k / (H / 32), at = k % (H / 32) * 8, s = tile * TILE + r;
                stage(rows + r * STRIDE + at,
                      l.dz + ((size_t)(t + 1) * l.B + s) * 4 * H + warp * (H / 4) + at, s < l.B);
            }
            __syncwarp();
            if (!last)
                multiply_tile<H / 64>(sums + warp * CELLS, rows, STRIDE, w);
            __syncthreads();
            float sum = 0;
            for (int k = 0; k < WARPS && mine && !last; k++)
                sum += sums[k * CELLS + threadIdx.x];
            if (mine)
                backward_finish(l, t, b, u, cell, sum);
            __syncthreads(); /* sums are written again */
        }
        arrive(barrier);
    }
}

/* -- everything else --------------------------------------------------------------------------- */

__device__ static float warp_max(float x)
{
    for (int k = 16; k; k /= 2)
        x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, k));
    return x;
}

__device__ static float warp_sum(float x)
{
    for (int k = 16; k; k /= 2)
        x += __shfl_xor_sync(0xffffffffu, x, k);
    return x;
}

/* A warp for each row of logits (N, padded): its loss in nats, and with `d` its gradient, times
 * SCALE. */
template <class X>
__global__ static void softmax_rows(const float *logits, const float *bias, const lm_token *target,
                                    int rows, int V, int padded, float *losses, X *d)
{
    int row = (int)(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32), lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    const float *z = logits + (size_t)row * padded;
    float most = -INFINITY, sum = 0;
    for (int k = lane; k < V; k += 32)
        most = fmaxf(most, z[k] + bias[k]);
    most = warp_max(most);
    for (int k = lane; k < V; k += 32)
        sum += expf(z[k] + bias[k] - most);
    sum = warp_sum(sum);
    int right = target[row];
    if (lane == 0)
        losses[row] = logf(sum) + most - (z[right] + bias[right]);
    for (int k = lane; d && k < V; k += 32)
        narrow((expf(z[k] + bias[k] - most) / sum - (k == right ? 1.0f : 0.0f)) * SCALE,
               &d[(size_t)row * padded + k]);
}

/* part[] of a block of 256 to part[0] */
__device__ static void block_sum(double *part)
{
    __syncthreads();
    for (int k = 128; k; k /= 2) {
        if ((int)threadIdx.x < k)
            part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
}

/* One block: the mean of the losses, and the sum over steps. */
__global__ static void sum_losses(const float *losses, int n, double *out)
{
    __shared__ double part[256];
    double sum = 0;
    for (int k = threadIdx.x; k < n; k += 256)
        sum += losses[k];
    part[threadIdx.x] = sum;
    block_sum(part);
    if (threadIdx.x == 0) {
        out[0] = part[0] / n;
        out[1] += out[0];
    }
}

template <class X>
__global__ static void one_hot_rows(const lm_token *in, size_t rows, int padded, X *out)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < rows * padded; k += step)
        narrow(in[k / padded] == k % padded ? 1.0f : 0.0f, &out[k]);
}

/* A block for 32 columns; its 32 warps take every 32nd row. */
template <class X>
__global__ static void sum_columns(const X *x, int rows, int columns, int stride, float factor,
                                   float *out)
{
    __shared__ float part[32][33];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, column = (int)blockIdx.x * 32 + lane;
    float sum = 0;
    for (int k = warp; k < rows && column < columns; k += 32)
        sum += widen(x[(size_t)k * stride + column]);
    part[warp][lane] = sum;
    __syncthreads();
    sum = warp_sum(part[lane][warp]); /* turned: this warp sums the column `warp` */
    column = (int)blockIdx.x * 32 + warp;
    if (lane == 0 && column < columns)
        out[column] = sum * factor;
}

__global__ static void sum_squares(const float *x, size_t n, double *partials)
{
    __shared__ double part[256];
    double sum = 0;
    for (size_t k = (size_t)blockIdx.x * 256 + threadIdx.x; k < n; k += (size_t)PARTIALS * 256)
        sum += (double)x[k] * x[k];
    part[threadIdx.x] = sum;
    block_sum(part);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = part[0];
}

/* Every block sums the partial sums itself, in the same order; `operands` are the weights as X,
 * NULL for floats. */
template <class X>
__global__ static void adam(const struct orders *orders, const double *partials, const float *d,
                            size_t n, float *weights, float *m, float *v, X *operands)
{
    __shared__ double part[256];
    part[threadIdx.x] = partials[threadIdx.x] + partials[threadIdx.x + 256];
    block_sum(part);
    double norm = sqrt(part[0]);
    struct orders o = *orders;
    float cut = o.clip > 0 && norm > o.clip ? (float)(o.clip / norm) : 1.0f;
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += step) {
        float x = d[k] * cut;
        float first = m[k] = 0.9f * m[k] + 0.1f * x;
        float second = v[k] = 0.999f * v[k] + 0.001f * x * x;
        float w = weights[k] -= o.rate * (first * o.fix_m) / (sqrtf(second * o.fix_v) + 1e-8f);
        if (operands)
            narrow(w, &operands[k]);
    }
}

template <class X> __global__ static void narrow_all(const float *x, size_t n, X *out)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += step)
        narrow(x[k], &out[k]);
}

#endif
