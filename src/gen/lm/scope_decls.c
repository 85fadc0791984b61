/* Declarations, for the mask: specifiers, declarators, and where a new name must stand. */
#include "gen/lm/scope_internal.h"

#include <string.h>

enum { MOST_QUALIFIERS = 2 }; /* side by side; `ternary` counts them in declarations */
enum { SIGN_SIGN = 1, SIGN_LONG = 2, SIGN_LONG_LONG = 4, SIGN_SHORT = 8, SIGN_OTHER = 16 };

bool lm_begins_type(const struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    int t = x->number[LM_NAME_TYPE];
    if (x->kind != LM_SCOPE_WORD)
        return false;
    switch (x->word.class) {
    case LM_W_GLOBAL:
    case LM_W_LOCAL:
    case LM_W_CONSTANT_SPACE:
    case LM_W_PRIVATE:
        return p->words->opencl;
    case LM_W_TYPE:
    case LM_W_SIGN:
    case LM_W_QUALIFIER:
    case LM_W_STORAGE:
    case LM_W_TYPEDEF:
    case LM_W_RECORD:
    case LM_W_ENUM:
        return true;
    case LM_W_NONE:
        return t >= 0 && t < p->symbols.n_types && p->symbols.types[t].is_typedef;
    default:
        return false;
    }
}

/* -- specifiers -------------------------------------------------------------------------------- */

static bool is_sign(const struct lm_scope_lexeme *x, const char *word)
{
    return strlen(word) == x->size && !memcmp(word, x->text, x->size);
}

static int sign_of(const struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    if (is_sign(x, "long"))
        return f->args & SIGN_LONG ? SIGN_LONG_LONG : SIGN_LONG;
    if (is_sign(x, "short"))
        return SIGN_SHORT;
    if (is_sign(x, "unsigned") || is_sign(x, "signed") || is_sign(x, "__signed__"))
        return SIGN_SIGN;
    return SIGN_OTHER;
}

static bool takes_sign(const struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    int sign = sign_of(f, x);
    if ((f->flags & LM_FF_KERNEL) || ((f->flags & LM_FF_TYPED) && !(f->flags & LM_FF_SIGNED)))
        return false;
    if (f->args & sign)
        return false;
    if (sign == SIGN_SHORT)
        return !(f->args & SIGN_LONG);
    if (sign == SIGN_LONG || sign == SIGN_LONG_LONG)
        return !(f->args & SIGN_SHORT);
    return sign != SIGN_OTHER || !f->args;
}

/* bool, half and types of unknown size cannot be passed to a kernel (OpenCL C 6.9k). */
static bool takes_type_word(const struct lm_frame *f, const struct lm_scope_lexeme *x,
                            bool kernel_parameter)
{
    struct lm_type t = x->word.type;
    if (f->flags & LM_FF_KERNEL)
        return t.base == LM_T_VOID && !(f->flags & LM_FF_TYPED);
    if (!(f->flags & LM_FF_TYPED))
        return !(kernel_parameter && (t.base == LM_T_BOOL || t.base == LM_T_HALF ||
                                      (t.base <= LM_T_ULONG && x->text[x->size - 1] == 't' &&
                                       x->size > 2 && x->text[x->size - 2] == '_')));
    if (!(f->flags & LM_FF_SIGNED) || t.width != 1)
        return false;
    int beside = f->args & ~SIGN_OTHER;
    if (is_sign(x, "int"))
        return true;
    if (is_sign(x, "char"))
        return beside == SIGN_SIGN || !beside;
    if (is_sign(x, "float"))
        return !beside;
    return is_sign(x, "double") && (beside == SIGN_LONG || !beside);
}

static bool takes_space(const struct lm_parser *p, const struct lm_frame *f, int class)
{
    if (!p->words->opencl || f->type.space || (f->flags & LM_FF_TYPED) || f->context == LM_C_FOR)
        return false;
    if (f->context == LM_C_FILE)
        return class == LM_W_CONSTANT_SPACE && !(f->flags & (LM_FF_KERNEL | LM_FF_TYPEDEF));
    return true;
}

static bool is_void(struct lm_type t)
{
    return t.base == LM_T_VOID && !t.depth;
}

static bool is_incomplete(const struct lm_parser *p, struct lm_type t)
{
    return lm_type_is_record(t) && t.record >= 0 && p->symbols.record_members[t.record] < 0;
}

/* -- names ------------------------------------------------------------------------------------- */

static bool is_same(struct lm_type a, struct lm_type b)
{
    return a.base == b.base && a.depth == b.depth && a.width == b.width && a.record == b.record;
}

static bool takes_file_name(const struct lm_parser *p, const struct lm_frame *f,
                            const struct lm_scope_lexeme *x)
{
    const struct lm_symbols *s = &p->symbols;
    int a = x->number[LM_NAME_FUNCTION], g = x->number[LM_NAME_GLOBAL];
    bool constant = f->type.space == LM_SPACE_CONSTANT;
    bool library = x->word.class == LM_W_FUNCTION || x->word.class == LM_W_PROCEDURE;
    if (library && !p->words->opencl && !f->arity) /* `extern void abort(void);` */
        return x->size != 4 || memcmp(x->text, "main", 4) != 0;
    if (a >= 0 && !f->arity && !constant && a < LM_MOST_FUNCTIONS)
        return a == s->n_functions || (a < s->n_functions && !s->functions[a].defined &&
                                       is_same(s->functions[a].result, f->whole));
    if (g < 0 || g != s->n_globals || g >= LM_MOST_GLOBALS || (f->flags & LM_FF_KERNEL))
        return false;
    return !is_void(f->whole) && !is_incomplete(p, f->whole) && (!p->words->opencl || constant);
}

/* Members of an unnamed struct in another are members of that one, and go on with its names. */
static bool takes_member(const struct lm_symbols *s, int record, int m)
{
    if (m < 0 || record < 0 || m >= 100 || s->n_members > LM_MOST_MEMBERS - 100)
        return false;
    int outer = s->record_outer[record], own = s->record_members[record];
    if (outer >= 0 && !own && m == s->record_base[outer] + s->record_members[outer])
        return true;
    return m == s->record_base[record] + own;
}

static bool takes_name(const struct lm_parser *p, const struct lm_frame *f,
                       const struct lm_scope_lexeme *x)
{
    const struct lm_symbols *s = &p->symbols;
    int v = x->number[LM_NAME_VARIABLE], m = x->number[LM_NAME_MEMBER], t = x->number[LM_NAME_TYPE];
    if (x->kind != LM_SCOPE_WORD || x->word.class == LM_W_TYPE)
        return false;
    if (f->flags & LM_FF_TYPEDEF)
        return t == s->n_types && t < LM_MOST_TYPES;
    if (f->context == LM_C_FILE)
        return takes_file_name(p, f, x);
    if (is_void(f->whole) || is_incomplete(p, f->whole))
        return false;
    if (f->context == LM_C_MEMBER)
        return takes_member(s, f->record, m);
    if (f->context == LM_C_CAST || (f->flags & LM_FF_NESTED))
        return false;
    if (v != s->n_variables || v >= LM_MOST_VARIABLES)
        return false;
    bool pointer = f->whole.depth > 0 || f->arity;
    if (f->context == LM_C_PARAM)
        return !f->type.space || pointer;
    return f->type.space != LM_SPACE_GLOBAL || pointer;
}

/* -- deciding ---------------------------------------------------------------------------------- */

static bool takes_star(const struct lm_parser *p, const struct lm_frame *f)
{
    bool kernel_parameter = f->context == LM_C_PARAM && p->current >= 0 && p->opening_kernel;
    if (f->flags & LM_FF_KERNEL)
        return false;
    if (p->words->opencl && kernel_parameter)
        return f->type.space && !f->whole.depth && f->type.base != LM_T_OPAQUE;
    return f->whole.depth < 6 && !(p->words->opencl && f->type.base == LM_T_OPAQUE);
}

/* What may stand behind a type without a name. */
static bool takes_no_name(const struct lm_parser *p, const struct lm_frame *f, int op)
{
    bool pointer = f->whole.depth > 0;
    bool spaced = f->type.space && !pointer;
    if (f->arity)
        return false;
    if (f->context == LM_C_CAST)
        return op == ')' && !is_incomplete(p, f->whole);
    if (f->context != LM_C_PARAM || spaced || p->opening_kernel)
        return f->context == LM_C_PARAM && op == ')' && is_void(f->whole) &&
               (f->flags & LM_FF_VOID_ONLY);
    if (is_void(f->whole))
        return op == ')' && (f->flags & LM_FF_VOID_ONLY);
    return op == ',' || op == ')';
}

/* Where none can be declared, is there one to be named? */
static bool has_tag(const struct lm_parser *p, const struct lm_frame *f,
                    const struct lm_scope_lexeme *x)
{
    bool is_enum = x->word.class == LM_W_ENUM, is_union = x->size == 5;
    if (f->context <= LM_C_LOCAL || f->context == LM_C_MEMBER)
        return true;
    for (int i = 0; i < p->symbols.n_types; i++) {
        const struct lm_named_type *t = &p->symbols.types[i];
        if (!t->is_typedef && t->is_enum == is_enum && (is_enum || t->is_union == is_union))
            return true;
    }
    return false;
}

static bool decide_spec(const struct lm_parser *p, const struct lm_frame *f,
                        const struct lm_scope_lexeme *x)
{
    bool typed = (f->flags & LM_FF_TYPED) != 0;
    bool outer = f->context == LM_C_FILE || f->context == LM_C_LOCAL;
    if (x->kind == LM_SCOPE_OP) {
        if (!typed)
            return false;
        if (x->op == '*')
            return takes_star(p, f);
        if (x->op == '(')
            return !p->words->opencl && f->context != LM_C_CAST && !f->arity;
        if (x->op == ';')
            return (f->flags & LM_FF_NAMED) && (outer || f->context == LM_C_MEMBER) &&
                   !(f->flags & LM_FF_TYPEDEF);
        return takes_no_name(p, f, x->op);
    }
    if (x->kind != LM_SCOPE_WORD)
        return false;
    int t = x->number[LM_NAME_TYPE];
    switch (x->word.class) {
    case LM_W_QUALIFIER:
        return !(f->flags & LM_FF_KERNEL) && f->ternary < MOST_QUALIFIERS;
    case LM_W_GLOBAL:
    case LM_W_LOCAL:
    case LM_W_CONSTANT_SPACE:
    case LM_W_PRIVATE:
        return takes_space(p, f, x->word.class);
    case LM_W_ACCESS:
        return p->words->opencl && f->context == LM_C_PARAM && !typed && !f->type.space;
    case LM_W_STORAGE:
    case LM_W_TYPEDEF:
        return outer && !typed && !(f->flags & (LM_FF_KERNEL | LM_FF_TYPEDEF));
    case LM_W_KERNEL:
        return f->context == LM_C_FILE && !typed && p->words->opencl &&
               !(f->flags & (LM_FF_KERNEL | LM_FF_TYPEDEF));
    case LM_W_TYPE:
        return takes_type_word(f, x,
                               f->context == LM_C_PARAM && p->opening_kernel && !f->type.space);
    case LM_W_SIGN:
        return takes_sign(f, x);
    case LM_W_RECORD:
    case LM_W_ENUM:
        return !typed && !(f->flags & LM_FF_KERNEL) && has_tag(p, f, x);
    case LM_W_ATTRIBUTE:
        return true;
    default:
        break;
    }
    if (!typed && !(f->flags & LM_FF_KERNEL))
        return t >= 0 && t < p->symbols.n_types && p->symbols.types[t].is_typedef;
    return typed && takes_name(p, f, x);
}

static bool decide_tag(const struct lm_parser *p, const struct lm_frame *f,
                       const struct lm_scope_lexeme *x)
{
    const struct lm_symbols *s = &p->symbols;
    bool defines = f->context != LM_C_PARAM && f->context != LM_C_CAST && f->context != LM_C_FOR;
    int t = x->number[LM_NAME_TYPE];
    bool is_enum = f->name_kind == LM_W_ENUM, is_union = (f->flags & LM_FF_UNION) != 0;
    if (x->kind == LM_SCOPE_OP)
        return x->op == '{' && defines && s->n_records < LM_MOST_RECORDS;
    if (x->kind != LM_SCOPE_WORD)
        return false;
    if (x->word.class == LM_W_ATTRIBUTE)
        return true;
    if (t == s->n_types)
        return defines && t < LM_MOST_TYPES && s->n_records < LM_MOST_RECORDS;
    return t >= 0 && t < s->n_types && !s->types[t].is_typedef && s->types[t].is_enum == is_enum &&
           (is_enum || s->types[t].is_union == is_union);
}

static bool decide_named(const struct lm_parser *p, const struct lm_frame *f,
                         const struct lm_scope_lexeme *x)
{
    bool function = f->name_kind == LM_NAME_FUNCTION, is_typedef = (f->flags & LM_FF_TYPEDEF) != 0;
    bool object = f->context <= LM_C_FOR && !is_typedef;
    bool constant = f->type.space == LM_SPACE_CONSTANT && !f->type.depth && object &&
                    f->whole.depth == f->whole.dims;
    if (x->kind == LM_SCOPE_WORD)
        return x->word.class == LM_W_ATTRIBUTE && !function;
    if (x->kind != LM_SCOPE_OP)
        return false;
    if (function)
        return x->op == '(';
    if (f->arity)
        return x->op == ')' || x->op == '[';
    switch (x->op) {
    case '(':
        return (f->flags & LM_FF_UNNAMED) != 0; /* behind (*a) */
    case '[':
        return f->whole.dims < 4 && !(f->context == LM_C_PARAM && p->opening_kernel);
    case '=':
        return object && (f->type.space != LM_SPACE_LOCAL || f->whole.depth > f->whole.dims);
    case ',':
        return !constant && !(f->context == LM_C_PARAM && f->arity);
    case ';':
        return f->context != LM_C_PARAM && !constant;
    case ')':
        return f->context == LM_C_PARAM;
    case ':':
        return f->context == LM_C_MEMBER && !f->whole.depth && f->type.base >= LM_T_BOOL &&
               f->type.base <= LM_T_ULONG && f->type.width == 1 && !p->words->opencl;
    default:
        return false;
    }
}

static bool decide_declarator(const struct lm_parser *p, const struct lm_frame *f,
                              const struct lm_scope_lexeme *x)
{
    bool pointed = f->whole.depth > 0;
    if (x->kind == LM_SCOPE_WORD) {
        if (x->word.class == LM_W_QUALIFIER || x->word.class == LM_W_RESTRICT)
            return pointed && !f->arity && f->ternary < MOST_QUALIFIERS;
        return (!f->arity || pointed) && takes_name(p, f, x);
    }
    if (x->kind != LM_SCOPE_OP)
        return false;
    if (x->op == '*')
        return takes_star(p, f);
    return pointed && takes_no_name(p, f, x->op);
}

static bool decide_function(const struct lm_parser *p, const struct lm_frame *f,
                            const struct lm_scope_lexeme *x)
{
    bool function = f->name_kind == LM_NAME_FUNCTION;
    if (x->kind == LM_SCOPE_WORD)
        return x->word.class == LM_W_ATTRIBUTE;
    if (x->kind != LM_SCOPE_OP)
        return false;
    if (x->op == '{')
        return function && f->context == LM_C_FILE && !(f->flags & LM_FF_UNNAMED) && f->name >= 0 &&
               !p->symbols.functions[f->name].defined;
    if (x->op == ')')
        return f->context == LM_C_PARAM;
    if (x->op == ',')
        return !function;
    return x->op == ';' && f->context != LM_C_PARAM;
}

static bool decide_decl_frame(const struct lm_parser *p, const struct lm_frame *f,
                              const struct lm_scope_lexeme *x)
{
    switch (f->at) {
    case LM_D_SPEC:
        return decide_spec(p, f, x);
    case LM_D_TAG:
        return decide_tag(p, f, x);
    case LM_D_TAGGED:
        if (lm_is_op(x, '{'))
            return f->name >= 0 &&
                   (f->name_kind == LM_W_ENUM ? (f->flags & LM_FF_NAMED) != 0
                                              : is_incomplete(p, f->type)) &&
                   f->context != LM_C_PARAM && f->context != LM_C_CAST;
        return decide_spec(p, f, x);
    case LM_D_DECLARATOR:
        return decide_declarator(p, f, x);
    case LM_D_NAMED:
        return decide_named(p, f, x);
    case LM_D_FUNCTION:
        return decide_function(p, f, x);
    default:
        return x->kind == LM_SCOPE_OP && (x->op == ',' || x->op == ';');
    }
}

static bool decide_params(const struct lm_parser *p, const struct lm_frame *f,
                          const struct lm_scope_lexeme *x)
{
    bool begun = (f->flags & LM_FF_BEGUN) != 0;
    if (x->kind == LM_SCOPE_OP)
        return x->op == ')' ? !begun : x->op == LM_OP3('.', '.', '.') && begun && !p->words->opencl;
    if (f->args >= LM_MOST_PARAMS)
        return false;
    if (lm_is_word(x, LM_W_ACCESS))
        return p->words->opencl;
    return lm_begins_type(p, x) && x->word.class != LM_W_STORAGE && x->word.class != LM_W_TYPEDEF;
}

bool lm_decide_decl(const struct lm_parser *p, const struct lm_frame *f,
                    const struct lm_scope_lexeme *x)
{
    switch (f->kind) {
    case LM_F_FILE:
        return x->kind == LM_SCOPE_WORD &&
               (lm_begins_type(p, x) || x->word.class == LM_W_ATTRIBUTE ||
                (x->word.class == LM_W_KERNEL && p->words->opencl)) &&
               x->word.class != LM_W_GLOBAL && x->word.class != LM_W_LOCAL &&
               x->word.class != LM_W_PRIVATE;
    case LM_F_DECL:
        return decide_decl_frame(p, f, x);
    case LM_F_PARAMS:
        if (f->at) /* behind `...` */
            return lm_is_op(x, ')');
        return decide_params(p, f, x);
    case LM_F_STRUCT:
        if (x->kind == LM_SCOPE_OP)
            return x->op == '}' && (f->flags & LM_FF_BEGUN);
        return lm_begins_type(p, x) && x->word.class != LM_W_STORAGE &&
               x->word.class != LM_W_TYPEDEF;
    case LM_F_ENUMS:
        if (x->kind == LM_SCOPE_WORD)
            return f->at == 0 && x->number[LM_NAME_GLOBAL] == p->symbols.n_globals &&
                   p->symbols.n_globals < LM_MOST_GLOBALS;
        return x->kind == LM_SCOPE_OP && (f->at ? x->op == ',' || x->op == '}' || x->op == '='
                                                : x->op == '}' && (f->flags & LM_FF_BEGUN));
    default:
        return false;
    }
}

/* -- performing -------------------------------------------------------------------------------- */

static void begin_declarator(struct lm_frame *f)
{
    f->at = LM_D_DECLARATOR;
    f->whole = f->type;
    f->name = -1;
    f->arity = 0;
    f->name_kind = LM_NAME_VARIABLE;
    f->flags &= (uint16_t)~LM_FF_UNNAMED;
}

/* A declarator has ended: its name means what was declared. */
static void commit(struct lm_parser *p, struct lm_frame *f)
{
    struct lm_symbols *s = &p->symbols;
    if (f->name < 0)
        return;
    switch (f->name_kind) {
    case LM_NAME_VARIABLE:
        s->variables[f->name] = f->whole;
        s->hidden[f->name] = false;
        break;
    case LM_NAME_GLOBAL:
        s->globals[f->name] = f->whole;
        break;
    case LM_NAME_MEMBER:
        s->members[s->n_members++] = (struct lm_member){f->record, f->whole};
        s->record_members[f->record]++;
        break;
    case LM_NAME_TYPE:
        s->types[f->name] = (struct lm_named_type){.is_typedef = true, .type = f->whole};
        s->n_types++;
        break;
    default:
        break;
    }
    f->name = -1;
}

/* `struct { ... };` within a struct. */
static void merge_members(struct lm_symbols *s, int inner, int outer)
{
    int n = s->n_members;
    for (int i = 0; i < n && s->n_members < LM_MOST_MEMBERS; i++)
        if (s->members[i].record == inner) {
            s->members[s->n_members++] = (struct lm_member){(int16_t)outer, s->members[i].type};
            s->record_members[outer]++;
        }
}

static void end_declaration(struct lm_parser *p)
{
    struct lm_frame *f = lm_top(p);
    enum lm_decl_context context = (enum lm_decl_context)f->context;
    if (context == LM_C_MEMBER && f->at == LM_D_SPEC && f->type.record >= 0 &&
        p->symbols.record_outer[f->type.record] == f->record)
        merge_members(&p->symbols, f->type.record, f->record);
    commit(p, f);
    lm_pop(p);
    if (context == LM_C_FOR)
        lm_push_expr(p, LM_X_FOR_CONDITION, unknown);
    else if (context == LM_C_LOCAL)
        lm_statement_ended(p);
    else
        p->boundary = true;
}

/* A parameter has ended by `,` or `)`. */
static void end_parameter(struct lm_parser *p, int op)
{
    struct lm_frame *f = lm_top(p);
    bool unnamed = f->name < 0, nothing = unnamed && is_void(f->whole);
    struct lm_type type = f->whole;
    type.dims = 0;
    f->whole.dims = 0;
    commit(p, f);
    lm_pop(p);
    f = lm_top(p);
    if (unnamed && !nothing)
        f->flags |= LM_FF_UNNAMED;
    if (!nothing && f->args < LM_MOST_PARAMS) {
        if (f->function >= 0)
            p->symbols.functions[f->function].params[f->args] = type;
        f->args++;
    }
    f->flags |= LM_FF_BEGUN;
    if (op == ')')
        lm_perform(p, &(struct lm_scope_lexeme){.kind = LM_SCOPE_OP, .op = ')'});
}

static void end_params(struct lm_parser *p, bool any)
{
    struct lm_frame gone = *lm_top(p), *f;
    lm_pop(p);
    f = lm_top(p);
    f->at = LM_D_FUNCTION;
    if (gone.flags & LM_FF_UNNAMED)
        f->flags |= LM_FF_UNNAMED;
    else
        f->flags &= (uint16_t)~LM_FF_UNNAMED;
    bool open = !(gone.flags & LM_FF_BEGUN) && !p->words->opencl;
    if (gone.function >= 0)
        p->symbols.functions[gone.function].arity = (int8_t)(any || open ? -1 : gone.args);
}

static void push_params(struct lm_parser *p, int function)
{
    struct lm_frame *f = lm_push(p, LM_F_PARAMS);
    f->function = (int16_t)function;
    if (function < 0) {
        f->flags |= LM_FF_NESTED;
        return;
    }
    p->symbols.n_variables = 0;
    p->symbols.n_labels = 0;
    memset(p->symbols.hidden, 0, sizeof p->symbols.hidden);
    memset(p->symbols.labels, 0, sizeof p->symbols.labels);
}

static void declare_name(struct lm_parser *p, struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    struct lm_symbols *s = &p->symbols;
    f->at = LM_D_NAMED;
    int a = x->number[LM_NAME_FUNCTION];
    if (f->flags & LM_FF_TYPEDEF) {
        f->name_kind = LM_NAME_TYPE;
        f->name = (int16_t)s->n_types;
    } else if (f->context == LM_C_FILE && x->word.class != LM_W_NONE &&
               x->number[LM_NAME_GLOBAL] < 0) { /* of the library */
        f->name_kind = LM_NAME_FUNCTION;
        f->name = -1;
    } else if (f->context == LM_C_FILE && a >= 0) {
        f->name_kind = LM_NAME_FUNCTION;
        f->name = (int16_t)a;
        if (a == s->n_functions)
            s->functions[s->n_functions++] = (struct lm_function){.arity = -1};
        s->functions[a].result = f->whole;
        p->current = a;
        p->opening_kernel = (f->flags & LM_FF_KERNEL) != 0;
    } else if (f->context == LM_C_FILE) {
        f->name_kind = LM_NAME_GLOBAL;
        f->name = (int16_t)s->n_globals;
        s->globals[s->n_globals++] = unknown;
    } else if (f->context == LM_C_MEMBER) {
        f->name_kind = LM_NAME_MEMBER;
        f->name = x->number[LM_NAME_MEMBER];
        if (!s->record_members[f->record])
            s->record_base[f->record] = f->name;
    } else {
        f->name_kind = LM_NAME_VARIABLE;
        f->name = (int16_t)s->n_variables;
        s->hidden[s->n_variables] = true;
        s->variables[s->n_variables++] = unknown;
    }
}

static void take_type(struct lm_frame *f, struct lm_type t)
{
    uint8_t flags = f->type.flags, space = f->type.space;
    f->type = t;
    f->type.flags |= flags;
    f->type.space = space ? space : t.space;
    f->flags |= LM_FF_TYPED;
    f->whole = f->type;
}

static void take_sign(struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    f->args |= (int16_t)sign_of(f, x);
    f->flags |= LM_FF_SIGNED;
    bool is_unsigned = is_sign(x, "unsigned") || f->type.base == LM_T_UINT ||
                       f->type.base == LM_T_ULONG || f->type.base == LM_T_USHORT;
    enum lm_base base = f->args & (SIGN_LONG | SIGN_LONG_LONG)
                            ? is_unsigned ? LM_T_ULONG : LM_T_LONG
                        : f->args & SIGN_SHORT ? is_unsigned ? LM_T_USHORT : LM_T_SHORT
                        : f->args & SIGN_OTHER ? LM_T_UNKNOWN
                        : is_unsigned          ? LM_T_UINT
                                               : LM_T_INT;
    take_type(f, lm_type_of(base));
}

static void take_type_word(struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    if (!(f->flags & LM_FF_SIGNED)) {
        take_type(f, x->word.type);
        return;
    }
    if (x->word.type.base == LM_T_CHAR)
        take_type(f, lm_type_of(f->type.base == LM_T_UINT ? LM_T_UCHAR : LM_T_CHAR));
    else if (x->word.type.base == LM_T_DOUBLE)
        take_type(f, lm_type_of(f->args & SIGN_OTHER ? LM_T_UNKNOWN : LM_T_DOUBLE));
    f->flags &= (uint16_t)~LM_FF_SIGNED;
}

static void perform_spec_word(struct lm_parser *p, struct lm_frame *f,
                              const struct lm_scope_lexeme *x)
{
    int t = x->number[LM_NAME_TYPE];
    switch (x->word.class) {
    case LM_W_QUALIFIER:
        f->ternary++;
        if (x->size >= 5 && strstr(x->text, "const") == x->text) {
            f->type.flags |= LM_TF_CONST;
            f->whole.flags |= LM_TF_CONST;
        }
        break;
    case LM_W_GLOBAL:
        f->type.space = LM_SPACE_GLOBAL;
        break;
    case LM_W_LOCAL:
        f->type.space = LM_SPACE_LOCAL;
        break;
    case LM_W_CONSTANT_SPACE:
        f->type.space = LM_SPACE_CONSTANT;
        f->type.flags |= LM_TF_CONST;
        break;
    case LM_W_STORAGE:
    case LM_W_PRIVATE:
    case LM_W_ACCESS:
        break;
    case LM_W_TYPEDEF:
        f->flags |= LM_FF_TYPEDEF;
        break;
    case LM_W_KERNEL:
        f->flags |= LM_FF_KERNEL;
        break;
    case LM_W_TYPE:
        take_type_word(f, x);
        break;
    case LM_W_SIGN:
        take_sign(f, x);
        break;
    case LM_W_RECORD:
    case LM_W_ENUM:
        f->at = LM_D_TAG;
        f->name_kind = x->word.class;
        f->flags &= (uint16_t)~LM_FF_UNION;
        if (x->size == 5)
            f->flags |= LM_FF_UNION;
        break;
    case LM_W_ATTRIBUTE:
        lm_push(p, LM_F_FREE);
        break;
    default:
        if (!(f->flags & LM_FF_TYPED))
            take_type(f, p->symbols.types[t].type);
        else
            declare_name(p, f, x);
    }
}

static int new_record(struct lm_parser *p)
{
    p->symbols.record_members[p->symbols.n_records] = -1;
    p->symbols.record_outer[p->symbols.n_records] = -1;
    p->symbols.record_base[p->symbols.n_records] = 0;
    return p->symbols.n_records++;
}

static void perform_tag(struct lm_parser *p, struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    struct lm_symbols *s = &p->symbols;
    bool is_enum = f->name_kind == LM_W_ENUM;
    int t = x->number[LM_NAME_TYPE];
    struct lm_type type = lm_type_of(is_enum ? LM_T_INT : LM_T_RECORD);
    if (lm_is_word(x, LM_W_ATTRIBUTE)) {
        lm_push(p, LM_F_FREE);
        return;
    }
    if (x->kind == LM_SCOPE_WORD && t < s->n_types) {
        take_type(f, s->types[t].type);
        f->name = (int16_t)t;
        f->at = LM_D_TAGGED;
        return;
    }
    if (!is_enum)
        type.record = (int16_t)new_record(p);
    take_type(f, type);
    f->flags |= LM_FF_NAMED;
    if (x->kind == LM_SCOPE_OP && f->context == LM_C_MEMBER && !is_enum)
        s->record_outer[type.record] = f->record;
    if (x->kind == LM_SCOPE_WORD) {
        s->types[s->n_types++] = (struct lm_named_type){
            .is_enum = is_enum, .is_union = (f->flags & LM_FF_UNION) != 0, .type = type};
        f->name = (int16_t)t;
        f->at = LM_D_TAGGED;
        return;
    }
    f->at = LM_D_TAGGED;
    f->name = 0;
    lm_perform(p, x);
}

static void perform_body(struct lm_parser *p, struct lm_frame *f)
{
    int record = f->type.record;
    bool is_enum = f->name_kind == LM_W_ENUM;
    f->at = LM_D_SPEC;
    f->name = -1;
    f->flags |= LM_FF_NAMED;
    struct lm_frame *body = lm_push(p, is_enum ? LM_F_ENUMS : LM_F_STRUCT);
    body->record = (int16_t)record;
    if (!is_enum)
        p->symbols.record_members[record] = 0;
    p->boundary = true;
}

static void perform_declarator_op(struct lm_parser *p, struct lm_frame *f, int op)
{
    switch (op) {
    case '*':
        if (f->at == LM_D_SPEC || f->at == LM_D_TAGGED)
            begin_declarator(f);
        f->whole.depth++;
        f->ternary = 0;
        break;
    case '(':
        if (f->at == LM_D_NAMED) {
            push_params(p, f->name_kind == LM_NAME_FUNCTION ? f->name : -1);
            break;
        }
        begin_declarator(f);
        f->arity = 1;
        f->whole = unknown;
        break;
    case '[':
        lm_push_expr(p, LM_X_SIZE, unknown);
        break;
    case '=':
        lm_push_expr(p, LM_X_INIT, f->whole);
        break;
    case ':':
        lm_push_expr(p, LM_X_BITS, unknown);
        break;
    case ')':
        if (f->arity) {
            f->arity = 0;
            f->whole = unknown;
            f->whole.flags = LM_TF_CALLABLE;
            f->flags |= LM_FF_UNNAMED;
        } else if (f->context == LM_C_CAST) {
            struct lm_frame gone = *f;
            lm_pop(p);
            lm_cast_ended(p, &gone);
        } else {
            end_parameter(p, ')');
        }
        break;
    case ',':
        if (f->context == LM_C_PARAM) {
            end_parameter(p, ',');
        } else {
            commit(p, f);
            begin_declarator(f);
        }
        break;
    case '{':
        p->symbols.functions[f->name].defined = true;
        p->current = f->name;
        p->kernel |= (f->flags & LM_FF_KERNEL) != 0;
        lm_pop(p);
        lm_push(p, LM_F_BLOCK)->entry = 0;
        p->boundary = true;
        break;
    default: /* ; */
        end_declaration(p);
    }
}

static void perform_decl_frame(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    struct lm_frame *f = lm_top(p);
    bool tagged_body = f->at == LM_D_TAGGED && lm_is_op(x, '{');
    if (f->at == LM_D_TAG) {
        perform_tag(p, f, x);
    } else if (tagged_body) {
        perform_body(p, f);
    } else if (x->kind == LM_SCOPE_OP) {
        if (f->at == LM_D_TAGGED)
            f->name = -1;
        perform_declarator_op(p, f, x->op);
    } else if (x->word.class == LM_W_ATTRIBUTE) {
        lm_push(p, LM_F_FREE);
    } else if (f->at == LM_D_SPEC || f->at == LM_D_TAGGED) {
        if (f->at == LM_D_TAGGED)
            f->name = -1;
        f->at = LM_D_SPEC;
        perform_spec_word(p, f, x);
    } else if (x->word.class == LM_W_QUALIFIER || x->word.class == LM_W_RESTRICT) {
        f->ternary++;
    } else {
        declare_name(p, f, x);
    }
}

static void push_decl(struct lm_parser *p, enum lm_decl_context context,
                      const struct lm_scope_lexeme *x)
{
    const struct lm_frame *below = lm_top(p);
    int record = below->record;
    bool first = !(below->flags & LM_FF_BEGUN), nested = (below->flags & LM_FF_NESTED) != 0;
    lm_top(p)->flags |= LM_FF_BEGUN;
    struct lm_frame *f = lm_push(p, LM_F_DECL);
    f->context = (uint8_t)context;
    if (context == LM_C_MEMBER)
        f->record = (int16_t)record;
    if (context == LM_C_PARAM && first)
        f->flags |= LM_FF_VOID_ONLY;
    if (context == LM_C_PARAM && nested)
        f->flags |= LM_FF_NESTED;
    lm_perform(p, x);
}

static void perform_enums(struct lm_parser *p, struct lm_frame *f, const struct lm_scope_lexeme *x)
{
    struct lm_type t = lm_type_of(LM_T_INT);
    t.flags = LM_TF_ENUMERATOR;
    f->flags |= LM_FF_BEGUN;
    if (x->kind == LM_SCOPE_WORD) {
        p->symbols.globals[p->symbols.n_globals++] = t;
        f->at = 1;
    } else if (x->op == '=') {
        lm_push_expr(p, LM_X_ENUM, unknown);
    } else if (x->op == ',') {
        f->at = 0;
    } else {
        lm_pop(p);
    }
}

void lm_perform_decl(struct lm_parser *p, const struct lm_scope_lexeme *x)
{
    struct lm_frame *f = lm_top(p);
    switch (f->kind) {
    case LM_F_FILE:
        push_decl(p, LM_C_FILE, x);
        break;
    case LM_F_DECL:
        perform_decl_frame(p, x);
        break;
    case LM_F_PARAMS:
        if (lm_is_op(x, ')'))
            end_params(p, f->at == 1);
        else if (x->kind == LM_SCOPE_OP)
            f->at = 1;
        else
            push_decl(p, LM_C_PARAM, x);
        break;
    case LM_F_STRUCT:
        if (x->kind == LM_SCOPE_OP)
            lm_pop(p);
        else
            push_decl(p, LM_C_MEMBER, x);
        break;
    case LM_F_ENUMS:
        perform_enums(p, f, x);
        break;
    default:
        break;
    }
}

/* The size of an array, an initialiser, the width of a bit-field, the value of an enumerator. */
void lm_decl_expr_ended(struct lm_parser *p, const struct lm_frame *expr, int op)
{
    struct lm_frame *f = lm_top(p);
    if (expr->context == LM_X_SIZE) {
        f->whole.depth++;
        f->whole.dims++;
    } else if (f->kind == LM_F_DECL) {
        perform_declarator_op(p, f, op);
    } else if (f->kind == LM_F_ENUMS) {
        perform_enums(p, f, &(struct lm_scope_lexeme){.kind = LM_SCOPE_OP, .op = op});
    }
}
