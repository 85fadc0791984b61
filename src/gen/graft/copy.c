/* Everything is made by cc's builders, which compute types and conversions anew. Functions are
 * declared where they are first met and filled one after the other, so that recursion needs no
 * care. */
#include "gen/graft/copy.h"

#include "base/error.h"
#include "cc/build.h"
#include "cc/builtin.h"
#include "cc/library.h"
#include "cc/walk.h"
#include "gen/graft/standard.h"

#include <ctype.h>

struct pair { /* of an address, what became of it */
    const void *key;
    void *value;
};

struct pending {
    const struct cc_func *from;
    struct cc_func *made;
};

struct copy {
    struct cc_program *p;
    struct arena *a;
    const char *prefix;
    struct map names;
    struct map standard; /* functions of the library that were copied, by name */
    struct pair *slots;
    size_t n, room; /* room: a power of two */
    VEC(struct pending) pending;
    struct cc_func *func; /* the one that is filled */
    struct cc_stmt **next_label;
    bool links_labels; /* of the switch around */
    const char *why;
    jmp_buf misfit;
};

/* -- what became of what ----------------------------------------------------------------------- */

static struct pair *slot_of(const struct pair *slots, size_t room, const void *key)
{
    size_t at = (size_t)((uintptr_t)key * 0x9E3779B97F4A7C15u >> 20) & (room - 1);
    while (slots[at].key && slots[at].key != key)
        at = (at + 1) & (room - 1);
    return (struct pair *)&slots[at];
}

static void *found(const struct copy *c, const void *key)
{
    return c->room ? slot_of(c->slots, c->room, key)->value : NULL;
}

static void note(struct copy *c, const void *key, void *value)
{
    if (c->n * 2 >= c->room) {
        size_t room = c->room ? c->room * 2 : 256;
        struct pair *slots = arena_array(c->a, struct pair, room);
        for (size_t i = 0; i < c->room; i++)
            if (c->slots[i].key)
                *slot_of(slots, room, c->slots[i].key) = c->slots[i];
        c->slots = slots;
        c->room = room;
    }
    struct pair *s = slot_of(c->slots, c->room, key);
    c->n += !s->key;
    *s = (struct pair){key, value};
}

static _Noreturn void refuse(struct copy *c, const char *why)
{
    c->why = why;
    longjmp(c->misfit, 1);
}

/* -- names ------------------------------------------------------------------------------------- */

static const char *fresh_name(struct copy *c, const char *name)
{
    bool added;
    const char *wanted = arena_printf(c->a, "%s%s", c->prefix, name), *tried = wanted;
    for (int i = 2;; i++) {
        map_put_str(&c->names, tried, &added);
        if (added)
            return tried;
        tried = arena_printf(c->a, "%s_%d", wanted, i);
    }
}

static void take_names(struct copy *c)
{
    struct cc_program *p = c->p;
    for (size_t i = 0; i < p->globals.n; i++)
        map_put_str(&c->names, p->globals.at[i]->name, NULL);
    for (size_t i = 0; i < p->funcs.n; i++)
        map_put_str(&c->names, p->funcs.at[i]->name, NULL);
    for (size_t i = 0; i < p->types.records.n; i++)
        map_put_str(&c->names, p->types.records.at[i]->record->tag, NULL);
    map_put_str(&c->names, "main", NULL);
}

static bool is_writable(const char *name) /* in a program's text */
{
    for (const char *s = name; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_')
            return false;
    return *name && !isdigit((unsigned char)*name);
}

/* -- types ------------------------------------------------------------------------------------- */

static const struct cc_type *type_of(struct copy *c, const struct cc_type *t);

static void records_within(struct copy *c, const struct cc_type *t)
{
    while (t->kind == CC_ARRAY)
        t = t->to;
    if (cc_is_record(t))
        type_of(c, t);
}

/* Those that are members come first. The layout must be what the members make of it. */
static const struct cc_type *record_of(struct copy *c, const struct cc_type *t)
{
    const struct cc_record *r = t->record;
    if (!r->fields || !t->size)
        refuse(c, "a record without members");
    if (r->packed || r->aligned)
        refuse(c, "a record with a layout of its own");
    for (int i = 0; i < r->n_fields; i++)
        records_within(c, r->fields[i].type);
    const char *tag = is_writable(r->tag) ? r->tag : "record";
    const struct cc_type *made = cc_record_declare(&c->p->types, fresh_name(c, tag), r->is_union);
    note(c, t->plain, (void *)made);
    struct cc_field *fields = arena_array(c->a, struct cc_field, r->n_fields);
    for (int i = 0; i < r->n_fields; i++) {
        fields[i] = r->fields[i];
        fields[i].type = type_of(c, r->fields[i].type);
        if (fields[i].name && !is_writable(fields[i].name))
            refuse(c, "an anonymous member");
        if (!fields[i].type->size)
            refuse(c, "a member without size");
    }
    const struct cc_type *fresh =
        cc_record_type(&c->p->types, "unused", r->is_union, false, fields, r->n_fields);
    c->p->types.records.n--;
    for (int i = 0; i < r->n_fields; i++)
        if (fresh->record->fields[i].offset != r->fields[i].offset ||
            fresh->record->fields[i].bit != r->fields[i].bit)
            refuse(c, "a record with a layout of its own");
    if (fresh->size != t->size || fresh->align != t->align)
        refuse(c, "a record with a layout of its own");
    cc_record_define(&c->p->types, made, false, fields, r->n_fields, t->size, t->align);
    return made;
}

static const struct cc_type *function_type(struct copy *c, const struct cc_type *result,
                                           const struct cc_type *const *from, int n)
{
    const struct cc_type **params = arena_array(c->a, const struct cc_type *, n + 1);
    for (int i = 0; i < n; i++)
        params[i] = type_of(c, from[i])->plain;
    return cc_function_type(&c->p->types, type_of(c, result), params, n);
}

static const struct cc_type *plain_type(struct copy *c, const struct cc_type *t)
{
    struct cc_types *types = &c->p->types;
    switch (t->kind) {
    case CC_FLOAT:
    case CC_DOUBLE:
        refuse(c, "floating point");
    case CC_INT128:
    case CC_UINT128:
        refuse(c, "an integer of 128 bits");
    case CC_ENUM:
        return cc_basic(types, t->is_signed ? CC_INT : CC_UINT);
    case CC_POINTER:
        return cc_pointer_to(types, type_of(c, t->to));
    case CC_ARRAY:
        return cc_array_of(types, type_of(c, t->to), t->length);
    case CC_VECTOR:
        refuse(c, "a vector");
    case CC_STRUCT:
    case CC_UNION:
        return record_of(c, t);
    case CC_FUNCTION:
        if (t->variadic || t->unprototyped)
            refuse(c, "a pointer to a function without prototype");
        return function_type(c, t->to, t->params, t->n_params);
    default:
        if (t->kind > CC_ULLONG)
            refuse(c, "a type that is no integer");
        return cc_basic(types, t->kind);
    }
}

static const struct cc_type *type_of(struct copy *c, const struct cc_type *t)
{
    const struct cc_type *made = found(c, t);
    if (made)
        return made;
    if (t->quals & CC_VOLATILE)
        refuse(c, "a volatile object");
    made = t->quals && t->kind != CC_ARRAY
               ? cc_qualified(&c->p->types, type_of(c, t->plain), t->quals)
               : plain_type(c, t);
    note(c, t, (void *)made);
    return made;
}

const struct cc_type *copy_type(struct copy *c, const struct cc_type *t)
{
    return found(c, t);
}

/* -- expressions ------------------------------------------------------------------------------- */

static struct cc_expr *expr(struct copy *c, const struct cc_expr *e);

static struct cc_expr *maybe(struct copy *c, const struct cc_expr *e)
{
    return e ? expr(c, e) : NULL;
}

static struct cc_expr **operands(struct copy *c, struct cc_expr *const *args, uint32_t n)
{
    struct cc_expr **made = arena_array(c->a, struct cc_expr *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        made[i] = expr(c, args[i]);
    return made;
}

static struct cc_expr *list_of(struct copy *c, const struct cc_expr *e, const struct cc_type *type)
{
    return cc_list(c->p, type, operands(c, e->args, e->n_args), (int)e->n_args, e->field);
}

static struct cc_expr *initialiser(struct copy *c, const struct cc_expr *e,
                                   const struct cc_type *type)
{
    return e->kind == CC_E_LIST ? list_of(c, e, type) : expr(c, e);
}

static struct cc_var *global_of(struct copy *c, struct cc_var *v);

static bool needs_global(const struct cc_expr *e, void *to)
{
    if (e->kind == CC_E_VAR && e->var->global)
        global_of(to, e->var);
    return false;
}

static bool is_same_use(const struct cc_expr *e, void *to)
{
    return e->kind == CC_E_VAR && e->var == to;
}

/* Those that its initialiser names stand ahead of it. */
static struct cc_var *global_of(struct copy *c, struct cc_var *v)
{
    struct cc_var *made = found(c, v);
    if (made)
        return made;
    if (cc_walk_expr(v->init, &(struct cc_walk){.expr = is_same_use, .to = v}))
        refuse(c, "a variable that refers to itself");
    const struct cc_type *type = type_of(c, v->type);
    cc_walk_expr(v->init, &(struct cc_walk){.expr = needs_global, .to = c});
    made = cc_global(c->p, fresh_name(c, v->name), type, NULL);
    made->storage = CC_STATIC;
    made->not_hashed = true;
    note(c, v, made);
    if (v->init)
        cc_initialise(c->p, made, initialiser(c, v->init, type));
    return made;
}

/* Each file brings along a function of its own that stands for the library's. */
static struct map_entry *standard_of(struct copy *c, const struct cc_func *f)
{
    bool standard = !strncmp(f->name, STANDARD_PREFIX, strlen(STANDARD_PREFIX));
    return standard ? map_put_str(&c->standard, f->name, NULL) : NULL;
}

static struct cc_func *function_of(struct copy *c, const struct cc_func *f)
{
    struct cc_func *made = found(c, f);
    struct map_entry *standard = standard_of(c, f);
    if (!made && standard)
        made = standard->value.pointer;
    if (made)
        return made;
    if (f->library)
        refuse(c, arena_printf(c->a, "a call of the library's %s", f->name));
    if (!f->body)
        refuse(c, arena_printf(c->a, "a call of %s, which is nowhere", f->name));
    if (f->type->variadic)
        refuse(c, "a variable number of arguments");
    const struct cc_type **types = arena_array(c->a, const struct cc_type *, f->n_params + 1);
    struct cc_var **params = arena_array(c->a, struct cc_var *, f->n_params + 1);
    for (int i = 0; i < f->n_params; i++) {
        types[i] = f->params[i]->type;
        params[i] = cc_param(c->p, f->params[i]->name, type_of(c, types[i]));
        params[i]->is_register = f->params[i]->is_register;
    }
    const struct cc_type *type = function_type(c, f->type->to, types, f->n_params);
    made = cc_function_of(c->p, fresh_name(c, f->name), type, params, f->n_params);
    made->storage = CC_STATIC;
    note(c, f, made);
    if (standard)
        map_find_str(&c->standard, f->name)->value.pointer = made;
    vec_push(&c->pending, (struct pending){f, made});
    return made;
}

/* Functions of the library that are builtins of our own; abort is a trap, which no call may reach.
 * NULL: it is none of them. */
static struct cc_expr *builtin_call(struct copy *c, const struct cc_expr *e)
{
    const struct cc_func *f = e->callee->kind == CC_E_FUNC ? e->callee->func : NULL;
    int builtin;
    switch (f ? f->library : CC_LIB_NONE) {
    case CC_LIB_ABORT:
    case CC_LIB_TRAP:
    case CC_LIB_ASSERT_FAIL:
        return cc_builtin(c->p, CC_BUILTIN_TRAP, NULL, 0);
    case CC_LIB_UNREACHABLE:
        return cc_builtin(c->p, CC_BUILTIN_UNREACHABLE, NULL, 0);
    case CC_LIB_ABS:
        builtin = CC_BUILTIN_ABS;
        break;
    case CC_LIB_LABS:
    case CC_LIB_LLABS:
        builtin = CC_BUILTIN_LLABS;
        break;
    default:
        return NULL;
    }
    if (e->n_args != 1)
        return NULL;
    struct cc_expr *made = cc_builtin(c->p, builtin, operands(c, e->args, 1), 1);
    return cc_cast(c->p, type_of(c, e->type), made);
}

static struct cc_expr *call(struct copy *c, const struct cc_expr *e)
{
    struct cc_expr *builtin = builtin_call(c, e);
    if (builtin)
        return builtin;
    struct cc_expr *callee = expr(c, e->callee);
    const struct cc_type *type = callee->type->to;
    if (type->kind != CC_FUNCTION || type->n_params != (int)e->n_args)
        refuse(c, "a call with another number of arguments");
    return cc_call(c->p, callee, operands(c, e->args, e->n_args), (int)e->n_args);
}

static struct cc_expr *variable(struct copy *c, const struct cc_expr *e)
{
    struct cc_var *v = e->var->global ? global_of(c, e->var) : found(c, e->var);
    if (!v)
        refuse(c, "a variable of another function");
    return cc_use(c->p, v);
}

static struct cc_expr *expr(struct copy *c, const struct cc_expr *e)
{
    struct cc_program *p = c->p;
    switch ((enum cc_expr_kind)e->kind) {
    case CC_E_INT:
        return cc_int(p, type_of(c, e->type), e->value,
                      e->spelling == CC_ENUMERATOR ? CC_DECIMAL : (enum cc_spelling)e->spelling);
    case CC_E_NULL:
        return cc_null(p, type_of(c, e->type));
    case CC_E_VAR:
        return variable(c, e);
    case CC_E_FUNC:
        return cc_func_use(p, function_of(c, e->func));
    case CC_E_MEMBER:
        return cc_member(p, expr(c, e->a), e->field);
    case CC_E_INDEX:
        return cc_index(p, expr(c, e->a), expr(c, e->b));
    case CC_E_ADDR: {
        struct cc_expr *a = expr(c, e->a);
        return a->kind == CC_E_DEREF ? a->a : cc_addr(p, a);
    }
    case CC_E_DEREF: {
        struct cc_expr *a = expr(c, e->a);
        return a->kind == CC_E_ADDR ? a->a : cc_deref(p, a);
    }
    case CC_E_UNARY:
        return cc_unary(p, (enum cc_op)e->op, expr(c, e->a));
    case CC_E_BINARY:
    case CC_E_LOGICAL: {
        struct cc_expr *a = expr(c, e->a);
        return cc_binary(p, (enum cc_op)e->op, a, expr(c, e->b));
    }
    case CC_E_COND: {
        struct cc_expr *a = expr(c, e->a), *b = expr(c, e->b);
        return cc_cond(p, a, b, expr(c, e->c));
    }
    case CC_E_COMMA: {
        struct cc_expr *a = expr(c, e->a);
        return cc_comma(p, a, expr(c, e->b));
    }
    case CC_E_CAST:
        return e->implicit ? expr(c, e->a) : cc_cast(p, type_of(c, e->type)->plain, expr(c, e->a));
    case CC_E_ASSIGN: {
        struct cc_expr *a = expr(c, e->a);
        return cc_assign(p, (enum cc_op)e->op, a, expr(c, e->b));
    }
    case CC_E_INCDEC:
        return cc_incdec(p, (enum cc_op)e->op, e->postfix, expr(c, e->a));
    case CC_E_CALL:
        return call(c, e);
    case CC_E_BUILTIN:
        return cc_builtin(p, e->field, operands(c, e->args, e->n_args), (int)e->n_args);
    case CC_E_SIZEOF:
        return cc_sizeof(p, type_of(c, e->of));
    case CC_E_SIZEOF_OF:
        return cc_sizeof_of(p, expr(c, e->a));
    case CC_E_LITERAL: {
        const struct cc_type *type = type_of(c, e->type);
        return cc_literal(p, type, list_of(c, e, type));
    }
    case CC_E_LIST:
        return list_of(c, e, type_of(c, e->type));
    case CC_E_STRING:
        return cc_string(p, type_of(c, e->type), e->text, e->n_args);
    case CC_E_FLOAT:
        refuse(c, "floating point");
    case CC_E_STMTS:
        refuse(c, "a statement expression");
    case CC_E_VA_ARG:
        refuse(c, "a variable number of arguments");
    case CC_E_ELVIS:
        refuse(c, "a conditional without its second operand");
    case CC_E_LABEL:
        refuse(c, "the address of a label");
    case CC_E_UNSUPPORTED:
        refuse(c, arena_strdup(c->a, e->text));
    case CC_N_EXPR:
        break;
    }
    BUG("expression kind %d", e->kind);
}

/* -- statements -------------------------------------------------------------------------------- */

static void stmt(struct copy *c, const struct cc_stmt *s, struct cc_stmt *out);

static struct cc_stmt *block_of(struct copy *c, const struct cc_stmt *s)
{
    struct cc_stmt *block = cc_block(c->p);
    if (s && s->kind == CC_S_BLOCK)
        for (size_t i = 0; i < s->list.n; i++)
            stmt(c, s->list.at[i], block);
    else if (s)
        stmt(c, s, block);
    return block;
}

static struct cc_stmt *label_of(struct copy *c, const struct cc_stmt *s)
{
    struct cc_stmt *made = found(c, s);
    if (!made) {
        made = cc_label(c->p, s->name);
        note(c, s, made);
    }
    return made;
}

static void switch_stmt(struct copy *c, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct cc_stmt *made = cc_switch(c->p, expr(c, s->expr), cc_block(c->p));
    struct cc_stmt **next = c->next_label;
    bool links = c->links_labels;
    c->links_labels = s->labels != NULL;
    c->next_label = &made->labels;
    for (size_t i = 0; s->a && s->a->kind == CC_S_BLOCK && i < s->a->list.n; i++)
        stmt(c, s->a->list.at[i], made->a);
    if (s->a && s->a->kind != CC_S_BLOCK)
        stmt(c, s->a, made->a);
    c->links_labels = links;
    c->next_label = next;
    cc_append(out, made);
}

static void case_stmt(struct copy *c, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct cc_stmt *made =
        s->kind == CC_S_CASE ? cc_case(c->p, s->value) : cc_stmt(c->p, CC_S_DEFAULT);
    if (s->kind == CC_S_CASE && s->high != s->value)
        refuse(c, "a range of cases");
    if (c->links_labels) {
        *c->next_label = made;
        c->next_label = &made->labels;
    }
    cc_append(out, made);
}

static void loop_stmt(struct copy *c, const struct cc_stmt *s, struct cc_stmt *out)
{
    struct cc_stmt *made = cc_stmt(c->p, (enum cc_stmt_kind)s->kind);
    made->init = maybe(c, s->init);
    made->expr = maybe(c, s->expr);
    made->step = maybe(c, s->step);
    made->a = block_of(c, s->a);
    cc_append(out, made);
}

static void declare(struct copy *c, const struct cc_stmt *s, struct cc_stmt *out)
{
    const struct cc_var *v = s->var;
    if (v->storage == CC_EXTERN)
        refuse(c, "a variable that is nowhere");
    if (v->align > v->type->align)
        refuse(c, "a variable with an alignment of its own");
    const struct cc_type *type = type_of(c, v->type);
    struct cc_var *made = cc_local(c->p, v->name, type, NULL);
    made->storage = v->storage;
    note(c, v, made);
    if (v->init)
        cc_initialise(c->p, made, initialiser(c, v->init, type));
    cc_append(out, cc_decl(c->p, made));
}

static void stmt(struct copy *c, const struct cc_stmt *s, struct cc_stmt *out)
{
    switch ((enum cc_stmt_kind)s->kind) {
    case CC_S_BLOCK:
        cc_append(out, block_of(c, s));
        return;
    case CC_S_EXPR:
        cc_append(out, cc_expr_stmt(c->p, expr(c, s->expr)));
        return;
    case CC_S_DECL:
        declare(c, s, out);
        return;
    case CC_S_IF: {
        struct cc_expr *condition = expr(c, s->expr);
        struct cc_stmt *a = block_of(c, s->a);
        cc_append(out, cc_if(c->p, condition, a, s->b ? block_of(c, s->b) : NULL));
        return;
    }
    case CC_S_FOR:
    case CC_S_WHILE:
    case CC_S_DO:
        loop_stmt(c, s, out);
        return;
    case CC_S_SWITCH:
        switch_stmt(c, s, out);
        return;
    case CC_S_CASE:
    case CC_S_DEFAULT:
        case_stmt(c, s, out);
        return;
    case CC_S_BREAK:
    case CC_S_CONTINUE:
        cc_append(out, cc_stmt(c->p, (enum cc_stmt_kind)s->kind));
        return;
    case CC_S_GOTO:
        if (!s->target)
            refuse(c, "a computed goto");
        cc_append(out, cc_goto(c->p, label_of(c, s->target)));
        return;
    case CC_S_LABEL:
        cc_append(out, label_of(c, s));
        return;
    case CC_S_RETURN:
        if (s->expr && c->func->type->to->kind == CC_VOID)
            refuse(c, "a value that a void function returns");
        cc_append(out, cc_return(c->p, c->func, maybe(c, s->expr)));
        return;
    case CC_S_EMPTY:
    case CC_S_COMMENT:
    case CC_N_STMT:
        return;
    }
}

static void fill(struct copy *c, const struct pending *p)
{
    c->func = p->made;
    c->links_labels = false;
    for (int i = 0; i < p->from->n_params; i++)
        note(c, p->from->params[i], p->made->params[i]);
    p->made->body = block_of(c, p->from->body);
}

/* -- the whole --------------------------------------------------------------------------------- */

struct copy *copy_new(struct cc_program *to, const char *prefix, struct arena *a)
{
    struct copy *c = arena_new(a, struct copy);
    c->p = to;
    c->a = a;
    c->prefix = prefix;
    map_init(&c->names);
    map_init(&c->standard);
    take_names(c);
    return c;
}

void copy_free(struct copy *c)
{
    map_release(&c->names);
    map_release(&c->standard);
    vec_release(&c->pending);
}

void copy_from_another(struct copy *c)
{
    c->slots = NULL;
    c->n = c->room = 0;
}

struct cc_func *copy_function(struct copy *c, const struct cc_func *f, const char **why)
{
    struct cc_func *made = NULL;
    jmp_buf *before = c->p->misfit;
    c->why = "an operation that does not fit its operands";
    if (!setjmp(c->misfit)) {
        c->p->misfit = &c->misfit;
        function_of(c, f);
        while (c->pending.n) {
            struct pending next = c->pending.at[--c->pending.n];
            fill(c, &next);
        }
        made = found(c, f);
    }
    c->p->misfit = before;
    *why = made ? NULL : c->why;
    return made;
}
