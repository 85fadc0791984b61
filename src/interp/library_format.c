/* Formatted output (7.21.6.1): what a format asks for, taken from the arguments and checked, then
 * printed by the host. */
#include "interp/library_internal.h"

#include <limits.h>
#include <math.h>

struct source { /* what was copied into the text, which sprintf's destination must not overlap */
    struct pointer p;
    uint64_t n;
    struct source *next;
};

struct printing {
    struct call *c;
    uint32_t taken; /* of the call's arguments */
    bool from_list; /* they come from a va_list instead, */
    bool list_used;
    struct pointer list; /* this one */
    char *text;          /* MAX_OUTPUT bytes, of which */
    size_t n;            /* are used */
    struct source *sources;
};

/* Length modifiers, and the signed type that an integer is converted to before it is printed. */
enum length { LEN_NONE, LEN_HH, LEN_H, LEN_LL, LEN_L, LEN_J, LEN_Z, LEN_T, LEN_LONG_DOUBLE };
static const char *const length_text[] = {
    [LEN_HH] = "hh", [LEN_H] = "h", [LEN_LL] = "ll", [LEN_L] = "l",
    [LEN_J] = "j",   [LEN_Z] = "z", [LEN_T] = "t",   [LEN_LONG_DOUBLE] = "L",
};

struct conversion { /* one conversion specification */
    const char *text;
    int n;                /* of its bytes */
    char flags[8];        /* each at most once */
    int width, precision; /* -1: no precision */
    enum length length;
    char letter;
};

#define SPEC(k) (k)->n, (k)->text /* for "%.*s" */

static enum cc_kind kind_of_length(const struct interp *in, enum length length)
{
    bool wide = in->p->types.model->pointer_size == 8; /* size_t and ptrdiff_t */
    switch (length) {
    case LEN_HH:
        return CC_SCHAR;
    case LEN_H:
        return CC_SHORT;
    case LEN_L:
        return CC_LONG;
    case LEN_LL:
        return CC_LLONG;
    case LEN_J:
        return in->p->types.model->long_size == 8 ? CC_LONG : CC_LLONG;
    case LEN_Z:
    case LEN_T:
        return wide ? CC_LONG : CC_INT;
    default:
        return CC_INT;
    }
}

static const struct argument *next_argument(struct printing *o, const struct conversion *k)
{
    struct call *c = o->c;
    const struct argument *a = NULL;
    o->list_used |= o->from_list;
    if (o->from_list)
        a = interp_next_argument(c->in, c->e, o->list, false);
    else if (o->taken < c->n)
        a = &c->args[o->taken++];
    if (!a)
        FAIL(c, CALL_TYPE, "%.*s without an argument", SPEC(k));
    return a;
}

static _Noreturn void wrong_type(struct call *c, const struct conversion *k,
                                 const struct argument *a)
{
    FAIL(c, CALL_TYPE, "%.*s with an argument of type %s", SPEC(k), library_type_text(a->type).s);
}

/* The argument must have the type (7.21.6.1p9). va_arg allows the other sign (7.16.1.1p2), and all
 * compilers pass integers of one size alike, so that programs print an int by %x and a long by
 * %lld; anything else is wrong. */
static int64_t integer_argument(struct printing *o, const struct conversion *k,
                                const struct cc_type *wanted)
{
    const struct argument *a = next_argument(o, k);
    if (!cc_is_integer(a->type) || a->type->size != wanted->size)
        wrong_type(o->c, k, a);
    return cc_wrap_small(wanted, a->v.i);
}

static int int_argument(struct printing *o, const struct conversion *k)
{
    return (int)integer_argument(o, k, cc_basic(&o->c->in->p->types, CC_INT));
}

static void emit(struct printing *o, const char *text, size_t n)
{
    if (n > MAX_OUTPUT - o->n)
        FAIL(o->c, UNDECIDED, "too much output");
    memcpy(o->text + o->n, text, n);
    o->n += n;
}

/* By the host's printf: `length` and the value's type belong together. A width and a precision are
 * always given; those that are not there are 0 and -1, which mean that. */
#define EMIT_BY_HOST(o, k, length, value)                                                          \
    do {                                                                                           \
        char spec_[24];                                                                            \
        size_t left_ = MAX_OUTPUT - (o)->n;                                                        \
        snprintf(spec_, sizeof spec_, "%%%s*.*%s%c", (k)->flags, (length), (k)->letter);           \
        int n_ = snprintf((o)->text + (o)->n, left_, spec_, (k)->width, (k)->precision, (value));  \
        if (n_ < 0 || (size_t)n_ >= left_)                                                         \
            FAIL((o)->c, UNDECIDED, "too much output");                                            \
        (o)->n += (size_t)n_;                                                                      \
    } while (0)

static void emit_integer(struct printing *o, const struct conversion *k)
{
    const struct cc_types *t = &o->c->in->p->types;
    bool is_signed = k->letter == 'd' || k->letter == 'i';
    enum cc_kind kind = kind_of_length(o->c->in, k->length) + !is_signed;
    const struct cc_type *type = cc_basic(t, kind);
    int64_t v = integer_argument(o, k, type->size < 4 ? cc_basic(t, CC_INT + !is_signed) : type);
    v = cc_wrap_small(type, v);
    if (is_signed)
        EMIT_BY_HOST(o, k, "ll", (long long)v);
    else
        EMIT_BY_HOST(o, k, "ll", (unsigned long long)v);
}

static void emit_character(struct printing *o, const struct conversion *k)
{
    int byte = int_argument(o, k);
    EMIT_BY_HOST(o, k, "", byte);
}

static void emit_float(struct printing *o, const struct conversion *k)
{
    const struct argument *a = next_argument(o, k);
    bool is_long = k->length == LEN_LONG_DOUBLE;
    if (a->type->kind != (is_long ? CC_LDOUBLE : CC_DOUBLE))
        wrong_type(o->c, k, a);
    if (is_long && k->letter != 'a' && k->letter != 'A' && !isnan(a->v.x)) {
        EMIT_BY_HOST(o, k, "L", a->v.x);
        return;
    }
    if (is_long) /* of the form of %La C says little */
        FAIL(o->c, UNDECIDED, "%.*s: long double", SPEC(k));
    if (isnan(a->v.f))
        FAIL(o->c, UNDECIDED, "%.*s of a NaN", SPEC(k));
    EMIT_BY_HOST(o, k, "", a->v.f);
}

static void add_source(struct printing *o, struct pointer p, uint64_t n)
{
    struct source *s = library_space(o->c, sizeof *s);
    *s = (struct source){p, n, o->sources};
    o->sources = s;
}

/* A precision is the most bytes to read: then no NUL is needed. */
static void emit_string(struct printing *o, const struct conversion *k)
{
    const struct argument *a = next_argument(o, k);
    const struct cc_type *to = library_pointee(a->type);
    bool characters = to && to->kind >= CC_CHAR && to->kind <= CC_UCHAR;
    if (!characters && !(to && to->kind == CC_VOID)) /* 7.16.1.1p2, void * for char * */
        wrong_type(o->c, k, a);
    struct text s = library_read_text(o->c, a->v.p, k->precision < 0 ? NO_LIMIT : k->precision);
    add_source(o, a->v.p, s.read);
    EMIT_BY_HOST(o, k, "", s.s);
}

static _Noreturn void invalid(struct printing *o, const struct conversion *k)
{
    FAIL(o->c, BUILTIN_ARGUMENT, "%.*s is no conversion", SPEC(k));
}

/* Flags, precision and length modifier that the letter does not take are undefined (p4 to p9). */
static void check_conversion(struct printing *o, const struct conversion *k)
{
    bool is_integer = strchr("diouxX", k->letter), is_float = strchr("aAeEfFgG", k->letter);
    bool is_number = is_integer || is_float;
    if (!k->letter || !strchr("diouxXaAeEfFgGcspn%", k->letter))
        invalid(o, k);
    if (k->letter == '%' && k->n != 2)
        invalid(o, k);
    if (strchr(k->flags, '#') && !(is_float || strchr("oxX", k->letter)))
        invalid(o, k);
    if (strchr(k->flags, '0') && !is_number)
        invalid(o, k);
    if (k->precision >= 0 && !is_number && k->letter != 's')
        invalid(o, k);
    if (k->length == LEN_NONE || (is_integer && k->length != LEN_LONG_DOUBLE) ||
        (is_float && k->length == LEN_L))
        return;
    if (is_float && k->length == LEN_LONG_DOUBLE)
        return;
    if (k->length == LEN_L && (k->letter == 'c' || k->letter == 's'))
        FAIL(o->c, UNDECIDED, "%.*s: wide characters", SPEC(k));
    if (k->letter != 'n')
        invalid(o, k);
}

static void emit_conversion(struct printing *o, const struct conversion *k)
{
    check_conversion(o, k);
    /* before the host tries */
    if (k->width > MAX_OUTPUT || (k->precision > MAX_OUTPUT && k->letter != 's'))
        FAIL(o->c, UNDECIDED, "too much output");
    switch (k->letter) {
    case '%':
        emit(o, "%", 1);
        break;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        emit_integer(o, k);
        break;
    case 'c':
        emit_character(o, k);
        break;
    case 's':
        emit_string(o, k);
        break;
    case 'p':
    case 'n':
        FAIL(o->c, UNDECIDED, "%.*s", SPEC(k));
    default:
        emit_float(o, k);
    }
}

/* Digits; a number that is far too large stays so. */
static int parse_count(const char **at)
{
    int n = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        if (n <= MAX_OUTPUT)
            n = n * 10 + (**at - '0');
    return n;
}

/* A * takes its number from the arguments. */
static int star(struct printing *o, struct conversion *k, const char **at)
{
    ++*at;
    k->n = (int)(*at - k->text);
    return int_argument(o, k);
}

static void add_flag(struct conversion *k, char flag)
{
    size_t n = strlen(k->flags);
    if (!strchr(k->flags, flag))
        k->flags[n] = flag;
}

/* A negative width is the flag - and a width (p5). */
static void set_width(struct conversion *k, int width)
{
    if (width < 0)
        add_flag(k, '-');
    k->width = width < 0 ? (width == INT_MIN ? INT_MAX : -width) : width;
}

/* What a conversion specification has in this order (p4); returns what follows it. */
static const char *parse_conversion(struct printing *o, const char *text, struct conversion *k)
{
    const char *at = text + 1;
    *k = (struct conversion){.text = text, .n = 1, .precision = -1};
    for (; *at && strchr("-+ #0", *at); at++)
        add_flag(k, *at);
    set_width(k, *at == '*' ? star(o, k, &at) : parse_count(&at));
    if (*at == '.') {
        at++;
        k->precision = *at == '*' ? star(o, k, &at) : parse_count(&at);
    }
    for (enum length l = LEN_HH; l <= LEN_LONG_DOUBLE; l++)
        if (strncmp(at, length_text[l], strlen(length_text[l])) == 0) {
            k->length = l;
            at += strlen(length_text[l]);
            break;
        }
    k->letter = *at;
    at += *at != '\0';
    k->n = (int)(at - text);
    return at;
}

/* The text that a format and its arguments make. */
static void format(struct printing *o, struct pointer pointer)
{
    struct text f = library_read_text(o->c, pointer, NO_LIMIT);
    o->text = library_space(o->c, MAX_OUTPUT);
    add_source(o, pointer, f.read);
    for (const char *at = f.s; *at;) {
        if (*at != '%') {
            size_t n = strcspn(at, "%");
            emit(o, at, n);
            at += n;
            continue;
        }
        struct conversion k;
        at = parse_conversion(o, at, &k);
        emit_conversion(o, &k);
    }
    o->c->in->steps += o->n; /* the next statement looks at it */
}

/* The format is parameter `at`; what it takes follows, or is in the list that follows. */
static struct printing format_arguments(struct call *c, uint32_t at, bool list)
{
    struct printing o = {.c = c, .taken = at + 1, .from_list = list};
    if (list)
        o.list = c->a[at + 1].p;
    format(&o, c->a[at].p);
    if (o.list_used)
        interp_spend_list(c->in, c->e, o.list);
    return o;
}

union value library_print_format(struct call *c, uint32_t at, bool list)
{
    struct printing o = format_arguments(c, at, list);
    if (at == 0)
        library_print(c, o.text, o.n);
    else
        library_write(c, c->a[0].p, o.text, o.n);
    return library_integer(c, (int64_t)o.n);
}

/* 7.21.6.5p2: of more than `size` bytes those that fit, and a NUL; nothing where it is 0. */
union value library_store_format(struct call *c, uint64_t size, uint32_t at, bool list)
{
    struct pointer to = c->a[0].p;
    struct printing o = format_arguments(c, at, list);
    if (size) {
        uint64_t n = o.n < size ? o.n : size - 1;
        char *text = library_space(c, n + 1);
        memcpy(text, o.text, (size_t)n);
        text[n] = '\0';
        library_need(c, to, n + 1);
        for (const struct source *s = o.sources; s; s = s->next)
            library_need_apart(c, to, n + 1, s->p, s->n);
        interp_write_bytes(c->in, c->e, to, n + 1, (const uint8_t *)text);
    }
    return library_integer(c, (int64_t)o.n);
}
