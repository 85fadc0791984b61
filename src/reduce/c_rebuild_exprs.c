/* Types, names and expressions of the old program in the new one. */
#include "reduce/c_rebuild_internal.h"

#include "cc/builtin.h"
#include "cc/walk.h"

/* -- types ------------------------------------------------------------------------------------- */

static int first_named(const struct cc_record *r)
{
    for (int i = 0; i < r->n_fields; i++)
        if (r->fields[i].name)
            return i;
    return -1;
}

int rebuild_flat_member(const struct rebuild *rb, const struct cc_record *r)
{
    return rebuild_has(rb, r, EDIT_FLAT) ? first_named(r) : -1;
}

static bool field_has(const struct rebuild *rb, const struct cc_record *r, enum edit_kind kind,
                      int field)
{
    for (const struct chained *c = rebuild_table_get(&rb->edits, r); c; c = c->next)
        if (c->edit->kind == kind && c->edit->number == field)
            return true;
    return false;
}

static bool field_dropped(const struct rebuild *rb, const struct cc_record *r, int field)
{
    return field_has(rb, r, EDIT_FIELD, field);
}

/* Where a member is now. */
static int field_now(const struct rebuild *rb, const struct cc_record *r, int field)
{
    int at = 0;
    for (int i = 0; i < field; i++)
        at += !field_dropped(rb, r, i);
    return at;
}

static bool is_changed(const struct rebuild *rb, const struct cc_record *r)
{
    for (int i = 0; i < r->n_fields; i++)
        if (field_dropped(rb, r, i) || field_has(rb, r, EDIT_NO_BITS, i))
            return true;
    return false;
}

/* A record as it was keeps its layout, which an attribute may have given it. One that has lost a
 * member, or a member of which has changed, is laid out anew. */
static const struct cc_type *record_of(struct rebuild *rb, const struct cc_type *t)
{
    const struct cc_record *r = t->record;
    const struct cc_type *made = rebuild_table_get(&rb->records, r);
    if (made)
        return made;
    int flat = rebuild_flat_member(rb, r);
    if (flat >= 0)
        return rebuild_type(rb, r->fields[flat].type)->plain;
    const struct edit *name = rebuild_edit(rb, r, EDIT_NAME);
    made = cc_record_declare(&rb->p->types, name ? name->name : r->tag, r->is_union);
    rebuild_table_set(rb->a, &rb->records, r, (void *)made);
    if (!r->fields || !t->size)
        return made;
    struct cc_field *fields = arena_array(rb->a, struct cc_field, r->n_fields);
    int n = 0;
    bool named = false, same = !is_changed(rb, r);
    for (int i = 0; i < r->n_fields; i++) {
        if (field_dropped(rb, r, i))
            continue;
        fields[n] = r->fields[i];
        const struct edit *field_name = rebuild_edit(rb, &r->fields[i], EDIT_NAME);
        if (field_name)
            fields[n].name = field_name->name;
        fields[n].type = rebuild_type(rb, r->fields[i].type);
        if (field_has(rb, r, EDIT_NO_BITS, i))
            fields[n].bits = -1;
        same &= fields[n].type->size == r->fields[i].type->size &&
                fields[n].type->align == r->fields[i].type->align;
        named |= fields[n++].name != NULL;
    }
    if (!named)
        rebuild_refuse(rb);
    for (int i = 0; i < n; i++) {
        const struct cc_type *f = fields[i].type;
        if (!f->size && f->kind != CC_ARRAY)
            rebuild_refuse(rb);
        if (fields[i].bits >= 0 && (!cc_is_integer(f) || fields[i].bits > f->bits))
            rebuild_refuse(rb);
    }
    uint32_t size = t->size, align = t->align;
    if (!same) { /* laid out by a record of the same members, which nobody uses */
        for (int i = 0; i < n; i++) /* what attributes asked for is not known */
            if (fields[i].type->kind == CC_ARRAY && fields[i].type->length == 0)
                rebuild_refuse(rb);
        const struct cc_type *fresh =
            cc_record_type(&rb->p->types, "unused", r->is_union, r->packed, fields, n);
        rb->p->types.records.n--;
        memcpy(fields, fresh->record->fields, (size_t)n * sizeof *fields);
        size = fresh->size;
        align = fresh->align;
    }
    cc_record_define(&rb->p->types, made, r->packed, fields, n, size, align);
    return made;
}

static const struct cc_type *function_of(struct rebuild *rb, const struct cc_type *t)
{
    const struct cc_type **params = arena_array(rb->a, const struct cc_type *, t->n_params);
    for (int i = 0; i < t->n_params; i++)
        params[i] = rebuild_type(rb, t->params[i]);
    return cc_function_type_of(&rb->p->types, rebuild_type(rb, t->to), params, t->n_params,
                               t->variadic, t->unprototyped);
}

static const struct cc_type *vector_of(struct rebuild *rb, const struct cc_type *t)
{
    const struct cc_type *lane = rebuild_type(rb, t->to);
    bool fits = lane->size == t->to->size && lane->kind != CC_BOOL && lane->bits <= 64;
    if (!fits)
        rebuild_refuse(rb);
    return cc_vector_type(&rb->p->types, lane, t->length);
}

static const struct cc_type *plain_type_of(struct rebuild *rb, const struct cc_type *t)
{
    struct cc_types *types = &rb->p->types;
    switch (t->kind) {
    case CC_ENUM:
        return cc_enum_type(types, t->enumeration->tag, t->enumeration->values,
                            t->enumeration->n_values);
    case CC_POINTER:
        return cc_pointer_to(types, rebuild_type(rb, t->to));
    case CC_ARRAY:
        return cc_array_of(types, rebuild_type(rb, t->to), t->length);
    case CC_VECTOR:
        return vector_of(rb, t);
    case CC_STRUCT:
    case CC_UNION:
        if (t->plain == rb->old->types.va_list)
            return cc_va_list_type(types);
        return record_of(rb, t);
    case CC_FUNCTION:
        return function_of(rb, t);
    default:
        return cc_basic(types, t->kind);
    }
}

const struct cc_type *rebuild_type(struct rebuild *rb, const struct cc_type *t)
{
    struct table *made_before = rb->verbatim ? &rb->given : &rb->types;
    const struct cc_type *made = rebuild_table_get(made_before, t);
    if (made)
        return made;
    const struct edit *other = rb->verbatim ? NULL : rebuild_edit(rb, t, EDIT_TYPE);
    if (t->quals)
        made = cc_qualified(&rb->p->types, rebuild_type(rb, t->plain), t->quals);
    else if (other)
        made = cc_basic(&rb->p->types, other->type->kind);
    else
        made = plain_type_of(rb, t);
    rebuild_table_set(rb->a, rb->verbatim ? &rb->given : &rb->types, t, (void *)made);
    return made;
}

const struct cc_type *rebuild_given_type(struct rebuild *rb, const struct cc_type *t)
{
    rb->verbatim = true;
    t = rebuild_type(rb, t);
    rb->verbatim = false;
    return t;
}

/* -- names ------------------------------------------------------------------------------------- */

const char *rebuild_name(struct rebuild *rb, const void *at, const char *name)
{
    const struct edit *given = rebuild_edit(rb, at, EDIT_NAME);
    if (given)
        name = given->name;
    const char *wanted = name;
    bool added;
    for (int i = 2;; i++) {
        map_put_str(&rb->names, name, &added);
        if (added)
            return name;
        name = arena_printf(rb->a, "%s_%d", wanted, i);
    }
}

/* -- expressions ------------------------------------------------------------------------------- */

/* A constant; of a pointer it is null. */
static struct cc_expr *number(struct rebuild *rb, const struct cc_type *t, cc_wide value)
{
    if (cc_is_integer(t))
        return cc_int(rb->p, t, value, CC_DECIMAL);
    if (cc_is_float(t))
        return cc_float(rb->p, t, (double)value, CC_DECIMAL);
    if (t->kind == CC_POINTER)
        return cc_null(rb->p, t);
    rebuild_refuse(rb);
}

static struct cc_expr *zero_in_place_of(struct rebuild *rb, const struct cc_expr *e)
{
    return number(rb, rebuild_type(rb, e->type)->plain, 0);
}

/* The value, which stands where there was one of the old type. */
static struct cc_expr *converted(struct rebuild *rb, struct cc_expr *value,
                                 const struct cc_type *old)
{
    const struct cc_type *type = rebuild_type(rb, old)->plain;
    bool other = cc_is_arithmetic(type) && value->type->plain != type;
    return other ? cc_cast(rb->p, type, value) : value;
}

static struct cc_expr *use_made(struct rebuild *rb, const struct cc_var *v)
{
    struct cc_var *made = rebuild_table_get(&rb->vars, v);
    if (!made)
        rebuild_refuse(rb); /* what it was declared in is gone */
    return cc_use(rb->p, made);
}

static bool is_gone(const struct rebuild *rb, const struct cc_var *v)
{
    return rebuild_has(rb, v, EDIT_DROP) && !rebuild_has(rb, v, EDIT_FOLD);
}

/* Is it (a part of) something that was dropped? */
static bool is_place_gone(const struct rebuild *rb, const struct cc_expr *e)
{
    for (;;)
        switch (e->kind) {
        case CC_E_VAR:
            return is_gone(rb, e->var);
        case CC_E_MEMBER:
            if (field_dropped(rb, e->a->type->record, e->field))
                return true;
            e = e->a;
            break;
        case CC_E_INDEX:
            if (e->a->type->kind == CC_POINTER)
                return false;
            e = e->a;
            break;
        default:
            return false;
        }
}

static struct cc_expr *use(struct rebuild *rb, const struct cc_expr *e)
{
    const struct cc_var *v = e->var;
    const struct cc_expr *argument = rebuild_table_get(&rb->replaced, v);
    if (argument)
        return converted(rb, rebuild_expr(rb, argument), v->type);
    if (rebuild_has(rb, v, EDIT_FOLD)) {
        if (!v->init || v->init->kind == CC_E_LIST)
            rebuild_refuse(rb);
        struct cc_expr *value = rebuild_expr(rb, v->init);
        return value->kind == CC_E_INT ? value : converted(rb, value, v->type);
    }
    const struct edit *same = rebuild_edit(rb, v, EDIT_SAME);
    struct cc_expr *u = use_made(rb, same ? same->other : v);
    /* an array that is one no more: it stood for its first element */
    return rebuild_has(rb, v, EDIT_SCALAR) ? cc_addr(rb->p, u) : u;
}

struct cc_expr *rebuild_other_variable(struct rebuild *rb, const struct edit *edit)
{
    return use_made(rb, edit->other);
}

/* Of a call: an argument. */
static struct cc_expr *operand(struct rebuild *rb, const struct cc_expr *e, int number)
{
    uint32_t i = (uint32_t)number + (e->kind == CC_E_CALL);
    struct cc_expr **part = cc_operand((struct cc_expr *)e, i);
    if (!part)
        rebuild_refuse(rb);
    return rebuild_expr(rb, *part);
}

/* Initialisers in order, without those of members that are gone. */
static struct cc_expr *list(struct rebuild *rb, const struct cc_expr *e, const struct cc_type *old,
                            const struct cc_type *type)
{
    int n = 0, field = e->field;
    struct cc_expr **args = arena_array(rb->a, struct cc_expr *, e->n_args + 1);
    const struct cc_record *r = cc_is_record(old) ? old->record : NULL;
    if (r && r->is_union) {
        if (e->n_args && field_dropped(rb, r, field))
            rebuild_refuse(rb);
        field = field_now(rb, r, field);
    }
    int member = -1;
    for (uint32_t i = 0; i < e->n_args; i++) {
        if (r && !r->is_union) {
            for (member++; member < r->n_fields && !r->fields[member].name; member++) {
            }
            if (field_dropped(rb, r, member))
                continue;
        }
        if (type->kind == CC_ARRAY && (uint32_t)n >= type->length)
            break;
        args[n++] = rebuild_expr(rb, e->args[i]);
    }
    return cc_list(rb->p, type, args, n, field);
}

struct cc_expr *rebuild_initialiser(struct rebuild *rb, const struct cc_expr *e,
                                    const struct cc_type *old, const struct cc_type *type)
{
    if (e->kind != CC_E_LIST)
        return rebuild_expr(rb, e);
    bool flat = cc_is_record(old) && !cc_is_record(type);
    bool scalar = old->kind == CC_ARRAY && type->kind != CC_ARRAY;
    if (flat || scalar) { /* the record is its one member, the array its first element */
        int member = flat ? first_named(old->record) : 0;
        if (member < 0)
            rebuild_refuse(rb);
        const struct cc_type *part = flat ? old->record->fields[member].type : old->to;
        return e->n_args ? rebuild_initialiser(rb, e->args[0], part, type)
                         : number(rb, type->plain, 0);
    }
    return list(rb, e, old, type);
}

static struct cc_expr *call_inline(struct rebuild *rb, const struct cc_expr *e);

static struct cc_expr *call(struct rebuild *rb, const struct cc_expr *e)
{
    const struct cc_func *f = e->callee->kind == CC_E_FUNC ? e->callee->func : NULL;
    if (rebuild_has(rb, e, EDIT_INLINE))
        return call_inline(rb, e);
    if (f && rebuild_has(rb, f, EDIT_DROP))
        return zero_in_place_of(rb, e);
    struct cc_expr **args = arena_array(rb->a, struct cc_expr *, e->n_args + 1);
    int n = 0;
    for (uint32_t i = 0; i < e->n_args; i++)
        if (!f || (int)i >= f->n_params || f->library || !rebuild_has(rb, f->params[i], EDIT_DROP))
            args[n++] = rebuild_expr(rb, e->args[i]);
    return cc_call(rb->p, rebuild_expr(rb, e->callee), args, n);
}

/* The value that a function returns by its only statement, with arguments for its parameters. */
static struct cc_expr *call_inline(struct rebuild *rb, const struct cc_expr *e)
{
    const struct cc_func *f = e->callee->kind == CC_E_FUNC ? e->callee->func : NULL;
    if (!f || !f->body || f->body->list.n != 1 || rb->depth >= MOST_INLINING ||
        f->body->list.at[0]->kind != CC_S_RETURN || !f->body->list.at[0]->expr ||
        e->n_args != (uint32_t)f->n_params)
        rebuild_refuse(rb);
    rb->depth++;
    for (int i = 0; i < f->n_params; i++)
        rebuild_table_set(rb->a, &rb->replaced, f->params[i], e->args[i]);
    struct cc_expr *value = rebuild_expr(rb, f->body->list.at[0]->expr);
    for (int i = 0; i < f->n_params; i++)
        rebuild_table_set(rb->a, &rb->replaced, f->params[i], NULL);
    rb->depth--;
    return converted(rb, value, e->type);
}

static struct cc_expr *statements(struct rebuild *rb, const struct cc_expr *e)
{
    struct cc_stmt *block = cc_block(rb->p);
    rebuild_scope(rb, e->block, block);
    return cc_stmts(rb->p, block);
}

static struct cc_expr *assignment(struct rebuild *rb, const struct cc_expr *e)
{
    if (is_place_gone(rb, e->a))
        return rebuild_expr(rb, e->b);
    const struct edit *op = rebuild_edit(rb, e, EDIT_OP);
    return cc_assign(rb->p, op ? (enum cc_op)op->number : (enum cc_op)e->op, rebuild_expr(rb, e->a),
                     rebuild_expr(rb, e->b));
}

static struct cc_expr *address(struct rebuild *rb, const struct cc_expr *e)
{
    if (is_place_gone(rb, e->a))
        return cc_null(rb->p, rebuild_type(rb, e->type)->plain);
    if (e->a->kind == CC_E_VAR && rebuild_has(rb, e->a->var, EDIT_SCALAR))
        rebuild_refuse(rb);
    struct cc_expr *a = rebuild_expr(rb, e->a);
    return a->kind == CC_E_DEREF ? a->a : cc_addr(rb->p, a);
}

static struct cc_expr *member(struct rebuild *rb, const struct cc_expr *e)
{
    const struct cc_record *r = e->a->type->record;
    struct cc_expr *a = rebuild_expr(rb, e->a);
    if (rebuild_flat_member(rb, r) >= 0)
        return a;
    return cc_member(rb->p, a, field_now(rb, r, e->field));
}

static struct cc_expr *element(struct rebuild *rb, const struct cc_expr *e)
{
    if (e->a->kind == CC_E_VAR && rebuild_has(rb, e->a->var, EDIT_SCALAR) &&
        !rebuild_table_get(&rb->replaced, e->a->var))
        return use_made(rb, e->a->var);
    struct cc_expr *made = cc_index(rb->p, rebuild_expr(rb, e->a), rebuild_expr(rb, e->b));
    made->at = e->at;
    return made;
}

static struct cc_expr *pointee(struct rebuild *rb, const struct cc_expr *e)
{
    struct cc_expr *a = rebuild_expr(rb, e->a);
    return a->kind == CC_E_ADDR ? a->a : cc_deref(rb->p, a);
}

static struct cc_expr *builtin(struct rebuild *rb, const struct cc_expr *e)
{
    struct cc_expr **args = arena_array(rb->a, struct cc_expr *, e->n_args + 1);
    for (uint32_t i = 0; i < e->n_args; i++)
        args[i] = rebuild_expr(rb, e->args[i]);
    if (e->field == CC_BUILTIN_CHECKSUM && rb->o->plain_main)
        return rebuild_print_value(rb, args[0]);
    return cc_builtin(rb->p, e->field, args, (int)e->n_args);
}

static struct cc_expr *cast(struct rebuild *rb, const struct cc_expr *e)
{
    const struct edit *type = rebuild_edit(rb, e, EDIT_TYPE);
    return cc_cast(rb->p, rebuild_type(rb, type ? type->type : e->type)->plain,
                   rebuild_expr(rb, e->a));
}

static bool points_to_object(const struct cc_type *t)
{
    return t->kind == CC_POINTER && t->to->kind != CC_VOID;
}

/* Conversions that C makes by itself come about again. Between pointers to different types
 * compilers make them with a warning, build.h does not. */
static struct cc_expr *implicit_cast(struct rebuild *rb, const struct cc_expr *e)
{
    struct cc_expr *a = rebuild_expr(rb, e->a);
    if (!points_to_object(e->type) || !points_to_object(e->a->type) || a->kind == CC_E_NULL ||
        !points_to_object(a->type) || cc_same_type(e->type->to, e->a->type->to))
        return a;
    return cc_convert(rb->p, rebuild_type(rb, e->type)->plain, a);
}

static struct cc_expr *string(struct rebuild *rb, const struct cc_expr *e)
{
    const struct cc_type *type = rebuild_given_type(rb, e->type);
    const struct edit *text = rebuild_edit(rb, e, EDIT_TEXT);
    if (!text)
        return cc_string(rb->p, type, e->text, e->n_args);
    uint32_t n = (uint32_t)strlen(text->name);
    return cc_string(rb->p, cc_array_of(&rb->p->types, type->to, n + 1), text->name, n);
}

static struct cc_expr *operation(struct rebuild *rb, const struct cc_expr *e)
{
    struct cc_program *p = rb->p;
    const struct edit *edit = rebuild_edit(rb, e, EDIT_OP);
    enum cc_op op = edit ? (enum cc_op)edit->number : (enum cc_op)e->op;
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_INT: {
        const struct edit *type = rebuild_edit(rb, e, EDIT_TYPE);
        return cc_int(p, rebuild_type(rb, type ? type->type : e->type), e->value,
                      (enum cc_spelling)e->spelling);
    }
    case CC_E_FLOAT:
        if (e->type->kind == CC_LDOUBLE)
            return cc_long_float(p, e->exact);
        return cc_float(p, rebuild_type(rb, e->type), e->number, (enum cc_spelling)e->spelling);
    case CC_E_NULL:
        return cc_null(p, rebuild_type(rb, e->type));
    case CC_E_VAR:
        return use(rb, e);
    case CC_E_FUNC: {
        struct cc_func *f = rebuild_table_get(&rb->funcs, e->func);
        if (!f)
            rebuild_refuse(rb);
        return cc_func_use(p, f);
    }
    case CC_E_MEMBER:
        return member(rb, e);
    case CC_E_INDEX:
        return element(rb, e);
    case CC_E_ADDR:
        return address(rb, e);
    case CC_E_DEREF:
        return pointee(rb, e);
    case CC_E_UNARY:
        return cc_unary(p, op, rebuild_expr(rb, e->a));
    case CC_E_BINARY:
    case CC_E_LOGICAL:
        return cc_binary(p, op, rebuild_expr(rb, e->a), rebuild_expr(rb, e->b));
    case CC_E_COND:
        return cc_cond(p, rebuild_expr(rb, e->a), rebuild_expr(rb, e->b), rebuild_expr(rb, e->c));
    case CC_E_COMMA:
        return cc_comma(p, rebuild_expr(rb, e->a), rebuild_expr(rb, e->b));
    case CC_E_CAST:
        return e->implicit ? implicit_cast(rb, e) : cast(rb, e);
    case CC_E_ASSIGN:
        return assignment(rb, e);
    case CC_E_INCDEC:
        return cc_incdec(p, op, e->postfix, rebuild_expr(rb, e->a));
    case CC_E_CALL:
        return call(rb, e);
    case CC_E_BUILTIN:
        return builtin(rb, e);
    case CC_E_SIZEOF:
        return cc_sizeof(p, rebuild_type(rb, e->of));
    case CC_E_SIZEOF_OF:
        return cc_sizeof_of(p, rebuild_expr(rb, e->a));
    case CC_E_LITERAL: {
        const struct cc_type *type = rebuild_type(rb, e->type);
        if (cc_is_record(e->type) && !cc_is_record(type))
            rebuild_refuse(rb);
        return cc_literal(p, type, list(rb, e, e->type, type));
    }
    case CC_E_LIST: {
        const struct cc_type *type = rebuild_type(rb, e->type);
        return rebuild_initialiser(rb, e, e->type, type);
    }
    case CC_E_STRING:
        return string(rb, e);
    case CC_E_STMTS:
        return statements(rb, e);
    case CC_E_VA_ARG:
        return cc_va_arg(p, rebuild_expr(rb, e->a), rebuild_type(rb, e->type));
    case CC_E_ELVIS:
        return cc_elvis(p, rebuild_expr(rb, e->a), rebuild_expr(rb, e->b));
    case CC_E_LABEL:
    case CC_E_UNSUPPORTED:
        rebuild_refuse(rb);
    case CC_N_EXPR:
        break;
    }
    BUG("expression kind %d", e->kind);
}

struct cc_expr *rebuild_expr(struct rebuild *rb, const struct cc_expr *e)
{
    const struct edit *edit = rebuild_edit(rb, e, EDIT_CONSTANT);
    if (edit)
        return number(rb, rebuild_type(rb, e->type)->plain, edit->value);
    edit = rebuild_edit(rb, e, EDIT_OPERAND);
    if (edit)
        return operand(rb, e, edit->number);
    edit = rebuild_edit(rb, e, EDIT_VARIABLE);
    if (edit) {
        const struct cc_type *type = rebuild_type(rb, e->type)->plain;
        struct cc_expr *use = rebuild_other_variable(rb, edit);
        return use->type->plain == type ? use : cc_cast(rb->p, type, use);
    }
    bool reads = e->kind == CC_E_VAR || e->kind == CC_E_MEMBER || e->kind == CC_E_INDEX;
    if ((reads && is_place_gone(rb, e)) || (e->kind == CC_E_INCDEC && is_place_gone(rb, e->a)))
        return zero_in_place_of(rb, e);
    struct cc_expr *made = operation(rb, e);
    if (e->safe && made->kind == e->kind && !rebuild_has(rb, e, EDIT_BARE)) {
        cc_make_safe(made);
        made->needed = e->needed;
    }
    if (made->kind == e->kind) {
        made->marked = e->marked;
        made->fork = e->fork;
    }
    return made;
}
