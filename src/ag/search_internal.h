/* What search.c and derive.c share: the state of a search, and its single steps.
 *
 * A search may be guided: derive.c then says what a node becomes, for those nodes that stand in its
 * derivation, and the search decides only about the others. */
#ifndef ASSAY_AG_SEARCH_INTERNAL_H
#define ASSAY_AG_SEARCH_INTERNAL_H

#include "ag/derive.h"
#include "ag/pattern.h"
#include "ag/search.h"
#include "base/map.h"

enum outcome { SUCCESS, FAIL, HEIGHT };

struct frame {
    struct node *root;
    size_t patterns;          /* its fail patterns begin here in search->patterns */
    size_t ready, ready_next; /* its part of tree->ready, and what comes next */
    size_t pending;           /* its part of tree->pending */
    int64_t unfinished;       /* of the search around it */
    int alternatives;         /* so far */
    bool height;              /* it failed somewhere for lack of height */
    struct node *failed;      /* the node that could not be built last */
    uint64_t refused[PLAN_MAX_PRODUCTIONS / 64]; /* productions of the root whose guard is false */
};

struct pool { /* of a literal class: NULL where nothing was drawn yet */
    lala *values;
    int n;
};

struct saying { /* what a node printed before, and a place where it will print again */
    struct node *node;
    uint32_t serial; /* of the node */
    int piece;
    const char *before;
};

struct guide {                      /* derive.c */
    const struct ag_derivation *of; /* NULL: the search is free */
    enum ag_derive_mode mode;
    VEC(uint32_t) plans;        /* [serial of a node]: 1 + its place in the derivation; 0: free */
    VEC(struct saying) sayings; /* not yet compared */
    struct map names;           /* name before -> the name now, as a string in `memory` */
    struct map taken;           /* name now -> that it is the name of something */
    struct arena memory;
};

struct ag_search {
    struct arena arena;
    struct plan *plan;
    struct ag_options options;
    struct tree tree;
    struct patterns learned;
    VEC(struct trimmed) patterns; /* of all searches, innermost last */
    VEC(struct frame) frames;
    VEC(struct trimmed) live; /* those that concern the node at hand, trimmed to it */
    bool covered;             /* a pattern matches whatever is built at the node at hand */
    struct pool *pools;       /* [class] */
    struct choice *choice;
    int64_t effort; /* left for this tree */
    int64_t size;
    enum outcome outcome;
    struct guide guide;
};

/* search.c: a new tree, of which only the root is there; then steps until no frame is left, or no
 * effort. */
void search_begin(struct ag_search *s, int attempt);
void search_step(struct ag_search *s);
/* The values that a generator offers; undefined where it cannot say. */
lala search_offered(struct ag_search *s, struct node *n);
/* The error for a runtime function that died of this signal; -1. */
int search_crashed(struct ag_search *s, int signal, struct error *e);

/* derive.c */
void guide_init(struct guide *g);
void guide_release(struct guide *g);
/* Does the derivation say what becomes of the node? */
bool guide_knows(const struct ag_search *s, const struct node *n);
/* Expand it so. False where it does not fit. */
bool guide_expand(struct ag_search *s, struct node *n);
/* What the derivation says of this node cannot be had: the search may do with it what it likes. */
void guide_forget(struct ag_search *s, const struct node *n);

/* edit.c: spans, parents and rests, from the nodes in preorder and their productions. */
void ag_derivation_settle(const struct ag_search *s, struct ag_derivation *d);

#endif
