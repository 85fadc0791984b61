/* The tables of a translation unit while they are made.
 *
 * Nodes are appended and linked; numbers are those of creation. What names refer to is an *entity*:
 * `ref` of a node and `decl` of a type hold entity numbers until the tables are handed over. Then
 * they become the numbers of the nodes that stand for the entities, and the nodes are renumbered
 * in preorder. Number 0 is "none" everywhere. */
#ifndef ASSAY_CC_IMPORT_TABLES_H
#define ASSAY_CC_IMPORT_TABLES_H

#include "base/map.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cc/import/parsed.h"

/* How well a node stands for its entity: the best one does, the first of equals. */
enum tables_rank { RANK_NONE, RANK_DECLARED, RANK_TENTATIVE, RANK_DEFINED };

struct tables_entity {
    uint32_t node;
    enum tables_rank rank;
};

/* Children under construction. */
struct tables_list {
    uint32_t first, last;
};

struct tables {
    VEC(struct parsed_node) nodes;
    VEC(uint64_t) offsets; /* by node */
    VEC(struct parsed_type) types;
    VEC(uint32_t) params;
    VEC(struct tables_entity) entities;
    struct strbuf strings;
    struct map names, types_by_text;
};

void tables_init(struct tables *t);
void tables_release(struct tables *t);

/* A name, once; a text with its bytes, for the node. */
uint32_t tables_name(struct tables *t, const char *name);
void tables_set_text(struct tables *t, uint32_t node, const char *s, size_t n);

/* A new node at the end of the list (which may be NULL); a node that is there already. */
uint32_t tables_node(struct tables *t, enum parsed_kind kind, struct tables_list *to);
void tables_append(struct tables *t, struct tables_list *to, uint32_t node);

uint32_t tables_entity(struct tables *t);
/* The node declares the entity; a function or variable refers to it. */
void tables_declare(struct tables *t, uint32_t entity, uint32_t node, enum tables_rank rank);

/* The number of the type: the same for the same type, whatever it is called. A function's
 * parameters are the last ones in the table; they go away if the type was there already. */
uint32_t tables_type(struct tables *t, const struct parsed_type *type);
/* A pointer to it; and the type with more qualifiers, which for an array are those of its elements
 * (C11 6.7.3p9). */
uint32_t tables_pointer_to(struct tables *t, uint32_t type, uint64_t size);
uint32_t tables_qualified(struct tables *t, uint32_t type, uint16_t quals);

/* References settled, nodes from `unit` down in preorder, all in the arena. */
void tables_hand_over(const struct tables *t, uint32_t unit, const char *source, size_t n,
                      struct arena *arena, struct parsed *out);

#endif
