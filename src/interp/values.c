/* The values of expressions, for whoever wants to put a constant in the place of one: a table by
 * node, in which a second value that differs from the first is remembered as such. */
#include "interp/interp_internal.h"

struct seen_value {
    const struct cc_expr *expr; /* NULL: the slot is free */
    cc_wide value;
    bool varies;
};

/* Addresses decide where a node is kept, but never what is answered. */
static struct seen_value *slot_of(struct seen_value *table, size_t slots, const struct cc_expr *e)
{
    size_t at = (size_t)((uintptr_t)e * 0x9E3779B97F4A7C15u >> 20) & (slots - 1);
    while (table[at].expr && table[at].expr != e)
        at = (at + 1) & (slots - 1);
    return &table[at];
}

static void grow(struct interp *in)
{
    size_t slots = in->value_slots ? in->value_slots * 2 : 1024;
    struct seen_value *table = mem_alloc(slots * sizeof *table);
    memset(table, 0, slots * sizeof *table);
    for (size_t i = 0; i < in->value_slots; i++)
        if (in->values[i].expr)
            *slot_of(table, slots, in->values[i].expr) = in->values[i];
    free(in->values);
    in->values = table;
    in->value_slots = slots;
}

void interp_note_value(struct interp *in, const struct cc_expr *e, cc_wide value)
{
    if (in->n_values * 2 >= in->value_slots)
        grow(in);
    struct seen_value *v = slot_of(in->values, in->value_slots, e);
    if (!v->expr) {
        *v = (struct seen_value){e, value, false};
        in->n_values++;
    }
    v->varies |= v->value != value;
}

bool interp_value_of(const struct interp *in, const struct cc_expr *e, cc_wide *value)
{
    if (!in->value_slots)
        return false;
    const struct seen_value *v = slot_of(in->values, in->value_slots, e);
    if (!v->expr || v->varies)
        return false;
    *value = v->value;
    return true;
}
