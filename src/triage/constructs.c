/* What a program makes a compiler do.
 *
 * A reduced program that shows a fault has little left but what the fault needs: an operator with
 * operands of certain types, a conversion, a kind of statement, an access. Names, values and the
 * shape around it are accident. So the program is read by a small tolerant parser of C that knows
 * the types of its variables, and each thing done is noted at several depths: "shift", "shift of a
 * narrow unsigned", ">>". Two reductions of one fault then agree at some depth even where one has
 * `<` and the other `>=`, or a char and a short.
 *
 * The parser is no judge: it takes what it understands, skips what it does not, and always gets on
 * by at least one token. Scopes are kept, members are looked up by their name alone. For other
 * languages the constructs are the words that are no names, and pairs of neighbours. */
#include "base/strbuf.h"
#include "base/vec.h"
#include "triage/triage_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How much a construct says about the fault. What stands in nearly every program says little. */
#define STRENGTHS(X)                                                                               \
    X(CLASS, 3.0F)      /* the class of an operator: shift, compare */                             \
    X(TYPED, 3.0F)      /* with the kind of its operands */                                        \
    X(EXACT, 1.0F)      /* the very operator, the very type */                                     \
    X(CONVERSION, 2.0F) /* of a value to another type, by class */                                 \
    X(CONTROL, 3.0F)    /* statements that compilers rarely see here */                            \
    X(COMMON, 1.0F)     /* statements and accesses that many programs have */                      \
    X(ACCESS, 2.0F)     /* bit-fields, unions, volatile objects */                                 \
    X(DETAIL, 0.5F)     /* storage, types of declarations, kinds of operands */                    \
    X(NESTED, 0.0F)     /* what is done with what: for predictors (spectrum.c), not for likeness */

enum strength {
#define X(id, weight) id,
    STRENGTHS(X)
#undef X
};

static const float strength[] = {
#define X(id, weight) weight,
    STRENGTHS(X)
#undef X
};

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

enum base {
#define X(id, name, group, bits) id,
    BASES(X)
#undef X
};
static const char *const base_name[] = {
#define X(id, name, group, bits) name,
    BASES(X)
#undef X
};
static const char *const base_group[] = {
#define X(id, name, group, bits) group,
    BASES(X)
#undef X
};
static const int base_bits[] = {
#define X(id, name, group, bits) bits,
    BASES(X)
#undef X
};

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

uint32_t name_of_feature(struct map *names, const char *format, va_list args)
{
    char text[96];
    int n = vsnprintf(text, sizeof text, format, args);
    return intern(names, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

static void note(struct reading *r, enum strength s, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void note(struct reading *r, enum strength s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    uint32_t id = name_of_feature(r->names, format, args);
    va_end(args);
    vec_push(&r->list, (struct construct){id, strength[s] * (r->header ? 0.25F : 1)});
}

/* -- types ------------------------------------------------------------------------------------- */

static enum base scalar(const struct type *t)
{
    return t->made[0] ? B_POINTER : t->base;
}

static struct type plain(enum base base)
{
    return (struct type){.base = base};
}

/* What is behind a pointer, in an array, or returned. */
static struct type inner(struct type t)
{
    if (!t.made[0])
        return (struct type){.base = B_UNKNOWN};
    memmove(t.made, t.made + 1, MADE_MOST);
    return t;
}

static struct type outer(struct type t, char made)
{
    memmove(t.made + 1, t.made, MADE_MOST - 1);
    t.made[0] = made;
    t.made[MADE_MOST] = '\0';
    t.bits = 0;
    return t;
}

static bool is_integer(enum base b)
{
    return b >= B_BOOL && b <= B_U128;
}

static bool is_float(enum base b)
{
    return b >= B_F32 && b <= B_F80;
}

static bool is_unsigned(enum base b)
{
    return b == B_BOOL || b == B_U8 || b == B_U16 || b == B_U32 || b == B_U64 || b == B_U128;
}

/* C11 6.3.1.1p2 and 6.3.1.8, as far as they matter here. */
static enum base promoted(enum base b)
{
    return is_integer(b) && base_bits[b] < 32 ? B_S32 : b;
}

static enum base common(enum base a, enum base b)
{
    a = promoted(a);
    b = promoted(b);
    if (a == B_POINTER || b == B_POINTER)
        return B_POINTER;
    return a > b ? a : b; /* the table is in the order of rank */
}

/* A value becomes one of another type, by assignment, return, argument or cast. */
static void convert(struct reading *r, const struct value *from, const struct type *to)
{
    enum base s = scalar(&from->type), d = scalar(to);
    if (from->constant || s == d || s == B_UNKNOWN || d == B_UNKNOWN || d == B_VOID)
        return;
    const char *class = is_float(s) && is_float(d)         ? "between floats"
                        : is_float(s) && d != B_BOOL       ? "float to integer"
                        : is_float(d)                      ? "integer to float"
                        : d == B_BOOL                      ? "to bool"
                        : !is_integer(s) || !is_integer(d) ? "of another kind"
                        : base_bits[d] < base_bits[s]      ? "to a narrower"
                        : base_bits[d] == base_bits[s]     ? "of the sign"
                        : is_unsigned(s)                   ? "to a wider, unsigned"
                                                           : "to a wider, signed";
    bool rare = is_float(s) || is_float(d) || d == B_BOOL;
    note(r, rare ? CLASS : CONVERSION, "conversion %s", class);
    note(r, EXACT, "conversion %s > %s", base_group[s], base_group[d]);
}

/* -- tokens ------------------------------------------------------------------------------------ */

static const struct token *peek(const struct reading *r, int ahead)
{
    static const struct token none = {TOKEN_MARK, "", 0};
    return r->at + ahead < r->t.n ? &r->t.at[r->at + ahead] : &none;
}

static bool here(const struct reading *r, const char *text)
{
    return token_is(peek(r, 0), text);
}

static bool accept(struct reading *r, const char *text)
{
    if (!here(r, text))
        return false;
    r->at++;
    return true;
}

static bool at_end(const struct reading *r)
{
    return r->at >= r->t.n;
}

/* Behind the bracket that closes the one here. */
static void skip_brackets(struct reading *r)
{
    int depth = 0;
    do {
        depth += here(r, "(") || here(r, "[") || here(r, "{");
        depth -= here(r, ")") || here(r, "]") || here(r, "}");
        r->at++;
    } while (depth > 0 && !at_end(r));
}

static const struct symbol *find(const struct symbol *list, size_t n, const struct token *name)
{
    for (size_t i = n; i-- > 0;)
        if (list[i].name->n == name->n && !memcmp(list[i].name->s, name->s, (size_t)name->n))
            return &list[i];
    return NULL;
}

static const struct symbol *named(const struct reading *r, const struct token *name)
{
    return find(r->symbols.at, r->symbols.n, name);
}

/* -- declarations ------------------------------------------------------------------------------ */

static struct value expression(struct reading *r);
static struct value assignment(struct reading *r);
static void initialiser(struct reading *r, const struct type *type);
static bool declaration(struct reading *r, bool members, bool local);

static const char *const specifier_words[] = {
    "static",   "extern",    "const",         "volatile",   "inline",   "register",      "restrict",
    "typedef",  "auto",      "signed",        "unsigned",   "char",     "short",         "int",
    "long",     "float",     "double",        "void",       "_Bool",    "bool",          "struct",
    "union",    "enum",      "__int128",      "_Alignas",   "_Complex", "__attribute__", "_Atomic",
    "__inline", "_Noreturn", "_Thread_local", "__restrict",
};

static const struct {
    const char *name;
    enum base base;
} known_types[] = {{"int8_t", B_S8},   {"uint8_t", B_U8},   {"int16_t", B_S16}, {"uint16_t", B_U16},
                   {"int32_t", B_S32}, {"uint32_t", B_U32}, {"int64_t", B_S64}, {"uint64_t", B_U64},
                   {"size_t", B_U64},  {"ssize_t", B_S64}};

static bool known_type(const struct token *t, enum base *base)
{
    for (size_t i = 0; i < sizeof known_types / sizeof *known_types; i++)
        if (token_is(t, known_types[i].name)) {
            *base = known_types[i].base;
            return true;
        }
    return false;
}

static bool type_begins(const struct reading *r, int ahead)
{
    const struct token *t = peek(r, ahead);
    enum base base;
    if (t->kind != TOKEN_NAME)
        return false;
    for (size_t i = 0; i < sizeof specifier_words / sizeof *specifier_words; i++)
        if (token_is(t, specifier_words[i]))
            return true;
    const struct symbol *s = named(r, t);
    return (s && s->is_typedef) || (!s && known_type(t, &base));
}

/* Each is a symbol with a type that nothing else has: an int that is a name. */
static void enumerators(struct reading *r)
{
    r->at++;
    while (!at_end(r) && !here(r, "}")) {
        int before = r->at;
        if (peek(r, 0)->kind == TOKEN_NAME) {
            const struct token *name = peek(r, 0);
            r->at++;
            if (here(r, "="))
                note(r, NESTED, "enumerator with a value");
            if (accept(r, "="))
                assignment(r);
            vec_push(&r->symbols, (struct symbol){name, plain(B_S32), .is_enumerator = true});
        }
        accept(r, ",");
        r->at += r->at == before;
    }
    accept(r, "}");
}

/* struct, union or enum, with or without a list. */
static struct type record(struct reading *r)
{
    bool is_union = here(r, "union"), is_enum = here(r, "enum");
    r->at++;
    while (here(r, "__attribute__")) {
        r->at++;
        skip_brackets(r);
    }
    r->at += peek(r, 0)->kind == TOKEN_NAME; /* the tag */
    if (is_enum) {
        if (here(r, "{"))
            enumerators(r);
        note(r, DETAIL, "enum");
        return plain(B_S32);
    }
    if (is_union)
        note(r, ACCESS, "union");
    if (accept(r, "{")) {
        size_t first = r->members.n;
        while (!at_end(r) && !here(r, "}")) {
            int before = r->at;
            declaration(r, true, false);
            r->at += r->at == before;
        }
        accept(r, "}");
        for (size_t i = first; is_union && i < r->members.n; i++)
            r->members.at[i].type.in_union = true;
    }
    return plain(is_union ? B_UNION : B_RECORD);
}

struct specifiers {
    struct type type;
    bool is_typedef, is_static, is_extern;
};

/* The words of an integer type, in any order (C11 6.7.2p2). */
struct integer_words {
    int is_unsigned, is_signed, is_char, is_short, is_int, is_wide, longs;
};

static bool any_integer(const struct integer_words *w)
{
    return w->is_unsigned || w->is_signed || w->is_char || w->is_short || w->is_int || w->is_wide ||
           w->longs;
}

static enum base integer_base(const struct integer_words *w)
{
    bool u = w->is_unsigned;
    return w->is_wide    ? u ? B_U128 : B_S128
           : w->is_char  ? u ? B_U8 : B_S8
           : w->is_short ? u ? B_U16 : B_S16
           : w->longs    ? u ? B_U64 : B_S64
                         : (u ? B_U32 : B_S32);
}

static void plain_word(struct reading *r, struct integer_words *w, struct specifiers *out)
{
    w->is_unsigned += here(r, "unsigned");
    w->is_signed += here(r, "signed");
    w->is_char += here(r, "char");
    w->is_short += here(r, "short");
    w->is_int += here(r, "int");
    w->is_wide += here(r, "__int128");
    w->longs += here(r, "long");
    if (here(r, "float"))
        out->type.base = B_F32;
    if (here(r, "double"))
        out->type.base = w->longs ? B_F80 : B_F64;
    if (here(r, "void"))
        out->type.base = B_VOID;
    if (here(r, "_Bool") || here(r, "bool"))
        out->type.base = B_BOOL;
    if (here(r, "volatile")) {
        out->type.is_volatile = true;
        note(r, ACCESS, "volatile");
    }
    out->is_typedef |= here(r, "typedef");
    out->is_static |= here(r, "static");
    out->is_extern |= here(r, "extern");
    r->at++;
}

static struct specifiers specifiers(struct reading *r)
{
    struct specifiers out = {.type = plain(B_UNKNOWN)};
    struct integer_words words = {0};
    while (type_begins(r, 0)) {
        const struct token *t = peek(r, 0);
        const struct symbol *s = named(r, t);
        enum base base = B_UNKNOWN;
        bool named_type = (s && s->is_typedef) || known_type(t, &base);
        if (named_type && (any_integer(&words) || out.type.base != B_UNKNOWN))
            break; /* there is a type already: it is the name that is declared */
        if (here(r, "struct") || here(r, "union") || here(r, "enum") || named_type) {
            bool is_volatile = out.type.is_volatile;
            out.type = !named_type ? record(r) : s && s->is_typedef ? s->type : plain(base);
            out.type.is_volatile |= is_volatile;
            r->at += named_type;
        } else if (here(r, "__attribute__") || here(r, "_Alignas")) {
            note(r, COMMON, "%.*s", t->n, t->s);
            r->at++;
            skip_brackets(r);
        } else {
            plain_word(r, &words, &out);
        }
    }
    if (out.type.base == B_UNKNOWN && any_integer(&words))
        out.type.base = integer_base(&words);
    return out;
}

/* Parameters become symbols: those of a function that is defined are needed in its body. */
static int parameters(struct reading *r)
{
    int n = 0;
    while (!at_end(r) && !here(r, ")")) {
        int before = r->at;
        if (type_begins(r, 0)) {
            bool is_void = here(r, "void") && token_is(peek(r, 1), ")");
            declaration(r, false, true);
            n += !is_void;
        }
        r->at += r->at == before;
        accept(r, ",");
    }
    accept(r, ")");
    return n;
}

/* Pointers first, then what stands behind the name, and a declarator in parentheses around both. */
static struct type declarator(struct reading *r, struct type type, const struct token **name)
{
    while (here(r, "*") || here(r, "const") || here(r, "volatile") || here(r, "restrict") ||
           here(r, "__restrict")) {
        bool pointer = here(r, "*");
        if (pointer)
            type = outer(type, 'p');
        else if (here(r, "volatile"))
            note(r, ACCESS, "volatile pointer");
        r->at++;
    }
    int nested = -1;
    if (here(r, "(") && (token_is(peek(r, 1), "*") || token_is(peek(r, 1), "("))) {
        nested = r->at + 1;
        skip_brackets(r);
    } else if (peek(r, 0)->kind == TOKEN_NAME && !type_begins(r, 0)) {
        *name = peek(r, 0);
        r->at++;
    } else if (peek(r, 0)->kind == TOKEN_NAME) { /* a typedef's name, declared again */
        r->at++;
    }
    char suffixes[MADE_MOST];
    int n = 0;
    while (here(r, "[") || here(r, "(")) {
        bool array = accept(r, "[");
        if (n < MADE_MOST)
            suffixes[n++] = array ? 'a' : 'f';
        if (array) {
            while (!at_end(r) && !here(r, "]"))
                r->at++;
            accept(r, "]");
        } else {
            r->at++;
            int count = parameters(r);
            if (count > 6)
                note(r, TYPED, "more than six parameters");
        }
    }
    while (n > 0)
        type = outer(type, suffixes[--n]);
    if (nested >= 0) {
        int behind = r->at;
        r->at = nested;
        if (++r->nesting < NESTING_MOST)
            type = declarator(r, type, name);
        r->nesting--;
        r->at = behind;
    }
    return type;
}

static void note_declared(struct reading *r, const struct specifiers *s, const struct type *type,
                          bool member, bool local)
{
    int dimensions = (int)strspn(type->made, "a");
    if (type->made[0] == 'f')
        note(r, DETAIL, "function of %s", base_group[type->base]);
    else if (dimensions)
        note(r, DETAIL, "array of %s", base_group[type->base]);
    else if (type->made[0] == 'p')
        note(r, DETAIL, "pointer to %s", base_group[type->base]);
    else
        note(r, type->base == B_BOOL || is_float(type->base) ? ACCESS : DETAIL, "%s %s",
             base_name[type->base], member ? "member" : "variable");
    if (dimensions > 1)
        note(r, TYPED, "array of arrays");
    if (strspn(type->made, "p") > 1)
        note(r, COMMON, "pointer to pointer");
    if (s->is_static && local)
        note(r, CONTROL, "static local");
    if (s->is_extern)
        note(r, DETAIL, "extern");
}

static void statement(struct reading *r);

static void body(struct reading *r, const struct token *name, struct type function)
{
    r->function = name;
    r->returns = inner(function);
    statement(r);
    r->function = NULL;
}

/* One declaration, up to its semicolon; a parameter, up to its comma or parenthesis. Returns
 * whether it was the definition of a function. */
static bool declaration(struct reading *r, bool members, bool local)
{
    if (++r->nesting > NESTING_MOST) {
        r->nesting--;
        r->at++;
        return false;
    }
    bool defined = false;
    struct specifiers s = specifiers(r);
    do {
        const struct token *name = NULL;
        size_t scope = r->symbols.n;
        struct type type = declarator(r, s.type, &name);
        if (members && accept(r, ":")) {
            struct value width = assignment(r);
            type.bits = (int)(width.number.value & 127);
            note(r, ACCESS, "%s bit-field", is_unsigned(type.base) ? "unsigned" : "signed");
            note(r, DETAIL, "bit-field %s", type.bits < 8 ? "short" : "long");
        }
        /* Parameters of what is only declared are forgotten, but stay while a body is read. */
        bool has_body = here(r, "{") && type.made[0] == 'f' && name && !members;
        if (!has_body)
            r->symbols.n = scope;
        if (name && members)
            vec_push(&r->members, (struct symbol){name, type, false, false});
        bool frame = name && (token_is(name, "printf") || token_is(name, "main"));
        if (name && !frame && !s.is_typedef)
            note_declared(r, &s, &type, members, local);
        if (has_body) {
            /* Seen from its own body, the function is a symbol behind its parameters. */
            vec_push(&r->symbols, (struct symbol){name, type, false, false});
            body(r, name, type);
            r->symbols.n = scope;
            defined = true;
        }
        if (name && !members)
            vec_push(&r->symbols, (struct symbol){name, type, s.is_typedef, false});
        if (here(r, "__attribute__")) {
            r->at++;
            skip_brackets(r);
        }
        if (accept(r, "="))
            initialiser(r, &type);
    } while (!defined && !(local && here(r, ",") && type_begins(r, 1)) && accept(r, ","));
    r->nesting--;
    if (!defined)
        accept(r, ";");
    return defined;
}

/* -- expressions ------------------------------------------------------------------------------- */

static struct value of_type(enum base base)
{
    return (struct value){.type = plain(base)};
}

static void initialiser(struct reading *r, const struct type *type)
{
    if (!here(r, "{")) {
        struct value v = assignment(r);
        convert(r, &v, type);
        if (!type->made[0] && (type->base == B_RECORD || type->base == B_UNION))
            note(r, TYPED, "copy of a record");
        return;
    }
    r->at++;
    int lists = 0;
    if (++r->nesting < NESTING_MOST)
        while (!at_end(r) && !here(r, "}")) {
            int before = r->at;
            if (accept(r, ".")) {
                note(r, COMMON, "designated initialiser");
                r->at++;
                accept(r, "=");
            } else if (accept(r, "[")) {
                note(r, COMMON, "designated initialiser");
                expression(r);
                accept(r, "]");
                accept(r, "=");
            }
            struct type element = type->made[0] == 'a' ? inner(*type) : plain(B_UNKNOWN);
            lists += here(r, "{");
            initialiser(r, &element);
            accept(r, ",");
            r->at += r->at == before;
        }
    r->nesting--;
    accept(r, "}");
    if (lists)
        note(r, NESTED, "list of %s", lists > 1 ? "several lists" : "one list");
}

/* An access to an object that is more than a variable. */
static void note_access(struct reading *r, const struct type *t)
{
    if (t->bits)
        note(r, ACCESS, "access to a bit-field");
    if (t->in_union)
        note(r, ACCESS, "access to a union");
    if (t->is_volatile && !t->made[0])
        note(r, ACCESS, "access to a volatile");
}

/* An operation on the result of another one. */
static void note_nested(struct reading *r, const char *class, const struct value *operand)
{
    if (!operand->by)
        return;
    note(r, NESTED, "%s of an operation", class);
    note(r, NESTED, "%s of %s", class, operand->by);
}

static struct value made_by(struct value v, const char *by)
{
    v.by = by;
    return v;
}

static struct value call(struct reading *r, struct value f, const struct token *name)
{
    bool print = name && token_is(name, "printf");
    int n = 0;
    while (!at_end(r) && !here(r, ")")) {
        int before = r->at;
        struct value v = assignment(r);
        if (!print)
            note_nested(r, "argument", &v);
        if (!print && !v.type.made[0] && (v.type.base == B_RECORD || v.type.base == B_UNION))
            note(r, TYPED, "record as argument");
        n++;
        accept(r, ",");
        r->at += r->at == before;
    }
    accept(r, ")");
    if (print)
        return of_type(B_S32);
    if (name && r->function && name->n == r->function->n &&
        !memcmp(name->s, r->function->s, (size_t)name->n))
        note(r, CONTROL, "recursion");
    const struct symbol *s = name ? named(r, name) : NULL;
    if (name && !s)
        note(r, CONTROL, "call of %.*s", name->n, name->s);
    else
        note(r, COMMON, "call");
    if (!name || (s && s->type.made[0] == 'p'))
        note(r, CONTROL, "call through a pointer");
    if (n > 6)
        note(r, TYPED, "more than six arguments");
    struct type t = f.type.made[0] == 'p' ? inner(f.type) : f.type;
    return (struct value){.type = t.made[0] == 'f' ? inner(t) : plain(B_UNKNOWN), .by = "call"};
}

static struct value primary(struct reading *r, const struct token **name)
{
    const struct token *t = peek(r, 0);
    if (t->kind == TOKEN_NUMBER) {
        struct value v = {.constant = true, .number = number_of(t)};
        const struct number *n = &v.number;
        bool large = n->longs || n->value > (n->is_unsigned ? UINT32_MAX : INT32_MAX);
        v.type = plain(n->floating ? B_F64
                       : large     ? n->is_unsigned ? B_U64 : B_S64
                                   : (n->is_unsigned ? B_U32 : B_S32));
        r->at++;
        return v;
    }
    if (t->kind == TOKEN_TEXT) {
        r->at++;
        if (*t->s == '\'')
            return (struct value){.constant = true, .type = plain(B_S32), .number = {.value = 65}};
        return (struct value){.type = outer(plain(B_S8), 'a')};
    }
    if (accept(r, "(")) {
        if (here(r, "{")) { /* a statement expression */
            note(r, CONTROL, "statement expression");
            statement(r);
            accept(r, ")");
            return of_type(B_UNKNOWN);
        }
        struct value v = expression(r);
        accept(r, ")");
        return v;
    }
    if (t->kind == TOKEN_NAME) {
        r->at++;
        *name = t;
        const struct symbol *s = named(r, t);
        struct value v = {.type = s ? s->type : plain(B_UNKNOWN)};
        if (s && !here(r, "["))
            note_access(r, &s->type);
        if (s && s->is_enumerator)
            note(r, NESTED, "enumerator as a value");
        return v;
    }
    r->at += !here(r, ")") && !here(r, "]") && !here(r, "}") && !here(r, ";") && !here(r, ",");
    return of_type(B_UNKNOWN);
}

static void note_unary(struct reading *r, const char *class, const char *exact,
                       const struct value *v)
{
    enum base b = scalar(&v->type);
    bool dull = b == B_S32 && !strcmp(class, "increment");
    note(r, dull ? COMMON : CLASS, "%s", class);
    note(r, dull ? COMMON : TYPED, "%s of %s", class, base_group[b]);
    note(r, dull ? DETAIL : EXACT, "%s", exact);
    if (v->where && !strcmp(class, "increment"))
        note(r, ACCESS, "increment of %s", v->where);
    note_nested(r, exact, v);
}

static struct value element(struct reading *r, struct value v)
{
    struct value index = expression(r);
    accept(r, "]");
    note(r, COMMON, "element");
    note_nested(r, "index", &index);
    if (!index.constant)
        note(r, COMMON, "element by a variable");
    struct value out = {.type = inner(v.type), .where = "element"};
    if (out.type.made[0] == 'a')
        note(r, COMMON, "element of an element");
    else
        note_access(r, &out.type);
    return out;
}

/* What changes an object does so wherever it stands; most often its value is not asked for. */
static void note_used(struct reading *r, const char *what, int begin)
{
    if (begin != r->idle)
        note(r, NESTED, "%s as a value", what);
}

static struct value postfix(struct reading *r)
{
    const struct token *name = NULL;
    int begin = r->at;
    struct value v = primary(r, &name);
    for (;;) {
        if (accept(r, "[")) {
            v = element(r, v);
        } else if (accept(r, "(")) {
            v = call(r, v, name);
        } else if (here(r, ".") || here(r, "->")) {
            bool arrow = here(r, "->");
            r->at++;
            const struct symbol *m = find(r->members.at, r->members.n, peek(r, 0));
            r->at++;
            note(r, COMMON, "member");
            if (arrow)
                note(r, DETAIL, "->");
            v = (struct value){.type = m ? m->type : plain(B_UNKNOWN), .where = "member"};
            if (m)
                note_access(r, &m->type);
        } else if (here(r, "++") || here(r, "--")) {
            note_unary(r, "increment", "postfix", &v);
            note_used(r, "increment", begin);
            v.by = "increment";
            r->at++;
        } else {
            return v;
        }
        name = NULL;
    }
}

static struct value unary(struct reading *r);

static struct value cast(struct reading *r)
{
    struct specifiers s = specifiers(r);
    const struct token *name = NULL;
    struct type type = declarator(r, s.type, &name);
    accept(r, ")");
    if (here(r, "{")) {
        note(r, CONTROL, "compound literal");
        initialiser(r, &type);
        return (struct value){.type = type};
    }
    struct value v = unary(r);
    note(r, DETAIL, "cast");
    note_nested(r, "cast", &v);
    convert(r, &v, &type);
    v.type = type;
    return made_by(v, "cast");
}

/* The prefix operators. An operator that has another word for itself is noted by that. */
static struct value prefix(struct reading *r)
{
    const struct token *op = peek(r, 0);
    int begin = r->at++;
    struct value v = unary(r);
    switch (*op->s) {
    case '-':
    case '+':
        if (op->n == 2) {
            note_unary(r, "increment", "prefix", &v);
            note_used(r, "increment", begin);
            note_used(r, "prefix increment", begin);
            return made_by(v, "increment");
        }
        v.negative = *op->s == '-';
        if (v.constant)
            return v;
        /* fallthrough */
    case '~':
        note_unary(r, "negation", *op->s == '~' ? "complement" : "minus", &v);
        return made_by(of_type(promoted(scalar(&v.type))), "negation");
    case '!':
        note_unary(r, "logic", "not", &v);
        return made_by(of_type(B_S32), "not");
    case '*':
        note(r, COMMON, "dereference");
        v.type = inner(v.type);
        v.where = "dereference";
        note_access(r, &v.type);
        return v;
    default:
        note(r, DETAIL, "address");
        v.type = outer(v.type, 'p');
        v.constant = false;
        return v;
    }
}

static struct value unary(struct reading *r)
{
    if (++r->nesting > NESTING_MOST) {
        r->nesting--;
        r->at++;
        return of_type(B_UNKNOWN);
    }
    struct value v;
    const struct token *t = peek(r, 0);
    if (token_is(t, "(") && type_begins(r, 1)) {
        r->at++;
        v = cast(r);
    } else if (token_is(t, "sizeof") || token_is(t, "_Alignof")) {
        r->at++;
        note(r, COMMON, "sizeof");
        if (here(r, "(") && type_begins(r, 1)) {
            note(r, NESTED, "sizeof %.*s", peek(r, 1)->n, peek(r, 1)->s);
            skip_brackets(r);
        } else {
            unary(r);
        }
        v = made_by(of_type(B_U64), "sizeof");
    } else if (t->kind == TOKEN_MARK && t->n == 1 && strchr("-+~!*&", *t->s)) {
        v = prefix(r);
    } else if (token_is(t, "++") || token_is(t, "--")) {
        v = prefix(r);
    } else {
        v = postfix(r);
    }
    r->nesting--;
    return v;
}

#define OPERATORS(X)                                                                               \
    X("*", 10, "multiplication")                                                                   \
    X("/", 10, "division")                                                                         \
    X("%", 10, "remainder")                                                                        \
    X("+", 9, "addition")                                                                          \
    X("-", 9, "addition")                                                                          \
    X("<<", 8, "shift left")                                                                       \
    X(">>", 8, "shift right")                                                                      \
    X("<", 7, "comparison")                                                                        \
    X(">", 7, "comparison")                                                                        \
    X("<=", 7, "comparison")                                                                       \
    X(">=", 7, "comparison")                                                                       \
    X("==", 6, "equality")                                                                         \
    X("!=", 6, "equality")                                                                         \
    X("&", 5, "bits")                                                                              \
    X("^", 4, "bits")                                                                              \
    X("|", 3, "bits")                                                                              \
    X("&&", 2, "logic")                                                                            \
    X("||", 1, "logic")

static const struct operator
{
    const char *text;
    int precedence;
    const char *class;
}
operators[] = {
#define X(text, precedence, class) {text, precedence, class},
    OPERATORS(X)
#undef X
};

static const struct operator* operator_here(const struct reading *r, bool assigns)
{
    const struct token *t = peek(r, 0);
    int n = t->n - assigns;
    if (t->kind != TOKEN_MARK || (assigns && (t->n < 2 || t->s[n] != '=')))
        return NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if ((int)strlen(operators[i].text) == n && !memcmp(operators[i].text, t->s, (size_t)n) &&
            !(assigns && operators[i].precedence < 8 && operators[i].precedence > 5))
            return &operators[i];
    return NULL;
}

static struct value note_binary(struct reading *r, const struct operator* op, const struct value *x,
                                const struct value *y)
{
    enum base a = scalar(&x->type), b = scalar(&y->type);
    bool shift = op->precedence == 8;
    enum base all = shift ? promoted(a) : common(a, b);
    bool truth = op->precedence <= 2 || op->precedence == 6 || op->precedence == 7;
    bool dull = all == B_S32 && (truth ? op->precedence > 2 : op->precedence == 9);
    note(r, dull ? COMMON : CLASS, "%s", op->class);
    if (op->precedence > 2)
        note(r, dull ? COMMON : TYPED, "%s in %s", op->class, base_group[all]);
    if (!x->constant && a != all && a != B_UNKNOWN)
        note(r, TYPED, "%s of %s", op->class, base_group[a]);
    if (!y->constant && b != all && b != B_UNKNOWN && !shift)
        note(r, TYPED, "%s of %s", op->class, base_group[b]);
    note(r, EXACT, "%s", op->text);
    if (y->constant || x->constant)
        note(r, DETAIL, "%s with a constant", op->class);
    struct value v = of_type(truth ? B_S32 : all);
    if (all == B_POINTER && !truth)
        v.type = x->type.made[0] ? x->type : y->type;
    if (all == B_POINTER && a == b && !truth)
        v.type = plain(B_S64);
    v.constant = x->constant && y->constant;
    note_nested(r, op->class, x);
    note_nested(r, op->class, y);
    return made_by(v, op->class);
}

static struct value binary(struct reading *r, int least)
{
    struct value x = unary(r);
    const struct operator* op;
    while ((op = operator_here(r, false)) && op->precedence >= least) {
        r->at++;
        struct value y = ++r->nesting < NESTING_MOST ? binary(r, op->precedence + 1) : unary(r);
        r->nesting--;
        x = note_binary(r, op, &x, &y);
    }
    return x;
}

static struct value conditional(struct reading *r)
{
    struct value c = binary(r, 1);
    if (!accept(r, "?"))
        return c;
    note(r, CONTROL, "conditional");
    struct value x = expression(r);
    accept(r, ":");
    struct value y = ++r->nesting < NESTING_MOST ? conditional(r) : of_type(B_UNKNOWN);
    r->nesting--;
    enum base a = scalar(&x.type), b = scalar(&y.type);
    struct value v = of_type(common(a, b));
    note(r, TYPED, "conditional in %s", base_group[v.type.base]);
    if (a != b)
        note(r, TYPED, "conditional with different types");
    if (x.type.made[0] || x.type.base == B_RECORD)
        v.type = x.type;
    note_nested(r, "condition", &c);
    note_nested(r, "conditional", &x);
    note_nested(r, "conditional", &y);
    return made_by(v, "conditional");
}

static struct value assignment(struct reading *r)
{
    if (++r->nesting > NESTING_MOST) {
        r->nesting--;
        r->at++;
        return of_type(B_UNKNOWN);
    }
    int begin = r->at;
    struct value x = conditional(r);
    const struct operator* op = operator_here(r, true);
    if (op || here(r, "="))
        note_used(r, "assignment", begin);
    if (op) {
        r->at++;
        struct value y = assignment(r);
        note(r, COMMON, "assignment by an operator");
        note(r, ACCESS, "assignment to %s by %s", x.where ? x.where : "variable", op->class);
        note_nested(r, "assignment by an operator", &y);
        struct value v = note_binary(r, op, &x, &y);
        convert(r, &v, &x.type);
    } else if (accept(r, "=")) {
        struct value y = assignment(r);
        note(r, DETAIL, "assignment");
        note_nested(r, "assignment", &y);
        if (!x.type.made[0] && (x.type.base == B_RECORD || x.type.base == B_UNION))
            note(r, TYPED, "copy of a record");
        convert(r, &y, &x.type);
        x.constant = false;
    }
    r->nesting--;
    return x;
}

static struct value expression(struct reading *r)
{
    struct value v = assignment(r);
    while (accept(r, ",")) {
        note(r, CONTROL, "comma");
        v = assignment(r);
    }
    return v;
}

/* For what it does. */
static void idle_expression(struct reading *r)
{
    r->idle = r->at;
    expression(r);
}

/* -- statements -------------------------------------------------------------------------------- */

static void block(struct reading *r)
{
    size_t scope = r->symbols.n;
    while (!at_end(r) && !here(r, "}")) {
        int before = r->at;
        statement(r);
        r->at += r->at == before;
    }
    accept(r, "}");
    r->symbols.n = scope;
}

static void loop(struct reading *r, const char *kind)
{
    note(r, COMMON, "loop");
    note(r, EXACT, "%s loop", kind);
    if (r->loops++)
        note(r, COMMON, "loop in a loop");
    statement(r);
    r->loops--;
}

static void for_loop(struct reading *r)
{
    size_t scope = r->symbols.n;
    r->header = true;
    accept(r, "(");
    if (type_begins(r, 0)) {
        declaration(r, false, true);
    } else {
        if (!here(r, ";"))
            idle_expression(r);
        accept(r, ";");
    }
    if (!here(r, ";"))
        expression(r);
    accept(r, ";");
    if (!here(r, ")"))
        idle_expression(r);
    accept(r, ")");
    r->header = false;
    loop(r, "for");
    r->symbols.n = scope;
}

static void condition(struct reading *r)
{
    accept(r, "(");
    expression(r);
    accept(r, ")");
}

/* The statements that begin with a word of their own. */
static bool keyword_statement(struct reading *r)
{
    if (accept(r, "if")) {
        condition(r);
        note(r, DETAIL, "if");
        statement(r);
        if (accept(r, "else")) {
            note(r, COMMON, "else");
            statement(r);
        }
    } else if (accept(r, "for")) {
        for_loop(r);
    } else if (accept(r, "while")) {
        condition(r);
        loop(r, "while");
    } else if (accept(r, "do")) {
        note(r, CONTROL, "do");
        loop(r, "do");
        accept(r, "while");
        condition(r);
        accept(r, ";");
    } else if (accept(r, "switch")) {
        note(r, CONTROL, "switch");
        note(r, CONTROL, "switch statement");
        condition(r);
        statement(r);
    } else if (accept(r, "case")) {
        struct value v = conditional(r);
        if (v.negative)
            note(r, COMMON, "negative case");
        accept(r, ":");
    } else if (here(r, "default") || here(r, "break")) {
        note(r, DETAIL, "%.*s", peek(r, 0)->n, peek(r, 0)->s);
        r->at += 2;
    } else if (accept(r, "continue")) {
        note(r, CONTROL, "continue");
        accept(r, ";");
    } else if (accept(r, "goto")) {
        note(r, CONTROL, "goto");
        note(r, CONTROL, "jump");
        r->at++;
        accept(r, ";");
    } else if (accept(r, "return")) {
        if (!here(r, ";")) {
            struct value v = expression(r);
            convert(r, &v, &r->returns);
            if (!r->returns.made[0] && r->returns.base == B_RECORD)
                note(r, TYPED, "record as result");
        }
        accept(r, ";");
    } else {
        return false;
    }
    return true;
}

static void statement(struct reading *r)
{
    if (++r->nesting > NESTING_MOST) {
        r->nesting--;
        r->at++;
        return;
    }
    if (accept(r, "{")) {
        block(r);
    } else if (accept(r, ";") || keyword_statement(r)) {
        /* done */
    } else if (peek(r, 0)->kind == TOKEN_NAME && token_is(peek(r, 1), ":")) {
        r->at += 2;
    } else if (type_begins(r, 0)) {
        declaration(r, false, true);
    } else {
        idle_expression(r);
        accept(r, ";");
    }
    r->nesting--;
}

static void read_c(struct reading *r)
{
    while (!at_end(r)) {
        int before = r->at;
        if (type_begins(r, 0) || peek(r, 0)->kind == TOKEN_NAME)
            declaration(r, false, false);
        r->at += r->at == before;
    }
}

/* -- other languages --------------------------------------------------------------------------- */

/* Words that every program of its language has: tables are made, something is printed. */
static const char *const dull_words[] = {
    "create", "table",     "insert",      "into",          "values",    "select",
    "from",   "int",       "local",       "print",         "return",    "end",
    "then",   "do",        "function",    "assert",        "let",       "=",
    "define", "check-sat", "declare-fun", "declare-const", "set-logic", "exit",
};

static bool is_dull(const char *word)
{
    for (size_t i = 0; i < sizeof dull_words / sizeof *dull_words; i++)
        if (!strcmp(word, dull_words[i]))
            return true;
    return false;
}

static void read_words(struct reading *r, struct arena *a)
{
    struct words s = words_of(r->names, a, r->t);
    for (int i = 0; i < s.n; i++) {
        const char *word = intern_text(r->names, s.at[i]);
        if (!strncmp(word, "a ", 2) || !strncmp(word, "N ", 2) || strchr("(),;.", *word))
            continue;
        bool dull = is_dull(word);
        note(r, dull ? DETAIL : CLASS, "%.40s", word);
        if (i + 1 < s.n)
            note(r, dull ? DETAIL : EXACT, "%.40s %.40s", word, intern_text(r->names, s.at[i + 1]));
    }
}

static int by_id(const void *x, const void *y)
{
    const struct construct *a = x, *b = y;
    return (a->id > b->id) - (a->id < b->id);
}

struct constructs constructs_of(struct map *names, struct arena *a, const char *language,
                                struct tokens t)
{
    struct reading r = {.t = t, .names = names};
    if (language_is_c(language))
        read_c(&r);
    else
        read_words(&r, a);
    if (r.list.n)
        qsort(r.list.at, r.list.n, sizeof *r.list.at, by_id);
    struct constructs out = {arena_array(a, struct construct, r.list.n + 1), 0, 0};
    for (size_t i = 0; i < r.list.n; i++) {
        if (!out.n || out.at[out.n - 1].id != r.list.at[i].id)
            out.at[out.n++] = r.list.at[i];
        else if (out.at[out.n - 1].weight < r.list.at[i].weight)
            out.at[out.n - 1].weight = r.list.at[i].weight;
    }
    for (int i = 0; i < out.n; i++)
        out.weight += out.at[i].weight;
    vec_release(&r.list);
    vec_release(&r.symbols);
    vec_release(&r.members);
    return out;
}
