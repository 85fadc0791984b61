/* Which settings of a generator make what a bug needs rarer.
 *
 * A reduced case has little left but what its bug needs. Take one of that away, and the bug does
 * not show: so one construct per case is given up, the one that costs the other programs least,
 * which is the first of a table that goes from rare to common. */
#ifndef ASSAY_INQUIRY_AVOID_H
#define ASSAY_INQUIRY_AVOID_H

#include "base/arena.h"
#include "program/testbed.h"

#include <stdbool.h>
#include <stdint.h>

/* One row of the table. */
struct avoidance {
    const char *construct;    /* for people: "bit-fields" */
    const char *patterns;     /* how it is seen in a C program: see scan_has */
    const char *smith, *yarp; /* settings, with blanks between; "" where there are none */
};
extern const struct avoidance avoidances[];
extern const int n_avoidances;

/* The settings for a generator of this name; "": there are none. */
const char *avoidance_settings(const struct avoidance *a, const char *generator);
/* The first row whose construct is in the text and for which the generator has settings; NULL: none
 * is. */
const struct avoidance *avoidance_find(const char *text, const char *generator);

/* What compilers lack (testbed/extensions.h) and a generator can do without. */
struct lacking {
    const char *const *all, *const *some; /* settings: of what none of them has; of the rest */
    int n_all, n_some;
    const char *what_all, *what_some; /* for people: "128-bit integers, vectors" */
};
/* What the user has set ("goto=0,int128=1"; NULL: nothing) is left alone. */
void avoidance_lacking(const struct testbed *testbeds, int n, const char *generator,
                       const char *given, struct arena *a, struct lacking *out);

/* In how many of four programs something is avoided. What some compilers lack: in half of them, for
 * those to have something to do. What known bugs need: in three, the rest keeps an eye on what
 * stands beside them. */
enum { AVOID_LACKING = 2, AVOID_KNOWN = 3 };
/* Is the program of this seed one of them? */
bool avoidance_applies(uint64_t seed, int of_four);

#endif
