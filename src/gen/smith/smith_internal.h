/* What the files of smith share: one program in the making.
 *
 * The order of the files is the order of generation: types, variables, expressions, functions
 * (which a call makes on demand, in the middle of an expression), statements, loops, jumps, the
 * whole. */
#ifndef ASSAY_GEN_SMITH_INTERNAL_H
#define ASSAY_GEN_SMITH_INTERNAL_H

#include "base/choice.h"
#include "cc/build.h"
#include "gen/smith/config.h"
#include "gen/smith/gtav.h"

typedef VEC(struct cc_var *) var_list;

struct smith_scope { /* a block around the current point */
    struct cc_stmt *block;
    size_t n_decls; /* its declarations stand first */
    int n_tested;   /* at its begin: what it declares is not tested behind it */
    var_list vars;
};

struct smith_iv { /* a loop variable and the values it takes inside the loop */
    struct cc_var *var;
    int64_t low, high;
};

struct smith_gather { /* an array whose elements are 0..high: subscripts. Only nests store there */
    struct cc_var *var;
    int64_t high;
};

struct smith_func {
    struct cc_func *f;
    int64_t cost;               /* nodes that one call evaluates at most */
    bool complete;              /* may be called */
    int depth_param;            /* the parameter that bounds its recursion; -1: none */
    bool recursive;             /* it calls itself, or another that calls it */
    struct smith_func *partner; /* that other one; NULL: none */
    struct cc_expr *usual[32];  /* by parameter: the constant that most calls pass; NULL: none */
    struct nest *nest;          /* all that its body does, see outline.c; NULL: anything */
    struct state in;            /* the facts that it was made with */
    uint32_t n_calls;           /* call sites */
};

struct smith_family { /* functions of one type, for tables of them */
    struct smith_func *members[4];
    int n;
};

enum { MOST_TESTED = 16 };

/* Where the generator stands; saved while a callee is made. */
struct smith_place {
    struct smith_func *func;
    VEC(struct smith_scope) scopes;
    VEC(struct smith_iv) ivs;
    int expr_depth, block_depth, loop_depth, switch_depth;
    int64_t room;  /* nodes that one call of this function may still cost */
    int64_t times; /* how often the current point runs per call, at most */
    bool simple;   /* no calls and no side effects: loop conditions, array statements */
    bool varied;   /* arguments differ from one iteration to the next */
    struct cc_var *tested[MOST_TESTED]; /* by conditions of the blocks around, see conds.c */
    int n_tested;
    struct cc_var *sum; /* of values that nobody read, see live.c; NULL: none yet */
};

struct smith {
    struct cc_program *p;
    struct choice *c;
    struct smith_config k;
    struct gtav g;
    struct arena *arena;

    VEC(const struct cc_type *) ints;    /* integer types to draw from, common ones repeated */
    VEC(const struct cc_type *) records; /* structs and unions */
    VEC(const struct cc_type *) enums;
    var_list globals;
    VEC(struct smith_gather) gathers;
    VEC(struct smith_func *) funcs;
    VEC(struct smith_family) families;
    struct smith_place at;

    int64_t size, tokens; /* in all, and still to make, about */
    uint32_t n_names;     /* for g_1, l_2, p_3: one sequence, as Csmith's */
    uint32_t n_planned;   /* functions whose arguments are being made */
    uint32_t n_func_names, n_labels;
    uint64_t n_backtracks; /* statements removed from loops by a failed fixed point */
    uint64_t n_rejected;   /* tentative nodes that were not valid */
    bool prefer_new;       /* the next call is one of a new function if that may be */
    bool aiming;           /* inside an array statement: prefer elements at the loop variables */
    bool aiming_floats;    /* and arrays of floats */
};

/* -- choices ---------------------------------------------------------------------------------- */

static inline bool wants(struct smith *s, enum smith_feature f) /* an opportunity for a feature */
{
    return s->k.feature[f] > 0 && choose_flip(s->c, s->k.feature[f]);
}
static inline bool may(const struct smith *s, enum smith_feature f) /* switched on at all */
{
    return s->k.feature[f] > 0;
}
static inline uint32_t pick(struct smith *s, size_t n)
{
    return (uint32_t)choose(s->c, n);
}
static inline int64_t between(struct smith *s, int64_t low, int64_t high)
{
    return low + (int64_t)choose(s->c, (uint64_t)(high - low + 1));
}
static inline bool percent(struct smith *s, int p)
{
    return choose(s->c, 100) >= (uint64_t)(100 - p); /* 0 is the simplest: no */
}
const char *new_name(struct smith *s, char kind);

/* Account for nodes that were made: what they cost to run, and how much text they are. */
static inline void spend(struct smith *s, int nodes)
{
    s->at.room -= nodes * s->at.times;
    s->tokens -= nodes * 2;
}

/* -- types.c ---------------------------------------------------------------------------------- */

void make_types(struct smith *s);
const struct cc_type *draw_int(struct smith *s);   /* any integer type */
const struct cc_type *draw_value(struct smith *s); /* integer, now and then float */
const struct cc_type *draw_variable_type(struct smith *s,
                                         bool global);             /* anything, with qualifiers */
uint32_t draw_alignment(struct smith *s, const struct cc_type *t); /* 0: its own */
bool copied_record(const struct cc_type *t);        /* without const and volatile parts */
const struct cc_type *draw_record(struct smith *s); /* one of those; NULL: there is none */

/* -- vars.c ----------------------------------------------------------------------------------- */

struct cc_expr *constant(struct smith *s, const struct cc_type *t); /* of integer type */
struct cc_expr *literal(struct smith *s, const struct cc_type *t);  /* as a number */
struct cc_expr *small_constant(struct smith *s, int64_t low, int64_t high);
struct cc_var *new_variable(struct smith *s, const struct cc_type *t, bool global);
struct cc_var *new_local_plain(struct smith *s, const struct cc_type *t,
                               struct cc_expr *init); /* no
qualifiers, automatic, in the innermost block */
struct cc_var *pick_variable(struct smith *s);        /* by Table 3.3; may be a new one */

enum wanted { WANT_INT, WANT_FLOAT, WANT_EXACT };
/* A valid lvalue that was read or may be written; NULL if none was found. For WANT_EXACT `t` is the
 * type without qualifiers. `place` gets its locations; reading has been done, storing not. */
struct cc_expr *readable(struct smith *s, enum wanted w, const struct cc_type *t, uint32_t *place,
                         uint32_t *set);
struct cc_expr *writable(struct smith *s, enum wanted w, const struct cc_type *t, bool read_too,
                         uint32_t *place);
/* An lvalue in the variable itself, or reached from it, that was read; NULL: none was found. */
struct cc_expr *readable_in(struct smith *s, struct cc_var *v, enum wanted w);
/* An lvalue whose address is a T* (t is T with qualifiers); always found. */
struct cc_expr *addressable(struct smith *s, const struct cc_type *t, uint32_t *place);
void declare(struct smith *s, struct smith_scope *scope, struct cc_var *v);

/* -- exprs.c ---------------------------------------------------------------------------------- */

struct cc_expr *integer(struct smith *s); /* a value of some integer type */
struct cc_expr *value_of(struct smith *s, const struct cc_type *t, uint32_t *set); /* of this type,
    or one that converts to it implicitly */
struct cc_expr *floating(struct smith *s); /* an exact value of double or float, see exprs.c */
struct cc_expr *pointer_value(struct smith *s, const struct cc_type *t, bool null_too,
                              uint32_t *set);
bool too_deep(const struct smith *s); /* only leaves from here */
/* c ? a value : another */
struct cc_expr *one_of_two(struct smith *s, struct cc_expr *c,
                           struct cc_expr *(*value)(struct smith *s));
struct cc_expr *assignment(struct smith *s, bool statement); /* NULL: nothing to assign to */
/* A statement that keeps an integer: it is stored to something, or goes into the sum of live.c. */
struct cc_stmt *store_or_use(struct smith *s, struct cc_expr *value);

/* -- conds.c ---------------------------------------------------------------------------------- */

struct cc_expr *condition(struct smith *s);
struct cc_expr *subject(struct smith *s);  /* what is worth a test: an integer that may vary */
bool is_constant(const struct cc_expr *e); /* reads nothing and calls nothing */

/* -- live.c ----------------------------------------------------------------------------------- */

void use_locals(struct smith *s); /* of the innermost block, which is complete */
struct cc_stmt *use_value(struct smith *s, struct cc_expr *value); /* a statement that keeps it */
struct cc_expr *with_sum(struct smith *s, struct cc_expr *value);  /* what is returned */
void drop_unused(struct smith *s);     /* when the program is complete */
void end_of_function(struct smith *s); /* before its return */

/* -- steer.c ---------------------------------------------------------------------------------- */

struct interp_options;
void turnable(struct cc_stmt *branch); /* an if or a switch: other constants, the opposite */
int64_t not_run(struct cc_stmt *st,
                int64_t *all); /* statements in it, and those that did not run */
struct interp_options smith_interp_options(const struct smith *s); /* smith.c */
void steer(struct smith *s, struct interp_options *o); /* the run will turn conditions */

/* -- floats.c: where p->ieee_floats ------------------------------------------------------------ */

void ieee_draw(struct smith *s); /* is it one of the programs that have them? */
void ieee_globals(struct smith *s);
double ieee_number(struct smith *s, const struct cc_type *t); /* for a constant of this type */
struct cc_expr *ieee_value(struct smith *s);                  /* float or double */
struct cc_expr *ieee_question(struct smith *s);               /* an int that tells of floats */
struct cc_expr *ieee_integer(struct smith *s);                /* one, converted */
struct cc_expr *ieee_assignment(struct smith *s); /* as a statement; NULL: a plain one is wanted */

/* -- funcs.c ---------------------------------------------------------------------------------- */

/* A call with a result that converts to `t` (NULL: any integer type), or NULL. */
struct cc_expr *call(struct smith *s, const struct cc_type *t, uint32_t *set);
struct cc_expr *call_existing(struct smith *s, struct smith_func *callee, uint32_t *set);
struct smith_func *make_entry(struct smith *s);
/* The body, which costs so much at most, and its summary; the facts after it are those after a
 * call. */
void make_body(struct smith *s, struct smith_func *fn, int64_t room);
/* Without a body; attributes and unit are drawn. */
struct smith_func *new_function(struct smith *s, const struct cc_type *result,
                                struct cc_var **params, int n);

/* -- encore.c --------------------------------------------------------------------------------- */

void encore(struct smith *s); /* at the end of the first function */

/* -- stmts.c ---------------------------------------------------------------------------------- */

void open_block(struct smith *s, struct cc_stmt *block);
void close_block(struct smith *s);
struct cc_stmt *innermost_block(struct smith *s);
struct cc_stmt *assign_stmt(struct smith *s); /* NULL: it has appended what there was to append */
struct cc_stmt *if_stmt(struct smith *s);
void statements(struct smith *s, int n); /* into the innermost block */
int block_size(struct smith *s);         /* drawn */
struct cc_stmt *block_of(struct smith *s, int n);
void function_body(struct smith *s, struct smith_func *f);

/* -- control.c -------------------------------------------------------------------------------- */

struct cc_stmt *switch_stmt(struct smith *s);

/* -- loops.c ---------------------------------------------------------------------------------- */

struct cc_stmt *for_stmt(struct smith *s);
struct cc_stmt *array_stmt(struct smith *s);
/* Walk a statement from the facts before it. If it is not valid, `at` is the index of the statement
 * in `block` that was not, SIZE_MAX if it was none of them. */
bool walk_watched(struct smith *s, struct cc_stmt *st, const struct cc_stmt *block,
                  const struct state *before, size_t *at);

/* The fixed point over all iterations of a loop from the facts before it; what does not survive
 * them is removed from its body. False: nothing helps. */
bool settled(struct smith *s, struct cc_stmt *loop, const struct state *before);

/* -- nests.c ---------------------------------------------------------------------------------- */

struct nest;
struct cc_stmt *nest_block(struct smith *s, struct nest *n);
struct cc_stmt *nest_stmt(struct smith *s); /* a block, with its variables */

/* -- idioms.c --------------------------------------------------------------------------------- */

struct cc_stmt *idiom_stmt(struct smith *s);

/* -- jumps.c ---------------------------------------------------------------------------------- */

/* Jumps in a complete body, each kept only if the function is still valid (4.3.3). */
void add_jumps(struct smith *s, struct smith_func *f);
/* Walk a function whose body was changed: is it valid? Then its summary is that of the new body. */
bool still_valid(struct smith *s, struct smith_func *fn);
void remove_stmt(struct cc_stmt *block, const struct cc_stmt *s);
size_t n_decls(const struct cc_stmt *block); /* they stand first */
/* A while or do loop and the statement before it, which sets its variable, are not parted: a jump
 * between them would leave the variable as it was. */
size_t before_counter(const struct cc_stmt *block, size_t at);

/* -- recursion.c ------------------------------------------------------------------------------ */

/* Self-calls in a complete body, or calls of a function that calls it; kept only if valid. */
void add_recursion(struct smith *s, struct smith_func *fn);
/* Only a function that leaves all facts outside of itself as they were may call itself: then its
 * effects are all that a self-call has. */
bool changes_no_fact(const struct gtav_summary *sum);

#endif
