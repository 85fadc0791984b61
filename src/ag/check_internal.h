/* The parts of ag_check, one file each; included by them alone. */
#ifndef ASSAY_AG_CHECK_INTERNAL_H
#define ASSAY_AG_CHECK_INTERNAL_H

#include "ag/spec.h"

enum { AG_MAX_ATTRIBUTES = 64 }; /* of a class: one bit each in ag_class.needs */

/* Types of rules, arguments and generators; fills ag_expr.type. */
void ag_check_types(struct ag_spec *s, const struct ag_runtime *rt, struct ag_messages *m);
/* Strong non-circularity; fills ag_class.needs. */
void ag_check_circular(struct ag_spec *s, struct ag_messages *m);

/* -- dependencies of a production ----------------------------------------------------------------
 * A vertex per attribute of `this` and of each child; an edge from each to what it waits for. */

struct ag_graph {
    const struct ag_production *p;
    int n;           /* vertices */
    int *first;      /* of each child: its first vertex; those of `this` begin at 0 */
    int words;       /* of a row */
    uint64_t *edges; /* n rows */
};

struct ag_vertex {
    int child, slot;
};

/* Direct dependencies by the rules, and those through the subtrees of the children. */
void ag_graph_build(struct ag_graph *g, const struct ag_production *p, struct arena *a);
void ag_graph_close(struct ag_graph *g); /* transitively */
bool ag_graph_edge(const struct ag_graph *g, int from, int to);
int ag_graph_vertex(const struct ag_graph *g, int child, int slot);
struct ag_vertex ag_graph_where(const struct ag_graph *g, int vertex);
/* Calls `each` for every attribute that the expression reads, by itself, through locs or through
 * `$`, once per reading. */
typedef void ag_source_fn(const struct ag_expr *source, void *to);
void ag_sources(const struct ag_production *p, const struct ag_expr *e, ag_source_fn *each,
                void *to);

#endif
