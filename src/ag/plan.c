#include "ag/plan.h"
#include "ag/regex.h"
#include "ag/tree.h"

#include <string.h>

struct maker {
    struct arena *arena;
    const struct ag_spec *spec;
    const struct plan_options *options;
    struct plan *plan;
    VEC(const char *) strings;
    VEC(size_t) sizes;
    struct error *e;
};

static struct plan_class *plan_of(const struct maker *m, const struct ag_class *class)
{
    return &m->plan->classes[class - m->spec->classes];
}

/* -- which productions there are --------------------------------------------------------------- */

static bool has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (; *list; list += strcspn(list, ",+"), list += *list != 0) {
        while (*list == ' ')
            list++;
        size_t size = strcspn(list, ",+ ");
        if (size == n && !memcmp(list, word, n))
            return true;
    }
    return false;
}

static bool enabled(const struct maker *m, const struct ag_production *p)
{
    for (int i = 0; i < p->features.n; i++)
        if (has_word(m->options->features ? m->options->features : "", p->features.at[i]))
            return true;
    return p->features.n == 0;
}

static unsigned weight_of(const struct maker *m, const struct ag_production *p)
{
    char key[256];
    if (!enabled(m, p))
        return 0;
    if (!m->options->weights)
        return p->weight;
    snprintf(key, sizeof key, "%s.%s", p->class->name, p->name);
    const struct map_entry *entry = map_find_str(m->options->weights, key);
    return entry ? (unsigned)entry->value.number : p->weight;
}

/* -- expressions ------------------------------------------------------------------------------- */

static int string_index(struct maker *m, const struct ag_expr *e)
{
    for (size_t i = 0; i < m->strings.n; i++)
        if (m->sizes.at[i] == e->size && !memcmp(m->strings.at[i], e->text, e->size))
            return (int)i;
    vec_push(&m->strings, e->text);
    vec_push(&m->sizes, e->size);
    return (int)m->strings.n - 1;
}

static struct code compile(struct maker *m, const struct ag_expr *e)
{
    struct code c = {.child = e->child, .slot = e->slot, .n_args = e->n_args};
    switch (e->kind) {
    case AG_E_INT:
        c.constant = lala_int(e->number);
        break;
    case AG_E_TRUE:
        c.constant = LALA_TRUE;
        break;
    case AG_E_FALSE:
        c.constant = LALA_FALSE;
        break;
    case AG_E_NIL:
        c.constant = LALA_NIL;
        break;
    case AG_E_STRING:
        c.op = CODE_STRING;
        c.slot = string_index(m, e);
        break;
    case AG_E_VALUE:
        c.op = CODE_VALUE;
        break;
    case AG_E_ATTR:
        c.op = e->child < 0 ? CODE_THIS : CODE_CHILD;
        break;
    case AG_E_LOC:
        c.op = CODE_LOC;
        break;
    case AG_E_NODE:
        c.op = CODE_NODE;
        break;
    case AG_E_BUILTIN:
        c.op = CODE_BUILTIN;
        c.builtin = e->builtin;
        break;
    case AG_E_CALL:
        c.op = e->function && (e->function->flags & LALA_MEMO) ? CODE_MEMO : CODE_CALL;
        c.function = e->function;
        c.space = e->space;
        break;
    }
    c.args = arena_array(m->arena, struct code, (size_t)e->n_args + 1);
    for (int i = 0; i < e->n_args; i++)
        c.args[i] = compile(m, e->args[i]);
    return c;
}

struct reading {
    const struct plan_production *p;
    struct source list[2 * PLAN_MAX_ATTRS];
    int n;
    bool node, overflow;
    uint64_t locs[4]; /* which were followed: each once */
};

/* The attributes that an expression reads, through locals too. */
static void read_sources(struct reading *r, const struct code *c)
{
    if (c->op == CODE_THIS || c->op == CODE_CHILD) {
        for (int i = 0; i < r->n; i++)
            if (r->list[i].child == c->child && r->list[i].slot == c->slot)
                return;
        if (r->n == 2 * PLAN_MAX_ATTRS)
            r->overflow = true;
        else
            r->list[r->n++] = (struct source){c->child, c->slot};
    }
    r->node |= c->op == CODE_NODE;
    if (c->op == CODE_LOC) {
        uint64_t *seen = &r->locs[c->slot / 64], bit = (uint64_t)1 << (c->slot % 64);
        if (!(*seen & bit)) {
            *seen |= bit;
            read_sources(r, &r->p->locs[c->slot]);
        }
    }
    for (int i = 0; i < c->n_args; i++)
        read_sources(r, &c->args[i]);
}

/* -- productions ------------------------------------------------------------------------------- */

static void add_rule(struct arena *a, struct rule_list *list, int rule, int room)
{
    if (!list->at)
        list->at = arena_alloc(a, (size_t)room);
    list->at[list->n++] = (uint8_t)rule;
}

static int compile_rule(struct maker *m, struct plan_production *p, int index)
{
    struct plan_rule *r = &p->rules[index];
    struct reading reading = {.p = p};
    const struct ag_class *target = r->child < 0 ? p->class->class : p->children[r->child]->class;
    r->guard = target->attrs[r->slot].kind == AG_GRD;
    read_sources(&reading, &r->code);
    if (reading.overflow)
        return error_at(m->e, ERROR_USAGE, m->spec->file, r->rule->place.line,
                        "a rule reads more than %d attributes", 2 * PLAN_MAX_ATTRS);
    r->reads_node = reading.node;
    p->numbered |= reading.node;
    r->sources = arena_array(m->arena, struct source, (size_t)reading.n + 1);
    memcpy(r->sources, reading.list, sizeof *r->sources * (size_t)reading.n);
    r->n_sources = reading.n;
    for (int i = 0; i < r->n_sources; i++) {
        const struct source *s = &r->sources[i];
        r->n_inherited += s->child < 0;
        struct rule_list *waiting =
            s->child < 0 ? &p->waits_this[s->slot] : &p->waits_child[s->child][s->slot];
        add_rule(m->arena, waiting, index, p->n_rules);
    }
    p->missing[index] = (uint8_t)r->n_sources;
    p->missing_below[index] = (uint8_t)(r->n_sources - r->n_inherited);
    if (!p->missing_below[index]) {
        add_rule(m->arena, &p->at_once, index, p->n_rules);
        if (r->guard && !r->reads_node) /* another number may satisfy it */
            add_rule(m->arena, &p->early, index, p->n_rules);
    }
    if (r->child < 0)
        p->defined_by[r->slot] = (int16_t)index;
    else
        p->inherited_by[r->child][r->slot] = (int16_t)index;
    return 0;
}

static void compile_prints(struct maker *m, struct plan_production *p)
{
    const struct ag_production *from = p->production;
    p->prints = arena_array(m->arena, struct code, (size_t)from->n_pieces + 1);
    for (int i = 0; i < from->n_pieces; i++) {
        struct reading reading = {.p = p};
        if (from->pieces[i].kind != AG_P_EXPR)
            continue;
        p->prints[i] = compile(m, from->pieces[i].expr);
        read_sources(&reading, &p->prints[i]);
        p->numbered |= reading.node;
    }
}

static void make_tables(struct maker *m, struct plan_production *p)
{
    struct arena *a = m->arena;
    size_t n_attrs = (size_t)p->class->n_attrs, n = (size_t)p->n_children;
    p->waits_this = arena_array(a, struct rule_list, n_attrs + 1);
    p->waits_child = arena_array(a, struct rule_list *, n + 1);
    p->inherited_by = arena_array(a, int16_t *, n + 1);
    p->defined_by = arena_array(a, int16_t, n_attrs + 1);
    memset(p->defined_by, -1, sizeof *p->defined_by * (n_attrs + 1));
    for (size_t i = 0; i < n; i++) {
        size_t below = (size_t)p->children[i]->n_attrs + 1;
        p->waits_child[i] = arena_array(a, struct rule_list, below);
        p->inherited_by[i] = arena_array(a, int16_t, below);
        memset(p->inherited_by[i], -1, sizeof(int16_t) * below);
    }
    p->missing = arena_alloc(a, (size_t)p->n_rules + 1);
    p->missing_below = arena_alloc(a, (size_t)p->n_rules + 1);
    p->visit = arena_array(a, int, n + 1);
    ag_visit_order(m->spec, p->production, p->visit);
}

static int compile_production(struct maker *m, struct plan_production *p)
{
    const struct ag_production *from = p->production;
    if (from->n_rules > PLAN_MAX_RULES || from->n_locs > PLAN_MAX_RULES)
        return error_at(m->e, ERROR_USAGE, m->spec->file, from->place.line,
                        "the production %s has more than %d rules or locals", from->name,
                        PLAN_MAX_RULES);
    p->n_children = from->n_children;
    p->n_rules = from->n_rules;
    p->n_locs = from->n_locs;
    p->rest = -1;
    p->children = arena_array(m->arena, struct plan_class *, (size_t)p->n_children + 1);
    for (int i = 0; i < p->n_children; i++) {
        p->children[i] = plan_of(m, from->children[i].class);
        if (from->class->list && from->children[i].class == from->class)
            p->rest = i;
    }
    make_tables(m, p);
    p->locs = arena_array(m->arena, struct code, (size_t)p->n_locs + 1);
    for (int i = 0; i < p->n_locs; i++)
        p->locs[i] = compile(m, from->locs[i].expr);
    p->rules = arena_array(m->arena, struct plan_rule, (size_t)p->n_rules + 1);
    for (int i = 0; i < p->n_rules; i++) {
        const struct ag_rule *rule = &from->rules[i];
        p->rules[i] = (struct plan_rule){
            .code = compile(m, rule->expr), .child = rule->child, .slot = rule->slot, .rule = rule};
        if (compile_rule(m, p, i))
            return -1;
    }
    compile_prints(m, p);
    p->body_size = tree_body_size(p);
    return 0;
}

/* -- heights, without what is switched off ----------------------------------------------------- */

static int64_t add_sizes(int64_t a, int64_t b)
{
    return a + b > INT32_MAX ? INT32_MAX : a + b;
}

/* Within the component: IV-A2, and docs/LALA.md. */
static bool measure(struct plan_production *p)
{
    int height = 1;
    int64_t size = 1;
    for (int i = 0; i < p->n_children; i++) {
        const struct plan_class *child = p->children[i];
        if (child->min_size == INT32_MAX)
            return false;
        size = add_sizes(size, child->min_size);
        if (child->component != p->class->component)
            continue;
        int below = child->min_height + (i != p->rest);
        height = below > height ? below : height;
    }
    bool better = height < p->min_height || size < p->min_size;
    p->min_height = height < p->min_height ? height : p->min_height;
    p->min_size = size < p->min_size ? size : p->min_size;
    return better;
}

static void measure_all(struct maker *m)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < m->plan->n_classes; i++) {
            struct plan_class *c = &m->plan->classes[i];
            for (int j = 0; j < c->n_productions; j++) {
                struct plan_production *p = c->productions[j];
                changed |= measure(p);
                c->min_height = p->min_height < c->min_height ? p->min_height : c->min_height;
                c->min_size = p->min_size < c->min_size ? p->min_size : c->min_size;
            }
        }
    }
}

/* Drops productions that need a class without any, and puts the simplest first. */
static void order_productions(struct plan_class *c)
{
    int n = 0;
    for (int i = 0; i < c->n_productions; i++) {
        struct plan_production *p = c->productions[i];
        if (p->min_size == INT32_MAX)
            continue;
        int at = n++;
        for (; at > 0 && (c->productions[at - 1]->min_height > p->min_height ||
                          (c->productions[at - 1]->min_height == p->min_height &&
                           c->productions[at - 1]->min_size > p->min_size));
             at--)
            c->productions[at] = c->productions[at - 1];
        c->productions[at] = p;
    }
    c->n_productions = n;
    for (int i = 0; i < n; i++)
        c->productions[i]->rank = i;
    /* IV-B1: what a list is shortened to, first in the text of the specification */
    for (int i = 0; i < n; i++)
        if (c->productions[i]->rest < 0 &&
            (!c->base || c->productions[i]->production < c->base->production))
            c->base = c->productions[i];
}

/* -- classes ----------------------------------------------------------------------------------- */

static int begin_class(struct maker *m, struct plan_class *c, const struct ag_class *from)
{
    if (from->n_attrs > PLAN_MAX_ATTRS || from->n_productions > PLAN_MAX_PRODUCTIONS)
        return error_at(m->e, ERROR_USAGE, m->spec->file, from->place.line,
                        "the class %s has more than %d attributes or %d productions", from->name,
                        PLAN_MAX_ATTRS, PLAN_MAX_PRODUCTIONS);
    c->class = from;
    c->n_attrs = from->n_attrs;
    c->guarded = from->guarded;
    c->component = from->component;
    c->min_height = PLAN_NO_LIMIT;
    c->min_size = INT32_MAX;
    c->budget = from->max_height         ? from->max_height
                : m->options->max_height ? m->options->max_height
                                         : PLAN_NO_LIMIT;
    c->alternatives = from->max_alternatives ? from->max_alternatives : 200;
    for (int i = 0; i < from->n_attrs; i++) {
        uint64_t bit = (uint64_t)1 << i;
        enum ag_attr_kind kind = from->attrs[i].kind;
        c->inherited |= kind == AG_INH ? bit : 0;
        c->synthesized |= kind == AG_SYN ? bit : 0;
        c->guards |= kind == AG_GRD ? bit : 0;
        c->n_inherited += kind == AG_INH;
    }
    c->node_size = tree_node_size(c);
    return 0;
}

static int add_productions(struct maker *m, struct plan_class *c)
{
    const struct ag_class *from = c->class;
    c->productions =
        arena_array(m->arena, struct plan_production *, (size_t)from->n_productions + 1);
    for (int i = 0; i < from->n_productions; i++) {
        unsigned weight = weight_of(m, &from->productions[i]);
        if (!weight)
            continue;
        struct plan_production *p = arena_new(m->arena, struct plan_production);
        *p = (struct plan_production){.production = &from->productions[i],
                                      .class = c,
                                      .weight = weight,
                                      .min_height = PLAN_NO_LIMIT,
                                      .min_size = INT32_MAX};
        if (compile_production(m, p))
            return -1;
        c->productions[c->n_productions++] = p;
    }
    if (from->kind == AG_LITERAL) {
        int where;
        const char *why;
        c->regex = ag_regex_parse(m->arena, from->regex, &where, &why);
        REQUIRE(c->regex);
    }
    if (from->kind == AG_GENERATOR && c->n_productions) {
        c->generator = c->productions[0];
        const struct ag_expr *call = c->generator->production->generator;
        struct code compiled = compile(m, call);
        c->generator_args = arena_new(m->arena, struct code);
        *c->generator_args = compiled;
    }
    return 0;
}

static int make(struct maker *m)
{
    const struct ag_spec *spec = m->spec;
    struct plan *plan = m->plan;
    for (int i = 0; i < spec->n_classes; i++)
        if (begin_class(m, &plan->classes[i], &spec->classes[i]))
            return -1;
    for (int i = 0; i < spec->n_classes; i++)
        if (add_productions(m, &plan->classes[i]))
            return -1;
    measure_all(m);
    for (int i = 0; i < spec->n_classes; i++)
        order_productions(&plan->classes[i]);
    if (plan->classes[0].min_size == INT32_MAX)
        return error_at(m->e, ERROR_USAGE, spec->file, spec->classes[0].place.line,
                        "with the features '%s' and these weights the class %s has no finite tree",
                        m->options->features ? m->options->features : "", spec->classes[0].name);
    for (int i = 0; i < spec->n_classes; i++) {
        struct plan_class *c = &plan->classes[i];
        c->budget = c->budget < c->min_height ? c->min_height : c->budget;
    }
    plan->n_strings = (int)m->strings.n;
    plan->strings = arena_array(m->arena, const char *, m->strings.n + 1);
    plan->string_sizes = arena_array(m->arena, size_t, m->strings.n + 1);
    for (size_t i = 0; i < m->strings.n; i++) {
        plan->strings[i] = m->strings.at[i];
        plan->string_sizes[i] = m->sizes.at[i];
    }
    return 0;
}

int plan_make(struct arena *a, const struct ag_spec *spec, const struct plan_options *options,
              struct plan **out, struct error *e)
{
    struct maker m = {.arena = a, .spec = spec, .options = options, .e = e};
    m.plan = arena_new(a, struct plan);
    m.plan->spec = spec;
    m.plan->n_classes = spec->n_classes;
    m.plan->classes = arena_array(a, struct plan_class, (size_t)spec->n_classes + 1);
    int status = make(&m);
    vec_release(&m.strings);
    vec_release(&m.sizes);
    *out = m.plan;
    return status;
}
