/* Table 1 of the YARPGen paper (Livinskii, Babokin, Regehr, "Random Testing for C and C++ Compilers
 * with YARPGen", section 3.2), with its gaps closed.
 *
 * A row is two words of two vocabularies: a condition and a replacement. Each word stands in one
 * X-macro together with what it means. Conditions and intervals are C: the same tokens are compiled
 * here and, as text, proved by Z3 (tests/slow/rewrites.py), so the two cannot drift apart.
 *
 * What is undefined: C11 6.5p5 (a signed result that does not fit), 6.5.5p5 and p6 (division),
 * 6.5.7p3 (shift count), 6.5.7p4 (left shift of a negative value, even by 0, or out of the type).
 * C++ before 20 allows a shift into the sign bit; C does not, and neither do we. */
#include "gen/yarp/rewrite.h"

#include "base/error.h"

/* -- values ----------------------------------------------------------------------------------- */

enum { MOST_BITS = 64 }; /* products and left shifts of these are exact in a cc_wide */

static cc_wide least_of(struct rewrite_operand x)
{
    return x.is_signed ? -((cc_wide)1 << (x.bits - 1)) : 0;
}

static cc_wide most_of(struct rewrite_operand x)
{
    return ((cc_wide)1 << (x.bits - x.is_signed)) - 1;
}

static cc_wide lesser(cc_wide x, cc_wide y)
{
    return x < y ? x : y;
}

/* How many bits a value takes that is not negative; 0 takes none. */
static int bits(cc_wide v)
{
    int n = 0;
    for (; v > 0; v >>= 1)
        n++;
    return n;
}

/* What the conditions and intervals below call by name. */
#define NAMES(x, y)                                                                                \
    const cc_wide a = (x).value, b = (y).value;                                                    \
    __attribute__((unused)) const cc_wide MIN = least_of(x), MAX = most_of(x), width = (x).bits;   \
    __attribute__((unused)) const cc_wide B_MIN = least_of(y), B_MAX = most_of(y)

/* -- conditions ------------------------------------------------------------------------------- */

/* Of shifts first what a is, then where the count is: below 0, within the width, beyond it. */
#define WHEN_TABLE(X)                                                                              \
    X(LEAST, a == MIN)                                                                             \
    X(SUM_LEAVES, a + b < MIN || a + b > MAX)                                                      \
    X(DIFFERENCE_LEAVES, a - b < MIN || a - b > MAX)                                               \
    X(PRODUCT_LEAVES, (a * b < MIN || a * b > MAX) && !(a == MIN && b == -1))                      \
    X(LEAST_BY_MINUS_ONE, a == MIN && b == -1)                                                     \
    X(BY_ZERO, b == 0)                                                                             \
    X(BY_LEAST, b == B_MIN)                                                                        \
    X(BELOW, B_MIN < b && b < 0)                                                                   \
    X(BEYOND, b >= width)                                                                          \
    X(POSITIVE_BELOW, a >= 0 && B_MIN < b && b < 0)                                                \
    X(POSITIVE_LEAVES, a >= 0 && 0 <= b && b < width && a << b > MAX)                              \
    X(POSITIVE_BEYOND, a >= 0 && b >= width)                                                       \
    X(NEGATIVE_BELOW, a < 0 && B_MIN < b && b < 0)                                                 \
    X(NEGATIVE_WITHIN, a < 0 && 0 <= b && b < width)                                               \
    X(NEGATIVE_BEYOND, a < 0 && b >= width)                                                        \
    X(MIDDLE_BELOW, MIN < a && a < 0 && B_MIN < b && b < 0)                                        \
    X(MIDDLE_WITHIN, MIN < a && a < 0 && 0 <= b && b < width)                                      \
    X(MIDDLE_BEYOND, MIN < a && a < 0 && b >= width)

enum when {
#define X(id, condition) WHEN_##id,
    WHEN_TABLE(X)
#undef X
        N_WHEN
};

static const char when_text[N_WHEN][72] = {
#define X(id, condition) #condition,
    WHEN_TABLE(X)
#undef X
};

static bool condition_holds(enum when when, struct rewrite_operand x, struct rewrite_operand y)
{
    NAMES(x, y);
    switch (when) {
#define X(id, condition)                                                                           \
    case WHEN_##id:                                                                                \
        return condition;
        WHEN_TABLE(X)
#undef X
    default:
        BUG("no condition %d", (int)when);
    }
}

/* -- replacements ----------------------------------------------------------------------------- */

enum left { LEFT_NONE, LEFT_A, LEFT_UNSIGNED /* (U)a */, LEFT_PLUS_MAX /* a + MAX */ };
enum right { RIGHT_NONE, RIGHT_B, RIGHT_UP /* b + c */, RIGHT_DOWN /* b - c */ };

/* id, text, operator (CC_NONE: the operand alone), left, right */
#define TO_PLAIN(X)                                                                                \
    X(A, "a", NONE, A, NONE)                                                                       \
    X(B, "b", NONE, NONE, B)                                                                       \
    X(PLUS_A, "+a", PLUS, A, NONE)                                                                 \
    X(SUM, "a + b", ADD, A, B)                                                                     \
    X(DIFFERENCE, "a - b", SUB, A, B)                                                              \
    X(PRODUCT, "a * b", MUL, A, B)                                                                 \
    X(QUOTIENT, "a / b", DIV, A, B)                                                                \
    X(SHL_UNSIGNED, "(T)((U)a << b)", SHL, UNSIGNED, B)                                            \
    X(SHR_PLUS_MAX, "(a + MAX) >> b", SHR, PLUS_MAX, B)

/* The same with a c, then the least and the greatest that it may be. It is a constant of the type
 * of b, hence B_MAX; b - c needs no such bound, since c is between 0 and b. */
#define TO_WITH_C(X)                                                                               \
    X(SHL_UP, "a << (b + c)", SHL, A, UP, -b, lesser(-b + width - 1, B_MAX))                       \
    X(SHL_UP_FIT, "a << (b + c)", SHL, A, UP, -b, lesser(-b + width - 1 - bits(a), B_MAX))         \
    X(SHL_UP_UNSIGNED, "(T)((U)a << (b + c))", SHL, UNSIGNED, UP, -b,                              \
      lesser(-b + width - 1, B_MAX))                                                               \
    X(SHL_DOWN, "a << (b - c)", SHL, A, DOWN, b - width + 1, b)                                    \
    X(SHL_DOWN_FIT, "a << (b - c)", SHL, A, DOWN, b - width + 1 + bits(a), b)                      \
    X(SHL_DOWN_UNSIGNED, "(T)((U)a << (b - c))", SHL, UNSIGNED, DOWN, b - width + 1, b)            \
    X(SHR_UP, "a >> (b + c)", SHR, A, UP, -b, lesser(-b + width - 1, B_MAX))                       \
    X(SHR_UP_PLUS_MAX, "(a + MAX) >> (b + c)", SHR, PLUS_MAX, UP, -b,                              \
      lesser(-b + width - 1, B_MAX))                                                               \
    X(SHR_DOWN, "a >> (b - c)", SHR, A, DOWN, b - width + 1, b)                                    \
    X(SHR_DOWN_PLUS_MAX, "(a + MAX) >> (b - c)", SHR, PLUS_MAX, DOWN, b - width + 1, b)

enum to {
#define X(id, ...) TO_##id,
    TO_PLAIN(X) TO_WITH_C(X)
#undef X
        N_TO
};

static const char to_text[N_TO][80] = {
#define X(id, text, op, left, right) text,
    TO_PLAIN(X)
#undef X
#define X(id, text, op, left, right, least, most) text ", c in [" #least ", " #most "]",
        TO_WITH_C(X)
#undef X
};

static const struct recipe {
    enum cc_op op;
    enum left left;
    enum right right;
} recipes[N_TO] = {
#define X(id, text, op, left, right, ...) {CC_##op, LEFT_##left, RIGHT_##right},
    TO_PLAIN(X) TO_WITH_C(X)
#undef X
};

bool rewrite_constants(const struct rewrite_row *row, struct rewrite_operand x,
                       struct rewrite_operand y, cc_wide *least, cc_wide *most)
{
    if (recipes[row->to].right != RIGHT_UP && recipes[row->to].right != RIGHT_DOWN)
        return false;
    NAMES(x, y);
    switch (row->to) {
#define X(id, text, op, left, right, lo, hi)                                                       \
    case TO_##id:                                                                                  \
        *least = lo;                                                                               \
        *most = hi;                                                                                \
        return true;
        TO_WITH_C(X)
#undef X
    default:
        BUG("no interval for %s", row->replacement);
    }
}

/* -- the table -------------------------------------------------------------------------------- */

#define ROW(op, a, b, when, to, by_compiler, ours)                                                 \
    {                                                                                              \
        CC_##op, REWRITE_##a, REWRITE_##b, WHEN_##when, TO_##to, by_compiler, ours,                \
            when_text[WHEN_##when], to_text[TO_##to]                                               \
    }
#define PAPER(op, a, b, when, to) ROW(op, a, b, when, to, false, false)
#define PAPER_BY_COMPILER(op, a, b, when, to) ROW(op, a, b, when, to, true, false)
#define OURS(op, a, b, when, to) ROW(op, a, b, when, to, false, true)
#define OURS_BY_COMPILER(op, a, b, when, to) ROW(op, a, b, when, to, true, true)

/* clang-format off */
const struct rewrite_row rewrite_table[] = {
    PAPER(MINUS, SIGNED, ANY, LEAST, PLUS_A),
    PAPER(ADD, SIGNED, SIGNED, SUM_LEAVES, DIFFERENCE),
    PAPER(SUB, SIGNED, SIGNED, DIFFERENCE_LEAVES, SUM),
    /* the paper leaves MIN * 2 out, by `a != MIN && b != -1` */
    OURS(MUL, SIGNED, SIGNED, PRODUCT_LEAVES, QUOTIENT),
    PAPER(MUL, SIGNED, SIGNED, LEAST_BY_MINUS_ONE, DIFFERENCE),
    PAPER(DIV, ANY, ANY, BY_ZERO, PRODUCT),
    PAPER(DIV, SIGNED, SIGNED, LEAST_BY_MINUS_ONE, DIFFERENCE),
    PAPER(REM, ANY, ANY, BY_ZERO, PRODUCT),
    PAPER(REM, SIGNED, SIGNED, LEAST_BY_MINUS_ONE, DIFFERENCE),
    /* its intervals for b + c hold the whole width, and what b's type does not */
    OURS(SHL, UNSIGNED, SIGNED, BELOW, SHL_UP),
    OURS(SHL, SIGNED, SIGNED, POSITIVE_BELOW, SHL_UP_FIT),
    PAPER(SHL, ANY, SIGNED, BY_LEAST, A),
    PAPER(SHL, UNSIGNED, ANY, BEYOND, SHL_DOWN),
    /* right in the paper, but for a negative a */
    OURS(SHL, SIGNED, ANY, POSITIVE_BEYOND, SHL_DOWN_FIT),
    /* not in the paper */
    OURS(SHL, SIGNED, ANY, POSITIVE_LEAVES, SHL_DOWN_FIT),
    OURS(SHL, SIGNED, SIGNED, NEGATIVE_BELOW, SHL_UP_UNSIGNED),
    OURS(SHL, SIGNED, ANY, NEGATIVE_WITHIN, SHL_UNSIGNED),
    OURS(SHL, SIGNED, ANY, NEGATIVE_BEYOND, SHL_DOWN_UNSIGNED),
    /* before the rows for any a: with a negative one, a repaired count alone is not enough */
    PAPER_BY_COMPILER(SHR, SIGNED, ANY, LEAST, B),
    OURS_BY_COMPILER(SHR, SIGNED, SIGNED, MIDDLE_BELOW, SHR_UP_PLUS_MAX),
    OURS_BY_COMPILER(SHR, SIGNED, ANY, MIDDLE_WITHIN, SHR_PLUS_MAX),
    OURS_BY_COMPILER(SHR, SIGNED, ANY, MIDDLE_BEYOND, SHR_DOWN_PLUS_MAX),
    OURS(SHR, ANY, SIGNED, BELOW, SHR_UP),
    PAPER(SHR, ANY, SIGNED, BY_LEAST, A),
    OURS(SHR, ANY, ANY, BEYOND, SHR_DOWN), /* the paper has no interval */
};
/* clang-format on */
const int rewrite_rows = (int)(sizeof rewrite_table / sizeof *rewrite_table);

static bool sign_fits(enum rewrite_sign sign, struct rewrite_operand x)
{
    return sign == REWRITE_ANY || (sign == REWRITE_SIGNED) == x.is_signed;
}

bool rewrite_holds(const struct rewrite_row *row, enum cc_op op, struct rewrite_operand a,
                   struct rewrite_operand b)
{
    if (op == CC_MINUS)
        b = a;
    REQUIRE(a.bits > 1 && a.bits <= MOST_BITS && b.bits > 1 && b.bits <= MOST_BITS);
    return row->op == op && sign_fits(row->a, a) && sign_fits(row->b, b) &&
           condition_holds((enum when)row->when, a, b);
}

const struct rewrite_row *rewrite_find(enum cc_op op, struct rewrite_operand a,
                                       struct rewrite_operand b, bool negative_right_shift)
{
    for (int i = 0; i < rewrite_rows; i++) {
        const struct rewrite_row *row = &rewrite_table[i];
        if (row->defined_by_compiler && negative_right_shift)
            continue;
        if (rewrite_holds(row, op, a, b))
            return row;
    }
    return NULL;
}

/* -- trees ------------------------------------------------------------------------------------ */

/* The unsigned type of the same rank; of an unsigned type itself. */
static const struct cc_type *unsigned_type(struct cc_program *p, const struct cc_type *type)
{
    return type->is_signed ? cc_basic(&p->types, type->kind + 1) : type->plain;
}

static struct cc_expr *as_unsigned(struct cc_program *p, struct cc_expr *a)
{
    return a->type->is_signed ? cc_cast(p, unsigned_type(p, a->type), a) : a;
}

static struct cc_expr *number(struct cc_program *p, const struct cc_expr *like, cc_wide value)
{
    return cc_int(p, like->type, value, CC_DECIMAL);
}

static struct cc_expr *most(struct cc_program *p, const struct cc_expr *like)
{
    return number(p, like, (cc_wide)cc_int_max(like->type));
}

/* `e` is `by` from now on. A cast where `by` is of another type is written down. */
static void become(struct cc_program *p, struct cc_expr *e, struct cc_expr *by)
{
    if (by->type != e->type)
        by = cc_cast(p, e->type, by);
    *e = *by;
}

static struct cc_expr *left_operand(struct cc_program *p, enum left left, struct cc_expr *a)
{
    switch (left) {
    case LEFT_UNSIGNED:
        return as_unsigned(p, a);
    case LEFT_PLUS_MAX:
        return cc_binary(p, CC_ADD, a, most(p, a));
    default:
        return a;
    }
}

static struct cc_expr *right_operand(struct cc_program *p, enum right right, struct cc_expr *b,
                                     cc_wide constant)
{
    if (right == RIGHT_UP)
        return cc_binary(p, CC_ADD, b, number(p, b, constant));
    if (right == RIGHT_DOWN)
        return cc_binary(p, CC_SUB, b, number(p, b, constant));
    return b;
}

void rewrite_apply(struct cc_program *p, struct choice *c, const struct rewrite_row *row,
                   struct cc_expr *e, struct rewrite_operand a, struct rewrite_operand b)
{
    REQUIRE(row->op == e->op && cc_is_integer(e->type));
    const struct recipe *recipe = &recipes[row->to];
    cc_wide constant = 0, least, greatest;
    if (rewrite_constants(row, a, b, &least, &greatest)) {
        cc_wide count = (cc_wide)choose(c, (uint64_t)(greatest - least) + 1);
        constant = recipe->right == RIGHT_UP ? least + count : greatest - count;
    }
    if (recipe->op == CC_PLUS) {
        become(p, e, cc_unary(p, CC_PLUS, e->a));
    } else if (recipe->op == CC_NONE) {
        /* A cast even to its own type: the text of a promoted operand alone would be narrower. */
        become(p, e, cc_cast(p, e->type, recipe->left == LEFT_A ? e->a : e->b));
    } else {
        struct cc_expr *left = left_operand(p, recipe->left, e->a);
        struct cc_expr *right = right_operand(p, recipe->right, e->b, constant);
        become(p, e, cc_binary(p, recipe->op, left, right));
    }
}

/* -- for good --------------------------------------------------------------------------------- */

/* The forms of each operator, the plainest first. Mostly it stays the operation that it was. */
enum { WRAPPED, BY_XOR, BY_AND, BY_OR, N_ARITHMETIC };
static const unsigned arithmetic_weights[N_ARITHMETIC] = {12, 1, 1, 1};
enum { NEGATED, COMPLEMENTED, N_NEGATION };
static const unsigned negation_weights[N_NEGATION] = {3, 1};
enum { BY_POSITIVE, IN_UNSIGNED, N_DIVISION };
static const unsigned division_weights[N_DIVISION] = {3, 1};
enum { BY_ODD, BY_HALF, N_UNSIGNED_DIVISION };
static const unsigned unsigned_division_weights[N_UNSIGNED_DIVISION] = {3, 1};
enum { COUNT_MASKED, COUNT_REMAINDER, SIGN_MASKED, N_SHIFT };
static const unsigned shift_weights[N_SHIFT] = {3, 1, 0};
static const unsigned sign_shift_weights[N_SHIFT] = {3, 1, 2}; /* >> that may not see a sign */

/* (T)-(U)a, ~a */
static struct cc_expr *negate(struct cc_program *p, struct choice *c, struct cc_expr *a)
{
    if (choose_weighted(c, negation_weights, N_NEGATION) == COMPLEMENTED)
        return cc_unary(p, CC_COMPL, a);
    return cc_unary(p, CC_MINUS, as_unsigned(p, a));
}

/* (T)((U)a + (U)b), a ^ b, a & b, a | b */
static struct cc_expr *compute(struct cc_program *p, struct choice *c, const struct cc_expr *e)
{
    static const enum cc_op ops[N_ARITHMETIC] = {CC_NONE, CC_XOR, CC_AND, CC_OR};
    size_t form = choose_weighted(c, arithmetic_weights, N_ARITHMETIC);
    if (form != WRAPPED)
        return cc_binary(p, ops[form], e->a, e->b);
    return cc_binary(p, e->op, as_unsigned(p, e->a), as_unsigned(p, e->b));
}

/* a / ((b & MAX) | 1), (T)((U)a / ((U)b | 1)) */
static struct cc_expr *divide_signed(struct cc_program *p, struct choice *c,
                                     const struct cc_expr *e)
{
    struct cc_expr *a = e->a, *b = e->b;
    if (choose_weighted(c, division_weights, N_DIVISION) == IN_UNSIGNED) {
        a = as_unsigned(p, a);
        b = as_unsigned(p, b);
    } else {
        b = cc_binary(p, CC_AND, b, most(p, b));
    }
    return cc_binary(p, e->op, a, cc_binary(p, CC_OR, b, number(p, b, 1)));
}

/* a / (b | 1), a / (b / 2 + 1). Not b >> 1: that would not convert b as the division does. */
static struct cc_expr *divide_unsigned(struct cc_program *p, struct choice *c,
                                       const struct cc_expr *e)
{
    struct cc_expr *b = e->b, *one = number(p, b, 1);
    if (choose_weighted(c, unsigned_division_weights, N_UNSIGNED_DIVISION) == BY_HALF)
        b = cc_binary(p, CC_ADD, cc_binary(p, CC_DIV, b, number(p, b, 2)), one);
    else
        b = cc_binary(p, CC_OR, b, one);
    return cc_binary(p, e->op, e->a, b);
}

/* (T)((U)a << (b & (width - 1))), (T)((U)a << (U)b % width); the same with >>, where a negative a
 * stays one if `negative_right_shift`, and where it may also be (a & MAX) if not. */
static struct cc_expr *shift(struct cc_program *p, struct choice *c, const struct cc_expr *e,
                             bool negative_right_shift)
{
    struct cc_expr *a = e->a, *b = e->b;
    bool by_sign = e->op == CC_SHR && a->type->is_signed;
    bool no_sign = by_sign && !negative_right_shift;
    size_t form = choose_weighted(c, no_sign ? sign_shift_weights : shift_weights, N_SHIFT);
    if (form == SIGN_MASKED)
        a = cc_binary(p, CC_AND, a, most(p, a));
    else if (no_sign || !by_sign)
        a = as_unsigned(p, a);
    if (form == COUNT_REMAINDER) {
        b = as_unsigned(p, b);
        b = cc_binary(p, CC_REM, b, number(p, b, a->type->bits));
    } else {
        b = cc_binary(p, CC_AND, b, number(p, b, a->type->bits - 1));
    }
    return cc_binary(p, e->op, a, b);
}

void rewrite_for_good(struct cc_program *p, struct choice *c, struct cc_expr *e,
                      bool negative_right_shift)
{
    REQUIRE(cc_is_integer(e->type));
    bool is_signed = e->type->is_signed;
    switch (e->op) {
    case CC_MINUS:
        if (is_signed)
            become(p, e, negate(p, c, e->a));
        break;
    case CC_ADD:
    case CC_SUB:
    case CC_MUL:
        if (is_signed)
            become(p, e, compute(p, c, e));
        break;
    case CC_DIV:
    case CC_REM:
        become(p, e, is_signed ? divide_signed(p, c, e) : divide_unsigned(p, c, e));
        break;
    case CC_SHL:
    case CC_SHR:
        become(p, e, shift(p, c, e, negative_right_shift));
        break;
    default: /* & | ^ ~ + ! and comparisons are defined for all values */
        break;
    }
}
