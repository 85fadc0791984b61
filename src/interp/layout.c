/* Layouts: a type flattened into the cells that a new object of it starts with.
 *
 * It is done once for each type, so that making an object is a copy and a cell knows by itself what
 * it is: its scalar type, whether it was defined const or volatile, whether it is part of a union.
 */
#include "interp/interp_internal.h"

/* -- layouts ---------------------------------------------------------------------------------- */

void interp_fill(struct cell *to, const struct layout *l, bool zero)
{
    const struct layout *unit = l->unit;
    const struct cell *from = zero ? unit->zero : unit->fresh;
    if (unit->n == 1) {
        for (uint32_t i = 0; i < l->count; i++)
            to[i] = *from;
        return;
    }
    for (uint32_t i = 0; i < l->count; i++)
        memcpy(to + (size_t)i * unit->n, from, unit->n * sizeof *from);
}

void interp_copy_values(struct cell *to, const struct cell *from, uint32_t n)
{
    enum { CARRIED = CELL_INDETERMINATE | CELL_TRAP };
    for (uint32_t i = 0; i < n; i++) {
        to[i].v = from[i].v;
        to[i].known = from[i].known;
        to[i].flags = (uint8_t)((to[i].flags & ~CARRIED) | (from[i].flags & CARRIED));
    }
}

/* Generators make nothing that large; people do. */
static void check_size(struct interp *in, uint64_t cells)
{
    if (in->options.real && cells > MAX_REAL_CELLS)
        interp_fail(in, CC_UB_UNDECIDED, NULL, "an object of %llu scalars",
                    (unsigned long long)cells);
    REQUIRE(cells < MAX_CELLS);
}

static void scalar_layout(struct interp *in, struct layout *l, const struct cc_type *type)
{
    const struct cc_type *rep = cc_representation(&in->p->types, type);
    REQUIRE(in->leaves.n < UINT16_MAX);
    l->n = 1;
    l->fresh = arena_array(&in->arena, struct cell, 2);
    l->zero = l->fresh + 1;
    l->fresh[0] = (struct cell){.kind = (uint8_t)rep->kind,
                                .size = (uint8_t)type->size,
                                .flags = CELL_INDETERMINATE,
                                .leaf = (uint16_t)in->leaves.n};
    l->zero[0] = l->fresh[0];
    l->zero[0].flags = 0;
    vec_push(&in->leaves, type->plain);
}

static void record_layout(struct interp *in, struct layout *l, const struct cc_type *type)
{
    const struct cc_record *r = type->record;
    bool empty = true; /* of a union: no member yet */
    l->field = arena_array(&in->arena, uint32_t, r->n_fields);
    l->n = r->is_union;
    for (int i = 0; i < r->n_fields; i++) {
        l->field[i] = l->n;
        l->n += r->fields[i].name ? layout_of(in, r->fields[i].type)->n : 0;
        check_size(in, l->n);
    }
    l->fresh = arena_array(&in->arena, struct cell, 2 * (size_t)l->n);
    l->zero = l->fresh + l->n;
    if (r->is_union) {
        l->fresh[0] = (struct cell){.v.i = -1, .kind = CC_UNION, .flags = CELL_UNION};
        l->zero[0] = l->fresh[0];
    }
    for (int i = 0; i < r->n_fields; i++) {
        const struct cc_field *f = &r->fields[i];
        if (!f->name)
            continue;
        const struct layout *part = layout_of(in, f->type);
        struct cell *fresh = l->fresh + l->field[i], *zero = l->zero + l->field[i];
        interp_fill(fresh, part, false);
        interp_fill(zero, part, !r->is_union || empty); /* 6.7.9p10: the first member */
        if (r->is_union && empty)
            l->zero[0].v.i = i;
        empty = false;
        if (f->bits >= 0) {
            fresh->flags |= CELL_BITFIELD;
            zero->flags |= CELL_BITFIELD;
            fresh->bits = zero->bits = (uint8_t)f->bits;
        }
    }
    for (uint32_t i = 1; r->is_union && i < l->n; i++) {
        l->fresh[i].flags |= CELL_IN_UNION;
        l->zero[i].flags |= CELL_IN_UNION;
    }
}

/* Lanes have the vector's qualifiers, which the caller puts on. */
static void vector_layout(struct interp *in, struct layout *l, const struct cc_type *type)
{
    const struct layout *lane = layout_of(in, type->to);
    l->n = type->length;
    l->fresh = arena_array(&in->arena, struct cell, 2 * (size_t)l->n);
    l->zero = l->fresh + l->n;
    for (uint32_t i = 0; i < l->n; i++) {
        l->fresh[i] = *lane->fresh;
        l->zero[i] = *lane->zero;
    }
}

struct layout *interp_make_layout(struct interp *in, const struct cc_type *type)
{
    if (in->n_layouts <= type->id) {
        uint32_t n = in->p->types.n + 32;
        in->layouts = mem_resize(in->layouts, n * sizeof *in->layouts);
        memset(in->layouts + in->n_layouts, 0, (n - in->n_layouts) * sizeof *in->layouts);
        in->n_layouts = n;
    }
    struct layout *l = arena_new(&in->arena, struct layout);
    l->unit = l;
    l->count = 1;
    if (type->kind == CC_ARRAY) {
        const struct layout *element = layout_of(in, type->to);
        l->unit = element->unit;
        l->count = element->count * type->length;
        check_size(in, (uint64_t)element->n * type->length);
        l->n = element->n * type->length;
    } else if (type->kind == CC_VECTOR) {
        vector_layout(in, l, type);
    } else if (cc_is_record(type)) {
        record_layout(in, l, type);
    } else {
        scalar_layout(in, l, type);
    }
    int flags =
        (type->quals & CC_CONST ? CELL_CONST : 0) | (type->quals & CC_VOLATILE ? CELL_VOLATILE : 0);
    for (uint32_t i = 0; flags && i < l->n; i++) {
        l->fresh[i].flags |= (uint8_t)flags;
        l->zero[i].flags |= (uint8_t)flags;
    }
    in->layouts[type->id] = l;
    return l;
}
