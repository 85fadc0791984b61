/* Making typed nodes: the only way a tree comes about.
 *
 * Each function computes the type of its node by the rules of C11 6.5 and puts the implicit
 * conversions in. Operands are values or lvalues as C has them; a constraint that they violate is a
 * bug of the caller and aborts, unless the program says where to go then (cc_program.misfit). */
#ifndef ASSAY_CC_BUILD_H
#define ASSAY_CC_BUILD_H

#include "cc/ast.h"

/* -- expressions ------------------------------------------------------------------------------ */

struct cc_expr *cc_int(struct cc_program *p, const struct cc_type *type, cc_wide value,
                       enum cc_spelling spelling);
struct cc_expr *cc_float(struct cc_program *p, const struct cc_type *type, double value,
                         enum cc_spelling spelling);
struct cc_expr *cc_long_float(struct cc_program *p, long double value); /* long double */
struct cc_expr *cc_null(struct cc_program *p, const struct cc_type *pointer);
struct cc_expr *cc_use(struct cc_program *p, struct cc_var *v);
struct cc_expr *cc_func_use(struct cc_program *p, struct cc_func *f); /* a pointer value */
struct cc_expr *cc_member(struct cc_program *p, struct cc_expr *record, int field);
/* An element of an array, of what a pointer points to, or a lane of a vector lvalue. */
struct cc_expr *cc_index(struct cc_program *p, struct cc_expr *base, struct cc_expr *index);
struct cc_expr *cc_addr(struct cc_program *p, struct cc_expr *lvalue);
struct cc_expr *cc_deref(struct cc_program *p, struct cc_expr *pointer);
struct cc_expr *cc_unary(struct cc_program *p, enum cc_op op, struct cc_expr *a);
/* Arithmetic, comparisons, && and ||, pointer arithmetic. Two vectors of one type: lane by lane, in
 * the type of the lanes; a comparison gives -1 or 0 in signed lanes of the same width. */
struct cc_expr *cc_binary(struct cc_program *p, enum cc_op op, struct cc_expr *a,
                          struct cc_expr *b);
struct cc_expr *cc_cond(struct cc_program *p, struct cc_expr *c, struct cc_expr *a,
                        struct cc_expr *b);
struct cc_expr *cc_comma(struct cc_program *p, struct cc_expr *a, struct cc_expr *b);
struct cc_expr *cc_cast(struct cc_program *p, const struct cc_type *to, struct cc_expr *a);
/* op CC_NONE: plain. Bit-fields wider than int take no other: GCC would compute in their width. */
struct cc_expr *cc_assign(struct cc_program *p, enum cc_op op, struct cc_expr *lvalue,
                          struct cc_expr *value);
struct cc_expr *cc_incdec(struct cc_program *p, enum cc_op op, bool postfix,
                          struct cc_expr *lvalue);
struct cc_expr *cc_call(struct cc_program *p, struct cc_expr *callee, struct cc_expr **args, int n);
struct cc_expr *cc_builtin(struct cc_program *p, int builtin, struct cc_expr **args, int n);
struct cc_expr *cc_sizeof(struct cc_program *p, const struct cc_type *type);
struct cc_expr *cc_sizeof_of(struct cc_program *p, struct cc_expr *a);
/* `list` is copied; each element is converted to the member's or element's type. */
struct cc_expr *cc_list(struct cc_program *p, const struct cc_type *type, struct cc_expr **list,
                        int n, int union_member);
struct cc_expr *cc_literal(struct cc_program *p, const struct cc_type *type, struct cc_expr *list);

/* Of imported programs. A string literal of `n` bytes, which are copied; `type` is its array. */
struct cc_expr *cc_string(struct cc_program *p, const struct cc_type *type, const char *bytes,
                          uint32_t n);
struct cc_expr *cc_label_address(struct cc_program *p, struct cc_stmt *label);
/* What was not understood, in place of an expression of the type; void: of a statement. */
struct cc_expr *cc_unsupported(struct cc_program *p, const struct cc_type *type, const char *why);
struct cc_expr *cc_stmts(struct cc_program *p, struct cc_stmt *block); /* type: of its last one */
struct cc_expr *cc_va_arg(struct cc_program *p, struct cc_expr *list, const struct cc_type *type);
struct cc_expr *cc_elvis(struct cc_program *p, struct cc_expr *a, struct cc_expr *b);
/* A call of a function that is variadic or has no prototype: what follows the parameters is
 * promoted (6.5.2.2p6). cc_call does it by the type of the callee. */

/* `a` as a value of `to`: an implicit cast if the types differ, `a` itself otherwise. */
struct cc_expr *cc_convert(struct cc_program *p, const struct cc_type *to, struct cc_expr *a);
/* `a` after the integer promotions (a float stays what it is). A bit-field value whose type
 * compilers disagree on gets a cast that is printed. */
struct cc_expr *cc_promote(struct cc_program *p, struct cc_expr *a);
/* Set `safe` if the operation can be undefined for some operands of its types; returns whether. */
bool cc_make_safe(struct cc_expr *e);

bool cc_is_lvalue(const struct cc_expr *e);
/* Does finding the object that an lvalue designates (not reading it) have effects? */
bool cc_place_has_effects(const struct cc_expr *lvalue);
/* The width of the bit-field that an lvalue designates; -1: it is none. */
int cc_bitfield_bits(const struct cc_expr *lvalue);
/* Of the one that a value came from without an operation on it; -1: from none. */
int cc_source_bits(const struct cc_expr *e);
/* The arithmetic type in which a compound assignment or ++ on this lvalue with a right operand of
 * `b` (type after promotion, ignored for ++ where it is int) computes; pointers: the pointer. */
const struct cc_type *cc_assign_type(const struct cc_program *p, const struct cc_expr *assign);

/* -- statements and declarations -------------------------------------------------------------- */

struct cc_stmt *cc_stmt(struct cc_program *p, enum cc_stmt_kind kind); /* an empty node of a kind */
struct cc_stmt *cc_block(struct cc_program *p);
void cc_append(struct cc_stmt *block, struct cc_stmt *s);
void cc_insert(struct cc_stmt *block, size_t at, struct cc_stmt *s);
struct cc_stmt *cc_expr_stmt(struct cc_program *p, struct cc_expr *e);
struct cc_stmt *cc_decl(struct cc_program *p, struct cc_var *v);
struct cc_stmt *cc_if(struct cc_program *p, struct cc_expr *c, struct cc_stmt *a,
                      struct cc_stmt *b);
struct cc_stmt *cc_for(struct cc_program *p, struct cc_expr *init, struct cc_expr *c,
                       struct cc_expr *step, struct cc_stmt *body);
struct cc_stmt *cc_switch(struct cc_program *p, struct cc_expr *value, struct cc_stmt *block);
struct cc_stmt *cc_return(struct cc_program *p, struct cc_func *f, struct cc_expr *value);
struct cc_stmt *cc_label(struct cc_program *p, const char *name);
struct cc_stmt *cc_goto(struct cc_program *p, struct cc_stmt *label);
struct cc_stmt *cc_case(struct cc_program *p, cc_wide value);

/* Names are copied. A global joins the program's list, a local needs a CC_S_DECL. `init` is
 * converted to the type. */
struct cc_var *cc_global(struct cc_program *p, const char *name, const struct cc_type *type,
                         struct cc_expr *init);
struct cc_var *cc_local(struct cc_program *p, const char *name, const struct cc_type *type,
                        struct cc_expr *init);
/* Give a variable its initialiser later, because it refers to it: `struct s a = {&a};`. */
void cc_initialise(struct cc_program *p, struct cc_var *v, struct cc_expr *init);
struct cc_func *cc_function(struct cc_program *p, const char *name, const struct cc_type *result,
                            struct cc_var **params, int n_params); /* joins the list, static */
struct cc_var *cc_param(struct cc_program *p, const char *name, const struct cc_type *type);
/* A function of an imported program: `type` may be variadic or unprototyped (then `params` are
 * those of its definition). */
struct cc_func *cc_function_of(struct cc_program *p, const char *name, const struct cc_type *type,
                               struct cc_var **params, int n_params);

#endif
