/* Expressions.
 *
 * interp_eval is a switch that leaves for one function per kind of node. Integers of at most 64
 * bits are computed here, in int64_t; __int128 and floats go through value.h. Records and vectors
 * do not fit a value: interp_eval_record leaves them in cells.
 *
 * Where two operands have no order (6.5p3), the first one's span of time goes on the interval stack
 * while the second is evaluated; see memory.c. An expression without effects (cc_expr.effects)
 * cannot conflict with anything and is spared that. Sequence points inside of an expression (&& ||
 * ?: , and calls) need no code for that, since nobody pushes an interval there; what they do is to
 * complete the stores before them, which interp.pending forgets. */
#include "interp/interp_internal.h"

static struct pointer lvalue(struct interp *in, struct cc_expr *e);
static struct pointer place(struct interp *in, struct cc_expr *e);

static const union value nothing = {.p = {NULL, 0, 0}};

/* -- between values here and in value.h ------------------------------------------------------- */

/* An integer as an index or count; what does not fit is far outside of anything. */
static int64_t index_value(const struct cc_type *t, union value v)
{
    if (!cc_is_small(t)) {
        bool fits = v.w == (int64_t)v.w;
        return fits ? (int64_t)v.w : INT64_MAX;
    }
    return !t->is_signed && v.i < 0 ? INT64_MAX : v.i;
}

/* -- lvalues ---------------------------------------------------------------------------------- */

static struct pointer start_of(struct object *o)
{
    return (struct pointer){o, o->serial, 0};
}

/* Both operands of an operator that does not order them. */
static void two_operands(struct interp *in, struct cc_expr *a, struct cc_expr *b, union value *x,
                         union value *y)
{
    uint32_t start = tick(in);
    bool both = a->effects & b->effects;
    in->open += both;
    *x = interp_eval(in, a);
    interp_push_interval(in, start, false);
    *y = interp_eval(in, b);
    interp_pop_interval(in);
    in->open -= both;
}

/* The pointer that an access goes through. Reading one that dangles is then the access itself. */
static struct pointer pointer_operand(struct interp *in, struct cc_expr *a)
{
    bool read = a->kind == CC_E_VAR || a->kind == CC_E_MEMBER || a->kind == CC_E_INDEX ||
                a->kind == CC_E_DEREF;
    if (!read || a->type->kind == CC_ARRAY)
        return interp_eval(in, a).p;
    struct pointer p = lvalue(in, a);
    in->through = true;
    p = load(in, a, p).p;
    in->through = false;
    return p;
}

/* Is the byte of an object of that type within a union? An element that is there does not count. */
static bool is_in_union(const struct cc_type *t, uint64_t at, const struct cc_type *element)
{
    while (t->kind == CC_ARRAY || t->kind == CC_STRUCT) {
        if (at == 0 && cc_same_type(t, element))
            return false;
        const struct cc_field *in = NULL;
        if (t->kind == CC_ARRAY) {
            t = t->to;
            at %= t->size ? t->size : 1;
            continue;
        }
        for (int i = 0; i < t->record->n_fields; i++) {
            const struct cc_field *f = &t->record->fields[i];
            if (f->bits < 0 && f->offset <= at && at - f->offset < f->type->size)
                in = f;
        }
        if (!in)
            return false;
        at -= in->offset;
        t = in->type;
    }
    return t->kind == CC_UNION && !(at == 0 && cc_same_type(t, element));
}

/* 6.7.2.1p18. Its elements have no cells of their own: those of another member of a union would
 * not change with them. */
static struct pointer flexible_place(struct interp *in, struct cc_expr *e, struct pointer p,
                                     int64_t i, bool address)
{
    const struct cc_type *element = e->a->type->to;
    uint64_t at = interp_byte_offset(in, p), size = p.object->type->size;
    uint64_t length = at < size ? (size - at) / element->size : 0;
    if (i < 0 || (uint64_t)i > length || (!address && (uint64_t)i == length))
        interp_fail(in, CC_UB_BOUNDS, e, "element %lld of %llu", (long long)i,
                    (unsigned long long)length);
    if (is_in_union(p.object->type, at + (uint64_t)i * element->size, element))
        interp_fail(in, CC_UB_UNDECIDED, e, "a flexible array member in a union");
    p.at = (uint32_t)(at + (uint64_t)i * element->size) << AT_CELL_SHIFT | AT_WIDE;
    return address ? interp_narrow(in, e, p, element) : interp_deref_wide(in, e, p);
}

/* a[b]; `address`: not accessed, so it may be one past the end (6.5.3.2p3). */
static struct pointer index_place(struct interp *in, struct cc_expr *e, bool address)
{
    struct cc_expr *a = e->a, *b = e->b;
    bool track = a->effects | b->effects, array = a->type->kind != CC_POINTER; /* or vector */
    uint32_t start = track ? tick(in) : 0;
    in->open += a->effects & b->effects;
    struct pointer p = array     ? lvalue(in, a)
                       : address ? interp_eval(in, a).p
                                 : pointer_operand(in, a);
    if (track)
        interp_push_interval(in, start, false);
    int64_t i = index_value(b->type, interp_eval(in, b));
    if (track)
        interp_pop_interval(in);
    in->open -= a->effects & b->effects;
    if (!array) {
        p = interp_pointer_add(in, e, p, a->type->to, i);
        return address ? p : interp_deref(in, e, p);
    }
    uint32_t length = a->type->length;
    if (UNLIKELY(length == 0)) /* a flexible array member: as far as the object goes */
        return flexible_place(in, e, p, i, address);
    if (UNLIKELY((uint64_t)i >= length) && !(address && i == length))
        interp_fail(in, CC_UB_BOUNDS, e, "element %lld of %u", (long long)i, length);
    if (UNLIKELY(in->options.real) && i == length)
        return interp_past(in, p, length * e->type->size);
    if (UNLIKELY(p.at & AT_WIDE))
        p.at += (uint32_t)i * e->type->size << AT_CELL_SHIFT;
    else
        p.at += (uint32_t)i * cells_of(in, e->type) << AT_CELL_SHIFT | (i == length);
    return p;
}

static struct object *new_temporary(struct interp *in, struct cc_expr *e)
{
    struct object *o = interp_new_literal(in, &in->temporaries, NULL, e->type);
    interp_eval_record(in, e, o->cells);
    for (uint32_t i = 0; i < o->n; i++) /* interp_refuse_store knows which rule it is */
        o->cells[i].flags |= CELL_CONST;
    return o;
}

/* 6.5.2.5: one object for each time that its block is entered, initialised anew by each evaluation.
 */
static struct pointer literal_place(struct interp *in, struct cc_expr *e)
{
    struct literal **list = in->frame ? &in->frame->literals : &in->static_literals;
    struct literal *l = *list;
    while (l && l->expr != e)
        l = l->next;
    struct object *o = l ? l->object : interp_new_literal(in, list, e, e->type);
    struct stack_mark mark = stack_mark(&in->cells);
    struct cell *cells = stack_alloc(&in->cells, o->n * sizeof *cells);
    interp_fill(cells, layout_of(in, e->type), true);
    interp_init_list(in, cells, e->type, e);
    memcpy(o->cells, cells, o->n * sizeof *cells);
    stack_release(&in->cells, mark);
    return start_of(o);
}

/* An array that is no lvalue: the member of a record that a function returned (6.2.4p8), the value
 * of a comma or of a conditional. It decays, so that its place is its value. */
static struct pointer array_value(struct interp *in, struct cc_expr *e)
{
    if (e->type->kind != CC_ARRAY)
        BUG("expression kind %d is no lvalue", e->kind);
    return interp_eval(in, e).p;
}

/* The object that `e` designates; a record that is no lvalue becomes a temporary (6.2.4p8). */
static struct pointer place(struct interp *in, struct cc_expr *e)
{
    switch (e->kind) {
    case CC_E_VAR:
        return start_of(object_of(in, e->var));
    case CC_E_MEMBER: {
        struct cc_expr *a = e->a;
        bool temporary = a->kind > CC_E_DEREF && a->kind != CC_E_LITERAL;
        struct pointer p = temporary ? start_of(new_temporary(in, a)) : lvalue(in, a);
        if (UNLIKELY(p.at & AT_WIDE))
            p.at += a->type->record->fields[e->field].offset << AT_CELL_SHIFT;
        else
            p.at += layout_of(in, a->type)->field[e->field] << AT_CELL_SHIFT;
        return p;
    }
    case CC_E_INDEX:
        return index_place(in, e, false);
    case CC_E_DEREF:
        return interp_deref(in, e, pointer_operand(in, e->a));
    case CC_E_LITERAL:
        return literal_place(in, e);
    case CC_E_STRING:
        return interp_string_place(in, e);
    default:
        return array_value(in, e);
    }
}

static struct pointer lvalue(struct interp *in, struct cc_expr *e)
{
    count_node(in, e);
    return place(in, e);
}

static NOINLINE union value eval_place(struct interp *in, struct cc_expr *e)
{
    struct pointer p = place(in, e);
    if (e->type->kind == CC_ARRAY) /* 6.3.2.1p3 */
        return (union value){.p = p};
    return load(in, e, p);
}

static NOINLINE union value eval_addr(struct interp *in, struct cc_expr *e)
{
    struct cc_expr *a = e->a;
    if (a->kind == CC_E_DEREF) { /* 6.5.3.2p3: neither operator is evaluated */
        count_node(in, a);
        return interp_eval(in, a->a);
    }
    if (a->kind == CC_E_INDEX) {
        count_node(in, a);
        return (union value){.p = index_place(in, a, true)};
    }
    struct pointer p = lvalue(in, a);
    bool packed = false;
    for (; a->kind == CC_E_MEMBER || a->kind == CC_E_INDEX; a = a->a)
        packed |= a->kind == CC_E_MEMBER && a->a->type->record->packed;
    if (packed)
        interp_check_alignment(in, e, p, e->a->type);
    return (union value){.p = p};
}

/* -- arithmetic ------------------------------------------------------------------------------- */

/* What an undefined operation is worth: its left operand, if it is wrapped. */
static NOINLINE union value wrapped(struct interp *in, struct cc_expr *e, enum cc_ub ub,
                                    union value left)
{
    if (!e->safe)
        interp_fail(in, ub, e, "%s", "");
    e->needed = true;
    return left;
}

static NOINLINE union value wrapped_small(struct interp *in, struct cc_expr *e, enum cc_ub ub,
                                          int64_t a, int64_t b)
{
    if (!e->safe)
        interp_fail(in, ub, e, "of %lld and %lld", (long long)a, (long long)b);
    e->needed = true;
    return (union value){.i = a};
}

static union value arithmetic(struct interp *in, struct cc_expr *e, const struct cc_type *t,
                              union value a, const struct cc_type *b_type, union value b)
{
    if (LIKELY(cc_is_small(t) && cc_is_small(b_type))) {
        int64_t r;
        enum cc_ub ub = cc_binary_small(e->op, t, a.i, b.i, &r);
        return UNLIKELY(ub) ? wrapped_small(in, e, ub, a.i, b.i) : (union value){.i = r};
    }
    union cc_scalar r;
    enum cc_ub ub = cc_binary_value(e->op, t, to_scalar(t, a), to_scalar(b_type, b), &r);
    if (ub && !(in->annex_f && cc_is_float(t)))
        return wrapped(in, e, ub, a);
    return cc_is_comparison(e->op) ? (union value){.i = (int64_t)r.i} : from_scalar(t, r);
}

static bool is_pointer(const struct cc_type *t)
{
    return t->kind == CC_POINTER || t->kind == CC_ARRAY;
}

static int64_t negated_index(int64_t n)
{
    return n == INT64_MIN ? INT64_MAX : -n;
}

/* 6.5.6, 6.5.8, 6.5.9 with pointers. */
static union value pointer_binary(struct interp *in, struct cc_expr *e, union value x,
                                  union value y)
{
    const struct cc_type *a = e->a->type, *b = e->b->type;
    if (!is_pointer(b)) {
        int64_t n = index_value(b, y);
        if (e->op == CC_SUB)
            n = negated_index(n);
        return (union value){.p = interp_pointer_add(in, e, x.p, a->to, n)};
    }
    if (!is_pointer(a))
        return (union value){.p = interp_pointer_add(in, e, y.p, b->to, index_value(a, x))};
    if (e->op == CC_SUB)
        return (union value){.i = interp_pointer_difference(in, e, x.p, y.p, a->to)};
    if (a->to->kind == CC_FUNCTION)
        return (union value){.i = (x.fn == y.fn) == (e->op == CC_EQ)};
    return (union value){.i = interp_pointer_compare(in, e, x.p, y.p)};
}

static NOINLINE union value eval_binary(struct interp *in, struct cc_expr *e)
{
    union value x, y;
    if (LIKELY(!e->effects)) {
        x = interp_eval(in, e->a);
        y = interp_eval(in, e->b);
    } else {
        two_operands(in, e->a, e->b, &x, &y);
    }
    const struct cc_type *a = e->a->type, *b = e->b->type;
    if (LIKELY(cc_is_small(a) && cc_is_small(b))) {
        int64_t r;
        enum cc_ub ub = cc_binary_small(e->op, a, x.i, y.i, &r);
        return UNLIKELY(ub) ? wrapped_small(in, e, ub, x.i, y.i) : (union value){.i = r};
    }
    if (is_pointer(a) || is_pointer(b))
        return pointer_binary(in, e, x, y);
    return arithmetic(in, e, a, x, b, y);
}

bool interp_truth(struct interp *in, struct cc_expr *e)
{
    const struct cc_type *t = e->type;
    union value v = interp_eval(in, e);
    if (LIKELY(cc_is_small(t)))
        return v.i != 0;
    if (UNLIKELY(t->kind == CC_LDOUBLE))
        return v.x != 0;
    if (cc_is_float(t))
        return v.f != 0;
    if (is_pointer(t))
        return t->to->kind == CC_FUNCTION ? v.fn != NULL : !is_null(v.p);
    return v.w != 0;
}

/* + - ~ of a value of type t. */
static inline union value unary(struct interp *in, struct cc_expr *e, const struct cc_type *t,
                                union value a)
{
    if (e->op == CC_PLUS)
        return a;
    if (cc_is_small(t)) {
        if (e->op == CC_COMPL)
            return (union value){.i = cc_wrap_small(t, ~a.i)};
        int64_t r = cc_wrap_small(t, (int64_t)(0 - (uint64_t)a.i));
        bool least = t->is_signed && a.i < 0 && r == a.i;
        return UNLIKELY(least) ? wrapped(in, e, CC_UB_OVERFLOW, a) : (union value){.i = r};
    }
    union cc_scalar r;
    enum cc_ub ub = cc_unary_value(e->op, t, to_scalar(t, a), &r);
    return ub ? wrapped(in, e, ub, a) : from_scalar(t, r);
}

static NOINLINE union value eval_unary(struct interp *in, struct cc_expr *e)
{
    if (e->op == CC_NOT)
        return (union value){.i = !interp_truth(in, e->a)};
    return unary(in, e, e->a->type, interp_eval(in, e->a));
}

/* -- vectors ---------------------------------------------------------------------------------- */

/* Each lane is computed in its own type: GNU C has no promotions there. A signed result that does
 * not fit a lane is undefined here also where a scalar of that type would be promoted first: GCC
 * wraps it, but promises no more than what it says of the scalar operation. */

static struct cell *vector_operand(struct interp *in, struct cc_expr *e)
{
    const struct layout *l = layout_of(in, e->type);
    struct cell *cells = stack_alloc(&in->cells, l->n * sizeof *cells);
    interp_fill(cells, l, false);
    interp_eval_record(in, e, cells);
    return cells;
}

static void set_lane(struct cell *to, union value v)
{
    to->v = v;
    to->flags &= (uint8_t)~CELL_INDETERMINATE;
}

/* `to` may be an operand. */
static void compute_lanes(struct interp *in, struct cc_expr *e, const struct cc_type *type,
                          const struct cell *a, const struct cell *b, struct cell *to)
{
    bool compares = cc_is_comparison(e->op);
    for (uint32_t i = 0; i < type->length; i++) {
        union value v = arithmetic(in, e, type->to, a[i].v, type->to, b[i].v);
        set_lane(to + i, compares ? (union value){.i = -v.i} : v);
    }
}

/* The operands are evaluated apart from `to`, which may be an object that they read. */
static void vector_binary(struct interp *in, struct cc_expr *e, struct cell *to)
{
    struct stack_mark mark = stack_mark(&in->cells);
    uint32_t start = e->effects ? tick(in) : 0;
    const struct cell *a = vector_operand(in, e->a);
    if (e->effects)
        interp_push_interval(in, start, false);
    const struct cell *b = vector_operand(in, e->b);
    if (e->effects)
        interp_pop_interval(in);
    compute_lanes(in, e, e->a->type, a, b, to);
    stack_release(&in->cells, mark);
}

static void vector_unary(struct interp *in, struct cc_expr *e, struct cell *to)
{
    struct stack_mark mark = stack_mark(&in->cells);
    const struct cell *a = vector_operand(in, e->a);
    for (uint32_t i = 0; i < e->type->length; i++)
        set_lane(to + i, unary(in, e, e->type->to, a[i].v));
    stack_release(&in->cells, mark);
}

/* -- conversions ------------------------------------------------------------------------------ */

/* 6.3.1: between arithmetic types; a wrapped one that is undefined gives 0. */
static union value convert(struct interp *in, struct cc_expr *e, const struct cc_type *from,
                           const struct cc_type *to, union value v)
{
    if (cc_is_small(from) && cc_is_small(to))
        return (union value){.i = to->kind == CC_BOOL ? v.i != 0 : cc_wrap_small(to, v.i)};
    union cc_scalar r;
    enum cc_ub ub = cc_convert_value(from, to, to_scalar(from, v), &r);
    if (ub && !(in->annex_f && ub == CC_UB_FLOAT_DEMOTION))
        return wrapped(in, e, ub, nothing);
    return from_scalar(to, r);
}

/* 6.3.2.3p5-6, of a real program: there and back is all that has one outcome. */
static union value cast_address(struct interp *in, const struct cc_type *from,
                                const struct cc_type *to, union value v)
{
    const struct cc_type *number = cc_basic(&in->p->types, CC_ULONG);
    union cc_scalar r;
    if (is_pointer(from)) {
        bool function = from->to->kind == CC_FUNCTION;
        uint64_t at = function ? interp_function_address(in, v.fn) : interp_address(in, v.p);
        cc_convert_value(number, to, (union cc_scalar){.i = at}, &r);
        return from_scalar(to, r);
    }
    cc_convert_value(from, number, to_scalar(from, v), &r);
    return interp_pointer_at(in, to, (uint64_t)r.i);
}

/* 6.3.2.3. Addresses are not numbers here: a program that prints or computes with one has no single
 * output. */
static union value cast_pointer(struct interp *in, struct cc_expr *e, union value v)
{
    const struct cc_type *from = e->a->type, *to = e->type;
    if (is_pointer(from) && to->kind == CC_POINTER) {
        bool functions = from->to->kind == CC_FUNCTION, to_function = to->to->kind == CC_FUNCTION;
        if (functions != to_function && v.p.object)
            interp_fail(in, in->options.real ? CC_UB_UNDECIDED : CC_UB_EFFECTIVE_TYPE, e,
                        "function and object pointers");
        return functions ? v : (union value){.p = interp_pointer_cast(in, e, v.p, to->to)};
    }
    if (to->kind == CC_BOOL)
        return (union value){.i = from->to->kind == CC_FUNCTION ? v.fn != NULL : !is_null(v.p)};
    if (in->options.real)
        return cast_address(in, from, to, v);
    if (is_pointer(from))
        interp_fail(in, CC_UB_EFFECTIVE_TYPE, e, "pointer to integer");
    if (to_scalar(from, v).i != 0)
        interp_fail(in, CC_UB_EFFECTIVE_TYPE, e, "integer to pointer");
    return nothing;
}

static NOINLINE union value eval_cast(struct interp *in, struct cc_expr *e)
{
    const struct cc_type *from = e->a->type, *to = e->type;
    if (to->kind == CC_VOID) {
        interp_eval_void(in, e->a);
        return nothing;
    }
    union value v = interp_eval(in, e->a);
    if (LIKELY(cc_is_small(from) && cc_is_small(to))) {
        v.i = to->kind == CC_BOOL ? v.i != 0 : cc_wrap_small(to, v.i);
        return v;
    }
    if (is_pointer(from) || is_pointer(to))
        return cast_pointer(in, e, v);
    return convert(in, e, from, to, v);
}

/* -- stores ----------------------------------------------------------------------------------- */

/* The value that a compound assignment or ++ stores. */
static union value computed(struct interp *in, struct cc_expr *e, union value old,
                            const struct cc_type *b_type, union value b)
{
    const struct cc_type *t = e->a->type;
    if (t->kind == CC_POINTER) {
        int64_t n = index_value(b_type, b);
        if (e->op == CC_SUB)
            n = negated_index(n);
        return (union value){.p = interp_pointer_add(in, e, old.p, t->to, n)};
    }
    const struct cc_type *in_type = cc_assign_type(in->p, e);
    union value left = convert(in, e, t, in_type, old);
    union value r = arithmetic(in, e, in_type, left, b_type, b);
    return convert(in, e, in_type, t, r);
}

static struct pointer plus_cells(struct pointer p, uint32_t n)
{
    p.at += n << AT_CELL_SHIFT;
    return p;
}

static bool is_read(const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST)
        e = e->a;
    return cc_is_lvalue(e);
}

/* The right side of an assignment has been evaluated, which may have ended the object. */
static void check_place(struct interp *in, struct cc_expr *e, struct pointer p)
{
    if (in->options.real && p.object->serial != p.serial)
        interp_fail(in, CC_UB_DANGLING, e, "it ended before the store");
}

/* The right side of an assignment to `n` cells has been evaluated. */
static void before_store(struct interp *in, struct cc_expr *e, struct pointer p, uint32_t n,
                         size_t pending)
{
    in->watch--;
    interp_pop_interval(in);
    for (uint32_t i = 0; i < n; i++)
        interp_check_pending(in, e, plus_cells(p, i), pending);
    if (!in->watch)
        in->pending.n = pending;
}

/* Of a record, or of a vector, which may also be computed with. */
static void assign_record(struct interp *in, struct cc_expr *e, struct cell *to)
{
    bool track = e->a->effects | e->b->effects;
    uint32_t start = track ? tick(in) : 0, n = layout_of(in, e->type)->n;
    size_t pending = in->pending.n;
    in->watch += track;
    in->open += e->a->effects & e->b->effects;
    struct pointer p = lvalue(in, e->a);
    if (UNLIKELY(p.at & AT_WIDE))
        p = interp_must_narrow(in, e->a, p);
    struct stack_mark mark = stack_mark(&in->cells);
    struct cell *cells = stack_alloc(&in->cells, n * sizeof *cells), *old = NULL;
    interp_fill(cells, layout_of(in, e->type), false);
    if (e->op != CC_NONE) {
        old = stack_alloc(&in->cells, n * sizeof *old);
        interp_fill(old, layout_of(in, e->type), false);
        interp_load_record(in, e->a, p, old);
    }
    if (track)
        interp_push_interval(in, start, false);
    in->union_read.object = NULL;
    interp_eval_record(in, e->b, cells);
    in->open -= e->a->effects & e->b->effects;
    check_place(in, e, p);
    if (cc_is_lvalue(e->b) && !old)
        interp_check_overlap(in, e, p);
    if (track)
        before_store(in, e, p, n, pending);
    if (old)
        compute_lanes(in, e, e->type, old, cells, cells);
    interp_store_record(in, e->a, p, cells);
    for (uint32_t i = 0; in->watch && i < n; i++)
        vec_push(&in->pending, cell_of(p) + i);
    if (to)
        interp_copy_values(to, cells, n);
    stack_release(&in->cells, mark);
}

static NOINLINE union value eval_assign(struct interp *in, struct cc_expr *e)
{
    struct cc_expr *a = e->a, *b = e->b;
    if (UNLIKELY(cc_is_composite(e->type))) {
        assign_record(in, e, NULL);
        return nothing;
    }
    bool track = a->effects | b->effects;
    uint32_t start = track ? tick(in) : 0;
    size_t pending = in->pending.n;
    union value old = nothing;
    in->watch += track;
    in->open += a->effects & b->effects;
    struct pointer p = lvalue(in, a);
    if (e->op != CC_NONE)
        old = load(in, a, p);
    if (UNLIKELY(track))
        interp_push_interval(in, start, false);
    bool overlap = e->op == CC_NONE && (cell_at(in, p)->flags & CELL_IN_UNION) && is_read(b);
    in->union_read.object = NULL;
    union value v = interp_eval(in, b);
    in->open -= a->effects & b->effects;
    check_place(in, e, p);
    if (UNLIKELY(overlap))
        interp_check_overlap(in, e, p);
    if (UNLIKELY(track))
        before_store(in, e, p, 1, pending);
    if (e->op != CC_NONE)
        v = computed(in, e, old, b->type, v);
    v = store(in, a, p, v);
    note_pending(in, p);
    if (UNLIKELY(in->history))
        interp_note_store(in, a, NULL, a->type, v);
    return v;
}

static NOINLINE union value eval_incdec(struct interp *in, struct cc_expr *e)
{
    struct cc_expr *a = e->a;
    const struct cc_type *t = a->type;
    size_t pending = in->pending.n;
    in->watch += a->effects;
    struct pointer p = lvalue(in, a);
    in->watch -= a->effects;
    if (UNLIKELY(a->effects)) {
        interp_check_pending(in, e, p, pending);
        if (!in->watch)
            in->pending.n = pending;
    }
    bool discarded = UNLIKELY(in->discarded == e);
    in->discarded = NULL;
    bool counts = discarded && interp_may_count(in, e, p);
    union value old = counts ? cell_of(p)->v : load(in, a, p), one = {.i = 1}, v;
    const struct cc_type *with = in->p->types.basic[CC_INT];
    if (cc_is_float(t) || (!cc_is_small(t) && t->kind != CC_POINTER)) { /* 1 in its type */
        one = convert(in, e, with, t, one);
        with = t->plain;
    }
    v = computed(in, e, old, with, one);
    if (counts) {
        cell_of(p)->v = v;
        return v;
    }
    v = store(in, a, p, v);
    note_pending(in, p);
    if (UNLIKELY(in->history))
        interp_note_store(in, a, NULL, t, v);
    if (discarded && in->counts.n)
        tick(in);
    return e->postfix ? old : v;
}

/* -- the switch ------------------------------------------------------------------------------- */

bool interp_compared(struct interp *in, struct cc_expr *e, cc_wide *left, bool *compared)
{
    *compared = e->kind == CC_E_BINARY && cc_is_comparison(e->op) && e->b->kind == CC_E_INT &&
                cc_is_integer(e->a->type);
    if (!*compared)
        return interp_truth(in, e);
    count_node(in, e);
    *left = to_scalar(e->a->type, interp_eval(in, e->a)).i;
    count_node(in, e->b);
    union cc_scalar a = {.i = *left}, b = {.i = e->b->value}, out;
    cc_binary_value(e->op, e->a->type, a, b, &out);
    return out.i != 0;
}

/* Of && || and ?: */
static bool first_operand(struct interp *in, struct cc_expr *e)
{
    const struct cc_expr *was = e->a;
    bool outcome = interp_truth(in, e->a);
    outcome ^= e->a != was; /* as in decided(), exec.c */
    if (UNLIKELY(e->turnable) && in->options.steering)
        outcome = in->options.steering->operand(in->options.steering->to, e, outcome);
    return outcome;
}

static union value eval_logical(struct interp *in, struct cc_expr *e)
{
    size_t pending = in->pending.n;
    bool a = first_operand(in, e);
    in->pending.n = pending;
    if (a == (e->op == CC_LOR))
        return (union value){.i = a};
    return (union value){.i = interp_truth(in, e->b)};
}

static struct cc_expr *chosen(struct interp *in, struct cc_expr *e)
{
    size_t pending = in->pending.n;
    bool a = first_operand(in, e);
    in->pending.n = pending;
    return a ? e->b : e->c;
}

static struct cc_expr *after_comma(struct interp *in, struct cc_expr *e)
{
    size_t pending = in->pending.n;
    interp_eval_void(in, e->a);
    in->pending.n = pending;
    return e->b;
}

/* 7.16.1.1p2: an argument of the type, or of the same integer type but for the sign with a value
 * that both have, or both pointers to void or characters. */
static bool is_argument_of(struct interp *in, const struct argument *a, const struct cc_type *type)
{
    if (a->type->plain == type->plain)
        return true;
    if (cc_is_integer(a->type) && cc_is_integer(type)) {
        const struct cc_type *s = cc_representation(&in->p->types, a->type);
        const struct cc_type *t = cc_representation(&in->p->types, type);
        bool both =
            cc_is_small(t) ? cc_wrap_small(t, a->v.i) == a->v.i && a->v.i >= 0 : a->v.w >= 0;
        return s == t || (s->bits == t->bits && interp_same_element(s, t) && both);
    }
    if (a->type->kind != CC_POINTER || type->kind != CC_POINTER)
        return false;
    const struct cc_type *s = a->type->to, *t = type->to;
    bool bytes =
        (s->kind <= CC_UCHAR && s->kind != CC_BOOL) && (t->kind <= CC_UCHAR && t->kind != CC_BOOL);
    return bytes || cc_compatible_type(s, t);
}

static const struct argument *va_argument(struct interp *in, struct cc_expr *e)
{
    struct pointer list = interp_eval(in, e->a).p;
    const struct argument *a = interp_next_argument(in, e, list, e->a->type->kind == CC_POINTER);
    if (!a)
        interp_fail(in, CC_UB_CALL_TYPE, e, "no argument is left");
    if (!is_argument_of(in, a, e->type))
        interp_fail(in, CC_UB_CALL_TYPE, e, "the argument is of another type");
    return a;
}

static union value eval_elvis(struct interp *in, struct cc_expr *e)
{
    const struct cc_type *t = e->a->type;
    size_t pending = in->pending.n;
    union value v = interp_eval(in, e->a);
    in->pending.n = pending;
    bool truth = t->kind == CC_LDOUBLE ? v.x != 0
                 : cc_is_float(t)      ? v.f != 0
                 : is_pointer(t)       ? (t->to->kind == CC_FUNCTION ? v.fn != NULL : !is_null(v.p))
                 : cc_is_small(t)      ? v.i != 0
                                       : v.w != 0;
    if (!truth)
        return interp_eval(in, e->b);
    return is_pointer(t) ? v : convert(in, e, t, e->type, v);
}

static NOINLINE union value eval_rest(struct interp *in, struct cc_expr *e)
{
    switch (e->kind) {
    case CC_E_FLOAT:
        if (e->type->kind == CC_LDOUBLE)
            return (union value){.x = e->exact};
        return (union value){.f = e->number};
    case CC_E_NULL:
        return nothing;
    case CC_E_FUNC:
        return (union value){.fn = e->func};
    case CC_E_BUILTIN:
        return interp_eval_builtin(in, e);
    case CC_E_SIZEOF:
        return (union value){.i = e->of->size};
    case CC_E_SIZEOF_OF:
        return (union value){.i = e->a->type->size};
    case CC_E_STRING:
        return (union value){.p = interp_string_place(in, e)};
    case CC_E_STMTS:
        return interp_eval_stmts(in, e, NULL);
    case CC_E_VA_ARG:
        return va_argument(in, e)->v;
    case CC_E_ELVIS:
        return eval_elvis(in, e);
    case CC_E_LABEL:
        return (union value){.p = interp_label_address(in, e)};
    case CC_E_UNSUPPORTED:
        interp_fail(in, CC_UB_UNDECIDED, NULL, "%s", e->text);
    default:
        BUG("expression kind %d is no value", e->kind);
    }
}

static NOINLINE union value watched(struct interp *in, struct cc_expr *e);

union value interp_eval(struct interp *in, struct cc_expr *e)
{
    if (UNLIKELY(in->watching == WATCH_NEXT))
        return watched(in, e);
    if (UNLIKELY(in->watching))
        in->watching = WATCH_NEXT;
    count_node(in, e);
    switch (e->kind) {
    case CC_E_INT:
        if (LIKELY(cc_is_small(e->type)))
            return (union value){.i = (int64_t)e->value};
        return (union value){.w = e->value};
    case CC_E_VAR: {
        struct cell *c = object_of(in, e->var)->cells;
        if (UNLIKELY(e->type->kind >= CC_POINTER || (c->flags & CELL_SLOW_READ)))
            return eval_place(in, e);
        stamp_read(in, e, c);
        return c->v;
    }
    case CC_E_MEMBER:
    case CC_E_INDEX:
    case CC_E_DEREF:
    case CC_E_LITERAL:
        return eval_place(in, e);
    case CC_E_ADDR:
        return eval_addr(in, e);
    case CC_E_UNARY:
        return eval_unary(in, e);
    case CC_E_BINARY:
        return eval_binary(in, e);
    case CC_E_LOGICAL:
        return eval_logical(in, e);
    case CC_E_COND:
        return interp_eval(in, chosen(in, e));
    case CC_E_COMMA:
        return interp_eval(in, after_comma(in, e));
    case CC_E_CAST:
        return eval_cast(in, e);
    case CC_E_ASSIGN:
        return eval_assign(in, e);
    case CC_E_INCDEC:
        return eval_incdec(in, e);
    case CC_E_CALL:
        return interp_eval_call(in, e, NULL, false);
    default:
        return eval_rest(in, e);
    }
}

/* Evaluate it, and keep what came out. Whatever is evaluated on the way is watched as well. */
static union value watched(struct interp *in, struct cc_expr *e)
{
    in->watching = WATCH_THIS;
    union value v = interp_eval(in, e);
    if (cc_is_integer(e->type))
        interp_note_value(in, e, cc_is_small(e->type) ? v.i : v.w);
    return v;
}

void interp_eval_void(struct interp *in, struct cc_expr *e)
{
    switch (e->kind) {
    case CC_E_COMMA:
        count_node(in, e);
        interp_eval_void(in, after_comma(in, e));
        return;
    case CC_E_COND:
        count_node(in, e);
        interp_eval_void(in, chosen(in, e));
        return;
    case CC_E_CALL:
        count_node(in, e);
        interp_eval_call(in, e, NULL, true);
        return;
    case CC_E_ASSIGN:
        interp_eval(in, e);
        return;
    default:
        break;
    }
    if (!cc_is_composite(e->type)) {
        in->discarded = in->options.real && e->kind == CC_E_INCDEC && !e->a->effects ? e : NULL;
        interp_eval(in, e);
        return;
    }
    const struct layout *l = layout_of(in, e->type);
    struct stack_mark mark = stack_mark(&in->cells);
    struct cell *cells = stack_alloc(&in->cells, l->n * sizeof *cells);
    interp_fill(cells, l, false);
    interp_eval_record(in, e, cells);
    stack_release(&in->cells, mark);
}

static void cast_record(struct interp *in, struct cc_expr *e, struct cell *to)
{
    if (e->a->type->plain != e->type->plain)
        interp_fail(in, CC_UB_UNDECIDED, e, "a vector cast to another type");
    interp_eval_record(in, e->a, to);
}

void interp_eval_record(struct interp *in, struct cc_expr *e, struct cell *to)
{
    count_node(in, e);
    switch (e->kind) {
    case CC_E_ASSIGN:
        assign_record(in, e, to);
        return;
    case CC_E_COND:
        interp_eval_record(in, chosen(in, e), to);
        return;
    case CC_E_COMMA:
        interp_eval_record(in, after_comma(in, e), to);
        return;
    case CC_E_CALL:
        interp_eval_call(in, e, to, false);
        return;
    case CC_E_UNARY:
        vector_unary(in, e, to);
        return;
    case CC_E_BINARY:
        vector_binary(in, e, to);
        return;
    case CC_E_STMTS:
        interp_eval_stmts(in, e, to);
        return;
    case CC_E_VA_ARG:
        interp_copy_values(to, va_argument(in, e)->cells, layout_of(in, e->type)->n);
        return;
    case CC_E_CAST: /* to its own type, or a vector as another one */
        cast_record(in, e, to);
        return;
    case CC_E_UNSUPPORTED:
        interp_fail(in, CC_UB_UNDECIDED, NULL, "%s", e->text);
    default:
        interp_load_record(in, e, place(in, e), to);
    }
}
