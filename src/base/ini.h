/* INI files as the user writes them: `[section]`, `key = value`, `;` and `#` comments. A key may
 * stand more than once. On top of libinih, which is included by ini.c alone, it gives every value
 * its line, and a wrong key the file, the line and the nearest right key. */
#ifndef ASSAY_BASE_INI_H
#define ASSAY_BASE_INI_H

#include "base/arena.h"
#include "base/error.h"

struct ini_key {
    const char *section;
    const char *name;
};

/* Called for each value, in order; `key` is the index into the table. 0 to go on, -1 with the error
 * set to stop; file and line are put into an error without them. `value` lives as long as the
 * arena. */
typedef int ini_take(void *context, int key, const char *value, int line, struct error *e);

int ini_read(const char *path, const struct ini_key *keys, int n_keys, struct arena *a,
             ini_take *take, void *context, struct error *e);

#endif
