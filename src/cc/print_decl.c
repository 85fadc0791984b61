/* Declarations as text: types, declarators, variables, heads of functions. */
#include "cc/print_internal.h"

/* -- types ------------------------------------------------------------------------------------ */

const char *const print_fixed_name[CC_N_BASIC] = {
#define X(kind, plain, fixed) [CC_##kind] = fixed,
    CC_KIND_TABLE(X)
#undef X
};

void put_kind(struct printer *p, enum cc_kind kind)
{
    p->long_used |= kind == CC_LONG || kind == CC_ULONG;
    if (print_fixed_name[kind] && !p->plain_types) {
        p->kinds_used |= 1U << kind;
        put_str(p, print_fixed_name[kind]);
    } else if (kind == CC_UINT && p->whole) {
        PUT(p, "unsigned");
    } else if (kind == CC_BOOL && p->language == CC_CXX17) {
        PUT(p, "bool");
    } else {
        put_str(p, cc_kind_text[kind]);
    }
}

/* A vector, record or enumeration is used, and with it what its members are made of. */
static void note_use(struct printer *p, const struct cc_type *t)
{
    if (p->whole) {
        whole_name_type(p, t);
        return;
    }
    while (t->kind == CC_ARRAY || t->kind == CC_POINTER || t->kind == CC_FUNCTION) {
        if (t->kind == CC_FUNCTION)
            for (int i = 0; i < t->n_params; i++)
                note_use(p, t->params[i]);
        t = t->to;
    }
    t = t->plain;
    if (t->kind < CC_N_BASIC || p->types_used[t->id])
        return;
    p->types_used[t->id] = true;
    if (!cc_is_record(t))
        return;
    for (int i = 0; i < t->record->n_fields; i++)
        note_use(p, t->record->fields[i].type);
    for (size_t i = 0; p->language == CC_CXX17 && i < p->program->globals.n; i++)
        if (p->program->globals.at[i]->member_of == t)
            note_use(p, p->program->globals.at[i]->type);
}

void put_quals(struct printer *p, int quals)
{
    if (quals & CC_CONST)
        PUT(p, "const ");
    if (quals & CC_VOLATILE)
        PUT(p, "volatile ");
}

void put_vector_name(struct printer *p, const struct cc_type *t)
{
    const char *fixed = p->plain_types ? NULL : print_fixed_name[t->to->kind];
    PUT(p, "vec");
    put_decimal(p, t->length);
    put_char(p, '_');
    for (const char *s = fixed ? fixed : cc_kind_text[t->to->kind]; *s; s++)
        put_char(p, *s == ' ' ? '_' : *s);
}

static void put_specifier(struct printer *p, const struct cc_type *t)
{
    if (p->no_specifier)
        return;
    put_quals(p, t->quals);
    if (whole_is_va_list(p, t)) {
        PUT(p, "__builtin_va_list");
        return;
    }
    if (t->kind < CC_N_BASIC) {
        put_kind(p, t->kind);
        return;
    }
    if (p->types_used)
        note_use(p, t);
    if (t->kind == CC_VECTOR) {
        put_vector_name(p, t);
    } else if (t->kind == CC_ENUM) {
        PUT(p, "enum ");
        put_str(p, print_tag(p, t));
    } else {
        t->kind == CC_UNION ? PUT(p, "union ") : PUT(p, "struct ");
        put_str(p, print_tag(p, t));
    }
}

/* A space between words, none behind `*` and `(`. */
static void put_gap(struct printer *p)
{
    char last = p->n ? p->s[p->n - 1] : ' ';
    if (last != '*' && last != '(' && last != ' ')
        put_char(p, ' ');
}

/* va_list is an array of one, and as a parameter the pointer that it becomes (6.7.6.3p7). */
static bool is_va_list(const struct printer *p, const struct cc_type *t)
{
    return (t->kind == CC_ARRAY || t->kind == CC_POINTER) && whole_is_va_list(p, t->to);
}

static bool needs_parentheses(const struct printer *p, const struct cc_type *pointer)
{
    return (pointer->to->kind == CC_ARRAY && !is_va_list(p, pointer->to)) ||
           pointer->to->kind == CC_FUNCTION;
}

static void put_left(struct printer *p, const struct cc_type *t)
{
    switch (t->kind) {
    case CC_POINTER:
        put_left(p, t->to);
        if (is_va_list(p, t))
            break;
        put_gap(p);
        if (needs_parentheses(p, t))
            put_char(p, '(');
        put_char(p, '*');
        if (t->quals) {
            put_quals(p, t->quals);
            p->n--; /* the space behind the last one */
        }
        break;
    case CC_ARRAY:
    case CC_FUNCTION:
        put_left(p, t->to);
        break;
    default:
        put_specifier(p, t);
    }
}

static void put_parameter_types(struct printer *p, const struct cc_type *t)
{
    put_char(p, '(');
    for (int i = 0; i < t->n_params; i++) {
        if (i)
            PUT(p, ", ");
        put_declarator(p, t->params[i], "");
    }
    if (t->variadic)
        PUT(p, ", ...");
    if (!t->n_params && !t->unprototyped)
        PUT(p, "void");
    put_char(p, ')');
}

static void put_right(struct printer *p, const struct cc_type *t)
{
    for (; !is_va_list(p, t); t = t->to) {
        switch (t->kind) {
        case CC_POINTER:
            if (needs_parentheses(p, t))
                put_char(p, ')');
            break;
        case CC_ARRAY:
            put_char(p, '[');
            if (t->length || p->zero_arrays)
                put_decimal(p, t->length);
            put_char(p, ']');
            break;
        case CC_FUNCTION:
            put_parameter_types(p, t);
            break;
        default:
            return;
        }
    }
}

void put_declarator(struct printer *p, const struct cc_type *type, const char *name)
{
    put_left(p, type);
    if (*name) {
        put_gap(p);
        put_str(p, name);
    }
    put_right(p, type);
}

/* -- variables and functions ------------------------------------------------------------------ */

const struct cc_type *print_innermost(const struct cc_type *t)
{
    while (t->kind == CC_ARRAY)
        t = t->to;
    return t;
}

/* std::vector and std::valarray take no volatile elements, and the elements of std::vector<bool>
 * have no address: these are std::array. */
enum cc_container print_container(const struct printer *p, const struct cc_var *v)
{
    if (p->language == CC_C11 || v->type->kind != CC_ARRAY || v->container == CC_C_ARRAY)
        return CC_C_ARRAY;
    const struct cc_type *element = print_innermost(v->type);
    bool is_bool = element->kind == CC_BOOL && v->container == CC_STD_VECTOR;
    return is_bool || element->quals & CC_VOLATILE ? CC_STD_ARRAY : v->container;
}

const char *const print_container_text[] = {
    [CC_STD_ARRAY] = "array", [CC_STD_VECTOR] = "vector", [CC_STD_VALARRAY] = "valarray"};

void put_container(struct printer *p, const struct cc_type *array, enum cc_container c)
{
    const struct cc_type *element = array->to;
    PUT(p, "std::");
    put_str(p, print_container_text[c]);
    put_char(p, '<');
    if (element->kind == CC_ARRAY)
        put_container(p, element, c);
    else
        put_declarator(p, element->quals == CC_CONST ? element->plain : element, "");
    if (c == CC_STD_ARRAY) {
        PUT(p, ", ");
        put_decimal(p, array->length);
    }
    put_char(p, '>');
}

void put_var_name(struct printer *p, const struct cc_var *v)
{
    if (v->member_of && p->language == CC_CXX17) {
        if (p->types_used)
            note_use(p, v->member_of);
        if (p->whole)
            whole_complete(p, v->member_of);
        put_str(p, v->member_of->record->tag);
        PUT(p, "::");
    }
    put_str(p, print_var_name(p, v));
}

void put_var_declarator(struct printer *p, const struct cc_var *v, bool within_struct)
{
    enum cc_container c = print_container(p, v);
    if (c == CC_C_ARRAY) {
        put_left(p, v->type);
    } else {
        if (print_innermost(v->type)->quals == CC_CONST)
            PUT(p, "const ");
        put_container(p, v->type, c);
        p->containers_used |= 1U << c;
    }
    put_gap(p);
    if (within_struct)
        put_str(p, v->name);
    else
        put_var_name(p, v);
    if (c == CC_C_ARRAY)
        put_right(p, v->type);
}

bool print_joins(const struct printer *p, const struct cc_var *first, const struct cc_var *v)
{
    const struct cc_type *a = first->type, *b = v->type;
    for (; a->kind == CC_POINTER || a->kind == CC_ARRAY || a->kind == CC_FUNCTION; a = a->to)
        continue;
    for (; b->kind == CC_POINTER || b->kind == CC_ARRAY || b->kind == CC_FUNCTION; b = b->to)
        continue;
    return a == b && !first->align && !v->align && first->is_register == v->is_register &&
           !whole_is_va_list(p, a);
}

/* A declarator and its initialiser. */
static void put_initialised(struct printer *p, const struct cc_var *v)
{
    enum cc_container c = print_container(p, v);
    put_var_declarator(p, v, false);
    if (c != CC_C_ARRAY) {
        put_container_init(p, v, c);
    } else if (v->init) {
        PUT(p, " = ");
        put_init(p, v->init);
    }
}

void put_variable_part(struct printer *p, const struct cc_var *v, bool joins)
{
    if (!joins) {
        put_variable(p, v, false);
        p->n--; /* its semicolon */
        return;
    }
    p->no_specifier = true;
    put_left(p, v->type);
    p->no_specifier = false;
    put_gap(p);
    put_var_name(p, v);
    put_right(p, v->type);
    if (v->init) {
        PUT(p, " = ");
        put_init(p, v->init);
    }
}

void put_variable(struct printer *p, const struct cc_var *v, bool is_static)
{
    if (p->whole)
        whole_complete(p, v->type);
    if (v->align && !(p->whole && v->align <= v->type->align)) { /* 6.7.5p4: not less */
        p->language == CC_C11 ? PUT(p, "_Alignas(") : PUT(p, "alignas(");
        put_decimal(p, v->align);
        PUT(p, ") ");
    }
    if (is_static)
        PUT(p, "static ");
    else if (v->is_register && p->language == CC_C11)
        PUT(p, "register ");
    put_initialised(p, v);
    put_char(p, ';');
}

void put_extern(struct printer *p, const struct cc_var *v)
{
    PUT(p, "extern ");
    put_var_declarator(p, v, false);
    put_char(p, ';');
    put_newline(p);
}

static const struct {
    int bit;
    const char *text;
} attribute_text[] = {
    {CC_ATTR_NOINLINE, "noinline"},
    {CC_ATTR_NOCLONE, "noclone"},
    {CC_ATTR_ALWAYS_INLINE, "always_inline"},
    {CC_ATTR_COLD, "cold"},
    {CC_ATTR_HOT, "hot"},
    {CC_ATTR_NOIPA, "noipa"},
    {CC_ATTR_FLATTEN, "flatten"},
    {CC_ATTR_UNUSED, "unused"},
    {CC_ATTR_NORETURN, "noreturn"},
};

static void put_attributes(struct printer *p, int attributes)
{
    bool first = true;
    if (p->whole) {
        PUT(p, "__attribute__((");
    } else {
        PUT(p, "ATTRIBUTE((");
        p->attributes_used = true;
    }
    for (size_t i = 0; i < sizeof attribute_text / sizeof *attribute_text; i++) {
        if (!(attributes & attribute_text[i].bit))
            continue;
        if (!first)
            PUT(p, ", ");
        put_str(p, attribute_text[i].text);
        first = false;
    }
    PUT(p, ")) ");
}

static void put_old_types(struct printer *p, const struct cc_func *f)
{
    for (int i = 0; i < f->n_params; i++) {
        put_char(p, ' ');
        if (f->params[i]->is_register)
            PUT(p, "register ");
        put_declarator(p, f->params[i]->type, print_var_name(p, f->params[i]));
        put_char(p, ';');
    }
}

/* `old`: of a definition in the old style (6.9.1p6): names here, types behind. */
static void put_parameters(struct printer *p, const struct cc_func *f, bool old)
{
    put_char(p, '(');
    for (int i = 0; i < f->n_params; i++) {
        if (i)
            PUT(p, ", ");
        if (old) {
            put_str(p, print_var_name(p, f->params[i]));
            continue;
        }
        if (f->params[i]->is_register && p->whole && p->language == CC_C11)
            PUT(p, "register ");
        put_declarator(p, f->params[i]->type, print_var_name(p, f->params[i]));
    }
    if (f->type->variadic && !old)
        PUT(p, ", ...");
    if (!f->n_params && !f->type->unprototyped && !old)
        PUT(p, "void");
    put_char(p, ')');
}

/* An inline function is static: one with external linkage would need a definition elsewhere
 * (6.7.4p7). always_inline goes where inline goes. */
void put_function_head(struct printer *p, const struct cc_func *f, bool is_static, bool defines)
{
    int attributes = p->no_attributes ? f->attributes & CC_ATTR_INLINE : f->attributes;
    if (!is_static)
        attributes &= ~(CC_ATTR_INLINE | CC_ATTR_ALWAYS_INLINE);
    if (is_static)
        PUT(p, "static ");
    if (attributes & (CC_ATTR_INLINE | CC_ATTR_ALWAYS_INLINE))
        PUT(p, "inline ");
    if (attributes & ~CC_ATTR_INLINE)
        put_attributes(p, attributes);
    const struct cc_type *result = f->type->to;
    bool old = f->type->unprototyped && f->n_params;
    put_left(p, result);
    put_gap(p);
    put_str(p, print_func_name(p, f));
    if (old && !defines)
        PUT(p, "()");
    else
        put_parameters(p, f, old);
    put_right(p, result);
    if (old && defines)
        put_old_types(p, f);
}
