/* Types, declarations, and the order of a whole unit (cc_print_unit).
 *
 * A declarator is printed as C has it, inside out: what stands left of the name (put_left), the
 * name, what stands right of it (put_right). Both walk from the type outwards to what it points to,
 * is made of or returns; a pointer to an array or function puts itself in parentheses (6.7.6).
 *
 * With several units, who uses what is found by one walk over all trees (survey): an object or
 * function is static only if nobody outside its unit uses it. Names are unique in the program, so
 * that giving one external linkage is always possible. */
#include "cc/print_internal.h"

#include "cc/build.h"
#include "cc/walk.h"

/* -- text ------------------------------------------------------------------------------------- */

void put_grow(struct printer *p, size_t n)
{
    size_t size = p->size ? p->size : 4096;
    while (size - p->n < n)
        size *= 2;
    p->s = mem_resize(p->s, size);
    p->size = size;
}

void put_indent(struct printer *p, int depth)
{
    static const char spaces[] = "                                                            ";
    for (size_t n = (size_t)depth * (p->whole ? 2 : 4); n > 0;) {
        size_t part = n < sizeof spaces - 1 ? n : sizeof spaces - 1;
        put(p, spaces, part);
        n -= part;
    }
}

void put_lines(struct printer *p, const char *text)
{
    for (;;) {
        size_t n = strcspn(text, "\n");
        put(p, text, n);
        if (!text[n])
            return;
        put_newline(p);
        text += n + 1;
    }
}

/* A blank line, where the text has any. */
static void put_blank(struct printer *p)
{
    if (!p->whole)
        put_newline(p);
}

/* Text from outside for a comment: it must not end it, nor seem to start another. */
static void put_comment_text(struct printer *p, const char *text, const char *next_line)
{
    for (; *text; text++) {
        if (*text == '\n') {
            put_newline(p);
            put_str(p, next_line);
        } else {
            put_char(p, *text);
            if ((text[0] == '*' && text[1] == '/') || (text[0] == '/' && text[1] == '*'))
                put_char(p, ' ');
        }
    }
}

void put_comment(struct printer *p, const char *text)
{
    PUT(p, "/* ");
    put_comment_text(p, text, " * ");
    PUT(p, " */");
}

/* -- who uses what ---------------------------------------------------------------------------- */

enum { USED_HERE = 1, USED_OUTSIDE = 2 }; /* by the unit being printed; not by its own unit */

static uint8_t survey_mark(const struct survey *s, int defined)
{
    return (uint8_t)((s->walked == s->printed ? USED_HERE : 0) |
                     (s->walked != defined ? USED_OUTSIDE : 0));
}

static bool survey_use(const struct cc_expr *e, void *survey)
{
    struct survey *s = survey;
    if (e->kind == CC_E_VAR)
        s->vars[e->var->id] |= survey_mark(s, e->var->unit);
    if (e->kind == CC_E_FUNC)
        s->funcs[e->func->id] |= survey_mark(s, e->func->unit);
    return false;
}

static bool is_hidden(const struct printer *p, const struct cc_var *v)
{
    return p->hide_globals && !(print_innermost(v->type)->quals & CC_CONST);
}

static void survey_program(struct survey *s, const struct printer *p)
{
    const struct cc_program *program = p->program;
    const struct cc_walk uses = {.expr = survey_use, .to = s};
    *s = (struct survey){.printed = p->unit};
    if (program->n_units <= 1)
        return;
    s->vars = mem_alloc(program->n_vars + 1);
    s->funcs = mem_alloc(program->n_funcs + 1);
    memset(s->vars, 0, program->n_vars + 1);
    memset(s->funcs, 0, program->n_funcs + 1);
    for (size_t i = 0; i < program->globals.n; i++) {
        const struct cc_var *v = program->globals.at[i];
        s->walked = v->unit;
        cc_walk_expr(v->init, &uses);
        s->walked = 0;
        if (program->main && !p->whole && is_hidden(p, v))
            s->vars[v->id] |= survey_mark(s, v->unit);
    }
    for (size_t i = 0; i < program->funcs.n; i++) {
        const struct cc_func *f = program->funcs.at[i];
        s->walked = f->unit;
        if (f != program->main)
            cc_walk_stmt(f->body, &uses);
    }
    s->walked = 0;
    if (program->main)
        cc_walk_stmt(program->main->body, &uses);
}

/* A header declares every global, so that all are external; static members are in any case. */
bool print_var_is_static(const struct printer *p, const struct survey *s, const struct cc_var *v)
{
    if (p->form != CC_FORM_REPEATED || (v->member_of && p->language == CC_CXX17))
        return false;
    return v->storage == CC_STATIC && !(s->vars && s->vars[v->id] & USED_OUTSIDE);
}

bool print_func_is_static(const struct survey *s, const struct cc_func *f)
{
    return f->storage == CC_STATIC && !(s->funcs && s->funcs[f->id] & USED_OUTSIDE);
}

/* Is any array of these statements a container? */
static bool stmt_has_container(const struct printer *p, const struct cc_stmt *s)
{
    if (!s)
        return false;
    if (s->kind == CC_S_DECL && print_container(p, s->var) != CC_C_ARRAY)
        return true;
    for (size_t i = 0; i < s->list.n; i++)
        if (stmt_has_container(p, s->list.at[i]))
            return true;
    return stmt_has_container(p, s->a) || stmt_has_container(p, s->b);
}

static bool program_has_container(const struct printer *p)
{
    for (size_t i = 0; i < p->program->globals.n; i++)
        if (print_container(p, p->program->globals.at[i]) != CC_C_ARRAY)
            return true;
    for (size_t i = 0; i < p->program->funcs.n; i++)
        if (stmt_has_container(p, p->program->funcs.at[i]->body))
            return true;
    return false;
}

/* -- sections --------------------------------------------------------------------------------- */

/* Does this unit, or the header, have to say that the variable is defined in another? */
static bool wants_extern(const struct printer *p, const struct survey *s, const struct cc_var *v)
{
    if (p->form == CC_FORM_INCLUDED || (v->member_of && p->language == CC_CXX17))
        return false;
    return p->form == CC_FORM_HEADER ||
           (s->vars && v->unit != p->unit && s->vars[v->id] & USED_HERE);
}

/* The definition of a global of this unit. */
void put_global(struct printer *p, const struct survey *s, const struct cc_var *v)
{
    bool is_static = print_var_is_static(p, s, v);
    if (!is_static && p->language == CC_CXX17 && v->type->has_const && !v->member_of &&
        p->form == CC_FORM_REPEATED)
        put_extern(p, v); /* [basic.link]p3: a const object would be internal */
    put_variable(p, v, is_static);
    put_newline(p);
}

void put_externs(struct printer *p, const struct survey *s)
{
    for (size_t i = 0; i < p->program->globals.n; i++)
        if (wants_extern(p, s, p->program->globals.at[i]))
            put_extern(p, p->program->globals.at[i]);
}

static void put_globals(struct printer *p, const struct survey *s)
{
    const struct cc_program *program = p->program;
    size_t start = p->n;
    put_externs(p, s);
    for (size_t i = 0; p->form != CC_FORM_HEADER && i < program->globals.n; i++) {
        const struct cc_var *v = program->globals.at[i];
        if (!s->vars || v->unit == p->unit)
            put_global(p, s, v);
    }
    if (p->n != start)
        put_blank(p);
}

static bool wants_prototype(const struct printer *p, const struct survey *s,
                            const struct cc_func *f)
{
    if (p->form == CC_FORM_HEADER)
        return !print_func_is_static(s, f);
    if (p->form == CC_FORM_INCLUDED && !print_func_is_static(s, f))
        return false;
    return !s->funcs || f->unit == p->unit || s->funcs[f->id] & USED_HERE;
}

static void put_prototypes(struct printer *p, const struct survey *s)
{
    const struct cc_program *program = p->program;
    size_t start = p->n;
    for (size_t i = 0; i < program->funcs.n; i++) {
        const struct cc_func *f = program->funcs.at[i];
        if (f == program->main || !wants_prototype(p, s, f))
            continue;
        put_function_head(p, f, print_func_is_static(s, f), false);
        put_char(p, ';');
        put_newline(p);
    }
    if (p->n != start)
        put_blank(p);
}

static void put_functions(struct printer *p, const struct survey *s)
{
    const struct cc_program *program = p->program;
    for (size_t i = 0; i < program->funcs.n; i++) {
        const struct cc_func *f = program->funcs.at[i];
        if (f == program->main || !f->body || (s->funcs && f->unit != p->unit))
            continue;
        if (f->comment) {
            put_comment(p, f->comment);
            put_newline(p);
        }
        put_function_head(p, f, print_func_is_static(s, f), true);
        put_newline(p);
        put_function_body(p, f);
        put_newline(p);
        put_newline(p);
    }
}

/* From here on a compiler has to take every global for known elsewhere, as if it were in another
 * unit. */
static void put_hiding(struct printer *p)
{
    for (size_t i = 0; i < p->program->globals.n; i++) {
        const struct cc_var *v = p->program->globals.at[i];
        if (!is_hidden(p, v))
            continue;
        put_indent(p, 1);
        print_innermost(v->type)->quals ? PUT(p, "hide((void *)&") : PUT(p, "hide(&");
        put_var_name(p, v);
        PUT(p, ");");
        put_newline(p);
    }
}

/* The tree has what is called and hashed; arguments, table and the last line come with the text. */
static void put_main(struct printer *p)
{
    const struct cc_stmt *body = p->program->main->body;
    size_t n = body->list.n;
    if (n && body->list.at[n - 1]->kind == CC_S_RETURN)
        n--;
    if (p->brief_main && !p->no_attributes) {
        PUT(p, "ATTRIBUTE((cold)) ");
        p->attributes_used = true;
    }
    put_lines(p,
              p->no_print_names ? "int main(void)\n{\n" : "int main(int argc, char *argv[])\n{\n");
    if (!p->no_print_names)
        put_lines(
            p, "    int print_hash_value = argc == 2 && argv[1][0] == '1' && argv[1][1] == 0;\n");
    p->in_main = true;
    put_lines(p, "    crc32_gentab();\n");
    put_hiding(p);
    put_list_of(p, p->program->main->body, 0, n, 1);
    p->in_main = false;
    put_lines(p, "    printf(\"checksum = %X\\n\", crc32_context ^ 0xFFFFFFFFU);\n"
                 "    return 0;\n}\n");
}

static void put_enum(struct printer *p, const struct cc_enum *e)
{
    PUT(p, "enum ");
    put_str(p, e->tag);
    PUT(p, " {");
    for (int i = 0; i < e->n_values; i++) {
        put_str(p, i ? ", " : " ");
        if (p->n - p->line_start > 88) {
            put_newline(p);
            put_indent(p, 1);
        }
        put_str(p, e->values[i].name);
        PUT(p, " = ");
        int64_t v = e->values[i].value;
        put_int(p, cc_basic(&p->program->types, v > INT32_MAX ? CC_UINT : CC_INT), v, CC_DECIMAL);
    }
    PUT(p, " };");
    put_newline(p);
}

/* Plain int as a bit-field's type may be unsigned (6.7.2p5), also behind a typedef. */
static void put_field(struct printer *p, const struct cc_field *f)
{
    const char *name = f->name ? f->name : "";
    put_indent(p, 1);
    if (f->bits >= 0 && (f->type->kind == CC_INT || f->type->kind == CC_UINT)) {
        put_quals(p, f->type->quals);
        put_str(p, f->type->is_signed ? "signed" : "unsigned");
        if (*name)
            put_char(p, ' ');
        put_str(p, name);
    } else {
        put_declarator(p, f->type, name);
    }
    if (f->bits >= 0) {
        PUT(p, " : ");
        put_decimal(p, (uint64_t)f->bits);
    }
    put_char(p, ';');
    put_newline(p);
}

void put_static_members(struct printer *p, const struct cc_type *type, bool one_line)
{
    for (size_t i = 0; i < p->program->globals.n; i++) {
        const struct cc_var *v = p->program->globals.at[i];
        if (v->member_of != type)
            continue;
        one_line ? put_char(p, ' ') : put_indent(p, 1);
        PUT(p, "static ");
        put_var_declarator(p, v, true);
        put_char(p, ';');
        if (!one_line)
            put_newline(p);
    }
}

static void put_record(struct printer *p, const struct cc_type *type)
{
    const struct cc_record *r = type->record;
    if (r->packed)
        put_lines(p, "#pragma pack(push, 1)\n");
    put_str(p, r->is_union ? "union " : "struct ");
    put_str(p, r->tag);
    put_lines(p, " {\n");
    for (int i = 0; i < r->n_fields; i++)
        put_field(p, &r->fields[i]);
    if (p->language == CC_CXX17)
        put_static_members(p, type, false);
    PUT(p, "}");
    if (r->aligned && !p->no_attributes) {
        PUT(p, " ATTRIBUTE((aligned(");
        put_decimal(p, r->aligned);
        PUT(p, ")))");
        p->attributes_used = true;
    }
    put_lines(p, ";\n");
    if (r->packed)
        put_lines(p, "#pragma pack(pop)\n");
    put_newline(p);
}

/* Without the attribute it would be another type, so that it is not left out or hidden. */
static void put_vector_typedef(struct printer *p, const struct cc_type *t)
{
    PUT(p, "typedef ");
    put_kind(p, t->to->kind);
    put_char(p, ' ');
    put_vector_name(p, t);
    PUT(p, " __attribute__((vector_size(");
    put_decimal(p, t->size);
    put_lines(p, ")));\n");
}

/* Ahead of all that may use them. */
static void put_vector_typedefs(struct printer *p)
{
    const struct cc_types *types = &p->program->types;
    size_t start = p->n;
    for (size_t i = 0; i < types->vectors.n; i++)
        if (p->types_used[types->vectors.at[i]->id])
            put_vector_typedef(p, types->vectors.at[i]);
    if (p->n != start)
        put_blank(p);
}

static void put_tagged(struct printer *p)
{
    const struct cc_types *types = &p->program->types;
    put_vector_typedefs(p);
    if (p->whole) {
        whole_put_tagged(p);
        return;
    }
    size_t start = p->n;
    for (size_t i = 0; i < types->enums.n; i++)
        if (p->types_used[types->enums.at[i]->id])
            put_enum(p, types->enums.at[i]->enumeration);
    if (p->n != start)
        put_blank(p);
    for (size_t i = 0; i < types->records.n; i++)
        if (p->types_used[types->records.at[i]->id])
            put_record(p, types->records.at[i]);
}

static void put_includes(struct printer *p)
{
    for (int c = CC_STD_ARRAY; c <= CC_STD_VALARRAY; c++) {
        if (!(p->containers_used >> c & 1))
            continue;
        PUT(p, "#include <");
        put_str(p, print_container_text[c]);
        put_lines(p, ">\n");
    }
    if (p->containers_used)
        put_blank(p);
}

/* For whom the program is: elsewhere it does not compile. Not by _Static_assert, which smaller
 * compilers lack. */
static void put_model(struct printer *p)
{
    const struct cc_model *m = p->program->types.model;
    PUT(p, "typedef char only_");
    for (const char *s = m->name; *s; s++)
        put_char(p, *s == '-' ? '_' : *s);
    PUT(p, "[sizeof(long) == ");
    put_decimal(p, m->long_size);
    put_lines(p, " ? 1 : -1];\n");
}

static void put_header(struct printer *p, const char *header)
{
    if (header) {
        PUT(p, "/* ");
        put_comment_text(p, header, " * ");
        put_lines(p, " */\n");
        put_blank(p);
    }
    if (p->form == CC_FORM_INCLUDED) {
        put_lines(p, "#include \"init.h\"\n");
        put_blank(p);
        return;
    }
    if (p->form == CC_FORM_HEADER)
        put_lines(p, "#ifndef INIT_H\n#define INIT_H\n");
    if (p->form == CC_FORM_HEADER)
        put_blank(p);
    put_includes(p);
    if (p->long_used && !p->whole)
        put_model(p);
    for (int kind = 0; kind < CC_N_BASIC; kind++) {
        if (!(p->kinds_used >> kind & 1))
            continue;
        PUT(p, "typedef ");
        put_str(p, cc_kind_text[kind]);
        put_char(p, ' ');
        put_str(p, print_fixed_name[kind]);
        put_lines(p, ";\n");
    }
    if (p->kinds_used)
        put_blank(p);
    if (p->program->ieee_floats) { /* each operation in its own type: 5.2.4.2.2p9 */
        put_str(p, p->language == CC_CXX17 ? "static_assert" : "_Static_assert");
        put_lines(p, "(__FLT_EVAL_METHOD__ == 0, \"floats of IEEE 754\");\n"
                     "#pragma STDC FP_CONTRACT OFF\n"); /* 7.12.2; GCC does not know it */
        put_blank(p);
    }
    if (p->attributes_used) /* a compiler that does not claim to be GNU C need not know them */
        put_lines(p, "#ifdef __GNUC__\n#define ATTRIBUTE(x) __attribute__(x)\n#else\n"
                     "#define ATTRIBUTE(x)\n#endif\n\n");
}

/* -- a unit ----------------------------------------------------------------------------------- */

enum section { S_BODY, S_AHEAD, S_TAGGED, S_SUPPORT, S_HEADER, SECTIONS };

struct mark {
    size_t at;      /* where the section starts in the scratch text */
    uint32_t lines; /* how many it has */
};

static void begin_section(struct printer *p, struct mark *marks, enum section s)
{
    if (s)
        marks[s - 1].lines = p->line - 1;
    marks[s].at = p->n;
    p->line = 1;
    p->line_start = p->n;
}

bool print_has_main(const struct printer *p)
{
    return p->program->main && p->unit == 0;
}

static void put_declarations(struct printer *p, const struct survey *s)
{
    put_prototypes(p, s);
    put_globals(p, s);
    put_lines(p, "#endif\n");
}

static void put_definitions(struct printer *p, const struct survey *s)
{
    if (p->whole) {
        whole_put_definitions(p, s);
        return;
    }
    put_prototypes(p, s); /* ahead of globals, whose initialisers may name functions */
    put_globals(p, s);
    put_functions(p, s);
    if (print_has_main(p))
        put_main(p);
}

static void put_support(struct printer *p)
{
    bool frame = print_has_main(p) && !p->whole;
    if (frame)
        support_put_checksum(p);
    if (frame && p->hide_globals)
        support_put_hide(p);
    support_put_wrappers(p);
}

/* What the units use that only the header will declare: print them all and forget the text. */
static void note_units(struct printer *p, const struct survey *s)
{
    size_t start = p->n;
    p->form = CC_FORM_INCLUDED;
    for (int unit = 0; unit < p->program->n_units; unit++) {
        p->unit = unit;
        put_definitions(p, s);
        if (p->whole)
            whole_put_ahead(p, s);
        put_support(p);
        p->n = p->line_start = start;
    }
    p->form = CC_FORM_HEADER;
}

static struct printer new_printer(struct cc_program *program, const struct cc_print_options *o)
{
    struct printer p = {
        .program = program,
        .form = o->form,
        .hide_globals = o->hide_globals,
        .language = o->language,
        .wrappers = o->wrappers,
        .plain_types = o->plain_types,
        .plain_numbers = o->plain_numbers,
        .site = o->site,
        .no_attributes = o->no_attributes,
        .no_print_names = o->no_print_names,
        .brief_main = o->brief_main,
        .whole = o->whole_main,
        .braces = o->braces,
        .zeros = o->zeros,
        .unit = o->unit,
    };
    /* The C++ library has its own int64_t, which may be `long`. */
    p.plain_types |= o->language == CC_CXX17 && program_has_container(&p);
    put_grow(&p, 1 << 18);
    p.types_used = mem_alloc(program->types.n + 1);
    memset(p.types_used, 0, program->types.n + 1);
    if (p.whole)
        whole_begin(&p);
    return p;
}

/* One text, unit or header; what was noted before is used too. */
static void print_text(struct printer *p, const struct survey *survey, const char *comment,
                       struct strbuf *out)
{
    struct mark marks[SECTIONS + 1]; /* the last is the end */
    p->n = 0;
    p->printed.n = 0;
    p->set_lines = p->form != CC_FORM_HEADER;
    /* In the order of discovery: bodies use types and wrappers, wrappers and records use types. */
    begin_section(p, marks, S_BODY);
    if (p->form == CC_FORM_HEADER)
        put_declarations(p, survey);
    else
        put_definitions(p, survey);
    begin_section(p, marks, S_AHEAD);
    if (p->whole && p->form != CC_FORM_HEADER)
        whole_put_ahead(p, survey);
    begin_section(p, marks, S_TAGGED);
    if (p->form != CC_FORM_INCLUDED)
        put_tagged(p);
    begin_section(p, marks, S_SUPPORT);
    if (p->form != CC_FORM_HEADER)
        put_support(p);
    begin_section(p, marks, S_HEADER);
    put_header(p, comment);
    begin_section(p, marks, SECTIONS);

    static const enum section order[] = {S_HEADER, S_TAGGED, S_SUPPORT, S_AHEAD, S_BODY};
    uint32_t above = 0;
    for (int i = 0; i < SECTIONS; i++) {
        const struct mark *m = &marks[order[i]];
        strbuf_add(out, p->s + m->at, m[1].at - m->at);
        if (order[i] != S_BODY)
            above += m->lines;
    }
    for (size_t i = 0; i < p->printed.n; i++)
        p->printed.at[i]->line += above;
}

static void release_printer(struct printer *p, struct survey *s)
{
    vec_release(&p->printed);
    free(s->vars);
    free(s->funcs);
    free(p->types_used);
    free(p->s);
    whole_end(p);
}

void cc_print_unit(struct cc_program *program, const struct cc_print_options *o, struct strbuf *out)
{
    struct printer p = new_printer(program, o);
    struct survey survey;
    survey_program(&survey, &p);
    if (o->form == CC_FORM_HEADER)
        note_units(&p, &survey);
    print_text(&p, &survey, o->header, out);
    release_printer(&p, &survey);
}

void cc_print_parts(struct cc_program *program, const struct cc_print_options *o,
                    struct strbuf *header, struct strbuf *units)
{
    struct printer p = new_printer(program, o);
    struct survey survey;
    survey_program(&survey, &p);
    p.form = CC_FORM_INCLUDED;
    for (int unit = 0; unit < program->n_units; unit++) {
        p.unit = unit;
        p.uses = (struct support_uses){0};
        print_text(&p, &survey, o->header, &units[unit]);
    }
    p.form = CC_FORM_HEADER;
    print_text(&p, &survey, o->header, header);
    release_printer(&p, &survey);
}

/* -- pieces ----------------------------------------------------------------------------------- */

static void finish_piece(struct printer *p, struct strbuf *out)
{
    strbuf_add(out, p->s, p->n);
    free(p->s);
}

void cc_print_expr(const struct cc_program *program, const struct cc_expr *e, struct strbuf *out)
{
    struct printer p = {.program = program, .wrappers = CC_WRAP_NONE, .line = 1};
    put_expr(&p, e, P_COMMA);
    finish_piece(&p, out);
}

void cc_print_stmt(struct cc_program *program, struct cc_stmt *s, int indent, struct strbuf *out)
{
    struct printer p = {.program = program, .wrappers = CC_WRAP_NONE, .line = 1};
    put_stmt(&p, s, indent);
    finish_piece(&p, out);
}

void cc_print_declarator(const struct cc_type *type, const char *name, struct strbuf *out)
{
    struct printer p = {.line = 1};
    put_declarator(&p, type, name);
    finish_piece(&p, out);
}
