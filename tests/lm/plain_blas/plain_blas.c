/* The one product that src/lm/cpu.c needs, where there is no BLAS: the reference for a comparison
 * on a machine with a GPU and little else.
 *
 *     c (m, n) = alpha * op(a) (m, k) . op(b) (k, n) + beta * c        row by row
 *
 * Threads take strips of rows of c; if there are fewer rows than threads can share, of columns. A
 * strip goes through k in pieces: there, op(b) is packed in panels of 16 columns, op(a) in panels
 * of 4 rows, and a block of 4 x 16 sums stays in registers. Sums are floats in order of k within a
 * piece: the same on every run, whatever the number of threads. */
#include "cblas.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 4, COLUMNS = 16, DEPTH = 256, MOST_THREADS = 32 };
typedef float lanes __attribute__((vector_size(COLUMNS * sizeof(float))));

struct strip {
    const float *a, *b;
    float *c;
    long a_row, a_k, b_k, b_column, ldc; /* floats from one to the next */
    long row, rows, column, columns, k;
    float alpha, beta;
};

static void pack(float *to, const float *from, long n, long width, long per, long depth, long step)
{
    for (long p = 0; p < depth; p++)
        for (long i = 0; i < width; i++)
            to[p * width + i] = i < n ? from[i * per + p * step] : 0;
}

static void block(const float *a, const lanes *b, long depth, lanes sums[ROWS])
{
    lanes s[ROWS] = {0};
    for (long p = 0; p < depth; p++)
        for (int i = 0; i < ROWS; i++)
            s[i] += a[p * ROWS + i] * b[p];
    memcpy(sums, s, sizeof s);
}

/* One panel of columns, one piece of k. */
static void panel(const struct strip *s, long column, long k, long depth, const lanes *b, float *a)
{
    long end = s->column + s->columns, n = end - column < COLUMNS ? end - column : COLUMNS;
    for (long r = s->row; r < s->row + s->rows; r += ROWS) {
        lanes sums[ROWS];
        long rows = s->row + s->rows - r < ROWS ? s->row + s->rows - r : ROWS;
        pack(a, s->a + r * s->a_row + k * s->a_k, rows, ROWS, s->a_row, depth, s->a_k);
        block(a, b, depth, sums);
        for (long i = 0; i < rows; i++) {
            float *out = s->c + (r + i) * s->ldc + column;
            for (long j = 0; j < n; j++)
                out[j] += s->alpha * sums[i][j];
        }
    }
}

static void *do_strip(void *of)
{
    const struct strip *s = of;
    float *a = aligned_alloc(64, ROWS * DEPTH * sizeof *a);
    lanes *b = aligned_alloc(64, DEPTH * sizeof *b);
    if (!a || !b)
        abort();
    for (long r = s->row; r < s->row + s->rows; r++)
        for (long j = s->column; j < s->column + s->columns; j++)
            s->c[r * s->ldc + j] = s->beta != 0 ? s->beta * s->c[r * s->ldc + j] : 0;
    for (long k = 0; k < s->k; k += DEPTH) {
        long depth = s->k - k < DEPTH ? s->k - k : DEPTH;
        for (long j = s->column; j < s->column + s->columns; j += COLUMNS) {
            long left = s->column + s->columns - j;
            pack((float *)b, s->b + j * s->b_column + k * s->b_k, left, COLUMNS, s->b_column, depth,
                 s->b_k);
            panel(s, j, k, depth, b, a);
        }
    }
    free(a);
    free(b);
    return NULL;
}

/* The part of n that thread i of all has, in whole blocks. */
static long part(long n, long i, long all, long unit)
{
    long at = n / unit * i / all * unit;
    return i == all ? n : at;
}

void cblas_sgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans_a, enum CBLAS_TRANSPOSE trans_b,
                 int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                 float beta, float *c, int ldc)
{
    pthread_t threads[MOST_THREADS];
    struct strip strips[MOST_THREADS];
    long all = sysconf(_SC_NPROCESSORS_ONLN), turned_a = trans_a == CblasTrans,
         turned_b = trans_b == CblasTrans;
    if (order != CblasRowMajor)
        abort();
    all = all > MOST_THREADS ? MOST_THREADS : all < 1 ? 1 : all;
    all = (double)m * n * k < 1e6 ? 1 : all;
    for (long i = 0; i < all; i++) {
        /* columns: packing op(b) is then shared out too */
        long from = part(n, i, all, COLUMNS), to = part(n, i + 1, all, COLUMNS);
        strips[i] = (struct strip){a,
                                   b,
                                   c,
                                   turned_a ? 1 : lda,
                                   turned_a ? lda : 1,
                                   turned_b ? 1 : ldb,
                                   turned_b ? ldb : 1,
                                   ldc,
                                   0,
                                   m,
                                   from,
                                   to - from,
                                   k,
                                   alpha,
                                   beta};
        if (i + 1 < all && pthread_create(&threads[i], NULL, do_strip, &strips[i]))
            abort();
    }
    do_strip(&strips[all - 1]);
    for (long i = 0; i + 1 < all; i++)
        pthread_join(threads[i], NULL);
}
