/* The environment: a type table that grows by types made of earlier ones, and the globals, each an
 * input, an output or both (YARPGen 3.2). */
#include "gen/yarp/yarp_internal.h"

const char *yarp_name(struct yarp *y, const char *kind)
{
    return arena_printf(y->arena, "%s_%u", kind, ++y->n_names);
}

const struct cc_type *yarp_int_type(struct yarp *y)
{
    static const enum cc_kind kinds[] = {CC_BOOL, CC_SCHAR, CC_UCHAR, CC_SHORT, CC_USHORT,
                                         CC_INT,  CC_UINT,  CC_LLONG, CC_ULLONG};
    enum cc_kind kind = kinds[draw(y, YARP_P_INT_TYPE) - YARP_TYPE_BOOL];
    if (has(y, YARP_LONG) && kind >= CC_LLONG && percent(y, 50))
        kind = kind == CC_LLONG ? CC_LONG : CC_ULONG;
    return basic(y, kind);
}

static const struct cc_type *draw_float(struct yarp *y)
{
    return basic(y, percent(y, 40) ? CC_FLOAT : CC_DOUBLE);
}

static uint32_t draw_length(struct yarp *y)
{
    switch (draw(y, YARP_P_LENGTH)) {
    case YARP_LENGTH_SHORT:
        return (uint32_t)between(y, 2, 7);
    case YARP_LENGTH_POWER:
        return 8u << pick(y, 3);
    case YARP_LENGTH_LONG:
        return (uint32_t)between(y, 33, 70);
    default:
        return (uint32_t)between(y, 9, 25);
    }
}

uint32_t yarp_length(struct yarp *y)
{
    return percent(y, 85) ? y->lengths[pick(y, 3)] : draw_length(y);
}

/* Scalars in an object of the type: what it costs to print, to run and to hash. */
static uint64_t scalars(const struct cc_type *t)
{
    if (t->kind == CC_ARRAY || t->kind == CC_VECTOR)
        return t->length * scalars(t->to);
    if (t->kind != CC_STRUCT)
        return 1;
    uint64_t n = 0;
    for (int i = 0; i < t->record->n_fields; i++)
        n += scalars(t->record->fields[i].type);
    return n;
}
enum { STRUCT_SCALARS = 40, ARRAY_SCALARS = 480 }; /* at most */

/* -- structs ---------------------------------------------------------------------------------- */

/* In C only int and unsigned, narrower than their type; in C++ any integer (YARPGen 3.2). */
static void draw_bit_field(struct yarp *y, struct cc_field *f)
{
    bool cxx = y->k->language == CC_CXX17;
    f->type = cxx ? yarp_int_type(y) : basic(y, percent(y, 50) ? CC_INT : CC_UINT);
    int most = f->type->kind == CC_BOOL ? 1 : f->type->bits - 1;
    switch (draw(y, YARP_P_BIT_WIDTH)) {
    case YARP_BIT_WIDTH_ONE:
        f->bits = f->type->is_signed ? 2 : 1;
        break;
    case YARP_BIT_WIDTH_NARROW:
        f->bits = (int)between(y, 2, 8);
        break;
    default:
        f->bits = (int)between(y, 9, 31);
    }
    if (f->bits > most)
        f->bits = most;
}

static void draw_field(struct yarp *y, struct cc_field *f)
{
    f->bits = -1;
    if (takes(y, YARP_BIT_FIELDS)) {
        draw_bit_field(y, f);
        return;
    }
    switch (draw(y, YARP_P_MEMBER)) {
    case YARP_MEMBER_ARRAY:
        f->type = yarp_int_type(y);
        if (has(y, YARP_ARRAYS))
            f->type = cc_array_of(&y->p->types, f->type, yarp_length(y));
        return;
    case YARP_MEMBER_STRUCT:
        if (y->structs.n) {
            f->type = y->structs.at[pick(y, y->structs.n)];
            return;
        }
        break;
    case YARP_MEMBER_POINTER:
        f->type = yarp_int_type(y);
        if (has(y, YARP_POINTERS))
            f->type = cc_pointer_to(&y->p->types, f->type);
        return;
    default:
        break;
    }
    f->type = yarp_int_type(y);
}

static const struct cc_type *make_struct(struct yarp *y)
{
    struct cc_field fields[8];
    uint64_t size = 0;
    int n = (int)between(y, 2, 8);
    for (int i = 0; i < n; i++) {
        fields[i] = (struct cc_field){
            .name = arena_printf(y->arena, "member_%d_%d", (int)y->structs.n + 1, i + 1)};
        draw_field(y, &fields[i]);
        if (fields[i].bits < 0 && size + scalars(fields[i].type) > STRUCT_SCALARS)
            fields[i].type = yarp_int_type(y);
        size += scalars(fields[i].type);
    }
    const char *tag = arena_printf(y->arena, "struct_%d", (int)y->structs.n + 1);
    const struct cc_type *t = cc_record_type(&y->p->types, tag, false, false, fields, n);
    vec_push(&y->structs, t);
    return t;
}

/* -- initial values --------------------------------------------------------------------------- */

static struct cc_expr *initial(struct yarp *y, const struct cc_type *t, enum role r);

static struct cc_expr *initial_list(struct yarp *y, const struct cc_type *t, enum role r)
{
    bool is_record = t->kind == CC_STRUCT;
    int n = is_record ? t->record->n_fields : (int)t->length;
    struct cc_expr **list = arena_array(y->arena, struct cc_expr *, n);
    for (int i = 0; i < n; i++) {
        const struct cc_field *f = is_record ? &t->record->fields[i] : NULL;
        list[i] = initial(y, is_record ? f->type : t->to, r);
        if (f && f->bits >= 0 && f->type->kind != CC_BOOL) /* what the bit-field will hold */
            list[i] =
                cc_int(y->p, f->type->plain,
                       cc_bitfield_value(f->type->plain, f->bits, list[i]->value), CC_DECIMAL);
    }
    return cc_list(y->p, t->plain, list, n, 0);
}

static struct cc_expr *initial(struct yarp *y, const struct cc_type *t, enum role r)
{
    switch (t->kind) {
    case CC_ARRAY:
    case CC_STRUCT:
    case CC_VECTOR:
        return initial_list(y, t, r);
    case CC_POINTER:
        return cc_addr(y->p, cc_use(y->p, yarp_pointee(y, t->to, r)));
    case CC_FLOAT:
    case CC_DOUBLE:
        return cc_float(y->p, t->plain, yarp_float_constant(y), CC_DECIMAL);
    default:
        if (r == OUTPUT && percent(y, 50)) /* never read: its value is not worth a thought */
            return cc_int(y->p, t->plain, 0, CC_DECIMAL);
        return yarp_constant(y, t->plain);
    }
}

/* -- globals ---------------------------------------------------------------------------------- */

enum shape yarp_shape_of(const struct cc_type *t)
{
    switch (t->kind) {
    case CC_ARRAY: {
        const struct cc_type *element = t->to;
        while (element->kind == CC_ARRAY)
            element = element->to;
        return cc_is_float(element) ? FLOATING_ARRAY : ARRAY;
    }
    case CC_STRUCT:
        return STRUCT;
    case CC_POINTER:
        return POINTER;
    case CC_FLOAT:
    case CC_DOUBLE:
        return FLOATING;
    case CC_VECTOR:
        return VECTOR;
    default:
        return SCALAR;
    }
}

bool yarp_has_pointer(const struct cc_type *t)
{
    if (t->kind == CC_ARRAY)
        return yarp_has_pointer(t->to);
    for (int i = 0; t->kind == CC_STRUCT && i < t->record->n_fields; i++)
        if (yarp_has_pointer(t->record->fields[i].type))
            return true;
    return t->kind == CC_POINTER;
}

enum cc_container yarp_container(struct yarp *y)
{
    if (y->k->language != CC_CXX17 || !takes(y, YARP_CONTAINERS))
        return CC_C_ARRAY;
    return (enum cc_container)(draw(y, YARP_P_CONTAINER) - YARP_CONTAINER_C);
}

static struct cc_var *make_global_of(struct yarp *y, const struct cc_type *t, enum role r,
                                     struct cc_expr *init)
{
    static const char *const kind[N_ROLES] = {"in", "mix", "out"};
    /* Where all is in one file a const would tell its value: nothing is const there. */
    bool may_be_const = r == INPUT && y->k->form != YARP_SINGLE_FILE && !yarp_has_pointer(t);
    if (may_be_const && takes(y, YARP_CONSTS))
        t = cc_qualified(&y->p->types, t, CC_CONST);
    struct cc_var *v = cc_global(y->p, yarp_name(y, kind[r]), t, init);
    v->storage = CC_EXTERN;
    v->not_hashed = r == INPUT; /* it is never written (YARPGen 3.2) */
    if (t->kind == CC_ARRAY)
        v->container = yarp_container(y);
    else if (t->kind != CC_STRUCT && y->k->language == CC_CXX17 && y->structs.n &&
             takes(y, YARP_STATIC_MEMBERS))
        v->member_of = y->structs.at[pick(y, y->structs.n)];
    values_add(&y->v, v);
    vec_push(&y->vars[r][yarp_shape_of(t)], v);
    return v;
}

static struct cc_var *make_global(struct yarp *y, const struct cc_type *t, enum role r)
{
    return make_global_of(y, t, r, initial(y, t, r));
}

/* Inputs for the starts, ends and steps of loops: lengths, small numbers, and anything. */
static void make_bounds(struct yarp *y)
{
    static const enum cc_kind kinds[] = {CC_INT,   CC_SHORT,  CC_UCHAR, CC_UINT,
                                         CC_LLONG, CC_ULLONG, CC_LONG};
    enum { N = 9 };
    const int64_t small[N] = {y->lengths[0], y->lengths[1], y->lengths[2], y->narrow[0], 1, 2, 0};
    for (int i = 0; i < N; i++) {
        const struct cc_type *t =
            basic(y, kinds[pick(y, sizeof kinds / sizeof *kinds - !has(y, YARP_LONG))]);
        struct cc_expr *init =
            i < N - 2 ? cc_int(y->p, t, small[i], CC_DECIMAL) : yarp_constant(y, t);
        struct cc_var *v = make_global_of(y, t, INPUT, init);
        vec_push(&y->bounds, ((struct bound){v, init->value}));
    }
}

struct cc_var *yarp_pointee(struct yarp *y, const struct cc_type *t, enum role r)
{
    const var_list *all = &y->vars[r][yarp_shape_of(t)];
    for (int tries = 0; all->n && tries < 4; tries++) {
        struct cc_var *v = all->at[pick(y, all->n)];
        if (v->type == t) /* not const: what points to it may be written through */
            return v;
    }
    struct cc_expr *init = yarp_constant(y, t->plain);
    struct cc_var *v = cc_global(y->p, yarp_name(y, "var"), t, init);
    v->storage = CC_EXTERN;
    v->not_hashed = r == INPUT;
    values_add(&y->v, v);
    vec_push(&y->vars[r][SCALAR], v);
    return v;
}

static const struct cc_type *draw_array(struct yarp *y, const struct cc_type *element)
{
    int dimensions = 1 + (int)(draw(y, YARP_P_DIMENSIONS) - YARP_DIMENSIONS_1);
    for (int i = 0; i < dimensions; i++) {
        uint32_t length = dimensions > 2 ? y->narrow[pick(y, 2)] : yarp_length(y);
        if (scalars(element) * length > ARRAY_SCALARS)
            break;
        element = cc_array_of(&y->p->types, element, length);
    }
    return element;
}

static const struct cc_type *draw_struct(struct yarp *y)
{
    bool old = draw(y, YARP_P_REUSE) == YARP_REUSE_OLD && y->structs.n;
    return old || y->structs.n >= 8 ? y->structs.at[pick(y, y->structs.n)] : make_struct(y);
}

static const struct cc_type *draw_element(struct yarp *y)
{
    enum yarp_weight w = draw(y, YARP_P_ELEMENT);
    if (w == YARP_ELEMENT_STRUCT && has(y, YARP_STRUCTS))
        return draw_struct(y);
    const struct cc_type *t = yarp_int_type(y);
    if (w == YARP_ELEMENT_POINTER && has(y, YARP_POINTERS))
        t = cc_pointer_to(&y->p->types, t);
    return t;
}

static const struct cc_type *draw_global_type(struct yarp *y)
{
    if (takes(y, YARP_ARRAYS))
        return draw_array(y, takes(y, YARP_FLOATS) ? draw_float(y) : draw_element(y));
    if (takes(y, YARP_STRUCTS))
        return draw_struct(y);
    if (takes(y, YARP_POINTERS))
        return cc_pointer_to(&y->p->types, yarp_int_type(y));
    if (takes(y, YARP_FLOATS))
        return draw_float(y);
    return yarp_int_type(y);
}

static const struct cc_type *draw_vector_type(struct yarp *y)
{
    static const enum cc_kind kinds[] = {CC_INT,   CC_UINT,   CC_SHORT, CC_USHORT,
                                         CC_LLONG, CC_ULLONG, CC_UCHAR, CC_FLOAT};
    const struct cc_type *element = basic(y, kinds[pick(y, sizeof kinds / sizeof *kinds)]);
    uint32_t bytes = 8u << pick(y, 3);
    if (bytes == 8 && element->size == 8)
        bytes = 16;
    return cc_vector_type(&y->p->types, element, bytes / element->size);
}

void yarp_new_environment(struct yarp *y)
{
    for (int i = 0; i < 3; i++)
        y->lengths[i] = draw_length(y);
    for (int i = 0; i < 2; i++)
        y->narrow[i] = (uint32_t)between(y, 2, 6);
    int structs = has(y, YARP_STRUCTS) ? (int)between(y, 1, 5) : 0;
    for (int i = 0; i < structs; i++)
        make_struct(y);
    /* a few of each, whatever the distributions say */
    for (enum role r = INPUT; r <= OUTPUT; r++) {
        for (int i = 0; i < 3; i++)
            make_global(y, yarp_int_type(y), r);
        if (has(y, YARP_ARRAYS))
            for (int i = 0; i < 2; i++)
                make_global(y, cc_array_of(&y->p->types, yarp_int_type(y), y->lengths[i]), r);
        if (has(y, YARP_FLOATS)) {
            const struct cc_type *t = draw_float(y);
            make_global(y, t, r);
            if (has(y, YARP_ARRAYS))
                make_global(y, cc_array_of(&y->p->types, t, y->lengths[0]), r);
        }
    }
    if (has(y, YARP_BOUNDS))
        make_bounds(y);
    if (has(y, YARP_VECTORS)) {
        y->vector_type = draw_vector_type(y);
        for (enum role r = INPUT; r <= OUTPUT; r++)
            for (int i = 0; i < 2; i++)
                make_global(y, y->vector_type, r);
    }
    int n = 12 + (int)(y->tokens / 1500);
    for (int i = 0; i < n; i++) {
        const struct cc_type *t = draw_global_type(y);
        enum role r = (enum role)(draw(y, YARP_P_ROLE) - YARP_ROLE_INPUT);
        make_global(y, t, r);
    }
}
