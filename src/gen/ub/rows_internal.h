/* What the files of rows share: short names for building, and the rows of rows_memory.c. */
#ifndef ASSAY_GEN_UB_ROWS_INTERNAL_H
#define ASSAY_GEN_UB_ROWS_INTERNAL_H

#include "cc/build.h"
#include "cc/builtin.h"
#include "cc/fork.h"
#include "gen/ub/rows.h"

#define P (u->p)
#define BASIC(kind) cc_basic(&P->types, (kind))
#define INT BASIC(CC_INT)
#define UINT BASIC(CC_UINT)
#define SHORT BASIC(CC_SHORT)
#define UCHAR BASIC(CC_UCHAR)
#define CHAR BASIC(CC_CHAR)
#define LLONG BASIC(CC_LLONG)
#define ULLONG BASIC(CC_ULLONG)
#define ULONG BASIC(CC_ULONG)
#define BOOL BASIC(CC_BOOL)
#define FLOAT BASIC(CC_FLOAT)
#define DOUBLE BASIC(CC_DOUBLE)
#define VOID BASIC(CC_VOID)
#define PTR(t) cc_pointer_to(&P->types, (t))
#define ARRAY(t, n) cc_array_of(&P->types, (t), (n))
#define QUAL(t, q) cc_qualified(&P->types, (t), (q))

#define N(t, n) cc_int(P, (t), (n), CC_DECIMAL)
#define I(n) N(INT, (n))
#define V(v) cc_use(P, (v))
#define ADDR(e) cc_addr(P, (e))
#define DEREF(e) cc_deref(P, (e))
#define AT(a, i) cc_index(P, (a), (i))
#define DOT(e, f) cc_member(P, (e), (f))
#define CAST(t, e) cc_cast(P, (t), (e))
#define BIN(op, a, b) cc_binary(P, (op), (a), (b))
#define ASSIGN(l, e) cc_assign(P, CC_NONE, (l), (e))
#define CALL(f) cc_call(P, cc_func_use(P, (f)), NULL, 0)

typedef struct cc_expr *ub_maker(struct ub_edit *u, struct cc_expr *old);

ub_maker ub_null_read, ub_null_write, ub_null_member, ub_null_call;
ub_maker ub_dangling_scope, ub_dangling_return, ub_dangling_heap, ub_dangling_heap_write,
    ub_dangling_compared;
ub_maker ub_bounds_global, ub_bounds_global_write, ub_bounds_local, ub_bounds_local_write,
    ub_bounds_row, ub_bounds_member, ub_bounds_pointer, ub_bounds_heap, ub_bounds_heap_write;
ub_maker ub_pointer_beyond, ub_pointer_null, ub_pointer_wrap, ub_pointer_difference,
    ub_pointer_order, ub_misaligned;
ub_maker ub_uninitialised_branch, ub_uninitialised_value, ub_uninitialised_heap, ub_union_wider;
ub_maker ub_const_write, ub_volatile_access, ub_overlap, ub_effective_type;

#endif
