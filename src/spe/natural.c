/* Natural numbers over GMP: the one file that knows the library.
 *
 * `struct natural` is the memory of an mpz_t under another name, so that headers need no gmp.h. The
 * layouts are tied below. GMP's own functions work on that memory out of line; what gmp.h would
 * inline here reads a copy (copy_of), because the compiler may assume that a uint64_t and an int do
 * not share memory (C11 6.5p7). */
#include "spe/natural.h"

#include "base/arena.h"
#include "base/choice.h"
#include "base/error.h"

#include <gmp.h>

_Static_assert(sizeof(struct natural) == sizeof(mpz_t), "a natural is an mpz_t");
_Static_assert(_Alignof(struct natural) >= _Alignof(mpz_t), "a natural is aligned like an mpz_t");
_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "GMP's small operands have 64 bits");
_Static_assert(GMP_NUMB_BITS == 64, "GMP's limbs have 64 bits");

static mpz_ptr out_of(struct natural *n)
{
    return (mpz_ptr)(void *)n;
}

static mpz_srcptr in_of(const struct natural *n)
{
    return (mpz_srcptr)(const void *)n;
}

static __mpz_struct copy_of(const struct natural *n)
{
    __mpz_struct copy;
    memcpy(&copy, n, sizeof copy);
    return copy;
}

void natural_init(struct natural *n)
{
    mpz_init(out_of(n));
}

void natural_clear(struct natural *n)
{
    mpz_clear(out_of(n));
}

struct natural *naturals_new(size_t n)
{
    struct natural *at = mem_alloc(sizeof *at * (n ? n : 1));
    for (size_t i = 0; i < n; i++)
        natural_init(&at[i]);
    return at;
}

void naturals_free(struct natural *at, size_t n)
{
    for (size_t i = 0; at && i < n; i++)
        natural_clear(&at[i]);
    free(at);
}

void natural_set(struct natural *n, const struct natural *a)
{
    mpz_set(out_of(n), in_of(a));
}

void natural_set_u64(struct natural *n, uint64_t a)
{
    mpz_set_ui(out_of(n), a);
}

bool natural_parse(struct natural *n, const char *text)
{
    /* GMP would take white space and a sign. */
    return *text && !text[strspn(text, "0123456789")] && mpz_set_str(out_of(n), text, 10) == 0;
}

void natural_text(const struct natural *n, struct strbuf *out)
{
    char *text = mem_alloc(mpz_sizeinbase(in_of(n), 10) + 2);
    strbuf_adds(out, mpz_get_str(text, 10, in_of(n)));
    free(text);
}

double natural_double(const struct natural *n)
{
    /* mpz_get_d leaves the result open where it is too large: 2^1024 is. */
    return mpz_sizeinbase(in_of(n), 2) > 1024 ? (double)__builtin_inf() : mpz_get_d(in_of(n));
}

bool natural_fits_u64(const struct natural *n, uint64_t *out)
{
    __mpz_struct copy = copy_of(n);
    if (mpz_size(&copy) > 1)
        return false;
    *out = mpz_get_ui(&copy);
    return true;
}

int natural_compare(const struct natural *a, const struct natural *b)
{
    int order = mpz_cmp(in_of(a), in_of(b));
    return (order > 0) - (order < 0);
}

int natural_compare_u64(const struct natural *a, uint64_t b)
{
    uint64_t small;
    if (!natural_fits_u64(a, &small))
        return 1;
    return (small > b) - (small < b);
}

void natural_add(struct natural *out, const struct natural *a, const struct natural *b)
{
    mpz_add(out_of(out), in_of(a), in_of(b));
}

void natural_sub(struct natural *out, const struct natural *a, const struct natural *b)
{
    mpz_sub(out_of(out), in_of(a), in_of(b));
    __mpz_struct copy = copy_of(out);
    REQUIRE(mpz_sgn(&copy) >= 0);
}

void natural_mul(struct natural *out, const struct natural *a, const struct natural *b)
{
    mpz_mul(out_of(out), in_of(a), in_of(b));
}

void natural_add_mul(struct natural *out, const struct natural *a, const struct natural *b)
{
    mpz_addmul(out_of(out), in_of(a), in_of(b));
}

void natural_add_u64(struct natural *out, const struct natural *a, uint64_t b)
{
    mpz_add_ui(out_of(out), in_of(a), b);
}

void natural_mul_u64(struct natural *out, const struct natural *a, uint64_t b)
{
    mpz_mul_ui(out_of(out), in_of(a), b);
}

void natural_power(struct natural *out, uint64_t base, uint64_t exponent)
{
    mpz_ui_pow_ui(out_of(out), base, exponent);
}

void natural_divide(struct natural *quotient, struct natural *remainder, const struct natural *a,
                    const struct natural *b)
{
    REQUIRE(natural_compare_u64(b, 0) != 0);
    if (quotient && remainder)
        mpz_fdiv_qr(out_of(quotient), out_of(remainder), in_of(a), in_of(b));
    else if (quotient)
        mpz_fdiv_q(out_of(quotient), in_of(a), in_of(b));
    else if (remainder)
        mpz_fdiv_r(out_of(remainder), in_of(a), in_of(b));
}

void natural_random(struct natural *out, const struct natural *limit, struct choice *c)
{
    __mpz_struct bound = copy_of(limit);
    size_t n = mpz_size(&bound);
    REQUIRE(n > 0);
    if (n == 1) {
        natural_set_u64(out, choose(c, mpz_get_ui(&bound)));
        return;
    }
    /* The highest limb at most that of the limit, the others freely, and again if it is too large:
     * fewer than two rounds on average. */
    uint64_t highest = mpz_getlimbn(&bound, (mp_size_t)n - 1);
    mpz_t drawn;
    mpz_init(drawn);
    do {
        mpz_set_ui(drawn, highest == UINT64_MAX ? choose_bits(c, 64) : choose(c, highest + 1));
        for (size_t i = 1; i < n; i++) {
            mpz_mul_2exp(drawn, drawn, 64);
            mpz_add_ui(drawn, drawn, choose_bits(c, 64));
        }
    } while (mpz_cmp(drawn, &bound) >= 0);
    mpz_swap(out_of(out), drawn);
    mpz_clear(drawn);
}
