/* Objects as bytes: what real programs do with memcpy, unions and malloc.
 *
 * Cells stay what an object is made of. Bytes are read off them (`gather`) and put back (`scatter`)
 * on the way of a walk over the object's type, in unions over the member that was stored last; each
 * bit carries whether it is determinate, so that a copy through bytes loses nothing (6.2.6.1p4).
 *
 * An allocated object has no declared type (6.5p6). It starts as bytes; the first use by another
 * type lays it out for that type, once and for all, because pointers into it count cells. */
#include "interp/interp_internal.h"

/* -- the walk --------------------------------------------------------------------------------- */

struct window { /* bytes from `from` up to `to` of an object; bits of `sure` are determinate */
    uint64_t from, to;
    uint8_t *bytes, *sure;
    bool vague; /* some scalar that it touches is not determinate: more than padding */
};

/* What to do with each scalar that overlaps the window; `at`: its first byte, of a bit-field that
 * of its field. */
typedef void visit(struct interp *in, const struct cc_expr *e, struct cell *c,
                   const struct cc_field *bits, uint64_t at, struct window *w);

static void walk(struct interp *in, const struct cc_expr *e, struct cell *cells,
                 const struct cc_type *type, const struct cc_field *field, uint64_t at,
                 struct window *w, visit *v, bool write);

static void walk_array(struct interp *in, const struct cc_expr *e, struct cell *cells,
                       const struct cc_type *type, uint64_t at, struct window *w, visit *v,
                       bool write)
{
    uint32_t n = cells_of(in, type->to);
    uint64_t size = type->to->size;
    uint64_t first = w->from > at ? (w->from - at) / size : 0;
    for (uint64_t i = first; i < type->length && at + i * size < w->to; i++)
        walk(in, e, cells + i * n, type->to, NULL, at + i * size, w, v, write);
}

/* The member that bytes written to the window belong to: the one stored last where it covers them,
 * else the first of the largest. */
static int member_for(const struct cell *header, const struct cc_type *type, uint64_t at,
                      const struct window *w)
{
    const struct cc_record *r = type->record;
    int best = (int)header->v.i;
    uint64_t end = w->to < at + type->size ? w->to : at + type->size;
    if (best >= 0 && at + r->fields[best].type->size >= end)
        return best;
    for (int i = 0; i < r->n_fields; i++)
        if (r->fields[i].name && (best < 0 || r->fields[i].type->size > r->fields[best].type->size))
            best = i;
    return best;
}

static void walk_union(struct interp *in, const struct cc_expr *e, struct cell *cells,
                       const struct cc_type *type, uint64_t at, struct window *w, visit *v,
                       bool write)
{
    int member = write ? member_for(cells, type, at, w) : (int)cells->v.i;
    if (member < 0) {
        w->vague = true;
        return;
    }
    if (write && member != cells->v.i)
        interp_switch_member(in, e, cells, type, member);
    const struct cc_field *f = &type->record->fields[member];
    walk(in, e, cells + layout_of(in, type)->field[member], f->type, f, at + f->offset, w, v,
         write);
}

static void walk(struct interp *in, const struct cc_expr *e, struct cell *cells,
                 const struct cc_type *type, const struct cc_field *field, uint64_t at,
                 struct window *w, visit *v, bool write)
{
    if (at >= w->to || at + type->size <= w->from)
        return;
    if (type->kind == CC_ARRAY || type->kind == CC_VECTOR) {
        walk_array(in, e, cells, type, at, w, v, write);
    } else if (type->kind == CC_UNION) {
        walk_union(in, e, cells, type, at, w, v, write);
    } else if (type->kind == CC_STRUCT) {
        const struct layout *l = layout_of(in, type);
        for (int i = 0; i < type->record->n_fields; i++) {
            const struct cc_field *f = &type->record->fields[i];
            if (f->name)
                walk(in, e, cells + l->field[i], f->type, f, at + f->offset, w, v, write);
        }
    } else {
        v(in, e, cells, field && field->bits >= 0 ? field : NULL, at, w);
    }
}

/* -- one scalar ------------------------------------------------------------------------------- */

/* `n` bits of the window from bit `bit` on (counted from byte 0 of the object), where they lie in
 * it. */
static void put_bits(struct window *w, uint64_t bit, int n, cc_uwide value, cc_uwide sure)
{
    for (int i = 0; i < n; i++) {
        uint64_t byte = (bit + (uint64_t)i) / 8, shift = (bit + (uint64_t)i) % 8;
        if (byte < w->from || byte >= w->to)
            continue;
        uint8_t mask = (uint8_t)(1u << shift);
        uint8_t *b = &w->bytes[byte - w->from], *s = &w->sure[byte - w->from];
        *b = (uint8_t)((*b & ~mask) | ((value >> i & 1) ? mask : 0));
        *s = (uint8_t)((*s & ~mask) | ((sure >> i & 1) ? mask : 0));
    }
}

static void take_bits(const struct window *w, uint64_t bit, int n, cc_uwide *value, cc_uwide *sure)
{
    for (int i = 0; i < n; i++) {
        uint64_t byte = (bit + (uint64_t)i) / 8, shift = (bit + (uint64_t)i) % 8;
        if (byte < w->from || byte >= w->to)
            continue;
        cc_uwide mask = (cc_uwide)1 << i;
        *value = (*value & ~mask) | ((w->bytes[byte - w->from] >> shift & 1) ? mask : 0);
        *sure = (*sure & ~mask) | ((w->sure[byte - w->from] >> shift & 1) ? mask : 0);
    }
}

/* Which bits of a scalar are determinate, from which of its bytes are. */
static cc_uwide sure_bits(const struct cell *c)
{
    if (!(c->flags & CELL_INDETERMINATE))
        return ~(cc_uwide)0;
    cc_uwide sure = 0;
    if (c->flags & CELL_BITFIELD)
        return 0;
    for (int i = 0; i < c->size; i++)
        if (c->known >> i & 1)
            sure |= (cc_uwide)0xFF << 8 * i;
    return sure;
}

/* So many bits of the scalar count. */
static int bits_of(const struct cell *c, const struct cc_field *bits)
{
    return bits ? bits->bits : c->kind == CC_LDOUBLE ? LDOUBLE_BITS : 8 * c->size;
}

static void gather_scalar(struct interp *in, const struct cc_expr *e, struct cell *c,
                          const struct cc_field *bits, uint64_t at, struct window *w)
{
    stamp_read(in, e, c);
    int n = bits_of(c, bits);
    w->vague |= (c->flags & CELL_INDETERMINATE) != 0;
    if (bits)
        put_bits(w, at * 8 + bits->bit, n, c->size > 8 ? (cc_uwide)c->v.w : (cc_uwide)c->v.i,
                 sure_bits(c));
    else
        put_bits(w, at * 8, n, interp_scalar_bytes(in, c), sure_bits(c));
}

static cc_uwide low_bits(int n)
{
    return n >= 128 ? ~(cc_uwide)0 : ((cc_uwide)1 << n) - 1;
}

static void set_determinate(struct cell *c, cc_uwide sure, int n)
{
    c->known = 0;
    c->flags &= (uint8_t)~CELL_INDETERMINATE;
    if ((sure & low_bits(n)) == low_bits(n))
        return;
    c->flags |= CELL_INDETERMINATE;
    for (int i = 0; i < c->size; i++)
        if ((sure >> 8 * i & 0xFF) == 0xFF)
            c->known = (uint16_t)(c->known | 1u << i);
}

static void scatter_scalar(struct interp *in, const struct cc_expr *e, struct cell *c,
                           const struct cc_field *bits, uint64_t at, struct window *w)
{
    const struct cc_type *type = in->leaves.at[c->leaf];
    if (c->flags & CELL_CONST)
        interp_refuse_store(in, e, NULL, c);
    stamp_write(in, e, c);
    int n = bits_of(c, bits);
    cc_uwide sure = sure_bits(c), value;
    if (bits) {
        value = c->size > 8 ? (cc_uwide)c->v.w : (cc_uwide)c->v.i;
        take_bits(w, at * 8 + bits->bit, n, &value, &sure);
        cc_wide v = cc_bitfield_value(type, n, (cc_wide)value);
        c->v = c->size > 8 ? (union value){.w = v} : (union value){.i = (int64_t)v};
    } else {
        value = interp_scalar_bytes(in, c);
        take_bits(w, at * 8, n, &value, &sure);
        c->v = interp_scalar_of(in, type, value & low_bits(n));
    }
    set_determinate(c, sure, n);
    if (c->kind == CC_BOOL)
        c->flags = (uint8_t)((c->flags & ~CELL_TRAP) | (c->v.i > 1 ? CELL_TRAP : 0));
}

static void gather(struct interp *in, const struct cc_expr *e, struct object *o, struct window *w)
{
    memset(w->bytes, 0, w->to - w->from);
    memset(w->sure, 0, w->to - w->from);
    walk(in, e, o->cells, o->type, NULL, 0, w, gather_scalar, false);
}

static void scatter(struct interp *in, const struct cc_expr *e, struct object *o, struct window *w)
{
    walk(in, e, o->cells, o->type, NULL, 0, w, scatter_scalar, true);
}

/* -- unions ----------------------------------------------------------------------------------- */

/* 6.2.6.1p7: bytes that are not of the new member become unspecified; the others keep their value,
 * so that a part of it can be stored and the rest read. */
void interp_switch_member(struct interp *in, const struct cc_expr *e, struct cell *header,
                          const struct cc_type *type, int member)
{
    const struct layout *l = layout_of(in, type);
    const struct cc_field *f = &type->record->fields[member];
    struct stack_mark mark = stack_mark(&in->cells);
    uint8_t *bytes = stack_alloc(&in->cells, 2 * ((size_t)type->size + 15) / 16 * 16);
    struct window w = {0, type->size, bytes, bytes + type->size, false};
    memset(bytes, 0, 2 * (size_t)type->size);
    if (header->v.i >= 0)
        walk(in, e, header, type, NULL, 0, &w, gather_scalar, false);
    for (uint32_t i = 1; i < l->n; i++) /* they lie in the same bytes */
        stamp_write(in, e, header + i);
    interp_copy_values(header + 1, l->fresh + 1, l->n - 1);
    header->v.i = member;
    for (uint32_t i = 1; i < l->n; i++)
        if (header[i].flags & CELL_UNION)
            header[i].v.i = -1;
    walk(in, e, header + l->field[member], f->type, f, f->offset, &w, scatter_scalar, true);
    stack_release(&in->cells, mark);
}

/* The scalar that begins at the start of the window, told by its type in place of its bytes. */
static void note_type(struct interp *in, const struct cc_expr *e, struct cell *c,
                      const struct cc_field *bits, uint64_t at, struct window *w)
{
    (void)e;
    if (at == w->from && !bits)
        memcpy(w->bytes, &in->leaves.at[c->leaf], sizeof in->leaves.at[c->leaf]);
}

bool interp_stored_as(struct interp *in, struct pointer p, const struct cc_type *type)
{
    const struct cc_type *stored = NULL;
    uint64_t at = p.at >> AT_CELL_SHIFT;
    struct window w = {at, at + 1, (uint8_t *)&stored, NULL, false};
    walk(in, NULL, p.object->cells, p.object->type, NULL, 0, &w, note_type, false);
    return stored && interp_same_element(stored, type);
}

/* -- accesses by bytes ------------------------------------------------------------------------ */

static void check_range(struct interp *in, const struct cc_expr *e, struct pointer p, uint64_t n)
{
    if (!p.object)
        interp_fail(in, CC_UB_NULL_ACCESS, e, "%s", is_null(p) ? "" : "an address of nothing");
    if (p.object->serial != p.serial)
        interp_fail(in, CC_UB_DANGLING, e, "%s", p.object->var ? p.object->var->name : "");
    uint64_t room = interp_room(in, p);
    if (n > room)
        interp_fail(in, CC_UB_BOUNDS, e, "%llu bytes where there are %llu", (unsigned long long)n,
                    (unsigned long long)room);
}

/* Bytes that are not determinate: never stored, or padding and what a smaller member of a union
 * left over, which C11 calls unspecified (6.2.6.1p6-7). */
static _Noreturn void fail_bytes(struct interp *in, const struct cc_expr *e, const struct window *w,
                                 uint64_t at)
{
    interp_fail(in, w->vague ? CC_UB_UNINITIALISED : CC_UB_UNDECIDED, e, "%s %llu",
                w->vague ? "byte" : "unspecified byte", (unsigned long long)at);
}

/* A pointer to a character that was never anything else points into its own array of them. */
uint64_t interp_room(struct interp *in, struct pointer p)
{
    if ((p.at & AT_WIDE) && (p.at & AT_PAST))
        return 0;
    uint32_t offset = interp_byte_offset(in, p);
    if (!(p.at & AT_WIDE)) {
        uint32_t cell = (p.at >> AT_CELL_SHIFT) - (p.at & AT_PAST);
        struct spot s = {.type = p.object->type};
        for (;;) {
            struct spot array = s;
            if (!interp_step_down(in, &s, cell))
                break;
            if (array.type->kind == CC_ARRAY && s.type->size == 1 && cc_is_integer(s.type))
                return array.offset + array.type->size - offset;
        }
    }
    return p.object->type->size - offset;
}

static bool is_byte(const struct cc_type *t)
{
    return t->kind >= CC_CHAR && t->kind <= CC_UCHAR;
}

static void refuse_volatile(struct interp *in, const struct cc_expr *e, struct cell *c,
                            const struct cc_field *bits, uint64_t at, struct window *w)
{
    (void)bits, (void)at, (void)w;
    if ((c->flags & CELL_VOLATILE) && !(c->flags & CELL_IN_UNION))
        interp_fail(in, CC_UB_VOLATILE_ACCESS, e, "%s", "");
}

/* 6.7.3p6 for an access by a character, which may be to a part of the object. In a union it may be
 * to another member. */
static void check_volatile(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    if (!p.object->type->has_volatile || (e->type->quals & CC_VOLATILE))
        return;
    uint64_t at = p.at >> AT_CELL_SHIFT;
    struct window w = {at, at + e->type->size, NULL, NULL, false};
    walk(in, e, p.object->cells, p.object->type, NULL, 0, &w, refuse_volatile, false);
}

union value interp_load_wide(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    if (is_byte(e->type)) {
        check_volatile(in, e, p);
        return interp_load_bytes(in, e, p);
    }
    return load(in, e, interp_must_narrow(in, e, p));
}

union value interp_load_bytes(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    int bits = cc_bitfield_bits(e);
    const struct cc_field *f = bits < 0 ? NULL : &e->a->type->record->fields[e->field];
    uint8_t bytes[17], sure[17];
    uint64_t at = p.at >> AT_CELL_SHIFT, n = f ? (uint64_t)(f->bit + bits + 7) / 8 : e->type->size;
    struct window w = {at, at + n, bytes, sure, false};
    gather(in, e, p.object, &w);
    cc_uwide value = 0, determinate = 0;
    int width = f ? bits : 8 * (int)n;
    take_bits(&w, at * 8 + (f ? f->bit : 0), width, &value, &determinate);
    if (determinate != low_bits(width))
        fail_bytes(in, e, &w, at);
    if (f) { /* of a union member that is not the one stored last */
        cc_wide v = cc_bitfield_value(e->type, bits, (cc_wide)value);
        return e->type->size > 8 ? (union value){.w = v} : (union value){.i = (int64_t)v};
    }
    union value v = interp_scalar_of(in, e->type->plain, value);
    if (e->type->kind == CC_BOOL && v.i > 1)
        interp_fail(in, CC_UB_BOOL_REPRESENTATION, e, "%d", (int)v.i);
    return v;
}

union value interp_store_wide(struct interp *in, const struct cc_expr *e, struct pointer p,
                              union value v)
{
    if (!is_byte(e->type))
        return store(in, e, interp_must_narrow(in, e, p), v);
    check_volatile(in, e, p);
    uint8_t bytes[16], sure[16];
    uint64_t at = p.at >> AT_CELL_SHIFT, n = e->type->size;
    struct window w = {at, at + n, bytes, sure, false};
    for (uint64_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)((uint64_t)v.i >> 8 * i);
    memset(sure, 0xFF, n);
    scatter(in, e, p.object, &w);
    return v;
}

/* Charge for what a call of the library handles. */
static void charge(struct interp *in, const struct cc_expr *e, uint64_t n)
{
    in->steps += n;
    if (in->steps > in->max_steps)
        interp_fail(in, CC_UB_STEPS, e, "%llu", (unsigned long long)in->max_steps);
}

void interp_read_bytes(struct interp *in, const struct cc_expr *e, struct pointer p, uint64_t n,
                       uint8_t *bytes)
{
    check_range(in, e, p, n);
    charge(in, e, n);
    uint64_t at = interp_byte_offset(in, p);
    struct stack_mark mark = stack_mark(&in->cells);
    uint8_t *sure = stack_alloc(&in->cells, (n + 15) / 16 * 16);
    struct window w = {at, at + n, bytes, sure, false};
    gather(in, e, p.object, &w);
    uint64_t i = 0;
    while (i < n && sure[i] == 0xFF)
        i++;
    stack_release(&in->cells, mark);
    if (i < n)
        fail_bytes(in, e, &w, at + i);
}

uint8_t interp_read_byte(struct interp *in, const struct cc_expr *e, struct pointer p, uint64_t n)
{
    uint8_t byte, sure;
    check_range(in, e, p, n + 1);
    charge(in, e, 1);
    uint64_t at = interp_byte_offset(in, p) + n;
    struct window w = {at, at + 1, &byte, &sure, false};
    gather(in, e, p.object, &w);
    if (sure != 0xFF)
        fail_bytes(in, e, &w, at);
    return byte;
}

void interp_write_bytes(struct interp *in, const struct cc_expr *e, struct pointer p, uint64_t n,
                        const uint8_t *bytes)
{
    check_range(in, e, p, n);
    charge(in, e, n);
    uint64_t at = interp_byte_offset(in, p);
    struct stack_mark mark = stack_mark(&in->cells);
    uint8_t *sure = stack_alloc(&in->cells, (n + 15) / 16 * 16);
    struct window w = {at, at + n, (uint8_t *)(uintptr_t)bytes, sure, false};
    memset(sure, 0xFF, n);
    scatter(in, e, p.object, &w);
    stack_release(&in->cells, mark);
}

void interp_move_bytes(struct interp *in, const struct cc_expr *e, struct pointer to,
                       struct pointer from, uint64_t n)
{
    check_range(in, e, from, n);
    check_range(in, e, to, n);
    charge(in, e, n);
    uint64_t source = interp_byte_offset(in, from), target = interp_byte_offset(in, to);
    struct stack_mark mark = stack_mark(&in->cells);
    uint8_t *bytes = stack_alloc(&in->cells, (2 * n + 15) / 16 * 16);
    struct window w = {source, source + n, bytes, bytes + n, false};
    gather(in, e, from.object, &w);
    w.from = target;
    w.to = target + n;
    scatter(in, e, to.object, &w);
    stack_release(&in->cells, mark);
}

void interp_decode_record(struct interp *in, const struct cc_expr *e, struct pointer p,
                          struct cell *to)
{
    uint64_t at = p.at >> AT_CELL_SHIFT, n = e->type->size;
    struct stack_mark mark = stack_mark(&in->cells);
    uint8_t *bytes = stack_alloc(&in->cells, (2 * n + 15) / 16 * 16);
    struct window w = {at, at + n, bytes, bytes + n, false};
    gather(in, e, p.object, &w);
    w.from = 0;
    w.to = n;
    walk(in, e, to, e->type->plain, NULL, 0, &w, scatter_scalar, true);
    stack_release(&in->cells, mark);
}

struct pointer interp_byte_at(struct interp *in, const struct cc_expr *e, struct pointer p,
                              uint64_t n)
{
    check_range(in, e, p, n);
    if (!(p.at & AT_WIDE)) { /* stays in its array */
        struct cell *c = cell_of(p);
        if (!(p.at & AT_PAST) && c->size == 1)
            return interp_pointer_add(in, e, p, in->leaves.at[c->leaf], (int64_t)n);
        p = interp_widen(in, p);
    }
    p.at += (uint32_t)n << AT_CELL_SHIFT;
    return p;
}

/* -- wide and narrow pointers ----------------------------------------------------------------- */

struct pointer interp_widen(struct interp *in, struct pointer p)
{
    if (p.object)
        p.at = interp_byte_offset(in, p) << AT_CELL_SHIFT | AT_WIDE;
    return p;
}

/* The subobject of type `wanted` at a byte, the outermost first; in a union that of any member, of
 * the one stored last first. */
static bool find(struct interp *in, const struct cell *cells, const struct cc_type *type,
                 uint32_t cell, uint64_t offset, const struct cc_type *wanted, uint32_t *found)
{
    if (offset == 0 && interp_same_element(type, wanted)) {
        *found = cell;
        return true;
    }
    if (interp_lanes_in(type, offset, wanted)) {
        *found = cell + (uint32_t)(offset / wanted->to->size);
        return true;
    }
    if (type->kind == CC_ARRAY || type->kind == CC_VECTOR) {
        uint64_t i = type->to->size ? offset / type->to->size : 0;
        uint32_t n = cells_of(in, type->to);
        return i < type->length && find(in, cells, type->to, cell + (uint32_t)i * n,
                                        offset - i * type->to->size, wanted, found);
    }
    if (!cc_is_record(type))
        return false;
    const struct cc_record *r = type->record;
    const struct layout *l = layout_of(in, type);
    int first = type->kind == CC_UNION ? (int)cells[cell].v.i : -1;
    for (int k = first < 0 ? 0 : -1; k < r->n_fields; k++) {
        const struct cc_field *f = &r->fields[k < 0 ? first : k];
        uint32_t at = cell + l->field[k < 0 ? first : k];
        if (f->name && f->bits < 0 && f->offset <= offset && offset < f->offset + f->type->size &&
            find(in, cells, f->type, at, offset - f->offset, wanted, found))
            return true;
    }
    return false;
}

/* -- allocated objects ------------------------------------------------------------------------ */

static const char allocated_tag[] = "(allocated)";

static bool same_fields(const struct cc_record *r, const struct cc_field *fields, int n)
{
    if (r->n_fields != n || strcmp(r->tag, allocated_tag) != 0)
        return false;
    for (int i = 0; i < n; i++)
        if (r->fields[i].type != fields[i].type || r->fields[i].offset != fields[i].offset)
            return false;
    return true;
}

/* Made once: types are the program's, which runs many times. */
static const struct cc_type *allocated_record(struct cc_types *t, const struct cc_field *fields,
                                              int n, uint32_t size)
{
    for (size_t i = 0; i < t->records.n; i++)
        if (t->records.at[i]->size == size && same_fields(t->records.at[i]->record, fields, n))
            return t->records.at[i];
    const struct cc_type *record = cc_record_declare(t, allocated_tag, false);
    cc_record_define(t, record, false, fields, n, size, 16);
    return record;
}

/* An array of `type` from byte `offset` on, with bytes before and after it; of a struct that ends
 * in a flexible array member (6.7.2.1p18): one, and as many elements as fit. */
static const struct cc_type *layout_type(struct interp *in, uint32_t size, uint32_t offset,
                                         const struct cc_type *type)
{
    struct cc_types *t = &in->p->types;
    const struct cc_type *byte = cc_basic(t, CC_UCHAR);
    struct cc_field fields[3];
    int n = 0;
    uint32_t count = (size - offset) / type->size, end = offset + count * type->size;
    const struct cc_record *r = type->kind == CC_STRUCT ? type->record : NULL;
    const struct cc_field *last = r && r->n_fields ? &r->fields[r->n_fields - 1] : NULL;
    bool flexible = last && last->type->kind == CC_ARRAY && last->type->length == 0;
    if (flexible) {
        count = 1;
        end = offset + last->offset;
    }
    if (!flexible && offset == 0 && end == size)
        return cc_array_of(t, type, count);
    if (offset)
        fields[n++] =
            (struct cc_field){.name = "before", .type = cc_array_of(t, byte, offset), .bits = -1};
    fields[n++] = (struct cc_field){
        .name = "here", .type = cc_array_of(t, type, count), .bits = -1, .offset = offset};
    const struct cc_type *tail = flexible ? last->type->to : byte;
    if ((size - end) / tail->size)
        fields[n++] = (struct cc_field){.name = "after",
                                        .type = cc_array_of(t, tail, (size - end) / tail->size),
                                        .bits = -1,
                                        .offset = end};
    return allocated_record(t, fields, n, size);
}

static void lay_out(struct interp *in, const struct cc_expr *e, struct object *o, uint32_t offset,
                    const struct cc_type *type)
{
    struct allocation *a = &in->allocations.at[o->heap - 1];
    if (a->typed || type->size == 0 || offset + (uint64_t)type->size > a->size ||
        offset % type->align)
        return;
    const struct cc_type *whole = layout_type(in, a->size, offset, type->plain);
    const struct layout *l = layout_of(in, whole);
    struct stack_mark mark = stack_mark(&in->cells);
    uint8_t *bytes = stack_alloc(&in->cells, (2 * (size_t)a->size + 15) / 16 * 16);
    struct window w = {0, a->size, bytes, bytes + a->size, false};
    gather(in, e, o, &w);
    o->cells = mem_resize(o->cells, l->n * sizeof *o->cells + 1);
    interp_fill(o->cells, l, false);
    for (uint32_t i = 0; i < l->n; i++) /* 6.7.3p6: nothing here was defined so */
        o->cells[i].flags &= (uint8_t) ~(CELL_CONST | CELL_VOLATILE);
    o->type = whole;
    o->n = l->n;
    a->typed = true;
    scatter(in, e, o, &w);
    stack_release(&in->cells, mark);
}

struct pointer interp_allocate(struct interp *in, const struct cc_expr *e, uint64_t size, bool zero)
{
    if (size > MAX_REAL_CELLS || (in->allocated += size) > MAX_REAL_CELLS)
        interp_fail(in, CC_UB_UNDECIDED, e, "more than %d bytes allocated", (int)MAX_REAL_CELLS);
    charge(in, e, size);
    struct object *o = arena_new(&in->arena, struct object);
    const struct cc_type *bytes =
        cc_array_of(&in->p->types, cc_basic(&in->p->types, CC_UCHAR), (uint32_t)size);
    const struct layout *l = layout_of(in, bytes);
    *o = (struct object){.cells = mem_alloc(l->n * sizeof *o->cells + 1),
                         .type = bytes,
                         .serial = next_serial(in),
                         .n = l->n,
                         .heap = (uint32_t)in->allocations.n + 1};
    interp_fill(o->cells, l, zero);
    vec_push(&in->allocations, (struct allocation){.object = o, .size = (uint32_t)size});
    return (struct pointer){o, o->serial, AT_WIDE};
}

struct pointer interp_allocate_here(struct interp *in, const struct cc_expr *e, uint64_t size)
{
    struct pointer p = interp_allocate(in, e, size, false);
    in->allocations.at[in->allocations.n - 1].frame = in->frame;
    in->frame->alloca = true;
    return p;
}

static void end_allocation(struct interp *in, struct allocation *a)
{
    if (a->object->exposed)
        interp_end_address(in, a->object);
    a->object->serial = 0;
    a->frame = NULL;
    free(a->object->cells);
    a->object->cells = NULL;
}

void interp_release_memory(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    if (is_null(p))
        return;
    if (!p.object || !p.object->heap || interp_byte_offset(in, p) != 0 ||
        in->allocations.at[p.object->heap - 1].frame)
        interp_fail(in, CC_UB_BUILTIN_ARGUMENT, e, "free of what malloc did not return");
    if (p.object->serial != p.serial)
        interp_fail(in, CC_UB_DANGLING, e, "freed twice");
    for (uint32_t i = 0; i < p.object->n; i++) /* no operand beside it may access it */
        stamp_write(in, e, p.object->cells + i);
    end_allocation(in, &in->allocations.at[p.object->heap - 1]);
}

void interp_end_alloca(struct interp *in, struct frame *frame)
{
    for (size_t i = frame->alloca ? in->allocations.n : 0; i > 0; i--)
        if (in->allocations.at[i - 1].frame == frame)
            end_allocation(in, &in->allocations.at[i - 1]);
}

/* -- from wide to narrow ---------------------------------------------------------------------- */

/* Stays wide where there is nothing of that type: to be converted back, or to fail when used. */
struct pointer interp_narrow(struct interp *in, const struct cc_expr *e, struct pointer p,
                             const struct cc_type *to)
{
    uint32_t offset = p.at >> AT_CELL_SHIFT, cell;
    struct object *o = p.object;
    if (o->heap)
        lay_out(in, e, o, offset, to);
    if (find(in, o->cells, o->type, 0, offset, to, &cell)) {
        p.at = cell << AT_CELL_SHIFT;
    } else if (offset >= to->size && find(in, o->cells, o->type, 0, offset - to->size, to, &cell)) {
        p.at |= AT_PAST;
    }
    return p;
}

/* A place to look at: a cell where there is one of the type. What stays wide is bytes, the base of
 * a member whose address is taken, or fails when it is accessed. */
struct pointer interp_deref_wide(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    const struct cc_type *type = e->type;
    uint64_t offset = p.at >> AT_CELL_SHIFT, room = p.object->type->size;
    if (offset + type->size > room)
        interp_fail(in, CC_UB_BOUNDS, e, "byte %llu of %llu", (unsigned long long)offset,
                    (unsigned long long)room);
    bool character = type->kind >= CC_CHAR && type->kind <= CC_UCHAR;
    if (character && p.object->heap && !in->allocations.at[p.object->heap - 1].typed)
        return p; /* its cells may yet change */
    struct pointer narrow = interp_narrow(in, e, p, type);
    if (narrow.at & (AT_WIDE | AT_PAST))
        return p;
    return character && (cell_of(narrow)->flags & CELL_IN_UNION) ? p : narrow;
}

/* A member of a record that is not there, which left its place wide: a scalar of the right type may
 * be there all the same, but compilers go by the record. */
static bool of_missing_record(const struct cc_expr *e)
{
    while (e->kind == CC_E_INDEX && e->a->type->kind == CC_ARRAY)
        e = e->a;
    return e->kind == CC_E_MEMBER;
}

/* 6.5p7 allows an access by a union that has a member of the type that is there; whether also where
 * that is a part of another record, it does not say. */
static bool has_member_there(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    const struct cc_record *r = e->type->kind == CC_UNION ? e->type->record : NULL;
    for (int i = 0; r && i < r->n_fields; i++) {
        const struct cc_field *f = &r->fields[i];
        if (f->name && f->bits < 0 && !(interp_narrow(in, e, p, f->type).at & (AT_WIDE | AT_PAST)))
            return true;
    }
    return false;
}

struct pointer interp_must_narrow(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    struct pointer narrow = interp_narrow(in, e, p, e->type);
    if ((narrow.at & (AT_WIDE | AT_PAST)) || of_missing_record(e)) {
        interp_check_alignment(in, e, p, e->type);
        bool open = p.object->heap || (!of_missing_record(e) && has_member_there(in, e, p));
        interp_fail(in, open ? CC_UB_UNDECIDED : CC_UB_EFFECTIVE_TYPE, e,
                    "no object of that type is there");
    }
    return narrow;
}

/* -- string literals -------------------------------------------------------------------------- */

/* 6.4.5p6: a static array, which a program may not modify. */
struct pointer interp_string_place(struct interp *in, const struct cc_expr *e)
{
    size_t i = (size_t)e->field; /* where it was in the last run that met it */
    if (i >= in->strings.n || in->strings.at[i].expr != e) {
        struct object *o = interp_new_literal(in, &in->static_literals, e, e->type);
        interp_fill(o->cells, layout_of(in, e->type), true);
        uint32_t size = e->type->to->size;
        for (uint32_t k = 0; k < e->n_args / size; k++) {
            cc_uwide value = 0;
            for (uint32_t b = 0; b < size; b++)
                value |= (cc_uwide)(uint8_t)e->text[k * size + b] << 8 * b;
            o->cells[k].v = interp_scalar_of(in, e->type->to, value);
        }
        for (uint32_t k = 0; k < o->n; k++)
            o->cells[k].flags |= CELL_CONST;
        i = in->strings.n;
        ((struct cc_expr *)(uintptr_t)e)->field = (int32_t)i;
        vec_push(&in->strings, (struct string){e, o});
    }
    struct object *o = in->strings.at[i].object;
    return (struct pointer){o, o->serial, 0};
}

/* -- arguments of variadic functions ---------------------------------------------------------- */

static struct frame *frame_of(struct interp *in, const struct object *list)
{
    struct frame *f = in->frame;
    while (f && f->list != list)
        f = f->up;
    return f;
}

static struct cell *list_cells(struct interp *in, const struct cc_expr *e, struct pointer list)
{
    const struct cc_type *type = cc_va_list_type(&in->p->types);
    if (!list.object)
        interp_fail(in, CC_UB_NULL_ACCESS, e, "%s", "");
    if (list.object->serial != list.serial)
        interp_fail(in, CC_UB_DANGLING, e, "%s", "");
    if (list.at & AT_WIDE)
        list = interp_narrow(in, e, list, type);
    if (list.at & (AT_WIDE | AT_PAST))
        interp_fail(in, CC_UB_EFFECTIVE_TYPE, e, "no va_list is there");
    return cell_of(list);
}

/* Of a list that was begun and not ended; taken is SPENT where somebody else took arguments. */
enum { SPENT = -1 };

static bool is_begun(const struct cell *c)
{
    return !((c[0].flags | c[1].flags) & CELL_INDETERMINATE) && c[0].v.p.object;
}

/* 7.16.1.4p3, 7.16.1.2p3. */
static void begin_list(struct interp *in, const struct cc_expr *e, struct cell *c)
{
    if (is_begun(c))
        interp_fail(in, CC_UB_ARGUMENT_LIST, e, "the list is begun again without va_end");
    stamp_write(in, e, c);
    in->frame->n_lists++;
}

static struct cell *usable_list(struct interp *in, const struct cc_expr *e, struct pointer list)
{
    struct cell *c = list_cells(in, e, list);
    if (!is_begun(c))
        interp_fail(in, CC_UB_UNINITIALISED, e, "the list has not been started");
    if (c[1].v.i == SPENT)
        interp_fail(in, CC_UB_ARGUMENT_LIST, e, "a function that got the list took arguments");
    return c;
}

/* 7.16.1.4p4: the last parameter must be no register, and of a promoted type. */
static void check_last_parameter(struct interp *in, const struct cc_expr *e,
                                 const struct cc_func *f)
{
    const struct cc_var *last = f->n_params ? f->params[f->n_params - 1] : NULL;
    if (last && (last->is_register || !interp_is_promoted(&in->p->types, last->type)))
        interp_fail(in, CC_UB_ARGUMENT_LIST, e, "va_start by the parameter %s", last->name);
}

void interp_start_list(struct interp *in, const struct cc_expr *e, struct pointer list)
{
    struct frame *f = in->frame;
    struct cell *c = list_cells(in, e, list);
    check_last_parameter(in, e, f->func->f);
    begin_list(in, e, c);
    if (!f->list) {
        f->list = arena_new(&in->arena, struct object);
        f->list->type = cc_basic(&in->p->types, CC_VOID);
        f->list->serial = ++in->serial;
    }
    c[0].v = (union value){.p = {f->list, f->list->serial, 0}};
    c[1].v = (union value){.i = 0};
    c[0].flags &= (uint8_t)~CELL_INDETERMINATE;
    c[1].flags &= (uint8_t)~CELL_INDETERMINATE;
}

void interp_copy_list(struct interp *in, const struct cc_expr *e, struct pointer to,
                      struct pointer from)
{
    struct cell *source = usable_list(in, e, from), *c = list_cells(in, e, to);
    begin_list(in, e, c);
    interp_copy_values(c, source, 2);
}

/* 7.16.1.3p2: in the function where it was begun. */
void interp_end_list(struct interp *in, const struct cc_expr *e, struct pointer list)
{
    struct cell *c = list_cells(in, e, list);
    if (!is_begun(c) || !in->frame->n_lists)
        interp_fail(in, CC_UB_ARGUMENT_LIST, e, "va_end of a list that is not begun here");
    stamp_write(in, e, c);
    in->frame->n_lists--;
    for (int i = 0; i < 2; i++) {
        c[i].flags |= CELL_INDETERMINATE;
        c[i].known = 0;
    }
}

void interp_spend_list(struct interp *in, const struct cc_expr *e, struct pointer list)
{
    struct cell *c = list_cells(in, e, list);
    if (is_begun(c))
        c[1].v.i = SPENT;
}

void interp_spend_lists(struct interp *in, const struct cc_expr *e, const struct frame *by)
{
    for (; in->taken.n && in->taken.at[in->taken.n - 1].by == by; in->taken.n--) {
        struct pointer list = in->taken.at[in->taken.n - 1].list;
        if (list.object->serial == list.serial)
            interp_spend_list(in, e, list);
    }
}

/* The list is a parameter, or what one points to: it is another function's. */
static void note_taken(struct interp *in, struct pointer list)
{
    for (size_t i = in->taken.n; i > 0 && in->taken.at[i - 1].by == in->frame; i--)
        if (in->taken.at[i - 1].list.object == list.object &&
            in->taken.at[i - 1].list.at == list.at)
            return;
    vec_push(&in->taken, (struct taken){in->frame, list});
    in->frame->took = true;
}

const struct argument *interp_next_argument(struct interp *in, const struct cc_expr *e,
                                            struct pointer list, bool passed)
{
    struct cell *c = usable_list(in, e, list);
    struct frame *f = frame_of(in, c[0].v.p.object);
    if (!f || f->list->serial != c[0].v.p.serial)
        interp_fail(in, CC_UB_DANGLING, e, "the function has returned");
    stamp_write(in, e, c);
    if (passed)
        note_taken(in, list);
    if (c[1].v.i >= f->n_more)
        return NULL;
    return &f->more[c[1].v.i++];
}
