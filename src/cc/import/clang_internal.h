/* What the reader of libclang's cursors is made of. This header alone knows the library's.
 *
 * clang.c walks the unit: declarations, statements, and the library itself. clang_exprs.c reads
 * expressions. clang_cursors.c is what both ask: places, children, values, types, attributes of a
 * cursor, and nodes made of them. */
#ifndef ASSAY_CC_IMPORT_CLANG_INTERNAL_H
#define ASSAY_CC_IMPORT_CLANG_INTERNAL_H

#include "cc/import/parsed_internal.h"
#include "cc/import/spelled.h"
#include "cc/import/tables.h"

#include <clang-c/Index.h>

typedef struct tables_list list;

/* A declaration at file scope: the first one that is written. */
struct top_level {
    CXCursor cursor;
    uint64_t ordinal; /* its position in the unit, from 1 */
};

/* A declaration that the main file needs from elsewhere. */
struct needed {
    uint64_t ordinal; /* 0: implicit */
    uint32_t node;
};

struct reader {
    const struct parse_job *job;
    CXTranslationUnit unit;
    CXFile main_file;
    uint64_t pointer_size; /* bytes */
    bool has_attributes;   /* the word stands in the main file at all */
    VEC(uint32_t) lines;   /* offsets where lines begin */
    struct tables t;
    VEC(CXCursor) cursors; /* by entity: the canonical declaration, or the label's statement */
    VEC(CXCursor) stack;   /* children of the cursors that are being read */
    VEC(struct top_level) top;
    VEC(struct needed) needed;
    struct map types, entities, top_by_address; /* by address of clang's; entities by name too */
    list declarations;                          /* of the main file, at file scope */
};

/* How a kind of cursor is read, as what, and how many parts it has. */
typedef void read_cursor(struct reader *r, CXCursor c, list *to);
struct shape {
    read_cursor *read;
    enum parsed_kind kind;
    size_t n;
};

/* The cursor as nodes at the end of the list, whatever it is; and how it is read. Of C++ only what
 * skeletons need. */
read_cursor reader_read, read_cxx;
struct shape reader_shape(CXCursor c);
/* How expressions of the kind are read; .read is NULL: not known. */
struct shape expr_shape(enum CXCursorKind k);
/* An expression or statement that is not understood, with what is in it. */
read_cursor read_other, read_other_stmt;

static inline struct parsed_node *node_at(struct reader *r, uint32_t i)
{
    return &r->t.nodes.at[i];
}

/* A name of clang's: its number. And its text, until there is a new one. */
uint32_t reader_spelling(struct reader *r, CXCursor c);
static inline const char *name_text(const struct reader *r, uint32_t name)
{
    return r->t.strings.s + name;
}

/* -- places ----------------------------------------------------------------------------------- */

static inline struct scan reader_main_text(const struct reader *r, uint32_t offset)
{
    const char *text = r->job->text;
    return (struct scan){&scan_c, text, r->job->n, offset};
}

/* The text where something was written, be it in a macro's definition. */
struct scan reader_spelled_at(struct reader *r, CXSourceLocation l);
struct scan reader_spelled(struct reader *r, CXCursor c);
/* Offset in the main file; false where the place is in another. */
bool reader_offset(struct reader *r, CXSourceLocation l, uint32_t *offset);

/* -- nodes ------------------------------------------------------------------------------------ */

/* A node at the place of the cursor; one for a missing part. */
uint32_t reader_node(struct reader *r, enum parsed_kind kind, CXCursor c, list *to);
void reader_missing(struct reader *r, list *to);
/* `text` of the node is its source. */
void reader_set_source(struct reader *r, uint32_t node);
/* Flag a name that is not at its place: pasted by a macro, or with escapes. */
void reader_check_name(const struct reader *r, struct parsed_node *n);
/* `text` of the declaration are the names of its attributes. */
void reader_set_attributes(struct reader *r, uint32_t node, CXCursor c, uint32_t declarator_end);

/* The number of the entity that the cursor declares. */
uint32_t reader_entity(struct reader *r, CXCursor c);
void reader_declare(struct reader *r, CXCursor c, uint32_t node, enum tables_rank rank);

/* -- children --------------------------------------------------------------------------------- */

/* Children of a cursor, on the reader's stack: it moves, so that they are asked for by number. */
struct kids {
    size_t base, n;
};

static inline CXCursor kid(const struct reader *r, struct kids k, size_t i)
{
    return r->stack.at[k.base + i];
}

/* All but types and attributes; of an expression also without the tags that are defined in it. */
struct kids reader_kids(struct reader *r, CXCursor c);
struct kids reader_expr_kids(struct reader *r, CXCursor c);
void reader_kids_done(struct reader *r, struct kids k);

/* -- values and types ------------------------------------------------------------------------- */

struct number {
    bool known;
    int64_t low, high; /* halves of 128 bits */
};

struct number cursor_int(CXCursor c);
double cursor_float(CXCursor c);

uint32_t reader_type(struct reader *r, CXType type);
/* The type of something that cannot be an array or a function: libclang shows adjusted parameters,
 * and values made of them, with the type as it was written (6.7.6.3p7, p8). */
uint32_t reader_adjusted_type(struct reader *r, CXType type);
/* Is the member an anonymous struct or union (6.7.2.1p13)? Its type. */
bool cursor_is_anonymous(CXCursor field, CXType *record);

#endif
