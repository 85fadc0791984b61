/* Programs for the interpreter's tests, in few words.
 *
 *     begin(&cc_lp64);                       a program with an empty func_1
 *     struct cc_var *x = global("x", INT, NULL);
 *     set(V(x), ADD(V(x), I(1)));            appends `x = x + 1;` to the block being filled
 *     enter(cc_block(P)); ... leave();        statements in between go to that block
 *     enum cc_ub rule = run();               func_1, then main's checksum
 *     finish();
 *
 * State is static because a test program has just one program at a time. */
#ifndef ASSAY_TESTS_INTERP_MAKE_H
#define ASSAY_TESTS_INTERP_MAKE_H

#include "cc/build.h"
#include "cc/builtin.h"
#include "cc/checksum.h"
#include "cc/print.h"
#include "interp/interp.h"
#include "tap.h"

static struct arena make_arena;
static struct cc_program make_program;
static struct cc_stmt *make_blocks[32]; /* being filled, the innermost last */
static int make_depth;
static struct cc_func *make_func;
static struct interp *make_interp;

#define P (&make_program)
#define BASIC(kind) cc_basic(&P->types, (kind))
#define INT BASIC(CC_INT)
#define UINT BASIC(CC_UINT)
#define CHAR BASIC(CC_CHAR)
#define SCHAR BASIC(CC_SCHAR)
#define UCHAR BASIC(CC_UCHAR)
#define SHORT BASIC(CC_SHORT)
#define LLONG BASIC(CC_LLONG)
#define ULLONG BASIC(CC_ULLONG)
#define BOOL BASIC(CC_BOOL)
#define FLOAT BASIC(CC_FLOAT)
#define DOUBLE BASIC(CC_DOUBLE)
#define VOID BASIC(CC_VOID)
#define PTR(t) cc_pointer_to(&P->types, (t))
#define ARRAY(t, n) cc_array_of(&P->types, (t), (n))
#define QUAL(t, q) cc_qualified(&P->types, (t), (q))

#define I(n) cc_int(P, INT, (n), CC_DECIMAL)
#define N(t, n) cc_int(P, (t), (n), CC_DECIMAL)
#define D(x) cc_float(P, DOUBLE, (x), CC_DECIMAL)
#define V(v) cc_use(P, (v))
#define ADDR(e) cc_addr(P, (e))
#define DEREF(e) cc_deref(P, (e))
#define AT(a, i) cc_index(P, (a), (i))
#define DOT(e, f) cc_member(P, (e), (f))
#define CAST(t, e) cc_cast(P, (t), (e))
#define BIN(op, a, b) cc_binary(P, (op), (a), (b))
#define ADD(a, b) BIN(CC_ADD, a, b)
#define LT(a, b) BIN(CC_LT, a, b)
#define ASSIGN(l, e) cc_assign(P, CC_NONE, (l), (e))
#define ASSIGN_OP(op, l, e) cc_assign(P, (op), (l), (e))
#define INC(e) cc_incdec(P, CC_ADD, true, (e))
#define COMMA(a, b) cc_comma(P, (a), (b))
#define LIST(t, ...)                                                                               \
    cc_list(P, (t), (struct cc_expr *[]){__VA_ARGS__},                                             \
            (int)(sizeof((struct cc_expr *[]){__VA_ARGS__}) / sizeof(void *)), 0)
#define UNION_LIST(t, member, e) cc_list(P, (t), (struct cc_expr *[]){e}, 1, (member))
#define CALL(f, ...)                                                                               \
    cc_call(P, cc_func_use(P, (f)), (struct cc_expr *[]){NULL, __VA_ARGS__} + 1,                   \
            (int)(sizeof((struct cc_expr *[]){NULL, __VA_ARGS__}) / sizeof(void *)) - 1)
#define FIELDS(...)                                                                                \
    (const struct cc_field[]){__VA_ARGS__},                                                        \
        (int)(sizeof((const struct cc_field[]){__VA_ARGS__}) / sizeof(struct cc_field))
#define FIELD(n, t)                                                                                \
    {                                                                                              \
        .name = (n), .type = (t), .bits = -1                                                       \
    }
#define BITS(n, t, w)                                                                              \
    {                                                                                              \
        .name = (n), .type = (t), .bits = (w)                                                      \
    }
#define STRUCT(tag, ...) cc_record_type(&P->types, (tag), false, false, FIELDS(__VA_ARGS__))
#define PACKED(tag, ...) cc_record_type(&P->types, (tag), false, true, FIELDS(__VA_ARGS__))
#define UNION(tag, ...) cc_record_type(&P->types, (tag), true, false, FIELDS(__VA_ARGS__))

__attribute__((unused)) static struct cc_stmt *put(struct cc_stmt *s)
{
    cc_append(make_blocks[make_depth], s);
    return s;
}

__attribute__((unused)) static void eval(struct cc_expr *e)
{
    put(cc_expr_stmt(P, e));
}

__attribute__((unused)) static void set(struct cc_expr *lvalue, struct cc_expr *value)
{
    eval(ASSIGN(lvalue, value));
}

__attribute__((unused)) static struct cc_stmt *enter(struct cc_stmt *block)
{
    make_blocks[++make_depth] = block;
    return block;
}

__attribute__((unused)) static struct cc_stmt *leave(void)
{
    return make_blocks[make_depth--];
}

/* { in a block of its own }, appended. */
__attribute__((unused)) static void enter_block(void)
{
    enter(put(cc_block(P)));
}

__attribute__((unused)) static void enter_if(struct cc_expr *c)
{
    struct cc_stmt *s = put(cc_if(P, c, cc_block(P), NULL));
    enter(s->a);
}

__attribute__((unused)) static void enter_for(struct cc_expr *init, struct cc_expr *c,
                                              struct cc_expr *step)
{
    struct cc_stmt *s = put(cc_for(P, init, c, step, cc_block(P)));
    enter(s->a);
}

/* for (i = 0; i < n; i++) */
__attribute__((unused)) static void enter_count(struct cc_var *i, int n)
{
    enter_for(ASSIGN(V(i), I(0)), LT(V(i), I(n)), INC(V(i)));
}

__attribute__((unused)) static struct cc_var *global(const char *name, const struct cc_type *type,
                                                     struct cc_expr *init)
{
    return cc_global(P, name, type, init);
}

__attribute__((unused)) static struct cc_var *local(const char *name, const struct cc_type *type,
                                                    struct cc_expr *init)
{
    struct cc_var *v = cc_local(P, name, type, init);
    put(cc_decl(P, v));
    return v;
}

__attribute__((unused)) static struct cc_var *param(const char *name, const struct cc_type *type)
{
    return cc_param(P, name, type);
}

/* Starts a function; its body is filled until leave(). */
__attribute__((unused)) static struct cc_func *
function(const char *name, const struct cc_type *result, struct cc_var *a, struct cc_var *b)
{
    struct cc_var *params[] = {a, b};
    struct cc_func *f = cc_function(P, name, result, params, !!a + !!b);
    f->body = cc_block(P);
    enter(f->body);
    make_func = f;
    return f;
}

__attribute__((unused)) static void give(struct cc_expr *value)
{
    put(cc_return(P, make_func, value));
}

__attribute__((unused)) static void end_function(void)
{
    leave();
    make_func = P->entry;
}

__attribute__((unused)) static void begin(const struct cc_model *model)
{
    arena_init(&make_arena);
    cc_program_init(P, &make_arena, model);
    make_depth = -1;
    P->entry = function("func_1", VOID, NULL, NULL);
}

#ifndef MAKE_HOOK
#define MAKE_HOOK(name)
#endif

/* func_1 as it is, main made by what it left behind, and main's checksum. */
__attribute__((unused)) static enum cc_ub run_with(const struct interp_options *o)
{
    make_interp = interp_new(P, o);
    enum cc_ub rule = interp_call(make_interp, P->entry);
    if (rule)
        return rule;
    struct cc_final final = {make_interp, interp_union_member, interp_points_to};
    cc_make_main(P, &final);
    return interp_checksum(make_interp);
}

__attribute__((unused)) static enum cc_ub run(void)
{
    return run_with(NULL);
}

__attribute__((unused)) static void finish(void)
{
    MAKE_HOOK("");
    interp_free(make_interp);
    make_interp = NULL;
    cc_program_release(P);
    arena_release(&make_arena);
}

#endif
