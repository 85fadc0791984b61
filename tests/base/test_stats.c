/* Statistics against numbers from elsewhere: tables of the U test, counts of all orders, and the
 * distribution of the bootstrapped median, which for an odd sample is a binomial sum. */
#include "base/stats.h"
#include "tap.h"

#include <math.h>

#define N(x) ((int)(sizeof(x) / sizeof *(x)))

static void near_to(double got, double wanted, const char *what)
{
    if (!ok(fabs(got - wanted) < 1e-9, "%s", what))
        printf("# got %.9f, wanted %.9f\n", got, wanted);
}

static void test_median(void)
{
    const double odd[] = {9, 1, 5}, even[] = {4, 1, 3, 10}, one[] = {7};
    near_to(stats_median(odd, N(odd)), 5, "the middle one");
    near_to(stats_median(even, N(even)), 3.5, "half-way between two");
    near_to(stats_median(one, N(one)), 7, "of one number");
    ok(odd[0] > 8 && even[3] > 9, "the samples are as they were");
}

/* P(median <= k) is P(Bin(11, k / 11) >= 6): 0.0072 for 2, 0.0512 for 3. */
static void test_bootstrap(void)
{
    const double x[] = {11, 2, 3, 10, 5, 6, 7, 8, 9, 4, 1}, same[] = {4, 4, 4, 4};
    const double two[] = {0, 1};
    struct stats_interval i = stats_bootstrap(x, N(x), 10000);
    ok(i.low == 3 && i.high == 9, "11 numbers: from the 3rd to the 9th (%g to %g)", i.low, i.high);
    struct stats_interval again = stats_bootstrap(x, N(x), 10000);
    ok(again.low == i.low && again.high == i.high, "the same numbers give the same interval");
    i = stats_bootstrap(same, N(same), 1000);
    ok(i.low == 4 && i.high == 4, "numbers that are all equal");
    i = stats_bootstrap(two, N(two), 1000); /* a quarter is 0, half is 0.5, a quarter is 1 */
    ok(i.low == 0 && i.high == 1, "two numbers: nothing is known");
    i = stats_bootstrap(x, 1, 100);
    ok(i.low == 11 && i.high == 11, "one number");
}

/* n numbers 1.. and m numbers in between, so that U of x is u; u <= n * m. */
static struct stats_test test_with_u(int n, int m, int u)
{
    double x[60], y[60];
    for (int k = 0; k < m; k++)
        y[k] = k + 1;
    for (int i = 0; i < n; i++) { /* as many y below it as are left, but all at most */
        int below = u < m ? u : m;
        u -= below;
        x[n - 1 - i] = below + 0.1 + 0.01 * (n - i);
    }
    return stats_mann_whitney(x, n, y, m);
}

static void test_exact(void)
{
    struct stats_test t = test_with_u(5, 5, 0);
    ok(t.exact && t.u == 0, "no ties, small: exact");
    near_to(t.p, 2.0 / 252, "5 and 5, U = 0");
    near_to(test_with_u(5, 5, 25).p, 2.0 / 252, "5 and 5, U = 25: two-sided");
    near_to(test_with_u(3, 3, 0).p, 2.0 / 20, "3 and 3, U = 0");
    near_to(test_with_u(3, 4, 1).p, 4.0 / 35, "3 and 4, U = 1");
    near_to(test_with_u(4, 3, 1).p, 4.0 / 35, "4 and 3, U = 1");
    near_to(test_with_u(8, 6, 11).p, 0.107892107892, "8 and 6, U = 11: all 3003 orders counted");
    near_to(test_with_u(3, 3, 4).p, 1, "in the middle: never more than 1");
    near_to(test_with_u(1, 1, 0).p, 1, "one and one");
    ok(test_with_u(10, 10, 23).p <= 0.05 && test_with_u(10, 10, 24).p > 0.05,
       "10 and 10: the table says 23 for 5 %%");
    ok(test_with_u(20, 20, 127).p <= 0.05 && test_with_u(20, 20, 128).p > 0.05,
       "20 and 20: the table says 127 for 5 %%");
}

/* Counted by hand or by a program that tries all divisions. */
static void test_ties(void)
{
    const double ones[] = {1, 1, 1}, twos[] = {2, 2, 2};
    const double x[] = {1, 2, 2, 3}, y[] = {2, 3, 4, 5};
    const double six[] = {5, 1, 1, 2, 7, 7}, three[] = {1, 1, 0};
    const double v[] = {3, 3, 2, 3, 4}, w[] = {1, 2, 2, 3, 1};
    struct stats_test t = stats_mann_whitney(x, N(x), y, N(y));
    ok(t.exact && t.u == 2.5, "equal numbers count half (%g)", t.u);
    near_to(t.p, 14.0 / 70, "4 and 4 with ties");
    near_to(stats_mann_whitney(ones, 3, twos, 3).p, 2.0 / 20, "all ones and all twos");
    near_to(stats_mann_whitney(six, 6, three, 3).p, 8.0 / 84, "6 and 3 with ties");
    near_to(stats_mann_whitney(three, 3, six, 6).p, 8.0 / 84, "and the other way round");
    near_to(stats_mann_whitney(v, 5, w, 5).p, 26.0 / 252, "5 and 5 with ties");
    near_to(stats_mann_whitney(twos, 3, twos, 3).p, 1, "all equal: nothing can be said");
}

static void test_normal(void)
{
    double x[60], y[60], same[60];
    struct stats_test t;
    for (int i = 0; i < 60; i++) {
        x[i] = 2 * i;
        y[i] = 2 * i + 25;
        same[i] = 7;
    }
    t = stats_mann_whitney(x, 60, y, 60);
    ok(!t.exact && t.u == 1128, "large samples: not exact (%g)", t.u);
    near_to(t.p, 0.000424345338, "60 and 60");
    for (int i = 0; i < 60; i++) {
        x[i] = i / 4;
        y[i] = i / 4 + 2;
    }
    near_to(stats_mann_whitney(x, 60, y, 60).p, 0.018602819910, "corrected for ties");
    near_to(stats_mann_whitney(same, 60, same, 60).p, 1, "all equal");
    t = stats_mann_whitney(x, 49, y, 49);
    ok(t.exact, "49 and 49 are counted");
    near_to(t.p, 0.010261120746, "and that gives what whole numbers of any size give");
}

static void test_a12(void)
{
    const double x[] = {1, 2, 3}, y[] = {2, 3, 4}, z[] = {7, 8};
    near_to(stats_a12(x, N(x), y, N(y)), 2.0 / 9, "one greater, two equal, of nine");
    near_to(stats_a12(y, N(y), x, N(x)), 7.0 / 9, "and the other way round");
    near_to(stats_a12(x, N(x), x, N(x)), 0.5, "of a sample and itself");
    near_to(stats_a12(z, N(z), x, N(x)), 1, "always greater");
    is_str(stats_a12_word(0.5), "none", "no effect");
    is_str(stats_a12_word(0.56), "small", "0.56 is small");
    is_str(stats_a12_word(0.36), "medium", "0.36 is medium");
    is_str(stats_a12_word(0.71), "large", "0.71 is large");
    is_str(stats_a12_word(0), "large", "0 is large");
}

int main(void)
{
    test_median();
    test_bootstrap();
    test_exact();
    test_ties();
    test_normal();
    test_a12();
    return tap_done();
}
