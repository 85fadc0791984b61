/* C's types as data, laid out for one data model.
 *
 * A `struct cc_types` is a table: every type of a program is made through it, once, so that equal
 * types have equal addresses and a comparison is `==`. Records and enumerations are nominal: each
 * definition is a type of its own (C11 6.2.7). Qualified variants hang off the unqualified type.
 *
 * Sizes, alignments and bit-field positions follow the System V ABIs (and GCC where an ABI leaves
 * `packed` open) in the data model of the table, which is a parameter and not an assumption. */
#ifndef ASSAY_CC_TYPE_H
#define ASSAY_CC_TYPE_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

/* -- data models ------------------------------------------------------------------------------ */

struct cc_model {
    const char *name;     /* "lp64" */
    uint8_t long_size;    /* bytes: 8 or 4 */
    uint8_t pointer_size; /* bytes: 8 or 4 */
    uint8_t llong_align;  /* of a 64-bit integer inside a record: 8, or 4 on i386 */
    uint8_t double_align; /* the same for double */
    bool has_int128;      /* __int128 exists */
    bool char_signed;     /* plain char */
    bool big_endian;
};

extern const struct cc_model cc_lp64;    /* x86-64, little endian */
extern const struct cc_model cc_ilp32;   /* i386, little endian, 4-byte alignment of 64 bits */
extern const struct cc_model cc_lp64_be; /* s390x, ppc64: unsigned char, big endian */

/* -- types ------------------------------------------------------------------------------------ */

/* The kinds that need no further description: id, C's name, fixed-width name (NULL: the same).
 * Integers stand in order of their rank, signed before unsigned (C11 6.3.1.1). */
#define CC_KIND_TABLE(X)                                                                           \
    X(VOID, "void", NULL)                                                                          \
    X(BOOL, "_Bool", NULL)                                                                         \
    X(CHAR, "char", NULL)                                                                          \
    X(SCHAR, "signed char", "int8_t")                                                              \
    X(UCHAR, "unsigned char", "uint8_t")                                                           \
    X(SHORT, "short", "int16_t")                                                                   \
    X(USHORT, "unsigned short", "uint16_t")                                                        \
    X(INT, "int", "int32_t")                                                                       \
    X(UINT, "unsigned int", "uint32_t")                                                            \
    X(LONG, "long", NULL)                                                                          \
    X(ULONG, "unsigned long", NULL)                                                                \
    X(LLONG, "long long", "int64_t")                                                               \
    X(ULLONG, "unsigned long long", "uint64_t")                                                    \
    X(INT128, "__int128", NULL)                                                                    \
    X(UINT128, "unsigned __int128", NULL)                                                          \
    X(FLOAT, "float", NULL)                                                                        \
    X(DOUBLE, "double", NULL)                                                                      \
    X(LDOUBLE, "long double", NULL) /* of x86, and only of imported programs */

enum cc_kind {
#define X(kind, plain, fixed) CC_##kind,
    CC_KIND_TABLE(X)
#undef X
        CC_N_BASIC,
    CC_ENUM = CC_N_BASIC,
    CC_POINTER,
    CC_ARRAY,
    CC_VECTOR, /* with CC_STRUCT and CC_UNION: see cc_is_composite */
    CC_STRUCT,
    CC_UNION,
    CC_FUNCTION,
    CC_N_KINDS
};
extern const char *const cc_kind_text[CC_N_KINDS]; /* "unsigned int", "struct" */

enum cc_quals { CC_CONST = 1, CC_VOLATILE = 2 };

struct cc_field {
    const char *name;           /* NULL: an unnamed bit-field */
    const struct cc_type *type; /* with its qualifiers */
    int bits;                   /* -1: no bit-field; 0: the unnamed one that ends a unit */
    uint32_t offset;            /* bytes; of a bit-field: of the byte that holds its lowest bit in
                                 * memory order (little endian) */
    uint8_t bit;                /* of a bit-field: its first bit, counted from `offset` */
};

struct cc_record { /* a struct or union */
    const char *tag;
    struct cc_field *fields;
    int n_fields;
    bool is_union, packed;
    uint32_t aligned; /* an attribute says so, bytes; 0: none does */
};

struct cc_enumerator {
    const char *name;
    int64_t value;
};

struct cc_enum { /* compatible with unsigned int, or int where a value is negative, as GCC has it */
    const char *tag;
    struct cc_enumerator *values;
    int n_values;
};

struct cc_type {
    enum cc_kind kind;
    uint8_t quals;                       /* CC_CONST | CC_VOLATILE */
    bool is_signed;                      /* of an integer, also of an enumeration */
    uint16_t bits;                       /* width of an integer: 1 for _Bool */
    uint32_t size, align;                /* bytes; 0 for void and functions */
    uint32_t id;                         /* counted from 0 in order of making */
    const struct cc_type *plain;         /* without qualifiers; itself if it has none */
    const struct cc_type *to;            /* pointer: pointee; array, vector: element (of a vector
                                          * without its qualifiers); function: result */
    uint32_t length;                     /* array, vector: elements */
    const struct cc_record *record;      /* struct, union */
    const struct cc_enum *enumeration;   /* enum */
    const struct cc_type *const *params; /* function */
    int n_params;
    bool variadic;     /* function: more arguments may follow */
    bool unprototyped; /* function: declared without parameters, `int f();` (6.7.6.3p14) */
    bool has_const, has_volatile; /* it or any part of it (not: what it points to) */
    struct cc_type *variants[4], *pointer, *arrays, *next; /* the table's own links */
};

struct cc_types {
    struct arena *arena;
    const struct cc_model *model;
    struct cc_type *basic[CC_N_BASIC];
    VEC(struct cc_type *) records;   /* structs and unions in order of definition, unqualified */
    VEC(struct cc_type *) enums;     /* in order of definition */
    VEC(struct cc_type *) functions; /* function types */
    VEC(struct cc_type *) vectors;   /* GNU vectors in order of making, unqualified */
    const struct cc_type *va_list;   /* of imported programs: see cc_va_list_type; NULL: none yet */
    uint32_t n;                      /* types so far */
};

void cc_types_init(struct cc_types *t, struct arena *a, const struct cc_model *m);
void cc_types_release(struct cc_types *t); /* the vectors; types live in the arena */

const struct cc_type *cc_basic(const struct cc_types *t, enum cc_kind kind);
const struct cc_type *cc_qualified(struct cc_types *t, const struct cc_type *type,
                                   int quals); /* adds; of an array: of its elements (6.7.3p9) */
const struct cc_type *cc_pointer_to(struct cc_types *t, const struct cc_type *to);
const struct cc_type *cc_array_of(struct cc_types *t, const struct cc_type *element,
                                  uint32_t length);
/* GNU C's __attribute__((vector_size(N))): `element` is an integer type of at most 64 bits that is
 * no _Bool and no enumeration, or a float; N is 8, 16, 32 or 64 bytes, and the alignment as well
 * (on i386, gcc aligns a member of 8 bytes to 4 only). */
const struct cc_type *cc_vector_type(struct cc_types *t, const struct cc_type *element,
                                     uint32_t length);
const struct cc_type *cc_function_type(struct cc_types *t, const struct cc_type *result,
                                       const struct cc_type *const *params, int n_params);
/* The same for functions that real programs declare; those without a prototype have no parameters
 * here. */
const struct cc_type *cc_function_type_of(struct cc_types *t, const struct cc_type *result,
                                          const struct cc_type *const *params, int n_params,
                                          bool variadic, bool unprototyped);
/* Records of imported programs, which may refer to themselves: first declared, of size 0, then
 * defined with the layout that they have (offset and bit of each field, size, alignment). The last
 * field may be an array of length 0 (6.7.2.1p18). An anonymous member is a field that has a name no
 * program can write. */
const struct cc_type *cc_record_declare(struct cc_types *t, const char *tag, bool is_union);
void cc_record_define(struct cc_types *t, const struct cc_type *record, bool packed,
                      const struct cc_field *fields, int n_fields, uint32_t size, uint32_t align);
/* What va_list is an array of one of: a struct that only va_start, va_arg, va_copy and va_end
 * understand. Its members: the arguments (a pointer), and how many have been taken (an int). */
const struct cc_type *cc_va_list_type(struct cc_types *t);
/* `fields` is copied; offset and bit are filled in. */
const struct cc_type *cc_record_type(struct cc_types *t, const char *tag, bool is_union,
                                     bool packed, const struct cc_field *fields, int n_fields);
/* __attribute__((aligned(N))) on a record that was just made, and of which no other type has been
 * made yet: more than its members ask for, or, of a packed one, than 1. */
void cc_record_align(const struct cc_type *record, uint32_t align);
const struct cc_type *cc_enum_type(struct cc_types *t, const char *tag,
                                   const struct cc_enumerator *values, int n_values);
/* The integer kind of so many bits that is int, short, signed char, long long or __int128: never
 * long, whose width is the model's. bits: 8, 16, 32, 64, 128. */
const struct cc_type *cc_int_type(const struct cc_types *t, int bits, bool is_signed);

/* -- questions -------------------------------------------------------------------------------- */

/* The same type but for its qualifiers; those of an array are its elements'. */
static inline bool cc_same_type(const struct cc_type *a, const struct cc_type *b)
{
    while (a->kind == CC_ARRAY && b->kind == CC_ARRAY && a->length == b->length) {
        a = a->to;
        b = b->to;
    }
    return a->plain == b->plain;
}

/* 6.2.7, but for qualifiers at the top: the same, or with arrays in it of which one has no size.
 * Functions and enumerations are compatible with themselves only. */
bool cc_compatible_type(const struct cc_type *a, const struct cc_type *b);

static inline bool cc_is_integer(const struct cc_type *t) /* 6.2.5p17, with __int128 */
{
    return (t->kind >= CC_BOOL && t->kind <= CC_UINT128) || t->kind == CC_ENUM;
}
static inline bool cc_is_float(const struct cc_type *t)
{
    return t->kind >= CC_FLOAT && t->kind <= CC_LDOUBLE;
}
static inline bool cc_is_arithmetic(const struct cc_type *t)
{
    return (t->kind >= CC_BOOL && t->kind <= CC_LDOUBLE) || t->kind == CC_ENUM;
}
static inline bool cc_is_scalar(const struct cc_type *t)
{
    return (t->kind >= CC_BOOL && t->kind <= CC_POINTER);
}
static inline bool cc_is_record(const struct cc_type *t)
{
    return t->kind == CC_STRUCT || t->kind == CC_UNION;
}
/* A vector or record: its value is more than one scalar, and stored, passed and returned whole. */
static inline bool cc_is_composite(const struct cc_type *t)
{
    return t->kind >= CC_VECTOR && t->kind <= CC_UNION;
}

/* Promotion of 6.3.1.1p2; of a bit-field of `bits` bits (-1: none). Unqualified result. */
const struct cc_type *cc_promoted(const struct cc_types *t, const struct cc_type *type, int bits);
/* The usual arithmetic conversions, 6.3.1.8; both operands promoted already or not. */
const struct cc_type *cc_common(const struct cc_types *t, const struct cc_type *a,
                                const struct cc_type *b);
/* The basic type that has the representation of an integer type: an enumeration's compatible type,
 * otherwise the unqualified type itself. */
const struct cc_type *cc_representation(const struct cc_types *t, const struct cc_type *type);

#endif
