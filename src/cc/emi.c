/* Each change looks at the program anew: the statements that never ran are listed, those that the
 * change can be made of are kept, one is drawn. A program has some ten thousand nodes and a variant
 * eight changes, so that nothing is worth remembering from one to the next.
 *
 * That `ran` is false does not mean that nothing in a statement ran, as a goto may lead into its
 * middle: dead is a statement of which no part ran, statement or expression. The place before a
 * dead statement of a block is dead as well, since whoever came there would have gone on to it. */
#include "cc/emi.h"

#include "base/error.h"
#include "cc/build.h"
#include "cc/walk.h"

enum { MOST_COPIED = 400 }; /* nodes of a copy: copies of copies must not double the program */

enum change { LEAVE, PRUNE, INSERT, SWAP, N_CHANGES };
static const unsigned change_weight[N_CHANGES] = {1, 4, 5, 2};

enum wrapping { AS_IT_IS, IN_IF, IN_WHILE, N_WRAPPINGS };
static const unsigned wrapping_weight[N_WRAPPINGS] = {3, 2, 1};

typedef VEC(struct cc_var *) vars;

struct site { /* where a dead statement hangs */
    struct cc_func *func;
    struct cc_stmt *parent; /* the block, if or loop that it is part of */
    struct cc_stmt **slot;  /* in the parent */
};
typedef VEC(struct site) sites;

/* -- questions -------------------------------------------------------------------------------- */

static bool is_expr_run(const struct cc_expr *e, void *to)
{
    (void)to;
    return e->ran;
}

static bool any_ran(const struct cc_expr *e)
{
    return cc_walk_expr(e, &(struct cc_walk){.expr = is_expr_run});
}

static bool is_use(const struct cc_expr *e, void *to)
{
    return e->kind == CC_E_VAR && e->var == to;
}

static bool uses(const struct cc_stmt *s, struct cc_var *v)
{
    return cc_walk_stmt(s, &(struct cc_walk){.expr = is_use, .to = v});
}

struct label_count {
    const struct cc_stmt *label;
    int n;
};

static bool count_goto(const struct cc_stmt *s, void *to)
{
    struct label_count *c = to;
    c->n += s->kind == CC_S_GOTO && s->target == c->label;
    return false;
}

static int gotos_to(const struct cc_stmt *label, const struct cc_stmt *in)
{
    struct label_count c = {label, 0};
    cc_walk_stmt(in, &(struct cc_walk){.stmt = count_goto, .to = &c});
    return c.n;
}

static bool is_same(const struct cc_stmt *s, void *to)
{
    return s == to;
}

static bool holds(const struct cc_stmt *s, struct cc_stmt *part)
{
    return cc_walk_stmt(s, &(struct cc_walk){.stmt = is_same, .to = part});
}

/* How a statement hangs together with what is around it. */
struct ties {
    const struct cc_stmt *whole, *body; /* the statement, and its function */
    bool jumped_into, jumps_out;        /* by goto */
    bool leaves_loop;                   /* break or continue of a loop or switch around it */
    bool has_cases;                     /* of a switch around it */
    bool has_labels, has_gotos, has_statics;
    bool has_blocks; /* in expressions: GNU's, of imported programs */
    int nodes;
};

static bool count_expr(const struct cc_expr *e, void *to)
{
    struct ties *t = to;
    t->nodes++;
    t->has_blocks |= e->kind == CC_E_STMTS;
    return false;
}

static void count_exprs(struct ties *t, const struct cc_expr *e)
{
    cc_walk_expr(e, &(struct cc_walk){.expr = count_expr, .to = t});
}

/* `breaks`, `continues`, `cases`: is there something in the whole that they would belong to? */
static void find_ties(struct ties *t, const struct cc_stmt *s, bool breaks, bool continues,
                      bool cases)
{
    if (!s)
        return;
    t->nodes++;
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_BREAK:
        t->leaves_loop |= !breaks;
        break;
    case CC_S_CONTINUE:
        t->leaves_loop |= !continues;
        break;
    case CC_S_CASE:
    case CC_S_DEFAULT:
        t->has_cases |= !cases;
        break;
    case CC_S_GOTO:
        t->has_gotos = true;
        t->jumps_out |= !holds(t->whole, s->target);
        break;
    case CC_S_LABEL:
        t->has_labels = true;
        t->jumped_into |= gotos_to(s, t->whole) != gotos_to(s, t->body);
        break;
    case CC_S_DECL:
        t->has_statics |= s->var->storage != CC_AUTO;
        count_exprs(t, s->var->init);
        break;
    case CC_S_FOR:
    case CC_S_WHILE:
    case CC_S_DO:
        breaks = continues = true;
        break;
    case CC_S_SWITCH:
        breaks = cases = true;
        break;
    default:
        break;
    }
    count_exprs(t, s->expr);
    count_exprs(t, s->init);
    count_exprs(t, s->step);
    for (size_t i = 0; i < s->list.n; i++)
        find_ties(t, s->list.at[i], breaks, continues, cases);
    find_ties(t, s->a, breaks, continues, cases);
    find_ties(t, s->b, breaks, continues, cases);
}

static struct ties ties_of(const struct cc_stmt *s, const struct cc_func *f)
{
    struct ties t = {.whole = s, .body = f->body};
    find_ties(&t, s, false, false, false);
    return t;
}

static bool contains(const vars *v, const struct cc_var *var)
{
    for (size_t i = 0; i < v->n; i++)
        if (v->at[i] == var)
            return true;
    return false;
}

static bool add_use(const struct cc_expr *e, void *to)
{
    if (e->kind == CC_E_VAR && !contains(to, e->var))
        vec_push((vars *)to, e->var);
    return false;
}

static bool add_decl(const struct cc_stmt *s, void *to)
{
    if (s->kind == CC_S_DECL)
        vec_push((vars *)to, s->var);
    return false;
}

/* The variables that a statement names and does not declare. */
static vars free_vars(const struct cc_stmt *s)
{
    vars used = {0}, own = {0}, out = {0};
    cc_walk_stmt(s, &(struct cc_walk){.expr = add_use, .to = &used});
    cc_walk_stmt(s, &(struct cc_walk){.stmt = add_decl, .to = &own});
    for (size_t i = 0; i < used.n; i++)
        if (!contains(&own, used.at[i]))
            vec_push(&out, used.at[i]);
    vec_release(&used);
    vec_release(&own);
    return out;
}

/* -- places ----------------------------------------------------------------------------------- */

/* Dead statements at and below the slot, each after its parts; returns whether it is dead. */
static bool add_sites(sites *out, struct cc_func *f, struct cc_stmt *parent, struct cc_stmt **slot)
{
    struct cc_stmt *s = *slot;
    bool dead = !s->ran && !any_ran(s->expr) && !any_ran(s->init) && !any_ran(s->step);
    /* a static variable is initialised before everything, wherever it stands */
    if (s->kind == CC_S_DECL && s->var->storage == CC_AUTO)
        dead &= !any_ran(s->var->init);
    for (size_t i = 0; i < s->list.n; i++)
        dead &= add_sites(out, f, s, &s->list.at[i]);
    if (s->a)
        dead &= add_sites(out, f, s, &s->a);
    if (s->b)
        dead &= add_sites(out, f, s, &s->b);
    if (dead && parent)
        vec_push(out, (struct site){f, parent, slot});
    return dead;
}

static sites dead_sites(struct cc_program *p)
{
    sites out = {0};
    for (size_t i = 0; i < p->funcs.n; i++)
        if (p->funcs.at[i] != p->main && p->funcs.at[i]->body)
            add_sites(&out, p->funcs.at[i], NULL, &p->funcs.at[i]->body);
    return out;
}

static bool is_nothing(const struct cc_stmt *s)
{
    return s->kind == CC_S_EMPTY || s->kind == CC_S_COMMENT ||
           (s->kind == CC_S_BLOCK && s->list.n == 0);
}

static bool in_block(const struct site *s)
{
    return s->parent->kind == CC_S_BLOCK;
}

static bool is_last_return(const struct site *s)
{
    const struct cc_stmt *body = s->func->body;
    return s->parent == body && (*s->slot)->kind == CC_S_RETURN &&
           s->slot == &body->list.at[body->list.n - 1];
}

struct path {                     /* from the body of a function to a place in it */
    VEC(struct cc_stmt *) blocks; /* outermost first */
    vars visible;                 /* local variables declared before the place */
};

/* False, with the path as it was, if the slot is not below `s`. */
static bool find_path(struct path *p, struct cc_stmt *s, struct cc_stmt **slot)
{
    if (!s)
        return false;
    if (slot == &s->a || slot == &s->b || find_path(p, s->a, slot) || find_path(p, s->b, slot))
        return true;
    if (s->kind != CC_S_BLOCK)
        return false;
    size_t n_visible = p->visible.n;
    vec_push(&p->blocks, s);
    for (size_t i = 0; i < s->list.n; i++) {
        if (slot == &s->list.at[i] || find_path(p, s->list.at[i], slot))
            return true;
        if (s->list.at[i]->kind == CC_S_DECL)
            vec_push(&p->visible, s->list.at[i]->var);
    }
    p->visible.n = n_visible;
    p->blocks.n--;
    return false;
}

static struct path path_to(const struct site *s)
{
    struct path p = {0};
    REQUIRE(find_path(&p, s->func->body, s->slot));
    return p;
}

static void path_release(struct path *p)
{
    vec_release(&p->blocks);
    vec_release(&p->visible);
}

static bool all_visible(const struct path *p, const struct cc_stmt *s)
{
    vars v = free_vars(s);
    bool all = true;
    for (size_t i = 0; i < v.n; i++)
        all &= v.at[i]->global || v.at[i]->param || contains(&p->visible, v.at[i]);
    vec_release(&v);
    return all;
}

/* -- copies ----------------------------------------------------------------------------------- */

struct copying {
    struct cc_program *p;
    vars from, to; /* variables that the copy declares, old and new */
};

static struct cc_expr *copy_expr(struct copying *c, const struct cc_expr *e)
{
    if (!e)
        return NULL;
    struct cc_expr *n = arena_new(c->p->arena, struct cc_expr);
    *n = *e;
    n->ran = false;
    for (size_t i = 0; i < c->from.n && e->kind == CC_E_VAR; i++)
        if (c->from.at[i] == e->var)
            n->var = c->to.at[i];
    if (e->n_args && e->kind != CC_E_STRING) {
        n->args = arena_array(c->p->arena, struct cc_expr *, e->n_args);
        memcpy(n->args, e->args, e->n_args * sizeof *n->args);
    }
    struct cc_expr **part;
    for (uint32_t i = 0; (part = cc_operand(n, i)); i++)
        *part = copy_expr(c, *part);
    return n;
}

/* A name of its own, so that no variable hides another of the same name. */
static struct cc_var *copy_var(struct copying *c, struct cc_var *v)
{
    const char *name = arena_printf(c->p->arena, "%s_copy%u", v->name, c->p->n_vars);
    struct cc_var *n = cc_local(c->p, name, v->type, NULL);
    uint32_t id = n->id;
    name = n->name;
    *n = *v;
    n->id = id;
    n->name = name;
    vec_push(&c->from, v);
    vec_push(&c->to, n);
    n->init = copy_expr(c, v->init); /* which may refer to itself */
    return n;
}

static struct cc_stmt *copy_stmt(struct copying *c, const struct cc_stmt *s)
{
    if (!s)
        return NULL;
    struct cc_stmt *n = cc_stmt(c->p, s->kind);
    n->value = s->value;
    n->high = s->high;
    n->name = s->name;
    if (s->var)
        n->var = s->kind == CC_S_DECL ? copy_var(c, s->var) : s->var;
    for (size_t i = 0; i < s->list.n; i++)
        cc_append(n, copy_stmt(c, s->list.at[i]));
    n->expr = copy_expr(c, s->expr);
    n->init = copy_expr(c, s->init);
    n->step = copy_expr(c, s->step);
    n->a = copy_stmt(c, s->a);
    n->b = copy_stmt(c, s->b);
    return n;
}

static struct cc_stmt *deep_copy(struct cc_program *p, const struct cc_stmt *s)
{
    struct copying c = {.p = p};
    struct cc_stmt *n = copy_stmt(&c, s);
    vec_release(&c.from);
    vec_release(&c.to);
    return n;
}

/* -- prune ------------------------------------------------------------------------------------ */

static bool can_prune(const struct site *s)
{
    const struct cc_stmt *what = *s->slot;
    bool is_else = s->parent->kind == CC_S_IF && s->slot == &s->parent->b;
    if ((is_nothing(what) && !is_else) || is_last_return(s))
        return false;
    if (what->kind == CC_S_DECL)
        return !uses(s->func->body, what->var);
    if (what->kind == CC_S_LABEL)
        return gotos_to(what, s->func->body) == 0;
    struct ties t = ties_of(what, s->func);
    return !t.jumped_into && !t.has_cases;
}

static void prune(struct cc_program *p, const struct site *s)
{
    if (s->parent->kind == CC_S_IF && s->slot == &s->parent->b)
        *s->slot = NULL;
    else
        *s->slot = in_block(s) ? cc_stmt(p, CC_S_EMPTY) : cc_block(p);
}

/* -- insert ----------------------------------------------------------------------------------- */

static bool can_copy(const struct cc_stmt *s, const struct cc_func *f)
{
    if (s->kind == CC_S_DECL || is_nothing(s))
        return false;
    struct ties t = ties_of(s, f);
    return !t.has_labels && !t.has_gotos && !t.has_cases && !t.leaves_loop && !t.has_statics &&
           !t.has_blocks && t.nodes <= MOST_COPIED;
}

/* What a copy could be made of: the statements of the block and of those around it. */
static void add_sources(const struct path *path, const struct cc_func *f, sites *out)
{
    for (size_t b = path->blocks.n; b-- > 0;) {
        struct cc_stmt *block = path->blocks.at[b];
        for (size_t i = 0; i < block->list.n; i++)
            if (can_copy(block->list.at[i], f) && all_visible(path, block->list.at[i]))
                vec_push(out, (struct site){.parent = block, .slot = &block->list.at[i]});
    }
}

/* A scalar that the statement names, for a condition; NULL: it names none. */
static struct cc_var *draw_scalar(struct choice *c, const struct cc_stmt *s)
{
    vars all = free_vars(s);
    size_t n = 0;
    for (size_t i = 0; i < all.n; i++)
        if (cc_is_scalar(all.at[i]->type))
            all.at[n++] = all.at[i];
    struct cc_var *v = n ? all.at[choose(c, n)] : NULL;
    vec_release(&all);
    return v;
}

/* What an if or a loop is given as its body: braces, if it has none. */
static struct cc_stmt *wrapped(struct cc_program *p, struct choice *c, struct cc_stmt *s)
{
    enum wrapping how = (enum wrapping)choose_weighted(c, wrapping_weight, N_WRAPPINGS);
    struct cc_var *v = how == AS_IT_IS ? NULL : draw_scalar(c, s);
    if (!v)
        return s;
    struct cc_stmt *body = s;
    if (s->kind != CC_S_BLOCK) {
        body = cc_block(p);
        cc_append(body, s);
    }
    if (how == IN_IF)
        return cc_if(p, cc_use(p, v), body, NULL);
    struct cc_stmt *loop = cc_stmt(p, CC_S_WHILE);
    loop->expr = cc_use(p, v);
    loop->a = body;
    return loop;
}

static bool insert(struct cc_program *p, struct choice *c, const struct site *s)
{
    struct path path = path_to(s);
    sites sources = {0};
    add_sources(&path, s->func, &sources);
    bool found = sources.n > 0;
    if (found) {
        struct cc_stmt *copy = deep_copy(p, *sources.at[choose(c, sources.n)].slot);
        size_t at = (size_t)(s->slot - s->parent->list.at);
        cc_insert(s->parent, at, wrapped(p, c, copy));
    }
    vec_release(&sources);
    path_release(&path);
    return found;
}

/* -- swap ------------------------------------------------------------------------------------- */

/* A jump from or to elsewhere could pass other declarations, with initialisers, than before: C++
 * forbids that ([stmt.dcl]p3). */
static bool can_move(const struct site *s)
{
    const struct cc_stmt *what = *s->slot;
    if (!in_block(s) || what->kind == CC_S_DECL || is_nothing(what) || is_last_return(s))
        return false;
    struct ties t = ties_of(what, s->func);
    return !t.jumped_into && !t.jumps_out && !t.has_cases && what->kind != CC_S_LABEL;
}

/* The other goes to the place of the first, which comes earlier in the block. */
static bool can_swap(const struct site *first, const struct site *other)
{
    if (other->parent != first->parent || other->slot <= first->slot || !can_move(other))
        return false;
    struct path path = path_to(first);
    bool visible = all_visible(&path, *other->slot);
    path_release(&path);
    return visible;
}

static bool swap(struct choice *c, const struct site *first, const sites *all)
{
    sites others = {0};
    for (size_t i = 0; i < all->n; i++)
        if (can_swap(first, &all->at[i]))
            vec_push(&others, all->at[i]);
    bool found = others.n > 0;
    if (found) {
        struct cc_stmt **slot = others.at[choose(c, others.n)].slot, *s = *slot;
        *slot = *first->slot;
        *first->slot = s;
    }
    vec_release(&others);
    return found;
}

/* Is there one that it could change places with? */
static bool has_partner(const struct site *s, const sites *all)
{
    if (!can_move(s))
        return false;
    for (size_t i = 0; i < all->n; i++)
        if (can_swap(s, &all->at[i]))
            return true;
    return false;
}

/* -- the whole -------------------------------------------------------------------------------- */

static bool fits(enum change change, const struct site *s, const sites *all)
{
    return change == PRUNE ? can_prune(s) : change == INSERT ? in_block(s) : has_partner(s, all);
}

static void change_once(struct cc_program *p, struct choice *c, enum change change,
                        struct cc_emi_counts *counts)
{
    sites all = dead_sites(p), able = {0};
    for (size_t i = 0; i < all.n; i++)
        if (fits(change, &all.at[i], &all))
            vec_push(&able, all.at[i]);
    if (able.n) {
        const struct site *s = &able.at[choose(c, able.n)];
        if (change == PRUNE) {
            prune(p, s);
            counts->pruned++;
        } else if (change == INSERT) {
            counts->inserted += insert(p, c, s);
        } else {
            counts->swapped += swap(c, s, &all);
        }
    }
    vec_release(&all);
    vec_release(&able);
}

void cc_emi(struct cc_program *p, struct choice *c, int max_changes, struct cc_emi_counts *out)
{
    struct cc_emi_counts counts = {0};
    for (int i = 0; i < max_changes; i++) {
        enum change change = (enum change)choose_weighted(c, change_weight, N_CHANGES);
        if (change != LEAVE)
            change_once(p, c, change, &counts);
    }
    if (out)
        *out = counts;
}
