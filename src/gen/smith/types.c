/* Types: prebuilt before the tree (dissertation, 3.3), then drawn from. */
#include "gen/smith/smith_internal.h"

uint32_t draw_alignment(struct smith *s, const struct cc_type *t)
{
    uint32_t align = 1U << between(s, 1, 6);
    return align > t->align ? align : 0;
}

static void add_ints(struct smith *s, int bits, bool is_signed, int times)
{
    while (times-- > 0)
        vec_push(&s->ints, cc_int_type(&s->p->types, bits, is_signed));
}

static void make_ints(struct smith *s)
{
    add_ints(s, 32, true, 4);
    add_ints(s, 32, false, 3);
    if (may(s, SMITH_INT8))
        add_ints(s, 8, true, 2);
    if (may(s, SMITH_UINT8))
        add_ints(s, 8, false, 2);
    if (may(s, SMITH_INT16)) {
        add_ints(s, 16, true, 2);
        add_ints(s, 16, false, 2);
    }
    if (may(s, SMITH_INT64)) {
        add_ints(s, 64, true, 2);
        add_ints(s, 64, false, 2);
    }
    /* Its width is the data model's, and the answer known for one: some programs have it, the rest
     * is for all machines. */
    if (wants(s, SMITH_LONG)) {
        for (int i = 0; i < 6; i++)
            vec_push(&s->ints, cc_basic(&s->p->types, i % 2 ? CC_ULONG : CC_LONG));
    }
}

static void make_enums(struct smith *s)
{
    int n = may(s, SMITH_ENUMS) ? (int)between(s, 1, 2) : 0;
    for (int i = 0; i < n; i++) {
        struct cc_enumerator values[6];
        int n_values = (int)between(s, 2, 6);
        int64_t next = percent(s, 25) ? -between(s, 1, 9) : 0;
        for (int k = 0; k < n_values; k++) {
            values[k].name = arena_printf(s->arena, "E%d_%d", i, k);
            values[k].value = next;
            next += percent(s, 30) ? between(s, 2, 200) : 1;
        }
        vec_push(&s->enums,
                 cc_enum_type(&s->p->types, arena_printf(s->arena, "E%d", i), values, n_values));
    }
}

const struct cc_type *draw_int(struct smith *s)
{
    const struct cc_types *t = &s->p->types;
    if (percent(s, 25)) { /* the rarer ones */
        if (s->enums.n && wants(s, SMITH_ENUMS))
            return s->enums.at[pick(s, s->enums.n)];
        if (wants(s, SMITH_INT128) && t->model->has_int128)
            return cc_int_type(t, 128, percent(s, 50));
        if (wants(s, SMITH_BOOL))
            return cc_basic(t, CC_BOOL);
        if (wants(s, SMITH_CHAR))
            return cc_basic(t, CC_CHAR);
    }
    return s->ints.at[pick(s, s->ints.n)];
}

const struct cc_type *draw_value(struct smith *s)
{
    if (wants(s, SMITH_FLOATS))
        return cc_basic(&s->p->types, percent(s, 70) ? CC_DOUBLE : CC_FLOAT);
    return draw_int(s);
}

bool copied_record(const struct cc_type *t)
{
    return cc_is_record(t) && !t->has_const && !t->has_volatile;
}

const struct cc_type *draw_record(struct smith *s)
{
    for (int i = 0; i < 4 && s->records.n; i++) {
        const struct cc_type *t = s->records.at[pick(s, s->records.n)];
        if (copied_record(t))
            return t;
    }
    return NULL;
}

static const struct cc_type *qualify(struct smith *s, const struct cc_type *t)
{
    int quals = 0;
    if (wants(s, SMITH_CONSTS))
        quals |= CC_CONST;
    /* C++ has no copy of a volatile record (class.copy): there they are not volatile */
    if (wants(s, SMITH_VOLATILES) && !(cc_is_record(t) && s->k.language == CC_CXX17))
        quals |= CC_VOLATILE;
    return quals ? cc_qualified(&s->p->types, t, quals) : t;
}

/* A pointer of one to max-pointer-depth levels; each level may be qualified (3.6.3). */
static const struct cc_type *draw_pointer(struct smith *s)
{
    const struct cc_type *t = draw_int(s);
    if (s->records.n && may(s, SMITH_STRUCTS) && percent(s, 12))
        t = s->records.at[pick(s, s->records.n)];
    else if (wants(s, SMITH_FLOATS))
        t = cc_basic(&s->p->types, CC_DOUBLE);
    if (wants(s, SMITH_CONSTS))
        t = cc_qualified(&s->p->types, t, CC_CONST);
    if (may(s, SMITH_VOLATILES) && wants(s, SMITH_VOLATILE_POINTERS) &&
        !(cc_is_record(t) && s->k.language == CC_CXX17))
        t = cc_qualified(&s->p->types, t, CC_VOLATILE);
    t = cc_pointer_to(&s->p->types, t);
    for (int level = 1; level < s->k.limit[SMITH_POINTER_DEPTH] && percent(s, 25); level++)
        t = cc_pointer_to(&s->p->types, t);
    return t;
}

static const struct cc_type *draw_array(struct smith *s, const struct cc_type *element)
{
    int dims = 1;
    while (dims < s->k.limit[SMITH_ARRAY_DIMS] && percent(s, 35))
        dims++;
    int64_t left = s->k.limit[SMITH_ARRAY_TOTAL];
    const struct cc_type *t = element;
    for (int d = 0; d < dims; d++) {
        int64_t most = s->k.limit[SMITH_ARRAY_LENGTH];
        most = most < left ? most : left;
        int64_t n = percent(s, 30) && most >= 8 ? 8 : between(s, 1, most);
        t = cc_array_of(&s->p->types, t, (uint32_t)n);
        left /= n;
    }
    return t;
}

const struct cc_type *draw_variable_type(struct smith *s, bool global)
{
    const struct cc_type *t;
    if (wants(s, SMITH_POINTERS)) {
        t = draw_pointer(s);
        if (wants(s, SMITH_CONST_POINTERS) && may(s, SMITH_CONSTS))
            t = cc_qualified(&s->p->types, t, CC_CONST);
        return wants(s, SMITH_ARRAYS) && percent(s, 40) ? draw_array(s, t) : t;
    }
    if (s->records.n && (wants(s, SMITH_STRUCTS) || wants(s, SMITH_UNIONS)))
        t = s->records.at[pick(s, s->records.n)];
    else
        t = draw_value(s);
    if (!t->has_const || global)
        t = qualify(s, t);
    return wants(s, SMITH_ARRAYS) ? draw_array(s, t) : t;
}

/* -- records ---------------------------------------------------------------------------------- */

static int nesting(const struct cc_type *t)
{
    int deepest = 0;
    if (!cc_is_record(t))
        return 0;
    for (int i = 0; i < t->record->n_fields; i++) {
        int n = nesting(t->record->fields[i].type);
        deepest = n > deepest ? n : deepest;
    }
    return deepest + 1;
}

static const struct cc_type *draw_field_type(struct smith *s, bool in_union)
{
    const struct cc_type *t = NULL;
    if (s->records.n && percent(s, 15)) {
        t = s->records.at[pick(s, s->records.n)];
        bool fits = nesting(t) <= s->k.limit[SMITH_STRUCT_NESTING] && !(in_union && t->has_const);
        if (!fits)
            t = NULL;
    }
    if (!t && may(s, SMITH_POINTERS) && !in_union && percent(s, 8))
        t = cc_pointer_to(&s->p->types, draw_int(s));
    if (!t)
        t = draw_value(s);
    if (!in_union && !t->has_const && s->k.language == CC_C11 && percent(s, 30))
        t = qualify(s, t);
    int64_t most = s->k.limit[SMITH_ARRAY_LENGTH] < s->k.limit[SMITH_ARRAY_TOTAL]
                       ? s->k.limit[SMITH_ARRAY_LENGTH]
                       : s->k.limit[SMITH_ARRAY_TOTAL];
    if (may(s, SMITH_ARRAYS) && most >= 2 && percent(s, 8))
        t = cc_array_of(&s->p->types, t, (uint32_t)between(s, 2, most < 5 ? most : 5));
    return t;
}

/* What a bit-field is of: int, or, which is the implementation's to allow (6.7.2.1p5), another. */
static const struct cc_type *draw_bitfield_type(struct smith *s)
{
    const struct cc_types *t = &s->p->types;
    bool is_signed = percent(s, 50);
    if (!wants(s, SMITH_ODD_BITFIELDS))
        return cc_int_type(t, 32, is_signed);
    if (may(s, SMITH_BOOL) && percent(s, 10))
        return cc_basic(t, CC_BOOL);
    int bits = may(s, SMITH_INT64) && percent(s, 60) ? 64 : percent(s, 50) ? 16 : 8;
    bool has = bits == 64   ? may(s, SMITH_INT64)
               : bits == 16 ? may(s, SMITH_INT16)
                            : may(s, is_signed ? SMITH_INT8 : SMITH_UINT8);
    return cc_int_type(t, has ? bits : 32, is_signed);
}

static void draw_bitfield(struct smith *s, struct cc_field *f)
{
    f->type = draw_bitfield_type(s);
    int most = f->type->bits == 32 ? 31 : f->type->bits;
    /* those of more than half of a unit do not share it, and those of long long span registers */
    f->bits = (int)between(s, most == 64 && percent(s, 60) ? 33 : 1, most);
    if (may(s, SMITH_VOLATILES) && s->k.language == CC_C11 && percent(s, 5))
        f->type = cc_qualified(&s->p->types, f->type, CC_VOLATILE);
}

static int draw_fields(struct smith *s, struct cc_field *fields, int n, bool is_union)
{
    int made = 0;
    for (int i = 0; i < n; i++) {
        struct cc_field *f = &fields[made];
        *f = (struct cc_field){.name = arena_printf(s->arena, "f%d", i), .bits = -1};
        if (!is_union && wants(s, SMITH_BITFIELDS)) {
            draw_bitfield(s, f);
            made++;
            if (wants(s, SMITH_ZERO_WIDTH))
                fields[made++] = (struct cc_field){.type = f->type->plain, .bits = 0};
            continue;
        }
        f->type = draw_field_type(s, is_union);
        made++;
    }
    return made;
}

/* What calling conventions tell apart: records of one register or two, of integers, floats or both,
 * and those that go through memory (System V AMD64 ABI, 3.2.3); of odd sizes, too. */
static void make_call_record(struct smith *s, int number)
{
    struct cc_field fields[5];
    int64_t longest = s->k.limit[SMITH_STRUCT_FIELDS];
    int n = (int)between(s, 1, longest < 5 ? longest : 5), floats = (int)pick(s, 3);
    for (int i = 0; i < n; i++) {
        const struct cc_type *t =
            may(s, SMITH_FLOATS) && floats && (floats == 2 || percent(s, 50))
                ? cc_basic(&s->p->types, percent(s, 50) ? CC_DOUBLE : CC_FLOAT)
                : s->ints.at[pick(s, s->ints.n)];
        if (may(s, SMITH_ARRAYS) && percent(s, 15)) {
            int64_t most = s->k.limit[SMITH_ARRAY_LENGTH] < s->k.limit[SMITH_ARRAY_TOTAL]
                               ? s->k.limit[SMITH_ARRAY_LENGTH]
                               : s->k.limit[SMITH_ARRAY_TOTAL];
            t = cc_array_of(&s->p->types, t, (uint32_t)between(s, 1, most < 9 ? most : 9));
        }
        fields[i] =
            (struct cc_field){.name = arena_printf(s->arena, "f%d", i), .type = t, .bits = -1};
    }
    const char *tag = arena_printf(s->arena, "R%d", number);
    vec_push(&s->records, cc_record_type(&s->p->types, tag, false, false, fields, n));
}

void make_types(struct smith *s)
{
    make_ints(s);
    make_enums(s);
    int n = may(s, SMITH_STRUCTS) || may(s, SMITH_UNIONS)
                ? (int)between(s, 0, s->k.limit[SMITH_RECORDS])
                : 0;
    int n_structs = 0, n_unions = 0;
    for (int i = 0; i < n; i++) {
        bool is_union = may(s, SMITH_UNIONS) && (!may(s, SMITH_STRUCTS) || percent(s, 35));
        int64_t most = s->k.limit[is_union ? SMITH_UNION_FIELDS : SMITH_STRUCT_FIELDS];
        struct cc_field *fields = arena_array(s->arena, struct cc_field, 2 * most + 2);
        int n_fields = draw_fields(s, fields, (int)between(s, most > 1 ? 2 : 1, most), is_union);
        const char *tag = is_union ? arena_printf(s->arena, "U%d", n_unions++)
                                   : arena_printf(s->arena, "S%d", n_structs++);
        bool packed = !is_union && wants(s, SMITH_PACKED);
        const struct cc_type *t =
            cc_record_type(&s->p->types, tag, is_union, packed, fields, n_fields);
        uint32_t align =
            may(s, SMITH_ALIGNED) && percent(s, packed ? 50 : 25) ? draw_alignment(s, t) : 0;
        if (align)
            cc_record_align(t, align);
        vec_push(&s->records, t);
    }
    int64_t more = s->k.limit[SMITH_RECORDS] - n;
    if (may(s, SMITH_STRUCTS) && more > 0 && wants(s, SMITH_CALL_RECORDS))
        for (int i = (int)between(s, 1, more < 3 ? more : 3); i-- > 0;)
            make_call_record(s, i);
}
