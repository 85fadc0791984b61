/* The inner loops of the sampler, in one version for each kind of vector unit.
 *
 * All versions give the same bits. Dot products are sums of integers, in which order does not
 * matter. The rest is float additions, subtractions, multiplications, divisions and conversions,
 * each rounded by IEEE 754 to nearest: one C text, compiled once for each unit, lane by lane the
 * same and never fused. `assay` picks a version by what the processor has; tests run them all.
 *
 * Rows of matrices come in groups of LM_ROWS. A group of weights is packed for the loops: for each
 * pair of columns (2p, 2p + 1) the pair of each row, (pairs, LM_ROWS, 2) bytes. So a 32-bit pair of
 * a stream's outputs, broadcast, meets 16 rows in one instruction, and no sum runs across lanes. */
#ifndef ASSAY_LM_KERNELS_H
#define ASSAY_LM_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum {
    LM_LANES = 16,          /* units of a layer that are computed at once */
    LM_ROWS = 4 * LM_LANES, /* rows of a group; of a layer: 4 gates of 16 units */
    LM_ONE = 4096,          /* an output h = 1 as an integer */
    LM_CERTAIN = 1 << 24,   /* the weight of the likeliest token in a draw */
    LM_BUCKETS = 256,       /* by which a draw sorts */
};
/* A token 17.4 nats below the likeliest has the weight 0. */
#define LM_BUCKETS_PER_NAT (LM_BUCKETS / 17.4f)

/* What the gates of 16 units are made of: z = (from * from_scale + inner * inner_scale) + bias,
 * rows in the order of a group: 16 x input, forget, cell, output. */
struct lm_gates {
    const int8_t *table;      /* layer 0: the token's part; else NULL */
    float table_scale;        /* one for all rows */
    const int32_t *outer;     /* other layers: dot products with the layer below */
    const float *outer_scale; /* (LM_ROWS) */
    const int32_t *inner;     /* dot products with the layer's last outputs */
    const float *inner_scale; /* (LM_ROWS) */
    const float *bias;        /* (LM_ROWS) */
    float *c;                 /* (16), changed */
    int16_t *h;               /* (16), the new outputs */
};

struct lm_kernels {
    const char *name; /* "plain", "sse2", "avx2", "avx512", "vnni" */
    /* out[s][r] = sum over k of w[r][k] * h[s][k], for n streams and the rows of one group */
    void (*dot)(const int8_t *w, int pairs, const int16_t *const *h, int n, int32_t *out);
    void (*gates)(const struct lm_gates *g);
    /* out[r] = sum[r] * scale[r] + bias[r], for the rows of one group */
    void (*affine)(const int32_t *sum, const float *scale, const float *bias, float *out);
    /* The largest of n; n a multiple of 16 */
    float (*largest)(const float *x, int n);
    /* With d = (most - x[i]) * inverse, weight[i] = round(LM_CERTAIN * exp(-d)), and bucket[i] =
     * floor(d * LM_BUCKETS_PER_NAT), at most LM_BUCKETS - 1; x <= most, n a multiple of 16 */
    void (*weights)(const float *x, float most, float inverse, int n, uint32_t *weight,
                    uint8_t *bucket);
};

/* The versions that run on this machine, the fastest first; `plain` is the last. Returns how many;
 * `out` holds LM_MOST_KERNELS. */
enum { LM_MOST_KERNELS = 5 };
int lm_kernels_list(const struct lm_kernels *out[LM_MOST_KERNELS]);

/* Another version than the fastest, for tests. */
struct lm_bytes;
void lm_bytes_use(struct lm_bytes *b, const struct lm_kernels *k);

#endif
