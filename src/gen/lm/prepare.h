/* A file that people wrote, preprocessed so that clang understands it.
 *
 * Kernels and test programs lean on what surrounds them: headers that are not there, macros that a
 * host program defines when it builds them. A shim stands in for that, and grows by clang's own
 * messages: a header that is missing is empty, a type that is unknown is float, a name that is
 * undeclared is 1, a function that is undeclared is its arguments. After a few rounds the text is
 * taken as it is; functions that are still wrong are told from right ones later. */
#ifndef ASSAY_GEN_LM_PREPARE_H
#define ASSAY_GEN_LM_PREPARE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "cc/import/outline.h"

struct lm_prepare {
    const char *path;             /* of the file, PACKAGE/... */
    const char *package;          /* folder: headers are looked for in it; it may hold
                                     compile_flags.txt, arguments of clang, one a line */
    const char *const *arguments; /* of clang, NULL-terminated */
    const char *folder;           /* for files of our own; what is in it goes away */
    bool kernels;                 /* only kernels are asked for: functions out of their reach go */
};

/* The text and what clang makes of it, both in the arena (the text with a NUL behind). */
int lm_prepare(const struct lm_prepare *p, struct arena *a, const char **text, size_t *n,
               struct outline *out, struct error *e);

/* The text without the definitions of functions that no kernel can reach, by the words in them: a
 * helper file may bring along a thousand, and reading them costs clang more than all else. */
void lm_prepare_prune(const char *text, size_t n, struct strbuf *out);

/* What a message asks to be added to the shim, "" where it asks for nothing; `name` is the word
 * that is defined. For tests. */
void lm_prepare_mend(const char *text, size_t n, const struct outline_message *m, struct arena *a,
                     const char **name, const char **line);

#endif
