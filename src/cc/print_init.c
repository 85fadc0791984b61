/* Initialisers and string literals as text.
 *
 * A list is positional, as the tree has it; only a member of a union that is not the first needs a
 * designator. A container of C++ has as many elements as its list, so that zeros are written.
 *
 * In whole programs zeros are not, unless they are asked for: those at the end are left out, and a
 * designator stands for a run of them where it is shorter (6.7.9p21). An array of characters is the
 * string literal that it was imported from. A member without a name has no designator: its own
 * members have one each. */
#include "cc/print_internal.h"

#include "base/error.h"

#include <math.h>

enum { LIST_COLUMNS = 88, INNER_COLUMNS = 98 }; /* a list goes on in a new line behind these */

/* -- initialisers ----------------------------------------------------------------------------- */

static bool int_fits(const struct cc_type *to, cc_wide v, bool v_is_huge)
{
    if (cc_is_float(to))
        return v > -(1 << 24) && v < (1 << 24) && !v_is_huge;
    if (v_is_huge)
        return to->kind == CC_UINT128;
    return v >= cc_int_min(to) && (v < 0 || (cc_uwide)v <= cc_int_max(to));
}

/* Would C++ call the conversion narrowing, and so reject it in a list ([dcl.init.list]p7)? `e`
 * shows and will be converted to `to`. */
static bool narrows(const struct cc_type *to, const struct cc_expr *e)
{
    const struct cc_type *from = e->type->plain;
    if (to == from || !cc_is_arithmetic(to) || !cc_is_arithmetic(from) || to->kind == CC_ENUM)
        return false;
    if (e->kind == CC_E_INT)
        return !int_fits(to, e->value, e->value < 0 && !from->is_signed);
    if (e->kind == CC_E_FLOAT)
        return !cc_is_float(to);
    if (cc_is_float(from))
        return !(cc_is_float(to) && to->bits >= from->bits && to->size >= from->size);
    if (cc_is_float(to))
        return true;
    int spare =
        (int)to->bits - (to->is_signed ? 1 : 0) - ((int)from->bits - (from->is_signed ? 1 : 0));
    return spare < 0 || (from->is_signed && !to->is_signed);
}

static void put_element(struct printer *p, const struct cc_expr *e)
{
    if (e->kind == CC_E_LIST) {
        put_list(p, e);
        return;
    }
    const struct cc_expr *shown = print_visible(p, e);
    bool cast = p->language == CC_CXX17 && shown != e && narrows(e->type->plain, shown);
    if (!cast && p->whole) {
        put_stored(p, e, P_ASSIGN);
        return;
    }
    if (cast)
        put_type(p, e->type->plain);
    put_expr(p, shown, cast ? P_CAST : P_ASSIGN);
}

/* Between two elements of a list: the line goes on, or a new one begins. */
static void put_separator(struct printer *p, size_t columns)
{
    put_char(p, ',');
    if (p->n - p->line_start > columns && !p->macro_depth) {
        put_newline(p);
        put_indent(p, 2);
    } else {
        put_char(p, ' ');
    }
}

/* -- string literals --------------------------------------------------------------------------- */

/* A string literal in a message. */
static void put_plain_string(struct printer *p, const struct cc_expr *e)
{
    put_char(p, '"');
    for (uint32_t i = 0; i < e->n_args; i++) {
        unsigned char c = (unsigned char)e->text[i];
        if (c == '"' || c == '\\' || c == '?' || c < ' ' || c > '~') { /* no trigraphs, no UTF-8 */
            char octal[5];
            snprintf(octal, sizeof octal, "\\%03o", c);
            put_str(p, octal);
        } else {
            put_char(p, (char)c);
        }
    }
    put_char(p, '"');
}

/* What string literals of these elements begin with; NULL: there are none. wchar_t is int,
 * char16_t and char32_t are unsigned. */
static const char *string_prefix(const struct cc_type *element)
{
    switch (element->kind) {
    case CC_CHAR:
    case CC_SCHAR:
    case CC_UCHAR:
        return "";
    case CC_INT:
        return "L";
    case CC_USHORT:
        return "u";
    case CC_UINT:
        return "U";
    default:
        return NULL;
    }
}

static uint32_t unit_at(const unsigned char *bytes, uint32_t i, uint32_t width)
{
    uint32_t c = 0;
    for (uint32_t k = width; k-- > 0;)
        c = c << 8 | bytes[i * width + k];
    return c;
}

/* One element; `next` follows it. An octal escape ends after three digits, a hexadecimal one only
 * before what is no digit (6.4.4.4p7): then the literal is closed and opened again. */
static void put_unit(struct printer *p, uint32_t c, uint32_t before, uint32_t next,
                     const char *prefix)
{
    static const char escaped[] = "\nn\tt\rr\aa\bb\ff\vv\"\"\\\\"; /* pairs */
    char text[16];
    for (size_t i = 0; i + 1 < sizeof escaped && c; i += 2)
        if ((uint32_t)escaped[i] == c) {
            put_char(p, '\\');
            put_char(p, escaped[i + 1]);
            return;
        }
    if (c >= ' ' && c <= '~') {
        if (c == '?' && before == '?') /* 5.2.1.1: no trigraphs */
            put_char(p, '\\');
        put_char(p, (char)c);
        return;
    }
    bool digit = next >= '0' && next <= '7';
    bool hex_digit = (next >= '0' && next <= '9') || ((next | 32) >= 'a' && (next | 32) <= 'f');
    snprintf(text, sizeof text, c > 0777 ? "\\x%x" : digit ? "\\%03o" : "\\%o", c);
    put_str(p, text);
    if (c > 0777 && hex_digit) {
        PUT(p, "\" ");
        put_str(p, prefix);
        put_char(p, '"');
    }
}

/* `n` elements. */
static void put_string_bytes(struct printer *p, const unsigned char *bytes, uint32_t n,
                             const struct cc_type *element)
{
    uint32_t width = element->size;
    const char *prefix = string_prefix(element);
    REQUIRE(prefix);
    put_str(p, prefix);
    put_char(p, '"');
    for (uint32_t i = 0; i < n; i++)
        put_unit(p, unit_at(bytes, i, width), i ? unit_at(bytes, i - 1, width) : 0,
                 i + 1 < n ? unit_at(bytes, i + 1, width) : 0, prefix);
    put_char(p, '"');
}

/* The zeros between what `text` has and the one that ends the array are written. */
void put_string(struct printer *p, const struct cc_expr *e)
{
    uint32_t width = e->type->to->size, n = e->type->length ? e->type->length - 1 : 0;
    if (!p->whole) {
        put_plain_string(p, e);
        return;
    }
    if (n * width < e->n_args)
        n = e->n_args / width;
    unsigned char *bytes = mem_alloc((size_t)n * width + 1);
    memset(bytes, 0, (size_t)n * width + 1);
    memcpy(bytes, e->text, e->n_args);
    put_string_bytes(p, bytes, n, e->type->to);
    free(bytes);
}

/* -- lists of whole programs ------------------------------------------------------------------- */

/* Is the list that of a string literal, as an import has it? Wide ones are lists of numbers. */
static bool is_string_list(const struct printer *p, const struct cc_expr *e)
{
    const struct cc_type *t = e->type;
    if (!p->whole || t->kind != CC_ARRAY || t->to->size != 1 || t->to->kind == CC_BOOL ||
        !e->n_args || (p->language == CC_CXX17 && e->n_args == t->length))
        return false;
    for (uint32_t i = 0; i < e->n_args; i++)
        if (e->args[i]->kind != CC_E_INT || e->args[i]->spelling != CC_CHARACTER)
            return false;
    return true;
}

static void put_string_list(struct printer *p, const struct cc_expr *e)
{
    unsigned char *bytes = mem_alloc(e->n_args);
    for (uint32_t i = 0; i < e->n_args; i++)
        bytes[i] = (unsigned char)e->args[i]->value;
    put_string_bytes(p, bytes, e->n_args, e->type->to);
    free(bytes);
}

/* The first member that takes part (6.7.9p9), and the `at`th. */
static int field_at(const struct cc_record *r, uint32_t at)
{
    for (int i = 0; i < r->n_fields; i++)
        if (r->fields[i].name && at-- == 0)
            return i;
    return 0;
}

/* What an object that no initialiser names starts with (6.7.9p10, p21). */
static bool is_zero_init(const struct cc_expr *e)
{
    while (e->kind == CC_E_CAST && e->implicit)
        e = e->a;
    switch (e->kind) {
    case CC_E_INT:
        return e->value == 0;
    case CC_E_FLOAT:
        return e->number == 0 && !signbit(e->number);
    case CC_E_NULL:
        return true;
    case CC_E_LIST:
        if (e->type->kind == CC_UNION && e->n_args && e->field != field_at(e->type->record, 0))
            return false;
        for (uint32_t i = 0; i < e->n_args; i++)
            if (!is_zero_init(e->args[i]))
                return false;
        return true;
    default:
        return false;
    }
}

static void put_designator(struct printer *p, const char *name)
{
    put_char(p, '.');
    put_str(p, name);
    PUT(p, " = ");
}

/* The members of a member without a name, one designator each, since it has none itself. */
static void put_flat(struct printer *p, const struct cc_expr *e, bool *any)
{
    const struct cc_record *r = e->type->record;
    for (uint32_t i = 0; i < e->n_args || (i == 0 && !*any); i++) {
        int field = r->is_union ? e->field : field_at(r, i);
        const struct cc_expr *value = i < e->n_args ? e->args[i] : NULL;
        if (value && is_zero_init(value) && !is_zero_init(e))
            continue;
        if (value && value->kind == CC_E_LIST && whole_is_anonymous(&r->fields[field])) {
            put_flat(p, value, any);
            continue;
        }
        if (*any)
            PUT(p, ", ");
        put_designator(p, r->fields[field].name);
        if (value)
            put_element(p, value);
        else
            PUT(p, "{0}");
        *any = true;
    }
}

static void put_union_list(struct printer *p, const struct cc_expr *e)
{
    const struct cc_record *r = e->type->record;
    bool any = false;
    if (e->field == field_at(r, 0)) {
        put_element(p, e->args[0]);
    } else if (whole_is_anonymous(&r->fields[e->field]) && e->args[0]->kind == CC_E_LIST) {
        put_flat(p, e->args[0], &any);
    } else {
        put_designator(p, r->fields[e->field].name);
        put_element(p, e->args[0]);
    }
}

/* From zeros at `i` on to the next element that is none, if a designator is shorter than they. */
static uint32_t skip_zeros(const struct printer *p, const struct cc_expr *e, uint32_t i)
{
    char text[16];
    uint32_t to = i;
    size_t length = 0;
    for (; to < e->n_args && is_zero_init(e->args[to]); to++)
        length += e->args[to]->kind == CC_E_LIST ? 5 : 3; /* "{0}, ", "0, " */
    if (to == i || to == e->n_args || p->language == CC_CXX17 || e->type->kind == CC_VECTOR)
        return i;
    if (e->type->kind == CC_ARRAY)
        return length > (size_t)snprintf(text, sizeof text, "[%u] = ", to) ? to : i;
    const struct cc_field *f = &e->type->record->fields[field_at(e->type->record, to)];
    return length > strlen(f->name) + 4 && print_is_identifier(f->name) ? to : i;
}

static void put_short_list(struct printer *p, const struct cc_expr *e, size_t columns)
{
    uint32_t n = e->n_args;
    if (e->type->kind == CC_UNION && n) {
        put_union_list(p, e);
        return;
    }
    while (n && !p->zeros && is_zero_init(e->args[n - 1]))
        n--;
    if (!n) {
        const struct cc_type *t = e->type;
        bool bare = cc_is_record(t) && t->record->n_fields &&
                    t->record->fields[field_at(t->record, 0)].type->size == 0;
        if (p->language == CC_C11 && !bare)
            put_char(p, '0');
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            put_separator(p, columns);
        uint32_t to = p->zeros ? i : skip_zeros(p, e, i);
        if (to != i && e->type->kind == CC_ARRAY) {
            put_char(p, '[');
            put_decimal(p, to);
            PUT(p, "] = ");
        } else if (to != i) {
            put_designator(p, e->type->record->fields[field_at(e->type->record, to)].name);
        }
        i = to;
        put_element(p, e->args[i]);
    }
}

/* -- lists ------------------------------------------------------------------------------------ */

/* The braces of a list or compound literal. */
void put_list(struct printer *p, const struct cc_expr *e)
{
    if (e->kind == CC_E_LIST && is_string_list(p, e)) {
        put_string_list(p, e);
        return;
    }
    put_char(p, '{');
    size_t columns = p->list_depth++ ? INNER_COLUMNS : LIST_COLUMNS;
    if (is_string_list(p, e)) {
        put_string_list(p, e);
    } else if (p->whole && (cc_is_composite(e->type) || e->type->kind == CC_ARRAY)) {
        put_short_list(p, e, columns);
    } else {
        if (e->type->kind == CC_UNION && e->field > 0 && e->n_args)
            put_designator(p, e->type->record->fields[e->field].name);
        for (uint32_t i = 0; i < e->n_args; i++) {
            if (i)
                put_separator(p, columns);
            put_element(p, e->args[i]);
        }
        if (!e->n_args && p->language == CC_C11)
            put_char(p, '0');
    }
    p->list_depth--;
    put_char(p, '}');
}

void put_init(struct printer *p, const struct cc_expr *e)
{
    put_stored(p, e, P_ASSIGN);
}

/* The size of a vector or valarray with zeros in it, in parentheses: behind a name or a type. */
static void put_size(struct printer *p, const struct cc_type *array, enum cc_container c)
{
    bool nested = array->to->kind == CC_ARRAY;
    put_char(p, '(');
    if (c == CC_STD_VECTOR)
        put_decimal(p, array->length);
    if (nested) {
        if (c == CC_STD_VECTOR)
            PUT(p, ", ");
        put_container(p, array->to, c);
        put_size(p, array->to, c);
        if (c == CC_STD_VALARRAY)
            PUT(p, ", ");
    }
    if (c == CC_STD_VALARRAY) /* the value comes first */
        put_decimal(p, array->length);
    put_char(p, ')');
}

/* Braces alone do not make a GNU vector where a list of the library is wanted. */
static void put_lanes_type(struct printer *p, const struct cc_type *type)
{
    if (type->kind == CC_VECTOR)
        put_declarator(p, type->plain, "");
}

static void put_zero(struct printer *p, const struct cc_type *type, enum cc_container c)
{
    if (type->kind == CC_ARRAY) {
        put_container(p, type, c);
        put_size(p, type, c);
    } else if (type->kind == CC_POINTER) {
        PUT(p, "nullptr");
    } else if (type->kind < CC_N_BASIC) {
        put_char(p, '0');
    } else {
        put_lanes_type(p, type);
        PUT(p, "{}");
    }
}

/* A vector is as long as its list: what C would fill up with zeros is written. An std::array is a
 * struct around an array and has braces for both; its rest is zero as in C. */
static void put_container_list(struct printer *p, const struct cc_expr *e, enum cc_container c)
{
    const struct cc_type *type = e->type;
    REQUIRE(e->kind == CC_E_LIST);
    uint32_t n = c == CC_STD_ARRAY ? e->n_args : type->length;
    size_t columns = p->list_depth++ ? INNER_COLUMNS : LIST_COLUMNS;
    c == CC_STD_ARRAY ? PUT(p, "{{") : PUT(p, "{");
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            put_separator(p, columns);
        if (i >= e->n_args) {
            put_zero(p, type->to, c);
        } else if (type->to->kind == CC_ARRAY) {
            put_container_list(p, e->args[i], c);
        } else {
            if (e->args[i]->kind == CC_E_LIST)
                put_lanes_type(p, type->to);
            put_element(p, e->args[i]);
        }
    }
    c == CC_STD_ARRAY ? PUT(p, "}}") : PUT(p, "}");
    p->list_depth--;
}

void put_container_init(struct printer *p, const struct cc_var *v, enum cc_container c)
{
    bool is_automatic = !v->global && v->storage == CC_AUTO;
    if (v->init && v->init->n_args) {
        PUT(p, " = ");
        put_container_list(p, v->init, c);
    } else if (c != CC_STD_ARRAY) {
        put_size(p, v->type, c);
    } else if (v->init || !is_automatic) {
        PUT(p, " = {}");
    }
}
