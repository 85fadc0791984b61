/* Tables that grow, and the step from entities to nodes at their end.
 *
 * A type is looked up by a text of all that makes it the type it is, without its name: two ways to
 * spell it have one number. Types are made of earlier ones, so that numbers fall from the whole to
 * its parts; nodes get numbers that rise from the whole to its parts when they are handed over.
 * Both orders are promises to the readers (parsed_check), who may follow them without a check. */
#include "cc/import/tables.h"

void tables_init(struct tables *t)
{
    *t = (struct tables){0};
    strbuf_init(&t->strings, 0);
    strbuf_addc(&t->strings, '\0');
    map_init(&t->names);
    map_init(&t->types_by_text);
    tables_node(t, PARSED_NONE, NULL);
    vec_push(&t->types, (struct parsed_type){0});
    tables_entity(t);
}

void tables_release(struct tables *t)
{
    vec_release(&t->nodes);
    vec_release(&t->offsets);
    vec_release(&t->types);
    vec_release(&t->params);
    vec_release(&t->entities);
    strbuf_release(&t->strings);
    map_release(&t->names);
    map_release(&t->types_by_text);
}

uint32_t tables_name(struct tables *t, const char *name)
{
    bool added;
    if (!*name)
        return 0;
    struct map_entry *e = map_put_str(&t->names, name, &added);
    if (added) {
        e->value.number = t->strings.n;
        strbuf_add(&t->strings, name, strlen(name) + 1);
    }
    return (uint32_t)e->value.number;
}

void tables_set_text(struct tables *t, uint32_t node, const char *s, size_t n)
{
    t->nodes.at[node].text = (uint32_t)t->strings.n;
    t->nodes.at[node].text_size = (uint32_t)n;
    strbuf_add(&t->strings, s, n);
    strbuf_addc(&t->strings, '\0');
}

uint32_t tables_node(struct tables *t, enum parsed_kind kind, struct tables_list *to)
{
    uint32_t i = (uint32_t)t->nodes.n;
    vec_push(&t->nodes, (struct parsed_node){.kind = (uint16_t)kind});
    vec_push(&t->offsets, 0);
    if (to)
        tables_append(t, to, i);
    return i;
}

void tables_append(struct tables *t, struct tables_list *to, uint32_t node)
{
    if (to->last)
        t->nodes.at[to->last].next = node;
    else
        to->first = node;
    to->last = node;
}

uint32_t tables_entity(struct tables *t)
{
    vec_push(&t->entities, (struct tables_entity){0});
    return (uint32_t)t->entities.n - 1;
}

void tables_declare(struct tables *t, uint32_t entity, uint32_t node, enum tables_rank rank)
{
    struct tables_entity *e = &t->entities.at[entity];
    if (entity && rank > e->rank)
        *e = (struct tables_entity){.node = node, .rank = rank};
    uint16_t kind = t->nodes.at[node].kind;
    if (kind == PARSED_FUNCTION || kind == PARSED_VAR)
        t->nodes.at[node].ref = entity;
}

/* -- types ------------------------------------------------------------------------------------ */

uint32_t tables_type(struct tables *t, const struct parsed_type *type)
{
    bool added;
    char head[160];
    struct strbuf key;
    strbuf_init(&key, 0);
    int n = snprintf(head, sizeof head, "%u %u %u %u %llx %llx %llx %d %d %u", type->kind,
                     type->quals, type->to, type->decl, (unsigned long long)type->length,
                     (unsigned long long)type->size, (unsigned long long)type->align,
                     type->variadic, type->unprototyped, type->n_params);
    strbuf_add(&key, head, (size_t)n);
    if (type->n_params)
        strbuf_add(&key, &t->params.at[type->params], type->n_params * sizeof *t->params.at);
    if (type->kind == PARSED_T_OTHER)
        strbuf_adds(&key, t->strings.s + type->name);
    struct map_entry *e = map_put(&t->types_by_text, key.s, key.n, &added);
    if (added) {
        e->value.number = t->types.n;
        vec_push(&t->types, *type);
    } else if (type->n_params) {
        t->params.n = type->params;
    }
    strbuf_release(&key);
    return (uint32_t)e->value.number;
}

/* The type under another name; types are named for people only. */
static uint32_t named_type(struct tables *t, struct parsed_type type, const char *before,
                           const char *name, const char *behind)
{
    struct strbuf text;
    strbuf_init(&text, 0);
    strbuf_addf(&text, "%s%s%s", before, name, behind);
    type.name = tables_name(t, text.s);
    uint32_t number = tables_type(t, &type);
    strbuf_release(&text);
    return number;
}

static const char *type_name(const struct tables *t, uint32_t type)
{
    return t->strings.s + t->types.at[type].name;
}

uint32_t tables_pointer_to(struct tables *t, uint32_t type, uint64_t size)
{
    struct parsed_type pointer = {
        .kind = PARSED_T_POINTER, .to = type, .size = size, .align = size, .complete = true};
    return named_type(t, pointer, "", type_name(t, type), " *");
}

static bool is_array(const struct parsed_type *type)
{
    return type->kind == PARSED_T_ARRAY || type->kind == PARSED_T_INCOMPLETE_ARRAY ||
           type->kind == PARSED_T_VLA;
}

static const char *const quals_name[] = {
    [PARSED_CONST] = "const ",
    [PARSED_VOLATILE] = "volatile ",
    [PARSED_CONST | PARSED_VOLATILE] = "const volatile ",
    [0] = "",
};

uint32_t tables_qualified(struct tables *t, uint32_t type, uint16_t quals)
{
    struct parsed_type q = t->types.at[type];
    if ((q.quals | quals) == q.quals)
        return type;
    if (is_array(&q))
        q.to = tables_qualified(t, q.to, quals);
    else
        q.quals |= quals;
    return named_type(t, q, quals_name[quals & 3], type_name(t, type), "");
}

/* -- the end ---------------------------------------------------------------------------------- */

/* Preorder numbers of the nodes that are part of the tree; how many. By a stack of our own: a
 * child comes before its parent's next sibling. */
static uint32_t number_nodes(const struct tables *t, uint32_t unit, uint32_t *number)
{
    VEC(uint32_t) waiting = {0};
    uint32_t n = 1;
    vec_push(&waiting, unit);
    while (waiting.n) {
        uint32_t i = waiting.at[--waiting.n];
        number[i] = n++;
        if (t->nodes.at[i].next)
            vec_push(&waiting, t->nodes.at[i].next);
        if (t->nodes.at[i].first)
            vec_push(&waiting, t->nodes.at[i].first);
    }
    vec_release(&waiting);
    return n;
}

static void settle_nodes(const struct tables *t, const uint32_t *number, struct parsed *out)
{
    for (size_t i = 1; i < t->nodes.n; i++) {
        struct parsed_node *n = &out->nodes[number[i]];
        if (!number[i])
            continue;
        *n = t->nodes.at[i];
        n->first = number[n->first];
        n->next = number[n->next];
        n->ref = number[t->entities.at[n->ref].node];
        out->offsets[number[i]] = t->offsets.at[i];
        /* a name that leads nowhere: a parameter of the type of a pointer to a function, say */
        if (n->kind == PARSED_USE && !n->ref)
            n->kind = PARSED_OTHER_EXPR;
    }
}

static uint32_t count_macro_uses(const struct parsed *p)
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < p->n_nodes; i++) {
        const struct parsed_node *n = &p->nodes[i];
        uint16_t to = p->nodes[n->ref].kind;
        count += n->kind == PARSED_USE && n->flags & PARSED_IN_MACRO && n->end &&
                 (to == PARSED_VAR || to == PARSED_PARAM);
    }
    return count;
}

void tables_hand_over(const struct tables *t, uint32_t unit, const char *source, size_t n,
                      struct arena *arena, struct parsed *out)
{
    size_t size = t->nodes.n * sizeof(uint32_t);
    uint32_t *number = mem_alloc(size);
    memset(number, 0, size);
    *out = (struct parsed){.n_nodes = number_nodes(t, unit, number),
                           .n_types = (uint32_t)t->types.n,
                           .n_params = (uint32_t)t->params.n,
                           .n_strings = (uint32_t)t->strings.n,
                           .source_size = (uint32_t)n};
    out->nodes = arena_array(arena, struct parsed_node, out->n_nodes);
    out->offsets = arena_array(arena, uint64_t, out->n_nodes);
    out->types = (void *)arena_memdup(arena, t->types.at, t->types.n * sizeof *t->types.at);
    out->params = (void *)arena_memdup(arena, t->params.at, t->params.n * sizeof *t->params.at);
    out->strings = arena_memdup(arena, t->strings.s, t->strings.n);
    out->source = arena_memdup(arena, source, n);
    settle_nodes(t, number, out);
    for (uint32_t i = 1; i < out->n_types; i++)
        out->types[i].decl = number[t->entities.at[out->types[i].decl].node];
    out->macro_uses = count_macro_uses(out);
    free(number);
}
