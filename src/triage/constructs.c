/* What a program makes a compiler do.
 *
 * A reduced program that shows a fault has little left but what the fault needs: an operator with
 * operands of certain types, a conversion, a kind of statement, an access. Names, values and the
 * shape around it are accident. So each thing that its tree does is noted at several depths:
 * "shift", "shift of a narrow unsigned", ">>". Two reductions of one fault then agree at some depth
 * even where one has `<` and the other `>=`, or a char and a short.
 *
 * A tree is there while a program is reduced; what is noted of it is written down then, and travels
 * with the program. Of a program without a tree (another language, a text that cannot be imported)
 * the constructs are the words that are no names, and pairs of neighbours. */
#include "triage/constructs.h"
#include "base/vec.h"
#include "cc/build.h"
#include "cc/builtin.h"
#include "cc/walk.h"
#include "triage/triage_internal.h"

#include <stdlib.h>
#include <string.h>

/* How much a construct says about the fault, and the letter by which it is written. What stands in
 * nearly every program says little. */
#define STRENGTHS(X)                                                                               \
    X(CLASS, 'c', 3)      /* the class of an operator: shift, compare */                           \
    X(TYPED, 't', 3)      /* with the kind of its operands */                                      \
    X(EXACT, 'e', 1)      /* the very operator, the very type */                                   \
    X(CONVERSION, 'v', 2) /* of a value to another type, by class */                               \
    X(CONTROL, 's', 3)    /* statements that compilers rarely see here */                          \
    X(COMMON, 'm', 1)     /* statements and accesses that many programs have */                    \
    X(ACCESS, 'a', 2)     /* bit-fields, unions, volatile objects */                               \
    X(DETAIL, 'd', 0.5F)  /* storage, types of declarations, kinds of operands */                  \
    X(NESTED, 'n', 0)     /* what is done with what: for predictors (spectrum.c), not likeness */

enum strength {
#define X(id, letter, weight) id,
    STRENGTHS(X)
#undef X
};

static const struct {
    char letter;
    float weight;
} strengths[] = {
#define X(id, letter, weight) {letter, weight},
    STRENGTHS(X)
#undef X
};

enum { N_STRENGTHS = sizeof strengths / sizeof *strengths, CONSTRUCT_MOST = 96 /* cut behind */ };

/* In the header of a for loop it counts so much: it counts, as all of them do. */
static const float in_header = 0.25F;

struct reading {
    const struct cc_program *program;
    struct strbuf *out;
    struct map seen;                /* what was noted */
    bool header;                    /* of a for loop */
    int loops;                      /* around what is read */
    const struct cc_func *function; /* whose body is read */
};

/* What an expression yields, and where that stands. */
struct seen {
    const struct cc_type *type; /* ahead of the conversions that C makes by itself */
    const char *where;          /* "element", "member"; NULL: a variable, or no object */
    const char *by;             /* what was done to get it; NULL: nothing */
    bool constant;
};

static struct seen read_expr(struct reading *r, const struct cc_expr *e, bool idle);
static void read_stmt(struct reading *r, const struct cc_stmt *s);

static void note(struct reading *r, enum strength s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line, once: the letter, large in the header of a loop, and the name. */
static void note(struct reading *r, enum strength s, const char *format, ...)
{
    char line[CONSTRUCT_MOST + 1] = {(char)(strengths[s].letter - (r->header ? 'a' - 'A' : 0))};
    va_list args;
    va_start(args, format);
    vsnprintf(line + 1, sizeof line - 1, format, args);
    va_end(args);
    bool added;
    map_put_str(&r->seen, line, &added);
    if (added)
        strbuf_addf(r->out, "%s\n", line);
}

/* -- types ------------------------------------------------------------------------------------- */

static const struct base {
    const char *name, *group;
} bases[CC_N_KINDS] = {
    [CC_VOID] = {"void", "void"},
    [CC_BOOL] = {"bool", "bool"},
    [CC_CHAR] = {"s8", "narrow"},
    [CC_SCHAR] = {"s8", "narrow"},
    [CC_UCHAR] = {"u8", "narrow unsigned"},
    [CC_SHORT] = {"s16", "narrow"},
    [CC_USHORT] = {"u16", "narrow unsigned"},
    [CC_INT] = {"s32", "int"},
    [CC_UINT] = {"u32", "unsigned"},
    [CC_LONG] = {"s64", "long"},
    [CC_ULONG] = {"u64", "unsigned long"},
    [CC_LLONG] = {"s64", "long"},
    [CC_ULLONG] = {"u64", "unsigned long"},
    [CC_INT128] = {"s128", "wide"},
    [CC_UINT128] = {"u128", "wide"},
    [CC_FLOAT] = {"f32", "float"},
    [CC_DOUBLE] = {"f64", "float"},
    [CC_ENUM] = {"s32", "int"},
    [CC_POINTER] = {"pointer", "pointer"},
    [CC_ARRAY] = {"pointer", "pointer"},
    [CC_VECTOR] = {"vector", "vector"},
    [CC_STRUCT] = {"record", "record"},
    [CC_UNION] = {"union", "record"},
    [CC_FUNCTION] = {"pointer", "pointer"},
};

static const char *group_of(const struct cc_type *t)
{
    return bases[t->kind].group;
}

static bool same_base(const struct cc_type *x, const struct cc_type *y)
{
    return !strcmp(bases[x->kind].name, bases[y->kind].name);
}

static bool is_address(const struct cc_type *t)
{
    return !strcmp(bases[t->kind].name, "pointer");
}

static const struct cc_type *innermost(const struct cc_type *t)
{
    while (is_address(t))
        t = t->to;
    return t;
}

/* A value becomes one of another type, by assignment, return, argument or cast. */
static void note_conversion(struct reading *r, const struct seen *v, const struct cc_type *to)
{
    const struct cc_type *from = v->type;
    if (v->constant || same_base(from, to) || to->kind == CC_VOID)
        return;
    bool integers = cc_is_integer(from) && cc_is_integer(to);
    const char *class = cc_is_float(from) && cc_is_float(to)       ? "between floats"
                        : cc_is_float(from) && to->kind != CC_BOOL ? "float to integer"
                        : cc_is_float(to)                          ? "integer to float"
                        : to->kind == CC_BOOL                      ? "to bool"
                        : !integers                                ? "of another kind"
                        : to->size < from->size                    ? "to a narrower"
                        : to->size == from->size                   ? "of the sign"
                        : from->is_signed && from->kind != CC_BOOL ? "to a wider, signed"
                                                                   : "to a wider, unsigned";
    bool rare = cc_is_float(from) || cc_is_float(to) || to->kind == CC_BOOL;
    note(r, rare ? CLASS : CONVERSION, "conversion %s", class);
    note(r, EXACT, "conversion %s > %s", group_of(from), group_of(to));
}

/* -- expressions ------------------------------------------------------------------------------- */

/* An operation on the result of another one. */
static void note_nested(struct reading *r, const char *class, const struct seen *operand)
{
    if (!operand->by)
        return;
    note(r, NESTED, "%s of an operation", class);
    note(r, NESTED, "%s of %s", class, operand->by);
}

/* What changes an object does so wherever it stands; most often its value is not asked for. */
static void note_used(struct reading *r, const char *what, bool idle)
{
    if (!idle)
        note(r, NESTED, "%s as a value", what);
}

static void note_volatile(struct reading *r, const struct cc_type *t)
{
    if (t->quals & CC_VOLATILE && t->kind != CC_ARRAY)
        note(r, ACCESS, "access to a volatile");
}

static void read_initialiser(struct reading *r, const struct cc_expr *e, const struct cc_type *type)
{
    if (e->kind != CC_E_LIST) {
        struct seen v = read_expr(r, e, false);
        note_conversion(r, &v, type);
        if (cc_is_record(type))
            note(r, TYPED, "copy of a record");
        return;
    }
    int lists = 0;
    for (uint32_t i = 0; i < e->n_args; i++) {
        lists += e->args[i]->kind == CC_E_LIST;
        read_initialiser(r, e->args[i], e->args[i]->type);
    }
    if (lists)
        note(r, NESTED, "list of %s", lists > 1 ? "several lists" : "one list");
}

static bool is_called(const struct cc_expr *e, const char *name)
{
    return e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC &&
           !strcmp(e->callee->func->name, name);
}

static struct seen read_call(struct reading *r, const struct cc_expr *e)
{
    bool print = is_called(e, "printf");
    for (uint32_t i = 0; i < e->n_args; i++) {
        struct seen v = read_expr(r, e->args[i], false);
        if (!print)
            note_nested(r, "argument", &v);
        if (!print && cc_is_record(v.type))
            note(r, TYPED, "record as argument");
    }
    struct seen out = {.type = e->type, .by = "call"};
    if (print)
        return (struct seen){.type = e->type};
    if (e->n_args > 6)
        note(r, TYPED, "more than six arguments");
    if (e->kind == CC_E_BUILTIN) {
        note(r, CONTROL, "call of %s", cc_builtins[e->field].name);
        return out;
    }
    note(r, COMMON, "call");
    if (e->callee->kind != CC_E_FUNC) {
        read_expr(r, e->callee, false);
        note(r, CONTROL, "call through a pointer");
    } else if (e->callee->func == r->function) {
        note(r, CONTROL, "recursion");
    }
    return out;
}

static void note_unary(struct reading *r, const char *class, const char *exact,
                       const struct seen *v)
{
    bool increments = !strcmp(class, "increment");
    bool dull = v->type->kind == CC_INT && increments;
    note(r, dull ? COMMON : CLASS, "%s", class);
    note(r, dull ? COMMON : TYPED, "%s of %s", class, group_of(v->type));
    note(r, dull ? DETAIL : EXACT, "%s", exact);
    if (v->where && increments)
        note(r, ACCESS, "increment of %s", v->where);
    note_nested(r, exact, v);
}

static struct seen read_unary(struct reading *r, const struct cc_expr *e)
{
    struct seen v = read_expr(r, e->a, false);
    if (e->op == CC_NOT) {
        note_unary(r, "logic", "not", &v);
        return (struct seen){.type = e->type, .by = "not"};
    }
    if (v.constant && e->op != CC_COMPL)
        return v;
    note_unary(r, "negation", e->op == CC_COMPL ? "complement" : "minus", &v);
    return (struct seen){.type = e->type, .by = "negation"};
}

static struct seen read_increment(struct reading *r, const struct cc_expr *e, bool idle)
{
    struct seen v = read_expr(r, e->a, false);
    note_unary(r, "increment", e->postfix ? "postfix" : "prefix", &v);
    note_used(r, "increment", idle);
    if (!e->postfix)
        note_used(r, "prefix increment", idle);
    v.by = "increment";
    return v;
}

static const char *const class_of[CC_N_OP] = {
    [CC_MUL] = "multiplication", [CC_DIV] = "division",  [CC_REM] = "remainder",
    [CC_ADD] = "addition",       [CC_SUB] = "addition",  [CC_SHL] = "shift left",
    [CC_SHR] = "shift right",    [CC_AND] = "bits",      [CC_OR] = "bits",
    [CC_XOR] = "bits",           [CC_LT] = "comparison", [CC_GT] = "comparison",
    [CC_LE] = "comparison",      [CC_GE] = "comparison", [CC_EQ] = "equality",
    [CC_NE] = "equality",        [CC_LAND] = "logic",    [CC_LOR] = "logic",
};

/* x op y, computed in type `in`. */
static void note_binary(struct reading *r, enum cc_op op, const struct cc_type *in,
                        const struct seen *x, const struct seen *y)
{
    const char *class = class_of[op];
    bool shift = op == CC_SHL || op == CC_SHR, logic = op == CC_LAND || op == CC_LOR;
    bool dull = in->kind == CC_INT && (cc_is_comparison(op) || op == CC_ADD || op == CC_SUB);
    note(r, dull ? COMMON : CLASS, "%s", class);
    if (!logic)
        note(r, dull ? COMMON : TYPED, "%s in %s", class, group_of(in));
    if (!x->constant && !same_base(x->type, in))
        note(r, TYPED, "%s of %s", class, group_of(x->type));
    if (!y->constant && !same_base(y->type, in) && !shift)
        note(r, TYPED, "%s of %s", class, group_of(y->type));
    note(r, EXACT, "%s", cc_op_text[op]);
    if (y->constant || x->constant)
        note(r, DETAIL, "%s with a constant", class);
    note_nested(r, class, x);
    note_nested(r, class, y);
}

/* What the operands are after C's own conversions; an address on either side decides. */
static const struct cc_type *computed_in(const struct cc_expr *a, const struct cc_expr *b)
{
    return is_address(b->type) && !is_address(a->type) ? b->type : a->type;
}

static struct seen read_binary(struct reading *r, const struct cc_expr *e)
{
    struct seen x = read_expr(r, e->a, false), y = read_expr(r, e->b, false);
    note_binary(r, e->op, computed_in(e->a, e->b), &x, &y);
    return (struct seen){
        .type = e->type, .by = class_of[e->op], .constant = x.constant && y.constant};
}

static struct seen read_conditional(struct reading *r, const struct cc_expr *e)
{
    bool elvis = e->kind == CC_E_ELVIS;
    struct seen c = read_expr(r, e->a, false), x = elvis ? c : read_expr(r, e->b, false);
    struct seen y = read_expr(r, elvis ? e->b : e->c, false);
    note(r, CONTROL, "conditional");
    note(r, TYPED, "conditional in %s", group_of(e->type));
    if (!same_base(x.type, y.type))
        note(r, TYPED, "conditional with different types");
    note_nested(r, "condition", &c);
    note_nested(r, "conditional", &x);
    note_nested(r, "conditional", &y);
    return (struct seen){.type = e->type, .by = "conditional"};
}

static struct seen read_assignment(struct reading *r, const struct cc_expr *e, bool idle)
{
    struct seen x = read_expr(r, e->a, false), y = read_expr(r, e->b, false);
    note_used(r, "assignment", idle);
    if (e->op != CC_NONE) {
        const struct cc_type *in =
            is_address(e->a->type) ? e->a->type : cc_assign_type(r->program, e);
        struct seen v = {.type = in, .constant = x.constant && y.constant};
        note(r, COMMON, "assignment by an operator");
        note(r, ACCESS, "assignment to %s by %s", x.where ? x.where : "variable", class_of[e->op]);
        note_nested(r, "assignment by an operator", &y);
        note_binary(r, e->op, in, &x, &y);
        note_conversion(r, &v, x.type);
        return x;
    }
    note(r, DETAIL, "assignment");
    note_nested(r, "assignment", &y);
    if (cc_is_record(x.type))
        note(r, TYPED, "copy of a record");
    note_conversion(r, &y, x.type);
    return x;
}

static struct seen read_element(struct reading *r, const struct cc_expr *e)
{
    read_expr(r, e->a, false);
    struct seen index = read_expr(r, e->b, false);
    note(r, COMMON, "element");
    note_nested(r, "index", &index);
    if (!index.constant)
        note(r, COMMON, "element by a variable");
    if (e->type->kind == CC_ARRAY)
        note(r, COMMON, "element of an element");
    note_volatile(r, e->type);
    return (struct seen){.type = e->type, .where = "element"};
}

static struct seen read_member(struct reading *r, const struct cc_expr *e)
{
    bool arrow = e->a->kind == CC_E_DEREF;
    const struct cc_record *record = e->a->type->record;
    read_expr(r, arrow ? e->a->a : e->a, false);
    note(r, COMMON, "member");
    if (arrow)
        note(r, DETAIL, "->");
    if (record->fields[e->field].bits >= 0)
        note(r, ACCESS, "access to a bit-field");
    if (record->is_union)
        note(r, ACCESS, "access to a union");
    note_volatile(r, e->type);
    return (struct seen){.type = e->type, .where = "member"};
}

static struct seen read_cast(struct reading *r, const struct cc_expr *e, bool idle)
{
    struct seen v = read_expr(r, e->a, idle && e->implicit);
    if (e->implicit)
        return v;
    note(r, DETAIL, "cast");
    note_nested(r, "cast", &v);
    note_conversion(r, &v, e->type);
    return (struct seen){.type = e->type, .by = "cast", .constant = v.constant};
}

/* `idle`: its value is not asked for. */
static struct seen read_expr(struct reading *r, const struct cc_expr *e, bool idle)
{
    struct seen plain = {.type = e->type};
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_INT:
    case CC_E_FLOAT:
    case CC_E_NULL:
        plain.constant = true;
        return plain;
    case CC_E_VAR:
        note_volatile(r, e->type);
        return plain;
    case CC_E_FUNC:
    case CC_E_STRING:
    case CC_E_LIST:
    case CC_E_LABEL:
    case CC_E_UNSUPPORTED:
    case CC_N_EXPR:
        return plain;
    case CC_E_MEMBER:
        return read_member(r, e);
    case CC_E_INDEX:
        return read_element(r, e);
    case CC_E_ADDR:
        read_expr(r, e->a, false);
        note(r, DETAIL, "address");
        return plain;
    case CC_E_DEREF:
        read_expr(r, e->a, false);
        note(r, COMMON, "dereference");
        note_volatile(r, e->type);
        plain.where = "dereference";
        return plain;
    case CC_E_UNARY:
        return read_unary(r, e);
    case CC_E_BINARY:
    case CC_E_LOGICAL:
        return read_binary(r, e);
    case CC_E_COND:
    case CC_E_ELVIS:
        return read_conditional(r, e);
    case CC_E_COMMA:
        note(r, CONTROL, "comma");
        read_expr(r, e->a, true);
        return read_expr(r, e->b, idle);
    case CC_E_CAST:
        return read_cast(r, e, idle);
    case CC_E_ASSIGN:
        return read_assignment(r, e, idle);
    case CC_E_INCDEC:
        return read_increment(r, e, idle);
    case CC_E_CALL:
    case CC_E_BUILTIN:
        return read_call(r, e);
    case CC_E_SIZEOF:
    case CC_E_SIZEOF_OF:
        plain.by = "sizeof"; /* a number in the trees of texts: see take_spelled */
        return plain;
    case CC_E_LITERAL:
        note(r, CONTROL, "compound literal");
        for (uint32_t i = 0; i < e->n_args; i++)
            read_initialiser(r, e->args[i], e->args[i]->type);
        return plain;
    case CC_E_STMTS:
        note(r, CONTROL, "statement expression");
        read_stmt(r, e->block);
        return plain;
    case CC_E_VA_ARG:
        read_expr(r, e->a, false);
        note(r, CONTROL, "va_arg");
        plain.by = "call";
        return plain;
    }
    return plain;
}

/* -- declarations ------------------------------------------------------------------------------ */

static void note_declared(struct reading *r, const struct cc_type *type, const char *as)
{
    const struct cc_type *of = innermost(type);
    int pointers = 0, arrays = 0;
    for (const struct cc_type *t = type; t->kind == CC_ARRAY; t = t->to)
        arrays++;
    for (const struct cc_type *t = type; t->kind == CC_POINTER; t = t->to)
        pointers++;
    bool rare = type->kind == CC_BOOL || cc_is_float(type) || type->kind == CC_VECTOR;
    if (is_address(type))
        note(r, DETAIL, "%s %s",
             arrays     ? "array of"
             : pointers ? "pointer to"
                        : "function of",
             group_of(of));
    else
        note(r, rare ? ACCESS : DETAIL, "%s %s", bases[type->kind].name, as);
    if (arrays > 1)
        note(r, TYPED, "array of arrays");
    if (pointers > 1)
        note(r, COMMON, "pointer to pointer");
    if (of->quals & CC_VOLATILE)
        note(r, ACCESS, "volatile");
    if (pointers && type->quals & CC_VOLATILE)
        note(r, ACCESS, "volatile pointer");
}

static void read_var(struct reading *r, const struct cc_var *v)
{
    note_declared(r, v->type, "variable");
    if (v->storage == CC_STATIC && !v->global)
        note(r, CONTROL, "static local");
    if (v->align)
        note(r, COMMON, "_Alignas");
    if (v->init)
        read_initialiser(r, v->init, v->type);
}

static void read_record(struct reading *r, const struct cc_record *record)
{
    if (record->is_union)
        note(r, ACCESS, "union");
    if (record->packed)
        note(r, COMMON, "__attribute__");
    for (int i = 0; i < record->n_fields; i++) {
        const struct cc_field *f = &record->fields[i];
        if (!f->name)
            continue;
        note_declared(r, f->type, "member");
        if (f->bits < 0)
            continue;
        note(r, ACCESS, "%s bit-field", f->type->is_signed ? "signed" : "unsigned");
        note(r, DETAIL, "bit-field %s", f->bits < 8 ? "short" : "long");
    }
}

/* -- statements -------------------------------------------------------------------------------- */

static void read_loop(struct reading *r, const char *kind, const struct cc_stmt *body)
{
    note(r, COMMON, "loop");
    note(r, EXACT, "%s loop", kind);
    if (r->loops++)
        note(r, COMMON, "loop in a loop");
    read_stmt(r, body);
    r->loops--;
}

static void read_for(struct reading *r, const struct cc_stmt *s)
{
    bool around = r->header;
    r->header = true;
    if (s->init)
        read_expr(r, s->init, true);
    if (s->expr)
        read_expr(r, s->expr, false);
    if (s->step)
        read_expr(r, s->step, true);
    r->header = around;
    read_loop(r, "for", s->a);
}

static void read_return(struct reading *r, const struct cc_stmt *s)
{
    const struct cc_type *result = r->function->type->to;
    if (!s->expr)
        return;
    struct seen v = read_expr(r, s->expr, false);
    note_conversion(r, &v, result);
    if (cc_is_record(result))
        note(r, TYPED, "record as result");
}

/* What generators add to every program to see its variables (Csmith's checksum) or to keep its
 * operators defined: it is in all of them, and none of it is tested. */
static bool is_support(const char *name)
{
    static const char *const support[] = {"crc32_",    "transparent_crc", "print_hash_value",
                                          "platform_", "safe_",           "assay_"};
    for (size_t i = 0; i < sizeof support / sizeof *support; i++)
        if (!strncmp(name, support[i], strlen(support[i])))
            return true;
    return false;
}

static bool names_support(const struct cc_expr *e, void *to)
{
    (void)to;
    return (e->kind == CC_E_VAR && is_support(e->var->name)) ||
           (e->kind == CC_E_FUNC && is_support(e->func->name));
}

/* A call of support or of printf with it, a condition on it, a loop around nothing else. */
static bool is_frame(const struct cc_stmt *s)
{
    const struct cc_walk walk = {.expr = names_support};
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_EXPR:
    case CC_S_IF:
        return cc_walk_expr(s->expr, &walk);
    case CC_S_DECL:
        return is_support(s->var->name);
    case CC_S_FOR:
        return is_frame(s->a);
    case CC_S_BLOCK:
        for (size_t i = 0; i < s->list.n; i++)
            if (!is_frame(s->list.at[i]))
                return false;
        return s->list.n;
    default:
        return false;
    }
}

static void read_stmt(struct reading *r, const struct cc_stmt *s)
{
    if (!s || is_frame(s))
        return;
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_BLOCK:
        for (size_t i = 0; i < s->list.n; i++)
            read_stmt(r, s->list.at[i]);
        break;
    case CC_S_EXPR:
        read_expr(r, s->expr, true);
        break;
    case CC_S_DECL:
        read_var(r, s->var);
        break;
    case CC_S_IF:
        read_expr(r, s->expr, false);
        note(r, DETAIL, "if");
        read_stmt(r, s->a);
        if (s->b)
            note(r, COMMON, "else");
        read_stmt(r, s->b);
        break;
    case CC_S_FOR:
        read_for(r, s);
        break;
    case CC_S_WHILE:
        read_expr(r, s->expr, false);
        read_loop(r, "while", s->a);
        break;
    case CC_S_DO:
        note(r, CONTROL, "do");
        read_loop(r, "do", s->a);
        read_expr(r, s->expr, false);
        break;
    case CC_S_SWITCH:
        note(r, CONTROL, "switch");
        note(r, CONTROL, "switch statement");
        read_expr(r, s->expr, false);
        read_stmt(r, s->a);
        break;
    case CC_S_CASE:
        if (s->value < 0)
            note(r, COMMON, "negative case");
        break;
    case CC_S_DEFAULT:
    case CC_S_BREAK:
        note(r, DETAIL, "%s", s->kind == CC_S_BREAK ? "break" : "default");
        break;
    case CC_S_CONTINUE:
        note(r, CONTROL, "continue");
        break;
    case CC_S_GOTO:
        note(r, CONTROL, "goto");
        note(r, CONTROL, "jump");
        break;
    case CC_S_RETURN:
        read_return(r, s);
        break;
    case CC_S_LABEL:
    case CC_S_EMPTY:
    case CC_S_COMMENT:
    case CC_N_STMT:
        break;
    }
}

static void read_function(struct reading *r, const struct cc_func *f)
{
    if (f->library || is_support(f->name))
        return;
    r->function = f;
    if (strcmp(f->name, "main") != 0) {
        note_declared(r, f->type, "");
        for (int i = 0; i < f->n_params; i++)
            note_declared(r, f->params[i]->type, "variable");
        if (f->n_params > 6)
            note(r, TYPED, "more than six parameters");
        if (f->attributes & ~CC_ATTR_INLINE)
            note(r, COMMON, "__attribute__");
    }
    read_stmt(r, f->body);
}

void constructs_write(const struct cc_program *p, struct strbuf *out)
{
    struct reading r = {.program = p, .out = out};
    bool has_main = false;
    map_init(&r.seen);
    strbuf_adds(out, "#\n"); /* it has a tree, though that may do nothing */
    for (size_t i = 0; i < p->types.records.n; i++)
        read_record(&r, p->types.records.at[i]->record);
    for (size_t i = 0; i < p->globals.n; i++)
        if (!is_support(p->globals.at[i]->name))
            read_var(&r, p->globals.at[i]);
    for (size_t i = 0; i < p->funcs.n; i++) {
        has_main |= p->funcs.at[i] == p->main;
        read_function(&r, p->funcs.at[i]);
    }
    if (p->main && !has_main)
        read_function(&r, p->main);
    map_release(&r.seen);
}

/* -- what was written, and programs without a tree --------------------------------------------- */

typedef VEC(struct construct) construct_list;

static void add(construct_list *list, struct map *names, const char *name, size_t n, float weight)
{
    vec_push(list, (struct construct){
                       intern(names, name, n < CONSTRUCT_MOST ? n : CONSTRUCT_MOST - 1), weight});
}

static void take_lines(construct_list *list, struct map *names, const char *line)
{
    for (size_t n; *line; line += n + (line[n] == '\n')) {
        n = strcspn(line, "\n");
        for (size_t i = 0; i < N_STRENGTHS; i++)
            if (n > 1 && (*line | 32) == strengths[i].letter)
                add(list, names, line + 1, n - 1,
                    strengths[i].weight * (*line & 32 ? 1 : in_header));
    }
}

/* Words that every program of its language has: tables are made, something is printed. */
static const char *const dull_words[] = {
    "create", "table",     "insert",      "into",          "values",    "select",
    "from",   "int",       "local",       "print",         "return",    "end",
    "then",   "do",        "function",    "assert",        "let",       "=",
    "define", "check-sat", "declare-fun", "declare-const", "set-logic", "exit",
};
static const char *const dull_of_c[] = {
    "kernel", "global", "void",    "{",    "}",     "[",         "]",       "main",     "printf",
    "static", "struct", "const",   "char", "short", "long",      "signed",  "unsigned", "extern",
    "class",  "public", "typedef", "std",  "::",    "namespace", "include", "define",   "*",
};

static bool is_among(const char *word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(word, list[i]))
            return true;
    return false;
}
#define IS_AMONG(word, list) is_among(word, list, sizeof(list) / sizeof *(list))

/* What is a number in a tree, whatever it was in the text. */
static void take_spelled(construct_list *list, struct map *names, struct arena *a, struct tokens t)
{
#define TAKE(strength, name) add(list, names, name, strlen(name), strengths[strength].weight)
    struct map enumerators;
    bool in_enum = false;
    map_init(&enumerators);
    for (int i = 0; i + 1 < t.n; i++) {
        const struct token *k = &t.at[i], *next = &t.at[i + 1];
        if (token_is(k, "sizeof")) {
            TAKE(COMMON, "sizeof");
            if (token_is(next, "(") && i + 2 < t.n)
                TAKE(NESTED, arena_printf(a, "sizeof %.*s", t.at[i + 2].n, t.at[i + 2].s));
        } else if (token_is(k, "enum")) {
            TAKE(DETAIL, "enum");
        }
        bool tagged = i > 1 && token_is(&t.at[i - 2], "enum");
        bool begins = token_is(k, "{") && i && (tagged || token_is(&t.at[i - 1], "enum"));
        in_enum = begins || (in_enum && !token_is(k, "}"));
        if (in_enum && token_is(k, "="))
            TAKE(NESTED, "enumerator with a value");
        if (in_enum && k->kind == TOKEN_NAME)
            map_put(&enumerators, k->s, (size_t)k->n, NULL);
        else if (map_find(&enumerators, k->s, (size_t)k->n))
            TAKE(NESTED, "enumerator as a value");
        bool listed = token_is(k, "{") || token_is(k, ",");
        if (listed && (token_is(next, ".") || token_is(next, "[")))
            TAKE(COMMON, "designated initialiser");
    }
    map_release(&enumerators);
#undef TAKE
}

/* A function that the text calls and does not define: no name that somebody made up, though it may
 * look like one ("vload4"). A definition has a word ahead of the name. */
static void take_calls(construct_list *list, struct map *names, struct arena *a, struct tokens t)
{
    struct map defined;
    map_init(&defined);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i + 1 < t.n; i++) {
            const struct token *name = &t.at[i];
            if (name->kind != TOKEN_NAME || name->n < 4 || !token_is(&t.at[i + 1], "("))
                continue;
            if (pass == 0 && i && t.at[i - 1].kind == TOKEN_NAME)
                map_put(&defined, name->s, (size_t)name->n, NULL);
            if (pass == 0 || map_find(&defined, name->s, (size_t)name->n))
                continue;
            const char *call = arena_printf(a, "call of %.*s", name->n, name->s);
            add(list, names, call, strlen(call), strengths[CONTROL].weight);
        }
    map_release(&defined);
}

static void take_words(construct_list *list, struct map *names, struct arena *a, bool is_c,
                       struct tokens t)
{
    struct words s = words_of(names, a, t);
    for (int i = 0; i < s.n; i++) {
        const char *word = intern_text(names, s.at[i]);
        if (!strncmp(word, "a ", 2) || !strncmp(word, "N ", 2) || strchr("(),;.", *word))
            continue;
        bool dull = IS_AMONG(word, dull_words) || (is_c && IS_AMONG(word, dull_of_c));
        add(list, names, word, strlen(word), strengths[dull ? DETAIL : CLASS].weight);
        if (i + 1 < s.n) {
            const char *pair = arena_printf(a, "%s %s", word, intern_text(names, s.at[i + 1]));
            add(list, names, pair, strlen(pair), strengths[dull ? DETAIL : EXACT].weight);
        }
    }
}

static int by_id(const void *x, const void *y)
{
    const struct construct *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

struct constructs constructs_of(struct map *names, struct arena *a, const char *language,
                                struct tokens t, const char *written)
{
    construct_list list = {0};
    bool is_c = language_is_c(language);
    if (written && *written) {
        take_lines(&list, names, written);
        take_spelled(&list, names, a, t);
    } else {
        take_words(&list, names, a, is_c, t);
        if (is_c)
            take_calls(&list, names, a, t);
    }
    if (list.n)
        qsort(list.at, list.n, sizeof *list.at, by_id);
    struct constructs out = {arena_array(a, struct construct, list.n + 1), 0, 0};
    for (size_t i = 0; i < list.n; i++) {
        if (!out.n || out.at[out.n - 1].id != list.at[i].id)
            out.at[out.n++] = list.at[i];
        else if (out.at[out.n - 1].weight < list.at[i].weight)
            out.at[out.n - 1].weight = list.at[i].weight;
    }
    for (int i = 0; i < out.n; i++)
        out.weight += out.at[i].weight;
    vec_release(&list);
    return out;
}
