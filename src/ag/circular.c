/* Strong non-circularity (III-B), and the order in which children are visited (IV-B1).
 *
 * For each class, `needs` says which of its attributes wait for which others of the same node,
 * whatever subtree is below: the union over its productions, to a fixpoint, where a production's
 * graph has the edges of its rules and, for each child, those that the child's class needs. The
 * union is what makes the test *strong*: it may mix dependencies of different productions, but is
 * polynomial, and the search may rely on it for every tree.
 *
 * Of a class that is searched by itself (guards, @unit, generators) synthesized attributes wait for
 * guards, and guards for inherited attributes, whether or not a rule says so: the search knows the
 * latter before it begins and shows the former when it is done. The fixpoint is computed without
 * these implicit dependencies as well, only to tell a user when a cycle is due to them. */
#include "ag/check_internal.h"

static const struct ag_class *class_of(const struct ag_production *p, int child)
{
    return child == AG_THIS ? p->class : p->children[child].class;
}

/* -- the graph of a production ----------------------------------------------------------------- */

int ag_graph_vertex(const struct ag_graph *g, int child, int slot)
{
    return (child == AG_THIS ? 0 : g->first[child]) + slot;
}

struct ag_vertex ag_graph_where(const struct ag_graph *g, int vertex)
{
    int child = g->p->n_children - 1;
    while (child >= 0 && vertex < g->first[child])
        child--;
    return (struct ag_vertex){child, child < 0 ? vertex : vertex - g->first[child]};
}

bool ag_graph_edge(const struct ag_graph *g, int from, int to)
{
    return g->edges[from * g->words + to / 64] >> (to % 64) & 1;
}

static void add_edge(struct ag_graph *g, int from, int to)
{
    g->edges[from * g->words + to / 64] |= UINT64_C(1) << (to % 64);
}

enum { MANY_LOCS = 256 };

/* `seen`: the locals that were followed. Each is, once: they may use each other many times. */
static void follow_sources(const struct ag_production *p, const struct ag_expr *e,
                           ag_source_fn *each, void *to, bool seen[MANY_LOCS])
{
    if (e->kind == AG_E_ATTR)
        each(e, to);
    if (e->kind == AG_E_LOC && !(e->slot < MANY_LOCS && seen[e->slot])) {
        if (e->slot < MANY_LOCS)
            seen[e->slot] = true;
        follow_sources(p, p->locs[e->slot].expr, each, to, seen);
    }
    if (e->kind == AG_E_VALUE) /* which values there are depends on them */
        follow_sources(p, p->generator, each, to, seen);
    for (int i = 0; i < e->n_args; i++)
        follow_sources(p, e->args[i], each, to, seen);
}

void ag_sources(const struct ag_production *p, const struct ag_expr *e, ag_source_fn *each,
                void *to)
{
    bool seen[MANY_LOCS] = {false};
    follow_sources(p, e, each, to, seen);
}

struct rule_edges {
    struct ag_graph *g;
    int from;
};

static void add_source(const struct ag_expr *source, void *to)
{
    const struct rule_edges *r = to;
    add_edge(r->g, r->from, ag_graph_vertex(r->g, source->child, source->slot));
}

void ag_graph_build(struct ag_graph *g, const struct ag_production *p, struct arena *a)
{
    *g = (struct ag_graph){.p = p, .n = p->class->n_attrs};
    g->first = arena_array(a, int, p->n_children + 1);
    for (int i = 0; i < p->n_children; i++) {
        g->first[i] = g->n;
        g->n += p->children[i].class->n_attrs;
    }
    g->words = (g->n + 63) / 64;
    g->edges = arena_array(a, uint64_t, g->n * g->words + 1);
    for (int i = 0; i < p->n_rules; i++) {
        const struct ag_rule *r = &p->rules[i];
        struct rule_edges to = {g, ag_graph_vertex(g, r->child, r->slot)};
        ag_sources(p, r->expr, add_source, &to);
    }
    for (int i = 0; i < p->n_children; i++) {
        const struct ag_class *c = p->children[i].class;
        for (int k = 0; k < c->n_attrs; k++)
            for (int j = 0; j < c->n_attrs; j++)
                if (c->needs[k] >> j & 1)
                    add_edge(g, g->first[i] + k, g->first[i] + j);
    }
}

/* Warshall, a row at a time. */
void ag_graph_close(struct ag_graph *g)
{
    for (int via = 0; via < g->n; via++)
        for (int from = 0; from < g->n; from++) {
            if (!ag_graph_edge(g, from, via))
                continue;
            for (int w = 0; w < g->words; w++)
                g->edges[from * g->words + w] |= g->edges[via * g->words + w];
        }
}

/* -- what the attributes of a class need, over all subtrees ------------------------------------ */

/* inh -> grd -> syn; of a unit without guards, inh -> syn. */
static void add_implicit(const struct ag_class *c, uint64_t *needs)
{
    uint64_t of_kind[3] = {0};
    for (int i = 0; i < c->n_attrs; i++)
        of_kind[c->attrs[i].kind] |= UINT64_C(1) << i;
    for (int i = 0; i < c->n_attrs; i++) {
        if (c->attrs[i].kind != AG_INH)
            needs[i] |= of_kind[AG_INH];
        if (c->attrs[i].kind == AG_SYN)
            needs[i] |= of_kind[AG_GRD];
    }
}

/* True when the production's subtrees showed a dependency that was not known. */
static bool learn(const struct ag_production *p, uint64_t *needs, struct arena *scratch)
{
    struct ag_graph g;
    bool changed = false;
    ag_graph_build(&g, p, scratch);
    ag_graph_close(&g);
    for (int i = 0; i < p->class->n_attrs; i++) {
        uint64_t mine = 0; /* a row's first bits are the attributes of `this` */
        for (int k = 0; k < p->class->n_attrs; k++)
            if (ag_graph_edge(&g, i, k))
                mine |= UINT64_C(1) << k;
        changed |= (mine & ~needs[i]) != 0;
        needs[i] |= mine;
    }
    arena_reset(scratch);
    return changed;
}

static void to_fixpoint(struct ag_spec *s, bool implicit)
{
    struct arena scratch;
    arena_init(&scratch);
    uint64_t **needs = mem_alloc(((size_t)s->n_classes + 1) * sizeof *needs);
    for (int i = 0; i < s->n_classes; i++) {
        struct ag_class *c = &s->classes[i];
        c->needs = needs[i] = arena_array(s->arena, uint64_t, c->n_attrs + 1);
        if (implicit && c->guarded)
            add_implicit(c, needs[i]);
    }
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = s->n_classes - 1; i >= 0; i--) /* what is below mostly comes later */
            for (int k = 0; k < s->classes[i].n_productions; k++)
                changed |= learn(&s->classes[i].productions[k], needs[i], &scratch);
    }
    free(needs);
    arena_release(&scratch);
}

/* -- cycles ------------------------------------------------------------------------------------ */

/* The shortest way from `start` back to itself; its vertices in `path`, without the last. */
static int shortest_cycle(const struct ag_graph *g, int start, int *path, struct arena *a)
{
    int *reached_by = arena_array(a, int, g->n + 1), *queue = arena_array(a, int, g->n + 1);
    int head = 0, tail = 0;
    for (int i = 0; i < g->n; i++)
        reached_by[i] = -1;
    queue[tail++] = start;
    while (reached_by[start] < 0) {
        REQUIRE(head < tail);
        int at = queue[head++];
        for (int to = 0; to < g->n; to++)
            if (reached_by[to] < 0 && ag_graph_edge(g, at, to)) {
                reached_by[to] = at;
                queue[tail++] = to;
            }
    }
    int n = 0;
    for (int at = reached_by[start]; at != start; at = reached_by[at])
        n++;
    int length = n + 1;
    for (int at = reached_by[start]; at != start; at = reached_by[at])
        path[n--] = at;
    path[0] = start;
    return length;
}

static const char *node_name(const struct ag_production *p, int child)
{
    return child == AG_THIS ? "this" : p->children[child].name;
}

/* Where the cycle can be broken: the rule of the first attribute in it that has one here. */
static struct ag_place place_of(const struct ag_graph *g, const int *path, int n)
{
    for (int i = 0; i < n; i++) {
        struct ag_vertex v = ag_graph_where(g, path[i]);
        for (int k = 0; k < g->p->n_rules; k++)
            if (g->p->rules[k].child == v.child && g->p->rules[k].slot == v.slot)
                return g->p->rules[k].place;
    }
    return g->p->place;
}

/* A class in the cycle whose part in it no rule says. */
static const char *implicit_hint(const struct ag_graph *g, const int *path, int n,
                                 const uint64_t *const *declared, const struct ag_spec *s,
                                 struct arena *a)
{
    for (int i = 0; i < n; i++) {
        struct ag_vertex from = ag_graph_where(g, path[i]);
        struct ag_vertex to = ag_graph_where(g, path[(i + 1) % n]);
        const struct ag_class *c = class_of(g->p, from.child);
        if (c->attrs[from.slot].kind == AG_INH) /* by a rule of this production */
            continue;
        if (declared[c - s->classes][from.slot] >> to.slot & 1)
            continue;
        if (!c->guarded)
            return arena_printf(a,
                                "no rule says that '%s.%s' waits for '%s.%s': below class '%s' is "
                                "one that is searched by itself (guards, @unit, a generator)",
                                c->name, c->attrs[from.slot].name, c->name, c->attrs[to.slot].name,
                                c->name);
        return arena_printf(a,
                            "class '%s' is searched by itself%s: its synthesized attributes wait "
                            "for all its inherited ones",
                            c->name,
                            c->kind == AG_GENERATOR ? " (a generator)"
                            : c->unit               ? " (@unit)"
                                                    : " (it has guards)");
    }
    return NULL;
}

static void report_cycle(const struct ag_spec *s, const struct ag_graph *g, int start,
                         const uint64_t *const *declared, struct ag_messages *m)
{
    int *path = arena_array(m->arena, int, g->n + 1);
    int n = shortest_cycle(g, start, path, m->arena);
    struct strbuf text;
    strbuf_init(&text, 0);
    for (int i = 0; i <= n; i++) {
        struct ag_vertex v = ag_graph_where(g, path[i % n]);
        strbuf_addf(&text, "%s%s.%s", i ? " <- " : "", node_name(g->p, v.child),
                    class_of(g->p, v.child)->attrs[v.slot].name);
    }
    ag_say(m, AG_ERROR, place_of(g, path, n), implicit_hint(g, path, n, declared, s, m->arena),
           "attributes wait for each other in production '%s' of class '%s': %s", g->p->name,
           g->p->class->name, text.s);
    strbuf_release(&text);
}

static void find_cycle(const struct ag_spec *s, const struct ag_production *p,
                       const uint64_t *const *declared, struct ag_messages *m)
{
    struct ag_graph direct, closed;
    ag_graph_build(&direct, p, m->arena);
    ag_graph_build(&closed, p, m->arena);
    ag_graph_close(&closed);
    int start = -1;
    for (int i = 0; i < closed.n; i++) {
        if (!ag_graph_edge(&closed, i, i))
            continue;
        struct ag_vertex v = ag_graph_where(&closed, i);
        if (start < 0 || class_of(p, v.child)->attrs[v.slot].kind == AG_SYN)
            start = i;
        if (class_of(p, v.child)->attrs[v.slot].kind == AG_SYN)
            break;
    }
    if (start >= 0)
        report_cycle(s, &direct, start, declared, m);
}

void ag_check_circular(struct ag_spec *s, struct ag_messages *m)
{
    const uint64_t **declared = arena_array(m->arena, const uint64_t *, s->n_classes + 1);
    to_fixpoint(s, false);
    for (int i = 0; i < s->n_classes; i++)
        declared[i] = s->classes[i].needs;
    to_fixpoint(s, true);
    for (int i = 0; i < s->n_classes; i++)
        for (int k = 0; k < s->classes[i].n_productions; k++)
            find_cycle(s, &s->classes[i].productions[k], declared, m);
}

/* -- the order of visits ----------------------------------------------------------------------- */

static bool depends(const struct ag_graph *closed, int child, int on)
{
    const struct ag_production *p = closed->p;
    for (int i = 0; i < p->children[child].class->n_attrs; i++)
        for (int k = 0; k < p->children[on].class->n_attrs; k++)
            if (ag_graph_edge(closed, closed->first[child] + i, closed->first[on] + k))
                return true;
    return false;
}

void ag_visit_order(const struct ag_spec *s, const struct ag_production *p, int *order)
{
    (void)s;
    struct arena scratch;
    struct ag_graph g;
    int n = p->n_children;
    arena_init(&scratch);
    ag_graph_build(&g, p, &scratch);
    ag_graph_close(&g);
    bool *before = arena_array(&scratch, bool, n *n + 1),
         *visited = arena_array(&scratch, bool, n + 1);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            before[i * n + k] = i != k && depends(&g, i, k) && !depends(&g, k, i);
    for (int at = 0; at < n; at++) {
        int next = -1, last = -1;
        for (int i = n - 1; i >= 0 && next < 0; i--) {
            bool waits = visited[i];
            for (int k = 0; k < n && !waits; k++)
                waits = !visited[k] && before[k * n + i];
            if (!waits)
                next = i;
            if (last < 0 && !visited[i])
                last = i;
        }
        order[at] = next < 0 ? last : next; /* three may depend in a ring: begin with the last */
        visited[order[at]] = true;
    }
    arena_release(&scratch);
}
