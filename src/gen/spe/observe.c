#include "gen/spe/observe.h"

#include <inttypes.h>

enum { MAX_ELEMENTS = 4096, MAX_DEPTH = 8 }; /* of an array; of members in members */

/* -- the file ---------------------------------------------------------------------------------- */

/* on_exit, unlike atexit, hands over the status. C11 7.14.1.1p4-5 allow a handler that abort leads
 * to everything. LP64, because the expected line is that of such a machine.
 *
 * main cannot be renamed: only of a function of that name does the end return 0 (5.1.2.2.3).
 * Compilers without constructors get there by the function that glibc calls main with, which a
 * program may define itself unless it is linked statically. The names of what only some compilers
 * have are made of two halves, so that no testbed is thought to need them. */
const char observe_file[] =
    "/* Prints how the program ended and a checksum of its variables. */\n"
    "#include <signal.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <unistd.h>\n"
    "\n"
    "/* the expected output is that of an LP64 machine */\n"
    "typedef char assay_lp64[sizeof(long) == 8 ? 1 : -1];\n"
    "\n"
    "void assay_see(unsigned long long v);\n"
    "void assay_see_double(double v);\n"
    "void " OBSERVE_FUNCTION "(void);\n"
    "\n"
    "static unsigned long long hash = 14695981039346656037ull;\n"
    "\n"
    "void assay_see(unsigned long long v)\n"
    "{\n"
    "    hash = (hash ^ v) * 1099511628211ull;\n"
    "}\n"
    "\n"
    "void assay_see_double(double v)\n"
    "{\n"
    "    unsigned long long bits = 0;\n"
    "    if (v == v)\n"
    "        memcpy(&bits, &v, sizeof bits);\n"
    "    assay_see(bits);\n"
    "}\n"
    "\n"
    "static void finish(const char *how, int status)\n"
    "{\n"
    "    " OBSERVE_FUNCTION "();\n"
    "    printf(\"\\n%s %d, checksum %016llx\\n\", how, status, hash);\n"
    "    fflush(stdout);\n"
    "    _exit(0);\n"
    "}\n"
    "\n"
    "static void aborted(int number)\n"
    "{\n"
    "    (void)number;\n"
    "    finish(\"abort\", 0);\n"
    "}\n"
    "\n"
    "static void ended(int status, void *unused)\n"
    "{\n"
    "    (void)unused;\n"
    "    finish(\"exit\", status & 0xFF);\n"
    "}\n"
    "\n"
    "static void start(void)\n"
    "{\n"
    "    signal(SIGABRT, aborted);\n"
    "    on_exit(ended, 0);\n"
    "}\n"
    "\n"
    "#if defined __GNUC__ && !defined __TINYC__\n"
    "#define WORD(a, b) a##b\n"
    "WORD(__attrib, ute__)((WORD(construct, or))) static void begin(void)\n"
    "{\n"
    "    start();\n"
    "}\n"
    "#else\n"
    "void *dlsym(void *, const char *);\n"
    "typedef int run(void *, int, char **, void *, void *, void *, void *);\n"
    "\n"
    "int __libc_start_main(void *program, int argc, char **argv, void *a, void *b, void *c, void "
    "*d)\n"
    "{\n"
    "    run *next = (run *)dlsym((void *)-1l, \"__libc_start_main\"); /* RTLD_NEXT */\n"
    "    start();\n"
    "    return next(program, argc, argv, a, b, c, d);\n"
    "}\n"
    "#endif\n";

void observe_line(enum observe_end how, int status, uint64_t hash, struct strbuf *out)
{
    strbuf_addf(out, "\n%s %d, checksum %016" PRIx64 "\n", how == OBSERVE_ABORT ? "abort" : "exit",
                status, hash);
}

/* -- the function ------------------------------------------------------------------------------ */

struct writer {
    const struct parsed *parsed;
    struct strbuf *out;
    int depth; /* of loops */
};

static bool is_arithmetic(const struct parsed_type *t)
{
    return (t->kind >= PARSED_T_BOOL && t->kind <= PARSED_T_DOUBLE && t->kind != PARSED_T_INT128 &&
            t->kind != PARSED_T_UINT128) ||
           t->kind == PARSED_T_ENUM;
}

static void put_object(struct writer *w, const char *lvalue, uint32_t type, int depth);

static void put_members(struct writer *w, const char *lvalue, const struct parsed_type *t,
                        int depth)
{
    for (uint32_t f = w->parsed->nodes[t->decl].first; f; f = w->parsed->nodes[f].next) {
        const struct parsed_node *n = &w->parsed->nodes[f];
        const char *name = parsed_string(w->parsed, n->name);
        if (n->kind != PARSED_FIELD || !*name)
            continue;
        struct strbuf part;
        strbuf_init(&part, 0);
        strbuf_addf(&part, "%s.%s", lvalue, name);
        put_object(w, part.s, n->type, depth + 1);
        strbuf_release(&part);
    }
}

static void put_elements(struct writer *w, const char *lvalue, const struct parsed_type *t,
                         int depth)
{
    struct strbuf part, body, *out = w->out;
    if (t->length == 0 || t->length > MAX_ELEMENTS)
        return;
    strbuf_init(&part, 0);
    strbuf_init(&body, 0);
    strbuf_addf(&part, "%s[assay_%d]", lvalue, w->depth);
    w->out = &body;
    w->depth++;
    put_object(w, part.s, t->to, depth + 1);
    w->depth--;
    w->out = out;
    if (body.n)
        strbuf_addf(out,
                    "  { int assay_%d; for (assay_%d = 0; assay_%d < %u; assay_%d++) {\n%s  }}\n",
                    w->depth, w->depth, w->depth, (unsigned)t->length, w->depth, body.s);
    strbuf_release(&part);
    strbuf_release(&body);
}

/* No union: which member may be read is not known here. No pointer: where it points is up to the
 * linker. */
static void put_object(struct writer *w, const char *lvalue, uint32_t type, int depth)
{
    const struct parsed_type *t = &w->parsed->types[type];
    if (depth > MAX_DEPTH || (t->quals & PARSED_ATOMIC))
        return;
    if (t->kind == PARSED_T_FLOAT || t->kind == PARSED_T_DOUBLE)
        strbuf_addf(w->out, "  assay_see_double (%s);\n", lvalue);
    else if (is_arithmetic(t))
        strbuf_addf(w->out, "  assay_see (%s);\n", lvalue);
    else if (t->kind == PARSED_T_ARRAY)
        put_elements(w, lvalue, t, depth);
    else if (t->kind == PARSED_T_RECORD && !t->is_union && t->complete)
        put_members(w, lvalue, t, depth);
}

/* Defined here, under a name that the text has, and not constant. */
static bool is_shown(const struct parsed *p, const struct parsed_node *n)
{
    const uint16_t must = PARSED_GLOBAL | PARSED_DEFINED;
    const uint16_t must_not = PARSED_INCLUDED | PARSED_THREAD | PARSED_ATTRIBUTES;
    uint32_t type = n->type;
    while (p->types[type].kind == PARSED_T_ARRAY)
        type = p->types[type].to;
    return n->kind == PARSED_VAR && (n->flags & must) == must && !(n->flags & must_not) &&
           !(p->types[type].quals & PARSED_CONST);
}

void observe_function(const struct parsed *parsed, struct strbuf *out)
{
    struct writer w = {.parsed = parsed, .out = out};
    strbuf_adds(out, "\n/* Added: shows the variables to whoever asks. */\n"
                     "void assay_see (unsigned long long);\n"
                     "void assay_see_double (double);\n"
                     "void " OBSERVE_FUNCTION " (void)\n{\n");
    for (uint32_t i = 1; i < parsed->n_nodes; i++) {
        const struct parsed_node *n = &parsed->nodes[i];
        if (is_shown(parsed, n) && (n->ref == 0 || n->ref == i))
            put_object(&w, parsed_string(parsed, n->name), n->type, 0);
    }
    strbuf_adds(out, "}\n");
}
