/* C text before the preprocessor: a macro is a word like any other. Who asks therefore compares the
 * answer with what the parser saw (how many parts of a `for` there are, say) and believes neither
 * where they differ. */
#include "cc/import/spelled.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool spelled_starts_word(struct scan s, const char *word)
{
    return scan_take(&s, word) && !scan_in_word(s.syntax, scan_peek(&s, 0));
}

void spelled_word(struct scan s, char *out, size_t out_size)
{
    size_t from = s.at;
    scan_word(&s);
    snprintf(out, out_size, "%.*s", (int)(s.at - from), s.text + from);
}

char spelled_before(struct scan s)
{
    while (s.at && isspace((unsigned char)s.text[s.at - 1]))
        s.at--;
    return s.at ? s.text[s.at - 1] : '\0';
}

int spelled_for_parts(struct scan s)
{
    int parts = 0, part = 0, depth = 1;
    if (!spelled_starts_word(s, "for") || !scan_take(&s, "for"))
        return -1;
    scan_space(&s);
    if (!scan_take(&s, "("))
        return -1;
    while (scan_space(&s), s.at < s.n) {
        if (depth == 1 && scan_take(&s, ";")) {
            if (++part > 2)
                return -1;
            continue;
        }
        char c = scan_peek(&s, 0);
        depth += c && strchr("([{", c) ? 1 : c && strchr(")]}", c) ? -1 : 0;
        if (!depth)
            return part == 2 ? parts : -1;
        parts |= 1 << part;
        scan_token(&s);
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

void spelled_add_attribute(struct strbuf *names, struct scan s)
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

/* Each name in `((a, b (1), c))`, and behind it. */
static void add_list(struct strbuf *names, struct scan *s)
{
    struct scan list = *s;
    scan_brackets(s);
    list.n = s->at;
    while (scan_space(&list) || scan_take(&list, "("))
        ;
    while (list.at < list.n) {
        scan_space(&list);
        struct scan word = list;
        if (scan_word(&word))
            spelled_add_attribute(names, list);
        while (list.at < list.n && !scan_take(&list, ","))
            if (!scan_brackets(&list))
                scan_token(&list);
    }
}

void spelled_add_attributes(struct strbuf *names, struct scan s, size_t stop)
{
    struct scan found = s;
    found.n = stop > s.at ? stop : s.at;
    while (scan_past(&found, "__attribute")) {
        s.at = found.at;
        scan_word(&s);
        scan_space(&s);
        add_list(names, &s);
        found.at = s.at < found.n ? s.at : found.n;
    }
}

struct scan spelled_behind_attributes(struct scan s)
{
    for (;;) {
        struct scan next = s;
        scan_space(&next);
        if (!scan_starts(&next, "__attribute") && !scan_starts(&next, "__asm") &&
            !spelled_starts_word(next, "asm"))
            return s;
        scan_word(&next);
        scan_space(&next);
        scan_brackets(&next);
        s = next;
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
