/* Two listings of instructions side by side. */
#ifndef ASSAY_TRIAGE_LISTING_H
#define ASSAY_TRIAGE_LISTING_H

#include "base/arena.h"

#include <stdbool.h>

struct listing {
    struct listing_line {
        const char *s; /* in the text that was given, without its end */
        int n;
        bool only; /* the other one has no such line here */
    } * at;
    int n;
};

/* By a longest common subsequence. Of texts that are too long for that all lines are different. */
void listings_compare(struct arena *a, const char *first, const char *second, struct listing *x,
                      struct listing *y);
/* The share of lines that only one of the two has: 0 where they are equal. */
double listings_distance(const char *first, const char *second);

#endif
