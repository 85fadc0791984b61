/* Statements that choose among many: switch.
 *
 * Its cases are made from the facts at its head, each joined with what falls into it; the whole is
 * walked again when it is complete, and a case that does not hold after all is emptied. */
#include "gen/smith/smith_internal.h"

/* Walk a complete switch; a case that does not hold after all is emptied. */
static bool cases_hold(struct smith *s, struct cc_stmt *sw, const struct state *before)
{
    for (;;) {
        size_t at;
        if (walk_watched(s, sw, sw->a, before, &at))
            return true;
        if (at >= sw->a->list.n || sw->a->list.at[at]->kind != CC_S_BLOCK)
            return false;
        s->n_backtracks++;
        sw->a->list.at[at] = cc_stmt(s->p, CC_S_EMPTY);
    }
}

struct cc_stmt *switch_stmt(struct smith *s)
{
    struct state before = state_keep(&s->g.f, &s->g.now), head = state_take(&s->g.f);
    struct cc_stmt *sw = cc_stmt(s->p, CC_S_SWITCH);
    struct cc_expr *on = percent(s, 60) ? subject(s) : integer(s);
    if (percent(s, 70)) /* so that cases are hit */
        on = cc_binary(s->p, CC_AND, on, small_constant(s, 7, 7));
    const struct cc_type *t = cc_promoted(&s->p->types, on->type, -1);
    if (t->bits > 64) {
        on = cc_cast(s->p, cc_int_type(&s->p->types, 32, true), on);
        t = on->type;
    }
    sw->expr = cc_promote(s->p, on);
    turnable(sw);
    sw->a = cc_block(s->p);
    sw->a->facts = (void *)(uintptr_t)gtav_new_home(&s->g, s->at.func->f);
    state_copy(&s->g.f, &head, &s->g.now);
    gtav_enter_loop(&s->g, true);
    s->at.switch_depth++;
    vec_push(&s->g.open, gtav_home(sw->a));
    int n = (int)between(s, 1, 5), defaulted = percent(s, 60) ? (int)pick(s, (size_t)n + 1) : -1;
    int64_t value = between(s, 0, 3);
    s->g.now.live = false;
    for (int i = 0; i < n || i == defaulted; i++) {
        struct cc_stmt *label = i == defaulted ? cc_stmt(s->p, CC_S_DEFAULT) : cc_case(s->p, value);
        if (label->kind == CC_S_CASE && wants(s, SMITH_CASE_RANGES))
            label->high = value += between(s, 1, 4);
        value += between(s, 1, 3);
        cc_append(sw->a, label);
        state_join(&s->g.f, &s->g.now, &head);
        cc_append(sw->a, block_of(s, (block_size(s) + 1) / 2));
        if (s->g.now.live && !wants(s, SMITH_FALLTHROUGH)) {
            cc_append(sw->a, cc_stmt(s->p, CC_S_BREAK));
            s->g.now.live = false;
        }
    }
    s->g.open.n--;
    s->at.switch_depth--;
    gtav_leave_loop(&s->g);
    spend(s, 3);
    if (!cases_hold(s, sw, &before)) {
        state_copy(&s->g.f, &s->g.now, &before);
        sw = cc_stmt(s->p, CC_S_EMPTY);
    }
    state_give(&s->g.f, &before);
    state_give(&s->g.f, &head);
    return sw;
}
