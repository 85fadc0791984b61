/* Edits of derivations: copying ranges of nodes, and counting spans anew.
 *
 * None of them asks whether the result is valid: that is what deriving it again is for. */
#include "ag/derive.h"
#include "ag/regex.h"
#include "ag/search_internal.h"

#include <string.h>

static const struct plan_production *production_of(const struct ag_search *s,
                                                   const struct ag_derived *n)
{
    const struct plan_class *c = &s->plan->classes[n->class];
    return n->production == AG_FREE ? NULL : c->productions[n->production];
}

static bool is_tree(const struct ag_search *s, const struct ag_derived *n)
{
    return s->plan->classes[n->class].class->kind == AG_TREE;
}

/* -- looking at one ---------------------------------------------------------------------------- */

size_t ag_derived_children(const struct ag_search *s, const struct ag_derivation *d, size_t at)
{
    const struct plan_production *p = production_of(s, &d->at[at]);
    return p ? (size_t)p->n_children : 0;
}

size_t ag_derived_child(const struct ag_derivation *d, size_t at, size_t index)
{
    size_t child = at + 1;
    while (index--)
        child += d->at[child].span;
    return child;
}

int64_t ag_derived_least(const struct ag_search *s, const struct ag_derivation *d, size_t at)
{
    return s->plan->classes[d->at[at].class].min_size;
}

int ag_production_children(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                           int production)
{
    const struct plan_class *c = &s->plan->classes[d->at[at].class];
    return production < c->n_productions ? c->productions[production]->n_children : -1;
}

/* The next link of the list; 0 where this is the last. */
static size_t next_link(const struct ag_search *s, const struct ag_derivation *d, size_t link)
{
    const struct plan_production *p = production_of(s, &d->at[link]);
    return p && p->rest >= 0 ? ag_derived_child(d, link, (size_t)p->rest) : 0;
}

size_t ag_list_length(const struct ag_search *s, const struct ag_derivation *d, size_t at)
{
    size_t n = 0, link = at, next;
    const struct ag_class *c = s->plan->classes[d->at[at].class].class;
    if (!c->list || d->at[at].is_rest)
        return 0;
    for (; (next = next_link(s, d, link)); link = next)
        n++;
    return n + (ag_derived_children(s, d, link) > 0); /* a last one without any only ends it */
}

static bool is_element(const struct ag_search *s, const struct ag_derivation *d, size_t at)
{
    return at && !d->at[at].is_rest && s->plan->classes[d->at[d->at[at].parent].class].class->list;
}

static void draw_simplest(const struct ag_search *s, const struct ag_derived *n, struct strbuf *out)
{
    struct choice simplest;
    choice_init_replay(&simplest, NULL, 0);
    ag_regex_draw(s->plan->classes[n->class].regex, &simplest, out);
    choice_release(&simplest);
}

bool ag_derived_simplest(const struct ag_search *s, const struct ag_derivation *d, size_t at)
{
    const struct ag_derived *n = &d->at[at];
    if (s->plan->classes[n->class].class->kind != AG_LITERAL)
        return !n->number;
    struct strbuf text;
    strbuf_init(&text, 0);
    draw_simplest(s, n, &text);
    bool same = text.n == n->size && !memcmp(text.s, n->text, n->size);
    strbuf_release(&text);
    return same;
}

/* -- shortest texts ---------------------------------------------------------------------------- */

#define NO_TEXT UINT32_MAX /* none is known yet */

static uint32_t text_of(const struct ag_search *s, const uint32_t *of_class,
                        const struct plan_production *p)
{
    const struct ag_production *from = p->production;
    uint64_t n = 0;
    for (int i = 0; i < p->n_children; i++) /* one that is not printed must exist, too */
        if (of_class[p->children[i] - s->plan->classes] == NO_TEXT)
            return NO_TEXT;
    for (int i = 0; i < from->n_pieces; i++) {
        const struct ag_piece *piece = &from->pieces[i];
        n += piece->kind == AG_P_TEXT    ? piece->size
             : piece->kind == AG_P_CHILD ? of_class[p->children[piece->child] - s->plan->classes]
                                         : 1;
    }
    return from->hidden ? 0 : n < NO_TEXT ? (uint32_t)n : NO_TEXT - 1;
}

static uint32_t leaf_text(const struct ag_search *s, int class)
{
    struct strbuf text;
    if (s->plan->classes[class].class->kind == AG_GENERATOR)
        return 1;
    strbuf_init(&text, 0);
    draw_simplest(s, &(struct ag_derived){.class = class}, &text);
    uint32_t n = (uint32_t)text.n;
    strbuf_release(&text);
    return n;
}

/* A least fixpoint from "none" downwards, as measure.c has it for sizes. */
const uint32_t *const *ag_least_texts(const struct ag_search *s, struct arena *a)
{
    int n = s->plan->n_classes;
    uint32_t *of_class = arena_array(a, uint32_t, n), **texts = arena_array(a, uint32_t *, n);
    for (int i = 0; i < n; i++) {
        const struct plan_class *c = &s->plan->classes[i];
        texts[i] = arena_array(a, uint32_t, c->n_productions + 1);
        of_class[i] = c->class->kind == AG_TREE ? NO_TEXT : leaf_text(s, i);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < n; i++) {
            const struct plan_class *c = &s->plan->classes[i];
            for (int k = 0; k < c->n_productions && c->class->kind == AG_TREE; k++) {
                texts[i][k] = text_of(s, of_class, c->productions[k]);
                if (texts[i][k] >= of_class[i])
                    continue;
                of_class[i] = texts[i][k];
                changed = true;
            }
        }
    }
    return (const uint32_t *const *)texts;
}

/* -- writing the next one ---------------------------------------------------------------------- */

/* Spans from the end on: those of a node's children are the topmost of the stack, the first child's
 * uppermost. */
static void count_spans(const struct ag_search *s, struct ag_derivation *d)
{
    VEC(uint32_t) spans = {0};
    for (size_t i = d->n; i-- > 0;) {
        size_t children = ag_derived_children(s, d, i);
        uint32_t span = 1;
        for (size_t k = 0; k < children; k++)
            span += spans.at[--spans.n];
        d->at[i].span = span;
        vec_push(&spans, span);
    }
    REQUIRE(spans.n == 1);
    vec_release(&spans);
}

void ag_derivation_settle(const struct ag_search *s, struct ag_derivation *d)
{
    count_spans(s, d);
    d->at[0].parent = 0;
    d->at[0].is_rest = false;
    for (size_t i = 0; i < d->n; i++) {
        const struct plan_production *p = production_of(s, &d->at[i]);
        size_t child = i + 1;
        for (int k = 0; p && k < p->n_children; k++, child += d->at[child].span) {
            d->at[child].parent = (uint32_t)i;
            d->at[child].is_rest = k == p->rest;
        }
    }
}

static void begin_edit(struct arena *a, size_t most, struct ag_derivation *out)
{
    *out = (struct ag_derivation){arena_array(a, struct ag_derived, most), 0};
}

static void put(struct ag_derivation *out, struct ag_derived n)
{
    out->at[out->n++] = n;
}

static void put_range(struct ag_derivation *out, const struct ag_derivation *d, size_t from,
                      size_t to)
{
    memcpy(&out->at[out->n], &d->at[from], (to - from) * sizeof *out->at);
    out->n += to - from;
}

static void put_subtree(struct ag_derivation *out, const struct ag_derivation *d, size_t at)
{
    put_range(out, d, at, at + d->at[at].span);
}

static void put_free(struct ag_derivation *out, int32_t class)
{
    put(out, (struct ag_derived){.class = class, .production = AG_FREE});
}

static void begin_replacing(const struct ag_derivation *d, size_t at, size_t more, struct arena *a,
                            struct ag_derivation *out)
{
    begin_edit(a, d->n + more, out);
    put_range(out, d, 0, at);
}

static bool end_replacing(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                          struct ag_derivation *out)
{
    put_range(out, d, at + d->at[at].span, d->n);
    ag_derivation_settle(s, out);
    return true;
}

/* -- edits ------------------------------------------------------------------------------------- */

bool ag_edit_free(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                  struct arena *a, struct ag_derivation *out)
{
    if (!at)
        return false;
    begin_replacing(d, at, 1, a, out);
    put_free(out, d->at[at].class);
    return end_replacing(s, d, at, out);
}

bool ag_edit_graft(const struct ag_search *s, const struct ag_derivation *d, size_t at, size_t from,
                   struct arena *a, struct ag_derivation *out)
{
    if (d->at[at].class != d->at[from].class || at == from)
        return false;
    begin_replacing(d, at, d->at[from].span, a, out);
    put_subtree(out, d, from);
    return end_replacing(s, d, at, out);
}

bool ag_edit_simplest(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                      struct arena *a, struct ag_derivation *out)
{
    if (ag_derived_simplest(s, d, at))
        return false;
    if (!is_tree(s, &d->at[at]))
        return ag_edit_free(s, d, at, a, out);
    begin_edit(a, d->n, out);
    put_range(out, d, 0, d->n);
    out->at[at].number = 0;
    return true;
}

/* The children of `p` are taken from those of the node at `from`, in order, where their classes are
 * the same; one for which there is none becomes free. How many were found. */
static int put_with(const struct ag_search *s, const struct ag_derivation *d, size_t from,
                    const struct plan_production *p, struct ag_derivation *out)
{
    size_t left = ag_derived_children(s, d, from), child = from + 1;
    int found = 0;
    struct ag_derived n = d->at[from];
    n.production = p->rank;
    n.text = NULL;
    n.size = 0;
    put(out, n);
    for (int i = 0; i < p->n_children; i++) {
        int32_t class = (int32_t)(p->children[i] - s->plan->classes);
        size_t k = 0, at = child;
        for (; k < left && d->at[at].class != class; k++)
            at += d->at[at].span;
        if (k == left) {
            put_free(out, class);
            continue;
        }
        put_subtree(out, d, at);
        child = at + d->at[at].span;
        left -= k + 1;
        found++;
    }
    return found;
}

bool ag_edit_production(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                        int production, struct arena *a, struct ag_derivation *out)
{
    const struct plan_class *c = &s->plan->classes[d->at[at].class];
    const struct plan_production *p = c->productions[production];
    if (!is_tree(s, &d->at[at]))
        return false;
    begin_replacing(d, at, (size_t)p->n_children, a, out);
    return put_with(s, d, at, p, out) && end_replacing(s, d, at, out);
}

bool ag_edit_fresh(const struct ag_search *s, const struct ag_derivation *d, size_t at,
                   int production, struct arena *a, struct ag_derivation *out)
{
    int32_t class = d->at[at].class;
    const struct plan_production *p = s->plan->classes[class].productions[production];
    if (!is_tree(s, &d->at[at]))
        return false;
    begin_replacing(d, at, (size_t)p->n_children + 1, a, out);
    put(out, (struct ag_derived){.class = class, .production = production});
    for (int i = 0; i < p->n_children; i++)
        put_free(out, (int32_t)(p->children[i] - s->plan->classes));
    return end_replacing(s, d, at, out);
}

/* -- lists ------------------------------------------------------------------------------------- */

typedef VEC(size_t) links;

/* The links that are left when elements first .. first + n - 1 are gone. */
static links links_left(const struct ag_search *s, const struct ag_derivation *d, size_t list,
                        size_t first, size_t n)
{
    links left = {0};
    size_t i = 0;
    for (size_t link = list, next = 1; next; link = next, i++) {
        next = next_link(s, d, link);
        bool ends = !next && !ag_derived_children(s, d, link);
        if (i < first || i >= first + n || ends)
            vec_push(&left, link);
    }
    return left;
}

/* A link with its children up to its rest, or from there on. */
static void put_before_rest(const struct ag_search *s, const struct ag_derivation *d, size_t link,
                            struct ag_derivation *out)
{
    size_t rest = next_link(s, d, link);
    put_range(out, d, link, rest ? rest : link + d->at[link].span);
}

static void put_behind_rest(const struct ag_search *s, const struct ag_derivation *d, size_t link,
                            struct ag_derivation *out)
{
    size_t rest = next_link(s, d, link);
    if (rest)
        put_range(out, d, rest + d->at[rest].span, link + d->at[link].span);
}

/* Each link holds the next one: what stands before the rest is written on the way in, what stands
 * behind it on the way out. Where the link that ended the list is gone, the last one that is left
 * ends it, with the production that lists are shortened to. */
static bool put_links(const struct ag_search *s, const struct ag_derivation *d, const links *left,
                      struct ag_derivation *out)
{
    size_t last = left->at[left->n - 1];
    bool ends = !next_link(s, d, last);
    const struct plan_production *base = s->plan->classes[d->at[last].class].base;
    if (!ends && !base)
        return false;
    for (size_t i = 0; i + 1 < left->n; i++)
        put_before_rest(s, d, left->at[i], out);
    if (ends)
        put_subtree(out, d, last);
    else
        put_with(s, d, last, base, out);
    for (size_t i = left->n - 1; i-- > 0;)
        put_behind_rest(s, d, left->at[i], out);
    return true;
}

bool ag_edit_drop(const struct ag_search *s, const struct ag_derivation *d, size_t list,
                  size_t first, size_t n, struct arena *a, struct ag_derivation *out)
{
    size_t length = ag_list_length(s, d, list);
    if (!n || first >= length)
        return false;
    links left = links_left(s, d, list, first, n);
    bool done = true;
    if (!left.n) {
        done = ag_edit_free(s, d, list, a, out);
    } else {
        /* the children of a production that none of the links had are the only new nodes */
        const struct plan_production *base = s->plan->classes[d->at[list].class].base;
        begin_replacing(d, list, base ? (size_t)base->n_children : 0, a, out);
        done = put_links(s, d, &left, out) && end_replacing(s, d, list, out);
    }
    vec_release(&left);
    return done;
}

/* -- splicing ---------------------------------------------------------------------------------- */

struct splice {
    const struct ag_search *search;
    const struct ag_derivation *d;
    struct ag_derivation *out;
    size_t link;                        /* of the outer list; its element goes */
    int32_t class;                      /* of elements */
    const struct plan_production *own;  /* of the link */
    const struct plan_production *more; /* for those that stand before another */
    links elements;                     /* that take its place */
};

/* Those that are in no other. */
static void find_parts(struct splice *p, size_t element)
{
    const struct ag_derived *at = p->d->at;
    for (size_t i = element + 1; i < element + at[element].span;) {
        bool found = at[i].class == p->class;
        if (found)
            vec_push(&p->elements, i);
        i += found ? at[i].span : 1;
    }
}

static bool has_one(const struct splice *p, const struct plan_production *q)
{
    int n = 0;
    for (int i = 0; i < q->n_children; i++)
        n += q->children[i] == &p->search->plan->classes[p->class];
    return n == 1;
}

/* The link's own production, where it has a rest; or else the simplest with an element and one. */
static void find_more(struct splice *p)
{
    const struct plan_class *list = p->own->class;
    p->more = p->own->rest >= 0 ? p->own : NULL;
    for (int i = 0; i < list->n_productions && !p->more; i++)
        if (list->productions[i]->rest >= 0 && has_one(p, list->productions[i]))
            p->more = list->productions[i];
}

/* Children from .. to - 1 of a link of this production: the element is the one given, others are
 * the old link's if that had the same production, or else free. */
static void put_children(struct splice *p, const struct plan_production *q, size_t element,
                         int from, int to)
{
    for (int i = from; i < to; i++) {
        int32_t class = (int32_t)(q->children[i] - p->search->plan->classes);
        if (class == p->class)
            put_subtree(p->out, p->d, element);
        else if (q == p->own)
            put_subtree(p->out, p->d, ag_derived_child(p->d, p->link, (size_t)i));
        else
            put_free(p->out, class);
    }
}

static void put_link(struct splice *p, const struct plan_production *q)
{
    struct ag_derived n = p->d->at[p->link];
    n.production = q->rank;
    n.text = q == p->own ? n.text : NULL;
    n.size = q == p->own ? n.size : 0;
    put(p->out, n);
}

/* As put_links: a link holds the next one. The innermost has what the old link had for its rest. */
static void put_elements(struct splice *p)
{
    size_t n = p->elements.n, holders = p->own->rest >= 0 ? n : n - 1;
    for (size_t i = 0; i < holders; i++) {
        put_link(p, p->more);
        put_children(p, p->more, p->elements.at[i], 0, p->more->rest);
    }
    if (p->own->rest >= 0) {
        put_subtree(p->out, p->d, next_link(p->search, p->d, p->link));
    } else {
        put_link(p, p->own);
        put_children(p, p->own, p->elements.at[n - 1], 0, p->own->n_children);
    }
    for (size_t i = holders; i-- > 0;)
        put_children(p, p->more, p->elements.at[i], p->more->rest + 1, p->more->n_children);
}

bool ag_edit_splice(const struct ag_search *s, const struct ag_derivation *d, size_t element,
                    struct arena *a, struct ag_derivation *out)
{
    if (!is_element(s, d, element))
        return false;
    struct splice p = {.search = s,
                       .d = d,
                       .out = out,
                       .link = d->at[element].parent,
                       .class = d->at[element].class};
    p.own = production_of(s, &d->at[p.link]);
    find_parts(&p, element);
    find_more(&p);
    bool fits = p.elements.n && p.more && has_one(&p, p.own);
    if (fits) {
        /* for each element a link, with copies of what else the old one has or with free nodes */
        size_t rest = next_link(s, d, p.link);
        size_t others = d->at[p.link].span - d->at[element].span - (rest ? d->at[rest].span : 0);
        begin_replacing(d, p.link, p.elements.n * (others + (size_t)p.more->n_children + 1), a,
                        out);
        put_elements(&p);
        end_replacing(s, d, p.link, out);
    }
    vec_release(&p.elements);
    return fits;
}
