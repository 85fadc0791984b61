/* The parts of a whole program: types, declarations, and the order that C wants them in.
 *
 * Records. What is only pointed to is only declared; what an object, a member access or pointer
 * arithmetic needs is defined, behind the records that it contains. A record that is first named
 * between the parentheses of a parameter list would be a type of its own there (6.2.1p4): it is
 * declared before. Layouts are the tree's: where the members would lie elsewhere by the rules of
 * the ABI, attributes put them in their place (lay_out).
 *
 * Globals. An initialiser may name what is defined behind it. Such globals are printed first; those
 * that name each other in a circle are declared (6.9.2p2: static ones by a tentative definition).
 *
 * Functions. A prototype is printed where a function is named before its definition: known when the
 * bodies are printed, so that this section is made behind them. */
#include "cc/print_internal.h"

#include "cc/library.h"
#include "cc/walk.h"

enum { RECORD_COLUMNS = 80 }; /* a record of at most so many is one line */

/* -- state ------------------------------------------------------------------------------------ */

bool whole_is_anonymous(const struct cc_field *f)
{
    return f->name && !strncmp(f->name, "(anonymous", 10) && cc_is_record(f->type);
}

static void *zeros(size_t n)
{
    return memset(mem_alloc(n + 1), 0, n + 1);
}

void whole_begin(struct printer *p)
{
    const struct cc_types *types = &p->program->types;
    p->func_state = zeros(p->program->n_funcs);
    p->types_complete = zeros(types->n);
    p->types_inline = zeros(types->n);
    for (size_t i = 0; i < types->records.n; i++) {
        const struct cc_record *r = types->records.at[i]->record;
        for (int k = 0; k < r->n_fields; k++)
            if (whole_is_anonymous(&r->fields[k]))
                p->types_inline[r->fields[k].type->plain->id] = true;
    }
    print_names_init(p);
}

void whole_end(struct printer *p)
{
    if (!p->whole)
        return;
    free(p->func_state);
    free(p->types_complete);
    free(p->types_inline);
    vec_release(&p->enumerators);
    print_names_release(&p->names);
}

/* -- types in use ----------------------------------------------------------------------------- */

void whole_name_type(struct printer *p, const struct cc_type *t)
{
    while (t->kind == CC_ARRAY || t->kind == CC_POINTER || t->kind == CC_FUNCTION) {
        if (t->kind == CC_FUNCTION)
            for (int i = 0; i < t->n_params; i++)
                whole_name_type(p, t->params[i]);
        t = t->to;
    }
    if (t->kind >= CC_N_BASIC && !whole_is_va_list(p, t))
        p->types_used[t->plain->id] = true;
}

static const struct cc_type *element_of(const struct cc_type *t)
{
    while (t->kind == CC_ARRAY)
        t = t->to;
    return t->plain;
}

void whole_complete(struct printer *p, const struct cc_type *t)
{
    t = element_of(t);
    if (!cc_is_record(t) || p->types_complete[t->id] || whole_is_va_list(p, t))
        return;
    p->types_complete[t->id] = p->types_used[t->id] = true;
    for (int i = 0; i < t->record->n_fields; i++) {
        whole_name_type(p, t->record->fields[i].type);
        whole_complete(p, t->record->fields[i].type);
    }
    for (size_t i = 0; p->language == CC_CXX17 && i < p->program->globals.n; i++)
        if (p->program->globals.at[i]->member_of == t)
            whole_name_type(p, p->program->globals.at[i]->type);
}

/* -- enumerations ----------------------------------------------------------------------------- */

static bool is_used(const struct printer *p, const struct cc_enumerator *e)
{
    for (size_t i = 0; i < p->enumerators.n; i++)
        if (p->enumerators.at[i] == e)
            return true;
    return false;
}

static void put_enumerator(struct printer *p, const char *name, int64_t value, int64_t *next)
{
    put_str(p, name);
    if (value != *next) {
        PUT(p, " = ");
        put_int(p, cc_basic(&p->program->types, CC_INT), value, CC_DECIMAL);
    }
    *next = value + 1;
}

/* Values are what counts: an enumerator is there if it is named, or if the type would be another
 * one without it (it is signed where a value is negative). C++ asks for all of them, since its
 * enumerations have no other values than those between ([dcl.enum]p8). */
static void put_enum(struct printer *p, const struct cc_type *t)
{
    const struct cc_enum *e = t->enumeration;
    int64_t next = 0;
    bool any = false, negative = false;
    PUT(p, "enum ");
    put_str(p, print_tag(p, t));
    PUT(p, " { ");
    for (int i = 0; i < e->n_values; i++) {
        if (p->language == CC_C11 && !is_used(p, &e->values[i]))
            continue;
        if (any)
            PUT(p, ", ");
        put_enumerator(p, e->values[i].name, e->values[i].value, &next);
        any = true;
        negative |= e->values[i].value < 0;
    }
    for (int i = 0; i < e->n_values && (!any || negative != t->is_signed); i++) {
        if ((e->values[i].value < 0) != t->is_signed)
            continue;
        if (any)
            PUT(p, ", ");
        put_enumerator(p, print_enumerator_name(p, e->values[i].name), e->values[i].value, &next);
        any = true;
        negative = t->is_signed;
    }
    PUT(p, " };");
    put_newline(p);
}

/* -- layouts ---------------------------------------------------------------------------------- */

/* What a record needs so that its members lie where the tree has them. */
struct placing {
    bool packed;
    uint32_t align;    /* of the record, bytes; 0: by its members */
    uint32_t *aligned; /* by member: its attribute, bytes; 0: none */
};

static uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

enum { VA_LIST_SIZE = 24, VA_LIST_ALIGN = 8, MOST_ALIGN = 1 << 16 }; /* x86-64's ABI, 3.5.7 */

/* A va_list is another record for interp than for compilers. */
static uint64_t size_bits(const struct printer *p, const struct cc_type *t)
{
    uint64_t n = 8;
    for (; t->kind == CC_ARRAY; t = t->to)
        n *= t->length;
    return n * (whole_is_va_list(p, t) ? VA_LIST_SIZE : t->size);
}

static uint64_t align_bits(const struct printer *p, const struct cc_type *t)
{
    t = element_of(t);
    return 8 * (uint64_t)(whole_is_va_list(p, t) ? VA_LIST_ALIGN : t->align);
}

/* Where a member goes by the ABI, in bits: the first bit that is free being `next`. */
static uint64_t natural_place(const struct printer *p, const struct cc_field *f, uint64_t next,
                              bool packed)
{
    uint64_t align = align_bits(p, f->type);
    if (f->bits == 0) /* not influenced by packing */
        return round_up(next, align);
    if (f->bits < 0)
        return round_up(next, packed ? 8 : align);
    bool spans = next % align + (uint64_t)f->bits > size_bits(p, f->type);
    return spans && !packed ? round_up(next, align) : next;
}

/* Try whether the members get to their places; fills `out`. */
static bool lay_out(const struct printer *p, const struct cc_type *t, bool packed,
                    struct placing *out)
{
    const struct cc_record *r = t->record;
    uint64_t next = 0, size = 0, most = 8;
    out->packed = packed;
    for (int i = 0; i < r->n_fields; i++) {
        const struct cc_field *f = &r->fields[i];
        uint64_t wanted = (uint64_t)f->offset * 8 + f->bit;
        uint64_t align = packed ? 8 : align_bits(p, f->type);
        next = r->is_union ? 0 : next;
        uint64_t at = natural_place(p, f, next, packed);
        out->aligned[i] = 0;
        for (uint64_t a = 2 * align; f->bits && at != wanted && a <= 8 * MOST_ALIGN; a *= 2) {
            at = round_up(next, a);
            out->aligned[i] = (uint32_t)(a / 8);
        }
        if (f->bits && at != wanted)
            return false;
        next = at + (f->bits < 0 ? size_bits(p, f->type) : (uint64_t)f->bits);
        size = next > size ? next : size;
        align = out->aligned[i] ? 8 * (uint64_t)out->aligned[i] : align;
        if ((f->bits < 0 || f->name) && most < align)
            most = align;
    }
    out->align = 8 * (uint64_t)t->align > most ? t->align : 0;
    return 8 * (uint64_t)t->align >= most &&
           round_up(size, 8 * (uint64_t)t->align) == 8 * (uint64_t)t->size;
}

/* A layout that no attributes lead to is left to the compiler. */
static struct placing placing_of(struct printer *p, const struct cc_type *t)
{
    struct placing out = {.aligned =
                              arena_array(&p->names.arena, uint32_t, t->record->n_fields + 1)};
    if (lay_out(p, t, false, &out) || lay_out(p, t, true, &out))
        return out;
    memset(out.aligned, 0, (size_t)t->record->n_fields * sizeof *out.aligned);
    out.packed = t->record->packed;
    out.align = 0;
    return out;
}

/* -- records ---------------------------------------------------------------------------------- */

static void put_members(struct printer *p, const struct cc_type *t, const struct placing *place,
                        int depth, bool one_line);

static void put_aligned(struct printer *p, uint32_t align)
{
    PUT(p, " __attribute__((aligned(");
    put_decimal(p, align);
    PUT(p, ")))");
}

static void put_record_end(struct printer *p, const struct placing *place)
{
    if (place->packed && !p->no_attributes)
        PUT(p, " __attribute__((packed))");
    if (place->align)
        put_aligned(p, place->align);
}

/* "struct { int a; }": of a member without a name. */
static void put_inline_record(struct printer *p, const struct cc_field *f, int depth, bool one_line)
{
    const struct cc_type *t = f->type->plain;
    struct placing place = placing_of(p, t);
    put_quals(p, f->type->quals);
    t->kind == CC_UNION ? PUT(p, "union {") : PUT(p, "struct {");
    put_members(p, t, &place, depth + 1, one_line);
    one_line ? put_char(p, ' ') : put_indent(p, depth);
    put_char(p, '}');
    put_record_end(p, &place);
}

/* An array of no elements: standard C has it at the end of a struct that has more (6.7.2.1p18). */
static bool is_flexible(const struct cc_record *r, int i)
{
    return !r->is_union && i == r->n_fields - 1 && i > 0;
}

static void put_width(struct printer *p, const struct cc_field *f)
{
    if (f->bits < 0)
        return;
    PUT(p, " : ");
    put_decimal(p, (uint64_t)f->bits);
}

/* May the next member join the declaration: `int a, b;`? */
static bool joins(const struct cc_record *r, int i, const struct placing *place)
{
    const struct cc_field *f = &r->fields[i];
    return i + 1 < r->n_fields && f[1].type == f->type && f->name && f[1].name &&
           !whole_is_anonymous(f) && f->type->kind != CC_POINTER && f->type->kind != CC_ARRAY &&
           !place->aligned[i] && !place->aligned[i + 1];
}

static const char *field_name(struct printer *p, const struct cc_field *f)
{
    if (!f->name || print_is_identifier(f->name))
        return f->name ? f->name : "";
    return print_fresh_name(p, f->name);
}

/* Member `i` and those that join it; returns the last of them. */
static int put_member(struct printer *p, const struct cc_record *r, int i,
                      const struct placing *place, int depth, bool one_line)
{
    const struct cc_field *f = &r->fields[i];
    if (whole_is_anonymous(f)) {
        put_inline_record(p, f, depth, one_line);
    } else {
        p->zero_arrays = !is_flexible(r, i);
        put_declarator(p, f->type, field_name(p, f));
        p->zero_arrays = false;
        put_width(p, f);
    }
    if (place->aligned[i])
        put_aligned(p, place->aligned[i]);
    for (; joins(r, i, place); i++) {
        PUT(p, ", ");
        put_str(p, field_name(p, &r->fields[i + 1]));
        put_width(p, &r->fields[i + 1]);
    }
    put_char(p, ';');
    return i;
}

static void put_members(struct printer *p, const struct cc_type *t, const struct placing *place,
                        int depth, bool one_line)
{
    const struct cc_record *r = t->record;
    if (!one_line)
        put_newline(p);
    for (int i = 0; i < r->n_fields; i++) {
        one_line ? put_char(p, ' ') : put_indent(p, depth);
        i = put_member(p, r, i, place, depth, one_line);
        if (!one_line)
            put_newline(p);
    }
    if (p->language == CC_CXX17)
        put_static_members(p, t, one_line);
}

static void put_record_as(struct printer *p, const struct cc_type *t, const struct placing *place,
                          bool one_line)
{
    t->kind == CC_UNION ? PUT(p, "union ") : PUT(p, "struct ");
    put_str(p, print_tag(p, t));
    PUT(p, " {");
    put_members(p, t, place, 1, one_line);
    put_str(p, one_line ? " }" : "}");
    put_record_end(p, place);
    put_char(p, ';');
}

static void put_record(struct printer *p, const struct cc_type *t)
{
    struct placing place = placing_of(p, t);
    bool pragma = place.packed && p->no_attributes;
    if (pragma)
        put_lines(p, "#pragma pack(push, 1)\n");
    size_t start = p->n;
    put_record_as(p, t, &place, true);
    if (p->n - start > RECORD_COLUMNS) {
        p->n = start;
        put_record_as(p, t, &place, false);
    }
    put_newline(p);
    if (pragma)
        put_lines(p, "#pragma pack(pop)\n");
}

/* -- types in order --------------------------------------------------------------------------- */

enum { KNOWN_NOT, KNOWN_DECLARED, KNOWN_DEFINED };

struct ordering {
    struct printer *p;
    uint8_t *known; /* by id of a record */
};

static void declare_record(struct ordering *o, const struct cc_type *t)
{
    struct printer *p = o->p;
    t = t->plain;
    if (o->known[t->id] || whole_is_va_list(p, t))
        return;
    o->known[t->id] = KNOWN_DECLARED;
    t->kind == CC_UNION ? PUT(p, "union ") : PUT(p, "struct ");
    put_str(p, print_tag(p, t));
    put_char(p, ';');
    put_newline(p);
}

/* Records that a parameter list names come first; `in_list`: we are in one. */
static void declare_in_lists(struct ordering *o, const struct cc_type *t, bool in_list)
{
    while (t->kind == CC_ARRAY || t->kind == CC_POINTER || t->kind == CC_FUNCTION) {
        for (int i = 0; t->kind == CC_FUNCTION && i < t->n_params; i++)
            declare_in_lists(o, t->params[i], true);
        t = t->to;
    }
    if (cc_is_record(t) && in_list)
        declare_record(o, t);
}

/* Outside of lists a name declares what it names. */
static void note_declared(struct ordering *o, const struct cc_type *t)
{
    while (t->kind == CC_ARRAY || t->kind == CC_POINTER || t->kind == CC_FUNCTION)
        t = t->to;
    if (cc_is_record(t) && !o->known[t->plain->id])
        o->known[t->plain->id] = KNOWN_DECLARED;
}

static void define_record(struct ordering *o, const struct cc_type *t);

/* What the members need, those of members without a name included. */
static void prepare_members(struct ordering *o, const struct cc_record *r)
{
    for (int i = 0; i < r->n_fields; i++) {
        const struct cc_type *t = element_of(r->fields[i].type);
        if (whole_is_anonymous(&r->fields[i]))
            prepare_members(o, t->record);
        else if (cc_is_record(t))
            define_record(o, t);
    }
    for (int i = 0; i < r->n_fields; i++)
        declare_in_lists(o, r->fields[i].type, false);
}

static void define_record(struct ordering *o, const struct cc_type *t)
{
    struct printer *p = o->p;
    if (o->known[t->id] == KNOWN_DEFINED || whole_is_va_list(p, t))
        return;
    if (!t->size) { /* declared is all it is */
        declare_record(o, t);
        return;
    }
    o->known[t->id] = KNOWN_DEFINED;
    prepare_members(o, t->record);
    put_record(p, t);
    for (int i = 0; i < t->record->n_fields; i++)
        note_declared(o, t->record->fields[i].type);
}

void whole_put_tagged(struct printer *p)
{
    const struct cc_types *types = &p->program->types;
    struct ordering o = {p, zeros(types->n)};
    for (size_t i = 0; i < p->enumerators.n; i++)
        print_enumerator_name(p, p->enumerators.at[i]->name); /* taken */
    for (size_t i = 0; i < types->enums.n; i++)
        if (p->types_used[types->enums.at[i]->id])
            put_enum(p, types->enums.at[i]);
    for (size_t i = 0; i < types->records.n; i++) {
        const struct cc_type *t = types->records.at[i];
        if (p->types_complete[t->id] && !p->types_inline[t->id])
            define_record(&o, t);
    }
    for (size_t i = 0; i < types->records.n; i++)
        if (p->types_used[types->records.at[i]->id] && !p->types_inline[types->records.at[i]->id])
            declare_record(&o, types->records.at[i]);
    free(o.known);
}

/* -- globals ---------------------------------------------------------------------------------- */

enum { GLOBAL_UNSEEN, GLOBAL_WAITS, GLOBAL_DECLARED, GLOBAL_DEFINED };

struct globals {
    struct printer *p;
    const struct survey *s;
    uint8_t *state;            /* by id */
    const struct cc_var *last; /* the one whose definition ends at `end` of the text; or NULL */
    size_t end;
};

/* stdin, stdout, stderr: the import has them as pointers to themselves. */
static bool is_stream(const struct cc_var *v)
{
    const struct cc_expr *e = v->init;
    if (v->storage != CC_EXTERN || !e || v->type->kind != CC_POINTER)
        return false;
    while (e->kind == CC_E_CAST)
        e = e->a;
    bool itself = e->kind == CC_E_ADDR && e->a->kind == CC_E_VAR && e->a->var == v;
    return itself &&
           (!strcmp(v->name, "stdin") || !strcmp(v->name, "stdout") || !strcmp(v->name, "stderr"));
}

static void define_global(struct globals *g, const struct cc_var *v);

static void see_global(struct globals *g, const struct cc_var *v, const struct cc_var *by)
{
    struct printer *p = g->p;
    if (!v->global || v == by || (g->s->vars && v->unit != p->unit))
        return;
    if (g->state[v->id] == GLOBAL_UNSEEN)
        define_global(g, v);
    if (g->state[v->id] != GLOBAL_WAITS)
        return;
    g->state[v->id] = GLOBAL_DECLARED; /* a circle */
    if (print_var_is_static(p, g->s, v)) {
        struct cc_var bare = *v;
        bare.init = NULL;
        put_variable(p, &bare, true);
        put_newline(p);
    } else {
        put_extern(p, v);
    }
}

struct seeing { /* the uses in an initialiser */
    struct globals *globals;
    const struct cc_var *by;
};

static bool see_use(const struct cc_expr *e, void *to)
{
    const struct seeing *seeing = to;
    if (e->kind == CC_E_VAR)
        see_global(seeing->globals, e->var, seeing->by);
    return false;
}

/* `int a, b;`: of the same kind as the one before it, with nothing between them. */
static bool joins_last(const struct globals *g, const struct cc_var *v)
{
    const struct printer *p = g->p;
    return g->last && g->end == p->n && p->language == CC_C11 && print_joins(p, g->last, v) &&
           print_var_is_static(p, g->s, g->last) == print_var_is_static(p, g->s, v) &&
           !(g->last->type->quals | v->type->quals);
}

static void define_global(struct globals *g, const struct cc_var *v)
{
    struct printer *p = g->p;
    if (g->state[v->id] != GLOBAL_UNSEEN)
        return;
    g->state[v->id] = GLOBAL_WAITS;
    if (is_stream(v)) {
        put_extern(p, v);
    } else {
        cc_walk_expr(v->init, &(struct cc_walk){.expr = see_use, .to = &(struct seeing){g, v}});
        whole_complete(p, v->type);
        if (joins_last(g, v)) {
            p->n -= 2; /* its semicolon, and the newline */
            PUT(p, ", ");
            put_variable_part(p, v, true);
            PUT(p, ";");
            put_newline(p);
        } else {
            put_global(p, g->s, v);
        }
        g->last = v;
        g->end = p->n;
    }
    g->state[v->id] = GLOBAL_DEFINED;
}

static void put_globals(struct printer *p, const struct survey *s)
{
    const struct cc_program *program = p->program;
    struct globals g = {.p = p, .s = s, .state = zeros(program->n_vars)};
    put_externs(p, s);
    for (size_t i = 0; i < program->globals.n; i++)
        if (!s->vars || program->globals.at[i]->unit == p->unit)
            define_global(&g, program->globals.at[i]);
    free(g.state);
}

/* -- functions -------------------------------------------------------------------------------- */

/* By whatever name the tree calls it. */
static bool is_builtin(const struct cc_func *f)
{
    enum cc_library_kind kind = cc_library_kind[f->library];
    return f->library &&
           (kind == CC_LIB_BUILTIN || kind == CC_LIB_TAKEN || !strncmp(f->name, "__builtin_", 10));
}

void whole_put_func_name(struct printer *p, const struct cc_func *f)
{
    if (!(p->func_state[f->id] & FUNC_DEFINED))
        p->func_state[f->id] |= FUNC_AHEAD;
    if (is_builtin(f)) {
        PUT(p, "__builtin_");
        put_str(p, cc_library_name[f->library]);
    } else {
        put_str(p, print_func_name(p, f));
    }
}

/* Was a function of the library of that name declared before the `at`th? An import may have made
 * several. */
static bool is_repeated(const struct printer *p, const struct cc_func *f, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        const struct cc_func *other = p->program->funcs.at[i];
        if (other->library && p->func_state[other->id] & FUNC_AHEAD &&
            !strcmp(other->name, f->name))
            return true;
    }
    return false;
}

static void put_prototype(struct printer *p, const struct survey *s, const struct cc_func *f)
{
    bool elsewhere = s->funcs && f->unit != p->unit;
    if (f->library && p->language == CC_CXX17)
        PUT(p, "extern \"C\" ");
    if (!f->library && elsewhere) {
        put_function_head(p, f, false, false);
    } else {
        if (!f->library && print_func_is_static(s, f))
            PUT(p, "static ");
        put_declarator(p, f->type, print_func_name(p, f));
    }
    put_char(p, ';');
    put_newline(p);
}

void whole_put_ahead(struct printer *p, const struct survey *s)
{
    const struct cc_program *program = p->program;
    for (size_t i = 0; i < program->funcs.n; i++) {
        const struct cc_func *f = program->funcs.at[i];
        if (f == program->main || !(p->func_state[f->id] & FUNC_AHEAD) || is_builtin(f) ||
            (f->library && is_repeated(p, f, i)))
            continue;
        if (p->form == CC_FORM_INCLUDED && !f->library && !print_func_is_static(s, f))
            continue; /* the header has it */
        put_prototype(p, s, f);
    }
    if (program->main && p->func_state[program->main->id] & FUNC_AHEAD)
        put_prototype(p, s, program->main);
}

static void put_function(struct printer *p, const struct survey *s, const struct cc_func *f)
{
    p->func_state[f->id] |= FUNC_DEFINED;
    whole_complete(p, f->type->to);
    for (int i = 0; i < f->n_params; i++)
        whole_complete(p, f->params[i]->type);
    put_function_head(p, f, f != p->program->main && print_func_is_static(s, f), true);
    put_char(p, ' ');
    put_function_body(p, f);
    put_newline(p);
}

void whole_put_definitions(struct printer *p, const struct survey *s)
{
    const struct cc_program *program = p->program;
    memset(p->func_state, 0, program->n_funcs);
    put_globals(p, s);
    for (size_t i = 0; i < program->funcs.n; i++) {
        const struct cc_func *f = program->funcs.at[i];
        if (f != program->main && f->body && (!s->funcs || f->unit == p->unit))
            put_function(p, s, f);
    }
    if (print_has_main(p))
        put_function(p, s, program->main);
}
