/* Jumps into committed code: goto in both directions.
 *
 * The dissertation makes a forward jump backwards: the target first, then a goto somewhere upstream
 * (3.7). Here both directions are made so, when the function is complete: a label is put into a
 * block, a goto into the same block or one inside it, and the function is walked again (4.3.7.2).
 * If that fails, the jump is discarded and not the code (4.3.3).
 *
 * A jump back consumes fuel from a variable of its own. */
#include "gen/smith/smith_internal.h"

enum { MOST_FUEL = 3 };

/* -- the blocks of a function ----------------------------------------------------------------- */

struct position {
    struct cc_stmt *block;
    struct cc_stmt *parent; /* the block around it, NULL for the body */
    size_t at;              /* where in its parent's list it is inside of */
};
typedef VEC(struct position) positions;

static void find_blocks(struct cc_stmt *st, struct cc_stmt *parent, size_t at, positions *out)
{
    if (!st)
        return;
    if (st->kind == CC_S_SWITCH) { /* its own block takes no jumps; those of its cases do */
        for (size_t i = 0; i < st->a->list.n; i++)
            find_blocks(st->a->list.at[i], parent, at, out);
        return;
    }
    if (st->kind != CC_S_BLOCK) {
        if (st->kind == CC_S_IF || st->kind == CC_S_FOR || st->kind == CC_S_WHILE ||
            st->kind == CC_S_DO) {
            find_blocks(st->a, parent, at, out);
            find_blocks(st->b, parent, at, out);
        }
        return;
    }
    vec_push(out, (struct position){st, parent, at});
    for (size_t i = 0; i < st->list.n; i++)
        find_blocks(st->list.at[i], st, i, out);
}

size_t n_decls(const struct cc_stmt *block)
{
    size_t n = 0;
    while (n < block->list.n && block->list.at[n]->kind == CC_S_DECL)
        n++;
    return n;
}

/* The index in `outer` of the statement that `p` is inside of; SIZE_MAX: it is not. */
static size_t index_in(const positions *all, const struct position *p, const struct cc_stmt *outer)
{
    for (const struct position *at = p; at;) {
        if (at->parent == outer)
            return at->at;
        const struct position *up = NULL;
        for (size_t i = 0; i < all->n && !up; i++)
            if (all->at[i].block == at->parent)
                up = &all->at[i];
        at = up;
    }
    return SIZE_MAX;
}

/* -- goto ------------------------------------------------------------------------------------- */

static struct cc_var *simple_variable(struct smith *s, const struct cc_func *f)
{
    for (int i = 0; i < 6; i++) {
        struct cc_var *v = NULL;
        if (f->n_params && percent(s, 40))
            v = f->params[pick(s, (size_t)f->n_params)];
        else if (s->globals.n)
            v = s->globals.at[pick(s, s->globals.n)];
        if (v && cc_is_integer(v->type) && v->type->kind != CC_ENUM && !v->type->has_volatile)
            return v;
    }
    return NULL;
}

static struct cc_expr *jump_condition(struct smith *s, const struct cc_func *f)
{
    struct cc_var *v = simple_variable(s, f);
    struct cc_expr *e = v ? cc_use(s->p, v) : small_constant(s, 0, 1);
    if (v && percent(s, 50)) {
        enum cc_op op = (enum cc_op)(CC_LT + (int)pick(s, 6));
        e = cc_binary(s->p, op, e, small_constant(s, -5, 20));
    }
    return e;
}

void remove_stmt(struct cc_stmt *block, const struct cc_stmt *s)
{
    size_t n = 0;
    for (size_t i = 0; i < block->list.n; i++)
        if (block->list.at[i] != s)
            block->list.at[n++] = block->list.at[i];
    block->list.n = n;
}

bool still_valid(struct smith *s, struct smith_func *fn)
{
    struct gtav_summary *before = s->g.summaries.at[fn->f->id];
    size_t open = s->g.open.n;
    bool valid = gtav_function(&s->g, fn->f, &fn->in);
    s->g.open.n = open;
    s->g.bad = false;
    struct gtav_summary **latest = &s->g.summaries.at[fn->f->id];
    if (valid)
        (*latest)->next = NULL; /* those of the body as it was are gone */
    else
        s->g.summaries.at[fn->f->id] = before;
    return valid;
}

size_t before_counter(const struct cc_stmt *block, size_t at)
{
    uint8_t kind = block->list.at[at]->kind;
    return kind == CC_S_WHILE || kind == CC_S_DO ? at - 1 : at;
}

static bool is_sealed(const struct smith *s, const struct cc_stmt *block)
{
    return s->g.blocks.at[gtav_home(block)].sealed;
}

static void add_jump(struct smith *s, struct smith_func *fn)
{
    positions all = {0};
    find_blocks(fn->f->body, NULL, 0, &all);
    struct position *to = &all.at[pick(s, all.n)], *from = &all.at[pick(s, all.n)];
    if (is_sealed(s, to->block) || is_sealed(s, from->block)) {
        vec_release(&all);
        return;
    }
    size_t inside = from->block == to->block ? 0 : index_in(&all, from, to->block);
    size_t first = n_decls(to->block), first_from = n_decls(from->block);
    if (inside == SIZE_MAX || to->block->list.n <= first || from->block->list.n <= first_from) {
        vec_release(&all);
        return;
    }
    size_t label_at = first + pick(s, to->block->list.n - first);
    size_t goto_at = first_from + pick(s, from->block->list.n - first_from);
    label_at = before_counter(to->block, label_at);
    goto_at = before_counter(from->block, goto_at);
    bool back = from->block == to->block ? label_at <= goto_at : label_at <= inside;
    int64_t fuel = between(s, 1, MOST_FUEL);
    if (back && fn->cost * (1 + fuel) > s->k.limit[SMITH_STEPS] / 8)
        back = false, inside = SIZE_MAX;
    struct cc_stmt *label = cc_label(s->p, arena_printf(s->arena, "lbl_%u", ++s->n_labels));
    label->facts = gtav_new_label(&s->g);
    struct cc_expr *c = jump_condition(s, fn->f);
    struct cc_stmt *decl = NULL;
    if (inside != SIZE_MAX && back) {
        const struct cc_type *t = cc_basic(&s->p->types, CC_INT);
        struct cc_var *v = cc_local(s->p, new_name(s, 'l'), t, cc_int(s->p, t, fuel, CC_DECIMAL));
        gtav_add_var(&s->g, v, gtav_home(fn->f->body));
        decl = cc_decl(s->p, v);
        struct cc_expr *left =
            cc_binary(s->p, CC_GT, cc_incdec(s->p, CC_SUB, true, cc_use(s->p, v)),
                      cc_int(s->p, t, 0, CC_DECIMAL));
        c = percent(s, 50) ? cc_binary(s->p, CC_LAND, left, c) : left;
    }
    if (inside != SIZE_MAX) {
        struct cc_stmt *jump = cc_if(s->p, c, cc_block(s->p), NULL);
        jump->a->facts = (void *)(uintptr_t)gtav_new_home(&s->g, fn->f);
        cc_append(jump->a, cc_goto(s->p, label));
        if (!back) /* fuel is not touched */
            turnable(jump);
        /* the later one first, so that the other's index still holds */
        if (from->block == to->block && goto_at < label_at) {
            cc_insert(to->block, label_at, label);
            cc_insert(from->block, goto_at, jump);
        } else {
            cc_insert(from->block, goto_at, jump);
            cc_insert(to->block, label_at, label);
        }
        if (decl)
            cc_insert(fn->f->body, 0, decl);
        s->g.blocks.at[gtav_home(to->block)].has_labels = true;
        bool valid = still_valid(s, fn);
        /* what a self-call does was known before the jump: it changes no fact (recursion.c) */
        if (valid && (!fn->recursive || changes_no_fact(gtav_latest(&s->g, fn->f)))) {
            fn->cost = back ? fn->cost * (1 + fuel) : fn->cost + 4;
        } else {
            remove_stmt(from->block, jump);
            remove_stmt(to->block, label);
            if (decl)
                remove_stmt(fn->f->body, decl);
        }
    }
    vec_release(&all);
}

void add_jumps(struct smith *s, struct smith_func *fn)
{
    unsigned weight = s->k.weight[SMITH_STMT_GOTO];
    if (!may(s, SMITH_GOTO) || !weight)
        return;
    int tries = (int)pick(s, (weight + 3) / 2);
    for (int i = 0; i < tries; i++)
        if (wants(s, SMITH_GOTO))
            add_jump(s, fn);
}
