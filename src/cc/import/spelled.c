/* Scanners for C text: brackets, comments, literals, attributes.
 *
 * They see the text before the preprocessor: a macro is a word like any other. Who asks therefore
 * compares the answer with what the parser saw (how many parts of a `for` there are, say) and
 * believes neither where they differ. */
#include "cc/import/spelled.h"

#include <ctype.h>

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

bool spelled_starts(struct spelled s, const char *text)
{
    size_t n = strlen(text);
    return (size_t)(s.end - s.at) >= n && !memcmp(s.at, text, n);
}

bool spelled_starts_word(struct spelled s, const char *word)
{
    const char *behind = s.at + strlen(word);
    return spelled_starts(s, word) && (behind == s.end || !is_word(*behind));
}

void spelled_word(struct spelled s, char *out, size_t out_size)
{
    size_t n = 0;
    while (s.at + n < s.end && n + 1 < out_size && is_word(s.at[n])) {
        out[n] = s.at[n];
        n++;
    }
    out[n] = 0;
}

struct spelled spelled_skip_blank(struct spelled s)
{
    while (s.at < s.end) {
        size_t left = (size_t)(s.end - s.at);
        if (isspace((unsigned char)*s.at) || spelled_starts(s, "\\\n")) {
            s.at++;
        } else if (spelled_starts(s, "/*")) {
            const char *close = memmem(s.at + 2, left - 2, "*/", 2);
            s.at = close ? close + 2 : s.end;
        } else if (spelled_starts(s, "//")) {
            const char *line = memchr(s.at, '\n', left);
            s.at = line ? line : s.end;
        } else {
            break;
        }
    }
    return s;
}

struct spelled spelled_back_blank(struct spelled s)
{
    while (s.at > s.begin && isspace((unsigned char)s.at[-1]))
        s.at--;
    return s;
}

/* Behind the literal whose quote is here. */
static struct spelled skip_literal(struct spelled s)
{
    for (char quote = *s.at++; s.at < s.end && *s.at != quote; s.at++)
        s.at += *s.at == '\\';
    s.at = s.at < s.end ? s.at + 1 : s.end;
    return s;
}

int spelled_for_parts(struct spelled s)
{
    int parts = 0, part = 0, depth = 1;
    if (!spelled_starts_word(s, "for"))
        return -1;
    s.at += strlen("for");
    s = spelled_skip_blank(s);
    if (s.at == s.end || *s.at++ != '(')
        return -1;
    for (s = spelled_skip_blank(s); s.at < s.end; s = spelled_skip_blank(s)) {
        if (*s.at == ';' && depth == 1) {
            if (++part > 2)
                return -1;
            s.at++;
            continue;
        }
        depth += strchr("([{", *s.at) ? 1 : strchr(")]}", *s.at) ? -1 : 0;
        if (!depth)
            return part == 2 ? parts : -1;
        parts |= 1 << part;
        if (*s.at == '"' || *s.at == '\'')
            s = skip_literal(s);
        else
            s.at++;
    }
    return -1;
}

/* -- attributes ------------------------------------------------------------------------------- */

static bool has_name(const struct strbuf *names, const char *name, size_t n)
{
    for (const char *at = names->s; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == n && !memcmp(at, name, n))
            return true;
    return false;
}

void spelled_add_attribute(struct strbuf *names, struct spelled s)
{
    char word[64];
    spelled_word(s, word, sizeof word);
    const char *name = word[0] ? word : "?";
    size_t n = strlen(name);
    if (n > 4 && !memcmp(name, "__", 2) && !memcmp(name + n - 2, "__", 2))
        name += 2, n -= 4;
    if (has_name(names, name, n))
        return;
    if (names->n)
        strbuf_addc(names, ' ');
    strbuf_add(names, name, n);
}

/* Behind the bracketed text that begins here. */
static struct spelled skip_brackets(struct spelled s)
{
    int depth = 0;
    for (s = spelled_skip_blank(s); s.at < s.end; s = spelled_skip_blank(s)) {
        char c = *s.at;
        if (c == '"' || c == '\'') {
            s = skip_literal(s);
            continue;
        }
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        s.at++;
        if (!depth)
            break;
    }
    return s;
}

/* Each name in `((a, b (1), c))`. */
static struct spelled add_list(struct strbuf *names, struct spelled s)
{
    struct spelled behind = skip_brackets(s);
    while (s.at < behind.at && (*s.at == '(' || isspace((unsigned char)*s.at)))
        s.at++;
    while (s.at < behind.at) {
        s = spelled_skip_blank(s);
        if (is_word(*s.at))
            spelled_add_attribute(names, s);
        while (s.at < behind.at && *s.at != ',')
            s = *s.at == '(' ? skip_brackets(s) : (struct spelled){s.at + 1, s.begin, s.end};
        s.at += s.at < behind.at;
    }
    return behind;
}

void spelled_add_attributes(struct strbuf *names, struct spelled s, const char *stop)
{
    static const char word[] = "__attribute";
    while (s.at < stop) {
        s.at = memmem(s.at, (size_t)(stop - s.at), word, sizeof word - 1);
        if (!s.at)
            return;
        while (s.at < s.end && is_word(*s.at))
            s.at++;
        s = add_list(names, spelled_skip_blank(s));
    }
}

struct spelled spelled_behind_attributes(struct spelled s)
{
    for (;;) {
        struct spelled next = spelled_skip_blank(s);
        if (!spelled_starts(next, "__attribute") && !spelled_starts(next, "__asm") &&
            !spelled_starts_word(next, "asm"))
            return s;
        while (next.at < next.end && is_word(*next.at))
            next.at++;
        s = skip_brackets(spelled_skip_blank(next));
    }
}

/* -- string literals -------------------------------------------------------------------------- */

static uint32_t digit_value(char c)
{
    return (uint32_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

/* Up to `most` digits of the base at `*s`, which moves behind them. */
static uint32_t digits(const char **s, uint32_t base, int most)
{
    uint32_t v = 0;
    while (most-- && isxdigit((unsigned char)**s) && digit_value(**s) < base)
        v = v * base + digit_value(*(*s)++);
    return v;
}

static uint32_t one_element(const char **s)
{
    static const char names[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    char c = *(*s)++;
    if (c != '\\' || !**s)
        return (unsigned char)c;
    if (**s >= '0' && **s <= '7')
        return digits(s, 8, 3);
    c = *(*s)++;
    if (c == 'x' || c == 'U')
        return digits(s, 16, 8);
    if (c == 'u')
        return digits(s, 16, 4);
    const char *named = strchr(names, c);
    return (unsigned char)(named ? values[named - names] : c);
}

static void add_element(struct strbuf *bytes, uint32_t v, unsigned size)
{
    if (size == 2 && v > 0xffff) {
        v -= 0x10000;
        add_element(bytes, 0xd800 + (v >> 10), 2);
        v = 0xdc00 + (v & 0x3ff);
    }
    for (unsigned i = 0; i < size; i++)
        strbuf_addc(bytes, (char)(v >> 8 * i));
}

void spelled_add_string(struct strbuf *bytes, const char *literal, unsigned size)
{
    const char *s = literal + strcspn(literal, "\"");
    while (*s)
        if (*s == '"')
            s++;
        else
            add_element(bytes, one_element(&s), size);
}
