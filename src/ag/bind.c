/* Names become what they stand for: the second of the three steps of spec.h.
 *
 * The specification is walked three times. First each class by itself: duplicate names, and which
 * kind it is. Then the classes of children, for a rule may speak of an attribute of a class that
 * comes later. Then expressions and rules, where the directions of attribute grammars are enforced
 * (III-A): a rule computes what its production owes, synthesized attributes and guards of `this`
 * and inherited ones of children, from what it is given, inherited ones of `this` and synthesized
 * ones of children. Texts are printed when the tree is complete, so that they may read anything.
 *
 * A name that is not known is reported once, where it stands; what hangs on it is then skipped, so
 * that one slip does not make ten messages. */
#include "ag/runtime.h"
#include "ag/spec.h"
#include "base/text.h"

struct binder {
    struct ag_spec *spec;
    const struct ag_runtime *rt; /* NULL: functions are taken on trust */
    struct ag_messages *m;
    struct ag_class *class;  /* where we are */
    struct ag_production *p; /* where we are */
};

/* What an expression may read. */
enum scope {
    IN_RULE,     /* and in locs: this.inh, child.syn, and $ in a generator */
    IN_ARGUMENT, /* of a generator's call: this.inh */
    IN_TEXT,     /* everything */
};

static const char *did_you_mean(struct binder *b, const char *near)
{
    return near ? arena_printf(b->m->arena, "did you mean '%s'?", near) : NULL;
}

/* "did you mean 'x'?" of the nearest among the names of an array of structs, or NULL. */
#define HINT(b, wrong, array, n, member) hint_among(b, wrong, array, n, sizeof *(array), member)
static const char *hint_among(struct binder *b, const char *wrong, const void *array, int n,
                              size_t stride, size_t member)
{
    const char **names = arena_array(b->m->arena, const char *, n + 1);
    for (int i = 0; i < n; i++)
        names[i] = *(const char *const *)((const char *)array + (size_t)i * stride + member);
    return did_you_mean(b, text_nearest(wrong, names, (size_t)n));
}

struct ag_class *ag_class_named(const struct ag_spec *s, const char *name)
{
    for (int i = 0; i < s->n_classes; i++)
        if (!strcmp(s->classes[i].name, name))
            return &s->classes[i];
    return NULL;
}

static bool names_have(const struct ag_names *names, const char *name)
{
    for (int i = 0; i < names->n; i++)
        if (!strcmp(names->at[i], name))
            return true;
    return false;
}

static int attr_named(const struct ag_class *c, const char *name)
{
    for (int i = 0; i < c->n_attrs; i++)
        if (!strcmp(c->attrs[i].name, name))
            return i;
    return -1;
}

static struct ag_class *class_of(const struct binder *b, int child)
{
    return child == AG_THIS ? b->class : b->p->children[child].class;
}

/* -- expressions ------------------------------------------------------------------------------- */

/* The index of the child, AG_THIS, or -2 with a message. */
enum { NOBODY = -2 };
static int find_node(struct binder *b, const char *name, struct ag_place place)
{
    if (!strcmp(name, "this"))
        return AG_THIS;
    for (int i = 0; i < b->p->n_children; i++)
        if (!strcmp(b->p->children[i].name, name))
            return i;
    const char *hint =
        HINT(b, name, b->p->children, b->p->n_children, offsetof(struct ag_child, name));
    if (!hint && text_nearest(name, (const char *[]){"this"}, 1))
        hint = "did you mean 'this'?";
    ag_say(b->m, AG_ERROR, place, hint, "production '%s' has no child '%s'", b->p->name, name);
    return NOBODY;
}

/* NODE.NAME, by numbers; NULL, and told, where there is no such attribute. */
static const struct ag_attr *find_attribute(struct binder *b, const char *node, const char *name,
                                            struct ag_place place, int *child, int *slot)
{
    *slot = -1;
    *child = find_node(b, node, place);
    const struct ag_class *c = *child == NOBODY ? NULL : class_of(b, *child);
    if (!c)
        return NULL;
    *slot = attr_named(c, name);
    if (*slot >= 0)
        return &c->attrs[*slot];
    ag_say(b->m, AG_ERROR, place,
           HINT(b, name, c->attrs, c->n_attrs, offsetof(struct ag_attr, name)),
           "class '%s' has no attribute '%s'", c->name, name);
    return NULL;
}

/* May the expression read this attribute? */
static void check_source(struct binder *b, const struct ag_expr *e, const struct ag_attr *attr,
                         enum scope scope)
{
    bool mine = e->child == AG_THIS;
    if (scope == IN_TEXT || (mine && attr->kind == AG_INH) ||
        (!mine && attr->kind == AG_SYN && scope == IN_RULE))
        return;
    if (scope == IN_ARGUMENT)
        ag_say(b->m, AG_ERROR, e->place, NULL,
               "'%s.%s' cannot be an argument of a generator: only inherited attributes of 'this' "
               "can",
               e->text, e->attribute);
    else if (attr->kind == AG_GRD)
        ag_say(b->m, AG_ERROR, e->place, "name its expression with `loc`, and use that twice",
               "'%s.%s' is a guard: no rule may read it", e->text, e->attribute);
    else if (mine)
        ag_say(b->m, AG_ERROR, e->place, "name its expression with `loc`, and use that twice",
               "'this.%s' is synthesized: this production computes it and cannot read it",
               e->attribute);
    else
        ag_say(b->m, AG_ERROR, e->place, "name its expression with `loc`, and use that twice",
               "'%s.%s' is inherited: this production computes it and cannot read it", e->text,
               e->attribute);
}

static void bind_attribute(struct binder *b, struct ag_expr *e, enum scope scope)
{
    const struct ag_attr *attr =
        find_attribute(b, e->text, e->attribute, e->place, &e->child, &e->slot);
    if (attr)
        check_source(b, e, attr, scope);
}

/* Does the expression use `$`, by itself or through a loc? `depth` bounds cyclic locs, which are
 * reported elsewhere. */
static bool uses_value(const struct ag_production *p, const struct ag_expr *e, int depth)
{
    if (e->kind == AG_E_VALUE)
        return true;
    if (e->kind == AG_E_LOC && e->slot >= 0 && depth <= p->n_locs)
        return uses_value(p, p->locs[e->slot].expr, depth + 1);
    for (int i = 0; i < e->n_args; i++)
        if (uses_value(p, e->args[i], depth))
            return true;
    return false;
}

static void bind_loc(struct binder *b, struct ag_expr *e)
{
    e->slot = -1;
    for (int i = 0; i < b->p->n_locs && e->slot < 0; i++)
        if (!strcmp(b->p->locs[i].name, e->text))
            e->slot = i;
    if (e->slot < 0)
        ag_say(b->m, AG_ERROR, e->place,
               HINT(b, e->text, b->p->locs, b->p->n_locs, offsetof(struct ag_loc, name)),
               "production '%s' has no loc '%s'", b->p->name, e->text);
}

static void check_builtin(struct binder *b, const struct ag_expr *e)
{
    static const struct {
        const char *text;
        int least, most;
    } builtins[] = {
#define X(text, name, least, most) {text, least, most},
        AG_BUILTINS(X)
#undef X
    };
    int least = builtins[e->builtin].least, most = builtins[e->builtin].most;
    if (e->n_args >= least && (most < 0 || e->n_args <= most))
        return;
    ag_say(b->m, AG_ERROR, e->place, NULL, "'%s' takes %s%d argument%s, not %d",
           builtins[e->builtin].text,
           most == least       ? ""
           : e->n_args < least ? "at least "
                               : "at most ",
           e->n_args < least ? least : most, (e->n_args < least ? least : most) == 1 ? "" : "s",
           e->n_args);
}

static void check_arity(struct binder *b, const struct ag_expr *e)
{
    struct ag_signature g;
    if (ag_signature_parse(b->m->arena, e->function->signature, &g)) {
        ag_say(b->m, AG_ERROR, e->place, "it looks like \"SymbTab, String : boolean\"",
               "the signature of '%s:%s' is broken: \"%s\"", e->space, e->text,
               e->function->signature);
        return;
    }
    bool good = g.variadic ? e->n_args >= g.n - 1 : e->n_args == g.n;
    if (!good)
        ag_say(b->m, AG_ERROR, e->place,
               arena_printf(b->m->arena, "its signature is \"%s\"", e->function->signature),
               "'%s:%s' takes %s%d argument%s, not %d", e->space, e->text,
               g.variadic ? "at least " : "", g.n - g.variadic, g.n - g.variadic == 1 ? "" : "s",
               e->n_args);
}

static void bind_call(struct binder *b, struct ag_expr *e)
{
    const struct ag_names *uses = &b->spec->uses;
    if (!names_have(uses, e->space)) {
        const char *hint = did_you_mean(b, text_nearest(e->space, uses->at, (size_t)uses->n));
        if (!hint || (b->rt && ag_runtime_has_space(b->rt, e->space)))
            hint = arena_printf(b->m->arena, "add `use %s;` at the top of the file", e->space);
        ag_say(b->m, AG_ERROR, e->place, hint, "the namespace '%s' is not declared", e->space);
        return;
    }
    if (!b->rt || !ag_runtime_has_space(b->rt, e->space))
        return; /* taken on trust, or reported at `use` */
    e->function = ag_runtime_find(b->rt, e->space, e->text);
    if (e->function)
        check_arity(b, e);
    else
        ag_say(b->m, AG_ERROR, e->place,
               did_you_mean(b, ag_runtime_nearest(b->rt, e->space, e->text)),
               "the namespace '%s' has no function '%s'", e->space, e->text);
}

static void bind_expr(struct binder *b, struct ag_expr *e, enum scope scope)
{
    e->type = "any";
    switch (e->kind) {
    case AG_E_INT:
    case AG_E_STRING:
    case AG_E_TRUE:
    case AG_E_FALSE:
    case AG_E_NIL:
        break;
    case AG_E_VALUE:
        if (!b->p->generator)
            ag_say(b->m, AG_ERROR, e->place, NULL,
                   "'$' is the value of a generator, and '%s' is none", b->p->name);
        else if (scope == IN_ARGUMENT)
            ag_say(b->m, AG_ERROR, e->place, NULL,
                   "'$' is chosen from what the generator answers: its arguments cannot use it");
        break;
    case AG_E_ATTR:
        bind_attribute(b, e, scope);
        break;
    case AG_E_LOC:
        bind_loc(b, e);
        if (scope == IN_ARGUMENT && e->slot >= 0 && uses_value(b->p, e, 0))
            ag_say(b->m, AG_ERROR, e->place, NULL,
                   "'.%s' uses '$', so that the generator's arguments cannot use it", e->text);
        break;
    case AG_E_NODE:
        e->child = find_node(b, e->text, e->place);
        break;
    case AG_E_BUILTIN:
        check_builtin(b, e);
        break;
    case AG_E_CALL:
        bind_call(b, e);
        break;
    }
    for (int i = 0; i < e->n_args; i++)
        bind_expr(b, e->args[i], scope);
}

/* -- locs that are defined by themselves ------------------------------------------------------- */

enum { UNSEEN, OPEN, DONE };

static bool loc_cycle(struct binder *b, const struct ag_expr *e, char *state)
{
    if (e->kind == AG_E_LOC && e->slot >= 0 && state[e->slot] != DONE) {
        const struct ag_loc *loc = &b->p->locs[e->slot];
        bool open = state[e->slot] == OPEN;
        if (open)
            ag_say(b->m, AG_ERROR, e->place, NULL, "the loc '%s' is defined by itself", loc->name);
        state[e->slot] = OPEN;
        bool cyclic = open || loc_cycle(b, loc->expr, state);
        state[e->slot] = DONE;
        return cyclic;
    }
    for (int i = 0; i < e->n_args; i++)
        if (loc_cycle(b, e->args[i], state))
            return true;
    return false;
}

static void bind_locs(struct binder *b)
{
    struct ag_production *p = b->p;
    for (int i = 0; i < p->n_locs; i++) {
        for (int j = 0; j < i; j++)
            if (!strcmp(p->locs[i].name, p->locs[j].name))
                ag_say(b->m, AG_ERROR, p->locs[i].place, NULL,
                       "production '%s' has two locs '%s', the first in line %d", p->name,
                       p->locs[i].name, p->locs[j].place.line);
        bind_expr(b, p->locs[i].expr, IN_RULE);
    }
    char *state = arena_alloc(b->m->arena, (size_t)p->n_locs + 1);
    for (int i = 0; i < p->n_locs; i++) {
        if (state[i] != UNSEEN)
            continue;
        state[i] = OPEN;
        loc_cycle(b, p->locs[i].expr, state);
        state[i] = DONE;
    }
}

/* -- rules ------------------------------------------------------------------------------------- */

static void check_target(struct binder *b, const struct ag_rule *r, const struct ag_attr *attr)
{
    bool mine = r->child == AG_THIS;
    if (mine ? attr->kind != AG_INH : attr->kind == AG_INH)
        return;
    if (mine)
        ag_say(b->m, AG_ERROR, r->place, NULL,
               "'this.%s' is inherited: it comes from the parent, and no rule here may set it",
               attr->name);
    else
        ag_say(b->m, AG_ERROR, r->place, NULL,
               "'%s.%s' is %s: class '%s' computes it, and no rule here may set it", r->node,
               attr->name, attr->kind == AG_SYN ? "synthesized" : "a guard",
               class_of(b, r->child)->name);
}

static void bind_rule(struct binder *b, struct ag_rule *r)
{
    const struct ag_attr *attr =
        find_attribute(b, r->node, r->attribute, r->place, &r->child, &r->slot);
    if (attr)
        check_target(b, r, attr);
    bind_expr(b, r->expr, IN_RULE);
}

/* -- @copy ------------------------------------------------------------------------------------- */

/* A production's own @copy and its class's add up. */
static bool copies(const struct ag_production *p, const char *attribute)
{
    const struct ag_class *c = p->class;
    return (p->copy && (!p->copy_only.n || names_have(&p->copy_only, attribute))) ||
           (c->copy && (!c->copy_only.n || names_have(&c->copy_only, attribute)));
}

static bool has_rule(const struct ag_production *p, int child, int slot)
{
    for (int i = 0; i < p->n_rules; i++)
        if (p->rules[i].child == child && p->rules[i].slot == slot)
            return true;
    return false;
}

static int same_attribute(const struct ag_class *c, enum ag_attr_kind kind,
                          const struct ag_attr *like)
{
    int slot = attr_named(c, like->name);
    bool same =
        slot >= 0 && c->attrs[slot].kind == kind && !strcmp(c->attrs[slot].type, like->type);
    return same ? slot : -1;
}

static void add_copy(struct binder *b, struct ag_rule *to, int target, int target_slot, int source,
                     int source_slot)
{
    struct ag_production *p = b->p;
    struct ag_expr *e = arena_new(b->spec->arena, struct ag_expr);
    const char *name = class_of(b, target)->attrs[target_slot].name;
    *e = (struct ag_expr){.kind = AG_E_ATTR,
                          .place = p->place,
                          .text = source == AG_THIS ? "this" : p->children[source].name,
                          .attribute = name,
                          .child = source,
                          .slot = source_slot,
                          .type = "any"};
    *to = (struct ag_rule){.node = target == AG_THIS ? "this" : p->children[target].name,
                           .attribute = name,
                           .expr = e,
                           .place = p->place,
                           .copied = true,
                           .child = target,
                           .slot = target_slot};
}

/* The synthesized attribute of `this` comes from the last child that has it. */
static bool copy_up(struct binder *b, int slot, struct ag_rule *to)
{
    for (int i = b->p->n_children - 1; i >= 0; i--) {
        int source = same_attribute(b->p->children[i].class, AG_SYN, &b->class->attrs[slot]);
        if (source < 0)
            continue;
        add_copy(b, to, AG_THIS, slot, i, source);
        return true;
    }
    return false;
}

static void apply_copy(struct binder *b)
{
    struct ag_production *p = b->p;
    int most = b->class->n_attrs, n = p->n_rules;
    for (int i = 0; i < p->n_children; i++) {
        if (!p->children[i].class)
            return;
        most += p->children[i].class->n_attrs;
    }
    struct ag_rule *rules = arena_array(b->spec->arena, struct ag_rule, n + most);
    for (int i = 0; i < n; i++)
        rules[i] = p->rules[i];
    for (int i = 0; i < p->n_children; i++) {
        const struct ag_class *c = p->children[i].class;
        for (int k = 0; k < c->n_attrs; k++) {
            int source =
                c->attrs[k].kind == AG_INH ? same_attribute(b->class, AG_INH, &c->attrs[k]) : -1;
            if (source >= 0 && copies(p, c->attrs[k].name) && !has_rule(p, i, k))
                add_copy(b, &rules[n++], i, k, AG_THIS, source);
        }
    }
    for (int k = 0; k < b->class->n_attrs; k++)
        if (b->class->attrs[k].kind == AG_SYN && copies(p, b->class->attrs[k].name) &&
            !has_rule(p, AG_THIS, k) && copy_up(b, k, &rules[n]))
            n++;
    p->rules = rules;
    p->n_rules = n;
}

/* -- productions and classes ------------------------------------------------------------------- */

static void bind_children(struct binder *b)
{
    struct ag_production *p = b->p;
    for (int i = 0; i < p->n_children; i++) {
        struct ag_child *child = &p->children[i];
        if (!strcmp(child->name, "this"))
            ag_say(b->m, AG_ERROR, child->place, NULL, "a child cannot be called 'this'");
        for (int j = 0; j < i; j++)
            if (!strcmp(child->name, p->children[j].name))
                ag_say(b->m, AG_ERROR, child->place, "`#{child}` prints a child once more",
                       "production '%s' has two children '%s'", p->name, child->name);
        child->class = ag_class_named(b->spec, child->class_name);
        if (!child->class)
            ag_say(b->m, AG_ERROR, child->place,
                   HINT(b, child->class_name, b->spec->classes, b->spec->n_classes,
                        offsetof(struct ag_class, name)),
                   "there is no class '%s'", child->class_name);
    }
}

static void bind_pieces(struct binder *b)
{
    for (int i = 0; i < b->p->n_pieces; i++) {
        struct ag_piece *piece = &b->p->pieces[i];
        if (piece->kind != AG_P_EXPR)
            continue;
        bind_expr(b, piece->expr, IN_TEXT);
        if (piece->expr->kind != AG_E_NODE)
            continue;
        if (piece->expr->child == AG_THIS) {
            ag_say(b->m, AG_ERROR, piece->expr->place, NULL, "a production cannot print itself");
        } else if (piece->expr->child >= 0) {
            piece->kind = AG_P_CHILD;
            piece->child = piece->expr->child;
            piece->again = true;
        }
    }
}

static void bind_production(struct binder *b)
{
    struct ag_production *p = b->p;
    bind_locs(b);
    if (p->generator) { /* a call: the parser takes nothing else */
        p->generator->type = "any";
        bind_call(b, p->generator);
        for (int i = 0; i < p->generator->n_args; i++)
            bind_expr(b, p->generator->args[i], IN_ARGUMENT);
    }
    bind_pieces(b);
    for (int i = 0; i < p->n_rules; i++)
        bind_rule(b, &p->rules[i]);
    if (p->copy || b->class->copy)
        apply_copy(b);
}

static void check_names(struct binder *b)
{
    struct ag_class *c = b->class;
    struct ag_class *first = ag_class_named(b->spec, c->name);
    if (first != c)
        ag_say(b->m, AG_ERROR, c->place, NULL, "there are two classes '%s', the first in line %d",
               c->name, first->place.line);
    for (int i = 0; i < c->n_attrs; i++) {
        int other = attr_named(c, c->attrs[i].name);
        if (other != i)
            ag_say(b->m, AG_ERROR, c->attrs[i].place, NULL,
                   "class '%s' has two attributes '%s', the first in line %d", c->name,
                   c->attrs[i].name, c->attrs[other].place.line);
    }
    for (int i = 0; i < c->n_productions; i++)
        for (int j = 0; j < i; j++)
            if (c->kind != AG_LITERAL && !strcmp(c->productions[i].name, c->productions[j].name))
                ag_say(b->m, AG_ERROR, c->productions[i].place, NULL,
                       "class '%s' has two productions '%s', the first in line %d", c->name,
                       c->productions[i].name, c->productions[j].place.line);
}

static void check_copy_names(struct binder *b, const struct ag_names *only, struct ag_place place)
{
    for (int i = 0; i < only->n; i++)
        if (attr_named(b->class, only->at[i]) < 0)
            ag_say(b->m, AG_WARNING, place,
                   HINT(b, only->at[i], b->class->attrs, b->class->n_attrs,
                        offsetof(struct ag_attr, name)),
                   "@copy names '%s', but class '%s' has no such attribute", only->at[i],
                   b->class->name);
}

static void bind_class(struct binder *b)
{
    struct ag_class *c = b->class;
    check_names(b);
    check_copy_names(b, &c->copy_only, c->place);
    for (int i = 0; i < c->n_productions; i++) {
        struct ag_production *p = &c->productions[i];
        p->class = c;
        check_copy_names(b, &p->copy_only, p->place);
    }
}

static void bind_uses(struct binder *b)
{
    const struct ag_spec *s = b->spec;
    for (int i = 0; i < s->uses.n; i++)
        if (b->rt && !ag_runtime_has_space(b->rt, s->uses.at[i]))
            ag_say(b->m, AG_ERROR, s->use_places[i],
                   "`assay lala build DIR` compiles a runtime; --no-runtime takes it on trust",
                   "no runtime has a namespace '%s'", s->uses.at[i]);
}

void ag_bind(struct ag_spec *s, const struct ag_runtime *rt, struct ag_messages *m)
{
    struct binder b = {.spec = s, .rt = rt, .m = m};
    bind_uses(&b);
    for (int i = 0; i < s->n_classes; i++) {
        b.class = &s->classes[i];
        bind_class(&b);
        for (int k = 0; k < b.class->n_productions; k++) {
            b.p = &b.class->productions[k];
            bind_children(&b);
        }
    }
    for (int i = 0; i < s->n_classes; i++) {
        b.class = &s->classes[i];
        for (int k = 0; k < b.class->n_productions; k++) {
            b.p = &b.class->productions[k];
            bind_production(&b);
        }
    }
}
