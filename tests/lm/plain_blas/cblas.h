/* As much of CBLAS as src/lm/cpu.c uses, for machines that have none: see plain_blas.c. */
#ifndef ASSAY_TESTS_PLAIN_BLAS_H
#define ASSAY_TESTS_PLAIN_BLAS_H

enum CBLAS_ORDER { CblasRowMajor = 101 };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans = 112 };

void cblas_sgemm(enum CBLAS_ORDER order, enum CBLAS_TRANSPOSE trans_a, enum CBLAS_TRANSPOSE trans_b,
                 int m, int n, int k, float alpha, const float *a, int lda, const float *b, int ldb,
                 float beta, float *c, int ldc);

#endif
