/* Regular expressions that people write in files: patterns, and substitutions s/FROM/TO/.
 *
 * POSIX extended ones, matched line by line. The C library writes repetitions out when it compiles
 * them, each `+` twice and each {n} n times: a line of thirty `+` takes gigabytes. So there is one
 * way to compile an expression that came from outside, and it refuses what would grow too large. */
#ifndef ASSAY_BASE_PATTERN_H
#define ASSAY_BASE_PATTERN_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <regex.h>

enum {
    PATTERN_LONGEST = 1000, /* characters */
    PATTERN_DEEPEST = 20,   /* groups in groups */
    PATTERN_LARGEST = 1000, /* parts, repetitions written out */
};

struct pattern {
    const char *text; /* NULL: none */
    regex_t regex;
};

struct substitution {
    struct pattern from;
    const char *to;
};

typedef VEC(struct pattern) pattern_list;
typedef VEC(struct substitution) substitution_list;

/* `text` is kept, not copied. On failure, which is one of usage, there is nothing to release. */
int pattern_compile(struct pattern *out, const char *text, struct error *e);
/* "s/FROM/TO/" with any delimiter; both texts live in the arena. */
int substitution_compile(struct substitution *out, const char *text, struct arena *a,
                         struct error *e);
/* Also of one that is none. */
void pattern_release(struct pattern *p);

#endif
