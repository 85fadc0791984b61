/* What was read of a C file, for people: the tree, indented, a line per node. */
#ifndef ASSAY_TESTS_DUMP_H
#define ASSAY_TESTS_DUMP_H

#include "base/strbuf.h"
#include "cc/import/parsed.h"

static const struct {
    uint16_t flag;
    const char *name;
} flag_names[] = {
    {PARSED_ARROW, "->"},          {PARSED_FOLDED, "folded"},         {PARSED_IN_MACRO, "macro"},
    {PARSED_GLOBAL, "global"},     {PARSED_STATIC, "static"},         {PARSED_EXTERN, "extern"},
    {PARSED_REGISTER, "register"}, {PARSED_THREAD, "thread"},         {PARSED_INCLUDED, "included"},
    {PARSED_DEFINED, "defined"},   {PARSED_POSTFIX, "postfix"},       {PARSED_IMPLICIT, "implicit"},
    {PARSED_INLINE, "inline"},     {PARSED_ATTRIBUTES, "attributes"},
};

static void dump_bytes(const char *s, size_t n, struct strbuf *out)
{
    strbuf_addc(out, '"');
    for (size_t i = 0; i < n; i++)
        if (s[i] >= ' ' && s[i] <= '~' && s[i] != '"' && s[i] != '\\')
            strbuf_addc(out, s[i]);
        else
            strbuf_addf(out, "\\%03o", (unsigned char)s[i]);
    strbuf_addc(out, '"');
}

static bool has_value(const struct parsed_node *n)
{
    return n->kind == PARSED_INT || n->kind == PARSED_ENUMERATOR || n->kind == PARSED_CASE ||
           n->kind == PARSED_INDEX_DESIGNATOR || (n->kind == PARSED_FIELD && n->value >= 0);
}

static void dump_node(const struct parsed *p, uint32_t i, int depth, struct strbuf *out)
{
    const struct parsed_node *n = &p->nodes[i];
    strbuf_addf(out, "%*s%s", depth * 2, "", parsed_kind_name[n->kind]);
    if (n->name)
        strbuf_addf(out, " %s", parsed_string(p, n->name));
    for (unsigned op = n->op; op; op >>= 8)
        strbuf_addf(out, "%s%c", op == n->op ? " " : "", (char)op);
    if (n->type)
        strbuf_addf(out, " <%s>", parsed_string(p, p->types[n->type].name));
    if (has_value(n) && n->kind == PARSED_INT && !n->value2)
        strbuf_addf(out, " = %llu", (unsigned long long)n->value);
    else if (has_value(n))
        strbuf_addf(out, " = %lld", (long long)n->value);
    if ((n->kind == PARSED_CASE || n->kind == PARSED_INDEX_DESIGNATOR) && n->value2 != n->value)
        strbuf_addf(out, " ... %lld", (long long)n->value2);
    if (n->kind == PARSED_FLOAT || n->kind == PARSED_IMAGINARY)
        strbuf_addf(out, " = %.17g", n->number);
    if (n->kind == PARSED_FIELD)
        strbuf_addf(out, " at %llu", (unsigned long long)p->offsets[i]);
    if (n->text_size || n->kind == PARSED_STRING) {
        strbuf_addc(out, ' ');
        dump_bytes(parsed_string(p, n->text), n->text_size, out);
    }
    for (size_t f = 0; f < sizeof flag_names / sizeof *flag_names; f++)
        if (n->flags & flag_names[f].flag)
            strbuf_addf(out, " %s", flag_names[f].name);
    if (n->ref && n->ref != i)
        strbuf_addf(out, " -> line %u", p->nodes[n->ref].line);
    strbuf_addf(out, " (%u)\n", n->line);
    for (uint32_t c = n->first; c; c = p->nodes[c].next)
        dump_node(p, c, depth + 1, out);
}

static void parsed_dump(const struct parsed *p, struct strbuf *out)
{
    dump_node(p, 1, 0, out);
}

#endif
