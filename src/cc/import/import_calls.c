/* Calls: of the file's own functions, of the library that interp runs, and of GCC's builtins.
 *
 * A function that the file defines is called, whatever its name is. Of those that are only declared
 * or built in, the library (cc/library.h) comes first, then cc's builtins (cc/builtin.h), then what
 * is one of these under another name: the checked variants of the library's functions
 * (__builtin___memcpy_chk), whose additional arguments are left out, and the overflow builtins of
 * one type (__builtin_sadd_overflow). */
#include "cc/import/import_internal.h"

#include "cc/builtin.h"
#include "cc/library.h"

enum { MAX_BUILTIN_ARGUMENTS = 4 };

/* -- arguments -------------------------------------------------------------------------------- */

static struct cc_expr *argument(struct importer *im, uint32_t node, const struct cc_type *param)
{
    struct cc_expr *e = import_expr(im, node);
    const struct cc_type *t = import_value_type(im, e);
    if (!cc_is_scalar(t) && !cc_is_composite(t))
        import_fail(im, node, "an argument that is %s", cc_kind_text[t->kind]);
    if (param) {
        if (param->size == 0)
            import_fail(im, node, "a parameter without size");
        return import_fit(im, node, param, e);
    }
    return import_operand(im, node, e);
}

/* Call `callee` with the nodes of `args`. */
static struct cc_expr *call_with(struct importer *im, uint32_t node, struct cc_expr *callee,
                                 const uint32_t *args, int n)
{
    const struct cc_type *t = import_value_type(im, callee);
    if (t->kind != CC_POINTER || t->to->kind != CC_FUNCTION)
        import_fail(im, node, "a call of %s", cc_kind_text[t->kind]);
    const struct cc_type *f = t->to;
    if (f->to->kind != CC_VOID && f->to->size == 0)
        import_fail(im, node, "a result without size");
    if (n < f->n_params || (n > f->n_params && !f->variadic && !f->unprototyped))
        import_fail(im, node, "a call with %d arguments of a function that takes %d", n,
                    f->n_params);
    struct cc_expr **list = arena_array(im->p->arena, struct cc_expr *, n);
    for (int i = 0; i < n; i++)
        list[i] = argument(im, args[i], i < f->n_params ? f->params[i] : NULL);
    return cc_call(im->p, callee, list, n);
}

/* -- cc's builtins ---------------------------------------------------------------------------- */

/* Index into cc_builtins; -1: none. __builtin_constant_p has the optimiser's value. */
static int builtin_named(const char *name)
{
    for (int i = 0; i < CC_N_BUILTIN; i++)
        if (!strcmp(cc_builtins[i].name, name) && i != CC_BUILTIN_CHECKSUM &&
            i != CC_BUILTIN_CONSTANT_P)
            return i;
    return -1;
}

/* A pointer to what an overflow builtin stores its result in. */
static void check_result(struct importer *im, uint32_t node, const struct cc_type *t)
{
    if ((t->kind != CC_POINTER && t->kind != CC_ARRAY) || !cc_is_integer(t->to) ||
        t->to->kind == CC_BOOL || t->to->kind == CC_ENUM || t->to->quals & CC_CONST)
        import_fail(im, node, "a builtin that stores to %s", cc_kind_text[t->kind]);
}

static struct cc_expr *call_builtin(struct importer *im, uint32_t node, int builtin,
                                    const uint32_t *args, int n, const struct cc_type *as)
{
    const struct cc_builtin *b = &cc_builtins[builtin];
    struct cc_expr *list[MAX_BUILTIN_ARGUMENTS];
    if ((size_t)n != strlen(b->params) || n > MAX_BUILTIN_ARGUMENTS)
        import_fail(im, node, "%s with %d arguments", b->name, n);
    for (int i = 0; i < n; i++) {
        const struct cc_type *to = cc_letter_type(&im->p->types, b->params[i]);
        struct cc_expr *e = import_expr(im, args[i]);
        if (b->params[i] == 'p')
            check_result(im, node, e->type);
        else if (to || as)
            e = import_fit(im, node, to ? to : as, e);
        else if (!cc_is_integer(e->type))
            import_fail(im, node, "%s of %s", b->name, cc_kind_text[e->type->kind]);
        if (as && b->params[i] != 'p')
            e = cc_convert(im->p, as, e);
        list[i] = e;
    }
    return cc_builtin(im->p, builtin, list, n);
}

/* __builtin_saddl_overflow and the like: sign, operation, width. NULL: it is none of them. */
static struct cc_expr *call_typed_overflow(struct importer *im, uint32_t node, const char *name,
                                           const uint32_t *args, int n)
{
    static const struct {
        const char *name;
        int builtin;
    } operations[] = {{"add", CC_BUILTIN_ADD_OVERFLOW},
                      {"sub", CC_BUILTIN_SUB_OVERFLOW},
                      {"mul", CC_BUILTIN_MUL_OVERFLOW}};
    static const struct {
        const char *name;
        enum cc_kind kind;
    } widths[] = {{"", CC_INT}, {"l", CC_LONG}, {"ll", CC_LLONG}};
    for (size_t o = 0; o < 3; o++)
        for (size_t w = 0; w < 3; w++)
            for (int u = 0; u < 2; u++) {
                char full[64];
                snprintf(full, sizeof full, "__builtin_%c%s%s_overflow", u ? 'u' : 's',
                         operations[o].name, widths[w].name);
                if (!strcmp(name, full))
                    return call_builtin(im, node, operations[o].builtin, args, n,
                                        cc_basic(&im->p->types, widths[w].kind + (unsigned)u));
            }
    return NULL;
}

/* -- the library ------------------------------------------------------------------------------ */

/* A function of the library of which `left_out` (bits) says what parameters it does not have. */
static struct cc_func *library_without(struct importer *im, uint32_t node, uint32_t decl,
                                       const char *name, unsigned left_out)
{
    const struct cc_type *full = import_type(im, import_node(im, decl)->type, node);
    const struct cc_type **params =
        arena_array(im->p->arena, const struct cc_type *, full->n_params);
    int n = 0;
    for (int i = 0; i < full->n_params; i++)
        if (!(left_out >> i & 1))
            params[n++] = full->params[i];
    const struct cc_type *type =
        cc_function_type_of(&im->p->types, full->to, params, n, full->variadic, full->unprototyped);
    struct cc_func *f = cc_function_of(im->p, name, type, NULL, 0);
    f->storage = CC_EXTERN;
    f->library = (int)cc_library_named(name);
    return f;
}

/* The checked variants: what each is without the arguments that the check needs. */
#define CHECKED_TABLE(X)                                                                           \
    X("memcpy", 1u << 3)                                                                           \
    X("memmove", 1u << 3)                                                                          \
    X("mempcpy", 1u << 3)                                                                          \
    X("memset", 1u << 3)                                                                           \
    X("strcpy", 1u << 2)                                                                           \
    X("stpcpy", 1u << 2)                                                                           \
    X("strcat", 1u << 2)                                                                           \
    X("strncpy", 1u << 3)                                                                          \
    X("strncat", 1u << 3)                                                                          \
    X("sprintf", 1u << 1 | 1u << 2)                                                                \
    X("vsprintf", 1u << 1 | 1u << 2)                                                               \
    X("snprintf", 1u << 2 | 1u << 3)                                                               \
    X("vsnprintf", 1u << 2 | 1u << 3)                                                              \
    X("printf", 1u << 0)                                                                           \
    X("vprintf", 1u << 0)                                                                          \
    X("fprintf", 1u << 1)                                                                          \
    X("vfprintf", 1u << 1)

static struct cc_expr *call_without(struct importer *im, uint32_t node, uint32_t decl,
                                    const char *name, unsigned left_out, const uint32_t *args,
                                    int n)
{
    uint32_t *kept = arena_array(im->p->arena, uint32_t, n);
    int k = 0;
    for (int i = 0; i < n; i++)
        if (i >= 32 || !(left_out >> i & 1))
            kept[k++] = args[i];
    struct cc_func *f = library_without(im, node, decl, name, left_out);
    return call_with(im, node, cc_func_use(im->p, f), kept, k);
}

static struct cc_expr *call_checked(struct importer *im, uint32_t node, uint32_t decl,
                                    const char *name, const uint32_t *args, int n)
{
    char full[64];
#define X(plain, left_out)                                                                         \
    snprintf(full, sizeof full, "__builtin___%s_chk", plain);                                      \
    if (!strcmp(name, full) || !strcmp(name, full + strlen("__builtin_")))                         \
        return call_without(im, node, decl, plain, left_out, args, n);
    CHECKED_TABLE(X)
#undef X
    return NULL;
}

/* -- calls ------------------------------------------------------------------------------------ */

/* A function that the file does not define. NULL: the library has it, or nobody. */
static struct cc_expr *call_undefined(struct importer *im, uint32_t node, uint32_t decl,
                                      const uint32_t *args, int n)
{
    const char *name = import_name(im, decl);
    enum cc_library library = cc_library_named(name);
    if (library == CC_LIB_VA_START && n == 2) /* the last parameter is only named */
        return call_with(im, node, cc_func_use(im->p, import_function(im, decl, node)), args, 1);
    if (library != CC_LIB_NONE)
        return NULL;
    int builtin = builtin_named(name);
    if (builtin < 0 && (!strcmp(name, "ffs") || !strcmp(name, "ffsll")))
        builtin = *(name + 3) ? CC_BUILTIN_FFSLL : CC_BUILTIN_FFS;
    if (!strcmp(name, "__builtin_expect_with_probability") && n == 3)
        return call_builtin(im, node, CC_BUILTIN_EXPECT, args, 2, NULL);
    if (builtin >= 0)
        return call_builtin(im, node, builtin, args, n, NULL);
    struct cc_expr *e = call_typed_overflow(im, node, name, args, n);
    return e ? e : call_checked(im, node, decl, name, args, n);
}

struct cc_expr *import_call(struct importer *im, uint32_t node)
{
    uint32_t callee = import_child(im, node, 0);
    int n = (int)import_count(im, node) - 1;
    uint32_t *args = arena_array(im->p->arena, uint32_t, n);
    uint32_t c = import_node(im, callee)->next;
    for (int i = 0; i < n; i++, c = import_node(im, c)->next)
        args[i] = c;
    const struct parsed_node *use = import_node(im, callee);
    if (use->kind == PARSED_USE && import_kind(im, use->ref) == PARSED_FUNCTION &&
        !import_entity(im, use->ref)->defined) {
        struct cc_expr *e = call_undefined(im, node, use->ref, args, n);
        if (e)
            return e;
    }
    return call_with(im, node, import_expr(im, callee), args, n);
}
