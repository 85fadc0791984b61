#include "gen/graft/cut.h"

#include "base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct cut {
    const struct parsed *p;
    bool *needed; /* by node */
    VEC(uint32_t) todo;
};

bool cut_is_function(const struct parsed *p, uint32_t node)
{
    const struct parsed_node *n = &p->nodes[node];
    return n->kind == PARSED_FUNCTION && (n->flags & PARSED_DEFINED) &&
           !(n->flags & (PARSED_INCLUDED | PARSED_IN_MACRO)) && n->end > n->begin &&
           n->end <= p->source_size;
}

/* Of declarations of one thing, that which defines it. */
static void need(struct cut *c, uint32_t node)
{
    const struct parsed_node *n = &c->p->nodes[node];
    bool top = n->kind == PARSED_FUNCTION || (n->kind == PARSED_VAR && n->flags & PARSED_GLOBAL);
    if (!top || c->needed[node])
        return;
    c->needed[node] = true;
    vec_push(&c->todo, node);
    if (n->ref)
        need(c, n->ref);
}

static void need_below(struct cut *c, uint32_t node)
{
    const struct parsed_node *n = &c->p->nodes[node];
    if (n->kind == PARSED_USE && n->ref)
        need(c, n->ref);
    for (uint32_t i = n->first; i; i = c->p->nodes[i].next)
        need_below(c, i);
}

static void blank(char *text, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

/* Its body goes; one in the old style goes as a whole, since what declares its parameters is no
 * declaration of it. */
static void drop_body(const struct parsed *p, const struct parsed_node *f, char *text)
{
    for (uint32_t i = f->first; i; i = p->nodes[i].next) {
        const struct parsed_node *b = &p->nodes[i];
        if (b->kind != PARSED_BLOCK || b->begin <= f->begin || b->begin >= f->end)
            continue;
        uint32_t last = b->begin;
        while (last > f->begin && isspace((unsigned char)text[last - 1]))
            last--;
        if (text[last - 1] == ';') {
            blank(text, f->begin, f->end);
        } else {
            blank(text, b->begin, f->end);
            text[b->begin] = ';';
        }
        return;
    }
}

/* Do other declarations share its text, `struct s { int i; } a, b;`? */
static bool is_alone(const struct parsed *p, uint32_t node)
{
    const struct parsed_node *v = &p->nodes[node];
    for (uint32_t i = p->nodes[1].first; i; i = p->nodes[i].next) {
        const struct parsed_node *n = &p->nodes[i];
        if (i != node && !(n->flags & PARSED_INCLUDED) && n->begin < v->end && n->end > v->begin)
            return false;
    }
    return true;
}

static void drop_initialiser(const struct parsed *p, const struct parsed_node *v, char *text)
{
    const struct parsed_node *init = v->first ? &p->nodes[v->first] : NULL;
    if (!init || init->kind == PARSED_NONE || init->flags & PARSED_IN_MACRO ||
        init->begin <= v->at || init->end > p->source_size || init->end <= init->begin)
        return;
    uint32_t from = init->begin;
    while (from > v->at && isspace((unsigned char)text[from - 1]))
        from--;
    if (from > v->at && text[from - 1] == '=')
        blank(text, from - 1, init->end);
}

void cut_function(const struct parsed *p, uint32_t node, struct strbuf *out)
{
    struct cut c = {.p = p, .needed = mem_alloc((p->n_nodes + 1) * sizeof *c.needed)};
    memset(c.needed, 0, (p->n_nodes + 1) * sizeof *c.needed);
    need(&c, node);
    while (c.todo.n)
        need_below(&c, c.todo.at[--c.todo.n]);
    size_t start = out->n;
    strbuf_add(out, p->source, p->source_size);
    char *text = out->s + start;
    for (uint32_t i = p->nodes[1].first; i; i = p->nodes[i].next) {
        const struct parsed_node *n = &p->nodes[i];
        if (c.needed[i] || n->flags & (PARSED_INCLUDED | PARSED_IN_MACRO))
            continue;
        if (cut_is_function(p, i))
            drop_body(p, n, text);
        else if (n->kind == PARSED_VAR && n->end <= p->source_size && is_alone(p, i))
            blank(text, n->begin, n->end);
        else if (n->kind == PARSED_VAR)
            drop_initialiser(p, n, text);
    }
    vec_release(&c.todo);
    free(c.needed);
}
