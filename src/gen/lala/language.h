/* A language as a folder: language.ini, the specification, its runtime. docs/LALA.md describes it.
 *
 * The module of a runtime is looked for beside its source (DIR/runtime.so, as `assay lala build`
 * leaves it, if it is not older than the source), then where Meson puts those that are shipped: in
 * specs/NAME.so beside the program or one folder up, or in ../lib/assay/specs. */
#ifndef ASSAY_GEN_LALA_LANGUAGE_H
#define ASSAY_GEN_LALA_LANGUAGE_H

#include "base/arena.h"
#include "base/error.h"
#include "program/language.h"

#include <stdbool.h>
#include <stdint.h>

struct lala_language {
    const char *name;     /* "lua": lala:lua */
    const char *language; /* testbeds of this language get the programs */
    const char *where;    /* as the user named it */
    const char *dir;
    const char *spec;    /* path */
    const char *runtime; /* path of the source; NULL: none */
    const char *suffix;  /* ".lua" */
    struct language own; /* what is known of it: the row of `language`, and what the file says */
    const char *help;
    const char *features; /* enabled by default, with commas between; "" */
    bool trusted, build_only;
    int max_height; /* 0: no limit */
    int64_t size;   /* 0: no limit */
    /* Where the built runtime is, or, where there is none yet, where it goes; NULL without runtime.
     */
    const char *module;
    bool stale; /* the module is older than its source */
};

/* `where`: a folder, a .lala or .ls file, or a name that is looked for in specs/ of each base
 * folder, later ones first. A file alone has the defaults, and runtime.c beside it where there is
 * one. */
int lala_language_open(struct arena *a, const char *where, const char *const *bases, int n_bases,
                       struct lala_language *out, struct error *e);
/* Each language in specs/ of the base folders, each name once. */
void lala_language_list(const char *const *bases, int n_bases,
                        void (*each)(void *to, const struct lala_language *l), void *to);

#endif
