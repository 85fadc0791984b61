/* Two tables carry the work: the edits by their node, and what became of variables, functions,
 * labels and types. Everything is done in the order of the old program, so that the new one has the
 * same order. */
#include "reduce/c_rebuild.h"

#include "base/error.h"
#include "base/map.h"
#include "cc/build.h"
#include "cc/builtin.h"
#include "cc/library.h"
#include "cc/walk.h"

#include <setjmp.h>

/* -- tables ------------------------------------------------------------------------------------ */

/* From an address to another, or to an edit. */
struct table {
    struct table_slot {
        const void *key;
        void *value;
    } * slots;
    size_t n, room; /* room: a power of two */
};

static void *table_get(const struct table *t, const void *key)
{
    if (!t->room)
        return NULL;
    size_t at = (size_t)((uintptr_t)key * 0x9E3779B97F4A7C15u >> 20) & (t->room - 1);
    for (; t->slots[at].key; at = (at + 1) & (t->room - 1))
        if (t->slots[at].key == key)
            return t->slots[at].value;
    return NULL;
}

static void table_set(struct arena *a, struct table *t, const void *key, void *value)
{
    if (t->n * 2 >= t->room) {
        struct table old = *t;
        t->room = old.room ? old.room * 2 : 64;
        t->slots = arena_array(a, struct table_slot, t->room);
        t->n = 0;
        for (size_t i = 0; i < old.room; i++)
            if (old.slots[i].key)
                table_set(a, t, old.slots[i].key, old.slots[i].value);
    }
    size_t at = (size_t)((uintptr_t)key * 0x9E3779B97F4A7C15u >> 20) & (t->room - 1);
    while (t->slots[at].key && t->slots[at].key != key)
        at = (at + 1) & (t->room - 1);
    t->n += !t->slots[at].key;
    t->slots[at] = (struct table_slot){key, value};
}

/* An edit and the next one at the same node. */
struct chained {
    const struct edit *edit;
    struct chained *next;
};

struct label { /* of the old program */
    struct cc_stmt *made;
    bool placed, wanted;
};

struct inlined { /* a function whose body is being put in the place of a call */
    const struct cc_func *func;
    const struct cc_stmt *last; /* its last statement, the only one that may return */
    struct cc_expr *to;         /* where the result goes: an lvalue of the new program; or NULL */
    bool returns;               /* the result is that of the function around */
    struct inlined *outer;
};

struct rebuild {
    const struct cc_program *old;
    struct cc_program *p;
    struct arena *a;
    const struct rebuild_options *o;
    struct table edits; /* -> struct chained */
    struct table vars, funcs, types, records, labels;
    struct table given;    /* types that stay as they are: the library's */
    bool verbatim;         /* such a type is being made */
    struct table replaced; /* parameter -> the argument, a node of the old program */
    struct map names;      /* taken */
    struct cc_func *func;  /* the one in work */
    const struct cc_func *old_func;
    struct cc_stmt *inner_switch; /* whose labels are linked, of imported programs */
    struct cc_stmt **next_label;
    struct inlined *inlined;
    VEC(struct cc_var *) outside;       /* locals that have become globals */
    VEC(const struct cc_var *) visible; /* locals of the old program, as they were declared */
    int loops, switches;                /* around */
    int depth;                          /* of inlining */
    jmp_buf misfit;
};

enum { MOST_INLINING = 8 };

static _Noreturn void refuse(struct rebuild *rb)
{
    longjmp(rb->misfit, 1);
}

static const struct edit *edit_of(const struct rebuild *rb, const void *at, enum edit_kind kind)
{
    for (const struct chained *c = table_get(&rb->edits, at); c; c = c->next)
        if (c->edit->kind == kind)
            return c->edit;
    return NULL;
}

static bool has(const struct rebuild *rb, const void *at, enum edit_kind kind)
{
    return edit_of(rb, at, kind) != NULL;
}

/* -- types ------------------------------------------------------------------------------------- */

static const struct cc_type *type_of(struct rebuild *rb, const struct cc_type *t);

static int first_named(const struct cc_record *r)
{
    for (int i = 0; i < r->n_fields; i++)
        if (r->fields[i].name)
            return i;
    return -1;
}

/* The one member that a record becomes; -1: it stays a record. */
static int flat_member(const struct rebuild *rb, const struct cc_record *r)
{
    return has(rb, r, EDIT_FLAT) ? first_named(r) : -1;
}

static bool field_dropped(const struct rebuild *rb, const struct cc_record *r, int field)
{
    for (const struct chained *c = table_get(&rb->edits, r); c; c = c->next)
        if (c->edit->kind == EDIT_FIELD && c->edit->number == field)
            return true;
    return false;
}

static bool no_bits(const struct rebuild *rb, const struct cc_record *r, int field)
{
    for (const struct chained *c = table_get(&rb->edits, r); c; c = c->next)
        if (c->edit->kind == EDIT_NO_BITS && c->edit->number == field)
            return true;
    return false;
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
        if (field_dropped(rb, r, i) || no_bits(rb, r, i))
            return true;
    return false;
}

/* A record as it was keeps its layout, which an attribute may have given it. One that has lost a
 * member, or a member of which has changed, is laid out anew. */
static const struct cc_type *record_of(struct rebuild *rb, const struct cc_type *t)
{
    const struct cc_record *r = t->record;
    const struct cc_type *made = table_get(&rb->records, r);
    if (made)
        return made;
    int flat = flat_member(rb, r);
    if (flat >= 0)
        return type_of(rb, r->fields[flat].type)->plain;
    const struct edit *name = edit_of(rb, r, EDIT_NAME);
    made = cc_record_declare(&rb->p->types, name ? name->name : r->tag, r->is_union);
    table_set(rb->a, &rb->records, r, (void *)made);
    if (!r->fields || !t->size)
        return made;
    struct cc_field *fields = arena_array(rb->a, struct cc_field, r->n_fields);
    int n = 0;
    bool named = false, same = !is_changed(rb, r);
    for (int i = 0; i < r->n_fields; i++) {
        if (field_dropped(rb, r, i))
            continue;
        fields[n] = r->fields[i];
        const struct edit *field_name = edit_of(rb, &r->fields[i], EDIT_NAME);
        if (field_name)
            fields[n].name = field_name->name;
        fields[n].type = type_of(rb, r->fields[i].type);
        if (no_bits(rb, r, i))
            fields[n].bits = -1;
        same &= fields[n].type->size == r->fields[i].type->size &&
                fields[n].type->align == r->fields[i].type->align;
        named |= fields[n++].name != NULL;
    }
    if (!named)
        refuse(rb);
    for (int i = 0; i < n; i++) {
        const struct cc_type *f = fields[i].type;
        if (!f->size && f->kind != CC_ARRAY)
            refuse(rb);
        if (fields[i].bits >= 0 && (!cc_is_integer(f) || fields[i].bits > f->bits))
            refuse(rb);
    }
    uint32_t size = t->size, align = t->align;
    if (!same) { /* laid out by a record of the same members, which nobody uses */
        for (int i = 0; i < n; i++) /* what attributes asked for is not known */
            if (fields[i].type->kind == CC_ARRAY && fields[i].type->length == 0)
                refuse(rb);
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
        params[i] = type_of(rb, t->params[i]);
    return cc_function_type_of(&rb->p->types, type_of(rb, t->to), params, t->n_params, t->variadic,
                               t->unprototyped);
}

static const struct cc_type *vector_of(struct rebuild *rb, const struct cc_type *t)
{
    const struct cc_type *lane = type_of(rb, t->to);
    bool fits = lane->size == t->to->size && lane->kind != CC_BOOL && lane->bits <= 64;
    if (!fits)
        refuse(rb);
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
        return cc_pointer_to(types, type_of(rb, t->to));
    case CC_ARRAY:
        return cc_array_of(types, type_of(rb, t->to), t->length);
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

static const struct cc_type *type_of(struct rebuild *rb, const struct cc_type *t)
{
    struct table *made_before = rb->verbatim ? &rb->given : &rb->types;
    const struct cc_type *made = table_get(made_before, t);
    if (made)
        return made;
    const struct edit *other = rb->verbatim ? NULL : edit_of(rb, t, EDIT_TYPE);
    if (t->quals)
        made = cc_qualified(&rb->p->types, type_of(rb, t->plain), t->quals);
    else if (other)
        made = cc_basic(&rb->p->types, other->type->kind);
    else
        made = plain_type_of(rb, t);
    table_set(rb->a, rb->verbatim ? &rb->given : &rb->types, t, (void *)made);
    return made;
}

/* Functions of the library and string literals have types that are not ours to change. */
static const struct cc_type *given_type(struct rebuild *rb, const struct cc_type *t)
{
    rb->verbatim = true;
    t = type_of(rb, t);
    rb->verbatim = false;
    return t;
}

/* -- names ------------------------------------------------------------------------------------- */

/* Two blocks that become one must not have two variables of one name: every name is given once. */
static const char *name_of(struct rebuild *rb, const void *at, const char *name)
{
    const struct edit *given = edit_of(rb, at, EDIT_NAME);
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

static struct cc_expr *expr(struct rebuild *rb, const struct cc_expr *e);
static void list_of(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out);
static void close_scope(struct rebuild *rb, size_t from);
static struct cc_var *new_variable(struct rebuild *rb, const struct cc_var *v);

static struct cc_expr *zero(struct rebuild *rb, const struct cc_type *t)
{
    if (cc_is_integer(t))
        return cc_int(rb->p, t, 0, CC_DECIMAL);
    if (cc_is_float(t))
        return cc_float(rb->p, t, 0, CC_DECIMAL);
    if (t->kind == CC_POINTER)
        return cc_null(rb->p, t);
    refuse(rb);
}

static bool is_gone(const struct rebuild *rb, const struct cc_var *v)
{
    return has(rb, v, EDIT_DROP) && !has(rb, v, EDIT_FOLD);
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
    const struct cc_expr *argument = table_get(&rb->replaced, v);
    if (argument) {
        struct cc_expr *value = expr(rb, argument);
        const struct cc_type *type = type_of(rb, v->type)->plain;
        if (value->type->plain != type && cc_is_arithmetic(type))
            value = cc_cast(rb->p, type, value);
        return value;
    }
    if (has(rb, v, EDIT_FOLD)) {
        if (!v->init || v->init->kind == CC_E_LIST)
            refuse(rb);
        struct cc_expr *value = expr(rb, v->init);
        const struct cc_type *type = type_of(rb, v->type)->plain;
        return cc_is_arithmetic(type) && value->type->plain != type && value->kind != CC_E_INT
                   ? cc_cast(rb->p, type, value)
                   : value;
    }
    const struct edit *same = edit_of(rb, v, EDIT_SAME);
    struct cc_var *made = table_get(&rb->vars, same ? same->other : v);
    if (!made)
        refuse(rb); /* what it was declared in is gone */
    struct cc_expr *u = cc_use(rb->p, made);
    if (has(rb, v, EDIT_SCALAR)) /* an array that is one no more: it stood for its first element */
        return cc_addr(rb->p, u);
    return u;
}

/* A use of the variable that the edit names. */
static struct cc_expr *other_variable(struct rebuild *rb, const struct edit *edit)
{
    struct cc_var *made = table_get(&rb->vars, edit->other);
    if (!made)
        refuse(rb);
    return cc_use(rb->p, made);
}

static struct cc_expr *constant(struct rebuild *rb, const struct cc_expr *e,
                                const struct edit *edit)
{
    const struct cc_type *t = type_of(rb, e->type)->plain;
    if (cc_is_integer(t))
        return cc_int(rb->p, t, edit->value, CC_DECIMAL);
    if (cc_is_float(t))
        return cc_float(rb->p, t, (double)edit->value, CC_DECIMAL);
    return zero(rb, t);
}

static struct cc_expr *operand(struct rebuild *rb, const struct cc_expr *e, int number)
{
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_INT:
    case CC_E_FLOAT:
    case CC_E_NULL:
    case CC_E_VAR:
    case CC_E_FUNC:
    case CC_E_SIZEOF:
    case CC_E_STRING:
    case CC_E_STMTS:
        refuse(rb);
    case CC_E_CALL:
    case CC_E_BUILTIN:
    case CC_E_LITERAL:
    case CC_E_LIST:
        if ((uint32_t)number >= e->n_args)
            refuse(rb);
        return expr(rb, e->args[number]);
    default: {
        const struct cc_expr *parts[] = {e->a, e->b, e->c};
        if (number > 2 || !parts[number])
            refuse(rb);
        return expr(rb, parts[number]);
    }
    }
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
            refuse(rb);
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
        args[n++] = expr(rb, e->args[i]);
    }
    return cc_list(rb->p, type, args, n, field);
}

static struct cc_expr *initialiser(struct rebuild *rb, const struct cc_expr *e,
                                   const struct cc_type *old, const struct cc_type *type)
{
    if (e->kind != CC_E_LIST)
        return expr(rb, e);
    bool flat = cc_is_record(old) && !cc_is_record(type);
    bool scalar = old->kind == CC_ARRAY && type->kind != CC_ARRAY;
    if (flat || scalar) { /* the record is its one member, the array its first element */
        int member = flat ? first_named(old->record) : 0;
        if (member < 0)
            refuse(rb);
        const struct cc_type *part = flat ? old->record->fields[member].type : old->to;
        return e->n_args ? initialiser(rb, e->args[0], part, type) : zero(rb, type->plain);
    }
    return list(rb, e, old, type);
}

static struct cc_expr *call_inline(struct rebuild *rb, const struct cc_expr *e);

static struct cc_expr *call(struct rebuild *rb, const struct cc_expr *e)
{
    const struct cc_func *f = e->callee->kind == CC_E_FUNC ? e->callee->func : NULL;
    if (has(rb, e, EDIT_INLINE))
        return call_inline(rb, e);
    if (f && has(rb, f, EDIT_DROP))
        return zero(rb, type_of(rb, e->type)->plain);
    struct cc_expr **args = arena_array(rb->a, struct cc_expr *, e->n_args + 1);
    int n = 0;
    for (uint32_t i = 0; i < e->n_args; i++)
        if (!f || (int)i >= f->n_params || f->library || !has(rb, f->params[i], EDIT_DROP))
            args[n++] = expr(rb, e->args[i]);
    return cc_call(rb->p, expr(rb, e->callee), args, n);
}

/* The value that a function returns by its only statement, with arguments for its parameters. */
static struct cc_expr *call_inline(struct rebuild *rb, const struct cc_expr *e)
{
    const struct cc_func *f = e->callee->kind == CC_E_FUNC ? e->callee->func : NULL;
    if (!f || !f->body || f->body->list.n != 1 || rb->depth >= MOST_INLINING ||
        f->body->list.at[0]->kind != CC_S_RETURN || !f->body->list.at[0]->expr ||
        e->n_args != (uint32_t)f->n_params)
        refuse(rb);
    rb->depth++;
    for (int i = 0; i < f->n_params; i++)
        table_set(rb->a, &rb->replaced, f->params[i], e->args[i]);
    struct cc_expr *value = expr(rb, f->body->list.at[0]->expr);
    for (int i = 0; i < f->n_params; i++)
        table_set(rb->a, &rb->replaced, f->params[i], NULL);
    rb->depth--;
    const struct cc_type *type = type_of(rb, e->type)->plain;
    if (cc_is_arithmetic(type) && value->type->plain != type)
        value = cc_cast(rb->p, type, value);
    return value;
}

static struct cc_expr *statements(struct rebuild *rb, const struct cc_expr *e)
{
    struct cc_stmt *block = cc_block(rb->p);
    size_t scope = rb->visible.n;
    list_of(rb, e->block, block);
    close_scope(rb, scope);
    return cc_stmts(rb->p, block);
}

static struct cc_expr *assignment(struct rebuild *rb, const struct cc_expr *e)
{
    if (is_place_gone(rb, e->a))
        return expr(rb, e->b);
    const struct edit *op = edit_of(rb, e, EDIT_OP);
    return cc_assign(rb->p, op ? (enum cc_op)op->number : (enum cc_op)e->op, expr(rb, e->a),
                     expr(rb, e->b));
}

static struct cc_expr *address(struct rebuild *rb, const struct cc_expr *e)
{
    if (is_place_gone(rb, e->a))
        return cc_null(rb->p, type_of(rb, e->type)->plain);
    if (e->a->kind == CC_E_VAR && has(rb, e->a->var, EDIT_SCALAR))
        refuse(rb);
    struct cc_expr *a = expr(rb, e->a);
    return a->kind == CC_E_DEREF ? a->a : cc_addr(rb->p, a);
}

static struct cc_expr *member(struct rebuild *rb, const struct cc_expr *e)
{
    const struct cc_record *r = e->a->type->record;
    struct cc_expr *a = expr(rb, e->a);
    if (flat_member(rb, r) >= 0)
        return a;
    return cc_member(rb->p, a, field_now(rb, r, e->field));
}

static struct cc_expr *element(struct rebuild *rb, const struct cc_expr *e)
{
    if (e->a->kind == CC_E_VAR && has(rb, e->a->var, EDIT_SCALAR) &&
        !table_get(&rb->replaced, e->a->var)) {
        struct cc_var *made = table_get(&rb->vars, e->a->var);
        if (!made)
            refuse(rb);
        return cc_use(rb->p, made);
    }
    struct cc_expr *made = cc_index(rb->p, expr(rb, e->a), expr(rb, e->b));
    made->at = e->at;
    return made;
}

static struct cc_expr *pointee(struct rebuild *rb, const struct cc_expr *e)
{
    struct cc_expr *a = expr(rb, e->a);
    return a->kind == CC_E_ADDR ? a->a : cc_deref(rb->p, a);
}

/* What main hashes, it prints: `printf("%d\n", value)`. */
static struct cc_expr *print_value(struct rebuild *rb, struct cc_expr *value);

static struct cc_expr *builtin(struct rebuild *rb, const struct cc_expr *e)
{
    struct cc_expr **args = arena_array(rb->a, struct cc_expr *, e->n_args + 1);
    for (uint32_t i = 0; i < e->n_args; i++)
        args[i] = expr(rb, e->args[i]);
    if (e->field == CC_BUILTIN_CHECKSUM && rb->o->plain_main)
        return print_value(rb, args[0]);
    return cc_builtin(rb->p, e->field, args, (int)e->n_args);
}

static struct cc_expr *cast(struct rebuild *rb, const struct cc_expr *e)
{
    const struct edit *type = edit_of(rb, e, EDIT_TYPE);
    return cc_cast(rb->p, type_of(rb, type ? type->type : e->type)->plain, expr(rb, e->a));
}

static struct cc_expr *string(struct rebuild *rb, const struct cc_expr *e)
{
    const struct cc_type *type = given_type(rb, e->type);
    const struct edit *text = edit_of(rb, e, EDIT_TEXT);
    if (!text)
        return cc_string(rb->p, type, e->text, e->n_args);
    uint32_t n = (uint32_t)strlen(text->name);
    return cc_string(rb->p, cc_array_of(&rb->p->types, type->to, n + 1), text->name, n);
}

static struct cc_expr *operation(struct rebuild *rb, const struct cc_expr *e)
{
    struct cc_program *p = rb->p;
    const struct edit *edit = edit_of(rb, e, EDIT_OP);
    enum cc_op op = edit ? (enum cc_op)edit->number : (enum cc_op)e->op;
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_INT: {
        const struct edit *type = edit_of(rb, e, EDIT_TYPE);
        return cc_int(p, type_of(rb, type ? type->type : e->type), e->value,
                      (enum cc_spelling)e->spelling);
    }
    case CC_E_FLOAT:
        return cc_float(p, type_of(rb, e->type), e->number, (enum cc_spelling)e->spelling);
    case CC_E_NULL:
        return cc_null(p, type_of(rb, e->type));
    case CC_E_VAR:
        return use(rb, e);
    case CC_E_FUNC: {
        struct cc_func *f = table_get(&rb->funcs, e->func);
        if (!f)
            refuse(rb);
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
        return cc_unary(p, op, expr(rb, e->a));
    case CC_E_BINARY:
    case CC_E_LOGICAL:
        return cc_binary(p, op, expr(rb, e->a), expr(rb, e->b));
    case CC_E_COND:
        return cc_cond(p, expr(rb, e->a), expr(rb, e->b), expr(rb, e->c));
    case CC_E_COMMA:
        return cc_comma(p, expr(rb, e->a), expr(rb, e->b));
    case CC_E_CAST:
        return e->implicit ? expr(rb, e->a) : cast(rb, e);
    case CC_E_ASSIGN:
        return assignment(rb, e);
    case CC_E_INCDEC:
        return cc_incdec(p, op, e->postfix, expr(rb, e->a));
    case CC_E_CALL:
        return call(rb, e);
    case CC_E_BUILTIN:
        return builtin(rb, e);
    case CC_E_SIZEOF:
        return cc_sizeof(p, type_of(rb, e->of));
    case CC_E_SIZEOF_OF:
        return cc_sizeof_of(p, expr(rb, e->a));
    case CC_E_LITERAL: {
        const struct cc_type *type = type_of(rb, e->type);
        if (cc_is_record(e->type) && !cc_is_record(type))
            refuse(rb);
        return cc_literal(p, type, list(rb, e, e->type, type));
    }
    case CC_E_LIST: {
        const struct cc_type *type = type_of(rb, e->type);
        return initialiser(rb, e, e->type, type);
    }
    case CC_E_STRING:
        return string(rb, e);
    case CC_E_STMTS:
        return statements(rb, e);
    case CC_E_VA_ARG:
        return cc_va_arg(p, expr(rb, e->a), type_of(rb, e->type));
    case CC_E_ELVIS:
        return cc_elvis(p, expr(rb, e->a), expr(rb, e->b));
    case CC_N_EXPR:
        break;
    }
    BUG("expression kind %d", e->kind);
}

static struct cc_expr *expr(struct rebuild *rb, const struct cc_expr *e)
{
    const struct edit *edit = edit_of(rb, e, EDIT_CONSTANT);
    if (edit)
        return constant(rb, e, edit);
    edit = edit_of(rb, e, EDIT_OPERAND);
    if (edit)
        return operand(rb, e, edit->number);
    edit = edit_of(rb, e, EDIT_VARIABLE);
    if (edit) {
        const struct cc_type *type = type_of(rb, e->type)->plain;
        struct cc_expr *use = other_variable(rb, edit);
        return use->type->plain == type ? use : cc_cast(rb->p, type, use);
    }
    bool reads = e->kind == CC_E_VAR || e->kind == CC_E_MEMBER || e->kind == CC_E_INDEX;
    if ((reads && is_place_gone(rb, e)) || (e->kind == CC_E_INCDEC && is_place_gone(rb, e->a)))
        return zero(rb, type_of(rb, e->type)->plain);
    struct cc_expr *made = operation(rb, e);
    if (e->safe && made->kind == e->kind && !has(rb, e, EDIT_BARE)) {
        cc_make_safe(made);
        made->needed = e->needed;
    }
    return made;
}

/* -- statements -------------------------------------------------------------------------------- */

/* What a block declares is not to be used behind it, though an edit may ask for that. */
static void close_scope(struct rebuild *rb, size_t from)
{
    while (rb->visible.n > from)
        table_set(rb->a, &rb->vars, rb->visible.at[--rb->visible.n], NULL);
}

static void stmt(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out);

static void list_of(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    for (size_t i = 0; i < s->list.n; i++)
        stmt(rb, s->list.at[i], out);
}

static bool stands_alone(const struct cc_stmt *s)
{
    return s->kind == CC_S_EXPR || s->kind == CC_S_RETURN || s->kind == CC_S_BREAK ||
           s->kind == CC_S_CONTINUE || s->kind == CC_S_GOTO || s->kind == CC_S_EMPTY;
}

/* A branch or the body of a loop. */
static struct cc_stmt *body(struct rebuild *rb, const struct cc_stmt *s)
{
    struct cc_stmt *block = cc_block(rb->p);
    size_t scope = rb->visible.n;
    if (s && s->kind == CC_S_BLOCK && !has(rb, s, EDIT_DROP))
        list_of(rb, s, block);
    else if (s)
        stmt(rb, s, block);
    close_scope(rb, scope);
    if (rb->o->single_bodies && block->list.n == 1 && stands_alone(block->list.at[0]))
        return block->list.at[0];
    return block;
}

static struct cc_expr *maybe(struct rebuild *rb, const struct cc_expr *e)
{
    return e ? expr(rb, e) : NULL;
}

static bool is_constant(const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST)
        e = e->a;
    return e->kind == CC_E_INT || e->kind == CC_E_FLOAT || e->kind == CC_E_NULL;
}

static void put_expr(struct rebuild *rb, struct cc_expr *e, struct cc_stmt *out)
{
    if (!is_constant(e))
        cc_append(out, cc_expr_stmt(rb->p, e));
}

static bool call_of_dropped(const struct rebuild *rb, const struct cc_expr *e)
{
    return e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC &&
           has(rb, e->callee->func, EDIT_DROP);
}

static struct label *label_of(struct rebuild *rb, const struct cc_stmt *s)
{
    struct label *l = table_get(&rb->labels, s);
    if (!l) {
        l = arena_new(rb->a, struct label);
        l->made = cc_label(rb->p, s->name);
        table_set(rb->a, &rb->labels, s, l);
    }
    return l;
}

/* Labels that cases are, linked in the order of the text. */
static void link_label(struct rebuild *rb, struct cc_stmt *s)
{
    if (!rb->inner_switch)
        return;
    *rb->next_label = s;
    rb->next_label = &s->labels;
}

static void switch_stmt(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct cc_stmt *made = cc_switch(rb->p, expr(rb, s->expr), cc_block(rb->p));
    struct cc_stmt *outer = rb->inner_switch, **next = rb->next_label;
    rb->inner_switch = s->labels ? made : NULL;
    rb->next_label = &made->labels;
    rb->switches++;
    size_t scope = rb->visible.n;
    if (s->a->kind == CC_S_BLOCK)
        list_of(rb, s->a, made->a);
    else
        stmt(rb, s->a, made->a);
    close_scope(rb, scope);
    rb->switches--;
    rb->inner_switch = outer;
    rb->next_label = next;
    cc_append(out, made);
}

static void loop(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct cc_stmt *made = cc_stmt(rb->p, (enum cc_stmt_kind)s->kind);
    rb->loops++;
    made->init = maybe(rb, s->init);
    made->expr = maybe(rb, s->expr);
    made->step = maybe(rb, s->step);
    if (s->kind == CC_S_FOR) { /* a constant there is as good as nothing */
        made->init = made->init && is_constant(made->init) ? NULL : made->init;
        made->step = made->step && is_constant(made->step) ? NULL : made->step;
    }
    made->a = body(rb, s->a);
    rb->loops--;
    cc_append(out, made);
}

/* Once round: what comes ahead of a loop, and its body. */
static void unwrap(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (s->init)
        put_expr(rb, expr(rb, s->init), out);
    const struct cc_stmt *inner = s->kind == CC_S_BLOCK ? s : s->a;
    int loops = rb->loops, switches = rb->switches;
    if (s->kind == CC_S_SWITCH) { /* its labels are labels of nothing now */
        struct cc_stmt *outer = rb->inner_switch;
        rb->inner_switch = NULL;
        rb->switches = -1;
        inner->kind == CC_S_BLOCK ? list_of(rb, inner, out) : stmt(rb, inner, out);
        rb->inner_switch = outer;
    } else if (inner && inner->kind == CC_S_BLOCK) {
        list_of(rb, inner, out);
    } else if (inner) {
        stmt(rb, inner, out);
    }
    rb->loops = loops;
    rb->switches = switches;
}

static void declare(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (has(rb, s->var, EDIT_SAME)) { /* each time it is declared, it is set */
        if (s->var->init && s->var->storage == CC_AUTO && s->var->init->kind != CC_E_LIST) {
            struct cc_expr *other = other_variable(rb, edit_of(rb, s->var, EDIT_SAME));
            put_expr(rb, cc_assign(rb->p, CC_NONE, other, expr(rb, s->var->init)), out);
        }
        return;
    }
    if (has(rb, s->var, EDIT_DROP) || has(rb, s->var, EDIT_FOLD)) {
        /* what the initialiser does may be wanted all the same */
        if (s->var->init && s->var->init->effects && s->var->init->kind != CC_E_LIST &&
            !has(rb, s->var, EDIT_FOLD) && !call_of_dropped(rb, s->var->init))
            put_expr(rb, expr(rb, s->var->init), out);
        return;
    }
    struct cc_var *v = new_variable(rb, s->var);
    if (has(rb, s->var, EDIT_OUTSIDE)) {
        if (s->var->storage == CC_AUTO && v->init) { /* each time it is declared, it is set */
            if (v->init->kind == CC_E_LIST)
                refuse(rb);
            struct cc_expr *init = v->init;
            v->init = NULL;
            cc_append(out, cc_expr_stmt(rb->p, cc_assign(rb->p, CC_NONE, cc_use(rb->p, v), init)));
        }
        v->storage = CC_STATIC;
        v->global = true;
        vec_push(&rb->outside, v);
        return;
    }
    cc_append(out, cc_decl(rb->p, v));
}

static void give_back(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct inlined *in = rb->inlined;
    if (!in) {
        bool nothing = rb->func->type->to->kind == CC_VOID;
        if (s->expr && nothing && s->expr->effects && !call_of_dropped(rb, s->expr))
            put_expr(rb, expr(rb, s->expr), out);
        struct cc_expr *value = nothing ? NULL : maybe(rb, s->expr);
        cc_append(out, cc_return(rb->p, rb->func, value));
        return;
    }
    if (s != in->last)
        refuse(rb);
    rb->inlined = in->outer; /* the statement is one of the function around */
    if (in->returns)
        cc_append(out, cc_return(rb->p, rb->func, maybe(rb, s->expr)));
    else if (in->to && s->expr)
        put_expr(rb, cc_assign(rb->p, CC_NONE, in->to, expr(rb, s->expr)), out);
    else if (s->expr)
        put_expr(rb, expr(rb, s->expr), out);
    rb->inlined = in;
}

/* `f(a);`, `x = f(a);` or `return f(a);` */
static const struct cc_expr *called(const struct cc_stmt *s, const struct cc_expr **to)
{
    const struct cc_expr *e = s->expr;
    *to = NULL;
    while (e && e->kind == CC_E_CAST)
        e = e->a;
    if (e && s->kind == CC_S_EXPR && e->kind == CC_E_ASSIGN && e->op == CC_NONE) {
        *to = e->a;
        e = e->b;
    }
    while (e && e->kind == CC_E_CAST && e->implicit)
        e = e->a;
    return e && e->kind == CC_E_CALL && e->callee->kind == CC_E_FUNC && e->callee->func->body
               ? e
               : NULL;
}

static void inline_call(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    const struct cc_expr *to, *e = called(s, &to);
    if (!e || e->n_args != (uint32_t)e->callee->func->n_params || rb->depth >= MOST_INLINING)
        refuse(rb);
    const struct cc_func *f = e->callee->func;
    struct cc_stmt *block = cc_block(rb->p);
    struct cc_var **before = arena_array(rb->a, struct cc_var *, f->n_params + 1);
    struct cc_var **made = arena_array(rb->a, struct cc_var *, f->n_params + 1);
    for (int i = 0; i < f->n_params; i++) {
        if (has(rb, f->params[i], EDIT_DROP))
            continue;
        made[i] = cc_local(rb->p, name_of(rb, f->params[i], f->params[i]->name),
                           type_of(rb, f->params[i]->type)->plain, expr(rb, e->args[i]));
        cc_append(block, cc_decl(rb->p, made[i]));
    }
    for (int i = 0; i < f->n_params; i++) {
        before[i] = table_get(&rb->vars, f->params[i]);
        table_set(rb->a, &rb->vars, f->params[i], made[i]);
    }
    size_t n = f->body->list.n;
    struct inlined in = {.func = f,
                         .last = n ? f->body->list.at[n - 1] : NULL,
                         .to = to ? expr(rb, to) : NULL,
                         .returns = s->kind == CC_S_RETURN,
                         .outer = rb->inlined};
    if ((in.to || in.returns) && (!in.last || in.last->kind != CC_S_RETURN))
        refuse(rb);
    int loops = rb->loops, switches = rb->switches;
    rb->inlined = &in;
    rb->depth++;
    rb->loops = rb->switches = 0;
    size_t scope = rb->visible.n;
    list_of(rb, f->body, block);
    close_scope(rb, scope);
    rb->loops = loops;
    rb->switches = switches;
    rb->depth--;
    rb->inlined = in.outer;
    for (int i = 0; i < f->n_params; i++)
        table_set(rb->a, &rb->vars, f->params[i], before[i]);
    cc_append(out, block);
}

static void branch(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    if (has(rb, s, EDIT_ELSE)) {
        if (s->b && s->b->kind == CC_S_BLOCK)
            list_of(rb, s->b, out);
        else if (s->b)
            stmt(rb, s->b, out);
        return;
    }
    struct cc_expr *condition = expr(rb, s->expr);
    struct cc_stmt *a = body(rb, s->a);
    struct cc_stmt *b = s->b && !has(rb, s, EDIT_NO_ELSE) ? body(rb, s->b) : NULL;
    if (b && b->kind == CC_S_BLOCK && b->list.n == 0)
        b = NULL;
    cc_append(out, cc_if(rb->p, condition, a, b));
}

/* An operand as a statement of its own, if it does anything. */
static void put_operand(struct rebuild *rb, const struct cc_expr *e, struct cc_stmt *out)
{
    if (e && e->effects && !call_of_dropped(rb, e))
        put_expr(rb, expr(rb, e), out);
}

static void split(struct rebuild *rb, const struct cc_expr *e, struct cc_stmt *out)
{
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_UNARY:
    case CC_E_CAST:
    case CC_E_BINARY:
    case CC_E_LOGICAL:
    case CC_E_COND:
    case CC_E_COMMA:
    case CC_E_ASSIGN:
        put_operand(rb, e->a, out);
        put_operand(rb, e->b, out);
        put_operand(rb, e->c, out);
        return;
    case CC_E_CALL:
    case CC_E_BUILTIN:
        for (uint32_t i = 0; i < e->n_args; i++)
            put_operand(rb, e->args[i], out);
        return;
    default:
        refuse(rb);
    }
}

static void stmt(struct rebuild *rb, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct cc_program *p = rb->p;
    if (has(rb, s, EDIT_DROP))
        return;
    if (has(rb, s, EDIT_SPLIT)) {
        split(rb, s->expr, out);
        return;
    }
    if (has(rb, s, EDIT_CONDITION)) {
        put_operand(rb, s->init, out);
        put_operand(rb, s->expr, out);
        return;
    }
    const struct edit *store = edit_of(rb, s, EDIT_STORE);
    if (store) {
        put_operand(rb, s->init, out);
        put_expr(rb, cc_assign(p, CC_NONE, other_variable(rb, store), expr(rb, s->expr)), out);
        return;
    }
    if (has(rb, s, EDIT_INLINE)) {
        inline_call(rb, s, out);
        return;
    }
    if (has(rb, s, EDIT_BODY)) {
        unwrap(rb, s, out);
        return;
    }
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_BLOCK: {
        struct cc_stmt *block = cc_block(p);
        size_t scope = rb->visible.n;
        list_of(rb, s, block);
        close_scope(rb, scope);
        if (block->list.n)
            cc_append(out, block);
        return;
    }
    case CC_S_EXPR:
        if (!call_of_dropped(rb, s->expr))
            put_expr(rb, expr(rb, s->expr), out);
        return;
    case CC_S_DECL:
        declare(rb, s, out);
        return;
    case CC_S_IF:
        branch(rb, s, out);
        return;
    case CC_S_FOR:
    case CC_S_WHILE:
    case CC_S_DO:
        loop(rb, s, out);
        return;
    case CC_S_SWITCH:
        switch_stmt(rb, s, out);
        return;
    case CC_S_CASE:
    case CC_S_DEFAULT:
        if (rb->switches > 0) {
            struct cc_stmt *made =
                s->kind == CC_S_CASE ? cc_case(p, s->value) : cc_stmt(p, CC_S_DEFAULT);
            if (s->kind == CC_S_CASE)
                made->high = s->high;
            link_label(rb, made);
            cc_append(out, made);
        }
        return;
    case CC_S_BREAK:
        if (rb->loops > 0 || rb->switches > 0)
            cc_append(out, cc_stmt(p, CC_S_BREAK));
        return;
    case CC_S_CONTINUE:
        if (rb->loops > 0)
            cc_append(out, cc_stmt(p, CC_S_CONTINUE));
        return;
    case CC_S_GOTO: {
        struct label *l = label_of(rb, s->target);
        l->wanted = true;
        cc_append(out, cc_goto(p, l->made));
        return;
    }
    case CC_S_LABEL:
        label_of(rb, s)->placed = true;
        cc_append(out, label_of(rb, s)->made);
        return;
    case CC_S_RETURN:
        give_back(rb, s, out);
        return;
    case CC_S_EMPTY:
    case CC_S_COMMENT:
        return;
    case CC_N_STMT:
        break;
    }
    BUG("statement kind %d", s->kind);
}

/* -- variables --------------------------------------------------------------------------------- */

static const struct cc_type *variable_type(struct rebuild *rb, const struct cc_var *v)
{
    const struct edit *edit = edit_of(rb, v, EDIT_TYPE);
    const struct cc_type *type = type_of(rb, edit ? edit->type : v->type);
    edit = edit_of(rb, v, EDIT_LENGTH);
    if (has(rb, v, EDIT_SCALAR) && type->kind == CC_ARRAY)
        type = type->to;
    else if (edit && type->kind == CC_ARRAY)
        type = cc_array_of(&rb->p->types, type->to, (uint32_t)edit->number);
    if (has(rb, v, EDIT_PLAIN)) {
        VEC(uint32_t) lengths = {0};
        while (type->kind == CC_ARRAY) {
            vec_push(&lengths, type->length);
            type = type->to;
        }
        type = type->plain;
        while (lengths.n)
            type = cc_array_of(&rb->p->types, type, lengths.at[--lengths.n]);
        vec_release(&lengths);
    }
    return type;
}

static struct cc_var *copy_variable(struct rebuild *rb, const struct cc_var *v,
                                    const struct cc_type *type, const char *name)
{
    struct cc_var *made =
        v->param ? cc_param(rb->p, name, type) : cc_local(rb->p, name, type, NULL);
    bool plain = has(rb, v, EDIT_PLAIN);
    made->storage = v->storage;
    made->global = v->global;
    made->is_register = v->is_register && !plain;
    made->not_hashed = v->not_hashed || has(rb, v, EDIT_UNSEEN);
    made->container = type->kind == CC_ARRAY ? v->container : CC_C_ARRAY;
    made->member_of = v->member_of ? type_of(rb, v->member_of) : NULL;
    made->unit = rb->o->one_unit ? 0 : v->unit;
    made->align = plain ? 0 : v->align;
    if (has(rb, v, EDIT_LINKAGE))
        made->storage = v->storage == CC_STATIC ? CC_EXTERN : CC_STATIC;
    table_set(rb->a, &rb->vars, v, made);
    if (!v->global && !v->param)
        vec_push(&rb->visible, v);
    return made;
}

static struct cc_var *new_variable(struct rebuild *rb, const struct cc_var *v)
{
    const struct cc_type *type = variable_type(rb, v);
    struct cc_var *made = copy_variable(rb, v, type, name_of(rb, v, v->name));
    if (v->init && !has(rb, v, EDIT_NO_INIT))
        cc_initialise(rb->p, made, initialiser(rb, v->init, v->type, type));
    return made;
}

/* -- the whole --------------------------------------------------------------------------------- */

static const struct cc_type *signature(struct rebuild *rb, const struct cc_func *f)
{
    const struct cc_type *t = f->type;
    const struct edit *result = edit_of(rb, f, EDIT_TYPE);
    const struct cc_type **params = arena_array(rb->a, const struct cc_type *, t->n_params + 1);
    int n = 0;
    for (int i = 0; i < t->n_params; i++) {
        const struct cc_var *v = i < f->n_params ? f->params[i] : NULL;
        if (v && has(rb, v, EDIT_DROP))
            continue;
        params[n++] =
            v && has(rb, v, EDIT_TYPE) ? variable_type(rb, v)->plain : type_of(rb, t->params[i]);
    }
    return cc_function_type_of(&rb->p->types, type_of(rb, result ? result->type : t->to), params, n,
                               t->variadic, t->unprototyped);
}

static struct cc_func *new_function(struct rebuild *rb, const struct cc_func *f)
{
    struct cc_var **params = arena_array(rb->a, struct cc_var *, f->n_params + 1);
    int n = 0;
    for (int i = 0; i < f->n_params; i++)
        if (!has(rb, f->params[i], EDIT_DROP))
            params[n++] = copy_variable(rb, f->params[i], variable_type(rb, f->params[i]),
                                        name_of(rb, f->params[i], f->params[i]->name));
    bool fixed = f->library || !strcmp(f->name, "main");
    const char *name = fixed ? f->name : name_of(rb, f, f->name);
    const struct cc_type *type = f->library ? given_type(rb, f->type) : signature(rb, f);
    struct cc_func *made = cc_function_of(rb->p, name, type, params, n);
    made->storage = f->storage;
    if (has(rb, f, EDIT_LINKAGE))
        made->storage = f->storage == CC_STATIC ? CC_EXTERN : CC_STATIC;
    made->unit = rb->o->one_unit ? 0 : f->unit;
    made->attributes = has(rb, f, EDIT_PLAIN) ? 0 : f->attributes;
    made->library = f->library;
    table_set(rb->a, &rb->funcs, f, made);
    for (int i = 0; i < f->n_params; i++) /* its body alone sees them */
        table_set(rb->a, &rb->vars, f->params[i], NULL);
    return made;
}

static void show_parameters(struct rebuild *rb, const struct cc_func *f, struct cc_func *made,
                            bool visible)
{
    for (int i = 0, at = 0; i < f->n_params; i++)
        if (!has(rb, f->params[i], EDIT_DROP))
            table_set(rb->a, &rb->vars, f->params[i], visible ? made->params[at++] : NULL);
}

static void take_unused_labels(struct rebuild *rb, struct cc_stmt *s);

static void take_from_list(struct rebuild *rb, struct cc_stmt *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->list.n; i++) {
        struct cc_stmt *part = s->list.at[i];
        bool wanted = part->kind != CC_S_LABEL || part->value;
        take_unused_labels(rb, part);
        if (wanted)
            s->list.at[n++] = part;
    }
    s->list.n = n;
}

/* `value` of a label that something jumps to is set by check_labels. */
static void take_unused_labels(struct rebuild *rb, struct cc_stmt *s)
{
    if (!s)
        return;
    take_from_list(rb, s);
    take_unused_labels(rb, s->a);
    take_unused_labels(rb, s->b);
}

static void check_labels(struct rebuild *rb, struct cc_stmt *body_made)
{
    bool any = false;
    for (size_t i = 0; i < rb->labels.room; i++) {
        struct label *l = rb->labels.slots[i].key ? rb->labels.slots[i].value : NULL;
        if (l && l->wanted && !l->placed)
            refuse(rb);
        if (l && l->wanted)
            l->made->value = 1;
        any |= l && l->placed && !l->wanted;
    }
    if (any)
        take_unused_labels(rb, body_made);
    for (size_t i = 0; i < rb->labels.room; i++)
        if (rb->labels.slots[i].key)
            ((struct label *)rb->labels.slots[i].value)->made->value = 0;
    rb->labels = (struct table){0};
}

static void fill_function(struct rebuild *rb, const struct cc_func *f)
{
    struct cc_func *made = table_get(&rb->funcs, f);
    rb->func = made;
    rb->old_func = f;
    made->body = cc_block(rb->p);
    rb->inner_switch = NULL;
    show_parameters(rb, f, made, true);
    list_of(rb, f->body, made->body);
    close_scope(rb, 0);
    show_parameters(rb, f, made, false);
    check_labels(rb, made->body);
}

/* printf, where main prints. */
static struct cc_func *print_function(struct rebuild *rb)
{
    struct cc_types *t = &rb->p->types;
    for (size_t i = 0; i < rb->p->funcs.n; i++)
        if (rb->p->funcs.at[i]->library == CC_LIB_PRINTF)
            return rb->p->funcs.at[i];
    const struct cc_type *text = cc_pointer_to(t, cc_qualified(t, cc_basic(t, CC_CHAR), CC_CONST));
    const struct cc_type *type = cc_function_type_of(t, cc_basic(t, CC_INT), &text, 1, true, false);
    struct cc_var *param = cc_param(rb->p, "format", text);
    struct cc_func *f = cc_function_of(rb->p, "printf", type, &param, 1);
    f->library = CC_LIB_PRINTF;
    f->storage = CC_EXTERN;
    return f;
}

static const char *conversion(const struct cc_type *t)
{
    switch (t->kind) {
    case CC_UINT:
        return "%u\n";
    case CC_LONG:
        return "%ld\n";
    case CC_ULONG:
        return "%lu\n";
    case CC_LLONG:
        return "%lld\n";
    case CC_ULLONG:
        return "%llu\n";
    default:
        return cc_is_float(t) ? "%a\n" : t->kind == CC_ENUM && !t->is_signed ? "%u\n" : "%d\n";
    }
}

static struct cc_expr *print_value(struct rebuild *rb, struct cc_expr *value)
{
    struct cc_types *t = &rb->p->types;
    while (value->kind == CC_E_CAST && value->implicit)
        value = value->a;
    const char *format = conversion(value->type);
    const struct cc_type *text = cc_array_of(t, cc_basic(t, CC_CHAR), (uint32_t)strlen(format) + 1);
    struct cc_expr *args[] = {cc_string(rb->p, text, format, (uint32_t)strlen(format)), value};
    return cc_call(rb->p, cc_func_use(rb->p, print_function(rb)), args, 2);
}

static void build_main(struct rebuild *rb)
{
    const struct cc_func *f = rb->old->main;
    if (!f || (!rb->o->whole_main && !rb->o->plain_main))
        return;
    struct cc_func *made = new_function(rb, f);
    rb->p->funcs.n--; /* main stands beside the others */
    fill_function(rb, f);
    size_t n = made->body->list.n;
    if (rb->o->plain_main && !(n && made->body->list.at[n - 1]->kind == CC_S_RETURN))
        cc_append(
            made->body,
            cc_return(rb->p, made, cc_int(rb->p, cc_basic(&rb->p->types, CC_INT), 0, CC_DECIMAL)));
    rb->p->main = made;
}

/* -- order of functions ------------------------------------------------------------------------ */

struct ordering {
    struct rebuild *rb;
    struct table seen;
    VEC(struct cc_func *) order;
};

static void order_function(struct ordering *o, const struct cc_func *f);

static bool order_callee(const struct cc_expr *e, void *ordering)
{
    if (e->kind == CC_E_FUNC)
        order_function(ordering, e->func);
    return false;
}

static void order_function(struct ordering *o, const struct cc_func *f)
{
    struct cc_func *made = table_get(&o->rb->funcs, f);
    if (!made || table_get(&o->seen, f))
        return;
    table_set(o->rb->a, &o->seen, f, made);
    cc_walk_stmt(f->body, &(struct cc_walk){.expr = order_callee, .to = o});
    vec_push(&o->order, made);
}

/* Whoever is called stands first, so that nothing needs a declaration but recursion. */
static void order_functions(struct rebuild *rb)
{
    struct ordering o = {.rb = rb};
    for (size_t i = 0; i < rb->old->funcs.n; i++)
        order_function(&o, rb->old->funcs.at[i]);
    REQUIRE(o.order.n == rb->p->funcs.n);
    for (size_t i = 0; i < o.order.n; i++)
        rb->p->funcs.at[i] = o.order.at[i];
    vec_release(&o.order);
}

static void build(struct rebuild *rb)
{
    const struct cc_program *old = rb->old;
    struct cc_program *p = rb->p;
    p->n_units = rb->o->one_unit ? 1 : old->n_units;
    for (size_t i = 0; i < old->types.records.n; i++) /* types keep their order */
        if (flat_member(rb, old->types.records.at[i]->record) < 0)
            type_of(rb, old->types.records.at[i]);
    for (size_t i = 0; i < old->globals.n; i++) {
        const struct cc_var *v = old->globals.at[i];
        if (has(rb, v, EDIT_DROP) || has(rb, v, EDIT_FOLD) || has(rb, v, EDIT_SAME))
            continue;
        struct cc_var *made = copy_variable(rb, v, variable_type(rb, v), name_of(rb, v, v->name));
        vec_push(&p->globals, made);
    }
    for (size_t i = 0; i < old->funcs.n; i++)
        if (!has(rb, old->funcs.at[i], EDIT_DROP))
            new_function(rb, old->funcs.at[i]);
    if (rb->o->callees_first)
        order_functions(rb);
    for (size_t i = 0; i < old->globals.n; i++) {
        const struct cc_var *v = old->globals.at[i];
        struct cc_var *made = table_get(&rb->vars, v);
        if (made && v->init && !has(rb, v, EDIT_NO_INIT))
            cc_initialise(p, made, initialiser(rb, v->init, v->type, made->type));
    }
    for (size_t i = 0; i < old->funcs.n; i++)
        if (old->funcs.at[i]->body && table_get(&rb->funcs, old->funcs.at[i]))
            fill_function(rb, old->funcs.at[i]);
    if (old->entry) {
        p->entry = table_get(&rb->funcs, old->entry);
        if (!p->entry && !rb->o->plain_main)
            refuse(rb);
    }
    build_main(rb);
    if (rb->o->plain_main)
        p->entry = NULL;
    for (size_t i = 0; i < rb->outside.n; i++)
        vec_push(&p->globals, rb->outside.at[i]);
}

bool c_rebuild(const struct cc_program *old, const struct edit *edits, size_t n,
               const struct rebuild_options *o, struct arena *a, struct cc_program *p)
{
    struct rebuild *rb = arena_new(a, struct rebuild);
    *rb = (struct rebuild){.old = old, .p = p, .a = a, .o = o};
    cc_program_init(p, a, old->types.model);
    for (size_t i = 0; i < n; i++) {
        struct chained *c = arena_new(a, struct chained);
        *c = (struct chained){&edits[i], table_get(&rb->edits, edits[i].at)};
        table_set(a, &rb->edits, edits[i].at, c);
    }
    map_init(&rb->names);
    bool good = false;
    if (!setjmp(rb->misfit)) {
        p->misfit = &rb->misfit;
        build(rb);
        good = true;
    }
    p->misfit = NULL;
    map_release(&rb->names);
    vec_release(&rb->outside);
    vec_release(&rb->visible);
    if (!good)
        cc_program_release(p);
    return good;
}
