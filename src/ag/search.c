/* FUZZ (Fig. 5) as a loop over a stack of searches, because a list may nest as many of them as it
 * has elements. One search builds the subtree of one guarded node:
 *
 *   expand    nodes that are not guarded get a random production that no fail pattern forbids;
 *   descend   a guarded node all of whose inherited attributes are known is searched by itself,
 *             with the fail patterns that concern it;
 *   learn     what fails, fails for a reason: a pattern of just the nodes that the failure depended
 *             on keeps the search from making it again (IV-B4);
 *   change    ALTERNATIVE (Fig. 6) replaces the smallest part of the tree that all patterns allow
 * to be replaced, later parts before those that they depend on.
 *
 * Guarded nodes are searched as soon as they can be, and guards are looked at as soon as they are
 * known, before further nodes are expanded: a list then grows element by element, and stops when
 * the program is large enough; and what a guard that is false did not look at is not even there
 * yet. A production whose guard depends on inherited attributes alone is refused before anything is
 * built; the pattern "this production, all wildcards" is then one bit. */
#include "ag/search_internal.h"
#include "ag/regex.h"
#include "ag/runtime.h"
#include "base/fs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct frame *top(struct ag_search *s)
{
    return &s->frames.at[s->frames.n - 1];
}

/* -- what fail patterns say of a node ---------------------------------------------------------- */

/* FILTERANDTRIM: collects in s->live the patterns of the search that match around `n`. False where
 * a wildcard covers it: whatever is built there, the pattern matches. One that differs at a node
 * that is built differs until ALTERNATIVE takes something away: it is not looked at for every new
 * node.
 */
static bool filter_and_trim(struct ag_search *s, const struct frame *f, const struct node *n)
{
    s->live.n = 0;
    for (size_t i = f->patterns; i < s->patterns.n; i++) {
        struct trimmed *p = &s->patterns.at[i];
        if (!n->production && p->differs > f->alternatives)
            continue;
        int64_t at = pattern_match(&s->learned, *p, f->root, n);
        if (at == PATTERN_WILD)
            return false;
        if (at >= 0)
            vec_push(&s->live, (struct trimmed){p->pattern, (uint32_t)at, 0});
        else if (!n->production && s->learned.firm)
            p->differs = f->alternatives + 1;
    }
    return true;
}

/* Is the production (with this value, where it has one) forbidden whatever its children are? */
static bool forbidden(const struct ag_search *s, const struct plan_production *p, lala value)
{
    for (size_t i = 0; i < s->live.n; i++) {
        const struct pattern_entry *e = &s->live.at[i].pattern->entry[s->live.at[i].at];
        if (e->production == p && e->size == 1 && (!e->value || e->value == value))
            return true;
    }
    return false;
}

/* -- productions that may be chosen ------------------------------------------------------------ */

static bool fits_height(const struct node *n, const struct plan_production *p)
{
    int max = n->class->class->list_max;
    return p->min_height <= n->budget && !(p->rest >= 0 && max && n->length + 2 > (uint32_t)max);
}

static bool refused(const struct frame *f, const struct node *n, const struct plan_production *p)
{
    return n == f->root && (f->refused[p->rank / 64] >> (p->rank % 64) & 1);
}

/* The weights of the productions that may be chosen; how many there are. Notes in the search when
 * the height was what forbade one and none is left. */
static int candidates(struct ag_search *s, struct frame *f, const struct node *n, unsigned *weights)
{
    const struct plan_class *c = n->class;
    int left = 0;
    bool low = false;
    for (int i = 0; i < c->n_productions; i++) {
        const struct plan_production *p = c->productions[i];
        bool high = !fits_height(n, p);
        weights[i] =
            high || refused(f, n, p) || (s->live.n && forbidden(s, p, NULL)) ? 0 : p->weight;
        low |= high;
        left += weights[i] > 0;
    }
    f->height |= !left && low;
    return left;
}

/* Once the program is large enough: only the smallest. */
static void prefer_small(const struct node *n, unsigned *weights)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < n->class->n_productions; i++)
        if (weights[i] && n->class->productions[i]->min_size < least)
            least = n->class->productions[i]->min_size;
    for (int i = 0; i < n->class->n_productions; i++)
        if (n->class->productions[i]->min_size > least)
            weights[i] = 0;
}

/* -- expanding --------------------------------------------------------------------------------- */

/* A number that no pattern forbids. There is one: candidates() left out what is forbidden with any.
 */
static void draw_number(struct ag_search *s, struct node *n, const struct plan_production *p)
{
    if (!p->numbered)
        return;
    uint64_t number = choose_bits(s->choice, 32);
    while (forbidden(s, p, lala_int((int64_t)number)))
        number++;
    n->value = lala_int((int64_t)number);
}

/* Do the guards that can be known now hold? */
static bool early_guards(struct ag_search *s, struct frame *f, struct node *n,
                         const struct plan_production *p)
{
    if (n != f->root || s->options.no_fail_patterns)
        return true;
    for (int i = 0; i < p->early.n; i++) {
        if (tree_eval(&s->tree, n, p, &p->rules[p->early.at[i]].code) == LALA_TRUE)
            continue;
        f->refused[p->rank / 64] |= (uint64_t)1 << (p->rank % 64);
        s->tree.stats.refused++;
        s->effort--;
        return false;
    }
    return true;
}

static bool expand_tree(struct ag_search *s, struct frame *f, struct node *n)
{
    unsigned weights[PLAN_MAX_PRODUCTIONS];
    int left = candidates(s, f, n, weights);
    bool large = s->size && s->tree.live > s->size;
    while (left > 0) {
        if (large)
            prefer_small(n, weights);
        size_t at = choose_weighted(s->choice, weights, (size_t)n->class->n_productions);
        const struct plan_production *p = n->class->productions[at];
        draw_number(s, n, p);
        if (early_guards(s, f, n, p)) {
            tree_expand(&s->tree, n, p);
            return true;
        }
        n->value = LALA_UNDEFINED;
        if (large) {
            left = candidates(s, f, n, weights);
        } else {
            weights[at] = 0;
            if (!--left)
                candidates(s, f, n, weights); /* was it the height? */
        }
    }
    return false;
}

static lala draw_literal(struct ag_search *s, const struct plan_class *c)
{
    struct strbuf text;
    strbuf_init(&text, 4096);
    ag_regex_draw(c->regex, s->choice, &text);
    lala value = lala_string(s->tree.env, text.s, text.n);
    strbuf_release(&text);
    return value;
}

static bool expand_literal(struct ag_search *s, struct node *n)
{
    const struct plan_class *c = n->class;
    struct pool *pool = &s->pools[c - s->plan->classes];
    const struct plan_production *p = c->productions[0];
    int first = (int)choose(s->choice, (uint64_t)pool->n);
    for (int i = 0; i < pool->n; i++) {
        lala *value = &pool->values[(first + i) % pool->n];
        if (!*value)
            *value = draw_literal(s, c);
        if (s->live.n && forbidden(s, p, *value))
            continue;
        n->value = *value;
        tree_expand(&s->tree, n, p);
        return true;
    }
    return false;
}

lala search_offered(struct ag_search *s, struct node *n)
{
    const struct code *call = n->class->generator_args;
    lala args[AG_MAX_PARAMETERS];
    if (!call->function || call->n_args > AG_MAX_PARAMETERS)
        return LALA_UNDEFINED;
    for (int i = 0; i < call->n_args; i++) {
        args[i] = tree_eval(&s->tree, n, n->class->generator, &call->args[i]);
        if (!args[i])
            return LALA_UNDEFINED;
    }
    s->tree.calling = call;
    lala list = lala_call_memo(s->tree.env, call->function, args, call->n_args);
    s->tree.calling = NULL;
    return list;
}

static bool expand_generator(struct ag_search *s, struct node *n)
{
    const struct plan_production *p = n->class->generator;
    lala list = search_offered(s, n);
    size_t size = list && list != LALA_NIL ? lala_size(list) : 0;
    if (!size || lala_kind(list) != LALA_KIND_LIST)
        return false;
    size_t first = (size_t)choose(s->choice, size);
    for (size_t i = 0; i < size; i++) {
        lala value = lala_at(list, (first + i) % size);
        if (s->live.n && forbidden(s, p, value))
            continue;
        n->value = value;
        tree_expand(&s->tree, n, p);
        return true;
    }
    return false;
}

static bool expand(struct ag_search *s, struct frame *f, struct node *n)
{
    s->live.n = 0;
    s->covered = false;
    if (guide_knows(s, n))
        return guide_expand(s, n);
    s->covered = s->patterns.n > f->patterns && !filter_and_trim(s, f, n);
    if (s->covered)
        return false;
    switch (n->class->class->kind) {
    case AG_LITERAL:
        return expand_literal(s, n);
    case AG_GENERATOR:
        return expand_generator(s, n);
    case AG_TREE:
        return expand_tree(s, f, n);
    }
    return false;
}

/* -- learning ---------------------------------------------------------------------------------- */

/* The patterns that matched around `n` are part of why it failed. */
static void keep_contexts(struct ag_search *s, const struct frame *f, const struct node *n)
{
    for (size_t i = f->patterns; i < s->patterns.n; i++)
        pattern_keep_context(&s->learned, s->patterns.at[i], f->root, n);
}

/* False where nothing in this search could be changed to make a difference. */
static bool learn(struct ag_search *s, struct frame *f, struct node *failed, bool values)
{
    const struct pattern *made = pattern_make(&s->learned, f->root, values);
    f->failed = failed;
    if (!made)
        return false;
    s->tree.stats.patterns++;
    vec_push(&s->patterns, (struct trimmed){made, 0, 0});
    return true;
}

/* A node below the root of the search could not be built. */
static bool learn_node(struct ag_search *s, struct frame *f, struct node *n, enum outcome why)
{
    if (n == f->root)
        return false;
    pattern_begin(&s->learned);
    pattern_keep(&s->learned, f->root, n->parent);
    if (why == HEIGHT) {
        s->tree.stats.heights++;
        f->height = true;
        return learn(s, f, n, false);
    }
    keep_contexts(s, f, n);
    if (n->class->guarded)
        pattern_keep_inherited(&s->learned, f->root, n);
    return learn(s, f, n, true);
}

/* A guard is false, or an attribute undefined. */
static bool learn_rule(struct ag_search *s, struct frame *f, struct todo fault)
{
    pattern_begin(&s->learned);
    pattern_keep_rule(&s->learned, f->root, fault.node, fault.rule);
    return learn(s, f, fault.node, true);
}

/* -- ALTERNATIVE ------------------------------------------------------------------------------- */

static bool literal_left(struct ag_search *s, const struct node *n)
{
    const struct pool *pool = &s->pools[n->class - s->plan->classes];
    for (int i = 0; i < pool->n; i++)
        if (!pool->values[i] || !forbidden(s, n->class->productions[0], pool->values[i]))
            return true;
    return false;
}

static bool value_left(struct ag_search *s, struct node *n)
{
    lala list = search_offered(s, n);
    for (; lala_more(list); list = lala_tail(list))
        if (!forbidden(s, n->class->generator, lala_head(list)))
            return true;
    return false;
}

/* Is there something else that could stand here? s->live is trimmed to it. */
static bool replaceable(struct ag_search *s, struct frame *f, struct node *n)
{
    unsigned weights[PLAN_MAX_PRODUCTIONS];
    switch (n->class->class->kind) {
    case AG_LITERAL:
        return literal_left(s, n);
    case AG_GENERATOR:
        return value_left(s, n);
    case AG_TREE:
        return candidates(s, f, n, weights) > 0;
    }
    return false;
}

static bool is_rest(const struct node *n)
{
    return n->parent && n->parent->production->rest == n->index;
}

/* The link of the list that begins at `list` in which the node stands; NULL: in none. */
static struct node *link_of(struct node *list, struct node *n)
{
    struct node *link = NULL;
    for (; n && n != list; n = n->parent)
        link = is_rest(n) && n->class == list->class ? (link ? link : n) : NULL;
    return !n ? NULL : link ? link : list;
}

/* May this link end the list? */
static bool may_end(struct ag_search *s, struct frame *f, struct node *link)
{
    const struct plan_production *base = link->class->base;
    if (!base || !fits_height(link, base) || refused(f, link, base) || !filter_and_trim(s, f, link))
        return false;
    for (size_t i = 0; i < s->live.n; i++)
        if (s->live.at[i].pattern->entry[s->live.at[i].at].production == base)
            return false;
    for (int i = 0; i < base->early.n; i++)
        if (tree_eval(&s->tree, link, base, &base->rules[base->early.at[i]].code) != LALA_TRUE)
            return false;
    return true;
}

/* In a list to the left, the elements before this link are below it: may they be the whole list? */
static bool may_hoist(struct ag_search *s, struct frame *f, struct node *list, struct node *link)
{
    if (!link->production || link->production->rest != 0 || !filter_and_trim(s, f, list))
        return false;
    for (size_t i = 0; i < s->live.n; i++)
        if (pattern_match(&s->learned, s->live.at[i], link->child[0], NULL) == PATTERN_WILD)
            return false;
    return true;
}

/* SHRINKLIST: the elements before the one that failed become the list. */
static bool shrink_list(struct ag_search *s, struct frame *f, struct node *list)
{
    if (!list->class->class->list || !list->production || list->production->rest < 0 ||
        (list != f->root && is_rest(list)) || s->options.no_fail_patterns)
        return false;
    struct node *link = link_of(list, f->failed);
    const struct plan_production *base = list->class->base;
    if (!link)
        return false;
    bool leftwards = list->production->rest == 0 && list->production->n_children > 1;
    if (leftwards)
        return may_hoist(s, f, list, link) && tree_hoist(&s->tree, list, link->child[0]);
    if (base && base->n_children > 0) {
        if (link == list)
            return false;
        link = link->parent;
    }
    if (!link->production || !may_end(s, f, link))
        return false;
    tree_shorten(&s->tree, link, base);
    if (base->numbered)
        link->value = lala_int((int64_t)choose_bits(s->choice, 32));
    return true;
}

struct visit { /* an entry of the pattern that ALTERNATIVE follows */
    uint32_t entry;
    int next; /* how many of its children were visited */
};

/* The entry of the child that comes next in the order of dependencies; 0: none is left. */
static uint32_t next_child(const struct pattern *p, struct visit *v)
{
    const struct pattern_entry *e = &p->entry[v->entry];
    while (v->next < e->production->n_children) {
        int wanted = e->production->visit[v->next++];
        for (uint32_t i = v->entry + 1; i < v->entry + e->size; i += p->entry[i].size)
            if (p->entry[i].index == wanted)
                return i;
    }
    return 0;
}

typedef VEC(struct visit) visits;

/* What happens when ALTERNATIVE comes to a node, before it goes into it: 1: it was changed; 0: go
 * on below; -1: nothing below can help. */
static int arrive(struct ag_search *s, struct frame *f, struct node *n)
{
    if (n != f->root && n->class->guarded) {
        if (!filter_and_trim(s, f, n))
            return -1;
        tree_deconstruct(&s->tree, n);
        return 1;
    }
    return shrink_list(s, f, n);
}

/* The depth-first walk of Fig. 6 along the newest pattern, which matches the tree: nodes outside it
 * are wildcards, and changing them would change nothing. `at` maps its entries to nodes. */
static bool change(struct ag_search *s, struct frame *f, const struct pattern *p, struct node **at,
                   visits *stack)
{
    int arrived = arrive(s, f, f->root);
    if (arrived)
        return arrived > 0;
    vec_push(stack, (struct visit){0, 0});
    while (stack->n) {
        struct visit *v = &stack->at[stack->n - 1];
        uint32_t child = next_child(p, v);
        if (child) {
            arrived = arrive(s, f, at[child]);
            if (arrived > 0)
                return true;
            if (!arrived)
                vec_push(stack, (struct visit){child, 0});
            continue;
        }
        struct node *n = at[v->entry];
        stack->n--;
        if (filter_and_trim(s, f, n) && replaceable(s, f, n)) {
            tree_deconstruct(&s->tree, n);
            return true;
        }
    }
    return false;
}

static bool alternative(struct ag_search *s, struct frame *f)
{
    struct trimmed newest = s->patterns.at[s->patterns.n - 1];
    visits stack = {0};
    VEC(struct node *) at = {0};
    if (++f->alternatives > f->root->class->alternatives)
        return false;
    if (pattern_match(&s->learned, newest, f->root, NULL) == PATTERN_DIFFERS)
        BUG("a new fail pattern does not match the tree that failed");
    vec_reserve(&at, newest.pattern->n);
    memcpy(at.at, s->learned.node_of.at, sizeof *at.at * newest.pattern->n);
    bool changed = change(s, f, newest.pattern, at.at, &stack);
    s->tree.stats.alternatives += changed;
    s->effort--;
    tree_evaluate(&s->tree);
    vec_release(&at);
    vec_release(&stack);
    return changed;
}

/* -- FUZZ -------------------------------------------------------------------------------------- */

static void push_frame(struct ag_search *s, struct node *n)
{
    struct tree *t = &s->tree;
    struct frame f = {.root = n,
                      .patterns = s->patterns.n,
                      .ready = t->ready.n,
                      .ready_next = t->ready.n,
                      .pending = t->pending.n,
                      .unfinished = t->unfinished};
    /* s->live is trimmed to n */
    for (size_t i = 0; i < s->live.n; i++)
        vec_push(&s->patterns, s->live.at[i]);
    t->unfinished = 0;
    t->held = n;
    t->stats.searches++;
    vec_push(&s->frames, f);
}

static void pop_frame(struct ag_search *s)
{
    struct tree *t = &s->tree;
    const struct frame *f = top(s);
    s->patterns.n = f->patterns;
    t->ready.n = f->ready;
    t->pending.n = f->pending;
    t->unfinished = f->unfinished;
    s->frames.n--;
    t->held = s->frames.n ? top(s)->root : NULL;
}

static void succeed(struct ag_search *s)
{
    struct node *n = top(s)->root;
    pop_frame(s);
    n->state = NODE_DONE;
    s->outcome = SUCCESS;
    if (!s->frames.n)
        return;
    s->tree.unfinished--;
    tree_release_attributes(&s->tree, n);
    tree_evaluate(&s->tree);
}

/* The search of the node at the top has no alternative left: whoever wanted the node must change
 * something, and so on upwards until someone can. Nobody has a say in what a guide has decided; a
 * node of which it asked for too much is searched once more without it. */
static void fail(struct ag_search *s)
{
    for (;;) {
        struct frame *f = top(s);
        struct node *n = f->root;
        s->outcome = f->height ? HEIGHT : FAIL;
        tree_deconstruct(&s->tree, n);
        pop_frame(s);
        if (!s->frames.n)
            return;
        f = top(s);
        n->state = NODE_READY;
        tree_enqueue(&s->tree, n);
        if (guide_knows(s, n)) {
            guide_forget(s, n);
            s->effort = s->guide.mode == AG_DERIVE_STRICT ? 0 : s->effort;
            return;
        }
        if (!guide_knows(s, f->root) && learn_node(s, f, n, s->outcome) && alternative(s, f))
            return;
    }
}

/* The next guarded node that can be searched; NULL: none. */
static struct node *next_ready(struct ag_search *s, struct frame *f)
{
    struct tree *t = &s->tree;
    while (f->ready_next < t->ready.n) {
        struct node *n = t->ready.at[f->ready_next++];
        if (n)
            return n;
    }
    t->ready.n = f->ready_next = f->ready;
    return NULL;
}

static struct node *next_pending(struct ag_search *s, const struct frame *f)
{
    struct tree *t = &s->tree;
    while (t->pending.n > f->pending) {
        struct node *n = t->pending.at[--t->pending.n];
        if (n)
            return n;
    }
    return NULL;
}

static void descend(struct ag_search *s, struct frame *f, struct node *n)
{
    s->live.n = 0;
    bool open = s->patterns.n == f->patterns || filter_and_trim(s, f, n);
    push_frame(s, n);
    if (!open)
        fail(s);
}

/* Something failed, and was learned from where that was possible. */
static void retry(struct ag_search *s, bool learned)
{
    if (!learned || !alternative(s, top(s)))
        fail(s);
}

static void expand_pending(struct ag_search *s, struct frame *f, struct node *n)
{
    if (expand(s, f, n)) {
        tree_evaluate(&s->tree);
        return;
    }
    tree_enqueue(&s->tree, n);
    /* no pattern concerns it: then only the height can forbid every production */
    bool low = n->class->class->kind == AG_TREE && !s->covered && !s->live.n;
    retry(s, !guide_knows(s, f->root) && learn_node(s, f, n, low ? HEIGHT : FAIL));
}

/* One step of the search at the top. */
void search_step(struct ag_search *s)
{
    struct frame *f = top(s);
    struct tree *t = &s->tree;
    bool skeleton_first = s->options.no_fail_patterns;
    struct node *n;
    if (!f->root->production) {
        if (expand(s, f, f->root))
            tree_evaluate(t);
        else
            fail(s);
    } else if (skeleton_first && (n = next_pending(s, f))) {
        expand_pending(s, f, n);
    } else if (t->faults.n) {
        retry(s, !guide_knows(s, f->root) && learn_rule(s, f, t->faults.at[0]));
    } else if ((n = next_ready(s, f))) {
        descend(s, f, n);
    } else if ((n = next_pending(s, f))) {
        expand_pending(s, f, n);
    } else if (!t->unfinished) {
        succeed(s);
    } else {
        BUG("guarded nodes wait for attributes that no rule computes");
    }
}

/* -- one tree ---------------------------------------------------------------------------------- */

enum { RESTARTS = 20, EFFORT = 20000, EFFORT_PER_NODE = 20 };

void search_begin(struct ag_search *s, int attempt)
{
    tree_begin(&s->tree);
    patterns_begin(&s->learned);
    s->frames.n = s->patterns.n = s->live.n = 0;
    for (int i = 0; i < s->plan->n_classes; i++)
        if (s->pools[i].n)
            memset((void *)s->pools[i].values, 0, sizeof(lala) * (size_t)s->pools[i].n);
    /* whoever finds nothing tries something smaller */
    s->size = s->options.size >> (attempt / 2);
    s->size = s->options.size && s->size < 16 ? 16 : s->size;
    s->effort = s->options.effort ? s->options.effort : EFFORT + EFFORT_PER_NODE * s->size;
    push_frame(s, s->tree.root);
}

static void search_tree(void *to)
{
    struct ag_search *s = to;
    s->tree.stats = (struct tree_stats){0};
    for (int attempt = 0; attempt < RESTARTS; attempt++) {
        search_begin(s, attempt);
        s->tree.stats.restarts = attempt;
        while (s->frames.n && s->effort > 0)
            search_step(s);
        if (!s->frames.n && s->outcome == SUCCESS) {
            s->tree.stats.nodes = s->tree.live;
#ifdef ASSAY_DEBUG
            REQUIRE(!tree_verify(&s->tree));
#endif
            return;
        }
        s->outcome = FAIL;
    }
}

int search_crashed(struct ag_search *s, int number, struct error *e)
{
    struct strbuf text;
    char path[] = "/tmp/assay-tree-XXXXXX";
    const struct code *c = s->tree.calling;
    if (!c)
        BUG("signal %d outside any runtime function", number);
    strbuf_init(&text, 1 << 24);
    tree_dump(&s->tree, false, &text);
    int fd = mkstemp(path);
    if (fd >= 0)
        close(fd);
    bool written = fd >= 0 && !fs_write(path, text.s, text.n, NULL);
    strbuf_release(&text);
    return error_at(e, ERROR_USAGE, s->plan->spec->file, 0,
                    "the runtime function %s:%s died of signal %d (%s)%s%s", c->space,
                    c->function->name, number, strsignal(number),
                    written ? "; the tree so far is in " : "", written ? path : "");
}

int ag_search_next(struct ag_search *s, struct choice *c, struct error *e)
{
    s->choice = c;
    s->outcome = FAIL;
    int number = ag_catching(search_tree, s);
    if (number)
        return search_crashed(s, number, e);
    if (s->outcome == SUCCESS)
        return 0;
    return error_at(e, ERROR_USAGE, s->plan->spec->file, 0,
                    "no program was found in %d attempts: the guards reject too many (assay lala "
                    "explain shows the heights; try a larger --max-height)",
                    RESTARTS);
}

/* -- life -------------------------------------------------------------------------------------- */

int ag_search_new(const struct ag_spec *spec, const struct ag_options *options,
                  struct ag_search **out, struct error *e)
{
    struct ag_search *s = mem_alloc(sizeof *s);
    const struct plan_options plan = {options->features, options->max_height, options->weights};
    *s = (struct ag_search){.options = *options};
    arena_init(&s->arena);
    if (plan_make(&s->arena, spec, &plan, &s->plan, e)) {
        arena_release(&s->arena);
        free(s);
        return -1;
    }
    tree_init(&s->tree, s->plan);
    patterns_init(&s->learned);
    guide_init(&s->guide);
    s->learned.naive = options->no_fail_patterns;
    s->pools = arena_array(&s->arena, struct pool, (size_t)spec->n_classes);
    for (int i = 0; i < spec->n_classes; i++) {
        if (spec->classes[i].kind != AG_LITERAL)
            continue;
        s->pools[i].n = spec->classes[i].count;
        s->pools[i].values = arena_array(&s->arena, lala, (size_t)s->pools[i].n);
    }
    *out = s;
    return 0;
}

void ag_search_free(struct ag_search *s)
{
    if (!s)
        return;
    tree_release(&s->tree);
    patterns_release(&s->learned);
    guide_release(&s->guide);
    vec_release(&s->patterns);
    vec_release(&s->frames);
    vec_release(&s->live);
    arena_release(&s->arena);
    free(s);
}

struct text {
    struct tree *tree;
    struct strbuf *out;
};

static void print_tree(void *to)
{
    struct text *text = to;
    tree_print(text->tree, text->out);
}

int ag_search_text(struct ag_search *s, struct strbuf *out, struct error *e)
{
    struct text text = {&s->tree, out};
    int number = ag_catching(print_tree, &text);
    return number ? search_crashed(s, number, e) : 0;
}

void ag_search_tree(struct ag_search *s, bool json, struct strbuf *out)
{
    tree_dump(&s->tree, json, out);
}

const struct tree_stats *ag_search_stats(const struct ag_search *s)
{
    return &s->tree.stats;
}

size_t ag_search_memory(const struct ag_search *s)
{
    return s->tree.memory.used + s->learned.memory.used + lala_env_bytes(s->tree.env);
}
