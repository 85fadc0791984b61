/* Reduction of LALA programs on their trees.
 *
 * Candidates are trees of the specification with something taken away or replaced by something
 * smaller, and all attributes evaluated again (ag/derive.h). What follows from the change follows:
 * names that count are counted anew, a use of what is gone becomes a use of something that is
 * there, and a part that has become wrong is replaced by the smallest that is right. A candidate
 * whose guards cannot all be true is refused and never tested, and so is one that is not smaller
 * than the best: fewer bytes, or as many and fewer nodes, or as many and simpler leaves.
 *
 *     lists     of their elements halves, quarters, ... single ones, outer lists first
 *     edits     all others, those first that take most away: a subtree becomes the smallest of its
 *               class, or a part of its own, or one from elsewhere; an element of a list becomes
 *               all of its parts that could be elements; a production becomes one with fewer
 *               children; a leaf or a number becomes the simplest
 *
 * again and again until neither finds anything. */
#ifndef ASSAY_REDUCE_LALA_H
#define ASSAY_REDUCE_LALA_H

#include "reduce/reduce.h"

struct ag_search;

struct reduce_lala {
    struct ag_search *search;
    void *of;
    /* The program of the tree that the search holds now. */
    int (*program)(void *of, struct arena *a, struct program *out, struct error *e);
    /* What became of the candidates, for those who want to know. */
    struct {
        int64_t derived; /* trees that were built */
        int64_t invalid; /* no tree satisfies all guards */
        int64_t larger;  /* one does, but it is not smaller than the best */
    } stats;
};

/* Reduces r->best, which is the program of the tree that the search holds, as far as it can. The
 * number of steps that were kept, or -1. Afterwards the search holds the tree of the best. */
int reduce_lala(struct reduction *r, struct reduce_lala *l, struct error *e);

#endif
