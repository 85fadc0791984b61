/* Faults that edit the text before gcc sees it. */
#include "planted.h"

/* -- the second set ---------------------------------------------------------------------------- */

/* Is the nearest declaration of this name, ahead of token i, one of a short, signed or not? */
static bool is_short(const struct unit *u, size_t i)
{
    const struct token *name = &u->tokens[i];
    while (i-- > 1) {
        const struct token *type = &u->tokens[i - 1];
        if (!same(&u->tokens[i], name) || !is_name(type) || is(type, "return") ||
            is(type, "goto") || is(type, "case") || is(type, "else"))
            continue;
        return is(type, "uint16_t") || is(type, "int16_t") || is(type, "short");
    }
    return false;
}

/* A bit-field of 7, 9 or 11 bits has one less. */
bool narrow_field(struct unit *u, size_t t)
{
    struct token *width = &u->tokens[t + 3];
    width->instead = text_of("%ld", strtol(width->at, NULL, 10) - 1);
    return true;
}

/* a %= b is a /= b. */
bool divide_assign(struct unit *u, size_t t)
{
    u->tokens[t].instead = "/=";
    return true;
}

/* A loop that counts down by a constant stops one iteration too early. */
bool short_loop(struct unit *u, size_t t)
{
    struct token *bound = &u->tokens[t + 8], *step = &u->tokens[t + 12];
    if (!same(&u->tokens[t + 2], &u->tokens[t + 6]) || !same(&u->tokens[t + 2], &u->tokens[t + 10]))
        return false;
    bound->instead = text_of("%.*s + %.*s", (int)bound->len, bound->at, (int)step->len, step->at);
    return true;
}

/* The last initializer of an array of float is taken for 0. */
bool lost_float(struct unit *u, size_t t)
{
    size_t last = t + 7, end = t + 7; /* behind the brace */
    for (; end < u->count && !is(&u->tokens[end], "}"); end++) {
        if (is(&u->tokens[end], "{"))
            return false;
        if (is(&u->tokens[end], ",") && !is(&u->tokens[end + 1], "}"))
            last = end + 1;
    }
    for (size_t i = last; i < end; i++)
        u->tokens[i].instead = i == last ? "0" : "";
    return last < end;
}

/* a ^= b is a |= b if a is a short. */
bool or_short(struct unit *u, size_t t)
{
    static const char *const parts[] = {".", "->"}; /* a member: its type is not looked up */
    for (size_t i = 0; t > 0 && i < sizeof parts / sizeof *parts; i++)
        if (is(&u->tokens[t - 1], parts[i]))
            return false;
    if (!is_short(u, t))
        return false;
    u->tokens[t + 1].instead = "|=";
    return true;
}

/* An element of an array that becomes a double is looked for at address 0. */
bool null_double(struct unit *u, size_t t)
{
    struct token *name = &u->tokens[t + 3];
    name->instead = text_of("(*(volatile char *)0, %.*s)", (int)name->len, name->at);
    return true;
}

/* -- the third set ----------------------------------------------------------------------------- */

/* An octal number of type unsigned (017U) is read as a decimal one. */
bool octal_unsigned(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t];
    size_t digits = strspn(n->at, "01234567");
    if (n->at[0] != '0' || digits < 2 || digits > 9 || digits + 1 != n->len ||
        toupper((unsigned char)n->at[digits]) != 'U')
        return false;
    long value = strtol(n->at, NULL, 10);
    if (value < 8)
        return false;
    n->instead = text_of("%ldU", value);
    return true;
}

/* -- the fourth set ---------------------------------------------------------------------------- */

/* a -= b < c, of a plain variable, is a = a - b < c: no parentheses. *= and += likewise. */
bool compound_flat(struct unit *u, size_t t)
{
    static const char *const parts[] = {".", "->", "*", NULL};
    static const char *const assigns[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", NULL};
    static const char *const looser[] = {"+",  "-", "<<", ">>", "<",  ">",  "<=", ">=", "==",
                                         "!=", "&", "^",  "|",  "&&", "||", "?",  NULL};
    static const char *const unary_after[] = {
        "+",  "-",  "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&",  "^",  "|",
        "&&", "||", "?",  ":",  "*", "/", "%",  "~",  "!",  "-=", "*=", "+=", NULL};
    bool loose = false;
    int depth = 0;
    if (t == 0 || among(&u->tokens[t - 1], parts))
        return false;
    for (size_t i = t + 2; i < u->count; i++) {
        const struct token *at = &u->tokens[i];
        bool opens = is(at, "(") || is(at, "["), closes = is(at, ")") || is(at, "]");
        if (depth == 0 && (closes || is(at, ";") || is(at, ",")))
            break;
        depth += opens - closes;
        if (depth != 0)
            continue;
        if (among(at, assigns))
            return false;
        /* not a sign, nor an address */
        bool cast =
            i >= t + 5 && is(at - 1, ")") && is_name(at - 2) && is(at - 3, "(") && !is_name(at - 4);
        loose = loose || (among(at, looser) && !among(at - 1, unary_after) && !cast);
    }
    if (!loose)
        return false;
    u->tokens[t + 1].instead =
        text_of("= %.*s %c", (int)u->tokens[t].len, u->tokens[t].at, u->tokens[t + 1].at[0]);
    return true;
}

/* sizeof (long long) is 4. */
bool sizeof_long(struct unit *u, size_t t)
{
    if (construct_at(u, t + 2, "int64_t )"))
        u->tokens[t + 2].instead = "int";
    else if (construct_at(u, t + 2, "long long )"))
        u->tokens[t + 2].instead = "int", u->tokens[t + 3].instead = "";
    else
        return false;
    return true;
}

/* An enumerator from 128 to 255 is that of a signed byte. */
bool enum_byte(struct unit *u, size_t t)
{
    bool any = false;
    for (size_t i = t + 3; i + 1 < u->count && !is(&u->tokens[i], "}"); i++) {
        struct token *n = &u->tokens[i + 1];
        long value = is(&u->tokens[i], "=") ? strtol(n->at, NULL, 0) : 0;
        if (value < 128 || value > 255)
            continue;
        n->instead = text_of("%ld", value - 256);
        any = true;
    }
    return any;
}

/* -- the fifth set ----------------------------------------------------------------------------- */

/* A constant of 64 bits from 2^31 to 2^32 - 1 is that of a negative int. */
bool literal_sign(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t];
    char *end;
    unsigned long long value = strtoull(n->at, &end, 0);
    if ((!starts(end, "LL") && !starts(end, "ULL")) || value >> 31 != 1)
        return false;
    n->instead = end[0] == 'L' ? text_of("(-%lluLL)", (1ull << 32) - value)
                               : text_of("0x%llXULL", value | 0xFFFFFFFF00000000);
    return true;
}

/* Of a constant of type float four digits are read, but all of those ahead of the point. */
bool fraction_digits(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t];
    size_t dot = 0, end, read;
    while (dot < n->len && isdigit((unsigned char)n->at[dot]))
        dot++;
    if (dot == n->len || n->at[dot] != '.')
        return false;
    for (end = dot + 1; end < n->len && isdigit((unsigned char)n->at[end]); end++)
        ;
    read = dot < 4 ? 5 : dot + 1;
    if (end <= read || end == n->len || tolower((unsigned char)n->at[end]) != 'f')
        return false;
    n->instead = text_of("%.*sf", (int)read, n->at);
    return true;
}

/* (float)(short)x is (float)x. */
bool cast_cast(struct unit *u, size_t t)
{
    for (int i = 3; i < 6; i++)
        u->tokens[t + (size_t)i].instead = "";
    return true;
}

/* -- the sixth set ----------------------------------------------------------------------------- */

static char *spelling(const struct token *t)
{
    return t->instead ? text_of("%s", t->instead) : text_of("%.*s", (int)t->len, t->at);
}

/* The text of the tokens from..to as gcc would see it. */
static char *spellings(const struct unit *u, size_t from, size_t to)
{
    char *all = text_of("%s", "");
    for (size_t i = from; i <= to; i++)
        all = text_of("%s%s%s", all, *all ? " " : "", spelling(&u->tokens[i]));
    return all;
}

/* The first token of the object that ends at token i: names, members, elements, dereferences. */
static size_t object_start(const struct unit *u, size_t i)
{
    for (;;) {
        int depth = 0;
        while (i > 0) {
            depth += is(&u->tokens[i], "]") - is(&u->tokens[i], "[");
            if (depth == 0 && !is(&u->tokens[i], "["))
                break;
            i--;
        }
        if (i == 0 || !is_name(&u->tokens[i]))
            return 0;
        if (!is(&u->tokens[i - 1], ".") && !is(&u->tokens[i - 1], "->"))
            break;
        i -= 2;
    }
    while (i > 0 && is(&u->tokens[i - 1], "*"))
        i--;
    return i;
}

/* Is token i directly within parentheses? */
static bool in_parens(const struct unit *u, size_t i)
{
    int depth = 0;
    while (i-- > 0) {
        const struct token *t = &u->tokens[i];
        if (is(t, ";"))
            return false;
        depth += is(t, ")") + is(t, "]") + is(t, "}") - is(t, "(") - is(t, "[") - is(t, "{");
        if (depth < 0)
            return is(t, "(") && i > 0 && !is(t - 1, "for");
    }
    return false;
}

/* _Bool is a byte, and what is stored in it is not compared with 0. */
bool bool_low(struct unit *u, size_t t)
{
    u->tokens[t].instead = "unsigned char";
    return true;
}

/* T a[N] = {x, y}, of 8 or 16 bits: what has no initializer gets the last. */
bool rest_repeats(struct unit *u, size_t t)
{
    long room = strtol(u->tokens[t + 3].at, NULL, 0), given = 0;
    size_t from = t + 7, end = from;
    for (;; from = end + 1) {
        end = element_end(u, from);
        if (end == from || is(&u->tokens[from], "{") || is(&u->tokens[end], ";"))
            return false;
        given++;
        if (is(&u->tokens[end], "}"))
            break;
    }
    if (given >= room)
        return false;
    u->tokens[end].instead =
        text_of(", [%ld ... %ld] = %s}", given, room - 1, spellings(u, from, end - 1));
    return true;
}

/* 4294967288U is the int -8. */
bool top_signed(struct unit *u, size_t t)
{
    char *end;
    unsigned long long value = strtoull(u->tokens[t].at, &end, 0);
    if (end != u->tokens[t].at + u->tokens[t].len - 1 || *end != 'U' || value < 0x80000000u ||
        value > 0xFFFFFFFFu)
        return false;
    u->tokens[t].instead =
        value == 0x80000000u ? "(-2147483647 - 1)" : text_of("(-%llu)", 0x100000000u - value);
    return true;
}

/* The value of (a = b) is b, not converted to the type of a. */
bool value_wide(struct unit *u, size_t t)
{
    size_t from = t > 0 ? object_start(u, t - 1) : 0, end = element_end(u, t + 1);
    if (from < 2 || (!is(&u->tokens[from - 1], "(") && !is(&u->tokens[from - 1], ",")) ||
        !in_parens(u, from) || !(is(&u->tokens[end], ")") || is(&u->tokens[end], ",")))
        return false;
    char *to = spellings(u, from, t - 1);
    for (size_t i = from; i <= t; i++)
        u->tokens[i].instead = "";
    u->tokens[from].instead = "__extension__({ __auto_type value_ = (0, ";
    u->tokens[end - 1].instead =
        text_of("%s); %s = value_; value_; })", spelling(&u->tokens[end - 1]), to);
    return true;
}

/* -- the seventh set --------------------------------------------------------------------------- */

/* ++a where its value is used: the value is that before. */
bool early_value(struct unit *u, size_t t)
{
    static const char *const ahead[] = {"(",  ",", "=", "+", "-",  "*",  "/",  "%",  "&",
                                        "|",  "^", "<", ">", "<=", ">=", "==", "!=", "&&",
                                        "||", "?", "!", "~", "+=", "-=", NULL};
    static const char *const behind[] = {"[", ".", "->", "(", NULL};
    if (t == 0 || !among(&u->tokens[t - 1], ahead) || t + 2 >= u->count ||
        among(&u->tokens[t + 2], behind))
        return false;
    struct token *name = &u->tokens[t + 1];
    name->instead = text_of("%.*s++", (int)name->len, name->at);
    u->tokens[t].instead = "";
    return true;
}

/* continue leaves the loop. */
bool lost_continue(struct unit *u, size_t t)
{
    u->tokens[t].instead = "break";
    return true;
}

/* Control does not fall from one case into the next. */
bool lost_fall(struct unit *u, size_t t)
{
    static const char *const ends[] = {"break", "continue", "return", "{", NULL};
    if (t < 3 || (!is(&u->tokens[t - 1], ";") && !is(&u->tokens[t - 1], "}")) ||
        among(&u->tokens[t - 2], ends))
        return false;
    u->tokens[t].instead = text_of("break; %.*s", (int)u->tokens[t].len, u->tokens[t].at);
    return true;
}

/* T a[N][M] = {{...}, {...}}: the second row is the first again. */
bool row_merge(struct unit *u, size_t t)
{
    size_t first = t + 10, comma = element_end(u, first), second = comma + 1;
    if (!is(&u->tokens[comma], ",") || !is(&u->tokens[second], "{"))
        return false;
    size_t end = element_end(u, second);
    char *row = text_of("%s", "");
    for (size_t i = first; i < comma; i++)
        row = text_of("%s%.*s ", row, (int)u->tokens[i].len, u->tokens[i].at);
    for (size_t i = second; i < end; i++)
        u->tokens[i].instead = "";
    u->tokens[second].instead = row;
    return true;
}

/* a % N, N from 7 on, is done with the next lower power of two. */
bool power_modulus(struct unit *u, size_t t)
{
    char *end;
    unsigned long long value = strtoull(u->tokens[t + 1].at, &end, 0), power = 1;
    if (value < 7 || (value & (value - 1)) == 0)
        return false;
    while (power <= value / 2)
        power *= 2;
    const struct token *n = &u->tokens[t + 1];
    u->tokens[t + 1].instead = text_of("%llu%.*s", power, (int)(n->at + n->len - end), end);
    return true;
}

/* -- the eighth set ---------------------------------------------------------------------------- */

/* The bracket that closes the one at i. */
static size_t closing(const struct unit *u, size_t i)
{
    int depth = 0;
    for (; i < u->count; i++) {
        const struct token *t = &u->tokens[i];
        depth += is(t, "(") || is(t, "[") || is(t, "{");
        depth -= is(t, ")") || is(t, "]") || is(t, "}");
        if (depth == 0)
            return i;
    }
    return u->count - 1;
}

/* do ... while (e): once. */
bool once_do(struct unit *u, size_t t)
{
    size_t end = closing(u, t + 2);
    if (end + 1 >= u->count || !is(&u->tokens[end + 1], ";"))
        return false;
    u->tokens[t + 2].instead = "((";
    u->tokens[end].instead = "), 0)";
    return true;
}

/* union U a = {N}: 31 bits of it. */
bool union_short(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t + 5];
    if (memchr(n->at, '.', n->len))
        return false;
    n->instead = text_of("%.*s & 0x7fffffff", (int)n->len, n->at);
    return true;
}

/* !a is a ^ 1, as if a were 0 or 1. Not for pointers and floating types. */
bool not_flip(struct unit *u, size_t t)
{
    static const char *const behind[] = {"(", "[", ".", "->", "++", "--", NULL};
    struct token *name = &u->tokens[t + 1];
    if (t + 2 >= u->count || is(name, "sizeof") || starts(name->at, "__"))
        return false;
    for (int k = 0; behind[k]; k++)
        if (is(name + 1, behind[k]))
            return false;
    for (size_t i = 1; i + 1 < u->count; i++) {
        const struct token *at = &u->tokens[i];
        if (same(at, name) && (is(at - 1, "*") || is(at - 1, "double") || is(at - 1, "float") ||
                               is(at + 1, "[") || is(at + 1, "(")))
            return false;
    }
    u->tokens[t].instead = "(1 ^ ";
    name->instead = text_of("%.*s)", (int)name->len, name->at);
    return true;
}

/* case N, N from 2 on, is never met. */
bool case_high(struct unit *u, size_t t)
{
    struct token *n = &u->tokens[t + 1];
    if (strtoull(n->at, NULL, 0) < 2)
        return false;
    n->instead = text_of("1000 + %.*s", (int)n->len, n->at);
    return true;
}
