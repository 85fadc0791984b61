/* The search for a tree that satisfies all guards: FUZZ, ALTERNATIVE and what they need (IV-B).
 *
 *     ag_search_new     for a checked specification, with features, heights and weights
 *     ag_search_next    one tree, determined by the choices
 *     ag_search_text    ... as a program
 *
 * Deterministic: the same choices, the same tree, whatever was searched before. A sequence of
 * choices that was cut short still yields a valid tree, because every tree that is accepted
 * satisfies all guards. */
#ifndef ASSAY_AG_SEARCH_H
#define ASSAY_AG_SEARCH_H

#include "ag/spec.h"
#include "ag/tree.h"
#include "base/choice.h"

struct ag_search;

struct ag_options {
    const char *features;      /* enabled, with commas between; NULL: none */
    int max_height;            /* where a class has no @max_height; 0: no limit */
    int64_t size;              /* nodes after which it looks for an end; 0: no limit */
    const struct map *weights; /* "Class.production" -> number; may be NULL */
    bool no_fail_patterns; /* plain backtracking, for the benchmark: skeletons are built as a whole
                            * before a guard is looked at, and what failed is excluded as it is */
    int64_t effort;        /* alternatives before it begins anew; 0: the default */
};

int ag_search_new(const struct ag_spec *spec, const struct ag_options *options,
                  struct ag_search **out, struct error *e);
void ag_search_free(struct ag_search *s);

/* -1: no tree could be found, or a runtime function crashed: the error says which. */
int ag_search_next(struct ag_search *s, struct choice *c, struct error *e);

/* Of the last tree. -1: a runtime function crashed. */
int ag_search_text(struct ag_search *s, struct strbuf *out, struct error *e);
void ag_search_tree(struct ag_search *s, bool json, struct strbuf *out);
const struct tree_stats *ag_search_stats(const struct ag_search *s);
size_t ag_search_memory(const struct ag_search *s); /* bytes in use for trees and values */

#endif
