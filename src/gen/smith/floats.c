/* Floats as machines have them, in programs that ask for them (--ieee-floats).
 *
 * Other programs' floats are exact (exprs.c). Here results are rounded, overflow to infinities and
 * become subnormal, zeros have signs, and there are NaNs. There is one result all the same: every
 * operation is rounded correctly (IEEE 754, C11 F.3), to nearest, in its own type (FLT_EVAL_METHOD
 * 0), in the order of the text, and none is fused with another. So the program is for compilers and
 * flags that do so: its text says it (cc_program.ieee_floats), and who does not is not given it
 * (testbed/extensions.h).
 *
 * What is still open is not looked at: sign and payload of a NaN (the checksum takes all NaNs for
 * one, signs are asked of numbers only), the sign of a zero that fmin returns (0.0 is added), the
 * number that stands for true. A conversion to an integer that does not fit (6.3.1.4p1) is wrapped.
 *
 * What optimisers may not do here is a table, `foldings`: laws of real numbers that floats do not
 * obey. */
#include "gen/smith/smith_internal.h"
#include "cc/builtin.h"

#include <float.h>
#include <math.h>

static const struct cc_type *basic(struct smith *s, enum cc_kind kind)
{
    return cc_basic(&s->p->types, kind);
}

static const struct cc_type *draw_float(struct smith *s)
{
    return basic(s, percent(s, 40) ? CC_FLOAT : CC_DOUBLE);
}

void ieee_draw(struct smith *s)
{
    double standard = smith_feature_standard(SMITH_IEEE_FLOATS);
    /* compilers of C++ are not asked whether they do it: there it has to be asked for */
    bool open = s->k.language == CC_C11 || s->k.feature[SMITH_IEEE_FLOATS] != standard;
    s->p->ieee_floats = open && may(s, SMITH_FLOATS) && wants(s, SMITH_IEEE_FLOATS);
    if (s->p->ieee_floats && s->k.feature[SMITH_FLOATS] == smith_feature_standard(SMITH_FLOATS))
        s->k.feature[SMITH_FLOATS] = (double)between(s, 10, 45) / 100;
}

/* -- numbers ---------------------------------------------------------------------------------- */

static double any_bits(struct smith *s, bool single)
{
    uint64_t bits = choose_bits(s->c, 64);
    uint32_t low = (uint32_t)bits;
    double d;
    float f;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &low, sizeof f);
    d = single ? (double)f : d;
    return isfinite(d) ? d : 1;
}

static double edge(struct smith *s, bool single)
{
    const double list[] = {
        0,
        1,
        single ? 0x1p-149 : 0x1p-1074,              /* the least */
        single ? (double)FLT_MIN : DBL_MIN,         /* the least with all digits */
        single ? (double)FLT_MAX : DBL_MAX,         /* the greatest */
        single ? (double)FLT_EPSILON : DBL_EPSILON, /* from 1 to the next */
        0x1p24,                                     /* from here on float has no odd numbers */
        0x1p53,                                     /* and double */
        0x1p31,                                     /* the first that int32_t does not have */
        0x1p32,
        0x1p63,
        0x1p64,
        (double)INFINITY,
        (double)NAN,
    };
    double v = list[pick(s, sizeof list / sizeof *list)];
    return percent(s, 40) ? -v : v;
}

double ieee_number(struct smith *s, const struct cc_type *t)
{
    static const unsigned kinds[] = {40, 25, 20, 10, 5};
    bool single = t->kind == CC_FLOAT;
    double v;
    switch (choose_weighted(s->c, kinds, 5)) {
    case 0:
        v = (double)between(s, -20, 40);
        break;
    case 1: /* no finite binary fraction has it */
        v = (double)between(s, -3000, 3000) / 10;
        break;
    case 2: /* all digits, of moderate size */
        v = ldexp((double)choose_bits(s->c, 53) - 0x1p52, (int)between(s, -70, -40));
        break;
    case 3:
        v = edge(s, single);
        break;
    default:
        v = any_bits(s, single);
    }
    v = single ? (double)(float)v : v;
    return isnan(v) ? (double)NAN : v; /* of no sign, to be the same wherever it comes from */
}

static struct cc_expr *number(struct smith *s, const struct cc_type *t, double v)
{
    spend(s, 1);
    return cc_float(s->p, t, v, percent(s, 15) ? CC_HEX : CC_DECIMAL);
}

/* -- leaves ----------------------------------------------------------------------------------- */

static bool plain_float(const struct cc_var *v)
{
    return cc_is_float(v->type) && !(v->type->quals & CC_VOLATILE);
}

/* A variable that may be read more than once; there is always one. */
static struct cc_var *float_variable(struct smith *s)
{
    for (int i = 0; i < 12; i++) {
        struct cc_var *v = pick_variable(s);
        if (plain_float(v))
            return v;
    }
    return new_variable(s, draw_float(s), percent(s, 35));
}

/* Its value, now; a number where it may not be read here (6.5p2). */
static struct cc_expr *use(struct smith *s, struct cc_var *v)
{
    struct cc_expr *e = cc_use(s->p, v);
    spend(s, 1);
    uint32_t place = gtav_place(&s->g, e);
    if (!s->g.bad)
        gtav_read(&s->g, place, e);
    if (!s->g.bad)
        return e;
    s->g.bad = false;
    s->n_rejected++;
    return number(s, v->type->plain, 1);
}

/* Some value that is no NaN: the lesser of anything and a positive number is one (F.10.9.3). */
static struct cc_expr *a_number(struct smith *s)
{
    static const double positive[] = {1, 0x1p-1074, 3.5, 0x1p1000};
    bool negative = percent(s, 50);
    double v = positive[pick(s, sizeof positive / sizeof *positive)];
    struct cc_expr *args[2] = {use(s, float_variable(s)),
                               number(s, basic(s, CC_DOUBLE), negative ? -v : v)};
    spend(s, 2);
    return cc_builtin(s->p, negative ? CC_BUILTIN_FMAX : CC_BUILTIN_FMIN, args, 2);
}

static struct cc_expr *of_integer(struct smith *s)
{
    struct cc_expr *e = integer(s);
    spend(s, 1);
    if (e->type->bits > 64)
        e = cc_cast(s->p, cc_int_type(&s->p->types, 64, e->type->is_signed), e);
    return cc_cast(s->p, draw_float(s), e);
}

static struct cc_expr *leaf(struct smith *s)
{
    uint32_t place, set;
    struct cc_expr *e = percent(s, 70) ? readable(s, WANT_FLOAT, NULL, &place, &set) : NULL;
    if (e)
        return e;
    if (percent(s, 40))
        return of_integer(s);
    const struct cc_type *t = draw_float(s);
    return number(s, t, ieee_number(s, t));
}

/* -- laws that do not hold -------------------------------------------------------------------- */

/* In reverse Polish. x and y: a variable each, read anew each time; c and k: any number each;
 * 0 o 1 2 3 h t: 0.0, -0.0, 1, 2, 3, 0.5, 0.1; + - * / of two; n - a s r: negated, fabs, sqrt,
 * rint; f d i: to float, to double, to int and back. */
static const char *const foldings[] = {
    /* nothing is added, and yet a sign may change; x - x may be no number */
    "x0+", "x0-", "0x-", "xo+", "ox-", "xx-", "xx/", "x0*", "x1*", "x1n*", "x1/", "xnn", "xxn+",
    /* what is taken back is not what was there */
    "xy+y-", "xy-y+", "xy*y/", "xy/y*", "xx+x-", "xc+c-", "xc*c/", "x2*2/", "xy+x-",
    /* numbers that do not come together */
    "xc+k+", "xc*k*", "xc/k/", "xc*k/", "cx-k+", "xc-k-", "xc+k*", "x2*2*", "x2/2/", "x2*h*",
    /* reciprocals that are exact, and those that are not */
    "x2/", "x3/", "x1y//", "1x/", "11x//", "xt*", "xtt//", "xy/1*", "cx/",
    /* factors, sums in another order, signs that move */
    "xy*xc*+", "xc*yc*-", "xy*c*", "xcy**", "xy+c+", "xyc++", "xy-n", "yx-", "xny*", "xy*n", "xyn/",
    "xny-", "xn0+", "xc/yc/+",
    /* what is fused where that is allowed */
    "xy*c+", "xy*c-", "cxy*-", "xy*ny-", "xx*yy*-", "xy*xy*-", "xfyf*cf+", "xy*n0+", "xc*xc*-",
    /* roots and magnitudes */
    "xas", "xxs*", "xxsxs*-", "xx*s", "xaxa*s", "xana", "xxa*a", "xna", "xsxs*", "xasyas*", "xx*a",
    /* narrow operations in a wide type, and wide ones in a narrow type */
    "xfdyfd*f", "xfdyfd+f", "xfdyfd/f", "xfds", "xfdasf", "xfd", "xdfy+", "xyf+d", "xfc+f", "xy/f",
    /* whole numbers */
    "xi", "xr", "xrx-", "xix-", "xiyi/", "xih+i", "xrr", "xai", "xhi*"};

static struct cc_expr *to_int_and_back(struct smith *s, struct cc_expr *e)
{
    bool wide = may(s, SMITH_INT64) && percent(s, 50);
    const struct cc_type *t = e->type->plain;
    e = cc_cast(s->p, cc_int_type(&s->p->types, wide ? 64 : 32, percent(s, 70)), e);
    cc_make_safe(e);
    return cc_cast(s->p, t, e);
}

static struct cc_expr *one_argument(struct smith *s, int wide, int single, struct cc_expr *e)
{
    return cc_builtin(s->p, single >= 0 && e->type->kind == CC_FLOAT ? single : wide, &e, 1);
}

/* An operation on the innermost of the stack. */
static struct cc_expr *changed(struct smith *s, char op, struct cc_expr *e)
{
    switch (op) {
    case 'n':
        return cc_unary(s->p, CC_MINUS, e);
    case 'a':
        return one_argument(s, CC_BUILTIN_FABS, CC_BUILTIN_FABSF, e);
    case 's':
        return one_argument(s, CC_BUILTIN_SQRT, CC_BUILTIN_SQRTF, e);
    case 'r':
        return one_argument(s, CC_BUILTIN_RINT, -1, e);
    case 'i':
        return to_int_and_back(s, e);
    default:
        return cc_cast(s->p, basic(s, op == 'f' ? CC_FLOAT : CC_DOUBLE), e);
    }
}

static struct cc_expr *folding(struct smith *s)
{
    static const char numbers[] = "0o123ht";
    static const double value_of_number[] = {0, -0.0, 1, 2, 3, 0.5, 0.1};
    static const enum cc_op operators[] = {CC_ADD, CC_SUB, CC_MUL, CC_DIV};
    const char *law = foldings[pick(s, sizeof foldings / sizeof *foldings)];
    struct cc_var *x = float_variable(s), *y = float_variable(s);
    const struct cc_type *t = x->type->plain;
    double c = ieee_number(s, t), k = ieee_number(s, t);
    struct cc_expr *stack[8];
    int n = 0;
    for (; *law; law++) {
        const char *known = strchr(numbers, *law), *op = strchr("+-*/", *law);
        spend(s, 1);
        if (op) {
            n--;
            stack[n - 1] = cc_binary(s->p, operators[op - "+-*/"], stack[n - 1], stack[n]);
        } else if (known) {
            stack[n++] = cc_float(s->p, t, value_of_number[known - numbers], CC_DECIMAL);
        } else if (*law == 'x' || *law == 'y') {
            stack[n++] = use(s, *law == 'x' ? x : y);
        } else if (*law == 'c' || *law == 'k') {
            stack[n++] = number(s, t, *law == 'c' ? c : k);
        } else {
            stack[n - 1] = changed(s, *law, stack[n - 1]);
        }
        REQUIRE(n > 0 && n < 8);
    }
    REQUIRE(n == 1);
    return stack[0];
}

/* -- values ----------------------------------------------------------------------------------- */

/* The next of several operands without order, the first of which was made from `start` on. */
static struct cc_expr *another(struct smith *s, uint32_t start)
{
    gtav_push(&s->g, start);
    struct cc_expr *e = ieee_value(s);
    gtav_pop(&s->g);
    return e;
}

static enum cc_op draw_arithmetic(struct smith *s)
{
    static const enum cc_op ops[] = {CC_ADD, CC_SUB, CC_MUL, CC_DIV};
    static const unsigned weights[] = {30, 25, 28, 17};
    enum cc_op op = ops[choose_weighted(s->c, weights, 4)];
    if ((op == CC_MUL && !may(s, SMITH_MULTIPLICATION)) ||
        (op == CC_DIV && !may(s, SMITH_DIVISION)))
        op = CC_SUB;
    return op;
}

static struct cc_expr *arithmetic(struct smith *s)
{
    uint32_t start = gtav_operand(&s->g);
    enum cc_op op = draw_arithmetic(s);
    struct cc_expr *a = ieee_value(s);
    /* now and then an integer is the other: it is converted (6.3.1.8) */
    if (percent(s, 10)) {
        gtav_push(&s->g, start);
        struct cc_expr *b = integer(s);
        gtav_pop(&s->g);
        if (b->type->bits <= 64)
            return cc_binary(s->p, op, a, b);
    }
    return cc_binary(s->p, op, a, another(s, start));
}

static struct cc_expr *fused(struct smith *s)
{
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *args[3];
    args[0] = ieee_value(s);
    args[1] = another(s, start);
    args[2] = another(s, start);
    return cc_builtin(s->p, percent(s, 35) ? CC_BUILTIN_FMAF : CC_BUILTIN_FMA, args, 3);
}

/* sqrt, mostly of what has one. */
static struct cc_expr *root(struct smith *s)
{
    struct cc_expr *e = ieee_value(s);
    if (percent(s, 75))
        e = one_argument(s, CC_BUILTIN_FABS, CC_BUILTIN_FABSF, e);
    return one_argument(s, CC_BUILTIN_SQRT, CC_BUILTIN_SQRTF, e);
}

static struct cc_expr *function(struct smith *s)
{
    static const int one[] = {CC_BUILTIN_FABS,  CC_BUILTIN_FLOOR, CC_BUILTIN_CEIL,
                              CC_BUILTIN_TRUNC, CC_BUILTIN_RINT,  CC_BUILTIN_ROUND};
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *args[2] = {ieee_value(s)};
    uint32_t form = pick(s, 4);
    if (form < 2)
        return cc_builtin(s->p, one[pick(s, sizeof one / sizeof *one)], args, 1);
    if (form == 2) {
        gtav_push(&s->g, start);
        args[1] = a_number(s);
        gtav_pop(&s->g);
        bool single = args[0]->type->kind == CC_FLOAT && args[1]->type->kind == CC_FLOAT;
        return cc_builtin(s->p, single ? CC_BUILTIN_COPYSIGNF : CC_BUILTIN_COPYSIGN, args, 2);
    }
    args[1] = another(s, start);
    struct cc_expr *e =
        cc_builtin(s->p, percent(s, 50) ? CC_BUILTIN_FMIN : CC_BUILTIN_FMAX, args, 2);
    return cc_binary(s->p, CC_ADD, e, cc_float(s->p, basic(s, CC_DOUBLE), 0, CC_DECIMAL));
}

/* The lesser or the greater of two, as machines have it in one instruction: which of them it is for
 * NaNs and zeros tells x < y ? x : y from y > x ? x : y. */
static struct cc_expr *extreme(struct smith *s)
{
    if (!may(s, SMITH_CONDITIONAL))
        return arithmetic(s);
    struct cc_var *x = float_variable(s), *y = float_variable(s);
    enum cc_op op = (enum cc_op)(CC_LT + (int)pick(s, 4));
    struct cc_expr *test = cc_binary(s->p, op, use(s, x), use(s, y));
    if (percent(s, 25))
        test = cc_unary(s->p, CC_NOT, test);
    spend(s, 2);
    return percent(s, 50) ? cc_cond(s->p, test, use(s, x), use(s, y))
                          : cc_cond(s->p, test, use(s, y), use(s, x));
}

static struct cc_expr *chosen(struct smith *s)
{
    if (!may(s, SMITH_CONDITIONAL))
        return arithmetic(s);
    return one_of_two(s, percent(s, 50) ? ieee_question(s) : condition(s), ieee_value);
}

static struct cc_expr *called(struct smith *s)
{
    uint32_t set;
    struct cc_expr *e = s->at.simple ? NULL : call(s, draw_float(s), &set);
    return e ? e : leaf(s);
}

static struct cc_expr *negated(struct smith *s)
{
    return cc_unary(s->p, CC_MINUS, ieee_value(s));
}

static struct cc_expr *converted(struct smith *s)
{
    struct cc_expr *e = ieee_value(s);
    return cc_cast(s->p, draw_float(s), e);
}

#define VALUE_TABLE(X)                                                                             \
    X(28, leaf)                                                                                    \
    X(40, arithmetic)                                                                              \
    X(4, negated)                                                                                  \
    X(5, root)                                                                                     \
    X(6, fused)                                                                                    \
    X(7, function)                                                                                 \
    X(6, extreme)                                                                                  \
    X(4, chosen)                                                                                   \
    X(5, converted)                                                                                \
    X(14, folding)                                                                                 \
    X(4, called)

static struct cc_expr *one_value(struct smith *s)
{
#define X(weight, maker) weight,
    static const unsigned weights[] = {VALUE_TABLE(X)};
#undef X
#define X(weight, maker) maker,
    static struct cc_expr *(*const makers[])(struct smith * s) = {VALUE_TABLE(X)};
#undef X
    if (too_deep(s))
        return leaf(s);
    spend(s, 2);
    return makers[choose_weighted(s->c, weights, sizeof weights / sizeof *weights)](s);
}

struct cc_expr *ieee_value(struct smith *s)
{
    s->at.expr_depth++;
    struct cc_expr *e = one_value(s);
    s->at.expr_depth--;
    return e;
}

/* -- integers out of floats ------------------------------------------------------------------- */

struct cc_expr *ieee_question(struct smith *s)
{
    static const int kinds[] = {CC_BUILTIN_ISNAN, CC_BUILTIN_ISINF, CC_BUILTIN_ISFINITE,
                                CC_BUILTIN_ISNORMAL};
    static const int orders[] = {CC_BUILTIN_ISUNORDERED,    CC_BUILTIN_ISLESS,
                                 CC_BUILTIN_ISLESSEQUAL,    CC_BUILTIN_ISGREATER,
                                 CC_BUILTIN_ISGREATEREQUAL, CC_BUILTIN_ISLESSGREATER};
    enum { COMPARE, ORDER, KIND, SIGN };
    static const unsigned weights[] = {60, 14, 14, 6};
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *args[2], *none = cc_int(s->p, basic(s, CC_INT), 0, CC_DECIMAL);
    size_t form = choose_weighted(s->c, weights, 4);
    spend(s, 2);
    args[0] = form == SIGN ? a_number(s) : ieee_value(s);
    switch (form) {
    case COMPARE:
        args[1] = another(s, start);
        return cc_binary(s->p, (enum cc_op)(CC_LT + (int)pick(s, 6)), args[0], args[1]);
    case ORDER:
        args[1] = another(s, start);
        return cc_builtin(s->p, orders[pick(s, sizeof orders / sizeof *orders)], args, 2);
    case KIND:
        return cc_binary(s->p, CC_NE,
                         cc_builtin(s->p, kinds[pick(s, sizeof kinds / sizeof *kinds)], args, 1),
                         none);
    default:
        return cc_binary(s->p, CC_NE, cc_builtin(s->p, CC_BUILTIN_SIGNBIT, args, 1), none);
    }
}

struct cc_expr *ieee_integer(struct smith *s)
{
    const struct cc_type *t = s->ints.at[pick(s, s->ints.n)];
    if (may(s, SMITH_BOOL) && percent(s, 4))
        t = basic(s, CC_BOOL); /* of a NaN it is true (6.3.1.2) */
    struct cc_expr *e = cc_cast(s->p, t, ieee_value(s));
    spend(s, 1);
    cc_make_safe(e);
    return e;
}

/* -- statements ------------------------------------------------------------------------------- */

/* An element of an array of floats, where a loop counts, or any float. */
static struct cc_expr *element(struct smith *s)
{
    uint32_t place, set;
    bool aiming = s->aiming;
    s->aiming = s->aiming_floats = true;
    struct cc_expr *e = readable(s, WANT_FLOAT, NULL, &place, &set);
    s->aiming = aiming;
    s->aiming_floats = false;
    return e ? e : leaf(s);
}

/* What a loop takes from arrays: an element, or something of two. */
static struct cc_expr *of_elements(struct smith *s)
{
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *a = element(s);
    spend(s, 2);
    if (percent(s, 35))
        return a;
    gtav_push(&s->g, start);
    struct cc_expr *b = percent(s, 70) ? element(s) : leaf(s);
    gtav_pop(&s->g);
    return cc_binary(s->p, draw_arithmetic(s), a, b);
}

/* `to op= value`, or `to = value` for CC_NONE; `to` was made since `start`. */
static struct cc_expr *stored(struct smith *s, struct cc_expr *to, uint32_t place, enum cc_op op,
                              struct cc_expr *value, uint32_t start)
{
    gtav_store(&s->g, place, to->type, 0, 0, start);
    if (s->g.bad) {
        s->g.bad = false;
        s->n_rejected++;
        return value;
    }
    return cc_assign(s->p, op, to, value);
}

/* A sum, product or difference over what a loop goes through, in its order: nobody may take it
 * apart. */
static struct cc_expr *reduction(struct smith *s)
{
    uint32_t start = gtav_operand(&s->g);
    struct cc_expr *value = of_elements(s);
    struct cc_var *v = float_variable(s);
    struct cc_expr *to = cc_use(s->p, v);
    if (v->type->quals & CC_CONST)
        return value;
    gtav_push(&s->g, start);
    uint32_t place = gtav_place(&s->g, to);
    if (!s->g.bad)
        gtav_read(&s->g, place, to);
    gtav_pop(&s->g);
    spend(s, 3);
    return stored(s, to, place, draw_arithmetic(s), value, start);
}

static struct cc_expr *element_stored(struct smith *s)
{
    uint32_t place, start = gtav_operand(&s->g);
    bool in_place = may(s, SMITH_COMPOUND_ASSIGNS) && percent(s, 30);
    enum cc_op op = in_place ? draw_arithmetic(s) : CC_NONE;
    struct cc_expr *value = percent(s, 60) ? of_elements(s) : ieee_value(s);
    bool aiming = s->aiming;
    s->aiming = s->aiming_floats = true;
    gtav_push(&s->g, start);
    struct cc_expr *to = writable(s, WANT_FLOAT, NULL, op != CC_NONE, &place);
    gtav_pop(&s->g);
    s->aiming = aiming;
    s->aiming_floats = false;
    spend(s, 2);
    return to ? stored(s, to, place, to->type->has_volatile ? CC_NONE : op, value, start) : value;
}

/* op= and ++ on any float. */
static struct cc_expr *compound(struct smith *s)
{
    uint32_t place, start = gtav_operand(&s->g);
    if (may(s, SMITH_INCREMENT) && percent(s, 12)) {
        struct cc_expr *to = writable(s, WANT_FLOAT, NULL, true, &place);
        if (!to)
            return NULL;
        gtav_store(&s->g, place, to->type, 0, 0, start);
        bool bad = s->g.bad;
        s->g.bad = false;
        return bad ? NULL : cc_incdec(s->p, percent(s, 50) ? CC_SUB : CC_ADD, percent(s, 50), to);
    }
    struct cc_expr *value = ieee_value(s);
    gtav_push(&s->g, start);
    struct cc_expr *to = writable(s, WANT_FLOAT, NULL, true, &place);
    gtav_pop(&s->g);
    if (!to)
        return value;
    enum cc_op op = draw_arithmetic(s);
    return stored(s, to, place, to->type->has_volatile ? CC_NONE : op, value, start);
}

struct cc_expr *ieee_assignment(struct smith *s)
{
    enum { COMPOUND, REDUCTION, ELEMENT, N };
    bool loop = s->at.ivs.n && may(s, SMITH_ARRAYS), in_place = may(s, SMITH_COMPOUND_ASSIGNS);
    const unsigned weights[N + 1] = {in_place ? 30 : 0, loop && in_place ? 50 : 0, loop ? 50 : 0,
                                     40};
    switch (choose_weighted(s->c, weights, N + 1)) {
    case COMPOUND:
        return compound(s);
    case REDUCTION:
        return reduction(s);
    case ELEMENT:
        return element_stored(s);
    default:
        return NULL;
    }
}

/* -- variables to begin with ------------------------------------------------------------------ */

void ieee_globals(struct smith *s)
{
    int64_t most = s->k.limit[SMITH_ARRAY_LENGTH] < s->k.limit[SMITH_ARRAY_TOTAL]
                       ? s->k.limit[SMITH_ARRAY_LENGTH]
                       : s->k.limit[SMITH_ARRAY_TOTAL];
    int64_t scalars = between(s, 2, 5), arrays = may(s, SMITH_ARRAYS) ? between(s, 1, 4) : 0;
    for (int64_t i = 0; i < scalars; i++)
        new_variable(s, draw_float(s), true);
    for (int64_t i = 0; i < arrays; i++) {
        uint32_t n = (uint32_t)between(s, most < 4 ? most : 4, most);
        new_variable(s, cc_array_of(&s->p->types, draw_float(s), n), true);
    }
}
