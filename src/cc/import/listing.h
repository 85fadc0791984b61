/* A file of C or OpenCL C as a flat list: what is declared where, which name refers to what, and
 * what clang says of it.
 *
 * Less than parsed.h, and of any text: neither types nor expressions, and a file with errors is
 * listed as far as clang understands it. It is what renaming and cutting out functions need
 * (gen/lm/rewrite.h).
 *
 * All offsets are bytes in the text. libclang runs in the calling process, where it may crash or
 * never come back: call it in a process that may be lost. */
#ifndef ASSAY_CC_IMPORT_LISTING_H
#define ASSAY_CC_IMPORT_LISTING_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum listing_kind {
    LISTING_OTHER,
    LISTING_FUNCTION,
    LISTING_GLOBAL, /* variable of file scope */
    LISTING_LOCAL,  /* parameter, or variable of a function */
    LISTING_ENUMERATOR,
    LISTING_TAG, /* struct, union, enum */
    LISTING_TYPEDEF,
    LISTING_MEMBER,
    LISTING_LABEL,
    LISTING_KINDS
};

/* What names refer to; entity 0 is none of this file. Declarations of the same thing are one. */
struct listing_entity {
    uint8_t kind;    /* enum listing_kind */
    bool declared;   /* in the text; else by the compiler (a builtin), or a tag by its first use */
    bool defined;    /* a body, members, or not only `extern` */
    uint32_t parent; /* of a member: the record whose members share its names; else 0 */
    const char *name;
};

/* A name in the text: a declaration or a use of what is declared in the text. */
struct listing_name {
    uint32_t at, size; /* bytes */
    uint32_t entity;
    bool declares;
};

/* The definition of a function, from its first to behind its last byte. */
struct listing_body {
    uint32_t begin, end;
    uint32_t entity;
};

struct listing_message {
    bool error; /* else a warning */
    uint32_t at;
    uint32_t line, column;
    const char *text;
};

struct listing {
    struct listing_entity *entities;
    struct listing_name *names;  /* in the order of the text, each place once */
    struct listing_body *bodies; /* in the order of the text */
    struct listing_message *messages;
    uint32_t n_entities, n_names, n_bodies, n_messages;
    uint32_t n_errors;
};

struct listing_job {
    const char *name; /* of the file, which need not be there */
    const char *text;
    size_t n;
    const char *const *arguments; /* of clang; NULL-terminated */
    bool messages_only;           /* is it right? nothing else is listed */
};

/* 0, or -1 and the error: there is no libclang, or it does not take the arguments. */
int listing_read(const struct listing_job *job, struct arena *arena, struct listing *out,
                 struct error *error);

/* The module's side of it. */
typedef int listing_work(const struct listing_job *job, struct arena *arena, struct listing *out,
                         struct error *error);
listing_work clang_list;

#endif
