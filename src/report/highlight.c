/* Source text with its tokens marked, for HTML.
 *
 * One small scanner for all languages: what a comment, a string and a keyword are comes from a
 * table. A language that has no row gets numbers, strings and both usual comments. Wrong guesses
 * cost a colour, never a character: the text between the tags is the text, escaped. */
#include "report/report_internal.h"

#include <ctype.h>

struct language {
    const char *name;
    const char *line_comment;     /* "//" */
    const char *open, *close;     /* of a comment over several lines; NULL: none */
    const char *quotes;           /* characters that begin strings */
    bool preprocessor;            /* # at the beginning of a line */
    bool any_case;                /* of its keywords */
    bool backslash;               /* escapes in strings */
    const char *keywords, *types; /* with blanks around each */
};

#define C_KEYWORDS                                                                                 \
    " break case const continue default do else enum extern for goto if inline register restrict " \
    "return sizeof static struct switch typedef union volatile while _Alignas _Alignof _Atomic "   \
    "_Generic _Noreturn _Static_assert _Thread_local __attribute__ asm __asm__ "
#define C_TYPES                                                                                    \
    " char double float int long short signed unsigned void _Bool _Complex bool size_t int8_t "    \
    "int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t ptrdiff_t "

static const struct language languages[] = {
    {"c", "//", "/*", "*/", "\"'", true, false, true, C_KEYWORDS, C_TYPES},
    {"c++", "//", "/*", "*/", "\"'", true, false, true,
     C_KEYWORDS " auto catch class constexpr consteval decltype delete explicit export final "
                "friend mutable namespace new noexcept operator override private protected public "
                "static_assert static_cast reinterpret_cast const_cast template this throw try "
                "typename using virtual true false nullptr ",
     C_TYPES},
    {"lua", "--", "--[[", "]]", "\"'", false, false, true,
     " and break do else elseif end for function goto if in local not or repeat return then until "
     "while true false nil ",
     " "},
    {"sql", "--", "/*", "*/", "'", false, true, false,
     " select from where group by having order limit offset insert into values update set delete "
     "create table index view drop alter join left right inner outer cross on as and or not in "
     "exists between like is null case when then else end union all distinct primary key unique "
     "references default with cast explain begin commit rollback asc desc intersect except ",
     " integer int text real numeric boolean varchar char double precision smallint bigint "},
    {"smtlib", ";", NULL, NULL, "\"", false, false, false,
     " assert check-sat check-sat-assuming declare-const declare-fun define-fun define-sort "
     "declare-sort exit get-model get-value get-unsat-core pop push reset set-info set-logic "
     "set-option let forall exists ite and or not xor distinct true false ",
     " Bool Int Real Array BitVec String "},
    {"", "#", "/*", "*/", "\"'", false, false, true, " ", " "},
};

static const struct language *find_language(const char *name)
{
    const struct language *l = languages;
    while (*l->name && strcmp(l->name, name) != 0)
        l++;
    return l;
}

const char *report_comment(const char *language)
{
    const struct language *l = find_language(language);
    return *l->name ? l->line_comment : NULL;
}

struct scan {
    struct strbuf *out;
    const char *s;
    size_t n, at;
    int lines, max_lines; /* begun; the most that are written */
};

/* A token may go over several lines: each line of it is a span, so that lines can be numbered. */
static void emit(struct scan *c, size_t n, const char *class)
{
    size_t end = c->at + n;
    while (c->at < end && c->lines <= c->max_lines) {
        const char *newline = memchr(c->s + c->at, '\n', end - c->at);
        size_t piece = newline ? (size_t)(newline - (c->s + c->at)) : end - c->at;
        if (piece && class)
            strbuf_addf(c->out, "<span class=\"%s\">", class);
        report_html_text(c->out, c->s + c->at, piece);
        if (piece && class)
            strbuf_adds(c->out, "</span>");
        c->at += piece + (newline != NULL);
        if (newline && c->at < c->n && ++c->lines <= c->max_lines)
            strbuf_adds(c->out, "\n</span><span class=\"l\">");
    }
    c->at = end;
}

static bool starts(const struct scan *c, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    return n && c->n - c->at >= n && !memcmp(c->s + c->at, text, n);
}

/* Bytes up to and with the text, or to the end. */
static size_t up_to(const struct scan *c, size_t from, const char *text)
{
    const char *found = memmem(c->s + from, c->n - from, text, strlen(text));
    return found ? (size_t)(found - (c->s + c->at)) + strlen(text) : c->n - c->at;
}

static size_t line_length(const struct scan *c)
{
    const char *newline = memchr(c->s + c->at, '\n', c->n - c->at);
    return newline ? (size_t)(newline - (c->s + c->at)) : c->n - c->at;
}

static size_t string_length(const struct scan *c, const struct language *l)
{
    char quote = c->s[c->at];
    size_t i = 1;
    while (c->at + i < c->n && c->s[c->at + i] != quote && c->s[c->at + i] != '\n')
        i += l->backslash && c->s[c->at + i] == '\\' && c->at + i + 1 < c->n ? 2 : 1;
    return c->at + i < c->n && c->s[c->at + i] == quote ? i + 1 : i;
}

static bool in_word(const struct language *l, unsigned char c)
{
    return isalnum(c) || c == '_' || (c == '-' && !strcmp(l->name, "smtlib"));
}

static bool listed(const struct language *l, const char *list, const char *word, size_t n)
{
    char key[32];
    if (n + 3 > sizeof key)
        return false;
    key[0] = ' ';
    for (size_t i = 0; i < n; i++)
        key[i + 1] = (char)(l->any_case ? tolower((unsigned char)word[i]) : word[i]);
    key[n + 1] = ' ';
    key[n + 2] = '\0';
    return strstr(list, key) != NULL;
}

static void emit_word(struct scan *c, const struct language *l)
{
    size_t n = 0;
    const char *word = c->s + c->at;
    while (c->at + n < c->n && in_word(l, (unsigned char)word[n]))
        n++;
    if (isdigit((unsigned char)*word)) {
        while (c->at + n < c->n && (in_word(l, (unsigned char)word[n]) || word[n] == '.'))
            n++;
        emit(c, n, "m");
    } else {
        emit(c, n,
             listed(l, l->keywords, word, n) ? "k"
             : listed(l, l->types, word, n)  ? "t"
                                             : NULL);
    }
}

static bool begins_line(const struct scan *c)
{
    size_t i = c->at;
    while (i > 0 && (c->s[i - 1] == ' ' || c->s[i - 1] == '\t'))
        i--;
    return i == 0 || c->s[i - 1] == '\n';
}

static void emit_token(struct scan *c, const struct language *l)
{
    char first = c->s[c->at];
    if (starts(c, l->open))
        emit(c, up_to(c, c->at + strlen(l->open), l->close), "c");
    else if (starts(c, l->line_comment))
        emit(c, line_length(c), "c");
    else if (l->preprocessor && first == '#' && begins_line(c))
        emit(c, line_length(c), "p");
    else if (first && strchr(l->quotes, first))
        emit(c, string_length(c, l), "s");
    else if (in_word(l, (unsigned char)first))
        emit_word(c, l);
    else
        emit(c, 1, NULL);
}

/* Bytes that are nothing special, at once: no multi-byte character is torn apart. */
static size_t plain_length(const struct scan *c)
{
    size_t n = 0;
    while (c->at + n < c->n && (unsigned char)c->s[c->at + n] >= 0x80)
        n++;
    return n;
}

int report_highlight(struct strbuf *out, const char *language, const char *text, size_t n,
                     int max_lines)
{
    const struct language *l = find_language(language);
    struct scan c = {.out = out, .s = text, .n = n, .lines = 1, .max_lines = max_lines};
    strbuf_adds(out, "<span class=\"l\">");
    while (c.at < c.n && c.lines <= max_lines) {
        size_t plain = plain_length(&c);
        if (plain)
            emit(&c, plain, NULL);
        else
            emit_token(&c, l);
    }
    strbuf_adds(out, "</span>");
    int all = report_lines(text, n);
    return all > max_lines ? all - max_lines : 0;
}
