/* Rows of pointers, lifetimes, bounds and indeterminate values. */
#include "cc/library.h"
#include "gen/ub/rows_internal.h"

/* -- objects ----------------------------------------------------------------------------------- */

/* The types of the objects that are made. */
static const struct cc_type *element(struct ub_edit *u)
{
    enum cc_kind kinds[] = {CC_INT, CC_UCHAR, CC_SHORT, CC_LLONG, CC_UINT};
    return BASIC(kinds[choose(u->c, 5)]);
}

static struct cc_var *scalar(struct ub_edit *u, const struct cc_type *t)
{
    return ub_global(u, t, N(t, 1 + (cc_wide)choose(u->c, 99)));
}

static struct cc_expr *list_of(struct ub_edit *u, const struct cc_type *t)
{
    struct cc_expr *items[64];
    for (uint64_t i = 0; i < t->length; i++)
        items[i] = N(t->to, 1 + (cc_wide)i);
    return cc_list(P, t, items, (int)t->length, 0);
}

static const struct cc_type *row_type(struct ub_edit *u, const struct cc_type *t)
{
    return ARRAY(t, 2 + (uint32_t)choose(u->c, 15));
}

static void first(struct ub_edit *u, struct cc_expr *e)
{
    vec_push(&u->before, cc_expr_stmt(P, e));
}

static struct cc_func *library(struct ub_edit *u, enum cc_library which,
                               const struct cc_type *result, const struct cc_type *param)
{
    for (size_t i = 0; i < P->funcs.n; i++)
        if (P->funcs.at[i]->library == (int)which)
            return P->funcs.at[i];
    struct cc_var *a = cc_param(P, "a", param);
    struct cc_func *f = cc_function(P, cc_library_name[which], result, &a, 1);
    f->library = (int)which;
    f->storage = CC_EXTERN;
    return f;
}

/* A variable that points to `n` elements of allocated memory. */
static struct cc_var *allocated(struct ub_edit *u, const struct cc_type *t, cc_wide n)
{
    struct cc_func *f = library(u, CC_LIB_MALLOC, PTR(VOID), ULONG);
    struct cc_expr *size = N(ULONG, n * t->size);
    struct cc_expr *memory = cc_call(P, cc_func_use(P, f), &size, 1);
    return ub_local(u, PTR(t), CAST(PTR(t), memory));
}

static void release(struct ub_edit *u, struct cc_expr *what)
{
    struct cc_func *f = library(u, CC_LIB_FREE, VOID, PTR(VOID));
    struct cc_expr *arg = cc_convert(P, PTR(VOID), what);
    first(u, cc_call(P, cc_func_use(P, f), &arg, 1));
}

/* It is read, or the program's value is stored in it. */
static struct cc_expr *write_to(struct ub_edit *u, struct cc_expr *lvalue, struct cc_expr *old)
{
    return ub_mark(ASSIGN(lvalue, CAST(lvalue->type->plain, old)));
}

/* -- null -------------------------------------------------------------------------------------- */

static struct cc_expr *null_or(struct ub_edit *u, struct cc_var *v)
{
    return ub_pointer(u, PTR(v->type), cc_null(P, PTR(v->type)), ADDR(V(v)));
}

struct cc_expr *ub_null_read(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    return ub_mark(DEREF(null_or(u, scalar(u, element(u)))));
}

struct cc_expr *ub_null_write(struct ub_edit *u, struct cc_expr *old)
{
    return write_to(u, DEREF(null_or(u, scalar(u, element(u)))), old);
}

static const struct cc_type *record(struct ub_edit *u, const struct cc_type *a,
                                    const struct cc_type *b, bool is_union)
{
    const struct cc_field fields[] = {{.name = "a", .type = a, .bits = -1},
                                      {.name = "b", .type = b, .bits = -1}};
    return cc_record_type(&P->types, ub_name(u, is_union ? "U" : "S"), is_union, false, fields, 2);
}

struct cc_expr *ub_null_member(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = record(u, element(u), element(u), false);
    struct cc_expr *member = DOT(DEREF(null_or(u, ub_global(u, t, NULL))), (int)choose(u->c, 2));
    return choose(u->c, 2) ? write_to(u, member, old) : ub_mark(member);
}

struct cc_expr *ub_null_call(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    struct cc_func *f = ub_function(u, INT, NULL, 0);
    cc_append(f->body, cc_return(P, f, I(7)));
    const struct cc_type *t = PTR(f->type);
    return ub_mark(cc_call(P, ub_pointer(u, t, cc_null(P, t), cc_func_use(P, f)), NULL, 0));
}

/* -- lifetimes --------------------------------------------------------------------------------- */

/* p points to what has ended, or to what has not. */
static struct cc_var *ended_scope(struct ub_edit *u)
{
    const struct cc_type *t = element(u);
    struct cc_var *x = scalar(u, t), *p = ub_variable(u, PTR(t), ADDR(V(x)));
    struct cc_var *y = cc_local(P, ub_name(u, "l"), t, N(t, 4));
    struct cc_stmt *block = cc_block(P);
    cc_append(block, cc_decl(P, y));
    cc_append(block, cc_expr_stmt(P, ASSIGN(V(p), cc_fork(P, ADDR(V(y)), ADDR(V(x))))));
    vec_push(&u->before, block);
    return p;
}

struct cc_expr *ub_dangling_scope(struct ub_edit *u, struct cc_expr *old)
{
    struct cc_expr *lvalue = DEREF(V(ended_scope(u)));
    return choose(u->c, 2) ? write_to(u, lvalue, old) : ub_mark(lvalue);
}

struct cc_expr *ub_dangling_return(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = element(u);
    struct cc_var *x = scalar(u, t), *p = ub_global(u, PTR(t), ADDR(V(x)));
    struct cc_func *f = ub_function(u, VOID, NULL, 0);
    struct cc_var *y = cc_local(P, ub_name(u, "l"), t, N(t, 4));
    f->attributes = CC_ATTR_NOINLINE;
    cc_append(f->body, cc_decl(P, y));
    cc_append(f->body, cc_expr_stmt(P, ASSIGN(V(p), cc_fork(P, ADDR(V(y)), ADDR(V(x))))));
    first(u, CALL(f));
    return choose(u->c, 2) ? write_to(u, DEREF(V(p)), old) : ub_mark(DEREF(V(p)));
}

static struct cc_var *freed(struct ub_edit *u)
{
    const struct cc_type *t = element(u);
    struct cc_var *p = allocated(u, t, 1 + (cc_wide)choose(u->c, 20));
    first(u, ASSIGN(DEREF(V(p)), N(t, 3)));
    release(u, cc_fork(P, V(p), cc_null(P, PTR(t))));
    return p;
}

struct cc_expr *ub_dangling_heap(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    return ub_mark(DEREF(V(freed(u))));
}

struct cc_expr *ub_dangling_heap_write(struct ub_edit *u, struct cc_expr *old)
{
    return write_to(u, DEREF(V(freed(u))), old);
}

struct cc_expr *ub_dangling_compared(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    struct cc_var *p = ended_scope(u);
    return ub_mark(BIN(CC_EQ, V(p), cc_null(P, p->type)));
}

/* -- bounds ------------------------------------------------------------------------------------ */

/* An index that leaves n elements, by little, or lies within. */
static struct cc_expr *bad_index(struct ub_edit *u, cc_wide n, bool may_be_below)
{
    cc_wide bad = choose(u->c, 3) || !may_be_below ? n : -1;
    return ub_value(u, choose(u->c, 2) ? INT : LLONG, bad, (cc_wide)choose(u->c, (uint64_t)n));
}

static struct cc_expr *beyond(struct ub_edit *u, bool global)
{
    const struct cc_type *t = row_type(u, element(u));
    struct cc_var *v = global ? ub_global(u, t, list_of(u, t)) : ub_local(u, t, list_of(u, t));
    return AT(V(v),
              bad_index(u, (cc_wide)t->length, !global)); /* what is ahead of a global is unknown */
}

struct cc_expr *ub_bounds_global(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    return ub_mark(beyond(u, true));
}

struct cc_expr *ub_bounds_global_write(struct ub_edit *u, struct cc_expr *old)
{
    return write_to(u, beyond(u, true), old);
}

struct cc_expr *ub_bounds_local(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    return ub_mark(beyond(u, false));
}

struct cc_expr *ub_bounds_local_write(struct ub_edit *u, struct cc_expr *old)
{
    return write_to(u, beyond(u, false), old);
}

/* Of an array of arrays: it stays within the object. */
struct cc_expr *ub_bounds_row(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    const struct cc_type *t = row_type(u, element(u));
    struct cc_var *v = ub_global(u, ARRAY(t, 3), NULL);
    cc_wide n = (cc_wide)t->length;
    struct cc_expr *index = ub_value(u, INT, n, (cc_wide)choose(u->c, (uint64_t)n));
    return ub_mark(AT(AT(V(v), I((cc_wide)choose(u->c, 2))), index));
}

struct cc_expr *ub_bounds_member(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = row_type(u, element(u)), *s = record(u, t, LLONG, false);
    cc_wide n = (cc_wide)t->length;
    struct cc_expr *index = ub_value(u, INT, n, (cc_wide)choose(u->c, (uint64_t)n));
    struct cc_expr *lvalue = AT(DOT(V(ub_global(u, s, NULL)), 0), index);
    return choose(u->c, 2) ? write_to(u, lvalue, old) : ub_mark(lvalue);
}

/* A pointer to one past the last element, or to an element. */
struct cc_expr *ub_bounds_pointer(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = row_type(u, element(u));
    bool global = choose(u->c, 2);
    struct cc_var *v = global ? ub_global(u, t, list_of(u, t)) : ub_local(u, t, list_of(u, t));
    struct cc_expr *past = ADDR(AT(V(v), I((cc_wide)t->length))), *in = ADDR(AT(V(v), I(1)));
    struct cc_var *p = ub_local(u, PTR(t->to), cc_fork(P, past, in));
    return choose(u->c, 2) ? write_to(u, DEREF(V(p)), old) : ub_mark(DEREF(V(p)));
}

/* Elements of allocated memory, the last of which has a value. */
static struct cc_expr *heap_element(struct ub_edit *u)
{
    const struct cc_type *t = element(u);
    cc_wide n = 2 + (cc_wide)choose(u->c, 20);
    struct cc_var *p = allocated(u, t, n);
    first(u, ASSIGN(AT(V(p), I(n - 1)), N(t, 3)));
    return AT(V(p), ub_value(u, INT, n, n - 1));
}

struct cc_expr *ub_bounds_heap(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    return ub_mark(heap_element(u));
}

struct cc_expr *ub_bounds_heap_write(struct ub_edit *u, struct cc_expr *old)
{
    return write_to(u, heap_element(u), old);
}

/* -- pointers ---------------------------------------------------------------------------------- */

/* Compared with another variable: compilers know that p + n == p is n == 0, and add nothing. */
static struct cc_expr *moved(struct ub_edit *u, cc_wide bad)
{
    const struct cc_type *t = ARRAY(INT, 4);
    struct cc_var *v = ub_global(u, t, list_of(u, t)), *p = ub_local(u, PTR(INT), V(v));
    struct cc_var *q = ub_global(u, PTR(INT), ADDR(AT(V(v), I(1))));
    struct cc_expr *sum = ub_mark(BIN(CC_ADD, V(p), ub_value(u, LLONG, bad, 2)));
    return BIN(CC_EQ, sum, V(q));
}

struct cc_expr *ub_pointer_beyond(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    return moved(u, choose(u->c, 2) ? 5 + (cc_wide)choose(u->c, 99) : -1);
}

struct cc_expr *ub_pointer_wrap(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    return moved(u, -((cc_wide)1 << 60));
}

struct cc_expr *ub_pointer_null(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    struct cc_var *x = scalar(u, INT), *q = ub_global(u, PTR(INT), ADDR(V(x)));
    struct cc_var *n = ub_variable(u, LLONG, N(LLONG, 1));
    return BIN(CC_EQ, ub_mark(BIN(CC_ADD, null_or(u, x), V(n))), V(q));
}

/* A pointer into the same array as `*in`, or into another one. */
static struct cc_expr *other_array(struct ub_edit *u, struct cc_var **in)
{
    const struct cc_type *t = ARRAY(INT, 4);
    struct cc_var *a = ub_global(u, t, list_of(u, t)), *b = ub_global(u, t, list_of(u, t));
    *in = a;
    return ub_pointer(u, PTR(INT), ADDR(AT(V(b), I(3))), ADDR(AT(V(a), I(3))));
}

struct cc_expr *ub_pointer_difference(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    struct cc_var *a;
    struct cc_expr *p = other_array(u, &a);
    return ub_mark(BIN(CC_SUB, p, ADDR(AT(V(a), I(1)))));
}

struct cc_expr *ub_pointer_order(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    struct cc_var *a;
    struct cc_expr *p = other_array(u, &a);
    return ub_mark(BIN(CC_LT, p, ADDR(AT(V(a), I(1)))));
}

struct cc_expr *ub_misaligned(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = ARRAY(INT, 4);
    struct cc_var *v = ub_variable(u, t, list_of(u, t));
    struct cc_var *c = ub_local(u, PTR(CHAR), CAST(PTR(CHAR), ADDR(AT(V(v), I(0)))));
    cc_wide bad = 1 + (cc_wide)choose(u->c, 3);
    struct cc_expr *lvalue = DEREF(CAST(PTR(INT), BIN(CC_ADD, V(c), ub_value(u, INT, bad, 0))));
    return choose(u->c, 2) ? write_to(u, lvalue, old) : ub_mark(lvalue);
}

/* -- values ------------------------------------------------------------------------------------ */

/* Something that must not happen without the branch: no compiler makes a selection of it. */
static struct cc_expr *branch(struct ub_edit *u, struct cc_expr *condition, struct cc_expr *old)
{
    struct cc_var *seen = ub_global(u, QUAL(INT, CC_VOLATILE), I(0));
    return cc_cond(P, ub_mark(condition), cc_comma(P, ASSIGN(V(seen), I(1)), I(1)), old);
}

/* A local that is given a value, or is not. */
static struct cc_var *unset(struct ub_edit *u)
{
    const struct cc_type *t = element(u);
    struct cc_expr *whether = ub_value(u, INT, 0, 1);
    struct cc_var *x = ub_local(u, t, NULL);
    struct cc_stmt *then = cc_block(P);
    cc_append(then, cc_expr_stmt(P, ASSIGN(V(x), N(t, 3))));
    vec_push(&u->before, cc_if(P, whether, then, NULL));
    return x;
}

struct cc_expr *ub_uninitialised_branch(struct ub_edit *u, struct cc_expr *old)
{
    return branch(u, BIN(CC_GT, V(unset(u)), I(2)), old);
}

struct cc_expr *ub_uninitialised_value(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    return BIN(CC_AND, ub_mark(V(unset(u))), I(1));
}

struct cc_expr *ub_uninitialised_heap(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = element(u);
    struct cc_var *p = allocated(u, t, 3);
    first(u, ASSIGN(AT(V(p), I(1)), N(t, 3)));
    return branch(u, BIN(CC_GT, AT(V(p), ub_value(u, INT, 2, 1)), I(2)), old);
}

struct cc_expr *ub_union_wider(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = record(u, LLONG, UCHAR, true);
    struct cc_var *v = ub_local(u, t, NULL);
    struct cc_stmt *wide = cc_block(P), *narrow = cc_block(P);
    cc_append(wide, cc_expr_stmt(P, ASSIGN(DOT(V(v), 0), N(LLONG, 3))));
    cc_append(narrow, cc_expr_stmt(P, ASSIGN(DOT(V(v), 1), N(UCHAR, 3))));
    vec_push(&u->before, cc_if(P, ub_value(u, INT, 0, 1), wide, narrow));
    return branch(u, BIN(CC_GT, DOT(V(v), 0), I(2)), old);
}

/* -- types ------------------------------------------------------------------------------------- */

struct cc_expr *ub_const_write(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = element(u);
    struct cc_var *c = ub_variable(u, QUAL(t, CC_CONST), N(t, 5)), *x = scalar(u, t);
    struct cc_var *p = ub_local(u, PTR(t), cc_fork(P, CAST(PTR(t), ADDR(V(c))), ADDR(V(x))));
    return write_to(u, DEREF(V(p)), old);
}

struct cc_expr *ub_volatile_access(struct ub_edit *u, struct cc_expr *old)
{
    const struct cc_type *t = element(u);
    struct cc_var *v = ub_variable(u, QUAL(t, CC_VOLATILE), N(t, 5)), *x = scalar(u, t);
    struct cc_var *p = ub_local(u, PTR(t), cc_fork(P, CAST(PTR(t), ADDR(V(v))), ADDR(V(x))));
    return choose(u->c, 2) ? write_to(u, DEREF(V(p)), old) : ub_mark(DEREF(V(p)));
}

struct cc_expr *ub_overlap(struct ub_edit *u, struct cc_expr *old)
{
    (void)old;
    const struct cc_type *t = record(u, LLONG, INT, true);
    struct cc_var *v = ub_local(u, t, NULL), *w = ub_local(u, t, NULL);
    first(u, ASSIGN(DOT(V(v), 0), N(LLONG, 77)));
    first(u, ASSIGN(DOT(V(w), 0), N(LLONG, 77)));
    struct cc_expr *from = cc_fork(P, ADDR(DOT(V(v), 0)), ADDR(DOT(V(w), 0)));
    struct cc_var *p = ub_local(u, PTR(LLONG), from);
    return ub_mark(ASSIGN(DOT(V(v), 1), DEREF(V(p))));
}

struct cc_expr *ub_effective_type(struct ub_edit *u, struct cc_expr *old)
{
    struct cc_var *f = ub_variable(u, FLOAT, cc_float(P, FLOAT, 1.5, CC_DECIMAL));
    struct cc_var *x = scalar(u, INT);
    struct cc_var *p = ub_local(u, PTR(INT), cc_fork(P, CAST(PTR(INT), ADDR(V(f))), ADDR(V(x))));
    return choose(u->c, 2) ? write_to(u, DEREF(V(p)), old) : ub_mark(DEREF(V(p)));
}
