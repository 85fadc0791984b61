/* Where the objects of a built program are: its ELF symbol table (32 or 64 bits, of our own byte
 * order).
 *
 * Compilers rename what is not external: a static g_5 may be g_5.lto_priv.0 after link-time
 * optimisation, and a static object of a function is g_5.1 (gcc) or func.g_5 (clang). A symbol of
 * exactly the name is preferred, and then one that has it ahead of the first dot or behind the
 * last. */
#ifndef ASSAY_TESTBED_SYMBOLS_H
#define ASSAY_TESTBED_SYMBOLS_H

#include "base/arena.h"

#include <stdint.h>

struct symbol {
    const char *name; /* as it was asked for */
    uint64_t address; /* in the running program: there is none where it is put elsewhere */
    uint64_t size;    /* bytes; 0: the program has no such object */
};

/* Find names[i] and fill symbols[i]. An object that nothing uses may be gone, which is no failure.
 * NULL, or why these addresses cannot be known: a sentence. */
const char *symbols_find(const char *path, const char *const *names, int n, struct arena *a,
                         struct symbol *symbols);

#endif
