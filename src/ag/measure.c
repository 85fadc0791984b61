/* Recursive components, and the smallest tree of every production (IV-A2).
 *
 * The paper limits the height of trees that recursive productions build. Heights are counted within
 * a component here: classes that can contain each other form one (Tarjan), and a child outside
 * begins anew with a budget of its own, so that an expression deep in nested statements is as large
 * as one at the top. Sizes are counted over the whole tree.
 *
 * Both are least fixpoints from "infinite" downwards. Only productions that can be chosen count:
 * call ag_measure again after weights were set to 0, and heights are those of what is left. */
#include "ag/check_internal.h"

/* -- components -------------------------------------------------------------------------------- */

struct tarjan {
    struct ag_spec *spec;
    int *number, *low; /* of each class; number 0: not visited */
    int *stack;
    bool *stacked;
    int next, depth, components;
};

static void visit(struct tarjan *t, int at)
{
    const struct ag_class *c = &t->spec->classes[at];
    t->number[at] = t->low[at] = ++t->next;
    t->stack[t->depth++] = at;
    t->stacked[at] = true;
    for (int i = 0; i < c->n_productions; i++) {
        const struct ag_production *p = &c->productions[i];
        for (int k = 0; k < p->n_children && p->weight; k++) {
            int to = (int)(p->children[k].class - t->spec->classes);
            if (!t->number[to])
                visit(t, to);
            if (t->stacked[to] && t->low[to] < t->low[at])
                t->low[at] = t->low[to];
        }
    }
    if (t->low[at] != t->number[at])
        return;
    int member;
    do {
        member = t->stack[--t->depth];
        t->stacked[member] = false;
        t->spec->classes[member].component = t->components;
    } while (member != at);
    t->components++;
}

/* Numbers count components in the order of their first classes: the root's is 0. */
static void number_components(struct ag_spec *s, struct arena *a, int n)
{
    int *renamed = arena_array(a, int, n + 1), next = 0;
    for (int i = 0; i < s->n_classes; i++) {
        int *name = &renamed[s->classes[i].component];
        if (!*name)
            *name = ++next;
        s->classes[i].component = *name - 1;
    }
    s->n_components = next;
}

static void find_components(struct ag_spec *s, struct arena *a)
{
    int n = s->n_classes;
    struct tarjan t = {.spec = s,
                       .number = arena_array(a, int, n + 1),
                       .low = arena_array(a, int, n + 1),
                       .stack = arena_array(a, int, n + 1),
                       .stacked = arena_array(a, bool, n + 1)};
    for (int i = 0; i < n; i++)
        if (!t.number[i])
            visit(&t, i);
    number_components(s, a, t.components);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < s->classes[i].n_productions; k++) {
            struct ag_production *p = &s->classes[i].productions[k];
            p->recursive = false;
            for (int j = 0; j < p->n_children; j++)
                p->recursive |= p->children[j].class->component == s->classes[i].component;
        }
}

/* -- heights and sizes ------------------------------------------------------------------------- */

static int64_t size_of(const struct ag_production *p)
{
    int64_t size = 1;
    for (int i = 0; i < p->n_children; i++)
        if (__builtin_add_overflow(size, p->children[i].class->min_size, &size))
            return AG_INFINITE_SIZE;
    return size;
}

static int height_of(const struct ag_production *p)
{
    int height = 1;
    for (int i = 0; i < p->n_children; i++) {
        const struct ag_class *c = p->children[i].class;
        if (c->min_size == AG_INFINITE_SIZE)
            return AG_INFINITE_HEIGHT;
        if (c->component != p->class->component)
            continue;
        if (c->min_height == AG_INFINITE_HEIGHT)
            return AG_INFINITE_HEIGHT;
        /* The rest of a list is a sibling of its elements: IV-A2, last paragraph. */
        int needed = p->class->list && c == p->class ? c->min_height : c->min_height + 1;
        if (needed > height)
            height = needed;
    }
    return height;
}

/* True when the class became smaller by it. */
static bool shrink_size(struct ag_class *c, struct ag_production *p)
{
    p->min_size = size_of(p);
    if (!p->weight || p->min_size >= c->min_size)
        return false;
    c->min_size = p->min_size;
    return true;
}

static bool shrink_height(struct ag_class *c, struct ag_production *p)
{
    p->min_height = height_of(p);
    if (!p->weight || p->min_height >= c->min_height)
        return false;
    c->min_height = p->min_height;
    return true;
}

static void to_fixpoint(struct ag_spec *s,
                        bool (*shrink)(struct ag_class *c, struct ag_production *p))
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < s->n_classes; i++)
            for (int k = 0; k < s->classes[i].n_productions; k++)
                changed |= shrink(&s->classes[i], &s->classes[i].productions[k]);
    }
}

void ag_measure(struct ag_spec *s)
{
    struct arena scratch;
    arena_init(&scratch);
    find_components(s, &scratch);
    arena_release(&scratch);
    for (int i = 0; i < s->n_classes; i++) {
        s->classes[i].min_height = AG_INFINITE_HEIGHT;
        s->classes[i].min_size = AG_INFINITE_SIZE;
    }
    to_fixpoint(s, shrink_size); /* heights need to know what is finite */
    to_fixpoint(s, shrink_height);
}
