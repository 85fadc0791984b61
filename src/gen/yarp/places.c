/* What can be read and written where the generator stands: variables, elements, members and what
 * pointers point to, as lvalues of integer or float type. */
#include "gen/yarp/yarp_internal.h"

/* -- subscripts ------------------------------------------------------------------------------- */

static struct cc_expr *plus(struct yarp *y, struct cc_expr *e, int64_t n)
{
    if (!n)
        return e;
    struct cc_expr *c = cc_int(y->p, basic(y, CC_INT), n < 0 ? -n : n, CC_DECIMAL);
    return cc_binary(y->p, n < 0 ? CC_SUB : CC_ADD, e, c);
}

/* By the loop variable: as it is, shifted by a constant (a stencil), times two, or from the end. */
static struct cc_expr *by_induction(struct yarp *y, const struct induction *l, uint32_t length)
{
    int64_t most = (int64_t)length - 1;
    struct cc_expr *i = cc_use(y->p, l->v);
    if (takes(y, YARP_STRIDES)) {
        if (l->low >= 0 && l->high * 2 <= most && percent(y, 50))
            return plus(y,
                        cc_binary(y->p, CC_MUL, i, cc_int(y->p, basic(y, CC_INT), 2, CC_DECIMAL)),
                        between(y, 0, most - l->high * 2 > 1 ? 1 : most - l->high * 2));
        if (l->high <= most && most - l->low <= most && l->low >= 0)
            return cc_binary(y->p, CC_SUB, cc_int(y->p, basic(y, CC_INT), most, CC_DECIMAL), i);
    }
    int64_t least_shift = -l->low, most_shift = most - l->high;
    if (takes(y, YARP_STENCILS)) {
        if (least_shift < -2)
            least_shift = -2;
        if (most_shift > 2)
            most_shift = 2;
        if (least_shift <= most_shift)
            return plus(y, i, between(y, least_shift, most_shift));
    }
    if (l->low >= 0 && l->high <= most)
        return i;
    return plus(y, i, least_shift);
}

static bool fits(const struct induction *l, uint32_t length)
{
    return !l->walks && l->high - l->low < length;
}

struct cc_expr *yarp_subscript(struct yarp *y, uint32_t length, int dimension, int dimensions)
{
    size_t n = y->loops.n - y->at.first_loop;
    spend(y, 2);
    if (n && !percent(y, y->at.kernel ? 2 : 12)) {
        /* the loops of a nest belong to the dimensions in order */
        size_t at = n;
        if ((size_t)dimensions <= n && percent(y, 75))
            at = n - (size_t)dimensions + (size_t)dimension;
        else
            at = pick(y, n);
        for (size_t i = 0; i < n; i++) {
            const struct induction *l = &y->loops.at[y->at.first_loop + (at + i) % n];
            if (fits(l, length))
                return by_induction(y, l, length);
        }
    }
    if (!y->at.kernel && takes(y, YARP_GATHERS) && y->at.lazy < 4) {
        /* any value will do: what leaves the array is rewritten */
        struct cc_expr *e = yarp_small_expression(y, 1);
        uint32_t mask = 1;
        while (mask * 2 <= length)
            mask *= 2;
        if (percent(y, 80))
            e = cc_binary(y->p, CC_AND, e, cc_int(y->p, basic(y, CC_INT), mask - 1, CC_DECIMAL));
        return e;
    }
    return cc_int(y->p, basic(y, CC_INT), pick(y, length), CC_DECIMAL);
}

struct cc_expr *yarp_index_of(struct yarp *y, struct cc_expr *array, struct cc_expr *i)
{
    struct cc_expr *e = cc_index(y->p, array, i);
    if (y->k->language == CC_CXX17)
        e->at = draw(y, YARP_P_SUBSCRIPT) == YARP_SUBSCRIPT_AT;
    return e;
}

/* -- ways down -------------------------------------------------------------------------------- */

/* From a variable down to an integer (or float) in it. */
static struct cc_expr *descend(struct yarp *y, struct cc_expr *e)
{
    int dimensions = 0, dimension = 0;
    for (const struct cc_type *t = e->type; t->kind == CC_ARRAY; t = t->to)
        dimensions++;
    for (;;) {
        spend(y, 1);
        switch (e->type->kind) {
        case CC_ARRAY: {
            struct cc_expr *i = yarp_subscript(y, e->type->length, dimension, dimensions);
            e = yarp_index_of(y, e, i);
            dimension++;
            break;
        }
        case CC_STRUCT:
            e = cc_member(y->p, e, (int)pick(y, (size_t)e->type->record->n_fields));
            dimensions = 1;
            dimension = 0;
            break;
        case CC_POINTER:
            e = cc_deref(y->p, e);
            break;
        default:
            return e;
        }
    }
}

struct cc_var *yarp_local(struct yarp *y, enum shape s)
{
    size_t n = y->locals.n - y->at.first_local;
    for (int tries = 0; n && tries < 4; tries++) {
        struct cc_var *v = y->locals.at[y->at.first_local + pick(y, n)];
        if (yarp_shape_of(v->type) == s)
            return v;
    }
    return NULL;
}

static struct cc_var *global_of(struct yarp *y, enum role r, enum shape s)
{
    const var_list *all = &y->vars[r][s];
    return all->n ? all->at[pick(y, all->n)] : NULL;
}

void yarp_note_read(struct yarp *y, const struct cc_var *v, bool read)
{
    while (y->read.n <= v->id)
        vec_push(&y->read, false);
    y->read.at[v->id] = read;
}

bool yarp_was_read(const struct yarp *y, const struct cc_var *v)
{
    return v->id < y->read.n && y->read.at[v->id];
}

/* One whose value nothing has read yet, of the newest. */
static struct cc_var *unread_local(const struct yarp *y, enum shape s)
{
    enum { NEWEST = 12 };
    size_t end = y->locals.n, most = end - y->at.first_local;
    for (size_t i = 0; i < NEWEST && i < most; i++) {
        struct cc_var *v = y->locals.at[end - 1 - i];
        if (yarp_shape_of(v->type) == s && !yarp_was_read(y, v))
            return v;
    }
    return NULL;
}

/* By scope (23 parameters: "which variables are read"); another scope where it has none. */
static struct cc_var *read_var(struct yarp *y, enum shape s)
{
    struct cc_var *v = NULL;
    enum yarp_weight w = draw(y, YARP_P_SCOPE);
    if (w == YARP_SCOPE_LOCAL) {
        v = percent(y, 60) ? unread_local(y, s) : NULL;
        if (!v)
            v = yarp_local(y, s);
        if (v)
            yarp_note_read(y, v, true);
    }
    if (!v)
        v = global_of(y, w == YARP_SCOPE_MIXED ? MIXED : INPUT, s);
    return v ? v : global_of(y, w == YARP_SCOPE_MIXED ? INPUT : MIXED, s);
}

struct cc_expr *yarp_readable(struct yarp *y, enum yarp_weight leaf)
{
    static const enum shape shapes[] = {SCALAR, ARRAY, STRUCT, POINTER};
    size_t n = y->loops.n - y->at.first_loop;
    if (n && leaf == YARP_LEAF_VARIABLE && percent(y, 15)) {
        const struct induction *l = &y->loops.at[y->at.first_loop + pick(y, n)];
        if (!l->walks) {
            spend(y, 1);
            return cc_use(y->p, l->v);
        }
    }
    if (n && has(y, YARP_ARRAYS) && leaf == YARP_LEAF_VARIABLE &&
        percent(y, y->at.kernel ? 75 : 50))
        leaf = YARP_LEAF_ELEMENT; /* in loops, what differs from one time to the next */
    if (n && has(y, YARP_POINTER_WALKS)) {
        const struct induction *l = &y->loops.at[y->loops.n - 1];
        if (l->walks && percent(y, 40)) {
            spend(y, 2);
            return cc_deref(y->p, cc_use(y->p, l->v));
        }
    }
    struct cc_var *v = read_var(y, shapes[leaf - YARP_LEAF_VARIABLE]);
    if (!v)
        v = read_var(y, SCALAR);
    return v ? descend(y, cc_use(y->p, v)) : NULL;
}

/* A local that may be written: loop variables are not among the locals. */
static struct cc_expr *local_target(struct yarp *y)
{
    struct cc_var *v = yarp_local(y, SCALAR);
    if (!v || v->type->quals & CC_CONST)
        return NULL;
    yarp_note_read(y, v, false);
    return cc_use(y->p, v);
}

/* A part of a local struct or array: those have no pointers in them and are never const. */
static struct cc_expr *local_part(struct yarp *y, enum shape s)
{
    struct cc_var *v = yarp_local(y, s);
    return v ? descend(y, cc_use(y->p, v)) : NULL;
}

struct cc_expr *yarp_part_of(struct yarp *y, struct cc_var *v)
{
    yarp_note_read(y, v, true);
    return descend(y, cc_use(y->p, v));
}

static struct cc_expr *global_target(struct yarp *y, enum shape s, bool *was_output)
{
    *was_output = percent(y, 50);
    struct cc_var *v = global_of(y, *was_output ? OUTPUT : MIXED, s);
    if (!v) {
        *was_output = !*was_output;
        v = global_of(y, *was_output ? OUTPUT : MIXED, s);
    }
    return v ? descend(y, cc_use(y->p, v)) : NULL;
}

struct cc_expr *yarp_writable(struct yarp *y, bool *was_output)
{
    struct cc_expr *e = NULL;
    size_t n = y->loops.n - y->at.first_loop;
    *was_output = false;
    if (y->at.pure)
        return local_target(y);
    if (percent(y, 30)) {
        e = local_part(y, percent(y, 60) ? STRUCT : ARRAY);
        if (e)
            return e;
    }
    enum yarp_weight w = draw(y, YARP_P_TARGET);
    if (n && has(y, YARP_ARRAYS) && percent(y, 50))
        w = YARP_TARGET_ELEMENT;
    switch (w) {
    case YARP_TARGET_LOCAL:
        e = local_target(y);
        break;
    case YARP_TARGET_MIXED: {
        struct cc_var *v = global_of(y, MIXED, SCALAR);
        e = v ? descend(y, cc_use(y->p, v)) : NULL;
        break;
    }
    case YARP_TARGET_ELEMENT:
    case YARP_TARGET_MEMBER:
    case YARP_TARGET_INDIRECTION:
        e = global_target(y,
                          w == YARP_TARGET_ELEMENT  ? ARRAY
                          : w == YARP_TARGET_MEMBER ? STRUCT
                                                    : POINTER,
                          was_output);
        break;
    default:
        break;
    }
    if (e)
        return e;
    struct cc_var *v = global_of(y, OUTPUT, SCALAR);
    *was_output = true;
    return cc_use(y->p, v);
}

struct cc_expr *yarp_element_target(struct yarp *y)
{
    bool was_output;
    struct cc_expr *e = y->at.pure ? NULL : global_target(y, ARRAY, &was_output);
    return e && e->kind == CC_E_INDEX ? e : NULL;
}

struct cc_expr *yarp_effect_target(struct yarp *y)
{
    struct cc_expr *e = local_target(y);
    if (e || y->at.pure)
        return e;
    struct cc_var *v = global_of(y, MIXED, SCALAR);
    return v ? cc_use(y->p, v) : NULL;
}

struct cc_expr *yarp_float_place(struct yarp *y, bool write, const struct cc_type **type)
{
    enum shape s = percent(y, 60) ? FLOATING_ARRAY : FLOATING;
    enum role r = write ? (percent(y, 50) ? OUTPUT : MIXED) : (percent(y, 50) ? INPUT : MIXED);
    struct cc_var *v = global_of(y, r, s);
    if (!v)
        v = global_of(y, r, FLOATING);
    if (!v || (write && y->at.pure))
        return NULL;
    struct cc_expr *e = descend(y, cc_use(y->p, v));
    *type = e->type->plain;
    return e;
}
