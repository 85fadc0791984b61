#include "base/text.h"
#include "base/strbuf.h"
#include "base/vec.h"

#include <ctype.h>
#include <errno.h>

int text_split(struct arena *a, const char *s, char ***words)
{
    VEC(char *) list = {0};
    struct strbuf word;
    strbuf_init(&word, 0);
    bool open = false; /* inside a word, even an empty quoted one */
    char quote = 0;
    for (; *s; s++) {
        if (quote) {
            if (*s == quote)
                quote = 0;
            else if (*s == '\\' && quote == '"' && s[1])
                strbuf_addc(&word, *++s);
            else
                strbuf_addc(&word, *s);
        } else if (*s == '\'' || *s == '"') {
            quote = *s;
            open = true;
        } else if (isspace((unsigned char)*s)) {
            if (open)
                vec_push(&list, arena_strdup(a, word.s));
            strbuf_clear(&word);
            open = false;
        } else {
            if (*s == '\\' && s[1])
                s++;
            strbuf_addc(&word, *s);
            open = true;
        }
    }
    if (open)
        vec_push(&list, arena_strdup(a, word.s));
    int n = quote ? -1 : (int)list.n;
    *words = arena_array(a, char *, list.n + 1);
    if (list.n)
        memcpy(*words, list.at, list.n * sizeof(char *));
    vec_release(&list);
    strbuf_release(&word);
    return n;
}

char *text_fill(struct arena *a, const char *text, ...)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    while (*text) {
        va_list pairs;
        const char *hole, *value = NULL;
        va_start(pairs, text);
        while ((hole = va_arg(pairs, const char *))) {
            value = va_arg(pairs, const char *);
            if (!strncmp(text, hole, strlen(hole)))
                break;
        }
        va_end(pairs);
        if (hole) {
            strbuf_adds(&b, value);
            text += strlen(hole);
        } else {
            strbuf_addc(&b, *text++);
        }
    }
    return strbuf_keep(&b, a);
}

char *text_join(struct arena *a, const char *const *at, size_t n, const char *between)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    for (size_t i = 0; i < n; i++)
        strbuf_addf(&b, "%s%s", i ? between : "", at[i]);
    return strbuf_keep(&b, a);
}

void text_quote(struct strbuf *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%^";
    if (*word && strspn(word, plain) == strlen(word)) {
        strbuf_adds(out, word);
        return;
    }
    strbuf_addc(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            strbuf_adds(out, "'\\''");
        else
            strbuf_addc(out, *word);
    }
    strbuf_addc(out, '\'');
}

enum { LONGEST_NAME = 63 };

/* Levenshtein's distance, one row at a time. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t row[LONGEST_NAME + 1];
    size_t nb = strlen(b);
    for (size_t j = 0; j <= nb; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t above = row[j];
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (above + 1 < best)
                best = above + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[nb];
}

const char *text_nearest(const char *wrong, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t length = strlen(wrong);
    size_t limit = length / 2 > 2 ? length / 2 : 2; /* further away is a guess, not a hint */
    if (length > LONGEST_NAME)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        if (!names[i] || strlen(names[i]) > LONGEST_NAME)
            continue;
        size_t d = edit_distance(wrong, names[i]);
        if (d <= limit) {
            best = names[i];
            limit = d ? d - 1 : 0;
            if (!d)
                break;
        }
    }
    return best;
}

static int64_t unit_in_ms(const char *unit, size_t n)
{
    static const struct {
        const char *name;
        int64_t ms;
    } units[] = {{"ms", 1},      {"s", 1000},    {"m", 60000},
                 {"min", 60000}, {"h", 3600000}, {"d", 86400000}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == n && !strncmp(units[i].name, unit, n))
            return units[i].ms;
    return 0;
}

bool text_parse_duration(const char *s, int64_t *milliseconds)
{
    int64_t total = 0;
    if (!*s)
        return false;
    while (*s) {
        char *end;
        if (!isdigit((unsigned char)*s) && *s != '.')
            return false;
        errno = 0;
        double value = strtod(s, &end);
        size_t n = 0;
        while (isalpha((unsigned char)end[n]))
            n++;
        int64_t unit = n ? unit_in_ms(end, n) : 1000;
        if (end == s || errno || !unit || value > 1e9 || (!n && *end))
            return false;
        total += (int64_t)(value * (double)unit);
        s = end + n;
    }
    *milliseconds = total;
    return true;
}

/* What stands behind the number; NULL: it does not begin with a digit, or is too large. With base 0
 * it may be written as in C. */
static const char *parse_digits(const char *s, int base, uint64_t *value)
{
    char *end;
    errno = 0;
    if (!isdigit((unsigned char)*s))
        return NULL;
    *value = strtoull(s, &end, base);
    return errno ? NULL : end;
}

bool text_parse_size(const char *s, int64_t *bytes)
{
    uint64_t value;
    const char *end = parse_digits(s, 10, &value);
    if (!end)
        return false;
    static const char units[] = "KMGT";
    int shift = 0;
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    if (unit) {
        shift = 10 * (int)(unit - units + 1);
        end++;
        if (*end == 'i')
            end++;
        if (*end == 'B')
            end++;
    }
    if (*end || value > (uint64_t)(INT64_MAX >> shift))
        return false;
    *bytes = (int64_t)(value << shift);
    return true;
}

bool text_parse_int(const char *s, int64_t low, int64_t high, int64_t *value)
{
    char *end;
    errno = 0;
    long long v = strtoll(s, &end, 10);
    if (end == s || *end || errno || v < low || v > high)
        return false;
    *value = v;
    return true;
}

bool text_parse_u64(const char *s, uint64_t *value)
{
    uint64_t v;
    const char *end = parse_digits(s, 0, &v);
    if (!end || *end)
        return false;
    *value = v;
    return true;
}

/* strtod takes more than we do. */
static const char *parse_double(const char *s, double *value)
{
    char *end = (char *)s;
    if (*s && strchr("0123456789.", *s) && !strpbrk(s, "xX"))
        *value = strtod(s, &end);
    return end > s ? end : NULL;
}

bool text_parse_number(const char *s, double low, double high, double *value)
{
    double v;
    const char *end = parse_double(s, &v);
    if (!end || *end || !(v >= low && v <= high))
        return false;
    *value = v;
    return true;
}

bool text_parse_share(const char *s, double *value)
{
    double v;
    const char *end = parse_double(s, &v);
    bool percent = end && !strcmp(end, "%");
    if (!end || (*end && !percent))
        return false;
    v = percent ? v / 100 : v;
    if (!(v >= 0 && v <= 1))
        return false;
    *value = v;
    return true;
}

const char *text_duration(int64_t milliseconds, char *out)
{
    long long s = milliseconds / 1000;
    if (s < 60)
        snprintf(out, 32, "%lld.%llds", s, (long long)(milliseconds % 1000) / 100);
    else if (s < 3600)
        snprintf(out, 32, "%lldm %02llds", s / 60, s % 60);
    else if (s < 86400)
        snprintf(out, 32, "%lldh %02lldm %02llds", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, 32, "%lldd %02lldh %02lldm", s / 86400, s / 3600 % 24, s / 60 % 60);
    return out;
}

const char *text_cut_lines(struct arena *a, const char *s)
{
    size_t longest = 0, size = strlen(s);
    for (const char *p = s; *p; p += strspn(p, "\n")) {
        size_t n = strcspn(p, "\n");
        longest = n > longest ? n : longest;
        p += n;
    }
    if (longest <= TEXT_LINE_MOST)
        return s;
    char *copy = arena_alloc(a, size + 1), *out = copy;
    for (const char *p = s; *p;) {
        size_t n = strcspn(p, "\n"), skip = 0;
        if (n > TEXT_LINE_MOST) {
            size_t blanks = strspn(p, " \t");
            skip = blanks > 1 ? blanks - 1 : 0;
        }
        size_t kept = n - skip < TEXT_LINE_MOST ? n - skip : TEXT_LINE_MOST;
        memcpy(out, p + skip, kept);
        out += kept;
        p += n;
        if (*p)
            *out++ = *p++;
    }
    *out = '\0';
    return copy;
}

void text_copy(char *out, size_t out_size, const char *s)
{
    snprintf(out, out_size, "%s", s ? s : "");
}

/* -- text that came from anywhere -------------------------------------------------------------- */

int32_t text_character(const char *s, size_t n, size_t *length)
{
    const unsigned char *u = (const unsigned char *)s;
    static const int32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    *length = 1;
    if (u[0] < 0x80)
        return u[0];
    size_t size = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : 2;
    if (u[0] < 0xc2 || u[0] > 0xf4 || size > n)
        return -1;
    int32_t c = u[0] & (0xff >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((u[i] & 0xc0) != 0x80)
            return -1;
        c = c << 6 | (u[i] & 0x3f);
    }
    if (c < least[size] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return -1;
    *length = size;
    return c;
}

bool text_is_utf8(struct bytes s)
{
    size_t length;
    for (size_t i = 0; i < s.size; i += length)
        if (text_character(s.data + i, s.size - i, &length) < 0)
            return false;
    return true;
}

static bool turns_direction(int32_t c)
{
    return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e ||
           c == 0x200f || c == 0x061c;
}

bool text_is_control(int32_t c)
{
    return (c >= 0 && c < 0x20) || (c >= 0x7f && c < 0xa0) || turns_direction(c) ||
           (c & 0xfffe) == 0xfffe;
}

/* As it is, in a text for people. */
static bool is_seen(int32_t c)
{
    return c == '\n' || c == '\t' || (c >= 0 && !text_is_control(c));
}

void text_visible(struct strbuf *out, struct bytes s)
{
    size_t length;
    for (size_t i = 0; i < s.size; i += length) {
        int32_t c = text_character(s.data + i, s.size - i, &length);
        if (is_seen(c))
            strbuf_add(out, s.data + i, length);
        else if (turns_direction(c))
            strbuf_addf(out, "\\u{%04X}", (unsigned)c);
        else
            for (size_t k = 0; k < length; k++)
                strbuf_addf(out, "\\x%02x", (unsigned char)s.data[i + k]);
    }
}

bool text_ends(const char *s, const char *end)
{
    size_t n = strlen(s), size = strlen(end);
    return n > size && !strcmp(s + n - size, end);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void text_sort(string_list *list)
{
    vec_sort(list, by_text);
}

void text_add_once(string_list *list, const char *s)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->at[i], s))
            return;
    vec_push(list, s);
}

int text_lines(const char *s, size_t n)
{
    int lines = 0;
    for (size_t i = 0; i < n; i++)
        lines += s[i] == '\n';
    return lines + (n > 0 && s[n - 1] != '\n');
}

void text_print(FILE *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vprint(to, format, args);
    va_end(args);
}

void text_vprint(FILE *to, const char *format, va_list args)
{
    struct strbuf said, shown;
    strbuf_init(&said, 0);
    strbuf_init(&shown, 0);
    strbuf_vaddf(&said, format, args);
    text_visible(&shown, bytes_in(&said));
    fwrite(shown.s, 1, shown.n, to);
    strbuf_release(&said);
    strbuf_release(&shown);
}

/* Between two words in double quotes there is nothing: sh joins them. */
static void add_by_printf(struct strbuf *out, const char *s, size_t n)
{
    strbuf_adds(out, "\"$(printf '");
    for (size_t i = 0; i < n; i++)
        strbuf_addf(out, "\\%03o", (unsigned char)s[i]);
    strbuf_adds(out, "')\"");
}

void text_quote_shown(struct strbuf *out, const char *word)
{
    struct strbuf part;
    size_t n = strlen(word), length, i = 0;
    strbuf_init(&part, 0);
    do {
        size_t from = i, plain;
        for (; i < n; i += length)
            if (!is_seen(text_character(word + i, n - i, &length)))
                break;
        plain = i;
        strbuf_add(&part, word + from, plain - from);
        if (part.n || from == n)
            text_quote(out, part.s);
        strbuf_clear(&part);
        for (; i < n; i += length)
            if (is_seen(text_character(word + i, n - i, &length)))
                break;
        if (i > plain)
            add_by_printf(out, word + plain, i - plain);
    } while (i < n);
    strbuf_release(&part);
}

const char *text_shown(struct arena *a, struct bytes s)
{
    struct strbuf b;
    strbuf_init(&b, 0);
    text_visible(&b, s);
    return strbuf_keep(&b, a);
}
