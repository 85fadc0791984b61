/* What reading a translation unit is made of, for the files of this folder and their tests.
 *
 * clang.c makes the tables of a text in this process; parsed.c runs that in a process of its own,
 * under limits, and hands the tables over. Neither trusts the other: whatever comes back is
 * checked. */
#ifndef ASSAY_CC_IMPORT_PARSED_INTERNAL_H
#define ASSAY_CC_IMPORT_PARSED_INTERNAL_H

#include "cc/import/parsed.h"

/* A text and how to read it. */
struct parse_job {
    const char *name;   /* of the file; what is included is looked for beside it */
    const char *folder; /* whose files may be included; NULL: none but the system's */
    const char *text;
    size_t n;
    const struct parse_options *options; /* may be NULL */
};

/* Makes tables; 0, or -1 and the error. */
typedef int parse_work(const struct parse_job *job, struct arena *arena, struct parsed *out,
                       struct error *error);

/* By libclang, in this process, which may crash or never come back: what the module assay-clang.so
 * has, and how to get it (NULL and the error: there is none). */
parse_work *parsed_reader(struct error *error);
/* A function of the module by its name; NULL and the error: there is no module, or it has none. */
void *parsed_module_symbol(const char *name, struct error *error);
void clang_version(char *out, size_t size);
int clang_read(const struct parse_job *job, struct arena *arena, struct parsed *out,
               struct error *error);

/* `work` in a child process: its tables, checked, in `arena`. A crash or time-out is an error. */
int parsed_apart(parse_work *work, const struct parse_job *job, struct arena *arena,
                 struct parsed *out, struct error *error);

/* Why the tables hang together badly, or NULL. */
const char *parsed_check(const struct parsed *p);

#endif
