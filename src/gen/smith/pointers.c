/* Pointers that are stepped within an array: the facts about them are those of the array, and where
 * they are in it is known here.
 *
 * A pointer of these belongs to its idiom or nest alone. It only ever gets values in a range of the
 * array, the end included, and is used for an access only below it. */
#include "gen/smith/idioms.h"

#include "base/error.h"

enum { MOST_WALKED = 64, TRIES = 8 };

/* -- arrays and pointers ---------------------------------------------------------------------- */

static bool fits(const struct cc_var *v, int64_t least, bool store)
{
    const struct cc_type *t = v->type->kind == CC_ARRAY ? v->type->to : NULL;
    return t && cc_is_integer(t) && !t->has_volatile && !(store && t->has_const) && t->bits <= 64 &&
           t->kind != CC_ENUM && t->kind != CC_BOOL && t->kind != CC_CHAR &&
           v->type->length >= least;
}

static struct cc_var *draw_array(struct smith *s, int64_t least, bool store)
{
    for (int i = 0; i < TRIES; i++) {
        struct cc_var *v = pick_variable(s);
        if (fits(v, least, store) && (v->global || may(s, SMITH_ADDRESS_OF_LOCALS)))
            return v;
    }
    int64_t most = s->k.limit[SMITH_ARRAY_LENGTH];
    uint32_t n = (uint32_t)(least > most ? least : between(s, least, most));
    return new_variable(s, cc_array_of(&s->p->types, nest_type(s), n), true);
}

/* &a[i], or a where that is the same. */
static struct cc_expr *address(struct smith *s, struct cc_var *a, struct ranged at)
{
    spend(s, 2);
    return cc_addr(s->p, cc_index(s->p, cc_use(s->p, a), at.e));
}

static const struct cc_type *pointer_into(struct smith *s, const struct cc_var *a, bool store)
{
    const struct cc_type *t = a->type->to;
    if (!store && may(s, SMITH_CONSTS) && percent(s, 40))
        t = cc_qualified(&s->p->types, t, CC_CONST);
    return cc_pointer_to(&s->p->types, t);
}

/* A pointer of the innermost block. */
static struct cc_var *pointer(struct smith *s, const struct cc_type *t, struct cc_expr *init)
{
    struct smith_scope *scope = &s->at.scopes.at[s->at.scopes.n - 1];
    struct cc_var *p = new_local_plain(s, t, cc_convert(s->p, t, init));
    scope->vars.n--; /* found by nobody else */
    return p;
}

static struct cc_expr *step(struct smith *s, struct cc_var *p, bool postfix)
{
    return cc_incdec(s->p, CC_ADD, postfix, cc_use(s->p, p));
}

/* -- idioms ----------------------------------------------------------------------------------- */

/* What is done with an element: it goes into r, or gets another value. */
static void visit(struct smith *s, struct cc_stmt *body, struct cc_expr *element, struct cc_var *r,
                  bool store)
{
    if (store) {
        struct ranged v = ranged_op(s, percent(s, 50) ? CC_ADD : CC_XOR, idiom_read(s, r),
                                    ranged_number(s, between(s, 0, 99)));
        cc_append(body, cc_expr_stmt(s->p, cc_assign(s->p, CC_NONE, element, v.e)));
    } else {
        idiom_add(s, body, r, percent(s, 70) ? CC_ADD : CC_XOR,
                  ranged_cast(s, r->type, ranged_of(element)));
    }
}

/* for (p = a; p < end; p++) */
struct ranged idiom_pointer_loop(struct smith *s)
{
    bool store = percent(s, 40), inside = may(s, SMITH_EMBEDDED_ASSIGNS) && percent(s, 40);
    struct cc_var *a = draw_array(s, 2, store);
    int64_t n = a->type->length, by = !inside && percent(s, 25) ? 2 : 1;
    const struct cc_type *t = pointer_into(s, a, store);
    struct cc_var *r = idiom_operand(s, cc_int_type(&s->p->types, 32, false));
    struct cc_var *p = pointer(s, t, address(s, a, ranged_number(s, 0)));
    int64_t most = by == 1 ? n : n - 1; /* the last step does not go beyond the end */
    struct ranged length = ranged_number(s, between(s, 1, most));
    if (percent(s, 40)) /* not known to the compiler */
        length = ranged_with(s, CC_REM, ranged_unsigned(s, idiom_read(s, r)), most + 1);
    struct cc_var *end =
        pointer(s, t, cc_binary(s->p, CC_ADD, cc_use(s->p, a), ranged_number(s, 0).e));
    nest_emit(s,
              cc_assign(s->p, CC_NONE, cc_use(s->p, end),
                        cc_convert(s->p, t, cc_binary(s->p, CC_ADD, cc_use(s->p, a), length.e))));
    struct cc_stmt *body = idiom_block(s);
    visit(s, body, cc_deref(s->p, inside ? step(s, p, true) : cc_use(s->p, p)), r, store);
    enum cc_op until = by == 1 && percent(s, 50) ? CC_NE : CC_LT;
    struct cc_expr *advance =
        inside    ? NULL
        : by == 1 ? step(s, p, percent(s, 50))
                  : cc_assign(s->p, CC_ADD, cc_use(s->p, p), ranged_number(s, by).e);
    struct cc_expr *first = cc_convert(s->p, t, address(s, a, ranged_number(s, 0)));
    cc_append(innermost_block(s),
              cc_for(s->p, cc_assign(s->p, CC_NONE, cc_use(s->p, p), first),
                     cc_binary(s->p, until, cc_use(s->p, p), cc_use(s->p, end)), advance, body));
    s->at.room -= n * 16 * s->at.times;
    if (percent(s, 50)) { /* how far it came: a difference of small size in any model */
        struct cc_expr *far = cc_binary(s->p, CC_SUB, cc_use(s->p, p), cc_use(s->p, a));
        return ranged_op(s, CC_XOR, idiom_read(s, r),
                         ranged_of(cc_cast(s->p, cc_basic(&s->p->types, CC_INT), far)));
    }
    return idiom_read(s, r);
}

/* p = &a[i]; p[1], *(p - 1), p == &a[2], p - a */
struct ranged idiom_pointer_offset(struct smith *s)
{
    struct cc_var *a = draw_array(s, 4, true);
    int64_t n = a->type->length, low = between(s, 0, 2), high = between(s, low, n - 2);
    const struct cc_type *t = pointer_into(s, a, true);
    struct cc_var *x = idiom_operand(s, cc_int_type(&s->p->types, 32, false));
    struct cc_var *p = pointer(s, t, address(s, a, ranged_number(s, low)));
    struct ranged at = ranged_with(s, CC_REM, idiom_read(s, x), high - low + 1);
    at = low ? ranged_with(s, CC_ADD, at, low) : at;
    REQUIRE(ranged_in(at, low, high));
    nest_emit(s, cc_assign(s->p, CC_NONE, cc_use(s->p, p),
                           percent(s, 50) ? address(s, a, at)
                                          : cc_binary(s->p, CC_ADD, cc_use(s->p, a), at.e)));
    struct ranged r = {0};
    for (int i = (int)between(s, 2, 4); i > 0; i--) { /* anywhere that is inside for all p */
        int64_t by = between(s, -low, n - 1 - high);
        struct cc_expr *to = cc_binary(s->p, by < 0 ? CC_SUB : CC_ADD, cc_use(s->p, p),
                                       ranged_number(s, by < 0 ? -by : by).e);
        struct ranged e = ranged_of(percent(s, 50) && by >= 0
                                        ? cc_index(s->p, cc_use(s->p, p), ranged_number(s, by).e)
                                        : cc_deref(s->p, to));
        spend(s, 3);
        if (percent(s, 35))
            nest_emit(s, cc_assign(s->p, CC_NONE, e.e, idiom_read(s, x).e));
        else
            r = r.e ? ranged_op(s, CC_ADD, r, e) : e;
    }
    struct cc_expr *other = address(s, a, ranged_number(s, between(s, 0, n - 1)));
    static const enum cc_op ops[] = {CC_EQ, CC_NE, CC_LT, CC_GE};
    struct ranged c = {cc_binary(s->p, ops[pick(s, 4)], cc_use(s->p, p), other), 0, 1};
    return r.e && percent(s, 70) ? ranged_op(s, CC_XOR, r, c) : c;
}

/* -- in nests --------------------------------------------------------------------------------- */

/* A pointer that steps with each iteration of all loops: *p++ = ..., ... = *p++, *--p = ... */
void kernel_walk(struct smith *s, struct nest *n)
{
    int64_t by = percent(s, 75) ? 1 : 2, need = n->trips * by;
    int loop = n->at - 1;
    if (!may(s, SMITH_POINTER_ARITHMETIC) || !may(s, SMITH_POINTERS) ||
        !may(s, SMITH_EMBEDDED_ASSIGNS) || need > MOST_WALKED)
        return;
    int64_t slack = need - 1 - n->loops[loop].high;
    bool store = percent(s, 60), down = by == 1 && percent(s, 25);
    struct cc_var *a = nest_array(s, n, &loop, 1, slack > 0 ? slack : 0, true);
    if (!a->global && !may(s, SMITH_ADDRESS_OF_LOCALS))
        return;
    const struct cc_type *t = cc_pointer_to(&s->p->types, a->type->to->plain);
    struct cc_expr *first = down
                                ? cc_binary(s->p, CC_ADD, cc_use(s->p, a), ranged_number(s, need).e)
                                : address(s, a, ranged_number(s, 0));
    struct cc_var *p = nest_variable(s, n, t, first);
    struct cc_expr *now = down ? cc_incdec(s->p, CC_SUB, false, cc_use(s->p, p))
                          : by == 1 && percent(s, 60) ? step(s, p, true)
                                                      : cc_use(s->p, p);
    bool stepped = now->kind == CC_E_INCDEC;
    struct ranged e = ranged_of(cc_deref(s->p, now));
    spend(s, 3);
    if (store)
        nest_emit(s, cc_assign(s->p, CC_NONE, e.e, kernel_value(s, n).e));
    else
        kernel_keep(s, n, e);
    if (!stepped)
        nest_emit(s, cc_assign(s->p, CC_ADD, cc_use(s->p, p), ranged_number(s, by).e));
}
