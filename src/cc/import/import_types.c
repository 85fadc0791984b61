/* clang's types as those of cc.
 *
 * Sizes and layouts are clang's. A record is first declared, then defined: what is only pointed to
 * is declared and waits (`pending`) until no definition is under way, so that a record may lead
 * back to itself over any number of pointers; what is contained by value is defined at once.
 *
 * An enumeration that does not fit cc's (int or unsigned int) is the integer type that represents
 * it, which it is compatible with (6.7.2.2p4). */
#include "cc/import/import_internal.h"

static const struct cc_type *make(struct importer *im, uint32_t type, uint32_t node);

const char *import_type_name(struct importer *im, uint32_t type)
{
    return parsed_string(im->s, im->s->types[type].name);
}

/* -- types without parts ---------------------------------------------------------------------- */

/* The basic types that both have: X(parsed, cc). */
#define SAME_TYPES(X)                                                                              \
    X(VOID)                                                                                        \
    X(BOOL)                                                                                        \
    X(CHAR)                                                                                        \
    X(SCHAR)                                                                                       \
    X(UCHAR)                                                                                       \
    X(SHORT)                                                                                       \
    X(USHORT)                                                                                      \
    X(INT)                                                                                         \
    X(UINT) X(LONG) X(ULONG) X(LLONG) X(ULLONG) X(INT128) X(UINT128) X(FLOAT) X(DOUBLE) X(LDOUBLE)

static const struct cc_type *basic(const struct importer *im, enum parsed_type_kind kind)
{
    switch (kind) {
#define X(id)                                                                                      \
    case PARSED_T_##id:                                                                            \
        return cc_basic(&im->p->types, CC_##id);
        SAME_TYPES(X)
#undef X
    default:
        return NULL;
    }
}

static bool fits_cc_enum(const struct importer *im, uint32_t decl)
{
    uint32_t n = 0;
    for (uint32_t c = import_node(im, decl)->first; c; c = import_node(im, c)->next) {
        const struct parsed_node *e = import_node(im, c);
        if (e->kind != PARSED_ENUMERATOR)
            continue;
        n++;
        if (e->value < INT32_MIN || e->value > INT32_MAX)
            return false;
    }
    return n > 0;
}

/* clang says how large it is; it is signed where a value is negative, as GCC has it. */
static const struct cc_type *enum_as_integer(struct importer *im, const struct parsed_type *t)
{
    bool is_signed = false;
    for (uint32_t c = import_node(im, t->decl)->first; c; c = import_node(im, c)->next) {
        const struct parsed_node *e = import_node(im, c);
        bool is_long = im->s->types[e->type].kind == PARSED_T_ULONG ||
                       im->s->types[e->type].kind == PARSED_T_ULLONG;
        is_signed |= e->kind == PARSED_ENUMERATOR && e->value < 0 && !is_long;
    }
    switch (t->size) {
    case 1:
    case 2:
        return cc_int_type(&im->p->types, (int)t->size * 8, is_signed);
    case 4:
        return cc_basic(&im->p->types, is_signed ? CC_INT : CC_UINT);
    default:
        return cc_basic(&im->p->types, is_signed ? CC_LONG : CC_ULONG);
    }
}

static const struct cc_type *make_enum(struct importer *im, const struct parsed_type *t,
                                       uint32_t node)
{
    if (im->declared[t->decl])
        return im->declared[t->decl];
    if (!t->size || !import_count(im, t->decl))
        import_fail(im, node, "an incomplete enumeration");
    const struct cc_type *made;
    if (t->size == 4 && fits_cc_enum(im, t->decl)) {
        uint32_t n = import_count(im, t->decl);
        struct cc_enumerator *values = arena_array(im->p->arena, struct cc_enumerator, n);
        n = 0;
        for (uint32_t c = import_node(im, t->decl)->first; c; c = import_node(im, c)->next)
            if (import_kind(im, c) == PARSED_ENUMERATOR)
                values[n++] = (struct cc_enumerator){import_name(im, c), import_node(im, c)->value};
        made = cc_enum_type(&im->p->types, import_name(im, t->decl), values, (int)n);
    } else {
        made = enum_as_integer(im, t);
    }
    return im->declared[t->decl] = made;
}

/* -- records ---------------------------------------------------------------------------------- */

static const struct cc_type *declare_record(struct importer *im, uint32_t type)
{
    const struct parsed_type *t = &im->s->types[type];
    if (!im->declared[t->decl]) {
        im->declared[t->decl] =
            cc_record_declare(&im->p->types, import_name(im, t->decl), t->is_union);
        im->record_state[t->decl] = RECORD_DECLARED;
        struct pending_record *r = arena_new(im->p->arena, struct pending_record);
        *r = (struct pending_record){im->pending, type};
        im->pending = r;
    }
    return im->declared[t->decl];
}

static void complete(struct importer *im, uint32_t type, uint32_t node);

/* Of a type that cc has not. */
static bool is_lacking(const struct parsed_type *t)
{
    return t->kind == PARSED_T_COMPLEX || t->kind == PARSED_T_FLOAT128 ||
           t->kind == PARSED_T_FLOAT16;
}

/* A member of a type that cc has not, and that is only there for its size and alignment: bytes,
 * under a name that says so. NULL: it is not one. */
static const struct cc_type *opaque(struct importer *im, uint32_t node)
{
    const struct parsed_type *t = &im->s->types[import_node(im, node)->type];
    if (!is_lacking(t) || im->field_named[node])
        return NULL;
    return cc_array_of(&im->p->types, cc_basic(&im->p->types, CC_UCHAR), (uint32_t)t->size);
}

static struct cc_field make_field(struct importer *im, uint32_t node, int number)
{
    const struct parsed_node *n = import_node(im, node);
    struct cc_field f = {.bits = n->value < 0 ? -1 : (int)n->value};
    uint64_t at = im->s->offsets[node];
    f.type = opaque(im, node);
    f.name = import_name(im, node);
    if (f.type) {
        f.name = arena_printf(im->p->arena, "(opaque %d)", number);
    } else {
        import_is_restrict(im, node, false);
        complete(im, n->type, node);
        f.type = make(im, n->type, node);
    }
    if (!*f.name)
        f.name = f.bits >= 0 ? NULL : arena_printf(im->p->arena, "(anonymous %d)", number);
    if (at / 8 > UINT32_MAX)
        import_fail(im, node, "a type of %llu bytes", (unsigned long long)at / 8);
    f.offset = (uint32_t)(at / 8);
    f.bit = f.bits >= 0 ? (uint8_t)(at % 8) : 0;
    return f;
}

static void define_record(struct importer *im, uint32_t type, uint32_t node)
{
    const struct parsed_type *t = &im->s->types[type];
    const struct cc_type *record = declare_record(im, type);
    if (im->record_state[t->decl] != RECORD_DECLARED)
        return;
    if (!t->complete)
        return;
    if (t->size == 0)
        import_fail(im, node, "an empty struct or union");
    if (t->size > UINT32_MAX / 8)
        import_fail(im, node, "a type of %llu bytes", (unsigned long long)t->size);
    struct recovery r;
    import_begin(im, &r);
    if (setjmp(r.here)) { /* it stays declared; who needs more of it fails in the same way */
        im->record_state[t->decl] = RECORD_DECLARED;
        import_end(im, &r);
        longjmp(im->recovery->here, 1);
    }
    im->record_state[t->decl] = RECORD_BEING_DEFINED;
    import_attributes(im, t->decl);
    struct cc_field *fields = arena_array(im->p->arena, struct cc_field, import_count(im, t->decl));
    int n = 0;
    for (uint32_t c = import_node(im, t->decl)->first; c; c = import_node(im, c)->next) {
        if (import_kind(im, c) != PARSED_FIELD)
            continue;
        im->field_index[c] = n;
        im->field_of[c] = t->decl;
        fields[n] = make_field(im, c, n);
        n++;
    }
    cc_record_define(&im->p->types, record, false, fields, n, (uint32_t)t->size,
                     (uint32_t)t->align);
    im->record_state[t->decl] = RECORD_DEFINED;
    import_end(im, &r);
}

/* The records that an object of the type contains are defined. */
static void complete(struct importer *im, uint32_t type, uint32_t node)
{
    const struct parsed_type *t = &im->s->types[type];
    while (t->kind == PARSED_T_ARRAY || t->kind == PARSED_T_INCOMPLETE_ARRAY) {
        type = t->to;
        t = &im->s->types[type];
    }
    if (t->kind == PARSED_T_RECORD)
        define_record(im, type, node);
}

static int find_member(struct importer *im, const struct cc_type *record, uint32_t field,
                       int path[MAX_PATH], int depth)
{
    if (depth == MAX_PATH)
        return 0;
    if (im->field_of[field] && im->declared[im->field_of[field]] == record->plain) {
        path[depth] = im->field_index[field];
        return depth + 1;
    }
    for (int i = 0; i < record->record->n_fields; i++) {
        const struct cc_field *f = &record->record->fields[i];
        if (!f->name || f->name[0] != '(' || !cc_is_record(f->type))
            continue;
        path[depth] = i;
        int n = find_member(im, f->type->plain, field, path, depth + 1);
        if (n)
            return n;
    }
    return 0;
}

int import_member_path(struct importer *im, const struct cc_type *record, uint32_t field,
                       int path[MAX_PATH])
{
    return find_member(im, record->plain, field, path, 0);
}

/* -- derived types ---------------------------------------------------------------------------- */

static const struct cc_type *make_array(struct importer *im, const struct parsed_type *t,
                                        uint32_t node)
{
    complete(im, t->to, node);
    const struct cc_type *element = make(im, t->to, node);
    if (element->size == 0)
        import_fail(im, node, "an array whose elements have no size (%s)",
                    import_type_name(im, t->to));
    uint64_t length = t->kind == PARSED_T_ARRAY ? t->length : 0;
    if (length > UINT32_MAX / 8 / element->size)
        import_fail(im, node, "an array of %llu elements", (unsigned long long)length);
    return cc_array_of(&im->p->types, element, (uint32_t)length);
}

static const struct cc_type *make_vector(struct importer *im, const struct parsed_type *t,
                                         uint32_t node)
{
    const struct cc_type *element = make(im, t->to, node)->plain;
    bool integer = element->kind >= CC_CHAR && element->kind <= CC_ULLONG;
    uint64_t size = t->length > 64 ? 0 : element->size * t->length;
    bool number = integer || element->kind == CC_FLOAT || element->kind == CC_DOUBLE;
    if (!number || (size != 8 && size != 16 && size != 32 && size != 64))
        import_fail(im, node, "a vector of another size or element (%s)",
                    parsed_string(im->s, t->name));
    return cc_vector_type(&im->p->types, element, (uint32_t)t->length);
}

static const struct cc_type *make_function(struct importer *im, const struct parsed_type *t,
                                           uint32_t node)
{
    const struct cc_type **params = arena_array(im->p->arena, const struct cc_type *, t->n_params);
    int n = 0;
    for (uint32_t i = 0; i < t->n_params && !t->unprototyped; i++) {
        params[n] = make(im, im->s->params[t->params + i], node);
        if (!cc_is_scalar(params[n]) && !cc_is_composite(params[n]))
            import_fail(im, node, "a parameter of type %s",
                        import_type_name(im, im->s->params[t->params + i]));
        n++;
    }
    return cc_function_type_of(&im->p->types, make(im, t->to, node), params, n, t->variadic,
                               t->unprototyped);
}

/* What a pointer points to: of a type that cc has not, nothing that one could look into or step
 * over. All its uses have one. */
static const struct cc_type *pointee(struct importer *im, uint32_t type, uint32_t node)
{
    const struct parsed_type *t = &im->s->types[type], *same = t;
    if (!im->partly || !is_lacking(t) || t->quals & PARSED_ATOMIC)
        return make(im, type, node);
    for (uint32_t i = 1; i < type && same == t; i++) {
        const struct parsed_type *u = &im->s->types[i];
        if (u->kind == t->kind && u->to == t->to && u->size == t->size)
            same = u;
    }
    uint32_t at = (uint32_t)(same - im->s->types);
    if (!im->unknown[at])
        im->unknown[at] = cc_record_declare(&im->p->types, import_type_name(im, at), false);
    int quals =
        (t->quals & PARSED_CONST ? CC_CONST : 0) | (t->quals & PARSED_VOLATILE ? CC_VOLATILE : 0);
    return cc_qualified(&im->p->types, im->unknown[at], quals);
}

static const struct cc_type *make_plain(struct importer *im, uint32_t type, uint32_t node)
{
    static const char *const refused[PARSED_N_TYPES] = {[PARSED_T_VLA] = "a variable length array",
                                                        [PARSED_T_FLOAT16] = "_Float16",
                                                        [PARSED_T_FLOAT128] = "_Float128",
                                                        [PARSED_T_COMPLEX] = "_Complex"};
    const struct parsed_type *t = &im->s->types[type];
    switch ((enum parsed_type_kind)t->kind) {
    case PARSED_T_ENUM:
        return make_enum(im, t, node);
    case PARSED_T_POINTER:
        return cc_pointer_to(&im->p->types, pointee(im, t->to, node));
    case PARSED_T_ARRAY:
    case PARSED_T_INCOMPLETE_ARRAY:
        return make_array(im, t, node);
    case PARSED_T_VECTOR:
        return make_vector(im, t, node);
    case PARSED_T_RECORD:
        return declare_record(im, type);
    case PARSED_T_FUNCTION:
        return make_function(im, t, node);
    case PARSED_T_VA_LIST:
        return cc_va_list_type(&im->p->types);
    default:
        if (refused[t->kind])
            import_fail(im, node, "%s", refused[t->kind]);
        import_fail(im, node, "the type %s", parsed_string(im->s, t->name));
    }
}

static const struct cc_type *make(struct importer *im, uint32_t type, uint32_t node)
{
    if (im->types[type])
        return im->types[type];
    const struct parsed_type *t = &im->s->types[type];
    if (t->quals & PARSED_ATOMIC)
        import_fail(im, node, "_Atomic");
    if (t->quals & PARSED_RESTRICT &&
        !im->partly) /* of an object: parameters of a function type have lost it */
        import_fail(im, node, "restrict");
    if (t->kind == PARSED_T_LDOUBLE && !im->partly) /* x86's; programs go to other machines, too */
        import_not_portable(im, node, "long double");
    import_enter(im, node);
    const struct cc_type *made = basic(im, (enum parsed_type_kind)t->kind);
    if (!made)
        made = make_plain(im, type, node);
    int quals =
        (t->quals & PARSED_CONST ? CC_CONST : 0) | (t->quals & PARSED_VOLATILE ? CC_VOLATILE : 0);
    im->types[type] = cc_qualified(&im->p->types, made, quals);
    import_leave(im);
    return im->types[type];
}

/* What is only pointed to may stay incomplete. */
static void define_or_leave(struct importer *im, uint32_t type, uint32_t node)
{
    struct recovery r;
    import_begin(im, &r);
    if (!setjmp(r.here)) {
        define_record(im, type, node);
        import_end(im, &r);
        return;
    }
    import_recover(im, &r);
}

const struct cc_type *import_type(struct importer *im, uint32_t type, uint32_t node)
{
    complete(im, type, node);
    const struct cc_type *made = make(im, type, node);
    while (im->pending) {
        struct pending_record *r = im->pending;
        im->pending = r->next;
        if (im->s->types[r->type].size > 0) /* an empty one harms only where it is an object */
            define_or_leave(im, r->type, node);
    }
    return made;
}

const struct cc_type *import_object_type(struct importer *im, uint32_t type, uint32_t node)
{
    const struct cc_type *made = import_type(im, type, node);
    if (made->size == 0)
        import_fail(im, node, "an object without size (%s)", import_type_name(im, type));
    return made;
}
