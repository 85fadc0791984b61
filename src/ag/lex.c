/* Tokens of LALA: words, numbers, characters, signs; `#` begins a comment. See lex.h.
 *
 * Places are counted as the characters are taken, so that every character passes ag_lex_take. A
 * byte that belongs to no token is told once per run of such bytes and passed over: a file that is
 * not a specification at all should not be answered with a message per byte. */
#include "ag/lex.h"

static bool is_word_start(int c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

int ag_lex_char(const struct ag_lexer *l, size_t ahead)
{
    return (size_t)(l->end - l->at) > ahead ? (unsigned char)l->at[ahead] : -1;
}

char ag_lex_take(struct ag_lexer *l)
{
    char c = *l->at++;
    if (c == '\n') {
        l->line++;
        l->line_start = l->at;
    }
    return c;
}

struct ag_place ag_lex_place(const struct ag_lexer *l)
{
    return (struct ag_place){l->line, (int)(l->at - l->line_start) + 1};
}

bool ag_lex_line_break(struct ag_lexer *l)
{
    if (ag_lex_char(l, 0) == '\r' && ag_lex_char(l, 1) == '\n')
        ag_lex_take(l);
    if (ag_lex_char(l, 0) != '\n')
        return false;
    while (is_blank(ag_lex_char(l, 0)))
        ag_lex_take(l);
    return true;
}

/* Behind blanks and comments. Works on a copy as well as on the lexer itself. */
static void pass_blanks(struct ag_lexer *l)
{
    for (;;) {
        while (is_blank(ag_lex_char(l, 0)))
            ag_lex_take(l);
        if (ag_lex_char(l, 0) != '#')
            return;
        while (l->at < l->end && *l->at != '\n')
            ag_lex_take(l);
    }
}

int ag_lex_after(const struct ag_lexer *l)
{
    struct ag_lexer copy = *l;
    pass_blanks(&copy);
    return ag_lex_char(&copy, 0);
}

/* The bytes from here that begin no token, told as one mistake. */
static void pass_strangers(struct ag_lexer *l)
{
    static const char signs[] = "(){}<>=!+-*/.,:;@$\"'#";
    int c = ag_lex_char(l, 0);
    if (c > ' ' && c < 127)
        ag_say(l->messages, AG_ERROR, ag_lex_place(l), NULL,
               "the character '%c' means nothing here", c);
    else
        ag_say(l->messages, AG_ERROR, ag_lex_place(l),
               "outside of texts and comments a specification is plain ASCII",
               "the byte 0x%02x means nothing here", (unsigned)c);
    do
        ag_lex_take(l);
    while ((c = ag_lex_char(l, 0)) >= 0 && !is_blank(c) && !is_word_start(c) && !is_digit(c) &&
           !(c && strchr(signs, c)));
}

/* 'c', '\n', '\''; the lexer stands behind the opening '. */
static bool lex_character(struct ag_lexer *l)
{
    int c = ag_lex_char(l, 0);
    if (c < 0 || c == '\n')
        return false;
    ag_lex_take(l);
    if (c == '\\' && (ag_lex_char(l, 0) != '\'' || ag_lex_char(l, 1) == '\'')) {
        int escaped = ag_lex_char(l, 0);
        if (escaped < 0 || escaped == '\n')
            return false;
        ag_lex_take(l);
        c = escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
    }
    l->token.value = (char)c;
    if (ag_lex_char(l, 0) != '\'')
        return false;
    ag_lex_take(l);
    return true;
}

/* One sign, of two characters where it is == != <= >=. False: there is none. */
static bool lex_sign(struct ag_lexer *l)
{
    int c = ag_lex_char(l, 0);
    bool two = ag_lex_char(l, 1) == '=' && strchr("=!<>", c);
    if (!two && !strchr("(){}<>=+-*/.,:;@$", c))
        return false;
    ag_lex_take(l);
    if (two)
        ag_lex_take(l);
    return true;
}

static bool at_escaped_quote(const struct ag_lexer *l)
{
    return l->in_hole && ag_lex_char(l, 0) == '\\' && ag_lex_char(l, 1) == '"';
}

/* The token that begins here; false when the bytes were none and the next must be tried. */
static bool lex_token(struct ag_lexer *l)
{
    struct ag_token *t = &l->token;
    int c = ag_lex_char(l, 0);
    if (c < 0) {
        t->kind = AG_T_END;
    } else if (is_word_start(c)) {
        t->kind = AG_T_WORD;
        while (is_word_start(ag_lex_char(l, 0)) || is_digit(ag_lex_char(l, 0)))
            ag_lex_take(l);
    } else if (is_digit(c) || (c == '-' && is_digit(ag_lex_char(l, 1)))) {
        t->kind = AG_T_NUMBER;
        ag_lex_take(l);
        while (is_digit(ag_lex_char(l, 0)))
            ag_lex_take(l);
    } else if (c == '"' || at_escaped_quote(l)) {
        t->kind = AG_T_QUOTE;
        if (ag_lex_take(l) == '\\')
            ag_lex_take(l);
    } else if (c == '\'') {
        t->kind = AG_T_CHAR;
        ag_lex_take(l);
        if (!lex_character(l)) {
            ag_say(l->messages, AG_ERROR, t->place, "more than one character is a string: \"...\"",
                   "a character is written 'c'");
            t->value = '?';
        }
    } else if (c && lex_sign(l)) {
        t->kind = AG_T_SIGN;
    } else {
        pass_strangers(l);
        return false;
    }
    t->size = (size_t)(l->at - t->text);
    return true;
}

void ag_lex_next(struct ag_lexer *l)
{
    l->last_end = ag_lex_place(l);
    const char *before = l->at;
    do {
        pass_blanks(l);
        l->token =
            (struct ag_token){.text = l->at, .place = ag_lex_place(l), .glued = l->at == before};
    } while (!lex_token(l));
}

void ag_lex_init(struct ag_lexer *l, struct arena *a, const char *text, size_t size,
                 struct ag_messages *m)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    size_t skip = size >= 3 && !memcmp(text, byte_order_mark, 3) ? 3 : 0;
    *l = (struct ag_lexer){.at = text + skip,
                           .end = text + size,
                           .line_start = text + skip,
                           .line = 1,
                           .arena = a,
                           .messages = m};
    ag_lex_next(l);
}

/* The character that a backslash and what follows it stand for is added; the lexer stands behind
 * the backslash. */
static void add_escaped(struct ag_lexer *l, enum ag_string kind, struct strbuf *out)
{
    int c = ag_lex_char(l, 0);
    bool undone = c == '"' || (kind == AG_STRING_VALUE && (c == '\\' || c == 'n' || c == 't'));
    if (!undone)
        strbuf_addc(out, '\\');
    if (c == '"' || c == '\\') /* taken here, so that the second of \\ escapes nothing */
        strbuf_addc(out, ag_lex_take(l));
    else if (undone)
        strbuf_addc(out, ag_lex_take(l) == 'n' ? '\n' : '\t');
}

char *ag_lex_string(struct ag_lexer *l, enum ag_string kind, size_t *size)
{
    struct ag_place opened = l->token.place;
    bool escaped = l->token.size == 2; /* \"...\" */
    struct strbuf out;
    strbuf_init(&out, 0);
    while (ag_lex_char(l, 0) >= 0 && ag_lex_char(l, 0) != '"' &&
           !(escaped && at_escaped_quote(l))) {
        if (ag_lex_line_break(l))
            continue;
        char c = ag_lex_take(l);
        if (c == '\\')
            add_escaped(l, kind, &out);
        else
            strbuf_addc(&out, c);
    }
    char *text = NULL;
    if (ag_lex_char(l, 0) < 0 || (escaped && !at_escaped_quote(l))) {
        ag_say(l->messages, AG_ERROR, opened, NULL, "this string is not closed");
    } else {
        if (ag_lex_take(l) == '\\')
            ag_lex_take(l);
        text = arena_memdup(l->arena, out.s, out.n);
        *size = out.n;
    }
    strbuf_release(&out);
    ag_lex_next(l);
    return text;
}
