/* Typed nodes, one constructor each.
 *
 * All typing rules of C11 6.5 that assay knows are in this file. An operand is first looked at as
 * it would be written; `promote` and `cc_convert` then put the implicit conversions around it.
 * Nothing is folded or simplified: the tree is what the printed text says.
 *
 * Three places where the text would mean something else than the tree are closed here, by a cast
 * that is printed or by the type of a constant:
 *
 *   - a bit-field wider than int has a type of just its width in GCC and its declared type in
 * clang: as an operand it is cast to the declared type, and op= and ++ do not take it at all;
 *   - the value of an assignment to a bit-field, of ++ on one, or of a comma that ends in one: the
 *     compilers differ in whether it is still a bit-field; as an operand it is cast as well;
 *   - an enumerator, and a constant of a type narrower than int, is an int where it is written.
 *
 * Vectors (GNU C) are not promoted or balanced: both operands have one type, and its lanes are
 * computed with as if by scalar operators that give the element type. */
#include "cc/build_internal.h"

#include "cc/builtin.h"

enum { INT_BITS = 32 }; /* in every data model of ours */

_Noreturn void build_misfit(const struct cc_program *p, const char *file, int line,
                            const char *what)
{
    if (p->misfit)
        longjmp(*p->misfit, 1);
    assay_bug(file, line, "%s does not hold", what);
}

/* -- programs --------------------------------------------------------------------------------- */

void cc_program_init(struct cc_program *p, struct arena *a, const struct cc_model *m)
{
    *p = (struct cc_program){.arena = a, .n_units = 1};
    cc_types_init(&p->types, a, m);
}

void cc_program_release(struct cc_program *p)
{
    for (size_t i = 0; i < p->blocks.n; i++)
        vec_release(&p->blocks.at[i]->list);
    vec_release(&p->blocks);
    vec_release(&p->globals);
    vec_release(&p->funcs);
    cc_types_release(&p->types);
}

/* -- what an operand is ----------------------------------------------------------------------- */

static struct cc_expr *node(struct cc_program *p, enum cc_expr_kind kind,
                            const struct cc_type *type)
{
    struct cc_expr *e = arena_new(p->arena, struct cc_expr);
    e->kind = (uint8_t)kind;
    e->type = type;
    return e;
}

static void inherit(struct cc_expr *e, const struct cc_expr *part)
{
    e->effects |= part->effects;
    e->calls |= part->calls;
}

static struct cc_expr *node_of(struct cc_program *p, enum cc_expr_kind kind,
                               const struct cc_type *type, enum cc_op op, struct cc_expr *a,
                               struct cc_expr *b)
{
    struct cc_expr *e = node(p, kind, type);
    e->op = (uint8_t)op;
    e->a = a;
    e->b = b;
    inherit(e, a);
    if (b)
        inherit(e, b);
    return e;
}

const struct cc_type *build_value_type(struct cc_program *p, const struct cc_expr *e)
{
    if (e->type->kind == CC_ARRAY)
        return cc_pointer_to(&p->types, e->type->to);
    return e->type->plain;
}

bool cc_is_lvalue(const struct cc_expr *e)
{
    while (e->kind == CC_E_MEMBER)
        e = e->a;
    return e->kind == CC_E_VAR || e->kind == CC_E_DEREF || e->kind == CC_E_INDEX ||
           e->kind == CC_E_LITERAL || e->kind == CC_E_STRING;
}

int cc_bitfield_bits(const struct cc_expr *lvalue)
{
    if (lvalue->kind != CC_E_MEMBER)
        return -1;
    return lvalue->a->type->record->fields[lvalue->field].bits;
}

int cc_source_bits(const struct cc_expr *e)
{
    for (;;) {
        if (e->kind == CC_E_COMMA)
            e = e->b;
        else if (e->kind == CC_E_ASSIGN || e->kind == CC_E_INCDEC)
            e = e->a;
        else
            return cc_bitfield_bits(e);
    }
}

/* Beneath an lvalue only the pointers and indices are read. */
bool cc_place_has_effects(const struct cc_expr *e)
{
    switch (e->kind) {
    case CC_E_VAR:
        return false;
    case CC_E_MEMBER:
        return cc_place_has_effects(e->a);
    case CC_E_INDEX:
        return e->b->effects ||
               (e->a->type->kind != CC_POINTER ? cc_place_has_effects(e->a) : e->a->effects);
    case CC_E_DEREF:
        return e->a->effects;
    default:
        return e->effects;
    }
}

/* An lvalue node: its effects are those of finding the object and of reading it. An array is not
 * read, it decays. */
static struct cc_expr *lvalue_node(struct cc_expr *e)
{
    const struct cc_type *t = e->type;
    e->effects = cc_place_has_effects(e);
    if (t->kind != CC_ARRAY)
        e->effects |= cc_is_record(t) ? t->has_volatile : (t->quals & CC_VOLATILE) != 0;
    return e;
}

static struct cc_expr *cast_node(struct cc_program *p, const struct cc_type *to, struct cc_expr *a,
                                 bool implicit)
{
    struct cc_expr *e = node_of(p, CC_E_CAST, to->plain, CC_NONE, a, NULL);
    e->implicit = implicit;
    return e;
}

struct cc_expr *cc_convert(struct cc_program *p, const struct cc_type *to, struct cc_expr *a)
{
    to = to->plain;
    const struct cc_type *from = a->type->plain;
    if (from == to && from->kind != CC_ARRAY)
        return a;
    if (from->kind == CC_ARRAY) {
        from = build_value_type(p, a);
        if (from == to)
            return a;
    }
    bool pointers = to->kind == CC_POINTER && from->kind == CC_POINTER;
    bool truth = to->kind == CC_BOOL && from->kind == CC_POINTER;
    FIT(p, (cc_is_arithmetic(to) && cc_is_arithmetic(from)) || pointers || truth);
    return cast_node(p, to, a, true);
}

static bool is_enumerator(const struct cc_expr *e)
{
    return e->kind == CC_E_INT && e->type->kind == CC_ENUM;
}

struct cc_expr *cc_promote(struct cc_program *p, struct cc_expr *a)
{
    FIT(p, cc_is_arithmetic(a->type));
    if (is_enumerator(a))
        return cc_convert(p, p->types.basic[CC_INT], a);
    int bits = cc_source_bits(a);
    if (bits > INT_BITS || (bits >= 0 && a->kind != CC_E_MEMBER)) {
        a = cast_node(p, a->type, a, false);
        bits = -1;
    }
    return cc_convert(p, cc_promoted(&p->types, a->type, bits), a);
}

/* A constant in the type that its text has: 6.4.4.3p2, and there are none narrower than int. */
static struct cc_expr *as_written(struct cc_program *p, struct cc_expr *a)
{
    if (a->kind == CC_E_INT && (a->type->kind == CC_ENUM || a->type->bits < INT_BITS))
        return cc_convert(p, p->types.basic[CC_INT], a);
    return a;
}

/* `promoted` (of `a`) in the type `common`. The promotion's own node is left out where another
 * conversion follows, which gives the same value. */
static struct cc_expr *to_common(struct cc_program *p, const struct cc_type *common,
                                 struct cc_expr *a, struct cc_expr *promoted)
{
    if (promoted->type->plain == common)
        return promoted;
    bool only_promoted = promoted != a && promoted->implicit && promoted->a == a;
    return cc_convert(p, common, only_promoted ? a : promoted);
}

/* Both operands in their common type, 6.3.1.8. */
static const struct cc_type *balance(struct cc_program *p, struct cc_expr **a, struct cc_expr **b)
{
    struct cc_expr *x = cc_promote(p, *a), *y = cc_promote(p, *b);
    const struct cc_type *common = cc_common(&p->types, x->type, y->type);
    *a = to_common(p, common, *a, x);
    *b = to_common(p, common, *b, y);
    return common;
}

/* -- pointers --------------------------------------------------------------------------------- */

static int quals_of(const struct cc_type *t)
{
    while (t->kind == CC_ARRAY)
        t = t->to;
    return t->quals;
}

/* The type that two pointers have in common (6.5.15p6), NULL: none. */
static const struct cc_type *pointer_common(struct cc_program *p, const struct cc_expr *a,
                                            const struct cc_expr *b)
{
    const struct cc_type *s = build_value_type(p, a), *t = build_value_type(p, b);
    if (s == t)
        return s;
    if (s->kind != CC_POINTER || t->kind != CC_POINTER)
        return NULL;
    if (a->kind == CC_E_NULL)
        return t;
    if (b->kind == CC_E_NULL)
        return s;
    int quals = quals_of(s->to) | quals_of(t->to);
    if (cc_same_type(s->to, t->to) || s->to->kind == CC_VOID)
        return cc_pointer_to(&p->types, cc_qualified(&p->types, s->to, quals));
    if (t->to->kind == CC_VOID)
        return cc_pointer_to(&p->types, cc_qualified(&p->types, t->to, quals));
    return NULL;
}

/* May a value of `from` be stored in an object of `to`, 6.5.16.1p1? */
static bool assignable(const struct cc_type *to, const struct cc_type *from, bool is_null)
{
    to = to->plain;
    if (cc_is_arithmetic(to) && cc_is_arithmetic(from))
        return true;
    if (to == from || (to->kind == CC_BOOL && from->kind == CC_POINTER))
        return to->kind != CC_VOID;
    if (to->kind != CC_POINTER || from->kind != CC_POINTER)
        return false;
    if (is_null)
        return true;
    if ((quals_of(from->to) & ~quals_of(to->to)) != 0)
        return false;
    return cc_same_type(to->to, from->to) || to->to->kind == CC_VOID || from->to->kind == CC_VOID;
}

struct cc_expr *build_store(struct cc_program *p, const struct cc_type *to, struct cc_expr *value)
{
    FIT(p, assignable(to, build_value_type(p, value), value->kind == CC_E_NULL));
    return cc_convert(p, to, value);
}

struct cc_expr *build_init(struct cc_program *p, const struct cc_type *type, struct cc_expr *init)
{
    if (init->kind == CC_E_LIST) {
        FIT(p, cc_same_type(type, init->type));
        return init;
    }
    FIT(p, type->kind != CC_ARRAY);
    return build_store(p, type, init);
}

/* -- constants and lvalues -------------------------------------------------------------------- */

struct cc_expr *cc_int(struct cc_program *p, const struct cc_type *type, cc_wide value,
                       enum cc_spelling spelling)
{
    FIT(p, cc_is_integer(type));
    type = type->plain;
    value = cc_wrap(type, value);
    if (type->kind == CC_ENUM && spelling != CC_ENUMERATOR)
        return cc_convert(p, type, cc_int(p, cc_representation(&p->types, type), value, spelling));
    struct cc_expr *e = node(p, CC_E_INT, type);
    e->value = value;
    e->spelling = (uint8_t)spelling;
    return e;
}

struct cc_expr *cc_float(struct cc_program *p, const struct cc_type *type, double value,
                         enum cc_spelling spelling)
{
    FIT(p, cc_is_float(type));
    struct cc_expr *e = node(p, CC_E_FLOAT, type->plain);
    e->number = type->kind == CC_FLOAT ? (double)(float)value : value;
    e->exact = (long double)e->number;
    e->spelling = (uint8_t)spelling;
    return e;
}

struct cc_expr *cc_long_float(struct cc_program *p, long double value)
{
    struct cc_expr *e = cc_float(p, p->types.basic[CC_LDOUBLE], (double)value, CC_DECIMAL);
    e->exact = value;
    return e;
}

struct cc_expr *cc_null(struct cc_program *p, const struct cc_type *pointer)
{
    FIT(p, pointer->kind == CC_POINTER);
    return node(p, CC_E_NULL, pointer->plain);
}

struct cc_expr *cc_use(struct cc_program *p, struct cc_var *v)
{
    struct cc_expr *e = node(p, CC_E_VAR, v->type);
    e->var = v;
    return lvalue_node(e);
}

struct cc_expr *cc_func_use(struct cc_program *p, struct cc_func *f)
{
    struct cc_expr *e = node(p, CC_E_FUNC, cc_pointer_to(&p->types, f->type));
    e->func = f;
    return e;
}

/* 6.5.2.3p3: the member has the qualifiers of the record too. */
struct cc_expr *cc_member(struct cc_program *p, struct cc_expr *record, int field)
{
    FIT(p, cc_is_record(record->type));
    const struct cc_record *r = record->type->record;
    FIT(p, field >= 0 && field < r->n_fields && r->fields[field].name);
    const struct cc_type *type = r->fields[field].type;
    if (record->type->quals)
        type = cc_qualified(&p->types, type, record->type->quals);
    struct cc_expr *e = node_of(p, CC_E_MEMBER, type, CC_NONE, record, NULL);
    e->field = field;
    return lvalue_node(e);
}

struct cc_expr *cc_index(struct cc_program *p, struct cc_expr *base, struct cc_expr *index)
{
    const struct cc_type *type = base->type->to;
    if (base->type->kind == CC_VECTOR) {
        FIT(p, cc_is_lvalue(base));
        type = cc_qualified(&p->types, type, base->type->quals);
    } else {
        FIT(p, base->type->kind == CC_ARRAY || base->type->kind == CC_POINTER);
    }
    FIT(p, type->size > 0 && cc_is_integer(index->type));
    index = cc_promote(p, index);
    return lvalue_node(node_of(p, CC_E_INDEX, type, CC_NONE, base, index));
}

static bool is_lane(const struct cc_expr *e)
{
    return e->kind == CC_E_INDEX && e->a->type->kind == CC_VECTOR;
}

struct cc_expr *cc_addr(struct cc_program *p, struct cc_expr *lvalue)
{
    FIT(p, cc_is_lvalue(lvalue) && cc_bitfield_bits(lvalue) < 0);
    FIT(p, !is_lane(lvalue)); /* clang has no addresses of them */
    FIT(p, lvalue->kind != CC_E_VAR || !lvalue->var->is_register);
    struct cc_expr *e =
        node_of(p, CC_E_ADDR, cc_pointer_to(&p->types, lvalue->type), CC_NONE, lvalue, NULL);
    e->effects = cc_place_has_effects(lvalue);
    return e;
}

struct cc_expr *cc_deref(struct cc_program *p, struct cc_expr *pointer)
{
    FIT(p, pointer->type->kind == CC_ARRAY || pointer->type->kind == CC_POINTER);
    FIT(p, pointer->type->to->size > 0);
    return lvalue_node(node_of(p, CC_E_DEREF, pointer->type->to, CC_NONE, pointer, NULL));
}

/* -- operators -------------------------------------------------------------------------------- */

struct cc_expr *cc_unary(struct cc_program *p, enum cc_op op, struct cc_expr *a)
{
    if (op == CC_NOT) {
        FIT(p, cc_is_scalar(build_value_type(p, a)));
        return node_of(p, CC_E_UNARY, p->types.basic[CC_INT], op, a, NULL);
    }
    if (a->type->kind == CC_VECTOR) {
        FIT(p, op == CC_PLUS || op == CC_MINUS || (op == CC_COMPL && cc_is_integer(a->type->to)));
        return node_of(p, CC_E_UNARY, a->type->plain, op, a, NULL);
    }
    FIT(p, op == CC_PLUS || op == CC_MINUS || (op == CC_COMPL && cc_is_integer(a->type)));
    a = cc_promote(p, a);
    return node_of(p, CC_E_UNARY, a->type->plain, op, a, NULL);
}

/* 6.5.6, 6.5.8, 6.5.9 with a pointer on at least one side. */
static struct cc_expr *pointer_binary(struct cc_program *p, enum cc_op op, struct cc_expr *a,
                                      struct cc_expr *b)
{
    const struct cc_type *s = build_value_type(p, a), *t = build_value_type(p, b);
    const struct cc_type *type = s->kind == CC_POINTER ? s : t;
    bool both = s->kind == CC_POINTER && t->kind == CC_POINTER;
    FIT(p, type->kind == CC_POINTER); /* a record has no operators */
    if (cc_is_comparison(op)) {
        const struct cc_type *common = pointer_common(p, a, b);
        FIT(p, both && common);
        if (!cc_same_type(s->to, common->to))
            a = cc_convert(p, common, a);
        if (!cc_same_type(t->to, common->to))
            b = cc_convert(p, common, b);
        type = p->types.basic[CC_INT];
    } else if (both) {
        FIT(p, op == CC_SUB && cc_same_type(s->to, t->to) && s->to->size > 0);
        type = p->types.basic[p->types.model->pointer_size == 8 ? CC_LONG : CC_INT];
    } else {
        FIT(p, op == CC_ADD || (op == CC_SUB && type == s));
        FIT(p, type->to->size > 0 && cc_is_integer(type == s ? t : s));
        if (type == s)
            b = cc_promote(p, b);
        else
            a = cc_promote(p, a);
    }
    return node_of(p, CC_E_BINARY, type, op, a, b);
}

static bool takes_floats(enum cc_op op)
{
    return (op >= CC_ADD && op <= CC_DIV) || cc_is_comparison(op);
}

static void check_vectors(const struct cc_program *p, enum cc_op op, const struct cc_type *a,
                          const struct cc_type *b)
{
    FIT(p, a->kind == CC_VECTOR && a->plain == b->plain);
    FIT(p, takes_floats(op) || cc_is_integer(a->to));
}

/* A comparison gives all ones for true, in signed integers as wide as the lanes. */
static struct cc_expr *vector_binary(struct cc_program *p, enum cc_op op, struct cc_expr *a,
                                     struct cc_expr *b)
{
    const struct cc_type *type = a->type->plain;
    check_vectors(p, op, type, b->type);
    if (cc_is_comparison(op)) {
        const struct cc_type *lane = cc_int_type(&p->types, (int)type->to->size * 8, true);
        type = cc_vector_type(&p->types, lane, type->length);
    }
    return node_of(p, CC_E_BINARY, type, op, a, b);
}

struct cc_expr *cc_binary(struct cc_program *p, enum cc_op op, struct cc_expr *a, struct cc_expr *b)
{
    const struct cc_type *type;
    if (op == CC_LAND || op == CC_LOR) {
        FIT(p, cc_is_scalar(build_value_type(p, a)) && cc_is_scalar(build_value_type(p, b)));
        return node_of(p, CC_E_LOGICAL, p->types.basic[CC_INT], op, a, b);
    }
    FIT(p, op >= CC_ADD && op <= CC_NE);
    if (!cc_is_arithmetic(a->type) || !cc_is_arithmetic(b->type))
        return a->type->kind == CC_VECTOR || b->type->kind == CC_VECTOR
                   ? vector_binary(p, op, a, b)
                   : pointer_binary(p, op, a, b);
    FIT(p, takes_floats(op) || (cc_is_integer(a->type) && cc_is_integer(b->type)));
    if (op == CC_SHL || op == CC_SHR) { /* 6.5.7p3: each for itself */
        a = cc_promote(p, a);
        b = cc_promote(p, b);
        type = a->type->plain;
    } else {
        type = balance(p, &a, &b);
        if (cc_is_comparison(op))
            type = p->types.basic[CC_INT];
    }
    return node_of(p, CC_E_BINARY, type, op, a, b);
}

struct cc_expr *cc_cond(struct cc_program *p, struct cc_expr *c, struct cc_expr *a,
                        struct cc_expr *b)
{
    FIT(p, cc_is_scalar(build_value_type(p, c)));
    const struct cc_type *type;
    if (cc_is_arithmetic(a->type) && cc_is_arithmetic(b->type)) {
        type = balance(p, &a, &b);
    } else if (a->type->plain == b->type->plain && a->type->kind != CC_POINTER &&
               a->type->kind != CC_ARRAY) {
        type = a->type->plain; /* records, vectors, void */
    } else {
        type = pointer_common(p, a, b);
        FIT(p, type);
        a = cc_convert(p, type, a);
        b = cc_convert(p, type, b);
    }
    struct cc_expr *e = node_of(p, CC_E_COND, type, CC_NONE, c, a);
    e->b = a;
    e->c = b;
    inherit(e, b);
    return e;
}

struct cc_expr *cc_comma(struct cc_program *p, struct cc_expr *a, struct cc_expr *b)
{
    b = as_written(p, b);
    return node_of(p, CC_E_COMMA, build_value_type(p, b), CC_NONE, a, b);
}

struct cc_expr *cc_cast(struct cc_program *p, const struct cc_type *to, struct cc_expr *a)
{
    const struct cc_type *from = build_value_type(p, a);
    bool mixed = (to->kind == CC_POINTER && cc_is_float(from)) ||
                 (from->kind == CC_POINTER && cc_is_float(to));
    FIT(p, to->kind == CC_VOID || (cc_is_scalar(to) && cc_is_scalar(from) && !mixed));
    return cast_node(p, to, a, false);
}

/* Of `a op= b`, interp computes a, converted to cc_assign_type(), op b, and converts the result to
 * a's type; b has its type already. The node's own type is that of the stored value. */
struct cc_expr *cc_assign(struct cc_program *p, enum cc_op op, struct cc_expr *lvalue,
                          struct cc_expr *value)
{
    const struct cc_type *type = lvalue->type;
    FIT(p, cc_is_lvalue(lvalue) && !type->has_const && type->kind != CC_ARRAY);
    if (op == CC_NONE) {
        value = build_store(p, type, value);
    } else if (type->kind == CC_POINTER) {
        FIT(p, (op == CC_ADD || op == CC_SUB) && cc_is_integer(value->type));
        FIT(p, type->to->size > 0);
        value = cc_promote(p, value);
    } else if (type->kind == CC_VECTOR) {
        FIT(p, op >= CC_ADD && op <= CC_XOR);
        check_vectors(p, op, type, value->type);
    } else {
        int bits = cc_bitfield_bits(lvalue);
        FIT(p, cc_is_arithmetic(type));
        FIT(p, op >= CC_ADD && op <= CC_XOR && bits <= INT_BITS);
        FIT(p, takes_floats(op) || (cc_is_integer(type) && cc_is_integer(value->type)));
        struct cc_expr *promoted = cc_promote(p, value);
        const struct cc_type *left = cc_promoted(&p->types, type, bits);
        if (op == CC_SHL || op == CC_SHR)
            value = promoted;
        else
            value = to_common(p, cc_common(&p->types, left, promoted->type), value, promoted);
    }
    struct cc_expr *e = node_of(p, CC_E_ASSIGN, type->plain, op, lvalue, value);
    e->effects = true;
    return e;
}

struct cc_expr *cc_incdec(struct cc_program *p, enum cc_op op, bool postfix, struct cc_expr *lvalue)
{
    const struct cc_type *type = lvalue->type;
    FIT(p, cc_is_lvalue(lvalue) && !type->has_const && (op == CC_ADD || op == CC_SUB));
    FIT(p, cc_is_scalar(type) && cc_bitfield_bits(lvalue) <= INT_BITS);
    FIT(p, type->kind != CC_POINTER || type->to->size > 0);
    struct cc_expr *e = node_of(p, CC_E_INCDEC, type->plain, op, lvalue, NULL);
    e->postfix = postfix;
    e->effects = true;
    return e;
}

const struct cc_type *cc_assign_type(const struct cc_program *p, const struct cc_expr *assign)
{
    const struct cc_type *type = assign->a->type;
    if (type->kind == CC_POINTER || (assign->kind == CC_E_ASSIGN && assign->op == CC_NONE))
        return type->plain;
    if (assign->kind == CC_E_ASSIGN && assign->op != CC_SHL && assign->op != CC_SHR)
        return assign->b->type->plain;
    if (type->kind == CC_VECTOR)
        return type->plain;
    return cc_promoted(&p->types, type, cc_bitfield_bits(assign->a));
}

/* -- calls and the rest ----------------------------------------------------------------------- */

static void set_args(struct cc_program *p, struct cc_expr *e, struct cc_expr **args, int n)
{
    e->n_args = (uint32_t)n;
    e->args = arena_array(p->arena, struct cc_expr *, n);
    for (int i = 0; i < n; i++) {
        e->args[i] = args[i];
        inherit(e, args[i]);
    }
}

/* 6.5.2.2p6. */
static struct cc_expr *promote_argument(struct cc_program *p, struct cc_expr *a)
{
    if (a->type->kind == CC_FLOAT)
        return cc_convert(p, p->types.basic[CC_DOUBLE], a);
    return cc_is_integer(a->type) ? cc_promote(p, a) : cc_convert(p, build_value_type(p, a), a);
}

struct cc_expr *cc_call(struct cc_program *p, struct cc_expr *callee, struct cc_expr **args, int n)
{
    const struct cc_type *pointer = callee->type;
    FIT(p, pointer->kind == CC_POINTER && pointer->to->kind == CC_FUNCTION);
    const struct cc_type *f = pointer->to;
    FIT(p, n == f->n_params || (n > f->n_params && (f->variadic || f->unprototyped)));
    struct cc_expr *e = node(p, CC_E_CALL, f->to);
    e->callee = callee;
    set_args(p, e, args, n);
    for (int i = 0; i < n; i++)
        e->args[i] =
            i < f->n_params ? build_store(p, f->params[i], args[i]) : promote_argument(p, args[i]);
    e->effects = e->calls = true;
    return e;
}

static void check_builtin_argument(const struct cc_program *p, int builtin, char letter,
                                   const struct cc_expr *arg)
{
    if (letter == 'p') {
        const struct cc_type *t = arg->type;
        FIT(p, t->kind == CC_POINTER || t->kind == CC_ARRAY);
        FIT(p, cc_is_integer(t->to) && t->to->kind != CC_BOOL && t->to->kind != CC_ENUM &&
                   !(t->to->quals & CC_CONST));
    } else {
        FIT(p,
            cc_is_integer(arg->type) || (cc_is_float(arg->type) && builtin == CC_BUILTIN_CHECKSUM));
    }
}

struct cc_expr *cc_builtin(struct cc_program *p, int builtin, struct cc_expr **args, int n)
{
    FIT(p, builtin >= 0 && builtin < CC_N_BUILTIN);
    const struct cc_builtin *b = &cc_builtins[builtin];
    FIT(p, (size_t)n == strlen(b->params));
    struct cc_expr *e = node(p, CC_E_BUILTIN, cc_letter_type(&p->types, b->result[0]));
    e->field = builtin;
    set_args(p, e, args, n);
    for (int i = 0; i < n; i++) {
        const struct cc_type *to = cc_letter_type(&p->types, b->params[i]);
        if (to)
            e->args[i] = build_store(p, to, args[i]);
        else
            check_builtin_argument(p, builtin, b->params[i], args[i]);
    }
    if (strchr(b->params, 'p') || b->result[0] == 'v')
        e->effects = true;
    return e;
}

/* 6.5.3.4p5 leaves the type to the implementation. */
static const struct cc_type *size_type(const struct cc_program *p)
{
    return p->types.basic[p->types.model->pointer_size == 8 ? CC_ULONG : CC_UINT];
}

struct cc_expr *cc_sizeof(struct cc_program *p, const struct cc_type *type)
{
    FIT(p, type->size > 0);
    struct cc_expr *e = node(p, CC_E_SIZEOF, size_type(p));
    e->of = type;
    return e;
}

struct cc_expr *cc_sizeof_of(struct cc_program *p, struct cc_expr *a)
{
    FIT(p, a->type->size > 0 && cc_source_bits(a) < 0);
    struct cc_expr *e = node(p, CC_E_SIZEOF_OF, size_type(p));
    e->a = as_written(p, a);
    return e;
}

/* The type of the `at`th thing that a list initialises; NULL: there are not that many. Unnamed
 * members take no part (6.7.9p9). */
static const struct cc_type *part_type(const struct cc_program *p, const struct cc_type *type,
                                       int at, int union_member)
{
    if (type->kind == CC_ARRAY || type->kind == CC_VECTOR)
        return (uint32_t)at < type->length ? type->to : NULL;
    if (!cc_is_record(type))
        return at == 0 && cc_is_scalar(type) ? type : NULL;
    const struct cc_record *r = type->record;
    if (r->is_union) {
        FIT(p, union_member >= 0 && union_member < r->n_fields && r->fields[union_member].name);
        return at == 0 ? r->fields[union_member].type : NULL;
    }
    for (int i = 0; i < r->n_fields; i++)
        if (r->fields[i].name && at-- == 0)
            return r->fields[i].type;
    return NULL;
}

struct cc_expr *cc_list(struct cc_program *p, const struct cc_type *type, struct cc_expr **list,
                        int n, int union_member)
{
    struct cc_expr *e = node(p, CC_E_LIST, type->plain);
    e->field = type->kind == CC_UNION ? union_member : 0;
    set_args(p, e, list, n);
    for (int i = 0; i < n; i++) {
        const struct cc_type *part = part_type(p, type, i, union_member);
        FIT(p, part);
        e->args[i] = build_init(p, part, list[i]);
    }
    return e;
}

struct cc_expr *cc_literal(struct cc_program *p, const struct cc_type *type, struct cc_expr *list)
{
    FIT(p, list->kind == CC_E_LIST && cc_same_type(type, list->type));
    struct cc_expr *e = node(p, CC_E_LITERAL, type);
    e->field = list->field;
    set_args(p, e, list->args, (int)list->n_args);
    return e;
}

/* -- imported programs ------------------------------------------------------------------------- */

struct cc_expr *cc_string(struct cc_program *p, const struct cc_type *type, const char *bytes,
                          uint32_t n)
{
    FIT(p, type->kind == CC_ARRAY && n <= type->size);
    struct cc_expr *e = node(p, CC_E_STRING, type);
    e->text = arena_memdup(p->arena, bytes, n);
    e->n_args = n;
    return e;
}

struct cc_expr *cc_unsupported(struct cc_program *p, const struct cc_type *type, const char *why)
{
    struct cc_expr *e = node(p, CC_E_UNSUPPORTED, type->plain);
    e->text = arena_strdup(p->arena, why);
    e->effects = e->calls = true;
    return e;
}

struct cc_expr *cc_label_address(struct cc_program *p, struct cc_stmt *label)
{
    FIT(p, label->kind == CC_S_LABEL);
    struct cc_expr *e = node(p, CC_E_LABEL, cc_pointer_to(&p->types, p->types.basic[CC_VOID]));
    e->label = label;
    return e;
}

struct cc_expr *cc_stmts(struct cc_program *p, struct cc_stmt *block)
{
    FIT(p, block->kind == CC_S_BLOCK);
    const struct cc_stmt *last = block->list.n ? block->list.at[block->list.n - 1] : NULL;
    bool valued = last && last->kind == CC_S_EXPR;
    struct cc_expr *e =
        node(p, CC_E_STMTS, valued ? build_value_type(p, last->expr) : p->types.basic[CC_VOID]);
    e->block = block;
    e->effects = e->calls = true; /* it may */
    return e;
}

struct cc_expr *cc_va_arg(struct cc_program *p, struct cc_expr *list, const struct cc_type *type)
{
    const struct cc_type *pointer = build_value_type(p, list);
    FIT(p, pointer->kind == CC_POINTER && pointer->to->plain == cc_va_list_type(&p->types));
    struct cc_expr *e = node_of(p, CC_E_VA_ARG, type->plain, CC_NONE, list, NULL);
    e->effects = true;
    return e;
}

struct cc_expr *cc_elvis(struct cc_program *p, struct cc_expr *a, struct cc_expr *b)
{
    const struct cc_type *type;
    if (cc_is_arithmetic(a->type) && cc_is_arithmetic(b->type)) {
        struct cc_expr *x = a;
        type = balance(p, &x, &b);
    } else {
        type = pointer_common(p, a, b);
        FIT(p, type);
        b = cc_convert(p, type, b);
    }
    return node_of(p, CC_E_ELVIS, type, CC_NONE, a, b);
}

/* -- wrappers --------------------------------------------------------------------------------- */

/* What an operand was before its conversion: its width, and whether it is signed. */
struct range {
    int bits;
    bool is_signed;
};

static struct range range_of(const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST && e->implicit && cc_is_integer(e->a->type))
        e = e->a;
    int bits = cc_bitfield_bits(e);
    return (struct range){bits < 0 ? e->type->bits : bits, e->type->is_signed};
}

/* Can an operation that is done in `type` be undefined for operands of these widths? */
static bool can_fail(enum cc_op op, const struct cc_type *type, struct range a, struct range b)
{
    if (!cc_is_integer(type))
        return false;
    bool small = a.bits <= 16 && b.bits <= 16;
    switch (op) {
    case CC_DIV:
    case CC_REM:
    case CC_SHL:
    case CC_SHR:
        return true;
    case CC_ADD:
    case CC_SUB:
        return type->is_signed && !small;
    case CC_MUL: /* 65535 * 65535 is the only product of 16 bits that does not fit an int */
        return type->is_signed &&
               !(small && (a.bits < 16 || b.bits < 16 || a.is_signed || b.is_signed));
    default:
        return false;
    }
}

static bool may_be_wrapped(const struct cc_expr *e)
{
    switch (e->kind) {
    case CC_E_BINARY:
        return cc_is_arithmetic(e->type) && cc_is_arithmetic(e->a->type) &&
               can_fail(e->op, e->type, range_of(e->a), range_of(e->b));
    case CC_E_UNARY:
        return e->op == CC_MINUS &&
               can_fail(CC_SUB, e->type, range_of(e->a), (struct range){1, true});
    case CC_E_ASSIGN:
        if (!cc_is_integer(e->a->type)) /* a float or a pointer */
            return false;
        return can_fail(e->op, e->b->type, range_of(e->a), range_of(e->b));
    case CC_E_INCDEC: /* what is promoted has room for one more */
        return !e->postfix && cc_is_integer(e->a->type) && range_of(e->a).bits >= INT_BITS &&
               e->a->type->is_signed;
    case CC_E_CAST:
        return !e->implicit && cc_is_float(e->a->type) && cc_is_integer(e->type) &&
               e->type->kind != CC_BOOL;
    default:
        return false;
    }
}

bool cc_make_safe(struct cc_expr *e)
{
    e->safe = may_be_wrapped(e);
    return e->safe;
}
