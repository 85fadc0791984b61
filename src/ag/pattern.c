#include "ag/pattern.h"

void patterns_init(struct patterns *p)
{
    *p = (struct patterns){0};
    arena_init(&p->memory);
}

void patterns_release(struct patterns *p)
{
    arena_release(&p->memory);
    vec_release(&p->node_of);
    vec_release(&p->follow);
}

void patterns_begin(struct patterns *p)
{
    arena_reset(&p->memory);
    p->round = 0; /* new nodes have mark 0 */
}

/* -- matching ---------------------------------------------------------------------------------- */

static bool fits(const struct pattern_entry *e, const struct node *n)
{
    return n->production == e->production && (!e->value || e->value == n->value);
}

int64_t pattern_match(struct patterns *p, struct trimmed f, struct node *root,
                      const struct node *target)
{
    const struct pattern_entry *all = f.pattern->entry;
    uint32_t end = f.at + all[f.at].size;
    int64_t found = PATTERN_WILD;
    vec_reserve(&p->node_of, end - f.at);
    struct node **node_of = p->node_of.at;
    for (uint32_t i = f.at; i < end;) {
        struct node *n = i == f.at ? root : node_of[all[i].parent - f.at]->child[all[i].index];
        node_of[i - f.at] = n;
        if (n == target) {
            found = i;
            i += all[i].size;
        } else if (fits(&all[i], n)) {
            i++;
        } else {
            p->firm = n->production != NULL;
            return PATTERN_DIFFERS;
        }
    }
    return found;
}

/* -- learning ---------------------------------------------------------------------------------- */

void pattern_begin(struct patterns *p)
{
    p->round++;
    p->follow.n = 0;
}

static void touch(const struct patterns *p, struct node *n)
{
    if (n->mark != p->round) {
        n->mark = p->round;
        n->seen = 0;
    }
}

/* A node that is marked has all nodes above it marked too. */
void pattern_keep(struct patterns *p, const struct node *root, struct node *n)
{
    while (n->mark != p->round) {
        touch(p, n);
        if (n == root)
            return;
        n = n->parent;
    }
}

void pattern_keep_context(struct patterns *p, struct trimmed f, struct node *root,
                          const struct node *target)
{
    const struct pattern_entry *all = f.pattern->entry;
    uint32_t end = f.at + all[f.at].size;
    if (pattern_match(p, f, root, target) == PATTERN_DIFFERS)
        return;
    for (uint32_t i = f.at; i < end;) {
        struct node *n = p->node_of.at[i - f.at];
        if (n == target) {
            i += all[i].size;
        } else {
            pattern_keep(p, root, n);
            i++;
        }
    }
}

static void follow(struct patterns *p, const struct node *root, struct node *n, int slot)
{
    uint64_t bit = (uint64_t)1 << slot;
    if (n == root && (n->class->inherited & bit))
        return; /* comes from outside */
    vec_push(&p->follow, (struct stale){n, slot});
}

static void follow_rule(struct patterns *p, const struct node *root, struct node *n, int rule)
{
    const struct plan_rule *r = &n->production->rules[rule];
    pattern_keep(p, root, n);
    for (int i = 0; i < r->n_sources; i++) {
        const struct source *s = &r->sources[i];
        follow(p, root, s->child < 0 ? n : n->child[s->child], s->slot);
    }
}

static void follow_all(struct patterns *p, const struct node *root)
{
    while (p->follow.n) {
        struct stale s = p->follow.at[--p->follow.n];
        struct node *n = s.node;
        uint64_t bit = (uint64_t)1 << s.slot;
        bool inherited = n->class->inherited & bit;
        struct node *owner = inherited ? n->parent : n;
        pattern_keep(p, root, owner);
        /* `seen` belongs to a node that is marked; one may be followed before it is kept */
        if (n->mark == p->round) {
            if (n->seen & bit)
                continue;
            n->seen |= bit;
        }
        if (!owner->production)
            continue;
        int rule = inherited ? owner->production->inherited_by[n->index][s.slot]
                             : owner->production->defined_by[s.slot];
        if (rule >= 0)
            follow_rule(p, root, owner, rule);
    }
}

void pattern_keep_inherited(struct patterns *p, const struct node *root, struct node *n)
{
    if (n == root)
        return;
    pattern_keep(p, root, n->parent);
    for (uint64_t left = n->class->inherited; left; left &= left - 1)
        follow(p, root, n, __builtin_ctzll(left));
    follow_all(p, root);
}

void pattern_keep_rule(struct patterns *p, const struct node *root, struct node *n, int rule)
{
    follow_rule(p, root, n, rule);
    follow_all(p, root);
}

static void keep_everything(struct patterns *p, struct node *root)
{
    for (struct node *n = root; n; n = tree_next(root, n))
        if (n->production)
            pattern_keep(p, root, n);
}

/* The next node after n in preorder among those that are kept. */
static struct node *next_kept(const struct patterns *p, const struct node *root, struct node *n)
{
    struct node *at = tree_next(root, n);
    while (at && (at->mark != p->round || !at->production))
        at = tree_skip(root, at);
    return at;
}

const struct pattern *pattern_make(struct patterns *p, struct node *root, bool values)
{
    uint32_t n = 0;
    if (p->naive)
        keep_everything(p, root);
    if (root->mark != p->round || !root->production)
        return NULL;
    for (struct node *at = root; at; at = next_kept(p, root, at))
        at->seen = n++; /* from here on: the number of its entry */
    struct pattern *made = arena_alloc(&p->memory, sizeof *made + n * sizeof(struct pattern_entry));
    made->n = n;
    for (struct node *at = root; at; at = next_kept(p, root, at))
        made->entry[at->seen] = (struct pattern_entry){
            .production = at->production,
            .value = values ? at->value : LALA_UNDEFINED,
            .parent = at == root ? 0 : (uint32_t)at->parent->seen,
            .size = 1,
            .index = at->index,
        };
    for (uint32_t i = n; i-- > 1;)
        made->entry[made->entry[i].parent].size += made->entry[i].size;
    return made;
}
