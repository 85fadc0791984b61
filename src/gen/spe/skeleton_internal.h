/* What the files of the skeleton share. Included by src/gen/spe/ alone.
 *
 *   names.c     the text as tokens: macros that make text of their arguments, names that the tree
 *               does not know of
 *   survey.c    the parsed tree as a list of events in textual order: scopes open and close,
 *               variables are declared, variables are used
 *   skeleton.c  from the events to parts: trees of scopes, holes, what a hole can see
 *   classes.c   which variables are interchangeable
 *   render.c    back to text
 *   hoist.c     initialisers become assignments */
#ifndef ASSAY_GEN_SPE_SKELETON_INTERNAL_H
#define ASSAY_GEN_SPE_SKELETON_INTERNAL_H

#include "base/map.h"
#include "base/scan.h"
#include "base/vec.h"
#include "gen/spe/skeleton.h"

/* -- names.c ----------------------------------------------------------------------------------- */

struct name_at { /* an identifier outside of comments and literals */
    uint32_t at, size;
    bool member;    /* stands after `.` or `->` */
    bool directive; /* `define` and the like: stands after a `#` that begins a line */
};

bool names_next(struct scan *s, struct name_at *out);
/* Does exactly this name stand there? */
bool names_is(const struct parsed *p, uint32_t at, const char *name);
/* Behind white space and comments. */
uint32_t names_skip_space(const char *text, uint32_t size, uint32_t at);

enum name_marks {
    NAMES_PASTED = 1, /* part of an argument of a macro whose body has ## */
    NAMES_QUOTED = 2, /* the same for # */
    NAMES_KNOWN = 4,  /* the name that stands here is one of the tree */
};
/* One byte of marks per byte of the source; sets NAMES_PASTED and NAMES_QUOTED. */
unsigned char *names_macros(const struct parsed *p, struct arena *arena);

/* -- survey.c ---------------------------------------------------------------------------------- */

/* The ordinary identifiers in scope (C11 6.2.3), innermost first. Lists share their ends, so that
 * every use can keep the one that it sees. */
struct seen {
    uint32_t name;
    int variable; /* -1: not a variable, or one that cannot be used yet */
    const struct seen *up;
};

struct survey_variable {
    uint32_t node, name; /* name: interned */
    int function;        /* -1: file scope */
    bool takes_part;
    bool member;                           /* only with `any`: stands for all of its name */
    bool static_storage, constant_address; /* the latter: &x is an address constant */
    bool elsewhere;                        /* named where there is no hole */
    bool redeclared;
    bool quoted; /* some hole that can hold it becomes a string literal */
    int n_uses;
    int unseen;                       /* the set of holes that do not see it */
    int part, segment, class, number; /* where it takes part */
};

struct survey_use {
    uint32_t node, at;
    int variable, function;
    const struct seen *seen;
    bool addressed, constant; /* under `&`; in an initialiser that must be constant */
    int left;                 /* enum skeleton_left; -1: may be a hole */
    int hole;                 /* of which it is part; -1: none */
};

enum survey_kind { SURVEY_OPEN, SURVEY_CLOSE, SURVEY_DECLARE, SURVEY_USE };
struct survey_event {
    enum survey_kind kind;
    int what; /* a variable, a use; of OPEN: the function that begins, -1: another scope */
};

struct survey {
    const struct parsed *parsed;
    struct arena *arena;
    struct map names;
    VEC(struct survey_variable) variables;
    VEC(struct survey_use) uses;
    VEC(struct survey_event) events;
    VEC(struct skeleton_function) functions;
    unsigned char *marks; /* of names.c */
    int *variable_of;     /* by node: of VAR and PARAM; -1 */
    bool any;             /* functions, enumerators, types and members count as variables */
};

void survey_take(struct survey *s, const struct parsed *p, bool any, struct arena *arena);
void survey_release(struct survey *s);
/* Set `elsewhere` for variables whose name stands in the text where the tree has no use of it: in
 * sizeof, in typeof, in the body of a macro that is used in either. */
void survey_mentions(struct survey *s);

bool skeleton_type_has_holes(const struct parsed *p, uint32_t type,
                             const struct skeleton_options *o);

/* -- classes.c --------------------------------------------------------------------------------- */

enum skeleton_alone skeleton_alone(const struct survey *s, const struct survey_variable *v);
/* Both stand in the same scope of the same part, and neither is alone. */
bool skeleton_interchangeable(const struct survey *s, const struct survey_variable *a,
                              const struct survey_variable *b);

#endif
