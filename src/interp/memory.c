/* Memory: accesses, unions, pointers.
 *
 * A cell knows by itself what it is (layout.c). Only the rare questions (which union is it in, at
 * which byte does it lie, in which array) walk from the object's type down to the cell.
 *
 * Accesses that the header's fast paths do not take come here: load_slow and store_slow apply every
 * rule in the order effective type (6.5p7), qualifiers (6.7.3p6), union (6.2.6.1p7), order
 * (order.c), value. */
#include "interp/interp_internal.h"

/* -- the stack -------------------------------------------------------------------------------- */

void *interp_stack_grow(struct stack *s, size_t size)
{
    enum { CHUNK = 64 * 1024 };
    struct chunk *c = s->spare;
    if (c && (size_t)(c->end - c->data) >= size) {
        s->spare = c->down;
    } else {
        size_t room = size > CHUNK ? size : CHUNK;
        c = mem_alloc(sizeof *c + room);
        c->end = c->data + room;
    }
    c->down = s->top;
    s->top = c;
    s->free = c->data + size;
    s->end = c->end;
    return c->data;
}

void interp_stack_shrink(struct stack *s, struct stack_mark m)
{
    while (s->top != m.top) {
        struct chunk *c = s->top;
        s->top = c->down;
        c->down = s->spare;
        s->spare = c;
    }
    s->end = s->top ? s->top->end : NULL;
}

void interp_stack_free(struct stack *s)
{
    interp_stack_shrink(s, (struct stack_mark){0});
    for (struct chunk *c = s->spare, *down; c; c = down) {
        down = c->down;
        free(c);
    }
}

/* -- from the whole down to a cell ------------------------------------------------------------ */

bool interp_step_down(struct interp *in, struct spot *s, uint32_t cell)
{
    const struct cc_type *type = s->type;
    uint32_t rest = cell - s->cell;
    if (type->kind == CC_ARRAY || type->kind == CC_VECTOR) {
        uint32_t n = cells_of(in, type->to);
        s->index = rest / n;
        s->field = NULL;
        s->cell += s->index * n;
        s->offset += s->index * type->to->size;
        s->type = type->to;
        return true;
    }
    if (!cc_is_record(type) || (type->kind == CC_UNION && rest == 0))
        return false;
    const struct cc_record *r = type->record;
    const struct layout *l = layout_of(in, type);
    int i = r->n_fields - 1;
    while (i > 0 && (!r->fields[i].name || l->field[i] > rest))
        i--;
    s->field = &r->fields[i];
    s->index = (uint32_t)i;
    s->cell += l->field[i];
    s->offset += r->fields[i].offset;
    s->type = r->fields[i].type;
    return true;
}

static struct spot whole(const struct object *o)
{
    return (struct spot){.type = o->type};
}

/* Of one past the end of an array: that of the end of the last scalar in it. */
uint32_t interp_byte_offset(struct interp *in, struct pointer p)
{
    if (p.at & AT_WIDE)
        return p.at >> AT_CELL_SHIFT;
    bool past = (p.at & AT_PAST) && byte_of(p) == 0;
    uint32_t cell = (p.at >> AT_CELL_SHIFT) - past;
    struct spot s = whole(p.object);
    while (interp_step_down(in, &s, cell)) {
    }
    return s.offset + (past ? s.type->size : byte_of(p));
}

bool interp_lanes_in(const struct cc_type *array, uint64_t offset, const struct cc_type *vector)
{
    return vector->kind == CC_VECTOR && array->kind == CC_ARRAY &&
           cc_same_type(array->to, vector->to) && offset % vector->to->size == 0 &&
           offset / vector->to->size + vector->length <= array->length;
}

/* Is there a subobject of this type that starts at the cell? */
bool interp_type_at(struct interp *in, const struct object *o, uint32_t cell,
                    const struct cc_type *type)
{
    struct spot s = whole(o);
    do
        if ((s.cell == cell && cc_same_type(s.type, type)) ||
            (in->options.real && s.type->kind == CC_ARRAY &&
             interp_lanes_in(s.type, (uint64_t)(cell - s.cell) * s.type->to->size, type)))
            return true;
    while (interp_step_down(in, &s, cell));
    return false;
}

/* -- unions ----------------------------------------------------------------------------------- */

struct union_step { /* a union that a cell is part of */
    uint32_t header;
    int member;
    const struct cc_type *type;
    struct spot spot; /* of the member */
};

enum { MAX_UNIONS = 16 };

/* The unions around a cell, the outermost first; one that starts at the cell itself is none. */
static int unions_around(struct interp *in, const struct object *o, uint32_t cell,
                         struct union_step *out)
{
    struct spot s = whole(o);
    int n = 0;
    for (;;) {
        uint32_t header = s.cell;
        const struct cc_type *type = s.type;
        if (!interp_step_down(in, &s, cell))
            return n;
        if (type->kind == CC_UNION) {
            REQUIRE(n < MAX_UNIONS);
            out[n++] = (struct union_step){header, (int)s.index, type, s};
        }
    }
}

/* The sign of a NaN is open, 6.2.6.1 and F.2.1: a generated program does not look at it. */
static cc_uwide nan_bytes(struct interp *in, const struct cell *c)
{
    if (!in->options.real)
        interp_fail(in, CC_UB_UNDECIDED, NULL, "the bytes of a NaN");
    uint64_t sign = in->options.way == 1;
    interp_note_choice(in, "the sign of a NaN");
    return c->kind == CC_FLOAT ? 0x7FC00000u | sign << 31
                               : UINT64_C(0x7FF8000000000000) | sign << 63;
}

/* Bytes of a scalar as in memory, the one at the lowest address lowest. */
cc_uwide interp_scalar_bytes(struct interp *in, const struct cell *c)
{
    cc_uwide bits;
    if (c->kind == CC_POINTER) {
        bool function = in->leaves.at[c->leaf]->to->kind == CC_FUNCTION;
        return function ? interp_function_address(in, c->v.fn) : interp_address(in, c->v.p);
    }
    if (c->kind == CC_LDOUBLE) { /* the rest is padding */
        if (c->v.x != c->v.x)
            interp_fail(in, CC_UB_UNDECIDED, NULL, "the bytes of a NaN");
        bits = 0;
        memcpy(&bits, &c->v.x, LDOUBLE_BITS / 8);
        return bits;
    }
    if ((c->kind == CC_DOUBLE || c->kind == CC_FLOAT) && c->v.f != c->v.f)
        return nan_bytes(in, c);
    if (c->kind == CC_DOUBLE) {
        uint64_t u;
        memcpy(&u, &c->v.f, sizeof u);
        bits = u;
    } else if (c->kind == CC_FLOAT) {
        float f = (float)c->v.f;
        uint32_t u;
        memcpy(&u, &f, sizeof u);
        bits = u;
    } else {
        bits = c->size > 8 ? (cc_uwide)c->v.w : (cc_uwide)(uint64_t)c->v.i;
    }
    if (!in->p->types.model->big_endian)
        return bits;
    cc_uwide turned = 0;
    for (int i = 0; i < c->size; i++)
        turned = turned << 8 | (bits >> 8 * i & 0xFF);
    return turned;
}

union value interp_scalar_of(struct interp *in, const struct cc_type *scalar, cc_uwide bytes)
{
    enum cc_kind kind = cc_representation(&in->p->types, scalar)->kind;
    int size = (int)scalar->size;
    cc_uwide bits = bytes;
    if (kind == CC_POINTER)
        return interp_pointer_at(in, scalar, (uint64_t)bytes);
    if (in->p->types.model->big_endian) {
        bits = 0;
        for (int i = 0; i < size; i++)
            bits = bits << 8 | (bytes >> 8 * i & 0xFF);
    }
    if (kind == CC_LDOUBLE) {
        union value v = {.w = 0};
        bool one = bits >> 63 & 1, exponent = bits >> 64 & 0x7FFF;
        if (one != exponent || (bits >> 64 & 0x7FFF) == 0x7FFF)
            interp_fail(in, CC_UB_UNDECIDED, NULL, "the bytes of a long double");
        memcpy(&v.x, &bits, LDOUBLE_BITS / 8);
        return v;
    }
    if (kind == CC_DOUBLE) {
        union value v = {.i = 0};
        uint64_t u = (uint64_t)bits;
        memcpy(&v.f, &u, sizeof u);
        return v;
    }
    if (kind == CC_FLOAT) {
        float f;
        uint32_t u = (uint32_t)bits;
        if (in->options.real && (u & 0x7FC00000) == 0x7F800000 && (u & 0x3FFFFF))
            interp_fail(in, CC_UB_UNDECIDED, NULL, "a signalling NaN");
        memcpy(&f, &u, sizeof f);
        return (union value){.f = (double)f};
    }
    if (kind == CC_BOOL) /* what is no value of it is left as it is */
        return (union value){.i = (int64_t)(bits & 0xFF)};
    const struct cc_type *type = cc_basic(&in->p->types, kind);
    if (size > 8)
        return (union value){.w = (cc_wide)bits};
    return (union value){.i = cc_wrap_small(type, (int64_t)(uint64_t)bits)};
}

static uint16_t all_known(int size)
{
    return (uint16_t)((1u << size) - 1);
}

static bool is_plain_integer(const struct cc_field *f)
{
    return f->name && f->bits < 0 && cc_is_integer(f->type);
}

/* The cell of the member stored last, where a read of the integer member `member` may take its
 * bytes from it: 6.5.2.3p3 with footnote 95, as far as the result is the same everywhere. NULL: it
 * may not. */
static struct cell *reinterpreted(struct interp *in, struct cell *header,
                                  const struct cc_type *type, int member)
{
    const struct cc_field *fields = type->record->fields, *wanted = &fields[member];
    if (in->options.strict_unions || header->v.i < 0)
        return NULL;
    const struct cc_field *stored = &fields[header->v.i];
    if (!is_plain_integer(wanted) || wanted->type->kind == CC_BOOL || !is_plain_integer(stored) ||
        stored->type->size < wanted->type->size)
        return NULL;
    struct cell *c = header + layout_of(in, type)->field[header->v.i];
    uint16_t needed = all_known((int)wanted->type->size);
    return !(c->flags & CELL_INDETERMINATE) || (c->known & needed) == needed ? c : NULL;
}

bool interp_member_readable(struct interp *in, struct cell *header, const struct cc_type *type,
                            int member)
{
    const struct cc_field *f = &type->record->fields[member];
    if (!f->name)
        return false;
    if (header->v.i != member)
        return reinterpreted(in, header, type, member) != NULL;
    const struct cell *c = header + layout_of(in, type)->field[member];
    uint32_t n = layout_of(in, f->type)->n;
    for (uint32_t i = 0; i < n; i++) {
        struct spot s = {.type = f->type};
        bool inner = false; /* an inner union is asked for on its own */
        do
            inner |= s.type->kind == CC_UNION;
        while (interp_step_down(in, &s, i));
        if (!inner && s.type->kind != CC_POINTER && (c[i].flags & (CELL_INDETERMINATE | CELL_TRAP)))
            return false;
    }
    return true;
}

/* Before a read: the cell to read, another one than at `p` where bytes are reinterpreted. In a real
 * program NULL: the bytes of the object, whatever they were stored as. */
static struct cell *union_source(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    struct union_step steps[MAX_UNIONS];
    uint32_t cell = p.at >> AT_CELL_SHIFT;
    int n = unions_around(in, p.object, cell, steps);
    for (int i = 0; i < n; i++) {
        struct cell *header = p.object->cells + steps[i].header;
        if (header->v.i == steps[i].member)
            continue;
        if (in->options.real)
            return NULL;
        struct cell *from = NULL;
        if (i == n - 1 && steps[i].spot.cell == cell && !cc_is_composite(e->type))
            from = reinterpreted(in, header, steps[i].type, steps[i].member);
        if (!from) {
            const struct cc_field *f = steps[i].type->record->fields;
            interp_fail(in, CC_UB_UNION_MEMBER, e, "%s was stored last",
                        header->v.i < 0 ? "no member" : f[header->v.i].name);
        }
        return from;
    }
    return cell_of(p);
}

/* Before a store: the members on the way are active from now on, and what the others held is lost.
 */
static void activate(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    struct union_step steps[MAX_UNIONS];
    int n = unions_around(in, p.object, p.at >> AT_CELL_SHIFT, steps);
    for (int i = 0; i < n; i++) {
        struct cell *header = p.object->cells + steps[i].header;
        if (header->v.i == steps[i].member)
            continue;
        if (in->options.real) {
            interp_switch_member(in, e, header, steps[i].type, steps[i].member);
            continue;
        }
        uint32_t cells = layout_of(in, steps[i].type)->n;
        for (uint32_t k = 1; k < cells; k++) {
            struct cell *c = header + k;
            stamp_write(in, e, c);
            if (c->flags & CELL_UNION) {
                c->v.i = -1;
                continue;
            }
            c->flags = (uint8_t)((c->flags & ~CELL_TRAP) | CELL_INDETERMINATE);
            c->known = 0;
        }
        header->v.i = steps[i].member;
    }
}

/* -- volatile objects -------------------------------------------------------------------------- */

/* A volatile object is accessed: 6.7.3p6 on the lvalue, 5.1.2.3p6 on the order. */
static void access_volatile(struct interp *in, const struct cc_expr *e, struct pointer p,
                            bool seen_volatile, bool write)
{
    if (!seen_volatile)
        interp_fail(in, CC_UB_VOLATILE_ACCESS, e, "%s", p.object->var ? p.object->var->name : "");
    if (in->last_volatile - in->lowest <= in->span && !in->options.real &&
        interp_in_interval(in, in->last_volatile))
        interp_fail(in, CC_UB_VOLATILE_ORDER, e, "%s", "");
    if (!in->options.real) /* there, only output counts */
        in->last_volatile = in->clock;
    if (!in->options.trace_volatile)
        return;
    const struct cc_var *var = p.object->var;
    struct spot s = whole(p.object);
    bool vector = e->type->kind == CC_VECTOR; /* which is accessed as one */
    while (!(vector && s.type->kind == CC_VECTOR) &&
           interp_step_down(in, &s, p.at >> AT_CELL_SHIFT)) {
    }
    if (s.field && s.field->bits >= 0) /* the unit that holds its first bit */
        s.offset -= s.field->offset % s.type->align;
    bool is_static = var && (var->global || var->storage != CC_AUTO);
    vec_push(&in->trace, (struct interp_access){.var = is_static ? var : NULL,
                                                .offset = s.offset,
                                                .size = (uint8_t)s.type->size,
                                                .write = write});
}

/* -- accesses --------------------------------------------------------------------------------- */

enum access { ACCESS_BAD, ACCESS_SAME, ACCESS_OTHER_SIGN, ACCESS_BYTE };

static bool is_character(const struct cc_type *t)
{
    return t->kind >= CC_CHAR && t->kind <= CC_UCHAR;
}

/* The signed type's kind of an integer kind that has both. */
static int sign_free(enum cc_kind kind)
{
    switch (kind) {
    case CC_UCHAR:
    case CC_USHORT:
    case CC_UINT:
    case CC_ULONG:
    case CC_ULLONG:
    case CC_UINT128:
        return (int)kind - 1;
    default:
        return (int)kind;
    }
}

/* Compilers look at no qualifiers of what a pointer points to, at any level, and take void * for
 * any pointer to an object. */
static bool same_pointer(const struct interp *in, const struct cc_type *a, const struct cc_type *b)
{
    if (a->plain == b->plain || !in->options.real)
        return a->plain == b->plain;
    if (a->kind != CC_POINTER || b->kind != CC_POINTER)
        return false;
    const struct cc_type *s = a->to->plain, *t = b->to->plain;
    bool objects = s->kind != CC_FUNCTION && t->kind != CC_FUNCTION;
    if (objects && (s->kind == CC_VOID || t->kind == CC_VOID))
        return true;
    return s->kind == CC_POINTER ? same_pointer(in, s, t) : interp_same_element(s, t);
}

/* 6.5p7: may an lvalue of `type` access this cell, and how? */
static enum access access_by(const struct interp *in, const struct cell *c, struct pointer p,
                             const struct cc_type *type)
{
    if (c->flags & CELL_UNION)
        return ACCESS_BAD;
    const struct cc_type *leaf = in->leaves.at[c->leaf];
    if (c->kind == CC_POINTER || type->kind == CC_POINTER)
        return same_pointer(in, type, leaf) && byte_of(p) == 0 ? ACCESS_SAME : ACCESS_BAD;
    const struct cc_type *rep = cc_representation(&in->p->types, type);
    if (c->kind == rep->kind && byte_of(p) == 0)
        return ACCESS_SAME;
    if (is_character(type))
        return c->flags & CELL_BITFIELD             ? ACCESS_BAD
               : c->size == 1 && c->kind != CC_BOOL ? ACCESS_OTHER_SIGN
                                                    : ACCESS_BYTE;
    if (sign_free((enum cc_kind)c->kind) == sign_free(rep->kind) && byte_of(p) == 0)
        return ACCESS_OTHER_SIGN;
    return ACCESS_BAD;
}

static _Noreturn void fail_type(struct interp *in, const struct cc_expr *e, const struct cell *c)
{
    interp_fail(in, CC_UB_EFFECTIVE_TYPE, e, "the object is of type %s", cc_kind_text[c->kind]);
}

/* Any read of a pointer to an object whose lifetime has ended, 6.2.4p2. */
static void check_alive(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    if (p.object && p.object->serial != p.serial)
        interp_fail(in, in->through ? CC_UB_DANGLING : CC_UB_DANGLING_READ, e, "%s",
                    p.object->var ? p.object->var->name : "");
}

union value interp_load_pointer(struct interp *in, const struct cc_expr *e, struct cell *c)
{
    if (!same_pointer(in, in->leaves.at[c->leaf], e->type))
        fail_type(in, e, c);
    if (e->type->to->kind != CC_FUNCTION)
        check_alive(in, e, c->v.p);
    return c->v;
}

static union value load_byte(struct interp *in, const struct cc_expr *e, struct cell *c,
                             uint32_t byte)
{
    if ((c->flags & CELL_INDETERMINATE) && !(c->known >> byte & 1))
        interp_fail(in, CC_UB_UNINITIALISED, e, "byte %u", byte);
    uint64_t bits = (uint64_t)(interp_scalar_bytes(in, c) >> 8 * byte & 0xFF);
    return (union value){.i = cc_wrap_small(e->type, (int64_t)bits)};
}

/* Does it go through the union to the member? Only then may it take the bytes of any other member
 * (6.5.2.3p3 with footnote 95). A read by a pointer has to be of what was stored, as 6.5p7 has it:
 * a compiler may move it before a store by an lvalue of another type. */
static bool names_member(const struct cc_expr *e)
{
    return e->kind == CC_E_MEMBER && e->a->type->kind == CC_UNION;
}

/* GCC: "the access is through the union type", however deep in the member. */
static bool through_union(const struct cc_expr *e)
{
    for (; e->kind == CC_E_MEMBER || (e->kind == CC_E_INDEX && e->a->type->kind == CC_ARRAY);
         e = e->a)
        if (names_member(e))
            return true;
    return false;
}

union value interp_load_slow(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    struct cell *c = cell_of(p);
    const struct cc_type *type = e->type;
    enum access how = access_by(in, c, p, type);
    if (how == ACCESS_BAD)
        fail_type(in, e, c);
    if (c->flags & CELL_VOLATILE)
        access_volatile(in, e, p, type->quals & CC_VOLATILE, false);
    struct cell *from = c;
    if (c->flags & CELL_IN_UNION) {
        in->union_read = p;
        in->union_reader = e;
        from = union_source(in, e, p);
        if (!from && !through_union(e) && !is_character(type) &&
            (e->kind == CC_E_MEMBER || !interp_stored_as(in, interp_widen(in, p), type)))
            interp_fail(in, CC_UB_EFFECTIVE_TYPE, e, "another member was stored last");
        if (!from)
            return interp_load_bytes(in, e, interp_widen(in, p));
        if (from != c && !names_member(e) && access_by(in, from, p, type) == ACCESS_BAD)
            fail_type(in, e, from);
    }
    stamp_read(in, e, from);
    if (how == ACCESS_BYTE)
        return load_byte(in, e, from, byte_of(p));
    if (from != c)
        return interp_scalar_of(in, type, interp_scalar_bytes(in, from));
    if (c->flags & CELL_INDETERMINATE)
        interp_fail(in, CC_UB_UNINITIALISED, e, "%s", "");
    if (c->flags & CELL_TRAP)
        interp_fail(in, CC_UB_BOOL_REPRESENTATION, e, "%d", (int)c->v.i);
    if (c->kind == CC_POINTER)
        return interp_load_pointer(in, e, c);
    if (how == ACCESS_OTHER_SIGN && cc_is_small(type))
        return (union value){.i = cc_wrap_small(type, c->v.i)};
    return c->v;
}

static void store_byte(struct interp *in, struct cell *c, uint32_t byte, int64_t v)
{
    cc_uwide bytes = interp_scalar_bytes(in, c), mask = (cc_uwide)0xFF << 8 * byte;
    bytes = (bytes & ~mask) | ((cc_uwide)(v & 0xFF) << 8 * byte);
    if (c->flags & CELL_INDETERMINATE) {
        c->known = (uint16_t)(c->known | 1u << byte);
        if (c->known == all_known(c->size))
            c->flags &= (uint8_t)~CELL_INDETERMINATE;
    }
    c->v = interp_scalar_of(in, in->leaves.at[c->leaf], bytes);
    if (c->kind == CC_BOOL)
        c->flags = (uint8_t)((c->flags & ~CELL_TRAP) | (c->v.i > 1 ? CELL_TRAP : 0));
}

static union value bitfield_value(const struct interp *in, const struct cell *c, union value v)
{
    const struct cc_type *type = in->leaves.at[c->leaf];
    if (c->size > 8)
        return (union value){.w = cc_bitfield_value(type, c->bits, v.w)};
    int unused = 64 - c->bits;
    uint64_t high = (uint64_t)v.i << unused;
    return (union value){.i =
                             type->is_signed ? (int64_t)high >> unused : (int64_t)(high >> unused)};
}

void interp_refuse_store(struct interp *in, const struct cc_expr *e, const struct cc_var *var,
                         const struct cell *c)
{
    enum cc_ub rule = CC_UB_CONST_WRITE;
    for (const struct literal *l = in->temporaries; l; l = l->next)
        if (l->object->cells <= c && c < l->object->cells + l->object->n)
            rule = CC_UB_TEMPORARY_WRITE;
    interp_fail(in, rule, e, "%s", var ? var->name : "");
}

union value interp_store_slow(struct interp *in, const struct cc_expr *e, struct pointer p,
                              union value v)
{
    struct cell *c = cell_of(p);
    enum access how = access_by(in, c, p, e->type);
    if (how == ACCESS_BAD)
        fail_type(in, e, c);
    if (c->flags & CELL_CONST)
        interp_refuse_store(in, e, p.object->var, c);
    if (c->flags & CELL_VOLATILE)
        access_volatile(in, e, p, e->type->quals & CC_VOLATILE, true);
    if (c->flags & CELL_IN_UNION)
        activate(in, e, p);
    stamp_write(in, e, c);
    if (how == ACCESS_BYTE) {
        store_byte(in, c, byte_of(p), v.i);
        return v;
    }
    if (c->flags & CELL_BITFIELD)
        v = bitfield_value(in, c, v);
    c->v = v;
    if (how == ACCESS_OTHER_SIGN && c->size <= 8)
        c->v.i = cc_wrap_small(in->leaves.at[c->leaf], v.i);
    c->flags &= (uint8_t) ~(CELL_INDETERMINATE | CELL_TRAP);
    return v;
}

/* -- records and vectors ---------------------------------------------------------------------- */

static struct pointer plus_cells(struct pointer p, uint32_t n)
{
    p.at += n << AT_CELL_SHIFT;
    return p;
}

/* Is the access to the `i`th cell of a whole value one to a volatile scalar, or to a volatile
 * vector at its start? */
static bool is_volatile_access(const struct cc_expr *e, const struct cell *c, uint32_t i)
{
    return (c[i].flags & CELL_VOLATILE) && !(c[i].flags & CELL_UNION) &&
           (i == 0 || e->type->kind != CC_VECTOR);
}

/* 6.2.6.1p6: a record may be copied whatever its members hold. A vector is a value like a scalar:
 * its lanes are read. */
void interp_load_record(struct interp *in, const struct cc_expr *e, struct pointer p,
                        struct cell *to)
{
    if (UNLIKELY(p.at & AT_WIDE))
        p = interp_must_narrow(in, e, p);
    struct cell *c = cell_of(p);
    const struct layout *l = layout_of(in, e->type);
    if (c->flags & CELL_IN_UNION) {
        in->union_read = p;
        in->union_reader = e;
        if (!union_source(in, e, p)) {
            interp_decode_record(in, e, interp_widen(in, p), to);
            return;
        }
    }
    for (uint32_t i = 0; i < l->n; i++) {
        if (is_volatile_access(e, c, i))
            access_volatile(in, e, plus_cells(p, i), l->fresh[i].flags & CELL_VOLATILE, false);
        stamp_read(in, e, c + i);
        if (e->type->kind == CC_VECTOR && (c[i].flags & CELL_INDETERMINATE))
            interp_fail(in, CC_UB_UNINITIALISED, e, "lane %u", i);
    }
    interp_copy_values(to, c, l->n);
}

void interp_store_record(struct interp *in, const struct cc_expr *e, struct pointer p,
                         const struct cell *from)
{
    struct cell *c = cell_of(p);
    const struct layout *l = layout_of(in, e->type);
    in->steps += l->n / 16;
    if (c->flags & CELL_IN_UNION)
        activate(in, e, p);
    for (uint32_t i = 0; i < l->n; i++) {
        if (c[i].flags & CELL_CONST)
            interp_refuse_store(in, e, p.object->var, c + i);
        if (is_volatile_access(e, c, i))
            access_volatile(in, e, plus_cells(p, i), l->fresh[i].flags & CELL_VOLATILE, true);
        stamp_write(in, e, c + i);
    }
    interp_copy_values(c, from, l->n);
}

/* 6.5.16.1p3: where the value comes from an object that overlaps the one it goes to, they must be
 * the same place and of compatible types. Only members of one union overlap. */
void interp_check_overlap(struct interp *in, const struct cc_expr *e, struct pointer to)
{
    struct pointer from = in->union_read;
    const struct cc_expr *source = e->b;
    while (source->kind == CC_E_CAST)
        source = source->a;
    if (source != in->union_reader || from.object != to.object || from.serial != to.serial ||
        from.at == to.at)
        return;
    int64_t a = interp_byte_offset(in, from), b = interp_byte_offset(in, to);
    bool apart = a + source->type->size <= b || b + e->a->type->size <= a;
    if (!apart && !(a == b && cc_same_type(source->type, e->a->type)))
        interp_fail(in, CC_UB_OVERLAP, e, "%s", "");
}

/* -- pointers --------------------------------------------------------------------------------- */

struct pointer interp_deref(struct interp *in, const struct cc_expr *e, struct pointer p)
{
    struct object *o = p.object;
    if (UNLIKELY(!o))
        interp_fail(in, CC_UB_NULL_ACCESS, e, "%s", "");
    if (UNLIKELY(o->serial != p.serial))
        interp_fail(in, CC_UB_DANGLING, e, "%s", o->var ? o->var->name : "");
    if (UNLIKELY(p.at & AT_PAST))
        interp_fail(in, CC_UB_BOUNDS, e, "one past the end of an array%s%s", o->var ? " in " : "",
                    o->var ? o->var->name : "");
    if (UNLIKELY(in->packed) && !(e->kind == CC_E_DEREF && e->a->kind == CC_E_ADDR))
        interp_check_alignment(in, e, p, e->type);
    if (UNLIKELY(p.at & AT_WIDE))
        return interp_deref_wide(in, e, p);
    if (e->type->kind > CC_POINTER && (p.at || !cc_same_type(o->type, e->type)) &&
        (byte_of(p) || !interp_type_at(in, o, p.at >> AT_CELL_SHIFT, e->type)))
        interp_fail(in, CC_UB_EFFECTIVE_TYPE, e, "no object of that type is there");
    if (UNLIKELY(in->options.real) && e->type->kind == CC_VECTOR)
        interp_check_alignment(in, e, p, e->type); /* it may be an array of its elements */
    return p;
}

struct extent {           /* of the array that a pointer points into, 6.5.6p7-8 */
    uint32_t start, step; /* cells */
    uint32_t length;
    bool bytes; /* of one scalar, as characters */
};

/* The kind of a scalar without its sign; characters are one (6.5p7). */
static int element_kind(const struct cc_type *t)
{
    if (is_character(t))
        return CC_CHAR;
    if (t->kind == CC_ENUM)
        return CC_INT;
    return sign_free(t->kind);
}

bool interp_same_element(const struct cc_type *a, const struct cc_type *b)
{
    if (cc_compatible_type(a, b))
        return true;
    return cc_is_scalar(a) && cc_is_scalar(b) && a->kind != CC_POINTER && b->kind != CC_POINTER &&
           element_kind(a) == element_kind(b);
}

static struct extent extent_of(struct interp *in, struct pointer p, const struct cc_type *to)
{
    uint32_t step = cells_of(in, to), cell = p.at >> AT_CELL_SHIFT;
    struct spot s = whole(p.object);
    if (p.at & AT_PAST && !byte_of(p))
        cell = cell >= step ? cell - step : 0;
    if (interp_same_element(s.type, to))
        return (struct extent){0, step, 1, false};
    for (;;) {
        bool array = s.type->kind == CC_ARRAY || (in->options.real && s.type->kind == CC_VECTOR);
        uint32_t start = s.cell, length = array ? s.type->length : 1;
        if (to->kind == CC_VECTOR && s.type->kind == CC_ARRAY && in->options.real &&
            cc_same_type(s.type->to, to->to)) {
            uint32_t before = (cell - start) % step;
            return (struct extent){start + before, step, (length - before) / step, false};
        }
        if (!interp_step_down(in, &s, cell))
            break;
        if (interp_same_element(s.type, to))
            return (struct extent){length > 1 ? start : s.cell, step, length, false};
    }
    if (is_character(to) && cc_is_scalar(s.type))
        return (struct extent){cell, 1, s.type->size, true};
    return (struct extent){cell, step, 1, false}; /* a cast pointer: to one object */
}

static bool is_bytes(const struct cc_type *t) /* what any object may be looked at by */
{
    return is_character(t) || t->size == 0; /* void, or what is not known here */
}

/* One past an array that begins at p and has so many bytes. Cells would not tell where that is:
 * they have no padding, and members of a union follow each other. */
struct pointer interp_past(struct interp *in, struct pointer p, uint32_t bytes)
{
    p.at = (interp_byte_offset(in, p) + bytes) << AT_CELL_SHIFT | AT_WIDE | AT_PAST;
    return p;
}

/* By bytes, within the whole object. */
static struct pointer add_wide(struct interp *in, const struct cc_expr *e, struct pointer p,
                               const struct cc_type *to, int64_t n)
{
    int64_t size = to->size ? to->size : 1, offset = p.at >> AT_CELL_SHIFT, bytes;
    uint32_t room = p.object->type->size;
    if (__builtin_mul_overflow(n, size, &bytes) || __builtin_add_overflow(offset, bytes, &offset) ||
        offset < 0 || offset > room)
        interp_fail(in, CC_UB_POINTER_ARITHMETIC, e, "%+lld bytes in an object of %u", (long long)n,
                    room);
    bool was_past = p.at & AT_PAST;
    if (n == 0)
        return p;
    p.at = (uint32_t)offset << AT_CELL_SHIFT | AT_WIDE;
    if (was_past || !is_bytes(to)) /* back into its array */
        p = interp_narrow(in, e, p, to);
    return p;
}

struct pointer interp_pointer_add(struct interp *in, const struct cc_expr *e, struct pointer p,
                                  const struct cc_type *to, int64_t n)
{
    if (!p.object)
        interp_fail(in, CC_UB_POINTER_ARITHMETIC, e, "a null pointer");
    check_alive(in, e, p);
    if (UNLIKELY(to->size == 0)) /* GNU: of void, by bytes */
        to = cc_basic(&in->p->types, CC_UCHAR);
    if (UNLIKELY(in->options.real) && (p.at & AT_WIDE))
        return add_wide(in, e, p, to, n);
    struct extent x = extent_of(in, p, to);
    int64_t at =
        x.bytes ? (int64_t)byte_of(p) : ((int64_t)(p.at >> AT_CELL_SHIFT) - x.start) / x.step;
    int64_t index;
    if (__builtin_add_overflow(at, n, &index) || index < 0 || index > x.length)
        interp_fail(in, CC_UB_POINTER_ARITHMETIC, e, "element %lld%+lld of %u", (long long)at,
                    (long long)n, x.length);
    uint32_t i = (uint32_t)index, past = i == x.length;
    if (UNLIKELY(in->options.real) && past && !x.bytes) {
        p.at = x.start << AT_CELL_SHIFT;
        return interp_past(in, p, x.length * to->size);
    }
    p.at = x.bytes ? x.start << AT_CELL_SHIFT | i << AT_BYTE_SHIFT | past
                   : (x.start + i * x.step) << AT_CELL_SHIFT | past;
    return p;
}

/* How far two labels are from each other, or whether they are one, is the compiler's. */
static void check_labels(struct interp *in, const struct cc_expr *e, struct pointer a,
                         struct pointer b)
{
    if (UNLIKELY(in->labels.n) && a.object != b.object && interp_is_label(in, a.object) &&
        interp_is_label(in, b.object))
        interp_fail(in, CC_UB_UNDECIDED, e, "two labels");
}

int64_t interp_pointer_difference(struct interp *in, const struct cc_expr *e, struct pointer a,
                                  struct pointer b, const struct cc_type *to)
{
    check_alive(in, e, a);
    check_alive(in, e, b);
    check_labels(in, e, a, b);
    if (!a.object || a.object != b.object)
        interp_fail(in, CC_UB_POINTER_DIFFERENCE, e, "%s", "");
    if (in->options.real && ((a.at | b.at) & AT_WIDE)) {
        int64_t bytes = (int64_t)interp_byte_offset(in, a) - (int64_t)interp_byte_offset(in, b);
        return bytes / (to->size ? to->size : 1);
    }
    struct extent x = extent_of(in, a, to), y = extent_of(in, b, to);
    if (x.start != y.start || x.bytes != y.bytes)
        interp_fail(in, CC_UB_POINTER_DIFFERENCE, e, "two arrays of one object");
    if (x.bytes)
        return (int64_t)byte_of(a) - (int64_t)byte_of(b);
    return ((int64_t)(a.at >> AT_CELL_SHIFT) - (int64_t)(b.at >> AT_CELL_SHIFT)) / x.step;
}

bool interp_is_string(const struct interp *in, const struct object *o)
{
    for (size_t i = 0; i < in->strings.n; i++)
        if (in->strings.at[i].object == o)
            return true;
    return false;
}

/* A string literal or a const compound one: 6.4.5p7, 6.5.2.5p7. */
static bool may_be_shared(const struct interp *in, const struct object *o)
{
    const struct cc_type *type = o->type;
    while (type->kind == CC_ARRAY)
        type = type->to;
    return interp_is_string(in, o) || (!o->var && !o->heap && (type->quals & CC_CONST));
}

static bool is_past(struct pointer p)
{
    return (p.at & AT_PAST) || ((p.at & AT_WIDE) && p.at >> AT_CELL_SHIFT == p.object->type->size);
}

static bool is_start(struct pointer p)
{
    return (p.at & ~(uint32_t)AT_WIDE) >> AT_BYTE_SHIFT == 0;
}

/* 6.5.9p6. Whether one past the end of an object is where another starts is up to the linker: it is
 * unspecified, which a generated program must not ask for. */
static bool pointers_equal(struct interp *in, const struct cc_expr *e, struct pointer a,
                           struct pointer b)
{
    if (!a.object || !b.object)
        return a.object == b.object && a.serial == b.serial && a.at == b.at;
    bool a_past = is_past(a), b_past = is_past(b);
    if (a.object != b.object) {
        if (may_be_shared(in, a.object) && may_be_shared(in, b.object))
            interp_fail(in, CC_UB_UNDECIDED, e, "whether two literals are one");
        if ((a_past && !b_past && is_start(b)) || (b_past && !a_past && is_start(a)))
            interp_fail(in, in->options.real ? CC_UB_UNDECIDED : CC_UB_POINTER_ORDER, e,
                        "one past the end of an object and another");
        return false;
    }
    bool same = interp_byte_offset(in, a) == interp_byte_offset(in, b);
    if (same && a_past != b_past && !in->options.real)
        interp_fail(in, CC_UB_POINTER_ORDER, e, "one past the end of an array and what follows");
    return same;
}

bool interp_pointer_compare(struct interp *in, const struct cc_expr *e, struct pointer a,
                            struct pointer b)
{
    check_alive(in, e, a);
    check_alive(in, e, b);
    check_labels(in, e, a, b);
    if (e->op == CC_EQ || e->op == CC_NE)
        return pointers_equal(in, e, a, b) == (e->op == CC_EQ);
    if (!a.object || a.object != b.object)
        interp_fail(in, CC_UB_POINTER_ORDER, e, "%s", "");
    int64_t x = interp_byte_offset(in, a), y = interp_byte_offset(in, b);
    return CC_COMPARE(e->op, x, y);
}

static uint32_t alignment_of(const struct object *o)
{
    uint32_t own = o->heap ? 16 : o->type->align;
    return o->var && o->var->align > own ? o->var->align : own;
}

/* 6.3.2.3p7: the address must be a multiple of the type's alignment; that of the object is known by
 * its own. */
void interp_check_alignment(struct interp *in, const struct cc_expr *e, struct pointer p,
                            const struct cc_type *type)
{
    uint32_t base = alignment_of(p.object);
    if (type->align < 2)
        return;
    uint32_t offset = interp_byte_offset(in, p);
    if (p.object->exposed && interp_address(in, p) % type->align == 0)
        return; /* the program has seen to it */
    if (offset % type->align || base % type->align)
        interp_fail(in, CC_UB_ALIGNMENT, e, "byte %u of an object aligned to %u", offset, base);
}

static struct pointer cast_real(struct interp *in, const struct cc_expr *e, struct pointer p,
                                const struct cc_type *from, const struct cc_type *to)
{
    if (is_bytes(to) && is_bytes(from))
        return p;
    if (!is_bytes(to) && interp_same_element(from, to) && !((p.at & AT_WIDE) && !(p.at & AT_PAST)))
        return p;
    p = interp_widen(in, p);
    if (!is_bytes(to) && alignment_of(p.object) % to->align == 0) /* else it may be aligned */
        interp_check_alignment(in, e, p, to);
    return is_bytes(to) ? p : interp_narrow(in, e, p, to);
}

struct pointer interp_pointer_cast(struct interp *in, const struct cc_expr *e, struct pointer p,
                                   const struct cc_type *to)
{
    if (!p.object)
        return p;
    check_alive(in, e, p);
    const struct cc_type *from = e->a->type->to;
    if (in->options.real)
        return cast_real(in, e, p, from, to);
    if (to->align > 1 && (from->align < to->align || from->kind == CC_VOID) &&
        !(p.at == 0 && p.object->type->align >= to->align))
        interp_check_alignment(in, e, p, to);
    return p;
}
