/* Ranges of expressions (gen/smith/ranged.h): whatever values the operands have within theirs, the
 * operation is defined, and its value within the range that was told. */
#include "gen/smith/ranged.h"
#include "tap.h"

#include <stdlib.h>

static struct arena arena;
static struct cc_program program;
static struct choice choice;
static struct smith s;

/* A leaf has its range's number in place of a value. */
struct leaf {
    cc_wide low, high, now;
};
static struct leaf leaves[4];

static union cc_scalar value_of_expr(const struct cc_expr *e, bool *bad)
{
    union cc_scalar a = {0}, b = {0}, out = {0};
    switch (e->kind) {
    case CC_E_VAR:
        out.i = leaves[e->var->mark].now;
        return out;
    case CC_E_INT:
        out.i = e->value;
        return out;
    case CC_E_CAST:
        a = value_of_expr(e->a, bad);
        *bad |= cc_convert_value(e->a->type, e->type, a, &out) != CC_UB_NONE;
        return out;
    case CC_E_COND:
        a = value_of_expr(e->a, bad);
        return value_of_expr(a.i ? e->b : e->c, bad);
    default:
        a = value_of_expr(e->a, bad);
        b = value_of_expr(e->b, bad);
        *bad |= cc_binary_value((enum cc_op)e->op, e->a->type, a, b, &out) != CC_UB_NONE;
        return out;
    }
}

static const struct cc_type *draw_type(void)
{
    static const int bits[] = {8, 16, 32, 64};
    return cc_int_type(&program.types, bits[choose(&choice, 4)], choose_flip(&choice, 0.5));
}

static cc_wide draw_within(cc_wide low, cc_wide high)
{
    cc_uwide n = (cc_uwide)(high - low) + 1;
    switch (choose(&choice, 4)) {
    case 0:
        return low;
    case 1:
        return high;
    default:
        return low + (cc_wide)(((cc_uwide)choose_bits(&choice, 64) << 3) % n);
    }
}

/* A variable of some type and a part of what it can hold. */
static struct ranged draw_leaf(size_t i)
{
    const struct cc_type *t = draw_type();
    struct cc_var *v = cc_local(&program, "v", t, NULL);
    cc_wide a = draw_within(cc_int_min(t), (cc_wide)cc_int_max(t));
    cc_wide b = choose_flip(&choice, 0.5) ? draw_within(cc_int_min(t), (cc_wide)cc_int_max(t))
                                          : cc_wrap(t, a + (cc_wide)choose(&choice, 9));
    leaves[i] = (struct leaf){a < b ? a : b, a < b ? b : a, 0};
    v->mark = (uint32_t)i;
    return (struct ranged){cc_use(&program, v), leaves[i].low, leaves[i].high};
}

/* Expressions of up to five operations, each run with values of all kinds. */
static void test_random(void)
{
    uint64_t n = (uint64_t)tap_amount(20000, 400000), outside = 0, undefined = 0, narrow = 0;
    for (uint64_t i = 0; i < n; i++) {
        struct ranged leaf[3];
        for (size_t k = 0; k < 3; k++)
            leaf[k] = draw_leaf(k);
        struct ranged r =
            ranged_op(&s, (enum cc_op)(CC_ADD + (int)choose(&choice, 3)), leaf[0], leaf[1]);
        if (choose_flip(&choice, 0.5))
            r = ranged_op(&s, (enum cc_op)(CC_AND + (int)choose(&choice, 9)), r, leaf[2]);
        if (choose_flip(&choice, 0.5))
            r = ranged_with(&s, (enum cc_op)(CC_DIV + (int)choose(&choice, 4)), r,
                            2 + (int64_t)choose(&choice, 14));
        if (choose_flip(&choice, 0.3))
            r = ranged_cast(&s, draw_type(), r);
        if (choose_flip(&choice, 0.3))
            r = ranged_cond(&s, ranged_with(&s, CC_LT, r, 5).e, r, leaf[1]);
        narrow += r.low > cc_int_min(r.e->type) || r.high < (cc_wide)cc_int_max(r.e->type);
        for (int k = 0; k < 4; k++) {
            bool bad = false;
            for (size_t l = 0; l < 3; l++)
                leaves[l].now = draw_within(leaves[l].low, leaves[l].high);
            cc_wide v = value_of_expr(r.e, &bad).i;
            undefined += bad;
            outside += v < r.low || v > r.high;
        }
    }
    is_int(undefined, 0, "no operation is undefined for any values within the ranges");
    is_int(outside, 0, "no value is outside of the range of its expression");
    ok(narrow > n / 4, "ranges are narrower than types where they can be");
}

static void test_forms(void)
{
    const struct cc_type *t = cc_basic(&program.types, CC_INT);
    struct cc_var *v = cc_local(&program, "v", t, NULL);
    struct ranged i = {cc_use(&program, v), 0, 9};
    struct ranged r = ranged_with(&s, CC_ADD, ranged_with(&s, CC_MUL, i, 3), 2);
    ok(r.low == 2 && r.high == 29 && r.e->type == t, "3 * i + 2 is an int from 2 to 29");
    r = ranged_op(&s, CC_SUB, ranged_number(&s, 9), i);
    ok(r.low == 0 && r.high == 9, "9 - i is from 0 to 9");
    r = ranged_with(&s, CC_AND, ranged_of(cc_use(&program, v)), 15);
    ok(r.low == 0 && r.high == 15, "any int & 15 is from 0 to 15");
    r = ranged_with(&s, CC_REM, ranged_of(cc_use(&program, v)), 7);
    ok(r.low == -6 && r.high == 6, "any int %% 7 is from -6 to 6");
    r = ranged_with(&s, CC_ADD, ranged_of(cc_use(&program, v)), 1);
    ok(!r.e->type->is_signed, "any int + 1 is done unsigned: it could overflow");
}

int main(void)
{
    arena_init(&arena);
    cc_program_init(&program, &arena, &cc_lp64);
    choice_init_random(&choice, 1);
    s = (struct smith){.p = &program, .c = &choice, .arena = &arena};
    s.at.times = 1;
    test_forms();
    test_random();
    cc_program_release(&program);
    choice_release(&choice);
    arena_release(&arena);
    return tap_done();
}
