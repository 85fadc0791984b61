/* Variables and constants: what expressions end in.
 *
 * A leaf is found by trying: a variable drawn by Table 3.3, then a way from it to an object of the
 * wanted type (elements, fields, dereferences), then validation by the facts. A handful of tries
 * finds one nearly always; a new variable, which is always valid, ends the search. So the cost of a
 * leaf does not grow with the number of variables. */
#include "gen/smith/smith_internal.h"
#include "base/error.h"

enum { TRIES = 8 };

const char *new_name(struct smith *s, char kind)
{
    return arena_printf(s->arena, "%c_%u", kind, ++s->n_names);
}

/* -- constants -------------------------------------------------------------------------------- */

static cc_wide draw_number(struct smith *s, const struct cc_type *t)
{
    static const unsigned kinds[] = {40, 20, 15, 15, 10};
    unsigned bits = t->bits;
    switch (choose_weighted(s->c, kinds, 5)) {
    case 0:
        return between(s, -8, 10);
    case 1:
        return (cc_wide)choose_bits(s->c, bits > 64 ? 64 : bits);
    case 2:
        return t->is_signed && percent(s, 50) ? cc_int_min(t) + between(s, 0, 2)
                                              : (cc_wide)(cc_int_max(t) - pick(s, 3));
    case 3:
        return ((cc_wide)1 << pick(s, bits > 62 ? 62 : bits)) - pick(s, 2);
    default:
        return between(s, -1000, 1000);
    }
}

struct cc_expr *constant(struct smith *s, const struct cc_type *t)
{
    spend(s, 1);
    t = t->plain;
    if (t->kind == CC_ENUM) {
        const struct cc_enum *e = t->enumeration;
        return cc_int(s->p, t, e->values[pick(s, (size_t)e->n_values)].value, CC_ENUMERATOR);
    }
    if (t->bits == 32 && wants(s, SMITH_SIZEOF))
        /* the width of size_t is the data model's, the value is not */
        return cc_cast(s->p, cc_int_type(&s->p->types, 32, false),
                       cc_sizeof(s->p, s->ints.at[pick(s, s->ints.n)]));
    return literal(s, t);
}

struct cc_expr *literal(struct smith *s, const struct cc_type *t)
{
    static const unsigned spellings[] = {
        [CC_DECIMAL] = 50, [CC_HEX] = 43, [CC_OCTAL] = 3, [CC_CHARACTER] = 4};
    cc_wide v = cc_wrap(t, draw_number(s, t));
    return cc_int(s->p, t->plain, v, (enum cc_spelling)choose_weighted(s->c, spellings, 4));
}

struct cc_expr *small_constant(struct smith *s, int64_t low, int64_t high)
{
    spend(s, 1);
    return cc_int(s->p, cc_basic(&s->p->types, CC_INT), between(s, low, high), CC_DECIMAL);
}

/* Multiples of 1/8 up to 4096: see floating(). */
static struct cc_expr *float_constant(struct smith *s, const struct cc_type *t)
{
    spend(s, 1);
    if (s->p->ieee_floats)
        return cc_float(s->p, t->plain, ieee_number(s, t), percent(s, 15) ? CC_HEX : CC_DECIMAL);
    double v = (double)between(s, -200, 200) * (percent(s, 50) ? 1 : 0.125);
    return cc_float(s->p, t->plain, v, percent(s, 10) ? CC_HEX : CC_DECIMAL);
}

/* -- initialisers ----------------------------------------------------------------------------- */

static struct cc_expr *target(struct smith *s, const struct cc_type *t, bool only_static);

static struct cc_expr *initialiser(struct smith *s, const struct cc_type *t, bool only_static)
{
    struct cc_expr *parts[4096];
    switch (t->kind) {
    case CC_ARRAY: {
        uint32_t n = t->length;
        if (t->to->kind != CC_POINTER && n > 2 && percent(s, 10))
            n = 1 + pick(s, n - 1); /* the rest is zero */
        for (uint32_t i = 0; i < n; i++)
            parts[i] = initialiser(s, t->to, only_static);
        return cc_list(s->p, t, parts, (int)n, 0);
    }
    case CC_STRUCT: {
        int n = 0;
        for (int i = 0; i < t->record->n_fields; i++)
            if (t->record->fields[i].name)
                parts[n++] = initialiser(s, t->record->fields[i].type, only_static);
        return cc_list(s->p, t, parts, n, 0);
    }
    case CC_UNION:
        parts[0] = initialiser(s, t->record->fields[0].type, only_static);
        return cc_list(s->p, t, parts, 1, 0);
    case CC_POINTER:
        spend(s, 1);
        if (percent(s, 15))
            return cc_null(s->p, t->plain);
        return cc_convert(s->p, t->plain, cc_addr(s->p, target(s, t->to, only_static)));
    case CC_FLOAT:
    case CC_DOUBLE:
        return float_constant(s, t);
    default:
        return cc_convert(s->p, t->plain, constant(s, t));
    }
}

/* -- new variables ---------------------------------------------------------------------------- */

void declare(struct smith *s, struct smith_scope *scope, struct cc_var *v)
{
    cc_insert(scope->block, scope->n_decls++, cc_decl(s->p, v));
    vec_push(&scope->vars, v);
}

static struct smith_scope *innermost(struct smith *s)
{
    return s->at.scopes.n ? &s->at.scopes.at[s->at.scopes.n - 1] : NULL;
}

/* A block that is not also the body of a switch. */
static size_t draw_scope(struct smith *s)
{
    return pick(s, s->at.scopes.n);
}

struct cc_var *new_variable(struct smith *s, const struct cc_type *t, bool global)
{
    if (global || !s->at.scopes.n) {
        struct cc_expr *init = initialiser(s, t, true);
        struct cc_var *v = cc_global(s->p, new_name(s, 'g'), t, init);
        v->storage = CC_STATIC;
        v->unit = (int)pick(s, (size_t)s->k.limit[SMITH_UNITS]);
        v->align = wants(s, SMITH_ALIGNED) ? draw_alignment(s, t) : 0;
        gtav_add_var(&s->g, v, 0);
        gtav_initialise(&s->g, v);
        vec_push(&s->globals, v);
        spend(s, 2);
        return v;
    }
    size_t scope = draw_scope(s);
    bool is_static = wants(s, SMITH_STATIC_LOCALS);
    /* What it points to must be alive where it is declared: objects of blocks inside are not. */
    size_t n_scopes = s->at.scopes.n;
    s->at.scopes.n = scope + 1;
    struct cc_expr *init = initialiser(s, t, is_static);
    s->at.scopes.n = n_scopes;
    struct cc_var *v = cc_local(s->p, new_name(s, 'l'), t, init);
    v->storage = is_static ? CC_STATIC : CC_AUTO;
    v->align = wants(s, SMITH_ALIGNED) ? draw_alignment(s, t) : 0;
    gtav_add_var(&s->g, v, is_static ? 0 : gtav_home(s->at.scopes.at[scope].block));
    gtav_initialise(&s->g, v);
    declare(s, &s->at.scopes.at[scope], v);
    spend(s, 2);
    return v;
}

struct cc_var *new_local_plain(struct smith *s, const struct cc_type *t, struct cc_expr *init)
{
    struct smith_scope *scope = innermost(s);
    struct cc_var *v = cc_local(s->p, new_name(s, 'l'), t, init);
    gtav_add_var(&s->g, v, gtav_home(scope->block));
    gtav_initialise(&s->g, v);
    declare(s, scope, v);
    spend(s, 2);
    return v;
}

/* -- choosing among those there are ----------------------------------------------------------- */

static struct cc_var *pick_local(struct smith *s)
{
    for (int i = 0; i < 3 && s->at.scopes.n; i++) {
        struct smith_scope *scope = &s->at.scopes.at[draw_scope(s)];
        if (scope->vars.n)
            return scope->vars.at[pick(s, scope->vars.n)];
    }
    return NULL;
}

/* One of those there are; NULL if there was none where it was looked for. */
static struct cc_var *existing_variable(struct smith *s)
{
    enum { GLOBAL, LOCAL, PARAM };
    struct cc_func *f = s->at.func ? s->at.func->f : NULL;
    const unsigned *w = &s->k.weight[SMITH_SCOPE_GLOBAL];
    size_t scope = w[GLOBAL] + w[LOCAL] + w[PARAM] ? choose_weighted(s->c, w, 3) : GLOBAL;
    struct cc_var *v = NULL;
    if (scope == PARAM && f && f->n_params)
        v = f->params[pick(s, (size_t)f->n_params)];
    else if (scope != GLOBAL)
        v = pick_local(s);
    return v ? v : s->globals.n ? s->globals.at[pick(s, s->globals.n)] : NULL;
}

static struct cc_var *any_new_variable(struct smith *s)
{
    bool global = !s->at.scopes.n || percent(s, 35);
    return new_variable(s, draw_variable_type(s, global), global);
}

/* Shall a leaf be a new variable? Drawn once per leaf, however many tries it takes. */
static bool wants_new(struct smith *s)
{
    const unsigned *w = &s->k.weight[SMITH_SCOPE_GLOBAL];
    unsigned all = w[0] + w[1] + w[2] + w[3];
    return all && choose(s->c, all) >= all - w[3];
}

struct cc_var *pick_variable(struct smith *s)
{
    struct cc_var *v = existing_variable(s);
    return v ? v : any_new_variable(s);
}

/* -- indices (3.6.6) -------------------------------------------------------------------------- */

/* A loop variable whose values, moved by an offset, all lie below n. */
static struct cc_expr *iv_index(struct smith *s, uint32_t n)
{
    for (int i = 0; i < 3 && s->at.ivs.n; i++) {
        struct smith_iv *iv = &s->at.ivs.at[s->at.ivs.n - 1 - pick(s, s->at.ivs.n)];
        int64_t least = -iv->low, most = (int64_t)n - 1 - iv->high;
        if (least > most)
            continue;
        struct cc_expr *e = cc_use(s->p, iv->var);
        spend(s, 1);
        if ((least <= 0 && most >= 0) && percent(s, 75))
            return e;
        int64_t offset = between(s, least, most);
        if (!offset)
            return e;
        spend(s, 2);
        /* every value is small: no overflow */
        return cc_binary(s->p, offset > 0 ? CC_ADD : CC_SUB, e,
                         cc_int(s->p, cc_basic(&s->p->types, CC_INT), offset > 0 ? offset : -offset,
                                CC_DECIMAL));
    }
    return NULL;
}

static bool plain_int(const struct cc_var *v)
{
    return cc_is_integer(v->type) && !v->type->quals && v->type->bits <= 64 &&
           v->type->kind != CC_ENUM && v->type->kind != CC_BOOL;
}

/* Any integer variable, brought into range by % or &. */
static struct cc_expr *wrapped_index(struct smith *s, uint32_t n)
{
    struct cc_var *v = NULL;
    for (int i = 0; i < 4 && !v; i++) {
        struct cc_var *candidate =
            percent(s, 50) && s->globals.n ? s->globals.at[pick(s, s->globals.n)] : pick_local(s);
        if (candidate && plain_int(candidate))
            v = candidate;
    }
    if (!v)
        return NULL;
    spend(s, 3);
    struct cc_expr *e = cc_use(s->p, v);
    const struct cc_type *u = cc_int_type(&s->p->types, 32, false);
    if ((n & (n - 1)) == 0 && percent(s, 60))
        return cc_binary(s->p, CC_AND, e,
                         cc_int(s->p, cc_basic(&s->p->types, CC_INT), n - 1, CC_DECIMAL));
    if (v->type->is_signed)
        e = cc_cast(s->p,
                    v->type->kind == CC_LONG ? cc_basic(&s->p->types, CC_ULONG)
                    : v->type->bits == 64    ? cc_int_type(&s->p->types, 64, false)
                                             : u,
                    e);
    return cc_binary(s->p, CC_REM, e, cc_int(s->p, u, n, CC_DECIMAL));
}

static struct cc_expr *index_below(struct smith *s, uint32_t n, bool fixed)
{
    struct cc_expr *e = NULL;
    if (!fixed && n > 1) {
        if (percent(s, s->aiming ? 95 : 60))
            e = iv_index(s, n);
        if (!e && percent(s, 30))
            e = wrapped_index(s, n);
    }
    return e ? e : small_constant(s, 0, (int64_t)n - 1);
}

/* -- ways from a variable to an object -------------------------------------------------------- */

static bool fits(const struct cc_type *have, enum wanted w, const struct cc_type *t, bool write)
{
    switch (w) {
    case WANT_INT:
        return cc_is_integer(have) && !(write && have->kind == CC_ENUM);
    case WANT_FLOAT:
        return cc_is_float(have);
    case WANT_EXACT:
        if (have->plain == t)
            return true;
        /* a pointer to less qualified objects can be read as one to more qualified (6.5.16.1p1) */
        return !write && t->kind == CC_POINTER && have->kind == CC_POINTER &&
               have->to->plain == t->to->plain && !(have->to->quals & ~t->to->quals);
    }
    return false;
}

static int draw_field(struct smith *s, const struct cc_record *r)
{
    for (int i = 0; i < 4; i++) {
        int at = r->is_union && percent(s, 40) ? 0 : (int)pick(s, (size_t)r->n_fields);
        if (r->fields[at].name)
            return at;
    }
    return 0; /* the first is always named */
}

static struct cc_expr *reach(struct smith *s, struct cc_expr *e, enum wanted w,
                             const struct cc_type *t, bool write)
{
    for (int steps = 0; steps < 12; steps++) {
        const struct cc_type *have = e->type;
        spend(s, 1);
        if (fits(have, w, t, write)) {
            bool constant_object = cc_is_record(have) ? have->has_const : have->quals & CC_CONST;
            return write && constant_object ? NULL : e;
        }
        if (have->kind == CC_ARRAY)
            e = cc_index(s->p, e, index_below(s, have->length, false));
        else if (cc_is_record(have))
            e = cc_member(s->p, e, draw_field(s, have->record));
        else if (have->kind == CC_POINTER && have->to->kind != CC_FUNCTION &&
                 have->to->kind != CC_VOID)
            e = cc_deref(s->p, e);
        else
            return NULL;
    }
    return NULL;
}

static bool rejected(struct smith *s)
{
    if (!s->g.bad)
        return false;
    s->g.bad = false;
    s->n_rejected++;
    return true;
}

/* 4.4.3.3: now and then an invalid pointer is used on purpose, and marked. */
static bool kept_invalid(struct smith *s, struct cc_expr *e)
{
    if (!s->g.bad || !may(s, SMITH_INVALID_POINTERS) || e->kind != CC_E_DEREF ||
        !wants(s, SMITH_INVALID_POINTERS))
        return false;
    s->g.bad = false;
    e->marked = true;
    return true;
}

static const struct cc_type *element_of(const struct cc_type *t)
{
    while (t->kind == CC_ARRAY)
        t = t->to;
    return t;
}

static struct cc_var *aimed_variable(struct smith *s)
{
    for (int i = 0; i < 6 && s->globals.n; i++) {
        struct cc_var *v = percent(s, 70) ? s->globals.at[pick(s, s->globals.n)] : pick_local(s);
        if (v && v->type->kind == CC_ARRAY && !v->type->has_volatile &&
            (!s->aiming_floats || cc_is_float(element_of(v->type))))
            return v;
    }
    return NULL;
}

static struct cc_var *candidate(struct smith *s, bool fresh)
{
    if (fresh)
        return any_new_variable(s);
    struct cc_var *v = s->aiming && percent(s, 75) ? aimed_variable(s) : NULL;
    return v ? v : pick_variable(s);
}

struct cc_expr *readable(struct smith *s, enum wanted w, const struct cc_type *t, uint32_t *place,
                         uint32_t *set)
{
    bool fresh = w == WANT_INT && wants_new(s);
    for (int i = 0; i < TRIES; i++, fresh = false) {
        struct cc_expr *e = reach(s, cc_use(s->p, candidate(s, fresh)), w, t, false);
        if (!e)
            continue;
        *place = gtav_place(&s->g, e);
        *set = s->g.bad ? 0 : gtav_read(&s->g, *place, e);
        if (w == WANT_INT && kept_invalid(s, e))
            return e;
        if (!rejected(s))
            return e;
    }
    return NULL;
}

struct cc_expr *readable_in(struct smith *s, struct cc_var *v, enum wanted w)
{
    for (int i = 0; i < 3; i++) {
        struct cc_expr *e = reach(s, cc_use(s->p, v), w, NULL, false);
        if (!e)
            continue;
        uint32_t place = gtav_place(&s->g, e);
        if (!s->g.bad)
            gtav_read(&s->g, place, e);
        if (!rejected(s))
            return e;
    }
    return NULL;
}

struct cc_expr *writable(struct smith *s, enum wanted w, const struct cc_type *t, bool read_too,
                         uint32_t *place)
{
    bool fresh = w == WANT_INT && wants_new(s);
    for (int i = 0; i < TRIES; i++, fresh = false) {
        struct cc_var *v = !fresh && !s->aiming && percent(s, 75) ? pick_local(s) : NULL;
        struct cc_expr *e = reach(s, cc_use(s->p, v ? v : candidate(s, fresh)), w, t, true);
        if (!e)
            continue;
        *place = gtav_place(&s->g, e);
        if (!s->g.bad && (set_of(&s->g.f, *place)->has_null || !gtav_writable(&s->g, *place)))
            s->g.bad = true;
        if (!s->g.bad && read_too)
            gtav_read(&s->g, *place, e);
        if (!rejected(s))
            return e;
    }
    return NULL;
}

/* -- what pointers point to ------------------------------------------------------------------- */

/* Part of `e` with type `t` (qualifiers of t at least those of the part), or NULL. No bit-fields,
 * no members of packed structs. */
static struct cc_expr *part_of_type(struct smith *s, struct cc_expr *e, const struct cc_type *t)
{
    while (e->type->kind == CC_ARRAY && e->type->plain != t->plain)
        e = cc_index(s->p, e, index_below(s, e->type->length, true));
    if (e->type->plain == t->plain)
        return e->type->quals & ~t->quals ? NULL : e;
    if (!cc_is_record(e->type) || e->type->record->packed)
        return NULL;
    const struct cc_record *r = e->type->record;
    if (r->is_union && !may(s, SMITH_UNION_FIELD_ADDRESS))
        return NULL;
    int first = (int)pick(s, (size_t)r->n_fields);
    for (int i = 0; i < r->n_fields; i++) {
        int at = (first + i) % r->n_fields;
        const struct cc_field *f = &r->fields[at];
        const struct cc_type *base = f->type;
        while (base->kind == CC_ARRAY)
            base = base->to;
        if (!f->name || f->bits >= 0 || (base->plain != t->plain && !cc_is_record(base)))
            continue;
        struct cc_expr *part = part_of_type(s, cc_member(s->p, e, at), t);
        if (part)
            return part;
    }
    return NULL;
}

static struct cc_expr *target(struct smith *s, const struct cc_type *t, bool only_static)
{
    bool locals = !only_static && may(s, SMITH_ADDRESS_OF_LOCALS);
    for (int i = 0; i < TRIES; i++) {
        struct cc_var *v = NULL;
        if (locals && percent(s, 40))
            v = pick_local(s);
        else if (s->globals.n)
            v = s->globals.at[pick(s, s->globals.n)];
        struct cc_expr *e = v && !v->is_register ? part_of_type(s, cc_use(s->p, v), t) : NULL;
        if (e)
            return e;
    }
    return cc_use(s->p, new_variable(s, t, !locals || percent(s, 45)));
}

struct cc_expr *addressable(struct smith *s, const struct cc_type *t, uint32_t *place)
{
    struct cc_expr *e = target(s, t, false);
    spend(s, 2);
    *place = gtav_place(&s->g, e);
    REQUIRE(!s->g.bad);
    return e;
}
