/* Statistics of an experiment: few numbers of each side, of which nothing is known but their order.
 *
 * The same numbers give the same results on every machine: what is drawn at random is drawn by
 * `choice`, from a seed of our own. Nothing here changes its arguments. A sample is not empty. */
#ifndef ASSAY_BASE_STATS_H
#define ASSAY_BASE_STATS_H

#include <stdbool.h>

/* The middle one in order; of an even number, half-way between the two in the middle. */
double stats_median(const double *x, int n);

struct stats_interval {
    double low, high;
};
/* 95 % bootstrap interval of the median: `resamples` times n of the numbers are drawn, each as
 * often as it comes; of the medians of those the 2.5th and 97.5th percentile (Efron). */
struct stats_interval stats_bootstrap(const double *x, int n, int resamples);

/* Mann-Whitney U test, two-sided: would two samples of one distribution differ as much? Few trials
 * find few bugs, so that many numbers are equal: the normal distribution, which programs take then,
 * would make 0.047 of {1, 1, 1} and {2, 2, 2}, where no more than 2 of 20 divisions are like it. */
struct stats_test {
    double u; /* of x: pairs in which its number is the greater one, half of those that are equal */
    double p; /* of a difference like that, or a greater one */
    bool exact; /* by counting all divisions of the numbers, equal ones included; else, for a sample
                   of 50 or more, by the normal distribution, corrected for ties and continuity */
};
struct stats_test stats_mann_whitney(const double *x, int n, const double *y, int m);

/* Vargha and Delaney's A12: the probability that a number of x is greater than one of y, equal ones
 * counted half. 0.5: no difference; 1: always. */
double stats_a12(const double *x, int n, const double *y, int m);
/* How large that is, in their words: 0.56, 0.64 and 0.71 are where "small", "medium" and "large"
 * begin, on either side of 0.5; below that "none". */
const char *stats_a12_word(double a12);

#endif
