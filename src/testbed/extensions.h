/* What of C a compiler takes: extensions, and newer or rarer parts of the standard.
 *
 * A program that a compiler refuses because it has never heard of __int128 is no bug of it. Which
 * of these it knows is not presumed but asked, with small programs, when a testbed is first used: a
 * program that needs what it lacks is then skipped there. */
#ifndef ASSAY_TESTBED_EXTENSIONS_H
#define ASSAY_TESTBED_EXTENSIONS_H

#include "base/arena.h"
#include "base/error.h"
#include "program/testbed.h"

struct extension {
    const char *name;      /* for people: "128-bit integers" */
    const char *patterns;  /* how it is seen in a program: see scan_has */
    const char *program;   /* uses it, and defines `int f(void)`; or it is a whole one, with main,
                            * for what flags may take away without a word: it is built with each
                            * set of flags and run, and must end with status 0 */
    const char *construct; /* what generators can do without (inquiry/avoid.c); NULL: nothing */
};
enum { EXTENSIONS_MOST = 64 };
extern const struct extension extensions[];
extern const int n_extensions;

struct runner;
/* Which the testbed lacks: bit i of *lacks is extensions[i]. Only what it refuses to build counts:
 * what crashes it, or comes out wrong, is for tests to find. Of other languages than C: none. What
 * a compiler has answered is kept in the user's cache, for as long as its files stay as they are.
 * `like`: the same compiler with other flags, which was asked before; NULL: there is none. */
int extensions_ask(struct runner *r, const struct testbed *t, const struct testbed *like,
                   struct arena *a, uint64_t *lacks, struct error *e);
/* One of those that the text needs; NULL: none. */
const struct extension *extensions_needed(uint64_t lacks, const char *text);
/* "128-bit integers, vectors" */
const char *extensions_names(uint64_t lacks, struct arena *a);

#endif
