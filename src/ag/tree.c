#include "ag/tree.h"

#include <stdlib.h>
#include <string.h>

/* -- memory ------------------------------------------------------------------------------------ */

enum { GRAIN = 16, N_SIZES = 128 };

size_t tree_node_size(const struct plan_class *c)
{
    return (sizeof(struct node) + sizeof(lala) * (size_t)c->n_attrs + GRAIN - 1) / GRAIN * GRAIN;
}

size_t tree_body_size(const struct plan_production *p)
{
    size_t n = sizeof(struct node *) * (size_t)p->n_children + sizeof(lala) * (size_t)p->n_locs +
               (size_t)p->n_rules;
    return (n + GRAIN - 1) / GRAIN * GRAIN;
}

static void *take(struct tree *t, size_t size)
{
    size_t at = size / GRAIN;
    if (at < N_SIZES && t->free[at]) {
        void *block = t->free[at];
        memcpy(&t->free[at], block, sizeof(void *));
        return block;
    }
    return arena_alloc(&t->memory, size);
}

static void give(struct tree *t, void *block, size_t size)
{
    size_t at = size / GRAIN;
    if (!size || at >= N_SIZES)
        return;
    memcpy(block, &t->free[at], sizeof(void *));
    t->free[at] = block;
}

void tree_init(struct tree *t, const struct plan *plan)
{
    *t = (struct tree){.plan = plan, .env = lala_env_new()};
    arena_init(&t->memory);
    t->strings = mem_alloc(sizeof *t->strings * ((size_t)plan->n_strings + 1));
}

void tree_release(struct tree *t)
{
    lala_env_free(t->env);
    arena_release(&t->memory);
    free(t->strings);
    vec_release(&t->work);
    vec_release(&t->stale);
    vec_release(&t->ready);
    vec_release(&t->pending);
    vec_release(&t->faults);
    vec_release(&t->printing);
}

static struct node *new_node(struct tree *t, const struct plan_class *class, struct node *parent,
                             int index)
{
    struct node *n = take(t, class->node_size);
    memset(n, 0, class->node_size);
    n->class = class;
    n->parent = parent;
    n->index = (uint16_t)index;
    n->serial = t->serials++;
    n->missing_inherited = (uint8_t) class->n_inherited;
    n->state = class->guarded ? NODE_WAITING : NODE_PENDING;
    t->live++;
    t->stats.created++;
    return n;
}

void tree_begin(struct tree *t)
{
    struct tree_stats stats = t->stats;
    lala_env_reset(t->env);
    arena_reset(&t->memory);
    memset(t->free, 0, sizeof t->free);
    t->work.n = t->stale.n = t->ready.n = t->pending.n = 0;
    t->unfinished = t->live = 0;
    t->serials = 0;
    t->calling = NULL;
    t->stats = stats;
    t->faults.n = 0;
    for (int i = 0; i < t->plan->n_strings; i++)
        t->strings[i] = lala_string(t->env, t->plan->strings[i], t->plan->string_sizes[i]);
    t->root = t->held = new_node(t, &t->plan->classes[0], NULL, 0);
    t->root->budget = t->root->class->budget;
}

/* -- queues ------------------------------------------------------------------------------------ */

void tree_enqueue(struct tree *t, struct node *n)
{
    if (n->state == NODE_READY) {
        n->queue = (uint32_t)t->ready.n;
        vec_push(&t->ready, n);
    } else {
        n->queue = (uint32_t)t->pending.n;
        vec_push(&t->pending, n);
    }
}

void tree_dequeue(struct tree *t, struct node *n)
{
    if (n->state == NODE_READY && n->queue < t->ready.n && t->ready.at[n->queue] == n)
        t->ready.at[n->queue] = NULL;
    if (n->state == NODE_PENDING && n->queue < t->pending.n && t->pending.at[n->queue] == n)
        t->pending.at[n->queue] = NULL;
}

/* -- walking ----------------------------------------------------------------------------------- */

struct node *tree_skip(const struct node *top, struct node *n)
{
    while (n != top) {
        struct node *up = n->parent;
        if (n->index + 1 < up->production->n_children)
            return up->child[n->index + 1];
        n = up;
    }
    return NULL;
}

struct node *tree_next(const struct node *top, struct node *n)
{
    return n->production && n->production->n_children ? n->child[0] : tree_skip(top, n);
}

/* -- expressions ------------------------------------------------------------------------------- */

enum { MAX_ARGS = 32 };

static lala eval_call(struct tree *t, struct node *n, const struct plan_production *p,
                      const struct code *c)
{
    lala args[MAX_ARGS];
    if (!c->function || c->n_args > MAX_ARGS)
        return LALA_UNDEFINED;
    for (int i = 0; i < c->n_args; i++) {
        args[i] = tree_eval(t, n, p, &c->args[i]);
        if (!args[i])
            return LALA_UNDEFINED;
    }
    t->calling = c;
    lala result = c->op == CODE_MEMO ? lala_call_memo(t->env, c->function, args, c->n_args)
                                     : c->function->call(t->env, args, c->n_args);
    t->calling = NULL;
    return result;
}

static lala eval_if(struct tree *t, struct node *n, const struct plan_production *p,
                    const struct code *c)
{
    lala condition = tree_eval(t, n, p, &c->args[0]);
    if (condition != LALA_TRUE && condition != LALA_FALSE)
        return LALA_UNDEFINED;
    return tree_eval(t, n, p, &c->args[condition == LALA_TRUE ? 1 : 2]);
}

/* `and`, `or`: no further than needed. */
static lala eval_chain(struct tree *t, struct node *n, const struct plan_production *p,
                       const struct code *c, lala decides)
{
    lala v = LALA_UNDEFINED;
    for (int i = 0; i < c->n_args; i++) {
        v = tree_eval(t, n, p, &c->args[i]);
        if (v == decides || (v != LALA_TRUE && v != LALA_FALSE))
            return v == decides ? v : LALA_UNDEFINED;
    }
    return v;
}

static lala parse_int(lala v)
{
    char *end;
    const char *text = lala_text(v);
    if (lala_is_int(v))
        return v;
    long long number = strtoll(text, &end, 10);
    return end == text || *end ? LALA_UNDEFINED : lala_int(number);
}

static lala fold(enum ag_builtin op, lala a, lala b)
{
    int64_t result = 0;
    if (!lala_is_int(a) || !lala_is_int(b))
        return LALA_UNDEFINED;
    int64_t x = lala_to_int(a), y = lala_to_int(b);
    switch (op) {
    case AG_ADD:
        return lala_int(x + y); /* 63 bits each: no overflow of 64 */
    case AG_SUB:
        return lala_int(x - y);
    case AG_MUL:
        return __builtin_mul_overflow(x, y, &result) ? LALA_UNDEFINED : lala_int(result);
    case AG_DIV:
        return y ? lala_int(x / y) : LALA_UNDEFINED;
    case AG_LT:
        return lala_bool(x < y);
    case AG_GT:
        return lala_bool(x > y);
    case AG_LE:
        return lala_bool(x <= y);
    case AG_GE:
        return lala_bool(x >= y);
    case AG_MAX:
        return x > y ? a : b;
    case AG_MIN:
        return x < y ? a : b;
    default:
        return LALA_UNDEFINED;
    }
}

/* `+` with a string among its operands joins their texts. */
static lala add(struct tree *t, lala a, lala b)
{
    if (lala_is_int(a) && lala_is_int(b))
        return fold(AG_ADD, a, b);
    if (lala_kind(a) != LALA_KIND_STRING && lala_kind(b) != LALA_KIND_STRING)
        return LALA_UNDEFINED;
    return lala_concat(t->env, lala_show(t->env, a), lala_show(t->env, b));
}

static lala eval_builtin(struct tree *t, struct node *n, const struct plan_production *p,
                         const struct code *c)
{
    if (c->builtin == AG_IF)
        return eval_if(t, n, p, c);
    if (c->builtin == AG_AND || c->builtin == AG_OR)
        return eval_chain(t, n, p, c, lala_bool(c->builtin == AG_OR));
    lala a = tree_eval(t, n, p, &c->args[0]);
    if (!a)
        return LALA_UNDEFINED;
    if (c->n_args == 1 && c->builtin == AG_SUB)
        return fold(AG_SUB, lala_int(0), a);
    for (int i = 1; i < c->n_args; i++) {
        lala b = tree_eval(t, n, p, &c->args[i]);
        if (!b)
            return LALA_UNDEFINED;
        if (c->builtin == AG_EQ || c->builtin == AG_EQUALS || c->builtin == AG_NE)
            return lala_bool((a == b) == (c->builtin != AG_NE));
        a = c->builtin == AG_ADD ? add(t, a, b) : fold(c->builtin, a, b);
        if (!a)
            return LALA_UNDEFINED;
    }
    switch (c->builtin) {
    case AG_NOT:
        return a == LALA_TRUE ? LALA_FALSE : a == LALA_FALSE ? LALA_TRUE : LALA_UNDEFINED;
    case AG_IS_NIL:
        return lala_bool(a == LALA_NIL);
    case AG_INT:
        return parse_int(a);
    case AG_LEN:
        return lala_int((int64_t)lala_size(a));
    default:
        return a;
    }
}

/* A child's number is made of its parent's: it may not be drawn yet when it is asked for. */
static lala node_value(struct tree *t, const struct node *n, int child)
{
    uint64_t number = lala_is_int(n->value) ? (uint64_t)lala_to_int(n->value) : 0;
    uint32_t serial = n->serial;
    if (child >= 0) {
        number = number * 31 + (uint64_t)child + 1;
        serial = n->child ? n->child[child]->serial : serial;
    }
    return lala_node(t->env, serial, number);
}

lala tree_eval(struct tree *t, struct node *n, const struct plan_production *p,
               const struct code *c)
{
    switch (c->op) {
    case CODE_CONST:
        return c->constant;
    case CODE_STRING:
        return t->strings[c->slot];
    case CODE_VALUE:
        return n->value;
    case CODE_THIS:
        return n->attr[c->slot];
    case CODE_CHILD:
        return n->child[c->child]->attr[c->slot];
    case CODE_LOC:
        if (!n->loc || n->production != p)
            return tree_eval(t, n, p, &p->locs[c->slot]);
        if (!n->loc[c->slot])
            n->loc[c->slot] = tree_eval(t, n, p, &p->locs[c->slot]);
        return n->loc[c->slot];
    case CODE_NODE:
        return node_value(t, n, c->child);
    case CODE_CALL:
    case CODE_MEMO:
        return eval_call(t, n, p, c);
    case CODE_BUILTIN:
        return eval_builtin(t, n, p, c);
    }
    return LALA_UNDEFINED;
}

/* -- evaluation forwards ----------------------------------------------------------------------- */

static void count_down(struct tree *t, struct node *n, const struct rule_list *waiting)
{
    for (int i = 0; i < waiting->n; i++)
        if (!--n->missing[waiting->at[i]])
            vec_push(&t->work, (struct todo){n, waiting->at[i]});
}

static void know_inherited(struct tree *t, struct node *n, int slot)
{
    if (n->production) {
        count_down(t, n, &n->production->waits_this[slot]);
    } else if (n->class->guarded && !--n->missing_inherited && n->state == NODE_WAITING) {
        n->state = NODE_READY;
        tree_enqueue(t, n);
    }
}

void tree_set(struct tree *t, struct node *n, int slot, lala value)
{
    uint64_t bit = (uint64_t)1 << slot;
    n->attr[slot] = value;
    n->known |= bit;
    if (n->class->inherited & bit)
        know_inherited(t, n, slot);
    else if ((n->class->synthesized & bit) && n != t->held)
        count_down(t, n->parent, &n->parent->production->waits_child[n->index][slot]);
}

void tree_release_attributes(struct tree *t, struct node *n)
{
    if (!n->parent)
        return;
    for (uint64_t left = n->known & n->class->synthesized; left; left &= left - 1) {
        int slot = __builtin_ctzll(left);
        count_down(t, n->parent, &n->parent->production->waits_child[n->index][slot]);
    }
}

void tree_evaluate(struct tree *t)
{
    /* first come, first served: of a list to the left, the first element is then ready first */
    for (size_t next = 0; next < t->work.n; next++) {
        struct todo job = t->work.at[next];
        const struct plan_rule *r = &job.node->production->rules[job.rule];
        lala value = tree_eval(t, job.node, job.node->production, &r->code);
        t->stats.rules++;
        if (!value || (r->guard && value != LALA_TRUE))
            vec_push(&t->faults, job);
        if (value)
            tree_set(t, r->child < 0 ? job.node : job.node->child[r->child], r->slot, value);
    }
    t->work.n = 0;
}

static void start_rules(struct tree *t, struct node *n, const struct plan_production *p)
{
    if (!p->n_rules)
        return;
    if ((n->known & n->class->inherited) == n->class->inherited) {
        memcpy(n->missing, p->missing_below, (size_t)p->n_rules);
        for (int i = 0; i < p->at_once.n; i++)
            vec_push(&t->work, (struct todo){n, p->at_once.at[i]});
        return;
    }
    memcpy(n->missing, p->missing, (size_t)p->n_rules);
    for (uint64_t left = n->known & n->class->inherited; left; left &= left - 1) {
        const struct rule_list *waiting = &p->waits_this[__builtin_ctzll(left)];
        for (int i = 0; i < waiting->n; i++)
            n->missing[waiting->at[i]]--;
    }
    for (int i = 0; i < p->n_rules; i++)
        if (!n->missing[i])
            vec_push(&t->work, (struct todo){n, i});
}

static void make_body(struct tree *t, struct node *n, const struct plan_production *p)
{
    n->production = p;
    if (!p->body_size)
        return;
    char *body = take(t, p->body_size);
    n->child = (struct node **)(void *)body;
    n->loc = (lala *)(void *)(body + sizeof(struct node *) * (size_t)p->n_children);
    n->missing = (uint8_t *)(n->loc + p->n_locs);
    if (p->n_locs)
        memset((void *)n->loc, 0, sizeof(lala) * (size_t)p->n_locs);
}

static void add_child(struct tree *t, struct node *n, int index)
{
    const struct plan_class *class = n->production->children[index];
    struct node *child = new_node(t, class, n, index);
    n->child[index] = child;
    if (class->component != n->class->component)
        child->budget = class->budget;
    else
        child->budget = n->budget - (index != n->production->rest);
    if (index == n->production->rest)
        child->length = n->length + 1;
    if (!class->guarded)
        return;
    t->unfinished++;
    if (!child->missing_inherited) {
        child->state = NODE_READY;
        tree_enqueue(t, child);
    }
}

void tree_expand(struct tree *t, struct node *n, const struct plan_production *p)
{
    make_body(t, n, p);
    n->state = n->class->guarded ? n->state : NODE_DONE;
    for (int i = 0; i < p->n_children; i++)
        add_child(t, n, i);
    for (int i = p->n_children; i-- > 0;) /* the first child is expanded first */
        if (n->child[i]->state == NODE_PENDING)
            tree_enqueue(t, n->child[i]);
    if (n->class->class->kind == AG_LITERAL)
        tree_set(t, n, 0, n->value);
    start_rules(t, n, p);
}

/* -- and backwards ----------------------------------------------------------------------------- */

static void unset(struct tree *t, struct node *n, int slot)
{
    uint64_t bit = (uint64_t)1 << slot;
    if (!(n->known & bit))
        return;
    n->known &= ~bit;
    n->attr[slot] = LALA_UNDEFINED;
    vec_push(&t->stale, (struct stale){n, slot});
}

/* What was wrong with a rule of the node, or with all of them (-1), is no more. There are few
 * faults. */
static void forgive(struct tree *t, const struct node *n, int rule)
{
    size_t out = 0;
    for (size_t i = 0; i < t->faults.n; i++)
        if (t->faults.at[i].node != n || (rule >= 0 && t->faults.at[i].rule != rule))
            t->faults.at[out++] = t->faults.at[i];
    t->faults.n = out;
}

static void count_up(struct tree *t, struct node *n, const struct rule_list *waiting)
{
    const struct plan_production *p = n->production;
    for (int i = 0; i < waiting->n; i++) {
        int rule = waiting->at[i];
        if (n->missing[rule]++)
            continue;
        if (t->faults.n)
            forgive(t, n, rule);
        unset(t, p->rules[rule].child < 0 ? n : n->child[p->rules[rule].child],
              p->rules[rule].slot);
    }
    if (waiting->n && p->n_locs)
        memset((void *)n->loc, 0, sizeof(lala) * (size_t)p->n_locs);
}

static void forget(struct tree *t, struct node *n) /* one node that goes for good */
{
    if (n->class->guarded && n->state != NODE_DONE)
        t->unfinished--;
    tree_dequeue(t, n);
    t->live--;
    if (t->faults.n)
        forgive(t, n, -1);
    if (n->production)
        give(t, n->child, n->production->body_size);
    give(t, n, n->class->node_size);
}

/* All nodes below n go, last ones first, so that none is visited after it went. */
static void remove_below(struct tree *t, struct node *n)
{
    struct node *at = n;
    if (!n->production)
        return;
    for (;;) {
        while (at->production && at->production->n_children)
            at = at->child[0];
        while (at != n) {
            struct node *up = at->parent;
            int next = at->index + 1;
            forget(t, at);
            if (next < up->production->n_children) {
                at = up->child[next];
                break;
            }
            at = up;
            if (at == n)
                break;
        }
        if (at == n)
            return;
    }
}

static void clear(struct tree *t, struct node *n)
{
    bool done = n->state == NODE_DONE;
    remove_below(t, n);
    if (t->faults.n)
        forgive(t, n, -1);
    if (n->production)
        give(t, n->child, n->production->body_size);
    n->production = NULL;
    n->child = NULL;
    n->loc = NULL;
    n->missing = NULL;
    n->value = LALA_UNDEFINED;
    for (uint64_t left = n->known & ~n->class->inherited; left; left &= left - 1)
        unset(t, n, __builtin_ctzll(left));
    if (n == t->held)
        return;
    if (!n->class->guarded) {
        if (done)
            n->state = NODE_PENDING;
        return;
    }
    t->unfinished += done;
    if (n->state == NODE_DONE)
        n->state = NODE_WAITING;
}

static void propagate(struct tree *t)
{
    while (t->stale.n) {
        struct stale s = t->stale.at[--t->stale.n];
        struct node *n = s.node;
        uint64_t bit = (uint64_t)1 << s.slot;
        if (n->class->inherited & bit) {
            if (n->class->guarded) {
                if (n->state == NODE_READY)
                    tree_dequeue(t, n);
                if (n->state == NODE_DONE)
                    clear(t, n);
                n->state = NODE_WAITING;
                n->missing_inherited++;
            } else if (n->production) {
                count_up(t, n, &n->production->waits_this[s.slot]);
            }
        } else if ((n->class->synthesized & bit) && n != t->held && n->parent) {
            count_up(t, n->parent, &n->parent->production->waits_child[n->index][s.slot]);
        }
    }
}

/* A guarded node counts its unknown attributes only while it is not expanded. */
static void recount(struct node *n)
{
    n->missing_inherited =
        (uint8_t)(n->class->n_inherited - __builtin_popcountll(n->known & n->class->inherited));
}

void tree_deconstruct(struct tree *t, struct node *n)
{
    clear(t, n);
    recount(n);
    propagate(t);
    if (n == t->held)
        return;
    if (n->class->guarded && n->state == NODE_WAITING && !n->missing_inherited)
        n->state = NODE_READY;
    if (n->state == NODE_READY || n->state == NODE_PENDING) {
        tree_dequeue(t, n);
        tree_enqueue(t, n);
    }
}

/* -- proof ------------------------------------------------------------------------------------- */

static bool node_holds(struct tree *t, struct node *n)
{
    const struct plan_production *p = n->production;
    if (!p || (n->class->guarded && n->state != NODE_DONE))
        return false;
    for (int i = 0; i < p->n_children; i++)
        if (n->child[i]->parent != n || n->child[i]->index != i)
            return false;
    if (p->n_locs)
        memset((void *)n->loc, 0, sizeof(lala) * (size_t)p->n_locs);
    for (int i = 0; i < p->n_rules; i++) {
        const struct plan_rule *r = &p->rules[i];
        const struct node *target = r->child < 0 ? n : n->child[r->child];
        lala value = tree_eval(t, n, p, &r->code);
        if (!value || value != target->attr[r->slot] || (r->guard && value != LALA_TRUE))
            return false;
    }
    return true;
}

struct node *tree_verify(struct tree *t)
{
    for (struct node *n = t->root; n; n = tree_next(t->root, n))
        if (!node_holds(t, n))
            return n;
    return NULL;
}

/* -- lists ------------------------------------------------------------------------------------- */

/* Would the rules of `p` give the child, as its child number `to`, what it has? */
static bool same_inherited(struct tree *t, struct node *n, const struct plan_production *p, int to,
                           const struct node *child)
{
    for (uint64_t left = child->class->inherited; left; left &= left - 1) {
        int slot = __builtin_ctzll(left), rule = p->inherited_by[to][slot];
        if (rule < 0 || p->missing_below[rule] || p->rules[rule].reads_node ||
            !(child->known & ((uint64_t)1 << slot)) ||
            tree_eval(t, n, p, &p->rules[rule].code) != child->attr[slot])
            return false;
    }
    return true;
}

enum { MAX_ELEMENTS = 16 }; /* of one link of a list that are kept */

/* Takes the elements that `base` would give the same attributes out of the tree; they are matched
 * by class, in order. Stand-ins take their places. */
static void detach_elements(struct tree *t, struct node *n, const struct plan_production *base,
                            struct node *kept[MAX_ELEMENTS])
{
    const struct plan_production *old = n->production;
    int from = 0;
    if ((n->known & n->class->inherited) != n->class->inherited)
        return;
    for (int to = 0; to < base->n_children && to < MAX_ELEMENTS; to++) {
        while (from < old->n_children && old->children[from] != base->children[to])
            from++;
        if (from == old->n_children)
            return;
        struct node *child = n->child[from];
        if (child->production && same_inherited(t, n, base, to, child)) {
            kept[to] = child;
            n->child[from] = new_node(t, child->class, n, from);
            t->unfinished += child->class->guarded;
        }
        from++;
    }
}

static void attach_elements(struct tree *t, struct node *n, struct node *kept[MAX_ELEMENTS])
{
    size_t out = 0;
    for (int i = 0; i < n->production->n_children && i < MAX_ELEMENTS; i++) {
        if (!kept[i])
            continue;
        forget(t, n->child[i]);
        kept[i]->index = (uint16_t)i;
        n->child[i] = kept[i];
        tree_release_attributes(t, kept[i]);
    }
    /* what the kept ones inherit they have: setting it again would count it twice */
    for (size_t i = 0; i < t->work.n; i++) {
        struct todo job = t->work.at[i];
        const struct plan_rule *r = &job.node->production->rules[job.rule];
        if (job.node != n || r->child < 0 || r->child >= MAX_ELEMENTS || !kept[r->child])
            t->work.at[out++] = job;
    }
    t->work.n = out;
}

void tree_shorten(struct tree *t, struct node *n, const struct plan_production *base)
{
    struct node *kept[MAX_ELEMENTS] = {0};
    enum node_state state = n->state;
    detach_elements(t, n, base, kept);
    clear(t, n);
    propagate(t);
    n->state = (uint8_t)state;
    tree_expand(t, n, base);
    attach_elements(t, n, kept);
    t->stats.shortened++;
}

/* The node takes over what `from` was expanded to; `from` goes. */
static void take_over(struct tree *t, struct node *n, struct node *from)
{
    n->production = from->production;
    n->child = from->child;
    n->loc = from->loc;
    n->missing = from->missing;
    n->value = from->value;
    for (int i = 0; i < n->production->n_children; i++)
        n->child[i]->parent = n;
    for (uint64_t left = from->known & ~n->class->inherited; left; left &= left - 1) {
        int slot = __builtin_ctzll(left);
        tree_set(t, n, slot, from->attr[slot]);
    }
    for (size_t i = 0; i < t->faults.n; i++)
        if (t->faults.at[i].node == from)
            t->faults.at[i].node = n;
    from->production = NULL;
    forget(t, from);
    for (struct node *at = n; at->production && at->production->rest >= 0;) {
        struct node *next = at->child[at->production->rest];
        next->length = at->length + 1;
        at = next;
    }
}

bool tree_hoist(struct tree *t, struct node *n, struct node *rest)
{
    /* one that was passed as a node stays where it is: its rules would answer otherwise */
    bool same = rest->state == NODE_DONE && !rest->production->numbered;
    enum node_state state = n->state;
    for (uint64_t left = n->class->inherited; left && same; left &= left - 1) {
        int slot = __builtin_ctzll(left);
        same = n->attr[slot] && n->attr[slot] == rest->attr[slot];
    }
    if (!same)
        return false;
    struct node *link = rest->parent;
    link->child[rest->index] = new_node(t, rest->class, link, rest->index);
    t->unfinished += rest->class->guarded;
    clear(t, n);
    propagate(t);
    n->state = (uint8_t)state;
    take_over(t, n, rest);
    t->stats.shortened++;
    return true;
}
