/* The values of <assay/lala.h>, and where they live.
 *
 * Every string, list, map and record is interned in its env: equal values are the same address, so
 * that comparing is one instruction, patterns can name values, and calls can be remembered. Maps
 * are treaps whose priorities are hashes of the keys' contents: one set of entries has one shape,
 * so that they can be interned node by node, and a change makes O(log n) new nodes. Nothing depends
 * on addresses: hashes are made of contents, and order is lala_compare. */
#ifndef ASSAY_AG_VALUE_H
#define ASSAY_AG_VALUE_H

#include "base/arena.h"
#include "base/strbuf.h"

#include <assay/lala.h>

/* An env of its own memory. */
struct lala_env *lala_env_new(void);
void lala_env_free(struct lala_env *env);
/* Forget all values, keep memory for the next program. */
void lala_env_reset(struct lala_env *env);
/* Of the values that live there now: the same for the same values. */
size_t lala_env_bytes(const struct lala_env *env);
/* A value that stands for a node (lala_node_number); `serial` tells nodes with one number apart. */
lala lala_node(struct lala_env *env, uint64_t serial, uint64_t number);
struct lala_env *lala_node_env(lala node); /* where it lives; NULL of anything else */

/* Tags of the records that structures.c makes. Those of runtimes are 0 and above. */
enum { LALA_TAG_SCOPE = -2, LALA_TAG_TYPE = -3 };

/* For messages: any value, strings quoted, records with their tags, at most some 200 bytes. */
void lala_describe(lala v, struct strbuf *out);
/* A hash of the contents, the same in every process. */
uint64_t lala_hash(lala v);

/* What a function answered, remembered by function and arguments: for LALA_MEMO and generators.
 * Calls the function at most once per env and arguments. */
lala lala_call_memo(struct lala_env *env, const struct lala_function *f, const lala *args, int n);

#endif
