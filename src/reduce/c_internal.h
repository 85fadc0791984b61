/* Shared by the C reducer's files. */
#ifndef ASSAY_REDUCE_C_INTERNAL_H
#define ASSAY_REDUCE_C_INTERNAL_H

#include "interp/interp.h"
#include "reduce/c.h"
#include "reduce/c_rebuild.h"

/* A place where something can be taken away: what it takes. Most need one edit. */
struct site {
    struct edit edits[2];
    int n;
};

struct shrink {
    struct reduction *r;
    const struct reduce_c *c;
    struct cc_program tree; /* of the best case, but for what this pass has changed already */
    struct arena trees[2];  /* where it lives, and where the next one goes */
    int tree_in;
    struct rebuild_options options; /* how it is built and printed from now on */
    struct cc_print_options print;
    edit_list taken; /* by the pass at work: the best case is the tree with these edits */
    VEC(struct site) sites;
    struct interp *known;     /* a run of the tree, for values and coverage; NULL: not yet */
    uint64_t max_steps;       /* of interp */
    const char *const *names; /* of the files */
    int level;                /* of statements: what the pass looks at */
    struct interp_ub ub;      /* of the last candidate, where one operation is undefined */
    bool ends_well;           /* the first program returns 0, and so must all others */
};

/* Who looks at a program for sites; each may be NULL. */
struct visit;
struct c_visitor {
    void (*stmt)(struct visit *v, const struct cc_stmt *s);
    void (*expr)(struct visit *v, const struct cc_expr *e);
    void (*var)(struct visit *v, const struct cc_var *x);
};

/* A pass lists sites. Groups of them are tried together, at most `most` (0: all). */
struct c_pass {
    const char *name;
    struct c_visitor visit;         /* sees each node and adds its sites, or */
    void (*list)(struct shrink *k); /* lists them by itself */
    size_t most;
    bool may_tie; /* a candidate may be as long as what was there, or a little longer */
    bool levels;  /* it is run once for each level of nesting */
};
extern const struct c_pass c_passes[];
extern const int n_c_passes;
extern const struct c_pass c_last_pass; /* once, when all others are done */

/* The sites of the pass in the tree as it is. */
void c_collect(struct shrink *k, const struct c_pass *pass);

/* Of a program with one undefined operation: is it still that, by the same rule? The valid way has
 * been run. */
bool undefined_judge(struct shrink *k, struct cc_program *p, const struct interp_options *o);
/* Both programs; after the judgement. */
void undefined_print(struct shrink *k, struct cc_program *p, struct arena *a,
                     struct reduce_case *out);

bool shrink_value(struct shrink *k, const struct cc_expr *e, cc_wide *value);

/* Every name short, in the order of the program; one site with all of it would be too large, so
 * that it has its own list of edits. */
void shrink_names(struct shrink *k, struct arena *a, edit_list *out);

#endif
