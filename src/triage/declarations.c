/* Types and declarations of C, for constructs.c. */
#include "triage/reading.h"

const char *const base_name[BASE_COUNT] = {BASES(WORD_NAME)};
#define GROUP(id, name, group, bits) group,
const char *const base_group[BASE_COUNT] = {BASES(GROUP)};
#define BITS(id, name, group, bits) bits,
const int base_bits[BASE_COUNT] = {BASES(BITS)};

static const float strength[] = {
    [CLASS] = 3,      /* the class of an operator: shift, compare */
    [TYPED] = 3,      /* with the kind of its operands */
    [EXACT] = 1,      /* the very operator, the very type */
    [CONVERSION] = 2, /* of a value to another type, by class */
    [CONTROL] = 3,    /* statements that compilers rarely see here */
    [COMMON] = 1,     /* statements and accesses that many programs have */
    [ACCESS] = 2,     /* bit-fields, unions, volatile objects */
    [DETAIL] = 0.5F,  /* storage, types of declarations, kinds of operands */
    [NESTED] = 0,     /* what is done with what: for predictors (spectrum.c), not for likeness */
};

uint32_t name_of_feature(struct map *names, const char *format, va_list args)
{
    char text[96];
    int n = vsnprintf(text, sizeof text, format, args);
    return intern(names, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

void reading_note(struct reading *r, enum strength s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    uint32_t id = name_of_feature(r->names, format, args);
    va_end(args);
    vec_push(&r->list, (struct construct){id, strength[s] * (r->header ? 0.25F : 1)});
}

void note_conversion(struct reading *r, const struct value *from, const struct type *to)
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
    reading_note(r, rare ? CLASS : CONVERSION, "conversion %s", class);
    reading_note(r, EXACT, "conversion %s > %s", base_group[s], base_group[d]);
}

const struct symbol *symbol_find(const struct symbol *list, size_t n, const struct token *name)
{
    for (size_t i = n; i-- > 0;)
        if (same_name(list[i].name, name))
            return &list[i];
    return NULL;
}

const struct symbol *symbol_named(const struct reading *r, const struct token *name)
{
    return symbol_find(r->symbols.at, r->symbols.n, name);
}

/* -- declarations ------------------------------------------------------------------------------ */

/* What a declaration may begin with, each with a letter for what it says; those of types, which
 * come in any order (C11 6.7.2p2), are small. */
static const char specifier_words[] =
    " static:S extern:E typedef:T volatile:V struct:R union:R enum:R __attribute__:A _Alignas:A "
    "char:c short:s int:i long:l signed:i unsigned:u __int128:w float:f double:d void:v _Bool:b "
    "bool:b const:. inline:. __inline:. register:. restrict:. __restrict:. auto:. _Complex:. "
    "_Atomic:. _Noreturn:. _Thread_local:. ";

/* Its letter; 0: it is none. */
static char specifier_word(const struct token *t)
{
    const char *p = specifier_words;
    while ((p = memmem(p, strlen(p), t->s, (size_t)t->n)) && (p[-1] != ' ' || p[t->n] != ':'))
        p++;
    return p ? p[t->n + 1] : '\0';
}

/* `said` has the letters of all words. */
static enum base base_of_words(const char *said)
{
#define SAID(letter) (strchr(said, letter) != NULL)
    bool u = SAID('u');
    return SAID('f')   ? B_F32
           : SAID('d') ? SAID('l') ? B_F80 : B_F64
           : SAID('v') ? B_VOID
           : SAID('b') ? B_BOOL
           : SAID('w') ? u ? B_U128 : B_S128
           : SAID('c') ? u ? B_U8 : B_S8
           : SAID('s') ? u ? B_U16 : B_S16
           : SAID('l') ? u ? B_U64 : B_S64
           : u         ? B_U32
           : SAID('i') ? B_S32
                       : B_UNKNOWN;
}

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

bool type_begins(const struct reading *r, int ahead)
{
    const struct token *t = peek(r, ahead);
    enum base base;
    if (t->kind != TOKEN_NAME)
        return false;
    if (specifier_word(t))
        return true;
    const struct symbol *s = symbol_named(r, t);
    return (s && s->is_typedef) || (!s && known_type(t, &base));
}

/* Each is a symbol with a type that nothing else has: an int that is a name. */
static void enumerators(struct reading *r)
{
    r->at++;
    for (int before = -1; more(r, "}", &before); accept(r, ",")) {
        const struct token *name = peek(r, 0);
        if (name->kind != TOKEN_NAME)
            continue;
        r->at++;
        if (accept(r, "=")) {
            reading_note(r, NESTED, "enumerator with a value");
            read_assignment(r);
        }
        vec_push(&r->symbols, (struct symbol){name, plain(B_S32), .is_enumerator = true});
    }
    accept(r, "}");
}

/* struct, union or enum, with or without a list. */
static struct type record(struct reading *r)
{
    bool is_union = here(r, "union"), is_enum = here(r, "enum");
    r->at++;
    skip_attributes(r);
    r->at += peek(r, 0)->kind == TOKEN_NAME; /* the tag */
    if (is_enum) {
        if (here(r, "{"))
            enumerators(r);
        reading_note(r, DETAIL, "enum");
        return plain(B_S32);
    }
    if (is_union)
        reading_note(r, ACCESS, "union");
    if (accept(r, "{")) {
        size_t first = r->members.n;
        for (int before = -1; more(r, "}", &before);)
            read_declaration(r, true, false);
        accept(r, "}");
        for (size_t i = first; is_union && i < r->members.n; i++)
            r->members.at[i].type.in_union = true;
    }
    return plain(is_union ? B_UNION : B_RECORD);
}

struct specifiers read_specifiers(struct reading *r)
{
    struct specifiers out = {.type = plain(B_UNKNOWN)};
    char said[16] = "";
    for (size_t n = 0; type_begins(r, 0);) {
        const struct token *t = peek(r, 0);
        const struct symbol *s = symbol_named(r, t);
        enum base base = B_UNKNOWN;
        char word = specifier_word(t);
        bool named_type = (s && s->is_typedef) || known_type(t, &base);
        if (named_type && (base_of_words(said) != B_UNKNOWN || out.type.base != B_UNKNOWN))
            break; /* there is a type already: it is the name that is declared */
        if (word == 'R') {
            out.type = record(r);
            continue;
        }
        r->at++;
        if (named_type) {
            out.type = s && s->is_typedef ? s->type : plain(base);
        } else if (word == 'A') {
            reading_note(r, COMMON, "%.*s", t->n, t->s);
            skip_brackets(r);
        } else if (n < sizeof said - 1) {
            said[n++] = word;
        }
    }
    if (out.type.base == B_UNKNOWN)
        out.type.base = base_of_words(said);
    if (SAID('V')) {
        out.type.is_volatile = true;
        reading_note(r, ACCESS, "volatile");
    }
    out.is_typedef = SAID('T');
    out.is_static = SAID('S');
    out.is_extern = SAID('E');
#undef SAID
    return out;
}

/* Parameters become symbols: those of a function that is defined are needed in its body. */
static int parameters(struct reading *r)
{
    int n = 0;
    for (int before = -1; more(r, ")", &before); accept(r, ","))
        if (type_begins(r, 0)) {
            n += !(here(r, "void") && token_is(peek(r, 1), ")"));
            read_declaration(r, false, true);
        }
    accept(r, ")");
    return n;
}

/* Pointers first, then what stands behind the name, and a declarator in parentheses around both. */
struct type read_declarator(struct reading *r, struct type type, const struct token **name)
{
    while (here(r, "*") || here(r, "const") || here(r, "volatile") || here(r, "restrict") ||
           here(r, "__restrict")) {
        bool pointer = here(r, "*");
        if (pointer)
            type = outer(type, 'p');
        else if (here(r, "volatile"))
            reading_note(r, ACCESS, "volatile pointer");
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
                reading_note(r, TYPED, "more than six parameters");
        }
    }
    while (n > 0)
        type = outer(type, suffixes[--n]);
    if (nested >= 0) {
        int behind = r->at;
        r->at = nested;
        if (++r->nesting < NESTING_MOST)
            type = read_declarator(r, type, name);
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
        reading_note(r, DETAIL, "function of %s", base_group[type->base]);
    else if (dimensions)
        reading_note(r, DETAIL, "array of %s", base_group[type->base]);
    else if (type->made[0] == 'p')
        reading_note(r, DETAIL, "pointer to %s", base_group[type->base]);
    else
        reading_note(r, type->base == B_BOOL || is_float(type->base) ? ACCESS : DETAIL, "%s %s",
                     base_name[type->base], member ? "member" : "variable");
    if (dimensions > 1)
        reading_note(r, TYPED, "array of arrays");
    if (strspn(type->made, "p") > 1)
        reading_note(r, COMMON, "pointer to pointer");
    if (s->is_static && local)
        reading_note(r, CONTROL, "static local");
    if (s->is_extern)
        reading_note(r, DETAIL, "extern");
}

static void body(struct reading *r, const struct token *name, struct type function)
{
    r->function = name;
    r->returns = inner(function);
    read_statement(r);
    r->function = NULL;
}

void read_declaration(struct reading *r, bool members, bool local)
{
    if (too_deep(r))
        return;
    bool defined = false;
    struct specifiers s = read_specifiers(r);
    do {
        const struct token *name = NULL;
        size_t scope = r->symbols.n;
        struct type type = read_declarator(r, s.type, &name);
        if (members && accept(r, ":")) {
            struct value width = read_assignment(r);
            type.bits = (int)(width.number.value & 127);
            reading_note(r, ACCESS, "%s bit-field", is_unsigned(type.base) ? "unsigned" : "signed");
            reading_note(r, DETAIL, "bit-field %s", type.bits < 8 ? "short" : "long");
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
        skip_attributes(r);
        if (accept(r, "="))
            read_initialiser(r, &type);
    } while (!defined && !(local && here(r, ",") && type_begins(r, 1)) && accept(r, ","));
    r->nesting--;
    if (!defined)
        accept(r, ";");
}
