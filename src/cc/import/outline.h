/* A file of C or OpenCL C as a flat list: what is declared where, which name refers to what, and
 * what clang says of it.
 *
 * Less than parsed.h, and of any text: neither types nor expressions, and a file with errors is
 * listed as far as clang understands it. It is what renaming and cutting out functions need
 * (gen/lm/rewrite.h).
 *
 * All offsets are bytes in the text. libclang runs in the calling process, where it may crash or
 * never come back: call it in a process that may be lost. */
#ifndef ASSAY_CC_IMPORT_OUTLINE_H
#define ASSAY_CC_IMPORT_OUTLINE_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum outline_kind {
    OUTLINE_OTHER,
    OUTLINE_FUNCTION,
    OUTLINE_GLOBAL, /* variable of file scope */
    OUTLINE_LOCAL,  /* parameter, or variable of a function */
    OUTLINE_ENUMERATOR,
    OUTLINE_TAG, /* struct, union, enum */
    OUTLINE_TYPEDEF,
    OUTLINE_MEMBER,
    OUTLINE_LABEL,
    OUTLINE_KINDS
};

/* What names refer to; entity 0 is none of this file. Declarations of the same thing are one. */
struct outline_entity {
    uint8_t kind;    /* enum outline_kind */
    bool declared;   /* in the text; else by the compiler (a builtin), or a tag by its first use */
    bool defined;    /* a body, members, or not only `extern` */
    uint32_t parent; /* of a member: the record whose members share its names; else 0 */
    const char *name;
};

/* A name in the text: a declaration or a use of what is declared in the text. */
struct outline_name {
    uint32_t at, size; /* bytes */
    uint32_t entity;
    bool declares;
};

/* The definition of a function, from its first to behind its last byte. */
struct outline_body {
    uint32_t begin, end;
    uint32_t entity;
};

struct outline_message {
    bool error; /* else a warning */
    uint32_t at;
    uint32_t line, column;
    const char *text;
};

struct outline {
    struct outline_entity *entities;
    struct outline_name *names;  /* in the order of the text, each place once */
    struct outline_body *bodies; /* in the order of the text */
    struct outline_message *messages;
    uint32_t n_entities, n_names, n_bodies, n_messages;
    uint32_t n_errors;
};

struct outline_job {
    const char *name; /* of the file, which need not be there */
    const char *text;
    size_t n;
    const char *const *arguments; /* of clang; NULL-terminated */
    bool messages_only;           /* is it right? nothing else is listed */
};

/* 0, or -1 and the error: there is no libclang, or it does not take the arguments. */
int outline_read(const struct outline_job *job, struct arena *arena, struct outline *out,
                 struct error *error);

/* The module's side of it. */
typedef int outline_work(const struct outline_job *job, struct arena *arena, struct outline *out,
                         struct error *error);
outline_work clang_outline;

#endif
