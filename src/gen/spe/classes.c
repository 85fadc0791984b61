/* Which variables are interchangeable: exchange two of a class in every hole, and the program does
 * the same (mode sound). With the declarations kept, two variables that are initialised differently
 * are not, though they are of one scope: that is where modes compact and sound part.
 *
 * That no use stands between two declarations is no question here: skeleton.c opens a scope for a
 * declaration behind a hole. */
#include "gen/spe/skeleton_internal.h"

const char *const skeleton_alone_text[SKELETON_N_ALONE] = {SKELETON_ALONE_TABLE(WORD_NAME)};

static const struct parsed_node *initialiser(const struct survey *s,
                                             const struct survey_variable *v)
{
    const struct parsed_node *n = &s->parsed->nodes[s->parsed->nodes[v->node].first];
    return n->kind == PARSED_NONE ? NULL : n;
}

/* `-1` is a literal for us. */
static bool is_literal(const struct survey *s, const struct parsed_node *n)
{
    if (n->kind == PARSED_UNARY && (n->op == '-' || n->op == '+'))
        n = &s->parsed->nodes[n->first];
    return (n->kind == PARSED_INT || n->kind == PARSED_FLOAT) &&
           !(n->flags & (PARSED_FOLDED | PARSED_IN_MACRO)) && n->begin < n->end;
}

enum skeleton_alone skeleton_alone(const struct survey *s, const struct survey_variable *v)
{
    const struct parsed_node *n = &s->parsed->nodes[v->node], *init = initialiser(s, v);
    if (n->kind == PARSED_PARAM)
        return SKELETON_ALONE_PARAMETER;
    if (n->kind != PARSED_VAR)
        return SKELETON_ALONE_OTHER;
    if (n->flags & (PARSED_EXTERN | PARSED_INCLUDED))
        return SKELETON_ALONE_EXTERN;
    if (n->flags & PARSED_ATTRIBUTES)
        return SKELETON_ALONE_ATTRIBUTES;
    if (v->redeclared)
        return SKELETON_ALONE_REDECLARED;
    if (init && !is_literal(s, init))
        return SKELETON_ALONE_INITIALISER;
    if (v->elsewhere)
        return SKELETON_ALONE_ELSEWHERE;
    return v->quoted ? SKELETON_ALONE_QUOTED : SKELETON_ALONE_NO;
}

/* The same characters: 0 and 0x0 are different enough. */
static bool same_text(const struct survey *s, const struct parsed_node *a,
                      const struct parsed_node *b)
{
    uint32_t n = a->end - a->begin;
    return n == b->end - b->begin &&
           !memcmp(s->parsed->source + a->begin, s->parsed->source + b->begin, n);
}

bool skeleton_interchangeable(const struct survey *s, const struct survey_variable *a,
                              const struct survey_variable *b)
{
    const struct parsed_node *x = &s->parsed->nodes[a->node], *y = &s->parsed->nodes[b->node];
    const struct parsed_node *p = initialiser(s, a), *q = initialiser(s, b);
    const int storage = PARSED_GLOBAL | PARSED_STATIC | PARSED_REGISTER | PARSED_THREAD;
    return x->type == y->type && a->unseen == b->unseen &&
           (x->flags & storage) == (y->flags & storage) && !p == !q && (!p || same_text(s, p, q));
}
