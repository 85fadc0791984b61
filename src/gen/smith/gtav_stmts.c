/* The analysis of statements: blocks, loops, jumps (Table 4.1). Expressions and calls are in
 * gtav.c. */
#include "gen/smith/gtav_internal.h"

/* -- statements (Table 4.1) ------------------------------------------------------------------- */

/* Leave the blocks that are open beyond `depth`: their objects end. */
static void leave_blocks(struct gtav *g, struct state *s, size_t depth)
{
    for (size_t i = g->open.n; i-- > depth;)
        if (g->blocks.at[g->open.at[i]].address_taken)
            state_kill(&g->f, s, g->open.at[i]);
}

static void jump(struct gtav *g, struct state *to, size_t depth)
{
    leave_blocks(g, &g->now, depth);
    state_join(&g->f, to, &g->now);
    g->now.live = false;
}

static void walk_goto(struct gtav *g, const struct cc_stmt *s)
{
    struct gtav_label *label = s->target->facts;
    struct state before = state_keep(&g->f, &label->in);
    jump(g, &label->in, label->depth);
    if (label->passed && !state_equal(&g->f, &before, &label->in))
        label->changed = true;
    state_give(&g->f, &before);
}

static void walk_return(struct gtav *g, const struct cc_stmt *s)
{
    uint32_t set = s->expr ? gtav_value(g, s->expr) : 0;
    if (g->bad || !g->frames.n) {
        g->now.live = false;
        return;
    }
    struct gtav_frame *f = gtav_frame_now(g);
    for (size_t i = g->open.n; i-- > f->depth;)
        set = set_kill(&g->f, set, g->open.at[i]);
    if (set_of(&g->f, set)->has_garbage) {
        gtav_invalid(g, "returns a dangling pointer");
        return;
    }
    f->result = set_join(&g->f, f->result, set);
    jump(g, &f->returned, f->depth);
}

/* Statements of a block from index `at`; loops made by jumps back are iterated until the facts at
 * their labels no longer change (4.3.7.2): all that lies behind the label is the container loop. */
static void walk_list(struct gtav *g, struct cc_stmt *block)
{
    bool labels = g->blocks.at[gtav_home(block)].has_labels;
    for (size_t i = 0; labels && i < block->list.n; i++)
        if (block->list.at[i]->kind == CC_S_LABEL) {
            struct gtav_label *l = block->list.at[i]->facts;
            state_give(&g->f, &l->in);
            l->in = state_take(&g->f);
            l->passed = l->changed = false;
            l->depth = g->open.n;
        }
    for (size_t at = 0;;) {
        for (; at < block->list.n; at++) {
            struct cc_stmt *s = block->list.at[at];
            if (!g->now.live && s->kind != CC_S_LABEL && s->kind != CC_S_CASE &&
                s->kind != CC_S_DEFAULT)
                continue;
            gtav_stmt(g, s);
            if (g->bad) {
                if (g->watched == block)
                    g->failed_at = at;
                return;
            }
        }
        size_t again = block->list.n;
        for (size_t i = 0; labels && i < block->list.n && again == block->list.n; i++)
            if (block->list.at[i]->kind == CC_S_LABEL) {
                struct gtav_label *l = block->list.at[i]->facts;
                if (l->changed)
                    again = i;
            }
        if (again == block->list.n)
            return;
        struct gtav_label *l = block->list.at[again]->facts;
        l->changed = false;
        state_copy(&g->f, &g->now, &l->in); /* includes all that reached it before */
        at = again + 1;
    }
}

static void walk_block(struct gtav *g, struct cc_stmt *block)
{
    uint32_t home = gtav_home(block);
    vec_push(&g->open, home);
    walk_list(g, block);
    if (g->bad)
        return;
    if (g->now.live && g->blocks.at[home].address_taken)
        state_kill(&g->f, &g->now, home);
    g->open.n--;
}

void gtav_enter_loop(struct gtav *g, bool is_switch)
{
    vec_push(&g->loops,
             (struct gtav_loop){state_take(&g->f), state_take(&g->f), g->open.n, is_switch});
}

void gtav_leave_loop(struct gtav *g)
{
    struct gtav_loop *l = &g->loops.at[--g->loops.n];
    state_give(&g->f, &l->leave);
    state_give(&g->f, &l->again);
}

/* One iteration from the facts in `now` at the head; `out` joins what leaves by the condition. */
static void iterate(struct gtav *g, struct cc_stmt *s, struct state *out)
{
    size_t self = g->loops.n - 1;
    if (s->kind != CC_S_DO && s->expr)
        gtav_value(g, s->expr);
    if (g->bad)
        return;
    if (s->kind != CC_S_DO && s->expr)
        state_join(&g->f, out, &g->now);
    uint32_t variable = gtav_home(s); /* of a loop: its protected variable's location, or 0 */
    if (variable)
        gtav_lock(g, variable, 1);
    gtav_stmt(g, s->a);
    if (variable)
        gtav_lock(g, variable, -1);
    if (g->bad)
        return;
    state_join(&g->f, &g->loops.at[self].again, &g->now);
    state_copy(&g->f, &g->now, &g->loops.at[self].again);
    if (g->now.live && s->kind == CC_S_DO) {
        gtav_value(g, s->expr);
        state_join(&g->f, out, &g->now);
    }
    if (g->now.live && s->kind == CC_S_FOR && s->step)
        gtav_value(g, s->step);
}

/* 4.3.7.1: until the facts at the head no longer change. */
static void walk_loop(struct gtav *g, struct cc_stmt *s)
{
    if (s->kind == CC_S_FOR && s->init)
        gtav_value(g, s->init);
    if (g->bad)
        return;
    struct state head = state_keep(&g->f, &g->now), out = state_take(&g->f);
    gtav_enter_loop(g, false);
    for (;;) {
        size_t self = g->loops.n - 1;
        g->loops.at[self].again.live = false;
        iterate(g, s, &out);
        if (g->bad)
            break;
        struct state next = state_keep(&g->f, &head);
        state_join(&g->f, &next, &g->now);
        bool fixed = state_equal(&g->f, &next, &head);
        state_copy(&g->f, &head, &next);
        state_copy(&g->f, &g->now, &next);
        state_give(&g->f, &next);
        if (fixed)
            break;
    }
    if (!g->bad) {
        state_join(&g->f, &out, &g->loops.at[g->loops.n - 1].leave);
        state_copy(&g->f, &g->now, &out);
        gtav_leave_loop(g);
    }
    state_give(&g->f, &head);
    state_give(&g->f, &out);
}

static void walk_switch(struct gtav *g, struct cc_stmt *s)
{
    gtav_value(g, s->expr);
    if (g->bad)
        return;
    gtav_enter_loop(g, true);
    size_t self = g->loops.n - 1;
    state_copy(&g->f, &g->loops.at[self].again, &g->now); /* of a switch: the facts at its head */
    bool has_default = false;
    for (size_t i = 0; i < s->a->list.n; i++)
        has_default |= s->a->list.at[i]->kind == CC_S_DEFAULT;
    g->now.live = false;
    gtav_stmt(g, s->a);
    if (g->bad)
        return;
    state_join(&g->f, &g->now, &g->loops.at[self].leave);
    if (!has_default)
        state_join(&g->f, &g->now, &g->loops.at[self].again);
    gtav_leave_loop(g);
}

static void walk_if(struct gtav *g, struct cc_stmt *s)
{
    gtav_value(g, s->expr);
    if (g->bad)
        return;
    struct state other = gtav_fork(g);
    gtav_stmt(g, s->a);
    if (s->b && !g->bad) {
        gtav_other_way(g, &other);
        gtav_stmt(g, s->b);
        gtav_other_way(g, &other);
    }
    gtav_meet(g, &other);
}

static void walk_decl(struct gtav *g, const struct cc_var *v)
{
    if (v->storage == CC_STATIC)
        return;
    for (uint32_t l = v->mark; l < g->f.locs.at[v->mark].end; l++)
        if (g->f.locs.at[l].slot != NO_SLOT)
            gtav_put(g, g->f.locs.at[l].slot, g->f.initial.at[g->f.locs.at[l].slot]);
}

static size_t loop_around(const struct gtav *g, bool for_continue)
{
    size_t i = g->loops.n;
    while (for_continue && i && g->loops.at[i - 1].is_switch)
        i--;
    REQUIRE(i);
    return i - 1;
}

void gtav_stmt(struct gtav *g, struct cc_stmt *s)
{
    gtav_full_expression(g);
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_BLOCK:
        walk_block(g, s);
        break;
    case CC_S_EXPR:
        gtav_value(g, s->expr);
        break;
    case CC_S_DECL:
        walk_decl(g, s->var);
        break;
    case CC_S_IF:
        walk_if(g, s);
        break;
    case CC_S_FOR:
    case CC_S_WHILE:
    case CC_S_DO:
        walk_loop(g, s);
        break;
    case CC_S_SWITCH:
        walk_switch(g, s);
        break;
    case CC_S_CASE:
    case CC_S_DEFAULT:
        state_join(&g->f, &g->now, &g->loops.at[g->loops.n - 1].again);
        break;
    case CC_S_BREAK: {
        struct gtav_loop *l = &g->loops.at[loop_around(g, false)];
        jump(g, &l->leave, l->depth);
        break;
    }
    case CC_S_CONTINUE: {
        struct gtav_loop *l = &g->loops.at[loop_around(g, true)];
        jump(g, &l->again, l->depth);
        break;
    }
    case CC_S_GOTO:
        walk_goto(g, s);
        break;
    case CC_S_LABEL: {
        struct gtav_label *l = s->facts;
        l->passed = true;
        state_join(&g->f, &g->now, &l->in);
        /* what reaches it now is part of its input when a jump back is iterated */
        state_copy(&g->f, &l->in, &g->now);
        break;
    }
    case CC_S_RETURN:
        walk_return(g, s);
        break;
    case CC_S_EMPTY: /* with a variable: a note of what it points to, joined over all walks */
        if (s->var)
            s->value =
                set_join(&g->f, (uint32_t)s->value, gtav_get(g, g->f.locs.at[s->var->mark].slot));
        break;
    case CC_S_COMMENT:
        break;
    case CC_N_STMT:
        BUG("no statement");
    }
}

bool gtav_try(struct gtav *g, struct cc_stmt *s, const struct state *from)
{
    size_t open = g->open.n, loops = g->loops.n;
    state_copy(&g->f, &g->now, from);
    gtav_stmt(g, s);
    g->open.n = open;
    while (g->loops.n > loops)
        gtav_leave_loop(g);
    bool valid = !g->bad;
    g->bad = false;
    return valid;
}
