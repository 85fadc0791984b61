/* Types: names that must agree between attributes, arguments and the functions of the runtime.
 *
 * There is no hierarchy and no inference beyond what an expression says by itself. `any` fits
 * everything, `nil` too, for it is the empty value of every structure; `char` is another word for
 * String. A name with arguments, List<int>, fits the bare name, List.
 *
 * Where the runtime is not at hand the result of a call is `any`. Whether two of its types are one
 * cannot be known then: a runtime in another language may have types that include others. It is a
 * warning, unless both are basic types. */
#include "ag/check_internal.h"
#include "ag/runtime.h"

#include <ctype.h>

struct typer {
    const struct ag_production *p;
    struct ag_messages *m;
    bool trust; /* there is no runtime */
};

/* -- names of types ---------------------------------------------------------------------------- */

static bool is(const char *type, const char *name)
{
    return !strcmp(type, name);
}

/* One name for each of the basic types, whatever a specification writes. */
static const char *plain(const char *type)
{
    static const char *const same[][2] = {
        {"char", "String"},     {"Character", "String"}, {"string", "String"},
        {"Boolean", "boolean"}, {"bool", "boolean"},     {"Integer", "int"},
        {"long", "int"},        {"Long", "int"},         {"Object", "any"},
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (is(type, same[i][0]))
            return same[i][1];
    return type;
}

/* "List" of "List<int>", into `out`. */
static const char *head(const char *type, char *out, size_t size)
{
    size_t n = strcspn(type, "<");
    while (n && isspace((unsigned char)type[n - 1]))
        n--;
    snprintf(out, size, "%.*s", (int)n, type);
    return plain(out);
}

/* "int" of "List<int>", in the arena; NULL of a bare name. */
static const char *argument(struct arena *a, const char *type)
{
    const char *open = strchr(type, '<'), *close = strrchr(type, '>');
    if (!open || !close || close < open)
        return NULL;
    const char *text = arena_memdup(a, open + 1, (size_t)(close - open - 1));
    return text + strspn(text, " ");
}

static bool fits(struct arena *a, const char *got, const char *wanted)
{
    char got_head[128], wanted_head[128];
    const char *g = head(got, got_head, sizeof got_head);
    const char *w = head(wanted, wanted_head, sizeof wanted_head);
    if (is(g, "any") || is(w, "any") || is(g, "nil") || is(w, "nil"))
        return true;
    if (!is(g, w))
        return false;
    const char *in_got = argument(a, got), *in_wanted = argument(a, wanted);
    if (!in_got || !in_wanted || strchr(in_got, ',') || strchr(in_wanted, ','))
        return true; /* of several arguments only the head is compared */
    return fits(a, in_got, in_wanted);
}

/* -- expressions ------------------------------------------------------------------------------- */

static const char *type_of(struct typer *t, struct ag_expr *e);

static bool is_basic(const char *type)
{
    return is(plain(type), "int") || is(plain(type), "boolean") || is(plain(type), "String");
}

static enum ag_severity severity(const struct typer *t, const char *a, const char *b)
{
    return t->trust && !(is_basic(a) && is_basic(b)) ? AG_WARNING : AG_ERROR;
}

static void expect(struct typer *t, const struct ag_expr *e, const char *wanted, const char *whose)
{
    if (!fits(t->m->arena, e->type, wanted))
        ag_say(t->m, severity(t, e->type, wanted), e->place, NULL, "%s must be %s, but this is %s",
               whose, wanted, e->type);
}

static const char *both(const char *a, const char *b)
{
    return is(a, "any") || is(a, "nil") ? b : is(b, "any") || is(b, "nil") || is(a, b) ? a : "any";
}

static void expect_all(struct typer *t, const struct ag_expr *e, int first, const char *wanted,
                       const char *name)
{
    const char *whose = arena_printf(t->m->arena, "an argument of '%s'", name);
    for (int i = first; i < e->n_args; i++)
        expect(t, e->args[i], wanted, whose);
}

static const char *type_of_builtin(struct typer *t, struct ag_expr *e)
{
    static const char *const names[] = {
#define X(text, name, least, most) text,
        AG_BUILTINS(X)
#undef X
    };
    const char *name = names[e->builtin];
    switch (e->builtin) {
    case AG_AND:
    case AG_OR:
    case AG_NOT:
        expect_all(t, e, 0, "boolean", name);
        return "boolean";
    case AG_IF:
        expect(t, e->args[0], "boolean", "the condition of 'if'");
        if (!fits(t->m->arena, e->args[1]->type, e->args[2]->type))
            ag_say(t->m, severity(t, e->args[1]->type, e->args[2]->type), e->args[2]->place, NULL,
                   "the two values of 'if' must be of one type, but they are %s and %s",
                   e->args[1]->type, e->args[2]->type);
        return both(e->args[1]->type, e->args[2]->type);
    case AG_ADD: /* of strings too, as in published specifications */
        for (int i = 0; i < e->n_args; i++)
            if (is(e->args[i]->type, "String"))
                return "String";
        /* fall through */
    case AG_SUB:
    case AG_MUL:
    case AG_DIV:
    case AG_MAX:
    case AG_MIN:
        expect_all(t, e, 0, "int", name);
        return "int";
    case AG_LT:
    case AG_GT:
    case AG_LE:
    case AG_GE:
        expect_all(t, e, 0, "int", name);
        return "boolean";
    case AG_EQ:
    case AG_NE:
    case AG_EQUALS:
        if (!fits(t->m->arena, e->args[0]->type, e->args[1]->type))
            ag_say(t->m, AG_WARNING, e->place, NULL,
                   "'%s' compares %s with %s: they are never equal", name, e->args[0]->type,
                   e->args[1]->type);
        return "boolean";
    case AG_IS_NIL:
        return "boolean";
    case AG_INT:
        if (!fits(t->m->arena, e->args[0]->type, "int"))
            expect_all(t, e, 0, "String", name);
        return "int";
    case AG_LEN:
        for (int i = 0; i < e->n_args; i++)
            if (fits(t->m->arena, e->args[i]->type, "int") ||
                fits(t->m->arena, e->args[i]->type, "boolean"))
                if (!is(e->args[i]->type, "any") && !is(e->args[i]->type, "nil"))
                    ag_say(t->m, AG_ERROR, e->args[i]->place, NULL,
                           "'len' is that of a string or a list, but this is %s", e->args[i]->type);
        return "int";
    case AG_N_BUILTINS:
        break;
    }
    BUG("no type for '%s'", name);
}

static const char *type_of_call(struct typer *t, const struct ag_expr *e)
{
    struct ag_signature g;
    if (!e->function || ag_signature_parse(t->m->arena, e->function->signature, &g))
        return "any";
    for (int i = 0; i < e->n_args && g.n; i++)
        expect(t, e->args[i], g.parameters[i < g.n ? i : g.n - 1],
               arena_printf(t->m->arena, "argument %d of '%s:%s'", i + 1, e->space, e->text));
    return g.result;
}

static const char *infer(struct typer *t, struct ag_expr *e)
{
    for (int i = 0; i < e->n_args; i++)
        type_of(t, e->args[i]);
    switch (e->kind) {
    case AG_E_INT:
        return "int";
    case AG_E_STRING:
        return "String";
    case AG_E_TRUE:
    case AG_E_FALSE:
        return "boolean";
    case AG_E_NIL:
        return "nil";
    case AG_E_VALUE:
        return t->p->value_type;
    case AG_E_ATTR: {
        const struct ag_class *c =
            e->child == AG_THIS ? t->p->class : t->p->children[e->child].class;
        return c->attrs[e->slot].type;
    }
    case AG_E_LOC:
        return t->p->locs[e->slot].expr->type;
    case AG_E_NODE:
        return "Node";
    case AG_E_BUILTIN:
        return type_of_builtin(t, e);
    case AG_E_CALL:
        return type_of_call(t, e);
    }
    BUG("no such expression: %d", (int)e->kind);
}

static const char *type_of(struct typer *t, struct ag_expr *e)
{
    return e->type = infer(t, e);
}

/* -- productions ------------------------------------------------------------------------------- */

/* A loc after those that it uses; each is typed once, so that a mistake is reported once. */
static void type_loc(struct typer *t, int i, bool *done);

static void type_locs_in(struct typer *t, const struct ag_expr *e, bool *done)
{
    if (e->kind == AG_E_LOC)
        type_loc(t, e->slot, done);
    for (int i = 0; i < e->n_args; i++)
        type_locs_in(t, e->args[i], done);
}

static void type_loc(struct typer *t, int i, bool *done)
{
    if (done[i])
        return;
    done[i] = true;
    type_locs_in(t, t->p->locs[i].expr, done);
    type_of(t, t->p->locs[i].expr);
}

static void type_generator(struct typer *t)
{
    struct ag_expr *e = t->p->generator;
    const char *type = type_of(t, e);
    const char *wanted = arena_printf(t->m->arena, "List<%s>", t->p->value_type);
    if (!fits(t->m->arena, type, wanted))
        ag_say(t->m, AG_ERROR, e->place, NULL,
               "the generator '%s' must choose from a %s, but '%s:%s' answers with %s", t->p->name,
               wanted, e->space, e->text, type);
}

static void type_rule(struct typer *t, const struct ag_rule *r)
{
    const struct ag_class *c = r->child == AG_THIS ? t->p->class : t->p->children[r->child].class;
    type_of(t, r->expr);
    expect(t, r->expr, c->attrs[r->slot].type,
           arena_printf(t->m->arena, "'%s.%s'", r->node, r->attribute));
}

static void type_production(const struct ag_production *p, bool trust, struct ag_messages *m)
{
    struct typer t = {p, m, trust};
    bool *done = arena_array(m->arena, bool, p->n_locs + 1);
    for (int i = 0; i < p->n_locs; i++)
        type_loc(&t, i, done);
    if (p->generator)
        type_generator(&t);
    for (int i = 0; i < p->n_rules; i++)
        type_rule(&t, &p->rules[i]);
    for (int i = 0; i < p->n_pieces; i++)
        if (p->pieces[i].kind == AG_P_EXPR)
            type_of(&t, p->pieces[i].expr);
}

void ag_check_types(struct ag_spec *s, const struct ag_runtime *rt, struct ag_messages *m)
{
    for (int i = 0; i < s->n_classes; i++)
        for (int k = 0; k < s->classes[i].n_productions; k++)
            type_production(&s->classes[i].productions[k], !rt, m);
}
