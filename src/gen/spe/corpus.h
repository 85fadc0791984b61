/* A folder of C programs as a list of skeletons, smallest first (SPE 5.2).
 *
 * Every file in the folder and in those below it is parsed once to count its variants, which takes
 * a few milliseconds each; the list is then kept in the user's cache folder ($XDG_CACHE_HOME/assay
 * or ~/.cache/assay) under a name that depends on everything it was made from: settings, versions,
 * and what is in the files. What they include is not looked at. A file that failed by a limit on
 * time or memory is left out, and tried again when the list is used next. So are those that were
 * not reached when counting was interrupted: the list so far is kept every few hundred files. */
#ifndef ASSAY_GEN_SPE_CORPUS_H
#define ASSAY_GEN_SPE_CORPUS_H

#include "gen/spe/subject.h"

struct corpus_options {
    struct subject_options subject;
    uint64_t threshold; /* skeletons with more variants are too large */
    bool sample;        /* these are sampled, else left out */
    uint64_t variants;  /* at most so many of each skeleton; 0: up to the threshold */
    uint64_t files;     /* the first so many skeletons only; 0: all */
    int radius;         /* only variants with so few holes changed; 0: any */
    bool intra;         /* one function at a time */
    bool with_main;     /* only files that have one */
    bool cxx;           /* files of C++, which are only compiled: `has_main` is false */
    int keep_every;     /* files, after which the list so far is kept; 0: 256 */
    void (*progress)(int done, int all); /* files, while they are counted; NULL: nobody looks */
};

struct corpus_unit {
    const char *path;
    const char *function; /* NULL: all of them */
    bool has_main;        /* in its file */
    const char *count;    /* variants (within the radius), in decimal digits */
    uint64_t take;        /* of them */
    bool sampled;         /* not all are taken, and not the first ones */
    uint64_t first;       /* number of its first variant in the whole corpus */
};

struct corpus {
    VEC(struct corpus_unit) units;
    VEC(const char *) again;       /* files that failed by a limit, or were not reached */
    uint64_t total;                /* variants */
    int files, unparsed, no_holes; /* of the folder; those of `again` are unparsed */
    int no_main, too_large;        /* skeletons that are left out */
    int only_compiled;             /* those without main that are not */
    struct arena arena;
};

int corpus_open(const char *dir, const struct corpus_options *o, struct corpus *out,
                struct error *e);
void corpus_close(struct corpus *c);
/* The skeleton that variant `i` of the corpus is of, i < total. */
const struct corpus_unit *corpus_find(const struct corpus *c, uint64_t i);

/* All files *.c, or those of C++, of a folder and of those in it, sorted by path; in the arena. */
int corpus_files(const char *dir, bool cxx, struct arena *arena, const char ***out, int *n,
                 struct error *e);

#endif
