/* Order of accesses (6.5p2, 6.5.2.2p10): intervals of the clock hold what the operand that is
 * evaluated now is not sequenced with; an access whose cell was accessed in one is a conflict. */
#include "interp/interp_internal.h"

/* The last interval that starts no later; -1: none. */
static int interval_before(const struct interp *in, uint32_t stamp)
{
    size_t next;
    sorted_first(next, in->intervals.n, in->intervals.at[next].start <= stamp);
    return (int)next - 1;
}

bool interp_in_interval(const struct interp *in, uint32_t stamp)
{
    int i = interval_before(in, stamp);
    return i >= 0 && stamp <= in->intervals.at[i].end;
}

/* Does what is in an interval come before or after the access that is made now, as calls do
 * (6.5.2.2p10)? All else is unsequenced (6.5p2). */
static bool is_of_call(const struct interp *in, uint32_t stamp)
{
    const struct interval *v = &in->intervals.at[interval_before(in, stamp)];
    bool called = v->listed || in->depth > v->depth;
    for (size_t k = 0; k < in->ranges.n; k++)
        called |= in->ranges.at[k].start <= stamp && stamp <= in->ranges.at[k].end;
    return called;
}

/* An access conflicts with one at `stamp` if that is in an interval. */
void interp_conflict(struct interp *in, const struct cc_expr *e, uint32_t stamp)
{
    if (interp_in_interval(in, stamp))
        interp_fail(in, is_of_call(in, stamp) ? CC_UB_INDETERMINATE : CC_UB_UNSEQUENCED, e, "%s",
                    "");
}

static const struct count *count_at(const struct interp *in, const struct cell *c, uint32_t stamp)
{
    for (size_t i = in->counts.n; i > 0; i--)
        if (in->counts.at[i - 1].cell == c && in->counts.at[i - 1].stamp == stamp)
            return &in->counts.at[i - 1];
    return NULL;
}

/* Are all accesses to the cell that are in an interval counts by this operator? */
static bool is_only_counted(const struct interp *in, const struct cell *c, uint8_t op)
{
    uint32_t read = c->read, write = c->write;
    while (interp_in_interval(in, read) || interp_in_interval(in, write)) {
        const struct count *k = read == write ? count_at(in, c, write) : NULL;
        if (!k || k->op != op || !is_of_call(in, write))
            return false;
        read = k->read;
        write = k->write;
    }
    return true;
}

/* Where it goes ahead the stamps stay what they are: what comes later and is no count conflicts
 * with them. Where not, the clock keeps it apart from other accesses. */
bool interp_may_count(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    enum { MOST = 1 << 12 };
    if (!in->open || (p.at & AT_WIDE))
        return false;
    const struct cell *c = cell_of(p);
    bool local = e->a->kind == CC_E_VAR && !(e->a->var->slot & SLOT_STATIC); /* no other's */
    if (local || c->kind != e->a->type->kind || !cc_is_integer(e->a->type) ||
        (c->flags & (CELL_SLOW_READ | CELL_SLOW_WRITE)))
        return false;
    if (interp_in_interval(in, c->write))
        return is_only_counted(in, c, (uint8_t)e->op);
    if (in->counts.n < MOST) {
        uint32_t stamp = tick(in);
        vec_push(&in->counts, (struct count){c, stamp, c->read, c->write, (uint8_t)e->op});
    }
    return false;
}

static void set_span(struct interp *in)
{
    size_t n = in->intervals.n;
    in->lowest = n ? in->intervals.at[0].start : UINT32_MAX;
    in->span = n ? in->intervals.at[n - 1].end - in->lowest : 0;
}

void interp_push_interval(struct interp *in, uint32_t start, bool listed)
{
    vec_push(&in->intervals, (struct interval){start, in->clock, in->depth, listed});
    set_span(in);
    tick(in);
}

void interp_extend_interval(struct interp *in)
{
    in->intervals.at[in->intervals.n - 1].end = in->clock;
    set_span(in);
    tick(in);
}

void interp_pop_interval(struct interp *in)
{
    in->intervals.n--;
    set_span(in);
}

/* Do two scalars of an object lie in the same bytes? Only in unions. */
static bool share_bytes(struct interp *in, struct pointer p, const struct cell *other)
{
    const struct cell *c = cell_of(p), *first = p.object->cells;
    if (!(c->flags & other->flags & CELL_IN_UNION) || other < first ||
        other >= first + p.object->n || ((c->flags | other->flags) & CELL_BITFIELD))
        return false;
    struct pointer q = {p.object, p.serial, (uint32_t)(other - first) << AT_CELL_SHIFT};
    uint32_t a = interp_byte_offset(in, p), b = interp_byte_offset(in, q);
    return a < b + other->size && b < a + c->size;
}

/* 6.5.16p3: a store comes after the values of its operands, but not after their side effects. */
void interp_check_pending(struct interp *in, const struct cc_expr *e, struct pointer p,
                          size_t since)
{
    if (p.at & AT_WIDE) /* bytes have no cell of their own */
        return;
    const struct cell *c = cell_of(p);
    for (size_t i = since; i < in->pending.n; i++) {
        if (in->pending.at[i] == c || (in->options.real && share_bytes(in, p, in->pending.at[i])))
            interp_fail(in, CC_UB_UNSEQUENCED, e, "two stores");
        if (!in->options.real && (in->pending.at[i]->flags & c->flags & CELL_VOLATILE))
            interp_fail(in, CC_UB_VOLATILE_ORDER, e, "two stores");
    }
}
