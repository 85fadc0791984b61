/* The statements of main that hash a value, and print it by its name in the program. */
#include "cc/print_internal.h"

/* The expression as a string literal: always in C and without wrappers, so that the names that a
 * program prints depend on no option. */
static void put_quoted(struct printer *p, const struct cc_expr *e)
{
    enum cc_language language = p->language;
    enum cc_wrappers wrappers = p->wrappers;
    bool plain_types = p->plain_types;
    uint32_t kinds = p->kinds_used;
    p->language = CC_C11;
    p->wrappers = CC_WRAP_NONE;
    p->plain_types = false;
    put_char(p, '"');
    size_t start = p->n;
    put_expr(p, e, P_ASSIGN);
    for (size_t i = start; i < p->n; i++) {
        if (p->s[i] != '"' && p->s[i] != '\\')
            continue;
        put_char(p, ' ');
        memmove(p->s + i + 1, p->s + i, p->n - 1 - i);
        p->s[i++] = '\\';
    }
    put_char(p, '"');
    p->language = language;
    p->wrappers = wrappers;
    p->plain_types = plain_types;
    p->kinds_used = kinds;
}

/* The variables that index in `e`, from left to right. Returns how many; at most `max`. */
static int index_variables(const struct cc_expr *e, const struct cc_var **out, int n, int max)
{
    switch (e->kind) {
    case CC_E_MEMBER:
    case CC_E_CAST:
    case CC_E_DEREF:
    case CC_E_ADDR:
        return index_variables(e->a, out, n, max);
    case CC_E_BINARY:
        n = index_variables(e->a, out, n, max);
        return index_variables(e->b, out, n, max);
    case CC_E_INDEX:
        n = index_variables(e->a, out, n, max);
        e = e->b;
        while (e->kind == CC_E_CAST)
            e = e->a;
        if (e->kind == CC_E_VAR && n < max)
            out[n++] = e->var;
        return n;
    default:
        return n;
    }
}

static void put_indices(struct printer *p, const struct cc_expr *e, int depth)
{
    const struct cc_var *variables[16];
    int n = index_variables(e, variables, 0, 16);
    if (!n)
        return;
    put_newline(p);
    put_indent(p, depth);
    PUT(p, "if (print_hash_value)");
    put_newline(p);
    put_indent(p, depth + 1);
    PUT(p, "printf(\"index = ");
    for (int i = 0; i < n; i++)
        PUT(p, "[%d]");
    PUT(p, "\\n\"");
    for (int i = 0; i < n; i++) {
        PUT(p, ", ");
        if (variables[i]->type->kind > CC_INT)
            PUT(p, "(int)");
        put_str(p, variables[i]->name);
    }
    PUT(p, ");");
}

void put_checksum(struct printer *p, const struct cc_expr *e, int depth)
{
    const struct cc_expr *value = e->args[0];
    enum cc_kind kind = value->type->kind;
    if (kind == CC_FLOAT) {
        PUT(p, "transparent_crc_float(");
        p->uses.hash_float = true;
    } else if (kind == CC_DOUBLE) {
        PUT(p, "transparent_crc_double(");
        p->uses.hash_double = true;
    } else {
        PUT(p, "transparent_crc(");
        p->uses.hash_integer = true;
    }
    put_expr(p, value, P_ASSIGN);
    if (!p->no_print_names) {
        PUT(p, ", ");
        put_quoted(p, value);
        p->in_main ? PUT(p, ", print_hash_value") : PUT(p, ", 0");
    }
    PUT(p, ");");
    if (!p->no_print_names && !p->brief_main && p->in_main)
        put_indices(p, value, depth);
}
