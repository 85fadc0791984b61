/* Everything that can be wrong with a specification whose names are all known: the third step.
 *
 * Here: are all attributes computed, and once (III-A); can every class be reached and every
 * production end (IV-A2); are literals regular expressions. Types are in types.c, heights in
 * measure.c, circularity in circular.c. Each part reports what it finds and goes on. */
#include "ag/check_internal.h"
#include "ag/regex.h"

/* -- a rule for each attribute that a production owes ------------------------------------------ */

struct owed {
    const struct ag_production *p;
    int child, slot;
    const struct ag_attr *attr;
    const char *node; /* "this" or the child's name */
};

static bool same_attr(const struct ag_attr *a, enum ag_attr_kind kind, const struct ag_attr *b)
{
    return a->kind == kind && b->kind == kind && !strcmp(a->name, b->name) &&
           !strcmp(a->type, b->type);
}

/* The node that @copy would take the value from; NULL where there is none. */
static const char *copy_source(const struct owed *o)
{
    const struct ag_class *c = o->p->class;
    for (int i = 0; i < c->n_attrs && o->child != AG_THIS; i++)
        if (same_attr(&c->attrs[i], AG_INH, o->attr))
            return "this";
    for (int i = o->p->n_children - 1; i >= 0 && o->child == AG_THIS; i--) {
        c = o->p->children[i].class;
        for (int k = 0; k < c->n_attrs; k++)
            if (same_attr(&c->attrs[k], AG_SYN, o->attr))
                return o->p->children[i].name;
    }
    return NULL;
}

/* "l.syms = this.syms;" where that would fit, otherwise "l.syms = ...;" */
static const char *missing_hint(struct ag_messages *m, const struct owed *o)
{
    const char *source = copy_source(o), *name = o->attr->name;
    if (source)
        return arena_printf(m->arena, "add `%s.%s = %s.%s;`, or @copy(%s)", o->node, name, source,
                            name, name);
    return arena_printf(m->arena, "add `%s.%s = ...;`, its type is %s", o->node, name,
                        o->attr->type);
}

static void check_owed(struct ag_messages *m, const struct owed *o)
{
    const struct ag_rule *first = NULL;
    for (int i = 0; i < o->p->n_rules; i++) {
        const struct ag_rule *r = &o->p->rules[i];
        if (r->child != o->child || r->slot != o->slot)
            continue;
        if (first)
            ag_say(m, AG_ERROR, r->place, "one of them must go",
                   "'%s.%s' has two rules, the first in line %d", o->node, o->attr->name,
                   first->place.line);
        else
            first = r;
    }
    if (!first)
        ag_say(m, AG_ERROR, o->p->place, missing_hint(m, o),
               "production '%s' of class '%s' has no rule for '%s.%s'", o->p->name,
               o->p->class->name, o->node, o->attr->name);
}

static void check_rules(const struct ag_production *p, struct ag_messages *m)
{
    if (p->class->kind == AG_LITERAL)
        return;
    for (int child = AG_THIS; child < p->n_children; child++) {
        const struct ag_class *c = child == AG_THIS ? p->class : p->children[child].class;
        for (int i = 0; i < c->n_attrs; i++)
            if ((c->attrs[i].kind == AG_INH) == (child != AG_THIS))
                check_owed(m, &(struct owed){p, child, i, &c->attrs[i],
                                             child == AG_THIS ? "this" : p->children[child].name});
    }
}

static void check_root(const struct ag_spec *s, struct ag_messages *m)
{
    const struct ag_class *root = &s->classes[0];
    for (int i = 0; i < root->n_attrs; i++)
        if (root->attrs[i].kind == AG_INH)
            ag_say(m, AG_ERROR, root->attrs[i].place,
                   "the first class of a file is the root of all trees",
                   "'%s.%s' is inherited, but the root has no parent", root->name,
                   root->attrs[i].name);
}

/* -- what is never used, and what never ends --------------------------------------------------- */

static void reach(const struct ag_spec *s, const struct ag_class *c, bool *seen)
{
    bool *mine = &seen[c - s->classes];
    if (*mine)
        return;
    *mine = true;
    for (int i = 0; i < c->n_productions; i++)
        for (int k = 0; k < c->productions[i].n_children; k++)
            reach(s, c->productions[i].children[k].class, seen);
}

static void check_use(const struct ag_spec *s, struct ag_messages *m)
{
    bool *seen = arena_array(m->arena, bool, s->n_classes + 1);
    reach(s, &s->classes[0], seen);
    for (int i = 0; i < s->n_classes; i++) {
        const struct ag_class *c = &s->classes[i];
        bool on = false;
        for (int k = 0; k < c->n_productions; k++)
            on |= c->productions[k].weight > 0;
        if (!seen[i])
            ag_say(m, AG_WARNING, c->place, NULL, "class '%s' cannot be reached from '%s'", c->name,
                   s->classes[0].name);
        else if (!on)
            ag_say(m, AG_WARNING, c->place, NULL,
                   "all productions of class '%s' have weight 0: what has such a child is never "
                   "built",
                   c->name);
    }
}

static bool never_built(const struct ag_class *c)
{
    return c->min_size == AG_INFINITE_SIZE;
}

/* An endless production is reported where the endlessness is: a child in its own component. Those
 * that merely contain such a child outside would repeat it. */
static void check_end(const struct ag_production *p, struct ag_messages *m)
{
    const struct ag_class *c = p->class;
    for (int i = 0; i < p->n_children && p->weight; i++) {
        const struct ag_child *child = &p->children[i];
        if (!never_built(child->class) || child->class->component != c->component)
            continue;
        ag_say(m, AG_ERROR, p->place,
               arena_printf(m->arena, "give class '%s' a production that ends", child->class->name),
               "production '%s' of class '%s' never ends: its child '%s : %s' always contains "
               "another '%s'",
               p->name, c->name, child->name, child->class->name, child->class->name);
        return;
    }
}

static void check_regex(const struct ag_class *c, struct ag_messages *m)
{
    int where = 0;
    const char *why = NULL;
    if (!ag_regex_parse(m->arena, c->regex, &where, &why))
        ag_say(m, AG_ERROR, (struct ag_place){c->regex_place.line, c->regex_place.column + where},
               NULL, "the regular expression of '%s' is wrong: %s", c->name,
               why ? why : "it is none");
}

/* -- all of it --------------------------------------------------------------------------------- */

static void number(struct ag_spec *s)
{
    s->n_productions = 0;
    for (int i = 0; i < s->n_classes; i++) {
        struct ag_class *c = &s->classes[i];
        c->index = i;
        c->guarded = c->unit || c->kind == AG_GENERATOR;
        for (int k = 0; k < c->n_attrs; k++)
            c->guarded |= c->attrs[k].kind == AG_GRD;
        for (int k = 0; k < c->n_productions; k++)
            c->productions[k].index = s->n_productions++;
    }
}

/* One bit per attribute in ag_class.needs. */
static bool too_many_attributes(const struct ag_class *c, struct ag_messages *m)
{
    if (c->n_attrs <= AG_MAX_ATTRIBUTES)
        return false;
    ag_say(m, AG_ERROR, c->place, "group some of them in one value",
           "class '%s' has %d attributes: %d are the most", c->name, c->n_attrs, AG_MAX_ATTRIBUTES);
    return true;
}

void ag_check(struct ag_spec *s, const struct ag_runtime *rt, struct ag_messages *m)
{
    if (!s->n_classes)
        return;
    bool fits = true;
    number(s);
    ag_measure(s);
    check_root(s, m);
    check_use(s, m);
    for (int i = 0; i < s->n_classes; i++) {
        const struct ag_class *c = &s->classes[i];
        fits &= !too_many_attributes(c, m);
        if (c->kind == AG_LITERAL)
            check_regex(c, m);
        for (int k = 0; k < c->n_productions; k++) {
            check_rules(&c->productions[k], m);
            check_end(&c->productions[k], m);
        }
    }
    ag_check_types(s, rt, m);
    if (fits)
        ag_check_circular(s, m);
}
