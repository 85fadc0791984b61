/* A C translation unit as libclang saw it: plain tables without pointers.
 *
 * libclang crashes or hangs on a few files, so it runs in a process of its own and hands over these
 * tables as one block of bytes; everything else (the skeleton, the import into `cc`) works on them
 * and knows nothing of the library. Index 0 of each table is "none".
 *
 * Nodes: declarations, statements and expressions, as clang's tree has them, parentheses and
 * implicit conversions left out. Only the main file is there in full; of what it includes, there
 * are the declarations that the main file refers to (with their bodies if they are functions
 * defined in a header).
 *
 * Places are byte offsets in the main file, by "file location": of something that comes out of a
 * macro, where the macro is used. Of something in an included file they are 0.
 *
 * What is promised and checked (parsed.c): node 1 is the UNIT; a child and a next sibling have
 * greater numbers than their node, a type has a greater number than its parts; each kind has its
 * number of children; references lead to nodes of the kinds that are named below. */
#ifndef ASSAY_CC_IMPORT_PARSED_H
#define ASSAY_CC_IMPORT_PARSED_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/words.h"

#include <stdbool.h>
#include <stdint.h>

/* id, name, children in order. [x] may be missing: then there is a node of kind NONE in its place.
 * Operands that are not evaluated (sizeof, typeof) are no nodes. A list inside of a list may have
 * no type of its own (void). Operators in the clothes of functions (__atomic_load_n, ...) are calls
 * of an IMPLICIT function without a type. */
#define PARSED_KIND_TABLE(X)                                                                       \
    X(PARSED_NONE, "nothing") /* missing part */                                                   \
    /* declarations */                                                                             \
    X(PARSED_UNIT,                                                                                 \
      "translation unit") /* declarations in order; included ones that are needed first */         \
    X(PARSED_FUNCTION, "function") /* PARAM..., [BLOCK]; ref: its definition or 1st declaration */ \
    X(PARSED_PARAM, "parameter")   /* sizes of variable length arrays in its declarator */         \
    X(PARSED_VAR, "variable")      /* [initialiser], then sizes as above; ref: as of FUNCTION */   \
    X(PARSED_RECORD, "struct or union") /* FIELD...; also in tables of types */                    \
    X(PARSED_FIELD, "member")           /* value: width in bits, -1: no bit-field */               \
    X(PARSED_ENUM, "enumeration")       /* ENUMERATOR... */                                        \
    X(PARSED_ENUMERATOR, "enumerator")  /* value */                                                \
    X(PARSED_TYPEDEF, "typedef")                                                                   \
    X(PARSED_OTHER_DECL, "declaration") /* static assertions, empty declarations, ... */           \
    /* statements; an expression stands for itself */                                              \
    X(PARSED_BLOCK, "block")                 /* statements */                                      \
    X(PARSED_DECLS, "declaration statement") /* VAR, RECORD, ENUM, TYPEDEF, FUNCTION... */         \
    X(PARSED_IF, "if")                       /* condition, then, [else] */                         \
    X(PARSED_FOR, "for")         /* [init: DECLS or expression], [condition], [step], body */      \
    X(PARSED_WHILE, "while")     /* condition, body */                                             \
    X(PARSED_DO, "do")           /* body, condition */                                             \
    X(PARSED_SWITCH, "switch")   /* value, body */                                                 \
    X(PARSED_CASE, "case")       /* value, [upper end: GNU], statement; both ends: `value`,        \
                             `value2` */                                                           \
    X(PARSED_DEFAULT, "default") /* statement */                                                   \
    X(PARSED_BREAK, "break")                                                                       \
    X(PARSED_CONTINUE, "continue")                                                                 \
    X(PARSED_GOTO, "goto") /* ref: LABEL */                                                        \
    X(PARSED_COMPUTED_GOTO, "computed goto")                                                       \
    X(PARSED_LABEL, "label")   /* statement; name */                                               \
    X(PARSED_RETURN, "return") /* [value] */                                                       \
    X(PARSED_EMPTY, "empty statement")                                                             \
    X(PARSED_ASM, "asm") /* operands as far as libclang shows them; text: its source */            \
    X(PARSED_OTHER_STMT, "statement")                                                              \
    /* expressions: type is set */                                                                 \
    X(PARSED_INT,                                                                                  \
      "integer constant") /* value; also sizeof, offsetof, __builtin_types_compatible_p            \
                      and the like, whose value clang knows (flag FOLDED) */                       \
    X(PARSED_FLOAT, "floating constant") /* number; text: of a long double, as it is spelled */    \
    X(PARSED_STRING, "string literal") /* text: the bytes of its elements without the last NUL */  \
    X(PARSED_USE, "use")               /* ref: VAR, PARAM, FUNCTION, ENUMERATOR; name */           \
    X(PARSED_MEMBER, "member access")  /* base; ref: FIELD; flag ARROW */                          \
    X(PARSED_INDEX, "subscript")      /* as written: array or pointer, index (or the other way) */ \
    X(PARSED_CALL, "call")            /* callee, arguments */                                      \
    X(PARSED_UNARY, "unary operator") /* operand; op */                                            \
    X(PARSED_BINARY, "binary operator") /* a, b; op; also && || and comma */                       \
    X(PARSED_ASSIGN, "assignment")      /* a, b; op: '=' or the operator of a compound one */      \
    X(PARSED_COND, "conditional")       /* a, b, c; GNU's a ?: c has NONE for b */                 \
    X(PARSED_CAST, "cast")              /* operand; explicit only */                               \
    X(PARSED_SIZEOF, "sizeof")          /* of a variable length array: operand where it has one */ \
    X(PARSED_LITERAL, "compound literal")          /* INIT_LIST */                                 \
    X(PARSED_INIT_LIST, "initialiser list")        /* as written (syntactic form) */               \
    X(PARSED_DESIGNATED, "designated initialiser") /* designators in order: FIELD_DESIGNATOR       \
                                      (ref), or INDEX_DESIGNATOR; then the value */                \
    X(PARSED_FIELD_DESIGNATOR, "designator")                                                       \
    X(PARSED_INDEX_DESIGNATOR,                                                                     \
      "designator") /* value; value2: last of a GNU range, else the same */                        \
    X(PARSED_STMT_EXPR, "statement expression") /* BLOCK */                                        \
    X(PARSED_VA_ARG, "va_arg")                  /* the list */                                     \
    X(PARSED_LABEL_ADDRESS, "address of a label")                                                  \
    X(PARSED_IMAGINARY, "imaginary constant")                                                      \
    X(PARSED_OTHER_EXPR, "expression") /* anything that is not understood, with the expressions in \
                                   it; text: its source */

enum parsed_kind { PARSED_KIND_TABLE(WORD_ID) PARSED_N_KINDS };
extern const char *const parsed_kind_name[PARSED_N_KINDS];

enum parsed_flags {
    PARSED_ARROW = 1,
    PARSED_FOLDED = 2,        /* INT: not a literal, clang knew its value */
    PARSED_IN_MACRO = 4,      /* its text is not at its place: it comes out of a macro's body */
    PARSED_GLOBAL = 8,        /* VAR: file scope; or extern within a block */
    PARSED_STATIC = 16,       /* VAR, FUNCTION: declared static */
    PARSED_EXTERN = 32,       /* VAR, FUNCTION: declared extern */
    PARSED_REGISTER = 64,     /* VAR, PARAM */
    PARSED_THREAD = 128,      /* VAR: _Thread_local */
    PARSED_INCLUDED = 256,    /* a declaration of an included file */
    PARSED_DEFINED = 512,     /* FUNCTION: has a body; VAR: is a definition (tentative ones too) */
    PARSED_ATTRIBUTES = 1024, /* declaration: has __attribute__ of any kind; names: `text` */
    PARSED_POSTFIX = 2048,    /* UNARY ++ and -- */
    PARSED_IMPLICIT = 4096,   /* FUNCTION: declared by being called, or a builtin */
    PARSED_INLINE = 8192,     /* FUNCTION: declared inline */
    PARSED_SYSTEM = 16384,    /* a declaration of a header of the system; in a preprocessed text,
                               * by its line markers */
};

/* UNARY: '+' '-' '!' '~' '*' '&' and those below. BINARY, ASSIGN: the operator's own characters as
 * a number, the first one lowest ('<' | '<' << 8); a compound assignment without its '='. */
enum parsed_op {
    PARSED_OP_INC = '+' | '+' << 8,
    PARSED_OP_DEC = '-' | '-' << 8,
    PARSED_OP_REAL = 'r', /* __real */
    PARSED_OP_IMAG = 'i',
    PARSED_OP_EXTENSION = 'x', /* __extension__ (left out by the reader where it can) */
};

struct parsed_node {
    uint16_t kind; /* enum parsed_kind */
    uint16_t flags;
    uint16_t op;
    uint16_t pad;
    uint32_t type;            /* canonical, with qualifiers */
    uint32_t first, next;     /* first child; next sibling */
    uint32_t ref;             /* the node that a use refers to */
    uint32_t begin, end;      /* extent in the main file */
    uint32_t at;              /* USE, VAR, PARAM, FUNCTION: where the name is; else begin */
    uint32_t line, column;    /* of `at`, 1-based; of an included declaration: in its own file */
    uint32_t name;            /* into strings */
    uint32_t text, text_size; /* into strings; see the kinds */
    int64_t value, value2; /* an integer of 128 bits: value is its lower half, value2 its upper */
    double number;
};

/* clang-format off */
#define PARSED_TYPE_TABLE(X)                                                                       \
    X(PARSED_T_NONE)                                                                                        \
    X(PARSED_T_VOID)                                                                                        \
    X(PARSED_T_BOOL)                                                                                        \
    X(PARSED_T_CHAR)                                                                                        \
    X(PARSED_T_SCHAR) X(PARSED_T_UCHAR) X(PARSED_T_SHORT) X(PARSED_T_USHORT) X(PARSED_T_INT) X(PARSED_T_UINT) X(PARSED_T_LONG) X(PARSED_T_ULONG) X(PARSED_T_LLONG) X(PARSED_T_ULLONG)        \
        X(PARSED_T_INT128) X(PARSED_T_UINT128) X(PARSED_T_FLOAT) X(PARSED_T_DOUBLE) X(PARSED_T_LDOUBLE) X(PARSED_T_FLOAT16) X(PARSED_T_FLOAT128) X(PARSED_T_COMPLEX)       \
            X(PARSED_T_ENUM) X(PARSED_T_POINTER) X(PARSED_T_ARRAY) X(PARSED_T_INCOMPLETE_ARRAY) X(PARSED_T_VLA) X(PARSED_T_VECTOR) X(PARSED_T_RECORD) X(PARSED_T_FUNCTION) \
                X(PARSED_T_VA_LIST) X(PARSED_T_OTHER)
/* clang-format on */

enum parsed_type_kind { PARSED_TYPE_TABLE(WORD_ID) PARSED_N_TYPES };

enum parsed_quals { PARSED_CONST = 1, PARSED_VOLATILE = 2, PARSED_RESTRICT = 4, PARSED_ATOMIC = 8 };

/* Canonical: no typedefs. The same type has the same number. VA_LIST is clang's
 * `struct __va_list_tag`, whose array of one is what a va_list is. */
struct parsed_type {
    uint16_t kind; /* enum parsed_type_kind */
    uint16_t quals;
    uint32_t to;               /* pointee, element, result, part of a complex, integer of an enum */
    uint32_t decl;             /* RECORD, ENUM: its node (the definition, where there is one) */
    uint64_t length;           /* array, vector: elements */
    uint64_t size, align;      /* bytes, as clang says; 0: incomplete or function */
    uint32_t params, n_params; /* FUNCTION: in `params` */
    bool variadic, unprototyped, is_union, complete;
    uint32_t name; /* as clang writes it, for people */
};

/* Of a record's fields: in bits from its start; by the number of the FIELD node. */
struct parsed {
    uint32_t n_nodes, n_types, n_params, n_strings, source_size, n_clang_errors;
    struct parsed_node *nodes;
    struct parsed_type *types;
    uint32_t *params;  /* types of parameters */
    uint64_t *offsets; /* by node number: of FIELD, in bits */
    char *strings;
    char *source;        /* the main file, NUL-terminated */
    uint32_t macro_uses; /* uses of variables inside of macro bodies, not editable */
};

struct parse_options {
    const char *const *arguments; /* for clang, after ours (-std=gnu17 -w -x c); NULL-terminated */
    int seconds;                  /* limit; 0: 10 */
    bool cxx; /* C++ (-std=gnu++17): only scopes, functions, variables of arithmetic types and their
                 uses are in the tables, for skeletons. Statements are in BLOCKs, and expressions
                 are the USEs in them */
};

/* Is it C++, by the end of its name? */
bool parsed_is_cxx(const char *path);
/* Can files be read at all? 0, or -1 and what is missing. */
int parsed_available(struct error *error);
/* Whose answers they are: "Debian clang version 19.1.7"; "" where files cannot be read. */
void parsed_version(char *out, size_t size);

/* Read a file, which may include the system's, those of its folder and what the arguments name
 * (base/inside.h). On failure -1 and the error: clang's own first message with file and line, or
 * that libclang crashed (ERROR_USAGE), took too long or too much memory (ERROR_LIMIT), or that
 * assay was built without it (ERROR_ENVIRONMENT). All in `arena`. */
int parsed_load(const char *path, const struct parse_options *o, struct arena *arena,
                struct parsed *out, struct error *error);
/* The same for a text that is in no file, and has no folder; `name` is for messages. */
int parsed_load_text(const char *name, const char *text, size_t n, const struct parse_options *o,
                     struct arena *arena, struct parsed *out, struct error *error);

static inline const char *parsed_string(const struct parsed *p, uint32_t at)
{
    return p->strings + at;
}

#endif
