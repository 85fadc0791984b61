/* Initialisers become assignments, so that their left sides are holes.
 *
 * `int a = 1, b = 0;` declares two variables that are not interchangeable; in `int a, b; a = 1;
 * b = 0;` they are, and the holes before the two `=` say which is which. That is how SPE 3.2.1
 * looks at Figure 6, whose declarations have holes.
 *
 * Declarations in a row are treated as one, so that theirs is one scope: the assignments follow the
 * last of them, in order. A row ends before a declaration that has to keep an initialiser, or whose
 * meaning may depend on one (an array of variable length). Text only: what is moved is copied as it
 * stands there, macros and all. */
#include "gen/spe/skeleton_internal.h"

struct edit {         /* of the text; in order of places */
    uint32_t at, end; /* what goes */
    uint32_t name;    /* not 0: a node; the assignment to it comes here */
    uint32_t from, to;
};
typedef VEC(struct edit) edit_list;

struct hoister {
    const struct parsed *p;
    const struct skeleton_options *o;
    edit_list edits, row; /* `row`: assignments that are due after the declarations */
    int moved;
};

static const struct parsed_node *node_of(const struct hoister *h, uint32_t node)
{
    return &h->p->nodes[node];
}

static bool has_initialiser(const struct hoister *h, const struct parsed_node *n)
{
    return n->kind == PARSED_VAR && node_of(h, n->first)->kind != PARSED_NONE;
}

/* The `=` behind the name; 0 where something else follows. */
static uint32_t find_equals(const struct hoister *h, const struct parsed_node *n)
{
    const char *name = parsed_string(h->p, n->name), *text = h->p->source;
    if ((n->flags & PARSED_IN_MACRO) || !names_is(h->p, n->at, name))
        return 0;
    uint32_t at = names_skip_space(text, h->p->source_size, n->at + (uint32_t)strlen(name));
    return at < n->end && text[at] == '=' ? at : 0;
}

static bool can_move(const struct hoister *h, const struct parsed_node *n)
{
    const int kept = PARSED_STATIC | PARSED_EXTERN | PARSED_GLOBAL | PARSED_THREAD |
                     PARSED_ATTRIBUTES | PARSED_IN_MACRO;
    if ((n->flags & kept) || (h->p->types[n->type].quals & PARSED_CONST) ||
        !skeleton_type_has_holes(h->p, n->type, h->o) || !find_equals(h, n) ||
        memchr(h->p->source + n->at, '{', n->end - n->at))
        return false; /* a brace: a list, or a statement expression with declarations of its own */
    uint32_t after = names_skip_space(h->p->source, h->p->source_size, n->end);
    return after < h->p->source_size && strchr(",;", h->p->source[after]);
}

/* Would the declaration be text that we do not understand? */
static bool is_plain_text(const struct hoister *h, const struct parsed_node *decls)
{
    const char *begin = h->p->source + decls->begin;
    size_t n = decls->end - decls->begin;
    return decls->end > decls->begin && decls->end <= h->p->source_size &&
           !(decls->flags & PARSED_IN_MACRO) && !memchr(begin, '#', n) &&
           !memmem(begin, n, "__auto_type", 11) && begin[n - 1] == ';';
}

/* Does the name stand in this piece of the text? */
static bool mentions(const struct hoister *h, uint32_t from, uint32_t to, const char *name)
{
    struct scan scan = {&scan_c, h->p->source, to, from};
    struct name_at found;
    while (names_next(&scan, &found))
        if (names_is(h->p, found.at, name))
            return true;
    return false;
}

/* `int a = b, b = 2;`: moved behind its declaration, the initialiser would mean the other b. */
static bool captures_own(const struct hoister *h, const struct parsed_node *decls)
{
    for (uint32_t v = decls->first; v; v = node_of(h, v)->next)
        for (uint32_t w = node_of(h, v)->next; w; w = node_of(h, w)->next)
            if (mentions(h, node_of(h, v)->at, node_of(h, v)->end,
                         parsed_string(h->p, node_of(h, w)->name)))
                return true;
    return false;
}

static bool captures_row(const struct hoister *h, const struct parsed_node *decls)
{
    for (uint32_t v = decls->first; v; v = node_of(h, v)->next)
        for (size_t i = 0; i < h->row.n; i++)
            if (mentions(h, h->row.at[i].from, h->row.at[i].to,
                         parsed_string(h->p, node_of(h, v)->name)))
                return true;
    return false;
}

/* Every initialiser in it can be moved, and nothing in it needs one that is moved. */
static bool may_join(const struct hoister *h, const struct parsed_node *decls)
{
    if (decls->kind != PARSED_DECLS || !is_plain_text(h, decls) || captures_own(h, decls))
        return false;
    for (uint32_t v = decls->first; v; v = node_of(h, v)->next) {
        const struct parsed_node *n = node_of(h, v);
        if (n->kind != PARSED_VAR || h->p->types[n->type].kind == PARSED_T_VLA ||
            (has_initialiser(h, n) && !can_move(h, n)))
            return false;
    }
    return true;
}

static void move_initialisers(struct hoister *h, const struct parsed_node *decls)
{
    for (uint32_t v = decls->first; v; v = node_of(h, v)->next) {
        const struct parsed_node *n = node_of(h, v);
        if (!has_initialiser(h, n))
            continue;
        uint32_t name_end = n->at + (uint32_t)strlen(parsed_string(h->p, n->name));
        vec_push(&h->edits, (struct edit){.at = name_end, .end = n->end});
        vec_push(&h->row,
                 (struct edit){.at = 0, .name = v, .from = find_equals(h, n) + 1, .to = n->end});
    }
}

static void end_row(struct hoister *h, uint32_t at)
{
    for (size_t i = 0; i < h->row.n; i++) {
        h->row.at[i].at = h->row.at[i].end = at;
        vec_push(&h->edits, h->row.at[i]);
    }
    h->moved += (int)h->row.n;
    h->row.n = 0;
}

static void hoist_block(struct hoister *h, const struct parsed_node *block)
{
    uint32_t end = 0;
    for (uint32_t s = block->first; s; s = node_of(h, s)->next) {
        const struct parsed_node *n = node_of(h, s);
        if (!may_join(h, n)) {
            end_row(h, end);
            continue;
        }
        if (captures_row(h, n))
            end_row(h, end);
        move_initialisers(h, n);
        end = n->end;
    }
    end_row(h, end);
}

/* Edits come from outer blocks first; a place that is reached twice keeps the order. */
static void sort_edits(edit_list *list)
{
    for (size_t i = 1; i < list->n; i++) {
        struct edit e = list->at[i];
        size_t k = i;
        for (; k && list->at[k - 1].at > e.at; k--)
            list->at[k] = list->at[k - 1];
        list->at[k] = e;
    }
}

static void apply(const struct hoister *h, struct strbuf *out)
{
    uint32_t done = 0;
    for (size_t i = 0; i < h->edits.n; i++) {
        const struct edit *e = &h->edits.at[i];
        strbuf_add(out, h->p->source + done, e->at - done);
        if (e->name) {
            const char *name = parsed_string(h->p, node_of(h, e->name)->name);
            strbuf_addf(out, " %s =%.*s;", name, (int)(e->to - e->from), h->p->source + e->from);
        }
        done = e->end;
    }
    strbuf_add(out, h->p->source + done, h->p->source_size - done);
}

int skeleton_hoist(const struct parsed *parsed, const struct skeleton_options *o,
                   struct strbuf *out)
{
    struct hoister h = {.p = parsed, .o = o};
    for (uint32_t i = 1; i < parsed->n_nodes; i++)
        if (parsed->nodes[i].kind == PARSED_BLOCK &&
            !(parsed->nodes[i].flags & (PARSED_IN_MACRO | PARSED_INCLUDED)))
            hoist_block(&h, &parsed->nodes[i]);
    sort_edits(&h.edits);
    apply(&h, out);
    vec_release(&h.edits);
    vec_release(&h.row);
    return h.moved;
}
