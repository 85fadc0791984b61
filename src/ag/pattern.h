/* Fail patterns (IV-A1): trees of productions with wildcards that no program may contain.
 *
 * A pattern is the list of its nodes in preorder; whatever is not in the list is a wildcard. A
 * subtree of it is then a range of the list: trimming (IV-B1) copies nothing, and matching is one
 * walk along the list, however deep the tree is. Literals and generators match by their values,
 * which are interned: the same value is the same pointer.
 *
 * A node that is not expanded matches only a wildcard: whether the pattern fits is decided when the
 * last of its nodes is built. */
#ifndef ASSAY_AG_PATTERN_H
#define ASSAY_AG_PATTERN_H

#include "ag/tree.h"

struct pattern_entry {
    const struct plan_production *production;
    lala value;      /* NULL: any */
    uint32_t parent; /* index of the entry above */
    uint32_t size;   /* entries of this subtree, with itself */
    uint16_t index;  /* which child of the one above */
};

struct pattern {
    uint32_t n;
    struct pattern_entry entry[];
};

struct trimmed { /* the subtree of a pattern that begins at an entry */
    const struct pattern *pattern;
    uint32_t at;
    int differs; /* search.c: it cannot match before this many alternatives were made; 0: unknown */
};

enum { PATTERN_DIFFERS = -2, PATTERN_WILD = -1 };

struct patterns { /* what matching and learning need, kept from call to call */
    struct arena memory;
    VEC(struct node *) node_of; /* [entry - at] of the last match */
    VEC(struct stale) follow;   /* attributes to follow */
    uint32_t round;
    bool firm;  /* the last match differed at a node that is expanded */
    bool naive; /* no generalisation: the whole tree (the ablation) */
};

void patterns_init(struct patterns *p);
void patterns_release(struct patterns *p);
void patterns_begin(struct patterns *p); /* of a new tree */

/* FILTERANDTRIM for one pattern: does it match `root` everywhere outside `target`? The entry that
 * stands for `target`; PATTERN_WILD where a wildcard covers it; PATTERN_DIFFERS. With target NULL:
 * PATTERN_WILD where all of it matches. */
int64_t pattern_match(struct patterns *p, struct trimmed f, struct node *root,
                      const struct node *target);

/* NEWFAILPATTERN in three steps: begin; keep whatever the failure depended on; make. */
void pattern_begin(struct patterns *p);
/* The chain from `root` to the node. */
void pattern_keep(struct patterns *p, const struct node *root, struct node *n);
/* The nodes of a pattern that matches `root` around `target`. */
void pattern_keep_context(struct patterns *p, struct trimmed f, struct node *root,
                          const struct node *target);
/* All nodes on which the inherited attributes of `n` depend. */
void pattern_keep_inherited(struct patterns *p, const struct node *root, struct node *n);
/* All nodes on which the rule of an expanded node depends. */
void pattern_keep_rule(struct patterns *p, const struct node *root, struct node *n, int rule);
/* NULL where nothing was kept: then nothing can be changed either. */
const struct pattern *pattern_make(struct patterns *p, struct node *root, bool values);

#endif
