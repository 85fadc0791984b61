/* The syntax tree of a C program: complete, typed, with every implicit conversion explicit.
 *
 * Nodes are made by `build.h`, printed by `print.h`, run by `interp`. They live in the program's
 * arena and are never freed one by one; generators discard a tree by forgetting it.
 *
 * Conversions that C makes by itself (promotions, usual arithmetic conversions, conversion of a
 * stored, passed or returned value) are CC_E_CAST nodes with `implicit` set, which the printer
 * leaves out: whoever evaluates the tree needs no typing rules. Lvalues are read where a value is
 * wanted; array and function designators decay there without a node of their own. */
#ifndef ASSAY_CC_AST_H
#define ASSAY_CC_AST_H

#include "cc/type.h"
#include "cc/value.h"

#include <setjmp.h>

/* -- expressions ------------------------------------------------------------------------------ */

enum cc_expr_kind {
    CC_E_INT,   /* constant of integer type: value, spelling */
    CC_E_FLOAT, /* constant of float or double */
    CC_E_NULL,  /* (void*)0 as a pointer of `type` */
    CC_E_VAR,   /* var; an lvalue */
    CC_E_FUNC,  /* function designator, only as callee or as a pointer value: type is the pointer */
    CC_E_MEMBER,    /* a.field; an lvalue iff a is; printed a->f if a is CC_E_DEREF */
    CC_E_INDEX,     /* a[b]: a is an array or vector lvalue or a pointer value; an lvalue */
    CC_E_ADDR,      /* &a */
    CC_E_DEREF,     /* *a; an lvalue */
    CC_E_UNARY,     /* op a: + - ! ~; of a vector, of each of its lanes: + - ~ */
    CC_E_BINARY,    /* a op b, arithmetic; also pointer + integer, pointer - pointer, comparisons;
                     * of two vectors, of each pair of lanes */
    CC_E_LOGICAL,   /* a && b, a || b: int */
    CC_E_COND,      /* a ? b : c */
    CC_E_COMMA,     /* a, b */
    CC_E_CAST,      /* (type)a, or implicit */
    CC_E_ASSIGN,    /* a = b, or a op= b; its value is the new value of a (unqualified type of a) */
    CC_E_INCDEC,    /* ++a a++ --a a--: op CC_ADD or CC_SUB, `postfix` */
    CC_E_CALL,      /* a(args): a is CC_E_FUNC or a pointer to function */
    CC_E_BUILTIN,   /* __builtin_x(args): `builtin` indexes cc_builtins */
    CC_E_SIZEOF,    /* sizeof(of) of a type; its value is a constant of size_t */
    CC_E_SIZEOF_OF, /* sizeof a: a is not evaluated */
    CC_E_LITERAL,   /* compound literal (type){...}: list in args; an lvalue, object of its block */
    CC_E_LIST,      /* {...}: initialiser of an array, vector or record, in order; only in
                     * initialisers and CC_E_LITERAL. Fewer than there are: the rest is zero.
                     * Unnamed bit-fields take no part (6.7.9p9). A union: args[0] is for member
                     * `field`. */
    /* only in imported programs */
    CC_E_STRING, /* string literal: an lvalue of array type, `text` has its bytes without the NUL
                  * that ends it; elements beyond `text` are 0 */
    CC_E_STMTS,  /* ({ ... }), GNU: `block`; its value is that of the last expression statement */
    CC_E_VA_ARG, /* va_arg(a, type): a is a pointer to a struct of cc_va_list_type */
    CC_E_ELVIS,  /* a ?: b, GNU: a, converted to `type` where it is not 0 */
    CC_E_LABEL,  /* &&label, GNU: a void pointer to `label` of the same function */
    CC_E_UNSUPPORTED, /* no lvalue; `text` says what was not understood, and nobody knows its value
                       */
    CC_N_EXPR
};

/* How an integer constant is written. The suffix follows from the type. */
enum cc_spelling { CC_DECIMAL, CC_HEX, CC_OCTAL, CC_CHARACTER, CC_BINARY_DIGITS, CC_ENUMERATOR };

struct cc_expr {
    uint8_t kind;      /* enum cc_expr_kind */
    uint8_t op;        /* enum cc_op */
    uint8_t spelling;  /* CC_E_INT: enum cc_spelling; CC_E_FLOAT: CC_DECIMAL or CC_HEX */
    bool implicit : 1; /* CC_E_CAST: made by the language, not printed */
    bool postfix : 1;  /* CC_E_INCDEC */
    bool safe : 1; /* BINARY, UNARY -, ASSIGN op=, prefix INCDEC, and explicit CAST from float: may
                    * be wrapped by a safe-math wrapper. Where the operation would be undefined,
                    * the value is that of the left (only) operand, converted to the operation's
                    * type; of a wrapped float cast it is 0 */
    bool needed : 1;   /* interp saw that the wrapper made a difference on some execution */
    bool effects : 1;  /* it or a part of it writes, calls, or reads a volatile (set by build) */
    bool calls : 1;    /* it or a part of it calls a function (set by build) */
    bool ran : 1;      /* interp evaluated it at least once */
    bool marked : 1;   /* generator: deliberately invalid; printed with a comment */
    bool fork : 1;     /* COND: two readings, of which one holds and prints: cc/fork.h */
    bool turnable : 1; /* LOGICAL, COND: generator: the first operand may become its opposite */
    bool at : 1;       /* CC_E_INDEX: written a.at(i) where `a` is a std::array or std::vector */
    int32_t field;     /* CC_E_MEMBER: index into the record's fields; CC_E_LIST of a union: member;
                        * CC_E_BUILTIN: index into cc_builtins */
    uint32_t n_args;   /* CALL, BUILTIN, LITERAL, LIST; STRING: bytes */
    const struct cc_type *type; /* of the value or lvalue; an lvalue keeps its qualifiers */
    union {
        struct {
            struct cc_expr *a, *b, *c;
        };
        struct {
            struct cc_expr *callee; /* = a */
            struct cc_expr **args;  /* CALL, BUILTIN, LITERAL, LIST */
        };
        struct {
            cc_wide value; /* CC_E_INT, normalised */
        };
        struct {
            double number;     /* CC_E_FLOAT; of long double about the value */
            long double exact; /* of long double: the value */
        };
        struct cc_var *var;
        struct cc_func *func;
        const struct cc_type *of; /* CC_E_SIZEOF */
        const char *text;         /* CC_E_STRING, CC_E_UNSUPPORTED */
        struct cc_stmt *block;    /* CC_E_STMTS */
        struct cc_stmt *label;    /* CC_E_LABEL */
    };
};

/* The arithmetic type in which `a op= b` or ++ computes: where op is not CC_NONE, b has been
 * converted to it (or, of a shift, promoted) by build. Kept out of the node: cc_assign_type(). */

/* -- declarations ----------------------------------------------------------------------------- */

enum cc_storage { CC_AUTO, CC_STATIC, CC_EXTERN /* defined with external linkage */ };

/* What an array is in C++; in C it is always an array. All dimensions of a variable are alike. */
enum cc_container { CC_C_ARRAY, CC_STD_ARRAY, CC_STD_VECTOR, CC_STD_VALARRAY };

struct cc_var {
    const char *name;
    const struct cc_type *type;
    struct cc_expr *init; /* NULL: none. Of a static object: a constant expression (6.6) */
    enum cc_storage storage;
    bool global, param, is_register;
    bool not_hashed;                 /* global: main leaves it out of the checksum */
    enum cc_container container;     /* of a variable of array type */
    const struct cc_type *member_of; /* a global that is a static member of this struct: C++ only */
    int unit;                        /* global: the translation unit that defines it, from 0 */
    uint32_t id;                     /* counted from 0 over the program */
    uint32_t align;                  /* _Alignas, 0: none */
    uint32_t slot;                   /* interp's: where it lives */
    uint32_t mark;                   /* generator's own */
};

enum cc_attribute { /* bits */
                    CC_ATTR_INLINE = 1,
                    CC_ATTR_NOINLINE = 2,
                    CC_ATTR_NOCLONE = 4, /* GCC only: printed under #ifdef, see print.h */
                    CC_ATTR_ALWAYS_INLINE = 8,
                    CC_ATTR_COLD = 16,
                    CC_ATTR_HOT = 32,
                    CC_ATTR_NOIPA = 64, /* GCC only */
                    CC_ATTR_FLATTEN = 128,
                    CC_ATTR_UNUSED = 256,
                    CC_ATTR_NORETURN = 512,
};

/* What an imported function promises by an attribute, where interp looks whether it holds. */
enum cc_promise { /* bits */
                  CC_PROMISE_NORETURN = 1,
                  CC_PROMISE_NONNULL = 2, /* of some pointer parameters; all count here */
};

/* Of an imported function with restrict parameters: what its accesses are based on. Bits are
 * parameters; CC_RESTRICT_STORED_OUTSIDE in `used` and `stored` is the variables in `outside`. */
enum { CC_RESTRICT_OUTSIDE = 8, CC_RESTRICT_STORED_OUTSIDE = 1 << 30 };
struct cc_restrict {
    uint32_t params, used, stored;
    const struct cc_var *outside[CC_RESTRICT_OUTSIDE];
    int n_outside;
    bool unclear; /* there are accesses of which nothing is known */
};

struct cc_func {
    const char *name;
    const struct cc_type *type; /* CC_FUNCTION */
    struct cc_var **params;
    int n_params;
    struct cc_stmt *body; /* CC_S_BLOCK; NULL while only declared */
    enum cc_storage storage;
    int unit;
    int attributes;
    int promises;                        /* enum cc_promise */
    const struct cc_restrict *restricts; /* imported; NULL: no parameter is restrict */
    uint32_t id;
    int library;         /* imported: what interp runs in its place, enum cc_library; 0: its body */
    uint32_t frame;      /* interp's */
    const char *comment; /* printed above it; NULL: none */
};

/* -- statements ------------------------------------------------------------------------------- */

enum cc_stmt_kind {
    CC_S_BLOCK, /* { ... }: list */
    CC_S_EXPR,  /* expr; */
    CC_S_DECL,  /* var, with its initialiser */
    CC_S_IF,    /* if (expr) a else b: b may be NULL */
    CC_S_FOR,   /* for (init; expr; step) a: each may be NULL */
    CC_S_WHILE,
    CC_S_DO,     /* do a while (expr); */
    CC_S_SWITCH, /* switch (expr) a: a block with CC_S_CASE and CC_S_DEFAULT among its list; of an
                  * imported program also deeper in it */
    CC_S_CASE,   /* case value: (a label of its own); GNU's ranges: value ... high */
    CC_S_DEFAULT,
    CC_S_BREAK,
    CC_S_CONTINUE,
    CC_S_GOTO,   /* goto target (a CC_S_LABEL of the same function); GNU: goto *expr */
    CC_S_LABEL,  /* name: (a null statement follows where C needs one) */
    CC_S_RETURN, /* expr may be NULL */
    CC_S_EMPTY,
    CC_S_COMMENT, /* text only */
    CC_N_STMT
};

struct cc_stmt {
    uint8_t kind;
    bool ran : 1;  /* interp executed it */
    uint32_t id;   /* counted from 0 over the program */
    uint32_t line; /* where it was printed last, 1-based; 0: not yet */
    struct cc_expr *expr;
    struct cc_stmt *a, *b;
    struct cc_expr *init, *step; /* CC_S_FOR */
    struct cc_var *var;          /* CC_S_DECL */
    cc_wide value, high;         /* CC_S_CASE, of the promoted type of the switch; from, to */
    struct cc_stmt *labels;      /* CC_S_SWITCH of an imported program: all its CC_S_CASE and
                                  * CC_S_DEFAULT, linked by `labels`; NULL: they are in its block */
    const char *name;            /* CC_S_LABEL, CC_S_COMMENT */
    struct cc_stmt *target;      /* CC_S_GOTO; NULL: expr is where to go */
    VEC(struct cc_stmt *) list;  /* CC_S_BLOCK; owned by malloc, see cc_program_release */
    void *facts;                 /* generator's own */
};

/* -- programs --------------------------------------------------------------------------------- */

struct cc_program {
    struct arena *arena;
    struct cc_types types;
    VEC(struct cc_var *) globals; /* in order of definition; initialisers refer to earlier ones */
    VEC(struct cc_func *) funcs;  /* in order of definition; all are declared before the first */
    VEC(struct cc_stmt *) blocks; /* every block made, so that their lists can be freed */
    struct cc_func *entry;        /* func_1: what main calls first */
    struct cc_func *main;         /* made by checksum.h; not in funcs */
    int n_units;                  /* translation units, at least 1 */
    bool ieee_floats;             /* floats are those of IEEE 754 (C11 Annex F): what overflows is
                                   * infinite, 0.0 / 0.0 is a NaN. Who builds it must not fuse
                                   * operations or compute in a wider type: the text says so */
    uint32_t n_vars, n_stmts, n_funcs;
    jmp_buf *misfit; /* where build.h goes when operands violate a constraint; NULL: it aborts */
};

void cc_program_init(struct cc_program *p, struct arena *a, const struct cc_model *m);
void cc_program_release(struct cc_program *p); /* vectors; the nodes live in the arena */

#endif
