/* What the files of the import share: the state, and how it gives up.
 *
 *     import.c        the file: variables, functions, the order in which they come about
 *     import_types.c  types
 *     import_exprs.c  expressions, and the comparison of each with clang's type
 *     import_calls.c  calls: builtins, the library, the file's own functions
 *     import_init.c   initialisers (C11 6.7.9)
 *     import_stmts.c  statements
 *
 * What is not supported is found deep in the tree, so that giving up is a longjmp: everything that
 * is made lives in the program's arena, and nothing is left behind. build.h aborts on what C does
 * not allow; whoever calls it here has looked before. */
#ifndef ASSAY_CC_IMPORT_IMPORT_INTERNAL_H
#define ASSAY_CC_IMPORT_IMPORT_INTERNAL_H

#include "base/error.h"
#include "base/map.h"
#include "base/scan.h"
#include "cc/build.h"
#include "cc/import/import.h"

#include <setjmp.h>

/* A name of file scope, and all its declarations: one object or function. */
struct entity {
    uint32_t decl;   /* the declaration that has the type: complete, or the function's definition */
    uint32_t init;   /* variable: its initialiser; 0: none */
    bool defined;    /* here; tentatively too (6.9.2p2) */
    bool prototyped; /* function: a declaration of it has a prototype */
    bool linked;     /* function: some declaration makes its definition one for the linker */
    struct cc_var *var;
    struct cc_func *func; /* NULL: not used yet */
    uint32_t restricted;  /* function: parameters (bits) that are restrict */
    const char *refused;  /* why it cannot be used; NULL: it can */
};

enum record_state { RECORD_UNKNOWN, RECORD_DECLARED, RECORD_BEING_DEFINED, RECORD_DEFINED };

struct pending_record { /* declared, to be defined as soon as no other one is */
    struct pending_record *next;
    uint32_t type;
};

struct goto_seen {
    struct goto_seen *next;
    struct cc_stmt *stmt;
    struct cc_expr *address; /* NULL: it is a goto; otherwise of its label */
    uint32_t node;
    int home; /* the statement expression that it is in */
};

/* Where a statement is: what break, continue and case belong to. A statement expression starts
 * anew, because nothing may leave it. */
struct surroundings {
    int home;              /* number of the innermost statement expression; 0: none */
    int loops, breakables; /* around it, in the same home */
    struct cc_stmt *in_switch;
    struct cc_stmt *last_label; /* of in_switch */
};

/* Where to go on when something is not supported, and what is then as it was. */
struct recovery {
    jmp_buf here;
    struct recovery *up;
    int depth;
    struct surroundings around;
    struct goto_seen *gotos;
    uint32_t n_labels, n_traps;
};

enum { MAX_WHY = 512 };

struct importer {
    const struct parsed *s;
    const char *name; /* of the file */
    struct cc_program *p;
    struct import *out;
    bool partly; /* what is not supported becomes a trap */
    struct recovery *recovery;
    char why[MAX_WHY]; /* of the last failure: "unsupported: long double", and its place */
    uint32_t why_line;
    bool fatal;                 /* nothing can be made of the file */
    uint32_t n_labels, n_traps; /* made so far */
    int depth;                  /* of the recursion, see import_enter */

    /* by parsed type */
    const struct cc_type **types;
    const struct cc_type **unknown; /* what stands for one that cc has not, behind a pointer */
    /* by node */
    const struct cc_type **declared; /* RECORD, ENUM */
    uint8_t *record_state;
    int *field_index;   /* FIELD: in its record */
    uint32_t *field_of; /* FIELD: its RECORD */
    bool *field_named;  /* FIELD: by an expression or a designator */
    int *label_home;    /* LABEL: home + 1; 0: not seen */
    struct pending_record *pending;

    struct map names;     /* of file scope: their entities */
    struct cc_func *func; /* the body being imported; NULL: file scope */
    struct surroundings around;
    int n_homes, n_literals;
    struct goto_seen *gotos;
};

/* -- import.c --------------------------------------------------------------------------------- */

/* Not supported: "unsupported: ...", at the line of the node. It goes on behind the part of the
 * tree that begins there, if only a part is wanted (cc_import_partly), or the import ends. */
_Noreturn void import_fail(struct importer *im, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for what GCC and clang understand differently, or what differs from one run of a
 * compiler to another: nothing that could be compared. */
_Noreturn void import_not_portable(struct importer *im, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, and the import ends: what it is about may matter without being reached. */
_Noreturn void import_refuse(struct importer *im, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for what is our own mistake: "internal: ...". */
_Noreturn void import_bug(struct importer *im, uint32_t node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Begin an attempt: `if (!setjmp(r.here)) { ...; import_end(im, &r); } else import_recover(im,
 * &r);`. The last one gives up further outside where labels are among what failed: somebody may
 * jump there.
 */
void import_begin(struct importer *im, struct recovery *r);
void import_end(struct importer *im, const struct recovery *r);
void import_recover(struct importer *im, const struct recovery *r);
/* What stands in place of what failed last, of an expression of the type. */
struct cc_expr *import_trap(struct importer *im, const struct cc_type *type);
/* Recursion follows the nesting of the text, which has no limit; our stack has. */
void import_enter(struct importer *im, uint32_t node);
static inline void import_leave(struct importer *im)
{
    im->depth--;
}

/* The entity of a declaration of file scope, or of an extern one in a block. */
struct entity *import_entity(struct importer *im, uint32_t decl);
struct cc_var *import_variable(struct importer *im, uint32_t decl, uint32_t node);
struct cc_func *import_function(struct importer *im, uint32_t decl, uint32_t node);
/* Fail if a declaration has an attribute that changes what the program means. */
void import_attributes(struct importer *im, uint32_t decl);
/* What the attribute `aligned` or _Alignas of a variable says, in bytes; 0: nothing. */
uint32_t import_alignment(struct importer *im, uint32_t decl);

static inline const struct parsed_node *import_node(const struct importer *im, uint32_t node)
{
    return &im->s->nodes[node];
}
static inline const char *import_name(const struct importer *im, uint32_t node)
{
    return parsed_string(im->s, im->s->nodes[node].name);
}
static inline uint32_t import_child(const struct importer *im, uint32_t node, int at)
{
    uint32_t c = im->s->nodes[node].first;
    while (at-- > 0 && c)
        c = im->s->nodes[c].next;
    return c;
}
static inline enum parsed_kind import_kind(const struct importer *im, uint32_t node)
{
    return (enum parsed_kind)im->s->nodes[node].kind;
}
/* A child that may be missing: 0 where it is. */
static inline uint32_t import_part(const struct importer *im, uint32_t node, int at)
{
    uint32_t c = import_child(im, node, at);
    return import_kind(im, c) == PARSED_NONE ? 0 : c;
}
static inline uint32_t import_count(const struct importer *im, uint32_t node)
{
    uint32_t n = 0;
    for (uint32_t c = im->s->nodes[node].first; c; c = im->s->nodes[c].next)
        n++;
    return n;
}

/* -- import_types.c --------------------------------------------------------------------------- */

/* A type of the table; records in it are defined where they can be. `node`: for messages. */
const struct cc_type *import_type(struct importer *im, uint32_t type, uint32_t node);
/* The same, and it has a size. */
const struct cc_type *import_object_type(struct importer *im, uint32_t type, uint32_t node);
/* The way to a member, through anonymous ones (6.7.2.1p13): field indices into `path`, their number
 * returned; 0: there is none. */
enum { MAX_PATH = 16 };
int import_member_path(struct importer *im, const struct cc_type *record, uint32_t field,
                       int path[MAX_PATH]);
/* "struct s *", as clang writes it. */
const char *import_type_name(struct importer *im, uint32_t type);

/* -- import_exprs.c --------------------------------------------------------------------------- */

struct cc_expr *import_expr(struct importer *im, uint32_t node);
/* One that is compared with 0. */
struct cc_expr *import_condition(struct importer *im, uint32_t node);
/* `e` so that it can be stored in a `to`: what compilers accept with a warning gets its cast. */
struct cc_expr *import_fit(struct importer *im, uint32_t node, const struct cc_type *to,
                           struct cc_expr *e);
/* `e` is about to be promoted: fails where GCC and clang do so to different types. */
struct cc_expr *import_operand(struct importer *im, uint32_t node, struct cc_expr *e);
/* The type of `e` as a value (6.3.2.1p2, p3). */
const struct cc_type *import_value_type(struct importer *im, const struct cc_expr *e);

/* -- import_calls.c --------------------------------------------------------------------------- */

struct cc_expr *import_call(struct importer *im, uint32_t node);

/* -- import_init.c ---------------------------------------------------------------------------- */

/* The initialiser of an object: a list as ast.h has it, or a value. */
struct cc_expr *import_init(struct importer *im, const struct cc_type *type, uint32_t node);

/* -- import_restrict.c ------------------------------------------------------------------------ */

/* Is the parameter restrict? Fails where the word stands anywhere else in the type of what is
 * declared. */
bool import_is_restrict(struct importer *im, uint32_t node, bool param);
/* What the accesses of the function are based on, some of whose parameters (bits) are restrict. */
void import_read_restrict(struct importer *im, struct cc_func *f, uint32_t restricted);

/* -- import_stmts.c --------------------------------------------------------------------------- */

struct cc_stmt *import_block(struct importer *im, uint32_t node);
/* &&label, of im->func. */
struct cc_expr *import_label_address(struct importer *im, uint32_t node);
/* The body of im->func. */
void import_body(struct importer *im, uint32_t node);

#endif
