/* Two tables carry the work: the edits by their node, and what became of variables, functions,
 * labels and types. Everything is done in the order of the old program, so that the new one has the
 * same order. */
#include "reduce/c_rebuild_internal.h"

#include "cc/library.h"
#include "cc/walk.h"

/* -- tables ------------------------------------------------------------------------------------ */

void *rebuild_table_get(const struct table *t, const void *key)
{
    if (!t->room)
        return NULL;
    size_t at = (size_t)((uintptr_t)key * 0x9E3779B97F4A7C15u >> 20) & (t->room - 1);
    for (; t->slots[at].key; at = (at + 1) & (t->room - 1))
        if (t->slots[at].key == key)
            return t->slots[at].value;
    return NULL;
}

void rebuild_table_set(struct arena *a, struct table *t, const void *key, void *value)
{
    if (t->n * 2 >= t->room) {
        struct table old = *t;
        t->room = old.room ? old.room * 2 : 64;
        t->slots = arena_array(a, struct table_slot, t->room);
        t->n = 0;
        for (size_t i = 0; i < old.room; i++)
            if (old.slots[i].key)
                rebuild_table_set(a, t, old.slots[i].key, old.slots[i].value);
    }
    size_t at = (size_t)((uintptr_t)key * 0x9E3779B97F4A7C15u >> 20) & (t->room - 1);
    while (t->slots[at].key && t->slots[at].key != key)
        at = (at + 1) & (t->room - 1);
    t->n += !t->slots[at].key;
    t->slots[at] = (struct table_slot){key, value};
}

_Noreturn void rebuild_refuse(struct rebuild *rb)
{
    longjmp(rb->misfit, 1);
}

const struct edit *rebuild_edit(const struct rebuild *rb, const void *at, enum edit_kind kind)
{
    for (const struct chained *c = rebuild_table_get(&rb->edits, at); c; c = c->next)
        if (c->edit->kind == kind)
            return c->edit;
    return NULL;
}

bool rebuild_has(const struct rebuild *rb, const void *at, enum edit_kind kind)
{
    return rebuild_edit(rb, at, kind) != NULL;
}
/* -- variables --------------------------------------------------------------------------------- */

static const struct cc_type *variable_type(struct rebuild *rb, const struct cc_var *v)
{
    const struct edit *edit = rebuild_edit(rb, v, EDIT_TYPE);
    const struct cc_type *type = rebuild_type(rb, edit ? edit->type : v->type);
    edit = rebuild_edit(rb, v, EDIT_LENGTH);
    if (rebuild_has(rb, v, EDIT_SCALAR) && type->kind == CC_ARRAY)
        type = type->to;
    else if (edit && type->kind == CC_ARRAY)
        type = cc_array_of(&rb->p->types, type->to, (uint32_t)edit->number);
    if (rebuild_has(rb, v, EDIT_PLAIN)) {
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
    bool plain = rebuild_has(rb, v, EDIT_PLAIN);
    made->storage = v->storage;
    made->global = v->global;
    made->is_register = v->is_register && !plain;
    made->not_hashed = v->not_hashed || rebuild_has(rb, v, EDIT_UNSEEN);
    made->container = type->kind == CC_ARRAY ? v->container : CC_C_ARRAY;
    made->member_of = v->member_of ? rebuild_type(rb, v->member_of) : NULL;
    made->unit = rb->o->one_unit ? 0 : v->unit;
    made->align = plain ? 0 : v->align;
    if (rebuild_has(rb, v, EDIT_LINKAGE))
        made->storage = v->storage == CC_STATIC ? CC_EXTERN : CC_STATIC;
    rebuild_table_set(rb->a, &rb->vars, v, made);
    if (!v->global && !v->param)
        vec_push(&rb->visible, v);
    return made;
}

struct cc_var *rebuild_variable(struct rebuild *rb, const struct cc_var *v)
{
    const struct cc_type *type = variable_type(rb, v);
    struct cc_var *made = copy_variable(rb, v, type, rebuild_name(rb, v, v->name));
    if (v->init && !rebuild_has(rb, v, EDIT_NO_INIT))
        cc_initialise(rb->p, made, rebuild_initialiser(rb, v->init, v->type, type));
    return made;
}

/* -- the whole --------------------------------------------------------------------------------- */

static bool is_main(const struct cc_func *f)
{
    return !strcmp(f->name, "main");
}

/* Those of main stay whatever becomes of their types elsewhere (5.1.2.2.1). */
static const struct cc_type *parameter_type(struct rebuild *rb, const struct cc_func *f,
                                            const struct cc_var *v)
{
    return is_main(f) ? rebuild_given_type(rb, v->type) : variable_type(rb, v);
}

static const struct cc_type *signature(struct rebuild *rb, const struct cc_func *f)
{
    const struct cc_type *t = f->type;
    const struct edit *result = rebuild_edit(rb, f, EDIT_TYPE);
    const struct cc_type **params = arena_array(rb->a, const struct cc_type *, t->n_params + 1);
    int n = 0;
    for (int i = 0; i < t->n_params; i++) {
        const struct cc_var *v = i < f->n_params ? f->params[i] : NULL;
        if (v && rebuild_has(rb, v, EDIT_DROP))
            continue;
        params[n++] = v && (is_main(f) || rebuild_has(rb, v, EDIT_TYPE))
                          ? parameter_type(rb, f, v)->plain
                          : rebuild_type(rb, t->params[i]);
    }
    return cc_function_type_of(&rb->p->types, rebuild_type(rb, result ? result->type : t->to),
                               params, n, t->variadic, t->unprototyped);
}

static struct cc_func *new_function(struct rebuild *rb, const struct cc_func *f)
{
    struct cc_var **params = arena_array(rb->a, struct cc_var *, f->n_params + 1);
    int n = 0;
    for (int i = 0; i < f->n_params; i++)
        if (!rebuild_has(rb, f->params[i], EDIT_DROP))
            params[n++] = copy_variable(rb, f->params[i], parameter_type(rb, f, f->params[i]),
                                        rebuild_name(rb, f->params[i], f->params[i]->name));
    const char *name = f->library || is_main(f) ? f->name : rebuild_name(rb, f, f->name);
    const struct cc_type *type = f->library ? rebuild_given_type(rb, f->type) : signature(rb, f);
    struct cc_func *made = cc_function_of(rb->p, name, type, params, n);
    made->storage = f->storage;
    if (rebuild_has(rb, f, EDIT_LINKAGE))
        made->storage = f->storage == CC_STATIC ? CC_EXTERN : CC_STATIC;
    made->unit = rb->o->one_unit ? 0 : f->unit;
    made->attributes = rebuild_has(rb, f, EDIT_PLAIN) ? 0 : f->attributes;
    made->library = f->library;
    rebuild_table_set(rb->a, &rb->funcs, f, made);
    for (int i = 0; i < f->n_params; i++) /* its body alone sees them */
        rebuild_table_set(rb->a, &rb->vars, f->params[i], NULL);
    return made;
}

static void show_parameters(struct rebuild *rb, const struct cc_func *f, struct cc_func *made,
                            bool visible)
{
    for (int i = 0, at = 0; i < f->n_params; i++)
        if (!rebuild_has(rb, f->params[i], EDIT_DROP))
            rebuild_table_set(rb->a, &rb->vars, f->params[i], visible ? made->params[at++] : NULL);
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
            rebuild_refuse(rb);
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
    struct cc_func *made = rebuild_table_get(&rb->funcs, f);
    rb->func = made;
    rb->old_func = f;
    made->body = cc_block(rb->p);
    rb->inner_switch = NULL;
    show_parameters(rb, f, made, true);
    rebuild_scope(rb, f->body, made->body);
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

struct cc_expr *rebuild_print_value(struct rebuild *rb, struct cc_expr *value)
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
    struct cc_func *made = rebuild_table_get(&o->rb->funcs, f);
    if (!made || rebuild_table_get(&o->seen, f))
        return;
    rebuild_table_set(o->rb->a, &o->seen, f, made);
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

static bool has_floats(const struct rebuild *rb)
{
    for (int kind = 0; kind < CC_N_BASIC; kind++) {
        const struct cc_type *old = rb->old->types.basic[kind];
        if (old && cc_is_float(old) &&
            (rebuild_table_get(&rb->types, old) || rebuild_table_get(&rb->given, old)))
            return true;
    }
    return false;
}

static void build(struct rebuild *rb)
{
    const struct cc_program *old = rb->old;
    struct cc_program *p = rb->p;
    p->n_units = rb->o->one_unit ? 1 : old->n_units;
    for (size_t i = 0; i < old->types.records.n; i++) /* types keep their order */
        if (rebuild_flat_member(rb, old->types.records.at[i]->record) < 0)
            rebuild_type(rb, old->types.records.at[i]);
    for (size_t i = 0; i < old->globals.n; i++) {
        const struct cc_var *v = old->globals.at[i];
        if (rebuild_has(rb, v, EDIT_DROP) || rebuild_has(rb, v, EDIT_FOLD) ||
            rebuild_has(rb, v, EDIT_SAME))
            continue;
        struct cc_var *made =
            copy_variable(rb, v, variable_type(rb, v), rebuild_name(rb, v, v->name));
        vec_push(&p->globals, made);
    }
    for (size_t i = 0; i < old->funcs.n; i++)
        if (!rebuild_has(rb, old->funcs.at[i], EDIT_DROP))
            new_function(rb, old->funcs.at[i]);
    if (rb->o->callees_first)
        order_functions(rb);
    for (size_t i = 0; i < old->globals.n; i++) {
        const struct cc_var *v = old->globals.at[i];
        struct cc_var *made = rebuild_table_get(&rb->vars, v);
        if (made && v->init && !rebuild_has(rb, v, EDIT_NO_INIT))
            cc_initialise(p, made, rebuild_initialiser(rb, v->init, v->type, made->type));
    }
    for (size_t i = 0; i < old->funcs.n; i++)
        if (old->funcs.at[i]->body && rebuild_table_get(&rb->funcs, old->funcs.at[i]))
            fill_function(rb, old->funcs.at[i]);
    if (old->entry) {
        p->entry = rebuild_table_get(&rb->funcs, old->entry);
        if (!p->entry && !rb->o->plain_main)
            rebuild_refuse(rb);
    }
    build_main(rb);
    if (rb->o->plain_main)
        p->entry = NULL;
    for (size_t i = 0; i < rb->outside.n; i++)
        vec_push(&p->globals, rb->outside.at[i]);
    p->ieee_floats = old->ieee_floats && has_floats(rb);
}

bool c_rebuild(const struct cc_program *old, const struct edit *edits, size_t n,
               const struct rebuild_options *o, struct arena *a, struct cc_program *p)
{
    struct rebuild *rb = arena_new(a, struct rebuild);
    *rb = (struct rebuild){.old = old, .p = p, .a = a, .o = o};
    cc_program_init(p, a, old->types.model);
    for (size_t i = 0; i < n; i++) {
        struct chained *c = arena_new(a, struct chained);
        *c = (struct chained){&edits[i], rebuild_table_get(&rb->edits, edits[i].at)};
        rebuild_table_set(a, &rb->edits, edits[i].at, c);
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
