/* How the parser of constructs.c and declarations.c sees a program of C: types, values, symbols,
 * and the tokens that it is at.
 *
 * The parser is no judge: it takes what it understands, skips what it does not, and always gets on
 * by at least one token. Scopes are kept, members are looked up by their name alone. */
#ifndef ASSAY_TRIAGE_READING_H
#define ASSAY_TRIAGE_READING_H

#include "base/vec.h"
#include "base/words.h"
#include "triage/triage_internal.h"

#include <string.h>

/* How much a construct says about the fault. What stands in nearly every program says little. */
enum strength { CLASS, TYPED, EXACT, CONVERSION, CONTROL, COMMON, ACCESS, DETAIL, NESTED };

/* Types: the base, and what is made of it. */
#define BASES(X)                                                                                   \
    X(B_UNKNOWN, "?", "?", 0)                                                                      \
    X(B_VOID, "void", "void", 0)                                                                   \
    X(B_BOOL, "bool", "bool", 8)                                                                   \
    X(B_S8, "s8", "narrow", 8)                                                                     \
    X(B_U8, "u8", "narrow unsigned", 8)                                                            \
    X(B_S16, "s16", "narrow", 16)                                                                  \
    X(B_U16, "u16", "narrow unsigned", 16)                                                         \
    X(B_S32, "s32", "int", 32)                                                                     \
    X(B_U32, "u32", "unsigned", 32)                                                                \
    X(B_S64, "s64", "long", 64)                                                                    \
    X(B_U64, "u64", "unsigned long", 64)                                                           \
    X(B_S128, "s128", "wide", 128)                                                                 \
    X(B_U128, "u128", "wide", 128)                                                                 \
    X(B_F32, "f32", "float", 0)                                                                    \
    X(B_F64, "f64", "float", 0)                                                                    \
    X(B_F80, "f80", "float", 0)                                                                    \
    X(B_RECORD, "record", "record", 0)                                                             \
    X(B_UNION, "union", "record", 0)                                                               \
    X(B_POINTER, "pointer", "pointer", 0)

enum base { BASES(WORD_ID) BASE_COUNT };
extern const char *const base_name[BASE_COUNT], *const base_group[BASE_COUNT];
extern const int base_bits[BASE_COUNT];

enum { MADE_MOST = 6 };

struct type {
    enum base base;
    char made[MADE_MOST + 1]; /* outermost first: 'p'ointer to, 'a'rray of, 'f'unction returning */
    bool is_volatile, in_union;
    int bits; /* of a bit-field, else 0 */
};

/* What an expression yields, and where that stands. */
struct value {
    struct type type;
    const char *where; /* "element", "member"; NULL: a variable, or no object */
    const char *by;    /* what was done to get it; NULL: nothing */
    bool constant, negative;
    struct number number;
};

struct symbol {
    const struct token *name;
    struct type type;
    bool is_typedef, is_enumerator;
};

struct reading {
    struct tokens t;
    int at;
    int nesting; /* of the parser itself */
    int loops;   /* around what is read */
    bool header; /* of a for loop: it counts, as all do */
    int idle;    /* the token at which an expression begins whose value is not used */
    struct map *names;
    VEC(struct construct) list;
    VEC(struct symbol) symbols, members;
    struct type returns;
    const struct token *function; /* whose body is read; NULL: none */
};

enum { NESTING_MOST = 200 };

/* Note a construct. A name that is too long is cut. */
void reading_note(struct reading *r, enum strength s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A value becomes one of another type, by assignment, return, argument or cast. */
void note_conversion(struct reading *r, const struct value *from, const struct type *to);

/* -- types ------------------------------------------------------------------------------------- */

static inline bool is_record(const struct type *t)
{
    return !t->made[0] && (t->base == B_RECORD || t->base == B_UNION);
}

static inline enum base scalar(const struct type *t)
{
    return t->made[0] ? B_POINTER : t->base;
}

static inline struct type plain(enum base base)
{
    return (struct type){.base = base};
}

/* What is behind a pointer, in an array, or returned. */
static inline struct type inner(struct type t)
{
    if (!t.made[0])
        return (struct type){.base = B_UNKNOWN};
    memmove(t.made, t.made + 1, MADE_MOST);
    return t;
}

static inline struct type outer(struct type t, char made)
{
    memmove(t.made + 1, t.made, MADE_MOST - 1);
    t.made[0] = made;
    t.made[MADE_MOST] = '\0';
    t.bits = 0;
    return t;
}

static inline bool is_integer(enum base b)
{
    return b >= B_BOOL && b <= B_U128;
}

static inline bool is_float(enum base b)
{
    return b >= B_F32 && b <= B_F80;
}

static inline bool is_unsigned(enum base b)
{
    return b == B_BOOL || b == B_U8 || b == B_U16 || b == B_U32 || b == B_U64 || b == B_U128;
}

/* C11 6.3.1.1p2 and 6.3.1.8, as far as they matter here. */
static inline enum base promoted(enum base b)
{
    return is_integer(b) && base_bits[b] < 32 ? B_S32 : b;
}

static inline enum base common(enum base a, enum base b)
{
    a = promoted(a);
    b = promoted(b);
    if (a == B_POINTER || b == B_POINTER)
        return B_POINTER;
    return a > b ? a : b; /* the table is in the order of rank */
}

/* -- tokens ------------------------------------------------------------------------------------ */

static inline const struct token *peek(const struct reading *r, int ahead)
{
    static const struct token none = {TOKEN_MARK, "", 0};
    return r->at + ahead < r->t.n ? &r->t.at[r->at + ahead] : &none;
}

static inline bool here(const struct reading *r, const char *text)
{
    return token_is(peek(r, 0), text);
}

static inline bool accept(struct reading *r, const char *text)
{
    if (!here(r, text))
        return false;
    r->at++;
    return true;
}

static inline bool at_end(const struct reading *r)
{
    return r->at >= r->t.n;
}

/* The condition of a loop over what stands before `end`. A turn that took no token is not repeated:
 * the token is passed over. */
static inline bool more(struct reading *r, const char *end, int *before)
{
    r->at += r->at == *before;
    *before = r->at;
    return !at_end(r) && !here(r, end);
}

/* For whoever calls itself: true, and a token is passed over, where the text is nested too deep.
 * Else r->nesting goes down again at the end. */
static inline bool too_deep(struct reading *r)
{
    if (++r->nesting <= NESTING_MOST)
        return false;
    r->nesting--;
    r->at++;
    return true;
}

/* Behind the bracket that closes the one here. */
static inline void skip_brackets(struct reading *r)
{
    int depth = 0;
    do {
        depth += here(r, "(") || here(r, "[") || here(r, "{");
        depth -= here(r, ")") || here(r, "]") || here(r, "}");
        r->at++;
    } while (depth > 0 && !at_end(r));
}

static inline void skip_attributes(struct reading *r)
{
    while (accept(r, "__attribute__"))
        skip_brackets(r);
}

static inline bool same_name(const struct token *x, const struct token *y)
{
    return x->n == y->n && !memcmp(x->s, y->s, (size_t)x->n);
}

/* The last of this name; NULL: none. */
const struct symbol *symbol_find(const struct symbol *list, size_t n, const struct token *name);
const struct symbol *symbol_named(const struct reading *r, const struct token *name);

/* -- the parser -------------------------------------------------------------------------------- */

struct specifiers {
    struct type type;
    bool is_typedef, is_static, is_extern;
};

/* Does a declaration, or the name of a type, begin so far ahead? */
bool type_begins(const struct reading *r, int ahead);
struct specifiers read_specifiers(struct reading *r);
struct type read_declarator(struct reading *r, struct type type, const struct token **name);
/* One declaration, up to its semicolon; a parameter, up to its comma or parenthesis. */
void read_declaration(struct reading *r, bool members, bool local);
struct value read_assignment(struct reading *r); /* an expression without a comma */
void read_initialiser(struct reading *r, const struct type *type);
void read_statement(struct reading *r);

#endif
