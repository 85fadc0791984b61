/* Expressions.
 *
 * build.c has the typing rules of C11 6.5; here is what C compilers accept beyond them: with a
 * warning (an int for a pointer, pointers of two types: a cast makes them alike), or as an
 * extension (arithmetic on void *, vectors with scalars, casts to unions and between vectors).
 *
 * Two things have no node in cc and are written with those that it has:
 *   - the bits of a value as another type (casts of vectors): a member of a compound literal of a
 *     union, of which another member was initialised;
 *   - a scalar as a vector: a compound literal with that scalar for every lane.
 *
 * Every expression's type is compared with clang's: a difference is a mistake of ours. */
#include "cc/import/import_internal.h"

#include "cc/import/spelled.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { INT_BITS = 32 };

/* -- what an operand is ----------------------------------------------------------------------- */

const struct cc_type *import_value_type(struct importer *im, const struct cc_expr *e)
{
    if (e->type->kind == CC_ARRAY)
        return cc_pointer_to(&im->p->types, e->type->to);
    return e->type->plain;
}

/* A null pointer constant in its simplest form (6.3.2.3p3). */
static bool is_zero(const struct cc_expr *e)
{
    return e->kind == CC_E_INT && e->value == 0;
}

struct cc_expr *import_operand(struct importer *im, uint32_t node, struct cc_expr *e)
{
    if (!cc_is_integer(e->type))
        return e;
    int bits = cc_source_bits(e);
    if (bits > INT_BITS)
        import_not_portable(im, node, "a bit-field wider than int as an operand");
    const struct cc_types *t = &im->p->types;
    if (bits >= 0 && e->kind != CC_E_MEMBER &&
        cc_promoted(t, e->type, bits) != cc_promoted(t, e->type, -1))
        import_not_portable(im, node, "the value of an assignment to a bit-field as an operand");
    return e;
}

/* The pointee has a size that one can step by. */
static bool has_steps(const struct cc_type *pointer)
{
    return pointer->to->size > 0;
}

static bool is_void_pointer(const struct cc_type *t)
{
    return t->kind == CC_POINTER && t->to->kind == CC_VOID;
}

/* -- conversions ------------------------------------------------------------------------------ */

/* The bits of `e` as a value of `to`, which has the same size. */
static struct cc_expr *same_bits(struct importer *im, const struct cc_type *to, struct cc_expr *e)
{
    struct cc_program *p = im->p;
    struct cc_field fields[] = {{.name = "from", .type = e->type->plain, .bits = -1},
                                {.name = "to", .type = to->plain, .bits = -1}};
    const struct cc_type *both = cc_record_type(&p->types, "(bits)", true, false, fields, 2);
    struct cc_expr *literal = cc_literal(p, both, cc_list(p, both, &e, 1, 0));
    return cc_member(p, literal, 1);
}

/* A vector with `e` for every lane. */
static struct cc_expr *splat(struct importer *im, uint32_t node, const struct cc_type *vector,
                             struct cc_expr *e)
{
    vector = vector->plain;
    if (e->effects || !cc_is_arithmetic(e->type))
        import_fail(im, node, "a scalar with effects as a vector");
    struct cc_expr **lanes = arena_array(im->p->arena, struct cc_expr *, vector->length);
    for (uint32_t i = 0; i < vector->length; i++)
        lanes[i] = e;
    struct cc_expr *list = cc_list(im->p, vector, lanes, (int)vector->length, 0);
    return cc_literal(im->p, vector, list);
}

struct cc_expr *import_fit(struct importer *im, uint32_t node, const struct cc_type *to,
                           struct cc_expr *e)
{
    const struct cc_type *from = import_value_type(im, e);
    to = to->plain;
    if (to->kind != CC_VOID && (from == to || (cc_is_arithmetic(from) && cc_is_arithmetic(to))))
        return e;
    if (to->kind == CC_POINTER && is_zero(e))
        return cc_null(im->p, to);
    if (to->kind == CC_POINTER && from->kind == CC_POINTER)
        return cc_convert(im->p, to, e);
    if (to->kind == CC_BOOL && from->kind == CC_POINTER)
        return e;
    if ((to->kind == CC_POINTER && cc_is_integer(from)) ||
        (from->kind == CC_POINTER && cc_is_integer(to)))
        return cc_cast(im->p, to, e);
    if (to->kind == CC_VECTOR && from->kind == CC_VECTOR && to->size == from->size)
        return same_bits(im, to, e);
    import_fail(im, node, "a conversion of %s to %s", cc_kind_text[from->kind],
                cc_kind_text[to->kind]);
}

static struct cc_expr *cast_to_union(struct importer *im, uint32_t node, const struct cc_type *to,
                                     struct cc_expr *e)
{
    const struct cc_record *r = to->record;
    const struct cc_type *from = import_value_type(im, e);
    for (int i = 0; i < r->n_fields; i++)
        if (r->fields[i].name && r->fields[i].type->plain == from)
            return cc_literal(im->p, to->plain, cc_list(im->p, to, &e, 1, i));
    import_fail(im, node, "a cast to a union");
}

static struct cc_expr *cast_to(struct importer *im, uint32_t node, const struct cc_type *to,
                               struct cc_expr *e)
{
    const struct cc_type *from = import_value_type(im, e);
    to = to->plain;
    if (to->kind == CC_POINTER && is_zero(e))
        return cc_null(im->p, to);
    bool mixed = (to->kind == CC_POINTER && cc_is_float(from)) ||
                 (from->kind == CC_POINTER && cc_is_float(to));
    if (to->kind == CC_VOID || (cc_is_scalar(to) && cc_is_scalar(from) && !mixed))
        return cc_cast(im->p, to, e);
    if (from == to && cc_is_composite(to))
        return e;
    if (to->kind == CC_UNION)
        return cast_to_union(im, node, to, e);
    bool vectors = to->kind == CC_VECTOR || from->kind == CC_VECTOR;
    bool both = (cc_is_arithmetic(to) || to->kind == CC_VECTOR) &&
                (cc_is_arithmetic(from) || from->kind == CC_VECTOR);
    if (vectors && both && to->size == from->size)
        return same_bits(im, to, e);
    import_fail(im, node, "a cast of %s to %s", cc_kind_text[from->kind], cc_kind_text[to->kind]);
}

static struct cc_expr *cast(struct importer *im, uint32_t node)
{
    struct cc_expr *e = import_expr(im, import_child(im, node, 0));
    return cast_to(im, node, import_type(im, import_node(im, node)->type, node), e);
}

/* -- is it what clang says? ------------------------------------------------------------------- */

static bool same_scalar(const struct cc_type *a, const struct cc_type *b)
{
    if (cc_is_float(a) || cc_is_float(b))
        return a->kind == b->kind;
    return a->bits == b->bits && a->is_signed == b->is_signed;
}

/* Equal where it matters: an enumeration is its integer type, long is long long; of pointers, what
 * one pointee takes the other must. */
static bool agrees(const struct cc_type *a, const struct cc_type *b, int depth)
{
    if (a->kind == CC_FUNCTION && b->kind == CC_POINTER)
        a = a->pointer; /* a designator is a pointer in cc */
    if (!a)
        return true;
    if (a->plain == b->plain)
        return true;
    if (cc_is_arithmetic(a) && cc_is_arithmetic(b))
        return same_scalar(a, b);
    bool a_points = a->kind == CC_POINTER || a->kind == CC_ARRAY;
    bool b_points = b->kind == CC_POINTER || b->kind == CC_ARRAY;
    if (a->kind == CC_ARRAY && b->kind == CC_ARRAY && a->size != b->size && a->size && b->size)
        return false;
    if (a_points && b_points)
        return depth > 0 || agrees(a->to, b->to, depth + 1);
    if (a->kind == CC_VECTOR && b->kind == CC_VECTOR)
        return a->length == b->length && same_scalar(a->to, b->to);
    return a->kind == b->kind && a->kind == CC_FUNCTION;
}

static struct cc_expr *checked(struct importer *im, uint32_t node, struct cc_expr *e)
{
    const struct cc_type *wanted = import_type(im, import_node(im, node)->type, node);
    if (!agrees(wanted, e->type, 0))
        import_bug(im, node, "the type of %s differs: %s, %s of %u bytes here",
                   parsed_kind_name[import_kind(im, node)],
                   import_type_name(im, import_node(im, node)->type), cc_kind_text[e->type->kind],
                   e->type->size);
    /* lanes of long and of long long are as wide, but two types */
    if (e->type->kind == CC_VECTOR && !cc_is_lvalue(e))
        e->type = wanted->plain;
    return e;
}

/* -- constants and uses ----------------------------------------------------------------------- */

/* As it stands in the file; a number out of a macro is at no place of its own. */
static enum cc_spelling spelling_of(const struct importer *im, const struct parsed_node *n)
{
    const char *text = n->begin < im->s->source_size ? im->s->source + n->begin : "";
    if (*text == '\'')
        return CC_CHARACTER;
    if (*text != '0')
        return CC_DECIMAL;
    return (text[1] | 32) == 'x'              ? CC_HEX
           : text[1] >= '0' && text[1] <= '7' ? CC_OCTAL
                                              : CC_DECIMAL;
}

static struct cc_expr *integer(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    const struct cc_type *type = import_type(im, n->type, node)->plain;
    if (type->kind == CC_POINTER) /* what clang knew the value of may be one */
        return n->value == 0 ? cc_null(im->p, type)
                             : cc_cast(im->p, type,
                                       cc_int(im->p, cc_basic(&im->p->types, CC_ULONG), n->value,
                                              CC_DECIMAL));
    if (!cc_is_integer(type))
        import_fail(im, node, "a constant of type %s", import_type_name(im, n->type));
    cc_wide value = n->value;
    if (type->bits > 64)
        value = (cc_wide)((cc_uwide)(uint64_t)n->value2 << 64 | (uint64_t)n->value);
    return cc_int(im->p, type, value, spelling_of(im, n));
}

/* Constants of <float.h>, whose text is clang's own. */
static bool is_limit(const struct importer *im, const struct parsed_node *n, long double *value)
{
    static const struct {
        const char *name;
        long double value;
    } limits[] = {{"LDBL_MAX", LDBL_MAX},
                  {"LDBL_MIN", LDBL_MIN},
                  {"LDBL_EPSILON", LDBL_EPSILON},
                  {"LDBL_TRUE_MIN", LDBL_TRUE_MIN}};
    const char *at = n->begin < im->s->source_size ? im->s->source + n->begin : "";
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (spelled_starts_word(scan_of(&scan_c, at, strlen(at)), limits[i].name)) {
            *value = limits[i].value;
            return !n->text_size;
        }
    return false;
}

/* From its text: clang tells no more than a double. */
static struct cc_expr *long_floating(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    const char *text = arena_memdup(im->p->arena, parsed_string(im->s, n->text), n->text_size);
    char *end;
    long double value = strtold(text, &end);
    bool whole = end > text && (*end | 32) == 'l' && !end[1];
    bool comparable = value == 0 || (fabsl(value) > 1e-300L && fabsl(value) < 1e300L);
    if (is_limit(im, n, &value))
        return cc_long_float(im->p, value);
    if (!whole || (comparable && (double)value != n->number))
        import_fail(im, node, "this constant of type long double");
    return cc_long_float(im->p, value);
}

static struct cc_expr *floating(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    const struct cc_type *type = import_type(im, n->type, node);
    if (!cc_is_float(type))
        import_fail(im, node, "a constant of type %s", import_type_name(im, n->type));
    if (type->kind == CC_LDOUBLE)
        return long_floating(im, node);
    return cc_float(im->p, type, n->number, CC_DECIMAL);
}

static struct cc_expr *string(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    const struct cc_type *type = import_type(im, n->type, node);
    if (type->kind != CC_ARRAY || n->text_size > type->size)
        import_bug(im, node, "a string literal of type %s", import_type_name(im, n->type));
    return cc_string(im->p, type, parsed_string(im->s, n->text), n->text_size);
}

static struct cc_expr *use_function(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    struct cc_expr *e = cc_func_use(im->p, import_function(im, n->ref, node));
    /* A call by a declaration without prototype promotes its arguments, whatever the definition
     * says (6.5.2.2p6). */
    const struct parsed_type *t = &im->s->types[n->type];
    if (t->kind == PARSED_T_FUNCTION && t->unprototyped && !e->func->type->unprototyped) {
        const struct cc_type *seen = import_type(im, n->type, node);
        e = cc_convert(im->p, cc_pointer_to(&im->p->types, seen), e);
    }
    return e;
}

static struct cc_expr *use(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    const struct cc_type *type;
    switch (import_kind(im, n->ref)) {
    case PARSED_VAR:
    case PARSED_PARAM:
        return im->out->uses[node] = cc_use(im->p, import_variable(im, n->ref, node));
    case PARSED_FUNCTION:
        return use_function(im, node);
    case PARSED_ENUMERATOR:
        type = import_type(im, n->type, node);
        if (!cc_is_integer(type))
            import_fail(im, node, "an enumerator of type %s", import_type_name(im, n->type));
        return cc_int(im->p, type, import_node(im, n->ref)->value, CC_DECIMAL);
    default:
        import_fail(im, node, "the use of %s", import_name(im, node));
    }
}

/* -- lvalues ---------------------------------------------------------------------------------- */

static struct cc_expr *dereferenced(struct importer *im, uint32_t node, struct cc_expr *e)
{
    const struct cc_type *t = e->type;
    if (t->kind != CC_POINTER && t->kind != CC_ARRAY)
        import_fail(im, node, "a dereferenced %s", cc_kind_text[t->kind]);
    if (t->to->kind == CC_FUNCTION) /* 6.5.3.2p4: a designator, which decays again */
        return e;
    if (t->to->kind == CC_VOID)
        return cc_cast(im->p, t->to, e);
    if (t->to->size == 0)
        import_fail(im, node, "an object without size");
    return cc_deref(im->p, e);
}

static struct cc_expr *member(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    uint32_t base = import_child(im, node, 0);
    struct cc_expr *e = import_expr(im, base);
    if (!cc_is_record(e->type)) /* -> of a pointer, or of an array */
        e = dereferenced(im, node, e);
    int path[MAX_PATH];
    int steps = cc_is_record(e->type) ? import_member_path(im, e->type, n->ref, path) : 0;
    if (!steps)
        import_fail(im, node, "the member %s", import_name(im, n->ref));
    for (int i = 0; i < steps; i++) {
        if (path[i] >= e->type->record->n_fields || !e->type->record->fields[path[i]].name)
            import_fail(im, node, "the member %s", import_name(im, n->ref));
        e = cc_member(im->p, e, path[i]);
    }
    return e;
}

static struct cc_expr *subscript(struct importer *im, uint32_t node)
{
    struct cc_expr *a = import_expr(im, import_child(im, node, 0));
    struct cc_expr *b = import_expr(im, import_child(im, node, 1));
    if (cc_is_integer(a->type)) { /* 6.5.2.1p2: 1[a] */
        struct cc_expr *swap = a;
        a = b;
        b = swap;
    }
    const struct cc_type *t = a->type;
    bool of_many = t->kind == CC_ARRAY || t->kind == CC_POINTER || t->kind == CC_VECTOR;
    if (!of_many || !cc_is_integer(b->type) || t->to->size == 0)
        import_fail(im, node, "a subscript of %s", cc_kind_text[t->kind]);
    if (t->kind == CC_VECTOR && !cc_is_lvalue(a))
        a = same_bits(im, t, a);
    return cc_index(im->p, a, import_operand(im, node, b));
}

static struct cc_expr *address(struct importer *im, uint32_t node)
{
    uint32_t of = import_child(im, node, 0);
    enum parsed_type_kind kind = im->s->types[import_node(im, of)->type].kind;
    const struct parsed_node *n = import_node(im, of);
    if (n->kind == PARSED_UNARY && n->op == '*') /* 6.5.3.2p3: neither is evaluated */
        return import_expr(im, import_child(im, of, 0));
    struct cc_expr *e = import_expr(im, of);
    if (kind == PARSED_T_FUNCTION)
        return e;
    bool lane = e->kind == CC_E_INDEX && e->a->type->kind == CC_VECTOR;
    if (!cc_is_lvalue(e) || cc_bitfield_bits(e) >= 0 || lane)
        import_fail(im, node, "the address of %s", parsed_kind_name[n->kind]);
    if (e->kind == CC_E_VAR && e->var->is_register)
        import_fail(im, node, "the address of a register variable");
    return cc_addr(im->p, e);
}

/* -- pointer arithmetic ----------------------------------------------------------------------- */

static struct cc_expr *as_char_pointer(struct importer *im, struct cc_expr *e)
{
    return cc_cast(im->p, cc_pointer_to(&im->p->types, cc_basic(&im->p->types, CC_CHAR)), e);
}

/* pointer + n or pointer - n; of void *, in steps of one (GNU). */
static struct cc_expr *stepped(struct importer *im, uint32_t node, enum cc_op op, struct cc_expr *a,
                               struct cc_expr *b)
{
    const struct cc_type *s = import_value_type(im, a), *t = import_value_type(im, b);
    bool left = s->kind == CC_POINTER;
    const struct cc_type *pointer = left ? s : t;
    if (!cc_is_integer(left ? t : s) || (op != CC_ADD && !(op == CC_SUB && left)))
        import_fail(im, node, "%s of a pointer and %s", cc_op_text[op],
                    cc_kind_text[(left ? t : s)->kind]);
    import_operand(im, node, left ? b : a);
    if (has_steps(pointer))
        return cc_binary(im->p, op, a, b);
    if (!is_void_pointer(pointer))
        import_fail(im, node, "arithmetic on a pointer to what has no size");
    if (left)
        a = as_char_pointer(im, a);
    else
        b = as_char_pointer(im, b);
    return cc_cast(im->p, pointer, cc_binary(im->p, op, a, b));
}

/* Both become pointers of one type. */
static void unify_pointers(struct importer *im, uint32_t node, struct cc_expr **a,
                           struct cc_expr **b)
{
    const struct cc_type *s = import_value_type(im, *a), *t = import_value_type(im, *b);
    if (s->kind != CC_POINTER) {
        *a = import_fit(im, node, t, *a);
    } else if (t->kind != CC_POINTER) {
        *b = import_fit(im, node, s, *b);
    } else if (!cc_same_type(s->to, t->to) && (*a)->kind != CC_E_NULL && (*b)->kind != CC_E_NULL &&
               s->to->kind != CC_VOID && t->to->kind != CC_VOID) {
        *b = cc_convert(im->p, s, *b);
    }
}

static struct cc_expr *pointer_binary(struct importer *im, uint32_t node, enum cc_op op,
                                      struct cc_expr *a, struct cc_expr *b)
{
    const struct cc_type *s = import_value_type(im, a), *t = import_value_type(im, b);
    if (cc_is_comparison(op)) {
        unify_pointers(im, node, &a, &b);
        return cc_binary(im->p, op, a, b);
    }
    if (s->kind != CC_POINTER || t->kind != CC_POINTER)
        return stepped(im, node, op, a, b);
    if (op != CC_SUB)
        import_fail(im, node, "%s of two pointers", cc_op_text[op]);
    if (!cc_same_type(s->to, t->to))
        b = cc_convert(im->p, s, b);
    if (is_void_pointer(s)) {
        a = as_char_pointer(im, a);
        b = as_char_pointer(im, b);
    } else if (!has_steps(s)) {
        import_fail(im, node, "arithmetic on a pointer to what has no size");
    }
    return cc_binary(im->p, op, a, b);
}

/* -- operators -------------------------------------------------------------------------------- */

#define BINARY_TEXTS(X)                                                                            \
    X(ADD)                                                                                         \
    X(SUB)                                                                                         \
    X(MUL)                                                                                         \
    X(DIV)                                                                                         \
    X(REM) X(SHL) X(SHR) X(AND) X(OR) X(XOR) X(LT) X(GT) X(LE) X(GE) X(EQ) X(NE) X(LAND) X(LOR)

/* The operator that is written as `op` says; CC_NONE: none. */
static enum cc_op operator_of(uint16_t op)
{
    char text[3] = {(char)(op & 0xff), (char)(op >> 8), 0};
#define X(id)                                                                                      \
    if (!strcmp(text, cc_op_text[CC_##id]))                                                        \
        return CC_##id;
    BINARY_TEXTS(X)
#undef X
    return CC_NONE;
}

static bool takes_floats(enum cc_op op)
{
    return (op >= CC_ADD && op <= CC_DIV) || cc_is_comparison(op);
}

static void check_arithmetic(struct importer *im, uint32_t node, enum cc_op op,
                             const struct cc_type *a, const struct cc_type *b)
{
    if (!cc_is_arithmetic(a) || !cc_is_arithmetic(b) ||
        (!takes_floats(op) && !(cc_is_integer(a) && cc_is_integer(b))))
        import_fail(im, node, "%s of %s and %s", cc_op_text[op], cc_kind_text[a->kind],
                    cc_kind_text[b->kind]);
}

/* Two vectors of one type; a scalar operand becomes one. */
static struct cc_expr *vector_binary(struct importer *im, uint32_t node, enum cc_op op,
                                     struct cc_expr *a, struct cc_expr *b)
{
    const struct cc_type *vector = a->type->kind == CC_VECTOR ? a->type->plain : b->type->plain;
    if (a->type->kind != CC_VECTOR)
        a = splat(im, node, vector, a);
    if (b->type->kind != CC_VECTOR)
        b = splat(im, node, vector, b);
    if (a->type->plain != b->type->plain && a->type->size == b->type->size)
        b = same_bits(im, a->type, b);
    if (a->type->plain != b->type->plain || op < CC_ADD || op > CC_NE ||
        (!takes_floats(op) && !cc_is_integer(vector->to)))
        import_fail(im, node, "%s of vectors", cc_op_text[op]);
    return cc_binary(im->p, op, a, b);
}

/* A bit-field compared with a constant that it can hold: whatever type it is promoted to, the
 * result is the same. */
static bool fits_bitfield(const struct cc_expr *e, const struct cc_expr *constant)
{
    int bits = cc_is_integer(e->type) ? cc_source_bits(e) : -1;
    return bits > 0 && constant->kind == CC_E_INT && constant->value >= 0 &&
           constant->value >> (bits - e->type->is_signed) == 0;
}

static struct cc_expr *binary(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    struct cc_expr *a = import_expr(im, import_child(im, node, 0));
    struct cc_expr *b = import_expr(im, import_child(im, node, 1));
    if (n->op == ',')
        return cc_comma(im->p, a, b);
    enum cc_op op = operator_of(n->op);
    const struct cc_type *s = import_value_type(im, a), *t = import_value_type(im, b);
    if (op == CC_NONE)
        import_fail(im, node, "an operator");
    if (op == CC_LAND || op == CC_LOR) {
        if (!cc_is_scalar(s) || !cc_is_scalar(t))
            import_fail(im, node, "%s of %s and %s", cc_op_text[op], cc_kind_text[s->kind],
                        cc_kind_text[t->kind]);
        return cc_binary(im->p, op, a, b);
    }
    if (s->kind == CC_VECTOR || t->kind == CC_VECTOR)
        return vector_binary(im, node, op, a, b);
    if (s->kind == CC_POINTER || t->kind == CC_POINTER)
        return pointer_binary(im, node, op, a, b);
    check_arithmetic(im, node, op, s, t);
    if (!cc_is_comparison(op) || !(fits_bitfield(a, b) || fits_bitfield(b, a))) {
        import_operand(im, node, a);
        import_operand(im, node, b);
    }
    return cc_binary(im->p, op, a, b);
}

/* What is stored to: C's constraints of 6.5.16p2, which clang has checked. */
static void check_modifiable(struct importer *im, uint32_t node, const struct cc_expr *e)
{
    if (!cc_is_lvalue(e) || e->type->has_const || e->type->kind == CC_ARRAY || !e->type->size)
        import_fail(im, node, "a store to %s", cc_kind_text[e->type->kind]);
}

/* Arithmetic on a void * that is stored back: p = p + n. */
static struct cc_expr *step_void_pointer(struct importer *im, uint32_t node, enum cc_op op,
                                         struct cc_expr *a, struct cc_expr *b)
{
    if (a->effects)
        import_fail(im, node, "arithmetic on a void * that is found by effects");
    return cc_assign(im->p, CC_NONE, a, stepped(im, node, op, a, b));
}

static struct cc_expr *assign(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    struct cc_expr *a = import_expr(im, import_child(im, node, 0));
    struct cc_expr *b = import_expr(im, import_child(im, node, 1));
    check_modifiable(im, node, a);
    if (n->op == '=')
        return cc_assign(im->p, CC_NONE, a, import_fit(im, node, a->type, b));
    enum cc_op op = operator_of(n->op);
    if (op < CC_ADD || op > CC_XOR)
        import_fail(im, node, "an operator");
    if (a->type->kind == CC_POINTER) {
        if (is_void_pointer(a->type))
            return step_void_pointer(im, node, op, a, b);
        if ((op != CC_ADD && op != CC_SUB) || !cc_is_integer(b->type) || !has_steps(a->type))
            import_fail(im, node, "%s= of a pointer", cc_op_text[op]);
        return cc_assign(im->p, op, a, import_operand(im, node, b));
    }
    if (a->type->kind == CC_VECTOR) {
        if (b->type->kind != CC_VECTOR)
            b = splat(im, node, a->type, b);
        if (b->type->plain != a->type->plain && b->type->size == a->type->size)
            b = same_bits(im, a->type, b);
        if (b->type->plain != a->type->plain || (!takes_floats(op) && !cc_is_integer(a->type->to)))
            import_fail(im, node, "%s= of a vector", cc_op_text[op]);
        return cc_assign(im->p, op, a, b);
    }
    check_arithmetic(im, node, op, a->type, b->type);
    if (cc_bitfield_bits(a) > INT_BITS)
        import_not_portable(im, node, "a bit-field wider than int as an operand");
    return cc_assign(im->p, op, a, import_operand(im, node, b));
}

static struct cc_expr *increment(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    struct cc_expr *a = import_expr(im, import_child(im, node, 0));
    enum cc_op op = n->op == PARSED_OP_INC ? CC_ADD : CC_SUB;
    bool postfix = (n->flags & PARSED_POSTFIX) != 0;
    check_modifiable(im, node, a);
    struct cc_expr *one = cc_int(im->p, cc_basic(&im->p->types, CC_INT), 1, CC_DECIMAL);
    if (is_void_pointer(a->type)) {
        struct cc_expr *e = step_void_pointer(im, node, op, a, one);
        if (!postfix) /* its value is the old one */
            return e;
        return cc_comma(im->p, e, stepped(im, node, op == CC_ADD ? CC_SUB : CC_ADD, a, one));
    }
    if (!cc_is_scalar(a->type) || (a->type->kind == CC_POINTER && !has_steps(a->type)))
        import_fail(im, node, "++ of %s", cc_kind_text[a->type->kind]);
    if (cc_bitfield_bits(a) > INT_BITS)
        import_not_portable(im, node, "a bit-field wider than int as an operand");
    return cc_incdec(im->p, op, postfix, a);
}

static struct cc_expr *not_vector(struct importer *im, struct cc_expr *e)
{
    const struct cc_type *type = e->type->plain;
    struct cc_expr *zero = cc_literal(im->p, type, cc_list(im->p, type, NULL, 0, 0));
    return cc_binary(im->p, CC_EQ, e, zero);
}

static struct cc_expr *unary(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    if (n->op == '&')
        return address(im, node);
    if (n->op == PARSED_OP_INC || n->op == PARSED_OP_DEC)
        return increment(im, node);
    struct cc_expr *e = import_expr(im, import_child(im, node, 0));
    const struct cc_type *t = import_value_type(im, e);
    enum cc_op op = n->op == '+'   ? CC_PLUS
                    : n->op == '-' ? CC_MINUS
                    : n->op == '~' ? CC_COMPL
                                   : CC_NOT;
    switch (n->op) {
    case PARSED_OP_EXTENSION:
        return e;
    case PARSED_OP_REAL: /* of what is not complex: clang's type says so */
        return cc_is_arithmetic(t) ? cc_convert(im->p, t, e) : e;
    case '*':
        return dereferenced(im, node, e);
    case '!':
        if (t->kind == CC_VECTOR)
            return not_vector(im, e);
        if (!cc_is_scalar(t))
            break;
        return cc_unary(im->p, op, e);
    case '+':
    case '-':
    case '~':
        if (!(cc_is_arithmetic(t) || t->kind == CC_VECTOR) ||
            (op == CC_COMPL && !cc_is_integer(t->kind == CC_VECTOR ? t->to : t)))
            break;
        return cc_unary(im->p, op, import_operand(im, node, e));
    default:
        break;
    }
    import_fail(im, node, "an operator on %s", cc_kind_text[t->kind]);
}

/* -- conditionals ----------------------------------------------------------------------------- */

struct cc_expr *import_condition(struct importer *im, uint32_t node)
{
    struct cc_expr *e = import_expr(im, node);
    const struct cc_type *t = import_value_type(im, e);
    if (!cc_is_scalar(t))
        import_fail(im, node, "a condition that is %s", cc_kind_text[t->kind]);
    return e;
}

static struct cc_expr *as_void(struct importer *im, struct cc_expr *e)
{
    return e->type->kind == CC_VOID ? e : cc_cast(im->p, cc_basic(&im->p->types, CC_VOID), e);
}

/* GNU's a ?: c. */
static struct cc_expr *elvis(struct importer *im, uint32_t node, const struct cc_type *type)
{
    struct cc_expr *a = import_condition(im, import_child(im, node, 0));
    struct cc_expr *c = import_expr(im, import_child(im, node, 2));
    if (type->kind == CC_POINTER) {
        a = import_fit(im, node, type, a);
        c = import_fit(im, node, type, c);
    } else {
        check_arithmetic(im, node, CC_ADD, import_value_type(im, a), import_value_type(im, c));
        import_operand(im, node, a);
        import_operand(im, node, c);
    }
    return cc_elvis(im->p, a, c);
}

static struct cc_expr *conditional(struct importer *im, uint32_t node)
{
    const struct cc_type *type = import_type(im, import_node(im, node)->type, node)->plain;
    if (!import_part(im, node, 1))
        return elvis(im, node, type);
    struct cc_expr *a = import_condition(im, import_child(im, node, 0));
    struct cc_expr *b = import_expr(im, import_child(im, node, 1));
    struct cc_expr *c = import_expr(im, import_child(im, node, 2));
    if (type->kind == CC_VOID) {
        b = as_void(im, b);
        c = as_void(im, c);
    } else if (type->kind == CC_POINTER) {
        b = import_fit(im, node, type, b);
        c = import_fit(im, node, type, c);
    } else if (cc_is_arithmetic(type)) {
        check_arithmetic(im, node, CC_ADD, import_value_type(im, b), import_value_type(im, c));
        import_operand(im, node, b);
        import_operand(im, node, c);
    } else if (b->type->plain != c->type->plain || !cc_is_composite(b->type)) {
        import_fail(im, node, "a conditional of %s and %s", cc_kind_text[b->type->kind],
                    cc_kind_text[c->type->kind]);
    }
    return cc_cond(im->p, a, b, c);
}

/* -- the rest --------------------------------------------------------------------------------- */

/* At file scope it is an object like any other (6.5.2.5p5). */
static struct cc_expr *literal(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    const struct cc_type *type = import_object_type(im, n->type, node);
    struct cc_expr *init = import_init(im, type, import_child(im, node, 0));
    if (!im->func) {
        const char *name = arena_printf(im->p->arena, "(literal %d)", im->n_literals++);
        return cc_use(im->p, cc_global(im->p, name, type, init));
    }
    if (init->kind != CC_E_LIST)
        init = cc_list(im->p, type, &init, 1, 0);
    return cc_literal(im->p, type, init);
}

static struct cc_expr *statement_expression(struct importer *im, uint32_t node)
{
    if (!im->func)
        import_fail(im, node, "a statement expression at file scope");
    struct surroundings outer = im->around;
    im->around = (struct surroundings){.home = ++im->n_homes};
    struct cc_stmt *block = import_block(im, import_child(im, node, 0));
    im->around = outer;
    return cc_stmts(im->p, block);
}

static struct cc_expr *next_argument(struct importer *im, uint32_t node)
{
    struct cc_expr *list = import_expr(im, import_child(im, node, 0));
    const struct cc_type *t = import_value_type(im, list);
    if (t->kind != CC_POINTER || t->to->plain != cc_va_list_type(&im->p->types))
        import_fail(im, node, "va_arg of %s", cc_kind_text[t->kind]);
    const struct cc_type *type = import_object_type(im, import_node(im, node)->type, node);
    if (type->kind == CC_ARRAY)
        import_fail(im, node, "va_arg of an array");
    return cc_va_arg(im->p, list, type);
}

/* The first word of a text that is not understood. */
static _Noreturn void not_understood(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    const char *text = parsed_string(im->s, n->text);
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    int word = n->text_size ? (int)strspn(text, letters) : 0;
    if (word)
        import_fail(im, node, "%.*s", word, text);
    import_fail(im, node, "this %s", parsed_kind_name[n->kind]);
}

static struct cc_expr *(*const makes[PARSED_N_KINDS])(struct importer *im, uint32_t node) = {
    [PARSED_INT] = integer,          [PARSED_FLOAT] = floating,
    [PARSED_STRING] = string,        [PARSED_USE] = use,
    [PARSED_MEMBER] = member,        [PARSED_INDEX] = subscript,
    [PARSED_CALL] = import_call,     [PARSED_UNARY] = unary,
    [PARSED_BINARY] = binary,        [PARSED_ASSIGN] = assign,
    [PARSED_COND] = conditional,     [PARSED_CAST] = cast,
    [PARSED_LITERAL] = literal,      [PARSED_STMT_EXPR] = statement_expression,
    [PARSED_VA_ARG] = next_argument, [PARSED_LABEL_ADDRESS] = import_label_address};

static struct cc_expr *any(struct importer *im, uint32_t node)
{
    enum parsed_kind kind = import_kind(im, node);
    if (kind == PARSED_SIZEOF)
        import_fail(im, node, "a variable length array");
    if (kind == PARSED_LABEL_ADDRESS && !im->partly)
        import_not_portable(im, node, "the address of a label");
    if (kind == PARSED_IMAGINARY)
        import_fail(im, node, "_Complex");
    if (!makes[kind])
        not_understood(im, node);
    return makes[kind](im, node);
}

/* The type of what stands in place of the expression; NULL: nothing can. */
static const struct cc_type *trap_type(struct importer *im, uint32_t node)
{
    struct recovery r;
    import_begin(im, &r);
    if (setjmp(r.here)) {
        import_recover(im, &r);
        return NULL;
    }
    const struct cc_type *t = import_type(im, import_node(im, node)->type, node);
    import_end(im, &r);
    bool valued = cc_is_scalar(t) || (cc_is_composite(t) && t->size > 0);
    return valued || t->kind == CC_VOID ? t : NULL;
}

static struct cc_expr *expr_or_trap(struct importer *im, uint32_t node)
{
    struct recovery r;
    import_begin(im, &r);
    if (!setjmp(r.here)) {
        struct cc_expr *e = checked(im, node, any(im, node));
        import_end(im, &r);
        return e;
    }
    import_recover(im, &r);
    char why[MAX_WHY];
    uint32_t line = im->why_line;
    snprintf(why, sizeof why, "%s", im->why);
    const struct cc_type *type = trap_type(im, node);
    snprintf(im->why, sizeof im->why, "%s", why);
    im->why_line = line;
    if (!type)
        longjmp(im->recovery->here, 1);
    return import_trap(im, type);
}

struct cc_expr *import_expr(struct importer *im, uint32_t node)
{
    import_enter(im, node);
    struct cc_expr *e = im->partly ? expr_or_trap(im, node) : checked(im, node, any(im, node));
    import_leave(im);
    return e;
}
