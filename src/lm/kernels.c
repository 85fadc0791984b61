/* Three loops take the time of a sample: dot products (three quarters), gates (a tenth), and the
 * exponentials of a draw. The dot products are written with intrinsics: of the plain loop compilers
 * make code that takes three times as long as that for SSE2, the least of x86 units. The others are
 * in GNU C's vectors, from which a compiler makes what the unit has.
 *
 * Blocking: a group of rows (64 x H bytes, 32 KiB for 512 units) stays in the nearest caches while
 * all streams pass by, some at a time; that many times 64 sums are held in registers. Weights stay
 * bytes and are widened as they are loaded: a single stream is bound by how fast weights come from
 * the cache, and there are half as many bytes to come.
 *
 * The functions of the gates: exp(x) = 2^n * 2^f with n the nearest integer of x / ln 2 and a
 * polynomial for 2^f (Chebyshev's fit on [-0.5, 0.5], relative error 2e-7), sigmoid(x) = 1 / (1 +
 * exp(-x)), tanh(x) = 2 sigmoid(2x) - 1. libm's differ between its versions and processors. */
#include "lm/kernels.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

/* A product and a sum must not become one operation: the result would have one rounding less. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif
#ifdef __FAST_MATH__
#error "-ffast-math computes other floats on each machine"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "floats are computed as floats");

#define INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef float floats __attribute__((vector_size(4 * LM_LANES)));
typedef int32_t ints __attribute__((vector_size(4 * LM_LANES)));
typedef int16_t shorts __attribute__((vector_size(2 * LM_LANES)));
typedef int8_t bytes __attribute__((vector_size(LM_LANES)));

/* -- functions of lanes ------------------------------------------------------------------------ */

/* Vectors go in and out by address: how they would be passed depends on the unit. */

INLINE void load_floats(floats *v, const float *from)
{
    memcpy(v, from, sizeof *v);
}

INLINE void load_ints(floats *v, const int32_t *from)
{
    ints whole;
    memcpy(&whole, from, sizeof whole);
    *v = __builtin_convertvector(whole, floats);
}

INLINE void load_bytes(floats *v, const int8_t *from)
{
    bytes small;
    memcpy(&small, from, sizeof small);
    *v = __builtin_convertvector(__builtin_convertvector(small, ints), floats);
}

/* x, but from low to high. */
INLINE void clamp(floats *x, float low, float high)
{
    floats a = (floats){0} + low, b = (floats){0} + high;
    ints above = *x > a;
    *x = (floats)(((ints)*x & above) | ((ints)a & ~above));
    ints below = *x < b;
    *x = (floats)(((ints)*x & below) | ((ints)b & ~below));
}

/* Adding 1.5 * 2^23 rounds to an integer, ties to even, which then is in the low bits. */
#define ROUNDER 12582912.0f
enum { ROUNDER_BITS = 0x4b400000 };

/* -87 <= x <= 87: the result is a normal number. */
INLINE void exponential(floats *x)
{
    floats t = *x * 1.44269504089f;
    floats whole = t + ROUNDER;
    floats f = t - (whole - ROUNDER);
    ints n = (ints)whole - ROUNDER_BITS;
    floats p = f * 0.00133908633647f + 0.00967603191832f;
    p = p * f + 0.0555035711422f;
    p = p * f + 0.240221074853f;
    p = p * f + 0.693147188026f;
    p = p * f + 1.0f;
    *x = (floats)((ints)p + n * (1 << 23));
}

INLINE void sigmoid(floats *x)
{
    floats e = -*x;
    clamp(&e, -40, 40);
    exponential(&e);
    *x = 1.0f / (1.0f + e);
}

INLINE void hyperbolic_tangent(floats *x)
{
    *x *= 2.0f;
    sigmoid(x);
    *x = 2.0f * *x - 1.0f;
}

/* -- gates, logits, weights -------------------------------------------------------------------- */

/* Gate number g of 16 units before its function. */
INLINE void gate_sum(const struct lm_gates *a, int g, floats *z)
{
    int at = g * LM_LANES;
    floats from, inner, scale, bias;
    if (a->table) {
        load_bytes(&from, a->table + at);
        from *= a->table_scale;
    } else {
        load_ints(&from, a->outer + at);
        load_floats(&scale, a->outer_scale + at);
        from *= scale;
    }
    load_ints(&inner, a->inner + at);
    load_floats(&scale, a->inner_scale + at);
    inner *= scale;
    load_floats(&bias, a->bias + at);
    *z = (from + inner) + bias;
}

INLINE void gates(const struct lm_gates *a)
{
    floats in, forget, cell, out, c;
    gate_sum(a, 0, &in);
    gate_sum(a, 1, &forget);
    gate_sum(a, 2, &cell);
    gate_sum(a, 3, &out);
    load_floats(&c, a->c);
    sigmoid(&in);
    sigmoid(&forget);
    hyperbolic_tangent(&cell);
    sigmoid(&out);
    c = forget * c + in * cell;
    memcpy(a->c, &c, sizeof c);
    hyperbolic_tangent(&c);
    floats rounded = out * c * (float)LM_ONE + ROUNDER;
    shorts h = __builtin_convertvector((ints)rounded - ROUNDER_BITS, shorts);
    memcpy(a->h, &h, sizeof h);
}

INLINE void affine(const int32_t *sum, const float *scale, const float *bias, float *out)
{
    for (int i = 0; i < LM_ROWS; i += LM_LANES) {
        floats x, by, add;
        load_ints(&x, sum + i);
        load_floats(&by, scale + i);
        load_floats(&add, bias + i);
        x = x * by + add;
        memcpy(out + i, &x, sizeof x);
    }
}

INLINE float largest(const float *x, int n)
{
    floats most, next;
    load_floats(&most, x);
    for (int i = LM_LANES; i < n; i += LM_LANES) {
        load_floats(&next, x + i);
        ints more = next > most;
        most = (floats)(((ints)next & more) | ((ints)most & ~more));
    }
    float result = most[0];
    for (int i = 1; i < LM_LANES; i++)
        result = most[i] > result ? most[i] : result;
    return result;
}

INLINE void weights(const float *x, float most, float inverse, int n, uint32_t *weight,
                    uint8_t *bucket)
{
    for (int i = 0; i < n; i += LM_LANES) {
        floats e, near;
        load_floats(&e, x + i);
        e = (e - most) * inverse;
        clamp(&e, -80, 0);
        near = e * -LM_BUCKETS_PER_NAT;
        clamp(&near, 0, LM_BUCKETS - 1);
        exponential(&e);
        ints whole = __builtin_convertvector(e * (float)LM_CERTAIN + 0.5f, ints);
        memcpy(weight + i, &whole, sizeof whole);
        bytes small = __builtin_convertvector(__builtin_convertvector(near, ints), bytes);
        memcpy(bucket + i, &small, sizeof small);
    }
}

/* -- dot products: plain C --------------------------------------------------------------------- */

static void plain_dot(const int8_t *w, int pairs, const int16_t *const *h, int n, int32_t *out)
{
    for (int s = 0; s < n; s++, out += LM_ROWS) {
        int32_t sum[LM_ROWS] = {0};
        for (int p = 0; p < pairs; p++) {
            const int8_t *column = w + (size_t)p * 2 * LM_ROWS;
            int32_t even = h[s][2 * p], odd = h[s][2 * p + 1];
            for (int r = 0; r < LM_ROWS; r++)
                sum[r] += column[2 * r] * even + column[2 * r + 1] * odd;
        }
        memcpy(out, sum, sizeof sum);
    }
}

/* The three others of a version, from the same text. */
#define VERSION(name, ...)                                                                         \
    __VA_ARGS__ static void name##_gates(const struct lm_gates *a)                                 \
    {                                                                                              \
        gates(a);                                                                                  \
    }                                                                                              \
    __VA_ARGS__ static void name##_affine(const int32_t *sum, const float *scale,                  \
                                          const float *bias, float *out)                           \
    {                                                                                              \
        affine(sum, scale, bias, out);                                                             \
    }                                                                                              \
    __VA_ARGS__ static float name##_largest(const float *x, int n)                                 \
    {                                                                                              \
        return largest(x, n);                                                                      \
    }                                                                                              \
    __VA_ARGS__ static void name##_weights(const float *x, float most, float inverse, int n,       \
                                           uint32_t *weight, uint8_t *bucket)                      \
    {                                                                                              \
        weights(x, most, inverse, n, weight, bucket);                                              \
    }
#define KERNELS(name, dot, others)                                                                 \
    {                                                                                              \
#name, dot, others##_gates, others##_affine, others##_largest, others##_weights            \
    }

VERSION(plain)

/* -- dot products: x86 ------------------------------------------------------------------------- */

#ifdef __x86_64__
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define VNNI __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))

INLINE int pair_of(const int16_t *h, int p)
{
    int pair;
    memcpy(&pair, h + 2 * p, sizeof pair);
    return pair;
}

/* Sixteen bytes, eight rows, as the low and the high eight 16-bit numbers. */
#define WIDEN_LOW(x) _mm_srai_epi16(_mm_unpacklo_epi8(x, x), 8)
#define WIDEN_HIGH(x) _mm_srai_epi16(_mm_unpackhi_epi8(x, x), 8)

/* 8 rows of a group at a time (two registers) and at most 4 streams. Every x86-64 has it. */
INLINE void sse2_block(const int8_t *w, int pairs, const int16_t *const *h, int streams,
                       int32_t *out)
{
    for (int r = 0; r < LM_ROWS; r += 8) {
        __m128i sum[4][2];
        UNROLL for (int s = 0; s < streams; s++) sum[s][0] = sum[s][1] = _mm_setzero_si128();
        for (int p = 0; p < pairs; p++) {
            const __m128i *at = (const __m128i *)(w + ((size_t)p * LM_ROWS + (size_t)r) * 2);
            __m128i x = _mm_loadu_si128(at), w0 = WIDEN_LOW(x), w1 = WIDEN_HIGH(x);
            UNROLL for (int s = 0; s < streams; s++)
            {
                x = _mm_set1_epi32(pair_of(h[s], p));
                sum[s][0] = _mm_add_epi32(sum[s][0], _mm_madd_epi16(w0, x));
                sum[s][1] = _mm_add_epi32(sum[s][1], _mm_madd_epi16(w1, x));
            }
        }
        UNROLL for (int s = 0; s < streams; s++)
        {
            __m128i *to = (__m128i *)(out + s * LM_ROWS + r);
            _mm_storeu_si128(to, sum[s][0]);
            _mm_storeu_si128(to + 1, sum[s][1]);
        }
    }
}

/* 16 rows of a group at a time (two registers) and `streams` streams: at most 6, for 12 sums in 16
 * registers. */
AVX2 INLINE void avx2_block(const int8_t *w, int pairs, const int16_t *const *h, int streams,
                            int32_t *out)
{
    for (int r = 0; r < LM_ROWS; r += LM_LANES) {
        __m256i sum[6][2];
        UNROLL for (int s = 0; s < streams; s++) sum[s][0] = sum[s][1] = _mm256_setzero_si256();
        for (int p = 0; p < pairs; p++) {
            const __m128i *at = (const __m128i *)(w + ((size_t)p * LM_ROWS + (size_t)r) * 2);
            __m256i w0 = _mm256_cvtepi8_epi16(_mm_loadu_si128(at));
            __m256i w1 = _mm256_cvtepi8_epi16(_mm_loadu_si128(at + 1));
            UNROLL for (int s = 0; s < streams; s++)
            {
                __m256i x = _mm256_set1_epi32(pair_of(h[s], p));
                sum[s][0] = _mm256_add_epi32(sum[s][0], _mm256_madd_epi16(w0, x));
                sum[s][1] = _mm256_add_epi32(sum[s][1], _mm256_madd_epi16(w1, x));
            }
        }
        UNROLL for (int s = 0; s < streams; s++)
        {
            int32_t *to = out + s * LM_ROWS + r;
            _mm256_storeu_si256((__m256i *)to, sum[s][0]);
            _mm256_storeu_si256((__m256i *)(to + 8), sum[s][1]);
        }
    }
}

/* All rows of a group, four registers, and at most 6 streams: 24 sums in 32 registers. */
#define AVX512_BLOCK(name, attribute, multiply_add)                                                \
    attribute INLINE void name(const int8_t *w, int pairs, const int16_t *const *h, int streams,   \
                               int32_t *out)                                                       \
    {                                                                                              \
        __m512i sum[6][4];                                                                         \
        UNROLL for (int s = 0; s < streams; s++) UNROLL for (int i = 0; i < 4; i++) sum[s][i] =    \
            _mm512_setzero_si512();                                                                \
        for (int p = 0; p < pairs; p++) {                                                          \
            const __m256i *at = (const __m256i *)(w + (size_t)p * LM_ROWS * 2);                    \
            __m512i column[4];                                                                     \
            UNROLL for (int i = 0; i < 4; i++) column[i] =                                         \
                _mm512_cvtepi8_epi16(_mm256_loadu_si256(at + i));                                  \
            UNROLL for (int s = 0; s < streams; s++)                                               \
            {                                                                                      \
                __m512i x = _mm512_set1_epi32(pair_of(h[s], p));                                   \
                UNROLL for (int i = 0; i < 4; i++) sum[s][i] =                                     \
                    multiply_add(sum[s][i], column[i], x);                                         \
            }                                                                                      \
        }                                                                                          \
        UNROLL for (int s = 0; s < streams; s++) UNROLL for (int i = 0; i < 4; i++)                \
            _mm512_storeu_si512(out + s * LM_ROWS + i * LM_LANES, sum[s][i]);                      \
    }

#define MULTIPLY_ADD_512(sum, a, b) _mm512_add_epi32(sum, _mm512_madd_epi16(a, b))
AVX512_BLOCK(avx512_block, AVX512, MULTIPLY_ADD_512)
AVX512_BLOCK(vnni_block, VNNI, _mm512_dpwssd_epi32)

/* As many streams at a time as fit, then those that are left. */
#define DOT(name, most, ...)                                                                       \
    __VA_ARGS__ static void name##_dot(const int8_t *w, int pairs, const int16_t *const *h, int n, \
                                       int32_t *out)                                               \
    {                                                                                              \
        for (; n >= most; n -= most, h += most, out += most * LM_ROWS)                             \
            name##_block(w, pairs, h, most, out);                                                  \
        for (; n >= 2; n -= 2, h += 2, out += 2 * LM_ROWS)                                         \
            name##_block(w, pairs, h, 2, out);                                                     \
        if (n)                                                                                     \
            name##_block(w, pairs, h, 1, out);                                                     \
    }
DOT(sse2, 4)
DOT(avx2, 6, AVX2)
DOT(avx512, 6, AVX512)
DOT(vnni, 6, VNNI)
VERSION(avx2, AVX2)
VERSION(avx512, AVX512)
#endif

/* -- which ------------------------------------------------------------------------------------- */

int lm_kernels_list(const struct lm_kernels *out[LM_MOST_KERNELS])
{
    int n = 0;
#ifdef __x86_64__
    static const struct lm_kernels vnni = KERNELS(vnni, vnni_dot, avx512),
                                   avx512 = KERNELS(avx512, avx512_dot, avx512),
                                   avx2 = KERNELS(avx2, avx2_dot, avx2),
                                   sse2 = KERNELS(sse2, sse2_dot, plain);
    bool wide = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512dq");
    if (wide && __builtin_cpu_supports("avx512vnni"))
        out[n++] = &vnni;
    if (wide)
        out[n++] = &avx512;
    if (__builtin_cpu_supports("avx2"))
        out[n++] = &avx2;
    out[n++] = &sse2;
#endif
    static const struct lm_kernels plain = KERNELS(plain, plain_dot, plain);
    out[n++] = &plain;
    return n;
}
