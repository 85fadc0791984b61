/* Natural numbers of any size: counts of programs have hundreds of digits.
 *
 * A thin layer over GMP, so that one file alone knows the library. A `struct natural` owns memory:
 * natural_init before use, natural_clear after. Outputs may be the same object as inputs. */
#ifndef ASSAY_SPE_NATURAL_H
#define ASSAY_SPE_NATURAL_H

#include "base/strbuf.h"

#include <stdint.h>

struct choice;

struct natural {
    uint64_t opaque[2]; /* GMP's mpz_t */
};

void natural_init(struct natural *n); /* 0 */
void natural_clear(struct natural *n);
struct natural *naturals_new(size_t n); /* an array, all 0 */
void naturals_free(struct natural *at, size_t n);
void natural_set(struct natural *n, const struct natural *a);
void natural_set_u64(struct natural *n, uint64_t a);
bool natural_parse(struct natural *n, const char *text); /* decimal digits, nothing else */
void natural_text(const struct natural *n, struct strbuf *out);
double natural_double(const struct natural *n); /* inf where it is too large */
bool natural_fits_u64(const struct natural *n, uint64_t *out);
int natural_compare(const struct natural *a, const struct natural *b);
int natural_compare_u64(const struct natural *a, uint64_t b);

void natural_add(struct natural *out, const struct natural *a, const struct natural *b);
void natural_sub(struct natural *out, const struct natural *a, const struct natural *b); /* a>=b */
void natural_mul(struct natural *out, const struct natural *a, const struct natural *b);
void natural_add_mul(struct natural *out, const struct natural *a, const struct natural *b);
void natural_add_u64(struct natural *out, const struct natural *a, uint64_t b);
void natural_mul_u64(struct natural *out, const struct natural *a, uint64_t b);
void natural_power(struct natural *out, uint64_t base, uint64_t exponent); /* 0^0 is 1 */
/* a = quotient * b + remainder; b is not 0. Either output may be NULL. */
void natural_divide(struct natural *quotient, struct natural *remainder, const struct natural *a,
                    const struct natural *b);
/* Uniform below `limit` (not 0), from the choices. */
void natural_random(struct natural *out, const struct natural *limit, struct choice *c);

#endif
