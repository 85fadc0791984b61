/* Derivations: a tree as plain data, which can be edited and built again.
 *
 *     ag_search_derivation    the tree that the search holds, as data
 *     ag_edit_*               the same with something changed
 *     ag_search_derive        a tree again: attributes evaluated anew, every guard looked at
 *
 * A derivation is the list of its nodes in preorder; a subtree is a range of it, so that taking one
 * away or putting it elsewhere is copying ranges. It has no address of the search in it and lives
 * as long as its arena.
 *
 * What a node is, is said by its production, and for leaves by their text. After an edit a
 * generator may offer other values than before, since whatever they name is gone or has another
 * name: names count up, and v3 is v2 once v0 is not declared any more. So a derivation also keeps
 * what each node printed by #{...}. Where a node that stands in both trees printed `local v3` and
 * prints `local v2` now, v3 became v2, and whoever asks for v3 is given v2. */
#ifndef ASSAY_AG_DERIVE_H
#define ASSAY_AG_DERIVE_H

#include "base/arena.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct ag_search;

enum { AG_FREE = -1 }; /* as a production: whatever is smallest and fits */

struct ag_derived {
    int32_t class;      /* in the specification */
    int32_t production; /* among those of the class that are enabled, simplest first; or AG_FREE */
    uint32_t span;      /* nodes of the subtree, with itself */
    uint32_t parent;    /* of the root: 0 */
    uint32_t bytes;     /* of the subtree's text, without indents; 0 in what an edit made */
    bool is_rest;       /* of a list: a link that is not the first */
    uint64_t number;    /* tree: drawn for it; generator: which of the values offered */
    uint64_t hash;      /* generator: of the value */
    const char *text;   /* leaves: as printed; tree: what each #{...} printed, a NUL behind each */
    size_t size;        /* of the text */
};

struct ag_derivation {
    struct ag_derived *at;
    size_t n;
};

/* Of the last tree. -1: a runtime function crashed. */
int ag_search_derivation(struct ag_search *s, struct arena *a, struct ag_derivation *out,
                         struct error *e);

enum ag_derive_mode {
    AG_DERIVE_STRICT, /* what does not fit any more makes the derivation invalid */
    AG_DERIVE_REPAIR, /* a value that is not offered any more becomes the first that is; of what
                       * does not fit in another way, the smallest guarded part becomes free */
};

/* Build the tree again. 0: it is the search's last tree now, and all guards hold; 1: it cannot be
 * (the search has no tree then); -1: a runtime function crashed. */
int ag_search_derive(struct ag_search *s, const struct ag_derivation *d, enum ag_derive_mode mode,
                     struct error *e);

/* -- looking at one ---------------------------------------------------------------------------- */

size_t ag_derived_children(const struct ag_search *s, const struct ag_derivation *d, size_t at);
size_t ag_derived_child(const struct ag_derivation *d, size_t at, size_t index);
/* Of how many elements is the list that begins here? 0: none begins here. */
size_t ag_list_length(const struct ag_search *s, const struct ag_derivation *d, size_t at);
/* Is there nothing simpler than the text of the leaf, the choice of the generator or the number? */
bool ag_derived_simplest(const struct ag_search *s, const struct ag_derivation *d, size_t at);
/* Nodes of the smallest tree of its class, whatever the attributes say. */
int64_t ag_derived_least(const struct ag_search *s, const struct ag_derivation *d, size_t at);
/* [class][production]: bytes of the shortest text, about; each #{...} and name counts 1. */
const uint32_t *const *ag_least_texts(const struct ag_search *s, struct arena *a);
/* How many children a production of its class has; -1: there are not so many productions. */
int ag_production_children(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                           int production);

/* -- edits: false where there is no such thing ------------------------------------------------- */

/* Each makes `out` in the arena from `d`, which stays as it is; texts are shared. */

/* The subtree may become anything, as small as can be. */
bool ag_edit_free(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                  struct arena *a, struct ag_derivation *out);
/* The subtree becomes a copy of another one of the same class. */
bool ag_edit_graft(const struct ag_search *s, const struct ag_derivation *d, size_t at, size_t from,
                   struct arena *a, struct ag_derivation *out);
/* Elements first .. first + n - 1 of the list that begins here go. Where nothing would be left and
 * something must be, the list becomes free. */
bool ag_edit_drop(const struct ag_search *s, const struct ag_derivation *d, size_t list,
                  size_t first, size_t n, struct arena *a, struct ag_derivation *out);
/* An element of a list becomes its parts of the same class, one behind the other: what a block says
 * without the block. */
bool ag_edit_splice(const struct ag_search *s, const struct ag_derivation *d, size_t element,
                    struct arena *a, struct ag_derivation *out);
/* The node gets another production, its children as far as classes fit; false where none does. */
bool ag_edit_production(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                        int production, struct arena *a, struct ag_derivation *out);
/* The node gets this production, and all children are free. */
bool ag_edit_fresh(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                   int production, struct arena *a, struct ag_derivation *out);
/* A number, a literal or the choice of a generator becomes the simplest. */
bool ag_edit_simplest(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                      struct arena *a, struct ag_derivation *out);

#endif
