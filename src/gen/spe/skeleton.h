/* The skeleton of a C file: its text with holes where variables are used, and for each type the
 * tree of scopes, variables and holes that src/spe enumerates (SPE 3, 4.2).
 *
 * A hole is a use of a variable of a scalar builtin type (as in SPE 5.1), or on request of a
 * pointer or of a whole structure. Its candidates are the variables of the same canonical qualified
 * type that are declared before it and not shadowed, such that any choice compiles: only objects
 * of static storage in initialisers that must be constant (C11 6.7.9p4), no `register` variable
 * under `&` (6.5.3.2p1). Every other byte of the text stays what it is.
 *
 * Scopes are those of the text: file, function with its parameters, block, for. A declaration that
 * follows a hole opens a scope of its own up to the end of the block, because a name cannot be used
 * before it is declared. A variable takes part after its initialiser: `int a = a;` is no variant.
 *
 * Two variables are of one class (mode sound) if exchanging them leaves a program that does the
 * same: declared in the same scope with the same storage, no initialiser or the same literal, no
 * attributes, neither parameter nor extern, seen by the same holes, and every place that names them
 * is a hole. A use that cannot be edited, such as one in the body of a macro, is left alone,
 * counted, and makes its variable a class of its own. */
#ifndef ASSAY_GEN_SPE_SKELETON_H
#define ASSAY_GEN_SPE_SKELETON_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/words.h"
#include "cc/import/parsed.h"
#include "spe/spe.h"

struct skeleton_options {
    bool pointers; /* holes of pointer types, too */
    bool structs;  /* and of structures, unions, enumerations, complex and vector types */
    bool any;      /* all names (variables of whatever type, functions, enumerators, types) in
                      one part, and members in another: for front ends (SPE 5.1) */
    bool plain;    /* nothing hidden: a variable that some hole of its type cannot see takes
                      no part. What mode paper needs */
    bool flat;     /* as Algorithm 1 wants it: what the function declares itself, before its
                      first hole, is one scope with the variables of the file. Only for
                      counting, and with `function` */
    const char *function; /* holes of this function alone vary; NULL: all */
};

/* id, a use that is left alone because ... */
#define SKELETON_LEFT_TABLE(X)                                                                     \
    X(SKELETON_MACRO, "in the body of a macro")                                                    \
    X(SKELETON_PASTED, "argument of a macro with ##")                                              \
    X(SKELETON_UNEVALUATED, "operand of sizeof or the like")                                       \
    X(SKELETON_ASM, "operand of asm")                                                              \
    X(SKELETON_CONSTANT, "has to be constant")                                                     \
    X(SKELETON_VA_START, "argument of va_start")                                                   \
    X(SKELETON_ODD, "in a construct that is not taken apart")                                      \
    X(SKELETON_UNNAMED, "variable declared by a macro, or twice")                                  \
    X(SKELETON_OUTSIDE, "outside of the function")                                                 \
    X(SKELETON_HIDDEN, "variable that some hole cannot see")                                       \
    X(SKELETON_TYPE, "of another type")

enum skeleton_left { SKELETON_LEFT_TABLE(WORD_ID) SKELETON_N_LEFT };
extern const char *const skeleton_left_text[SKELETON_N_LEFT];

/* id, the variable is a class of its own because ... */
#define SKELETON_ALONE_TABLE(X)                                                                    \
    X(SKELETON_ALONE_NO, "interchangeable with its like")                                          \
    X(SKELETON_ALONE_PARAMETER, "parameter")                                                       \
    X(SKELETON_ALONE_OTHER, "function, type, enumerator or member")                                \
    X(SKELETON_ALONE_EXTERN, "extern or from a header")                                            \
    X(SKELETON_ALONE_ATTRIBUTES, "has attributes")                                                 \
    X(SKELETON_ALONE_REDECLARED, "declared more than once")                                        \
    X(SKELETON_ALONE_INITIALISER, "initialiser is not a literal")                                  \
    X(SKELETON_ALONE_ELSEWHERE, "named where there is no hole")                                    \
    X(SKELETON_ALONE_QUOTED, "some hole that can hold it is text for a macro with #")

enum skeleton_alone { SKELETON_ALONE_TABLE(WORD_ID) SKELETON_N_ALONE };
extern const char *const skeleton_alone_text[SKELETON_N_ALONE];

struct skeleton_hole {     /* those of all parts are in textual order */
    uint32_t at, size;     /* bytes of the source: the name that stands there */
    uint32_t line, column; /* 1-based */
    int part, index;       /* its number among the holes of the part */
    int variable;          /* what stands there: into `variables` */
    int function;          /* into `functions`; -1: initialiser at file scope */
    int n_nodes;           /* uses in the tree: several if a macro repeats its argument */
    const uint32_t *nodes; /* of the parsed tree */
    bool quoted;           /* an argument of a macro that makes a string literal of it */
    const char *before;    /* the text between the hole before it and this one */
    uint32_t before_size;
};

struct skeleton_variable { /* in order of part, then number; holes without variables: none */
    const char *name;
    uint32_t size;    /* of the name */
    uint32_t node;    /* VAR or PARAM of the parsed tree */
    int part, number; /* its number in the part, as fillings have it */
    int scope, class; /* of the part */
    int function;     /* into `functions`; -1: file scope */
    enum skeleton_alone alone;
};

struct skeleton_function { /* defined in the file, in textual order */
    const char *name;
    uint32_t node;
    int n_holes;
};

struct skeleton {
    const char *source; /* the parsed file's */
    uint32_t source_size;
    const char *tail; /* the text after the last hole */
    uint32_t tail_size;
    int n_holes, n_variables, n_functions, n_parts;
    struct skeleton_hole *holes;
    struct skeleton_variable *variables;
    struct skeleton_function *functions;
    struct spe_part *parts; /* for spe_new */
    int *part_holes;        /* n_parts: number of the part's first hole in a filling */
    int *part_variables;    /* n_parts: its first variable in `variables` */
    uint32_t *part_types;   /* n_parts: type of the parsed file; 0 with `any` */
    uint32_t *original;     /* n_holes: the filling that is the file itself */
    int left[SKELETON_N_LEFT];
    int n_scopes;   /* scopes of the text that declare a variable that takes part, or have a hole */
    double visible; /* candidates of all holes together */
};

/* Everything is in the arena or in `parsed`, which has to outlive the skeleton. On failure -1: the
 * function is not in the file. */
int skeleton_build(const struct parsed *parsed, const struct skeleton_options *o,
                   struct arena *arena, struct skeleton *out, struct error *error);

/* The same, and its fillings in a mode; with `plain` where the mode cannot do without. NULL: as -1
 * above, or the mode refuses it. space.c */
struct spe *skeleton_space(const struct parsed *parsed, const struct skeleton_options *o,
                           enum spe_mode mode, struct arena *arena, struct skeleton *out,
                           struct error *error);

/* Where the variable of a hole stands in a filling. */
static inline int skeleton_slot(const struct skeleton *s, const struct skeleton_hole *hole)
{
    return s->part_holes[hole->part] + hole->index;
}
/* The variable that a filling puts in a hole. */
static inline const struct skeleton_variable *
skeleton_filled(const struct skeleton *s, const struct skeleton_hole *hole, const uint32_t *filling)
{
    return &s->variables[s->part_variables[hole->part] + (int)filling[skeleton_slot(s, hole)]];
}
/* The candidates of a hole, ascending, as indices into `variables`; `out` has room for n_variables.
 * Returns how many. */
int skeleton_candidates(const struct skeleton *s, const struct skeleton_hole *hole, int *out);

/* The text with a filling in its holes, added to `out`. render.c */
void skeleton_render(const struct skeleton *s, const uint32_t *filling, struct strbuf *out);
/* The same with "[7]" in the place of each hole, numbered from 1. */
void skeleton_render_holes(const struct skeleton *s, struct strbuf *out);

/* Make holes of initialisers: `int a = 1, b = 0;` becomes `int a, b; a = 1; b = 0;`, after the last
 * of a row of declarations, so that exchanging a and b means what SPE 3.2.1 says it does. Of
 * automatic variables in blocks whose type has holes with these options. The new text, to be parsed
 * again, is added to `out`; returns how many initialisers were moved. hoist.c */
int skeleton_hoist(const struct parsed *parsed, const struct skeleton_options *o,
                   struct strbuf *out);

#endif
