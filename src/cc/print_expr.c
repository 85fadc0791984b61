/* Expressions as text.
 *
 * put_expr is told how tightly its surroundings bind and puts parentheses around what binds looser.
 * What a node binds like is a question about its text, not about the node: an implicit conversion
 * is its operand, a wrapped addition is a call, -5 is a unary minus.
 *
 * More parentheses stand where gcc -Wall or clang -Wall would ask for them (asks_for_parentheses).
 * A sign before a sign gets them too, since `- -x` would be one token without its space.
 */
#include "cc/print_internal.h"

#include "base/error.h"
#include "cc/build.h"
#include "cc/builtin.h"
#include "cc/fork.h"
#include "cc/library.h"

#include <math.h>

enum { MACRO_NESTING = 2 }; /* each level multiplies the text after preprocessing by up to six */

static const uint8_t op_precedence[CC_N_OP] = {
    [CC_MUL] = P_MUL,     [CC_DIV] = P_MUL,     [CC_REM] = P_MUL,     [CC_ADD] = P_ADD,
    [CC_SUB] = P_ADD,     [CC_SHL] = P_SHIFT,   [CC_SHR] = P_SHIFT,   [CC_LT] = P_RELATION,
    [CC_GT] = P_RELATION, [CC_LE] = P_RELATION, [CC_GE] = P_RELATION, [CC_EQ] = P_EQUALITY,
    [CC_NE] = P_EQUALITY, [CC_AND] = P_AND,     [CC_XOR] = P_XOR,     [CC_OR] = P_OR,
    [CC_LAND] = P_LAND,   [CC_LOR] = P_LOR,
};

/* -- what shows ------------------------------------------------------------------------------- */

/* A conversion between pointers that compilers only accept with a warning, or no more: all but
 * those of 6.5.16.1p1, qualifiers aside. Functions without a prototype go with any. */
static bool is_not_assignable(const struct cc_type *to, const struct cc_expr *e)
{
    const struct cc_type *from = e->type;
    if (to->kind != CC_POINTER || (from->kind != CC_POINTER && from->kind != CC_ARRAY) ||
        e->kind == CC_E_NULL)
        return false;
    to = to->to;
    from = from->to;
    while (to->kind == CC_ARRAY && from->kind == CC_ARRAY && to->length == from->length) {
        to = to->to;
        from = from->to;
    }
    if (to->kind == CC_FUNCTION && from->kind == CC_FUNCTION && to->to == from->to)
        return !to->unprototyped && !from->unprototyped && to != from;
    return to->plain != from->plain && to->kind != CC_VOID && from->kind != CC_VOID;
}

/* C++ has fewer implicit conversions than C, and promotes an enumeration by its values and not by
 * its compatible type ([conv.prom]p3): there some have to be written. So has the promotion of a
 * bit-field whose type would not promote, which g++ forgets in the arms of a conditional. */
static bool cast_shows(const struct printer *p, const struct cc_expr *cast)
{
    if (!cast->implicit)
        return true;
    if (p->language == CC_C11)
        return p->whole && is_not_assignable(cast->type, cast->a);
    const struct cc_type *to = cast->type, *from = cast->a->type->plain;
    if (to->kind == CC_ENUM)
        return to != from;
    if (to->kind == CC_POINTER)
        return from->kind == CC_POINTER && from->to->kind == CC_VOID && to->to->kind != CC_VOID &&
               cast->a->kind != CC_E_NULL;
    if ((to->kind == CC_INT || to->kind == CC_UINT) && from->kind > to->kind &&
        from->kind <= CC_UINT128)
        return cast->a->kind == CC_E_MEMBER && cc_bitfield_bits(cast->a) >= 0;
    return from->kind == CC_ENUM && to->kind == CC_UINT && cast->a->kind != CC_E_INT;
}

const struct cc_expr *print_visible(const struct printer *p, const struct cc_expr *e)
{
    for (;;) {
        if (e->kind == CC_E_CAST && !cast_shows(p, e))
            e = e->a;
        else if (e->kind == CC_E_COND && e->fork)
            e = cc_fork_taken(e);
        else
            return e;
    }
}

static bool wants_wrapper(const struct printer *p, const struct cc_expr *e)
{
    if (!e->safe || p->wrappers == CC_WRAP_NONE)
        return false;
    return p->wrappers != CC_WRAP_NEEDED || e->needed;
}

/* Is this node printed as the call of a wrapper, or as an assignment of one? */
static bool is_wrapped(const struct printer *p, const struct cc_expr *e)
{
    if (!wants_wrapper(p, e))
        return false;
    switch (e->kind) {
    case CC_E_BINARY:
    case CC_E_UNARY:
        return support_wraps(e->op, e->type);
    case CC_E_ASSIGN:
    case CC_E_INCDEC:
        return !e->postfix && support_wraps(e->op, cc_assign_type(p->program, e));
    case CC_E_CAST:
        return !e->implicit && cc_is_float(e->a->type) && cc_is_integer(e->type) &&
               e->type->kind != CC_BOOL;
    default:
        return false;
    }
}

/* May the lvalue be written down twice? Only finding the object counts; reading a volatile one is
 * what `a op= b` does once and `a = wrapper(a, b)` does once as well. */
static bool place_repeats(const struct cc_expr *e)
{
    return !cc_place_has_effects(e);
}

/* C++ has no op= and ++ on enumerations and no ++ on bool: printed as `a = (type)(a op b)`. */
static bool is_spelled_out(const struct printer *p, const struct cc_expr *e)
{
    if (p->language == CC_C11 || e->postfix || !place_repeats(e->a))
        return false;
    enum cc_kind kind = e->a->type->kind;
    if (e->kind == CC_E_ASSIGN)
        return e->op != CC_NONE && kind == CC_ENUM;
    return kind == CC_ENUM || kind == CC_BOOL;
}

/* The text is `a = b`, though the node is none of that kind. */
static bool prints_as_assignment(const struct printer *p, const struct cc_expr *e)
{
    return e->kind == CC_E_ASSIGN ||
           (e->kind == CC_E_INCDEC && (is_spelled_out(p, e) || is_wrapped(p, e)));
}

/* -- containers ------------------------------------------------------------------------------- */

/* What an array lvalue is: a variable, or a row of one. */
static enum cc_container container_of(const struct printer *p, const struct cc_expr *e)
{
    while (e->kind == CC_E_INDEX && e->type->kind == CC_ARRAY)
        e = e->a;
    return e->kind == CC_E_VAR ? print_container(p, e->var) : CC_C_ARRAY;
}

/* An array that does not decay by itself where a value is wanted (6.3.2.1p3): it prints &a[0]. */
static bool is_container(const struct printer *p, const struct cc_expr *e)
{
    return e->type->kind == CC_ARRAY && container_of(p, e) != CC_C_ARRAY;
}

/* -- precedence ------------------------------------------------------------------------------- */

/* The lanes of a comparison of vectors are char or signed char, long or long long, as the compiler
 * likes: it is cast to the type that it has in the tree. */
static bool is_cast_comparison(const struct cc_expr *e)
{
    return e->type->kind == CC_VECTOR && cc_is_comparison(e->op) &&
           (e->type->to->bits == 8 || e->type->to->bits == 64);
}

static int precedence(const struct printer *p, const struct cc_expr *e)
{
    if (is_container(p, e))
        return P_UNARY; /* &a[0] */
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_INT:
        return print_int_precedence(p, e);
    case CC_E_FLOAT:
        if (isnan(e->number) || (isinf(e->number) && !p->whole))
            return P_PRIMARY;
        return signbit(e->number) ? P_UNARY : P_PRIMARY;
    case CC_E_NULL:
        return p->language == CC_C11 ? P_CAST : P_PRIMARY;
    case CC_E_VAR:
    case CC_E_FUNC:
    case CC_E_LIST:
    case CC_E_STRING:
    case CC_E_STMTS:
    case CC_E_LABEL:
    case CC_E_UNSUPPORTED:
        return P_PRIMARY;
    case CC_E_MEMBER:
    case CC_E_INDEX:
    case CC_E_CALL:
    case CC_E_BUILTIN:
    case CC_E_VA_ARG:
        return P_POSTFIX;
    case CC_E_LITERAL: /* a postfix expression in C, but chibicc takes none behind it; and the
                        * commas within its braces would separate a macro's arguments */
        return p->macro_depth ? P_COMMA : P_UNARY;
    case CC_E_ADDR:
    case CC_E_DEREF:
    case CC_E_SIZEOF:
    case CC_E_SIZEOF_OF:
        return P_UNARY;
    case CC_E_UNARY:
        return is_wrapped(p, e) ? P_POSTFIX : P_UNARY;
    case CC_E_BINARY:
        return is_wrapped(p, e) ? P_POSTFIX : is_cast_comparison(e) ? P_CAST : op_precedence[e->op];
    case CC_E_LOGICAL:
        return op_precedence[e->op];
    case CC_E_COND:
    case CC_E_ELVIS:
        return P_COND;
    case CC_E_COMMA:
        return P_COMMA;
    case CC_E_CAST:
        return is_wrapped(p, e) && e->type->kind != CC_ENUM ? P_POSTFIX : P_CAST;
    case CC_E_ASSIGN:
        return P_ASSIGN;
    case CC_E_INCDEC:
        return prints_as_assignment(p, e) ? P_ASSIGN : e->postfix ? P_POSTFIX : P_UNARY;
    case CC_N_EXPR:
        break;
    }
    BUG("expression of kind %d", e->kind);
}

/* The first character of a text that binds as tightly as a unary expression; 0: no sign. */
static char leading_sign(const struct printer *p, const struct cc_expr *e)
{
    switch (e->kind) {
    case CC_E_INT:
        return print_int_precedence(p, e) == P_UNARY ? '-' : 0;
    case CC_E_FLOAT:
        return signbit(e->number) ? '-' : 0;
    case CC_E_ADDR:
        return '&';
    case CC_E_UNARY:
        return is_wrapped(p, e) ? 0 : cc_op_text[e->op][0];
    case CC_E_INCDEC:
        return e->postfix ? 0 : e->op == CC_ADD ? '+' : '-';
    default:
        return 0;
    }
}

/* Parentheses that C does not need and compilers warn without: -Wparentheses, and clang's
 * -Wlogical-not-parentheses and -Wbitwise-op-parentheses, both part of -Wall. */
static bool asks_for_parentheses(const struct printer *p, enum cc_op op, const struct cc_expr *e)
{
    if (p->whole)
        return false;
    bool is_not = e->kind == CC_E_UNARY && e->op == CC_NOT;
    bool is_binary = (e->kind == CC_E_BINARY || e->kind == CC_E_LOGICAL) && !is_wrapped(p, e) &&
                     !is_cast_comparison(e);
    if (!is_not && !is_binary)
        return false;
    switch (op) {
    case CC_AND:
    case CC_OR:
    case CC_XOR:
        return is_not || e->op != op;
    case CC_SHL:
    case CC_SHR:
        return e->op == CC_ADD || e->op == CC_SUB;
    case CC_LOR:
        return e->op == CC_LAND;
    default:
        return cc_is_comparison(op) && (is_not || cc_is_comparison(e->op));
    }
}

/* -- nodes ------------------------------------------------------------------------------------ */

static void put_node(struct printer *p, const struct cc_expr *e);

/* A line of its own for the operation, so that whoever names a line names it. Of an operator with
 * two operands it is the operator's line: what computes the operands is on others. */
static bool is_site(const struct printer *p, const struct cc_expr *e)
{
    return e->marked && p->site;
}

static void put_site_line(struct printer *p, const char *end)
{
    put_str(p, end);
    put_newline(p);
    put_indent(p, 2);
}

/* `e` shows. */
static void put_shown(struct printer *p, const struct cc_expr *e, bool parentheses)
{
    bool decays = is_container(p, e);
    bool within = e->kind == CC_E_BINARY || e->kind == CC_E_ASSIGN;
    if (p->whole)
        whole_complete(p, e->type);
    if (is_site(p, e) && e->kind != CC_E_BINARY)
        put_site_line(p, "");
    if (parentheses)
        put_char(p, '(');
    if (decays)
        put_char(p, '&');
    put_node(p, e);
    if (decays)
        PUT(p, "[0]");
    if (parentheses)
        put_char(p, ')');
    if (is_site(p, e) && !within)
        put_site_line(p, CC_PRINT_SITE);
    else if (e->marked && !p->whole && !p->site)
        PUT(p, " /* invalid */");
}

void put_expr(struct printer *p, const struct cc_expr *e, int min)
{
    e = print_visible(p, e);
    put_shown(p, e, precedence(p, e) < min);
}

/* Has a constant the same value as an int, and may it be written as one? Who spells it in octal
 * means it as it stands, suffix and all. */
static bool fits_int(const struct printer *p, const struct cc_expr *e)
{
    bool plain = p->plain_numbers || e->spelling == CC_DECIMAL || e->spelling == CC_CHARACTER;
    return e->kind == CC_E_INT && !print_is_wide(e->type) && e->spelling != CC_ENUMERATOR &&
           plain && e->value > INT32_MIN && e->value <= INT32_MAX;
}

static void put_as_int(struct printer *p, const struct cc_expr *e, int min)
{
    bool parentheses = e->value < 0 && P_UNARY < min;
    enum cc_kind kind = e->spelling == CC_CHARACTER ? e->type->kind : CC_INT;
    if (parentheses)
        put_char(p, '(');
    put_int(p, cc_basic(&p->program->types, kind < CC_INT ? kind : CC_INT), e->value, e->spelling);
    if (parentheses)
        put_char(p, ')');
}

void put_stored(struct printer *p, const struct cc_expr *e, int min)
{
    const struct cc_expr *shown = print_visible(p, e);
    if (p->whole && p->language == CC_C11 && shown->kind == CC_E_NULL)
        put_char(p, '0');
    else if (p->whole && fits_int(p, shown) &&
             !(p->language == CC_CXX17 && e->type->kind == CC_ENUM))
        put_as_int(p, shown, min);
    else
        put_expr(p, e, min);
}

static void put_operand(struct printer *p, const struct cc_expr *e, enum cc_op op, int min)
{
    e = print_visible(p, e);
    put_shown(p, e, precedence(p, e) < min || asks_for_parentheses(p, op, e));
}

/* The first `n_known` are converted to the types of parameters. */
static void put_args(struct printer *p, struct cc_expr *const *args, uint32_t n, uint32_t n_known)
{
    put_char(p, '(');
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            PUT(p, ", ");
        if (i < n_known)
            put_stored(p, args[i], P_ASSIGN);
        else
            put_expr(p, args[i], P_ASSIGN);
    }
    put_char(p, ')');
}

/* `(type)`; parentheses around a type-name. */
void put_type(struct printer *p, const struct cc_type *type)
{
    put_char(p, '(');
    put_declarator(p, type, "");
    put_char(p, ')');
}

static bool use_macro(const struct printer *p, const struct cc_expr *a, const struct cc_expr *b)
{
    return p->wrappers == CC_WRAP_MACROS && p->macro_depth < MACRO_NESTING && !a->effects &&
           (!b || !b->effects);
}

/* name(a, b); b is NULL for a unary minus and for the 1 of ++ (`is_step`). */
static void put_wrapper_call(struct printer *p, enum cc_op op, const struct cc_type *type,
                             const struct cc_expr *a, const struct cc_expr *b, bool is_step)
{
    bool macro = use_macro(p, a, b);
    bool is_shift = op == CC_SHL || op == CC_SHR;
    support_put_name(p, op, type->kind, is_shift ? b->type->kind : type->kind, macro);
    p->macro_depth += macro;
    put_char(p, '(');
    put_stored(p, a, P_ASSIGN);
    if (b) {
        PUT(p, ", ");
        put_stored(p, b, P_ASSIGN);
    } else if (is_step) {
        PUT(p, ", 1");
    }
    put_char(p, ')');
    p->macro_depth -= macro;
}

static void put_wrapped_cast(struct printer *p, const struct cc_expr *e)
{
    const struct cc_type *to = e->type;
    enum cc_kind kind = to->kind != CC_ENUM ? to->kind : to->is_signed ? CC_INT : CC_UINT;
    bool macro = use_macro(p, e->a, NULL);
    if (to->kind == CC_ENUM)
        put_type(p, to);
    support_put_convert_name(p, e->a->type->kind, kind, macro);
    p->macro_depth += macro;
    put_args(p, &((struct cc_expr *){e->a}), 1, 0);
    p->macro_depth -= macro;
}

/* `a = wrapper(a, b)` or, in C++, `a = (type)(a op b)`. */
static void put_spelled_out(struct printer *p, const struct cc_expr *e)
{
    const struct cc_expr *b = e->kind == CC_E_ASSIGN ? e->b : NULL;
    bool wrapped = is_wrapped(p, e);
    REQUIRE(place_repeats(e->a));
    put_expr(p, e->a, P_UNARY);
    PUT(p, " = ");
    if (p->language == CC_CXX17 && e->type->kind == CC_ENUM)
        put_type(p, e->type->plain);
    if (wrapped) {
        put_wrapper_call(p, e->op, cc_assign_type(p->program, e), e->a, b, !b);
        return;
    }
    const struct cc_type *type = cc_assign_type(p->program, e);
    put_char(p, '(');
    put_type(p, type); /* C++ would promote an enumeration to int */
    put_expr(p, e->a, P_CAST);
    put_char(p, ' ');
    put_str(p, cc_op_text[e->op]);
    put_char(p, ' ');
    if (b)
        put_expr(p, b, P_CAST);
    else
        put_char(p, '1');
    put_char(p, ')');
}

static void put_unary(struct printer *p, const struct cc_expr *e)
{
    if (is_wrapped(p, e)) {
        put_wrapper_call(p, e->op, e->type, e->a, NULL, false);
        return;
    }
    const struct cc_expr *a = print_visible(p, e->a);
    char sign = cc_op_text[e->op][0];
    put_char(p, sign);
    put_shown(p, a, precedence(p, a) < P_CAST || leading_sign(p, a) == sign);
}

/* A null pointer that is dereferenced on purpose needs the type that (void*)0 lacks. */
static void put_base(struct printer *p, const struct cc_expr *e, int min)
{
    const struct cc_expr *shown = print_visible(p, e);
    if (shown->kind != CC_E_NULL) {
        put_expr(p, e, min);
        return;
    }
    if (min > P_CAST)
        put_char(p, '(');
    put_type(p, e->type);
    put_char(p, '0');
    if (min > P_CAST)
        put_char(p, ')');
}

static const struct cc_type *pointee(const struct cc_type *t)
{
    return t->kind == CC_POINTER || t->kind == CC_ARRAY ? t->to : NULL;
}

/* A difference is one of pointers to one type (6.5.6p3): what was converted to it has to show. */
static bool converts_pointer(const struct printer *p, const struct cc_expr *e)
{
    const struct cc_type *to = pointee(e->type), *from = pointee(print_visible(p, e)->type);
    return from && from->plain != to->plain;
}

static void put_cast(struct printer *p, const struct cc_expr *e)
{
    put_type(p, e->type);
    put_expr(p, e, P_CAST);
}

/* Arithmetic on pointers needs the size of what they point to. */
static void complete_steps(struct printer *p, const struct cc_expr *e)
{
    for (int i = 0; i < 2; i++) {
        const struct cc_type *t = i && e->b ? e->b->type : e->a->type;
        if (t->kind == CC_POINTER && !cc_is_comparison(e->op))
            whole_complete(p, t->to);
    }
}

/* The type that an operand has where it is written. */
static const struct cc_type *written_type(const struct printer *p, const struct cc_expr *e)
{
    return print_visible(p, e)->type->plain;
}

/* Is the constant `e` as good as an int beside the operand `other`? Then both are converted to the
 * same type as ever (6.3.1.8); a shift does not care for the type of its count, nor pointers for
 * that of what is added; a null pointer is compared as 0. */
static bool may_shorten(const struct printer *p, const struct cc_expr *binary,
                        const struct cc_expr *e, const struct cc_expr *other)
{
    const struct cc_type *t = written_type(p, other);
    const struct cc_types *types = &p->program->types;
    e = print_visible(p, e);
    if (e->kind == CC_E_NULL)
        return binary->kind == CC_E_BINARY && cc_is_comparison(binary->op) &&
               print_visible(p, other)->kind != CC_E_NULL;
    if (binary->kind == CC_E_LOGICAL || !fits_int(p, e))
        return false;
    if (binary->op == CC_SHL || binary->op == CC_SHR)
        return e == print_visible(p, binary->b);
    if (t->kind == CC_POINTER || t->kind == CC_ARRAY)
        return true;
    int bits = cc_bitfield_bits(print_visible(p, other));
    if (!cc_is_arithmetic(t) || bits > 32)
        return false;
    t = cc_promoted(types, t, bits);
    return cc_common(types, t, types->basic[CC_INT]) ==
           cc_common(types, t, cc_representation(types, e->type));
}

/* An operand of a binary operator. Pointers that one calculates with have their type in the text.
 */
static void put_term(struct printer *p, const struct cc_expr *binary, const struct cc_expr *e,
                     int level, bool shortened)
{
    bool steps = p->whole && pointee(e->type) && !cc_is_comparison(binary->op) &&
                 binary->kind == CC_E_BINARY;
    if (shortened)
        put_stored(p, e, level);
    else if (steps && print_visible(p, e)->kind == CC_E_NULL)
        put_base(p, e, level);
    else if (steps && binary->op == CC_SUB && converts_pointer(p, e))
        put_cast(p, e);
    else
        put_operand(p, e, binary->op, level);
}

static void put_binary(struct printer *p, const struct cc_expr *e)
{
    if (is_wrapped(p, e)) {
        put_wrapper_call(p, e->op, e->type, e->a, e->b, false);
        return;
    }
    int level = op_precedence[e->op];
    bool cast = is_cast_comparison(e);
    if (cast) {
        put_type(p, e->type);
        put_char(p, '(');
    }
    bool short_a = p->whole && may_shorten(p, e, e->a, e->b);
    bool short_b = p->whole && !short_a && may_shorten(p, e, e->b, e->a);
    if (p->whole)
        complete_steps(p, e);
    put_term(p, e, e->a, level, short_a);
    is_site(p, e) ? put_site_line(p, "") : put_char(p, ' ');
    put_str(p, cc_op_text[e->op]);
    is_site(p, e) ? put_site_line(p, CC_PRINT_SITE) : put_char(p, ' ');
    put_term(p, e, e->b, level + 1, short_b);
    if (cast)
        put_char(p, ')');
}

/* clang asks for parentheses around arithmetic before `?`; nested conditionals read better so. */
static void put_cond(struct printer *p, const struct cc_expr *e)
{
    const struct cc_expr *a = print_visible(p, e->a);
    int level = precedence(p, a);
    bool is_clear = level < P_OR || level > P_MUL || level == P_EQUALITY || level == P_RELATION;
    put_shown(p, a, level <= P_COND || !(is_clear || p->whole));
    PUT(p, " ? ");
    put_expr(p, e->b, !p->whole ? P_COND + 1 : p->macro_depth ? P_ASSIGN : P_COMMA);
    PUT(p, " : ");
    put_expr(p, e->c, P_COND);
}

static void put_assign(struct printer *p, const struct cc_expr *e)
{
    if (is_spelled_out(p, e) || (e->op != CC_NONE && is_wrapped(p, e))) {
        put_spelled_out(p, e);
        return;
    }
    if (p->whole && e->op != CC_NONE)
        complete_steps(p, e);
    put_expr(p, e->a, P_UNARY);
    put_char(p, ' ');
    put_str(p, cc_op_text[e->op]);
    put_char(p, '=');
    is_site(p, e) ? put_site_line(p, CC_PRINT_SITE) : put_char(p, ' ');
    if (e->op == CC_NONE || (p->whole && may_shorten(p, e, e->b, e->a)))
        put_stored(p, e->b, P_ASSIGN);
    else
        put_expr(p, e->b, P_ASSIGN);
}

/* Postfix ++ on an enumeration has no other form in C++ than GNU's statement expression. */
static void put_postfix_step(struct printer *p, const struct cc_expr *e)
{
    PUT(p, "({ ");
    put_declarator(p, e->type->plain, "old");
    PUT(p, " = ");
    put_expr(p, e->a, P_ASSIGN);
    PUT(p, "; ");
    struct cc_expr prefix = *e;
    prefix.postfix = false;
    put_spelled_out(p, &prefix);
    PUT(p, "; old; })");
}

static void put_incdec(struct printer *p, const struct cc_expr *e)
{
    const char *text = e->op == CC_ADD ? "++" : "--";
    enum cc_kind kind = e->a->type->kind;
    if (p->whole)
        complete_steps(p, e);
    if (prints_as_assignment(p, e)) {
        put_spelled_out(p, e);
    } else if (e->postfix && p->language == CC_CXX17 && place_repeats(e->a) &&
               (kind == CC_ENUM || kind == CC_BOOL)) {
        put_postfix_step(p, e);
    } else if (e->postfix) {
        put_expr(p, e->a, P_POSTFIX);
        put_str(p, text);
    } else {
        put_str(p, text);
        put_expr(p, e->a, P_UNARY);
    }
}

/* What an import writes for a value's bits as another type: a member of a union of which another
 * one was initialised. GNU C has casts of vectors for it, and subscripts of values that are none.
 */
static bool put_bits(struct printer *p, const struct cc_expr *e)
{
    const struct cc_expr *u = e->a;
    if (u->kind != CC_E_LITERAL || strcmp(u->type->record->tag, "(bits)") || u->n_args != 1)
        return false;
    if (e->type->plain == u->args[0]->type->plain) {
        put_expr(p, u->args[0], P_POSTFIX);
        return true;
    }
    PUT(p, "(("); /* the place may be one for a postfix expression */
    put_declarator(p, e->type->plain, "");
    put_char(p, ')');
    put_expr(p, u->args[0], P_CAST);
    put_char(p, ')');
    return true;
}

/* The object whose members those of `e` seem to be. */
static const struct cc_expr *named_base(const struct cc_expr *e)
{
    while (e->kind == CC_E_MEMBER && whole_is_anonymous(&e->a->type->record->fields[e->field]))
        e = e->a;
    return e;
}

static void put_member(struct printer *p, const struct cc_expr *e)
{
    const struct cc_expr *a = e->a;
    if (p->whole) {
        if (put_bits(p, e))
            return;
        a = named_base(a);
        whole_complete(p, a->type);
    }
    if (a->kind == CC_E_DEREF && !a->marked) {
        put_base(p, a->a, P_POSTFIX);
        PUT(p, "->");
    } else {
        put_expr(p, a, P_POSTFIX);
        put_char(p, '.');
    }
    put_str(p, e->a->type->record->fields[e->field].name);
}

static void put_index(struct printer *p, const struct cc_expr *e)
{
    enum cc_container c = e->a->type->kind == CC_ARRAY ? container_of(p, e->a) : CC_C_ARRAY;
    if (p->whole)
        whole_complete(p, e->type);
    bool at = e->at && (c == CC_STD_ARRAY || c == CC_STD_VECTOR);
    if (c == CC_C_ARRAY)
        put_base(p, e->a, P_POSTFIX);
    else
        put_node(p, e->a);
    at ? PUT(p, ".at(") : PUT(p, "[");
    put_stored(p, e->b, p->whole && !p->macro_depth ? P_COMMA : P_ASSIGN);
    put_char(p, at ? ')' : ']');
}

static void put_sizeof_of(struct printer *p, const struct cc_expr *e)
{
    const struct cc_expr *a = print_visible(p, e->a);
    if (p->whole)
        whole_complete(p, a->type);
    PUT(p, "sizeof");
    /* truth values are bool in C++, and a container's size is not that of its elements */
    if (p->language == CC_CXX17 && (!cc_is_lvalue(a) || is_container(p, a))) {
        put_type(p, e->a->type);
        return;
    }
    put_char(p, '(');
    put_node(p, a);
    put_char(p, ')');
}

/* -- calls ------------------------------------------------------------------------------------ */

/* A call that a declaration without prototype allows and the definition's prototype would not, or
 * would convert the arguments of: then the cast has to be there. */
static bool differs_from_prototype(const struct cc_expr *call)
{
    const struct cc_expr *f = call->callee;
    if (f->kind != CC_E_CAST || !f->implicit || f->a->kind != CC_E_FUNC)
        return false;
    const struct cc_type *t = f->a->func->type;
    if (t->unprototyped)
        return false;
    if (call->n_args != (uint32_t)t->n_params || t->variadic)
        return true;
    for (int i = 0; i < t->n_params; i++)
        if (call->args[i]->type->plain != t->params[i]->plain &&
            !(call->args[i]->type->kind == CC_ARRAY && t->params[i]->kind == CC_POINTER))
            return true;
    return false;
}

static void put_call(struct printer *p, const struct cc_expr *e)
{
    const struct cc_type *type = e->callee->type->to;
    if (p->whole && differs_from_prototype(e)) {
        put_char(p, '(');
        put_cast(p, e->callee);
        put_char(p, ')');
        put_args(p, e->args, e->n_args, 0);
        return;
    }
    const struct cc_expr *f = print_visible(p, e->callee);
    put_base(p, e->callee, P_POSTFIX);
    if (p->whole && f->kind == CC_E_FUNC && f->func->library == CC_LIB_VA_START && e->n_args == 1 &&
        p->func && p->func->n_params) { /* 7.16.1.4p4 */
        put_char(p, '(');
        put_expr(p, e->args[0], P_ASSIGN);
        PUT(p, ", ");
        put_str(p, print_var_name(p, p->func->params[p->func->n_params - 1]));
        put_char(p, ')');
        return;
    }
    put_args(p, e->args, e->n_args, (uint32_t)type->n_params);
}

/* Operands of any type: a conversion that does not show would be missing. */
static void put_builtin(struct printer *p, const struct cc_expr *e)
{
    const char *params = cc_builtins[e->field].params;
    put_str(p, cc_builtins[e->field].name);
    put_char(p, '(');
    for (uint32_t i = 0; i < e->n_args; i++) {
        const struct cc_expr *arg = e->args[i];
        bool cast = p->whole && params[i] == '*' && arg->kind == CC_E_CAST && arg->implicit;
        if (i)
            PUT(p, ", ");
        if (cast)
            put_type(p, arg->type);
        if (params[i] == '*' || params[i] == 'p')
            put_expr(p, arg, cast ? P_CAST : P_ASSIGN);
        else
            put_stored(p, arg, P_ASSIGN);
    }
    put_char(p, ')');
}

/* -- all -------------------------------------------------------------------------------------- */

static void put_node(struct printer *p, const struct cc_expr *e)
{
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_INT:
        put_int(p, e->type, e->value, e->spelling);
        return;
    case CC_E_FLOAT:
        put_float(p, e);
        return;
    case CC_E_NULL:
        p->language == CC_C11 ? PUT(p, "(void*)0") : PUT(p, "nullptr");
        return;
    case CC_E_VAR:
        put_var_name(p, e->var);
        return;
    case CC_E_FUNC:
        p->whole ? whole_put_func_name(p, e->func) : put_str(p, e->func->name);
        return;
    case CC_E_MEMBER:
        put_member(p, e);
        return;
    case CC_E_INDEX:
        put_index(p, e);
        return;
    case CC_E_ADDR:
        REQUIRE(!is_container(p, e->a)); /* a pointer to an array cannot point to a container */
        put_char(p, '&');
        put_expr(p, e->a, P_CAST);
        return;
    case CC_E_DEREF:
        put_char(p, '*');
        put_base(p, e->a, P_CAST);
        return;
    case CC_E_UNARY:
        put_unary(p, e);
        return;
    case CC_E_BINARY:
    case CC_E_LOGICAL:
        put_binary(p, e);
        return;
    case CC_E_COND:
        put_cond(p, e);
        return;
    case CC_E_COMMA:
        put_expr(p, e->a, P_COMMA);
        PUT(p, ", ");
        put_expr(p, e->b, P_ASSIGN);
        return;
    case CC_E_CAST:
        if (is_wrapped(p, e)) {
            put_wrapped_cast(p, e);
        } else {
            put_type(p, e->type);
            put_stored(p, e->a, P_CAST);
        }
        return;
    case CC_E_ASSIGN:
        put_assign(p, e);
        return;
    case CC_E_INCDEC:
        put_incdec(p, e);
        return;
    case CC_E_CALL:
        put_call(p, e);
        return;
    case CC_E_BUILTIN:
        put_builtin(p, e);
        return;
    case CC_E_SIZEOF:
        if (p->whole)
            whole_complete(p, e->of);
        PUT(p, "sizeof");
        put_type(p, e->of);
        return;
    case CC_E_SIZEOF_OF:
        put_sizeof_of(p, e);
        return;
    case CC_E_LITERAL:
        put_type(p, e->type);
        put_list(p, e);
        return;
    case CC_E_LIST:
        put_list(p, e);
        return;
    case CC_E_STRING:
        put_string(p, e);
        return;
    case CC_E_STMTS:
        if (p->whole)
            put_statement_expression(p, e->block);
        else /* in a message */
            PUT(p, "({ ... })");
        return;
    case CC_E_VA_ARG:
        p->whole ? PUT(p, "__builtin_va_arg(") : PUT(p, "va_arg(");
        put_expr(p, e->a, P_ASSIGN);
        PUT(p, ", ");
        p->whole ? put_declarator(p, e->type, "") : PUT(p, "...");
        put_char(p, ')');
        return;
    case CC_E_ELVIS:
        put_expr(p, e->a, P_COND + 1);
        PUT(p, " ?: ");
        put_expr(p, e->b, P_COND);
        return;
    case CC_E_LABEL:
        PUT(p, "&&");
        put_str(p, e->label->name);
        return;
    case CC_E_UNSUPPORTED: /* in a message: whoever prints programs has none */
        PUT(p, "(unsupported)");
        return;
    case CC_N_EXPR:
        break;
    }
    BUG("expression of kind %d", e->kind);
}
