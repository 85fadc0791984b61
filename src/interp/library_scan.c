/* Numbers from strings (7.22.1) and formatted input from them (7.21.6.2, 7.21.6.7).
 *
 * What a conversion takes is found here, and its value by the host. Where libraries are known to
 * differ, or C leaves it open, as for what only begins like a number ("0x", "1e+"), the run is
 * undecided. */
#include "interp/library_internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>

/* -- numbers from strings ---------------------------------------------------------------------- */

static const struct cc_type *char_pointer(const struct call *c)
{
    struct cc_types *t = &c->in->p->types;
    return cc_pointer_to(t, cc_basic(t, CC_CHAR));
}

/* Where the number ends, if the program wants to know. */
static void store_end(struct call *c, uint64_t n)
{
    if (!is_null(c->a[1].p))
        library_store(c, 1, c->a[1].p, char_pointer(c),
                      (union value){.p = interp_byte_at(c->in, c->e, c->a[0].p, n)});
}

union value library_ato(struct call *c)
{
    struct text s = library_read_text(c, c->a[0].p, NO_LIMIT);
    int64_t least = c->f->library == CC_LIB_ATOI ? INT_MIN : INT64_MIN;
    int64_t most = c->f->library == CC_LIB_ATOI ? INT_MAX : INT64_MAX;
    errno = 0;
    long long v = strtoll(s.s, NULL, 10);
    if (v < least || v > most || errno == ERANGE) /* 7.22.1p1 */
        FAIL(c, OVERFLOW, "%s of \"%.40s\"", c->f->name, s.s);
    return library_integer(c, v);
}

union value library_strtol(struct call *c)
{
    struct text s = library_read_text(c, c->a[0].p, NO_LIMIT);
    int base = (int)c->a[2].i;
    bool is_unsigned = c->f->library == CC_LIB_STRTOUL || c->f->library == CC_LIB_STRTOULL;
    char *end;
    if (base < 0 || base == 1 || base > 36)
        FAIL(c, UNDECIDED, "%s with base %d", c->f->name, base);
    int64_t v = is_unsigned ? (int64_t)strtoull(s.s, &end, base) : strtoll(s.s, &end, base);
    store_end(c, (uint64_t)(end - s.s));
    return library_integer(c, v);
}

/* glibc, GCC and all that matter round correctly. */
union value library_strtod(struct call *c)
{
    struct text s = library_read_text(c, c->a[0].p, NO_LIMIT);
    char *end;
    double v = strtod(s.s, &end);
    if (c->f->library == CC_LIB_STRTOD)
        store_end(c, (uint64_t)(end - s.s));
    return (union value){.f = v};
}

/* -- the input --------------------------------------------------------------------------------- */

struct scanning {
    struct call *c;
    struct pointer from;
    struct text text;
    uint64_t at;    /* in it */
    uint32_t taken; /* of the call's arguments */
    bool from_list;
    bool list_used;
    struct pointer list; /* they come from this va_list instead */
    int assigned;
    bool converted; /* some conversion was done, also one whose result is not assigned */
};

struct directive { /* one conversion specification */
    const char *text;
    int n; /* of its bytes */
    bool suppressed;
    uint64_t width; /* of the item, at most */
    char length;    /* 'H' hh, 'h', 'l', 'L' ll, 0: none */
    char letter;
    const char *set; /* of %[: what is between the brackets, */
    int n_set;       /* so many bytes, */
    bool others;     /* and the others are meant */
};

enum outcome { GOES_ON, MATCHING_FAILURE, INPUT_FAILURE };

static int peek(const struct scanning *s)
{
    return s->at < s->text.n ? (unsigned char)s->text.s[s->at] : EOF;
}

static void skip_space(struct scanning *s)
{
    while (peek(s) != EOF && isspace(peek(s)))
        s->at++;
}

static const struct argument *next_argument(struct scanning *s, const struct directive *d)
{
    struct call *c = s->c;
    const struct argument *a = NULL;
    s->list_used |= s->from_list;
    if (s->from_list)
        a = interp_next_argument(c->in, c->e, s->list, false);
    else if (s->taken < c->n)
        a = &c->args[s->taken++];
    if (!a)
        FAIL(c, CALL_TYPE, "%.*s without an argument", d->n, d->text);
    return a;
}

/* A pointer to an integer of that size, or to a float of that kind (7.21.6.2p10). */
static const struct argument *pointer_argument(struct scanning *s, const struct directive *d,
                                               const struct cc_type *wanted)
{
    const struct argument *a = next_argument(s, d);
    const struct cc_type *to = library_pointee(a->type);
    bool good = to && (cc_is_float(wanted)
                           ? to->kind == wanted->kind
                           : cc_is_integer(to) && to->size == wanted->size && to->kind != CC_BOOL);
    good |= to && to->kind == CC_VOID && wanted->kind == CC_CHAR; /* 7.16.1.1p2 */
    if (!good)
        FAIL(s->c, CALL_TYPE, "%.*s with an argument of type %s", d->n, d->text,
             library_type_text(a->type).s);
    return a;
}

/* -- conversions ------------------------------------------------------------------------------- */

static enum cc_kind kind_of(const struct directive *d)
{
    return d->length == 'H'   ? CC_SCHAR
           : d->length == 'h' ? CC_SHORT
           : d->length == 'l' ? CC_LONG
           : d->length == 'L' ? CC_LLONG
                              : CC_INT;
}

static void assign_integer(struct scanning *s, const struct directive *d, int64_t v)
{
    const struct cc_type *type = cc_basic(&s->c->in->p->types, kind_of(d));
    const struct argument *a = pointer_argument(s, d, type);
    const struct cc_type *to = library_pointee(a->type)->plain;
    library_store(s->c, s->from_list ? UINT32_MAX : s->taken - 1, a->v.p, to,
                  (union value){.i = cc_wrap_small(to, v)});
}

static int base_of(const struct scanning *s, uint64_t at, char letter)
{
    bool hex = s->text.s[at] == '0' && (s->text.s[at + 1] | 32) == 'x';
    switch (letter) {
    case 'i':
        return hex ? 16 : s->text.s[at] == '0' ? 8 : 10;
    case 'x':
    case 'X':
        return 16;
    case 'o':
        return 8;
    default:
        return 10;
    }
}

static bool is_digit_of(int ch, int base)
{
    return base == 16 ? isxdigit(ch) != 0 : ch >= '0' && ch < '0' + base;
}

/* The longest item that is a number; what only begins like one is undecided. */
static enum outcome scan_integer(struct scanning *s, const struct directive *d)
{
    uint64_t begin = s->at, end = s->text.n - begin > d->width ? begin + d->width : s->text.n;
    uint64_t at = begin;
    char item[128];
    at += at < end && strchr("+-", s->text.s[at]) != NULL;
    int base = base_of(s, at, d->letter);
    if (base == 16 && at + 1 < end && s->text.s[at] == '0' && (s->text.s[at + 1] | 32) == 'x') {
        at += 2;
        if (at >= end || !isxdigit((unsigned char)s->text.s[at]))
            FAIL(s->c, UNDECIDED, "%.*s of what is no number", d->n, d->text);
    }
    uint64_t digits = at;
    while (at < end && is_digit_of((unsigned char)s->text.s[at], base))
        at++;
    s->at = at;
    if (at == digits)
        return MATCHING_FAILURE;
    if (at - begin >= sizeof item)
        FAIL(s->c, UNDECIDED, "%.*s of a long number", d->n, d->text);
    snprintf(item, sizeof item, "%.*s", (int)(at - begin), s->text.s + begin);
    bool is_signed = d->letter == 'd' || d->letter == 'i';
    const struct cc_type *type = cc_basic(&s->c->in->p->types, kind_of(d) + !is_signed);
    errno = 0;
    int64_t v = is_signed ? strtoll(item, NULL, base) : (int64_t)strtoull(item, NULL, base);
    uint64_t magnitude = *item == '-' ? 0 - (uint64_t)v : (uint64_t)v;
    bool fits =
        is_signed ? cc_wrap_small(type, v) == v : type->bits == 64 || !(magnitude >> type->bits);
    if (errno == ERANGE || !fits) /* p10 */
        FAIL(s->c, OVERFLOW, "%.*s of %.40s", d->n, d->text, item);
    if (!d->suppressed)
        assign_integer(s, d, v);
    return GOES_ON;
}

static uint64_t skip_digits(const struct scanning *s, uint64_t at, uint64_t end)
{
    while (at < end && isdigit((unsigned char)s->text.s[at]))
        at++;
    return at;
}

/* Decimal numbers; others are undecided. */
static enum outcome scan_float(struct scanning *s, const struct directive *d)
{
    uint64_t begin = s->at, end = s->text.n - begin > d->width ? begin + d->width : s->text.n;
    const char *text = s->text.s;
    char item[128];
    uint64_t at = begin + (begin < end && strchr("+-", text[begin]) != NULL);
    if (at < end && (strchr("iInN", text[at]) || (text[at] == '0' && (text[at + 1] | 32) == 'x')))
        FAIL(s->c, UNDECIDED, "%.*s of what is no decimal number", d->n, d->text);
    uint64_t whole = skip_digits(s, at, end), digits = whole - at;
    at = whole;
    if (at < end && text[at] == '.') {
        uint64_t behind = skip_digits(s, at + 1, end);
        digits += behind - at - 1;
        at = behind;
    }
    if (digits && at < end && (text[at] | 32) == 'e') {
        uint64_t exponent = at + 1 + (at + 1 < end && strchr("+-", text[at + 1]) != NULL);
        at = skip_digits(s, exponent, end);
        if (at == exponent)
            FAIL(s->c, UNDECIDED, "%.*s of what is no number", d->n, d->text);
    }
    s->at = at;
    if (!digits)
        return MATCHING_FAILURE;
    if (at - begin >= sizeof item || d->length == 'L')
        FAIL(s->c, UNDECIDED, "%.*s", d->n, d->text);
    snprintf(item, sizeof item, "%.*s", (int)(at - begin), text + begin);
    bool is_double = d->length == 'l';
    double v = is_double ? strtod(item, NULL) : (double)strtof(item, NULL);
    if (isinf(v))
        FAIL(s->c, OVERFLOW, "%.*s of %.40s", d->n, d->text, item);
    if (d->suppressed)
        return GOES_ON;
    const struct cc_type *type = cc_basic(&s->c->in->p->types, is_double ? CC_DOUBLE : CC_FLOAT);
    const struct argument *a = pointer_argument(s, d, type);
    library_store(s->c, s->from_list ? UINT32_MAX : s->taken - 1, a->v.p, type,
                  (union value){.f = v});
    return GOES_ON;
}

/* A - between two characters is a range, in all libraries. */
static bool in_set(const struct directive *d, int ch)
{
    for (int i = 0; i < d->n_set; i++) {
        int low = (unsigned char)d->set[i], high = low;
        if (i + 2 < d->n_set && d->set[i + 1] == '-') {
            high = (unsigned char)d->set[i + 2];
            i += 2;
        }
        if (low <= ch && ch <= high)
            return true;
    }
    return false;
}

static bool takes(const struct directive *d, int ch)
{
    if (d->letter == 'c')
        return true;
    if (d->letter == 's')
        return !isspace(ch);
    return in_set(d, ch) != d->others;
}

static enum outcome scan_characters(struct scanning *s, const struct directive *d)
{
    struct call *c = s->c;
    uint64_t begin = s->at, most = d->letter == 'c' && d->width == UINT64_MAX ? 1 : d->width;
    while (s->at - begin < most && peek(s) != EOF && takes(d, peek(s)))
        s->at++;
    uint64_t n = s->at - begin;
    if (d->letter == 'c' && n < most) /* libraries differ */
        FAIL(c, UNDECIDED, "%.*s of %llu characters", d->n, d->text, (unsigned long long)n);
    if (n == 0)
        return MATCHING_FAILURE;
    if (d->suppressed)
        return GOES_ON;
    const struct argument *a = pointer_argument(s, d, cc_basic(&c->in->p->types, CC_CHAR));
    uint64_t size = n + (d->letter != 'c');
    char *bytes = library_space(c, size + 1);
    memcpy(bytes, s->text.s + begin, (size_t)n);
    bytes[n] = '\0';
    library_need(c, a->v.p, size);
    library_need_apart(c, a->v.p, size, s->from, s->text.read);
    interp_write_bytes(c->in, c->e, a->v.p, size, (const uint8_t *)bytes);
    return GOES_ON;
}

static enum outcome convert(struct scanning *s, const struct directive *d)
{
    enum outcome o;
    if (d->letter == 'n') {
        if (d->suppressed || d->width != UINT64_MAX)
            FAIL(s->c, BUILTIN_ARGUMENT, "%.*s is no conversion", d->n, d->text);
        assign_integer(s, d, (int64_t)s->at);
        return GOES_ON;
    }
    if (!strchr("c[", d->letter))
        skip_space(s);
    if (peek(s) == EOF)
        return INPUT_FAILURE;
    if (d->letter == '%') {
        if (peek(s) != '%')
            return MATCHING_FAILURE;
        s->at++;
        return GOES_ON;
    }
    bool integer = strchr("diouxX", d->letter) != NULL;
    bool characters = strchr("cs[", d->letter) != NULL;
    if (characters && d->length)
        FAIL(s->c, UNDECIDED, "%.*s: wide characters", d->n, d->text);
    o = integer ? scan_integer(s, d) : characters ? scan_characters(s, d) : scan_float(s, d);
    s->converted |= o == GOES_ON;
    s->assigned += o == GOES_ON && !d->suppressed;
    return o;
}

/* -- the format -------------------------------------------------------------------------------- */

static const char *parse_length(const char *at, struct directive *d)
{
    if (*at == 'h' || *at == 'l') {
        bool twice = at[1] == *at;
        d->length = twice ? (*at == 'h' ? 'H' : 'L') : *at;
        return at + 1 + twice;
    }
    if (*at && strchr("jzt", *at)) { /* of LP64 */
        d->length = 'l';
        return at + 1;
    }
    d->length = *at == 'L' ? 'L' : 0;
    return at + (*at == 'L');
}

/* %[abc], %[^]a]: returns what follows the closing bracket, NULL: there is none. */
/* Libraries agree on ranges that go up, each for itself, and on a - at either end. */
static bool is_plain_set(const struct directive *d)
{
    for (int i = 0; i < d->n_set; i++) {
        if (i + 2 >= d->n_set || d->set[i + 1] != '-')
            continue;
        unsigned char low = (unsigned char)d->set[i], high = (unsigned char)d->set[i + 2];
        if (low == '-' || high == '-' || low > high ||
            (i + 3 < d->n_set && d->set[i + 3] == '-' && i + 4 < d->n_set))
            return false;
        i += 2;
    }
    return true;
}

static const char *parse_set(struct scanning *s, const char *at, struct directive *d)
{
    d->others = *at == '^';
    at += d->others;
    d->set = at;
    const char *end = *at ? strchr(at + 1, ']') : NULL; /* the first may be one itself */
    if (!end)
        return NULL;
    d->n_set = (int)(end - at);
    if (!is_plain_set(d))
        FAIL(s->c, UNDECIDED, "such a range in %%[");
    return end + 1;
}

static const char *parse_directive(struct scanning *s, const char *text, struct directive *d)
{
    const char *at = text + 1;
    *d = (struct directive){.text = text, .width = UINT64_MAX};
    d->suppressed = *at == '*';
    at += d->suppressed;
    if (isdigit((unsigned char)*at)) {
        d->width = 0;
        for (; isdigit((unsigned char)*at); at++)
            if (d->width < 1u << 20)
                d->width = d->width * 10 + (uint64_t)(*at - '0');
    }
    at = parse_length(at, d);
    d->letter = *at;
    d->n = (int)(at - text) + (*at != '\0');
    if (!*at || !strchr("diouxXaAeEfFgGcs[n%", *at) || d->width == 0 || (*at == '%' && d->n != 2))
        FAIL(s->c, UNDECIDED, "%.*s", d->n, text);
    at = *at == '[' ? parse_set(s, at + 1, d) : at + 1;
    if (!at)
        FAIL(s->c, BUILTIN_ARGUMENT, "%s is no conversion", text);
    return at;
}

/* 7.21.6.2p3 to p5. */
static enum outcome run_format(struct scanning *s, const char *at)
{
    enum outcome o = GOES_ON;
    while (*at && o == GOES_ON) {
        struct directive d;
        if (isspace((unsigned char)*at)) {
            skip_space(s);
            at++;
        } else if (*at != '%') {
            o = peek(s) == EOF                    ? INPUT_FAILURE
                : peek(s) == (unsigned char)*at++ ? GOES_ON
                                                  : MATCHING_FAILURE;
            s->at += o == GOES_ON;
        } else {
            at = parse_directive(s, at, &d);
            o = convert(s, &d);
        }
    }
    return o;
}

static union value scan(struct call *c, struct scanning *s, bool list)
{
    struct text format = library_read_text(c, c->a[1].p, NO_LIMIT);
    if (list)
        s->list = c->a[2].p;
    enum outcome o = run_format(s, format.s);
    c->in->steps += s->at;
    if (s->list_used)
        interp_spend_list(c->in, c->e, s->list);
    if (o == INPUT_FAILURE && s->converted && !s->assigned) /* 0 by 7.21.6.2p16; glibc says EOF */
        FAIL(c, UNDECIDED, "%s that only skips", c->f->name);
    return library_integer(c, o == INPUT_FAILURE && !s->converted ? EOF : s->assigned);
}

static union value scan_string(struct call *c, bool list)
{
    struct scanning s = {.c = c, .from = c->a[0].p, .taken = 2, .from_list = list};
    s.text = library_read_text(c, c->a[0].p, NO_LIMIT);
    return scan(c, &s, list);
}

union value library_scan_text(struct call *c, struct text text, uint64_t *used)
{
    struct scanning s = {.c = c, .text = text, .taken = 2};
    union value v = scan(c, &s, false);
    *used = s.at;
    return v;
}

union value library_sscanf(struct call *c)
{
    return scan_string(c, false);
}

union value library_vsscanf(struct call *c)
{
    return scan_string(c, true);
}
