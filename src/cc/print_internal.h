/* What the files of the printer share: the text under construction, and what was used in it.
 *
 * A unit is printed in one pass, bodies first, into one scratch text; what the bodies used (types,
 * wrappers, parts of the checksum's support) is noted on the way and printed behind them. The
 * sections are put into C's order when they are copied to the caller. The obvious other way, to
 * walk the trees for uses before printing them, costs a second pass and a second copy of every
 * rule.
 *
 * The text grows by memcpy only; newlines go through put_newline, which counts them. */
#ifndef ASSAY_CC_PRINT_INTERNAL_H
#define ASSAY_CC_PRINT_INTERNAL_H

#include "base/vec.h"
#include "cc/print.h"
#include "cc/support.h"

#include <string.h>

/* C's levels of precedence, loosest first (6.5). C++ has the same ones for what we print. */
enum precedence {
    P_COMMA = 1,
    P_ASSIGN,
    P_COND,
    P_LOR,
    P_LAND,
    P_OR,
    P_XOR,
    P_AND,
    P_EQUALITY,
    P_RELATION,
    P_SHIFT,
    P_ADD,
    P_MUL,
    P_CAST,
    P_UNARY,
    P_POSTFIX,
    P_PRIMARY,
};

struct printer {
    const struct cc_program *program; /* NULL where only a declarator is printed */
    enum cc_language language;
    enum cc_wrappers wrappers;
    enum cc_form form;
    bool plain_types, no_attributes, no_print_names, hide_globals, brief_main;
    bool attributes_used; /* ATTRIBUTE() has to be defined */
    int unit;

    char *s; /* the text, not NUL-terminated */
    size_t n, size;
    size_t line_start; /* where the current line starts in `s` */
    uint32_t line;     /* 1-based, of the section */

    bool *types_used;         /* by id of the unqualified type; NULL: nobody asks */
    uint32_t kinds_used;      /* bits 1 << enum cc_kind: fixed-width names that need a typedef */
    uint32_t containers_used; /* bits 1 << enum cc_container: headers of C++ */
    struct support_uses uses;
    int macro_depth;                   /* inside how many arguments of macros we are */
    int list_depth;                    /* inside how many braces of initialisers */
    bool in_main;                      /* print_hash_value is in scope */
    const struct cc_type *switch_type; /* of the innermost switch's operand */
    bool set_lines;
    VEC(struct cc_stmt *) printed; /* statements whose `line` is still that of the section */
};

/* -- text ------------------------------------------------------------------------------------- */

void put_grow(struct printer *p, size_t n);

static inline void put(struct printer *p, const char *s, size_t n)
{
    if (p->size - p->n < n)
        put_grow(p, n);
    memcpy(p->s + p->n, s, n);
    p->n += n;
}

static inline void put_char(struct printer *p, char c)
{
    if (p->size == p->n)
        put_grow(p, 1);
    p->s[p->n++] = c;
}

static inline void put_str(struct printer *p, const char *s)
{
    put(p, s, strlen(s));
}

#define PUT(p, literal) put((p), "" literal, sizeof(literal) - 1)

static inline void put_newline(struct printer *p)
{
    put_char(p, '\n');
    p->line++;
    p->line_start = p->n;
}

void put_indent(struct printer *p, int depth);
void put_lines(struct printer *p, const char *text); /* any text, with its newlines counted */
void put_decimal(struct printer *p, uint64_t v);

/* -- types (print.c) -------------------------------------------------------------------------- */

void put_kind(struct printer *p, enum cc_kind kind); /* the name of a basic type */
void put_declarator(struct printer *p, const struct cc_type *type, const char *name);
/* What an array variable is in this text: CC_C_ARRAY in C and where it is no array. */
enum cc_container print_container(const struct printer *p, const struct cc_var *v);
/* std::vector<std::vector<int>>, without the array's const. */
void put_container(struct printer *p, const struct cc_type *array, enum cc_container c);
/* A variable's name where it is used or defined: Tag::name of a static member. */
void put_var_name(struct printer *p, const struct cc_var *v);

/* -- expressions (print_expr.c) --------------------------------------------------------------- */

/* With parentheses if it binds looser than `min`. */
void put_expr(struct printer *p, const struct cc_expr *e, int min);
/* Right of `=`: an expression or a braced list. */
void put_init(struct printer *p, const struct cc_expr *e);
/* What follows a container's name: ` = {...}`, or its size in parentheses; may be nothing. */
void put_container_init(struct printer *p, const struct cc_var *v, enum cc_container c);
/* An integer constant of a type, for case labels and wrappers. */
void put_int(struct printer *p, const struct cc_type *type, cc_wide v, enum cc_spelling spelling);
/* The statement that hashes a value in main. */
void put_checksum(struct printer *p, const struct cc_expr *e, int depth);
/* `e` under the implicit conversions that leave no trace in the text. */
const struct cc_expr *print_visible(const struct printer *p, const struct cc_expr *e);

#endif
