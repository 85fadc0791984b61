/* Initialisers: values and lists, into cells (6.7.9). */
#include "interp/interp_internal.h"

static void init_scalar(struct interp *in, struct cell *to, struct cc_expr *e)
{
    union value v = interp_eval(in, e);
    if (to->flags & CELL_BITFIELD) {
        const struct cc_type *t = in->leaves.at[to->leaf];
        v = from_scalar(t,
                        (union cc_scalar){.i = cc_bitfield_value(t, to->bits, to_scalar(t, v).i)});
    }
    to->v = v;
    to->flags &= (uint8_t)~CELL_INDETERMINATE;
}

/* The cells of the `at`th thing that a list for `type` initialises, and its type. */
static struct cell *part(struct interp *in, struct cell *to, const struct cc_type **type,
                         const struct cc_expr *list, uint32_t at)
{
    const struct cc_type *t = *type;
    if (t->kind == CC_ARRAY || t->kind == CC_VECTOR) {
        *type = t->to;
        return to + (size_t)at * cells_of(in, t->to);
    }
    if (!cc_is_record(t))
        return to;
    int field = list->field;
    if (t->kind == CC_STRUCT) /* 6.7.9p9: unnamed members take no part */
        for (field = 0; !t->record->fields[field].name || at-- > 0; field++) {
        }
    *type = t->record->fields[field].type;
    return to + layout_of(in, t)->field[field];
}

/* A list for a union: its member is active, and zero but for what the list says. */
static void init_union(struct interp *in, struct cell *to, const struct cc_type *type, int member)
{
    const struct layout *l = layout_of(in, type);
    uint32_t first = l->field[member];
    uint32_t n = layout_of(in, type->record->fields[member].type)->n;
    struct stack_mark mark = stack_mark(&in->cells);
    struct cell *zero = stack_alloc(&in->cells, n * sizeof *zero);
    interp_fill(zero, layout_of(in, type->record->fields[member].type), true);
    interp_copy_values(to + 1, l->fresh + 1, l->n - 1);
    interp_copy_values(to + first, zero, n);
    to->v.i = member;
    stack_release(&in->cells, mark);
}

void interp_init_list(struct interp *in, struct cell *to, const struct cc_type *type,
                      struct cc_expr *e)
{
    bool track = e->effects && e->n_args > 1;
    bool open = track && several_effects(e->args, e->n_args);
    uint32_t start = track ? tick(in) : 0;
    in->open += open;
    if (type->kind == CC_UNION && e->n_args)
        init_union(in, to, type, e->field);
    for (uint32_t i = 0; i < e->n_args; i++) {
        const struct cc_type *t = type;
        struct cell *c = part(in, to, &t, e, i);
        interp_init(in, c, t, e->args[i]);
        if (track)
            next_operand(in, start, i, true);
    }
    if (track)
        interp_pop_interval(in);
    in->open -= open;
}

void interp_init(struct interp *in, struct cell *to, const struct cc_type *type, struct cc_expr *e)
{
    if (e->kind == CC_E_LIST) {
        count_node(in, e);
        interp_init_list(in, to, type, e);
    } else if (e->kind == CC_E_UNSUPPORTED) { /* also of an array */
        interp_eval(in, e);
    } else if (cc_is_composite(type)) {
        interp_eval_record(in, e, to);
    } else {
        init_scalar(in, to, e);
    }
}
