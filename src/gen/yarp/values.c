/* See values.h. The walk does as little per node as it can: programs are evaluated several times
 * over, and making them must cost a fraction of compiling them. */
#include "gen/yarp/values.h"

#include "base/error.h"
#include "cc/builtin.h"
#include "cc/build.h"
#include "cc/checksum.h"
#include "cc/small.h"
#include "gen/yarp/rewrite.h"

#include <math.h>

static int64_t eval(struct values *v, struct cc_expr *e);
static uint32_t place(struct values *v, struct cc_expr *e);

void values_init(struct values *v, struct cc_program *p, struct choice *c, struct arena *a)
{
    *v = (struct values){.p = p, .c = c, .arena = a};
    vec_push(&v->cells, 0); /* the null pointer's */
    vec_push(&v->seen, 0);
}

void values_release(struct values *v)
{
    vec_release(&v->cells);
    vec_release(&v->layouts);
    vec_release(&v->undo);
    vec_release(&v->seen);
}

/* -- places ----------------------------------------------------------------------------------- */

static const struct values_layout *layout(struct values *v, const struct cc_type *t)
{
    uint32_t id = t->plain->id;
    while (v->layouts.n <= id)
        vec_push(&v->layouts, (struct values_layout){0});
    if (v->layouts.at[id].cells)
        return &v->layouts.at[id];
    struct values_layout l = {.cells = 1};
    if (t->kind == CC_ARRAY || t->kind == CC_VECTOR) {
        l.cells = t->length * layout(v, t->to)->cells;
    } else if (cc_is_record(t)) {
        l.cells = 0;
        l.field = arena_array(v->arena, uint32_t, t->record->n_fields);
        for (int i = 0; i < t->record->n_fields; i++) {
            l.field[i] = l.cells;
            l.cells += layout(v, t->record->fields[i].type)->cells;
        }
    }
    v->layouts.at[id] = l;
    return &v->layouts.at[id];
}

static inline uint32_t cells_of(struct values *v, const struct cc_type *t)
{
    uint32_t id = t->plain->id;
    if (id < v->layouts.n && v->layouts.at[id].cells)
        return v->layouts.at[id].cells;
    return layout(v, t)->cells;
}

/* A pointer: the cell, how many elements of its array lie before it, and how many from it on. */
static inline int64_t pointer(uint32_t cell, uint32_t before, uint32_t from)
{
    return (int64_t)((uint64_t)from << 48 | (uint64_t)before << 32 | cell);
}
static inline uint32_t pointer_cell(int64_t p)
{
    return (uint32_t)p;
}
static inline uint32_t pointer_before(int64_t p)
{
    return (uint32_t)(p >> 32) & 0xFFFF;
}
static inline uint32_t pointer_from(int64_t p)
{
    return (uint32_t)(p >> 48);
}

static int64_t pointer_plus(struct values *v, const struct cc_type *type, int64_t p, int64_t n)
{
    int64_t before = pointer_before(p) + n, from = pointer_from(p) - n;
    REQUIRE(before >= 0 && from >= 0);
    return pointer(pointer_cell(p) + (uint32_t)(n * cells_of(v, type->to)), (uint32_t)before,
                   (uint32_t)from);
}

/* -- loads and stores ------------------------------------------------------------------------- */

enum { READ_BIT = 0, WRITE_BIT = 1 };

/* In an expression with effects no cell that is written may be accessed a second time, whatever the
 * order (6.5p2). Stricter than C: sequence points inside of the expression do not help. */
static void watch_read(struct values *v, uint32_t cell)
{
    if (v->seen.at[cell] == (v->watch | WRITE_BIT))
        v->conflict = true;
    else
        v->seen.at[cell] = v->watch | READ_BIT;
}
static void watch_write(struct values *v, uint32_t cell)
{
    if (v->seen.at[cell] >> 1 == v->watch >> 1)
        v->conflict = true;
    v->seen.at[cell] = v->watch | WRITE_BIT;
}

static inline int64_t load(struct values *v, uint32_t cell)
{
    if (v->watch)
        watch_read(v, cell);
    return v->cells.at[cell];
}

static inline void store(struct values *v, uint32_t cell, int64_t value)
{
    struct values_undo u = {cell, v->cells.at[cell]};
    vec_push(&v->undo, u);
    v->cells.at[cell] = value;
}

void values_back(struct values *v, size_t mark)
{
    while (v->undo.n > mark) {
        struct values_undo u = v->undo.at[--v->undo.n];
        v->cells.at[u.cell] = u.old;
    }
}

/* -- scalars ---------------------------------------------------------------------------------- */

/* A double that an int64_t can be cast from. */
static bool fits_int(double f)
{
    return f > -1e15 && f < 1e15;
}

static int64_t convert(const struct cc_type *from, const struct cc_type *to, int64_t x, bool *bad)
{
    if (cc_is_float(from)) {
        double f = values_float(x);
        if (cc_is_float(to))
            return to->kind == CC_FLOAT ? values_bits((double)(float)f) : x;
        if (to->kind == CC_BOOL)
            return f != 0;
        int64_t i = fits_int(f) ? (int64_t)f : 0;
        *bad |= !fits_int(f) || cc_wrap_small(to, i) != i; /* 6.3.1.4p1 */
        return cc_wrap_small(to, i);
    }
    if (cc_is_float(to)) {
        double f = from->is_signed ? (double)x : (double)(uint64_t)x;
        /* exact, or compilers may differ */
        *bad |= fabs(f) > 65536 || (to->kind == CC_FLOAT && (double)(float)f != f);
        return values_bits(f);
    }
    if (to->kind == CC_BOOL)
        return x != 0;
    return cc_wrap_small(to, x);
}

/* a op b on integers. False: undefined. */
static inline bool compute(enum cc_op op, const struct cc_type *t, int64_t a, int64_t b,
                           int64_t *out)
{
    return cc_binary_small(op, t, a, b, out) == CC_UB_NONE;
}

static int64_t compare(enum cc_op op, const struct cc_type *t, int64_t a, int64_t b)
{
    if (cc_is_float(t))
        return CC_COMPARE(op, values_float(a), values_float(b));
    bool order = op != CC_EQ && op != CC_NE;
    if (t->kind == CC_POINTER && order) { /* within one array */
        a = pointer_cell(a);
        b = pointer_cell(b);
    }
    return t->is_signed ? CC_COMPARE(op, a, b) : CC_COMPARE(op, (uint64_t)a, (uint64_t)b);
}

/* Floats are kept where every evaluation is exact, whatever the order and the precision in which a
 * compiler computes: in a narrow range (3.5 of the paper), in multiples of a small power of two,
 * and never the negative zero. */
static bool compute_float(enum cc_op op, int64_t abits, int64_t bbits, int64_t *out)
{
    double a = values_float(abits), b = values_float(bbits), r;
    switch (op) {
    case CC_ADD:
        r = a + b;
        break;
    case CC_SUB:
        r = a - b;
        break;
    case CC_MUL:
        r = a * b;
        break;
    case CC_DIV:
        if (b == 0)
            return false;
        r = a / b;
        if (r * b != a)
            return false;
        break;
    default:
        REQUIRE(false); /* not an operator on floats */
        return false;
    }
    *out = values_bits(r);
    double grain = r * 256;
    return fabs(r) <= 1024 && grain == floor(grain) && !(r == 0 && signbit(r));
}

/* -- rewriting -------------------------------------------------------------------------------- */

static struct rewrite_operand operand(const struct cc_type *t, int64_t x)
{
    return (struct rewrite_operand){t->is_signed ? (cc_wide)x : (cc_wide)(uint64_t)x, t->bits,
                                    t->is_signed};
}

/* What became of a node after it was rewritten. With effects inside, the whole expression is
 * evaluated once more from its start. */
static void note_change(struct values *v)
{
    v->n_rewritten++;
    v->changed |= v->mode == VALUES_RUNNING;
    v->stale |= v->calls > 0;
}

static int64_t once_more(struct values *v, struct cc_expr *e, bool effects)
{
    note_change(v);
    if (!effects)
        return eval(v, e);
    v->again = true;
    return cc_is_float(e->type) ? values_bits(0.5) : 1;
}

static int64_t rewrite(struct values *v, struct cc_expr *e, int64_t a, int64_t b)
{
    const struct cc_type *at = e->a->type->plain;
    bool effects = e->effects;
    if (cc_is_float(at)) { /* only its left operand stays */
        struct cc_expr *left = e->a;
        *e = *left;
        return once_more(v, e, effects);
    }
    /* A shift that was put right for one count by a constant would grow by one for each count. */
    bool shift = e->op == CC_SHL || e->op == CC_SHR;
    if (v->mode == VALUES_RUNNING && (v->pass > 0 || shift)) {
        rewrite_for_good(v->p, v->c, e, v->negative_right_shift);
        return once_more(v, e, effects);
    }
    struct rewrite_operand x = operand(at, a), y = x;
    if (e->kind == CC_E_BINARY)
        y = operand(e->b->type->plain, b);
    const struct rewrite_row *row = rewrite_find(e->op, x, y, v->negative_right_shift);
    REQUIRE(row);
    rewrite_apply(v->p, v->c, row, e, x, y);
    return once_more(v, e, effects);
}

/* A subscript that leaves the array becomes one that cannot. */
static int64_t rewrite_subscript(struct values *v, struct cc_expr *e, uint32_t length)
{
    const struct cc_type *u = cc_basic(&v->p->types, CC_UINT);
    e->b = cc_binary(v->p, CC_REM, cc_cast(v->p, u, e->b), cc_int(v->p, u, length, CC_DECIMAL));
    note_change(v);
    return eval(v, e->b);
}

/* -- expressions ------------------------------------------------------------------------------ */

/* The element that e, a CC_E_INDEX, designates; `past_too`: or one past the end. */
static int64_t index_pointer(struct values *v, struct cc_expr *e, bool past_too)
{
    if (e->a->type->kind == CC_POINTER) {
        int64_t p = eval(v, e->a), n = eval(v, e->b);
        int64_t least = -(int64_t)pointer_before(p), most = pointer_from(p) - (past_too ? 0 : 1);
        if (n < least || n > most || (n < 0 && !e->b->type->is_signed)) {
            note_change(v);
            v->again |= e->b->effects;
            e->b = cc_int(v->p, cc_basic(&v->p->types, CC_INT), 0, CC_DECIMAL);
            n = 0;
            REQUIRE(pointer_from(p) > 0);
        }
        return pointer_plus(v, e->a->type, p, n);
    }
    uint32_t length = e->a->type->length, base = place(v, e->a);
    int64_t i = eval(v, e->b);
    if ((uint64_t)i >= length && !(past_too && i == length))
        i = rewrite_subscript(v, e, length);
    return pointer(base + (uint32_t)i * cells_of(v, e->type), (uint32_t)i, length - (uint32_t)i);
}

static uint32_t place(struct values *v, struct cc_expr *e)
{
    v->steps++;
    switch (e->kind) {
    case CC_E_VAR:
        return e->var->mark;
    case CC_E_MEMBER:
        return place(v, e->a) + layout(v, e->a->type)->field[e->field];
    case CC_E_INDEX:
        return pointer_cell(index_pointer(v, e, false));
    case CC_E_DEREF: {
        int64_t p = eval(v, e->a);
        REQUIRE(pointer_from(p) > 0);
        return pointer_cell(p);
    }
    default:
        REQUIRE(false); /* not an lvalue */
        return 0;
    }
}

/* One past the end is meant where it is written as a number. A subscript that has come there by its
 * value is one that leaves the array: whoever has a pointer to an element may look at that. */
static int64_t address(struct values *v, struct cc_expr *lvalue)
{
    if (lvalue->kind == CC_E_INDEX)
        return index_pointer(v, lvalue, lvalue->b->kind == CC_E_INT);
    if (lvalue->kind == CC_E_DEREF)
        return eval(v, lvalue->a);
    return pointer(place(v, lvalue), 0, 1);
}

/* One lane of an expression of vector type: there are no effects in it, so that lanes can be
 * evaluated apart. What would be undefined in a lane becomes a bitwise operation in all. */
static int64_t eval_lane(struct values *v, struct cc_expr *e, uint32_t lane)
{
    v->steps++;
    if (cc_is_lvalue(e) && e->kind != CC_E_LITERAL)
        return load(v, place(v, e) + lane);
    if (e->kind == CC_E_LITERAL)
        return eval(v, e->args[lane]);
    if (e->kind == CC_E_UNARY && e->op == CC_COMPL)
        return cc_wrap_small(e->type->to, ~eval_lane(v, e->a, lane));
    const struct cc_type *t = e->a->type->to;
    int64_t a = eval_lane(v, e->a, lane), r;
    if (e->kind == CC_E_UNARY) {
        if (e->op == CC_PLUS)
            return a;
        if (cc_is_float(t) ? values_float(a) != 0 && compute_float(CC_SUB, 0, a, &r)
                           : compute(CC_SUB, t, 0, a, &r))
            return r;
        struct cc_expr *alone = e->a;
        *e = *alone;
        v->lanes_changed = true;
        return a;
    }
    int64_t b = eval_lane(v, e->b, lane);
    if (cc_is_comparison(e->op))
        return -compare(e->op, t, a, b);
    bool left_alone = e->op != CC_SHR || a >= 0 || !t->is_signed || v->negative_right_shift;
    if (cc_is_float(t) ? compute_float(e->op, a, b, &r) : left_alone && compute(e->op, t, a, b, &r))
        return r;
    v->lanes_changed = true;
    if (cc_is_float(t)) {
        struct cc_expr *left = e->a;
        *e = *left;
        return a;
    }
    e->op = e->op == CC_ADD || e->op == CC_SUB ? CC_XOR : e->op == CC_MUL ? CC_AND : CC_OR;
    compute(e->op, t, a, b, &r);
    return r;
}

static void assign_vector(struct values *v, struct cc_expr *e)
{
    int64_t lanes[64];
    do {
        v->lanes_changed = false;
        for (uint32_t i = 0; i < e->type->length; i++)
            lanes[i] = eval_lane(v, e->b, i);
        if (v->lanes_changed)
            note_change(v);
    } while (v->lanes_changed);
    uint32_t to = place(v, e->a);
    for (uint32_t i = 0; i < e->type->length; i++)
        store(v, to + i, lanes[i]);
}

static int64_t assign(struct values *v, struct cc_expr *e, bool whole)
{
    if (e->type->kind == CC_VECTOR) {
        assign_vector(v, e);
        return 0;
    }
    if (!cc_is_scalar(e->type)) { /* a whole struct */
        uint32_t from = place(v, e->b), to = place(v, e->a), n = cells_of(v, e->type);
        for (uint32_t i = 0; i < n; i++)
            store(v, to + i, load(v, from + i));
        return 0;
    }
    int64_t x = eval(v, e->b);
    uint32_t to = place(v, e->a);
    int bits = cc_bitfield_bits(e->a);
    if (bits >= 0 && e->type->kind != CC_BOOL)
        x = (int64_t)cc_bitfield_value(e->type->plain, bits, x);
    if (v->watch) {
        /* the outermost store comes after everything but other stores (6.5.16p3) */
        if (whole && v->seen.at[to] == (v->watch | READ_BIT))
            v->seen.at[to] = 0;
        watch_write(v, to);
    }
    store(v, to, x);
    return x;
}

static int64_t step(struct values *v, struct cc_expr *e)
{
    REQUIRE(cc_bitfield_bits(e->a) < 0);
    uint32_t at = place(v, e->a);
    int64_t old = v->cells.at[at], now;
    const struct cc_type *t = e->a->type->plain;
    const struct cc_type *in = cc_promoted(&v->p->types, t, -1);
    if (!compute(e->op, in, old, 1, &now)) { /* just the variable, then */
        struct cc_expr *variable = e->a;
        *e = *variable;
        note_change(v);
        v->again = true;
        return old;
    }
    now = t->kind == CC_BOOL ? now != 0 : cc_wrap_small(t, now);
    if (v->watch)
        watch_write(v, at);
    store(v, at, now);
    return e->postfix ? old : now;
}

static int64_t call(struct values *v, struct cc_expr *e)
{
    struct cc_func *f = e->callee->func;
    int64_t args[16];
    REQUIRE(e->n_args <= 16);
    for (uint32_t i = 0; i < e->n_args; i++)
        args[i] = eval(v, e->args[i]);
    for (uint32_t i = 0; i < e->n_args; i++)
        store(v, f->params[i]->mark, args[i]);
    uint32_t watch = v->watch;
    v->watch = 0; /* what it does inside has an order */
    enum values_mode mode = v->mode;
    v->mode = VALUES_RUNNING;
    v->calls++;
    v->result = 0;
    values_exec(v, f->body);
    v->calls--;
    v->mode = mode;
    v->watch = watch;
    return v->result;
}

static void hash(struct values *v, struct cc_expr *e)
{
    const struct cc_type *t = e->type->plain;
    int64_t x = eval(v, e);
    if (t->kind == CC_FLOAT) {
        float f = (float)values_float(x);
        v->crc = cc_crc_bytes(v->crc, &f, sizeof f);
    } else if (t->kind == CC_DOUBLE) {
        double f = values_float(x);
        v->crc = cc_crc_bytes(v->crc, &f, sizeof f);
    } else {
        v->crc = cc_crc_u64(v->crc, (uint64_t)x);
    }
}

static int64_t eval_binary(struct values *v, struct cc_expr *e)
{
    int64_t a = eval(v, e->a), b = eval(v, e->b), r;
    const struct cc_type *t = e->a->type;
    if (cc_is_comparison(e->op))
        return compare(e->op, t, a, b);
    if (t->kind == CC_POINTER) {
        if (e->b->type->kind == CC_POINTER)
            return ((int64_t)pointer_cell(a) - (int64_t)pointer_cell(b)) /
                   (int64_t)cells_of(v, t->to);
        return pointer_plus(v, t, a, e->op == CC_ADD ? b : -b);
    }
    bool good = cc_is_float(t) ? compute_float(e->op, a, b, &r) : compute(e->op, t, a, b, &r);
    if (__builtin_expect(good, 1)) {
        if (__builtin_expect(e->op == CC_SHR && a < 0 && t->is_signed, 0) &&
            !v->negative_right_shift)
            return rewrite(v, e, a, b);
        return r;
    }
    return rewrite(v, e, a, b);
}

static int64_t eval(struct values *v, struct cc_expr *e)
{
    v->steps++;
    switch (e->kind) {
    case CC_E_INT:
        return (int64_t)e->value;
    case CC_E_FLOAT:
        return values_bits(e->number);
    case CC_E_NULL:
        return 0;
    case CC_E_VAR:
        return load(v, e->var->mark);
    case CC_E_MEMBER:
    case CC_E_INDEX:
    case CC_E_DEREF:
        return load(v, place(v, e));
    case CC_E_ADDR:
        return address(v, e->a);
    case CC_E_UNARY: {
        int64_t a = eval(v, e->a), r;
        switch (e->op) {
        case CC_PLUS:
            return a;
        case CC_NOT:
            return cc_is_float(e->a->type) ? values_float(a) == 0 : !a;
        case CC_COMPL:
            return cc_wrap_small(e->type, ~a);
        default:
            if (cc_is_float(e->type)) {
                if (values_float(a) != 0)
                    return values_bits(-values_float(a));
            } else if (compute(CC_SUB, e->type, 0, a, &r)) {
                return r;
            }
            return rewrite(v, e, a, 0);
        }
    }
    case CC_E_BINARY:
        return eval_binary(v, e);
    case CC_E_LOGICAL: {
        bool a = eval(v, e->a) != 0, both = e->op == CC_LAND;
        if (a != both && (v->mode == VALUES_RUNNING || v->skips))
            return a;
        bool b = eval(v, e->b) != 0;
        return both ? a && b : a || b;
    }
    case CC_E_COND: {
        bool c = eval(v, e->a) != 0;
        if (v->mode == VALUES_MAKING && !v->skips)
            eval(v, c ? e->c : e->b);
        return eval(v, c ? e->b : e->c);
    }
    case CC_E_COMMA:
        eval(v, e->a);
        return eval(v, e->b);
    case CC_E_CAST: {
        bool bad = false;
        int64_t x = eval(v, e->a);
        int64_t r = convert(e->a->type, e->type, x, &bad);
        if (!bad)
            return r;
        /* an integer that is no small float, a float that is no such integer: by way of a type
         * that always fits */
        const struct cc_type *narrow = cc_basic(&v->p->types, CC_SCHAR);
        e->a = cc_is_float(e->type) ? cc_cast(v->p, narrow, e->a) : cc_unary(v->p, CC_NOT, e->a);
        return once_more(v, e, e->effects);
    }
    case CC_E_ASSIGN:
        return assign(v, e, false);
    case CC_E_INCDEC:
        return step(v, e);
    case CC_E_CALL:
        return call(v, e);
    case CC_E_BUILTIN:
        if (e->field == CC_BUILTIN_CHECKSUM) {
            hash(v, e->args[0]);
            return 0;
        }
        REQUIRE(false); /* not a builtin */
        return 0;
    default:
        REQUIRE(false); /* not an expression that yarp makes */
        return 0;
    }
}

bool values_has_effects(const struct cc_expr *e)
{
    if (e->kind == CC_E_ASSIGN && cc_is_scalar(e->type))
        return (e->a->effects && !e->a->calls) || (e->b->effects && !e->b->calls);
    return e->effects && !e->calls;
}

void values_drop_effects(struct cc_expr *e)
{
    if (!e || !e->effects)
        return;
    if (e->kind == CC_E_INCDEC) {
        struct cc_expr *variable = e->a;
        *e = *variable;
        return;
    }
    if (e->kind == CC_E_ASSIGN) {
        /* the value that was stored: of the type of what it was stored in */
        values_drop_effects(e->b);
        struct cc_expr *value = e->b;
        *e = *value;
        e->implicit = false; /* the conversion that the assignment made has to be written now */
        return;
    }
    switch (e->kind) {
    case CC_E_COND:
        values_drop_effects(e->c); /* fall through */
    case CC_E_BINARY:
    case CC_E_LOGICAL:
    case CC_E_COMMA:
    case CC_E_INDEX:
        values_drop_effects(e->b); /* fall through */
    case CC_E_UNARY:
    case CC_E_CAST:
    case CC_E_DEREF:
    case CC_E_ADDR:
    case CC_E_MEMBER:
        values_drop_effects(e->a);
        break;
    default:
        return;
    }
    e->effects = false;
}

/* Stamps are even; the lowest bit tells reads and writes apart. */
static void watch(struct values *v)
{
    while (v->seen.n < v->cells.n)
        vec_push(&v->seen, 0);
    v->stamp += 2;
    v->watch = v->stamp;
}

int64_t values_eval(struct values *v, struct cc_expr *e)
{
    if (v->off)
        return 0;
    bool effects = values_has_effects(e);
    bool outer_again = v->again, outer_conflict = v->conflict; /* of the call that this is in */
    for (;;) {
        size_t mark = values_mark(v);
        v->again = v->conflict = false;
        if (effects)
            watch(v);
        int64_t x = e->kind == CC_E_ASSIGN ? assign(v, e, true) : eval(v, e);
        v->watch = 0;
        if (!v->again && !v->conflict) {
            v->again = outer_again;
            v->conflict = outer_conflict;
            return x;
        }
        values_back(v, mark);
        if (v->conflict) {
            note_change(v);
            if (e->kind == CC_E_ASSIGN) {
                values_drop_effects(e->a);
                values_drop_effects(e->b);
            } else {
                values_drop_effects(e);
            }
            effects = false;
        }
    }
}

/* -- statements ------------------------------------------------------------------------------- */

static void initialise(struct values *v, uint32_t cell, const struct cc_type *t,
                       struct cc_expr *init)
{
    if (!init) {
        for (uint32_t n = cells_of(v, t), i = 0; i < n; i++)
            store(v, cell + i, cc_is_float(t) ? values_bits(0) : 0);
    } else if (init->kind == CC_E_LIST) {
        for (uint32_t i = 0, n = t->kind == CC_STRUCT ? (uint32_t)t->record->n_fields : t->length;
             i < n; i++) {
            struct cc_expr *part = i < init->n_args ? init->args[i] : NULL;
            if (t->kind == CC_STRUCT)
                initialise(v, cell + layout(v, t)->field[i], t->record->fields[i].type, part);
            else
                initialise(v, cell + i * cells_of(v, t->to), t->to, part);
        }
    } else if (t->kind == CC_VECTOR) {
        struct cc_expr target = {.kind = CC_E_VAR, .type = t}, a = {.kind = CC_E_ASSIGN, .type = t};
        struct cc_var where = {.mark = cell};
        target.var = &where;
        a.a = &target;
        a.b = init;
        assign_vector(v, &a);
    } else if (cc_is_scalar(t)) {
        store(v, cell, values_eval(v, init));
    } else { /* a copy of a struct */
        uint32_t from = place(v, init);
        for (uint32_t n = cells_of(v, t), i = 0; i < n; i++)
            store(v, cell + i, v->cells.at[from + i]);
    }
}

void values_add(struct values *v, struct cc_var *var)
{
    uint32_t n = cells_of(v, var->type);
    var->mark = (uint32_t)v->cells.n;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&v->cells, 0);
    if (!var->param && !v->off)
        initialise(v, var->mark, var->type, var->init);
}

void values_reset(struct values *v)
{
    v->undo.n = 0;
    for (size_t i = 0; i < v->p->globals.n; i++)
        initialise(v, v->p->globals.at[i]->mark, v->p->globals.at[i]->type,
                   v->p->globals.at[i]->init);
    v->undo.n = 0;
}

int64_t values_get(const struct values *v, const struct cc_var *var)
{
    return v->cells.at[var->mark];
}

void values_set(struct values *v, const struct cc_var *var, int64_t value)
{
    store(v, var->mark, value);
}

static enum values_flow exec_list(struct values *v, struct cc_stmt *block, size_t from)
{
    for (size_t i = from; i < block->list.n; i++) {
        enum values_flow flow = values_exec(v, block->list.at[i]);
        if (flow == FLOW_GOTO) { /* here, or further out */
            size_t at = 0;
            while (at < block->list.n && block->list.at[at] != v->target)
                at++;
            if (at == block->list.n)
                return flow;
            i = at;
        } else if (flow != FLOW_NEXT) {
            return flow;
        }
    }
    return FLOW_NEXT;
}

/* The body of a loop: false ends the loop with *flow. */
static bool exec_body(struct values *v, struct cc_stmt *body, enum values_flow *flow)
{
    *flow = values_exec(v, body);
    if (*flow == FLOW_NEXT || *flow == FLOW_CONTINUE)
        return true;
    if (*flow == FLOW_BREAK)
        *flow = FLOW_NEXT;
    return false;
}

static enum values_flow exec_loop(struct values *v, struct cc_stmt *s)
{
    enum values_flow flow;
    if (s->init)
        values_eval(v, s->init);
    if (s->kind == CC_S_DO) {
        do
            if (!exec_body(v, s->a, &flow))
                return flow;
        while (values_eval(v, s->expr));
        return FLOW_NEXT;
    }
    while (!s->expr || values_eval(v, s->expr)) {
        if (!exec_body(v, s->a, &flow))
            return flow;
        if (s->step)
            values_eval(v, s->step);
    }
    return FLOW_NEXT;
}

static enum values_flow exec_switch(struct values *v, struct cc_stmt *s)
{
    int64_t x = values_eval(v, s->expr);
    struct cc_stmt *block = s->a;
    size_t at = block->list.n;
    for (size_t i = 0; i < block->list.n; i++) {
        const struct cc_stmt *label = block->list.at[i];
        if (label->kind == CC_S_CASE && (int64_t)label->value == x) {
            at = i;
            break;
        }
        if (label->kind == CC_S_DEFAULT)
            at = i;
    }
    enum values_flow flow = exec_list(v, block, at);
    return flow == FLOW_BREAK ? FLOW_NEXT : flow;
}

enum values_flow values_exec(struct values *v, struct cc_stmt *s)
{
    v->steps++;
    switch (s->kind) {
    case CC_S_BLOCK:
        return exec_list(v, s, 0);
    case CC_S_EXPR:
        values_eval(v, s->expr);
        return FLOW_NEXT;
    case CC_S_DECL:
        if (s->var->init)
            initialise(v, s->var->mark, s->var->type, s->var->init);
        return FLOW_NEXT;
    case CC_S_IF:
        if (values_eval(v, s->expr))
            return values_exec(v, s->a);
        return s->b ? values_exec(v, s->b) : FLOW_NEXT;
    case CC_S_FOR:
    case CC_S_WHILE:
    case CC_S_DO:
        return exec_loop(v, s);
    case CC_S_SWITCH:
        return exec_switch(v, s);
    case CC_S_BREAK:
        return FLOW_BREAK;
    case CC_S_CONTINUE:
        return FLOW_CONTINUE;
    case CC_S_GOTO:
        v->target = s->target;
        return FLOW_GOTO;
    case CC_S_RETURN:
        if (s->expr)
            v->result = values_eval(v, s->expr);
        return FLOW_RETURN;
    default:
        return FLOW_NEXT; /* labels, comments */
    }
}
