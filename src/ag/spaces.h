/* The namespaces that every runtime has: List, Set, Map, Str, Scope, Type, Name.
 *
 * Thin names for the functions of <assay/lala.h>, for specifications without C. docs/LALA.md lists
 * them ("Built-in functions"). */
#ifndef ASSAY_AG_SPACES_H
#define ASSAY_AG_SPACES_H

#include <assay/lala.h>

const struct lala_module *ag_spaces(void);

#endif
