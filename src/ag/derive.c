/* From the tree to a derivation, and back through the search (search.c), which is guided.
 *
 * A guided search is FUZZ as always, in the same order of nodes and attributes; only that a node
 * which stands in the derivation is expanded as that says, and that nobody looks for an alternative
 * to it. So all that holds of trees that were searched holds of those that are derived: a guard is
 * looked at when it is known, a guarded node is closed before others see what it synthesizes, and a
 * crash of a runtime function is contained in one place.
 *
 * Nodes that are free are searched with the simplest choices, as in a program that is large enough
 * already: of the productions that the guards allow, the one with the smallest tree. */
#include "ag/derive.h"
#include "ag/runtime.h"
#include "ag/search_internal.h"

#include <ctype.h>
#include <string.h>

/* -- from the tree ----------------------------------------------------------------------------- */

struct capture {
    struct ag_search *search;
    struct arena *arena;
    struct ag_derivation *out;
    struct strbuf text;
};

static void show(struct ag_search *s, lala v, struct strbuf *out)
{
    v = lala_kind(v) == LALA_KIND_STRING ? v : lala_show(s->tree.env, v);
    strbuf_add(out, lala_text(v), lala_size(v));
}

/* The text of each #{...}, and what the node itself adds to the text of the program. */
static void capture_pieces(struct capture *c, struct node *n, struct ag_derived *out)
{
    const struct ag_production *p = n->production->production;
    size_t bytes = 0;
    strbuf_clear(&c->text);
    for (int i = 0; i < p->n_pieces; i++) {
        size_t before = c->text.n;
        switch (p->pieces[i].kind) {
        case AG_P_TEXT:
            bytes += p->pieces[i].size;
            break;
        case AG_P_EXPR:
            show(c->search,
                 tree_eval(&c->search->tree, n, n->production, &n->production->prints[i]),
                 &c->text);
            bytes += c->text.n - before;
            strbuf_addc(&c->text, '\0');
            break;
        case AG_P_NEWLINE:
        case AG_P_INDENT:
        case AG_P_OUTDENT:
            bytes++;
            break;
        case AG_P_CHILD:
            break;
        }
    }
    out->bytes = (uint32_t)bytes;
    out->number = n->value ? (uint64_t)lala_to_int(n->value) : 0;
}

static void capture_node(struct capture *c, struct node *n, struct ag_derived *out)
{
    struct ag_search *s = c->search;
    out->class = (int32_t)(n->class - s->plan->classes);
    out->production = n->production->rank;
    if (n->class->class->kind == AG_TREE) {
        capture_pieces(c, n, out);
    } else {
        strbuf_clear(&c->text);
        show(s, n->value, &c->text);
        out->bytes = (uint32_t)c->text.n;
    }
    if (n->class->class->kind == AG_GENERATOR) {
        out->hash = lala_hash(n->value);
        for (lala l = search_offered(s, n); lala_more(l) && lala_head(l) != n->value;
             l = lala_tail(l))
            out->number++;
    }
    out->size = c->text.n;
    out->text = arena_memdup(c->arena, c->text.s, c->text.n);
}

/* Texts of children, which stand behind their parents, are added to theirs from the end on. */
static void add_bytes(const struct ag_search *s, struct ag_derivation *d)
{
    for (size_t i = d->n; i-- > 0;) {
        struct ag_derived *n = &d->at[i];
        const struct plan_class *class = &s->plan->classes[n->class];
        const struct ag_production *p = class->productions[n->production]->production;
        for (int k = 0; k < p->n_pieces; k++)
            if (p->pieces[k].kind == AG_P_CHILD)
                n->bytes += d->at[ag_derived_child(d, i, (size_t)p->pieces[k].child)].bytes;
        if (class->class->hidden || p->hidden)
            n->bytes = 0;
    }
}

static void capture_tree(void *to)
{
    struct capture *c = to;
    struct node *root = c->search->tree.root;
    size_t i = 0;
    for (struct node *n = root; n; n = tree_next(root, n))
        capture_node(c, n, &c->out->at[i++]);
    REQUIRE(i == c->out->n);
    ag_derivation_settle(c->search, c->out);
    add_bytes(c->search, c->out);
}

int ag_search_derivation(struct ag_search *s, struct arena *a, struct ag_derivation *out,
                         struct error *e)
{
    struct capture c = {.search = s, .arena = a, .out = out};
    out->n = (size_t)s->tree.live;
    out->at = arena_array(a, struct ag_derived, out->n);
    strbuf_init(&c.text, 0);
    int signal = ag_catching(capture_tree, &c);
    strbuf_release(&c.text);
    return signal ? search_crashed(s, signal, e) : 0;
}

/* -- names ------------------------------------------------------------------------------------- */

static size_t word_at(const char *text)
{
    size_t n = 0;
    if (isalpha((unsigned char)*text) || *text == '_')
        while (isalnum((unsigned char)text[n]) || text[n] == '_')
            n++;
    return n;
}

/* The next word of the text; behind it where there is none. A number is no word, nor is its end. */
static const char *next_word(const char *text, size_t *n)
{
    while (*text && !(*n = word_at(text)))
        do
            text++;
        while (isdigit((unsigned char)text[-1]) && isalnum((unsigned char)*text));
    if (!*text)
        *n = 0;
    return text;
}

static int count_words(const char *text)
{
    int count = 0;
    size_t n;
    for (text = next_word(text, &n); n; text = next_word(text + n, &n))
        count++;
    return count;
}

/* Are they the same but for the numbers in them, as v3 and v12, or s0_t1 and s0_t2? */
static bool same_stem(const char *a, size_t n, const char *b, size_t m)
{
    size_t i = 0, k = 0;
    for (;;) {
        while (i < n && isdigit((unsigned char)a[i]))
            i++;
        while (k < m && isdigit((unsigned char)b[k]))
            k++;
        if (i == n || k == m)
            return i == n && k == m;
        if (a[i++] != b[k++])
            return false;
    }
}

static void learn_name(struct guide *g, const char *before, size_t n, const char *now, size_t m)
{
    if (!same_stem(before, n, now, m))
        return;
    map_put(&g->names, before, n, NULL)->value.pointer = arena_memdup(&g->memory, now, m);
    map_put(&g->taken, now, m, NULL);
}

/* The same node printed this before and prints that now: word for word, names have become names. */
static void learn_names(struct guide *g, const char *before, const char *now)
{
    size_t n, m;
    if (count_words(before) != count_words(now))
        return;
    before = next_word(before, &n);
    now = next_word(now, &m);
    while (n) {
        learn_name(g, before, n, now, m);
        before = next_word(before + n, &n);
        now = next_word(now + m, &m);
    }
}

/* Compares what can be compared by now; the rest waits for attributes. */
static void compare_sayings(struct ag_search *s)
{
    struct guide *g = &s->guide;
    size_t left = 0;
    for (size_t i = 0; i < g->sayings.n; i++) {
        struct saying *say = &g->sayings.at[i];
        const struct plan_production *p = say->node->production;
        lala value = tree_eval(&s->tree, say->node, p, &p->prints[say->piece]);
        if (value)
            learn_names(g, say->before, lala_text(lala_show(s->tree.env, value)));
        else
            g->sayings.at[left++] = *say;
    }
    g->sayings.n = left;
}

static void expect_sayings(struct guide *g, struct node *n, const struct ag_derived *d)
{
    const struct ag_production *p = n->production->production;
    const char *before = d->text;
    for (int i = 0; i < p->n_pieces && before && before < d->text + d->size; i++) {
        if (p->pieces[i].kind != AG_P_EXPR)
            continue;
        vec_push(&g->sayings, (struct saying){n, n->serial, i, before});
        before += strlen(before) + 1;
    }
}

/* What the text is called now. False where something in it is gone: its name, if there still is
 * one, belongs to something else. */
static bool translate(const struct guide *g, const char *text, struct strbuf *out)
{
    for (;;) {
        size_t n;
        const char *word = next_word(text, &n);
        strbuf_add(out, text, (size_t)(word - text));
        if (!n)
            return true;
        const struct map_entry *now = map_find(&g->names, word, n);
        if (now)
            strbuf_adds(out, now->value.pointer);
        else if (map_find(&g->taken, word, n))
            return false;
        else
            strbuf_add(out, word, n);
        text = word + n;
    }
}

/* -- and back ---------------------------------------------------------------------------------- */

void guide_init(struct guide *g)
{
    *g = (struct guide){0};
    map_init(&g->names);
    map_init(&g->taken);
    arena_init(&g->memory);
}

void guide_release(struct guide *g)
{
    vec_release(&g->plans);
    vec_release(&g->sayings);
    map_release(&g->names);
    map_release(&g->taken);
    arena_release(&g->memory);
}

static void guide_begin(struct guide *g, const struct ag_derivation *d, enum ag_derive_mode mode)
{
    g->of = d;
    g->mode = mode;
    g->plans.n = g->sayings.n = 0;
    map_release(&g->names);
    map_release(&g->taken);
    map_init(&g->names);
    map_init(&g->taken);
    arena_reset(&g->memory);
}

bool guide_knows(const struct ag_search *s, const struct node *n)
{
    const struct guide *g = &s->guide;
    return g->of && n->serial < g->plans.n && g->plans.at[n->serial];
}

static void plan_node(struct guide *g, const struct node *n, size_t at)
{
    if (g->of->at[at].production == AG_FREE)
        return;
    while (g->plans.n <= n->serial)
        vec_push(&g->plans, 0);
    g->plans.at[n->serial] = (uint32_t)at + 1;
}

/* Nodes below it are gone, and all of them are younger. Others that are may be forgotten as well:
 * the names that they would have taught are then not known. */
void guide_forget(struct ag_search *s, const struct node *n)
{
    struct guide *g = &s->guide;
    size_t left = 0;
    g->plans.at[n->serial] = 0;
    for (size_t i = 0; i < g->sayings.n; i++)
        if (g->sayings.at[i].serial < n->serial)
            g->sayings.at[left++] = g->sayings.at[i];
    g->sayings.n = left;
}

static bool expand_tree(struct ag_search *s, struct node *n, size_t at)
{
    const struct ag_derived *d = &s->guide.of->at[at];
    const struct plan_production *p = n->class->productions[d->production];
    int max = n->class->class->list_max;
    if (p->rest >= 0 && max && n->length + 2 > (uint32_t)max)
        return false;
    if (p->numbered)
        n->value = lala_int((int64_t)d->number);
    tree_expand(&s->tree, n, p);
    for (int i = 0; i < p->n_children; i++)
        plan_node(&s->guide, n->child[i], ag_derived_child(s->guide.of, at, (size_t)i));
    expect_sayings(&s->guide, n, d);
    return true;
}

static bool same_text(struct ag_search *s, lala v, const struct strbuf *text)
{
    v = lala_kind(v) == LALA_KIND_STRING ? v : lala_show(s->tree.env, v);
    return lala_size(v) == text->n && !memcmp(lala_text(v), text->s, text->n);
}

/* The value that has the text: at its old place, or else anywhere; among several the one that is
 * wholly the same. Undefined where there is none. */
static lala find_value(struct ag_search *s, lala list, const struct ag_derived *d,
                       const struct strbuf *text)
{
    lala found = lala_at(list, (size_t)d->number);
    if (found && same_text(s, found, text) && lala_hash(found) == d->hash)
        return found;
    found = LALA_UNDEFINED;
    for (; lala_more(list); list = lala_tail(list)) {
        lala value = lala_head(list);
        if (!same_text(s, value, text))
            continue;
        if (lala_hash(value) == d->hash)
            return value;
        found = found ? found : value;
    }
    return found;
}

static lala choose_value(struct ag_search *s, lala list, const struct ag_derived *d)
{
    struct strbuf text;
    lala value = LALA_UNDEFINED;
    if (!d->text)
        return lala_head(list);
    compare_sayings(s);
    strbuf_init(&text, 0);
    if (translate(&s->guide, d->text, &text))
        value = find_value(s, list, d, &text);
    strbuf_release(&text);
    if (!value && s->guide.mode == AG_DERIVE_REPAIR)
        value = lala_head(list);
    return value;
}

static bool expand_generator(struct ag_search *s, struct node *n, const struct ag_derived *d)
{
    lala list = search_offered(s, n);
    if (lala_kind(list) != LALA_KIND_LIST)
        return false;
    n->value = choose_value(s, list, d);
    if (n->value)
        tree_expand(&s->tree, n, n->class->generator);
    return n->value != LALA_UNDEFINED;
}

bool guide_expand(struct ag_search *s, struct node *n)
{
    size_t at = s->guide.plans.at[n->serial] - 1;
    const struct ag_derived *d = &s->guide.of->at[at];
    if (n->class != &s->plan->classes[d->class])
        return false;
    switch (n->class->class->kind) {
    case AG_LITERAL:
        n->value = lala_string(s->tree.env, d->text, d->size);
        tree_expand(&s->tree, n, n->class->productions[0]);
        return true;
    case AG_GENERATOR:
        return expand_generator(s, n, d);
    case AG_TREE:
        return expand_tree(s, n, at);
    }
    return false;
}

enum { EFFORT = 5000 }; /* alternatives and refused productions where nodes are free */

static void derive_tree(void *to)
{
    struct ag_search *s = to;
    s->tree.stats = (struct tree_stats){0};
    search_begin(s, 0);
    s->size = 1;
    s->effort = EFFORT;
    plan_node(&s->guide, s->tree.root, 0);
    while (s->frames.n && s->effort > 0)
        search_step(s);
    if (s->frames.n)
        s->outcome = FAIL;
    s->tree.stats.nodes = s->tree.live;
#ifdef ASSAY_DEBUG
    REQUIRE(s->outcome != SUCCESS || !tree_verify(&s->tree));
#endif
}

int ag_search_derive(struct ag_search *s, const struct ag_derivation *d, enum ag_derive_mode mode,
                     struct error *e)
{
    struct choice simplest;
    choice_init_replay(&simplest, NULL, 0);
    s->choice = &simplest;
    guide_begin(&s->guide, d, mode);
    int signal = ag_catching(derive_tree, s);
    s->guide.of = NULL;
    s->choice = NULL;
    choice_release(&simplest);
    if (signal)
        return search_crashed(s, signal, e);
    return s->outcome == SUCCESS ? 0 : 1;
}
