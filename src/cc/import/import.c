/* The file as a program.
 *
 * First all names of file scope are collected: declarations of one name are one entity, whose type
 * is that of the declaration that says most. Then come the variables, without initialisers; then
 * the functions that have bodies, without them; so that whatever is looked at afterwards,
 * initialisers and bodies, finds what it refers to. A function that is not defined comes about
 * where it is used, if the library has it. */
#include "cc/import/import_internal.h"

#include "cc/library.h"

#include <ctype.h>
#include <stdarg.h>

enum { MAX_DEPTH = 1500 };

/* -- giving up -------------------------------------------------------------------------------- */

static _Noreturn void give_up(struct importer *im, uint32_t node, bool fatal, const char *kind,
                              const char *format, va_list args)
{
    char what[MAX_WHY / 2];
    vsnprintf(what, sizeof what, format, args);
    snprintf(im->why, sizeof im->why, "%s: %s", kind, what);
    im->why_line = import_node(im, node)->line;
    im->fatal = fatal;
    longjmp(im->recovery->here, 1);
}

void import_fail(struct importer *im, uint32_t node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    give_up(im, node, false, "unsupported", format, args);
}

void import_not_portable(struct importer *im, uint32_t node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    give_up(im, node, false, CC_IMPORT_NOT_PORTABLE, format, args);
}

void import_refuse(struct importer *im, uint32_t node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    give_up(im, node, true, "unsupported", format, args);
}

static _Noreturn __attribute__((format(printf, 3, 4))) void
refuse_not_portable(struct importer *im, uint32_t node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    give_up(im, node, true, CC_IMPORT_NOT_PORTABLE, format, args);
}

void import_bug(struct importer *im, uint32_t node, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    give_up(im, node, true, "internal", format, args);
}

void import_begin(struct importer *im, struct recovery *r)
{
    r->up = im->recovery;
    r->depth = im->depth;
    r->around = im->around;
    r->gotos = im->gotos;
    r->n_labels = im->n_labels;
    r->n_traps = im->n_traps;
    im->recovery = r;
}

void import_end(struct importer *im, const struct recovery *r)
{
    im->recovery = r->up;
}

void import_recover(struct importer *im, const struct recovery *r)
{
    im->recovery = r->up;
    im->depth = r->depth;
    im->around = r->around;
    im->gotos = r->gotos;
    if (!im->partly || im->fatal || im->n_labels != r->n_labels)
        longjmp(im->recovery->here, 1);
    if (im->n_traps != r->n_traps) /* what failed first says more */
        snprintf(im->why, sizeof im->why, "%s", im->out->traps->expr->text);
}

struct cc_expr *import_trap(struct importer *im, const struct cc_type *type)
{
    struct import_trap *t = arena_new(im->p->arena, struct import_trap);
    *t = (struct import_trap){im->out->traps, cc_unsupported(im->p, type, im->why)};
    im->out->traps = t;
    im->n_traps++;
    return t->expr;
}

bool cc_import_fill(const struct import *in)
{
    struct cc_program *p = in->program;
    const struct cc_type *number = cc_basic(&p->types, CC_INT);
    for (const struct import_trap *t = in->traps; t; t = t->next) {
        const struct cc_type *type = t->expr->type;
        if (type->kind == CC_VOID)
            *t->expr = *cc_cast(p, type, cc_int(p, number, 0, CC_DECIMAL));
        else if (type->kind == CC_POINTER)
            *t->expr = *cc_null(p, type);
        else if (cc_is_float(type))
            *t->expr = *cc_float(p, type, 0, CC_DECIMAL);
        else if (cc_is_integer(type))
            *t->expr = *cc_int(p, type, 0, CC_DECIMAL);
        else
            return false;
    }
    return true;
}

void import_enter(struct importer *im, uint32_t node)
{
    if (++im->depth > MAX_DEPTH)
        import_fail(im, node, "nesting deeper than %d", MAX_DEPTH);
}

/* -- attributes ------------------------------------------------------------------------------- */

/* Attributes that change what a declaration means, and in another way than by its type or layout,
 * which clang has applied. Those that clang does not know have no effect there, but in GCC. */
static const char *const meaningful[] = {
    "alias",
    "weak",
    "weakref",
    "section",
    "cleanup",
    "constructor",
    "destructor",
    "ifunc",
    "asm",
    "naked",
    "interrupt",
    "scalar_storage_order",
    "transparent_union",
    "tls_model",
    "dllimport",
    "target",
    "target_clones",
    "common_noinit",
    "noinit",
    "persistent",
    "simd",
    "vector_mask",
    "ms_abi",
    "sysv_abi",
    "address_space",
};

/* Promises of a function that is defined here about how it is called or what it does. What breaks
 * one is undefined, and nothing here would notice: a variant may. */
static const char *const promises[] = {
    "const",       "pure",           "returns_nonnull", "malloc",        "alloc_size",
    "alloc_align", "assume_aligned", "access",          "returns_twice",
};

/* The same, and interp looks. */
static const struct {
    const char *name;
    enum cc_promise bit;
} checked[] = {{"noreturn", CC_PROMISE_NORETURN}, {"nonnull", CC_PROMISE_NONNULL}};

static void check_attributes(struct importer *im, uint32_t decl, const char *const *names,
                             size_t n_names)
{
    const struct parsed_node *n = import_node(im, decl);
    if (!(n->flags & PARSED_ATTRIBUTES))
        return;
    const char *text = parsed_string(im->s, n->text), *end = text + n->text_size;
    while (text < end) {
        size_t word = 0;
        while (text + word < end && text[word] != ' ')
            word++;
        for (size_t i = 0; i < n_names; i++)
            if (strlen(names[i]) == word && !memcmp(names[i], text, word)) {
                if (strstr(names[i], "structor")) /* it runs without being called */
                    import_refuse(im, decl, "the attribute %s", names[i]);
                import_fail(im, decl, "the attribute %s", names[i]);
            }
        text += word + 1;
    }
}

static bool has_attribute(struct importer *im, uint32_t decl, const char *name)
{
    const struct parsed_node *n = import_node(im, decl);
    size_t length = strlen(name);
    if (!(n->flags & PARSED_ATTRIBUTES))
        return false;
    const char *text = parsed_string(im->s, n->text), *end = text + n->text_size;
    while (text < end) {
        const char *space = memchr(text, ' ', (size_t)(end - text));
        size_t word = (size_t)((space ? space : end) - text);
        if (word == length && !memcmp(text, name, length))
            return true;
        text += word + 1;
    }
    return false;
}

static int promises_of(struct importer *im, uint32_t decl)
{
    int bits = 0;
    for (size_t i = 0; i < sizeof checked / sizeof *checked; i++)
        if (has_attribute(im, decl, checked[i].name))
            bits |= (int)checked[i].bit;
    return bits;
}

void import_attributes(struct importer *im, uint32_t decl)
{
    check_attributes(im, decl, meaningful, sizeof meaningful / sizeof *meaningful);
}

/* The number behind a word as in `aligned(8)`; without one the largest that the target has use for.
 * What is no number counts as nothing: then no pointer to it is taken for better aligned. */
static uint32_t alignment_behind(const char *s)
{
    while (*s == '_' || isspace((unsigned char)*s))
        s++;
    if (*s != '(')
        return 16;
    char *end;
    unsigned long n = strtoul(s + 1, &end, 0);
    while (isspace((unsigned char)*end))
        end++;
    bool power = n && !(n & (n - 1));
    return end > s + 1 && *end == ')' && power && n <= 1u << 16 ? (uint32_t)n : 0;
}

uint32_t import_alignment(struct importer *im, uint32_t decl)
{
    const struct parsed_node *n = import_node(im, decl);
    if (n->flags & (PARSED_INCLUDED | PARSED_IN_MACRO) || n->at >= im->s->source_size)
        return 0;
    const char *s = im->s->source + n->begin, *name = im->s->source + n->at;
    uint32_t most = 0;
    for (int depth = 0; *s; s++) {
        depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
        if (s > name && depth <= 0 && strchr(";,={", *s))
            break;
        if (*s == ',' && depth <= 0) /* what stands before belongs to another one, at least also */
            most = 0;
        size_t word = !strncmp(s, "aligned", 7) ? 7 : !strncmp(s, "_Alignas", 8) ? 8 : 0;
        uint32_t said = word ? alignment_behind(s + word) : 0;
        most = said > most ? said : most;
    }
    return most;
}

/* -- names of file scope ---------------------------------------------------------------------- */

struct entity *import_entity(struct importer *im, uint32_t decl)
{
    bool added;
    struct map_entry *e = map_put_str(&im->names, import_name(im, decl), &added);
    if (added) {
        struct entity *made = arena_new(im->p->arena, struct entity);
        made->decl = decl;
        e->value.pointer = made;
    }
    return e->value.pointer;
}

static bool is_complete(const struct importer *im, uint32_t decl)
{
    return im->s->types[import_node(im, decl)->type].kind != PARSED_T_INCOMPLETE_ARRAY;
}

static void collect_variable(struct importer *im, uint32_t decl)
{
    const struct parsed_node *n = import_node(im, decl);
    struct entity *e = import_entity(im, decl);
    if (import_kind(im, e->decl) != PARSED_VAR)
        import_refuse(im, decl, "%s as a variable and a function", import_name(im, decl));
    uint32_t init = import_part(im, decl, 0);
    if (init)
        e->init = init;
    if (init || (is_complete(im, decl) && !is_complete(im, e->decl)))
        e->decl = decl;
    e->defined |= (n->flags & PARSED_DEFINED) != 0 || init;
}

/* Is a function of that name the library's for a compiler? interp has a few more names. */
static bool is_reserved(const struct parsed_node *n, const char *name)
{
    enum cc_library library = cc_library_named(name);
    bool taken = library && cc_library_kind[library] != CC_LIB_BUILTIN &&
                 cc_library_kind[library] != CC_LIB_PLAIN;
    return taken && !(n->flags & PARSED_STATIC);
}

/* Is a definition in the old style, `int f(a) int a; {}`? clang gives it a prototype all the same
 * (6.9.1p13 says that it has none). Its parameters are declared behind the parentheses. */
static bool is_old_style(const struct importer *im, uint32_t decl)
{
    const struct parsed_node *n = import_node(im, decl);
    uint32_t param = import_child(im, decl, 0);
    if (import_kind(im, param) != PARSED_PARAM || n->at >= im->s->source_size ||
        n->flags & (PARSED_INCLUDED | PARSED_IN_MACRO))
        return false;
    const char *s = im->s->source + n->at;
    const char *end = im->s->source + import_node(im, param)->at;
    int depth = 0;
    for (; s < end; s++) {
        const char *comment = !strncmp(s, "/*", 2) ? strstr(s + 2, "*/") : NULL;
        s = comment ? comment + 1 : s;
        depth += *s == '(' ? 1 : *s == ')' ? -1 : 0;
        if (*s == ')' && depth == 0)
            return s < end;
    }
    return false;
}

static void collect_function(struct importer *im, uint32_t decl)
{
    const struct parsed_node *n = import_node(im, decl);
    struct entity *e = import_entity(im, decl);
    if (import_kind(im, e->decl) != PARSED_FUNCTION)
        import_refuse(im, decl, "%s as a variable and a function", import_name(im, decl));
    if (!im->s->types[n->type].unprototyped)
        e->prototyped |= !(n->flags & PARSED_DEFINED) || !is_old_style(im, decl);
    /* What a header defines inline is the library's where interp has it. */
    bool ours =
        !(n->flags & (PARSED_INCLUDED | PARSED_SYSTEM)) || !cc_library_named(import_name(im, decl));
    if (!(n->flags & PARSED_DEFINED) || !ours)
        return;
    if (is_reserved(n, import_name(im, decl))) /* 7.1.3p2: compilers take it for theirs */
        import_refuse(im, decl, "a definition of the library's %s", import_name(im, decl));
    if (e->defined)
        import_refuse(im, decl, "a second definition of %s", import_name(im, decl));
    e->defined = true;
    e->decl = decl;
}

static void collect(struct importer *im, uint32_t unit)
{
    for (uint32_t c = import_node(im, unit)->first; c; c = import_node(im, c)->next) {
        const struct parsed_node *n = import_node(im, c);
        if (n->kind == PARSED_VAR)
            collect_variable(im, c);
        else if (n->kind == PARSED_FUNCTION)
            collect_function(im, c);
        else if (n->kind == PARSED_ASM)
            import_refuse(im, c, "asm at file scope");
        else if (n->kind == PARSED_OTHER_DECL && !(n->flags & (PARSED_INCLUDED | PARSED_SYSTEM)) &&
                 n->end <= im->s->source_size &&
                 (!strncmp(im->s->source + n->begin, "asm", 3) ||
                  !strncmp(im->s->source + n->begin, "__asm", 5)))
            import_refuse(im, c, "asm at file scope");
    }
}

/* -- variables -------------------------------------------------------------------------------- */

/* stdout and its like are the library's: pointers that no program looks into, each to itself. */
static struct cc_var *standard_stream(struct importer *im, uint32_t decl)
{
    static const char *const names[] = {"stdin", "stdout", "stderr"};
    const char *name = import_name(im, decl);
    const struct cc_type *type = import_type(im, import_node(im, decl)->type, decl);
    for (int i = 0; i < 3; i++)
        if (!strcmp(name, names[i]) && type->kind == CC_POINTER) {
            struct cc_var *v = cc_global(im->p, name, type, NULL);
            cc_initialise(im->p, v, cc_convert(im->p, type, cc_addr(im->p, cc_use(im->p, v))));
            v->storage = CC_EXTERN;
            return v;
        }
    return NULL;
}

struct cc_var *import_variable(struct importer *im, uint32_t decl, uint32_t node)
{
    const struct parsed_node *n = import_node(im, decl);
    if (n->kind == PARSED_VAR && n->flags & PARSED_GLOBAL) {
        struct entity *e = import_entity(im, decl);
        if (e->refused)
            import_fail(im, node, "%s: %s", import_name(im, decl), e->refused);
        if (!e->var && !e->defined) /* whether a header declares it or the file itself */
            e->var = standard_stream(im, decl);
        if (!e->var && n->flags & (PARSED_INCLUDED | PARSED_SYSTEM))
            import_fail(im, node, "use of the undefined variable %s", import_name(im, decl));
        if (!e->var)
            import_refuse(im, node, "use of the undefined variable %s", import_name(im, decl));
        im->out->vars[decl] = e->var;
    }
    if (!im->out->vars[decl])
        import_fail(im, node, "the variable %s", import_name(im, decl));
    return im->out->vars[decl];
}

static void make_variable(struct importer *im, struct entity *e)
{
    const struct parsed_node *n = import_node(im, e->decl);
    if (n->flags & PARSED_THREAD && !im->partly) /* there is only one thread */
        import_fail(im, e->decl, "a thread-local variable");
    import_is_restrict(im, e->decl, false);
    const struct cc_type *type = import_type(im, n->type, e->decl);
    if (!is_complete(im, e->decl) && type->kind == CC_ARRAY) /* 6.9.2p5: as if one element */
        type = cc_array_of(&im->p->types, type->to, 1);
    if (type->size == 0)
        import_fail(im, e->decl, "an object without size (%s)", import_type_name(im, n->type));
    e->var = cc_global(im->p, import_name(im, e->decl), type, NULL);
    e->var->storage = n->flags & PARSED_STATIC ? CC_STATIC : CC_EXTERN;
    e->var->align = import_alignment(im, e->decl);
}

/* -- functions -------------------------------------------------------------------------------- */

/* Functions whose result, or whose effect on variables (7.13.2.1p3), is the optimiser's. */
static bool is_machine_dependent(const char *name)
{
    static const char *const names[] = {"setjmp",
                                        "_setjmp",
                                        "__sigsetjmp",
                                        "longjmp",
                                        "return_address",
                                        "frame_address",
                                        "constant_p",
                                        "apply",
                                        "apply_args",
                                        "object_size",
                                        "unwind_init",
                                        "eh_return",
                                        "extract_return_addr",
                                        "dynamic_object_size"};
    const char *bare = strncmp(name, "__builtin_", 10) ? name : name + 10;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(bare, names[i]))
            return true;
    return false;
}

struct cc_func *import_function(struct importer *im, uint32_t decl, uint32_t node)
{
    struct entity *e = import_entity(im, decl);
    if (e->refused)
        import_fail(im, node, "%s: %s", import_name(im, decl), e->refused);
    if (e->func)
        return e->func;
    const char *name = import_name(im, decl);
    enum cc_library library = cc_library_named(name);
    bool known = library && import_node(im, decl)->flags & (PARSED_INCLUDED | PARSED_SYSTEM);
    if (!known) /* whatever its name is for the linker, as of glibc's sscanf */
        import_attributes(im, decl);
    if (is_machine_dependent(name))
        import_not_portable(im, node, "a call of %s", name);
    if (library == CC_LIB_NONE &&
        !(import_node(im, decl)->flags & (PARSED_INCLUDED | PARSED_SYSTEM | PARSED_IMPLICIT)))
        refuse_not_portable(im, node, "a call of %s, which is nowhere", name);
    if (library == CC_LIB_NONE)
        import_fail(im, node, "call of the undefined function %s", name);
    const struct cc_type *type = import_type(im, import_node(im, decl)->type, node);
    if (type->kind != CC_FUNCTION)
        import_bug(im, node, "the type of %s", name);
    e->func = cc_function_of(im->p, name, type, NULL, 0);
    e->func->storage = CC_EXTERN;
    e->func->library = (int)library;
    return e->func;
}

/* 6.7.6.3p7, p8. */
static const struct cc_type *adjusted(struct importer *im, const struct cc_type *t)
{
    if (t->kind == CC_ARRAY)
        return cc_pointer_to(&im->p->types, t->to);
    return t->kind == CC_FUNCTION ? cc_pointer_to(&im->p->types, t) : t;
}

/* May evaluating what is below the node change something? */
static bool has_effects(const struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    if (n->kind == PARSED_ASSIGN || n->kind == PARSED_CALL || n->kind == PARSED_STMT_EXPR ||
        (n->kind == PARSED_UNARY && (n->op == PARSED_OP_INC || n->op == PARSED_OP_DEC)))
        return true;
    for (uint32_t c = n->first; c; c = import_node(im, c)->next)
        if (has_effects(im, c))
            return true;
    return false;
}

static struct cc_var *make_parameter(struct importer *im, uint32_t node)
{
    const struct parsed_node *n = import_node(im, node);
    const struct cc_type *type = adjusted(im, import_type(im, n->type, node));
    if (!type->size)
        import_fail(im, node, "an object without size (%s)", import_type_name(im, n->type));
    if (!cc_is_scalar(type) && !cc_is_composite(type))
        import_fail(im, node, "a parameter of type %s", import_type_name(im, n->type));
    if (has_effects(im, node)) /* sizes are evaluated (6.9.1p10) */
        import_fail(im, node, "a variable length array");
    const char *name = import_name(im, node);
    struct cc_var *v = cc_param(im->p, *name ? name : "unnamed", type);
    v->is_register = (n->flags & PARSED_REGISTER) != 0;
    return im->out->vars[node] = v;
}

static void make_function(struct importer *im, struct entity *e)
{
    const struct parsed_node *n = import_node(im, e->decl);
    const struct cc_type *type = import_type(im, n->type, e->decl);
    if (type->kind != CC_FUNCTION)
        import_bug(im, e->decl, "the type of %s", import_name(im, e->decl));
    if (type->to->kind != CC_VOID && type->to->size == 0)
        import_fail(im, e->decl, "a result without size");
    struct cc_var **params = arena_array(im->p->arena, struct cc_var *, import_count(im, e->decl));
    int count = 0;
    for (uint32_t c = n->first; c; c = import_node(im, c)->next)
        if (import_kind(im, c) == PARSED_PARAM) {
            bool restricted = import_is_restrict(im, c, im->partly);
            if (restricted && count >= 30)
                import_fail(im, c, "restrict");
            e->restricted |= restricted ? 1u << count : 0;
            params[count++] = make_parameter(im, c);
        }
    if (!type->unprototyped && count != type->n_params)
        import_bug(im, e->decl, "%s has %d parameters, its type %d", import_name(im, e->decl),
                   count, type->n_params);
    if (!e->prototyped && count > 0)
        type = cc_function_type_of(&im->p->types, type->to, NULL, 0, false, true);
    e->func = cc_function_of(im->p, import_name(im, e->decl), type, params, count);
    e->func->storage = n->flags & PARSED_STATIC ? CC_STATIC : CC_EXTERN;
}

static void body_or_trap(struct importer *im, uint32_t body)
{
    struct recovery r;
    import_begin(im, &r);
    if (!setjmp(r.here)) {
        import_body(im, body);
        import_end(im, &r);
        return;
    }
    r.n_labels = im->n_labels; /* nobody jumps there any more */
    import_recover(im, &r);
    struct cc_stmt *trap = cc_expr_stmt(im->p, import_trap(im, cc_basic(&im->p->types, CC_VOID)));
    trap->line = im->why_line;
    im->func->body = cc_block(im->p);
    cc_append(im->func->body, trap);
}

static void fill_function(struct importer *im, const struct entity *e)
{
    for (uint32_t c = import_node(im, e->decl)->first; c; c = import_node(im, c)->next)
        if (import_kind(im, c) == PARSED_BLOCK) {
            im->func = e->func;
            body_or_trap(im, c);
            im->func = NULL;
            if (e->restricted)
                import_read_restrict(im, e->func, e->restricted);
        }
}

/* What cannot be made of the entity is only missed where it is used. */
static void make_entity(struct importer *im, struct entity *e)
{
    struct recovery r;
    import_begin(im, &r);
    if (!setjmp(r.here)) {
        import_kind(im, e->decl) == PARSED_VAR ? make_variable(im, e) : make_function(im, e);
        import_end(im, &r);
        return;
    }
    import_recover(im, &r);
    e->refused = arena_strdup(im->p->arena, im->why);
    if (!strcmp(import_name(im, e->decl), "main"))
        import_refuse(im, e->decl, "%s", e->refused);
}

static void check_entity(struct importer *im, struct entity *e, uint32_t decl)
{
    struct recovery r;
    import_begin(im, &r);
    if (!setjmp(r.here)) {
        import_attributes(im, decl);
        if (import_kind(im, decl) == PARSED_FUNCTION)
            check_attributes(im, decl, promises, sizeof promises / sizeof *promises);
        if (e->func)
            e->func->promises |= promises_of(im, decl);
        import_end(im, &r);
        return;
    }
    import_recover(im, &r);
    e->refused = arena_strdup(im->p->arena, im->why);
}

/* main stands beside the others, as in programs that assay makes. */
static void take_main(struct cc_program *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->funcs.n; i++) {
        struct cc_func *f = p->funcs.at[i];
        if (!strcmp(f->name, "main"))
            p->main = f;
        else
            p->funcs.at[kept++] = f;
    }
    p->funcs.n = kept;
}

/* -- all -------------------------------------------------------------------------------------- */

/* clang says that it is GCC 4: whether __GNUC__ is there is the same for both, its value is not. */
static void check_gnuc(struct importer *im)
{
    static const char word[] = "__GNUC__";
    static const char *const asks[] = {"#ifdef ", "#ifndef ", "defined ", "defined(", "defined ("};
    for (const char *at = im->s->source; (at = strstr(at, word)); at += strlen(word)) {
        bool asked = false;
        for (size_t i = 0; i < sizeof asks / sizeof *asks; i++) {
            size_t n = strlen(asks[i]);
            asked |= (size_t)(at - im->s->source) >= n && !strncmp(at - n, asks[i], n);
        }
        if (!asked)
            refuse_not_portable(im, 1, "a text that depends on %s", word);
    }
}

/* What changes the rules and is not shown by libclang's types, in macros of the file, too: an
 * attribute that gives up 6.5p7, functions that must not return, arrays of at least some size. */
static void check_tokens(struct importer *im)
{
    static const char *const words[] = {"may_alias", "__may_alias__", "_Noreturn", "stdnoreturn"};
    struct scan s = scan_of(&scan_c, im->s->source, strlen(im->s->source));
    bool bracket = false; /* qualifiers may stand in between */
    for (struct scan_token t; (t = scan_token(&s)).kind != SCAN_END;) {
        if (t.kind == SCAN_MARK)
            bracket = scan_token_is(&s, &t, "[");
        if (t.kind == SCAN_NUMBER || t.kind == SCAN_STRING)
            bracket = false;
        if (bracket && scan_token_is(&s, &t, "static"))
            import_refuse(im, 1, "[static");
        for (size_t i = 0; t.kind == SCAN_WORD && i < sizeof words / sizeof *words; i++)
            if (scan_token_is(&s, &t, words[i]))
                import_refuse(im, 1, "%s", words[i]);
    }
}

/* Words of the text whose meaning is the compiler's own: a program that asks for them is another
 * one with each. */
static void check_words(struct importer *im)
{
    static const char *const words[] = {
        CC_IMPORT_OPTIMISED, "__OPTIMIZE_SIZE__", "__NO_INLINE__", "__clang__",
        "__VERSION__",       "__TIME__",          "__DATE__",      "__TIMESTAMP__",
        "__FAST_MATH__",     "__GNUC_MINOR__",    "__has_"};
    im->out->asks_optimised = strstr(im->s->source, CC_IMPORT_OPTIMISED) != NULL;
    for (size_t i = im->partly ? 1 : 0; i < sizeof words / sizeof *words; i++)
        if (strstr(im->s->source, words[i]))
            refuse_not_portable(im, 1, "a text that depends on %s", words[i]);
    check_gnuc(im);
    check_tokens(im);
}

static void import_unit(struct importer *im)
{
    check_words(im);
    im->p->ieee_floats = strstr(im->s->source, "__FLT_EVAL_METHOD__"); /* as print.c has it */
    collect(im, 1);
    for (size_t i = 0; i < im->names.n; i++) {
        struct entity *e = im->names.entries[i].value.pointer;
        if (!e->defined)
            continue;
        make_entity(im, e);
    }
    for (uint32_t c = import_node(im, 1)->first; c; c = import_node(im, c)->next) {
        enum parsed_kind kind = import_kind(im, c);
        if (kind != PARSED_VAR && kind != PARSED_FUNCTION)
            continue;
        struct entity *e = import_entity(im, c);
        if (e->defined)
            check_entity(im, e, c);
        if (e->defined && kind == PARSED_FUNCTION) {
            uint16_t flags = import_node(im, c)->flags;
            e->linked |= !(flags & PARSED_INLINE) || (flags & (PARSED_STATIC | PARSED_EXTERN));
        }
        if (kind == PARSED_VAR)
            im->out->vars[c] = e->var;
    }
    for (size_t i = 0, n = im->names.n; i < n; i++) {
        struct entity *e = im->names.entries[i].value.pointer;
        if (e->func && e->defined && !e->linked) /* 6.7.4p7 */
            refuse_not_portable(im, e->decl, "an inline function without an external definition");
        if (e->var && e->init)
            cc_initialise(im->p, e->var, import_init(im, e->var->type, e->init));
        else if (e->defined && e->func)
            fill_function(im, e);
    }
    take_main(im->p);
}

/* Members that something names. */
static void note_fields(struct importer *im)
{
    for (uint32_t i = 0; i < im->s->n_nodes; i++) {
        const struct parsed_node *n = import_node(im, i);
        if ((n->kind == PARSED_MEMBER || n->kind == PARSED_FIELD_DESIGNATOR) && n->ref)
            im->field_named[n->ref] = true;
    }
}

static void make_tables(struct importer *im)
{
    struct arena *a = im->p->arena;
    uint32_t n = im->s->n_nodes + 1;
    im->types = arena_array(a, const struct cc_type *, im->s->n_types + 1);
    im->unknown = arena_array(a, const struct cc_type *, im->s->n_types + 1);
    im->declared = arena_array(a, const struct cc_type *, n);
    im->record_state = arena_array(a, uint8_t, n);
    im->field_index = arena_array(a, int, n);
    im->field_of = arena_array(a, uint32_t, n);
    im->field_named = arena_array(a, bool, n);
    im->label_home = arena_array(a, int, n);
    *im->out = (struct import){.program = im->p,
                               .uses = arena_array(a, struct cc_expr *, n),
                               .vars = arena_array(a, struct cc_var *, n),
                               .stmts = arena_array(a, struct cc_stmt *, n)};
}

static int import_file(const struct parsed *parsed, const char *name, bool partly,
                       struct cc_program *p, struct import *out, struct error *error)
{
    struct importer *im = arena_new(p->arena, struct importer);
    struct recovery whole;
    *im = (struct importer){.s = parsed, .name = name, .partly = partly, .p = p, .out = out};
    make_tables(im);
    note_fields(im);
    map_init(&im->names);
    int status = 0;
    import_begin(im, &whole);
    if (!setjmp(whole.here))
        import_unit(im);
    else
        status = error_at(error, ERROR_USAGE, name, (int)im->why_line, "%s", im->why);
    map_release(&im->names);
    return status;
}

int cc_import(const struct parsed *parsed, const char *name, struct cc_program *p,
              struct import *out, struct error *error)
{
    return import_file(parsed, name, false, p, out, error);
}

int cc_import_partly(const struct parsed *parsed, const char *name, struct cc_program *p,
                     struct import *out, struct error *error)
{
    return import_file(parsed, name, true, p, out, error);
}
