/* Which settings of a generator make what a bug needs rarer.
 *
 * A reduced case has little left but what its bug needs. Take one of that away, and the bug does
 * not show: so one construct per case is given up, the one that costs the other programs least,
 * which is the first of a table that goes from rare to common. */
#ifndef ASSAY_INQUIRY_AVOID_H
#define ASSAY_INQUIRY_AVOID_H

#include <stdbool.h>
#include <stdint.h>

/* One row of the table. */
struct avoidance {
    const char *construct;    /* for people: "bit-fields" */
    const char *patterns;     /* how it is seen in a C program; see avoid.c */
    const char *smith, *yarp; /* settings, with blanks between; "" where there are none */
};
extern const struct avoidance avoidances[];
extern const int n_avoidances;

/* The settings for a generator of this name; "": there are none. */
const char *avoidance_settings(const struct avoidance *a, const char *generator);
/* The first row whose construct is in the text and for which the generator has settings; NULL: none
 * is. */
const struct avoidance *avoidance_find(const char *text, const char *generator);

/* Is the program of this seed to be made with such settings? Three of four are: the rest keeps an
 * eye on what stands beside the known bugs. */
bool avoidance_applies(uint64_t seed);

#endif
