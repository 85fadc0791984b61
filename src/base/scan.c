#include "base/scan.h"

#include <ctype.h>
#include <string.h>

const struct scan_syntax scan_c = SCAN_C;

struct scan scan_of(const struct scan_syntax *syntax, const char *text, size_t n)
{
    return (struct scan){syntax, text, n, 0};
}

/* A cursor that somebody put behind the end is at the end. */
static size_t left(const struct scan *s)
{
    return s->at < s->n ? s->n - s->at : 0;
}

char scan_peek(const struct scan *s, size_t ahead)
{
    return left(s) > ahead ? s->text[s->at + ahead] : '\0';
}

static bool is_in(const char *set, char c)
{
    return c && set && strchr(set, c);
}

bool scan_in_word(const struct scan_syntax *syntax, char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c > 127 ||
           is_in(syntax->word, c);
}

bool scan_listed(const char *list, const char *word, size_t n)
{
    for (const char *at = list; n && (at = strchr(at, ' ')); at++)
        if (!strncmp(at + 1, word, n) && at[1 + n] == ' ')
            return true;
    return false;
}

bool scan_starts(const struct scan *s, const char *with)
{
    if (!with || !*with || !left(s) || s->text[s->at] != *with) /* most are not even called for */
        return false;
    size_t n = strlen(with);
    return left(s) >= n && !memcmp(s->text + s->at, with, n);
}

bool scan_take(struct scan *s, const char *text)
{
    if (!scan_starts(s, text))
        return false;
    s->at += strlen(text);
    return true;
}

bool scan_past(struct scan *s, const char *text)
{
    const char *found = memmem(s->text + s->at, left(s), text, strlen(text));
    s->at = found ? (size_t)(found - s->text) + strlen(text) : s->n;
    return found;
}

void scan_line(struct scan *s)
{
    const char *found = memchr(s->text + s->at, '\n', left(s));
    s->at = found ? (size_t)(found - s->text) : s->n;
}

/* The same, where a backslash in front of the newline continues the line. */
static void logical_line(struct scan *s)
{
    for (scan_line(s); s->syntax->c_lines && s->at < s->n && s->at; s->at++, scan_line(s)) {
        size_t before = s->at - 1;
        before -= before && s->text[before] == '\r';
        if (s->text[before] != '\\')
            return;
    }
}

/* [[ ]] or [==[ ]==]. -1: none begins here, and the cursor stays; 0: its end is missing. */
static int long_bracket(struct scan *s)
{
    char close[34] = "]";
    size_t level = 0;
    if (!s->syntax->long_brackets || scan_peek(s, 0) != '[')
        return -1;
    while (level < 30 && scan_peek(s, 1 + level) == '=')
        close[1 + level++] = '=';
    close[1 + level] = ']';
    if (scan_peek(s, 1 + level) != '[')
        return -1;
    s->at += 2 + level;
    return scan_past(s, close);
}

/* As long_bracket. */
static int comment(struct scan *s)
{
    if (scan_take(s, s->syntax->comment))
        return scan_past(s, s->syntax->comment_end);
    if (!scan_take(s, s->syntax->line_comment))
        return -1;
    int closed = long_bracket(s);
    if (closed < 0)
        logical_line(s);
    return closed ? 1 : 0;
}

static int string(struct scan *s)
{
    char quote = scan_peek(s, 0);
    if (!is_in(s->syntax->quotes, quote))
        return long_bracket(s);
    for (s->at++; s->at < s->n; s->at++) {
        char c = s->text[s->at];
        if (c == quote) {
            s->at++;
            return 1;
        }
        if (c == '\n' && !s->syntax->across_lines)
            return 0;
        if (c == '\\' && s->syntax->escapes && s->at + 1 < s->n)
            s->at++;
    }
    return 0;
}

bool scan_comment(struct scan *s)
{
    return comment(s) >= 0;
}

bool scan_string(struct scan *s)
{
    return string(s) >= 0;
}

bool scan_word(struct scan *s)
{
    size_t from = s->at;
    if (isdigit((unsigned char)scan_peek(s, 0)))
        return false;
    while (s->at < s->n && scan_in_word(s->syntax, s->text[s->at]))
        s->at++;
    return s->at > from;
}

/* It goes on through letters, digits, dots, and a sign behind an exponent. */
bool scan_number(struct scan *s)
{
    char first = scan_peek(s, 0), second = scan_peek(s, 1);
    if (!isdigit((unsigned char)first) && (first != '.' || !isdigit((unsigned char)second)))
        return false;
    const char *exponents = first == '0' && (second | 32) == 'x' ? "pP" : "eE";
    for (s->at++; s->at < s->n; s->at++) {
        char c = s->text[s->at];
        bool sign = (c == '+' || c == '-') && is_in(exponents, s->text[s->at - 1]);
        if (!sign && c != '.' && !scan_in_word(s->syntax, c))
            break;
    }
    return true;
}

static bool begins_line(const struct scan *s)
{
    size_t i = s->at;
    while (i && is_in(" \t\r\f\v", s->text[i - 1]))
        i--;
    return !i || s->text[i - 1] == '\n';
}

bool scan_directive(struct scan *s)
{
    if (!s->syntax->c_lines || scan_peek(s, 0) != '#' || !begins_line(s))
        return false;
    logical_line(s);
    return true;
}

static bool blank(struct scan *s)
{
    size_t from = s->at;
    while (s->at < s->n && is_in(" \t\r\f\v", s->text[s->at]))
        s->at++;
    return s->at > from;
}

static bool splice(struct scan *s)
{
    return s->syntax->c_lines && (scan_take(s, "\\\n") || scan_take(s, "\\\r\n"));
}

bool scan_space(struct scan *s)
{
    size_t from = s->at;
    while (blank(s) || scan_take(s, "\n") || splice(s) || scan_comment(s))
        ;
    return s->at > from;
}

bool scan_brackets(struct scan *s)
{
    if (!is_in("([{", scan_peek(s, 0)))
        return false;
    int depth = 0;
    do {
        size_t at = s->at;
        struct scan_token t = scan_token(s);
        depth += t.kind == SCAN_MARK && is_in("([{", s->text[at]);
        depth -= t.kind == SCAN_MARK && is_in(")]}", s->text[at]);
    } while (depth && s->at < s->n);
    return true;
}

static void mark(struct scan *s)
{
    /* The longest first. */
    static const char *const marks[] = {
        "<<=", ">>=", "...", "<=>", "->", "++", "--", "<<", ">>", "<=", ">=",
        "==",  "!=",  "&&",  "||",  "+=", "-=", "*=", "/=", "%=", "&=", "|=",
        "^=",  "::",  ":=",  "..",  "~=", "<>", "=>", "##", "//",
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (scan_take(s, marks[i]))
            return;
    s->at++;
}

struct scan_token scan_token(struct scan *s)
{
    struct scan_token t = {.from = s->at};
    int closed = 1;
    if (s->at >= s->n)
        t.kind = SCAN_END;
    else if (blank(s))
        t.kind = SCAN_BLANK;
    else if (scan_take(s, "\n"))
        t.kind = SCAN_NEWLINE;
    else if ((closed = comment(s)) >= 0)
        t.kind = SCAN_COMMENT;
    else if ((closed = string(s)) >= 0)
        t.kind = SCAN_STRING;
    else if (scan_number(s))
        t.kind = SCAN_NUMBER;
    else if (scan_word(s))
        t.kind = SCAN_WORD;
    else {
        t.kind = SCAN_MARK;
        mark(s);
    }
    t.open = closed == 0;
    t.to = s->at;
    return t;
}

bool scan_token_is(const struct scan *s, const struct scan_token *t, const char *text)
{
    return strlen(text) == t->to - t->from && !memcmp(s->text + t->from, text, t->to - t->from);
}

/* -- patterns of tokens ------------------------------------------------------------------------ */

struct cursor {
    struct scan scan; /* behind the token */
    const char *token;
    size_t n;
};

static bool next_token(struct cursor *c)
{
    while (scan_space(&c->scan) || scan_directive(&c->scan) || scan_string(&c->scan))
        ;
    struct scan_token t = scan_token(&c->scan);
    c->token = c->scan.text + t.from;
    c->n = t.to - t.from;
    return t.kind != SCAN_END;
}

static bool token_fits(const struct cursor *c, const char *pattern, size_t n)
{
    unsigned char first = (unsigned char)*c->token;
    if (n == 1 && *pattern == '@')
        return isalpha(first) || first == '_';
    if (n == 1 && *pattern == '#')
        return isdigit(first);
    if (n > 1 && pattern[n - 1] == '*')
        return c->n >= n - 1 && !memcmp(c->token, pattern, n - 1);
    return c->n == n && !memcmp(c->token, pattern, n);
}

/* Does one pattern, up to `end`, begin at this token? */
static bool begins_here(struct cursor c, const char *pattern, const char *end)
{
    for (bool more = true; pattern < end; more = next_token(&c)) {
        size_t n = strcspn(pattern, " |");
        if (!more || !token_fits(&c, pattern, n))
            return false;
        pattern += n + (pattern[n] == ' ');
    }
    return true;
}

bool scan_has(const struct scan_syntax *syntax, const char *text, size_t n, const char *patterns)
{
    struct cursor c = {.scan = scan_of(syntax, text, n)};
    while (next_token(&c))
        for (const char *p = patterns; *p;) {
            const char *end = p + strcspn(p, "|");
            if (begins_here(c, p, end))
                return true;
            p = end + (*end == '|');
        }
    return false;
}
