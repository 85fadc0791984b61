/* Expressions, for the mask: operands and operators in turn, with the type of the operand in hand.
 *
 * No tree is built and precedence is not looked at: of what stands before the last operator only
 * the type is kept, which for arithmetic does not depend on the order. Comparisons, `&&` and `?`
 * end that knowledge (LM_FF_MIXED). */
#include "gen/lm/scope_internal.h"

#include <string.h>

void lm_push_expr(struct lm_parser *p, enum lm_expr_context context, struct lm_type target)
{
    const struct lm_frame *below = lm_top(p);
    bool inherits = below->kind == LM_F_EXPR || below->kind == LM_F_LIST;
    bool constant = inherits && (below->flags & LM_FF_CONSTANT);
    if (context == LM_X_CASE || context == LM_X_BITS || context == LM_X_ENUM ||
        context == LM_X_DESIGNATOR)
        constant = true;
    if (context == LM_X_SIZE)
        constant = p->words->opencl || below->context == LM_C_FILE || below->context == LM_C_MEMBER;
    if (context == LM_X_INIT)
        constant = below->context == LM_C_FILE;
    struct lm_frame *f = lm_push(p, LM_F_EXPR);
    f->context = (uint8_t)context;
    f->target = target;
    f->type = f->whole = unknown;
    f->arity = -1;
    f->function = -1;
    f->flags = constant ? LM_FF_CONSTANT : 0;
}

/* -- the operand ------------------------------------------------------------------------------- */

static char last_prefix(const struct lm_frame *f)
{
    return f->n_prefixes ? f->prefixes[f->n_prefixes - 1] : 0;
}

/* An array is in its own memory, and vectors are converted by functions (OpenCL C 6.2.2, 6.7.9). */
static bool cast_fits(struct lm_type to, struct lm_type from)
{
    if (to.base == LM_T_UNKNOWN || to.base == LM_T_VOID)
        return true;
    if (to.depth && from.depth)
        return to.space == from.space || (!from.space && !from.dims);
    if (to.depth && lm_type_is_float(from))
        return false;
    return !lm_type_is_vector(from) ||
           (!to.depth && to.width == from.width && to.base == from.base);
}

/* The operand with what stands before it. False: it is wrong. */
static bool unary(const struct lm_frame *f, struct lm_type *out)
{
    struct lm_type t = f->type;
    for (int i = f->n_prefixes - 1; i >= 0; i--) {
        bool known = t.base != LM_T_UNKNOWN;
        switch (f->prefixes[i]) {
        case '*':
            if (known && !t.depth)
                return false;
            t = lm_type_inner(t);
            break;
        case '&':
            t.depth++;
            t.dims = 0;
            break;
        case '!': {
            uint8_t lanes = known && !t.depth ? t.width : 1;
            t = lm_type_of(LM_T_INT);
            t.width = lanes;
            break;
        }
        case 's':
            t = lm_type_of(LM_T_ULONG);
            break;
        case 'c':
            if (known && !cast_fits(f->cast, t))
                return false;
            t = f->cast;
            break;
        default: /* - + ~ i */
            if (known && (t.depth || lm_type_is_record(t)) && f->prefixes[i] != 'i')
                return false;
            if (f->prefixes[i] == '~' && known && lm_type_is_float(t))
                return false;
            t.flags &= (uint8_t)~LM_TF_LITERAL;
        }
    }
    *out = t;
    return true;
}

static bool is_lvalue(const struct lm_frame *f)
{
    if (f->n_prefixes)
        return f->prefixes[0] == '*';
    return (f->flags & LM_FF_LVALUE) != 0;
}

/* Of the whole expression so far; unknown where it is not known. */
static struct lm_type value_of(const struct lm_frame *f, struct lm_type operand)
{
    if (f->flags & LM_FF_MIXED) {
        struct lm_type lanes = f->lanes ? lm_type_of(LM_T_INT) : unknown;
        lanes.width = f->lanes ? f->lanes : 1;
        return lanes;
    }
    return f->op ? lm_type_combine(f->whole, f->op, operand) : operand;
}

static bool is_bits_or_worse(int op)
{
    return op == '%' || op == '&' || op == '|' || op == '^' || op == LM_OP2('<', '<') ||
           op == LM_OP2('>', '>') || op == LM_OP2('%', '=') || op == LM_OP2('&', '=') ||
           op == LM_OP2('|', '=') || op == LM_OP2('^', '=') || op == LM_OP3('<', '<', '=') ||
           op == LM_OP3('>', '>', '=');
}

static bool takes_variable(const struct lm_frame *f, struct lm_type t)
{
    char before = last_prefix(f);
    bool plain = t.base != LM_T_UNKNOWN && !t.depth && t.base != LM_T_RECORD;
    if (plain && before == '*')
        return false;
    if (plain && lm_type_is_float(t) && (before == '~' || (!before && is_bits_or_worse(f->op))))
        return false;
    if (before == 'i' && plain && ((t.flags & LM_TF_CONST) || t.width > 1))
        return false;
    return true;
}

static bool is_statement_start(const struct lm_frame *f)
{
    bool statement = f->context == LM_X_STATEMENT || f->context == LM_X_FOR_STEP;
    return statement && !(f->flags & LM_FF_BEGUN);
}

static bool takes_names(const struct lm_parser *p, const struct lm_frame *f,
                        const struct lm_scope_lexeme *x)
{
    const struct lm_symbols *s = &p->symbols;
    int v = x->number[LM_NAME_VARIABLE], g = x->number[LM_NAME_GLOBAL],
        a = x->number[LM_NAME_FUNCTION];
    bool constant = (f->flags & LM_FF_CONSTANT) != 0;
    char before = last_prefix(f);
    if (v >= 0 && v < s->n_variables && !s->hidden[v])
        return !constant && takes_variable(f, s->variables[v]);
    if (g >= 0 && g < s->n_globals) {
        bool enumerator = (s->globals[g].flags & LM_TF_ENUMERATOR) != 0;
        if (enumerator)
            return before != '*' && before != '&' && before != 'i';
        bool address = before == '&' || (s->globals[g].dims && !p->words->opencl);
        return (!constant || address) && takes_variable(f, s->globals[g]);
    }
    if (a >= 0 && a < s->n_functions && !constant && before != '&' && before != 'i') {
        struct lm_type result = s->functions[a].result;
        bool nothing = result.base == LM_T_VOID && !result.depth;
        return nothing ? is_statement_start(f) : takes_variable(f, result);
    }
    return false;
}

static bool takes_word(const struct lm_parser *p, const struct lm_frame *f,
                       const struct lm_scope_lexeme *x)
{
    bool constant = (f->flags & LM_FF_CONSTANT) != 0, started = is_statement_start(f);
    char before = last_prefix(f);
    bool place = before == '&' || before == 'i';
    switch (x->word.class) {
    case LM_W_SIZEOF:
        return !started && before != '*' && !place && before != 's';
    case LM_W_FUNCTION:
        return !constant && !place &&
               (x->word.result != LM_R_TYPE || takes_variable(f, x->word.type));
    case LM_W_PROCEDURE:
        return started;
    case LM_W_CONSTANT:
        return !started && !place && before != '*';
    case LM_W_ANY_CALL:
        return !constant && !place && !started;
    case LM_W_NONE:
    case LM_W_COMPONENT: /* a variable may have its name */
        break;
    default:
        return f->context == LM_X_PAREN && !(f->flags & LM_FF_BEGUN) && lm_begins_type(p, x);
    }
    if (f->context == LM_X_PAREN && !(f->flags & LM_FF_BEGUN) && lm_begins_type(p, x))
        return true;
    return takes_names(p, f, x);
}

/* An expression that may be empty, and is. */
static bool ends_empty(const struct lm_parser *p, const struct lm_frame *f, int op)
{
    if (f->flags & LM_FF_BEGUN)
        return false;
    switch (f->context) {
    case LM_X_FOR_INIT:
    case LM_X_FOR_CONDITION:
        return op == ';';
    case LM_X_FOR_STEP:
        return op == ')';
    case LM_X_RETURN: {
        struct lm_type r = p->current >= 0 ? p->symbols.functions[p->current].result : unknown;
        return op == ';' && (r.base == LM_T_UNKNOWN || (r.base == LM_T_VOID && !r.depth));
    }
    case LM_X_CALL:
        return op == ')' && !f->args && f->arity <= 0;
    case LM_X_SIZE:
        return op == ']';
    case LM_X_LIST:
        return op == '}';
    default:
        return false;
    }
}

static bool takes_unary(const struct lm_frame *f, int op)
{
    char before = last_prefix(f);
    bool started = is_statement_start(f);
    bool room = f->n_prefixes < LM_MOST_PREFIXES;
    switch (op) {
    case '(':
        return before != 'i' || room;
    case '-':
    case '+':
        return room && !started && before != 'i' && before != '*' && before != '&' && before != op;
    case '!':
    case '~':
        return room && !started && before != 'i' && before != '*' && before != '&';
    case '*':
        return room && before != '&' && !(f->flags & LM_FF_CONSTANT);
    case '&':
        return room && !started && before != '&' && before != 'i' && before != '*' &&
               before != '-' && before != '~' && before != '+' && !is_bits_or_worse(f->op);
    case LM_OP2('+', '+'):
    case LM_OP2('-', '-'):
        return room && !(f->flags & LM_FF_CONSTANT) && before != '&' && before != 'i';
    default:
        return false;
    }
}

static bool decide_operand(const struct lm_parser *p, const struct lm_frame *f,
                           const struct lm_scope_lexeme *x)
{
    char before = last_prefix(f);
    bool begun = (f->flags & LM_FF_BEGUN) != 0, started = is_statement_start(f);
    if (x->kind == LM_SCOPE_OP && ends_empty(p, f, x->op))
        return true;
    if (f->context == LM_X_RETURN && ends_empty(p, f, ';'))
        return p->current < 0;
    if (f->context == LM_X_INIT && !begun && f->target.dims) /* 6.7.9p14, p16 */
        return lm_is_op(x, '{') ||
               (x->kind == LM_SCOPE_STRING && f->target.base <= LM_T_UCHAR && f->target.dims == 1);
    switch (x->kind) {
    case LM_SCOPE_NUMBER:
    case LM_SCOPE_CHAR:
        return !started && before != '*' && before != '&' && before != 'i';
    case LM_SCOPE_STRING:
        return !begun && !before &&
               (f->context == LM_X_CALL || f->context == LM_X_INIT || f->context == LM_X_LIST ||
                f->context == LM_X_RETURN) &&
               !(p->words->opencl && f->context != LM_X_CALL);
    case LM_SCOPE_WORD:
        return takes_word(p, f, x);
    case LM_SCOPE_OP:
        break;
    }
    if (x->op == '{')
        return (!begun && (f->context == LM_X_INIT || f->context == LM_X_LIST)) ||
               (before == 'c' && !p->words->opencl);
    if (x->op == '.')
        return !begun && f->context == LM_X_LIST && !(f->flags & LM_FF_CONSTANT) &&
               lm_type_is_record(f->target);
    return takes_unary(f, x->op);
}

/* -- operators --------------------------------------------------------------------------------- */

static const int binary_operators[] = {
    '*',
    '/',
    '%',
    '+',
    '-',
    '<',
    '>',
    '&',
    '|',
    '^',
    '?',
    LM_OP2('<', '<'),
    LM_OP2('>', '>'),
    LM_OP2('<', '='),
    LM_OP2('>', '='),
    LM_OP2('=', '='),
    LM_OP2('!', '='),
    LM_OP2('&', '&'),
    LM_OP2('|', '|'),
};
static const int assignments[] = {
    '=',
    LM_OP2('+', '='),
    LM_OP2('-', '='),
    LM_OP2('*', '='),
    LM_OP2('/', '='),
    LM_OP2('%', '='),
    LM_OP2('&', '='),
    LM_OP2('|', '='),
    LM_OP2('^', '='),
    LM_OP3('<', '<', '='),
    LM_OP3('>', '>', '='),
};

static bool is_in(int op, const int *table, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (table[i] == op)
            return true;
    return false;
}
#define IS_BINARY(op) is_in(op, binary_operators, sizeof binary_operators / sizeof(int))
#define IS_ASSIGNMENT(op) is_in(op, assignments, sizeof assignments / sizeof(int))

static bool is_comparison(int op)
{
    return op == '<' || op == '>' || op == '?' || op == LM_OP2('<', '=') ||
           op == LM_OP2('>', '=') || op == LM_OP2('=', '=') || op == LM_OP2('!', '=') ||
           op == LM_OP2('&', '&') || op == LM_OP2('|', '|');
}

static bool decide_postfix(const struct lm_frame *f, int op)
{
    struct lm_type t = f->type;
    bool is_unknown = t.base == LM_T_UNKNOWN;
    if (t.flags & LM_TF_LITERAL)
        return false;
    switch (op) {
    case '(':
        return (t.flags & LM_TF_CALLABLE) != 0;
    case '[':
        return is_unknown || (t.depth && !(t.base == LM_T_VOID && t.depth == 1)) ||
               lm_type_is_vector(t);
    case '.':
        return is_unknown || lm_type_is_record(t) || lm_type_is_vector(t);
    case LM_OP2('-', '>'):
        return is_unknown || ((t.base == LM_T_RECORD || t.width > 1) && t.depth == 1);
    case LM_OP2('+', '+'):
    case LM_OP2('-', '-'):
        return (f->flags & LM_FF_LVALUE) && last_prefix(f) != 'i' && last_prefix(f) != '&' &&
               (is_unknown || (!t.dims && !lm_type_is_record(t) && !lm_type_is_vector(t) &&
                               (t.depth || (!(t.flags & LM_TF_CONST) && t.base != LM_T_OPAQUE))));
    default:
        return false;
    }
}

static bool decide_assignment(const struct lm_frame *f, int op, struct lm_type u)
{
    if ((f->flags & (LM_FF_BINARY | LM_FF_CONSTANT)) || f->ternary || !is_lvalue(f) || f->op)
        return false;
    if (u.base == LM_T_UNKNOWN)
        return true;
    if (u.dims || u.base == LM_T_OPAQUE || (!u.depth && (u.flags & LM_TF_CONST)))
        return false;
    if (op == '=')
        return true;
    if (lm_type_is_record(u) || (u.depth && op != LM_OP2('+', '=') && op != LM_OP2('-', '=')))
        return false;
    return !(lm_type_is_float(u) && is_bits_or_worse(op));
}

static bool decide_binary(const struct lm_frame *f, int op, struct lm_type u)
{
    bool known = u.base != LM_T_UNKNOWN;
    if (known && (lm_type_is_record(u) || (!u.depth && u.base == LM_T_VOID)))
        return false;
    if (known && u.base == LM_T_OPAQUE && !u.depth)
        return false;
    if (known && lm_type_is_float(u) && is_bits_or_worse(op))
        return (f->flags & LM_FF_MIXED) && op != '%' && op != LM_OP2('<', '<') &&
               op != LM_OP2('>', '>');
    if (known && u.depth && (is_bits_or_worse(op) || op == '*' || op == '/'))
        return false;
    /* `p + 1 << 2`: what binds less than a sum meets all of it */
    struct lm_type value = value_of(f, u);
    return !(value.depth && is_bits_or_worse(op) && op != '%');
}

/* Which lexemes end an expression of this context. */
static bool is_end(const struct lm_frame *f, int op)
{
    static const char ends[][3] = {
        [LM_X_STATEMENT] = ";", [LM_X_RETURN] = ";",        [LM_X_FOR_INIT] = ";",
        [LM_X_CASE] = ":",      [LM_X_FOR_CONDITION] = ";", [LM_X_PAREN] = ")",
        [LM_X_CONDITION] = ")", [LM_X_SWITCH] = ")",        [LM_X_DO] = ")",
        [LM_X_FOR_STEP] = ")",  [LM_X_VECTOR] = "),",       [LM_X_CALL] = "),",
        [LM_X_INDEX] = "]",     [LM_X_SIZE] = "]",          [LM_X_DESIGNATOR] = "]",
        [LM_X_INIT] = ",;",     [LM_X_BITS] = ",;",         [LM_X_ENUM] = ",}",
        [LM_X_LIST] = ",}"};
    return op && (op == ends[f->context][0] || op == ends[f->context][1]);
}

static bool decide_end(const struct lm_frame *f, int op, struct lm_type value)
{
    bool known = value.base != LM_T_UNKNOWN;
    if (f->ternary)
        return false;
    switch (f->context) {
    case LM_X_CALL:
        if (f->arity >= 0 && (op == ',' ? f->args + 1 >= f->arity : f->args + 1 != f->arity))
            return false;
        return lm_type_fits(f->target, value) && lm_argument_fits(f, op == ')', value) &&
               !(known && value.base == LM_T_VOID && !value.depth);
    case LM_X_VECTOR: /* one for all lanes, or together as many as there are */
        if (known && (value.depth || value.width > f->arity - f->args))
            return false;
        if (!known)
            return true;
        return op == ',' ? f->args + value.width < f->arity
                         : f->args + value.width == f->arity || (!f->args && value.width == 1);
    case LM_X_INDEX:
    case LM_X_SIZE:
    case LM_X_SWITCH:
    case LM_X_CASE:
    case LM_X_BITS:
    case LM_X_ENUM:
        return !known || (!value.depth && value.width == 1 && !lm_type_is_float(value) &&
                          value.base != LM_T_RECORD);
    case LM_X_CONDITION:
    case LM_X_DO:
    case LM_X_FOR_CONDITION:
        return !known || (!lm_type_is_vector(value) && !lm_type_is_record(value) &&
                          (value.depth || value.base != LM_T_VOID));
    case LM_X_STATEMENT:
    case LM_X_PAREN:
    case LM_X_FOR_INIT:
    case LM_X_FOR_STEP:
        return true;
    default:
        return lm_type_fits(f->target, value);
    }
}

static bool is_comma_context(const struct lm_frame *f)
{
    return f->context == LM_X_STATEMENT || f->context == LM_X_FOR_INIT ||
           f->context == LM_X_FOR_STEP || f->context == LM_X_PAREN;
}

static bool decide_operator(const struct lm_frame *f, int op)
{
    struct lm_type u;
    bool casts = memchr(f->prefixes, 'c', f->n_prefixes) != NULL;
    if (decide_postfix(f, op))
        return true;
    if (!unary(f, &u))
        return false;
    if (IS_ASSIGNMENT(op))
        return !(casts && f->prefixes[0] == 'c') && decide_assignment(f, op, u);
    bool binds_tighter = IS_ASSIGNMENT(f->op) && IS_BINARY(op); /* a += b > c */
    if (f->op && !binds_tighter && lm_type_clash(f->whole, f->op, u))
        return false;
    struct lm_type value = value_of(f, u);
    if (IS_BINARY(op))
        return decide_binary(f, op, u);
    if (op == ':' && f->ternary)
        return true;
    if (op == ',' && is_comma_context(f))
        return !f->ternary;
    if (!is_end(f, op))
        return false;
    if (f->target.base != LM_T_UNKNOWN && f->context != LM_X_CALL && f->context != LM_X_INDEX &&
        !lm_type_fits(f->target, value) && f->context != LM_X_VECTOR)
        return false;
    return decide_end(f, op, value);
}

static bool decide_member(const struct lm_parser *p, const struct lm_frame *f,
                          const struct lm_scope_lexeme *x)
{
    int m = x->number[LM_NAME_MEMBER], lanes;
    if (x->kind != LM_SCOPE_WORD)
        return false;
    if (f->type.base == LM_T_RECORD)
        return f->type.record < 0 ? m >= 0
                                  : m >= 0 && m < p->symbols.record_members[f->type.record];
    int width = f->type.base == LM_T_UNKNOWN ? 0 : f->type.width;
    return (x->size && lm_component(x->text, x->size, width, true, &lanes)) ||
           (f->type.base == LM_T_UNKNOWN && m >= 0 && m < 26);
}

bool lm_decide_expr(const struct lm_parser *p, const struct lm_frame *f,
                    const struct lm_scope_lexeme *x)
{
    switch (f->at) {
    case LM_E_OPERAND:
        return decide_operand(p, f, x);
    case LM_E_MEMBER:
        return decide_member(p, f, x);
    case LM_E_CALLEE:
        return lm_is_op(x, '(');
    default:
        return x->kind == LM_SCOPE_OP && decide_operator(f, x->op);
    }
}

/* -- what is done ------------------------------------------------------------------------------ */

static void complete(struct lm_frame *f, struct lm_type t, bool lvalue)
{
    f->at = LM_E_OPERATOR;
    f->type = t;
    f->flags &= (uint16_t)~LM_FF_LVALUE;
    if (lvalue)
        f->flags |= LM_FF_LVALUE;
}

static void call(struct lm_frame *f, int function, int arity, enum lm_result result,
                 struct lm_type type)
{
    f->at = LM_E_CALLEE;
    f->next_takes = LM_A_ANY;
    f->function = (int16_t)function;
    f->record = (int16_t)arity; /* of the callee; its own are those of a call that it is in */
    f->result = (uint8_t)result;
    f->type = result == LM_R_TYPE ? type : unknown;
}

static void call_library(const struct lm_parser *p, struct lm_frame *f, const struct lm_word *w)
{
    call(f, -1, w->arity, (enum lm_result)w->result, w->type);
    f->next_takes = p->words->opencl ? w->takes : LM_A_ANY;
    f->next_lanes = w->takes == LM_A_STORE || w->takes == LM_A_LOAD ? w->type.width : 1;
}

enum { ANY_CALL = -100 };

/* Neither an array nor a struct, whatever it is. */
static struct lm_type constant_type(struct lm_type t)
{
    t.flags |= LM_TF_LITERAL;
    return t;
}

static void perform_word(struct lm_parser *p, struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    const struct lm_symbols *s = &p->symbols;
    int v = x->number[LM_NAME_VARIABLE], g = x->number[LM_NAME_GLOBAL],
        a = x->number[LM_NAME_FUNCTION];
    bool first = f->context == LM_X_PAREN && !(f->flags & LM_FF_BEGUN);
    bool named = x->word.class == LM_W_NONE || x->word.class == LM_W_COMPONENT;
    if (first && lm_begins_type(p, x)) {
        *f = (struct lm_frame){.kind = LM_F_DECL, .context = LM_C_CAST, .record = -1, .name = -1};
        f->type = f->whole = unknown;
        lm_perform(p, x);
        return;
    }
    f->flags |= LM_FF_BEGUN;
    if (x->word.class == LM_W_SIZEOF)
        f->prefixes[f->n_prefixes < LM_MOST_PREFIXES ? f->n_prefixes++ : LM_MOST_PREFIXES - 1] =
            's';
    else if (x->word.class == LM_W_FUNCTION || x->word.class == LM_W_PROCEDURE)
        call_library(p, f, &x->word);
    else if (x->word.class == LM_W_ANY_CALL)
        call(f, ANY_CALL, -1, LM_R_UNKNOWN, unknown);
    else if (x->word.class == LM_W_CONSTANT)
        complete(f, constant_type(x->word.type), false);
    else if (named && v >= 0 && v < s->n_variables && !s->hidden[v])
        complete(f, s->variables[v], true);
    else if (named && g >= 0 && g < s->n_globals)
        complete(f, s->globals[g], !(s->globals[g].flags & LM_TF_ENUMERATOR));
    else if (named && a >= 0 && a < s->n_functions)
        call(f, a, s->functions[a].arity, LM_R_TYPE, s->functions[a].result);
}

static struct lm_type number_type(const struct lm_scope_lexeme *x)
{
    bool hex = x->size > 1 && x->text[0] == '0' && (x->text[1] == 'x' || x->text[1] == 'X');
    bool real = memchr(x->text, '.', x->size) || memchr(x->text, 'p', x->size) ||
                (!hex && (memchr(x->text, 'e', x->size) || memchr(x->text, 'f', x->size) ||
                          memchr(x->text, 'E', x->size) || memchr(x->text, 'F', x->size)));
    bool single = real && !hex && (memchr(x->text, 'f', x->size) || memchr(x->text, 'F', x->size));
    bool wide = !real && (memchr(x->text, 'l', x->size) || memchr(x->text, 'L', x->size));
    bool whole = !real && (memchr(x->text, 'u', x->size) || memchr(x->text, 'U', x->size));
    struct lm_type t = lm_type_of(real    ? single ? LM_T_FLOAT : LM_T_DOUBLE
                                  : wide  ? whole ? LM_T_ULONG : LM_T_LONG
                                  : whole ? LM_T_UINT
                                          : LM_T_INT);
    t.flags = LM_TF_LITERAL;
    return t;
}

static void push_arguments(struct lm_parser *p, struct lm_frame *f)
{
    int function = f->function, arity = f->record;
    uint8_t takes = f->next_takes, lanes = f->next_lanes;
    if (function == ANY_CALL) {
        complete(f, unknown, false);
        lm_push(p, LM_F_FREE)->op = 1;
        return;
    }
    bool typed = function >= 0 && arity > 0;
    lm_push_expr(p, LM_X_CALL, typed ? p->symbols.functions[function].params[0] : unknown);
    f = lm_top(p);
    f->function = (int16_t)function;
    f->arity = (int16_t)arity;
    f->takes = takes;
    f->agreed = unknown;
    f->agreed.width = lanes;
}

static void perform_operand_op(struct lm_parser *p, struct lm_frame *f, int op)
{
    if (ends_empty(p, f, op)) {
        struct lm_frame gone = *f;
        lm_pop(p);
        lm_expr_ended(p, &gone, op);
        return;
    }
    bool list = op == '{' && last_prefix(f) != 'c';
    f->flags |= LM_FF_BEGUN;
    if (list) {
        struct lm_type target = f->target;
        uint16_t flags = f->flags & LM_FF_CONSTANT;
        uint8_t context = f->context;
        *f = (struct lm_frame){.kind = LM_F_LIST, .context = context, .flags = flags};
        f->target = target;
        f->record = 0;
        struct lm_type element = unknown;
        lm_push_expr(p, LM_X_LIST, element);
    } else if (op == '{') {
        struct lm_frame *l = lm_push(p, LM_F_LIST);
        l->context = LM_X_PAREN; /* a compound literal */
        lm_push_expr(p, LM_X_LIST, unknown);
    } else if (op == '.') {
        f->at = LM_E_MEMBER;
        f->type = f->target;
        f->target = unknown;
    } else if (op == '(') {
        bool vector = last_prefix(f) == 'c' && lm_type_is_vector(f->cast);
        int width = f->cast.width;
        lm_push_expr(p, vector ? LM_X_VECTOR : LM_X_PAREN, unknown);
        if (vector)
            lm_top(p)->arity = (int16_t)width;
    } else if (f->n_prefixes < LM_MOST_PREFIXES) {
        f->prefixes[f->n_prefixes++] = (char)(op > 255 ? 'i' : op);
    }
}

static void next_operand(struct lm_frame *f, int op)
{
    f->op = op;
    f->n_prefixes = 0;
    f->at = LM_E_OPERAND;
    f->type = unknown;
    f->flags &= (uint16_t)~LM_FF_LVALUE;
}

static void perform_binary(struct lm_frame *f, int op, struct lm_type u)
{
    struct lm_type value = value_of(f, u);
    f->whole = value;
    f->flags |= LM_FF_BINARY;
    if (is_comparison(op)) {
        f->flags |= LM_FF_MIXED;
        if (lm_type_is_vector(value) && value.width > f->lanes)
            f->lanes = value.width;
    }
    if (op == '?') {
        f->ternary++;
        f->lanes = 0; /* the type is that of what follows */
    }
    next_operand(f, is_comparison(op) ? 0 : op);
}

static void perform_end(struct lm_parser *p, struct lm_frame *f, int op, struct lm_type value)
{
    bool call_goes_on = f->context == LM_X_CALL && op == ',';
    bool vector_goes_on = f->context == LM_X_VECTOR && op == ',';
    if (f->context == LM_X_CALL && !f->args) {
        struct lm_frame *caller = &p->frames[p->n_frames - 2];
        if (caller->result == LM_R_FIRST || caller->result == LM_R_ELEMENT) {
            caller->type = value.flags & LM_TF_LITERAL ? unknown : value;
            if (caller->result == LM_R_ELEMENT)
                caller->type.width = 1;
        }
    }
    if (f->context == LM_X_CALL && f->takes == LM_A_LOAD && f->args) {
        struct lm_frame *caller = &p->frames[p->n_frames - 2];
        caller->type = lm_type_of((enum lm_base)value.base);
        caller->type.width = f->agreed.width;
    }
    if (call_goes_on)
        lm_argument_ended(f, value);
    if (call_goes_on || vector_goes_on) {
        f->args = (int16_t)(f->args + (vector_goes_on && value.base ? value.width : 1));
        f->flags &= (uint16_t) ~(LM_FF_BINARY | LM_FF_MIXED | LM_FF_BEGUN);
        f->lanes = 0;
        next_operand(f, 0);
        bool typed =
            call_goes_on && f->function >= 0 && f->args < LM_MOST_PARAMS && f->args < f->arity;
        f->target = typed ? p->symbols.functions[f->function].params[f->args] : unknown;
        return;
    }
    struct lm_frame gone = *f;
    gone.type = value;
    if (f->flags & LM_FF_BINARY || !is_lvalue(f))
        gone.flags &= (uint16_t)~LM_FF_LVALUE;
    else
        gone.flags |= LM_FF_LVALUE;
    lm_pop(p);
    lm_expr_ended(p, &gone, op);
}

static void perform_postfix(struct lm_parser *p, struct lm_frame *f, int op)
{
    if (op == '(') {
        call(f, -1, -1, LM_R_UNKNOWN, unknown);
        push_arguments(p, f);
    } else if (op == '[') {
        lm_push_expr(p, LM_X_INDEX, unknown);
    } else if (op == '.') {
        f->at = LM_E_MEMBER;
    } else if (op == LM_OP2('-', '>')) {
        f->at = LM_E_MEMBER;
        f->type = lm_type_inner(f->type);
        f->flags |= LM_FF_LVALUE;
    } else {
        f->flags &= (uint16_t)~LM_FF_LVALUE;
        f->type.flags |= LM_TF_LITERAL;
    }
}

static void perform_operator(struct lm_parser *p, struct lm_frame *f, int op)
{
    struct lm_type u = unknown;
    if (decide_postfix(f, op)) {
        perform_postfix(p, f, op);
        return;
    }
    unary(f, &u);
    if (IS_ASSIGNMENT(op)) {
        f->target = u;
        f->whole = u;
        next_operand(f, op == '=' ? 0 : op);
    } else if (IS_BINARY(op)) {
        perform_binary(f, op, u);
    } else if (op == ':' && f->ternary) {
        f->ternary--;
        f->flags |= LM_FF_MIXED;
        next_operand(f, 0);
    } else if (op == ',' && is_comma_context(f)) {
        f->flags &= (uint16_t) ~(LM_FF_BINARY | LM_FF_MIXED);
        f->target = unknown;
        next_operand(f, 0);
    } else {
        perform_end(p, f, op, value_of(f, u));
    }
}

static void perform_member(struct lm_parser *p, struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    struct lm_type t = unknown, of = f->type;
    int m = x->number[LM_NAME_MEMBER], seen = 0, lanes = 1;
    if (of.base == LM_T_RECORD) {
        for (int i = 0; i < p->symbols.n_members; i++)
            if (p->symbols.members[i].record == of.record && seen++ == m)
                t = p->symbols.members[i].type;
        t.flags |= of.flags & LM_TF_CONST;
    } else if (of.base != LM_T_UNKNOWN && lm_component(x->text, x->size, of.width, true, &lanes)) {
        t = of;
        t.width = (uint8_t)lanes;
    }
    complete(f, t, (f->flags & LM_FF_LVALUE) || f->context == LM_X_LIST);
}

void lm_perform_expr(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    struct lm_frame *f = lm_top(p);
    struct lm_type text = lm_type_of(LM_T_CHAR);
    if (f->at == LM_E_MEMBER) {
        perform_member(p, f, x);
    } else if (f->at == LM_E_CALLEE) {
        push_arguments(p, f);
    } else if (f->at == LM_E_OPERATOR) {
        perform_operator(p, f, x->op);
    } else if (x->kind == LM_SCOPE_WORD) {
        perform_word(p, f, x);
    } else if (x->kind == LM_SCOPE_OP) {
        perform_operand_op(p, f, x->op);
    } else {
        f->flags |= LM_FF_BEGUN;
        text.depth = 1;
        complete(f, x->kind == LM_SCOPE_STRING ? text : number_type(x), false);
    }
}

/* -- back in what contains it ------------------------------------------------------------------ */

void lm_cast_ended(struct lm_parser *p, const struct lm_frame *decl)
{
    struct lm_frame *f = lm_top(p);
    if (last_prefix(f) == 's') {
        complete(f, lm_type_of(LM_T_ULONG), false);
        return;
    }
    if (!memchr(f->prefixes, 'c', f->n_prefixes))
        f->cast = decl->whole;
    if (f->n_prefixes < LM_MOST_PREFIXES)
        f->prefixes[f->n_prefixes++] = 'c';
}

/* A part in brackets has ended: the operand of the expression around it goes on. */
void lm_part_ended(struct lm_parser *p, const struct lm_frame *part)
{
    struct lm_frame *f = lm_top(p);
    struct lm_type t = f->type;
    switch (part->context) {
    case LM_X_CALL:
        complete(f, t, false);
        break;
    case LM_X_INDEX:
        if (t.depth) {
            t = lm_type_inner(t);
        } else {
            t.width = 1;
        }
        complete(f, t, true);
        break;
    case LM_X_VECTOR:
        f->n_prefixes--;
        complete(f, f->cast, false);
        break;
    default:
        t = part->type;
        t.flags &= (uint8_t)~LM_TF_LITERAL;
        complete(f, t, (part->flags & LM_FF_LVALUE) != 0);
    }
}
