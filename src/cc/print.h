/* From a tree to text: C11 or C++17 that needs no include but its own header and, in C++, those of
 * the containers in it.
 *
 * The text has, in this order: the caller's comment, typedefs of the fixed-width integers in use,
 * and of GNU's vectors, enumerations, records, `printf`'s declaration and the checksum's support
 * where main is printed, the safe-math wrappers in use (as functions or macros), function
 * declarations, globals, function definitions. Only what is used is there. Parentheses: as few as
 * C's precedence allows, or more where gcc -Wall would ask for them (`&&` within `||`, shifts and
 * arithmetic within bit operators).
 *
 * Integers print by fixed-width names: signed char is int8_t, int is int32_t, long long is int64_t
 * and so on, `long` is long, __int128 is __int128. An option prints plain C names instead.
 *
 * In C++ an array variable may be a std::array, std::vector or std::valarray (cc_var.container). It
 * prints as &a[0] where it decays, so that there are pointers to its elements but none to arrays:
 * not to `a`, not to rows of it. Its integers have plain C names everywhere in the program, since
 * the library may have an int64_t of its own. Elements that are volatile, or bool in a vector, make
 * it a std::array. A global may be a static member of a struct (cc_var.member_of): declared there,
 * it is Tag::name elsewhere. Names hashed by main are those of C in both languages.
 *
 * Attributes are written ATTRIBUTE((...)), which is nothing where the compiler is not GNU C.
 *
 * A program that uses `long` by name says for which width: the typedef of an array that has no
 * valid length elsewhere. Programs of people (whole_main, below) are left as they are.
 *
 * With several units, unit 0 has main; each text declares what it uses of the others (extern), and
 * repeats types. A static function or variable is printed static only where one unit exists or all
 * uses are in its own unit; cc_print sets that by looking. Where units share a header, all globals
 * have external linkage, and units declare only their static functions.
 *
 * With whole_main the program is one that was imported, or whose main was replaced: main is printed
 * like any other function, as the last one, and brings no checksum with it. Every construct that
 * an import can make has its text, and what the text means is what the tree means, in gcc and
 * clang:
 *   - functions of the library that are used are declared with their type, or are called by
 *     `__builtin_` where they are builtins only; stdout and its like are declared extern;
 *   - a name that means something else where it stands, or that no program can write, is exchanged
 *     for one that nothing has; tags of all scopes are file scope's;
 *   - records come in an order that C takes, only declared where that is enough, with the
 *     attributes that their layout needs; globals come behind those that their initialisers name.
 *
 * The text is short, since it is what people look at in the end: two columns of indentation, no
 * blank lines, no comments but the header, no braces and parentheses that C does not need, no
 * prototypes but those that are, no suffixes of constants that are converted anyway. Attributes are
 * written __attribute__((...)): whoever does not know them needs no_attributes. */
#ifndef ASSAY_CC_PRINT_H
#define ASSAY_CC_PRINT_H

#include "base/strbuf.h"
#include "cc/ast.h"

enum cc_language { CC_C11, CC_CXX17 };

enum cc_wrappers {
    CC_WRAP_FUNCTIONS, /* every `safe` node: static inline functions */
    CC_WRAP_MACROS,    /* every `safe` node: macros (operands have no side effects, or a statement
                        * expression is not needed: the function form is used for those that have) */
    CC_WRAP_NEEDED,    /* only nodes that are also `needed`, by functions */
    CC_WRAP_NONE,      /* bare; for tests and --no-safe-math */
};

/* How the parts of a program see each other. */
enum cc_form {
    CC_FORM_REPEATED, /* every unit stands alone: it repeats the types and declares what it uses */
    CC_FORM_HEADER,   /* not a unit but the header that all units share: types, every global as
                       * extern, every function of external linkage */
    CC_FORM_INCLUDED, /* a unit that includes that header, "init.h", and only defines */
};

#define CC_PRINT_SITE " /* here */"

struct cc_print_options {
    enum cc_language language;
    enum cc_form form;
    bool hide_globals; /* main passes the address of every global to a function that no compiler
                        * can see through before it calls the entry */
    enum cc_wrappers wrappers;
    bool plain_types;    /* int, long long, ... instead of int32_t, int64_t */
    bool plain_numbers;  /* all in decimal, however they are spelled */
    bool no_attributes;  /* leave attributes out (pcc, tcc) */
    bool no_print_names; /* main without per-variable hashes on argument 1 */
    bool whole_main;     /* main is a function like any other: no frame, and the text is terse, see
                          * above */
    bool braces;         /* with whole_main: around single statements, too */
    bool zeros;          /* with whole_main: lists have all elements that the tree has */
    bool brief_main;     /* main is marked cold and names no indices: it is not what is tested, and
                          * should cost its compiler little */
    bool site; /* the marked operation has a line of its own, which ends in CC_PRINT_SITE */
    const char *header; /* text of the first comment, without the marks; NULL: none */
    int unit;           /* which translation unit */
};

/* Append one translation unit. Sets `line` of each statement. */
void cc_print_unit(struct cc_program *p, const struct cc_print_options *o, struct strbuf *out);

/* All parts of a program that shares a header, in one go: `units` has program->n_units texts. The
 * same as CC_FORM_INCLUDED and CC_FORM_HEADER one after the other, for half of the work; form and
 * unit of the options are not looked at. */
void cc_print_parts(struct cc_program *p, const struct cc_print_options *o, struct strbuf *header,
                    struct strbuf *units);

/* Pieces, for messages and tests. */
void cc_print_expr(const struct cc_program *p, const struct cc_expr *e, struct strbuf *out);
void cc_print_stmt(struct cc_program *p, struct cc_stmt *s, int indent, struct strbuf *out);
/* "int32_t *const g_3[4]": a declarator; name may be "". */
void cc_print_declarator(const struct cc_type *type, const char *name, struct strbuf *out);

#endif
