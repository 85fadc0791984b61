/* Builtin functions of GCC, and the checksum. */
#include "interp/interp_internal.h"

#include <math.h>

/* An integer as sign and magnitude: every sum and product of two fits with one bit to spare. */
struct exact {
    bool negative, carry;
    cc_uwide magnitude;
};

static struct exact exact_of(const struct cc_type *t, union value v)
{
    union cc_scalar s = to_scalar(t, v);
    bool negative = t->is_signed && s.i < 0;
    return (struct exact){negative, false, negative ? 0 - (cc_uwide)s.i : (cc_uwide)s.i};
}

static struct exact exact_sum(struct exact a, struct exact b)
{
    if (a.negative == b.negative) {
        a.carry = __builtin_add_overflow(a.magnitude, b.magnitude, &a.magnitude);
        return a;
    }
    if (a.magnitude >= b.magnitude) {
        a.magnitude -= b.magnitude;
        return a;
    }
    b.magnitude -= a.magnitude;
    return b;
}

static struct exact exact_result(int builtin, struct exact a, struct exact b)
{
    if (builtin == CC_BUILTIN_MUL_OVERFLOW) {
        a.negative ^= b.negative;
        a.carry = __builtin_mul_overflow(a.magnitude, b.magnitude, &a.magnitude);
        return a;
    }
    if (builtin == CC_BUILTIN_SUB_OVERFLOW)
        b.negative = !b.negative;
    return exact_sum(a, b);
}

/* __builtin_add_overflow(a, b, &r) and its kin: exact, then wrapped; true if that lost something.
 */
static union value overflow_builtin(struct interp *in, struct cc_expr *e, const union value *args)
{
    struct exact r = exact_result(e->field, exact_of(e->args[0]->type, args[0]),
                                  exact_of(e->args[1]->type, args[1]));
    cc_uwide bits = r.negative ? 0 - r.magnitude : r.magnitude;
    const struct cc_type *t = e->args[2]->type->to;
    union cc_scalar wrapped = {.i = cc_wrap(t, (cc_wide)bits)};
    struct exact back = exact_of(t, from_scalar(t, wrapped));
    bool lost =
        r.carry || back.magnitude != r.magnitude || (r.magnitude && back.negative != r.negative);
    in->written = (struct cc_expr){.kind = CC_E_DEREF, .type = t, .a = e->args[2]};
    struct pointer p = interp_deref(in, &in->written, args[2].p);
    store(in, &in->written, p, from_scalar(t, wrapped));
    note_pending(in, p);
    return (union value){.i = lost};
}

/* The loop variables of main that index the hashed lvalue. */
static void note_indices(struct interp *in, const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST || e->kind == CC_E_MEMBER)
        e = e->a;
    if (e->kind != CC_E_INDEX)
        return;
    note_indices(in, e->a);
    const struct cc_expr *b = e->b;
    while (b->kind == CC_E_CAST)
        b = b->a;
    if (b->kind == CC_E_VAR)
        vec_push(&in->indices, (int32_t)object_of(in, b->var)->cells->v.i);
}

/* The bytes that the checksum takes of a float; of any NaN the same ones, as the printed support
 * has it (support.c): sign and payload are the compiler's. */
static void hash_float(struct interp *in, bool is_double, double v)
{
    uint64_t bits = UINT64_C(0x7FF8000000000000);
    float f = (float)v;
    uint32_t small = 0x7FC00000;
    if (!isnan(v)) {
        memcpy(&bits, &v, sizeof bits);
        memcpy(&small, &f, sizeof small);
    }
    in->crc = is_double ? cc_crc_u64(in->crc, bits) : cc_crc_bytes(in->crc, &small, sizeof small);
}

static void hash(struct interp *in, struct cc_expr *e, union value v)
{
    const struct cc_type *t = e->args[0]->type;
    if (cc_is_float(t)) {
        hash_float(in, t->kind == CC_DOUBLE, v.f);
    } else {
        in->crc = cc_crc_u64(in->crc, (uint64_t)to_scalar(t, v).i);
    }
    struct hash h = {.expr = e, .crc = in->crc, .first_index = (uint32_t)in->indices.n};
    note_indices(in, e->args[0]);
    h.n_indices = (uint32_t)in->indices.n - h.first_index;
    vec_push(&in->hashes, h);
}

union value interp_eval_builtin(struct interp *in, struct cc_expr *e)
{
    union value args[4];
    uint32_t n = e->n_args;
    bool track = n > 1 && e->effects;
    uint32_t start = track ? tick(in) : 0;
    REQUIRE(n <= 4);
    for (uint32_t i = 0; i < n; i++) {
        args[i] = interp_eval(in, e->args[i]);
        if (track)
            next_operand(in, start, i, false);
    }
    if (track)
        interp_pop_interval(in);
    switch (e->field) {
    case CC_BUILTIN_CHECKSUM:
        hash(in, e, args[0]);
        return (union value){.p = {NULL, 0, 0}};
    case CC_BUILTIN_TRAP:
        if (in->options.real)
            interp_leave(in, INTERP_TRAPPED, 0);
        interp_fail(in, CC_UB_UNREACHABLE, e, "%s", "");
    case CC_BUILTIN_UNREACHABLE:
        interp_fail(in, CC_UB_UNREACHABLE, e, "%s", "");
    case CC_BUILTIN_ADD_OVERFLOW:
    case CC_BUILTIN_SUB_OVERFLOW:
    case CC_BUILTIN_MUL_OVERFLOW:
        return overflow_builtin(in, e, args);
    default:
        break;
    }
    union cc_scalar scalars[4], r;
    for (uint32_t i = 0; i < n; i++)
        scalars[i] = to_scalar(e->args[i]->type, args[i]);
    enum cc_ub ub = cc_builtin_value(e->field, scalars, &r);
    if (ub)
        interp_fail(in, ub, e, "%s", "");
    return from_scalar(e->type, r);
}
