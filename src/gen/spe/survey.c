/* The parsed tree as a list of events in textual order.
 *
 * One walk, no options: scopes open and close, variables are declared, variables are used. Each use
 * keeps the list of names that it sees, and the reason why it can be no hole, if there is one. What
 * it takes to be a hole besides (its type, its function) is skeleton.c's business. */
#include "gen/spe/skeleton_internal.h"

/* What holds for an expression because of what stands around it. */
struct context {
    bool addressed; /* `&` takes its address, or that of a part of it */
    bool constant;  /* in the initialiser of an object of static storage */
    int left;       /* enum skeleton_left: no use in here is a hole; -1 */
};

struct walker {
    struct survey *s;
    const struct seen *seen;
    const struct seen *members; /* of all structures so far: a name space of their own */
    int function;               /* -1: file scope */
};

static const struct parsed_node *node_of(const struct walker *w, uint32_t node)
{
    return &w->s->parsed->nodes[node];
}

static const char *name_of(const struct walker *w, uint32_t node)
{
    return parsed_string(w->s->parsed, node_of(w, node)->name);
}

static void event(struct walker *w, enum survey_kind kind, int what)
{
    vec_push(&w->s->events, (struct survey_event){kind, what});
}

/* -- names ------------------------------------------------------------------------------------- */

static void see(struct walker *w, const char *name, int variable)
{
    struct seen *seen = arena_new(w->s->arena, struct seen);
    *seen = (struct seen){intern(&w->s->names, name, strlen(name)), variable, w->seen};
    w->seen = seen;
}

static void know(struct walker *w, uint32_t node)
{
    const struct parsed_node *n = node_of(w, node);
    if (!(n->flags & PARSED_INCLUDED) && names_is(w->s->parsed, n->at, name_of(w, node)))
        w->s->marks[n->at] |= NAMES_KNOWN;
}

/* A variable's declarations all have one node that stands for it. */
static uint32_t canonical(const struct walker *w, uint32_t node)
{
    uint32_t ref = node_of(w, node)->ref;
    return ref ? ref : node;
}

static int new_variable(struct walker *w, uint32_t node)
{
    const struct parsed_node *n = node_of(w, node);
    const char *name = name_of(w, node);
    bool in_place = (n->flags & PARSED_INCLUDED) ||
                    (!(n->flags & PARSED_IN_MACRO) && names_is(w->s->parsed, n->at, name));
    bool is_static = n->kind == PARSED_VAR &&
                     (n->flags & (PARSED_GLOBAL | PARSED_STATIC | PARSED_EXTERN | PARSED_THREAD));
    vec_push(&w->s->variables, (struct survey_variable){
                                   .node = node,
                                   .name = intern(&w->s->names, name, strlen(name)),
                                   .function = w->function,
                                   .takes_part = *name && in_place,
                                   .static_storage = is_static,
                                   .constant_address = is_static && !(n->flags & PARSED_THREAD),
                               });
    return (int)w->s->variables.n - 1;
}

/* From here on the name stands for the variable. */
static void declare(struct walker *w, uint32_t node)
{
    uint32_t main = canonical(w, node);
    int variable = w->s->variable_of[main];
    know(w, node);
    if (variable < 0) {
        variable = w->s->variable_of[main] = new_variable(w, main);
        event(w, SURVEY_DECLARE, variable);
    } else {
        w->s->variables.at[variable].redeclared = true;
    }
    see(w, name_of(w, node), variable);
}

/* A function or an enumerator: hides what was called so, and stands in holes where any name may. */
static void declare_other(struct walker *w, uint32_t node)
{
    if (w->s->any && !(node_of(w, node)->flags & PARSED_INCLUDED))
        declare(w, node);
    else
        see(w, name_of(w, node), -1);
}

/* A name that is only a candidate. */
static void declare_type(struct walker *w, uint32_t node)
{
    if (w->s->any && !(node_of(w, node)->flags & PARSED_INCLUDED) && *name_of(w, node)) {
        int variable = w->s->variable_of[node] = new_variable(w, node);
        w->s->variables.at[variable].takes_part = true; /* wherever its name stands in there */
        event(w, SURVEY_DECLARE, variable);
        see(w, name_of(w, node), variable);
    } else {
        see(w, name_of(w, node), -1);
    }
}

static void declare_member(struct walker *w, uint32_t node)
{
    const char *name = name_of(w, node);
    uint32_t number = intern(&w->s->names, name, strlen(name));
    int variable = -1;
    for (const struct seen *m = w->members; m && variable < 0; m = m->up)
        variable = m->name == number ? m->variable : -1;
    if (variable < 0) {
        const struct seen *ordinary = w->seen;
        variable = new_variable(w, node);
        w->s->variables.at[variable].takes_part = w->s->variables.at[variable].member = true;
        event(w, SURVEY_DECLARE, variable);
        w->seen = w->members;
        see(w, name, variable);
        w->members = w->seen;
        w->seen = ordinary;
    }
    w->s->variable_of[node] = variable;
}

static void declare_members(struct walker *w, uint32_t record)
{
    if (!w->s->any || (node_of(w, record)->flags & PARSED_INCLUDED))
        return;
    for (uint32_t f = node_of(w, record)->first; f; f = node_of(w, f)->next)
        if (node_of(w, f)->kind == PARSED_FIELD && *name_of(w, f))
            declare_member(w, f);
}

/* `x.m`: the name is the end of it. */
static void use_member(struct walker *w, uint32_t node, struct context c)
{
    const struct parsed_node *n = node_of(w, node);
    int variable = w->s->any && n->ref ? w->s->variable_of[n->ref] : -1;
    if (variable < 0)
        return;
    const char *name = name_of(w, n->ref);
    uint32_t size = (uint32_t)strlen(name);
    if ((n->flags & PARSED_IN_MACRO) || n->end < size ||
        !names_is(w->s->parsed, n->end - size, name))
        return;
    w->s->variables.at[variable].n_uses++;
    vec_push(&w->s->uses, (struct survey_use){.node = node,
                                              .at = n->end - size,
                                              .variable = variable,
                                              .function = w->function,
                                              .seen = w->members,
                                              .left = c.left,
                                              .hole = -1});
    event(w, SURVEY_USE, (int)w->s->uses.n - 1);
}

/* May what is declared so stand in a hole? */
static bool is_name(const struct walker *w, uint16_t kind)
{
    return kind == PARSED_VAR || kind == PARSED_PARAM ||
           (w->s->any && (kind == PARSED_FUNCTION || kind == PARSED_ENUMERATOR));
}

static void use(struct walker *w, uint32_t node, struct context c)
{
    const struct parsed_node *n = node_of(w, node);
    const char *name = name_of(w, node);
    uint16_t kind = n->ref ? node_of(w, n->ref)->kind : PARSED_NONE;
    bool in_place = !(n->flags & PARSED_IN_MACRO) && names_is(w->s->parsed, n->at, name);
    if (in_place)
        w->s->marks[n->at] |= NAMES_KNOWN;
    if (!is_name(w, kind))
        return;
    int variable = w->s->variable_of[canonical(w, n->ref)];
    int left = c.left;
    if (!in_place)
        left = SKELETON_MACRO;
    else if (left < 0 && (w->s->marks[n->at] & NAMES_PASTED))
        left = SKELETON_PASTED;
    else if (left < 0 && variable < 0)
        left = SKELETON_ODD; /* its declaration is not in the tree */
    if (variable >= 0)
        w->s->variables.at[variable].n_uses++;
    vec_push(&w->s->uses, (struct survey_use){.node = node,
                                              .at = n->at,
                                              .variable = variable,
                                              .function = w->function,
                                              .seen = w->seen,
                                              .addressed = c.addressed,
                                              .constant = c.constant,
                                              .left = left,
                                              .hole = -1});
    event(w, SURVEY_USE, (int)w->s->uses.n - 1);
}

/* -- the walk ---------------------------------------------------------------------------------- */

static void walk(struct walker *w, uint32_t node, struct context c);

static void walk_list(struct walker *w, uint32_t first, struct context c)
{
    for (uint32_t child = first; child; child = node_of(w, child)->next)
        walk(w, child, c);
}

static struct context left_alone(struct context c, enum skeleton_left why)
{
    c.left = c.left < 0 ? (int)why : c.left;
    return c;
}

/* A scope of the text: what is declared in it is forgotten at its end. */
static void walk_scope(struct walker *w, uint32_t first, struct context c)
{
    const struct seen *outside = w->seen;
    event(w, SURVEY_OPEN, -1);
    walk_list(w, first, c);
    event(w, SURVEY_CLOSE, 0);
    w->seen = outside;
}

static struct scan_token solid_token(struct scan *s)
{
    scan_space(s);
    return scan_token(s);
}

static bool is_parameter(const struct walker *w, uint32_t function, const struct name_at *name)
{
    for (uint32_t p = node_of(w, function)->first; p; p = node_of(w, p)->next)
        if (node_of(w, p)->kind == PARSED_PARAM && names_is(w->s->parsed, name->at, name_of(w, p)))
            return true;
    return false;
}

/* `f(a, b) int a, b; {`: the names in the list stand for the parameters (C11 6.9.1p6), and the tree
 * does not have them. */
static void know_identifier_list(struct walker *w, uint32_t function)
{
    const struct parsed *p = w->s->parsed;
    const struct parsed_node *n = node_of(w, function);
    struct scan s = {&scan_c, p->source, n->end < p->source_size ? n->end : p->source_size, n->at};
    VEC(uint32_t) list = {0};
    struct scan_token t = solid_token(&s);
    if (!names_is(p, n->at, name_of(w, function)))
        return;
    t = solid_token(&s); /* the parenthesis */
    do {
        t = solid_token(&s);
        struct name_at name = {.at = (uint32_t)t.from};
        if (t.kind != SCAN_WORD || !is_parameter(w, function, &name))
            break;
        vec_push(&list, name.at);
        t = solid_token(&s);
    } while (scan_token_is(&s, &t, ","));
    for (size_t i = 0; scan_token_is(&s, &t, ")") && i < list.n; i++)
        w->s->marks[list.at[i]] |= NAMES_KNOWN;
    vec_release(&list);
}

static void walk_function(struct walker *w, uint32_t node, struct context c)
{
    const struct parsed_node *n = node_of(w, node);
    const struct seen *outside;
    uint32_t body = 0;
    declare_other(w, node);
    know(w, node);
    for (uint32_t child = n->first; child; child = node_of(w, child)->next)
        if (node_of(w, child)->kind == PARSED_BLOCK)
            body = child;
    if (!body || (n->flags & PARSED_INCLUDED))
        return;
    vec_push(&w->s->functions, (struct skeleton_function){name_of(w, node), node, 0});
    int outer = w->function;
    w->function = (int)w->s->functions.n - 1;
    outside = w->seen;
    know_identifier_list(w, node);
    event(w, SURVEY_OPEN, w->function);
    for (uint32_t child = n->first; child != body; child = node_of(w, child)->next) {
        walk_list(w, node_of(w, child)->first, left_alone(c, SKELETON_ODD)); /* lengths of arrays */
        if (node_of(w, child)->kind == PARSED_PARAM)
            declare(w, child);
    }
    walk_list(w, node_of(w, body)->first, c); /* one scope with the parameters: C11 6.2.1p4 */
    event(w, SURVEY_CLOSE, 0);
    w->seen = outside;
    w->function = outer;
}

static void walk_variable(struct walker *w, uint32_t node, struct context c)
{
    const struct parsed_node *n = node_of(w, node);
    if (!(n->flags & PARSED_INCLUDED) && n->first) {
        c.constant = n->flags & (PARSED_GLOBAL | PARSED_STATIC | PARSED_EXTERN | PARSED_THREAD);
        see(w, name_of(w, node), -1); /* in scope (C11 6.2.1p7), but of no use yet */
        walk_list(w, n->first, c);
    }
    declare(w, node);
}

/* `&x.m` and `&x[1]` take the address of a part of x; `&p->m` and `&p[1]` do not. */
static bool is_part_of_operand(const struct walker *w, const struct parsed_node *n)
{
    if (n->kind == PARSED_MEMBER)
        return !(n->flags & PARSED_ARROW);
    return n->kind == PARSED_INDEX &&
           w->s->parsed->types[node_of(w, n->first)->type].kind == PARSED_T_ARRAY;
}

static bool is_va_start(const struct walker *w, const struct parsed_node *call)
{
    const struct parsed_node *callee = node_of(w, call->first);
    return callee->kind == PARSED_USE &&
           !strcmp(parsed_string(w->s->parsed, callee->name), "__builtin_va_start");
}

/* The labels of a case are constants; so is the upper end of a range. */
static void walk_case(struct walker *w, uint32_t first, struct context c)
{
    for (uint32_t child = first; child; child = node_of(w, child)->next)
        walk(w, child, node_of(w, child)->next ? left_alone(c, SKELETON_CONSTANT) : c);
}

static void walk(struct walker *w, uint32_t node, struct context c)
{
    const struct parsed_node *n = node_of(w, node);
    bool addressed = c.addressed;
    c.addressed = false;
    switch (n->kind) {
    case PARSED_FUNCTION:
        walk_function(w, node, c);
        break;
    case PARSED_VAR:
        walk_variable(w, node, c);
        break;
    case PARSED_ENUMERATOR:
        declare_other(w, node);
        break;
    case PARSED_TYPEDEF:
        declare_type(w, node);
        break;
    case PARSED_RECORD:
        declare_members(w, node);
        break;
    case PARSED_PARAM: /* of a declaration without a body */
        break;
    case PARSED_BLOCK:
    case PARSED_FOR:
        walk_scope(w, n->first, c);
        break;
    case PARSED_CASE:
        walk_case(w, n->first, c);
        break;
    case PARSED_USE:
        c.addressed = addressed;
        use(w, node, c);
        break;
    case PARSED_UNARY:
        c.addressed = n->op == '&';
        walk_list(w, n->first, c);
        break;
    case PARSED_MEMBER:
        c.addressed = addressed && is_part_of_operand(w, n);
        walk_list(w, n->first, c);
        use_member(w, node, c);
        break;
    case PARSED_INDEX: /* of the index: a register array cannot be indexed anyway */
        c.addressed = addressed && is_part_of_operand(w, n);
        walk(w, n->first, c);
        c.addressed = false;
        walk_list(w, node_of(w, n->first)->next, c);
        break;
    case PARSED_CALL:
        walk_list(w, n->first, is_va_start(w, n) ? left_alone(c, SKELETON_VA_START) : c);
        break;
    case PARSED_INT:
    case PARSED_SIZEOF:
        walk_list(w, n->first, left_alone(c, SKELETON_UNEVALUATED));
        break;
    case PARSED_ASM:
        walk_list(w, n->first, left_alone(c, SKELETON_ASM));
        break;
    case PARSED_OTHER_DECL:
    case PARSED_OTHER_STMT:
    case PARSED_OTHER_EXPR:
        walk_list(w, n->first, left_alone(c, SKELETON_ODD));
        break;
    default:
        walk_list(w, n->first, c);
    }
}

void survey_take(struct survey *s, const struct parsed *p, bool any, struct arena *arena)
{
    *s = (struct survey){.parsed = p, .arena = arena, .marks = names_macros(p, arena), .any = any};
    map_init(&s->names);
    s->variable_of = arena_array(arena, int, p->n_nodes);
    for (uint32_t i = 0; i < p->n_nodes; i++)
        s->variable_of[i] = -1;
    struct walker w = {.s = s, .function = -1};
    for (uint32_t i = 1; i < p->n_nodes; i++)
        if (p->nodes[i].kind == PARSED_UNIT) {
            walk_list(&w, p->nodes[i].first, (struct context){.left = -1});
            break;
        }
}

void survey_release(struct survey *s)
{
    map_release(&s->names);
    vec_release(&s->variables);
    vec_release(&s->uses);
    vec_release(&s->events);
    vec_release(&s->functions);
}

/* -- names that the tree does not know of ------------------------------------------------------ */

/* The declaration of a member names something else than the variable of the same name. */
static void know_members(struct survey *s)
{
    const struct parsed *p = s->parsed;
    for (uint32_t i = 1; i < p->n_nodes; i++) {
        const struct parsed_node *n = &p->nodes[i];
        if (n->kind != PARSED_FIELD || (n->flags & PARSED_INCLUDED) || n->end > p->source_size)
            continue;
        struct scan scan = {&scan_c, p->source, n->end, n->begin};
        struct name_at name;
        while (names_next(&scan, &name))
            if (names_is(p, name.at, parsed_string(p, n->name)))
                s->marks[name.at] |= NAMES_KNOWN;
    }
}

void survey_mentions(struct survey *s)
{
    struct scan scan = {&scan_c, s->parsed->source, s->parsed->source_size, 0};
    struct name_at name;
    bool *mentioned = arena_array(s->arena, bool, s->names.n);
    know_members(s);
    while (names_next(&scan, &name)) {
        if (name.member || (s->marks[name.at] & NAMES_KNOWN))
            continue;
        const struct map_entry *entry = map_find(&s->names, scan.text + name.at, name.size);
        if (entry)
            mentioned[entry - s->names.entries] = true;
    }
    for (size_t i = 0; i < s->variables.n; i++)
        if (mentioned[s->variables.at[i].name])
            s->variables.at[i].elsewhere = true;
}
