#include "base/stats.h"
#include "base/choice.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

/* Samples from this size on are compared by the normal distribution. */
enum { EXACT_BELOW = 50 };

/* Any number will do, as long as it stays. */
static const uint64_t bootstrap_seed = 20071;

static int by_value(const void *a, const void *b)
{
    return ORDER(*(const double *)a, *(const double *)b);
}

static double *sorted(const double *x, int n)
{
    double *copy = mem_alloc(sizeof *copy * (size_t)n);
    memcpy(copy, x, sizeof *copy * (size_t)n);
    qsort(copy, (size_t)n, sizeof *copy, by_value);
    return copy;
}

static double middle(const double *in_order, int n)
{
    return (in_order[(n - 1) / 2] + in_order[n / 2]) / 2;
}

double stats_median(const double *x, int n)
{
    double *s = sorted(x, n);
    double m = middle(s, n);
    free(s);
    return m;
}

/* -- bootstrap --------------------------------------------------------------------------------- */

/* The median of n of the numbers, drawn. What is drawn is places in the order: how often each came
 * says where the middle is, and nothing needs to be sorted. */
static double drawn_median(struct choice *c, const double *in_order, int n, int *times)
{
    double below = 0, above = 0; /* the two in the middle; of an odd number they are one */
    int seen = 0;
    memset(times, 0, sizeof *times * (size_t)n);
    for (int i = 0; i < n; i++)
        times[choose(c, (uint64_t)n)]++;
    for (int i = 0; i < n; i++) {
        if (seen <= (n - 1) / 2 && (n - 1) / 2 < seen + times[i])
            below = in_order[i];
        if (seen <= n / 2 && n / 2 < seen + times[i])
            above = in_order[i];
        seen += times[i];
    }
    return (below + above) / 2;
}

struct stats_interval stats_bootstrap(const double *x, int n, int resamples)
{
    struct choice c;
    double *in_order = sorted(x, n), *medians = mem_alloc(sizeof *medians * (size_t)resamples);
    int *times = mem_alloc(sizeof *times * (size_t)n);
    choice_init_random(&c, bootstrap_seed);
    for (int i = 0; i < resamples; i++)
        medians[i] = drawn_median(&c, in_order, n, times);
    choice_release(&c);
    qsort(medians, (size_t)resamples, sizeof *medians, by_value);
    int tail = (int)(0.025 * resamples); /* so many lie outside at either end */
    struct stats_interval interval = {medians[tail], medians[resamples - 1 - tail]};
    free(in_order);
    free(medians);
    free(times);
    return interval;
}

/* -- Mann-Whitney ------------------------------------------------------------------------------ */

/* Pairs in which x is greater, equal ones half. */
static double count_pairs(const double *x, int n, const double *y, int m)
{
    double u = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            u += x[i] > y[k] ? 1 : x[i] == y[k] ? 0.5 : 0;
    return u;
}

/* Both samples in one, in order. */
static double *merged(const double *x, int n, const double *y, int m)
{
    double *both = mem_alloc(sizeof *both * (size_t)(n + m));
    memcpy(both, x, sizeof *x * (size_t)n);
    memcpy(both + n, y, sizeof *y * (size_t)m);
    qsort(both, (size_t)(n + m), sizeof *both, by_value);
    return both;
}

/* How many numbers from there on are equal. */
static int group_at(const double *both, int all, int at)
{
    int n = 1;
    while (at + n < all && both[at + n] == both[at])
        n++;
    return n;
}

/* ways[i][v]: in how many ways the numbers so far can be divided so that i of them are of x and 2U
 * is v, of which `below` are less than the group of t equal ones that comes now. When k of those
 * are of x, each of them beats what is below and not of x, and is equal to the rest of the group.
 */
static void add_group(double *ways, int n, int m, int below, int t)
{
    int row = 2 * n * m + 1;
    for (int i = below < n ? below : n; i >= 0;
         i--) {              /* rows are added to by those ahead of them */
        double choose_k = 1; /* t over k */
        int beaten = below - i;
        for (int k = 1; k <= t && i + k <= n && beaten <= m; k++) {
            choose_k *= (double)(t - k + 1) / k;
            int more = 2 * k * beaten + k * (t - k);
            for (int v = 0; v + more < row; v++)
                ways[(i + k) * row + v + more] += choose_k * ways[i * row + v];
        }
    }
}

/* Of all ways to divide the numbers of both samples, equal ones included, into n and m: the share
 * of those in which U is as far from its middle as `u`, or farther. (The permutation distribution
 * of U; without equal numbers that is the one of the tables, Mann and Whitney 1947.) */
static double exact_p(double u, const double *x, int n, const double *y, int m)
{
    int row = 2 * n * m + 1, all = n + m;
    double *ways = mem_alloc(sizeof *ways * (size_t)(n + 1) * (size_t)row), far = 0, sum = 0;
    double *both = merged(x, n, y, m);
    memset(ways, 0, sizeof *ways * (size_t)(n + 1) * (size_t)row);
    ways[0] = 1;
    for (int at = 0, t; at < all; at += t) {
        t = group_at(both, all, at);
        add_group(ways, n, m, at, t);
    }
    for (int v = 0; v < row; v++) {
        sum += ways[n * row + v];
        if (abs(v - n * m) >= abs((int)(2 * u) - n * m))
            far += ways[n * row + v];
    }
    free(both);
    free(ways);
    return far / sum;
}

/* The sum of t^3 - t over all groups of t equal numbers. */
static double ties_of(const double *x, int n, const double *y, int m)
{
    double *both = merged(x, n, y, m), sum = 0;
    for (int at = 0, t; at < n + m; at += t) {
        t = group_at(both, n + m, at);
        sum += (double)t * t * t - t;
    }
    free(both);
    return sum;
}

/* Two-sided, from the normal distribution with the mean and variance of U. */
static double normal_p(double u, double ties, int n, int m)
{
    double all = n + m, pairs = (double)n * m;
    double variance = pairs / 12 * (all + 1 - ties / (all * (all - 1)));
    double distance = fabs(u - pairs / 2) - 0.5; /* continuity: U moves in steps */
    if (variance <= 0 || distance <= 0) /* all numbers are equal, or U is where it should be */
        return 1;
    return erfc(distance / sqrt(2 * variance));
}

struct stats_test stats_mann_whitney(const double *x, int n, const double *y, int m)
{
    struct stats_test t = {.u = count_pairs(x, n, y, m)};
    t.exact = n < EXACT_BELOW && m < EXACT_BELOW;
    t.p = t.exact ? exact_p(t.u, x, n, y, m) : normal_p(t.u, ties_of(x, n, y, m), n, m);
    return t;
}

/* -- effect size ------------------------------------------------------------------------------- */

double stats_a12(const double *x, int n, const double *y, int m)
{
    return count_pairs(x, n, y, m) / ((double)n * m);
}

const char *stats_a12_word(double a12)
{
    double from_half = fabs(a12 - 0.5) + 1e-9; /* 0.56 is no number of a computer */
    return from_half >= 0.21   ? "large"
           : from_half >= 0.14 ? "medium"
           : from_half >= 0.06 ? "small"
                               : "none";
}
