/* A checked specification for people: what the search knows of it.
 *
 * Per class its kind, component and heights; per production its heights, the order in which
 * children are visited, and its rules in an order in which they can be evaluated, each with what it
 * reads. A guard that reads inherited attributes alone is marked early: it is decided before
 * anything is built, which is what a specification should aim for. The text is written for reading,
 * the JSON has the same facts for tools. */
#include "base/json.h"
#include "base/text.h"
#include "ag/check_internal.h"

static const char *const kind_names[] = {"tree", "literal", "generator"};
static const char *const attr_names[] = {"inh", "syn", "grd"};

static const char *target(struct arena *a, const struct ag_rule *r)
{
    return arena_printf(a, "%s.%s", r->node, r->attribute);
}

/* -- rules in an order that works -------------------------------------------------------------- */

/* Fills `order` with indices of rules, each after those that it waits for, otherwise as written. */
static void evaluation_order(const struct ag_production *p, int *order, struct arena *a)
{
    struct ag_graph g;
    ag_graph_build(&g, p, a);
    ag_graph_close(&g);
    bool *done = arena_array(a, bool, p->n_rules + 1);
    for (int at = 0; at < p->n_rules; at++) {
        int next = -1;
        for (int i = 0; i < p->n_rules && next < 0; i++) {
            bool ready = !done[i];
            for (int k = 0; k < p->n_rules && ready; k++)
                ready = done[k] ||
                        !ag_graph_edge(&g, ag_graph_vertex(&g, p->rules[i].child, p->rules[i].slot),
                                       ag_graph_vertex(&g, p->rules[k].child, p->rules[k].slot));
            if (ready)
                next = i;
        }
        REQUIRE(next >= 0); /* ag_check found no cycle */
        done[next] = true;
        order[at] = next;
    }
}

/* A rule, and what it reads. */
struct sources {
    const struct ag_rule *rule;
    struct arena *arena;
    string_list names; /* each once, in the order of reading */
    bool below;        /* an attribute of a child is among them */
    bool early;        /* it is a guard that is known before the children are there */
};

static void add_source(const struct ag_expr *source, void *to)
{
    struct sources *s = to;
    const char *name = arena_printf(s->arena, "%s.%s", source->text, source->attribute);
    s->below |= source->child != AG_THIS;
    text_add_once(&s->names, name);
}

/* In the order of evaluation. */
static void each_rule(const struct ag_production *p, struct arena *a,
                      void (*tell)(void *to, const struct sources *s), void *to)
{
    int *order = arena_array(a, int, p->n_rules + 1);
    evaluation_order(p, order, a);
    for (int i = 0; i < p->n_rules; i++) {
        const struct ag_rule *r = &p->rules[order[i]];
        struct sources s = {.rule = r, .arena = a};
        ag_sources(p, r->expr, add_source, &s);
        s.early = r->child == AG_THIS && p->class->attrs[r->slot].kind == AG_GRD && !s.below;
        tell(to, &s);
        vec_release(&s.names);
    }
}

/* -- text -------------------------------------------------------------------------------------- */

static void text_height(struct strbuf *out, int height, int64_t size)
{
    if (height == AG_INFINITE_HEIGHT)
        strbuf_adds(out, ", can never be built");
    else
        strbuf_addf(out, ", height %d, %lld node%s", height, (long long)size, size == 1 ? "" : "s");
}

static void text_rule(void *to, const struct sources *s)
{
    strbuf_addf(to, "    %s%s%s%s%s\n", target(s->arena, s->rule), s->names.n ? " <- " : "",
                text_join(s->arena, s->names.at, s->names.n, ", "),
                s->early ? "  (early guard)" : "", s->rule->copied ? "  (copied)" : "");
}

static void text_production(struct strbuf *out, const struct ag_spec *s,
                            const struct ag_production *p, struct arena *a)
{
    strbuf_addf(out, "  %s: weight %u", p->name, p->weight);
    text_height(out, p->min_height, p->min_size);
    if (p->recursive)
        strbuf_adds(out, ", recursive");
    for (int i = 0; i < p->features.n; i++)
        strbuf_addf(out, "%s%s", i ? "," : ", feature ", p->features.at[i]);
    if (p->precedence >= 0)
        strbuf_addf(out, ", precedence %d", p->precedence);
    strbuf_addc(out, '\n');
    if (p->n_children > 1) {
        int *visits = arena_array(a, int, p->n_children);
        ag_visit_order(s, p, visits);
        strbuf_adds(out, "    changes first:");
        for (int i = 0; i < p->n_children; i++)
            strbuf_addf(out, " %s", p->children[visits[i]].name);
        strbuf_addc(out, '\n');
    }
    each_rule(p, a, text_rule, out);
}

static void text_class(struct strbuf *out, const struct ag_spec *s, const struct ag_class *c,
                       struct arena *a)
{
    strbuf_addf(out, "%s: %s%s%s%s, component %d", c->name, kind_names[c->kind],
                c->list ? ", list" : "", c->unit ? ", unit" : "", c->guarded ? ", guarded" : "",
                c->component);
    text_height(out, c->min_height, c->min_size);
    strbuf_addc(out, '\n');
    if (c->kind == AG_LITERAL) {
        strbuf_addf(out, "  \"%s\", %d values\n\n", c->regex, c->count);
        return;
    }
    for (int i = 0; i < c->n_attrs; i++) {
        const struct ag_attr *attr = &c->attrs[i];
        strbuf_addf(out, "  %s %s", attr_names[attr->kind], attr->name);
        if (attr->kind != AG_GRD)
            strbuf_addf(out, " : %s", attr->type);
        strbuf_addc(out, '\n');
    }
    for (int i = 0; i < c->n_productions; i++)
        text_production(out, s, &c->productions[i], a);
    strbuf_addc(out, '\n');
}

/* -- JSON -------------------------------------------------------------------------------------- */

static void measures_json(struct json *to, int height, int64_t size)
{
    bool finite = height != AG_INFINITE_HEIGHT;
    json_extend(to, "{s:o}", "min_height", finite ? json_new("I", (int64_t)height) : json_new("n"));
    json_extend(to, "{s:o}", "min_size", finite ? json_new("I", (int64_t)size) : json_new("n"));
}

static void rule_json(void *to, const struct sources *s)
{
    json_append(to, "{s:s,s:o,s:b,s:b,s:i}", "target", target(s->arena, s->rule), "reads",
                json_texts(s->names.at, s->names.n), "early", s->early, "copied", s->rule->copied,
                "line", s->rule->place.line);
}

static struct json *production_json(const struct ag_spec *s, const struct ag_production *p,
                                    struct arena *a)
{
    struct json *children = json_new("[]"), *visits = json_new("[]"), *rules = json_new("[]");
    each_rule(p, a, rule_json, rules);
    int *order = arena_array(a, int, p->n_children + 1);
    ag_visit_order(s, p, order);
    for (int i = 0; i < p->n_children; i++) {
        json_append(children, "{s:s,s:s}", "name", p->children[i].name, "class",
                    p->children[i].class->name);
        json_append(visits, "s", p->children[order[i]].name);
    }
    struct json *out = json_new(
        "{s:s,s:i,s:i,s:o,s:b,s:o,s:o,s:o}", "name", p->name, "line", p->place.line, "weight",
        (int)p->weight, "features", json_texts(p->features.at, (size_t)p->features.n), "recursive",
        p->recursive, "children", children, "visits", visits, "rules", rules);
    measures_json(out, p->min_height, p->min_size);
    return out;
}

static struct json *class_json(const struct ag_spec *s, const struct ag_class *c, struct arena *a)
{
    struct json *attrs = json_new("[]"), *productions = json_new("[]");
    for (int i = 0; i < c->n_attrs; i++)
        json_append(attrs, "{s:s,s:s,s:s}", "name", c->attrs[i].name, "kind",
                    attr_names[c->attrs[i].kind], "type", c->attrs[i].type);
    for (int i = 0; i < c->n_productions && c->kind != AG_LITERAL; i++)
        json_append(productions, "o", production_json(s, &c->productions[i], a));
    struct json *out = json_new("{s:s,s:s,s:i,s:b,s:b,s:b,s:i,s:o,s:o}", "name", c->name, "kind",
                                kind_names[c->kind], "line", c->place.line, "guarded", c->guarded,
                                "list", c->list, "unit", c->unit, "component", c->component,
                                "attributes", attrs, "productions", productions);
    if (c->regex)
        json_extend(out, "{s:s}", "regex", c->regex);
    measures_json(out, c->min_height, c->min_size);
    return out;
}

/* -------------------------------------------------------------------------------------------------
 */

static void explain_json(const struct ag_spec *s, struct strbuf *out, struct arena *a)
{
    struct json *classes = json_new("[]");
    for (int i = 0; i < s->n_classes; i++)
        json_append(classes, "o", class_json(s, &s->classes[i], a));
    struct json *all = json_new("{s:i,s:i,s:o}", "productions", s->n_productions, "components",
                                s->n_components, "classes", classes);
    json_write(all, false, out);
}

void ag_explain(const struct ag_spec *s, bool json, struct strbuf *out)
{
    struct arena scratch;
    arena_init(&scratch);
    if (json)
        explain_json(s, out, &scratch);
    for (int i = 0; i < s->n_classes && !json; i++)
        text_class(out, s, &s->classes[i], &scratch);
    arena_release(&scratch);
}
