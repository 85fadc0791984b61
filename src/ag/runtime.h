/* The functions that a specification may call: one or more modules, loaded or given.
 *
 * Every runtime has what is built in: namespace `List`, `Set`, `Map`, `Str`, `Scope`, `Type`,
 * `Name` (docs/LALA.md lists them), so that small specifications need no C at all. A module may
 * define a namespace of the same name: its own then wins. */
#ifndef ASSAY_AG_RUNTIME_H
#define ASSAY_AG_RUNTIME_H

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

#include <assay/lala.h>

#include <stdbool.h>

struct ag_runtime;

struct ag_runtime *ag_runtime_new(void); /* only what is built in */
void ag_runtime_free(struct ag_runtime *rt);
void ag_runtime_add(struct ag_runtime *rt, const struct lala_module *module); /* not owned */
/* dlopen a module built by `assay lala build` or by Meson. */
int ag_runtime_load(struct ag_runtime *rt, const char *path, struct error *e);

bool ag_runtime_has_space(const struct ag_runtime *rt, const char *space);
/* NULL where there is none. */
const struct lala_function *ag_runtime_find(const struct ag_runtime *rt, const char *space,
                                            const char *name);
/* The nearest name to a wrong one, for hints; NULL. Without a `name`: the nearest namespace. */
const char *ag_runtime_nearest(const struct ag_runtime *rt, const char *space, const char *name);

/* A parsed signature: types as text. */
enum { AG_MAX_PARAMETERS = 16 };
struct ag_signature {
    const char *parameters[AG_MAX_PARAMETERS];
    int n;
    bool variadic; /* the last parameter takes any number of arguments */
    const char *result;
};
/* -1 where the text is none (the module is broken). */
int ag_signature_parse(struct arena *a, const char *text, struct ag_signature *out);

/* Compile a runtime: DIR/runtime.c -> `output`, with $CC or cc, -shared -fPIC -O2 and the include
 * folder. The compiler's messages go into `messages`. */
int ag_runtime_build(const char *source, const char *output, const char *include_dir,
                     struct strbuf *messages, struct error *e);

/* -- crashes of runtime functions -------------------------------------------------------------- */

/* Runs `body(to)`. When a runtime function dies of SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT
 * within it, returns the number of the signal instead of ending the process; 0 otherwise. Whatever
 * `body` was in the middle of is left as it is: throw it away. One call at a time per thread. */
int ag_catching(void (*body)(void *to), void *to);

#endif
