/* The table of types, and how records are laid out.
 *
 * Interning: basic types are made once by cc_types_init. A derived type hangs off the type it is
 * derived from (its pointer, the list of its arrays, its three qualified variants), so that finding
 * one is a link or two and needs no hash. Function types and GNU's vectors are few and searched in
 * their list.
 *
 * Layout follows the System V ABIs as GCC implements them (PCC_BITFIELD_TYPE_MATTERS): a bit-field
 * may not touch more aligned units of its declared type than one object of that type would; a named
 * one gives the record the alignment of its type; an unnamed one of width 0 moves to the next unit,
 * packed or not. `packed` takes all other alignment away. Positions are counted in bits from the
 * start of the record in memory order: from the lowest bit of a byte in little endian, from its
 * highest in big endian. The numbers are the same, only their reading differs. */
#include "cc/type.h"

#include "base/error.h"

const char *const cc_kind_text[CC_N_KINDS] = {
#define X(kind, plain, fixed) [CC_##kind] = plain,
    CC_KIND_TABLE(X)
#undef X
        [CC_ENUM] = "enum",
    [CC_POINTER] = "pointer",
    [CC_ARRAY] = "array",
    [CC_VECTOR] = "vector",
    [CC_STRUCT] = "struct",
    [CC_UNION] = "union",
    [CC_FUNCTION] = "function",
};

#define LP64                                                                                       \
    .long_size = 8, .pointer_size = 8, .llong_align = 8, .double_align = 8, .has_int128 = true

const struct cc_model cc_lp64 = {.name = "lp64", LP64, .char_signed = true};
const struct cc_model cc_ilp32 = {.name = "ilp32",
                                  .long_size = 4,
                                  .pointer_size = 4,
                                  .llong_align = 4,
                                  .double_align = 4,
                                  .char_signed = true};
const struct cc_model cc_lp64_be = {.name = "lp64-be", LP64, .big_endian = true};

/* -- making types ----------------------------------------------------------------------------- */

/* The links in a type are the table's, also where all others see it as const. */
static struct cc_type *writable(const struct cc_type *type)
{
    return (struct cc_type *)type;
}

static struct cc_type *new_type(struct cc_types *t, enum cc_kind kind)
{
    struct cc_type *type = arena_new(t->arena, struct cc_type);
    type->kind = kind;
    type->id = t->n++;
    type->plain = type;
    type->variants[0] = type;
    return type;
}

static void make_basic(struct cc_types *t, enum cc_kind kind, uint32_t size, uint32_t align,
                       int bits, bool is_signed)
{
    struct cc_type *type = new_type(t, kind);
    type->size = size;
    type->align = align;
    type->bits = (uint16_t)bits;
    type->is_signed = is_signed;
    t->basic[kind] = type;
}

void cc_types_init(struct cc_types *t, struct arena *a, const struct cc_model *m)
{
    *t = (struct cc_types){.arena = a, .model = m};
    int long_bits = m->long_size * 8;
    make_basic(t, CC_VOID, 0, 0, 0, false);
    make_basic(t, CC_BOOL, 1, 1, 1, false);
    make_basic(t, CC_CHAR, 1, 1, 8, m->char_signed);
    make_basic(t, CC_SCHAR, 1, 1, 8, true);
    make_basic(t, CC_UCHAR, 1, 1, 8, false);
    make_basic(t, CC_SHORT, 2, 2, 16, true);
    make_basic(t, CC_USHORT, 2, 2, 16, false);
    make_basic(t, CC_INT, 4, 4, 32, true);
    make_basic(t, CC_UINT, 4, 4, 32, false);
    make_basic(t, CC_LONG, m->long_size, m->long_size, long_bits, true);
    make_basic(t, CC_ULONG, m->long_size, m->long_size, long_bits, false);
    make_basic(t, CC_LLONG, 8, m->llong_align, 64, true);
    make_basic(t, CC_ULLONG, 8, m->llong_align, 64, false);
    if (m->has_int128) {
        make_basic(t, CC_INT128, 16, 16, 128, true);
        make_basic(t, CC_UINT128, 16, 16, 128, false);
    }
    make_basic(t, CC_FLOAT, 4, 4, 0, true);
    make_basic(t, CC_DOUBLE, 8, m->double_align, 0, true);
    uint32_t ldouble = m->pointer_size == 8 ? 16 : 12; /* of which 10 bytes count */
    make_basic(t, CC_LDOUBLE, ldouble, ldouble == 16 ? 16 : 4, 0, true);
}

void cc_types_release(struct cc_types *t)
{
    vec_release(&t->records);
    vec_release(&t->enums);
    vec_release(&t->functions);
    vec_release(&t->vectors);
}

const struct cc_type *cc_basic(const struct cc_types *t, enum cc_kind kind)
{
    REQUIRE(kind < CC_N_BASIC && t->basic[kind]);
    return t->basic[kind];
}

const struct cc_type *cc_qualified(struct cc_types *t, const struct cc_type *type, int quals)
{
    if (type->kind == CC_ARRAY)
        return cc_array_of(t, cc_qualified(t, type->to, quals), type->length);
    int all = type->quals | quals;
    if (all == type->quals || type->kind == CC_FUNCTION)
        return type;
    struct cc_type *plain = writable(type->plain);
    if (plain->variants[all])
        return plain->variants[all];
    struct cc_type *made = new_type(t, plain->kind);
    uint32_t id = made->id;
    *made = *plain;
    made->id = id;
    made->quals = (uint8_t)all;
    made->has_const |= (all & CC_CONST) != 0;
    made->has_volatile |= (all & CC_VOLATILE) != 0;
    made->pointer = made->arrays = made->next = NULL;
    memset(made->variants, 0, sizeof made->variants); /* those of `plain` count */
    plain->variants[all] = made;
    return made;
}

const struct cc_type *cc_pointer_to(struct cc_types *t, const struct cc_type *to)
{
    if (to->pointer)
        return to->pointer;
    struct cc_type *type = new_type(t, CC_POINTER);
    type->to = to;
    type->size = type->align = t->model->pointer_size;
    writable(to)->pointer = type;
    return type;
}

const struct cc_type *cc_array_of(struct cc_types *t, const struct cc_type *element,
                                  uint32_t length)
{
    for (const struct cc_type *a = element->arrays; a; a = a->next)
        if (a->length == length)
            return a;
    REQUIRE(element->size > 0);
    REQUIRE((uint64_t)element->size * length <= UINT32_MAX / 8);
    struct cc_type *type = new_type(t, CC_ARRAY);
    type->to = element;
    type->length = length;
    type->size = element->size * length;
    type->align = element->align;
    type->has_const = element->has_const;
    type->has_volatile = element->has_volatile;
    type->next = element->arrays;
    writable(element)->arrays = type;
    return type;
}

const struct cc_type *cc_vector_type(struct cc_types *t, const struct cc_type *element,
                                     uint32_t length)
{
    for (size_t i = 0; i < t->vectors.n; i++)
        if (t->vectors.at[i]->to == element && t->vectors.at[i]->length == length)
            return t->vectors.at[i];
    bool small_integer = element->kind >= CC_CHAR && element->kind <= CC_ULLONG;
    bool lane = small_integer || element->kind == CC_FLOAT || element->kind == CC_DOUBLE;
    REQUIRE(lane && !element->quals);
    uint64_t size = (uint64_t)element->size * length;
    REQUIRE(size == 8 || size == 16 || size == 32 || size == 64);
    struct cc_type *type = new_type(t, CC_VECTOR);
    type->to = element;
    type->length = length;
    type->size = type->align = (uint32_t)size;
    vec_push(&t->vectors, type);
    return type;
}

static bool same_function(const struct cc_type *f, const struct cc_type *result,
                          const struct cc_type *const *params, int n_params, bool variadic,
                          bool unprototyped)
{
    if (f->to != result || f->n_params != n_params || f->variadic != variadic ||
        f->unprototyped != unprototyped)
        return false;
    for (int i = 0; i < n_params; i++)
        if (f->params[i] != params[i]->plain)
            return false;
    return true;
}

/* Qualifiers of the parameters and of the result are no part of the type (6.7.6.3p15, 6.7.6.3p5).
 */
const struct cc_type *cc_function_type_of(struct cc_types *t, const struct cc_type *result,
                                          const struct cc_type *const *params, int n_params,
                                          bool variadic, bool unprototyped)
{
    result = result->plain;
    for (size_t i = 0; i < t->functions.n; i++)
        if (same_function(t->functions.at[i], result, params, n_params, variadic, unprototyped))
            return t->functions.at[i];
    const struct cc_type **copy = arena_array(t->arena, const struct cc_type *, n_params);
    for (int i = 0; i < n_params; i++) {
        REQUIRE(cc_is_scalar(params[i]) || cc_is_composite(params[i]));
        copy[i] = params[i]->plain;
    }
    struct cc_type *type = new_type(t, CC_FUNCTION);
    type->to = result;
    type->params = copy;
    type->n_params = n_params;
    type->variadic = variadic;
    type->unprototyped = unprototyped;
    vec_push(&t->functions, type);
    return type;
}

const struct cc_type *cc_function_type(struct cc_types *t, const struct cc_type *result,
                                       const struct cc_type *const *params, int n_params)
{
    return cc_function_type_of(t, result, params, n_params, false, false);
}

/* -- records ---------------------------------------------------------------------------------- */

struct layout {
    uint64_t next;  /* the first free bit */
    uint64_t size;  /* bits */
    uint64_t align; /* bits */
    bool packed;
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

/* Would a bit-field at bit `at` touch more units than an object of its type does? */
static bool spans_too_much(const struct cc_field *f, uint64_t at)
{
    uint64_t unit = (uint64_t)f->type->align * 8;
    uint64_t touched = (at % unit + (uint64_t)f->bits + unit - 1) / unit;
    return touched > (uint64_t)f->type->size * 8 / unit;
}

static void place(struct layout *l, struct cc_field *f)
{
    uint64_t type_align = (uint64_t)f->type->align * 8;
    uint64_t align = l->packed ? 8 : type_align;
    uint64_t width = f->bits < 0 ? (uint64_t)f->type->size * 8 : (uint64_t)f->bits;
    if (f->bits < 0)
        l->next = round_up(l->next, align);
    else if (f->bits == 0)
        l->next = round_up(l->next, type_align); /* not influenced by packing */
    else if (!l->packed && spans_too_much(f, l->next))
        l->next = round_up(l->next, type_align);
    f->offset = (uint32_t)(l->next / 8);
    f->bit = (uint8_t)(l->next % 8);
    l->next += width;
    if (l->size < l->next)
        l->size = l->next;
    if ((f->bits < 0 || f->name) && l->align < align)
        l->align = align;
}

static void check_field(const struct cc_field *f)
{
    REQUIRE(f->type->size > 0 && f->type->kind != CC_FUNCTION);
    if (f->bits < 0)
        REQUIRE(f->name);
    else
        REQUIRE(cc_is_integer(f->type) && f->bits <= f->type->bits && (f->bits > 0 || !f->name));
}

const struct cc_type *cc_record_type(struct cc_types *t, const char *tag, bool is_union,
                                     bool packed, const struct cc_field *fields, int n_fields)
{
    struct cc_record *r = arena_new(t->arena, struct cc_record);
    r->tag = arena_strdup(t->arena, tag);
    r->is_union = is_union;
    r->packed = packed;
    r->n_fields = n_fields;
    r->fields = arena_array(t->arena, struct cc_field, n_fields);
    struct cc_type *type = new_type(t, is_union ? CC_UNION : CC_STRUCT);
    struct layout l = {.align = 8, .packed = packed};
    for (int i = 0; i < n_fields; i++) {
        struct cc_field *f = &r->fields[i];
        *f = fields[i];
        check_field(f);
        f->name = arena_strdup(t->arena, f->name);
        if (is_union)
            l.next = 0;
        place(&l, f);
        type->has_const |= f->type->has_const;
        type->has_volatile |= f->type->has_volatile;
    }
    l.size = round_up(l.size, l.align);
    REQUIRE(l.size <= UINT32_MAX);
    type->record = r;
    type->size = (uint32_t)(l.size / 8);
    type->align = (uint32_t)(l.align / 8);
    vec_push(&t->records, type);
    return type;
}

void cc_record_align(const struct cc_type *record, uint32_t align)
{
    struct cc_type *type = writable(record);
    REQUIRE(cc_is_record(type) && !type->pointer && !type->arrays && type->plain == type);
    REQUIRE(align > type->align && (align & (align - 1)) == 0);
    ((struct cc_record *)(uintptr_t)type->record)->aligned = align;
    type->align = align;
    type->size = (uint32_t)round_up(type->size, align);
}

const struct cc_type *cc_record_declare(struct cc_types *t, const char *tag, bool is_union)
{
    struct cc_record *r = arena_new(t->arena, struct cc_record);
    r->tag = arena_strdup(t->arena, tag);
    r->is_union = is_union;
    struct cc_type *type = new_type(t, is_union ? CC_UNION : CC_STRUCT);
    type->record = r;
    vec_push(&t->records, type);
    return type;
}

void cc_record_define(struct cc_types *t, const struct cc_type *record, bool packed,
                      const struct cc_field *fields, int n_fields, uint32_t size, uint32_t align)
{
    struct cc_type *plain = writable(record->plain);
    struct cc_record *r = (struct cc_record *)(uintptr_t)plain->record;
    REQUIRE(plain->size == 0 && !r->fields);
    r->packed = packed;
    r->n_fields = n_fields;
    r->fields = arena_array(t->arena, struct cc_field, n_fields);
    for (int i = 0; i < n_fields; i++) {
        r->fields[i] = fields[i];
        if (fields[i].name)
            r->fields[i].name = arena_strdup(t->arena, fields[i].name);
        plain->has_const |= fields[i].type->has_const;
        plain->has_volatile |= fields[i].type->has_volatile;
    }
    plain->size = size;
    plain->align = align;
    for (int q = 1; q < 4; q++) { /* variants that were made of the incomplete type */
        struct cc_type *v = plain->variants[q];
        if (!v)
            continue;
        v->size = size;
        v->align = align;
        v->has_const |= plain->has_const;
        v->has_volatile |= plain->has_volatile;
    }
}

/* Those of an array are its elements'. */
static int qualifiers(const struct cc_type *t)
{
    while (t->kind == CC_ARRAY)
        t = t->to;
    return t->quals;
}

bool cc_compatible_type(const struct cc_type *a, const struct cc_type *b)
{
    if (cc_same_type(a, b))
        return true;
    if (a->kind == CC_ARRAY && b->kind == CC_ARRAY)
        return (a->length == b->length || a->length == 0 || b->length == 0) &&
               cc_compatible_type(a->to, b->to);
    return a->kind == CC_POINTER && b->kind == CC_POINTER &&
           qualifiers(a->to) == qualifiers(b->to) && cc_compatible_type(a->to, b->to);
}

const struct cc_type *cc_va_list_type(struct cc_types *t)
{
    if (!t->va_list) {
        struct cc_field fields[] = {
            {.name = "args", .type = cc_pointer_to(t, t->basic[CC_VOID]), .bits = -1},
            {.name = "taken", .type = t->basic[CC_INT], .bits = -1}};
        t->va_list = cc_record_type(t, "__va_list_tag", false, false, fields, 2);
    }
    return t->va_list;
}

const struct cc_type *cc_enum_type(struct cc_types *t, const char *tag,
                                   const struct cc_enumerator *values, int n_values)
{
    struct cc_enum *e = arena_new(t->arena, struct cc_enum);
    struct cc_type *type = new_type(t, CC_ENUM);
    REQUIRE(n_values > 0);
    e->tag = arena_strdup(t->arena, tag);
    e->n_values = n_values;
    e->values = arena_array(t->arena, struct cc_enumerator, n_values);
    for (int i = 0; i < n_values; i++) {
        REQUIRE(values[i].value >= INT32_MIN && values[i].value <= INT32_MAX); /* 6.7.2.2p2 */
        e->values[i].name = arena_strdup(t->arena, values[i].name);
        e->values[i].value = values[i].value;
        type->is_signed |= values[i].value < 0;
    }
    type->enumeration = e;
    type->bits = 32;
    type->size = type->align = 4;
    vec_push(&t->enums, type);
    return type;
}

/* -- questions -------------------------------------------------------------------------------- */

const struct cc_type *cc_int_type(const struct cc_types *t, int bits, bool is_signed)
{
    switch (bits) {
    case 8:
        return cc_basic(t, is_signed ? CC_SCHAR : CC_UCHAR);
    case 16:
        return cc_basic(t, is_signed ? CC_SHORT : CC_USHORT);
    case 32:
        return cc_basic(t, is_signed ? CC_INT : CC_UINT);
    case 64:
        return cc_basic(t, is_signed ? CC_LLONG : CC_ULLONG);
    case 128:
        return cc_basic(t, is_signed ? CC_INT128 : CC_UINT128);
    default:
        BUG("no integer type of %d bits", bits);
    }
}

const struct cc_type *cc_representation(const struct cc_types *t, const struct cc_type *type)
{
    if (type->kind == CC_ENUM)
        return t->basic[type->is_signed ? CC_INT : CC_UINT];
    return type->plain;
}

/* A bit-field wider than int keeps its declared type, as clang has it. GCC computes with it in a
 * type of just its width; build.c casts such operands so that both mean the same. */
const struct cc_type *cc_promoted(const struct cc_types *t, const struct cc_type *type, int bits)
{
    REQUIRE(cc_is_arithmetic(type));
    if (cc_is_float(type))
        return type->plain;
    if ((bits < 0 ? type->bits : bits) < 32)
        return t->basic[CC_INT];
    if (bits == 32 || type->kind == CC_ENUM)
        return t->basic[type->is_signed ? CC_INT : CC_UINT];
    return type->plain;
}

const struct cc_type *cc_common(const struct cc_types *t, const struct cc_type *a,
                                const struct cc_type *b)
{
    if (a->kind == CC_LDOUBLE || b->kind == CC_LDOUBLE)
        return t->basic[CC_LDOUBLE];
    if (a->kind == CC_DOUBLE || b->kind == CC_DOUBLE)
        return t->basic[CC_DOUBLE];
    if (a->kind == CC_FLOAT || b->kind == CC_FLOAT)
        return t->basic[CC_FLOAT];
    a = cc_promoted(t, a, -1);
    b = cc_promoted(t, b, -1);
    if (a->kind == b->kind)
        return a;
    if (a->is_signed == b->is_signed)
        return a->kind > b->kind ? a : b;
    const struct cc_type *s = a->is_signed ? a : b, *u = a->is_signed ? b : a;
    int rank_s = (int)(s->kind - CC_INT) / 2, rank_u = (int)(u->kind - CC_INT) / 2;
    if (rank_u >= rank_s)
        return u;
    return s->bits > u->bits ? s : t->basic[s->kind + 1];
}
