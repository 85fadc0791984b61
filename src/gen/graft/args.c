/* Arguments: constants of the domain, values of the host forced into it, and calls of other grafts.
 *
 * An array is a compound literal, an array of its own that main hashes, or one that is declared
 * ahead of the call. */
#include "gen/graft/graft_internal.h"

enum { MOST_NESTED = 2, MOST_LIVE = 3 /* elements of an array that are values of the host */ };

static bool percent(struct planter *t, int n)
{
    return choose(t->c, 100) >= (uint64_t)(100 - n); /* 0, the simplest: no */
}

/* -- numbers ----------------------------------------------------------------------------------- */

static struct cc_expr *constant(struct planter *t, const struct cc_type *type, cc_wide v)
{
    return cc_int(t->p, type, v, percent(t, 25) ? CC_HEX : CC_DECIMAL);
}

static bool is_readable(const struct cc_type *t)
{
    return cc_is_integer(t) && t->bits <= 64 && !(t->quals & CC_VOLATILE);
}

/* An integer in an object of the host; NULL: there is none in it. */
static struct cc_expr *part_of(struct planter *t, struct cc_expr *e)
{
    const struct cc_type *index = cc_basic(&t->p->types, CC_INT);
    for (int depth = 0; depth < 6; depth++) {
        const struct cc_type *type = e->type;
        if (is_readable(type))
            return e;
        if (type->kind == CC_ARRAY && type->length) {
            e = cc_index(t->p, e,
                         cc_int(t->p, index, (cc_wide)choose(t->c, type->length), CC_DECIMAL));
        } else if (type->kind == CC_STRUCT && type->record->n_fields) {
            int field = (int)choose(t->c, (uint64_t)type->record->n_fields);
            if (!type->record->fields[field].name)
                return NULL;
            e = cc_member(t->p, e, field);
        } else {
            return NULL;
        }
    }
    return NULL;
}

/* Something that the host knows at this place. */
static struct cc_expr *live_value(struct planter *t)
{
    enum { TRIES = 6 };
    for (int i = 0; i < TRIES && t->visible.n; i++) {
        /* those that are declared last are nearest */
        size_t n = t->visible.n, k = (size_t)choose(t->c, n);
        if (percent(t, 40) && n > 8)
            k = n - 8 + (size_t)choose(t->c, 8);
        struct cc_var *v = t->visible.at[k];
        if (v->container != CC_C_ARRAY || v->type->has_volatile)
            continue;
        struct cc_expr *e = part_of(t, cc_use(t->p, v));
        if (e)
            return e;
    }
    return NULL;
}

static bool is_whole(const struct cc_type *type, const struct graft_param *p)
{
    return p->low == cc_int_min(type) && p->high == (cc_wide)cc_int_max(type);
}

/* The value, whatever it is, as one of the domain: by a mask, or by a remainder. */
static struct cc_expr *force(struct planter *t, struct cc_expr *e, const struct cc_type *type,
                             const struct graft_param *p)
{
    struct cc_program *program = t->p;
    cc_uwide n = (cc_uwide)(p->high - p->low) + 1;
    if (is_whole(type, p) || type->kind == CC_BOOL)
        return type->kind == CC_BOOL && p->low == p->high ? constant(t, type, p->low)
                                                          : cc_cast(program, type, e);
    bool narrow = n <= UINT32_MAX && type->bits <= 32;
    const struct cc_type *u = cc_basic(&program->types, narrow ? CC_UINT : CC_ULLONG);
    struct cc_expr *x = cc_cast(program, u, e);
    if ((n & (n - 1)) == 0)
        x = cc_binary(program, CC_AND, x, cc_int(program, u, (cc_wide)(n - 1), CC_HEX));
    else
        x = cc_binary(program, CC_REM, x, cc_int(program, u, (cc_wide)n, CC_DECIMAL));
    if (p->low)
        x = cc_binary(program, CC_ADD, x, cc_int(program, u, cc_wrap(u, p->low), CC_DECIMAL));
    return cc_cast(program, type, x);
}

static struct cc_expr *nested_value(struct planter *t)
{
    const struct cc_func *copied;
    bool taken;
    t->depth++;
    struct cc_expr *e = args_call(t, args_draw_function(t), NULL, NULL, &taken, &copied);
    t->depth--;
    return e;
}

static struct cc_expr *number(struct planter *t, const struct cc_type *type,
                              const struct graft_param *p, struct cc_expr **given)
{
    static const unsigned weights[] = {40, 45, 15};
    struct cc_expr *e = *given;
    if (e && percent(t, 70)) {
        *given = NULL;
        return force(t, e, type, p);
    }
    switch (choose_weighted(t->c, weights, 3)) {
    case 1:
        e = live_value(t);
        break;
    case 2:
        e = t->depth < MOST_NESTED ? nested_value(t) : NULL;
        break;
    default:
        e = NULL;
    }
    return e ? force(t, e, type, p) : constant(t, type, graft_draw(p, t->c));
}

/* -- arrays ------------------------------------------------------------------------------------ */

/* Elements; of an array with static storage duration they are constant. */
static struct cc_expr *elements(struct planter *t, const struct cc_type *array,
                                const struct graft_param *p, bool live)
{
    struct cc_expr **at = arena_array(t->a, struct cc_expr *, p->length);
    const struct cc_type *type = array->to;
    for (uint32_t i = 0; i < p->length; i++)
        at[i] = constant(t, type, graft_draw(p, t->c));
    for (int i = 0; live && i < MOST_LIVE; i++) {
        struct cc_expr *e = percent(t, 60) ? live_value(t) : NULL;
        if (e)
            at[choose(t->c, p->length)] = force(t, e, type, p);
    }
    if (p->text)
        at[p->length - 1] = cc_int(t->p, type, 0, CC_DECIMAL);
    return cc_list(t->p, array, at, (int)p->length, -1);
}

static struct cc_var *named(struct planter *t, const struct cc_type *array,
                            const struct graft_param *p, struct cc_stmt *block)
{
    const char *name = arena_printf(t->a, "gr_a%d", ++t->n_buffers);
    struct cc_expr *list = elements(t, array, p, block != NULL);
    struct cc_var *v =
        block ? cc_local(t->p, name, array, list) : cc_global(t->p, name, array, list);
    v->mark = t->mark;
    if (block)
        cc_append(block, cc_decl(t->p, v));
    else
        v->storage = CC_STATIC;
    return v;
}

/* A row of the host with elements that may all be passed, to functions that only read. */
static struct cc_expr *hosts_array(struct planter *t, const struct cc_type *type,
                                   const struct graft_param *p)
{
    enum { TRIES = 6 };
    for (int i = 0; i < TRIES && t->visible.n; i++) {
        struct cc_var *v = t->visible.at[choose(t->c, t->visible.n)];
        bool fits = v->type->kind == CC_ARRAY && v->container == CC_C_ARRAY &&
                    !v->type->has_volatile && v->type->to->plain == type &&
                    v->type->length >= p->length;
        if (fits && !p->written && !p->text && is_whole(type, p))
            return cc_use(t->p, v);
    }
    return NULL;
}

/* What is passed; *out gets the array if it can be looked at after the call. */
static struct cc_expr *array(struct planter *t, const struct cc_type *pointer,
                             const struct graft_param *p, struct cc_stmt *block, bool wanted,
                             struct cc_var **out)
{
    const struct cc_type *type = pointer->to->plain;
    const struct cc_type *made = cc_array_of(&t->p->types, type, p->length);
    struct cc_expr *e = percent(t, 50) ? hosts_array(t, type, p) : NULL;
    if (e)
        return e;
    /* what is called again finds what it left: that must be of the domain, too */
    bool lasts = !p->written || (is_whole(type, p) && !p->text);
    if (block || wanted || (lasts && percent(t, 50))) {
        *out = named(t, made, p, block);
        return cc_use(t->p, *out);
    }
    return cc_literal(t->p, made, elements(t, made, p, true));
}

/* -- calls ------------------------------------------------------------------------------------- */

const struct graft_function *args_draw_function(struct planter *t)
{
    return &t->library->at[choose(t->c, (uint64_t)t->library->n)];
}

struct cc_var *args_sum(struct planter *t)
{
    if (t->sum)
        return t->sum;
    const struct cc_type *type = cc_basic(&t->p->types, CC_ULLONG);
    struct cc_expr *start = cc_int(t->p, type, (cc_wide)choose_bits(t->c, 16), CC_HEX);
    t->sum = cc_global(t->p, arena_printf(t->a, "gr_s%d", ++t->n_sums), type, start);
    t->sum->storage = CC_STATIC;
    t->sum->mark = t->mark;
    return t->sum;
}

static struct cc_expr *element(struct planter *t, struct cc_var *v)
{
    const struct cc_type *index = cc_basic(&t->p->types, CC_INT);
    cc_wide at = (cc_wide)choose(t->c, v->type->length);
    return cc_index(t->p, cc_use(t->p, v), cc_int(t->p, index, at, CC_DECIMAL));
}

struct cc_expr *args_call(struct planter *t, const struct graft_function *f, struct cc_stmt *block,
                          struct cc_expr *given, bool *taken, const struct cc_func **copied)
{
    const char *why;
    struct cc_func *func = copy_function(t->copy, f->func, &why);
    if (!func)
        BUG("%s was copied before: %s", f->name, why);
    struct cc_expr **args = arena_array(t->a, struct cc_expr *, f->n_params + 1), *left = given;
    struct cc_var *written = NULL;
    for (int i = 0; i < f->n_params; i++) {
        const struct graft_param *p = &f->params[i];
        const struct cc_type *type = func->params[i]->type->plain;
        struct cc_var *v = NULL;
        if (p->array)
            args[i] = array(t, type, p, block, p->written && !f->returns && !written, &v);
        else
            args[i] = number(t, type, p, &left);
        if (p->written && v)
            written = v;
    }
    *taken = given && !left;
    *copied = func;
    struct cc_expr *call = cc_call(t->p, cc_func_use(t->p, func), args, f->n_params);
    if (!f->returns)
        return cc_comma(t->p, call, element(t, written));
    if (written && percent(t, 50)) { /* (s = f(a)) ^ a[3] in order */
        const struct cc_type *u = cc_basic(&t->p->types, CC_ULLONG);
        struct cc_expr *store =
            cc_assign(t->p, CC_XOR, cc_use(t->p, args_sum(t)), cc_cast(t->p, u, call));
        return cc_comma(t->p, store, element(t, written));
    }
    return call;
}
