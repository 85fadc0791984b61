/* The tree under construction, and the values of its attributes.
 *
 * Evaluation is incremental (IV-A3): each rule of an expanded node counts the sources that it still
 * lacks; an attribute that becomes known counts down the rules that wait for it, and a rule at 0
 * goes to the list of work. Taking a subtree away does the reverse. Nothing is scanned, and nothing
 * recurses on the height of the tree: lists of 100,000 elements are as deep as they are long.
 *
 * A guarded node is built by a search of its own (search.c). While that runs, `held` is the node,
 * and what it synthesizes stays inside: the rest of the tree sees it when the search has succeeded.
 * So whatever is taken away concerns only the subtree under construction (IV-B2). */
#ifndef ASSAY_AG_TREE_H
#define ASSAY_AG_TREE_H

#include "ag/plan.h"
#include "ag/value.h"
#include "base/vec.h"

enum node_state {
    NODE_PENDING, /* not guarded, to be expanded */
    NODE_WAITING, /* guarded: not all inherited attributes are known */
    NODE_READY,   /* guarded: they are */
    NODE_DONE,    /* guarded: built; not guarded: expanded */
};

struct node {
    struct node *parent;
    const struct plan_class *class;
    const struct plan_production *production; /* NULL: not expanded */
    struct node **child;                      /* [n_children], in the body */
    lala *loc;                                /* [n_locs], in the body: values so far */
    uint8_t *missing;                         /* [n_rules], in the body: unknown sources */
    lala value;     /* literal, generator: what was chosen; tree: its number, where it has one */
    uint64_t known; /* which attributes are */
    uint64_t seen;  /* pattern.c: attributes that were followed, as of `mark` */
    uint32_t mark;  /* pattern.c: the round in which it was kept */
    uint32_t serial;
    uint32_t queue;  /* READY, PENDING: index in tree->ready or tree->pending */
    int32_t budget;  /* of height */
    uint32_t length; /* of a list: how many elements precede it */
    uint16_t index;  /* in the parent's children */
    uint8_t state;
    uint8_t missing_inherited;
    lala attr[]; /* [n_attrs] */
};

struct todo {
    struct node *node;
    int rule;
};
struct printing { /* print.c */
    struct node *node;
    int piece;
    bool parens; /* one is to be closed behind it */
};
struct stale {
    struct node *node;
    int slot;
};

struct tree_stats {
    int64_t nodes;        /* of the finished program */
    int64_t created;      /* nodes ever made for it */
    int64_t searches;     /* calls of FUZZ */
    int64_t alternatives; /* calls of ALTERNATIVE that found one */
    int64_t refused;      /* productions whose guard failed before anything was built */
    int64_t patterns;     /* fail patterns */
    int64_t heights;      /* failures for lack of height */
    int64_t shortened;    /* lists */
    int64_t restarts;
    int64_t rules; /* evaluated */
};

struct tree {
    const struct plan *plan;
    struct lala_env *env;
    struct node *root;
    struct node *held;
    lala *strings; /* plan->strings as values */
    struct arena memory;
    void *free[128]; /* blocks that were given back, by size */
    VEC(struct todo) work;
    VEC(struct stale) stale;
    VEC(struct node *) ready;   /* guarded nodes that can be searched; NULL: gone */
    VEC(struct node *) pending; /* nodes to expand; NULL: gone */
    VEC(struct printing)
    printing;                /* nodes whose text is begun; here, so that a crash loses nothing */
    int64_t unfinished;      /* guarded nodes of the current search that are not done */
    VEC(struct todo) faults; /* rules whose guard is false or whose answer is undefined */
    int64_t live;            /* nodes that stand */
    uint32_t serials;
    const struct code *calling; /* the function that runs, for whoever sees it crash */
    struct tree_stats stats;
};

void tree_init(struct tree *t, const struct plan *plan);
void tree_release(struct tree *t);
/* A new tree: only its root, not expanded. All values of the last one are gone. */
void tree_begin(struct tree *t);

/* Expand a node, whose value is set where it needs one: its children are made, and its rules start.
 * A child that is not guarded becomes pending, one that is waits for its attributes. */
void tree_expand(struct tree *t, struct node *n, const struct plan_production *p);
/* Evaluate whatever can be; what is false or undefined goes to `faults`. */
void tree_evaluate(struct tree *t);
/* An expression of the production, in the context of the node. NULL: undefined. `p` may be tried on
 * a node that is not expanded, as long as no child is read. */
lala tree_eval(struct tree *t, struct node *n, const struct plan_production *p,
               const struct code *c);
/* The search of this node has succeeded: the parent's rules may see what it synthesized. */
void tree_release_attributes(struct tree *t, struct node *n);
/* Take the subtree below the node away, and whatever depended on it. */
void tree_deconstruct(struct tree *t, struct node *n);
/* The attribute of the node gets a value that its rules may wait for. */
void tree_set(struct tree *t, struct node *n, int slot, lala value);

/* Lists (IV-B1). Give `n`, expanded by a production with a rest, the production `base` instead,
 * keeping the elements whose inherited attributes stay the same. */
void tree_shorten(struct tree *t, struct node *n, const struct plan_production *base);
/* Give `n` what `rest`, a later link of the list that begins there, was expanded to. False where
 * that would not have the same attributes there. */
bool tree_hoist(struct tree *t, struct node *n, struct node *rest);

void tree_enqueue(struct tree *t, struct node *n); /* pending or ready, as it is */
void tree_dequeue(struct tree *t, struct node *n);

/* The next node of the subtree of `top` in preorder; NULL at the end. */
struct node *tree_next(const struct node *top, struct node *n);
/* The same, leaving out the nodes below n. */
struct node *tree_skip(const struct node *top, struct node *n);

/* Every rule of a finished tree evaluated again: does each attribute have the value that its rule
 * gives it, and is every guard true? NULL, or the node at which it is not so. For debug builds and
 * tests. */
struct node *tree_verify(struct tree *t);

size_t tree_node_size(const struct plan_class *c);
size_t tree_body_size(const struct plan_production *p);

/* print.c: the text of the program; the tree for people and as JSON. */
void tree_print(struct tree *t, struct strbuf *out);
void tree_dump(struct tree *t, bool json, struct strbuf *out);

#endif
