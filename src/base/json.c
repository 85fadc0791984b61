/* A value is its text, without blanks; what is put into a list or an object is copied there. The
 * format is walked once, with the arguments. Indentation comes at the end, when all is there. */
#include "base/json.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <math.h>

enum { LARGEST = 1 << 30 }; /* bytes of one value */

struct json {
    struct strbuf text;
};

/* -- texts ------------------------------------------------------------------------------------- */

/* How many bytes mean themselves: nearly all of them do. */
static size_t plain_bytes(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' && s[i] != '\\')
        i++;
    return i;
}

/* True: the text is UTF-8. */
static bool add_text(struct strbuf *out, struct bytes s)
{
    static const char from[] = "\"\\\n\t\r", to[] = "\"\\ntr";
    bool valid = true;
    size_t length;
    strbuf_addc(out, '"');
    for (size_t i = 0; i < s.size; i += length) {
        length = plain_bytes(s.data + i, s.size - i);
        if (length) {
            strbuf_add(out, s.data + i, length);
            continue;
        }
        int32_t c = text_character(s.data + i, s.size - i, &length);
        const char *short_form = c > 0 && c < 0x80 ? strchr(from, c) : NULL;
        valid &= c >= 0;
        if (short_form)
            strbuf_addf(out, "\\%c", to[short_form - from]);
        else if (c < 0)
            strbuf_adds(out, "\xef\xbf\xbd");
        else if (text_is_control(c) && c < 0xfffe)
            strbuf_addf(out, "\\u%04x", (unsigned)c);
        else
            strbuf_add(out, s.data + i, length);
    }
    strbuf_addc(out, '"');
    return valid;
}

/* RFC 4648, 4. */
static void add_base64(struct strbuf *out, struct bytes s)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    strbuf_addc(out, '"');
    for (size_t i = 0; i < s.size; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < s.size ? (unsigned char)s.data[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            strbuf_addc(out, i + k <= s.size ? digits[bits >> (18 - 6 * k) & 63] : '=');
    }
    strbuf_addc(out, '"');
}

/* The shortest that reads back as the same number, and looks like no integer. */
static void add_double(struct strbuf *out, double x)
{
    char text[40];
    if (!isfinite(x)) {
        strbuf_adds(out, "null");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    strbuf_addf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

/* -- formats ----------------------------------------------------------------------------------- */

struct walk {
    const char *format; /* from here on */
    va_list args;
};

static char next_sign(struct walk *w)
{
    while (*w->format == ' ' || *w->format == ',' || *w->format == ':')
        w->format++;
    return *w->format ? *w->format++ : '\0';
}

static void add_value(struct strbuf *out, struct walk *w, char sign, const char *name);

static void add_member(struct strbuf *out, struct walk *w)
{
    const char *name = va_arg(w->args, const char *);
    add_text(out, bytes_of(name));
    strbuf_addc(out, ':');
    add_value(out, w, next_sign(w), name);
}

static void add_all(struct strbuf *out, struct walk *w, char end)
{
    char sign;
    for (bool first = true; (sign = next_sign(w)) != end; first = false) {
        if (!first)
            strbuf_addc(out, ',');
        if (end == ']') {
            add_value(out, w, sign, NULL);
            continue;
        }
        REQUIRE(sign == 's');
        add_member(out, w);
    }
    strbuf_addc(out, end);
}

static void add_string(struct strbuf *out, struct bytes s, const char *name)
{
    if (!s.data)
        strbuf_adds(out, "null");
    if (!s.data || add_text(out, s) || !name)
        return;
    strbuf_addf(out, ",\"%s_base64\":", name);
    add_base64(out, s);
}

static void add_value(struct strbuf *out, struct walk *w, char sign, const char *name)
{
    const char *text;
    struct json *other;
    switch (sign) {
    case '{':
    case '[':
        strbuf_addc(out, sign);
        add_all(out, w, sign == '{' ? '}' : ']');
        return;
    case 's':
        text = va_arg(w->args, const char *);
        add_string(out, text ? bytes_of(text) : (struct bytes){0}, name);
        return;
    case 'y':
        add_string(out, va_arg(w->args, struct bytes), name);
        return;
    case 'Y':
        add_text(out, va_arg(w->args, struct bytes));
        return;
    case 'B':
        add_base64(out, va_arg(w->args, struct bytes));
        return;
    case 'i':
        strbuf_addf(out, "%d", va_arg(w->args, int));
        return;
    case 'I':
        strbuf_addf(out, "%lld", (long long)va_arg(w->args, int64_t));
        return;
    case 'f':
        add_double(out, va_arg(w->args, double));
        return;
    case 'b':
        strbuf_adds(out, va_arg(w->args, int) ? "true" : "false");
        return;
    case 'n':
        strbuf_adds(out, "null");
        return;
    case 'o':
        other = va_arg(w->args, struct json *);
        strbuf_add(out, other->text.s, other->text.n);
        out->truncated |= other->text.truncated;
        json_drop(other);
        return;
    default:
        BUG("'%c' is not a JSON value", sign);
    }
}

/* -- values ------------------------------------------------------------------------------------ */

struct json *json_new(const char *format, ...)
{
    struct json *value = mem_alloc(sizeof *value);
    struct walk w = {.format = format};
    strbuf_init(&value->text, LARGEST);
    va_start(w.args, format);
    add_value(&value->text, &w, next_sign(&w), NULL);
    va_end(w.args);
    return value;
}

struct json *json_counts(const int64_t *n, const char *const *names, int from, int to)
{
    struct json *counts = json_new("{}");
    for (int i = from; i < to; i++)
        json_extend(counts, "{s:I}", names[i], n[i]);
    return counts;
}

struct json *json_texts(const char *const *at, size_t n)
{
    struct json *list = json_new("[]");
    for (size_t i = 0; i < n; i++)
        json_append(list, "s", at[i]);
    return list;
}

/* Ready for what comes next inside it. */
static void reopen(struct strbuf *text)
{
    text->s[--text->n] = '\0';
    if (text->n > 1)
        strbuf_addc(text, ',');
}

void json_append(struct json *list, const char *format, ...)
{
    struct walk w = {.format = format};
    reopen(&list->text);
    va_start(w.args, format);
    add_value(&list->text, &w, next_sign(&w), NULL);
    va_end(w.args);
    strbuf_addc(&list->text, ']');
}

void json_extend(struct json *object, const char *format, ...)
{
    struct walk w = {.format = format};
    REQUIRE(next_sign(&w) == '{');
    reopen(&object->text);
    va_start(w.args, format);
    add_all(&object->text, &w, '}');
    va_end(w.args);
}

void json_drop(struct json *value)
{
    if (value)
        strbuf_release(&value->text);
    free(value);
}

/* -- out --------------------------------------------------------------------------------------- */

static void add_line(struct strbuf *out, int depth)
{
    strbuf_addf(out, "\n%*s", 2 * depth, "");
}

/* Behind the text in quotes that begins here. */
static const char *skip_text(const char *at)
{
    for (at++; *at != '"'; at += at[0] == '\\' ? 2 : 0)
        at += strcspn(at, "\"\\");
    return at + 1;
}

static void indent(const struct strbuf *text, struct strbuf *out)
{
    int depth = 0;
    for (const char *at = text->s; *at; at++) {
        if (*at == '"') {
            const char *behind = skip_text(at);
            strbuf_add(out, at, (size_t)(behind - at));
            at = behind - 1;
        } else if (*at == '{' || *at == '[') {
            strbuf_addc(out, *at);
            if (at[1] == *at + 2) /* ASCII: the end of it */
                strbuf_addc(out, *++at);
            else
                add_line(out, ++depth);
        } else if (*at == '}' || *at == ']') {
            add_line(out, --depth);
            strbuf_addc(out, *at);
        } else {
            strbuf_addc(out, *at);
            if (*at == ',')
                add_line(out, depth);
            else if (*at == ':')
                strbuf_addc(out, ' ');
        }
    }
}

void json_write(struct json *value, bool one_line, struct strbuf *out)
{
    if (one_line)
        strbuf_add(out, value->text.s, value->text.n);
    else
        indent(&value->text, out);
    strbuf_addc(out, '\n');
    out->truncated |= value->text.truncated;
    json_drop(value);
}

void json_print(struct json *value, bool one_line)
{
    struct strbuf text;
    strbuf_init(&text, LARGEST);
    json_write(value, one_line, &text);
    REQUIRE(!text.truncated);
    fwrite(text.s, 1, text.n, stdout); /* who ends the program looks whether it could be written */
    strbuf_release(&text);
}
