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

#include "base/map.h"
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

/* Names that differ from those of the tree; see print_names.c. */
struct print_names {
    const char **vars, **labels, **tags, **funcs; /* by id (labels: of the statement); NULL: its own
                                                   * name */
    struct map file;                              /* names of file scope */
    struct map taken; /* every identifier of the program, once a name is wanted that is none */
    bool collected;
    struct arena arena;
};

/* Of a function, in a whole program. */
enum { FUNC_DEFINED = 1, FUNC_AHEAD = 2 /* named before its definition */ };

struct printer {
    const struct cc_program *program; /* NULL where only a declarator is printed */
    enum cc_language language;
    enum cc_wrappers wrappers;
    enum cc_form form;
    bool plain_types, plain_numbers, no_attributes, no_print_names, hide_globals, brief_main;
    bool whole;           /* options.whole_main */
    bool braces;          /* cc_print_options.braces */
    bool zeros;           /* cc_print_options.zeros */
    bool site;            /* cc_print_options.site */
    bool attributes_used; /* ATTRIBUTE() has to be defined */
    int unit;

    char *s; /* the text, not NUL-terminated */
    size_t n, size;
    size_t line_start; /* where the current line starts in `s` */
    uint32_t line;     /* 1-based, of the section */

    bool *types_used;         /* by id of the unqualified type; NULL: nobody asks */
    uint32_t kinds_used;      /* bits 1 << enum cc_kind: fixed-width names that need a typedef */
    bool long_used;           /* what the program means depends on the width of long */
    uint32_t containers_used; /* bits 1 << enum cc_container: headers of C++ */
    struct support_uses uses;
    int macro_depth;                   /* inside how many arguments of macros we are */
    int list_depth;                    /* inside how many braces of initialisers */
    bool in_main;                      /* print_hash_value is in scope */
    const struct cc_type *switch_type; /* of the innermost switch's operand */
    bool set_lines;
    VEC(struct cc_stmt *) printed; /* statements whose `line` is still that of the section */

    /* of a whole program */
    struct print_names names;
    const struct cc_func *func; /* whose body is being printed */
    int depth;                  /* of the statement being printed */
    bool no_specifier;          /* another declaration has it already */
    bool zero_arrays;           /* arrays of no elements have a 0 in their brackets */
    uint8_t *func_state;        /* by id: FUNC_DEFINED, FUNC_AHEAD */
    bool *types_complete;       /* by id of a record: its members have to be known */
    bool *types_inline;         /* by id of a record: it is written where a member has it */
    VEC(const struct cc_enumerator *) enumerators; /* used by name */
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

/* -- declarations (print_decl.c) -------------------------------------------------------------- */

extern const char *const print_fixed_name[CC_N_BASIC]; /* int32_t and its kin; NULL: none */
extern const char *const print_container_text[];       /* by cc_container: "array" */

/* What an array of arrays is made of. */
const struct cc_type *print_innermost(const struct cc_type *t);
/* A vector goes by the name of a typedef, made of its length and element: vec4_int32_t. */
void put_vector_name(struct printer *p, const struct cc_type *t);
/* A variable's declarator. Containers of const elements are const themselves: there are none whose
 * elements alone are. */
void put_var_declarator(struct printer *p, const struct cc_var *v, bool within_struct);

void put_kind(struct printer *p, enum cc_kind kind); /* the name of a basic type */
void put_declarator(struct printer *p, const struct cc_type *type, const char *name);
/* What an array variable is in this text: CC_C_ARRAY in C and where it is no array. */
enum cc_container print_container(const struct printer *p, const struct cc_var *v);
/* std::vector<std::vector<int>>, without the array's const. */
void put_container(struct printer *p, const struct cc_type *array, enum cc_container c);
/* A variable's name where it is used or defined: Tag::name of a static member. */
void put_var_name(struct printer *p, const struct cc_var *v);
void put_variable(struct printer *p, const struct cc_var *v, bool is_static);
/* May `v` join the declaration of `first`, as in `int a, *b`? Its part of it, without a semicolon.
 */
bool print_joins(const struct printer *p, const struct cc_var *first, const struct cc_var *v);
void put_variable_part(struct printer *p, const struct cc_var *v, bool joins);
void put_extern(struct printer *p, const struct cc_var *v);
void put_quals(struct printer *p, int quals);
/* What C++ declares within a struct of globals that are its members. */
void put_static_members(struct printer *p, const struct cc_type *type, bool one_line);
void put_comment(struct printer *p, const char *text);
/* "static int f(int a)", up to what follows; a definition or a declaration. */
void put_function_head(struct printer *p, const struct cc_func *f, bool is_static, bool defines);

/* -- statements (print_stmt.c) ---------------------------------------------------------------- */

void put_stmt(struct printer *p, struct cc_stmt *s, int depth);
/* Statements of a block, each on its own line. */
void put_list_of(struct printer *p, struct cc_stmt *block, size_t from, size_t to, int depth);
/* A function's body in its braces. */
void put_function_body(struct printer *p, const struct cc_func *f);
/* ({ ... }) */
void put_statement_expression(struct printer *p, struct cc_stmt *block);

/* -- names (print_names.c) -------------------------------------------------------------------- */

void print_names_init(struct printer *p);
void print_names_release(struct print_names *n);
bool print_is_identifier(const char *name);
/* A name like `base` that nothing in the program has. */
const char *print_fresh_name(struct printer *p, const char *base);

/* The name of an enumerator that nothing names, so that any will do. */
const char *print_enumerator_name(struct printer *p, const char *name);

static inline const char *print_var_name(const struct printer *p, const struct cc_var *v)
{
    return p->names.vars && p->names.vars[v->id] ? p->names.vars[v->id] : v->name;
}
static inline const char *print_func_name(const struct printer *p, const struct cc_func *f)
{
    return p->names.funcs && p->names.funcs[f->id] ? p->names.funcs[f->id] : f->name;
}
static inline const char *print_label_name(const struct printer *p, const struct cc_stmt *label)
{
    return p->names.labels && p->names.labels[label->id] ? p->names.labels[label->id] : label->name;
}
static inline const char *print_tag(const struct printer *p, const struct cc_type *t)
{
    t = t->plain;
    if (p->names.tags && p->names.tags[t->id])
        return p->names.tags[t->id];
    return t->kind == CC_ENUM ? t->enumeration->tag : t->record->tag;
}

/* -- units (print.c) -------------------------------------------------------------------------- */

/* Who uses what, where there are several units. */
struct survey {
    uint8_t *vars, *funcs; /* by id: USED_HERE, USED_OUTSIDE; NULL with one unit */
    int printed;           /* the unit being printed */
    int walked;            /* the one that the tree being walked belongs to */
};

bool print_func_is_static(const struct survey *s, const struct cc_func *f);
bool print_var_is_static(const struct printer *p, const struct survey *s, const struct cc_var *v);
bool print_has_main(const struct printer *p); /* this unit */
/* Declarations of what other units define; the definition of one of this unit. */
void put_externs(struct printer *p, const struct survey *s);
void put_global(struct printer *p, const struct survey *s, const struct cc_var *v);

/* -- whole programs (print_whole.c) ----------------------------------------------------------- */

void whole_begin(struct printer *p);
void whole_end(struct printer *p);
/* A type is named; its record, or that of its elements, has to be complete. */
void whole_name_type(struct printer *p, const struct cc_type *t);
void whole_complete(struct printer *p, const struct cc_type *t);
void whole_put_func_name(struct printer *p, const struct cc_func *f);
/* A member without a name of its own, whose members are its record's (6.7.2.1p13). */
bool whole_is_anonymous(const struct cc_field *f);
/* What a va_list is an array of one of. */
static inline bool whole_is_va_list(const struct printer *p, const struct cc_type *t)
{
    return p->whole && p->program->types.va_list && t->plain == p->program->types.va_list;
}
/* The sections of a unit: what is defined; what has to be declared before; types. */
void whole_put_definitions(struct printer *p, const struct survey *s);
void whole_put_ahead(struct printer *p, const struct survey *s);
void whole_put_tagged(struct printer *p);

/* -- expressions (print_expr.c) --------------------------------------------------------------- */

/* With parentheses if it binds looser than `min`. */
void put_expr(struct printer *p, const struct cc_expr *e, int min);
/* The same of a value that is converted to a type that is known where it stands: in whole programs
 * a constant needs no suffix there, and a null pointer is 0. */
void put_stored(struct printer *p, const struct cc_expr *e, int min);
void put_type(struct printer *p, const struct cc_type *type); /* in parentheses */
/* The statement that hashes a value in main. */
void put_checksum(struct printer *p, const struct cc_expr *e, int depth);
/* `e` under the implicit conversions that leave no trace in the text. */
const struct cc_expr *print_visible(const struct printer *p, const struct cc_expr *e);

/* -- constants (print_const.c) ---------------------------------------------------------------- */

/* An integer constant of a type, for case labels and wrappers. */
void put_int(struct printer *p, const struct cc_type *type, cc_wide v, enum cc_spelling spelling);
void put_float(struct printer *p, const struct cc_expr *e);
/* How tightly the text of an integer constant binds: -5 is a unary minus. */
int print_int_precedence(const struct printer *p, const struct cc_expr *e);
bool print_is_wide(const struct cc_type *type); /* of 128 bits */

/* -- initialisers (print_init.c) -------------------------------------------------------------- */

/* The braces of a list or compound literal; a CC_E_STRING. */
void put_list(struct printer *p, const struct cc_expr *e);
void put_string(struct printer *p, const struct cc_expr *e);
/* Right of `=`: an expression or a braced list. */
void put_init(struct printer *p, const struct cc_expr *e);
/* What follows a container's name: ` = {...}`, or its size in parentheses; may be nothing. */
void put_container_init(struct printer *p, const struct cc_var *v, enum cc_container c);

#endif
