/* What the files of the generator share. */
#ifndef ASSAY_GEN_GRAFT_GRAFT_INTERNAL_H
#define ASSAY_GEN_GRAFT_GRAFT_INTERNAL_H

#include "base/choice.h"
#include "cc/build.h"
#include "gen/graft/copy.h"
#include "gen/graft/graft.h"
#include "gen/graft/library.h"
#include "interp/interp.h"

/* -- sites (sites.c) --------------------------------------------------------------------------- */

/* A place in the host that was executed. */
struct site {
    struct cc_func *func;
    struct cc_stmt *stmt;  /* in which the expression is, or ahead of which there is room */
    struct cc_stmt *block; /* that the statement is in; NULL: an expression is the place */
    struct cc_expr **slot; /* an integer value; NULL: a statement is the place */
    bool loose;            /* it is stored or passed, so that no bounds depend on it at once */
};
typedef VEC(struct site) site_list;

/* Those of all functions, in the order of the text: expressions, and statements in blocks. */
void sites_find(const struct cc_program *p, site_list *exprs, site_list *stmts);
/* What may be named there: the first n globals, parameters, locals declared ahead. */
typedef VEC(struct cc_var *) var_list;
void sites_visible(const struct cc_program *p, const struct site *s, size_t n, var_list *out);
/* After expressions have been exchanged: `effects` and `calls` of whatever they are part of. */
void sites_refresh(struct cc_program *p);

/* -- grafts (plant.c) -------------------------------------------------------------------------- */

/* A call in the place of a value. While it is tried it stands as `call ? old : old`, which leaves
 * the host as it was; then it becomes what its values allow. */
struct graft {
    const struct graft_function *function;
    const struct cc_func *copied;
    struct cc_stmt *at;    /* the host's statement */
    struct cc_expr **slot; /* of an expression; else: */
    struct cc_stmt *block, *added;
    struct cc_expr *old;
    struct cc_expr *kept;  /* the same value, as it can be written anywhere */
    struct cc_expr *value; /* the call, or an element of what it wrote */
    bool free;             /* stands in the place of a value without keeping it */
    bool dropped;
};

struct planter {
    struct cc_program *p;
    struct choice *c;
    struct arena *a;
    const struct graft_library *library;
    struct copy *copy;
    bool may_change; /* the host stays defined whatever its values are */
    site_list exprs, stmts;
    size_t n_globals; /* of the host */
    var_list visible; /* at the site in work */
    VEC(struct graft) grafts;
    uint32_t mark;      /* of the variables that the graft in work brings along */
    struct cc_var *sum; /* of these: the one for results that have no place in the host; or NULL */
    int n_sums, n_buffers;
    int depth; /* of calls in arguments */
};

void planter_init(struct planter *t, struct cc_program *p, struct choice *c,
                  const struct graft_library *l, struct arena *a);
void planter_release(struct planter *t);
/* Put n grafts in, to be tried. */
void plant(struct planter *t, int n);
/* All values of the run are known: give each graft its form. */
void plant_settle(struct planter *t, const struct interp *in);
/* Take out what may be to blame for a run that failed. False: nothing is left. */
bool plant_drop(struct planter *t, const struct interp_ub *ub);

/* -- arguments (args.c) ------------------------------------------------------------------------ */

/* A call of a function with arguments in its domain, as an expression of integer type. `given`: a
 * value of the host that is to be among the arguments if one takes it, and *taken says so; NULL:
 * none. `block`: where arrays may be declared ahead of the call; NULL: nowhere. */
struct cc_expr *args_call(struct planter *t, const struct graft_function *f, struct cc_stmt *block,
                          struct cc_expr *given, bool *taken, const struct cc_func **copied);
const struct graft_function *args_draw_function(struct planter *t);
/* What the graft in work adds results to: a global of its own. Two in one expression would be in
 * no order if they shared one. */
struct cc_var *args_sum(struct planter *t);

#endif
